// Writes FlatBuffers from their end.
#include "format/arrow/ipc/flat_buffer.hpp"

#include <algorithm>

namespace scaup {

namespace {

using Reference = uint32_t;    // the distance from the place of the reference forward to the object
using TableOffset = int32_t;   // the distance from a table back to its list of fields
using FieldOffset = uint16_t;  // in the list of fields: the distance from the table to the field; 0: absent

}  // namespace

void FlatBufferBuilder::Align(size_t alignment, size_t next_bytes) {
  most_alignment_ = std::max(most_alignment_, alignment);
  const size_t padding = (alignment - (used_ + next_bytes) % alignment) % alignment;
  constexpr std::byte kZeros[sizeof(uint64_t)] = {};
  SCAUP_ASSERT(padding < sizeof(kZeros));
  Prepend(kZeros, padding);
}

void FlatBufferBuilder::Prepend(const void* data, size_t size_bytes) {
  if (size_bytes == 0) return;
  if (bytes_.size() - used_ < size_bytes) {
    std::vector<std::byte> larger(std::max<size_t>(1024, 2 * (used_ + size_bytes)));
    std::copy(bytes_.end() - static_cast<std::ptrdiff_t>(used_), bytes_.end(),
              larger.end() - static_cast<std::ptrdiff_t>(used_));
    bytes_ = std::move(larger);
  }
  used_ += size_bytes;
  std::memcpy(bytes_.data() + (bytes_.size() - used_), data, size_bytes);
}

FlatBufferBuilder::Place FlatBufferBuilder::AddBytes(std::span<const std::byte> bytes, size_t count,
                                                     size_t alignment) {
  SCAUP_ASSERT(!is_in_table_);
  // Its length stands before the items, each aligned for itself.
  Align(sizeof(uint32_t), bytes.size());
  Align(alignment, bytes.size());
  Prepend(bytes.data(), bytes.size());
  const auto length = static_cast<uint32_t>(count);
  Prepend(&length, sizeof(length));
  return place();
}

FlatBufferBuilder::Place FlatBufferBuilder::AddString(std::string_view text) {
  SCAUP_ASSERT(!is_in_table_);
  constexpr char kEnd = '\0';
  Align(sizeof(uint32_t), text.size() + sizeof(kEnd));
  Prepend(&kEnd, sizeof(kEnd));
  Prepend(text.data(), text.size());
  const auto length = static_cast<uint32_t>(text.size());
  Prepend(&length, sizeof(length));
  return place();
}

FlatBufferBuilder::Place FlatBufferBuilder::AddReferences(std::span<const Place> places) {
  SCAUP_ASSERT(!is_in_table_);
  Align(sizeof(Reference), places.size() * sizeof(Reference));
  for (size_t i = places.size(); i-- > 0;) {
    const auto reference = static_cast<Reference>(used_ + sizeof(Reference) - places[i]);
    Prepend(&reference, sizeof(reference));
  }
  const auto length = static_cast<uint32_t>(places.size());
  Prepend(&length, sizeof(length));
  return place();
}

void FlatBufferBuilder::BeginTable() {
  SCAUP_ASSERT(!is_in_table_);
  is_in_table_ = true;
  table_begin_ = used_;
  field_count_ = 0;
  std::fill(std::begin(fields_), std::end(fields_), 0);
}

void FlatBufferBuilder::NoteField(Slot slot) {
  SCAUP_ASSERT(is_in_table_ && slot < kMostFields);
  fields_[slot] = place();
  field_count_ = std::max<size_t>(field_count_, slot + 1u);
}

void FlatBufferBuilder::AddReference(Slot slot, Place target) {
  Align(sizeof(Reference), sizeof(Reference));
  const auto reference = static_cast<Reference>(used_ + sizeof(Reference) - target);
  Prepend(&reference, sizeof(reference));
  NoteField(slot);
}

FlatBufferBuilder::Place FlatBufferBuilder::EndTable() {
  SCAUP_ASSERT(is_in_table_);
  is_in_table_ = false;
  Align(sizeof(TableOffset), sizeof(TableOffset));
  TableOffset to_fields = 0;
  Prepend(&to_fields, sizeof(to_fields));
  const Place table = place();
  // The list of fields: its size, the table's size, then an offset for each field.
  for (size_t i = field_count_; i-- > 0;) {
    const auto offset = static_cast<FieldOffset>(fields_[i] == 0 ? 0 : table - fields_[i]);
    Prepend(&offset, sizeof(offset));
  }
  const auto table_bytes = static_cast<FieldOffset>(table - table_begin_);
  Prepend(&table_bytes, sizeof(table_bytes));
  const auto list_bytes = static_cast<FieldOffset>((field_count_ + 2) * sizeof(FieldOffset));
  Prepend(&list_bytes, sizeof(list_bytes));
  to_fields = static_cast<TableOffset>(place() - table);
  std::memcpy(bytes_.data() + (bytes_.size() - table), &to_fields, sizeof(to_fields));
  return table;
}

std::span<const std::byte> FlatBufferBuilder::Finish(Place root) {
  SCAUP_ASSERT(!is_in_table_);
  Align(most_alignment_, sizeof(Reference));
  const auto reference = static_cast<Reference>(used_ + sizeof(Reference) - root);
  Prepend(&reference, sizeof(reference));
  return {bytes_.data() + (bytes_.size() - used_), used_};
}

}  // namespace scaup
