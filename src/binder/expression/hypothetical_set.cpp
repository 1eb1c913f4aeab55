// Hypothetical-set aggregates: rank(values) WITHIN GROUP (ORDER BY keys) becomes counts of preceding rows.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "binder/expression/bind_expression.hpp"
#include "binder/scope/coercion.hpp"
#include "binder/scope/collation.hpp"
#include "binder/scope/null_order.hpp"
#include "binder/scope/query_binder.hpp"
#include "common/throw.hpp"

namespace scaup {

namespace {

constexpr std::array<std::string_view, 4> kHypotheticalSets = {"rank", "dense_rank", "percent_rank",
                                                               "cume_dist"};

ExpressionPtr Either(ExpressionPtr first, ExpressionPtr second) {
  return std::make_unique<ConjunctionExpression>(false, PairOf(std::move(first), std::move(second)));
}

ExpressionPtr Both(ExpressionPtr first, ExpressionPtr second) {
  return std::make_unique<ConjunctionExpression>(true, PairOf(std::move(first), std::move(second)));
}

ExpressionPtr IsNull(ExpressionPtr value, bool negated) {
  return std::make_unique<IsNullExpression>(std::move(value), negated);
}

ExpressionPtr BigInt(int64_t value) { return std::make_unique<ConstantExpression>(Value::BigInt(value)); }

void CheckHypotheticalSet(const ast::FunctionCall& call, const std::string& name) {
  if (call.over) {
    ThrowNotSupported(fmt::format("OVER is not supported for ordered-set aggregate {}", name), call.position);
  }
  if (call.distinct) {
    ThrowError(ErrorKind::kSyntax, sqlstate::kSyntaxError, "cannot use DISTINCT with WITHIN GROUP",
               call.position);
  }
  if (call.arguments.size() != call.order_by.size()) {
    ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedFunction,
               fmt::format("{} takes as many values in front of WITHIN GROUP (here {}) as there are ORDER BY "
                           "expressions (here {})",
                           name, call.arguments.size(), call.order_by.size()),
               call.position);
  }
}

/// Makes a condition that is true for rows that sort before the given values and, if requested, for equal
/// ones.
ExpressionPtr BindIsInFront(ExpressionBinder& binder, const ast::FunctionCall& call, bool counts_equal) {
  ExpressionPtr result;
  for (size_t i = call.order_by.size(); i-- > 0;) {
    const ast::OrderByItem& item = call.order_by[i];
    // Each part needs its own copy; binding again also works for subqueries, which cannot be cloned.
    const auto pair = [&] { return PairOf(binder.Bind(*item.expression), binder.Bind(*call.arguments[i])); };
    const auto compare = [&](ComparisonOp op) {
      std::vector<ExpressionPtr> sides = pair();
      return MakeComparison(binder.session(), op, std::move(sides[0]), std::move(sides[1]), call.position);
    };
    const bool nulls_first = NullsComeFirst(binder.session(), item);
    // The key sorts in front if it is less than the value, or if only one of them is NULL and the order of
    // NULLs puts the key first.
    std::vector<ExpressionPtr> sides = pair();
    ExpressionPtr is_less = Either(compare(item.descending ? ComparisonOp::kGreater : ComparisonOp::kLess),
                                   Both(IsNull(Settle(binder.session(), std::move(sides[0])), !nulls_first),
                                        IsNull(Settle(binder.session(), std::move(sides[1])), nulls_first)));
    const bool is_last = i + 1 == call.order_by.size();
    if (is_last && !counts_equal) {
      result = std::move(is_less);
      continue;
    }
    ExpressionPtr is_equal = compare(ComparisonOp::kNotDistinctFrom);
    if (!is_last) is_equal = Both(std::move(is_equal), std::move(result));
    result = Either(std::move(is_less), std::move(is_equal));
  }
  return result;
}

/// Counts the rows, or the distinct keys, that satisfy the condition and the call's FILTER.
ExpressionPtr CountHypothetical(ExpressionBinder& binder, const ast::FunctionCall& call,
                                ExpressionPtr condition, bool counts_values) {
  if (call.filter) condition = Both(std::move(condition), binder.BindBoolean(*call.filter, "FILTER"));
  std::vector<ExpressionPtr> arguments;
  if (counts_values) {
    std::vector<ExpressionPtr> keys;
    for (const ast::OrderByItem& item : call.order_by) {
      ExpressionPtr key = binder.BindSettled(*item.expression);
      keys.push_back(CollationKeyOf(binder.session(), std::move(key), KeyUse::kEquality));
    }
    arguments.push_back(MakeScalarCall(binder.session(), "row", std::move(keys), call.position));
  }
  const char* const name = counts_values ? "count" : "count_star";
  return MakeAggregateCall(binder.session(), name, std::move(arguments), counts_values, std::move(condition),
                           call.position);
}

}  // namespace

bool IsHypotheticalSet(std::string_view name) {
  return std::find(kHypotheticalSets.begin(), kHypotheticalSets.end(), name) != kHypotheticalSets.end();
}

ExpressionPtr BindHypotheticalSet(ExpressionBinder& binder, const ast::FunctionCall& call,
                                  const std::string& name) {
  CheckHypotheticalSet(call, name);
  ExpressionPtr in_front, all;
  std::vector<ExpressionPtr> direct;
  {
    const auto stay = binder.place().Enter(Enclosing::kAggregate);
    in_front = CountHypothetical(binder, call, BindIsInFront(binder, call, name == "cume_dist"),
                                 name == "dense_rank");
    // A condition that is always true. Its columns assign this count to the same level as the other one.
    ExpressionPtr always = Either(BindIsInFront(binder, call, false),
                                  std::make_unique<ConstantExpression>(Value::Boolean(true)));
    all = CountHypothetical(binder, call, std::move(always), false);
    for (const auto& argument : call.arguments) direct.push_back(binder.BindSettled(*argument));
  }
  in_front = PlaceAggregate(binder, std::move(in_front), call);
  if (in_front->kind() == ExpressionKind::kAggregate && binder.level().select != nullptr) {
    for (ExpressionPtr& argument : direct)
      binder.level().select->direct_arguments.push_back(std::move(argument));
  }
  const auto call_scalar = [&](std::string_view function, ExpressionPtr first, ExpressionPtr second) {
    return MakeScalarCall(binder.session(), function, PairOf(std::move(first), std::move(second)),
                          call.position);
  };
  const auto divide = [&](ExpressionPtr dividend, ExpressionPtr divisor) {
    return call_scalar("/", Coerce(binder.session(), std::move(dividend), TypeId::kDouble),
                       Coerce(binder.session(), std::move(divisor), TypeId::kDouble));
  };
  if (name == "rank" || name == "dense_rank") return call_scalar("+", std::move(in_front), BigInt(1));
  all = PlaceAggregate(binder, std::move(all), call);
  if (name == "cume_dist") {
    return divide(call_scalar("+", std::move(in_front), BigInt(1)),
                  call_scalar("+", std::move(all), BigInt(1)));
  }
  // percent_rank of an empty group is 0, without a division.
  std::vector<CaseExpression::Branch> branches;
  branches.push_back(
      {MakeComparison(binder.session(), ComparisonOp::kEqual, all->Clone(), BigInt(0), call.position),
       std::make_unique<ConstantExpression>(Value::Double(0))});
  return std::make_unique<CaseExpression>(TypeId::kDouble, std::move(branches),
                                          divide(std::move(in_front), std::move(all)));
}

}  // namespace scaup
