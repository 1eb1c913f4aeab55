// JSON as lists, structs and maps: elements by position, fields by name, members as entries.
#pragma once

#include <string_view>
#include <vector>

#include "scaup/value.hpp"
#include "type/nested_text.hpp"
#include "type/time/time_zone.hpp"

namespace scaup {

/// The type from which an element or field of a JSON value is cast to `target`: JSON, if it is nested or JSON
/// itself, otherwise VARCHAR, from the text that ->> gives.
LogicalType JsonPieceType(const LogicalType& json, const LogicalType& target);
/// Splits a value into the elements of a list, or into fields by their names; those that are missing or null
/// are NULL, other members are left out; or into the names and values of a map's entries in turn. Returns
/// false if the value is no array or object, as the type wants. REQUIRES: `type` is nested, and the value is
/// JSON and not null.
bool SplitJson(std::string_view json, const LogicalType& type, std::vector<TextItem>& items);
/// Casts a JSON value. Returns false if it does not fit the type. REQUIRES: `type` is nested.
bool ParseJsonNested(std::string_view json, const LogicalType& type, Value& result, const TimeZone* zone);

}  // namespace scaup
