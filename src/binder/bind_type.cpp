// CREATE TYPE ... AS ENUM, ALTER TYPE, and the names of types that the catalog has.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "binder/bind_statement.hpp"
#include "binder/query_binder.hpp"
#include "common/throw.hpp"
#include "type/type_name.hpp"

namespace scaup {

namespace {

/// As SQL has it, with the schema unless it is the default one.
std::string SqlName(const std::string& schema, const std::string& name) {
  const std::string quoted = QuotedFieldName(name);
  return schema == Catalog::kDefaultSchema ? quoted : QuotedFieldName(schema) + "." + quoted;
}

std::vector<std::string> LabelsOf(const LogicalType& type) {
  std::vector<std::string> labels;
  for (size_t i = 0; i < type.label_count(); i++) labels.push_back(type.label(i));
  return labels;
}

/// Adds the label at its place; false if it is there already and that is allowed.
bool AddLabel(const ast::AlterTypeStatement& statement, std::vector<std::string>& labels) {
  const size_t position = statement.type.position;
  if (std::find(labels.begin(), labels.end(), statement.label) != labels.end()) {
    if (statement.if_not_exists) return false;
    ThrowError(ErrorKind::kCatalog, sqlstate::kDuplicateObject,
               fmt::format("enum label \"{}\" already exists", statement.label), position);
  }
  auto place = labels.end();
  if (statement.neighbor) {
    place = std::find(labels.begin(), labels.end(), *statement.neighbor);
    if (place == labels.end()) {
      ThrowError(ErrorKind::kCatalog, sqlstate::kInvalidParameterValue,
                 fmt::format("\"{}\" is not an existing enum label", *statement.neighbor), position);
    }
    if (statement.is_after) ++place;
  }
  labels.insert(place, statement.label);
  return true;
}

void RenameLabel(const ast::AlterTypeStatement& statement, std::vector<std::string>& labels) {
  const size_t position = statement.type.position;
  const auto place = std::find(labels.begin(), labels.end(), statement.old_label);
  if (place == labels.end()) {
    ThrowError(ErrorKind::kCatalog, sqlstate::kInvalidParameterValue,
               fmt::format("\"{}\" is not an existing enum label", statement.old_label), position);
  }
  if (std::find(labels.begin(), labels.end(), statement.label) != labels.end()) {
    ThrowError(ErrorKind::kCatalog, sqlstate::kDuplicateObject,
               fmt::format("enum label \"{}\" already exists", statement.label), position);
  }
  *place = statement.label;
}

}  // namespace

BoundStatementPtr BindCreateType(BindSession& session, const ast::CreateTypeStatement& statement) {
  const BinderContext& context = session.context();
  const ast::NamedTable& name = statement.type;
  const std::string schema = name.schema.empty() ? std::string(Catalog::kDefaultSchema) : name.schema;
  if (!context.catalog.FindSchema(context.transaction, schema)) {
    ThrowError(ErrorKind::kCatalog, sqlstate::kInvalidSchemaName,
               fmt::format("schema \"{}\" does not exist", schema), name.position);
  }
  if (const auto existing = context.catalog.FindRelation(context.transaction, schema, name.name)) {
    ThrowError(ErrorKind::kCatalog, sqlstate::kDuplicateObject,
               fmt::format("{} \"{}\" already exists", KindName(existing->kind), name.name), name.position);
  }
  std::set<std::string_view> seen;
  for (const std::string& label : statement.labels) {
    if (seen.insert(label).second) continue;
    ThrowError(ErrorKind::kCatalog, sqlstate::kUniqueViolation,
               fmt::format("enum label \"{}\" is given more than once", label), name.position);
  }
  auto create = std::make_unique<BoundCreateType>();
  create->type = std::make_shared<const TypeEntry>(
      schema, name.name, LogicalType::Enum(SqlName(schema, name.name), statement.labels));
  return create;
}

BoundStatementPtr BindAlterType(BindSession& session, const ast::AlterTypeStatement& statement) {
  auto alter = std::make_unique<BoundAlterType>();
  const TypeEntryRef old = FindTypeOrThrow(session, statement.type, false);
  std::vector<std::string> labels = LabelsOf(old->type);
  if (!statement.is_new) {
    RenameLabel(statement, labels);
  } else if (!AddLabel(statement, labels)) {
    return alter;
  }
  alter->old = old;
  alter->type = std::make_shared<const TypeEntry>(
      old->schema, old->name, LogicalType::Enum(old->type.enum_name(), std::move(labels)));
  return alter;
}

TypeEntryRef FindTypeOrThrow(BindSession& session, const ast::NamedTable& type, bool may_be_missing) {
  const BinderContext& context = session.context();
  TypeEntryRef found = context.catalog.FindType(context.transaction, type.schema, type.name);
  if (!found && !may_be_missing) {
    ThrowError(ErrorKind::kCatalog, sqlstate::kUndefinedObject,
               fmt::format("type \"{}\" does not exist", type.name), type.position);
  }
  return found;
}

}  // namespace scaup
