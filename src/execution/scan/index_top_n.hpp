// Top-N by index: ORDER BY with LIMIT that reads a table in the order of an index.
#pragma once

#include "catalog/catalog_entry.hpp"
#include "execution/run/physical_operator.hpp"
#include "expression/expression.hpp"
#include "storage/scan/table_scan.hpp"

namespace scaup {

/// Reads rows of a table in the order of an index until it has enough. Only one task reads the index.
///
/// If every row of the index range belongs to the result, the rows are streamed. If a filter may reject rows,
/// Prepare collects the result. After `most_entries` entries of the index it gives up, and runs the child
/// instead, which sorts all rows.
class IndexTopN final : public PhysicalOperator {
 public:
  struct Specification {
    TableEntryRef table;
    TableScanSpecification scan;
    std::shared_ptr<TableIndex> index;
    bool descending;
    /// The first column of the index that no filter fixes, as a column of the table, if there is one.
    std::optional<size_t> first_column;
    ExpressionPtr filter;  ///< over the scan's columns; null for none
    uint64_t limit, offset;
    std::optional<uint64_t> most_entries;  ///< nullopt if every row of the index range is in the result
  };
  /// `sort` produces the same rows by sorting. It is null unless there is `most_entries`.
  IndexTopN(Specification specification, std::vector<LogicalType> types, PhysicalOperatorPtr sort);

  std::unique_ptr<SharedState> MakeShared(QueryContext& context) const override;
  void Prepare(QueryContext& context, SharedState& shared) const override;
  std::unique_ptr<LocalState> MakeLocal(QueryContext& context, SharedState& shared) const override;
  size_t MaxTasks(QueryContext& context, SharedState& shared) const override;
  std::vector<std::string> RunDetails(const SharedState& shared) const override;

 protected:
  void Produce(QueryContext& context, SharedState& shared, LocalState& local,
               DataChunk& output) const override;

 private:
  Specification specification_;
};

}  // namespace scaup
