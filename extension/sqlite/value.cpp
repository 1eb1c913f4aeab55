// Conversions between SQLite's values, their text, and the engine's values.
#include "value.hpp"

#include <sqlite3.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

#include "error.hpp"
#include "token.hpp"

namespace scaup::sqlite {

namespace {

constexpr double kTwoTo63 = 9223372036854775808.0;

int64_t Saturated(double real) {
  if (!(real > -kTwoTo63)) return std::numeric_limits<int64_t>::min();
  if (real >= kTwoTo63) return std::numeric_limits<int64_t>::max();
  return static_cast<int64_t>(real);
}

std::string_view WithoutSpaces(std::string_view text) {
  constexpr std::string_view kSpaces = " \t\n\v\f\r";
  const size_t begin = text.find_first_not_of(kSpaces);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpaces) - begin + 1);
}

/// Returns how many characters at the beginning of `text` are a number.
size_t NumberLength(std::string_view text, bool& is_integer) {
  size_t at = !text.empty() && (text[0] == '+' || text[0] == '-') ? 1 : 0;
  const auto skip_digits = [&] {
    const size_t begin = at;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9') at++;
    return at - begin;
  };
  size_t digits = skip_digits();
  is_integer = true;
  if (at < text.size() && text[at] == '.') {
    const size_t point = at++;
    const size_t fraction = skip_digits();
    if (digits + fraction == 0) return 0;
    if (fraction == 0 && digits == 0) at = point;
    is_integer = false;
    digits += fraction;
  }
  if (digits == 0) return 0;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    const size_t before = at++;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) at++;
    if (skip_digits() == 0) {
      at = before;
    } else {
      is_integer = false;
    }
  }
  return at;
}

double ParseReal(std::string_view text) { return std::strtod(std::string(text).c_str(), nullptr); }

/// Parses what NumberLength has measured.
SqliteValue ParseNumber(std::string_view text, bool is_integer) {
  if (is_integer) {
    if (text[0] == '+') text.remove_prefix(1);
    int64_t integer = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), integer);
    if (error == std::errc()) return SqliteValue(integer);
  }
  return SqliteValue(ParseReal(text));
}

void AppendBigEndian(uint64_t bits, std::string& out) {
  for (int shift = 56; shift >= 0; shift -= 8) out.push_back(static_cast<char>(bits >> shift));
}

uint64_t ReadBigEndian(std::string_view bytes) {
  uint64_t bits = 0;
  for (size_t i = 0; i < 8; i++) bits = bits << 8 | static_cast<unsigned char>(bytes[i]);
  return bits;
}

/// Appends 8 bytes whose order is that of the numbers.
void AppendOrdered(double real, std::string& out) {
  const auto bits = std::bit_cast<uint64_t>(real == 0 ? 0.0 : real);
  constexpr uint64_t kSign = uint64_t{1} << 63;
  AppendBigEndian((bits & kSign) != 0 ? ~bits : bits | kSign, out);
}

constexpr char kNumberTag = 1;
constexpr char kTextTag = 2;
constexpr char kBlobTag = 3;
constexpr char kIntegerEnd = 0;
constexpr char kRealEnd = 1;

}  // namespace

int SqliteValue::TypeCode() const {
  static constexpr int kCodes[] = {SQLITE_NULL, SQLITE_INTEGER, SQLITE_FLOAT, SQLITE_TEXT, SQLITE_BLOB};
  return kCodes[data_.index()];
}

const char* SqliteValue::TypeName() const {
  static constexpr const char* kNames[] = {"null", "integer", "real", "text", "blob"};
  return kNames[data_.index()];
}

int64_t SqliteValue::AsInteger() const {
  if (const auto* integer = std::get_if<int64_t>(&data_)) return *integer;
  if (const auto* real = std::get_if<double>(&data_)) return Saturated(*real);
  if (is_null()) return 0;
  const std::string bytes = AsText();
  const std::string_view text = WithoutSpaces(bytes);
  bool is_integer = false;
  const size_t length = NumberLength(text, is_integer);
  if (length == 0) return 0;
  const SqliteValue number = ParseNumber(text.substr(0, length), is_integer);
  return number.AsInteger();
}

double SqliteValue::AsReal() const {
  if (const auto* integer = std::get_if<int64_t>(&data_)) return static_cast<double>(*integer);
  if (const auto* real = std::get_if<double>(&data_)) return *real;
  if (is_null()) return 0;
  const std::string bytes = AsText();
  const std::string_view text = WithoutSpaces(bytes);
  bool is_integer = false;
  const size_t length = NumberLength(text, is_integer);
  return length == 0 ? 0 : ParseReal(text.substr(0, length));
}

std::string SqliteValue::AsText() const {
  if (const auto* integer = std::get_if<int64_t>(&data_)) return std::to_string(*integer);
  if (const auto* real = std::get_if<double>(&data_)) return RealToText(*real);
  if (const auto* text = std::get_if<Text>(&data_)) return text->bytes;
  if (const auto* blob = std::get_if<Blob>(&data_)) return blob->bytes;
  return {};
}

std::string SqliteValue::AsSql() const {
  if (is_null()) return "NULL";
  if (is_text()) return QuoteText(AsText());
  if (const auto* real = std::get_if<double>(&data_)) {
    // As many digits as give the number back, where those of its text do not.
    std::string text = RealToText(*real);
    if (std::isfinite(*real) && ParseReal(text) != *real) {
      char exact[40];
      std::snprintf(exact, sizeof exact, "%.20e", *real);
      text = exact;
    }
    return text;
  }
  if (!is_blob()) return AsText();
  std::string sql = "X'";
  for (const char c : std::get<Blob>(data_).bytes) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02X", static_cast<unsigned>(static_cast<unsigned char>(c)));
    sql += digits;
  }
  return sql + "'";
}

Value SqliteValue::ToEngine() const {
  if (const auto* integer = std::get_if<int64_t>(&data_)) return Value::BigInt(*integer);
  if (const auto* real = std::get_if<double>(&data_)) return Value::Double(*real);
  if (const auto* text = std::get_if<Text>(&data_)) return Value::Varchar(text->bytes);
  if (const auto* blob = std::get_if<Blob>(&data_)) return Value::Blob(blob->bytes);
  return Value();
}

SqliteValue SqliteValue::FromEngine(const QueryResult& result, size_t column, size_t row) {
  if (result.IsNull(column, row)) return SqliteValue();
  const LogicalType& type = result.columns()[column].type;
  switch (type.id()) {
    case TypeId::kVarchar: return MakeText(std::string(result.GetString(column, row)));
    case TypeId::kBlob: return MakeBlob(std::string(result.GetString(column, row)));
    case TypeId::kBoolean:
    case TypeId::kTinyInt:
    case TypeId::kSmallInt:
    case TypeId::kInteger:
    case TypeId::kUTinyInt:
    case TypeId::kUSmallInt:
    case TypeId::kUInteger:
    case TypeId::kBigInt: return SqliteValue(result.GetValue(column, row).GetBigInt());
    case TypeId::kReal:
    case TypeId::kDouble: return SqliteValue(result.GetValue(column, row).GetDouble());
    case TypeId::kUBigInt:
    case TypeId::kHugeInt: {
      const int128_t wide = result.GetValue(column, row).GetInteger();
      const auto narrow = static_cast<int64_t>(wide);
      if (narrow == wide) return SqliteValue(narrow);
      return SqliteValue(static_cast<double>(wide));
    }
    case TypeId::kStruct:
      if (type == DynamicType()) {
        const Value bytes = result.GetValue(column, row).GetElements()[0];
        return bytes.is_null() ? SqliteValue() : DecodeValue(bytes.GetString());
      }
      break;
    default: break;
  }
  std::string text;
  result.AppendText(column, row, text);
  if (type.id() == TypeId::kDecimal || type.id() == TypeId::kNumeric) return SqliteValue(ParseReal(text));
  return MakeText(std::move(text));
}

std::string RealToText(double real) {
  if (std::isinf(real)) return real > 0 ? "Inf" : "-Inf";
  char digits[40];
  std::snprintf(digits, sizeof digits, "%.15g", real);
  std::string text = digits;
  if (text.find_first_of(".e") == std::string::npos) return text + ".0";
  const size_t exponent = text.find('e');
  if (exponent != std::string::npos && text.find('.') == std::string::npos) text.insert(exponent, ".0");
  return text;
}

SqliteValue NumberOfText(std::string_view text) {
  text = WithoutSpaces(text);
  bool is_integer = false;
  const size_t length = NumberLength(text, is_integer);
  if (length == 0 || length != text.size()) return SqliteValue();
  return ParseNumber(text, is_integer);
}

bool IsText(std::string_view bytes) {
  for (size_t at = 0; at < bytes.size();) {
    const auto first = static_cast<unsigned char>(bytes[at]);
    const size_t length = first < 0x80   ? 1
                          : first < 0xc2 ? 0
                          : first < 0xe0 ? 2
                          : first < 0xf0 ? 3
                          : first < 0xf5 ? 4
                                         : 0;
    if (first == 0 || length == 0 || at + length > bytes.size()) return false;
    uint32_t code = length == 1 ? first : first & (0x7f >> length);
    for (size_t i = 1; i < length; i++) {
      const auto next = static_cast<unsigned char>(bytes[at + i]);
      if ((next & 0xc0) != 0x80) return false;
      code = code << 6 | (next & 0x3f);
    }
    // No longer than needed, no half of a pair of UTF-16, and within Unicode.
    if ((length == 3 && code < 0x800) || (length == 4 && code < 0x10000) ||
        (code >= 0xd800 && code < 0xe000) || code > 0x10ffff)
      return false;
    at += length;
  }
  return true;
}

Error WrongKindError(const SqliteValue& value, const std::string& wanted) {
  return Error(ErrorKind::kConversion, kWrongKind,
               std::string("datatype mismatch: a value of type ") + value.TypeName() + " stands where " +
                   wanted + " is needed; use CAST");
}

std::string EncodeValue(const SqliteValue& value) {
  std::string bytes;
  if (value.is_text()) {
    bytes.push_back(kTextTag);
    bytes += value.AsText();
  } else if (value.is_blob()) {
    bytes.push_back(kBlobTag);
    bytes += value.AsBytes();
  } else if (!value.is_null()) {
    // The double nearest to the number, then how far an integer is from it.
    bytes.push_back(kNumberTag);
    const double real = value.AsReal();
    AppendOrdered(real, bytes);
    uint64_t rest = 0;
    if (value.is_integer())
      rest = static_cast<uint64_t>(value.AsInteger()) - static_cast<uint64_t>(Saturated(real));
    AppendBigEndian(rest ^ uint64_t{1} << 63, bytes);
    bytes.push_back(value.is_integer() ? kIntegerEnd : kRealEnd);
  }
  return bytes;
}

SqliteValue DecodeValue(std::string_view bytes) {
  if (bytes.empty()) return SqliteValue();
  if (bytes[0] == kTextTag) return SqliteValue::MakeText(std::string(bytes.substr(1)));
  if (bytes[0] == kBlobTag) return SqliteValue::MakeBlob(std::string(bytes.substr(1)));
  if (bytes[0] != kNumberTag || bytes.size() != 18)
    throw Error(ErrorKind::kIo, "XX001",
                "a value of any kind is damaged: its bytes are none that SQLite's interface wrote");
  uint64_t bits = ReadBigEndian(bytes.substr(1));
  constexpr uint64_t kSign = uint64_t{1} << 63;
  bits = (bits & kSign) != 0 ? bits ^ kSign : ~bits;
  const auto real = std::bit_cast<double>(bits);
  if (bytes[17] == kRealEnd) return SqliteValue(real);
  const uint64_t rest = ReadBigEndian(bytes.substr(9)) ^ kSign;
  return SqliteValue(static_cast<int64_t>(static_cast<uint64_t>(Saturated(real)) + rest));
}

const LogicalType& DynamicType() {
  static const LogicalType& type =
      *new LogicalType(LogicalType::Struct({StructField{"sqlite_value", LogicalType(TypeId::kBlob)}}));
  return type;
}

Value MakeDynamic(const SqliteValue& value) {
  if (value.is_null()) return Value(DynamicType());
  return Value::Struct(DynamicType(), {Value::Blob(EncodeValue(value))});
}

}  // namespace scaup::sqlite
