// FlatBufferBuilder: builds FlatBuffers, in which the messages of Arrow's IPC format are written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include "common/check.hpp"

namespace scaup {

/// Builds one FlatBuffer (flatbuffers.dev, "FlatBuffer Internals"). Objects are written from the buffer's end
/// to its beginning, so that each is there before those that refer to it: first strings, vectors and inner
/// tables, then the table that has them. Used by one thread.
class FlatBufferBuilder {
 public:
  /// The place of an object: its distance from the buffer's end.
  using Place = uint32_t;
  /// The number of a field in its table's declaration, from 0. A union takes two: its type, then its value.
  using Slot = uint16_t;

  Place AddString(std::string_view text);
  /// Adds a vector of references to objects.
  Place AddReferences(std::span<const Place> places);
  /// Adds a vector of scalars or structs with the alignment of their largest member.
  template <typename T>
  Place AddVector(std::span<const T> items) {
    return AddBytes(std::as_bytes(items), items.size(), alignof(T));
  }

  /// Begins a table. REQUIRES: no other table is open.
  void BeginTable();
  template <typename T>
  void AddField(Slot slot, T value) {
    Align(sizeof(T), sizeof(T));
    Prepend(&value, sizeof(T));
    NoteField(slot);
  }
  void AddReference(Slot slot, Place place);
  Place EndTable();

  /// Returns the whole buffer, valid until the builder changes. REQUIRES: no table is open.
  std::span<const std::byte> Finish(Place root);

 private:
  static constexpr size_t kMostFields = 8;

  /// Makes `next_bytes`, which are to be written, end at a multiple of `alignment`.
  void Align(size_t alignment, size_t next_bytes);
  void Prepend(const void* data, size_t size_bytes);
  void NoteField(Slot slot);
  Place AddBytes(std::span<const std::byte> bytes, size_t count, size_t alignment);
  Place place() const { return static_cast<Place>(used_); }

  std::vector<std::byte> bytes_;  // used at its end
  size_t used_ = 0;
  size_t most_alignment_ = sizeof(uint32_t);
  bool is_in_table_ = false;
  size_t table_begin_ = 0;
  size_t field_count_ = 0;
  Place fields_[kMostFields] = {};
};

}  // namespace scaup
