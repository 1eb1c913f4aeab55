// pg_catalog and information_schema: relations about what Scaup does not have, so that clients can ask for
// it. They have PostgreSQL's columns and no rows.
#include <utility>

#include "system/system_relations.hpp"

namespace scaup {
namespace {

ListingRows NoRows(const FunctionContext&, const BoundListing&) { return {}; }

/// The name and the columns of a relation, as in SystemRelation.
struct EmptyRelation {
  const char* name;
  const char* columns;
};

constexpr EmptyRelation kRelations[] = {
    {"pg_catalog.pg_aggregate",
     "aggfnoid:oid aggkind aggnumdirectargs:smallint aggtransfn:oid aggfinalfn:oid aggcombinefn:oid "
     "aggserialfn:oid aggdeserialfn:oid aggmtransfn:oid aggminvtransfn:oid aggmfinalfn:oid "
     "aggfinalextra:bool aggmfinalextra:bool aggfinalmodify aggmfinalmodify aggsortop:oid "
     "aggtranstype:oid aggtransspace:int aggmtranstype:oid aggmtransspace:int agginitval aggminitval"},
    {"pg_catalog.pg_amop",
     "oid:oid amopfamily:oid amoplefttype:oid amoprighttype:oid amopstrategy:smallint amoppurpose "
     "amopopr:oid amopmethod:oid amopsortfamily:oid"},
    {"pg_catalog.pg_amproc",
     "oid:oid amprocfamily:oid amproclefttype:oid amprocrighttype:oid amprocnum:smallint amproc:oid"},
    {"pg_catalog.pg_auth_members", "roleid:oid member:oid grantor:oid admin_option:bool"},
    {"pg_catalog.pg_available_extension_versions",
     "name version installed:bool superuser:bool trusted:bool relocatable:bool schema requires:text[] "
     "comment"},
    {"pg_catalog.pg_available_extensions", "name default_version installed_version comment"},
    {"pg_catalog.pg_backend_memory_contexts",
     "name ident parent level:int total_bytes:bigint total_nblocks:bigint free_bytes:bigint "
     "free_chunks:bigint used_bytes:bigint"},
    {"pg_catalog.pg_cast", "oid:oid castsource:oid casttarget:oid castfunc:oid castcontext castmethod"},
    {"pg_catalog.pg_config", "name setting"},
    {"pg_catalog.pg_conversion",
     "oid:oid conname connamespace:oid conowner:oid conforencoding:int contoencoding:int conproc:oid "
     "condefault:bool"},
    {"pg_catalog.pg_db_role_setting", "setdatabase:oid setrole:oid setconfig:text[]"},
    {"pg_catalog.pg_default_acl",
     "oid:oid defaclrole:oid defaclnamespace:oid defaclobjtype defaclacl:text[]"},
    {"pg_catalog.pg_event_trigger",
     "oid:oid evtname evtevent evtowner:oid evtfoid:oid evtenabled evttags:text[]"},
    {"pg_catalog.pg_extension",
     "oid:oid extname extowner:oid extnamespace:oid extrelocatable:bool extversion extconfig:oid[] "
     "extcondition:text[]"},
    {"pg_catalog.pg_file_settings", "sourcefile sourceline:int seqno:int name setting applied:bool error"},
    {"pg_catalog.pg_foreign_data_wrapper",
     "oid:oid fdwname fdwowner:oid fdwhandler:oid fdwvalidator:oid fdwacl:text[] fdwoptions:text[]"},
    {"pg_catalog.pg_foreign_server",
     "oid:oid srvname srvowner:oid srvfdw:oid srvtype srvversion srvacl:text[] srvoptions:text[]"},
    {"pg_catalog.pg_foreign_table", "ftrelid:oid ftserver:oid ftoptions:text[]"},
    {"pg_catalog.pg_group", "groname grosysid:oid grolist:oid[]"},
    {"pg_catalog.pg_hba_file_rules",
     "line_number:int type database:text[] user_name:text[] address netmask auth_method options:text[] "
     "error"},
    {"pg_catalog.pg_ident_file_mappings", "line_number:int map_name sys_name pg_username error"},
    {"pg_catalog.pg_inherits", "inhrelid:oid inhparent:oid inhseqno:int inhdetachpending:bool"},
    {"pg_catalog.pg_init_privs", "objoid:oid classoid:oid objsubid:int privtype initprivs:text[]"},
    {"pg_catalog.pg_largeobject", "loid:oid pageno:int data"},
    {"pg_catalog.pg_largeobject_metadata", "oid:oid lomowner:oid lomacl:text[]"},
    {"pg_catalog.pg_locks",
     "locktype database:oid relation:oid page:int tuple:smallint virtualxid transactionid:bigint "
     "classid:oid objid:oid objsubid:smallint virtualtransaction pid:int mode granted:bool fastpath:bool "
     "waitstart:timestamptz"},
    {"pg_catalog.pg_operator",
     "oid:oid oprname oprnamespace:oid oprowner:oid oprkind oprcanmerge:bool oprcanhash:bool oprleft:oid "
     "oprright:oid oprresult:oid oprcom:oid oprnegate:oid oprcode:oid oprrest:oid oprjoin:oid"},
    {"pg_catalog.pg_opfamily", "oid:oid opfmethod:oid opfname opfnamespace:oid opfowner:oid"},
    {"pg_catalog.pg_parameter_acl", "oid:oid parname paracl:text[]"},
    {"pg_catalog.pg_partitioned_table",
     "partrelid:oid partstrat partnatts:smallint partdefid:oid partattrs:smallint[] partclass:oid[] "
     "partcollation:oid[] partexprs"},
    {"pg_catalog.pg_policies", "schemaname tablename policyname permissive roles:text[] cmd qual with_check"},
    {"pg_catalog.pg_policy",
     "oid:oid polname polrelid:oid polcmd polpermissive:bool polroles:oid[] polqual polwithcheck"},
    {"pg_catalog.pg_prepared_xacts", "transaction:bigint gid prepared:timestamptz owner database"},
    {"pg_catalog.pg_publication",
     "oid:oid pubname pubowner:oid puballtables:bool pubinsert:bool pubupdate:bool pubdelete:bool "
     "pubtruncate:bool pubviaroot:bool"},
    {"pg_catalog.pg_publication_namespace", "oid:oid pnpubid:oid pnnspid:oid"},
    {"pg_catalog.pg_publication_rel", "oid:oid prpubid:oid prrelid:oid prqual prattrs:smallint[]"},
    {"pg_catalog.pg_publication_tables", "pubname schemaname tablename attnames:text[] rowfilter"},
    {"pg_catalog.pg_replication_origin", "roident:oid roname"},
    {"pg_catalog.pg_replication_origin_status", "local_id:oid external_id remote_lsn local_lsn"},
    {"pg_catalog.pg_replication_slots",
     "slot_name plugin slot_type datoid:oid database temporary:bool active:bool active_pid:int "
     "xmin:bigint catalog_xmin:bigint restart_lsn confirmed_flush_lsn wal_status safe_wal_size:bigint "
     "two_phase:bool"},
    {"pg_catalog.pg_rules", "schemaname tablename rulename definition"},
    {"pg_catalog.pg_seclabel", "objoid:oid classoid:oid objsubid:int provider label"},
    {"pg_catalog.pg_seclabels",
     "objoid:oid classoid:oid objsubid:int objtype objnamespace:oid objname provider label"},
    {"pg_catalog.pg_shdepend",
     "dbid:oid classid:oid objid:oid objsubid:int refclassid:oid refobjid:oid deptype"},
    {"pg_catalog.pg_shdescription", "objoid:oid classoid:oid description"},
    {"pg_catalog.pg_shmem_allocations", "name off:bigint size:bigint allocated_size:bigint"},
    {"pg_catalog.pg_shseclabel", "objoid:oid classoid:oid provider label"},
    {"pg_catalog.pg_stat_archiver",
     "archived_count:bigint last_archived_wal last_archived_time:timestamptz failed_count:bigint "
     "last_failed_wal last_failed_time:timestamptz stats_reset:timestamptz"},
    {"pg_catalog.pg_stat_bgwriter",
     "checkpoints_timed:bigint checkpoints_req:bigint checkpoint_write_time:double "
     "checkpoint_sync_time:double buffers_checkpoint:bigint buffers_clean:bigint maxwritten_clean:bigint "
     "buffers_backend:bigint buffers_backend_fsync:bigint buffers_alloc:bigint stats_reset:timestamptz"},
    {"pg_catalog.pg_stat_database_conflicts",
     "datid:oid datname confl_tablespace:bigint confl_lock:bigint confl_snapshot:bigint "
     "confl_bufferpin:bigint confl_deadlock:bigint"},
    {"pg_catalog.pg_stat_gssapi", "pid:int gss_authenticated:bool principal encrypted:bool"},
    {"pg_catalog.pg_stat_progress_analyze",
     "pid:int datid:oid datname relid:oid phase sample_blks_total:bigint sample_blks_scanned:bigint "
     "ext_stats_total:bigint ext_stats_computed:bigint child_tables_total:bigint "
     "child_tables_done:bigint current_child_table_relid:oid"},
    {"pg_catalog.pg_stat_progress_basebackup",
     "pid:int phase backup_total:bigint backup_streamed:bigint tablespaces_total:bigint "
     "tablespaces_streamed:bigint"},
    {"pg_catalog.pg_stat_progress_cluster",
     "pid:int datid:oid datname relid:oid command phase cluster_index_relid:oid "
     "heap_tuples_scanned:bigint heap_tuples_written:bigint heap_blks_total:bigint "
     "heap_blks_scanned:bigint index_rebuild_count:bigint"},
    {"pg_catalog.pg_stat_progress_copy",
     "pid:int datid:oid datname relid:oid command type bytes_processed:bigint bytes_total:bigint "
     "tuples_processed:bigint tuples_excluded:bigint"},
    {"pg_catalog.pg_stat_progress_create_index",
     "pid:int datid:oid datname relid:oid index_relid:oid command phase lockers_total:bigint "
     "lockers_done:bigint current_locker_pid:bigint blocks_total:bigint blocks_done:bigint "
     "tuples_total:bigint tuples_done:bigint partitions_total:bigint partitions_done:bigint"},
    {"pg_catalog.pg_stat_progress_vacuum",
     "pid:int datid:oid datname relid:oid phase heap_blks_total:bigint heap_blks_scanned:bigint "
     "heap_blks_vacuumed:bigint index_vacuum_count:bigint max_dead_tuples:bigint num_dead_tuples:bigint"},
    {"pg_catalog.pg_stat_recovery_prefetch",
     "stats_reset:timestamptz prefetch:bigint hit:bigint skip_init:bigint skip_new:bigint "
     "skip_fpw:bigint skip_rep:bigint wal_distance:int block_distance:int io_depth:int"},
    {"pg_catalog.pg_stat_replication",
     "pid:int usesysid:oid usename application_name client_addr client_hostname client_port:int "
     "backend_start:timestamptz backend_xmin:bigint state sent_lsn write_lsn flush_lsn replay_lsn "
     "write_lag flush_lag replay_lag sync_priority:int sync_state reply_time:timestamptz"},
    {"pg_catalog.pg_stat_replication_slots",
     "slot_name spill_txns:bigint spill_count:bigint spill_bytes:bigint stream_txns:bigint "
     "stream_count:bigint stream_bytes:bigint total_txns:bigint total_bytes:bigint "
     "stats_reset:timestamptz"},
    {"pg_catalog.pg_stat_slru",
     "name blks_zeroed:bigint blks_hit:bigint blks_read:bigint blks_written:bigint blks_exists:bigint "
     "flushes:bigint truncates:bigint stats_reset:timestamptz"},
    {"pg_catalog.pg_stat_ssl",
     "pid:int ssl:bool version cipher bits:int client_dn client_serial:double issuer_dn"},
    {"pg_catalog.pg_stat_subscription",
     "subid:oid subname pid:int relid:oid received_lsn last_msg_send_time:timestamptz "
     "last_msg_receipt_time:timestamptz latest_end_lsn latest_end_time:timestamptz"},
    {"pg_catalog.pg_stat_subscription_stats",
     "subid:oid subname apply_error_count:bigint sync_error_count:bigint stats_reset:timestamptz"},
    {"pg_catalog.pg_stat_sys_indexes",
     "relid:oid indexrelid:oid schemaname relname indexrelname idx_scan:bigint idx_tup_read:bigint "
     "idx_tup_fetch:bigint"},
    {"pg_catalog.pg_stat_sys_tables",
     "relid:oid schemaname relname seq_scan:bigint seq_tup_read:bigint idx_scan:bigint "
     "idx_tup_fetch:bigint n_tup_ins:bigint n_tup_upd:bigint n_tup_del:bigint n_tup_hot_upd:bigint "
     "n_live_tup:bigint n_dead_tup:bigint n_mod_since_analyze:bigint n_ins_since_vacuum:bigint "
     "last_vacuum:timestamptz last_autovacuum:timestamptz last_analyze:timestamptz "
     "last_autoanalyze:timestamptz vacuum_count:bigint autovacuum_count:bigint analyze_count:bigint "
     "autoanalyze_count:bigint"},
    {"pg_catalog.pg_stat_user_functions",
     "funcid:oid schemaname funcname calls:bigint total_time:double self_time:double"},
    {"pg_catalog.pg_stat_wal",
     "wal_records:bigint wal_fpi:bigint wal_bytes:double wal_buffers_full:bigint wal_write:bigint "
     "wal_sync:bigint wal_write_time:double wal_sync_time:double stats_reset:timestamptz"},
    {"pg_catalog.pg_stat_wal_receiver",
     "pid:int status receive_start_lsn receive_start_tli:int written_lsn flushed_lsn received_tli:int "
     "last_msg_send_time:timestamptz last_msg_receipt_time:timestamptz latest_end_lsn "
     "latest_end_time:timestamptz slot_name sender_host sender_port:int conninfo"},
    {"pg_catalog.pg_stat_xact_sys_tables",
     "relid:oid schemaname relname seq_scan:bigint seq_tup_read:bigint idx_scan:bigint "
     "idx_tup_fetch:bigint n_tup_ins:bigint n_tup_upd:bigint n_tup_del:bigint n_tup_hot_upd:bigint"},
    {"pg_catalog.pg_stat_xact_user_functions",
     "funcid:oid schemaname funcname calls:bigint total_time:double self_time:double"},
    {"pg_catalog.pg_statio_sys_indexes",
     "relid:oid indexrelid:oid schemaname relname indexrelname idx_blks_read:bigint idx_blks_hit:bigint"},
    {"pg_catalog.pg_statio_sys_sequences", "relid:oid schemaname relname blks_read:bigint blks_hit:bigint"},
    {"pg_catalog.pg_statio_sys_tables",
     "relid:oid schemaname relname heap_blks_read:bigint heap_blks_hit:bigint idx_blks_read:bigint "
     "idx_blks_hit:bigint toast_blks_read:bigint toast_blks_hit:bigint tidx_blks_read:bigint "
     "tidx_blks_hit:bigint"},
    {"pg_catalog.pg_statistic",
     "starelid:oid staattnum:smallint stainherit:bool stanullfrac:real stawidth:int stadistinct:real "
     "stakind1:smallint stakind2:smallint stakind3:smallint stakind4:smallint stakind5:smallint "
     "staop1:oid staop2:oid staop3:oid staop4:oid staop5:oid stacoll1:oid stacoll2:oid stacoll3:oid "
     "stacoll4:oid stacoll5:oid stanumbers1:text[] stanumbers2:text[] stanumbers3:text[] "
     "stanumbers4:text[] stanumbers5:text[] stavalues1 stavalues2 stavalues3 stavalues4 stavalues5"},
    {"pg_catalog.pg_statistic_ext",
     "oid:oid stxrelid:oid stxname stxnamespace:oid stxowner:oid stxstattarget:int stxkeys:smallint[] "
     "stxkind:text[] stxexprs"},
    {"pg_catalog.pg_statistic_ext_data",
     "stxoid:oid stxdinherit:bool stxdndistinct stxddependencies stxdmcv stxdexpr"},
    {"pg_catalog.pg_stats",
     "schemaname tablename attname inherited:bool null_frac:real avg_width:int n_distinct:real "
     "most_common_vals most_common_freqs:text[] histogram_bounds correlation:real most_common_elems "
     "most_common_elem_freqs:text[] elem_count_histogram:text[]"},
    {"pg_catalog.pg_stats_ext",
     "schemaname tablename statistics_schemaname statistics_name statistics_owner attnames:text[] "
     "exprs:text[] kinds:text[] inherited:bool n_distinct dependencies most_common_vals:text[] "
     "most_common_val_nulls most_common_freqs most_common_base_freqs"},
    {"pg_catalog.pg_stats_ext_exprs",
     "schemaname tablename statistics_schemaname statistics_name statistics_owner expr inherited:bool "
     "null_frac:real avg_width:int n_distinct:real most_common_vals most_common_freqs:text[] "
     "histogram_bounds correlation:real most_common_elems most_common_elem_freqs:text[] "
     "elem_count_histogram:text[]"},
    {"pg_catalog.pg_subscription",
     "oid:oid subdbid:oid subskiplsn subname subowner:oid subenabled:bool subbinary:bool substream:bool "
     "subtwophasestate subdisableonerr:bool subconninfo subslotname subsynccommit subpublications:text[]"},
    {"pg_catalog.pg_subscription_rel", "srsubid:oid srrelid:oid srsubstate srsublsn"},
    {"pg_catalog.pg_transform", "oid:oid trftype:oid trflang:oid trffromsql:oid trftosql:oid"},
    {"pg_catalog.pg_ts_config", "oid:oid cfgname cfgnamespace:oid cfgowner:oid cfgparser:oid"},
    {"pg_catalog.pg_ts_config_map", "mapcfg:oid maptokentype:int mapseqno:int mapdict:oid"},
    {"pg_catalog.pg_ts_dict",
     "oid:oid dictname dictnamespace:oid dictowner:oid dicttemplate:oid dictinitoption"},
    {"pg_catalog.pg_ts_parser",
     "oid:oid prsname prsnamespace:oid prsstart:oid prstoken:oid prsend:oid prsheadline:oid "
     "prslextype:oid"},
    {"pg_catalog.pg_ts_template", "oid:oid tmplname tmplnamespace:oid tmplinit:oid tmpllexize:oid"},
    {"pg_catalog.pg_user_mapping", "oid:oid umuser:oid umserver:oid umoptions:text[]"},
    {"pg_catalog.pg_user_mappings", "umid:oid srvid:oid srvname umuser:oid usename umoptions:text[]"},
    {"information_schema.administrable_role_authorizations", "grantee role_name is_grantable"},
    {"information_schema.applicable_roles", "grantee role_name is_grantable"},
    {"information_schema.attributes",
     "udt_catalog udt_schema udt_name attribute_name ordinal_position:int attribute_default is_nullable "
     "data_type character_maximum_length:int character_octet_length:int character_set_catalog "
     "character_set_schema character_set_name collation_catalog collation_schema collation_name "
     "numeric_precision:int numeric_precision_radix:int numeric_scale:int datetime_precision:int "
     "interval_type interval_precision:int attribute_udt_catalog attribute_udt_schema attribute_udt_name "
     "scope_catalog scope_schema scope_name maximum_cardinality:int dtd_identifier "
     "is_derived_reference_attribute"},
    {"information_schema.check_constraint_routine_usage",
     "constraint_catalog constraint_schema constraint_name specific_catalog specific_schema "
     "specific_name"},
    {"information_schema.column_column_usage",
     "table_catalog table_schema table_name column_name dependent_column"},
    {"information_schema.column_options",
     "table_catalog table_schema table_name column_name option_name option_value"},
    {"information_schema.column_udt_usage",
     "udt_catalog udt_schema udt_name table_catalog table_schema table_name column_name"},
    {"information_schema.foreign_data_wrapper_options",
     "foreign_data_wrapper_catalog foreign_data_wrapper_name option_name option_value"},
    {"information_schema.foreign_data_wrappers",
     "foreign_data_wrapper_catalog foreign_data_wrapper_name authorization_identifier library_name "
     "foreign_data_wrapper_language"},
    {"information_schema.foreign_server_options",
     "foreign_server_catalog foreign_server_name option_name option_value"},
    {"information_schema.foreign_servers",
     "foreign_server_catalog foreign_server_name foreign_data_wrapper_catalog foreign_data_wrapper_name "
     "foreign_server_type foreign_server_version authorization_identifier"},
    {"information_schema.foreign_table_options",
     "foreign_table_catalog foreign_table_schema foreign_table_name option_name option_value"},
    {"information_schema.foreign_tables",
     "foreign_table_catalog foreign_table_schema foreign_table_name foreign_server_catalog "
     "foreign_server_name"},
    {"information_schema.role_udt_grants",
     "grantor grantee udt_catalog udt_schema udt_name privilege_type is_grantable"},
    {"information_schema.role_usage_grants",
     "grantor grantee object_catalog object_schema object_name object_type privilege_type is_grantable"},
    {"information_schema.routine_column_usage",
     "specific_catalog specific_schema specific_name routine_catalog routine_schema routine_name "
     "table_catalog table_schema table_name column_name"},
    {"information_schema.routine_routine_usage",
     "specific_catalog specific_schema specific_name routine_catalog routine_schema routine_name"},
    {"information_schema.routine_sequence_usage",
     "specific_catalog specific_schema specific_name routine_catalog routine_schema routine_name "
     "sequence_catalog sequence_schema sequence_name"},
    {"information_schema.routine_table_usage",
     "specific_catalog specific_schema specific_name routine_catalog routine_schema routine_name "
     "table_catalog table_schema table_name"},
    {"information_schema.transforms",
     "udt_catalog udt_schema udt_name specific_catalog specific_schema specific_name group_name "
     "transform_type"},
    {"information_schema.udt_privileges",
     "grantor grantee udt_catalog udt_schema udt_name privilege_type is_grantable"},
    {"information_schema.user_defined_types",
     "user_defined_type_catalog user_defined_type_schema user_defined_type_name "
     "user_defined_type_category is_instantiable is_final ordering_form ordering_category "
     "ordering_routine_catalog ordering_routine_schema ordering_routine_name reference_type data_type "
     "character_maximum_length:int character_octet_length:int character_set_catalog character_set_schema "
     "character_set_name collation_catalog collation_schema collation_name numeric_precision:int "
     "numeric_precision_radix:int numeric_scale:int datetime_precision:int interval_type "
     "interval_precision:int source_dtd_identifier ref_dtd_identifier"},
    {"information_schema.user_mapping_options",
     "authorization_identifier foreign_server_catalog foreign_server_name option_name option_value"},
    {"information_schema.user_mappings",
     "authorization_identifier foreign_server_catalog foreign_server_name"},
    {"information_schema.view_routine_usage",
     "table_catalog table_schema table_name specific_catalog specific_schema specific_name"},
};

template <size_t kIndex>
constexpr SystemRelation kEmptyRelation = {kRelations[kIndex].name, kRelations[kIndex].columns, NoRows,
                                           "Always empty: Scaup has nothing that it could list."};

template <size_t... kIndexes>
std::vector<TableFunction> MakeAll(std::index_sequence<kIndexes...>) {
  return {MakeSystemRelation<kEmptyRelation<kIndexes>>()...};
}

}  // namespace

std::vector<TableFunction> EmptyRelations() {
  return MakeAll(std::make_index_sequence<std::size(kRelations)>());
}

}  // namespace scaup
