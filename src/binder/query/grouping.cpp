// Rewrites the expressions above GROUP BY: they refer to groups and aggregates instead of columns.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "binder/bound/subquery_expression.hpp"
#include "binder/scope/coercion.hpp"
#include "binder/scope/collation.hpp"
#include "binder/scope/document_source.hpp"
#include "binder/scope/document_value.hpp"
#include "binder/scope/query_binder.hpp"
#include "common/running_call.hpp"
#include "common/stack_bound.hpp"
#include "common/throw.hpp"
#include "expression/expression_index.hpp"
#include "function/scalar/document/document_functions.hpp"

namespace scaup {

namespace {

/// Returns the base table with that index; null if it is something else.
const TableEntry* FindBaseTable(const BoundTableRef& from, size_t table_index) {
  CheckStack();
  if (from.kind == BoundTableRefKind::kBaseTable) {
    const auto& base = static_cast<const BoundBaseTable&>(from);
    return base.table_index == table_index ? base.table.get() : nullptr;
  }
  if (from.kind != BoundTableRefKind::kJoin) return nullptr;
  const auto& join = static_cast<const BoundJoin&>(from);
  const TableEntry* left = FindBaseTable(*join.left, table_index);
  return left != nullptr ? left : FindBaseTable(*join.right, table_index);
}

class Grouper {
 public:
  Grouper(BindSession& session, BoundSelect& select) : session_(session), select_(select) {
    for (size_t i = 0; i < select.aggregates.size(); i++) known_.Add(*select.aggregates[i], i);
  }

  void Rewrite(ExpressionPtr& expression) {
    CheckStack();
    RunningCall::CheckInterrupt();
    if (IsGrouping(*expression)) {
      // GROUPING over columns of an outer query is replaced when that query is grouped.
      if (InnermostLevel(*expression) == 0) ReplaceGrouping(expression, 0);
      return;
    }
    if (expression->kind() == ExpressionKind::kAggregate) return ReplaceAggregate(expression);
    if (ReplaceGroup(expression)) return;
    if (expression->kind() == ExpressionKind::kColumnRef) {
      const auto& column = expression->As<ColumnRefExpression>();
      if (const auto added = AddDependent(column, 0))
        return Replace(expression, {select_.group_index, *added}, column.name);
      return CheckColumn(column, 0);
    }
    if (expression->kind() == ExpressionKind::kSubquery)
      RewriteSubquery(expression->As<SubqueryExpression>());
    expression->ForEachChild([&](ExpressionPtr& child) { Rewrite(child); });
  }

 private:
  static bool IsGrouping(const Expression& expression) {
    return expression.kind() == ExpressionKind::kAggregate &&
           expression.As<AggregateExpression>().function.name == kGroupingFunction;
  }

  void Replace(ExpressionPtr& expression, ColumnBinding binding, std::string name) {
    auto reference = std::make_unique<ColumnRefExpression>(expression->type(), binding, std::move(name));
    NoteCollation(session_, binding, CollationOf(session_, *expression));
    reference->alias = expression->alias;
    reference->position = expression->position;
    expression = std::move(reference);
  }

  bool ReplaceGroup(ExpressionPtr& expression) {
    for (size_t i = 0; i < select_.groups.size(); i++) {
      if (!select_.groups[i]->Equals(*expression)) continue;
      Replace(expression, {select_.group_index, i}, select_.groups[i]->ToString());
      return true;
    }
    for (size_t i = 0; i < select_.groups.size(); i++) {
      const LogicalType type = expression->type();
      if (!IsSamePath(*select_.groups[i], *expression)) continue;
      expression->set_type(select_.groups[i]->type());
      Replace(expression, {select_.group_index, i}, select_.groups[i]->ToString());
      expression = ReadAs(session_, std::move(expression), type);
      return true;
    }
    return ReplaceCollated(expression) || ReplaceWithinGroup(expression);
  }

  /// Replaces a text that is grouped under its collation with one of the texts of the group.
  bool ReplaceCollated(ExpressionPtr& expression) {
    for (size_t i = 0; i < select_.groups.size(); i++) {
      const Expression* text = TextOfKey(*select_.groups[i]);
      if (text == nullptr || !text->Equals(*expression)) continue;
      std::string alias = expression->alias;
      const std::optional<size_t> position = expression->position;
      expression = AnyOfGroup(std::move(expression));
      if (!select_.grouping_sets.empty()) {
        // Rows of a set without the text have none, though there are texts in the group.
        std::vector<CaseExpression::Branch> branches;
        auto key = std::make_unique<ColumnRefExpression>(
            select_.groups[i]->type(), ColumnBinding{select_.group_index, i}, select_.groups[i]->ToString());
        branches.push_back({std::make_unique<IsNullExpression>(std::move(key), true), std::move(expression)});
        expression = std::make_unique<CaseExpression>(
            TypeId::kVarchar, std::move(branches),
            std::make_unique<ConstantExpression>(Value(LogicalType(TypeId::kVarchar))));
      }
      expression->alias = std::move(alias);
      expression->position = position;
      return true;
    }
    return false;
  }

  /// Returns a reference to an aggregate that is one of the group's values.
  ExpressionPtr AnyOfGroup(ExpressionPtr value) {
    const std::optional<size_t> position = value->position;
    value->alias.clear();
    std::vector<ExpressionPtr> argument;
    argument.push_back(std::move(value));
    ExpressionPtr any =
        MakeAggregateCall(session_, "any_value", std::move(argument), false, nullptr, position);
    ReplaceAggregate(any);
    return any;
  }

  /// Replaces a member of a grouped object, or an element of a grouped array, with that of the group's value.
  bool ReplaceWithinGroup(ExpressionPtr& expression) {
    for (size_t i = 0; i < select_.groups.size(); i++) {
      const Expression& group = *select_.groups[i];
      const auto steps = StepsWithin(session_, GroupedValue(group), *expression);
      if (!steps) continue;
      const LogicalType type = expression->type();
      expression->set_type(group.type());
      Replace(expression, {select_.group_index, i}, group.ToString());
      std::string alias = expression->alias;
      expression = ReadAs(session_, ReadSteps(session_, std::move(expression), *steps), type);
      expression->alias = std::move(alias);
      return true;
    }
    return false;
  }

  static const Expression& GroupedValue(const Expression& group) {
    const bool is_normal = group.kind() == ExpressionKind::kFunction &&
                           group.As<FunctionExpression>().function.name == kDocumentNormal;
    return is_normal ? *group.As<FunctionExpression>().arguments[0] : group;
  }

  /// Returns whether the expression reads the same path as the group, maybe as another type.
  bool IsSamePath(const Expression& group, const Expression& expression) {
    const Expression& value = GroupedValue(group);
    if (&value != &group && value.Equals(expression)) return true;
    const auto wanted = FindPath(session_, expression), own = FindPath(session_, value);
    if (!wanted || !own || wanted->attributes != own->attributes ||
        wanted->projection->path != own->projection->path ||
        wanted->projection->steps != own->projection->steps)
      return false;
    const DocumentProjection projection = *wanted->projection;  // ReadInstead may invalidate the pointer
    return ReadInstead(session_, value, projection)->Equals(expression);
  }

  /// Adds a group that reads a grouped path as another type. Used for columns in subqueries, which can refer
  /// only to a group and not to an expression over one. Returns nullopt if that is not possible.
  std::optional<size_t> AddReading(const ColumnRefExpression& column, size_t level) {
    ExpressionPtr own = column.Clone();
    own->As<ColumnRefExpression>().outer_level -= level;
    for (size_t i = 0; i < select_.groups.size(); i++) {
      if (select_.groups[i]->type() == own->type() && IsSamePath(*select_.groups[i], *own)) return i;
    }
    if (!select_.grouping_sets.empty() || column.type().id() == TypeId::kJson) return std::nullopt;
    const bool is_grouped = std::any_of(select_.groups.begin(), select_.groups.end(),
                                        [&](const ExpressionPtr& group) { return IsSamePath(*group, *own); });
    if (!is_grouped) return std::nullopt;
    select_.groups.push_back(std::move(own));
    return select_.groups.size() - 1;
  }

  /// Adds a group for a column of a table whose primary key is grouped: all rows of a group have the same
  /// value in it. Returns nullopt if the column does not depend on the groups.
  std::optional<size_t> AddDependent(const ColumnRefExpression& column, size_t level) {
    if (column.outer_level != level || !select_.grouping_sets.empty() || !select_.from) return std::nullopt;
    const TableEntry* table = FindBaseTable(*select_.from, column.binding.table_index);
    if (table == nullptr || column.binding.column_index >= table->columns.size()) return std::nullopt;
    const auto& uniques = table->constraints.uniques;
    const auto key = std::find_if(uniques.begin(), uniques.end(),
                                  [](const UniqueConstraint& unique) { return unique.is_primary; });
    // Rows of a deferrable key may be equal in it before the commit.
    if (key == uniques.end() || key->deferral.is_deferrable) return std::nullopt;
    for (const std::string& name : key->columns) {
      const ColumnBinding binding{column.binding.table_index, table->FindColumn(name).value()};
      const bool is_grouped =
          std::any_of(select_.groups.begin(), select_.groups.end(), [&](const ExpressionPtr& group) {
            // The key is unique under the collation of its column.
            const bool is_key = IsEqualityKey(*group, table->columns[binding.column_index].collation);
            const Expression& value = is_key ? *TextOfKey(*group) : *group;
            return value.kind() == ExpressionKind::kColumnRef &&
                   value.As<ColumnRefExpression>().outer_level == 0 &&
                   value.As<ColumnRefExpression>().binding == binding;
          });
      if (!is_grouped) return std::nullopt;
    }
    ExpressionPtr own = column.Clone();
    own->As<ColumnRefExpression>().outer_level = 0;
    own->alias.clear();
    select_.groups.push_back(std::move(own));
    return select_.groups.size() - 1;
  }

  size_t GroupOf(const Expression& argument, size_t level) {
    ExpressionPtr own = argument.Clone();
    ForEachColumnRef(own, [&](ColumnRefExpression& column) { column.outer_level -= level; });
    for (size_t i = 0; i < select_.groups.size(); i++) {
      if (select_.groups[i]->Equals(*own) || IsSamePath(*select_.groups[i], *own)) return i;
      const Expression* text = TextOfKey(*select_.groups[i]);
      if (text != nullptr && text->Equals(*own)) return i;
    }
    ThrowError(ErrorKind::kBinder, sqlstate::kGroupingError,
               "arguments to GROUPING must be grouping expressions of the associated query level",
               argument.position);
  }

  /// Replaces GROUPING(a, b) with its value: one bit per argument, the last argument lowest; a bit is set if
  /// the row's grouping set does not contain the argument. The call is in a query `level` levels further in.
  void ReplaceGrouping(ExpressionPtr& expression, size_t level) {
    std::vector<size_t> groups;
    for (const auto& argument : expression->As<AggregateExpression>().arguments)
      groups.push_back(GroupOf(*argument, level));
    std::map<int32_t, std::vector<Value>> sets_of;  // from a value to the sets that have it
    for (size_t set = 0; set < std::max<size_t>(select_.grouping_sets.size(), 1); set++) {
      int32_t bits = 0;
      for (const size_t group : groups) {
        const bool is_missing =
            !select_.grouping_sets.empty() &&
            !std::binary_search(select_.grouping_sets[set].begin(), select_.grouping_sets[set].end(), group);
        bits = bits * 2 + static_cast<int32_t>(is_missing);
      }
      sets_of[bits].push_back(Value::Integer(static_cast<int32_t>(set)));
    }
    ExpressionPtr value = std::make_unique<ConstantExpression>(Value::Integer(sets_of.begin()->first));
    std::vector<CaseExpression::Branch> branches;
    for (auto& [bits, sets] : sets_of) {
      if (bits == sets_of.begin()->first) continue;
      auto number = std::make_unique<ColumnRefExpression>(
          TypeId::kInteger, ColumnBinding{select_.group_index, select_.groups.size()}, "grouping set");
      number->outer_level = level;
      branches.push_back({std::make_unique<InListExpression>(std::move(number), std::move(sets), false),
                          std::make_unique<ConstantExpression>(Value::Integer(bits))});
    }
    if (!branches.empty()) {
      value = std::make_unique<CaseExpression>(TypeId::kInteger, std::move(branches), std::move(value));
    }
    value->alias = expression->alias;
    value->position = expression->position;
    expression = std::move(value);
  }

  void ReplaceAggregate(ExpressionPtr& expression) {
    const size_t index = known_.Find(*expression).value_or(select_.aggregates.size());
    const std::string name = expression->ToString();
    NoteDocumentColumn(session_, {select_.aggregate_index, index}, *expression);
    ExpressionPtr aggregate = std::move(expression);
    expression = std::make_unique<ColumnRefExpression>(aggregate->type(),
                                                       ColumnBinding{select_.aggregate_index, index}, name);
    expression->alias = aggregate->alias;
    expression->position = aggregate->position;
    if (index < select_.aggregates.size() && IsDeterministicThroughout(*aggregate)) return;
    if (index < select_.aggregates.size()) {  // two calls of random() differ
      expression->As<ColumnRefExpression>().binding.column_index = select_.aggregates.size();
      NoteDocumentColumn(session_, expression->As<ColumnRefExpression>().binding, *aggregate);
    }
    known_.Add(*aggregate, select_.aggregates.size());
    select_.aggregates.push_back(std::move(aggregate));
  }

  /// Replaces GROUPING over this level's columns in a query `level` levels further in.
  void ReplaceGroupings(BoundQuery& query, size_t level) {
    CheckStack();
    ForEachQueryExpression(query, [&](ExpressionPtr& expression) { ReplaceGroupings(expression, level); });
    ForEachDirectQuery(query, [&](BoundQuery& inner) { ReplaceGroupings(inner, level + 1); });
  }

  void ReplaceGroupings(ExpressionPtr& expression, size_t level) {
    CheckStack();
    if (IsGrouping(*expression)) {
      if (InnermostLevel(*expression) == level) ReplaceGrouping(expression, level);
      return;
    }
    if (expression->kind() == ExpressionKind::kSubquery)
      ReplaceGroupings(*expression->As<SubqueryExpression>().query, level + 1);
    expression->ForEachChild([&](ExpressionPtr& child) { ReplaceGroupings(child, level); });
  }

  /// Rewrites this level's columns inside a subquery: grouped columns become references to groups.
  void RewriteSubquery(SubqueryExpression& subquery) {
    ReplaceGroupings(*subquery.query, 1);
    ForEachOuterReference(*subquery.query, [&](ColumnRefExpression& column, size_t depth) {
      if (column.outer_level != depth + 1) return;  // belongs to an outer level
      for (size_t i = 0; i < select_.groups.size(); i++) {
        const Expression& group = *select_.groups[i];
        if (group.kind() != ExpressionKind::kColumnRef ||
            !(group.As<ColumnRefExpression>().binding == column.binding) ||
            group.As<ColumnRefExpression>().outer_level != 0) {
          continue;
        }
        column.binding = {select_.group_index, i};
        return;
      }
      if (ReferToCollated(column)) return;
      if (const auto added = AddReading(column, depth + 1)) {
        column.binding = {select_.group_index, *added};
        return;
      }
      if (const auto added = AddDependent(column, depth + 1)) {
        column.binding = {select_.group_index, *added};
        return;
      }
      CheckColumn(column, depth + 1);
    });
  }

  /// Makes a column in a subquery that is grouped under its collation refer to one of the texts of the group.
  bool ReferToCollated(ColumnRefExpression& column) {
    if (!select_.grouping_sets.empty()) return false;
    for (const ExpressionPtr& group : select_.groups) {
      const Expression* text = TextOfKey(*group);
      if (text == nullptr || text->kind() != ExpressionKind::kColumnRef) continue;
      const auto& grouped = text->As<ColumnRefExpression>();
      if (grouped.outer_level != 0 || !(grouped.binding == column.binding)) continue;
      column.binding = AnyOfGroup(text->Clone())->As<ColumnRefExpression>().binding;
      return true;
    }
    return false;
  }

  void CheckColumn(const ColumnRefExpression& column, size_t level) {
    if (column.outer_level != level) return;
    if (column.binding.table_index == select_.group_index ||
        column.binding.table_index == select_.aggregate_index)
      return;
    ThrowError(
        ErrorKind::kBinder, sqlstate::kGroupingError,
        fmt::format("column \"{}\" must appear in the GROUP BY clause or be used in an aggregate function",
                    column.name),
        column.position);
  }

  BindSession& session_;
  BoundSelect& select_;
  ExpressionIndex known_;  // indexes of the aggregates
};

}  // namespace

void GroupExpressions(BindSession& session, BoundSelect& select,
                      const std::vector<ExpressionPtr*>& expressions) {
  for (size_t i = 0; i < select.groups.size(); i++)
    NoteDocumentColumn(session, {select.group_index, i}, *select.groups[i]);
  Grouper grouper(session, select);
  for (ExpressionPtr* expression : expressions) grouper.Rewrite(*expression);
}

}  // namespace scaup
