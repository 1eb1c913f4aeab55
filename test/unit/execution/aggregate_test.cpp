// GROUP BY and aggregates over random rows, by several threads, against a reference.
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "../effort.hpp"
#include "execution/aggregate/hash_aggregate.hpp"
#include "execution/aggregate/ungrouped_aggregate.hpp"
#include "execution_fixture.hpp"

namespace scaup {

using namespace test;

namespace {

const std::vector<LogicalType> kTypes = {TypeId::kVarchar, TypeId::kInteger, TypeId::kInteger,
                                         TypeId::kVarchar, TypeId::kBoolean};

AggregateSpecification Aggregate(const char* name, std::vector<size_t> arguments, bool distinct = false,
                                 std::optional<size_t> filter = std::nullopt) {
  std::vector<BindArgument> types;
  for (const size_t argument : arguments) types.push_back({kTypes[argument], nullptr});
  ResolvedAggregate resolved = ResolveAggregate(FunctionRegistry::Builtin(), name, types);
  return {std::move(resolved.function), std::move(resolved.data), std::move(arguments), filter, distinct};
}

/// count(*), count(c2), sum(c2), min(c3), max(c3), sum(DISTINCT c2), count(DISTINCT c3) FILTER (WHERE c4)
std::vector<AggregateSpecification> Aggregates() {
  std::vector<AggregateSpecification> list;
  list.push_back(Aggregate("count_star", {}));
  list.push_back(Aggregate("count", {2}));
  list.push_back(Aggregate("sum", {2}));
  list.push_back(Aggregate("min", {3}));
  list.push_back(Aggregate("max", {3}));
  list.push_back(Aggregate("sum", {2}, true));
  list.push_back(Aggregate("count", {3}, true, 4));
  return list;
}

struct Group {
  int64_t rows = 0, numbers = 0, sum = 0, filtered_distinct = 0;
  std::optional<std::string> least, greatest;
  std::set<int64_t> distinct;
  std::set<std::string> distinct_texts;

  void Add(const Row& row) {
    rows++;
    if (!row[2].is_null()) {
      numbers++;
      sum += static_cast<int64_t>(row[2].GetInteger());
      distinct.insert(static_cast<int64_t>(row[2].GetInteger()));
    }
    if (row[3].is_null()) return;
    const std::string& text = row[3].GetString();
    least = least ? std::min(*least, text) : text;
    greatest = greatest ? std::max(*greatest, text) : text;
    if (!row[4].is_null() && row[4].GetBoolean()) distinct_texts.insert(text);
  }
  std::string Text() const {
    int64_t distinct_sum = 0;
    for (const int64_t value : distinct) distinct_sum += value;
    return std::to_string(rows) + '|' + std::to_string(numbers) + '|' +
           (numbers == 0 ? "NULL" : std::to_string(sum)) + '|' + least.value_or("NULL") + '|' +
           greatest.value_or("NULL") + '|' + (numbers == 0 ? "NULL" : std::to_string(distinct_sum)) + '|' +
           std::to_string(distinct_texts.size()) + '|';
  }
};

std::vector<LogicalType> OutputTypes(size_t group_count,
                                     const std::vector<AggregateSpecification>& aggregates) {
  std::vector<LogicalType> types(kTypes.begin(), kTypes.begin() + static_cast<std::ptrdiff_t>(group_count));
  for (const auto& aggregate : aggregates) types.push_back(aggregate.function.return_type);
  return types;
}

}  // namespace

TEST_CASE("Groups with all kinds of aggregates, merged from any number of threads", "[execution]") {
  Random random(131);
  for (size_t round = 0; round < test::Effort(12); round++) {
    const size_t group_count = round % 3;
    const size_t domain = round % 4 == 3 ? 5000 : 8;  // Enough groups to be merged by partition, or few.
    auto rows = RandomRows(random, kTypes, round == 0 ? 0 : Below(random, round % 4 == 3 ? 20000 : 6000), 10,
                           domain, false);
    std::map<std::string, Group> groups;
    if (group_count == 0) groups[""];
    for (const Row& row : rows)
      groups[TextOf(Row(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(group_count)))].Add(row);
    std::vector<std::string> expected;
    for (const auto& [key, group] : groups) expected.push_back(key + group.Text());
    std::sort(expected.begin(), expected.end());
    for (const size_t threads : {1, 2, 4}) {
      Query query(threads);
      auto aggregates = Aggregates();
      auto types = OutputTypes(group_count, aggregates);
      const HashAggregate aggregate(Rows(kTypes, rows, 1 + Below(random, 1024), round), group_count,
                                    std::move(aggregates), types);
      INFO("round " << round << ", " << threads << " threads");
      REQUIRE(SortedTexts(RunPlan(query.context, aggregate)) == expected);
    }
  }
}

TEST_CASE("Aggregates without groups", "[execution]") {
  Random random(132);
  for (const size_t count : {0, 1, 1024, 20000}) {
    const auto rows = RandomRows(random, kTypes, count, 10, 100, false);
    Group all;
    for (const Row& row : rows) all.Add(row);
    for (const size_t threads : {1, 3}) {
      Query query(threads);
      auto aggregates = Aggregates();
      aggregates.resize(5);  // Those with DISTINCT go to the hash aggregate.
      const auto types = OutputTypes(0, aggregates);
      const UngroupedAggregate aggregate(Rows(kTypes, rows, 100), std::move(aggregates), types);
      const auto result = SortedTexts(RunPlan(query.context, aggregate));
      REQUIRE(result.size() == 1);
      CHECK(all.Text().starts_with(result[0]));
    }
  }
}

TEST_CASE("Distinct rows: groups without aggregates", "[execution]") {
  Random random(133);
  const auto rows = RandomRows(random, kTypes, 20000, 10, 4, false);
  auto texts = SortedTexts(rows);
  texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
  Query query(3);
  const HashAggregate aggregate(Rows(kTypes, rows, 700), kTypes.size(), {}, kTypes);
  CHECK(SortedTexts(RunPlan(query.context, aggregate)) == texts);
}

}  // namespace scaup
