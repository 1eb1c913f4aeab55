// Key ranges: least and greatest of integer keys.
#include "execution/join_key_range.hpp"

#include <algorithm>

namespace scaup {

namespace {

template <typename T>
void Widen(const UnifiedView& keys, size_t count, int64_t& least, int64_t& greatest) {
  const auto values = keys.As<T>();
  for (size_t row = 0; row < count; row++) {
    if (!values.IsValid(row)) continue;
    least = std::min<int64_t>(least, values[row]);
    greatest = std::max<int64_t>(greatest, values[row]);
  }
}

}  // namespace

void JoinKeyRange::Add(const UnifiedView& keys, size_t count) {
  switch (type_) {
    case PhysicalType::kInt16: return Widen<int16_t>(keys, count, least_, greatest_);
    case PhysicalType::kInt32: return Widen<int32_t>(keys, count, least_, greatest_);
    case PhysicalType::kInt64: return Widen<int64_t>(keys, count, least_, greatest_);
    default: return;
  }
}

void JoinKeyRange::Merge(const JoinKeyRange& other) {
  least_ = std::min(least_, other.least_);
  greatest_ = std::max(greatest_, other.greatest_);
}

}  // namespace scaup
