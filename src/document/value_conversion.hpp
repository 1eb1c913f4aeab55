// Conversion of attribute values to values of projections.
#pragma once

#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "document/attribute/attribute_dictionary.hpp"
#include "document/document_steps.hpp"
#include "scaup/type.hpp"
#include "vector/vector.hpp"

namespace scaup {

/// The way in which an attribute's value becomes a value of a projection's type.
enum class ValueConversion : uint8_t {
  kNone,  ///< no conversion exists: NULL
  kBoolean,
  kBigInt,
  kHugeInt,
  kDouble,
  kBytes,        ///< the bytes unchanged: strings, numbers as text
  kArray,        ///< the slots unchanged
  kDoubleArray,  ///< from slots of integers
  kElements,     ///< the elements of a mixed array that are of the list's type
  kJsonArray,
  kJson,
};

/// The conversion to `type`, which is one of DocumentProjection's types except BLOB.
ValueConversion ConversionTo(const LogicalType& type, AttributeType from);

/// The type of vectors that hold an attribute's values unchanged: BOOLEAN, BIGINT, HUGEINT, DOUBLE, VARCHAR,
/// JSON or a list. REQUIRES: HasBytes.
LogicalType OwnTypeOf(AttributeType type);
/// Whether values of the type carry data, in contrast to nulls and empty objects and arrays.
bool HasBytes(AttributeType type);
/// Reads a number of any type as a double.
double LoadDouble(AttributeType type, std::string_view value);
/// Whether the conversion to `type` leaves the values of OwnTypeOf(from) unchanged.
bool IsOwnType(const LogicalType& type, AttributeType from);

/// A vector that is filled by conversions; rows without a value are NULL. One thread at a time.
class ConvertedValues {
 public:
  /// Fills `count` rows of `vector`. REQUIRES: after Reset.
  ConvertedValues(Vector& vector, size_t count);
  /// Overwrites values of a flat vector with memory of its own; rows without a new value do not change.
  explicit ConvertedValues(Vector& vector);
  template <typename T>
  void Put(size_t row, const T& value) {
    std::memcpy(data_ + row * sizeof(T), &value, sizeof(T));
    SetValid(validity_, row);
  }
  /// Stores a reference to bytes that live as long as the memory passed to Finish.
  void PutShared(size_t row, std::string_view bytes);
  void PutCopy(size_t row, std::string_view bytes) { Put(row, vector_->AddString(bytes)); }
  /// `memory` owns the bytes that were shared; null if the caller keeps them alive.
  void Finish(const std::shared_ptr<const void>& memory);
  const LogicalType& type() const { return vector_->type(); }

 private:
  Vector* vector_;
  size_t count_;
  std::byte* data_;
  ValidityWord* validity_;
  bool is_shared_ = false;
};

/// Converts single values. Reuses its memory. One thread at a time.
class AttributeConverter {
 public:
  /// Converts `value`, which is in record format; integers may have 8 bytes however small they are. Bytes are
  /// shared where possible. Throws Error(kIo, XX001) for malformed bytes.
  void Convert(ValueConversion conversion, AttributeType from, std::string_view value, size_t row,
               ConvertedValues& output);
  /// Converts a JSON text; nothing refers to it afterwards.
  void ConvertJson(std::string_view json, size_t row, ConvertedValues& output);

 private:
  void AppendElements(const LogicalType& element, std::string_view array);
  void AppendJsonSlots(AttributeType type, std::string_view value);

  std::string scratch_;
  JsonValueReader json_values_;
};

}  // namespace scaup
