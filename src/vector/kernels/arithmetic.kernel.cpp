// Kernels: addition, subtraction and multiplication without checks.
#include "vector/kernels/kernel_list.hpp"

namespace scaup::kernels::SCAUP_KERNEL_LEVEL {
namespace {

// Integers wrap, so they are computed in an unsigned type no narrower than int.
template <typename T>
struct Wrapping {
  using Type = unsigned;
};
template <>
struct Wrapping<int64_t> {
  using Type = uint64_t;
};
template <>
struct Wrapping<float> {
  using Type = float;
};
template <>
struct Wrapping<double> {
  using Type = double;
};

struct Add {
  template <typename U>
  static U Apply(U a, U b) {
    return a + b;
  }
};
struct Subtract {
  template <typename U>
  static U Apply(U a, U b) {
    return a - b;
  }
};
struct Multiply {
  template <typename U>
  static U Apply(U a, U b) {
    return a * b;
  }
};

template <typename T, typename Op>
void Apply(const void* a_in, const void* b_in, void* out_in, size_t count, bool a_is_constant,
           bool b_is_constant) {
  using U = typename Wrapping<T>::Type;
  const T* a = static_cast<const T*>(a_in);
  const T* b = static_cast<const T*>(b_in);
  T* out = static_cast<T*>(out_in);
  if (a_is_constant && b_is_constant) {
    const T value = static_cast<T>(Op::Apply(static_cast<U>(a[0]), static_cast<U>(b[0])));
    for (size_t i = 0; i < count; i++) out[i] = value;
  } else if (a_is_constant) {
    const U value = static_cast<U>(a[0]);
    for (size_t i = 0; i < count; i++) out[i] = static_cast<T>(Op::Apply(value, static_cast<U>(b[i])));
  } else if (b_is_constant) {
    const U value = static_cast<U>(b[0]);
    for (size_t i = 0; i < count; i++) out[i] = static_cast<T>(Op::Apply(static_cast<U>(a[i]), value));
  } else {
    for (size_t i = 0; i < count; i++) {
      out[i] = static_cast<T>(Op::Apply(static_cast<U>(a[i]), static_cast<U>(b[i])));
    }
  }
}

template <typename Op>
void FillRow(KernelTable::Arithmetic (&row)[kKernelTypes]) {
  row[0] = &Apply<int8_t, Op>;
  row[1] = &Apply<int16_t, Op>;
  row[2] = &Apply<int32_t, Op>;
  row[3] = &Apply<int64_t, Op>;
  row[4] = &Apply<float, Op>;
  row[5] = &Apply<double, Op>;
}

}  // namespace

void FillArithmetic(KernelTable& table) {
  FillRow<Add>(table.arithmetic[static_cast<size_t>(ArithmeticOp::kAdd)]);
  FillRow<Subtract>(table.arithmetic[static_cast<size_t>(ArithmeticOp::kSubtract)]);
  FillRow<Multiply>(table.arithmetic[static_cast<size_t>(ArithmeticOp::kMultiply)]);
}

}  // namespace scaup::kernels::SCAUP_KERNEL_LEVEL
