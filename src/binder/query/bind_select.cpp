// Binds SELECT: its clauses in an order in which each finds the names that it may use.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "binder/bound/subquery_expression.hpp"
#include "binder/query/collated_rows.hpp"
#include "binder/query/group_by.hpp"
#include "binder/query/select_keys.hpp"
#include "binder/scope/coercion.hpp"
#include "binder/scope/collation.hpp"
#include "binder/scope/document_value.hpp"
#include "binder/scope/expression_binder.hpp"
#include "binder/scope/nested_expressions.hpp"
#include "binder/scope/query_binder.hpp"
#include "binder/scope/star_columns.hpp"
#include "common/throw.hpp"
#include "expression/window_expression.hpp"

namespace scaup {

namespace {

class SelectBinder {
 public:
  SelectBinder(BindSession& session, const ast::SelectStatement& statement, QueryLevel& level,
               Untyped untyped)
      : session_(session),
        statement_(statement),
        level_(level),
        untyped_(untyped),
        select_(std::make_unique<BoundSelect>()),
        keys_(session, statement, level, *select_) {}

  BoundQueryPtr Bind() {
    BoundFrom from = BindFrom(session_, statement_.from, level_);
    select_->from = std::move(from.table);
    level_.scope = &from.scope;
    level_.windows = &statement_.windows;
    level_.items = &statement_.items;
    level_.visible_items = statement_.items.size();
    if (statement_.where) select_->where = BindWhere();
    select_->group_index = session_.NewTableIndex();
    select_->aggregate_index = session_.NewTableIndex();
    level_.select = select_.get();
    // Items come before GROUP BY and ORDER BY, which may refer to them by alias or position.
    BindItems();
    BindGroupBy(session_, statement_, level_, *select_);
    if (statement_.having) {
      select_->having =
          ExpressionBinder(session_, level_, Clause::kHaving).BindBoolean(*statement_.having, "HAVING");
      select_->is_grouped = true;
    }
    BindQualify();
    keys_.Bind();
    CheckWindows();
    // Subqueries may already have added aggregates over this query's columns.
    if (!select_->aggregates.empty() || level_.asks_grouping) select_->is_grouped = true;
    if (select_->is_grouped) Group();
    if (statement_.distinct && statement_.distinct_on.empty()) NormalizeItems();
    if (level_.reads_round && !select_->aggregates.empty()) {
      ThrowError(ErrorKind::kBinder, sqlstate::kInvalidRecursion,
                 "aggregate functions are not allowed in a recursive query's recursive term",
                 statement_.position);
    }
    CheckRowLock();
    // Windows and sets are taken out of the items only after all keys have been compared with the items.
    keys_.Place();
    Finish();
    BindLimit(session_, statement_, level_, *select_);
    level_.scope = nullptr;
    level_.items = nullptr;
    level_.select = nullptr;
    return std::move(select_);
  }

 private:
  void BindItems() {
    ExpressionBinder binder(session_, level_, Clause::kSelect);
    for (const auto& item : statement_.items) {
      // An item may use the aliases of those before it.
      level_.visible_items = static_cast<size_t>(&item - statement_.items.data());
      if (item.expression->kind == ast::ExpressionKind::kStar) {
        const auto& star = item.expression->As<ast::Star>();
        if (!star.only_unused) AddStar(binder, star);
        continue;
      }
      AddExpanded(binder, item);
    }
    level_.visible_items = statement_.items.size();
    AddUnusedColumns();
    select_->is_grouped = binder.place().has_aggregate();
  }

  /// Puts the columns of FROM that no item uses in front of the items, if the first item asks for them.
  void AddUnusedColumns() {
    if (statement_.items.empty() || statement_.items[0].expression->kind != ast::ExpressionKind::kStar)
      return;
    const auto& star = statement_.items[0].expression->As<ast::Star>();
    if (!star.only_unused) return;
    std::vector<ColumnBinding> used;
    for (const ExpressionPtr& item : select_->items) {
      ForEachColumnRef(*item, [&](const ColumnRefExpression& column) { used.push_back(column.binding); });
    }
    std::vector<ExpressionPtr> items;
    std::vector<std::string> names;
    for (StarColumn& column : ColumnsOfStar(level_, star)) {
      bool is_used = false;
      ForEachColumnRef(*column.value, [&](const ColumnRefExpression& reference) {
        is_used = is_used || std::find(used.begin(), used.end(), reference.binding) != used.end();
      });
      if (is_used) continue;
      items.push_back(std::move(column.value));
      names.push_back(std::move(column.name));
    }
    select_->items.insert(select_->items.begin(), std::make_move_iterator(items.begin()),
                          std::make_move_iterator(items.end()));
    select_->names.insert(select_->names.begin(), names.begin(), names.end());
  }

  ExpressionPtr BindItem(ExpressionBinder& binder, const ast::Expression& syntax) {
    ExpressionPtr bound = binder.Bind(syntax);
    return untyped_ == Untyped::kSettle ? Settle(session_, std::move(bound)) : std::move(bound);
  }

  /// Adds an item, or one for each column if COLUMNS(...) is in it.
  void AddExpanded(ExpressionBinder& binder, const ast::SelectItem& item) {
    ColumnsExpansion expansion;
    level_.columns = &expansion;
    do {
      ExpressionPtr bound = BindItem(binder, *item.expression);
      std::string name = item.alias.empty() ? ColumnNameOf(*item.expression) : item.alias;
      if (item.alias.empty() && !expansion.names.empty()) {
        const std::string& column = expansion.names[expansion.index];
        name = name == "columns" || name == "?column?" ? column : fmt::format("{}({})", name, column);
      }
      AddItem(std::move(bound), std::move(name));
    } while (++expansion.index < expansion.names.size());
    level_.columns = nullptr;
  }

  /// Binds WHERE. With COLUMNS(...) it must be true for each column.
  ExpressionPtr BindWhere() {
    ColumnsExpansion expansion;
    level_.columns = &expansion;
    std::vector<ExpressionPtr> parts;
    do {
      parts.push_back(
          ExpressionBinder(session_, level_, Clause::kWhere).BindBoolean(*statement_.where, "WHERE"));
    } while (++expansion.index < expansion.names.size());
    level_.columns = nullptr;
    return MakeAnd(std::move(parts));
  }

  void AddItem(ExpressionPtr expression, std::string name) {
    select_->names.push_back(std::move(name));
    select_->items.push_back(std::move(expression));
  }

  /// (x).*: the fields of a row.
  void AddFields(ExpressionBinder& binder, const ast::Star& star, const ast::Expression& of) {
    const ExpressionPtr row = binder.Bind(of);
    if (row->type().id() != TypeId::kStruct || IsUnion(row->type())) {
      ThrowError(ErrorKind::kBinder, sqlstate::kWrongObjectType,
                 fmt::format("(x).* needs a row or a struct, but this has type {}", row->type().ToString()),
                 star.position);
    }
    for (const StructField& field : row->type().fields())
      AddItem(MakeMember(session_, row->Clone(), field.name, star.position), field.name);
  }

  /// Returns whether x.* is of a column with a struct, since no table has that name.
  bool IsColumn(const ast::Star& star) const {
    if (star.qualifier.size() != 1 || star.changes || level_.scope == nullptr) return false;
    if (level_.scope->FindTable("", star.qualifier[0], star.position) != nullptr) return false;
    const ScopeColumn* column = level_.scope->FindVisible(star.qualifier[0], star.position);
    return column != nullptr && column->value->type().id() == TypeId::kStruct;
  }

  void AddStar(ExpressionBinder& binder, const ast::Star& star) {
    if (star.of) return AddFields(binder, star, *star.of);
    if (IsColumn(star)) {
      ast::Column column;
      column.names = star.qualifier;
      column.position = star.position;
      return AddFields(binder, star, column);
    }
    // OLD.* and NEW.* of a trigger need no FROM.
    if (statement_.from.empty() && star.qualifier.empty()) {
      ThrowError(ErrorKind::kSyntax, sqlstate::kSyntaxError, "SELECT * with no tables specified is not valid",
                 star.position);
    }
    for (StarColumn& column : ColumnsOfStar(level_, star)) {
      AddItem(column.replacement != nullptr ? BindItem(binder, *column.replacement) : std::move(column.value),
              std::move(column.name));
    }
  }

  void BindQualify() {
    if (!statement_.qualify) return;
    ExpressionBinder binder(session_, level_, Clause::kQualify);
    select_->qualify = binder.BindBoolean(*statement_.qualify, "QUALIFY");
    if (binder.place().has_aggregate()) select_->is_grouped = true;
  }

  /// Binds the definitions of the WINDOW clause to find errors also in unused ones.
  void CheckWindows() {
    if (!statement_.partition.empty()) {
      ThrowError(ErrorKind::kBinder, sqlstate::kSyntaxError,
                 "PARTITION BY and ORDER BY behind a query are for arguments of table functions in FROM",
                 statement_.partition[0].position);
    }
    std::set<std::string> names;
    for (const ast::WindowSpecification& window : statement_.windows) {
      if (!names.insert(window.name).second) {
        ThrowError(ErrorKind::kBinder, sqlstate::kWindowingError,
                   fmt::format("window \"{}\" is already defined", window.name), window.position);
      }
      ExpressionBinder binder(session_, level_, Clause::kSelect);
      CheckWindow(binder, window);
    }
  }

  /// FOR UPDATE and FOR SHARE: each row of the query must be one of its tables' rows.
  void CheckRowLock() const {
    if (!statement_.row_lock) return;
    const auto refuse = [this](const char* what) {
      ThrowNotSupported(fmt::format("{} is not allowed with {}", statement_.row_lock->words, what),
                        statement_.row_lock->position);
    };
    if (select_->is_grouped) refuse("aggregate functions");
    const auto has_window = [](const ExpressionPtr& item) { return HasWindow(*item); };
    if (std::any_of(select_->items.begin(), select_->items.end(), has_window)) refuse("window functions");
  }

  /// DISTINCT: normalizes document values, so that equal values are identical.
  void NormalizeItems() {
    for (ExpressionPtr& item : select_->items)
      item = WithoutOrderOfBytes(NormalOf(session_, std::move(item)));
    keys_.Normalize();
  }

  void Group() {
    std::vector<ExpressionPtr*> expressions;
    for (auto& item : select_->items) expressions.push_back(&item);
    if (select_->having) expressions.push_back(&select_->having);
    if (select_->qualify) expressions.push_back(&select_->qualify);
    keys_.ForEachExpression([&](ExpressionPtr& key) { expressions.push_back(&key); });
    for (ExpressionPtr& argument : select_->direct_arguments) expressions.push_back(&argument);
    GroupExpressions(session_, *select_, expressions);
    select_->direct_arguments.clear();
    for (ExpressionPtr& group : select_->groups) TakeSets(session_, select_->group_sets, group);
  }

  void Finish() {
    for (ExpressionPtr& item : select_->items) {
      TakeWindows(session_, *select_, item);
      TakeSets(session_, select_->sets, item);
    }
    if (select_->qualify) TakeWindows(session_, *select_, select_->qualify);
    select_->distinct = statement_.distinct && statement_.distinct_on.empty();
    if (select_->distinct) {
      for (size_t i = 0; i < select_->names.size(); i++) {
        select_->items[i] = Settle(session_, std::move(select_->items[i]));
      }
    }
    if (select_->distinct) CompareCollated(session_, *select_);
    select_->table_index = session_.NewTableIndex();
    const bool has_hidden = select_->items.size() > select_->names.size();
    select_->item_index = has_hidden ? session_.NewTableIndex() : select_->table_index;
    for (size_t i = 0; i < select_->names.size(); i++) {
      select_->items[i]->alias = select_->names[i];
      select_->types.push_back(select_->items[i]->type());
    }
  }

  BindSession& session_;
  const ast::SelectStatement& statement_;
  QueryLevel& level_;
  Untyped untyped_;
  std::unique_ptr<BoundSelect> select_;
  SelectKeys keys_;
};

}  // namespace

BoundQueryPtr BindSelect(BindSession& session, const ast::SelectStatement& statement, QueryLevel& level,
                         Untyped untyped) {
  return SelectBinder(session, statement, level, untyped).Bind();
}

}  // namespace scaup
