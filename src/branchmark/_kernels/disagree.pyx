# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Decisions (instance x category) on which two systems differ, without the matrix of all decisions."""
from libc.stdint cimport int32_t, int64_t


def disagreements(const int64_t[::1] true_indptr, const int32_t[::1] true,
                  const int64_t[::1] first_indptr, const int32_t[::1] first,
                  const int64_t[::1] second_indptr, const int32_t[::1] second):
    """How often the first system alone is right, and how often the second.

    Rows are sorted and hold each label once. Only labels that exactly one system gives can differ: whoever gives a
    true label is right, and so is whoever leaves out a wrong one.
    """
    cdef Py_ssize_t row, n = true_indptr.shape[0] - 1
    cdef int64_t t, i, j, t_end, i_end, j_end, first_right = 0, second_right = 0
    cdef int32_t label
    cdef bint by_first, is_true
    if first_indptr.shape[0] != n + 1 or second_indptr.shape[0] != n + 1:
        raise ValueError("the three sides must have equally many rows")
    with nogil:
        for row in range(n):
            t, t_end = true_indptr[row], true_indptr[row + 1]
            i, i_end = first_indptr[row], first_indptr[row + 1]
            j, j_end = second_indptr[row], second_indptr[row + 1]
            while i < i_end or j < j_end:
                if i < i_end and j < j_end and first[i] == second[j]:
                    i += 1
                    j += 1
                    continue
                by_first = j == j_end or (i < i_end and first[i] < second[j])
                if by_first:
                    label = first[i]
                    i += 1
                else:
                    label = second[j]
                    j += 1
                while t < t_end and true[t] < label:
                    t += 1
                is_true = t < t_end and true[t] == label
                if is_true == by_first:
                    first_right += 1
                else:
                    second_right += 1
    return first_right, second_right
