// Matched rows: bitmaps of the rows of a join side that have found a partner.
#include "execution/join/matched_rows.hpp"

#include <algorithm>

namespace scaup {

void MatchedRows::Begin(uint64_t row_count) {
  const size_t word_count = (row_count + 63) / 64;
  reservation_.Resize(word_count * sizeof(uint64_t));
  words_ = std::make_unique<std::atomic<uint64_t>[]>(word_count);
  row_count_ = row_count;
}

bool MatchedRows::NextUnmatched(Unmatched& result) {
  while (true) {
    result.piece = next_piece_.fetch_add(1, std::memory_order_relaxed);
    const uint64_t begin = uint64_t{result.piece} * kVectorSize;
    if (begin >= row_count_) return false;
    const size_t row_count = std::min<uint64_t>(kVectorSize, row_count_ - begin);
    result.count = 0;
    for (size_t row = 0; row < row_count; row++) {
      result.rows[result.count] = static_cast<sel_t>(row);
      result.count += !Has(begin + row);
    }
    if (result.count != 0) return true;
  }
}

EarlierMatches::EarlierMatches(uint64_t row_count, MemoryTracker& memory)
    : matched_(memory), unknown_(memory) {
  matched_.Begin(row_count);
  unknown_.Begin(row_count);
}

bool EarlierMatches::Note(const ProbeMatches& matches, uint64_t first_row, size_t count) {
  bool has_again = false;
  for (size_t i = 0; i < count; i++) {
    if (matches.matched[i] && !matched_.Add(first_row + i)) has_again = true;
    if (matches.unknown[i]) unknown_.Add(first_row + i);
  }
  return has_again;
}

void EarlierMatches::Recall(uint64_t first_row, size_t count, ProbeMatches& matches) const {
  for (size_t i = 0; i < count; i++) {
    matches.matched[i] |= matched_.Has(first_row + i);
    matches.unknown[i] |= unknown_.Has(first_row + i);
  }
}

}  // namespace scaup
