// Algorithm 1 of Kosmopoulos et al. 2014: LCAs that connect most classes first, one path after another. It adds the
// connectors that the printed version forgets. Ties go to shorter paths, then to smaller node numbers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "lca_graph.hpp"

namespace branchmark {

template <class Level>
class LcaGreedy {
 public:
  struct Path {
    int32_t leg;
    bool connects;
    std::vector<int32_t> nodes;  // from the class up
  };
  std::vector<int32_t> best;  // chosen LCAs
  std::vector<Path> paths;

  explicit LcaGreedy(LcaGraph<Level>& graph) : graph(graph) {}

  Counts run() {
    present.resize(graph.ancestors.size + 1);
    paths.clear();
    choose_lcas();
    for (const int32_t lca : best)
      for (size_t i = 0; i < graph.legs.size(); ++i)
        if (graph.legs[i].of_class && graph.legs[i].lca == lca) take(static_cast<int32_t>(i));
    for (const int32_t lca : best)
      for (const int s : {0, 1})
        if (!(present[graph.lcas[lca].node] & side_flag(s))) connect(lca, s);
    Counts counts{0, 0, 0};
    const auto count = [&](int32_t node) {
      counts.truth += present[node] & 1;
      counts.predicted += present[node] >> 1;
      counts.common += present[node] == 3;
      present[node] = 0;
    };
    for (const Path& path : paths) std::for_each(path.nodes.begin(), path.nodes.end(), count);
    return counts;
  }

 private:
  LcaGraph<Level>& graph;
  std::vector<uint8_t> present;  // per node: 1 in the true set, 2 in the predicted set
  std::vector<int32_t> score, next_score, trial, best_trial;

  static uint8_t side_flag(int32_t s) { return s ? 2 : 1; }

  bool satisfied(int32_t without) const {
    return std::all_of(graph.classes.begin(), graph.classes.end(), [&](const LabelClass& c) {
      return std::any_of(graph.candidates.begin() + c.first, graph.candidates.begin() + c.last, [&](const Candidate& x) {
        return x.lca != without && std::find(best.begin(), best.end(), x.lca) != best.end();
      });
    });
  }

  void choose_lcas() {
    std::vector<int32_t> served(graph.lcas.size()), links(graph.lcas.size()), order(graph.lcas.size());
    for (const Candidate& candidate : graph.candidates) {
      ++served[candidate.lca];
      links[candidate.lca] += candidate.up;
    }
    for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int32_t>(i);
    std::sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
      if (served[a] != served[b]) return served[a] > served[b];
      if (links[a] != links[b]) return links[a] < links[b];
      return graph.lcas[a].node < graph.lcas[b].node;
    });
    best.clear();
    for (size_t i = 0; i < order.size() && !satisfied(-1); ++i) best.push_back(order[i]);
    const std::vector<int32_t> taken = best;
    const auto drop_if_redundant = [&](int32_t lca) {
      if (satisfied(lca)) best.erase(std::remove(best.begin(), best.end(), lca), best.end());
    };
    std::for_each(taken.begin(), taken.end(), drop_if_redundant);
    const std::vector<int32_t> left = best;
    std::for_each(left.rbegin(), left.rend(), drop_if_redundant);
  }

  void take(int32_t leg) {
    best_path(leg, trial);
    add({leg, false, trial});
  }

  void add(Path path) {
    for (const int32_t node : path.nodes) present[node] |= side_flag(graph.classes[graph.legs[path.leg].label].side);
    paths.push_back(std::move(path));
  }

  // The connector that adds the fewest nodes.
  void connect(int32_t lca, int32_t s) {
    int32_t chosen = -1, fewest = 0;
    for (size_t i = 0; i < graph.legs.size(); ++i) {
      const Leg& leg = graph.legs[i];
      if (!leg.connector || leg.lca != lca || graph.classes[leg.label].side != s) continue;
      best_path(static_cast<int32_t>(i), trial);
      const int32_t fresh = static_cast<int32_t>(
          std::count_if(trial.begin(), trial.end(), [&](int32_t node) { return !(present[node] & side_flag(s)); }));
      if (chosen < 0 || fresh < fewest) {
        chosen = static_cast<int32_t>(i);
        fewest = fresh;
        best_trial = trial;
      }
    }
    add({chosen, true, best_trial});
  }

  // Of the shortest paths of a leg the one with most nodes in either set so far.
  void best_path(int32_t index, std::vector<int32_t>& path) {
    const Leg& leg = graph.legs[index];
    const int32_t top = graph.lcas[leg.lca].node, label = graph.classes[leg.label].node;
    std::vector<std::vector<int32_t>> upper(leg.length + 1);  // per level and node: the best node one level up
    Labels above{&top, 1};
    score.assign(1, 0);
    for (int32_t level = leg.length - 1; level >= 0; --level) {
      const Labels here = level ? graph.level_of(leg, level) : Labels{&label, 1};
      next_score.clear();
      graph.enter_level(above);
      for (const int32_t node : here) {
        int32_t most = -1, choice = -1;
        const auto pass = [&](int32_t position) {
          if (score[position] < most || (score[position] == most && above.nodes[position] > above.nodes[choice])) return;
          most = score[position];
          choice = position;
        };
        if (above.nodes[0] == graph.ancestors.dummy()) pass(0);
        else
          for (int64_t p = graph.parent_indptr[node]; p < graph.parent_indptr[node + 1]; ++p)
            if (graph.position(graph.parents[p]) >= 0) pass(graph.position(graph.parents[p]));
        next_score.push_back(most + (present[node] != 0));
        upper[level].push_back(choice);
      }
      score.swap(next_score);
      above = here;
    }
    path.assign(1, label);
    for (int32_t level = 0, at = 0; level < leg.length; ++level) {
      at = upper[level][at];
      path.push_back(level + 1 < leg.length ? graph.level_of(leg, level + 1).nodes[at] : top);
    }
  }
};

}  // namespace branchmark
