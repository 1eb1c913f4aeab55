// Runs libbz2's decompressor on a File.
#include "format/text/bzip2_stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "common/throw.hpp"

#ifdef SCAUP_HAVE_BZIP2
#include <bzlib.h>
#endif

namespace scaup {

#ifdef SCAUP_HAVE_BZIP2

struct Bzip2Reader::Impl {
  explicit Impl(File& source) : file(source), input(size_t{256} << 10) { Begin(); }
  ~Impl() { BZ2_bzDecompressEnd(&stream); }

  void Begin() {
    if (BZ2_bzDecompressInit(&stream, 0, 0) != BZ_OK)
      ThrowError(ErrorKind::kOutOfMemory, sqlstate::kOutOfMemory, "no memory to decompress a bzip2 file");
  }
  [[noreturn]] void ThrowDamaged(const char* what) const {
    ThrowError(ErrorKind::kIo, sqlstate::kBadCopyFileFormat,
               fmt::format("could not read \"{}\": the bzip2 data is {}", file.path(), what));
  }
  /// Returns false at the end of the file.
  bool Fill() {
    const size_t got = file.Read(file_offset, input.data(), input.size());
    file_offset += got;
    stream.next_in = input.data();
    stream.avail_in = static_cast<unsigned>(got);
    return got != 0;
  }

  File& file;
  std::vector<char> input;
  bz_stream stream{};
  uint64_t file_offset = 0;
  bool in_stream = false;
};

Bzip2Reader::Bzip2Reader(File& file) : impl_(std::make_unique<Impl>(file)) {}

size_t Bzip2Reader::Read(char* buffer, size_t size_bytes) {
  Impl& impl = *impl_;
  size_t filled = 0;
  while (filled < size_bytes) {
    if (impl.stream.avail_in == 0 && !impl.Fill()) {
      if (impl.in_stream) impl.ThrowDamaged("cut off");
      break;
    }
    impl.in_stream = true;
    const size_t wanted = std::min(size_bytes - filled, size_t{1} << 30);
    impl.stream.next_out = buffer + filled;
    impl.stream.avail_out = static_cast<unsigned>(wanted);
    const int status = BZ2_bzDecompress(&impl.stream);
    filled += wanted - impl.stream.avail_out;
    if (status == BZ_STREAM_END) {
      impl.in_stream = false;
      // Another stream may follow, as programs that compress in parallel write them.
      const bz_stream rest = impl.stream;
      BZ2_bzDecompressEnd(&impl.stream);
      impl.stream = bz_stream();
      impl.Begin();
      impl.stream.next_in = rest.next_in;
      impl.stream.avail_in = rest.avail_in;
    } else if (status != BZ_OK) {
      impl.ThrowDamaged("damaged");
    }
  }
  return filled;
}

uint64_t Bzip2Reader::consumed_bytes() const { return impl_->file_offset; }

#else

struct Bzip2Reader::Impl {};
Bzip2Reader::Bzip2Reader(File& file) {
  ThrowNotSupported(
      fmt::format("\"{}\" is a bzip2 file, but this Scaup was built without libbz2", file.path()));
}
size_t Bzip2Reader::Read(char*, size_t) { return 0; }
uint64_t Bzip2Reader::consumed_bytes() const { return 0; }

#endif

Bzip2Reader::~Bzip2Reader() = default;

}  // namespace scaup
