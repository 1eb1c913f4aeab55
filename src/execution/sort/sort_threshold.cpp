// Sort threshold: comparing rows with one key, column by column.
#include "execution/sort/sort_threshold.hpp"

#include <cstring>

#include "common/throw.hpp"
#include "type/sortable_bytes.hpp"
#include "type/visit_physical_type.hpp"

namespace scaup {

namespace {

/// Whether any of the values, which are not NULL, does not come after the limit. Free of branches.
template <typename T, typename Number>
bool HasCandidate(const T* values, size_t count, Number limit, bool descending) {
  bool found = false;
  if (descending) {
    for (size_t i = 0; i < count; i++) found |= SortableNumber(values[i]) >= limit;
  } else {
    for (size_t i = 0; i < count; i++) found |= SortableNumber(values[i]) <= limit;
  }
  return found;
}

}  // namespace

void SortThreshold::Set(DataChunk& rows, size_t row) {
  is_set_ = true;
  keys_.clear();
  for (const size_t column : schema_.key_columns) {
    Vector& vector = rows.column(column);
    const UnifiedView view = vector.View(rows.size());
    Key& key = keys_.emplace_back();
    key.is_null = !view.IsValid(row);
    if (key.is_null) continue;
    VisitPhysicalType(vector.physical_type(), [&]<typename T>() {
      if constexpr (std::is_same_v<T, StringRef>) {
        key.text = view.As<T>()[row].ToString();
      } else {
        key.number = SortableNumber(view.As<T>()[row]);
      }
    });
  }
}

template <typename T>
size_t SortThreshold::Narrow(const UnifiedView& view, size_t key, sel_t* open, size_t count,
                             uint8_t* is_before) const {
  const SortOrder& order = schema_.encoder.orders()[key];
  const Key& limit = keys_[key];
  const auto typed = view.As<T>();
  // Negative if the value is less than the limit.
  const auto compare = [&] {
    if constexpr (std::is_same_v<T, StringRef>) {
      return [text = StringRef(limit.text)](const StringRef& value) {
        const auto relation = value <=> text;
        return relation < 0 ? -1 : relation > 0 ? 1 : 0;
      };
    } else {
      using Number = decltype(SortableNumber(T()));
      return [number = static_cast<Number>(limit.number)](const T& value) {
        const Number other = SortableNumber(value);
        return static_cast<int>(other > number) - static_cast<int>(other < number);
      };
    }
  }();
  size_t equal = 0;
  if (view.validity == nullptr && !limit.is_null) {
    for (size_t i = 0; i < count; i++) {
      const sel_t row = open[i];
      const int relation = compare(typed[row]);
      is_before[row] |= static_cast<uint8_t>(order.descending ? relation > 0 : relation < 0);
      open[equal] = row;
      equal += relation == 0;
    }
    return equal;
  }
  for (size_t i = 0; i < count; i++) {
    const sel_t row = open[i];
    int relation;
    if (view.IsValid(row) && !limit.is_null) {
      relation = compare(typed[row]);
      if (order.descending) relation = -relation;
    } else {
      const bool is_null = !view.IsValid(row);
      relation = is_null == limit.is_null ? 0 : is_null == order.nulls_first ? -1 : 1;
    }
    is_before[row] |= static_cast<uint8_t>(relation < 0);
    open[equal] = row;
    equal += relation == 0;
  }
  return equal;
}

size_t SortThreshold::SelectBefore(DataChunk& rows, sel_t* selected) const {
  SCAUP_ASSERT(is_set());
  const size_t count = rows.size();
  uint8_t is_before[kVectorSize];
  std::memset(is_before, 0, count);
  sel_t open[kVectorSize];
  for (size_t row = 0; row < count; row++) open[row] = static_cast<sel_t>(row);
  size_t open_count = count;
  for (size_t key = 0; key < keys_.size() && open_count != 0; key++) {
    Vector& column = rows.column(schema_.key_columns[key]);
    const bool is_plain = key == 0 && column.is_flat() && column.Validity() == nullptr && !keys_[0].is_null;
    const UnifiedView view = column.View(count);
    VisitPhysicalType(column.physical_type(), [&]<typename T>() {
      if constexpr (!std::is_same_v<T, StringRef>) {
        // In most chunks no row comes before the threshold.
        using Number = decltype(SortableNumber(T()));
        if (is_plain && !HasCandidate(column.Data<T>(), count, static_cast<Number>(keys_[0].number),
                                      schema_.encoder.orders()[0].descending)) {
          open_count = 0;
          return;
        }
      }
      open_count = Narrow<T>(view, key, open, open_count, is_before);
    });
  }
  size_t kept = 0;
  for (size_t row = 0; row < count; row++) {
    selected[kept] = static_cast<sel_t>(row);
    kept += is_before[row];
  }
  return kept;
}

}  // namespace scaup
