// strftime, strptime and try_strptime.
#include <algorithm>

#include "common/throw.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "function/scalar/temporal/date_field.hpp"
#include "function/scalar/temporal/strftime_format.hpp"
#include "type/packed_value.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

using Formats = std::vector<StrftimeFormat>;

/// The formats of a call, compiled once if they are constant.
struct FormatData final : FunctionData {
  Formats formats;
};

void AddFormat(std::string_view text, Formats& formats) { formats.emplace_back(text); }

void RequireFormats(const Formats& formats) {
  if (!formats.empty()) return;
  ThrowError(ErrorKind::kConversion, sqlstate::kInvalidParameterValue,
             "strptime needs at least one format; the list has none");
}

/// Formats of a list, without NULLs.
void AddFormatsOfList(std::string_view list, Formats& formats) {
  const LogicalType element = TypeId::kVarchar;
  std::string scratch;
  while (!list.empty()) {
    const std::string_view slot = TakeSlot(element, list);
    if (!IsNullSlot(slot)) AddFormat(ReadStringSlot(slot, scratch), formats);
  }
  RequireFormats(formats);
}

/// The formats of each row: the constant ones, or those of the row, compiled once per run of rows that share
/// them.
class RowFormats {
 public:
  RowFormats(const ScalarCall& call, bool is_list)
      : constant_(static_cast<const FormatData*>(call.data)), is_list_(is_list) {}

  const Formats& Of(std::string_view argument) {
    if (constant_ != nullptr) return constant_->formats;
    if (formats_.empty() || argument != last_) {
      formats_.clear();
      last_ = argument;
      is_list_ ? AddFormatsOfList(last_, formats_) : AddFormat(last_, formats_);
    }
    return formats_;
  }

 private:
  const FormatData* constant_;
  bool is_list_;
  std::string last_;
  Formats formats_;
};

// --- strftime

/// Formats values. `append(value, format, text)` writes one that is finite.
template <typename T, size_t kValue, typename Append>
void Format(const ScalarCall& call, DataChunk& arguments, Vector& result, Append&& append) {
  RowFormats formats(call, false);
  std::string text;
  MapBinary<T, StringRef, StringRef>(arguments.column(kValue), arguments.column(1 - kValue), arguments.size(),
                                     result, [&](T value, const StringRef& pattern) {
                                       const int64_t timestamp = AsTimestamp(value);
                                       text.clear();
                                       if (IsFiniteTimestamp(timestamp)) {
                                         append(timestamp, formats.Of(pattern.view())[0], text);
                                       } else {
                                         text = timestamp == kTimestampInfinity ? "infinity" : "-infinity";
                                       }
                                       return result.AddString(text);
                                     });
}

template <typename T, size_t kValue>
void FormatLocal(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  Format<T, kValue>(call, arguments, result,
                    [](int64_t timestamp, const StrftimeFormat& format, std::string& text) {
                      format.Append(timestamp, text);
                    });
}

template <size_t kValue>
void FormatMoment(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  TimeZoneConverter zone(call.context.Zone());
  Format<int64_t, kValue>(
      call, arguments, result, [&](int64_t moment, const StrftimeFormat& format, std::string& text) {
        int64_t local;
        if (!zone.ToLocal(moment, local))
          ThrowError(ErrorKind::kOutOfRange, sqlstate::kDatetimeOverflow, "timestamp out of range");
        format.Append(local, zone.PeriodAt(moment).offset_seconds, zone.zone().name(), text);
      });
}

template <size_t kFormat>
std::unique_ptr<FunctionData> BindFormat(ScalarFunction&, std::span<const BindArgument> arguments) {
  const Value* format = arguments[kFormat].constant;
  if (format == nullptr || format->is_null()) return nullptr;
  auto data = std::make_unique<FormatData>();
  AddFormat(format->GetString(), data->formats);
  return data;
}

// --- strptime

[[noreturn]] void ThrowUnreadable(std::string_view text, const Formats& formats) {
  std::string message =
      "could not parse \"" + std::string(text) + "\" by the format \"" + formats[0].text() + "\"";
  if (formats.size() > 1) message += " or one of the " + std::to_string(formats.size() - 1) + " others";
  ThrowError(ErrorKind::kConversion, sqlstate::kInvalidDatetimeFormat, message);
}

bool ReadSpecialTime(std::string_view text, int64_t& timestamp) {
  if (text == "infinity") return timestamp = kTimestampInfinity, true;
  if (text == "-infinity") return timestamp = kTimestampMinusInfinity, true;
  if (text == "epoch") return timestamp = 0, true;
  return false;
}

/// Reads texts by the first of the formats that matches. A format that is not constant cannot make the type:
/// a zone that it has counts, and the time is shown in UTC.
template <bool kIsTry, bool kIsMoment>
void Parse(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const size_t count = arguments.size();
  const auto texts = arguments.column(0).ViewAs<StringRef>(count);
  const auto patterns = arguments.column(1).ViewAs<StringRef>(count);
  int64_t* out = result.MutableData<int64_t>();
  RowFormats formats(call, arguments.column(1).type().id() == TypeId::kList);
  TimeZoneConverter zone(call.context.Zone());
  ParsedTimestamp parsed;
  for (size_t row = 0; row < count; row++) {
    if (!texts.IsValid(row) || !patterns.IsValid(row)) {
      result.SetNull(row);
      continue;
    }
    const Formats& of_row = formats.Of(patterns[row].view());
    const std::string_view text = texts[row].view();
    const bool matches = std::any_of(of_row.begin(), of_row.end(), [&](const StrftimeFormat& format) {
      if (!format.Parse(text, parsed)) return false;
      if (kIsMoment || parsed.has_zone()) return FindMoment(parsed, zone, out[row]);
      out[row] = parsed.local_micros;
      return true;
    });
    if (matches || ReadSpecialTime(text, out[row])) continue;
    if (!kIsTry) ThrowUnreadable(text, of_row);
    result.SetNull(row);
  }
}

/// Formats with a zone make moments.
template <bool kIsTry>
std::unique_ptr<FunctionData> BindParse(ScalarFunction& function, std::span<const BindArgument> arguments) {
  const Value* constant = arguments[1].constant;
  if (constant == nullptr || constant->is_null()) return nullptr;
  auto data = std::make_unique<FormatData>();
  if (constant->type().id() == TypeId::kList) {
    for (const Value& format : constant->GetElements()) {
      if (!format.is_null()) AddFormat(format.GetString(), data->formats);
    }
    RequireFormats(data->formats);
  } else {
    AddFormat(constant->GetString(), data->formats);
  }
  const bool has_zone = std::any_of(data->formats.begin(), data->formats.end(),
                                    [](const StrftimeFormat& format) { return format.has_zone(); });
  if (has_zone) {
    function.return_type = TypeId::kTimestampTz;
    function.kernel = &Parse<kIsTry, true>;
  }
  return data;
}

}  // namespace

ScalarFunctionList StrftimeFunctions() {
  ScalarFunctionList list;
  const LogicalType text = TypeId::kVarchar;
  const auto add_format = [&](TypeId type, ScalarKernel kernel, ScalarKernel swapped) {
    list.push_back({.name = "strftime",
                    .argument_types = {type, text},
                    .return_type = text,
                    .kernel = kernel,
                    .description = "A date or timestamp written by a format of C.",
                    .example = "strftime(TIMESTAMP '2024-02-29 12:34:56', '%d.%m.%Y %H:%M')",
                    .bind = &BindFormat<1>});
    list.push_back(list.back());
    list.back().argument_types = {text, type};
    list.back().kernel = swapped;
    list.back().bind = &BindFormat<0>;
  };
  add_format(TypeId::kTimestamp, &FormatLocal<int64_t, 0>, &FormatLocal<int64_t, 1>);
  add_format(TypeId::kDate, &FormatLocal<int32_t, 0>, &FormatLocal<int32_t, 1>);
  add_format(TypeId::kTimestampTz, &FormatMoment<0>, &FormatMoment<1>);
  const auto add_parse = [&](const char* name, const LogicalType& formats, ScalarKernel kernel,
                             ScalarBind bind, const char* description, const char* example) {
    list.push_back({.name = name,
                    .argument_types = {text, formats},
                    .return_type = TypeId::kTimestamp,
                    .kernel = kernel,
                    .description = description,
                    .example = example,
                    .bind = bind});
  };
  const LogicalType texts = LogicalType::List(text);
  add_parse("strptime", text, &Parse<false, false>, &BindParse<false>,
            "The timestamp that a text gives by a format of C; with %z or %Z, one with time zone.",
            "strptime('29.02.2024 12:34', '%d.%m.%Y %H:%M')");
  add_parse("strptime", texts, &Parse<false, false>, &BindParse<false>,
            "The timestamp that a text gives by the first format that matches.",
            "strptime('2024-02-29', ['%d.%m.%Y', '%Y-%m-%d'])");
  add_parse("try_strptime", text, &Parse<true, false>, &BindParse<true>,
            "The timestamp that a text gives by a format of C; NULL if it does not match.",
            "try_strptime('29.02.2023', '%d.%m.%Y')");
  add_parse("try_strptime", texts, &Parse<true, false>, &BindParse<true>,
            "The timestamp that a text gives by the first format that matches; NULL if none does.",
            "try_strptime('2024-02-29', ['%d.%m.%Y', '%Y-%m-%d'])");
  return list;
}

}  // namespace scaup
