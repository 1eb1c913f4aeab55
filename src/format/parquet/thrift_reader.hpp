// Decodes Thrift's compact protocol, in which the metadata of Parquet files is written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "format/parquet/parquet_damage.hpp"

namespace scaup {

/// Reads values one after the other from borrowed bytes. The bytes are not trusted: every read is checked,
/// nesting is limited, and a list never claims more elements than there are bytes. Every function throws
/// ParquetDamage. One thread at a time.
class ThriftReader {
 public:
  enum class Type : uint8_t {
    kStop = 0,
    kTrue = 1,
    kFalse = 2,
    kByte = 3,
    kI16 = 4,
    kI32 = 5,
    kI64 = 6,
    kDouble = 7,
    kBinary = 8,
    kList = 9,
    kSet = 10,
    kMap = 11,
    kStruct = 12
  };

  explicit ThriftReader(std::span<const std::byte> bytes)
      : begin_(reinterpret_cast<const uint8_t*>(bytes.data())), at_(begin_), end_(begin_ + bytes.size()) {}

  size_t position() const { return static_cast<size_t>(at_ - begin_); }

  /// Reads a struct. on_field(id, type) reads the field's value and returns true, or returns false without
  /// reading anything, to skip it.
  template <typename OnField>
  void ReadStruct(OnField&& on_field) {
    Enter();
    int32_t id = 0;
    for (Type type; (type = ReadFieldHeader(id)) != Type::kStop;) {
      if (!on_field(id, type)) Skip(type);
    }
    depth_--;
  }
  /// Reads a list; on_element(type) reads one element each time.
  template <typename OnElement>
  void ReadList(OnElement&& on_element) {
    Enter();
    Type type;
    const size_t count = ReadListHeader(type);
    for (size_t i = 0; i < count; i++) on_element(type);
    depth_--;
  }

  /// Reads an integer of any width. `type` is what the header said.
  int64_t ReadInteger(Type type);
  int32_t ReadInt32(Type type);
  /// The value of a boolean field, which is its type, or of a boolean element, which is a byte.
  bool ReadBool(Type type, bool is_element = false);
  /// The bytes of a string. They are valid as long as the reader's bytes.
  std::string_view ReadBinary(Type type);
  std::string ReadString(Type type) { return std::string(ReadBinary(type)); }
  void Skip(Type type);

 private:
  void Enter();
  uint8_t ReadByte();
  uint64_t ReadVarint();
  int64_t ReadZigzag() {
    const uint64_t value = ReadVarint();
    return static_cast<int64_t>(value >> 1) ^ -static_cast<int64_t>(value & 1);
  }
  Type ReadFieldHeader(int32_t& id);
  size_t ReadListHeader(Type& type);
  void Advance(size_t size_bytes);

  const uint8_t* begin_;
  const uint8_t* at_;
  const uint8_t* end_;
  int depth_ = 0;
};

}  // namespace scaup
