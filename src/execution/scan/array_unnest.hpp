// Array unnest: turns the elements of ARRAY[a, b, ...] into rows, without making lists of them.
#pragma once

#include <vector>

#include "execution/run/physical_operator.hpp"
#include "expression/expression.hpp"

namespace scaup {

/// Emits, for each row of the child, one row per element, as UnnestOperator does, where all lists are array
/// constructors or constants of the same length. UNPIVOT consists of such lists.
class ArrayUnnest final : public PhysicalOperator {
 public:
  /// Returns whether the lists are such.
  static bool CanRun(const std::vector<ExpressionPtr>& lists);
  /// REQUIRES: CanRun(lists).
  ArrayUnnest(PhysicalOperatorPtr child, std::vector<ExpressionPtr> lists, bool has_ordinality,
              std::vector<LogicalType> types);
  std::unique_ptr<LocalState> MakeLocal(QueryContext& context, SharedState& shared) const override;

 protected:
  void Produce(QueryContext& context, SharedState& shared, LocalState& local,
               DataChunk& output) const override;

 private:
  /// One list: constants, or expressions over the child's rows.
  struct List {
    std::vector<Value> constants;
    size_t first_element = 0;  ///< of the expressions, in elements_
  };

  size_t length_ = 0;  // Of all lists.
  std::vector<List> lists_;
  std::vector<ExpressionPtr> elements_;
  bool has_ordinality_;
};

}  // namespace scaup
