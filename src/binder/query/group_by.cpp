// Binds GROUP BY: expressions, positions and output names; ROLLUP, CUBE and GROUPING SETS.
#include "binder/query/group_by.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "binder/bound/subquery_expression.hpp"
#include "binder/query/output_column.hpp"
#include "binder/scope/coercion.hpp"
#include "binder/scope/collation.hpp"
#include "binder/scope/document_value.hpp"
#include "binder/scope/expression_binder.hpp"
#include "common/stack_bound.hpp"
#include "common/throw.hpp"

namespace scaup {

namespace {

/// The groups of each set, ascending.
using GroupingSets = std::vector<std::vector<size_t>>;

std::vector<size_t> UnionOf(const std::vector<size_t>& a, const std::vector<size_t>& b) {
  std::vector<size_t> both;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both;
}

void CheckSetCount(size_t count, size_t position) {
  constexpr size_t kMostSets = 4096;
  if (count <= kMostSets) return;
  ThrowError(ErrorKind::kBinder, sqlstate::kStatementTooComplex,
             fmt::format("too many grouping sets present (maximum {})", kMostSets), position);
}

[[noreturn]] void ThrowAggregateInGroup(size_t position) {
  ThrowError(ErrorKind::kBinder, sqlstate::kGroupingError, "aggregate functions are not allowed in GROUP BY",
             position);
}

void RefuseAggregates(const Expression& expression, size_t position) {
  CheckStack();
  if (expression.kind() == ExpressionKind::kWindow) {
    ThrowError(ErrorKind::kBinder, sqlstate::kWindowingError, "window functions are not allowed in GROUP BY",
               position);
  }
  if (expression.kind() == ExpressionKind::kAggregate) ThrowAggregateInGroup(position);
  expression.ForEachChild([&](const Expression& child) { RefuseAggregates(child, position); });
}

bool ContainsCalls(const Expression& expression) {
  CheckStack();
  if (expression.kind() == ExpressionKind::kWindow || expression.kind() == ExpressionKind::kAggregate)
    return true;
  bool has = false;
  expression.ForEachChild([&](const Expression& child) { has = has || ContainsCalls(child); });
  return has;
}

/// Binds GROUP BY of one SELECT.
class GroupByBinder {
 public:
  GroupByBinder(BindSession& session, const ast::SelectStatement& statement, QueryLevel& level,
                BoundSelect& select)
      : session_(session), statement_(statement), level_(level), select_(select) {}

  void Bind() {
    select_.is_grouped = true;
    if (statement_.group_by_all) return GroupByAll();
    GroupingSets sets = {{}};
    for (const ast::GroupingElement& element : statement_.group_by) {
      const GroupingSets more = SetsOf(element);
      CheckSetCount(sets.size() * more.size(), element.position);
      GroupingSets all;
      for (const auto& set : sets) {
        for (const auto& other : more) all.push_back(UnionOf(set, other));
      }
      sets = std::move(all);
    }
    if (statement_.group_distinct) {
      std::sort(sets.begin(), sets.end());
      sets.erase(std::unique(sets.begin(), sets.end()), sets.end());
    }
    if (sets.size() > 1) select_.grouping_sets = std::move(sets);
  }

 private:
  /// Groups by every item that no aggregate or window function is in.
  void GroupByAll() {
    for (size_t i = 0; i < select_.items.size(); i++) {
      const ExpressionPtr& item = select_.items[i];
      if (!HasCalls(*item)) GroupByItem(i, item->position.value_or(statement_.position));
    }
  }

  /// Returns whether aggregates of this query, or window functions, are in an item.
  bool HasCalls(Expression& item) const {
    bool has = ContainsCalls(item);
    ForEachFreeReference(item, [&](const ColumnRefExpression& column, size_t) {
      has = has || column.binding.table_index == select_.aggregate_index;
    });
    return has;
  }

  GroupingSets SetsOf(const ast::GroupingElement& element) {
    CheckStack();
    if (element.kind == ast::GroupingElement::Kind::kExpressions) return {GroupsOf(element)};
    GroupingSets sets;
    if (element.kind == ast::GroupingElement::Kind::kSets) {
      for (const ast::GroupingElement& inner : element.elements) {
        for (auto& set : SetsOf(inner)) sets.push_back(std::move(set));
        CheckSetCount(sets.size(), element.position);
      }
      return sets;
    }
    GroupingSets parts;
    for (const ast::GroupingElement& inner : element.elements) parts.push_back(GroupsOf(inner));
    if (element.kind == ast::GroupingElement::Kind::kRollup) {
      CheckSetCount(parts.size() + 1, element.position);
      sets.emplace_back();
      for (const auto& part : parts) sets.push_back(UnionOf(sets.back(), part));
      std::reverse(sets.begin(), sets.end());
      return sets;
    }
    constexpr size_t kMostCubeElements = 12;
    if (parts.size() > kMostCubeElements) {
      ThrowError(ErrorKind::kBinder, sqlstate::kTooManyColumns,
                 fmt::format("CUBE is limited to {} elements", kMostCubeElements), element.position);
    }
    for (size_t chosen = size_t{1} << parts.size(); chosen-- > 0;) {
      std::vector<size_t>& set = sets.emplace_back();
      for (size_t i = 0; i < parts.size(); i++) {
        if ((chosen >> (parts.size() - 1 - i) & 1) != 0) set = UnionOf(set, parts[i]);
      }
    }
    return sets;
  }

  std::vector<size_t> GroupsOf(const ast::GroupingElement& element) {
    std::vector<size_t> groups;
    for (const auto& syntax : element.expressions) groups = UnionOf(groups, {BindGroup(*syntax)});
    return groups;
  }

  size_t BindGroup(const ast::Expression& syntax) {
    if (const auto item = GroupItem(syntax)) return GroupByItem(*item, syntax.position);
    ExpressionBinder binder(session_, level_, Clause::kGroupBy);
    ExpressionPtr group = NormalOf(session_, binder.BindSettled(syntax));
    return AddGroup(CollationKeyOf(session_, std::move(group), KeyUse::kEquality));
  }

  /// Returns the item that GROUP BY refers to, by position or by an output name; names of input columns take
  /// precedence.
  std::optional<size_t> GroupItem(const ast::Expression& syntax) {
    if (const auto ordinal = FindOrdinal(select_, syntax, "GROUP BY")) return ordinal;
    if (syntax.kind != ast::ExpressionKind::kColumn || syntax.As<ast::Column>().names.size() != 1)
      return std::nullopt;
    const std::string& name = syntax.As<ast::Column>().names[0];
    if (level_.scope->FindVisible(name, syntax.position) != nullptr) return std::nullopt;
    return FindOutputColumn(select_, name, syntax.position, "GROUP BY");
  }

  size_t GroupByItem(size_t index, size_t position) {
    ExpressionPtr& item = select_.items[index];
    RefuseAggregates(*item, position);
    ForEachFreeReference(*item, [&](const ColumnRefExpression& column, size_t) {
      if (column.binding.table_index == select_.aggregate_index) ThrowAggregateInGroup(position);
    });
    item = NormalOf(session_, Settle(session_, std::move(item)));
    if (item->kind() == ExpressionKind::kColumnRef &&
        item->As<ColumnRefExpression>().binding.table_index == select_.group_index) {
      return item->As<ColumnRefExpression>().binding.column_index;  // grouped already
    }
    if (CollationFor(session_, {item.get()}, KeyUse::kEquality)) {
      // The item stays, and becomes one of the texts of its group.
      if (HasSubquery(*item)) RequireBytes(session_, *item, KeyUse::kEquality, "GROUP BY of a subquery");
      return AddGroup(CollationKeyOf(session_, item->Clone(), KeyUse::kEquality));
    }
    // Move the item instead of copying it: it may contain a subquery, of which only one copy can be planned.
    const std::string name = select_.names[index];
    const LogicalType type = item->type();
    const size_t group = AddGroup(std::move(item));
    NoteDocumentColumn(session_, {select_.group_index, group}, *select_.groups[group]);
    item = std::make_unique<ColumnRefExpression>(type, ColumnBinding{select_.group_index, group}, name);
    return group;
  }

  size_t AddGroup(ExpressionPtr group) {
    for (size_t i = 0; i < select_.groups.size(); i++) {
      if (select_.groups[i]->Equals(*group)) return i;
    }
    select_.groups.push_back(std::move(group));
    return select_.groups.size() - 1;
  }

  BindSession& session_;
  const ast::SelectStatement& statement_;
  QueryLevel& level_;
  BoundSelect& select_;
};

}  // namespace

void BindGroupBy(BindSession& session, const ast::SelectStatement& statement, QueryLevel& level,
                 BoundSelect& select) {
  SCAUP_ASSERT(level.scope != nullptr);
  if (!statement.group_by.empty() || statement.group_by_all)
    GroupByBinder(session, statement, level, select).Bind();
}

}  // namespace scaup
