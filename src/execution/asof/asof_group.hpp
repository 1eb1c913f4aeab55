// Asof group: one hash partition of an ASOF JOIN in memory, with the match of each left row.
#pragma once

#include <vector>

#include "common/memory/large_vector.hpp"
#include "common/memory/memory_tracker.hpp"
#include "execution/asof/asof_specification.hpp"
#include "execution/rows/column_collection.hpp"
#include "execution/run/query_context.hpp"

namespace scaup {

/// The rows of one side, by the task that collected them. Borrowed.
using AsofRows = std::vector<const ColumnCollection*>;

/// The left rows that come out, in the order of the keys, and their matches. Immutable once made; any number
/// of threads may call Produce. Borrows the specification and the rows.
class AsofGroup {
 public:
  /// Sorts the rows of both sides together and finds the matches. Throws Error(kOutOfMemory).
  AsofGroup(QueryContext& context, const AsofSpecification& specification, AsofRows left, AsofRows right);
  size_t row_count() const { return left_rows_.size(); }
  /// Outputs rows [begin, begin + count).
  void Produce(size_t begin, size_t count, DataChunk& output) const;

 private:
  static constexpr uint64_t kNoMatch = UINT64_MAX;

  void FindMatches(QueryContext& context);
  /// Returns which of two right rows with equal keys matches.
  uint64_t Chosen(uint64_t before, uint64_t next) const;
  int64_t BatchOf(uint64_t right_row) const;
  void ProduceRight(const uint64_t* matches, size_t count, size_t first_column, DataChunk& output) const;

  const AsofSpecification& specification_;
  const AsofRows left_;
  const AsofRows right_;
  MemoryReservation memory_;
  LargeVector<uint64_t> left_rows_;  // CollectionRows of left_.
  LargeVector<uint64_t> matches_;    // CollectionRows of right_, or kNoMatch.
};

}  // namespace scaup
