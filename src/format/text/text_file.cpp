// Opens, reads and writes text files.
#include "format/text/text_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "common/check.hpp"
#include "common/throw.hpp"
#include "format/text/bzip2_stream.hpp"
#include "format/text/gzip_stream.hpp"
#include "format/text/zstd_stream.hpp"
#include "type/number/number_text.hpp"

namespace scaup {

namespace {

constexpr size_t kMostBufferBytes = (size_t{1} << 32) - 4096;

TextCompression CompressionOf(std::string_view head) {
  if (head.starts_with("\x1F\x8B")) return TextCompression::kGzip;
  if (head.starts_with("\x28\xB5\x2F\xFD")) return TextCompression::kZstd;
  return head.starts_with("BZh") ? TextCompression::kBzip2 : TextCompression::kNone;
}

/// Lets the user interrupt a query that waits for a pipe.
void AllowInterrupt(const FunctionContext& context, const TextFile& file) {
  if (file.pipe != nullptr) file.pipe->SetWait([&context] { context.CheckInterrupt(); });
}

TextEncoding FindEncoding(const FunctionContext& context, TextFile file) {
  constexpr size_t kMarkBytes = 256;
  const std::string head = ReadTextHead(context, file, kMarkBytes);
  const TextEncoding encoding = EncodingOfMark(head);
  if (encoding == TextEncoding::kUtf8 && LooksLikeUtf16(head)) {
    ThrowError(ErrorKind::kConversion, sqlstate::kCharacterNotInRepertoire,
               fmt::format("could not read \"{}\": it seems to be in UTF-16, without a byte order mark: say "
                           "encoding => 'utf-16le' or 'utf-16be'",
                           file.path));
  }
  return encoding;
}

}  // namespace

double TextFile::TextShare() const {
  constexpr double kUsualRatio = 4;
  const bool is_wide = encoding == TextEncoding::kUtf16 || encoding == TextEncoding::kUtf16Le ||
                       encoding == TextEncoding::kUtf16Be;
  return (compression == TextCompression::kNone ? 1 : kUsualRatio) * (is_wide ? 0.5 : 1);
}

TextFile LookAtTextFile(const FunctionContext& context, const std::string& path, TextCompression compression,
                        TextEncoding encoding) {
  std::shared_ptr<File> file = context.files.Open(path, OpenMode::kRead);
  TextFile result;
  result.path = path;
  result.size_bytes = file->Size();
  result.pipe = std::dynamic_pointer_cast<PipeFile>(file);
  AllowInterrupt(context, result);
  char head[4] = {};
  if (compression == TextCompression::kAuto)
    compression = CompressionOf({head, file->Read(0, head, sizeof(head))});
  result.compression = compression;
  result.encoding = encoding == TextEncoding::kAuto ? FindEncoding(context, result) : encoding;
  return result;
}

std::shared_ptr<File> OpenTextFile(const FunctionContext& context, const TextFile& file) {
  if (file.pipe == nullptr) return context.files.Open(file.path, OpenMode::kRead);
  AllowInterrupt(context, file);
  return file.pipe;
}

std::unique_ptr<ByteStream> OpenText(const TextFile& file, File& source) {
  std::unique_ptr<ByteStream> stream;
  switch (file.compression) {
    case TextCompression::kGzip: stream = std::make_unique<GzipReader>(source); break;
    case TextCompression::kZstd: stream = std::make_unique<ZstdReader>(source); break;
    case TextCompression::kBzip2: stream = std::make_unique<Bzip2Reader>(source); break;
    case TextCompression::kAuto:
    case TextCompression::kNone: stream = std::make_unique<FileStream>(source); break;
  }
  if (file.encoding == TextEncoding::kUtf8) return stream;
  return std::make_unique<DecodedStream>(std::move(stream), file.encoding, file.path);
}

uint64_t LineNumberAt(const FunctionContext& context, const TextFile& file, uint64_t offset, char newline) {
  SCAUP_CHECK(file.pipe == nullptr);
  const auto source = OpenTextFile(context, file);
  const auto text = OpenText(file, *source);
  std::vector<char> buffer(1 << 20);
  uint64_t line = 1, position = 0;
  while (position < offset) {
    const size_t wanted = std::min<uint64_t>(buffer.size(), offset - position);
    const size_t got = text->Read(buffer.data(), wanted);
    line += static_cast<uint64_t>(std::count(buffer.data(), buffer.data() + got, newline));
    position += got;
    if (got < wanted) break;
  }
  return line;
}

std::string ReadTextHead(const FunctionContext& context, const TextFile& file, size_t size_bytes) {
  const auto source = OpenTextFile(context, file);
  if (!file.IsStream()) size_bytes = std::min<uint64_t>(size_bytes, source->Size());
  std::string head(size_bytes, '\0');
  head.resize(OpenText(file, *source)->Read(head.data(), size_bytes));
  return head;
}

/// The path without the query of a URL, which comes behind its ending: "http://host/x.csv?key=1".
static std::string_view WithoutQuery(std::string_view path) {
  return path.find("://") == std::string_view::npos ? path : path.substr(0, path.find('?'));
}

std::string_view WithoutCompressionEnding(std::string_view path) {
  path = WithoutQuery(path);
  for (const std::string_view ending : {".gz", ".zst", ".bz2"}) {
    if (PathEndsWith(path, ending)) return path.substr(0, path.size() - ending.size());
  }
  return path;
}

bool PathEndsWith(std::string_view path, std::string_view lower_ending) {
  path = WithoutQuery(path);
  return path.size() >= lower_ending.size() &&
         EqualsIgnoringCase(path.substr(path.size() - lower_ending.size()), lower_ending);
}

void TextBuffer::Grow(size_t size_bytes) {
  if (size_bytes <= capacity_) return;
  if (size_bytes > kMostBufferBytes) {
    ThrowError(ErrorKind::kIo, sqlstate::kProgramLimitExceeded,
               "a row or document of a file is longer than 4 GiB");
  }
  MemoryReservation grown(memory_);
  grown.Resize(size_bytes + kTextPadding);
  std::unique_ptr<char[]> data(new char[size_bytes + kTextPadding]);  // not zeroed
  if (size != 0) std::memcpy(data.get(), data_.get(), size);
  data_ = std::move(data);
  capacity_ = size_bytes;
  reservation_ = std::move(grown);
}

TextFileWriter::TextFileWriter(FileSystem& files, NewFilePath path, TextCompression compression)
    : file_(files, std::move(path)) {
  if (compression == TextCompression::kBzip2 ||
      (compression == TextCompression::kAuto && PathEndsWith(file_.path(), ".bz2"))) {
    ThrowError(ErrorKind::kBinder, sqlstate::kFeatureNotSupported,
               "files are not written by bzip2: use zstd or gzip, which are faster");
  }
  if (compression == TextCompression::kAuto && PathEndsWith(file_.path(), ".gz"))
    compression = TextCompression::kGzip;
  if (compression == TextCompression::kAuto && PathEndsWith(file_.path(), ".zst"))
    compression = TextCompression::kZstd;
  if (compression == TextCompression::kGzip) compressor_ = std::make_unique<GzipWriter>(file_.file());
  if (compression == TextCompression::kZstd) compressor_ = std::make_unique<ZstdWriter>(file_.file());
}

TextFileWriter::~TextFileWriter() = default;

void TextFileWriter::Write(std::string_view text) {
  size_bytes_ += text.size();
  if (compressor_ != nullptr) {
    compressor_->Write(text);
  } else {
    file_.Append(text.data(), text.size());
  }
}

void TextFileWriter::Finish() {
  if (compressor_ != nullptr) compressor_->Finish();
  compressor_.reset();
  file_.Finish();
}

}  // namespace scaup
