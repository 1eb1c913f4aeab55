// Zone maps are conservative: what they exclude has no passing row, what they accept has no failing one.
#include "vector/filter/zone_map.hpp"

#include <catch2/catch.hpp>

#include "../../vector/random_values.hpp"
#include "../filter_reference.hpp"
#include "vector/filter/scan_filter_kernels.hpp"

namespace scaup {

using namespace test;

TEST_CASE("Zone maps never contradict the rows", "[storage]") {
  Random random(41);
  size_t none = 0, all = 0;
  for (const LogicalType& type : SampleTypes()) {
    for (size_t round = 0; round < 400; round++) {
      const size_t count = 1 + Below(random, 20);
      // Narrow domains far from or near to the constant, so that all three answers come up.
      const size_t domain = 1 + Below(random, 6);
      const size_t null_percent = Chance(random, 50) ? 0 : Chance(random, 20) ? 100 : 20;
      Row values;
      for (size_t i = 0; i < count; i++)
        values.push_back(RandomValue(random, type, null_percent, domain, Chance(random, 30)));
      ZoneMap zone;
      // Sometimes as a merge of parts.
      for (size_t begin = 0; begin < count;) {
        const size_t part = Chance(random, 50) ? count - begin : 1 + Below(random, count - begin);
        Vector vector = FlatVector(type, Row(values.begin() + begin, values.begin() + begin + part));
        const ZoneMap piece =
            ComputeZoneMap(PhysicalTypeOf(type), vector.Data<std::byte>(), vector.Validity(), part);
        if (begin == 0) {
          zone = piece;
        } else {
          zone.Merge(piece, PhysicalTypeOf(type));
        }
        begin += part;
      }
      REQUIRE(zone.row_count == count);
      Vector vector = FlatVector(type, values);
      for (size_t op = 0; op < 8; op++) {
        const ScanFilter filter{0, static_cast<ScanFilter::Op>(op),
                                RandomValue(random, type, 0, domain + 2, Chance(random, 20))};
        size_t passing = 0;
        for (const Value& value : values) passing += Passes(value, filter);
        uint8_t mask[32];
        EvaluateScanFilter(KernelsOf(BestKernelLevel()), filter, PhysicalTypeOf(type),
                           vector.Data<std::byte>(), vector.Validity(), count, mask);
        for (size_t row = 0; row < count; row++) {
          INFO(values[row].ToString()
               << " op " << op << " " << filter.constant.ToString() << " " << type.ToString());
          REQUIRE((mask[row] != 0) == Passes(values[row], filter));
        }
        const ZoneMatch match = MatchZone(zone, filter, PhysicalTypeOf(type));
        none += match == ZoneMatch::kNone;
        all += match == ZoneMatch::kAll;
        INFO(type.ToString() << " op " << op << " " << filter.constant.ToString() << " over "
                             << TextOf(values));
        if (match == ZoneMatch::kNone) REQUIRE(passing == 0);
        if (match == ZoneMatch::kAll) REQUIRE(passing == count);
      }
    }
  }
  // And they do decide something.
  CHECK(none > 1000);
  CHECK(all > 1000);
}

TEST_CASE("Strings that share their first bytes are not told apart by zone maps", "[storage]") {
  const LogicalType type = TypeId::kVarchar;
  Vector vector = FlatVector(type, {Value::Varchar("12345678a"), Value::Varchar("12345678c")});
  const ZoneMap zone = ComputeZoneMap(PhysicalType::kString, vector.Data<std::byte>(), nullptr, 2);
  for (size_t op = 0; op < 6; op++) {
    CHECK(MatchZone(zone, {0, static_cast<ScanFilter::Op>(op), Value::Varchar("12345678b")},
                    PhysicalType::kString) == ZoneMatch::kSome);
  }
  CHECK(MatchZone(zone, {0, ScanFilter::Op::kEqual, Value::Varchar("12345679")}, PhysicalType::kString) ==
        ZoneMatch::kNone);
  CHECK(MatchZone(zone, {0, ScanFilter::Op::kLess, Value::Varchar("2")}, PhysicalType::kString) ==
        ZoneMatch::kAll);
}

TEST_CASE("Zone maps of more rows than they can count still tell values and NULLs apart", "[storage]") {
  ZoneMap values;
  values.row_count = 1U << 31;
  values.has_bounds = true;
  ZoneMap nulls;
  nulls.row_count = nulls.null_count = 1U << 31;
  const auto match = [](const ZoneMap& zone, ScanFilter::Op op) {
    return MatchZone(zone, {0, op, Value::Integer(0)}, PhysicalType::kInt32);
  };
  ZoneMap all_values = values;
  all_values.Merge(values, PhysicalType::kInt32);
  CHECK(match(all_values, ScanFilter::Op::kEqual) == ZoneMatch::kAll);
  CHECK(match(all_values, ScanFilter::Op::kIsNull) == ZoneMatch::kNone);
  ZoneMap all_nulls = nulls;
  for (size_t i = 0; i < 2; i++) all_nulls.Merge(nulls, PhysicalType::kInt32);
  CHECK(match(all_nulls, ScanFilter::Op::kIsNull) == ZoneMatch::kAll);
  CHECK(match(all_nulls, ScanFilter::Op::kEqual) == ZoneMatch::kNone);
  ZoneMap both = all_nulls;
  both.Merge(values, PhysicalType::kInt32);
  CHECK(match(both, ScanFilter::Op::kIsNull) == ZoneMatch::kSome);
  CHECK(match(both, ScanFilter::Op::kEqual) == ZoneMatch::kSome);
}

}  // namespace scaup
