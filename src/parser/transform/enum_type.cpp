// CREATE TYPE ... AS ENUM, and ALTER TYPE ... ADD VALUE and RENAME VALUE.
#include "parser/transform/transform.hpp"

namespace scaup {

namespace {

/// The name follows CREATE TYPE or ALTER TYPE; libpg_query leaves out where.
void ReadTypeName(const StatementText& text, TreeNode body, ast::NamedTable& name) {
  const int64_t location = text.Location(2);
  std::vector<std::string> parts = body.Strings("typeName");
  if (parts.empty() || parts.size() > 2) Refuse(text, "a database name in front of the schema", location);
  name.position = text.Position(location);
  name.name = std::move(parts.back());
  if (parts.size() == 2) name.schema = std::move(parts.front());
}

}  // namespace

ast::StatementPtr TransformCreateType(const StatementText& text, TreeNode body) {
  auto create = std::make_unique<ast::CreateTypeStatement>();
  ReadTypeName(text, body, create->type);
  create->labels = body.Strings("vals");
  return create;
}

ast::StatementPtr TransformAlterType(const StatementText& text, TreeNode body) {
  auto alter = std::make_unique<ast::AlterTypeStatement>();
  ReadTypeName(text, body, alter->type);
  // Of RENAME VALUE the old label is given, even if it is empty; ADD VALUE may say IF NOT EXISTS.
  alter->is_new = !body["oldVal"];
  alter->old_label = body.Text("oldVal");
  alter->label = body.Text("newVal");
  if (body["newValNeighbor"]) alter->neighbor = std::string(body.Text("newValNeighbor"));
  alter->is_after = body.Flag("newValIsAfter");
  alter->if_not_exists = body.Flag("skipIfNewValExists");
  return alter;
}

}  // namespace scaup
