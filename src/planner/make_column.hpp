// Column references: expressions for the columns that a planned operator makes.
#pragma once

#include <string>

#include "expression/expression.hpp"

namespace scaup {

/// Makes a reference to a column, which has the column's name as alias as well.
ExpressionPtr MakeColumn(const LogicalType& type, ColumnBinding binding, const std::string& name);

}  // namespace scaup
