// Values to bytes and back, for what Scaup keeps in files: little-endian on every machine, read with bounds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scaup {

/// Appends values to a growing run of bytes. One thread at a time.
class ByteWriter {
 public:
  void WriteU8(uint8_t value);
  void WriteU16(uint16_t value);
  void WriteU32(uint32_t value);
  void WriteU64(uint64_t value);
  void WriteI64(int64_t value) { WriteU64(static_cast<uint64_t>(value)); }
  void WriteBool(bool value) { WriteU8(value ? 1 : 0); }
  /// The bits, so that every NaN and both zeros come back as they were.
  void WriteDouble(double value);
  /// Seven bits a byte, least significant first, the eighth set where more follow: 1 to 10 bytes.
  void WriteVarint(uint64_t value);
  /// As a varint of (value << 1) ^ (value >> 63): small numbers of either sign are short.
  void WriteSignedVarint(int64_t value);
  /// Length as a varint, then the bytes.
  void WriteString(std::string_view text);
  void WriteSizedBytes(std::span<const std::byte> bytes);
  /// The bytes alone; the reader must know how many.
  void WriteBytes(std::span<const std::byte> bytes);
  /// Room for bytes that the caller fills, valid until the next call.
  std::span<std::byte> Extend(size_t size_bytes);
  /// Replaces eight bytes that were written at `offset`: a length known only later.
  void OverwriteU64(size_t offset, uint64_t value);

  size_t size() const { return bytes_.size(); }
  /// Valid until the next call that writes.
  std::span<const std::byte> bytes() const { return bytes_; }
  /// Hands over all bytes and begins anew.
  std::vector<std::byte> Take();
  /// Begins anew, keeping the memory.
  void Clear() { bytes_.clear(); }

 private:
  std::vector<std::byte> bytes_;
};

/// Reads what a ByteWriter wrote, from bytes that it borrows. Never reads past the end: whatever the bytes
/// are, each call returns a value or throws Error(kIo, XX001), which says of what source, what was being read
/// (`what`: "name of the table") and where. One thread at a time.
class ByteReader {
 public:
  /// `source` is for messages: the file's path, or "checkpoint of ...".
  ByteReader(std::span<const std::byte> bytes, std::string_view source) : bytes_(bytes), source_(source) {}

  uint8_t ReadU8(const char* what);
  uint16_t ReadU16(const char* what);
  uint32_t ReadU32(const char* what);
  uint64_t ReadU64(const char* what);
  int64_t ReadI64(const char* what) { return static_cast<int64_t>(ReadU64(what)); }
  /// A byte other than 0 and 1 is damage.
  bool ReadBool(const char* what);
  double ReadDouble(const char* what);
  uint64_t ReadVarint(const char* what);
  int64_t ReadSignedVarint(const char* what);
  /// A varint that counts things of which each takes `least_bytes_each` (> 0) or more of what follows: a
  /// count that cannot be is found out before anybody reserves memory for it.
  size_t ReadCount(const char* what, size_t least_bytes_each);
  /// Views of the bytes that the reader borrows.
  std::string_view ReadString(const char* what);
  std::span<const std::byte> ReadSizedBytes(const char* what);
  std::span<const std::byte> ReadBytes(size_t size_bytes, const char* what);
  /// Throws if bytes are left.
  void ExpectEnd(const char* what) const;
  /// Throws the error for a value that its reader cannot accept.
  [[noreturn]] void Fail(const char* what, std::string_view reason) const;

  size_t position() const { return position_; }
  size_t remaining() const { return bytes_.size() - position_; }

 private:
  const std::byte* Take(size_t size_bytes, const char* what);
  template <typename T>
  T ReadFixed(const char* what);

  std::span<const std::byte> bytes_;
  size_t position_ = 0;
  std::string source_;
};

}  // namespace scaup
