// Evaluates predicates on sampled rows, as a scan and a filter would.
#include "optimizer/statistics/sampled_rows.hpp"

#include <algorithm>

#include "common/stack_bound.hpp"
#include "expression/expression_executor.hpp"
#include "scaup/error.hpp"
#include "storage/scan/table_scan.hpp"

namespace scaup {

namespace {

/// Whether the expression can be evaluated from columns alone, before execution.
bool HasValueNow(const Expression& expression) {
  CheckStack();
  switch (expression.kind()) {
    case ExpressionKind::kReference:
    case ExpressionKind::kParameter:
    case ExpressionKind::kAggregate:
    case ExpressionKind::kWindow:
    case ExpressionKind::kSubquery: return false;
    case ExpressionKind::kConstant:
    case ExpressionKind::kColumnRef:
    case ExpressionKind::kComparison:
    case ExpressionKind::kConjunction:
    case ExpressionKind::kNot:
    case ExpressionKind::kIsNull:
    case ExpressionKind::kInList:
    case ExpressionKind::kFunction:
    case ExpressionKind::kCast:
    case ExpressionKind::kCase: break;
  }
  bool has_value = true;
  expression.ForEachChild([&](const Expression& child) { has_value = has_value && HasValueNow(child); });
  return has_value;
}

/// Replaces columns by their positions in `columns`.
void Resolve(ExpressionPtr& expression, const std::vector<size_t>& columns) {
  CheckStack();
  if (expression->kind() != ExpressionKind::kColumnRef) {
    expression->ForEachChild([&](ExpressionPtr& child) { Resolve(child, columns); });
    return;
  }
  const auto& ref = expression->As<ColumnRefExpression>();
  const auto place = std::lower_bound(columns.begin(), columns.end(), ref.binding.column_index);
  expression = std::make_unique<ReferenceExpression>(ref.type(), place - columns.begin(), ref.name);
}

}  // namespace

std::optional<std::vector<uint8_t>> SampledRows::Try(const Expression& predicate) const {
  std::vector<size_t> columns;
  bool is_of_table = true;
  ForEachColumnRef(predicate, [&](const ColumnRefExpression& ref) {
    is_of_table =
        is_of_table && ref.binding.table_index == table_index_ && ref.binding.column_index < columns_.size();
    columns.push_back(ref.binding.column_index);
  });
  if (!is_of_table || columns.empty() || !HasValueNow(predicate) || !IsDeterministic(predicate))
    return std::nullopt;
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  try {
    return Evaluate(predicate, columns);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::kInterrupted) throw;
    return std::nullopt;
  }
}

std::vector<uint8_t> SampledRows::Evaluate(const Expression& predicate,
                                           const std::vector<size_t>& columns) const {
  ExpressionPtr resolved = predicate.Clone();
  Resolve(resolved, columns);
  ExpressionExecutor executor(context_, *resolved);
  TableScan scan(view_, columns_, {columns, {}}, context_.kernels, kBlocksPerRowGroup);
  TableScan::Position position;
  std::vector<LogicalType> column_types;
  for (const size_t column : columns) column_types.push_back(columns_[column]);
  DataChunk chunk(column_types);
  SelectionVector selection;
  std::vector<uint8_t> passes;
  while (true) {
    chunk.Release();
    if (!scan.Next(position, chunk)) return passes;
    if (chunk.size() == 0) continue;
    context_.CheckInterrupt();
    const size_t count = executor.Select(0, chunk, selection);
    const size_t first = passes.size();
    passes.resize(first + chunk.size());
    for (size_t i = 0; i < count; i++) passes[first + selection.rows[i]] = 1;
  }
}

}  // namespace scaup
