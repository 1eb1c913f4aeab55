// Indexed scans: scans below a join whose rows an index lookup may find instead.
#pragma once

#include <optional>

#include "planner/node/filter.hpp"
#include "planner/node/get.hpp"
#include "planner/node/join.hpp"
#include "planner/node/project.hpp"

namespace scaup {

/// A Get, perhaps below a Filter, and that perhaps below a Project that only passes columns. A value; borrows
/// the plan, which must outlive it.
struct IndexedScan {
  LogicalProject* project = nullptr;  ///< null if there is none
  LogicalFilter* filter = nullptr;    ///< null if there is none
  LogicalGet* get = nullptr;

  /// Returns the table's column that an expression over the scan's output stands for; none for other
  /// expressions.
  std::optional<size_t> ColumnOf(const Expression& expression) const;
  /// Returns the column as ColumnOf does, also if it is cast to a wider integer: equal integers stay equal.
  std::optional<size_t> ComparedColumnOf(const Expression& expression) const;
};
/// Returns the node as an indexed scan; none if it is something else.
std::optional<IndexedScan> AsIndexedScan(LogicalOperator& node);

/// The source of one column of a lookup key: a condition of the join, or a filter. A value.
struct LookupKey {
  /// The number of a join condition, whose other side has the value. The value is cast to the column's type;
  /// one that does not fit equals nothing.
  std::optional<size_t> condition;
  std::optional<size_t> filter;  ///< of the Get: an equality with a constant
};
/// Returns the sources of the first columns of an index, up to the first column that is not fixed.
std::vector<LookupKey> LookupKeysOf(const LogicalJoin& join, const IndexedScan& scan, bool scan_is_left,
                                    const std::vector<size_t>& index_columns);

}  // namespace scaup
