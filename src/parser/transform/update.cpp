// Transforms UPDATE, DELETE and TRUNCATE, and parts that they share with INSERT and MERGE.
#include "parser/transform/transform.hpp"

#include <fmt/format.h>

namespace scaup {

namespace {

constexpr std::string_view kMultiple = "MultiAssignRef";

/// Returns the value for one column of (a, b) = (1, 2) or (a, b) = (SELECT ...). The query is transformed
/// again for each column, and reduced to that column's item.
ast::ExpressionPtr TransformPart(const StatementText& text, TreeNode reference, int64_t location) {
  const auto column = static_cast<size_t>(reference.Integer("colno"));
  const auto count = static_cast<size_t>(reference.Integer("ncolumns"));
  const auto [tag, source] = reference["source"].Unwrap();
  const auto check_count = [&, where = source.Integer("location")](size_t given) {
    if (given == count) return;
    SyntaxErrorAt(text,
                  fmt::format("number of columns does not match number of values ({} for {})", given, count),
                  where);
  };
  if (tag == "RowExpr") {
    const std::vector<TreeNode> values = source.Items("args");
    check_count(values.size());
    return TransformValueOrDefault(text, values[column - 1]);
  }
  if (tag != "SubLink") {
    SyntaxErrorAt(text, "source for a multiple-column UPDATE item must be a sub-SELECT or ROW() expression",
                  location);
  }
  ast::ExpressionPtr expression = TransformExpression(text, reference["source"]);
  auto& query = *static_cast<ast::Subquery&>(*expression).query;
  for (const ast::SelectItem& item : query.items) {
    if (item.expression->kind == ast::ExpressionKind::kStar)
      Refuse(text, "* in the query of (a, b) = (SELECT ...)", source.Integer("location"));
  }
  if (query.items.empty() || query.distinct || !query.order_by.empty())
    Refuse(text, "(a, b) = (a query with DISTINCT, ORDER BY, VALUES or UNION)", source.Integer("location"));
  check_count(query.items.size());
  ast::SelectItem kept = std::move(query.items[column - 1]);
  query.items.clear();
  query.items.push_back(std::move(kept));
  return expression;
}

}  // namespace

ast::ExpressionPtr TransformValueOrDefault(const StatementText& text, TreeNode wrapped) {
  const TreeNode marker = wrapped["SetToDefault"];
  if (!marker) return TransformExpression(text, wrapped);
  auto column = std::make_unique<ast::Column>();
  column->position = text.Position(marker.Integer("location"));
  column->names.emplace_back(ast::kDefaultMarker);
  return column;
}

static std::vector<ast::AssignmentStep> TransformSteps(const StatementText& text, TreeNode target,
                                                       int64_t location) {
  std::vector<ast::AssignmentStep> steps;
  for (const TreeNode& step : target.Items("indirection")) {
    const auto [tag, part] = step.Unwrap();
    ast::AssignmentStep& added = steps.emplace_back();
    if (tag == "String") {
      added.key = part.Text("sval");
    } else if (tag == "A_Indices" && !part.Flag("is_slice")) {
      added.index = TransformExpression(text, part["uidx"]);
    } else {
      Refuse(text, "a slice as what is set", location);
    }
  }
  return steps;
}

std::vector<ast::Assignment> TransformAssignments(const StatementText& text, TreeNode body) {
  std::vector<ast::Assignment> assignments;
  for (const TreeNode& item : body.Items("targetList")) {
    const TreeNode target = item["ResTarget"];
    const int64_t location = target.Integer("location");
    RefuseOtherFields(text, target, "a column to set", {"name", "indirection", "val", "location"}, location);
    ast::Assignment& assignment = assignments.emplace_back();
    assignment.column = target.Text("name");
    assignment.steps = TransformSteps(text, target, location);
    assignment.position = text.Position(location);
    const TreeNode value = target["val"];
    assignment.value = value.Tag() == kMultiple ? TransformPart(text, value.Body(), location)
                                                : TransformValueOrDefault(text, value);
  }
  return assignments;
}

std::vector<ast::SelectItem> TransformReturning(const StatementText& text, TreeNode body) {
  return TransformItems(text, body, "returningList");
}

ast::WithClause TransformWithInFront(const StatementText& text, TreeNode body) {
  ast::WithClause with;
  const TreeNode clause = body["withClause"];
  if (!clause) return with;
  ast::SelectStatement query;
  TransformWith(text, clause, query);
  with.queries = std::move(query.with);
  with.recursive = query.with_recursive;
  return with;
}

void TransformTargetColumns(const StatementText& text, TreeNode body, std::string_view key,
                            std::vector<std::string>& columns, std::vector<size_t>& positions) {
  for (const TreeNode& column : body.Items(key)) {
    const TreeNode target = column["ResTarget"];
    RefuseOtherFields(text, target, "a column to insert into", {"name", "location"},
                      target.Integer("location"));
    columns.emplace_back(target.Text("name"));
    positions.push_back(text.Position(target.Integer("location")));
  }
}

ast::StatementPtr TransformChange(const StatementText& text, TreeNode node) {
  const std::string_view tag = node.Tag();
  if (tag == "InsertStmt") return TransformInsert(text, node[tag]);
  if (tag == "UpdateStmt") return TransformUpdate(text, node[tag]);
  if (tag == "DeleteStmt") return TransformDelete(text, node[tag]);
  return TransformMerge(text, node[tag]);
}

ast::Overriding TransformOverriding(TreeNode body) {
  const std::string_view override = body.Text("override");
  if (override == "OVERRIDING_SYSTEM_VALUE") return ast::Overriding::kSystem;
  if (override == "OVERRIDING_USER_VALUE") return ast::Overriding::kUser;
  return ast::Overriding::kNone;
}

ast::StatementPtr TransformUpdate(const StatementText& text, TreeNode body) {
  auto update = std::make_unique<ast::UpdateStatement>();
  RefuseOtherFields(text, body, "UPDATE",
                    {"relation", "targetList", "whereClause", "fromClause", "returningList", "withClause"},
                    body["relation"].Integer("location"));
  update->with = TransformWithInFront(text, body);
  TransformRangeVar(text, body["relation"], update->table);
  update->assignments = TransformAssignments(text, body);
  for (const TreeNode& table : body.Items("fromClause"))
    update->from.push_back(TransformTableRef(text, table));
  update->where = TransformOptional(text, body["whereClause"]);
  update->returning = TransformReturning(text, body);
  return update;
}

ast::StatementPtr TransformDelete(const StatementText& text, TreeNode body) {
  auto deletion = std::make_unique<ast::DeleteStatement>();
  RefuseOtherFields(text, body, "DELETE",
                    {"relation", "whereClause", "usingClause", "returningList", "withClause"},
                    body["relation"].Integer("location"));
  deletion->with = TransformWithInFront(text, body);
  TransformRangeVar(text, body["relation"], deletion->table);
  for (const TreeNode& table : body.Items("usingClause"))
    deletion->from.push_back(TransformTableRef(text, table));
  deletion->where = TransformOptional(text, body["whereClause"]);
  deletion->returning = TransformReturning(text, body);
  return deletion;
}

ast::StatementPtr TransformTruncate(const StatementText& text, TreeNode body) {
  auto truncate = std::make_unique<ast::TruncateStatement>();
  RefuseOtherFields(text, body, "TRUNCATE", {"relations", "restart_seqs", "behavior"}, text.Location(0));
  for (const TreeNode& relation : body.Items("relations"))
    TransformRangeVar(text, relation["RangeVar"], truncate->tables.emplace_back());
  truncate->restart_identity = body.Flag("restart_seqs");
  truncate->cascade = body.Text("behavior") == "DROP_CASCADE";
  return truncate;
}

}  // namespace scaup
