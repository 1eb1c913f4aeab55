// Finds the rows of a block whose documents have certain shapes.
#include "storage/shredded/shape_rows.hpp"

namespace scaup {

size_t FindRowsOfShapes(std::span<const int32_t> shapes_of_rows, const uint8_t* by_shape, sel_t* rows) {
  // Usually few rows match, so runs of rows without a match are skipped at once.
  constexpr size_t kStretch = 8;
  const size_t count = shapes_of_rows.size();
  const auto mark = [&](size_t row) { return by_shape[static_cast<uint32_t>(shapes_of_rows[row])]; };
  size_t found = 0, row = 0;
  for (; row + kStretch <= count; row += kStretch) {
    uint8_t any = 0;
#pragma GCC unroll 8
    for (size_t i = 0; i < kStretch; i++) any |= mark(row + i);
    if (any == 0) continue;
    // Without branches: each row is stored, and kept by advancing the end.
    for (size_t i = 0; i < kStretch; i++) {
      rows[found] = static_cast<sel_t>(row + i);
      found += mark(row + i);
    }
  }
  for (; row < count; row++) {
    if (mark(row) != 0) rows[found++] = static_cast<sel_t>(row);
  }
  return found;
}

}  // namespace scaup
