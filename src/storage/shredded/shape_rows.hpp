// Finds the rows of a block whose documents have certain shapes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "vector/selection_vector.hpp"

namespace scaup {

/// Puts the rows whose shapes are marked (by_shape[shape] is 1, else 0) into `rows`, ascending, and returns
/// how many. `rows` has room for all of them.
size_t FindRowsOfShapes(std::span<const int32_t> shapes_of_rows, const uint8_t* by_shape, sel_t* rows);

}  // namespace scaup
