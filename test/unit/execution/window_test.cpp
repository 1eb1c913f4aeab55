// Windows against a reference that looks at every row of a partition for every row: all frames and
// exclusions, several threads, and rows that do not fit in memory.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "../effort.hpp"
#include "execution/window/window_operator.hpp"
#include "execution_fixture.hpp"
#include "function/function_registry.hpp"

namespace scaup {

using namespace test;

namespace {

constexpr size_t kMiB = size_t{1} << 20;
// Columns of the input: partition, order, value, text, number of the row, then for RANGE the key and limits,
// and a fraction.
enum Column : size_t { kPartition, kOrder, kValue, kText, kId, kKey, kStartLimit, kEndLimit, kFraction };
const std::vector<LogicalType> kTypes = {TypeId::kInteger, TypeId::kInteger, TypeId::kBigInt,
                                         TypeId::kVarchar, TypeId::kBigInt,  TypeId::kBigInt,
                                         TypeId::kBigInt,  TypeId::kBigInt,  TypeId::kDouble};
constexpr double kFractionOfAll = 0.3;

FrameBoundSpecification MakeBound(FrameBoundKind kind, int64_t offset, size_t limit) {
  return {.kind = kind, .offset_type = TypeId::kBigInt, .offset = Value::BigInt(offset), .limit = limit};
}

int64_t Order(FrameBoundKind kind, int64_t offset) {
  switch (kind) {
    case FrameBoundKind::kUnboundedPreceding: return INT64_MIN;
    case FrameBoundKind::kPreceding: return -offset;
    case FrameBoundKind::kCurrentRow: return 0;
    case FrameBoundKind::kFollowing: return offset;
    case FrameBoundKind::kUnboundedFollowing: return INT64_MAX;
  }
  return 0;
}

FrameSpecification RandomFrame(Random& random, int64_t most_offset) {
  FrameSpecification frame;
  frame.unit = static_cast<FrameUnit>(Below(random, 3));
  frame.exclusion = static_cast<FrameExclusion>(Below(random, 4));
  const auto offset = [&] { return static_cast<int64_t>(Below(random, static_cast<size_t>(most_offset))); };
  frame.start = MakeBound(static_cast<FrameBoundKind>(Below(random, 4)), offset(), kStartLimit);
  frame.end = MakeBound(static_cast<FrameBoundKind>(1 + Below(random, 4)), offset(), kEndLimit);
  frame.range_key = kKey;
  return frame;
}

WindowFunctionSpecification Aggregate(const char* name, std::vector<size_t> arguments, size_t frame) {
  std::vector<BindArgument> types;
  for (const size_t argument : arguments) types.push_back({kTypes[argument], nullptr});
  ResolvedAggregate resolved = ResolveAggregate(FunctionRegistry::Builtin(), name, types);
  WindowFunctionSpecification function;
  function.kind = WindowFunctionKind::kAggregate;
  function.return_type = resolved.function.return_type;
  function.aggregate.function = std::move(resolved.function);
  function.aggregate.data = std::move(resolved.data);
  function.aggregate.arguments = std::move(arguments);
  function.frame = frame;
  return function;
}

WindowFunctionSpecification Function(WindowFunctionKind kind, std::vector<size_t> arguments, LogicalType type,
                                     size_t frame) {
  WindowFunctionSpecification function;
  function.kind = kind;
  function.arguments = std::move(arguments);
  function.return_type = type;
  function.frame = frame;
  return function;
}

std::vector<Row> RandomRows(Random& random, size_t row_count, size_t partitions, size_t domain,
                            const FrameSpecification& frame) {
  std::vector<Row> rows;
  for (size_t i = 0; i < row_count; i++) {
    const auto order = static_cast<int32_t>(Below(random, domain));
    const bool is_null = Chance(random, 5);
    const auto number = [&](int64_t shift) {
      return is_null ? Value(LogicalType(TypeId::kBigInt)) : Value::BigInt(order + shift);
    };
    Row row;
    row.push_back(Value::Integer(static_cast<int32_t>(Below(random, partitions))));
    row.push_back(is_null ? Value(LogicalType(TypeId::kInteger)) : Value::Integer(order));
    row.push_back(Chance(random, 10) ? Value(LogicalType(TypeId::kBigInt))
                                     : Value::BigInt(static_cast<int64_t>(Below(random, 1000)) - 500));
    row.push_back(Value::Varchar((Chance(random, 50) ? "" : "a text that is long ") + std::to_string(i)));
    row.push_back(Value::BigInt(static_cast<int64_t>(i)));
    row.push_back(number(0));
    const auto shift = [](const FrameBoundSpecification& bound) {
      const bool has_offset =
          bound.kind == FrameBoundKind::kPreceding || bound.kind == FrameBoundKind::kFollowing;
      return has_offset ? Order(bound.kind, bound.offset.GetBigInt()) : 0;
    };
    row.push_back(number(shift(frame.start)));
    row.push_back(number(shift(frame.end)));
    row.push_back(Value::Double(kFractionOfAll));
    rows.push_back(std::move(row));
  }
  return rows;
}

/// The rows of one partition, and which groups of peers they are in.
struct Partition {
  std::vector<const Row*> rows;
  std::vector<int64_t> groups;

  bool IsInFrame(const FrameSpecification& frame, size_t current, size_t row) const {
    const auto key = [&](size_t i) -> const Value& { return (*rows[i])[kKey]; };
    const auto is_inside = [&](const FrameBoundSpecification& bound, bool is_end) {
      const int64_t order = Order(bound.kind, bound.offset.GetBigInt());
      if (order == INT64_MIN) return !is_end;
      if (order == INT64_MAX) return is_end;
      int64_t distance = frame.unit == FrameUnit::kRows
                             ? static_cast<int64_t>(row) - static_cast<int64_t>(current)
                             : groups[row] - groups[current];
      const bool has_offset = bound.kind != FrameBoundKind::kCurrentRow;
      if (frame.unit == FrameUnit::kRange && has_offset) {
        // NULLs come last, and are near to NULLs alone.
        if (key(current).is_null() || key(row).is_null()) {
          if (key(current).is_null() && key(row).is_null()) return true;
          return key(row).is_null() ? !is_end : is_end;
        }
        distance = key(row).GetBigInt() - key(current).GetBigInt();
      }
      return is_end ? distance <= order : distance >= order;
    };
    if (!is_inside(frame.start, false) || !is_inside(frame.end, true)) return false;
    switch (frame.exclusion) {
      case FrameExclusion::kNoOthers: return true;
      case FrameExclusion::kCurrentRow: return row != current;
      case FrameExclusion::kGroup: return groups[row] != groups[current];
      case FrameExclusion::kTies: return row == current || groups[row] != groups[current];
    }
    return true;
  }
};

std::map<int64_t, Partition> MakePartitions(const std::vector<Row>& rows) {
  std::map<int64_t, Partition> partitions;
  for (const Row& row : rows) partitions[row[kPartition].GetBigInt()].rows.push_back(&row);
  for (auto& [number, partition] : partitions) {
    std::stable_sort(partition.rows.begin(), partition.rows.end(), [](const Row* a, const Row* b) {
      if ((*a)[kKey].is_null() || (*b)[kKey].is_null()) return !(*a)[kKey].is_null() && (*b)[kKey].is_null();
      return (*a)[kKey].GetBigInt() < (*b)[kKey].GetBigInt();
    });
    for (size_t i = 0; i < partition.rows.size(); i++) {
      const bool is_peer = i != 0 && (*partition.rows[i])[kKey] == (*partition.rows[i - 1])[kKey];
      partition.groups.push_back(i == 0 ? 0 : partition.groups.back() + (is_peer ? 0 : 1));
    }
  }
  return partitions;
}

std::string TextOf(const Value& value) { return value.is_null() ? "NULL" : value.ToString(); }

std::string NumberText(const std::optional<int64_t>& number) {
  return number ? std::to_string(*number) : "NULL";
}

/// Number of the row to the results of all functions, as text.
using Results = std::map<int64_t, std::vector<std::string>>;

/// The first value at or behind the fraction, in order.
template <typename T>
std::optional<T> Quantile(std::vector<T> values) {
  if (values.empty()) return std::nullopt;
  std::sort(values.begin(), values.end());
  return values[static_cast<size_t>(std::ceil(kFractionOfAll * static_cast<double>(values.size()))) - 1];
}

Results Reference(const std::vector<Row>& rows, const FrameSpecification& frame) {
  Results results;
  for (const auto& [number, partition] : MakePartitions(rows)) {
    for (size_t current = 0; current < partition.rows.size(); current++) {
      int64_t sum = 0, count = 0, values = 0;
      std::string first = "NULL", last = "NULL", list;
      std::vector<int64_t> numbers;
      std::vector<std::string> texts;
      for (size_t row = 0; row < partition.rows.size(); row++) {
        if (!partition.IsInFrame(frame, current, row)) continue;
        const Row& seen = *partition.rows[row];
        last = seen[kText].GetString();
        if (count == 0) first = last;
        if (!seen[kValue].is_null()) sum += seen[kValue].GetBigInt();
        values += seen[kValue].is_null() ? 0 : 1;
        if (!seen[kValue].is_null()) numbers.push_back(seen[kValue].GetBigInt());
        texts.push_back(last);
        list += (list.empty() ? "{" : ",") + TextOf(seen[kValue]);
        count++;
      }
      results[(*partition.rows[current])[kId].GetBigInt()] = {values == 0 ? "NULL" : std::to_string(sum),
                                                              std::to_string(count),
                                                              last,
                                                              first,
                                                              last,
                                                              std::to_string(current + 1),
                                                              NumberText(Quantile(numbers)),
                                                              Quantile(texts).value_or("NULL"),
                                                              list.empty() ? "NULL" : list + "}"};
    }
  }
  return results;
}

WindowOperator MakeWindow(PhysicalOperatorPtr source, const FrameSpecification& frame) {
  WindowSpecification specification;
  specification.partition_by = {kPartition};
  specification.order_by = {kOrder};
  specification.orders = {{kTypes[kPartition]}, {kTypes[kOrder]}};
  specification.frames = {frame};
  specification.functions.push_back(Aggregate("sum", {kValue}, 0));
  specification.functions.push_back(Aggregate("count_star", {}, 0));
  specification.functions.push_back(Aggregate("last", {kText}, 0));
  specification.functions.push_back(Function(WindowFunctionKind::kFirstValue, {kText}, TypeId::kVarchar, 0));
  specification.functions.push_back(Function(WindowFunctionKind::kLastValue, {kText}, TypeId::kVarchar, 0));
  specification.functions.push_back(Function(WindowFunctionKind::kRowNumber, {}, TypeId::kBigInt, 0));
  specification.functions.push_back(Aggregate("quantile_disc", {kValue, kFraction}, 0));
  specification.functions.push_back(Aggregate("quantile_disc", {kText, kFraction}, 0));
  specification.functions.push_back(Aggregate("array_agg", {kValue}, 0));
  std::vector<LogicalType> types = kTypes;
  for (const auto& function : specification.functions) types.push_back(function.return_type);
  return WindowOperator(std::move(source), nullptr, std::move(specification), std::move(types));
}

void Compare(const std::vector<Row>& output, const Results& expected) {
  REQUIRE(output.size() == expected.size());
  size_t wrong = 0;
  for (const Row& row : output) {
    const auto& wanted = expected.at(row[kId].GetBigInt());
    for (size_t i = 0; i < wanted.size(); i++) wrong += TextOf(row[kTypes.size() + i]) != wanted[i];
  }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("Windows give what a look at every row gives", "[execution][window]") {
  Random random(311);
  for (size_t round = 0; round < test::Effort(120); round++) {
    const size_t row_count = Below(random, 10) == 0 ? 1500 : Below(random, 300);
    const size_t domain = 1 + Below(random, Chance(random, 50) ? 5 : 2000);
    const FrameSpecification frame = RandomFrame(random, Chance(random, 50) ? 4 : 400);
    const auto rows = RandomRows(random, row_count, 1 + Below(random, 4), domain, frame);
    INFO("round " << round << ": " << row_count << " rows, unit " << static_cast<int>(frame.unit) << " from "
                  << static_cast<int>(frame.start.kind) << " to " << static_cast<int>(frame.end.kind)
                  << " without " << static_cast<int>(frame.exclusion));
    Query query(1 + Below(random, 3));
    if (Chance(random, 30)) query.services.settings.force_partitions = ForcedPartitions::kSpilled;
    const WindowOperator window = MakeWindow(Rows(kTypes, rows, 1 + Below(random, 1024), round), frame);
    Compare(RunPlan(query.context, window), Reference(rows, frame));
  }
}

TEST_CASE("Windows over rows that do not fit in memory", "[execution][window][spill]") {
  Random random(312);
  FrameSpecification frame;
  frame.unit = FrameUnit::kRows;
  frame.start = MakeBound(FrameBoundKind::kPreceding, 20, 0);
  frame.end = MakeBound(FrameBoundKind::kCurrentRow, 0, 0);
  const auto rows = RandomRows(random, 60'000, 6000, 1000, frame);
  const Results expected = Reference(rows, frame);
  for (const size_t threads : {1, 2}) {
    Query query(threads, 5 * kMiB);
    {
      const WindowOperator window = MakeWindow(Rows(kTypes, rows, 100), frame);
      const auto shared = window.MakeShared(query.context);
      window.Prepare(query.context, *shared);
      CHECK(query.temporary_storage.file_bytes() != 0);  // It did spill.
      const auto local = window.MakeLocal(query.context, *shared);
      DataChunk chunk(window.types());
      std::vector<Row> output;
      while (true) {
        window.Next(query.context, *shared, *local, chunk);
        if (chunk.size() == 0) break;
        for (size_t i = 0; i < chunk.size(); i++) {
          output.emplace_back();
          for (Vector& column : chunk.columns()) output.back().push_back(column.GetValue(i));
        }
      }
      Compare(output, expected);
    }
    CHECK(query.temporary_storage.used_bytes() == 0);
    CHECK(query.services.memory.used_bytes() == 0);
  }
}

TEST_CASE("A window that is interrupted leaves nothing", "[execution][window]") {
  Random random(313);
  FrameSpecification frame;
  frame.end = MakeBound(FrameBoundKind::kCurrentRow, 0, 0);
  const auto rows = RandomRows(random, 20'000, 40, 1000, frame);
  Query query(2);
  {
    auto source = Rows(kTypes, rows);
    source->on_chunk = [&](size_t row_count) {
      if (row_count > 15'000) query.services.interrupted = true;
    };
    const WindowOperator window = MakeWindow(std::move(source), frame);
    CHECK_THROWS_AS(RunPlan(query.context, window), Error);
  }
  CHECK(query.services.memory.used_bytes() == 0);
}

}  // namespace scaup
