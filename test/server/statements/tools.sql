-- name: Metabase: zone of the session
-- columns: ["TimeZone"]
SHOW timezone
;
-- name: Metabase: schemas that may be used
-- columns: ["nspname"]
SELECT n.nspname FROM pg_catalog.pg_namespace AS n WHERE pg_catalog.has_schema_privilege(n.nspname, 'USAGE') AND n.nspname NOT IN ('information_schema', 'pg_catalog') ORDER BY 1
;
-- name: Metabase: tables that may be read
-- columns: ["role", "schema", "table", "update", "select", "delete"]
SELECT NULL AS role, t.schemaname AS schema, t.objectname AS "table", pg_catalog.has_any_column_privilege(current_user, '"' || replace(t.schemaname, '"', '""') || '"' || '.' || '"' || replace(t.objectname, '"', '""') || '"', 'update') AS "update",
  pg_catalog.has_table_privilege(current_user, '"' || t.schemaname || '"."' || t.objectname || '"', 'SELECT') AS "select", pg_catalog.has_table_privilege(current_user, '"' || t.schemaname || '"."' || t.objectname || '"', 'DELETE') AS "delete"
FROM (SELECT schemaname, tablename AS objectname FROM pg_catalog.pg_tables UNION SELECT schemaname, viewname AS objectname FROM pg_views UNION SELECT schemaname, matviewname AS objectname FROM pg_matviews) AS t
WHERE t.schemaname !~ '^pg_' AND t.schemaname <> 'information_schema'
;
-- name: Metabase: tables with their comments and sizes
-- columns: ["schema", "name", "type", "description", "estimated_row_count"]
SELECT n.nspname AS schema, c.relname AS name, CASE c.relkind WHEN 'r' THEN 'TABLE' WHEN 'p' THEN 'PARTITIONED TABLE' WHEN 'v' THEN 'VIEW' WHEN 'f' THEN 'FOREIGN TABLE' WHEN 'm' THEN 'MATERIALIZED VIEW' ELSE NULL END AS type, d.description AS description, stat.n_live_tup AS estimated_row_count
FROM pg_catalog.pg_class AS c INNER JOIN pg_catalog.pg_namespace AS n ON c.relnamespace = n.oid LEFT JOIN pg_catalog.pg_description AS d ON c.oid = d.objoid AND d.objsubid = 0 AND d.classoid = 'pg_class'::regclass
LEFT JOIN pg_stat_user_tables AS stat ON n.nspname = stat.schemaname AND c.relname = stat.relname WHERE c.relnamespace = n.oid AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema' AND c.relkind IN ('r', 'p', 'v', 'f', 'm') ORDER BY type, schema, name
;
-- name: Metabase: columns
-- columns: ["name", "database-type", "database-position", "table-schema", "table-name", "pk?", "field-comment", "database-required", "database-is-auto-increment"]
SELECT c.column_name AS name, c.udt_name AS "database-type", c.ordinal_position - 1 AS "database-position", c.table_schema AS "table-schema", c.table_name AS "table-name", pk.column_name IS NOT NULL AS "pk?", col_description(CAST(CAST(format('%I.%I', CAST(c.table_schema AS TEXT), CAST(c.table_name AS TEXT)) AS REGCLASS) AS OID), c.ordinal_position) AS "field-comment",
  (column_default IS NULL OR LOWER(column_default) = 'null') AND is_nullable = 'NO' AND NOT (column_default IS NOT NULL AND column_default LIKE '%nextval(%') AND is_identity = 'NO' AS "database-required", column_default LIKE '%nextval(%' OR is_identity <> 'NO' AS "database-is-auto-increment"
FROM information_schema.columns AS c LEFT JOIN (SELECT tc.table_schema, tc.table_name, kc.column_name FROM information_schema.table_constraints AS tc INNER JOIN information_schema.key_column_usage AS kc ON tc.constraint_name = kc.constraint_name AND tc.table_schema = kc.table_schema AND tc.table_name = kc.table_name
  WHERE tc.constraint_type = 'PRIMARY KEY') AS pk ON c.table_schema = pk.table_schema AND c.table_name = pk.table_name AND c.column_name = pk.column_name WHERE c.table_schema !~ '^information_schema|catalog_history|pg_' AND c.table_schema IN ('public') ORDER BY "table-schema", "table-name", "database-position"
;
-- name: Metabase: foreign keys
-- columns: ["fk-table-schema", "fk-table-name", "fk-column-name", "pk-table-schema", "pk-table-name", "pk-column-name"]
SELECT fk_ns.nspname AS "fk-table-schema", fk_table.relname AS "fk-table-name", fk_column.attname AS "fk-column-name", pk_ns.nspname AS "pk-table-schema", pk_table.relname AS "pk-table-name", pk_column.attname AS "pk-column-name" FROM pg_constraint AS c INNER JOIN pg_class AS fk_table ON c.conrelid = fk_table.oid
INNER JOIN pg_namespace AS fk_ns ON c.connamespace = fk_ns.oid INNER JOIN pg_attribute AS fk_column ON c.conrelid = fk_column.attrelid INNER JOIN pg_class AS pk_table ON c.confrelid = pk_table.oid INNER JOIN pg_namespace AS pk_ns ON pk_table.relnamespace = pk_ns.oid INNER JOIN pg_attribute AS pk_column ON c.confrelid = pk_column.attrelid
WHERE fk_ns.nspname !~ '^information_schema|catalog_history|pg_' AND c.contype = 'f'::"char" AND fk_column.attnum = ANY (c.conkey) AND pk_column.attnum = ANY (c.confkey) ORDER BY "fk-table-schema", "fk-table-name"
;
-- name: Metabase: indexes
-- columns: ["table_schema", "table_name", "ci_oid", "pos", "field_name"]
SELECT tmp.*, trim(BOTH '"' FROM pg_catalog.pg_get_indexdef(tmp.ci_oid, tmp.pos, false)) AS field_name FROM (SELECT n.nspname AS table_schema, ct.relname AS table_name, ci.oid AS ci_oid, (information_schema._pg_expandarray(i.indkey)).n AS pos FROM pg_catalog.pg_class AS ct JOIN pg_catalog.pg_namespace AS n ON ct.relnamespace = n.oid
  JOIN pg_catalog.pg_index AS i ON ct.oid = i.indrelid JOIN pg_catalog.pg_class AS ci ON ci.oid = i.indexrelid WHERE pg_catalog.pg_get_expr(i.indpred, i.indrelid) IS NULL AND n.nspname !~ '^information_schema|pg_') AS tmp WHERE tmp.pos = 1
;
-- name: Metabase: enums
-- columns: ["nspname", "typname"]
SELECT nspname, typname FROM pg_type AS t JOIN pg_namespace AS n ON n.oid = t.typnamespace WHERE t.oid IN (SELECT DISTINCT enumtypid FROM pg_enum)
;
-- name: Metabase: a day in the zone of a report
-- columns: ["placed", "count"]
SELECT date_trunc('month', CAST(placed AS TIMESTAMP)) AS placed, count(*) AS count FROM public.orders GROUP BY date_trunc('month', CAST(placed AS TIMESTAMP)) ORDER BY 1 LIMIT 2000
;
-- name: Metabase: reads only
-- columns: []
SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY
;
-- name: Grafana: version
-- columns: ["version"]
SELECT current_setting('server_version_num')::int / 100 AS version
;
-- name: Grafana: tables of the path of schemas
-- columns: ["table"]
SELECT CASE WHEN quote_ident(table_schema) IN (SELECT CASE WHEN trim(s[i]) = '"$user"' THEN user ELSE trim(s[i]) END FROM generate_series(array_lower(string_to_array(current_setting('search_path'), ','), 1), array_upper(string_to_array(current_setting('search_path'), ','), 1)) AS i,
    string_to_array(current_setting('search_path'), ',') AS s) THEN quote_ident(table_name) ELSE quote_ident(table_schema) || '.' || quote_ident(table_name) END AS "table"
FROM information_schema.tables WHERE quote_ident(table_schema) NOT IN ('information_schema', 'pg_catalog', '_timescaledb_cache', '_timescaledb_catalog') ORDER BY 1
;
-- name: Grafana: columns of a table
-- columns: ["column", "type"]
SELECT quote_ident(column_name) AS "column", data_type AS "type" FROM information_schema.columns WHERE CASE WHEN array_length(parse_ident('public.orders'), 1) = 2 THEN quote_ident(table_schema) = (parse_ident('public.orders'))[1] AND quote_ident(table_name) = (parse_ident('public.orders'))[2]
  ELSE quote_ident(table_name) = 'public.orders' END
;
-- name: Grafana: a series
-- columns: ["time", "value"]
SELECT floor(extract(epoch FROM placed) / 300) * 300 AS "time", avg(total) AS value FROM orders WHERE placed BETWEEN '2026-01-01T00:00:00Z' AND '2026-02-01T00:00:00Z' GROUP BY 1 ORDER BY 1
;
-- name: Grafana: extensions
-- columns: ["extversion"]
SELECT extversion FROM pg_extension WHERE extname = 'timescaledb'
;
-- name: pgAdmin: settings of the session
-- columns: ["set_config"]
SELECT set_config('bytea_output', 'hex', false) FROM pg_show_all_settings() WHERE name = 'bytea_output'
;
-- name: pgAdmin: the database
-- columns: ["did", "datname", "datallowconn", "serverencoding", "cancreate", "datistemplate"]
SELECT db.oid AS did, db.datname, db.datallowconn, pg_encoding_to_char(db.encoding) AS serverencoding, has_database_privilege(db.oid, 'CREATE') AS cancreate, datistemplate FROM pg_catalog.pg_database AS db WHERE db.datname = current_database()
;
-- name: pgAdmin: the role
-- columns: ["id", "name", "is_superuser", "can_create_role", "can_create_db", "can_signal_backend"]
SELECT roles.oid AS id, roles.rolname AS name, roles.rolsuper AS is_superuser, CASE WHEN roles.rolsuper THEN true ELSE roles.rolcreaterole END AS can_create_role, CASE WHEN roles.rolsuper THEN true ELSE roles.rolcreatedb END AS can_create_db, CASE WHEN 'pg_signal_backend' = ANY (ARRAY(WITH RECURSIVE cte AS (
    SELECT pg_roles.oid, pg_roles.rolname FROM pg_roles WHERE pg_roles.oid = roles.oid UNION ALL SELECT m.roleid, pgr.rolname FROM cte AS c JOIN pg_auth_members AS m ON m.member = c.oid JOIN pg_roles AS pgr ON pgr.oid = m.roleid) SELECT rolname FROM cte)) THEN true ELSE false END AS can_signal_backend
FROM pg_catalog.pg_roles AS roles WHERE rolname = current_user
;
-- name: pgAdmin: the dashboard
-- columns: ["chart_name", "total", "active", "commits"]
SELECT 'session_stats' AS chart_name, (SELECT count(*) FROM pg_catalog.pg_stat_activity WHERE datname = current_database()) AS total, (SELECT count(*) FROM pg_catalog.pg_stat_activity WHERE state = 'active') AS active, (SELECT sum(xact_commit) FROM pg_catalog.pg_stat_database) AS commits
;
-- name: pgAdmin: schemas
-- columns: ["oid", "name", "can_create", "has_usage", "description"]
SELECT nsp.oid, nsp.nspname AS name, has_schema_privilege(nsp.oid, 'CREATE') AS can_create, has_schema_privilege(nsp.oid, 'USAGE') AS has_usage, des.description FROM pg_catalog.pg_namespace AS nsp LEFT OUTER JOIN pg_catalog.pg_description AS des ON (des.objoid = nsp.oid AND des.classoid = 'pg_namespace'::regclass)
WHERE nspname NOT LIKE 'pg\_%' ORDER BY nspname
;
-- name: pgAdmin: tables
-- columns: ["oid", "name", "triggercount", "is_inherits", "description"]
SELECT rel.oid, rel.relname AS name, (SELECT count(*) FROM pg_catalog.pg_trigger WHERE tgrelid = rel.oid AND tgisinternal = false) AS triggercount, (SELECT count(1) FROM pg_catalog.pg_inherits WHERE inhrelid = rel.oid LIMIT 1) AS is_inherits, des.description FROM pg_catalog.pg_class AS rel
LEFT OUTER JOIN pg_catalog.pg_description AS des ON (des.objoid = rel.oid AND des.objsubid = 0 AND des.classoid = 'pg_class'::regclass) WHERE rel.relkind IN ('r', 's', 't', 'p') AND NOT rel.relispartition ORDER BY rel.relname
;
-- name: pgcli: relations that complete
-- columns: ["schema_name", "table_name"]
SELECT n.nspname AS schema_name, c.relname AS table_name FROM pg_catalog.pg_class AS c LEFT JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace WHERE c.relkind = ANY ('{r,p,f}') ORDER BY 1, 2
;
-- name: pgcli: columns that complete
-- columns: ["schema_name", "table_name", "column_name", "type_name", "has_default", "default"]
SELECT nsp.nspname AS schema_name, cls.relname AS table_name, att.attname AS column_name, att.atttypid::regtype::text AS type_name, att.atthasdef AS has_default, pg_catalog.pg_get_expr(def.adbin, def.adrelid, true) AS "default" FROM pg_catalog.pg_attribute AS att INNER JOIN pg_catalog.pg_class AS cls ON att.attrelid = cls.oid
INNER JOIN pg_catalog.pg_namespace AS nsp ON cls.relnamespace = nsp.oid LEFT OUTER JOIN pg_attrdef AS def ON def.adrelid = att.attrelid AND def.adnum = att.attnum WHERE cls.relkind = ANY ('{r,p,f}') AND NOT att.attisdropped AND att.attnum > 0 ORDER BY 1, 2, att.attnum
;
-- name: pgcli: functions that complete
-- columns: ["schema_name", "func_name", "proargnames", "coalesce", "proargmodes", "return_type", "is_aggregate", "is_window", "is_set_returning", "is_extension", "arg_defaults"]
SELECT n.nspname AS schema_name, p.proname AS func_name, p.proargnames, COALESCE(proallargtypes::regtype[], proargtypes::regtype[])::text[], p.proargmodes, prorettype::regtype::text AS return_type, p.prokind = 'a' AS is_aggregate, p.prokind = 'w' AS is_window, p.proretset AS is_set_returning, d.deptype = 'e' AS is_extension,
  pg_get_expr(proargdefaults, 0) AS arg_defaults FROM pg_catalog.pg_proc AS p INNER JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace LEFT JOIN pg_depend AS d ON d.objid = p.oid AND d.deptype = 'e' WHERE p.prorettype::regtype <> 'trigger'::regtype ORDER BY 1, 2
;
-- name: pgcli: types that complete
-- columns: ["schema_name", "type_name"]
SELECT n.nspname AS schema_name, t.typname AS type_name FROM pg_catalog.pg_type AS t INNER JOIN pg_catalog.pg_namespace AS n ON n.oid = t.typnamespace WHERE (t.typrelid = 0 OR (SELECT c.relkind = 'c' FROM pg_catalog.pg_class AS c WHERE c.oid = t.typrelid))
  AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_type AS el WHERE el.oid = t.typelem AND el.typarray = t.oid) AND n.nspname <> 'pg_catalog' AND n.nspname <> 'information_schema' ORDER BY 1, 2
;
-- name: pgcli: foreign keys that complete joins
-- columns: ["parentschema", "parenttable", "parentcolumn", "childschema", "childtable", "childcolumn"]
SELECT s_p.nspname AS parentschema, t_p.relname AS parenttable, unnest((SELECT array_agg(attname ORDER BY i) FROM (SELECT unnest(confkey) AS attnum, generate_subscripts(confkey, 1) AS i) AS x JOIN pg_catalog.pg_attribute AS c USING (attnum) WHERE c.attrelid = fk.confrelid)) AS parentcolumn, s_c.nspname AS childschema, t_c.relname AS childtable,
  unnest((SELECT array_agg(attname ORDER BY i) FROM (SELECT unnest(conkey) AS attnum, generate_subscripts(conkey, 1) AS i) AS x JOIN pg_catalog.pg_attribute AS c USING (attnum) WHERE c.attrelid = fk.conrelid)) AS childcolumn
FROM pg_catalog.pg_constraint AS fk JOIN pg_catalog.pg_class AS t_p ON t_p.oid = fk.confrelid JOIN pg_catalog.pg_namespace AS s_p ON s_p.oid = t_p.relnamespace JOIN pg_catalog.pg_class AS t_c ON t_c.oid = fk.conrelid JOIN pg_catalog.pg_namespace AS s_c ON s_c.oid = t_c.relnamespace WHERE fk.contype = 'f'
;
-- name: pgcli: databases that complete
-- columns: ["datname"]
SELECT d.datname FROM pg_catalog.pg_database AS d ORDER BY 1
;
-- name: pgcli: the path of schemas
-- columns: ["unnest"]
SELECT * FROM unnest(current_schemas(true))
;
-- name: pgcli: casing of names
-- columns: ["quote_ident"]
SELECT DISTINCT quote_ident(nspname) FROM pg_catalog.pg_namespace
;
-- name: dbt: relations of a schema
-- columns: ["database", "name", "schema", "type"]
SELECT 'memory' AS database, tablename AS name, schemaname AS schema, 'table' AS type FROM pg_tables WHERE schemaname ILIKE 'public' UNION ALL SELECT 'memory' AS database, viewname AS name, schemaname AS schema, 'view' AS type FROM pg_views WHERE schemaname ILIKE 'public'
UNION ALL SELECT 'memory' AS database, matviewname AS name, schemaname AS schema, 'materialized_view' AS type FROM pg_matviews WHERE schemaname ILIKE 'public'
;
-- name: dbt: what depends on what
-- columns: ["referenced_schema", "referenced_name", "dependent_schema", "dependent_name"]
WITH relation AS (SELECT pg_rewrite.ev_class AS class, pg_rewrite.oid AS id FROM pg_rewrite), class AS (SELECT oid AS id, relname AS name, relnamespace AS schema, relkind AS kind FROM pg_class),
  dependency AS (SELECT DISTINCT pg_depend.objid AS id, pg_depend.refobjid AS ref FROM pg_depend), schema AS (SELECT pg_namespace.oid AS id, pg_namespace.nspname AS name FROM pg_namespace WHERE nspname <> 'information_schema' AND nspname NOT LIKE 'pg\_%'),
  referenced AS (SELECT relation.id AS id, referenced_class.name, referenced_class.schema, referenced_class.kind FROM relation JOIN class AS referenced_class ON relation.class = referenced_class.id WHERE referenced_class.kind IN ('r', 'v', 'm')),
  relationships AS (SELECT referenced.name AS referenced_name, referenced.schema AS referenced_schema_id, dependent_class.name AS dependent_name, dependent_class.schema AS dependent_schema_id, referenced.kind AS kind FROM referenced JOIN dependency ON referenced.id = dependency.id
    JOIN class AS dependent_class ON dependency.ref = dependent_class.id WHERE (referenced.name <> dependent_class.name OR referenced.schema <> dependent_class.schema))
SELECT referenced_schema.name AS referenced_schema, relationships.referenced_name AS referenced_name, dependent_schema.name AS dependent_schema, relationships.dependent_name AS dependent_name FROM relationships JOIN schema AS dependent_schema ON relationships.dependent_schema_id = dependent_schema.id
JOIN schema AS referenced_schema ON relationships.referenced_schema_id = referenced_schema.id GROUP BY referenced_schema, referenced_name, dependent_schema, dependent_name ORDER BY referenced_schema, referenced_name, dependent_schema, dependent_name
;
-- name: dbt: columns of a relation
-- columns: ["column_name", "data_type", "character_maximum_length", "numeric_precision", "numeric_scale"]
SELECT column_name, data_type, character_maximum_length, numeric_precision, numeric_scale FROM information_schema.columns WHERE table_name = 'orders' AND table_schema = 'public' ORDER BY ordinal_position
;
-- name: dbt: the catalog for documents
-- columns: ["table_database", "table_schema", "table_name", "table_type", "table_comment", "column_name", "column_index", "column_type", "column_comment", "table_owner"]
SELECT 'memory' AS table_database, sch.nspname AS table_schema, tbl.relname AS table_name, CASE tbl.relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' ELSE 'BASE TABLE' END AS table_type, tbl_desc.description AS table_comment, col.attname AS column_name, col.attnum AS column_index,
  pg_catalog.format_type(col.atttypid, col.atttypmod) AS column_type, col_desc.description AS column_comment, pg_get_userbyid(tbl.relowner) AS table_owner FROM pg_catalog.pg_namespace AS sch JOIN pg_catalog.pg_class AS tbl ON tbl.relnamespace = sch.oid JOIN pg_catalog.pg_attribute AS col ON col.attrelid = tbl.oid
LEFT OUTER JOIN pg_catalog.pg_description AS tbl_desc ON (tbl_desc.objoid = tbl.oid AND tbl_desc.objsubid = 0) LEFT OUTER JOIN pg_catalog.pg_description AS col_desc ON (col_desc.objoid = tbl.oid AND col_desc.objsubid = col.attnum)
WHERE NOT pg_is_other_temp_schema(sch.oid) AND tbl.relpersistence IN ('p', 'u') AND tbl.relkind IN ('r', 'v', 'f', 'p', 'm') AND col.attnum > 0 AND NOT col.attisdropped ORDER BY sch.nspname, tbl.relname, col.attnum
;
-- name: dbt: indexes of a materialized view
-- columns: ["name", "method", "unique", "column_names"]
SELECT i.relname AS name, m.amname AS method, ix.indisunique AS "unique", array_to_string(array_agg(a.attname), ',') AS column_names FROM pg_index AS ix JOIN pg_class AS i ON i.oid = ix.indexrelid JOIN pg_am AS m ON m.oid = i.relam JOIN pg_class AS t ON t.oid = ix.indrelid
JOIN pg_namespace AS n ON n.oid = t.relnamespace JOIN pg_attribute AS a ON a.attrelid = t.oid AND a.attnum = ANY (ix.indkey) WHERE t.relname = 'orders' AND t.relkind IN ('r', 'm') GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
;
-- name: dbt: schemas
-- columns: ["nspname"]
SELECT DISTINCT nspname FROM pg_namespace
;
-- name: dbt: whether there is a schema
-- columns: ["count"]
SELECT count(*) FROM pg_namespace WHERE nspname = 'public'
;
-- name: dbt: grants
-- columns: ["grantee", "privilege_type"]
SELECT grantee, privilege_type FROM information_schema.role_table_grants WHERE grantor = current_role AND grantee <> current_role AND table_schema = 'public' AND table_name = 'orders'
;
-- name: dbt: connection
-- columns: []
SET statement_timeout = 0
;
