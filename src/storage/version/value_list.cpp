// Values that own the bytes of their strings.
#include "storage/version/value_list.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "common/throw.hpp"

namespace scaup {

namespace {

/// The bytes that malloc takes for a string: eight more than it has, in multiples of 16, and 32 at least.
size_t AllocatedBytes(size_t size_bytes) noexcept {
  constexpr size_t kLeast = 32, kOverhead = 8, kMultiple = 16;
  return std::max(kLeast, (size_bytes + kOverhead + kMultiple - 1) / kMultiple * kMultiple);
}

}  // namespace

ValueList::~ValueList() {
  for (size_t i = 0; i < size(); i++) FreeString(i);
}

ValueList::ValueList(ValueList&& other) noexcept
    : type_(other.type_),
      width_(other.width_),
      data_(std::exchange(other.data_, {})),
      valid_(std::exchange(other.valid_, {})),
      heap_bytes_(std::exchange(other.heap_bytes_, 0)) {}

// A swap; the other list's destructor frees the old strings.
ValueList& ValueList::operator=(ValueList&& other) noexcept {
  std::swap(type_, other.type_);
  std::swap(width_, other.width_);
  std::swap(data_, other.data_);
  std::swap(valid_, other.valid_);
  std::swap(heap_bytes_, other.heap_bytes_);
  return *this;
}

size_t ValueList::HeapBytes(size_t index) const noexcept {
  // Only strings too long to be inline have bytes of their own.
  if (type_ != PhysicalType::kString || !IsValid(index)) return 0;
  StringRef value;
  std::memcpy(&value, At(index), sizeof(value));
  return value.is_inline() ? 0 : AllocatedBytes(value.size());
}

void ValueList::FreeString(size_t index) noexcept {
  if (HeapBytes(index) == 0) return;
  StringRef value;
  std::memcpy(&value, At(index), sizeof(value));
  delete[] value.data();
}

void ValueList::ReserveMore(size_t count) {
  // Grows by half, so that values that come one by one do not move the list each time.
  const size_t wanted = size() + count;
  if (wanted <= valid_.capacity() && wanted * width_ <= data_.capacity()) return;
  const size_t capacity = std::max(wanted, size() + size() / 2);
  data_.reserve(capacity * width_);
  valid_.reserve(capacity);
}

void ValueList::Append(const UnifiedView& view, size_t row) {
  ReserveMore(1);
  const bool is_valid = view.IsValid(row);
  if (is_valid && type_ == PhysicalType::kString) {
    const StringRef& value = view.As<StringRef>()[row];
    StringRef own = value;
    if (!value.is_inline()) {
      // Each long string has an allocation of its own, so that one value can be exchanged or freed alone.
      char* bytes = new char[value.size()];
      std::memcpy(bytes, value.data(), value.size());
      own = StringRef(bytes, value.size());
      heap_bytes_ += AllocatedBytes(value.size());
    }
    const auto* begin = reinterpret_cast<const std::byte*>(&own);
    data_.insert(data_.end(), begin, begin + sizeof(own));
  } else if (is_valid) {
    const std::byte* begin = view.data + view.selection[row] * width_;
    data_.insert(data_.end(), begin, begin + width_);
  } else {
    // NULLs take their place too, so that a value's position is its index times the width.
    data_.resize(data_.size() + width_);
  }
  valid_.push_back(is_valid ? 1 : 0);
}

void ValueList::Insert(size_t index) noexcept {
  SCAUP_ASSERT(valid_.size() < valid_.capacity() && data_.capacity() - data_.size() >= width_);
  data_.insert(data_.begin() + static_cast<ptrdiff_t>(index * width_), width_, std::byte{0});
  valid_.insert(valid_.begin() + static_cast<ptrdiff_t>(index), 0);
}

void ValueList::Keep(std::span<const uint8_t> marks) noexcept {
  size_t kept = 0;
  for (size_t i = 0; i < marks.size(); i++) {
    if (marks[i] == 0) {
      heap_bytes_ -= HeapBytes(i);
      FreeString(i);
      continue;
    }
    if (kept != i) std::memmove(data_.data() + kept * width_, data_.data() + i * width_, width_);
    valid_[kept++] = valid_[i];
  }
  data_.resize(kept * width_);
  valid_.resize(kept);
}

void ValueList::Exchange(size_t index, ValueList& other, size_t other_index) noexcept {
  const size_t own_bytes = HeapBytes(index), other_bytes = other.HeapBytes(other_index);
  // Swapping the references moves string ownership with them, without copies or allocation.
  std::swap_ranges(data_.begin() + static_cast<ptrdiff_t>(index * width_),
                   data_.begin() + static_cast<ptrdiff_t>((index + 1) * width_),
                   other.data_.begin() + static_cast<ptrdiff_t>(other_index * width_));
  std::swap(valid_[index], other.valid_[other_index]);
  heap_bytes_ += other_bytes - own_bytes;
  other.heap_bytes_ += own_bytes - other_bytes;
}

void ValueList::CopyRangeTo(size_t index, size_t count, Vector& target, size_t row) const {
  const uint8_t* valid = valid_.data() + index;
  // Fixed-width values without NULLs are contiguous in both places.
  const bool all_valid = std::find(valid, valid + count, uint8_t{0}) == valid + count;
  if (all_valid && type_ != PhysicalType::kString) {
    std::memcpy(target.MutableData<std::byte>() + row * width_, At(index), count * width_);
    return;
  }
  for (size_t i = 0; i < count; i++) CopyTo(index + i, target, row + i);
}

void ValueList::CopyTo(size_t index, Vector& target, size_t row) const {
  std::byte* out = target.MutableData<std::byte>() + row * width_;
  if (!IsValid(index)) {
    std::memset(out, 0, width_);
    return target.SetNull(row);
  }
  if (type_ != PhysicalType::kString) {
    std::memcpy(out, At(index), width_);
    return;
  }
  StringRef value;
  std::memcpy(&value, At(index), sizeof(value));
  const StringRef copy = target.AddString(value.view());
  std::memcpy(out, &copy, sizeof(copy));
}

}  // namespace scaup
