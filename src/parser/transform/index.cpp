// Transforms CREATE INDEX, and CREATE ELEMENT TABLE, which the dialect step rewrites as an index.
#include "parser/transform/transform.hpp"

#include <fmt/format.h>

namespace scaup {

namespace {

constexpr std::string_view kTextMethod = "text";

/// Returns the user's text of an index expression that begins with the token `first`: it is in brackets, or a
/// call of a function.
std::string ExpressionText(const StatementText& text, size_t first) {
  const size_t last = text.Closing(text.FindForward(TokenType::kLeftParen, first));
  return last < text.tokens.size() ? text.Origin(first, last) : "";
}

ast::IndexColumn TransformIndexColumn(const StatementText& text, TreeNode element, bool is_text,
                                      size_t first_token, int64_t location) {
  if (is_text && element["expr"]) Refuse(text, "a text index on an expression", location);
  if (is_text)
    RefuseOtherFields(text, element, "a text index", {"name", "ordering", "nulls_ordering"}, location);
  RefuseOtherFields(text, element, "an index", {"name", "expr", "collation", "ordering", "nulls_ordering"},
                    location);
  ast::IndexColumn column;
  column.name = element.Text("name");
  column.position = text.Position(location);
  if (const TreeNode expression = element["expr"]) {
    column.expression = TransformExpression(text, expression);
    column.text = ExpressionText(text, first_token);
    // As in PostgreSQL, a column in brackets is the column.
    if (column.expression->kind == ast::ExpressionKind::kColumn &&
        column.expression->As<ast::Column>().names.size() == 1) {
      column.name = column.expression->As<ast::Column>().names[0];
      column.expression.reset();
    }
  }
  if (element["collation"]) column.collation = ast::Collation{element.Strings("collation"), column.position};
  column.descending = element.Text("ordering") == "SORTBY_DESC";
  const std::string_view nulls = element.Text("nulls_ordering");
  if (nulls == "SORTBY_NULLS_FIRST") column.nulls_first = true;
  if (nulls == "SORTBY_NULLS_LAST") column.nulls_first = false;
  if (is_text && (element.Text("ordering") == "SORTBY_ASC" || column.descending || column.nulls_first))
    Refuse(text, "an order of a text index", location);
  return column;
}

/// Transforms the path of an element table.
ast::IndexColumn TransformPath(const StatementText& text, TreeNode element, int64_t location) {
  const bool has_order = element.Text("ordering") != "SORTBY_DEFAULT" ||
                         element.Text("nulls_ordering") != "SORTBY_NULLS_DEFAULT";
  if (element["expr"] || has_order) Refuse(text, "anything but a path in CREATE ELEMENT TABLE", location);
  RefuseOtherFields(text, element, "CREATE ELEMENT TABLE", {"name", "ordering", "nulls_ordering"}, location);
  ast::IndexColumn path;
  path.name = element.Text("name");
  path.position = text.Position(location);
  return path;
}

/// Refuses kinds of indexes that are not supported.
void RefuseKinds(const StatementText& text, TreeNode body, int64_t location) {
  if (body["whereClause"] && body.Text("accessMethod") == kTextMethod)
    Refuse(text, "WHERE in CREATE INDEX of a text index", location);
  if (body["indexIncludingParams"]) Refuse(text, "INCLUDE in CREATE INDEX", location);
  if (body.Flag("concurrent")) Refuse(text, "CONCURRENTLY in CREATE INDEX", location);
  const std::string_view method = body.Text("accessMethod");
  if (!method.empty() && method != "btree" && method != kTextMethod)
    Refuse(text, fmt::format("the index method {} (leave USING out)", method), location);
  if (method == kTextMethod && body.Flag("unique")) Refuse(text, "UNIQUE of a text index", location);
  CheckStorageParameters(text, body.Items("options"));
  RefuseOtherFields(text, body, "CREATE INDEX",
                    {"idxname", "relation", "accessMethod", "indexParams", "unique", "if_not_exists",
                     "options", "whereClause"},
                    location);
}

}  // namespace

ast::StatementPtr TransformCreateIndex(const StatementText& text, TreeNode body) {
  const int64_t location = body["relation"].Integer("location");
  if (text.is_element_table) {
    RefuseOtherFields(text, body, "CREATE ELEMENT TABLE",
                      {"idxname", "relation", "accessMethod", "indexParams", "if_not_exists"}, location);
  } else {
    RefuseKinds(text, body, location);
  }
  auto create = std::make_unique<ast::CreateIndexStatement>();
  create->name = body.Text("idxname");
  TransformRangeVar(text, body["relation"], create->table);
  create->unique = body.Flag("unique");
  create->is_text = body.Text("accessMethod") == kTextMethod;
  create->is_element_table = text.is_element_table;
  create->if_not_exists = body.Flag("if_not_exists");
  // libpg_query omits the locations of columns; they are in the first brackets after the table's name.
  const size_t open = text.FindForward(TokenType::kLeftParen, text.TokenIndex(location));
  const std::vector<size_t> items = text.ListItems(open + 1);
  for (const TreeNode& element : body.Items("indexParams")) {
    const size_t index = create->columns.size();
    const int64_t at = index < items.size() ? text.Location(items[index]) : location;
    create->columns.push_back(text.is_element_table
                                  ? TransformPath(text, element["IndexElem"], at)
                                  : TransformIndexColumn(text, element["IndexElem"], create->is_text,
                                                         index < items.size() ? items[index] : open, at));
  }
  if (const TreeNode where = body["whereClause"]) {
    create->where = TransformExpression(text, where);
    create->where_text = text.OriginBehind(text.FindKeyword("where", text.Closing(open)));
  }
  return create;
}

}  // namespace scaup
