// Work done once per dictionary entry: when it may be kept for the next chunk, and when not.
#include <catch2/catch.hpp>

#include "../vector/random_values.hpp"
#include "../vector/test_services.hpp"
#include "expression/expression_executor.hpp"
#include "expression_maker.hpp"
#include "scaup/error.hpp"

namespace scaup {

using namespace test;

namespace {

/// A dictionary as a row group has it: shared by many vectors.
struct Entries {
  explicit Entries(const std::vector<std::string>& texts_in) : texts(texts_in) {
    for (const std::string& text : texts) refs.emplace_back(text);
  }
  std::vector<std::string> texts;
  std::vector<StringRef> refs;
};

Vector Over(const std::shared_ptr<Entries>& entries, size_t count, size_t step) {
  auto selection = std::make_shared<SelectionVector>();
  for (size_t i = 0; i < count; i++) selection->rows[i] = static_cast<sel_t>(i * step % entries->refs.size());
  Vector vector(TypeId::kVarchar);
  vector.ReferenceDictionary({reinterpret_cast<const std::byte*>(entries->refs.data()), nullptr,
                              entries->refs.size(), entries, true},
                             selection);
  return vector;
}

}  // namespace

TEST_CASE("An argument that is constant in one chunk may differ in the next", "[expression]") {
  Services services;
  const auto expression = Call("||", List(Reference(TypeId::kVarchar, 0), Reference(TypeId::kVarchar, 1)));
  const auto comparison =
      Compare(ComparisonOp::kEqual, Reference(TypeId::kVarchar, 0), Reference(TypeId::kVarchar, 1));
  ExpressionExecutor executor(services.context, *expression), comparing(services.context, *comparison);
  const auto entries = std::make_shared<Entries>(std::vector<std::string>{"one", "two", "three"});
  for (const char* tail : {"two", "three", "one"}) {
    DataChunk input({TypeId::kVarchar, TypeId::kVarchar});
    input.column(0) = Over(entries, 10, 1);
    input.column(1).ReferenceValue(Value::Varchar(tail));
    input.SetSize(10);
    Vector result(TypeId::kVarchar), same(TypeId::kBoolean);
    executor.Execute(0, input, result);
    comparing.Execute(0, input, same);
    for (size_t row = 0; row < 10; row++) {
      REQUIRE(result.GetValue(row).GetString() == entries->texts[row % 3] + tail);
      REQUIRE(same.GetValue(row).GetBoolean() == (entries->texts[row % 3] == tail));
    }
  }
}

TEST_CASE("A new dictionary is computed anew, also where the old one lay", "[expression]") {
  Services services;
  const auto expression = Call("upper", List(Reference(TypeId::kVarchar, 0)));
  ExpressionExecutor executor(services.context, *expression);
  Vector result(TypeId::kVarchar);
  for (size_t round = 0; round < 50; round++) {
    // Freed and made again: memory and addresses are likely to be the same.
    const auto entries = std::make_shared<Entries>(
        std::vector<std::string>{"a" + std::to_string(round), "b" + std::to_string(round)});
    for (size_t chunk = 0; chunk < 2; chunk++) {
      DataChunk input({TypeId::kVarchar});
      input.column(0) = Over(entries, 20, chunk + 1);
      input.SetSize(20);
      executor.Execute(0, input, result);
      REQUIRE(result.GetValue(0).GetString() == "A" + std::to_string(round));
      REQUIRE(result.GetValue(chunk == 0 ? 1 : 19).GetString() ==
              (chunk == 0 ? "B" : "A") + std::to_string(round));
    }
  }
}

TEST_CASE("One owner may hold several dictionaries", "[expression]") {
  Services services;
  const auto expression = Call("length", List(Reference(TypeId::kVarchar, 0)));
  ExpressionExecutor executor(services.context, *expression);
  struct Two {
    Entries a{{"x", "xx"}}, b{{"yyy", "yyyy"}};
  };
  const auto owner = std::make_shared<Two>();
  Vector result(TypeId::kInteger);
  for (size_t round = 0; round < 4; round++) {
    Entries& entries = round % 2 == 0 ? owner->a : owner->b;
    auto selection = std::make_shared<SelectionVector>();
    for (sel_t i = 0; i < 8; i++) selection->rows[i] = i % 2;
    DataChunk input({TypeId::kVarchar});
    input.column(0).ReferenceDictionary(
        {reinterpret_cast<const std::byte*>(entries.refs.data()), nullptr, 2, owner, true}, selection);
    input.SetSize(8);
    executor.Execute(0, input, result);
    REQUIRE(result.GetValue(1).GetInteger() == (round % 2 == 0 ? 2 : 4));
  }
}

TEST_CASE("A call that can fail is not made for entries that no row has", "[expression]") {
  Services services;
  const auto expression = AddCast(Reference(TypeId::kVarchar, 0), TypeId::kInteger);
  ExpressionExecutor executor(services.context, *expression);
  const auto entries = std::make_shared<Entries>(std::vector<std::string>{"12", "not a number", "34"});
  DataChunk input({TypeId::kVarchar});
  input.column(0) = Over(entries, 10, 2);  // 0, 2, 1, ...
  input.SetSize(2);
  Vector result(TypeId::kInteger);
  executor.Execute(0, input, result);
  CHECK(result.GetValue(1).GetInteger() == 34);
  input.SetSize(3);
  CHECK_THROWS_AS(executor.Execute(0, input, result), Error);
}

TEST_CASE("AND keeps its guards in front however often it reorders", "[expression]") {
  Services services;
  // Cheap and useless parts first, then the guard, then what it guards.
  auto expression = Junction(
      true,
      List(Compare(ComparisonOp::kGreaterEqual, Reference(TypeId::kInteger, 0),
                   Constant(Value::Integer(-1000))),
           Compare(ComparisonOp::kNotEqual, Reference(TypeId::kInteger, 0), Constant(Value::Integer(0))),
           Compare(ComparisonOp::kGreater,
                   Call("/", List(Constant(Value::Integer(100)), Reference(TypeId::kInteger, 0))),
                   Constant(Value::Integer(9))),
           Compare(ComparisonOp::kLess, Reference(TypeId::kInteger, 0), Constant(Value::Integer(8)))));
  ExpressionExecutor executor(services.context, *expression);
  Random random(31);
  for (size_t round = 0; round < 500; round++) {
    Row values;
    for (size_t i = 0; i < 64; i++) values.push_back(RandomValue(random, TypeId::kInteger, 10, 40, false));
    DataChunk input({TypeId::kInteger});
    input.column(0) = MakeVector(random, TypeId::kInteger, values, RandomForm(random));
    input.SetSize(64);
    SelectionVector selection;
    const size_t count = executor.Select(0, input, selection);
    size_t next = 0;
    for (size_t row = 0; row < 64; row++) {
      if (values[row].is_null()) continue;
      const auto x = static_cast<int64_t>(values[row].GetInteger());
      if (x == 0 || 100 / x <= 9 || x >= 8) continue;
      REQUIRE(next < count);
      REQUIRE(selection.rows[next++] == row);
    }
    REQUIRE(next == count);
  }
}

}  // namespace scaup
