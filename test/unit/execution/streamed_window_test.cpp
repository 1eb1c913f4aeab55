// Windows over rows that come in order, against the same windows over collected rows: whether rows pass by is
// asked of the operator, so that a test of nothing does not pass.
#include <catch2/catch.hpp>

#include <algorithm>

#include "../effort.hpp"
#include "execution/window/window_operator.hpp"
#include "execution_fixture.hpp"
#include "function/function_registry.hpp"

namespace scaup {

using namespace test;

namespace {

enum Column : size_t { kPartition, kOrder, kWhole, kFloating, kId };
const std::vector<LogicalType> kTypes = {TypeId::kInteger, TypeId::kVarchar, TypeId::kBigInt, TypeId::kDouble,
                                         TypeId::kBigInt};

WindowFunctionSpecification Aggregate(const char* name, std::vector<size_t> arguments, size_t frame) {
  std::vector<BindArgument> types;
  for (const size_t argument : arguments) types.push_back({kTypes[argument], nullptr});
  ResolvedAggregate resolved = ResolveAggregate(FunctionRegistry::Builtin(), name, types);
  WindowFunctionSpecification function;
  function.return_type = resolved.function.return_type;
  function.aggregate.function = std::move(resolved.function);
  function.aggregate.data = std::move(resolved.data);
  function.aggregate.arguments = std::move(arguments);
  function.frame = frame;
  return function;
}

WindowFunctionSpecification Number(WindowFunctionKind kind) {
  WindowFunctionSpecification function;
  function.kind = kind;
  function.return_type = TypeId::kBigInt;
  return function;
}

FrameSpecification MakeFrame(FrameUnit unit, std::optional<int64_t> start, int64_t end) {
  const auto bound = [](int64_t offset) {
    return FrameBoundSpecification{
        .kind = offset == 0 ? FrameBoundKind::kCurrentRow : FrameBoundKind::kPreceding,
        .offset_type = TypeId::kBigInt,
        .offset = Value::BigInt(offset)};
  };
  FrameSpecification frame;
  frame.unit = unit;
  if (start) frame.start = bound(*start);
  frame.end = bound(end);
  return frame;
}

/// Functions of every kind that rows can pass by.
WindowSpecification MakeSpecification(Random& random, bool partitions, bool asks_for_unique) {
  WindowSpecification specification;
  if (partitions) specification.partition_by = {kPartition};
  if (!partitions || Chance(random, 80)) specification.order_by = {kOrder};
  if (partitions)
    specification.orders.push_back({kTypes[kPartition], Chance(random, 50), Chance(random, 50)});
  if (!specification.order_by.empty())
    specification.orders.push_back({kTypes[kOrder], Chance(random, 50), Chance(random, 50)});
  const FrameUnit unit = asks_for_unique ? FrameUnit::kRange : FrameUnit::kRows;
  specification.frames.push_back(MakeFrame(unit, std::nullopt, 0));
  const auto distance = [&] { return static_cast<int64_t>(Below(random, Chance(random, 50) ? 4 : 24)); };
  specification.frames.push_back(MakeFrame(FrameUnit::kRows, distance(), distance()));
  specification.frames.push_back(
      MakeFrame(FrameUnit::kRows, static_cast<int64_t>(Below(random, 4000)), distance()));
  auto& functions = specification.functions;
  functions.push_back(Aggregate("sum", {kWhole}, 0));
  functions.push_back(Aggregate("avg", {kFloating}, 0));
  functions.push_back(Aggregate("max", {kFloating}, 0));
  functions.push_back(Aggregate("count_star", {}, 0));
  functions.push_back(Aggregate("avg", {kFloating}, 1));
  functions.push_back(Aggregate("min", {kWhole}, 1));
  functions.push_back(Aggregate("sum", {kWhole}, 2));
  functions.push_back(Number(WindowFunctionKind::kRowNumber));
  functions.push_back(Number(WindowFunctionKind::kRank));
  functions.push_back(Number(WindowFunctionKind::kDenseRank));
  return specification;
}

/// Rows in the order that the specification wants, as far as `domain` values of the last key let them differ.
std::vector<Row> OrderedRows(Random& random, const WindowSpecification& specification, size_t row_count,
                             size_t domain, size_t null_percent) {
  std::vector<Row> rows;
  for (size_t i = 0; i < row_count; i++) {
    const bool has_null_key = null_percent != 0 && Chance(random, 10);
    Row row;
    row.push_back(has_null_key ? Value(kTypes[kPartition])
                               : Value::Integer(static_cast<int32_t>(Below(random, 5))));
    row.push_back(Chance(random, null_percent)
                      ? Value(kTypes[kOrder])
                      : Value::Varchar("a longer key: " + std::to_string(1'000'000 + Below(random, domain))));
    row.push_back(Chance(random, null_percent)
                      ? Value(kTypes[kWhole])
                      : Value::BigInt(static_cast<int64_t>(Below(random, 1000)) - 500));
    row.push_back(Chance(random, null_percent) ? Value(kTypes[kFloating])
                                               : Value::Double(static_cast<double>(Below(random, 1000)) / 7));
    rows.push_back(std::move(row));
  }
  std::vector<size_t> keys = specification.partition_by;
  keys.insert(keys.end(), specification.order_by.begin(), specification.order_by.end());
  const auto compare = [&](const Row& a, const Row& b) {
    for (size_t i = 0; i < keys.size(); i++) {
      const SortOrder& order = specification.orders[i];
      const Value &left = a[keys[i]], &right = b[keys[i]];
      if (left.is_null() && right.is_null()) continue;
      if (left.is_null() || right.is_null()) return left.is_null() == order.nulls_first ? -1 : 1;
      const int result = keys[i] == kOrder ? left.GetString().compare(right.GetString())
                                           : static_cast<int>(left.GetBigInt() - right.GetBigInt());
      if (result != 0) return order.descending ? -result : result;
    }
    return 0;
  };
  std::stable_sort(rows.begin(), rows.end(), [&](const Row& a, const Row& b) { return compare(a, b) < 0; });
  for (size_t i = 0; i < rows.size(); i++) rows[i].push_back(Value::BigInt(static_cast<int64_t>(i)));
  return rows;
}

struct Answer {
  std::vector<std::string> rows;  // Sorted.
  bool passed_by = false;
};

class Window {
 public:
  Window(const WindowSpecification& specification, const std::vector<Row>& rows, size_t max_chunk)
      : specification_(specification), rows_(rows), max_chunk_(max_chunk) {
    std::vector<size_t> keys = specification.partition_by;
    keys.insert(keys.end(), specification.order_by.begin(), specification.order_by.end());
    for (const size_t key : keys) key_types_.push_back(kTypes[key]);
    for (const Row& row : rows) {
      key_rows_.emplace_back();
      for (const size_t key : keys) key_rows_.back().push_back(row[key]);
    }
    types_ = kTypes;
    for (const auto& function : specification.functions) types_.push_back(function.return_type);
  }

  WindowOperator Make(bool with_keys) const {
    PhysicalOperatorPtr keys;
    if (with_keys) keys = Rows(key_types_, key_rows_, max_chunk_, 3);
    return {Rows(kTypes, rows_, max_chunk_), std::move(keys), specification_, types_};
  }

  Answer Run(bool with_keys, size_t threads) const {
    Query query(threads);
    const WindowOperator window = Make(with_keys);
    const auto shared = window.MakeShared(query.context);
    window.Prepare(query.context, *shared);
    MaterializedResult result = CollectResult(query.context, window, *shared);
    return {SortedTexts(RowsOf(types_, result)), !window.RunDetails(*shared).empty()};
  }

 private:
  const WindowSpecification& specification_;
  const std::vector<Row>& rows_;
  const size_t max_chunk_;
  std::vector<LogicalType> key_types_;
  std::vector<Row> key_rows_;
  std::vector<LogicalType> types_;
};

void CompareAnswers(const Answer& answer, const Answer& expected) {
  REQUIRE(answer.rows.size() == expected.rows.size());
  const auto [row, wanted] = std::mismatch(answer.rows.begin(), answer.rows.end(), expected.rows.begin());
  if (row != answer.rows.end()) CHECK(*row == *wanted);
}

}  // namespace

TEST_CASE("Windows over rows that come in order give what windows over collected rows give",
          "[execution][window]") {
  Random random(411);
  size_t passed = 0;
  for (size_t round = 0; round < Effort(80); round++) {
    const WindowSpecification specification = MakeSpecification(random, Chance(random, 50), false);
    const size_t row_count = Chance(random, 20) ? 3000 : Below(random, 300);
    const auto rows = OrderedRows(random, specification, row_count, Chance(random, 50) ? 3 : 10'000,
                                  Chance(random, 50) ? 20 : 0);
    const Window window(specification, rows, 1 + Below(random, 1024));
    INFO("round " << round << ": " << row_count << " rows");
    const Answer answer = window.Run(true, 1 + Below(random, 3));
    CompareAnswers(answer, window.Run(false, 1 + Below(random, 3)));
    CHECK(answer.passed_by);
    passed += row_count;
  }
  CHECK(passed != 0);
}

TEST_CASE("Frames that end with peers ask for rows that have none", "[execution][window]") {
  Random random(412);
  for (size_t round = 0; round < Effort(40); round++) {
    const WindowSpecification specification = MakeSpecification(random, Chance(random, 50), true);
    auto rows = OrderedRows(random, specification, 1 + Below(random, 1500), 1'000'000'000, 0);
    std::vector<size_t> keys = specification.partition_by;
    keys.insert(keys.end(), specification.order_by.begin(), specification.order_by.end());
    const auto is_peer = [&](const Row& a, const Row& b) {
      return std::all_of(keys.begin(), keys.end(), [&](size_t key) { return a[key] == b[key]; });
    };
    const bool has_peers = std::adjacent_find(rows.begin(), rows.end(), is_peer) != rows.end();
    const Window window(specification, rows, 1 + Below(random, 300));
    const Answer answer = window.Run(true, 1);
    CHECK(answer.passed_by != has_peers);
    CompareAnswers(answer, window.Run(false, 1));
  }
}

TEST_CASE("A single row out of order is found wherever it is", "[execution][window]") {
  Random random(413);
  for (const size_t row : {1, 99, 100, 101, 1999}) {
    const WindowSpecification specification = MakeSpecification(random, false, false);
    auto rows = OrderedRows(random, specification, 2000, 1'000'000'000, 0);
    std::swap(rows[row - 1], rows[row]);
    const Window window(specification, rows, 100);
    const Answer answer = window.Run(true, 2);
    CHECK(!answer.passed_by);
    CompareAnswers(answer, window.Run(false, 1));
  }
}

TEST_CASE("Rows that pass by go to one of several that pull", "[execution][window]") {
  Random random(414);
  const WindowSpecification specification = MakeSpecification(random, false, false);
  const auto rows = OrderedRows(random, specification, 1000, 100, 0);
  const Window window(specification, rows, 100);
  Query query;
  const WindowOperator plan = window.Make(true);
  const auto shared = plan.MakeShared(query.context);
  plan.Prepare(query.context, *shared);
  CHECK(plan.MaxTasks(query.context, *shared) == 1);
  const auto first = plan.MakeLocal(query.context, *shared), second = plan.MakeLocal(query.context, *shared);
  DataChunk chunk(plan.types());
  size_t row_count = 0;
  while (true) {
    plan.Next(query.context, *shared, *first, chunk);
    if (chunk.size() == 0) break;
    for (size_t i = 0; i < chunk.size(); i++)
      CHECK(chunk.column(kId).GetValue(i).GetBigInt() == static_cast<int64_t>(row_count + i));
    row_count += chunk.size();
    plan.Next(query.context, *shared, *second, chunk);
    CHECK(chunk.size() == 0);
  }
  CHECK(row_count == rows.size());
}

}  // namespace scaup
