// Texts, numbers and bytes of options.
#include "options.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstring>

namespace scaup::adbc {

namespace {

constexpr std::string_view kPrefix = "scaup.";
constexpr std::string_view kBatchRows = "scaup.arrow.batch_rows";

/// Returns the option of this name that is true or false; null if there is none.
bool* FindFlag(std::string_view key, ArrowOptions& options) {
  if (key == "scaup.arrow.string_views") return &options.string_views;
  if (key == "scaup.arrow.dictionaries") return &options.dictionaries;
  if (key == "scaup.arrow.extensions") return &options.extensions;
  return nullptr;
}

template <typename Number>
Number ToNumber(std::string_view key, const std::string& value) {
  Number number = 0;
  const char* end = value.data() + value.size();
  const auto [stop, failure] = std::from_chars(value.data(), end, number);
  if (failure != std::errc() || stop != end)
    ThrowNotFound("the option \"" + std::string(key) + "\" is \"" + value +
                  "\", which is no number of this type");
  return number;
}

}  // namespace

bool ToBoolean(std::string_view key, std::string_view value) {
  if (value == ADBC_OPTION_VALUE_ENABLED) return true;
  if (value == ADBC_OPTION_VALUE_DISABLED) return false;
  ThrowInvalidArgument("the option \"" + std::string(key) + "\" is true or false, not \"" +
                       std::string(value) + "\"");
}

const char* BooleanText(bool value) { return value ? ADBC_OPTION_VALUE_ENABLED : ADBC_OPTION_VALUE_DISABLED; }

int64_t ToInteger(std::string_view key, const std::string& value) { return ToNumber<int64_t>(key, value); }
double ToDouble(std::string_view key, const std::string& value) { return ToNumber<double>(key, value); }

std::string NumberText(double value) {
  char text[32];
  const auto [end, failure] = std::to_chars(std::begin(text), std::end(text), value);
  return {text, static_cast<size_t>(end - text)};
}

void CopyText(const std::string& text, char* value, size_t* length) {
  const size_t wanted = text.size() + 1;
  if (wanted <= Require(length, "the length"))
    std::memcpy(&Require(value, "the buffer"), text.c_str(), wanted);
  *length = wanted;
}

void CopyBytes(const std::string& bytes, uint8_t* value, size_t* length) {
  if (bytes.size() <= Require(length, "the length") && !bytes.empty())
    std::memcpy(&Require(value, "the buffer"), bytes.data(), bytes.size());
  *length = bytes.size();
}

std::string SettingOf(std::string_view key) {
  std::string_view name = key;
  if (name.starts_with(kPrefix)) name.remove_prefix(kPrefix.size());
  const bool is_name = !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_';
  });
  if (!is_name) ThrowNotImplemented("there is no option \"" + std::string(key) + "\"");
  return std::string(name);
}

bool SetArrowOption(std::string_view key, const std::string& value, ArrowOptions& options) {
  if (bool* flag = FindFlag(key, options)) {
    *flag = ToBoolean(key, value);
    return true;
  }
  if (key != kBatchRows) return false;
  const int64_t rows = ToInteger(key, value);
  if (rows < 1) ThrowInvalidArgument("the option \"" + std::string(key) + "\" is 1 or more, not " + value);
  options.batch_rows = static_cast<size_t>(rows);
  return true;
}

bool GetArrowOption(std::string_view key, const ArrowOptions& options, std::string& value) {
  ArrowOptions copy = options;
  if (const bool* flag = FindFlag(key, copy)) {
    value = BooleanText(*flag);
    return true;
  }
  if (key != kBatchRows) return false;
  value = std::to_string(options.batch_rows);
  return true;
}

}  // namespace scaup::adbc
