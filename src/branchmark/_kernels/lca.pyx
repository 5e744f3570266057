# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""LCA precision, recall and F per instance, with the sizes of ancestor sets, which the same marks give.

Ancestor lists come as in `branchmark.closures.Reach`, label sets as compressed rows; `max_path` 0 is no limit.
"""
from libc.stdint cimport int32_t, int64_t, uint8_t
from libcpp cimport bool as cpp_bool
from libcpp.vector cimport vector

from branchmark._kernels.lists cimport (
    Ancestors,
    Instances,
    Labels,
    ancestors_of,
    instances_of,
    labels_of,
    most,
)


cdef extern from "lca.hpp" namespace "branchmark" nogil:
    cdef struct Counts:
        int32_t common
        int32_t truth
        int32_t predicted

    cdef struct Hierarchy:
        Ancestors ancestors
        const int64_t* parent_indptr
        const int32_t* parents
        const uint8_t* is_leaf

    cdef struct LcaColumns:
        int32_t* common
        int32_t* truth
        int32_t* predicted
        uint8_t* unproven
        int32_t* set_common
        int32_t* set_truth
        int32_t* set_predicted

    cdef cppclass ChosenPath:
        int32_t side
        int32_t label
        int32_t lca
        cpp_bool connects
        vector[int32_t] through
        vector[int32_t] avoided

    cdef cppclass ChosenGraph:
        cpp_bool proven
        Counts counts
        vector[ChosenPath] paths

    void c_lca_rows "branchmark::lca_rows"(const Hierarchy&, const Instances&, int32_t, cpp_bool, int64_t,
                                           const LcaColumns&) except +
    ChosenGraph explain_lca(const Hierarchy&, const Labels&, const Labels&, cpp_bool, int64_t) except +


cdef inline int32_t* output(int32_t[::1] view) noexcept nogil:
    return &view[0] if view.shape[0] else NULL


def lca_rows(const int32_t[::1] slot, const int64_t[::1] address, const int32_t[::1] length,
             const int64_t[::1] level_address, const int32_t[::1] level_count, const int32_t[::1] depth,
             const int64_t[::1] parent_indptr, const int32_t[::1] parents, const uint8_t[::1] is_leaf,
             const int64_t[::1] true_indptr, const int32_t[::1] true,
             const int64_t[::1] pred_indptr, const int32_t[::1] pred,
             int32_t max_path, bint greedy, int64_t budget,
             int32_t[::1] common_out, int32_t[::1] true_out, int32_t[::1] pred_out, uint8_t[::1] unproven_out,
             int32_t[::1] set_common_out, int32_t[::1] set_true_out, int32_t[::1] set_pred_out):
    """Sizes of augmented sets; outputs that are not wanted, all four of the LCA or all three of the sets, are empty."""
    cdef Hierarchy hierarchy
    hierarchy.ancestors = ancestors_of(slot, address, length, level_address, level_count, depth, max_path)
    hierarchy.parent_indptr = &parent_indptr[0]
    hierarchy.parents = &parents[0] if parents.shape[0] else NULL
    hierarchy.is_leaf = &is_leaf[0]
    cdef Instances instances = instances_of(true_indptr, true, pred_indptr, pred)
    cdef LcaColumns out
    out.common = output(common_out)
    out.truth = output(true_out)
    out.predicted = output(pred_out)
    out.unproven = &unproven_out[0] if unproven_out.shape[0] else NULL
    out.set_common = output(set_common_out)
    out.set_truth = output(set_true_out)
    out.set_predicted = output(set_pred_out)
    with nogil:
        c_lca_rows(hierarchy, instances, most(level_count), greedy, budget, out)


def explain(const int32_t[::1] slot, const int64_t[::1] address, const int32_t[::1] length,
            const int64_t[::1] level_address, const int32_t[::1] level_count, const int32_t[::1] depth,
            const int64_t[::1] parent_indptr, const int32_t[::1] parents, const uint8_t[::1] is_leaf,
            const int32_t[::1] true, const int32_t[::1] pred, int32_t max_path, bint greedy, int64_t budget):
    """The choice behind one instance: (proven, counts, paths).

    A path is (side, class, lca, whether it is a connector, shared nodes it takes, shared nodes it avoids).
    """
    cdef Hierarchy hierarchy
    hierarchy.ancestors = ancestors_of(slot, address, length, level_address, level_count, depth, max_path)
    hierarchy.parent_indptr = &parent_indptr[0]
    hierarchy.parents = &parents[0] if parents.shape[0] else NULL
    hierarchy.is_leaf = &is_leaf[0]
    cdef ChosenGraph graph = explain_lca(hierarchy, labels_of(true), labels_of(pred), greedy, budget)
    cdef size_t i
    paths = []
    for i in range(graph.paths.size()):
        paths.append((graph.paths[i].side, graph.paths[i].label, graph.paths[i].lca, graph.paths[i].connects,
                      list(graph.paths[i].through), list(graph.paths[i].avoided)))
    return graph.proven, (graph.counts.common, graph.counts.truth, graph.counts.predicted), paths
