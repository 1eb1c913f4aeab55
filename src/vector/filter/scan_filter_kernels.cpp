// Scan filter kernels: SIMD kernels for most numbers, loops for strings, 128-bit and unsigned
// integers, and intervals.
#include "vector/filter/scan_filter_kernels.hpp"

#include <algorithm>
#include <cstring>

#include "common/throw.hpp"
#include "type/time/date_time.hpp"
#include "type/visit_physical_type.hpp"
#include "vector/kernel_type.hpp"

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
    case ScanFilter::Op::kTest: break;
  }
  ThrowInternal("a filter that is no comparison");
}

/// Decides rows by size and prefix of their string if is_decided() says that these suffice. The text of the
/// other rows is a likely cache miss, so it is prefetched for all of them before the first is compared.
template <typename IsDecided, typename Decide>
void CompareHeads(ScanFilter::Op op, const StringRef* values, const StringRef& constant, size_t count,
                  uint8_t* __restrict mask, IsDecided is_decided, Decide decide) {
  SCAUP_ASSERT(count <= kVectorSize);
  sel_t undecided[kVectorSize];
  size_t undecided_count = 0;
  for (size_t row = 0; row < count; row++) {
    const uint32_t size = values[row].size(), prefix = values[row].PrefixAsNumber();
    mask[row] = decide(size, prefix);
    undecided[undecided_count] = static_cast<sel_t>(row);
    undecided_count += is_decided(size, prefix) ? 0 : 1;
  }
  for (size_t i = 0; i < undecided_count; i++) __builtin_prefetch(values[undecided[i]].data());
  for (size_t i = 0; i < undecided_count; i++)
    CompareTyped(op, values + undecided[i], constant, 1, mask + undecided[i]);
}

void CompareStrings(ScanFilter::Op op, const StringRef* values, const StringRef& constant, size_t count,
                    uint8_t* mask) {
  const uint32_t wanted_size = constant.size(), wanted = constant.PrefixAsNumber();
  const auto has_other_prefix = [wanted](uint32_t, uint32_t prefix) { return prefix != wanted; };
  switch (op) {
    case ScanFilter::Op::kEqual:
    case ScanFilter::Op::kNotEqual:
      return CompareHeads(
          op, values, constant, count, mask,
          [=](uint32_t size, uint32_t prefix) { return (size != wanted_size) | (prefix != wanted); },
          [is_passing = op == ScanFilter::Op::kNotEqual](uint32_t, uint32_t) { return is_passing; });
    case ScanFilter::Op::kLess:
    case ScanFilter::Op::kLessEqual:
      return CompareHeads(op, values, constant, count, mask, has_other_prefix,
                          [wanted](uint32_t, uint32_t prefix) { return prefix < wanted; });
    case ScanFilter::Op::kGreater:
    case ScanFilter::Op::kGreaterEqual:
      return CompareHeads(op, values, constant, count, mask, has_other_prefix,
                          [wanted](uint32_t, uint32_t prefix) { return prefix > wanted; });
    case ScanFilter::Op::kIsNull:
    case ScanFilter::Op::kIsNotNull:
    case ScanFilter::Op::kTest: break;
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
      // In little-endian order, the first bytes are the value in the narrower type.
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

void CompareIntervals(const ScanFilter& filter, const Interval* intervals, size_t count, uint8_t* mask) {
  const IntervalKey constant{IntervalSortKey(filter.constant.GetInterval())};
  for (size_t i = 0; i < count; i++) {
    const IntervalKey key{IntervalSortKey(intervals[i])};
    CompareTyped(filter.op, &key, constant, 1, mask + i);
  }
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
  if (filter.op == ScanFilter::Op::kTest) {
    filter.test->Evaluate(values, count, mask);
  } else if (const auto kernel_type = KernelTypeOf(type)) {
    CompareByKernel(kernels, filter, *kernel_type, values, count, mask);
  } else if (type == PhysicalType::kString) {
    const StringRef constant(filter.constant.GetString());
    for (size_t begin = 0; begin < count; begin += kVectorSize) {
      CompareStrings(filter.op, reinterpret_cast<const StringRef*>(values) + begin, constant,
                     std::min(count - begin, kVectorSize), mask + begin);
    }
  } else if (type == PhysicalType::kInt128) {
    CompareTyped(filter.op, reinterpret_cast<const int128_t*>(values), filter.constant.GetInteger(), count,
                 mask);
  } else if (type == PhysicalType::kInterval) {
    CompareIntervals(filter, reinterpret_cast<const Interval*>(values), count, mask);
  } else {
    VisitPhysicalType(type, [&]<typename T>() {
      if constexpr (std::is_unsigned_v<T>) {
        CompareTyped(filter.op, reinterpret_cast<const T*>(values),
                     static_cast<T>(filter.constant.GetInteger()), count, mask);
      }
    });
  }
  // NULL rows were compared by whatever value they have in memory. Their result is dropped here.
  if (validity == nullptr) return;
  if (filter.or_null) {
    for (size_t i = 0; i < count; i++) mask[i] |= static_cast<uint8_t>(!TestValid(validity, i));
    return;
  }
  for (size_t i = 0; i < count; i++) mask[i] &= static_cast<uint8_t>(TestValid(validity, i));
}

}  // namespace scaup
