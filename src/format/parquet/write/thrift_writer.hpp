// Encodes Thrift's compact protocol, in which the metadata of Parquet files is written.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "format/parquet/thrift_reader.hpp"

namespace scaup {

/// Appends structs to borrowed text. Fields are written in ascending order of their ids. One thread at a
/// time.
class ThriftWriter {
 public:
  using Type = ThriftReader::Type;

  explicit ThriftWriter(std::string& out) : out_(out) {}

  /// Writes a struct; write() writes its fields.
  template <typename Write>
  void Struct(Write&& write) {
    last_ids_.push_back(0);
    write();
    last_ids_.pop_back();
    out_ += static_cast<char>(Type::kStop);
  }
  template <typename Write>
  void StructField(int32_t id, Write&& write) {
    FieldHeader(id, Type::kStruct);
    Struct(write);
  }
  void EmptyStructField(int32_t id) {
    StructField(id, [] {});
  }
  /// Writes a list; write(element) writes each element.
  template <typename Elements, typename Write>
  void ListField(int32_t id, Type type, const Elements& elements, Write&& write) {
    FieldHeader(id, Type::kList);
    ListHeader(type, elements.size());
    for (const auto& element : elements) write(element);
  }
  void ByteField(int32_t id, int8_t value);
  void Int32Field(int32_t id, int32_t value);
  void Int64Field(int32_t id, int64_t value);
  void BoolField(int32_t id, bool value);
  void StringField(int32_t id, std::string_view bytes);

  // Elements of lists; integers of 32 and 64 bits are written alike.
  void Integer(int64_t value);
  void Bool(bool value);
  void String(std::string_view bytes);

 private:
  void FieldHeader(int32_t id, Type type);
  void ListHeader(Type type, size_t count);
  void Varint(uint64_t value);

  std::string& out_;
  std::vector<int32_t> last_ids_;
};

}  // namespace scaup
