// SQL's names of types, and what the types of lists and structs share.
#include "scaup/type.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "common/throw.hpp"
#include "type/type_name.hpp"

namespace scaup {

struct LogicalType::Nested {
  std::vector<StructField> fields;
  size_t depth = 1;  // 1 where no field is nested.
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

LogicalType LogicalType::Struct(std::vector<StructField> fields) {
  SCAUP_CHECK(!fields.empty());
  return MakeNested(TypeId::kStruct, std::move(fields));
}

const LogicalType& LogicalType::element() const {
  SCAUP_CHECK(id_ == TypeId::kList);
  return nested_->fields[0].type;
}

const std::vector<StructField>& LogicalType::fields() const {
  SCAUP_CHECK(id_ == TypeId::kStruct);
  return nested_->fields;
}

bool LogicalType::HaveEqualFields(const LogicalType& a, const LogicalType& b) {
  return a.nested_ != nullptr && b.nested_ != nullptr && a.nested_->fields == b.nested_->fields;
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
    case TypeId::kList: return element().ToString() + "[]";
    case TypeId::kStruct: {
      std::string text;
      for (const StructField& field : fields()) {
        text += (text.empty() ? "STRUCT(" : ", ") + QuotedFieldName(field.name) + " " + field.type.ToString();
      }
      return text + ")";
    }
  }
  return "UNKNOWN";
}

}  // namespace scaup
