// Splits JSON text into attributes and values, for parsing and changing documents.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "document/document_record.hpp"
#include "document/json/json_number.hpp"
#include "document/json/json_structure.hpp"
#include "document/key_cache.hpp"
#include "type/text/json_text.hpp"

namespace scaup {

/// Values in the order of a document, with their bytes concatenated.
class DocumentValues {
 public:
  void Clear() {
    entries.clear();
    size_ = 0;
  }
  const char* bytes() const { return bytes_.data(); }
  size_t size() const { return size_; }
  /// Removes bytes at the end that belong to no entry.
  void Shrink(size_t size) { size_ = size; }
  /// Space for `size` more bytes at the end; Advance then adds those that were written.
  char* Reserve(size_t size) {
    if (bytes_.size() - size_ < size) bytes_.resize(2 * bytes_.size() + size);
    return bytes_.data() + size_;
  }
  void Advance(size_t size) { size_ += size; }
  void AppendBytes(std::string_view bytes) {
    char* out = Reserve(bytes.size());
    if (!bytes.empty()) std::memcpy(out, bytes.data(), bytes.size());
    size_ += bytes.size();
  }
  void EndEntry(AttributeId id) { entries.push_back({id, static_cast<uint32_t>(size_)}); }
  std::string_view value(size_t i) const {
    const size_t begin = i == 0 ? 0 : entries[i - 1].end;
    return {bytes_.data() + begin, entries[i].end - begin};
  }

  std::vector<DocumentEntry> entries;

 private:
  std::vector<char> bytes_;
  size_t size_ = 0;
};

/// Scans one text after the other. It reuses its memory and caches dictionary entries. One thread at a time.
class DocumentScanner {
 public:
  explicit DocumentScanner(std::shared_ptr<AttributeDictionary> dictionary);

  /// Replaces `values` by the attributes of a JSON value at `path`; at the root it must be an object. Of
  /// equal keys, the last counts. Returns false for malformed text; fault() then has place and reason.
  bool Scan(std::string_view text, PathId path, DocumentValues& values);
  const JsonFault& fault() const { return fault_; }
  /// Whether an object had equal keys, so that the values do not represent the whole text.
  bool has_equal_keys() const { return has_equal_keys_; }
  /// The last text, if well-formed, without white space and with canonical escapes in strings.
  std::string_view CompactText();
  AttributeDictionary& dictionary() { return keys_.dictionary(); }

 private:
  struct OpenObject {
    PathId path;
    PathId last_key;
  };

  char Peek(size_t token) const { return token < token_count_ ? text_[begins_[token]] : '\0'; }
  bool Fail(size_t offset, const char* reason);
  void FindFault(PathId path);
  bool ScanTree(PathId path);
  bool ScanKey(PathId& path);
  bool ScanScalar(PathId path);
  bool ScanArray(PathId path);
  bool ScanArrayAs(AttributeType type);
  bool ScanElement(AttributeType type);
  bool ScanWord(std::string_view word);
  bool ScanString(std::string_view& content);
  bool ScanNumber(JsonNumber& number);
  void AddNumber(PathId path, const JsonNumber& number);
  void End(PathId path, AttributeType type);
  bool WriteCompact();
  bool WriteCompactKey();
  void DropEqualKeys();

  KeyCache keys_;
  JsonStructure structure_;
  std::string_view text_;
  const uint32_t* begins_ = nullptr;
  size_t token_count_ = 0;
  size_t token_ = 0;  // the next token
  bool has_escapes_ = false;
  bool has_long_element_ = false;  // the current array has an integer beyond 2^53
  size_t base_depth_ = 0;
  std::vector<OpenObject> open_;
  DocumentValues* values_ = nullptr;
  // Events number the keys in the order of the text. An entry counts if no key on its path occurred again
  // after it.
  uint64_t event_ = 0, first_event_ = 0;
  std::vector<uint64_t> events_;  // by entry
  bool has_equal_keys_ = false;
  std::string unescaped_;
  std::string compact_;
  std::vector<char> compact_open_;  // the open brackets of WriteCompact
  bool has_fault_ = false;
  JsonFault fault_;
};

}  // namespace scaup
