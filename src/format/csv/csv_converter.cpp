// Conversion loops, one per kind of value, over the fields that the tokenizer found.
#include "format/csv/csv_converter.hpp"

#include <algorithm>
#include <cstring>

#include "common/throw.hpp"
#include "format/text/field_parsers.hpp"
#include "type/nested_text.hpp"
#include "type/number/decimal.hpp"
#include "type/number/number_text.hpp"
#include "type/number/stored_text.hpp"
#include "type/text/ascii.hpp"
#include "type/text/json_text.hpp"
#include "type/text/utf8_text.hpp"
#include "type/time/time_tz.hpp"
#include "type/uuid.hpp"
#include "type/value_cast.hpp"

namespace scaup {
namespace {

/// A field without its quotes. `is_owned`: it was unescaped into scratch memory.
struct Field {
  const char* text;
  size_t size;
  bool is_quoted = false;
  bool is_owned = false;
};

/// Reads the fields of one column and removes their quotes. One thread at a time.
class FieldReader {
 public:
  FieldReader(const CsvConversion& conversion, const CsvBatch& batch, size_t field, bool is_last_field)
      : dialect_(conversion.dialect),
        batch_(batch),
        field_(field),
        strip_cr_(is_last_field && dialect_.strip_cr) {}

  /// The bytes of the field in the file, quotes included.
  Field Raw(size_t row) const {
    const uint32_t begin = batch_.FieldBegin(row, field_);
    uint32_t end = batch_.FieldEnd(row, field_);
    if (strip_cr_ && end > begin && batch_.data[end - 1] == '\r') end--;
    return {batch_.data + begin, end - begin};
  }

  /// Reads a field. Returns false if there is text after the closing quote.
  bool Get(size_t row, Field& field) {
    field = Raw(row);
    if (!batch_.has_quotes || field.size == 0 || *field.text != dialect_.quote || dialect_.quote == '\0')
      return true;
    return Unquote(field);
  }

 private:
  bool Unquote(Field& field) {
    field.is_quoted = true;
    if (field.size < 2 || field.text[field.size - 1] != dialect_.quote) return false;
    const std::string_view inner(field.text + 1, field.size - 2);
    const bool plain = std::memchr(inner.data(), dialect_.quote, inner.size()) == nullptr &&
                       (dialect_.escape == dialect_.quote || dialect_.escape == '\0' ||
                        std::memchr(inner.data(), dialect_.escape, inner.size()) == nullptr);
    if (plain) {
      field.text = inner.data();
      field.size = inner.size();
      return true;
    }
    return Unescape(inner, field);
  }

  bool Unescape(std::string_view inner, Field& field) {
    scratch_.resize(inner.size() + kTextPadding);
    size_t size = 0;
    for (size_t i = 0; i < inner.size(); i++) {
      char c = inner[i];
      const bool has_next = i + 1 < inner.size();
      if (c == dialect_.escape && has_next &&
          (inner[i + 1] == dialect_.quote || inner[i + 1] == dialect_.escape)) {
        c = inner[++i];
      } else if (c == dialect_.quote || (c == dialect_.escape && c != '\0' && !has_next)) {
        return false;  // This byte closed the field, or escaped the quote that seemed to close it.
      }
      scratch_[size++] = c;
    }
    field = {scratch_.data(), size, true, true};
    return true;
  }

  const CsvDialect& dialect_;
  const CsvBatch& batch_;
  size_t field_;
  bool strip_cr_;
  std::string scratch_;
};

class ColumnConverter {
 public:
  ColumnConverter(const CsvConversion& conversion, const CsvBatch& batch, size_t field, bool is_last_field,
                  CsvNulls nulls, CsvBadRows* bad_rows, Vector& result)
      : conversion_(conversion),
        batch_(batch),
        field_(field),
        nulls_(nulls),
        reader_(conversion, batch, field, is_last_field),
        only_empty_is_null_(conversion.null_strings.size() == 1 && conversion.null_strings[0].empty()),
        bad_rows_(bad_rows),
        result_(result) {}

  /// Calls convert(row, field), which returns a fault or none, for every field that is not NULL.
  template <typename Convert>
  CsvFault Run(Convert convert) {
    size_t row = 0;
    if (!batch_.has_quotes && !batch_.is_ragged && only_empty_is_null_ &&
        nulls_ != CsvNulls::kNone) {  // most files: a tight loop up to the first NULL or fault
      for (; row < batch_.row_count; row++) {
        const Field field = reader_.Raw(row);
        if (field.size == 0 || convert(row, field) != CsvFieldFault::kNone) [[unlikely]]
          break;
      }
    }
    return RunWithNulls(row, convert);
  }

 private:
  template <typename Convert>
  CsvFault RunWithNulls(size_t row, Convert& convert) {
    ValidityWord* validity = nullptr;
    for (; row < batch_.row_count; row++) {
      Field field;
      CsvFieldFault fault = CsvFieldFault::kTextAfterQuote;
      const bool is_missing = batch_.is_ragged && field_ >= batch_.field_counts[row];
      if (is_missing || reader_.Get(row, field)) {
        if (is_missing || IsNull(field)) {
          if (validity == nullptr) validity = result_.MutableValidity();
          SetInvalid(validity, row);
          SetEmpty(row);
          continue;
        }
        fault = convert(row, field);
        if (fault == CsvFieldFault::kNone) [[likely]]
          continue;
      }
      if (bad_rows_ == nullptr) return {fault, row};
      (*bad_rows_)[row] = true;
      result_.SetNull(row);
      SetEmpty(row);
    }
    return {};
  }

 public:
  /// Parses values by a fast parser, and by `slow(text, value)` where it fails.
  template <typename T, typename Fast, typename Slow>
  CsvFault Parse(Fast fast, Slow slow) {
    T* values = result_.MutableData<T>();
    if (result_.type().IsNumeric() && HasOtherNumbers(conversion_)) {
      return Run([&](size_t row, const Field& field) {
        const bool is_number =
            NormalizeCsvNumber(conversion_.decimal, conversion_.thousands, {field.text, field.size}, number_);
        return is_number && slow(std::string_view(number_), values[row]) ? CsvFieldFault::kNone
                                                                         : CsvFieldFault::kBadValue;
      });
    }
    return Run([&](size_t row, const Field& field) {
      if (fast(field.text, field.size, values[row])) [[likely]]
        return CsvFieldFault::kNone;
      return slow(std::string_view(field.text, field.size), values[row]) ? CsvFieldFault::kNone
                                                                         : CsvFieldFault::kBadValue;
    });
  }
  template <typename T, typename Slow>
  CsvFault ParseSlowly(Slow slow) {
    return Parse<T>([](const char*, size_t, T&) { return false; }, slow);
  }

  template <typename T>
  CsvFault ParseIntegers() {
    return Parse<T>(field::IntegerParser<T>(),
                    [](std::string_view text, T& value) { return ParseInteger(text, value); });
  }

  template <typename T>
  CsvFault ParseDecimals() {
    const uint8_t width = result_.type().width(), scale = result_.type().scale();
    return Parse<T>(field::DecimalParser<T>{width, scale}, [=](std::string_view text, T& value) {
      int128_t unscaled;
      if (!ParseDecimal(text, width, scale, unscaled)) return false;
      value = static_cast<T>(unscaled);
      return true;
    });
  }

  CsvFault ConvertStrings() {
    StringRef* values = result_.MutableData<StringRef>();
    const bool is_ascii = batch_.is_ascii;
    return Run([&](size_t row, const Field& field) {
      if (!is_ascii && !IsUtf8({field.text, field.size})) return CsvFieldFault::kBadUtf8;
      values[row] = field.is_owned ? result_.AddString({field.text, field.size})
                                   : field::MakeStringRef(field.text, field.size);
      return CsvFieldFault::kNone;
    });
  }

  CsvFault ConvertBlobs() {
    StringRef* values = result_.MutableData<StringRef>();
    std::string bytes;
    return Run([&](size_t row, const Field& field) {
      bytes.clear();
      if (!ParseBlob({field.text, field.size}, bytes)) return CsvFieldFault::kBadValue;
      values[row] = result_.AddString(bytes);
      return CsvFieldFault::kNone;
    });
  }

  CsvFault ConvertLabels() {
    return ParseSlowly<int16_t>([&](std::string_view text, int16_t& position) {
      const auto found = result_.type().FindLabel(text);
      if (found) position = static_cast<int16_t>(*found);
      return found.has_value();
    });
  }

  CsvFault ConvertNested() {
    StringRef* values = result_.MutableData<StringRef>();
    const TimeZone* zone = conversion_.time_zone ? &*conversion_.time_zone : nullptr;
    Value value;
    return Run([&](size_t row, const Field& field) {
      if (!batch_.is_ascii && !IsUtf8({field.text, field.size})) return CsvFieldFault::kBadUtf8;
      if (!ParseValue({field.text, field.size}, result_.type(), value, zone)) return CsvFieldFault::kBadValue;
      values[row] = result_.AddString(value.GetString());
      return CsvFieldFault::kNone;
    });
  }

  CsvFault ConvertDates() {
    if (const auto& format = conversion_.date_format) {
      return ParseSlowly<int32_t>([&](std::string_view text, int32_t& days) {
        ParsedTimestamp parsed;
        if (!format->Parse(text, parsed)) return false;
        const int64_t timestamp = parsed.local_micros;
        days = static_cast<int32_t>((timestamp - (timestamp < 0 ? kMicrosPerDay - 1 : 0)) / kMicrosPerDay);
        return true;
      });
    }
    return Parse<int32_t>(field::DateParser(), ParseDate);
  }

  CsvFault ConvertTimestamps() {
    if (const auto& format = conversion_.timestamp_format) {
      const TimeZone utc;
      TimeZoneConverter zone(conversion_.time_zone ? *conversion_.time_zone : utc);
      return ParseSlowly<int64_t>([&](std::string_view text, int64_t& micros) {
        ParsedTimestamp parsed;
        if (!format->Parse(text, parsed)) return false;
        if (parsed.has_zone()) return FindMoment(parsed, zone, micros);
        micros = parsed.local_micros;
        return true;
      });
    }
    return Parse<int64_t>(field::TimestampParser(), ParseTimestamp);
  }

  CsvFault ConvertTimeTzs() {
    const TimeZone utc;
    const TimeZone& zone = conversion_.time_zone ? *conversion_.time_zone : utc;
    return ParseSlowly<int64_t>(
        [&](std::string_view text, int64_t& stored) { return ParseTimeTz(text, zone, stored); });
  }

  CsvFault ConvertTimestampTzs() {
    const TimeZone utc;
    TimeZoneConverter zone(conversion_.time_zone ? *conversion_.time_zone : utc);
    if (const auto& format = conversion_.timestamp_format) {
      return ParseSlowly<int64_t>([&](std::string_view text, int64_t& micros) {
        ParsedTimestamp parsed;
        return format->Parse(text, parsed) && FindMoment(parsed, zone, micros);
      });
    }
    return ParseSlowly<int64_t>(
        [&](std::string_view text, int64_t& micros) { return ParseTimestampTz(text, zone, micros); });
  }

  CsvFault ConvertStored() {
    StringRef* values = result_.MutableData<StringRef>();
    std::string bytes;
    return Run([&](size_t row, const Field& field) {
      if (!ParseStoredForm(result_.type(), {field.text, field.size}, bytes)) return CsvFieldFault::kBadValue;
      values[row] = result_.AddString(bytes);
      return CsvFieldFault::kNone;
    });
  }

  CsvFault ConvertJson(bool is_jsonb) {
    StringRef* values = result_.MutableData<StringRef>();
    std::string normal;
    return Run([&](size_t row, const Field& field) {
      const std::string_view text(field.text, field.size);
      if (!batch_.is_ascii && !IsUtf8(text)) return CsvFieldFault::kBadUtf8;
      if (!(is_jsonb ? NormalizeJson(text, normal) : IsJsonText(text))) return CsvFieldFault::kBadValue;
      values[row] = result_.AddString(is_jsonb ? std::string_view(normal) : text);
      return CsvFieldFault::kNone;
    });
  }

 private:
  bool IsNull(const Field& field) const {
    if (nulls_ == CsvNulls::kNone || (field.is_quoted && nulls_ != CsvNulls::kAll)) return false;
    if (only_empty_is_null_) return field.size == 0;
    const std::string_view text(field.text, field.size);
    return std::find(conversion_.null_strings.begin(), conversion_.null_strings.end(), text) !=
           conversion_.null_strings.end();
  }

  /// Strings under NULLs must be readable.
  void SetEmpty(size_t row) {
    if (result_.physical_type() == PhysicalType::kString) result_.MutableData<StringRef>()[row] = StringRef();
  }

  const CsvConversion& conversion_;
  const CsvBatch& batch_;
  size_t field_;
  CsvNulls nulls_;
  FieldReader reader_;
  bool only_empty_is_null_;
  CsvBadRows* bad_rows_;
  Vector& result_;
  std::string number_;  // scratch
};

CsvFault ConvertDecimals(ColumnConverter& converter, PhysicalType type) {
  switch (type) {
    case PhysicalType::kInt16: return converter.ParseDecimals<int16_t>();
    case PhysicalType::kInt32: return converter.ParseDecimals<int32_t>();
    case PhysicalType::kInt64: return converter.ParseDecimals<int64_t>();
    default: return converter.ParseDecimals<int128_t>();
  }
}

CsvFault ConvertByType(ColumnConverter& converter, const Vector& result) {
  switch (result.type().id()) {
    case TypeId::kBoolean:
      return converter.Parse<uint8_t>(field::BooleanParser(), [](std::string_view text, uint8_t& value) {
        bool parsed;
        if (!ParseBoolean(text, parsed)) return false;
        value = parsed;
        return true;
      });
    case TypeId::kTinyInt: return converter.ParseIntegers<int8_t>();
    case TypeId::kSmallInt: return converter.ParseIntegers<int16_t>();
    case TypeId::kInteger: return converter.ParseIntegers<int32_t>();
    case TypeId::kBigInt: return converter.ParseIntegers<int64_t>();
    case TypeId::kUTinyInt: return converter.ParseIntegers<uint8_t>();
    case TypeId::kUSmallInt: return converter.ParseIntegers<uint16_t>();
    case TypeId::kUInteger: return converter.ParseIntegers<uint32_t>();
    case TypeId::kUBigInt: return converter.ParseIntegers<uint64_t>();
    case TypeId::kHugeInt:
      return converter.ParseSlowly<int128_t>(
          [](std::string_view text, int128_t& value) { return ParseInteger(text, value); });
    case TypeId::kReal:
      return converter.ParseSlowly<float>(
          [](std::string_view text, float& value) { return ParseFloat(text, value); });
    case TypeId::kDouble:
      return converter.ParseSlowly<double>(
          [](std::string_view text, double& value) { return ParseDouble(text, value); });
    case TypeId::kDecimal: return ConvertDecimals(converter, result.physical_type());
    case TypeId::kNull: ThrowInternal("a CSV column has no type");
    case TypeId::kVarchar: return converter.ConvertStrings();
    case TypeId::kNumeric:
    case TypeId::kBit: return converter.ConvertStored();
    case TypeId::kBlob: return converter.ConvertBlobs();
    case TypeId::kDate: return converter.ConvertDates();
    case TypeId::kTime: return converter.Parse<int64_t>(field::TimeParser(), ParseTime);
    case TypeId::kTimeTz: return converter.ConvertTimeTzs();
    case TypeId::kTimestamp: return converter.ConvertTimestamps();
    case TypeId::kInterval: return converter.ParseSlowly<Interval>(ParseInterval);
    case TypeId::kUuid: return converter.ParseSlowly<int128_t>(ParseUuid);
    case TypeId::kTimestampTz: return converter.ConvertTimestampTzs();
    case TypeId::kJson: return converter.ConvertJson(false);
    case TypeId::kJsonb: return converter.ConvertJson(true);
    case TypeId::kEnum: return converter.ConvertLabels();
    case TypeId::kList:
    case TypeId::kStruct:
    case TypeId::kRange:
    case TypeId::kMultirange: return converter.ConvertNested();
  }
  return {};
}

}  // namespace

bool NormalizeCsvNumber(char decimal, char thousands, std::string_view text, std::string& number) {
  number.clear();
  text = TrimSpace(text);
  bool in_fraction = false, has_groups = false;
  size_t group_digits = 0;  // since the beginning or the last separator
  for (const char c : text) {
    if (c == thousands && thousands != '\0') {
      const bool is_group = has_groups ? group_digits == 3 : group_digits >= 1 && group_digits <= 3;
      if (in_fraction || !is_group) return false;
      has_groups = true;
      group_digits = 0;
      continue;
    }
    const bool is_digit = IsDigit(c);
    if (!is_digit && !in_fraction && group_digits != 0) {
      if (has_groups && group_digits != 3) return false;
      in_fraction = true;  // or an exponent
    }
    if (c == decimal) {
      in_fraction = true;
    } else if (c == '.') {
      return false;
    }
    group_digits += is_digit;
    number += c == decimal ? '.' : c;
  }
  return in_fraction || !has_groups || group_digits == 3;
}

CsvFault ConvertCsvColumn(const CsvConversion& conversion, const CsvBatch& batch, size_t field,
                          bool is_last_field, CsvNulls nulls, const std::shared_ptr<const void>& text_owner,
                          CsvBadRows* bad_rows, Vector& result) {
  SCAUP_ASSERT(result.MutableData<std::byte>() != nullptr);
  if (result.physical_type() == PhysicalType::kString) result.KeepAlive(text_owner);
  ColumnConverter converter(conversion, batch, field, is_last_field, nulls, bad_rows, result);
  return ConvertByType(converter, result);
}

std::string CsvFieldText(const CsvConversion& conversion, const CsvBatch& batch, size_t row, size_t field,
                         bool is_last_field) {
  FieldReader reader(conversion, batch, field, is_last_field);
  Field text;
  if (!reader.Get(row, text)) text = reader.Raw(row);
  return std::string(text.text, text.size);
}

}  // namespace scaup
