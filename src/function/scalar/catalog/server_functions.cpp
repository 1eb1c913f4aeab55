// Answers to what clients ask of a PostgreSQL server: its start, its partitions, the tokens of its text
// search.
#include "function/scalar/catalog/server_functions.hpp"

#include <chrono>

#include "common/throw.hpp"
#include "type/physical_type.hpp"
#include "type/type_modifier.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

int64_t MicrosNow() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::microseconds>(now).count();
}

/// The moment when the program first asked for functions, which opening a database does.
int64_t StartMicros() {
  static const int64_t start = MicrosNow();
  return start;
}

void StartTime(const ScalarCall&, DataChunk&, Vector& result) {
  result.MutableData<int64_t>()[0] = StartMicros();
  result.SetConstant();
}

/// The bytes of values as they are computed with; those of varying length have four more, as in PostgreSQL.
void ColumnSize(const ScalarCall&, DataChunk& arguments, Vector& result) {
  Vector& values = arguments.column(0);
  const size_t count = arguments.size();
  constexpr size_t kLengthBytes = 4;
  if (IsStringLike(values.type())) {
    MapUnary<StringRef, int32_t>(values, count, result, [](const StringRef& value) {
      return static_cast<int32_t>(value.view().size() + kLengthBytes);
    });
    return;
  }
  const auto size = static_cast<int32_t>(PhysicalSize(values.type()));
  for (size_t row = 0; row < count; row++)
    result.SetValue(row, values.GetValue(row).is_null() ? Value(TypeId::kInteger) : Value::Integer(size));
}

std::unique_ptr<FunctionData> BindColumnSize(ScalarFunction& function,
                                             std::span<const BindArgument> arguments) {
  const LogicalType& type = arguments[0].type;
  function.argument_types = {type.id() == TypeId::kNull ? LogicalType(TypeId::kVarchar) : type};
  return nullptr;
}

void NoRows(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const Value none = Value::List(call.return_type.element(), {});
  for (size_t row = 0; row < arguments.size(); row++) result.SetValue(row, none);
}

/// The kinds of tokens of PostgreSQL's default parser, counted from 1.
constexpr const char* kTokenTypes[][2] = {{"asciiword", "Word, all ASCII"},
                                          {"word", "Word, all letters"},
                                          {"numword", "Word, letters and digits"},
                                          {"email", "Email address"},
                                          {"url", "URL"},
                                          {"host", "Host"},
                                          {"sfloat", "Scientific notation"},
                                          {"version", "Version number"},
                                          {"hword_numpart", "Hyphenated word part, letters and digits"},
                                          {"hword_part", "Hyphenated word part, all letters"},
                                          {"hword_asciipart", "Hyphenated word part, all ASCII"},
                                          {"blank", "Space symbols"},
                                          {"tag", "XML tag"},
                                          {"protocol", "Protocol head"},
                                          {"numhword", "Hyphenated word, letters and digits"},
                                          {"asciihword", "Hyphenated word, all ASCII"},
                                          {"hword", "Hyphenated word, all letters"},
                                          {"url_path", "URL path"},
                                          {"file", "File or path name"},
                                          {"float", "Decimal notation"},
                                          {"int", "Signed integer"},
                                          {"uint", "Unsigned integer"},
                                          {"entity", "XML entity"}};

/// The parser is asked for by its name or its OID.
bool IsDefaultParser(const Value& parser) {
  constexpr int64_t kDefaultParser = 3722;
  if (parser.type().id() == TypeId::kBigInt) return parser.GetBigInt() == kDefaultParser;
  return parser.GetString() == "default" || parser.GetString() == "pg_catalog.default";
}

void TokenTypes(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const LogicalType& type = call.return_type.element();
  std::vector<Value> rows;
  for (const auto& [alias, description] : kTokenTypes) {
    rows.push_back(Value::Struct(type, {Value::Integer(static_cast<int32_t>(rows.size()) + 1),
                                        Value::Varchar(alias), Value::Varchar(description)}));
  }
  const Value list = Value::List(type, rows);
  for (size_t row = 0; row < arguments.size(); row++) {
    const Value parser = arguments.column(0).GetValue(row);
    if (parser.is_null()) {
      result.SetNull(row);
      continue;
    }
    if (!IsDefaultParser(parser)) {
      ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedObject,
                 "text search parser \"" + parser.ToString() + "\" does not exist; there is \"default\"");
    }
    result.SetValue(row, list);
  }
}

}  // namespace

ScalarFunctionList ServerFunctions() {
  StartMicros();
  ScalarFunctionList list;
  list.push_back({.name = "pg_postmaster_start_time",
                  .argument_types = {},
                  .return_type = TypeId::kTimestampTz,
                  .kernel = &StartTime,
                  .description = "When the program began to use databases.",
                  .example = "pg_postmaster_start_time() <= now()",
                  .volatility = Volatility::kStable,
                  .can_fail = false});
  list.push_back({.name = "pg_column_size",
                  .argument_types = {kAnyType},
                  .return_type = TypeId::kInteger,
                  .kernel = &ColumnSize,
                  .description = "The bytes that a value takes before it is compressed.",
                  .example = "pg_column_size('scaup'::text)",
                  .bind = &BindColumnSize,
                  .can_fail = false,
                  .any_types = true});
  list.push_back({.name = "pg_partition_tree",
                  .argument_types = {ObjectNumberType(ObjectNumber::kClass)},
                  .return_type = LogicalType::List(LogicalType::Struct({{"relid", TypeId::kBigInt},
                                                                        {"parentrelid", TypeId::kBigInt},
                                                                        {"isleaf", TypeId::kBoolean},
                                                                        {"level", TypeId::kInteger}})),
                  .kernel = &NoRows,
                  .description = "No rows: there are no partitions.",
                  .example = "pg_partition_tree('pg_class')",
                  .volatility = Volatility::kStable,
                  .can_fail = false,
                  .returns_set = true});
  for (const TypeId parser : {TypeId::kVarchar, TypeId::kBigInt}) {
    list.push_back(
        {.name = "ts_token_type",
         .argument_types = {parser},
         .return_type = LogicalType::List(LogicalType::Struct(
             {{"tokid", TypeId::kInteger}, {"alias", TypeId::kVarchar}, {"description", TypeId::kVarchar}})),
         .kernel = &TokenTypes,
         .description = "The kinds of tokens of PostgreSQL's parser of texts.",
         .example = parser == TypeId::kVarchar ? "ts_token_type('default')" : "ts_token_type(3722)",
         .returns_set = true});
  }
  return list;
}

}  // namespace scaup
