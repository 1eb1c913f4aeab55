// Joins of two inputs.
#include "planner/node/join.hpp"

#include <fmt/format.h>

#include "common/stack_bound.hpp"
#include "common/throw.hpp"
#include "planner/node/node_parts.hpp"

namespace scaup {

LogicalJoin::LogicalJoin(LogicalJoinType join_type_in, LogicalOperatorPtr left, LogicalOperatorPtr right)
    : LogicalOperator(LogicalKind::kJoin), join_type(join_type_in) {
  children.push_back(std::move(left));
  children.push_back(std::move(right));
}

std::optional<LogicalJoinType> SwappedType(LogicalJoinType type) {
  switch (type) {
    case LogicalJoinType::kInner: return LogicalJoinType::kInner;
    case LogicalJoinType::kLeft: return LogicalJoinType::kRight;
    case LogicalJoinType::kRight: return LogicalJoinType::kLeft;
    case LogicalJoinType::kFull: return LogicalJoinType::kFull;
    case LogicalJoinType::kSemi: return LogicalJoinType::kRightSemi;
    case LogicalJoinType::kAnti: return LogicalJoinType::kRightAnti;
    case LogicalJoinType::kRightSemi: return LogicalJoinType::kSemi;
    case LogicalJoinType::kRightAnti: return LogicalJoinType::kAnti;
    case LogicalJoinType::kMark:
    case LogicalJoinType::kSingle:
    case LogicalJoinType::kPositional:
    case LogicalJoinType::kAsof:
    case LogicalJoinType::kAsofLeft: return std::nullopt;
  }
  return std::nullopt;
}

void LogicalJoin::SwapChildren() {
  SCAUP_ASSERT(SwappedType(join_type).has_value());
  join_type = SwappedType(join_type).value();
  std::swap(children[0], children[1]);
  for (JoinCondition& condition : conditions) {
    std::swap(condition.left, condition.right);
    condition.op = FlipComparison(condition.op);
  }
}

std::vector<ColumnBinding> LogicalJoin::Bindings() const {
  CheckStack();
  std::vector<ColumnBinding> bindings;
  if (EmitsLeft(join_type)) bindings = children[0]->Bindings();
  if (EmitsRight(join_type)) Append(bindings, children[1]->Bindings());
  if (join_type == LogicalJoinType::kMark) bindings.push_back({mark_index, 0});
  return bindings;
}

std::vector<LogicalType> LogicalJoin::Types() const {
  CheckStack();
  std::vector<LogicalType> types;
  if (EmitsLeft(join_type)) types = children[0]->Types();
  if (EmitsRight(join_type)) Append(types, children[1]->Types());
  if (join_type == LogicalJoinType::kMark) types.push_back(TypeId::kBoolean);
  return types;
}

std::vector<std::string> LogicalJoin::Names() const {
  CheckStack();
  std::vector<std::string> names;
  if (EmitsLeft(join_type)) names = children[0]->Names();
  if (EmitsRight(join_type)) Append(names, children[1]->Names());
  if (join_type == LogicalJoinType::kMark) names.push_back("mark");
  return names;
}

void LogicalJoin::ForEachExpression(const std::function<void(ExpressionPtr&)>& visit) {
  for (JoinCondition& condition : conditions) {
    visit(condition.left);
    visit(condition.right);
  }
  VisitAll(residual, visit);
}

const char* JoinTypeName(LogicalJoinType type) {
  switch (type) {
    case LogicalJoinType::kInner: return "Inner";
    case LogicalJoinType::kLeft: return "Left";
    case LogicalJoinType::kRight: return "Right";
    case LogicalJoinType::kFull: return "Full";
    case LogicalJoinType::kSemi: return "Semi";
    case LogicalJoinType::kAnti: return "Anti";
    case LogicalJoinType::kRightSemi: return "RightSemi";
    case LogicalJoinType::kRightAnti: return "RightAnti";
    case LogicalJoinType::kMark: return "Mark";
    case LogicalJoinType::kSingle: return "Single";
    case LogicalJoinType::kPositional: return "Positional";
    case LogicalJoinType::kAsof: return "Asof";
    case LogicalJoinType::kAsofLeft: return "AsofLeft";
  }
  return "?";
}

std::string LogicalJoin::Name() const {
  if (join_type == LogicalJoinType::kInner && conditions.empty() && residual.empty()) return "CrossProduct";
  return fmt::format("{}Join", JoinTypeName(join_type));
}

std::vector<std::string> LogicalJoin::Details() const {
  std::vector<std::string> parts;
  for (const JoinCondition& condition : conditions) {
    parts.push_back(fmt::format("{} {} {}", condition.left->ToString(), ComparisonSymbol(condition.op),
                                condition.right->ToString()));
  }
  std::vector<std::string> lines;
  AddLine(lines, "condition", parts, " AND ");
  AddLine(lines, "residual", Texts(residual), " AND ");
  return lines;
}

LogicalOperatorPtr LogicalJoin::Clone() const {
  auto copy = std::make_unique<LogicalJoin>(join_type, ClonePlan(*children[0]), ClonePlan(*children[1]));
  for (const JoinCondition& condition : conditions)
    copy->conditions.push_back({condition.op, condition.left->Clone(), condition.right->Clone()});
  copy->residual = CloneAll(residual);
  copy->mark_index = mark_index;
  copy->by_index = by_index;
  copy->marks_null = marks_null;
  return copy;
}

LogicalOnDemand::LogicalOnDemand(LogicalJoinType join_type_in, LogicalOperatorPtr left,
                                 LogicalOperatorPtr right, ExpressionPtr needed_in)
    : LogicalOperator(LogicalKind::kOnDemand), join_type(join_type_in), needed(std::move(needed_in)) {
  SCAUP_ASSERT(join_type == LogicalJoinType::kSingle || join_type == LogicalJoinType::kInner);
  children.push_back(std::move(left));
  children.push_back(std::move(right));
}

std::vector<ColumnBinding> LogicalOnDemand::Bindings() const {
  CheckStack();
  std::vector<ColumnBinding> bindings = children[0]->Bindings();
  Append(bindings, children[1]->Bindings());
  return bindings;
}

std::vector<LogicalType> LogicalOnDemand::Types() const {
  CheckStack();
  std::vector<LogicalType> types = children[0]->Types();
  Append(types, children[1]->Types());
  return types;
}

std::vector<std::string> LogicalOnDemand::Names() const {
  CheckStack();
  std::vector<std::string> names = children[0]->Names();
  Append(names, children[1]->Names());
  return names;
}

std::vector<std::string> LogicalOnDemand::Details() const {
  std::vector<std::string> lines;
  if (needed) lines.push_back("needed: " + needed->ToString());
  return lines;
}

LogicalOperatorPtr LogicalOnDemand::Clone() const {
  return std::make_unique<LogicalOnDemand>(join_type, ClonePlan(*children[0]), ClonePlan(*children[1]),
                                           CloneIfAny(needed));
}

}  // namespace scaup
