// Conversion of attribute values to values of projections.
#include "document/value_conversion.hpp"

#include <cstring>

#include <fast_float/fast_float.h>

#include "common/throw.hpp"
#include "document/document_array.hpp"
#include "document/document_record.hpp"
#include "document/document_text.hpp"
#include "type/number/int128.hpp"
#include "type/packed_value.hpp"
#include "type/text/json_text.hpp"

namespace scaup {

namespace {

ValueConversion ConversionToList(TypeId element, AttributeType from) {
  using enum AttributeType;
  const bool has_integers = from == kIntegerArray || from == kLongIntegerArray;
  if (from == kEmptyArray) return ValueConversion::kBytes;
  if (from == kArray && element != TypeId::kJson) return ValueConversion::kElements;
  switch (element) {
    case TypeId::kBoolean: return from == kBooleanArray ? ValueConversion::kArray : ValueConversion::kNone;
    case TypeId::kBigInt: return has_integers ? ValueConversion::kArray : ValueConversion::kNone;
    case TypeId::kVarchar: return from == kStringArray ? ValueConversion::kArray : ValueConversion::kNone;
    case TypeId::kDouble:
      return from == kDoubleArray ? ValueConversion::kArray
             : has_integers       ? ValueConversion::kDoubleArray
                                  : ValueConversion::kNone;
    case TypeId::kJson:
      return has_integers || (from >= kBooleanArray && from <= kArray) ? ValueConversion::kJsonArray
                                                                       : ValueConversion::kNone;
    default: ThrowInternal("a path of a document is read as a list of an unknown type");
  }
}

}  // namespace

double LoadDouble(AttributeType type, std::string_view value) {
  switch (type) {
    case AttributeType::kInteger:
    case AttributeType::kLongInteger: return static_cast<double>(LoadInteger(value));
    case AttributeType::kHugeInteger: return Int128ToDouble(LoadFixed<int128_t>(value));
    case AttributeType::kDouble: return LoadFixed<double>(value);
    default: {
      // Numbers out of a double's range become infinite or zero, so that they compare with others correctly.
      double number = 0;
      fast_float::from_chars(value.data(), value.data() + value.size(), number);
      return number;
    }
  }
}

ValueConversion ConversionTo(const LogicalType& type, AttributeType from) {
  using enum AttributeType;
  const bool is_bigint = from == kInteger || from == kLongInteger;
  const bool is_integer = is_bigint || from == kHugeInteger;
  switch (type.id()) {
    case TypeId::kBoolean:
      return from == AttributeType::kBoolean ? ValueConversion::kBoolean : ValueConversion::kNone;
    case TypeId::kBigInt: return is_bigint ? ValueConversion::kBigInt : ValueConversion::kNone;
    case TypeId::kHugeInt: return is_integer ? ValueConversion::kHugeInt : ValueConversion::kNone;
    case TypeId::kDouble:
      return is_integer || from == AttributeType::kDouble || from == kNumber ? ValueConversion::kDouble
                                                                             : ValueConversion::kNone;
    case TypeId::kVarchar: return from == kString ? ValueConversion::kBytes : ValueConversion::kNone;
    case TypeId::kJson:
      if (from == kNull) return ValueConversion::kNone;
      return from == AttributeType::kArray || from == kNumber ? ValueConversion::kBytes
                                                              : ValueConversion::kJson;
    case TypeId::kList: return ConversionToList(type.element().id(), from);
    default: ThrowInternal("a path of a document is read as an unknown type");
  }
}

bool HasBytes(AttributeType type) {
  using enum AttributeType;
  return type != kNull && type != kEmptyObject && type != kEmptyArray;
}

LogicalType OwnTypeOf(AttributeType type) {
  SCAUP_ASSERT(HasBytes(type));
  switch (type) {
    case AttributeType::kBoolean: return TypeId::kBoolean;
    case AttributeType::kInteger:
    case AttributeType::kLongInteger: return TypeId::kBigInt;
    case AttributeType::kHugeInteger: return TypeId::kHugeInt;
    case AttributeType::kDouble: return TypeId::kDouble;
    case AttributeType::kString: return TypeId::kVarchar;
    case AttributeType::kNumber:
    case AttributeType::kArray: return TypeId::kJson;
    case AttributeType::kBooleanArray: return LogicalType::List(TypeId::kBoolean);
    case AttributeType::kIntegerArray:
    case AttributeType::kLongIntegerArray: return LogicalType::List(TypeId::kBigInt);
    case AttributeType::kDoubleArray: return LogicalType::List(TypeId::kDouble);
    case AttributeType::kStringArray: return LogicalType::List(TypeId::kVarchar);
    case AttributeType::kNull:
    case AttributeType::kEmptyObject:
    case AttributeType::kEmptyArray: break;
  }
  ThrowInternal("values without bytes are of no type");
}

bool IsOwnType(const LogicalType& type, AttributeType from) {
  return HasBytes(from) && type == OwnTypeOf(from);
}

ConvertedValues::ConvertedValues(Vector& vector, size_t count)
    : vector_(&vector),
      count_(count),
      data_(vector.MutableData<std::byte>()),
      validity_(vector.MutableValidity()) {
  SCAUP_ASSERT(vector.is_flat());
  std::memset(data_, 0, count * PhysicalSize(vector.physical_type()));
  std::memset(validity_, 0, (count + 63) / 64 * sizeof(ValidityWord));
}

ConvertedValues::ConvertedValues(Vector& vector)
    : vector_(&vector),
      count_(0),
      data_(vector.MutableData<std::byte>()),
      validity_(vector.MutableValidity()) {}

void ConvertedValues::PutShared(size_t row, std::string_view bytes) {
  // Short strings are copied into the StringRef, so they need no owner.
  const StringRef string(bytes);
  is_shared_ |= !string.is_inline();
  Put(row, string);
}

void ConvertedValues::Finish(const std::shared_ptr<const void>& memory) {
  if (CountValid(validity_, count_) == count_) vector_->SetAllValid();
  if (is_shared_ && memory != nullptr) vector_->KeepAlive(memory);
}

void AttributeConverter::Convert(ValueConversion conversion, AttributeType type, std::string_view value,
                                 size_t row, ConvertedValues& output) {
  switch (conversion) {
    case ValueConversion::kNone: return;
    case ValueConversion::kBoolean: {
      const auto boolean = LoadFixed<uint8_t>(value);
      if (boolean > 1) ThrowBadRecord("a boolean is neither true nor false");
      return output.Put(row, boolean);
    }
    case ValueConversion::kBigInt: return output.Put(row, LoadInteger(value));
    case ValueConversion::kHugeInt:
      return output.Put(row, type == AttributeType::kHugeInteger ? LoadFixed<int128_t>(value)
                                                                 : int128_t{LoadInteger(value)});
    case ValueConversion::kDouble: return output.Put(row, LoadDouble(type, value));
    case ValueConversion::kBytes: return output.PutShared(row, value);
    case ValueConversion::kArray: CheckArray(type, value); return output.PutShared(row, value);
    case ValueConversion::kDoubleArray:
      CheckArray(type, value);
      scratch_.clear();
      while (!value.empty()) {
        const std::string_view slot = TakeElement(type, value);
        if (IsNullSlot(slot)) {
          AppendNullSlot(TypeId::kDouble, scratch_);
        } else {
          AppendFixedSlot(static_cast<double>(ReadFixedSlot<int64_t>(slot)), scratch_);
        }
      }
      break;
    case ValueConversion::kElements:
      scratch_.clear();
      AppendElements(output.type().element(), value);
      break;
    case ValueConversion::kJsonArray:
      scratch_.clear();
      AppendJsonSlots(type, value);
      break;
    case ValueConversion::kJson:
      scratch_.clear();
      AppendValueText(type, value, scratch_);
      break;
  }
  output.PutCopy(row, scratch_);
}

void AttributeConverter::ConvertJson(std::string_view json, size_t row, ConvertedValues& output) {
  if (output.type().id() == TypeId::kJson) return output.PutCopy(row, json);
  const auto value = json_values_.Read(json);
  if (!value) return;
  const ValueConversion conversion = ConversionTo(output.type(), value->type);
  // The bytes are in a buffer that the next value reuses.
  if (conversion == ValueConversion::kBytes || conversion == ValueConversion::kArray)
    return output.PutCopy(row, value->bytes);
  Convert(conversion, value->type, value->bytes, row, output);
}

void AttributeConverter::AppendElements(const LogicalType& element, std::string_view array) {
  if (!IsJsonText(array) || JsonKindOf(array) != JsonKind::kArray) ThrowBadRecord("an array is no JSON");
  for (JsonIterator each(array); each.Next();) {
    const auto value = json_values_.Read(each.value());
    if (!value) continue;
    switch (ConversionTo(element, value->type)) {
      case ValueConversion::kBoolean: AppendFixedSlot(LoadFixed<uint8_t>(value->bytes), scratch_); break;
      case ValueConversion::kBigInt: AppendFixedSlot(LoadInteger(value->bytes), scratch_); break;
      case ValueConversion::kDouble: AppendFixedSlot(LoadDouble(value->type, value->bytes), scratch_); break;
      case ValueConversion::kBytes: AppendStringSlot(value->bytes, scratch_); break;
      default: break;
    }
  }
}

void AttributeConverter::AppendJsonSlots(AttributeType type, std::string_view value) {
  std::string text;
  if (type != AttributeType::kArray) {
    AppendValueText(type, value, text);
    value = text;
  } else if (!IsJsonText(value) || JsonKindOf(value) != JsonKind::kArray) {
    ThrowBadRecord("an array is no JSON");
  }
  for (JsonIterator element(value); element.Next();) {
    if (element.value() == "null") {
      AppendNullSlot(TypeId::kJson, scratch_);
    } else {
      AppendStringSlot(element.value(), scratch_);
    }
  }
}

}  // namespace scaup
