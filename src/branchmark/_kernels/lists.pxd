from libc.stdint cimport int32_t, int64_t


cdef extern from "lists.hpp" namespace "branchmark" nogil:
    cdef struct Labels:
        const int32_t* nodes
        int32_t count

    cdef struct Ancestors:
        const int32_t* slot
        const int64_t* address
        const int32_t* length
        const int64_t* level_address
        const int32_t* level_count
        const int32_t* depth
        int32_t size
        int32_t max_path

    cdef struct Instances:
        const int64_t* true_indptr
        const int32_t* true_labels
        const int64_t* pred_indptr
        const int32_t* pred_labels
        int64_t count


cdef inline const int32_t* ints(const int32_t[::1] view) noexcept nogil:
    return &view[0] if view.shape[0] else NULL


cdef inline const int64_t* longs(const int64_t[::1] view) noexcept nogil:
    return &view[0] if view.shape[0] else NULL


cdef inline Labels labels_of(const int32_t[::1] view) noexcept nogil:
    cdef Labels labels
    labels.nodes = ints(view)
    labels.count = <int32_t> view.shape[0]
    return labels


cdef inline Ancestors ancestors_of(const int32_t[::1] slot, const int64_t[::1] address, const int32_t[::1] length,
                                   const int64_t[::1] level_address, const int32_t[::1] level_count,
                                   const int32_t[::1] depth, int32_t max_path) noexcept nogil:
    cdef Ancestors ancestors
    ancestors.slot = ints(slot)
    ancestors.address = longs(address)
    ancestors.length = ints(length)
    ancestors.level_address = longs(level_address)
    ancestors.level_count = ints(level_count)
    ancestors.depth = ints(depth)
    ancestors.size = <int32_t> slot.shape[0]
    ancestors.max_path = max_path
    return ancestors


cdef inline Instances instances_of(const int64_t[::1] true_indptr, const int32_t[::1] true,
                                   const int64_t[::1] pred_indptr, const int32_t[::1] pred) noexcept nogil:
    cdef Instances instances
    instances.true_indptr = longs(true_indptr)
    instances.true_labels = ints(true)
    instances.pred_indptr = longs(pred_indptr)
    instances.pred_labels = ints(pred)
    instances.count = true_indptr.shape[0] - 1
    return instances


cdef inline int32_t most(const int32_t[::1] counts) noexcept nogil:
    cdef int32_t largest = 0
    cdef Py_ssize_t i
    for i in range(counts.shape[0]):
        largest = max(largest, counts[i])
    return largest
