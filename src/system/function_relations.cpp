// The functions that users define: pg_proc, information_schema.routines and parameters, duckdb_functions().
#include <fmt/format.h>

#include "common/settings/settings.hpp"
#include "function/database_listing.hpp"
#include "function/function_registry.hpp"
#include "function/pg_objects.hpp"
#include "system/system_listings.hpp"
#include "system/system_relations.hpp"
#include "type/pg_type.hpp"
#include "type/type_name.hpp"

namespace scaup {

namespace {

Value Number(int64_t number) { return Value::BigInt(number); }

/// Returns the name of a type as PostgreSQL shows it; "any" for the arguments of macros.
std::string TypeText(const LogicalType& type) {
  return type.id() == TypeId::kNull ? "any" : PostgresTypeName(type);
}

int64_t LanguageOid(const FunctionListing& function, const PgObjects& objects) {
  return function.is_hosted() ? objects.Oid(PgObjectKind::kLanguage, "", function.language)
                              : kPgSqlLanguageOid;
}

std::string UpperCase(std::string text) {
  for (char& c : text) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
  return text;
}

/// Returns the type of what a function returns: "record" for the rows of RETURNS TABLE and of macros.
std::string ResultOf(const FunctionListing& function) {
  return function.returns_rows && function.result_type.id() == TypeId::kNull ? "record"
                                                                             : TypeText(function.result_type);
}

/// Returns a list; NULL for an empty one.
Value ListOrNull(TypeId element, const std::vector<Value>& values) {
  return values.empty() ? Value(LogicalType::List(element)) : Value::List(element, values);
}

ListingRows ProcedureRows(const FunctionContext& context, const BoundListing& bound) {
  SystemRows rows(bound);
  const PgObjects objects(context.listing);
  for (const FunctionListing& function : objects.functions()) {
    std::string types;
    std::vector<Value> names, modes, all_types;
    size_t inputs = 0, defaults = 0;
    for (const FunctionArgumentListing& argument : function.arguments) {
      const int64_t oid = objects.TypeOf(argument.type).oid;
      names.push_back(TextValue(argument.name));
      modes.push_back(TextValue(argument.is_column ? "t" : "i"));
      all_types.push_back(Value::BigInt(oid));
      if (argument.is_column) continue;
      types += (types.empty() ? "" : " ") + std::to_string(oid);
      inputs++;
      defaults += argument.default_text.empty() ? 0 : 1;
    }
    // As in PostgreSQL, modes and types of all are there only if some are columns.
    const bool has_columns = inputs != function.arguments.size();
    rows.Add({{"oid", Number(objects.Oid(PgObjectKind::kFunction, function.schema, function.signature))},
              {"proname", TextValue(function.name)},
              {"pronamespace", Number(objects.Oid(PgObjectKind::kSchema, "", function.schema))},
              {"proowner", Number(kPgOwnerOid)},
              {"prolang", Number(LanguageOid(function, objects))},
              {"prokind", TextValue(function.is_aggregate ? "a" : "f")},
              {"prosecdef", Value::Boolean(false)},
              {"proleakproof", Value::Boolean(false)},
              {"proisstrict", Value::Boolean(function.is_strict)},
              {"proretset", Value::Boolean(function.returns_rows)},
              {"provolatile", TextValue(function.volatility.substr(0, 1))},
              {"proparallel", TextValue("s")},
              {"pronargs", IntValue(static_cast<int64_t>(inputs))},
              {"pronargdefaults", IntValue(static_cast<int64_t>(defaults))},
              {"prorettype", Number(objects.TypeOf(function.result_type).oid)},
              {"proargtypes", TextValue(types)},
              {"proargmodes", ListOrNull(TypeId::kVarchar, has_columns ? modes : std::vector<Value>())},
              {"proargnames", ListOrNull(TypeId::kVarchar, names)},
              {"proallargtypes", ListOrNull(TypeId::kBigInt, has_columns ? all_types : std::vector<Value>())},
              {"prosrc", TextValue(function.body)},
              {"procost", Value::Real(100)},
              {"prorows", Value::Real(function.returns_rows ? 1000 : 0)},
              {"provariadic", Number(0)},
              {"prosupport", Number(0)}});
  }
  return rows.Take();
}

constexpr SystemRelation kProcedures = {
    "pg_catalog.pg_proc",
    "oid:bigint proname pronamespace:bigint proowner:bigint prolang:bigint prokind prosecdef:bool "
    "proleakproof:bool proisstrict:bool proretset:bool provolatile proparallel pronargs:int "
    "pronargdefaults:int prorettype:bigint proargtypes proargmodes:text[] proargnames:text[] prosrc "
    "procost:real "
    "prorows:real "
    "provariadic:oid prosupport:oid proallargtypes:oid[] proargdefaults protrftypes:oid[] probin prosqlbody "
    "proconfig:text[] proacl:text[]",
    ProcedureRows, "The functions that users define."};

ListingRows RoutineRows(const FunctionContext& context, const BoundListing& bound) {
  SystemRows rows(bound);
  const PgObjects objects(context.listing);
  for (const FunctionListing& function : objects.functions()) {
    const int64_t oid = objects.Oid(PgObjectKind::kFunction, function.schema, function.signature);
    rows.Add({{"specific_schema", TextValue(function.schema)},
              {"specific_name", TextValue(fmt::format("{}_{}", function.name, oid))},
              {"routine_schema", TextValue(function.schema)},
              {"routine_name", TextValue(function.name)},
              {"routine_type", function.is_aggregate ? Value(TypeId::kVarchar) : TextValue("FUNCTION")},
              {"data_type", TextValue(ResultOf(function))},
              {"routine_body", TextValue(function.is_hosted() ? "EXTERNAL" : "SQL")},
              {"routine_definition", TextValue(function.body)},
              {"external_language", TextValue(UpperCase(function.language))},
              {"is_deterministic", TextValue(function.volatility == "immutable" ? "YES" : "NO")},
              {"sql_data_access", TextValue("READS SQL DATA")},
              {"is_null_call", TextValue(function.is_strict ? "YES" : "NO")}});
  }
  return rows.Take();
}

constexpr SystemRelation kRoutines = {
    "information_schema.routines",
    "specific_schema specific_name routine_schema routine_name routine_type data_type routine_body "
    "routine_definition external_language is_deterministic sql_data_access is_null_call",
    RoutineRows, "The functions that users define."};

ListingRows ParameterRows(const FunctionContext& context, const BoundListing& bound) {
  SystemRows rows(bound);
  const PgObjects objects(context.listing);
  for (const FunctionListing& function : objects.functions()) {
    const int64_t oid = objects.Oid(PgObjectKind::kFunction, function.schema, function.signature);
    int64_t position = 0;
    for (const FunctionArgumentListing& argument : function.arguments) {
      rows.Add({{"specific_schema", TextValue(function.schema)},
                {"specific_name", TextValue(fmt::format("{}_{}", function.name, oid))},
                {"ordinal_position", IntValue(++position)},
                {"parameter_mode", TextValue(argument.is_column ? "OUT" : "IN")},
                {"parameter_name", TextOrNull(argument.name)},
                {"data_type",
                 TextValue(argument.type_text.empty() ? TypeText(argument.type) : argument.type_text)},
                {"parameter_default", TextOrNull(argument.default_text)}});
    }
  }
  return rows.Take();
}

constexpr SystemRelation kParameters = {
    "information_schema.parameters",
    "specific_schema specific_name ordinal_position:int parameter_mode parameter_name data_type "
    "parameter_default",
    ParameterRows, "The arguments of the functions that users define."};

Value ListOfTexts(const std::vector<std::string>& texts) {
  std::vector<Value> values;
  for (const std::string& text : texts) values.push_back(TextValue(text));
  return Value::List(TypeId::kVarchar, std::move(values));
}

ListingRows DuckdbFunctionRows(const FunctionContext& context, const BoundListing&) {
  ListingRows rows;
  for (const FunctionListing& function : context.listing.Functions()) {
    std::vector<std::string> names, types;
    for (const FunctionArgumentListing& argument : function.arguments) {
      if (argument.is_column) continue;
      names.push_back(argument.name);
      types.push_back(argument.type.id() == TypeId::kNull ? "any" : argument.type.ToString());
    }
    const char* type = function.returns_rows   ? (function.is_macro ? "table_macro" : "table")
                       : function.is_macro     ? "macro"
                       : function.is_aggregate ? "aggregate"
                                               : "scalar";
    rows.push_back({TextValue(function.schema), TextValue(function.name), TextValue(type),
                    TextValue(function.language), TextOrNull(function.comment),
                    function.result_type.id() == TypeId::kNull ? Value(TypeId::kVarchar)
                                                               : TextValue(function.result_type.ToString()),
                    ListOfTexts(names), ListOfTexts(types), TextValue(function.body), Value::Boolean(false)});
  }
  const auto add = [&](const std::string& name, const char* kind, const std::vector<LogicalType>& arguments,
                       const LogicalType& result, const std::string& description) {
    std::vector<std::string> types;
    for (const LogicalType& type : arguments)
      types.push_back(type.id() == TypeId::kNull ? "any" : type.ToString());
    rows.push_back({TextValue(kPgCatalog), TextValue(name), TextValue(kind), TextValue("internal"),
                    TextOrNull(description),
                    TextValue(result.id() == TypeId::kNull ? "any" : result.ToString()), ListOfTexts({}),
                    ListOfTexts(types), Value(TypeId::kVarchar), Value::Boolean(true)});
  };
  for (const ScalarFunction* function : FunctionRegistry::Builtin().AllScalar())
    add(function->name, "scalar", function->argument_types, function->return_type, function->description);
  for (const AggregateFunction* function : FunctionRegistry::Builtin().AllAggregate())
    add(function->name, "aggregate", function->argument_types, function->return_type, function->description);
  return rows;
}

std::unique_ptr<BoundTableFunction> BindDuckdbFunctions(const FunctionContext&,
                                                        const TableFunctionArguments&) {
  auto bound = std::make_unique<BoundListing>();
  bound->AddColumns(TypeId::kVarchar,
                    {"schema_name", "function_name", "function_type", "language", "comment", "return_type"});
  for (const char* name : {"parameters", "parameter_types"}) {
    bound->column_names.push_back(name);
    bound->column_types.push_back(LogicalType::List(TypeId::kVarchar));
  }
  bound->AddColumns(TypeId::kVarchar, {"macro_definition"});
  bound->AddColumns(TypeId::kBoolean, {"internal"});
  bound->make_rows = DuckdbFunctionRows;
  return bound;
}

}  // namespace

TableFunction MakeDuckdbFunctionListing() {
  return MakeListing("duckdb_functions", "Every function, with the bodies of those that users define.",
                     "SELECT * FROM duckdb_functions()", {}, BindDuckdbFunctions);
}

std::vector<TableFunction> FunctionRelations() {
  return {MakeSystemRelation<kProcedures>(), MakeSystemRelation<kRoutines>(),
          MakeSystemRelation<kParameters>()};
}

}  // namespace scaup
