// The directory of a block of documents: where the reservoir has the values of its attributes.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "document/attribute/attribute_dictionary.hpp"

namespace scaup {

/// Reads it as it is kept, without making a table of it: whoever asks for a few attributes, ascending, goes
/// over it once. One thread; what was opened must stay where it is.
class ReservoirDirectory {
 public:
  /// An attribute's values, one behind the other in the reservoir.
  struct Entry {
    uint32_t first_value;
    uint32_t count;
  };

  /// `bytes`: as in docs/file-format.md. `value_count`: of the whole reservoir. Throws Error(kIo, XX001),
  /// here and below, where the bytes are cut or name values that are not there.
  void Open(std::string_view bytes, uint64_t value_count);
  /// Texts come first, then the values of attributes.
  uint32_t first_text() const { return first_text_; }
  /// None where the reservoir has nothing of it in the block.
  std::optional<Entry> Find(AttributeId id);
  /// Where the values of the block end.
  uint32_t FindEnd();

 private:
  void Rewind();
  /// Passes over four entries whose ids are all below `id`, if they are that short; false: over none.
  bool SkipFour(uint64_t id);
  uint64_t ReadVarint();
  /// `value`, unless it is above the values that there are.
  uint32_t Checked(uint64_t value) const;

  std::string_view bytes_;
  uint64_t value_count_ = 0;
  uint32_t first_text_ = 0;
  uint64_t first_value_ = 0;  // Of all attributes.
  size_t entries_begin_ = 0;  // In bytes_.
  uint64_t attribute_count_ = 0;
  // The place that was reached.
  size_t next_ = 0;           // In bytes_.
  uint64_t left_ = 0;         // Entries from there on.
  uint64_t id_ = UINT64_MAX;  // Of the entry before.
  uint64_t next_value_ = 0;
};

}  // namespace scaup
