// SQLite's functions of dates and times.
#pragma once

#include <vector>

#include "value.hpp"

namespace scaup::sqlite {

// Each takes a time value and modifiers, or, FormattedTime, a format before them. NULL where these are none.
SqliteValue DateText(const std::vector<SqliteValue>& arguments);
SqliteValue TimeText(const std::vector<SqliteValue>& arguments);
SqliteValue DateTimeText(const std::vector<SqliteValue>& arguments);
SqliteValue FormattedTime(const std::vector<SqliteValue>& arguments);
SqliteValue JulianDay(const std::vector<SqliteValue>& arguments);
SqliteValue UnixEpoch(const std::vector<SqliteValue>& arguments);

}  // namespace scaup::sqlite
