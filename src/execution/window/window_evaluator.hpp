// Window evaluator: one window function over the rows of one hash partition.
#pragma once

#include <memory>
#include <vector>

#include "execution/window/frame_bounds.hpp"
#include "execution/window/sorted_rows.hpp"
#include "execution/window/window_specification.hpp"

namespace scaup {

/// The input of an evaluator. Borrowed; outlives the evaluator.
struct WindowInput {
  QueryContext& context;
  const WindowSpecification& specification;
  const SortedRows& rows;
  const RowGroups& groups;
};

/// A function that is ready to be evaluated: everything that depends on all rows has been computed.
/// Immutable; any number of threads may call Evaluate.
class WindowEvaluator {
 public:
  virtual ~WindowEvaluator() = default;
  /// Whether Evaluate uses `frames`.
  virtual bool needs_frames() const { return false; }
  /// Writes the results of the block's rows to `result`, which is flat and empty, or makes it refer to values
  /// of the evaluator.
  virtual void Evaluate(const BlockGroups& block, const BlockFrames& frames, Vector& result) const = 0;
};

std::unique_ptr<WindowEvaluator> MakeEvaluator(const WindowInput& input,
                                               const WindowFunctionSpecification& function);

// The parts of MakeEvaluator, each in a file of its own.
std::unique_ptr<WindowEvaluator> MakeRankEvaluator(const WindowInput& input,
                                                   const WindowFunctionSpecification& function);
std::unique_ptr<WindowEvaluator> MakeValueEvaluator(const WindowInput& input,
                                                    const WindowFunctionSpecification& function);
std::unique_ptr<WindowEvaluator> MakeAggregateEvaluator(const WindowInput& input,
                                                        const WindowFunctionSpecification& function);
/// REQUIRES: the function is an aggregate with a `previous`.
std::unique_ptr<WindowEvaluator> MakeDistinctEvaluator(const WindowInput& input,
                                                       const WindowFunctionSpecification& function);
/// Returns null if the frames are not short sliding frames.
std::unique_ptr<WindowEvaluator> MakeSlidingEvaluator(const WindowInput& input,
                                                      const WindowFunctionSpecification& function);

/// Returns null if the result is not one of the argument's values, or if their fraction is not constant.
std::unique_ptr<WindowEvaluator> MakePlaceEvaluator(const WindowInput& input,
                                                    const WindowFunctionSpecification& function);

}  // namespace scaup
