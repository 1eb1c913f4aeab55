// Transforms CREATE TABLE, CREATE COLLECTION, CREATE TABLE AS, CREATE VIEW and CREATE SCHEMA.
#include <algorithm>
#include <cctype>

#include "parser/transform/transform.hpp"
#include "type/schema_name.hpp"

namespace scaup {

/// Reads LIKE. Its options are bits, numbered as in the grammar; storage, compression and statistics have no
/// meaning here.
static ast::LikeClause LikeOf(const StatementText& text, TreeNode definition) {
  const int64_t bits = definition.Integer("options");
  ast::LikeClause like;
  TransformRangeVar(text, definition["relation"], like.table);
  like.comments = (bits & 1) != 0;
  like.constraints = (bits & 4) != 0;
  like.defaults = (bits & 8) != 0;
  like.generated = (bits & 16) != 0;
  like.identity = (bits & 32) != 0;
  like.indexes = (bits & 64) != 0;
  return like;
}

static std::optional<ast::CommitAction> CommitActionOf(std::string_view action) {
  if (action == "ONCOMMIT_PRESERVE_ROWS") return ast::CommitAction::kPreserveRows;
  if (action == "ONCOMMIT_DELETE_ROWS") return ast::CommitAction::kDeleteRows;
  if (action == "ONCOMMIT_DROP") return ast::CommitAction::kDrop;
  return std::nullopt;
}

ast::StatementPtr TransformCreateTable(const StatementText& text, TreeNode body) {
  const TreeNode relation = body["relation"];
  const int64_t location = relation.Integer("location");
  RefuseOtherFields(text, body, "CREATE TABLE",
                    {"relation", "tableElts", "oncommit", "if_not_exists", "options"}, location);
  CheckStorageParameters(text, body.Items("options"));
  auto create = std::make_unique<ast::CreateTableStatement>();
  TransformRangeVar(text, relation, create->table);
  create->on_commit = CommitActionOf(body.Text("oncommit"));
  create->if_not_exists = body.Flag("if_not_exists");
  create->or_replace = text.or_replace;
  create->is_collection = text.is_collection;
  for (const TreeNode& element : body.Items("tableElts")) {
    const auto [tag, definition] = element.Unwrap();
    if (tag == "Constraint") {
      create->constraints.push_back(TransformTableConstraint(text, definition));
      continue;
    }
    if (tag == "TableLikeClause") {
      create->likes.push_back(LikeOf(text, definition));
      create->likes.back().before_column = create->columns.size();
      continue;
    }
    if (tag != "ColumnDef") Refuse(text, tag, location);
    create->columns.push_back(TransformColumnDefinition(text, definition, create->constraints));
  }
  return create;
}

/// Takes a clause that follows the query out of the query's text: it begins with the last token that is this
/// keyword.
static void RemoveBehind(const StatementText& text, std::string_view keyword, std::string& query_text) {
  size_t first = text.tokens.size() - 1;
  while (first > 0 && !text.IsKeyword(first, keyword)) first--;
  const size_t end = text.position + text.length;
  const size_t removed = end - std::min<size_t>(end, text.tokens[first].origin);
  query_text.resize(query_text.size() - std::min(removed, query_text.size()));
  while (!query_text.empty() && std::isspace(static_cast<unsigned char>(query_text.back())))
    query_text.pop_back();
}

/// Returns whether a statement ends with WITH DATA or WITH NO DATA.
static bool EndsWithData(const StatementText& text) {
  const size_t count = text.tokens.size();
  return count > 3 && text.IsKeyword(count - 1, "data") &&
         (text.IsKeyword(count - 2, "with") ||
          (text.IsKeyword(count - 2, "no") && text.IsKeyword(count - 3, "with")));
}

static ast::StatementPtr TransformMaterializedView(const StatementText& text, TreeNode body) {
  const TreeNode into = body["into"];
  const int64_t location = into["rel"].Integer("location");
  RefuseOtherFields(text, into, "CREATE MATERIALIZED VIEW",
                    {"rel", "colNames", "onCommit", "skipData", "options"}, location);
  CheckStorageParameters(text, into.Items("options"));
  auto create = std::make_unique<ast::CreateViewStatement>();
  create->is_materialized = true;
  TransformRangeVar(text, into["rel"], create->view);
  create->if_not_exists = body.Flag("if_not_exists");
  create->column_names = into.Strings("colNames");
  create->with_no_data = into.Flag("skipData");
  create->query = TransformQuery(text, body["query"]);
  create->query_text = text.OriginBehind(text.FindKeyword("as", 0));
  if (EndsWithData(text)) RemoveBehind(text, "with", create->query_text);
  return create;
}

ast::StatementPtr TransformRefresh(const StatementText& text, TreeNode body) {
  auto refresh = std::make_unique<ast::RefreshStatement>();
  TransformRangeVar(text, body["relation"], refresh->view);
  refresh->with_no_data = body.Flag("skipData");
  // Readers are never in the way of a refresh here, so that CONCURRENTLY has no effect.
  if (body.Flag("concurrent") && refresh->with_no_data) {
    SyntaxErrorAt(text, "REFRESH options CONCURRENTLY and WITH NO DATA cannot be used together",
                  body["relation"].Integer("location"));
  }
  return refresh;
}

ast::StatementPtr TransformCreateTableAs(const StatementText& text, TreeNode body) {
  const TreeNode into = body["into"];
  const int64_t location = into["rel"].Integer("location");
  if (body.Text("objtype") == "OBJECT_MATVIEW") return TransformMaterializedView(text, body);
  RefuseOtherFields(text, into, "CREATE TABLE AS", {"rel", "colNames", "onCommit", "skipData", "options"},
                    location);
  CheckStorageParameters(text, into.Items("options"));
  auto create = std::make_unique<ast::CreateTableStatement>();
  TransformRangeVar(text, into["rel"], create->table);
  create->on_commit = CommitActionOf(into.Text("onCommit"));
  create->if_not_exists = body.Flag("if_not_exists");
  create->or_replace = text.or_replace;
  create->column_names = into.Strings("colNames");
  create->with_no_data = into.Flag("skipData");
  const auto [tag, query] = body["query"].Unwrap();
  if (tag == "ExecuteStmt") {
    create->execute = TransformExecute(text, query);
  } else {
    create->query = TransformQuery(text, body["query"]);
  }
  return create;
}

/// Transforms WITH [CASCADED | LOCAL] CHECK OPTION, and takes it out of the text of the query.
static void TransformCheckOption(const StatementText& text, std::string_view option,
                                 ast::CreateViewStatement& create) {
  if (option == "NO_CHECK_OPTION") return;
  create.check_option =
      option == "LOCAL_CHECK_OPTION" ? ast::ViewCheckOption::kLocal : ast::ViewCheckOption::kCascaded;
  RemoveBehind(text, "with", create.query_text);
}

ast::StatementPtr TransformCreateView(const StatementText& text, TreeNode body) {
  const TreeNode name = body["view"];
  const int64_t location = name.Integer("location");
  RefuseOtherFields(text, body, "CREATE VIEW",
                    {"view", "aliases", "query", "replace", "withCheckOption", "options"}, location);
  auto create = std::make_unique<ast::CreateViewStatement>();
  TransformRangeVar(text, name, create->view);
  create->or_replace = body.Flag("replace");
  create->if_not_exists = text.if_not_exists;
  create->column_names = body.Strings("aliases");
  for (const TreeNode& item : body.Items("options")) {
    const ast::CopyOption option = TransformOption(text, item);
    if (option.name != "sources" || !option.has_value)
      Refuse(text, "this option of CREATE VIEW", item["DefElem"].Integer("location"));
    create->sources = option.value;
    create->sources_position = option.position;
  }
  create->query = TransformQuery(text, body["query"]);
  create->query_text = text.OriginBehind(text.FindKeyword("as", 0));
  TransformCheckOption(text, body.Text("withCheckOption"), *create);
  return create;
}

ast::StatementPtr TransformCreateSchema(const StatementText& text, TreeNode body) {
  const TreeNode role = body["authrole"];
  auto create = std::make_unique<ast::CreateSchemaStatement>();
  if (text.is_schema_of_database) {
    create->database = role.Text("rolename");
  } else {
    RefuseOtherFields(text, body, "CREATE SCHEMA", {"schemaname", "if_not_exists"},
                      role ? role.Integer("location") : -1);
  }
  create->name = SchemaNamed(body.Text("schemaname"));
  create->if_not_exists = body.Flag("if_not_exists");
  return create;
}

}  // namespace scaup
