// Formats values as SQL literals.
#pragma once

#include <string>

#include "scaup/value.hpp"

namespace scaup {

/// Returns the value as an SQL literal: strings and the like as 'text', numbers without quotes.
std::string LiteralText(const Value& value);

}  // namespace scaup
