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
/// The number of values up to which an aggregate with a filter for each is fast enough.
constexpr size_t kMostFilters = 64;

/// A value of an axis that becomes columns, and the name that it gives them.
struct AxisValue {
  std::vector<Value> parts;
  std::string name;
};

/// One value of each axis, which are the columns of the aggregates.
struct Combination {
  std::vector<const AxisValue*> chosen;
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
    AddCombinations(values, {}, "");
    select_->from = std::make_unique<BoundQueryTable>(std::move(grouped));
    const bool has_buckets = combinations_.size() > kMostFilters && HaveTypesOfAxes();
    if (has_buckets) {
      MakeBuckets();
    } else {
      for (const Combination& combination : combinations_) {
        for (size_t i = 0; i < defaults_.size(); i++)
          AddColumn(combination, i, *columns_[first_value_ + i], Condition(combination.chosen));
      }
    }
    for (size_t i = 0; i < first_axis_; i++) select_->groups.push_back(columns_[i]->Clone());
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
    if (chosen.size() == values.size()) {
      combinations_.push_back({chosen, name});
      return;
    }
    for (const AxisValue& value : values[chosen.size()]) {
      std::vector<const AxisValue*> more = chosen;
      more.push_back(&value);
      AddCombinations(values, more, chosen.empty() ? value.name : name + "_" + value.name);
    }
  }

  ExpressionPtr AnyValue(const Expression& value, ExpressionPtr condition) const {
    std::vector<ExpressionPtr> arguments;
    arguments.push_back(value.Clone());
    return MakeAggregateCall(session_, "any_value", std::move(arguments), false, std::move(condition),
                             pivot_.position);
  }

  /// Adds the column of an aggregate: the only `value` of the rows that meet the condition.
  void AddColumn(const Combination& combination, size_t aggregate, const Expression& value,
                 ExpressionPtr condition) {
    const size_t place = select_->aggregates.size();
    select_->aggregates.push_back(AnyValue(value, std::move(condition)));
    ExpressionPtr item = std::make_unique<ColumnRefExpression>(
        value.type(), ColumnBinding{select_->aggregate_index, place}, "");
    const Value& without_rows = defaults_[aggregate];
    if (!without_rows.is_null())
      item = MakeScalarCall(session_, "coalesce",
                            PairOf(std::move(item), std::make_unique<ConstantExpression>(without_rows)),
                            std::nullopt);
    std::string suffix = pivot_.aggregate_names[aggregate];
    if (suffix.empty() && defaults_.size() > 1)
      suffix = ColumnNameOf(
          *pivot_.grouped->items[pivot_.grouped->items.size() - defaults_.size() + aggregate].expression);
    AddItem(std::move(item), suffix.empty() ? combination.name : combination.name + "_" + suffix);
  }

  /// Returns whether all values have the types of their axes, so that a join may compare them.
  bool HaveTypesOfAxes() const {
    return std::all_of(combinations_.begin(), combinations_.end(), [&](const Combination& combination) {
      size_t column = first_axis_;
      for (const AxisValue* value : combination.chosen) {
        for (const Value& part : value->parts) {
          const LogicalType& type = columns_[column++]->type();
          if (part.type() != type || type.id() == TypeId::kJson) return false;
        }
      }
      return true;
    });
  }

  // Every aggregate with a filter reads all rows, so that many values would take the square of their number.
  // Instead, a value gets a bucket and a slot within it, both about the root of the number of values: rows
  // are joined with these, then grouped by bucket with an aggregate for each slot, then without bucket.
  void MakeBuckets() {
    size_t slot_count = 1;
    while (slot_count * slot_count < combinations_.size()) slot_count++;
    auto inner = std::make_unique<BoundSelect>();
    inner->group_index = session_.NewTableIndex();
    inner->aggregate_index = session_.NewTableIndex();
    inner->table_index = inner->item_index = session_.NewTableIndex();
    inner->is_grouped = true;
    ColumnBinding bucket, slot;
    inner->from = JoinWithPlaces(std::move(select_->from), slot_count, bucket, slot);
    const auto add = [&](const LogicalType& type, ColumnBinding binding) {
      inner->items.push_back(std::make_unique<ColumnRefExpression>(type, binding, ""));
      inner->names.emplace_back("");
      inner->types.push_back(type);
    };
    for (size_t i = 0; i <= first_axis_; i++) {
      ExpressionPtr group = i < first_axis_ ? columns_[i]->Clone() : Integer(bucket);
      add(group->type(), {inner->group_index, i});
      inner->groups.push_back(std::move(group));
    }
    for (size_t place = 0; place < slot_count; place++) {
      for (size_t i = 0; i < defaults_.size(); i++) {
        const Expression& value = *columns_[first_value_ + i];
        add(value.type(), {inner->aggregate_index, inner->aggregates.size()});
        inner->aggregates.push_back(AnyValue(value, IsNumber(Integer(slot), place)));
      }
    }
    const auto column_of = [&](size_t i) {
      return std::make_unique<ColumnRefExpression>(inner->types[i], ColumnBinding{inner->table_index, i}, "");
    };
    for (size_t c = 0; c < combinations_.size(); c++) {
      for (size_t i = 0; i < defaults_.size(); i++) {
        const size_t column = first_axis_ + 1 + c % slot_count * defaults_.size() + i;
        AddColumn(combinations_[c], i, *column_of(column), IsNumber(column_of(first_axis_), c / slot_count));
      }
    }
    for (size_t i = 0; i < first_axis_; i++) columns_[i] = column_of(i);
    select_->from = std::make_unique<BoundQueryTable>(std::move(inner));
  }

  /// Joins rows with the buckets and slots of their values. Rows of other values have NULLs there.
  BoundTableRefPtr JoinWithPlaces(BoundTableRefPtr rows, size_t slot_count, ColumnBinding& bucket,
                                  ColumnBinding& slot) {
    const size_t width = first_value_ - first_axis_;
    auto places = std::make_unique<BoundValues>();
    places->table_index = session_.NewTableIndex();
    for (size_t i = 0; i < width; i++) places->types.push_back(columns_[first_axis_ + i]->type());
    places->types.insert(places->types.end(), 2, TypeId::kInteger);
    places->names.resize(width + 2);
    std::vector<bool> has_null(width);
    for (size_t c = 0; c < combinations_.size(); c++) {
      std::vector<ExpressionPtr>& row = places->rows.emplace_back();
      for (const AxisValue* value : combinations_[c].chosen) {
        for (const Value& part : value->parts) {
          has_null[row.size()] = has_null[row.size()] || part.is_null();
          row.push_back(std::make_unique<ConstantExpression>(part));
        }
      }
      for (const size_t number : {c / slot_count, c % slot_count})
        row.push_back(std::make_unique<ConstantExpression>(Value::Integer(static_cast<int32_t>(number))));
    }
    bucket = {places->table_index, width};
    slot = {places->table_index, width + 1};
    std::vector<ExpressionPtr> conditions;
    for (size_t i = 0; i < width; i++) {
      const ColumnBinding binding{places->table_index, i};
      conditions.push_back(MakePlainComparison(
          session_, has_null[i] ? ComparisonOp::kNotDistinctFrom : ComparisonOp::kEqual,
          columns_[first_axis_ + i]->Clone(),
          std::make_unique<ColumnRefExpression>(places->types[i], binding, ""), pivot_.position));
    }
    auto join = std::make_unique<BoundJoin>(BoundJoinType::kLeft, std::move(rows),
                                            std::make_unique<BoundQueryTable>(std::move(places)));
    join->conditions = std::move(conditions);
    return join;
  }

  static ExpressionPtr Integer(ColumnBinding binding) {
    return std::make_unique<ColumnRefExpression>(TypeId::kInteger, binding, "");
  }

  ExpressionPtr IsNumber(ExpressionPtr column, size_t number) const {
    return MakePlainComparison(
        session_, ComparisonOp::kEqual, std::move(column),
        std::make_unique<ConstantExpression>(Value::Integer(static_cast<int32_t>(number))), pivot_.position);
  }

  BindSession& session_;
  QueryLevel& level_;
  const ast::PivotTable& pivot_;
  std::unique_ptr<BoundSelect> select_;
  std::vector<ExpressionPtr> columns_;  // Of the grouped query: other columns, axes, aggregates.
  size_t first_axis_ = 0;
  size_t first_value_ = 0;
  std::vector<Combination> combinations_;
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
