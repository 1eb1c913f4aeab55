// Splits the text of an SQL/JSON path into tokens.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace scaup::json_path {

enum class PathTokenKind : uint8_t {
  kEnd,
  kName,
  kString,    ///< in quotation marks; `text` is what they hold
  kVariable,  ///< $name; `text` is the name
  kNumber,
  kSymbol,
};

struct PathToken {
  PathTokenKind kind = PathTokenKind::kEnd;
  std::string text = {};
  size_t begin = 0;
};

/// Gives one token after the other. Borrows the text. One thread at a time.
class PathScanner {
 public:
  explicit PathScanner(std::string_view path) : path_(path) {}

  /// The end token has no text. Throws Error(42601) for what is no token.
  PathToken Next();
  /// Throws Error(42601), naming the token.
  [[noreturn]] void Refuse(const PathToken& token) const;
  [[noreturn]] void RefuseAt(size_t begin) const;

 private:
  void SkipSpace();
  PathToken TakeNumber();
  PathToken TakeName(PathTokenKind kind);
  PathToken TakeString(PathTokenKind kind);
  PathToken TakeSymbol();
  void TakeEscape(std::string& text);
  uint32_t TakeCodeUnit(size_t digits);

  std::string_view path_;
  size_t at_ = 0;
};

}  // namespace scaup::json_path
