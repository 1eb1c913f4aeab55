// Encodes the differences between integers: sorted numbers, and those of a small range.
#pragma once

#include <cstddef>
#include <cstdint>

#include "format/parquet/write/byte_buffer.hpp"

namespace scaup {

/// Appends the numbers in DELTA_BINARY_PACKED, the whole values of a page.
void AppendDeltas(const int32_t* values, size_t count, ByteBuffer& out);
void AppendDeltas(const int64_t* values, size_t count, ByteBuffer& out);

}  // namespace scaup
