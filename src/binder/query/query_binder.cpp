// Binds queries of every form: WITH, set operations, VALUES, LIMIT.
#include "binder/scope/query_binder.hpp"
#include "binder/scope/null_order.hpp"

#include <fmt/format.h>

#include "binder/bound/subquery_expression.hpp"
#include "binder/query/collated_rows.hpp"
#include "binder/query/union_by_name.hpp"
#include "binder/scope/coercion.hpp"
#include "binder/scope/document_value.hpp"
#include "binder/scope/expression_binder.hpp"
#include "common/similar_name.hpp"
#include "common/stack_bound.hpp"
#include "common/throw.hpp"
#include "type/text/json_text.hpp"

namespace scaup {

namespace {

/// Binds an ORDER BY that may use only output columns, by name or position.
void BindOutputOrder(const BindSession& session, const ast::SelectStatement& statement, BoundQuery& query,
                     const char* what) {
  for (const auto& item : statement.order_by) {
    if (item.is_all) {
      for (size_t i = 0; i < query.names.size(); i++)
        query.order_by.push_back({i, item.descending, NullsComeFirst(session, item)});
      continue;
    }
    std::optional<size_t> column;
    const ast::Expression& expression = *item.expression;
    if (expression.kind == ast::ExpressionKind::kLiteral &&
        expression.As<ast::Literal>().literal == ast::Literal::Kind::kInteger) {
      const int64_t ordinal = expression.As<ast::Literal>().integer;
      if (ordinal < 1 || static_cast<size_t>(ordinal) > query.names.size()) {
        ThrowError(ErrorKind::kBinder, sqlstate::kInvalidColumnReference,
                   fmt::format("ORDER BY position {} is not in select list", ordinal), expression.position);
      }
      column = static_cast<size_t>(ordinal) - 1;
    } else if (expression.kind == ast::ExpressionKind::kColumn &&
               expression.As<ast::Column>().names.size() == 1) {
      const std::string& name = expression.As<ast::Column>().names[0];
      for (size_t i = 0; i < query.names.size() && !column; i++) {
        if (query.names[i] == name) column = i;
      }
      if (!column) {
        const std::string similar = MostSimilar(name, query.names);
        ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedColumn,
                   fmt::format("column \"{}\" does not exist{}", name,
                               similar.empty() ? "" : fmt::format("; did you mean \"{}\"?", similar)),
                   expression.position);
      }
    } else {
      ThrowNotSupported(
          fmt::format("ORDER BY on {} must name a result column or its position; wrap the query in "
                      "SELECT * FROM (...) to order by an expression",
                      what),
          expression.position);
    }
    query.order_by.push_back({*column, item.descending, NullsComeFirst(session, item)});
  }
}

/// Finds the column types of a set operation. Untyped literals of an operand get the types of the other
/// operands.
void UnifyOperands(BindSession& session, BoundSetOperation& query, const ast::SelectStatement& statement,
                   Untyped untyped) {
  const char* name = query.operation == BoundSetOperationType::kUnion       ? "UNION"
                     : query.operation == BoundSetOperationType::kIntersect ? "INTERSECT"
                                                                            : "EXCEPT";
  const size_t width = query.operands[0]->types.size();
  for (size_t i = 1; i < query.operands.size(); i++) {
    if (query.operands[i]->types.size() != width) {
      ThrowError(ErrorKind::kBinder, sqlstate::kSyntaxError,
                 fmt::format("each {} query must have the same number of columns", name),
                 statement.operands[i]->position);
    }
  }
  for (size_t column = 0; column < width; column++) {
    FitTogether(session, query.operands, column);
    // Operations that compare rows need equal document values to be identical. UNION ALL does not compare.
    const bool compares = !query.all || query.operation != BoundSetOperationType::kUnion;
    for (BoundQueryPtr& operand : query.operands) {
      if (compares && IsJson(operand->types[column]) && IsDocumentColumn(session, *operand, column))
        ConvertColumn(session, operand, column,
                      [&](ExpressionPtr value) { return NormalOf(session, std::move(value)); });
    }
    CommonTypeFinder finder(name);
    for (size_t i = 0; i < query.operands.size(); i++) {
      finder.Add(query.operands[i]->types[column], statement.operands[i]->position);
    }
    LogicalType type = finder.type();
    if (type.id() == TypeId::kNull && untyped == Untyped::kSettle) type = TypeId::kVarchar;
    for (auto& operand : query.operands) {
      if (type.id() != TypeId::kNull && operand->types[column].id() == TypeId::kNull) {
        TypeOutput(session, *operand, column, type);
      }
    }
    query.types.push_back(type);
  }
}

void CheckWidth(const ast::SelectStatement& statement, size_t row, size_t width) {
  if (statement.values[row].size() == width) return;
  const auto& values = statement.values[row];
  ThrowError(ErrorKind::kSyntax, sqlstate::kSyntaxError, "VALUES lists must all be the same length",
             values.empty() ? statement.position : values[0]->position);
}

}  // namespace

BoundQueryPtr BindQuery(BindSession& session, const ast::SelectStatement& statement, QueryLevel* outer,
                        Untyped untyped) {
  CheckStack();
  session.CountQuery(statement.position);
  QueryLevel level;
  level.outer = outer;
  BeginWith(statement.with, statement.with_recursive, level);
  BoundQueryPtr query;
  if (statement.set_operation != ast::SetOperation::kNone) {
    query = BindSetOperation(session, statement, level, untyped);
  } else if (!statement.values.empty()) {
    query = BindValues(session, statement, level, untyped);
  } else {
    query = BindSelect(session, statement, level, untyped);
  }
  FinishWith(session, level, *query);
  return query;
}

BoundQueryPtr BindOperands(BindSession& session, const ast::SelectStatement& statement, QueryLevel& level,
                           size_t count, Untyped untyped) {
  if (count == 1) return BindQuery(session, *statement.operands[0], &level, untyped);
  auto query = std::make_unique<BoundSetOperation>();
  query->table_index = session.NewTableIndex();
  query->all = statement.set_all;
  switch (statement.set_operation) {
    case ast::SetOperation::kNone:
    case ast::SetOperation::kUnion: query->operation = BoundSetOperationType::kUnion; break;
    case ast::SetOperation::kIntersect: query->operation = BoundSetOperationType::kIntersect; break;
    case ast::SetOperation::kExcept: query->operation = BoundSetOperationType::kExcept; break;
  }
  const BindSession::Surroundings before = session.surroundings;
  for (size_t i = 0; i < count; i++) {
    // PostgreSQL's rules for recursive references: they are refused in both operands of INTERSECT ALL and
    // EXCEPT ALL and in the right operand of EXCEPT, where a later round could remove rows of an earlier one.
    const bool is_all = statement.set_all;
    session.surroundings.intersects += statement.set_operation == ast::SetOperation::kIntersect && is_all;
    session.surroundings.excepts +=
        statement.set_operation == ast::SetOperation::kExcept && (is_all || i > 0);
    query->operands.push_back(BindQuery(session, *statement.operands[i], &level, Untyped::kKeep));
    session.surroundings = before;
  }
  if (statement.by_name) MatchByName(session, query->operands, statement);
  UnifyOperands(session, *query, statement, untyped);
  query->names = query->operands[0]->names;
  return query;
}

BoundQueryPtr BindSetOperation(BindSession& session, const ast::SelectStatement& statement, QueryLevel& level,
                               Untyped untyped) {
  BoundQueryPtr query = BindOperands(session, statement, level, statement.operands.size(), untyped);
  query = FollowCollations(session, std::move(query), statement.position);
  BindOutputOrder(session, statement, *query, "a UNION, INTERSECT or EXCEPT");
  query = OrderByColumns(session, std::move(query));
  BindLimit(session, statement, level, *query);
  return query;
}

BoundQueryPtr BindValues(BindSession& session, const ast::SelectStatement& statement, QueryLevel& level,
                         Untyped untyped) {
  auto query = std::make_unique<BoundValues>();
  query->table_index = session.NewTableIndex();
  const size_t width = statement.values[0].size();
  ExpressionBinder binder(session, level, Clause::kValues);
  std::vector<CommonTypeFinder> finders(width, CommonTypeFinder("VALUES"));
  query->rows.reserve(statement.values.size());
  for (size_t row = 0; row < statement.values.size(); row++) {
    CheckWidth(statement, row, width);
    std::vector<ExpressionPtr> values;
    values.reserve(width);
    for (size_t i = 0; i < width; i++) {
      values.push_back(binder.Bind(*statement.values[row][i]));
      finders[i].Add(*values.back());
    }
    query->rows.push_back(std::move(values));
  }
  for (size_t i = 0; i < width; i++) {
    query->names.push_back(fmt::format("column{}", i + 1));
    query->types.push_back(TypeId::kNull);
    LogicalType type = finders[i].type();
    if (type.id() == TypeId::kNull && untyped == Untyped::kSettle) type = TypeId::kVarchar;
    if (type.id() != TypeId::kNull) TypeOutput(session, *query, i, type);
  }
  BindOutputOrder(session, statement, *query, "VALUES");
  BindLimit(session, statement, level, *query);
  return query;
}

BoundQueryPtr BindInsertValues(BindSession& session, const ast::SelectStatement& statement,
                               const std::vector<LogicalType>& types, const std::vector<std::string>& names,
                               const DefaultMaker& make_default, const ValueConverter& convert) {
  session.CountQuery(statement.position);
  QueryLevel level;
  level.outer = session.around;
  auto query = std::make_unique<BoundValues>();
  query->table_index = session.NewTableIndex();
  query->types = types;
  query->names = names;
  ExpressionBinder binder(session, level, Clause::kValues);
  query->rows.reserve(statement.values.size());
  for (size_t row = 0; row < statement.values.size(); row++) {
    CheckWidth(statement, row, types.size());
    std::vector<ExpressionPtr> values;
    values.reserve(types.size());
    for (size_t i = 0; i < types.size(); i++) {
      const ast::Expression& value = *statement.values[row][i];
      values.push_back(IsDefaultMarker(value) ? make_default(i) : convert(binder.Bind(value), i));
    }
    query->rows.push_back(std::move(values));
  }
  return query;
}

bool IsDefaultMarker(const ast::Expression& expression) {
  return expression.kind == ast::ExpressionKind::kColumn && expression.As<ast::Column>().names.size() == 1 &&
         expression.As<ast::Column>().names[0] == ast::kDefaultMarker;
}

void TypeOutput(BindSession& session, BoundQuery& query, size_t column, const LogicalType& type) {
  query.types[column] = type;
  switch (query.kind) {
    case BoundQueryKind::kSelect: {
      ExpressionPtr& item = query.As<BoundSelect>().items[column];
      item = Coerce(session, std::move(item), type);
      return;
    }
    case BoundQueryKind::kValues:
      for (auto& row : query.As<BoundValues>().rows)
        row[column] = Coerce(session, std::move(row[column]), type);
      return;
    case BoundQueryKind::kSetOperation:
      for (auto& operand : query.As<BoundSetOperation>().operands)
        TypeOutput(session, *operand, column, type);
      return;
  }
}

void BindLimit(BindSession& session, const ast::SelectStatement& statement, QueryLevel& level,
               BoundQuery& query) {
  const auto bind = [&](const ast::ExpressionPtr& syntax, TypeId type, Clause clause) -> ExpressionPtr {
    if (!syntax) return nullptr;
    ExpressionBinder binder(session, level, clause);
    ExpressionPtr value = CoerceForAssignment(session, binder.Bind(*syntax), type, ClauseName(clause));
    RefuseOwnColumns(*value, ClauseName(clause));
    if (!IsFoldable(*value)) return value;
    auto constant =
        std::make_unique<ConstantExpression>(EvaluateForBinding(session, *value, ClauseName(clause)));
    constant->position = syntax->position;
    return constant;
  };
  if (statement.with_ties && statement.order_by.empty()) {
    ThrowError(ErrorKind::kSyntax, sqlstate::kSyntaxError,
               "WITH TIES cannot be specified without ORDER BY clause",
               statement.limit ? statement.limit->position : statement.position);
  }
  query.with_ties = statement.with_ties;
  query.limit_is_percent = statement.limit_is_percent;
  query.limit =
      bind(statement.limit, statement.limit_is_percent ? TypeId::kDouble : TypeId::kBigInt, Clause::kLimit);
  query.offset = bind(statement.offset, TypeId::kBigInt, Clause::kOffset);
}

}  // namespace scaup
