// Functions and operators over dates, times, timestamps and intervals.
#include <catch2/catch.hpp>

#include "../scalar_harness.hpp"

namespace scaup {
using namespace test;

namespace {

Value Date(std::string_view text) { return Make(TypeId::kDate, text); }
Value Time(std::string_view text) { return Make(TypeId::kTime, text); }
Value Stamp(std::string_view text) { return Make(TypeId::kTimestamp, text); }
Value Span(std::string_view text) { return Make(TypeId::kInterval, text); }
const char* kInstant = "2024-02-29 12:34:56.789";

}  // namespace

TEST_CASE("timestamps with time zone") {
  const auto moment = [](std::string_view text) { return Make(TypeId::kTimestampTz, text); };
  CHECK(Text("+", {moment("2024-01-31 12:00+02"), Span("1 month 1 hour")}) == "2024-02-29 11:00:00+00");
  CHECK(Text("-", {moment("2024-01-31 12:00+00"), moment("2024-01-30 10:00+02")}) == "1 day 04:00:00");
  CHECK(Text("date_trunc", {S("day"), moment("2024-01-31 12:00+00")}) == "2024-01-31 00:00:00+00");
  CHECK(Text("date_part", {S("hour"), moment("2024-01-31 12:00+02")}) == "10");
  CHECK(Text("date_part", {S("timezone"), moment("2024-01-31 12:00+02")}) == "0");
  CHECK(Text("timezone", {Span("2 hours"), moment("2024-01-31 12:00+00")}) == "2024-01-31 14:00:00");
  CHECK(Text("timezone", {S("PST"), Stamp("2024-01-31 12:00")}) == "2024-01-31 20:00:00+00");
  CHECK(ErrorOf("timezone", {S("Nowhere"), moment("2024-01-31 12:00+00")}).substr(0, 5) == "22023");
}

TEST_CASE("date arithmetic") {
  CHECK(Text("+", {Date("2024-02-28"), I(2)}) == "2024-03-01");
  CHECK(Text("+", {I(2), Date("2024-02-28")}) == "2024-03-01");
  CHECK(Text("-", {Date("2024-03-01"), I(1)}) == "2024-02-29");
  CHECK(Text("-", {Date("2024-03-01"), Date("2024-02-01")}) == "29");
  CHECK(Text("+", {Date("2024-01-31"), Span("1 month")}) == "2024-02-29 00:00:00");
  CHECK(Text("-", {Date("1998-12-01"), Span("90 days")}) == "1998-09-02 00:00:00");
  CHECK(Text("+", {Span("1 hour"), Stamp("2024-01-31 23:30:00")}) == "2024-02-01 00:30:00");
  CHECK(Text("-", {Stamp("2024-01-31 12:00:00"), Stamp("2024-01-30 10:00:00")}) == "1 day 02:00:00");
  CHECK(Text("+", {Time("23:00:00"), Span("2 hours")}) == "01:00:00");
  CHECK(Text("-", {Time("01:00:00"), Span("2 hours")}) == "23:00:00");
  CHECK(Text("-", {Time("12:00:00"), Time("10:30:00")}) == "01:30:00");
  CHECK(Text("+", {Date("2024-02-29"), Time("12:00:00")}) == "2024-02-29 12:00:00");
  CHECK(Text("+", {Date("infinity"), I(1)}) == "infinity");
  CHECK(ErrorOf("+", {Date("2024-01-01"), I(INT32_MAX)}) == "22008: date out of range");
  CHECK(Text("-", {Date("2024-03-01"), Null(TypeId::kInteger)}) == "NULL");
}

TEST_CASE("interval arithmetic") {
  CHECK(Text("+", {Span("1 day"), Span("2 hours")}) == "1 day 02:00:00");
  CHECK(Text("-", {Span("1 day"), Span("2 hours")}) == "1 day -02:00:00");
  CHECK(Text("-", {Span("1 day")}) == "-1 days");
  CHECK(Text("*", {Span("1 day"), F(1.5)}) == "1 day 12:00:00");
  CHECK(Text("*", {F(2), Span("1 mon 3 hours")}) == "2 mons 06:00:00");
  CHECK(Text("/", {Span("1 mon"), I(2)}) == "15 days");
  CHECK(ErrorOf("/", {Span("1 mon"), I(0)}) == "22012: division by zero");
  CHECK(Text("justify_hours", {Span("27 hours")}) == "1 day 03:00:00");
  CHECK(Text("justify_days", {Span("35 days")}) == "1 mon 5 days");
  CHECK(Text("justify_interval", {Span("1 mon -1 hour")}) == "29 days 23:00:00");
}

TEST_CASE("fields") {
  const auto part = [](const char* field, Value value) {
    return Text("date_part", {S(field), std::move(value)});
  };
  CHECK(part("year", Date("2024-02-29")) == "2024");
  CHECK(part("MONTH", Stamp(kInstant)) == "2");
  CHECK(part("day", Stamp(kInstant)) == "29");
  CHECK(part("hour", Stamp(kInstant)) == "12");
  CHECK(part("minutes", Stamp(kInstant)) == "34");
  CHECK(part("second", Stamp(kInstant)) == "56.789");
  CHECK(part("milliseconds", Stamp(kInstant)) == "56789");
  CHECK(part("microseconds", Stamp(kInstant)) == "56789000");
  CHECK(part("quarter", Date("2024-05-01")) == "2");
  CHECK(part("dow", Date("2024-03-03")) == "0");
  CHECK(part("isodow", Date("2024-03-03")) == "7");
  CHECK(part("doy", Date("2024-03-01")) == "61");
  CHECK(part("week", Date("2021-01-03")) == "53");
  CHECK(part("isoyear", Date("2021-01-03")) == "2020");
  CHECK(part("week", Date("2024-12-30")) == "1");
  CHECK(part("century", Date("2000-12-31")) == "20");
  CHECK(part("decade", Date("1999-01-01")) == "199");
  CHECK(part("epoch", Stamp("1970-01-02 00:00:00.5")) == "86400.5");
  CHECK(part("epoch", Span("1 day 1 hour")) == "90000");
  CHECK(part("year", Span("14 mons")) == "1");
  CHECK(part("month", Span("14 mons")) == "2");
  CHECK(part("hour", Time("13:14:15")) == "13");
  CHECK(part("day", Date("infinity")) == "NULL");
  CHECK(part("year", Date("infinity")) == "Infinity");
  CHECK(part("hour", Stamp("1969-12-31 23:00:00")) == "23");
  CHECK(ErrorOf("date_part", {S("fortnight"), Date("2024-01-01")}) ==
        "22023: unit \"fortnight\" not recognized for type date");
  CHECK(ErrorOf("date_part", {S("year"), Time("12:00:00")}).substr(0, 5) == "0A000");
  CHECK(Text("year", {Date("2024-02-29")}) == "2024");
  CHECK(Text("second", {Stamp(kInstant)}) == "56");
  CHECK(Text("last_day", {Date("2024-02-10")}) == "2024-02-29");
}

TEST_CASE("date_trunc and date_diff") {
  const auto trunc = [](const char* field) { return Text("date_trunc", {S(field), Stamp(kInstant)}); };
  CHECK(trunc("month") == "2024-02-01 00:00:00");
  CHECK(trunc("quarter") == "2024-01-01 00:00:00");
  CHECK(trunc("week") == "2024-02-26 00:00:00");
  CHECK(trunc("hour") == "2024-02-29 12:00:00");
  CHECK(trunc("milliseconds") == "2024-02-29 12:34:56.789");
  CHECK(trunc("century") == "2001-01-01 00:00:00");
  CHECK(trunc("decade") == "2020-01-01 00:00:00");
  CHECK(Text("date_trunc", {S("year"), Date("2024-02-29")}) == "2024-01-01 00:00:00");
  CHECK(Text("date_trunc", {S("hour"), Span("1 day 02:03:04")}) == "1 day 02:00:00");
  CHECK(ErrorOf("date_trunc", {S("dow"), Stamp(kInstant)}).substr(0, 5) == "22023");
  CHECK(Text("date_diff", {S("month"), Date("2024-01-31"), Date("2024-03-01")}) == "2");
  CHECK(Text("date_diff", {S("day"), Date("2024-03-01"), Date("2024-02-28")}) == "-2");
  CHECK(Text("date_diff", {S("week"), Date("2024-03-03"), Date("2024-03-04")}) == "1");
  CHECK(Text("datediff", {S("hour"), Stamp("2024-01-01 00:59:00"), Stamp("2024-01-01 01:01:00")}) == "1");
}

TEST_CASE("age and making dates") {
  CHECK(Text("age", {Stamp("2001-04-10 00:00:00"), Stamp("1957-06-13 00:00:00")}) ==
        "43 years 9 mons 27 days");
  CHECK(Text("age", {Stamp("1957-06-13 00:00:00"), Stamp("2001-04-10 00:00:00")}) ==
        "-43 years -9 mons -27 days");
  CHECK(Text("age", {Stamp("2024-01-29 00:00:00")}) == "1 mon");  // the harness's now is 2024-02-29
  CHECK(Text("make_date", {I(2024), I(2), I(29)}) == "2024-02-29");
  CHECK(ErrorOf("make_date", {I(2023), I(2), I(29)}) == "22008: date field value out of range");
  CHECK(Text("make_time", {I(12), I(34), F(56.5)}) == "12:34:56.5");
  CHECK(Text("make_timestamp", {I(2024), I(2), I(29), I(12), I(34), F(56.5)}) == "2024-02-29 12:34:56.5");
  CHECK(Text("now", {}) == "2024-02-29 12:34:56+00");
  CHECK(Text("current_date", {}) == "2024-02-29");
  CHECK(Resolve("now", {}).function.volatility == Volatility::kStable);
}

TEST_CASE("templates") {
  const auto text = [](const char* format) {
    return Text("to_char", {Stamp("2024-02-09 15:04:05.006"), S(format)});
  };
  CHECK(text("YYYY-MM-DD HH24:MI:SS") == "2024-02-09 15:04:05");
  CHECK(text("HH12:MI AM") == "03:04 PM");
  CHECK(text("Mon DD, YY") == "Feb 09, 24");
  CHECK(text("Month|") == "February |");
  CHECK(text("FMMonth FMDD") == "February 9");
  CHECK(text("Dy DAY") == "Fri FRIDAY   ");
  CHECK(text("FMDDth \"of\" month") == "9th of february ");
  CHECK(text("MS US Q DDD IW") == "006 006000 1 040 06");
  CHECK(Text("to_char", {Date("2024-02-29"), S("DD.MM.YYYY")}) == "29.02.2024");
  CHECK(Text("to_date", {S("29 Feb 2024"), S("DD Mon YYYY")}) == "2024-02-29");
  CHECK(Text("to_date", {S("20240229"), S("YYYYMMDD")}) == "2024-02-29");
  CHECK(Text("to_date", {S("February 29, 2024"), S("Month DD, YYYY")}) == "2024-02-29");
  CHECK(Text("to_date", {S("99-01-02"), S("YY-MM-DD")}) == "1999-01-02");
  CHECK(Text("to_timestamp", {S("2024-02-29 12:34"), S("YYYY-MM-DD HH24:MI")}) == "2024-02-29 12:34:00+00");
  CHECK(Text("to_timestamp", {S("2024-02-29 03:04:05.6 PM"), S("YYYY-MM-DD HH12:MI:SS.MS PM")}) ==
        "2024-02-29 15:04:05.6+00");
  CHECK(Text("to_timestamp", {F(1709210096.5)}) == "2024-02-29 12:34:56.5+00");
  CHECK(ErrorOf("to_date", {S("2023-02-29"), S("YYYY-MM-DD")}).substr(0, 5) == "22008");
  CHECK(ErrorOf("to_date", {S("soon"), S("YYYY-MM-DD")}).substr(0, 5) == "22007");
}

}  // namespace scaup
