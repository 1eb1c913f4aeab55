// Transforms DROP TABLE, COLLECTION, ELEMENT TABLE, SCHEMA, VIEW, INDEX, SEQUENCE, TYPE and DOMAIN.
#include "parser/transform/transform.hpp"

#include <utility>

#include "type/schema_name.hpp"

namespace scaup {

namespace {

using DroppedObject = ast::DropStatement::Object;

DroppedObject DroppedObjectOf(const StatementText& text, TreeNode body) {
  const std::string_view type = body.Text("removeType");
  if (text.is_schema_of_database) return DroppedObject::kSchema;
  if (type == "OBJECT_TABLE" && text.is_element_table) return DroppedObject::kElementTable;
  if (type == "OBJECT_TABLE") return text.is_collection ? DroppedObject::kCollection : DroppedObject::kTable;
  if (type == "OBJECT_SCHEMA") return DroppedObject::kSchema;
  if (type == "OBJECT_VIEW") return DroppedObject::kView;
  if (type == "OBJECT_INDEX") return DroppedObject::kIndex;
  if (type == "OBJECT_SEQUENCE") return DroppedObject::kSequence;
  if (type == "OBJECT_TYPE") return DroppedObject::kType;
  if (type == "OBJECT_MATVIEW") return DroppedObject::kMaterializedView;
  if (type == "OBJECT_DOMAIN") return DroppedObject::kDomain;
  Refuse(text, "DROP of this kind of object", text.tokens.size() > 1 ? text.tokens[1].start : -1);
}

/// Returns the locations of the names, which libpg_query omits: the first name follows DROP TABLE [IF
/// EXISTS], or DROP MATERIALIZED VIEW, the others follow commas.
std::vector<int64_t> NameLocations(const StatementText& text) {
  std::vector<int64_t> locations;
  size_t i = text.IsKeyword(1, "materialized") ? 3 : 2;
  if (i + 1 < text.tokens.size() && text.tokens[i].type == TokenType::kIf &&
      text.tokens[i + 1].type == TokenType::kExists) {
    i += 2;
  }
  if (i < text.tokens.size()) locations.push_back(text.tokens[i].start);
  for (; i + 1 < text.tokens.size(); ++i) {
    if (text.tokens[i].Is(',')) locations.push_back(text.tokens[i + 1].start);
  }
  return locations;
}

}  // namespace

ast::StatementPtr TransformDrop(const StatementText& text, TreeNode body) {
  if (IsFunctionKind(body.Text("removeType"))) return TransformDropFunction(text, body);
  if (body.Text("removeType") == "OBJECT_TRIGGER") return TransformDropTrigger(text, body);
  auto drop = std::make_unique<ast::DropStatement>();
  drop->object = DroppedObjectOf(text, body);
  if (body.Flag("concurrent")) Refuse(text, "CONCURRENTLY in DROP INDEX", text.Location(2));
  RefuseOtherFields(text, body, "DROP", {"objects", "removeType", "behavior", "missing_ok"}, -1);
  drop->if_exists = body.Flag("missing_ok");
  drop->cascade = body.Text("behavior") == "DROP_CASCADE";
  const std::vector<int64_t> locations = NameLocations(text);
  for (const TreeNode& object : body.Items("objects")) {
    const size_t index = drop->names.size();
    const int64_t location = index < locations.size() ? locations[index] : -1;
    std::vector<std::string> parts;
    if (const TreeNode single = object["String"]) {
      parts.emplace_back(single.Text("sval"));
    } else if (const TreeNode type = object["TypeName"]) {
      parts = type.Strings("names");
    } else {
      parts = object["List"].Strings("items");
    }
    if (drop->object == DroppedObject::kSchema) parts.back() = SchemaNamed(parts.back());
    ast::NamedTable& name = drop->names.emplace_back();
    SetDottedName(text, std::move(parts), location, name);
    // A schema's name has a database in front of it.
    if (drop->object != DroppedObject::kSchema || name.schema.empty()) continue;
    if (!name.database.empty()) Refuse(text, "a schema's name of three parts", location);
    name.database = std::exchange(name.schema, "");
  }
  return drop;
}

}  // namespace scaup
