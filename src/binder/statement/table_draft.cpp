// Builds a table's definition for CREATE TABLE and ALTER TABLE.
#include "binder/statement/table_draft.hpp"
#include "binder/statement/path_texts.hpp"
#include "binder/statement/sequence_texts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "binder/scope/coercion.hpp"
#include "binder/scope/collation.hpp"
#include "binder/scope/domain_rules.hpp"
#include "binder/scope/literal.hpp"
#include "binder/scope/query_binder.hpp"
#include "binder/statement/binder.hpp"
#include "binder/write/written_row.hpp"
#include "catalog/create_statement.hpp"
#include "catalog/temporary_schema.hpp"
#include "common/similar_name.hpp"
#include "common/throw.hpp"
#include "expression/immutability.hpp"
#include "type/text/identifier_text.hpp"
#include "type/text/quoted_text.hpp"

namespace scaup {

namespace {

/// Returns the first of base, base1, base2, ... that is not taken.
template <typename IsTaken>
std::string FirstFree(const std::string& base, IsTaken is_taken) {
  std::string name = base;
  for (size_t number = 1; is_taken(name); number++) name = fmt::format("{}{}", base, number);
  return name;
}

ReferentialAction ActionOf(ast::ReferentialAction action) {
  switch (action) {
    case ast::ReferentialAction::kNoAction: break;
    case ast::ReferentialAction::kRestrict: return ReferentialAction::kRestrict;
    case ast::ReferentialAction::kCascade: return ReferentialAction::kCascade;
    case ast::ReferentialAction::kSetNull: return ReferentialAction::kSetNull;
    case ast::ReferentialAction::kSetDefault: return ReferentialAction::kSetDefault;
  }
  return ReferentialAction::kNoAction;
}

Deferral DeferralOf(const ast::TableConstraint& constraint) {
  return {constraint.deferrable, constraint.initially_deferred};
}

/// Returns a unique constraint over the columns, in any order: one that foreign keys may refer to, if there
/// is one; null if there is none.
const UniqueConstraint* FindUnique(const TableConstraints& constraints, std::vector<std::string> columns) {
  std::sort(columns.begin(), columns.end());
  const UniqueConstraint* found = nullptr;
  for (const UniqueConstraint& unique : constraints.uniques) {
    std::vector<std::string> names = unique.columns;
    std::sort(names.begin(), names.end());
    if (names != columns) continue;
    if (found == nullptr || found->deferral.is_deferrable) found = &unique;
  }
  return found;
}

}  // namespace

// --- Columns
// -----------------------------------------------------------------------------------------------------------

bool TableDraft::HasKey(const std::vector<std::string>& key) const {
  const UniqueConstraint* const unique = FindUnique(constraints, key);
  return unique != nullptr && !unique->deferral.is_deferrable;
}

size_t TableDraft::FindColumn(std::string_view column, size_t position) const {
  std::vector<std::string> candidates;
  for (size_t i = 0; i < columns.size(); i++) {
    if (columns[i].is_hidden()) continue;
    if (columns[i].name == column) return i;
    candidates.push_back(columns[i].name);
  }
  const std::string similar = MostSimilar(column, candidates);
  ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedColumn,
             fmt::format("column \"{}\" of table \"{}\" does not exist{}", column, name,
                         similar.empty() ? "" : fmt::format("; did you mean \"{}\"?", similar)),
             position);
}

void TableDraft::CheckDefault(const ColumnDefinition& column, size_t position) const {
  try {
    BindDefault(session_.context(), column.default_text, column.type);
  } catch (Error& error) {
    error.SetPositionIfUnknown(position);
    throw;
  }
}

void TableDraft::CheckSequencesOf(const ColumnDefinition& column, size_t position) const {
  if (!IsTemporarySchema(schema) && NamesTemporarySequence(session_.context(), column.default_text)) {
    ThrowError(ErrorKind::kBinder, sqlstate::kInvalidTableDefinition,
               fmt::format("column \"{}\": the default of a permanent table cannot use a temporary sequence",
                           column.name),
               position);
  }
  std::vector<SequenceName> names = SequencesIn(column.default_text);
  std::erase_if(names, [&](const SequenceName& named) {
    return std::any_of(sequences.begin(), sequences.end(), [&](const SequenceEntryRef& created) {
      return created->schema == named.schema && created->name == named.name;
    });
  });
  CheckSequencesExist(session_.context(), names, position);
}

void TableDraft::RefuseSecond(const std::string& column, size_t position) const {
  const bool is_there = std::any_of(columns.begin(), columns.end(),
                                    [&](const ColumnDefinition& other) { return other.name == column; });
  if (!is_there) return;
  ThrowError(ErrorKind::kBinder, sqlstate::kDuplicateColumn,
             fmt::format("column \"{}\" specified more than once", column), position);
}

void TableDraft::AddColumn(const ast::ColumnDefinition& column) {
  RefuseSecond(column.name, column.position);
  ColumnType type = BindColumnType(session_, column.type);
  ColumnDefinition definition{column.name, std::move(type.type), column.not_null,
                              WithSchemasOfPath(session_.context(), column.default_text)};
  definition.domain = std::move(type.domain);
  definition.generated_text = WithSchemasOfPath(session_.context(), column.generated_text);
  definition.collation = column.collation ? StoredCollation(session_, *column.collation, definition.type)
                                          : std::move(type.collation);
  if (column.is_serial) {
    AddSequence(definition, {}, column.position);
  } else if (column.identity != ast::Identity::kNone) {
    AddIdentity(definition, column.identity, column.identity_options, column.position);
  } else {
    const size_t position = column.default_value ? column.default_value->position : column.position;
    if (IsTemporarySchema(schema))
      definition.default_text = WithSequenceSchemas(session_.context(), definition.default_text, true);
    CheckDefault(definition, position);
    CheckSequencesOf(definition, position);
  }
  columns.push_back(std::move(definition));
}

void TableDraft::AddIdentity(ColumnDefinition& column, ast::Identity identity,
                             const ast::SequenceOptions& options, size_t position) {
  SequenceTypeOf(column.type, "identity column", position);
  column.identity = identity == ast::Identity::kAlways ? IdentityKind::kAlways : IdentityKind::kByDefault;
  column.not_null = true;
  AddSequence(column, options, position);
}

std::string TableDraft::SequenceNameFor(const ColumnDefinition& column, const ast::SequenceOptions& options) {
  const std::vector<std::string>& given = options.sequence_name;
  if (given.empty()) return FreeRelationName(GeneratedName(name, {column.name}, "seq"));
  if (given.size() > 1 && given[given.size() - 2] != schema) {
    ThrowError(ErrorKind::kBinder, sqlstate::kObjectNotInPrerequisiteState,
               "the sequence of an identity column must be in the schema of its table", options.position);
  }
  ClaimRelationName(given.back(), options.position);
  return given.back();
}

void TableDraft::AddSequence(ColumnDefinition& column, const ast::SequenceOptions& options, size_t position) {
  const std::string sequence_name = SequenceNameFor(column, options);
  AddSequence(column,
              BindSequenceOptions(options, nullptr, SequenceTypeOf(column.type, "sequence", position)),
              sequence_name);
}

void TableDraft::AddSequence(ColumnDefinition& column, const SequenceOptions& options,
                             const std::string& sequence_name) {
  auto sequence = std::make_shared<SequenceEntry>(
      schema, sequence_name, options,
      std::make_shared<SequenceState>(SequenceState::Position{options.start, false}));
  sequence->owner_table = name;
  sequence->owner_column = column.name;
  column.default_text = fmt::format(
      "nextval({})", QuotedText(QuotedIdentifier(schema) + "." + QuotedIdentifier(sequence_name)));
  sequences.push_back(std::move(sequence));
}

void TableDraft::CheckColumn(const ast::ColumnDefinition& column) const {
  if (!column.generated) return;
  const size_t index = FindColumn(column.name, column.position);
  const size_t table_index = session_.NewTableIndex();
  const Scope scope = ScopeOfColumns(session_, schema, name, columns, table_index);
  QueryLevel level;
  level.scope = &scope;
  ExpressionBinder binder(session_, level, Clause::kGenerated);
  const ExpressionPtr value =
      CoerceForAssignment(session_, binder.Bind(*column.generated), columns[index].type, column.name);
  const std::vector<bool> uses = ColumnsOf(*value, table_index, columns.size());
  for (size_t i = 0; i < uses.size(); i++) {
    if (!uses[i] || columns[i].generated_text.empty()) continue;
    ThrowError(
        ErrorKind::kBinder, sqlstate::kInvalidObjectDefinition,
        fmt::format("cannot use generated column \"{}\" in column generation expression", columns[i].name),
        column.generated->position);
  }
  if (!IsImmutable(*value)) {
    ThrowError(ErrorKind::kBinder, sqlstate::kInvalidObjectDefinition,
               "generation expression is not immutable", column.generated->position);
  }
}

void CompleteHidden(ColumnDefinition& hidden, const std::vector<ColumnDefinition>& others) {
  const bool is_partial = !hidden.condition_text.empty();
  hidden.generated_text =
      is_partial ? fmt::format("CASE WHEN ({}) THEN ({}) END", hidden.condition_text, hidden.key_text)
                 : hidden.key_text;
  const std::string base = is_partial ? fmt::format("({}) WHERE {}", hidden.key_text, hidden.condition_text)
                                      : fmt::format("({})", hidden.key_text);
  const auto is_taken = [&](const std::string& name) {
    return std::any_of(others.begin(), others.end(), [&](const ColumnDefinition& other) {
      return &other != &hidden && other.name == name;
    });
  };
  std::string name = base;
  for (size_t number = 2; is_taken(name); number++) name = fmt::format("{} {}", base, number);
  hidden.name = std::move(name);
}

void AddCollationKeys(std::vector<ColumnDefinition>& columns, const std::vector<std::string>& key,
                      size_t position) {
  for (const std::string& name : key) {
    const auto column = std::find_if(columns.begin(), columns.end(), [&](const ColumnDefinition& each) {
      return !each.is_hidden() && each.name == name;
    });
    if (column == columns.end() || !HasCollationKey(*column)) continue;
    const bool is_there = std::any_of(columns.begin(), columns.end(), [&](const ColumnDefinition& each) {
      return each.condition_text.empty() && ColumnOfKey(columns, each) == &*column;
    });
    if (is_there) continue;
    if (IsGenerated(*column)) {
      ThrowNotSupported(fmt::format("a key cannot be over generated column \"{}\", whose collation \"{}\" "
                                    "makes different texts equal; declare it COLLATE \"C\"",
                                    name, column->collation),
                        position);
    }
    ColumnDefinition hidden;
    hidden.type = TypeId::kVarchar;
    hidden.key_text = CollationKeyText(IdentifierText(name));
    CompleteHidden(hidden, columns);
    columns.push_back(std::move(hidden));
  }
}

// --- Names
// -------------------------------------------------------------------------------------------------------------

bool TableDraft::IsTaken(const std::string& relation) const {
  const BinderContext& context = session_.context();
  const CatalogEntryRef found = context.catalog.FindRelation(context.transaction, schema, relation);
  if (!found) return false;
  if (!replaces) return true;
  switch (found->kind) {
    case CatalogEntryKind::kTable: return found->name != name;
    case CatalogEntryKind::kIndex: return static_cast<const IndexEntry&>(*found).table != name;
    case CatalogEntryKind::kSequence: return static_cast<const SequenceEntry&>(*found).owner_table != name;
    default: return true;
  }
}

void TableDraft::ClaimRelationName(const std::string& relation, size_t position) {
  if (claimed_.contains(relation) || IsTaken(relation)) {
    ThrowError(ErrorKind::kCatalog, sqlstate::kDuplicateTable,
               fmt::format("relation \"{}\" already exists", relation), position);
  }
  claimed_.insert(relation);
}

std::string TableDraft::FreeRelationName(const std::string& base) {
  std::string free = FirstFree(base, [&](const std::string& candidate) {
    return claimed_.contains(candidate) || constraints.HasName(candidate) || IsTaken(candidate);
  });
  claimed_.insert(free);
  return free;
}

std::string TableDraft::ConstraintName(const ast::TableConstraint& constraint,
                                       const std::vector<std::string>& key, std::string_view suffix,
                                       bool is_relation) {
  if (constraint.name.empty()) {
    const std::string base = GeneratedName(name, key, suffix);
    if (is_relation) return FreeRelationName(base);
    return FirstFree(base, [&](const std::string& candidate) { return constraints.HasName(candidate); });
  }
  if (constraints.HasName(constraint.name)) {
    ThrowError(ErrorKind::kCatalog, sqlstate::kDuplicateObject,
               fmt::format("constraint \"{}\" for table \"{}\" already exists", constraint.name, name),
               constraint.position);
  }
  if (is_relation) ClaimRelationName(constraint.name, constraint.position);
  return constraint.name;
}

// --- Constraints
// -------------------------------------------------------------------------------------------------------

std::string TableDraft::AddConstraint(const ast::TableConstraint& constraint) {
  using Kind = ast::TableConstraint::Kind;
  switch (constraint.kind) {
    case Kind::kCheck: return AddCheck(constraint);
    case Kind::kForeignKey: return AddForeignKey(constraint);
    case Kind::kUnique:
      CheckKey(constraint, "unique constraint");
      AddCollationKeys(columns, constraint.columns, constraint.position);
      constraints.uniques.push_back(
          {ConstraintName(constraint, constraint.columns, "key", true), constraint.columns});
      constraints.uniques.back().deferral = DeferralOf(constraint);
      return constraints.uniques.back().name;
    case Kind::kPrimaryKey: {
      CheckKey(constraint, "primary key constraint");
      AddCollationKeys(columns, constraint.columns, constraint.position);
      for (const UniqueConstraint& other : constraints.uniques) {
        if (!other.is_primary) continue;
        ThrowError(ErrorKind::kBinder, sqlstate::kInvalidTableDefinition,
                   fmt::format("multiple primary keys for table \"{}\" are not allowed", name),
                   constraint.position);
      }
      constraints.uniques.push_back({ConstraintName(constraint, {}, "pkey", true), constraint.columns, true});
      constraints.uniques.back().deferral = DeferralOf(constraint);
      for (const std::string& column : constraint.columns)
        columns[FindColumn(column, constraint.position)].not_null = true;
      return constraints.uniques.back().name;
    }
  }
  ThrowInternal("unknown constraint");
}

void TableDraft::CheckKey(const ast::TableConstraint& constraint, const char* what) const {
  std::set<std::string_view> names;
  for (const std::string& column : constraint.columns) {
    FindColumn(column, constraint.position);
    if (names.insert(column).second) continue;
    ThrowError(ErrorKind::kBinder, sqlstate::kDuplicateColumn,
               fmt::format("column \"{}\" appears twice in {}", column, what), constraint.position);
  }
}

std::string TableDraft::AddCheck(const ast::TableConstraint& constraint) {
  const size_t table_index = session_.NewTableIndex();
  const Scope scope = ScopeOfColumns(session_, schema, name, columns, table_index);
  QueryLevel level;
  level.scope = &scope;
  const ExpressionPtr condition =
      ExpressionBinder(session_, level, Clause::kCheck).BindBoolean(*constraint.check, "CHECK");
  // A check of a single column is named after it, as in PostgreSQL.
  std::vector<std::string> used;
  const std::vector<bool> uses = ColumnsOf(*condition, table_index, columns.size());
  for (size_t i = 0; i < uses.size(); i++) {
    if (uses[i]) used.push_back(columns[i].name);
  }
  if (used.size() > 1) used.clear();
  constraints.checks.push_back({ConstraintName(constraint, used, "check", false),
                                WithSchemasOfPath(session_.context(), constraint.check_text)});
  return constraints.checks.back().name;
}

void TableDraft::CheckLifetimes(const TableEntry& referenced, size_t position) const {
  const bool is_temporary = IsTemporarySchema(schema);
  if (IsTemporarySchema(referenced.schema) != is_temporary) {
    const char* kind = is_temporary ? "temporary" : "permanent";
    ThrowError(ErrorKind::kBinder, sqlstate::kInvalidTableDefinition,
               fmt::format("constraints on {0} tables may reference only {0} tables", kind), position);
  }
  if (referenced.on_commit == CommitAction::kDeleteRows && on_commit == CommitAction::kPreserveRows) {
    ThrowNotSupported(
        fmt::format("table \"{}\" would keep rows that refer to table \"{}\", whose rows are deleted on "
                    "commit; give both ON COMMIT DELETE ROWS",
                    name, referenced.name),
        position);
  }
}

/// Returns whether the name of a new table without a schema will mean that table, once it is there.
static bool WillBeFound(const BinderContext& context, const std::string& schema, const std::string& name) {
  if (IsTemporarySchema(schema)) return true;
  const SearchPath* const path = SearchPath::Of(context.transaction);
  if (path == nullptr) return schema == Catalog::kDefaultSchema;
  // Relations of the name in schemas before this one hide it.
  for (const std::string& one : path->named()) {
    if (one == schema) return true;
    if (context.catalog.FindRelation(context.transaction, one, name)) return false;
  }
  return false;
}

/// Refuses columns whose collations do not agree on which texts are equal.
static void CheckForeignCollation(const ColumnDefinition& column, const ColumnDefinition& referenced,
                                  size_t position) {
  if (!HasCollationKey(column) && !HasCollationKey(referenced)) return;
  if (FindStoredCollation(column.collation) == FindStoredCollation(referenced.collation)) return;
  const auto shown = [](const std::string& collation) { return collation.empty() ? "default" : collation; };
  ThrowError(ErrorKind::kBinder, sqlstate::kInvalidForeignKey,
             fmt::format("foreign key columns \"{}\" and \"{}\" have different collations: \"{}\" and \"{}\"",
                         column.name, referenced.name, shown(column.collation), shown(referenced.collation)),
             position);
}

std::string TableDraft::AddForeignKey(const ast::TableConstraint& constraint) {
  CheckKey(constraint, "foreign key constraint");
  const ast::NamedTable& to = constraint.referenced;
  const bool is_self = to.name == name && (to.schema.empty() ? WillBeFound(session_.context(), schema, name)
                                                             : to.schema == schema);
  TableEntryRef other;
  if (!is_self) other = FindTableOrThrow(session_, to);
  if (other) CheckLifetimes(*other, to.position);
  const TableConstraints& keys = is_self ? constraints : other->constraints;
  const std::vector<ColumnDefinition>& other_columns = is_self ? columns : other->columns;
  ForeignKey key;
  key.columns = constraint.columns;
  key.referenced_schema = is_self ? schema : other->schema;
  key.referenced_table = is_self ? name : other->name;
  key.referenced_columns = constraint.referenced_columns;
  if (key.referenced_columns.empty()) {
    for (const UniqueConstraint& unique : keys.uniques) {
      if (unique.is_primary) key.referenced_columns = unique.columns;
    }
    if (key.referenced_columns.empty()) {
      ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedObject,
                 fmt::format("there is no primary key for referenced table \"{}\"", to.name), to.position);
    }
  }
  if (key.columns.size() != key.referenced_columns.size()) {
    ThrowError(ErrorKind::kBinder, sqlstate::kInvalidForeignKey,
               "number of referencing and referenced columns for foreign key disagree", constraint.position);
  }
  const UniqueConstraint* const unique = FindUnique(keys, key.referenced_columns);
  if (unique == nullptr) {
    ThrowError(
        ErrorKind::kBinder, sqlstate::kInvalidForeignKey,
        fmt::format("there is no unique constraint matching given keys for referenced table \"{}\"", to.name),
        constraint.position);
  }
  if (unique->deferral.is_deferrable) {
    ThrowError(ErrorKind::kBinder, sqlstate::kObjectNotInPrerequisiteState,
               fmt::format("cannot use a deferrable {} for referenced table \"{}\"",
                           unique->is_primary ? "primary key" : "unique constraint", to.name),
               constraint.position);
  }
  for (size_t i = 0; i < key.columns.size(); i++) {
    const LogicalType& type = columns[FindColumn(key.columns[i], constraint.position)].type;
    const auto referenced = std::find_if(
        other_columns.begin(), other_columns.end(),
        [&](const ColumnDefinition& column) { return column.name == key.referenced_columns[i]; });
    CheckForeignCollation(columns[FindColumn(key.columns[i], constraint.position)], *referenced,
                          constraint.position);
    if (type == referenced->type) continue;
    ThrowError(
        ErrorKind::kBinder, sqlstate::kDatatypeMismatch,
        fmt::format("foreign key columns \"{}\" and \"{}\" are of different types: {} and {}", key.columns[i],
                    key.referenced_columns[i], type.ToString(), referenced->type.ToString()),
        constraint.position);
  }
  AddCollationKeys(columns, key.columns, constraint.position);
  key.on_delete = ActionOf(constraint.on_delete);
  key.on_update = ActionOf(constraint.on_update);
  key.deferral = DeferralOf(constraint);
  key.name = ConstraintName(constraint, key.columns, "fkey", false);
  constraints.foreign_keys.push_back(std::move(key));
  return constraints.foreign_keys.back().name;
}

}  // namespace scaup
