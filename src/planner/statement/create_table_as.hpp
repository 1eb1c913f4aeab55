// CREATE TABLE AS: a table made of a query.
#pragma once

#include <string>
#include <vector>

#include "catalog/catalog_entry.hpp"
#include "planner/node/logical_operator.hpp"

namespace scaup {

/// Creates a table (its storage is made at execution) and fills it with the child's rows.
struct LogicalCreateTableAs final : LogicalOperator {
  LogicalCreateTableAs(std::string schema_in, std::string table_in, std::vector<ColumnDefinition> columns_in,
                       LogicalOperatorPtr child);
  std::vector<ColumnBinding> Bindings() const override { return {}; }
  std::vector<LogicalType> Types() const override { return {}; }
  std::vector<std::string> Names() const override { return {}; }
  std::string Name() const override { return "CreateTableAs"; }
  LogicalOperatorPtr Clone() const override;
  bool writes() const override { return true; }
  std::vector<std::string> Details() const override { return {"table: " + table}; }
  std::string database = {};  ///< "" for the session's
  std::string schema;
  std::string table;
  bool or_replace = false;  ///< drops the table of this name first, if there is one
  CommitAction on_commit = CommitAction::kPreserveRows;
  std::vector<ColumnDefinition> columns;
};

}  // namespace scaup
