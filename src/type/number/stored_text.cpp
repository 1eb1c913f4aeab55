// Dispatches to the stored forms of NUMERIC and BIT.
#include "type/number/stored_text.hpp"

#include "common/check.hpp"
#include "type/number/bit_string.hpp"
#include "type/number/numeric_value.hpp"

namespace scaup {

bool IsStoredForm(const LogicalType& type, std::string_view bytes) {
  SCAUP_ASSERT(HasStoredForm(type));
  return type.id() == TypeId::kBit ? IsStoredBits(bytes) : IsStoredNumeric(bytes);
}

bool ParseStoredForm(const LogicalType& type, std::string_view text, std::string& bytes) {
  SCAUP_ASSERT(HasStoredForm(type));
  if (type.id() == TypeId::kBit) return ParseBits(text, bytes);
  return ParseStoredNumeric(text, bytes) == NumericParse::kOk;
}

size_t StoredTextBound(const LogicalType& type, std::string_view bytes) {
  SCAUP_ASSERT(HasStoredForm(type));
  return type.id() == TypeId::kBit ? StoredBitCount(bytes) : NumericTextBound(bytes);
}

void AppendStoredText(const LogicalType& type, std::string_view bytes, std::string& text) {
  SCAUP_ASSERT(HasStoredForm(type));
  type.id() == TypeId::kBit ? AppendBitsText(bytes, text) : AppendNumericText(bytes, text);
}

}  // namespace scaup
