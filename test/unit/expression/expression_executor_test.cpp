// The executor against a row-by-row reference, on random trees over random vectors of every form.
#include "expression/expression_executor.hpp"

#include <catch2/catch.hpp>

#include "../vector/random_values.hpp"
#include "../vector/test_services.hpp"
#include "expression_maker.hpp"
#include "scaup/error.hpp"

namespace scaup {

using namespace test;

namespace {

const std::vector<LogicalType> kColumns = {
    TypeId::kInteger, TypeId::kInteger, TypeId::kVarchar, TypeId::kVarchar,
    TypeId::kDouble,  TypeId::kBoolean, TypeId::kBigInt,  LogicalType::Decimal(30, 5),
    TypeId::kInterval};

/// Makes random trees; those of type INTEGER guard division by CASE or AND.
class TreeMaker {
 public:
  explicit TreeMaker(Random& random) : random_(random) {}

  ExpressionPtr Make(const LogicalType& type, size_t depth) {
    if (depth == 0 || Chance(random_, 10)) return Leaf(type);
    if (Chance(random_, 20))
      return When(Make(TypeId::kBoolean, depth - 1), Make(type, depth - 1), Make(type, depth - 1));
    switch (type.id()) {
      case TypeId::kBoolean: return MakeBoolean(depth);
      case TypeId::kInteger: return MakeInteger(depth);
      case TypeId::kVarchar: return MakeText(depth);
      default: return Leaf(type);
    }
  }

 private:
  ExpressionPtr Leaf(const LogicalType& type) {
    std::vector<size_t> fitting;
    for (size_t i = 0; i < kColumns.size(); i++) {
      if (kColumns[i] == type) fitting.push_back(i);
    }
    if (fitting.empty() || Chance(random_, 25)) return Constant(RandomValue(random_, type, 10, 20, false));
    return Reference(type, fitting[Below(random_, fitting.size())]);
  }

  ExpressionPtr MakeBoolean(size_t depth) {
    const LogicalType operand = kColumns[Below(random_, kColumns.size())];
    switch (Below(random_, 7)) {
      case 0:
      case 1:
        return Compare(static_cast<ComparisonOp>(Below(random_, 8)), Make(operand, depth - 1),
                       Make(operand, depth - 1));
      case 2:
      case 3: {
        std::vector<ExpressionPtr> children;
        for (size_t i = 0; i < 2 + Below(random_, 3); i++)
          children.push_back(Make(TypeId::kBoolean, depth - 1));
        return Junction(Chance(random_, 50), std::move(children));
      }
      case 4: return Not(Make(TypeId::kBoolean, depth - 1));
      case 5: return IsNull(Make(operand, depth - 1), Chance(random_, 50));
      default: {
        std::vector<Value> values;
        for (size_t i = 0; i < 1 + Below(random_, 20); i++)
          values.push_back(RandomValue(random_, operand, 5, 30, false));
        return std::make_unique<InListExpression>(Make(operand, depth - 1), std::move(values),
                                                  Chance(random_, 50));
      }
    }
  }

  ExpressionPtr MakeInteger(size_t depth) {
    if (Chance(random_, 30)) return Call("length", List(Make(TypeId::kVarchar, depth - 1)));
    // 1000 / x, only where x is not 0: the guard of a CASE.
    auto divisor = Make(TypeId::kInteger, depth - 1);
    auto guard = Compare(ComparisonOp::kNotEqual, divisor->Clone(), Constant(Value::Integer(0)));
    if (Chance(random_, 50)) {
      return When(std::move(guard), Call("/", List(Constant(Value::Integer(1000)), std::move(divisor))),
                  Leaf(TypeId::kInteger));
    }
    // The guard of an AND.
    auto quotient = Call("/", List(Constant(Value::Integer(1000)), std::move(divisor)));
    auto both = Junction(true, List(std::move(guard), Compare(ComparisonOp::kGreater, std::move(quotient),
                                                              Constant(Value::Integer(30)))));
    return When(std::move(both), Leaf(TypeId::kInteger), Leaf(TypeId::kInteger));
  }

  ExpressionPtr MakeText(size_t depth) {
    switch (Below(random_, 4)) {
      case 0: return Call("||", List(Make(TypeId::kVarchar, depth - 1), Make(TypeId::kVarchar, depth - 1)));
      case 1: return Call("upper", List(Make(TypeId::kVarchar, depth - 1)));
      case 2: return AddCast(Make(TypeId::kInteger, depth - 1), TypeId::kVarchar);
      default:
        return Call("substring", List(Make(TypeId::kVarchar, depth - 1), Constant(Value::Integer(2)),
                                      Constant(Value::Integer(7))));
    }
  }

  Random& random_;
};

/// Replaces every column by the row's value: what is left is evaluated as a constant.
void Bind(ExpressionPtr& expression, const Row& row) {
  if (expression->kind() == ExpressionKind::kReference) {
    expression = Constant(row[expression->As<ReferenceExpression>().index]);
    return;
  }
  expression->ForEachChild([&](ExpressionPtr& child) { Bind(child, row); });
}

}  // namespace

TEST_CASE("Vectors of any form give what rows one by one give", "[expression]") {
  Services services;
  Random random(21);
  TreeMaker maker(random);
  const LogicalType roots[] = {TypeId::kBoolean, TypeId::kInteger, TypeId::kVarchar, TypeId::kBoolean};
  for (size_t round = 0; round < 150; round++) {
    const auto expression = maker.Make(roots[round % 4], 4);
    INFO(expression->ToString());
    ExpressionExecutor executor(services.context, *expression);
    for (size_t chunk_number = 0; chunk_number < 4; chunk_number++) {
      const size_t count = chunk_number == 3 ? 1 : 1 + Below(random, 60);
      const auto rows = RandomRows(random, kColumns, count, chunk_number == 0 ? 0 : 20, 12, false);
      DataChunk input = MakeChunk(random, kColumns, rows);
      Vector result(expression->type());
      executor.Execute(0, input, result);
      SelectionVector selection;
      size_t selected = 0, next = 0;
      const bool is_boolean = expression->type().id() == TypeId::kBoolean;
      if (is_boolean) selected = executor.Select(0, input, selection);
      for (size_t row = 0; row < count; row++) {
        auto bound = expression->Clone();
        Bind(bound, rows[row]);
        const Value expected = EvaluateConstant(services.context, *bound);
        const Value value = result.GetValue(row);
        INFO("row " << row << ": " << TextOf(rows[row]));
        REQUIRE(value.ToString() == expected.ToString());
        if (!is_boolean || value.is_null() || !value.GetBoolean()) continue;
        REQUIRE(next < selected);
        REQUIRE(selection.rows[next++] == row);
      }
      REQUIRE(next == selected);
    }
  }
}

TEST_CASE("A result lives as long as somebody refers to it", "[expression]") {
  Services services;
  const auto expression =
      Call("||", List(Reference(TypeId::kVarchar, 0), Constant(Value::Varchar(" and a long tail behind"))));
  ExpressionExecutor executor(services.context, *expression);
  Vector first(TypeId::kVarchar), kept(TypeId::kVarchar);
  Random random(22);
  for (const Form form : {Form::kFlat, Form::kDictionary, Form::kDistinctDictionary, Form::kConstant}) {
    DataChunk input({TypeId::kVarchar});
    input.column(0) = MakeVector(random, TypeId::kVarchar, Row(40, Value::Varchar("the first head")), form);
    input.SetSize(40);
    executor.Execute(0, input, first);
    kept.Reference(first);
    for (size_t i = 0; i < 3; i++) {
      DataChunk other({TypeId::kVarchar});
      other.column(0) = MakeVector(random, TypeId::kVarchar, Row(40, Value::Varchar("another head")), form);
      other.SetSize(40);
      executor.Execute(0, other, first);
    }
    CHECK(kept.GetValue(39).GetString() == "the first head and a long tail behind");
  }
}

TEST_CASE("No rows, and no columns", "[expression]") {
  Services services;
  const auto sum = Call("+", List(Reference(TypeId::kInteger, 0), Constant(Value::Integer(1))));
  ExpressionExecutor executor(services.context, *sum);
  DataChunk empty({TypeId::kInteger});
  Vector result(sum->type());
  executor.Execute(0, empty, result);
  SelectionVector selection;
  const auto truth = Constant(Value::Boolean(true));
  ExpressionExecutor condition(services.context, *truth);
  CHECK(condition.Select(0, empty, selection) == 0);
  DataChunk without_columns;
  without_columns.SetSize(1024);
  CHECK(condition.Select(0, without_columns, selection) == 1024);
  CHECK(selection.rows[1023] == 1023);
}

TEST_CASE("An error in the middle of a chunk leaves the executor usable", "[expression]") {
  Services services;
  auto quotient = Call("/", List(Constant(Value::Integer(100)), Reference(TypeId::kInteger, 0)));
  quotient->position = 7;
  ExpressionExecutor executor(services.context, *quotient);
  Random random(23);
  for (size_t round = 0; round < 5; round++) {
    Row values(100, Value::Integer(4));
    if (round % 2 == 0) values[50] = Value::Integer(0);
    DataChunk input({TypeId::kInteger});
    input.column(0) =
        MakeVector(random, TypeId::kInteger, values, round < 3 ? Form::kFlat : Form::kDictionary);
    input.SetSize(100);
    Vector result(quotient->type());
    if (round % 2 == 0) {
      try {
        executor.Execute(0, input, result);
        FAIL("no error");
      } catch (const Error& error) {
        CHECK(std::string(error.sqlstate()) == "22012");
        CHECK(error.position() == 7u);
      }
    } else {
      executor.Execute(0, input, result);
      CHECK(result.GetValue(50).GetInteger() == 25);
    }
  }
}

}  // namespace scaup
