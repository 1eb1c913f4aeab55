// Numbers the right keys of a range join, and chooses the key by which right rows are sorted.
#include "execution/join/range_join_specification.hpp"

#include <algorithm>
#include <utility>

namespace scaup {

RangeJoinSpecification::RangeJoinSpecification(LogicalJoinType join_type_in,
                                               std::vector<LogicalType> left_types_in,
                                               std::vector<LogicalType> right_types_in,
                                               std::vector<RangeJoinCondition> conditions,
                                               ExpressionPtr residual_in)
    : join_type(join_type_in),
      left_types(std::move(left_types_in)),
      right_types(std::move(right_types_in)),
      residual(std::move(residual_in)) {
  schema.types = right_types;
  for (RangeJoinCondition& condition : conditions) {
    left_keys.push_back(std::move(condition.left));
    schema.conditions.push_back({condition.op, AddRightKey(std::move(condition.right))});
  }
  ChooseFirstKey();
}

/// Returns the number of a right key, adding it if it is new.
size_t RangeJoinSpecification::AddRightKey(ExpressionPtr key) {
  const size_t right_columns = right_types.size();
  size_t column = right_columns;
  if (key->kind() == ExpressionKind::kReference) {
    column = key->As<ReferenceExpression>().index;
  } else {
    while (column < schema.types.size() && !computed_keys[column - right_columns]->Equals(*key)) column++;
    if (column == schema.types.size()) {
      schema.types.push_back(key->type());
      computed_keys.push_back(std::move(key));
    }
  }
  const auto found = std::find(schema.key_columns.begin(), schema.key_columns.end(), column);
  const auto number = static_cast<size_t>(found - schema.key_columns.begin());
  if (found == schema.key_columns.end()) schema.key_columns.push_back(column);
  return number;
}

/// Moves a key with both a lower and an upper bound to the front, if there is one: it narrows the range most.
void RangeJoinSpecification::ChooseFirstKey() {
  const auto has_both = [&](size_t key) {
    bool has_lower = false, has_upper = false;
    for (const RangeCondition& condition : schema.conditions) {
      if (condition.key == key) (condition.is_lower_bound() ? has_lower : has_upper) = true;
    }
    return has_lower && has_upper;
  };
  size_t first = 0;
  while (first + 1 < schema.key_columns.size() && !has_both(first)) first++;
  if (!has_both(first)) first = 0;
  std::swap(schema.key_columns[0], schema.key_columns[first]);
  for (RangeCondition& condition : schema.conditions) {
    if (condition.key == 0 || condition.key == first) condition.key = condition.key == 0 ? first : 0;
  }
}

}  // namespace scaup
