// Sort keys: encoding values as normalized keys.
#include "execution/sort/sort_key.hpp"

#include <algorithm>
#include <cstring>

#include "common/throw.hpp"
#include "type/sortable_bytes.hpp"
#include "type/visit_physical_type.hpp"

namespace scaup {

namespace {

constexpr size_t kStringBytes = 12;

template <typename T>
void EncodeValue(const T& value, std::byte* out) {
  if constexpr (std::is_same_v<T, StringRef>) {
    std::memset(out, 0, kStringBytes);
    std::memcpy(out, value.data(), std::min<size_t>(value.size(), kStringBytes));
  } else {
    StoreSortable(value, out);
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
    case PhysicalType::kUInt8:
    case PhysicalType::kUInt16:
    case PhysicalType::kUInt32:
    case PhysicalType::kUInt64:
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

void SortSchema::EncodeKeys(const DataChunk& rows, std::byte* out) const {
  DataChunk keys;
  for (const size_t column : key_columns) {
    keys.columns().emplace_back(types[column]);
    keys.columns().back().Reference(rows.column(column));
  }
  encoder.Encode(keys, rows.size(), out);
}

std::vector<std::byte> SortSchema::KeyOf(const DataChunk& rows, size_t row) const {
  auto selection = std::make_shared<SelectionVector>();
  selection->rows[0] = static_cast<sel_t>(row);
  DataChunk keys;
  for (const size_t column : key_columns) {
    keys.columns().emplace_back(types[column]);
    keys.columns().back().Slice(rows.column(column), rows.size(), selection, 1);
  }
  std::vector<std::byte> key(encoder.key_bytes());
  encoder.Encode(keys, 1, key.data());
  return key;
}

}  // namespace scaup
