// Kernels: comparisons and range tests that write 0 or 1 per row.
#include "vector/kernels/kernel_list.hpp"

namespace scaup::kernels::SCAUP_KERNEL_LEVEL {
namespace {

// For floats, NaN equals NaN and is above everything else; for integers x != x is never true and folds away.
// Written with & and |, because && and || would branch.
template <typename T>
bool IsEqual(T a, T b) {
  return (a == b) | ((a != a) & (b != b));
}
template <typename T>
bool IsLess(T a, T b) {
  return (a < b) | ((b != b) & (a == a));
}

struct Equal {
  template <typename T>
  static bool Apply(T a, T b) {
    return IsEqual(a, b);
  }
};
struct NotEqual {
  template <typename T>
  static bool Apply(T a, T b) {
    return !IsEqual(a, b);
  }
};
struct Less {
  template <typename T>
  static bool Apply(T a, T b) {
    return IsLess(a, b);
  }
};
struct LessEqual {
  template <typename T>
  static bool Apply(T a, T b) {
    return !IsLess(b, a);
  }
};
struct Greater {
  template <typename T>
  static bool Apply(T a, T b) {
    return IsLess(b, a);
  }
};
struct GreaterEqual {
  template <typename T>
  static bool Apply(T a, T b) {
    return !IsLess(a, b);
  }
};

template <typename T, typename Op>
void Compare(const void* a_in, const void* b_in, uint8_t* out, size_t count, bool b_is_constant) {
  const T* a = static_cast<const T*>(a_in);
  const T* b = static_cast<const T*>(b_in);
  if (b_is_constant) {
    const T value = b[0];
    for (size_t i = 0; i < count; i++) out[i] = Op::Apply(a[i], value);
  } else {
    for (size_t i = 0; i < count; i++) out[i] = Op::Apply(a[i], b[i]);
  }
}

template <typename T>
void Between(const void* a_in, const void* low_in, const void* high_in, uint8_t* out, size_t count) {
  const T* a = static_cast<const T*>(a_in);
  const T low = *static_cast<const T*>(low_in);
  const T high = *static_cast<const T*>(high_in);
  for (size_t i = 0; i < count; i++) out[i] = !IsLess(a[i], low) & !IsLess(high, a[i]);
}

template <typename Op>
void FillRow(KernelTable& table, CompareOp op) {
  auto& row = table.compare[static_cast<size_t>(op)];
  row[0] = &Compare<int8_t, Op>;
  row[1] = &Compare<int16_t, Op>;
  row[2] = &Compare<int32_t, Op>;
  row[3] = &Compare<int64_t, Op>;
  row[4] = &Compare<float, Op>;
  row[5] = &Compare<double, Op>;
}

}  // namespace

void FillComparison(KernelTable& table) {
  FillRow<Equal>(table, CompareOp::kEqual);
  FillRow<NotEqual>(table, CompareOp::kNotEqual);
  FillRow<Less>(table, CompareOp::kLess);
  FillRow<LessEqual>(table, CompareOp::kLessEqual);
  FillRow<Greater>(table, CompareOp::kGreater);
  FillRow<GreaterEqual>(table, CompareOp::kGreaterEqual);
  table.between[0] = &Between<int8_t>;
  table.between[1] = &Between<int16_t>;
  table.between[2] = &Between<int32_t>;
  table.between[3] = &Between<int64_t>;
  table.between[4] = &Between<float>;
  table.between[5] = &Between<double>;
}

}  // namespace scaup::kernels::SCAUP_KERNEL_LEVEL
