// System information functions: version(), current_database(), format_type() and others.
#include <fmt/format.h>

#include "common/settings/settings.hpp"
#include "common/throw.hpp"
#include "common/version.hpp"
#include "function/pg_objects.hpp"
#include "function/scalar/catalog/object_number.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "type/pg_type.hpp"
#include "type/text/identifier_text.hpp"
#include "type/type_name.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

void SetConstantText(Vector& result, std::string_view text) {
  result.MutableData<StringRef>()[0] = result.AddString(text);
  result.SetConstant();
}

void Version(const ScalarCall&, DataChunk&, Vector& result) {
  // Clients look for PostgreSQL's version in the text.
  SetConstantText(result, std::string("Scaup ") + kVersion + " (compatible with PostgreSQL 15.0)");
}
void Database(const ScalarCall& call, DataChunk&, Vector& result) {
  SetConstantText(result, call.context.listing.DatabaseSize().name);
}
void Schema(const ScalarCall& call, DataChunk&, Vector& result) {
  const auto named = call.context.listing.SearchedSchemas().named;
  if (!named.empty()) return SetConstantText(result, named.front());
  result.SetNull(0);
  result.SetConstant();
}
void Schemas(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const DatabaseListing::Searched searched = call.context.listing.SearchedSchemas();
  const auto list_of = [](const std::vector<std::string>& names) {
    std::vector<Value> values;
    for (const std::string& name : names) values.push_back(Value::Varchar(name));
    return Value::List(TypeId::kVarchar, std::move(values));
  };
  const Value named = list_of(searched.named), all = list_of(searched.all);
  const auto with_implicit = arguments.column(0).ViewAs<uint8_t>(arguments.size());
  for (size_t row = 0; row < arguments.size(); row++) {
    if (with_implicit.IsValid(row)) {
      result.SetValue(row, with_implicit[row] != 0 ? all : named);
    } else {
      result.SetNull(row);
    }
  }
}
void User(const ScalarCall&, DataChunk&, Vector& result) { SetConstantText(result, kPgOwner); }

void NotInRecovery(const ScalarCall&, DataChunk&, Vector& result) {
  result.MutableData<uint8_t>()[0] = 0;
  result.SetConstant();
}

void BackendNumber(const ScalarCall& call, DataChunk&, Vector& result) {
  result.MutableData<int32_t>()[0] = call.context.listing.SessionNumber();
  result.SetConstant();
}

void UserById(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapUnary<int64_t, StringRef>(arguments.column(0), arguments.size(), result, [&](int64_t oid) {
    return result.AddString(oid == kPgOwnerOid ? kPgOwner : fmt::format("unknown (OID={})", oid));
  });
}

void EncodingName(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapUnary<int32_t, StringRef>(arguments.column(0), arguments.size(), result, [&](int32_t encoding) {
    return result.AddString(encoding == 6 ? "UTF8" : "");
  });
}

void FormatType(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  std::optional<PgObjects> objects;  // made on demand, because most types are built in
  const auto oids = arguments.column(0).ViewAs<int64_t>(arguments.size());
  const auto modifiers = arguments.column(1).ViewAs<int32_t>(arguments.size());
  for (size_t row = 0; row < arguments.size(); row++) {
    if (!oids.IsValid(row)) {
      result.SetNull(row);
      continue;
    }
    const auto modifier = modifiers.IsValid(row) ? std::optional(modifiers[row]) : std::nullopt;
    std::optional<std::string> name = FormatPgType(oids[row], modifier);
    if (!name && oids[row] != 0) {
      if (!objects) objects.emplace(call.context.listing);
      name = objects->TypeName(oids[row]);
    }
    result.MutableData<StringRef>()[row] = result.AddString(name.value_or(oids[row] == 0 ? "-" : "???"));
  }
}

/// Expressions are stored as the SQL text that pg_get_expr returns.
void Expression(const ScalarCall&, DataChunk& arguments, Vector& result) {
  const auto texts = arguments.column(0).ViewAs<StringRef>(arguments.size());
  for (size_t row = 0; row < arguments.size(); row++) {
    if (texts.IsValid(row)) {
      result.MutableData<StringRef>()[row] = result.AddString(texts[row].view());
    } else {
      result.SetNull(row);
    }
  }
}

/// The texts of definitions by OID.
using Definitions = std::map<int64_t, std::string>;

/// Returns the name of a type of a function; "any" for what a macro leaves open.
std::string NameOfType(const LogicalType& type) {
  return type.id() == TypeId::kNull ? "any" : PostgresTypeName(type);
}

/// Returns the arguments of a function, or the columns of its rows, as CREATE FUNCTION has them.
std::string ArgumentList(const FunctionListing& function, bool of_columns, bool with_defaults) {
  std::string list;
  for (const FunctionArgumentListing& argument : function.arguments) {
    if (argument.is_column != of_columns) continue;
    list += list.empty() ? "" : ", ";
    if (!argument.name.empty()) list += IdentifierText(argument.name) + " ";
    list += argument.type_text.empty() ? NameOfType(argument.type) : argument.type_text;
    if (with_defaults && !argument.default_text.empty()) list += " DEFAULT " + argument.default_text;
  }
  return list;
}

template <typename Define>
Definitions DefineFunctions(const PgObjects& objects, Define define) {
  Definitions definitions;
  for (const FunctionListing& function : objects.functions()) {
    definitions[objects.Oid(PgObjectKind::kFunction, function.schema, function.signature)] = define(function);
  }
  return definitions;
}

Definitions IndexDefinitions(const PgObjects& objects) {
  Definitions definitions;
  for (const TableListing& table : objects.tables()) {
    for (const IndexListing& index : table.indexes) {
      definitions[objects.Oid(PgObjectKind::kIndex, table.schema, index.name)] =
          IndexDefinition(table, index);
    }
  }
  return definitions;
}
Definitions ConstraintDefinitions(const PgObjects& objects) {
  Definitions definitions;
  for (const TableListing& table : objects.tables()) {
    for (const ConstraintListing& constraint : table.constraints) {
      definitions[objects.Oid(PgObjectKind::kConstraint, table.schema, constraint.name, table.name)] =
          ConstraintDefinition(objects, constraint);
    }
  }
  return definitions;
}
Definitions TriggerDefinitions(const PgObjects& objects) {
  Definitions definitions;
  for (const TableListing& table : objects.tables()) {
    for (const TriggerListing& trigger : table.triggers)
      definitions[objects.Oid(PgObjectKind::kTrigger, table.schema, trigger.name, table.name)] =
          trigger.definition;
  }
  return definitions;
}
Definitions ViewDefinitions(const PgObjects& objects) {
  Definitions definitions;
  for (const ViewListing& view : objects.views()) {
    definitions[objects.Oid(PgObjectKind::kView, view.schema, view.name)] = view.query;
  }
  for (const TableListing& table : objects.tables()) {
    if (table.is_materialized)
      definitions[objects.Oid(PgObjectKind::kTable, table.schema, table.name)] = table.query;
  }
  return definitions;
}

Definitions FunctionDefinitions(const PgObjects& objects) {
  constexpr std::string_view kCreate = "CREATE ";
  return DefineFunctions(objects, [&](const FunctionListing& function) {
    return "CREATE OR REPLACE " + function.definition.substr(kCreate.size());
  });
}
Definitions FunctionArguments(const PgObjects& objects) {
  return DefineFunctions(objects,
                         [](const FunctionListing& function) { return ArgumentList(function, false, true); });
}
Definitions FunctionIdentities(const PgObjects& objects) {
  return DefineFunctions(
      objects, [](const FunctionListing& function) { return ArgumentList(function, false, false); });
}
Definitions FunctionResults(const PgObjects& objects) {
  return DefineFunctions(objects, [](const FunctionListing& function) -> std::string {
    const std::string columns = ArgumentList(function, true, false);
    if (!columns.empty()) return "TABLE(" + columns + ")";
    if (function.is_trigger) return "trigger";
    return (function.returns_rows ? "SETOF " : "") + NameOfType(function.result_type);
  });
}

/// Returns the definition of an OID; NULL for an unknown one.
template <Definitions (*kDefine)(const PgObjects&)>
void Definition(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const Definitions definitions = kDefine(PgObjects(call.context.listing));
  const auto oids = arguments.column(0).ViewAs<int64_t>(arguments.size());
  for (size_t row = 0; row < arguments.size(); row++) {
    const auto found = oids.IsValid(row) ? definitions.find(oids[row]) : definitions.end();
    if (found == definitions.end()) {
      result.SetNull(row);
    } else {
      result.MutableData<StringRef>()[row] = result.AddString(found->second);
    }
  }
}

/// The comments by object. If the key is only an OID, the first comment of that OID counts.
template <typename Key, typename KeyOf>
std::map<Key, std::string> Comments(const ScalarCall& call, KeyOf key_of) {
  std::map<Key, std::string> comments;
  for (PgDescription& description : PgDescriptions(call.context.listing))
    comments.try_emplace(key_of(description), std::move(description.text));
  return comments;
}

template <typename Key>
void SetComment(const std::map<Key, std::string>& comments, const Key& key, size_t row, Vector& result) {
  const auto found = comments.find(key);
  if (found == comments.end()) {
    result.SetNull(row);
  } else {
    result.MutableData<StringRef>()[row] = result.AddString(found->second);
  }
}

std::string_view CatalogName(int64_t class_oid) {
  if (class_oid == kPgClassOid) return "pg_class";
  if (class_oid == kPgTypeOid) return "pg_type";
  if (class_oid == kPgProcOid) return "pg_proc";
  if (class_oid == kPgTriggerOid) return "pg_trigger";
  return class_oid == kPgConstraintOid ? "pg_constraint" : "pg_namespace";
}

void ObjectDescription(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  using Key = std::pair<int64_t, std::string_view>;
  const auto comments = Comments<Key>(call, [](const PgDescription& description) {
    // Comments on columns are excluded; col_description finds them.
    return Key(description.oid, description.column == 0 ? CatalogName(description.class_oid) : "");
  });
  const auto oids = arguments.column(0).ViewAs<int64_t>(arguments.size());
  const auto catalogs = arguments.column(1).ViewAs<StringRef>(arguments.size());
  for (size_t row = 0; row < arguments.size(); row++) {
    if (oids.IsValid(row) && catalogs.IsValid(row) && catalogs[row].size() != 0) {
      SetComment(comments, Key(oids[row], catalogs[row].view()), row, result);
    } else {
      result.SetNull(row);
    }
  }
}

void OnlyDescription(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  using Key = std::pair<int64_t, int64_t>;
  const auto comments = Comments<Key>(
      call, [](const PgDescription& description) { return Key(description.oid, description.column); });
  const auto oids = arguments.column(0).ViewAs<int64_t>(arguments.size());
  for (size_t row = 0; row < arguments.size(); row++) {
    if (oids.IsValid(row)) {
      SetComment(comments, Key(oids[row], 0), row, result);
    } else {
      result.SetNull(row);
    }
  }
}

void ColumnDescription(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  using Key = std::pair<int64_t, int64_t>;
  const auto comments = Comments<Key>(call, [](const PgDescription& description) {
    return Key(description.class_oid == kPgClassOid ? description.oid : 0, description.column);
  });
  const auto oids = arguments.column(0).ViewAs<int64_t>(arguments.size());
  const auto columns = arguments.column(1).ViewAs<int32_t>(arguments.size());
  for (size_t row = 0; row < arguments.size(); row++) {
    if (oids.IsValid(row) && columns.IsValid(row) && oids[row] != 0) {
      SetComment(comments, Key(oids[row], columns[row]), row, result);
    } else {
      result.SetNull(row);
    }
  }
}

/// Whether an object can be named without its schema. NULL if there is no such object.
template <ObjectNumber kKind>
void IsVisible(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const auto visible = VisibleObjects(kKind, PgObjects(call.context.listing));
  const auto oids = arguments.column(0).ViewAs<int64_t>(arguments.size());
  for (size_t row = 0; row < arguments.size(); row++) {
    const auto found = oids.IsValid(row) ? visible.find(oids[row]) : visible.end();
    if (found == visible.end()) {
      result.SetNull(row);
    } else {
      result.MutableData<uint8_t>()[row] = found->second ? 1 : 0;
    }
  }
}

/// The columns of indexes by OID.
void IndexColumn(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const PgObjects objects(call.context.listing);
  const Definitions definitions = IndexDefinitions(objects);
  std::map<int64_t, const IndexListing*> indexes;
  for (const TableListing& table : objects.tables()) {
    for (const IndexListing& index : table.indexes)
      indexes[objects.Oid(PgObjectKind::kIndex, table.schema, index.name)] = &index;
  }
  const auto oids = arguments.column(0).ViewAs<int64_t>(arguments.size());
  const auto numbers = arguments.column(1).ViewAs<int32_t>(arguments.size());
  const auto texts = result.MutableData<StringRef>();
  for (size_t row = 0; row < arguments.size(); row++) {
    const bool is_valid = oids.IsValid(row) && numbers.IsValid(row);
    const auto found = is_valid ? indexes.find(oids[row]) : indexes.end();
    if (found == indexes.end()) {
      result.SetNull(row);
      continue;
    }
    const IndexListing& index = *found->second;
    const auto number = static_cast<size_t>(std::max(numbers[row], 0));
    const bool is_column = number >= 1 && number <= index.columns.size();
    texts[row] = result.AddString(number == 0 ? definitions.at(oids[row])
                                  : is_column ? IndexKeyText(index, number)
                                              : "");
  }
}

}  // namespace

ScalarFunctionList SystemFunctions() {
  ScalarFunctionList list;
  const auto add = [&](const char* name, std::vector<LogicalType> types, TypeId type, ScalarKernel kernel,
                       const char* description, const char* example) -> ScalarFunction& {
    list.push_back({.name = name,
                    .argument_types = std::move(types),
                    .return_type = type,
                    .kernel = kernel,
                    .description = description,
                    .example = example,
                    .volatility = Volatility::kStable,
                    .can_fail = false});
    return list.back();
  };
  constexpr TypeId kText = TypeId::kVarchar, kOid = TypeId::kBigInt, kInteger = TypeId::kInteger;
  add("version", {}, kText, &Version, "Which version of Scaup this is.", "version()");
  for (const char* name : {"current_database", "current_catalog"}) {
    add(name, {}, kText, &Database, "The database's name: its file's, or memory.", "current_database()");
  }
  add("current_schema", {}, kText, &Schema,
      "The first schema of the search path, in which objects are created; NULL if none of it exists.",
      "current_schema()");
  add("current_schemas", {TypeId::kBoolean}, kText, &Schemas,
      "The schemas in which names without one are looked up; true adds those that are searched always.",
      "current_schemas(true)")
      .return_type = LogicalType::List(TypeId::kVarchar);
  for (const char* name : {"current_user", "session_user", "user", "current_role"}) {
    add(name, {}, kText, &User, "The only user.", "current_user");
  }
  add("pg_is_in_recovery", {}, TypeId::kBoolean, &NotInRecovery, "False: an open database has recovered.",
      "pg_is_in_recovery()");
  add("pg_backend_pid", {}, kInteger, &BackendNumber,
      "The number of the session, from 1: sessions are threads of one process.", "pg_backend_pid() > 0");
  add("obj_description", {kOid, kText}, kText, &ObjectDescription,
      "The comment on what a relation of pg_catalog lists.", "obj_description(1, 'pg_class')");
  add("obj_description", {kOid}, kText, &OnlyDescription, "The comment on what has this number.",
      "obj_description(1)");
  add("col_description", {kOid, kInteger}, kText, &ColumnDescription, "The comment on a column of a table.",
      "col_description(1, 1)");
  add("pg_get_userbyid", {kOid}, kText, &UserById, "The name of a user.", "pg_get_userbyid(10)");
  add("pg_encoding_to_char", {kInteger}, kText, &EncodingName, "The name of an encoding.",
      "pg_encoding_to_char(6)");
  add("format_type", {kOid, kInteger}, kText, &FormatType, "A type by its number and modifier.",
      "format_type(1700, 983046)")
      .nulls = NullHandling::kSpecial;
  add("pg_get_expr", {kText, kOid}, kText, &Expression, "The SQL of an expression of pg_catalog.",
      "pg_get_expr('1 + 1', 0)");
  add("pg_get_expr", {kText, kOid, TypeId::kBoolean}, kText, &Expression,
      "The SQL of an expression of pg_catalog.", "pg_get_expr('1 + 1', 0, true)");
  add("pg_get_indexdef", {kOid}, kText, &Definition<&IndexDefinitions>, "The statement that makes an index.",
      "pg_get_indexdef(1)");
  for (const bool is_pretty : {false, true}) {
    std::vector<LogicalType> types = {kOid};
    if (is_pretty) types.emplace_back(TypeId::kBoolean);
    add("pg_get_constraintdef", types, kText, &Definition<&ConstraintDefinitions>,
        "A constraint as CREATE TABLE has it.", "pg_get_constraintdef(1)");
    add("pg_get_triggerdef", types, kText, &Definition<&TriggerDefinitions>,
        "The statement that makes a trigger.", "pg_get_triggerdef(1)");
    add("pg_get_viewdef", types, kText, &Definition<&ViewDefinitions>, "The query of a view.",
        "pg_get_viewdef(1)");
  }
  add("pg_get_functiondef", {kOid}, kText, &Definition<&FunctionDefinitions>,
      "The statement that makes a function.", "pg_get_functiondef(1)");
  add("pg_get_function_arguments", {kOid}, kText, &Definition<&FunctionArguments>,
      "The arguments of a function, with defaults.", "pg_get_function_arguments(1)");
  add("pg_get_function_identity_arguments", {kOid}, kText, &Definition<&FunctionIdentities>,
      "The arguments of a function, without defaults.", "pg_get_function_identity_arguments(1)");
  add("pg_get_function_result", {kOid}, kText, &Definition<&FunctionResults>,
      "What a function returns, as after RETURNS.", "pg_get_function_result(1)");
  add("pg_get_indexdef", {kOid, kInteger, TypeId::kBoolean}, kText, &IndexColumn,
      "A column of an index; for 0, the statement that makes it.", "pg_get_indexdef(1, 1, true)");
  const auto add_visible = [&](const char* name, ScalarKernel kernel) {
    add(name, {kOid}, TypeId::kBoolean, kernel, "Whether an object is found without its schema's name.",
        "pg_table_is_visible(1)");
  };
  add_visible("pg_table_is_visible", &IsVisible<ObjectNumber::kClass>);
  add_visible("pg_type_is_visible", &IsVisible<ObjectNumber::kType>);
  add_visible("pg_function_is_visible", &IsVisible<ObjectNumber::kProcedure>);
  return list;
}

}  // namespace scaup
