// Hashes of vectors: equal values hash alike whatever the form; different ones seldom do.
#include <catch2/catch.hpp>
#include <unordered_set>

#include "common/hash.hpp"
#include "random_values.hpp"
#include "type/time/date_time.hpp"

namespace scaup {

using namespace test;

TEST_CASE("Equal values hash alike in every form", "[vector]") {
  Random random(11);
  for (const LogicalType& type : SampleTypes()) {
    for (const size_t domain : {3, 40, 2000}) {
      Row values;
      for (size_t i = 0; i < 1024; i++) values.push_back(RandomValue(random, type, 15, domain));
      Vector flat = FlatVector(type, values);
      uint64_t expected[1024];
      HashVector(flat, 1024, expected, false);
      for (size_t row = 0; row < 1024; row++) {
        uint64_t one;
        Vector constant(values[row]);
        HashVector(constant, 1, &one, false);
        REQUIRE(one == expected[row]);
        if (values[row].is_null()) REQUIRE(one == kNullHash);
      }
      for (const Form form : {Form::kDictionary, Form::kDistinctDictionary}) {
        Vector vector = MakeVector(random, type, values, form);
        uint64_t hashes[1024];
        HashVector(vector, 1024, hashes, false);
        REQUIRE(std::equal(hashes, hashes + 1024, expected));
        // Combined with a column before.
        uint64_t combined[1024], combined_flat[1024];
        std::copy(expected, expected + 1024, combined);
        std::copy(expected, expected + 1024, combined_flat);
        HashVector(vector, 1024, combined, true);
        HashVector(flat, 1024, combined_flat, true);
        REQUIRE(std::equal(combined, combined + 1024, combined_flat));
      }
    }
  }
}

TEST_CASE("Values that compare equal hash alike though their bits differ", "[vector]") {
  const auto hash = [](const Value& value) {
    Vector vector(value);
    uint64_t result;
    HashVector(vector, 1, &result, false);
    return result;
  };
  CHECK(hash(Value::Double(0.0)) == hash(Value::Double(-0.0)));
  CHECK(hash(Value::Real(0.0f)) == hash(Value::Real(-0.0f)));
  CHECK(hash(Value::Double(std::nan(""))) == hash(Value::Double(-std::nan("7"))));
  CHECK(hash(Value::Real(std::nanf(""))) == hash(Value::Real(-std::nanf("3"))));
  CHECK(hash(Value::MakeInterval({1, 0, 0})) == hash(Value::MakeInterval({0, 30, 0})));
  CHECK(hash(Value::MakeInterval({0, 1, 0})) == hash(Value::MakeInterval({0, 0, int64_t{86400} * 1000000})));
  CHECK(hash(Value::Varchar("a")) != hash(Value::Varchar(std::string("a\0", 2))));
  CHECK(hash(Value::Varchar("twelve bytes")) == hash(Value::Varchar("twelve bytes")));
}

TEST_CASE("Hashes spread over the bits that tables use", "[vector]") {
  for (const LogicalType& type :
       {LogicalType(TypeId::kBigInt), LogicalType(TypeId::kVarchar), LogicalType(TypeId::kDouble)}) {
    std::unordered_set<uint64_t> all, low, high;
    constexpr size_t kCount = 64 * 1024;
    for (size_t begin = 0; begin < kCount; begin += 1024) {
      Row values;
      for (size_t i = 0; i < 1024; i++) {
        const auto number = static_cast<int64_t>(begin + i);
        values.push_back(type.id() == TypeId::kVarchar  ? Value::Varchar("key" + std::to_string(number))
                         : type.id() == TypeId::kDouble ? Value::Double(static_cast<double>(number))
                                                        : Value::BigInt(number * 1024));
      }
      Vector vector = FlatVector(type, values);
      uint64_t hashes[1024];
      HashVector(vector, 1024, hashes, false);
      for (const uint64_t value : hashes) {
        all.insert(value);
        low.insert(value & 0xffff);
        high.insert(value >> 48);
      }
    }
    CHECK(all.size() == kCount);
    // Of 65536 values thrown at random about 63 % are hit.
    CHECK(low.size() > 0.6 * kCount);
    CHECK(high.size() > 0.6 * kCount);
  }
}

}  // namespace scaup
