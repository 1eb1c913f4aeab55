// to_char of dates, timestamps and times by a template.
#include "common/throw.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "function/scalar/temporal/date_field.hpp"
#include "function/scalar/temporal/date_format.hpp"
#include "function/scalar/temporal/local_time.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

/// Formats values. A template is compiled once per run of rows that share it, so once for a constant.
template <typename T>
void ToChar(const ScalarCall&, DataChunk& arguments, Vector& result) {
  const size_t count = arguments.size();
  const auto values = arguments.column(0).ViewAs<T>(count);
  const auto patterns = arguments.column(1).ViewAs<StringRef>(count);
  StringRef* out = result.MutableData<StringRef>();
  std::optional<DateFormat> format;
  std::string last_pattern, text;
  for (size_t row = 0; row < count; row++) {
    // As in PostgreSQL, infinite dates yield NULL, because they have no fields.
    if (!values.IsValid(row) || !patterns.IsValid(row) || !IsFiniteTimestamp(AsTimestamp(values[row]))) {
      result.SetNull(row);
      continue;
    }
    if (!format || patterns[row].view() != last_pattern) {
      last_pattern = patterns[row].view();
      format.emplace(last_pattern);
    }
    text.clear();
    format->Append(AsTimestamp(values[row]), text);
    out[row] = result.AddString(text);
  }
}

}  // namespace

ScalarFunctionList ToCharFunctions() {
  ScalarFunctionList list;
  const auto add = [&](TypeId type, ScalarKernel kernel) {
    list.push_back({.name = "to_char",
                    .argument_types = {type, TypeId::kVarchar},
                    .return_type = TypeId::kVarchar,
                    .kernel = kernel,
                    .description = "A date or timestamp written by a template.",
                    .example = "to_char(DATE '2024-02-29', 'DD Mon YYYY')",
                    .can_fail = false});
  };
  add(TypeId::kTimestamp, &ToChar<int64_t>);
  add(TypeId::kDate, &ToChar<int32_t>);
  add(TypeId::kTime, &ToChar<int64_t>);
  AddLocalTimeOverloads(list);
  return list;
}

}  // namespace scaup
