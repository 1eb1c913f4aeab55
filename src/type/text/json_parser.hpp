// The JSON parser: checks the grammar and optionally writes the normal form.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "type/text/json_text.hpp"

namespace scaup {

/// A recursive descent parser with at most kMaxJsonDepth levels. Use one object per text.
class JsonParser {
 public:
  /// `normal` receives the normal form; if null, the text is only checked.
  JsonParser(std::string_view text, std::string* normal)
      : begin_(text.data()), cursor_(text.data()), end_(text.data() + text.size()), normal_(normal) {}

  bool Parse();
  /// Decodes the text, a JSON string with its quotes. Returns false if no SQL text can hold the result
  /// (\u0000).
  bool UnescapeInto(std::string& out);
  /// The place and the reason of the fault after Parse returned false.
  const JsonFault& fault() const { return fault_; }

 private:
  bool ParseValue(size_t depth);
  bool ParseObject(size_t depth);
  bool ParseArray(size_t depth);
  bool ParseWord(std::string_view word);
  bool ParseNumber();
  bool WriteNumber(const char* number);
  /// Parses a string. For the normal form, `name` receives the decoded string unless it is null.
  bool ParseString(std::string* name);
  /// Appends the decoded string to `unescaped` unless that is null.
  bool ReadString(std::string* unescaped);
  bool ParseEscape(std::string* unescaped);
  bool ReadHex4(uint32_t& code);
  void SkipSpace();
  bool Fail(const char* reason);
  bool FailAt(const char* place, const char* reason);

  const char* begin_;
  const char* cursor_;
  const char* end_;
  std::string* normal_;
  std::string unescaped_;  // scratch of the string being read
  JsonFault fault_;
  uint32_t value_count_ = 0;  // values begun so far
};

}  // namespace scaup
