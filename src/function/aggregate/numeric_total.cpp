// Exact sums of NUMERICs.
#include "function/aggregate/numeric_total.hpp"

#include <algorithm>
#include <cstring>

#include "function/numeric_rows.hpp"

namespace scaup {

bool NumericTotal::AddNearPoint(std::string_view bytes) {
  namespace layout = numeric_layout;
  const uint32_t head = layout::ShortAt(bytes, 0);
  const auto count = static_cast<int32_t>(bytes.size() / sizeof(uint32_t)) - 1;
  // NaN and infinities have no limbs, as zero has none.
  if (count == 0) return head == layout::kZeroHead;
  const int32_t top = layout::TopOfHead(head);
  constexpr auto kHighest = kLowest + static_cast<int32_t>(kPlaces) - 1;
  if (top > kHighest || top - count < kLowest) return false;
  int64_t* place = places_ + (top - 1 - kLowest);
  size_t at = layout::kHeadBytes;
  if (head > layout::kZeroHead) {
    for (int32_t i = 0; i < count; i++, at += sizeof(uint32_t))
      *place-- += int64_t{layout::WordAt(bytes, at) - layout::kLimbTag};
  } else {
    for (int32_t i = 0; i < count; i++, at += sizeof(uint32_t))
      *place-- -= int64_t{kLimbBase - 1 - (layout::WordAt(bytes, at) - layout::kLimbTag)};
  }
  return true;
}

void NumericTotal::Carry() {
  for (size_t i = 0; i + 1 < kPlaces; i++) {
    places_[i + 1] += places_[i] / kLimbBase;
    places_[i] %= kLimbBase;
  }
  additions_ = 1;
}

void NumericTotal::Add(std::string_view bytes, Arena& arena) {
  scale_ = std::max(scale_, StoredScale(bytes));
  if (!AddNearPoint(bytes)) {
    Numeric number;
    LoadNumeric(bytes, number);
    return AddFar(number, arena);
  }
  if (++additions_ >= kMostAdditions) Carry();
}

void NumericTotal::AddFar(const Numeric& number, Arena& arena) {
  Numeric sum;
  if (far_ != nullptr) LoadNumeric({far_, far_size_}, sum);
  ThrowNumericFault(AddNumeric(sum, number, sum));
  std::string bytes;
  StoreNumeric(sum, bytes);
  if (bytes.size() > far_capacity_) {
    far_capacity_ = static_cast<uint32_t>(std::max(bytes.size(), size_t{2} * far_capacity_));
    far_ = reinterpret_cast<char*>(arena.Allocate(far_capacity_, 1));
  }
  std::memcpy(far_, bytes.data(), bytes.size());
  far_size_ = static_cast<uint32_t>(bytes.size());
}

void NumericTotal::Combine(const NumericTotal& other, Arena& arena) {
  NumericTotal added = other;
  added.Carry();
  Carry();
  for (size_t i = 0; i < kPlaces; i++) places_[i] += added.places_[i];
  additions_ = 2;
  scale_ = std::max(scale_, other.scale_);
  if (other.far_ == nullptr) return;
  Numeric number;
  LoadNumeric({other.far_, other.far_size_}, number);
  AddFar(number, arena);
}

Numeric NumericTotal::Sum() const {
  NumericTotal carried = *this;
  int64_t* places = carried.places_;
  carried.Carry();
  // The highest place that is not zero has the sign of the sum; the others take it, too.
  size_t top = kPlaces;
  while (top > 0 && places[top - 1] == 0) top--;
  Numeric sum;
  sum.is_negative = top > 0 && places[top - 1] < 0;
  sum.exponent = kLowest;
  for (size_t i = 0; i < top; i++) {
    if (sum.is_negative) places[i] = -places[i];
  }
  for (size_t i = 0; i + 1 < top; i++) {
    if (places[i] >= 0) continue;
    places[i] += kLimbBase;
    places[i + 1]--;
  }
  for (size_t i = 0; i < top; i++) sum.limbs.push_back(static_cast<uint32_t>(places[i] % kLimbBase));
  if (top == kPlaces) {
    for (auto rest = places[top - 1] / kLimbBase; rest != 0; rest /= kLimbBase)
      sum.limbs.push_back(static_cast<uint32_t>(rest % kLimbBase));
  }
  NormalizeNumeric(sum);
  sum.scale = scale_;
  if (far_ == nullptr) return sum;
  Numeric number;
  LoadNumeric({far_, far_size_}, number);
  ThrowNumericFault(AddNumeric(sum, number, sum));
  return sum;
}

}  // namespace scaup
