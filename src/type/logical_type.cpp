// SQL names of types, and the shared part of list, struct and enum types.
#include "scaup/type.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <numeric>

#include "common/throw.hpp"
#include "type/type_name.hpp"

namespace scaup {

struct LogicalType::Nested {
  std::vector<StructField> fields;
  bool is_map = false;
  bool is_union = false;
  std::string name;  // this and the following members are for enums
  std::vector<std::string> labels;
  std::vector<uint16_t> sorted_labels;  // label positions in the order of the labels
  size_t depth = 1;                     // 1 if no field is nested
  std::atomic<size_t> share_count{1};
};

LogicalType LogicalType::MakeNested(TypeId id, std::vector<StructField> fields) {
  size_t depth = 1;
  for (const StructField& field : fields) {
    if (field.type.nested_ != nullptr) depth = std::max(depth, field.type.nested_->depth + 1);
  }
  if (depth > kMaxNesting) {
    ThrowError(ErrorKind::kNotSupported, sqlstate::kProgramLimitExceeded,
               fmt::format("lists and structs can be nested at most {} levels deep", kMaxNesting));
  }
  LogicalType type(id);
  type.nested_ = new Nested{.fields = std::move(fields), .depth = depth};
  return type;
}

LogicalType LogicalType::List(const LogicalType& element) {
  return MakeNested(TypeId::kList, {StructField{"", element}});
}

LogicalType LogicalType::Map(const LogicalType& key, const LogicalType& mapped) {
  LogicalType type = List(Struct({{"key", key}, {"value", mapped}}));
  type.nested_->is_map = true;
  return type;
}

LogicalType RangeType(const LogicalType& bound) {
  // The order of the parts is that of ranges: see range_value.hpp.
  return LogicalType::MakeNested(TypeId::kRange, {{"kind", TypeId::kTinyInt},
                                                  {"lower", bound},
                                                  {"lower_exc", TypeId::kBoolean},
                                                  {"upper", bound},
                                                  {"upper_inc", TypeId::kBoolean}});
}

LogicalType MultirangeType(const LogicalType& bound) {
  return LogicalType::MakeNested(TypeId::kMultirange, {StructField{"", RangeType(bound)}});
}

const LogicalType& RangeBoundType(const LogicalType& type) {
  return (type.id() == TypeId::kMultirange ? type.element() : type).fields()[1].type;
}

bool IsMap(const LogicalType& type) { return type.id_ == TypeId::kList && type.nested_->is_map; }

const LogicalType& MapKeyType(const LogicalType& map) {
  SCAUP_CHECK(IsMap(map));
  return map.element().fields()[0].type;
}

const LogicalType& MapValueType(const LogicalType& map) {
  SCAUP_CHECK(IsMap(map));
  return map.element().fields()[1].type;
}

LogicalType WithElement(const LogicalType& list, const LogicalType& element) {
  SCAUP_CHECK(list.id() == TypeId::kList);
  if (!IsMap(list)) return LogicalType::List(element);
  SCAUP_CHECK(element.fields().size() == 2);
  return LogicalType::Map(element.fields()[0].type, element.fields()[1].type);
}

LogicalType LogicalType::Struct(std::vector<StructField> fields) {
  SCAUP_CHECK(!fields.empty());
  return MakeNested(TypeId::kStruct, std::move(fields));
}

LogicalType UnionType(const std::vector<StructField>& members) {
  SCAUP_CHECK(!members.empty());
  if (members.size() > LogicalType::kMaxMembers) {
    ThrowError(ErrorKind::kNotSupported, sqlstate::kProgramLimitExceeded,
               fmt::format("a union has at most {} members", LogicalType::kMaxMembers));
  }
  std::vector<StructField> fields = {{"", TypeId::kUTinyInt}};
  fields.insert(fields.end(), members.begin(), members.end());
  LogicalType type = LogicalType::Struct(std::move(fields));
  type.nested_->is_union = true;
  return type;
}

bool IsUnion(const LogicalType& type) { return type.id_ == TypeId::kStruct && type.nested_->is_union; }

bool HasUnion(const LogicalType& type) {
  if (type.id() == TypeId::kList) return HasUnion(type.element());
  if (type.id() != TypeId::kStruct) return false;
  return IsUnion(type) || std::ranges::any_of(type.fields(), HasUnion, &StructField::type);
}

std::span<const StructField> UnionMembers(const LogicalType& type) {
  SCAUP_CHECK(IsUnion(type));
  return std::span(type.fields()).subspan(1);
}

std::optional<size_t> FindMember(const LogicalType& type, std::string_view name) {
  const std::span<const StructField> members = UnionMembers(type);
  const auto found = std::ranges::find(members, name, &StructField::name);
  if (found == members.end()) return std::nullopt;
  return static_cast<size_t>(found - members.begin());
}

LogicalType WithFields(const LogicalType& structure, std::vector<StructField> fields) {
  if (!IsUnion(structure)) return LogicalType::Struct(std::move(fields));
  fields.erase(fields.begin());
  return UnionType(fields);
}

LogicalType LogicalType::Enum(std::string name, std::vector<std::string> labels) {
  if (labels.size() > kMaxLabels) {
    ThrowError(ErrorKind::kNotSupported, sqlstate::kProgramLimitExceeded,
               fmt::format("an enum has at most {} labels", kMaxLabels));
  }
  LogicalType type = MakeNested(TypeId::kEnum, {});
  Nested& nested = *type.nested_;
  nested.name = std::move(name);
  nested.labels = std::move(labels);
  nested.sorted_labels.resize(nested.labels.size());
  std::iota(nested.sorted_labels.begin(), nested.sorted_labels.end(), uint16_t{0});
  std::sort(nested.sorted_labels.begin(), nested.sorted_labels.end(),
            [&](uint16_t a, uint16_t b) { return nested.labels[a] < nested.labels[b]; });
  return type;
}

const std::string& LogicalType::enum_name() const {
  SCAUP_CHECK(id_ == TypeId::kEnum);
  return nested_->name;
}

size_t LogicalType::label_count() const {
  SCAUP_CHECK(id_ == TypeId::kEnum);
  return nested_->labels.size();
}

const std::string& LogicalType::label(size_t position) const {
  SCAUP_CHECK(id_ == TypeId::kEnum && position < nested_->labels.size());
  return nested_->labels[position];
}

std::optional<size_t> LogicalType::FindLabel(std::string_view label) const {
  SCAUP_CHECK(id_ == TypeId::kEnum);
  const auto& sorted = nested_->sorted_labels;
  const auto found = std::lower_bound(
      sorted.begin(), sorted.end(), label,
      [&](uint16_t position, std::string_view wanted) { return nested_->labels[position] < wanted; });
  if (found == sorted.end() || nested_->labels[*found] != label) return std::nullopt;
  return *found;
}

const LogicalType& LogicalType::element() const {
  SCAUP_CHECK(id_ == TypeId::kList || id_ == TypeId::kMultirange);
  return nested_->fields[0].type;
}

const std::vector<StructField>& LogicalType::fields() const {
  SCAUP_CHECK(id_ == TypeId::kStruct || id_ == TypeId::kRange);
  return nested_->fields;
}

bool LogicalType::HaveEqualFields(const LogicalType& a, const LogicalType& b) {
  return a.nested_ != nullptr && b.nested_ != nullptr && a.nested_->is_map == b.nested_->is_map &&
         a.nested_->is_union == b.nested_->is_union && a.nested_->fields == b.nested_->fields &&
         a.nested_->name == b.nested_->name && a.nested_->labels == b.nested_->labels;
}

void LogicalType::Retain() const { nested_->share_count.fetch_add(1, std::memory_order_relaxed); }

void LogicalType::Release() {
  if (nested_->share_count.fetch_sub(1, std::memory_order_acq_rel) == 1) delete nested_;
}

std::string LogicalType::ToString() const {
  switch (id_) {
    case TypeId::kNull: return "NULL";
    case TypeId::kBoolean: return "BOOLEAN";
    case TypeId::kTinyInt: return "TINYINT";
    case TypeId::kSmallInt: return "SMALLINT";
    case TypeId::kInteger: return "INTEGER";
    case TypeId::kBigInt: return "BIGINT";
    case TypeId::kHugeInt: return "HUGEINT";
    case TypeId::kReal: return "REAL";
    case TypeId::kDouble: return "DOUBLE";
    case TypeId::kDecimal: return "DECIMAL(" + std::to_string(width_) + "," + std::to_string(scale_) + ")";
    case TypeId::kNumeric: return "NUMERIC";
    case TypeId::kVarchar: return "VARCHAR";
    case TypeId::kBlob: return "BLOB";
    case TypeId::kDate: return "DATE";
    case TypeId::kTime: return "TIME";
    case TypeId::kTimestamp: return "TIMESTAMP";
    case TypeId::kInterval: return "INTERVAL";
    case TypeId::kUuid: return "UUID";
    case TypeId::kTimestampTz: return "TIMESTAMP WITH TIME ZONE";
    case TypeId::kJson: return "JSON";
    case TypeId::kJsonb: return "JSONB";
    case TypeId::kUTinyInt: return "UTINYINT";
    case TypeId::kUSmallInt: return "USMALLINT";
    case TypeId::kUInteger: return "UINTEGER";
    case TypeId::kUBigInt: return "UBIGINT";
    case TypeId::kBit: return "BIT";
    case TypeId::kTimeTz: return "TIME WITH TIME ZONE";
    case TypeId::kEnum: return enum_name();
    case TypeId::kRange:
    case TypeId::kMultirange: {
      std::string name = RangeTypeName(*this);
      for (char& c : name) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
      return name;
    }
    case TypeId::kList:
      if (IsMap(*this))
        return "MAP(" + MapKeyType(*this).ToString() + ", " + MapValueType(*this).ToString() + ")";
      return element().ToString() + "[]";
    case TypeId::kStruct: {
      const std::span<const StructField> shown = IsUnion(*this) ? UnionMembers(*this) : std::span(fields());
      std::string text = IsUnion(*this) ? "UNION(" : "STRUCT(";
      for (const StructField& field : shown) {
        if (&field != shown.data()) text += ", ";
        text += QuotedFieldName(field.name) + " " + field.type.ToString();
      }
      return text + ")";
    }
  }
  return "UNKNOWN";
}

}  // namespace scaup
