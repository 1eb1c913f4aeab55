// Reads FlatBuffers with checks.
#include "format/arrow/ipc/flat_table.hpp"

#include <fmt/format.h>

#include "common/throw.hpp"

namespace scaup {

namespace {

constexpr size_t kReferenceBytes = sizeof(uint32_t);

}  // namespace

void ThrowMalformedIpc(std::string_view why) {
  ThrowError(ErrorKind::kConversion, sqlstate::kBadCopyFileFormat,
             fmt::format("the data is not in Arrow's IPC format: {}", why));
}

FlatTable FlatTable::Root(std::span<const std::byte> buffer) {
  if (buffer.size() < kReferenceBytes) ThrowMalformedIpc("a message is cut off");
  uint32_t reference;
  std::memcpy(&reference, buffer.data(), sizeof(reference));
  return {buffer, reference};
}

FlatTable::FlatTable(std::span<const std::byte> buffer, size_t place) : buffer_(buffer), place_(place) {
  const auto to_fields = static_cast<int64_t>(Load<int32_t>(place));
  const int64_t fields = static_cast<int64_t>(place) - to_fields;
  if (fields < 0) ThrowMalformedIpc("a table has no fields");
  fields_ = static_cast<size_t>(fields);
  fields_bytes_ = Load<uint16_t>(fields_);
}

std::optional<size_t> FlatTable::FieldPlace(Slot slot, size_t size_bytes) const {
  // The list begins with its own size and the table's.
  const size_t entry = (size_t{slot} + 2) * sizeof(uint16_t);
  if (entry + sizeof(uint16_t) > fields_bytes_) return std::nullopt;
  const auto offset = Load<uint16_t>(fields_ + entry);
  if (offset == 0) return std::nullopt;
  const size_t place = place_ + offset;
  if (place > buffer_.size() || buffer_.size() - place < size_bytes) ThrowMalformedIpc("a field is cut off");
  return place;
}

size_t FlatTable::Follow(size_t place) const { return place + Load<uint32_t>(place); }

std::optional<FlatTable> FlatTable::Table(Slot slot) const {
  const std::optional<size_t> place = FieldPlace(slot, kReferenceBytes);
  if (!place) return std::nullopt;
  return FlatTable(buffer_, Follow(*place));
}

std::string_view FlatTable::Text(Slot slot) const {
  const Vector bytes = Items(slot, 1);
  return {reinterpret_cast<const char*>(buffer_.data()) + bytes.begin, bytes.count};
}

FlatTable::Vector FlatTable::Items(Slot slot, size_t item_bytes) const {
  const std::optional<size_t> place = FieldPlace(slot, kReferenceBytes);
  if (!place) return {};
  const size_t vector = Follow(*place);
  const size_t count = Load<uint32_t>(vector);
  const size_t begin = vector + sizeof(uint32_t);
  if ((buffer_.size() - begin) / item_bytes < count) ThrowMalformedIpc("a list is cut off");
  return {begin, count};
}

FlatTable FlatTable::TableAt(const Vector& vector, size_t index) const {
  return {buffer_, Follow(vector.begin + index * kReferenceBytes)};
}

}  // namespace scaup
