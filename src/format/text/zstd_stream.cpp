// Runs Zstandard's streams on a File.
#include "format/text/zstd_stream.hpp"

#include <fmt/format.h>
#include <zstd.h>

#include <vector>

#include "common/throw.hpp"

namespace scaup {

namespace {

[[noreturn]] void ThrowNoZstdMemory() {
  ThrowError(ErrorKind::kOutOfMemory, sqlstate::kOutOfMemory, "no memory for a stream of Zstandard");
}

[[noreturn]] void ThrowDamagedZstd(const File& file, const char* what) {
  ThrowError(ErrorKind::kIo, sqlstate::kBadCopyFileFormat,
             fmt::format("could not read \"{}\": the Zstandard data is {}", file.path(), what));
}

}  // namespace

struct ZstdReader::Impl {
  explicit Impl(File& source) : file(source), input(ZSTD_DStreamInSize()) {
    if (stream == nullptr) ThrowNoZstdMemory();
  }
  ~Impl() { ZSTD_freeDStream(stream); }

  File& file;
  ZSTD_DStream* const stream = ZSTD_createDStream();
  std::vector<char> input;
  ZSTD_inBuffer rest{nullptr, 0, 0};
  uint64_t file_offset = 0;
  bool in_frame = false;
};

ZstdReader::ZstdReader(File& file) : impl_(std::make_unique<Impl>(file)) {}
ZstdReader::~ZstdReader() = default;

size_t ZstdReader::Read(char* buffer, size_t size_bytes) {
  Impl& impl = *impl_;
  ZSTD_outBuffer output{buffer, size_bytes, 0};
  while (output.pos < output.size) {
    if (impl.rest.pos == impl.rest.size) {
      const size_t got = impl.file.Read(impl.file_offset, impl.input.data(), impl.input.size());
      impl.file_offset += got;
      impl.rest = {impl.input.data(), got, 0};
      // The decompressor may still have bytes, which come without input.
      const size_t before = output.pos;
      if (got == 0 && impl.in_frame) {
        const size_t status = ZSTD_decompressStream(impl.stream, &output, &impl.rest);
        if (ZSTD_isError(status)) ThrowDamagedZstd(impl.file, "damaged");
        impl.in_frame = status != 0;
        if (impl.in_frame && output.pos == before) ThrowDamagedZstd(impl.file, "cut off");
        continue;
      }
      if (got == 0) break;
    }
    const size_t status = ZSTD_decompressStream(impl.stream, &output, &impl.rest);
    if (ZSTD_isError(status)) ThrowDamagedZstd(impl.file, "damaged");
    impl.in_frame = status != 0;
  }
  return output.pos;
}

uint64_t ZstdReader::consumed_bytes() const { return impl_->file_offset; }

struct ZstdWriter::Impl {
  explicit Impl(File& target) : file(target), output(ZSTD_CStreamOutSize()) {
    if (context == nullptr) ThrowNoZstdMemory();
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  }
  ~Impl() { ZSTD_freeCCtx(context); }

  void Compress(std::string_view bytes, ZSTD_EndDirective end) {
    ZSTD_inBuffer input{bytes.data(), bytes.size(), 0};
    size_t left = 0;
    do {
      ZSTD_outBuffer made{output.data(), output.size(), 0};
      left = ZSTD_compressStream2(context, &made, &input, end);
      if (ZSTD_isError(left)) ThrowNoZstdMemory();
      file.Write(file_offset, output.data(), made.pos);
      file_offset += made.pos;
    } while (end == ZSTD_e_end ? left != 0 : input.pos < input.size);
  }

  File& file;
  ZSTD_CCtx* const context = ZSTD_createCCtx();
  std::vector<char> output;
  uint64_t file_offset = 0;
};

ZstdWriter::ZstdWriter(File& file) : impl_(std::make_unique<Impl>(file)) {}
ZstdWriter::~ZstdWriter() = default;

void ZstdWriter::Write(std::string_view bytes) { impl_->Compress(bytes, ZSTD_e_continue); }
void ZstdWriter::Finish() { impl_->Compress({}, ZSTD_e_end); }

}  // namespace scaup
