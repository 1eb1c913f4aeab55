// State bytes: writing and reading the values of one row.
#include "execution/foreign/state_bytes.hpp"

#include <cstring>

#include "common/check.hpp"
#include "type/text/string_ref.hpp"

namespace scaup {

void AppendStateBytes(const std::vector<MaterializedColumn>& columns, size_t row, std::string& bytes) {
  for (const MaterializedColumn& column : columns) {
    const bool is_null = column.has_nulls && column.nulls.data()[row] != std::byte{0};
    bytes.push_back(is_null ? 1 : 0);
    if (is_null) continue;
    const size_t width = PhysicalSize(PhysicalTypeOf(column.type));
    const std::byte* const value = column.values.data() + row * width;
    if (PhysicalTypeOf(column.type) != PhysicalType::kString) {
      bytes.append(reinterpret_cast<const char*>(value), width);
      continue;
    }
    StringRef text;
    std::memcpy(&text, value, sizeof(text));
    const uint32_t size = text.size();
    bytes.append(reinterpret_cast<const char*>(&size), sizeof(size));
    bytes.append(text.view());
  }
}

void ReadStateBytes(std::string_view bytes, DataChunk& chunk, size_t row) {
  size_t next = 0;
  const auto take = [&](size_t count) {
    SCAUP_ASSERT(count <= bytes.size() - next);
    next += count;
    return bytes.data() + next - count;
  };
  for (Vector& column : chunk.columns()) {
    if (*take(1) != 0) {
      column.SetNull(row);
      continue;
    }
    const size_t width = PhysicalSize(column.physical_type());
    if (column.physical_type() != PhysicalType::kString) {
      std::memcpy(column.MutableData<std::byte>() + row * width, take(width), width);
      continue;
    }
    uint32_t size;
    std::memcpy(&size, take(sizeof(size)), sizeof(size));
    column.MutableData<StringRef>()[row] = column.AddString({take(size), size});
  }
}

}  // namespace scaup
