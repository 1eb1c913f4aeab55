// PostgreSQL's other forms of dates and times: names of months, two-digit years, Julian days.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace scaup {

/// Rewrites a date and time to the ISO form that the parser of dates reads: "January 8, 1999" and "1/8/99" to
/// "1999-1-8", by PostgreSQL's default order of month, day and year. Words that are no part of a date, such
/// as zones, are passed on. Returns nullopt for other texts. Values are not checked.
std::optional<std::string> ToIsoDateTime(std::string_view text);

}  // namespace scaup
