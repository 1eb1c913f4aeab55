// Finds the rows of a block whose documents have certain shapes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "vector/selection_vector.hpp"

namespace scaup {

/// Writes the rows whose shapes are marked to `rows`, ascending, and returns their number. by_shape[shape] is
/// 1 if the shape is marked, else 0. `rows` must have space for all rows.
size_t FindRowsOfShapes(std::span<const int32_t> shapes_of_rows, const uint8_t* by_shape, sel_t* rows);

}  // namespace scaup
