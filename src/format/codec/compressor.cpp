// Calls the compression libraries.
#include "format/codec/compressor.hpp"

#include <brotli/encode.h>
#include <lz4.h>
#include <snappy.h>
#include <zstd.h>

#include <cstring>

#include "common/check.hpp"
#include "common/throw.hpp"

#ifdef SCAUP_HAVE_ZLIB
#include <zlib.h>
#endif

namespace scaup {

namespace {

constexpr int kUsualZstdLevel = 3;
/// Brotli's own default, 11, takes a hundred times as long as the other codecs.
constexpr int kUsualBrotliLevel = 1;
/// The window that brotli chooses by itself.
constexpr int kBrotliWindow = BROTLI_DEFAULT_WINDOW;

using Input = std::span<const std::byte>;
using Output = std::span<std::byte>;

const char* CharsOf(Input input) { return reinterpret_cast<const char*>(input.data()); }
char* CharsOf(Output output) { return reinterpret_cast<char*>(output.data()); }

[[noreturn]] void ThrowNoMemory() {
  ThrowError(ErrorKind::kOutOfMemory, sqlstate::kOutOfMemory, "there is no memory to compress a page");
}

#ifdef SCAUP_HAVE_ZLIB
/// The header and trailer of gzip around a deflated block.
constexpr size_t kGzipFrameBytes = 18;

size_t RunGzip(Input input, Output output, int level) {
  constexpr int kGzip = 15 + 16, kMemoryLevel = 8;
  z_stream stream{};
  if (deflateInit2(&stream, level, Z_DEFLATED, kGzip, kMemoryLevel, Z_DEFAULT_STRATEGY) != Z_OK)
    ThrowNoMemory();
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(input.data()));
  stream.avail_in = static_cast<uInt>(input.size());
  stream.next_out = reinterpret_cast<Bytef*>(output.data());
  stream.avail_out = static_cast<uInt>(output.size());
  const int status = deflate(&stream, Z_FINISH);
  const size_t size = stream.total_out;
  deflateEnd(&stream);
  if (status != Z_STREAM_END) ThrowInternal("gzip needs more space than it said");
  return size;
}
#endif

}  // namespace

struct Compressor::State {
  ZSTD_CCtx* zstd = nullptr;
  ~State() { ZSTD_freeCCtx(zstd); }
};

bool CanCompress(Codec codec) { return codec != Codec::kLz4 && CanDecompress(codec); }

std::optional<std::pair<int, int>> CompressionLevels(Codec codec) {
  switch (codec) {
    case Codec::kZstd: return std::pair(1, ZSTD_maxCLevel());
    case Codec::kGzip: return std::pair(1, 9);
    case Codec::kBrotli: return std::pair(BROTLI_MIN_QUALITY, BROTLI_MAX_QUALITY);
    default: return std::nullopt;
  }
}

Compressor::Compressor(Codec codec, std::optional<int> level)
    : codec_(codec), level_(level), state_(std::make_unique<State>()) {
  SCAUP_ASSERT(CanCompress(codec));
  SCAUP_ASSERT(!level || (CompressionLevels(codec) && *level >= CompressionLevels(codec)->first &&
                          *level <= CompressionLevels(codec)->second));
}

Compressor::~Compressor() = default;

size_t Compressor::MostBytes(size_t input_bytes) const {
  switch (codec_) {
    case Codec::kNone: return input_bytes;
    case Codec::kSnappy: return snappy::MaxCompressedLength(input_bytes);
    case Codec::kZstd: return ZSTD_compressBound(input_bytes);
    case Codec::kLz4Raw: return static_cast<size_t>(LZ4_compressBound(static_cast<int>(input_bytes)));
    case Codec::kBrotli: return BrotliEncoderMaxCompressedSize(input_bytes) + 16;
    case Codec::kGzip:
#ifdef SCAUP_HAVE_ZLIB
      return compressBound(input_bytes) + kGzipFrameBytes;
#else
      break;
#endif
    case Codec::kLzo:
    case Codec::kLz4: break;
  }
  ThrowInternal("a codec that cannot compress");
}

size_t Compressor::Run(Input input, Output output) {
  SCAUP_ASSERT(output.size() >= MostBytes(input.size()));
  switch (codec_) {
    case Codec::kNone:
      if (!input.empty()) std::memcpy(output.data(), input.data(), input.size());
      return input.size();
    case Codec::kSnappy: {
      size_t size = 0;
      snappy::RawCompress(CharsOf(input), input.size(), CharsOf(output), &size);
      return size;
    }
    case Codec::kZstd: {
      if (state_->zstd == nullptr) state_->zstd = ZSTD_createCCtx();
      if (state_->zstd == nullptr) ThrowNoMemory();
      const size_t size = ZSTD_compressCCtx(state_->zstd, output.data(), output.size(), input.data(),
                                            input.size(), level_.value_or(kUsualZstdLevel));
      if (ZSTD_isError(size)) ThrowNoMemory();
      return size;
    }
    case Codec::kLz4Raw:
      return static_cast<size_t>(LZ4_compress_default(
          CharsOf(input), CharsOf(output), static_cast<int>(input.size()), static_cast<int>(output.size())));
    case Codec::kBrotli: {
      size_t size = output.size();
      if (BrotliEncoderCompress(level_.value_or(kUsualBrotliLevel), kBrotliWindow, BROTLI_MODE_GENERIC,
                                input.size(), reinterpret_cast<const uint8_t*>(input.data()), &size,
                                reinterpret_cast<uint8_t*>(output.data())) != BROTLI_TRUE)
        ThrowNoMemory();
      return size;
    }
    case Codec::kGzip:
#ifdef SCAUP_HAVE_ZLIB
      return RunGzip(input, output, level_.value_or(Z_DEFAULT_COMPRESSION));
#else
      break;
#endif
    case Codec::kLzo:
    case Codec::kLz4: break;
  }
  ThrowInternal("a codec that cannot compress");
}

}  // namespace scaup
