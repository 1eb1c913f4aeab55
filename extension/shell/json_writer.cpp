// Modes json (one array of objects) and jsonl (one object a line).
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "column_text.hpp"
#include "result_writer.hpp"

namespace scaup::shell {

namespace {

void AppendJsonString(std::string_view text, std::string& out) {
  out += '"';
  for (char c : text) {
    switch (c) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\n': out += "\\n"; break;
      case '\r': out += "\\r"; break;
      case '\t': out += "\\t"; break;
      case '\b': out += "\\b"; break;
      case '\f': out += "\\f"; break;
      default:
        if (static_cast<unsigned char>(c) < 0x20) {
          char buffer[8];
          std::snprintf(buffer, sizeof(buffer), "\\u%04x", static_cast<unsigned>(c));
          out += buffer;
        } else {
          out += c;
        }
    }
  }
  out += '"';
}

// Returns whether a value is written without quotes. NaN and infinities are strings, since JSON has no such
// numbers.
bool IsBare(const LogicalType& type, const std::string& text) {
  if (type.IsFloating() || type.id() == TypeId::kNumeric)
    return text.find_first_of("NnIi") == std::string::npos;
  return type.IsNumeric();
}

class JsonWriter : public ResultWriter {
 public:
  JsonWriter(const ShellSettings& settings, Output& output)
      : lines_(settings.mode == OutputMode::kJsonLines), output_(output) {}

  void Begin(const std::vector<ResultColumn>& columns) override {
    for (const ResultColumn& column : columns) {
      std::string key;
      AppendJsonString(column.name, key);
      keys_.push_back(key + ":");
    }
    if (!lines_) output_.Write("[");
  }

  void Rows(const QueryResult& rows) override {
    std::vector<ColumnText> columns;
    for (size_t i = 0; i < rows.column_count(); ++i) columns.emplace_back(rows, i);
    std::string line;
    for (size_t row = 0; row < rows.row_count(); ++row) {
      line = !lines_ && any_row_ ? ",\n{" : "{";
      for (size_t i = 0; i < columns.size(); ++i) {
        if (i > 0) line += ',';
        line += keys_[i];
        AppendValue(columns[i], row, line);
      }
      line += lines_ ? "}\n" : "}";
      any_row_ = true;
      output_.Write(line);
    }
  }

  void End() override {
    if (!lines_) output_.Write("]\n");
  }

 private:
  void AppendValue(const ColumnText& column, size_t row, std::string& line) {
    if (column.IsNull(row)) {
      line += "null";
      return;
    }
    field_.clear();
    column.Append(row, field_);
    if (column.type().id() == TypeId::kBoolean) {
      line += field_ == "t" || field_ == "true" ? "true" : "false";
    } else if (column.type().id() == TypeId::kJson || column.type().id() == TypeId::kJsonb) {
      // Line feeds can only be white space between values: within strings, JSON escapes them.
      std::replace(field_.begin(), field_.end(), '\n', ' ');
      line += field_;
    } else if (IsBare(column.type(), field_)) {
      line += field_;
    } else {
      AppendJsonString(field_, line);
    }
  }

  bool lines_;
  Output& output_;
  bool any_row_ = false;
  std::vector<std::string> keys_;
  std::string field_;
};

}  // namespace

std::unique_ptr<ResultWriter> MakeJsonWriter(const ShellSettings& settings, Output& output) {
  return std::make_unique<JsonWriter>(settings, output);
}

}  // namespace scaup::shell
