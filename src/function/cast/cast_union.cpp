// Casts to unions, of values that become a member, of other unions and of JSON; and of unions to text.
#include "function/cast/cast_families.hpp"
#include "function/cast/cast_loop.hpp"
#include "type/packed_value.hpp"
#include "type/text/json_text.hpp"
#include "type/type_rules.hpp"
#include "vector/slot_vectors.hpp"

namespace scaup {

namespace {

/// Casts values to the type of the member that they become, and makes unions of them.
void CastToMember(const CastCall& call, Vector& source, size_t row_count, Vector& result) {
  if (row_count == 0) return;
  const LogicalType& target = call.target_type;
  const size_t member = *ChooseMember(call.source_type, target).member;
  const LogicalType type = UnionMembers(target)[member].type;
  Vector values(type);
  values.Reset();
  FindCast(call.source_type, type)
      ->kernel({call.context, call.source_type, type, call.is_try}, source, row_count, values);
  const size_t count = source.is_constant() ? 1 : row_count;
  const UnifiedView view = values.View(count);
  const SlotAppender append = FindSlotAppender(type);
  auto* out = result.MutableData<StringRef>();
  std::string slot, slots;
  for (size_t row = 0; row < count; row++) {
    if (!view.IsValid(row)) {
      result.SetNull(row);
      continue;
    }
    slot.clear();
    slots.clear();
    append(type, view, row, slot);
    AppendUnion(target, member, slot, slots);
    out[row] = result.AddString(slots);
  }
  if (source.is_constant()) result.SetConstant();
}

}  // namespace

CastFunction FindUnionCast(const LogicalType& from, const LogicalType& to) {
  const bool is_value = IsUnion(to) && !IsJson(from) && !(IsUnion(from) && HasMembersOf(to, from));
  if (!is_value) return {CastBoxed, true};
  const MemberChoice choice = ChooseMember(from, to);
  return {choice.member && !choice.is_ambiguous ? CastToMember : CastBoxed, true};
}

}  // namespace scaup
