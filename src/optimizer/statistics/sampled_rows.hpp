// Rows of one table that predicates are tried on, to tell how many of all pass.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "expression/expression.hpp"
#include "function/function_context.hpp"
#include "storage/snapshot/table_columns.hpp"
#include "storage/snapshot/table_snapshot.hpp"

namespace scaup {

/// The rows of a sample, or of a small table. Immutable; one thread at a time. The context is borrowed.
class SampledRows {
 public:
  /// `columns`: of the table, which plans know as those of `table_index`. `is_whole`: the table has
  /// no other rows.
  SampledRows(const FunctionContext& context, TableView view, TableColumns columns, size_t table_index,
              bool is_whole)
      : context_(context),
        view_(std::move(view)),
        columns_(std::move(columns)),
        table_index_(table_index),
        is_whole_(is_whole) {}

  bool is_whole() const { return is_whole_; }

  /// By row: 1 where the predicate is true, else 0. Nullopt where that cannot be told: it looks at other
  /// columns, or has no value before the statement runs, or fails for one of the rows, which it need not see
  /// then. Throws Error(kInterrupted) alone.
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
