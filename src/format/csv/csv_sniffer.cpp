// Tries the usual dialects on a sample and chooses the one in which the rows agree best.
#include "format/csv/csv_sniffer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "common/throw.hpp"
#include "format/csv/csv_converter.hpp"
#include "format/text/type_guess.hpp"
#include "type/number/number_text.hpp"
#include "type/value_cast.hpp"

namespace scaup {
namespace {

constexpr size_t kDialectRows = 1000;

std::string Lower(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c += 'a' - 'A';
  }
  return text;
}

bool IsBlank(const std::vector<CsvField>& row) {
  return row.size() == 1 && row[0].text.empty() && !row[0].is_quoted;
}

void SetNewLine(std::string_view text, CsvNewLine option, CsvDialect& dialect) {
  dialect.newline = '\n';
  dialect.strip_cr = option != CsvNewLine::kLineFeed;
  const bool only_cr = text.find('\n') == std::string_view::npos && text.find('\r') != std::string_view::npos;
  if (option == CsvNewLine::kCarriageReturn || (option == CsvNewLine::kAuto && only_cr)) {
    dialect.newline = '\r';
    dialect.strip_cr = false;
  }
}

/// The quality of a dialect on the sample.
struct Fit {
  bool quotes_fit = false;
  bool columns_fit = false;  ///< the number that the options require
  double agreement = 0;      ///< share of rows with the usual number of fields; 0 if that is one
  size_t columns = 0;        ///< the usual number of fields
  bool uses_quotes = false;
  bool trailing_delimiter = false;

  auto Key() const { return std::make_tuple(quotes_fit, columns_fit, agreement, columns, uses_quotes); }
};

Fit MeasureFit(const CsvDialect& dialect, std::string_view text, bool is_whole, const CsvOptions& options) {
  CsvRowReader reader(dialect, text, is_whole);
  std::map<size_t, size_t> rows_by_count;
  std::vector<CsvField> row;
  size_t row_count = 0;
  bool last_always_empty = true;
  while (row_count < kDialectRows && reader.Next(row)) {
    if (IsBlank(row)) continue;
    row_count++;
    rows_by_count[row.size()]++;
    last_always_empty =
        last_always_empty && row.size() > 1 && row.back().text.empty() && !row.back().is_quoted;
  }
  Fit fit;
  fit.quotes_fit = !reader.has_bad_quotes();
  fit.uses_quotes = reader.quoted_fields() != 0;
  size_t agreeing = 0;
  for (const auto& [columns, rows] : rows_by_count) {
    if (rows >= agreeing) {
      agreeing = rows;
      fit.columns = columns;
    }
  }
  // Rows that lack fields are shorter than the others.
  if (options.null_padding && !rows_by_count.empty()) fit.columns = rows_by_count.rbegin()->first;
  if (fit.columns > 1) fit.agreement = static_cast<double>(agreeing) / static_cast<double>(row_count);
  const size_t expected = options.columns_are_exact ? options.types.size() : 0;
  fit.trailing_delimiter =
      row_count != 0 && last_always_empty && (expected == 0 || fit.columns == expected + 1);
  if (fit.trailing_delimiter) fit.columns--;
  fit.columns_fit = expected != 0 && fit.columns == expected;
  return fit;
}

CsvDialect ChooseDialect(std::string_view text, bool is_whole, const CsvOptions& options, Fit& best) {
  CsvDialect dialect;
  SetNewLine(text, options.new_line, dialect);
  dialect.comment = options.comment.value_or('\0');
  // With a single column, any delimiter that does not occur fits, so the sample cannot decide.
  const bool is_one_column = options.columns_are_exact && options.types.size() == 1;
  const bool is_usual = is_one_column || !options.auto_detect;
  std::string delimiters = options.delimiter ? std::string(1, *options.delimiter) : is_usual ? "," : ",|;\t";
  if (!options.delimiter && options.decimal == ',') delimiters = "|;\t";
  const bool has_usual_quote = options.escape || !options.auto_detect;
  const std::string quotes = options.quote ? std::string(1, *options.quote) : has_usual_quote ? "\"" : "\"'";
  CsvDialect best_dialect = dialect;
  bool is_first = true;
  for (const char quote : quotes) {
    for (const char delimiter : delimiters) {
      dialect.delimiter = delimiter;
      dialect.quote = quote;
      dialect.escape = options.escape.value_or('\0') == '\0' ? quote : *options.escape;
      dialect.trailing_delimiter = false;
      const Fit fit = MeasureFit(dialect, text, is_whole, options);
      if (!is_first && !(fit.Key() > best.Key())) continue;
      is_first = false;
      best = fit;
      best_dialect = dialect;
      best_dialect.trailing_delimiter = fit.trailing_delimiter;
    }
  }
  return best_dialect;
}

/// Facts about the columns in the sample.
struct Sample {
  std::vector<CsvField> first_row;  ///< the first `header_rows` rows, put together
  size_t behind_first_row = 0;
  size_t row_count = 0;
  size_t bytes = 0;
  std::vector<TypeGuess> first;  ///< the first row alone
  std::vector<TypeGuess> rest;   ///< all other rows
};

/// Puts the texts of a further row of a header behind those of the ones before it.
void AddHeaderRow(const std::vector<CsvField>& row, std::vector<CsvField>& header) {
  header.resize(std::max(header.size(), row.size()));
  for (size_t i = 0; i < row.size(); i++) {
    const std::string text(TrimSpace(row[i].text));
    if (!text.empty()) header[i].text += (header[i].text.empty() ? "" : "_") + text;
  }
}

/// Adds a value to a guess, numbers as SQL writes them.
void AddGuess(const CsvOptions& options, const std::string& text, const StrftimeFormat* date_format,
              const StrftimeFormat* timestamp_format, std::string& number, TypeGuess& guess) {
  const bool has_other_numbers = options.decimal != '.' || options.thousands != '\0';
  const bool is_number = has_other_numbers && text.find_first_of("0123456789") != std::string::npos &&
                         NormalizeCsvNumber(options.decimal, options.thousands, text, number);
  guess.Add(is_number ? number : text, date_format, timestamp_format);
}

bool IsNull(const CsvField& field, const CsvOptions& options) {
  return !field.is_quoted && std::find(options.null_strings.begin(), options.null_strings.end(),
                                       field.text) != options.null_strings.end();
}

Sample ReadSample(const CsvDialect& dialect, std::string_view text, bool is_whole, size_t columns,
                  const CsvOptions& options) {
  std::optional<StrftimeFormat> date_format, timestamp_format;
  if (options.date_format) date_format.emplace(*options.date_format);
  if (options.timestamp_format) timestamp_format.emplace(*options.timestamp_format);
  Sample sample;
  sample.first.resize(columns);
  sample.rest.resize(columns);
  CsvRowReader reader(dialect, text, is_whole);
  std::vector<CsvField> row;
  std::string number;
  uint64_t most_rows = options.sample_size < 0 ? UINT64_MAX : static_cast<uint64_t>(options.sample_size);
  if (options.columns_are_exact || options.all_varchar)
    most_rows = std::min<uint64_t>(most_rows, kDialectRows);
  while (sample.row_count <= most_rows && reader.Next(row)) {
    if (columns > 1 && IsBlank(row)) continue;
    const bool is_first = sample.row_count++ < options.header_rows;
    if (sample.row_count == 1) {
      sample.first_row = row;
    } else if (is_first) {
      AddHeaderRow(row, sample.first_row);
    }
    if (is_first) sample.behind_first_row = reader.position();
    auto& guesses = is_first ? sample.first : sample.rest;
    for (size_t i = 0; i < std::min(columns, row.size()); i++) {
      if (IsNull(row[i], options)) continue;
      AddGuess(options, row[i].text, date_format ? &*date_format : nullptr,
               timestamp_format ? &*timestamp_format : nullptr, number, guesses[i]);
    }
  }
  sample.bytes = reader.position();
  return sample;
}

/// Whether the first row is a header, if the columns are known: it holds their names, or only words of which
/// one is not a value of its column. A mere bad value in the first row must not make it a header, because the
/// row would be lost.
bool LooksLikeHeaderOf(const Sample& sample, const CsvOptions& options) {
  if (sample.first_row.size() != options.types.size()) return false;
  bool names_equal = options.names.size() == options.types.size(), all_words = true, is_row = true;
  for (size_t i = 0; i < options.types.size(); i++) {
    const CsvField& field = sample.first_row[i];
    names_equal = names_equal && Lower(field.text) == Lower(options.names[i]);
    all_words = all_words && sample.first[i].has_values() && sample.first[i].Type().id() == TypeId::kVarchar;
    Value value;
    is_row = is_row && (IsNull(field, options) || ParseValue(field.text, options.types[i], value));
  }
  return names_equal || (all_words && !is_row);
}

bool LooksLikeHeader(const Sample& sample, const CsvOptions& options) {
  if (sample.row_count == 0 || !options.auto_detect) return false;
  if (options.columns_are_exact) return LooksLikeHeaderOf(sample, options);
  bool all_text = true;
  std::set<std::string> names;
  for (size_t i = 0; i < sample.rest.size(); i++) {
    const LogicalType rest_type = sample.rest[i].Type();
    const bool is_name = sample.first[i].has_values() && sample.first[i].Type().id() == TypeId::kVarchar;
    if (rest_type.id() != TypeId::kVarchar && is_name) return true;
    all_text = all_text && rest_type.id() == TypeId::kVarchar && is_name;
    if (i < sample.first_row.size())
      all_text = names.insert(Lower(sample.first_row[i].text)).second && all_text;
  }
  // If everything is text, a first row of distinct words counts as names.
  return all_text;
}

/// Replaces empty names by numbered ones and adds suffixes to equal ones.
void MakeNamesUnique(std::vector<std::string>& names) {
  std::set<std::string> used;
  for (size_t i = 0; i < names.size(); i++) {
    if (names[i].empty()) names[i] = fmt::format("column{}", i);
    const std::string base = names[i];
    for (size_t suffix = 1; !used.insert(Lower(names[i])).second; suffix++)
      names[i] = fmt::format("{}_{}", base, suffix);
  }
}

/// Makes a name one that SQL takes without quotes: small letters, digits and underscores.
std::string NormalName(const std::string& name) {
  std::string result;
  for (const char c : Lower(name)) {
    const bool is_part = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c & 0x80) != 0;
    if (is_part) {
      result += c;
    } else if (!result.empty() && result.back() != '_') {
      result += '_';
    }
  }
  while (result.ends_with('_')) result.pop_back();
  return !result.empty() && result[0] >= '0' && result[0] <= '9' ? "_" + result : result;
}

void CheckColumnCount(const char* option, size_t listed, size_t columns) {
  if (listed <= columns) return;
  ThrowError(ErrorKind::kBinder, sqlstate::kInvalidParameterValue,
             fmt::format("option {} lists {} columns, but the CSV file has {}", option, listed, columns));
}

void NameColumns(const Sample& sample, const CsvOptions& options, size_t columns, CsvSniffed& result) {
  result.names.resize(columns);
  for (size_t i = 0; i < columns; i++) {
    if (result.has_header && i < sample.first_row.size())
      result.names[i] = std::string(TrimSpace(sample.first_row[i].text));
    if (options.normalize_names) result.names[i] = NormalName(result.names[i]);
  }
  if (!options.columns_are_exact) CheckColumnCount("names", options.names.size(), columns);
  for (size_t i = 0; i < std::min(options.names.size(), columns); i++) result.names[i] = options.names[i];
  MakeNamesUnique(result.names);
}

void TypeColumns(const Sample& sample, const CsvOptions& options, size_t columns, CsvSniffed& result) {
  const bool are_texts = options.all_varchar || !options.auto_detect;
  result.types.resize(columns);
  for (size_t i = 0; i < columns; i++) {
    TypeGuess guess = sample.rest[i];
    if (!result.has_header) guess.Add(sample.first[i]);
    result.types[i] = are_texts ? LogicalType(TypeId::kVarchar) : guess.Type();
  }
  if (!options.columns_are_exact) CheckColumnCount("types", options.types.size(), columns);
  for (size_t i = 0; i < std::min(options.types.size(), columns); i++) result.types[i] = options.types[i];
  for (const auto& [name, type] : options.named_types) {
    const auto found = std::ranges::find(result.names, Lower(name), Lower);
    if (found == result.names.end()) {
      ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedColumn,
                 fmt::format("option types names the column \"{}\", which the CSV file does not have", name));
    }
    result.types[static_cast<size_t>(found - result.names.begin())] = type;
  }
}

}  // namespace

bool CsvRowReader::Next(std::vector<CsvField>& fields) {
  fields.clear();
  while (dialect_.comment != '\0' && position_ < text_.size() && text_[position_] == dialect_.comment) {
    const size_t line_end = text_.find(dialect_.newline, position_);
    if (line_end == std::string_view::npos && !is_whole_) return false;
    position_ = line_end == std::string_view::npos ? text_.size() : line_end + 1;
  }
  if (position_ >= text_.size()) return false;
  QuoteState state = QuoteState::kRowStart;
  size_t begin = position_;
  for (size_t i = position_; i < text_.size(); i++) {
    state = StepQuoteState(dialect_, state, text_[i]);
    if (state == QuoteState::kFieldStart) {
      AddField(text_.substr(begin, i - begin), fields);
      begin = i + 1;
    } else if (state == QuoteState::kRowStart) {
      position_ = i + 1;
      std::string_view last = text_.substr(begin, i - begin);
      if (dialect_.strip_cr && last.ends_with('\r')) last.remove_suffix(1);
      AddField(last, fields);
      if (dialect_.trailing_delimiter && fields.size() > 1 && fields.back().text.empty()) fields.pop_back();
      return true;
    }
  }
  if (!is_whole_) return false;
  has_bad_quotes_ = has_bad_quotes_ || state == QuoteState::kQuoted || state == QuoteState::kEscaped;
  position_ = text_.size();
  std::string_view last = text_.substr(begin);
  if (dialect_.strip_cr && last.ends_with('\r')) last.remove_suffix(1);
  AddField(last, fields);
  if (dialect_.trailing_delimiter && fields.size() > 1 && fields.back().text.empty()) fields.pop_back();
  return true;
}

void CsvRowReader::AddField(std::string_view raw, std::vector<CsvField>& fields) {
  CsvField field;
  field.is_quoted = dialect_.quote != '\0' && raw.starts_with(dialect_.quote);
  if (!field.is_quoted) {
    field.text = raw;
  } else {
    quoted_fields_++;
    size_t i = 1;
    for (; i < raw.size(); i++) {
      const bool has_next = i + 1 < raw.size();
      if (raw[i] == dialect_.escape && has_next &&
          (raw[i + 1] == dialect_.quote || raw[i + 1] == dialect_.escape)) {
        i++;
      } else if (raw[i] == dialect_.quote) {
        break;
      }
      field.text.push_back(raw[i]);
    }
    if (i + 1 != raw.size()) has_bad_quotes_ = true;
  }
  fields.push_back(std::move(field));
}

CsvDialect SniffCsvDialect(std::string_view text, bool is_whole, const CsvOptions& options) {
  Fit fit;
  return ChooseDialect(text, is_whole, options, fit);
}

size_t CsvTextBegin(std::string_view text, uint64_t skip, char newline) {
  size_t begin = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  for (; skip != 0 && begin < text.size(); skip--) {
    const size_t line_end = text.find(newline, begin);
    begin = line_end == std::string_view::npos ? text.size() : line_end + 1;
  }
  return begin;
}

CsvSniffed SniffCsv(std::string_view text, bool is_whole, const CsvOptions& options) {
  CsvDialect line_breaks;
  SetNewLine(text, options.new_line, line_breaks);
  const size_t begin = CsvTextBegin(text, options.skip, line_breaks.newline);
  text.remove_prefix(begin);
  Fit fit;
  CsvSniffed result;
  result.dialect = ChooseDialect(text, is_whole, options, fit);
  const size_t columns = options.columns_are_exact ? options.types.size() : std::max<size_t>(fit.columns, 1);
  const Sample sample = ReadSample(result.dialect, text, is_whole, columns, options);
  const bool is_told = options.header || options.header_rows > 1;
  result.has_header = is_told ? options.header.value_or(true) : LooksLikeHeader(sample, options);
  result.data_begin = begin + (result.has_header ? sample.behind_first_row : 0);
  NameColumns(sample, options, columns, result);
  TypeColumns(sample, options, columns, result);
  if (sample.row_count != 0)
    result.bytes_per_row = static_cast<double>(sample.bytes) / static_cast<double>(sample.row_count);
  return result;
}

}  // namespace scaup
