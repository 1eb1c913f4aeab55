// bit_and, bit_or and bit_xor over bit strings, and bitstring_agg, which marks integers in one.
#include <cstring>

#include <fmt/format.h>

#include "common/throw.hpp"
#include "function/aggregate/aggregate_families.hpp"
#include "function/aggregate/aggregate_loops.hpp"
#include "function/aggregate/kept_value.hpp"
#include "type/number/bit_string.hpp"

namespace scaup {
namespace {

constexpr size_t kGroupBytes = kStoredBitGroupBytes;

struct AndBits {
  static constexpr const char* kName = "AND";
  static uint64_t Apply(uint64_t a, uint64_t b) { return a & b; }
};
struct OrBits {
  static constexpr const char* kName = "OR";
  static uint64_t Apply(uint64_t a, uint64_t b) { return a | b; }
};
struct XorBits {
  static constexpr const char* kName = "XOR";
  static uint64_t Apply(uint64_t a, uint64_t b) { return a ^ b; }
};

/// Folds the stored forms, of which the bytes that say how many bits count are the same.
template <typename Op>
class BitStringFold {
 public:
  using Input = StringRef;
  struct State {
    KeptValue<StringRef> bits;
    bool seen = false;
  };
  explicit BitStringFold(const AggregateCall& call) : arena_(call.arena) {}

  void Add(State& state, const StringRef& value) {
    if (!state.seen) {
      state.bits.Set(value, arena_);
      state.seen = true;
      return;
    }
    CheckSizes(state.bits.value.view(), value.view());
    if (!value.is_inline()) return Apply(state.bits.buffer, value.view());
    char bytes[StringRef::kInlineBytes];
    std::memcpy(bytes, state.bits.value.data(), value.size());
    Apply(bytes, value.view());
    state.bits.value = StringRef(bytes, value.size());
  }
  void AddRepeated(State& state, const StringRef& value, size_t count) {
    Add(state, value);
    // An even number of XORs leaves nothing of a value, and one of AND or OR is as good as many.
    if (std::is_same_v<Op, XorBits> && count % 2 == 0) Add(state, value);
  }
  /// Copies, since a state of a window goes on after others have taken it over.
  void Combine(State& target, const State& source) {
    if (source.seen) Add(target, source.bits.value);
  }
  bool Finalize(const State& state, Vector& result, size_t row) {
    if (state.seen) state.bits.Store(result, row);
    return state.seen;
  }
  void Finish() {}

 private:
  static void CheckSizes(std::string_view a, std::string_view b) {
    if (StoredBitCount(a) == StoredBitCount(b)) return;
    ThrowError(ErrorKind::kOutOfRange, sqlstate::kStringLengthMismatch,
               fmt::format("cannot {} bit strings of different sizes, {} and {}", Op::kName,
                           StoredBitCount(a), StoredBitCount(b)));
  }

  static void Apply(char* target, std::string_view bits) {
    for (size_t at = 0; at < bits.size(); at += kGroupBytes) {
      uint64_t word, other;
      std::memcpy(&word, target + at, sizeof(word));
      std::memcpy(&other, bits.data() + at, sizeof(other));
      word = Op::Apply(word, other);
      std::memcpy(target + at, &word, sizeof(word));
    }
  }

  Arena& arena_;
};

template <typename Op>
void AddFold(AggregateList& list, const char* name, const char* description, const char* example) {
  list.push_back(MakeAggregate(name, {TypeId::kBit}, TypeId::kBit, description, example));
  UnaryAggregate<BitStringFold<Op>>::Fill(list.back());
  list.back().ignores_duplicates = !std::is_same_v<Op, XorBits>;
}

/// bitstring_agg(x, least, greatest): a bit for each integer from the least to the greatest, 1 if it occurs.
class MarkedIntegers {
 public:
  struct State {
    int64_t least = 0;
    uint64_t size = 0;  ///< 0 without a row
    uint64_t* words = nullptr;
  };
  explicit MarkedIntegers(const AggregateCall& call) : arena_(call.arena) {}

  void Combine(State& target, const State& source) {
    if (source.size == 0) return;
    Prepare(target, source.least, source.least + static_cast<int64_t>(source.size - 1));
    for (size_t i = 0; i < WordCount(target.size); i++) target.words[i] |= source.words[i];
  }
  bool Finalize(const State& state, Vector& result, size_t row) {
    if (state.size == 0) return false;
    BitString bits;
    for (uint64_t at = 0; at < state.size; at += kWordBits)
      bits.Append(state.words[at / kWordBits], std::min(state.size - at, kWordBits));
    std::string stored;
    bits.Store(stored);
    result.MutableData<StringRef>()[row] = result.AddString(stored);
    return true;
  }
  void Finish() {}

 private:
  friend struct RowAggregate<MarkedIntegers>;

  static constexpr uint64_t kWordBits = 64;
  static constexpr uint64_t kMostBits = 1'000'000'000;
  static size_t WordCount(uint64_t size) { return (size + kWordBits - 1) / kWordBits; }

  void Prepare(State& state, int64_t least, int64_t greatest) {
    const uint64_t span = static_cast<uint64_t>(greatest) - static_cast<uint64_t>(least);
    if (least > greatest || span >= kMostBits) {
      ThrowError(ErrorKind::kOutOfRange, sqlstate::kInvalidParameterValue,
                 fmt::format("bitstring_agg: the range {} to {} must have 1 to {} integers", least, greatest,
                             kMostBits));
    }
    if (state.size == 0) {
      state.least = least;
      state.size = span + 1;
      const size_t size_bytes = WordCount(state.size) * sizeof(uint64_t);
      state.words = reinterpret_cast<uint64_t*>(arena_.Allocate(size_bytes, alignof(uint64_t)));
      std::memset(state.words, 0, size_bytes);
    } else if (state.least != least || state.size != span + 1) {
      ThrowError(ErrorKind::kOutOfRange, sqlstate::kInvalidParameterValue,
                 "bitstring_agg: the range must be the same for all rows of a group");
    }
  }

  void Add(State& state, int64_t integer, int64_t least, int64_t greatest) {
    Prepare(state, least, greatest);
    if (integer < least || integer > greatest) {
      ThrowError(ErrorKind::kOutOfRange, sqlstate::kNumericOutOfRange,
                 fmt::format("bitstring_agg: {} is outside of the range {} to {}", integer, least, greatest));
    }
    const uint64_t place = static_cast<uint64_t>(integer) - static_cast<uint64_t>(least);
    state.words[place / kWordBits] |= uint64_t{1} << (kWordBits - 1 - place % kWordBits);
  }

  template <typename GetState>
  static void AddRows(const AggregateCall& call, std::span<Vector> arguments, size_t count,
                      GetState&& get_state) {
    MarkedIntegers aggregate(call);
    const auto integers = arguments[0].ViewAs<int64_t>(count);
    const auto least = arguments[1].ViewAs<int64_t>(count);
    const auto greatest = arguments[2].ViewAs<int64_t>(count);
    for (size_t row = 0; row < count; row++) {
      if (!integers.IsValid(row)) continue;
      if (!least.IsValid(row) || !greatest.IsValid(row)) {
        ThrowError(ErrorKind::kOutOfRange, sqlstate::kNullValueNotAllowed,
                   "bitstring_agg: the ends of the range must not be NULL");
      }
      aggregate.Add(get_state(row), integers[row], least[row], greatest[row]);
    }
  }

  Arena& arena_;
};

}  // namespace

void AddBitStrings(AggregateList& list) {
  AddFold<AndBits>(list, "bit_and", "The bits that are set in all x that are not NULL.",
                   "bit_and(x::INTEGER::BIT)");
  AddFold<OrBits>(list, "bit_or", "The bits that are set in any x that is not NULL.",
                  "bit_or(x::INTEGER::BIT)");
  AddFold<XorBits>(list, "bit_xor", "The bits that are set in an odd number of x.",
                   "bit_xor(x::INTEGER::BIT)");
  list.push_back(MakeAggregate("bitstring_agg", {TypeId::kBigInt, TypeId::kBigInt, TypeId::kBigInt},
                               TypeId::kBit,
                               "A bit for each integer from the second to the third argument, 1 if x has it.",
                               "bitstring_agg(x, 0, 9)"));
  RowAggregate<MarkedIntegers>::Fill(list.back());
  list.back().ignores_duplicates = true;
}

}  // namespace scaup
