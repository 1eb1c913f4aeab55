// Binds SET CONSTRAINTS: finds the constraints of each name.
#include <fmt/format.h>

#include <algorithm>

#include "binder/scope/bind_statement.hpp"
#include "catalog/catalog.hpp"
#include "common/throw.hpp"
#include "type/text/temporary_name.hpp"

namespace scaup {

namespace {

/// Returns the schemas in which a constraint is looked up: that of the name, or those that need none.
std::vector<SchemaEntryRef> SearchedSchemas(const BindSession& session, const ast::NamedTable& name) {
  const BinderContext& context = session.context();
  if (!name.schema.empty()) {
    const SchemaEntryRef schema = context.catalog.FindSchema(context.transaction, name.schema);
    if (schema) return {schema};
    ThrowError(ErrorKind::kCatalog, sqlstate::kInvalidSchemaName,
               fmt::format("schema \"{}\" does not exist", name.schema), name.position);
  }
  const SearchPath* const path = SearchPath::Of(context.transaction);
  const std::vector<std::string> names =
      path != nullptr ? path->searched()
                      : std::vector<std::string>{kTemporarySchema, Catalog::kDefaultSchema};
  std::vector<SchemaEntryRef> schemas;
  for (const std::string& each : names) {
    if (SchemaEntryRef schema = context.catalog.FindSchema(context.transaction, each))
      schemas.push_back(std::move(schema));
  }
  return schemas;
}

/// Adds the constraints of that name in the first schema that has any, as PostgreSQL does: each of its tables
/// may have one.
void AddNamed(const BindSession& session, const ast::NamedTable& name, BoundSetConstraints& bound) {
  const BinderContext& context = session.context();
  bool is_found = false;
  for (const SchemaEntryRef& schema : SearchedSchemas(session, name)) {
    for (const TableEntryRef& table : context.catalog.List<TableEntry>(context.transaction, *schema)) {
      const TableConstraints& constraints = table->constraints;
      if (!constraints.HasName(name.name)) continue;
      is_found = true;
      const auto is_it = [&](const auto& key) { return key.name == name.name && key.deferral.is_deferrable; };
      const bool is_deferrable = std::ranges::any_of(constraints.uniques, is_it) ||
                                 std::ranges::any_of(constraints.foreign_keys, is_it);
      if (is_deferrable) {
        bound.constraints.push_back({table->schema, table->name, name.name});
      } else if (bound.is_deferred) {
        ThrowError(ErrorKind::kBinder, sqlstate::kWrongObjectType,
                   fmt::format("constraint \"{}\" is not deferrable", name.name), name.position);
      }
    }
    if (is_found) return;
  }
  ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedObject,
             fmt::format("constraint \"{}\" does not exist", name.name), name.position);
}

}  // namespace

BoundStatementPtr BindSetConstraints(BindSession& session, const ast::SetConstraintsStatement& statement) {
  auto bound = std::make_unique<BoundSetConstraints>();
  bound->all = statement.constraints.empty();
  bound->is_deferred = statement.is_deferred;
  for (const ast::NamedTable& name : statement.constraints) AddNamed(session, name, *bound);
  return bound;
}

}  // namespace scaup
