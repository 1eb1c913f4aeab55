// Finds the tokens of a JSON text with simdjson's first stage.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace scaup {

/// The offsets of all tokens of a text. Memory is reused from text to text. One thread at a time.
class JsonStructure {
 public:
  JsonStructure();
  ~JsonStructure();

  /// Indexes a text. Returns false if it is not UTF-8, or has a string that does not end or contains a
  /// control character. REQUIRES: fewer than 2^32 bytes.
  bool Index(std::string_view text);

  // The result for the last indexed text, valid as long as that text exists.
  size_t size() const { return size_; }
  /// The offset of each token's first byte: { } [ ] : , the opening quote of a string, or the beginning of
  /// anything else. Only white space is between the end of a string and the next token.
  const uint32_t* begins() const { return begins_; }

 private:
  struct Scanner;
  std::unique_ptr<Scanner> scanner_;
  const uint32_t* begins_ = nullptr;
  size_t size_ = 0;
};

/// The offset of the first byte that is not valid UTF-8.
std::optional<size_t> FindBadUtf8(std::string_view text);

}  // namespace scaup
