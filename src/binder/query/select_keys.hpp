// The keys of ORDER BY and DISTINCT ON of a SELECT, and their places among its items.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "binder/bound/bound_query.hpp"
#include "binder/scope/bind_session.hpp"
#include "binder/scope/expression_place.hpp"
#include "binder/scope/scope.hpp"
#include "parser/ast/statement.hpp"

namespace scaup {

/// Binds the keys early, when their names can be resolved, and places them late: only items that are complete
/// can be compared with them. Used by one thread; everything is borrowed.
class SelectKeys {
 public:
  SelectKeys(BindSession& session, const ast::SelectStatement& statement, QueryLevel& level,
             BoundSelect& select)
      : session_(session), statement_(statement), level_(level), select_(select) {}

  /// Binds all keys. REQUIRES: the items of the select are bound, and none of them is hidden yet.
  void Bind();
  /// Visits the expressions of keys that are not items.
  void ForEachExpression(const std::function<void(ExpressionPtr&)>& visit);
  /// Normalizes the keys of ORDER BY, for comparison with the items of SELECT DISTINCT.
  void Normalize();
  /// Finds the keys among the items, or adds them as hidden items. Called once.
  void Place();

 private:
  /// An ORDER BY or DISTINCT ON expression: either an item, or an expression that is not among the items yet.
  struct Key {
    std::optional<size_t> item;
    ExpressionPtr expression;
    size_t position = 0;
    const ast::OrderByItem* order = nullptr;  ///< the direction of a key of ORDER BY
  };

  Key BindKey(const ast::Expression& syntax, Clause clause);
  /// Returns the item to sort by. Document values of mixed types sort by a hidden item with their order.
  size_t PlaceInOrder(Key& key);
  size_t PlaceKey(Key& key);
  void CheckDistinctOn() const;

  BindSession& session_;
  const ast::SelectStatement& statement_;
  QueryLevel& level_;
  BoundSelect& select_;
  std::vector<Key> distinct_keys_;
  std::vector<Key> order_keys_;
};

}  // namespace scaup
