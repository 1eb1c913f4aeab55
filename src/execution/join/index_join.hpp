// Index nested-loop join: looks up the keys of its input's rows in an index of a table.
#pragma once

#include "catalog/catalog_entry.hpp"
#include "execution/join/join_output.hpp"
#include "execution/run/physical_operator.hpp"
#include "expression/expression.hpp"
#include "planner/node/join.hpp"
#include "storage/scan/table_scan.hpp"

namespace scaup {

/// Inner, left, semi and anti joins of an input with the rows of a table, found by an index. It reads no
/// other rows of the table. A serializable transaction logs the reads key by key. Output columns: the
/// input's; for inner and left joins, the scan's columns follow.
class IndexJoin final : public PhysicalOperator {
 public:
  /// The table, index, keys and residual of an index join.
  struct Specification {
    LogicalJoinType join_type;
    TableEntryRef table;
    TableScanSpecification scan;
    std::shared_ptr<TableIndex> index;
    /// The values to look up in the first columns of the index, as expressions over the input's columns.
    std::vector<ExpressionPtr> keys;
    ExpressionPtr residual;  ///< over the input's, then the scan's columns; may be null
    std::vector<LogicalType> scan_types;
  };
  IndexJoin(PhysicalOperatorPtr input, Specification specification, std::vector<LogicalType> types);

  std::unique_ptr<SharedState> MakeShared(QueryContext& context) const override;
  std::unique_ptr<LocalState> MakeLocal(QueryContext& context, SharedState& shared) const override;

 protected:
  void Produce(QueryContext& context, SharedState& shared, LocalState& local,
               DataChunk& output) const override;

 private:
  struct Shared;
  struct Local;
  void BeginProbe(Shared& shared, Local& local) const;
  bool FindEntries(const Shared& shared, Local& local) const;
  void FindKeys(const Shared& shared, Local& local) const;
  void FindBeginnings(const Shared& shared, Local& local) const;
  bool ProbeStep(Local& local, DataChunk& output) const;

  Specification specification_;
};

}  // namespace scaup
