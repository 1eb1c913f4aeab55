// Asof specification: how the rows of an ASOF JOIN are stored, ordered and given out.
#pragma once

#include <vector>

#include "execution/sort/sort_key.hpp"
#include "execution/window/window_specification.hpp"

namespace scaup {

/// Both inputs have their keys as first columns: the sides of the equalities, then that of the inequality.
/// Rows are sorted by these keys, so that the match of a left row is the last right row before it that has
/// the same equality keys. For < and <= the order of the last key descends. Immutable.
struct AsofSpecification {
  size_t key_count() const { return partitioning.orders.size(); }
  size_t equality_count() const { return partitioning.partition_by.size(); }
  /// The rows that a side stores: its input's columns, and the batch index as the key that decides ties.
  SortSchema StoredRows(const std::vector<LogicalType>& input_types) const;
  /// The keys alone, for rows of a side that are compared with those of the other one.
  SortSchema Keys(const std::vector<LogicalType>& input_types) const;

  bool keeps_left = false;  ///< left rows without a match come out, with NULLs
  bool is_strict = false;   ///< < or >: a right row with the left row's value is no match
  bool takes_last = true;   ///< the last, in the source's order, of right rows with equal keys matches
  WindowSpecification partitioning;  ///< by the equalities, ordered by all keys; without functions
  std::vector<size_t> left_columns;  ///< for each output column of this side, its place in the input
  std::vector<size_t> right_columns;
};

}  // namespace scaup
