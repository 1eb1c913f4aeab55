// Dates and timestamps: the calendar against brute force, text against PostgreSQL's answers.
#include "type/time/date_time.hpp"

#include <catch2/catch.hpp>
#include <random>

using namespace scaup;

namespace {

int64_t Timestamp(const char* text) {
  int64_t micros = 0;
  INFO(text);
  REQUIRE(ParseTimestamp(text, micros));
  return micros;
}

int32_t Date(const char* text) {
  int32_t days = 0;
  INFO(text);
  REQUIRE(ParseDate(text, days));
  return days;
}

}  // namespace

TEST_CASE("the calendar agrees with counting day by day", "[type][date]") {
  CivilDate date{-800, 1, 1};
  int32_t days = DaysFromCivil(date);
  while (date.year < 2900) {
    const CivilDate back = CivilFromDays(days);
    if (back.year != date.year || back.month != date.month || back.day != date.day ||
        DaysFromCivil(date) != days) {
      FAIL("wrong at " << date.year << "-" << date.month << "-" << date.day);
    }
    const bool leap = (date.year % 4 == 0 && date.year % 100 != 0) || date.year % 400 == 0;
    const int lengths[] = {31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (DaysInMonth(date.year, date.month) != lengths[date.month - 1]) FAIL("month length");
    days++;
    if (++date.day > lengths[date.month - 1]) {
      date.day = 1;
      if (++date.month > 12) {
        date.month = 1;
        date.year++;
      }
    }
  }
  CHECK(DaysFromCivil({1970, 1, 1}) == 0);
  CHECK(DaysFromCivil({2000, 3, 1}) == 11017);
}

TEST_CASE("the calendar by multiplications is the one by divisions", "[type][date]") {
  const auto check = [](int64_t days) {
    const CivilDate date = CivilFromDays(static_cast<int32_t>(days));
    const CivilDate expected = CivilFromDistantDays(static_cast<int32_t>(days));
    if (date.year != expected.year || date.month != expected.month || date.day != expected.day)
      FAIL("wrong at day " << days);
  };
  for (int64_t days = INT32_MIN; days <= INT32_MAX; days += 9973) check(days);
  // Where the one ends: too far back, and too far ahead.
  for (int64_t days = -3641408 - 1000; days < -3641408 + 1000; days++) check(days);
  for (int64_t days = 1070100416 - 1000; days < 1070100416 + 1000; days++) check(days);
}

TEST_CASE("only dates that exist are made", "[type][date]") {
  int32_t days;
  CHECK(MakeDate(2024, 2, 29, days));
  CHECK_FALSE(MakeDate(2023, 2, 29, days));
  CHECK_FALSE(MakeDate(1900, 2, 29, days));
  CHECK(MakeDate(2000, 2, 29, days));
  CHECK_FALSE(MakeDate(2024, 4, 31, days));
  CHECK_FALSE(MakeDate(2024, 13, 1, days));
  CHECK_FALSE(MakeDate(2024, 0, 1, days));
  CHECK_FALSE(MakeDate(2024, 1, 0, days));
  CHECK(MakeDate(-4713, 11, 24, days));
  CHECK_FALSE(MakeDate(-4713, 11, 23, days));
  CHECK(MakeDate(5874897, 12, 31, days));
  CHECK_FALSE(MakeDate(5874898, 1, 1, days));
}

TEST_CASE("dates are read in PostgreSQL's forms", "[type][date]") {
  const int32_t expected = DaysFromCivil({2024, 1, 5});
  for (const char* text :
       {"2024-01-05", "2024-1-5", "20240105", " 2024-01-05 ", "2024/01/05", "2024-01-05 12:34:56",
        "2024-01-05T12:34:56Z", "1/5/2024", "2024-01-05 AD", "2024-01-05 23:59:59.999999+02"}) {
    CHECK(Date(text) == expected);
  }
  CHECK(Date("0001-01-01 BC") == DaysFromCivil({0, 1, 1}));
  CHECK(Date("infinity") == kDateInfinity);
  CHECK(Date("-Infinity") == kDateMinusInfinity);
  CHECK(Date("epoch") == 0);
  CHECK(Date("5874897-12-31") == DaysFromCivil({5874897, 12, 31}));
}

TEST_CASE("other text is no date", "[type][date]") {
  int32_t days;
  for (const char* text : {"",
                           " ",
                           "abc",
                           "2024-02-30",
                           "2024-13-01",
                           "2024-00-10",
                           "2024-01",
                           "2024-01-05x",
                           "99-1-5",
                           "12:34:56",
                           "2024-01-",
                           "0000-01-01",
                           "2024-01/05",
                           "99999999-01-01",
                           "202401055",
                           "2024-1-5 1",
                           "2024-01-05 BC BC",
                           "-2024-01-05",
                           "2024-01-05 25:00:00",
                           "2O24-01-05",
                           "today1"}) {
    INFO(text);
    CHECK_FALSE(ParseDate(text, days));
  }
  CHECK(HasDateTimeForm("2024-02-30"));
  CHECK(HasDateTimeForm("25:00:00"));
  CHECK_FALSE(HasDateTimeForm("abc"));
  CHECK_FALSE(HasDateTimeForm("2024-01-05x"));
}

TEST_CASE("times are read and printed", "[type][time]") {
  const auto time = [](const char* text) {
    int64_t micros = -1;
    return ParseTime(text, micros) ? TimeToString(micros) : std::string("bad");
  };
  CHECK(time("12:34:56") == "12:34:56");
  CHECK(time("1:02") == "01:02:00");
  CHECK(time("123456") == "12:34:56");
  CHECK(time("12:34:56.5") == "12:34:56.5");
  CHECK(time("12:34:56.1234564") == "12:34:56.123456");
  CHECK(time("12:34:56.1234565") == "12:34:56.123457");
  CHECK(time("24:00:00") == "24:00:00");
  CHECK(time("23:59:60") == "24:00:00");
  CHECK(time("12:00 AM") == "00:00:00");
  CHECK(time("12:30pm") == "12:30:00");
  CHECK(time("1:30 PM") == "13:30:00");
  CHECK(time("04:05:06-08:00") == "04:05:06");
  CHECK(time("04:05:06 UTC") == "04:05:06");
  CHECK(time("2024-01-05 04:05:06") == "04:05:06");
  CHECK(time("12:") == "12:00:00");
  CHECK(time("12:34:") == "12:34:00");
  for (const char* text :
       {"", "25:00", "24:00:01", "12:60", "12:34:61", "13:00 PM", "12", "12:60:", "x", "12:34:56 ABC"}) {
    INFO(text);
    CHECK(time(text) == "bad");
  }
}

TEST_CASE("timestamps are read and printed", "[type][timestamp]") {
  CHECK(Timestamp("1970-01-01") == 0);
  CHECK(Timestamp("1969-12-31 23:59:59.999999") == -1);
  CHECK(Timestamp("2024-01-31 12:34:56.789") == Timestamp("2024-01-31T12:34:56.789Z"));
  CHECK(Timestamp("20240131T123456") == Timestamp("2024-01-31 12:34:56"));
  CHECK(Timestamp("20240131 123456") == Timestamp("2024-01-31 12:34:56"));
  CHECK(Timestamp("2024-01-31 12:34:56+05:30") == Timestamp("2024-01-31 12:34:56"));
  CHECK(Timestamp("2024-01-31 24:00:00") == Timestamp("2024-02-01"));
  CHECK(TimestampToString(Timestamp("2024-2-29 1:2:3")) == "2024-02-29 01:02:03");
  CHECK(TimestampToString(Timestamp("0044-03-15 12:00:00 BC")) == "0044-03-15 12:00:00 BC");
  CHECK(TimestampToString(Timestamp("12024-03-15")) == "12024-03-15 00:00:00");
  CHECK(TimestampToString(Timestamp("-infinity")) == "-infinity");
  CHECK(TimestampToString(-1) == "1969-12-31 23:59:59.999999");
  int64_t micros;
  for (const char* text : {"", "2024-01-31 25:00", "2024-02-30 00:00:00", "12:34:56", "2024-01-31 12:34:56 +",
                           "294248-01-01", "2024-01-31 12:34:56Z+02", "2024-01-31 noon"}) {
    INFO(text);
    CHECK_FALSE(ParseTimestamp(text, micros));
  }
}

TEST_CASE("random dates and timestamps come back from their text", "[type][timestamp]") {
  std::mt19937_64 random(7);
  for (int i = 0; i < 20'000; i++) {
    const auto days = static_cast<int32_t>(-2440588 + static_cast<int64_t>(random() % 2147483493ull));
    REQUIRE(IsDateInRange(days));
    if (Date(DateToString(days).c_str()) != days) FAIL(days);
    // From the first timestamp to the last, more than 63 bits apart.
    const uint64_t first = static_cast<uint64_t>(-2440588 * kMicrosPerDay);
    const auto micros = static_cast<int64_t>(first + random() % (9434209632854775806ull));
    REQUIRE(IsTimestampInRange(micros));
    if (Timestamp(TimestampToString(micros).c_str()) != micros) FAIL(micros);
  }
  CHECK(DateToString(DaysFromCivil({2024, 2, 29})) == "2024-02-29");
  CHECK(DateToString(DaysFromCivil({0, 12, 31})) == "0001-12-31 BC");
}

TEST_CASE("intervals are added months first", "[type][timestamp]") {
  const auto add = [](const char* timestamp, Interval interval) {
    int64_t result = 0;
    return AddInterval(Timestamp(timestamp), interval, result) ? TimestampToString(result)
                                                               : std::string("out of range");
  };
  CHECK(add("2024-01-31", {1, 0, 0}) == "2024-02-29 00:00:00");
  CHECK(add("2023-01-31", {1, 1, 0}) == "2023-03-01 00:00:00");
  CHECK(add("2024-03-31 10:00:00", {-1, 0, -1}) == "2024-02-29 09:59:59.999999");
  CHECK(add("2024-02-29", {12, 0, 0}) == "2025-02-28 00:00:00");
  CHECK(add("2000-01-01", {-24001, 0, 0}) == "0002-12-01 00:00:00 BC");
  CHECK(add("infinity", {1, 1, 1}) == "infinity");
  CHECK(add("294247-01-01", {1, 0, 0}) == "out of range");
  CHECK(add("2000-01-01", {INT32_MAX, 0, 0}) == "out of range");
  CHECK(add("2000-01-01", {0, INT32_MIN, 0}) == "out of range");
  CHECK(add("2000-01-01", {0, 0, INT64_MAX}) == "out of range");
}

TEST_CASE("dates and timestamps convert", "[type][timestamp]") {
  CHECK(TimestampToDate(Timestamp("1969-12-31 23:59:59")) == -1);
  CHECK(TimeOfTimestamp(Timestamp("1969-12-31 23:00:00")) == 23 * kMicrosPerHour);
  int64_t micros;
  CHECK(DateToTimestamp(Date("2024-01-01"), micros));
  CHECK(micros == Timestamp("2024-01-01"));
  CHECK(DateToTimestamp(kDateInfinity, micros));
  CHECK(micros == kTimestampInfinity);
  CHECK_FALSE(DateToTimestamp(Date("5874897-01-01"), micros));
  CHECK(TimestampToDate(kTimestampMinusInfinity) == kDateMinusInfinity);
}
