// Parses option values, and suggests names for unknown options.
#include "format/text/option_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "common/throw.hpp"
#include "type/value_cast.hpp"

namespace scaup {

namespace {

size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); j++) row[j] = j;
  for (size_t i = 1; i <= a.size(); i++) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); j++) {
      const size_t substituted = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({substituted, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

void ThrowBadOption(const std::string& name, const std::string& wanted, const std::string& got) {
  ThrowError(ErrorKind::kBinder, sqlstate::kInvalidParameterValue,
             fmt::format("option {} must be {}, not \"{}\"", name, wanted, got));
}

std::string LowerCase(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c += 'a' - 'A';
  }
  return result;
}

std::string TextOption(const std::string& name, const Value& value) {
  if (value.is_null()) ThrowBadOption(name, "given a value", "NULL");
  return value.type().id() == TypeId::kVarchar ? value.GetString() : value.ToString();
}

bool BooleanOption(const std::string& name, const Value& value) {
  if (value.is_null()) return true;  // without a value, as in COPY ... (HEADER)
  const std::string text = LowerCase(TextOption(name, value));
  if (text == "true" || text == "t" || text == "on" || text == "yes" || text == "1") return true;
  if (text == "false" || text == "f" || text == "off" || text == "no" || text == "0") return false;
  ThrowBadOption(name, "true or false", text);
}

int64_t IntegerOption(const std::string& name, const Value& value) {
  Value number;
  const std::string text = TextOption(name, value);
  if (!ParseValue(text, TypeId::kBigInt, number)) ThrowBadOption(name, "a whole number", text);
  return number.GetBigInt();
}

TextCompression CompressionOption(const std::string& name, const Value& value) {
  const std::string text = LowerCase(TextOption(name, value));
  if (text == "auto") return TextCompression::kAuto;
  if (text == "none") return TextCompression::kNone;
  if (text == "gzip" || text == "gz") return TextCompression::kGzip;
  if (text == "zstd" || text == "zst") return TextCompression::kZstd;
  if (text == "bzip2" || text == "bz2") return TextCompression::kBzip2;
  ThrowBadOption(name, "auto, none, gzip, zstd or bz2", text);
}

uint64_t BufferSizeOption(const std::string& name, const Value& value) {
  const int64_t bytes = IntegerOption(name, value);
  if (bytes < 1 || bytes > (int64_t{1} << 30))
    ThrowBadOption(name, "between 1 and 1073741824 bytes", std::to_string(bytes));
  return static_cast<uint64_t>(bytes);
}

uint64_t SizeOption(const std::string& name, const Value& value) {
  struct Unit {
    const char* name;
    int64_t bytes;
  };
  constexpr Unit kUnits[] = {{"kb", 1000},
                             {"mb", 1000000},
                             {"gb", 1000000000},
                             {"kib", int64_t{1} << 10},
                             {"mib", int64_t{1} << 20},
                             {"gib", int64_t{1} << 30}};
  const std::string text = LowerCase(TextOption(name, value));
  std::string number = text;
  int64_t factor = 1;
  for (const Unit& unit : kUnits) {
    if (!text.ends_with(unit.name)) continue;
    number = text.substr(0, text.size() - std::string_view(unit.name).size());
    factor = unit.bytes;
  }
  int64_t bytes = 0;
  if (__builtin_mul_overflow(IntegerOption(name, Value::Varchar(number)), factor, &bytes) || bytes < 1)
    ThrowBadOption(name, "a number of bytes, such as 64MB", text);
  return static_cast<uint64_t>(bytes);
}

std::vector<std::string> NameListOption(const std::string& name, std::string_view text) {
  std::vector<std::string> names;
  std::string current;
  bool is_quoted = false, was_quoted = false;
  for (size_t i = 0; i <= text.size(); i++) {
    const char c = i < text.size() ? text[i] : ',';
    if (c == '"' && is_quoted && i + 1 < text.size() && text[i + 1] == '"') {
      current += c;
      i++;
    } else if (c == '"') {
      is_quoted = !is_quoted;
      was_quoted = true;
    } else if (c == ',' && !is_quoted) {
      if (current.empty() && !was_quoted) ThrowBadOption(name, "a list of names", std::string(text));
      names.push_back(std::move(current));
      current.clear();
      was_quoted = false;
    } else if (is_quoted || c != ' ') {
      current += c;
    }
  }
  if (is_quoted) ThrowBadOption(name, "a list of names", std::string(text));
  return names;
}

void CheckEncodingOption(const std::string& name, const Value& value) {
  const TextEncoding encoding = EncodingOption(name, value);
  if (encoding != TextEncoding::kUtf8 && encoding != TextEncoding::kAuto)
    ThrowBadOption(name, "utf8, the only encoding that is written", TextOption(name, value));
}

void ThrowUnknownOption(std::string_view format, const std::string& name,
                        std::span<const char* const> known) {
  const char* nearest = nullptr;
  size_t nearest_distance = 4;
  for (const char* candidate : known) {
    const size_t distance = EditDistance(name, candidate);
    if (distance >= nearest_distance) continue;
    nearest = candidate;
    nearest_distance = distance;
  }
  std::string message = fmt::format("unknown {} option \"{}\"", format, name);
  if (nearest != nullptr) message += fmt::format("; did you mean \"{}\"?", nearest);
  ThrowError(ErrorKind::kBinder, sqlstate::kSyntaxError, message);
}

}  // namespace scaup
