// Binds UPDATE, DELETE and TRUNCATE.
#include <fmt/format.h>

#include <algorithm>

#include "binder/bound/subquery_expression.hpp"
#include "binder/scope/bind_statement.hpp"
#include "binder/scope/coercion.hpp"
#include "binder/scope/query_binder.hpp"
#include "binder/scope/written_view.hpp"
#include "binder/write/before_triggers.hpp"
#include "binder/write/change_source.hpp"
#include "binder/write/collection_changes.hpp"
#include "binder/write/updated_row.hpp"
#include "binder/write/written_row.hpp"
#include "catalog/catalog_dependencies.hpp"
#include "common/throw.hpp"

namespace scaup {

namespace {

class UpdateBinder {
 public:
  UpdateBinder(BindSession& session, const ast::UpdateStatement& statement)
      : session_(session),
        statement_(statement),
        row_(session, statement),
        source_(row_.source()),
        table_(*source_.table()),
        set_item_(table_.columns.size()) {}

  BoundStatementPtr Bind() {
    BindAssignments();
    ApplyTriggers();
    BindGenerated();
    SetColumns();
    BindRowChecks();
    return row_.Finish();
  }

 private:
  void BindAssignments() {
    ExpressionBinder binder(session_, source_.level(), Clause::kSet);
    const std::vector<size_t> columns = ResolveAssignments(table_, statement_.assignments, source_.view());
    for (size_t i = 0; i < columns.size(); i++) {
      ExpressionPtr value =
          BindAssignment(session_, binder, table_, table_.columns[columns[i]], statement_.assignments[i]);
      if (value) set_item_[columns[i]] = source_.AddItem(std::move(value), table_.columns[columns[i]].name);
    }
  }

  /// Makes the BEFORE ROW triggers a part of the source. The columns that they change are set, too.
  void ApplyTriggers() {
    std::vector<size_t> set;
    for (size_t i = 0; i < set_item_.size(); i++)
      if (set_item_[i]) set.push_back(i);
    row_.update().assigned = set;
    for (const TriggerDefinition& trigger : BeforeTriggersOf(table_, kOnUpdate, set)) {
      const size_t old_index = session_.NewTableIndex(), new_index = session_.NewTableIndex();
      const TriggerNames names{source_.table(), trigger, kOnUpdate};
      BoundRowTrigger bound = BindRowTrigger(session_, names, old_index, new_index);
      const auto move_to_source = [&](Expression& expression) {
        ForEachOwnReference(expression, [&](ColumnRefExpression& reference) {
          const size_t column = reference.binding.column_index;
          const bool is_new = reference.binding.table_index == new_index;
          if (!is_new && reference.binding.table_index != old_index) return;
          const size_t item =
              is_new && set_item_[column]
                  ? *set_item_[column]
                  : source_.PassThrough({source_.target_index(), column}, reference.type(), reference.name);
          reference.binding = {source_.table_index(), item};
        });
      };
      ChangeSource::Layer layer;
      if (bound.condition) move_to_source(*bound.condition);
      layer.condition = std::move(bound.condition);
      for (const ExpressionPtr& value : bound.values)
        if (value) move_to_source(*value);
      // Only now, as all values are over the row before this trigger.
      for (size_t i = 0; i < bound.values.size(); i++) {
        if (!bound.values[i]) continue;
        const ColumnDefinition& column = table_.columns[i];
        set_item_[i] = source_.AddItem(std::make_unique<ConstantExpression>(Value(column.type)), column.name);
        layer.values.emplace(*set_item_[i], std::move(bound.values[i]));
      }
      source_.AddLayer(std::move(layer));
    }
  }

  /// Binds generated columns that depend on a column being set, over the source.
  void BindGenerated() {
    generated_.resize(table_.columns.size());
    for (size_t i = 0; i < table_.columns.size(); i++) {
      const ColumnDefinition& column = table_.columns[i];
      if (!IsGenerated(column)) continue;
      ExpressionPtr value = BindTableText(session_.context(), table_, source_.target_index(),
                                          column.generated_text, Clause::kGenerated, column.type);
      const std::vector<bool> uses = ColumnsOf(*value, source_.target_index(), table_.columns.size());
      bool is_affected = false;
      for (size_t j = 0; j < uses.size(); j++) is_affected = is_affected || (uses[j] && set_item_[j]);
      if (!is_affected) continue;
      ForEachColumnOf(value, source_.target_index(), [&](ColumnRefExpression& reference) {
        const size_t at = reference.binding.column_index;
        const size_t item = set_item_[at]
                                ? *set_item_[at]
                                : source_.PassThrough(reference.binding, reference.type(), reference.name);
        reference.binding = {source_.table_index(), item};
      });
      generated_[i] = std::move(value);
    }
  }

  void SetColumns() {
    for (size_t i = 0; i < table_.columns.size(); i++) {
      if (generated_[i]) {
        row_.update().assigned.push_back(i);
        row_.SetColumn(i, std::move(generated_[i]), table_.columns[i].name);
      } else if (set_item_[i]) {
        row_.SetColumn(i, source_.ReferTo(*set_item_[i]), table_.columns[i].name);
      }
    }
  }

  /// Returns the checks of the table, and of the view through which it is changed.
  std::vector<BoundCheck> AllChecks() const {
    std::vector<BoundCheck> checks = BindChecks(session_.context(), table_, source_.target_index());
    if (source_.view() != nullptr) AddViewChecks(*source_.view(), checks);
    return checks;
  }

  /// Returns whether rows may break a check already, so that it counts whatever is set.
  bool MayBeBroken(const BoundCheck& check) const {
    const auto& checks = table_.constraints.checks;
    return std::any_of(checks.begin(), checks.end(), [&](const CheckConstraint& each) {
      return !each.is_validated && each.name == check.name;
    });
  }

  void BindRowChecks() {
    for (BoundCheck& check : AllChecks()) {
      const auto uses = ColumnsOf(*check.condition, source_.target_index(), table_.columns.size());
      bool is_affected = MayBeBroken(check);
      for (const size_t column : row_.update().columns) is_affected = is_affected || uses[column];
      if (!is_affected) continue;
      row_.MoveToRow(check.condition);
      row_.update().checks.push_back(std::move(check));
    }
  }

  BindSession& session_;
  const ast::UpdateStatement& statement_;
  UpdatedRow row_;
  ChangeSource& source_;
  const TableEntry& table_;
  std::vector<std::optional<size_t>> set_item_;  // by column: its item in the source
  std::vector<ExpressionPtr> generated_;         // by column: its new value, over the source
};

}  // namespace

std::vector<size_t> ResolveAssignments(const TableEntry& table,
                                       const std::vector<ast::Assignment>& assignments,
                                       const WrittenView* view) {
  std::vector<std::string> names;
  std::vector<size_t> positions;
  for (const ast::Assignment& assignment : assignments) {
    if (!assignment.steps.empty()) {
      ThrowNotSupported("to set a field or an element of a column of a table is not supported; set all of it",
                        assignment.position);
    }
    if (std::find(names.begin(), names.end(), assignment.column) != names.end()) {
      ThrowError(ErrorKind::kBinder, sqlstate::kSyntaxError,
                 fmt::format("multiple assignments to column \"{}\"", assignment.column),
                 assignment.position);
    }
    names.push_back(assignment.column);
    positions.push_back(assignment.position);
  }
  if (view != nullptr) names = view->TableColumns(names, positions, 0, "update");
  return ResolveTableColumns(table, names, positions, 0);
}

ExpressionPtr BindAssignment(BindSession& session, ExpressionBinder& binder, const TableEntry& table,
                             const ColumnDefinition& column, const ast::Assignment& assignment) {
  if (IsDefaultMarker(*assignment.value))
    return IsGenerated(column) ? nullptr : BindColumnDefault(session, table, column);
  if (IsGenerated(column) || column.identity == IdentityKind::kAlways)
    ThrowGeneratedColumn(column, "updated", assignment.position);
  return CoerceForAssignment(session, binder.Bind(*assignment.value), column.type, column.name);
}

BoundStatementPtr BindUpdate(BindSession& session, const ast::UpdateStatement& statement) {
  if (!NamesView(session, statement.table) && FindWrittenTable(session, statement.table)->is_collection())
    return BindCollectionUpdate(session, statement);
  return UpdateBinder(session, statement).Bind();
}

BoundStatementPtr BindDelete(BindSession& session, const ast::DeleteStatement& statement) {
  ChangeSource source(session, statement.with, statement.table, statement.from, statement.where);
  auto deletion = std::make_unique<BoundDelete>();
  deletion->table = source.table();
  for (const TriggerDefinition& trigger : BeforeTriggersOf(*deletion->table, kOnDelete)) {
    const TriggerNames names{deletion->table, trigger, kOnDelete};
    BoundRowTrigger bound = BindRowTrigger(session, names, source.target_index(), source.target_index());
    if (bound.condition) source.AddCondition(std::move(bound.condition));
  }
  if (!statement.returning.empty()) {
    deletion->returning = BindReturning(session, source.level(), statement.returning);
    for (ExpressionPtr& item : deletion->returning->items) {
      ForEachOwnReference(*item, [&](ColumnRefExpression& reference) {
        const size_t passed = source.PassThrough(reference.binding, reference.type(), reference.name);
        reference.binding = {source.table_index(), passed};
      });
    }
  }
  deletion->source = source.Finish();
  return deletion;
}

BoundStatementPtr BindLockTable(BindSession& session, const ast::LockTableStatement& statement) {
  auto lock = std::make_unique<BoundLockTable>();
  for (const ast::NamedTable& name : statement.tables) {
    TableEntryRef table = FindTableOrThrow(session, name);
    if (statement.keeps_rows) lock->tables.push_back(std::move(table));
  }
  return lock;
}

BoundStatementPtr BindTruncate(BindSession& session, const ast::TruncateStatement& statement) {
  const BinderContext& context = session.context();
  auto truncate = std::make_unique<BoundTruncate>();
  const auto is_named = [&](const TableEntry& table) {
    return std::any_of(truncate->tables.begin(), truncate->tables.end(), [&](const TableEntryRef& other) {
      return other->schema == table.schema && other->name == table.name;
    });
  };
  for (const ast::NamedTable& name : statement.tables) {
    const TableEntryRef table = FindTableOrThrow(session, name);
    RequireNoElementTable(session, *table, name.position);
    RequireNotMaterialized(*table, name.position);
    if (!is_named(*table)) truncate->tables.push_back(table);
  }
  // The loop also visits the tables that CASCADE appends, because others may refer to them in turn.
  for (size_t i = 0; i < truncate->tables.size(); i++) {
    const TableEntryRef table = truncate->tables[i];
    for (const auto& reference : ReferencesTo(context.catalog, context.transaction, *table)) {
      if (is_named(*reference.from)) continue;
      if (!statement.cascade) {
        ThrowNotSupported(
            fmt::format(
                "cannot truncate table \"{}\": foreign key \"{}\" of table \"{}\" refers to it; truncate "
                "both at once, or use CASCADE",
                table->name, reference.key().name, reference.from->name),
            statement.tables[std::min(i, statement.tables.size() - 1)].position);
      }
      truncate->tables.push_back(reference.from);
    }
    if (!statement.restart_identity) continue;
    for (auto& sequence : SequencesOf(context.catalog, context.transaction, *table))
      truncate->restarted.push_back(std::move(sequence));
  }
  return truncate;
}

}  // namespace scaup
