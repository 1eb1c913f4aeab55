// Index nested-loop join: looks the keys of its input's rows up in an index of a table.
#pragma once

#include "execution/join/join_output.hpp"
#include "execution/run/physical_operator.hpp"
#include "expression/expression.hpp"
#include "planner/node/join.hpp"
#include "storage/scan/table_scan.hpp"

namespace scaup {

/// Inner, left, semi and anti joins of the rows of an input with those of a table that have their keys. Reads
/// no other rows of the table, and what it reads a serializable transaction notes key by key. Output columns:
/// the input's, then, for inner and left joins, the scan's.
class IndexJoin final : public PhysicalOperator {
 public:
  struct Specification {
    LogicalJoinType join_type;
    TableEntryRef table;
    TableScanSpecification scan;
    std::shared_ptr<TableIndex> index;
    /// By column of the index, of its first columns: what rows must have there, over the input's columns.
    std::vector<ExpressionPtr> keys;
    ExpressionPtr residual;  ///< over the input's columns, then the scan's; null for none
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
