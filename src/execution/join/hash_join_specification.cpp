// Lays out the build rows of a hash join: a column that is a key is stored once.
#include "execution/join/hash_join_specification.hpp"

#include "execution/join/join_output.hpp"
#include "execution/join/join_table.hpp"

namespace scaup {

HashJoinSpecification::HashJoinSpecification(LogicalJoinType join_type_in,
                                             std::vector<LogicalType> left_types_in,
                                             std::vector<LogicalType> right_types_in,
                                             std::vector<HashJoinKey> keys, ExpressionPtr residual_in)
    : join_type(join_type_in),
      left_types(std::move(left_types_in)),
      right_types(std::move(right_types_in)),
      residual(std::move(residual_in)) {
  const bool stores_payload = EmitsRight(join_type) || residual != nullptr;
  std::vector<LogicalType> layout_types;
  for (HashJoinKey& key : keys) {
    layout_types.push_back(key.right->type());
    left_keys.push_back(std::move(key.left));
    right_keys.push_back(std::move(key.right));
    nulls_equal.push_back(key.nulls_equal);
  }
  for (size_t column = 0; stores_payload && column < right_types.size(); column++) {
    size_t place = layout_types.size();
    for (size_t i = 0; i < right_keys.size(); i++) {
      const bool is_column = right_keys[i]->kind() == ExpressionKind::kReference &&
                             right_keys[i]->As<ReferenceExpression>().index == column &&
                             right_keys[i]->type() == right_types[column];
      if (is_column) place = i;
    }
    right_to_layout.push_back(place);
    if (place == layout_types.size()) {
      layout_types.push_back(right_types[column]);
      payload_columns.push_back(column);
    }
  }
  layout = RowLayout(std::move(layout_types), JoinTable::kHeaderBytes);
}

bool HashJoinSpecification::MayBeDense() const {
  // A dense table has no rows in which to set matched flags.
  return right_keys.size() == 1 && !nulls_equal[0] && IsMadeOfLeftRows(join_type);
}

}  // namespace scaup
