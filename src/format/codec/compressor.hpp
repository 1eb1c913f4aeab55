// Compression of blocks by the codecs of columnar file formats.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "format/codec/codec.hpp"

namespace scaup {

/// Whether this build can compress by it. It does not for kLzo and kLz4, whose frames readers take
/// differently; kLz4Raw is the same without them.
bool CanCompress(Codec codec);
/// The least and the greatest level; nullopt if the codec has none.
std::optional<std::pair<int, int>> CompressionLevels(Codec codec);

/// Compresses blocks; keeps what a codec allocates for the next block. One thread at a time.
class Compressor {
 public:
  /// Without a level, the codec's usual one. REQUIRES: CanCompress(codec), and the level is within
  /// CompressionLevels(codec).
  explicit Compressor(Codec codec, std::optional<int> level = std::nullopt);
  ~Compressor();
  Compressor(const Compressor&) = delete;
  Compressor& operator=(const Compressor&) = delete;

  /// How many bytes the output for an input of that size may take.
  size_t MostBytes(size_t input_bytes) const;
  /// Returns the number of bytes written. Throws Error(kOutOfMemory) if the codec has no memory. REQUIRES:
  /// output.size() >= MostBytes(input.size()).
  size_t Run(std::span<const std::byte> input, std::span<std::byte> output);

 private:
  struct State;
  Codec codec_;
  std::optional<int> level_;
  std::unique_ptr<State> state_;
};

}  // namespace scaup
