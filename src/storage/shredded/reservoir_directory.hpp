// ReservoirDirectory: locates the reservoir values of a block's attributes.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "document/attribute/attribute_dictionary.hpp"

namespace scaup {

/// Reads a block's directory in its stored form, without building a table. Lookups in ascending order of
/// attributes pass over it once. Used by one thread. The bytes must stay valid.
class ReservoirDirectory {
 public:
  /// The values of an attribute, consecutive in the reservoir.
  struct Entry {
    uint32_t first_value;
    uint32_t count;
  };

  /// Opens the directory in `bytes`, described in docs/file-format.md. `value_count` is the size of the whole
  /// reservoir. This and the functions below throw Error(kIo, XX001) if the bytes are cut off or refer to
  /// values that do not exist.
  void Open(std::string_view bytes, uint64_t value_count);
  /// Returns the first text; texts come before the values of attributes.
  uint32_t first_text() const { return first_text_; }
  /// Returns the values of an attribute; nullopt if the reservoir has none in this block.
  std::optional<Entry> Find(AttributeId id);
  /// Returns the end of the block's values.
  uint32_t FindEnd();

 private:
  void Rewind();
  /// Skips four entries if all have ids below `id` and short encodings; returns false if it skips none.
  bool SkipFour(uint64_t id);
  uint64_t ReadVarint();
  /// Returns `value`; throws if it exceeds the number of values.
  uint32_t Checked(uint64_t value) const;

  std::string_view bytes_;
  uint64_t value_count_ = 0;
  uint32_t first_text_ = 0;
  uint64_t first_value_ = 0;  // of all attributes
  size_t entries_begin_ = 0;  // in bytes_
  uint64_t attribute_count_ = 0;
  // The current position.
  size_t next_ = 0;           // in bytes_
  uint64_t left_ = 0;         // entries from there on
  uint64_t id_ = UINT64_MAX;  // of the entry before
  uint64_t next_value_ = 0;
};

}  // namespace scaup
