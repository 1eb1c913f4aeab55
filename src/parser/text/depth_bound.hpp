// Refuses statements whose syntax tree would be too deep, before any recursion on it begins.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "parser/text/token.hpp"

namespace scaup {

/// Returns an upper bound of the depth of the statement's tree. Throws Error(kSyntax, 54001) with the
/// position where it passes `max_depth`; what the stack has room for is another matter. Looks at tokens only
/// and walks them once, so it is safe and fast on any text. Long lists (commas, AND, OR, branches of CASE) do
/// not count; operators in a row, joins, set operations, brackets and subqueries do. `sql` is the text that
/// the tokens' `origin` points into.
size_t CheckDepth(std::string_view sql, std::span<const Token> tokens, size_t max_depth);

}  // namespace scaup
