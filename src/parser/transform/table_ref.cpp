// Transforms FROM items and table names.
#include "parser/transform/transform.hpp"

#include <fmt/format.h>

#include <optional>

#include "common/stack_bound.hpp"
#include "common/throw.hpp"
#include "type/schema_name.hpp"
#include "type/text/temporary_name.hpp"

namespace scaup {

using ast::TableRefPtr;

namespace {

[[gnu::noinline]] void SetAlias(TreeNode body, ast::TableRef& table) {
  const TreeNode alias = body["alias"];
  table.alias = alias.Text("aliasname");
  table.column_aliases = alias.Strings("colnames");
}

[[gnu::noinline]] TableRefPtr TransformNamedTable(const StatementText& text, TreeNode body) {
  auto table = std::make_unique<ast::NamedTable>();
  TransformRangeVar(text, body, *table);
  return table;
}

[[gnu::noinline]] ast::JoinType TypeOfJoin(const StatementText& text, TreeNode body) {
  const std::string_view type = body.Text("jointype");
  if (type == "JOIN_LEFT") return ast::JoinType::kLeft;
  if (type == "JOIN_RIGHT") return ast::JoinType::kRight;
  if (type == "JOIN_FULL") return ast::JoinType::kFull;
  if (type != "JOIN_INNER") Refuse(text, type, -1);
  const bool is_cross = !body["quals"] && !body["usingClause"] && !body.Flag("isNatural");
  return is_cross ? ast::JoinType::kCross : ast::JoinType::kInner;
}

/// Returns the type of the join whose condition begins with a mark at `location`; nullopt if it has none.
std::optional<ast::JoinType> MarkedJoin(const StatementText& text, int64_t location) {
  if (text.HasMark(location, TokenMark::kSemiJoin)) return ast::JoinType::kSemi;
  if (text.HasMark(location, TokenMark::kAntiJoin)) return ast::JoinType::kAnti;
  return std::nullopt;
}

/// Transforms the condition of a SEMI or ANTI JOIN: "semi" OR x, or "semi"(a, b) for USING (a, b). Returns
/// whether the join is one.
[[gnu::noinline]] bool TransformMarkedCondition(const StatementText& text, TreeNode quals, ast::Join& join) {
  const auto [tag, body] = quals.Unwrap();
  if (tag == "FuncCall") {
    const auto type = MarkedJoin(text, body.Integer("location"));
    if (!type) return false;
    join.join = *type;
    for (const TreeNode& argument : body.Items("args")) {
      const ast::ExpressionPtr column = TransformExpression(text, argument);
      if (column->kind != ast::ExpressionKind::kColumn || column->As<ast::Column>().names.size() != 1)
        SyntaxErrorAt(text, "USING takes names of columns", LocationOf(argument));
      join.using_columns.push_back(column->As<ast::Column>().names[0]);
    }
    if (join.using_columns.empty())
      SyntaxErrorAt(text, "USING takes names of columns", body.Integer("location"));
    return true;
  }
  if (tag != "BoolExpr") return false;
  const std::vector<TreeNode> parts = body.Items("args");
  const auto type = MarkedJoin(text, parts[0]["ColumnRef"] ? LocationOf(parts[0]) : -1);
  if (!type) return false;
  join.join = *type;
  auto either = std::make_unique<ast::Conjunction>(ast::ExpressionKind::kOr);
  for (size_t i = 1; i < parts.size(); i++) either->children.push_back(TransformExpression(text, parts[i]));
  either->position = either->children[0]->position;
  join.condition = either->children.size() > 1 ? std::move(either) : std::move(either->children[0]);
  return true;
}

/// Returns the mark of a join's left side: POSITIONAL and ASOF stand there as a cross join with a marked
/// name.
[[gnu::noinline]] TokenMark MarkOfLeftSide(const StatementText& text, TreeNode body) {
  const TreeNode name = body["larg"]["JoinExpr"]["rarg"]["RangeVar"];
  if (!name) return TokenMark::kNone;
  for (const TokenMark mark : {TokenMark::kPositionalJoin, TokenMark::kAsofJoin}) {
    if (text.HasMark(name.Integer("location"), mark)) return mark;
  }
  return TokenMark::kNone;
}

/// Returns the type of an ASOF JOIN. Throws 0A000 if it is neither an inner nor a left join.
[[gnu::noinline]] ast::JoinType TypeOfAsofJoin(const StatementText& text, TreeNode body, ast::JoinType type) {
  if (type == ast::JoinType::kInner) return ast::JoinType::kAsof;
  if (type == ast::JoinType::kLeft) return ast::JoinType::kAsofLeft;
  Refuse(text, "an ASOF JOIN other than ASOF [INNER] JOIN and ASOF LEFT JOIN",
         body["larg"]["JoinExpr"]["rarg"]["RangeVar"].Integer("location"));
}

[[gnu::noinline]] TableRefPtr TransformJoin(const StatementText& text, TreeNode body) {
  CheckStack();
  if (TableRefPtr pivot = TransformPivot(text, body)) return pivot;
  auto join = std::make_unique<ast::Join>();
  const TokenMark mark = MarkOfLeftSide(text, body);
  join->join = TypeOfJoin(text, body);
  if (mark == TokenMark::kPositionalJoin) join->join = ast::JoinType::kPositional;
  join->natural = body.Flag("isNatural");
  join->left =
      TransformTableRef(text, mark == TokenMark::kNone ? body["larg"] : body["larg"]["JoinExpr"]["larg"]);
  join->right = TransformTableRef(text, body["rarg"]);
  join->position = join->left->position;
  join->using_alias = body["join_using_alias"].Text("aliasname");
  if (!body["quals"] || !TransformMarkedCondition(text, body["quals"], *join))
    join->condition = TransformOptional(text, body["quals"]);
  if (mark == TokenMark::kAsofJoin) join->join = TypeOfAsofJoin(text, body, join->join);
  if (body["usingClause"]) join->using_columns = body.Strings("usingClause");
  SetAlias(body, *join);
  return join;
}

[[gnu::noinline]] TableRefPtr TransformSubqueryTable(const StatementText& text, TreeNode body) {
  auto table = std::make_unique<ast::SubqueryTable>();
  table->query = TransformQuery(text, body["subquery"]);
  table->position = table->query->position;
  table->lateral = body.Flag("lateral");
  SetAlias(body, *table);
  return table;
}

/// Transforms the list of column definitions behind a function: AS t(a INTEGER, b VARCHAR).
std::optional<ast::TypeName> TransformRecord(const StatementText& text, TreeNode body) {
  const std::vector<TreeNode> columns = body.Items("coldeflist");
  if (columns.empty()) return std::nullopt;
  ast::TypeName record;
  record.names = {"struct"};
  record.position = text.Position(columns[0]["ColumnDef"].Integer("location"));
  for (const TreeNode& column : columns) {
    const TreeNode definition = column["ColumnDef"];
    record.fields.push_back(
        {std::string(definition.Text("colname")), TransformTypeName(text, definition["typeName"])});
  }
  return record;
}

[[gnu::noinline]] TableRefPtr TransformFunctionTable(const StatementText& text, TreeNode body) {
  const std::vector<TreeNode> functions = body.Items("functions");
  SCAUP_CHECK(!functions.empty());
  auto table = std::make_unique<ast::FunctionTable>();
  for (const TreeNode& function : functions) {
    const std::vector<TreeNode> parts = function["List"].Items("items");
    SCAUP_CHECK(!parts.empty());
    const int64_t location = LocationOf(parts[0]);
    RefuseOtherFields(text, body, "FROM",
                      {"lateral", "ordinality", "is_rowsfrom", "functions", "alias", "coldeflist"}, location);
    if (parts.size() > 1 && parts[1].Unwrap().second)
      Refuse(text, "a list of column definitions in FROM", location);
    ast::ExpressionPtr call = TransformExpression(text, parts[0]);
    if (call->kind != ast::ExpressionKind::kFunctionCall) Refuse(text, "an expression in FROM", location);
    std::unique_ptr<ast::FunctionCall> taken(static_cast<ast::FunctionCall*>(call.release()));
    if (table->call) {
      table->further_calls.push_back(std::move(taken));
    } else {
      table->position = taken->position;
      table->call = std::move(taken);
    }
  }
  table->lateral = body.Flag("lateral");
  table->with_ordinality = body.Flag("ordinality");
  table->record = TransformRecord(text, body);
  SetAlias(body, *table);
  return table;
}

[[gnu::noinline]] TableRefPtr TransformSample(const StatementText& text, TreeNode body) {
  const TreeNode relation = body["relation"]["RangeVar"];
  auto table = std::make_unique<ast::NamedTable>();
  TransformRangeVar(text, relation, *table);
  auto sample = std::make_shared<ast::TableSample>();
  sample->position = text.Position(body.Integer("location"));
  sample->method = fmt::format("{}", fmt::join(body.Strings("method"), "."));
  for (const TreeNode& argument : body.Items("args"))
    sample->arguments.push_back(TransformExpression(text, argument));
  sample->seed = TransformOptional(text, body["repeatable"]);
  table->sample = std::move(sample);
  return table;
}

}  // namespace

void TransformRangeVar(const StatementText& text, TreeNode body, ast::NamedTable& table) {
  const int64_t location = body.Integer("location");
  RefuseOtherFields(text, body, "a table name",
                    {"catalogname", "schemaname", "relname", "inh", "relpersistence", "alias", "location"},
                    location);
  if (!body.Flag("inh")) Refuse(text, "ONLY", location);
  table.position = text.Position(location);
  table.database = body.Text("catalogname");
  table.schema = SchemaNamed(body.Text("schemaname"));
  // TEMPORARY says in which schema the relation is. UNLOGGED has no effect: all tables are logged.
  if (body.Text("relpersistence") == "t") {
    if (!table.schema.empty() && !IsTemporarySchema(table.schema)) {
      ThrowError(ErrorKind::kSyntax, sqlstate::kInvalidTableDefinition,
                 "cannot create temporary relation in non-temporary schema", table.position);
    }
    table.schema = kTemporarySchema;
  }
  table.name = body.Text("relname");
  SetAlias(body, table);
}

void SetDottedName(const StatementText& text, std::vector<std::string> parts, int64_t location,
                   ast::NamedTable& name) {
  if (parts.empty() || parts.size() > 3) {
    ThrowError(ErrorKind::kSyntax, sqlstate::kSyntaxError,
               "improper qualified name (too many dotted names): write name, schema.name or "
               "database.schema.name",
               text.Position(location));
  }
  name.position = text.Position(location);
  name.name = std::move(parts.back());
  if (parts.size() >= 2) name.schema = SchemaNamed(parts[parts.size() - 2]);
  if (parts.size() == 3) name.database = std::move(parts.front());
}

TableRefPtr TransformTableRef(const StatementText& text, TreeNode wrapped) {
  CheckStack();
  const auto [tag, body] = wrapped.Unwrap();
  if (tag == "RangeVar") return TransformNamedTable(text, body);
  if (tag == "JoinExpr") return TransformJoin(text, body);
  if (tag == "RangeSubselect") return TransformSubqueryTable(text, body);
  if (tag == "RangeFunction") return TransformFunctionTable(text, body);
  if (tag == "RangeTableSample") return TransformSample(text, body);
  Refuse(text, tag == "RangeTableFunc" ? "XMLTABLE" : tag, body.Integer("location"));
}

}  // namespace scaup
