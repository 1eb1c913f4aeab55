// Tests of bool_and, bool_or, bit_and, bit_or, bit_xor and string_agg, and of what all overloads must have.
#include "aggregate_harness.hpp"
#include "common/memory/memory_tracker.hpp"
#include "value_makers.hpp"

namespace scaup {
namespace {

TEST_CASE("bool_and, every and bool_or", "[aggregate]") {
  // Mostly true for AND and mostly false for OR, so that both answers occur.
  for (const int one_in : {2, 2000}) {
    const ValueMaker rarely_false = [=](std::mt19937_64& random) {
      return Value::Boolean(random() % one_in != 0);
    };
    const ValueMaker rarely_true = [=](std::mt19937_64& random) {
      return Value::Boolean(random() % one_in == 0);
    };
    for (const char* name : {"bool_and", "every", "bool_or"}) {
      const bool is_or = std::string(name) == "bool_or";
      CheckAgainst(BindByName(name, {TypeId::kBoolean}), {is_or ? rarely_true : rarely_false},
                   [&](const auto& rows) {
                     bool all = true, any = false;
                     for (const auto& row : rows) {
                       all &= row[0].GetBoolean();
                       any |= row[0].GetBoolean();
                     }
                     if (rows.empty()) return Value(LogicalType(TypeId::kBoolean));
                     return Value::Boolean(is_or ? any : all);
                   });
    }
  }
}

TEST_CASE("bit_and, bit_or and bit_xor", "[aggregate]") {
  for (const LogicalType type :
       {TypeId::kTinyInt, TypeId::kSmallInt, TypeId::kInteger, TypeId::kBigInt, TypeId::kHugeInt}) {
    for (const std::string name : {"bit_and", "bit_or", "bit_xor"}) {
      const BoundAggregate bound = BindByName(name, {type});
      REQUIRE(bound.function.return_type == type);
      CheckAgainst(bound, {IntegersOf(type, -128, 127)}, [&](const auto& rows) {
        int128_t value = name == "bit_and" ? -1 : 0;
        for (const auto& row : rows) {
          const int128_t item = row[0].GetInteger();
          value = name == "bit_and" ? value & item : name == "bit_or" ? value | item : value ^ item;
        }
        if (rows.empty()) return Value(type);
        return Value::FromInteger(type, value);
      });
    }
  }
}

TEST_CASE("string_agg joins in the order of rows", "[aggregate]") {
  const ValueMaker delimiters = [](std::mt19937_64& random) {
    return Value::Varchar(random() % 2 == 0 ? ", " : ";");
  };
  const BoundAggregate bound = BindByName("string_agg", {TypeId::kVarchar, TypeId::kVarchar});
  // The harness leaves out rows with any NULL; string_agg keeps those where the delimiter is NULL, so it gets
  // none here.
  for (const Form form : {Form::kFlat, Form::kDictionary}) {
    AggregateRun run(bound, 3, 1);
    Columns columns(2);
    std::vector<size_t> groups;
    std::vector<std::string> expected(3);
    std::vector<bool> seen(3);
    for (size_t row = 0; row < 3000; row++) {
      columns[0].push_back(row % 5 == 0 ? Value(LogicalType(TypeId::kVarchar)) : RandomWord(run.random()));
      columns[1].push_back(row % 7 == 0 ? Value(LogicalType(TypeId::kVarchar)) : delimiters(run.random()));
      groups.push_back(run.random()() % 2);
      if (columns[0].back().is_null()) continue;
      const size_t group = groups.back();
      if (seen[group] && !columns[1].back().is_null()) expected[group] += columns[1].back().GetString();
      expected[group] += columns[0].back().GetString();
      seen[group] = true;
    }
    run.MakeStates(4);
    run.Update(0, columns, groups, 0, 1000, form);
    run.Update(1, columns, groups, 1000, 1000, form);
    run.Update(3, columns, groups, 2000, 1000, form);
    const std::vector<Value> results = run.Finish();
    CHECK(results[0] == Value::Varchar(expected[0]));
    CHECK(results[1] == Value::Varchar(expected[1]));
    CHECK(results[2].is_null());
  }
}

TEST_CASE("string_agg of empty strings is not NULL", "[aggregate]") {
  const BoundAggregate bound = BindByName("string_agg", {TypeId::kBlob, TypeId::kBlob});
  AggregateRun run(bound, 1, 1);
  run.MakeStates(2);
  run.Update(0, {{Value::Blob("")}, {Value::Blob("-")}}, {}, 0, 1, Form::kConstant);
  CHECK(run.Finish()[0] == Value::Blob(""));
}

TEST_CASE("string_agg respects the memory limit", "[aggregate]") {
  const BoundAggregate bound = BindByName("string_agg", {TypeId::kVarchar, TypeId::kVarchar});
  TestContext test;
  MemoryTracker small(1 << 20);
  Arena arena(&small);
  const AggregateCall call{test.context, nullptr, arena};
  std::byte* state = arena.Allocate(bound.function.state_size, 16);
  bound.function.initialize(state);
  std::vector<Vector> arguments;
  arguments.emplace_back(Value::Varchar(std::string(1000, 'x')));
  arguments.emplace_back(Value::Varchar(","));
  CHECK_THROWS([&] {
    for (int i = 0; i < 10; i++) bound.function.update_single(call, arguments, kVectorSize, state);
  }());
}

TEST_CASE("every overload is described", "[aggregate]") {
  for (const AggregateFunction& function : BuiltinAggregates()) {
    INFO(function.name);
    CHECK(!function.description.empty());
    CHECK(function.example.starts_with(function.name == "count_star" ? "count" : function.name));
    const bool complete = function.initialize && function.update && function.update_single &&
                          function.combine && function.finalize && function.state_size > 0;
    CHECK((complete || function.bind != nullptr));
    CHECK((function.state_alignment == 8 || function.state_alignment == 16));
    CHECK(function.state_size % function.state_alignment == 0);
  }
}

}  // namespace
}  // namespace scaup
