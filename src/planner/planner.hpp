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

/// A plan with the columns of its result. Owned by its holder; used by one thread at a time.
struct LogicalPlan {
  LogicalOperatorPtr root;
  std::vector<std::string> names;
  std::vector<LogicalType> types;
  bool returns_rows = false;  ///< false for INSERT, CREATE TABLE AS and COPY, which only count rows
  LogicalPlan Clone() const;
};

/// Makes the plan that a statement spells out; the optimizer improves it. Subqueries become joins here.
/// Stateless, on any thread.
class Planner {
 public:
  /// REQUIRES: HasPlan(*statement). Throws Error(kNotSupported) for correlated subqueries that it cannot
  /// unnest.
  LogicalPlan Plan(BoundStatementPtr statement);
};

/// Returns the value of a parameter, cast to its type. Throws Error(kBinder, 42P02) if there are too few
/// values, and Error(kConversion) if the value does not convert.
Value ParameterValue(const ParameterExpression& parameter, std::span<const Value> values,
                     const TimeZone& zone);
/// Replaces the parameters of a whole plan by values, cast to their types. Throws as ParameterValue.
void SubstituteParameters(LogicalOperator& plan, std::span<const Value> values, const TimeZone& zone);
/// Substitutes parameters in one expression.
void SubstituteParameters(ExpressionPtr& expression, std::span<const Value> values, const TimeZone& zone);
/// Removes the positions from all expressions, for a text that the user no longer sees.
void ForgetPositions(LogicalOperator& plan);

/// Plans a statement, or one in WITH, with table indexes of `planner`. REQUIRES: HasPlan(statement).
LogicalPlan PlanStatement(class QueryPlanner& planner, BoundStatement& statement);

}  // namespace scaup
