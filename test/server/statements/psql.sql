-- name: \l: databases
-- columns: ["Name", "Owner", "Encoding", "Collate", "Ctype", "ICU Locale", "Provider", "Privileges"]
SELECT d.datname AS "Name", pg_catalog.pg_get_userbyid(d.datdba) AS "Owner", pg_catalog.pg_encoding_to_char(d.encoding) AS "Encoding", d.datcollate AS "Collate",
  d.datctype AS "Ctype", d.daticulocale AS "ICU Locale", CASE d.datlocprovider WHEN 'c' THEN 'libc' WHEN 'i' THEN 'icu' END AS "Provider",
  pg_catalog.array_to_string(d.datacl, E'\n') AS "Privileges"
FROM pg_catalog.pg_database AS d ORDER BY 1
;
-- name: \l+: databases with their sizes
-- columns: ["Name", "Size", "Tablespace", "Description"]
SELECT d.datname AS "Name", CASE WHEN pg_catalog.has_database_privilege(d.datname, 'CONNECT') THEN pg_catalog.pg_size_pretty(pg_catalog.pg_database_size(d.datname)) ELSE 'No Access' END AS "Size",
  t.spcname AS "Tablespace", pg_catalog.shobj_description(d.oid, 'pg_database') AS "Description"
FROM pg_catalog.pg_database AS d JOIN pg_catalog.pg_tablespace AS t ON d.dattablespace = t.oid ORDER BY 1
;
-- name: \d: relations of the search path
-- columns: ["Schema", "Name", "Type", "Owner"]
SELECT n.nspname AS "Schema", c.relname AS "Name", CASE c.relkind WHEN 'r' THEN 'table' WHEN 'v' THEN 'view' WHEN 'm' THEN 'materialized view' WHEN 'i' THEN 'index' WHEN 'S' THEN 'sequence'
  WHEN 't' THEN 'TOAST table' WHEN 'f' THEN 'foreign table' WHEN 'p' THEN 'partitioned table' WHEN 'I' THEN 'partitioned index' END AS "Type", pg_catalog.pg_get_userbyid(c.relowner) AS "Owner"
FROM pg_catalog.pg_class AS c LEFT JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace LEFT JOIN pg_catalog.pg_am AS am ON am.oid = c.relam
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'S', 'f', '') AND n.nspname <> 'pg_catalog' AND n.nspname !~ '^pg_toast' AND n.nspname <> 'information_schema' AND pg_catalog.pg_table_is_visible(c.oid)
ORDER BY 1, 2
;
-- name: \dt+: tables with their sizes
-- columns: ["Schema", "Name", "Persistence", "Access method", "Size", "Description"]
SELECT n.nspname AS "Schema", c.relname AS "Name", CASE c.relpersistence WHEN 'p' THEN 'permanent' WHEN 't' THEN 'temporary' WHEN 'u' THEN 'unlogged' END AS "Persistence", am.amname AS "Access method",
  pg_catalog.pg_size_pretty(pg_catalog.pg_table_size(c.oid)) AS "Size", pg_catalog.obj_description(c.oid, 'pg_class') AS "Description"
FROM pg_catalog.pg_class AS c LEFT JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace LEFT JOIN pg_catalog.pg_am AS am ON am.oid = c.relam
WHERE c.relkind IN ('r', 'p', 't', 's', '') AND n.nspname OPERATOR(pg_catalog.~) '^(pub.*)$' COLLATE pg_catalog.default ORDER BY 1, 2
;
-- name: \di: indexes and their tables
-- columns: ["Schema", "Name", "Owner", "Table"]
SELECT n.nspname AS "Schema", c.relname AS "Name", pg_catalog.pg_get_userbyid(c.relowner) AS "Owner", c2.relname AS "Table"
FROM pg_catalog.pg_class AS c LEFT JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace LEFT JOIN pg_catalog.pg_index AS i ON i.indexrelid = c.oid LEFT JOIN pg_catalog.pg_class AS c2 ON i.indrelid = c2.oid
WHERE c.relkind IN ('i', 'I', '') AND pg_catalog.pg_table_is_visible(c.oid) ORDER BY 1, 2
;
-- name: \d t: the number of a relation by its name
-- columns: ["oid", "nspname", "relname"]
SELECT c.oid, n.nspname, c.relname FROM pg_catalog.pg_class AS c LEFT JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
WHERE c.relname OPERATOR(pg_catalog.~) '^(orders)$' COLLATE pg_catalog.default AND pg_catalog.pg_table_is_visible(c.oid) ORDER BY 2, 3
;
-- name: \d t: what a relation has
-- columns: ["relchecks", "relkind", "relhasindex", "relhasrules", "relhastriggers", "relrowsecurity", "relforcerowsecurity", "relhasoids", "relispartition", "array_to_string", "reltablespace", "reloftype", "relpersistence", "relreplident", "amname"]
SELECT c.relchecks, c.relkind, c.relhasindex, c.relhasrules, c.relhastriggers, c.relrowsecurity, c.relforcerowsecurity, false AS relhasoids, c.relispartition,
  pg_catalog.array_to_string(c.reloptions || array(SELECT 'toast.' || x FROM pg_catalog.unnest(tc.reloptions) AS x), ', '), c.reltablespace,
  CASE WHEN c.reloftype = 0 THEN '' ELSE c.reloftype::pg_catalog.regtype::pg_catalog.text END, c.relpersistence, c.relreplident, am.amname
FROM pg_catalog.pg_class AS c LEFT JOIN pg_catalog.pg_class AS tc ON (c.reltoastrelid = tc.oid) LEFT JOIN pg_catalog.pg_am AS am ON (c.relam = am.oid) WHERE c.oid = 'orders'::pg_catalog.regclass
;
-- name: \d t: columns
-- columns: ["attname", "format_type", "pg_get_expr", "attnotnull", "attcollation", "attidentity", "attgenerated"]
SELECT a.attname, pg_catalog.format_type(a.atttypid, a.atttypmod), (SELECT pg_catalog.pg_get_expr(d.adbin, d.adrelid, true) FROM pg_catalog.pg_attrdef AS d
    WHERE d.adrelid = a.attrelid AND d.adnum = a.attnum AND a.atthasdef), a.attnotnull,
  (SELECT c.collname FROM pg_catalog.pg_collation AS c, pg_catalog.pg_type AS t WHERE c.oid = a.attcollation AND t.oid = a.atttypid AND a.attcollation <> t.typcollation) AS attcollation,
  a.attidentity, a.attgenerated
FROM pg_catalog.pg_attribute AS a WHERE a.attrelid = 'orders'::regclass AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum
;
-- name: \d+ t: columns with their storage
-- columns: ["attname", "attstorage", "attcompression", "attstattarget", "col_description"]
SELECT a.attname, a.attstorage, a.attcompression AS attcompression, CASE WHEN a.attstattarget = -1 THEN NULL ELSE a.attstattarget END AS attstattarget, pg_catalog.col_description(a.attrelid, a.attnum)
FROM pg_catalog.pg_attribute AS a WHERE a.attrelid = 'customer'::regclass AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum
;
-- name: \d t: indexes
-- columns: ["relname", "indisprimary", "indisunique", "indisclustered", "indisvalid", "pg_get_indexdef", "pg_get_constraintdef", "contype", "condeferrable", "condeferred", "indisreplident", "reltablespace"]
SELECT c2.relname, i.indisprimary, i.indisunique, i.indisclustered, i.indisvalid, pg_catalog.pg_get_indexdef(i.indexrelid, 0, true), pg_catalog.pg_get_constraintdef(con.oid, true), contype, condeferrable, condeferred,
  i.indisreplident, c2.reltablespace
FROM pg_catalog.pg_class AS c, pg_catalog.pg_class AS c2, pg_catalog.pg_index AS i LEFT JOIN pg_catalog.pg_constraint AS con ON (conrelid = i.indrelid AND conindid = i.indexrelid AND contype IN ('p', 'u', 'x'))
WHERE c.oid = 'customer'::regclass AND c.oid = i.indrelid AND i.indexrelid = c2.oid ORDER BY i.indisprimary DESC, c2.relname
;
-- name: \d t: checks
-- columns: ["conname", "pg_get_constraintdef"]
SELECT r.conname, pg_catalog.pg_get_constraintdef(r.oid, true) FROM pg_catalog.pg_constraint AS r WHERE r.conrelid = 'orders'::regclass AND r.contype = 'c' ORDER BY 1
;
-- name: \d t: foreign keys
-- columns: ["sametable", "conname", "condef", "ontable"]
SELECT true AS sametable, conname, pg_catalog.pg_get_constraintdef(r.oid, true) AS condef, conrelid::pg_catalog.regclass AS ontable
FROM pg_catalog.pg_constraint AS r WHERE r.conrelid = 'orders'::regclass AND r.contype = 'f' AND conparentid = 0 ORDER BY conname
;
-- name: \d t: foreign keys of other tables
-- columns: ["conname", "ontable", "condef"]
SELECT conname, conrelid::pg_catalog.regclass AS ontable, pg_catalog.pg_get_constraintdef(oid, true) AS condef FROM pg_catalog.pg_constraint AS c
WHERE confrelid IN (SELECT pg_catalog.pg_partition_ancestors('customer'::regclass) UNION ALL VALUES ('customer'::pg_catalog.regclass)) AND contype = 'f' AND conparentid = 0 ORDER BY conname
;
-- name: \d t: policies
-- columns: ["polname", "polpermissive", "array_to_string", "pg_get_expr", "pg_get_expr", "cmd"]
SELECT pol.polname, pol.polpermissive, CASE WHEN pol.polroles = '{0}' THEN NULL ELSE pg_catalog.array_to_string(array(SELECT rolname FROM pg_catalog.pg_roles WHERE oid = any (pol.polroles) ORDER BY 1), ',') END,
  pg_catalog.pg_get_expr(pol.polqual, pol.polrelid), pg_catalog.pg_get_expr(pol.polwithcheck, pol.polrelid), CASE pol.polcmd WHEN 'r' THEN 'SELECT' WHEN 'a' THEN 'INSERT' WHEN 'w' THEN 'UPDATE' WHEN 'd' THEN 'DELETE' END AS cmd
FROM pg_catalog.pg_policy AS pol WHERE pol.polrelid = 'orders'::regclass ORDER BY 1
;
-- name: \d t: extended statistics
-- columns: ["oid", "stxrelid", "nsp", "stxname", "columns", "ndist_enabled", "deps_enabled", "mcv_enabled", "stxstattarget"]
SELECT oid, stxrelid::pg_catalog.regclass, stxnamespace::pg_catalog.regnamespace::pg_catalog.text AS nsp, stxname, pg_catalog.pg_get_statisticsobjdef_columns(oid) AS columns, 'd' = any (stxkind) AS ndist_enabled,
  'f' = any (stxkind) AS deps_enabled, 'm' = any (stxkind) AS mcv_enabled, stxstattarget
FROM pg_catalog.pg_statistic_ext WHERE stxrelid = 'orders'::regclass ORDER BY nsp, stxname
;
-- name: \d t: publications
-- columns: ["pubname", "?column?", "?column?"]
SELECT pubname, NULL, NULL FROM pg_catalog.pg_publication AS p JOIN pg_catalog.pg_publication_namespace AS pn ON p.oid = pn.pnpubid JOIN pg_catalog.pg_class AS pc ON pc.relnamespace = pn.pnnspid
WHERE pc.oid = 'orders'::regclass AND pg_catalog.pg_relation_is_publishable('orders')
UNION SELECT pubname, pg_get_expr(pr.prqual, c.oid), (CASE WHEN pr.prattrs IS NOT NULL THEN (SELECT string_agg(attname, ', ') FROM pg_catalog.generate_series(0, pg_catalog.array_upper(pr.prattrs::pg_catalog.int2[], 1)) AS s,
    pg_catalog.pg_attribute WHERE attrelid = pr.prrelid AND attnum = prattrs[s]) END)
FROM pg_catalog.pg_publication AS p JOIN pg_catalog.pg_publication_rel AS pr ON p.oid = pr.prpubid JOIN pg_catalog.pg_class AS c ON c.oid = pr.prrelid WHERE pr.prrelid = 'orders'::regclass
UNION SELECT pubname, NULL, NULL FROM pg_catalog.pg_publication AS p WHERE p.puballtables AND pg_catalog.pg_relation_is_publishable('orders') ORDER BY 1
;
-- name: \d t: parents
-- columns: ["oid"]
SELECT c.oid::pg_catalog.regclass FROM pg_catalog.pg_class AS c, pg_catalog.pg_inherits AS i WHERE c.oid = i.inhparent AND i.inhrelid = 'orders'::regclass AND c.relkind <> 'p' AND c.relkind <> 'I' ORDER BY inhseqno
;
-- name: \d t: children
-- columns: ["oid", "relkind", "inhdetachpending", "pg_get_expr"]
SELECT c.oid::pg_catalog.regclass, c.relkind, inhdetachpending, pg_catalog.pg_get_expr(c.relpartbound, c.oid) FROM pg_catalog.pg_class AS c, pg_catalog.pg_inherits AS i
WHERE c.oid = i.inhrelid AND i.inhparent = 'orders'::regclass ORDER BY pg_catalog.pg_get_expr(c.relpartbound, c.oid) = 'DEFAULT', c.oid::pg_catalog.regclass::pg_catalog.text
;
-- name: \d t: triggers
-- columns: ["tgname", "pg_get_triggerdef", "tgenabled", "tgisinternal", "parent"]
SELECT t.tgname, pg_catalog.pg_get_triggerdef(t.oid, true), t.tgenabled, t.tgisinternal, CASE WHEN t.tgparentid <> 0 THEN (SELECT u.tgrelid::pg_catalog.regclass FROM pg_catalog.pg_trigger AS u,
    pg_catalog.pg_partition_ancestors(t.tgrelid) WITH ORDINALITY AS a(relid, depth) WHERE u.tgname = t.tgname AND u.tgrelid = a.relid AND u.tgparentid = 0 ORDER BY a.depth LIMIT 1) END AS parent
FROM pg_catalog.pg_trigger AS t WHERE t.tgrelid = 'orders'::regclass AND (NOT t.tgisinternal OR (t.tgisinternal AND t.tgenabled = 'D')) ORDER BY 1
;
-- name: \d t: rules
-- columns: ["rulename", "rtrim", "ev_enabled"]
SELECT r.rulename, trim(TRAILING ';' FROM pg_catalog.pg_get_ruledef(r.oid, true)), ev_enabled FROM pg_catalog.pg_rewrite AS r WHERE r.ev_class = 'orders'::regclass ORDER BY 1
;
-- name: \d+ v: the query of a view
-- columns: ["pg_get_viewdef"]
SELECT pg_catalog.pg_get_viewdef('big_orders'::regclass, true)
;
-- name: \d s: a sequence
-- columns: ["Type", "Start", "Minimum", "Maximum", "Increment", "Cycles?", "Cache"]
SELECT pg_catalog.format_type(seqtypid, NULL) AS "Type", seqstart AS "Start", seqmin AS "Minimum", seqmax AS "Maximum", seqincrement AS "Increment", CASE WHEN seqcycle THEN 'yes' ELSE 'no' END AS "Cycles?",
  seqcache AS "Cache" FROM pg_catalog.pg_sequence WHERE seqrelid = 'counter'::regclass
;
-- name: \d s: the column that owns a sequence
-- columns: ["?column?", "deptype"]
SELECT pg_catalog.quote_ident(nspname) || '.' || pg_catalog.quote_ident(relname) || '.' || pg_catalog.quote_ident(attname), d.deptype FROM pg_catalog.pg_class AS c
JOIN pg_catalog.pg_depend AS d ON c.oid = d.refobjid JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace JOIN pg_catalog.pg_attribute AS a ON (a.attrelid = c.oid AND a.attnum = d.refobjsubid)
WHERE d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.objid = 'orders_id_seq'::regclass AND d.deptype IN ('a', 'i')
;
-- name: \d i: the columns of an index
-- columns: ["attname", "format_type", "is_key", "indexdef"]
SELECT a.attname, pg_catalog.format_type(a.atttypid, a.atttypmod), CASE WHEN a.attnum <= (SELECT i.indnkeyatts FROM pg_catalog.pg_index AS i WHERE i.indexrelid = 'orders_by_total'::regclass) THEN 'yes' ELSE 'no' END AS is_key,
  pg_catalog.pg_get_indexdef(a.attrelid, a.attnum, true) AS indexdef FROM pg_catalog.pg_attribute AS a WHERE a.attrelid = 'orders_by_total'::regclass AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum
;
-- name: \d i: an index
-- columns: ["indisunique", "indisprimary", "indisclustered", "indisvalid", "condeferrable", "indisreplident", "indnullsnotdistinct", "amname", "relname", "pg_get_expr"]
SELECT i.indisunique, i.indisprimary, i.indisclustered, i.indisvalid, (NOT i.indimmediate) AND EXISTS (SELECT 1 FROM pg_catalog.pg_constraint WHERE conrelid = i.indrelid AND conindid = i.indexrelid
    AND contype IN ('p', 'u', 'x') AND condeferrable) AS condeferrable, i.indisreplident, i.indnullsnotdistinct, a.amname, c2.relname, pg_catalog.pg_get_expr(i.indpred, i.indrelid, true)
FROM pg_catalog.pg_index AS i, pg_catalog.pg_class AS c, pg_catalog.pg_class AS c2, pg_catalog.pg_am AS a WHERE i.indexrelid = c.oid AND c.oid = 'orders_by_total'::regclass AND c.relam = a.oid AND i.indrelid = c2.oid
;
-- name: \dn+: schemas
-- columns: ["Name", "Owner", "Access privileges", "Description"]
SELECT n.nspname AS "Name", pg_catalog.pg_get_userbyid(n.nspowner) AS "Owner", pg_catalog.array_to_string(n.nspacl, E'\n') AS "Access privileges", pg_catalog.obj_description(n.oid, 'pg_namespace') AS "Description"
FROM pg_catalog.pg_namespace AS n WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema' ORDER BY 1
;
-- name: \df+: functions
-- columns: ["Schema", "Name", "Result data type", "Argument data types", "Type", "Volatility", "Parallel", "Security", "Access privileges", "Language", "Source code", "Description"]
SELECT n.nspname AS "Schema", p.proname AS "Name", pg_catalog.pg_get_function_result(p.oid) AS "Result data type", pg_catalog.pg_get_function_arguments(p.oid) AS "Argument data types",
  CASE p.prokind WHEN 'a' THEN 'agg' WHEN 'w' THEN 'window' WHEN 'p' THEN 'proc' ELSE 'func' END AS "Type", CASE p.provolatile WHEN 'i' THEN 'immutable' WHEN 's' THEN 'stable' WHEN 'v' THEN 'volatile' END AS "Volatility",
  CASE p.proparallel WHEN 'r' THEN 'restricted' WHEN 's' THEN 'safe' WHEN 'u' THEN 'unsafe' END AS "Parallel", CASE WHEN prosecdef THEN 'definer' ELSE 'invoker' END AS "Security",
  pg_catalog.array_to_string(p.proacl, E'\n') AS "Access privileges", l.lanname AS "Language", COALESCE(pg_catalog.pg_get_function_sqlbody(p.oid), p.prosrc) AS "Source code", pg_catalog.obj_description(p.oid, 'pg_proc') AS "Description"
FROM pg_catalog.pg_proc AS p LEFT JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace LEFT JOIN pg_catalog.pg_language AS l ON l.oid = p.prolang
WHERE pg_catalog.pg_function_is_visible(p.oid) AND n.nspname <> 'pg_catalog' AND n.nspname <> 'information_schema' ORDER BY 1, 2, 4
;
-- name: \sf: the number of a function
-- columns: ["oid"]
SELECT 'add_one'::pg_catalog.regproc::pg_catalog.oid
;
-- name: \sf: the text of a function
-- columns: ["pg_get_functiondef"]
SELECT pg_catalog.pg_get_functiondef('add_one'::pg_catalog.regproc::pg_catalog.oid)
;
-- name: \sv: the kind and text of a view
-- columns: ["nspname", "relname", "relkind", "pg_get_viewdef", "reloptions", "checkoption"]
SELECT nspname, relname, relkind, pg_catalog.pg_get_viewdef(c.oid, true), pg_catalog.array_remove(pg_catalog.array_remove(c.reloptions, 'check_option=local'), 'check_option=cascaded') AS reloptions,
  CASE WHEN 'check_option=local' = any (c.reloptions) THEN 'LOCAL'::text WHEN 'check_option=cascaded' = any (c.reloptions) THEN 'CASCADED'::text ELSE NULL END AS checkoption
FROM pg_catalog.pg_class AS c LEFT JOIN pg_catalog.pg_namespace AS n ON c.relnamespace = n.oid WHERE c.oid = 'big_orders'::regclass
;
-- name: \dT+: types
-- columns: ["Schema", "Name", "Internal name", "Size", "Elements", "Owner", "Access privileges", "Description"]
SELECT n.nspname AS "Schema", pg_catalog.format_type(t.oid, NULL) AS "Name", t.typname AS "Internal name", CASE WHEN t.typrelid <> 0 THEN CAST('tuple' AS pg_catalog.text) WHEN t.typlen < 0 THEN CAST('var' AS pg_catalog.text)
    ELSE CAST(t.typlen AS pg_catalog.text) END AS "Size", pg_catalog.array_to_string(array(SELECT e.enumlabel FROM pg_catalog.pg_enum AS e WHERE e.enumtypid = t.oid ORDER BY e.enumsortorder), E'\n') AS "Elements",
  pg_catalog.pg_get_userbyid(t.typowner) AS "Owner", pg_catalog.array_to_string(t.typacl, E'\n') AS "Access privileges", pg_catalog.obj_description(t.oid, 'pg_type') AS "Description"
FROM pg_catalog.pg_type AS t LEFT JOIN pg_catalog.pg_namespace AS n ON n.oid = t.typnamespace
WHERE (t.typrelid = 0 OR (SELECT c.relkind = 'c' FROM pg_catalog.pg_class AS c WHERE c.oid = t.typrelid)) AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_type AS el WHERE el.oid = t.typelem AND el.typarray = t.oid)
  AND n.nspname <> 'pg_catalog' AND n.nspname <> 'information_schema' AND pg_catalog.pg_type_is_visible(t.oid) ORDER BY 1, 2
;
-- name: \dD: domains
-- columns: ["Schema", "Name", "Type", "Collation", "Nullable", "Default", "Check"]
SELECT n.nspname AS "Schema", t.typname AS "Name", pg_catalog.format_type(t.typbasetype, t.typtypmod) AS "Type", (SELECT c.collname FROM pg_catalog.pg_collation AS c, pg_catalog.pg_type AS bt
    WHERE c.oid = t.typcollation AND bt.oid = t.typbasetype AND t.typcollation <> bt.typcollation) AS "Collation", CASE WHEN t.typnotnull THEN 'not null' END AS "Nullable", t.typdefault AS "Default",
  pg_catalog.array_to_string(array(SELECT pg_catalog.pg_get_constraintdef(r.oid, true) FROM pg_catalog.pg_constraint AS r WHERE t.oid = r.contypid), ' ') AS "Check"
FROM pg_catalog.pg_type AS t LEFT JOIN pg_catalog.pg_namespace AS n ON n.oid = t.typnamespace WHERE t.typtype = 'd' AND n.nspname <> 'pg_catalog' AND n.nspname <> 'information_schema' AND pg_catalog.pg_type_is_visible(t.oid) ORDER BY 1, 2
;
-- name: \du: roles
-- columns: ["rolname", "rolsuper", "rolinherit", "rolcreaterole", "rolcreatedb", "rolcanlogin", "rolconnlimit", "rolvaliduntil", "memberof", "rolreplication", "rolbypassrls"]
SELECT r.rolname, r.rolsuper, r.rolinherit, r.rolcreaterole, r.rolcreatedb, r.rolcanlogin, r.rolconnlimit, r.rolvaliduntil, array(SELECT b.rolname FROM pg_catalog.pg_auth_members AS m
    JOIN pg_catalog.pg_roles AS b ON (m.roleid = b.oid) WHERE m.member = r.oid) AS memberof, r.rolreplication, r.rolbypassrls
FROM pg_catalog.pg_roles AS r WHERE r.rolname !~ '^pg_' ORDER BY 1
;
-- name: \dp: privileges
-- columns: ["Schema", "Name", "Type", "Access privileges", "Column privileges", "Policies"]
SELECT n.nspname AS "Schema", c.relname AS "Name", CASE c.relkind WHEN 'r' THEN 'table' WHEN 'v' THEN 'view' WHEN 'S' THEN 'sequence' END AS "Type", pg_catalog.array_to_string(c.relacl, E'\n') AS "Access privileges",
  pg_catalog.array_to_string(array(SELECT attname || E':\n  ' || pg_catalog.array_to_string(attacl, E'\n  ') FROM pg_catalog.pg_attribute AS a WHERE attrelid = c.oid AND NOT attisdropped AND attacl IS NOT NULL), E'\n') AS "Column privileges",
  pg_catalog.array_to_string(array(SELECT polname || CASE WHEN NOT polpermissive THEN E' (RESTRICTIVE)' ELSE '' END || CASE WHEN polqual IS NOT NULL THEN E'\n  (u): ' || pg_catalog.pg_get_expr(polqual, polrelid) ELSE E'' END
    FROM pg_catalog.pg_policy AS pol WHERE polrelid = c.oid), E'\n') AS "Policies"
FROM pg_catalog.pg_class AS c LEFT JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace WHERE c.relkind IN ('r', 'v', 'm', 'S', 'f', 'p') AND n.nspname !~ '^pg_' AND pg_catalog.pg_table_is_visible(c.oid) ORDER BY 1, 2
;
-- name: \ddp: default privileges
-- columns: ["Owner", "Schema", "Type", "Access privileges"]
SELECT pg_catalog.pg_get_userbyid(d.defaclrole) AS "Owner", n.nspname AS "Schema", CASE d.defaclobjtype WHEN 'r' THEN 'table' WHEN 'S' THEN 'sequence' WHEN 'f' THEN 'function' END AS "Type",
  pg_catalog.array_to_string(d.defaclacl, E'\n') AS "Access privileges" FROM pg_catalog.pg_default_acl AS d LEFT JOIN pg_catalog.pg_namespace AS n ON n.oid = d.defaclnamespace ORDER BY 1, 2, 3
;
-- name: \dC: casts
-- columns: ["Source type", "Target type", "Function", "Implicit?"]
SELECT pg_catalog.format_type(castsource, NULL) AS "Source type", pg_catalog.format_type(casttarget, NULL) AS "Target type", CASE WHEN c.castmethod = 'b' THEN '(binary coercible)' WHEN c.castmethod = 'i' THEN '(with inout)' ELSE p.proname END AS "Function",
  CASE WHEN c.castcontext = 'e' THEN 'no' WHEN c.castcontext = 'a' THEN 'in assignment' ELSE 'yes' END AS "Implicit?"
FROM pg_catalog.pg_cast AS c LEFT JOIN pg_catalog.pg_proc AS p ON c.castfunc = p.oid LEFT JOIN pg_catalog.pg_type AS ts ON c.castsource = ts.oid LEFT JOIN pg_catalog.pg_namespace AS ns ON ns.oid = ts.typnamespace
WHERE (true AND pg_catalog.pg_type_is_visible(ts.oid)) ORDER BY 1, 2
;
-- name: \do: operators
-- columns: ["Schema", "Name", "Left arg type", "Right arg type", "Result type", "Description"]
SELECT n.nspname AS "Schema", o.oprname AS "Name", CASE WHEN o.oprkind = 'l' THEN NULL ELSE pg_catalog.format_type(o.oprleft, NULL) END AS "Left arg type", CASE WHEN o.oprkind = 'r' THEN NULL ELSE pg_catalog.format_type(o.oprright, NULL) END AS "Right arg type",
  pg_catalog.format_type(o.oprresult, NULL) AS "Result type", COALESCE(pg_catalog.obj_description(o.oid, 'pg_operator'), pg_catalog.obj_description(o.oprcode, 'pg_proc')) AS "Description"
FROM pg_catalog.pg_operator AS o LEFT JOIN pg_catalog.pg_namespace AS n ON n.oid = o.oprnamespace WHERE n.nspname <> 'pg_catalog' AND pg_catalog.pg_operator_is_visible(o.oid) ORDER BY 1, 2, 3, 4
;
-- name: \dx: extensions
-- columns: ["Name", "Version", "Schema", "Description"]
SELECT e.extname AS "Name", e.extversion AS "Version", n.nspname AS "Schema", c.description AS "Description" FROM pg_catalog.pg_extension AS e LEFT JOIN pg_catalog.pg_namespace AS n ON n.oid = e.extnamespace
LEFT JOIN pg_catalog.pg_description AS c ON c.objoid = e.oid AND c.classoid = 'pg_catalog.pg_extension'::pg_catalog.regclass ORDER BY 1
;
-- name: \dd: comments of what has no other command
-- columns: ["Schema", "Name", "Object", "Description"]
SELECT DISTINCT tt.nspname AS "Schema", tt.name AS "Name", tt.object AS "Object", d.description AS "Description"
FROM (SELECT pgc.oid AS oid, pgc.tableoid AS tableoid, n.nspname AS nspname, CAST(pgc.conname AS pg_catalog.text) AS name, CAST('table constraint' AS pg_catalog.text) AS object
  FROM pg_catalog.pg_constraint AS pgc JOIN pg_catalog.pg_class AS c ON c.oid = pgc.conrelid LEFT JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
  UNION ALL SELECT o.oid, o.tableoid, n.nspname, CAST(o.opcname AS pg_catalog.text), CAST('operator class' AS pg_catalog.text) FROM pg_catalog.pg_opclass AS o JOIN pg_catalog.pg_am AS am ON o.opcmethod = am.oid
    JOIN pg_catalog.pg_namespace AS n ON n.oid = o.opcnamespace WHERE n.nspname <> 'pg_catalog'
  UNION ALL SELECT opf.oid, opf.tableoid, n.nspname, CAST(opf.opfname AS pg_catalog.text), CAST('operator family' AS pg_catalog.text) FROM pg_catalog.pg_opfamily AS opf JOIN pg_catalog.pg_am AS am ON opf.opfmethod = am.oid
    JOIN pg_catalog.pg_namespace AS n ON opf.opfnamespace = n.oid WHERE n.nspname <> 'pg_catalog'
  UNION ALL SELECT t.oid, t.tableoid, n.nspname, CAST(tgname AS pg_catalog.text), CAST('trigger' AS pg_catalog.text) FROM pg_catalog.pg_trigger AS t JOIN pg_catalog.pg_class AS c ON c.oid = t.tgrelid
    LEFT JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace) AS tt
JOIN pg_catalog.pg_description AS d ON (tt.oid = d.objoid AND tt.tableoid = d.classoid AND d.objsubid = 0) ORDER BY 1, 2, 3
;
-- name: \dA+: access methods
-- columns: ["Name", "Type", "Handler", "Description"]
SELECT amname AS "Name", CASE amtype WHEN 'i' THEN 'Index' WHEN 't' THEN 'Table' END AS "Type", amhandler AS "Handler", pg_catalog.obj_description(oid, 'pg_am') AS "Description" FROM pg_catalog.pg_am ORDER BY 1
;
-- name: \dAc: operator classes
-- columns: ["AM", "Input type", "Storage type", "Operator class", "Default?"]
SELECT am.amname AS "AM", pg_catalog.format_type(c.opcintype, NULL) AS "Input type", CASE WHEN c.opckeytype <> 0 AND c.opckeytype <> c.opcintype THEN pg_catalog.format_type(c.opckeytype, NULL) ELSE NULL END AS "Storage type",
  CASE WHEN pg_catalog.pg_opclass_is_visible(c.oid) THEN pg_catalog.format('%I', c.opcname) ELSE pg_catalog.format('%I.%I', n.nspname, c.opcname) END AS "Operator class", (CASE WHEN c.opcdefault THEN 'yes' ELSE 'no' END) AS "Default?"
FROM pg_catalog.pg_opclass AS c LEFT JOIN pg_catalog.pg_am AS am ON am.oid = c.opcmethod LEFT JOIN pg_catalog.pg_namespace AS n ON n.oid = c.opcnamespace LEFT JOIN pg_catalog.pg_type AS t ON t.oid = c.opcintype
LEFT JOIN pg_catalog.pg_namespace AS tn ON tn.oid = t.typnamespace ORDER BY 1, 2, 4
;
-- name: \dL: languages
-- columns: ["Name", "Owner", "Trusted", "Description"]
SELECT l.lanname AS "Name", pg_catalog.pg_get_userbyid(l.lanowner) AS "Owner", l.lanpltrusted AS "Trusted", d.description AS "Description" FROM pg_catalog.pg_language AS l
LEFT JOIN pg_catalog.pg_description AS d ON d.classoid = l.tableoid AND d.objoid = l.oid AND d.objsubid = 0 WHERE l.lanplcallfoid <> 0 ORDER BY 1
;
-- name: \drds: settings of roles
-- columns: ["Role", "Database", "Settings"]
SELECT rolname AS "Role", datname AS "Database", pg_catalog.array_to_string(setconfig, E'\n') AS "Settings" FROM pg_catalog.pg_db_role_setting AS s LEFT JOIN pg_catalog.pg_database ON pg_database.oid = setdatabase
LEFT JOIN pg_catalog.pg_roles ON pg_roles.oid = setrole ORDER BY 1, 2
;
-- name: \db+: tablespaces
-- columns: ["Name", "Owner", "Location", "Access privileges", "Options", "Size", "Description"]
SELECT spcname AS "Name", pg_catalog.pg_get_userbyid(spcowner) AS "Owner", pg_catalog.pg_tablespace_location(oid) AS "Location", pg_catalog.array_to_string(spcacl, E'\n') AS "Access privileges", spcoptions AS "Options",
  pg_catalog.pg_size_pretty(pg_catalog.pg_tablespace_size(oid)) AS "Size", pg_catalog.shobj_description(oid, 'pg_tablespace') AS "Description" FROM pg_catalog.pg_tablespace ORDER BY 1
;
-- name: \dO: collations
-- columns: ["Schema", "Name", "Collate", "Ctype", "ICU Locale", "Provider", "Deterministic?"]
SELECT n.nspname AS "Schema", c.collname AS "Name", c.collcollate AS "Collate", c.collctype AS "Ctype", c.colliculocale AS "ICU Locale", CASE c.collprovider WHEN 'd' THEN 'default' WHEN 'c' THEN 'libc' WHEN 'i' THEN 'icu' END AS "Provider",
  CASE WHEN c.collisdeterministic THEN 'yes' ELSE 'no' END AS "Deterministic?" FROM pg_catalog.pg_collation AS c, pg_catalog.pg_namespace AS n WHERE n.oid = c.collnamespace AND n.nspname <> 'pg_catalog'
  AND c.collencoding IN (-1, pg_catalog.pg_char_to_encoding(pg_catalog.getdatabaseencoding())) AND pg_catalog.pg_collation_is_visible(c.oid) ORDER BY 1, 2
;
-- name: \dF: configurations of text search
-- columns: ["Schema", "Name", "Description"]
SELECT n.nspname AS "Schema", c.cfgname AS "Name", pg_catalog.obj_description(c.oid, 'pg_ts_config') AS "Description" FROM pg_catalog.pg_ts_config AS c LEFT JOIN pg_catalog.pg_namespace AS n ON n.oid = c.cfgnamespace
WHERE pg_catalog.pg_ts_config_is_visible(c.oid) ORDER BY 1, 2
;
-- name: \des: foreign servers
-- columns: ["Name", "Owner", "Foreign-data wrapper"]
SELECT s.srvname AS "Name", pg_catalog.pg_get_userbyid(s.srvowner) AS "Owner", f.fdwname AS "Foreign-data wrapper" FROM pg_catalog.pg_foreign_server AS s JOIN pg_catalog.pg_foreign_data_wrapper AS f ON f.oid = s.srvfdw ORDER BY 1
;
-- name: \dy: event triggers
-- columns: ["Name", "Event", "Owner", "Enabled", "Function", "Tags"]
SELECT evtname AS "Name", evtevent AS "Event", pg_catalog.pg_get_userbyid(e.evtowner) AS "Owner", CASE evtenabled WHEN 'O' THEN 'enabled' WHEN 'D' THEN 'disabled' END AS "Enabled", e.evtfoid::pg_catalog.regproc AS "Function",
  pg_catalog.array_to_string(array(SELECT x FROM pg_catalog.unnest(evttags) AS t(x)), ', ') AS "Tags" FROM pg_catalog.pg_event_trigger AS e ORDER BY 1
;
-- name: \dc: conversions
-- columns: ["Schema", "Name", "Source", "Destination", "Default?"]
SELECT n.nspname AS "Schema", c.conname AS "Name", pg_catalog.pg_encoding_to_char(c.conforencoding) AS "Source", pg_catalog.pg_encoding_to_char(c.contoencoding) AS "Destination", CASE WHEN c.condefault THEN 'yes' ELSE 'no' END AS "Default?"
FROM pg_catalog.pg_conversion AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.connamespace WHERE true AND n.nspname <> 'pg_catalog' AND pg_catalog.pg_conversion_is_visible(c.oid) ORDER BY 1, 2
;
-- name: tab: names of relations that begin with a text
-- columns: ["relname", "text"]
SELECT c.relname, NULL::pg_catalog.text FROM pg_catalog.pg_class AS c WHERE c.relkind IN ('r', 'S', 'v', 'm', 'f', 'p') AND (c.relname) LIKE 'or%' AND pg_catalog.pg_table_is_visible(c.oid)
UNION ALL SELECT NULL::pg_catalog.text, n.nspname FROM pg_catalog.pg_namespace AS n WHERE n.nspname LIKE 'or%' AND n.nspname NOT LIKE E'pg\\_%' LIMIT 1000
;
-- name: tab: columns of a table
-- columns: ["attname"]
SELECT attname FROM pg_catalog.pg_attribute AS a, pg_catalog.pg_class AS c WHERE c.oid = a.attrelid AND a.attnum > 0 AND NOT a.attisdropped AND substring(attname, 1, 1) = 'i' AND (relname = 'orders' OR pg_catalog.quote_ident(relname) = 'orders')
  AND pg_catalog.pg_table_is_visible(c.oid) LIMIT 1000
;
-- name: \dconfig: settings that differ
-- columns: ["Parameter", "Value"]
SELECT s.name AS "Parameter", pg_catalog.current_setting(s.name) AS "Value" FROM pg_catalog.pg_settings AS s WHERE s.source <> 'default' AND s.setting IS DISTINCT FROM s.boot_val ORDER BY 1
;
-- name: \conninfo and the prompt
-- columns: ["db", "current_user", "session_user", "pg_backend_pid"]
SELECT pg_catalog.current_database() AS db, current_user, session_user, pg_catalog.pg_backend_pid()
;
-- name: \dAo: operators of families
-- columns: ["AM", "Operator", "Strategy", "Purpose"]
SELECT am.amname AS "AM", o.amopopr::pg_catalog.regoperator AS "Operator", o.amopstrategy AS "Strategy", CASE o.amoppurpose WHEN 'o' THEN 'ordering' WHEN 's' THEN 'search' END AS "Purpose"
FROM pg_catalog.pg_amop AS o LEFT JOIN pg_catalog.pg_opfamily AS of ON of.oid = o.amopfamily LEFT JOIN pg_catalog.pg_am AS am ON am.oid = of.opfmethod AND am.oid = o.amopmethod ORDER BY 1, 3 LIMIT 5
;
