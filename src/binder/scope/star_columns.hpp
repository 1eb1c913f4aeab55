// The columns that * and t.* stand for, with EXCLUDE, REPLACE and RENAME.
#pragma once

#include <string>
#include <vector>

#include "binder/scope/scope.hpp"
#include "parser/ast/expression.hpp"

namespace scaup {

/// One column of a star: its value, or the expression that REPLACE gives instead.
struct StarColumn {
  std::string name;
  ExpressionPtr value;
  const ast::Expression* replacement = nullptr;  ///< borrowed from the syntax tree
};

/// Returns the columns of a star in their order, with positions that point to the star. Throws Error(42703)
/// for a name in its lists that is none of them. REQUIRES: the level has a scope, or the star a name in
/// front.
std::vector<StarColumn> ColumnsOfStar(const QueryLevel& level, const ast::Star& star);

}  // namespace scaup
