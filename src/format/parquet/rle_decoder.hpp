// Decodes runs and bit-packed groups: definition and repetition levels, dictionary codes, booleans.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace scaup {

/// Bytes that are readable behind every page, so that decoders may load whole words.
inline constexpr size_t kPagePadding = 64;

/// Reads Parquet's hybrid of run-length encoding and bit packing. Borrows the bytes, which kPagePadding
/// readable bytes follow. Functions throw ParquetDamage when the values end early. One thread at a time.
class RleDecoder {
 public:
  RleDecoder() = default;
  /// REQUIRES: bit_width <= 32.
  RleDecoder(std::span<const std::byte> bytes, uint32_t bit_width);
  /// The deprecated encoding of levels: `count` values, bit-packed from the highest bit of each byte.
  static RleDecoder FromHighestBit(std::span<const std::byte> bytes, uint32_t bit_width, size_t count);

  void Read(size_t count, uint32_t* values);
  void Skip(size_t count);
  /// How many of the next values, at most `count`, are a run of `value`. They are not consumed.
  size_t RunOf(uint32_t value, size_t count);

 private:
  void NextRun();
  void ReadPacked(size_t count, uint32_t* values);

  const uint8_t* at_ = nullptr;
  const uint8_t* end_ = nullptr;
  uint32_t bit_width_ = 0;
  bool from_highest_ = false;
  size_t repeated_ = 0;  // values left of a run
  uint32_t value_ = 0;
  size_t packed_ = 0;  // values left of a bit-packed run
  size_t bit_ = 0;     // of the next one, from packed_begin_
  const uint8_t* packed_begin_ = nullptr;
};

/// Unpacks `count` values of `bit_width` <= 32 bits from bit `bit` on. kPagePadding bytes follow the values.
void UnpackBits(const uint8_t* bytes, size_t bit, uint32_t bit_width, size_t count, uint32_t* values);

}  // namespace scaup
