// Types whose values are strings in a form of their own, which everybody outside sees as texts: NUMERIC, BIT.
#pragma once

#include <string>
#include <string_view>

#include "scaup/type.hpp"

namespace scaup {

/// Returns whether the values of a type are such strings.
constexpr bool HasStoredForm(const LogicalType& type) {
  return type.id() == TypeId::kNumeric || type.id() == TypeId::kBit;
}

// REQUIRES of all that follow: HasStoredForm(type).

/// Returns whether bytes are a value's.
bool IsStoredForm(const LogicalType& type, std::string_view bytes);
/// Parses a text into a value's bytes, which replace `bytes`. Returns false for other texts.
bool ParseStoredForm(const LogicalType& type, std::string_view text, std::string& bytes);
/// Returns a bound of the text's size.
size_t StoredTextBound(const LogicalType& type, std::string_view bytes);
/// Appends the text of a value.
void AppendStoredText(const LogicalType& type, std::string_view bytes, std::string& text);

}  // namespace scaup
