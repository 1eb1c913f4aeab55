// Rows to bytes and back.
#include "storage/wal/log_record.hpp"

#include <cstring>

namespace scaup {

namespace {

void WriteColumn(Vector& vector, size_t count, ByteWriter& writer) {
  vector.Flatten(count);
  const ValidityWord* validity = vector.Validity();
  writer.WriteBool(validity != nullptr);
  if (validity != nullptr) writer.WriteBytes(std::as_bytes(std::span(validity, kValidityWords)));
  if (vector.physical_type() != PhysicalType::kString) {
    writer.WriteBytes({vector.Data<std::byte>(), count * PhysicalSize(vector.physical_type())});
    return;
  }
  const StringRef* strings = vector.Data<StringRef>();
  for (size_t i = 0; i < count; i++) {
    const bool is_valid = validity == nullptr || TestValid(validity, i);
    writer.WriteString(is_valid ? strings[i].view() : std::string_view());
  }
}

void ReadColumn(ByteReader& reader, size_t count, Vector& vector) {
  if (reader.ReadBool("NULLs of rows")) {
    const auto validity = reader.ReadBytes(kValidityWords * sizeof(ValidityWord), "NULLs of rows");
    std::memcpy(vector.MutableValidity(), validity.data(), validity.size());
  }
  if (vector.physical_type() != PhysicalType::kString) {
    const auto values = reader.ReadBytes(count * PhysicalSize(vector.physical_type()), "values");
    std::memcpy(vector.MutableData<std::byte>(), values.data(), values.size());
    return;
  }
  for (size_t i = 0; i < count; i++) {
    vector.MutableData<StringRef>()[i] = vector.AddString(reader.ReadString("string"));
  }
}

}  // namespace

void WriteChunk(DataChunk& chunk, ByteWriter& writer) {
  writer.WriteVarint(chunk.size());
  for (size_t i = 0; i < chunk.column_count(); i++) WriteColumn(chunk.column(i), chunk.size(), writer);
}

void ReadChunk(ByteReader& reader, DataChunk& chunk) {
  const uint64_t count = reader.ReadVarint("number of rows");
  if (count == 0 || count > kVectorSize) reader.Fail("number of rows", "it is not 1 to 1024");
  chunk.ResetForWriting();
  for (size_t i = 0; i < chunk.column_count(); i++) ReadColumn(reader, count, chunk.column(i));
  chunk.SetSize(count);
}

}  // namespace scaup
