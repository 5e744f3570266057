// Distances between the labels of an instance, and what pairing them costs.
#pragma once

#include <cstdint>
#include <vector>

#include "assignment.hpp"
#include "lists.hpp"

namespace branchmark {

// Distances between two label sets: mark one list, scan the others against it.
template <class Level>
class Distances {
 public:
  explicit Distances(const Ancestors& ancestors) : ancestors(ancestors), mark(ancestors.size, unmarked<Level>) {}

  // table[i * columns.count + j] = d(rows[i], columns[j]); distances from `cap` up may be given as `cap`.
  void fill(const Labels& rows, const Labels& columns, int32_t cap, std::vector<int32_t>& table) {
    table.resize(static_cast<size_t>(rows.count) * columns.count);
    if (rows.count <= columns.count)
      fill_marking(rows, columns, cap, table.data(), columns.count, 1);
    else
      fill_marking(columns, rows, cap, table.data(), 1, columns.count);
  }

 private:
  const Ancestors& ancestors;
  std::vector<Level> mark;

  void fill_marking(const Labels& marked, const Labels& scanned, int32_t cap, int32_t* table, int32_t marked_stride,
                    int32_t scanned_stride) {
    for (int32_t i = 0; i < marked.count; ++i) {
      const List list = ancestors.of(marked.nodes[i]);
      Level* const marks = mark.data();  // a byte may alias anything, so the pointer must not be read again and again
      int32_t at = 0;
      for (int32_t up = 0; up < list.levels; ++up)
        for (const int32_t end = list.ends[up]; at < end; ++at) marks[list.nodes[at]] = static_cast<Level>(up);
      for (int32_t j = 0; j < scanned.count; ++j) {
        int32_t limit = std::min(cap, unmarked<Level>);
        if (ancestors.max_path)
          limit = std::min(limit, ancestors.up_to_dummy(marked.nodes[i]) + ancestors.up_to_dummy(scanned.nodes[j]));
        table[i * marked_stride + j * scanned_stride] = nearest_mark(ancestors.of(scanned.nodes[j]), limit);
      }
      while (at > 0) marks[list.nodes[--at]] = static_cast<Level>(unmarked<Level>);
    }
  }

  int32_t nearest_mark(const List& list, int32_t best) const {
    int32_t at = 0;
    for (int32_t up = 0; up < list.levels && up < best; ++up)
      for (const int32_t end = list.ends[up]; at < end; ++at)
        best = std::min(best, up + static_cast<int32_t>(mark[list.nodes[at]]));
    return best;
  }
};

// Per instance; a null pointer leaves that column out.
struct PairColumns {
  int64_t* distance_sum;  // over all pairs of a true and a predicted label
  int64_t* one_to_one;    // GIE
  int64_t* cover;         // the error f of MGIA
  int32_t* shared;        // labels on both sides
};

template <class Level>
void pair_rows_with(const Ancestors& ancestors, const Instances& instances, int32_t d_max, const PairColumns& out) {
  Distances<Level> distances(ancestors);
  Pairing<int32_t> pairing;
  std::vector<int32_t> table;
  // Beyond two defaults a distance does not matter to GIE and MGIA, and looking no further saves scanning.
  const int32_t cap = out.distance_sum ? unmarked<int32_t> : 2 * d_max;
  for (int64_t row = 0; row < instances.count; ++row) {
    look_ahead(ancestors, instances, row);
    const Labels truth = instances.truth(row), predicted = instances.predicted(row);
    if (out.shared) out.shared[row] = count_shared(truth, predicted);
    if (!out.distance_sum && truth == predicted) {
      if (out.one_to_one) out.one_to_one[row] = 0;
      if (out.cover) out.cover[row] = 0;
      continue;
    }
    distances.fill(truth, predicted, cap, table);
    if (out.distance_sum) {
      int64_t sum = 0;
      for (const int32_t distance : table) sum += distance;
      out.distance_sum[row] = sum;
    }
    if (out.one_to_one)
      out.one_to_one[row] = pairing.one_to_one(table.data(), truth.count, predicted.count, d_max);
    if (out.cover) out.cover[row] = pairing.cover(table.data(), truth.count, predicted.count, d_max);
  }
}

inline void pair_rows(const Ancestors& ancestors, const Instances& instances, int32_t d_max, int32_t most_levels,
                      const PairColumns& out) {
  if (most_levels <= most_levels_in_a_byte)
    pair_rows_with<uint8_t>(ancestors, instances, d_max, out);
  else
    pair_rows_with<int32_t>(ancestors, instances, d_max, out);
}

// Table of instance i, true x predicted labels, from out + indptr[i] on.
inline void distance_tables(const Ancestors& ancestors, const Instances& instances, const int64_t* indptr,
                            int32_t* out) {
  Distances<int32_t> distances(ancestors);
  std::vector<int32_t> table;
  for (int64_t row = 0; row < instances.count; ++row) {
    distances.fill(instances.truth(row), instances.predicted(row), unmarked<int32_t>, table);
    std::copy(table.begin(), table.end(), out + indptr[row]);
  }
}

}  // namespace branchmark
