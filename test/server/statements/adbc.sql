-- name: version
-- columns: ["version"]
SELECT version()
;
-- name: types with the functions of their binary form
-- columns: ["oid", "typname", "typreceive", "typbasetype", "typrelid", "typarray"]
SELECT oid, typname, typreceive, typbasetype, typrelid, typarray FROM pg_catalog.pg_type WHERE (typreceive <> 0 OR typsend <> 0) AND typtype <> 'r' AND typreceive::TEXT <> 'array_recv' ORDER BY oid
;
-- name: columns of all relations
-- columns: ["attrelid", "attname", "atttypid"]
SELECT attrelid, attname, atttypid FROM pg_catalog.pg_attribute ORDER BY attrelid, attnum
;
-- name: catalogs
-- columns: ["datname"]
SELECT datname FROM pg_catalog.pg_database WHERE datname = $1
;
-- name: schemas
-- columns: ["nspname"]
SELECT nspname FROM pg_catalog.pg_namespace WHERE nspname !~ '^pg_' AND nspname <> 'information_schema' AND nspname LIKE $1
;
-- name: tables of a schema
-- columns: ["relname", "reltype"]
SELECT c.relname, CASE c.relkind WHEN 'r' THEN 'table' WHEN 'v' THEN 'view' WHEN 'm' THEN 'materialized view' WHEN 't' THEN 'TOAST table' WHEN 'f' THEN 'foreign table' WHEN 'p' THEN 'partitioned table' END AS reltype
FROM pg_catalog.pg_class AS c LEFT JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace WHERE pg_catalog.pg_table_is_visible(c.oid) AND n.nspname = $1 AND c.relkind IN ('r', 'v', 'm', 't', 'f', 'p') AND c.relname LIKE $2
;
-- name: columns of a table with comments
-- columns: ["attname", "attnum", "col_description"]
SELECT attr.attname, attr.attnum, pg_catalog.col_description(cls.oid, attr.attnum) FROM pg_catalog.pg_attribute AS attr INNER JOIN pg_catalog.pg_class AS cls ON attr.attrelid = cls.oid INNER JOIN pg_catalog.pg_namespace AS nsp ON nsp.oid = cls.relnamespace
WHERE attr.attnum > 0 AND NOT attr.attisdropped AND nsp.nspname LIKE $1 AND cls.relname LIKE $2
;
-- name: constraints of a table
-- columns: ["conname", "contype", "colnames", "fschema", "ftable", "fcolnames"]
WITH fk_unnest AS (SELECT con.conname, 'FOREIGN KEY' AS contype, conrelid, UNNEST(con.conkey) AS conkey, confrelid, UNNEST(con.confkey) AS confkey FROM pg_catalog.pg_constraint AS con INNER JOIN pg_catalog.pg_class AS cls ON cls.oid = conrelid
    INNER JOIN pg_catalog.pg_namespace AS nsp ON nsp.oid = cls.relnamespace WHERE con.contype = 'f' AND nsp.nspname LIKE $1 AND cls.relname LIKE $2),
  fk_names AS (SELECT fk_unnest.conname, fk_unnest.contype, fk_unnest.conkey, fk_unnest.confkey, attr.attname, fnsp.nspname AS fschema, fcls.relname AS ftable, fattr.attname AS fattname FROM fk_unnest INNER JOIN pg_catalog.pg_class AS cls ON cls.oid = fk_unnest.conrelid
    INNER JOIN pg_catalog.pg_class AS fcls ON fcls.oid = fk_unnest.confrelid INNER JOIN pg_catalog.pg_namespace AS fnsp ON fnsp.oid = fcls.relnamespace INNER JOIN pg_catalog.pg_attribute AS attr ON attr.attnum = fk_unnest.conkey AND attr.attrelid = fk_unnest.conrelid
    LEFT JOIN pg_catalog.pg_attribute AS fattr ON fattr.attnum = fk_unnest.confkey AND fattr.attrelid = fk_unnest.confrelid),
  fkeys AS (SELECT conname, contype, ARRAY_AGG(attname ORDER BY conkey) AS colnames, fschema, ftable, ARRAY_AGG(fattname ORDER BY confkey) AS fcolnames FROM fk_names GROUP BY conname, contype, fschema, ftable),
  other AS (SELECT con.conname, CASE con.contype WHEN 'c' THEN 'CHECK' WHEN 'u' THEN 'UNIQUE' WHEN 'p' THEN 'PRIMARY KEY' END AS contype, ARRAY_AGG(attr.attname) AS colnames FROM pg_catalog.pg_constraint AS con CROSS JOIN UNNEST(conkey) AS conkeys
    INNER JOIN pg_catalog.pg_class AS cls ON cls.oid = con.conrelid INNER JOIN pg_catalog.pg_namespace AS nsp ON nsp.oid = cls.relnamespace INNER JOIN pg_catalog.pg_attribute AS attr ON attr.attnum = conkeys AND cls.oid = attr.attrelid
    WHERE con.contype IN ('c', 'u', 'p') AND nsp.nspname LIKE $1 AND cls.relname LIKE $2 GROUP BY conname, con.contype)
SELECT conname, contype, colnames, fschema, ftable, fcolnames FROM fkeys UNION ALL SELECT conname, contype, colnames, NULL, NULL, NULL FROM other
;
-- name: the columns of one table
-- columns: ["attname", "atttypid"]
SELECT attname, atttypid FROM pg_catalog.pg_class AS cls INNER JOIN pg_catalog.pg_attribute AS attr ON cls.oid = attr.attrelid INNER JOIN pg_catalog.pg_type AS typ ON attr.atttypid = typ.oid WHERE attr.attnum >= 0 AND cls.oid = $1::regclass::oid ORDER BY attr.attnum
;
-- name: the current schema
-- columns: ["current_schema"]
SELECT CURRENT_SCHEMA()
;
-- name: the current catalog
-- columns: ["current_catalog"]
SELECT CURRENT_CATALOG
;
-- name: statistics of tables
-- columns: ["nspname", "relname", "reltuples", "attname", "null_frac", "avg_width", "n_distinct"]
SELECT n.nspname, c.relname, c.reltuples, s.attname, s.null_frac, s.avg_width, s.n_distinct FROM pg_catalog.pg_class AS c INNER JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace LEFT JOIN pg_catalog.pg_stats AS s ON s.schemaname = n.nspname AND s.tablename = c.relname WHERE n.nspname = $1
;
-- name: the path of schemas for a bulk load
-- columns: []
SET search_path TO public
;
-- name: a table for a bulk load
-- columns: []
CREATE TEMPORARY TABLE loaded (id BIGINT, name TEXT)
;
-- name: an insert for a bulk load
-- columns: []
INSERT INTO customer (name, born) VALUES ($1, $2)
;
