// Files over HTTP: parts by range requests, or the whole at once.
#include "format/http/http_host.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "common/throw.hpp"
#include "format/http/http_transfers.hpp"

namespace scaup {

namespace {

/// The first request asks for so many bytes, which are kept: short files need no other one.
constexpr uint64_t kFirstBytes = 64 << 10;
constexpr long kOkStatus = 200, kPartStatus = 206, kNoSuchRange = 416;

[[noreturn]] void ThrowStatus(const std::string& url, const HttpAnswer& answer) {
  const char* state = sqlstate::kIoError;
  if (answer.status == 404 || answer.status == 410) state = sqlstate::kUndefinedFile;
  if (answer.status == 401 || answer.status == 403) state = "42501";  // insufficient privilege
  ThrowError(ErrorKind::kIo, state,
             fmt::format("could not read \"{}\": the server answers {}{}{}", url, answer.status,
                         answer.reason.empty() ? "" : " ", answer.reason));
}

/// The contents of a file or of its beginning, accounted for.
class HttpContents {
 public:
  explicit HttpContents(MemoryTracker& memory) : memory_(memory) {}

  void Append(const char* bytes, size_t size_bytes) {
    const size_t needed = bytes_.size() + size_bytes;
    if (needed > bytes_.capacity()) {
      const size_t capacity = std::max(needed, 2 * bytes_.capacity());
      memory_.Resize(capacity);
      bytes_.reserve(capacity);
    }
    bytes_.insert(bytes_.end(), bytes, bytes + size_bytes);
  }
  size_t size_bytes() const { return bytes_.size(); }
  /// Copies bytes as far as they are there, and returns how many.
  size_t Copy(uint64_t offset, char* to, size_t size_bytes) const {
    if (offset >= bytes_.size()) return 0;
    const size_t count = std::min<uint64_t>(size_bytes, bytes_.size() - offset);
    std::memcpy(to, bytes_.data() + offset, count);
    return count;
  }

 private:
  MemoryReservation memory_;
  std::vector<char> bytes_;
};

class HttpFile final : public HostedFile {
 public:
  HttpFile(HttpTransfers& transfers, MemoryTracker& memory, const std::string& url, const FileUse& use)
      : transfers_(transfers), url_(url), use_(use), contents_(memory) {
    opened_ = transfers_.Get(
        {url_, 0, kFirstBytes,
         [this](const HttpAnswer&, const char* bytes, size_t count) { contents_.Append(bytes, count); }},
        use_);
    if (opened_.status == kPartStatus && opened_.range_begin == 0 && opened_.range_total) {
      size_bytes_ = *opened_.range_total;
      CheckCount(contents_.size_bytes(), std::min(size_bytes_, kFirstBytes));
    } else if (opened_.status == kOkStatus) {
      size_bytes_ = contents_.size_bytes();  // The server has no parts, so this is the whole.
    } else if (opened_.status != kNoSuchRange || opened_.range_total != 0) {
      ThrowStatus(url_, opened_);  // An empty file has no range.
    }
  }

  uint64_t Size() override { return size_bytes_; }
  std::string Version() override { return opened_.etag.empty() ? opened_.last_modified : opened_.etag; }
  std::optional<int64_t> ModifiedMicros() override { return opened_.modified_micros; }

  size_t Read(uint64_t offset, void* buffer, size_t size_bytes) override {
    if (offset >= size_bytes_) return 0;
    auto* const to = static_cast<char*>(buffer);
    const size_t wanted = std::min<uint64_t>(size_bytes, size_bytes_ - offset);
    const size_t known = contents_.Copy(offset, to, wanted);
    if (known < wanted) ReadPart(offset + known, to + known, wanted - known);
    return wanted;
  }

 private:
  void ReadPart(uint64_t offset, char* to, size_t size_bytes) {
    size_t count = 0;
    const HttpAnswer answer = transfers_.Get({url_, offset, offset + size_bytes,
                                              [&](const HttpAnswer& begun, const char* bytes, size_t size) {
                                                CheckPart(begun, offset);
                                                if (size > size_bytes - count)
                                                  CheckCount(count + size, size_bytes);
                                                std::memcpy(to + count, bytes, size);
                                                count += size;
                                              }},
                                             use_);
    CheckPart(answer, offset);
    CheckCount(count, size_bytes);
  }

  /// Refuses what is no part of the file that was opened.
  void CheckPart(const HttpAnswer& answer, uint64_t offset) const {
    const bool has_changed = answer.etag != opened_.etag || answer.last_modified != opened_.last_modified ||
                             answer.status == kNoSuchRange ||
                             (answer.range_total && answer.range_total != size_bytes_);
    if ((answer.status < 400 || answer.status == kNoSuchRange) && has_changed) {
      ThrowError(ErrorKind::kIo, sqlstate::kIoError,
                 fmt::format("\"{}\" has changed while the statement was reading it: run it again", url_));
    }
    if (answer.status != kPartStatus) ThrowStatus(url_, answer);
    if (answer.range_begin != offset) ThrowWrong("gives another part than the one that was asked for");
  }

  void CheckCount(size_t count, size_t wanted) const {
    if (count != wanted) ThrowWrong(fmt::format("gives {} bytes of {} that were asked for", count, wanted));
  }

  [[noreturn]] void ThrowWrong(const std::string& what) const {
    ThrowError(ErrorKind::kIo, sqlstate::kIoError,
               fmt::format("could not read \"{}\": the server {}", url_, what));
  }

  HttpTransfers& transfers_;
  const std::string url_;
  const FileUse& use_;
  HttpContents contents_;  // the beginning, or the whole
  HttpAnswer opened_;
  uint64_t size_bytes_ = 0;
};

class HttpHost final : public FileHost {
 public:
  explicit HttpHost(std::shared_ptr<MemoryTracker> memory) : memory_(std::move(memory)) {}

  std::unique_ptr<HostedFile> Open(const std::string& path, const FileUse& use) override {
    if (use.Setting("http_files") != "on") {
      ThrowError(
          ErrorKind::kUsage, sqlstate::kObjectNotInPrerequisiteState,
          fmt::format("\"{}\" was not read: files over HTTP are not allowed; SET http_files = on allows them",
                      path));
    }
    return std::make_unique<HttpFile>(transfers_, *memory_, path, use);
  }

 private:
  const std::shared_ptr<MemoryTracker> memory_;
  HttpTransfers transfers_;
};

}  // namespace

std::shared_ptr<FileHost> MakeHttpHost(std::shared_ptr<MemoryTracker> memory) {
  return std::make_shared<HttpHost>(std::move(memory));
}

}  // namespace scaup
