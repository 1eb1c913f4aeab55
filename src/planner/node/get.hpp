// Scan of a table: its columns, and the filters that the scan applies itself.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "catalog/catalog_entry.hpp"
#include "planner/node/logical_operator.hpp"
#include "text/text_search.hpp"
#include "type/scan_filter.hpp"

namespace scaup {

/// A scan filter whose constant is the value of a parameter. No row passes if the value is NULL.
struct ParameterFilter {
  ScanFilter filter;
  size_t parameter;  ///< 0 for $1
};

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
  std::vector<size_t> columns;      ///< initially all columns of the table
  std::vector<ScanFilter> filters;  ///< ANDed; the optimizer moves comparisons with constants here
  /// Filters by parameters, in a generic plan.
  std::vector<ParameterFilter> parameter_filters;
  /// Text searches, which a filter above the scan repeats, for an index lookup. Made by the optimizer's last
  /// passes.
  std::vector<TextSearch> text_searches;
  /// Filters that let the scan skip rows early; a filter above repeats them. A row must pass at least one of
  /// each list.
  std::vector<std::vector<ScanFilter>> alternatives;
};

}  // namespace scaup
