// Writes the parts of a compressed block or header, and reads them back without leaving the bytes given.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace scaup {

/// Throws Error(kIo, XX001): "corrupt data: <what>".
[[noreturn]] void ThrowCorruptEncoding(const char* what);

/// Reads numbers (little-endian) and runs of bytes one after the other. Borrows the bytes; one thread.
class EncodedReader {
 public:
  explicit EncodedReader(std::span<const std::byte> bytes) : rest_(bytes) {}

  /// Throws Error(kIo, XX001) where the bytes end too early, as all reads do.
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
  /// The bytes that were not read yet.
  std::span<const std::byte> rest() const { return rest_; }

 private:
  std::span<const std::byte> rest_;
};

/// The bytes of a block for who wants some of them: they may lie in several pieces, and what is read across
/// their borders is copied. Borrowed; one thread.
class BlockBytes {
 public:
  virtual ~BlockBytes() = default;
  virtual size_t size() const = 0;
  /// REQUIRES: begin + size_bytes <= size(). Valid as long as this is.
  virtual std::span<const std::byte> Read(size_t begin, size_t size_bytes) = 0;
};

/// Bytes that lie together.
class JoinedBlockBytes final : public BlockBytes {
 public:
  explicit JoinedBlockBytes(std::span<const std::byte> bytes) : bytes_(bytes) {}
  size_t size() const override { return bytes_.size(); }
  std::span<const std::byte> Read(size_t begin, size_t size_bytes) override {
    return bytes_.subspan(begin, size_bytes);
  }

 private:
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
