// Integer sets: random values against std::set, pages far apart, refusals.
#include "execution/aggregate/integer_set.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <random>
#include <set>

namespace scaup {
namespace {

constexpr size_t kPlenty = size_t{64} << 20;

template <typename T>
Vector VectorOf(TypeId type, const std::vector<std::optional<T>>& values) {
  Vector vector{LogicalType(type)};
  vector.Reset();
  for (size_t i = 0; i < values.size(); i++) {
    vector.MutableData<T>()[i] = values[i].value_or(T{});
    if (!values[i]) vector.SetNull(i);
  }
  return vector;
}

template <typename T>
std::vector<std::optional<T>> ReadAll(const IntegerSet& set, TypeId type) {
  std::vector<std::optional<T>> values;
  Vector output{LogicalType(type)};
  for (IntegerSet::Position position; position.part < set.part_count(); position = {position.part + 1, 0}) {
    while (true) {
      output.Reset();
      const size_t count = set.Read(position, output);
      if (count == 0) break;
      REQUIRE(count <= kVectorSize);
      for (size_t i = 0; i < count; i++) {
        const bool is_null = output.Validity() != nullptr && !TestValid(output.Validity(), i);
        values.push_back(is_null ? std::nullopt : std::optional<T>(output.Data<T>()[i]));
      }
    }
  }
  return values;
}

template <typename T>
void CheckRandom(TypeId type, int64_t first, int64_t last) {
  std::mt19937_64 random(17);
  std::uniform_int_distribution<int64_t> any(first, last);
  MemoryTracker memory(kPlenty);
  const PhysicalType physical = PhysicalTypeOf(LogicalType(type));
  IntegerSet set(physical, memory, kPlenty), other(physical, memory, kPlenty);
  std::set<T> expected;
  bool has_null = false;
  for (int round = 0; round < 40; round++) {
    std::vector<std::optional<T>> values(1 + random() % 1000);
    for (auto& value : values) {
      if (random() % 50 != 0 || round % 7 != 3) value = static_cast<T>(any(random));
      has_null = has_null || !value;
      if (value) expected.insert(*value);
    }
    Vector vector = VectorOf<T>(type, values);
    REQUIRE((round % 3 == 0 ? other : set).TryAdd(vector, values.size()));
  }
  REQUIRE(set.TryMerge(other));
  auto values = ReadAll<T>(set, type);
  REQUIRE(has_null);
  REQUIRE(!values.back());
  values.pop_back();
  REQUIRE(values.size() == expected.size());
  size_t i = 0;
  for (const T value : expected) REQUIRE(*values[i++] == value);  // In order.
}

}  // namespace

TEST_CASE("integer sets have each value once, in order", "[execution]") {
  CheckRandom<int8_t>(TypeId::kTinyInt, -128, 127);
  CheckRandom<int16_t>(TypeId::kSmallInt, -32768, 32767);
  CheckRandom<int32_t>(TypeId::kInteger, -1000000, 2000000);
  CheckRandom<int32_t>(TypeId::kInteger, 2147483647 - 70000, 2147483647);
  CheckRandom<int64_t>(TypeId::kBigInt, -40, 90000);
  CheckRandom<int64_t>(TypeId::kBigInt, std::numeric_limits<int64_t>::max() - 100000,
                       std::numeric_limits<int64_t>::max());
  CheckRandom<int64_t>(TypeId::kBigInt, std::numeric_limits<int64_t>::min(),
                       std::numeric_limits<int64_t>::min() + 5);
}

TEST_CASE("integer sets refuse values that lie too far apart, and keep the others", "[execution]") {
  MemoryTracker memory(kPlenty);
  IntegerSet set(PhysicalType::kInt64, memory, kPlenty);
  Vector near = VectorOf<int64_t>(TypeId::kBigInt, {1, 2, 3});
  REQUIRE(set.TryAdd(near, 3));
  Vector far = VectorOf<int64_t>(TypeId::kBigInt, {4, int64_t{1} << 40});
  CHECK(!set.TryAdd(far, 2));
  CHECK(ReadAll<int64_t>(set, TypeId::kBigInt) == std::vector<std::optional<int64_t>>{1, 2, 3, 4});

  // A page for each value does not pay.
  IntegerSet sparse(PhysicalType::kInt64, memory, kPlenty);
  bool all = true;
  size_t pages = 0;
  for (int64_t i = 0; i < 2000 && all; i++, pages++) {
    Vector value = VectorOf<int64_t>(TypeId::kBigInt, {i << 16});
    all = sparse.TryAdd(value, 1);
  }
  CHECK(!all);
  CHECK(pages < 400);
}

TEST_CASE("integer sets stay within their memory", "[execution]") {
  MemoryTracker memory(kPlenty);
  IntegerSet set(PhysicalType::kInt32, memory, 20000);
  Vector first = VectorOf<int32_t>(TypeId::kInteger, {1, 70000});
  REQUIRE(set.TryAdd(first, 2));
  Vector second = VectorOf<int32_t>(TypeId::kInteger, {140000});
  CHECK(!set.TryAdd(second, 1));
  MemoryTracker small(10000);
  IntegerSet poor(PhysicalType::kInt32, small, kPlenty);
  CHECK(!poor.TryAdd(first, 2));
  CHECK(!IntegerSet::Holds(PhysicalType::kInt128));
  CHECK(!IntegerSet::Holds(PhysicalType::kDouble));
}

}  // namespace scaup
