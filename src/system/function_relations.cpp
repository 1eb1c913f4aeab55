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
  if (function.is_trigger) return "trigger";
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
    std::vector<Value> names, modes, types, all_types;
    size_t defaults = 0;
    for (const FunctionArgumentListing& argument : function.arguments) {
      const int64_t oid = objects.TypeOf(argument.type).oid;
      names.push_back(TextValue(argument.name));
      modes.push_back(TextValue(argument.is_column ? "t" : "i"));
      all_types.push_back(Value::BigInt(oid));
      if (argument.is_column) continue;
      types.push_back(Value::BigInt(oid));
      defaults += argument.default_text.empty() ? 0 : 1;
    }
    // As in PostgreSQL, modes and types of all are there only if some are columns.
    const bool has_columns = types.size() != function.arguments.size();
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
              {"pronargs", IntValue(static_cast<int64_t>(types.size()))},
              {"pronargdefaults", IntValue(static_cast<int64_t>(defaults))},
              {"prorettype",
               Number(function.is_trigger ? kPgTriggerTypeOid : objects.TypeOf(function.result_type).oid)},
              {"proargtypes", Value::List(TypeId::kBigInt, types)},
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
    "oid:bigint proname pronamespace:bigint proowner:bigint prolang:bigint procost:real prorows:real "
    "provariadic:oid prosupport:oid prokind prosecdef:bool proleakproof:bool proisstrict:bool "
    "proretset:bool provolatile proparallel pronargs:int pronargdefaults:int prorettype:bigint "
    "proargtypes:oidvector proallargtypes:oid[] proargmodes:text[] proargnames:text[] proargdefaults "
    "protrftypes:oid[] prosrc probin prosqlbody proconfig:text[] proacl:text[]",
    ProcedureRows, "The functions that users define."};

ListingRows RoutineRows(const FunctionContext& context, const BoundListing& bound) {
  SystemRows rows(bound);
  const PgObjects objects(context.listing);
  const std::string database = context.listing.DatabaseSize().name;
  for (const FunctionListing& function : objects.functions()) {
    const int64_t oid = objects.Oid(PgObjectKind::kFunction, function.schema, function.signature);
    rows.Add({{"specific_catalog", TextValue(database)},
              {"specific_schema", TextValue(function.schema)},
              {"routine_catalog", TextValue(database)},
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
    "specific_catalog specific_schema specific_name routine_catalog routine_schema routine_name "
    "routine_type module_catalog module_schema module_name udt_catalog udt_schema udt_name data_type "
    "character_maximum_length:int character_octet_length:int character_set_catalog "
    "character_set_schema character_set_name collation_catalog collation_schema collation_name "
    "numeric_precision:int numeric_precision_radix:int numeric_scale:int datetime_precision:int "
    "interval_type interval_precision:int type_udt_catalog type_udt_schema type_udt_name "
    "scope_catalog scope_schema scope_name maximum_cardinality:int dtd_identifier routine_body "
    "routine_definition external_name external_language parameter_style is_deterministic "
    "sql_data_access is_null_call sql_path schema_level_routine max_dynamic_result_sets:int "
    "is_user_defined_cast is_implicitly_invocable security_type to_sql_specific_catalog "
    "to_sql_specific_schema to_sql_specific_name as_locator created:timestamptz "
    "last_altered:timestamptz new_savepoint_level is_udt_dependent result_cast_from_data_type "
    "result_cast_as_locator result_cast_char_max_length:int result_cast_char_octet_length:int "
    "result_cast_char_set_catalog result_cast_char_set_schema result_cast_char_set_name "
    "result_cast_collation_catalog result_cast_collation_schema result_cast_collation_name "
    "result_cast_numeric_precision:int result_cast_numeric_precision_radix:int "
    "result_cast_numeric_scale:int result_cast_datetime_precision:int result_cast_interval_type "
    "result_cast_interval_precision:int result_cast_type_udt_catalog result_cast_type_udt_schema "
    "result_cast_type_udt_name result_cast_scope_catalog result_cast_scope_schema "
    "result_cast_scope_name result_cast_maximum_cardinality:int result_cast_dtd_identifier",
    RoutineRows, "The functions that users define."};

ListingRows ParameterRows(const FunctionContext& context, const BoundListing& bound) {
  SystemRows rows(bound);
  const PgObjects objects(context.listing);
  const std::string database = context.listing.DatabaseSize().name;
  for (const FunctionListing& function : objects.functions()) {
    const int64_t oid = objects.Oid(PgObjectKind::kFunction, function.schema, function.signature);
    int64_t position = 0;
    for (const FunctionArgumentListing& argument : function.arguments) {
      rows.Add({{"specific_catalog", TextValue(database)},
                {"specific_schema", TextValue(function.schema)},
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
    "specific_catalog specific_schema specific_name ordinal_position:int parameter_mode is_result "
    "as_locator parameter_name data_type character_maximum_length:int character_octet_length:int "
    "character_set_catalog character_set_schema character_set_name collation_catalog "
    "collation_schema collation_name numeric_precision:int numeric_precision_radix:int "
    "numeric_scale:int datetime_precision:int interval_type interval_precision:int udt_catalog "
    "udt_schema udt_name scope_catalog scope_schema scope_name maximum_cardinality:int "
    "dtd_identifier parameter_default",
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
