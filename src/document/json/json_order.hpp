// The total order of JSON values, and the normal form of equal values.
#pragma once

#include <string>
#include <string_view>

namespace scaup {

/// Appends a sort key of the text of a JSON value, whose memcmp order is that of the values: numbers by their
/// exact value, then strings bytewise, false, true, arrays element by element, objects member by member in
/// the order of their keys. A null within arrays and objects comes first. Equal values have equal keys.
void AppendJsonOrder(std::string_view json, std::string& out);
/// Appends the normal form of the text of a JSON value, which all values that are equal by that order share:
/// numbers without redundant zeros (1.50 and 15e-1 are 1.5), members sorted by key, no white space.
void AppendJsonNormal(std::string_view json, std::string& out);

}  // namespace scaup
