// Pass: combines Sort and Limit to TopN, and moves limits below projections.
#include "optimizer/passes/top_n.hpp"

#include "common/stack_bound.hpp"
#include "optimizer/passes/simplification_rules.hpp"
#include "planner/node/limit.hpp"
#include "planner/node/sort.hpp"
#include "planner/node/top_n.hpp"

namespace scaup {
namespace {

constexpr uint64_t kMostKeptRows = 100'000;  // beyond this, sorting all rows costs hardly more than a heap

/// The number of a constant LIMIT or OFFSET. Negative ones are left to the executor, which reports the error;
/// NULL means no limit.
std::optional<uint64_t> ConstantCount(const ExpressionPtr& expression) {
  if (!expression || !IsConstant(*expression) || ConstantOf(*expression).is_null()) return std::nullopt;
  const int128_t count = ConstantOf(*expression).GetInteger();
  if (count < 0 || count > static_cast<int128_t>(kMostKeptRows)) return std::nullopt;
  return static_cast<uint64_t>(count);
}

bool IsNoOffset(const ExpressionPtr& expression) {
  return !expression || (IsConstant(*expression) && ConstantOf(*expression).is_null());
}

bool HasVolatile(LogicalOperator& node) {
  bool found = false;
  node.ForEachExpression(
      [&](const ExpressionPtr& expression) { found = found || !IsDeterministic(*expression); });
  return found;
}

}  // namespace

LogicalOperatorPtr TopN::Rewrite(LogicalOperatorPtr plan) {
  CheckStack();
  if (plan->kind() == LogicalKind::kLimit) plan = RewriteLimit(std::move(plan));
  for (LogicalOperatorPtr& child : plan->children) child = Rewrite(std::move(child));
  return plan;
}

LogicalOperatorPtr TopN::RewriteLimit(LogicalOperatorPtr plan) {
  CheckStack();
  LogicalOperatorPtr& child = plan->children[0];
  if (child->kind() == LogicalKind::kProject) {
    // Volatile expressions are computed for the rows that OFFSET skips, too.
    if (!IsNoOffset(plan->As<LogicalLimit>().offset) && HasVolatile(*child)) return plan;
    LogicalOperatorPtr project = std::move(child);
    child = std::move(project->children[0]);
    project->children[0] = RewriteLimit(std::move(plan));
    return project;
  }
  if (child->kind() != LogicalKind::kSort) return plan;
  auto& limit = plan->As<LogicalLimit>();
  const std::optional<uint64_t> count = ConstantCount(limit.limit);
  const std::optional<uint64_t> offset = IsNoOffset(limit.offset) ? 0 : ConstantCount(limit.offset);
  if (!count || !offset || *count + *offset > kMostKeptRows) return plan;
  auto& sort = child->As<LogicalSort>();
  LogicalOperatorPtr input = std::move(sort.children[0]);
  return std::make_unique<LogicalTopN>(std::move(input), std::move(sort.keys), *count, *offset);
}

}  // namespace scaup
