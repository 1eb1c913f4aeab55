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

namespace {

/// Casts by way of the values' texts.
void CastJsonbToScalar(const CastCall& call, Vector& source, size_t count, Vector& result) {
  const LogicalType text_type = TypeId::kVarchar;
  Vector texts(text_type);
  texts.Reset();
  const auto values = source.ViewAs<StringRef>(count);
  StringRef* out = texts.MutableData<StringRef>();
  for (size_t row = 0; row < count; row++) {
    const auto text =
        values.IsValid(row) ? JsonbScalarText(values[row].view(), call.target_type) : std::nullopt;
    if (text) {
      out[row] = texts.AddString(*text);
      continue;
    }
    texts.SetNull(row);
    if (values.IsValid(row)) RefuseRow(call, source, row, texts);
  }
  const auto parse = FindCast(text_type, call.target_type);
  SCAUP_CHECK(parse.has_value());
  parse->kernel({call.context, text_type, call.target_type, call.is_try}, texts, count, result);
}

}  // namespace

CastFunction FindJsonbScalarCast(const LogicalType&, const LogicalType&) { return {CastJsonbToScalar, true}; }

CastFunction FindJsonCast(const LogicalType&, const LogicalType& to) {
  if (to.id() == TypeId::kJson) return {ShareText, false};
  return {CastTextToJsonb, true};
}

}  // namespace scaup
