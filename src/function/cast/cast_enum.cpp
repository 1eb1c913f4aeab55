// Casts of enums: from and to VARCHAR, and from an older version of the same enum.
#include "function/cast/cast_families.hpp"
#include "function/cast/cast_loop.hpp"

namespace scaup {

namespace {

void CastTextToEnum(const CastCall& call, Vector& source, size_t count, Vector& result) {
  CastRows<StringRef, int16_t>(call, source, count, result,
                               [&](const StringRef& text, int16_t& out, Vector&) {
                                 const auto position = call.target_type.FindLabel(text.view());
                                 if (position) out = static_cast<int16_t>(*position);
                                 return position.has_value();
                               });
}

void CastEnumToText(const CastCall& call, Vector& source, size_t count, Vector& result) {
  CastRows<int16_t, StringRef>(
      call, source, count, result, [&](int16_t position, StringRef& out, Vector& target) {
        out = target.AddString(call.source_type.label(static_cast<size_t>(position)));
        return true;
      });
}

/// Casts between versions of an enum by label.
void CastEnumToEnum(const CastCall& call, Vector& source, size_t count, Vector& result) {
  std::vector<int16_t> positions;
  for (size_t i = 0; i < call.source_type.label_count(); i++) {
    const auto position = call.target_type.FindLabel(call.source_type.label(i));
    positions.push_back(position ? static_cast<int16_t>(*position) : int16_t{-1});
  }
  CastRows<int16_t, int16_t>(call, source, count, result, [&](int16_t from, int16_t& out, Vector&) {
    out = positions[static_cast<size_t>(from)];
    return out >= 0;
  });
}

}  // namespace

CastFunction FindEnumCast(const LogicalType& from, const LogicalType& to) {
  if (to.id() != TypeId::kEnum) return {CastEnumToText, false};
  return {from.id() == TypeId::kEnum ? CastEnumToEnum : CastTextToEnum, true};
}

}  // namespace scaup
