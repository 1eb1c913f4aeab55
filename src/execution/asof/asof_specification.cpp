// Asof specification: the schemas of stored rows and of keys.
#include "execution/asof/asof_specification.hpp"

#include <numeric>

namespace scaup {

SortSchema AsofSpecification::StoredRows(const std::vector<LogicalType>& input_types) const {
  std::vector<LogicalType> types = input_types;
  std::vector<size_t> key_columns(key_count());
  std::iota(key_columns.begin(), key_columns.end(), size_t{0});
  std::vector<SortOrder> orders = partitioning.orders;
  key_columns.push_back(types.size());
  types.emplace_back(TypeId::kBigInt);
  orders.push_back({TypeId::kBigInt, false, false});
  return {std::move(types), std::move(key_columns), std::move(orders)};
}

SortSchema AsofSpecification::Keys(const std::vector<LogicalType>& input_types) const {
  std::vector<size_t> key_columns(key_count());
  std::iota(key_columns.begin(), key_columns.end(), size_t{0});
  return {input_types, std::move(key_columns), partitioning.orders};
}

}  // namespace scaup
