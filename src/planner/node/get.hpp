// Scan of a table: its columns, and the filters that the scan applies itself.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "catalog/catalog_entry.hpp"
#include "expression/indexed_expression.hpp"
#include "planner/node/logical_operator.hpp"
#include "type/scan_predicate.hpp"

namespace scaup {

/// Scan of a table. Output column i is table column `columns[i]`, bound as {table_index, columns[i]}:
/// bindings name the table's column, so that pruning columns changes no reference. kRowNumberColumn is the
/// number of the row.
struct LogicalGet final : LogicalOperator {
  LogicalGet(size_t table_index_in, TableEntryRef table_in);
  std::vector<ColumnBinding> Bindings() const override;
  std::vector<LogicalType> Types() const override;
  std::vector<std::string> Names() const override;
  std::string Name() const override { return "Scan"; }
  LogicalOperatorPtr Clone() const override;
  void ForEachTableIndex(const std::function<void(size_t&)>& visit) override { visit(table_index); }
  std::vector<std::string> Details() const override;
  size_t table_index;
  TableEntryRef table;
  std::vector<size_t> columns;  ///< initially all columns of the table
  ScanPredicate predicate;      ///< made by the optimizer; initially every row is wanted
  /// The contents of the table's hidden columns, for predicates over the same; null if it has none.
  IndexedExpressionsRef indexed = {};
};

}  // namespace scaup
