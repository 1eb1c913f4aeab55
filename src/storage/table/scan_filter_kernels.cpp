// Evaluates plain filters: by SIMD kernels where the type has them, by loops for strings and 128-bit
// integers.
#include "storage/table/scan_filter_kernels.hpp"

#include <algorithm>
#include <cstring>

#include "common/throw.hpp"
#include "type/date_time.hpp"
#include "type/packed_value.hpp"
#include "vector/kernel_type.hpp"
#include "vector/string_search.hpp"

namespace scaup {

namespace {

template <typename T, typename F>
void FillMask(const T* values, size_t count, uint8_t* mask, F&& passes) {
  for (size_t i = 0; i < count; i++) mask[i] = passes(values[i]);
}

template <typename T>
void CompareTyped(ScanFilter::Op op, const T* values, const T& constant, size_t count, uint8_t* mask) {
  switch (op) {
    case ScanFilter::Op::kEqual:
      return FillMask(values, count, mask, [&](const T& v) { return v == constant; });
    case ScanFilter::Op::kNotEqual:
      return FillMask(values, count, mask, [&](const T& v) { return !(v == constant); });
    case ScanFilter::Op::kLess:
      return FillMask(values, count, mask, [&](const T& v) { return v < constant; });
    case ScanFilter::Op::kLessEqual:
      return FillMask(values, count, mask, [&](const T& v) { return !(constant < v); });
    case ScanFilter::Op::kGreater:
      return FillMask(values, count, mask, [&](const T& v) { return constant < v; });
    case ScanFilter::Op::kGreaterEqual:
      return FillMask(values, count, mask, [&](const T& v) { return !(v < constant); });
    case ScanFilter::Op::kIsNull:
    case ScanFilter::Op::kIsNotNull:
    case ScanFilter::Op::kHasElement: break;
  }
  ThrowInternal("a filter that is no comparison");
}

void CompareByKernel(const KernelTable& kernels, const ScanFilter& filter, KernelType type,
                     const std::byte* values, size_t count, uint8_t* mask) {
  alignas(16) std::byte constant[16];
  switch (type) {
    case KernelType::kFloat: {
      const auto value = static_cast<float>(filter.constant.GetDouble());
      std::memcpy(constant, &value, sizeof(value));
      break;
    }
    case KernelType::kDouble: {
      const double value = filter.constant.GetDouble();
      std::memcpy(constant, &value, sizeof(value));
      break;
    }
    case KernelType::kInt8:
    case KernelType::kInt16:
    case KernelType::kInt32:
    case KernelType::kInt64: {
      // Little-endian: the low bytes are the narrower value.
      const int128_t value = filter.constant.GetInteger();
      std::memcpy(constant, &value, sizeof(value));
      break;
    }
  }
  kernels.compare[static_cast<size_t>(filter.op)][static_cast<size_t>(type)](values, constant, mask, count,
                                                                             true);
}

struct IntervalKey {
  int128_t key;
  friend auto operator<=>(const IntervalKey&, const IntervalKey&) = default;
};

/// Rows with the element's bytes somewhere are few; in these it is looked for element by element.
void FindElement(const KernelTable& kernels, const ScanFilter& filter, const StringRef* lists,
                 const ValidityWord* validity, size_t count, uint8_t* mask) {
  const std::string& slot = filter.constant.GetString();
  const LogicalType& element = filter.constant.type().element();
  const StringSearch search(kernels, slot);
  static_assert(kVectorSize % (8 * sizeof(ValidityWord)) == 0);
  for (size_t begin = 0; begin < count; begin += kVectorSize) {
    const size_t some = std::min(count - begin, kVectorSize);
    search.Mark({lists + begin, IdentitySelection(),
                 validity == nullptr ? nullptr : validity + begin / (8 * sizeof(ValidityWord))},
                some, mask + begin);
  }
  for (size_t i = 0; i < count; i++) mask[i] = mask[i] != 0 && HasSlot(element, lists[i].view(), slot);
}

}  // namespace

void EvaluateScanFilter(const KernelTable& kernels, const ScanFilter& filter, PhysicalType type,
                        const std::byte* values, const ValidityWord* validity, size_t count, uint8_t* mask) {
  if (filter.is_null_test()) {
    const bool wants_null = filter.op == ScanFilter::Op::kIsNull;
    for (size_t i = 0; i < count; i++)
      mask[i] = (validity == nullptr || TestValid(validity, i)) != wants_null;
    return;
  }
  if (filter.op == ScanFilter::Op::kHasElement)
    return FindElement(kernels, filter, reinterpret_cast<const StringRef*>(values), validity, count, mask);
  if (const auto kernel_type = KernelTypeOf(type)) {
    CompareByKernel(kernels, filter, *kernel_type, values, count, mask);
  } else if (type == PhysicalType::kString) {
    CompareTyped(filter.op, reinterpret_cast<const StringRef*>(values),
                 StringRef(filter.constant.GetString()), count, mask);
  } else if (type == PhysicalType::kInt128) {
    CompareTyped(filter.op, reinterpret_cast<const int128_t*>(values), filter.constant.GetInteger(), count,
                 mask);
  } else {
    const auto* intervals = reinterpret_cast<const Interval*>(values);
    const IntervalKey constant{IntervalSortKey(filter.constant.GetInterval())};
    for (size_t i = 0; i < count; i++) {
      const IntervalKey key{IntervalSortKey(intervals[i])};
      CompareTyped(filter.op, &key, constant, 1, mask + i);
    }
  }
  if (validity == nullptr) return;
  for (size_t i = 0; i < count; i++) mask[i] &= static_cast<uint8_t>(TestValid(validity, i));
}

}  // namespace scaup
