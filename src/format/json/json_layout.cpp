// Finds the ends of values by bit masks of 64 bytes.
#include "format/json/json_layout.hpp"

#include <algorithm>
#include <bit>

#include "format/text/byte_block.hpp"

namespace scaup {

namespace {

constexpr size_t kNone = std::string_view::npos;

/// Bit i of the result is the XOR of bits 0 to i.
uint64_t PrefixXor(uint64_t bits) {
  for (int shift = 1; shift < 64; shift *= 2) bits ^= bits << shift;
  return bits;
}

/// The characters that are escaped by a backslash. `carry`: the first one is; on return, the one after the
/// block.
uint64_t FindEscaped(uint64_t backslashes, bool& carry) {
  uint64_t escaped = carry ? 1 : 0;
  if (carry) backslashes &= ~uint64_t{1};
  carry = false;
  while (backslashes != 0) {
    const int position = std::countr_zero(backslashes);
    if (position == 63) {
      carry = true;
      break;
    }
    escaped |= uint64_t{2} << position;
    backslashes &= ~(uint64_t{3} << position);
  }
  return escaped;
}

size_t SkipSpace(std::string_view text, size_t position) {
  while (position < text.size() && IsJsonSpace(text[position])) position++;
  return position;
}

/// The position after the string that begins at text[begin].
size_t FindStringEnd(std::string_view text, size_t begin) {
  for (size_t i = begin + 1; i < text.size(); i++) {
    if (text[i] == '\\') {
      i++;
    } else if (text[i] == '"') {
      return i + 1;
    }
  }
  return kNone;
}

/// The position after the value that begins at text[begin]; for numbers and words, the first character that
/// ends them. kNone if the text ends first.
size_t FindValueEnd(std::string_view text, size_t begin) {
  const char first = text[begin];
  if (first == '{' || first == '[') return FindClosingBracket(text, begin);
  if (first == '"') return FindStringEnd(text, begin);
  size_t end = begin + 1;
  while (end < text.size() && !IsJsonSpace(text[end]) &&
         std::string_view("{[\",]").find(text[end]) == std::string_view::npos)
    end++;
  return end < text.size() ? end : kNone;
}

/// Whether the rest of the line, from position `value` on, is exactly one complete value.
bool IsWholeLine(std::string_view line, size_t value) {
  if (std::string_view("{[\"-0123456789tfn").find(line[value]) == std::string_view::npos) return false;
  const bool is_word = std::string_view("{[\"").find(line[value]) == std::string_view::npos;
  const size_t value_end = FindValueEnd(line, value);
  if (value_end == kNone) return is_word;
  return SkipSpace(line, value_end) == line.size();
}

}  // namespace

size_t FindClosingBracket(std::string_view text, size_t begin) {
  uint64_t depth = 0;
  uint64_t in_string = 0;  // all bits if the block begins within a string
  bool escape = false;
  for (size_t position = begin; position < text.size(); position += 64) {
    const ByteBlock block(text.data() + position);
    const uint64_t escaped = FindEscaped(block.Equals('\\'), escape);
    const uint64_t strings = PrefixXor(block.Equals('"') & ~escaped) ^ in_string;
    in_string = (strings >> 63) != 0 ? ~uint64_t{0} : 0;
    const size_t left = text.size() - position;
    const uint64_t countable = ~strings & (left < 64 ? (uint64_t{1} << left) - 1 : ~uint64_t{0});
    const uint64_t opens = (block.Equals('{') | block.Equals('[')) & countable;
    const uint64_t closes = (block.Equals('}') | block.Equals(']')) & countable;
    const auto close_count = static_cast<uint64_t>(std::popcount(closes));
    if (close_count < depth) {
      depth += static_cast<uint64_t>(std::popcount(opens));
      depth -= close_count;
      continue;
    }
    for (uint64_t brackets = opens | closes; brackets != 0; brackets &= brackets - 1) {
      const int bit = std::countr_zero(brackets);
      if ((opens >> bit & 1) != 0) {
        depth++;
      } else if (--depth == 0) {
        return position + static_cast<size_t>(bit) + 1;
      }
    }
  }
  return kNone;
}

JsonLayout DetectJsonLayout(std::string_view head, bool is_whole, size_t& data_begin) {
  data_begin = SkipSpace(head, head.starts_with("\xEF\xBB\xBF") ? 3 : 0);
  if (data_begin < head.size() && head[data_begin] == '[') {
    data_begin++;
    return JsonLayout::kArray;
  }
  size_t whole = 0, broken = 0;
  for (size_t begin = data_begin; begin < head.size();) {
    const size_t line_end = head.find('\n', begin);
    if (line_end == kNone && !is_whole) break;
    const size_t end = std::min(line_end, head.size());
    const std::string_view line = head.substr(0, end);
    if (const size_t value = SkipSpace(line, begin); value < end)
      IsWholeLine(line, value) ? whole++ : broken++;
    begin = end + 1;
  }
  return whole > broken || broken == 0 ? JsonLayout::kLines : JsonLayout::kValues;
}

size_t JsonSplitter::Split(std::string_view text, bool at_end, std::vector<JsonSpan>& values) {
  return is_array_ ? SplitArray(text, at_end, values) : SplitValues(text, at_end, values);
}

size_t JsonSplitter::SplitValues(std::string_view text, bool at_end, std::vector<JsonSpan>& values) const {
  size_t begin = SkipSpace(text, 0);
  while (begin < text.size()) {
    size_t end = FindValueEnd(text, begin);
    if (end == kNone && !at_end) return begin;
    if (end == kNone) end = text.size();
    values.push_back({static_cast<uint32_t>(begin), static_cast<uint32_t>(end)});
    begin = SkipSpace(text, end);
  }
  return begin;
}

size_t JsonSplitter::Fail(const char* reason, size_t position) {
  fault_ = reason;
  fault_position_ = position;
  return position;
}

size_t JsonSplitter::SplitArray(std::string_view text, bool at_end, std::vector<JsonSpan>& values) {
  size_t begin = SkipSpace(text, 0);
  while (begin < text.size()) {
    if (is_closed_) return Fail("nothing but white space may follow the array of documents", begin);
    if (is_first_ && text[begin] == ']') {
      is_closed_ = true;
      begin = SkipSpace(text, begin + 1);
      continue;
    }
    const size_t end = FindValueEnd(text, begin);
    const size_t behind = end == kNone ? text.size() : SkipSpace(text, end);
    if (behind == text.size()) {
      if (!at_end) return begin;
      values.push_back({static_cast<uint32_t>(begin), static_cast<uint32_t>(std::min(end, text.size()))});
      return Fail("the array of documents ends without ]", text.size());
    }
    if (text[behind] != ',' && text[behind] != ']')
      return Fail("documents of an array are followed by , or ]", behind);
    values.push_back({static_cast<uint32_t>(begin), static_cast<uint32_t>(end)});
    is_first_ = false;
    is_closed_ = text[behind] == ']';
    begin = SkipSpace(text, behind + 1);
  }
  if (at_end && !is_closed_) Fail("the array of documents ends without ]", text.size());
  return begin;
}

}  // namespace scaup
