// Looking functions up, choosing overloads, and what the messages say.
#include "function/function_registry.hpp"

#include <catch2/catch.hpp>

#include "scalar_harness.hpp"
#include "scaup/error.hpp"

namespace scaup {
using namespace test;

namespace {

std::string ResolveError(std::string_view name, const std::vector<LogicalType>& types) {
  try {
    Resolve(name, types);
  } catch (const Error& error) {
    return std::string(error.sqlstate()) + ": " + error.message();
  }
  return "";
}

}  // namespace

TEST_CASE("functions are found by name") {
  const FunctionRegistry& registry = FunctionRegistry::Builtin();
  CHECK(registry.ScalarOverloads("abs").size() == 13);
  CHECK(registry.ScalarOverloads("no_such").empty());
  CHECK_FALSE(registry.AggregateOverloads("sum").empty());
}

TEST_CASE("every scalar function is described and has its parts") {
  std::vector<const ScalarFunction*> overloads;  // of the same name
  std::string previous;
  for (const ScalarFunction* function : FunctionRegistry::Builtin().AllScalar()) {
    INFO(function->name);
    CHECK(previous <= function->name);
    previous = function->name;
    CHECK_FALSE(function->description.empty());
    CHECK_FALSE(function->example.empty());
    CHECK((function->kernel != nullptr || function->bind != nullptr));
    // Further arguments are of the last one's type, or the function says of which they are.
    if (function->varargs) CHECK((function->bind != nullptr || !function->argument_types.empty()));
    if (!overloads.empty() && overloads[0]->name != function->name) overloads.clear();
    for (const ScalarFunction* other : overloads)
      CHECK((other->argument_types != function->argument_types || other->varargs != function->varargs));
    overloads.push_back(function);
    for (const LogicalType& type : function->argument_types) {
      if (type.id() == TypeId::kNull) CHECK((function->any_types && function->bind != nullptr));
      if (type.id() == TypeId::kDecimal) CHECK(function->bind != nullptr);
    }
  }
}

TEST_CASE("the overload with the least casts is chosen") {
  CHECK(Resolve("+", {TypeId::kSmallInt, TypeId::kInteger}).function.return_type == TypeId::kInteger);
  CHECK(Resolve("+", {TypeId::kInteger, TypeId::kDouble}).function.return_type == TypeId::kDouble);
  CHECK(Resolve("+", {TypeId::kInteger, LogicalType::Decimal(9, 2)}).function.return_type.id() ==
        TypeId::kDecimal);
  CHECK(Resolve("+", {TypeId::kNull, TypeId::kBigInt}).function.return_type == TypeId::kBigInt);
  CHECK(Resolve("+", {TypeId::kDate, TypeId::kInteger}).function.return_type == TypeId::kDate);
  CHECK(Resolve("-", {TypeId::kDate, TypeId::kDate}).function.return_type == TypeId::kInteger);
  CHECK(Resolve("-", {TypeId::kTimestamp, TypeId::kDate}).function.return_type == TypeId::kInterval);
  CHECK(Resolve("sqrt", {LogicalType::Decimal(9, 2)}).function.argument_types[0] == TypeId::kDouble);
  CHECK(Resolve("coalesce", {TypeId::kInteger, TypeId::kBigInt}).function.return_type == TypeId::kBigInt);
  CHECK(Resolve("concat", {TypeId::kInteger, TypeId::kDate}).function.argument_types.size() == 2);
  CHECK(Resolve("||", {TypeId::kVarchar, TypeId::kVarchar}).function.bind == nullptr);
}

TEST_CASE("messages name the call and what there is") {
  CHECK(ResolveError("substrin", {TypeId::kVarchar, TypeId::kInteger}) ==
        "42883: function substrin(text, integer) does not exist; did you mean substring?");
  CHECK(ResolveError("sqrt", {TypeId::kVarchar}) ==
        "42883: function sqrt(text) does not exist; there is: sqrt(double precision), sqrt(numeric)");
  CHECK(ResolveError("split_part", {TypeId::kVarchar}).find("split_part(text, text, integer)") !=
        std::string::npos);
  CHECK(ResolveError("+", {TypeId::kBoolean, TypeId::kDate}).substr(0, 53) ==
        "42883: operator boolean + date does not exist; there ");
  CHECK(ResolveError("qqqqqqqq", {}) == "42883: function qqqqqqqq() does not exist");
}

}  // namespace scaup
