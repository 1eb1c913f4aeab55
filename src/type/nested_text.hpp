// Text forms of lists and structs, {1,2} and (1,a), in PostgreSQL's syntax, of maps, {a=1, b=2}, and of
// unions, which are those of their values; and casts of single ones.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scaup/value.hpp"
#include "type/time/time_zone.hpp"

namespace scaup {

/// The unquoted and unescaped text of an element or field.
struct TextItem {
  std::string text;
  bool is_null = false;
};

/// Splits {a,"b c",NULL} into its elements; those of a list of lists keep their braces. Returns false if
/// malformed.
bool SplitListText(std::string_view text, const LogicalType& element, std::vector<TextItem>& items);
/// Splits (a,"b c",) into `field_count` fields; an empty one is NULL. Returns false if malformed or if the
/// number of fields differs.
bool SplitStructText(std::string_view text, size_t field_count, std::vector<TextItem>& items);
/// Splits {a=1, "b c"=NULL} into keys and values in turn; those that are lists or maps keep their braces.
/// Quotes may be single, too. Returns false if malformed.
bool SplitMapText(std::string_view text, const LogicalType& map, std::vector<TextItem>& items);
/// Appends the text of a key or value of a map as it is written between braces, quoted if necessary.
void AppendMapItem(std::string_view text, const LogicalType& type, std::string& out);
/// Appends the text of an element as it is written between braces, quoted if necessary.
void AppendListItem(std::string_view text, const LogicalType& element, std::string& out);
/// Appends the text of a field as it is written between parentheses, quoted if necessary.
void AppendStructItem(std::string_view text, std::string& out);
/// The text of a BOOLEAN within a list or struct.
inline std::string_view ShortBooleanText(bool value) { return value ? "t" : "f"; }

// `zone` is the time zone of elements of type TIMESTAMP WITH TIME ZONE, as in value_cast.hpp; null means UTC.

/// Formats a list or struct. REQUIRES: not NULL.
std::string NestedToText(const Value& value, const TimeZone* zone);
/// Parses a list or struct. Returns false if the text is malformed or an element is not of its type.
bool ParseNested(std::string_view text, const LogicalType& type, Value& result, const TimeZone* zone);
/// Casts a list to a list, a struct to a struct, a map to a map, or a struct to a map of its fields, element
/// by element. Returns false if one does not fit, or if a map would have a bad key. REQUIRES: not NULL,
/// CastExists.
bool CastNested(const Value& value, const LogicalType& type, Value& result, const TimeZone* zone);
/// Casts a value to a union: another union by the names of its members, any other value, also a text, as the
/// member that ChooseMember gives, and a struct in the form of files. Returns false if it does not fit.
/// REQUIRES: not NULL, no JSON.
bool CastToUnion(const Value& value, const LogicalType& type, Value& result, const TimeZone* zone);

}  // namespace scaup
