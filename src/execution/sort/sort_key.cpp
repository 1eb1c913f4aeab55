// Normalized sort keys.
#include "execution/sort/sort_key.hpp"

#include <cmath>
#include <cstring>

#include "common/throw.hpp"
#include "type/date_time.hpp"
#include "type/visit_physical_type.hpp"

namespace scaup {

namespace {

constexpr size_t kStringBytes = 12;

template <typename U>
void StoreBigEndian(U value, std::byte* out) {
  for (size_t i = 0; i < sizeof(U); i++)
    out[i] = static_cast<std::byte>(static_cast<uint8_t>(value >> (8 * (sizeof(U) - 1 - i))));
}

template <typename T>
void EncodeValue(const T& value, std::byte* out) {
  if constexpr (std::is_same_v<T, StringRef>) {
    std::memset(out, 0, kStringBytes);
    std::memcpy(out, value.data(), std::min<size_t>(value.size(), kStringBytes));
  } else if constexpr (std::is_same_v<T, Interval>) {
    EncodeValue(IntervalSortKey(value), out);
  } else if constexpr (std::is_same_v<T, double> || std::is_same_v<T, float>) {
    using U = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
    constexpr U kSign = U{1} << (sizeof(U) * 8 - 1);
    // One zero, one NaN, and NaN above all numbers.
    const T canonical = value == 0 ? T{0} : (std::isnan(value) ? std::abs(value) : value);
    U bits;
    std::memcpy(&bits, &canonical, sizeof(bits));
    StoreBigEndian<U>((bits & kSign) != 0 ? ~bits : bits | kSign, out);
  } else if constexpr (std::is_same_v<T, int128_t>) {
    StoreBigEndian<uint64_t>(static_cast<uint64_t>(value >> 64) ^ (uint64_t{1} << 63), out);
    StoreBigEndian<uint64_t>(static_cast<uint64_t>(value), out + 8);
  } else if constexpr (std::is_same_v<T, uint8_t>) {
    *out = static_cast<std::byte>(value);
  } else {
    using U = std::make_unsigned_t<T>;
    StoreBigEndian<U>(static_cast<U>(static_cast<U>(value) ^ (U{1} << (sizeof(U) * 8 - 1))), out);
  }
}

size_t EncodedBytes(PhysicalType type) {
  switch (type) {
    case PhysicalType::kString: return kStringBytes;
    case PhysicalType::kInterval: return 16;
    case PhysicalType::kBool:
    case PhysicalType::kInt8:
    case PhysicalType::kInt16:
    case PhysicalType::kInt32:
    case PhysicalType::kInt64:
    case PhysicalType::kInt128:
    case PhysicalType::kFloat:
    case PhysicalType::kDouble: return PhysicalSize(type);
  }
  ThrowInternal("unknown physical type");
}

template <typename T>
void EncodeColumn(Vector& input, size_t count, const SortOrder& order, size_t width, std::byte* out,
                  size_t stride) {
  const auto view = input.ViewAs<T>(count);
  const std::byte null_mark{order.nulls_first ? uint8_t{0} : uint8_t{2}};
  for (size_t row = 0; row < count; row++, out += stride) {
    if (!view.IsValid(row)) {
      std::memset(out, 0, width);
      out[0] = null_mark;
      continue;
    }
    out[0] = std::byte{1};
    EncodeValue(view[row], out + 1);
    if (!order.descending) continue;
    for (size_t i = 1; i < width; i++) out[i] = ~out[i];
  }
}

}  // namespace

SortKeyEncoder::SortKeyEncoder(std::vector<SortOrder> orders) : orders_(std::move(orders)) {
  for (const SortOrder& order : orders_) {
    const PhysicalType type = PhysicalTypeOf(order.type);
    offsets_.push_back(key_bytes_);
    widths_.push_back(1 + EncodedBytes(type));
    key_bytes_ += widths_.back();
    if (type == PhysicalType::kString) string_columns_.push_back(offsets_.size() - 1);
  }
}

std::vector<LogicalType> SortKeyEncoder::string_types() const {
  std::vector<LogicalType> types;
  for (const size_t column : string_columns_) types.push_back(orders_[column].type);
  return types;
}

void SortKeyEncoder::Encode(DataChunk& keys, size_t count, std::byte* out) const {
  for (size_t i = 0; i < orders_.size(); i++) {
    Vector& column = keys.column(i);
    const SortOrder& order = orders_[i];
    std::byte* target = out + offsets_[i];
    VisitPhysicalType(PhysicalTypeOf(order.type), [&]<typename T>() {
      EncodeColumn<T>(column, count, order, widths_[i], target, key_bytes_);
    });
  }
}

}  // namespace scaup
