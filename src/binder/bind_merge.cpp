// MERGE into its bound form.
#include <fmt/format.h>

#include <algorithm>

#include "binder/bind_statement.hpp"
#include "binder/coercion.hpp"
#include "binder/query_binder.hpp"
#include "binder/written_row.hpp"
#include "common/throw.hpp"

namespace scaup {

namespace {

/// USING LEFT JOIN target ON condition, as a query of the row number, the target's columns and those of
/// USING; the clauses are bound over what it yields.
class MergeBinder {
 public:
  MergeBinder(BindSession& session, const ast::MergeStatement& statement)
      : session_(session), statement_(statement), merge_(std::make_unique<BoundMerge>()) {}

  BoundStatementPtr Bind() {
    session_.CountQuery(statement_.position);
    if (statement_.with.recursive)
      ThrowNotSupported("WITH RECURSIVE is not supported", statement_.table.position);
    CheckWith(statement_.with.queries);
    level_.with = &statement_.with.queries;
    level_.visible_with = statement_.with.queries.size();
    BindSource();
    for (const ast::MergeClause& clause : statement_.clauses) BindClause(clause);
    merge_->row_index = session_.NewTableIndex();
    merge_->checks = BindChecks(session_.context(), *merge_->table, merge_->row_index);
    level_.scope = nullptr;
    return std::move(merge_);
  }

 private:
  void BindSource() {
    auto select = std::make_unique<BoundSelect>();
    BoundTarget target = BindTarget(session_, statement_.table);
    merge_->table = target.table;
    BoundFrom from = BindTableRef(session_, *statement_.source, level_);
    Scope scope = Scope::Combine(std::move(target.scope), std::move(from.scope), statement_.source->position);
    level_.scope = &scope;
    ExpressionPtr condition = ExpressionBinder(session_, level_, Clause::kJoinCondition)
                                  .BindBoolean(*statement_.condition, "JOIN/ON");
    auto join =
        std::make_unique<BoundJoin>(BoundJoinType::kLeft, std::move(from.table), std::move(target.reference));
    SplitAnd(std::move(condition), join->conditions);
    select->from = std::move(join);
    select->table_index = select->item_index = session_.NewTableIndex();
    select->items.push_back(std::make_unique<ColumnRefExpression>(
        TypeId::kBigInt, ColumnBinding{target.table_index, target.table->columns.size()}, kRowNumberName));
    select->names.emplace_back(kRowNumberName);
    select->types.emplace_back(TypeId::kBigInt);
    OfferItems(scope, *select);
    merge_->source = std::move(select);
    level_.scope = &both_;
  }

  /// Makes the columns of the scope items, and the scopes of the clauses over these items.
  void OfferItems(const Scope& scope, BoundSelect& select) {
    std::vector<ScopeTable> tables;
    for (const ScopeTable& table : scope.tables()) {
      ScopeTable& offered = tables.emplace_back();
      offered.schema = table.schema;
      offered.alias = table.alias;
      for (const ScopeColumn& column : table.columns) {
        const LogicalType type = column.value->type();
        offered.columns.push_back(
            {column.name, std::make_unique<ColumnRefExpression>(
                              type, ColumnBinding{select.table_index, select.items.size()}, column.name)});
        select.items.push_back(column.value->Clone());
        select.items.back()->alias = column.name;
        select.names.push_back(column.name);
        select.types.push_back(type);
      }
    }
    for (size_t i = 0; i < tables.size(); i++) {
      Scope single = Scope::OfTable(CopyOf(tables[i]));
      both_ = i == 0 ? Scope::OfTable(CopyOf(tables[i]))
                     : Scope::Combine(std::move(both_), Scope::OfTable(CopyOf(tables[i])), 0);
      if (i == 0) continue;
      using_ = i == 1 ? std::move(single) : Scope::Combine(std::move(using_), std::move(single), 0);
    }
  }

  static ScopeTable CopyOf(const ScopeTable& table) {
    ScopeTable copy;
    copy.schema = table.schema;
    copy.alias = table.alias;
    for (const ScopeColumn& column : table.columns)
      copy.columns.push_back({column.name, column.value->Clone()});
    return copy;
  }

  void BindClause(const ast::MergeClause& syntax) {
    using Action = ast::MergeClause::Action;
    BoundMergeClause& clause = merge_->clauses.emplace_back();
    clause.matched = syntax.matched;
    // What is not matched has no row of the target to speak of.
    level_.scope = syntax.matched ? &both_ : &using_;
    ExpressionBinder binder(session_, level_, Clause::kMergeWhen);
    if (syntax.condition) clause.condition = binder.BindBoolean(*syntax.condition, "MERGE WHEN");
    switch (syntax.action) {
      case Action::kNothing: clause.action = BoundMergeClause::Action::kNothing; break;
      case Action::kDelete: clause.action = BoundMergeClause::Action::kDelete; break;
      case Action::kUpdate: {
        clause.action = BoundMergeClause::Action::kUpdate;
        BindSet(binder, syntax, clause);
        break;
      }
      case Action::kInsert:
        clause.action = BoundMergeClause::Action::kInsert;
        BindValues(binder, syntax, clause);
        break;
    }
  }

  void BindSet(ExpressionBinder& binder, const ast::MergeClause& syntax, BoundMergeClause& clause) {
    const TableEntry& table = *merge_->table;
    const std::vector<size_t> columns = ResolveAssignments(table, syntax.assignments);
    std::vector<ExpressionPtr> set(table.columns.size());
    for (size_t i = 0; i < columns.size(); i++)
      set[columns[i]] = BindAssignment(session_, binder, table.columns[columns[i]], syntax.assignments[i]);
    // The items of the target's columns follow the row number: those that are not set stay as they are.
    for (size_t i = 0; i < set.size(); i++) {
      if (set[i]) continue;
      set[i] = std::make_unique<ColumnRefExpression>(
          table.columns[i].type, ColumnBinding{merge_->source->table_index, i + 1}, table.columns[i].name);
    }
    CompleteUpdate(session_.context(), table, merge_->source->table_index, std::move(set), clause.values,
                   clause.set_columns);
    clause.set_columns = columns;
    for (size_t i = 0; i < table.columns.size(); i++) {
      if (IsGenerated(table.columns[i])) clause.set_columns.push_back(i);
    }
    std::sort(clause.set_columns.begin(), clause.set_columns.end());
  }

  void BindValues(ExpressionBinder& binder, const ast::MergeClause& syntax, BoundMergeClause& clause) {
    const TableEntry& table = *merge_->table;
    std::vector<size_t> columns =
        ResolveTableColumns(table, syntax.columns, syntax.column_positions, syntax.position);
    if (syntax.values.size() > columns.size() ||
        (syntax.values.size() < columns.size() && !syntax.columns.empty() && !syntax.values.empty())) {
      ThrowError(ErrorKind::kSyntax, sqlstate::kSyntaxError,
                 fmt::format("INSERT has {} expressions for {} target columns", syntax.values.size(),
                             columns.size()),
                 syntax.values[0]->position);
    }
    clause.values.resize(table.columns.size());
    for (size_t i = 0; i < syntax.values.size(); i++) {
      const ColumnDefinition& column = table.columns[columns[i]];
      const bool forgets =
          syntax.overriding == ast::Overriding::kUser && column.identity != IdentityKind::kNone;
      if (IsDefaultMarker(*syntax.values[i]) || forgets) continue;
      if (IsGenerated(column) ||
          (column.identity == IdentityKind::kAlways && syntax.overriding != ast::Overriding::kSystem))
        ThrowGeneratedColumn(column, "inserted", syntax.values[i]->position);
      clause.values[columns[i]] =
          CoerceForAssignment(session_, binder.Bind(*syntax.values[i]), column.type, column.name);
    }
    for (size_t i = 0; i < clause.values.size(); i++) {
      if (!clause.values[i]) clause.values[i] = BindColumnDefault(session_, table.columns[i]);
      clause.values[i]->alias = table.columns[i].name;
    }
    FillGenerated(session_.context(), table, clause.values);
  }

  BindSession& session_;
  const ast::MergeStatement& statement_;
  std::unique_ptr<BoundMerge> merge_;
  QueryLevel level_;
  Scope both_;   // The target and USING, over the source's columns.
  Scope using_;  // USING alone.
};

}  // namespace

BoundStatementPtr BindMerge(BindSession& session, const ast::MergeStatement& statement) {
  return MergeBinder(session, statement).Bind();
}

}  // namespace scaup
