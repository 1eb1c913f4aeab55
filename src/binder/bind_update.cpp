// UPDATE, DELETE and TRUNCATE.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "binder/bind_statement.hpp"
#include "binder/coercion.hpp"
#include "binder/query_binder.hpp"
#include "binder/subquery_expression.hpp"
#include "binder/written_row.hpp"
#include "common/throw.hpp"

namespace scaup {

namespace {

/// The query that yields the rows to change: SELECT row number, ... FROM target, tables WHERE condition.
class SourceBuilder {
 public:
  SourceBuilder(BindSession& session, const ast::WithClause& with, const ast::NamedTable& target,
                const std::vector<ast::TableRefPtr>& tables, const ast::ExpressionPtr& where)
      : session_(session), select_(std::make_unique<BoundSelect>()) {
    session.CountQuery(target.position);
    level_.outer = session.around;
    BeginWith(with.queries, with.recursive, level_);
    BoundTarget bound = BindTarget(session, target);
    table_ = std::move(bound.table);
    target_index_ = bound.table_index;
    BoundFrom from = BindFrom(session, tables, level_);
    select_->from = std::move(bound.reference);
    scope_ = std::move(bound.scope);
    if (from.table) {
      select_->from =
          std::make_unique<BoundJoin>(BoundJoinType::kInner, std::move(select_->from), std::move(from.table));
      scope_ = Scope::Combine(std::move(scope_), std::move(from.scope), target.position);
    }
    level_.scope = &scope_;
    select_->table_index = select_->item_index = session.NewTableIndex();
    AddItem(std::make_unique<ColumnRefExpression>(
                TypeId::kBigInt, ColumnBinding{target_index_, table_->columns.size()}, kRowNumberName),
            kRowNumberName);
    if (where)
      select_->where = ExpressionBinder(session_, level_, Clause::kWhere).BindBoolean(*where, "WHERE");
  }
  SourceBuilder(const SourceBuilder&) = delete;
  SourceBuilder& operator=(const SourceBuilder&) = delete;

  const TableEntryRef& table() const { return table_; }
  size_t target_index() const { return target_index_; }
  size_t table_index() const { return select_->table_index; }
  QueryLevel& level() { return level_; }

  size_t AddItem(ExpressionPtr item, std::string name) {
    item->alias = name;
    select_->types.push_back(item->type());
    select_->names.push_back(std::move(name));
    select_->items.push_back(std::move(item));
    return select_->items.size() - 1;
  }

  /// The item that is this column as FROM has it.
  size_t PassThrough(const ColumnBinding& binding, const LogicalType& type, const std::string& name) {
    const auto [place, is_new] = passed_.try_emplace(binding, 0);
    if (is_new) place->second = AddItem(std::make_unique<ColumnRefExpression>(type, binding, name), name);
    return place->second;
  }

  /// A reference to an item, from above the query.
  ExpressionPtr ReferTo(size_t item) const {
    return std::make_unique<ColumnRefExpression>(
        select_->types[item], ColumnBinding{select_->table_index, item}, select_->names[item]);
  }

  BoundQueryPtr Finish() {
    level_.scope = nullptr;
    FinishWith(session_, level_, *select_);
    return std::move(select_);
  }

 private:
  BindSession& session_;
  std::unique_ptr<BoundSelect> select_;
  QueryLevel level_;
  Scope scope_;
  TableEntryRef table_;
  size_t target_index_ = 0;
  std::map<ColumnBinding, size_t> passed_;
};

class UpdateBinder {
 public:
  UpdateBinder(BindSession& session, const ast::UpdateStatement& statement)
      : session_(session),
        statement_(statement),
        source_(session, statement.with, statement.table, statement.from, statement.where),
        table_(*source_.table()),
        update_(std::make_unique<BoundUpdate>()),
        set_item_(table_.columns.size()),
        projected_(table_.columns.size()) {}

  BoundStatementPtr Bind() {
    update_->table = source_.table();
    update_->row_index = session_.NewTableIndex();
    BindAssignments();
    BindGenerated();
    ChooseColumns();
    Project();
    BindRowChecks();
    if (!statement_.returning.empty()) {
      update_->returning = BindReturning(session_, source_.level(), statement_.returning);
      for (ExpressionPtr& item : update_->returning->items) MoveToRow(item);
    }
    update_->source = source_.Finish();
    return std::move(update_);
  }

 private:
  void BindAssignments() {
    ExpressionBinder binder(session_, source_.level(), Clause::kSet);
    const std::vector<size_t> columns = ResolveAssignments(table_, statement_.assignments);
    for (size_t i = 0; i < columns.size(); i++) {
      ExpressionPtr value =
          BindAssignment(session_, binder, table_.columns[columns[i]], statement_.assignments[i]);
      if (value) set_item_[columns[i]] = source_.AddItem(std::move(value), table_.columns[columns[i]].name);
    }
  }

  /// Generated columns that depend on something set, as expressions over the source.
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

  bool IsWritten(size_t column) const { return set_item_[column] || generated_[column]; }

  void ChooseColumns() {
    for (size_t i = 0; i < table_.columns.size(); i++) {
      if (IsWritten(i)) update_->columns.push_back(i);
    }
  }

  void Project() {
    update_->projection.push_back(source_.ReferTo(0));
    for (const size_t column : update_->columns) {
      const ColumnDefinition& definition = table_.columns[column];
      projected_[column] = update_->projection.size();
      if (generated_[column]) {
        update_->projection.push_back(std::move(generated_[column]));
      } else {
        const size_t item = set_item_[column] ? *set_item_[column]
                                              : source_.PassThrough({source_.target_index(), column},
                                                                    definition.type, definition.name);
        update_->projection.push_back(source_.ReferTo(item));
      }
      update_->projection.back()->alias = definition.name;
    }
  }

  /// From the columns of FROM to those of the projection, which gets what it lacks.
  void MoveToRow(ExpressionPtr& expression) {
    ForEachOwnReference(*expression, [&](ColumnRefExpression& reference) {
      const bool is_of_target = reference.binding.table_index == source_.target_index();
      if (is_of_target && projected_[reference.binding.column_index]) {
        reference.binding = {update_->row_index, *projected_[reference.binding.column_index]};
        return;
      }
      const auto [place, is_new] = extra_.try_emplace(reference.binding, update_->projection.size());
      if (is_new) {
        const size_t item = source_.PassThrough(reference.binding, reference.type(), reference.name);
        update_->projection.push_back(source_.ReferTo(item));
        update_->projection.back()->alias = reference.name;
      }
      reference.binding = {update_->row_index, place->second};
    });
  }

  void BindRowChecks() {
    for (BoundCheck& check : BindChecks(session_.context(), table_, source_.target_index())) {
      const auto uses = ColumnsOf(*check.condition, source_.target_index(), table_.columns.size());
      bool is_affected = false;
      for (const size_t column : update_->columns) is_affected = is_affected || uses[column];
      if (!is_affected) continue;
      MoveToRow(check.condition);
      update_->checks.push_back(std::move(check));
    }
  }

  BindSession& session_;
  const ast::UpdateStatement& statement_;
  SourceBuilder source_;
  const TableEntry& table_;
  std::unique_ptr<BoundUpdate> update_;
  std::vector<std::optional<size_t>> set_item_;   // By column of the table: its item in the source.
  std::vector<ExpressionPtr> generated_;          // By column: its new value, over the source.
  std::vector<std::optional<size_t>> projected_;  // By column: its place in the projection.
  std::map<ColumnBinding, size_t> extra_;         // What else is in the projection.
};

}  // namespace

std::vector<size_t> ResolveAssignments(const TableEntry& table,
                                       const std::vector<ast::Assignment>& assignments) {
  std::vector<std::string> names;
  std::vector<size_t> positions;
  for (const ast::Assignment& assignment : assignments) {
    if (std::find(names.begin(), names.end(), assignment.column) != names.end()) {
      ThrowError(ErrorKind::kBinder, sqlstate::kSyntaxError,
                 fmt::format("multiple assignments to column \"{}\"", assignment.column),
                 assignment.position);
    }
    names.push_back(assignment.column);
    positions.push_back(assignment.position);
  }
  return ResolveTableColumns(table, names, positions, 0);
}

ExpressionPtr BindAssignment(BindSession& session, ExpressionBinder& binder, const ColumnDefinition& column,
                             const ast::Assignment& assignment) {
  if (IsDefaultMarker(*assignment.value))
    return IsGenerated(column) ? nullptr : BindColumnDefault(session, column);
  if (IsGenerated(column) || column.identity == IdentityKind::kAlways)
    ThrowGeneratedColumn(column, "updated", assignment.position);
  return CoerceForAssignment(session, binder.Bind(*assignment.value), column.type, column.name);
}

BoundStatementPtr BindUpdate(BindSession& session, const ast::UpdateStatement& statement) {
  return UpdateBinder(session, statement).Bind();
}

BoundStatementPtr BindDelete(BindSession& session, const ast::DeleteStatement& statement) {
  SourceBuilder source(session, statement.with, statement.table, statement.from, statement.where);
  auto deletion = std::make_unique<BoundDelete>();
  deletion->table = source.table();
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
    if (!is_named(*table)) truncate->tables.push_back(table);
  }
  // The list grows by the tables that CASCADE adds, which may be referred to themselves.
  for (size_t i = 0; i < truncate->tables.size(); i++) {
    const TableEntryRef table = truncate->tables[i];
    for (const auto& reference : context.catalog.ReferencesTo(context.transaction, *table)) {
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
    for (auto& sequence : context.catalog.SequencesOf(context.transaction, *table))
      truncate->restarted.push_back(std::move(sequence));
  }
  return truncate;
}

}  // namespace scaup
