// Hash and nested-loop joins of all types against a brute-force reference.
#include <catch2/catch.hpp>

#include <atomic>
#include <thread>

#include "../effort.hpp"
#include "execution/join/hash_join.hpp"
#include "execution/join/join_output.hpp"
#include "execution/join/nested_loop_join.hpp"
#include "execution_fixture.hpp"
#include "expression/expression_executor.hpp"
#include "planner/node/join.hpp"
#include "scaup/error.hpp"

namespace scaup {

using namespace test;

namespace {

constexpr LogicalJoinType kJoinTypes[] = {
    LogicalJoinType::kInner, LogicalJoinType::kLeft, LogicalJoinType::kRight, LogicalJoinType::kFull,
    LogicalJoinType::kSemi,  LogicalJoinType::kAnti, LogicalJoinType::kMark};
/// With those that only hash joins have.
constexpr LogicalJoinType kHashJoinTypes[] = {
    LogicalJoinType::kInner,     LogicalJoinType::kLeft,      LogicalJoinType::kRight,
    LogicalJoinType::kFull,      LogicalJoinType::kSemi,      LogicalJoinType::kAnti,
    LogicalJoinType::kRightSemi, LogicalJoinType::kRightAnti, LogicalJoinType::kMark};

/// -1 false, 0 unknown, 1 true
using Condition = std::function<int(const Row& left, const Row& right)>;

std::vector<Row> Reference(LogicalJoinType type, const std::vector<LogicalType>& left_types,
                           const std::vector<LogicalType>& right_types, const std::vector<Row>& left,
                           const std::vector<Row>& right, const Condition& condition) {
  std::vector<Row> result;
  std::vector<bool> right_matched(right.size(), false);
  for (const Row& l : left) {
    bool matched = false, unknown = false;
    for (size_t r = 0; r < right.size(); r++) {
      const int truth = condition(l, right[r]);
      unknown = unknown || truth == 0;
      if (truth != 1) continue;
      matched = right_matched[r] = true;
      if (!EmitsLeft(type) || !EmitsRight(type)) continue;
      Row row = l;
      row.insert(row.end(), right[r].begin(), right[r].end());
      result.push_back(std::move(row));
    }
    Row row = l;
    if (type == LogicalJoinType::kMark) {
      row.push_back(matched   ? Value::Boolean(true)
                    : unknown ? Value(TypeId::kBoolean)
                              : Value::Boolean(false));
      result.push_back(std::move(row));
    } else if ((type == LogicalJoinType::kSemi && matched) || (type == LogicalJoinType::kAnti && !matched)) {
      result.push_back(std::move(row));
    } else if (KeepsLeft(type) && !matched) {
      for (const LogicalType& right_type : right_types) row.emplace_back(right_type);
      result.push_back(std::move(row));
    }
  }
  for (size_t r = 0; r < right.size(); r++) {
    const bool keeps_matched = type == LogicalJoinType::kRightSemi;
    if (!(keeps_matched || KeepsRight(type)) || right_matched[r] != keeps_matched) continue;
    Row row;
    for (size_t i = 0; EmitsLeft(type) && i < left_types.size(); i++) row.emplace_back(left_types[i]);
    row.insert(row.end(), right[r].begin(), right[r].end());
    result.push_back(std::move(row));
  }
  return result;
}

std::vector<LogicalType> OutputTypes(LogicalJoinType type, const std::vector<LogicalType>& left,
                                     const std::vector<LogicalType>& right) {
  std::vector<LogicalType> types;
  if (EmitsLeft(type)) types = left;
  if (EmitsRight(type)) types.insert(types.end(), right.begin(), right.end());
  if (type == LogicalJoinType::kMark) types.emplace_back(TypeId::kBoolean);
  return types;
}

int Equal(const Value& a, const Value& b, bool nulls_equal) {
  if (a.is_null() || b.is_null()) return nulls_equal ? (a.is_null() == b.is_null() ? 1 : -1) : 0;
  // Texts of equal numbers are the same here: -0.0 and NaN payloads do not occur.
  return a.ToString() == b.ToString() ? 1 : -1;
}
int And(int a, int b) { return std::min(a, b); }

}  // namespace

TEST_CASE("Hash joins of all types", "[execution]") {
  Random random(101);
  for (size_t round = 0; round < test::Effort(30); round++) {
    const LogicalType key_type = SampleTypes()[Below(random, SampleTypes().size())];
    const bool two_keys = round % 3 == 1, has_residual = round % 4 == 2, nulls_equal = round % 5 == 3;
    const std::vector<LogicalType> left_types = {key_type, TypeId::kInteger, TypeId::kVarchar};
    const std::vector<LogicalType> right_types = {TypeId::kVarchar, key_type, TypeId::kInteger};
    const size_t domain = round % 6 == 5 ? 2 : 40;  // Long chains, or short ones.
    const size_t nulls = round % 2 == 0 ? 10 : 0;
    const auto left = RandomRows(random, left_types, Below(random, 400), nulls, domain, false);
    const auto right =
        RandomRows(random, right_types, round % 10 == 9 ? 0 : Below(random, domain == 2 ? 60 : 400), nulls,
                   domain, false);
    for (const LogicalJoinType type : kHashJoinTypes) {
      if (type == LogicalJoinType::kMark && (two_keys || has_residual)) continue;  // Planned as nested loops.
      const Condition condition = [&](const Row& l, const Row& r) {
        int truth = Equal(l[0], r[1], nulls_equal);
        if (two_keys) truth = And(truth, Equal(l[1], r[2], false));
        if (has_residual)
          truth = And(truth, l[1].is_null() || r[2].is_null()        ? 0
                             : l[1].GetInteger() < r[2].GetInteger() ? 1
                                                                     : -1);
        return truth;
      };
      const auto expected = SortedTexts(Reference(type, left_types, right_types, left, right, condition));
      for (const size_t threads : {1, 2, 4}) {
        Query query(threads);
        std::vector<HashJoinKey> keys;
        keys.push_back({test::Reference(key_type, 0), test::Reference(key_type, 1), nulls_equal});
        if (two_keys)
          keys.push_back({test::Reference(TypeId::kInteger, 1), test::Reference(TypeId::kInteger, 2), false});
        ExpressionPtr residual;
        if (has_residual)
          residual = Compare(ComparisonOp::kLess, test::Reference(TypeId::kInteger, 1),
                             test::Reference(TypeId::kInteger, 5));
        const size_t chunk = 1 + Below(random, threads == 2 ? 7 : 1024);
        const HashJoin join(type, Rows(left_types, left, chunk, round),
                            Rows(right_types, right, 1 + Below(random, 300), round), std::move(keys),
                            std::move(residual), OutputTypes(type, left_types, right_types));
        INFO(JoinTypeName(type) << " on " << key_type.ToString() << ", " << threads << " threads, round "
                                << round);
        REQUIRE(SortedTexts(RunPlan(query.context, join)) == expected);
      }
    }
  }
}

TEST_CASE("Nested-loop joins of all types", "[execution]") {
  Random random(102);
  const std::vector<LogicalType> left_types = {TypeId::kInteger, TypeId::kVarchar},
                                 right_types = {TypeId::kInteger, TypeId::kVarchar};
  for (size_t round = 0; round < 30; round++) {
    const bool is_cross = round % 5 == 4;
    const auto left = RandomRows(random, left_types, Below(random, 120), 10, 40, false);
    const size_t right_count = round % 7 == 0 ? 0 : round % 7 == 1 ? 1 : Below(random, 100);
    const auto right = RandomRows(random, right_types, right_count, 10, 40, false);
    for (const LogicalJoinType type : kJoinTypes) {
      const Condition condition = [&](const Row& l, const Row& r) {
        if (is_cross) return 1;
        if (l[0].is_null() || r[0].is_null()) return 0;
        return l[0].GetInteger() < r[0].GetInteger() ? 1 : -1;
      };
      const auto expected = SortedTexts(Reference(type, left_types, right_types, left, right, condition));
      for (const size_t threads : {1, 3}) {
        Query query(threads);
        ExpressionPtr predicate;
        if (!is_cross)
          predicate = Compare(ComparisonOp::kLess, test::Reference(TypeId::kInteger, 0),
                              test::Reference(TypeId::kInteger, 2));
        const NestedLoopJoin join(type, Rows(left_types, left, 1 + Below(random, 50), round),
                                  Rows(right_types, right, 1 + Below(random, 50), round),
                                  std::move(predicate), OutputTypes(type, left_types, right_types));
        INFO(JoinTypeName(type) << ", " << threads << " threads, round " << round);
        REQUIRE(SortedTexts(RunPlan(query.context, join)) == expected);
      }
    }
  }
}

TEST_CASE("A single join refuses a second match and keeps rows without one", "[execution]") {
  const std::vector<LogicalType> types = {TypeId::kInteger};
  const auto numbers = [](std::initializer_list<int> values) {
    std::vector<Row> rows;
    for (const int value : values) rows.push_back({Value::Integer(value)});
    return rows;
  };
  const auto left = numbers({1, 2, 3, 3}), unique = numbers({1, 3, 9}), twice = numbers({1, 3, 3});
  const std::vector<LogicalType> output = {TypeId::kInteger, TypeId::kInteger};
  Query query(2);
  const auto run = [&](const std::vector<Row>& right, bool hashed) {
    if (!hashed) {
      const NestedLoopJoin join(LogicalJoinType::kSingle, Rows(types, left), Rows(types, right),
                                Compare(ComparisonOp::kEqual, test::Reference(TypeId::kInteger, 0),
                                        test::Reference(TypeId::kInteger, 1)),
                                output);
      return SortedTexts(RunPlan(query.context, join));
    }
    std::vector<HashJoinKey> keys;
    keys.push_back({test::Reference(TypeId::kInteger, 0), test::Reference(TypeId::kInteger, 0)});
    const HashJoin join(LogicalJoinType::kSingle, Rows(types, left), Rows(types, right), std::move(keys),
                        nullptr, output);
    return SortedTexts(RunPlan(query.context, join));
  };
  for (const bool hashed : {true, false}) {
    CHECK(run(unique, hashed) == std::vector<std::string>{"1|1|", "2|NULL|", "3|3|", "3|3|"});
    CHECK_THROWS_AS(run(twice, hashed), Error);
  }
}

TEST_CASE("Joins built in joins count their unmatched rows once, with any number of threads", "[execution]") {
  Random random(103);
  const std::vector<LogicalType> types = {TypeId::kInteger};
  const std::vector<LogicalType> two = {TypeId::kInteger, TypeId::kInteger},
                                 three = {TypeId::kInteger, TypeId::kInteger, TypeId::kInteger};
  const auto a = RandomRows(random, types, 500, 5, 300, false),
             b = RandomRows(random, types, 500, 5, 300, false),
             c = RandomRows(random, types, 500, 5, 300, false);
  const Condition first = [](const Row& l, const Row& r) { return Equal(l[0], r[0], false); };
  const Condition second = [](const Row& l, const Row& r) { return Equal(l[1], r[0], false); };
  const auto inner = Reference(LogicalJoinType::kFull, types, types, a, b, first);
  const auto expected = SortedTexts(Reference(LogicalJoinType::kFull, two, types, inner, c, second));
  for (size_t round = 0; round < 20; round++) {
    for (const size_t threads : {1, 2, 4}) {
      Query query(threads);
      std::vector<HashJoinKey> keys, outer_keys;
      keys.push_back({test::Reference(TypeId::kInteger, 0), test::Reference(TypeId::kInteger, 0)});
      outer_keys.push_back({test::Reference(TypeId::kInteger, 1), test::Reference(TypeId::kInteger, 0)});
      auto below = std::make_unique<HashJoin>(LogicalJoinType::kFull, Rows(types, a, 13), Rows(types, b, 17),
                                              std::move(keys), nullptr, two);
      const HashJoin join(LogicalJoinType::kFull, std::move(below), Rows(types, c, 19), std::move(outer_keys),
                          nullptr, three);
      REQUIRE(SortedTexts(RunPlan(query.context, join)) == expected);
    }
  }
}

TEST_CASE("Tasks that begin when there are no left rows any more share the unmatched rows", "[execution]") {
  constexpr size_t kRows = 100'000;
  const std::vector<LogicalType> types = {TypeId::kInteger};
  std::vector<Row> right;
  for (size_t i = 0; i < kRows; i++) right.push_back({Value::Integer(static_cast<int32_t>(i))});
  const std::vector<Row> left;
  const std::vector<LogicalType> output_types = {TypeId::kInteger, TypeId::kInteger};
  for (size_t round = 0; round < test::Effort(20); round++) {
    Query query(2);
    std::vector<HashJoinKey> keys;
    keys.push_back({test::Reference(TypeId::kInteger, 0), test::Reference(TypeId::kInteger, 0)});
    const HashJoin join(LogicalJoinType::kFull, Rows(types, left), Rows(types, right), std::move(keys),
                        nullptr, output_types);
    const auto shared = join.MakeShared(query.context);
    join.Prepare(query.context, *shared);
    std::vector<std::atomic<uint8_t>> times(kRows);
    std::atomic<size_t> running{0};
    query.services.scheduler.RunAll(2, [&](size_t) {
      running++;
      for (size_t spin = 0; running != 2 && spin < 1'000'000; spin++) std::this_thread::yield();
      const auto local = join.MakeLocal(query.context, *shared);
      DataChunk output(output_types);
      while (true) {
        join.Next(query.context, *shared, *local, output);
        if (output.size() == 0) return;
        const auto values = output.column(1).ViewAs<int32_t>(output.size());
        for (size_t row = 0; row < output.size(); row++) times[static_cast<size_t>(values[row])]++;
      }
    });
    CHECK(std::all_of(times.begin(), times.end(), [](const auto& count) { return count == 1; }));
  }
}

}  // namespace scaup
