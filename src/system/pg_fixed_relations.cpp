// pg_catalog: sequences by number, and relations whose rows are always the same.
#include <algorithm>

#include "function/pg_objects.hpp"
#include "function/scalar/collation/collation.hpp"
#include "system/system_relations.hpp"
#include "type/pg_type.hpp"

namespace scaup {
namespace {

ListingRows SequenceOptionRows(const FunctionContext& context, const BoundListing& bound) {
  SystemRows rows(bound);
  const PgObjects objects(context.listing);
  for (const SequenceListing& sequence : context.listing.Sequences()) {
    const TypeId type = sequence.type == "smallint"  ? TypeId::kSmallInt
                        : sequence.type == "integer" ? TypeId::kInteger
                                                     : TypeId::kBigInt;
    rows.Add(
        {{"seqrelid", Value::BigInt(objects.Oid(PgObjectKind::kSequence, sequence.schema, sequence.name))},
         {"seqtypid", Value::BigInt(PgTypeOf(type).oid)},
         {"seqstart", Value::BigInt(sequence.start)},
         {"seqincrement", Value::BigInt(sequence.increment)},
         {"seqmax", Value::BigInt(sequence.maximum)},
         {"seqmin", Value::BigInt(sequence.minimum)},
         {"seqcache", Value::BigInt(sequence.cache)},
         {"seqcycle", Value::Boolean(sequence.cycle)}});
  }
  return rows.Take();
}

constexpr SystemRelation kSequenceOptions = {
    "pg_catalog.pg_sequence",
    "seqrelid:bigint seqtypid:bigint seqstart:bigint seqincrement:bigint seqmax:bigint seqmin:bigint "
    "seqcache:bigint seqcycle:bool",
    SequenceOptionRows, "The options of sequences."};

/// PostgreSQL's number and name of something that is always there.
struct FixedObject {
  int64_t oid;
  const char* name;
};
constexpr FixedObject kTablespaces[] = {{kPgTablespaceOid, "pg_default"}, {1664, "pg_global"}};

ListingRows TablespaceRows(const FunctionContext&, const BoundListing& bound) {
  SystemRows rows(bound);
  for (const FixedObject& tablespace : kTablespaces) {
    rows.Add({{"oid", Value::BigInt(tablespace.oid)},
              {"spcname", TextValue(tablespace.name)},
              {"spcowner", Value::BigInt(kPgOwnerOid)}});
  }
  return rows.Take();
}

constexpr SystemRelation kTablespace = {"pg_catalog.pg_tablespace",
                                        "oid:bigint spcname spcowner:bigint spcacl:text[] spcoptions:text[]",
                                        TablespaceRows, "PostgreSQL's tablespaces, which have no effect."};

ListingRows CollationRows(const FunctionContext& context, const BoundListing& bound) {
  SystemRows rows(bound);
  const PgObjects objects(context.listing);
  const std::vector<CollationListing> collations = ListCollations();
  for (size_t i = 0; i < collations.size(); i++) {
    const CollationListing& collation = collations[i];
    const bool is_icu = !collation.locale.empty();
    rows.Add(
        {{"oid", Value::BigInt(collation.oid)},
         {"collname", TextValue(collation.name)},
         {"collnamespace", Value::BigInt(objects.Oid(PgObjectKind::kSchema, "", kPgCatalog))},
         {"collowner", Value::BigInt(kPgOwnerOid)},
         {"collprovider", TextValue(is_icu   ? "i"
                                    : i == 0 ? "d"
                                             : "c")},
         {"collisdeterministic", Value::Boolean(collation.has_plain_equality)},
         {"collencoding", IntValue(-1)},
         {"collcollate", is_icu ? Value(LogicalType(TypeId::kVarchar)) : TextValue("C")},
         {"collctype", is_icu ? Value(LogicalType(TypeId::kVarchar)) : TextValue("C")},
         {"colliculocale", is_icu ? TextValue(collation.locale) : Value(LogicalType(TypeId::kVarchar))}});
  }
  return rows.Take();
}

constexpr SystemRelation kCollation = {
    "pg_catalog.pg_collation",
    "oid:bigint collname collnamespace:bigint collowner:bigint collprovider collisdeterministic:bool "
    "collencoding:int collcollate collctype colliculocale collversion",
    CollationRows,
    "The collations: those of bytes, those that disregard case or accents, those of languages."};

ListingRows AccessMethodRows(const FunctionContext&, const BoundListing& bound) {
  SystemRows rows(bound);
  for (const bool is_index : {false, true}) {
    rows.Add({{"oid", Value::BigInt(is_index ? kPgIndexMethodOid : kPgTableMethodOid)},
              {"amname", TextValue(is_index ? "btree" : "heap")},
              {"amhandler", Value::BigInt(0)},
              {"amtype", TextValue(is_index ? "i" : "t")}});
  }
  return rows.Take();
}

constexpr SystemRelation kAccessMethod = {
    "pg_catalog.pg_am", "oid:oid amname amhandler:oid amtype", AccessMethodRows,
    "How tables and indexes are stored, by PostgreSQL's names: indexes have the order of a btree."};

ListingRows OperatorClassRows(const FunctionContext& context, const BoundListing& bound) {
  SystemRows rows(bound);
  const PgObjects objects(context.listing);
  rows.Add({{"oid", Value::BigInt(kPgOperatorClassOid)},
            {"opcmethod", Value::BigInt(kPgIndexMethodOid)},
            {"opcname", TextValue("default_ops")},
            {"opcnamespace", Value::BigInt(objects.Oid(PgObjectKind::kSchema, "", kPgCatalog))},
            {"opcowner", Value::BigInt(kPgOwnerOid)},
            {"opcfamily", Value::BigInt(0)},
            {"opcintype", Value::BigInt(0)},
            {"opcdefault", Value::Boolean(true)},
            {"opckeytype", Value::BigInt(0)}});
  return rows.Take();
}

constexpr SystemRelation kOperatorClass = {
    "pg_catalog.pg_opclass",
    "oid:oid opcmethod:oid opcname opcnamespace:oid opcowner:oid opcfamily:oid opcintype:oid opcdefault:bool "
    "opckeytype:oid",
    OperatorClassRows, "The one order that indexes have."};

constexpr FixedObject kLanguages[] = {{12, "internal"}, {kPgSqlLanguageOid, "sql"}};

void AddLanguage(SystemRows& rows, int64_t oid, const std::string& name, bool is_hosted) {
  rows.Add({{"oid", Value::BigInt(oid)},
            {"lanname", TextValue(name)},
            {"lanowner", Value::BigInt(kPgOwnerOid)},
            {"lanispl", Value::Boolean(is_hosted)},
            {"lanpltrusted", Value::Boolean(oid == kPgSqlLanguageOid)},
            {"lanplcallfoid", Value::BigInt(0)},
            {"laninline", Value::BigInt(0)},
            {"lanvalidator", Value::BigInt(0)}});
}

ListingRows LanguageRows(const FunctionContext& context, const BoundListing& bound) {
  SystemRows rows(bound);
  for (const FixedObject& language : kLanguages) AddLanguage(rows, language.oid, language.name, false);
  const PgObjects objects(context.listing);
  for (const std::string& language : objects.hosted_languages())
    AddLanguage(rows, objects.Oid(PgObjectKind::kLanguage, "", language), language, true);
  return rows.Take();
}

constexpr SystemRelation kLanguage = {
    "pg_catalog.pg_language",
    "oid:oid lanname lanowner:oid lanispl:bool lanpltrusted:bool lanplcallfoid:oid laninline:oid "
    "lanvalidator:oid lanacl:text[]",
    LanguageRows, "The languages of functions."};

}  // namespace

std::vector<TableFunction> PgFixedRelations() {
  return {MakeSystemRelation<kSequenceOptions>(), MakeSystemRelation<kTablespace>(),
          MakeSystemRelation<kCollation>(),       MakeSystemRelation<kAccessMethod>(),
          MakeSystemRelation<kOperatorClass>(),   MakeSystemRelation<kLanguage>()};
}

}  // namespace scaup
