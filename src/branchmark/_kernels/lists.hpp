// Ancestor lists as `branchmark.closures.Reach` lays them out, and what kernels read from them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace branchmark {

// A class and its ancestors, nearest first: those `up` links away end at ends[up].
struct List {
  const int32_t* nodes;
  const int32_t* ends;
  int32_t levels;

  int32_t begin(int32_t up) const { return up ? ends[up - 1] : 0; }
  int32_t length() const { return levels ? ends[levels - 1] : 0; }
};

struct Labels {
  const int32_t* nodes;
  int32_t count;

  const int32_t* begin() const { return nodes; }
  const int32_t* end() const { return nodes + count; }
  bool operator==(const Labels& other) const {
    return count == other.count && std::equal(begin(), end(), other.begin());
  }
};

inline int32_t count_shared(const Labels& left, const Labels& right) {
  int32_t shared = 0;
  for (int32_t i = 0, j = 0; i < left.count && j < right.count;) {
    shared += left.nodes[i] == right.nodes[j];
    const bool advance_left = left.nodes[i] <= right.nodes[j];
    j += right.nodes[j] <= left.nodes[i];
    i += advance_left;
  }
  return shared;
}

// With max_path = t only ancestors fewer than t links away count, and every class has one more ancestor, the dummy,
// t links above it, or one link above the root where that is nearer. max_path = 0 stands for no limit.
struct Ancestors {
  const int32_t* slot;
  const int64_t* address;
  const int32_t* length;
  const int64_t* level_address;
  const int32_t* level_count;
  const int32_t* depth;
  int32_t size;
  int32_t max_path;

  List unlimited(int32_t node) const {
    const int32_t at = slot[node];
    return {reinterpret_cast<const int32_t*>(address[at]), reinterpret_cast<const int32_t*>(level_address[at]),
            level_count[at]};
  }
  List of(int32_t node) const {
    List list = unlimited(node);
    if (max_path) list.levels = std::min(list.levels, max_path);
    return list;
  }
  int32_t dummy() const { return size; }
  int32_t up_to_dummy(int32_t node) const { return std::min(max_path, depth[node] + 1); }
};

// Two ragged arrays, row by row: the labels of each instance.
struct Instances {
  const int64_t* true_indptr;
  const int32_t* true_labels;
  const int64_t* pred_indptr;
  const int32_t* pred_labels;
  int64_t count;

  Labels truth(int64_t row) const {
    return {true_labels + true_indptr[row], static_cast<int32_t>(true_indptr[row + 1] - true_indptr[row])};
  }
  Labels predicted(int64_t row) const {
    return {pred_labels + pred_indptr[row], static_cast<int32_t>(pred_indptr[row + 1] - pred_indptr[row])};
  }
};

// Lists lie anywhere in memory, and finding one takes three loads that depend on each other. Asking for each of them
// some rows ahead hides most of the wait.
inline void look_ahead(const Ancestors& ancestors, const Instances& instances, int64_t row,
                       const uint8_t* is_leaf = nullptr) {
  constexpr int64_t slots = 6, entries = 4, lists = 2;
  constexpr int32_t line = 16, most_lines = 6;
  const auto for_labels = [&](int64_t ahead, const auto& request) {
    if (row + ahead >= instances.count) return;
    for (const int32_t label : instances.truth(row + ahead)) request(label);
    for (const int32_t label : instances.predicted(row + ahead)) request(label);
  };
  for_labels(slots, [&](int32_t label) {
    __builtin_prefetch(ancestors.slot + label);
    if (is_leaf) __builtin_prefetch(is_leaf + label);
  });
  for_labels(entries, [&](int32_t label) {
    const int32_t at = ancestors.slot[label];
    __builtin_prefetch(ancestors.address + at);
    __builtin_prefetch(ancestors.level_address + at);
    __builtin_prefetch(ancestors.level_count + at);
    __builtin_prefetch(ancestors.length + at);
  });
  for_labels(lists, [&](int32_t label) {
    const List list = ancestors.unlimited(label);
    __builtin_prefetch(list.ends);
    const int32_t lines = std::min(most_lines, ancestors.length[ancestors.slot[label]] / line + 1);
    for (int32_t i = 0; i < lines; ++i) __builtin_prefetch(list.nodes + i * line);
  });
}

// Marks hold the number of links to a node; `unmarked` stands for "none", above every distance between two labels.
// One more bit is free for a flag.
template <class Level>
constexpr int32_t unmarked = sizeof(Level) == 1 ? 0x7f : 0x0fffffff;
template <class Level>
constexpr int32_t flagged = unmarked<Level> + 1;

constexpr int32_t most_levels_in_a_byte = 60;

}  // namespace branchmark
