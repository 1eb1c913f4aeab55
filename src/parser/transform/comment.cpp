// Transforms COMMENT ON.
#include "parser/transform/transform.hpp"
#include "type/schema_name.hpp"

namespace scaup {

namespace {

using CommentedObject = ast::CommentStatement::Object;

CommentedObject CommentedObjectOf(const StatementText& text, TreeNode body) {
  const std::string_view type = body.Text("objtype");
  if (type == "OBJECT_TABLE") return CommentedObject::kTable;
  if (type == "OBJECT_VIEW") return CommentedObject::kView;
  if (type == "OBJECT_INDEX") return CommentedObject::kIndex;
  if (type == "OBJECT_SEQUENCE") return CommentedObject::kSequence;
  if (type == "OBJECT_TYPE") return CommentedObject::kType;
  if (type == "OBJECT_DOMAIN") return CommentedObject::kDomain;
  if (type == "OBJECT_MATVIEW") return CommentedObject::kMaterializedView;
  if (type == "OBJECT_SCHEMA") return CommentedObject::kSchema;
  if (type == "OBJECT_COLUMN") return CommentedObject::kColumn;
  if (type == "OBJECT_TABCONSTRAINT") return CommentedObject::kConstraint;
  if (type == "OBJECT_TRIGGER") return CommentedObject::kTrigger;
  Refuse(text, "COMMENT ON this kind of object", text.Location(2));
}

}  // namespace

ast::StatementPtr TransformComment(const StatementText& text, TreeNode body) {
  if (IsFunctionKind(body.Text("objtype"))) return TransformFunctionComment(text, body);
  auto statement = std::make_unique<ast::CommentStatement>();
  statement->object = CommentedObjectOf(text, body);
  RefuseOtherFields(text, body, "COMMENT", {"objtype", "object", "comment"}, -1);
  statement->comment = body.Text("comment");
  // The tree has no locations, so they come from the tokens: COMMENT ON kind [constraint ON] [[x.]y.]name IS
  const bool is_constraint =
      statement->object == CommentedObject::kConstraint || statement->object == CommentedObject::kTrigger;
  const bool has_two_words = statement->object == CommentedObject::kMaterializedView;
  const size_t begin = is_constraint ? text.FindKeyword("on", 4) + 1 : has_two_words ? 4 : 3;
  size_t last = begin;  // last token of the dotted name
  while (last + 2 < text.tokens.size() && text.tokens[last + 1].Is('.')) last += 2;
  statement->part_position = text.Position(text.Location(is_constraint ? 3 : last));

  std::vector<std::string> parts;
  if (const TreeNode type = body["object"]["TypeName"]) {
    ast::TypeName name = TransformTypeName(text, type);
    if (name.array_dimensions > 0 || !name.modifiers.empty() || !name.fields.empty())
      Refuse(text, "COMMENT ON a type that is no enum", text.Location(begin));
    parts = std::move(name.names);
  } else if (const TreeNode single = body["object"]["String"]) {
    parts.emplace_back(single.Text("sval"));
  } else {
    parts = body["object"]["List"].Strings("items");
  }
  if (is_constraint || statement->object == CommentedObject::kColumn) {
    statement->part = std::move(parts.back());
    parts.pop_back();
  }
  if (parts.empty())
    SyntaxErrorAt(text, "column name must be qualified: write table.column", text.Location(3));
  if (statement->object == CommentedObject::kSchema) parts.back() = SchemaNamed(parts.back());
  SetDottedName(text, std::move(parts), text.Location(begin), statement->name);
  return statement;
}

}  // namespace scaup
