// Wording of errors for values of files that are not of their column's type.
#pragma once

#include <string>
#include <string_view>

#include "scaup/type.hpp"

namespace scaup {

/// Truncates after some 80 bytes, at a character boundary.
std::string ShortenedText(std::string_view text);
/// The SQLSTATE for text that is not a value of the type: 22P02; 22007 for dates and times.
const char* BadValueState(const LogicalType& type);

}  // namespace scaup
