// Binds SELECT: its clauses in an order in which each finds the names that it may use.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "binder/bound/subquery_expression.hpp"
#include "binder/scope/coercion.hpp"
#include "binder/scope/document_value.hpp"
#include "binder/scope/expression_binder.hpp"
#include "binder/scope/query_binder.hpp"
#include "common/stack_bound.hpp"
#include "common/throw.hpp"

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
        select_(std::make_unique<BoundSelect>()) {}

  BoundQueryPtr Bind() {
    BoundFrom from = BindFrom(session_, statement_.from, level_);
    select_->from = std::move(from.table);
    level_.scope = &from.scope;
    level_.windows = &statement_.windows;
    if (statement_.where) {
      select_->where =
          ExpressionBinder(session_, level_, Clause::kWhere).BindBoolean(*statement_.where, "WHERE");
    }
    select_->group_index = session_.NewTableIndex();
    select_->aggregate_index = session_.NewTableIndex();
    level_.select = select_.get();
    // Items come before GROUP BY and ORDER BY, which may refer to them by alias or position.
    BindItems();
    BindGroups();
    if (statement_.having) {
      select_->having =
          ExpressionBinder(session_, level_, Clause::kHaving).BindBoolean(*statement_.having, "HAVING");
      select_->is_grouped = true;
    }
    BindKeys();
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
    // Windows and sets are taken out of the items only after all keys have been compared with the items.
    PlaceKeys();
    Finish();
    BindLimit(session_, statement_, level_, *select_);
    level_.scope = nullptr;
    level_.select = nullptr;
    return std::move(select_);
  }

 private:
  /// An ORDER BY or DISTINCT ON expression: either an item, or an expression that is not among the items yet.
  struct Key {
    std::optional<size_t> item;
    ExpressionPtr expression;
    size_t position = 0;
  };

  // --- SELECT list ---

  void BindItems() {
    ExpressionBinder binder(session_, level_, Clause::kSelect);
    for (const auto& item : statement_.items) {
      if (item.expression->kind == ast::ExpressionKind::kStar) {
        AddStar(item.expression->As<ast::Star>());
        continue;
      }
      ExpressionPtr bound = binder.Bind(*item.expression);
      if (untyped_ == Untyped::kSettle) bound = Settle(session_, std::move(bound));
      AddItem(std::move(bound), item.alias.empty() ? ColumnNameOf(*item.expression) : item.alias);
    }
    select_->is_grouped = binder.place().has_aggregate();
  }

  void AddItem(ExpressionPtr expression, std::string name) {
    select_->names.push_back(std::move(name));
    select_->items.push_back(std::move(expression));
  }

  void AddStar(const ast::Star& star) {
    if (statement_.from.empty()) {
      ThrowError(ErrorKind::kSyntax, sqlstate::kSyntaxError, "SELECT * with no tables specified is not valid",
                 star.position);
    }
    auto columns =
        star.qualifier.empty() ? level_.scope->AllVisible() : ResolveStar(level_, star).AllColumns();
    for (ScopeColumn& column : columns) {
      ExpressionPtr value = std::move(column.value);
      ForEachColumnRef(value, [&](ColumnRefExpression& reference) { reference.position = star.position; });
      value->position = star.position;
      AddItem(std::move(value), column.name);
    }
  }

  // --- GROUP BY ---

  void BindGroups() {
    if (statement_.group_by.empty()) return;
    select_->is_grouped = true;
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
    if (sets.size() > 1) select_->grouping_sets = std::move(sets);
  }

  /// The groups of each set, ascending.
  using GroupingSets = std::vector<std::vector<size_t>>;

  static std::vector<size_t> UnionOf(const std::vector<size_t>& a, const std::vector<size_t>& b) {
    std::vector<size_t> both;
    std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
    return both;
  }

  static void CheckSetCount(size_t count, size_t position) {
    constexpr size_t kMostSets = 4096;
    if (count <= kMostSets) return;
    ThrowError(ErrorKind::kBinder, sqlstate::kStatementTooComplex,
               fmt::format("too many grouping sets present (maximum {})", kMostSets), position);
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
    if (const auto item = GroupItem(syntax)) return GroupByItem(*item, syntax);
    ExpressionBinder binder(session_, level_, Clause::kGroupBy);
    return AddGroup(NormalOf(session_, binder.BindSettled(syntax)));
  }

  /// Returns the item that GROUP BY refers to, by position or by an output name; names of input columns take
  /// precedence.
  std::optional<size_t> GroupItem(const ast::Expression& syntax) {
    if (const auto ordinal = Ordinal(syntax, "GROUP BY")) return ordinal;
    if (syntax.kind != ast::ExpressionKind::kColumn || syntax.As<ast::Column>().names.size() != 1)
      return std::nullopt;
    const std::string& name = syntax.As<ast::Column>().names[0];
    if (level_.scope->FindVisible(name, syntax.position) != nullptr) return std::nullopt;
    return OutputColumn(name, syntax.position, "GROUP BY");
  }

  size_t GroupByItem(size_t index, const ast::Expression& syntax) {
    ExpressionPtr& item = select_->items[index];
    RefuseAggregates(*item, syntax.position);
    ForEachFreeReference(*item, [&](const ColumnRefExpression& column, size_t) {
      if (column.binding.table_index == select_->aggregate_index) ThrowAggregateInGroup(syntax.position);
    });
    item = NormalOf(session_, Settle(session_, std::move(item)));
    if (item->kind() == ExpressionKind::kColumnRef &&
        item->As<ColumnRefExpression>().binding.table_index == select_->group_index) {
      return item->As<ColumnRefExpression>().binding.column_index;  // grouped already
    }
    // Move the item instead of copying it: it may contain a subquery, of which only one copy can be planned.
    const std::string name = select_->names[index];
    const LogicalType type = item->type();
    const size_t group = AddGroup(std::move(item));
    NoteDocumentColumn(session_, {select_->group_index, group}, *select_->groups[group]);
    item = std::make_unique<ColumnRefExpression>(type, ColumnBinding{select_->group_index, group}, name);
    return group;
  }

  size_t AddGroup(ExpressionPtr group) {
    for (size_t i = 0; i < select_->groups.size(); i++) {
      if (select_->groups[i]->Equals(*group)) return i;
    }
    select_->groups.push_back(std::move(group));
    return select_->groups.size() - 1;
  }

  [[noreturn]] static void ThrowAggregateInGroup(size_t position) {
    ThrowError(ErrorKind::kBinder, sqlstate::kGroupingError,
               "aggregate functions are not allowed in GROUP BY", position);
  }

  static void RefuseAggregates(const Expression& expression, size_t position) {
    CheckStack();
    if (expression.kind() == ExpressionKind::kWindow) {
      ThrowError(ErrorKind::kBinder, sqlstate::kWindowingError,
                 "window functions are not allowed in GROUP BY", position);
    }
    if (expression.kind() == ExpressionKind::kAggregate) ThrowAggregateInGroup(position);
    expression.ForEachChild([&](const Expression& child) { RefuseAggregates(child, position); });
  }

  // --- ORDER BY and DISTINCT ON ---

  void BindKeys() {
    for (const auto& syntax : statement_.distinct_on)
      distinct_keys_.push_back(BindKey(*syntax, Clause::kDistinctOn));
    for (const auto& item : statement_.order_by)
      order_keys_.push_back(BindKey(*item.expression, Clause::kOrderBy));
  }

  Key BindKey(const ast::Expression& syntax, Clause clause) {
    Key key;
    key.position = syntax.position;
    key.item = Ordinal(syntax, ClauseName(clause));
    if (!key.item && syntax.kind == ast::ExpressionKind::kColumn &&
        syntax.As<ast::Column>().names.size() == 1) {
      key.item = OutputColumn(syntax.As<ast::Column>().names[0], syntax.position, ClauseName(clause));
    }
    if (!key.item) {
      if (syntax.kind == ast::ExpressionKind::kLiteral) {
        ThrowError(ErrorKind::kSyntax, sqlstate::kSyntaxError,
                   fmt::format("non-integer constant in {}", ClauseName(clause)), syntax.position);
      }
      ExpressionBinder binder(session_, level_, clause);
      key.expression = binder.BindSettled(syntax);
      if (binder.place().has_aggregate()) select_->is_grouped = true;
    }
    return key;
  }

  /// Returns the index of the item at a position in the SELECT list; nullopt if the expression is not an
  /// integer literal.
  std::optional<size_t> Ordinal(const ast::Expression& syntax, const char* clause) {
    if (syntax.kind != ast::ExpressionKind::kLiteral ||
        syntax.As<ast::Literal>().literal != ast::Literal::Kind::kInteger) {
      return std::nullopt;
    }
    const int64_t ordinal = syntax.As<ast::Literal>().integer;
    if (ordinal < 1 || static_cast<size_t>(ordinal) > select_->names.size()) {
      ThrowError(ErrorKind::kBinder, sqlstate::kInvalidColumnReference,
                 fmt::format("{} position {} is not in select list", clause, ordinal), syntax.position);
    }
    return static_cast<size_t>(ordinal) - 1;
  }

  std::optional<size_t> OutputColumn(const std::string& name, size_t position, const char* clause) {
    std::optional<size_t> found;
    for (size_t i = 0; i < select_->names.size(); i++) {
      if (select_->names[i] != name) continue;
      if (found && !select_->items[*found]->Equals(*select_->items[i])) {
        ThrowError(ErrorKind::kBinder, sqlstate::kAmbiguousColumn,
                   fmt::format("{} \"{}\" is ambiguous", clause, name), position);
      }
      if (!found) found = i;
    }
    return found;
  }

  // --- WINDOW ---

  /// Binds the definitions of the WINDOW clause to find errors also in unused ones.
  void CheckWindows() {
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

  /// DISTINCT: normalizes document values, so that equal values are identical.
  void NormalizeItems() {
    for (ExpressionPtr& item : select_->items) item = NormalOf(session_, std::move(item));
    for (Key& key : order_keys_) {
      if (key.expression) key.expression = NormalOf(session_, std::move(key.expression));
    }
  }

  /// Finds the keys among the items, or adds them as hidden items.
  void PlaceKeys() {
    for (Key& key : distinct_keys_) select_->distinct_on.push_back(PlaceInOrder(key));
    for (size_t i = 0; i < order_keys_.size(); i++) {
      const size_t column = PlaceInOrder(order_keys_[i]);
      const ast::OrderByItem& item = statement_.order_by[i];
      select_->order_by.push_back({column, item.descending, item.nulls_first.value_or(item.descending)});
    }
    if (!select_->distinct_on.empty()) CheckDistinctOn();
  }

  /// Returns the item to sort by. Document values of mixed types sort by a hidden item with their order.
  size_t PlaceInOrder(Key& key) {
    const size_t place = Place(key);
    const Expression& item = *select_->items[place];
    if (!IsMixedValue(session_, item) || HasSubquery(item)) return place;
    ExpressionPtr order = OrderOf(session_, item.Clone());
    for (size_t i = 0; i < select_->items.size(); i++) {
      if (select_->items[i]->Equals(*order)) return i;
    }
    select_->items.push_back(std::move(order));
    return select_->items.size() - 1;
  }

  size_t Place(Key& key) {
    if (key.item) return *key.item;
    for (size_t i = 0; i < select_->items.size(); i++) {
      if (select_->items[i]->Equals(*key.expression)) return i;
    }
    if (statement_.distinct && statement_.distinct_on.empty()) {
      ThrowError(ErrorKind::kBinder, sqlstate::kInvalidColumnReference,
                 "for SELECT DISTINCT, ORDER BY expressions must appear in select list", key.position);
    }
    select_->items.push_back(std::move(key.expression));
    return select_->items.size() - 1;
  }

  void CheckDistinctOn() {
    const auto is_key = [&](size_t column) {
      return std::find(select_->distinct_on.begin(), select_->distinct_on.end(), column) !=
             select_->distinct_on.end();
    };
    const std::set<size_t> wanted(select_->distinct_on.begin(), select_->distinct_on.end());
    std::set<size_t> seen;
    for (size_t i = 0; i < select_->order_by.size() && seen.size() < wanted.size(); i++) {
      if (!is_key(select_->order_by[i].column)) {
        ThrowError(ErrorKind::kBinder, sqlstate::kInvalidColumnReference,
                   "SELECT DISTINCT ON expressions must match initial ORDER BY expressions",
                   order_keys_[i].position);
      }
      seen.insert(select_->order_by[i].column);
    }
  }

  // --- The end ---

  void Group() {
    std::vector<ExpressionPtr*> expressions;
    for (auto& item : select_->items) expressions.push_back(&item);
    if (select_->having) expressions.push_back(&select_->having);
    for (Key& key : distinct_keys_) {
      if (key.expression) expressions.push_back(&key.expression);
    }
    for (Key& key : order_keys_) {
      if (key.expression) expressions.push_back(&key.expression);
    }
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
    select_->distinct = statement_.distinct && statement_.distinct_on.empty();
    if (select_->distinct) {
      for (size_t i = 0; i < select_->names.size(); i++) {
        select_->items[i] = Settle(session_, std::move(select_->items[i]));
      }
    }
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
  std::vector<Key> distinct_keys_;
  std::vector<Key> order_keys_;
};

}  // namespace

BoundQueryPtr BindSelect(BindSession& session, const ast::SelectStatement& statement, QueryLevel& level,
                         Untyped untyped) {
  return SelectBinder(session, statement, level, untyped).Bind();
}

}  // namespace scaup
