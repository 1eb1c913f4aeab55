// Where the values of a JSON file begin and end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace scaup {

/// How values stand in a file.
enum class JsonLayout : uint8_t {
  kLines,   ///< each in a line of its own
  kValues,  ///< one behind the other, with any white space between them
  kArray,   ///< the elements of one array
};

inline bool IsJsonSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// Where the bracket is closed that stands at text[begin]: the position behind, or std::string_view::npos.
/// Brackets in strings do not count; whether [ and { are closed by their own is left to the parser. Up to 64
/// bytes behind the text are read.
size_t FindClosingBracket(std::string_view text, size_t begin);

/// The layout by the beginning of a file, kTextPadding bytes behind which may be read: kLines if most lines
/// hold one value each, so that a broken line does not make a file something else. White space and a byte
/// order mark at the begin are skipped; `data_begin` becomes where the values begin, in an array behind its
/// bracket.
JsonLayout DetectJsonLayout(std::string_view head, bool is_whole, size_t& data_begin);

/// A value within a buffer.
struct JsonSpan {
  uint32_t begin;
  uint32_t end;
};

/// Cuts the text of a kValues or kArray file into values, piece after piece.
class JsonSplitter {
 public:
  explicit JsonSplitter(JsonLayout layout) : is_array_(layout == JsonLayout::kArray) {}

  /// Appends the whole values in `text`, which begins where the last call stopped; `at_end`: nothing follows.
  /// Returns how much of the text is done with; the next call begins there. What was begun at the file's end
  /// is taken for a value. Up to kTextPadding bytes behind the text are read.
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
