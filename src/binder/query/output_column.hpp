// References from GROUP BY, ORDER BY and DISTINCT ON to items of the SELECT list.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "binder/bound/bound_query.hpp"
#include "parser/ast/expression.hpp"

namespace scaup {

/// Returns the index of the item at a position in the SELECT list; nullopt if the expression is not an
/// integer literal. Throws 42P10, naming the clause, if there is no such item.
std::optional<size_t> FindOrdinal(const BoundSelect& select, const ast::Expression& syntax,
                                  const char* clause);
/// Returns the index of the item of that name; nullopt if there is none. Throws 42702 if several items of
/// that name have different values.
std::optional<size_t> FindOutputColumn(const BoundSelect& select, const std::string& name, size_t position,
                                       const char* clause);

}  // namespace scaup
