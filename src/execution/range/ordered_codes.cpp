// Ordered codes: sortable numbers, and positions among the known values.
#include "execution/range/ordered_codes.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "common/throw.hpp"
#include "execution/range/count_below.hpp"
#include "execution/sort/row_order.hpp"
#include "type/sortable_bytes.hpp"
#include "type/visit_physical_type.hpp"

namespace scaup {

namespace {

template <typename T>
auto Sortable(const T& value) {
  if constexpr (std::is_same_v<T, StringRef>) {
    return value;
  } else {
    return SortableNumber(value);
  }
}

/// Whether a value's sortable number is its code.
template <typename T>
constexpr bool kIsCode = sizeof(decltype(Sortable(std::declval<T>()))) <= sizeof(uint64_t);

// Known values have odd codes. The even codes between and beside them are for unknown values.
constexpr uint64_t KnownCode(uint64_t place) { return 2 * place + 1; }
constexpr uint64_t UnknownCode(uint64_t place_of_next) { return 2 * place_of_next; }

[[maybe_unused]] bool HasNull(const ColumnCollection& rows, size_t column, size_t count) {
  for (size_t begin = 0; begin < count; begin += kVectorSize) {
    const UnifiedView piece = rows.PieceView(column, begin / kVectorSize);
    for (size_t i = 0; i < std::min(kVectorSize, count - begin); i++) {
      if (!piece.IsValid(i)) return true;
    }
  }
  return false;
}

}  // namespace

OrderedCodes::OrderedCodes(const LogicalType& type, MemoryTracker& memory)
    : type_(type), memory_(memory), reservation_(memory) {}

template <typename T>
auto& OrderedCodes::Known() {
  if constexpr (std::is_same_v<T, StringRef>) {
    return strings_;
  } else {
    return numbers_;
  }
}

size_t OrderedCodes::MostBytes(const LogicalType& type, size_t row_count, bool is_in_order) {
  size_t row_bytes = 0;
  VisitPhysicalType(PhysicalTypeOf(type), [&]<typename T>() {
    if constexpr (!kIsCode<T>) {
      row_bytes = sizeof(Sortable(std::declval<T>())) + sizeof(uint64_t);
      if (!is_in_order) row_bytes += sizeof(uint64_t) + OrderBytes({{type}, {0}, {{type}}});
    }
  });
  return row_count * row_bytes;
}

template <typename T>
void OrderedCodes::LearnValues(const ColumnCollection& rows, size_t column, size_t count, bool is_in_order,
                               const FunctionContext& context, uint64_t* codes) {
  const SortSchema schema(rows.types(), {column}, {{type_}});
  const auto order_bytes = [&](size_t row_bytes) { return is_in_order ? 0 : rows.row_count() * row_bytes; };
  MemoryReservation order_memory(memory_);
  order_memory.Resize(order_bytes(sizeof(uint64_t) + OrderBytes(schema)));
  LargeVector<uint64_t> order;
  const ColumnCollection* collection = &rows;
  if (!is_in_order) order = OrderRows(schema, {&collection, 1}, SIZE_MAX, context);
  order_memory.Resize(order_bytes(sizeof(uint64_t)));

  auto& known = Known<T>();
  reservation_.Resize(count * (sizeof(known[0]) + sizeof(uint64_t)));
  known.reserve(count);
  const size_t end = is_in_order ? count : order.size();
  for (size_t i = 0; i < end; i++) {
    if (i % kVectorSize == 0) context.CheckInterrupt();
    const uint64_t row = is_in_order ? i : order[i];
    if (row >= count) continue;
    const auto value = Sortable(rows.PieceView(column, row / kVectorSize).As<T>()[row % kVectorSize]);
    if (known.empty() || known.back() != value) known.push_back(value);
    codes[row] = KnownCode(known.size() - 1);
  }
  LearnLeading(context);
}

void OrderedCodes::LearnLeading(const FunctionContext& context) {
  if (!numbers_.empty()) {
    const uint128_t span = numbers_.back() - numbers_.front();
    const auto high = static_cast<uint64_t>(span >> 64);
    leading_shift_ = static_cast<unsigned>(std::bit_width(high));
  }
  if (!strings_.empty()) {
    const StringRef &first = strings_.front(), &last = strings_.back();
    const size_t shorter = std::min(first.size(), last.size());
    while (leading_offset_ < shorter && first.data()[leading_offset_] == last.data()[leading_offset_])
      leading_offset_++;
  }
  leading_.reserve(numbers_.size() + strings_.size());
  const auto learn = [&](const auto& known) {
    for (size_t i = 0; i < known.size(); i++) {
      if (i % kVectorSize == 0) context.CheckInterrupt();
      leading_.push_back(Leading(known[i]));
    }
  };
  learn(numbers_);
  learn(strings_);
}

// If leading bits are equal, whole values are compared. So values below or above all known values may have
// the leading bits of one of them.
uint64_t OrderedCodes::Leading(const uint128_t& value) const {
  if (value < numbers_.front()) return 0;
  if (value > numbers_.back()) return UINT64_MAX;
  return static_cast<uint64_t>((value - numbers_.front()) >> leading_shift_);
}

uint64_t OrderedCodes::Leading(const StringRef& value) const {
  const size_t shared = std::min<size_t>(value.size(), leading_offset_);
  const int order = std::memcmp(value.data(), strings_.front().data(), shared);
  if (order != 0) return order < 0 ? 0 : UINT64_MAX;
  if (shared < leading_offset_) return 0;
  uint64_t word = 0;
  std::memcpy(&word, value.data() + shared, std::min(value.size() - shared, sizeof(word)));
  return __builtin_bswap64(word);
}

LargeVector<uint64_t> OrderedCodes::Learn(const ColumnCollection& rows, size_t column, size_t count,
                                          bool is_in_order, const FunctionContext& context) {
  SCAUP_ASSERT(!HasNull(rows, column, count));
  LargeVector<uint64_t> codes(count);
  VisitPhysicalType(PhysicalTypeOf(type_), [&]<typename T>() {
    if constexpr (kIsCode<T>) {
      for (size_t begin = 0; begin < count; begin += kVectorSize) {
        context.CheckInterrupt();
        Encode(rows.PieceView(column, begin / kVectorSize), std::min(kVectorSize, count - begin),
               codes.data() + begin);
      }
    } else {
      LearnValues<T>(rows, column, count, is_in_order, context, codes.data());
    }
  });
  return codes;
}

template <typename T>
void OrderedCodes::EncodeAmongKnown(const UnifiedView& values, size_t count, uint64_t* codes) const {
  const auto& known = Known<T>();
  std::fill(codes, codes + count, 0);
  if (known.empty()) return;
  const auto view = values.As<T>();
  uint64_t leading[kVectorSize] = {}, begins[kVectorSize], ends[kVectorSize];
  for (size_t i = 0; i < count; i++) leading[i] = view.IsValid(i) ? Leading(Sortable(view[i])) : 0;
  CountBelow<false>(leading_, leading, count, begins);
  CountBelow<true>(leading_, leading, count, ends);
  for (size_t i = 0; i < count; i++) {
    if (!view.IsValid(i)) continue;
    const auto value = Sortable(view[i]);
    const auto* found = std::lower_bound(known.data() + begins[i], known.data() + ends[i], value);
    const auto place = static_cast<uint64_t>(found - known.data());
    codes[i] = place < ends[i] && *found == value ? KnownCode(place) : UnknownCode(place);
  }
}

void OrderedCodes::Encode(const UnifiedView& values, size_t count, uint64_t* codes) const {
  VisitPhysicalType(PhysicalTypeOf(type_), [&]<typename T>() {
    if constexpr (kIsCode<T>) {
      const auto view = values.As<T>();
      for (size_t i = 0; i < count; i++) codes[i] = SortableNumber(view[i]);
    } else {
      EncodeAmongKnown<T>(values, count, codes);
    }
  });
}

}  // namespace scaup
