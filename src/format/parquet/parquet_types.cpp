// Makes columns of schema elements: definition and repetition levels, lists old and new, SQL types.
#include "format/parquet/parquet_types.hpp"

#include <fmt/format.h>

#include "common/stack_bound.hpp"
#include "format/parquet/parquet_damage.hpp"

namespace scaup {

namespace {

LogicalType DecimalType(const ParquetSchemaElement& element) {
  const ParquetAnnotation& annotation = element.annotation;
  if (annotation.precision < 1 || annotation.scale < 0 || annotation.scale > annotation.precision)
    ThrowParquetDamage(fmt::format("column \"{}\" is a decimal of impossible precision", element.name));
  // As in DuckDB: there is no exact type for more digits.
  if (annotation.precision > LogicalType::kMaxDecimalWidth) return TypeId::kDouble;
  return LogicalType::Decimal(static_cast<uint8_t>(annotation.precision),
                              static_cast<uint8_t>(annotation.scale));
}

LogicalType TimestampType(const ParquetAnnotation& annotation) {
  return annotation.is_utc ? TypeId::kTimestampTz : TypeId::kTimestamp;
}

LogicalType Int32Type(const ParquetSchemaElement& element) {
  const ParquetAnnotation& annotation = element.annotation;
  switch (annotation.meaning) {
    case ParquetMeaning::kInteger:
      if (annotation.bits <= 8) return annotation.is_signed ? TypeId::kTinyInt : TypeId::kUTinyInt;
      if (annotation.bits <= 16) return annotation.is_signed ? TypeId::kSmallInt : TypeId::kUSmallInt;
      return annotation.is_signed ? TypeId::kInteger : TypeId::kUInteger;
    case ParquetMeaning::kDecimal: return DecimalType(element);
    case ParquetMeaning::kDate: return TypeId::kDate;
    case ParquetMeaning::kTime: return TypeId::kTime;
    default: return TypeId::kInteger;
  }
}

LogicalType Int64Type(const ParquetSchemaElement& element) {
  const ParquetAnnotation& annotation = element.annotation;
  switch (annotation.meaning) {
    case ParquetMeaning::kInteger: return annotation.is_signed ? TypeId::kBigInt : TypeId::kUBigInt;
    case ParquetMeaning::kDecimal: return DecimalType(element);
    case ParquetMeaning::kTime: return TypeId::kTime;
    case ParquetMeaning::kTimestamp: return TimestampType(annotation);
    default: return TypeId::kBigInt;
  }
}

LogicalType BytesType(const ParquetSchemaElement& element, const ParquetOptions& options) {
  switch (element.annotation.meaning) {
    case ParquetMeaning::kString:
    case ParquetMeaning::kEnum: return TypeId::kVarchar;
    case ParquetMeaning::kJson: return TypeId::kJson;
    case ParquetMeaning::kDecimal: return DecimalType(element);
    case ParquetMeaning::kNone: return options.binary_as_string ? TypeId::kVarchar : TypeId::kBlob;
    default: return TypeId::kBlob;
  }
}

LogicalType FixedBytesType(const ParquetSchemaElement& element) {
  const int32_t length = element.type_length;
  if (length < 0 || length > (1 << 28))
    ThrowParquetDamage(fmt::format("column \"{}\" has values of impossible length", element.name));
  const auto has_length = [&](int32_t wanted) {
    if (length != wanted)
      ThrowParquetDamage(fmt::format("column \"{}\" has values of a wrong length", element.name));
  };
  switch (element.annotation.meaning) {
    case ParquetMeaning::kDecimal: return DecimalType(element);
    case ParquetMeaning::kUuid: has_length(16); return TypeId::kUuid;
    case ParquetMeaning::kInterval: has_length(12); return TypeId::kInterval;
    case ParquetMeaning::kFloat16: has_length(2); return TypeId::kReal;
    default: return TypeId::kBlob;
  }
}

LogicalType LeafType(const ParquetSchemaElement& element, const ParquetOptions& options) {
  switch (*element.type) {
    case ParquetType::kBoolean: return TypeId::kBoolean;
    case ParquetType::kInt32: return Int32Type(element);
    case ParquetType::kInt64: return Int64Type(element);
    case ParquetType::kInt96: return TypeId::kTimestamp;
    case ParquetType::kFloat: return TypeId::kReal;
    case ParquetType::kDouble: return TypeId::kDouble;
    case ParquetType::kByteArray: return BytesType(element, options);
    case ParquetType::kFixedBytes: return FixedBytesType(element);
  }
  ThrowParquetDamage("a column has an unknown type");
}

class TreeMaker {
 public:
  TreeMaker(const std::vector<ParquetSchemaElement>& schema, const ParquetOptions& options)
      : schema_(schema), options_(options) {}

  ParquetTree Make() {
    if (schema_.empty()) ThrowParquetDamage("it has no schema");
    const int32_t count = ChildCount(schema_[0]);
    next_ = 1;
    for (int32_t i = 0; i < count; i++) tree_.columns.push_back(MakeNode("", 0, 0));
    if (next_ != schema_.size()) ThrowParquetDamage("its schema has elements that belong to nothing");
    return std::move(tree_);
  }

 private:
  static int32_t ChildCount(const ParquetSchemaElement& element) {
    if (element.child_count < 0) ThrowParquetDamage("its schema has a negative number of elements");
    return element.child_count;
  }
  const ParquetSchemaElement& Peek(size_t ahead = 0) const {
    if (next_ + ahead >= schema_.size()) ThrowParquetDamage("its schema is cut off");
    return schema_[next_ + ahead];
  }

  ParquetNode MakeNode(const std::string& above, uint32_t definition, uint32_t repetition) {
    CheckStack();
    const ParquetSchemaElement& element = Peek();
    const std::string path = above.empty() ? element.name : above + "." + element.name;
    const auto kind = element.repetition.value_or(ParquetRepetition::kRequired);
    if (kind == ParquetRepetition::kOptional) definition++;
    if (kind != ParquetRepetition::kRepeated) return MakeValue(path, definition, repetition);
    // A field that repeats outside of a list is a list that is never NULL.
    ParquetNode list = MakeList(element.name, definition, repetition + 1);
    list.children.push_back(MakeValue(path, definition + 1, repetition + 1));
    return Finish(std::move(list));
  }

  /// Makes the value of the next element, whose own repetition is already counted in the levels.
  ParquetNode MakeValue(const std::string& path, uint32_t definition, uint32_t repetition) {
    const ParquetSchemaElement& element = Peek();
    if (element.type && element.child_count == 0) return MakeLeaf(path, definition, repetition);
    const bool has_one_repeated =
        ChildCount(element) == 1 && Peek(1).repetition == ParquetRepetition::kRepeated;
    if (has_one_repeated && element.annotation.meaning == ParquetMeaning::kList)
      return MakeListOf(path, definition, repetition);
    if (has_one_repeated && element.annotation.meaning == ParquetMeaning::kMap && Peek(1).child_count >= 1 &&
        Peek(1).child_count <= 2)
      return MakeMap(path, definition, repetition);
    next_++;
    return MakeStruct(element, path, definition, repetition);
  }

  ParquetNode MakeLeaf(const std::string& path, uint32_t definition, uint32_t repetition) {
    const ParquetSchemaElement& element = Peek();
    next_++;
    ParquetNode node;
    node.name = element.name;
    node.type = LeafType(element, options_);
    node.definition = definition;
    node.first_leaf = tree_.leaves.size();
    node.last_leaf = node.first_leaf + 1;
    tree_.leaves.push_back(
        {path, *element.type, element.type_length, element.annotation, node.type, definition, repetition});
    return node;
  }

  ParquetNode MakeStruct(const ParquetSchemaElement& element, const std::string& path, uint32_t definition,
                         uint32_t repetition) {
    ParquetNode node;
    node.name = element.name;
    node.kind = ParquetNode::Kind::kStruct;
    node.definition = definition;
    if (ChildCount(element) == 0) ThrowParquetUnknown(fmt::format("\"{}\" is a group without fields", path));
    for (int32_t i = 0; i < element.child_count; i++)
      node.children.push_back(MakeNode(path, definition, repetition));
    return Finish(std::move(node));
  }

  static ParquetNode MakeList(const std::string& name, uint32_t definition, uint32_t repetition) {
    ParquetNode list;
    list.name = name;
    list.kind = ParquetNode::Kind::kList;
    list.definition = definition;
    list.repetition = repetition;
    return list;
  }

  /// A group that is marked as list, around one repeated element.
  ParquetNode MakeListOf(const std::string& path, uint32_t definition, uint32_t repetition) {
    const ParquetSchemaElement& group = Peek();
    const ParquetSchemaElement& repeated = Peek(1);
    ParquetNode list = MakeList(group.name, definition, repetition + 1);
    next_++;
    // Old writers leave out the level between the repeated group and the element: the rules by which to see
    // it.
    const bool is_element = repeated.type || repeated.child_count != 1 || repeated.name == "array" ||
                            repeated.name == group.name + "_tuple" ||
                            Peek(1).repetition == ParquetRepetition::kRepeated;
    if (is_element) {
      list.children.push_back(MakeValue(path, definition + 1, repetition + 1));
    } else {
      next_++;
      list.children.push_back(MakeNode(path, definition + 1, repetition + 1));
    }
    return Finish(std::move(list));
  }

  /// A map; a list, if there are keys alone.
  ParquetNode MakeMap(const std::string& path, uint32_t definition, uint32_t repetition) {
    ParquetNode list = MakeList(Peek().name, definition, repetition + 1);
    next_++;
    const ParquetSchemaElement& entry = Peek();
    next_++;
    if (entry.child_count == 1) {  // a set: a map without values
      list.children.push_back(MakeNode(path, definition + 1, repetition + 1));
      return Finish(std::move(list));
    }
    ParquetNode pair;
    pair.name = entry.name;
    pair.kind = ParquetNode::Kind::kStruct;
    pair.definition = definition + 1;
    for (int32_t i = 0; i < entry.child_count; i++) {
      pair.children.push_back(MakeNode(path, definition + 1, repetition + 1));
      pair.children.back().name = i == 0 ? "key" : "value";
    }
    list.children.push_back(Finish(std::move(pair)));
    list = Finish(std::move(list));
    const std::vector<ParquetNode>& parts = list.children[0].children;
    list.type = LogicalType::Map(parts[0].type, parts[1].type);
    return list;
  }

  /// Sets type and leaves of a node whose children are complete.
  static ParquetNode Finish(ParquetNode node) {
    node.first_leaf = node.children.front().first_leaf;
    node.last_leaf = node.children.back().last_leaf;
    if (node.kind == ParquetNode::Kind::kList) {
      node.type = LogicalType::List(node.children[0].type);
      return node;
    }
    std::vector<StructField> fields;
    for (const ParquetNode& child : node.children) fields.push_back({child.name, child.type});
    node.type = LogicalType::Struct(std::move(fields));
    return node;
  }

  const std::vector<ParquetSchemaElement>& schema_;
  const ParquetOptions& options_;
  ParquetTree tree_;
  size_t next_ = 0;
};

}  // namespace

ParquetTree MakeParquetTree(const std::vector<ParquetSchemaElement>& schema, const ParquetOptions& options) {
  return TreeMaker(schema, options).Make();
}

}  // namespace scaup
