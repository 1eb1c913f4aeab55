// Streamed window: window functions over rows that already stream in the window's order.
#pragma once

#include <memory>
#include <vector>

#include "execution/sort/neighbour_comparer.hpp"
#include "execution/window/window_specification.hpp"

namespace scaup {

/// The order that functions require of streamed rows, from the weakest to the strongest requirement.
enum class StreamedOrder {
  kInOrder,  ///< rows come in the order of PARTITION BY and ORDER BY
  kUnique,   ///< besides, no two rows are peers
  kNever,    ///< impossible: functions use later rows, or rows far back
};

/// Up to 1024 rows that follow the previous block.
struct StreamedBlock {
  DataChunk& input;
  size_t count;
  const uint64_t* before;   ///< for each row: the number of earlier rows of its partition
  const uint8_t* restarts;  ///< for each row: 1 if its partition begins there
  const uint8_t* is_peer;   ///< for each row: 1 if it is a peer of the previous row; set if used
};

/// One function with its state. One thread at a time.
class StreamedFunction {
 public:
  virtual ~StreamedFunction() = default;
  /// Writes the results of the block's rows to `result`, which is flat and empty.
  virtual void Evaluate(const StreamedBlock& block, Vector& result) = 0;
};

/// All functions of a window. Takes each row once, from the first to the last; one thread at a time.
class StreamedWindow {
 public:
  static StreamedOrder AskedOrder(const WindowSpecification& specification);
  /// REQUIRES: rows come in the order AskedOrder returns, which is not kNever. Borrows all arguments.
  StreamedWindow(QueryContext& context, const WindowSpecification& specification,
                 const std::vector<LogicalType>& input_types);
  /// Makes the first columns of `output` refer to `input`, and writes the functions' results to the others.
  void Evaluate(DataChunk& input, DataChunk& output);

 private:
  void CompareKeys(DataChunk& input, size_t count, uint8_t* restarts, uint8_t* is_peer);

  const WindowSpecification& specification_;
  std::vector<size_t> key_columns_;  // The columns that must be compared.
  NeighbourComparer comparer_;
  std::vector<std::unique_ptr<StreamedFunction>> functions_;
  bool is_first_ = true;
  uint64_t partition_rows_ = 0;  // Rows of the current partition so far.
};

}  // namespace scaup
