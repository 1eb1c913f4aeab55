// Reads what COPY TO of a server writes.
#include "format/foreign/postgres_scan.hpp"

#include <fmt/format.h>

#include "common/throw.hpp"
#include "format/foreign/foreign_scan.hpp"
#include "format/foreign/foreign_sql.hpp"
#include "format/foreign/postgres_library.hpp"
#include "type/text/quoted_text.hpp"

namespace scaup {

namespace {

/// A type of the server as one of ours; `cast` is how the server gets there, if its texts are not ours.
struct PostgresType {
  unsigned number;
  LogicalType type;
  const char* cast = "";
};

LogicalType ListOf(TypeId element) { return LogicalType::List(element); }

/// All other types become texts.
PostgresType TypeOf(const PostgresConnection::Column& column) {
  static const std::vector<PostgresType>& known = *new std::vector<PostgresType>{
      // never destroyed, see CONTRIBUTING.md
      {16, TypeId::kBoolean},
      {17, TypeId::kBlob},
      {20, TypeId::kBigInt},
      {21, TypeId::kSmallInt},
      {23, TypeId::kInteger},
      {25, TypeId::kVarchar},
      {26, TypeId::kBigInt, "::bigint"},
      {114, TypeId::kJson},
      {700, TypeId::kReal},
      {701, TypeId::kDouble},
      {1043, TypeId::kVarchar},
      {1082, TypeId::kDate},
      {1083, TypeId::kTime},
      {1114, TypeId::kTimestamp},
      {1184, TypeId::kTimestampTz},
      {1186, TypeId::kInterval},
      {1266, TypeId::kTimeTz},
      {1560, TypeId::kBit},
      {1562, TypeId::kBit},
      {2950, TypeId::kUuid},
      {3802, TypeId::kJsonb},
      {1000, ListOf(TypeId::kBoolean)},
      {1005, ListOf(TypeId::kSmallInt)},
      {1007, ListOf(TypeId::kInteger)},
      {1009, ListOf(TypeId::kVarchar)},
      {1015, ListOf(TypeId::kVarchar)},
      {1016, ListOf(TypeId::kBigInt)},
      {1021, ListOf(TypeId::kReal)},
      {1022, ListOf(TypeId::kDouble)},
      {1182, ListOf(TypeId::kDate)},
      {1115, ListOf(TypeId::kTimestamp)},
  };
  constexpr unsigned kNumeric = 1700;
  if (column.type == kNumeric) {
    // Its modifier is made of width and scale, behind a header of four bytes.
    const int width = (column.modifier - 4) >> 16 & 0xFFFF, scale = (column.modifier - 4) & 0x7FF;
    if (column.modifier >= 4 && width <= LogicalType::kMaxDecimalWidth && scale <= width)
      return {kNumeric, LogicalType::Decimal(static_cast<uint8_t>(width), static_cast<uint8_t>(scale))};
    return {kNumeric, TypeId::kDouble, "::float8"};
  }
  for (const PostgresType& type : known) {
    if (type.number == column.type) return type;
  }
  return {column.type, TypeId::kVarchar, "::text"};
}

struct BoundPostgres final : BoundForeign {
  std::string connection_string;
  std::string source;  ///< a query whose columns are those of the relation

  std::unique_ptr<ForeignCursor> Open(const FunctionContext& context, const std::vector<size_t>& columns,
                                      const std::vector<ScanFilter>& filters) const override;
};

class PostgresCursor final : public ForeignCursor {
 public:
  PostgresCursor(const FunctionContext& context, const BoundPostgres& bound, const std::string& copy,
                 const std::vector<size_t>& columns)
      : context_(context), bound_(bound), columns_(columns), connection_(context, bound.connection_string) {
    connection_.BeginCopy(copy);
  }

  size_t Fetch(DataChunk& output) override {
    size_t row = 0;
    std::string_view line;
    for (; row < kVectorSize && connection_.NextRow(line); row++) {
      row_number_++;
      for (size_t i = 0; i < columns_.size(); i++) Write(TakeField(line), i, output.column(i), row);
    }
    return row;
  }

 private:
  static std::string_view TakeField(std::string_view& line) {
    const size_t end = std::min(line.find('\t'), line.size());
    const std::string_view field = line.substr(0, end);
    line.remove_prefix(std::min(end + 1, line.size()));
    return field;
  }

  void Write(std::string_view field, size_t index, Vector& output, size_t row) {
    if (field == "\\N") {
      output.SetNull(row);
      if (output.physical_type() == PhysicalType::kString) output.MutableData<StringRef>()[row] = StringRef();
      return;
    }
    if (field.find('\\') != std::string_view::npos) field = Unescape(field);
    if (WriteTextCell(field, output, row, context_.Zone())) return;
    ThrowError(ErrorKind::kConversion, sqlstate::kInvalidTextRepresentation,
               fmt::format("could not read from PostgreSQL: row {} has {} in column \"{}\", which is not {}",
                           row_number_, QuotedText(field.substr(0, 80)), bound_.column_names[columns_[index]],
                           output.type().ToString()));
  }

  /// Removes the backslashes by which COPY writes tabs, line ends and backslashes.
  std::string_view Unescape(std::string_view field) {
    constexpr std::string_view kLetters = "bfnrtv", kMeanings = "\b\f\n\r\t\v";
    text_.clear();
    for (size_t i = 0; i < field.size(); i++) {
      if (field[i] != '\\' || i + 1 == field.size()) {
        text_ += field[i];
        continue;
      }
      const size_t letter = kLetters.find(field[++i]);
      text_ += letter == std::string_view::npos ? field[i] : kMeanings[letter];
    }
    return text_;
  }

  const FunctionContext& context_;
  const BoundPostgres& bound_;
  const std::vector<size_t> columns_;
  PostgresConnection connection_;
  std::string text_;
  uint64_t row_number_ = 0;  ///< of those that pass the filters
};

bool MayComparePostgresText(const BoundTableFunction&, size_t, ScanFilter::Op) { return true; }

std::unique_ptr<ForeignCursor> BoundPostgres::Open(const FunctionContext& context,
                                                   const std::vector<size_t>& columns,
                                                   const std::vector<ScanFilter>& filters) const {
  const std::string copy =
      fmt::format("COPY (SELECT {} FROM ({}) AS source{}) TO STDOUT", ForeignColumns(*this, columns), source,
                  ForeignConditions(*this, filters, &MayComparePostgresText, " COLLATE \"C\""));
  return std::make_unique<PostgresCursor>(context, *this, copy, columns);
}

std::string PostgresArgument(const TableFunctionArguments& arguments, size_t index) {
  const Value& value = arguments.positional.at(index);
  if (value.is_null()) {
    ThrowError(ErrorKind::kBinder, sqlstate::kInvalidParameterValue,
               "the arguments of postgres_scan and postgres_query must not be NULL");
  }
  return value.GetString();
}

/// Binds a query of a server: `from` is what stands behind FROM.
std::unique_ptr<BoundTableFunction> BindPostgres(const FunctionContext& context,
                                                 const std::string& connection_string,
                                                 const std::string& from) {
  auto bound = std::make_unique<BoundPostgres>();
  bound->connection_string = connection_string;
  PostgresConnection connection(context, connection_string);
  std::string list;
  for (const PostgresConnection::Column& column : connection.Describe("SELECT * FROM " + from)) {
    const PostgresType type = TypeOf(column);
    const std::string name = QuotedIdentifier(column.name);
    list += fmt::format("{}{}{} AS {}", list.empty() ? "" : ", ", name, type.cast, name);
    bound->column_names.push_back(column.name);
    bound->column_types.push_back(type.type);
  }
  bound->source = fmt::format("SELECT {} FROM {}", list, from);
  return bound;
}

std::unique_ptr<BoundTableFunction> BindPostgresScan(const FunctionContext& context,
                                                     const TableFunctionArguments& arguments) {
  return BindPostgres(context, PostgresArgument(arguments, 0),
                      fmt::format("{}.{}", QuotedIdentifier(PostgresArgument(arguments, 1)),
                                  QuotedIdentifier(PostgresArgument(arguments, 2))));
}

std::unique_ptr<BoundTableFunction> BindPostgresQuery(const FunctionContext& context,
                                                      const TableFunctionArguments& arguments) {
  // A comment at the query's end must not hide what follows.
  return BindPostgres(context, PostgresArgument(arguments, 0),
                      fmt::format("({}\n) AS query", PostgresArgument(arguments, 1)));
}

}  // namespace

TableFunction MakePostgresScan() {
  return MakeForeignScan("postgres_scan", {TypeId::kVarchar, TypeId::kVarchar, TypeId::kVarchar},
                         "The rows of a table or view of a PostgreSQL server.",
                         "SELECT * FROM postgres_scan('host=db dbname=shop', 'public', 'orders')",
                         BindPostgresScan);
}

TableFunction MakePostgresQuery() {
  return MakeForeignScan("postgres_query", {TypeId::kVarchar, TypeId::kVarchar},
                         "The rows that a query gives on a PostgreSQL server.",
                         "SELECT * FROM postgres_query('host=db dbname=shop', 'SELECT now() AS moment')",
                         BindPostgresQuery);
}

}  // namespace scaup
