// Transforms CREATE TABLE, CREATE COLLECTION, CREATE TABLE AS, CREATE VIEW and CREATE SCHEMA.
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

ast::StatementPtr TransformCreateTableAs(const StatementText& text, TreeNode body) {
  const TreeNode into = body["into"];
  const int64_t location = into["rel"].Integer("location");
  if (body.Text("objtype") != "OBJECT_TABLE") Refuse(text, "CREATE MATERIALIZED VIEW", location);
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

ast::StatementPtr TransformCreateView(const StatementText& text, TreeNode body) {
  const TreeNode name = body["view"];
  const int64_t location = name.Integer("location");
  if (body.Text("withCheckOption") != "NO_CHECK_OPTION") Refuse(text, "WITH CHECK OPTION", location);
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
  return create;
}

ast::StatementPtr TransformCreateSchema(const StatementText& text, TreeNode body) {
  const TreeNode role = body["authrole"];
  RefuseOtherFields(text, body, "CREATE SCHEMA", {"schemaname", "if_not_exists"},
                    role ? role.Integer("location") : -1);
  auto create = std::make_unique<ast::CreateSchemaStatement>();
  create->name = SchemaNamed(body.Text("schemaname"));
  create->if_not_exists = body.Flag("if_not_exists");
  return create;
}

}  // namespace scaup
