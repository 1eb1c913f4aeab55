// Random rows to be sorted, and their order by the simplest means.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "../storage/filter_reference.hpp"
#include "../vector/random_values.hpp"
#include "execution/sort/sort_key.hpp"

namespace scaup::test {

struct SortCase {
  std::vector<SortOrder> orders;  // Of the first columns.
  std::vector<LogicalType> types;
  std::vector<Row> rows;
};

/// Strings of all lengths with common prefixes, NULLs, few or many distinct numbers; the last column tells
/// rows apart.
inline SortCase MakeCase(Random& random, size_t row_count, size_t domain) {
  SortCase test;
  test.orders = {{TypeId::kVarchar, Chance(random, 50), Chance(random, 50)},
                 {TypeId::kInteger, Chance(random, 50), Chance(random, 50)}};
  if (Chance(random, 50)) std::swap(test.orders[0], test.orders[1]);
  for (const SortOrder& order : test.orders) test.types.push_back(order.type);
  test.types.emplace_back(TypeId::kVarchar);
  test.types.emplace_back(TypeId::kBigInt);
  for (size_t i = 0; i < row_count; i++) {
    Row row;
    for (const LogicalType& type : test.types) {
      if (Chance(random, 10)) {
        row.emplace_back(type);
      } else if (type.id() == TypeId::kVarchar) {
        const std::string number = std::to_string(Below(random, domain));
        row.push_back(Value::Varchar(Chance(random, 50) ? number : "the same beginning " + number));
      } else {
        row.push_back(Value::Integer(static_cast<int32_t>(Below(random, domain))));
      }
    }
    row.back() = Value::BigInt(static_cast<int64_t>(i));
    test.rows.push_back(std::move(row));
  }
  return test;
}

inline std::vector<Row> SortedRows(const SortCase& test) {
  auto rows = test.rows;
  std::stable_sort(rows.begin(), rows.end(), [&](const Row& a, const Row& b) {
    for (size_t i = 0; i < test.orders.size(); i++) {
      if (a[i].is_null() && b[i].is_null()) continue;
      if (a[i].is_null() || b[i].is_null()) return a[i].is_null() == test.orders[i].nulls_first;
      const int order = OrderOf(a[i], b[i]);
      if (order != 0) return test.orders[i].descending ? order > 0 : order < 0;
    }
    return false;
  });
  return rows;
}

}  // namespace scaup::test
