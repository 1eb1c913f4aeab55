// Mode insert: an INSERT statement per row, by which the result can be loaded into a table.
#include "column_text.hpp"
#include "result_writer.hpp"
#include "sql_text.hpp"

namespace scaup::shell {

namespace {

std::string CastTo(const LogicalType& type, const std::string& expression) {
  return "CAST(" + expression + " AS " + type.ToString() + ")";
}

/// An expression for a value of a type that has unions.
std::string ValueExpression(const Value& value) {
  const LogicalType& type = value.type();
  if (value.is_null()) return CastTo(type, "NULL");
  if (IsUnion(type)) {
    const std::string name = QuoteName(UnionMembers(type)[UnionTag(value)].name);
    return CastTo(type, "union_value(" + name + " := " + ValueExpression(UnionValue(value)) + ")");
  }
  if (!HasUnion(type)) return CastTo(type, QuoteText(value.ToString()));
  const bool is_list = type.id() == TypeId::kList && !IsMap(type);
  std::string parts;
  for (const Value& part : value.GetElements()) parts += (parts.empty() ? "" : ", ") + ValueExpression(part);
  if (is_list && parts.empty()) return CastTo(type, QuoteText("{}"));
  if (is_list) return CastTo(type, "[" + parts + "]");
  if (IsMap(type))
    return CastTo(type, "map_from_entries([" + parts + "]::" + type.element().ToString() + "[])");
  return CastTo(type, "ROW(" + parts + ")");
}

class InsertWriter : public ResultWriter {
 public:
  InsertWriter(const ShellSettings& settings, Output& output)
      : output_(output), table_(settings.insert_table), name_columns_(settings.headers.value_or(true)) {}

  void Begin(const std::vector<ResultColumn>& columns) override {
    prefix_ = "INSERT INTO " + QuoteQualifiedName(table_);
    if (name_columns_) {
      prefix_ += '(';
      for (size_t i = 0; i < columns.size(); ++i) {
        if (i > 0) prefix_ += ", ";
        prefix_ += QuoteName(columns[i].name);
      }
      prefix_ += ')';
    }
    prefix_ += " VALUES (";
  }

  void Rows(const QueryResult& rows) override {
    std::vector<ColumnText> columns;
    for (size_t i = 0; i < rows.column_count(); ++i) columns.emplace_back(rows, i);
    std::string line;
    for (size_t row = 0; row < rows.row_count(); ++row) {
      line = prefix_;
      for (size_t i = 0; i < columns.size(); ++i) {
        if (i > 0) line += ", ";
        if (HasUnion(columns[i].type())) {
          line += ValueExpression(rows.GetValue(i, row));
        } else {
          AppendLiteral(columns[i], row, line);
        }
      }
      line += ");\n";
      output_.Write(line);
    }
  }

  void End() override {}

 private:
  void AppendLiteral(const ColumnText& column, size_t row, std::string& line) {
    if (column.IsNull(row)) {
      line += "NULL";
      return;
    }
    field_.clear();
    column.Append(row, field_);
    const LogicalType& type = column.type();
    if (type.id() == TypeId::kBoolean) {
      line += field_ == "t" || field_ == "true" ? "true" : "false";
    } else if (type.id() == TypeId::kVarchar) {
      line += QuoteText(field_);
    } else if (type.IsNumeric() && field_.find_first_of("NnIi") == std::string::npos) {
      line += field_;
    } else {
      line += "CAST(" + QuoteText(field_) + " AS " + type.ToString() + ")";
    }
  }

  Output& output_;
  std::string table_;
  bool name_columns_;
  std::string prefix_;
  std::string field_;
};

}  // namespace

std::unique_ptr<ResultWriter> MakeInsertWriter(const ShellSettings& settings, Output& output) {
  return std::make_unique<InsertWriter>(settings, output);
}

}  // namespace scaup::shell
