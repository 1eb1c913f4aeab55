-- name: connect: digits of floats
-- columns: []
SET extra_float_digits = 3
;
-- name: connect: name of the program
-- columns: []
SET application_name = 'PostgreSQL JDBC Driver'
;
-- name: connection: isolation level
-- columns: ["transaction_isolation"]
SHOW TRANSACTION ISOLATION LEVEL
;
-- name: connection: transactions are serializable
-- columns: []
SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL SERIALIZABLE
;
-- name: connection: transactions may write
-- columns: []
SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE
;
-- name: connection: schema
-- columns: ["current_schema"]
SELECT current_schema()
;
-- name: connection: the path of schemas
-- columns: []
SET SESSION search_path TO 'public'
;
-- name: connection: another name for the program
-- columns: []
SET application_name TO 'report'
;
-- name: connection: longest statement
-- columns: []
SET statement_timeout TO 60000
;
-- name: types: the number of a type by its name, within the path of schemas
-- columns: ["is_array", "typtype", "typname", "oid"]
SELECT typinput = 'pg_catalog.array_in'::regproc AS is_array, typtype, typname, pg_type.oid FROM pg_catalog.pg_type LEFT JOIN (SELECT ns.oid AS nspoid, ns.nspname, r.r FROM pg_namespace AS ns
  JOIN (SELECT s.r, (current_schemas(false))[s.r] AS nspname FROM generate_series(1, array_upper(current_schemas(false), 1)) AS s(r)) AS r USING (nspname)) AS sp ON sp.nspoid = typnamespace WHERE typname = $1 ORDER BY sp.r, pg_type.oid DESC LIMIT 1
;
-- name: types: the number of a type by its schema and name
-- columns: ["?column?", "typtype", "typname", "oid"]
SELECT typinput = 'array_in'::regproc, typtype, typname, t.oid FROM pg_type AS t JOIN pg_namespace AS n ON t.typnamespace = n.oid WHERE n.nspname = $1 AND typname = $2
;
-- name: types: a name by its number
-- columns: ["?column?", "nspname", "typname"]
SELECT n.nspname = ANY (current_schemas(true)), n.nspname, t.typname FROM pg_catalog.pg_type AS t JOIN pg_catalog.pg_namespace AS n ON t.typnamespace = n.oid WHERE t.oid = $1
;
-- name: types: the element of an array
-- columns: ["oid", "?column?", "nspname", "typname"]
SELECT e.oid, n.nspname = ANY (current_schemas(true)), n.nspname, e.typname FROM pg_catalog.pg_type AS t JOIN pg_catalog.pg_type AS e ON t.typelem = e.oid JOIN pg_catalog.pg_namespace AS n ON t.typnamespace = n.oid WHERE t.oid = $1
;
-- name: types: the array of an element
-- columns: ["typdelim"]
SELECT e.typdelim FROM pg_catalog.pg_type AS t, pg_catalog.pg_type AS e WHERE t.oid = $1 AND t.typelem = e.oid
;
-- name: types: the arrays that have no type of Java yet
-- columns: ["oid", "typname"]
SELECT t.oid, t.typname FROM pg_catalog.pg_type AS t WHERE typelem = (SELECT oid FROM pg_catalog.pg_type WHERE typname = $1)
;
-- name: metadata: words of PostgreSQL beyond SQL:2003
-- columns: ["string_agg"]
SELECT string_agg(word, ',') FROM pg_catalog.pg_get_keywords() WHERE word <> ALL ('{a,abs,absolute,action,add,all,alter,and,any,as,asc,between,by,case,cast,check,column,commit,create,cross,delete,desc,distinct,drop,else,end,from,group,having,in,insert,into,join,like,not,null,or,order,select,set,table,then,union,update,values,when,where,with}'::text[])
;
-- name: metadata: the most keys of an index
-- columns: ["setting"]
SELECT setting FROM pg_catalog.pg_settings WHERE name = 'max_index_keys'
;
-- name: metadata: the longest name
-- columns: ["typlen"]
SELECT t.typlen FROM pg_catalog.pg_type AS t, pg_catalog.pg_namespace AS n WHERE t.typnamespace = n.oid AND t.typname = 'name' AND n.nspname = 'pg_catalog'
;
-- name: metadata: tables
-- columns: ["TABLE_CAT", "TABLE_SCHEM", "TABLE_NAME", "TABLE_TYPE", "REMARKS", "TYPE_CAT", "TYPE_SCHEM", "TYPE_NAME", "SELF_REFERENCING_COL_NAME", "REF_GENERATION"]
SELECT current_database() AS "TABLE_CAT", n.nspname AS "TABLE_SCHEM", c.relname AS "TABLE_NAME", CASE n.nspname ~ '^pg_' OR n.nspname = 'information_schema' WHEN true THEN CASE WHEN n.nspname = 'pg_catalog' OR n.nspname = 'information_schema'
    THEN CASE c.relkind WHEN 'r' THEN 'SYSTEM TABLE' WHEN 'v' THEN 'SYSTEM VIEW' WHEN 'i' THEN 'SYSTEM INDEX' ELSE NULL END WHEN n.nspname = 'pg_toast' THEN CASE c.relkind WHEN 'r' THEN 'SYSTEM TOAST TABLE' WHEN 'i' THEN 'SYSTEM TOAST INDEX' ELSE NULL END
    ELSE CASE c.relkind WHEN 'r' THEN 'TEMPORARY TABLE' WHEN 'p' THEN 'TEMPORARY TABLE' WHEN 'i' THEN 'TEMPORARY INDEX' WHEN 'S' THEN 'TEMPORARY SEQUENCE' WHEN 'v' THEN 'TEMPORARY VIEW' ELSE NULL END END
  WHEN false THEN CASE c.relkind WHEN 'r' THEN 'TABLE' WHEN 'p' THEN 'PARTITIONED TABLE' WHEN 'i' THEN 'INDEX' WHEN 'S' THEN 'SEQUENCE' WHEN 'v' THEN 'VIEW' WHEN 'c' THEN 'TYPE' WHEN 'f' THEN 'FOREIGN TABLE' WHEN 'm' THEN 'MATERIALIZED VIEW' ELSE NULL END
  ELSE NULL END AS "TABLE_TYPE", d.description AS "REMARKS", '' AS "TYPE_CAT", '' AS "TYPE_SCHEM", '' AS "TYPE_NAME", '' AS "SELF_REFERENCING_COL_NAME", '' AS "REF_GENERATION"
FROM pg_catalog.pg_namespace AS n, pg_catalog.pg_class AS c LEFT JOIN pg_catalog.pg_description AS d ON (c.oid = d.objoid AND d.objsubid = 0 AND d.classoid = 'pg_class'::regclass)
WHERE c.relnamespace = n.oid AND n.nspname LIKE 'public' AND (false OR (c.relkind = 'r' AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema')) ORDER BY "TABLE_TYPE", "TABLE_SCHEM", "TABLE_NAME"
;
-- name: metadata: schemas
-- columns: ["TABLE_SCHEM", "TABLE_CATALOG"]
SELECT nspname AS "TABLE_SCHEM", current_database() AS "TABLE_CATALOG" FROM pg_catalog.pg_namespace WHERE nspname <> 'pg_toast' AND (nspname !~ '^pg_temp_' OR nspname = (pg_catalog.current_schemas(true))[1])
  AND (nspname !~ '^pg_toast_temp_' OR nspname = replace((pg_catalog.current_schemas(true))[1], 'pg_temp_', 'pg_toast_temp_')) ORDER BY "TABLE_SCHEM"
;
-- name: metadata: catalogs
-- columns: ["TABLE_CAT"]
SELECT datname AS "TABLE_CAT" FROM pg_catalog.pg_database WHERE datallowconn = true ORDER BY datname
;
-- name: metadata: columns
-- columns: ["current_database", "nspname", "relname", "attname", "atttypid", "attnotnull", "atttypmod", "attlen", "typtypmod", "attnum", "attidentity", "attgenerated", "adsrc", "description", "typbasetype", "typtype"]
SELECT * FROM (SELECT current_database() AS current_database, n.nspname, c.relname, a.attname, a.atttypid, a.attnotnull OR (t.typtype = 'd' AND t.typnotnull) AS attnotnull, a.atttypmod, a.attlen, t.typtypmod,
    row_number() OVER (PARTITION BY a.attrelid ORDER BY a.attnum) AS attnum, nullif(a.attidentity, '') AS attidentity, nullif(a.attgenerated, '') AS attgenerated, pg_catalog.pg_get_expr(def.adbin, def.adrelid) AS adsrc, dsc.description, t.typbasetype, t.typtype
  FROM pg_catalog.pg_namespace AS n JOIN pg_catalog.pg_class AS c ON (c.relnamespace = n.oid) JOIN pg_catalog.pg_attribute AS a ON (a.attrelid = c.oid) JOIN pg_catalog.pg_type AS t ON (a.atttypid = t.oid)
  LEFT JOIN pg_catalog.pg_attrdef AS def ON (a.attrelid = def.adrelid AND a.attnum = def.adnum) LEFT JOIN pg_catalog.pg_description AS dsc ON (c.oid = dsc.objoid AND a.attnum = dsc.objsubid)
  LEFT JOIN pg_catalog.pg_class AS dc ON (dc.oid = dsc.classoid AND dc.relname = 'pg_class') LEFT JOIN pg_catalog.pg_namespace AS dn ON (dc.relnamespace = dn.oid AND dn.nspname = 'pg_catalog')
  WHERE c.relkind IN ('r', 'p', 'v', 'f', 'm') AND a.attnum > 0 AND NOT a.attisdropped AND c.relname LIKE 'orders') AS c WHERE true AND attname LIKE 'id' ORDER BY nspname, c.relname, attnum
;
-- name: metadata: privileges of columns
-- columns: ["nspname", "relname", "rolname", "relacl", "attacl", "attname"]
SELECT n.nspname, c.relname, r.rolname, c.relacl, a.attacl, a.attname FROM pg_catalog.pg_namespace AS n, pg_catalog.pg_class AS c, pg_catalog.pg_roles AS r, pg_catalog.pg_attribute AS a WHERE c.relnamespace = n.oid AND c.relowner = r.oid AND c.oid = a.attrelid
  AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped AND c.relname = 'orders' ORDER BY attname
;
-- name: metadata: privileges of tables
-- columns: ["nspname", "relname", "rolname", "relacl"]
SELECT n.nspname, c.relname, r.rolname, c.relacl FROM pg_catalog.pg_namespace AS n, pg_catalog.pg_class AS c, pg_catalog.pg_roles AS r WHERE c.relnamespace = n.oid AND c.relowner = r.oid AND c.relkind IN ('r', 'p', 'v', 'm', 'f') ORDER BY nspname, relname
;
-- name: metadata: what identifies a row
-- columns: ["attname", "atttypid", "atttypmod"]
SELECT a.attname, a.atttypid, atttypmod FROM (SELECT ct.conrelid, i.indisprimary, information_schema._pg_expandarray(i.indkey) AS keys FROM pg_catalog.pg_index AS i LEFT JOIN pg_catalog.pg_constraint AS ct ON ct.conindid = i.indexrelid WHERE i.indisprimary) AS i
JOIN pg_catalog.pg_attribute AS a ON (a.attrelid = i.conrelid AND a.attnum = (i.keys).x) ORDER BY a.attnum
;
-- name: metadata: primary keys
-- columns: ["TABLE_CAT", "TABLE_SCHEM", "TABLE_NAME", "COLUMN_NAME", "KEY_SEQ", "PK_NAME"]
SELECT result."TABLE_CAT", result."TABLE_SCHEM", result."TABLE_NAME", result."COLUMN_NAME", result."KEY_SEQ", result."PK_NAME" FROM (SELECT current_database() AS "TABLE_CAT", n.nspname AS "TABLE_SCHEM", ct.relname AS "TABLE_NAME", a.attname AS "COLUMN_NAME",
    (information_schema._pg_expandarray(i.indkey)).n AS "KEY_SEQ", ci.relname AS "PK_NAME", information_schema._pg_expandarray(i.indkey) AS "KEYS", a.attnum AS "A_ATTNUM" FROM pg_catalog.pg_class AS ct JOIN pg_catalog.pg_attribute AS a ON (ct.oid = a.attrelid)
    JOIN pg_catalog.pg_namespace AS n ON (ct.relnamespace = n.oid) JOIN pg_catalog.pg_index AS i ON (a.attrelid = i.indrelid) JOIN pg_catalog.pg_class AS ci ON (ci.oid = i.indexrelid) WHERE true AND ct.relname = 'item' AND i.indisprimary) AS result
WHERE result."A_ATTNUM" = (result."KEYS").x ORDER BY result."TABLE_NAME", result."PK_NAME", result."KEY_SEQ"
;
-- name: metadata: imported and exported keys
-- columns: ["PKTABLE_CAT", "PKTABLE_SCHEM", "PKTABLE_NAME", "PKCOLUMN_NAME", "FKTABLE_CAT", "FKTABLE_SCHEM", "FKTABLE_NAME", "FKCOLUMN_NAME", "KEY_SEQ", "UPDATE_RULE", "DELETE_RULE", "FK_NAME", "PK_NAME", "DEFERRABILITY"]
SELECT current_database() AS "PKTABLE_CAT", pkn.nspname AS "PKTABLE_SCHEM", pkc.relname AS "PKTABLE_NAME", pka.attname AS "PKCOLUMN_NAME", current_database() AS "FKTABLE_CAT", fkn.nspname AS "FKTABLE_SCHEM", fkc.relname AS "FKTABLE_NAME", fka.attname AS "FKCOLUMN_NAME",
  pos.n AS "KEY_SEQ", CASE con.confupdtype WHEN 'c' THEN 0 WHEN 'n' THEN 2 WHEN 'd' THEN 4 WHEN 'r' THEN 1 WHEN 'p' THEN 1 WHEN 'a' THEN 3 ELSE NULL END AS "UPDATE_RULE", CASE con.confdeltype WHEN 'c' THEN 0 WHEN 'n' THEN 2 WHEN 'd' THEN 4 WHEN 'r' THEN 1
    WHEN 'p' THEN 1 WHEN 'a' THEN 3 ELSE NULL END AS "DELETE_RULE", con.conname AS "FK_NAME", pkic.relname AS "PK_NAME", CASE WHEN con.condeferrable AND con.condeferred THEN 5 WHEN con.condeferrable THEN 6 ELSE 7 END AS "DEFERRABILITY"
FROM pg_catalog.pg_namespace AS pkn, pg_catalog.pg_class AS pkc, pg_catalog.pg_attribute AS pka, pg_catalog.pg_namespace AS fkn, pg_catalog.pg_class AS fkc, pg_catalog.pg_attribute AS fka, pg_catalog.pg_constraint AS con, pg_catalog.generate_series(1, 32) AS pos(n), pg_catalog.pg_class AS pkic
WHERE pkn.oid = pkc.relnamespace AND pkc.oid = pka.attrelid AND pka.attnum = con.confkey[pos.n] AND con.confrelid = pkc.oid AND fkn.oid = fkc.relnamespace AND fkc.oid = fka.attrelid AND fka.attnum = con.conkey[pos.n] AND con.conrelid = fkc.oid AND con.contype = 'f'
  AND (pkic.relkind = 'i' OR pkic.relkind = 'I') AND pkic.oid = con.conindid AND fkc.relname = 'orders' ORDER BY pkn.nspname, pkc.relname, con.conname, pos.n
;
-- name: metadata: kinds of types
-- columns: ["typname", "oid"]
SELECT t.typname, t.oid FROM pg_catalog.pg_type AS t JOIN pg_catalog.pg_namespace AS n ON (t.typnamespace = n.oid) WHERE n.nspname <> 'pg_toast' AND (t.typrelid = 0 OR (SELECT c.relkind = 'c' FROM pg_catalog.pg_class AS c WHERE c.oid = t.typrelid))
;
-- name: metadata: indexes
-- columns: ["TABLE_CAT", "TABLE_SCHEM", "TABLE_NAME", "NON_UNIQUE", "INDEX_QUALIFIER", "INDEX_NAME", "TYPE", "ORDINAL_POSITION", "COLUMN_NAME", "ASC_OR_DESC", "CARDINALITY", "PAGES", "FILTER_CONDITION"]
SELECT tmp."TABLE_CAT", tmp."TABLE_SCHEM", tmp."TABLE_NAME", tmp."NON_UNIQUE", tmp."INDEX_QUALIFIER", tmp."INDEX_NAME", tmp."TYPE", tmp."ORDINAL_POSITION", trim(BOTH '"' FROM pg_catalog.pg_get_indexdef(tmp."CI_OID", tmp."ORDINAL_POSITION", false)) AS "COLUMN_NAME",
  CASE tmp."AM_NAME" WHEN 'btree' THEN CASE tmp."I_INDOPTION"[tmp."ORDINAL_POSITION" - 1] & 1::smallint WHEN 1 THEN 'D' ELSE 'A' END ELSE NULL END AS "ASC_OR_DESC", tmp."CARDINALITY", tmp."PAGES", tmp."FILTER_CONDITION"
FROM (SELECT current_database() AS "TABLE_CAT", n.nspname AS "TABLE_SCHEM", ct.relname AS "TABLE_NAME", NOT i.indisunique AS "NON_UNIQUE", NULL AS "INDEX_QUALIFIER", ci.relname AS "INDEX_NAME", CASE i.indisclustered WHEN true THEN 1 ELSE CASE am.amname WHEN 'hash' THEN 2 ELSE 3 END END AS "TYPE",
    (information_schema._pg_expandarray(i.indkey)).n AS "ORDINAL_POSITION", ci.reltuples AS "CARDINALITY", ci.relpages AS "PAGES", pg_catalog.pg_get_expr(i.indpred, i.indrelid) AS "FILTER_CONDITION", ci.oid AS "CI_OID", i.indoption AS "I_INDOPTION", am.amname AS "AM_NAME"
    FROM pg_catalog.pg_class AS ct JOIN pg_catalog.pg_namespace AS n ON (ct.relnamespace = n.oid) JOIN pg_catalog.pg_index AS i ON (ct.oid = i.indrelid) JOIN pg_catalog.pg_class AS ci ON (ci.oid = i.indexrelid) JOIN pg_catalog.pg_am AS am ON (ci.relam = am.oid)
    WHERE true AND ct.relname = 'orders') AS tmp ORDER BY "NON_UNIQUE", "TYPE", "INDEX_NAME", "ORDINAL_POSITION"
;
-- name: metadata: functions
-- columns: ["FUNCTION_CAT", "FUNCTION_SCHEM", "FUNCTION_NAME", "REMARKS", "FUNCTION_TYPE", "SPECIFIC_NAME"]
SELECT current_database() AS "FUNCTION_CAT", n.nspname AS "FUNCTION_SCHEM", p.proname AS "FUNCTION_NAME", d.description AS "REMARKS", CASE WHEN (format_type(p.prorettype, NULL) = 'unknown') THEN 0 WHEN (substring(pg_get_function_result(p.oid) FROM 0 FOR 6) = 'TABLE')
    OR (substring(pg_get_function_result(p.oid) FROM 0 FOR 6) = 'SETOF') THEN 2 ELSE 1 END AS "FUNCTION_TYPE", p.proname || '_' || p.oid AS "SPECIFIC_NAME"
FROM pg_catalog.pg_proc AS p INNER JOIN pg_catalog.pg_namespace AS n ON p.pronamespace = n.oid LEFT JOIN pg_catalog.pg_description AS d ON p.oid = d.objoid WHERE true AND p.prokind = 'f' AND p.proname LIKE 'add_one' ORDER BY "FUNCTION_SCHEM", "FUNCTION_NAME", p.oid::text
;
-- name: metadata: procedures
-- columns: ["PROCEDURE_CAT", "PROCEDURE_SCHEM", "PROCEDURE_NAME", "?column?", "?column?", "?column?", "REMARKS", "PROCEDURE_TYPE", "SPECIFIC_NAME"]
SELECT NULL AS "PROCEDURE_CAT", n.nspname AS "PROCEDURE_SCHEM", p.proname AS "PROCEDURE_NAME", NULL, NULL, NULL, d.description AS "REMARKS", 2 AS "PROCEDURE_TYPE", p.proname || '_' || p.oid AS "SPECIFIC_NAME"
FROM pg_catalog.pg_namespace AS n, pg_catalog.pg_proc AS p LEFT JOIN pg_catalog.pg_description AS d ON (p.oid = d.objoid) LEFT JOIN pg_catalog.pg_class AS c ON (d.classoid = c.oid AND c.relname = 'pg_proc') LEFT JOIN pg_catalog.pg_namespace AS pn ON (c.relnamespace = pn.oid AND pn.nspname = 'pg_catalog')
WHERE p.pronamespace = n.oid AND p.prokind = 'p' ORDER BY "PROCEDURE_SCHEM", "PROCEDURE_NAME", p.oid::text
;
-- name: metadata: arguments of functions
-- columns: ["nspname", "proname", "prorettype", "proargtypes", "typtype", "typrelid", "proargnames", "proargmodes", "proallargtypes", "oid"]
SELECT n.nspname, p.proname, p.prorettype, p.proargtypes, t.typtype, t.typrelid, p.proargnames, p.proargmodes, p.proallargtypes, p.oid FROM pg_catalog.pg_proc AS p, pg_catalog.pg_namespace AS n, pg_catalog.pg_type AS t
WHERE p.pronamespace = n.oid AND p.prorettype = t.oid AND n.nspname LIKE 'public' ORDER BY n.nspname, p.proname, p.oid::text
;
-- name: metadata: fields of composite types
-- columns: ["attname", "atttypid"]
SELECT a.attname, a.atttypid FROM pg_catalog.pg_attribute AS a WHERE a.attrelid = 0 AND a.attnum > 0 ORDER BY a.attnum
;
-- name: metadata: types of users
-- columns: ["type_cat", "type_schem", "type_name", "class_name", "data_type", "remarks", "base_type"]
SELECT NULL AS type_cat, n.nspname AS type_schem, t.typname AS type_name, NULL AS class_name, CASE WHEN t.typtype = 'c' THEN 2002 ELSE 2001 END AS data_type, pg_catalog.obj_description(t.oid, 'pg_type') AS remarks,
  CASE WHEN t.typtype = 'd' THEN (SELECT CASE WHEN t.typbasetype = 1700 THEN 2 ELSE 1111 END) ELSE NULL END AS base_type FROM pg_catalog.pg_type AS t, pg_catalog.pg_namespace AS n WHERE t.typnamespace = n.oid AND n.nspname <> 'pg_catalog' AND n.nspname <> 'pg_toast'
  AND t.typtype IN ('c', 'd') ORDER BY data_type, type_schem, type_name
;
-- name: metadata: properties of clients
-- columns: ["name", "setting", "short_desc"]
SELECT name, setting, short_desc FROM pg_catalog.pg_settings WHERE name IN ('application_name', 'server_version_num') ORDER BY name
;
-- name: metadata: time functions of the server
-- columns: ["current_timestamp", "localtime", "current_date"]
SELECT current_timestamp, localtime, current_date
;
-- name: rows: names and tables of columns
-- columns: ["oid", "attnum", "attname", "relname", "nspname", "?column?", "?column?"]
SELECT c.oid, a.attnum, a.attname, c.relname, n.nspname, a.attnotnull OR (t.typtype = 'd' AND t.typnotnull), a.attidentity <> '' OR pg_catalog.pg_get_expr(d.adbin, d.adrelid) LIKE '%nextval(%'
FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON (c.relnamespace = n.oid) JOIN pg_catalog.pg_attribute AS a ON (c.oid = a.attrelid) JOIN pg_catalog.pg_type AS t ON (a.atttypid = t.oid) LEFT JOIN pg_catalog.pg_attrdef AS d ON (d.adrelid = a.attrelid AND d.adnum = a.attnum)
JOIN (SELECT 'orders'::regclass::oid AS oid, 1 AS attnum UNION ALL SELECT 'orders'::regclass::oid, 2) AS vals ON (c.oid = vals.oid AND a.attnum = vals.attnum)
;
-- name: rows: generated keys
-- columns: ["id", "name", "born", "feeling"]
INSERT INTO customer (name) VALUES ($1) RETURNING *
;
-- name: rows: which keys make results updatable
-- columns: ["KEY_SEQ", "COLUMN_NAME", "IS_NOT_NULL", "INDISPRIMARY"]
SELECT result."KEY_SEQ", result."COLUMN_NAME", result."IS_NOT_NULL", result."INDISPRIMARY" FROM (SELECT (information_schema._pg_expandarray(i.indkey)).n AS "KEY_SEQ", a.attname AS "COLUMN_NAME", a.attnotnull AS "IS_NOT_NULL", i.indisprimary AS "INDISPRIMARY",
    information_schema._pg_expandarray(i.indkey) AS keys, a.attnum FROM pg_catalog.pg_class AS ct JOIN pg_catalog.pg_attribute AS a ON (ct.oid = a.attrelid) JOIN pg_catalog.pg_index AS i ON (a.attrelid = i.indrelid) WHERE ct.relname = 'orders' AND i.indisunique) AS result
WHERE result.attnum = (result.keys).x
;
-- name: large objects that are not there
-- columns: ["proname", "oid"]
SELECT p.proname, p.oid FROM pg_catalog.pg_proc AS p, pg_catalog.pg_namespace AS n WHERE p.pronamespace = n.oid AND n.nspname = 'pg_catalog' AND (proname = 'lo_open' OR proname = 'lo_close' OR proname = 'lo_creat' OR proname = 'lo_unlink')
;
-- name: transactions in two phases
-- columns: ["gid"]
SELECT gid FROM pg_prepared_xacts WHERE database = current_database()
;
