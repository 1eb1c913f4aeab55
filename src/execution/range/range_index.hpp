// Range index: rows sorted by one key, with trees to find the rows that satisfy several inequalities.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "execution/range/greatest_tree.hpp"
#include "execution/range/ordered_codes.hpp"
#include "execution/rows/column_collection.hpp"
#include "execution/run/runtime_filter.hpp"
#include "function/function_context.hpp"
#include "planner/node/logical_operator.hpp"

namespace scaup {

/// The inequality `wanted op key` between a given value and a key of the rows.
struct RangeCondition {
  ComparisonOp op;
  size_t key;

  /// Whether the given value is a lower bound of the keys.
  bool is_lower_bound() const { return op == ComparisonOp::kLess || op == ComparisonOp::kLessEqual; }
  bool is_strict() const { return op == ComparisonOp::kLess || op == ComparisonOp::kGreater; }
};

/// The rows of a range index. Immutable.
struct RangeSchema {
  std::vector<LogicalType> types;
  std::vector<size_t> key_columns;  ///< by key: its column; rows are sorted by key 0
  std::vector<RangeCondition> conditions;
};

/// An index that finds the rows which satisfy all conditions for given values. The order of key 0 yields a
/// range of rows; within it, trees of the greatest and least values find rows by the other keys. Two-sided
/// bands of one key, and intervals, thus cost little more than the number of results. Owned by the build side
/// of a range join. Immutable once made; any number of threads may read it.
class RangeIndex {
 public:
  /// Copies the rows. Borrows the schema. LearnCodes must be called before a search.
  RangeIndex(const RangeSchema& schema, const std::vector<const ColumnCollection*>& rows,
             MemoryTracker& memory, const FunctionContext& context);
  /// Computes the codes and trees from the copied rows. Called once.
  void LearnCodes(const FunctionContext& context);
  /// An upper bound of the bytes that building an index of so many rows takes, besides the copied rows.
  static size_t MostBytes(const RangeSchema& schema, size_t row_count);

  /// The rows, sorted. Rows with a NULL key satisfy no condition and stand at the end.
  const ColumnCollection& rows() const { return *rows_; }
  /// The number of rows without a NULL key.
  size_t keyed_count() const { return keyed_count_; }
  bool has_null_key() const { return keyed_count_ != rows_->row_count(); }
  /// The least and the greatest value of a key, if it is stored as an integer.
  RuntimeFilter KeyRange(size_t key) const;

 private:
  friend class RangeSearch;
  /// A tree of the greatest codes of a key, or of their complements, to find the least codes.
  struct Extremes {
    size_t key;
    bool of_complements;
    GreatestTree tree;
  };

  void CopyInOrder(const std::vector<const ColumnCollection*>& collections,
                   const LargeVector<uint64_t>& order, const FunctionContext& context);
  void AddTrees(LargeVector<uint64_t> codes, size_t key);

  const RangeSchema& schema_;
  MemoryTracker& memory_;
  MemoryReservation reservation_;
  std::unique_ptr<ColumnCollection> rows_;
  size_t keyed_count_ = 0;
  std::vector<OrderedCodes> codes_;    // By key.
  LargeVector<uint64_t> first_codes_;  // The ascending codes of key 0.
  std::vector<Extremes> extremes_;
  std::vector<size_t> extremes_of_;  // By condition; unused for key 0.
};

}  // namespace scaup
