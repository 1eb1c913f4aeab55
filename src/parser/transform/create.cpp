// CREATE TABLE, CREATE TABLE AS, CREATE SCHEMA.
#include "parser/transform/transform.hpp"

#include <fmt/format.h>

namespace scaup {

namespace {

struct ConstraintName {
  std::string_view type;
  std::string_view words;
};
constexpr ConstraintName kUnsupportedConstraints[] = {
    {"CONSTR_PRIMARY", "PRIMARY KEY"},
    {"CONSTR_UNIQUE", "UNIQUE"},
    {"CONSTR_CHECK", "CHECK"},
    {"CONSTR_FOREIGN", "REFERENCES"},
    {"CONSTR_IDENTITY", "GENERATED AS IDENTITY"},
    {"CONSTR_GENERATED", "a generated column"},
    {"CONSTR_EXCLUSION", "EXCLUDE"},
};

[[noreturn]] void RefuseConstraint(const StatementText& text, TreeNode constraint) {
  const std::string_view type = constraint.Text("contype");
  for (const ConstraintName& name : kUnsupportedConstraints) {
    if (name.type == type) Refuse(text, name.words, constraint.Integer("location"));
  }
  Refuse(text, "DEFERRABLE or INITIALLY", constraint.Integer("location"));
}

/// The user's own text of a default: from the token after DEFAULT to the next constraint, comma or closing
/// bracket.
std::string DefaultText(const StatementText& text, int64_t location, int64_t next_location) {
  const size_t first = text.TokenIndex(location) + 1;
  size_t open = 0;
  size_t last = first;
  for (size_t i = first; i < text.tokens.size(); ++i) {
    const Token& token = text.tokens[i];
    if (next_location >= 0 && token.start >= static_cast<uint64_t>(next_location)) break;
    if (open == 0 && (token.Is(',') || token.Is(')'))) break;
    if (token.Is('(') || token.Is('[')) ++open;
    if (token.Is(')') || token.Is(']')) --open;
    last = i;
  }
  const size_t begin = text.tokens[first].origin;
  return std::string(text.sql.substr(begin, text.tokens[last].origin_end - begin));
}

ast::ColumnDefinition TransformColumnDefinition(const StatementText& text, TreeNode body) {
  const int64_t location = body.Integer("location");
  if (const TreeNode collation = body["collClause"]) Refuse(text, "COLLATE", collation.Integer("location"));
  RefuseOtherFields(text, body, "a column", {"colname", "typeName", "is_local", "constraints", "location"},
                    location);
  ast::ColumnDefinition column;
  column.position = text.Position(location);
  column.name = body.Text("colname");
  column.type = TransformTypeName(text, body["typeName"]);
  bool is_null = false;
  const std::vector<TreeNode> constraints = body.Items("constraints");
  for (size_t i = 0; i < constraints.size(); ++i) {
    const TreeNode constraint = constraints[i]["Constraint"];
    const std::string_view type = constraint.Text("contype");
    const int64_t begin = constraint.Integer("location");
    if (type == "CONSTR_NOTNULL") {
      column.not_null = true;
    } else if (type == "CONSTR_NULL") {
      is_null = true;
    } else if (type == "CONSTR_DEFAULT") {
      if (column.default_value) SyntaxErrorAt(text, "multiple default values for one column", begin);
      const int64_t next =
          i + 1 < constraints.size() ? constraints[i + 1]["Constraint"].Integer("location") : int64_t{-1};
      column.default_value = TransformExpression(text, constraint["raw_expr"]);
      column.default_text = DefaultText(text, begin, next);
    } else {
      RefuseConstraint(text, constraint);
    }
    if (is_null && column.not_null)
      SyntaxErrorAt(text, "conflicting NULL and NOT NULL for one column", begin);
  }
  return column;
}

}  // namespace

ast::StatementPtr TransformCreateTable(const StatementText& text, TreeNode body) {
  const TreeNode relation = body["relation"];
  const int64_t location = relation.Integer("location");
  RefuseOtherFields(text, body, "CREATE TABLE", {"relation", "tableElts", "oncommit", "if_not_exists"},
                    location);
  if (body.Text("oncommit") != "ONCOMMIT_NOOP") Refuse(text, "ON COMMIT", location);
  auto create = std::make_unique<ast::CreateTableStatement>();
  TransformRangeVar(text, relation, create->table);
  create->if_not_exists = body.Flag("if_not_exists");
  for (const TreeNode& element : body.Items("tableElts")) {
    const auto [tag, definition] = element.Unwrap();
    if (tag == "Constraint") RefuseConstraint(text, definition);
    if (tag == "TableLikeClause") Refuse(text, "LIKE", definition["relation"].Integer("location"));
    if (tag != "ColumnDef") Refuse(text, tag, location);
    create->columns.push_back(TransformColumnDefinition(text, definition));
  }
  return create;
}

ast::StatementPtr TransformCreateTableAs(const StatementText& text, TreeNode body) {
  const TreeNode into = body["into"];
  const int64_t location = into["rel"].Integer("location");
  if (body.Text("objtype") != "OBJECT_TABLE") Refuse(text, "CREATE MATERIALIZED VIEW", location);
  RefuseOtherFields(text, into, "CREATE TABLE AS", {"rel", "colNames", "onCommit", "skipData"}, location);
  if (into.Text("onCommit") != "ONCOMMIT_NOOP") Refuse(text, "ON COMMIT", location);
  if (body["query"].Tag() != "SelectStmt") Refuse(text, "CREATE TABLE AS EXECUTE", location);
  auto create = std::make_unique<ast::CreateTableStatement>();
  TransformRangeVar(text, into["rel"], create->table);
  create->if_not_exists = body.Flag("if_not_exists");
  create->column_names = into.Strings("colNames");
  create->with_no_data = into.Flag("skipData");
  create->query = TransformQuery(text, body["query"]);
  return create;
}

ast::StatementPtr TransformCreateSchema(const StatementText& text, TreeNode body) {
  const TreeNode role = body["authrole"];
  RefuseOtherFields(text, body, "CREATE SCHEMA", {"schemaname", "if_not_exists"},
                    role ? role.Integer("location") : -1);
  auto create = std::make_unique<ast::CreateSchemaStatement>();
  create->name = body.Text("schemaname");
  create->if_not_exists = body.Flag("if_not_exists");
  return create;
}

}  // namespace scaup
