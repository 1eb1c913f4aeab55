// Dense groups remember rows by keys, and nothing for other keys.
#include "execution/aggregate/dense_groups.hpp"

#include <catch2/catch.hpp>
#include <map>

#include "../vector/random_values.hpp"

namespace scaup {

using namespace test;

TEST_CASE("Dense groups give back the rows that were noted for keys", "[execution]") {
  Random random(5);
  const std::vector<LogicalType> types = {TypeId::kInteger, TypeId::kTinyInt};
  for (const int64_t base : {int64_t{0}, int64_t{INT32_MAX} - 40, int64_t{INT32_MIN}}) {
    std::map<std::string, std::byte*> noted;
    std::vector<std::byte> places(1 << 20);
    const auto make = [&](size_t count, size_t domain) {
      std::vector<Row> rows;
      for (size_t i = 0; i < count; i++) {
        const auto key = static_cast<int32_t>(base + static_cast<int64_t>(Below(random, domain)));
        const bool is_null = Below(random, 10) == 0;
        rows.push_back({is_null ? Value(LogicalType(TypeId::kInteger)) : Value::Integer(key),
                        Value::TinyInt(static_cast<int8_t>(Below(random, 3)) - 1)});
      }
      return rows;
    };
    auto first = make(kVectorSize, 30);
    DataChunk chunk = MakeChunk(random, types, first);
    auto groups = DenseGroups::TryMake(chunk.columns(), kVectorSize);
    REQUIRE(groups);
    for (size_t round = 0; round < 30; round++) {
      // Sometimes keys that the guess did not foresee.
      const size_t count = 1 + Below(random, kVectorSize);
      auto rows = make(count, round % 3 == 2 ? 41 : 30);
      DataChunk keys = MakeChunk(random, types, rows);
      std::byte* found[kVectorSize];
      const size_t missing = groups->Find(keys.columns(), count, found);
      size_t expected_missing = 0;
      for (size_t i = 0; i < count; i++) {
        const auto known = noted.find(TextOf(rows[i]));
        if (found[i] != nullptr) {
          REQUIRE(known != noted.end());
          REQUIRE(found[i] == known->second);
        } else {
          expected_missing++;
        }
        found[i] = noted.emplace(TextOf(rows[i]), places.data() + noted.size()).first->second;
      }
      REQUIRE(missing == expected_missing);
      groups->Note(count, found);
      std::byte* again[kVectorSize];
      if (round % 3 != 2) {
        REQUIRE(groups->Find(keys.columns(), count, again) == 0);
        REQUIRE(std::equal(again, again + count, found));
      }
    }
  }
}

TEST_CASE("Keys far apart, and keys that are no integers, have no dense groups", "[execution]") {
  Random random(6);
  std::vector<Row> rows = {{Value::BigInt(INT64_MIN), Value::Varchar("a"), Value::Double(1)},
                           {Value::BigInt(INT64_MAX), Value::Varchar("b"), Value::Double(2)}};
  DataChunk chunk = MakeChunk(random, {TypeId::kBigInt, TypeId::kVarchar, TypeId::kDouble}, rows);
  for (size_t i = 0; i < 3; i++) CHECK(!DenseGroups::TryMake({&chunk.column(i), 1}, 2));
}

}  // namespace scaup
