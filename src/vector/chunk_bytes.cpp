// Serializes and deserializes chunks.
#include "vector/chunk_bytes.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include <fmt/format.h>

#include "type/logical_type_bytes.hpp"
#include "type/visit_physical_type.hpp"

namespace scaup {

namespace {

static_assert(std::endian::native == std::endian::little, "values are written as they are in memory");

size_t ValidityBytes(size_t row_count) { return (row_count + 7) / 8; }

void WriteValidity(ByteWriter& writer, const UnifiedView& view, size_t row_count) {
  bool has_nulls = false;
  for (size_t row = 0; row < row_count && !has_nulls; row++) has_nulls = !view.IsValid(row);
  writer.WriteBool(has_nulls);
  if (!has_nulls) return;
  const std::span<std::byte> bits = writer.Extend(ValidityBytes(row_count));
  for (size_t row = 0; row < row_count; row++) {
    if (view.IsValid(row)) bits[row / 8] |= static_cast<std::byte>(1 << row % 8);
  }
}

void WriteStrings(ByteWriter& writer, const TypedView<StringRef>& values, size_t row_count) {
  size_t size_bytes = 0;
  for (size_t row = 0; row < row_count; row++) {
    const uint32_t length = values.IsValid(row) ? values[row].size() : 0;
    writer.WriteU32(length);
    size_bytes += length;
  }
  std::byte* target = writer.Extend(size_bytes).data();
  for (size_t row = 0; row < row_count; row++) {
    if (!values.IsValid(row) || values[row].size() == 0) continue;
    std::memcpy(target, values[row].data(), values[row].size());
    target += values[row].size();
  }
}

template <typename T>
void WriteFixed(ByteWriter& writer, const TypedView<T>& values, size_t row_count) {
  std::byte* target = writer.Extend(row_count * sizeof(T)).data();
  for (size_t row = 0; row < row_count; row++) {
    // The value under a NULL may be garbage, so it is not written; Extend left zeros.
    if (values.IsValid(row)) std::memcpy(target + row * sizeof(T), &values[row], sizeof(T));
  }
}

void WriteColumn(ByteWriter& writer, Vector& column, size_t row_count) {
  WriteLogicalType(writer, column.type());
  const UnifiedView view = column.View(row_count);
  WriteValidity(writer, view, row_count);
  if (column.physical_type() == PhysicalType::kString) {
    WriteStrings(writer, view.As<StringRef>(), row_count);
    return;
  }
  if (column.is_flat() && view.validity == nullptr) {
    writer.WriteBytes({view.data, row_count * PhysicalSize(column.physical_type())});
    return;
  }
  VisitBits(column.physical_type(), [&]<typename T>() { WriteFixed(writer, view.As<T>(), row_count); });
}

void ReadValidity(ByteReader& reader, Vector& column, size_t row_count) {
  if (!reader.ReadBool("whether a column has NULLs")) return;
  const auto bits = reader.ReadBytes(ValidityBytes(row_count), "NULLs of a column");
  ValidityWord* words = column.MutableValidity();
  for (size_t row = 0; row < row_count; row++) {
    if ((static_cast<uint8_t>(bits[row / 8]) >> row % 8 & 1) == 0) SetInvalid(words, row);
  }
}

void ReadStrings(ByteReader& reader, Vector& column, size_t row_count) {
  uint32_t lengths[kVectorSize];
  for (size_t row = 0; row < row_count; row++) lengths[row] = reader.ReadU32("length of a string");
  auto* values = column.MutableData<StringRef>();
  for (size_t row = 0; row < row_count; row++) {
    const auto bytes = reader.ReadBytes(lengths[row], "string");
    values[row] = column.AddString({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  }
}

void ReadColumn(ByteReader& reader, Vector& column, size_t row_count) {
  column.Reset();
  ReadValidity(reader, column, row_count);
  if (column.physical_type() == PhysicalType::kString) {
    ReadStrings(reader, column, row_count);
    return;
  }
  const auto bytes = reader.ReadBytes(row_count * PhysicalSize(column.physical_type()), "values of a column");
  if (column.physical_type() == PhysicalType::kBool &&
      std::any_of(bytes.begin(), bytes.end(), [](std::byte byte) { return byte > std::byte{1}; })) {
    reader.Fail("values of a column", "a BOOLEAN that is neither true nor false");
  }
  if (!bytes.empty()) std::memcpy(column.MutableData<std::byte>(), bytes.data(), bytes.size());
}

}  // namespace

void WriteChunk(ByteWriter& writer, DataChunk& chunk) {
  writer.WriteVarint(chunk.size());
  writer.WriteVarint(chunk.column_count());
  for (Vector& column : chunk.columns()) WriteColumn(writer, column, chunk.size());
}

DataChunk ReadChunk(ByteReader& reader) {
  // The fewest bytes of a column.
  constexpr size_t kColumnBytes = 4;
  const uint64_t row_count = reader.ReadVarint("number of rows");
  if (row_count > kVectorSize) reader.Fail("number of rows", fmt::format("{} are too many", row_count));
  const size_t column_count = reader.ReadCount("number of columns", kColumnBytes);
  DataChunk chunk;
  chunk.columns().reserve(column_count);
  for (size_t i = 0; i < column_count; i++) {
    Vector column(ReadLogicalType(reader));
    ReadColumn(reader, column, row_count);
    chunk.columns().push_back(std::move(column));
  }
  chunk.SetSize(row_count);
  return chunk;
}

}  // namespace scaup
