// Makes column references.
#include "planner/make_column.hpp"

namespace scaup {

ExpressionPtr MakeColumn(const LogicalType& type, ColumnBinding binding, const std::string& name) {
  auto column = std::make_unique<ColumnRefExpression>(type, binding, name);
  column->alias = name;
  return column;
}

}  // namespace scaup
