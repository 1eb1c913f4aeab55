// One conversion for each type, used for rows of vectors and for slots of lists and structs.
#include "format/parquet/write/leaf_appender.hpp"

#include <fmt/format.h>

#include "common/throw.hpp"
#include "type/number/decimal.hpp"
#include "type/number/number_text.hpp"
#include "type/number/stored_text.hpp"
#include "type/packed_value.hpp"
#include "type/sortable_bytes.hpp"
#include "type/time/date_time.hpp"
#include "type/time/time_tz.hpp"
#include "type/uuid.hpp"
#include "type/visit_physical_type.hpp"

namespace scaup {

namespace {

// Conversions: Run(value, type, leaf) gives the raw value.

template <typename To>
struct AsNumber {
  template <typename From>
  static To Run(From value, const LogicalType&, const LeafValues&) {
    return static_cast<To>(value);
  }
};

/// Readers take the numbers next to the least one for minus infinity, as DuckDB does.
struct AsDate {
  static int32_t Run(int32_t days, const LogicalType&, const LeafValues&) {
    return days == kDateMinusInfinity ? -INT32_MAX : days;
  }
};
struct AsTimestamp {
  static int64_t Run(int64_t micros, const LogicalType&, const LeafValues&) {
    return micros == kTimestampMinusInfinity ? -INT64_MAX : micros;
  }
};

/// Parquet knows times of day in UTC alone.
struct AsTimeOfUtc {
  static int64_t Run(int64_t stored, const LogicalType&, const LeafValues&) {
    if (ShiftTimeTz(stored, 0)) return LoadTimeTz(stored).micros;
    ThrowInternal("a time without an offset");
  }
};

FixedBytes<16> BigEndianBytes(uint128_t bits) {
  FixedBytes<16> result;
  auto* bytes = reinterpret_cast<std::byte*>(result.bytes);
  StoreBigEndian(static_cast<uint64_t>(bits >> 64), bytes);
  StoreBigEndian(static_cast<uint64_t>(bits), bytes + 8);
  return result;
}

struct AsWideDecimal {
  static FixedBytes<16> Run(int128_t value, const LogicalType&, const LeafValues&) {
    return BigEndianBytes(static_cast<uint128_t>(value));
  }
};
struct AsUuid {
  static FixedBytes<16> Run(int128_t value, const LogicalType&, const LeafValues&) {
    return BigEndianBytes(UuidBits(value));
  }
};
struct FromHugeInt {
  static FixedBytes<16> Run(int128_t value, const LogicalType&, const LeafValues& leaf) {
    const int128_t end = PowerOfTen(LogicalType::kMaxDecimalWidth);
    if (value >= end || value <= -end) {
      ThrowOutOfRange(
          fmt::format("column \"{}\" has a HUGEINT of more than {} digits, which Parquet files do "
                      "not have; cast it to VARCHAR or DOUBLE",
                      leaf.leaf().name, LogicalType::kMaxDecimalWidth));
    }
    return BigEndianBytes(static_cast<uint128_t>(value));
  }
};

struct AsInterval {
  static FixedBytes<12> Run(const Interval& value, const LogicalType&, const LeafValues& leaf) {
    constexpr int64_t kMicrosPerMilli = 1000;
    const int64_t millis = value.micros / kMicrosPerMilli;
    if (value.months < 0 || value.days < 0 || value.micros < 0 || millis > UINT32_MAX ||
        value.micros % kMicrosPerMilli != 0) {
      char text[kFormatBufferBytes];
      const size_t size = FormatInterval(value, text);
      ThrowError(
          ErrorKind::kConversion, sqlstate::kDatetimeOverflow,
          fmt::format("column \"{}\" has the interval '{}'; those of Parquet files are not negative and "
                      "have whole milliseconds below 50 days; cast it to VARCHAR",
                      leaf.leaf().name, std::string_view(text, size)));
    }
    const uint32_t parts[3] = {static_cast<uint32_t>(value.months), static_cast<uint32_t>(value.days),
                               static_cast<uint32_t>(millis)};
    FixedBytes<12> result;
    std::memcpy(result.bytes, parts, sizeof(result));
    return result;
  }
};

/// Calls add(row) for each row that is not NULL, and adds levels for all. The leaf is a column by itself.
template <typename Add>
void AddEachRow(const UnifiedView& view, size_t begin, size_t end, LeafValues& leaf, Add&& add) {
  if (view.validity == nullptr) {
    leaf.AddPresent(end - begin);
    for (size_t row = begin; row < end; row++) add(row);
    return;
  }
  for (size_t row = begin; row < end; row++) {
    const bool is_valid = view.IsValid(row);
    leaf.AddEntry(is_valid ? leaf.leaf().definition : leaf.leaf().definition - 1, 0);
    if (is_valid) add(row);
  }
}

template <typename From, typename To, typename Convert>
struct Fixed {
  static void AddRows(const LogicalType& type, const UnifiedView& view, size_t begin, size_t end,
                      LeafValues& leaf) {
    const auto values = view.As<From>();
    if (view.validity == nullptr) {
      To* const to = leaf.AddValues<To>(end - begin);
      leaf.AddPresent(end - begin);
      for (size_t row = begin; row < end; row++) to[row - begin] = Convert::Run(values[row], type, leaf);
      return;
    }
    AddEachRow(view, begin, end, leaf,
               [&](size_t row) { *leaf.AddValues<To>(1) = Convert::Run(values[row], type, leaf); });
  }
  static void AddSlot(const LogicalType& type, std::string_view slot, LeafValues& leaf) {
    *leaf.AddValues<To>(1) = Convert::Run(ReadFixedSlot<From>(slot), type, leaf);
  }
  static constexpr LeafAppender kAppender = {AddRows, AddSlot};
};

void AddStringRows(const LogicalType&, const UnifiedView& view, size_t begin, size_t end, LeafValues& leaf) {
  const auto values = view.As<StringRef>();
  AddEachRow(view, begin, end, leaf,
             [&](size_t row) { leaf.AddString(values[row].data(), values[row].size()); });
}

void AddStringSlot(const LogicalType&, std::string_view slot, LeafValues& leaf) {
  std::string scratch;
  const std::string_view text = ReadStringSlot(slot, scratch);
  leaf.AddString(text.data(), static_cast<uint32_t>(text.size()));
}

void AddLabel(const LogicalType& type, int16_t position, LeafValues& leaf) {
  const std::string& label = type.label(static_cast<size_t>(position));
  leaf.AddString(label.data(), static_cast<uint32_t>(label.size()));
}

void AddLabelRows(const LogicalType& type, const UnifiedView& view, size_t begin, size_t end,
                  LeafValues& leaf) {
  const auto values = view.As<int16_t>();
  AddEachRow(view, begin, end, leaf, [&](size_t row) { AddLabel(type, values[row], leaf); });
}

void AddLabelSlot(const LogicalType& type, std::string_view slot, LeafValues& leaf) {
  AddLabel(type, ReadFixedSlot<int16_t>(slot), leaf);
}

void AddStoredText(const LogicalType& type, std::string_view bytes, LeafValues& leaf) {
  std::string text;
  AppendStoredText(type, bytes, text);
  leaf.AddString(text.data(), static_cast<uint32_t>(text.size()));
}

void AddStoredRows(const LogicalType& type, const UnifiedView& view, size_t begin, size_t end,
                   LeafValues& leaf) {
  const auto values = view.As<StringRef>();
  AddEachRow(view, begin, end, leaf, [&](size_t row) { AddStoredText(type, values[row].view(), leaf); });
}

void AddStoredSlot(const LogicalType& type, std::string_view slot, LeafValues& leaf) {
  std::string scratch;
  AddStoredText(type, ReadStringSlot(slot, scratch), leaf);
}

void AddNullRows(const LogicalType&, const UnifiedView&, size_t begin, size_t end, LeafValues& leaf) {
  for (size_t row = begin; row < end; row++) leaf.AddEntry(leaf.leaf().definition - 1, 0);
}

void RefuseSlot(const LogicalType&, std::string_view, LeafValues&) { ThrowInternal("a value of type NULL"); }

LeafAppender FindDecimalAppender(const LogicalType& type) {
  switch (PhysicalTypeOf(type)) {
    case PhysicalType::kInt16: return Fixed<int16_t, int32_t, AsNumber<int32_t>>::kAppender;
    case PhysicalType::kInt32: return Fixed<int32_t, int32_t, AsNumber<int32_t>>::kAppender;
    case PhysicalType::kInt64: return Fixed<int64_t, int64_t, AsNumber<int64_t>>::kAppender;
    default: return Fixed<int128_t, FixedBytes<16>, AsWideDecimal>::kAppender;
  }
}

}  // namespace

LeafAppender FindLeafAppender(const LogicalType& type) {
  SCAUP_ASSERT(!type.IsNested());
  switch (type.id()) {
    case TypeId::kNull: return {AddNullRows, RefuseSlot};
    case TypeId::kBoolean: return Fixed<uint8_t, uint8_t, AsNumber<uint8_t>>::kAppender;
    case TypeId::kTinyInt: return Fixed<int8_t, int32_t, AsNumber<int32_t>>::kAppender;
    case TypeId::kSmallInt: return Fixed<int16_t, int32_t, AsNumber<int32_t>>::kAppender;
    case TypeId::kInteger: return Fixed<int32_t, int32_t, AsNumber<int32_t>>::kAppender;
    case TypeId::kBigInt:
    case TypeId::kTime: return Fixed<int64_t, int64_t, AsNumber<int64_t>>::kAppender;
    case TypeId::kTimeTz: return Fixed<int64_t, int64_t, AsTimeOfUtc>::kAppender;
    case TypeId::kUTinyInt: return Fixed<uint8_t, int32_t, AsNumber<int32_t>>::kAppender;
    case TypeId::kUSmallInt: return Fixed<uint16_t, int32_t, AsNumber<int32_t>>::kAppender;
    case TypeId::kUInteger: return Fixed<uint32_t, int32_t, AsNumber<int32_t>>::kAppender;
    case TypeId::kUBigInt: return Fixed<uint64_t, int64_t, AsNumber<int64_t>>::kAppender;
    case TypeId::kHugeInt: return Fixed<int128_t, FixedBytes<16>, FromHugeInt>::kAppender;
    case TypeId::kReal: return Fixed<float, float, AsNumber<float>>::kAppender;
    case TypeId::kDouble: return Fixed<double, double, AsNumber<double>>::kAppender;
    case TypeId::kDecimal: return FindDecimalAppender(type);
    case TypeId::kDate: return Fixed<int32_t, int32_t, AsDate>::kAppender;
    case TypeId::kTimestamp:
    case TypeId::kTimestampTz: return Fixed<int64_t, int64_t, AsTimestamp>::kAppender;
    case TypeId::kInterval: return Fixed<Interval, FixedBytes<12>, AsInterval>::kAppender;
    case TypeId::kUuid: return Fixed<int128_t, FixedBytes<16>, AsUuid>::kAppender;
    case TypeId::kVarchar:
    case TypeId::kBlob:
    case TypeId::kJson:
    case TypeId::kJsonb: return {AddStringRows, AddStringSlot};
    case TypeId::kNumeric:
    case TypeId::kBit: return {AddStoredRows, AddStoredSlot};
    case TypeId::kEnum: return {AddLabelRows, AddLabelSlot};
    case TypeId::kList:
    case TypeId::kStruct:
    case TypeId::kRange:
    case TypeId::kMultirange: break;
  }
  ThrowInternal("a nested type is not a leaf");
}

}  // namespace scaup
