// Plans ASOF JOIN: puts the keys of both inputs in front of their other columns.
#include "execution/plan/plan_asof_join.hpp"

#include <algorithm>

#include "execution/asof/asof_join.hpp"

namespace scaup {

namespace {

/// One input of an ASOF JOIN with its keys in front, and where its own columns have gone.
struct KeyedInput {
  PhysicalOperatorPtr input;
  std::vector<size_t> columns;
};

KeyedInput KeysFirst(PhysicalOperatorPtr input, std::vector<ExpressionPtr> keys) {
  KeyedInput keyed;
  const std::vector<LogicalType>& types = input->types();
  std::vector<ExpressionPtr> expressions = std::move(keys);
  const size_t key_count = expressions.size();
  for (size_t column = 0; column < types.size(); column++) {
    // A key that is a plain column is stored once.
    size_t place = 0;
    while (place < key_count && (expressions[place]->kind() != ExpressionKind::kReference ||
                                 expressions[place]->As<ReferenceExpression>().index != column))
      place++;
    if (place == key_count) {
      place = expressions.size();
      expressions.push_back(std::make_unique<ReferenceExpression>(types[column], column, ""));
    }
    keyed.columns.push_back(place);
  }
  keyed.input = ProjectUnlessIdentity(std::move(input), std::move(expressions));
  return keyed;
}

}  // namespace

PhysicalOperatorPtr MakeAsofJoin(LogicalJoin& join, const BindingResolver& left_columns,
                                 const BindingResolver& right_columns, PhysicalOperatorPtr left,
                                 PhysicalOperatorPtr right, std::vector<LogicalType> types) {
  const auto is_equality = [](const JoinCondition& condition) {
    return condition.op == ComparisonOp::kEqual || condition.op == ComparisonOp::kNotDistinctFrom;
  };
  std::stable_partition(join.conditions.begin(), join.conditions.end(), is_equality);
  SCAUP_ASSERT(join.residual.empty() && !is_equality(join.conditions.back()));
  AsofSpecification specification;
  std::vector<ExpressionPtr> left_keys, right_keys;
  for (JoinCondition& condition : join.conditions) {
    const LogicalType type = condition.left->type();
    const bool is_below = condition.op == ComparisonOp::kLess || condition.op == ComparisonOp::kLessEqual;
    // NULLs on the left come before all right rows, none of which they match.
    specification.partitioning.orders.push_back({type, is_below, true});
    if (is_equality(condition)) {
      specification.partitioning.partition_by.push_back(left_keys.size());
    } else {
      specification.partitioning.order_by.push_back(left_keys.size());
      specification.is_strict = condition.op == ComparisonOp::kLess || condition.op == ComparisonOp::kGreater;
      specification.takes_last = !is_below;
    }
    left_columns.Resolve(condition.left);
    right_columns.Resolve(condition.right);
    left_keys.push_back(std::move(condition.left));
    right_keys.push_back(std::move(condition.right));
  }
  specification.keeps_left = join.join_type == LogicalJoinType::kAsofLeft;
  KeyedInput keyed_left = KeysFirst(std::move(left), std::move(left_keys));
  KeyedInput keyed_right = KeysFirst(std::move(right), std::move(right_keys));
  specification.left_columns = std::move(keyed_left.columns);
  specification.right_columns = std::move(keyed_right.columns);
  return std::make_unique<AsofJoin>(std::move(keyed_left.input), std::move(keyed_right.input),
                                    std::move(specification), std::move(types));
}

}  // namespace scaup
