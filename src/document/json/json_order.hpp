// The total order of JSON values, and the one text that stands for all equal ones.
#pragma once

#include <string>
#include <string_view>

namespace scaup {

/// Appends bytes whose memcmp order is that of values: numbers by their exact value, then strings bytewise,
/// false, true, arrays element by element, objects member by member in the order of their keys. A null within
/// arrays and objects comes first. Equal values give equal bytes. REQUIRES: `json` is JSON.
void AppendJsonOrder(std::string_view json, std::string& out);
/// Appends the text that all values have which are equal by that order: numbers without zeros that say
/// nothing (1.50 and 15e-1 are 1.5), members sorted by their keys, no white space. REQUIRES: `json` is JSON.
void AppendJsonNormal(std::string_view json, std::string& out);

}  // namespace scaup
