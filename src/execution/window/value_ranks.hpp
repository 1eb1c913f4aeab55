// Value ranks: finds the k-th smallest value of any range of rows.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "execution/window/bit_sequence.hpp"
#include "execution/window/window_evaluator.hpp"

namespace scaup {

/// The values of a column in order, and the rank of each row's value in a wavelet matrix: for each bit of the
/// rank, from the highest, the bits of all rows in the order that the higher bits give them (Claude, Navarro,
/// Ordonez: The wavelet matrix, Information Systems 47, 2015). It takes about 1.5 bits for each row and bit,
/// which are spilled where memory is short. A search looks at two places of each bit sequence. NULLs and rows
/// that a filter excludes have no rank. Immutable; any number of threads may search.
class ValueRanks {
 public:
  /// Borrows `input`. REQUIRES: fewer than 2^31 rows.
  ValueRanks(const WindowInput& input, size_t column, std::optional<size_t> filter);

  /// Rows [begins[i], ends[i]), of which ranges have as many as values in them are wanted.
  struct Range {
    std::vector<uint64_t> begins;
    std::vector<uint64_t> ends;
  };
  /// Replaces rows by the number of earlier rows that have a rank.
  void CountRanked(std::vector<uint64_t>& rows) const;
  /// places[i], the index of a value among those of all ranges in order, becomes its rank. The ranges count
  /// only rows that have a rank, of which they have more than places[i], and change. REQUIRES: at most 1024
  /// places.
  void Find(std::vector<Range>& ranges, std::vector<uint64_t>& places) const;
  /// result[i] = the value with rank ranks[i].
  void Gather(const uint64_t* ranks, size_t count, Vector& result) const {
    values_->Gather(0, ranks, count, result);
  }

 private:
  using Numbers = std::vector<std::unique_ptr<SpillableRows>>;
  /// Sorts the values. Returns the rows in that order, as numbers of ranked rows.
  Numbers SortValues(const WindowInput& input, size_t column, std::optional<size_t> filter);
  Numbers Invert(QueryContext& context, const Numbers& rows) const;
  Numbers AddLevel(QueryContext& context, const Numbers& ranks, unsigned bit);

  uint64_t ranked_count_ = 0;
  std::unique_ptr<BitSequence> is_ranked_;  // By row; null if all rows are.
  std::unique_ptr<RandomAccessRows> values_;
  std::vector<std::unique_ptr<BitSequence>> levels_;  // From the highest bit.
};

}  // namespace scaup
