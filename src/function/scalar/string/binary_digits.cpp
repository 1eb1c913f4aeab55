// hex, from_binary and unbin: numbers and bytes as hexadecimal digits, bytes from binary ones.
#include <fmt/format.h>

#include "common/throw.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

constexpr char kUpperHex[] = "0123456789ABCDEF";

/// The digits of a number, without leading zeros; negative ones as two's complement of 64 or 128 bits.
template <typename T, typename Unsigned>
void HexOfNumber(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapUnary<T, StringRef>(arguments.column(0), arguments.size(), result, [&](T number) {
    char digits[sizeof(T) * 2];
    char* first = digits + sizeof(digits);
    auto rest = static_cast<Unsigned>(number);
    do {
      *--first = kUpperHex[static_cast<size_t>(rest & 15)];
      rest >>= 4;
    } while (rest != 0);
    return result.AddString({first, static_cast<size_t>(digits + sizeof(digits) - first)});
  });
}

void HexOfBytes(const ScalarCall&, DataChunk& arguments, Vector& result) {
  std::string digits;
  MapUnary<StringRef, StringRef>(arguments.column(0), arguments.size(), result, [&](const StringRef& bytes) {
    digits.clear();
    for (const char c : bytes.view()) {
      digits += kUpperHex[static_cast<unsigned char>(c) >> 4];
      digits += kUpperHex[static_cast<unsigned char>(c) & 15];
    }
    return result.AddString(digits);
  });
}

/// Eight digits make a byte; the first byte may have fewer.
void FromBinaryDigits(const ScalarCall&, DataChunk& arguments, Vector& result) {
  std::string bytes;
  MapUnary<StringRef, StringRef>(arguments.column(0), arguments.size(), result, [&](const StringRef& text) {
    const std::string_view digits = text.view();
    bytes.assign((digits.size() + 7) / 8, '\0');
    for (size_t i = 0; i < digits.size(); i++) {
      if (digits[i] != '0' && digits[i] != '1') {
        ThrowError(ErrorKind::kOutOfRange, sqlstate::kInvalidParameterValue,
                   fmt::format("invalid binary digit: \"{}\"; they are 0 and 1", digits[i]));
      }
      char& byte = bytes[bytes.size() - 1 - (digits.size() - 1 - i) / 8];
      byte = static_cast<char>(byte << 1 | (digits[i] - '0'));
    }
    return result.AddString(bytes);
  });
}

}  // namespace

ScalarFunctionList BinaryDigitFunctions() {
  ScalarFunctionList list;
  const auto add = [&](const char* name, TypeId type, TypeId returned, ScalarKernel kernel,
                       const char* description, const char* example) {
    list.push_back({.name = name,
                    .argument_types = {type},
                    .return_type = returned,
                    .kernel = kernel,
                    .description = description,
                    .example = example,
                    .can_fail = returned == TypeId::kBlob});
  };
  constexpr TypeId kText = TypeId::kVarchar;
  const char* number = "A number in hexadecimal, in capitals.";
  add("hex", TypeId::kBigInt, kText, &HexOfNumber<int64_t, uint64_t>, number, "hex(255)");
  add("hex", TypeId::kHugeInt, kText, &HexOfNumber<int128_t, unsigned __int128>, number,
      "hex(36893488147419103232::hugeint)");
  add("hex", kText, kText, &HexOfBytes, "The bytes of a text as hexadecimal digits.", "hex('scaup')");
  add("hex", TypeId::kBlob, kText, &HexOfBytes, "Bytes as hexadecimal digits.", "hex('\\x00ff'::bytea)");
  for (const char* name : {"from_binary", "unbin"}) {
    add(name, kText, TypeId::kBlob, &FromBinaryDigits, "Bytes of binary digits.",
        "from_binary('0110000101')");
  }
  return list;
}

}  // namespace scaup
