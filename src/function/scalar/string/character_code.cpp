// ascii, chr, to_hex, to_oct and to_bin.
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
    if (code_point < 0) {
      ThrowError(ErrorKind::kOutOfRange, sqlstate::kInvalidParameterValue,
                 "character number must be positive");
    }
    if (!utf8proc_codepoint_valid(code_point)) {
      ThrowError(ErrorKind::kOutOfRange, sqlstate::kProgramLimitExceeded,
                 "requested character not valid for encoding: " + std::to_string(code_point));
    }
    const utf8proc_ssize_t length = utf8proc_encode_char(code_point, bytes);
    return StringRef(reinterpret_cast<const char*>(bytes), static_cast<uint32_t>(length));
  });
}

/// Prints in a base that is a power of two; negative numbers as two's complement.
template <typename T, unsigned kBitsPerDigit>
void ToBase(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapUnary<T, StringRef>(arguments.column(0), arguments.size(), result, [&](T value) {
    char digits[64];
    char* begin = digits + sizeof(digits);
    auto rest = static_cast<std::make_unsigned_t<T>>(value);
    do {
      *--begin = "0123456789abcdef"[rest & ((1u << kBitsPerDigit) - 1)];
      rest >>= kBitsPerDigit;
    } while (rest != 0);
    return result.AddString({begin, static_cast<size_t>(digits + sizeof(digits) - begin)});
  });
}

template <unsigned kBitsPerDigit>
void AddBase(ScalarFunctionList& list, const char* name, const char* description, const char* example) {
  const auto add = [&](TypeId type, ScalarKernel kernel) {
    list.push_back({.name = name,
                    .argument_types = {type},
                    .return_type = TypeId::kVarchar,
                    .kernel = kernel,
                    .description = description,
                    .example = example,
                    .can_fail = false});
  };
  add(TypeId::kInteger, &ToBase<int32_t, kBitsPerDigit>);
  add(TypeId::kBigInt, &ToBase<int64_t, kBitsPerDigit>);
}

}  // namespace

ScalarFunctionList CharacterCodeFunctions() {
  const LogicalType text = TypeId::kVarchar;
  ScalarFunctionList list = {{.name = "ascii",
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
                              .example = "chr(97)"}};
  AddBase<4>(list, "to_hex", "The number in hexadecimal.", "to_hex(255)");
  AddBase<3>(list, "to_oct", "The number in octal.", "to_oct(64)");
  AddBase<1>(list, "to_bin", "The number in binary.", "to_bin(5)");
  return list;
}

}  // namespace scaup
