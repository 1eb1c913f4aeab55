// Functions between the names of catalog objects and their OIDs: the casts of regclass, regtype and their
// kin.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "function/pg_objects.hpp"
#include "function/scalar/string/fit_modifier.hpp"
#include "type/type_modifier.hpp"

namespace scaup {

/// A name as SQL writes it: its parts without quotes, those without quotes in lower case.
struct ParsedObjectName {
  std::string schema;  ///< "" if there is none
  std::string name;
};
/// Returns nothing if a text is no name of one or two parts, around which spaces may stand.
std::optional<ParsedObjectName> ParseObjectName(std::string_view text);

/// Returns the function from a name, as SQL writes it, or a number as text, to an OID. An unknown name is an
/// error, or NULL if `is_try`. REQUIRES: not kNone.
BoundFunction ObjectNumberFunction(ObjectNumber kind, bool is_try);

/// Returns the function from an OID to the name, with schema and quotes where SQL needs them. An unknown OID
/// becomes its digits. REQUIRES: not kNone.
BoundFunction ObjectNameFunction(ObjectNumber kind);

/// Returns for the OID of each object whether it is found without its schema's name.
std::unordered_map<int64_t, bool> VisibleObjects(ObjectNumber kind, const PgObjects& objects);

}  // namespace scaup
