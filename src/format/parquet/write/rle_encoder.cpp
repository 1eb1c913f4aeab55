// Chooses between runs and bit-packed groups of eight values.
#include "format/parquet/write/rle_encoder.hpp"

#include <algorithm>
#include <bit>

#include "common/check.hpp"

namespace scaup {

namespace {

/// Shorter runs take less space when they are packed, as both a run and the groups around it have headers.
size_t LeastRun(uint32_t bit_width) { return bit_width <= 2 ? 32 : 8; }

template <typename T>
void Pack(const T* values, size_t count, uint32_t bit_width, ByteBuffer& out) {
  const size_t size_bytes = (count * bit_width + 7) / 8;
  std::byte* to = out.Extend(size_bytes);
  std::byte* const end = to + size_bytes;
  uint64_t word = 0;
  uint32_t bits = 0;
  for (size_t i = 0; i < count; i++) {
    word |= static_cast<uint64_t>(values[i]) << bits;
    bits += bit_width;
    if (bits < 32) continue;
    const auto low = static_cast<uint32_t>(word);
    std::memcpy(to, &low, sizeof(low));
    to += sizeof(low);
    word >>= 32;
    bits -= 32;
  }
  for (; to < end; to++, word >>= 8) *to = static_cast<std::byte>(word & 0xFF);
}

template <typename T>
void AppendGroups(const T* values, size_t count, uint32_t bit_width, ByteBuffer& out) {
  if (count == 0) return;
  const size_t groups = (count + 7) / 8;
  out.AppendVarint(groups << 1 | 1);
  const size_t whole = count & ~size_t{7};
  Pack(values, whole, bit_width, out);
  if (whole == count) return;
  T rest[8] = {};
  std::copy(values + whole, values + count, rest);
  Pack(rest, 8, bit_width, out);
}

template <typename T>
void Encode(const T* values, size_t count, uint32_t bit_width, ByteBuffer& out) {
  SCAUP_ASSERT(bit_width >= 1 && bit_width <= 32);
  const size_t least_run = LeastRun(bit_width);
  size_t packed_from = 0;
  // Groups have eight values, so a run can begin only where a group ends.
  for (size_t at = 0; at < count;) {
    size_t run = 1;
    while (at + run < count && values[at + run] == values[at]) run++;
    if (run < least_run) {
      at = std::min(count, at + std::max<size_t>(8, run & ~size_t{7}));
      continue;
    }
    AppendGroups(values + packed_from, at - packed_from, bit_width, out);
    AppendRun(values[at], run, bit_width, out);
    at += run;
    packed_from = at;
  }
  AppendGroups(values + packed_from, count - packed_from, bit_width, out);
}

}  // namespace

uint32_t BitWidthOf(uint32_t most) { return std::max(1u, static_cast<uint32_t>(std::bit_width(most))); }

void AppendRun(uint32_t value, size_t count, uint32_t bit_width, ByteBuffer& out) {
  out.AppendVarint(count << 1);
  out.Append(&value, (bit_width + 7) / 8);
}

void AppendRuns(const uint8_t* values, size_t count, uint32_t bit_width, ByteBuffer& out) {
  SCAUP_ASSERT(bit_width >= 1 && bit_width <= 32);
  Encode(values, count, bit_width, out);
}

void AppendRuns(const uint32_t* values, size_t count, uint32_t bit_width, ByteBuffer& out) {
  SCAUP_ASSERT(bit_width >= 1 && bit_width <= 32);
  Encode(values, count, bit_width, out);
}

void AppendPacked(const uint8_t* values, size_t count, uint32_t bit_width, ByteBuffer& out) {
  Pack(values, count, bit_width, out);
}

void AppendPacked(const uint32_t* values, size_t count, uint32_t bit_width, ByteBuffer& out) {
  Pack(values, count, bit_width, out);
}

}  // namespace scaup
