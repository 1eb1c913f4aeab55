// Casts between text, JSON and JSONB. All are text; JSON must be well formed, and JSONB is in normal form.
#include "function/cast/cast_families.hpp"
#include "function/cast/cast_loop.hpp"
#include "type/text/json_text.hpp"

namespace scaup {

void CastTextToJson(const CastCall& call, Vector& source, size_t count, Vector& result) {
  CastRows<StringRef, StringRef>(call, source, count, result,
                                 [](const StringRef& text, StringRef& out, Vector& target) {
                                   if (!IsJsonText(text.view())) return false;
                                   out = target.AddString(text.view());
                                   return true;
                                 });
}

void CastTextToJsonb(const CastCall& call, Vector& source, size_t count, Vector& result) {
  std::string normal;
  CastRows<StringRef, StringRef>(call, source, count, result,
                                 [&normal](const StringRef& text, StringRef& out, Vector& target) {
                                   if (!NormalizeJson(text.view(), normal)) return false;
                                   out = target.AddString(normal);
                                   return true;
                                 });
}

void ShareText(const CastCall&, Vector& source, size_t, Vector& result) { result.Reference(source); }

CastFunction FindJsonCast(const LogicalType&, const LogicalType& to) {
  if (to.id() == TypeId::kJson) return {ShareText, false};
  return {CastTextToJsonb, true};
}

}  // namespace scaup
