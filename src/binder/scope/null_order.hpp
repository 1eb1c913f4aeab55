// The place of NULLs in an order that does not say it.
#pragma once

#include "binder/scope/bind_session.hpp"
#include "parser/ast/expression.hpp"

namespace scaup {

/// Returns whether NULLs come first by an item of ORDER BY, or else by the setting default_null_order.
inline bool NullsComeFirst(const BindSession& session, const ast::OrderByItem& item) {
  if (item.nulls_first) return *item.nulls_first;
  switch (session.context().settings.default_null_order) {
    case NullOrder::kGreatest: return item.descending;
    case NullOrder::kLeast: return !item.descending;
    case NullOrder::kLast: return false;
    case NullOrder::kFirst: return true;
  }
  return item.descending;
}

}  // namespace scaup
