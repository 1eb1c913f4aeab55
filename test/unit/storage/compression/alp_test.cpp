// ALP gives back every bit of floating-point numbers, and makes decimals small.
#include <catch2/catch.hpp>

#include <cmath>
#include <cstring>
#include <limits>

#include "common/sqlstate.hpp"
#include "fixed_segment.hpp"
#include "scaup/error.hpp"
#include "storage/compression/compression.hpp"

namespace scaup {
namespace {

using namespace test;  // NOLINT

const CompressionMethod& Alp() { return *FindCompressionMethod(Encoding::kAlp); }

template <typename T>
PhysicalType TypeOf() {
  return sizeof(T) == sizeof(float) ? PhysicalType::kFloat : PhysicalType::kDouble;
}

template <typename T>
SegmentInput InputOf(const std::vector<T>& values, const ValidityWord* validity = nullptr) {
  SegmentInput input{TypeOf<T>(), {}};
  for (size_t row = 0; row < values.size(); row += kVectorSize) {
    const auto count = static_cast<uint32_t>(std::min(kVectorSize, values.size() - row));
    input.blocks.push_back({reinterpret_cast<const std::byte*>(values.data() + row), validity, count});
  }
  return input;
}

/// Compresses, decodes at every level, compares bits; returns the bytes per value.
template <typename T>
double RoundTrip(const std::vector<T>& values, const ValidityWord* validity = nullptr) {
  const SegmentInput input = InputOf(values, validity);
  const auto compressed = Alp().Compress(input);
  const auto decoder = Alp().Open(TypeOf<T>(), compressed->header);
  Vector output(sizeof(T) == sizeof(float) ? TypeId::kReal : TypeId::kDouble);
  for (const KernelLevel level : KernelLevels()) {
    size_t row = 0, wrong = 0;
    for (size_t block = 0; block < input.blocks.size(); block++) {
      const auto bytes = ExactCopy(BlockOf(*compressed, block));
      decoder->Decode(*bytes, input.blocks[block].count, KernelsOf(level), bytes, output);
      for (size_t i = 0; i < input.blocks[block].count; i++, row++) {
        if (validity != nullptr && !TestValid(validity, i)) continue;
        wrong += std::memcmp(output.Data<T>() + i, &values[row], sizeof(T)) != 0;
      }
      static Random random(74);
      const std::vector<sel_t> rows = SomeRows(random, input.blocks[block].count);
      output.Reset();
      REQUIRE(decoder->Gather(*bytes, input.blocks[block].count, rows, output, 0));
      for (size_t i = 0; i < rows.size(); i++) {
        if (validity != nullptr && !TestValid(validity, rows[i])) continue;
        const T& value = values[row - input.blocks[block].count + rows[i]];
        wrong += std::memcmp(output.Data<T>() + i, &value, sizeof(T)) != 0;
      }
    }
    REQUIRE(row == values.size());
    REQUIRE(wrong == 0);
  }
  return static_cast<double>(compressed->bytes.size()) / static_cast<double>(values.size());
}

template <typename T, typename F>
std::vector<T> Make(size_t count, F&& value) {
  std::vector<T> values(count);
  for (size_t i = 0; i < count; i++) values[i] = static_cast<T>(value(i));
  return values;
}

TEST_CASE("decimals in doubles become small", "[compression][alp]") {
  Random random(61);
  const auto decimals = [&](int digits, size_t range) {
    const double scale = std::pow(10.0, digits);
    return Make<double>(5000, [&](size_t) {
      return (static_cast<double>(Below(random, range)) - static_cast<double>(range / 4)) / scale;
    });
  };
  for (int digits = 0; digits <= 10; digits++) {
    INFO(digits);
    REQUIRE(RoundTrip(decimals(digits, 1000)) < 1.7);
    REQUIRE(RoundTrip(decimals(digits, 10000000)) < 3.5);
  }
  // Prices and discounts.
  REQUIRE(RoundTrip(Make<double>(
              4096, [&](size_t) { return static_cast<double>(Below(random, 11)) / 100; })) < 0.6);
  REQUIRE(RoundTrip(Make<double>(3000, [](size_t) { return 17.25; })) < 0.1);
}

TEST_CASE("decimals in floats become small", "[compression][alp]") {
  Random random(62);
  for (const float scale : {1.0f, 10.0f, 100.0f, 1000.0f}) {
    const auto values =
        Make<float>(3000, [&](size_t) { return static_cast<float>(Below(random, 1000)) / scale; });
    REQUIRE(RoundTrip(values) < 1.7);
  }
}

template <typename T>
void CheckSpecialValues(Random& random) {
  using Limits = std::numeric_limits<T>;
  const T specials[] = {T{0},
                        -T{0},
                        Limits::infinity(),
                        -Limits::infinity(),
                        Limits::quiet_NaN(),
                        -Limits::quiet_NaN(),
                        Limits::max(),
                        Limits::lowest(),
                        Limits::min(),
                        Limits::denorm_min(),
                        T(1) / 3,
                        T(9007199254740993.0),
                        T(2251799813685248.0),
                        T(-2251799813685247.0),
                        T(0.1)};
  for (const size_t percent : {1, 10, 60, 100}) {
    const auto values = Make<T>(2500, [&](size_t i) {
      return Chance(random, percent) ? specials[Below(random, std::size(specials))]
                                     : static_cast<T>(static_cast<double>(i % 700) / 100);
    });
    REQUIRE(RoundTrip(values) <= sizeof(T) + 0.01);
  }
  for (const T special : specials) RoundTrip(std::vector<T>(1500, special));
}

TEST_CASE("numbers that are no decimals are kept bit for bit", "[compression][alp]") {
  Random random(63);
  CheckSpecialValues<double>(random);
  CheckSpecialValues<float>(random);
  // Any bits at all, NaNs with payloads among them.
  const auto bits = [&](auto number) {
    using T = decltype(number);
    return Make<T>(3000, [&](size_t) {
      T value;
      const uint64_t word = random();
      std::memcpy(&value, &word, sizeof(value));
      return value;
    });
  };
  REQUIRE(RoundTrip(bits(0.0)) < 8.01);
  REQUIRE(RoundTrip(bits(0.0f)) < 4.01);
  REQUIRE(RoundTrip(Make<double>(3000, [](size_t i) { return std::sin(static_cast<double>(i)); })) < 8.01);
  REQUIRE(RoundTrip(Make<double>(3000, [](size_t i) { return static_cast<double>(i) * 1e300; })) < 8.01);
  REQUIRE(RoundTrip(Make<double>(3000, [&](size_t) { return static_cast<double>(random() >> 13); })) < 8.01);
  REQUIRE(RoundTrip(Make<double>(3000, [](size_t i) { return static_cast<double>(i) * 1e17; })) < 8.01);
}

TEST_CASE("NULLs cost ALP nothing", "[compression][alp]") {
  Random random(64);
  ValidityWord validity[kValidityWords];
  SetAllValid(validity, kVectorSize);
  for (size_t row = 0; row < kVectorSize; row++) {
    if (row != 500 && Chance(random, 70)) SetInvalid(validity, row);
  }
  // What lies at NULLs is anything; some rows before them are exceptions.
  const auto values = Make<double>(1024, [&](size_t row) {
    if (!TestValid(validity, row)) return std::nan("");
    return row % 100 == 3 ? 1.0 / 3 : static_cast<double>(Below(random, 64)) / 10;
  });
  REQUIRE(RoundTrip(values, validity) < 1.0);
}

TEST_CASE("short blocks and mixed segments", "[compression][alp]") {
  Random random(65);
  for (const size_t count : {1, 2, 15, 16, 17, 100, 1023, 1025}) {
    RoundTrip(Make<double>(count, [&](size_t i) { return static_cast<double>(i) / 100; }));
    RoundTrip(
        Make<double>(count, [&](size_t i) { return i % 3 == 0 ? -0.0 : std::sqrt(static_cast<double>(i)); }));
    RoundTrip(Make<float>(count, [&](size_t i) { return static_cast<double>(i) / 4; }));
  }
  // Blocks whose decimals have different numbers of digits, and one without decimals.
  REQUIRE(RoundTrip(Make<double>(8192, [&](size_t i) {
            const double number = static_cast<double>(Below(random, 5000));
            if (i / kVectorSize == 4) return std::sqrt(number + 2);
            return number / std::pow(10.0, static_cast<double>(i / kVectorSize % 4));
          })) < 3);
}

TEST_CASE("ALP is not estimated for what it cannot shrink", "[compression][alp]") {
  const auto roots = Make<double>(4096, [](size_t i) { return std::sqrt(static_cast<double>(i) + 2.5); });
  REQUIRE(!Alp().Estimate(InputOf(roots), 4).has_value());
  const auto prices =
      Make<double>(4096, [](size_t i) { return static_cast<double>(i * 7919 % 100000) / 100; });
  const auto estimate = Alp().Estimate(InputOf(prices), 128);
  REQUIRE(estimate.has_value());
  REQUIRE(estimate->size_bytes < 128 * 1024 * 2.3);
  REQUIRE(CompressSegment(InputOf(prices)).encoding == Encoding::kAlp);
  REQUIRE(!Alp().Supports(PhysicalType::kInt64));
  REQUIRE_THROWS_AS(Alp().Open(PhysicalType::kInt64, {}), Error);
}

TEST_CASE("damaged decimals never lead outside memory", "[compression][alp]") {
  Random random(66);
  const auto values = Make<double>(1124, [&](size_t i) {
    return i % 50 == 0 ? std::sqrt(static_cast<double>(i) + 2)
                       : static_cast<double>(Below(random, 9999)) / 100;
  });
  const auto compressed = Alp().Compress(InputOf(values));
  const auto decoder = Alp().Open(PhysicalType::kDouble, {});
  size_t errors = 0;
  for (int round = 0; round < 2000; round++) {
    const size_t index = Below(random, 2);
    auto bytes = ExactCopy(BlockOf(*compressed, index));
    if (Chance(random, 20)) bytes->resize(Below(random, bytes->size()));
    bytes->shrink_to_fit();
    for (size_t i = Below(random, 4); i > 0 && !bytes->empty(); i--) {
      const bool at_head = Chance(random, 50);
      (*bytes)[Below(random, at_head ? std::min<size_t>(bytes->size(), 14) : bytes->size())] =
          static_cast<std::byte>(random());
    }
    // The exceptions' rows stand near the end.
    if (Chance(random, 20) && bytes->size() > 220)
      (*bytes)[bytes->size() - 200 - Below(random, 20)] = std::byte{255};
    try {
      Vector output(TypeId::kDouble);
      decoder->Decode(*bytes, index == 0 ? kVectorSize : 100, KernelsOf(BestKernelLevel()), bytes, output);
    } catch (const Error& error) {
      REQUIRE(error.sqlstate() == std::string(sqlstate::kDataCorrupted));
      errors++;
    }
  }
  REQUIRE(errors > 300);
}

}  // namespace
}  // namespace scaup
