// Many groups: aggregates that gain by more groups, or more rows, at once than the functions of a state get.
#pragma once

#include <span>

#include "function/aggregate_function.hpp"

namespace scaup {

struct MaterializedResult;

/// Data of an aggregate, such as one of the program, of which each call costs much, whatever it gets.
class ManyGroupsData : public FunctionData {
 public:
  /// Computes the results of all `states`, which do not change any more, and keeps them in the states, from
  /// which `finalize` of the function takes them. If it throws, the other states can be finalized all the
  /// same.
  virtual void FinishAhead(const AggregateCall& call, std::span<std::byte* const> states) const = 0;
  /// Returns whether a group that is alone need not be collected in a state: FinishWhole takes its rows as
  /// columns. Called when a statement runs.
  virtual bool TakesWhole() const = 0;
  /// Computes the result of a group of all `rows`, whose columns are the arguments, and writes it to row 0 of
  /// `result`. Only if TakesWhole().
  virtual void FinishWhole(const FunctionContext& context, MaterializedResult rows, Vector& result) const = 0;
};

}  // namespace scaup
