// Runs, and unpacking of eight values at a time.
#include "format/parquet/rle_decoder.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "common/check.hpp"
#include "format/parquet/parquet_damage.hpp"

namespace scaup {

namespace {

/// Unpacks eight values of a constant width, which the compiler turns into shifts without branches.
template <uint32_t kWidth>
void UnpackEight(const uint8_t* bytes, uint32_t* values) {
  constexpr uint64_t kMask = (uint64_t{1} << kWidth) - 1;
  if constexpr (kWidth == 0) {
    for (int i = 0; i < 8; i++) values[i] = 0;
  } else if constexpr (kWidth <= 8) {
    uint64_t word;
    std::memcpy(&word, bytes, sizeof(word));
    for (uint32_t i = 0; i < 8; i++) values[i] = static_cast<uint32_t>(word >> (i * kWidth) & kMask);
  } else {
    for (uint32_t i = 0; i < 8; i++) {
      uint64_t word;
      std::memcpy(&word, bytes + i * kWidth / 8, sizeof(word));
      values[i] = static_cast<uint32_t>(word >> (i * kWidth % 8) & kMask);
    }
  }
}

using Unpack = void (*)(const uint8_t*, uint32_t*);

template <uint32_t... kWidths>
constexpr std::array<Unpack, sizeof...(kWidths)> MakeUnpackers(std::integer_sequence<uint32_t, kWidths...>) {
  return {UnpackEight<kWidths>...};
}
constexpr auto kUnpackers = MakeUnpackers(std::make_integer_sequence<uint32_t, 33>());

uint32_t OneValue(const uint8_t* bytes, size_t bit, uint32_t bit_width) {
  uint64_t word;
  std::memcpy(&word, bytes + bit / 8, sizeof(word));
  return static_cast<uint32_t>(word >> (bit % 8) & ((uint64_t{1} << bit_width) - 1));
}

}  // namespace

void UnpackBits(const uint8_t* bytes, size_t bit, uint32_t bit_width, size_t count, uint32_t* values) {
  while (count != 0 && bit % 8 != 0) {
    *values++ = OneValue(bytes, bit, bit_width);
    bit += bit_width;
    count--;
  }
  const Unpack unpack = kUnpackers[bit_width];
  const uint8_t* at = bytes + bit / 8;
  for (; count >= 8; count -= 8, values += 8, at += bit_width) unpack(at, values);
  for (size_t i = 0; i < count; i++) values[i] = OneValue(at, i * bit_width, bit_width);
}

RleDecoder::RleDecoder(std::span<const std::byte> bytes, uint32_t bit_width)
    : at_(reinterpret_cast<const uint8_t*>(bytes.data())), end_(at_ + bytes.size()), bit_width_(bit_width) {
  SCAUP_ASSERT(bit_width <= 32);
}

RleDecoder RleDecoder::FromHighestBit(std::span<const std::byte> bytes, uint32_t bit_width, size_t count) {
  RleDecoder decoder(bytes, bit_width);
  decoder.from_highest_ = true;
  decoder.packed_begin_ = decoder.at_;
  decoder.packed_ = std::min(count, bit_width == 0 ? count : bytes.size() * 8 / bit_width);
  decoder.at_ = decoder.end_;
  return decoder;
}

void RleDecoder::NextRun() {
  if (bit_width_ == 0 && at_ == end_) {
    // Values of no bits need no runs.
    repeated_ = SIZE_MAX;
    value_ = 0;
    return;
  }
  uint64_t header = 0;
  for (int shift = 0;; shift += 7) {
    if (at_ == end_ || shift > 35) ThrowParquetDamage("a page has fewer values than it claims");
    const uint8_t byte = *at_++;
    header |= uint64_t{byte & 0x7fu} << shift;
    if (byte < 0x80) break;
  }
  const uint64_t count = header >> 1;
  const auto left = static_cast<size_t>(end_ - at_);
  if ((header & 1) == 0) {
    const size_t bytes = (bit_width_ + 7) / 8;
    if (bytes > left) ThrowParquetDamage("a run in a page is cut off");
    value_ = 0;
    std::memcpy(&value_, at_, bytes);
    if (bit_width_ < 32 && value_ >> bit_width_ != 0)
      ThrowParquetDamage("a run in a page has too large a value");
    at_ += bytes;
    repeated_ = count;
    return;
  }
  // The last group may be cut off where no value needs its bytes.
  const uint64_t bytes = count * bit_width_;
  packed_begin_ = at_;
  bit_ = 0;
  if (bytes <= left) {
    packed_ = count * 8;
    at_ += bytes;
  } else {
    packed_ = left * 8 / bit_width_;
    at_ = end_;
  }
}

void RleDecoder::ReadPacked(size_t count, uint32_t* values) {
  if (from_highest_) {
    for (size_t i = 0; i < count; i++) {
      uint32_t value = 0;
      for (uint32_t b = 0; b < bit_width_; b++, bit_++)
        value = value << 1 | (packed_begin_[bit_ / 8] >> (7 - bit_ % 8) & 1);
      values[i] = value;
    }
    return;
  }
  UnpackBits(packed_begin_, bit_, bit_width_, count, values);
  bit_ += count * bit_width_;
}

void RleDecoder::Read(size_t count, uint32_t* values) {
  while (count != 0) {
    if (repeated_ == 0 && packed_ == 0) {
      NextRun();
      continue;
    }
    const size_t taken = std::min(count, repeated_ != 0 ? repeated_ : packed_);
    if (repeated_ != 0) {
      std::fill_n(values, taken, value_);
      repeated_ -= taken;
    } else {
      ReadPacked(taken, values);
      packed_ -= taken;
    }
    values += taken;
    count -= taken;
  }
}

void RleDecoder::Skip(size_t count) {
  while (count != 0) {
    if (repeated_ == 0 && packed_ == 0) {
      NextRun();
      continue;
    }
    const size_t taken = std::min(count, repeated_ != 0 ? repeated_ : packed_);
    if (repeated_ != 0) {
      repeated_ -= taken;
    } else {
      bit_ += taken * bit_width_;
      packed_ -= taken;
    }
    count -= taken;
  }
}

size_t RleDecoder::RunOf(uint32_t value, size_t count) {
  while (repeated_ == 0 && packed_ == 0 && count != 0) NextRun();
  return repeated_ != 0 && value_ == value ? std::min(repeated_, count) : 0;
}

}  // namespace scaup
