// Window functions over rows that come in the window's order already: computed as the rows pass by.
#pragma once

#include <memory>
#include <vector>

#include "execution/sort/neighbour_comparer.hpp"
#include "execution/window/window_specification.hpp"

namespace scaup {

/// The order that functions ask of rows that are to pass by; later orders in the list are harder to give.
enum class StreamedOrder {
  kInOrder,  ///< they come in the order of PARTITION BY and ORDER BY
  kUnique,   ///< besides, no two of them are peers
  kNever,    ///< nothing helps: functions look at rows that come later, or far back
};

/// Up to 1024 rows that follow those before them.
struct StreamedBlock {
  DataChunk& input;
  size_t count;
  const uint64_t* before;   ///< of each row: how many rows of its partition came before it
  const uint8_t* restarts;  ///< of each row: 1 where its partition begins
  const uint8_t* is_peer;   ///< of each row: 1 if it is a peer of the row before; where somebody asks
};

/// One function, with what it has to remember. One thread at a time.
class StreamedFunction {
 public:
  virtual ~StreamedFunction() = default;
  /// Writes the results for the block's rows to `result`, which is flat and empty.
  virtual void Evaluate(const StreamedBlock& block, Vector& result) = 0;
};

/// All functions of a window. Takes rows once, from the first to the last; one thread at a time.
class StreamedWindow {
 public:
  static StreamedOrder AskedOrder(const WindowSpecification& specification);
  /// REQUIRES: rows come as AskedOrder says, which is not kNever. Borrows all.
  StreamedWindow(QueryContext& context, const WindowSpecification& specification,
                 const std::vector<LogicalType>& input_types);
  /// The first columns of `output` become those of `input`, the others the functions' results.
  void Evaluate(DataChunk& input, DataChunk& output);

 private:
  void CompareKeys(DataChunk& input, size_t count, uint8_t* restarts, uint8_t* is_peer);

  const WindowSpecification& specification_;
  std::vector<size_t> key_columns_;  // Those that have to be compared.
  NeighbourComparer comparer_;
  std::vector<std::unique_ptr<StreamedFunction>> functions_;
  bool is_first_ = true;
  uint64_t partition_rows_ = 0;  // Of the partition that goes on.
};

}  // namespace scaup
