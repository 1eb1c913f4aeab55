// Functions about relations and databases by their OIDs: sizes, sequences of columns, privileges.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "common/throw.hpp"
#include "function/pg_objects.hpp"
#include "function/scalar/catalog/object_number.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "type/schema_name.hpp"
#include "type/text/identifier_text.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

/// Returns the bytes that a table's columns take, in memory or in the file.
uint64_t SizeOf(const DatabaseListing& listing, const TableListing& table) {
  uint64_t bytes = 0;
  for (const StorageSegmentListing& segment : listing.StorageSegments(table.schema, table.name))
    bytes += segment.size_bytes;
  return bytes;
}

/// The bytes of a relation's "main" fork, the only one. Indexes, sequences and views have none of their own.
void RelationSize(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const PgObjects objects(call.context.listing);
  std::map<int64_t, uint64_t> sizes;
  const auto oids = arguments.column(0).ViewAs<int64_t>(arguments.size());
  for (size_t row = 0; row < arguments.size(); row++) {
    if (oids.IsValid(row)) sizes[oids[row]] = 0;
  }
  for (const TableListing& table : objects.tables()) {
    const auto asked = sizes.find(objects.Oid(PgObjectKind::kTable, table.schema, table.name));
    if (asked != sizes.end()) asked->second = SizeOf(call.context.listing, table);
  }
  const auto forks = arguments.column(1).ViewAs<StringRef>(arguments.size());
  for (size_t row = 0; row < arguments.size(); row++) {
    if (!oids.IsValid(row) || !forks.IsValid(row)) {
      result.SetNull(row);
    } else {
      const bool is_main = forks[row].view() == "main";
      result.MutableData<int64_t>()[row] = is_main ? static_cast<int64_t>(sizes[oids[row]]) : 0;
    }
  }
}

/// There is one database, whatever it is called.
template <typename T>
void DatabaseBytes(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const DatabaseSizeListing size = call.context.listing.DatabaseSize();
  const auto bytes =
      static_cast<int64_t>(size.path.empty() ? size.memory_usage_bytes : size.database_size_bytes);
  MapUnary<T, int64_t>(arguments.column(0), arguments.size(), result, [&](const T&) { return bytes; });
}

/// There are no privileges: every user may do everything.
void Privilege(const ScalarCall&, DataChunk& arguments, Vector& result) {
  for (size_t row = 0; row < arguments.size(); row++) result.MutableData<uint8_t>()[row] = 1;
}

/// There are no partitions: every set is empty.
void NoPartitions(const ScalarCall&, DataChunk& arguments, Vector& result) {
  for (size_t row = 0; row < arguments.size(); row++) result.SetValue(row, Value::List(TypeId::kBigInt, {}));
}

/// Returns the table of a written name. Throws Error(kBinder, 42P01) if there is none.
const TableListing& TableNamed(const PgObjects& objects, std::string_view text) {
  const auto wanted = ParseObjectName(text);
  std::vector<std::string> schemas;
  if (wanted) schemas = wanted->schema.empty() ? objects.searched() : std::vector{wanted->schema};
  for (const std::string& schema : schemas) {
    for (const TableListing& table : objects.tables()) {
      if (table.name == wanted->name && SchemaNamed(table.schema) == SchemaNamed(schema)) return table;
    }
  }
  ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedTable,
             fmt::format("relation \"{}\" does not exist", text));
}

/// Returns the sequence that a column owns. Throws Error(kBinder): 42P01 without the table, 42703 without the
/// column.
std::optional<std::string> SequenceOf(const PgObjects& objects, std::string_view table_text,
                                      std::string_view column) {
  const TableListing& table = TableNamed(objects, table_text);
  const auto is_named = [&](const ColumnListing& each) { return each.name == column; };
  if (!table.is_collection && std::none_of(table.columns.begin(), table.columns.end(), is_named)) {
    ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedColumn,
               fmt::format("column \"{}\" of relation \"{}\" does not exist", column, table.name));
  }
  for (const SequenceListing& sequence : objects.sequences()) {
    if (sequence.schema == table.schema && sequence.owner_table == table.name &&
        sequence.owner_column == column)
      return IdentifierText(sequence.schema) + "." + IdentifierText(sequence.name);
  }
  return std::nullopt;
}

/// The sequences of columns: of SERIAL, GENERATED AS IDENTITY and OWNED BY.
void SerialSequence(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const PgObjects objects(call.context.listing);
  const auto tables = arguments.column(0).ViewAs<StringRef>(arguments.size());
  const auto columns = arguments.column(1).ViewAs<StringRef>(arguments.size());
  for (size_t row = 0; row < arguments.size(); row++) {
    std::optional<std::string> found;
    if (tables.IsValid(row) && columns.IsValid(row))
      found = SequenceOf(objects, tables[row].view(), columns[row].view());
    if (found)
      result.SetValue(row, Value::Varchar(*found));
    else
      result.SetNull(row);
  }
}

}  // namespace

ScalarFunctionList RelationFunctions() {
  ScalarFunctionList list;
  constexpr TypeId kText = TypeId::kVarchar, kOid = TypeId::kBigInt;
  const auto add = [&](const char* name, std::vector<LogicalType> types, TypeId type, ScalarKernel kernel,
                       const char* description, const char* example) {
    list.push_back({.name = name,
                    .argument_types = std::move(types),
                    .return_type = type,
                    .kernel = kernel,
                    .description = description,
                    .example = example,
                    .volatility = Volatility::kStable,
                    .can_fail = false});
  };
  add("scaup_relation_size", {kOid, kText}, TypeId::kBigInt, &RelationSize,
      "The bytes that a table's columns take; 0 for other relations and forks.",
      "scaup_relation_size(0, 'main')");
  add("pg_get_serial_sequence", {kText, kText}, kText, &SerialSequence,
      "The sequence that a column owns: of SERIAL, IDENTITY or OWNED BY; NULL if there is none.",
      "pg_get_serial_sequence('t', NULL)");
  list.back().can_fail = true;
  list.push_back({.name = "pg_partition_ancestors",
                  .argument_types = {kOid},
                  .return_type = LogicalType::List(kOid),
                  .kernel = &NoPartitions,
                  .description = "No rows: there are no partitions.",
                  .example = "pg_partition_ancestors(1)",
                  .volatility = Volatility::kStable,
                  .can_fail = false,
                  .returns_set = true,
                  .set_column = "relid"});
  add("pg_database_size", {kText}, TypeId::kBigInt, &DatabaseBytes<StringRef>,
      "The bytes of the database's file; in memory, of its memory.", "pg_database_size('memory') > 0");
  add("pg_database_size", {kOid}, TypeId::kBigInt, &DatabaseBytes<int64_t>,
      "The bytes of the database's file; in memory, of its memory.", "pg_database_size(1) > 0");
  // By the name or number of the object, with or without that of the user before it.
  constexpr const char* kPrivileges[] = {"has_table_privilege",      "has_any_column_privilege",
                                         "has_schema_privilege",     "has_database_privilege",
                                         "has_sequence_privilege",   "has_function_privilege",
                                         "has_type_privilege",       "has_language_privilege",
                                         "has_tablespace_privilege", "pg_has_role"};
  const std::vector<std::vector<LogicalType>> kForms = {
      {kText, kText}, {kOid, kText}, {kText, kText, kText}, {kText, kOid, kText}, {kOid, kOid, kText}};
  for (const char* name : kPrivileges) {
    for (const auto& form : kForms) {
      add(name, form, TypeId::kBoolean, &Privilege, "True: there are no privileges to lack.",
          "has_table_privilege('t', 'SELECT')");
    }
  }
  for (const bool has_user : {false, true}) {
    for (const TypeId table : {kText, kOid}) {
      std::vector<LogicalType> types = {table, kText, kText};
      if (has_user) types.insert(types.begin(), kText);
      add("has_column_privilege", types, TypeId::kBoolean, &Privilege,
          "True: there are no privileges to lack.", "has_column_privilege('t', 'a', 'SELECT')");
    }
  }
  return list;
}

}  // namespace scaup
