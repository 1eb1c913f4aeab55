// Decompression of blocks whose size is known, by the codecs of columnar file formats.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace scaup {

/// The codecs of Parquet, with its numbers.
enum class Codec : uint8_t {
  kNone = 0,
  kSnappy = 1,
  kGzip = 2,
  kLzo = 3,
  kBrotli = 4,
  kLz4 = 5,  ///< LZ4 blocks in Hadoop's frames, or a bare LZ4 block, as writers have understood it both ways
  kZstd = 6,
  kLz4Raw = 7
};

/// The name as Parquet writes it: "SNAPPY".
std::string_view CodecName(Codec codec);
/// Whether this build can decompress it.
bool CanDecompress(Codec codec);

/// Decompresses blocks; keeps what a codec allocates for the next block. One thread at a time.
class Decompressor {
 public:
  Decompressor();
  ~Decompressor();
  Decompressor(const Decompressor&) = delete;
  Decompressor& operator=(const Decompressor&) = delete;

  /// Returns whether `input` is intact and decompresses to exactly output.size() bytes. Never reads or writes
  /// beyond the two. REQUIRES: CanDecompress(codec).
  bool Run(Codec codec, std::span<const std::byte> input, std::span<std::byte> output);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace scaup
