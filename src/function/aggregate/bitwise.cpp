// bit_and, bit_or and bit_xor over integers.
#include "function/aggregate/aggregate_families.hpp"
#include "function/aggregate/aggregate_loops.hpp"

namespace scaup {
namespace {

enum class BitOp { kAnd, kOr, kXor };

template <typename T, BitOp kOp>
class BitFold {
 public:
  using Input = T;
  struct State {
    T value = kOp == BitOp::kAnd ? static_cast<T>(-1) : T{0};
    bool seen = false;
  };
  explicit BitFold(const AggregateCall&) {}
  void Add(State& state, const T& value) {
    if constexpr (kOp == BitOp::kAnd) {
      state.value = static_cast<T>(state.value & value);
    } else if constexpr (kOp == BitOp::kOr) {
      state.value = static_cast<T>(state.value | value);
    } else {
      state.value = static_cast<T>(state.value ^ value);
    }
    state.seen = true;
  }
  void AddRepeated(State& state, const T& value, size_t count) {
    if (kOp == BitOp::kXor && count % 2 == 0) {
      state.seen = true;
    } else {
      Add(state, value);
    }
  }
  void Combine(State& target, const State& source) {
    if (source.seen) Add(target, source.value);
  }
  bool Finalize(const State& state, Vector& result, size_t row) {
    if (state.seen) result.MutableData<T>()[row] = state.value;
    return state.seen;
  }
  void Finish() {}
};

template <BitOp kOp>
void AddOverloads(AggregateList& list, const char* name, const char* description, const char* example) {
  const auto add = [&](TypeId type, void (*fill)(AggregateFunction&)) {
    list.push_back(MakeAggregate(name, {type}, type, description, example));
    fill(list.back());
    list.back().ignores_duplicates = kOp != BitOp::kXor;
  };
  add(TypeId::kTinyInt, UnaryAggregate<BitFold<int8_t, kOp>>::Fill);
  add(TypeId::kSmallInt, UnaryAggregate<BitFold<int16_t, kOp>>::Fill);
  add(TypeId::kInteger, UnaryAggregate<BitFold<int32_t, kOp>>::Fill);
  add(TypeId::kBigInt, UnaryAggregate<BitFold<int64_t, kOp>>::Fill);
  add(TypeId::kHugeInt, UnaryAggregate<BitFold<int128_t, kOp>>::Fill);
  // Signs do not matter to bits.
  add(TypeId::kUTinyInt, UnaryAggregate<BitFold<int8_t, kOp>>::Fill);
  add(TypeId::kUSmallInt, UnaryAggregate<BitFold<int16_t, kOp>>::Fill);
  add(TypeId::kUInteger, UnaryAggregate<BitFold<int32_t, kOp>>::Fill);
  add(TypeId::kUBigInt, UnaryAggregate<BitFold<int64_t, kOp>>::Fill);
}

}  // namespace

void AddBitwise(AggregateList& list) {
  AddOverloads<BitOp::kAnd>(list, "bit_and", "The bitwise AND of all x that are not NULL.", "bit_and(x)");
  AddOverloads<BitOp::kOr>(list, "bit_or", "The bitwise OR of all x that are not NULL.", "bit_or(x)");
  AddOverloads<BitOp::kXor>(list, "bit_xor", "The bitwise exclusive OR of all x that are not NULL.",
                            "bit_xor(x)");
}

}  // namespace scaup
