-- name: information_schema.administrable_role_authorizations
-- columns: ["grantee", "role_name", "is_grantable"]
SELECT * FROM information_schema.administrable_role_authorizations
;
-- name: information_schema.applicable_roles
-- columns: ["grantee", "role_name", "is_grantable"]
SELECT * FROM information_schema.applicable_roles
;
-- name: information_schema.attributes
-- columns: ["udt_catalog", "udt_schema", "udt_name", "attribute_name", "ordinal_position", "attribute_default", "is_nullable", "data_type", "character_maximum_length", "character_octet_length", "character_set_catalog", "character_set_schema", "character_set_name", "collation_catalog", "collation_schema", "collation_name", "numeric_precision", "numeric_precision_radix", "numeric_scale", "datetime_precision", "interval_type", "interval_precision", "attribute_udt_catalog", "attribute_udt_schema", "attribute_udt_name", "scope_catalog", "scope_schema", "scope_name", "maximum_cardinality", "dtd_identifier", "is_derived_reference_attribute"]
SELECT * FROM information_schema.attributes
;
-- name: information_schema.character_sets
-- columns: ["character_set_catalog", "character_set_schema", "character_set_name", "character_repertoire", "form_of_use", "default_collate_catalog", "default_collate_schema", "default_collate_name"]
SELECT * FROM information_schema.character_sets
;
-- name: information_schema.check_constraint_routine_usage
-- columns: ["constraint_catalog", "constraint_schema", "constraint_name", "specific_catalog", "specific_schema", "specific_name"]
SELECT * FROM information_schema.check_constraint_routine_usage
;
-- name: information_schema.check_constraints
-- columns: ["constraint_catalog", "constraint_schema", "constraint_name", "check_clause"]
SELECT * FROM information_schema.check_constraints
;
-- name: information_schema.column_column_usage
-- columns: ["table_catalog", "table_schema", "table_name", "column_name", "dependent_column"]
SELECT * FROM information_schema.column_column_usage
;
-- name: information_schema.column_domain_usage
-- columns: ["domain_catalog", "domain_schema", "domain_name", "table_catalog", "table_schema", "table_name", "column_name"]
SELECT * FROM information_schema.column_domain_usage
;
-- name: information_schema.column_options
-- columns: ["table_catalog", "table_schema", "table_name", "column_name", "option_name", "option_value"]
SELECT * FROM information_schema.column_options
;
-- name: information_schema.column_privileges
-- columns: ["grantor", "grantee", "table_catalog", "table_schema", "table_name", "column_name", "privilege_type", "is_grantable"]
SELECT * FROM information_schema.column_privileges
;
-- name: information_schema.column_udt_usage
-- columns: ["udt_catalog", "udt_schema", "udt_name", "table_catalog", "table_schema", "table_name", "column_name"]
SELECT * FROM information_schema.column_udt_usage
;
-- name: information_schema.columns
-- columns: ["table_catalog", "table_schema", "table_name", "column_name", "ordinal_position", "column_default", "is_nullable", "data_type", "character_maximum_length", "character_octet_length", "numeric_precision", "numeric_precision_radix", "numeric_scale", "datetime_precision", "interval_type", "interval_precision", "character_set_catalog", "character_set_schema", "character_set_name", "collation_catalog", "collation_schema", "collation_name", "domain_catalog", "domain_schema", "domain_name", "udt_catalog", "udt_schema", "udt_name", "scope_catalog", "scope_schema", "scope_name", "maximum_cardinality", "dtd_identifier", "is_self_referencing", "is_identity", "identity_generation", "identity_start", "identity_increment", "identity_maximum", "identity_minimum", "identity_cycle", "is_generated", "generation_expression", "is_updatable"]
SELECT * FROM information_schema.columns
;
-- name: information_schema.constraint_column_usage
-- columns: ["table_catalog", "table_schema", "table_name", "column_name", "constraint_catalog", "constraint_schema", "constraint_name"]
SELECT * FROM information_schema.constraint_column_usage
;
-- name: information_schema.constraint_table_usage
-- columns: ["table_catalog", "table_schema", "table_name", "constraint_catalog", "constraint_schema", "constraint_name"]
SELECT * FROM information_schema.constraint_table_usage
;
-- name: information_schema.domain_constraints
-- columns: ["constraint_catalog", "constraint_schema", "constraint_name", "domain_catalog", "domain_schema", "domain_name", "is_deferrable", "initially_deferred"]
SELECT * FROM information_schema.domain_constraints
;
-- name: information_schema.domains
-- columns: ["domain_catalog", "domain_schema", "domain_name", "data_type", "character_maximum_length", "character_octet_length", "character_set_catalog", "character_set_schema", "character_set_name", "collation_catalog", "collation_schema", "collation_name", "numeric_precision", "numeric_precision_radix", "numeric_scale", "datetime_precision", "interval_type", "interval_precision", "domain_default", "udt_catalog", "udt_schema", "udt_name", "scope_catalog", "scope_schema", "scope_name", "maximum_cardinality", "dtd_identifier"]
SELECT * FROM information_schema.domains
;
-- name: information_schema.enabled_roles
-- columns: ["role_name"]
SELECT * FROM information_schema.enabled_roles
;
-- name: information_schema.foreign_data_wrapper_options
-- columns: ["foreign_data_wrapper_catalog", "foreign_data_wrapper_name", "option_name", "option_value"]
SELECT * FROM information_schema.foreign_data_wrapper_options
;
-- name: information_schema.foreign_data_wrappers
-- columns: ["foreign_data_wrapper_catalog", "foreign_data_wrapper_name", "authorization_identifier", "library_name", "foreign_data_wrapper_language"]
SELECT * FROM information_schema.foreign_data_wrappers
;
-- name: information_schema.foreign_server_options
-- columns: ["foreign_server_catalog", "foreign_server_name", "option_name", "option_value"]
SELECT * FROM information_schema.foreign_server_options
;
-- name: information_schema.foreign_servers
-- columns: ["foreign_server_catalog", "foreign_server_name", "foreign_data_wrapper_catalog", "foreign_data_wrapper_name", "foreign_server_type", "foreign_server_version", "authorization_identifier"]
SELECT * FROM information_schema.foreign_servers
;
-- name: information_schema.foreign_table_options
-- columns: ["foreign_table_catalog", "foreign_table_schema", "foreign_table_name", "option_name", "option_value"]
SELECT * FROM information_schema.foreign_table_options
;
-- name: information_schema.foreign_tables
-- columns: ["foreign_table_catalog", "foreign_table_schema", "foreign_table_name", "foreign_server_catalog", "foreign_server_name"]
SELECT * FROM information_schema.foreign_tables
;
-- name: information_schema.information_schema_catalog_name
-- columns: ["catalog_name"]
SELECT * FROM information_schema.information_schema_catalog_name
;
-- name: information_schema.key_column_usage
-- columns: ["constraint_catalog", "constraint_schema", "constraint_name", "table_catalog", "table_schema", "table_name", "column_name", "ordinal_position", "position_in_unique_constraint"]
SELECT * FROM information_schema.key_column_usage
;
-- name: information_schema.parameters
-- columns: ["specific_catalog", "specific_schema", "specific_name", "ordinal_position", "parameter_mode", "is_result", "as_locator", "parameter_name", "data_type", "character_maximum_length", "character_octet_length", "character_set_catalog", "character_set_schema", "character_set_name", "collation_catalog", "collation_schema", "collation_name", "numeric_precision", "numeric_precision_radix", "numeric_scale", "datetime_precision", "interval_type", "interval_precision", "udt_catalog", "udt_schema", "udt_name", "scope_catalog", "scope_schema", "scope_name", "maximum_cardinality", "dtd_identifier", "parameter_default"]
SELECT * FROM information_schema.parameters
;
-- name: information_schema.referential_constraints
-- columns: ["constraint_catalog", "constraint_schema", "constraint_name", "unique_constraint_catalog", "unique_constraint_schema", "unique_constraint_name", "match_option", "update_rule", "delete_rule"]
SELECT * FROM information_schema.referential_constraints
;
-- name: information_schema.role_column_grants
-- columns: ["grantor", "grantee", "table_catalog", "table_schema", "table_name", "column_name", "privilege_type", "is_grantable"]
SELECT * FROM information_schema.role_column_grants
;
-- name: information_schema.role_routine_grants
-- columns: ["grantor", "grantee", "specific_catalog", "specific_schema", "specific_name", "routine_catalog", "routine_schema", "routine_name", "privilege_type", "is_grantable"]
SELECT * FROM information_schema.role_routine_grants
;
-- name: information_schema.role_table_grants
-- columns: ["grantor", "grantee", "table_catalog", "table_schema", "table_name", "privilege_type", "is_grantable", "with_hierarchy"]
SELECT * FROM information_schema.role_table_grants
;
-- name: information_schema.role_udt_grants
-- columns: ["grantor", "grantee", "udt_catalog", "udt_schema", "udt_name", "privilege_type", "is_grantable"]
SELECT * FROM information_schema.role_udt_grants
;
-- name: information_schema.role_usage_grants
-- columns: ["grantor", "grantee", "object_catalog", "object_schema", "object_name", "object_type", "privilege_type", "is_grantable"]
SELECT * FROM information_schema.role_usage_grants
;
-- name: information_schema.routine_column_usage
-- columns: ["specific_catalog", "specific_schema", "specific_name", "routine_catalog", "routine_schema", "routine_name", "table_catalog", "table_schema", "table_name", "column_name"]
SELECT * FROM information_schema.routine_column_usage
;
-- name: information_schema.routine_privileges
-- columns: ["grantor", "grantee", "specific_catalog", "specific_schema", "specific_name", "routine_catalog", "routine_schema", "routine_name", "privilege_type", "is_grantable"]
SELECT * FROM information_schema.routine_privileges
;
-- name: information_schema.routine_routine_usage
-- columns: ["specific_catalog", "specific_schema", "specific_name", "routine_catalog", "routine_schema", "routine_name"]
SELECT * FROM information_schema.routine_routine_usage
;
-- name: information_schema.routine_sequence_usage
-- columns: ["specific_catalog", "specific_schema", "specific_name", "routine_catalog", "routine_schema", "routine_name", "sequence_catalog", "sequence_schema", "sequence_name"]
SELECT * FROM information_schema.routine_sequence_usage
;
-- name: information_schema.routine_table_usage
-- columns: ["specific_catalog", "specific_schema", "specific_name", "routine_catalog", "routine_schema", "routine_name", "table_catalog", "table_schema", "table_name"]
SELECT * FROM information_schema.routine_table_usage
;
-- name: information_schema.routines
-- columns: ["specific_catalog", "specific_schema", "specific_name", "routine_catalog", "routine_schema", "routine_name", "routine_type", "module_catalog", "module_schema", "module_name", "udt_catalog", "udt_schema", "udt_name", "data_type", "character_maximum_length", "character_octet_length", "character_set_catalog", "character_set_schema", "character_set_name", "collation_catalog", "collation_schema", "collation_name", "numeric_precision", "numeric_precision_radix", "numeric_scale", "datetime_precision", "interval_type", "interval_precision", "type_udt_catalog", "type_udt_schema", "type_udt_name", "scope_catalog", "scope_schema", "scope_name", "maximum_cardinality", "dtd_identifier", "routine_body", "routine_definition", "external_name", "external_language", "parameter_style", "is_deterministic", "sql_data_access", "is_null_call", "sql_path", "schema_level_routine", "max_dynamic_result_sets", "is_user_defined_cast", "is_implicitly_invocable", "security_type", "to_sql_specific_catalog", "to_sql_specific_schema", "to_sql_specific_name", "as_locator", "created", "last_altered", "new_savepoint_level", "is_udt_dependent", "result_cast_from_data_type", "result_cast_as_locator", "result_cast_char_max_length", "result_cast_char_octet_length", "result_cast_char_set_catalog", "result_cast_char_set_schema", "result_cast_char_set_name", "result_cast_collation_catalog", "result_cast_collation_schema", "result_cast_collation_name", "result_cast_numeric_precision", "result_cast_numeric_precision_radix", "result_cast_numeric_scale", "result_cast_datetime_precision", "result_cast_interval_type", "result_cast_interval_precision", "result_cast_type_udt_catalog", "result_cast_type_udt_schema", "result_cast_type_udt_name", "result_cast_scope_catalog", "result_cast_scope_schema", "result_cast_scope_name", "result_cast_maximum_cardinality", "result_cast_dtd_identifier"]
SELECT * FROM information_schema.routines
;
-- name: information_schema.schemata
-- columns: ["catalog_name", "schema_name", "schema_owner", "default_character_set_catalog", "default_character_set_schema", "default_character_set_name", "sql_path"]
SELECT * FROM information_schema.schemata
;
-- name: information_schema.sequences
-- columns: ["sequence_catalog", "sequence_schema", "sequence_name", "data_type", "numeric_precision", "numeric_precision_radix", "numeric_scale", "start_value", "minimum_value", "maximum_value", "increment", "cycle_option"]
SELECT * FROM information_schema.sequences
;
-- name: information_schema.table_constraints
-- columns: ["constraint_catalog", "constraint_schema", "constraint_name", "table_catalog", "table_schema", "table_name", "constraint_type", "is_deferrable", "initially_deferred", "enforced", "nulls_distinct"]
SELECT * FROM information_schema.table_constraints
;
-- name: information_schema.table_privileges
-- columns: ["grantor", "grantee", "table_catalog", "table_schema", "table_name", "privilege_type", "is_grantable", "with_hierarchy"]
SELECT * FROM information_schema.table_privileges
;
-- name: information_schema.tables
-- columns: ["table_catalog", "table_schema", "table_name", "table_type", "self_referencing_column_name", "reference_generation", "user_defined_type_catalog", "user_defined_type_schema", "user_defined_type_name", "is_insertable_into", "is_typed", "commit_action"]
SELECT * FROM information_schema.tables
;
-- name: information_schema.transforms
-- columns: ["udt_catalog", "udt_schema", "udt_name", "specific_catalog", "specific_schema", "specific_name", "group_name", "transform_type"]
SELECT * FROM information_schema.transforms
;
-- name: information_schema.triggered_update_columns
-- columns: ["trigger_catalog", "trigger_schema", "trigger_name", "event_object_catalog", "event_object_schema", "event_object_table", "event_object_column"]
SELECT * FROM information_schema.triggered_update_columns
;
-- name: information_schema.triggers
-- columns: ["trigger_catalog", "trigger_schema", "trigger_name", "event_manipulation", "event_object_catalog", "event_object_schema", "event_object_table", "action_order", "action_condition", "action_statement", "action_orientation", "action_timing", "action_reference_old_table", "action_reference_new_table", "action_reference_old_row", "action_reference_new_row", "created"]
SELECT * FROM information_schema.triggers
;
-- name: information_schema.udt_privileges
-- columns: ["grantor", "grantee", "udt_catalog", "udt_schema", "udt_name", "privilege_type", "is_grantable"]
SELECT * FROM information_schema.udt_privileges
;
-- name: information_schema.user_defined_types
-- columns: ["user_defined_type_catalog", "user_defined_type_schema", "user_defined_type_name", "user_defined_type_category", "is_instantiable", "is_final", "ordering_form", "ordering_category", "ordering_routine_catalog", "ordering_routine_schema", "ordering_routine_name", "reference_type", "data_type", "character_maximum_length", "character_octet_length", "character_set_catalog", "character_set_schema", "character_set_name", "collation_catalog", "collation_schema", "collation_name", "numeric_precision", "numeric_precision_radix", "numeric_scale", "datetime_precision", "interval_type", "interval_precision", "source_dtd_identifier", "ref_dtd_identifier"]
SELECT * FROM information_schema.user_defined_types
;
-- name: information_schema.user_mapping_options
-- columns: ["authorization_identifier", "foreign_server_catalog", "foreign_server_name", "option_name", "option_value"]
SELECT * FROM information_schema.user_mapping_options
;
-- name: information_schema.user_mappings
-- columns: ["authorization_identifier", "foreign_server_catalog", "foreign_server_name"]
SELECT * FROM information_schema.user_mappings
;
-- name: information_schema.view_routine_usage
-- columns: ["table_catalog", "table_schema", "table_name", "specific_catalog", "specific_schema", "specific_name"]
SELECT * FROM information_schema.view_routine_usage
;
-- name: information_schema.view_table_usage
-- columns: ["view_catalog", "view_schema", "view_name", "table_catalog", "table_schema", "table_name"]
SELECT * FROM information_schema.view_table_usage
;
-- name: information_schema.views
-- columns: ["table_catalog", "table_schema", "table_name", "view_definition", "check_option", "is_updatable", "is_insertable_into", "is_trigger_updatable", "is_trigger_deletable", "is_trigger_insertable_into"]
SELECT * FROM information_schema.views
;
-- name: pg_catalog.pg_aggregate
-- columns: ["aggfnoid", "aggkind", "aggnumdirectargs", "aggtransfn", "aggfinalfn", "aggcombinefn", "aggserialfn", "aggdeserialfn", "aggmtransfn", "aggminvtransfn", "aggmfinalfn", "aggfinalextra", "aggmfinalextra", "aggfinalmodify", "aggmfinalmodify", "aggsortop", "aggtranstype", "aggtransspace", "aggmtranstype", "aggmtransspace", "agginitval", "aggminitval"]
SELECT * FROM pg_catalog.pg_aggregate
;
-- name: pg_catalog.pg_am
-- columns: ["oid", "amname", "amhandler", "amtype"]
SELECT * FROM pg_catalog.pg_am
;
-- name: pg_catalog.pg_amop
-- columns: ["oid", "amopfamily", "amoplefttype", "amoprighttype", "amopstrategy", "amoppurpose", "amopopr", "amopmethod", "amopsortfamily"]
SELECT * FROM pg_catalog.pg_amop
;
-- name: pg_catalog.pg_amproc
-- columns: ["oid", "amprocfamily", "amproclefttype", "amprocrighttype", "amprocnum", "amproc"]
SELECT * FROM pg_catalog.pg_amproc
;
-- name: pg_catalog.pg_attrdef
-- columns: ["oid", "adrelid", "adnum", "adbin"]
SELECT * FROM pg_catalog.pg_attrdef
;
-- name: pg_catalog.pg_attribute
-- columns: ["attrelid", "attname", "atttypid", "attstattarget", "attlen", "attnum", "attndims", "attcacheoff", "atttypmod", "attbyval", "attalign", "attstorage", "attcompression", "attnotnull", "atthasdef", "atthasmissing", "attidentity", "attgenerated", "attisdropped", "attislocal", "attinhcount", "attcollation", "attacl", "attoptions", "attfdwoptions", "attmissingval"]
SELECT * FROM pg_catalog.pg_attribute
;
-- name: pg_catalog.pg_auth_members
-- columns: ["roleid", "member", "grantor", "admin_option"]
SELECT * FROM pg_catalog.pg_auth_members
;
-- name: pg_catalog.pg_authid
-- columns: ["oid", "rolname", "rolsuper", "rolinherit", "rolcreaterole", "rolcreatedb", "rolcanlogin", "rolreplication", "rolbypassrls", "rolconnlimit", "rolpassword", "rolvaliduntil"]
SELECT * FROM pg_catalog.pg_authid
;
-- name: pg_catalog.pg_available_extension_versions
-- columns: ["name", "version", "installed", "superuser", "trusted", "relocatable", "schema", "requires", "comment"]
SELECT * FROM pg_catalog.pg_available_extension_versions
;
-- name: pg_catalog.pg_available_extensions
-- columns: ["name", "default_version", "installed_version", "comment"]
SELECT * FROM pg_catalog.pg_available_extensions
;
-- name: pg_catalog.pg_backend_memory_contexts
-- columns: ["name", "ident", "parent", "level", "total_bytes", "total_nblocks", "free_bytes", "free_chunks", "used_bytes"]
SELECT * FROM pg_catalog.pg_backend_memory_contexts
;
-- name: pg_catalog.pg_cast
-- columns: ["oid", "castsource", "casttarget", "castfunc", "castcontext", "castmethod"]
SELECT * FROM pg_catalog.pg_cast
;
-- name: pg_catalog.pg_class
-- columns: ["oid", "relname", "relnamespace", "reltype", "reloftype", "relowner", "relam", "relfilenode", "reltablespace", "relpages", "reltuples", "relallvisible", "reltoastrelid", "relhasindex", "relisshared", "relpersistence", "relkind", "relnatts", "relchecks", "relhasrules", "relhastriggers", "relhassubclass", "relrowsecurity", "relforcerowsecurity", "relispopulated", "relreplident", "relispartition", "relrewrite", "relfrozenxid", "relminmxid", "relacl", "reloptions", "relpartbound"]
SELECT * FROM pg_catalog.pg_class
;
-- name: pg_catalog.pg_collation
-- columns: ["oid", "collname", "collnamespace", "collowner", "collprovider", "collisdeterministic", "collencoding", "collcollate", "collctype", "colliculocale", "collversion"]
SELECT * FROM pg_catalog.pg_collation
;
-- name: pg_catalog.pg_config
-- columns: ["name", "setting"]
SELECT * FROM pg_catalog.pg_config
;
-- name: pg_catalog.pg_constraint
-- columns: ["oid", "conname", "connamespace", "contype", "condeferrable", "condeferred", "convalidated", "conrelid", "contypid", "conindid", "conparentid", "confrelid", "confupdtype", "confdeltype", "confmatchtype", "conislocal", "coninhcount", "connoinherit", "conkey", "confkey", "conpfeqop", "conppeqop", "conffeqop", "confdelsetcols", "conexclop", "conbin"]
SELECT * FROM pg_catalog.pg_constraint
;
-- name: pg_catalog.pg_conversion
-- columns: ["oid", "conname", "connamespace", "conowner", "conforencoding", "contoencoding", "conproc", "condefault"]
SELECT * FROM pg_catalog.pg_conversion
;
-- name: pg_catalog.pg_cursors
-- columns: ["name", "statement", "is_holdable", "is_binary", "is_scrollable", "creation_time"]
SELECT * FROM pg_catalog.pg_cursors
;
-- name: pg_catalog.pg_database
-- columns: ["oid", "datname", "datdba", "encoding", "datlocprovider", "datistemplate", "datallowconn", "datconnlimit", "datfrozenxid", "datminmxid", "dattablespace", "datcollate", "datctype", "daticulocale", "datcollversion", "datacl"]
SELECT * FROM pg_catalog.pg_database
;
-- name: pg_catalog.pg_db_role_setting
-- columns: ["setdatabase", "setrole", "setconfig"]
SELECT * FROM pg_catalog.pg_db_role_setting
;
-- name: pg_catalog.pg_default_acl
-- columns: ["oid", "defaclrole", "defaclnamespace", "defaclobjtype", "defaclacl"]
SELECT * FROM pg_catalog.pg_default_acl
;
-- name: pg_catalog.pg_depend
-- columns: ["classid", "objid", "objsubid", "refclassid", "refobjid", "refobjsubid", "deptype"]
SELECT * FROM pg_catalog.pg_depend
;
-- name: pg_catalog.pg_description
-- columns: ["objoid", "classoid", "objsubid", "description"]
SELECT * FROM pg_catalog.pg_description
;
-- name: pg_catalog.pg_enum
-- columns: ["oid", "enumtypid", "enumsortorder", "enumlabel"]
SELECT * FROM pg_catalog.pg_enum
;
-- name: pg_catalog.pg_event_trigger
-- columns: ["oid", "evtname", "evtevent", "evtowner", "evtfoid", "evtenabled", "evttags"]
SELECT * FROM pg_catalog.pg_event_trigger
;
-- name: pg_catalog.pg_extension
-- columns: ["oid", "extname", "extowner", "extnamespace", "extrelocatable", "extversion", "extconfig", "extcondition"]
SELECT * FROM pg_catalog.pg_extension
;
-- name: pg_catalog.pg_file_settings
-- columns: ["sourcefile", "sourceline", "seqno", "name", "setting", "applied", "error"]
SELECT * FROM pg_catalog.pg_file_settings
;
-- name: pg_catalog.pg_foreign_data_wrapper
-- columns: ["oid", "fdwname", "fdwowner", "fdwhandler", "fdwvalidator", "fdwacl", "fdwoptions"]
SELECT * FROM pg_catalog.pg_foreign_data_wrapper
;
-- name: pg_catalog.pg_foreign_server
-- columns: ["oid", "srvname", "srvowner", "srvfdw", "srvtype", "srvversion", "srvacl", "srvoptions"]
SELECT * FROM pg_catalog.pg_foreign_server
;
-- name: pg_catalog.pg_foreign_table
-- columns: ["ftrelid", "ftserver", "ftoptions"]
SELECT * FROM pg_catalog.pg_foreign_table
;
-- name: pg_catalog.pg_group
-- columns: ["groname", "grosysid", "grolist"]
SELECT * FROM pg_catalog.pg_group
;
-- name: pg_catalog.pg_hba_file_rules
-- columns: ["line_number", "type", "database", "user_name", "address", "netmask", "auth_method", "options", "error"]
SELECT * FROM pg_catalog.pg_hba_file_rules
;
-- name: pg_catalog.pg_ident_file_mappings
-- columns: ["line_number", "map_name", "sys_name", "pg_username", "error"]
SELECT * FROM pg_catalog.pg_ident_file_mappings
;
-- name: pg_catalog.pg_index
-- columns: ["indexrelid", "indrelid", "indnatts", "indnkeyatts", "indisunique", "indnullsnotdistinct", "indisprimary", "indisexclusion", "indimmediate", "indisclustered", "indisvalid", "indcheckxmin", "indisready", "indislive", "indisreplident", "indkey", "indcollation", "indclass", "indoption", "indexprs", "indpred"]
SELECT * FROM pg_catalog.pg_index
;
-- name: pg_catalog.pg_indexes
-- columns: ["schemaname", "tablename", "indexname", "tablespace", "indexdef"]
SELECT * FROM pg_catalog.pg_indexes
;
-- name: pg_catalog.pg_inherits
-- columns: ["inhrelid", "inhparent", "inhseqno", "inhdetachpending"]
SELECT * FROM pg_catalog.pg_inherits
;
-- name: pg_catalog.pg_init_privs
-- columns: ["objoid", "classoid", "objsubid", "privtype", "initprivs"]
SELECT * FROM pg_catalog.pg_init_privs
;
-- name: pg_catalog.pg_language
-- columns: ["oid", "lanname", "lanowner", "lanispl", "lanpltrusted", "lanplcallfoid", "laninline", "lanvalidator", "lanacl"]
SELECT * FROM pg_catalog.pg_language
;
-- name: pg_catalog.pg_largeobject
-- columns: ["loid", "pageno", "data"]
SELECT * FROM pg_catalog.pg_largeobject
;
-- name: pg_catalog.pg_largeobject_metadata
-- columns: ["oid", "lomowner", "lomacl"]
SELECT * FROM pg_catalog.pg_largeobject_metadata
;
-- name: pg_catalog.pg_locks
-- columns: ["locktype", "database", "relation", "page", "tuple", "virtualxid", "transactionid", "classid", "objid", "objsubid", "virtualtransaction", "pid", "mode", "granted", "fastpath", "waitstart"]
SELECT * FROM pg_catalog.pg_locks
;
-- name: pg_catalog.pg_matviews
-- columns: ["schemaname", "matviewname", "matviewowner", "tablespace", "hasindexes", "ispopulated", "definition"]
SELECT * FROM pg_catalog.pg_matviews
;
-- name: pg_catalog.pg_namespace
-- columns: ["oid", "nspname", "nspowner", "nspacl"]
SELECT * FROM pg_catalog.pg_namespace
;
-- name: pg_catalog.pg_opclass
-- columns: ["oid", "opcmethod", "opcname", "opcnamespace", "opcowner", "opcfamily", "opcintype", "opcdefault", "opckeytype"]
SELECT * FROM pg_catalog.pg_opclass
;
-- name: pg_catalog.pg_operator
-- columns: ["oid", "oprname", "oprnamespace", "oprowner", "oprkind", "oprcanmerge", "oprcanhash", "oprleft", "oprright", "oprresult", "oprcom", "oprnegate", "oprcode", "oprrest", "oprjoin"]
SELECT * FROM pg_catalog.pg_operator
;
-- name: pg_catalog.pg_opfamily
-- columns: ["oid", "opfmethod", "opfname", "opfnamespace", "opfowner"]
SELECT * FROM pg_catalog.pg_opfamily
;
-- name: pg_catalog.pg_parameter_acl
-- columns: ["oid", "parname", "paracl"]
SELECT * FROM pg_catalog.pg_parameter_acl
;
-- name: pg_catalog.pg_partitioned_table
-- columns: ["partrelid", "partstrat", "partnatts", "partdefid", "partattrs", "partclass", "partcollation", "partexprs"]
SELECT * FROM pg_catalog.pg_partitioned_table
;
-- name: pg_catalog.pg_policies
-- columns: ["schemaname", "tablename", "policyname", "permissive", "roles", "cmd", "qual", "with_check"]
SELECT * FROM pg_catalog.pg_policies
;
-- name: pg_catalog.pg_policy
-- columns: ["oid", "polname", "polrelid", "polcmd", "polpermissive", "polroles", "polqual", "polwithcheck"]
SELECT * FROM pg_catalog.pg_policy
;
-- name: pg_catalog.pg_prepared_statements
-- columns: ["name", "statement", "prepare_time", "parameter_types", "from_sql", "generic_plans", "custom_plans"]
SELECT * FROM pg_catalog.pg_prepared_statements
;
-- name: pg_catalog.pg_prepared_xacts
-- columns: ["transaction", "gid", "prepared", "owner", "database"]
SELECT * FROM pg_catalog.pg_prepared_xacts
;
-- name: pg_catalog.pg_proc
-- columns: ["oid", "proname", "pronamespace", "proowner", "prolang", "procost", "prorows", "provariadic", "prosupport", "prokind", "prosecdef", "proleakproof", "proisstrict", "proretset", "provolatile", "proparallel", "pronargs", "pronargdefaults", "prorettype", "proargtypes", "proallargtypes", "proargmodes", "proargnames", "proargdefaults", "protrftypes", "prosrc", "probin", "prosqlbody", "proconfig", "proacl"]
SELECT * FROM pg_catalog.pg_proc
;
-- name: pg_catalog.pg_publication
-- columns: ["oid", "pubname", "pubowner", "puballtables", "pubinsert", "pubupdate", "pubdelete", "pubtruncate", "pubviaroot"]
SELECT * FROM pg_catalog.pg_publication
;
-- name: pg_catalog.pg_publication_namespace
-- columns: ["oid", "pnpubid", "pnnspid"]
SELECT * FROM pg_catalog.pg_publication_namespace
;
-- name: pg_catalog.pg_publication_rel
-- columns: ["oid", "prpubid", "prrelid", "prqual", "prattrs"]
SELECT * FROM pg_catalog.pg_publication_rel
;
-- name: pg_catalog.pg_publication_tables
-- columns: ["pubname", "schemaname", "tablename", "attnames", "rowfilter"]
SELECT * FROM pg_catalog.pg_publication_tables
;
-- name: pg_catalog.pg_range
-- columns: ["rngtypid", "rngsubtype", "rngmultitypid", "rngcollation", "rngsubopc", "rngcanonical", "rngsubdiff"]
SELECT * FROM pg_catalog.pg_range
;
-- name: pg_catalog.pg_replication_origin
-- columns: ["roident", "roname"]
SELECT * FROM pg_catalog.pg_replication_origin
;
-- name: pg_catalog.pg_replication_origin_status
-- columns: ["local_id", "external_id", "remote_lsn", "local_lsn"]
SELECT * FROM pg_catalog.pg_replication_origin_status
;
-- name: pg_catalog.pg_replication_slots
-- columns: ["slot_name", "plugin", "slot_type", "datoid", "database", "temporary", "active", "active_pid", "xmin", "catalog_xmin", "restart_lsn", "confirmed_flush_lsn", "wal_status", "safe_wal_size", "two_phase"]
SELECT * FROM pg_catalog.pg_replication_slots
;
-- name: pg_catalog.pg_rewrite
-- columns: ["oid", "rulename", "ev_class", "ev_type", "ev_enabled", "is_instead", "ev_qual", "ev_action"]
SELECT * FROM pg_catalog.pg_rewrite
;
-- name: pg_catalog.pg_roles
-- columns: ["rolname", "rolsuper", "rolinherit", "rolcreaterole", "rolcreatedb", "rolcanlogin", "rolreplication", "rolconnlimit", "rolpassword", "rolvaliduntil", "rolbypassrls", "rolconfig", "oid"]
SELECT * FROM pg_catalog.pg_roles
;
-- name: pg_catalog.pg_rules
-- columns: ["schemaname", "tablename", "rulename", "definition"]
SELECT * FROM pg_catalog.pg_rules
;
-- name: pg_catalog.pg_seclabel
-- columns: ["objoid", "classoid", "objsubid", "provider", "label"]
SELECT * FROM pg_catalog.pg_seclabel
;
-- name: pg_catalog.pg_seclabels
-- columns: ["objoid", "classoid", "objsubid", "objtype", "objnamespace", "objname", "provider", "label"]
SELECT * FROM pg_catalog.pg_seclabels
;
-- name: pg_catalog.pg_sequence
-- columns: ["seqrelid", "seqtypid", "seqstart", "seqincrement", "seqmax", "seqmin", "seqcache", "seqcycle"]
SELECT * FROM pg_catalog.pg_sequence
;
-- name: pg_catalog.pg_sequences
-- columns: ["schemaname", "sequencename", "sequenceowner", "data_type", "start_value", "min_value", "max_value", "increment_by", "cycle", "cache_size", "last_value"]
SELECT * FROM pg_catalog.pg_sequences
;
-- name: pg_catalog.pg_settings
-- columns: ["name", "setting", "unit", "category", "short_desc", "extra_desc", "context", "vartype", "source", "min_val", "max_val", "enumvals", "boot_val", "reset_val", "sourcefile", "sourceline", "pending_restart"]
SELECT * FROM pg_catalog.pg_settings
;
-- name: pg_catalog.pg_shadow
-- columns: ["usename", "usesysid", "usecreatedb", "usesuper", "userepl", "usebypassrls", "passwd", "valuntil", "useconfig"]
SELECT * FROM pg_catalog.pg_shadow
;
-- name: pg_catalog.pg_shdepend
-- columns: ["dbid", "classid", "objid", "objsubid", "refclassid", "refobjid", "deptype"]
SELECT * FROM pg_catalog.pg_shdepend
;
-- name: pg_catalog.pg_shdescription
-- columns: ["objoid", "classoid", "description"]
SELECT * FROM pg_catalog.pg_shdescription
;
-- name: pg_catalog.pg_shmem_allocations
-- columns: ["name", "off", "size", "allocated_size"]
SELECT * FROM pg_catalog.pg_shmem_allocations
;
-- name: pg_catalog.pg_shseclabel
-- columns: ["objoid", "classoid", "provider", "label"]
SELECT * FROM pg_catalog.pg_shseclabel
;
-- name: pg_catalog.pg_stat_activity
-- columns: ["datid", "datname", "pid", "leader_pid", "usesysid", "usename", "application_name", "client_addr", "client_hostname", "client_port", "backend_start", "xact_start", "query_start", "state_change", "wait_event_type", "wait_event", "state", "backend_xid", "backend_xmin", "query_id", "query", "backend_type"]
SELECT * FROM pg_catalog.pg_stat_activity
;
-- name: pg_catalog.pg_stat_all_indexes
-- columns: ["relid", "indexrelid", "schemaname", "relname", "indexrelname", "idx_scan", "idx_tup_read", "idx_tup_fetch"]
SELECT * FROM pg_catalog.pg_stat_all_indexes
;
-- name: pg_catalog.pg_stat_all_tables
-- columns: ["relid", "schemaname", "relname", "seq_scan", "seq_tup_read", "idx_scan", "idx_tup_fetch", "n_tup_ins", "n_tup_upd", "n_tup_del", "n_tup_hot_upd", "n_live_tup", "n_dead_tup", "n_mod_since_analyze", "n_ins_since_vacuum", "last_vacuum", "last_autovacuum", "last_analyze", "last_autoanalyze", "vacuum_count", "autovacuum_count", "analyze_count", "autoanalyze_count"]
SELECT * FROM pg_catalog.pg_stat_all_tables
;
-- name: pg_catalog.pg_stat_archiver
-- columns: ["archived_count", "last_archived_wal", "last_archived_time", "failed_count", "last_failed_wal", "last_failed_time", "stats_reset"]
SELECT * FROM pg_catalog.pg_stat_archiver
;
-- name: pg_catalog.pg_stat_bgwriter
-- columns: ["checkpoints_timed", "checkpoints_req", "checkpoint_write_time", "checkpoint_sync_time", "buffers_checkpoint", "buffers_clean", "maxwritten_clean", "buffers_backend", "buffers_backend_fsync", "buffers_alloc", "stats_reset"]
SELECT * FROM pg_catalog.pg_stat_bgwriter
;
-- name: pg_catalog.pg_stat_database
-- columns: ["datid", "datname", "numbackends", "xact_commit", "xact_rollback", "blks_read", "blks_hit", "tup_returned", "tup_fetched", "tup_inserted", "tup_updated", "tup_deleted", "conflicts", "temp_files", "temp_bytes", "deadlocks", "checksum_failures", "checksum_last_failure", "blk_read_time", "blk_write_time", "session_time", "active_time", "idle_in_transaction_time", "sessions", "sessions_abandoned", "sessions_fatal", "sessions_killed", "stats_reset"]
SELECT * FROM pg_catalog.pg_stat_database
;
-- name: pg_catalog.pg_stat_database_conflicts
-- columns: ["datid", "datname", "confl_tablespace", "confl_lock", "confl_snapshot", "confl_bufferpin", "confl_deadlock"]
SELECT * FROM pg_catalog.pg_stat_database_conflicts
;
-- name: pg_catalog.pg_stat_gssapi
-- columns: ["pid", "gss_authenticated", "principal", "encrypted"]
SELECT * FROM pg_catalog.pg_stat_gssapi
;
-- name: pg_catalog.pg_stat_progress_analyze
-- columns: ["pid", "datid", "datname", "relid", "phase", "sample_blks_total", "sample_blks_scanned", "ext_stats_total", "ext_stats_computed", "child_tables_total", "child_tables_done", "current_child_table_relid"]
SELECT * FROM pg_catalog.pg_stat_progress_analyze
;
-- name: pg_catalog.pg_stat_progress_basebackup
-- columns: ["pid", "phase", "backup_total", "backup_streamed", "tablespaces_total", "tablespaces_streamed"]
SELECT * FROM pg_catalog.pg_stat_progress_basebackup
;
-- name: pg_catalog.pg_stat_progress_cluster
-- columns: ["pid", "datid", "datname", "relid", "command", "phase", "cluster_index_relid", "heap_tuples_scanned", "heap_tuples_written", "heap_blks_total", "heap_blks_scanned", "index_rebuild_count"]
SELECT * FROM pg_catalog.pg_stat_progress_cluster
;
-- name: pg_catalog.pg_stat_progress_copy
-- columns: ["pid", "datid", "datname", "relid", "command", "type", "bytes_processed", "bytes_total", "tuples_processed", "tuples_excluded"]
SELECT * FROM pg_catalog.pg_stat_progress_copy
;
-- name: pg_catalog.pg_stat_progress_create_index
-- columns: ["pid", "datid", "datname", "relid", "index_relid", "command", "phase", "lockers_total", "lockers_done", "current_locker_pid", "blocks_total", "blocks_done", "tuples_total", "tuples_done", "partitions_total", "partitions_done"]
SELECT * FROM pg_catalog.pg_stat_progress_create_index
;
-- name: pg_catalog.pg_stat_progress_vacuum
-- columns: ["pid", "datid", "datname", "relid", "phase", "heap_blks_total", "heap_blks_scanned", "heap_blks_vacuumed", "index_vacuum_count", "max_dead_tuples", "num_dead_tuples"]
SELECT * FROM pg_catalog.pg_stat_progress_vacuum
;
-- name: pg_catalog.pg_stat_recovery_prefetch
-- columns: ["stats_reset", "prefetch", "hit", "skip_init", "skip_new", "skip_fpw", "skip_rep", "wal_distance", "block_distance", "io_depth"]
SELECT * FROM pg_catalog.pg_stat_recovery_prefetch
;
-- name: pg_catalog.pg_stat_replication
-- columns: ["pid", "usesysid", "usename", "application_name", "client_addr", "client_hostname", "client_port", "backend_start", "backend_xmin", "state", "sent_lsn", "write_lsn", "flush_lsn", "replay_lsn", "write_lag", "flush_lag", "replay_lag", "sync_priority", "sync_state", "reply_time"]
SELECT * FROM pg_catalog.pg_stat_replication
;
-- name: pg_catalog.pg_stat_replication_slots
-- columns: ["slot_name", "spill_txns", "spill_count", "spill_bytes", "stream_txns", "stream_count", "stream_bytes", "total_txns", "total_bytes", "stats_reset"]
SELECT * FROM pg_catalog.pg_stat_replication_slots
;
-- name: pg_catalog.pg_stat_slru
-- columns: ["name", "blks_zeroed", "blks_hit", "blks_read", "blks_written", "blks_exists", "flushes", "truncates", "stats_reset"]
SELECT * FROM pg_catalog.pg_stat_slru
;
-- name: pg_catalog.pg_stat_ssl
-- columns: ["pid", "ssl", "version", "cipher", "bits", "client_dn", "client_serial", "issuer_dn"]
SELECT * FROM pg_catalog.pg_stat_ssl
;
-- name: pg_catalog.pg_stat_subscription
-- columns: ["subid", "subname", "pid", "relid", "received_lsn", "last_msg_send_time", "last_msg_receipt_time", "latest_end_lsn", "latest_end_time"]
SELECT * FROM pg_catalog.pg_stat_subscription
;
-- name: pg_catalog.pg_stat_subscription_stats
-- columns: ["subid", "subname", "apply_error_count", "sync_error_count", "stats_reset"]
SELECT * FROM pg_catalog.pg_stat_subscription_stats
;
-- name: pg_catalog.pg_stat_sys_indexes
-- columns: ["relid", "indexrelid", "schemaname", "relname", "indexrelname", "idx_scan", "idx_tup_read", "idx_tup_fetch"]
SELECT * FROM pg_catalog.pg_stat_sys_indexes
;
-- name: pg_catalog.pg_stat_sys_tables
-- columns: ["relid", "schemaname", "relname", "seq_scan", "seq_tup_read", "idx_scan", "idx_tup_fetch", "n_tup_ins", "n_tup_upd", "n_tup_del", "n_tup_hot_upd", "n_live_tup", "n_dead_tup", "n_mod_since_analyze", "n_ins_since_vacuum", "last_vacuum", "last_autovacuum", "last_analyze", "last_autoanalyze", "vacuum_count", "autovacuum_count", "analyze_count", "autoanalyze_count"]
SELECT * FROM pg_catalog.pg_stat_sys_tables
;
-- name: pg_catalog.pg_stat_user_functions
-- columns: ["funcid", "schemaname", "funcname", "calls", "total_time", "self_time"]
SELECT * FROM pg_catalog.pg_stat_user_functions
;
-- name: pg_catalog.pg_stat_user_indexes
-- columns: ["relid", "indexrelid", "schemaname", "relname", "indexrelname", "idx_scan", "idx_tup_read", "idx_tup_fetch"]
SELECT * FROM pg_catalog.pg_stat_user_indexes
;
-- name: pg_catalog.pg_stat_user_tables
-- columns: ["relid", "schemaname", "relname", "seq_scan", "seq_tup_read", "idx_scan", "idx_tup_fetch", "n_tup_ins", "n_tup_upd", "n_tup_del", "n_tup_hot_upd", "n_live_tup", "n_dead_tup", "n_mod_since_analyze", "n_ins_since_vacuum", "last_vacuum", "last_autovacuum", "last_analyze", "last_autoanalyze", "vacuum_count", "autovacuum_count", "analyze_count", "autoanalyze_count"]
SELECT * FROM pg_catalog.pg_stat_user_tables
;
-- name: pg_catalog.pg_stat_wal
-- columns: ["wal_records", "wal_fpi", "wal_bytes", "wal_buffers_full", "wal_write", "wal_sync", "wal_write_time", "wal_sync_time", "stats_reset"]
SELECT * FROM pg_catalog.pg_stat_wal
;
-- name: pg_catalog.pg_stat_wal_receiver
-- columns: ["pid", "status", "receive_start_lsn", "receive_start_tli", "written_lsn", "flushed_lsn", "received_tli", "last_msg_send_time", "last_msg_receipt_time", "latest_end_lsn", "latest_end_time", "slot_name", "sender_host", "sender_port", "conninfo"]
SELECT * FROM pg_catalog.pg_stat_wal_receiver
;
-- name: pg_catalog.pg_stat_xact_all_tables
-- columns: ["relid", "schemaname", "relname", "seq_scan", "seq_tup_read", "idx_scan", "idx_tup_fetch", "n_tup_ins", "n_tup_upd", "n_tup_del", "n_tup_hot_upd"]
SELECT * FROM pg_catalog.pg_stat_xact_all_tables
;
-- name: pg_catalog.pg_stat_xact_sys_tables
-- columns: ["relid", "schemaname", "relname", "seq_scan", "seq_tup_read", "idx_scan", "idx_tup_fetch", "n_tup_ins", "n_tup_upd", "n_tup_del", "n_tup_hot_upd"]
SELECT * FROM pg_catalog.pg_stat_xact_sys_tables
;
-- name: pg_catalog.pg_stat_xact_user_functions
-- columns: ["funcid", "schemaname", "funcname", "calls", "total_time", "self_time"]
SELECT * FROM pg_catalog.pg_stat_xact_user_functions
;
-- name: pg_catalog.pg_stat_xact_user_tables
-- columns: ["relid", "schemaname", "relname", "seq_scan", "seq_tup_read", "idx_scan", "idx_tup_fetch", "n_tup_ins", "n_tup_upd", "n_tup_del", "n_tup_hot_upd"]
SELECT * FROM pg_catalog.pg_stat_xact_user_tables
;
-- name: pg_catalog.pg_statio_all_indexes
-- columns: ["relid", "indexrelid", "schemaname", "relname", "indexrelname", "idx_blks_read", "idx_blks_hit"]
SELECT * FROM pg_catalog.pg_statio_all_indexes
;
-- name: pg_catalog.pg_statio_all_sequences
-- columns: ["relid", "schemaname", "relname", "blks_read", "blks_hit"]
SELECT * FROM pg_catalog.pg_statio_all_sequences
;
-- name: pg_catalog.pg_statio_all_tables
-- columns: ["relid", "schemaname", "relname", "heap_blks_read", "heap_blks_hit", "idx_blks_read", "idx_blks_hit", "toast_blks_read", "toast_blks_hit", "tidx_blks_read", "tidx_blks_hit"]
SELECT * FROM pg_catalog.pg_statio_all_tables
;
-- name: pg_catalog.pg_statio_sys_indexes
-- columns: ["relid", "indexrelid", "schemaname", "relname", "indexrelname", "idx_blks_read", "idx_blks_hit"]
SELECT * FROM pg_catalog.pg_statio_sys_indexes
;
-- name: pg_catalog.pg_statio_sys_sequences
-- columns: ["relid", "schemaname", "relname", "blks_read", "blks_hit"]
SELECT * FROM pg_catalog.pg_statio_sys_sequences
;
-- name: pg_catalog.pg_statio_sys_tables
-- columns: ["relid", "schemaname", "relname", "heap_blks_read", "heap_blks_hit", "idx_blks_read", "idx_blks_hit", "toast_blks_read", "toast_blks_hit", "tidx_blks_read", "tidx_blks_hit"]
SELECT * FROM pg_catalog.pg_statio_sys_tables
;
-- name: pg_catalog.pg_statio_user_indexes
-- columns: ["relid", "indexrelid", "schemaname", "relname", "indexrelname", "idx_blks_read", "idx_blks_hit"]
SELECT * FROM pg_catalog.pg_statio_user_indexes
;
-- name: pg_catalog.pg_statio_user_sequences
-- columns: ["relid", "schemaname", "relname", "blks_read", "blks_hit"]
SELECT * FROM pg_catalog.pg_statio_user_sequences
;
-- name: pg_catalog.pg_statio_user_tables
-- columns: ["relid", "schemaname", "relname", "heap_blks_read", "heap_blks_hit", "idx_blks_read", "idx_blks_hit", "toast_blks_read", "toast_blks_hit", "tidx_blks_read", "tidx_blks_hit"]
SELECT * FROM pg_catalog.pg_statio_user_tables
;
-- name: pg_catalog.pg_statistic
-- columns: ["starelid", "staattnum", "stainherit", "stanullfrac", "stawidth", "stadistinct", "stakind1", "stakind2", "stakind3", "stakind4", "stakind5", "staop1", "staop2", "staop3", "staop4", "staop5", "stacoll1", "stacoll2", "stacoll3", "stacoll4", "stacoll5", "stanumbers1", "stanumbers2", "stanumbers3", "stanumbers4", "stanumbers5", "stavalues1", "stavalues2", "stavalues3", "stavalues4", "stavalues5"]
SELECT * FROM pg_catalog.pg_statistic
;
-- name: pg_catalog.pg_statistic_ext
-- columns: ["oid", "stxrelid", "stxname", "stxnamespace", "stxowner", "stxstattarget", "stxkeys", "stxkind", "stxexprs"]
SELECT * FROM pg_catalog.pg_statistic_ext
;
-- name: pg_catalog.pg_statistic_ext_data
-- columns: ["stxoid", "stxdinherit", "stxdndistinct", "stxddependencies", "stxdmcv", "stxdexpr"]
SELECT * FROM pg_catalog.pg_statistic_ext_data
;
-- name: pg_catalog.pg_stats
-- columns: ["schemaname", "tablename", "attname", "inherited", "null_frac", "avg_width", "n_distinct", "most_common_vals", "most_common_freqs", "histogram_bounds", "correlation", "most_common_elems", "most_common_elem_freqs", "elem_count_histogram"]
SELECT * FROM pg_catalog.pg_stats
;
-- name: pg_catalog.pg_stats_ext
-- columns: ["schemaname", "tablename", "statistics_schemaname", "statistics_name", "statistics_owner", "attnames", "exprs", "kinds", "inherited", "n_distinct", "dependencies", "most_common_vals", "most_common_val_nulls", "most_common_freqs", "most_common_base_freqs"]
SELECT * FROM pg_catalog.pg_stats_ext
;
-- name: pg_catalog.pg_stats_ext_exprs
-- columns: ["schemaname", "tablename", "statistics_schemaname", "statistics_name", "statistics_owner", "expr", "inherited", "null_frac", "avg_width", "n_distinct", "most_common_vals", "most_common_freqs", "histogram_bounds", "correlation", "most_common_elems", "most_common_elem_freqs", "elem_count_histogram"]
SELECT * FROM pg_catalog.pg_stats_ext_exprs
;
-- name: pg_catalog.pg_subscription
-- columns: ["oid", "subdbid", "subskiplsn", "subname", "subowner", "subenabled", "subbinary", "substream", "subtwophasestate", "subdisableonerr", "subconninfo", "subslotname", "subsynccommit", "subpublications"]
SELECT * FROM pg_catalog.pg_subscription
;
-- name: pg_catalog.pg_subscription_rel
-- columns: ["srsubid", "srrelid", "srsubstate", "srsublsn"]
SELECT * FROM pg_catalog.pg_subscription_rel
;
-- name: pg_catalog.pg_tables
-- columns: ["schemaname", "tablename", "tableowner", "tablespace", "hasindexes", "hasrules", "hastriggers", "rowsecurity"]
SELECT * FROM pg_catalog.pg_tables
;
-- name: pg_catalog.pg_tablespace
-- columns: ["oid", "spcname", "spcowner", "spcacl", "spcoptions"]
SELECT * FROM pg_catalog.pg_tablespace
;
-- name: pg_catalog.pg_transform
-- columns: ["oid", "trftype", "trflang", "trffromsql", "trftosql"]
SELECT * FROM pg_catalog.pg_transform
;
-- name: pg_catalog.pg_trigger
-- columns: ["oid", "tgrelid", "tgparentid", "tgname", "tgfoid", "tgtype", "tgenabled", "tgisinternal", "tgconstrrelid", "tgconstrindid", "tgconstraint", "tgdeferrable", "tginitdeferred", "tgnargs", "tgattr", "tgargs", "tgqual", "tgoldtable", "tgnewtable"]
SELECT * FROM pg_catalog.pg_trigger
;
-- name: pg_catalog.pg_ts_config
-- columns: ["oid", "cfgname", "cfgnamespace", "cfgowner", "cfgparser"]
SELECT * FROM pg_catalog.pg_ts_config
;
-- name: pg_catalog.pg_ts_config_map
-- columns: ["mapcfg", "maptokentype", "mapseqno", "mapdict"]
SELECT * FROM pg_catalog.pg_ts_config_map
;
-- name: pg_catalog.pg_ts_dict
-- columns: ["oid", "dictname", "dictnamespace", "dictowner", "dicttemplate", "dictinitoption"]
SELECT * FROM pg_catalog.pg_ts_dict
;
-- name: pg_catalog.pg_ts_parser
-- columns: ["oid", "prsname", "prsnamespace", "prsstart", "prstoken", "prsend", "prsheadline", "prslextype"]
SELECT * FROM pg_catalog.pg_ts_parser
;
-- name: pg_catalog.pg_ts_template
-- columns: ["oid", "tmplname", "tmplnamespace", "tmplinit", "tmpllexize"]
SELECT * FROM pg_catalog.pg_ts_template
;
-- name: pg_catalog.pg_type
-- columns: ["oid", "typname", "typnamespace", "typowner", "typlen", "typbyval", "typtype", "typcategory", "typispreferred", "typisdefined", "typdelim", "typrelid", "typsubscript", "typelem", "typarray", "typinput", "typoutput", "typreceive", "typsend", "typmodin", "typmodout", "typanalyze", "typalign", "typstorage", "typnotnull", "typbasetype", "typtypmod", "typndims", "typcollation", "typdefaultbin", "typdefault", "typacl"]
SELECT * FROM pg_catalog.pg_type
;
-- name: pg_catalog.pg_user
-- columns: ["usename", "usesysid", "usecreatedb", "usesuper", "userepl", "usebypassrls", "passwd", "valuntil", "useconfig"]
SELECT * FROM pg_catalog.pg_user
;
-- name: pg_catalog.pg_user_mapping
-- columns: ["oid", "umuser", "umserver", "umoptions"]
SELECT * FROM pg_catalog.pg_user_mapping
;
-- name: pg_catalog.pg_user_mappings
-- columns: ["umid", "srvid", "srvname", "umuser", "usename", "umoptions"]
SELECT * FROM pg_catalog.pg_user_mappings
;
-- name: pg_catalog.pg_views
-- columns: ["schemaname", "viewname", "viewowner", "definition"]
SELECT * FROM pg_catalog.pg_views
;
