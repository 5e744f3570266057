// Pairings of two small sets at least cost: one-to-one, and covers in which every member has a partner.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace branchmark {

// Gives every row its own column (rows <= columns) at the least total cost, by shortest augmenting paths.
template <class Cost>
class Assignment {
 public:
  std::vector<int32_t> row_of;     // per column, -1 if it is free
  std::vector<int32_t> column_of;  // per row

  void solve(const Cost* cost, int32_t rows, int32_t columns) {
    row_of.assign(columns + 1, -1);  // the column past the end stands for "no column yet"
    column_of.assign(rows, -1);
    row_price.resize(rows);
    column_price.assign(columns + 1, Cost(0));
    slack.resize(columns);
    came_from.resize(columns);
    closed.resize(columns + 1);
    // Most rows find their cheapest column free; only the others need a search.
    for (int32_t row = 0; row < rows; ++row) {
      const Cost* costs = cost + static_cast<int64_t>(row) * columns;
      const int32_t cheapest = static_cast<int32_t>(std::min_element(costs, costs + columns) - costs);
      row_price[row] = costs[cheapest];
      if (row_of[cheapest] < 0) {
        row_of[cheapest] = row;
        column_of[row] = cheapest;
      }
    }
    for (int32_t row = 0; row < rows; ++row)
      if (column_of[row] < 0) augment(cost, row, columns);
    row_of.pop_back();
  }

 private:
  std::vector<Cost> row_price, column_price, slack;
  std::vector<int32_t> came_from;
  std::vector<uint8_t> closed;

  void augment(const Cost* cost, int32_t start, int32_t columns) {
    const int32_t outside = columns;
    std::fill(slack.begin(), slack.end(), std::numeric_limits<Cost>::max());
    std::fill(closed.begin(), closed.end(), 0);
    row_of[outside] = start;
    int32_t column = outside;
    do {
      closed[column] = 1;
      const int32_t row = row_of[column];
      const Cost* costs = cost + static_cast<int64_t>(row) * columns;
      Cost step = std::numeric_limits<Cost>::max();
      int32_t next = -1;
      for (int32_t j = 0; j < columns; ++j) {
        if (closed[j]) continue;
        const Cost reduced = costs[j] - row_price[row] - column_price[j];
        if (reduced < slack[j]) {
          slack[j] = reduced;
          came_from[j] = column;
        }
        if (slack[j] < step) {
          step = slack[j];
          next = j;
        }
      }
      for (int32_t j = 0; j <= columns; ++j) {
        if (closed[j]) {
          row_price[row_of[j]] += step;
          column_price[j] -= step;
        } else if (j < columns) {
          slack[j] -= step;
        }
      }
      column = next;
    } while (row_of[column] >= 0);
    while (column != outside) {
      const int32_t before = came_from[column];
      row_of[column] = row_of[before];
      column_of[row_of[column]] = column;
      column = before;
    }
    row_of[outside] = -1;
  }
};

// Costs of pairing two sets when a member without a partner costs `unpaired`. Costs are rows x columns, row by row.
template <class Cost>
class Pairing {
 public:
  struct Pair {
    int32_t row, column;  // -1: the default class of that side
    Cost cost;
  };

  // Every member in at most one pair (GIE): a pair dearer than two defaults is never worth it.
  Cost one_to_one(const Cost* cost, int32_t rows, int32_t columns, Cost unpaired) {
    const int32_t few = std::min(rows, columns), many = std::max(rows, columns);
    Cost total = unpaired * static_cast<Cost>(many - few);
    if (few == 0) return total;
    const Cost cap = 2 * unpaired;
    if (few == 1) return total + std::min(cap, *std::min_element(cost, cost + many));
    match_capped(cost, rows, columns, cap);
    for (int32_t i = 0; i < few; ++i) total += table[static_cast<int64_t>(i) * many + solver.column_of[i]];
    return total;
  }

  void one_to_one_pairs(const Cost* cost, int32_t rows, int32_t columns, Cost unpaired, std::vector<Pair>& pairs) {
    std::vector<uint8_t> row_paired(rows), column_paired(columns);
    if (rows && columns) {
      match_capped(cost, rows, columns, 2 * unpaired);
      for (int32_t i = 0; i < std::min(rows, columns); ++i) {
        const int32_t row = rows <= columns ? i : solver.column_of[i];
        const int32_t column = rows <= columns ? solver.column_of[i] : i;
        const Cost price = cost[static_cast<int64_t>(row) * columns + column];
        if (price >= 2 * unpaired) continue;
        pairs.push_back({row, column, price});
        row_paired[row] = column_paired[column] = 1;
      }
    }
    for (int32_t row = 0; row < rows; ++row)
      if (!row_paired[row]) pairs.push_back({row, -1, unpaired});
    for (int32_t column = 0; column < columns; ++column)
      if (!column_paired[column]) pairs.push_back({-1, column, unpaired});
  }

  // Every member in at least one pair (MGIA): a minimum-cost edge cover. Giving each member its cheapest pair pays
  // for a pair twice where both ends could share it; the best such sharing is a maximum-weight matching.
  Cost cover(const Cost* cost, int32_t rows, int32_t columns, Cost unpaired) {
    Cost total = cheapest_alone(cost, rows, columns, unpaired);
    find_savings(cost, rows, columns);
    if (rows_saving.empty()) return total;
    if (rows_saving.size() == 1 || columns_saving.size() == 1)
      return total - *std::max_element(savings.begin(), savings.end());
    match_savings();
    for (size_t i = 0; i < few_savers(); ++i) total += table[i * many_savers() + solver.column_of[i]];
    return total;
  }

  void cover_pairs(const Cost* cost, int32_t rows, int32_t columns, Cost unpaired, std::vector<Pair>& pairs) {
    cheapest_alone(cost, rows, columns, unpaired);
    find_savings(cost, rows, columns);
    std::vector<uint8_t> row_served(rows), column_served(columns), taken(static_cast<size_t>(rows) * columns);
    const auto take = [&](int32_t row, int32_t column) {
      const size_t at = static_cast<size_t>(row) * columns + column;
      row_served[row] = column_served[column] = 1;
      if (!taken[at]) pairs.push_back({row, column, cost[at]});
      taken[at] = 1;
    };
    if (!rows_saving.empty()) {
      match_savings();
      const bool upright = rows_saving.size() <= columns_saving.size();
      for (size_t i = 0; i < few_savers(); ++i) {
        const size_t j = solver.column_of[i];
        if (table[i * many_savers() + j] < 0)
          take(rows_saving[upright ? i : j], columns_saving[upright ? j : i]);
      }
    }
    // Two members that are both left over never want the same pair, unless it is free: it would have been shared.
    for (int32_t row = 0; row < rows; ++row) {
      if (row_served[row]) continue;
      int32_t nearest = -1;
      for (int32_t column = 0; column < columns && nearest < 0; ++column)
        if (cost[static_cast<size_t>(row) * columns + column] == row_alone[row]) nearest = column;
      if (nearest < 0) pairs.push_back({row, -1, unpaired});
      else take(row, nearest);
    }
    for (int32_t column = 0; column < columns; ++column) {
      if (column_served[column]) continue;
      int32_t nearest = -1;
      for (int32_t row = 0; row < rows && nearest < 0; ++row)
        if (cost[static_cast<size_t>(row) * columns + column] == column_alone[column]) nearest = row;
      if (nearest < 0) pairs.push_back({-1, column, unpaired});
      else take(nearest, column);
    }
  }

 private:
  Assignment<Cost> solver;
  std::vector<Cost> table, row_alone, column_alone, savings;
  std::vector<int32_t> rows_saving, columns_saving;
  std::vector<uint8_t> column_saves;

  size_t few_savers() const { return std::min(rows_saving.size(), columns_saving.size()); }
  size_t many_savers() const { return std::max(rows_saving.size(), columns_saving.size()); }

  void match_capped(const Cost* cost, int32_t rows, int32_t columns, Cost cap) {
    table.resize(static_cast<size_t>(rows) * columns);
    const bool upright = rows <= columns;
    for (int32_t row = 0; row < rows; ++row)
      for (int32_t column = 0; column < columns; ++column)
        table[upright ? row * columns + column : column * rows + row] = std::min(cap, cost[row * columns + column]);
    solver.solve(table.data(), std::min(rows, columns), std::max(rows, columns));
  }

  // What each member costs on its own, and the sum.
  Cost cheapest_alone(const Cost* cost, int32_t rows, int32_t columns, Cost unpaired) {
    row_alone.assign(rows, unpaired);
    column_alone.assign(columns, unpaired);
    for (int32_t row = 0; row < rows; ++row)
      for (int32_t column = 0; column < columns; ++column, ++cost) {
        row_alone[row] = std::min(row_alone[row], *cost);
        column_alone[column] = std::min(column_alone[column], *cost);
      }
    Cost total = 0;
    for (const Cost alone : row_alone) total += alone;
    for (const Cost alone : column_alone) total += alone;
    return total;
  }

  // Only members with a positive saving take part in the matching; usually they are few.
  void find_savings(const Cost* cost, int32_t rows, int32_t columns) {
    rows_saving.clear();
    columns_saving.clear();
    const auto saving = [&](int32_t row, int32_t column) {
      return row_alone[row] + column_alone[column] - cost[static_cast<int64_t>(row) * columns + column];
    };
    column_saves.assign(columns, 0);
    for (int32_t row = 0; row < rows; ++row) {
      if (row_alone[row] == 0) continue;
      bool saves = false;
      for (int32_t column = 0; column < columns; ++column)
        if (saving(row, column) > 0) saves = column_saves[column] = 1;
      if (saves) rows_saving.push_back(row);
    }
    for (int32_t column = 0; column < columns; ++column)
      if (column_saves[column]) columns_saving.push_back(column);
    savings.clear();
    for (const int32_t row : rows_saving)
      for (const int32_t column : columns_saving) savings.push_back(std::max(Cost(0), saving(row, column)));
  }

  void match_savings() {
    const size_t rows = rows_saving.size(), columns = columns_saving.size();
    table.resize(rows * columns);
    const bool upright = rows <= columns;
    for (size_t i = 0; i < rows; ++i)
      for (size_t j = 0; j < columns; ++j) table[upright ? i * columns + j : j * rows + i] = -savings[i * columns + j];
    solver.solve(table.data(), static_cast<int32_t>(few_savers()), static_cast<int32_t>(many_savers()));
  }
};

}  // namespace branchmark
