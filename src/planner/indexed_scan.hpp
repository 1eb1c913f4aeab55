// The scan below a join whose rows may be looked up in an index instead.
#pragma once

#include <optional>

#include "planner/node/filter.hpp"
#include "planner/node/get.hpp"
#include "planner/node/join.hpp"
#include "planner/node/project.hpp"

namespace scaup {

/// A Get, perhaps below a Filter, and that below a Project that only passes columns. Borrows the plan.
struct IndexedScan {
  LogicalProject* project = nullptr;  ///< null if there is none
  LogicalFilter* filter = nullptr;    ///< null if there is none
  LogicalGet* get = nullptr;

  /// The table's column that an expression over the scan's output is; none for other expressions.
  std::optional<size_t> ColumnOf(const Expression& expression) const;
  /// The column that an expression over the scan's output is, perhaps cast to a wider integer: equal integers
  /// stay equal.
  std::optional<size_t> ComparedColumnOf(const Expression& expression) const;
};
/// None if the node is something else.
std::optional<IndexedScan> AsIndexedScan(LogicalOperator& node);

/// One column of the key of such a scan's index: a condition's number, or a filter's.
struct LookupKey {
  /// A condition of the join, whose other side has the value. It is to be cast to the column's type; a value
  /// that does not fit equals nothing.
  std::optional<size_t> condition;
  std::optional<size_t> filter;  ///< of the Get: an equality with a constant
};
/// For the first columns of an index, as far as they are fixed.
std::vector<LookupKey> LookupKeysOf(const LogicalJoin& join, const IndexedScan& scan, bool scan_is_left,
                                    const std::vector<size_t>& index_columns);

}  // namespace scaup
