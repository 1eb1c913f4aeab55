// gen_random_uuid and uuidv7: a new UUID for every row; the version and the time of a UUID.
#include "type/uuid.hpp"

#include <chrono>
#include <random>

#include "function/scalar/scalar_functions.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

/// Every word comes from the system's random source: UUIDs must be unique across processes.
void GenerateRandom(const ScalarCall&, DataChunk& arguments, Vector& result) {
  std::random_device device;
  const auto word = [&device] { return uint64_t{device()} << 32 | device(); };
  int128_t* out = result.MutableData<int128_t>();
  for (size_t row = 0; row < arguments.size(); row++) {
    const uint64_t high = word();
    out[row] = RandomUuid(high, word());
  }
}

/// UUIDs of one call of the kernel are in the order of the rows, because their times are.
void GenerateTimed(const ScalarCall&, DataChunk& arguments, Vector& result) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto micros =
      static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(now).count());
  const uint64_t time = (micros / 1000) << 12 | (micros % 1000 * 4096 / 1000);
  std::random_device device;
  int128_t* out = result.MutableData<int128_t>();
  for (size_t row = 0; row < arguments.size(); row++)
    out[row] = TimedUuid(time + row, uint64_t{device()} << 32 | device());
}

constexpr uint128_t kVariantMask = static_cast<uint128_t>(3) << 62, kVariant = static_cast<uint128_t>(1)
                                                                               << 63;

/// The version; 0 if the UUID is not of RFC 9562's variant.
int VersionOf(uint128_t bits) {
  return (bits & kVariantMask) == kVariant ? static_cast<int>(bits >> 76 & 15) : 0;
}

/// As in PostgreSQL, other variants have no version.
void UuidVersion(const ScalarCall&, DataChunk& arguments, Vector& result) {
  const auto uuids = arguments.column(0).ViewAs<int128_t>(arguments.size());
  for (size_t row = 0; row < arguments.size(); row++) {
    const int version = uuids.IsValid(row) ? VersionOf(UuidBits(uuids[row])) : 0;
    result.MutableData<int16_t>()[row] = static_cast<int16_t>(version);
    if (version == 0) result.SetNull(row);
  }
}

/// Versions 1 and 7 have a time.
void UuidTimestamp(const ScalarCall&, DataChunk& arguments, Vector& result) {
  // Version 1 counts steps of 100 nanoseconds since 1582-10-15.
  constexpr int64_t kStepsTo1970 = 0x01B21DD213814000;
  const auto uuids = arguments.column(0).ViewAs<int128_t>(arguments.size());
  for (size_t row = 0; row < arguments.size(); row++) {
    const uint128_t bits = uuids.IsValid(row) ? UuidBits(uuids[row]) : 0;
    const auto high = static_cast<uint64_t>(bits >> 64);
    const int version = VersionOf(bits);
    if (version == 7) {
      result.MutableData<int64_t>()[row] = static_cast<int64_t>(high >> 16) * 1000;
    } else if (version == 1) {
      const uint64_t steps = (high & 0xFFF) << 48 | (high >> 16 & 0xFFFF) << 32 | high >> 32;
      result.MutableData<int64_t>()[row] = (static_cast<int64_t>(steps) - kStepsTo1970) / 10;
    } else {
      result.SetNull(row);
    }
  }
}

}  // namespace

ScalarFunctionList UuidFunctions() {
  ScalarFunctionList list;
  for (const char* name : {"gen_random_uuid", "uuid"}) {
    list.push_back({.name = name,
                    .return_type = TypeId::kUuid,
                    .kernel = &GenerateRandom,
                    .description = "A random UUID (version 4); a new one for every row.",
                    .example = "gen_random_uuid()",
                    .volatility = Volatility::kVolatile,
                    .can_fail = false});
  }
  list.push_back({.name = "uuidv7",
                  .return_type = TypeId::kUuid,
                  .kernel = &GenerateTimed,
                  .description = "A UUID of version 7, which begins with the time; a new one for every row.",
                  .example = "uuidv7()",
                  .volatility = Volatility::kVolatile,
                  .can_fail = false});
  list.push_back({.name = "uuid_extract_version",
                  .argument_types = {TypeId::kUuid},
                  .return_type = TypeId::kSmallInt,
                  .kernel = &UuidVersion,
                  .description = "The version of a UUID; NULL if it is not of RFC 9562's variant.",
                  .example = "uuid_extract_version('019535d9-3df7-79fb-b466-fa907fa17f9e')",
                  .can_fail = false});
  list.push_back({.name = "uuid_extract_timestamp",
                  .argument_types = {TypeId::kUuid},
                  .return_type = TypeId::kTimestampTz,
                  .kernel = &UuidTimestamp,
                  .description = "The time in a UUID of version 1 or 7; NULL for others.",
                  .example = "uuid_extract_timestamp('019535d9-3df7-79fb-b466-fa907fa17f9e')",
                  .can_fail = false});
  return list;
}

}  // namespace scaup
