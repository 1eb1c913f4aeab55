// A listing is made whole when the function is bound, as boxed values, and handed out by one thread.
#include "function/table/system_listings.hpp"

#include <algorithm>
#include <atomic>

#include "common/settings.hpp"
#include "function/function_registry.hpp"
#include "function/table/database_listing.hpp"
#include "function/window/window_function.hpp"

namespace scaup {
namespace {

struct BoundListing : BoundTableFunction {
  std::vector<std::vector<Value>> rows;
  void AddColumn(const char* name, TypeId type) {
    column_names.push_back(name);
    column_types.push_back(type);
  }
};

/// Who comes first takes all rows.
class ListingShared : public TableFunctionShared {
 public:
  bool Take() { return !taken_.exchange(true); }

 private:
  std::atomic<bool> taken_{false};
};

class ListingLocal : public TableFunctionLocal {
 public:
  explicit ListingLocal(bool has_all) : at_end(!has_all) {}
  bool at_end;
  size_t row = 0;
};

std::unique_ptr<TableFunctionShared> CreateShared(const TableFunctionCall&) {
  return std::make_unique<ListingShared>();
}
std::unique_ptr<TableFunctionLocal> CreateLocal(const TableFunctionCall&, TableFunctionShared&) {
  return std::make_unique<ListingLocal>(true);
}

void Next(const TableFunctionCall& call, TableFunctionShared& shared, TableFunctionLocal& local,
          DataChunk& output) {
  call.context.CheckInterrupt();
  auto& state = static_cast<ListingLocal&>(local);
  output.SetSize(0);
  if (state.row == 0 && !state.at_end) state.at_end = !static_cast<ListingShared&>(shared).Take();
  const auto& rows = static_cast<const BoundListing&>(call.bound).rows;
  if (state.at_end || state.row == rows.size()) return;
  const size_t count = std::min(kVectorSize, rows.size() - state.row);
  for (size_t i = 0; i < call.columns.size(); i++) {
    Vector& column = output.column(i);
    column.Reset();
    for (size_t row = 0; row < count; row++) column.SetValue(row, rows[state.row + row][call.columns[i]]);
  }
  output.SetSize(count);
  output.batch_index = 0;
  state.row += count;
}

std::unique_ptr<BoundTableFunction> Finished(std::unique_ptr<BoundListing> listing) {
  listing->estimated_row_count = listing->rows.size();
  return listing;
}

/// "INTEGER, VARCHAR, [BOOLEAN]"; brackets mark what may be left out, "any" stands for every type.
std::string ArgumentList(const std::vector<LogicalType>& types, size_t optional = 0) {
  std::string text;
  for (size_t i = 0; i < types.size(); i++) {
    if (i != 0) text += ", ";
    const std::string name = types[i].id() == TypeId::kNull ? "any" : types[i].ToString();
    text += i + optional >= types.size() ? "[" + name + "]" : name;
  }
  return text;
}

Value ReturnTypeOf(const LogicalType& type, bool any_types) {
  return Value::Varchar(any_types && type.id() == TypeId::kNull ? "any" : type.ToString());
}

void AddFunction(BoundListing& listing, const std::string& name, const char* kind, std::string arguments,
                 Value return_type, const std::string& description, const std::string& example) {
  listing.rows.push_back({Value::Varchar(name), Value::Varchar(kind), Value::Varchar(std::move(arguments)),
                          std::move(return_type), Value::Varchar(description), Value::Varchar(example)});
}

std::unique_ptr<BoundTableFunction> BindFunctions(const FunctionContext&, const TableFunctionArguments&) {
  auto listing = std::make_unique<BoundListing>();
  for (const char* name :
       {"function_name", "function_type", "argument_types", "return_type", "description", "example"}) {
    listing->AddColumn(name, TypeId::kVarchar);
  }
  const FunctionRegistry& registry = FunctionRegistry::Builtin();
  for (const ScalarFunction* function : registry.AllScalar()) {
    std::string arguments = ArgumentList(function->argument_types);
    if (function->varargs) {
      if (!arguments.empty()) arguments += ", ";
      arguments += ArgumentList({*function->varargs}) + "...";
    }
    AddFunction(*listing, function->name, "scalar", std::move(arguments),
                ReturnTypeOf(function->return_type, function->any_types), function->description,
                function->example);
  }
  for (const AggregateFunction* function : registry.AllAggregate()) {
    AddFunction(*listing, function->name, "aggregate", ArgumentList(function->argument_types),
                ReturnTypeOf(function->return_type, function->any_types), function->description,
                function->example);
  }
  for (const WindowFunction& function : BuiltinWindowFunctions()) {
    const bool is_argument = function.return_type == TypeId::kNull;
    AddFunction(*listing, function.name, "window", function.argument_types,
                Value::Varchar(is_argument ? "any" : LogicalType(function.return_type).ToString()),
                function.description, function.example);
  }
  for (const TableFunction* function : registry.AllTable()) {
    AddFunction(*listing, function->name, "table",
                ArgumentList(function->argument_types, function->optional_arguments),
                Value(LogicalType(TypeId::kVarchar)), function->description, function->example);
  }
  return Finished(std::move(listing));
}

std::unique_ptr<BoundTableFunction> BindSettings(const FunctionContext& context,
                                                 const TableFunctionArguments&) {
  auto listing = std::make_unique<BoundListing>();
  for (const char* name : {"name", "value", "description"}) listing->AddColumn(name, TypeId::kVarchar);
  for (const SettingDefinition& setting : AllSettings()) {
    listing->rows.push_back({Value::Varchar(setting.name), Value::Varchar(setting.get(context.settings)),
                             Value::Varchar(setting.description)});
  }
  return Finished(std::move(listing));
}

std::unique_ptr<BoundTableFunction> BindTables(const FunctionContext& context,
                                               const TableFunctionArguments&) {
  auto listing = std::make_unique<BoundListing>();
  listing->AddColumn("schema_name", TypeId::kVarchar);
  listing->AddColumn("table_name", TypeId::kVarchar);
  listing->AddColumn("row_count", TypeId::kBigInt);
  for (const TableListing& table : context.listing.Tables()) {
    listing->rows.push_back({Value::Varchar(table.schema), Value::Varchar(table.name),
                             Value::BigInt(static_cast<int64_t>(table.row_count))});
  }
  return Finished(std::move(listing));
}

std::unique_ptr<BoundTableFunction> BindColumns(const FunctionContext& context,
                                                const TableFunctionArguments&) {
  auto listing = std::make_unique<BoundListing>();
  for (const char* name : {"schema_name", "table_name", "column_name"})
    listing->AddColumn(name, TypeId::kVarchar);
  listing->AddColumn("position", TypeId::kInteger);
  listing->AddColumn("data_type", TypeId::kVarchar);
  listing->AddColumn("not_null", TypeId::kBoolean);
  listing->AddColumn("column_default", TypeId::kVarchar);
  for (const TableListing& table : context.listing.Tables()) {
    int32_t position = 0;
    for (const ColumnListing& column : table.columns) {
      Value default_text = column.default_text.empty() ? Value(LogicalType(TypeId::kVarchar))
                                                       : Value::Varchar(column.default_text);
      listing->rows.push_back({Value::Varchar(table.schema), Value::Varchar(table.name),
                               Value::Varchar(column.name), Value::Integer(++position),
                               Value::Varchar(column.type.ToString()), Value::Boolean(column.not_null),
                               std::move(default_text)});
    }
  }
  return Finished(std::move(listing));
}

TableFunction MakeListing(const char* name, const char* description, const char* example,
                          std::unique_ptr<BoundTableFunction> (*bind)(const FunctionContext&,
                                                                      const TableFunctionArguments&)) {
  TableFunction function;
  function.name = name;
  function.description = description;
  function.example = example;
  function.bind = bind;
  function.create_shared = CreateShared;
  function.create_local = CreateLocal;
  function.next = Next;
  return function;
}

}  // namespace

TableFunction MakeFunctionListing() {
  return MakeListing("scaup_functions", "Every overload of every function.",
                     "SELECT * FROM scaup_functions()", BindFunctions);
}
TableFunction MakeSettingListing() {
  return MakeListing("scaup_settings", "Every setting and its value.", "SELECT * FROM scaup_settings()",
                     BindSettings);
}
TableFunction MakeTableListing() {
  return MakeListing("scaup_tables", "Every table and its number of rows.", "SELECT * FROM scaup_tables()",
                     BindTables);
}
TableFunction MakeColumnListing() {
  return MakeListing("scaup_columns", "Every column of every table.", "SELECT * FROM scaup_columns()",
                     BindColumns);
}

}  // namespace scaup
