// Aggregate specification: a function to compute, and the input columns of its arguments.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "execution/run/query_context.hpp"
#include "function/aggregate_function.hpp"

namespace scaup {

/// One aggregate of a GROUP BY. Immutable.
struct AggregateSpecification {
  AggregateFunction function;
  std::shared_ptr<const FunctionData> data;
  std::vector<size_t> arguments;  ///< columns of the input
  std::optional<size_t> filter;   ///< BOOLEAN column of the input: FILTER (WHERE ...)
  bool distinct = false;
  /// Restricts the aggregate to rows of this source, an INTEGER in the input's last column (see
  /// DistinctSets).
  std::optional<size_t> source;

  std::vector<LogicalType> ArgumentTypes() const { return function.argument_types; }
};

/// The arguments of one aggregate as a chunk of its own, restricted to the rows that its filter passes. One
/// thread at a time.
class AggregateArguments {
 public:
  explicit AggregateArguments(const AggregateSpecification& specification,
                              const std::vector<LogicalType>& input_types);
  /// Refers to the input's columns. Returns the number of rows that pass; rows() lists them unless all do.
  size_t Load(DataChunk& input);
  DataChunk& chunk() { return chunk_; }
  /// Null if all rows pass.
  const sel_t* rows() const { return selection_ ? selection_->rows : nullptr; }

 private:
  template <typename TakesPart>
  void Select(size_t& count, TakesPart&& takes_part);
  void SelectSource(DataChunk& input, size_t& count);

  const AggregateSpecification& specification_;
  DataChunk chunk_;
  SelectionRef selection_;
};

}  // namespace scaup
