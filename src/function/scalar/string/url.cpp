// url_encode and url_decode: percent encoding of RFC 3986.
#include "common/throw.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "function/text_account.hpp"
#include "type/text/ascii.hpp"
#include "type/text/utf8_text.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

bool IsUnreserved(char c) {
  return IsLetter(c) || IsDigit(c) || c == '-' || c == '_' || c == '.' || c == '~';
}

void EncodeUrl(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  TextAccount account(call.context);
  std::string encoded;
  MapUnary<StringRef, StringRef>(arguments.column(0), arguments.size(), result, [&](const StringRef& text) {
    encoded.clear();
    account.Expect(encoded, text.size() * 3);
    for (const char c : text.view()) {
      if (IsUnreserved(c)) {
        encoded.push_back(c);
        continue;
      }
      constexpr std::string_view kDigits = "0123456789ABCDEF";
      const auto byte = static_cast<unsigned char>(c);
      encoded.push_back('%');
      encoded.push_back(kDigits[byte >> 4]);
      encoded.push_back(kDigits[byte & 15]);
    }
    return result.AddString(encoded);
  });
}

/// The value of a hexadecimal digit; -1 for another character.
int HexDigitValue(char c) {
  if (IsDigit(c)) return c - '0';
  const char lower = ToLower(c);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/// A percent sign that no two hexadecimal digits follow stands for itself.
void DecodeUrl(const ScalarCall&, DataChunk& arguments, Vector& result) {
  std::string decoded;
  MapUnary<StringRef, StringRef>(arguments.column(0), arguments.size(), result, [&](const StringRef& given) {
    const std::string_view text = given.view();
    decoded.clear();
    for (size_t i = 0; i < text.size(); i++) {
      const int high = i + 2 < text.size() && text[i] == '%' ? HexDigitValue(text[i + 1]) : -1;
      const int low = high >= 0 ? HexDigitValue(text[i + 2]) : -1;
      if (low >= 0) i += 2;
      decoded.push_back(low >= 0 ? static_cast<char>(high * 16 + low) : text[i]);
    }
    CheckText(decoded, "what url_decode gives");
    return result.AddString(decoded);
  });
}

}  // namespace

ScalarFunctionList UrlFunctions() {
  const LogicalType text = TypeId::kVarchar;
  return {{.name = "url_encode",
           .argument_types = {text},
           .return_type = text,
           .kernel = &EncodeUrl,
           .description = "The text with all characters but letters, digits, - _ . ~ as %XX.",
           .example = "url_encode('a b/c')",
           .can_fail = false},
          {.name = "url_decode",
           .argument_types = {text},
           .return_type = text,
           .kernel = &DecodeUrl,
           .description = "The text with %XX as the bytes that they stand for.",
           .example = "url_decode('a%20b%2Fc')"}};
}

}  // namespace scaup
