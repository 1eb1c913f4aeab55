// Values as SQL literals.
#pragma once

#include <string>

#include "scaup/value.hpp"

namespace scaup {

/// The value as SQL would write it: 'text' in quotes, numbers without.
std::string LiteralText(const Value& value);

}  // namespace scaup
