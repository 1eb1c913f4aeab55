// The planner: turns a bound statement into a tree of logical operators.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "binder/bound/bound_statement.hpp"
#include "planner/node/logical_operator.hpp"

namespace scaup {

class TimeZone;

/// A plan and what comes out of it.
struct LogicalPlan {
  LogicalOperatorPtr root;
  std::vector<std::string> names;
  std::vector<LogicalType> types;
  bool returns_rows = false;  ///< false for INSERT, CREATE TABLE AS and COPY, which only count rows
  LogicalPlan Clone() const;
};

/// Stateless. Makes the plan that the statement spells out; the optimizer improves it. Subqueries become
/// joins here.
class Planner {
 public:
  /// REQUIRES: HasPlan(*statement). Throws Error(kNotSupported) for correlated subqueries that it cannot
  /// unnest.
  LogicalPlan Plan(BoundStatementPtr statement);
};

/// The value of a parameter, cast to its type. Throws Error(kBinder, 42P02) when there are too few, and
/// Error(kConversion) when it does not convert.
Value ParameterValue(const ParameterExpression& parameter, std::span<const Value> values,
                     const TimeZone& zone);
/// Puts values, cast to their types, in the place of parameters in the whole plan. Throws as ParameterValue.
void SubstituteParameters(LogicalOperator& plan, std::span<const Value> values, const TimeZone& zone);
/// Substitutes parameters in one expression.
void SubstituteParameters(ExpressionPtr& expression, std::span<const Value> values, const TimeZone& zone);
/// Takes the positions out of all expressions: those of a text that the user no longer sees.
void ForgetPositions(LogicalOperator& plan);

/// The plan of one statement, or of one in WITH, with the table indexes that `planner` gives. REQUIRES:
/// HasPlan(statement).
LogicalPlan PlanStatement(class QueryPlanner& planner, BoundStatement& statement);

}  // namespace scaup
