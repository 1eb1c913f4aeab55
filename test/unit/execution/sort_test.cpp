// Sorting: runs and merges against a stable sort, first rows against a full sort.
#include <catch2/catch.hpp>

#include "../effort.hpp"
#include "../storage/filter_reference.hpp"
#include "execution/sort/distinct_on_operator.hpp"
#include "execution/sort/row_order.hpp"
#include "execution/sort/sort_operators.hpp"
#include "execution/sort/sort_run.hpp"
#include "execution_fixture.hpp"

namespace scaup {

using namespace test;

namespace {

int CompareRows(const Row& a, const Row& b, const std::vector<SortOrder>& orders) {
  for (size_t i = 0; i < orders.size(); i++) {
    if (a[i].is_null() || b[i].is_null()) {
      if (a[i].is_null() == b[i].is_null()) continue;
      return a[i].is_null() == orders[i].nulls_first ? -1 : 1;
    }
    const int order = OrderOf(a[i], b[i]);
    if (order != 0) return orders[i].descending ? -order : order;
  }
  return 0;
}

/// Key columns first, then a number that tells rows apart.
std::vector<Row> NumberedRows(Random& random, const std::vector<SortOrder>& orders, size_t count,
                              size_t domain) {
  std::vector<Row> rows;
  for (size_t i = 0; i < count; i++) {
    Row row;
    for (const SortOrder& order : orders) row.push_back(RandomValue(random, order.type, 10, domain));
    row.push_back(Value::BigInt(static_cast<int64_t>(i)));
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<SortOrder> RandomOrders(Random& random) {
  std::vector<SortOrder> orders;
  for (size_t i = 0; i < 1 + Below(random, 4); i++) {
    const LogicalType type = Chance(random, 35) ? LogicalType(TypeId::kVarchar)
                                                : SampleTypes()[Below(random, SampleTypes().size())];
    orders.push_back({type, Chance(random, 50), Chance(random, 50)});
  }
  return orders;
}

}  // namespace

TEST_CASE("A run sorts as a stable sort does, truncated or not", "[execution]") {
  Random random(111);
  Services services;
  for (size_t round = 0; round < test::Effort(80); round++) {
    const auto orders = RandomOrders(random);
    std::vector<LogicalType> types;
    std::vector<size_t> key_columns;
    for (const SortOrder& order : orders) {
      key_columns.push_back(types.size());
      types.push_back(order.type);
    }
    types.emplace_back(TypeId::kBigInt);
    const SortSchema schema(types, key_columns, orders);
    const size_t domain = 1 + Below(random, 60);
    auto rows = NumberedRows(random, orders, Below(random, 3000), domain);
    SortRun run(schema, services.context);
    const bool truncates = round % 2 == 1;
    const size_t keep = truncates ? Below(random, 40) : SIZE_MAX;
    for (size_t begin = 0; begin < rows.size();) {
      const size_t count = std::min(rows.size() - begin, 1 + Below(random, 1024));
      DataChunk chunk = MakeChunk(random, types,
                                  {rows.begin() + static_cast<std::ptrdiff_t>(begin),
                                   rows.begin() + static_cast<std::ptrdiff_t>(begin + count)});
      run.Append(chunk);
      begin += count;
      if (truncates && Chance(random, 40)) run.Truncate(keep);
    }
    if (truncates) run.Truncate(keep);
    std::stable_sort(rows.begin(), rows.end(),
                     [&](const Row& a, const Row& b) { return CompareRows(a, b, orders) < 0; });
    if (rows.size() > keep) rows.resize(keep);
    const ColumnCollection* collected = &run.rows();
    const auto order = OrderRows(schema, {&collected, 1}, SIZE_MAX, services.context);
    REQUIRE(order.size() == rows.size());
    for (size_t i = 0; i < order.size(); i++) {
      Vector number(TypeId::kBigInt);
      number.Reset();
      run.rows().Gather(types.size() - 1, &order[i], 1, number);
      INFO("place " << i << " of " << rows.size() << ", round " << round << ": " << TextOf(rows[i]));
      REQUIRE(number.GetValue(0) == rows[i].back());
    }
  }
}

TEST_CASE("First rows: strings that differ behind the encoded prefix, followed by another key",
          "[execution]") {
  Services services;
  const std::vector<SortOrder> orders = {{TypeId::kVarchar, false, false}, {TypeId::kInteger, false, false}};
  const SortSchema schema({TypeId::kVarchar, TypeId::kInteger}, {0, 1}, orders);
  SortRun run(schema, services.context);
  const auto append = [&](const std::string& text, int32_t number) {
    DataChunk row({TypeId::kVarchar, TypeId::kInteger});
    row.column(0).ReferenceValue(Value::Varchar(text));
    row.column(1).ReferenceValue(Value::Integer(number));
    row.SetSize(1);
    run.Append(row);
  };
  append("the same prefix Z", 5);
  append("the same prefix Z", 6);
  run.Truncate(1);
  append("the same prefix A", 9);  // Before the one kept, though its number is greater.
  append("the same prefiy", 0);
  run.Truncate(1);
  REQUIRE(run.row_count() == 1);
  Vector text(TypeId::kVarchar);
  text.Reset();
  const uint64_t row = 0;
  run.rows().Gather(0, &row, 1, text);
  CHECK(text.GetValue(0).GetString() == "the same prefix A");
}

TEST_CASE("ORDER BY and LIMIT by any number of threads", "[execution]") {
  Random random(112);
  for (size_t round = 0; round < test::Effort(18); round++) {
    const auto orders = RandomOrders(random);
    std::vector<LogicalType> types;
    for (const SortOrder& order : orders) types.push_back(order.type);
    types.emplace_back(TypeId::kBigInt);
    auto rows = NumberedRows(random, orders, round % 8 == 7 ? 0 : Below(random, round < 3 ? 30000 : 6000),
                             1 + Below(random, 2000));
    const uint64_t limit = round % 3 == 0 ? SortOperator::kNoLimit : Below(random, 300),
                   offset = round % 3 == 2 ? Below(random, 300) : 0;
    auto expected = rows;
    std::stable_sort(expected.begin(), expected.end(),
                     [&](const Row& a, const Row& b) { return CompareRows(a, b, orders) < 0; });
    expected.erase(expected.begin(), expected.begin() + static_cast<std::ptrdiff_t>(
                                                            std::min<uint64_t>(offset, expected.size())));
    if (expected.size() > limit) expected.resize(limit);
    for (const size_t threads : {1, 2, 4}) {
      Query query(threads);
      std::vector<ExpressionPtr> keys;
      for (size_t i = 0; i < orders.size(); i++) keys.push_back(Reference(orders[i].type, i));
      const SortOperator sort(Rows(types, rows, 1 + Below(random, 1024), round), std::move(keys), orders,
                              limit, offset);
      const auto result = RunPlan(query.context, sort);
      REQUIRE(result.size() == expected.size());
      for (size_t i = 0; i < result.size(); i++) {
        INFO("row " << i << ", " << threads << " threads, round " << round << ": " << TextOf(result[i])
                    << " for " << TextOf(expected[i]));
        REQUIRE(CompareRows(result[i], expected[i], orders) == 0);
        if (threads == 1) REQUIRE(result[i].back() == expected[i].back());
      }
      if (limit == SortOperator::kNoLimit && offset == 0) REQUIRE(SortedTexts(result) == SortedTexts(rows));
    }
  }
}

TEST_CASE("LIMIT near the greatest number keeps everything", "[execution]") {
  Random random(113);
  const std::vector<SortOrder> orders = {{TypeId::kInteger}};
  const auto rows = NumberedRows(random, orders, 20000, 1000);
  Query query;
  for (const uint64_t limit : {uint64_t{INT64_MAX}, UINT64_MAX - 1 - INT64_MAX}) {
    std::vector<ExpressionPtr> keys;
    keys.push_back(Reference(TypeId::kInteger, 0));
    const SortOperator sort(Rows({TypeId::kInteger, TypeId::kBigInt}, rows), std::move(keys), orders, limit,
                            0);
    CHECK(RunPlan(query.context, sort).size() == rows.size());
  }
  std::vector<ExpressionPtr> keys;
  keys.push_back(Reference(TypeId::kInteger, 0));
  const SortOperator none(Rows({TypeId::kInteger, TypeId::kBigInt}, rows), std::move(keys), orders, INT64_MAX,
                          INT64_MAX);
  CHECK(RunPlan(query.context, none).empty());
}

TEST_CASE("DISTINCT ON keeps the first row of each key", "[execution]") {
  Random random(114);
  const std::vector<SortOrder> orders = {{TypeId::kVarchar}, {TypeId::kDouble}};
  const auto rows = NumberedRows(random, orders, 5000, 20);
  const std::vector<LogicalType> types = {TypeId::kVarchar, TypeId::kDouble, TypeId::kBigInt};
  std::vector<Row> expected;
  for (const Row& row : rows) {
    const bool is_new = std::none_of(expected.begin(), expected.end(),
                                     [&](const Row& other) { return CompareRows(row, other, orders) == 0; });
    if (is_new) expected.push_back(row);
  }
  Query query(2);
  std::vector<ExpressionPtr> keys;
  for (size_t i = 0; i < 2; i++) keys.push_back(Reference(types[i], i));
  const DistinctOnOperator distinct(Rows(types, rows, 100), std::move(keys), {});
  CHECK(SortedTexts(RunPlan(query.context, distinct)) == SortedTexts(expected));
}

}  // namespace scaup
