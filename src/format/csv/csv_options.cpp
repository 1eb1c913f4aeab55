// Parses CSV options by one table of names.
#include "format/csv/csv_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "common/throw.hpp"
#include "format/text/list_option.hpp"
#include "format/text/option_values.hpp"

namespace scaup {
namespace {

char CharacterOf(const std::string& name, const Value& value, bool may_be_empty) {
  const std::string text = TextOption(name, value);
  if (text.empty() && may_be_empty) return '\0';
  if (text == "\\t" || LowerCase(text) == "tab") return '\t';
  if (text.size() != 1 || text[0] == '\n' || text[0] == '\r' || text[0] == '\0' || (text[0] & 0x80) != 0) {
    ThrowBadOption(name, "a single ASCII character, not a line break", text);
  }
  return text[0];
}

/// Removes the double quotes of a name.
std::string Unquoted(const std::string& name) {
  if (name.size() >= 2 && name.front() == '"' && name.back() == '"') return name.substr(1, name.size() - 2);
  return name;
}

void SetDelimiter(CsvOptions& o, const std::string& n, const Value& v) {
  o.delimiter = CharacterOf(n, v, false);
}
void SetQuote(CsvOptions& o, const std::string& n, const Value& v) { o.quote = CharacterOf(n, v, true); }
void SetEscape(CsvOptions& o, const std::string& n, const Value& v) { o.escape = CharacterOf(n, v, true); }
void SetHeader(CsvOptions& o, const std::string& n, const Value& v) { o.header = BooleanOption(n, v); }
void SetNull(CsvOptions& o, const std::string& n, const Value& v) {
  const bool is_list = !v.is_null() && v.type().id() == TypeId::kList;
  o.null_strings = is_list ? ListOption(n, v) : std::vector<std::string>{TextOption(n, v)};
  if (o.null_strings.empty()) ThrowBadOption(n, "at least one text", "{}");
}
void SetNullList(CsvOptions& o, const std::string& n, const Value& v) { o.null_strings = ListOption(n, v); }
void SetSkip(CsvOptions& o, const std::string& n, const Value& v) {
  const int64_t skip = IntegerOption(n, v);
  if (skip < 0) ThrowBadOption(n, "zero or more lines", std::to_string(skip));
  o.skip = static_cast<uint64_t>(skip);
}
void SetNames(CsvOptions& o, const std::string& n, const Value& v) {
  o.names.clear();
  for (const std::string& name : ListOption(n, v)) o.names.push_back(Unquoted(name));
}
void SetTypes(CsvOptions& o, const std::string& n, const Value& v) {
  o.types.clear();
  if (!v.is_null() && v.type().id() == TypeId::kStruct) {
    o.named_types = ColumnsOption(n, v);
    return;
  }
  for (const std::string& type : ListOption(n, v)) o.types.push_back(TypeOption(n, type));
}
void SetColumns(CsvOptions& o, const std::string& n, const Value& v) {
  o.names.clear();
  o.types.clear();
  for (auto& [name, type] : ColumnsOption(n, v)) {
    o.names.push_back(name);
    o.types.push_back(std::move(type));
  }
  o.columns_are_exact = true;
}
void SetAllVarchar(CsvOptions& o, const std::string& n, const Value& v) {
  o.all_varchar = BooleanOption(n, v);
}
void SetSampleSize(CsvOptions& o, const std::string& n, const Value& v) {
  o.sample_size = IntegerOption(n, v);
  if (o.sample_size == 0) ThrowBadOption(n, "at least one row, or -1 for all", "0");
}
void SetDateFormat(CsvOptions& o, const std::string& n, const Value& v) { o.date_format = TextOption(n, v); }
void SetTimestampFormat(CsvOptions& o, const std::string& n, const Value& v) {
  o.timestamp_format = TextOption(n, v);
}
void SetIgnoreErrors(CsvOptions& o, const std::string& n, const Value& v) {
  o.ignore_errors = BooleanOption(n, v);
}
void SetCompression(CsvOptions& o, const std::string& n, const Value& v) {
  o.compression = CompressionOption(n, v);
}
void SetEncoding(CsvOptions& o, const std::string& n, const Value& v) { o.encoding = EncodingOption(n, v); }
void CheckEncoding(CsvOptions&, const std::string& n, const Value& v) { CheckEncodingOption(n, v); }
void SetComment(CsvOptions& o, const std::string& n, const Value& v) {
  const char comment = CharacterOf(n, v, true);
  if (comment != '\0') o.comment = comment;
}
void SetAutoDetect(CsvOptions& o, const std::string& n, const Value& v) {
  o.auto_detect = BooleanOption(n, v);
}
void SetHeaderRows(CsvOptions& o, const std::string& n, const Value& v) {
  const int64_t rows = IntegerOption(n, v);
  if (rows < 1 || rows > 100) ThrowBadOption(n, "1 to 100 rows", std::to_string(rows));
  o.header_rows = static_cast<uint64_t>(rows);
}
void SetNormalizeNames(CsvOptions& o, const std::string& n, const Value& v) {
  o.normalize_names = BooleanOption(n, v);
}
void SetNullPadding(CsvOptions& o, const std::string& n, const Value& v) {
  o.null_padding = BooleanOption(n, v);
}
void SetQuotedNulls(CsvOptions& o, const std::string& n, const Value& v) {
  o.quoted_nulls = BooleanOption(n, v);
}
std::vector<std::string> NamesOption(const std::string& n, const Value& v) {
  std::vector<std::string> names;
  for (const std::string& name : ListOption(n, v)) names.push_back(Unquoted(name));
  return names;
}
void SetForceNull(CsvOptions& o, const std::string& n, const Value& v) { o.force_null = NamesOption(n, v); }
void SetForceNotNull(CsvOptions& o, const std::string& n, const Value& v) {
  o.force_not_null = NamesOption(n, v);
}
void SetDecimal(CsvOptions& o, const std::string& n, const Value& v) {
  o.decimal = CharacterOf(n, v, false);
  if (o.decimal != '.' && o.decimal != ',') ThrowBadOption(n, ". or ,", std::string(1, o.decimal));
}
void SetThousands(CsvOptions& o, const std::string& n, const Value& v) {
  o.thousands = CharacterOf(n, v, true);
  const bool is_sign = o.thousands == '-' || o.thousands == '+' || (o.thousands | 0x20) == 'e';
  if (is_sign || (o.thousands >= '0' && o.thousands <= '9'))
    ThrowBadOption(n, "a character that is no part of numbers", std::string(1, o.thousands));
}
[[noreturn]] void RefuseRejects(CsvOptions&, const std::string& n, const Value&) {
  ThrowNotSupported(n +
                    " is not there, as SELECT writes no tables: ignore_errors leaves bad rows out, and "
                    "SELECT * FROM read_csv_rejects('path', ...) with the same options has them");
}
void SetNewLine(CsvOptions& o, const std::string& n, const Value& v) {
  const std::string text = LowerCase(TextOption(n, v));
  if (text == "auto") {
    o.new_line = CsvNewLine::kAuto;
  } else if (text == "\\n" || text == "\n") {
    o.new_line = CsvNewLine::kLineFeed;
  } else if (text == "\\r" || text == "\r") {
    o.new_line = CsvNewLine::kCarriageReturn;
  } else if (text == "\\r\\n" || text == "\r\n") {
    o.new_line = CsvNewLine::kBoth;
  } else {
    ThrowBadOption(n, "auto, \\n, \\r or \\r\\n", text);
  }
}
void SetForceQuote(CsvOptions& o, const std::string& n, const Value& v) {
  const std::string text = v.is_null() ? "*" : TextOption(n, v);
  o.force_quote_all = text == "*";
  o.force_quote.clear();
  if (o.force_quote_all) return;
  for (const std::string& name : SplitOption(text)) o.force_quote.push_back(Unquoted(name));
}
void SetFormat(CsvOptions&, const std::string& n, const Value& v) {
  const std::string text = LowerCase(TextOption(n, v));
  if (text != "csv") ThrowBadOption(n, "csv", text);
}
void SetBufferSize(CsvOptions& o, const std::string& n, const Value& v) {
  o.chunk_bytes = BufferSizeOption(n, v);
}

constexpr uint8_t kForRead = 1, kForCopyFrom = 2, kForCopyTo = 4;

struct OptionDefinition {
  const char* name;
  uint8_t uses;
  void (*set)(CsvOptions& options, const std::string& name, const Value& value);
};

constexpr OptionDefinition kOptions[] = {
    {"delim", 7, SetDelimiter},
    {"delimiter", 7, SetDelimiter},
    {"sep", 7, SetDelimiter},
    {"quote", 7, SetQuote},
    {"escape", 7, SetEscape},
    {"header", 7, SetHeader},
    {"null", 7, SetNull},
    {"nullstr", 7, SetNull},
    {"null_strings", kForRead | kForCopyFrom, SetNullList},
    {"allow_quoted_nulls", kForRead | kForCopyFrom, SetQuotedNulls},
    {"force_null", kForRead | kForCopyFrom, SetForceNull},
    {"force_not_null", kForRead | kForCopyFrom, SetForceNotNull},
    {"null_padding", kForRead | kForCopyFrom, SetNullPadding},
    {"skip", kForRead | kForCopyFrom, SetSkip},
    {"comment", kForRead | kForCopyFrom, SetComment},
    {"header_rows", kForRead | kForCopyFrom, SetHeaderRows},
    {"auto_detect", kForRead | kForCopyFrom, SetAutoDetect},
    {"names", kForRead, SetNames},
    {"column_names", kForRead, SetNames},
    {"normalize_names", kForRead, SetNormalizeNames},
    {"types", kForRead, SetTypes},
    {"dtypes", kForRead, SetTypes},
    {"column_types", kForRead, SetTypes},
    {"decimal_separator", kForRead | kForCopyFrom, SetDecimal},
    {"thousands", kForRead | kForCopyFrom, SetThousands},
    {"store_rejects", kForRead | kForCopyFrom, RefuseRejects},
    {"rejects_table", kForRead | kForCopyFrom, RefuseRejects},
    {"rejects_scan", kForRead | kForCopyFrom, RefuseRejects},
    {"rejects_limit", kForRead | kForCopyFrom, RefuseRejects},
    {"columns", kForRead, SetColumns},
    {"all_varchar", kForRead, SetAllVarchar},
    {"sample_size", kForRead | kForCopyFrom, SetSampleSize},
    {"date_format", 7, SetDateFormat},
    {"dateformat", 7, SetDateFormat},
    {"timestamp_format", 7, SetTimestampFormat},
    {"timestampformat", 7, SetTimestampFormat},
    {"compression", 7, SetCompression},
    {"encoding", kForRead | kForCopyFrom, SetEncoding},
    {"encoding", kForCopyTo, CheckEncoding},
    {"ignore_errors", kForRead | kForCopyFrom, SetIgnoreErrors},
    {"new_line", 7, SetNewLine},
    {"buffer_size", kForRead | kForCopyFrom, SetBufferSize},
    {"force_quote", kForCopyTo, SetForceQuote},
    {"format", kForCopyFrom | kForCopyTo, SetFormat},
};

uint8_t UseBit(CsvUse use) {
  switch (use) {
    case CsvUse::kRead: return kForRead;
    case CsvUse::kCopyFrom: return kForCopyFrom;
    case CsvUse::kCopyTo: return kForCopyTo;
  }
  return 0;
}

[[noreturn]] void ThrowUnknown(const std::string& name, CsvUse use) {
  std::vector<const char*> names;
  for (const OptionDefinition& option : kOptions) {
    if ((option.uses & UseBit(use)) != 0) names.push_back(option.name);
  }
  ThrowUnknownOption("CSV", name, names);
}

void CheckTogether(const CsvOptions& options) {
  const char delimiter = options.delimiter.value_or('\0');
  const char quote = options.quote.value_or('\0');
  const char escape = options.escape.value_or('\0');
  if (delimiter != '\0' && (delimiter == quote || delimiter == escape)) {
    ThrowError(ErrorKind::kBinder, sqlstate::kInvalidParameterValue,
               "the delimiter of a CSV file must differ from its quote and escape characters");
  }
  if (delimiter != '\0' && delimiter == options.comment.value_or('\0')) {
    ThrowError(ErrorKind::kBinder, sqlstate::kInvalidParameterValue,
               "the delimiter of a CSV file must differ from the character that begins comments");
  }
  if (options.thousands == options.decimal || (delimiter != '\0' && delimiter == options.decimal)) {
    ThrowError(ErrorKind::kBinder, sqlstate::kInvalidParameterValue,
               "the decimal separator of a CSV file must differ from its delimiter and the separator of "
               "thousands");
  }
  for (const std::string& text : options.null_strings) {
    for (const auto& [character, name] : {std::pair(delimiter, "delimiter"), std::pair(quote, "quote")}) {
      if (character == '\0' || text.find(character) == std::string::npos) continue;
      ThrowError(ErrorKind::kBinder, sqlstate::kFeatureNotSupported,
                 fmt::format("the {} of a CSV file must not appear in the text for NULL", name));
    }
  }
  if (options.columns_are_exact && options.names.size() != options.types.size()) {
    ThrowError(ErrorKind::kBinder, sqlstate::kInvalidParameterValue,
               "option columns gives names and types; leave out the options names and types");
  }
}

}  // namespace

CsvOptions ParseCsvOptions(std::span<const std::pair<std::string, Value>> options, CsvUse use) {
  CsvOptions result;
  std::set<const void*> seen;
  for (const auto& [given_name, value] : options) {
    const std::string name = LowerCase(given_name);
    const auto* option =
        std::find_if(std::begin(kOptions), std::end(kOptions), [&](const OptionDefinition& definition) {
          return name == definition.name && (definition.uses & UseBit(use)) != 0;
        });
    if (option == std::end(kOptions)) ThrowUnknown(name, use);
    if (!seen.insert(reinterpret_cast<const void*>(option->set)).second) {
      ThrowError(ErrorKind::kBinder, sqlstate::kSyntaxError,
                 fmt::format("CSV option \"{}\" is given twice", name));
    }
    option->set(result, name, value);
  }
  CheckTogether(result);
  return result;
}

std::span<const std::pair<const char*, TypeId>> CsvReadOptionTypes() {
  using OptionTypes = std::vector<std::pair<const char*, TypeId>>;
  static const OptionTypes& all = *new OptionTypes([] {  // never destroyed, see CONTRIBUTING.md
    OptionTypes types;
    for (const OptionDefinition& option : kOptions) {
      if ((option.uses & kForRead) != 0)
        types.emplace_back(option.name, TypeId::kNull);  // any type; checked by Parse
    }
    return types;
  }());
  return all;
}

}  // namespace scaup
