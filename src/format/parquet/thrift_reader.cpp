// Reads varints, headers and strings of the compact protocol, and skips what nobody asks for.
#include "format/parquet/thrift_reader.hpp"

namespace scaup {

namespace {

/// Parquet's structs are at most ten deep.
constexpr int kMostDepth = 32;

}  // namespace

void ThriftReader::Enter() {
  if (++depth_ > kMostDepth) ThrowParquetDamage("its metadata is nested too deeply");
}

uint8_t ThriftReader::ReadByte() {
  if (at_ == end_) ThrowParquetDamage("its metadata is cut off");
  return *at_++;
}

void ThriftReader::Advance(size_t size_bytes) {
  if (size_bytes > static_cast<size_t>(end_ - at_)) ThrowParquetDamage("its metadata is cut off");
  at_ += size_bytes;
}

uint64_t ThriftReader::ReadVarint() {
  uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    const uint8_t byte = ReadByte();
    value |= uint64_t{byte & 0x7fu} << shift;
    if (byte < 0x80) return value;
  }
  ThrowParquetDamage("a number in its metadata is too long");
}

ThriftReader::Type ThriftReader::ReadFieldHeader(int32_t& id) {
  const uint8_t header = ReadByte();
  const auto type = static_cast<Type>(header & 15);
  if (type == Type::kStop) return type;
  if (type > Type::kStruct) ThrowParquetDamage("a field in its metadata has an unknown type");
  const int delta = header >> 4;
  // Ids have 16 bits.
  id = delta != 0 ? id + delta : static_cast<int16_t>(ReadZigzag());
  return type;
}

size_t ThriftReader::ReadListHeader(Type& type) {
  const uint8_t header = ReadByte();
  type = static_cast<Type>(header & 15);
  const uint64_t count = header >> 4 != 15 ? header >> 4 : ReadVarint();
  // Writers such as fastparquet give an empty list no type.
  if ((type == Type::kStop && count != 0) || type > Type::kStruct)
    ThrowParquetDamage("a list in its metadata has an unknown type");
  // An element takes at least one byte.
  if (count > static_cast<uint64_t>(end_ - at_)) ThrowParquetDamage("a list in its metadata is cut off");
  return count;
}

int64_t ThriftReader::ReadInteger(Type type) {
  switch (type) {
    case Type::kByte: return static_cast<int8_t>(ReadByte());
    case Type::kI16:
    case Type::kI32:
    case Type::kI64: return ReadZigzag();
    default: ThrowParquetDamage("a field in its metadata is not an integer");
  }
}

int32_t ThriftReader::ReadInt32(Type type) {
  const int64_t value = ReadInteger(type);
  if (value != static_cast<int32_t>(value)) ThrowParquetDamage("a number in its metadata is too large");
  return static_cast<int32_t>(value);
}

bool ThriftReader::ReadBool(Type type, bool is_element) {
  if (type != Type::kTrue && type != Type::kFalse)
    ThrowParquetDamage("a field in its metadata is not a boolean");
  return is_element ? ReadByte() == 1 : type == Type::kTrue;
}

std::string_view ThriftReader::ReadBinary(Type type) {
  if (type != Type::kBinary) ThrowParquetDamage("a field in its metadata is not a string");
  const uint64_t size = ReadVarint();
  const uint8_t* const first = at_;
  Advance(size);
  return {reinterpret_cast<const char*>(first), size};
}

void ThriftReader::Skip(Type type) {
  switch (type) {
    case Type::kStop:
    case Type::kTrue:
    case Type::kFalse: return;
    case Type::kByte: return Advance(1);
    case Type::kI16:
    case Type::kI32:
    case Type::kI64: ReadVarint(); return;
    case Type::kDouble: return Advance(8);
    case Type::kBinary: ReadBinary(type); return;
    case Type::kList:
    case Type::kSet:
      return ReadList([&](Type element) {
        if (element == Type::kTrue || element == Type::kFalse) return Advance(1);
        Skip(element);
      });
    case Type::kMap: {
      Enter();
      const uint64_t count = ReadVarint();
      if (count > static_cast<uint64_t>(end_ - at_)) ThrowParquetDamage("a map in its metadata is cut off");
      const uint8_t types = count == 0 ? 0 : ReadByte();
      for (uint64_t i = 0; i < count; i++) {
        for (const int nibble : {types >> 4, types & 15}) {
          const auto part = static_cast<Type>(nibble);
          if (part == Type::kStop || part > Type::kStruct)
            ThrowParquetDamage("a map in its metadata has an unknown type");
          if (part == Type::kTrue || part == Type::kFalse) {
            Advance(1);
          } else {
            Skip(part);
          }
        }
      }
      depth_--;
      return;
    }
    case Type::kStruct: return ReadStruct([](int32_t, Type) { return false; });
  }
}

}  // namespace scaup
