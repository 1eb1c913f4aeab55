// Range joins of all types, over all types of keys, against nested loops; and what they find them with.
#include <catch2/catch.hpp>

#include "../effort.hpp"
#include "execution/join/nested_loop_join.hpp"
#include "execution/join/range_join.hpp"
#include "execution_fixture.hpp"
#include "planner/node/join.hpp"
#include "scaup/error.hpp"

namespace scaup {

using namespace test;

namespace {

constexpr LogicalJoinType kJoinTypes[] = {
    LogicalJoinType::kInner, LogicalJoinType::kLeft, LogicalJoinType::kRight, LogicalJoinType::kFull,
    LogicalJoinType::kSemi,  LogicalJoinType::kAnti, LogicalJoinType::kMark};
constexpr ComparisonOp kInequalities[] = {ComparisonOp::kLess, ComparisonOp::kLessEqual,
                                          ComparisonOp::kGreater, ComparisonOp::kGreaterEqual};

std::vector<LogicalType> OutputTypes(LogicalJoinType type, const std::vector<LogicalType>& left,
                                     const std::vector<LogicalType>& right) {
  std::vector<LogicalType> types = left;
  if (EmitsRight(type)) types.insert(types.end(), right.begin(), right.end());
  if (type == LogicalJoinType::kMark) types.emplace_back(TypeId::kBoolean);
  return types;
}

/// One inequality of a join, by the columns it compares; of integers perhaps as BIGINT.
struct Inequality {
  ComparisonOp op;
  size_t left;
  size_t right;
  bool is_computed;
};

/// Left and right rows, and how to make joins of them.
struct Join {
  std::vector<LogicalType> left_types, right_types;
  std::vector<Row> left, right;
  std::vector<Inequality> inequalities;
  bool has_residual = false;

  ExpressionPtr Key(const std::vector<LogicalType>& types, size_t column, size_t offset,
                    bool computed) const {
    auto key = test::Reference(types[column], offset + column);
    return computed ? AddCast(std::move(key), TypeId::kBigInt) : std::move(key);
  }
  ExpressionPtr Residual() const {
    return Compare(ComparisonOp::kNotEqual, test::Reference(TypeId::kInteger, 2),
                   test::Reference(TypeId::kInteger, left_types.size() + 3));
  }
  std::unique_ptr<PhysicalOperator> Ranged(LogicalJoinType type, size_t chunk, uint64_t seed) const {
    std::vector<RangeJoinCondition> conditions;
    for (const Inequality& each : inequalities)
      conditions.push_back({each.op, Key(left_types, each.left, 0, each.is_computed),
                            Key(right_types, each.right, 0, each.is_computed)});
    return std::make_unique<RangeJoin>(type, Rows(left_types, left, chunk, seed),
                                       Rows(right_types, right, chunk, seed), std::move(conditions),
                                       has_residual ? Residual() : nullptr,
                                       OutputTypes(type, left_types, right_types));
  }
  std::unique_ptr<PhysicalOperator> Nested(LogicalJoinType type) const {
    std::vector<ExpressionPtr> all;
    for (const Inequality& each : inequalities)
      all.push_back(Compare(each.op, Key(left_types, each.left, 0, each.is_computed),
                            Key(right_types, each.right, left_types.size(), each.is_computed)));
    if (has_residual) all.push_back(Residual());
    return std::make_unique<NestedLoopJoin>(type, Rows(left_types, left), Rows(right_types, right),
                                            MakeAnd(std::move(all)),
                                            OutputTypes(type, left_types, right_types));
  }
};

Join RandomJoin(Random& random, size_t round) {
  const LogicalType type = SampleTypes()[round % SampleTypes().size()];
  Join join;
  join.left_types = {type, type, TypeId::kInteger, TypeId::kVarchar};
  join.right_types = {TypeId::kVarchar, type, type, TypeId::kInteger};
  // Few left rows and several pieces of right ones, or many of both; sometimes none.
  const bool has_pieces = round % 3 == 0;
  const size_t nulls = round % 2 == 0 ? 8 : 0;
  const size_t domain = round % 5 == 4 ? 3 : 100;
  join.left = RandomRows(random, join.left_types, round % 17 == 16 ? 0 : Below(random, has_pieces ? 20 : 300),
                         nulls, domain, true);
  join.right = RandomRows(random, join.right_types,
                          round % 19 == 18 ? 0 : Below(random, has_pieces ? 4000 : 300), nulls, domain, true);
  const size_t count = 1 + Below(random, 4);
  for (size_t i = 0; i < count; i++) {
    const ComparisonOp op = kInequalities[Below(random, 4)];
    const bool of_integers = Chance(random, 20);
    join.inequalities.push_back({op, of_integers ? 2 : Below(random, 2),
                                 of_integers ? 3 : 1 + Below(random, 2), of_integers && Chance(random, 50)});
  }
  join.has_residual = Chance(random, 30);
  return join;
}

/// Counts the rows of a task.
struct CountingSink final : ChunkSink {
  void Consume(DataChunk& chunk) override { row_count += chunk.size(); }
  size_t row_count = 0;
};

size_t CountRows(QueryContext& context, const PhysicalOperator& plan, SharedState& shared) {
  OperatorProfile profile;
  const auto sinks =
      DrainParallel(context, plan, shared, profile, [](size_t) { return std::make_unique<CountingSink>(); });
  size_t row_count = 0;
  for (const auto& sink : sinks) row_count += static_cast<CountingSink&>(*sink).row_count;
  return row_count;
}

}  // namespace

TEST_CASE("Range joins give what nested loops give", "[execution]") {
  Random random(311);
  for (size_t round = 0; round < test::Effort(120); round++) {
    const Join join = RandomJoin(random, round);
    for (const LogicalJoinType type : kJoinTypes) {
      const bool has_null_marks = join.inequalities.size() == 1 && !join.has_residual;
      Query one(1);
      std::vector<Row> expected = RunPlan(one.context, *join.Nested(type));
      for (Row& row : expected) {
        if (type == LogicalJoinType::kMark && !has_null_marks && row.back().is_null())
          row.back() = Value::Boolean(false);
      }
      const std::vector<std::string> expected_texts = SortedTexts(expected);
      const int of_blocks = round % 2 == 0 ? 1 : 3;
      for (const auto& [threads, is_forced] : {std::pair{1, false}, {3, false}, {of_blocks, true}}) {
        Query query(threads);
        if (is_forced) query.services.settings.force_partitions = ForcedPartitions::kSpilled;
        INFO(JoinTypeName(type) << " on " << join.left_types[0].ToString() << ", " << threads
                                << " threads, round " << round << (is_forced ? ", in blocks" : ""));
        const auto ranged = join.Ranged(type, 1 + Below(random, threads == 1 ? 1024 : 50), round);
        REQUIRE(SortedTexts(RunPlan(query.context, *ranged)) == expected_texts);
      }
    }
  }
}

TEST_CASE("A range join of two inequalities looks at few rows besides those it finds", "[execution]") {
  // Intervals that hardly overlap, and points: by the order of their beginnings alone, half of all pairs
  // would be candidates, which takes minutes.
  Join join;
  join.left_types = {TypeId::kInteger};
  join.right_types = {TypeId::kInteger, TypeId::kInteger};
  constexpr int kCount = 200000;
  for (int i = 0; i < kCount; i++) {
    join.left.push_back({Value::Integer(i)});
    join.right.push_back({Value::Integer(i), Value::Integer(i + 2)});
  }
  join.inequalities = {{ComparisonOp::kGreaterEqual, 0, 0, false}, {ComparisonOp::kLess, 0, 1, false}};
  Query query(2);
  CHECK(RunPlan(query.context, *join.Ranged(LogicalJoinType::kInner, 1024, 1)).size() == 2 * kCount - 1);
}

TEST_CASE("A single range join refuses a second match", "[execution]") {
  Join join;
  join.left_types = join.right_types = {TypeId::kInteger};
  join.left = {{Value::Integer(1)}, {Value::Integer(5)}};
  join.right = {{Value::Integer(2)}};
  join.inequalities = {{ComparisonOp::kLess, 0, 0, false}};
  Query query(1), spilled(3);
  spilled.services.settings.force_partitions = ForcedPartitions::kSpilled;
  for (Query* each : {&query, &spilled})
    CHECK(SortedTexts(RunPlan(each->context, *join.Ranged(LogicalJoinType::kSingle, 10, 1))) ==
          std::vector<std::string>{"1|2|", "5|NULL|"});
  for (int i = 0; i < 200; i++) {
    join.right.push_back({Value::Integer(3)});
    for (Query* each : {&query, &spilled})
      CHECK_THROWS_AS(RunPlan(each->context, *join.Ranged(LogicalJoinType::kSingle, 10, 1)), Error);
  }
}

TEST_CASE("A single range join refuses a second match in another block", "[execution]") {
  // Several tasks have a block each, in which no left row matches twice.
  Join join;
  join.left_types = join.right_types = {TypeId::kInteger};
  for (int i = 0; i < 30000; i++) {
    join.left.push_back({Value::Integer(i)});
    join.right.push_back({Value::Integer(i % 15000)});
  }
  join.inequalities = {{ComparisonOp::kLessEqual, 0, 0, false}, {ComparisonOp::kGreaterEqual, 0, 0, false}};
  for (const size_t threads : {1, 3}) {
    Query query(threads);
    query.services.settings.force_partitions = ForcedPartitions::kSpilled;
    CHECK_THROWS_AS(RunPlan(query.context, *join.Ranged(LogicalJoinType::kSingle, 1024, 1)), Error);
  }
}

TEST_CASE("A range join in little memory takes as many blocks as it needs", "[execution]") {
  Join join;
  join.left_types = join.right_types = {TypeId::kBigInt, TypeId::kVarchar};
  for (int i = 0; i < 30000; i++) {
    join.right.push_back({Value::BigInt(2 * i), Value::Varchar("some text of more than twelve bytes")});
    join.left.push_back({Value::BigInt(29000 + i), Value::Varchar("some text of more than twelve bytes")});
  }
  join.inequalities = {{ComparisonOp::kLessEqual, 0, 0, false}, {ComparisonOp::kGreaterEqual, 0, 0, false}};
  for (const size_t threads : {1, 3}) {
    for (const size_t megabytes : {4, 1000}) {
      Query query(threads, megabytes << 20);
      INFO(threads << " threads, " << megabytes << " MB");
      const auto plan = join.Ranged(LogicalJoinType::kFull, 1024, 1);
      {
        const auto shared = plan->MakeShared(query.context);
        plan->Prepare(query.context, *shared);
        // The left rows, of which half have a partner, and the right ones without.
        CHECK(CountRows(query.context, *plan, *shared) == 30000 + 15000);
        const std::vector<std::string> details = plan->RunDetails(*shared);
        CHECK(details.empty() == (megabytes == 1000));
        for (const std::string& line : details) CHECK(line.starts_with("spilled: "));
      }
      CHECK(query.services.memory.used_bytes() == 0);
    }
  }
}

TEST_CASE("A range join takes no more memory than it may", "[execution]") {
  Join join;
  join.left_types = join.right_types = {TypeId::kBigInt, TypeId::kVarchar};
  for (int i = 0; i < 20000; i++)
    join.right.push_back({Value::BigInt(i), Value::Varchar("some text of more than twelve bytes")});
  join.left = {{Value::BigInt(19990), Value::Varchar("")}};
  join.inequalities = {{ComparisonOp::kLess, 0, 0, false}};
  size_t fits = 0;
  for (size_t limit = size_t{1} << 16; fits == 0 && limit < size_t{1} << 30; limit += limit / 4) {
    Query query(1, limit);
    try {
      fits = RunPlan(query.context, *join.Ranged(LogicalJoinType::kInner, 1024, 1)).size();
    } catch (const Error& error) {
      REQUIRE(std::string(error.sqlstate()) == "53200");
    }
    CHECK(query.services.memory.used_bytes() == 0);
  }
  CHECK(fits == 9);
}

}  // namespace scaup
