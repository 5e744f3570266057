// The exact search in one component of the LCA graph: minimum sets of LCAs, then paths, then connectors.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "bits.hpp"
#include "lca_graph.hpp"

namespace branchmark {

// What was chosen on the way to a result: a chain of legs, each with the shared nodes that its path takes.
struct Step {
  int32_t before, leg, taken;
  bool connects;  // step 4(b) asks for it, not 4(a)
};

// A result of one component, and the last steps of both sides.
struct Outcome {
  Counts counts;
  int32_t step[2];
};

// Work left for an instance, and the record of choices if one is kept.
struct SearchState {
  int64_t budget;
  bool tracing;
  std::vector<Step> steps;
  std::vector<std::vector<int32_t>> taken;  // shared nodes of each path that was considered

  bool spend(int64_t work) { return (budget -= work) >= 0; }
};

// A part of the graph that shares no LCA and no path node with the rest, so that it can be solved on its own.
struct Component {
  std::vector<int32_t> classes, legs, bits;  // of the graph; local numbers of bits are positions here
};

// For each possible number of common nodes the fewest nodes, then the fewest predicted ones: all that can be optimal.
class Front {
 public:
  std::vector<Outcome> outcomes;

  void add(const Outcome& outcome) {
    for (Outcome& known : outcomes)
      if (known.counts.common == outcome.counts.common) {
        if (outcome.counts.better_than(known.counts)) known = outcome;
        return;
      }
    outcomes.push_back(outcome);
  }
};

template <class Level, int Words>
class ComponentSearch {
 public:
  ComponentSearch(LcaGraph<Level>& graph, SearchState& state) : graph(graph), state(state) {}

  // False if the budget ran out; the front then holds what was found so far.
  bool run(const Component& part, Front& front) {
    this->front = &front;
    number(part);
    for (size_t i = 0; i < part.legs.size(); ++i)
      if (!list_options(static_cast<int32_t>(i))) return false;
    for (int s : {0, 1}) {
      possible[s] = base[s];
      for (const Option& option : options)
        if (graph.classes[graph.legs[part.legs[option.leg]].label].side == s) possible[s] |= option.mask;
    }
    for (int32_t size = 1;; ++size) {
      found = false;
      chosen = Mask{};
      if (!hit(size, Mask{})) return false;
      if (found) return true;
    }
  }

 private:
  using Mask = Bits<Words>;
  // A path of a leg: which shared nodes it takes. Its other nodes are on no other leg, so only their number counts.
  struct Option {
    Mask mask;
    int32_t unshared, leg, taken;
  };
  // A partly built augmented set: its shared nodes and its size.
  struct Partial {
    Mask mask;
    int32_t size, step;
  };

  LcaGraph<Level>& graph;
  SearchState& state;
  Front* front = nullptr;
  const Component* part = nullptr;
  std::vector<int32_t> local;  // per bit of the graph: its number here
  std::vector<Option> options;
  std::vector<int32_t> option_ends;  // per leg of the component
  std::vector<Mask> candidate_masks;  // per class of the component
  std::vector<std::vector<int32_t>> legs_of;  // per class of the component: its own legs
  std::vector<std::vector<int32_t>> connectors[2];  // per local bit: legs that may connect this LCA
  Mask base[2], possible[2], chosen, lca_mask;
  bool found = false;
  std::vector<Partial> partial, grown, complete[2], connected;
  std::vector<Mask> level_masks, next_masks;
  std::vector<int32_t> level_ends, next_ends;

  void number(const Component& component) {
    part = &component;
    local.assign(graph.bit_nodes.size(), -1);
    base[0] = base[1] = lca_mask = Mask{};
    for (size_t i = 0; i < component.bits.size(); ++i) {
      local[component.bits[i]] = static_cast<int32_t>(i);
      if (component.bits[i] < static_cast<int32_t>(graph.lcas.size())) lca_mask.set(static_cast<int32_t>(i));
      for (int s : {0, 1})
        if (graph.is_label(s, graph.bit_nodes[component.bits[i]])) base[s].set(static_cast<int32_t>(i));
    }
    options.clear();
    option_ends.clear();
    candidate_masks.assign(component.classes.size(), Mask{});
    legs_of.resize(std::max(legs_of.size(), component.classes.size()));
    for (size_t c = 0; c < component.classes.size(); ++c) {
      legs_of[c].clear();
      for (size_t i = 0; i < component.legs.size(); ++i) {
        const Leg& leg = graph.legs[component.legs[i]];
        if (!leg.of_class || leg.label != component.classes[c]) continue;
        legs_of[c].push_back(static_cast<int32_t>(i));
        candidate_masks[c].set(local[leg.lca]);
      }
    }
    for (int s : {0, 1}) {
      connectors[s].resize(std::max(connectors[s].size(), component.bits.size()));
      for (auto& legs : connectors[s]) legs.clear();
    }
    for (size_t i = 0; i < component.legs.size(); ++i) {
      const Leg& leg = graph.legs[component.legs[i]];
      if (leg.connector) connectors[graph.classes[leg.label].side][local[leg.lca]].push_back(static_cast<int32_t>(i));
    }
  }

  // ------------------------------------------------------------------ paths

  // A path that takes more shared nodes is never worse, unless it passes other LCAs, which then lose their connector.
  void keep_path(const Mask& mask, size_t first) {
    for (size_t i = first; i < next_masks.size();) {
      if ((next_masks[i] & lca_mask) == (mask & lca_mask)) {
        if (next_masks[i].contains(mask)) return;
        if (mask.contains(next_masks[i])) {
          next_masks[i] = next_masks.back();
          next_masks.pop_back();
          continue;
        }
      }
      ++i;
    }
    next_masks.push_back(mask);
  }

  // Down the levels of a leg: the sets of shared nodes with which each node can reach the LCA.
  bool list_options(int32_t i) {
    const Leg& leg = graph.legs[part->legs[i]];
    const int32_t top = graph.lcas[leg.lca].node;
    Mask end;
    end.set(local[leg.lca]);
    level_masks.assign(1, end);
    level_ends.assign(1, 1);
    Labels above{&top, 1};
    const int32_t label = graph.classes[leg.label].node;
    const bool any_shared = [&] {
      for (int32_t level = leg.length - 1; !leg.hollow && level > 0; --level)
        for (const int32_t node : graph.level_of(leg, level))
          if (graph.bit_of(node) >= 0) return true;
      return false;
    }();
    for (int32_t level = leg.length - 1; any_shared && level >= 0; --level) {
      const Labels here = level ? graph.level_of(leg, level) : Labels{&label, 1};
      const bool under_dummy = above.nodes[0] == graph.ancestors.dummy();
      next_masks.clear();
      next_ends.clear();
      graph.enter_level(above);
      for (const int32_t node : here) {
        const size_t first = next_masks.size();
        Mask own;
        if (level && graph.bit_of(node) >= 0) own.set(local[graph.bit_of(node)]);
        const auto pass = [&](int32_t position) {
          for (int32_t k = position ? level_ends[position - 1] : 0; k < level_ends[position]; ++k)
            keep_path(level_masks[k] | own, first);
        };
        if (under_dummy) pass(0);
        else
          for (int64_t p = graph.parent_indptr[node]; p < graph.parent_indptr[node + 1]; ++p)
            if (graph.position(graph.parents[p]) >= 0) pass(graph.position(graph.parents[p]));
        if (!state.spend(static_cast<int64_t>(next_masks.size() - first))) return false;
        next_ends.push_back(static_cast<int32_t>(next_masks.size()));
      }
      level_masks.swap(next_masks);
      level_ends.swap(next_ends);
      above = here;
    }
    for (const Mask& mask : level_masks) {
      int32_t taken = -1;
      if (state.tracing) {
        taken = static_cast<int32_t>(state.taken.size());
        state.taken.emplace_back();
        for (size_t b = 0; b < part->bits.size(); ++b)
          if (mask.has(static_cast<int32_t>(b))) state.taken.back().push_back(graph.bit_nodes[part->bits[b]]);
      }
      options.push_back({mask, leg.length ? leg.length - mask.count() : 0, i, taken});
    }
    option_ends.push_back(static_cast<int32_t>(options.size()));
    return true;
  }

  // ------------------------------------------------------------------ minimum sets of LCAs

  // All sets of `left` more LCAs that serve every class; each set is met once, because LCAs tried are then forbidden.
  bool hit(int32_t left, Mask forbidden) {
    if (!state.spend(1)) return false;
    int32_t fewest = -1;
    Mask choice;
    for (const Mask& candidates : candidate_masks) {
      if (!(candidates & chosen).empty()) continue;
      const Mask allowed = candidates.without(forbidden);
      if (fewest < 0 || allowed.count() < fewest) {
        fewest = allowed.count();
        choice = allowed;
      }
    }
    if (fewest < 0) {
      found = true;
      return evaluate();
    }
    if (left == 0) return true;
    const Mask before = chosen;
    for (int32_t b = 0; fewest > 0 && b < static_cast<int32_t>(part->bits.size()); ++b) {
      if (!choice.has(b)) continue;
      chosen.set(b);
      if (!hit(left - 1, forbidden)) return false;
      chosen = before;
      forbidden.set(b);
    }
    return true;
  }

  // ------------------------------------------------------------------ augmented sets

  Partial extended(const Partial& from, const Option& option, bool connects) {
    int32_t step = -1;
    if (state.tracing) {
      step = static_cast<int32_t>(state.steps.size());
      state.steps.push_back({from.step, part->legs[option.leg], option.taken, connects});
    }
    return {from.mask | option.mask, from.size + option.unshared + option.mask.without(from.mask).count(), step};
  }

  // Fewer nodes and more shared ones are never worse among sets that agree on `fixed`.
  bool keep(std::vector<Partial>& list, const Partial& fresh, const Mask& fixed) {
    constexpr size_t comparisons_per_step = 8;
    size_t i = 0;
    while (i < list.size()) {
      if ((list[i].mask & fixed) == (fresh.mask & fixed)) {
        if (list[i].size <= fresh.size && list[i].mask.contains(fresh.mask))
          return state.spend(1 + static_cast<int64_t>(i / comparisons_per_step));
        if (fresh.size <= list[i].size && fresh.mask.contains(list[i].mask)) {
          list[i] = list.back();
          list.pop_back();
          continue;
        }
      }
      ++i;
    }
    list.push_back(fresh);
    return state.spend(1 + static_cast<int64_t>(i / comparisons_per_step));
  }

  bool grow(const std::vector<int32_t>& legs, const Mask& fixed, bool connects) {
    grown.clear();
    for (const Partial& from : partial)
      for (const int32_t leg : legs) {
        if (!chosen.has(local[graph.legs[part->legs[leg]].lca])) continue;
        for (int32_t o = leg ? option_ends[leg - 1] : 0; o < option_ends[leg]; ++o)
          if (!keep(grown, extended(from, options[o], connects), fixed)) return false;
      }
    partial.swap(grown);
    return true;
  }

  // Step 4 for one side: every set worth considering, reduced to the nodes that the other side may share.
  bool augment(int32_t s) {
    partial.assign(1, {base[s], base[s].count(), -1});
    for (size_t c = 0; c < part->classes.size(); ++c)
      if (graph.classes[part->classes[c]].side == s)
        // whether an LCA lies on a path decides whether it gets a connector, so sets must agree on the chosen LCAs
        if (!grow(legs_of[c], chosen, false)) return false;
    complete[s].clear();
    connected.swap(partial);
    for (const Partial& paths : connected) {
      partial.assign(1, paths);
      const Mask missing = chosen.without(paths.mask);
      for (int32_t b = 0; b < static_cast<int32_t>(part->bits.size()); ++b)
        if (missing.has(b))
          if (!grow(connectors[s][b], Mask{}, true)) return false;
      for (Partial whole : partial) {
        whole.mask = whole.mask & possible[1 - s];
        if (!keep(complete[s], whole, Mask{})) return false;
      }
    }
    return true;
  }

  bool evaluate() {
    if (!augment(0) || !augment(1)) return false;
    for (const Partial& truth : complete[0]) {
      if (!state.spend(static_cast<int64_t>(complete[1].size()))) return false;
      for (const Partial& predicted : complete[1])
        front->add({{(truth.mask & predicted.mask).count(), truth.size, predicted.size}, {truth.step, predicted.step}});
    }
    return true;
  }
};

}  // namespace branchmark
