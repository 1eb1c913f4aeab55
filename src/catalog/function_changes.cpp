// Functions in the catalog: their keys, their changes, and their definitions as bytes.
#include "catalog/function_changes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "catalog/catalog.hpp"
#include "catalog/catalog_writer.hpp"
#include "catalog/temporary_schema.hpp"
#include "common/throw.hpp"
#include "storage/wal/log_record_kind.hpp"
#include "transaction/search_path.hpp"
#include "type/logical_type_bytes.hpp"
#include "type/pg_type.hpp"
#include "type/text/identifier_text.hpp"

namespace scaup {

namespace {

std::vector<FunctionArgument> ColumnsOrInputs(const std::vector<FunctionArgument>& arguments, bool columns) {
  std::vector<FunctionArgument> found;
  for (const FunctionArgument& argument : arguments) {
    if ((argument.mode == ArgumentMode::kTable) == columns) found.push_back(argument);
  }
  return found;
}

std::vector<FunctionEntryRef> AsFunctions(std::vector<CatalogEntryRef> entries) {
  std::vector<FunctionEntryRef> functions;
  for (CatalogEntryRef& entry : entries) functions.push_back(EntryAs<FunctionEntry>(std::move(entry)));
  return functions;
}

void CheckKeyIsFree(CatalogWriter& writer, const FunctionEntry& function) {
  const SchemaEntryRef schema = writer.FindSchema(function.schema);
  if (!schema->functions->Find(writer.transaction(), FunctionKey(function))) return;
  ThrowError(ErrorKind::kCatalog, "42723",
             fmt::format("function \"{}\" already exists", function.signature()));
}

}  // namespace

std::vector<FunctionArgument> FunctionEntry::inputs() const { return ColumnsOrInputs(arguments, false); }

std::vector<FunctionArgument> FunctionEntry::columns() const { return ColumnsOrInputs(arguments, true); }

std::string FunctionEntry::signature() const {
  std::string types;
  for (const FunctionArgument& argument : inputs()) {
    types += types.empty() ? "" : ", ";
    types += argument.type.id() == TypeId::kNull ? argument.name : ArgumentTypeText(argument);
  }
  return fmt::format("{}({})", name, types);
}

std::string ArgumentTypeText(const FunctionArgument& argument) {
  if (argument.type.id() == TypeId::kNull) return "any";
  if (argument.mode != ArgumentMode::kRows) return argument.type.ToString();
  std::string columns;
  for (const StructField& field : argument.type.fields()) {
    columns += fmt::format("{}{} {}", columns.empty() ? "" : ", ", IdentifierText(field.name),
                           field.type.ToString());
  }
  return fmt::format("TABLE ({})", columns);
}

std::string FunctionKey(const FunctionEntry& function) {
  std::string key = function.name + "(";
  for (const FunctionArgument& argument : function.inputs())
    key += (argument.type.id() == TypeId::kNull ? "any" : argument.type.ToString()) + ",";
  return key + ")";
}

/// Returns the functions of that name in all schemas of the path. Of two with the same arguments, the first
/// on the path hides the other, as in PostgreSQL; temporary ones hide all others.
static std::vector<FunctionEntryRef> FunctionsOnPath(const Catalog& catalog, const Transaction& transaction,
                                                     const SearchPath& path, std::string_view name) {
  std::vector<FunctionEntryRef> found;
  for (const std::string& schema : path.searched()) {
    for (FunctionEntryRef& function : FunctionsNamed(catalog, transaction, schema, name)) {
      const std::string key = FunctionKey(*function);
      const bool is_hidden = std::any_of(found.begin(), found.end(), [&](const FunctionEntryRef& other) {
        return FunctionKey(*other) == key;
      });
      if (!is_hidden) found.push_back(std::move(function));
    }
    if (!found.empty() && IsTemporarySchema(schema)) break;
  }
  return found;
}

std::vector<FunctionEntryRef> FunctionsNamed(const Catalog& catalog, const Transaction& transaction,
                                             std::string_view schema, std::string_view name) {
  const SearchPath* const path = schema.empty() ? SearchPath::Of(transaction) : nullptr;
  if (path != nullptr) return FunctionsOnPath(catalog, transaction, *path, name);
  if (schema.empty() && TemporarySchema::Of(transaction) != nullptr) {
    auto temporary = FunctionsNamed(catalog, transaction, kTemporarySchema, name);
    if (!temporary.empty()) return temporary;
  }
  const SchemaEntryRef found = catalog.FindSchema(transaction, schema);
  if (!found) return {};
  auto functions = AsFunctions(found->functions->ListWithPrefix(transaction, fmt::format("{}(", name)));
  // A name may have a parenthesis in it.
  std::erase_if(functions, [&](const FunctionEntryRef& function) { return function->name != name; });
  return functions;
}

std::vector<FunctionEntryRef> AllFunctions(const Catalog& catalog, const Transaction& transaction) {
  std::vector<FunctionEntryRef> all;
  for (const SchemaEntryRef& schema : catalog.Schemas(transaction)) {
    for (FunctionEntryRef& function : AsFunctions(schema->functions->List(transaction)))
      all.push_back(std::move(function));
  }
  return all;
}

FunctionEntryRef FindFunction(const Catalog& catalog, const Transaction& transaction, std::string_view schema,
                              std::string_view key) {
  const SchemaEntryRef found = catalog.FindSchema(transaction, schema);
  return found ? EntryAs<FunctionEntry>(found->functions->Find(transaction, key)) : nullptr;
}

void CreateFunction(Catalog& catalog, Transaction& transaction, const FunctionEntryRef& function) {
  CatalogWriter writer(catalog, transaction);
  CheckKeyIsFree(writer, *function);
  ByteWriter record = ChangeRecord(LogRecordKind::kCreateFunction);
  WriteFunctionDefinition(*function, record);
  writer.FindSchema(function->schema)->functions->Put(transaction, FunctionKey(*function), function);
  writer.Note(function->schema, std::move(record));
}

void ReplaceFunction(Catalog& catalog, Transaction& transaction, const FunctionEntry& old,
                     const FunctionEntryRef& function) {
  CatalogWriter writer(catalog, transaction);
  const std::string before = FunctionKey(old), after = FunctionKey(*function);
  const bool moves = old.schema != function->schema || before != after;
  if (moves) CheckKeyIsFree(writer, *function);
  ByteWriter record = ChangeRecord(LogRecordKind::kReplaceFunction, old.schema, before);
  WriteFunctionDefinition(*function, record);
  if (moves) writer.FindSchema(old.schema)->functions->Put(transaction, before, nullptr);
  writer.FindSchema(function->schema)->functions->Put(transaction, after, function);
  writer.Note(old.schema, std::move(record));
}

void DropFunction(Catalog& catalog, Transaction& transaction, const FunctionEntry& function) {
  CatalogWriter writer(catalog, transaction);
  const std::string key = FunctionKey(function);
  writer.FindSchema(function.schema)->functions->Put(transaction, key, nullptr);
  writer.Note(function.schema, ChangeRecord(LogRecordKind::kDropFunction, function.schema, key));
}

void WriteFunctionDefinition(const FunctionEntry& function, ByteWriter& writer) {
  writer.WriteString(function.schema);
  writer.WriteString(function.name);
  writer.WriteU8(static_cast<uint8_t>(function.language));
  writer.WriteVarint(function.arguments.size());
  for (const FunctionArgument& argument : function.arguments) {
    writer.WriteString(argument.name);
    WriteLogicalType(writer, argument.type);
    writer.WriteU8(static_cast<uint8_t>(argument.mode));
    writer.WriteString(argument.default_text);
  }
  writer.WriteU8(static_cast<uint8_t>(function.result));
  WriteLogicalType(writer, function.result_type);
  writer.WriteU8(static_cast<uint8_t>(function.volatility));
  writer.WriteU8(function.is_strict ? 1 : 0);
  writer.WriteString(function.body);
  writer.WriteString(function.comment);
  if (!function.is_hosted()) return;
  writer.WriteString(function.host_language);
  writer.WriteU8(function.is_mapped ? 1 : 0);
  writer.WriteVarint(function.batch_rows);
}

namespace {

/// Reads an enumerator that is at most `last`.
template <typename Enum>
Enum ReadEnumerator(ByteReader& reader, const char* what, Enum last) {
  const uint8_t number = reader.ReadU8(what);
  if (number > static_cast<uint8_t>(last)) reader.Fail(what, "there is no such kind");
  return static_cast<Enum>(number);
}

}  // namespace

FunctionEntryRef ReadFunctionDefinition(ByteReader& reader) {
  std::string schema(reader.ReadString("schema of a function"));
  auto function = std::make_shared<FunctionEntry>(std::move(schema),
                                                  std::string(reader.ReadString("name of a function")));
  function->language = ReadEnumerator(reader, "language of a function", FunctionLanguage::kHosted);
  function->arguments.resize(reader.ReadCount("arguments of a function", 4));
  for (FunctionArgument& argument : function->arguments) {
    argument.name = reader.ReadString("name of an argument");
    argument.type = ReadLogicalType(reader);
    argument.mode = ReadEnumerator(reader, "mode of an argument", ArgumentMode::kRows);
    argument.default_text = reader.ReadString("default of an argument");
  }
  function->result = ReadEnumerator(reader, "result of a function", FunctionResult::kTrigger);
  function->result_type = ReadLogicalType(reader);
  function->volatility = ReadEnumerator(reader, "volatility of a function", FunctionVolatility::kImmutable);
  function->is_strict = reader.ReadU8("strictness of a function") != 0;
  function->body = reader.ReadString("body of a function");
  function->comment = reader.ReadString("comment");
  if (!function->is_hosted()) return function;
  function->host_language = reader.ReadString("language of a function");
  function->is_mapped = reader.ReadU8("calls of a function") != 0;
  function->batch_rows = reader.ReadVarint("rows of a function");
  return function;
}

}  // namespace scaup
