// pg_catalog: relations about what Scaup does not have, so that clients can ask for it. They have
// PostgreSQL's columns and no rows.
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
     "aggfnoid:oid aggkind aggnumdirectargs:smallint aggtransfn:oid aggfinalfn:oid "
     "aggcombinefn:oid aggserialfn:oid aggdeserialfn:oid aggmtransfn:oid aggminvtransfn:oid "
     "aggmfinalfn:oid aggfinalextra:bool aggmfinalextra:bool aggfinalmodify aggmfinalmodify "
     "aggsortop:oid aggtranstype:oid aggtransspace:int aggmtranstype:oid aggmtransspace:int "
     "agginitval aggminitval"},
    {"pg_catalog.pg_amop",
     "oid:oid amopfamily:oid amoplefttype:oid amoprighttype:oid amopstrategy:smallint "
     "amoppurpose amopopr:oid amopmethod:oid amopsortfamily:oid"},
    {"pg_catalog.pg_amproc",
     "oid:oid amprocfamily:oid amproclefttype:oid amprocrighttype:oid amprocnum:smallint "
     "amproc:oid"},
    {"pg_catalog.pg_auth_members", "roleid:oid member:oid grantor:oid admin_option:bool"},
    {"pg_catalog.pg_available_extension_versions",
     "name version installed:bool superuser:bool trusted:bool relocatable:bool schema "
     "requires:text[] comment"},
    {"pg_catalog.pg_available_extensions", "name default_version installed_version comment"},
    {"pg_catalog.pg_cast", "oid:oid castsource:oid casttarget:oid castfunc:oid castcontext castmethod"},
    {"pg_catalog.pg_conversion",
     "oid:oid conname connamespace:oid conowner:oid conforencoding:int contoencoding:int "
     "conproc:oid condefault:bool"},
    {"pg_catalog.pg_db_role_setting", "setdatabase:oid setrole:oid setconfig:text[]"},
    {"pg_catalog.pg_default_acl",
     "oid:oid defaclrole:oid defaclnamespace:oid defaclobjtype defaclacl:text[]"},
    {"pg_catalog.pg_event_trigger",
     "oid:oid evtname evtevent evtowner:oid evtfoid:oid evtenabled evttags:text[]"},
    {"pg_catalog.pg_extension",
     "oid:oid extname extowner:oid extnamespace:oid extrelocatable:bool extversion "
     "extconfig:oid[] extcondition:text[]"},
    {"pg_catalog.pg_foreign_data_wrapper",
     "oid:oid fdwname fdwowner:oid fdwhandler:oid fdwvalidator:oid fdwacl:text[] "
     "fdwoptions:text[]"},
    {"pg_catalog.pg_foreign_server",
     "oid:oid srvname srvowner:oid srvfdw:oid srvtype srvversion srvacl:text[] "
     "srvoptions:text[]"},
    {"pg_catalog.pg_foreign_table", "ftrelid:oid ftserver:oid ftoptions:text[]"},
    {"pg_catalog.pg_group", "groname grosysid:oid grolist:oid[]"},
    {"pg_catalog.pg_inherits", "inhrelid:oid inhparent:oid inhseqno:int inhdetachpending:bool"},
    {"pg_catalog.pg_init_privs", "objoid:oid classoid:oid objsubid:int privtype initprivs:text[]"},
    {"pg_catalog.pg_largeobject", "loid:oid pageno:int data"},
    {"pg_catalog.pg_largeobject_metadata", "oid:oid lomowner:oid lomacl:text[]"},
    {"pg_catalog.pg_operator",
     "oid:oid oprname oprnamespace:oid oprowner:oid oprkind oprcanmerge:bool oprcanhash:bool "
     "oprleft:oid oprright:oid oprresult:oid oprcom:oid oprnegate:oid oprcode:oid oprrest:oid "
     "oprjoin:oid"},
    {"pg_catalog.pg_opfamily", "oid:oid opfmethod:oid opfname opfnamespace:oid opfowner:oid"},
    {"pg_catalog.pg_parameter_acl", "oid:oid parname paracl:text[]"},
    {"pg_catalog.pg_partitioned_table",
     "partrelid:oid partstrat partnatts:smallint partdefid:oid partattrs:smallint[] "
     "partclass:oid[] partcollation:oid[] partexprs"},
    {"pg_catalog.pg_policies", "schemaname tablename policyname permissive roles:text[] cmd qual with_check"},
    {"pg_catalog.pg_policy",
     "oid:oid polname polrelid:oid polcmd polpermissive:bool polroles:oid[] polqual "
     "polwithcheck"},
    {"pg_catalog.pg_prepared_xacts", "transaction:bigint gid prepared:timestamptz owner database"},
    {"pg_catalog.pg_publication",
     "oid:oid pubname pubowner:oid puballtables:bool pubinsert:bool pubupdate:bool "
     "pubdelete:bool pubtruncate:bool pubviaroot:bool"},
    {"pg_catalog.pg_publication_namespace", "oid:oid pnpubid:oid pnnspid:oid"},
    {"pg_catalog.pg_publication_rel", "oid:oid prpubid:oid prrelid:oid prqual prattrs:smallint[]"},
    {"pg_catalog.pg_publication_tables", "pubname schemaname tablename attnames:text[] rowfilter"},
    {"pg_catalog.pg_range",
     "rngtypid:oid rngsubtype:oid rngmultitypid:oid rngcollation:oid rngsubopc:oid "
     "rngcanonical:oid rngsubdiff:oid"},
    {"pg_catalog.pg_replication_slots",
     "slot_name plugin slot_type datoid:oid database temporary:bool active:bool active_pid:int "
     "xmin:bigint catalog_xmin:bigint restart_lsn confirmed_flush_lsn wal_status "
     "safe_wal_size:bigint two_phase:bool"},
    {"pg_catalog.pg_rules", "schemaname tablename rulename definition"},
    {"pg_catalog.pg_seclabels",
     "objoid:oid classoid:oid objsubid:int objtype objnamespace:oid objname provider label"},
    {"pg_catalog.pg_shdepend",
     "dbid:oid classid:oid objid:oid objsubid:int refclassid:oid refobjid:oid deptype"},
    {"pg_catalog.pg_shdescription", "objoid:oid classoid:oid description"},
    {"pg_catalog.pg_statistic_ext",
     "oid:oid stxrelid:oid stxname stxnamespace:oid stxowner:oid stxstattarget:int "
     "stxkeys:smallint[] stxkind:text[] stxexprs"},
    {"pg_catalog.pg_subscription",
     "oid:oid subdbid:oid subskiplsn subname subowner:oid subenabled:bool subbinary:bool "
     "substream:bool subtwophasestate subdisableonerr:bool subconninfo subslotname "
     "subsynccommit subpublications:text[]"},
    {"pg_catalog.pg_subscription_rel", "srsubid:oid srrelid:oid srsubstate srsublsn"},
    {"pg_catalog.pg_transform", "oid:oid trftype:oid trflang:oid trffromsql:oid trftosql:oid"},
    {"pg_catalog.pg_trigger",
     "oid:oid tgrelid:oid tgparentid:oid tgname tgfoid:oid tgtype:smallint tgenabled "
     "tgisinternal:bool tgconstrrelid:oid tgconstrindid:oid tgconstraint:oid tgdeferrable:bool "
     "tginitdeferred:bool tgnargs:smallint tgattr:smallint[] tgargs tgqual tgoldtable "
     "tgnewtable"},
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
};

template <size_t kIndex>
constexpr SystemRelation kEmptyRelation = {kRelations[kIndex].name, kRelations[kIndex].columns, NoRows,
                                           "Always empty: Scaup has nothing that it could list."};

template <size_t... kIndexes>
std::vector<TableFunction> MakeAll(std::index_sequence<kIndexes...>) {
  return {MakeSystemRelation<kEmptyRelation<kIndexes>>()...};
}

}  // namespace

std::vector<TableFunction> PgEmptyRelations() {
  return MakeAll(std::make_index_sequence<std::size(kRelations)>());
}

}  // namespace scaup
