# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Costs of going from one class up to a common ancestor and down to another, when links have costs."""
from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t
from libcpp.algorithm cimport sort
from libcpp.functional cimport greater
from libcpp.vector cimport vector

import numpy as np


cdef struct Graph:
    const int32_t* slot
    const int64_t* address
    const int32_t* length
    const int64_t* parent_indptr
    const int32_t* parents
    const double* link_cost


cdef void climb(Graph graph, int32_t label, double* cost, vector[int32_t]& order) noexcept nogil:
    """Cheapest cost from a label to each of its ancestors-or-self, left in cost; order lists them, label first."""
    cdef const int32_t* nodes = <const int32_t*> graph.address[graph.slot[label]]
    cdef int32_t size = graph.length[graph.slot[label]]
    cdef size_t k
    cdef int64_t i
    cdef double through
    order.assign(nodes, nodes + size)
    # parents have smaller ids than their children: going down in ids, a node is final when it is reached
    sort(order.begin(), order.end(), greater[int32_t]())
    for k in range(order.size()):
        cost[order[k]] = INFINITY
    cost[label] = 0
    for k in range(order.size()):
        for i in range(graph.parent_indptr[order[k]], graph.parent_indptr[order[k] + 1]):
            through = cost[order[k]] + graph.link_cost[i]
            if through < cost[graph.parents[i]]:
                cost[graph.parents[i]] = through


def cost_tables(const int32_t[::1] slot, const int64_t[::1] address, const int32_t[::1] length,
                const int64_t[::1] parent_indptr, const int32_t[::1] parents, const double[::1] link_cost,
                double up, double down,
                const int64_t[::1] true_indptr, const int32_t[::1] true,
                const int64_t[::1] pred_indptr, const int32_t[::1] pred,
                const int64_t[::1] table_indptr, double[::1] tables):
    """Per instance a true x predicted matrix: the cheapest way from the true class up and down to the predicted one.

    link_cost is parallel to parents; links upwards count `up` times, links downwards `down` times their cost.
    """
    if tables.shape[0] == 0:
        return
    cdef Graph graph
    graph.slot = &slot[0]
    graph.address = &address[0]
    graph.length = &length[0]
    graph.parent_indptr = &parent_indptr[0]
    graph.parents = &parents[0]
    graph.link_cost = &link_cost[0]
    cdef Py_ssize_t row, n = true_indptr.shape[0] - 1
    cdef int64_t i, j, at
    cdef size_t k
    cdef double best, total
    cdef vector[int32_t] above_true, above_pred
    from_true_array = np.full(slot.shape[0], np.inf)
    from_pred_array = np.full(slot.shape[0], np.inf)
    cdef double[::1] from_true = from_true_array
    cdef double[::1] from_pred = from_pred_array
    with nogil:
        for row in range(n):
            at = table_indptr[row]
            for i in range(true_indptr[row], true_indptr[row + 1]):
                climb(graph, true[i], &from_true[0], above_true)
                for j in range(pred_indptr[row], pred_indptr[row + 1]):
                    climb(graph, pred[j], &from_pred[0], above_pred)
                    best = INFINITY
                    for k in range(above_pred.size()):
                        total = up * from_true[above_pred[k]] + down * from_pred[above_pred[k]]
                        if total < best:
                            best = total
                    tables[at] = best
                    at += 1
                for k in range(above_true.size()):
                    from_true[above_true[k]] = INFINITY
