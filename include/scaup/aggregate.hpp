// Aggregates: aggregate functions of the program that statements of a connection can call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "scaup/function.hpp"
#include "scaup/result.hpp"
#include "scaup/value.hpp"

namespace scaup {

/// Rows of several groups, one group after the other; each group has at least one row. A value type whose
/// copies share the rows.
struct GroupedRows {
  QueryResult rows;
  size_t group_count = 0;
  /// group_count + 1 numbers: group i has the rows offsets[i] to offsets[i + 1] - 1.
  std::shared_ptr<const int64_t[]> offsets;
};

/// The functions that compute an aggregate. Each is called by any threads of the database, also at the same
/// time, under the rules of FunctionDefinition::body: what it may keep, which connections it may use, and
/// what its exceptions do.
struct AggregateBodies {
  /// Sets the result of each group. The rows are the arguments or, with a state, one state for each group.
  std::function<void(const GroupedRows& groups, FunctionOutput& result)> body;

  /// The types of the columns of a partial state, if the aggregate has one; else it gets whole groups, each
  /// of which must fit in memory, and needs neither `accumulate` nor `merge`.
  std::vector<LogicalType> state;
  using StateBody = std::function<void(const GroupedRows& groups, std::span<FunctionOutput* const> state)>;
  /// Sets a state for each group, from some of its rows: one output for each column of the state, one value
  /// for each group. The rows are the arguments.
  StateBody accumulate;
  /// Sets one state for each group from several. The rows are states, in the order of the rows that they were
  /// made from if the call has ORDER BY.
  StateBody merge;
};

/// An aggregate function that the program offers. A value type. FILTER, DISTINCT and ORDER BY of a call,
/// GROUPING SETS and OVER work as for built-in aggregates. A group without rows gives NULL without a call.
///
///     AggregateDefinition range;  // range_of(x): the largest x minus the smallest one
///     range.name = "range_of";
///     range.arguments = {TypeId::kDouble};
///     range.result = TypeId::kDouble;
///     range.body = [](const GroupedRows& groups, FunctionOutput& result) {
///       const auto* x = static_cast<const double*>(groups.rows.Column(0).data);
///       for (size_t i = 0; i < groups.group_count; i++) {
///         const auto [least, most] = std::minmax_element(x + groups.offsets[i], x + groups.offsets[i + 1]);
///         result.DataAs<double>()[i] = *most - *least;
///       }
///     };
///     connection.CreateAggregate(range);
struct AggregateDefinition : AggregateBodies {
  /// The name in SQL, where the case of its ASCII letters does not count.
  std::string name;
  std::vector<LogicalType> arguments;  ///< at least one
  LogicalType result;
  /// Whether rows with a NULL argument are passed. If not, they are left out.
  bool takes_nulls = false;
  /// The most rows of a call with several groups; 0 means 65,536. Calls get whole groups, at most 1024, and
  /// more rows only if one group has more. With a state, so many rows of a group make a state.
  size_t batch_rows = 0;
};

}  // namespace scaup
