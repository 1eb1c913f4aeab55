// Casts of ranges and multiranges: from and to VARCHAR, from ranges to multiranges, and from those to lists.
#include "function/cast/cast_families.hpp"
#include "function/cast/cast_loop.hpp"
#include "type/range_value.hpp"
#include "type/value_cast.hpp"

namespace scaup {

namespace {

void CastRangesToText(const CastCall& call, Vector& source, size_t count, Vector& result) {
  CastRows<StringRef, StringRef>(
      call, source, count, result, [&](const StringRef& range, StringRef& text, Vector& target) {
        text = target.AddString(RangeToText(call.source_type, range.view(), &call.context.Zone()));
        return true;
      });
}

/// Casts one by one: what a range is made of has to be checked as a whole.
void CastToRanges(const CastCall& call, Vector& source, size_t count, Vector& result) {
  const bool is_text = call.source_type.id() == TypeId::kVarchar;
  const TimeZone* const zone = &call.context.Zone();
  Value value;
  CastRows<StringRef, StringRef>(
      call, source, count, result, [&](const StringRef& given, StringRef& range, Vector& target) {
        const bool is_good = is_text ? ParseRange(given.view(), call.target_type, value, zone)
                                     : CastRange(Value::FromBytes(call.source_type, given.ToString()),
                                                 call.target_type, value, zone);
        if (is_good) range = target.AddString(value.GetString());
        return is_good;
      });
}

}  // namespace

CastFunction FindRangeCast(const LogicalType& from, const LogicalType& to) {
  if (to.id() == TypeId::kVarchar) return {CastRangesToText, false};
  return {CastToRanges, !IsRangeOrMultirange(from.id())};
}

}  // namespace scaup
