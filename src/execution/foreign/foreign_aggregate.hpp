// Aggregate functions of the program that embeds the database, as statements call them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "execution/foreign/foreign_function.hpp"
#include "function/aggregate_function.hpp"

namespace scaup {

/// Rows of several groups, one group after the other.
struct GroupedArguments {
  MaterializedResult rows;
  size_t group_count = 0;
  /// group_count + 1 numbers: group i has the rows offsets[i] to offsets[i + 1] - 1.
  std::shared_ptr<const int64_t[]> offsets;
};

/// An aggregate function of the program. It computes results from all rows of groups, or, if it has a state,
/// from states that it has made of some rows of a group at a time. Immutable; any thread may call it.
class ForeignAggregate {
 public:
  using Columns = std::vector<std::unique_ptr<ForeignColumn>>;
  virtual ~ForeignAggregate() = default;

  /// Returns the types of a state's columns; none if the function works on whole groups.
  virtual const std::vector<LogicalType>& StateTypes() const = 0;
  /// Computes the result of each group. With a state, each group is one row, a state.
  virtual std::unique_ptr<ForeignColumn> Finish(const FunctionContext& context,
                                                GroupedArguments groups) const = 0;
  /// Computes a state of each group. The rows are arguments. Only for functions
  /// with a state.
  virtual Columns Accumulate(const FunctionContext& context, GroupedArguments groups) const = 0;
  /// Computes one state of each group from several. Only for functions with a state.
  virtual Columns Merge(const FunctionContext& context, GroupedArguments groups) const = 0;

  /// Returns whether rows with a NULL argument are left out.
  bool omits_nulls() const { return omits_nulls_; }
  /// Returns the most rows of a call that has more than one group.
  size_t most_rows() const { return most_rows_; }

  static constexpr size_t kUsualRows = 65536;

 protected:
  ForeignAggregate(bool omits_nulls, size_t most_rows) : omits_nulls_(omits_nulls), most_rows_(most_rows) {}

 private:
  const bool omits_nulls_;
  const size_t most_rows_;
};

/// Makes the overload that calls a function of the program. Its states collect the rows of their groups,
/// which spill as those of array_agg do. The function gets whole groups, as many as have most_rows() rows
/// together, and at least one. If it has a state, the rows of a group become a state whenever there are
/// most_rows() of them. A group without rows gives NULL without a call.
AggregateFunction MakeForeignAggregate(std::string name, std::vector<LogicalType> arguments,
                                       LogicalType result, std::shared_ptr<const ForeignAggregate> function);

/// Returns whether an overload was made by MakeForeignAggregate.
bool IsForeignAggregate(const AggregateFunction& function);

}  // namespace scaup
