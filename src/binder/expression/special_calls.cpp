// Calls whose argument counts as an expression, not as a value: try and alias; and getvariable.
#include "binder/bound/subquery_expression.hpp"
#include "binder/expression/bind_expression.hpp"
#include "binder/scope/coercion.hpp"
#include "binder/scope/collation.hpp"
#include "binder/scope/query_binder.hpp"
#include "common/throw.hpp"
#include "expression/try_call.hpp"
#include "format/text/option_values.hpp"
#include "type/text/identifier_text.hpp"

namespace scaup {

namespace {

[[noreturn]] void RefuseOtherPlaces(size_t position) {
  ThrowNotSupported(
      "try() cannot contain aggregates, window functions and subqueries; put try() into their arguments",
      position);
}

/// Aggregates, window functions and subqueries are computed elsewhere, where no error becomes NULL.
void RequireOwnValues(const Expression& expression, size_t position) {
  const ExpressionKind kind = expression.kind();
  if (kind == ExpressionKind::kAggregate || kind == ExpressionKind::kWindow ||
      kind == ExpressionKind::kSubquery) {
    RefuseOtherPlaces(position);
  }
  expression.ForEachChild([&](const Expression& child) { RequireOwnValues(child, position); });
}

ExpressionPtr BindTry(ExpressionBinder& binder, const ast::FunctionCall& call) {
  ExpressionPtr value;
  const ExpressionPlace* const place = binder.level().subquery_of;
  try {
    value = binder.BindSettled(*call.arguments[0]);
  } catch (const Error& error) {
    // Constants are cast while they are bound.
    if (!IsDataError(error)) throw;
    // The binding of a subquery was abandoned, from which there is no going on.
    if (binder.level().subquery_of != place) RefuseOtherPlaces(call.position);
    return std::make_unique<ConstantExpression>(Value());
  }
  RequireOwnValues(*value, call.position);
  if (!IsDeterministic(*value)) {
    ThrowNotSupported("try() cannot contain functions such as random(), since it evaluates rows again",
                      call.position);
  }
  return MakeTry(std::move(value));
}

}  // namespace

/// Binds getvariable('name') to the value that the variable has now.
static ExpressionPtr BindVariable(ExpressionBinder& binder, const ast::FunctionCall& call) {
  BindSession& session = binder.session();
  session.uses_variables = true;
  ExpressionPtr argument = Coerce(session, binder.Bind(*call.arguments[0]), TypeId::kVarchar);
  const Value name = EvaluateForBinding(session, *argument, "the argument of getvariable");
  const SessionVariables* variables = session.context().variables;
  if (name.is_null() || variables == nullptr) return std::make_unique<ConstantExpression>(Value());
  const auto found = variables->find(LowerCase(name.GetString()));
  if (found == variables->end()) return std::make_unique<ConstantExpression>(Value());
  return std::make_unique<ConstantExpression>(found->second);
}

/// Binds COLLATION FOR (x) to the name of the collation; NULL if COLLATE has to say which it is.
static ExpressionPtr BindCollationFor(ExpressionBinder& binder, const ast::FunctionCall& call) {
  const ExpressionPtr value = binder.BindSettled(*call.arguments[0]);
  CheckCollatable(value->type(), call.position);
  const DerivedCollation derived = CollationOf(binder.session(), *value);
  if (derived.strength == DerivedCollation::Strength::kConflict)
    return std::make_unique<ConstantExpression>(Value(LogicalType(TypeId::kVarchar)));
  const bool is_default = derived.strength == DerivedCollation::Strength::kNone;
  return std::make_unique<ConstantExpression>(
      Value::Varchar(IdentifierText(is_default ? "default" : derived.collation.name)));
}

/// Binds collation_key(x): what texts have in common that are equal under their collation. Hidden columns of
/// indexes are made of it.
static ExpressionPtr BindCollationKey(ExpressionBinder& binder, const ast::FunctionCall& call) {
  ExpressionPtr value = binder.BindSettled(*call.arguments[0]);
  CheckCollatable(value->type(), call.position);
  return CollationKeyOf(binder.session(), std::move(value), KeyUse::kEquality);
}

ExpressionPtr BindSpecialCall(ExpressionBinder& binder, const ast::FunctionCall& call,
                              const std::string& name) {
  const bool is_plain = call.arguments.size() == 1 && !call.star && !call.distinct && !call.filter &&
                        !call.over && call.order_by.empty();
  if (!is_plain) return nullptr;
  if (name == "try") return BindTry(binder, call);
  if (name == "pg_collation_for") return BindCollationFor(binder, call);
  if (name == "collation_key") return BindCollationKey(binder, call);
  if (name == "getvariable") return BindVariable(binder, call);
  if (name == "alias")
    return std::make_unique<ConstantExpression>(Value::Varchar(ColumnNameOf(*call.arguments[0])));
  return nullptr;
}

}  // namespace scaup
