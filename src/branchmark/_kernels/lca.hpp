// LCA precision, recall and F of many instances, and the graphs of one.
#pragma once

#include <cstdint>
#include <vector>

#include "lca_graph.hpp"
#include "lca_greedy.hpp"
#include "lca_search.hpp"

namespace branchmark {

struct Hierarchy {
  Ancestors ancestors;
  const int64_t* parent_indptr;
  const int32_t* parents;
  const uint8_t* is_leaf;
};

// Per instance; set_* may be null.
struct LcaColumns {
  int32_t *common, *truth, *predicted;              // of the augmented sets of the LCA measures
  uint8_t* unproven;                                // 1 where the budget ended before the optimum was proven
  int32_t *set_common, *set_truth, *set_predicted;  // of the sets with all ancestors and the root
};

template <class Level>
class LcaSolver {
 public:
  explicit LcaSolver(const Hierarchy& h)
      : graph(h.ancestors, h.parent_indptr, h.parents, h.is_leaf), search(graph), greedy(graph) {}

  LcaGraph<Level> graph;
  LcaSearch<Level> search;
  LcaGreedy<Level> greedy;
  bool used_greedy = false;

  // Needs an open graph; true if the counts are proven to be the optimum. Greedy counts are as asked for.
  bool solve(bool only_greedy, int64_t budget, Counts& counts) {
    const auto& truth = graph.side[0];
    const auto& predicted = graph.side[1];
    counts = {0, static_cast<int32_t>(truth.size()), static_cast<int32_t>(predicted.size())};
    if (truth.empty() || predicted.empty()) return true;
    if (truth == predicted) {
      counts.common = counts.truth;
      return true;
    }
    if (truth.size() == 1 && predicted.size() == 1 && !only_greedy) {
      counts = graph.single_pair();
      return true;
    }
    if (graph.build(only_greedy)) {
      counts = graph.counted();
      return true;
    }
    return decide(only_greedy, budget, false, counts);
  }

  bool decide(bool only_greedy, int64_t budget, bool tracing, Counts& counts) {
    used_greedy = only_greedy;
    if (only_greedy) {
      counts = greedy.run();
      return true;
    }
    const bool proven = search.run(budget, tracing);
    // Algorithm 1 may take more LCAs than needed and then exceed the optimum, so a legal result goes before it.
    used_greedy = !search.found;
    if (search.found) {
      counts = search.counts;
    } else {
      graph.store_all_paths();
      counts = greedy.run();
    }
    return proven;
  }
};

template <class Level>
void lca_rows_with(const Hierarchy& hierarchy, const Instances& instances, bool only_greedy, int64_t budget,
                   const LcaColumns& out) {
  LcaSolver<Level> solver(hierarchy);
  for (int64_t row = 0; row < instances.count; ++row) {
    look_ahead(hierarchy.ancestors, instances, row, hierarchy.is_leaf);
    solver.graph.open(instances.truth(row), instances.predicted(row));
    if (out.set_common) {
      out.set_common[row] = solver.graph.overlap.common;
      out.set_truth[row] = solver.graph.overlap.truth;
      out.set_predicted[row] = solver.graph.overlap.predicted;
    }
    if (out.common) {
      Counts counts;
      out.unproven[row] = !solver.solve(only_greedy, budget, counts);
      out.common[row] = counts.common;
      out.truth[row] = counts.truth;
      out.predicted[row] = counts.predicted;
    }
    solver.graph.clear();
  }
}

inline void lca_rows(const Hierarchy& hierarchy, const Instances& instances, int32_t most_levels, bool only_greedy,
                     int64_t budget, const LcaColumns& out) {
  if (most_levels <= most_levels_in_a_byte)
    lca_rows_with<uint8_t>(hierarchy, instances, only_greedy, budget, out);
  else
    lca_rows_with<int32_t>(hierarchy, instances, only_greedy, budget, out);
}

// A path of the result of one instance: where it starts and ends, and shared nodes it takes and avoids.
struct ChosenPath {
  int32_t side, label, lca;
  bool connects;
  std::vector<int32_t> through, avoided;
};

struct ChosenGraph {
  bool proven;
  Counts counts;
  std::vector<ChosenPath> paths;
};

inline ChosenGraph explain_lca(const Hierarchy& hierarchy, const Labels& truth, const Labels& predicted,
                               bool only_greedy, int64_t budget) {
  LcaSolver<int32_t> solver(hierarchy);
  LcaGraph<int32_t>& graph = solver.graph;
  ChosenGraph result;
  graph.open(truth, predicted);
  result.counts = {0, static_cast<int32_t>(graph.side[0].size()), static_cast<int32_t>(graph.side[1].size())};
  result.proven = true;
  if (graph.side[0].empty() || graph.side[1].empty()) return result;
  graph.build(true);
  result.proven = solver.decide(only_greedy, budget, true, result.counts);
  const auto add = [&](int32_t index, bool connects, std::vector<int32_t> through) {
    const Leg& leg = graph.legs[index];
    ChosenPath path{graph.classes[leg.label].side, graph.classes[leg.label].node, graph.lcas[leg.lca].node,
                    connects, std::move(through), {}};
    for (int32_t level = 1; level < leg.length; ++level)
      for (const int32_t node : graph.level_of(leg, level))
        if (graph.bit_of(node) >= 0 && std::find(path.through.begin(), path.through.end(), node) == path.through.end())
          path.avoided.push_back(node);
    result.paths.push_back(std::move(path));
  };
  if (solver.used_greedy)
    for (const auto& path : solver.greedy.paths) add(path.leg, path.connects, path.nodes);
  else
    for (const Outcome& outcome : solver.search.chosen)
      for (const int32_t last : outcome.step)
        for (int32_t at = last; at >= 0; at = solver.search.state.steps[at].before) {
          const Step& step = solver.search.state.steps[at];
          add(step.leg, step.connects, solver.search.state.taken[step.taken]);
        }
  return result;
}

}  // namespace branchmark
