// The texts of lists and structs, {1,2} and (1,a), as PostgreSQL writes arrays and rows; and their casts as
// single values.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scaup/value.hpp"
#include "type/time/time_zone.hpp"

namespace scaup {

/// The text of an element or field, its quotes and escapes resolved.
struct TextItem {
  std::string text;
  bool is_null = false;
};

/// Cuts {a,"b c",NULL} into its elements, which for lists of lists are in braces themselves. False if
/// malformed.
bool SplitListText(std::string_view text, const LogicalType& element, std::vector<TextItem>& items);
/// Cuts (a,"b c",) into as many fields; one without any text is NULL. False if malformed, or if there are
/// more or fewer.
bool SplitStructText(std::string_view text, size_t field_count, std::vector<TextItem>& items);
/// Appends an element's text as it stands between braces, in quotes where it needs them.
void AppendListItem(std::string_view text, const LogicalType& element, std::string& out);
/// Appends a field, between brackets.
void AppendStructItem(std::string_view text, std::string& out);
/// Within lists and structs BOOLEAN is t or f.
inline std::string_view ShortBooleanText(bool value) { return value ? "t" : "f"; }

// `zone` is that of elements with time zone, as in value_cast.hpp; null: UTC.

/// A list's or struct's text. REQUIRES: not NULL.
std::string NestedToText(const Value& value, const TimeZone* zone);
/// False if it is malformed, or if an element is not of its type.
bool ParseNested(std::string_view text, const LogicalType& type, Value& result, const TimeZone* zone);
/// From list to list and struct to struct, element by element. REQUIRES: not NULL, CastExists.
bool CastNested(const Value& value, const LogicalType& type, Value& result, const TimeZone* zone);

}  // namespace scaup
