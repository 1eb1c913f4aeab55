// pg_catalog: types and the labels of enums.
#include "function/pg_objects.hpp"
#include "function/scalar/collation/collation.hpp"
#include "system/system_relations.hpp"
#include "type/pg_type.hpp"
#include "type/type_name.hpp"

namespace scaup {
namespace {

Value Letter(char letter) { return Value::Varchar(std::string(1, letter)); }
Value Oid(int64_t oid) { return Value::BigInt(oid); }
Value Bool(bool value) { return Value::Boolean(value); }

/// PostgreSQL's number of array_subscript_handler.
constexpr int64_t kArraySubscriptOid = 6179;

/// The values of a pg_type row that differ between types.
struct TypeRow {
  int64_t oid;
  std::string name;
  std::string_view schema;
  int16_t length;
  char kind;
  char category;
  int64_t element_oid = 0;
  int64_t list_oid = 0;
  // The rest is for domains.
  int64_t base_oid = 0;
  int64_t modifier = -1;
  bool not_null = false;
  std::string default_text = {};
  std::string collation = {};
};

/// Returns the functions of a type; those that we have and PostgreSQL has not have none.
PgTypeFunctions FunctionsOf(const TypeRow& row) {
  if (row.element_oid != 0) return kPgListFunctions;
  if (row.kind == 'e') return kPgEnumFunctions;
  const PgTypeFunctions* const found = FindPgTypeFunctions(row.oid);
  return found == nullptr ? PgTypeFunctions{} : *found;
}

void AddTypeRow(const PgObjects& objects, const TypeRow& row, SystemRows& rows) {
  const PgTypeFunctions functions = FunctionsOf(row);
  rows.Add({{"oid", Oid(row.oid)},
            {"typname", TextValue(row.name)},
            {"typnamespace", Oid(objects.Oid(PgObjectKind::kSchema, "", row.schema))},
            {"typowner", Oid(kPgOwnerOid)},
            {"typlen", IntValue(row.length)},
            {"typbyval", Bool(row.length > 0 && row.length <= 8)},
            {"typtype", Letter(row.kind)},
            {"typcategory", Letter(row.category)},
            {"typispreferred", Bool(false)},
            {"typisdefined", Bool(true)},
            {"typdelim", TextValue(",")},
            {"typrelid", Oid(0)},
            {"typelem", Oid(row.element_oid)},
            {"typarray", Oid(row.list_oid)},
            {"typnotnull", Bool(row.not_null)},
            {"typbasetype", Oid(row.base_oid)},
            {"typtypmod", IntValue(row.modifier)},
            {"typdefault", TextOrNull(row.default_text)},
            {"typndims", IntValue(0)},
            {"typcollation", Oid(row.category == 'S' ? CollationOidOf(row.collation) : 0)},
            {"typsubscript", Oid(row.element_oid != 0 ? kArraySubscriptOid : 0)},
            {"typinput", Oid(functions.input)},
            {"typoutput", Oid(functions.output)},
            {"typreceive", Oid(functions.receive)},
            {"typsend", Oid(functions.send)},
            {"typmodin", Oid(0)},
            {"typmodout", Oid(0)},
            {"typanalyze", Oid(0)},
            {"typalign", TextValue(row.length == 8   ? "d"
                                   : row.length == 2 ? "s"
                                   : row.length == 1 ? "c"
                                                     : "i")},
            {"typstorage", TextValue(row.length < 0 ? "x" : "p")}});
}

/// Whether a type of ranges has gaps.
char RangeKind(const PgType& type) { return std::string_view(type.name).ends_with("multirange") ? 'm' : 'r'; }

ListingRows TypeRows(const FunctionContext& context, const BoundListing& bound) {
  SystemRows rows(bound);
  const PgObjects objects(context.listing);
  for (const PgType& type : AllPgTypes()) {
    const bool is_pseudo = type.category == 'X' || type.category == 'P';
    const char kind = is_pseudo ? 'p' : 'b';
    AddTypeRow(objects,
               {type.oid, type.name, kPgCatalog, type.length, type.category == 'R' ? RangeKind(type) : kind,
                type.category, 0, type.list_oid},
               rows);
    if (type.list_oid == 0) continue;
    AddTypeRow(objects, {type.list_oid, std::string("_") + type.name, kPgCatalog, -1, kind, 'A', type.oid},
               rows);
  }
  for (const TypeListing& type : objects.types()) {
    const int64_t oid = objects.Oid(PgObjectKind::kType, type.schema, type.name);
    const int64_t list_oid = objects.Oid(PgObjectKind::kTypeList, type.schema, type.name);
    AddTypeRow(objects, {oid, type.name, type.schema, kPgEnumBytes, 'e', 'E', 0, list_oid}, rows);
    AddTypeRow(objects, {list_oid, "_" + type.name, type.schema, -1, 'b', 'A', oid}, rows);
  }
  for (const DomainListing& domain : objects.domains()) {
    const PgTypeSummary below = objects.TypeOf(domain.type);
    TypeRow row{
        objects.Oid(PgObjectKind::kType, domain.schema, domain.name),
        domain.name,
        domain.schema,
        below.length,
        'd',
        domain.type.id() == TypeId::kList && !IsMap(domain.type) ? 'A' : PgTypeOf(domain.type).category};
    row.base_oid =
        domain.base.empty() ? below.oid : objects.Oid(PgObjectKind::kType, domain.base_schema, domain.base);
    row.modifier = PgTypeModifier(domain.type);
    row.not_null = domain.not_null;
    row.default_text = domain.default_text;
    row.collation = domain.collation;
    AddTypeRow(objects, row, rows);
  }
  return rows.Take();
}

constexpr SystemRelation kType = {
    "pg_catalog.pg_type",
    "oid:bigint typname typnamespace:bigint typowner:bigint typlen:int typbyval:bool typtype "
    "typcategory typispreferred:bool typisdefined:bool typdelim typrelid:bigint typsubscript:regproc "
    "typelem:bigint typarray:bigint typinput:regproc typoutput:regproc typreceive:regproc "
    "typsend:regproc typmodin:regproc typmodout:regproc typanalyze:regproc typalign typstorage "
    "typnotnull:bool typbasetype:bigint typtypmod:int typndims:int typcollation:bigint typdefaultbin "
    "typdefault typacl:text[]",
    TypeRows, "Types."};

ListingRows EnumRows(const FunctionContext& context, const BoundListing& bound) {
  SystemRows rows(bound);
  const PgObjects objects(context.listing);
  for (const TypeListing& type : objects.types()) {
    for (size_t i = 0; i < type.type.label_count(); i++) {
      const std::string& label = type.type.label(i);
      rows.Add({{"oid", Oid(objects.Oid(PgObjectKind::kLabel, type.schema, label, type.name))},
                {"enumtypid", Oid(objects.Oid(PgObjectKind::kType, type.schema, type.name))},
                {"enumsortorder", Value::Real(static_cast<float>(i + 1))},
                {"enumlabel", TextValue(label)}});
    }
  }
  return rows.Take();
}

constexpr SystemRelation kEnum = {"pg_catalog.pg_enum",
                                  "oid:bigint enumtypid:bigint enumsortorder:real enumlabel", EnumRows,
                                  "The labels of enums."};

ListingRows RangeRows(const FunctionContext&, const BoundListing& bound) {
  SystemRows rows(bound);
  for (const PgType& type : AllPgTypes()) {
    const auto range = type.category == 'R' ? RangeTypeFromName(type.name) : std::nullopt;
    if (!range || range->id() != TypeId::kRange) continue;
    const LogicalType& of = RangeBoundType(*range);
    rows.Add({{"rngtypid", Oid(type.oid)},
              {"rngsubtype", Oid(PgTypeOf(of).oid)},
              {"rngmultitypid", Oid(PgTypeOf(MultirangeType(of)).oid)},
              {"rngcollation", Oid(0)},
              {"rngsubopc", Oid(0)},
              {"rngcanonical", Oid(0)},
              {"rngsubdiff", Oid(0)}});
  }
  return rows.Take();
}

constexpr SystemRelation kRangeRelation = {
    "pg_catalog.pg_range",
    "rngtypid:oid rngsubtype:oid rngmultitypid:oid rngcollation:oid rngsubopc:oid rngcanonical:oid "
    "rngsubdiff:oid",
    RangeRows, "The types of ranges, and of the values in them."};

}  // namespace

std::vector<TableFunction> PgTypeRelations() {
  return {MakeSystemRelation<kType>(), MakeSystemRelation<kEnum>(), MakeSystemRelation<kRangeRelation>()};
}

}  // namespace scaup
