// Values of attributes become values of projections.
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

/// How a value of an attribute becomes one of a projection's type.
enum class ValueConversion : uint8_t {
  kNone,  ///< not at all: NULL
  kBoolean,
  kBigInt,
  kHugeInt,
  kDouble,
  kBytes,        ///< as they are: strings, numbers as text
  kArray,        ///< slots as they are
  kDoubleArray,  ///< from those of integers
  kElements,     ///< of an array of several types, those of the list's
  kJsonArray,
  kJson,
};

/// `type`: one of those of DocumentProjection, but BLOB.
ValueConversion ConversionTo(const LogicalType& type, AttributeType from);

/// The type of vectors whose values are those of an attribute as they are: BOOLEAN, BIGINT, HUGEINT, DOUBLE,
/// VARCHAR, JSON and lists. REQUIRES: HasBytes.
LogicalType OwnTypeOf(AttributeType type);
/// Whether values of that type are more than that they are there.
bool HasBytes(AttributeType type);
/// The double that a number of any type is read as.
double LoadDouble(AttributeType type, std::string_view value);
/// Whether vectors of OwnTypeOf(from) are, value by value, what the conversion to `type` gives.
bool IsOwnType(const LogicalType& type, AttributeType from);

/// A vector that is being filled with what conversions give. Rows that get nothing are NULL. One thread.
class ConvertedValues {
 public:
  /// `vector`: after Reset; `count` rows of it.
  ConvertedValues(Vector& vector, size_t count);
  /// Over the values that a flat vector of its own memory has: those that get nothing stay.
  explicit ConvertedValues(Vector& vector);
  template <typename T>
  void Put(size_t row, const T& value) {
    std::memcpy(data_ + row * sizeof(T), &value, sizeof(T));
    SetValid(validity_, row);
  }
  /// Bytes that live as long as what Finish keeps.
  void PutShared(size_t row, std::string_view bytes);
  void PutCopy(size_t row, std::string_view bytes) { Put(row, vector_->AddString(bytes)); }
  /// `memory`: where bytes are that were shared; null: whoever asked keeps them.
  void Finish(const std::shared_ptr<const void>& memory);
  const LogicalType& type() const { return vector_->type(); }

 private:
  Vector* vector_;
  size_t count_;
  std::byte* data_;
  ValidityWord* validity_;
  bool is_shared_ = false;
};

/// Converts single values. One thread; keeps its memory.
class AttributeConverter {
 public:
  /// Converts `value`, bytes as records have them; integers may have 8 bytes however small they are. They are
  /// shared where they can be. Throws Error(kIo, XX001) where they cannot be right.
  void Convert(ValueConversion conversion, AttributeType from, std::string_view value, size_t row,
               ConvertedValues& output);
  /// Converts a JSON text, wherever it is.
  void ConvertJson(std::string_view json, size_t row, ConvertedValues& output);

 private:
  void AppendElements(const LogicalType& element, std::string_view array);
  void AppendJsonSlots(AttributeType type, std::string_view value);

  std::string scratch_;
  JsonValueReader json_values_;
};

}  // namespace scaup
