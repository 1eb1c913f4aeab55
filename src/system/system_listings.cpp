// System listings: functions, settings, tables and columns.
#include "system/system_listings.hpp"

#include "common/settings/settings.hpp"
#include "function/database_listing.hpp"
#include "function/defined_functions.hpp"
#include "function/function_registry.hpp"
#include "function/window/window_function.hpp"
#include "system/listing.hpp"
#include "system/system_relations.hpp"
#include "system/table_function_registry.hpp"
#include "type/type_modifier.hpp"

namespace scaup {
namespace {

/// "any" stands for every type, "any[]" for every list.
std::string TypeText(const LogicalType& type) {
  if (IsMap(type)) return "MAP(" + TypeText(MapKeyType(type)) + ", " + TypeText(MapValueType(type)) + ")";
  if (type.id() == TypeId::kList) return TypeText(type.element()) + "[]";
  return type.id() == TypeId::kNull ? "any" : type.ToString();
}

/// Returns text such as "INTEGER, VARCHAR, [BOOLEAN]"; brackets mark optional arguments.
std::string ArgumentList(const std::vector<LogicalType>& types, size_t optional = 0) {
  std::string text;
  for (size_t i = 0; i < types.size(); i++) {
    if (i != 0) text += ", ";
    const std::string name = TypeText(types[i]);
    text += i + optional >= types.size() ? "[" + name + "]" : name;
  }
  return text;
}

Value ReturnTypeOf(const LogicalType& type, bool any_types) {
  return Value::Varchar(any_types ? TypeText(type) : type.ToString());
}

void AddFunction(ListingRows& rows, const std::string& name, const char* kind, std::string arguments,
                 Value return_type, const std::string& description, const std::string& example) {
  rows.push_back({Value::Varchar(name), Value::Varchar(kind), Value::Varchar(std::move(arguments)),
                  std::move(return_type), Value::Varchar(description), Value::Varchar(example)});
}

/// Adds the other names of functions, with the descriptions and examples that the functions have.
void AddAliases(ListingRows& rows) {
  ListingRows aliases;
  for (const FunctionAlias& alias : AllFunctionAliases()) {
    for (const auto& row : rows) {
      if (row[0].GetString() != alias.function) continue;
      aliases.push_back(row);
      aliases.back()[0] = Value::Varchar(alias.name);
    }
  }
  std::move(aliases.begin(), aliases.end(), std::back_inserter(rows));
}

ListingRows FunctionRows(const FunctionContext&, const BoundListing&) {
  ListingRows rows;
  const FunctionRegistry& registry = FunctionRegistry::Builtin();
  for (const ScalarFunction* function : registry.AllScalar()) {
    std::string arguments = ArgumentList(function->argument_types);
    if (function->varargs) {
      if (!arguments.empty()) arguments += ", ";
      arguments += ArgumentList({*function->varargs}) + "...";
    }
    AddFunction(rows, function->name, "scalar", std::move(arguments),
                ReturnTypeOf(function->return_type, function->any_types), function->description,
                function->example);
  }
  for (const AggregateFunction* function : registry.AllAggregate()) {
    AddFunction(rows, function->name, "aggregate", ArgumentList(function->argument_types),
                ReturnTypeOf(function->return_type, function->any_types), function->description,
                function->example);
  }
  for (const DefinedFunction& function : AllDefinedFunctions()) {
    AddFunction(rows, std::string(function.name), function.is_aggregate ? "aggregate" : "scalar",
                std::string(function.arguments), Value::Varchar(std::string(function.return_type)),
                std::string(function.description), std::string(function.example));
  }
  for (const WindowFunction& function : BuiltinWindowFunctions()) {
    const bool is_argument = function.return_type == TypeId::kNull;
    AddFunction(rows, function.name, "window", function.argument_types,
                Value::Varchar(is_argument ? "any" : LogicalType(function.return_type).ToString()),
                function.description, function.example);
  }
  for (const TableFunction& function : TableFunctionRegistry::Builtin().All()) {
    if (IsSystemRelation(function)) continue;
    AddFunction(rows, function.name, "table",
                ArgumentList(function.argument_types, function.optional_arguments),
                Value(LogicalType(TypeId::kVarchar)), function.description, function.example);
  }
  AddAliases(rows);
  return rows;
}

std::unique_ptr<BoundTableFunction> BindFunctions(const FunctionContext&, const TableFunctionArguments&) {
  auto bound = std::make_unique<BoundListing>();
  bound->AddColumns(TypeId::kVarchar, {"function_name", "function_type", "argument_types", "return_type",
                                       "description", "example"});
  bound->make_rows = FunctionRows;
  return bound;
}

std::unique_ptr<BoundTableFunction> BindSettings(const FunctionContext&, const TableFunctionArguments&) {
  auto bound = std::make_unique<BoundListing>();
  bound->AddColumns(TypeId::kVarchar, {"name", "value", "description"});
  bound->make_rows = [](const FunctionContext& context, const BoundListing&) {
    ListingRows rows;
    for (const SettingDefinition& setting : AllSettings()) {
      rows.push_back({Value::Varchar(setting.name), Value::Varchar(setting.get(context.settings)),
                      Value::Varchar(setting.description)});
    }
    return rows;
  };
  return bound;
}

std::unique_ptr<BoundTableFunction> BindTables(const FunctionContext&, const TableFunctionArguments&) {
  auto bound = std::make_unique<BoundListing>();
  bound->AddColumns(TypeId::kVarchar, {"schema_name", "table_name"});
  bound->AddColumns(TypeId::kBigInt, {"row_count"});
  bound->AddColumns(TypeId::kVarchar, {"comment"});
  bound->make_rows = [](const FunctionContext& context, const BoundListing&) {
    ListingRows rows;
    for (const TableListing& table : context.listing.Relations()) {
      rows.push_back({Value::Varchar(table.schema), Value::Varchar(table.name),
                      table.is_view ? Value(LogicalType(TypeId::kBigInt))
                                    : Value::BigInt(static_cast<int64_t>(table.row_count)),
                      TextOrNull(table.comment)});
    }
    return rows;
  };
  return bound;
}

ListingRows ColumnListingRows(const FunctionContext& context, const BoundListing&) {
  ListingRows rows;
  for (const TableListing& table : context.listing.Relations()) {
    int32_t position = 0;
    for (const ColumnListing& column : table.columns) {
      rows.push_back({Value::Varchar(table.schema), Value::Varchar(table.name), Value::Varchar(column.name),
                      Value::Integer(++position), Value::Varchar(DeclaredTypeName(column.type)),
                      Value::Boolean(column.not_null), TextOrNull(column.default_text),
                      TextOrNull(column.comment)});
    }
  }
  return rows;
}

std::unique_ptr<BoundTableFunction> BindColumns(const FunctionContext&, const TableFunctionArguments&) {
  auto bound = std::make_unique<BoundListing>();
  bound->AddColumns(TypeId::kVarchar, {"schema_name", "table_name", "column_name"});
  bound->AddColumns(TypeId::kInteger, {"position"});
  bound->AddColumns(TypeId::kVarchar, {"data_type"});
  bound->AddColumns(TypeId::kBoolean, {"not_null"});
  bound->AddColumns(TypeId::kVarchar, {"column_default", "comment"});
  bound->make_rows = ColumnListingRows;
  return bound;
}

}  // namespace

TableFunction MakeFunctionListing() {
  return MakeListing("scaup_functions", "Every overload of every function.",
                     "SELECT * FROM scaup_functions()", {}, BindFunctions);
}
TableFunction MakeSettingListing() {
  return MakeListing("scaup_settings", "Every setting and its value.", "SELECT * FROM scaup_settings()", {},
                     BindSettings);
}
TableFunction MakeTableListing() {
  return MakeListing("scaup_tables", "Every table and its number of rows, and every view.",
                     "SELECT * FROM scaup_tables()", {}, BindTables);
}
TableFunction MakeColumnListing() {
  return MakeListing("scaup_columns", "Every column of every table and view.",
                     "SELECT * FROM scaup_columns()", {}, BindColumns);
}

}  // namespace scaup
