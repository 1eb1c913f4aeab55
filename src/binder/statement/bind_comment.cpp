// Binds COMMENT ON.
#include <fmt/format.h>

#include <algorithm>

#include "binder/scope/bind_statement.hpp"
#include "catalog/temporary_schema.hpp"
#include "common/throw.hpp"
#include "type/type_rules.hpp"

namespace scaup {

namespace {

using Object = ast::CommentStatement::Object;

[[noreturn]] void ThrowMissing(const char* sqlstate, const std::string& message, size_t position) {
  ThrowError(ErrorKind::kCatalog, sqlstate, message + " does not exist", position);
}

/// Returns the kind of relation that an object is; nullopt for schemas, and for columns and constraints,
/// which belong to several kinds.
std::optional<CatalogEntryKind> KindOf(Object object) {
  switch (object) {
    case Object::kTable:
    case Object::kMaterializedView: return CatalogEntryKind::kTable;
    case Object::kView: return CatalogEntryKind::kView;
    case Object::kIndex: return CatalogEntryKind::kIndex;
    case Object::kSequence: return CatalogEntryKind::kSequence;
    case Object::kType: return CatalogEntryKind::kType;
    case Object::kDomain: return CatalogEntryKind::kDomain;
    case Object::kSchema:
    case Object::kColumn:
    case Object::kConstraint:
    case Object::kTrigger: break;
  }
  return std::nullopt;
}

template <typename Column>
bool HasColumn(const std::vector<Column>& columns, const std::string& name) {
  return std::any_of(columns.begin(), columns.end(),
                     [&](const Column& column) { return column.name == name; });
}

void RequireColumn(const CatalogEntry& relation, const ast::CommentStatement& statement) {
  bool exists = false;
  if (relation.kind == CatalogEntryKind::kTable) {
    exists = HasColumn(static_cast<const TableEntry&>(relation).columns, statement.part);
  } else if (relation.kind == CatalogEntryKind::kView) {
    exists = HasColumn(static_cast<const ViewEntry&>(relation).columns, statement.part);
  } else {
    ThrowError(ErrorKind::kCatalog, sqlstate::kWrongObjectType,
               fmt::format("cannot comment on a column of \"{}\", which is neither a table nor a view",
                           relation.name),
               statement.name.position);
  }
  if (exists) return;
  ThrowMissing(
      sqlstate::kUndefinedColumn,
      fmt::format("column \"{}\" of {} \"{}\"", statement.part, KindName(relation.kind), relation.name),
      statement.part_position);
}

[[noreturn]] void ThrowMissingType(const ast::NamedTable& name) {
  if (name.schema.empty() && TypeFromName(name.name))
    ThrowNotSupported("comments on types that are not enums are not supported", name.position);
  ThrowMissing(sqlstate::kUndefinedObject, fmt::format("type \"{}\"", name.name), name.position);
}

void RequireConstraint(const CatalogEntry& relation, const ast::CommentStatement& statement) {
  if (relation.kind == CatalogEntryKind::kTable &&
      static_cast<const TableEntry&>(relation).constraints.HasName(statement.part))
    return;
  ThrowMissing(
      sqlstate::kUndefinedObject,
      fmt::format("constraint \"{}\" of {} \"{}\"", statement.part, KindName(relation.kind), relation.name),
      statement.part_position);
}

void RequireTrigger(const CatalogEntry& relation, const ast::CommentStatement& statement) {
  if (relation.kind == CatalogEntryKind::kTable) {
    const auto& triggers = static_cast<const TableEntry&>(relation).constraints.triggers;
    if (std::ranges::find(triggers, statement.part, &TriggerDefinition::name) != triggers.end()) return;
  }
  ThrowMissing(sqlstate::kUndefinedObject,
               fmt::format("trigger \"{}\" for table \"{}\"", statement.part, relation.name),
               statement.part_position);
}

/// Returns the schema in which a name without one is found; the default schema if it is found nowhere.
SchemaEntryRef SchemaWithRelation(const BinderContext& context, const std::string& name) {
  const SearchPath* const path = SearchPath::Of(context.transaction);
  std::vector<std::string> schemas{kTemporarySchema};
  if (path != nullptr) schemas = path->searched();
  for (const std::string& schema : schemas) {
    if (context.catalog.FindRelation(context.transaction, schema, name))
      return context.catalog.FindSchema(context.transaction, schema);
  }
  return context.catalog.FindSchema(context.transaction, "");
}

}  // namespace

BoundStatementPtr BindComment(BindSession& session, const ast::CommentStatement& statement) {
  const BinderContext& context = session.context();
  const ast::NamedTable& name = statement.name;
  auto bound = std::make_unique<BoundComment>();
  bound->comment = statement.comment;
  const std::string& schema = statement.object == Object::kSchema ? name.name : name.schema;
  if (statement.object == Object::kSchema && IsTemporarySchema(schema))
    ThrowNotSupported("comments on the schema of temporary relations are not supported", name.position);
  SchemaEntryRef found = context.catalog.FindSchema(context.transaction, schema);
  if (schema.empty()) found = SchemaWithRelation(context, name.name);
  if (!found) ThrowMissing(sqlstate::kInvalidSchemaName, fmt::format("schema \"{}\"", schema), name.position);
  if (statement.object == Object::kSchema) {
    bound->target = {CommentTarget::Kind::kSchema, found->name, "", ""};
    return bound;
  }
  const CatalogEntryRef relation = found->relations->Find(context.transaction, name.name);
  const auto kind = KindOf(statement.object);
  if (statement.object == Object::kType && (!relation || relation->kind != CatalogEntryKind::kType))
    ThrowMissingType(name);
  if (!relation && statement.object == Object::kDomain)
    ThrowMissing(sqlstate::kUndefinedObject, fmt::format("type \"{}\"", name.name), name.position);
  if (!relation) {
    ThrowMissing(sqlstate::kUndefinedTable,
                 fmt::format("{} \"{}\"", kind ? KindName(*kind) : "relation", name.name), name.position);
  }
  if (kind && relation->kind != *kind) {
    ThrowError(ErrorKind::kCatalog, sqlstate::kWrongObjectType,
               fmt::format("\"{0}\" is a{1} {2}: write COMMENT ON {2} \"{0}\"", name.name,
                           relation->kind == CatalogEntryKind::kIndex ? "n" : "", KindName(relation->kind)),
               name.position);
  }
  auto target_kind = CommentTarget::Kind::kRelation;
  if (statement.object == Object::kColumn) {
    RequireColumn(*relation, statement);
    target_kind = CommentTarget::Kind::kColumn;
  } else if (statement.object == Object::kConstraint) {
    RequireConstraint(*relation, statement);
    target_kind = CommentTarget::Kind::kConstraint;
  } else if (statement.object == Object::kTrigger) {
    RequireTrigger(*relation, statement);
    target_kind = CommentTarget::Kind::kTrigger;
  }
  bound->target = {target_kind, found->name, name.name, statement.part};
  return bound;
}

}  // namespace scaup
