// Sizes in bytes as texts for people and back: format_bytes, parse_formatted_bytes, pg_size_bytes.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "common/throw.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

/// A name of a unit in lower case, and how many bytes it is.
struct SizeUnit {
  std::string_view name;
  int64_t bytes;
};

constexpr int64_t kKilo = 1000, kKibi = 1024;
constexpr SizeUnit kPostgresUnits[] = {{"", 1},
                                       {"bytes", 1},
                                       {"kb", kKibi},
                                       {"mb", kKibi* kKibi},
                                       {"gb", kKibi* kKibi* kKibi},
                                       {"tb", kKibi* kKibi* kKibi* kKibi},
                                       {"pb", kKibi* kKibi* kKibi* kKibi* kKibi}};
constexpr SizeUnit kUnits[] = {{"b", 1},
                               {"byte", 1},
                               {"bytes", 1},
                               {"k", kKilo},
                               {"kb", kKilo},
                               {"m", kKilo* kKilo},
                               {"mb", kKilo* kKilo},
                               {"g", kKilo* kKilo* kKilo},
                               {"gb", kKilo* kKilo* kKilo},
                               {"t", kKilo* kKilo* kKilo* kKilo},
                               {"tb", kKilo* kKilo* kKilo* kKilo},
                               {"kib", kKibi},
                               {"mib", kKibi* kKibi},
                               {"gib", kKibi* kKibi* kKibi},
                               {"tib", kKibi* kKibi* kKibi* kKibi}};

[[noreturn]] void ThrowInvalidSize(std::string_view text, const char* hint) {
  ThrowError(ErrorKind::kOutOfRange, sqlstate::kInvalidParameterValue,
             fmt::format("invalid size: \"{}\"; {}", text, hint));
}

bool IsBlank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// Reads a number and a unit exactly, one after the other.
class SizeReader {
 public:
  SizeReader(std::string_view text, const char* hint) : text_(text), hint_(hint), rest_(text) {
    while (!rest_.empty() && IsBlank(rest_.front())) rest_.remove_prefix(1);
    while (!rest_.empty() && IsBlank(rest_.back())) rest_.remove_suffix(1);
  }
  /// The number of bytes, rounded half away from zero or towards zero.
  int64_t Read(std::span<const SizeUnit> units, bool rounds);

 private:
  void ReadNumber();
  void ReadExponent();
  bool IsDigitAt(size_t at) const { return at < rest_.size() && rest_[at] >= '0' && rest_[at] <= '9'; }

  std::string_view text_;
  const char* hint_;
  std::string_view rest_;
  bool is_negative_ = false;
  int128_t digits_ = 0;  // the number times 10^scale_
  int64_t scale_ = 0;
};

/// Retains so many digits that times the largest unit they fit 128 bits; what lies below changes no byte.
void SizeReader::ReadNumber() {
  constexpr int128_t kMostDigits = int128_t{100'000'000'000} * 100'000'000'000 / 10;  // 10^21
  if (!rest_.empty() && (rest_[0] == '-' || rest_[0] == '+')) {
    is_negative_ = rest_[0] == '-';
    rest_.remove_prefix(1);
  }
  bool has_point = false, has_digit = false;
  while (!rest_.empty() && (IsDigitAt(0) || (rest_[0] == '.' && !has_point))) {
    if (rest_[0] == '.') {
      has_point = true;
    } else {
      has_digit = true;
      const bool fits = digits_ < kMostDigits;
      if (fits) digits_ = digits_ * 10 + (rest_[0] - '0');
      scale_ += (has_point ? 1 : 0) - (fits ? 0 : 1);
    }
    rest_.remove_prefix(1);
  }
  if (!has_digit) ThrowInvalidSize(text_, hint_);
}

void SizeReader::ReadExponent() {
  if (rest_.empty() || (rest_[0] != 'e' && rest_[0] != 'E')) return;
  const size_t sign = rest_.size() > 1 && (rest_[1] == '-' || rest_[1] == '+') ? 1 : 0;
  if (!IsDigitAt(1 + sign)) return;
  const bool is_down = sign == 1 && rest_[1] == '-';
  rest_.remove_prefix(1 + sign);
  int64_t exponent = 0;
  for (; IsDigitAt(0); rest_.remove_prefix(1))
    exponent = std::min<int64_t>(exponent * 10 + rest_[0] - '0', 100'000);
  scale_ += is_down ? exponent : -exponent;
}

int64_t SizeReader::Read(std::span<const SizeUnit> units, bool rounds) {
  ReadNumber();
  ReadExponent();
  while (!rest_.empty() && IsBlank(rest_.front())) rest_.remove_prefix(1);
  std::string name(rest_);
  for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  const auto unit =
      std::find_if(units.begin(), units.end(), [&](const SizeUnit& row) { return row.name == name; });
  if (unit == units.end()) ThrowInvalidSize(text_, hint_);
  int128_t bytes = digits_ * unit->bytes;
  constexpr int128_t kMost = INT64_MAX;
  for (; scale_ < 0 && bytes != 0 && bytes <= kMost; scale_++) bytes *= 10;
  int digit = 0;  // the last one cut off: what was cut off before it is less than one of it
  for (; scale_ > 0 && (bytes != 0 || digit != 0); scale_--) {
    digit = static_cast<int>(bytes % 10);
    bytes /= 10;
  }
  if (rounds && digit >= 5) bytes++;
  if (is_negative_) bytes = -bytes;
  if (bytes > kMost || bytes < INT64_MIN)
    ThrowError(ErrorKind::kOutOfRange, sqlstate::kNumericOutOfRange, "bigint out of range");
  return static_cast<int64_t>(bytes);
}

void PostgresSize(const ScalarCall&, DataChunk& arguments, Vector& result) {
  constexpr const char* kHint = "valid units are bytes, kB, MB, GB, TB and PB, of 1024 of the one before";
  MapUnary<StringRef, int64_t>(arguments.column(0), arguments.size(), result, [&](const StringRef& text) {
    return SizeReader(text.view(), kHint).Read(kPostgresUnits, true);
  });
}

void FormattedSize(const ScalarCall&, DataChunk& arguments, Vector& result) {
  constexpr const char* kHint =
      "valid units are bytes, KB, MB, GB, TB of 1000 and KiB, MiB, GiB, TiB of 1024 of the one before";
  MapUnary<StringRef, int64_t>(arguments.column(0), arguments.size(), result, [&](const StringRef& text) {
    const int64_t bytes = SizeReader(text.view(), kHint).Read(kUnits, false);
    if (bytes < 0) ThrowInvalidSize(text.view(), "it must not be negative");
    return bytes;
  });
}

/// One digit behind the point, cut off and not rounded, as in DuckDB.
template <int64_t kStep>
std::string SizeText(int64_t bytes) {
  constexpr std::string_view kNames[2][5] = {{"kB", "MB", "GB", "TB", "PB"},
                                             {"KiB", "MiB", "GiB", "TiB", "PiB"}};
  const auto size = bytes < 0 ? 0 - static_cast<uint64_t>(bytes) : static_cast<uint64_t>(bytes);
  const char* sign = bytes < 0 ? "-" : "";
  constexpr auto kUnit = static_cast<uint64_t>(kStep);
  if (size < kUnit) return fmt::format("{}{} {}", sign, size, size == 1 ? "byte" : "bytes");
  size_t place = 0;
  uint64_t unit = kUnit;
  while (size / unit >= kUnit && place + 1 < std::size(kNames[0])) {
    unit *= kUnit;
    place++;
  }
  const uint64_t tenths = size % unit / (unit / kUnit) * 10 / kUnit;
  return fmt::format("{}{}.{} {}", sign, size / unit, tenths, kNames[kStep == kKibi][place]);
}

template <int64_t kStep>
void FormatSize(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapUnary<int64_t, StringRef>(arguments.column(0), arguments.size(), result,
                               [&](int64_t bytes) { return result.AddString(SizeText<kStep>(bytes)); });
}

}  // namespace

ScalarFunctionList ByteSizeFunctions() {
  ScalarFunctionList list;
  const auto add = [&](const char* name, TypeId type, TypeId returned, ScalarKernel kernel,
                       const char* description, const char* example) {
    list.push_back({.name = name,
                    .argument_types = {type},
                    .return_type = returned,
                    .kernel = kernel,
                    .description = description,
                    .example = example,
                    .can_fail = type == TypeId::kVarchar});
  };
  constexpr TypeId kText = TypeId::kVarchar, kNumber = TypeId::kBigInt;
  for (const char* name : {"format_bytes", "formatreadablesize"}) {
    add(name, kNumber, kText, &FormatSize<kKibi>, "A number of bytes for people, in units of 1024.",
        "format_bytes(123456)");
  }
  add("formatreadabledecimalsize", kNumber, kText, &FormatSize<kKilo>,
      "A number of bytes for people, in units of 1000.", "formatReadableDecimalSize(123456)");
  add("parse_formatted_bytes", kText, kNumber, &FormattedSize,
      "The number of bytes that a text such as '1.5 MB' or '2 KiB' says.", "parse_formatted_bytes('2 KiB')");
  add("pg_size_bytes", kText, kNumber, &PostgresSize,
      "The number of bytes that a text says in PostgreSQL's units, of 1024.", "pg_size_bytes('1.5 MB')");
  return list;
}

}  // namespace scaup
