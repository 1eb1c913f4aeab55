// The bit operators & | # ~ << >> on integers.
#include "function/scalar/scalar_functions.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

struct And {
  template <typename T>
  static T Apply(T a, T b) {
    return static_cast<T>(a & b);
  }
};
struct Or {
  template <typename T>
  static T Apply(T a, T b) {
    return static_cast<T>(a | b);
  }
};
struct Xor {
  template <typename T>
  static T Apply(T a, T b) {
    return static_cast<T>(a ^ b);
  }
};

// Shift counts are taken modulo 64 for BIGINT and 32 for the rest, as PostgreSQL's are by the hardware, which
// shifts narrow integers as INTEGERs; a shift never traps.
template <typename T>
constexpr unsigned kShiftModulus = sizeof(T) == 8 ? 64 : 32;

template <typename T>
T ShiftLeft(T value, int32_t bits) {
  const unsigned amount = static_cast<unsigned>(bits) % kShiftModulus<T>;
  return static_cast<T>(static_cast<uint64_t>(value) << amount);
}
template <typename T>
T ShiftRight(T value, int32_t bits) {
  using Wide = std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>;
  return static_cast<T>(Wide{value} >> (static_cast<unsigned>(bits) % kShiftModulus<T>));
}

template <typename T, typename Op>
void Binary(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapBinary<T, T, T>(arguments.column(0), arguments.column(1), arguments.size(), result,
                     Op::template Apply<T>);
}

template <typename T>
void Not(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapUnary<T, T>(arguments.column(0), arguments.size(), result,
                 [](T value) { return static_cast<T>(~value); });
}

template <typename T, T (*kShift)(T, int32_t)>
void Shift(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapBinary<T, int32_t, T>(arguments.column(0), arguments.column(1), arguments.size(), result, kShift);
}

/// T has the bits of the type, Number its sign, too, which only a shift to the right asks for.
template <typename T, typename Number = T>
void AddOverloads(ScalarFunctionList& list, TypeId id) {
  const LogicalType type = id;
  const auto binary = [&](const char* name, ScalarKernel kernel, const char* description,
                          const char* example) {
    list.push_back({.name = name,
                    .argument_types = {type, type},
                    .return_type = type,
                    .kernel = kernel,
                    .description = description,
                    .example = example,
                    .can_fail = false});
  };
  binary("&", &Binary<T, And>, "Bits that are set in both.", "91 & 15");
  binary("|", &Binary<T, Or>, "Bits that are set in either.", "32 | 3");
  binary("#", &Binary<T, Xor>, "Bits that are set in one only.", "17 # 5");
  list.push_back({.name = "~",
                  .argument_types = {type},
                  .return_type = type,
                  .kernel = &Not<T>,
                  .description = "All bits flipped.",
                  .example = "~ 1",
                  .can_fail = false});
  binary("<<", &Shift<T, &ShiftLeft<T>>, "Bits shifted to the left.", "1 << 4");
  list.back().argument_types[1] = TypeId::kInteger;
  binary(">>", &Shift<Number, &ShiftRight<Number>>, "Bits shifted to the right, the sign kept.", "8 >> 2");
  list.back().argument_types[1] = TypeId::kInteger;
}

}  // namespace

ScalarFunctionList BitwiseFunctions() {
  ScalarFunctionList list;
  AddOverloads<int8_t>(list, TypeId::kTinyInt);
  AddOverloads<int16_t>(list, TypeId::kSmallInt);
  AddOverloads<int32_t>(list, TypeId::kInteger);
  AddOverloads<int64_t>(list, TypeId::kBigInt);
  AddOverloads<int8_t, uint8_t>(list, TypeId::kUTinyInt);
  AddOverloads<int16_t, uint16_t>(list, TypeId::kUSmallInt);
  AddOverloads<int32_t, uint32_t>(list, TypeId::kUInteger);
  AddOverloads<int64_t, uint64_t>(list, TypeId::kUBigInt);
  return list;
}

}  // namespace scaup
