// Planned expressions: columns by position, projections and scan specifications, for the physical planner.
#pragma once

#include <map>
#include <vector>

#include "execution/run/physical_operator.hpp"
#include "planner/node/get.hpp"
#include "storage/scan/table_scan.hpp"

namespace scaup {

/// Replaces column references by positions in a chunk whose columns have the given bindings.
class BindingResolver {
 public:
  explicit BindingResolver(const std::vector<ColumnBinding>& bindings) { Add(bindings); }
  void Add(const std::vector<ColumnBinding>& bindings) {
    for (const ColumnBinding& binding : bindings) positions_.emplace(binding, next_++);
  }
  /// Adds another binding of a column.
  void AddAlias(ColumnBinding alias, ColumnBinding binding) { positions_.emplace(alias, At(binding)); }
  size_t At(ColumnBinding binding) const { return positions_.at(binding); }
  /// Replaces all column references below `expression`. Throws Error(kInternal) if a column is not in the
  /// chunk.
  void Resolve(ExpressionPtr& expression) const;

 private:
  std::map<ColumnBinding, size_t> positions_;
  size_t next_ = 0;
};

/// Projects the child's rows to `expressions`. Returns `child` itself if they are its columns in order.
PhysicalOperatorPtr ProjectUnlessIdentity(PhysicalOperatorPtr child, std::vector<ExpressionPtr> expressions);

/// Returns the scan specification of a logical scan. Parameter filters are not in it.
TableScanSpecification ScanOf(const LogicalGet& get);

}  // namespace scaup
