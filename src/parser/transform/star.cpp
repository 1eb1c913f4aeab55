// Transforms * EXCLUDE, REPLACE and RENAME, which the dialect step has written as a subquery.
#include "common/throw.hpp"
#include "parser/transform/transform.hpp"

namespace scaup {

namespace {

ast::ChangedStar::ColumnRef ColumnOf(const StatementText& text, TreeNode wrapped) {
  const ast::ExpressionPtr column = TransformExpression(text, wrapped);
  if (column->kind != ast::ExpressionKind::kColumn)
    SyntaxErrorAt(text, "EXCLUDE takes names of columns", LocationOf(wrapped));
  return {column->As<ast::Column>().names, column->position};
}

}  // namespace

ast::ExpressionPtr TransformStarList(const StatementText& text, TreeNode select) {
  RefuseOtherFields(text, select, "a list after *",
                    {"targetList", "fromClause", "groupClause", "limitOption", "op"},
                    LocationOf(select.Items("targetList").front()["ResTarget"]["val"]));
  const std::vector<TreeNode> targets = select.Items("targetList");
  SCAUP_CHECK(!targets.empty());
  ast::ExpressionPtr expression = TransformExpression(text, targets[0]["ResTarget"]["val"]);
  SCAUP_CHECK(expression->kind == ast::ExpressionKind::kStar);
  auto changes = std::make_unique<ast::ChangedStar>();
  for (size_t i = 1; i < targets.size(); i++) {
    const TreeNode item = targets[i]["ResTarget"];
    if (!item["name"])
      SyntaxErrorAt(text, "REPLACE takes expressions with the names of their columns: REPLACE (a + 1 AS a)",
                    item.Integer("location"));
    changes->replace.push_back({{{std::string(item.Text("name"))}, text.Position(item.Integer("location"))},
                                TransformExpression(text, item["val"])});
  }
  for (const TreeNode& wrapped : select.Items("fromClause")) {
    const TreeNode table = wrapped["RangeVar"];
    if (!table || !table["alias"] || table["alias"]["colnames"])
      SyntaxErrorAt(text, "RENAME takes pairs of names: RENAME (a AS b)",
                    table ? table.Integer("location") : LocationOf(wrapped));
    ast::ChangedStar::ColumnRef column{{}, text.Position(table.Integer("location"))};
    if (table["schemaname"]) column.names.emplace_back(table.Text("schemaname"));
    column.names.emplace_back(table.Text("relname"));
    changes->rename.push_back({std::move(column), std::string(table["alias"].Text("aliasname"))});
  }
  for (const TreeNode& wrapped : select.Items("groupClause"))
    changes->exclude.push_back(ColumnOf(text, wrapped));
  static_cast<ast::Star&>(*expression).changes = std::move(changes);
  return expression;
}

}  // namespace scaup
