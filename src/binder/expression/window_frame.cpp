// Window frames: offsets of ROWS and GROUPS are counts, those of RANGE are added to the ORDER BY column.
#include "binder/expression/window_frame.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "binder/scope/coercion.hpp"
#include "binder/scope/expression_binder.hpp"
#include "common/throw.hpp"
#include "type/type_name.hpp"
#include "type/type_rules.hpp"

namespace scaup {

namespace {

void CoerceCounts(BindSession& session, WindowFrame& frame) {
  for (WindowFrameBound* bound : {&frame.start, &frame.end}) {
    ExpressionPtr& offset = bound->offset;
    if (!offset) continue;
    if (!IsUntyped(*offset) && !offset->type().IsNumeric()) {
      ThrowError(ErrorKind::kBinder, sqlstate::kDatatypeMismatch,
                 fmt::format("argument of {} must be type bigint, not type {}", UnitText(frame.unit),
                             PostgresTypeName(offset->type())),
                 offset->position);
    }
    offset = Coerce(session, std::move(offset), TypeId::kBigInt);
  }
}

/// The type in which frame limits are computed, and the type of the offsets.
struct RangeTypes {
  LogicalType domain;
  LogicalType offset;
};

[[noreturn]] void ThrowNoRange(const LogicalType& key, const Expression& offset) {
  const std::string of_offset =
      IsUntyped(offset) ? "" : fmt::format(" and offset type {}", PostgresTypeName(offset.type()));
  ThrowNotSupported(fmt::format("RANGE with offset PRECEDING/FOLLOWING is not supported for column type {}{}",
                                PostgresTypeName(key), of_offset),
                    offset.position);
}

uint8_t ScaleOf(const LogicalType& type) { return type.id() == TypeId::kDecimal ? type.scale() : 0; }

RangeTypes TypesForRange(const LogicalType& key, const std::vector<ExpressionPtr*>& offsets) {
  switch (key.id()) {
    case TypeId::kTinyInt:
    case TypeId::kSmallInt:
    case TypeId::kInteger:
    case TypeId::kBigInt:
    case TypeId::kUTinyInt:
    case TypeId::kUSmallInt:
    case TypeId::kUInteger:
    case TypeId::kUBigInt:
    case TypeId::kHugeInt:
      return {TypeId::kHugeInt, TypeId::kHugeInt};  // wide, as limits may overflow the key
    case TypeId::kReal:
    case TypeId::kDouble: return {TypeId::kDouble, TypeId::kDouble};
    case TypeId::kDecimal: {
      uint8_t scale = key.scale();
      for (const ExpressionPtr* offset : offsets) scale = std::max(scale, ScaleOf((*offset)->type()));
      const LogicalType wide = LogicalType::Decimal(LogicalType::kMaxDecimalWidth, scale);
      return {wide, wide};
    }
    case TypeId::kDate:
    case TypeId::kTimestamp: return {TypeId::kTimestamp, TypeId::kInterval};
    case TypeId::kTimestampTz: return {TypeId::kTimestampTz, TypeId::kInterval};
    case TypeId::kTime:
    case TypeId::kInterval: return {TypeId::kInterval, TypeId::kInterval};
    case TypeId::kNull:
    case TypeId::kBoolean:
    case TypeId::kVarchar:
    case TypeId::kBlob:
    case TypeId::kBit:
    case TypeId::kTimeTz:
    case TypeId::kNumeric:  // limits are compared as keys of one length
    case TypeId::kUuid:
    case TypeId::kJson:
    case TypeId::kJsonb:
    case TypeId::kEnum:
    case TypeId::kList:
    case TypeId::kStruct:
    case TypeId::kRange:
    case TypeId::kMultirange: break;
  }
  ThrowNoRange(key, **offsets.front());
}

/// Returns whether PostgreSQL accepts an offset of this type for a key of this type.
bool TakesOffset(const LogicalType& key, const LogicalType& offset) {
  if (key.IsInteger()) return offset.IsInteger();
  if (key.id() == TypeId::kDecimal) return offset.IsInteger() || offset.id() == TypeId::kDecimal;
  if (key.id() == TypeId::kReal || key.id() == TypeId::kDouble) {
    return ImplicitCastCost(offset, TypeId::kDouble).has_value();
  }
  return offset.id() == TypeId::kInterval;
}

void MakeLimits(BindSession& session, WindowExpression& window) {
  WindowFrame& frame = window.frame;
  std::vector<ExpressionPtr*> offsets;
  for (WindowFrameBound* bound : {&frame.start, &frame.end}) {
    if (bound->offset) offsets.push_back(&bound->offset);
  }
  const Expression& key = *window.order_by[0].expression;
  const RangeTypes types = TypesForRange(key.type(), offsets);
  for (const ExpressionPtr* offset : offsets) {
    if (!IsUntyped(**offset) && !TakesOffset(key.type(), (*offset)->type()))
      ThrowNoRange(key.type(), **offset);
  }
  frame.range_key = Coerce(session, key.Clone(), types.domain);
  for (WindowFrameBound* bound : {&frame.start, &frame.end}) {
    if (!bound->offset) continue;
    const std::optional<size_t> position = bound->offset->position;
    bound->offset = Coerce(session, std::move(bound->offset), types.offset);
    // PRECEDING subtracts the offset in ascending order and adds it in descending order.
    const bool subtracts = (bound->kind == FrameBoundKind::kPreceding) != window.order_by[0].descending;
    std::vector<ExpressionPtr> operands;
    operands.push_back(frame.range_key->Clone());
    operands.push_back(
        std::make_unique<ReferenceExpression>(types.offset, 0, std::string(WindowFrameBound::kOffsetName)));
    bound->limit = Coerce(
        session, MakeScalarCall(session, subtracts ? "-" : "+", std::move(operands), position), types.domain);
  }
}

}  // namespace

void SettleFrame(BindSession& session, WindowExpression& window) {
  WindowFrame& frame = window.frame;
  const bool has_offset = frame.start.offset || frame.end.offset;
  if (frame.unit == FrameUnit::kGroups && window.order_by.empty()) {
    ThrowError(ErrorKind::kBinder, sqlstate::kWindowingError, "GROUPS mode requires an ORDER BY clause",
               window.position);
  }
  if (!has_offset) return;
  if (frame.unit == FrameUnit::kRange && window.order_by.size() != 1) {
    ThrowError(ErrorKind::kBinder, sqlstate::kWindowingError,
               "RANGE with offset PRECEDING/FOLLOWING requires exactly one ORDER BY column", window.position);
  }
  if (frame.unit == FrameUnit::kRange) {
    MakeLimits(session, window);
  } else {
    CoerceCounts(session, frame);
  }
  for (const WindowFrameBound* bound : {&frame.start, &frame.end})
    if (bound->offset) RefuseOwnColumns(*bound->offset, UnitText(frame.unit));
}

}  // namespace scaup
