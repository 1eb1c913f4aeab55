// Intervals: text in and out as PostgreSQL, and their order.
#include <catch2/catch.hpp>
#include <random>

#include "type/time/date_time.hpp"

using namespace scaup;

namespace {

std::string Print(const char* text) {
  Interval interval;
  return ParseInterval(text, interval) ? IntervalToString(interval) : "bad";
}

}  // namespace

TEST_CASE("intervals print as PostgreSQL prints them", "[type][interval]") {
  const std::pair<const char*, const char*> cases[] = {
      {"1 year 2 mons 3 days 04:05:06.5", "1 year 2 mons 3 days 04:05:06.5"},
      {"P1Y2M3DT4H", "1 year 2 mons 3 days 04:00:00"},
      {"P1Y2M3DT4H5M6.7S", "1 year 2 mons 3 days 04:05:06.7"},
      {"P2W", "14 days"},
      {"PT-30M", "-00:30:00"},
      {"-1 day", "-1 days"},
      {"1.5 hours", "01:30:00"},
      {"3 weeks", "21 days"},
      {"1 day ago", "-1 days"},
      {"1 year 2 days ago", "-1 years -2 days"},
      {"1.5 days", "1 day 12:00:00"},
      {"1.5 months", "1 mon 15 days"},
      {"1.5 years", "1 year 6 mons"},
      {"2 decades", "20 years"},
      {"1 century", "100 years"},
      {"90 minutes", "01:30:00"},
      {"100 hours", "100:00:00"},
      {"5", "00:00:05"},
      {"0 days", "00:00:00"},
      {"1-2", "1 year 2 mons"},
      {"-1-2", "-1 years -2 mons"},
      {"1 12:59:10", "1 day 12:59:10"},
      {"04:05", "04:05:00"},
      {"-04:05:06", "-04:05:06"},
      {"1 day -00:00:01", "1 day -00:00:01"},
      {"-1 day +02:03:00", "-1 days +02:03:00"},
      {"-1 month 1 day", "-1 mons +1 day"},
      {"1mon2d3h4m5s6ms7us", "1 mon 2 days 03:04:05.006007"},
      {"@ 1 minute", "00:01:00"},
      {"1 Day 2 HOURS", "1 day 02:00:00"},
      {"250 milliseconds", "00:00:00.25"},
      {"13 months", "1 year 1 mon"},
      {".5 sec", "00:00:00.5"},
      {"- 3 days", "-3 days"},
  };
  for (const auto& [text, expected] : cases) {
    INFO(text);
    CHECK(Print(text) == expected);
  }
}

TEST_CASE("other text is no interval", "[type][interval]") {
  for (const char* text : {"", " ", "day", "1 lightyear", "1 day 2", "P", "PT", "P1H", "1 day ago ago", "ago",
                           "1 day x", "4:61", "99999999999 years", "3000000000 days",
                           "99999999999999999999 s", "1..5 days", "--1 day", "1-13", "2562047789 hours"}) {
    INFO(text);
    if (std::string_view(text) == "1 day 2") {
      CHECK(Print(text) == "1 day 00:00:02");  // A bare number counts seconds.
    } else {
      CHECK(Print(text) == "bad");
    }
  }
}

TEST_CASE("random intervals come back from their text", "[type][interval]") {
  std::mt19937_64 random(11);
  for (int i = 0; i < 20'000; i++) {
    const unsigned shift = random() % 31;
    const Interval interval{static_cast<int32_t>(static_cast<int32_t>(random()) >> shift),
                            static_cast<int32_t>(static_cast<int32_t>(random()) >> shift),
                            static_cast<int64_t>(static_cast<int64_t>(random()) >> (random() % 63))};
    Interval back;
    const std::string text = IntervalToString(interval);
    if (!ParseInterval(text, back) || !(back == interval)) FAIL(text);
  }
  const Interval extremes[] = {{INT32_MIN, INT32_MIN, INT64_MIN + 1}, {INT32_MAX, INT32_MAX, INT64_MAX}};
  for (const Interval& interval : extremes) {
    Interval back;
    CHECK(ParseInterval(IntervalToString(interval), back));
    CHECK(back == interval);
  }
  CHECK(IntervalToString({0, 0, INT64_MIN}) == "-2562047788:00:54.775808");
}

TEST_CASE("a month sorts as 30 days and a day as 24 hours", "[type][interval]") {
  CHECK(IntervalSortKey({1, 0, 0}) == IntervalSortKey({0, 30, 0}));
  CHECK(IntervalSortKey({0, 1, 0}) == IntervalSortKey({0, 0, kMicrosPerDay}));
  CHECK(IntervalSortKey({1, 0, 0}) < IntervalSortKey({0, 30, 1}));
  CHECK(IntervalSortKey({INT32_MAX, INT32_MAX, INT64_MAX}) > IntervalSortKey({INT32_MAX, 0, 0}));
}
