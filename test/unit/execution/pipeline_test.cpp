// What all operators owe: order of results, early stops, interruption, memory limits, errors that leak
// nothing.
#include <catch2/catch.hpp>
#include <thread>

#include "../effort.hpp"
#include "execution/aggregate/hash_aggregate.hpp"
#include "execution/join/hash_join.hpp"
#include "execution/join/nested_loop_join.hpp"
#include "execution/rows/column_collection.hpp"
#include "execution/sort/distinct_on_operator.hpp"
#include "execution/sort/sort_operators.hpp"
#include "execution/stream/streaming_operators.hpp"
#include "execution_fixture.hpp"
#include "planner/node/join.hpp"
#include "scaup/error.hpp"

namespace scaup {

using namespace test;

namespace {

const std::vector<LogicalType> kTypes = {TypeId::kInteger, TypeId::kVarchar};

std::vector<Row> Numbered(size_t count) {
  std::vector<Row> rows;
  for (size_t i = 0; i < count; i++)
    rows.push_back({Value::Integer(static_cast<int32_t>(i)),
                    Value::Varchar("a text that is not short, number " + std::to_string(i))});
  return rows;
}

std::vector<HashJoinKey> FirstColumns() {
  std::vector<HashJoinKey> keys;
  keys.push_back({Reference(TypeId::kInteger, 0), Reference(TypeId::kInteger, 0)});
  return keys;
}

/// Every breaker over the source.
std::vector<PhysicalOperatorPtr> Plans(const std::function<PhysicalOperatorPtr()>& source,
                                       const std::vector<Row>& few) {
  std::vector<PhysicalOperatorPtr> plans;
  plans.push_back(source());
  std::vector<LogicalType> joined = kTypes;
  joined.insert(joined.end(), kTypes.begin(), kTypes.end());
  plans.push_back(std::make_unique<HashJoin>(LogicalJoinType::kFull, source(), Rows(kTypes, few),
                                             FirstColumns(), nullptr, joined));
  plans.push_back(std::make_unique<HashJoin>(LogicalJoinType::kFull, Rows(kTypes, few), source(),
                                             FirstColumns(), nullptr, joined));
  plans.push_back(
      std::make_unique<NestedLoopJoin>(LogicalJoinType::kLeft, Rows(kTypes, few), source(), nullptr, joined));
  plans.push_back(
      std::make_unique<HashAggregate>(source(), 2, std::vector<AggregateSpecification>{}, kTypes));
  plans.push_back(std::make_unique<SortOperator>(source(), List(Reference(TypeId::kVarchar, 1)),
                                                 std::vector<SortOrder>{{TypeId::kVarchar}}));
  plans.push_back(std::make_unique<DistinctOnOperator>(source(), List(Reference(TypeId::kVarchar, 1)),
                                                       std::vector<SortOrder>()));
  return plans;
}

/// The first task to begin takes the memory and fails; the other needs it.
class ContendingSink final : public ChunkSink {
 public:
  ContendingSink(MemoryGrant& grant, std::atomic<int>& tasks_begun, std::atomic<bool>& is_granted)
      : tasks_begun_(tasks_begun), is_granted_(is_granted), memory_(grant), rows_(memory_.account()) {}

  void Consume(DataChunk&) override {
    constexpr size_t kMost = size_t{5} << 20;
    if (tasks_begun_.fetch_add(1) == 0) {
      memory_.Require(kMost);
      rows_.Resize(kMost);
      while (tasks_begun_ < 3) std::this_thread::yield();
      throw Error(ErrorKind::kConversion, "22000", "the first task fails");
    }
    CHECK_FALSE(memory_.TryGrow(kMost));
    tasks_begun_++;
    for (int i = 0; i < 60'000 && !is_granted_; i++) {
      is_granted_ = memory_.TryGrow(kMost);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

 private:
  std::atomic<int>& tasks_begun_;
  std::atomic<bool>& is_granted_;
  TaskMemory memory_;
  MemoryReservation rows_;
};

}  // namespace

TEST_CASE("The memory of a task that has failed is free for the others", "[execution][spill]") {
  const auto rows = Numbered(2);
  Query query(2, size_t{10} << 20);
  const auto source = Rows(kTypes, rows, 1);
  const auto shared = source->MakeShared(query.context);
  OperatorProfile profile;
  std::atomic<int> tasks_begun = 0;
  std::atomic<bool> is_granted = false;
  {
    MemoryGrant grant(query.grants, 2, 0);
    const auto make_sink = [&](size_t) {
      return std::make_unique<ContendingSink>(grant, tasks_begun, is_granted);
    };
    CHECK_THROWS_WITH(DrainParallel(query.context, *source, *shared, profile, make_sink, 2),
                      "the first task fails");
  }
  CHECK(is_granted);
  CHECK(query.services.memory.used_bytes() == 0);
}

TEST_CASE("Results come in the order of the source, however many threads", "[execution]") {
  const auto rows = Numbered(20000);
  for (const size_t threads : {1, 2, 4}) {
    Query query(threads);
    // Through a filter, a projection and a join that pass batches on.
    auto filter = std::make_unique<FilterOperator>(
        Rows(kTypes, rows, 37),
        Compare(ComparisonOp::kNotEqual, Reference(TypeId::kInteger, 0), Constant(Value::Integer(5))));
    const auto few = Numbered(15000);
    auto join = std::make_unique<HashJoin>(LogicalJoinType::kSemi, std::move(filter), Rows(kTypes, few),
                                           FirstColumns(), nullptr, kTypes);
    const ProjectOperator project(std::move(join),
                                  List(Reference(TypeId::kVarchar, 1), Reference(TypeId::kInteger, 0)));
    const auto result = RunPlan(query.context, project);
    REQUIRE(result.size() == 14999);
    for (size_t i = 0; i < result.size(); i++)
      REQUIRE(result[i][1].GetInteger() == static_cast<int64_t>(i < 5 ? i : i + 1));
    CHECK(result[6][0].GetString() == "a text that is not short, number 7");
  }
}

TEST_CASE("NULLs of results: first, late, never", "[execution]") {
  Query query(2);
  for (const size_t first_null : {size_t{0}, size_t{1023}, size_t{5000}, size_t{100000}}) {
    std::vector<Row> rows = Numbered(6000);
    for (size_t i = first_null; i < rows.size(); i += 700)
      rows[i] = {Value(TypeId::kInteger), Value(TypeId::kVarchar)};
    const auto source = Rows(kTypes, rows, 512);
    REQUIRE(RunPlan(query.context, *source) == rows);
  }
}

TEST_CASE("LIMIT stops its input early, and skips by OFFSET", "[execution]") {
  const auto rows = Numbered(50000);
  for (const size_t threads : {1, 3}) {
    for (const auto& [limit, offset] :
         {std::pair<int64_t, int64_t>{10, 0}, {0, 5}, {1000, 1020}, {3, 49999}, {100000, 0}, {5, 60000}}) {
      Query query(threads);
      auto source = Rows(kTypes, rows, 100);
      const RowSource& counted = *source;
      const LimitOperator plan(std::move(source), Constant(Value::BigInt(limit)),
                               Constant(Value::BigInt(offset)));
      const auto result = RunPlan(query.context, plan);
      const size_t expected = static_cast<size_t>(
          std::max<int64_t>(0, std::min(limit, static_cast<int64_t>(rows.size()) - offset)));
      REQUIRE(result.size() == expected);
      for (size_t i = 0; i < expected; i++) REQUIRE(result[i] == rows[i + static_cast<size_t>(offset)]);
      if (limit + offset < 3000) CHECK(counted.produced <= static_cast<size_t>(limit + offset + 100));
    }
  }
  Query query;
  const LimitOperator negative(Rows(kTypes, rows), Constant(Value::BigInt(-1)), nullptr);
  CHECK_THROWS_AS(RunPlan(query.context, negative), Error);
}

TEST_CASE("UNION ALL keeps its inputs one after the other", "[execution]") {
  const auto a = Numbered(3000), b = Numbered(2000);
  for (const size_t threads : {1, 4}) {
    Query query(threads);
    std::vector<PhysicalOperatorPtr> inputs;
    inputs.push_back(Rows(kTypes, a, 100));
    inputs.push_back(Rows(kTypes, b, 70));
    const UnionAllOperator plan(std::move(inputs), kTypes);
    auto expected = a;
    expected.insert(expected.end(), b.begin(), b.end());
    CHECK(RunPlan(query.context, plan) == expected);
  }
}

TEST_CASE("An interruption ends every operator with its error and frees its memory", "[execution]") {
  const auto rows = Numbered(test::kSlowness == 1 ? 60000 : 22000), few = Numbered(50);
  for (const size_t threads : {1, 3}) {
    Query query(threads);
    const auto source = [&]() -> PhysicalOperatorPtr {
      auto made = Rows(kTypes, rows, 500);
      made->on_chunk = [&](size_t produced) {
        if (produced > 20000) query.services.interrupted = true;
      };
      return made;
    };
    for (const auto& plan : Plans(source, few)) {
      INFO(plan->name());
      query.services.interrupted = false;
      try {
        RunPlan(query.context, *plan);
        FAIL("no error");
      } catch (const Error& error) {
        CHECK(error.kind() == ErrorKind::kInterrupted);
      }
      CHECK(query.services.memory.used_bytes() == 0);
    }
  }
}

TEST_CASE("A memory limit frees the memory of every operator, and ends none whose rows can go to a file",
          "[execution]") {
  const auto rows = Numbered(60000), few = Numbered(50);
  for (const size_t threads : {1, 3}) {
    Query query(threads, size_t{1} << 20), large(threads);
    const auto plans = Plans([&] { return Rows(kTypes, rows, 500); }, few);
    for (const auto& plan : plans) {
      INFO(plan->name());
      try {
        CHECK(RunPlan(query.context, *plan).size() == RunPlan(large.context, *plan).size());
      } catch (const Error& error) {
        CHECK(error.kind() == ErrorKind::kOutOfMemory);
      }
      CHECK(query.services.memory.used_bytes() == 0);
      CHECK(query.temporary_storage.used_bytes() == 0);
    }
  }
}

TEST_CASE("An error in one task stops the others and frees everything", "[execution]") {
  auto rows = Numbered(200000);
  const auto few = Numbered(50);
  for (const size_t threads : {1, 3}) {
    Query query(threads);
    const RowSource* counted = nullptr;
    const auto failing = [&]() -> PhysicalOperatorPtr {
      auto source = Rows(kTypes, rows, 100);
      counted = source.get();
      auto quotient =
          Call("/", List(Constant(Value::Integer(1)),
                         Call("-", List(Reference(TypeId::kInteger, 0), Constant(Value::Integer(5000))))));
      return std::make_unique<FilterOperator>(
          std::move(source),
          Compare(ComparisonOp::kNotEqual, std::move(quotient), Constant(Value::Integer(7))));
    };
    for (const auto& plan : Plans(failing, few)) {
      INFO(plan->name());
      CHECK_THROWS_AS(RunPlan(query.context, *plan), Error);
      CHECK(query.services.memory.used_bytes() == 0);
      CHECK(counted->produced < rows.size());
    }
  }
}

TEST_CASE("A column collection gives back what it took, by piece and by position", "[execution]") {
  Random random(141);
  Services services;
  const auto& types = SampleTypes();
  const auto rows = RandomRows(random, types, 5000);
  ColumnCollection collection(types, services.memory), other(types, services.memory);
  for (size_t begin = 0; begin < rows.size();) {
    const size_t count = std::min(rows.size() - begin, 1 + Below(random, 1024));
    DataChunk chunk = MakeChunk(random, types,
                                {rows.begin() + static_cast<std::ptrdiff_t>(begin),
                                 rows.begin() + static_cast<std::ptrdiff_t>(begin + count)});
    collection.Append(chunk);
    other.Append(chunk);
    begin += count;
  }
  REQUIRE(collection.row_count() == rows.size());
  size_t row = 0;
  for (size_t piece = 0; piece < collection.piece_count(); piece++) {
    DataChunk chunk(types);
    collection.Read(piece, chunk);
    for (const Row& read : RowsOf(chunk)) REQUIRE(TextOf(read) == TextOf(rows[row++]));
  }
  REQUIRE(row == rows.size());
  const ColumnCollection* both[] = {&collection, &other};
  uint64_t places[kVectorSize];
  for (size_t i = 0; i < kVectorSize; i++)
    places[i] = CollectionRow(Below(random, 2), Below(random, rows.size()));
  for (size_t column = 0; column < types.size(); column++) {
    Vector gathered(types[column]);
    gathered.Reset();
    GatherFrom(both, column, places, kVectorSize, gathered);
    for (size_t i = 0; i < kVectorSize; i++)
      REQUIRE(SameValue(gathered.GetValue(i), rows[places[i] & 0xffffffffffff][column]));
  }
}

}  // namespace scaup
