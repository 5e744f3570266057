// Problem 2 of Kosmopoulos et al. 2014, solved exactly: over all minimum sets A of LCAs and all choices of paths and
// connectors, the augmented sets with the highest F.
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

#include "lca_component.hpp"
#include "lca_graph.hpp"

namespace branchmark {

// The whole search for one instance.
template <class Level>
class LcaSearch {
 public:
  SearchState state;
  bool found;      // a legal result for every component
  Counts counts;   // the best one
  std::vector<Outcome> chosen;  // and its parts, per component

  explicit LcaSearch(LcaGraph<Level>& graph) : graph(graph), small(graph, state), large(graph, state) {}

  // False if the budget ran out before the result was proven to be the best.
  bool run(int64_t budget, bool tracing) {
    state.budget = budget;
    state.tracing = tracing;
    state.steps.clear();
    state.taken.clear();
    split();
    bool proven = true;
    found = true;
    totals.assign(1, {constant_sizes(), -1, {}});
    size_t first = 0;
    for (size_t i = 0; i < component_count; ++i) {
      front.outcomes.clear();
      // a part whose search is cut short must not starve the next ones
      if (state.budget < 0) state.budget = budget / 16;
      const size_t bits = components[i].bits.size();
      if (bits <= 64) proven &= small.run(components[i], front);
      else if (bits <= 512) proven &= large.run(components[i], front);
      else proven = false;
      if (front.outcomes.empty()) return found = false;
      first = combine(first);
    }
    size_t best = first;
    for (size_t i = first; i < totals.size(); ++i)
      if (totals[i].counts.better_than(totals[best].counts)) best = i;
    counts = totals[best].counts;
    chosen.clear();
    for (int32_t at = static_cast<int32_t>(best); totals[at].before >= 0; at = totals[at].before)
      chosen.push_back(totals[at].outcome);
    return proven;
  }

 private:
  struct Total {
    Counts counts;
    int32_t before;
    Outcome outcome;
  };

  LcaGraph<Level>& graph;
  ComponentSearch<Level, 1> small;
  ComponentSearch<Level, 8> large;
  Front front;
  std::vector<Total> totals;
  std::vector<int32_t> leader, component_of;
  std::vector<Component> components;
  size_t component_count = 0;

  int32_t find(int32_t i) {
    while (leader[i] != i) i = leader[i] = leader[leader[i]];
    return i;
  }

  // Classes belong together if they have an LCA candidate in common, or if legs share nodes; so do connectors and
  // whatever they share nodes with. A label that a connector starts from is in its set anyway and joins nothing.
  void split() {
    const int32_t bits = static_cast<int32_t>(graph.bit_nodes.size());
    const int32_t count = bits + static_cast<int32_t>(graph.classes.size());
    leader.resize(count);
    std::iota(leader.begin(), leader.end(), 0);
    const auto join = [&](int32_t a, int32_t b) { leader[find(a)] = find(b); };
    for (size_t i = 0; i < graph.legs.size(); ++i) {
      const Leg& leg = graph.legs[i];
      if (leg.of_class) join(bits + leg.label, leg.lca);
      const size_t end = i + 1 < graph.legs.size() ? graph.legs[i + 1].first_node : graph.inner_nodes.size();
      for (size_t k = leg.first_node; k < end; ++k)
        if (graph.bit_of(graph.inner_nodes[k]) >= 0) join(graph.bit_of(graph.inner_nodes[k]), leg.lca);
    }
    component_of.assign(count, -1);
    component_count = 0;
    const auto component = [&](int32_t i) -> Component& {
      int32_t& index = component_of[find(i)];
      if (index < 0) {
        index = static_cast<int32_t>(component_count++);
        if (components.size() < component_count) components.emplace_back();
        components[index].classes.clear();
        components[index].legs.clear();
        components[index].bits.clear();
      }
      return components[index];
    };
    for (size_t c = 0; c < graph.classes.size(); ++c)
      component(bits + static_cast<int32_t>(c)).classes.push_back(static_cast<int32_t>(c));
    for (int32_t b = 0; b < bits; ++b) component(b).bits.push_back(b);
    for (size_t i = 0; i < graph.legs.size(); ++i)
      component(graph.legs[i].lca).legs.push_back(static_cast<int32_t>(i));
  }

  // Labels that are no shared nodes are in their sets whatever is chosen.
  Counts constant_sizes() const {
    Counts counts{0, static_cast<int32_t>(graph.side[0].size()), static_cast<int32_t>(graph.side[1].size())};
    for (const int32_t node : graph.bit_nodes) {
      counts.truth -= graph.is_label(0, node);
      counts.predicted -= graph.is_label(1, node);
    }
    return counts;
  }

  // Adds the front of a component to all totals so far; returns where the new totals begin.
  size_t combine(size_t first) {
    const size_t last = totals.size();
    for (size_t i = first; i < last; ++i)
      for (const Outcome& outcome : front.outcomes) {
        const Counts sum{totals[i].counts.common + outcome.counts.common,
                         totals[i].counts.truth + outcome.counts.truth,
                         totals[i].counts.predicted + outcome.counts.predicted};
        const Total total{sum, static_cast<int32_t>(i), outcome};
        size_t known = last;
        while (known < totals.size() && totals[known].counts.common != sum.common) ++known;
        if (known == totals.size()) totals.push_back(total);
        else if (sum.better_than(totals[known].counts)) totals[known] = total;
      }
    return last;
  }
};

}  // namespace branchmark
