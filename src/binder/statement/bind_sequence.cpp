// Binds CREATE and ALTER of sequences, and renaming of relations.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

#include "binder/scope/bind_statement.hpp"
#include "binder/scope/literal.hpp"
#include "binder/scope/query_binder.hpp"
#include "binder/statement/sequence_texts.hpp"
#include "binder/statement/table_draft.hpp"
#include "catalog/temporary_schema.hpp"
#include "common/throw.hpp"
#include "system/system_relations.hpp"

namespace scaup {

namespace {

struct Bounds {
  int64_t least;
  int64_t greatest;
};
Bounds BoundsOf(SequenceOptions::Type type) {
  switch (type) {
    case SequenceOptions::Type::kSmallInt:
      return {std::numeric_limits<int16_t>::min(), std::numeric_limits<int16_t>::max()};
    case SequenceOptions::Type::kInteger:
      return {std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max()};
    case SequenceOptions::Type::kBigInt: break;
  }
  return {std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max()};
}

[[noreturn]] void ThrowOption(const std::string& message, size_t position) {
  ThrowError(ErrorKind::kBinder, sqlstate::kInvalidParameterValue, message, position);
}

void CheckWithin(const char* what, int64_t value, const SequenceOptions& options, size_t position) {
  if (value < options.minimum)
    ThrowOption(fmt::format("{} value ({}) cannot be less than MINVALUE ({})", what, value, options.minimum),
                position);
  if (value > options.maximum)
    ThrowOption(
        fmt::format("{} value ({}) cannot be greater than MAXVALUE ({})", what, value, options.maximum),
        position);
}

/// Sets the table and column of OWNED BY, which must be in the sequence's schema.
void SetOwner(BindSession& session, const ast::SequenceOptions& options, SequenceEntry& sequence) {
  const std::vector<std::string>& names = options.owned_by;
  if (names.empty()) return;
  if (names.size() == 1) {
    if (names[0] != "none")
      ThrowError(ErrorKind::kSyntax, sqlstate::kSyntaxError,
                 "invalid OWNED BY option: specify OWNED BY table.column or OWNED BY NONE", options.position);
    sequence.owner_table.clear();
    sequence.owner_column.clear();
    return;
  }
  ast::NamedTable name;
  name.position = options.position;
  name.name = names[names.size() - 2];
  name.schema = names.size() > 2 ? names[names.size() - 3] : sequence.schema;
  const TableEntryRef table = FindTableOrThrow(session, name);
  if (table->schema != sequence.schema) {
    ThrowError(ErrorKind::kBinder, sqlstate::kObjectNotInPrerequisiteState,
               "sequence must be in same schema as table it is linked to", options.position);
  }
  ResolveTableColumns(*table, {names.back()}, {options.position}, options.position);
  sequence.owner_table = table->name;
  sequence.owner_column = names.back();
}

void CheckSchema(BindSession& session, const ast::NamedTable& name) {
  const BinderContext& context = session.context();
  if (context.catalog.FindSchema(context.transaction, name.schema)) return;
  ThrowError(ErrorKind::kCatalog, sqlstate::kInvalidSchemaName,
             fmt::format("schema \"{}\" does not exist", name.schema), name.position);
}

/// Returns the schema of an index or sequence.
const std::string& SchemaOfRelation(const CatalogEntry& entry) {
  return entry.kind == CatalogEntryKind::kIndex ? static_cast<const IndexEntry&>(entry).schema
                                                : static_cast<const SequenceEntry&>(entry).schema;
}

[[noreturn]] void ThrowMissing(const char* kind, const ast::NamedTable& name) {
  ThrowError(ErrorKind::kCatalog, sqlstate::kUndefinedTable,
             fmt::format("{} \"{}\" does not exist", kind, name.name), name.position);
}

/// Throws if CREATE OR REPLACE SEQUENCE cannot replace what has its name.
void CheckReplaced(const CatalogEntry& existing, const ast::NamedTable& name) {
  if (existing.kind != CatalogEntryKind::kSequence) {
    ThrowError(
        ErrorKind::kCatalog, sqlstate::kWrongObjectType,
        fmt::format("\"{}\" is {}, not a sequence; drop it first", name.name, KindWithArticle(existing)),
        name.position);
  }
  const auto& sequence = static_cast<const SequenceEntry&>(existing);
  if (sequence.owner_table.empty()) return;
  ThrowError(ErrorKind::kCatalog, sqlstate::kObjectNotInPrerequisiteState,
             fmt::format("sequence \"{}\" belongs to column \"{}\" of table \"{}\"; use ALTER SEQUENCE",
                         name.name, sequence.owner_column, sequence.owner_table),
             name.position);
}

}  // namespace

SequenceOptions::Type SequenceTypeOf(const LogicalType& type, const char* what, size_t position) {
  switch (type.id()) {
    case TypeId::kSmallInt: return SequenceOptions::Type::kSmallInt;
    case TypeId::kInteger: return SequenceOptions::Type::kInteger;
    case TypeId::kBigInt: return SequenceOptions::Type::kBigInt;
    default: break;
  }
  ThrowOption(fmt::format("{} type must be smallint, integer, or bigint, not {}", what, type.ToString()),
              position);
}

SequenceOptions BindSequenceOptions(const ast::SequenceOptions& syntax, const SequenceOptions* old,
                                    SequenceOptions::Type type) {
  const size_t position = syntax.position;
  SequenceOptions options = old ? *old : SequenceOptions();
  const SequenceOptions::Type old_type = options.type;
  if (!old) options.type = type;
  if (syntax.type)
    options.type = SequenceTypeOf(BindTypeName(nullptr, *syntax.type), "sequence", syntax.type->position);
  options.increment = syntax.increment.value_or(options.increment);
  if (options.increment == 0) ThrowOption("INCREMENT must not be zero", position);
  options.cycle = syntax.cycle.value_or(options.cycle);
  options.cache = syntax.cache.value_or(options.cache);
  if (options.cache < 1)
    ThrowOption(fmt::format("CACHE ({}) must be greater than zero", options.cache), position);
  const Bounds bounds = BoundsOf(options.type);
  const Bounds old_bounds = BoundsOf(old_type);
  const bool is_rising = options.increment > 0;
  // A bound that was the old type's default follows a change of type.
  const bool takes_maximum =
      !old || syntax.no_maximum || (old_type != options.type && options.maximum == old_bounds.greatest);
  const bool takes_minimum =
      !old || syntax.no_minimum || (old_type != options.type && options.minimum == old_bounds.least);
  if (takes_maximum) options.maximum = is_rising ? bounds.greatest : -1;
  if (takes_minimum) options.minimum = is_rising ? 1 : bounds.least;
  options.maximum = syntax.maximum.value_or(options.maximum);
  options.minimum = syntax.minimum.value_or(options.minimum);
  if (options.maximum > bounds.greatest || options.minimum < bounds.least)
    ThrowOption("MINVALUE or MAXVALUE is out of range for the sequence's data type", position);
  if (options.minimum >= options.maximum) {
    ThrowOption(
        fmt::format("MINVALUE ({}) must be less than MAXVALUE ({})", options.minimum, options.maximum),
        position);
  }
  if (!old) options.start = is_rising ? options.minimum : options.maximum;
  options.start = syntax.start.value_or(options.start);
  CheckWithin("START", options.start, options, position);
  return options;
}

BoundStatementPtr BindCreateSequence(BindSession& session, const ast::CreateSequenceStatement& statement) {
  const BinderContext& context = session.context();
  auto create = std::make_unique<BoundCreateSequence>();
  const ast::NamedTable& name = statement.sequence;
  CheckSchema(session, name);
  const std::string schema = CreationSchema(session, name.schema, name.position);
  const CatalogEntryRef existing = context.catalog.FindRelation(context.transaction, schema, name.name);
  if (existing && statement.or_replace) CheckReplaced(*existing, name);
  if (existing && !statement.or_replace) {
    if (statement.if_not_exists) return create;
    ThrowError(ErrorKind::kCatalog, sqlstate::kDuplicateTable,
               fmt::format("relation \"{}\" already exists", name.name), name.position);
  }
  const SequenceOptions options =
      BindSequenceOptions(statement.options, nullptr, SequenceOptions::Type::kBigInt);
  auto sequence = std::make_shared<SequenceEntry>(
      schema, name.name, options,
      std::make_shared<SequenceState>(SequenceState::Position{options.start, false}));
  SetOwner(session, statement.options, *sequence);
  if (existing) {
    // Defaults and views that name the sequence take the new one.
    auto replace = std::make_unique<BoundAlterSequence>();
    replace->old = std::static_pointer_cast<const SequenceEntry>(existing);
    replace->sequence = std::move(sequence);
    return replace;
  }
  create->sequence = std::move(sequence);
  return create;
}

BoundStatementPtr BindAlterSequence(BindSession& session, const ast::AlterSequenceStatement& statement) {
  const BinderContext& context = session.context();
  auto alter = std::make_unique<BoundAlterSequence>();
  const ast::NamedTable& name = statement.sequence;
  alter->old = context.catalog.Find<SequenceEntry>(context.transaction, name.schema, name.name);
  if (!alter->old) {
    if (statement.if_exists) return alter;
    ThrowMissing("sequence", name);
  }
  auto sequence = std::make_shared<SequenceEntry>(*alter->old);
  sequence->options = BindSequenceOptions(statement.options, &alter->old->options, alter->old->options.type);
  SequenceState::Position position = alter->old->state->position();
  if (statement.options.restart)
    position = {statement.options.restart_with.value_or(sequence->options.start), false};
  CheckWithin("RESTART", position.value, sequence->options, statement.options.position);
  // RESTART gets a new counter, so that a rollback restores the old one.
  if (statement.options.restart) sequence->state = std::make_shared<SequenceState>(position);
  SetOwner(session, statement.options, *sequence);
  alter->sequence = std::move(sequence);
  return alter;
}

/// Binds ALTER INDEX ... RENAME TO of something that is no index.
static BoundStatementPtr BindRenameOfOther(BindSession& session, const ast::RenameStatement& statement,
                                           CatalogEntryKind kind) {
  if (kind == CatalogEntryKind::kTable) {
    ast::AlterTableStatement alter;
    alter.table = statement.from;
    ast::AlterAction& action = alter.actions.emplace_back();
    action.kind = ast::AlterAction::Kind::kRenameTable;
    action.new_name = statement.to;
    action.position = statement.from.position;
    return BindAlterTable(session, alter);
  }
  ast::RenameStatement rename;
  rename.object = kind == CatalogEntryKind::kView ? ast::RenameStatement::Object::kView
                                                  : ast::RenameStatement::Object::kSequence;
  rename.from = statement.from;
  rename.to = statement.to;
  return BindRename(session, rename);
}

void CheckMove(const BinderContext& context, const std::string& from, const std::string& to,
               size_t position) {
  if (!context.catalog.FindSchema(context.transaction, to)) {
    ThrowError(ErrorKind::kCatalog, sqlstate::kInvalidSchemaName,
               fmt::format("schema \"{}\" does not exist", to), position);
  }
  if (IsTemporarySchema(from) != IsTemporarySchema(to))
    ThrowNotSupported("cannot move objects into or out of the schema of temporary ones", position);
}

/// Binds ALTER SCHEMA ... RENAME TO.
static BoundStatementPtr BindRenameSchema(BindSession& session, const ast::RenameStatement& statement) {
  const BinderContext& context = session.context();
  const std::string& from = statement.from.name;
  const size_t position = statement.from.position;
  if (from == Catalog::kDefaultSchema || IsTemporarySchema(from) || IsSystemSchema(from))
    ThrowNotSupported(fmt::format("schema \"{}\" cannot be renamed", from), position);
  if (IsTemporarySchema(statement.to) || IsSystemSchema(statement.to)) {
    ThrowError(ErrorKind::kCatalog, "42939",
               fmt::format("\"{}\" is a schema of the system; take another name", statement.to), position);
  }
  if (!context.catalog.FindSchema(context.transaction, from)) {
    ThrowError(ErrorKind::kCatalog, sqlstate::kInvalidSchemaName,
               fmt::format("schema \"{}\" does not exist", from), position);
  }
  if (context.catalog.FindSchema(context.transaction, statement.to)) {
    ThrowError(ErrorKind::kCatalog, sqlstate::kDuplicateSchema,
               fmt::format("schema \"{}\" already exists", statement.to), position);
  }
  auto rename = std::make_unique<BoundRenameSchema>();
  rename->from = from;
  rename->to = statement.to;
  return rename;
}

/// Moves a sequence into another schema.
static BoundStatementPtr BindMoveSequence(const BinderContext& context, const SequenceEntryRef& sequence,
                                          const ast::RenameStatement& statement) {
  const size_t position = statement.from.position;
  CheckMove(context, sequence->schema, statement.to_schema, position);
  auto alter = std::make_unique<BoundAlterSequence>();
  if (sequence->schema == statement.to_schema) return alter;
  if (!sequence->owner_table.empty()) {
    ThrowNotSupported(
        fmt::format("cannot move an owned sequence into another schema: it goes with table \"{}\"",
                    sequence->owner_table),
        position);
  }
  if (context.catalog.FindRelation(context.transaction, statement.to_schema, sequence->name)) {
    ThrowError(ErrorKind::kCatalog, sqlstate::kDuplicateTable,
               fmt::format("relation \"{}\" already exists", sequence->name), position);
  }
  alter->old = sequence;
  auto moved = std::make_shared<SequenceEntry>(*sequence);
  moved->schema = statement.to_schema;
  alter->sequence = std::move(moved);
  RenameSequenceInTexts(context, *alter);
  return alter;
}

BoundStatementPtr BindRename(BindSession& session, const ast::RenameStatement& statement) {
  if (statement.object == ast::RenameStatement::Object::kSchema) return BindRenameSchema(session, statement);
  const BinderContext& context = session.context();
  const bool is_index = statement.object == ast::RenameStatement::Object::kIndex;
  const ast::NamedTable& name = statement.from;
  if (statement.object == ast::RenameStatement::Object::kView) return BindRenameView(session, statement);
  const auto existing = context.catalog.FindRelation(context.transaction, name.schema, name.name);
  // As in PostgreSQL, ALTER INDEX renames anything.
  if (is_index && existing && existing->kind != CatalogEntryKind::kIndex)
    return BindRenameOfOther(session, statement, existing->kind);
  const bool is_kind =
      existing && existing->kind == (is_index ? CatalogEntryKind::kIndex : CatalogEntryKind::kSequence);
  if (!is_kind && !statement.if_exists) ThrowMissing(is_index ? "index" : "sequence", name);
  if (is_kind && !statement.to_schema.empty())
    return BindMoveSequence(context, EntryAs<SequenceEntry>(existing), statement);
  if (is_kind &&
      context.catalog.FindRelation(context.transaction, SchemaOfRelation(*existing), statement.to)) {
    ThrowError(ErrorKind::kCatalog, sqlstate::kDuplicateTable,
               fmt::format("relation \"{}\" already exists", statement.to), name.position);
  }
  if (!is_index) {
    auto alter = std::make_unique<BoundAlterSequence>();
    if (!is_kind) return alter;
    alter->old = std::static_pointer_cast<const SequenceEntry>(existing);
    auto renamed = std::make_shared<SequenceEntry>(*alter->old);
    renamed->name = statement.to;
    alter->sequence = std::move(renamed);
    RenameSequenceInTexts(context, *alter);
    return alter;
  }
  auto rename = std::make_unique<BoundRenameIndex>();
  if (!is_kind) return rename;
  rename->from = std::static_pointer_cast<const IndexEntry>(existing);
  if (rename->from->is_of_constraint) {
    ThrowNotSupported(fmt::format("index \"{}\" serves a constraint; use ALTER TABLE {} RENAME CONSTRAINT",
                                  name.name, rename->from->table),
                      name.position);
  }
  auto renamed = std::make_shared<IndexEntry>(*rename->from);
  renamed->name = statement.to;
  rename->to = std::move(renamed);
  return rename;
}

}  // namespace scaup
