// Binds FROM: joins and derived tables, and the order in which FROM items see one another.
#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "binder/query/from_item.hpp"
#include "binder/query/table_scope.hpp"
#include "binder/scope/coercion.hpp"
#include "binder/scope/document_value.hpp"
#include "binder/scope/expression_binder.hpp"
#include "common/stack_bound.hpp"
#include "common/throw.hpp"

namespace scaup {

namespace {

BoundFrom FromQuery(BindSession& session, BoundQueryPtr query, const ast::TableRef& table,
                    const std::string& name) {
  NoteDocumentColumns(session, *query, query->table_index);
  Scope scope = MakeScope(table, name, query->table_index, query->names, query->types, "");
  return {std::make_unique<BoundQueryTable>(std::move(query)), std::move(scope)};
}

/// (a JOIN b ...) AS j: only j is visible outside of the join.
Scope Renamed(const ast::Join& join, Scope scope) {
  ScopeTable table;
  table.alias = join.alias;
  std::vector<std::string> names;
  std::vector<ScopeColumn> columns = scope.AllVisible();
  for (const auto& column : columns) names.push_back(column.name);
  RenameColumns(names, join.column_aliases, join.alias, join.position);
  for (size_t i = 0; i < names.size(); i++) {
    table.columns.push_back({names[i], std::move(columns[i].value)});
  }
  return Scope::OfTable(std::move(table));
}

std::vector<std::string> CommonNames(const ast::Join& join, const Scope& left, const Scope& right) {
  if (!join.natural) return join.using_columns;
  std::vector<std::string> names;
  for (const auto& column : left.AllVisible()) {
    if (right.FindVisible(column.name, join.position) != nullptr && right.IsOldName(column.name))
      names.push_back(column.name);
  }
  return names;
}

bool IsAsof(BoundJoinType type) { return type == BoundJoinType::kAsof || type == BoundJoinType::kAsofLeft; }

ExpressionPtr MergedValue(BindSession& session, BoundJoinType type, const Expression& left,
                          const Expression& right) {
  if (type == BoundJoinType::kRight) return right.Clone();
  if (type != BoundJoinType::kFull) return left.Clone();
  std::vector<ExpressionPtr> either;
  either.push_back(left.Clone());
  either.push_back(right.Clone());
  return MakeScalarCall(session, "coalesce", std::move(either), std::nullopt);
}

/// Joins by USING or NATURAL: equal columns are merged, and come first in the scope.
Scope MergeColumns(BindSession& session, const ast::Join& join, BoundJoin& bound, Scope left, Scope right) {
  const std::vector<std::string> names = CommonNames(join, left, right);
  std::vector<ScopeColumn> merged;
  for (const std::string& name : names) {
    const ScopeColumn* left_column = left.FindVisible(name, join.position);
    const ScopeColumn* right_column = right.FindVisible(name, join.position);
    if (left_column == nullptr || right_column == nullptr) {
      ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedColumn,
                 fmt::format("column \"{}\" specified in USING clause does not exist in {} table", name,
                             left_column == nullptr ? "left" : "right"),
                 join.position);
    }
    merged.push_back({name, MergedValue(session, bound.type, *left_column->value, *right_column->value)});
    // ASOF JOIN ... USING (k, t): the last column is the one whose nearest value is wanted.
    const bool is_nearest = IsAsof(bound.type) && &name == &names.back();
    bound.conditions.push_back(
        MakeComparison(session, is_nearest ? ComparisonOp::kGreaterEqual : ComparisonOp::kEqual,
                       left_column->value->Clone(), right_column->value->Clone(), join.position));
  }
  left.Hide(names);
  right.Hide(names);
  Scope scope = Scope::Combine(std::move(left), std::move(right), join.position);
  if (!join.using_alias.empty()) {
    ScopeTable table;
    table.alias = join.using_alias;
    for (const ScopeColumn& column : merged) table.columns.push_back({column.name, column.value->Clone()});
    Scope named = Scope::OfTable(std::move(table));
    named.visible().clear();  // already visible as columns of the join
    scope = Scope::Combine(std::move(scope), std::move(named), join.position);
  }
  scope.visible().insert(scope.visible().begin(), std::make_move_iterator(merged.begin()),
                         std::make_move_iterator(merged.end()));
  return scope;
}

/// Binds one item of FROM, which may be a tree of joins.
class FromBinder {
 public:
  /// `before` is the scope of the preceding FROM items, visible to LATERAL; null if there are none.
  FromBinder(BindSession& session, QueryLevel& level, const Scope* before)
      : session_(session), level_(level), before_(level) {
    if (before != nullptr) before_.Push(*before);
  }

  BoundFrom Bind(const ast::TableRef& table) {
    CheckStack();
    switch (table.kind) {
      case ast::TableRefKind::kTable: return BindNamedTable(session_, level_, table.As<ast::NamedTable>());
      case ast::TableRefKind::kJoin: return BindJoin(table.As<ast::Join>());
      case ast::TableRefKind::kSubquery: return BindDerived(table.As<ast::SubqueryTable>());
      case ast::TableRefKind::kFunction:
        return BindFunctionTable(session_, level_, before_, table.As<ast::FunctionTable>());
      case ast::TableRefKind::kPivot: return BindPivot(session_, level_, table.As<ast::PivotTable>());
    }
    ThrowInternal("unknown table reference");
  }

 private:
  BoundFrom BindDerived(const ast::SubqueryTable& table) {
    if (!table.lateral) return FromQuery(session_, BindQuery(session_, *table.query, &level_), table, "");
    return before_.See(table.position, [&] {
      return FromQuery(session_, BindQuery(session_, *table.query, &level_), table, "");
    });
  }

  BoundFrom BindJoin(const ast::Join& join) {
    CheckStack();
    const auto bind_side = [&](const ast::TableRef& side, bool may_be_null) {
      session_.surroundings.outer_joins += may_be_null;
      BoundFrom bound = Bind(side);
      session_.surroundings.outer_joins -= may_be_null;
      return bound;
    };
    const bool is_full = join.join == ast::JoinType::kFull || join.join == ast::JoinType::kPositional;
    const bool is_left = join.join == ast::JoinType::kLeft || join.join == ast::JoinType::kAsofLeft;
    BoundFrom left = bind_side(*join.left, is_full || join.join == ast::JoinType::kRight);
    // A LATERAL item on the right may use the left side, unless the join preserves rows of the right side.
    const bool sees_left = !is_full && join.join != ast::JoinType::kRight;
    if (sees_left) before_.Push(left.scope);
    BoundFrom right = bind_side(*join.right, is_full || is_left);
    if (sees_left) before_.Pop();
    BoundJoinType type = BoundJoinType::kInner;
    switch (join.join) {
      case ast::JoinType::kInner:
      case ast::JoinType::kCross: break;
      case ast::JoinType::kLeft: type = BoundJoinType::kLeft; break;
      case ast::JoinType::kRight: type = BoundJoinType::kRight; break;
      case ast::JoinType::kFull: type = BoundJoinType::kFull; break;
      case ast::JoinType::kSemi: type = BoundJoinType::kSemi; break;
      case ast::JoinType::kAnti: type = BoundJoinType::kAnti; break;
      case ast::JoinType::kPositional: type = BoundJoinType::kPositional; break;
      case ast::JoinType::kAsof: type = BoundJoinType::kAsof; break;
      case ast::JoinType::kAsofLeft: type = BoundJoinType::kAsofLeft; break;
    }
    auto bound = std::make_unique<BoundJoin>(type, std::move(left.table), std::move(right.table));
    // Only the condition of SEMI and ANTI JOIN sees the right side.
    const bool is_left_only = type == BoundJoinType::kSemi || type == BoundJoinType::kAnti;
    Scope left_only;
    if (is_left_only) left_only = left.scope.Clone();
    Scope scope;
    if (join.natural || !join.using_columns.empty()) {
      scope = MergeColumns(session_, join, *bound, std::move(left.scope), std::move(right.scope));
    } else {
      scope = Scope::Combine(std::move(left.scope), std::move(right.scope), join.position);
    }
    if (join.condition) {
      const Scope* before = level_.scope;
      level_.scope = &scope;
      ExpressionBinder binder(session_, level_, Clause::kJoinCondition);
      ExpressionPtr condition = binder.BindBoolean(*join.condition, "JOIN/ON");
      SplitAnd(std::move(condition), bound->conditions);
      level_.scope = before;
    }
    if (is_left_only) scope = std::move(left_only);
    if (!join.alias.empty()) scope = Renamed(join, std::move(scope));
    return {std::move(bound), std::move(scope)};
  }

  BindSession& session_;
  QueryLevel& level_;
  ItemsBefore before_;
};

}  // namespace

Scope ItemsBefore::Combined(size_t position) const {
  Scope all;
  for (const Scope* scope : scopes_) all = Scope::Combine(std::move(all), scope->Clone(), position);
  return all;
}

BoundFrom BindTableRef(BindSession& session, const ast::TableRef& table, QueryLevel& level) {
  CheckStack();
  return FromBinder(session, level, nullptr).Bind(table);
}

BoundFrom BindFrom(BindSession& session, const std::vector<ast::TableRefPtr>& from, QueryLevel& level) {
  BoundFrom all;
  for (const auto& table : from) {
    BoundFrom next = FromBinder(session, level, all.table ? &all.scope : nullptr).Bind(*table);
    if (!all.table) {
      all = std::move(next);
      continue;
    }
    all.table =
        std::make_unique<BoundJoin>(BoundJoinType::kInner, std::move(all.table), std::move(next.table));
    all.scope = Scope::Combine(std::move(all.scope), std::move(next.scope), table->position);
  }
  return all;
}

}  // namespace scaup
