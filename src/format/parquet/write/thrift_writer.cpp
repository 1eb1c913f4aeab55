// Writes varints, headers and strings of the compact protocol.
#include "format/parquet/write/thrift_writer.hpp"

#include "common/check.hpp"

namespace scaup {

void ThriftWriter::Varint(uint64_t value) {
  for (; value >= 0x80; value >>= 7) out_ += static_cast<char>(value | 0x80);
  out_ += static_cast<char>(value);
}

void ThriftWriter::FieldHeader(int32_t id, Type type) {
  int32_t& last = last_ids_.back();
  SCAUP_ASSERT(id > last && id - last <= 15);  // Parquet's structs have no wider gaps.
  out_ += static_cast<char>((id - last) << 4 | static_cast<int>(type));
  last = id;
}

void ThriftWriter::ListHeader(Type type, size_t count) {
  constexpr size_t kMostShort = 14;
  const auto number = static_cast<size_t>(type);
  if (count <= kMostShort) {
    out_ += static_cast<char>(count << 4 | number);
    return;
  }
  out_ += static_cast<char>(0xF0 | number);
  Varint(count);
}

void ThriftWriter::Integer(int64_t value) {
  Varint(static_cast<uint64_t>(value) << 1 ^ static_cast<uint64_t>(value >> 63));
}

void ThriftWriter::Bool(bool value) { out_ += static_cast<char>(value ? Type::kTrue : Type::kFalse); }

void ThriftWriter::String(std::string_view bytes) {
  Varint(bytes.size());
  out_ += bytes;
}

void ThriftWriter::ByteField(int32_t id, int8_t value) {
  FieldHeader(id, Type::kByte);
  out_ += static_cast<char>(value);
}

void ThriftWriter::Int32Field(int32_t id, int32_t value) {
  FieldHeader(id, Type::kI32);
  Integer(value);
}

void ThriftWriter::Int64Field(int32_t id, int64_t value) {
  FieldHeader(id, Type::kI64);
  Integer(value);
}

void ThriftWriter::BoolField(int32_t id, bool value) { FieldHeader(id, value ? Type::kTrue : Type::kFalse); }

void ThriftWriter::StringField(int32_t id, std::string_view bytes) {
  FieldHeader(id, Type::kBinary);
  String(bytes);
}

}  // namespace scaup
