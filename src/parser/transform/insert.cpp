// Turns INSERT into its tree.
#include "parser/transform/transform.hpp"

#include <algorithm>
#include <iterator>

#include "common/throw.hpp"

namespace scaup {

namespace {

/// WITH in front of INSERT is visible in its query only, so it may as well stand there.
void MoveWithIntoQuery(const StatementText& text, TreeNode with_clause, ast::InsertStatement& insert) {
  const int64_t location = with_clause.Items("ctes").front()["CommonTableExpr"].Integer("location");
  if (!insert.query) Refuse(text, "WITH in front of DEFAULT VALUES", location);
  ast::SelectStatement outer;
  TransformWith(text, with_clause, outer);
  std::vector<ast::CommonTableExpression>& inner = insert.query->with;
  if (!inner.empty() && (outer.with_recursive || insert.query->with_recursive)) {
    Refuse(text, "WITH RECURSIVE both in front of INSERT and in its query", location);
  }
  for (const ast::CommonTableExpression& cte : inner) {
    const auto same = [&cte](const ast::CommonTableExpression& other) { return other.name == cte.name; };
    if (std::any_of(outer.with.begin(), outer.with.end(), same)) {
      ThrowNotSupported("the same name in WITH in front of INSERT and in its query is not supported",
                        cte.position);
    }
  }
  outer.with.insert(outer.with.end(), std::make_move_iterator(inner.begin()),
                    std::make_move_iterator(inner.end()));
  inner = std::move(outer.with);
  insert.query->with_recursive = insert.query->with_recursive || outer.with_recursive;
}

}  // namespace

ast::StatementPtr TransformInsert(const StatementText& text, TreeNode body) {
  auto insert = std::make_unique<ast::InsertStatement>();
  const int64_t location = body["relation"].Integer("location");
  if (const TreeNode conflict = body["onConflictClause"])
    Refuse(text, "ON CONFLICT", conflict.Integer("location"));
  if (const auto returning = body.Items("returningList"); !returning.empty()) {
    Refuse(text, "RETURNING", returning.front()["ResTarget"].Integer("location"));
  }
  RefuseOtherFields(text, body, "INSERT", {"relation", "cols", "selectStmt", "override", "withClause"},
                    location);
  if (body.Text("override") != "OVERRIDING_NOT_SET") Refuse(text, "OVERRIDING", location);
  TransformRangeVar(text, body["relation"], insert->table);
  for (const TreeNode& column : body.Items("cols")) {
    const TreeNode target = column["ResTarget"];
    RefuseOtherFields(text, target, "a column to insert into", {"name", "location"},
                      target.Integer("location"));
    insert->columns.emplace_back(target.Text("name"));
    insert->column_positions.push_back(text.Position(target.Integer("location")));
  }
  if (const TreeNode query = body["selectStmt"]) {
    insert->query = TransformQuery(text, query, DefaultMarkers::kAllowed);
  }
  if (const TreeNode with_clause = body["withClause"]) MoveWithIntoQuery(text, with_clause, *insert);
  return insert;
}

}  // namespace scaup
