// Makes the runtime filters of a hash join, and applies them to its probe side.
#include "execution/join/hash_join_filters.hpp"

#include <algorithm>

#include "execution/join/join_table.hpp"

namespace scaup {

namespace {

/// Adds the bitmap of a key to its runtime filter if it would reject many probe rows.
void AddKeysToBitmap(const HashJoinSpecification& join, const JoinTable& table, size_t key,
                     RuntimeFilter& filter) {
  if (!filter.BeginBitmap(table.row_count())) return;
  Vector keys(join.right_keys[key]->type());
  const std::byte* rows[kVectorSize];
  for (const RowCollection& collection : table.collections()) {
    collection.ForEachBlock([&](const std::byte* first, size_t count) {
      for (size_t begin = 0; begin < count; begin += kVectorSize) {
        const size_t size = std::min(kVectorSize, count - begin);
        for (size_t i = 0; i < size; i++) rows[i] = first + (begin + i) * join.layout.row_bytes();
        keys.Reset();
        join.layout.Gather(key, rows, size, keys);
        filter.AddToBitmap(keys.View(size), size);
      }
    });
  }
}

}  // namespace

std::vector<RuntimeFilter> MakeKeyFilters(const HashJoinSpecification& join) {
  std::vector<RuntimeFilter> filters;
  for (const ExpressionPtr& key : join.right_keys) filters.emplace_back(key->type());
  return filters;
}

void FilterProbeSide(const HashJoinSpecification& join, const JoinTable* table,
                     std::vector<RuntimeFilter>& filters, const PhysicalOperator& left,
                     SharedState& left_shared) {
  for (size_t i = 0; i < join.left_keys.size(); i++) {
    const Expression& key = *join.left_keys[i];
    if (join.nulls_equal[i] || key.kind() != ExpressionKind::kReference) continue;
    if (!filters[i].has_keys() && !filters[i].is_text()) continue;
    if (table != nullptr) {
      AddKeysToBitmap(join, *table, i, filters[i]);
    } else if (!filters[i].has_keys()) {
      continue;
    }
    left.ApplyRuntimeFilter(left_shared, key.As<ReferenceExpression>().index, filters[i]);
  }
}

}  // namespace scaup
