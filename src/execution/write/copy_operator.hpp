// COPY TO: writes the rows of a query to files.
#pragma once

#include "execution/run/physical_operator.hpp"
#include "format/copy_target.hpp"

namespace scaup {

/// Writes the child's rows to a file, in order, or to the files of a directory. Outputs no rows.
class CopyToOperator final : public PhysicalOperator {
 public:
  CopyToOperator(CopyTarget target, std::vector<std::string> column_names, PhysicalOperatorPtr child);
  void Prepare(QueryContext& context, SharedState& shared) const override;
  size_t MaxTasks(QueryContext&, SharedState&) const override { return 1; }

 protected:
  void Produce(QueryContext&, SharedState&, LocalState&, DataChunk&) const override {}

 private:
  void WriteFile(QueryContext& context, SharedState& shared) const;
  void WriteDirectory(QueryContext& context, SharedState& shared) const;
  void WritePartitions(QueryContext& context, SharedState& shared) const;

  CopyTarget target_;
  std::vector<std::string> column_names_;
};

}  // namespace scaup
