// The record format of documents (docs/document-format.md): reading in place, and writing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "document/attribute/attribute_dictionary.hpp"

namespace scaup {

/// Throws Error(kIo, XX001) for a damaged record.
[[noreturn]] void ThrowBadRecord(const char* reason);

/// Reads a value of fixed size. Throws Error(kIo, XX001) if the bytes have another size.
template <typename T>
T LoadFixed(std::string_view value) {
  if (value.size() != sizeof(T)) ThrowBadRecord("a value has a wrong size");
  T result;
  std::memcpy(&result, value.data(), sizeof(T));
  return result;
}
/// Reads an integer of 1, 2, 4 or 8 bytes. Throws Error(kIo, XX001) for another size.
int64_t LoadInteger(std::string_view value);
/// Writes the integer in the fewest of 1, 2, 4 or 8 bytes, and returns how many.
size_t StoreInteger(int64_t value, char* out);

/// A view of a record, whose bytes it borrows. Whatever the bytes are, nothing outside of them is read.
class DocumentRecord {
 public:
  static constexpr size_t kNotFound = SIZE_MAX;

  /// Checks that the header fits the bytes and that all ids are below `attribute_count`, the number that the
  /// dictionary knows. Throws Error(kIo, XX001).
  DocumentRecord(std::string_view bytes, size_t attribute_count);

  /// The number of attributes.
  size_t size() const { return count_; }
  /// The id of attribute i; ids ascend.
  AttributeId id(size_t i) const { return Load(ids_, i, id_width_); }
  /// The index of an attribute, or kNotFound. Tries index `hint` before it searches.
  size_t Find(AttributeId id, size_t hint = 0) const;
  /// The bytes of value i. Throws Error(kIo, XX001).
  std::string_view value(size_t i) const {
    const uint32_t begin = i == 0 ? 0 : Load(ends_, i - 1, end_width_);
    const uint32_t end = Load(ends_, i, end_width_);
    if (begin > end || end > values_size_) ThrowBadRecord("a value ends before it begins");
    return {values_ + begin, end - begin};
  }
  /// The index of the attribute at position `place` of the document. Throws Error(kIo, XX001).
  size_t InOrder(size_t place) const {
    if (order_ == nullptr) return place;
    const uint32_t i = Load(order_, place, count_width_);
    if (i >= count_) ThrowBadRecord("its order names what it does not have");
    return i;
  }
  bool has_order() const { return order_ != nullptr; }
  /// The bytes that encode the attributes and their order; equal for similar documents.
  std::string_view head() const { return {head_, static_cast<size_t>(ends_ - head_)}; }
  /// The bytes per id.
  uint32_t id_width() const { return id_width_; }
  /// Whether the record holds the document's text, because its attributes cannot reproduce it.
  bool has_text() const { return text_.data() != nullptr; }
  std::string_view text() const { return text_; }

 private:
  static uint32_t Load(const char* from, size_t i, uint32_t width) {
    switch (width) {
      case 1: return static_cast<uint8_t>(from[i]);
      case 2: {
        uint16_t value;
        std::memcpy(&value, from + 2 * i, 2);
        return value;
      }
      default: {
        uint32_t value;
        std::memcpy(&value, from + 4 * i, 4);
        return value;
      }
    }
  }
  template <typename T>
  size_t Search(AttributeId id) const;

  uint32_t id_width_ = 1, end_width_ = 1, count_width_ = 1;
  uint32_t count_ = 0;
  uint32_t values_size_ = 0;
  const char* head_ = nullptr;
  const char* ids_ = nullptr;
  const char* order_ = nullptr;
  const char* ends_ = nullptr;
  const char* values_ = nullptr;
  std::string_view text_;
};

/// A value of a document that is being encoded.
struct DocumentEntry {
  AttributeId id;
  uint32_t end;  ///< end of its bytes; they begin at the end of the previous entry's
};

/// Encodes records. Reuses its memory. One thread at a time.
class DocumentRecordWriter {
 public:
  /// Appends the record of a document whose values are `entries`, in the document's order, each attribute at
  /// most once. A non-null `text` is stored instead of the order.
  void Append(const std::vector<DocumentEntry>& entries, const char* values, std::string_view text,
              std::string& record);

 private:
  void Sort(const std::vector<DocumentEntry>& entries);

  std::vector<uint64_t> sorted_;  // ids, each with its position in the document in the lower half
};

}  // namespace scaup
