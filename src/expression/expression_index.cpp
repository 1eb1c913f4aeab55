// Expression index: hashing expressions, and finding them by hash.
#include "expression/expression_index.hpp"

#include <functional>
#include <string_view>

#include "common/hash.hpp"

namespace scaup {

namespace {

uint64_t HashName(std::string_view name) { return HashBytes(name.data(), name.size()); }

/// Hashes an expression without its children, using only what Equals compares.
uint64_t HashOwn(const Expression& expression) {
  switch (expression.kind()) {
    case ExpressionKind::kColumnRef: {
      const ColumnBinding binding = expression.As<ColumnRefExpression>().binding;
      return HashInteger(binding.table_index * 0x9fb21c651e98df25ULL + binding.column_index);
    }
    case ExpressionKind::kReference: return HashInteger(expression.As<ReferenceExpression>().index);
    case ExpressionKind::kFunction: return HashName(expression.As<FunctionExpression>().function.name);
    case ExpressionKind::kAggregate: return HashName(expression.As<AggregateExpression>().function.name);
    case ExpressionKind::kConstant:
    case ExpressionKind::kParameter:
    case ExpressionKind::kCast:
    case ExpressionKind::kComparison:
    case ExpressionKind::kConjunction:
    case ExpressionKind::kNot:
    case ExpressionKind::kIsNull:
    case ExpressionKind::kInList:
    case ExpressionKind::kCase:
    case ExpressionKind::kWindow:
    case ExpressionKind::kSubquery: return 0;
  }
  return 0;
}

}  // namespace

uint64_t HashExpression(const Expression& expression) {
  uint64_t hash = HashOwn(expression) + static_cast<uint64_t>(expression.kind());
  // The order of children matters, as it does for Equals.
  expression.ForEachChild(
      [&](const Expression& child) { hash = HashInteger(hash * 31 + HashExpression(child)); });
  return hash;
}

std::optional<size_t> ExpressionIndex::Find(const Expression& expression) const {
  std::optional<size_t> found;
  const auto [begin, end] = places_.equal_range(HashExpression(expression));
  for (auto entry = begin; entry != end; ++entry) {
    const auto& [known, place] = entry->second;
    if ((!found || place < *found) && known->Equals(expression)) found = place;
  }
  return found;
}

}  // namespace scaup
