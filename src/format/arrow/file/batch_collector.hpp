// BatchCollector: collects chunks into the contiguous columns of a batch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "common/memory/arena.hpp"
#include "common/memory/memory_tracker.hpp"
#include "format/arrow/arrow_writer.hpp"
#include "vector/data_chunk.hpp"

namespace scaup {

/// The rows of a batch, in memory that is accounted for. One thread at a time.
class BatchCollector {
 public:
  /// `memory` is borrowed, also by what Take returns.
  BatchCollector(const std::vector<LogicalType>& types, MemoryTracker& memory);

  /// Adds rows [begin, end) of a chunk. Throws Error(kOutOfMemory).
  void Add(DataChunk& chunk, size_t begin, size_t end);
  size_t row_count() const { return row_count_; }
  size_t size_bytes() const;

  /// Columns and what keeps them alive.
  struct Batch {
    std::vector<ArrowSource> columns;
    std::shared_ptr<const void> owner;
    size_t row_count = 0;
  };
  /// Returns the rows; the collector is then empty.
  Batch Take();

 private:
  struct Column {
    std::vector<std::byte> values;
    std::vector<uint8_t> nulls;  // empty as long as no value is NULL
  };
  struct Rows {
    explicit Rows(MemoryTracker& memory) : reservation(memory), texts(&memory) {}
    MemoryReservation reservation;
    std::vector<Column> columns;
    Arena texts;
  };

  void AddColumn(const LogicalType& type, const UnifiedView& view, size_t begin, size_t end, Column& column);

  const std::vector<LogicalType> types_;
  MemoryTracker& memory_;
  std::shared_ptr<Rows> rows_;
  size_t row_bytes_ = 0;  // of values and NULL flags
  size_t row_count_ = 0;
};

}  // namespace scaup
