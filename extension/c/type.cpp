// Types of columns.
#include "column.hpp"
#include "edge.hpp"
#include "text_buffer.hpp"

using scaup::LogicalType;
using scaup::TypeId;
using scaup::c::Guard;
using scaup::c::Require;

namespace {

/// Returns the type behind a handle.
const LogicalType& TypeBehind(const scaup_type& type) { return reinterpret_cast<const LogicalType&>(type); }

constexpr LogicalType kNullType;

const LogicalType& TypeOrNull(const scaup_type* type) {
  return type == nullptr ? kNullType : TypeBehind(*type);
}

bool HasElements(const LogicalType& type) {
  return type.id() == TypeId::kList || type.id() == TypeId::kMultirange;
}

}  // namespace

scaup_type_id scaup_type_get_id(const scaup_type* type) {
  return static_cast<scaup_type_id>(TypeOrNull(type).id());
}
uint8_t scaup_type_width(const scaup_type* type) { return TypeOrNull(type).width(); }
uint8_t scaup_type_scale(const scaup_type* type) { return TypeOrNull(type).scale(); }

size_t scaup_type_child_count(const scaup_type* type) {
  const LogicalType& parent = TypeOrNull(type);
  switch (parent.id()) {
    case TypeId::kList:
    case TypeId::kMultirange: return 1;
    case TypeId::kStruct:
    case TypeId::kRange: return parent.fields().size();
    case TypeId::kEnum: return parent.label_count();
    default: return 0;
  }
}

const char* scaup_type_child_name(const scaup_type* type, size_t index) {
  const LogicalType& parent = TypeOrNull(type);
  if (index >= scaup_type_child_count(type) || HasElements(parent)) return nullptr;
  return (parent.id() == TypeId::kEnum ? parent.label(index) : parent.fields()[index].name).c_str();
}

const scaup_type* scaup_type_child(const scaup_type* type, size_t index) {
  const LogicalType& parent = TypeOrNull(type);
  if (index >= scaup_type_child_count(type) || parent.id() == TypeId::kEnum) return nullptr;
  return scaup::c::HandleOf(HasElements(parent) ? parent.element() : parent.fields()[index].type);
}

scaup_status scaup_type_name(const scaup_type* type, char* buffer, size_t capacity, size_t* length,
                             scaup_error** error) {
  return Guard(error, [&] {
    scaup::c::CopyText(TypeBehind(Require(type, "the type")).ToString(), buffer, capacity, length);
  });
}

// The numbers of types are those of TypeId.
static_assert(SCAUP_TYPE_NULL == static_cast<int>(TypeId::kNull));
static_assert(SCAUP_TYPE_BOOLEAN == static_cast<int>(TypeId::kBoolean));
static_assert(SCAUP_TYPE_TINYINT == static_cast<int>(TypeId::kTinyInt));
static_assert(SCAUP_TYPE_SMALLINT == static_cast<int>(TypeId::kSmallInt));
static_assert(SCAUP_TYPE_INTEGER == static_cast<int>(TypeId::kInteger));
static_assert(SCAUP_TYPE_BIGINT == static_cast<int>(TypeId::kBigInt));
static_assert(SCAUP_TYPE_HUGEINT == static_cast<int>(TypeId::kHugeInt));
static_assert(SCAUP_TYPE_REAL == static_cast<int>(TypeId::kReal));
static_assert(SCAUP_TYPE_DOUBLE == static_cast<int>(TypeId::kDouble));
static_assert(SCAUP_TYPE_DECIMAL == static_cast<int>(TypeId::kDecimal));
static_assert(SCAUP_TYPE_VARCHAR == static_cast<int>(TypeId::kVarchar));
static_assert(SCAUP_TYPE_BLOB == static_cast<int>(TypeId::kBlob));
static_assert(SCAUP_TYPE_DATE == static_cast<int>(TypeId::kDate));
static_assert(SCAUP_TYPE_TIME == static_cast<int>(TypeId::kTime));
static_assert(SCAUP_TYPE_TIMESTAMP == static_cast<int>(TypeId::kTimestamp));
static_assert(SCAUP_TYPE_INTERVAL == static_cast<int>(TypeId::kInterval));
static_assert(SCAUP_TYPE_UUID == static_cast<int>(TypeId::kUuid));
static_assert(SCAUP_TYPE_TIMESTAMPTZ == static_cast<int>(TypeId::kTimestampTz));
static_assert(SCAUP_TYPE_JSON == static_cast<int>(TypeId::kJson));
static_assert(SCAUP_TYPE_JSONB == static_cast<int>(TypeId::kJsonb));
static_assert(SCAUP_TYPE_LIST == static_cast<int>(TypeId::kList));
static_assert(SCAUP_TYPE_STRUCT == static_cast<int>(TypeId::kStruct));
static_assert(SCAUP_TYPE_ENUM == static_cast<int>(TypeId::kEnum));
static_assert(SCAUP_TYPE_NUMERIC == static_cast<int>(TypeId::kNumeric));
static_assert(SCAUP_TYPE_UTINYINT == static_cast<int>(TypeId::kUTinyInt));
static_assert(SCAUP_TYPE_USMALLINT == static_cast<int>(TypeId::kUSmallInt));
static_assert(SCAUP_TYPE_UINTEGER == static_cast<int>(TypeId::kUInteger));
static_assert(SCAUP_TYPE_UBIGINT == static_cast<int>(TypeId::kUBigInt));
static_assert(SCAUP_TYPE_BIT == static_cast<int>(TypeId::kBit));
static_assert(SCAUP_TYPE_TIMETZ == static_cast<int>(TypeId::kTimeTz));
static_assert(SCAUP_TYPE_RANGE == static_cast<int>(TypeId::kRange));
static_assert(SCAUP_TYPE_MULTIRANGE == static_cast<int>(TypeId::kMultirange));
