// Kernels: addition, subtraction and multiplication that report whether any row left its type's range.
#include "vector/kernels/kernel_list.hpp"

namespace scaup::kernels::SCAUP_KERNEL_LEVEL {
namespace {

template <typename T>
struct Types;
template <>
struct Types<int8_t> {
  using Unsigned = uint8_t;
  using Wide = int16_t;
};
template <>
struct Types<int16_t> {
  using Unsigned = uint16_t;
  using Wide = int32_t;
};
template <>
struct Types<int32_t> {
  using Unsigned = uint32_t;
  using Wide = int64_t;
};
template <>
struct Types<int64_t> {
  using Unsigned = uint64_t;
};

// Each operation returns the wrapped result and ORs a word into `flag` that reports overflow by its sign or
// by any bit. Without branches the loops vectorize.
template <typename T>
struct CheckedAdd {
  using Flag = T;
  static T Apply(T a, T b, Flag& flag) {
    using U = typename Types<T>::Unsigned;
    const T result = static_cast<T>(static_cast<U>(static_cast<U>(a) + static_cast<U>(b)));
    flag |= static_cast<T>((a ^ result) & (b ^ result));  // negative if both signs differ from the result's
    return result;
  }
  static bool Overflowed(Flag flag) { return flag < 0; }
};

template <typename T>
struct CheckedSubtract {
  using Flag = T;
  static T Apply(T a, T b, Flag& flag) {
    using U = typename Types<T>::Unsigned;
    const T result = static_cast<T>(static_cast<U>(static_cast<U>(a) - static_cast<U>(b)));
    flag |= static_cast<T>((a ^ b) & (a ^ result));
    return result;
  }
  static bool Overflowed(Flag flag) { return flag < 0; }
};

// Up to 32 bits: multiplies in twice the width and checks whether narrowing lost anything.
template <typename T>
struct CheckedMultiply {
  using Flag = typename Types<T>::Wide;
  static T Apply(T a, T b, Flag& flag) {
    using Wide = typename Types<T>::Wide;
    const Wide wide = static_cast<Wide>(static_cast<Wide>(a) * static_cast<Wide>(b));
    const T result = static_cast<T>(wide);
    flag |= static_cast<Wide>(wide ^ static_cast<Wide>(result));
    return result;
  }
  static bool Overflowed(Flag flag) { return flag != 0; }
};

// Floats are checked by their bits: comparisons of floats could trap, and would prevent vectorization.
template <typename T>
struct FloatBits;
template <>
struct FloatBits<float> {
  using Word = uint32_t;
  static constexpr Word kExponent = 0x7f800000U;
};
template <>
struct FloatBits<double> {
  using Word = uint64_t;
  static constexpr Word kExponent = 0x7ff0000000000000ULL;
};

template <typename T>
typename FloatBits<T>::Word BitsOf(T value) {
  typename FloatBits<T>::Word bits;
  __builtin_memcpy(&bits, &value, sizeof(bits));
  return bits;
}

template <typename T, ArithmeticOp kOp>
struct CheckedFloat {
  using Flag = typename FloatBits<T>::Word;
  static T Apply(T a, T b, Flag& flag) {
    constexpr Flag kExponent = FloatBits<T>::kExponent;
    const T result = kOp == ArithmeticOp::kAdd ? a + b : kOp == ArithmeticOp::kSubtract ? a - b : a * b;
    const Flag a_bits = BitsOf(a), b_bits = BitsOf(b), result_bits = BitsOf(result);
    flag |= static_cast<Flag>((result_bits & kExponent) == kExponent) &
            static_cast<Flag>((a_bits & kExponent) != kExponent) &
            static_cast<Flag>((b_bits & kExponent) != kExponent);
    if constexpr (kOp == ArithmeticOp::kMultiply) {
      // The shifts drop the signs.
      flag |= static_cast<Flag>(result_bits << 1 == 0) & static_cast<Flag>(a_bits << 1 != 0) &
              static_cast<Flag>(b_bits << 1 != 0);
    }
    return result;
  }
  static bool Overflowed(Flag flag) { return flag != 0; }
};

template <typename T, typename Op>
bool Apply(const void* a_in, const void* b_in, void* out_in, size_t count, bool a_is_constant,
           bool b_is_constant) {
  const T* a = static_cast<const T*>(a_in);
  const T* b = static_cast<const T*>(b_in);
  T* out = static_cast<T*>(out_in);
  typename Op::Flag flag = 0;
  if (a_is_constant && b_is_constant) {
    const T value = Op::Apply(a[0], b[0], flag);
    for (size_t i = 0; i < count; i++) out[i] = value;
  } else if (a_is_constant) {
    const T value = a[0];
    for (size_t i = 0; i < count; i++) out[i] = Op::Apply(value, b[i], flag);
  } else if (b_is_constant) {
    const T value = b[0];
    for (size_t i = 0; i < count; i++) out[i] = Op::Apply(a[i], value, flag);
  } else {
    for (size_t i = 0; i < count; i++) out[i] = Op::Apply(a[i], b[i], flag);
  }
  return Op::Overflowed(flag);
}

// Whether every value is in [-2^31, 2^31).
bool AllFit32(const int64_t* values, size_t count) {
  uint64_t high = 0;
  for (size_t i = 0; i < count; i++) high |= (static_cast<uint64_t>(values[i]) + 0x80000000U) >> 32;
  return high == 0;
}

// 64-bit multiplication. Products of 32-bit numbers cannot overflow, and most columns hold nothing larger;
// for them the loops vectorize.
bool MultiplyInt64(const void* a_in, const void* b_in, void* out_in, size_t count, bool a_is_constant,
                   bool b_is_constant) {
  const int64_t* a = static_cast<const int64_t*>(a_in);
  const int64_t* b = static_cast<const int64_t*>(b_in);
  int64_t* out = static_cast<int64_t*>(out_in);
  if (AllFit32(a, a_is_constant ? 1 : count) && AllFit32(b, b_is_constant ? 1 : count)) {
    if (a_is_constant) {
      const int64_t value = a[0];
      for (size_t i = 0; i < count; i++) out[i] = value * static_cast<int32_t>(b[b_is_constant ? 0 : i]);
    } else if (b_is_constant) {
      const int64_t value = b[0];
      for (size_t i = 0; i < count; i++) out[i] = value * static_cast<int32_t>(a[i]);
    } else {
      for (size_t i = 0; i < count; i++) {
        out[i] = static_cast<int64_t>(static_cast<int32_t>(a[i])) * static_cast<int32_t>(b[i]);
      }
    }
    return false;
  }
  bool overflowed = false;
  const size_t a_step = a_is_constant ? 0 : 1, b_step = b_is_constant ? 0 : 1;
  for (size_t i = 0; i < count; i++) {
    int64_t product;
    overflowed |= __builtin_mul_overflow(a[i * a_step], b[i * b_step], &product);
    out[i] = product;
  }
  return overflowed;
}

template <template <typename> typename Op>
void FillRow(KernelTable::CheckedArithmetic (&row)[kKernelTypes]) {
  row[0] = &Apply<int8_t, Op<int8_t>>;
  row[1] = &Apply<int16_t, Op<int16_t>>;
  row[2] = &Apply<int32_t, Op<int32_t>>;
  row[3] = &Apply<int64_t, Op<int64_t>>;
}

template <ArithmeticOp kOp>
void FillFloats(KernelTable& table) {
  auto& row = table.checked_arithmetic[static_cast<size_t>(kOp)];
  row[4] = &Apply<float, CheckedFloat<float, kOp>>;
  row[5] = &Apply<double, CheckedFloat<double, kOp>>;
}

}  // namespace

void FillChecked(KernelTable& table) {
  FillRow<CheckedAdd>(table.checked_arithmetic[static_cast<size_t>(ArithmeticOp::kAdd)]);
  FillRow<CheckedSubtract>(table.checked_arithmetic[static_cast<size_t>(ArithmeticOp::kSubtract)]);
  // 64-bit products have no wider type to check in.
  auto& multiply = table.checked_arithmetic[static_cast<size_t>(ArithmeticOp::kMultiply)];
  multiply[0] = &Apply<int8_t, CheckedMultiply<int8_t>>;
  multiply[1] = &Apply<int16_t, CheckedMultiply<int16_t>>;
  multiply[2] = &Apply<int32_t, CheckedMultiply<int32_t>>;
  multiply[3] = &MultiplyInt64;
  FillFloats<ArithmeticOp::kAdd>(table);
  FillFloats<ArithmeticOp::kSubtract>(table);
  FillFloats<ArithmeticOp::kMultiply>(table);
}

}  // namespace scaup::kernels::SCAUP_KERNEL_LEVEL
