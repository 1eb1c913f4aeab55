// Runs zlib's inflate and deflate on a File.
#include "format/text/gzip_stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "common/throw.hpp"

#ifdef SCAUP_HAVE_ZLIB
#include <zlib.h>
#endif

namespace scaup {

#ifdef SCAUP_HAVE_ZLIB
namespace {

constexpr size_t kBufferBytes = 256 * 1024;
constexpr int kGzipWindowBits = 15 + 16;  // selects zlib's gzip wrapper

}  // namespace

struct GzipReader::Impl {
  explicit Impl(File& source) : file(source), input(kBufferBytes) {
    if (inflateInit2(&stream, kGzipWindowBits) != Z_OK)
      ThrowError(ErrorKind::kOutOfMemory, sqlstate::kOutOfMemory, "no memory to inflate a gzip file");
  }
  ~Impl() { inflateEnd(&stream); }

  [[noreturn]] void ThrowDamaged(const char* what) const {
    ThrowError(ErrorKind::kIo, sqlstate::kBadCopyFileFormat,
               fmt::format("could not read \"{}\": the gzip data is {}", file.path(), what));
  }

  File& file;
  std::vector<unsigned char> input;
  z_stream stream{};
  uint64_t file_offset = 0;
  bool in_member = false;
  bool at_end = false;
};

GzipReader::GzipReader(File& file) : impl_(std::make_unique<Impl>(file)) {}

size_t GzipReader::Read(char* buffer, size_t size_bytes) {
  Impl& impl = *impl_;
  size_t filled = 0;
  while (filled < size_bytes && !impl.at_end) {
    if (impl.stream.avail_in == 0) {
      const size_t got = impl.file.Read(impl.file_offset, impl.input.data(), impl.input.size());
      impl.file_offset += got;
      impl.stream.next_in = impl.input.data();
      impl.stream.avail_in = static_cast<uInt>(got);
      if (got == 0) {
        if (impl.in_member) impl.ThrowDamaged("cut off");
        impl.at_end = true;
        break;
      }
    }
    impl.in_member = true;
    const size_t wanted = std::min(size_bytes - filled, size_t{1} << 30);
    impl.stream.next_out = reinterpret_cast<unsigned char*>(buffer + filled);
    impl.stream.avail_out = static_cast<uInt>(wanted);
    const int status = inflate(&impl.stream, Z_NO_FLUSH);
    filled += wanted - impl.stream.avail_out;
    if (status == Z_STREAM_END) {
      impl.in_member = false;
      inflateReset(&impl.stream);  // another member may follow
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      impl.ThrowDamaged("damaged");
    }
  }
  return filled;
}

uint64_t GzipReader::consumed_bytes() const { return impl_->file_offset; }

struct GzipWriter::Impl {
  explicit Impl(File& target) : file(target), output(kBufferBytes) {
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipWindowBits, 8, Z_DEFAULT_STRATEGY) !=
        Z_OK) {
      ThrowError(ErrorKind::kOutOfMemory, sqlstate::kOutOfMemory, "no memory to write a gzip file");
    }
  }
  ~Impl() { deflateEnd(&stream); }

  void Deflate(std::string_view bytes, int flush) {
    stream.next_in = reinterpret_cast<unsigned char*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    do {
      stream.next_out = output.data();
      stream.avail_out = static_cast<uInt>(output.size());
      deflate(&stream, flush);
      const size_t made = output.size() - stream.avail_out;
      file.Write(file_offset, output.data(), made);
      file_offset += made;
    } while (stream.avail_out == 0);
  }

  File& file;
  std::vector<unsigned char> output;
  z_stream stream{};
  uint64_t file_offset = 0;
};

GzipWriter::GzipWriter(File& file) : impl_(std::make_unique<Impl>(file)) {}

void GzipWriter::Write(std::string_view bytes) {
  constexpr size_t kPiece = size_t{1} << 30;  // zlib counts in 32 bits
  while (!bytes.empty()) {
    impl_->Deflate(bytes.substr(0, kPiece), Z_NO_FLUSH);
    bytes.remove_prefix(std::min(bytes.size(), kPiece));
  }
}

void GzipWriter::Finish() { impl_->Deflate({}, Z_FINISH); }

#else

namespace {
[[noreturn]] void ThrowNoZlib(const File& file) {
  ThrowNotSupported(fmt::format("\"{}\" is a gzip file, but this Scaup was built without zlib", file.path()));
}
}  // namespace

struct GzipReader::Impl {};
GzipReader::GzipReader(File& file) { ThrowNoZlib(file); }
size_t GzipReader::Read(char*, size_t) { return 0; }
uint64_t GzipReader::consumed_bytes() const { return 0; }

struct GzipWriter::Impl {};
GzipWriter::GzipWriter(File& file) { ThrowNoZlib(file); }
void GzipWriter::Write(std::string_view) {}
void GzipWriter::Finish() {}

#endif

GzipReader::~GzipReader() = default;
GzipWriter::~GzipWriter() = default;

}  // namespace scaup
