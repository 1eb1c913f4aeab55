// Whether values that a program hands over are what their types say.
#pragma once

#include <span>

#include "scaup/value.hpp"

namespace scaup {

/// Throws Error(22021) for a text that is not valid UTF-8 or has a NUL, Error(22P02) for a value of JSON or
/// JSONB that is no JSON, or not in JSONB's form; also for those within lists and structs.
void CheckGivenValue(const Value& value);
void CheckGivenValues(std::span<const Value> values);

}  // namespace scaup
