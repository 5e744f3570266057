# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Sizes of augmented label sets and of their intersections, per instance and per category.

Lists of ancestors (or descendants) come as in `branchmark.closures.Reach`: a slot per node, and per slot the
address and the length of its list. Labels of an instance are marked in a stamp array, so that no set is ever built.
"""
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t
from libc.string cimport memcpy, memset
from libcpp.algorithm cimport sort
from libcpp.vector cimport vector

import numpy as np


cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define prefetch(address) __builtin_prefetch(address)
    #else
    #define prefetch(address) ((void) 0)
    #endif
    """
    void prefetch(const void* address) noexcept nogil


cdef struct Lists:
    const int32_t* slot
    const int64_t* address
    const int32_t* length


cdef inline const int32_t* list_of(Lists lists, int32_t node, int32_t* length) noexcept nogil:
    cdef int32_t slot = lists.slot[node]
    length[0] = lists.length[slot]
    return <const int32_t*> lists.address[slot]


cdef inline void prefetch_row(Lists lists, const int64_t* indptr, const int32_t* labels,
                              Py_ssize_t row, Py_ssize_t n) noexcept nogil:
    """Ask for the lists of a later row: they lie anywhere in memory, and waiting for them is most of the work."""
    cdef int64_t i
    cdef const int32_t* nodes
    cdef int32_t size, k
    if row >= n:
        return
    for i in range(indptr[row], indptr[row + 1]):
        nodes = list_of(lists, labels[i], &size)
        k = 0
        while k < size and k < 256:
            prefetch(nodes + k)
            k += 16  # int32 per cache line


# Marks are single bytes, so that those of half a million nodes stay in the processor's second-level cache. Each row
# takes two values; before they repeat, all marks are cleared.
cdef enum:
    LAST_MARK = 253


def overlap_rows(const int32_t[::1] slot, const int64_t[::1] address, const int32_t[::1] length,
                 const int64_t[::1] true_indptr, const int32_t[::1] true,
                 const int64_t[::1] pred_indptr, const int32_t[::1] pred,
                 uint8_t[::1] marks, weights,
                 int64_t[::1] common_out, int64_t[::1] pred_out, int64_t[::1] true_out):
    """Per instance: size (or integer weight) of the intersection and of the two augmented sets."""
    cdef Lists lists
    cdef const int64_t[::1] weight
    cdef const int64_t* w = NULL
    if true_indptr.shape[0] < 2 or address.shape[0] == 0:
        common_out[:] = 0
        pred_out[:] = 0
        true_out[:] = 0
        return
    lists.slot = &slot[0]
    lists.address = &address[0]
    lists.length = &length[0]
    if weights is not None:
        weight = weights
        w = &weight[0]
    cdef Py_ssize_t row, n = true_indptr.shape[0] - 1, size = marks.shape[0]
    cdef uint8_t* mark = &marks[0]
    cdef const int32_t* true_labels = &true[0] if true.shape[0] else NULL
    cdef const int32_t* pred_labels = &pred[0] if pred.shape[0] else NULL
    cdef uint8_t seen_true = 1
    with nogil:
        memset(mark, 0, size)
        for row in range(n):
            prefetch_row(lists, &true_indptr[0], true_labels, row + 2, n)
            prefetch_row(lists, &pred_indptr[0], pred_labels, row + 2, n)
            if seen_true > LAST_MARK:
                memset(mark, 0, size)
                seen_true = 1
            if w == NULL:
                overlap_row(lists, true_labels, true_indptr[row], true_indptr[row + 1], pred_labels, pred_indptr[row],
                            pred_indptr[row + 1], mark, seen_true, False, w,
                            &common_out[row], &pred_out[row], &true_out[row])
            else:
                overlap_row(lists, true_labels, true_indptr[row], true_indptr[row + 1], pred_labels, pred_indptr[row],
                            pred_indptr[row + 1], mark, seen_true, True, w,
                            &common_out[row], &pred_out[row], &true_out[row])
            seen_true += 2


cdef inline void overlap_row(Lists lists, const int32_t* true, int64_t true_start, int64_t true_stop,
                             const int32_t* pred, int64_t pred_start, int64_t pred_stop,
                             uint8_t* mark, uint8_t seen_true, bint weighted, const int64_t* w,
                             int64_t* common_out, int64_t* pred_out, int64_t* true_out) noexcept nogil:
    cdef uint8_t seen_pred = seen_true + 1, before
    cdef int64_t i, in_true = 0, in_pred = 0, in_both = 0
    cdef int32_t k, length, node
    cdef const int32_t* nodes
    for i in range(true_start, true_stop):
        nodes = list_of(lists, true[i], &length)
        for k in range(length):
            node = nodes[k]
            # no branch: whether a node is new is as good as random
            in_true += (mark[node] != seen_true) * (w[node] if weighted else 1)
            mark[node] = seen_true
    for i in range(pred_start, pred_stop):
        nodes = list_of(lists, pred[i], &length)
        for k in range(length):
            node = nodes[k]
            before = mark[node]
            in_both += (before == seen_true) * (w[node] if weighted else 1)
            in_pred += (before != seen_pred) * (w[node] if weighted else 1)
            mark[node] = seen_pred
    common_out[0] = in_both
    pred_out[0] = in_pred
    true_out[0] = in_true


def overlap_categories(const int32_t[::1] slot, const int64_t[::1] address, const int32_t[::1] length,
                       const int64_t[::1] true_indptr, const int32_t[::1] true,
                       const int64_t[::1] pred_indptr, const int32_t[::1] pred,
                       uint8_t[::1] marks,
                       int64_t[::1] common_out, int64_t[::1] pred_out, int64_t[::1] true_out):
    """Per category, added to the outputs: instances that have it on both sides, predicted, and true."""
    cdef Lists lists
    if true_indptr.shape[0] < 2 or address.shape[0] == 0:
        return
    lists.slot = &slot[0]
    lists.address = &address[0]
    lists.length = &length[0]
    cdef Py_ssize_t row, n = true_indptr.shape[0] - 1
    cdef int64_t i
    cdef int32_t k, size, node
    cdef const int32_t* nodes
    cdef uint8_t seen_true = 1, seen_pred
    with nogil:
        memset(&marks[0], 0, marks.shape[0])
        for row in range(n):
            if seen_true > LAST_MARK:
                memset(&marks[0], 0, marks.shape[0])
                seen_true = 1
            seen_pred = seen_true + 1
            for i in range(true_indptr[row], true_indptr[row + 1]):
                nodes = list_of(lists, true[i], &size)
                for k in range(size):
                    node = nodes[k]
                    if marks[node] != seen_true:
                        marks[node] = seen_true
                        true_out[node] += 1
            for i in range(pred_indptr[row], pred_indptr[row + 1]):
                nodes = list_of(lists, pred[i], &size)
                for k in range(size):
                    node = nodes[k]
                    if marks[node] != seen_pred:
                        if marks[node] == seen_true:
                            common_out[node] += 1
                        marks[node] = seen_pred
                        pred_out[node] += 1
            seen_true += 2


def augmented_rows(const int32_t[::1] slot, const int64_t[::1] address, const int32_t[::1] length,
                   const int64_t[::1] indptr, const int32_t[::1] labels, uint32_t[::1] stamp):
    """The augmented set of every row, sorted, as (indptr, nodes)."""
    cdef Lists lists
    cdef Py_ssize_t row, n = indptr.shape[0] - 1
    cdef int64_t i
    cdef int32_t k, size
    cdef size_t start
    cdef const int32_t* nodes
    cdef vector[int32_t] out
    cdef uint32_t seen = 0
    ends_array = np.zeros(n + 1, dtype=np.int64)
    cdef int64_t[::1] ends = ends_array
    stamp[:] = 0
    if address.shape[0]:
        lists.slot = &slot[0]
        lists.address = &address[0]
        lists.length = &length[0]
        with nogil:
            for row in range(n):
                seen += 1
                start = out.size()
                for i in range(indptr[row], indptr[row + 1]):
                    nodes = list_of(lists, labels[i], &size)
                    for k in range(size):
                        if stamp[nodes[k]] != seen:
                            stamp[nodes[k]] = seen
                            out.push_back(nodes[k])
                sort(out.begin() + start, out.end())
                ends[row + 1] = out.size()
    node_array = np.empty(out.size(), dtype=np.int32)
    cdef int32_t[::1] view = node_array
    if out.size():
        memcpy(&view[0], out.data(), out.size() * sizeof(int32_t))
    return ends_array, node_array


def h_loss_rows(const int32_t[::1] slot, const int64_t[::1] address, const int32_t[::1] length,
                const int64_t[::1] parent_indptr, const int32_t[::1] parents,
                const int64_t[::1] true_indptr, const int32_t[::1] true,
                const int64_t[::1] pred_indptr, const int32_t[::1] pred,
                uint32_t[::1] stamp, weights,
                int64_t[::1] common_out, int64_t[::1] pred_out, int64_t[::1] true_out):
    """As overlap_rows on ancestors, leaving out nodes of one side with no parent on the other (Cesa-Bianchi).

    Every instance belongs to the root, so node 0 counts as being on both sides when parents are looked up. The root
    itself has no parents and stays only where it is on both sides.
    """
    cdef Lists lists
    cdef const int64_t[::1] weight
    cdef const int64_t* w = NULL
    if slot.shape[0] == 0 or address.shape[0] == 0:
        common_out[:] = 0
        pred_out[:] = 0
        true_out[:] = 0
        return
    lists.slot = &slot[0]
    lists.address = &address[0]
    lists.length = &length[0]
    if weights is not None:
        weight = weights
        w = &weight[0]
    cdef Py_ssize_t row, n = true_indptr.shape[0] - 1
    cdef int64_t i, in_true, in_pred, in_both, one
    cdef int32_t k, size, node
    cdef const int32_t* nodes
    # four marks a row: in true, in pred, in both, and done (a node already counted)
    cdef uint32_t base = 1
    stamp[:] = 0
    visited_array = np.zeros(stamp.shape[0], dtype=np.uint32)
    cdef uint32_t[::1] visited = visited_array
    with nogil:
        for row in range(n):
            for i in range(true_indptr[row], true_indptr[row + 1]):
                nodes = list_of(lists, true[i], &size)
                for k in range(size):
                    stamp[nodes[k]] = base
            for i in range(pred_indptr[row], pred_indptr[row + 1]):
                nodes = list_of(lists, pred[i], &size)
                for k in range(size):
                    node = nodes[k]
                    if stamp[node] == base:
                        stamp[node] = base + 2
                    elif stamp[node] != base + 2:
                        stamp[node] = base + 1
            in_true = in_pred = in_both = 0
            for i in range(true_indptr[row], true_indptr[row + 1]):
                nodes = list_of(lists, true[i], &size)
                for k in range(size):
                    node = nodes[k]
                    if visited[node] == base:
                        continue
                    visited[node] = base
                    one = w[node] if w != NULL else 1
                    if stamp[node] == base + 2:
                        in_both += one
                        in_true += one
                        in_pred += one
                    elif has_parent(parent_indptr, parents, stamp, node, base + 1, base + 2):
                        in_true += one
            for i in range(pred_indptr[row], pred_indptr[row + 1]):
                nodes = list_of(lists, pred[i], &size)
                for k in range(size):
                    node = nodes[k]
                    if visited[node] == base:
                        continue
                    visited[node] = base
                    if has_parent(parent_indptr, parents, stamp, node, base, base + 2):
                        in_pred += w[node] if w != NULL else 1
            common_out[row] = in_both
            pred_out[row] = in_pred
            true_out[row] = in_true
            base += 3


cdef inline bint has_parent(const int64_t[::1] parent_indptr, const int32_t[::1] parents, uint32_t[::1] stamp,
                            int32_t node, uint32_t mark, uint32_t other) noexcept nogil:
    cdef int64_t i
    for i in range(parent_indptr[node], parent_indptr[node + 1]):
        if parents[i] == 0 or stamp[parents[i]] == mark or stamp[parents[i]] == other:
            return True
    return False


def common_labels(const int64_t[::1] true_indptr, const int32_t[::1] true,
                  const int64_t[::1] pred_indptr, const int32_t[::1] pred):
    """Row-wise intersection of two ragged arrays with sorted rows, as (indptr, labels)."""
    cdef Py_ssize_t row, n = true_indptr.shape[0] - 1
    cdef int64_t i, j, out = 0
    cdef Py_ssize_t most = min(true_indptr[n] - true_indptr[0], pred_indptr[n] - pred_indptr[0])
    indptr_array = np.zeros(n + 1, dtype=np.int64)
    label_array = np.empty(most, dtype=np.int32)
    cdef int64_t[::1] indptr = indptr_array
    cdef int32_t[::1] labels = label_array
    with nogil:
        for row in range(n):
            i = true_indptr[row]
            j = pred_indptr[row]
            while i < true_indptr[row + 1] and j < pred_indptr[row + 1]:
                if true[i] == pred[j]:
                    labels[out] = true[i]
                    out += 1
                    i += 1
                    j += 1
                elif true[i] < pred[j]:
                    i += 1
                else:
                    j += 1
            indptr[row + 1] = out
    return indptr_array, label_array[:out]


# codes of the kinds of error, in the order of branchmark.measures.kinds.KINDS
cdef enum:
    EXACT = 0
    UNDER = 1
    OVER = 2
    SIBLING = 3
    NEAR = 4
    FAR = 5
    NOTHING = 6


def kinds_of_error(const int32_t[::1] slot, const int64_t[::1] address, const int32_t[::1] length,
                   const int64_t[::1] parent_indptr, const int32_t[::1] parents, const int32_t[::1] depth,
                   const int64_t[::1] true_indptr, const int32_t[::1] true,
                   const int64_t[::1] pred_indptr, const int32_t[::1] pred,
                   uint32_t[::1] stamp, uint8_t[::1] out):
    """Per instance the kind of its error; the worst kind among its wrong predictions decides."""
    cdef Lists lists
    cdef Py_ssize_t row, n = true_indptr.shape[0] - 1
    cdef int64_t i, j, t0, t1, p0, p1
    cdef int32_t k, size, node, p
    cdef const int32_t* nodes
    cdef bint same, all_under, all_over, all_sibling, all_near, found
    cdef uint32_t mark = 1
    label_array = np.zeros(stamp.shape[0], dtype=np.uint32)
    parent_array = np.zeros(stamp.shape[0], dtype=np.uint32)
    cdef uint32_t[::1] is_label = label_array
    cdef uint32_t[::1] is_parent = parent_array
    stamp[:] = 0
    if address.shape[0]:
        lists.slot = &slot[0]
        lists.address = &address[0]
        lists.length = &length[0]
    with nogil:
        for row in range(n):
            t0 = true_indptr[row]
            t1 = true_indptr[row + 1]
            p0 = pred_indptr[row]
            p1 = pred_indptr[row + 1]
            same = t1 - t0 == p1 - p0
            for i in range(t1 - t0):
                if not same:
                    break
                same = true[t0 + i] == pred[p0 + i]
            if same:
                out[row] = EXACT
                continue
            if p0 == p1:
                out[row] = NOTHING
                continue
            for i in range(t0, t1):
                is_label[true[i]] = mark
                for j in range(parent_indptr[true[i]], parent_indptr[true[i] + 1]):
                    is_parent[parents[j]] = mark
                nodes = list_of(lists, true[i], &size)
                for k in range(size):
                    stamp[nodes[k]] = mark
            all_under = all_over = all_sibling = all_near = t1 > t0
            for i in range(p0, p1):
                p = pred[i]
                if is_label[p] == mark:
                    continue
                if stamp[p] != mark:
                    all_under = False
                nodes = list_of(lists, p, &size)
                if all_over:
                    found = False
                    for k in range(size):
                        if is_label[nodes[k]] == mark:
                            found = True
                            break
                    all_over = found
                if all_sibling:
                    found = False
                    for j in range(parent_indptr[p], parent_indptr[p + 1]):
                        if is_parent[parents[j]] == mark:
                            found = True
                            break
                    all_sibling = found
                if all_near:
                    found = False
                    for k in range(size):
                        node = nodes[k]
                        if depth[node] == 1 and stamp[node] == mark:
                            found = True
                            break
                    all_near = found
            if all_under:
                out[row] = UNDER
            elif all_over:
                out[row] = OVER
            elif all_sibling:
                out[row] = SIBLING
            elif all_near:
                out[row] = NEAR
            else:
                out[row] = FAR
            mark += 1
