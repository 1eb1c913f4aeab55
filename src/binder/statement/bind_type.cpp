// Binds CREATE TYPE ... AS ENUM and ALTER TYPE, and finds types of the catalog.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "binder/scope/bind_statement.hpp"
#include "binder/scope/coercion.hpp"
#include "binder/scope/query_binder.hpp"
#include "binder/statement/binder.hpp"
#include "catalog/catalog_dependencies.hpp"
#include "catalog/create_statement.hpp"
#include "catalog/enum_use.hpp"
#include "catalog/temporary_schema.hpp"
#include "common/throw.hpp"
#include "parser/parser.hpp"
#include "type/text/quoted_text.hpp"
#include "type/type_name.hpp"
#include "type/type_rules.hpp"

namespace scaup {

namespace {

/// Returns whether SQL parses the text as the type of that name.
bool NamesType(const std::string& text, const std::string& name) {
  try {
    const auto statements = Parser().Parse("SELECT NULL::" + text);
    const auto& item = *statements.at(0)->As<ast::SelectStatement>().items.at(0).expression;
    if (item.kind != ast::ExpressionKind::kCast) return false;
    const ast::TypeName& type = item.As<ast::Cast>().type;
    return type.names == std::vector<std::string>{name} && type.array_dimensions == 0;
  } catch (const Error&) {  // a reserved word
    return false;
  }
}

std::string SqlWord(const std::string& name) {
  std::string plain = QuotedFieldName(name);
  return NamesType(plain, name) ? plain : QuotedIdentifier(name);
}

/// Returns the name of a type in SQL. It has a schema unless it is in the default schema and no built-in type
/// has that name.
std::string SqlName(const std::string& schema, const std::string& name) {
  const bool stands_alone = schema == Catalog::kDefaultSchema && !TypeFromName(name);
  return stands_alone ? SqlWord(name) : SqlWord(schema) + "." + SqlWord(name);
}

std::vector<std::string> LabelsOf(const LogicalType& type) {
  std::vector<std::string> labels;
  for (size_t i = 0; i < type.label_count(); i++) labels.push_back(type.label(i));
  return labels;
}

[[noreturn]] void Refuse(const ast::AlterTypeStatement& statement, const char* sqlstate,
                         const std::string& message) {
  ThrowError(ErrorKind::kCatalog, sqlstate, message, statement.type.position);
}

void CheckLabel(const std::string& label, size_t position) {
  if (label.size() <= LogicalType::kMaxLabelBytes) return;
  ThrowError(ErrorKind::kCatalog, sqlstate::kInvalidName,
             fmt::format("invalid enum label \"{}\": labels must be {} bytes or less", label,
                         LogicalType::kMaxLabelBytes),
             position);
}

/// Inserts the label at its position. Returns false if it exists and IF NOT EXISTS allows that.
bool AddLabel(const ast::AlterTypeStatement& statement, std::vector<std::string>& labels) {
  CheckLabel(statement.new_name, statement.type.position);
  if (std::find(labels.begin(), labels.end(), statement.new_name) != labels.end()) {
    if (statement.if_not_exists) return false;
    Refuse(statement, sqlstate::kDuplicateObject,
           fmt::format("enum label \"{}\" already exists", statement.new_name));
  }
  auto place = labels.end();
  if (statement.neighbor) {
    place = std::find(labels.begin(), labels.end(), *statement.neighbor);
    if (place == labels.end()) {
      Refuse(statement, sqlstate::kInvalidParameterValue,
             fmt::format("\"{}\" is not an existing enum label", *statement.neighbor));
    }
    if (statement.is_after) ++place;
  }
  labels.insert(place, statement.new_name);
  return true;
}

void RenameLabel(const ast::AlterTypeStatement& statement, std::vector<std::string>& labels) {
  CheckLabel(statement.new_name, statement.type.position);
  const auto place = std::find(labels.begin(), labels.end(), statement.old_label);
  if (place == labels.end()) {
    Refuse(statement, sqlstate::kInvalidParameterValue,
           fmt::format("\"{}\" is not an existing enum label", statement.old_label));
  }
  if (std::find(labels.begin(), labels.end(), statement.new_name) != labels.end()) {
    Refuse(statement, sqlstate::kDuplicateObject,
           fmt::format("enum label \"{}\" already exists", statement.new_name));
  }
  *place = statement.new_name;
}

void CheckNameIsFree(const BinderContext& context, const std::string& schema, const std::string& name,
                     size_t position) {
  const auto existing = context.catalog.FindRelation(context.transaction, schema, name);
  if (!existing) return;
  ThrowError(ErrorKind::kCatalog, sqlstate::kDuplicateObject,
             fmt::format("{} \"{}\" already exists", KindName(*existing), name), position);
}

void CheckSchemaExists(const BinderContext& context, const std::string& schema, size_t position) {
  if (IsTemporarySchema(schema)) ThrowNotSupported("types cannot be temporary", position);
  if (context.catalog.FindSchema(context.transaction, schema)) return;
  ThrowError(ErrorKind::kCatalog, sqlstate::kInvalidSchemaName,
             fmt::format("schema \"{}\" does not exist", schema), position);
}

/// Returns a change of `table` that replaces one type with another. The caller adds new rows if they are
/// needed.
std::unique_ptr<BoundAlterTable> WithType(const TableEntryRef& table, const LogicalType& old,
                                          const LogicalType& type) {
  auto alter = std::make_unique<BoundAlterTable>();
  alter->table = table;
  alter->schema = table->schema;
  alter->name = table->name;
  alter->columns = table->columns;
  for (ColumnDefinition& column : alter->columns) column.type = ExchangedType(column.type, old, type);
  alter->constraints = table->constraints;
  alter->materialization = table->materialization;
  return alter;
}

/// Returns a query of the table's rows that casts the labels to their new positions.
BoundQueryPtr RowsWithType(BindSession& session, const BoundAlterTable& alter) {
  auto rows = std::make_unique<BoundSelect>();
  const size_t index = session.NewTableIndex();
  rows->from = std::make_unique<BoundBaseTable>(index, alter.table);
  rows->table_index = rows->item_index = session.NewTableIndex();
  for (size_t i = 0; i < alter.columns.size(); i++) {
    const ColumnDefinition& column = alter.columns[i];
    ExpressionPtr value = std::make_unique<ColumnRefExpression>(alter.table->columns[i].type,
                                                                ColumnBinding{index, i}, column.name);
    value = AddCast(std::move(value), column.type);
    value->alias = column.name;
    rows->items.push_back(std::move(value));
    rows->names.push_back(column.name);
    rows->types.push_back(column.type);
  }
  return rows;
}

/// Replaces defaults that are the old label with the new label. Returns false if there are none.
bool RenameInDefaults(const BinderContext& context, const ast::AlterTypeStatement& statement,
                      const LogicalType& type, std::vector<ColumnDefinition>& columns) {
  bool is_changed = false;
  for (ColumnDefinition& column : columns) {
    if (column.default_text.empty() || !(column.type == type)) continue;
    const ExpressionPtr value = BindDefault(context, column.default_text, type);
    if (value->kind() != ExpressionKind::kConstant) continue;
    const Value& label = value->As<ConstantExpression>().value;
    if (label.is_null() || label.ToString() != statement.old_label) continue;
    column.default_text = QuotedText(statement.new_name);
    is_changed = true;
  }
  return is_changed;
}

/// Binds the changes to tables that use the type.
void BindTables(BindSession& session, const ast::AlterTypeStatement& statement, BoundAlterType& alter) {
  const BinderContext& context = session.context();
  const LogicalType &old = alter.old->type, &type = alter.type->type;
  const bool moves_labels = !KeepsLabelPlaces(old, type);
  const bool renames_label = statement.action == ast::AlterTypeStatement::Action::kRenameValue;
  if (!moves_labels && !renames_label) return;
  for (const TableEntryRef& table : TablesUsing(context.catalog, context.transaction, old)) {
    if (moves_labels) {
      auto part = WithType(table, old, type);
      part->rows = RowsWithType(session, *part);
      part->rewrites = true;
      alter.tables.push_back(std::move(part));
      continue;
    }
    std::vector<ColumnDefinition> columns = table->columns;
    if (!RenameInDefaults(context, statement, old, columns)) continue;
    auto part = WithType(table, old, type);
    for (size_t i = 0; i < columns.size(); i++) part->columns[i].default_text = columns[i].default_text;
    alter.tables.push_back(std::move(part));
  }
}

}  // namespace

BoundStatementPtr BindCreateType(BindSession& session, const ast::CreateTypeStatement& statement) {
  const BinderContext& context = session.context();
  const ast::NamedTable& name = statement.type;
  const std::string schema = CreationSchema(session, name.schema, name.position);
  CheckSchemaExists(context, schema, name.position);
  CheckNameIsFree(context, schema, name.name, name.position);
  std::set<std::string_view> seen;
  for (const std::string& label : statement.labels) {
    CheckLabel(label, name.position);
    if (seen.insert(label).second) continue;
    ThrowError(ErrorKind::kCatalog, sqlstate::kUniqueViolation,
               fmt::format("enum label \"{}\" is given more than once", label), name.position);
  }
  auto create = std::make_unique<BoundCreateType>();
  create->type = std::make_shared<const TypeEntry>(
      schema, name.name, LogicalType::Enum(SqlName(schema, name.name), statement.labels));
  return create;
}

/// Returns ALTER TYPE of a domain, which moves like other types, as ALTER DOMAIN; null for other types.
static BoundStatementPtr BindMoveOfDomain(BindSession& session, const ast::AlterTypeStatement& statement) {
  using Action = ast::AlterTypeStatement::Action;
  const bool is_move = statement.action == Action::kRename || statement.action == Action::kSetSchema;
  const BinderContext& context = session.context();
  const ast::NamedTable& type = statement.type;
  if (!is_move || !context.catalog.Find<DomainEntry>(context.transaction, type.schema, type.name))
    return nullptr;
  ast::AlterDomainStatement alter;
  alter.domain = type;
  alter.new_name = statement.new_name;
  alter.action = statement.action == Action::kRename ? ast::AlterDomainStatement::Action::kRename
                                                     : ast::AlterDomainStatement::Action::kSetSchema;
  return BindAlterDomain(session, alter);
}

BoundStatementPtr BindAlterType(BindSession& session, const ast::AlterTypeStatement& statement) {
  using Action = ast::AlterTypeStatement::Action;
  if (BoundStatementPtr move = BindMoveOfDomain(session, statement)) return move;
  auto alter = std::make_unique<BoundAlterType>();
  const TypeEntryRef old = FindTypeOrThrow(session, statement.type, false);
  std::string schema = old->schema, name = old->name;
  std::vector<std::string> labels = LabelsOf(old->type);
  switch (statement.action) {
    case Action::kAddValue:
      if (!AddLabel(statement, labels)) return alter;
      break;
    case Action::kRenameValue: RenameLabel(statement, labels); break;
    case Action::kRename: name = statement.new_name; break;
    case Action::kSetSchema:
      CheckSchemaExists(session.context(), statement.new_name, statement.type.position);
      schema = statement.new_name;
      if (schema == old->schema) return alter;
      break;
  }
  if (schema != old->schema || name != old->name)
    CheckNameIsFree(session.context(), schema, name, statement.type.position);
  alter->takes_name = statement.action != Action::kAddValue;
  alter->old = old;
  auto type = std::make_shared<TypeEntry>(*old);
  type->schema = schema;
  type->name = name;
  type->type = LogicalType::Enum(SqlName(schema, name), std::move(labels));
  alter->type = std::move(type);
  BindTables(session, statement, *alter);
  return alter;
}

TypeEntryRef FindTypeOrThrow(BindSession& session, const ast::NamedTable& type, bool may_be_missing) {
  const BinderContext& context = session.context();
  TypeEntryRef found = context.catalog.Find<TypeEntry>(context.transaction, type.schema, type.name);
  if (!found && !may_be_missing) {
    ThrowError(ErrorKind::kCatalog, sqlstate::kUndefinedObject,
               fmt::format("type \"{}\" does not exist", type.name), type.position);
  }
  return found;
}

}  // namespace scaup
