// Sampled rows of a table, on which predicates are evaluated to estimate their selectivity.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "expression/expression.hpp"
#include "function/function_context.hpp"
#include "storage/snapshot/table_columns.hpp"
#include "storage/snapshot/table_snapshot.hpp"

namespace scaup {

/// The rows of a sample, or all rows of a small table. Immutable; one thread at a time. The context is
/// borrowed.
class SampledRows {
 public:
  /// `columns` are columns of the table, which plans bind under `table_index`. `is_whole`: these are all rows
  /// of the table.
  SampledRows(const FunctionContext& context, TableView view, TableColumns columns, size_t table_index,
              bool is_whole)
      : context_(context),
        view_(std::move(view)),
        columns_(std::move(columns)),
        table_index_(table_index),
        is_whole_(is_whole) {}

  bool is_whole() const { return is_whole_; }

  /// Evaluates a predicate; the result is 1 for each row where it is true, otherwise 0. Returns nullopt if
  /// that is not possible: the predicate uses other columns, has no value before execution, or fails for a
  /// row, which the query may never evaluate. Throws only Error(kInterrupted).
  std::optional<std::vector<uint8_t>> Try(const Expression& predicate) const;

 private:
  std::vector<uint8_t> Evaluate(const Expression& predicate, const std::vector<size_t>& columns) const;

  const FunctionContext& context_;
  TableView view_;
  TableColumns columns_;
  size_t table_index_;
  bool is_whole_;
};

}  // namespace scaup
