// Rows against those before them: all types, NULLs, chunks of any size and form, several keys.
#include "execution/sort/neighbour_comparer.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

#include "../effort.hpp"
#include "../vector/random_values.hpp"

namespace scaup {

using namespace test;

namespace {

/// Negative, zero or positive, by what the value itself says of its order.
int CompareValues(const Value& a, const Value& b, const SortOrder& order) {
  if (a.is_null() || b.is_null()) {
    if (a.is_null() && b.is_null()) return 0;
    return a.is_null() == order.nulls_first ? -1 : 1;
  }
  int result = 0;
  if (order.type.id() == TypeId::kVarchar) {
    result = a.GetString().compare(b.GetString());
  } else if (order.type.id() == TypeId::kDouble) {
    result = a.GetDouble() < b.GetDouble() ? -1 : a.GetDouble() > b.GetDouble() ? 1 : 0;
  } else {
    result = a.GetBigInt() < b.GetBigInt() ? -1 : a.GetBigInt() > b.GetBigInt() ? 1 : 0;
  }
  return order.descending ? -result : result;
}

Value SmallValue(Random& random, TypeId type) {
  const auto number = static_cast<int64_t>(Below(random, 4)) - 2;
  if (Chance(random, 15)) return Value(LogicalType(type));
  if (type == TypeId::kVarchar)
    return Value::Varchar("some beginning, longer than twelve" + std::to_string(number));
  if (type == TypeId::kDouble) return Value::Double(static_cast<double>(number) / 2 * (number == 0 ? -1 : 1));
  if (type == TypeId::kInteger) return Value::Integer(static_cast<int32_t>(number));
  return Value::BigInt(number);
}

/// How far two rows are alike, and which comes first.
std::pair<size_t, int> CompareRows(const Row& before, const Row& row, const std::vector<SortOrder>& orders) {
  for (size_t key = 0; key < orders.size(); key++)
    if (const int order = CompareValues(row[key], before[key], orders[key]); order != 0) return {key, order};
  return {orders.size(), 0};
}

}  // namespace

TEST_CASE("Rows are compared with those before them", "[execution][sort]") {
  Random random(71);
  for (size_t round = 0; round < Effort(200); round++) {
    std::vector<SortOrder> orders;
    std::vector<LogicalType> types;
    const TypeId ids[] = {TypeId::kBigInt, TypeId::kInteger, TypeId::kDouble, TypeId::kVarchar};
    for (size_t key = 0; key < 1 + round % 3; key++) {
      types.emplace_back(ids[Below(random, 4)]);
      orders.push_back({types.back(), Chance(random, 50), Chance(random, 50)});
    }
    std::vector<Row> rows;
    for (size_t i = 0; i < 1 + Below(random, 400); i++) {
      rows.emplace_back();
      for (const LogicalType& type : types) rows.back().push_back(SmallValue(random, type.id()));
    }
    std::stable_sort(rows.begin(), rows.end(),
                     [&](const Row& a, const Row& b) { return CompareRows(b, a, orders).second < 0; });
    if (Chance(random, 30)) std::swap(rows[Below(random, rows.size())], rows[Below(random, rows.size())]);
    NeighbourComparer comparer(orders);
    const size_t most = 1 + Below(random, 100);
    for (size_t begin = 0; begin < rows.size();) {
      const size_t count = std::min(rows.size() - begin, 1 + Below(random, most));
      const auto first = rows.begin() + static_cast<ptrdiff_t>(begin);
      DataChunk chunk = MakeChunk(random, types, {first, first + static_cast<ptrdiff_t>(count)});
      std::vector<Vector*> keys;
      for (Vector& column : chunk.columns()) keys.push_back(&column);
      uint16_t steps[kVectorSize];
      const NeighbourOrder found = comparer.Compare(keys, count, steps);
      NeighbourOrder expected = NeighbourOrder::kUnique;
      for (size_t i = 0; i < count; i++) {
        const auto [step, order] = begin + i == 0 ? std::pair<size_t, int>{0, 1}
                                                  : CompareRows(rows[begin + i - 1], rows[begin + i], orders);
        if (order == 0) expected = std::max(expected, NeighbourOrder::kInOrder);
        if (order < 0) expected = NeighbourOrder::kUnordered;
        if (found != NeighbourOrder::kUnordered) CHECK(steps[i] == step);
      }
      REQUIRE(found == expected);
      if (found == NeighbourOrder::kUnordered) break;
      begin += count;
    }
  }
}

TEST_CASE("A single key that rises from chunk to chunk", "[execution][sort]") {
  // Whole chunks rise; only their borders, or one row, do not.
  for (const int64_t second : {99, 100, 101}) {
    NeighbourComparer comparer({SortOrder{TypeId::kBigInt}});
    Random random(1);
    const auto compare = [&](int64_t begin) {
      std::vector<Row> rows;
      for (int64_t i = 0; i < 100; i++) rows.push_back({Value::BigInt(begin + i)});
      DataChunk chunk = MakeChunk(random, {TypeId::kBigInt}, rows);
      Vector* key = &chunk.column(0);
      uint16_t steps[kVectorSize];
      return comparer.Compare({&key, 1}, rows.size(), steps);
    };
    CHECK(compare(-199) == NeighbourOrder::kUnique);
    CHECK(compare(1) == NeighbourOrder::kUnique);
    CHECK(compare(second) == (second == 99    ? NeighbourOrder::kUnordered
                              : second == 100 ? NeighbourOrder::kInOrder
                                              : NeighbourOrder::kUnique));
  }
}

}  // namespace scaup
