// Binds expressions: columns, operators, predicates, CASE and subqueries.
#include "binder/scope/expression_binder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "binder/bound/subquery_expression.hpp"
#include "binder/scope/coercion.hpp"
#include "binder/scope/collation.hpp"
#include "binder/scope/document_source.hpp"
#include "binder/scope/document_value.hpp"
#include "binder/scope/literal.hpp"
#include "binder/scope/nested_expressions.hpp"
#include "binder/scope/query_binder.hpp"
#include "common/running_call.hpp"
#include "common/stack_bound.hpp"
#include "common/throw.hpp"
#include "type/type_name.hpp"
#include "type/type_rules.hpp"

namespace scaup {

const char* ClauseName(Clause clause) {
  switch (clause) {
    case Clause::kSelect: return "SELECT";
    case Clause::kWhere: return "WHERE";
    case Clause::kJoinCondition: return "JOIN conditions";
    case Clause::kGroupBy: return "GROUP BY";
    case Clause::kHaving: return "HAVING";
    case Clause::kOrderBy: return "ORDER BY";
    case Clause::kDistinctOn: return "DISTINCT ON";
    case Clause::kLimit: return "LIMIT";
    case Clause::kOffset: return "OFFSET";
    case Clause::kValues: return "VALUES";
    case Clause::kDefault: return "DEFAULT expressions";
    case Clause::kTableFunction: return "functions in FROM";
    case Clause::kSet: return "UPDATE";
    case Clause::kReturning: return "RETURNING";
    case Clause::kOnConflict: return "ON CONFLICT";
    case Clause::kMergeWhen: return "the clauses of MERGE";
    case Clause::kCheck: return "check constraints";
    case Clause::kGenerated: return "column generation expressions";
    case Clause::kAlterType: return "transform expressions";
    case Clause::kWindowFrame: return "window frames";
    case Clause::kExecute: return "EXECUTE parameters";
  }
  return "this place";
}

ExpressionPtr ExpressionBinder::Bind(const ast::Expression& expression) {
  RunningCall::CheckInterrupt();
  ExpressionPtr bound = BindNode(expression);
  if (!bound->position) bound->position = expression.position;
  return bound;
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
    case ast::ExpressionKind::kColumn: return BindColumn(expression.As<ast::Column>());
    case ast::ExpressionKind::kStar:
      ThrowError(ErrorKind::kSyntax, sqlstate::kSyntaxError,
                 "* can only stand in a SELECT list or in count(*)", expression.position);
    case ast::ExpressionKind::kParameter: return BindParameter(expression.As<ast::Parameter>());
    case ast::ExpressionKind::kFunctionCall: return BindFunction(expression.As<ast::FunctionCall>());
    case ast::ExpressionKind::kOperator: return BindOperator(expression.As<ast::Operator>());
    case ast::ExpressionKind::kAnd:
    case ast::ExpressionKind::kOr: return BindConjunction(expression.As<ast::Conjunction>());
    case ast::ExpressionKind::kNot:
      return std::make_unique<NotExpression>(BindBoolean(*expression.As<ast::Not>().child, "NOT"));
    case ast::ExpressionKind::kIsNull: return BindIsNull(expression.As<ast::IsNull>());
    case ast::ExpressionKind::kBooleanTest: return BindBooleanTest(expression.As<ast::BooleanTest>());
    case ast::ExpressionKind::kCast: return BindCast(expression.As<ast::Cast>());
    case ast::ExpressionKind::kCase: return BindCase(expression.As<ast::Case>());
    case ast::ExpressionKind::kInList: return BindInList(expression.As<ast::InList>());
    case ast::ExpressionKind::kBetween: return BindBetween(expression.As<ast::Between>());
    case ast::ExpressionKind::kLike: return BindLike(expression.As<ast::Like>());
    case ast::ExpressionKind::kSubquery: return BindSubquery(expression.As<ast::Subquery>());
    case ast::ExpressionKind::kInterval: return BindIntervalLiteral(expression.As<ast::IntervalLiteral>());
    case ast::ExpressionKind::kArray: return BindArray(expression.As<ast::Array>());
    case ast::ExpressionKind::kArrayComparison:
      return BindArrayComparison(expression.As<ast::ArrayComparison>());
    case ast::ExpressionKind::kSubscript: return BindSubscript(expression.As<ast::Subscript>());
    case ast::ExpressionKind::kField: return BindField(expression.As<ast::Field>());
    case ast::ExpressionKind::kRow: return BindRow(expression.As<ast::Row>());
    case ast::ExpressionKind::kCollate: return BindCollate(expression.As<ast::Collate>());
  }
  ThrowInternal("unknown expression");
}

ExpressionPtr ExpressionBinder::BindColumn(const ast::Column& column) {
  if (column.names.size() == 1 && column.names[0] == ast::kDefaultMarker) {
    ThrowError(ErrorKind::kSyntax, sqlstate::kSyntaxError,
               "DEFAULT is only allowed as a value in INSERT ... VALUES", column.position);
  }
  if (clause_ == Clause::kDefault) {
    ThrowNotSupported("DEFAULT expressions cannot use columns", column.position);
  }
  // Order of precedence: a row by its table's alias, a path, a key that no document has, then a column with
  // fields.
  if (auto row = FindWholeRow(level_, column)) return BindWholeRow(std::move(*row), column.position);
  if (ExpressionPtr path = ResolvePath(level_, column)) return path;
  // A view was created when the key existed or unknown keys were NULL, so it must stay valid.
  const bool may_be_unknown =
      session_.view != nullptr || session_.context().settings.unknown_keys == UnknownKeys::kNull;
  if (IsUnknownKey(level_, column, may_be_unknown)) return std::make_unique<ConstantExpression>(Value());
  const size_t name_count = CountColumnNames(level_, column);
  if (name_count >= column.names.size()) return ResolveColumn(level_, column);
  ast::Column without_fields;
  without_fields.position = column.position;
  without_fields.names.assign(column.names.begin(),
                              column.names.begin() + static_cast<std::ptrdiff_t>(name_count));
  ExpressionPtr value = ResolveColumn(level_, without_fields);
  for (size_t i = name_count; i < column.names.size(); i++)
    value = MakeMember(session_, std::move(value), column.names[i], column.position);
  return value;
}

ExpressionPtr ExpressionBinder::BindParameter(const ast::Parameter& parameter) {
  if (clause_ == Clause::kDefault) {
    ThrowNotSupported("DEFAULT expressions cannot use parameters", parameter.position);
  }
  return std::make_unique<ParameterExpression>(session_.ParameterType(parameter.index), parameter.index);
}

ExpressionPtr ExpressionBinder::BindOperator(const ast::Operator& op) {
  if (!op.left) {
    if (op.symbol == "-" && op.right->kind == ast::ExpressionKind::kLiteral) {
      if (ExpressionPtr number = BindNegatedLiteral(op.right->As<ast::Literal>())) {
        number->position = op.position;
        return number;
      }
    }
    std::vector<ExpressionPtr> operand;
    operand.push_back(Bind(*op.right));
    return MakeScalarCall(session_, op.symbol, std::move(operand), op.position);
  }
  ExpressionPtr left = Bind(*op.left);
  ExpressionPtr right = Bind(*op.right);
  if (const auto comparison = ComparisonFromSymbol(op.symbol)) {
    return MakeComparison(session_, *comparison, std::move(left), std::move(right), op.position);
  }
  if (op.symbol == "||") FitConcatenated(session_, left, right);
  std::vector<ExpressionPtr> operands;
  operands.push_back(std::move(left));
  operands.push_back(std::move(right));
  return MakeScalarCall(session_, op.symbol, std::move(operands), op.position);
}

ExpressionPtr ExpressionBinder::BindConjunction(const ast::Conjunction& conjunction) {
  const bool is_and = conjunction.kind == ast::ExpressionKind::kAnd;
  std::vector<ExpressionPtr> children;
  children.reserve(conjunction.children.size());
  for (const auto& child : conjunction.children)
    children.push_back(BindBoolean(*child, is_and ? "AND" : "OR"));
  return std::make_unique<ConjunctionExpression>(is_and, std::move(children));
}

ExpressionPtr ExpressionBinder::BindBooleanTest(const ast::BooleanTest& test) {
  ExpressionPtr child = BindBoolean(*test.child, "IS");
  if (test.test == ast::BooleanTest::Test::kUnknown) {
    return std::make_unique<IsNullExpression>(std::move(child), test.negated);
  }
  auto wanted =
      std::make_unique<ConstantExpression>(Value::Boolean(test.test == ast::BooleanTest::Test::kTrue));
  return std::make_unique<ComparisonExpression>(
      test.negated ? ComparisonOp::kDistinctFrom : ComparisonOp::kNotDistinctFrom, std::move(child),
      std::move(wanted));
}

ExpressionPtr ExpressionBinder::BindCast(const ast::Cast& cast) {
  const LogicalType type = BindTypeName(&session_, cast.type);
  if (cast.child->kind == ast::ExpressionKind::kArray && type.id() == TypeId::kList &&
      cast.child->As<ast::Array>().elements.empty()) {
    return std::make_unique<ConstantExpression>(Value::List(type.element(), {}));
  }
  ExpressionPtr child = Bind(*cast.child);
  // The result of an inner cast already has its type, even if it still is the path itself.
  if (cast.child->kind != ast::ExpressionKind::kCast) child = ReadForCast(session_, std::move(child), type);
  if (!cast.is_try) return Coerce(session_, std::move(child), type);
  return AddCast(Settle(session_, std::move(child)), type, true);
}

ExpressionPtr ExpressionBinder::BindCollate(const ast::Collate& collate) {
  ExpressionPtr child = Bind(*collate.child);
  if (!IsUntyped(*child)) CheckCollatable(child->type(), collate.collation.position);
  CheckCollation(session_, collate.collation);
  return child;
}

ExpressionPtr ExpressionBinder::BindCase(const ast::Case& expression) {
  std::vector<CaseExpression::Branch> branches;
  ExpressionPtr argument;
  for (const auto& branch : expression.branches) {
    ExpressionPtr condition;
    if (expression.argument) {
      if (!argument) argument = Bind(*expression.argument);
      condition = MakeComparison(session_, ComparisonOp::kEqual, Again(*expression.argument, *argument),
                                 Bind(*branch.condition), branch.condition->position);
    } else {
      condition = BindBoolean(*branch.condition, "CASE/WHEN");
    }
    branches.push_back({std::move(condition), Bind(*branch.result)});
  }
  ExpressionPtr otherwise =
      expression.otherwise ? Bind(*expression.otherwise) : std::make_unique<ConstantExpression>(Value());
  std::vector<ExpressionPtr*> results = {&otherwise};
  for (auto& branch : branches) results.push_back(&branch.result);
  FitTogether(session_, results);
  CommonTypeFinder finder("CASE");
  for (const auto& branch : branches) finder.Add(*branch.result);
  finder.Add(*otherwise);
  const LogicalType type =
      finder.type().id() == TypeId::kNull ? LogicalType(TypeId::kVarchar) : finder.type();
  for (auto& branch : branches) branch.result = Coerce(session_, std::move(branch.result), type);
  otherwise = Coerce(session_, std::move(otherwise), type);
  return std::make_unique<CaseExpression>(type, std::move(branches), std::move(otherwise));
}

ExpressionPtr ExpressionBinder::BindInList(const ast::InList& list) {
  std::vector<ExpressionPtr> values;
  values.reserve(list.values.size());
  ExpressionPtr child = Bind(*list.child);
  for (const auto& value : list.values) values.push_back(Bind(*value));
  const bool is_constant = std::all_of(values.begin(), values.end(), [](const ExpressionPtr& value) {
    return value->kind() == ExpressionKind::kConstant;
  });
  // A subquery cannot be cloned for each comparison, so the child is bound anew.
  if (!is_constant && HasSubquery(*child)) {
    std::vector<ExpressionPtr> comparisons;
    for (ExpressionPtr& value : values) {
      ExpressionPtr copy = child ? std::move(child) : Bind(*list.child);
      comparisons.push_back(MakeComparison(session_,
                                           list.negated ? ComparisonOp::kNotEqual : ComparisonOp::kEqual,
                                           std::move(copy), std::move(value), list.position));
    }
    if (comparisons.size() == 1) return std::move(comparisons[0]);
    return std::make_unique<ConjunctionExpression>(list.negated, std::move(comparisons));
  }
  return MakeInList(session_, std::move(child), std::move(values), list.negated, list.position);
}

ExpressionPtr ExpressionBinder::BindBetween(const ast::Between& between) {
  const auto range = [&](const ast::Expression& low, const ast::Expression& high) {
    ExpressionPtr first = Bind(*between.child);
    std::vector<ExpressionPtr> parts;
    ExpressionPtr second = Again(*between.child, *first);
    parts.push_back(
        MakeComparison(session_, ComparisonOp::kGreaterEqual, std::move(first), Bind(low), between.position));
    parts.push_back(
        MakeComparison(session_, ComparisonOp::kLessEqual, std::move(second), Bind(high), between.position));
    return MakeAnd(std::move(parts));
  };
  ExpressionPtr result = range(*between.low, *between.high);
  if (between.symmetric) {
    std::vector<ExpressionPtr> either;
    either.push_back(std::move(result));
    either.push_back(range(*between.high, *between.low));
    result = std::make_unique<ConjunctionExpression>(false, std::move(either));
  }
  if (between.negated) result = std::make_unique<NotExpression>(std::move(result));
  return result;
}

ExpressionPtr ExpressionBinder::BindLike(const ast::Like& like) {
  std::vector<ExpressionPtr> arguments;
  arguments.push_back(Bind(*like.child));
  arguments.push_back(Bind(*like.pattern));
  if (like.escape) arguments.push_back(Bind(*like.escape));
  const bool is_similar = like.like == ast::Like::Kind::kSimilar;
  const std::string operation = is_similar                             ? "similar_to"
                                : like.like == ast::Like::Kind::kILike ? "~~*"
                                                                       : "~~";
  const std::string name = like.negated && !is_similar ? "!" + operation : operation;
  ExpressionPtr result = MakeScalarCall(session_, name, std::move(arguments), like.position);
  if (like.negated && is_similar) result = std::make_unique<NotExpression>(std::move(result));
  return result;
}

void RefuseOwnColumns(Expression& value, std::string_view clause) {
  ForEachOwnReference(value, [&](const ColumnRefExpression& column) {
    ThrowError(ErrorKind::kBinder, sqlstate::kInvalidColumnReference,
               fmt::format("argument of {} must not contain columns", clause), column.position);
  });
}

static bool AllowsSubqueries(Clause clause) {
  switch (clause) {
    case Clause::kDefault:
    case Clause::kCheck:
    case Clause::kGenerated:
    case Clause::kAlterType:
    case Clause::kExecute: return false;
    case Clause::kLimit:
    case Clause::kOffset:
    case Clause::kWindowFrame:
    case Clause::kReturning:
    case Clause::kOnConflict:
    case Clause::kSelect:
    case Clause::kWhere:
    case Clause::kJoinCondition:
    case Clause::kGroupBy:
    case Clause::kHaving:
    case Clause::kOrderBy:
    case Clause::kDistinctOn:
    case Clause::kValues:
    case Clause::kMergeWhen:
    case Clause::kTableFunction:
    case Clause::kSet: return true;
  }
  return false;
}

ExpressionPtr ExpressionBinder::BindSubquery(const ast::Subquery& subquery) {
  if (!AllowsSubqueries(clause_)) {
    ThrowNotSupported(fmt::format("subqueries are not supported in {}", ClauseName(clause_)),
                      subquery.position);
  }
  session_.surroundings.subqueries++;
  const ExpressionBinder* const before = std::exchange(level_.subquery_of, this);
  BoundQueryPtr bound = BindQuery(session_, *subquery.query, &level_);
  level_.subquery_of = before;
  session_.surroundings.subqueries--;
  if (subquery.subquery == ast::Subquery::Kind::kArray && bound->types.size() == 1)
    return BindArraySubquery(std::move(bound), subquery.position);
  BoundQueryPtr query = std::move(bound);
  const size_t width = 1 + subquery.rest.size();
  const bool is_row = !subquery.rest.empty() || subquery.subquery == ast::Subquery::Kind::kRow;
  if (is_row && query->types.size() != width) {
    ThrowError(ErrorKind::kBinder, sqlstate::kSyntaxError,
               fmt::format("subquery has too {} columns", query->types.size() < width ? "few" : "many"),
               subquery.position);
  }
  if (subquery.subquery != ast::Subquery::Kind::kExists && query->types.size() != width) {
    ThrowError(ErrorKind::kBinder, sqlstate::kSyntaxError,
               fmt::format("subquery must return only one column, not {}", query->types.size()),
               subquery.position);
  }
  switch (subquery.subquery) {
    case ast::Subquery::Kind::kScalar: {
      const LogicalType type = query->types[0];
      return std::make_unique<SubqueryExpression>(SubqueryKind::kScalar, type, std::move(query));
    }
    case ast::Subquery::Kind::kExists:
      return std::make_unique<SubqueryExpression>(SubqueryKind::kExists, TypeId::kBoolean, std::move(query));
    case ast::Subquery::Kind::kArray: break;
    case ast::Subquery::Kind::kAny:
    case ast::Subquery::Kind::kAll:
    case ast::Subquery::Kind::kRow: return BindCompared(subquery, std::move(query));
  }
  ThrowInternal("unknown subquery");
}

/// Converts columns of a subquery if the comparison needs more than a cast, which SubqueryExpression
/// expresses by compared_type. `compared` are the comparisons with the unconverted columns.
static BoundQueryPtr ConvertCompared(BindSession& session, BoundQueryPtr query,
                                     const std::vector<ExpressionPtr>& compared) {
  const size_t table_index = query->table_index;
  for (size_t i = 0; i < compared.size(); i++) {
    Expression* side = compared[i]->As<ComparisonExpression>().right.get();
    while (side->kind() == ExpressionKind::kCast && !side->As<CastExpression>().is_try)
      side = side->As<CastExpression>().child.get();
    if (side->kind() == ExpressionKind::kColumnRef) continue;
    ConvertColumn(session, query, i, [&](ExpressionPtr value) {
      ExpressionPtr converted = compared[i]->As<ComparisonExpression>().right->Clone();
      const std::function<void(ExpressionPtr&)> replace = [&](ExpressionPtr& part) {
        const bool is_column = part->kind() == ExpressionKind::kColumnRef &&
                               part->As<ColumnRefExpression>().binding == ColumnBinding{table_index, i};
        if (is_column) {
          part = value->Clone();
        } else {
          part->ForEachChild(replace);
        }
      };
      replace(converted);
      return converted;
    });
  }
  return query;
}

ExpressionPtr ExpressionBinder::BindCompared(const ast::Subquery& subquery, BoundQueryPtr query) {
  const bool is_row = subquery.subquery == ast::Subquery::Kind::kRow;
  auto op = ComparisonFromSymbol(subquery.symbol);
  if (!op) {
    ThrowNotSupported(
        fmt::format("the operator {} is not supported {}", subquery.symbol,
                    is_row ? "between a row and a subquery" : "with ANY and ALL over a subquery"),
        subquery.position);
  }
  const bool is_all = subquery.subquery == ast::Subquery::Kind::kAll;
  // x op ALL is NOT (x negated-op ANY).
  if (is_all) op = NegateComparison(*op);
  // Comparing with a reference in place of the subquery's column gives the types of both sides.
  const auto compare = [&](const ast::Expression& child, size_t i) {
    const ColumnBinding binding{query->table_index, i};
    ExpressionPtr column = std::make_unique<ColumnRefExpression>(query->types[i], binding, query->names[i]);
    if (IsDocumentColumn(session_, *query, i)) session_.NoteDocumentColumn(binding.table_index, i);
    ExpressionPtr left = Bind(child);
    if (IsInexact(session_, *left, *column)) FitExactNumbers(session_, left, column);
    return MakePlainComparison(session_, *op, std::move(left), std::move(column), subquery.position);
  };
  std::vector<ExpressionPtr> compared;
  compared.push_back(compare(*subquery.child, 0));
  for (size_t i = 0; i < subquery.rest.size(); i++) compared.push_back(compare(*subquery.rest[i], i + 1));
  query = ConvertCompared(session_, std::move(query), compared);
  auto result = std::make_unique<SubqueryExpression>(is_row ? SubqueryKind::kRow : SubqueryKind::kAny,
                                                     TypeId::kBoolean, std::move(query));
  for (size_t i = 0; i < compared.size(); i++) {
    auto& comparison = compared[i]->As<ComparisonExpression>();
    const LogicalType type = comparison.right->type();
    if (i > 0) {
      result->rest.push_back({std::move(comparison.left), type});
      continue;
    }
    result->op = *op;
    result->child = std::move(comparison.left);
    result->compared_type = type;
  }
  result->position = subquery.position;
  if (is_all) return std::make_unique<NotExpression>(std::move(result));
  return result;
}

ExpressionPtr ExpressionBinder::Again(const ast::Expression& syntax, const Expression& bound) {
  if (HasSubquery(bound)) return Bind(syntax);
  ExpressionPtr copy = bound.Clone();
  copy->set_type(bound.type());  // the copy of an untyped literal is untyped, too
  return copy;
}

}  // namespace scaup
