// ascii, chr and to_hex.
#include <utf8proc.h>

#include "common/throw.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

void Ascii(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapUnary<StringRef, int32_t>(arguments.column(0), arguments.size(), result,
                               [](const StringRef& text) -> int32_t {
                                 utf8proc_int32_t code_point;
                                 if (text.size() == 0) return 0;
                                 if (utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                                      text.size(), &code_point) <= 0) {
                                   return static_cast<unsigned char>(text.data()[0]);
                                 }
                                 return code_point;
                               });
}

void Chr(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapUnary<int32_t, StringRef>(arguments.column(0), arguments.size(), result, [&](int32_t code_point) {
    utf8proc_uint8_t bytes[4];
    if (code_point == 0) {
      ThrowError(ErrorKind::kOutOfRange, sqlstate::kProgramLimitExceeded, "null character not permitted");
    }
    if (code_point < 0 || !utf8proc_codepoint_valid(code_point)) {
      ThrowError(ErrorKind::kOutOfRange, sqlstate::kProgramLimitExceeded,
                 "requested character not valid for encoding: " + std::to_string(code_point));
    }
    const utf8proc_ssize_t length = utf8proc_encode_char(code_point, bytes);
    return StringRef(reinterpret_cast<const char*>(bytes), static_cast<uint32_t>(length));
  });
}

template <typename T>
void ToHex(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapUnary<T, StringRef>(arguments.column(0), arguments.size(), result, [&](T value) {
    char digits[16];
    char* begin = digits + sizeof(digits);
    auto rest = static_cast<std::make_unsigned_t<T>>(value);
    do {
      *--begin = "0123456789abcdef"[rest & 15];
      rest >>= 4;
    } while (rest != 0);
    return result.AddString({begin, static_cast<size_t>(digits + sizeof(digits) - begin)});
  });
}

}  // namespace

ScalarFunctionList CharacterCodeFunctions() {
  const LogicalType text = TypeId::kVarchar;
  return {{.name = "ascii",
           .argument_types = {text},
           .return_type = TypeId::kInteger,
           .kernel = &Ascii,
           .description = "The code point of the first character.",
           .example = "ascii('a')",
           .can_fail = false},
          {.name = "chr",
           .argument_types = {TypeId::kInteger},
           .return_type = text,
           .kernel = &Chr,
           .description = "The character with a code point.",
           .example = "chr(97)"},
          {.name = "to_hex",
           .argument_types = {TypeId::kInteger},
           .return_type = text,
           .kernel = &ToHex<int32_t>,
           .description = "The number in hexadecimal.",
           .example = "to_hex(255)",
           .can_fail = false},
          {.name = "to_hex",
           .argument_types = {TypeId::kBigInt},
           .return_type = text,
           .kernel = &ToHex<int64_t>,
           .description = "The number in hexadecimal.",
           .example = "to_hex(255)",
           .can_fail = false}};
}

}  // namespace scaup
