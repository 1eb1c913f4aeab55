// printf: values written by a format of C ("%5.2f").
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "common/throw.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "function/scalar/string/utf8.hpp"
#include "function/text_account.hpp"
#include "type/number/decimal.hpp"
#include "type/number/int128.hpp"
#include "type/number/number_text.hpp"
#include "type/text/ascii.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

[[noreturn]] void ThrowPrintf(const std::string& message) {
  ThrowError(ErrorKind::kOutOfRange, sqlstate::kInvalidParameterValue, message);
}

/// A conversion such as %-5.2f.
struct Conversion {
  bool is_left = false, shows_plus = false, shows_blank = false, is_alternate = false, fills_zeros = false;
  char separator = 0;  ///< between groups of three digits
  size_t width = 0;
  int precision = -1;
  char letter = 0;
};

/// The values of one row.
class PrintfRow {
 public:
  PrintfRow(DataChunk& arguments, const std::vector<UnifiedView>& views)
      : arguments_(arguments), views_(views) {}

  void Write(size_t row, TextAccount& account, std::string& out) {
    row_ = row;
    next_ = 1;
    rest_ = views_[0].As<StringRef>()[row].view();
    while (!rest_.empty()) {
      const size_t length = std::min(rest_.find('%'), rest_.size());
      out += rest_.substr(0, length);
      rest_.remove_prefix(length);
      if (!rest_.empty()) WriteConversion(account, out);
      account.Note(out);
    }
  }

 private:
  bool Take(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  size_t TakeNumber() {
    constexpr size_t kMost = 1 << 20;
    size_t number = 0;
    for (; !rest_.empty() && IsDigit(rest_[0]); rest_.remove_prefix(1))
      number = std::min(number * 10 + static_cast<size_t>(rest_[0] - '0'), kMost);
    return number;
  }
  size_t TakeArgument();
  void TakeFlags(Conversion& conversion);
  void WriteConversion(TextAccount& account, std::string& out);
  void Pad(const Conversion& conversion, std::string_view text, std::string& out);

  std::string Integer(const Conversion& conversion, size_t argument);
  std::string Unsigned(const Conversion& conversion, size_t argument);
  std::string Floating(const Conversion& conversion, size_t argument);
  std::string Text(const Conversion& conversion, size_t argument);
  std::string Character(size_t argument);
  int128_t IntegerAt(const Conversion& conversion, size_t argument);

  DataChunk& arguments_;
  const std::vector<UnifiedView>& views_;
  std::string_view rest_;
  size_t row_ = 0;
  size_t next_ = 1;
};

/// The argument that n$ names, or else the next one.
size_t PrintfRow::TakeArgument() {
  const size_t digits = std::min(rest_.find_first_not_of("0123456789"), rest_.size());
  size_t argument = 0;
  if (digits > 0 && digits < rest_.size() && rest_[digits] == '$') {
    argument = TakeNumber();
    Take('$');
    if (argument == 0) ThrowPrintf("printf counts arguments from 1: %1$d");
  }
  return argument;
}

void PrintfRow::TakeFlags(Conversion& conversion) {
  for (;;) {
    if (Take('-')) {
      conversion.is_left = true;
    } else if (Take('+')) {
      conversion.shows_plus = true;
    } else if (Take(' ')) {
      conversion.shows_blank = true;
    } else if (Take('#')) {
      conversion.is_alternate = true;
    } else if (Take('0')) {
      conversion.fills_zeros = true;
    } else if (rest_.starts_with(',') || rest_.starts_with('\'')) {
      conversion.separator = rest_[0];
      rest_.remove_prefix(1);
    } else {
      return;
    }
  }
}

int128_t PrintfRow::IntegerAt(const Conversion& conversion, size_t argument) {
  const TypeId type = arguments_.column(argument).type().id();
  if (type == TypeId::kHugeInt) return views_[argument].As<int128_t>()[row_];
  if (type == TypeId::kBigInt) return views_[argument].As<int64_t>()[row_];
  ThrowPrintf(std::string("%") + conversion.letter + " of printf needs an integer; argument " +
              std::to_string(argument) + " is " + arguments_.column(argument).type().ToString());
}

std::string GroupDigits(std::string digits, char separator) {
  for (size_t at = digits.size(); separator != 0 && at > 3;) {
    at -= 3;
    digits.insert(at, 1, separator);
  }
  return digits;
}

std::string PrintfRow::Integer(const Conversion& conversion, size_t argument) {
  const int128_t value = IntegerAt(conversion, argument);
  std::string digits = DecimalToString(value, 0);
  if (value < 0) digits.erase(0, 1);
  if (conversion.precision >= 0 && digits.size() < static_cast<size_t>(conversion.precision))
    digits.insert(0, static_cast<size_t>(conversion.precision) - digits.size(), '0');
  digits = GroupDigits(std::move(digits), conversion.separator);
  if (value < 0) return "-" + digits;
  return (conversion.shows_plus ? "+" : conversion.shows_blank ? " " : "") + digits;
}

/// Negative numbers are shown as those that have the same 64 bits.
std::string PrintfRow::Unsigned(const Conversion& conversion, size_t argument) {
  const auto value = static_cast<uint64_t>(IntegerAt(conversion, argument));
  char buffer[32];
  const char* format = conversion.letter == 'x'   ? "%llx"
                       : conversion.letter == 'X' ? "%llX"
                       : conversion.letter == 'o' ? "%llo"
                                                  : "%llu";
  std::snprintf(buffer, sizeof(buffer), format, static_cast<unsigned long long>(value));
  if (!conversion.is_alternate || value == 0 || conversion.letter == 'u') return buffer;
  return (conversion.letter == 'o' ? "0" : conversion.letter == 'x' ? "0x" : "0X") + std::string(buffer);
}

std::string PrintfRow::Floating(const Conversion& conversion, size_t argument) {
  const TypeId type = arguments_.column(argument).type().id();
  double value;
  if (type == TypeId::kDouble) {
    value = views_[argument].As<double>()[row_];
  } else if (type == TypeId::kVarchar) {
    ThrowPrintf(std::string("%") + conversion.letter + " of printf needs a number; argument " +
                std::to_string(argument) + " is VARCHAR");
  } else {
    value = Int128ToDouble(IntegerAt(conversion, argument));
  }
  constexpr int kMostDigits = 400;
  char format[] = {'%', '.', '*', conversion.letter, 0};
  char buffer[2 * kMostDigits];
  const int precision = conversion.precision < 0 ? (conversion.letter == 'a' ? 13 : 6) : conversion.precision;
  std::snprintf(buffer, sizeof(buffer), format, std::min(precision, kMostDigits), std::abs(value));
  std::string text = buffer;
  if (conversion.separator != 0) {
    const size_t whole = std::min(text.find_first_not_of("0123456789"), text.size());
    text = GroupDigits(text.substr(0, whole), conversion.separator) + text.substr(whole);
  }
  if (std::signbit(value)) return "-" + text;
  return (conversion.shows_plus ? "+" : conversion.shows_blank ? " " : "") + text;
}

std::string PrintfRow::Text(const Conversion& conversion, size_t argument) {
  std::string text;
  switch (arguments_.column(argument).type().id()) {
    case TypeId::kHugeInt:
    case TypeId::kBigInt: return Integer(Conversion(), argument);
    case TypeId::kDouble: {
      char buffer[kFormatBufferBytes];
      text.assign(buffer, FormatDouble(views_[argument].As<double>()[row_], buffer));
      break;
    }
    default: text = views_[argument].As<StringRef>()[row_].view();
  }
  if (conversion.precision < 0) return text;
  return std::string(FirstCharacters(text, static_cast<size_t>(conversion.precision)));
}

std::string PrintfRow::Character(size_t argument) {
  if (arguments_.column(argument).type().id() == TypeId::kVarchar)
    return std::string(FirstCharacters(views_[argument].As<StringRef>()[row_].view(), 1));
  Conversion conversion;
  conversion.letter = 'c';
  const int128_t code = IntegerAt(conversion, argument);
  constexpr int128_t kLastCode = 0x10ffff, kFirstSurrogate = 0xd800, kLastSurrogate = 0xdfff;
  if (code < 1 || code > kLastCode || (code >= kFirstSurrogate && code <= kLastSurrogate))
    ThrowPrintf("%c of printf needs the code of a character");
  std::string text;
  AppendUtf8(static_cast<uint32_t>(code), text);
  return text;
}

void PrintfRow::Pad(const Conversion& conversion, std::string_view text, std::string& out) {
  const size_t have = CountCharacters(text);
  const size_t blanks = conversion.width > have ? conversion.width - have : 0;
  const bool is_number = conversion.letter != 's' && conversion.letter != 'c';
  if (conversion.is_left) {
    out += text;
    out.append(blanks, ' ');
  } else if (conversion.fills_zeros && is_number) {
    const size_t sign = !text.empty() && (text[0] == '-' || text[0] == '+' || text[0] == ' ') ? 1 : 0;
    out += text.substr(0, sign);
    out.append(blanks, '0');
    out += text.substr(sign);
  } else {
    out.append(blanks, ' ');
    out += text;
  }
}

void PrintfRow::WriteConversion(TextAccount& account, std::string& out) {
  Take('%');
  if (Take('%')) {
    out.push_back('%');
    return;
  }
  size_t argument = TakeArgument();
  Conversion conversion;
  TakeFlags(conversion);
  conversion.width = TakeNumber();
  if (Take('.')) conversion.precision = static_cast<int>(TakeNumber());
  while (Take('l') || Take('h') || Take('z') || Take('j')) {
  }
  if (rest_.empty())
    ThrowPrintf("the format of printf ends within a conversion; write %% for a percent sign");
  conversion.letter = rest_[0];
  rest_.remove_prefix(1);
  if (argument == 0) argument = next_++;
  if (argument >= views_.size()) {
    ThrowPrintf("the format of printf needs " + std::to_string(argument) + " values; there are " +
                std::to_string(views_.size() - 1));
  }
  account.Expect(out, conversion.width);
  switch (conversion.letter) {
    case 'd':
    case 'i': return Pad(conversion, Integer(conversion, argument), out);
    case 'u':
    case 'x':
    case 'X':
    case 'o': return Pad(conversion, Unsigned(conversion, argument), out);
    case 'f':
    case 'F':
    case 'e':
    case 'E':
    case 'g':
    case 'G':
    case 'a':
    case 'A': return Pad(conversion, Floating(conversion, argument), out);
    case 's': return Pad(conversion, Text(conversion, argument), out);
    case 'c': return Pad(conversion, Character(argument), out);
    default:
      ThrowPrintf(std::string("%") + conversion.letter +
                  " is no conversion of printf; there are d i u x X o f F e E g G a A s c %");
  }
}

void Printf(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  std::vector<UnifiedView> views;
  for (size_t i = 0; i < arguments.column_count(); i++)
    views.push_back(arguments.column(i).View(arguments.size()));
  auto* out = result.MutableData<StringRef>();
  PrintfRow writer(arguments, views);
  TextAccount account(call.context);
  std::string text;
  for (size_t row = 0; row < arguments.size(); row++) {
    if (std::any_of(views.begin(), views.end(),
                    [&](const UnifiedView& view) { return !view.IsValid(row); })) {
      result.SetNull(row);
      continue;
    }
    text.clear();
    writer.Write(row, account, text);
    out[row] = result.AddString(text);
  }
}

/// Numbers are cast to the widest type of their kind, all other values to text.
std::unique_ptr<FunctionData> BindPrintf(ScalarFunction& function, std::span<const BindArgument> arguments) {
  function.argument_types = {TypeId::kVarchar};
  for (const BindArgument& argument : arguments.subspan(1)) {
    switch (argument.type.id()) {
      case TypeId::kBoolean:
      case TypeId::kTinyInt:
      case TypeId::kSmallInt:
      case TypeId::kInteger:
      case TypeId::kUTinyInt:
      case TypeId::kUSmallInt:
      case TypeId::kUInteger:
      case TypeId::kBigInt: function.argument_types.emplace_back(TypeId::kBigInt); break;
      case TypeId::kUBigInt:
      case TypeId::kHugeInt: function.argument_types.emplace_back(TypeId::kHugeInt); break;
      case TypeId::kReal:
      case TypeId::kDouble:
      case TypeId::kDecimal:
      case TypeId::kNumeric: function.argument_types.emplace_back(TypeId::kDouble); break;
      default: function.argument_types.emplace_back(TypeId::kVarchar);
    }
  }
  return nullptr;
}

}  // namespace

ScalarFunctionList PrintfFunctions() {
  ScalarFunction printf{.name = "printf",
                        .argument_types = {TypeId::kVarchar},
                        .return_type = TypeId::kVarchar,
                        .kernel = &Printf,
                        .description = "A text with values filled in by conversions of C: %d %5.2f %s %x ...",
                        .example = "printf('%s: %05.1f', 'total', 12.34)",
                        .varargs = kAnyType,
                        .bind = &BindPrintf,
                        .any_types = true};
  ScalarFunction alone = printf;
  alone.varargs = std::nullopt;
  return {printf, alone};
}

}  // namespace scaup
