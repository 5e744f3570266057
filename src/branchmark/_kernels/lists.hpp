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
  void prefetch(const Labels& labels) const {
    for (const int32_t label : labels) {
      const int32_t at = slot[label];
      __builtin_prefetch(reinterpret_cast<const void*>(address[at]));
      __builtin_prefetch(reinterpret_cast<const void*>(level_address[at]));
    }
  }
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

// Value of a node that no label of a side reaches. Sums of two marks must stay apart from it and must not overflow.
template <class Level>
constexpr int32_t unmarked = sizeof(Level) == 1 ? 255 : std::numeric_limits<int32_t>::max() / 4;

constexpr int32_t most_levels_in_a_byte = 120;

}  // namespace branchmark
