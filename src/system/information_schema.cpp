// information_schema: its relations as in the SQL standard and PostgreSQL. What Scaup lacks is NULL. NOT NULL
// is listed as a CHECK.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "function/pg_objects.hpp"
#include "function/scalar/string/case_mapping.hpp"
#include "system/system_relations.hpp"
#include "type/pg_type.hpp"
#include "type/text/temporary_name.hpp"
#include "type/type_modifier.hpp"
#include "type/type_name.hpp"

namespace scaup {
namespace {

Value YesNo(bool is_yes) { return TextValue(is_yes ? "YES" : "NO"); }

std::string DatabaseName(const FunctionContext& context) { return context.listing.DatabaseSize().name; }

ListingRows SchemataRows(const FunctionContext& context, const BoundListing& bound) {
  SystemRows rows(bound);
  const std::string database = DatabaseName(context);
  std::vector<std::string> names = context.listing.Schemas();
  names.emplace_back(kInformationSchema);
  names.emplace_back(kPgCatalog);
  for (const std::string& name : names) {
    rows.Add({{"catalog_name", TextValue(database)},
              {"schema_name", TextValue(name)},
              {"schema_owner", TextValue("scaup")}});
  }
  return rows.Take();
}

constexpr SystemRelation kSchemata = {
    "information_schema.schemata",
    "catalog_name schema_name schema_owner default_character_set_catalog default_character_set_schema "
    "default_character_set_name sql_path",
    SchemataRows, "All schemas."};

ListingRows TableRows(const FunctionContext& context, const BoundListing& bound) {
  SystemRows rows(bound);
  const std::string database = DatabaseName(context);
  const auto add = [&](const std::string& schema, const std::string& name, bool is_view, bool is_insertable) {
    rows.Add({{"table_catalog", TextValue(database)},
              {"table_schema", TextValue(schema)},
              {"table_name", TextValue(name)},
              {"table_type", TextValue(is_view                     ? "VIEW"
                                       : IsTemporarySchema(schema) ? "LOCAL TEMPORARY"
                                                                   : "BASE TABLE")},
              {"is_insertable_into", YesNo(is_insertable)},
              {"is_typed", TextValue("NO")},
              {"commit_action",
               is_view || !IsTemporarySchema(schema) ? Value(TypeId::kVarchar) : TextValue("PRESERVE")}});
  };
  for (const TableListing& table : context.listing.Tables()) {
    if (!table.is_materialized) add(table.schema, table.name, false, true);
  }
  for (const ViewListing& view : context.listing.Views()) {
    const std::vector<bool> updatable = context.listing.UpdatableColumns(context, view.schema, view.name);
    add(view.schema, view.name, true, !updatable.empty());
  }
  return rows.Take();
}

constexpr SystemRelation kTables = {
    "information_schema.tables",
    "table_catalog table_schema table_name table_type self_referencing_column_name reference_generation "
    "user_defined_type_catalog user_defined_type_schema user_defined_type_name is_insertable_into is_typed "
    "commit_action",
    TableRows, "All tables and views."};

ListingRows ViewRows(const FunctionContext& context, const BoundListing& bound) {
  SystemRows rows(bound);
  const std::string database = DatabaseName(context);
  for (const ViewListing& view : context.listing.Views()) {
    const bool is_updatable = !context.listing.UpdatableColumns(context, view.schema, view.name).empty();
    rows.Add({{"table_catalog", TextValue(database)},
              {"table_schema", TextValue(view.schema)},
              {"table_name", TextValue(view.name)},
              {"view_definition", TextValue(view.query)},
              {"check_option", TextValue(std::string(view.check_option))},
              {"is_updatable", YesNo(is_updatable)},
              {"is_insertable_into", YesNo(is_updatable)},
              {"is_trigger_updatable", TextValue("NO")},
              {"is_trigger_deletable", TextValue("NO")},
              {"is_trigger_insertable_into", TextValue("NO")}});
  }
  return rows.Take();
}

constexpr SystemRelation kViews = {
    "information_schema.views",
    "table_catalog table_schema table_name view_definition check_option is_updatable is_insertable_into "
    "is_trigger_updatable is_trigger_deletable is_trigger_insertable_into",
    ViewRows, "All views."};

/// The number of digits: decimal for DECIMAL, binary for other numbers; 0 for types that are not numbers.
int64_t NumericPrecision(const LogicalType& type) {
  switch (type.id()) {
    case TypeId::kTinyInt:
    case TypeId::kUTinyInt: return 8;
    case TypeId::kSmallInt:
    case TypeId::kUSmallInt: return 16;
    case TypeId::kInteger:
    case TypeId::kUInteger: return 32;
    case TypeId::kBigInt:
    case TypeId::kUBigInt: return 64;
    case TypeId::kHugeInt: return 128;
    case TypeId::kReal: return 24;
    case TypeId::kDouble: return 53;
    case TypeId::kDecimal: return type.width();
    default: return 0;
  }
}

using ColumnValues = std::vector<std::pair<std::string_view, Value>>;

/// Without type parameters, which have columns of their own.
std::string DataTypeName(const LogicalType& type) {
  switch (type.id()) {
    case TypeId::kDecimal: return "numeric";
    case TypeId::kList: return IsMap(type) ? type.ToString() : "ARRAY";
    case TypeId::kEnum: return "USER-DEFINED";
    default:
      if (TextLengthOf(type)) return IsChar(type) ? "character" : "character varying";
      return PostgresTypeName(type);
  }
}

std::string UdtName(const LogicalType& type, const TypeListing* enumeration) {
  if (type.id() == TypeId::kList && !IsMap(type)) return "_" + UdtName(type.element(), enumeration);
  if (enumeration != nullptr) return enumeration->name;
  return type.id() == TypeId::kStruct && !IsUnion(type) ? "record" : PgTypeOf(type).name;
}

void AddTypeValues(const LogicalType& type, const std::string& database,
                   const std::vector<TypeListing>& types, ColumnValues& values) {
  const TypeListing* enumeration = FindEnum(types, type);
  values.emplace_back("data_type", TextValue(DataTypeName(type)));
  values.emplace_back("udt_catalog", TextValue(database));
  values.emplace_back("udt_schema", TextValue(enumeration == nullptr ? kPgCatalog : enumeration->schema));
  values.emplace_back("udt_name", TextValue(UdtName(type, enumeration)));
  if (const int64_t precision = NumericPrecision(type); precision > 0) {
    values.emplace_back("numeric_precision", IntValue(precision));
    values.emplace_back("numeric_precision_radix", IntValue(type.id() == TypeId::kDecimal ? 10 : 2));
    if (!type.IsFloating()) values.emplace_back("numeric_scale", IntValue(type.scale()));
  }
  if (type.id() == TypeId::kNumeric) values.emplace_back("numeric_precision_radix", IntValue(10));
  if (type.id() == TypeId::kDate) values.emplace_back("datetime_precision", IntValue(0));
  if (type.id() == TypeId::kTime || type.id() == TypeId::kTimestamp || type.id() == TypeId::kTimestampTz ||
      type.id() == TypeId::kInterval || type.id() == TypeId::kTimeTz) {
    values.emplace_back("datetime_precision", IntValue(PrecisionOf(type).value_or(kMaxPrecision)));
  }
  if (const std::string fields = IntervalFieldsText(IntervalFieldsOf(type)); !fields.empty()) {
    std::string upper;
    ToUpper(fields, upper);
    values.emplace_back("interval_type", TextValue(upper));
  }
  if (const auto length = TextLengthOf(type)) {
    constexpr int64_t kMostBytesOfCharacter = 4;
    values.emplace_back("character_maximum_length", IntValue(*length));
    values.emplace_back("character_octet_length", IntValue(*length * kMostBytesOfCharacter));
  }
  if (const auto length = BitLengthOf(type))
    values.emplace_back("character_maximum_length", IntValue(*length));
}

void AddDomainValues(const std::string& database, const std::string& schema, const std::string& domain,
                     ColumnValues& values) {
  values.emplace_back("domain_catalog", TextValue(database));
  values.emplace_back("domain_schema", TextValue(schema));
  values.emplace_back("domain_name", TextValue(domain));
}

/// Adds the collation, unless it is that of the database.
void AddCollationValues(const std::string& database, const std::string& collation, ColumnValues& values) {
  if (collation.empty()) return;
  values.emplace_back("collation_catalog", TextValue(database));
  values.emplace_back("collation_schema", TextValue(kPgCatalog));
  values.emplace_back("collation_name", TextValue(collation));
}

ListingRows DomainRows(const FunctionContext& context, const BoundListing& bound) {
  SystemRows rows(bound);
  const std::string database = DatabaseName(context);
  const std::vector<TypeListing> types = context.listing.Types();
  for (const DomainListing& domain : context.listing.Domains()) {
    ColumnValues values = {{"domain_default", TextOrNull(domain.default_text)},
                           {"dtd_identifier", TextValue("1")}};
    AddDomainValues(database, domain.schema, domain.name, values);
    AddTypeValues(domain.type, database, types, values);
    AddCollationValues(database, domain.collation, values);
    rows.Add(std::move(values));
  }
  return rows.Take();
}

constexpr SystemRelation kDomains = {
    "information_schema.domains",
    "domain_catalog domain_schema domain_name data_type character_maximum_length:int "
    "character_octet_length:int character_set_catalog character_set_schema character_set_name "
    "collation_catalog collation_schema collation_name numeric_precision:int numeric_precision_radix:int "
    "numeric_scale:int datetime_precision:int interval_type interval_precision:int domain_default "
    "udt_catalog "
    "udt_schema udt_name scope_catalog scope_schema scope_name maximum_cardinality:int dtd_identifier",
    DomainRows, "All domains."};

ListingRows DomainConstraintRows(const FunctionContext& context, const BoundListing& bound) {
  SystemRows rows(bound);
  const std::string database = DatabaseName(context);
  for (const DomainListing& domain : context.listing.Domains()) {
    for (const auto& check : domain.checks) {
      ColumnValues values = {{"constraint_catalog", TextValue(database)},
                             {"constraint_schema", TextValue(domain.schema)},
                             {"constraint_name", TextValue(check.first)},
                             {"is_deferrable", TextValue("NO")},
                             {"initially_deferred", TextValue("NO")}};
      AddDomainValues(database, domain.schema, domain.name, values);
      rows.Add(std::move(values));
    }
  }
  return rows.Take();
}

constexpr SystemRelation kDomainConstraints = {
    "information_schema.domain_constraints",
    "constraint_catalog constraint_schema constraint_name domain_catalog domain_schema domain_name "
    "is_deferrable initially_deferred",
    DomainConstraintRows, "The CHECK constraints of domains."};

/// The data that rows of columns need besides the columns, listed once for all of them.
struct ColumnSurroundings {
  explicit ColumnSurroundings(const FunctionContext& context)
      : database(DatabaseName(context)), types(context.listing.Types()) {
    for (SequenceListing& sequence : context.listing.Sequences()) {
      if (sequence.owner_table.empty()) continue;
      Owner owner{sequence.schema, sequence.owner_table, sequence.owner_column};
      sequences.emplace(std::move(owner), std::move(sequence));
    }
  }
  using Owner = std::tuple<std::string, std::string, std::string>;  // Schema, table, column.
  std::string database;
  std::vector<TypeListing> types;
  std::map<Owner, SequenceListing> sequences;  // Sequences of identity columns.
};

void AddColumnRows(const ColumnSurroundings& surroundings, const std::string& schema,
                   const std::string& table, const std::vector<ColumnListing>& columns,
                   const std::vector<bool>& updatable, SystemRows& rows) {
  const std::string& database = surroundings.database;
  int64_t position = 0;
  for (const ColumnListing& column : columns) {
    const bool has_identity = column.identity != ColumnListing::Identity::kNone;
    const bool is_always = column.identity == ColumnListing::Identity::kAlways;
    const bool is_generated = !column.generated_text.empty();
    ColumnValues values = {{"table_catalog", TextValue(database)},
                           {"table_schema", TextValue(schema)},
                           {"table_name", TextValue(table)},
                           {"column_name", TextValue(column.name)},
                           {"ordinal_position", IntValue(++position)},
                           {"is_nullable", YesNo(!column.not_null)},
                           {"dtd_identifier", TextValue(std::to_string(position))},
                           {"is_self_referencing", TextValue("NO")},
                           {"is_identity", YesNo(has_identity)},
                           {"is_generated", TextValue(is_generated ? "ALWAYS" : "NEVER")},
                           {"generation_expression", TextOrNull(column.generated_text)},
                           {"is_updatable", YesNo(static_cast<size_t>(position) <= updatable.size() &&
                                                  updatable[static_cast<size_t>(position) - 1])}};
    if (!has_identity) values.emplace_back("column_default", TextOrNull(column.default_text));
    if (has_identity)
      values.emplace_back("identity_generation", TextValue(is_always ? "ALWAYS" : "BY DEFAULT"));
    const auto owned = surroundings.sequences.find({schema, table, column.name});
    if (has_identity && owned != surroundings.sequences.end()) {
      const SequenceListing& sequence = owned->second;
      values.emplace_back("identity_start", TextValue(std::to_string(sequence.start)));
      values.emplace_back("identity_increment", TextValue(std::to_string(sequence.increment)));
      values.emplace_back("identity_maximum", TextValue(std::to_string(sequence.maximum)));
      values.emplace_back("identity_minimum", TextValue(std::to_string(sequence.minimum)));
    }
    values.emplace_back("identity_cycle", TextValue("NO"));
    AddTypeValues(column.type, database, surroundings.types, values);
    AddCollationValues(database, column.collation, values);
    if (!column.domain.empty()) AddDomainValues(database, column.domain_schema, column.domain, values);
    rows.Add(std::move(values));
  }
}

ListingRows ColumnRows(const FunctionContext& context, const BoundListing& bound) {
  SystemRows rows(bound);
  const ColumnSurroundings surroundings(context);
  for (const TableListing& table : context.listing.Tables()) {
    // PostgreSQL does not list those of materialized views.
    if (table.is_materialized) continue;
    AddColumnRows(surroundings, table.schema, table.name, table.columns,
                  std::vector<bool>(table.columns.size(), true), rows);
  }
  for (const ViewListing& view : context.listing.Views()) {
    AddColumnRows(surroundings, view.schema, view.name, view.columns,
                  context.listing.UpdatableColumns(context, view.schema, view.name), rows);
  }
  return rows.Take();
}

constexpr SystemRelation kColumns = {
    "information_schema.columns",
    "table_catalog table_schema table_name column_name ordinal_position:int column_default is_nullable "
    "data_type "
    "character_maximum_length:int character_octet_length:int numeric_precision:int "
    "numeric_precision_radix:int "
    "numeric_scale:int datetime_precision:int interval_type interval_precision:int character_set_catalog "
    "character_set_schema character_set_name collation_catalog collation_schema collation_name "
    "domain_catalog "
    "domain_schema domain_name udt_catalog udt_schema udt_name scope_catalog scope_schema scope_name "
    "maximum_cardinality:int dtd_identifier is_self_referencing is_identity identity_generation "
    "identity_start "
    "identity_increment identity_maximum identity_minimum identity_cycle is_generated generation_expression "
    "is_updatable",
    ColumnRows, "All columns of tables and views."};

std::string_view KindText(ConstraintListing::Kind kind) {
  switch (kind) {
    case ConstraintListing::Kind::kCheck: return "CHECK";
    case ConstraintListing::Kind::kUnique: return "UNIQUE";
    case ConstraintListing::Kind::kPrimaryKey: return "PRIMARY KEY";
    case ConstraintListing::Kind::kForeignKey: return "FOREIGN KEY";
  }
  return "";
}

/// Calls visit(table, constraint, its first values) for all constraints.
template <typename Visit>
void ForEachConstraint(const FunctionContext& context, Visit&& visit) {
  const std::string database = DatabaseName(context);
  for (const TableListing& table : context.listing.Tables()) {
    for (const ConstraintListing& constraint : table.constraints) {
      visit(table, constraint,
            ColumnValues{{"constraint_catalog", TextValue(database)},
                         {"constraint_schema", TextValue(table.schema)},
                         {"constraint_name", TextValue(constraint.name)}});
    }
  }
}

void AddTableValues(const FunctionContext& context, const std::string& schema, const std::string& table,
                    ColumnValues& values) {
  values.emplace_back("table_catalog", TextValue(DatabaseName(context)));
  values.emplace_back("table_schema", TextValue(schema));
  values.emplace_back("table_name", TextValue(table));
}

/// Calls visit(table, column, its first values) for all columns that are NOT NULL. As in PostgreSQL, each is
/// a CHECK whose name is made of numbers.
template <typename Visit>
void ForEachNotNull(const FunctionContext& context, Visit&& visit) {
  const std::string database = DatabaseName(context);
  const PgObjects objects(context.listing);
  for (const TableListing& table : objects.tables()) {
    for (size_t i = 0; i < table.columns.size(); i++) {
      if (!table.columns[i].not_null) continue;
      const std::string name =
          fmt::format("{}_{}_{}_not_null", objects.Oid(PgObjectKind::kSchema, "", table.schema),
                      objects.Oid(PgObjectKind::kTable, table.schema, table.name), i + 1);
      visit(table, table.columns[i],
            ColumnValues{{"constraint_catalog", TextValue(database)},
                         {"constraint_schema", TextValue(table.schema)},
                         {"constraint_name", TextValue(name)}});
    }
  }
}

void AddTableConstraint(const FunctionContext& context, const TableListing& table,
                        const ConstraintListing& constraint, ColumnValues values, SystemRows& rows) {
  const std::string_view type = KindText(constraint.kind);
  AddTableValues(context, table.schema, table.name, values);
  values.emplace_back("constraint_type", TextValue(type));
  values.emplace_back("is_deferrable", TextValue(constraint.is_deferrable ? "YES" : "NO"));
  values.emplace_back("initially_deferred", TextValue(constraint.is_deferred ? "YES" : "NO"));
  values.emplace_back("enforced", TextValue("YES"));
  if (type == KindText(ConstraintListing::Kind::kUnique))
    values.emplace_back("nulls_distinct", TextValue("YES"));
  rows.Add(std::move(values));
}

ListingRows TableConstraintRows(const FunctionContext& context, const BoundListing& bound) {
  SystemRows rows(bound);
  ForEachConstraint(context,
                    [&](const TableListing& table, const ConstraintListing& constraint, ColumnValues values) {
                      AddTableConstraint(context, table, constraint, std::move(values), rows);
                    });
  ForEachNotNull(context, [&](const TableListing& table, const ColumnListing&, ColumnValues values) {
    AddTableConstraint(context, table, {}, std::move(values), rows);
  });
  return rows.Take();
}

constexpr SystemRelation kTableConstraints = {"information_schema.table_constraints",
                                              "constraint_catalog constraint_schema constraint_name "
                                              "table_catalog table_schema table_name constraint_type "
                                              "is_deferrable initially_deferred enforced nulls_distinct",
                                              TableConstraintRows,
                                              "Keys, foreign keys and checks of tables."};

ListingRows KeyColumnRows(const FunctionContext& context, const BoundListing& bound) {
  SystemRows rows(bound);
  const std::vector<TableListing> listed = context.listing.Tables();
  const TablesByName tables(listed);
  ForEachConstraint(context, [&](const TableListing& table, const ConstraintListing& constraint,
                                 const ColumnValues& first_values) {
    if (constraint.kind == ConstraintListing::Kind::kCheck) return;
    const ConstraintListing* key =
        constraint.kind == ConstraintListing::Kind::kForeignKey ? tables.ReferencedKey(constraint) : nullptr;
    for (size_t i = 0; i < constraint.columns.size(); i++) {
      ColumnValues values = first_values;
      AddTableValues(context, table.schema, table.name, values);
      values.emplace_back("column_name", TextValue(constraint.columns[i]));
      values.emplace_back("ordinal_position", IntValue(static_cast<int64_t>(i) + 1));
      if (key != nullptr) {
        const auto found =
            std::find(key->columns.begin(), key->columns.end(), constraint.referenced_columns[i]);
        values.emplace_back("position_in_unique_constraint", IntValue(found - key->columns.begin() + 1));
      }
      rows.Add(std::move(values));
    }
  });
  return rows.Take();
}

constexpr SystemRelation kKeyColumnUsage = {
    "information_schema.key_column_usage",
    "constraint_catalog constraint_schema constraint_name table_catalog table_schema table_name column_name "
    "ordinal_position:int position_in_unique_constraint:int",
    KeyColumnRows, "The columns of keys and foreign keys."};

ListingRows ReferentialRows(const FunctionContext& context, const BoundListing& bound) {
  SystemRows rows(bound);
  const std::vector<TableListing> listed = context.listing.Tables();
  const TablesByName tables(listed);
  ForEachConstraint(
      context, [&](const TableListing&, const ConstraintListing& constraint, ColumnValues values) {
        if (constraint.kind != ConstraintListing::Kind::kForeignKey) return;
        if (const ConstraintListing* key = tables.ReferencedKey(constraint)) {
          values.emplace_back("unique_constraint_catalog", TextValue(DatabaseName(context)));
          values.emplace_back("unique_constraint_schema", TextValue(constraint.referenced_schema));
          values.emplace_back("unique_constraint_name", TextValue(key->name));
        }
        values.emplace_back("match_option", TextValue("NONE"));
        values.emplace_back("update_rule", TextValue(constraint.on_update));
        values.emplace_back("delete_rule", TextValue(constraint.on_delete));
        rows.Add(std::move(values));
      });
  return rows.Take();
}

constexpr SystemRelation kReferentialConstraints = {
    "information_schema.referential_constraints",
    "constraint_catalog constraint_schema constraint_name unique_constraint_catalog unique_constraint_schema "
    "unique_constraint_name match_option update_rule delete_rule",
    ReferentialRows, "Foreign keys with the keys that they refer to."};

ListingRows CheckRows(const FunctionContext& context, const BoundListing& bound) {
  SystemRows rows(bound);
  ForEachConstraint(context,
                    [&](const TableListing&, const ConstraintListing& constraint, ColumnValues values) {
                      if (constraint.kind != ConstraintListing::Kind::kCheck) return;
                      values.emplace_back("check_clause", TextValue(constraint.check_text));
                      rows.Add(std::move(values));
                    });
  for (const DomainListing& domain : context.listing.Domains()) {
    for (const auto& [name, condition] : domain.checks) {
      rows.Add({{"constraint_catalog", TextValue(DatabaseName(context))},
                {"constraint_schema", TextValue(domain.schema)},
                {"constraint_name", TextValue(name)},
                {"check_clause", TextValue(condition)}});
    }
  }
  ForEachNotNull(context, [&](const TableListing&, const ColumnListing& column, ColumnValues values) {
    values.emplace_back("check_clause", TextValue(column.name + " IS NOT NULL"));
    rows.Add(std::move(values));
  });
  return rows.Take();
}

constexpr SystemRelation kCheckConstraints = {
    "information_schema.check_constraints",
    "constraint_catalog constraint_schema constraint_name check_clause", CheckRows,
    "The conditions of CHECK constraints."};

ListingRows ConstraintColumnRows(const FunctionContext& context, const BoundListing& bound) {
  SystemRows rows(bound);
  ForEachConstraint(context, [&](const TableListing& table, const ConstraintListing& constraint,
                                 const ColumnValues& first_values) {
    const bool is_foreign = constraint.kind == ConstraintListing::Kind::kForeignKey;
    for (const std::string& column : is_foreign ? constraint.referenced_columns : constraint.columns) {
      ColumnValues values = first_values;
      AddTableValues(context, is_foreign ? constraint.referenced_schema : table.schema,
                     is_foreign ? constraint.referenced_table : table.name, values);
      values.emplace_back("column_name", TextValue(column));
      rows.Add(std::move(values));
    }
  });
  return rows.Take();
}

constexpr SystemRelation kConstraintColumnUsage = {
    "information_schema.constraint_column_usage",
    "table_catalog table_schema table_name column_name constraint_catalog constraint_schema constraint_name",
    ConstraintColumnRows, "The columns that keys and checks are over, and that foreign keys refer to."};

ListingRows ConstraintTableRows(const FunctionContext& context, const BoundListing& bound) {
  SystemRows rows(bound);
  ForEachConstraint(context,
                    [&](const TableListing& table, const ConstraintListing& constraint, ColumnValues values) {
                      if (constraint.kind == ConstraintListing::Kind::kCheck) return;
                      const bool is_foreign = constraint.kind == ConstraintListing::Kind::kForeignKey;
                      AddTableValues(context, is_foreign ? constraint.referenced_schema : table.schema,
                                     is_foreign ? constraint.referenced_table : table.name, values);
                      rows.Add(std::move(values));
                    });
  return rows.Take();
}

constexpr SystemRelation kConstraintTableUsage = {
    "information_schema.constraint_table_usage",
    "table_catalog table_schema table_name constraint_catalog constraint_schema constraint_name",
    ConstraintTableRows, "The tables that have keys, and to which foreign keys refer."};

ListingRows CharacterSetRows(const FunctionContext& context, const BoundListing& bound) {
  SystemRows rows(bound);
  rows.Add({{"character_set_name", TextValue("UTF8")},
            {"character_repertoire", TextValue("UCS")},
            {"form_of_use", TextValue("UTF8")},
            {"default_collate_catalog", TextValue(DatabaseName(context))},
            {"default_collate_schema", TextValue(kPgCatalog)},
            {"default_collate_name", TextValue("C")}});
  return rows.Take();
}

constexpr SystemRelation kCharacterSets = {
    "information_schema.character_sets",
    "character_set_catalog character_set_schema character_set_name character_repertoire form_of_use "
    "default_collate_catalog default_collate_schema default_collate_name",
    CharacterSetRows, "The only character set, UTF8."};

ListingRows SequenceRows(const FunctionContext& context, const BoundListing& bound) {
  SystemRows rows(bound);
  const std::string database = DatabaseName(context);
  for (const SequenceListing& sequence : context.listing.Sequences()) {
    const int64_t precision = sequence.type == "smallint" ? 16 : sequence.type == "integer" ? 32 : 64;
    rows.Add({{"sequence_catalog", TextValue(database)},
              {"sequence_schema", TextValue(sequence.schema)},
              {"sequence_name", TextValue(sequence.name)},
              {"data_type", TextValue(sequence.type)},
              {"numeric_precision", IntValue(precision)},
              {"numeric_precision_radix", IntValue(2)},
              {"numeric_scale", IntValue(0)},
              {"start_value", TextValue(std::to_string(sequence.start))},
              {"minimum_value", TextValue(std::to_string(sequence.minimum))},
              {"maximum_value", TextValue(std::to_string(sequence.maximum))},
              {"increment", TextValue(std::to_string(sequence.increment))},
              {"cycle_option", YesNo(sequence.cycle)}});
  }
  return rows.Take();
}

constexpr SystemRelation kSequences = {
    "information_schema.sequences",
    "sequence_catalog sequence_schema sequence_name data_type numeric_precision:int "
    "numeric_precision_radix:int "
    "numeric_scale:int start_value minimum_value maximum_value increment cycle_option",
    SequenceRows, "All sequences."};

}  // namespace

std::vector<TableFunction> InformationSchemaRelations() {
  return {MakeSystemRelation<kSchemata>(),
          MakeSystemRelation<kTables>(),
          MakeSystemRelation<kViews>(),
          MakeSystemRelation<kColumns>(),
          MakeSystemRelation<kDomains>(),
          MakeSystemRelation<kDomainConstraints>(),
          MakeSystemRelation<kTableConstraints>(),
          MakeSystemRelation<kKeyColumnUsage>(),
          MakeSystemRelation<kReferentialConstraints>(),
          MakeSystemRelation<kCheckConstraints>(),
          MakeSystemRelation<kConstraintColumnUsage>(),
          MakeSystemRelation<kConstraintTableUsage>(),
          MakeSystemRelation<kCharacterSets>(),
          MakeSystemRelation<kSequences>()};
}

}  // namespace scaup
