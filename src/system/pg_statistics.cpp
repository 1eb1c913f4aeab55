// pg_catalog: PostgreSQL's statistics of its work. Scaup counts rows, but neither scans nor blocks: what it
// does not count is NULL.
#include "common/settings/client_settings.hpp"
#include "common/settings/settings.hpp"
#include "function/pg_objects.hpp"
#include "system/system_relations.hpp"

namespace scaup {
namespace {

Value ObjectValue(int64_t oid) { return Value::BigInt(oid); }

/// The first columns of every statistic of a table or sequence.
std::vector<std::pair<std::string_view, Value>> NamedObject(const PgObjects& objects, PgObjectKind kind,
                                                            std::string_view schema, std::string_view name) {
  return {{"relid", ObjectValue(objects.Oid(kind, schema, name))},
          {"schemaname", TextValue(schema)},
          {"relname", TextValue(name)}};
}

ListingRows CountedTableRows(const FunctionContext& context, const BoundListing& bound) {
  SystemRows rows(bound);
  const PgObjects objects(context.listing);
  for (const TableListing& table : objects.tables()) {
    auto row = NamedObject(objects, PgObjectKind::kTable, table.schema, table.name);
    row.emplace_back("n_live_tup", Value::BigInt(static_cast<int64_t>(table.row_count)));
    rows.Add(std::move(row));
  }
  return rows.Take();
}

ListingRows NamedTableRows(const FunctionContext& context, const BoundListing& bound) {
  SystemRows rows(bound);
  const PgObjects objects(context.listing);
  for (const TableListing& table : objects.tables())
    rows.Add(NamedObject(objects, PgObjectKind::kTable, table.schema, table.name));
  return rows.Take();
}

ListingRows UsedIndexRows(const FunctionContext& context, const BoundListing& bound) {
  SystemRows rows(bound);
  const PgObjects objects(context.listing);
  for (const TableListing& table : objects.tables()) {
    for (const IndexListing& index : table.indexes) {
      auto row = NamedObject(objects, PgObjectKind::kTable, table.schema, table.name);
      row.emplace_back("indexrelid",
                       ObjectValue(objects.Oid(PgObjectKind::kIndex, table.schema, index.name)));
      row.emplace_back("indexrelname", TextValue(index.name));
      rows.Add(std::move(row));
    }
  }
  return rows.Take();
}

ListingRows NamedSequenceRows(const FunctionContext& context, const BoundListing& bound) {
  SystemRows rows(bound);
  const PgObjects objects(context.listing);
  for (const SequenceListing& sequence : objects.sequences())
    rows.Add(NamedObject(objects, PgObjectKind::kSequence, sequence.schema, sequence.name));
  return rows.Take();
}

constexpr const char* kTableCounts =
    "relid:oid schemaname relname seq_scan:bigint seq_tup_read:bigint idx_scan:bigint idx_tup_fetch:bigint "
    "n_tup_ins:bigint n_tup_upd:bigint n_tup_del:bigint n_tup_hot_upd:bigint n_live_tup:bigint "
    "n_dead_tup:bigint n_mod_since_analyze:bigint n_ins_since_vacuum:bigint last_vacuum:timestamptz "
    "last_autovacuum:timestamptz last_analyze:timestamptz last_autoanalyze:timestamptz vacuum_count:bigint "
    "autovacuum_count:bigint analyze_count:bigint autoanalyze_count:bigint";
constexpr const char* kTransactionCounts =
    "relid:oid schemaname relname seq_scan:bigint seq_tup_read:bigint idx_scan:bigint idx_tup_fetch:bigint "
    "n_tup_ins:bigint n_tup_upd:bigint n_tup_del:bigint n_tup_hot_upd:bigint";
constexpr const char* kTableBlocks =
    "relid:oid schemaname relname heap_blks_read:bigint heap_blks_hit:bigint idx_blks_read:bigint "
    "idx_blks_hit:bigint toast_blks_read:bigint toast_blks_hit:bigint tidx_blks_read:bigint "
    "tidx_blks_hit:bigint";
constexpr const char* kIndexCounts =
    "relid:oid indexrelid:oid schemaname relname indexrelname idx_scan:bigint idx_tup_read:bigint "
    "idx_tup_fetch:bigint";
constexpr const char* kIndexBlocks =
    "relid:oid indexrelid:oid schemaname relname indexrelname idx_blks_read:bigint idx_blks_hit:bigint";
constexpr const char* kSequenceBlocks = "relid:oid schemaname relname blks_read:bigint blks_hit:bigint";

// System relations have no storage, so that "all" tables are those of users.
constexpr SystemRelation kUserTables = {"pg_catalog.pg_stat_user_tables", kTableCounts, CountedTableRows,
                                        "Tables with their numbers of rows."};
constexpr SystemRelation kAllTables = {"pg_catalog.pg_stat_all_tables", kTableCounts, CountedTableRows,
                                       "Tables with their numbers of rows."};
constexpr SystemRelation kUserTransactions = {"pg_catalog.pg_stat_xact_user_tables", kTransactionCounts,
                                              NamedTableRows, "Tables; their use is not counted."};
constexpr SystemRelation kAllTransactions = {"pg_catalog.pg_stat_xact_all_tables", kTransactionCounts,
                                             NamedTableRows, "Tables; their use is not counted."};
constexpr SystemRelation kUserBlocks = {"pg_catalog.pg_statio_user_tables", kTableBlocks, NamedTableRows,
                                        "Tables; their blocks are not counted."};
constexpr SystemRelation kAllBlocks = {"pg_catalog.pg_statio_all_tables", kTableBlocks, NamedTableRows,
                                       "Tables; their blocks are not counted."};
constexpr SystemRelation kUserIndexes = {"pg_catalog.pg_stat_user_indexes", kIndexCounts, UsedIndexRows,
                                         "Indexes; their use is not counted."};
constexpr SystemRelation kAllIndexes = {"pg_catalog.pg_stat_all_indexes", kIndexCounts, UsedIndexRows,
                                        "Indexes; their use is not counted."};
constexpr SystemRelation kUserIndexBlocks = {"pg_catalog.pg_statio_user_indexes", kIndexBlocks, UsedIndexRows,
                                             "Indexes; their blocks are not counted."};
constexpr SystemRelation kAllIndexBlocks = {"pg_catalog.pg_statio_all_indexes", kIndexBlocks, UsedIndexRows,
                                            "Indexes; their blocks are not counted."};
constexpr SystemRelation kUserSequences = {"pg_catalog.pg_statio_user_sequences", kSequenceBlocks,
                                           NamedSequenceRows, "Sequences; their blocks are not counted."};
constexpr SystemRelation kAllSequences = {"pg_catalog.pg_statio_all_sequences", kSequenceBlocks,
                                          NamedSequenceRows, "Sequences; their blocks are not counted."};

ListingRows WorkRows(const FunctionContext& context, const BoundListing& bound) {
  SystemRows rows(bound);
  rows.Add(
      {{"datid", ObjectValue(kPgDatabaseOid)}, {"datname", TextValue(context.listing.DatabaseSize().name)}});
  return rows.Take();
}

constexpr SystemRelation kDatabaseWork = {
    "pg_catalog.pg_stat_database",
    "datid:oid datname numbackends:int xact_commit:bigint xact_rollback:bigint blks_read:bigint "
    "blks_hit:bigint tup_returned:bigint tup_fetched:bigint tup_inserted:bigint tup_updated:bigint "
    "tup_deleted:bigint conflicts:bigint temp_files:bigint temp_bytes:bigint deadlocks:bigint "
    "checksum_failures:bigint checksum_last_failure:timestamptz blk_read_time:double blk_write_time:double "
    "session_time:double active_time:double idle_in_transaction_time:double sessions:bigint "
    "sessions_abandoned:bigint sessions_fatal:bigint sessions_killed:bigint stats_reset:timestamptz",
    WorkRows, "The database; its work is not counted."};

Value Moment(int64_t micros) { return Value::TimestampTz(micros); }

/// Lists the session that asks: sessions do not see what others do.
ListingRows ActivityRows(const FunctionContext& context, const BoundListing& bound) {
  SystemRows rows(bound);
  const SettingDefinition* const program = FindSetting("application_name");
  rows.Add({{"datid", ObjectValue(kPgDatabaseOid)},
            {"datname", TextValue(context.listing.DatabaseSize().name)},
            {"pid", IntValue(context.listing.SessionNumber())},
            {"usesysid", ObjectValue(kPgOwnerOid)},
            {"usename", TextValue(kPgOwner)},
            {"application_name", TextValue(program == nullptr ? "" : program->get(context.settings))},
            {"xact_start",
             Moment(context.transaction_micros != 0 ? context.transaction_micros : context.now_micros)},
            {"query_start", Moment(context.now_micros)},
            {"state_change", Moment(context.now_micros)},
            {"state", TextValue("active")},
            {"backend_type", TextValue("client backend")}});
  return rows.Take();
}

constexpr SystemRelation kActivity = {
    "pg_catalog.pg_stat_activity",
    "datid:oid datname pid:int leader_pid:int usesysid:oid usename application_name client_addr "
    "client_hostname client_port:int backend_start:timestamptz xact_start:timestamptz "
    "query_start:timestamptz state_change:timestamptz wait_event_type wait_event state backend_xid:bigint "
    "backend_xmin:bigint query_id:bigint query backend_type",
    ActivityRows, "The session that asks."};

}  // namespace

std::vector<TableFunction> PgStatisticRelations() {
  return {MakeSystemRelation<kUserTables>(),       MakeSystemRelation<kAllTables>(),
          MakeSystemRelation<kUserTransactions>(), MakeSystemRelation<kAllTransactions>(),
          MakeSystemRelation<kUserBlocks>(),       MakeSystemRelation<kAllBlocks>(),
          MakeSystemRelation<kUserIndexes>(),      MakeSystemRelation<kAllIndexes>(),
          MakeSystemRelation<kUserIndexBlocks>(),  MakeSystemRelation<kAllIndexBlocks>(),
          MakeSystemRelation<kUserSequences>(),    MakeSystemRelation<kAllSequences>(),
          MakeSystemRelation<kDatabaseWork>(),     MakeSystemRelation<kActivity>()};
}

}  // namespace scaup
