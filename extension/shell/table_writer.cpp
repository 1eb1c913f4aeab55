// Modes box, ascii and table: a drawn table that fits the terminal.
#include <unistd.h>

#include <algorithm>

#include "column_text.hpp"
#include "result_writer.hpp"
#include "table_layout.hpp"
#include "text_width.hpp"

namespace scaup::shell {

namespace {

// The characters that a table is drawn with.
struct Border {
  const char* horizontal;
  const char* vertical;
  const char* top[3];  // left, between columns, right; null pointers if there is no such line
  const char* middle[3];
  const char* bottom[3];
  const char* ellipsis;
  const char* dots;  // in the row that replaces omitted rows
};

constexpr Border kBoxBorder = {"─", "│", {"╭", "┬", "╮"}, {"├", "┼", "┤"}, {"╰", "┴", "╯"}, "…", "⋮"};
constexpr Border kAsciiBorder = {"-", "|", {"+", "+", "+"}, {"+", "+", "+"}, {"+", "+", "+"}, "...", ":"};
// The border of psql: no frame, and a rule under the header.
constexpr Border kPlainBorder = {"-", "|", {}, {"", "+", ""}, {}, "…", "⋮"};

// Texts and numbers narrower than this are not truncated in favour of other columns.
constexpr size_t kLeastText = 6;
constexpr size_t kLeastNumber = 8;
// Names narrower than this are not truncated: a table with fewer columns is better than one with cut names.
constexpr size_t kLeastName = 12;

class TableWriter : public ResultWriter {
 public:
  TableWriter(const ShellSettings& settings, Output& output)
      : border_(settings.mode == OutputMode::kAscii   ? kAsciiBorder
                : settings.mode == OutputMode::kTable ? kPlainBorder
                                                      : kBoxBorder),
        output_(output),
        headers_(settings.headers.value_or(true)),
        max_rows_(settings.max_rows),
        // A file has no width, so tables in it are not clipped.
        width_(settings.width != 0     ? settings.width
               : output.IsRedirected() ? 0
                                       : TerminalWidth(STDOUT_FILENO)),
        null_text_(EscapeForTerminal(settings.null_text.value_or("NULL"))) {}

  void Begin(const std::vector<ResultColumn>& columns) override { columns_ = columns; }

  // Copying a result copies a handle, not the columns.
  void Rows(const QueryResult& rows) override {
    parts_.push_back(rows);
    row_count_ += rows.row_count();
  }

  void End() override {
    ReadShownRows();
    layout_ = LayOutTable(Wishes(), width_);
    WriteRule(border_.top);
    if (headers_) {
      WriteHeader();
      WriteRule(border_.middle);
    }
    for (size_t row = 0; row < cells_.size(); ++row) {
      if (row == head_rows_ && cells_.size() < row_count_) WriteDotsRow();
      WriteRow(cells_[row]);
    }
    WriteRule(border_.bottom);
    WriteFooter();
  }

 private:
  using Row = std::vector<std::string>;

  // Reads the texts of the rows to show: the first and the last ones, or all.
  void ReadShownRows() {
    const bool cut = max_rows_ != 0 && row_count_ > max_rows_;
    head_rows_ = cut ? (max_rows_ + 1) / 2 : row_count_;
    const size_t tail_begin = cut ? row_count_ - max_rows_ / 2 : row_count_;
    size_t first = 0;  // number of the part's first row among all rows
    for (const QueryResult& part : parts_) {
      const size_t end = first + part.row_count();
      std::vector<ColumnText> texts;
      for (size_t i = 0; i < columns_.size(); ++i) texts.emplace_back(part, i);
      for (size_t row = first; row < std::min(end, head_rows_); ++row) ReadRow(texts, row - first);
      for (size_t row = std::max(first, tail_begin); row < end; ++row) ReadRow(texts, row - first);
      first = end;
    }
  }

  void ReadRow(const std::vector<ColumnText>& texts, size_t row) {
    Row cells;
    std::string text;
    for (const ColumnText& column : texts) {
      text.clear();
      if (column.IsNull(row)) {
        cells.push_back(null_text_);
        continue;
      }
      column.Append(row, text);
      cells.push_back(EscapeForTerminal(text));
    }
    cells_.push_back(std::move(cells));
  }

  std::vector<ColumnWish> Wishes() const {
    std::vector<ColumnWish> wishes;
    for (size_t i = 0; i < columns_.size(); ++i) {
      size_t natural = 1;
      for (const Row& row : cells_) natural = std::max(natural, DisplayWidth(row[i]));
      const bool number = IsRightAligned(columns_[i].type);
      size_t least = std::min(natural, number ? kLeastNumber : kLeastText);
      if (headers_) {
        const size_t name_width = DisplayWidth(EscapeForTerminal(columns_[i].name));
        natural = std::max({natural, name_width, columns_[i].type.ToString().size()});
        least = std::max(least, std::min(name_width, kLeastName));
      }
      wishes.push_back({natural, std::max(least, std::min(natural, kLeastText))});
    }
    return wishes;
  }

  void WriteRule(const char* const (&pieces)[3]) {
    if (pieces[0] == nullptr) return;
    std::string line = pieces[0];
    for (size_t i = 0; i < layout_.size(); ++i) {
      if (i > 0) line += pieces[1];
      for (size_t n = 0; n < layout_[i].width + 2; ++n) line += border_.horizontal;
    }
    line += pieces[2];
    output_.Write(line + "\n");
  }

  // Draws one line. text(column) returns the text of a result's column; `dots` stands for omitted columns.
  template <typename Text>
  void WriteLine(const Text& text, const char* dots) {
    const char* edge = border_.top[0] != nullptr ? border_.vertical : "";
    std::string line = edge;
    for (size_t i = 0; i < layout_.size(); ++i) {
      if (i > 0) line += border_.vertical;
      const LaidOutColumn& column = layout_[i];
      const bool left_out = column.column == LaidOutColumn::kLeftOut;
      const std::string cell =
          FitToWidth(left_out ? std::string(dots) : text(column.column), column.width, border_.ellipsis);
      const std::string padding(column.width - DisplayWidth(cell), ' ');
      const bool right = !left_out && IsRightAligned(columns_[column.column].type);
      line += ' ';
      line += right ? padding + cell : cell + padding;
      line += ' ';
    }
    line += edge;
    while (line.back() == ' ') line.pop_back();
    output_.Write(line + "\n");
  }

  void WriteHeader() {
    WriteLine([this](size_t i) { return EscapeForTerminal(columns_[i].name); }, border_.ellipsis);
    WriteLine([this](size_t i) { return columns_[i].type.ToString(); }, "");
  }

  void WriteRow(const Row& cells) {
    WriteLine([&cells](size_t i) { return cells[i]; }, border_.ellipsis);
  }

  void WriteDotsRow() {
    WriteLine([this](size_t) { return std::string(border_.dots); }, border_.dots);
  }

  void WriteFooter() {
    std::string line = std::to_string(row_count_) + (row_count_ == 1 ? " row" : " rows");
    if (cells_.size() < row_count_) line += " (" + std::to_string(cells_.size()) + " shown)";
    const size_t shown =
        static_cast<size_t>(std::count_if(layout_.begin(), layout_.end(), [](const LaidOutColumn& c) {
          return c.column != LaidOutColumn::kLeftOut;
        }));
    if (shown < columns_.size()) {
      line += ", " + std::to_string(columns_.size()) + " columns (" + std::to_string(shown) + " shown)";
    }
    output_.Write(line + "\n");
  }

  const Border& border_;
  Output& output_;
  bool headers_;
  size_t max_rows_;
  size_t width_;
  std::string null_text_;
  std::vector<ResultColumn> columns_;
  std::vector<QueryResult> parts_;
  size_t row_count_ = 0;
  size_t head_rows_ = 0;
  std::vector<Row> cells_;
  std::vector<LaidOutColumn> layout_;
};

}  // namespace

std::unique_ptr<ResultWriter> MakeTableWriter(const ShellSettings& settings, Output& output) {
  return std::make_unique<TableWriter>(settings, output);
}

}  // namespace scaup::shell
