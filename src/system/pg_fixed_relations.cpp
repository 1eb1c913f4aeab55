// pg_catalog: sequences by number, and relations whose rows are always the same.
#include "function/pg_objects.hpp"
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
constexpr FixedObject kTablespaces[] = {{1663, "pg_default"}, {1664, "pg_global"}};
constexpr FixedObject kCollations[] = {{100, "default"}, {950, "C"}, {951, "POSIX"}, {962, "ucs_basic"}};

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
                                        "oid:bigint spcname spcowner:bigint spcacl spcoptions",
                                        TablespaceRows, "PostgreSQL's tablespaces, which have no effect."};

ListingRows CollationRows(const FunctionContext& context, const BoundListing& bound) {
  SystemRows rows(bound);
  const PgObjects objects(context.listing);
  for (const FixedObject& collation : kCollations) {
    rows.Add({{"oid", Value::BigInt(collation.oid)},
              {"collname", TextValue(collation.name)},
              {"collnamespace", Value::BigInt(objects.Oid(PgObjectKind::kSchema, "", kPgCatalog))},
              {"collowner", Value::BigInt(kPgOwnerOid)},
              {"collprovider", TextValue(collation.oid == kCollations[0].oid ? "d" : "c")},
              {"collisdeterministic", Value::Boolean(true)},
              {"collencoding", IntValue(-1)},
              {"collcollate", TextValue("C")},
              {"collctype", TextValue("C")}});
  }
  return rows.Take();
}

constexpr SystemRelation kCollation = {
    "pg_catalog.pg_collation",
    "oid:bigint collname collnamespace:bigint collowner:bigint collprovider collisdeterministic:bool "
    "collencoding:int collcollate collctype colliculocale collversion",
    CollationRows, "The collations, all of which compare bytes."};

}  // namespace

std::vector<TableFunction> PgFixedRelations() {
  return {MakeSystemRelation<kSequenceOptions>(), MakeSystemRelation<kTablespace>(),
          MakeSystemRelation<kCollation>()};
}

}  // namespace scaup
