// CREATE TABLE AS: a table made of a query.
#include "planner/statement/create_table_as.hpp"

#include "planner/node/node_parts.hpp"

namespace scaup {

LogicalCreateTableAs::LogicalCreateTableAs(std::string schema_in, std::string table_in,
                                           std::vector<ColumnDefinition> columns_in, LogicalOperatorPtr child)
    : LogicalOperator(LogicalKind::kCreateTableAs),
      schema(std::move(schema_in)),
      table(std::move(table_in)),
      columns(std::move(columns_in)) {
  children.push_back(std::move(child));
}

LogicalOperatorPtr LogicalCreateTableAs::Clone() const {
  auto copy = std::make_unique<LogicalCreateTableAs>(schema, table, columns, ClonePlan(*children[0]));
  copy->database = database;
  copy->or_replace = or_replace;
  copy->on_commit = on_commit;
  return copy;
}

}  // namespace scaup
