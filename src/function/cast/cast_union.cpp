// Casts to unions, of values that become a member, of other unions and of JSON; and of unions to text.
#include <deque>

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

/// Casts the values of one member, and puts them into their rows as texts or unions.
class MemberCast {
 public:
  MemberCast(const CastCall& call, const StructField& member)
      : call_(call), from_(member.type), to_(TypeId::kVarchar), given_(from_), load_(FindSlotLoader(from_)) {
    if (IsUnion(call.target_type)) {
      member_ = *FindMember(call.target_type, member.name);
      to_ = UnionMembers(call.target_type)[member_].type;
    }
    given_.Reset();
  }

  void Add(size_t row, std::string_view slot) {
    load_(from_, slot, given_, rows_.size());
    rows_.push_back(row);
  }

  void Finish(Vector& result) {
    if (rows_.empty()) return;
    Vector cast(to_);
    cast.Reset();
    FindCast(from_, to_)->kernel({call_.context, from_, to_, call_.is_try}, given_, rows_.size(), cast);
    const UnifiedView before = given_.View(rows_.size()), after = cast.View(rows_.size());
    const SlotAppender append = FindSlotAppender(to_);
    auto* out = result.MutableData<StringRef>();
    std::string slot, slots;
    for (size_t i = 0; i < rows_.size(); i++) {
      if (before.IsValid(i) && !after.IsValid(i)) {  // of a TRY_CAST
        result.SetNull(rows_[i]);
      } else if (IsUnion(call_.target_type)) {
        slot.clear();
        slots.clear();
        append(to_, after, i, slot);
        AppendUnion(call_.target_type, member_, slot, slots);
        out[rows_[i]] = result.AddString(slots);
      } else {
        out[rows_[i]] = result.AddString(after.IsValid(i) ? after.As<StringRef>()[i].view() : "NULL");
      }
    }
  }

 private:
  const CastCall& call_;
  LogicalType from_, to_;
  size_t member_ = 0;  // of the target
  Vector given_;
  SlotLoader load_;
  std::vector<size_t> rows_;
};

/// Casts unions to texts and to unions with all of their members, member by member.
void CastMembers(const CastCall& call, Vector& source, size_t row_count, Vector& result) {
  if (row_count == 0) return;
  const size_t count = source.is_constant() ? 1 : row_count;
  const auto unions = source.ViewAs<StringRef>(count);
  std::deque<MemberCast> casts;
  for (const StructField& member : UnionMembers(call.source_type)) casts.emplace_back(call, member);
  for (size_t row = 0; row < count; row++) {
    if (!unions.IsValid(row)) {
      result.SetNull(row);
      continue;
    }
    const UnionPart part = ReadUnion(call.source_type, unions[row].view());
    casts[part.member].Add(row, part.slot);
  }
  for (MemberCast& cast : casts) cast.Finish(result);
  if (source.is_constant()) result.SetConstant();
}

}  // namespace

CastFunction FindUnionCast(const LogicalType& from, const LogicalType& to) {
  if (IsUnion(from) && (!IsUnion(to) || HasMembersOf(to, from))) return {CastMembers, true};
  if (IsJson(from)) return {CastBoxed, true};
  const MemberChoice choice = ChooseMember(from, to);
  return {choice.member && !choice.is_ambiguous ? CastToMember : CastBoxed, true};
}

}  // namespace scaup
