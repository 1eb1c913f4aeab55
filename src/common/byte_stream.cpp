// Values to bytes and back: little-endian integers, varints, strings.
#include "common/byte_stream.hpp"

#include <bit>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "common/throw.hpp"

namespace scaup {

namespace {

// Compilers make one store, or load, of these loops.
template <typename T>
void StoreLittleEndian(std::byte* target, T value) {
  for (size_t i = 0; i < sizeof(T); i++) target[i] = static_cast<std::byte>(value >> (8 * i));
}

template <typename T>
T LoadLittleEndian(const std::byte* source) {
  T value = 0;
  for (size_t i = 0; i < sizeof(T); i++) value = static_cast<T>(value | static_cast<T>(source[i]) << (8 * i));
  return value;
}

}  // namespace

std::span<std::byte> ByteWriter::Extend(size_t size_bytes) {
  const size_t offset = bytes_.size();
  bytes_.resize(offset + size_bytes);
  return {bytes_.data() + offset, size_bytes};
}

void ByteWriter::WriteU8(uint8_t value) { bytes_.push_back(static_cast<std::byte>(value)); }
void ByteWriter::WriteU16(uint16_t value) { StoreLittleEndian(Extend(sizeof(value)).data(), value); }
void ByteWriter::WriteU32(uint32_t value) { StoreLittleEndian(Extend(sizeof(value)).data(), value); }
void ByteWriter::WriteU64(uint64_t value) { StoreLittleEndian(Extend(sizeof(value)).data(), value); }
void ByteWriter::WriteDouble(double value) { WriteU64(std::bit_cast<uint64_t>(value)); }

void ByteWriter::WriteVarint(uint64_t value) {
  while (value >= 0x80) {
    WriteU8(static_cast<uint8_t>(value | 0x80));
    value >>= 7;
  }
  WriteU8(static_cast<uint8_t>(value));
}

void ByteWriter::WriteSignedVarint(int64_t value) {
  WriteVarint(static_cast<uint64_t>(value) << 1 ^ static_cast<uint64_t>(value >> 63));
}

void ByteWriter::WriteString(std::string_view text) {
  WriteSizedBytes(std::as_bytes(std::span(text.data(), text.size())));
}

void ByteWriter::WriteSizedBytes(std::span<const std::byte> bytes) {
  WriteVarint(bytes.size());
  WriteBytes(bytes);
}

void ByteWriter::WriteBytes(std::span<const std::byte> bytes) {
  bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
}

void ByteWriter::OverwriteU64(size_t offset, uint64_t value) {
  SCAUP_CHECK(offset <= bytes_.size() && bytes_.size() - offset >= sizeof(value));
  StoreLittleEndian(bytes_.data() + offset, value);
}

std::vector<std::byte> ByteWriter::Take() { return std::exchange(bytes_, {}); }

void ByteReader::Fail(const char* what, std::string_view reason) const {
  ThrowError(
      ErrorKind::kIo, sqlstate::kDataCorrupted,
      fmt::format("{} is damaged: {} at byte {} of {}: {}", source_, what, position_, bytes_.size(), reason));
}

const std::byte* ByteReader::Take(size_t size_bytes, const char* what) {
  if (size_bytes > remaining()) {
    Fail(what, fmt::format("{} bytes wanted, {} left", size_bytes, remaining()));
  }
  const std::byte* start = bytes_.data() + position_;
  position_ += size_bytes;
  return start;
}

template <typename T>
T ByteReader::ReadFixed(const char* what) {
  return LoadLittleEndian<T>(Take(sizeof(T), what));
}

uint8_t ByteReader::ReadU8(const char* what) { return ReadFixed<uint8_t>(what); }
uint16_t ByteReader::ReadU16(const char* what) { return ReadFixed<uint16_t>(what); }
uint32_t ByteReader::ReadU32(const char* what) { return ReadFixed<uint32_t>(what); }
uint64_t ByteReader::ReadU64(const char* what) { return ReadFixed<uint64_t>(what); }
double ByteReader::ReadDouble(const char* what) { return std::bit_cast<double>(ReadU64(what)); }

bool ByteReader::ReadBool(const char* what) {
  const uint8_t value = ReadU8(what);
  if (value > 1) Fail(what, fmt::format("{} is neither 0 nor 1", value));
  return value == 1;
}

uint64_t ByteReader::ReadVarint(const char* what) {
  uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    const auto byte = ReadU8(what);
    // The tenth byte has room for one bit only.
    if (shift == 63 && byte > 1) break;
    value |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
  Fail(what, "number of more than 64 bits");
}

int64_t ByteReader::ReadSignedVarint(const char* what) {
  const uint64_t value = ReadVarint(what);
  return static_cast<int64_t>(value >> 1 ^ (~(value & 1) + 1));
}

size_t ByteReader::ReadCount(const char* what, size_t least_bytes_each) {
  const uint64_t count = ReadVarint(what);
  if (count > remaining() / least_bytes_each) {
    Fail(what, fmt::format("{} of them do not fit into {} bytes", count, remaining()));
  }
  return static_cast<size_t>(count);
}

std::string_view ByteReader::ReadString(const char* what) {
  const std::span<const std::byte> bytes = ReadSizedBytes(what);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::span<const std::byte> ByteReader::ReadSizedBytes(const char* what) {
  const uint64_t size_bytes = ReadVarint(what);
  if (size_bytes > remaining()) {
    Fail(what, fmt::format("{} bytes wanted, {} left", size_bytes, remaining()));
  }
  return ReadBytes(static_cast<size_t>(size_bytes), what);
}

std::span<const std::byte> ByteReader::ReadBytes(size_t size_bytes, const char* what) {
  return {Take(size_bytes, what), size_bytes};
}

void ByteReader::ExpectEnd(const char* what) const {
  if (remaining() != 0) Fail(what, fmt::format("{} bytes follow that belong to nothing", remaining()));
}

}  // namespace scaup
