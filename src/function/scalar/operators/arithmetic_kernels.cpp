// The kernels of + - *: they pass flat data to the kernel table and, on overflow, find the row to blame.
#include "common/throw.hpp"
#include "function/scalar/operators/arithmetic.hpp"
#include "function/scalar/operators/operands.hpp"
#include "type/number/decimal.hpp"
#include "type/number/int128.hpp"
#include "type/type_name.hpp"
#include "vector/kernel_type.hpp"
#include "vector/vectorized.hpp"

namespace scaup {

void ThrowNumberOutOfRange(const LogicalType& type) {
  if (type.id() == TypeId::kDecimal)
    ThrowOutOfRange("numeric field overflow: the result needs more than 38 digits");
  ThrowOutOfRange(PostgresTypeName(type) + " out of range");
}

namespace {

template <ArithmeticOp kOp, typename T>
bool Overflows(T a, T b, T& result) {
  if constexpr (kOp == ArithmeticOp::kAdd) return __builtin_add_overflow(a, b, &result);
  if constexpr (kOp == ArithmeticOp::kSubtract) return __builtin_sub_overflow(a, b, &result);
  return __builtin_mul_overflow(a, b, &result);
}

template <ArithmeticOp kOp, typename T>
void Unchecked(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  Operands operands;
  if (!PrepareOperands(arguments, result, operands)) return;
  const auto kernel =
      call.context.kernels.arithmetic[static_cast<size_t>(kOp)][static_cast<size_t>(*KernelTypeOf<T>())];
  kernel(operands.a, operands.b, result.MutableData<T>(), arguments.size(), operands.a_is_constant,
         operands.b_is_constant);
}

// The kernel's flag also reports garbage under NULLs, so a raised flag is checked row by row.
template <ArithmeticOp kOp, typename T>
void ThrowIfRowOverflowed(const Operands& operands, size_t count, const Vector& result,
                          const LogicalType& type) {
  const ValidityWord* validity = result.Validity();
  for (size_t row = 0; row < count; row++) {
    T ignored;
    if (!IsValidRow(validity, row)) continue;
    const T a = operands.A<T>()[operands.a_is_constant ? 0 : row];
    const T b = operands.B<T>()[operands.b_is_constant ? 0 : row];
    if (Overflows<kOp>(a, b, ignored)) ThrowNumberOutOfRange(type);
  }
}

template <ArithmeticOp kOp, typename T>
void Checked(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  Operands operands;
  if (!PrepareOperands(arguments, result, operands)) return;
  const auto kernel =
      call.context.kernels
          .checked_arithmetic[static_cast<size_t>(kOp)][static_cast<size_t>(*KernelTypeOf<T>())];
  if (kernel(operands.a, operands.b, result.MutableData<T>(), arguments.size(), operands.a_is_constant,
             operands.b_is_constant)) {
    ThrowIfRowOverflowed<kOp, T>(operands, arguments.size(), result, call.return_type);
  }
}

/// Unsigned integers have no kernels of their own; without checks, their bits are those of the signed twin.
template <ArithmeticOp kOp, typename T>
void CheckedUnsigned(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  Operands operands;
  if (!PrepareOperands(arguments, result, operands)) return;
  const size_t a_step = operands.a_is_constant ? 0 : 1, b_step = operands.b_is_constant ? 0 : 1;
  const T *a = operands.A<T>(), *b = operands.B<T>();
  T* out = result.MutableData<T>();
  bool failed = false;
  for (size_t row = 0; row < arguments.size(); row++)
    failed |= Overflows<kOp>(a[row * a_step], b[row * b_step], out[row]);
  if (failed) ThrowIfRowOverflowed<kOp, T>(operands, arguments.size(), result, call.return_type);
}

// For floats, a finite pair must not yield infinity, nor a product of non-zero numbers zero.
template <ArithmeticOp kOp, typename T>
void ThrowIfRowLeftRange(const Operands& operands, size_t count, const Vector& result, const T* out) {
  const ValidityWord* validity = result.Validity();
  for (size_t row = 0; row < count; row++) {
    if (!IsValidRow(validity, row)) continue;
    const T a = operands.A<T>()[operands.a_is_constant ? 0 : row];
    const T b = operands.B<T>()[operands.b_is_constant ? 0 : row];
    if (__builtin_isinf(out[row]) && !__builtin_isinf(a) && !__builtin_isinf(b)) {
      ThrowOutOfRange("value out of range: overflow");
    }
    if (kOp == ArithmeticOp::kMultiply && out[row] == 0 && a != 0 && b != 0) {
      ThrowOutOfRange("value out of range: underflow");
    }
  }
}

template <ArithmeticOp kOp, typename T>
void CheckedFloat(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  Operands operands;
  if (!PrepareOperands(arguments, result, operands)) return;
  const size_t count = arguments.size();
  T* out = result.MutableData<T>();
  const auto kernel =
      call.context.kernels
          .checked_arithmetic[static_cast<size_t>(kOp)][static_cast<size_t>(*KernelTypeOf<T>())];
  // The flag also reports garbage under NULLs.
  if (kernel(operands.a, operands.b, out, count, operands.a_is_constant, operands.b_is_constant))
    ThrowIfRowLeftRange<kOp, T>(operands, count, result, out);
}

template <ArithmeticOp kOp>
int128_t Wrap(int128_t a, int128_t b) {
  const auto x = static_cast<uint128_t>(a), y = static_cast<uint128_t>(b);
  if constexpr (kOp == ArithmeticOp::kAdd) return static_cast<int128_t>(x + y);
  if constexpr (kOp == ArithmeticOp::kSubtract) return static_cast<int128_t>(x - y);
  return static_cast<int128_t>(x * y);
}

template <ArithmeticOp kOp>
void Unchecked128(const ScalarCall&, DataChunk& arguments, Vector& result) {
  Operands operands;
  if (!PrepareOperands(arguments, result, operands)) return;
  const size_t a_step = operands.a_is_constant ? 0 : 1, b_step = operands.b_is_constant ? 0 : 1;
  const int128_t *a = operands.A<int128_t>(), *b = operands.B<int128_t>();
  int128_t* out = result.MutableData<int128_t>();
  for (size_t row = 0; row < arguments.size(); row++) out[row] = Wrap<kOp>(a[row * a_step], b[row * b_step]);
}

bool Fits64(int128_t value) { return value == static_cast<int64_t>(value); }

// Most 128-bit products have small factors, which need a single multiplication and no check.
template <ArithmeticOp kOp>
bool Overflows128(int128_t a, int128_t b, int128_t& result) {
  if constexpr (kOp == ArithmeticOp::kMultiply) {
    if (Fits64(a) && Fits64(b)) {
      result = static_cast<int128_t>(static_cast<int64_t>(a)) * static_cast<int64_t>(b);
      return false;
    }
  }
  return Overflows<kOp>(a, b, result);
}

template <ArithmeticOp kOp, bool kIsDecimal>
void Checked128(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  Operands operands;
  if (!PrepareOperands(arguments, result, operands)) return;
  const size_t a_step = operands.a_is_constant ? 0 : 1, b_step = operands.b_is_constant ? 0 : 1;
  const int128_t *a = operands.A<int128_t>(), *b = operands.B<int128_t>();
  int128_t* out = result.MutableData<int128_t>();
  const ValidityWord* validity = result.Validity();
  const int128_t limit = kIsDecimal ? PowerOfTen(38) : kInt128Max;
  for (size_t row = 0; row < arguments.size(); row++) {
    bool failed = Overflows128<kOp>(a[row * a_step], b[row * b_step], out[row]);
    if constexpr (kIsDecimal) failed |= out[row] >= limit || out[row] <= -limit;
    if (failed && IsValidRow(validity, row)) ThrowNumberOutOfRange(call.return_type);
  }
}

// Multiplies 64-bit factors to a 128-bit product, which never overflows.
void WideningMultiply(const ScalarCall&, DataChunk& arguments, Vector& result) {
  Operands operands;
  if (!PrepareOperands(arguments, result, operands)) return;
  const size_t a_step = operands.a_is_constant ? 0 : 1, b_step = operands.b_is_constant ? 0 : 1;
  const int64_t *a = operands.A<int64_t>(), *b = operands.B<int64_t>();
  int128_t* out = result.MutableData<int128_t>();
  for (size_t row = 0; row < arguments.size(); row++) {
    out[row] = static_cast<int128_t>(a[row * a_step]) * b[row * b_step];
  }
}

template <ArithmeticOp kOp>
ArithmeticKernels PickKernels(PhysicalType type, bool is_decimal) {
  switch (type) {
    case PhysicalType::kInt8: return {&Checked<kOp, int8_t>, &Unchecked<kOp, int8_t>};
    case PhysicalType::kInt16: return {&Checked<kOp, int16_t>, &Unchecked<kOp, int16_t>};
    case PhysicalType::kInt32: return {&Checked<kOp, int32_t>, &Unchecked<kOp, int32_t>};
    case PhysicalType::kInt64: return {&Checked<kOp, int64_t>, &Unchecked<kOp, int64_t>};
    case PhysicalType::kInt128:
      return {is_decimal ? &Checked128<kOp, true> : &Checked128<kOp, false>, &Unchecked128<kOp>};
    case PhysicalType::kUInt8: return {&CheckedUnsigned<kOp, uint8_t>, &Unchecked<kOp, int8_t>};
    case PhysicalType::kUInt16: return {&CheckedUnsigned<kOp, uint16_t>, &Unchecked<kOp, int16_t>};
    case PhysicalType::kUInt32: return {&CheckedUnsigned<kOp, uint32_t>, &Unchecked<kOp, int32_t>};
    case PhysicalType::kUInt64: return {&CheckedUnsigned<kOp, uint64_t>, &Unchecked<kOp, int64_t>};
    case PhysicalType::kFloat: return {&CheckedFloat<kOp, float>, nullptr};
    case PhysicalType::kDouble: return {&CheckedFloat<kOp, double>, nullptr};
    default: ThrowInternal("no arithmetic over this type");
  }
}

template <typename T>
void Negate(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const auto view = arguments.column(0).ViewAs<T>(arguments.size());
  T* out = result.MutableData<T>();
  for (size_t row = 0; row < arguments.size(); row++) {
    if (!view.IsValid(row)) {
      result.SetNull(row);
    } else if constexpr (std::is_floating_point_v<T>) {
      out[row] = -view[row];
    } else if (Overflows<ArithmeticOp::kSubtract>(T{0}, view[row], out[row])) {
      ThrowNumberOutOfRange(call.return_type);
    }
  }
}

template <typename T>
void NegateUnchecked(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapUnary<T, T>(arguments.column(0), arguments.size(), result,
                 [](T value) { return static_cast<T>(-value); });
}

}  // namespace

ArithmeticKernels PickArithmeticKernels(ArithmeticOp op, PhysicalType argument, PhysicalType result,
                                        bool is_decimal) {
  if (op == ArithmeticOp::kMultiply && argument == PhysicalType::kInt64 && result == PhysicalType::kInt128) {
    return {&WideningMultiply, &WideningMultiply};
  }
  SCAUP_CHECK(argument == result);
  switch (op) {
    case ArithmeticOp::kAdd: return PickKernels<ArithmeticOp::kAdd>(result, is_decimal);
    case ArithmeticOp::kSubtract: return PickKernels<ArithmeticOp::kSubtract>(result, is_decimal);
    case ArithmeticOp::kMultiply: return PickKernels<ArithmeticOp::kMultiply>(result, is_decimal);
  }
  ThrowInternal("unknown arithmetic operator");
}

ArithmeticKernels PickNegationKernels(PhysicalType type) {
  switch (type) {
    case PhysicalType::kInt8: return {&Negate<int8_t>, &NegateUnchecked<int8_t>};
    case PhysicalType::kInt16: return {&Negate<int16_t>, &NegateUnchecked<int16_t>};
    case PhysicalType::kInt32: return {&Negate<int32_t>, &NegateUnchecked<int32_t>};
    case PhysicalType::kInt64: return {&Negate<int64_t>, &NegateUnchecked<int64_t>};
    case PhysicalType::kInt128: return {&Negate<int128_t>, &NegateUnchecked<int128_t>};
    // Only of zero there is a negative.
    case PhysicalType::kUInt8: return {&Negate<uint8_t>, &NegateUnchecked<int8_t>};
    case PhysicalType::kUInt16: return {&Negate<uint16_t>, &NegateUnchecked<int16_t>};
    case PhysicalType::kUInt32: return {&Negate<uint32_t>, &NegateUnchecked<int32_t>};
    case PhysicalType::kUInt64: return {&Negate<uint64_t>, &NegateUnchecked<int64_t>};
    case PhysicalType::kFloat: return {&Negate<float>, nullptr};
    case PhysicalType::kDouble: return {&Negate<double>, nullptr};
    default: ThrowInternal("no negation of this type");
  }
}

}  // namespace scaup
