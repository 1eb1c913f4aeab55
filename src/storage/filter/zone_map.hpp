// Zone maps: the least and greatest value and the NULLs of a block or row group, to skip it without reading
// it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/byte_stream.hpp"
#include "type/scan_filter.hpp"
#include "vector/vector.hpp"

namespace scaup {

/// Facts about some values of one column. For strings `minimum` and `maximum` bound the prefixes.
struct ZoneMap {
  ZoneBound minimum{};
  ZoneBound maximum{};
  uint32_t row_count = 0;
  uint32_t null_count = 0;
  bool has_bounds = false;  ///< false: no value that is not NULL, NaN among them, or a type without bounds

  /// Takes in all that `other` covers.
  void Merge(const ZoneMap& other, PhysicalType type);
};

/// REQUIRES: bounds.
bool HasSameBounds(const ZoneMap& a, const ZoneMap& b, PhysicalType type);

/// To bytes and back, without the row count. Reading throws Error(kIo, XX001).
void WriteZoneMap(const ZoneMap& zone, PhysicalType type, ByteWriter& writer);
ZoneMap ReadZoneMap(PhysicalType type, uint32_t row_count, ByteReader& reader);

/// Computes the zone map of `count` flat values.
ZoneMap ComputeZoneMap(PhysicalType type, const std::byte* data, const ValidityWord* validity, size_t count);

/// A constant as a bound. REQUIRES: its type, which is stored as `type`, has bounds.
ZoneBound BoundOf(const Value& constant, PhysicalType type);

enum class ZoneMatch : uint8_t { kNone, kSome, kAll };
/// Whether no row, maybe some rows, or all rows of the zone pass. Conservative: kSome is always right.
ZoneMatch MatchZone(const ZoneMap& zone, const ScanFilter& filter, PhysicalType type);

}  // namespace scaup
