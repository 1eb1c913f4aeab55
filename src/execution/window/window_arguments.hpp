// Window arguments: the arguments of a windowed aggregate, for rows in any order.
#pragma once

#include "execution/window/window_evaluator.hpp"

namespace scaup {

/// Loads arguments vector by vector and adds rows to states. One thread at a time; borrows all arguments.
class WindowArguments {
 public:
  WindowArguments(const WindowInput& input, const WindowFunctionSpecification& function, Arena& arena);

  /// Adds row begin + i to *states[i].
  void AddRange(size_t begin, size_t count, std::byte** states);
  /// Adds row rows[i] to *states[i]; at most 1024 rows.
  void AddRows(const uint64_t* rows, size_t count, std::byte** states);
  /// Adds all rows of the range to one state, in order.
  void AddRangeTo(size_t begin, size_t count, std::byte* state);

  const AggregateCall& call() const { return call_; }
  const AggregateFunction& function() const { return function_; }
  /// Makes `count` empty states in the arena, side by side.
  std::byte* MakeStates(size_t count);

 private:
  void AddLoaded(size_t count, std::byte** states);

  const SortedRows& rows_;
  const AggregateFunction& function_;
  Arena& arena_;
  AggregateCall call_;
  std::vector<size_t> columns_;           // In the rows: arguments, then the filter if any.
  AggregateSpecification specification_;  // The same columns by their position in chunk_.
  DataChunk chunk_;
  std::unique_ptr<AggregateArguments> arguments_;
};

}  // namespace scaup
