// Reads and writes the parts of compressed blocks and headers, within bounds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "common/check.hpp"

namespace scaup {

/// Throws Error(kIo, XX001) with the message "corrupt data: <what>".
[[noreturn]] void ThrowCorruptEncoding(const char* what);

/// Reads little-endian numbers and runs of bytes in sequence. Borrows the bytes. Used by one thread.
class EncodedReader {
 public:
  explicit EncodedReader(std::span<const std::byte> bytes) : rest_(bytes) {}

  /// All reads throw Error(kIo, XX001) if the bytes end too early.
  template <typename T>
  T Read() {
    T value;
    std::memcpy(&value, Take(sizeof(T)).data(), sizeof(T));
    return value;
  }
  std::span<const std::byte> Take(size_t size_bytes) {
    if (size_bytes > rest_.size()) ThrowCorruptEncoding("a compressed block ends too early");
    const auto taken = rest_.first(size_bytes);
    rest_ = rest_.subspan(size_bytes);
    return taken;
  }
  /// Returns the bytes that were not read yet.
  std::span<const std::byte> rest() const { return rest_; }

 private:
  std::span<const std::byte> rest_;
};

/// The bytes of a block, for readers of single ranges. They may be scattered; a range across a border is
/// copied. Borrowed; used by one thread.
class BlockBytes {
 public:
  virtual ~BlockBytes() = default;
  virtual size_t size() const = 0;
  /// REQUIRES: begin + size_bytes <= size(). The result is valid as long as this object.
  std::span<const std::byte> Read(size_t begin, size_t size_bytes) {
    SCAUP_ASSERT(size_bytes <= size() && begin <= size() - size_bytes);
    return ReadRange(begin, size_bytes);
  }

 private:
  virtual std::span<const std::byte> ReadRange(size_t begin, size_t size_bytes) = 0;
};

/// A block whose bytes are contiguous.
class JoinedBlockBytes final : public BlockBytes {
 public:
  explicit JoinedBlockBytes(std::span<const std::byte> bytes) : bytes_(bytes) {}
  size_t size() const override { return bytes_.size(); }

 private:
  std::span<const std::byte> ReadRange(size_t begin, size_t size_bytes) override {
    return bytes_.subspan(begin, size_bytes);
  }
  std::span<const std::byte> bytes_;
};

template <typename T>
void AppendNumber(std::vector<std::byte>& bytes, T value) {
  const auto* data = reinterpret_cast<const std::byte*>(&value);
  bytes.insert(bytes.end(), data, data + sizeof(T));
}

inline void AppendBytes(std::vector<std::byte>& bytes, std::span<const std::byte> more) {
  bytes.insert(bytes.end(), more.begin(), more.end());
}

}  // namespace scaup
