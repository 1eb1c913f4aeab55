// Neighbour comparer: compares whole chunks, key by key.
#include "execution/sort/neighbour_comparer.hpp"

#include <algorithm>
#include <cstring>

#include "type/sortable_bytes.hpp"
#include "type/visit_physical_type.hpp"

namespace scaup {

namespace {

/// Records whether row `row` is equal in key `index`. Returns false if it comes before the previous row.
bool Note(size_t index, bool is_equal, bool is_before, uint16_t& step) {
  if (step != index) return true;
  if (is_equal) step++;
  return !is_before;
}

}  // namespace

NeighbourComparer::NeighbourComparer(const std::vector<SortOrder>& orders) {
  for (const SortOrder& order : orders) keys_.push_back({order, false, {}, {}});
}

NeighbourOrder NeighbourComparer::Compare(std::span<Vector* const> keys, size_t count, uint16_t* steps) {
  if (count == 0) return NeighbourOrder::kUnique;
  std::memset(steps, 0, count * sizeof(*steps));
  bool is_ordered = true, has_risen = false;
  for (size_t i = 0; i < keys_.size() && is_ordered && !has_risen; i++) {
    VisitPhysicalType(PhysicalTypeOf(keys_[i].order.type), [&]<typename T>() {
      if constexpr (std::is_same_v<T, StringRef>) {
        is_ordered = CompareTexts(i, *keys[i], count, steps);
      } else {
        // With several keys, the last row's values of all keys must be stored.
        has_risen = keys_.size() == 1 && Rise<T>(*keys[i], count);
        if (!has_risen) is_ordered = CompareNumbers<T>(i, *keys[i], count, steps);
      }
    });
  }
  if (!has_last_) steps[0] = 0;
  has_last_ = true;
  if (!is_ordered) return NeighbourOrder::kUnordered;
  const bool has_equal = !has_risen && std::find(steps, steps + count, keys_.size()) != steps + count;
  return has_equal ? NeighbourOrder::kInOrder : NeighbourOrder::kUnique;
}

template <typename T>
bool NeighbourComparer::Rise(Vector& column, size_t count) {
  using Number = decltype(SortableNumber(T()));
  Key& key = keys_[0];
  if (!has_last_ || key.is_null || key.order.descending || !column.is_flat() || column.Validity() != nullptr)
    return false;
  const T* values = column.Data<T>();
  Number before;
  std::memcpy(&before, key.number.data(), sizeof(before));
  bool rises = true;
  for (size_t i = 0; i < count; i++) {
    const Number number = SortableNumber(values[i]);
    rises &= before < number;
    before = number;
  }
  if (rises) std::memcpy(key.number.data(), &before, sizeof(before));
  return rises;
}

template <typename T>
bool NeighbourComparer::CompareNumbers(size_t index, Vector& column, size_t count, uint16_t* steps) {
  using Number = decltype(SortableNumber(T()));
  Key& key = keys_[index];
  const auto view = column.ViewAs<T>(count);
  const Number flip = key.order.descending ? static_cast<Number>(~Number{0}) : Number{0};
  Number numbers[kVectorSize + 1];  // Index 0 has the last row of the previous chunk.
  for (size_t i = 0; i < count; i++) numbers[i + 1] = SortableNumber(view[i]) ^ flip;
  if (has_last_) {
    std::memcpy(numbers, key.number.data(), sizeof(Number));
  } else {
    numbers[0] = numbers[1];
    key.is_null = !view.IsValid(0);
  }
  std::memcpy(key.number.data(), numbers + count, sizeof(Number));
  bool is_ordered = true;
  if (view.all_valid() && !key.is_null) {
    for (size_t i = 0; i < count; i++) {
      const bool counts = steps[i] == index;
      is_ordered &= !(counts & (numbers[i + 1] < numbers[i]));
      steps[i] = static_cast<uint16_t>(steps[i] + (counts & (numbers[i + 1] == numbers[i]) ? 1 : 0));
    }
    return is_ordered;
  }
  for (size_t i = 0; i < count; i++) {
    const bool is_null = !view.IsValid(i);
    const bool both = !is_null && !key.is_null;
    const bool is_equal = both ? numbers[i + 1] == numbers[i] : is_null == key.is_null;
    const bool is_before = both ? numbers[i + 1] < numbers[i] : !is_equal && is_null == key.order.nulls_first;
    is_ordered &= Note(index, is_equal, is_before, steps[i]);
    key.is_null = is_null;
  }
  return is_ordered;
}

bool NeighbourComparer::CompareTexts(size_t index, Vector& column, size_t count, uint16_t* steps) {
  Key& key = keys_[index];
  const auto view = column.ViewAs<StringRef>(count);
  const auto text_at = [&](size_t row) { return view.IsValid(row) ? view[row] : StringRef(); };
  if (!has_last_) key.is_null = !view.IsValid(0);
  StringRef before = has_last_ ? StringRef(std::string_view(key.text)) : text_at(0);
  bool is_ordered = true;
  for (size_t i = 0; i < count; i++) {
    const bool is_null = !view.IsValid(i);
    const StringRef text = text_at(i);
    if (steps[i] == index) {
      bool is_equal = is_null == key.is_null, is_before = !is_equal && is_null == key.order.nulls_first;
      if (!is_null && !key.is_null) {
        const auto order = text <=> before;
        is_equal = order == 0;
        is_before = !is_equal && (order < 0) != key.order.descending;
      }
      is_ordered &= Note(index, is_equal, is_before, steps[i]);
    }
    key.is_null = is_null;
    before = text;
  }
  key.text.assign(before.data(), before.size());
  return is_ordered;
}

}  // namespace scaup
