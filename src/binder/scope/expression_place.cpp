// Which calls and subqueries each clause allows, and the errors for the others.
#include "binder/scope/expression_place.hpp"

#include <fmt/format.h>

#include "common/throw.hpp"

namespace scaup {

namespace {

bool AllowsAggregates(Clause clause) {
  return clause == Clause::kSelect || clause == Clause::kHaving || clause == Clause::kOrderBy ||
         clause == Clause::kQualify || clause == Clause::kDistinctOn;
}

bool AllowsWindowCalls(Clause clause) {
  return clause == Clause::kSelect || clause == Clause::kOrderBy || clause == Clause::kDistinctOn ||
         clause == Clause::kQualify;
}

bool AllowsSets(Clause clause) {
  return clause == Clause::kSelect || clause == Clause::kOrderBy || clause == Clause::kGroupBy ||
         clause == Clause::kDistinctOn;
}

bool AllowsSubqueries(Clause clause) {
  switch (clause) {
    case Clause::kDefault:
    case Clause::kCheck:
    case Clause::kGenerated:
    case Clause::kIndexExpression:
    case Clause::kIndexPredicate:
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
    case Clause::kQualify:
    case Clause::kOrderBy:
    case Clause::kDistinctOn:
    case Clause::kValues:
    case Clause::kMergeWhen:
    case Clause::kTableFunction:
    case Clause::kSet: return true;
  }
  return false;
}

[[noreturn]] void ThrowGrouping(const std::string& message, size_t position) {
  ThrowError(ErrorKind::kBinder, sqlstate::kGroupingError, message, position);
}

[[noreturn]] void ThrowMisplacedWindow(const std::string& message, size_t position) {
  ThrowError(ErrorKind::kBinder, sqlstate::kWindowingError, message, position);
}

}  // namespace

const char* ClauseName(Clause clause) {
  switch (clause) {
    case Clause::kSelect: return "SELECT";
    case Clause::kWhere: return "WHERE";
    case Clause::kJoinCondition: return "JOIN conditions";
    case Clause::kGroupBy: return "GROUP BY";
    case Clause::kHaving: return "HAVING";
    case Clause::kQualify: return "QUALIFY";
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
    case Clause::kIndexExpression: return "index expressions";
    case Clause::kIndexPredicate: return "index predicates";
    case Clause::kAlterType: return "transform expressions";
    case Clause::kWindowFrame: return "window frames";
    case Clause::kExecute: return "EXECUTE parameters";
  }
  return "this place";
}

void ThrowNestedAggregate(size_t position) {
  ThrowGrouping("aggregate function calls cannot be nested", position);
}

void ExpressionPlace::CheckAggregate(size_t position) const {
  if (IsInside(Enclosing::kAggregate)) ThrowNestedAggregate(position);
  if (AllowsAggregates(clause_)) return;
  ThrowGrouping(fmt::format("aggregate functions are not allowed in {}{}", ClauseName(clause_),
                            clause_ == Clause::kWhere ? "; use HAVING to filter groups" : ""),
                position);
}

void ExpressionPlace::CheckGrouping(size_t position) const {
  if (IsInside(Enclosing::kAggregate)) {
    ThrowGrouping("aggregate function calls cannot contain grouping operations", position);
  }
  if (AllowsAggregates(clause_)) return;
  ThrowGrouping(fmt::format("grouping operations are not allowed in {}", ClauseName(clause_)), position);
}

void ExpressionPlace::CheckWindowCall(size_t position) const {
  if (IsInside(Enclosing::kAggregate)) {
    ThrowGrouping("aggregate function calls cannot contain window function calls", position);
  }
  if (IsInside(Enclosing::kWindowCall)) {
    ThrowMisplacedWindow("window function calls cannot be nested", position);
  }
  if (IsInside(Enclosing::kWindowDefinition)) {
    ThrowMisplacedWindow("window functions are not allowed in window definitions", position);
  }
  if (AllowsWindowCalls(clause_)) return;
  ThrowMisplacedWindow(fmt::format("window functions are not allowed in {}", ClauseName(clause_)), position);
}

void ExpressionPlace::CheckSetFunction(const std::string& name, size_t position) const {
  if (IsInside(Enclosing::kAggregate) || IsInside(Enclosing::kWindowCall) ||
      IsInside(Enclosing::kWindowDefinition)) {
    ThrowNotSupported(
        fmt::format("calls of aggregate and window functions cannot contain {}; put it into FROM", name),
        position);
  }
  if (AllowsSets(clause_)) return;
  ThrowNotSupported(fmt::format("set-returning functions are not allowed in {}", ClauseName(clause_)),
                    position);
}

void ExpressionPlace::CheckSubquery(size_t position) const {
  if (AllowsSubqueries(clause_)) return;
  ThrowNotSupported(fmt::format("subqueries are not supported in {}", ClauseName(clause_)), position);
}

}  // namespace scaup
