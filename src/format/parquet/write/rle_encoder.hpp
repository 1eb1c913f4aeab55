// Encodes runs and bit-packed groups: definition and repetition levels, dictionary codes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "format/parquet/write/byte_buffer.hpp"

namespace scaup {

/// Appends the values in Parquet's hybrid of run-length encoding and bit packing. REQUIRES: 1 <= bit_width
/// <= 32, and every value fits.
void AppendRuns(const uint8_t* values, size_t count, uint32_t bit_width, ByteBuffer& out);
void AppendRuns(const uint32_t* values, size_t count, uint32_t bit_width, ByteBuffer& out);
/// Appends a single run.
void AppendRun(uint32_t value, size_t count, uint32_t bit_width, ByteBuffer& out);
/// Packs the values from the lowest bit of each byte on; the last byte is filled with zeros.
void AppendPacked(const uint8_t* values, size_t count, uint32_t bit_width, ByteBuffer& out);
void AppendPacked(const uint32_t* values, size_t count, uint32_t bit_width, ByteBuffer& out);

/// The bits that hold every value up to `most`; at least 1, as some readers know no values without bits.
uint32_t BitWidthOf(uint32_t most);

}  // namespace scaup
