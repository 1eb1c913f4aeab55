// The total order of JSON values, and the normal form of equal values.
#include "document/json/json_order.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "type/text/json_text.hpp"

namespace scaup {

namespace {

// The first byte of a value. Zero ends arrays, objects and strings.
constexpr char kEnd = 0, kNull = 1, kNumber = 2, kString = 3, kFalse = 4, kTrue = 5, kArray = 6, kObject = 7;
constexpr char kNegative = 1, kZero = 2, kPositive = 3;
/// Larger exponents are clamped; digits cannot compensate for them, because a document's text is shorter.
constexpr int64_t kMostExponent = int64_t{1} << 30;

/// The number 0.digits * 10^exponent; zero if there are no digits.
struct ExactNumber {
  bool is_negative = false;
  std::string digits;  // neither the first nor the last digit is zero
  int64_t exponent = 0;
};

ExactNumber ReadNumber(std::string_view text) {
  ExactNumber number;
  size_t at = 0;
  if (text[at] == '-') {
    number.is_negative = true;
    at++;
  }
  bool after_point = false;
  for (; at < text.size() && text[at] != 'e' && text[at] != 'E'; at++) {
    if (text[at] == '.') {
      after_point = true;
      continue;
    }
    const bool is_leading_zero = text[at] == '0' && number.digits.empty();
    if (!is_leading_zero) number.digits += text[at];
    if (is_leading_zero ? after_point : !after_point) number.exponent += is_leading_zero ? -1 : 1;
  }
  if (at < text.size()) {
    at++;
    const bool is_small = text[at] == '-';
    if (text[at] == '-' || text[at] == '+') at++;
    int64_t exponent = 0;
    for (; at < text.size(); at++) exponent = std::min(kMostExponent, exponent * 10 + (text[at] - '0'));
    number.exponent += is_small ? -exponent : exponent;
  }
  while (!number.digits.empty() && number.digits.back() == '0') number.digits.pop_back();
  return number;
}

void AppendNumberOrder(std::string_view text, std::string& out) {
  const ExactNumber number = ReadNumber(text);
  out += kNumber;
  if (number.digits.empty()) {
    out += kZero;
    return;
  }
  out += number.is_negative ? kNegative : kPositive;
  const size_t begin = out.size();
  const auto biased = static_cast<uint64_t>(number.exponent + 2 * kMostExponent);
  for (int shift = 32; shift >= 0; shift -= 8) out += static_cast<char>(biased >> shift & 0xff);
  out += number.digits;
  out += kEnd;
  if (!number.is_negative) return;
  for (size_t i = begin; i < out.size(); i++) out[i] = static_cast<char>(~out[i]);
}

void AppendNumberNormal(std::string_view text, std::string& out) {
  constexpr int64_t kMostPlainDigits = 40;
  const ExactNumber number = ReadNumber(text);
  const auto count = static_cast<int64_t>(number.digits.size());
  if (count == 0) {
    out += '0';
    return;
  }
  if (number.is_negative) out += '-';
  if (number.exponent > kMostPlainDigits || number.exponent < -kMostPlainDigits) {
    out += number.digits.substr(0, 1);
    if (count > 1) out += '.' + number.digits.substr(1);
    out += 'e' + std::to_string(number.exponent - 1);
  } else if (number.exponent <= 0) {
    out += "0." + std::string(static_cast<size_t>(-number.exponent), '0') + number.digits;
  } else if (number.exponent >= count) {
    out += number.digits + std::string(static_cast<size_t>(number.exponent - count), '0');
  } else {
    const auto point = static_cast<size_t>(number.exponent);
    out += number.digits.substr(0, point) + '.' + number.digits.substr(point);
  }
}

struct Member {
  std::string name;
  std::string_view value;
};

/// The members sorted by name; of equal names, the last.
std::vector<Member> MembersOf(std::string_view object) {
  std::vector<Member> members;
  for (JsonIterator each(object); each.Next();) {
    members.push_back({});
    AppendJsonUnescaped(each.quoted_name(), members.back().name);
    members.back().value = each.value();
  }
  const auto by_name = [](const Member& a, const Member& b) { return a.name < b.name; };
  std::stable_sort(members.begin(), members.end(), by_name);
  std::vector<Member> last;
  for (Member& member : members) {
    if (!last.empty() && last.back().name == member.name) last.pop_back();
    last.push_back(std::move(member));
  }
  return last;
}

}  // namespace

void AppendJsonOrder(std::string_view json, std::string& out) {
  json = TrimJson(json);
  switch (JsonKindOf(json)) {
    case JsonKind::kNull: out += kNull; return;
    case JsonKind::kBoolean: out += json[0] == 't' ? kTrue : kFalse; return;
    case JsonKind::kNumber: return AppendNumberOrder(json, out);
    case JsonKind::kString:
      out += kString;
      AppendJsonUnescaped(json, out);
      break;
    case JsonKind::kArray:
      out += kArray;
      for (JsonIterator each(json); each.Next();) AppendJsonOrder(each.value(), out);
      break;
    case JsonKind::kObject:
      out += kObject;
      for (const Member& member : MembersOf(json)) {
        out += kString + member.name + kEnd;
        AppendJsonOrder(member.value, out);
      }
      break;
  }
  out += kEnd;
}

void AppendJsonNormal(std::string_view json, std::string& out) {
  json = TrimJson(json);
  bool is_first = true;
  const auto separate = [&] {
    if (!is_first) out += ',';
    is_first = false;
  };
  switch (JsonKindOf(json)) {
    case JsonKind::kNull:
    case JsonKind::kBoolean: out += json; return;
    case JsonKind::kNumber: return AppendNumberNormal(json, out);
    case JsonKind::kString: {
      std::string text;
      AppendJsonUnescaped(json, text);
      return AppendJsonString(text, out);
    }
    case JsonKind::kArray:
      out += '[';
      for (JsonIterator each(json); each.Next();) {
        separate();
        AppendJsonNormal(each.value(), out);
      }
      out += ']';
      return;
    case JsonKind::kObject:
      out += '{';
      for (const Member& member : MembersOf(json)) {
        separate();
        AppendJsonString(member.name, out);
        out += ':';
        AppendJsonNormal(member.value, out);
      }
      out += '}';
      return;
  }
}

}  // namespace scaup
