// The graph in which LCA precision and recall are sought for one instance: classes, their lowest common ancestors
// with the other side, and the shortest paths ("legs") between them. Kosmopoulos et al. 2014, section 2.4.2.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "lists.hpp"

namespace branchmark {

struct Counts {
  int32_t common, truth, predicted;  // |Y' ∩ Q'|, |Y'|, |Q'|

  // Higher F, then fewer nodes, then higher precision.
  bool better_than(const Counts& other) const {
    const int64_t mine = int64_t(common) * (other.truth + other.predicted);
    const int64_t theirs = int64_t(other.common) * (truth + predicted);
    if (mine != theirs) return mine > theirs;
    if (truth + predicted != other.truth + other.predicted) return truth + predicted < other.truth + other.predicted;
    return predicted < other.predicted;
  }
};

struct Candidate {
  int32_t lca, up;
};

struct LabelClass {
  int32_t node, side, first, last;  // its candidates are [first, last)
  bool connects;                    // one of its legs may be a connector
};

struct Lca {
  int32_t node;
  bool reached[2];  // some class of the side has no way around it, so it needs no connector there
  bool wanted[2];   // candidate of a class of the side
};

// All shortest paths from a class up to an LCA. Inner nodes are stored level by level, the highest level first.
struct Leg {
  int32_t label, lca, length;
  bool of_class;   // the LCA is a candidate of the class: step 4(a)
  bool connector;  // the leg may connect an LCA that no chosen path meets: step 4(b)
  bool hollow;     // no inner node can matter to another leg, so none is stored
  int32_t first_node, first_end;  // of its inner nodes, and of the ends of its length - 1 levels
};

template <class Level>
class LcaGraph {
 public:
  const Ancestors& ancestors;
  const int64_t* parent_indptr;
  const int32_t* parents;

  std::vector<int32_t> side[2];  // Y and Q: the most specific labels
  std::vector<LabelClass> classes;
  std::vector<Candidate> candidates;
  std::vector<Lca> lcas;
  std::vector<Leg> legs;
  std::vector<int32_t> inner_nodes, inner_ends;
  std::vector<int32_t> bit_nodes;  // nodes that matter to more than one leg; the LCAs come first
  Counts overlap;                  // of the sets with all ancestors, the root (or the dummy) counted once

  LcaGraph(const Ancestors& ancestors, const int64_t* parent_indptr, const int32_t* parents, const uint8_t* is_leaf)
      : ancestors(ancestors), parent_indptr(parent_indptr), parents(parents), is_leaf(is_leaf) {
    marks.assign(2 * (static_cast<size_t>(ancestors.size) + 1), static_cast<Level>(unmarked<Level>));
    bit.assign(ancestors.size + 1, none);
    stamp.assign(ancestors.size + 1, 0);
  }

  // Steps 1 and 2 up to the marks of both sides; undone by clear().
  void open(const Labels& truth, const Labels& predicted) {
    most_specific(truth, side[0]);
    most_specific(predicted, side[1]);
    overlap = {0, 0, 0};
    overlap.truth = mark(0);
    overlap.predicted = mark(1);
    if (ancestors.max_path) overlap = limited_overlap(truth, predicted);
  }

  void clear() {
    for (const int s : {0, 1}) {
      for (const int32_t label : side[s]) {
        const List list = ancestors.of(label);
        Level* const own = marks.data() + s;
        for (int32_t at = 0, end = list.length(); at < end; ++at)
          own[2 * static_cast<size_t>(list.nodes[at])] = static_cast<Level>(unmarked<Level>);
      }
      mark_of(s, ancestors.dummy()) = static_cast<Level>(unmarked<Level>);
    }
    for (const Lca& lca : lcas) bit[lca.node] = none;
    for (const int32_t node : inner_nodes) bit[node] = none;
    classes.clear();
    candidates.clear();
    lcas.clear();
    legs.clear();
    inner_nodes.clear();
    inner_ends.clear();
    bit_nodes.clear();
  }

  // One class a side: no choice can change F, and no node but the LCA can be shared.
  Counts single_pair() {
    const List list = ancestors.of(side[1][0]);
    Counts best{1, 0, 0};
    int32_t least = unmarked<Level> * 2;
    const auto consider = [&](int32_t own, int32_t other) {
      if (own + other < least || (own + other == least && own + 1 < best.predicted)) {
        least = own + other;
        best = {1, other + 1, own + 1};
      }
    };
    int32_t at = 0;
    for (int32_t above = 0; above < list.levels && above <= least; ++above)
      for (const int32_t end = list.ends[above]; at < end; ++at) consider(above, up_of(0, list.nodes[at]));
    if (ancestors.max_path) consider(ancestors.up_to_dummy(side[1][0]), up_of(0, ancestors.dummy()));
    return best;
  }

  // Steps 2 to 4: candidates and legs. True if no choice is left and no leg shares an inner node with another.
  // `complete` stores the inner nodes of every leg, also where they cannot matter to the search.
  bool build(bool complete) {
    for (const int s : {0, 1})
      for (const int32_t label : side[s]) add_class(label, s);
    for (const Lca& lca : lcas) bit_nodes.push_back(lca.node);
    bool simple = true;
    for (size_t label = 0; label < classes.size(); ++label) {
      simple &= classes[label].last - classes[label].first == 1;
      for (int32_t i = classes[label].first; i < classes[label].last; ++i) {
        const bool connector = may_need_connector(candidates[i].lca, classes[label].side);
        add_leg(static_cast<int32_t>(label), candidates[i].lca, candidates[i].up, true, connector);
      }
    }
    for (const int s : {0, 1}) add_connectors(s);
    for (size_t i = 0; i < legs.size(); ++i) simple &= find_inner_nodes(i, complete);
    return simple;
  }

  // Completes what build() left out.
  void store_all_paths() {
    for (const int32_t node : inner_nodes) bit[node] = none;
    inner_nodes.clear();
    inner_ends.clear();
    bit_nodes.resize(lcas.size());
    for (size_t i = 0; i < lcas.size(); ++i) bit[lcas[i].node] = static_cast<int32_t>(i);
    for (size_t i = 0; i < legs.size(); ++i) find_inner_nodes(i, true);
  }

  // The result when build() found nothing to choose: A is all LCAs, every other node is on one leg only.
  Counts counted() const {
    int32_t size[2] = {static_cast<int32_t>(side[0].size()), static_cast<int32_t>(side[1].size())};
    for (const Leg& leg : legs)
      if (leg.of_class && leg.length > 1) size[classes[leg.label].side] += leg.length - 1;
    for (const Lca& lca : lcas)
      for (const int s : {0, 1}) {
        if (up_of(s, lca.node) == 0) continue;
        size[s] += lca.reached[s] ? 1 : up_of(s, lca.node);
      }
    return {static_cast<int32_t>(lcas.size()), size[0], size[1]};
  }

  // Index of a node among bit_nodes, or a negative number if it matters to one leg at most.
  int32_t bit_of(int32_t node) const { return bit[node]; }
  bool is_label(int32_t s, int32_t node) const { return up_of(s, node) == 0; }

  // Nodes of one level of a leg, 0 < level < length.
  Labels level_of(const Leg& leg, int32_t level) const {
    const int32_t row = leg.length - 1 - level;
    const int32_t* ends = inner_ends.data() + leg.first_end;
    const int32_t first = row ? ends[row - 1] : leg.first_node;
    return {inner_nodes.data() + first, ends[row] - first};
  }

  // Numbers the nodes of a level so that position() finds them until the next call.
  void enter_level(const Labels& nodes) {
    advance_epoch(level_size);
    level_size = nodes.count;
    for (int32_t i = 0; i < nodes.count; ++i) stamp[nodes.nodes[i]] = epoch + i;
  }
  int32_t position(int32_t node) const {
    const uint32_t at = stamp[node] - epoch;
    return at < static_cast<uint32_t>(level_size) ? static_cast<int32_t>(at) : -1;
  }

 private:
  static constexpr int32_t root = 0;
  // states of a node below 0; seen_by - owner: only legs of this owner pass it, and at most one of them counts
  static constexpr int32_t none = -1, tagged = -2, seen_by = -3;

  const uint8_t* is_leaf;
  std::vector<Level> marks;     // per node and side: fewest links from a class, flagged if several classes reach it
  std::vector<int32_t> bit;     // per node: see bit_of
  std::vector<uint32_t> stamp;  // per node: epoch + position in the level entered last
  uint32_t epoch = 1;
  int32_t level_size = 0;

  Level& mark_of(int32_t s, int32_t node) { return marks[2 * static_cast<size_t>(node) + s]; }
  Level mark_of(int32_t s, int32_t node) const { return marks[2 * static_cast<size_t>(node) + s]; }
  int32_t up_of(int32_t s, int32_t node) const { return mark_of(s, node) & unmarked<Level>; }
  // Reached by a class of the other side, or by several of its own.
  bool contested(int32_t s, int32_t node) const {
    return (mark_of(s, node) & flagged<Level>) || mark_of(1 - s, node) != unmarked<Level>;
  }

  void advance_epoch(int32_t by) {
    if (epoch > std::numeric_limits<uint32_t>::max() / 2) {
      std::fill(stamp.begin(), stamp.end(), 0);
      epoch = 1;
    }
    epoch += by;
  }

  // Step 1: labels without a descendant among the labels.
  void most_specific(const Labels& labels, std::vector<int32_t>& kept) {
    kept.assign(labels.begin(), labels.end());
    int32_t inner = 0;
    for (const int32_t label : labels) inner += !is_leaf[label];
    if (inner == 0 || labels.count == 1) return;
    for (const int32_t label : labels) bit[label] = tagged;
    for (const int32_t label : labels) {
      const List list = ancestors.unlimited(label);
      for (int32_t at = 1; at < list.length(); ++at) bit[list.nodes[at]] = none;
    }
    kept.erase(std::remove_if(kept.begin(), kept.end(), [&](int32_t label) { return bit[label] != tagged; }),
               kept.end());
    for (const int32_t label : labels) bit[label] = none;
  }

  int32_t mark(int32_t s) {
    int32_t size = 0, common = 0;
    // Marks are bytes, which may alias anything: loops keep what they need in local variables.
    Level* const all = marks.data();
    for (const int32_t label : side[s]) {
      const List list = ancestors.of(label);
      int32_t at = 0;
      for (int32_t above = 0; above < list.levels; ++above)
        for (const int32_t end = list.ends[above]; at < end; ++at) {
          Level* const pair = all + 2 * static_cast<size_t>(list.nodes[at]);
          const int32_t before = pair[s] & unmarked<Level>;
          const bool fresh = before == unmarked<Level>;
          size += fresh;
          common += fresh & (pair[1 - s] != unmarked<Level>);
          pair[s] = static_cast<Level>(std::min(before, above) | (fresh ? 0 : flagged<Level>));
        }
      if (ancestors.max_path) {
        Level& dummy = mark_of(s, ancestors.dummy());
        dummy = std::min(dummy, static_cast<Level>(ancestors.up_to_dummy(label)));
      }
    }
    overlap.common += common;
    return size;
  }

  // Within a threshold, labels that step 1 drops may lie beyond the reach of those it keeps. Every label reaches the
  // dummy, which also stands for the root.
  Counts limited_overlap(const Labels& truth, const Labels& predicted) {
    Counts sizes{truth.count && predicted.count, truth.count > 0, predicted.count > 0};
    advance_epoch(level_size);
    level_size = 3;
    const uint32_t in_truth = epoch, in_both = epoch + 1, in_predicted = epoch + 2;
    for (const int32_t label : truth) {
      const List list = ancestors.of(label);
      for (int32_t at = 0; at < list.length(); ++at) {
        uint32_t& seen = stamp[list.nodes[at]];
        sizes.truth += list.nodes[at] != root && seen != in_truth;
        seen = in_truth;
      }
    }
    for (const int32_t label : predicted) {
      const List list = ancestors.of(label);
      for (int32_t at = 0; at < list.length(); ++at) {
        uint32_t& seen = stamp[list.nodes[at]];
        if (list.nodes[at] == root || seen == in_both || seen == in_predicted) continue;
        ++sizes.predicted;
        sizes.common += seen == in_truth;
        seen = seen == in_truth ? in_both : in_predicted;
      }
    }
    return sizes;
  }

  // Step 2 for one class: the marks of the other side give S_best and LCA(n, S) in one scan.
  void add_class(int32_t label, int32_t s) {
    const List list = ancestors.of(label);
    const int32_t first = static_cast<int32_t>(candidates.size());
    int32_t best = unmarked<Level> * 2;
    const auto consider = [&](int32_t node, int32_t above) {
      const int32_t sum = above + up_of(1 - s, node);
      if (sum > best) return;
      if (sum < best) candidates.resize(first);
      best = sum;
      candidates.push_back({node, above});
    };
    const Level* const other = marks.data() + 1 - s;
    int32_t at = 0;
    for (int32_t above = 0; above < list.levels && above <= best; ++above)
      for (const int32_t end = list.ends[above]; at < end; ++at)
        if (above + (other[2 * static_cast<size_t>(list.nodes[at])] & unmarked<Level>) <= best)
          consider(list.nodes[at], above);
    if (ancestors.max_path) consider(ancestors.dummy(), ancestors.up_to_dummy(label));
    const int32_t last = static_cast<int32_t>(candidates.size());
    for (int32_t i = first; i < last; ++i) {
      const int32_t node = candidates[i].lca;
      if (bit[node] < 0) {
        bit[node] = static_cast<int32_t>(lcas.size());
        lcas.push_back({node, {is_label(0, node), is_label(1, node)}, {false, false}});
      }
      Lca& lca = lcas[bit[node]];
      lca.wanted[s] = true;
      lca.reached[s] |= last - first == 1;
      candidates[i].lca = bit[node];
    }
    classes.push_back({label, s, first, last, false});
  }

  // Every LCA of a minimum A is the only one of some class; if that class is of this side, its path meets the LCA.
  bool may_need_connector(int32_t lca, int32_t s) const { return lcas[lca].wanted[1 - s] && !lcas[lca].reached[s]; }

  // Connectors of step 4(b) that are not candidates of their own class: they start where S_best of the other side lies.
  void add_connectors(int32_t s) {
    int32_t highest = -1;
    for (const Lca& lca : lcas)
      if (may_need_connector(bit[lca.node], s)) highest = std::max(highest, up_of(s, lca.node));
    if (highest < 0) return;
    for (size_t label = 0; label < classes.size(); ++label) {
      if (classes[label].side != s) continue;
      const auto consider = [&](int32_t node, int32_t above) {
        const int32_t index = bit[node];
        if (index < 0 || index >= static_cast<int32_t>(lcas.size()) || above != up_of(s, node)) return;
        if (!may_need_connector(index, s)) return;
        for (int32_t i = classes[label].first; i < classes[label].last; ++i)
          if (candidates[i].lca == index) return;
        add_leg(static_cast<int32_t>(label), index, above, false, true);
      };
      const List list = ancestors.of(classes[label].node);
      int32_t at = 0;
      for (int32_t above = 0; above < list.levels && above <= highest; ++above)
        for (const int32_t end = list.ends[above]; at < end; ++at) consider(list.nodes[at], above);
      if (ancestors.max_path) consider(ancestors.dummy(), ancestors.up_to_dummy(classes[label].node));
    }
  }

  void add_leg(int32_t label, int32_t lca, int32_t length, bool of_class, bool connector) {
    legs.push_back({label, lca, length, of_class, connector, false, 0, 0});
    classes[label].connects |= connector;
  }

  // A node that only one class reaches matters to others of its legs at most, and only if one may be a connector.
  bool may_share(const Leg& leg) const {
    const LabelClass& label = classes[leg.label];
    if (label.connects) return true;
    const List list = ancestors.of(label.node);
    const int32_t end = leg.length > 1 ? list.ends[std::min(leg.length, list.levels) - 1] : 1;
    for (int32_t at = 1; at < end; ++at)
      if (contested(label.side, list.nodes[at])) return true;
    return false;
  }

  // True if the leg shares no inner node with the legs before it, nor passes an LCA or a label.
  bool find_inner_nodes(size_t index, bool complete) {
    Leg& leg = legs[index];
    leg.first_node = static_cast<int32_t>(inner_nodes.size());
    leg.first_end = static_cast<int32_t>(inner_ends.size());
    leg.hollow = leg.length < 2 || !(complete || may_share(leg));
    if (leg.hollow) return true;
    collect_inner_nodes(leg);
    // a class takes one of its own legs, so they do not share nodes among themselves unless one may be a connector
    const size_t owner = leg.connector ? classes.size() + index : leg.label;
    const int32_t seen = seen_by - static_cast<int32_t>(owner);
    bool alone = true;
    for (size_t i = leg.first_node; i < inner_nodes.size(); ++i) {
      int32_t& state = bit[inner_nodes[i]];
      if (state >= 0) {
        alone = false;
      } else if ((state != none && state != seen) || is_label(0, inner_nodes[i]) || is_label(1, inner_nodes[i])) {
        state = static_cast<int32_t>(bit_nodes.size());
        bit_nodes.push_back(inner_nodes[i]);
        alone = false;
      } else {
        state = seen;
      }
    }
    return alone;
  }

  // Down the levels of the class's own list: a node is on a shortest path if a parent one level higher is.
  void collect_inner_nodes(const Leg& leg) {
    const List list = ancestors.of(classes[leg.label].node);
    const int32_t top = lcas[leg.lca].node;
    int32_t level = leg.length - 1;
    Labels above{&top, 1};
    if (top == ancestors.dummy()) {
      if (leg.length == ancestors.max_path)
        inner_nodes.insert(inner_nodes.end(), list.nodes + list.begin(level), list.nodes + list.ends[level]);
      else
        inner_nodes.push_back(root);
      inner_ends.push_back(static_cast<int32_t>(inner_nodes.size()));
      above = level_of(leg, level);
      --level;
    }
    for (; level > 0; --level) {
      enter_level(above);
      const uint32_t* const stamps = stamp.data();
      const uint32_t first = epoch, count = level_size;
      for (int32_t at = list.begin(level), end = list.ends[level]; at < end; ++at) {
        const int32_t node = list.nodes[at];
        const int32_t* parent = parents + parent_indptr[node];
        const int32_t* const last = parents + parent_indptr[node + 1];
        while (parent != last && stamps[*parent] - first >= count) ++parent;
        if (parent != last) inner_nodes.push_back(node);
      }
      inner_ends.push_back(static_cast<int32_t>(inner_nodes.size()));
      above = level_of(leg, level);
    }
  }
};

}  // namespace branchmark
