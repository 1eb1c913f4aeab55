// Kernels of every level that this machine runs, against plain scalar code.
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "../kernel_levels.hpp"
#include "common/hash.hpp"
#include "vector/kernel_table.hpp"

namespace scaup {
namespace {

const size_t kCounts[] = {0, 1, 2, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 127, 255, 500, 1000, 1023, 1024};

/// Small, medium and extreme numbers, so that both the fast paths and overflow occur.
template <typename T>
std::vector<T> RandomValues(std::mt19937_64& random, int kind) {
  std::vector<T> values(1024);
  for (T& value : values) {
    if constexpr (std::is_floating_point_v<T>) {
      const T specials[] = {0,
                            -T{0},
                            std::numeric_limits<T>::quiet_NaN(),
                            std::numeric_limits<T>::infinity(),
                            -std::numeric_limits<T>::infinity(),
                            1,
                            -1};
      value = kind != 0 && random() % 8 == 0
                  ? specials[random() % 7]
                  : static_cast<T>(static_cast<int64_t>(random() % 2000) - 1000) / 8;
    } else {
      value = kind == 0 ? static_cast<T>(static_cast<int>(random() % 11) - 5) : static_cast<T>(random());
      if (kind == 2 && random() % 4 == 0) value = std::numeric_limits<T>::min();
      if (kind == 2 && random() % 4 == 1) value = std::numeric_limits<T>::max();
      if (kind == 3) value = static_cast<T>(static_cast<int32_t>(random()));
    }
  }
  return values;
}

template <typename T>
bool Exact(int op, T a, T b, T& result) {
  if (op == 0) return __builtin_add_overflow(a, b, &result);
  if (op == 1) return __builtin_sub_overflow(a, b, &result);
  return __builtin_mul_overflow(a, b, &result);
}

template <typename T>
void CheckIntegerArithmetic(KernelType type) {
  std::mt19937_64 random(7);
  for (const KernelLevel level : KernelLevels()) {
    const KernelTable& table = KernelsOf(level);
    CHECK(table.level == level);
    for (int kind = 0; kind < 4; kind++) {
      const auto a = RandomValues<T>(random, kind), b = RandomValues<T>(random, kind);
      for (const size_t count : kCounts) {
        for (int form = 0; form < 4; form++) {
          const bool a_constant = form & 1, b_constant = form & 2;
          for (int op = 0; op < 3; op++) {
            std::vector<T> unchecked(1024), checked(1024);
            table.arithmetic[op][static_cast<int>(type)](a.data(), b.data(), unchecked.data(), count,
                                                         a_constant, b_constant);
            const bool flag = table.checked_arithmetic[op][static_cast<int>(type)](
                a.data(), b.data(), checked.data(), count, a_constant, b_constant);
            bool expected_flag = false, same = true;
            for (size_t i = 0; i < count; i++) {
              T expected;
              expected_flag |= Exact(op, a[a_constant ? 0 : i], b[b_constant ? 0 : i], expected);
              same &= expected == unchecked[i] && expected == checked[i];
            }
            if (!same || (count > 0 && flag != expected_flag)) {
              FAIL(KernelLevelName(level)
                   << " op " << op << " kind " << kind << " form " << form << " count " << count);
            }
          }
        }
      }
    }
  }
}

template <typename T>
bool ReferenceLess(T a, T b) {
  return a < b || (b != b && a == a);
}
template <typename T>
bool ReferenceEqual(T a, T b) {
  return a == b || (a != a && b != b);
}

template <typename T>
void CheckComparison(KernelType type) {
  std::mt19937_64 random(11);
  const int index = static_cast<int>(type);
  for (const KernelLevel level : KernelLevels()) {
    const KernelTable& table = KernelsOf(level);
    for (int kind = 0; kind < 2; kind++) {
      const auto a = RandomValues<T>(random, kind), b = RandomValues<T>(random, kind);
      for (const size_t count : kCounts) {
        for (const bool b_constant : {false, true}) {
          for (int op = 0; op < 6; op++) {
            std::vector<uint8_t> out(1024, 9);
            table.compare[op][index](a.data(), b.data(), out.data(), count, b_constant);
            bool same = true;
            for (size_t i = 0; i < count; i++) {
              const T x = a[i], y = b[b_constant ? 0 : i];
              const bool expected[] = {ReferenceEqual(x, y), !ReferenceEqual(x, y), ReferenceLess(x, y),
                                       !ReferenceLess(y, x), ReferenceLess(y, x),   !ReferenceLess(x, y)};
              same &= out[i] == static_cast<uint8_t>(expected[op]);
            }
            if (!same) FAIL(KernelLevelName(level) << " compare " << op << " count " << count);
          }
        }
        const T low = static_cast<T>(-3), high = static_cast<T>(4);
        std::vector<uint8_t> out(1024, 9);
        table.between[index](a.data(), &low, &high, out.data(), count);
        for (size_t i = 0; i < count; i++)
          REQUIRE(out[i] == (!ReferenceLess(a[i], low) && !ReferenceLess(high, a[i])));
        if (count == 0) continue;
        T minimum, maximum, least = a[0], most = a[0];
        table.min_max[index](a.data(), count, &minimum, &maximum);
        for (size_t i = 0; i < count; i++) {
          if (ReferenceLess(a[i], least)) least = a[i];
          if (ReferenceLess(most, a[i])) most = a[i];
        }
        REQUIRE(ReferenceEqual(minimum, least));
        REQUIRE(ReferenceEqual(maximum, most));
      }
    }
  }
}

template <typename T>
void CheckSum(int index) {
  std::mt19937_64 random(13);
  for (const KernelLevel level : KernelLevels()) {
    for (int kind = 0; kind < 3; kind++) {
      const auto values = RandomValues<T>(random, kind);
      for (const size_t count : kCounts) {
        __int128 sum, expected = 0;
        for (size_t i = 0; i < count; i++) expected += values[i];
        KernelsOf(level).sum_integers[index](values.data(), count, &sum);
        REQUIRE((sum == expected));
      }
    }
  }
}

template <typename T>
void CheckHash(int index) {
  std::mt19937_64 random(17);
  const auto values = RandomValues<T>(random, 1);
  for (const KernelLevel level : KernelLevels()) {
    for (const size_t count : kCounts) {
      std::vector<uint64_t> out(1025, 42);
      KernelsOf(level).hash[index](values.data(), count, out.data());
      for (size_t i = 0; i < count; i++) {
        REQUIRE(out[i] == HashInteger(static_cast<uint64_t>(static_cast<int64_t>(values[i]))));
      }
      REQUIRE(out[count] == 42);
    }
  }
}

template <typename T>
void CheckFloatRange(KernelType type) {
  constexpr T kMax = std::numeric_limits<T>::max(), kMin = std::numeric_limits<T>::min();
  constexpr T kInfinity = std::numeric_limits<T>::infinity(), kNan = std::numeric_limits<T>::quiet_NaN();
  constexpr T kSamples[] = {0, -T{0}, 1, -1, 2, kMax, -kMax, kMin, -kMin, kInfinity, -kInfinity, kNan};
  for (const KernelLevel level : KernelLevels()) {
    for (int op = 0; op < 3; op++) {
      for (const T a : kSamples) {
        for (const T b : kSamples) {
          for (int form = 0; form < 3; form++) {  // One such row among many good ones.
            std::vector<T> left(1000, T{3}), right(1000, T{4}), out(1000);
            (form == 1 ? left[0] : left[637]) = a;
            (form == 2 ? right[0] : right[637]) = b;
            if (form == 1) std::fill(left.begin(), left.end(), a);
            if (form == 2) std::fill(right.begin(), right.end(), b);
            const bool flag = KernelsOf(level).checked_arithmetic[op][static_cast<int>(type)](
                left.data(), right.data(), out.data(), 1000, form == 1, form == 2);
            bool expected_flag = false;
            for (size_t i = 0; i < 1000; i++) {
              const T x = left[i], y = right[i], expected = op == 0 ? x + y : op == 1 ? x - y : x * y;
              expected_flag |= std::isinf(expected) && !std::isinf(x) && !std::isinf(y);
              expected_flag |= op == 2 && expected == 0 && x != 0 && y != 0;
              REQUIRE(ReferenceEqual(out[i], expected));
            }
            INFO(KernelLevelName(level) << " op " << op << " " << a << " " << b << " form " << form);
            REQUIRE(flag == expected_flag);
          }
        }
      }
    }
  }
}

template <typename T>
void CheckBlend(size_t width) {
  std::mt19937_64 random(23);
  for (const KernelLevel level : KernelLevels()) {
    for (const size_t count : kCounts) {
      for (const bool is_constant : {false, true}) {
        std::vector<T> values(1025), before(1025), out;
        std::vector<uint8_t> mask(1025);
        for (size_t i = 0; i < 1025; i++) {
          values[i] = static_cast<T>(random());
          before[i] = static_cast<T>(random());
          mask[i] = random() % 3 == 0;
        }
        out = before;
        KernelsOf(level).blend[width](mask.data(), values.data(), is_constant, out.data(), count);
        for (size_t i = 0; i < 1025; i++) {
          const T taken = values[is_constant ? 0 : i];
          REQUIRE((out[i] == (i < count && mask[i] != 0 ? taken : before[i])));
        }
      }
    }
  }
}

}  // namespace

TEST_CASE("integer arithmetic wraps, and the checked form tells") {
  CheckIntegerArithmetic<int8_t>(KernelType::kInt8);
  CheckIntegerArithmetic<int16_t>(KernelType::kInt16);
  CheckIntegerArithmetic<int32_t>(KernelType::kInt32);
  CheckIntegerArithmetic<int64_t>(KernelType::kInt64);
}

TEST_CASE("float arithmetic is that of the machine") {
  std::mt19937_64 random(5);
  const auto a = RandomValues<double>(random, 1), b = RandomValues<double>(random, 1);
  for (const KernelLevel level : KernelLevels()) {
    std::vector<double> out(1024);
    KernelsOf(level).arithmetic[2][5](a.data(), b.data(), out.data(), 1000, false, false);
    for (size_t i = 0; i < 1000; i++) REQUIRE(ReferenceEqual(out[i], a[i] * b[i]));
  }
}

TEST_CASE("float arithmetic tells which results left the range", "[vector]") {
  CheckFloatRange<float>(KernelType::kFloat);
  CheckFloatRange<double>(KernelType::kDouble);
}

TEST_CASE("blend takes the masked rows and leaves the others", "[vector]") {
  CheckBlend<uint8_t>(0);
  CheckBlend<uint16_t>(1);
  CheckBlend<uint32_t>(2);
  CheckBlend<uint64_t>(3);
  CheckBlend<unsigned __int128>(4);
}

TEST_CASE("comparisons, ranges and extremes order NaN above all") {
  CheckComparison<int8_t>(KernelType::kInt8);
  CheckComparison<int16_t>(KernelType::kInt16);
  CheckComparison<int32_t>(KernelType::kInt32);
  CheckComparison<int64_t>(KernelType::kInt64);
  CheckComparison<float>(KernelType::kFloat);
  CheckComparison<double>(KernelType::kDouble);
}

TEST_CASE("select lists the rows of a mask and writes nothing behind them") {
  std::mt19937_64 random(3);
  for (const KernelLevel level : KernelLevels()) {
    for (const size_t count : kCounts) {
      for (const unsigned density : {0u, 1u, 4u, 8u}) {
        std::vector<uint8_t> mask(count);
        std::vector<sel_t> expected, out(count + 1, 77777);
        for (size_t i = 0; i < count; i++) {
          mask[i] = random() % 8 < density ? (random() % 2 ? 1 : 255) : 0;
          if (mask[i]) expected.push_back(static_cast<sel_t>(i));
        }
        const size_t found = KernelsOf(level).select(mask.data(), count, out.data());
        REQUIRE(found == expected.size());
        REQUIRE(std::equal(expected.begin(), expected.end(), out.begin()));
        REQUIRE(out[count] == 77777);
      }
    }
  }
}

TEST_CASE("masks combine") {
  for (const KernelLevel level : KernelLevels()) {
    std::vector<uint8_t> a(100), b(100);
    for (size_t i = 0; i < 100; i++) a[i] = i % 2, b[i] = i % 3 == 0;
    auto both = a, either = a;
    KernelsOf(level).mask_and(both.data(), b.data(), 100);
    KernelsOf(level).mask_or(either.data(), b.data(), 100);
    for (size_t i = 0; i < 100; i++) {
      REQUIRE(both[i] == (a[i] & b[i]));
      REQUIRE(either[i] == (a[i] | b[i]));
    }
  }
}

TEST_CASE("sums are exact in 128 bits") {
  CheckSum<int16_t>(0);
  CheckSum<int32_t>(1);
  CheckSum<int64_t>(2);
}

TEST_CASE("hash kernels agree with HashInteger") {
  CheckHash<int8_t>(0);
  CheckHash<int16_t>(1);
  CheckHash<int32_t>(2);
  CheckHash<int64_t>(3);
}

TEST_CASE("levels have names") {
  for (const KernelLevel level :
       {KernelLevel::kPlain, KernelLevel::kV2, KernelLevel::kV3, KernelLevel::kV4}) {
    CHECK(KernelLevelFromName(KernelLevelName(level)) == level);
  }
  CHECK_FALSE(KernelLevelFromName("v5"));
}

}  // namespace scaup
