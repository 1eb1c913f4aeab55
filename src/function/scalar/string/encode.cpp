// encode, decode, convert_to and convert_from: conversion between bytes and text.
#include <fmt/format.h>
#include <utf8proc.h>

#include "common/throw.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

constexpr char kBase64[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr char kHex[] = "0123456789abcdef";

unsigned ByteAt(std::string_view bytes, size_t index) { return static_cast<unsigned char>(bytes[index]); }
bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

[[noreturn]] void ThrowInvalid(const std::string& message) {
  ThrowError(ErrorKind::kOutOfRange, sqlstate::kInvalidParameterValue, message);
}

void EncodeHex(std::string_view bytes, std::string& out) {
  for (size_t i = 0; i < bytes.size(); i++) {
    out.push_back(kHex[ByteAt(bytes, i) >> 4]);
    out.push_back(kHex[ByteAt(bytes, i) & 15]);
  }
}

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

int CheckedHexDigit(char c) {
  const int digit = HexDigit(c);
  if (digit < 0) ThrowInvalid(fmt::format("invalid hexadecimal digit: \"{}\"", c));
  return digit;
}

void DecodeHex(std::string_view text, std::string& out) {
  for (size_t i = 0; i < text.size();) {
    if (IsSpace(text[i])) {
      i++;
      continue;
    }
    const int high = CheckedHexDigit(text[i]);
    if (i + 1 == text.size()) ThrowInvalid("invalid hexadecimal data: odd number of digits");
    out.push_back(static_cast<char>(high * 16 + CheckedHexDigit(text[i + 1])));
    i += 2;
  }
}

/// Encodes in lines of 76 characters, as MIME (RFC 2045) prescribes.
void EncodeBase64(std::string_view bytes, std::string& out) {
  size_t in_line = 0;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t given = std::min<size_t>(3, bytes.size() - i);
    unsigned word = ByteAt(bytes, i) << 16;
    if (given > 1) word |= ByteAt(bytes, i + 1) << 8;
    if (given > 2) word |= ByteAt(bytes, i + 2);
    for (size_t digit = 0; digit < 4; digit++) {
      out.push_back(digit <= given ? kBase64[word >> (18 - 6 * digit) & 63] : '=');
    }
    in_line += 4;
    if (in_line == 76) {
      out.push_back('\n');
      in_line = 0;
    }
  }
}

void DecodeBase64(std::string_view text, std::string& out) {
  unsigned word = 0, digits = 0, padding = 0;
  for (const char c : text) {
    if (IsSpace(c)) continue;
    unsigned value = 0;
    if (c == '=') {
      if (padding == 0 && digits != 2 && digits != 3) {
        ThrowInvalid("unexpected \"=\" while decoding base64 sequence");
      }
      padding++;
    } else {
      const size_t found = std::string_view(kBase64, 64).find(c);
      if (found == std::string_view::npos || padding > 0) {
        ThrowInvalid(fmt::format("invalid symbol \"{}\" found while decoding base64 sequence", c));
      }
      value = static_cast<unsigned>(found);
    }
    word = word << 6 | value;
    if (++digits < 4) continue;
    for (unsigned i = 0; i + padding < 3; i++) out.push_back(static_cast<char>(word >> (16 - 8 * i)));
    word = digits = 0;
  }
  if (digits != 0)
    ThrowInvalid(
        "invalid base64 end sequence: input data is missing padding, is truncated, or is otherwise "
        "corrupted");
}

/// Encodes zeros and bytes above 127 as \ooo, and doubles backslashes.
void EncodeEscape(std::string_view bytes, std::string& out) {
  for (size_t i = 0; i < bytes.size(); i++) {
    const unsigned byte = ByteAt(bytes, i);
    if (byte == 0 || byte >= 128) {
      out.push_back('\\');
      for (const unsigned shift : {6u, 3u, 0u}) out.push_back(static_cast<char>('0' + (byte >> shift & 7)));
    } else {
      if (byte == '\\') out.push_back('\\');
      out.push_back(static_cast<char>(byte));
    }
  }
}

void DecodeEscape(std::string_view text, std::string& out) {
  const auto octal = [&](size_t at, char most) { return text[at] >= '0' && text[at] <= most; };
  for (size_t i = 0; i < text.size(); i++) {
    if (text[i] != '\\') {
      out.push_back(text[i]);
    } else if (i + 1 < text.size() && text[i + 1] == '\\') {
      out.push_back('\\');
      i++;
    } else if (i + 3 < text.size() && octal(i + 1, '3') && octal(i + 2, '7') && octal(i + 3, '7')) {
      out.push_back(
          static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + text[i + 3] - '0'));
      i += 3;
    } else {
      ThrowError(ErrorKind::kConversion, sqlstate::kInvalidTextRepresentation,
                 "invalid input syntax for type bytea");
    }
  }
}

struct Format {
  std::string_view name;
  void (*encode)(std::string_view, std::string&);
  void (*decode)(std::string_view, std::string&);
};
constexpr Format kFormats[] = {{"hex", EncodeHex, DecodeHex},
                               {"base64", EncodeBase64, DecodeBase64},
                               {"escape", EncodeEscape, DecodeEscape}};

const Format& FindFormat(std::string_view name) {
  for (const Format& format : kFormats) {
    const bool is_same = std::equal(
        name.begin(), name.end(), format.name.begin(), format.name.end(),
        [](char a, char b) { return (a >= 'A' && a <= 'Z' ? static_cast<char>(a + 32) : a) == b; });
    if (is_same) return format;
  }
  ThrowInvalid(fmt::format("unrecognized encoding: \"{}\"; there are hex, base64 and escape", name));
}

template <bool kEncode>
void Convert(const ScalarCall&, DataChunk& arguments, Vector& result) {
  std::string converted;
  MapBinary<StringRef, StringRef, StringRef>(arguments.column(0), arguments.column(1), arguments.size(),
                                             result, [&](const StringRef& input, const StringRef& name) {
                                               const Format& format = FindFormat(name.view());
                                               converted.clear();
                                               (kEncode ? format.encode : format.decode)(input.view(),
                                                                                         converted);
                                               return result.AddString(converted);
                                             });
}

void CheckUtf8Name(std::string_view name) {
  std::string plain;
  for (const char c : name) {
    if (c != '-' && c != '_' && c != ' ')
      plain.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c);
  }
  if (plain == "utf8" || plain == "unicode") return;
  ThrowError(ErrorKind::kOutOfRange, sqlstate::kInvalidParameterValue,
             fmt::format("encoding \"{}\" is not supported; text is UTF8", name));
}

void CheckUtf8(std::string_view bytes) {
  for (size_t at = 0; at < bytes.size();) {
    utf8proc_int32_t code_point;
    const utf8proc_ssize_t length =
        utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(bytes.data() + at),
                         static_cast<utf8proc_ssize_t>(bytes.size() - at), &code_point);
    if (length <= 0 || code_point == 0) {
      ThrowError(ErrorKind::kOutOfRange, sqlstate::kCharacterNotInRepertoire,
                 fmt::format("invalid byte sequence for encoding \"UTF8\": 0x{:02x}", ByteAt(bytes, at)));
    }
    at += static_cast<size_t>(length);
  }
}

template <bool kFromBytes>
void ConvertUtf8(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapBinary<StringRef, StringRef, StringRef>(arguments.column(0), arguments.column(1), arguments.size(),
                                             result, [&](const StringRef& input, const StringRef& name) {
                                               CheckUtf8Name(name.view());
                                               if (kFromBytes) CheckUtf8(input.view());
                                               return result.AddString(input.view());
                                             });
}

}  // namespace

ScalarFunctionList EncodeFunctions() {
  const LogicalType text = TypeId::kVarchar, bytes = TypeId::kBlob;
  return {{.name = "encode",
           .argument_types = {bytes, text},
           .return_type = text,
           .kernel = &Convert<true>,
           .description = "Bytes as text in the form hex, base64 or escape.",
           .example = "encode('scaup', 'base64')"},
          {.name = "decode",
           .argument_types = {text, text},
           .return_type = bytes,
           .kernel = &Convert<false>,
           .description = "The bytes of a text in the form hex, base64 or escape.",
           .example = "decode('c2NhdXA=', 'base64')"},
          {.name = "convert_to",
           .argument_types = {text, text},
           .return_type = bytes,
           .kernel = &ConvertUtf8<false>,
           .description = "The bytes of a text in an encoding, which is UTF8.",
           .example = "convert_to('é', 'UTF8')"},
          {.name = "convert_from",
           .argument_types = {bytes, text},
           .return_type = text,
           .kernel = &ConvertUtf8<true>,
           .description = "The text that bytes in an encoding, which is UTF8, stand for.",
           .example = "convert_from('\\xc3a9', 'UTF8')"}};
}

}  // namespace scaup
