// Parses JSON text.
#include "type/text/json_parser.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "common/running_call.hpp"
#include "common/stack_bound.hpp"
#include "common/throw.hpp"
#include "type/text/ascii.hpp"
#include "type/text/utf8_text.hpp"

namespace scaup {

namespace {

/// The number of values between checks for an interrupt.
constexpr uint32_t kCheckedValues = 1024;

/// Whether none of the 8 characters ends a string, begins an escape or is invalid in a string.
bool ArePlain(const char* characters) {
  uint64_t word;
  std::memcpy(&word, characters, sizeof(word));
  constexpr uint64_t kOnes = 0x0101010101010101, kHigh = 0x8080808080808080;
  const auto has_zero = [](uint64_t bytes) { return (bytes - kOnes) & ~bytes & kHigh; };
  const uint64_t below_space = (word - kOnes * 0x20) & ~word & kHigh;
  return (has_zero(word ^ kOnes * '"') | has_zero(word ^ kOnes * '\\') | below_space) == 0;
}

/// A member of an object that is being normalized; its text is in the output.
struct Member {
  std::string name;
  size_t begin, end;
};

bool NameBefore(const Member& a, const Member& b) {
  return a.name.size() != b.name.size() ? a.name.size() < b.name.size() : a.name < b.name;
}

/// Sorts the members that `out` holds from `begin` on, separated by ", ".
void SortMembers(std::vector<Member>& members, size_t begin, std::string& out) {
  if (std::adjacent_find(members.begin(), members.end(), [](const Member& a, const Member& b) {
        return !NameBefore(a, b);
      }) == members.end()) {
    return;
  }
  std::stable_sort(members.begin(), members.end(), NameBefore);
  std::string sorted;
  for (size_t i = 0; i < members.size(); i++) {
    if (i + 1 < members.size() && members[i].name == members[i + 1].name) continue;  // The last counts.
    if (!sorted.empty()) sorted += ", ";
    sorted.append(out, members[i].begin, members[i].end - members[i].begin);
  }
  out.resize(begin);
  out += sorted;
}

}  // namespace

bool JsonParser::Parse() {
  if (!ParseValue(0)) return false;
  SkipSpace();
  return cursor_ == end_ || Fail("the value has ended");
}

bool JsonParser::Fail(const char* reason) { return FailAt(cursor_, reason); }

bool JsonParser::FailAt(const char* place, const char* reason) {
  fault_ = {static_cast<size_t>(place - begin_), reason};
  return false;
}

void JsonParser::SkipSpace() {
  while (cursor_ != end_ && IsJsonSpace(*cursor_)) cursor_++;
}

bool JsonParser::ParseValue(size_t depth) {
  if (++value_count_ % kCheckedValues == 0) RunningCall::CheckInterrupt();
  if (depth % 8 == 7) CheckStack();
  SkipSpace();
  if (cursor_ == end_) return Fail("a value is missing");
  switch (*cursor_) {
    case '{': return ParseObject(depth + 1);
    case '[': return ParseArray(depth + 1);
    case '"': return ParseString(nullptr);
    case 't': return ParseWord("true");
    case 'f': return ParseWord("false");
    case 'n': return ParseWord("null");
    default: return ParseNumber();
  }
}

bool JsonParser::ParseWord(std::string_view word) {
  if (static_cast<size_t>(end_ - cursor_) < word.size() || std::string_view(cursor_, word.size()) != word)
    return Fail("a value begins with { [ \" - or a digit, or is true, false or null");
  cursor_ += word.size();
  if (normal_ != nullptr) *normal_ += word;
  return true;
}

bool JsonParser::ParseArray(size_t depth) {
  if (depth > kMaxJsonDepth) return Fail("it is nested too deeply");
  cursor_++;
  if (normal_ != nullptr) *normal_ += '[';
  SkipSpace();
  if (cursor_ != end_ && *cursor_ == ']') {
    cursor_++;
  } else {
    while (true) {
      if (!ParseValue(depth)) return false;
      SkipSpace();
      if (cursor_ == end_ || (*cursor_ != ',' && *cursor_ != ']'))
        return Fail("an array goes on with , or ]");
      if (*cursor_++ == ']') break;
      if (normal_ != nullptr) *normal_ += ", ";
    }
  }
  if (normal_ != nullptr) *normal_ += ']';
  return true;
}

bool JsonParser::ParseObject(size_t depth) {
  if (depth > kMaxJsonDepth) return Fail("it is nested too deeply");
  cursor_++;
  if (normal_ != nullptr) *normal_ += '{';
  const size_t begin = normal_ != nullptr ? normal_->size() : 0;
  std::vector<Member> members;
  SkipSpace();
  bool is_at_end = cursor_ != end_ && *cursor_ == '}';
  if (is_at_end) cursor_++;
  while (!is_at_end) {
    SkipSpace();
    if (cursor_ == end_ || *cursor_ != '"')
      return Fail("a member of an object begins with its name in quotes");
    Member member{"", normal_ != nullptr ? normal_->size() : 0, 0};
    if (!ParseString(normal_ != nullptr ? &member.name : nullptr)) return false;
    SkipSpace();
    if (cursor_ == end_ || *cursor_ != ':') return Fail("after a member's name comes :");
    cursor_++;
    if (normal_ != nullptr) *normal_ += ": ";
    if (!ParseValue(depth)) return false;
    SkipSpace();
    if (cursor_ == end_ || (*cursor_ != ',' && *cursor_ != '}')) return Fail("an object goes on with , or }");
    is_at_end = *cursor_++ == '}';
    if (normal_ == nullptr) continue;
    member.end = normal_->size();
    members.push_back(std::move(member));
    if (!is_at_end) *normal_ += ", ";
  }
  if (normal_ == nullptr) return true;
  SortMembers(members, begin, *normal_);
  *normal_ += '}';
  return true;
}

bool JsonParser::ParseNumber() {
  const char* const first = cursor_;
  if (*cursor_ == '-') cursor_++;
  if (cursor_ == end_ || !IsDigit(*cursor_)) {
    return FailAt(cursor_, cursor_ == first
                               ? "a value begins with { [ \" - or a digit, or is true, false or null"
                               : "after - comes a digit");
  }
  const bool begins_with_zero = *cursor_ == '0';
  const char* const digits = cursor_;
  while (cursor_ != end_ && IsDigit(*cursor_)) cursor_++;
  if (begins_with_zero && cursor_ - digits > 1) return FailAt(digits + 1, "a number does not begin with 0");
  if (cursor_ != end_ && *cursor_ == '.') {
    cursor_++;
    if (cursor_ == end_ || !IsDigit(*cursor_)) return Fail("after the point comes a digit");
    while (cursor_ != end_ && IsDigit(*cursor_)) cursor_++;
  }
  if (cursor_ != end_ && (*cursor_ == 'e' || *cursor_ == 'E')) {
    cursor_++;
    if (cursor_ != end_ && (*cursor_ == '+' || *cursor_ == '-')) cursor_++;
    if (cursor_ == end_ || !IsDigit(*cursor_)) return Fail("an exponent has digits");
    while (cursor_ != end_ && IsDigit(*cursor_)) cursor_++;
  }
  return normal_ == nullptr || WriteNumber(first);
}

// Writes a number as PostgreSQL's numeric prints it: all digits, no exponent, no -0.
bool JsonParser::WriteNumber(const char* number) {
  const bool is_negative = *number == '-';
  if (is_negative) number++;
  std::string digits;
  int64_t fraction_digits = 0, exponent = 0;
  const char* c = number;
  for (bool after_point = false; c != cursor_ && *c != 'e' && *c != 'E'; c++) {
    if (*c == '.') {
      after_point = true;
    } else {
      digits += *c;
      fraction_digits += after_point ? 1 : 0;
    }
  }
  if (c != cursor_) {
    const bool is_down = *++c == '-';
    if (*c == '-' || *c == '+') c++;
    constexpr int64_t kLargest = 1'000'000;
    for (; c != cursor_ && exponent < kLargest; c++) exponent = exponent * 10 + (*c - '0');
    if (is_down) exponent = -exponent;
  }
  constexpr int64_t kMostBefore = 131072, kMostAfter = 16383;  // the limits of PostgreSQL's numeric
  const int64_t scale = std::max<int64_t>(0, fraction_digits - exponent);
  const bool is_zero = digits.find_first_not_of('0') == std::string::npos;
  if (scale > kMostAfter ||
      (!is_zero && static_cast<int64_t>(digits.size()) - fraction_digits + exponent > kMostBefore))
    return FailAt(number, "the number has too many digits");
  if (exponent > fraction_digits && !is_zero)
    digits.append(static_cast<size_t>(exponent - fraction_digits), '0');
  if (static_cast<int64_t>(digits.size()) <= scale)
    digits.insert(0, static_cast<size_t>(scale) + 1 - digits.size(), '0');
  const size_t whole = digits.size() - static_cast<size_t>(scale);
  const size_t first = std::min(digits.find_first_not_of('0'), whole - 1);
  if (is_negative && !is_zero) *normal_ += '-';
  normal_->append(digits, first, whole - first);
  if (scale == 0) return true;
  *normal_ += '.';
  normal_->append(digits, whole, std::string::npos);
  return true;
}

bool JsonParser::UnescapeInto(std::string& out) { return ReadString(&out); }

bool JsonParser::ParseString(std::string* name) {
  if (normal_ == nullptr) return ReadString(nullptr);
  unescaped_.clear();
  if (!ReadString(&unescaped_)) return false;
  AppendJsonString(unescaped_, *normal_);
  if (name != nullptr) *name = unescaped_;
  return true;
}

bool JsonParser::ReadString(std::string* unescaped) {
  const char* const first = ++cursor_;
  const char* plain = first;  // begin of the text not yet in `unescaped`
  while (true) {
    while (end_ - cursor_ >= 8 && ArePlain(cursor_)) cursor_ += 8;
    while (cursor_ != end_ && *cursor_ != '"' && *cursor_ != '\\' &&
           static_cast<unsigned char>(*cursor_) >= 0x20)
      cursor_++;
    if (cursor_ == end_) return FailAt(first - 1, "the string does not end");
    if (static_cast<unsigned char>(*cursor_) < 0x20)
      return Fail("a control character in a string must be escaped");
    if (unescaped != nullptr) unescaped->append(plain, static_cast<size_t>(cursor_ - plain));
    if (*cursor_++ == '"') return true;
    if (!ParseEscape(unescaped)) return false;
    plain = cursor_;
  }
}

bool JsonParser::ReadHex4(uint32_t& code) {
  code = 0;
  if (end_ - cursor_ < 4) return Fail("\\u has four hexadecimal digits");
  for (int i = 0; i < 4; i++, cursor_++) {
    const char c = *cursor_;
    const int digit = IsDigit(c)             ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (digit < 0) return Fail("\\u has four hexadecimal digits");
    code = code << 4 | static_cast<uint32_t>(digit);
  }
  return true;
}

// REQUIRES: the cursor is after the backslash.
bool JsonParser::ParseEscape(std::string* unescaped) {
  const char* const place = cursor_ - 1;
  SCAUP_ASSERT(*place == '\\');
  if (cursor_ == end_) return FailAt(place, "the string does not end");
  const char letter = *cursor_++;
  char plain = '\0';
  switch (letter) {
    case '"':
    case '\\':
    case '/': plain = letter; break;
    case 'b': plain = '\b'; break;
    case 'f': plain = '\f'; break;
    case 'n': plain = '\n'; break;
    case 'r': plain = '\r'; break;
    case 't': plain = '\t'; break;
    case 'u': break;
    default: return FailAt(place, "after a backslash comes one of \" \\ / b f n r t u");
  }
  if (letter != 'u') {
    if (unescaped != nullptr) *unescaped += plain;
    return true;
  }
  uint32_t code, low = 0;
  if (!ReadHex4(code)) return false;
  if (code >= 0xDC00 && code < 0xE000) return FailAt(place, "a low surrogate follows a high one");
  if (code >= 0xD800 && code < 0xDC00) {
    if (end_ - cursor_ < 2 || cursor_[0] != '\\' || cursor_[1] != 'u')
      return FailAt(place, "a low surrogate follows a high one");
    cursor_ += 2;
    if (!ReadHex4(low)) return false;
    if (low < 0xDC00 || low >= 0xE000) return FailAt(place, "a low surrogate follows a high one");
    code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
  }
  if (unescaped == nullptr) return true;
  if (code == 0) return FailAt(place, "\\u0000 cannot be converted to text");
  AppendUtf8(code, *unescaped);
  return true;
}

}  // namespace scaup
