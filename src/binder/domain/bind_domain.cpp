// Binds CREATE DOMAIN and ALTER DOMAIN.
#include <fmt/format.h>

#include <algorithm>

#include "binder/scope/bind_statement.hpp"
#include "binder/scope/collation.hpp"
#include "binder/scope/domain_rules.hpp"
#include "binder/statement/binder.hpp"
#include "binder/statement/path_texts.hpp"
#include "binder/statement/renaming.hpp"
#include "catalog/catalog_dependencies.hpp"
#include "catalog/enum_use.hpp"
#include "catalog/temporary_schema.hpp"
#include "common/throw.hpp"
#include "type/text/quoted_text.hpp"
#include "type/type_rules.hpp"

namespace scaup {

namespace {

using DomainAction = ast::AlterDomainStatement::Action;

void CheckSchemaOfDomain(const BinderContext& context, const std::string& schema, size_t position) {
  if (IsTemporarySchema(schema)) ThrowNotSupported("domains cannot be temporary", position);
  if (context.catalog.FindSchema(context.transaction, schema)) return;
  ThrowError(ErrorKind::kCatalog, sqlstate::kInvalidSchemaName,
             fmt::format("schema \"{}\" does not exist", schema), position);
}

void CheckNameOfDomain(const BinderContext& context, const std::string& schema, const std::string& name,
                       size_t position) {
  const auto existing = context.catalog.FindRelation(context.transaction, schema, name);
  if (!existing) return;
  ThrowError(ErrorKind::kCatalog, sqlstate::kDuplicateObject,
             fmt::format("{} \"{}\" already exists", KindName(*existing), name), position);
}

/// Binds the default to find its errors. `text` is "" for none.
void CheckDomainDefault(const BinderContext& context, const LogicalType& type, const std::string& text,
                        size_t position) {
  if (text.empty()) return;
  try {
    BindDefault(context, text, type);
  } catch (const Error& error) {
    throw Error(error.kind(), error.sqlstate(), error.message(), position);
  }
}

/// Adds a check under its name, or one like PostgreSQL's, after binding it to find its errors.
void AddCheck(const BinderContext& context, const ast::TableConstraint& syntax, DomainEntry& domain) {
  const auto is_taken = [&](const std::string& name) {
    return std::any_of(domain.checks.begin(), domain.checks.end(),
                       [&](const CheckConstraint& check) { return check.name == name; });
  };
  if (is_taken(syntax.name)) {
    ThrowError(ErrorKind::kCatalog, sqlstate::kDuplicateObject,
               fmt::format("constraint \"{}\" for domain \"{}\" already exists", syntax.name, domain.name),
               syntax.position);
  }
  const std::string text = WithSchemasOfPath(context, syntax.check_text);
  std::string name = syntax.name;
  if (name.empty()) {
    const std::string base = domain.name + "_check";
    name = base;
    for (size_t number = 1; is_taken(name); number++) name = fmt::format("{}{}", base, number);
  }
  try {
    BindDomainText(context, domain, text, 0);
  } catch (const Error& error) {
    throw Error(error.kind(), error.sqlstate(), error.message(), syntax.position);
  }
  domain.checks.push_back({std::move(name), text});
}

DomainEntryRef FindDomainOrThrow(const BinderContext& context, const ast::NamedTable& name) {
  DomainEntryRef domain = context.catalog.Find<DomainEntry>(context.transaction, name.schema, name.name);
  if (domain) return domain;
  const auto other = context.catalog.FindRelation(context.transaction, name.schema, name.name);
  ThrowError(ErrorKind::kCatalog, other ? sqlstate::kWrongObjectType : sqlstate::kUndefinedObject,
             other ? fmt::format("\"{}\" is not a domain", name.name)
                   : fmt::format("type \"{}\" does not exist", name.name),
             name.position);
}

std::vector<CheckConstraint>::iterator FindCheck(DomainEntry& domain, const std::string& name,
                                                 size_t position, bool may_be_missing) {
  const auto found = std::find_if(domain.checks.begin(), domain.checks.end(),
                                  [&](const CheckConstraint& check) { return check.name == name; });
  if (found != domain.checks.end() || may_be_missing) return found;
  ThrowError(ErrorKind::kCatalog, sqlstate::kUndefinedObject,
             fmt::format("constraint \"{}\" of domain \"{}\" does not exist", name, domain.name), position);
}

/// Adds the queries of rows that break a new rule, in the tables of the domain and of those made of it.
/// `condition` is over a column, which it names by `value`.
void SearchRows(const BinderContext& context, const DomainEntry& domain, const std::string& condition,
                const char* state, const std::string& message, BoundAlterDomain& alter) {
  const DomainName name{domain.schema, domain.name};
  for (const TableEntryRef& table : TablesOfDomain(context.catalog, context.transaction, domain)) {
    for (const ColumnDefinition& column : table->columns) {
      if (!(column.domain == name)) continue;
      alter.searches.push_back(
          {table,
           fmt::format("SELECT 1 FROM {}.{} WHERE {} LIMIT 1", QuotedIdentifier(table->schema),
                       QuotedIdentifier(table->name), RenameColumnInText(condition, "value", column.name)),
           state,
           fmt::format("column \"{}\" of table \"{}\" contains {}", column.name, table->name, message)});
    }
  }
  for (const DomainEntryRef& other : DomainsOver(context.catalog, context.transaction, domain))
    SearchRows(context, *other, condition, state, message, alter);
}

/// Gives the domain another name or schema.
void MoveDomain(const BinderContext& context, const ast::AlterDomainStatement& statement, DomainEntry& domain,
                BoundAlterDomain& alter) {
  const size_t position = statement.domain.position;
  if (statement.action == DomainAction::kSetSchema) {
    CheckSchemaOfDomain(context, statement.new_name, position);
    domain.schema = statement.new_name;
  } else {
    domain.name = statement.new_name;
  }
  CheckNameOfDomain(context, domain.schema, domain.name, position);
  alter.takes_name = true;
}

void ApplyToDomain(const BinderContext& context, const ast::AlterDomainStatement& statement,
                   DomainEntry& domain, BoundAlterDomain& alter) {
  const size_t position = statement.domain.position;
  switch (statement.action) {
    case DomainAction::kSetDefault:
      domain.default_text = WithSchemasOfPath(context, statement.default_text);
      CheckDomainDefault(context, domain.type, domain.default_text, statement.default_value->position);
      return;
    case DomainAction::kDropDefault: domain.default_text.clear(); return;
    case DomainAction::kSetNotNull:
      domain.not_null = true;
      return SearchRows(context, *alter.old, "value IS NULL", sqlstate::kNotNullViolation, "null values",
                        alter);
    case DomainAction::kDropNotNull: domain.not_null = false; return;
    case DomainAction::kAddConstraint:
      AddCheck(context, statement.checks[0], domain);
      return SearchRows(context, *alter.old, fmt::format("NOT ({})", domain.checks.back().text),
                        sqlstate::kCheckViolation, "values that violate the new constraint", alter);
    case DomainAction::kDropConstraint: {
      const auto check = FindCheck(domain, statement.name, position, statement.if_exists);
      if (check != domain.checks.end()) domain.checks.erase(check);
      return;
    }
    case DomainAction::kRenameConstraint: {
      if (FindCheck(domain, statement.new_name, position, true) != domain.checks.end()) {
        ThrowError(ErrorKind::kCatalog, sqlstate::kDuplicateObject,
                   fmt::format("constraint \"{}\" for domain \"{}\" already exists", statement.new_name,
                               domain.name),
                   position);
      }
      FindCheck(domain, statement.name, position, false)->name = statement.new_name;
      return;
    }
    case DomainAction::kRename:
    case DomainAction::kSetSchema: return MoveDomain(context, statement, domain, alter);
  }
}

}  // namespace

BoundStatementPtr BindCreateDomain(BindSession& session, const ast::CreateDomainStatement& statement) {
  const BinderContext& context = session.context();
  const ast::NamedTable& name = statement.domain;
  const std::string schema = CreationSchema(session, name.schema, name.position);
  CheckSchemaOfDomain(context, schema, name.position);
  CheckNameOfDomain(context, schema, name.name, name.position);
  ColumnType below = BindColumnType(session, statement.type);
  if (HasEnum(below.type))
    ThrowNotSupported("a domain over an enum is not supported", statement.type.position);
  std::string collation = statement.collation ? StoredCollation(session, *statement.collation, below.type)
                                              : std::move(below.collation);
  auto domain = std::make_shared<DomainEntry>(schema, name.name, std::move(below.type));
  domain->base = std::move(below.domain);
  domain->collation = std::move(collation);
  domain->not_null = statement.nullability == false;
  domain->default_text = WithSchemasOfPath(context, statement.default_text);
  CheckDomainDefault(context, domain->type, domain->default_text,
                     statement.default_value ? statement.default_value->position : name.position);
  for (const ast::TableConstraint& check : statement.checks) AddCheck(context, check, *domain);
  auto create = std::make_unique<BoundCreateDomain>();
  create->domain = std::move(domain);
  return create;
}

BoundStatementPtr BindAlterDomain(BindSession& session, const ast::AlterDomainStatement& statement) {
  const BinderContext& context = session.context();
  auto alter = std::make_unique<BoundAlterDomain>();
  alter->old = FindDomainOrThrow(context, statement.domain);
  auto domain = std::make_shared<DomainEntry>(*alter->old);
  ApplyToDomain(context, statement, *domain, *alter);
  alter->domain = std::move(domain);
  return alter;
}

DomainEntryRef FindDroppedDomain(BindSession& session, const ast::NamedTable& name, bool may_be_missing) {
  const BinderContext& context = session.context();
  if (may_be_missing && !context.catalog.FindRelation(context.transaction, name.schema, name.name))
    return nullptr;
  return FindDomainOrThrow(context, name);
}

}  // namespace scaup
