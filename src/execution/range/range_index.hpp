// Range index: rows in the order of one key, with what it takes to find those that fulfil several
// inequalities.
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

/// The inequality `wanted op key`: what is looked for, and a key of the rows.
struct RangeCondition {
  ComparisonOp op;
  size_t key;

  /// Whether keys are to be above what is looked for.
  bool is_lower_bound() const { return op == ComparisonOp::kLess || op == ComparisonOp::kLessEqual; }
  bool is_strict() const { return op == ComparisonOp::kLess || op == ComparisonOp::kGreater; }
};

/// Which rows a range index keeps. Immutable.
struct RangeSchema {
  std::vector<LogicalType> types;
  std::vector<size_t> key_columns;  ///< by key: the column it is in. Rows are in the order of key 0.
  std::vector<RangeCondition> conditions;
};

/// Rows of which those are found that fulfil all conditions for given values: key 0 by its order, which makes
/// a stretch of the rows, and within it other keys by their greatest and least values in parts of it. So the
/// rows of two-sided bands of one key, and of intervals, cost little more than their number. Owned by what is
/// built for a range join. Immutable once made; any number of threads may read it.
class RangeIndex {
 public:
  /// Copies the rows. Borrows the schema. To be searched after LearnCodes.
  RangeIndex(const RangeSchema& schema, const std::vector<const ColumnCollection*>& rows,
             MemoryTracker& memory, const FunctionContext& context);
  /// Called once: makes what rows are found by, of the copy alone.
  void LearnCodes(const FunctionContext& context);
  /// The most bytes that an index of so many rows takes while it is made, besides their copy.
  static size_t MostBytes(const RangeSchema& schema, size_t row_count);

  /// In order; behind those without a NULL among their keys, which fulfil no condition.
  const ColumnCollection& rows() const { return *rows_; }
  /// How many rows have no NULL among their keys.
  size_t keyed_count() const { return keyed_count_; }
  bool has_null_key() const { return keyed_count_ != rows_->row_count(); }
  /// Least and greatest value of a key, where it is stored as an integer.
  RuntimeFilter KeyRange(size_t key) const;

 private:
  friend class RangeSearch;
  /// Greatest codes of a key; or, of their complements, which are the least.
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
  LargeVector<uint64_t> first_codes_;  // Of key 0, ascending.
  std::vector<Extremes> extremes_;
  std::vector<size_t> extremes_of_;  // By condition; those of key 0 have none.
};

}  // namespace scaup
