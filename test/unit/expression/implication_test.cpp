// Conditions that imply others, for partial indexes.
#include <catch2/catch.hpp>

#include "expression/implication.hpp"

namespace scaup {
namespace {

using Op = ComparisonOp;

ExpressionPtr Column(size_t column) {
  return std::make_unique<ColumnRefExpression>(TypeId::kInteger, ColumnBinding{0, column},
                                               std::string(1, static_cast<char>('a' + column)));
}

ExpressionPtr Compare(size_t column, Op op, int32_t constant) {
  return std::make_unique<ComparisonExpression>(op, Column(column), MakeConstant(Value::Integer(constant)));
}

ExpressionPtr IsNotNull(size_t column) { return std::make_unique<IsNullExpression>(Column(column), true); }

ExpressionPtr Both(bool is_and, ExpressionPtr left, ExpressionPtr right) {
  std::vector<ExpressionPtr> parts;
  parts.push_back(std::move(left));
  parts.push_back(std::move(right));
  return std::make_unique<ConjunctionExpression>(is_and, std::move(parts));
}

ExpressionPtr In(size_t column, std::initializer_list<int32_t> numbers) {
  std::vector<Value> values;
  for (const int32_t number : numbers) values.push_back(Value::Integer(number));
  return std::make_unique<InListExpression>(Column(column), std::move(values), false);
}

bool Holds(Op op, const Value& left, const Value& right) {
  const int64_t a = left.GetInteger(), b = right.GetInteger();
  switch (op) {
    case Op::kEqual:
    case Op::kNotDistinctFrom: return a == b;
    case Op::kNotEqual:
    case Op::kDistinctFrom: return a != b;
    case Op::kLess: return a < b;
    case Op::kLessEqual: return a <= b;
    case Op::kGreater: return a > b;
    case Op::kGreaterEqual: return a >= b;
  }
  return false;
}

bool Follows(const ExpressionPtr& given, const ExpressionPtr& wanted) {
  return Implies({given.get()}, *wanted, Holds);
}

}  // namespace

TEST_CASE("comparisons with constants imply what holds for all values that satisfy them", "[implication]") {
  constexpr Op kOps[] = {Op::kEqual,     Op::kNotEqual, Op::kLess,
                         Op::kLessEqual, Op::kGreater,  Op::kGreaterEqual};
  for (const Op given : kOps) {
    for (const Op wanted : kOps) {
      for (int32_t constant = -1; constant <= 1; constant++) {
        // Whole numbers could tell more, such as a > 0 implying a >= 1, but other types have values between.
        bool always = true;
        for (int32_t value = -8; value <= 8; value++) {
          const Value twice = Value::Integer(value);
          if (Holds(given, twice, Value::Integer(0)) && !Holds(wanted, twice, Value::Integer(2 * constant)))
            always = false;
        }
        const bool implied = Follows(Compare(0, given, 0), Compare(0, wanted, 2 * constant));
        INFO(static_cast<int>(given) << " " << static_cast<int>(wanted) << " " << constant);
        CHECK(implied == always);
        CHECK_FALSE(Follows(Compare(1, given, 0), Compare(0, wanted, 2 * constant)));
      }
    }
  }
}

TEST_CASE("implication looks into AND, OR, IN and IS NOT NULL", "[implication]") {
  CHECK(Follows(Compare(0, Op::kEqual, 1), IsNotNull(0)));
  CHECK_FALSE(Follows(Compare(0, Op::kDistinctFrom, 1), IsNotNull(0)));
  CHECK(Follows(In(0, {1, 2}), IsNotNull(0)));
  CHECK(Follows(In(0, {1, 2}), Compare(0, Op::kLess, 3)));
  CHECK_FALSE(Follows(In(0, {1, 3}), Compare(0, Op::kLess, 3)));
  CHECK(Follows(In(0, {1, 2}), In(0, {0, 1, 2})));
  CHECK_FALSE(Follows(In(0, {1, 5}), In(0, {0, 1, 2})));
  CHECK(Follows(Compare(0, Op::kEqual, 2), In(0, {0, 1, 2})));
  CHECK(
      Follows(Both(true, Compare(0, Op::kEqual, 1), Compare(1, Op::kEqual, 2)), Compare(1, Op::kGreater, 0)));
  CHECK_FALSE(Follows(Both(false, Compare(0, Op::kEqual, 1), Compare(1, Op::kEqual, 2)),
                      Compare(1, Op::kGreater, 0)));
  CHECK(Follows(Both(false, Compare(0, Op::kEqual, 1), Compare(0, Op::kEqual, 2)),
                Compare(0, Op::kGreater, 0)));
  CHECK(Follows(Compare(0, Op::kEqual, 1),
                Both(false, Compare(0, Op::kGreater, 0), Compare(1, Op::kEqual, 2))));
  CHECK_FALSE(
      Follows(Compare(0, Op::kEqual, 1), Both(true, Compare(0, Op::kGreater, 0), Compare(1, Op::kEqual, 2))));
  const ExpressionPtr one = Compare(0, Op::kEqual, 1), two = Compare(1, Op::kEqual, 2);
  CHECK(Implies({one.get(), two.get()}, *Both(true, Compare(0, Op::kGreater, 0), Compare(1, Op::kEqual, 2)),
                Holds));
}

}  // namespace scaup
