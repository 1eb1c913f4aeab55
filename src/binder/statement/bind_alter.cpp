// Binds ALTER TABLE: applies the actions in order to a draft of the new definition.
#include <fmt/format.h>

#include <algorithm>

#include "binder/scope/bind_statement.hpp"
#include "binder/scope/coercion.hpp"
#include "binder/scope/collation.hpp"
#include "binder/scope/literal.hpp"
#include "binder/scope/query_binder.hpp"
#include "binder/statement/binder.hpp"
#include "binder/statement/renaming.hpp"
#include "binder/statement/table_draft.hpp"
#include "binder/statement/view_renaming.hpp"
#include "binder/write/written_row.hpp"
#include "catalog/catalog_dependencies.hpp"
#include "common/throw.hpp"

namespace scaup {

namespace {

using Kind = ast::AlterAction::Kind;

bool Has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

class AlterBinder {
 public:
  AlterBinder(BindSession& session, TableEntryRef table, size_t position)
      : session_(session),
        alter_(std::make_unique<BoundAlterTable>()),
        draft_(session, table->schema, table->name),
        position_(position),
        old_index_(session.NewTableIndex()) {
    draft_.columns = table->columns;
    draft_.constraints = table->constraints;
    for (size_t i = 0; i < table->columns.size(); i++)
      origins_.push_back(
          {i, std::make_unique<ColumnRefExpression>(table->columns[i].type, ColumnBinding{old_index_, i},
                                                    table->columns[i].name)});
    alter_->table = std::move(table);
  }

  BoundStatementPtr Bind(const std::vector<ast::AlterAction>& actions) {
    for (const ast::AlterAction& action : actions) Apply(action);
    Finish();
    return std::move(alter_);
  }

 private:
  /// The origin of a column of the draft.
  struct Origin {
    std::optional<size_t> old;  ///< nullopt: added by the statement
    ExpressionPtr value;        ///< bound over the old columns
  };

  [[noreturn]] void Refuse(const char* sqlstate, const std::string& message, size_t position) const {
    ThrowError(ErrorKind::kBinder, sqlstate, message, position);
  }
  ColumnDefinition& Column(const ast::AlterAction& action) {
    return draft_.columns[draft_.FindColumn(action.name, action.position)];
  }

  void Apply(const ast::AlterAction& action) {
    switch (action.kind) {
      case Kind::kAddColumn: return AddColumn(action);
      case Kind::kDropColumn: return DropColumn(action);
      case Kind::kSetDefault:
      case Kind::kDropDefault: return SetDefault(action);
      case Kind::kSetNotNull: {
        Column(action).not_null = true;
        return AddNotNull(action.name);
      }
      case Kind::kDropNotNull: return DropNotNull(action);
      case Kind::kSetType: return SetType(action);
      case Kind::kDropExpression: return DropExpression(action);
      case Kind::kAddIdentity: return AddIdentity(action);
      case Kind::kDropIdentity: return DropIdentity(action);
      case Kind::kAddConstraint: return AddConstraint(action.constraints[0]);
      case Kind::kDropConstraint: return DropConstraint(action);
      case Kind::kRenameColumn: return RenameColumn(action);
      case Kind::kRenameConstraint: return RenameConstraint(action);
      case Kind::kRenameTable: return MoveTable(draft_.schema, action.new_name, action.position);
      case Kind::kSetSchema: return SetSchema(action);
    }
  }

  // --- Columns ---

  void AddColumn(const ast::AlterAction& action) {
    const ast::ColumnDefinition& column = *action.column;
    const bool exists = std::any_of(draft_.columns.begin(), draft_.columns.end(),
                                    [&](const ColumnDefinition& other) { return other.name == column.name; });
    if (exists && action.if_exists) return;
    draft_.AddColumn(column);
    draft_.CheckColumn(column);
    // The value of a generated column is computed at the end, when all columns are known.
    origins_.push_back({std::nullopt, BindColumnDefault(session_, draft_.columns.back())});
    alter_->rewrites = true;
    if (column.not_null) AddNotNull(column.name);
    for (const ast::TableConstraint& constraint : action.constraints) AddConstraint(constraint);
  }

  void DropColumn(const ast::AlterAction& action) {
    const bool exists = std::any_of(draft_.columns.begin(), draft_.columns.end(),
                                    [&](const ColumnDefinition& other) { return other.name == action.name; });
    if (!exists && action.if_exists) return;
    const size_t index = draft_.FindColumn(action.name, action.position);
    // Generated columns cannot use each other, so one pass is enough.
    std::vector<std::string> dependents;
    for (const ColumnDefinition& column : draft_.columns) {
      if (!Uses(column.generated_text, Clause::kGenerated, index)) continue;
      if (!action.cascade) {
        Refuse(sqlstate::kDependentObjects,
               fmt::format("cannot drop column \"{}\" because generated column \"{}\" depends on it; use "
                           "CASCADE to drop that too",
                           action.name, column.name),
               action.position);
      }
      dependents.push_back(column.name);
    }
    // Removed only now: each removal moves the columns behind it, and `index` with them.
    for (const std::string& name : dependents) RemoveColumn(name);
    RemoveColumn(action.name);
    alter_->cascade = alter_->cascade || action.cascade;
    alter_->rewrites = true;
    if (draft_.columns.empty()) ThrowNotSupported("a table must have at least one column", action.position);
  }

  /// Removes a column with the constraints that use it, as PostgreSQL does.
  void RemoveColumn(const std::string& name) {
    const size_t index = draft_.FindColumn(name, position_);
    auto& constraints = draft_.constraints;
    std::erase_if(constraints.checks,
                  [&](const CheckConstraint& check) { return Uses(check.text, Clause::kCheck, index); });
    std::erase_if(constraints.uniques,
                  [&](const UniqueConstraint& unique) { return Has(unique.columns, name); });
    std::erase_if(constraints.foreign_keys, [&](const ForeignKey& key) { return Has(key.columns, name); });
    draft_.columns.erase(draft_.columns.begin() + static_cast<std::ptrdiff_t>(index));
    origins_.erase(origins_.begin() + static_cast<std::ptrdiff_t>(index));
  }

  /// Returns whether a text over the table's columns uses the given column.
  bool Uses(const std::string& text, Clause clause, size_t column) const {
    if (text.empty()) return false;
    constexpr size_t kIndex = 0;
    const TableEntry entry = draft_.AsEntry();
    const LogicalType type = clause == Clause::kCheck ? LogicalType(TypeId::kBoolean) : TypeOfText(text);
    const ExpressionPtr bound = BindTableText(session_.context(), entry, kIndex, text, clause, type);
    return ColumnsOf(*bound, kIndex, draft_.columns.size())[column];
  }
  LogicalType TypeOfText(const std::string& text) const {
    for (const ColumnDefinition& column : draft_.columns) {
      if (column.generated_text == text) return column.type;
    }
    return TypeId::kVarchar;
  }

  void SetDefault(const ast::AlterAction& action) {
    ColumnDefinition& column = Column(action);
    if (column.identity != IdentityKind::kNone || IsGenerated(column)) {
      Refuse(sqlstate::kSyntaxError,
             fmt::format("column \"{}\" of table \"{}\" is {}", column.name, draft_.name,
                         IsGenerated(column) ? "a generated column" : "an identity column"),
             action.position);
    }
    column.default_text = action.kind == Kind::kSetDefault ? action.expression_text : "";
    draft_.CheckDefault(column, action.expression ? action.expression->position : action.position);
  }

  void DropNotNull(const ast::AlterAction& action) {
    ColumnDefinition& column = Column(action);
    for (const UniqueConstraint& unique : draft_.constraints.uniques) {
      if (unique.is_primary && Has(unique.columns, column.name))
        Refuse(sqlstate::kInvalidTableDefinition,
               fmt::format("column \"{}\" is in a primary key", column.name), action.position);
    }
    if (column.identity != IdentityKind::kNone)
      Refuse(sqlstate::kSyntaxError, fmt::format("column \"{}\" is an identity column", column.name),
             action.position);
    column.not_null = false;
    std::erase(not_null_, column.name);
  }

  void SetType(const ast::AlterAction& action) {
    const size_t index = draft_.FindColumn(action.name, action.position);
    const LogicalType type = BindTypeName(&session_, action.type);
    if (action.collation) CheckCollation(session_, *action.collation, type);
    for (const ColumnDefinition& other : draft_.columns) {
      if (!Uses(other.generated_text, Clause::kGenerated, index)) continue;
      ThrowNotSupported(
          fmt::format("cannot alter the type of column \"{}\", which generated column \"{}\" uses",
                      action.name, other.name),
          action.position);
    }
    if (IsGenerated(draft_.columns[index]))
      ThrowNotSupported("cannot alter the type of a generated column", action.position);
    if (!origins_[index].old)
      ThrowNotSupported("cannot alter the type of a column that the same statement adds", action.position);
    RefuseReferences(action, type);
    origins_[index].value = ConvertedValue(action, index, type);
    draft_.columns[index].type = type;
    draft_.CheckDefault(draft_.columns[index], action.position);
    alter_->rewrites = true;
    for (const CheckConstraint& check : draft_.constraints.checks) {
      if (Uses(check.text, Clause::kCheck, index)) checks_.push_back(check.name);
    }
  }

  /// Returns the USING expression, bound over the old columns; without USING, the old value converted by an
  /// assignment cast.
  ExpressionPtr ConvertedValue(const ast::AlterAction& action, size_t index, const LogicalType& type) {
    if (!action.expression) {
      ExpressionPtr value = origins_[index].value->Clone();
      value->position = action.position;
      try {
        return CoerceForAssignment(session_, std::move(value), type, action.name);
      } catch (const Error& error) {
        throw Error(error.kind(), error.sqlstate(),
                    fmt::format("column \"{}\" cannot be cast automatically to type {}; say how with USING",
                                action.name, type.ToString()),
                    action.position);
      }
    }
    const Scope scope =
        ScopeOfColumns(alter_->table->schema, alter_->table->name, alter_->table->columns, old_index_);
    QueryLevel level;
    level.scope = &scope;
    ExpressionBinder binder(session_, level, Clause::kAlterType);
    return CoerceForAssignment(session_, binder.Bind(*action.expression), type, action.name);
  }

  /// Refuses a new type for a column of a foreign key, because both sides must have the same type.
  void RefuseReferences(const ast::AlterAction& action, const LogicalType& type) const {
    const BinderContext& context = session_.context();
    if (draft_.columns[draft_.FindColumn(action.name, action.position)].type == type) return;
    const auto refuse = [&](const std::string& key) {
      ThrowNotSupported(
          fmt::format("cannot alter the type of column \"{}\", which foreign key \"{}\" uses; drop "
                      "the foreign key first",
                      action.name, key),
          action.position);
    };
    for (const ForeignKey& key : draft_.constraints.foreign_keys) {
      if (Has(key.columns, action.name)) refuse(key.name);
    }
    for (const auto& reference : ReferencesTo(context.catalog, context.transaction, *alter_->table)) {
      if (Has(reference.key().referenced_columns, action.name)) refuse(reference.key().name);
    }
  }

  void DropExpression(const ast::AlterAction& action) {
    ColumnDefinition& column = Column(action);
    if (!IsGenerated(column) && !action.if_exists) {
      Refuse(sqlstate::kObjectNotInPrerequisiteState,
             fmt::format("column \"{}\" of table \"{}\" is not a stored generated column", column.name,
                         draft_.name),
             action.position);
    }
    column.generated_text.clear();
  }

  void AddIdentity(const ast::AlterAction& action) {
    ColumnDefinition& column = Column(action);
    if (!column.not_null || !column.default_text.empty() || IsGenerated(column) ||
        column.identity != IdentityKind::kNone) {
      Refuse(sqlstate::kObjectNotInPrerequisiteState,
             fmt::format("column \"{}\" must be NOT NULL and without a default, generation expression or "
                         "identity before identity can be added",
                         column.name),
             action.position);
    }
    draft_.AddIdentity(column, action.column->identity, action.column->identity_options, action.position);
  }

  void DropIdentity(const ast::AlterAction& action) {
    ColumnDefinition& column = Column(action);
    if (column.identity == IdentityKind::kNone) {
      if (action.if_exists) return;
      Refuse(sqlstate::kObjectNotInPrerequisiteState,
             fmt::format("column \"{}\" of table \"{}\" is not an identity column", column.name, draft_.name),
             action.position);
    }
    column.identity = IdentityKind::kNone;
    column.default_text.clear();
    const BinderContext& context = session_.context();
    for (auto& sequence : SequencesOf(context.catalog, context.transaction, *alter_->table)) {
      if (sequence->owner_column == column.name) alter_->dropped_sequences.push_back(std::move(sequence));
    }
  }

  // --- Constraints ---

  void AddNotNull(const std::string& column) {
    if (!Has(not_null_, column)) not_null_.push_back(column);
  }

  void AddConstraint(const ast::TableConstraint& constraint) {
    using ConstraintKind = ast::TableConstraint::Kind;
    const std::string name = draft_.AddConstraint(constraint);
    switch (constraint.kind) {
      case ConstraintKind::kCheck: checks_.push_back(name); break;
      case ConstraintKind::kUnique: uniques_.push_back(name); break;
      case ConstraintKind::kForeignKey: foreign_keys_.push_back(name); break;
      case ConstraintKind::kPrimaryKey:
        uniques_.push_back(name);
        for (const std::string& column : constraint.columns) AddNotNull(column);
        break;
    }
  }

  void CheckConstraintExists(const ast::AlterAction& action) const {
    if (draft_.constraints.HasName(action.name)) return;
    Refuse(sqlstate::kUndefinedObject,
           fmt::format("constraint \"{}\" of table \"{}\" does not exist", action.name, draft_.name),
           action.position);
  }

  void DropConstraint(const ast::AlterAction& action) {
    if (action.if_exists && !draft_.constraints.HasName(action.name)) return;
    CheckConstraintExists(action);
    const auto is_named = [&](const auto& constraint) { return constraint.name == action.name; };
    std::erase_if(draft_.constraints.checks, is_named);
    std::erase_if(draft_.constraints.uniques, is_named);
    std::erase_if(draft_.constraints.foreign_keys, is_named);
    alter_->cascade = alter_->cascade || action.cascade;
  }

  void RenameConstraint(const ast::AlterAction& action) {
    CheckConstraintExists(action);
    if (draft_.constraints.HasName(action.new_name)) {
      ThrowError(
          ErrorKind::kCatalog, sqlstate::kDuplicateObject,
          fmt::format("constraint \"{}\" for table \"{}\" already exists", action.new_name, draft_.name),
          action.position);
    }
    const auto rename = [&](auto& constraints) {
      for (auto& constraint : constraints) {
        if (constraint.name == action.name) constraint.name = action.new_name;
      }
    };
    for (const UniqueConstraint& unique : draft_.constraints.uniques) {
      if (unique.name == action.name) draft_.ClaimRelationName(action.new_name, action.position);
    }
    rename(draft_.constraints.checks);
    rename(draft_.constraints.uniques);
    rename(draft_.constraints.foreign_keys);
  }

  // --- Names ---

  void RenameColumn(const ast::AlterAction& action) {
    const size_t index = draft_.FindColumn(action.name, action.position);
    for (const ColumnDefinition& other : draft_.columns) {
      if (other.name != action.new_name) continue;
      Refuse(sqlstate::kDuplicateColumn,
             fmt::format("column \"{}\" of table \"{}\" already exists", action.new_name, draft_.name),
             action.position);
    }
    draft_.columns[index].name = action.new_name;
    const auto rename = [&](std::vector<std::string>& names) {
      std::replace(names.begin(), names.end(), action.name, action.new_name);
    };
    for (UniqueConstraint& unique : draft_.constraints.uniques) rename(unique.columns);
    for (ForeignKey& key : draft_.constraints.foreign_keys) {
      rename(key.columns);
      if (key.referenced_schema == draft_.schema && key.referenced_table == draft_.name)
        rename(key.referenced_columns);
    }
    for (CheckConstraint& check : draft_.constraints.checks)
      check.text = RenameColumnInText(check.text, action.name, action.new_name);
    for (ColumnDefinition& column : draft_.columns)
      column.generated_text = RenameColumnInText(column.generated_text, action.name, action.new_name);
    if (origins_[index].old)
      alter_->renamed_columns.emplace_back(alter_->table->columns[*origins_[index].old].name,
                                           action.new_name);
  }

  void SetSchema(const ast::AlterAction& action) {
    const BinderContext& context = session_.context();
    if (!context.catalog.FindSchema(context.transaction, action.new_name)) {
      ThrowError(ErrorKind::kCatalog, sqlstate::kInvalidSchemaName,
                 fmt::format("schema \"{}\" does not exist", action.new_name), action.position);
    }
    if (action.new_name == draft_.schema) return;
    for (const ColumnDefinition& column : draft_.columns) {
      if (column.default_text.find("nextval") != std::string::npos)
        ThrowNotSupported("SET SCHEMA of a table with a sequence is not supported", action.position);
    }
    MoveTable(action.new_name, draft_.name, action.position);
  }

  void MoveTable(const std::string& schema, const std::string& name, size_t position) {
    const std::string old_schema = draft_.schema, old_name = draft_.name;
    draft_.schema = schema;
    draft_.name = name;
    draft_.ClaimRelationName(name, position);
    for (ForeignKey& key : draft_.constraints.foreign_keys) {
      if (key.referenced_schema != old_schema || key.referenced_table != old_name) continue;
      key.referenced_schema = schema;
      key.referenced_table = name;
    }
    for (CheckConstraint& check : draft_.constraints.checks)
      check.text = RenameTableInText(check.text, old_name, name);
    for (ColumnDefinition& column : draft_.columns)
      column.generated_text = RenameTableInText(column.generated_text, old_name, name);
  }

  // --- The end ---

  /// Removes foreign keys of the table to itself whose referenced columns are no longer unique. Refuses this
  /// without CASCADE.
  void SettleOwnReferences() {
    std::erase_if(draft_.constraints.foreign_keys, [&](const ForeignKey& key) {
      if (key.referenced_schema != draft_.schema || key.referenced_table != draft_.name ||
          draft_.HasKey(key.referenced_columns))
        return false;
      if (!alter_->cascade) {
        Refuse(
            sqlstate::kDependentObjects,
            fmt::format("cannot drop a key of table \"{}\" because its foreign key \"{}\" depends on it; use "
                        "CASCADE to drop that too",
                        draft_.name, key.name),
            position_);
      }
      return true;
    });
  }

  void Finish() {
    SettleOwnReferences();
    auto rows = std::make_unique<BoundSelect>();
    rows->from = std::make_unique<BoundBaseTable>(old_index_, alter_->table);
    rows->table_index = rows->item_index = session_.NewTableIndex();
    const TableEntry entry = draft_.AsEntry();
    std::vector<ExpressionPtr> values;
    for (Origin& origin : origins_) values.push_back(std::move(origin.value));
    // FillGenerated recomputes all generated columns, but existing ones keep their stored values.
    std::vector<ExpressionPtr> kept(values.size());
    for (size_t i = 0; i < values.size(); i++) {
      if (IsGenerated(draft_.columns[i]) && origins_[i].old) kept[i] = values[i]->Clone();
    }
    FillGenerated(session_.context(), entry, values);
    for (size_t i = 0; i < values.size(); i++) {
      if (kept[i]) values[i] = std::move(kept[i]);
      values[i]->alias = draft_.columns[i].name;
      rows->names.push_back(draft_.columns[i].name);
      rows->types.push_back(draft_.columns[i].type);
    }
    rows->items = std::move(values);
    ListNew(entry, rows->table_index);
    const bool is_moved = draft_.schema != alter_->table->schema || draft_.name != alter_->table->name;
    if (is_moved || !alter_->renamed_columns.empty()) {
      alter_->readers = RenameInViews(
          session_, {alter_->table, draft_.schema, draft_.name, alter_->renamed_columns}, position_);
    }
    alter_->rows = std::move(rows);
    alter_->schema = draft_.schema;
    alter_->name = draft_.name;
    alter_->columns = std::move(draft_.columns);
    alter_->constraints = std::move(draft_.constraints);
    alter_->new_sequences = std::move(draft_.sequences);
  }

  /// Lists the new constraints that still exist at the end of the statement.
  void ListNew(const TableEntry& entry, size_t table_index) {
    for (size_t i = 0; i < entry.columns.size(); i++) {
      if (Has(not_null_, entry.columns[i].name)) alter_->new_not_null.push_back(i);
    }
    for (BoundCheck& check : BindChecks(session_.context(), entry, table_index)) {
      if (Has(checks_, check.name)) alter_->new_checks.push_back(std::move(check));
    }
    for (const UniqueConstraint& unique : entry.constraints.uniques) {
      if (Has(uniques_, unique.name)) alter_->new_uniques.push_back(unique.name);
    }
    for (const ForeignKey& key : entry.constraints.foreign_keys) {
      if (Has(foreign_keys_, key.name)) alter_->new_foreign_keys.push_back(key.name);
    }
  }

  BindSession& session_;
  std::unique_ptr<BoundAlterTable> alter_;
  TableDraft draft_;
  size_t position_;
  size_t old_index_;
  std::vector<Origin> origins_;  // by column of the draft
  // Names of the columns and constraints that must be checked.
  std::vector<std::string> not_null_, checks_, uniques_, foreign_keys_;
};

/// Refuses SET SCHEMA for element tables, and for collections that have some: an element table is always in
/// the schema of its collection.
void CheckMayMove(const BinderContext& context, const TableEntry& table, size_t position) {
  if (table.is_element_table()) {
    ThrowNotSupported(fmt::format("element table \"{}\" stands in the schema of its collection", table.name),
                      position);
  }
  if (ElementTablesOf(context.catalog, context.transaction, table).empty()) return;
  ThrowNotSupported(
      fmt::format("collection \"{}\" would leave its element tables behind; drop them first, and "
                  "make them again",
                  table.name),
      position);
}

/// Refuses actions other than renaming and SET SCHEMA: everything else about a collection is determined by
/// its documents.
void CheckActionsOfCollection(const BinderContext& context, const TableEntry& table,
                              const std::vector<ast::AlterAction>& actions) {
  for (const ast::AlterAction& action : actions) {
    if (action.kind == Kind::kSetSchema) CheckMayMove(context, table, action.position);
    if (action.kind == Kind::kRenameTable || action.kind == Kind::kSetSchema) continue;
    ThrowError(ErrorKind::kCatalog, sqlstate::kWrongObjectType,
               fmt::format("\"{}\" is {}: its documents need no ALTER TABLE; only RENAME TO and SET "
                           "SCHEMA are for collections, too",
                           table.name, KindWithArticle(table)),
               action.position);
  }
}

}  // namespace

BoundStatementPtr BindAlterTable(BindSession& session, const ast::AlterTableStatement& statement) {
  const BinderContext& context = session.context();
  if (statement.if_exists &&
      !context.catalog.Find<TableEntry>(context.transaction, statement.table.schema, statement.table.name)) {
    return std::make_unique<BoundAlterTable>();
  }
  TableEntryRef table = FindTableOrThrow(session, statement.table);
  if (table->is_collection()) CheckActionsOfCollection(context, *table, statement.actions);
  return AlterBinder(session, std::move(table), statement.table.position).Bind(statement.actions);
}

}  // namespace scaup
