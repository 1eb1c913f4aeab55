// Tests of time zones: against rules written out, POSIX rules, damaged files, and conversion there and back.
#include "type/time/time_zone.hpp"

#include <catch2/catch.hpp>
#include <random>

#include "type/time/date_time.hpp"
#include "type/time/time_zone_library.hpp"
#include "type/time/time_zone_reader.hpp"
#include "type/time/zone_rule.hpp"

namespace scaup {
namespace {

int64_t Micros(const char* text) {
  int64_t micros = 0;
  REQUIRE(ParseTimestamp(text, micros));
  return micros;
}

std::string Local(const TimeZone& zone, const char* utc) {
  TimeZoneConverter converter(zone);
  int64_t local;
  REQUIRE(converter.ToLocal(Micros(utc), local));
  return TimestampToString(local);
}

std::string Moment(const TimeZone& zone, const char* local) {
  TimeZoneConverter converter(zone);
  int64_t moment;
  REQUIRE(converter.ToMoment(Micros(local), moment));
  return TimestampToString(moment);
}

}  // namespace

TEST_CASE("Zones of POSIX rules", "[type][time_zone]") {
  const TimeZoneLibrary library("/nowhere");
  const auto zone = library.Find("CET-1CEST,M3.5.0,M10.5.0/3");
  REQUIRE(zone);
  CHECK(Local(*zone, "2024-03-31 00:59:59") == "2024-03-31 01:59:59");
  CHECK(Local(*zone, "2024-03-31 01:00:00") == "2024-03-31 03:00:00");
  CHECK(Local(*zone, "2024-10-27 00:59:59") == "2024-10-27 02:59:59");
  CHECK(Local(*zone, "2024-10-27 01:00:00") == "2024-10-27 02:00:00");
  CHECK(Moment(*zone, "2024-03-31 02:30:00") == "2024-03-31 01:30:00");  // Left out.
  CHECK(Moment(*zone, "2024-10-27 02:30:00") == "2024-10-27 01:30:00");  // The second of two.
  CHECK(Local(*zone, "9999-07-01 00:00:00") == "9999-07-01 02:00:00");
  CHECK(Local(*zone, "99999-12-31 00:00:00") == "99999-12-31 01:00:00");
  // South of the equator summer is at the turn of the year.
  const auto south = library.Find("AEST-10AEDT,M10.1.0,M4.1.0/3");
  REQUIRE(south);
  CHECK(Local(*south, "2024-01-01 00:00:00") == "2024-01-01 11:00:00");
  CHECK(Local(*south, "2024-07-01 00:00:00") == "2024-07-01 10:00:00");
  CHECK(library.Find("EST5EDT")->PeriodAt(Micros("2024-07-01") / kMicrosPerSecond).offset_seconds ==
        -4 * 3600);
  for (const char* bad : {"", "E", "EST", "EST5EDT,M3", "EST5EDT,M13.1.0,M1.1.0", "EST5EDT,M3.1.0,M4.1.0,",
                          "<+03", "../x", "EST5x"}) {
    CAPTURE(bad);
    CHECK_FALSE(library.Find(bad));
  }
}

TEST_CASE("Zones of fixed offsets have PostgreSQL's names", "[type][time_zone]") {
  const TimeZoneLibrary library("/nowhere");
  CHECK(library.FindSetting("-8")->name() == "<-08>+08");
  CHECK(library.FindSetting("5.5")->name() == "<+05:30>-05:30");
  CHECK(library.FindSetting("utc")->name() == "UTC");
  CHECK_FALSE(library.FindSetting("1000"));
  CHECK(Local(*library.Find("<+05:30>-05:30"), "2024-01-01 00:00:00") == "2024-01-01 05:30:00");
}

TEST_CASE("There and back, over centuries", "[type][time_zone]") {
  const TimeZoneLibrary library;
  const auto zone = library.Find("europe/LONDON");
  if (!zone) return;  // A system without the database.
  CHECK(zone->name() == "Europe/London");
  std::mt19937_64 random(3);
  TimeZoneConverter converter(*zone);
  size_t shifted = 0;
  for (size_t i = 0; i < 100'000; i++) {
    const int64_t moment = static_cast<int64_t>(random() % (1ull << 56)) - (1ll << 55);
    int64_t local, back;
    REQUIRE(converter.ToLocal(moment, local));
    REQUIRE(converter.ToMoment(local, back));
    // Only in the hour that comes twice the way back leads elsewhere: to the second one.
    shifted += back != moment;
    CHECK((back == moment || (back > moment && back - moment <= 2 * kMicrosPerHour)));
  }
  CHECK(shifted < 100);
}

TEST_CASE("Damaged files are no zones, and do no harm", "[type][time_zone]") {
  std::string file = "TZif2";
  file.resize(44, '\0');
  file[39] = 1;  // one type
  file[43] = 4;  // bytes of abbreviations
  file += std::string("\0\0\x0e\x10\0\0", 6) + std::string("CET\0", 4);
  const std::string whole = file + file + "\nCET-1CEST,M3.5.0,M10.5.0/3\n";
  REQUIRE(TimeZoneReader::FromFile("x", whole, nullptr));
  CHECK(Local(*TimeZoneReader::FromFile("x", whole, nullptr), "2024-07-01 00:00:00") ==
        "2024-07-01 02:00:00");
  for (size_t length = 0; length < file.size() * 2; length++)
    CHECK_FALSE(TimeZoneReader::FromFile("x", std::string_view(whole).substr(0, length), nullptr));
  std::mt19937_64 random(5);
  for (size_t i = 0; i < 20'000; i++) {
    std::string damaged = whole;
    for (size_t j = 0; j < 3; j++) damaged[random() % damaged.size()] = static_cast<char>(random());
    if (const auto zone = TimeZoneReader::FromFile("x", damaged, nullptr)) {
      TimeZoneConverter converter(*zone);
      int64_t local;
      converter.ToLocal(static_cast<int64_t>(random() >> 4), local);
    }
  }
}

TEST_CASE("Timestamps with time zone as text", "[type][time_zone]") {
  const TimeZoneLibrary library("/nowhere");
  const auto zone = library.Find("EST5EDT");
  TimeZoneConverter converter(*zone);
  const auto again = [&](const char* text) -> std::string {
    int64_t micros;
    if (!ParseTimestampTz(text, converter, micros)) return "refused";
    char buffer[96];
    return std::string(buffer, FormatTimestampTz(micros, converter, buffer));
  };
  CHECK(again("2024-07-01 12:00") == "2024-07-01 12:00:00-04");
  CHECK(again("2024-01-01 12:00:00.5 +0530") == "2024-01-01 01:30:00.5-05");
  CHECK(again("2024-01-01T12:00:00Z") == "2024-01-01 07:00:00-05");
  CHECK(again("2024-01-01 12:00 pst") == "2024-01-01 15:00:00-05");
  CHECK(again("2024-01-01 +02") == "2023-12-31 17:00:00-05");
  CHECK(again("0044-03-15 12:00 BC") == "0044-03-15 12:00:00-05 BC");
  CHECK(again("infinity") == "infinity");
  CHECK(again("2024-01-01 12:00 Nowhere/Land") == "refused");
  CHECK(again("2024-01-01 12:00 +16") == "refused");
  CHECK(again("2024-01-01 12:00 +02 +03") == "refused");
  CHECK(again("12:00") == "refused");
}

}  // namespace scaup
