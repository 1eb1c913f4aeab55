// Calls the compression libraries.
#include "format/codec/codec.hpp"

#include <brotli/decode.h>
#include <lz4.h>
#include <snappy.h>
#include <zstd.h>

#include <climits>
#include <cstring>

#include "common/check.hpp"

#ifdef SCAUP_HAVE_ZLIB
#include <zlib.h>
#endif

namespace scaup {

namespace {

using Input = std::span<const std::byte>;
using Output = std::span<std::byte>;

const char* Chars(Input input) { return reinterpret_cast<const char*>(input.data()); }
char* Chars(Output output) { return reinterpret_cast<char*>(output.data()); }

bool RunSnappy(Input input, Output output) {
  size_t size = 0;
  return snappy::GetUncompressedLength(Chars(input), input.size(), &size) && size == output.size() &&
         snappy::RawUncompress(Chars(input), input.size(), Chars(output));
}

bool RunLz4Raw(Input input, Output output) {
  if (input.size() > INT_MAX || output.size() > INT_MAX) return false;
  return LZ4_decompress_safe(Chars(input), Chars(output), static_cast<int>(input.size()),
                             static_cast<int>(output.size())) == static_cast<int>(output.size());
}

uint32_t BigEndian(const std::byte* bytes) {
  uint32_t number;
  std::memcpy(&number, bytes, sizeof(number));
  return __builtin_bswap32(number);
}

/// Hadoop's frames: sizes before and after compression, big-endian, then an LZ4 block.
bool RunHadoopLz4(Input input, Output output) {
  while (!output.empty()) {
    if (input.size() < 8) return false;
    const uint32_t size = BigEndian(input.data()), compressed = BigEndian(input.data() + 4);
    input = input.subspan(8);
    if (compressed > input.size() || size > output.size() || size == 0) return false;
    if (!RunLz4Raw(input.first(compressed), output.first(size))) return false;
    input = input.subspan(compressed);
    output = output.subspan(size);
  }
  return input.empty();
}

bool RunBrotli(Input input, Output output) {
  size_t size = output.size();
  return BrotliDecoderDecompress(input.size(), reinterpret_cast<const uint8_t*>(input.data()), &size,
                                 reinterpret_cast<uint8_t*>(output.data())) ==
             BROTLI_DECODER_RESULT_SUCCESS &&
         size == output.size();
}

#ifdef SCAUP_HAVE_ZLIB
/// One or more members of gzip, or a zlib stream.
bool RunGzip(Input input, Output output) {
  if (input.size() > UINT_MAX || output.size() > UINT_MAX) return false;
  constexpr int kGzipOrZlib = 15 + 32;
  z_stream stream{};
  if (inflateInit2(&stream, kGzipOrZlib) != Z_OK) return false;
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(input.data()));
  stream.avail_in = static_cast<uInt>(input.size());
  stream.next_out = reinterpret_cast<Bytef*>(output.data());
  stream.avail_out = static_cast<uInt>(output.size());
  int status = inflate(&stream, Z_FINISH);
  while (status == Z_STREAM_END && stream.avail_in != 0 && stream.avail_out != 0) {
    inflateReset(&stream);
    status = inflate(&stream, Z_FINISH);
  }
  const bool is_whole = status == Z_STREAM_END && stream.avail_out == 0;
  inflateEnd(&stream);
  return is_whole;
}
#endif

}  // namespace

struct Decompressor::State {
  ZSTD_DCtx* zstd = nullptr;
  ~State() { ZSTD_freeDCtx(zstd); }
};

Decompressor::Decompressor() : state_(std::make_unique<State>()) {}
Decompressor::~Decompressor() = default;

std::string_view CodecName(Codec codec) {
  constexpr std::string_view kNames[] = {"UNCOMPRESSED", "SNAPPY", "GZIP", "LZO",
                                         "BROTLI",       "LZ4",    "ZSTD", "LZ4_RAW"};
  const auto number = static_cast<size_t>(codec);
  return number < std::size(kNames) ? kNames[number] : "UNKNOWN";
}

bool CanDecompress(Codec codec) {
  switch (codec) {
    case Codec::kNone:
    case Codec::kSnappy:
    case Codec::kBrotli:
    case Codec::kLz4:
    case Codec::kZstd:
    case Codec::kLz4Raw: return true;
    case Codec::kGzip:
#ifdef SCAUP_HAVE_ZLIB
      return true;
#else
      return false;
#endif
    case Codec::kLzo: return false;
  }
  return false;
}

bool Decompressor::Run(Codec codec, std::span<const std::byte> input, std::span<std::byte> output) {
  SCAUP_ASSERT(CanDecompress(codec));
  switch (codec) {
    case Codec::kNone:
      if (input.size() != output.size()) return false;
      if (!input.empty()) std::memcpy(output.data(), input.data(), input.size());
      return true;
    case Codec::kSnappy: return RunSnappy(input, output);
    case Codec::kGzip:
#ifdef SCAUP_HAVE_ZLIB
      return RunGzip(input, output);
#else
      return false;
#endif
    case Codec::kBrotli: return RunBrotli(input, output);
    case Codec::kLz4: return RunHadoopLz4(input, output) || RunLz4Raw(input, output);
    case Codec::kLz4Raw: return RunLz4Raw(input, output);
    case Codec::kZstd: {
      if (state_->zstd == nullptr) state_->zstd = ZSTD_createDCtx();
      if (state_->zstd == nullptr) return false;
      return ZSTD_decompressDCtx(state_->zstd, output.data(), output.size(), input.data(), input.size()) ==
             output.size();
    }
    case Codec::kLzo: return false;
  }
  return false;
}

}  // namespace scaup
