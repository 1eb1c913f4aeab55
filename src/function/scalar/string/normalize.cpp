// normalize, IS NORMALIZED, casefold, strip_accents and unistr: Unicode transformations of text.
#include <fmt/format.h>
#include <utf8proc.h>

#include <cstdlib>

#include "common/memory/memory_tracker.hpp"
#include "common/throw.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "function/scalar/string/utf8.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

constexpr size_t kAccountedBytes = size_t{64} << 10;

struct FreeMemory {
  void operator()(utf8proc_uint8_t* memory) const { std::free(memory); }
};

/// Maps `text` by utf8proc's `options` into `out`.
void Map(const ScalarCall& call, std::string_view text, int options, std::string& out) {
  // utf8proc decodes to four bytes per code point, and copies the result.
  MemoryReservation scratch(call.context.memory);
  if (text.size() >= kAccountedBytes) scratch.Resize(6 * text.size());
  utf8proc_uint8_t* mapped = nullptr;
  const utf8proc_ssize_t length = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                               static_cast<utf8proc_ssize_t>(text.size()), &mapped,
                                               static_cast<utf8proc_option_t>(options));
  const std::unique_ptr<utf8proc_uint8_t, FreeMemory> owner(mapped);
  if (length < 0) {
    ThrowError(ErrorKind::kOutOfRange, sqlstate::kCharacterNotInRepertoire,
               fmt::format("cannot normalize this text: {}", utf8proc_errmsg(length)));
  }
  out.assign(reinterpret_cast<const char*>(mapped), static_cast<size_t>(length));
}

int OptionsOfForm(std::string_view form) {
  std::string upper(form);
  for (char& c : upper) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
  if (upper == "NFC") return UTF8PROC_STABLE | UTF8PROC_COMPOSE;
  if (upper == "NFD") return UTF8PROC_STABLE | UTF8PROC_DECOMPOSE;
  if (upper == "NFKC") return UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT;
  if (upper == "NFKD") return UTF8PROC_STABLE | UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT;
  ThrowError(ErrorKind::kOutOfRange, sqlstate::kInvalidParameterValue,
             fmt::format("invalid normalization form: {}; there are NFC, NFD, NFKC and NFKD", form));
}

/// Normalizes texts; ASCII is normal in every form.
template <typename R, R (*kStore)(Vector& result, std::string_view text, std::string_view normal)>
void Normal(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  std::string normal;
  const auto apply = [&](const StringRef& text, std::string_view form) {
    const int options = OptionsOfForm(form);
    if (IsAscii(text.view())) return kStore(result, text.view(), text.view());
    Map(call, text.view(), options, normal);
    return kStore(result, text.view(), normal);
  };
  if (arguments.column_count() == 1) {
    MapUnary<StringRef, R>(arguments.column(0), arguments.size(), result,
                           [&](const StringRef& text) { return apply(text, "NFC"); });
  } else {
    MapBinary<StringRef, StringRef, R>(
        arguments.column(0), arguments.column(1), arguments.size(), result,
        [&](const StringRef& text, const StringRef& form) { return apply(text, form.view()); });
  }
}

StringRef StoreText(Vector& result, std::string_view, std::string_view normal) {
  return result.AddString(normal);
}
uint8_t StoreIsSame(Vector&, std::string_view text, std::string_view normal) { return text == normal; }

/// Full case folding, which also unifies ß and ss.
void CaseFold(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  std::string folded;
  MapUnary<StringRef, StringRef>(arguments.column(0), arguments.size(), result, [&](const StringRef& text) {
    Map(call, text.view(), UTF8PROC_STABLE | UTF8PROC_CASEFOLD | UTF8PROC_COMPOSE, folded);
    return result.AddString(folded);
  });
}

void StripAccents(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  std::string plain;
  MapUnary<StringRef, StringRef>(arguments.column(0), arguments.size(), result, [&](const StringRef& text) {
    if (IsAscii(text.view())) return result.AddString(text.view());
    Map(call, text.view(), UTF8PROC_STABLE | UTF8PROC_STRIPMARK | UTF8PROC_COMPOSE, plain);
    return result.AddString(plain);
  });
}

[[noreturn]] void ThrowEscape() {
  ThrowError(ErrorKind::kOutOfRange, sqlstate::kSyntaxError,
             "invalid Unicode escape; Unicode escapes must be \\XXXX, \\+XXXXXX, \\uXXXX, or \\UXXXXXXXX");
}
[[noreturn]] void ThrowSurrogate() {
  ThrowError(ErrorKind::kOutOfRange, sqlstate::kSyntaxError, "invalid Unicode surrogate pair");
}

/// The value of `digits` hexadecimal digits at `at`; -1 if these are not digits.
int64_t ReadHex(std::string_view text, size_t at, size_t digits) {
  if (at + digits > text.size()) return -1;
  int64_t value = 0;
  for (const char c : text.substr(at, digits)) {
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

/// Decodes the escape at `at` (after the backslash) to a code unit; moves `at` past it.
int64_t ReadEscape(std::string_view text, size_t& at) {
  const char kind = at < text.size() ? text[at] : '\0';
  const size_t prefix = kind == '+' || kind == 'u' || kind == 'U' ? 1 : 0;
  const size_t digits = kind == '+' ? 6 : kind == 'U' ? 8 : 4;
  const int64_t value = ReadHex(text, at + prefix, digits);
  if (value < 0) ThrowEscape();
  at += prefix + digits;
  return value;
}

void Unescape(std::string_view text, std::string& out) {
  int64_t high = 0;  // the first half of a surrogate pair, until the second one is read
  for (size_t at = 0; at < text.size();) {
    if (text[at] != '\\' || (at + 1 < text.size() && text[at + 1] == '\\')) {
      if (high != 0) ThrowSurrogate();
      out.push_back(text[at]);
      at += text[at] == '\\' ? 2 : 1;
      continue;
    }
    at++;
    int64_t unit = ReadEscape(text, at);
    const bool is_high = unit >= 0xD800 && unit < 0xDC00, is_low = unit >= 0xDC00 && unit < 0xE000;
    if ((high != 0) != is_low) ThrowSurrogate();
    if (is_high) {
      high = unit;
      continue;
    }
    if (is_low) unit = 0x10000 + ((high - 0xD800) << 10) + (unit - 0xDC00);
    high = 0;
    if (unit == 0 || unit > 0x10FFFF) {
      ThrowError(ErrorKind::kOutOfRange, sqlstate::kInvalidParameterValue,
                 fmt::format("invalid Unicode code point: {:04X}", unit));
    }
    utf8proc_uint8_t bytes[4];
    out.append(reinterpret_cast<const char*>(bytes),
               static_cast<size_t>(utf8proc_encode_char(static_cast<utf8proc_int32_t>(unit), bytes)));
  }
  if (high != 0) ThrowSurrogate();
}

void UniStr(const ScalarCall&, DataChunk& arguments, Vector& result) {
  std::string plain;
  MapUnary<StringRef, StringRef>(arguments.column(0), arguments.size(), result, [&](const StringRef& text) {
    plain.clear();
    Unescape(text.view(), plain);
    return result.AddString(plain);
  });
}

}  // namespace

ScalarFunctionList NormalizeFunctions() {
  const LogicalType text = TypeId::kVarchar;
  ScalarFunctionList list;
  const auto add = [&](const char* name, size_t argument_count, LogicalType type, ScalarKernel kernel,
                       const char* description, const char* example) {
    list.push_back({.name = name,
                    .argument_types = std::vector<LogicalType>(argument_count, text),
                    .return_type = type,
                    .kernel = kernel,
                    .description = description,
                    .example = example});
  };
  const char* normalize = "The text in a normal form of Unicode: NFC, NFD, NFKC or NFKD.";
  const char* is_normalized = "Whether a text is in a normal form: text IS [form] NORMALIZED.";
  add("normalize", 1, text, &Normal<StringRef, &StoreText>, normalize, "length(normalize('e' || chr(769)))");
  add("normalize", 2, text, &Normal<StringRef, &StoreText>, normalize, "length(normalize('é', NFD))");
  add("is_normalized", 1, TypeId::kBoolean, &Normal<uint8_t, &StoreIsSame>, is_normalized,
      "('e' || chr(769)) IS NORMALIZED");
  add("is_normalized", 2, TypeId::kBoolean, &Normal<uint8_t, &StoreIsSame>, is_normalized,
      "'é' IS NFC NORMALIZED");
  add("casefold", 1, text, &CaseFold, "The text in the form that comparisons without regard to case use.",
      "casefold('Straße')");
  for (const char* name : {"strip_accents", "unaccent"}) {
    add(name, 1, text, &StripAccents, "The text without accents.", "strip_accents('mühleisen')");
  }
  add("unistr", 1, text, &UniStr,
      "The text with \\XXXX, \\+XXXXXX, \\uXXXX and \\UXXXXXXXX turned into characters.",
      "unistr('d\\0061t\\+000061')");
  return list;
}

}  // namespace scaup
