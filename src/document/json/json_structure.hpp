// Where the tokens of a JSON text begin, found by simdjson's first stage.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace scaup {

/// Finds the beginnings of all tokens of a text. One thread; the memory of one text serves the next.
class JsonStructure {
 public:
  JsonStructure();
  ~JsonStructure();

  /// False where the text is not UTF-8, has a string that does not end, or one with a control character in
  /// it. REQUIRES: fewer than 2^32 bytes.
  bool Index(std::string_view text);

  // Of the last text that was indexed, which must still be there.
  size_t size() const { return size_; }
  /// The offset of each token's first byte: { } [ ] : , the quote that begins a string, or the beginning of
  /// anything else. After a string comes nothing but white space before the next token.
  const uint32_t* begins() const { return begins_; }

 private:
  struct Scanner;
  std::unique_ptr<Scanner> scanner_;
  const uint32_t* begins_ = nullptr;
  size_t size_ = 0;
};

/// The offset of the first byte that is no UTF-8.
std::optional<size_t> FindBadUtf8(std::string_view text);

}  // namespace scaup
