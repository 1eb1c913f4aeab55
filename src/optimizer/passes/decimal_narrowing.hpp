// Rewrites single expressions by proven ranges: unchecked kernels, and 64 bits in place of 128 for DECIMAL.
#pragma once

#include "optimizer/statistics/value_ranges.hpp"

namespace scaup {

/// Used by statistics propagation. Remembers which columns of the plan changed their type. One thread.
class DecimalNarrowing {
 public:
  /// `facts` is borrowed and grows while the plan is walked.
  explicit DecimalNarrowing(const ColumnFacts& facts) : facts_(facts) {}

  /// Rewrites a tree. Its type may become a narrower DECIMAL of the same scale.
  ExpressionPtr Narrow(ExpressionPtr expression);
  /// Rewrites a tree; its type stays.
  ExpressionPtr RewriteKeepingType(ExpressionPtr expression);
  /// Rewrites both sides; they end up of one type.
  void NarrowPair(ExpressionPtr& left, ExpressionPtr& right);

  /// References to this column have another type from now on.
  void SetColumnType(ColumnBinding binding, const LogicalType& type) { column_types_[binding] = type; }

 private:
  ExpressionPtr NarrowFunction(ExpressionPtr expression);
  ExpressionPtr NarrowCast(ExpressionPtr expression);
  ExpressionPtr NarrowCase(ExpressionPtr expression);
  ExpressionPtr NarrowAggregate(ExpressionPtr expression);
  void KeepChildren(Expression& expression);
  /// DECIMAL(18, s) for a wider DECIMAL whose values, by the facts, fit it.
  std::optional<LogicalType> NarrowType(const LogicalType& type, const ValueFacts& facts) const;

  const ColumnFacts& facts_;
  std::map<ColumnBinding, LogicalType> column_types_;
};

}  // namespace scaup
