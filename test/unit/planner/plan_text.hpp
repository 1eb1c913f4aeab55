// Plans as one line of text, and the invariants that every plan must keep, for tests.
#pragma once

#include <set>
#include <string>

#include "../binder/bind_fixture.hpp"
#include "planner/node/get.hpp"
#include "planner/node/join.hpp"
#include "planner/planner.hpp"

namespace scaup::test {

/// "Project[a](Filter[a > 1](t))": a node's details without their labels where the label says nothing new.
inline std::string PlanText(const LogicalOperator& plan) {
  if (plan.kind() == LogicalKind::kGet) return plan.As<LogicalGet>().table->name;
  std::string details;
  for (std::string line : plan.Details()) {
    for (const char* label : {"expressions: ", "condition: ", "keys: "}) {
      if (line.rfind(label, 0) == 0) line = line.substr(std::string(label).size());
    }
    details += (details.empty() ? "" : "; ") + line;
  }
  std::string children;
  for (const auto& child : plan.children) children += (children.empty() ? "" : ", ") + PlanText(*child);
  return plan.Name() + (details.empty() ? "" : "[" + details + "]") +
         (children.empty() ? "" : "(" + children + ")");
}

/// Every column reference names a column of the children with its type; nothing of the binder is left.
inline void CheckExpression(const Expression& expression,
                            const std::set<std::pair<ColumnBinding, std::string>>& columns) {
  INFO(expression.ToString());
  CHECK(expression.type().id() != TypeId::kNull);
  REQUIRE(expression.kind() != ExpressionKind::kSubquery);
  if (expression.kind() == ExpressionKind::kColumnRef) {
    const auto& column = expression.As<ColumnRefExpression>();
    CHECK(column.outer_level == 0);
    CHECK(columns.contains({column.binding, column.type().ToString()}));
  }
  expression.ForEachChild([&](const Expression& child) { CheckExpression(child, columns); });
}

inline std::set<std::pair<ColumnBinding, std::string>> ColumnsOf(const LogicalOperator& plan) {
  std::set<std::pair<ColumnBinding, std::string>> columns;
  const auto bindings = plan.Bindings();
  const auto types = plan.Types();
  REQUIRE(bindings.size() == types.size());
  REQUIRE(plan.Names().size() == types.size());
  for (size_t i = 0; i < bindings.size(); i++) columns.insert({bindings[i], types[i].ToString()});
  return columns;
}

inline void CheckPlan(LogicalOperator& plan, std::set<size_t>& made) {
  INFO(PlanText(plan));
  std::set<std::pair<ColumnBinding, std::string>> columns;
  for (const auto& child : plan.children) {
    CheckPlan(*child, made);
    columns.merge(ColumnsOf(*child));
  }
  // Table indexes are made once.
  std::set<size_t> own;
  for (const auto& binding : plan.Bindings()) own.insert(binding.table_index);
  for (const auto& column : columns) own.erase(column.first.table_index);
  for (const size_t index : own) CHECK(made.insert(index).second);
  plan.ForEachExpression([&](ExpressionPtr& expression) { CheckExpression(*expression, columns); });
  if (plan.kind() != LogicalKind::kJoin) return;
  const auto& join = plan.As<LogicalJoin>();
  for (const JoinCondition& condition : join.conditions) {
    CheckExpression(*condition.left, ColumnsOf(*join.children[0]));
    CheckExpression(*condition.right, ColumnsOf(*join.children[1]));
    CHECK(condition.left->type() == condition.right->type());
  }
}

struct PlanFixture : BindFixture {
  LogicalPlan Plan(const std::string& sql) {
    LogicalPlan plan = Planner().Plan(Bind(sql));
    std::set<size_t> made;
    CheckPlan(*plan.root, made);
    if (plan.returns_rows) {
      CHECK(plan.root->Types() == plan.types);
      CHECK(plan.root->Names().size() == plan.names.size());
    }
    CHECK(PlanText(*ClonePlan(*plan.root)) == PlanText(*plan.root));
    return plan;
  }

  std::string Text(const std::string& sql) { return PlanText(*Plan(sql).root); }
};

struct PlanExpectation {
  const char* sql;
  const char* plan;
};

inline void CheckPlans(const std::vector<PlanExpectation>& expectations) {
  PlanFixture fixture;
  for (const PlanExpectation& expectation : expectations) {
    INFO(expectation.sql);
    CHECK(fixture.Text(expectation.sql) == expectation.plan);
  }
}

}  // namespace scaup::test
