// Finds the boundaries of values in JSON files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "type/text/ascii.hpp"

namespace scaup {

/// The arrangement of values in a file.
enum class JsonLayout : uint8_t {
  kLines,   ///< one value per line
  kValues,  ///< concatenated, with any white space between
  kArray,   ///< the elements of one array
};

/// The position after the bracket that closes the one at text[begin], or std::string_view::npos. Brackets in
/// strings are ignored; whether [ and { match is checked by the parser. Reads up to 64 bytes beyond the text.
size_t FindClosingBracket(std::string_view text, size_t begin);

/// Detects the layout from the beginning of a file. It is kLines if most lines hold one value each, so that a
/// broken line does not change the result. Skips white space and a byte order mark, and sets `data_begin` to
/// where the values begin, in an array after its bracket. REQUIRES: kTextPadding bytes after `head` are
/// readable.
JsonLayout DetectJsonLayout(std::string_view head, bool is_whole, size_t& data_begin);

/// The position of a value within a buffer.
struct JsonSpan {
  uint32_t begin;
  uint32_t end;
};

/// Splits the text of a kValues or kArray file into values, buffer by buffer.
class JsonSplitter {
 public:
  explicit JsonSplitter(JsonLayout layout) : is_array_(layout == JsonLayout::kArray) {}

  /// Appends the complete values in `text`, which begins where the last call stopped. Returns the length of
  /// the text that was processed; the next call begins there. With `at_end`, a value that is cut off at the
  /// end counts as complete. Reads up to kTextPadding bytes beyond the text.
  size_t Split(std::string_view text, bool at_end, std::vector<JsonSpan>& values);
  /// The fault of the array itself, at `fault_position` of the last text; null if there is none.
  const char* fault() const { return fault_; }
  size_t fault_position() const { return fault_position_; }

 private:
  size_t SplitValues(std::string_view text, bool at_end, std::vector<JsonSpan>& values) const;
  size_t SplitArray(std::string_view text, bool at_end, std::vector<JsonSpan>& values);
  size_t Fail(const char* reason, size_t position);

  bool is_array_;
  bool is_first_ = true;
  bool is_closed_ = false;
  const char* fault_ = nullptr;
  size_t fault_position_ = 0;
};

}  // namespace scaup
