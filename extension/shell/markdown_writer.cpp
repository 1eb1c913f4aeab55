// Mode markdown: a pipe table.
#include "column_text.hpp"
#include "result_writer.hpp"

namespace scaup::shell {

namespace {

class MarkdownWriter : public ResultWriter {
 public:
  MarkdownWriter(const ShellSettings& settings, Output& output)
      : output_(output), null_text_(settings.null_text.value_or("NULL")) {}

  // The header is always written: a pipe table is invalid without it.
  void Begin(const std::vector<ResultColumn>& columns) override {
    std::string names = "|";
    std::string rule = "|";
    for (const ResultColumn& column : columns) {
      names += ' ';
      AppendCell(column.name, names);
      names += " |";
      rule += IsRightAligned(column.type) ? "---:|" : "---|";
    }
    output_.Write(names + "\n" + rule + "\n");
  }

  void Rows(const QueryResult& rows) override {
    std::vector<ColumnText> columns;
    for (size_t i = 0; i < rows.column_count(); ++i) columns.emplace_back(rows, i);
    std::string line;
    std::string field;
    for (size_t row = 0; row < rows.row_count(); ++row) {
      line = "|";
      for (const ColumnText& column : columns) {
        field.clear();
        if (column.IsNull(row)) {
          field = null_text_;
        } else {
          column.Append(row, field);
        }
        line += ' ';
        AppendCell(field, line);
        line += " |";
      }
      line += '\n';
      output_.Write(line);
    }
  }

  void End() override {}

 private:
  static void AppendCell(const std::string& text, std::string& line) {
    for (char c : text) {
      switch (c) {
        case '|': line += "\\|"; break;
        case '\n': line += "<br>"; break;
        case '\r': break;
        default: line += c;
      }
    }
  }

  Output& output_;
  std::string null_text_;
};

}  // namespace

std::unique_ptr<ResultWriter> MakeMarkdownWriter(const ShellSettings& settings, Output& output) {
  return std::make_unique<MarkdownWriter>(settings, output);
}

}  // namespace scaup::shell
