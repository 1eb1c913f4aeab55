// gen_random_uuid: a UUID of version 4 for every row.
#include "type/uuid.hpp"

#include <random>

#include "function/scalar/scalar_functions.hpp"

namespace scaup {
namespace {

/// Every word comes from the system's random source: UUIDs must be unique across processes.
void Generate(const ScalarCall&, DataChunk& arguments, Vector& result) {
  std::random_device device;
  const auto word = [&device] { return uint64_t{device()} << 32 | device(); };
  int128_t* out = result.MutableData<int128_t>();
  for (size_t row = 0; row < arguments.size(); row++) {
    const uint64_t high = word();
    out[row] = RandomUuid(high, word());
  }
}

}  // namespace

ScalarFunctionList UuidFunctions() {
  ScalarFunctionList list;
  for (const char* name : {"gen_random_uuid", "uuid"}) {
    list.push_back({.name = name,
                    .return_type = TypeId::kUuid,
                    .kernel = &Generate,
                    .description = "A random UUID (version 4); a new one for every row.",
                    .example = "gen_random_uuid()",
                    .volatility = Volatility::kVolatile,
                    .can_fail = false});
  }
  return list;
}

}  // namespace scaup
