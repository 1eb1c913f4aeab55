// Rewrites expressions by proven ranges: unchecked kernels, and 64-bit instead of 128-bit DECIMALs.
#pragma once

#include "optimizer/statistics/value_ranges.hpp"

namespace scaup {

/// Rewrites expressions for statistics propagation. It remembers which columns of the plan have changed their
/// type. One thread at a time.
class DecimalNarrowing {
 public:
  /// `facts` is borrowed; it grows while the plan is traversed.
  explicit DecimalNarrowing(const ColumnFacts& facts) : facts_(facts) {}

  /// Rewrites a tree. Its type may become a narrower DECIMAL of the same scale.
  ExpressionPtr Narrow(ExpressionPtr expression);
  /// Rewrites a tree without changing its type.
  ExpressionPtr RewriteKeepingType(ExpressionPtr expression);
  /// Rewrites both sides of a pair, which then have one type.
  void NarrowPair(ExpressionPtr& left, ExpressionPtr& right);

  /// Changes the type of references to this column from now on.
  void SetColumnType(ColumnBinding binding, const LogicalType& type) { column_types_[binding] = type; }

 private:
  ExpressionPtr NarrowFunction(ExpressionPtr expression);
  ExpressionPtr NarrowCast(ExpressionPtr expression);
  ExpressionPtr NarrowCase(ExpressionPtr expression);
  ExpressionPtr NarrowAggregate(ExpressionPtr expression);
  void KeepChildren(Expression& expression);
  /// Returns DECIMAL(18, s) for a wider DECIMAL if the facts prove that its values fit.
  std::optional<LogicalType> NarrowType(const LogicalType& type, const ValueFacts& facts) const;

  const ColumnFacts& facts_;
  std::map<ColumnBinding, LogicalType> column_types_;
};

}  // namespace scaup
