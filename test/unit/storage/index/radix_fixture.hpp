// A radix tree beside an ordered set of entries.
#pragma once

#include <set>
#include <string_view>

#include "../../vector/random_values.hpp"
#include "storage/index/radix_scan.hpp"

namespace scaup::test {

inline constexpr uint64_t kPending = uint64_t{1} << 63;

using Entry = std::pair<IndexKey, uint64_t>;
using Model = std::set<Entry>;

inline IndexKey KeyOf(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
  return {bytes.begin(), bytes.end()};
}

inline std::vector<Entry> EntriesOf(const RadixTree& tree, KeyRange range, bool descending,
                                    size_t batch_size = 100) {
  RadixScan scan(std::move(range), descending);
  std::vector<Entry> entries;
  IndexBatch batch;
  while (scan.Next(tree, batch_size, true, batch)) {
    for (size_t i = 0; i < batch.values.size(); i++)
      entries.push_back({{batch.key(i).begin(), batch.key(i).end()}, batch.values[i]});
  }
  return entries;
}

}  // namespace scaup::test
