// Reads tables of SQLite files.
#include "format/foreign/sqlite_scan.hpp"

#include <fmt/format.h>

#include "common/throw.hpp"
#include "format/foreign/foreign_scan.hpp"
#include "format/foreign/foreign_sql.hpp"
#include "format/foreign/sqlite_library.hpp"
#include "format/text/option_values.hpp"
#include "type/text/quoted_text.hpp"
#include "type/text/utf8_text.hpp"

namespace scaup {

namespace {

struct BoundSqlite final : BoundForeign {
  std::string path;
  std::string table;
  std::vector<bool> are_texts;  ///< by column: SQLite makes texts of what is stored there

  std::unique_ptr<ForeignCursor> Open(const FunctionContext& context, const std::vector<size_t>& columns,
                                      const std::vector<ScanFilter>& filters) const override;
};

/// A column by the type that it was declared with, by SQLite's own rules as far as it has such types.
struct SqliteColumn {
  LogicalType type;
  bool is_text = false;
};
SqliteColumn ColumnOfDeclaration(const char* declaration) {
  const std::string text = LowerCase(declaration == nullptr ? "" : declaration);
  const auto has = [&](const char* word) { return text.find(word) != std::string::npos; };
  if (has("int")) return {TypeId::kBigInt};
  if (has("char") || has("clob") || has("text")) return {TypeId::kVarchar, true};
  if (has("blob")) return {TypeId::kBlob};
  if (has("real") || has("floa") || has("doub") || has("dec") || has("numeric")) return {TypeId::kDouble};
  if (has("bool")) return {TypeId::kBoolean};
  if (has("timestamp") || has("datetime")) return {TypeId::kTimestamp};
  if (has("date")) return {TypeId::kDate};
  if (has("time")) return {TypeId::kTime};
  return {TypeId::kVarchar};
}

class SqliteCursor final : public ForeignCursor {
 public:
  SqliteCursor(const FunctionContext& context, const BoundSqlite& bound, const std::string& sql,
               const std::vector<size_t>& columns)
      : context_(context), bound_(bound), columns_(columns), statement_(bound.path, sql) {
    statement_.SetCheck(&IsInterrupted, this);
  }

  size_t Fetch(DataChunk& output) override {
    size_t row = 0;
    for (; row < kVectorSize && statement_.Step(); row++) {
      row_number_++;
      for (size_t i = 0; i < columns_.size(); i++) Write(static_cast<int>(i), output.column(i), row);
    }
    return row;
  }

 private:
  static int IsInterrupted(void* self) {
    return static_cast<SqliteCursor*>(self)->context_.interrupted.load() ? 1 : 0;
  }

  void Write(int column, Vector& output, size_t row) {
    void* const handle = statement_.handle();
    const int stored = library_.column_type(handle, column);
    const TypeId wanted = output.type().id();
    if (stored == SqliteLibrary::kNull) {
      output.SetNull(row);
      if (output.physical_type() == PhysicalType::kString) output.MutableData<StringRef>()[row] = StringRef();
    } else if (wanted == TypeId::kBigInt && stored == SqliteLibrary::kInteger) {
      output.MutableData<int64_t>()[row] = library_.column_int64(handle, column);
    } else if (wanted == TypeId::kBoolean && stored == SqliteLibrary::kInteger) {
      output.MutableData<uint8_t>()[row] = library_.column_int64(handle, column) != 0;
    } else if (wanted == TypeId::kDouble && stored != SqliteLibrary::kText &&
               stored != SqliteLibrary::kBlob) {
      output.MutableData<double>()[row] = library_.column_double(handle, column);
    } else if (wanted == TypeId::kBlob) {
      const auto* const bytes = static_cast<const char*>(library_.column_blob(handle, column));
      output.MutableData<StringRef>()[row] =
          output.AddString({bytes, static_cast<size_t>(library_.column_bytes(handle, column))});
    } else {
      WriteText(column, stored, output, row);
    }
  }

  void WriteText(int column, int stored, Vector& output, size_t row) {
    void* const handle = statement_.handle();
    const auto* const bytes = reinterpret_cast<const char*>(library_.column_text(handle, column));
    const std::string_view text(bytes, static_cast<size_t>(library_.column_bytes(handle, column)));
    const TypeId wanted = output.type().id();
    // A number in a column of moments is not the text of one.
    const bool may_fit = stored == SqliteLibrary::kText || wanted == TypeId::kVarchar;
    if (may_fit && WriteTextCell(text, output, row, context_.Zone())) return;
    ThrowError(
        ErrorKind::kConversion, sqlstate::kInvalidTextRepresentation,
        fmt::format("could not read table \"{}\" of \"{}\": row {} has {} in column \"{}\", which is "
                    "not {}; all_varchar => true reads texts",
                    bound_.table, bound_.path, row_number_,
                    IsText(text) ? QuotedText(text.substr(0, 80)) : "bytes",
                    bound_.column_names[columns_[static_cast<size_t>(column)]], output.type().ToString()));
  }

  const FunctionContext& context_;
  const BoundSqlite& bound_;
  const std::vector<size_t> columns_;
  const SqliteLibrary& library_ = SqliteLibrary::Get();
  SqliteStatement statement_;
  uint64_t row_number_ = 0;  ///< of those that pass the filters
};

/// Whether SQLite compares texts as here, by their bytes: if they are stored as they are.
bool MayCompareSqliteText(const BoundTableFunction& bound, size_t column, ScanFilter::Op) {
  return static_cast<const BoundSqlite&>(bound).are_texts[column];
}

std::unique_ptr<ForeignCursor> BoundSqlite::Open(const FunctionContext& context,
                                                 const std::vector<size_t>& columns,
                                                 const std::vector<ScanFilter>& filters) const {
  const std::string sql =
      fmt::format("SELECT {} FROM {}{}", ForeignColumns(*this, columns), QuotedIdentifier(table),
                  ForeignConditions(*this, filters, &MayCompareSqliteText, " COLLATE BINARY"));
  return std::make_unique<SqliteCursor>(context, *this, sql, columns);
}

/// About how many rows a table has: its last row number, which costs nothing to find.
std::optional<uint64_t> EstimateRows(const BoundSqlite& bound) {
  try {
    SqliteStatement statement(bound.path,
                              fmt::format("SELECT max(rowid) FROM {}", QuotedIdentifier(bound.table)));
    if (!statement.Step()) return std::nullopt;
    return static_cast<uint64_t>(
        std::max<int64_t>(SqliteLibrary::Get().column_int64(statement.handle(), 0), 0));
  } catch (const Error&) {
    return std::nullopt;  // a view, or a table without row numbers
  }
}

std::string SqliteArgument(const TableFunctionArguments& arguments, size_t index, const char* what) {
  const Value& value = arguments.positional.at(index);
  if (value.is_null()) {
    ThrowError(ErrorKind::kBinder, sqlstate::kInvalidParameterValue,
               fmt::format("the {} of sqlite_scan must not be NULL", what));
  }
  return value.GetString();
}

std::unique_ptr<BoundTableFunction> BindSqliteScan(const FunctionContext&,
                                                   const TableFunctionArguments& arguments) {
  auto bound = std::make_unique<BoundSqlite>();
  bound->path = SqliteArgument(arguments, 0, "path");
  bound->table = SqliteArgument(arguments, 1, "table");
  const auto option = arguments.named.find("all_varchar");
  const bool all_varchar = option != arguments.named.end() && BooleanOption("all_varchar", option->second);
  const SqliteLibrary& library = SqliteLibrary::Get();
  const SqliteStatement statement(bound->path,
                                  fmt::format("SELECT * FROM {}", QuotedIdentifier(bound->table)));
  for (int i = 0; i < library.column_count(statement.handle()); i++) {
    const SqliteColumn column = ColumnOfDeclaration(library.column_decltype(statement.handle(), i));
    bound->column_names.emplace_back(library.column_name(statement.handle(), i));
    bound->column_types.push_back(all_varchar ? LogicalType(TypeId::kVarchar) : column.type);
    bound->are_texts.push_back(column.is_text);
  }
  bound->estimated_row_count = EstimateRows(*bound);
  return bound;
}

}  // namespace

TableFunction MakeSqliteScan() {
  TableFunction function =
      MakeForeignScan("sqlite_scan", {TypeId::kVarchar, TypeId::kVarchar},
                      "The rows of a table or view in a file of SQLite; sqlite_master lists them.",
                      "SELECT * FROM sqlite_scan('music.db', 'tracks')", BindSqliteScan);
  function.named_arguments.emplace("all_varchar", TypeId::kBoolean);
  return function;
}

}  // namespace scaup
