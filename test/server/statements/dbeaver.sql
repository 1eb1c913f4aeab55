-- name: connect: program
-- columns: []
SET application_name = 'DBeaver 25.1 - Main'
;
-- name: connect: path of schemas
-- columns: ["search_path"]
SHOW search_path
;
-- name: connect: user and schema
-- columns: ["current_schema", "session_user"]
SELECT current_schema(), session_user
;
-- name: connect: the session
-- columns: ["version", "pid", "port"]
SELECT version() AS version, pg_catalog.pg_backend_pid() AS pid, inet_server_port() AS port
;
-- name: databases
-- columns: ["oid", "oid", "datname", "datdba", "encoding", "datlocprovider", "datistemplate", "datallowconn", "datconnlimit", "datfrozenxid", "datminmxid", "dattablespace", "datcollate", "datctype", "daticulocale", "datcollversion", "datacl"]
SELECT db.oid, db.* FROM pg_catalog.pg_database AS db WHERE datallowconn AND NOT datistemplate ORDER BY db.datname
;
-- name: one database
-- columns: ["oid", "oid", "datname", "datdba", "encoding", "datlocprovider", "datistemplate", "datallowconn", "datconnlimit", "datfrozenxid", "datminmxid", "dattablespace", "datcollate", "datctype", "daticulocale", "datcollversion", "datacl"]
SELECT db.oid, db.* FROM pg_catalog.pg_database AS db WHERE datname = $1
;
-- name: encodings
-- columns: ["encid", "encname"]
SELECT DISTINCT encoding AS encid, pg_catalog.pg_encoding_to_char(encoding) AS encname FROM pg_catalog.pg_database
;
-- name: schemas
-- columns: ["oid", "oid", "nspname", "nspowner", "nspacl", "description"]
SELECT n.oid, n.*, d.description FROM pg_catalog.pg_namespace AS n LEFT OUTER JOIN pg_catalog.pg_description AS d ON d.objoid = n.oid AND d.objsubid = 0 AND d.classoid = 'pg_namespace'::regclass ORDER BY nspname
;
-- name: types
-- columns: ["oid", "oid", "typname", "typnamespace", "typowner", "typlen", "typbyval", "typtype", "typcategory", "typispreferred", "typisdefined", "typdelim", "typrelid", "typsubscript", "typelem", "typarray", "typinput", "typoutput", "typreceive", "typsend", "typmodin", "typmodout", "typanalyze", "typalign", "typstorage", "typnotnull", "typbasetype", "typtypmod", "typndims", "typcollation", "typdefaultbin", "typdefault", "typacl", "relkind", "base_type_name", "description"]
SELECT t.oid, t.*, c.relkind, format_type(nullif(t.typbasetype, 0), t.typtypmod) AS base_type_name, d.description FROM pg_catalog.pg_type AS t LEFT OUTER JOIN pg_catalog.pg_type AS et ON et.oid = t.typelem LEFT OUTER JOIN pg_catalog.pg_class AS c ON c.oid = t.typrelid
LEFT OUTER JOIN pg_catalog.pg_description AS d ON t.oid = d.objoid WHERE t.typname IS NOT NULL AND (c.relkind IS NULL OR c.relkind = 'c') AND (et.typcategory IS NULL OR et.typcategory <> 'C')
;
-- name: labels of enums
-- columns: ["enumlabel"]
SELECT e.enumlabel FROM pg_catalog.pg_enum AS e WHERE e.enumtypid = 'mood'::regtype ORDER BY e.enumsortorder
;
-- name: relations of a schema
-- columns: ["oid", "oid", "relname", "relnamespace", "reltype", "reloftype", "relowner", "relam", "relfilenode", "reltablespace", "relpages", "reltuples", "relallvisible", "reltoastrelid", "relhasindex", "relisshared", "relpersistence", "relkind", "relnatts", "relchecks", "relhasrules", "relhastriggers", "relhassubclass", "relrowsecurity", "relforcerowsecurity", "relispopulated", "relreplident", "relispartition", "relrewrite", "relfrozenxid", "relminmxid", "relacl", "reloptions", "relpartbound", "description", "partition_expr", "partition_key"]
SELECT c.oid, c.*, d.description, pg_catalog.pg_get_expr(c.relpartbound, c.oid) AS partition_expr, pg_catalog.pg_get_partkeydef(c.oid) AS partition_key FROM pg_catalog.pg_class AS c
LEFT OUTER JOIN pg_catalog.pg_description AS d ON d.objoid = c.oid AND d.objsubid = 0 AND d.classoid = 'pg_class'::regclass WHERE c.relnamespace = $1 AND c.relkind NOT IN ('i', 'I', 'c')
;
-- name: columns of a relation
-- columns: ["relname", "attrelid", "attname", "atttypid", "attstattarget", "attlen", "attnum", "attndims", "attcacheoff", "atttypmod", "attbyval", "attalign", "attstorage", "attcompression", "attnotnull", "atthasdef", "atthasmissing", "attidentity", "attgenerated", "attisdropped", "attislocal", "attinhcount", "attcollation", "attacl", "attoptions", "attfdwoptions", "attmissingval", "def_value", "description", "objid"]
SELECT c.relname, a.*, pg_catalog.pg_get_expr(ad.adbin, ad.adrelid, true) AS def_value, dsc.description, dep.objid FROM pg_catalog.pg_attribute AS a INNER JOIN pg_catalog.pg_class AS c ON (a.attrelid = c.oid)
LEFT OUTER JOIN pg_catalog.pg_attrdef AS ad ON (a.attrelid = ad.adrelid AND a.attnum = ad.adnum) LEFT OUTER JOIN pg_catalog.pg_description AS dsc ON (c.oid = dsc.objoid AND a.attnum = dsc.objsubid)
LEFT OUTER JOIN pg_depend AS dep ON dep.refobjid = a.attrelid AND dep.deptype = 'i' AND dep.refobjsubid = a.attnum AND dep.classid = dep.refclassid WHERE NOT a.attisdropped AND c.oid = $1 ORDER BY a.attnum
;
-- name: keys and checks
-- columns: ["oid", "oid", "conname", "connamespace", "contype", "condeferrable", "condeferred", "convalidated", "conrelid", "contypid", "conindid", "conparentid", "confrelid", "confupdtype", "confdeltype", "confmatchtype", "conislocal", "coninhcount", "connoinherit", "conkey", "confkey", "conpfeqop", "conppeqop", "conffeqop", "confdelsetcols", "conexclop", "conbin", "tabrelname", "refnamespace", "description", "consrc_copy"]
SELECT c.oid, c.*, t.relname AS tabrelname, rt.relnamespace AS refnamespace, d.description, CASE WHEN c.contype = 'c' THEN "substring"(pg_get_constraintdef(c.oid), 7) ELSE NULL END AS consrc_copy FROM pg_catalog.pg_constraint AS c INNER JOIN pg_catalog.pg_class AS t ON t.oid = c.conrelid
LEFT OUTER JOIN pg_catalog.pg_class AS rt ON rt.oid = c.confrelid LEFT OUTER JOIN pg_catalog.pg_description AS d ON d.objoid = c.oid AND d.objsubid = 0 AND d.classoid = 'pg_constraint'::regclass WHERE c.conrelid = $1 ORDER BY c.oid
;
-- name: indexes
-- columns: ["indexrelid", "indrelid", "indnatts", "indnkeyatts", "indisunique", "indnullsnotdistinct", "indisprimary", "indisexclusion", "indimmediate", "indisclustered", "indisvalid", "indcheckxmin", "indisready", "indislive", "indisreplident", "indkey", "indcollation", "indclass", "indoption", "indexprs", "indpred", "keys", "relname", "relnamespace", "relam", "reltablespace", "tabrelname", "description", "pred_expr", "expr", "index_rel_size", "index_num_scans"]
SELECT i.*, i.indkey AS keys, c.relname, c.relnamespace, c.relam, c.reltablespace, tc.relname AS tabrelname, dsc.description, pg_catalog.pg_get_expr(i.indpred, i.indrelid) AS pred_expr, pg_catalog.pg_get_expr(i.indexprs, i.indrelid, true) AS expr,
  pg_catalog.pg_relation_size(i.indexrelid) AS index_rel_size, pg_catalog.pg_stat_get_numscans(i.indexrelid) AS index_num_scans FROM pg_catalog.pg_index AS i INNER JOIN pg_catalog.pg_class AS c ON c.oid = i.indexrelid INNER JOIN pg_catalog.pg_class AS tc ON tc.oid = i.indrelid
LEFT OUTER JOIN pg_catalog.pg_description AS dsc ON i.indexrelid = dsc.objoid WHERE i.indrelid = $1 ORDER BY tabrelname, c.relname
;
-- name: sequences
-- columns: ["schemaname", "sequencename", "sequenceowner", "data_type", "start_value", "min_value", "max_value", "increment_by", "cycle", "cache_size", "last_value"]
SELECT * FROM pg_catalog.pg_sequences WHERE schemaname = $1 AND sequencename = $2
;
-- name: functions
-- columns: ["poid", "oid", "proname", "pronamespace", "proowner", "prolang", "procost", "prorows", "provariadic", "prosupport", "prokind", "prosecdef", "proleakproof", "proisstrict", "proretset", "provolatile", "proparallel", "pronargs", "pronargdefaults", "prorettype", "proargtypes", "proallargtypes", "proargmodes", "proargnames", "proargdefaults", "protrftypes", "prosrc", "probin", "prosqlbody", "proconfig", "proacl", "ret", "description"]
SELECT p.oid AS poid, p.*, CASE WHEN p.proretset THEN 'SETOF ' ELSE '' END || pg_catalog.format_type(p.prorettype, NULL) AS ret, d.description FROM pg_catalog.pg_proc AS p LEFT OUTER JOIN pg_catalog.pg_description AS d ON d.objoid = p.oid WHERE p.pronamespace = $1 ORDER BY p.proname
;
-- name: sizes of relations
-- columns: ["oid", "total_rel_size", "rel_size"]
SELECT c.oid, pg_catalog.pg_total_relation_size(c.oid) AS total_rel_size, pg_catalog.pg_relation_size(c.oid) AS rel_size FROM pg_catalog.pg_class AS c WHERE c.relnamespace = $1
;
-- name: access methods, extensions and roles
-- columns: ["oid", "oid", "amname", "amhandler", "amtype", "extname", "rolname"]
SELECT am.oid, am.*, e.extname, r.rolname FROM pg_catalog.pg_am AS am LEFT JOIN pg_catalog.pg_extension AS e ON false LEFT JOIN pg_catalog.pg_roles AS r ON true ORDER BY am.oid
;
-- name: settings
-- columns: ["name", "setting", "unit", "category", "short_desc", "extra_desc", "context", "vartype", "source", "min_val", "max_val", "enumvals", "boot_val", "reset_val", "sourcefile", "sourceline", "pending_restart"]
SELECT * FROM pg_catalog.pg_settings
;
-- name: locks and sessions
-- columns: ["datid", "datname", "pid", "leader_pid", "usesysid", "usename", "application_name", "client_addr", "client_hostname", "client_port", "backend_start", "xact_start", "query_start", "state_change", "wait_event_type", "wait_event", "state", "backend_xid", "backend_xmin", "query_id", "query", "backend_type"]
SELECT sa.* FROM pg_catalog.pg_stat_activity AS sa LEFT JOIN pg_catalog.pg_locks AS l ON l.pid = sa.pid
;
-- name: words
-- columns: ["word", "catcode", "barelabel", "catdesc", "baredesc"]
SELECT * FROM pg_catalog.pg_get_keywords()
;
-- name: inheritance
-- columns: ["inhrelid", "inhparent", "inhseqno", "inhdetachpending", "relnamespace"]
SELECT i.*, c.relnamespace FROM pg_catalog.pg_inherits AS i, pg_catalog.pg_class AS c WHERE i.inhrelid = $1 AND c.oid = i.inhparent ORDER BY i.inhseqno
;
-- name: triggers and policies
-- columns: ["oid", "oid", "tgrelid", "tgparentid", "tgname", "tgfoid", "tgtype", "tgenabled", "tgisinternal", "tgconstrrelid", "tgconstrindid", "tgconstraint", "tgdeferrable", "tginitdeferred", "tgnargs", "tgattr", "tgargs", "tgqual", "tgoldtable", "tgnewtable", "func_schema_id", "description"]
SELECT x.oid, x.*, p.pronamespace AS func_schema_id, d.description FROM pg_catalog.pg_trigger AS x LEFT OUTER JOIN pg_catalog.pg_proc AS p ON p.oid = x.tgfoid LEFT OUTER JOIN pg_catalog.pg_description AS d ON d.objoid = x.oid AND d.objsubid = 0 WHERE x.tgrelid = $1 AND NOT x.tgisinternal
;
