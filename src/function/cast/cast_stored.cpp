// Casts between text and the types whose values are strings in a form of their own, NUMERIC and BIT.
#include "function/cast/cast_families.hpp"
#include "function/cast/cast_loop.hpp"
#include "type/number/stored_text.hpp"

namespace scaup {

void CastTextToStored(const CastCall& call, Vector& source, size_t count, Vector& result) {
  std::string bytes;
  CastRows<StringRef, StringRef>(call, source, count, result,
                                 [&](const StringRef& text, StringRef& out, Vector& target) {
                                   if (!ParseStoredForm(call.target_type, text.view(), bytes)) return false;
                                   out = target.AddString(bytes);
                                   return true;
                                 });
}

void CastStoredToText(const CastCall& call, Vector& source, size_t count, Vector& result) {
  std::string text;
  CastRows<StringRef, StringRef>(call, source, count, result,
                                 [&](const StringRef& value, StringRef& out, Vector& target) {
                                   text.clear();
                                   AppendStoredText(call.source_type, value.view(), text);
                                   out = target.AddString(text);
                                   return true;
                                 });
}

}  // namespace scaup
