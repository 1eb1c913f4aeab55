// Transforms CREATE TYPE ... AS ENUM and ALTER TYPE.
#include "parser/transform/transform.hpp"
#include "type/schema_name.hpp"

namespace scaup {

namespace {

using Action = ast::AlterTypeStatement::Action;

/// Sets the name, which follows CREATE TYPE or ALTER TYPE; libpg_query omits its location.
void SetTypeName(const StatementText& text, std::vector<std::string> parts, ast::NamedTable& name) {
  SetDottedName(text, std::move(parts), text.Location(2), name);
}

}  // namespace

ast::StatementPtr TransformCreateType(const StatementText& text, TreeNode body) {
  auto create = std::make_unique<ast::CreateTypeStatement>();
  SetTypeName(text, body.Strings("typeName"), create->type);
  create->labels = body.Strings("vals");
  return create;
}

ast::StatementPtr TransformAlterType(const StatementText& text, TreeNode body) {
  auto alter = std::make_unique<ast::AlterTypeStatement>();
  SetTypeName(text, body.Strings("typeName"), alter->type);
  alter->new_name = body.Text("newVal");
  // The tree omits an empty label like a missing one, so the keywords decide what is given.
  size_t action = 3;
  while (action + 1 < text.tokens.size() && text.tokens[action].Is('.')) action += 2;
  if (text.IsKeyword(action, "rename")) {
    alter->action = Action::kRenameValue;
    alter->old_label = body.Text("oldVal");
    return alter;
  }
  for (const char* word : {"before", "after"}) {
    if (text.FindKeyword(word, action) < text.tokens.size())
      alter->neighbor = std::string(body.Text("newValNeighbor"));
  }
  alter->is_after = body.Flag("newValIsAfter");
  alter->if_not_exists = body.Flag("skipIfNewValExists");
  return alter;
}

ast::StatementPtr TransformMoveType(const StatementText& text, TreeNode body) {
  auto alter = std::make_unique<ast::AlterTypeStatement>();
  SetTypeName(text, body["object"]["List"].Strings("items"), alter->type);
  const bool has_name = static_cast<bool>(body["newname"]);
  alter->action = has_name ? Action::kRename : Action::kSetSchema;
  alter->new_name = has_name ? body.Text("newname") : SchemaNamed(body.Text("newschema"));
  return alter;
}

}  // namespace scaup
