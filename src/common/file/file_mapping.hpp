// A file mapped into memory: bytes that the system may write to disk and read again by itself.
#pragma once

#include <cstddef>
#include <span>

namespace scaup {

/// A mapping of a file without a name. Its bytes are used like any memory, but need not stay in memory. The
/// file vanishes with the mapping, also when the process dies. Any number of threads may use it.
class FileMapping {
 public:
  virtual ~FileMapping() = default;
  FileMapping(const FileMapping&) = delete;
  FileMapping& operator=(const FileMapping&) = delete;

  std::span<std::byte> bytes() const { return bytes_; }
  /// Takes the pages from the process; what was written stays, and each page returns when it is next used.
  virtual void ReleasePages() noexcept = 0;

 protected:
  explicit FileMapping(std::span<std::byte> bytes) : bytes_(bytes) {}

 private:
  const std::span<std::byte> bytes_;
};

}  // namespace scaup
