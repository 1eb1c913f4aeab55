// Values of any type as JSON.
#include "function/scalar/json/json_printer.hpp"

#include "common/throw.hpp"
#include "function/cast_function.hpp"
#include "type/json_text.hpp"

namespace scaup {

namespace {

/// "2024-02-29 12:00:00+01" in the way of ISO 8601: with T, and minutes in the offset.
std::string IsoTimestamp(std::string_view text) {
  std::string iso(text);
  const size_t space = iso.find(' ');
  if (space == std::string::npos) return iso;  // An infinity.
  iso[space] = 'T';
  const size_t sign = iso.find_last_of("+-");
  const bool has_short_offset =
      sign != std::string::npos && sign > space && iso.find(':', sign) == std::string::npos;
  if (has_short_offset) iso.insert(sign + 3, ":00");
  return iso;
}

}  // namespace

JsonPrinter::JsonPrinter(const FunctionContext& context, Vector& values, size_t count)
    : is_json_(IsJson(values.type())), text_(TypeId::kVarchar), texts_() {
  const LogicalType& type = values.type();
  const auto cast = FindCast(type, TypeId::kVarchar);
  if (!cast) ThrowInternal("no cast from " + type.ToString() + " to VARCHAR");
  form_ = is_json_                                                               ? Form::kAsIs
          : type.id() == TypeId::kBoolean                                        ? Form::kBoolean
          : type.IsNumeric()                                                     ? Form::kNumber
          : type.id() == TypeId::kTimestamp || type.id() == TypeId::kTimestampTz ? Form::kTimestamp
                                                                                 : Form::kString;
  text_.Reset();
  const LogicalType text_type = TypeId::kVarchar;
  cast->kernel({context, type, text_type, false}, values, count, text_);
  texts_ = text_.ViewAs<StringRef>(count);
}

void JsonPrinter::Append(size_t row, std::string& out) const {
  if (IsNull(row)) {
    out += "null";
    return;
  }
  const std::string_view text = texts_[row].view();
  switch (form_) {
    case Form::kAsIs: out += text; return;
    case Form::kBoolean: out += text == "true" || text == "t" ? "true" : "false"; return;
    case Form::kNumber:
      // JSON has neither infinities nor NaN.
      if (text.find_first_of("nN") == std::string_view::npos) {
        out += text;
      } else {
        AppendJsonString(text, out);
      }
      return;
    case Form::kTimestamp: AppendJsonString(IsoTimestamp(text), out); return;
    case Form::kString: AppendJsonString(text, out); return;
  }
}

void JsonPrinter::AppendName(size_t row, std::string& out) const {
  AppendJsonString(texts_[row].view(), out);
}

}  // namespace scaup
