// Makes elements of a schema from SQL types. What each type becomes stands here and nowhere else.
#include "format/parquet/write/write_schema.hpp"

#include <fmt/format.h>

#include <set>

#include "common/stack_bound.hpp"
#include "common/throw.hpp"
#include "type/physical_type.hpp"
#include "type/range_value.hpp"

namespace scaup {

namespace {

ParquetAnnotation Meaning(ParquetMeaning meaning) {
  ParquetAnnotation annotation;
  annotation.meaning = meaning;
  return annotation;
}

ParquetAnnotation IntegerOf(int32_t bits) {
  ParquetAnnotation annotation = Meaning(ParquetMeaning::kInteger);
  annotation.bits = bits;
  return annotation;
}

ParquetAnnotation UnsignedOf(int32_t bits) {
  ParquetAnnotation annotation = IntegerOf(bits);
  annotation.is_signed = false;
  return annotation;
}

ParquetAnnotation DecimalOf(int32_t precision, int32_t scale) {
  ParquetAnnotation annotation = Meaning(ParquetMeaning::kDecimal);
  annotation.precision = precision;
  annotation.scale = scale;
  return annotation;
}

ParquetAnnotation MomentOf(ParquetMeaning meaning, bool is_utc) {
  ParquetAnnotation annotation = Meaning(meaning);
  annotation.unit = ParquetUnit::kMicros;
  annotation.is_utc = is_utc;
  return annotation;
}

/// The name of a union's tag, which has none in SQL: that which DuckDB gives it, unless a member has it.
std::string TagName(const LogicalType& type) {
  std::string name = "element1";
  while (FindMember(type, name)) name += '_';
  return name;
}

class SchemaMaker {
 public:
  std::vector<ParquetSchemaElement> Take() { return std::move(elements_); }

  void AddRoot(size_t column_count) {
    elements_.push_back({.name = "schema", .child_count = static_cast<int32_t>(column_count)});
  }

  void Add(const std::string& name, const LogicalType& type) {
    CheckStack();
    if (IsRangeOrMultirange(type.id())) return Add(name, WithoutRange(type));
    if (IsMap(type)) {
      AddGroup(name, ParquetRepetition::kOptional, 1, Meaning(ParquetMeaning::kMap));
      AddGroup("key_value", ParquetRepetition::kRepeated, 2, {});
      const size_t key = elements_.size();
      Add("key", MapKeyType(type));
      elements_[key].repetition = ParquetRepetition::kRequired;
      return Add("value", MapValueType(type));
    }
    if (type.id() == TypeId::kList) {
      AddGroup(name, ParquetRepetition::kOptional, 1, Meaning(ParquetMeaning::kList));
      AddGroup("list", ParquetRepetition::kRepeated, 1, {});
      return Add("element", type.element());
    }
    if (type.id() == TypeId::kStruct) {
      AddGroup(name, ParquetRepetition::kOptional, type.fields().size(), {});
      for (const StructField& field : type.fields())
        Add(field.name.empty() && IsUnion(type) ? TagName(type) : field.name, field.type);
      return;
    }
    ParquetSchemaElement element = Leaf(type);
    element.name = name;
    element.repetition = ParquetRepetition::kOptional;
    elements_.push_back(std::move(element));
  }

 private:
  void AddGroup(const std::string& name, ParquetRepetition repetition, size_t child_count,
                ParquetAnnotation annotation) {
    elements_.push_back({.name = name,
                         .repetition = repetition,
                         .child_count = static_cast<int32_t>(child_count),
                         .annotation = annotation});
  }

  static ParquetSchemaElement Element(ParquetType type, ParquetAnnotation annotation = {},
                                      int32_t length = 0) {
    return {.type = type, .type_length = length, .annotation = annotation};
  }

  static ParquetSchemaElement Decimal(const LogicalType& type) {
    const ParquetAnnotation annotation = DecimalOf(type.width(), type.scale());
    switch (PhysicalTypeOf(type)) {
      case PhysicalType::kInt16:
      case PhysicalType::kInt32: return Element(ParquetType::kInt32, annotation);
      case PhysicalType::kInt64: return Element(ParquetType::kInt64, annotation);
      default: return Element(ParquetType::kFixedBytes, annotation, sizeof(int128_t));
    }
  }

  static ParquetSchemaElement Leaf(const LogicalType& type) {
    switch (type.id()) {
      case TypeId::kNull: return Element(ParquetType::kInt32, Meaning(ParquetMeaning::kNull));
      case TypeId::kBoolean: return Element(ParquetType::kBoolean);
      case TypeId::kTinyInt: return Element(ParquetType::kInt32, IntegerOf(8));
      case TypeId::kSmallInt: return Element(ParquetType::kInt32, IntegerOf(16));
      case TypeId::kInteger: return Element(ParquetType::kInt32);
      case TypeId::kBigInt: return Element(ParquetType::kInt64);
      case TypeId::kUTinyInt: return Element(ParquetType::kInt32, UnsignedOf(8));
      case TypeId::kUSmallInt: return Element(ParquetType::kInt32, UnsignedOf(16));
      case TypeId::kUInteger: return Element(ParquetType::kInt32, UnsignedOf(32));
      case TypeId::kUBigInt: return Element(ParquetType::kInt64, UnsignedOf(64));
      // Parquet has no integers of 128 bits.
      case TypeId::kHugeInt:
        return Element(ParquetType::kFixedBytes, DecimalOf(LogicalType::kMaxDecimalWidth, 0),
                       sizeof(int128_t));
      case TypeId::kReal: return Element(ParquetType::kFloat);
      case TypeId::kDouble: return Element(ParquetType::kDouble);
      case TypeId::kDecimal: return Decimal(type);
      case TypeId::kVarchar:
      case TypeId::kNumeric:  // as text: Parquet's decimals have a fixed number of digits
      case TypeId::kBit:
      case TypeId::kEnum: return Element(ParquetType::kByteArray, Meaning(ParquetMeaning::kString));
      case TypeId::kBlob: return Element(ParquetType::kByteArray);
      case TypeId::kJson:
      case TypeId::kJsonb: return Element(ParquetType::kByteArray, Meaning(ParquetMeaning::kJson));
      case TypeId::kDate: return Element(ParquetType::kInt32, Meaning(ParquetMeaning::kDate));
      case TypeId::kTime: return Element(ParquetType::kInt64, MomentOf(ParquetMeaning::kTime, false));
      case TypeId::kTimeTz: return Element(ParquetType::kInt64, MomentOf(ParquetMeaning::kTime, true));
      case TypeId::kTimestamp:
        return Element(ParquetType::kInt64, MomentOf(ParquetMeaning::kTimestamp, false));
      case TypeId::kTimestampTz:
        return Element(ParquetType::kInt64, MomentOf(ParquetMeaning::kTimestamp, true));
      case TypeId::kInterval:
        return Element(ParquetType::kFixedBytes, Meaning(ParquetMeaning::kInterval), 12);
      case TypeId::kUuid: return Element(ParquetType::kFixedBytes, Meaning(ParquetMeaning::kUuid), 16);
      case TypeId::kList:
      case TypeId::kStruct:
      case TypeId::kRange:
      case TypeId::kMultirange: break;
    }
    ThrowInternal("a type without a Parquet type");
  }

  std::vector<ParquetSchemaElement> elements_;
};

}  // namespace

std::vector<ParquetSchemaElement> MakeParquetSchema(const std::vector<std::string>& names,
                                                    const std::vector<LogicalType>& types) {
  SCAUP_ASSERT(names.size() == types.size());
  if (names.empty()) ThrowNotSupported("a Parquet file has at least one column");
  SchemaMaker maker;
  maker.AddRoot(names.size());
  std::set<std::string> taken;
  const std::set<std::string> all(names.begin(), names.end());
  for (size_t i = 0; i < names.size(); i++) {
    std::string name = names[i];
    for (int number = 1; taken.count(name) != 0; number++) {
      name = fmt::format("{}_{}", names[i], number);
      if (all.count(name) != 0) name = names[i];  // another column is called so
    }
    taken.insert(name);
    maker.Add(name, types[i]);
  }
  return maker.Take();
}

}  // namespace scaup
