// Values of files that are not of their column's type, for errors.
#pragma once

#include <string>
#include <string_view>

#include "scaup/type.hpp"

namespace scaup {

/// Cut after some 80 bytes, between characters.
std::string ShortenedText(std::string_view text);
/// The SQLSTATE for text that is no value of a type: 22P02, of dates and times 22007.
const char* BadValueState(const LogicalType& type);

}  // namespace scaup
