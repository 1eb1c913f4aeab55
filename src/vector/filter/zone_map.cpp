// Zone maps: computation, merging, serialization, and the match of a filter with a zone.
#include "vector/filter/zone_map.hpp"

#include <algorithm>
#include <cstring>

#include "common/throw.hpp"

namespace scaup {

namespace {

bool HasIntegerBounds(PhysicalType type) {
  switch (type) {
    case PhysicalType::kBool:
    case PhysicalType::kInt8:
    case PhysicalType::kInt16:
    case PhysicalType::kInt32:
    case PhysicalType::kInt64:
    case PhysicalType::kInt128:
    case PhysicalType::kUInt8:
    case PhysicalType::kUInt16:
    case PhysicalType::kUInt32:
    case PhysicalType::kUInt64:
    case PhysicalType::kString: return true;
    case PhysicalType::kFloat:
    case PhysicalType::kDouble:
    case PhysicalType::kInterval: return false;
  }
  return false;
}

uint32_t AddUpToMost(uint32_t a, uint32_t b) { return a > UINT32_MAX - b ? UINT32_MAX : a + b; }

/// Returns the first eight bytes as a number with the same order as the bytes.
int128_t PrefixOf(const char* data, size_t size_bytes) {
  uint64_t prefix = 0;
  std::memcpy(&prefix, data, size_bytes < 8 ? size_bytes : 8);
  return static_cast<int128_t>(__builtin_bswap64(prefix));
}

template <typename T>
ZoneBound BoundOf(const T& value) {
  ZoneBound bound;
  if constexpr (std::is_same_v<T, StringRef>) {
    bound.integer = PrefixOf(value.data(), value.size());
  } else if constexpr (std::is_floating_point_v<T>) {
    bound.integer = 0;
    bound.real = value;
  } else {
    bound.integer = value;
  }
  return bound;
}

/// Returns the key by which values are bounded: the prefix of a string, any other value itself.
template <typename T>
auto OrderKey(const T& value) {
  if constexpr (std::is_same_v<T, StringRef>) {
    uint64_t prefix = 0;
    std::memcpy(&prefix, value.data(), sizeof(prefix));  // A StringRef pads short strings with zeros.
    return __builtin_bswap64(prefix);
  } else {
    return value;
  }
}

template <typename T>
ZoneMap ComputeTyped(const std::byte* data, const ValidityWord* validity, size_t count) {
  ZoneMap zone;
  zone.row_count = static_cast<uint32_t>(count);
  zone.null_count = static_cast<uint32_t>(count - CountValid(validity, count));
  if (zone.null_count == count) return zone;
  const T* values = reinterpret_cast<const T*>(data);
  using Key = decltype(OrderKey(values[0]));
  Key low{}, high{};
  bool has_any = false;
  if (validity == nullptr) {
    // This loop has no branches, so that the compiler vectorizes it. NaN is checked only at its end.
    low = high = OrderKey(values[0]);
    bool has_nan = false;
    for (size_t i = 0; i < count; i++) {
      const Key key = OrderKey(values[i]);
      low = key < low ? key : low;
      high = key > high ? key : high;
      has_nan |= key != key;
    }
    if (has_nan) return zone;
    has_any = true;
  } else {
    for (size_t i = 0; i < count; i++) {
      if (!TestValid(validity, i)) continue;
      const Key key = OrderKey(values[i]);
      if (key != key) return zone;  // NaN is above all numbers, but `<` does not order it: no bounds.
      low = !has_any || key < low ? key : low;
      high = !has_any || key > high ? key : high;
      has_any = true;
    }
  }
  zone.has_bounds = has_any;
  if constexpr (std::is_same_v<T, StringRef>) {
    zone.minimum.integer = low;
    zone.maximum.integer = high;
  } else {
    zone.minimum = BoundOf(static_cast<T>(low));
    zone.maximum = BoundOf(static_cast<T>(high));
  }
  return zone;
}

/// Returns whether values between low and high pass `op`. If bounds are exact, equal bounds mean that all
/// values are equal. If not, as for prefixes of strings, they only mean that the prefixes are equal.
template <typename T>
ZoneMatch MatchRange(T low, T high, T constant, ScanFilter::Op op, bool exact) {
  switch (op) {
    case ScanFilter::Op::kEqual:
      if (constant < low || constant > high) return ZoneMatch::kNone;
      return exact && low == high ? ZoneMatch::kAll : ZoneMatch::kSome;
    case ScanFilter::Op::kNotEqual:
      if (constant < low || constant > high) return ZoneMatch::kAll;
      return exact && low == high ? ZoneMatch::kNone : ZoneMatch::kSome;
    case ScanFilter::Op::kLess:
      if (high < constant) return ZoneMatch::kAll;
      return low > constant || (exact && low == constant) ? ZoneMatch::kNone : ZoneMatch::kSome;
    case ScanFilter::Op::kLessEqual:
      if (high < constant || (exact && high == constant)) return ZoneMatch::kAll;
      return low > constant ? ZoneMatch::kNone : ZoneMatch::kSome;
    case ScanFilter::Op::kGreater:
      if (low > constant) return ZoneMatch::kAll;
      return high < constant || (exact && high == constant) ? ZoneMatch::kNone : ZoneMatch::kSome;
    case ScanFilter::Op::kGreaterEqual:
      if (low > constant || (exact && low == constant)) return ZoneMatch::kAll;
      return high < constant ? ZoneMatch::kNone : ZoneMatch::kSome;
    case ScanFilter::Op::kIsNull:
    case ScanFilter::Op::kIsNotNull:
    case ScanFilter::Op::kTest: break;
  }
  return ZoneMatch::kSome;
}

}  // namespace

void ZoneMap::Merge(const ZoneMap& other, PhysicalType type) {
  // If one zone has values but no bounds, because of NaN, the merged zone has none either.
  const bool this_unknown = !has_bounds && null_count < row_count;
  const bool other_unknown = !other.has_bounds && other.null_count < other.row_count;
  if (this_unknown || other_unknown) {
    has_bounds = false;
  } else if (other.has_bounds) {
    if (!has_bounds) {
      minimum = other.minimum;
      maximum = other.maximum;
      has_bounds = true;
    } else if (HasIntegerBounds(type)) {
      if (other.minimum.integer < minimum.integer) minimum = other.minimum;
      if (other.maximum.integer > maximum.integer) maximum = other.maximum;
    } else {
      if (other.minimum.real < minimum.real) minimum = other.minimum;
      if (other.maximum.real > maximum.real) maximum = other.maximum;
    }
  }
  // The counts stop growing at their ends, as they only tell whether there are values, and whether there are
  // NULLs. Beside values there are fewer NULLs than rows.
  const bool has_values = null_count < row_count || other.null_count < other.row_count;
  row_count = AddUpToMost(row_count, other.row_count);
  null_count = std::min(AddUpToMost(null_count, other.null_count), row_count - (has_values ? 1 : 0));
}

ZoneMap ComputeZoneMap(PhysicalType type, const std::byte* data, const ValidityWord* validity, size_t count) {
  switch (type) {
    case PhysicalType::kBool: return ComputeTyped<uint8_t>(data, validity, count);
    case PhysicalType::kInt8: return ComputeTyped<int8_t>(data, validity, count);
    case PhysicalType::kInt16: return ComputeTyped<int16_t>(data, validity, count);
    case PhysicalType::kInt32: return ComputeTyped<int32_t>(data, validity, count);
    case PhysicalType::kInt64: return ComputeTyped<int64_t>(data, validity, count);
    case PhysicalType::kInt128: return ComputeTyped<int128_t>(data, validity, count);
    case PhysicalType::kUInt8: return ComputeTyped<uint8_t>(data, validity, count);
    case PhysicalType::kUInt16: return ComputeTyped<uint16_t>(data, validity, count);
    case PhysicalType::kUInt32: return ComputeTyped<uint32_t>(data, validity, count);
    case PhysicalType::kUInt64: return ComputeTyped<uint64_t>(data, validity, count);
    case PhysicalType::kFloat: return ComputeTyped<float>(data, validity, count);
    case PhysicalType::kDouble: return ComputeTyped<double>(data, validity, count);
    case PhysicalType::kString: return ComputeTyped<StringRef>(data, validity, count);
    case PhysicalType::kInterval: {
      ZoneMap zone;
      zone.row_count = static_cast<uint32_t>(count);
      zone.null_count = static_cast<uint32_t>(count - CountValid(validity, count));
      return zone;
    }
  }
  ThrowInternal("unknown physical type");
}

bool HasSameBounds(const ZoneMap& a, const ZoneMap& b, PhysicalType type) {
  if (!a.has_bounds || !b.has_bounds) return false;
  if (HasIntegerBounds(type)) {
    return a.minimum.integer == b.minimum.integer && a.maximum.integer == b.maximum.integer;
  }
  return a.minimum.real == b.minimum.real && a.maximum.real == b.maximum.real;
}

void WriteZoneMap(const ZoneMap& zone, PhysicalType type, ByteWriter& writer) {
  writer.WriteBool(zone.has_bounds);
  writer.WriteVarint(zone.null_count);
  if (!zone.has_bounds) return;
  if (!HasIntegerBounds(type)) {
    writer.WriteDouble(zone.minimum.real);
    writer.WriteDouble(zone.maximum.real);
  } else if (type == PhysicalType::kInt128 || type == PhysicalType::kString) {
    for (const int128_t bound : {zone.minimum.integer, zone.maximum.integer}) {
      writer.WriteU64(static_cast<uint64_t>(bound));
      if (type == PhysicalType::kInt128) writer.WriteI64(static_cast<int64_t>(bound >> 64));
    }
  } else {
    writer.WriteSignedVarint(static_cast<int64_t>(zone.minimum.integer));
    // The difference is small in most blocks, so it takes few bytes.
    writer.WriteVarint(static_cast<uint64_t>(zone.maximum.integer - zone.minimum.integer));
  }
}

ZoneMap ReadZoneMap(PhysicalType type, uint32_t row_count, ByteReader& reader) {
  ZoneMap zone;
  zone.row_count = row_count;
  zone.has_bounds = reader.ReadBool("zone map");
  const uint64_t null_count = reader.ReadVarint("NULLs of a zone map");
  if (null_count > row_count) reader.Fail("zone map", "it has more NULLs than rows");
  zone.null_count = static_cast<uint32_t>(null_count);
  if (!zone.has_bounds) return zone;
  if (!HasIntegerBounds(type)) {
    zone.minimum.real = reader.ReadDouble("bound");
    zone.maximum.real = reader.ReadDouble("bound");
  } else if (type == PhysicalType::kInt128 || type == PhysicalType::kString) {
    for (ZoneBound* bound : {&zone.minimum, &zone.maximum}) {
      bound->integer = reader.ReadU64("bound");
      if (type == PhysicalType::kInt128)
        bound->integer += static_cast<int128_t>(reader.ReadI64("bound")) << 64;
    }
  } else {
    const int64_t minimum = reader.ReadSignedVarint("bound");
    zone.minimum.integer = type == PhysicalType::kUInt64 ? int128_t{static_cast<uint64_t>(minimum)} : minimum;
    zone.maximum.integer = zone.minimum.integer + reader.ReadVarint("bound");
  }
  return zone;
}

ZoneBound BoundOf(const Value& constant, PhysicalType type) {
  SCAUP_ASSERT(type != PhysicalType::kInterval);
  ZoneBound bound;
  if (type == PhysicalType::kString) {
    const std::string& text = constant.GetString();
    bound.integer = PrefixOf(text.data(), text.size());
  } else if (HasIntegerBounds(type)) {
    bound.integer = constant.GetInteger();
  } else {
    bound.real = constant.GetDouble();
  }
  return bound;
}

ZoneMatch MatchZone(const ZoneMap& zone, const ScanFilter& filter, PhysicalType type) {
  if (filter.is_null_test()) {
    const uint32_t wanted =
        filter.op == ScanFilter::Op::kIsNull ? zone.null_count : zone.row_count - zone.null_count;
    if (wanted == 0) return ZoneMatch::kNone;
    return wanted == zone.row_count ? ZoneMatch::kAll : ZoneMatch::kSome;
  }
  // A comparison with NULL is never true.
  if (zone.null_count == zone.row_count) return filter.or_null ? ZoneMatch::kAll : ZoneMatch::kNone;
  if (!zone.has_bounds) return ZoneMatch::kSome;
  // A test never reports that all rows pass: MayPass only tells whether some may.
  if (filter.op == ScanFilter::Op::kTest) {
    const bool has_passing_null = filter.or_null && zone.null_count != 0;
    return has_passing_null || filter.test->MayPass(zone.minimum, zone.maximum) ? ZoneMatch::kSome
                                                                                : ZoneMatch::kNone;
  }
  const ZoneBound constant = BoundOf(filter.constant, type);
  ZoneMatch match;
  if (type == PhysicalType::kString) {
    match = MatchRange(zone.minimum.integer, zone.maximum.integer, constant.integer, filter.op, false);
  } else if (HasIntegerBounds(type)) {
    match = MatchRange(zone.minimum.integer, zone.maximum.integer, constant.integer, filter.op, true);
  } else {
    if (constant.real != constant.real) return ZoneMatch::kSome;  // The bounds cannot be compared with NaN.
    match = MatchRange(zone.minimum.real, zone.maximum.real, constant.real, filter.op, true);
  }
  // NULLs pass no comparison, so a zone with NULLs never passes as a whole.
  return match == ZoneMatch::kAll && zone.null_count != 0 ? ZoneMatch::kSome : match;
}

uint64_t RankOfZone(const ZoneMap& zone, const ScanFilter& filter) {
  SCAUP_ASSERT(filter.op == ScanFilter::Op::kTest);
  // NULLs that pass always do. What is not known is read at once.
  if (filter.or_null && zone.null_count != 0) return 0;
  if (zone.null_count == zone.row_count) return UINT64_MAX;
  return zone.has_bounds ? filter.test->RankOf(zone.minimum, zone.maximum) : 0;
}

}  // namespace scaup
