# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Costs of pairing true with predicted labels, and the pairings themselves.

Ancestor lists come as in `branchmark.closures.Reach`, label sets as compressed rows; `max_path` 0 is no limit.
"""
from libc.math cimport frexp, ldexp
from libc.stdint cimport int32_t, int64_t
from libcpp.vector cimport vector

from branchmark._kernels.lists cimport Ancestors, Instances, ancestors_of, instances_of, most


cdef extern from "<cmath>" namespace "std" nogil:
    long long llrint(double)


cdef extern from "pairing.hpp" namespace "branchmark" nogil:
    cdef struct PairColumns:
        int64_t* distance_sum
        int64_t* one_to_one
        int64_t* cover
        int32_t* shared

    cdef cppclass Pairing[Cost]:
        cppclass Pair:
            int32_t row
            int32_t column
            Cost cost
        Pairing() except +
        Cost one_to_one(const Cost*, int32_t, int32_t, Cost) except +
        Cost cover(const Cost*, int32_t, int32_t, Cost) except +
        void one_to_one_pairs(const Cost*, int32_t, int32_t, Cost, vector[Pair]&) except +
        void cover_pairs(const Cost*, int32_t, int32_t, Cost, vector[Pair]&) except +

    void c_pair_rows "branchmark::pair_rows"(const Ancestors&, const Instances&, int32_t, int32_t,
                                             const PairColumns&) except +
    void c_distance_tables "branchmark::distance_tables"(const Ancestors&, const Instances&, const int64_t*,
                                                         int32_t*) except +


def pair_rows(const int32_t[::1] slot, const int64_t[::1] address, const int32_t[::1] length,
              const int64_t[::1] level_address, const int32_t[::1] level_count, const int32_t[::1] depth,
              const int64_t[::1] true_indptr, const int32_t[::1] true,
              const int64_t[::1] pred_indptr, const int32_t[::1] pred,
              int32_t d_max, int32_t max_path,
              int64_t[::1] sum_out, int64_t[::1] one_to_one_out, int64_t[::1] cover_out, int32_t[::1] shared_out):
    """Per instance: sum of all distances, costs of GIE and MGIA, labels on both sides; empty outputs are left out."""
    cdef Ancestors ancestors = ancestors_of(slot, address, length, level_address, level_count, depth, max_path)
    cdef Instances instances = instances_of(true_indptr, true, pred_indptr, pred)
    cdef PairColumns out
    out.distance_sum = &sum_out[0] if sum_out.shape[0] else NULL
    out.one_to_one = &one_to_one_out[0] if one_to_one_out.shape[0] else NULL
    out.cover = &cover_out[0] if cover_out.shape[0] else NULL
    out.shared = &shared_out[0] if shared_out.shape[0] else NULL
    with nogil:
        c_pair_rows(ancestors, instances, d_max, most(level_count), out)


def distance_tables(const int32_t[::1] slot, const int64_t[::1] address, const int32_t[::1] length,
                    const int64_t[::1] level_address, const int32_t[::1] level_count, const int32_t[::1] depth,
                    const int64_t[::1] true_indptr, const int32_t[::1] true,
                    const int64_t[::1] pred_indptr, const int32_t[::1] pred,
                    int32_t max_path, const int64_t[::1] indptr, int32_t[::1] out):
    """All distances: out[indptr[i]:indptr[i + 1]] is the true x predicted matrix of instance i, row by row."""
    cdef Ancestors ancestors = ancestors_of(slot, address, length, level_address, level_count, depth, max_path)
    cdef Instances instances = instances_of(true_indptr, true, pred_indptr, pred)
    if out.shape[0] == 0:
        return
    with nogil:
        c_distance_tables(ancestors, instances, &indptr[0], &out[0])


cdef int scaled(const double* costs, int64_t size, int64_t members, double unpaired,
                vector[int64_t]& out) noexcept nogil:
    """Costs as whole multiples of 2**-shift, the finest unit in which no sum of them overflows; gives the shift.

    Sums of whole numbers are exact, so neither the order of the labels nor the choice among equally cheap pairings
    can change a result. A pair dearer than two defaults is never worth it, so how much dearer makes no difference.
    """
    cdef int exponent, shift
    cdef double dearest = 2 * unpaired
    cdef int64_t i
    frexp(dearest * 4 * (members + 1), &exponent)
    shift = 62 - exponent
    out.resize(size)
    for i in range(size):
        out[i] = llrint(ldexp(min(dearest, costs[i]), shift))
    return shift


def given_cost_rows(const int64_t[::1] indptr, const double[::1] costs,
                    const int64_t[::1] true_count, const int64_t[::1] pred_count, double unpaired,
                    double[::1] one_to_one_out, double[::1] cover_out):
    """As pair_rows for costs[indptr[i]:indptr[i + 1]], a true x predicted matrix of instance i, row by row."""
    cdef Pairing[int64_t] pairing
    cdef vector[int64_t] whole
    cdef Py_ssize_t row, n = indptr.shape[0] - 1
    cdef const double* matrix
    cdef int64_t alone
    cdef int32_t rows, columns
    cdef int shift
    with nogil:
        for row in range(n):
            matrix = &costs[0] + indptr[row] if costs.shape[0] else NULL
            rows, columns = <int32_t> true_count[row], <int32_t> pred_count[row]
            shift = scaled(matrix, indptr[row + 1] - indptr[row], rows + columns, unpaired, whole)
            alone = llrint(ldexp(unpaired, shift))
            if one_to_one_out.shape[0]:
                one_to_one_out[row] = ldexp(
                    <double> pairing.one_to_one(whole.data(), rows, columns, alone), -shift)
            if cover_out.shape[0]:
                cover_out[row] = ldexp(<double> pairing.cover(whole.data(), rows, columns, alone), -shift)


def pairs(const double[:, ::1] costs, double unpaired, bint one_to_one):
    """The cheapest pairing of one instance as (true, predicted, cost); -1 stands for the default class."""
    cdef Pairing[int64_t] pairing
    cdef vector[Pairing[int64_t].Pair] found
    cdef vector[int64_t] whole
    cdef int32_t rows = <int32_t> costs.shape[0], columns = <int32_t> costs.shape[1]
    cdef const double* matrix = &costs[0, 0] if rows and columns else NULL
    cdef int shift = scaled(matrix, <int64_t> rows * columns, rows + columns, unpaired, whole)
    cdef int64_t alone = llrint(ldexp(unpaired, shift))
    cdef size_t i
    if one_to_one:
        pairing.one_to_one_pairs(whole.data(), rows, columns, alone, found)
    else:
        pairing.cover_pairs(whole.data(), rows, columns, alone, found)
    return [(found[i].row, found[i].column,
             unpaired if found[i].row < 0 or found[i].column < 0 else costs[found[i].row, found[i].column])
            for i in range(found.size())]
