// Formats values into a buffer, and quotes only what would not read back the same otherwise.
#include "format/csv/csv_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "common/throw.hpp"
#include "type/nested_text.hpp"
#include "type/number/decimal.hpp"
#include "type/number/int128.hpp"
#include "type/number/number_text.hpp"
#include "type/number/stored_text.hpp"
#include "type/range_value.hpp"
#include "type/text/json_text.hpp"
#include "type/time/date_time.hpp"
#include "type/time/time_tz.hpp"
#include "type/uuid.hpp"
#include "type/value_cast.hpp"

namespace scaup {
namespace {

template <typename T>
T ValueAt(const UnifiedView& view, size_t row) {
  return view.As<T>()[row];
}

int128_t DecimalAt(const LogicalType& type, const UnifiedView& view, size_t row) {
  switch (PhysicalTypeOf(type)) {
    case PhysicalType::kInt16: return ValueAt<int16_t>(view, row);
    case PhysicalType::kInt32: return ValueAt<int32_t>(view, row);
    case PhysicalType::kInt64: return ValueAt<int64_t>(view, row);
    default: return ValueAt<int128_t>(view, row);
  }
}

/// Formats a value other than a string.
size_t FormatValue(const LogicalType& type, const UnifiedView& view, size_t row, TimeZoneConverter& zone,
                   char* out) {
  switch (type.id()) {
    case TypeId::kBoolean: return FormatBoolean(ValueAt<uint8_t>(view, row) != 0, out);
    case TypeId::kTinyInt: return FormatInteger(ValueAt<int8_t>(view, row), out);
    case TypeId::kSmallInt: return FormatInteger(ValueAt<int16_t>(view, row), out);
    case TypeId::kInteger: return FormatInteger(ValueAt<int32_t>(view, row), out);
    case TypeId::kBigInt: return FormatInteger(ValueAt<int64_t>(view, row), out);
    case TypeId::kHugeInt: return FormatInt128(ValueAt<int128_t>(view, row), out);
    case TypeId::kUTinyInt: return FormatUnsigned(ValueAt<uint8_t>(view, row), out);
    case TypeId::kUSmallInt: return FormatUnsigned(ValueAt<uint16_t>(view, row), out);
    case TypeId::kUInteger: return FormatUnsigned(ValueAt<uint32_t>(view, row), out);
    case TypeId::kUBigInt: return FormatUnsigned(ValueAt<uint64_t>(view, row), out);
    case TypeId::kReal: return FormatFloat(ValueAt<float>(view, row), out);
    case TypeId::kDouble: return FormatDouble(ValueAt<double>(view, row), out);
    case TypeId::kDecimal: return FormatDecimal(DecimalAt(type, view, row), type.scale(), out);
    case TypeId::kDate: return FormatDate(ValueAt<int32_t>(view, row), out);
    case TypeId::kTime: return FormatTime(ValueAt<int64_t>(view, row), out);
    case TypeId::kTimeTz: return FormatTimeTz(ValueAt<int64_t>(view, row), out);
    case TypeId::kTimestamp: return FormatTimestamp(ValueAt<int64_t>(view, row), out);
    case TypeId::kInterval: return FormatInterval(ValueAt<Interval>(view, row), out);
    case TypeId::kUuid: return FormatUuid(ValueAt<int128_t>(view, row), out);
    case TypeId::kTimestampTz: return FormatTimestampTz(ValueAt<int64_t>(view, row), zone, out);
    case TypeId::kNull:
    case TypeId::kVarchar:
    case TypeId::kBlob:
    case TypeId::kNumeric:
    case TypeId::kBit:
    case TypeId::kJson:
    case TypeId::kJsonb:
    case TypeId::kEnum:
    case TypeId::kList:
    case TypeId::kStruct:
    case TypeId::kRange:
    case TypeId::kMultirange: break;
  }
  return 0;
}

}  // namespace

CsvWriter::CsvWriter(const FunctionContext& context, NewFilePath path, const CsvOptions& options,
                     std::vector<std::string> names, std::vector<LogicalType> types)
    : time_zone_(&context.Zone()) {
  for (const LogicalType& type : types) columns_.push_back({type});
  SetOptions(path.path, options, names);
  file_.emplace(context.files, std::move(path), options.compression);
  if (!options.header.value_or(true)) return;
  std::string header;
  for (size_t i = 0; i < names.size(); i++) {
    if (i != 0) header.push_back(delimiter_);
    AppendText(names[i], false, header);
  }
  Write(header + newline_);
}

void CsvWriter::SetOptions(std::string_view path, const CsvOptions& options,
                           const std::vector<std::string>& names) {
  const bool is_tsv = path.ends_with(".tsv") || path.ends_with(".tsv.gz");
  delimiter_ = options.delimiter.value_or(is_tsv ? '\t' : ',');
  quote_ = options.quote.value_or('"');
  escape_ = options.escape.value_or('\0') == '\0' ? quote_ : *options.escape;
  if (options.new_line == CsvNewLine::kBoth) newline_ = "\r\n";
  if (options.new_line == CsvNewLine::kCarriageReturn) newline_ = "\r";
  if (!options.null_strings.empty()) null_text_ = options.null_strings.front();
  for (const char c : {delimiter_, quote_, escape_, '\n', '\r'})
    is_special_[static_cast<unsigned char>(c)] = true;
  if (quote_ == '\0') is_special_[0] = false;
  check_numbers_ =
      !null_text_.empty() || std::strchr(",;|\t", delimiter_) == nullptr || (quote_ != '"' && quote_ != '\'');
  if (options.date_format) date_format_ = std::make_unique<StrftimeFormat>(*options.date_format);
  if (options.timestamp_format)
    timestamp_format_ = std::make_unique<StrftimeFormat>(*options.timestamp_format);
  for (Column& column : columns_) column.always_quoted = options.force_quote_all;
  for (const std::string& wanted : options.force_quote) {
    const auto found = std::find(names.begin(), names.end(), wanted);
    if (found == names.end()) {
      ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedColumn,
                 fmt::format("FORCE_QUOTE names column \"{}\", which is not written", wanted));
    }
    columns_[static_cast<size_t>(found - names.begin())].always_quoted = true;
  }
}

bool CsvWriter::NeedsQuotes(std::string_view text) const {
  if (text == null_text_) return true;
  // At the beginning of a file, readers would take it for a byte order mark and drop it.
  if (text.starts_with("\xEF\xBB\xBF")) return true;
  bool special = false;
  for (const char c : text) special |= is_special_[static_cast<unsigned char>(c)];
  return special;
}

void CsvWriter::AppendText(std::string_view text, bool always_quoted, std::string& out) const {
  if (!always_quoted && !NeedsQuotes(text)) {
    out.append(text);
    return;
  }
  if (quote_ == '\0') {
    if (text == null_text_) {  // reads back as NULL; without quotes the two cannot be distinguished
      out.append(text);
      return;
    }
    for (const char c : text) {
      if (!is_special_[static_cast<unsigned char>(c)]) continue;
      ThrowError(
          ErrorKind::kConversion, sqlstate::kInvalidTextRepresentation,
          fmt::format(
              "\"{}\" holds a delimiter or a line break and cannot be written to \"{}\" without quotes", text,
              file_->path()));
    }
    out.append(text);
    return;
  }
  out.push_back(quote_);
  for (const char c : text) {
    if (c == quote_ || c == escape_) out.push_back(escape_);
    out.push_back(c);
  }
  out.push_back(quote_);
}

/// Formats dates and timestamps that have a format of their own; false for all other values.
bool CsvWriter::AppendByFormat(const Column& column, const UnifiedView& view, size_t row,
                               TimeZoneConverter& zone, std::string& out) const {
  std::string text;
  if (column.type.id() == TypeId::kDate && date_format_ != nullptr) {
    const int32_t days = ValueAt<int32_t>(view, row);
    if (days == kDateInfinity || days == kDateMinusInfinity) return false;
    date_format_->Append(days * kMicrosPerDay, text);
  } else if (column.type.id() == TypeId::kTimestamp && timestamp_format_ != nullptr) {
    const int64_t micros = ValueAt<int64_t>(view, row);
    if (micros == kTimestampInfinity || micros == kTimestampMinusInfinity) return false;
    timestamp_format_->Append(micros, text);
  } else if (column.type.id() == TypeId::kTimestampTz && timestamp_format_ != nullptr) {
    int64_t local;
    const int64_t micros = ValueAt<int64_t>(view, row);
    if (IsInfiniteTimestamp(micros) || !zone.ToLocal(micros, local)) return false;
    timestamp_format_->Append(local, zone.PeriodAt(micros).offset_seconds, zone.zone().name(), text);
  } else {
    return false;
  }
  AppendText(text, column.always_quoted, out);
  return true;
}

void CsvWriter::AppendValue(const Column& column, const UnifiedView& view, size_t row,
                            TimeZoneConverter& zone, std::string& out) const {
  if (column.type.id() == TypeId::kVarchar || IsJson(column.type)) {
    AppendText(ValueAt<StringRef>(view, row).view(), column.always_quoted, out);
  } else if (column.type.id() == TypeId::kBlob) {
    AppendText(BlobToString(ValueAt<StringRef>(view, row).view()), column.always_quoted, out);
  } else if (HasStoredForm(column.type)) {
    std::string text;
    AppendStoredText(column.type, ValueAt<StringRef>(view, row).view(), text);
    AppendText(text, column.always_quoted, out);
  } else if (column.type.id() == TypeId::kEnum) {
    const auto position = static_cast<size_t>(ValueAt<int16_t>(view, row));
    AppendText(column.type.label(position), column.always_quoted, out);
  } else if (IsRangeOrMultirange(column.type.id())) {
    AppendText(RangeToText(column.type, ValueAt<StringRef>(view, row).view(), time_zone_),
               column.always_quoted, out);
  } else if (column.type.IsNested()) {
    const Value value = Value::FromBytes(column.type, ValueAt<StringRef>(view, row).ToString());
    AppendText(NestedToText(value, time_zone_), column.always_quoted, out);
  } else if (!AppendByFormat(column, view, row, zone, out)) {
    char text[kFormatBufferBytes];
    const size_t size = FormatValue(column.type, view, row, zone, text);
    if (check_numbers_ || column.always_quoted) {
      AppendText({text, size}, column.always_quoted, out);
    } else {
      out.append(text, size);
    }
  }
}

void CsvWriter::Format(DataChunk& chunk, std::string& buffer) const {
  TimeZoneConverter zone(*time_zone_);
  std::vector<UnifiedView> views;
  views.reserve(columns_.size());
  for (size_t i = 0; i < columns_.size(); i++) views.push_back(chunk.column(i).View(chunk.size()));
  for (size_t row = 0; row < chunk.size(); row++) {
    for (size_t i = 0; i < columns_.size(); i++) {
      if (i != 0) buffer.push_back(delimiter_);
      if (columns_[i].type.id() != TypeId::kNull && views[i].IsValid(row)) {
        AppendValue(columns_[i], views[i], row, zone, buffer);
      } else {
        buffer.append(null_text_);
      }
    }
    buffer.append(newline_);
  }
}

}  // namespace scaup
