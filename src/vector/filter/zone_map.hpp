// Zone maps: bounds and NULL counts of a block or row group, by which scans skip it without reading it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/byte_stream.hpp"
#include "type/scan_filter.hpp"
#include "vector/vector.hpp"

namespace scaup {

/// Facts about some values of one column. For strings, `minimum` and `maximum` bound the first eight bytes.
struct ZoneMap {
  ZoneBound minimum{};
  ZoneBound maximum{};
  uint32_t row_count = 0;   ///< UINT32_MAX for that many or more
  uint32_t null_count = 0;  ///< as many as rows if all values are NULL, even of so many
  bool has_bounds = false;  ///< false if all values are NULL, one is NaN, or the type has no bounds

  /// Extends the zone to the values that `other` covers.
  void Merge(const ZoneMap& other, PhysicalType type);
};

/// Returns whether both zones have bounds and these are equal.
bool HasSameBounds(const ZoneMap& a, const ZoneMap& b, PhysicalType type);

/// Converts to bytes and back, without the row count. Reading throws Error(kIo, XX001) for damaged bytes.
void WriteZoneMap(const ZoneMap& zone, PhysicalType type, ByteWriter& writer);
ZoneMap ReadZoneMap(PhysicalType type, uint32_t row_count, ByteReader& reader);

/// Computes the zone map of `count` flat values.
ZoneMap ComputeZoneMap(PhysicalType type, const std::byte* data, const ValidityWord* validity, size_t count);

/// Converts a constant to a bound. REQUIRES: the constant's type is stored as `type`, which has bounds.
ZoneBound BoundOf(const Value& constant, PhysicalType type);

enum class ZoneMatch : uint8_t { kNone, kSome, kAll };
/// Returns whether no row, possibly some rows, or all rows of the zone pass. Conservative: kSome is always
/// correct.
ZoneMatch MatchZone(const ZoneMap& zone, const ScanFilter& filter, PhysicalType type);
/// Returns a number that is the less, the sooner the zone should be read for the filter's test to get strict.
/// REQUIRES: the filter is a kTest.
uint64_t RankOfZone(const ZoneMap& zone, const ScanFilter& filter);

}  // namespace scaup
