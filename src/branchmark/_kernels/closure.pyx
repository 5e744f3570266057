# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Orders, depths and ancestor (or descendant) lists of a directed graph given as compressed rows."""
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t
from libc.string cimport memcpy
from libcpp.vector cimport vector

import numpy as np


def topological_order(const int64_t[::1] indptr, const int32_t[::1] indices, const int32_t[::1] starts):
    """Reverse postorder of a depth-first walk over child links from the given start nodes.

    On a tree this is preorder with children as listed. Returns (order, cycle): nodes that no start reaches are
    missing from the order, and cycle lists the nodes of the first cycle met (then the order is useless) or is empty.
    """
    cdef Py_ssize_t n = indptr.shape[0] - 1, placed, s
    cdef int32_t node, child
    order_array = np.empty(n, dtype=np.int32)
    colour_array = np.zeros(n, dtype=np.uint8)  # 0 unseen, 1 on the stack, 2 done
    next_array = np.empty(n, dtype=np.int64)
    cdef int32_t[::1] order = order_array
    cdef uint8_t[::1] colour = colour_array
    cdef int64_t[::1] nxt = next_array
    cdef vector[int32_t] stack
    cdef list cycle = []
    placed = n
    # last start and last child first, because the order is filled from its end
    for s in range(starts.shape[0] - 1, -1, -1):
        if colour[starts[s]]:
            continue
        stack.push_back(starts[s])
        colour[starts[s]] = 1
        nxt[starts[s]] = indptr[starts[s] + 1]
        while not stack.empty():
            node = stack.back()
            if nxt[node] > indptr[node]:
                nxt[node] -= 1
                child = indices[nxt[node]]
                if colour[child] == 0:
                    colour[child] = 1
                    nxt[child] = indptr[child + 1]
                    stack.push_back(child)
                elif colour[child] == 1:
                    while stack.back() != child:
                        cycle.append(stack.back())
                        stack.pop_back()
                    cycle.append(child)
                    return order_array[:0], cycle[::-1]
            else:
                stack.pop_back()
                colour[node] = 2
                placed -= 1
                order[placed] = node
    return order_array[placed:].copy(), cycle


def group(const int32_t[::1] rows, const int32_t[::1] values, Py_ssize_t count):
    """Compressed rows of (row, value) pairs, in linear time; values keep their order within a row."""
    cdef Py_ssize_t size = rows.shape[0], i
    indptr_array = np.zeros(count + 1, dtype=np.int64)
    indices_array = np.empty(size, dtype=np.int32)
    next_array = np.empty(count, dtype=np.int64)
    cdef int64_t[::1] indptr = indptr_array
    cdef int64_t[::1] nxt = next_array
    cdef int32_t[::1] indices = indices_array
    with nogil:
        for i in range(size):
            indptr[rows[i] + 1] += 1
        for i in range(count):
            nxt[i] = indptr[i]
            indptr[i + 1] += indptr[i]
        for i in range(size):
            indices[nxt[rows[i]]] = values[i]
            nxt[rows[i]] += 1
    return indptr_array, indices_array


def depths(const int64_t[::1] parent_indptr, const int32_t[::1] parents):
    """Shortest and longest distance from node 0, when parents come before children."""
    cdef Py_ssize_t n = parent_indptr.shape[0] - 1, node, i
    cdef int32_t near, far
    shortest_array = np.zeros(n, dtype=np.int32)
    longest_array = np.zeros(n, dtype=np.int32)
    cdef int32_t[::1] shortest = shortest_array
    cdef int32_t[::1] longest = longest_array
    with nogil:
        for node in range(1, n):
            near = 2147483646
            far = 0
            for i in range(parent_indptr[node], parent_indptr[node + 1]):
                near = min(near, shortest[parents[i]])
                far = max(far, longest[parents[i]])
            shortest[node] = near + 1
            longest[node] = far + 1
    return shortest_array, longest_array


def reach_lists(const int64_t[::1] indptr, const int32_t[::1] indices, const int32_t[::1] labels,
                uint32_t[::1] stamp, uint32_t epoch):
    """For each label, itself and all it reaches, nearest first (breadth-first), with the end of each distance.

    stamp is scratch, one per node, in which no value above epoch occurs; it holds epoch + len(labels) at most
    afterwards. Returns indptr and nodes of the lists, indptr and ends of their levels.
    """
    cdef Py_ssize_t count = labels.shape[0], k
    cdef vector[int32_t] nodes
    cdef vector[int32_t] ends
    cdef size_t start, at, level_end
    cdef int64_t i
    cdef int32_t other
    list_array = np.zeros(count + 1, dtype=np.int64)
    level_array = np.zeros(count + 1, dtype=np.int64)
    cdef int64_t[::1] list_indptr = list_array
    cdef int64_t[::1] level_indptr = level_array
    with nogil:
        for k in range(count):
            epoch += 1
            start = nodes.size()
            at = start
            nodes.push_back(labels[k])
            stamp[labels[k]] = epoch
            while at < nodes.size():
                level_end = nodes.size()
                ends.push_back(<int32_t> (level_end - start))
                while at < level_end:
                    for i in range(indptr[nodes[at]], indptr[nodes[at] + 1]):
                        other = indices[i]
                        if stamp[other] != epoch:
                            stamp[other] = epoch
                            nodes.push_back(other)
                    at += 1
            list_indptr[k + 1] = nodes.size()
            level_indptr[k + 1] = ends.size()
    node_array = np.empty(nodes.size(), dtype=np.int32)
    end_array = np.empty(ends.size(), dtype=np.int32)
    cdef int32_t[::1] view = node_array
    if nodes.size():
        memcpy(&view[0], nodes.data(), nodes.size() * sizeof(int32_t))
        view = end_array
        memcpy(&view[0], ends.data(), ends.size() * sizeof(int32_t))
    return list_array, node_array, level_array, end_array


def address(const int32_t[::1] array):
    """Where the array's data lies, for tables of lists that live in several blocks."""
    return <size_t> &array[0] if array.shape[0] else 0


def lengths_within(const int64_t[::1] level_address, const int32_t[::1] level_count, int32_t distance,
                   int32_t[::1] out):
    """Per list, how many of its entries are at this distance or nearer."""
    cdef Py_ssize_t k
    cdef int32_t level
    for k in range(out.shape[0]):
        level = min(distance, level_count[k] - 1)
        out[k] = (<const int32_t*> level_address[k])[level]
