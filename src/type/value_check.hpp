// Validation of values that a program hands over.
#pragma once

#include <span>

#include "scaup/value.hpp"

namespace scaup {

/// Throws Error(22021) for a text that is not valid UTF-8 or has a NUL. Throws Error(22P02) for a JSON value
/// that is not JSON, or a JSONB value not in normal form. Values within lists and structs are checked, too.
void CheckGivenValue(const Value& value);
void CheckGivenValues(std::span<const Value> values);

}  // namespace scaup
