// What the physical planner's files share: columns by position, projections, scans.
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
  /// Another name of a column.
  void AddAlias(ColumnBinding alias, ColumnBinding binding) { positions_.emplace(alias, At(binding)); }
  size_t At(ColumnBinding binding) const { return positions_.at(binding); }
  /// Throws kInternal where a column is not among them.
  void Resolve(ExpressionPtr& expression) const;

 private:
  std::map<ColumnBinding, size_t> positions_;
  size_t next_ = 0;
};

/// `child` itself where the expressions are its columns.
PhysicalOperatorPtr ProjectUnlessIdentity(PhysicalOperatorPtr child, std::vector<ExpressionPtr> expressions);

TableScanSpecification ScanOf(const LogicalGet& get);

}  // namespace scaup
