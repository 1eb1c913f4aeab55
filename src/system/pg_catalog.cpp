// pg_catalog: the relations and columns that clients query.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "function/pg_objects.hpp"
#include "function/scalar/collation/collation.hpp"
#include "system/system_relations.hpp"
#include "type/pg_type.hpp"
#include "type/text/temporary_name.hpp"
#include "type/type_name.hpp"

namespace scaup {
namespace {

Value Letter(char letter) { return Value::Varchar(std::string(1, letter)); }
Value Oid(int64_t oid) { return Value::BigInt(oid); }
Value Bool(bool value) { return Value::Boolean(value); }

ListingRows NamespaceRows(const FunctionContext& context, const BoundListing& bound) {
  SystemRows rows(bound);
  const PgObjects objects(context.listing);
  for (const std::string& schema : objects.schemas()) {
    rows.Add({{"oid", Oid(objects.Oid(PgObjectKind::kSchema, "", schema))},
              {"nspname", TextValue(schema)},
              {"nspowner", Oid(kPgOwnerOid)}});
  }
  return rows.Take();
}

constexpr SystemRelation kNamespace = {
    "pg_catalog.pg_namespace", "oid:bigint nspname nspowner:bigint nspacl:text[]", NamespaceRows, "Schemas."};

/// The values of a pg_class row that differ between relations.
struct ClassRow {
  PgObjectKind kind;
  std::string_view schema;
  std::string_view name;
  size_t column_count = 0;
  double row_count = -1;
  size_t check_count = 0;
  bool has_index = false;
  bool has_triggers = false;
  bool is_materialized = false;
  bool is_populated = true;
};

int64_t AccessMethodOf(PgObjectKind kind) {
  if (kind == PgObjectKind::kTable) return kPgTableMethodOid;
  return kind == PgObjectKind::kIndex ? kPgIndexMethodOid : 0;
}

void AddClassRow(const PgObjects& objects, const ClassRow& row, SystemRows& rows) {
  rows.Add({{"oid", Oid(objects.Oid(row.kind, row.schema, row.name))},
            {"relname", TextValue(row.name)},
            {"relnamespace", Oid(objects.Oid(PgObjectKind::kSchema, "", row.schema))},
            {"reltype", Oid(0)},
            {"reloftype", Oid(0)},
            {"relowner", Oid(kPgOwnerOid)},
            {"relam", Oid(AccessMethodOf(row.kind))},
            {"relfilenode", Oid(0)},
            {"reltablespace", Oid(0)},
            {"relpages", IntValue(0)},
            {"reltuples", Value::Real(static_cast<float>(row.row_count))},
            {"relallvisible", IntValue(0)},
            {"reltoastrelid", Oid(0)},
            {"relhasindex", Bool(row.has_index)},
            {"relisshared", Bool(false)},
            {"relpersistence", TextValue(IsTemporarySchema(row.schema) ? "t" : "p")},
            {"relkind", Letter(row.is_materialized ? 'm' : static_cast<char>(row.kind))},
            {"relnatts", IntValue(static_cast<int64_t>(row.column_count))},
            {"relchecks", IntValue(static_cast<int64_t>(row.check_count))},
            {"relhasrules", Bool(row.kind == PgObjectKind::kView)},
            {"relhastriggers", Bool(row.has_triggers)},
            {"relhassubclass", Bool(false)},
            {"relrowsecurity", Bool(false)},
            {"relforcerowsecurity", Bool(false)},
            {"relispopulated", Bool(row.is_populated)},
            {"relreplident", TextValue("d")},
            {"relispartition", Bool(false)},
            {"relrewrite", Oid(0)},
            {"relfrozenxid", Oid(0)},
            {"relminmxid", Oid(0)}});
}

ListingRows ClassRows(const FunctionContext& context, const BoundListing& bound) {
  SystemRows rows(bound);
  const PgObjects objects(context.listing);
  // PostgreSQL's foreign keys are triggers of both tables, and clients look for keys where there are some.
  std::set<std::pair<std::string_view, std::string_view>> referenced;
  for (const TableListing& table : objects.tables()) {
    for (const ConstraintListing& constraint : table.constraints)
      referenced.emplace(constraint.referenced_schema, constraint.referenced_table);
  }
  for (const TableListing& table : objects.tables()) {
    const auto count = [&](ConstraintListing::Kind kind) {
      return static_cast<size_t>(
          std::count_if(table.constraints.begin(), table.constraints.end(),
                        [&](const auto& constraint) { return constraint.kind == kind; }));
    };
    AddClassRow(
        objects,
        {PgObjectKind::kTable, table.schema, table.name, table.columns.size(),
         static_cast<double>(table.row_count), count(ConstraintListing::Kind::kCheck), !table.indexes.empty(),
         !table.triggers.empty() || count(ConstraintListing::Kind::kForeignKey) > 0 ||
             referenced.contains({table.schema, table.name}),
         table.is_materialized, table.is_populated},
        rows);
    for (const IndexListing& index : table.indexes) {
      AddClassRow(objects, {PgObjectKind::kIndex, table.schema, index.name, index.columns.size()}, rows);
    }
  }
  for (const ViewListing& view : objects.views()) {
    AddClassRow(objects, {PgObjectKind::kView, view.schema, view.name, view.columns.size()}, rows);
  }
  for (const SequenceListing& sequence : objects.sequences()) {
    AddClassRow(objects, {PgObjectKind::kSequence, sequence.schema, sequence.name, 3, 1}, rows);
  }
  return rows.Take();
}

constexpr SystemRelation kClass = {
    "pg_catalog.pg_class",
    "oid:bigint relname relnamespace:bigint reltype:bigint reloftype:bigint relowner:bigint "
    "relam:bigint relfilenode:bigint reltablespace:bigint relpages:int reltuples:real "
    "relallvisible:int reltoastrelid:bigint relhasindex:bool relisshared:bool relpersistence relkind "
    "relnatts:int relchecks:int relhasrules:bool relhastriggers:bool relhassubclass:bool "
    "relrowsecurity:bool relforcerowsecurity:bool relispopulated:bool relreplident "
    "relispartition:bool relrewrite:oid relfrozenxid:bigint relminmxid:bigint relacl:text[] "
    "reloptions:text[] relpartbound",
    ClassRows, "Tables, views, indexes and sequences."};

char IdentityLetter(ColumnListing::Identity identity) {
  return identity == ColumnListing::Identity::kAlways ? 'a' : 'd';
}

/// Returns the number of dimensions that the type is declared with, as 2 for INTEGER[][].
int64_t ListDepth(const LogicalType& type) {
  int64_t depth = 0;
  for (const LogicalType* at = &type; at->id() == TypeId::kList && !IsMap(*at); at = &at->element()) depth++;
  return depth;
}

/// Returns the number of a column's collation; 0 for a type without collations.
int64_t CollationOf(const LogicalType& type, const std::string& collation) {
  if (type.id() != TypeId::kVarchar) return 0;
  return CollationOidOf(collation);
}

void AddAttributeRows(const PgObjects& objects, int64_t relation, const std::vector<ColumnListing>& columns,
                      SystemRows& rows) {
  int64_t number = 0;
  for (const ColumnListing& column : columns) {
    const PgTypeSummary type = objects.TypeOf(column);
    const bool has_identity = column.identity != ColumnListing::Identity::kNone;
    const bool is_generated = !column.generated_text.empty();
    rows.Add({{"attrelid", Oid(relation)},
              {"attname", TextValue(column.name)},
              {"atttypid", Oid(type.oid)},
              {"attstattarget", IntValue(-1)},
              {"attlen", IntValue(type.length)},
              {"attnum", IntValue(++number)},
              {"attndims", IntValue(ListDepth(column.type))},
              {"atttypmod", IntValue(PgTypeModifier(column.type))},
              {"attbyval", Bool(type.length > 0 && type.length <= 8)},
              {"attnotnull", Bool(column.not_null)},
              {"atthasdef", Bool(!has_identity && (is_generated || !column.default_text.empty()))},
              {"atthasmissing", Bool(false)},
              {"attidentity", has_identity ? Letter(IdentityLetter(column.identity)) : TextValue("")},
              {"attgenerated", TextValue(is_generated ? "s" : "")},
              {"attisdropped", Bool(false)},
              {"attislocal", Bool(true)},
              {"attinhcount", IntValue(0)},
              {"attcollation", Oid(CollationOf(column.type, column.collation))},
              {"attcacheoff", IntValue(-1)},
              {"attalign", TextValue("i")},
              {"attstorage", TextValue(type.length < 0 ? "x" : "p")},
              {"attcompression", TextValue("")}});
  }
}

/// Returns the columns of an index, as PostgreSQL lists them: with their types, and no more.
std::vector<ColumnListing> ColumnsOf(const TableListing& table, const IndexListing& index) {
  std::vector<ColumnListing> columns;
  for (const std::string& name : index.columns) {
    const auto found = std::find_if(table.columns.begin(), table.columns.end(),
                                    [&](const ColumnListing& column) { return column.name == name; });
    // PostgreSQL calls expressions by the functions that they call, or expr; their types are not listed.
    if (found != table.columns.end()) {
      columns.push_back({.name = name, .type = found->type, .collation = found->collation});
    } else if (name.empty()) {
      columns.push_back({.name = "expr", .type = TypeId::kVarchar});
    }
  }
  return columns;
}

ListingRows AttributeRows(const FunctionContext& context, const BoundListing& bound) {
  SystemRows rows(bound);
  const PgObjects objects(context.listing);
  for (const TableListing& table : objects.tables()) {
    AddAttributeRows(objects, objects.Oid(PgObjectKind::kTable, table.schema, table.name), table.columns,
                     rows);
    for (const IndexListing& index : table.indexes) {
      AddAttributeRows(objects, objects.Oid(PgObjectKind::kIndex, table.schema, index.name),
                       ColumnsOf(table, index), rows);
    }
  }
  for (const ViewListing& view : objects.views()) {
    AddAttributeRows(objects, objects.Oid(PgObjectKind::kView, view.schema, view.name), view.columns, rows);
  }
  return rows.Take();
}

constexpr SystemRelation kAttribute = {
    "pg_catalog.pg_attribute",
    "attrelid:bigint attname atttypid:bigint attstattarget:int attlen:int attnum:int attndims:int "
    "attcacheoff:int atttypmod:int attbyval:bool attalign attstorage attcompression attnotnull:bool "
    "atthasdef:bool atthasmissing:bool attidentity attgenerated attisdropped:bool attislocal:bool "
    "attinhcount:int attcollation:bigint attacl:text[] attoptions:text[] attfdwoptions:text[] "
    "attmissingval",
    AttributeRows, "Columns of tables, views and indexes."};

ListingRows DefaultRows(const FunctionContext& context, const BoundListing& bound) {
  SystemRows rows(bound);
  const PgObjects objects(context.listing);
  for (const TableListing& table : objects.tables()) {
    for (size_t i = 0; i < table.columns.size(); i++) {
      const ColumnListing& column = table.columns[i];
      const std::string& text = column.generated_text.empty() ? column.default_text : column.generated_text;
      if (text.empty() || column.identity != ColumnListing::Identity::kNone) continue;
      rows.Add({{"oid", Oid(objects.Oid(PgObjectKind::kDefault, table.schema, column.name, table.name))},
                {"adrelid", Oid(objects.Oid(PgObjectKind::kTable, table.schema, table.name))},
                {"adnum", IntValue(static_cast<int64_t>(i) + 1)},
                {"adbin", TextValue(text)}});
    }
  }
  return rows.Take();
}

constexpr SystemRelation kAttributeDefault = {"pg_catalog.pg_attrdef",
                                              "oid:bigint adrelid:bigint adnum:int adbin", DefaultRows,
                                              "Defaults of columns; pg_get_expr gives their SQL."};

/// Returns the numbers of columns, which begin with 1, as a list.
Value ColumnNumbers(const TableListing* table, const std::vector<std::string>& names) {
  std::vector<Value> numbers;
  for (const std::string& name : names) {
    int16_t number = 0;
    for (size_t i = 0; table != nullptr && i < table->columns.size(); i++) {
      if (table->columns[i].name == name) number = static_cast<int16_t>(i + 1);
    }
    numbers.push_back(Value::SmallInt(number));
  }
  return Value::List(TypeId::kSmallInt, std::move(numbers));
}

Value ListOf(const Value& value, int64_t count) {
  return Value::List(value.type(), std::vector<Value>(static_cast<size_t>(count), value));
}

/// Returns the SQL of the expressions of an index, as pg_get_expr returns it; NULL if there are none.
Value ExpressionsOf(const IndexListing& index) {
  std::string list;
  for (size_t i = 0; i < index.columns.size(); i++) {
    if (index.columns[i].empty()) list += (list.empty() ? "" : ", ") + IndexKeyText(index, i + 1);
  }
  return list.empty() ? Value(TypeId::kVarchar) : TextValue(list);
}

ListingRows IndexRows(const FunctionContext& context, const BoundListing& bound) {
  SystemRows rows(bound);
  const PgObjects objects(context.listing);
  for (const TableListing& table : objects.tables()) {
    for (const IndexListing& index : table.indexes) {
      const auto count = static_cast<int64_t>(index.columns.size());
      rows.Add({{"indexrelid", Oid(objects.Oid(PgObjectKind::kIndex, table.schema, index.name))},
                {"indrelid", Oid(objects.Oid(PgObjectKind::kTable, table.schema, table.name))},
                {"indnatts", IntValue(count)},
                {"indnkeyatts", IntValue(count)},
                {"indisunique", Bool(index.is_unique)},
                {"indnullsnotdistinct", Bool(false)},
                {"indisprimary", Bool(index.is_primary)},
                {"indisexclusion", Bool(false)},
                {"indimmediate", Bool(index.is_immediate)},
                {"indisclustered", Bool(false)},
                {"indisvalid", Bool(true)},
                {"indisready", Bool(true)},
                {"indislive", Bool(true)},
                {"indcheckxmin", Bool(false)},
                {"indisreplident", Bool(false)},
                {"indkey", ColumnNumbers(&table, index.columns)},
                {"indexprs", ExpressionsOf(index)},
                {"indpred", index.condition.empty() ? Value(TypeId::kVarchar) : TextValue(index.condition)},
                {"indcollation", ListOf(Oid(0), count)},
                {"indclass", ListOf(Oid(kPgOperatorClassOid), count)},
                {"indoption", ListOf(Value::SmallInt(0), count)}});
    }
  }
  return rows.Take();
}

constexpr SystemRelation kIndex = {
    "pg_catalog.pg_index",
    "indexrelid:bigint indrelid:bigint indnatts:int indnkeyatts:int indisunique:bool "
    "indnullsnotdistinct:bool indisprimary:bool indisexclusion:bool indimmediate:bool "
    "indisclustered:bool indisvalid:bool indcheckxmin:bool indisready:bool indislive:bool "
    "indisreplident:bool indkey:int2vector indcollation:oid[] indclass:oid[] indoption:int2vector "
    "indexprs indpred",
    IndexRows, "Indexes."};

char KindLetter(ConstraintListing::Kind kind) {
  switch (kind) {
    case ConstraintListing::Kind::kCheck: return 'c';
    case ConstraintListing::Kind::kUnique: return 'u';
    case ConstraintListing::Kind::kPrimaryKey: return 'p';
    case ConstraintListing::Kind::kForeignKey: return 'f';
  }
  return ' ';
}

/// "a" for NO ACTION, "n" for SET NULL, "d" for SET DEFAULT, "c" for CASCADE, "r" for RESTRICT.
char ActionLetter(std::string_view action) {
  if (action == "NO ACTION") return 'a';
  if (action == "SET NULL") return 'n';
  if (action == "SET DEFAULT") return 'd';
  return action == "CASCADE" ? 'c' : 'r';
}

ListingRows ConstraintRows(const FunctionContext& context, const BoundListing& bound) {
  SystemRows rows(bound);
  const PgObjects objects(context.listing);
  const TablesByName by_name(objects.tables());
  for (const TableListing& table : objects.tables()) {
    for (const ConstraintListing& constraint : table.constraints) {
      const bool is_foreign = constraint.kind == ConstraintListing::Kind::kForeignKey;
      const TableListing* referenced =
          is_foreign ? by_name.Find(constraint.referenced_schema, constraint.referenced_table) : nullptr;
      // A foreign key has the index of the key that it references.
      const TableListing* const indexed = is_foreign ? referenced : &table;
      const ConstraintListing* const key = is_foreign ? by_name.ReferencedKey(constraint) : &constraint;
      const bool has_index = indexed != nullptr && key != nullptr &&
                             std::any_of(indexed->indexes.begin(), indexed->indexes.end(),
                                         [&](const auto& index) { return index.name == key->name; });
      rows.Add(
          {{"oid", Oid(objects.Oid(PgObjectKind::kConstraint, table.schema, constraint.name, table.name))},
           {"conname", TextValue(constraint.name)},
           {"connamespace", Oid(objects.Oid(PgObjectKind::kSchema, "", table.schema))},
           {"contype", Letter(KindLetter(constraint.kind))},
           {"condeferrable", Bool(constraint.is_deferrable)},
           {"condeferred", Bool(constraint.is_deferred)},
           {"convalidated", Bool(constraint.is_validated)},
           {"conrelid", Oid(objects.Oid(PgObjectKind::kTable, table.schema, table.name))},
           {"contypid", Oid(0)},
           {"conindid", Oid(has_index ? objects.Oid(PgObjectKind::kIndex, indexed->schema, key->name) : 0)},
           {"conparentid", Oid(0)},
           {"confrelid",
            Oid(referenced ? objects.Oid(PgObjectKind::kTable, referenced->schema, referenced->name) : 0)},
           {"confupdtype", Letter(is_foreign ? ActionLetter(constraint.on_update) : ' ')},
           {"confdeltype", Letter(is_foreign ? ActionLetter(constraint.on_delete) : ' ')},
           {"confmatchtype", Letter(is_foreign ? 's' : ' ')},
           {"conislocal", Bool(true)},
           {"coninhcount", IntValue(0)},
           {"connoinherit", Bool(true)},
           {"conkey", constraint.columns.empty() ? Value(LogicalType::List(TypeId::kSmallInt))
                                                 : ColumnNumbers(&table, constraint.columns)},
           {"confkey", is_foreign ? ColumnNumbers(referenced, constraint.referenced_columns)
                                  : Value(LogicalType::List(TypeId::kSmallInt))},
           {"conbin", constraint.check_text.empty() ? Value(LogicalType(TypeId::kVarchar))
                                                    : TextValue(constraint.check_text)}});
    }
  }
  for (const DomainListing& domain : objects.domains()) {
    for (const auto& [name, condition] : domain.checks) {
      rows.Add({{"oid", Oid(objects.Oid(PgObjectKind::kConstraint, domain.schema, name, domain.name + "\n"))},
                {"conname", TextValue(name)},
                {"connamespace", Oid(objects.Oid(PgObjectKind::kSchema, "", domain.schema))},
                {"contype", Letter('c')},
                {"condeferrable", Bool(false)},
                {"condeferred", Bool(false)},
                {"convalidated", Bool(true)},
                {"conrelid", Oid(0)},
                {"contypid", Oid(objects.Oid(PgObjectKind::kType, domain.schema, domain.name))},
                {"conislocal", Bool(true)},
                {"conbin", TextValue(condition)}});
    }
  }
  return rows.Take();
}

constexpr SystemRelation kConstraint = {
    "pg_catalog.pg_constraint",
    "oid:bigint conname connamespace:bigint contype condeferrable:bool condeferred:bool "
    "convalidated:bool conrelid:bigint contypid:bigint conindid:bigint conparentid:bigint "
    "confrelid:bigint confupdtype confdeltype confmatchtype conislocal:bool coninhcount:int "
    "connoinherit:bool conkey:smallint[] confkey:smallint[] conpfeqop:oid[] conppeqop:oid[] "
    "conffeqop:oid[] confdelsetcols:smallint[] conexclop:oid[] conbin",
    ConstraintRows, "Keys, foreign keys and checks."};

ListingRows DatabaseRows(const FunctionContext& context, const BoundListing& bound) {
  SystemRows rows(bound);
  const std::string current = context.listing.DatabaseSize().name;
  int64_t next_oid = kPgDatabaseOid;
  for (const std::string& name : context.listing.Databases()) {
    // Other relations are about the current database, and refer to its number.
    const int64_t oid = name == current ? kPgDatabaseOid : ++next_oid;
    rows.Add({{"oid", Oid(oid)},
              {"datname", TextValue(name)},
              {"datdba", Oid(kPgOwnerOid)},
              {"encoding", IntValue(6)},
              {"datcollate", TextValue("C")},
              {"datctype", TextValue("C")},
              {"datistemplate", Bool(false)},
              {"datallowconn", Bool(true)},
              {"datconnlimit", IntValue(-1)},
              {"datlocprovider", TextValue("c")},
              {"datfrozenxid", Oid(0)},
              {"datminmxid", Oid(0)},
              {"dattablespace", Oid(kPgTablespaceOid)}});
  }
  return rows.Take();
}

constexpr SystemRelation kDatabase = {
    "pg_catalog.pg_database",
    "oid:bigint datname datdba:bigint encoding:int datlocprovider datistemplate:bool "
    "datallowconn:bool datconnlimit:int datfrozenxid:bigint datminmxid:bigint dattablespace:oid "
    "datcollate datctype daticulocale datcollversion datacl:text[]",
    DatabaseRows, "The databases: the one that was opened, and those that are attached."};

ListingRows PgTableRows(const FunctionContext& context, const BoundListing& bound) {
  SystemRows rows(bound);
  for (const TableListing& table : context.listing.Tables()) {
    if (table.is_materialized) continue;
    const bool has_foreign_key = std::any_of(
        table.constraints.begin(), table.constraints.end(),
        [](const auto& constraint) { return constraint.kind == ConstraintListing::Kind::kForeignKey; });
    rows.Add({{"schemaname", TextValue(table.schema)},
              {"tablename", TextValue(table.name)},
              {"tableowner", TextValue(kPgOwner)},
              {"hasindexes", Bool(!table.indexes.empty())},
              {"hasrules", Bool(false)},
              {"hastriggers", Bool(has_foreign_key || !table.triggers.empty())},
              {"rowsecurity", Bool(false)}});
  }
  return rows.Take();
}

constexpr SystemRelation kPgTables = {"pg_catalog.pg_tables",
                                      "schemaname tablename tableowner tablespace hasindexes:bool "
                                      "hasrules:bool hastriggers:bool rowsecurity:bool",
                                      PgTableRows, "Tables by name."};

ListingRows PgViewRows(const FunctionContext& context, const BoundListing& bound) {
  SystemRows rows(bound);
  for (const ViewListing& view : context.listing.Views()) {
    rows.Add({{"schemaname", TextValue(view.schema)},
              {"viewname", TextValue(view.name)},
              {"viewowner", TextValue(kPgOwner)},
              {"definition", TextValue(view.query)}});
  }
  return rows.Take();
}

constexpr SystemRelation kPgViews = {"pg_catalog.pg_views", "schemaname viewname viewowner definition",
                                     PgViewRows, "Views by name."};

ListingRows NamedIndexRows(const FunctionContext& context, const BoundListing& bound) {
  SystemRows rows(bound);
  for (const TableListing& table : context.listing.Tables()) {
    for (const IndexListing& index : table.indexes) {
      rows.Add({{"schemaname", TextValue(table.schema)},
                {"tablename", TextValue(table.name)},
                {"indexname", TextValue(index.name)},
                {"indexdef", TextValue(IndexDefinition(table, index))}});
    }
  }
  return rows.Take();
}

constexpr SystemRelation kIndexes = {"pg_catalog.pg_indexes",
                                     "schemaname tablename indexname tablespace indexdef", NamedIndexRows,
                                     "Indexes by name."};

ListingRows PgSequenceRows(const FunctionContext& context, const BoundListing& bound) {
  SystemRows rows(bound);
  for (const SequenceListing& sequence : context.listing.Sequences()) {
    rows.Add({{"schemaname", TextValue(sequence.schema)},
              {"sequencename", TextValue(sequence.name)},
              {"sequenceowner", TextValue(kPgOwner)},
              {"data_type", TextValue(sequence.type)},
              {"start_value", Oid(sequence.start)},
              {"min_value", Oid(sequence.minimum)},
              {"max_value", Oid(sequence.maximum)},
              {"increment_by", Oid(sequence.increment)},
              {"cycle", Bool(sequence.cycle)},
              {"cache_size", Oid(sequence.cache)},
              {"last_value",
               sequence.last_value ? Oid(*sequence.last_value) : Value(LogicalType(TypeId::kBigInt))}});
  }
  return rows.Take();
}

constexpr SystemRelation kPgSequences = {
    "pg_catalog.pg_sequences",
    "schemaname sequencename sequenceowner data_type start_value:bigint min_value:bigint max_value:bigint "
    "increment_by:bigint cycle:bool cache_size:bigint last_value:bigint",
    PgSequenceRows, "Sequences by name."};

ListingRows DescriptionRows(const FunctionContext& context, const BoundListing& bound) {
  SystemRows rows(bound);
  for (const PgDescription& description : PgDescriptions(context.listing)) {
    rows.Add({{"objoid", Oid(description.oid)},
              {"classoid", Oid(description.class_oid)},
              {"objsubid", IntValue(description.column)},
              {"description", TextValue(description.text)}});
  }
  return rows.Take();
}

constexpr SystemRelation kDescription = {"pg_catalog.pg_description",
                                         "objoid:bigint classoid:bigint objsubid:int description",
                                         DescriptionRows, "Comments."};

ListingRows PreparedRows(const FunctionContext& context, const BoundListing& bound) {
  SystemRows rows(bound);
  for (const PreparedListing& prepared : context.listing.PreparedStatements()) {
    std::vector<std::string> types;
    for (const LogicalType& type : prepared.parameter_types) types.push_back(PostgresTypeName(type));
    rows.Add({{"name", TextValue(prepared.name)},
              {"statement", TextValue(prepared.text)},
              {"prepare_time", Value::TimestampTz(prepared.prepared_micros)},
              {"parameter_types", TextValue(fmt::format("{{{}}}", fmt::join(types, ",")))},
              {"from_sql", Bool(true)}});
  }
  return rows.Take();
}

constexpr SystemRelation kPreparedStatements = {
    "pg_catalog.pg_prepared_statements",
    "name statement prepare_time:timestamptz parameter_types from_sql:bool generic_plans:bigint "
    "custom_plans:bigint",
    PreparedRows, "What the session has prepared by PREPARE."};

ListingRows CursorRows(const FunctionContext& context, const BoundListing& bound) {
  SystemRows rows(bound);
  for (const CursorListing& cursor : context.listing.Cursors()) {
    rows.Add({{"name", TextValue(cursor.name)},
              {"statement", TextValue(cursor.text)},
              {"is_holdable", Bool(cursor.is_holdable)},
              {"is_binary", Bool(cursor.is_binary)},
              {"is_scrollable", Bool(cursor.is_scrollable)},
              {"creation_time", Value::TimestampTz(cursor.declared_micros)}});
  }
  return rows.Take();
}

constexpr SystemRelation kCursors = {
    "pg_catalog.pg_cursors",
    "name statement is_holdable:bool is_binary:bool is_scrollable:bool creation_time:timestamptz", CursorRows,
    "The cursors that the session has open."};

}  // namespace

std::vector<TableFunction> PgCatalogRelations() {
  return {MakeSystemRelation<kNamespace>(),
          MakeSystemRelation<kClass>(),
          MakeSystemRelation<kAttribute>(),
          MakeSystemRelation<kAttributeDefault>(),
          MakeSystemRelation<kIndex>(),
          MakeSystemRelation<kConstraint>(),
          MakeSystemRelation<kDatabase>(),
          MakeSystemRelation<kPgTables>(),
          MakeSystemRelation<kPgViews>(),
          MakeSystemRelation<kIndexes>(),
          MakeSystemRelation<kPgSequences>(),
          MakeSystemRelation<kDescription>(),
          MakeSystemRelation<kPreparedStatements>(),
          MakeSystemRelation<kCursors>()};
}

}  // namespace scaup
