// Binds ORDER BY and DISTINCT ON of SELECT.
#include "binder/query/select_keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "binder/bound/subquery_expression.hpp"
#include "binder/query/output_column.hpp"
#include "binder/scope/collation.hpp"
#include "binder/scope/document_value.hpp"
#include "binder/scope/expression_binder.hpp"
#include "binder/scope/null_order.hpp"
#include "common/throw.hpp"

namespace scaup {

void SelectKeys::Bind() {
  SCAUP_ASSERT(select_.items.size() == select_.names.size());
  for (const auto& syntax : statement_.distinct_on)
    distinct_keys_.push_back(BindKey(*syntax, Clause::kDistinctOn));
  for (const auto& item : statement_.order_by) {
    const size_t first = order_keys_.size();
    if (!item.is_all) order_keys_.push_back(BindKey(*item.expression, Clause::kOrderBy));
    for (size_t i = 0; item.is_all && i < select_.names.size(); i++) order_keys_.emplace_back().item = i;
    for (size_t i = first; i < order_keys_.size(); i++) order_keys_[i].order = &item;
  }
}

SelectKeys::Key SelectKeys::BindKey(const ast::Expression& syntax, Clause clause) {
  Key key;
  key.position = syntax.position;
  key.item = FindOrdinal(select_, syntax, ClauseName(clause));
  if (!key.item && syntax.kind == ast::ExpressionKind::kColumn &&
      syntax.As<ast::Column>().names.size() == 1) {
    key.item =
        FindOutputColumn(select_, syntax.As<ast::Column>().names[0], syntax.position, ClauseName(clause));
  }
  if (!key.item) {
    if (syntax.kind == ast::ExpressionKind::kLiteral) {
      ThrowError(ErrorKind::kSyntax, sqlstate::kSyntaxError,
                 fmt::format("non-integer constant in {}", ClauseName(clause)), syntax.position);
    }
    ExpressionBinder binder(session_, level_, clause);
    key.expression = binder.BindSettled(syntax);
    if (binder.place().has_aggregate()) select_.is_grouped = true;
  }
  return key;
}

void SelectKeys::ForEachExpression(const std::function<void(ExpressionPtr&)>& visit) {
  for (std::vector<Key>* keys : {&distinct_keys_, &order_keys_}) {
    for (Key& key : *keys) {
      if (key.expression) visit(key.expression);
    }
  }
}

void SelectKeys::Normalize() {
  for (Key& key : order_keys_) {
    if (key.expression) key.expression = WithoutOrderOfBytes(NormalOf(session_, std::move(key.expression)));
  }
}

void SelectKeys::Place() {
  for (Key& key : distinct_keys_) select_.distinct_on.push_back(PlaceInOrder(key));
  for (Key& key : order_keys_) {
    const size_t column = PlaceInOrder(key);
    const ast::OrderByItem& item = *key.order;
    select_.order_by.push_back({column, item.descending, NullsComeFirst(session_, item)});
  }
  if (!select_.distinct_on.empty()) CheckDistinctOn();
}

size_t SelectKeys::PlaceInOrder(Key& key) {
  // The key of a text is all that is needed of it, unless DISTINCT asks for the text.
  const bool is_distinct = statement_.distinct && statement_.distinct_on.empty();
  if (key.expression && !is_distinct && key.expression->type().id() == TypeId::kVarchar)
    key.expression = CollationKeyOf(session_, std::move(key.expression), KeyUse::kOrder);
  const size_t place = PlaceKey(key);
  const Expression& item = *select_.items[place];
  const bool has_collation = CollationFor(session_, {&item}, KeyUse::kOrder).has_value();
  if (has_collation && HasSubquery(item))
    RequireBytes(session_, item, KeyUse::kOrder, "ORDER BY of a subquery");
  if ((!has_collation && !IsMixedValue(session_, item)) || HasSubquery(item)) return place;
  ExpressionPtr order = OrderOf(session_, item.Clone());
  for (size_t i = 0; i < select_.items.size(); i++) {
    if (select_.items[i]->Equals(*order)) return i;
  }
  select_.items.push_back(std::move(order));
  return select_.items.size() - 1;
}

size_t SelectKeys::PlaceKey(Key& key) {
  if (key.item) return *key.item;
  for (size_t i = 0; i < select_.items.size(); i++) {
    if (select_.items[i]->Equals(*key.expression)) return i;
  }
  if (statement_.distinct && statement_.distinct_on.empty()) {
    ThrowError(ErrorKind::kBinder, sqlstate::kInvalidColumnReference,
               "for SELECT DISTINCT, ORDER BY expressions must appear in select list", key.position);
  }
  select_.items.push_back(std::move(key.expression));
  return select_.items.size() - 1;
}

void SelectKeys::CheckDistinctOn() const {
  const auto is_key = [&](size_t column) {
    return std::find(select_.distinct_on.begin(), select_.distinct_on.end(), column) !=
           select_.distinct_on.end();
  };
  const std::set<size_t> wanted(select_.distinct_on.begin(), select_.distinct_on.end());
  std::set<size_t> seen;
  for (size_t i = 0; i < select_.order_by.size() && seen.size() < wanted.size(); i++) {
    if (!is_key(select_.order_by[i].column)) {
      ThrowError(ErrorKind::kBinder, sqlstate::kInvalidColumnReference,
                 "SELECT DISTINCT ON expressions must match initial ORDER BY expressions",
                 order_keys_[i].position);
    }
    seen.insert(select_.order_by[i].column);
  }
}

}  // namespace scaup
