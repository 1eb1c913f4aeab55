// Serialization of values for Scaup's files: little-endian on every machine, with bounds-checked reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scaup {

/// A growing byte buffer to which values are appended. One thread at a time.
class ByteWriter {
 public:
  void WriteU8(uint8_t value);
  void WriteU16(uint16_t value);
  void WriteU32(uint32_t value);
  void WriteU64(uint64_t value);
  void WriteI64(int64_t value) { WriteU64(static_cast<uint64_t>(value)); }
  void WriteBool(bool value) { WriteU8(value ? 1 : 0); }
  /// Writes the bit pattern, so that NaN payloads and the sign of zero are preserved.
  void WriteDouble(double value);
  /// Writes 7 bits per byte, least significant first; the eighth bit is set if more bytes follow. 1 to 10
  /// bytes.
  void WriteVarint(uint64_t value);
  /// Writes (value << 1) ^ (value >> 63) as a varint (zigzag), so that small numbers of either sign are
  /// short.
  void WriteSignedVarint(int64_t value);
  /// Writes the length as a varint, then the bytes.
  void WriteString(std::string_view text);
  void WriteSizedBytes(std::span<const std::byte> bytes);
  /// Writes the bytes without a length; the reader must know the length.
  void WriteBytes(std::span<const std::byte> bytes);
  /// Appends `size_bytes` bytes of space for the caller to fill. The span is valid until the next call.
  std::span<std::byte> Extend(size_t size_bytes);
  /// Overwrites the eight bytes at `offset`, for a length that is known only after what follows was written.
  void OverwriteU64(size_t offset, uint64_t value);

  size_t size() const { return bytes_.size(); }
  /// The bytes written so far; valid until the next write.
  std::span<const std::byte> bytes() const { return bytes_; }
  /// Moves out all bytes and leaves the writer empty.
  std::vector<std::byte> Take();
  /// Empties the writer but retains its memory.
  void Clear() { bytes_.clear(); }

 private:
  std::vector<std::byte> bytes_;
};

/// A bounds-checked reader of what a ByteWriter wrote. It borrows the bytes and never reads past their end:
/// whatever the bytes are, each call returns a value or throws Error(kIo, XX001). The message names the
/// source, the offset and `what` was being read ("name of the table"). One thread at a time.
class ByteReader {
 public:
  /// `source` appears in error messages: the file's path, or "checkpoint of ...".
  ByteReader(std::span<const std::byte> bytes, std::string_view source) : bytes_(bytes), source_(source) {}

  uint8_t ReadU8(const char* what);
  uint16_t ReadU16(const char* what);
  uint32_t ReadU32(const char* what);
  uint64_t ReadU64(const char* what);
  int64_t ReadI64(const char* what) { return static_cast<int64_t>(ReadU64(what)); }
  /// Any byte but 0 and 1 is damage.
  bool ReadBool(const char* what);
  double ReadDouble(const char* what);
  uint64_t ReadVarint(const char* what);
  int64_t ReadSignedVarint(const char* what);
  /// Reads a varint that counts elements, each of which takes at least `least_bytes_each` (> 0) of the
  /// remaining bytes. An impossible count is thus rejected before the caller reserves memory for it.
  size_t ReadCount(const char* what, size_t least_bytes_each);
  /// The returned strings and spans point into the borrowed bytes.
  std::string_view ReadString(const char* what);
  std::span<const std::byte> ReadSizedBytes(const char* what);
  std::span<const std::byte> ReadBytes(size_t size_bytes, const char* what);
  /// Throws if bytes remain.
  void ExpectEnd(const char* what) const;
  /// Throws the damage error for a value that the caller cannot accept.
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
