// TIME WITH TIME ZONE: texts with answers of PostgreSQL 15, order, casts.
#include "type/time/time_tz.hpp"

#include <random>
#include <string>

#include <catch2/catch.hpp>

#include "scaup/error.hpp"
#include "scaup/value.hpp"
#include "type/number/number_text.hpp"
#include "type/time/date_time.hpp"
#include "type/time/time_zone.hpp"
#include "type/value_cast.hpp"

using namespace scaup;

namespace {

std::string Read(std::string_view text, const TimeZone& zone = TimeZone()) {
  int64_t stored = 0;
  if (!ParseTimeTz(text, zone, stored)) return "bad";
  char buffer[kFormatBufferBytes];
  return std::string(buffer, FormatTimeTz(stored, buffer));
}

}  // namespace

TEST_CASE("texts of times with a zone", "[type][timetz]") {
  CHECK(Read("12:00:00+02") == "12:00:00+02");
  CHECK(Read("12:34:56.789-04:30") == "12:34:56.789-04:30");
  CHECK(Read("12:00") == "12:00:00+00");
  CHECK(Read("12:00:00 PST") == "12:00:00-08");
  CHECK(Read("3:45 PM +01") == "15:45:00+01");
  CHECK(Read("12:00:00-04:56:02") == "12:00:00-04:56:02");
  CHECK(Read("24:00:00+00") == "24:00:00+00");
  CHECK(Read("12:00Z") == "12:00:00+00");
  CHECK(Read("allballs") == "00:00:00+00");
  CHECK(Read("12:00:00+15:59:59") == "12:00:00+15:59:59");
  CHECK(Read("2024-07-01 12:00") == "12:00:00+00");
  for (const char* text :
       {"25:00:00+00", "12:00:00+16", "noon", "", "2024-07-01", "15:36:39 America/New_York"})
    CHECK(Read(text) == "bad");
  const TimeZone east("east", "E", 5 * 3600 + 1800, nullptr);
  CHECK(Read("12:00", east) == "12:00:00+05:30");
  CHECK(Read("12:00-01", east) == "12:00:00-01");
}

TEST_CASE("casts of times with a zone", "[type][timetz]") {
  const TimeZone east("east", "E", 5 * 3600 + 1800, nullptr);
  const auto cast = [&](const Value& value, TypeId type) {
    Value result;
    return CastValue(value, type, result, &east) ? result.ToString() : "bad";
  };
  CHECK(cast(Value::Time(0), TypeId::kTimeTz) == "00:00:00+05:30");
  CHECK(cast(Value::TimestampTz(0), TypeId::kTimeTz) == "05:30:00+05:30");
  CHECK(cast(Value::TimestampTz(kTimestampInfinity), TypeId::kTimeTz) == "NULL");
  const Value noon = Value::FromInteger(TypeId::kTimeTz, StoreTimeTz({12 * kMicrosPerHour, -3600}));
  CHECK(cast(noon, TypeId::kTime) == "12:00:00");
  CHECK(cast(noon, TypeId::kVarchar) == "12:00:00-01");
  CHECK_FALSE(CastExists(TypeId::kTimeTz, TypeId::kInterval));
  CHECK_FALSE(CastExists(TypeId::kTimeTz, TypeId::kTimestamp));
}

TEST_CASE("times with a zone are shown on other clocks", "[type][timetz]") {
  int64_t stored = StoreTimeTz({23 * kMicrosPerHour, -5 * 3600});
  REQUIRE(ShiftTimeTz(stored, 0));
  CHECK(LoadTimeTz(stored) == TimeTz{4 * kMicrosPerHour, 0});
  REQUIRE(ShiftTimeTz(stored, -9 * 3600));
  CHECK(LoadTimeTz(stored) == TimeTz{19 * kMicrosPerHour, -9 * 3600});
  CHECK_FALSE(ShiftTimeTz(stored, 20 * 3600));
}

TEST_CASE("stored times with a zone have the order of moments, then from east to west", "[type][timetz]") {
  std::mt19937_64 random(7);
  const auto pick = [&] {
    return TimeTz{static_cast<int64_t>(random() % 25) * 3'600'000'000 % 86'400'000'001,
                  static_cast<int32_t>(random() % 31 - 15) * 3600};
  };
  for (int i = 0; i < 20000; i++) {
    const TimeTz a = pick(), b = pick();
    REQUIRE(LoadTimeTz(StoreTimeTz(a)) == a);
    const auto utc = [](const TimeTz& time) {
      return time.micros - time.offset_seconds * int64_t{1'000'000};
    };
    const bool is_less = utc(a) != utc(b) ? utc(a) < utc(b) : a.offset_seconds > b.offset_seconds;
    REQUIRE((StoreTimeTz(a) < StoreTimeTz(b)) == is_less);
  }
  const TimeTz last{86'400'000'000, -kMaxTimeTzOffset}, first{0, kMaxTimeTzOffset};
  CHECK(LoadTimeTz(StoreTimeTz(last)) == last);
  CHECK(LoadTimeTz(StoreTimeTz(first)) == first);
  CHECK_THROWS_AS(Value::FromInteger(TypeId::kTimeTz, StoreTimeTz(last) + (int64_t{1} << 24)), Error);
}
