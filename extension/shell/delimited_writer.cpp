// Modes csv, tsv and list: a line per row, with a separator between values.
#include "column_text.hpp"
#include "result_writer.hpp"

namespace scaup::shell {

namespace {

class DelimitedWriter : public ResultWriter {
 public:
  DelimitedWriter(const ShellSettings& settings, Output& output) : mode_(settings.mode), output_(output) {
    headers_ = settings.headers.value_or(true);
    separator_ = mode_ == OutputMode::kCsv ? ',' : mode_ == OutputMode::kTsv ? '\t' : '|';
    null_text_ = settings.null_text.value_or(mode_ == OutputMode::kTsv ? "\\N" : "");
  }

  void Begin(const std::vector<ResultColumn>& columns) override {
    if (!headers_) return;
    std::string line;
    for (size_t i = 0; i < columns.size(); ++i) {
      if (i > 0) line += separator_;
      AppendField(columns[i].name, line);
    }
    line += '\n';
    output_.Write(line);
  }

  void Rows(const QueryResult& rows) override {
    std::vector<ColumnText> columns;
    for (size_t i = 0; i < rows.column_count(); ++i) columns.emplace_back(rows, i);
    std::string line;
    std::string field;
    for (size_t row = 0; row < rows.row_count(); ++row) {
      line.clear();
      for (size_t i = 0; i < columns.size(); ++i) {
        if (i > 0) line += separator_;
        if (columns[i].IsNull(row)) {
          line += null_text_;
          continue;
        }
        field.clear();
        columns[i].Append(row, field);
        AppendField(field, line);
      }
      line += '\n';
      output_.Write(line);
    }
  }

  void End() override {}

 private:
  void AppendField(const std::string& field, std::string& line) const {
    if (mode_ == OutputMode::kCsv) {
      AppendQuoted(field, line);
    } else if (mode_ == OutputMode::kTsv) {
      AppendBackslashed(field, line);
    } else {
      line += field;
    }
  }

  // Empty strings, and strings that equal the text for NULL, are quoted, so that a reader can tell them from
  // NULL.
  void AppendQuoted(const std::string& field, std::string& line) const {
    if (!field.empty() && field != null_text_ && field.find_first_of(",\"\n\r") == std::string::npos) {
      line += field;
      return;
    }
    line += '"';
    for (char c : field) {
      if (c == '"') line += '"';
      line += c;
    }
    line += '"';
  }

  // Escapes like the text format of PostgreSQL's COPY.
  static void AppendBackslashed(const std::string& field, std::string& line) {
    for (char c : field) {
      switch (c) {
        case '\t': line += "\\t"; break;
        case '\n': line += "\\n"; break;
        case '\r': line += "\\r"; break;
        case '\\': line += "\\\\"; break;
        default: line += c;
      }
    }
  }

  OutputMode mode_;
  Output& output_;
  bool headers_;
  char separator_;
  std::string null_text_;
};

}  // namespace

std::unique_ptr<ResultWriter> MakeDelimitedWriter(const ShellSettings& settings, Output& output) {
  return std::make_unique<DelimitedWriter>(settings, output);
}

}  // namespace scaup::shell
