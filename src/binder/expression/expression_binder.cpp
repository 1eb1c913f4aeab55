// The entry for expressions of all kinds; columns, parameters, operators and casts.
#include "binder/scope/expression_binder.hpp"
#include "binder/scope/domain_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "binder/bound/subquery_expression.hpp"
#include "binder/expression/bind_expression.hpp"
#include "binder/scope/coercion.hpp"
#include "binder/scope/collation.hpp"
#include "binder/scope/document_source.hpp"
#include "binder/scope/document_value.hpp"
#include "binder/scope/literal.hpp"
#include "binder/scope/nested_expressions.hpp"
#include "common/running_call.hpp"
#include "common/stack_bound.hpp"
#include "common/throw.hpp"
#include "expression/bound_call.hpp"
#include "function/defined_functions.hpp"
#include "type/type_modifier.hpp"
#include "type/type_name.hpp"

namespace scaup {

namespace {

/// Sets a variable for its own lifetime. Also an error restores it: try() goes on after one.
template <typename T>
class Temporarily {
 public:
  Temporarily(T& variable, T value) : variable_(variable), before_(std::exchange(variable, value)) {}
  ~Temporarily() { variable_ = before_; }
  Temporarily(const Temporarily&) = delete;
  Temporarily& operator=(const Temporarily&) = delete;

 private:
  T& variable_;
  const T before_;
};

bool AllowsAliases(Clause clause) {
  return clause == Clause::kSelect || clause == Clause::kWhere || clause == Clause::kGroupBy ||
         clause == Clause::kHaving || clause == Clause::kQualify || clause == Clause::kOrderBy ||
         clause == Clause::kDistinctOn;
}

/// Binds the expression of a SELECT item in place of its alias; null if the name is no such alias.
ExpressionPtr BindReusedAlias(ExpressionBinder& binder, const ast::Column& column) {
  if (!AllowsAliases(binder.place().clause())) return nullptr;
  QueryLevel& level = binder.level();
  const std::optional<size_t> item = FindReusedAlias(level, column);
  if (!item) return nullptr;
  // Aliases of aliases of aliases double the expression again and again.
  constexpr size_t kMostUses = 10000;
  if (++level.alias_uses > kMostUses) {
    ThrowError(ErrorKind::kBinder, sqlstate::kStatementTooComplex,
               "aliases are used in one another too often; put the inner ones into a subquery in FROM",
               column.position);
  }
  // An item sees those before it, so that it never sees itself.
  const Temporarily visible(level.visible_items, *item);
  ExpressionPtr value = binder.Bind(*(*level.items)[*item].expression);
  if (!IsDeterministic(*value)) {
    ThrowNotSupported(fmt::format("alias \"{}\" cannot be used in another expression, since its own has "
                                  "another value each time; put it into a subquery in FROM",
                                  column.names[0]),
                      column.position);
  }
  return value;
}

ExpressionPtr BindColumn(ExpressionBinder& binder, const ast::Column& column) {
  if (ExpressionPtr parameter = binder.BindLambdaParameter(column)) {
    for (size_t i = 1; i < column.names.size(); i++)
      parameter = MakeMember(binder.session(), std::move(parameter), column.names[i], column.position);
    return parameter;
  }
  if (column.names.size() == 1 && column.names[0] == ast::kDefaultMarker) {
    ThrowError(ErrorKind::kSyntax, sqlstate::kSyntaxError,
               "DEFAULT is only allowed as a value in INSERT ... VALUES", column.position);
  }
  // The names in the body of a function are its arguments.
  if (binder.place().clause() == Clause::kDefault && binder.session().functions.empty()) {
    ThrowNotSupported("DEFAULT expressions cannot use columns", column.position);
  }
  // Order of precedence: a row by its table's alias, a path, a key that no document has, then a column with
  // fields.
  if (auto row = FindWholeRow(binder.level(), column))
    return MakeWholeRow(binder.session(), std::move(*row), column.position);
  if (ExpressionPtr path = ResolvePath(binder.level(), column)) return path;
  // A view was created when the key existed or unknown keys were NULL, so it must stay valid.
  const bool may_be_unknown = binder.session().view != nullptr ||
                              binder.session().context().settings.unknown_keys == UnknownKeys::kNull;
  if (IsUnknownKey(binder.level(), column, may_be_unknown))
    return std::make_unique<ConstantExpression>(Value());
  if (ExpressionPtr reused = BindReusedAlias(binder, column)) return reused;
  const size_t name_count = CountColumnNames(binder.level(), column);
  if (name_count >= column.names.size()) return ResolveColumn(binder.level(), column);
  ast::Column without_fields;
  without_fields.position = column.position;
  without_fields.names.assign(column.names.begin(),
                              column.names.begin() + static_cast<std::ptrdiff_t>(name_count));
  ExpressionPtr value = ResolveColumn(binder.level(), without_fields);
  for (size_t i = name_count; i < column.names.size(); i++)
    value = MakeMember(binder.session(), std::move(value), column.names[i], column.position);
  return value;
}

ExpressionPtr BindParameter(ExpressionBinder& binder, const ast::Parameter& parameter) {
  if (ExpressionPtr argument = binder.BindArgument(parameter)) return argument;
  if (ExpressionPtr argument = ResolveArgument(binder.level(), parameter.index, parameter.position))
    return argument;
  if (binder.place().clause() == Clause::kDefault) {
    ThrowNotSupported("DEFAULT expressions cannot use parameters", parameter.position);
  }
  return std::make_unique<ParameterExpression>(binder.session().ParameterType(parameter.index),
                                               parameter.index);
}

ExpressionPtr BindOperator(ExpressionBinder& binder, const ast::Operator& op) {
  if (!op.left) {
    if (op.symbol == "-" && op.right->kind == ast::ExpressionKind::kLiteral) {
      if (ExpressionPtr number = BindNegatedLiteral(op.right->As<ast::Literal>())) {
        number->position = op.position;
        return number;
      }
    }
    std::vector<ExpressionPtr> operand;
    operand.push_back(binder.Bind(*op.right));
    const std::string* const function = FindFunctionAlias(op.symbol);
    return MakeScalarCall(binder.session(), function != nullptr ? *function : op.symbol, std::move(operand),
                          op.position);
  }
  ExpressionPtr left = binder.Bind(*op.left);
  ExpressionPtr right = binder.Bind(*op.right);
  if (const auto comparison = ComparisonFromSymbol(op.symbol)) {
    return MakeComparison(binder.session(), *comparison, std::move(left), std::move(right), op.position);
  }
  if (op.symbol == "||") FitConcatenated(binder.session(), left, right);
  std::vector<ExpressionPtr> operands;
  operands.push_back(std::move(left));
  operands.push_back(std::move(right));
  return MakeScalarCall(binder.session(), op.symbol, std::move(operands), op.position);
}

/// Casts an integer to BIT(n), which gets its lowest bits. The type alone says how many, so that BIT VARYING
/// does not do, as in PostgreSQL.
ExpressionPtr CutToBits(ExpressionPtr integer, const LogicalType& type) {
  if (IsVaryingBit(type)) {
    ThrowError(
        ErrorKind::kBinder, sqlstate::kCannotCoerce,
        fmt::format("cannot cast type {} to bit varying; cast it to BIT(n), or to BIT for all of its bits",
                    PostgresTypeName(integer->type())),
        integer->position);
  }
  ExpressionPtr call = CallBound(CutBitsFunction(type), AddCast(std::move(integer), TypeId::kHugeInt));
  call->set_type(type);
  return call;
}

ExpressionPtr BindCastTo(ExpressionBinder& binder, const ast::Cast& cast, const LogicalType& type) {
  if (cast.child->kind == ast::ExpressionKind::kArray && type.id() == TypeId::kList && !IsMap(type) &&
      cast.child->As<ast::Array>().elements.empty()) {
    return std::make_unique<ConstantExpression>(Value::List(type.element(), {}));
  }
  ExpressionPtr child = binder.Bind(*cast.child);
  // The result of an inner cast already has its type, even if it still is the path itself.
  if (cast.child->kind != ast::ExpressionKind::kCast)
    child = ReadForCast(binder.session(), std::move(child), type);
  const LogicalType plain = WithoutModifier(type);
  if (IsObjectName(*child, type))
    return FindObjectNumber(binder.session(), std::move(child), type, cast.is_try);
  if (type.id() == TypeId::kBit && ModifierBits(type) != 0 && child->type().IsInteger())
    return CutToBits(std::move(child), type);
  child = cast.is_try ? AddCast(Settle(binder.session(), std::move(child)), plain, true)
                      : Coerce(binder.session(), std::move(child), plain);
  // The casts between lists of OIDs, regclass[] and their kin change the type alone.
  const bool is_list_of_numbers = type.id() == TypeId::kList && type.element().id() == TypeId::kBigInt;
  if (is_list_of_numbers && child->type() == plain) child->set_type(type);
  // x::TEXT has no length any more, though it is still the same column.
  if (ModifierBits(type) == 0) child->set_type(WithoutModifier(child->type()));
  return FitModifier(std::move(child), type, true);
}

ExpressionPtr BindCast(ExpressionBinder& binder, const ast::Cast& cast) {
  const DomainEntryRef domain = FindDomain(binder.session(), cast.type);
  if (!domain) {
    const std::optional<LogicalType> row = FindRowType(binder, cast.type);
    return BindCastTo(binder, cast, row ? *row : BindTypeName(&binder.session(), cast.type));
  }
  if (cast.is_try)
    ThrowNotSupported("TRY_CAST to a domain is not supported; use try(x::domain)", cast.position);
  ExpressionPtr value =
      FollowDomain(binder.session(), *domain, BindCastTo(binder, cast, domain->type), cast.position);
  return WithImplicitCollation(binder.session(), std::move(value), domain->collation);
}

ExpressionPtr BindCollate(ExpressionBinder& binder, const ast::Collate& collate) {
  ExpressionPtr child = binder.Bind(*collate.child);
  if (!IsUntyped(*child)) CheckCollatable(child->type(), collate.collation.position);
  const Collation collation = ResolveCollation(binder.session(), collate.collation);
  // An untyped literal is still free to be something else where its bytes are all that counts.
  if (IsUntyped(*child) && collation.IsBytes()) return child;
  child = Settle(binder.session(), std::move(child));
  if (child->type().id() == TypeId::kVarchar) return Collate(binder.session(), std::move(child), collation);
  if (collation.IsBytes()) return child;
  ThrowNotSupported(fmt::format("lists compare texts by their bytes, not by collation \"{}\"; write COLLATE "
                                "behind texts",
                                collation.name),
                    collate.collation.position);
}

}  // namespace

ExpressionPtr ExpressionBinder::Bind(const ast::Expression& expression) {
  RunningCall::CheckInterrupt();
  ExpressionPtr bound = BindNode(expression);
  if (!bound->position) bound->position = expression.position;
  return bound;
}

ExpressionPtr ExpressionBinder::BindDefinition(const ast::Expression& definition,
                                               const ast::FunctionCall& call) {
  DefinedCall defined{&call, defined_call_, std::vector<bool>(call.arguments.size())};
  const Temporarily inner(defined_call_, &defined);
  return Bind(definition);
}

ExpressionPtr ExpressionBinder::BindArgument(const ast::Parameter& parameter) {
  if (defined_call_ == nullptr) return nullptr;
  // Arguments were written outside of the definition, where parameters are those of the call around it.
  DefinedCall* const defined = defined_call_;
  const ast::Expression& argument = *defined->call->arguments[parameter.index];
  const Temporarily outer(defined_call_, defined->outer);
  ExpressionPtr bound = Bind(argument);
  if (defined->is_used[parameter.index] && !IsDeterministic(*bound)) {
    ThrowNotSupported(fmt::format("{} needs the same argument twice, and this one has another value each "
                                  "time; compute it in a subquery in FROM",
                                  defined->call->name.back()),
                      argument.position);
  }
  defined->is_used[parameter.index] = true;
  return bound;
}

ExpressionPtr ExpressionBinder::BindLambdaBody(const ast::Lambda& lambda,
                                               const std::vector<LogicalType>& types, size_t table_index) {
  const LambdaScope scope{&lambda, &types, table_index, lambda_};
  const Temporarily<const LambdaScope*> inner(lambda_, &scope);
  return Bind(*lambda.body);
}

ExpressionPtr ExpressionBinder::BindLambdaParameter(const ast::Column& column) const {
  for (const LambdaScope* scope = lambda_; scope != nullptr; scope = scope->outer) {
    const auto& names = scope->lambda->parameters;
    const auto found = std::find(names.begin(), names.end(), column.names[0]);
    if (found == names.end()) continue;
    const auto index = static_cast<size_t>(found - names.begin());
    return std::make_unique<ColumnRefExpression>((*scope->types)[index],
                                                 ColumnBinding{scope->table_index, index}, *found);
  }
  return nullptr;
}

ExpressionPtr ExpressionBinder::BindSettled(const ast::Expression& expression) {
  return Settle(session_, Bind(expression));
}

ExpressionPtr ExpressionBinder::BindBoolean(const ast::Expression& expression, std::string_view place) {
  return CoerceToBoolean(session_, Bind(expression), place);
}

ExpressionPtr ExpressionBinder::BindNode(const ast::Expression& expression) {
  CheckStack();
  switch (expression.kind) {
    case ast::ExpressionKind::kLiteral: return BindLiteral(expression.As<ast::Literal>());
    case ast::ExpressionKind::kColumn: return BindColumn(*this, expression.As<ast::Column>());
    case ast::ExpressionKind::kStar:
      ThrowError(ErrorKind::kSyntax, sqlstate::kSyntaxError,
                 "* can only stand in a SELECT list or in count(*)", expression.position);
    case ast::ExpressionKind::kParameter: return BindParameter(*this, expression.As<ast::Parameter>());
    case ast::ExpressionKind::kFunctionCall: return BindFunction(*this, expression.As<ast::FunctionCall>());
    case ast::ExpressionKind::kOperator: return BindOperator(*this, expression.As<ast::Operator>());
    case ast::ExpressionKind::kAnd:
    case ast::ExpressionKind::kOr: return BindConjunction(*this, expression.As<ast::Conjunction>());
    case ast::ExpressionKind::kNot:
      return std::make_unique<NotExpression>(BindBoolean(*expression.As<ast::Not>().child, "NOT"));
    case ast::ExpressionKind::kIsNull: return BindIsNull(*this, expression.As<ast::IsNull>());
    case ast::ExpressionKind::kBooleanTest: return BindBooleanTest(*this, expression.As<ast::BooleanTest>());
    case ast::ExpressionKind::kCast: return BindCast(*this, expression.As<ast::Cast>());
    case ast::ExpressionKind::kCase: return BindCase(*this, expression.As<ast::Case>());
    case ast::ExpressionKind::kInList: return BindInList(*this, expression.As<ast::InList>());
    case ast::ExpressionKind::kBetween: return BindBetween(*this, expression.As<ast::Between>());
    case ast::ExpressionKind::kLike: return BindLike(*this, expression.As<ast::Like>());
    case ast::ExpressionKind::kSubquery: return BindSubquery(*this, expression.As<ast::Subquery>());
    case ast::ExpressionKind::kInterval: return BindIntervalLiteral(expression.As<ast::IntervalLiteral>());
    case ast::ExpressionKind::kArray: return BindArray(*this, expression.As<ast::Array>());
    case ast::ExpressionKind::kArrayComparison:
      return BindArrayComparison(*this, expression.As<ast::ArrayComparison>());
    case ast::ExpressionKind::kSubscript: return BindSubscript(*this, expression.As<ast::Subscript>());
    case ast::ExpressionKind::kField: return BindField(*this, expression.As<ast::Field>());
    case ast::ExpressionKind::kRow: return BindRow(*this, expression.As<ast::Row>());
    case ast::ExpressionKind::kCollate: return BindCollate(*this, expression.As<ast::Collate>());
    case ast::ExpressionKind::kLambda: RefuseLambda(expression.As<ast::Lambda>());
  }
  ThrowInternal("unknown expression");
}

ExpressionPtr ExpressionBinder::BindAgain(const ast::Expression& syntax, const Expression& bound) {
  if (HasSubquery(bound)) return Bind(syntax);
  ExpressionPtr copy = bound.Clone();
  copy->set_type(bound.type());  // the copy of an untyped literal is untyped, too
  return copy;
}

void RefuseOwnColumns(Expression& value, std::string_view clause) {
  ForEachOwnReference(value, [&](const ColumnRefExpression& column) {
    ThrowError(ErrorKind::kBinder, sqlstate::kInvalidColumnReference,
               fmt::format("argument of {} must not contain columns", clause), column.position);
  });
}

}  // namespace scaup
