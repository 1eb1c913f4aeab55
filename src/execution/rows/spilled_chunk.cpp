// Spilled chunks: frames of reference, validity and strings.
#include "execution/rows/spilled_chunk.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <type_traits>

#include "type/visit_physical_type.hpp"

namespace scaup {

namespace {

static_assert(std::endian::native == std::endian::little, "values are written as they are in memory");

template <typename T>
constexpr bool kIsFramed = std::is_integral_v<T> && sizeof(T) > 1 && sizeof(T) <= sizeof(uint64_t);

template <typename T>
using UnsignedOf = std::make_unsigned_t<T>;

size_t ValidityBytes(size_t row_count) { return (row_count + 63) / 64 * sizeof(ValidityWord); }

/// The memory of a column that was read: values, validity and bytes of strings, one after the other.
class ColumnSpace {
 public:
  ColumnSpace(size_t value_bytes, size_t validity_bytes, size_t string_bytes)
      : validity_offset_(RoundUp(value_bytes)), string_offset_(validity_offset_ + validity_bytes) {
    size_bytes_ = string_offset_ + string_bytes;
    // Uninitialized, because all of it is written.
    memory_ = std::shared_ptr<std::byte>(static_cast<std::byte*>(::operator new(size_bytes_)),
                                         [](std::byte* data) { ::operator delete(data); });
  }
  static size_t Bytes(size_t value_bytes, size_t validity_bytes, size_t string_bytes) {
    return RoundUp(value_bytes) + validity_bytes + string_bytes;
  }

  template <typename T>
  T* values() const {
    return reinterpret_cast<T*>(memory_.get());
  }
  char* strings() const { return reinterpret_cast<char*>(memory_.get() + string_offset_); }
  /// Makes the vector these values, with `validity` if it is not empty.
  void GiveTo(Vector& column, std::span<const std::byte> validity) const {
    std::byte* words = memory_.get() + validity_offset_;
    if (!validity.empty()) std::memcpy(words, validity.data(), validity.size());
    column.ReferenceFlat(memory_.get(), validity.empty() ? nullptr : reinterpret_cast<ValidityWord*>(words),
                         memory_);
  }

 private:
  static size_t RoundUp(size_t size_bytes) {
    constexpr size_t kAlignment = sizeof(ValidityWord);
    return (size_bytes + kAlignment - 1) / kAlignment * kAlignment;
  }
  size_t validity_offset_;
  size_t string_offset_;
  size_t size_bytes_ = 0;
  std::shared_ptr<std::byte> memory_;
};

template <typename Narrow, typename T>
void WriteDifferences(ByteWriter& writer, const T* values, size_t count, T least) {
  std::byte* target = writer.Extend(count * sizeof(Narrow)).data();
  for (size_t i = 0; i < count; i++) {
    const auto difference =
        static_cast<Narrow>(static_cast<UnsignedOf<T>>(values[i]) - static_cast<UnsignedOf<T>>(least));
    std::memcpy(target + i * sizeof(Narrow), &difference, sizeof(Narrow));
  }
}

/// Writes the width of the differences in bytes, the least value, and the differences. A width of 0 means
/// that all values are the same.
template <typename T>
void WriteFrame(ByteWriter& writer, const T* values, size_t count) {
  T least = values[0], greatest = values[0];
  for (size_t i = 1; i < count; i++) {
    least = std::min(least, values[i]);
    greatest = std::max(greatest, values[i]);
  }
  const uint64_t range =
      static_cast<UnsignedOf<T>>(static_cast<UnsignedOf<T>>(greatest) - static_cast<UnsignedOf<T>>(least));
  const size_t needed = (static_cast<size_t>(std::bit_width(range)) + 7) / 8;
  const size_t width = needed == 0 ? 0 : std::bit_ceil(needed);
  writer.WriteU8(static_cast<uint8_t>(width));
  std::memcpy(writer.Extend(sizeof(T)).data(), &least, sizeof(T));
  switch (width) {
    case 1: return WriteDifferences<uint8_t>(writer, values, count, least);
    case 2: return WriteDifferences<uint16_t>(writer, values, count, least);
    case 4: return WriteDifferences<uint32_t>(writer, values, count, least);
    case 8: return WriteDifferences<uint64_t>(writer, values, count, least);
    default: return;
  }
}

template <typename Narrow, typename T>
void ReadDifferences(ByteReader& reader, T* values, size_t count, T least) {
  const std::byte* source = reader.ReadBytes(count * sizeof(Narrow), "values of a column").data();
  for (size_t i = 0; i < count; i++) {
    Narrow difference;
    std::memcpy(&difference, source + i * sizeof(Narrow), sizeof(Narrow));
    values[i] = static_cast<T>(static_cast<UnsignedOf<T>>(least) + static_cast<UnsignedOf<T>>(difference));
  }
}

template <typename T>
void ReadFrame(ByteReader& reader, T* values, size_t count) {
  const size_t width = reader.ReadU8("width of values");
  T least;
  std::memcpy(&least, reader.ReadBytes(sizeof(T), "least value").data(), sizeof(T));
  switch (width) {
    case 0: std::fill_n(values, count, least); return;
    case 1: return ReadDifferences<uint8_t>(reader, values, count, least);
    case 2: return ReadDifferences<uint16_t>(reader, values, count, least);
    case 4: return ReadDifferences<uint32_t>(reader, values, count, least);
    case 8: return ReadDifferences<uint64_t>(reader, values, count, least);
    default: reader.Fail("width of values", "it cannot be");
  }
}

/// Writes whether there are NULLs, and if so the validity words.
bool WriteValidity(ByteWriter& writer, const UnifiedView& view, size_t row_count) {
  bool has_nulls = false;
  for (size_t row = 0; view.validity != nullptr && row < row_count && !has_nulls; row++)
    has_nulls = !view.IsValid(row);
  writer.WriteBool(has_nulls);
  if (!has_nulls) return false;
  const std::span<std::byte> bits = writer.Extend(ValidityBytes(row_count));
  for (size_t row = 0; row < row_count; row++)
    if (view.IsValid(row)) bits[row / 8] |= static_cast<std::byte>(1 << row % 8);
  return true;
}

/// The values in a row, with another value of the column in place of each NULL.
template <typename T>
void Gather(const TypedView<T>& view, bool has_nulls, size_t count, T* values) {
  if (!has_nulls) {
    for (size_t row = 0; row < count; row++) values[row] = view[row];
    return;
  }
  T some{};
  for (size_t row = 0; row < count; row++)
    if (view.IsValid(row)) some = view[row];
  for (size_t row = 0; row < count; row++) values[row] = view.IsValid(row) ? view[row] : some;
}

template <typename T>
void WriteValues(ByteWriter& writer, Vector& column, const UnifiedView& view, bool has_nulls, size_t count) {
  T gathered[kVectorSize];
  const T* values = gathered;
  if (column.is_flat() && !has_nulls) {
    values = reinterpret_cast<const T*>(view.data);
  } else {
    Gather(view.As<T>(), has_nulls, count, gathered);
  }
  if constexpr (kIsFramed<T>) {
    WriteFrame(writer, values, count);
  } else {
    writer.WriteBytes({reinterpret_cast<const std::byte*>(values), count * sizeof(T)});
  }
}

/// Returns the bytes of all strings.
size_t WriteStrings(ByteWriter& writer, const TypedView<StringRef>& values, size_t count) {
  uint32_t lengths[kVectorSize];
  size_t size_bytes = 0;
  for (size_t row = 0; row < count; row++) {
    lengths[row] = values.IsValid(row) ? values[row].size() : 0;
    size_bytes += lengths[row];
  }
  WriteFrame(writer, lengths, count);
  std::byte* target = writer.Extend(size_bytes).data();
  for (size_t row = 0; row < count; row++) {
    if (lengths[row] == 0) continue;
    std::memcpy(target, values[row].data(), lengths[row]);
    target += lengths[row];
  }
  return size_bytes;
}

void ReadStrings(ByteReader& reader, Vector& column, size_t count, std::span<const std::byte> validity) {
  uint32_t lengths[kVectorSize];
  ReadFrame(reader, lengths, count);
  size_t size_bytes = 0;
  for (size_t row = 0; row < count; row++) size_bytes += lengths[row];
  const auto bytes = reader.ReadBytes(size_bytes, "strings");
  const ColumnSpace space(count * sizeof(StringRef), validity.size(), size_bytes);
  auto* values = space.values<StringRef>();
  char* copy = space.strings();
  if (size_bytes != 0) std::memcpy(copy, bytes.data(), size_bytes);
  for (size_t row = 0; row < count; row++) {
    values[row] = StringRef(copy, lengths[row]);
    copy += lengths[row];
  }
  space.GiveTo(column, validity);
}

/// Returns the bytes that the column takes once it is read.
size_t WriteColumn(ByteWriter& writer, Vector& column, size_t count) {
  const UnifiedView view = column.View(count);
  const bool has_nulls = WriteValidity(writer, view, count);
  size_t string_bytes = 0;
  VisitBits(column.physical_type(), [&]<typename T>() {
    if constexpr (std::is_same_v<T, StringRef>) {
      string_bytes = WriteStrings(writer, view.As<StringRef>(), count);
    } else {
      WriteValues<T>(writer, column, view, has_nulls, count);
    }
  });
  return ColumnSpace::Bytes(count * PhysicalSize(column.physical_type()),
                            has_nulls ? ValidityBytes(count) : 0, string_bytes);
}

void ReadColumn(ByteReader& reader, Vector& column, size_t count) {
  std::span<const std::byte> validity;
  if (reader.ReadBool("whether a column has NULLs"))
    validity = reader.ReadBytes(ValidityBytes(count), "NULLs of a column");
  VisitBits(column.physical_type(), [&]<typename T>() {
    if constexpr (std::is_same_v<T, StringRef>) return ReadStrings(reader, column, count, validity);
    const ColumnSpace space(count * sizeof(T), validity.size(), 0);
    if constexpr (kIsFramed<T>) {
      ReadFrame(reader, space.values<T>(), count);
    } else {
      const auto bytes = reader.ReadBytes(count * sizeof(T), "values of a column");
      std::memcpy(space.values<std::byte>(), bytes.data(), bytes.size());
    }
    space.GiveTo(column, validity);
  });
}

}  // namespace

size_t WriteSpilledChunk(ByteWriter& writer, DataChunk& chunk) {
  writer.WriteU16(static_cast<uint16_t>(chunk.size()));
  if (chunk.size() == 0) return 0;
  size_t memory_bytes = 0;
  for (Vector& column : chunk.columns()) memory_bytes += WriteColumn(writer, column, chunk.size());
  return memory_bytes;
}

size_t SpilledRowCount(ByteReader reader) { return reader.ReadU16("number of rows"); }

DataChunk ReadSpilledChunk(ByteReader& reader, const std::vector<LogicalType>& types) {
  const size_t row_count = reader.ReadU16("number of rows");
  if (row_count > kVectorSize) reader.Fail("number of rows", "they are too many");
  DataChunk chunk(types);
  for (Vector& column : chunk.columns()) {
    if (row_count == 0) continue;
    ReadColumn(reader, column, row_count);
  }
  chunk.SetSize(row_count);
  return chunk;
}

}  // namespace scaup
