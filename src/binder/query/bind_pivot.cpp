// Binds PIVOT: aggregates grouped by the other columns and the axes, then one column for each value.
#include <fmt/format.h>

#include <algorithm>
#include <deque>
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

constexpr size_t kMostColumns = 10000;

/// A value of an axis that becomes columns, and the name that it gives them.
struct AxisValue {
  std::vector<Value> parts;
  std::string name;
};

/// The WITH queries that a level sees, for a query that is bound by itself.
class WithQueriesAround {
 public:
  explicit WithQueriesAround(const QueryLevel* level) {
    while (level != nullptr) {
      if (level->defined_at != nullptr) {
        visible_.push_back({level->defined_at, level->defining_with});
        level = level->defined_at->outer;
        continue;
      }
      if (level->with != nullptr) visible_.push_back({level, level->visible_with});
      level = level->outer;
    }
  }

  BoundQueryPtr Bind(BindSession& session, const ast::SelectStatement& statement) const {
    std::deque<QueryLevel> levels;
    for (size_t i = visible_.size(); i-- > 0;) {
      QueryLevel level;
      level.outer = levels.empty() ? nullptr : &levels.back();
      levels.push_back(std::move(level));
      BeginWith(*visible_[i].level->with, visible_[i].level->is_recursive, levels.back());
      levels.back().visible_with = visible_[i].count;
    }
    BoundQueryPtr query = BindQuery(session, statement, levels.empty() ? nullptr : &levels.back());
    // The queries of outer levels come first, as those of inner ones read them.
    std::vector<std::shared_ptr<BoundCte>> used;
    for (QueryLevel& level : levels) {
      for (std::shared_ptr<BoundCte>& cte : level.ctes) {
        if (cte->use_count == 0) continue;
        if (cte->change)
          ThrowNotSupported(
              "a PIVOT whose values are found in the rows of a statement that changes data; "
              "list the values with IN",
              statement.position);
        used.push_back(std::move(cte));
      }
    }
    query->ctes.insert(query->ctes.begin(), std::make_move_iterator(used.begin()),
                       std::make_move_iterator(used.end()));
    return query;
  }

 private:
  struct Visible {
    const QueryLevel* level;
    size_t count;
  };
  std::vector<Visible> visible_;  // From the innermost level to the outermost.
};

class PivotBinder {
 public:
  PivotBinder(BindSession& session, QueryLevel& level, const ast::PivotTable& pivot)
      : session_(session), level_(level), pivot_(pivot), select_(std::make_unique<BoundSelect>()) {}

  BoundQueryPtr Bind() {
    BoundQueryPtr grouped = BindQuery(session_, *pivot_.grouped, &level_);
    MakeDefaults(grouped->As<BoundSelect>());
    size_t axis_columns = 0;
    for (const ast::PivotAxis& axis : pivot_.axes) axis_columns += axis.width;
    first_axis_ = grouped->types.size() - axis_columns - defaults_.size();
    first_value_ = first_axis_ + axis_columns;
    for (size_t i = 0; i < grouped->types.size(); i++) {
      columns_.push_back(std::make_unique<ColumnRefExpression>(
          grouped->types[i], ColumnBinding{grouped->table_index, i}, grouped->names[i]));
    }
    NoteDocumentColumns(session_, *grouped, grouped->table_index);
    select_->group_index = session_.NewTableIndex();
    select_->aggregate_index = session_.NewTableIndex();
    select_->table_index = select_->item_index = session_.NewTableIndex();
    select_->is_grouped = true;
    for (size_t i = 0; i < first_axis_; i++) {
      AddItem(std::make_unique<ColumnRefExpression>(grouped->types[i], ColumnBinding{select_->group_index, i},
                                                    grouped->names[i]),
              grouped->names[i]);
      select_->groups.push_back(columns_[i]->Clone());
    }
    std::vector<std::vector<AxisValue>> values;
    size_t column = first_axis_;
    size_t product = defaults_.size();
    for (const ast::PivotAxis& axis : pivot_.axes) {
      values.push_back(ValuesOf(axis, column));
      column += axis.width;
      product *= values.back().size();
      if (product > kMostColumns) {
        ThrowError(
            ErrorKind::kBinder, sqlstate::kTooManyColumns,
            fmt::format("PIVOT would make more than {} columns; list fewer values with IN", kMostColumns),
            axis.position);
      }
    }
    select_->from = std::make_unique<BoundQueryTable>(std::move(grouped));
    AddCombinations(values, {}, "");
    return std::move(select_);
  }

 private:
  void AddItem(ExpressionPtr item, const std::string& name) {
    item->alias = name;
    select_->names.push_back(name);
    select_->types.push_back(item->type());
    select_->items.push_back(std::move(item));
  }

  /// Finds what each aggregate is where it has no rows: 0 for counts, mostly NULL.
  void MakeDefaults(const BoundSelect& grouped) {
    const size_t count = pivot_.aggregate_names.size();
    for (size_t i = grouped.items.size() - count; i < grouped.items.size(); i++) {
      ExpressionPtr item = grouped.items[i]->Clone();
      bool has_aggregate = false;
      const auto replace = [&](auto& self, ExpressionPtr& expression) -> void {
        CheckStack();
        if (expression->kind() != ExpressionKind::kColumnRef) {
          expression->ForEachChild([&](ExpressionPtr& child) { self(self, child); });
          return;
        }
        const ColumnBinding binding = expression->As<ColumnRefExpression>().binding;
        if (binding.table_index != grouped.aggregate_index) return;
        has_aggregate = true;
        const auto& aggregate = grouped.aggregates[binding.column_index]->As<AggregateExpression>();
        const bool is_count = aggregate.function.name.find("count") != std::string::npos;
        const LogicalType type = expression->type();
        expression = std::make_unique<ConstantExpression>(is_count ? Value::BigInt(0) : Value(type));
        expression = AddCast(std::move(expression), type);
      };
      replace(replace, item);
      if (!has_aggregate) {
        ThrowError(ErrorKind::kBinder, sqlstate::kGroupingError,
                   "PIVOT needs an aggregate here, such as sum(x)",
                   pivot_.grouped->items[pivot_.grouped->items.size() - count + defaults_.size()]
                       .expression->position);
      }
      defaults_.push_back(IsFoldable(*item) ? EvaluateForBinding(session_, *item, "PIVOT") : Value());
    }
  }

  static std::string NameOf(const std::vector<Value>& parts) {
    std::string name;
    for (const Value& part : parts) {
      if (!name.empty()) name += "_";
      name += part.is_null() ? "NULL" : part.ToString();
    }
    return name;
  }

  std::vector<AxisValue> ValuesOf(const ast::PivotAxis& axis, size_t first_column) {
    if (axis.found) return FindValues(axis);
    std::vector<AxisValue> values;
    ExpressionBinder binder(session_, level_, Clause::kValues);
    for (const ast::PivotValue& listed : axis.values) {
      if (listed.parts.size() != axis.width) {
        ThrowError(
            ErrorKind::kBinder, sqlstate::kSyntaxError,
            fmt::format("each value here must have {} parts, as what stands in front of IN", axis.width),
            listed.parts[0]->position);
      }
      AxisValue& value = values.emplace_back();
      for (size_t i = 0; i < axis.width; i++) {
        ExpressionPtr part = binder.Bind(*listed.parts[i]);
        // A value that the column's type cannot have is named as it is written, and has no rows.
        if (IsUntyped(*part)) part = Coerce(session_, std::move(part), columns_[first_column + i]->type());
        value.parts.push_back(EvaluateForBinding(session_, *part, "a value of PIVOT"));
      }
      value.name = listed.name.empty() ? NameOf(value.parts) : listed.name;
    }
    return values;
  }

  std::vector<AxisValue> FindValues(const ast::PivotAxis& axis) {
    const auto& rows_of = session_.context().rows_of;
    if (!rows_of || !session_.parameter_types().empty() || session_.reads != nullptr) {
      ThrowNotSupported(
          "a PIVOT whose values are found in the data, in a view or in a statement with "
          "parameters; list the values with IN",
          axis.position);
    }
    // The query runs before this one is planned, so it is bound by itself, with the WITH queries around.
    BindSession session(session_.context());
    BoundQueryPtr query = WithQueriesAround(&level_).Bind(session, *axis.found);
    if (query->types.size() != axis.width) {
      ThrowError(ErrorKind::kBinder, sqlstate::kSyntaxError,
                 fmt::format("the query for the values of PIVOT must have {} columns", axis.width),
                 axis.position);
    }
    std::vector<AxisValue> values;
    for (std::vector<Value>& row : rows_of(std::move(query))) {
      AxisValue value;
      value.parts = std::move(row);
      value.name = NameOf(value.parts);
      const bool is_known = std::any_of(values.begin(), values.end(),
                                        [&](const AxisValue& other) { return other.parts == value.parts; });
      if (!is_known) values.push_back(std::move(value));
      if (values.size() > kMostColumns) break;
    }
    return values;
  }

  ExpressionPtr Condition(const std::vector<const AxisValue*>& chosen) const {
    std::vector<ExpressionPtr> parts;
    size_t column = first_axis_;
    for (const AxisValue* value : chosen) {
      for (const Value& part : value->parts) {
        ExpressionPtr axis = columns_[column++]->Clone();
        parts.push_back(part.is_null()
                            ? std::make_unique<IsNullExpression>(std::move(axis), false)
                            : MakeComparison(session_, ComparisonOp::kEqual, std::move(axis),
                                             std::make_unique<ConstantExpression>(part), pivot_.position));
      }
    }
    return MakeAnd(std::move(parts));
  }

  void AddCombinations(const std::vector<std::vector<AxisValue>>& values,
                       const std::vector<const AxisValue*>& chosen, const std::string& name) {
    CheckStack();
    if (chosen.size() == values.size()) return AddColumns(chosen, name);
    for (const AxisValue& value : values[chosen.size()]) {
      std::vector<const AxisValue*> more = chosen;
      more.push_back(&value);
      AddCombinations(values, more, chosen.empty() ? value.name : name + "_" + value.name);
    }
  }

  void AddColumns(const std::vector<const AxisValue*>& chosen, const std::string& name) {
    for (size_t i = 0; i < defaults_.size(); i++) {
      const ExpressionPtr& value = columns_[first_value_ + i];
      std::vector<ExpressionPtr> arguments;
      arguments.push_back(value->Clone());
      const size_t place = select_->aggregates.size();
      select_->aggregates.push_back(MakeAggregateCall(session_, "any_value", std::move(arguments), false,
                                                      Condition(chosen), pivot_.position));
      ExpressionPtr item = std::make_unique<ColumnRefExpression>(
          value->type(), ColumnBinding{select_->aggregate_index, place}, "");
      if (!defaults_[i].is_null())
        item = MakeScalarCall(session_, "coalesce",
                              PairOf(std::move(item), std::make_unique<ConstantExpression>(defaults_[i])),
                              std::nullopt);
      std::string suffix = pivot_.aggregate_names[i];
      if (suffix.empty() && defaults_.size() > 1)
        suffix = ColumnNameOf(
            *pivot_.grouped->items[pivot_.grouped->items.size() - defaults_.size() + i].expression);
      AddItem(std::move(item), suffix.empty() ? name : name + "_" + suffix);
    }
  }

  BindSession& session_;
  QueryLevel& level_;
  const ast::PivotTable& pivot_;
  std::unique_ptr<BoundSelect> select_;
  std::vector<ExpressionPtr> columns_;  // Of the grouped query: other columns, axes, aggregates.
  size_t first_axis_ = 0;
  size_t first_value_ = 0;
  std::vector<Value> defaults_;
};

}  // namespace

BoundFrom BindPivot(BindSession& session, QueryLevel& level, const ast::PivotTable& pivot) {
  CheckStack();
  BoundQueryPtr query = PivotBinder(session, level, pivot).Bind();
  Scope scope = MakeScope(pivot, "", query->table_index, query->names, query->types, "");
  return {std::make_unique<BoundQueryTable>(std::move(query)), std::move(scope)};
}

}  // namespace scaup
