// Sort bound: the first key of the last row that a TopN needs, which scans below it use to skip rows.
#pragma once

#include <atomic>
#include <memory>

#include "execution/sort/sort_key.hpp"
#include "execution/sort/sort_threshold.hpp"
#include "type/scan_filter.hpp"

namespace scaup {

/// A test of the first sort key that gets stricter while the tasks of a TopN collect rows. It passes all
/// values that do not come after the bound, and a few that do: it compares numbers of up to eight bytes as
/// they are, of longer values their first eight bytes. So rows that pass still have to be compared with all
/// their keys. Any thread may tighten it while others test.
class SortBound final : public ScanTest {
 public:
  /// Whether keys of this type can be bounded.
  static bool Serves(const LogicalType& type);
  /// REQUIRES: Serves(order.type).
  explicit SortBound(const SortOrder& order);

  /// Excludes what comes after the threshold's row. REQUIRES: `threshold` is set.
  void Tighten(const SortThreshold& threshold);

  void Evaluate(const std::byte* values, size_t count, uint8_t* mask) const override;
  bool MayPass(const ZoneBound& minimum, const ZoneBound& maximum) const override;
  uint64_t RankOf(const ZoneBound& minimum, const ZoneBound& maximum) const override;
  std::string Describe(const std::string& column) const override;

 private:
  PhysicalType type_;
  uint64_t
      flip_;  // All ones for descending keys: it makes ranks of prefixes, which ascend in the order of rows.
  std::atomic<uint64_t> last_rank_{UINT64_MAX};
};

}  // namespace scaup
