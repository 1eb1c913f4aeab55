// Mode line: a line per value, an empty line between rows.
#include <algorithm>

#include "column_text.hpp"
#include "result_writer.hpp"
#include "text_width.hpp"

namespace scaup::shell {

namespace {

class LineWriter : public ResultWriter {
 public:
  LineWriter(const ShellSettings& settings, Output& output)
      : output_(output), null_text_(settings.null_text.value_or("NULL")) {}

  void Begin(const std::vector<ResultColumn>& columns) override {
    size_t widest = 0;
    for (const ResultColumn& column : columns) {
      labels_.push_back(EscapeForTerminal(column.name));
      widest = std::max(widest, DisplayWidth(labels_.back()));
    }
    for (std::string& label : labels_) label = std::string(widest - DisplayWidth(label), ' ') + label + " = ";
  }

  void Rows(const QueryResult& rows) override {
    std::vector<ColumnText> columns;
    for (size_t i = 0; i < rows.column_count(); ++i) columns.emplace_back(rows, i);
    std::string field;
    for (size_t row = 0; row < rows.row_count(); ++row) {
      if (any_row_) output_.Write("\n");
      any_row_ = true;
      for (size_t i = 0; i < columns.size(); ++i) {
        output_.Write(labels_[i]);
        field.clear();
        if (columns[i].IsNull(row)) {
          field = null_text_;
        } else {
          columns[i].Append(row, field);
        }
        output_.Write(EscapeForTerminal(field));
        output_.Write("\n");
      }
    }
  }

  void End() override {}

 private:
  Output& output_;
  std::string null_text_;
  std::vector<std::string> labels_;
  bool any_row_ = false;
};

}  // namespace

std::unique_ptr<ResultWriter> MakeLineWriter(const ShellSettings& settings, Output& output) {
  return std::make_unique<LineWriter>(settings, output);
}

}  // namespace scaup::shell
