// pg_catalog: what depends on what, and the rules of views, by which clients find the tables that views read.
#include <algorithm>
#include <iterator>

#include "function/pg_objects.hpp"
#include "system/system_relations.hpp"

namespace scaup {
namespace {

constexpr int64_t kPgRewriteOid = 2618;

Value NumberValue(int64_t oid) { return Value::BigInt(oid); }

int64_t RuleOf(const PgObjects& objects, const ViewListing& view) {
  return objects.Oid(PgObjectKind::kRule, view.schema, view.name);
}

/// Each view is a rule in PostgreSQL.
ListingRows RewriteRows(const FunctionContext& context, const BoundListing& bound) {
  const PgObjects objects(context.listing);
  SystemRows rows(bound);
  for (const ViewListing& view : objects.views()) {
    rows.Add({{"oid", NumberValue(RuleOf(objects, view))},
              {"rulename", TextValue("_RETURN")},
              {"ev_class", NumberValue(objects.Oid(PgObjectKind::kView, view.schema, view.name))},
              {"ev_type", TextValue("1")},
              {"ev_enabled", TextValue("O")},
              {"is_instead", Value::Boolean(true)}});
  }
  return rows.Take();
}

struct Dependency {
  int64_t class_oid;  ///< of the relation that lists the dependent object
  int64_t oid;
  int64_t referenced;         ///< a relation
  int64_t referenced_column;  ///< from 1; 0 for the whole
  const char* kind;           ///< PostgreSQL's letter: normal, automatic or internal
};

void AddRow(const Dependency& dependency, SystemRows& rows) {
  rows.Add({{"classid", NumberValue(dependency.class_oid)},
            {"objid", NumberValue(dependency.oid)},
            {"objsubid", IntValue(0)},
            {"refclassid", NumberValue(kPgClassOid)},
            {"refobjid", NumberValue(dependency.referenced)},
            {"refobjsubid", IntValue(dependency.referenced_column)},
            {"deptype", TextValue(dependency.kind)}});
}

void AddViews(const PgObjects& objects, const TablesByName& tables, SystemRows& rows) {
  for (const ViewListing& view : objects.views()) {
    const int64_t rule = RuleOf(objects, view);
    AddRow({kPgRewriteOid, rule, objects.Oid(PgObjectKind::kView, view.schema, view.name), 0, "i"}, rows);
    for (const ViewListing::Source& source : view.sources) {
      const auto is_source = [&](const ViewListing& other) {
        return other.schema == source.schema && other.name == source.name;
      };
      const bool is_view = std::any_of(objects.views().begin(), objects.views().end(), is_source);
      if (!is_view && tables.Find(source.schema, source.name) == nullptr) continue;
      const PgObjectKind kind = is_view ? PgObjectKind::kView : PgObjectKind::kTable;
      AddRow({kPgRewriteOid, rule, objects.Oid(kind, source.schema, source.name), 0, "n"}, rows);
    }
  }
}

/// Sequences depend on the columns that own them: those of identity columns internally.
void AddSequences(const PgObjects& objects, const TablesByName& tables, SystemRows& rows) {
  for (const SequenceListing& sequence : objects.sequences()) {
    const TableListing* table =
        sequence.owner_table.empty() ? nullptr : tables.Find(sequence.schema, sequence.owner_table);
    if (table == nullptr) continue;
    const auto column = std::find_if(table->columns.begin(), table->columns.end(),
                                     [&](const auto& each) { return each.name == sequence.owner_column; });
    if (column == table->columns.end()) continue;
    const bool is_identity = column->identity != ColumnListing::Identity::kNone;
    AddRow({kPgClassOid, objects.Oid(PgObjectKind::kSequence, sequence.schema, sequence.name),
            objects.Oid(PgObjectKind::kTable, table->schema, table->name),
            std::distance(table->columns.begin(), column) + 1, is_identity ? "i" : "a"},
           rows);
  }
}

ListingRows DependRows(const FunctionContext& context, const BoundListing& bound) {
  const PgObjects objects(context.listing);
  const TablesByName tables(objects.tables());
  SystemRows rows(bound);
  AddViews(objects, tables, rows);
  AddSequences(objects, tables, rows);
  return rows.Take();
}

constexpr SystemRelation kDepend = {
    "pg_catalog.pg_depend",
    "classid:oid objid:oid objsubid:int refclassid:oid refobjid:oid refobjsubid:int deptype", DependRows,
    "What views and owned sequences depend on."};

constexpr SystemRelation kRewrite = {
    "pg_catalog.pg_rewrite",
    "oid:oid rulename ev_class:oid ev_type ev_enabled is_instead:bool ev_qual ev_action", RewriteRows,
    "The rules that views are in PostgreSQL."};

}  // namespace

std::vector<TableFunction> PgDependencyRelations() {
  return {MakeSystemRelation<kDepend>(), MakeSystemRelation<kRewrite>()};
}

}  // namespace scaup
