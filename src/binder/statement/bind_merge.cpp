// Binds MERGE.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

#include "binder/bound/subquery_expression.hpp"
#include "binder/scope/bind_statement.hpp"
#include "binder/scope/coercion.hpp"
#include "binder/scope/query_binder.hpp"
#include "binder/scope/written_view.hpp"
#include "binder/write/before_triggers.hpp"
#include "binder/write/collection_changes.hpp"
#include "binder/write/written_row.hpp"
#include "common/throw.hpp"
#include "type/scan_filter.hpp"

namespace scaup {

namespace {

using Match = ast::MergeClause::Match;
using Action = ast::MergeClause::Action;
using Branches = std::vector<CaseExpression::Branch>;

std::unique_ptr<BoundSelect> NewSelect(BindSession& session) {
  auto select = std::make_unique<BoundSelect>();
  select->table_index = select->item_index = session.NewTableIndex();
  return select;
}

size_t AddItem(BoundSelect& select, ExpressionPtr item, const std::string& name) {
  item->alias = name;
  select.types.push_back(item->type());
  select.names.push_back(name);
  select.items.push_back(std::move(item));
  return select.items.size() - 1;
}

ExpressionPtr ReferTo(const BoundSelect& select, size_t item) {
  return std::make_unique<ColumnRefExpression>(select.types[item], ColumnBinding{select.table_index, item},
                                               select.names[item]);
}

/// Adds the columns of a scope to the items of a query, and returns a scope that refers to these items.
Scope OfferColumns(const Scope& scope, BoundSelect& select) {
  Scope offered = scope.Clone();
  std::map<ColumnBinding, size_t> items;  // plain columns, most of which occur twice
  const auto offer = [&](ScopeColumn& column) {
    ExpressionPtr value = std::move(column.value);
    if (value->kind() != ExpressionKind::kColumnRef) {
      column.value = ReferTo(select, AddItem(select, std::move(value), column.name));
      return;
    }
    const auto [place, is_new] = items.try_emplace(value->As<ColumnRefExpression>().binding, 0);
    if (is_new) place->second = AddItem(select, std::move(value), column.name);
    column.value = ReferTo(select, place->second);
  };
  for (ScopeTable& table : offered.tables()) {
    table.columns = table.AllColumns();
    table.documents.reset();
  }
  offered.visible() = offered.AllVisible();
  for (ScopeTable& table : offered.tables())
    for (ScopeColumn& column : table.columns) offer(column);
  for (ScopeColumn& column : offered.visible()) offer(column);
  return offered;
}

ExpressionPtr IntegerOrNull(std::optional<size_t> number) {
  return std::make_unique<ConstantExpression>(number ? Value::Integer(static_cast<int32_t>(*number))
                                                     : Value(TypeId::kInteger));
}

ExpressionPtr IsNull(ExpressionPtr value) {
  return std::make_unique<IsNullExpression>(std::move(value), false);
}

/// The scopes of the clauses: over the tables for conditions, over the joined rows for values.
struct MergeScopes {
  Scope target;
  Scope source;
  Scope both;

  MergeScopes() = default;
  MergeScopes(Scope target_in, Scope source_in, size_t position)
      : target(std::move(target_in)), source(std::move(source_in)) {
    both = Scope::Combine(target.Clone(), source.Clone(), position);
  }
  const Scope& For(Match match) const {
    switch (match) {
      case Match::kMatched: return both;
      case Match::kNotMatchedByTarget: return source;  // there is no row of the target
      case Match::kNotMatchedBySource: return target;
    }
    return both;
  }
};

bool HasClause(const ast::MergeStatement& statement, Match match) {
  return std::any_of(statement.clauses.begin(), statement.clauses.end(),
                     [&](const ast::MergeClause& clause) { return clause.match == match; });
}

/// Binds a MERGE to a source of nested queries:
/// - the join of USING and the target, with the number of the clause that applies to each row; it is an outer
///   join if the clauses need unmatched rows;
/// - the rows to be written, each column as CASE clause WHEN 0 THEN ... END;
/// - if the table has generated columns, a query that computes them from the others.
class MergeBinder {
 public:
  MergeBinder(BindSession& session, const ast::MergeStatement& statement)
      : session_(session), statement_(statement), merge_(std::make_unique<BoundMerge>()) {}

  BoundStatementPtr Bind() {
    session_.CountQuery(statement_.position);
    level_.outer = session_.around;
    BeginWith(statement_.with.queries, statement_.with.recursive, level_);
    CheckReachable();
    BindJoin();
    for (const ast::MergeClause& clause : statement_.clauses) BindValues(clause);
    BindRowExpressions();
    ChooseColumns();
    MakeRows();
    level_.scope = nullptr;
    FinishWith(session_, level_, *merge_->source);
    return std::move(merge_);
  }

 private:
  /// Throws 42601 for a clause after an unconditional one of the same kind: the first clause that applies
  /// decides.
  void CheckReachable() const {
    std::vector<Match> decided;
    for (const ast::MergeClause& clause : statement_.clauses) {
      if (std::find(decided.begin(), decided.end(), clause.match) != decided.end()) {
        ThrowError(ErrorKind::kBinder, sqlstate::kSyntaxError,
                   "unreachable WHEN clause specified after unconditional WHEN clause", clause.position);
      }
      if (!clause.condition) decided.push_back(clause.match);
    }
  }

  // --- The join
  // ------------------------------------------------------------------------------------------------------

  void BindJoin() {
    joined_ = NewSelect(session_);
    BoundTarget target = BindTarget(session_, statement_.table);
    if (target.view) {
      ThrowNotSupported(fmt::format("cannot merge into view \"{}\"; merge into table \"{}\", which it reads",
                                    statement_.table.name, target.table->name),
                        statement_.table.position);
    }
    merge_->table = target.table;
    collection_ = session_.FindCollection(target.table_index);
    column_count_ = collection_ != nullptr ? 1 : target.table->columns.size();
    BoundFrom from = BindTableRef(session_, *statement_.source, level_);
    const bool keeps_source = HasClause(statement_, Match::kNotMatchedByTarget),
               keeps_target = HasClause(statement_, Match::kNotMatchedBySource);
    if (keeps_target) from = MarkSource(std::move(from));
    AddItem(*joined_,
            std::make_unique<ColumnRefExpression>(
                TypeId::kBigInt, ColumnBinding{target.table_index, kRowNumberColumn}, kRowNumberName),
            kRowNumberName);
    Scope target_columns =
        collection_ != nullptr ? OfferRecord(target.scope) : OfferColumns(target.scope, *joined_);
    Scope source_columns = OfferColumns(from.scope, *joined_);
    const size_t position = statement_.source->position;
    const MergeScopes tables(std::move(target.scope), std::move(from.scope), position);
    joined_scopes_ = MergeScopes(std::move(target_columns), std::move(source_columns), position);
    level_.scope = &tables.both;
    ExpressionPtr condition = ExpressionBinder(session_, level_, Clause::kJoinCondition)
                                  .BindBoolean(*statement_.condition, "JOIN/ON");
    const BoundJoinType type = keeps_source && keeps_target ? BoundJoinType::kFull
                               : keeps_source               ? BoundJoinType::kLeft
                               : keeps_target               ? BoundJoinType::kRight
                                                            : BoundJoinType::kInner;
    auto join = std::make_unique<BoundJoin>(type, std::move(from.table), std::move(target.reference));
    SplitAnd(std::move(condition), join->conditions);
    joined_->from = std::move(join);
    clause_item_ = AddItem(*joined_, ClauseThatFits(tables), "clause");
  }

  /// Adds the record of a collection as its only column, and returns a scope that reads paths from it.
  Scope OfferRecord(const Scope& scope) {
    const size_t item = AddItem(*joined_, collection_->Record(), merge_->table->columns[0].name);
    return WithRecord(scope, *collection_, ReferTo(*joined_, item));
  }

  /// Returns the scope with paths of `record` instead of paths of the documents `old`.
  Scope WithRecord(const Scope& scope, const DocumentSource& old, ExpressionPtr record) {
    record_ = std::make_shared<RecordSource>(old.attributes(), std::move(record));
    Scope changed = scope.Clone();
    changed.ReplaceDocuments(old, record_);
    return changed;
  }

  /// Wraps USING in a query with an additional column. It is NULL only for rows that no row of USING matched.
  BoundFrom MarkSource(BoundFrom from) {
    auto select = NewSelect(session_);
    Scope offered = OfferColumns(from.scope, *select);
    const size_t mark =
        AddItem(*select, std::make_unique<ConstantExpression>(Value::Boolean(true)), "is matched");
    source_mark_ = ReferTo(*select, mark);
    select->from = std::move(from.table);
    return {std::make_unique<BoundQueryTable>(std::move(select)), std::move(offered)};
  }

  /// Returns the number of the clause that applies. The CASEs are nested, so that a condition is evaluated
  /// only for the rows that it is meant for.
  ExpressionPtr ClauseThatFits(const MergeScopes& tables) {
    std::map<Match, ExpressionPtr> fitting;
    for (const Match match : {Match::kMatched, Match::kNotMatchedByTarget, Match::kNotMatchedBySource})
      fitting[match] = ClauseAmong(match, tables.For(match));
    Branches branches;
    if (HasClause(statement_, Match::kNotMatchedByTarget))
      branches.push_back(
          {IsNull(joined_->items[0]->Clone()), std::move(fitting[Match::kNotMatchedByTarget])});
    if (source_mark_)
      branches.push_back({IsNull(std::move(source_mark_)), std::move(fitting[Match::kNotMatchedBySource])});
    if (branches.empty()) return std::move(fitting[Match::kMatched]);
    return std::make_unique<CaseExpression>(TypeId::kInteger, std::move(branches),
                                            std::move(fitting[Match::kMatched]));
  }

  ExpressionPtr ClauseAmong(Match match, const Scope& scope) {
    level_.scope = &scope;
    ExpressionBinder binder(session_, level_, Clause::kMergeWhen);
    Branches branches;
    ExpressionPtr otherwise = IntegerOrNull(std::nullopt);
    for (size_t i = 0; i < statement_.clauses.size(); i++) {
      const ast::MergeClause& clause = statement_.clauses[i];
      if (clause.match != match) continue;
      ExpressionPtr number =
          clause.action == Action::kNothing ? IntegerOrNull(std::nullopt) : IntegerOrNull(i);
      if (clause.condition) {
        branches.push_back({binder.BindBoolean(*clause.condition, "MERGE WHEN"), std::move(number)});
      } else {
        otherwise = std::move(number);
      }
    }
    if (branches.empty()) return otherwise;
    return std::make_unique<CaseExpression>(TypeId::kInteger, std::move(branches), std::move(otherwise));
  }

  // --- What the clauses write
  // ------------------------------------------------------------------------------------------------------

  void BindValues(const ast::MergeClause& syntax) {
    BoundMergeClause& clause = merge_->clauses.emplace_back();
    clause.match = syntax.match;
    clause.action = syntax.action;
    std::vector<ExpressionPtr>& values = values_.emplace_back(column_count_);
    level_.scope = &joined_scopes_.For(syntax.match);
    ExpressionBinder binder(session_, level_, Clause::kMergeWhen);
    if (collection_ != nullptr) {
      values[0] = BindRecord(binder, syntax);
    } else if (syntax.action == Action::kUpdate) {
      BindSet(binder, syntax, values);
    } else if (syntax.action == Action::kInsert) {
      BindInserted(binder, syntax, values);
    }
    if (collection_ != nullptr) return;
    conditions_.push_back(ApplyClauseTriggers(session_, *merge_->table, clause, values, [&](size_t column) {
      return ReferTo(*joined_, kFirstOfTarget + column);
    }));
  }

  /// Returns the record that a clause writes; null if it writes none.
  ExpressionPtr BindRecord(ExpressionBinder& binder, const ast::MergeClause& syntax) {
    ChangedRecord changed;
    if (syntax.action == Action::kUpdate) {
      changed = BindSetPaths(session_, binder, *record_, ReferTo(*joined_, kFirstOfTarget),
                             syntax.assignments, syntax.position,
                             statement_.table.alias.empty() ? statement_.table.name : statement_.table.alias);
    } else if (syntax.action == Action::kInsert) {
      changed = BindInsertedRecord(session_, binder, *record_, syntax, !statement_.returning.empty());
    }
    expected_.insert(expected_.end(), changed.types.begin(), changed.types.end());
    return std::move(changed.record);
  }

  void BindSet(ExpressionBinder& binder, const ast::MergeClause& syntax, std::vector<ExpressionPtr>& values) {
    const TableEntry& table = *merge_->table;
    const std::vector<size_t> columns = ResolveAssignments(table, syntax.assignments);
    for (size_t i = 0; i < columns.size(); i++) {
      values[columns[i]] =
          BindAssignment(session_, binder, table, table.columns[columns[i]], syntax.assignments[i]);
    }
  }

  void BindInserted(ExpressionBinder& binder, const ast::MergeClause& syntax,
                    std::vector<ExpressionPtr>& values) {
    const TableEntry& table = *merge_->table;
    const std::vector<size_t> columns =
        ResolveTableColumns(table, syntax.columns, syntax.column_positions, syntax.position);
    if (syntax.values.size() > columns.size() ||
        (syntax.values.size() < columns.size() && !syntax.columns.empty() && !syntax.values.empty())) {
      ThrowError(ErrorKind::kSyntax, sqlstate::kSyntaxError,
                 fmt::format("INSERT has {} expressions for {} target columns", syntax.values.size(),
                             columns.size()),
                 syntax.values[0]->position);
    }
    for (size_t i = 0; i < syntax.values.size(); i++) {
      const ColumnDefinition& column = table.columns[columns[i]];
      const bool forgets =
          syntax.overriding == ast::Overriding::kUser && column.identity != IdentityKind::kNone;
      if (IsDefaultMarker(*syntax.values[i]) || forgets) continue;
      if (IsGenerated(column) ||
          (column.identity == IdentityKind::kAlways && syntax.overriding != ast::Overriding::kSystem))
        ThrowGeneratedColumn(column, "inserted", syntax.values[i]->position);
      values[columns[i]] =
          CoerceForAssignment(session_, binder.Bind(*syntax.values[i]), column.type, column.name);
    }
    for (size_t i = 0; i < values.size(); i++) {
      if (!values[i] && !IsGenerated(table.columns[i]))
        values[i] = BindColumnDefault(session_, table, table.columns[i]);
    }
  }

  /// Binds generated columns and checks over {row_index_, i}, and RETURNING over the joined rows.
  void BindRowExpressions() {
    const TableEntry& table = *merge_->table;
    row_index_ = session_.NewTableIndex();
    generated_.resize(column_count_);
    for (size_t i = 0; i < column_count_; i++) {
      if (!IsGenerated(table.columns[i])) continue;
      generated_[i] = BindTableText(session_.context(), table, row_index_, table.columns[i].generated_text,
                                    Clause::kGenerated, table.columns[i].type);
    }
    merge_->checks = BindChecks(session_.context(), table, row_index_);
    if (statement_.returning.empty()) return;
    Scope target = joined_scopes_.target.Clone();
    if (collection_ != nullptr) {
      // The values that the clauses write may have types that the path did not have before.
      target = WithRecord(target, *record_, ReferTo(*joined_, kFirstOfTarget));
      for (const auto& [path, type] : expected_) record_->Expect(path, type);
    }
    // The columns of USING come first in *, as in PostgreSQL.
    const Scope scope = Scope::Combine(joined_scopes_.source.Clone(), std::move(target), statement_.position);
    // The position after the table's columns stands for the name of the action.
    const ColumnRefExpression action(TypeId::kVarchar, {row_index_, column_count_}, "merge_action");
    level_.scope = &scope;
    level_.merge_action = &action;
    merge_->returning = BindReturning(session_, level_, statement_.returning);
    level_.merge_action = nullptr;
  }

  /// Returns the column of the target that a binding over the joined rows refers to; nullopt if it is another
  /// column.
  std::optional<size_t> TargetColumn(const ColumnBinding& binding) const {
    const size_t item = binding.column_index;
    if (binding.table_index != joined_->table_index || item < kFirstOfTarget ||
        item >= kFirstOfTarget + column_count_)
      return std::nullopt;
    return item - kFirstOfTarget;
  }

  // --- Which columns the rows need
  // ------------------------------------------------------------------------------------------------------

  void ChooseColumns() {
    const size_t column_count = column_count_;
    std::vector<bool> is_written(column_count);
    for (size_t clause = 0; clause < values_.size(); clause++) {
      for (size_t i = 0; i < column_count; i++) {
        if (!Writes(clause, i)) continue;
        merge_->clauses[clause].columns.push_back(i);
        if (generated_[i]) merge_->clauses[clause].assigned.push_back(i);
        is_written[i] = true;
      }
    }
    std::erase_if(merge_->checks, [&](const BoundCheck& check) {
      const std::vector<bool> uses = ColumnsOf(*check.condition, row_index_, column_count);
      return std::none_of(merge_->clauses.begin(), merge_->clauses.end(), [&](const auto& clause) {
        return clause.action == Action::kInsert ||
               std::any_of(clause.columns.begin(), clause.columns.end(), [&](size_t i) { return uses[i]; });
      });
    });
    is_read_.assign(column_count, false);
    is_returned_.assign(column_count, false);
    const auto read = [&](const Expression& expression) {
      const std::vector<bool> uses = ColumnsOf(expression, row_index_, column_count);
      for (size_t i = 0; i < column_count; i++) is_read_[i] = is_read_[i] || uses[i];
    };
    for (const BoundCheck& check : merge_->checks) read(*check.condition);
    ForEachReturned([&](ExpressionPtr& item) {
      ForEachOwnReference(*item, [&](ColumnRefExpression& reference) {
        if (const auto column = TargetColumn(reference.binding))
          is_read_[*column] = is_returned_[*column] = true;
      });
    });
    for (size_t i = 0; i < column_count; i++) {
      if (generated_[i] && is_written[i]) read(*generated_[i]);
    }
    merge_->row_columns.resize(column_count);
    size_t next = kFirstColumn;
    for (size_t i = 0; i < column_count; i++) {
      if (is_written[i] || is_read_[i]) merge_->row_columns[i] = next++;
    }
  }

  void ForEachReturned(const std::function<void(ExpressionPtr&)>& visit) {
    if (!merge_->returning) return;
    for (ExpressionPtr& item : merge_->returning->items) visit(item);
  }

  /// Returns whether a clause writes a column. REQUIRES: MakeRows has not taken the values yet.
  bool Writes(size_t clause, size_t column) const {
    SCAUP_ASSERT(merge_->source == nullptr);
    if (merge_->clauses[clause].action == Action::kInsert) return true;
    if (merge_->clauses[clause].action != Action::kUpdate) return false;
    if (!generated_[column]) return values_[clause][column] != nullptr;
    const std::vector<bool> uses = ColumnsOf(*generated_[column], row_index_, generated_.size());
    for (size_t i = 0; i < uses.size(); i++)
      if (uses[i] && values_[clause][i]) return true;
    return false;
  }

  // --- The rows
  // ------------------------------------------------------------------------------------------------------

  void MakeRows() {
    const TableEntry& table = *merge_->table;
    auto rows = NewSelect(session_);
    AddItem(*rows, ReferTo(*joined_, 0), kRowNumberName);
    AddItem(*rows, ClauseWithConditions(ReferTo(*joined_, clause_item_), std::move(conditions_)), "clause");
    for (size_t i = 0; i < column_count_; i++)
      if (merge_->row_columns[i]) AddItem(*rows, ValueOf(i), table.columns[i].name);
    AddReturned(*rows);
    rows->from = std::make_unique<BoundQueryTable>(std::move(joined_));
    if (std::any_of(generated_.begin(), generated_.end(), [](const auto& value) { return value != nullptr; }))
      rows = AddGenerated(std::move(rows));
    for (BoundCheck& check : merge_->checks) MoveToRows(check.condition, rows->table_index);
    ForEachReturned([&](ExpressionPtr& item) { MoveToRows(item, rows->table_index); });
    merge_->source = std::move(rows);
  }

  ExpressionPtr IsClause(const BoundSelect& select, size_t item, size_t clause) const {
    return std::make_unique<ComparisonExpression>(ComparisonOp::kEqual, ReferTo(select, item),
                                                  IntegerOrNull(clause));
  }

  /// Returns a column's value, chosen by clause. Generated columns keep their old value here; AddGenerated
  /// computes the new one.
  ExpressionPtr ValueOf(size_t column) {
    const LogicalType& type = merge_->table->columns[column].type;
    Branches branches;
    for (size_t clause = 0; clause < values_.size(); clause++) {
      const Action action = merge_->clauses[clause].action;
      ExpressionPtr value = std::move(values_[clause][column]);
      const bool wants_old = (action == Action::kUpdate && is_read_[column]) ||
                             (action == Action::kDelete && is_returned_[column]);
      if (!value && wants_old) value = ReferTo(*joined_, kFirstOfTarget + column);
      if (value) branches.push_back({IsClause(*joined_, clause_item_, clause), std::move(value)});
    }
    ExpressionPtr null = std::make_unique<ConstantExpression>(Value(type));
    if (branches.empty()) return null;
    return std::make_unique<CaseExpression>(type, std::move(branches), std::move(null));
  }

  /// Adds the columns that RETURNING needs besides those of the table. Its references become {row_index_,
  /// column} for these and {kPassed, item} for the others.
  void AddReturned(BoundSelect& rows) {
    std::map<ColumnBinding, size_t> passed;
    const ColumnBinding action{row_index_, column_count_};
    ForEachReturned([&](ExpressionPtr& item) {
      ForEachOwnReference(*item, [&](ColumnRefExpression& reference) {
        if (const auto column = TargetColumn(reference.binding)) {
          reference.binding = {row_index_, *column};
          return;
        }
        const auto [place, is_new] = passed.try_emplace(reference.binding, 0);
        if (is_new) {
          place->second =
              reference.binding == action
                  ? AddItem(rows, NameOfAction(), reference.name)
                  : AddItem(rows, ReferTo(*joined_, reference.binding.column_index), reference.name);
        }
        reference.binding = {kPassed, place->second};
      });
    });
  }

  ExpressionPtr NameOfAction() const {
    Branches branches;
    for (size_t clause = 0; clause < merge_->clauses.size(); clause++) {
      const Action action = merge_->clauses[clause].action;
      if (action == Action::kNothing) continue;
      const char* name = action == Action::kInsert   ? "INSERT"
                         : action == Action::kUpdate ? "UPDATE"
                                                     : "DELETE";
      branches.push_back({IsClause(*joined_, clause_item_, clause),
                          std::make_unique<ConstantExpression>(Value::Varchar(name))});
    }
    ExpressionPtr null = std::make_unique<ConstantExpression>(Value(TypeId::kVarchar));
    if (branches.empty()) return null;
    return std::make_unique<CaseExpression>(TypeId::kVarchar, std::move(branches), std::move(null));
  }

  /// Adds a query around the rows that recomputes generated columns for the clauses that change their inputs.
  std::unique_ptr<BoundSelect> AddGenerated(std::unique_ptr<BoundSelect> rows) {
    auto select = NewSelect(session_);
    for (size_t i = 0; i < rows->items.size(); i++) AddItem(*select, ReferTo(*rows, i), rows->names[i]);
    for (size_t column = 0; column < generated_.size(); column++) {
      if (!generated_[column] || !merge_->row_columns[column]) continue;
      Branches branches;
      for (size_t clause = 0; clause < merge_->clauses.size(); clause++) {
        const std::vector<size_t>& written = merge_->clauses[clause].columns;
        if (!std::binary_search(written.begin(), written.end(), column)) continue;
        ExpressionPtr value = generated_[column]->Clone();
        MoveToRows(value, rows->table_index);
        branches.push_back({IsClause(*rows, 1, clause), std::move(value)});
      }
      if (branches.empty()) continue;
      ExpressionPtr& item = select->items[*merge_->row_columns[column]];
      ExpressionPtr old = std::move(item);
      const std::string name = old->alias;
      item = std::make_unique<CaseExpression>(old->type(), std::move(branches), std::move(old));
      item->alias = name;
    }
    select->from = std::make_unique<BoundQueryTable>(std::move(rows));
    return select;
  }

  /// Changes {row_index_, column} and {kPassed, item} to the items of the query with this table index.
  void MoveToRows(ExpressionPtr& expression, size_t table_index) const {
    ForEachOwnReference(*expression, [&](ColumnRefExpression& reference) {
      const size_t index = reference.binding.column_index;
      reference.binding = {
          table_index, reference.binding.table_index == kPassed ? index : merge_->row_columns[index].value()};
    });
  }

  static constexpr size_t kFirstOfTarget = 1;        // items of joined_; after the row number
  static constexpr size_t kFirstColumn = 2;          // items of the rows; after row number and clause
  static constexpr size_t kPassed = ~size_t{0} - 1;  // a table index that no session assigns

  BindSession& session_;
  const ast::MergeStatement& statement_;
  std::unique_ptr<BoundMerge> merge_;
  size_t column_count_ = 0;                               // of the target; a collection has only the record
  CollectionUse* collection_ = nullptr;                   // the target; null for a table
  std::shared_ptr<RecordSource> record_;                  // the target's paths, over the joined rows
  std::vector<std::pair<PathId, LogicalType>> expected_;  // types that the clauses write to paths
  QueryLevel level_;
  /// The items are the row number, the columns of the target, those of USING, and the number of the clause.
  std::unique_ptr<BoundSelect> joined_;
  size_t clause_item_ = 0;
  ExpressionPtr source_mark_;
  MergeScopes joined_scopes_;
  std::vector<std::vector<ExpressionPtr>> values_;  // by clause and column; null: not set
  std::vector<ExpressionPtr> conditions_;           // by clause: of triggers; null if there is none
  size_t row_index_ = 0;
  std::vector<ExpressionPtr> generated_;  // by column, over {row_index_, i}
  std::vector<bool> is_read_;             // by checks, RETURNING or generated columns
  std::vector<bool> is_returned_;
};

}  // namespace

BoundStatementPtr BindMerge(BindSession& session, const ast::MergeStatement& statement) {
  return MergeBinder(session, statement).Bind();
}

}  // namespace scaup
