-- name: types that are not known yet, with all that they are made of
-- columns: ["oid", "ns", "name", "kind", "basetype", "elemtype", "elemdelim", "range_subtype", "attrtypoids", "attrnames", "depth", "basetype_name", "elemtype_name", "range_subtype_name"]
WITH RECURSIVE made_of(oid, ns, name, kind, basetype, elemtype, elemdelim, range_subtype, attrtypoids, attrnames, depth) AS (
  SELECT t.oid, n.nspname, t.typname, t.typtype, CASE WHEN t.typtype = 'd' THEN (WITH RECURSIVE chain(oid, depth) AS (SELECT typbasetype, 0 FROM pg_type WHERE oid = t.oid
        UNION ALL SELECT b.typbasetype, depth + 1 FROM pg_type AS b, chain WHERE b.oid = chain.oid AND b.typbasetype <> 0) SELECT oid FROM chain ORDER BY depth DESC LIMIT 1) ELSE NULL END,
    CASE WHEN t.typcategory = 'A' AND t.typelem <> 0 THEN t.typelem ELSE NULL END, e.typdelim, r.rngsubtype,
    CASE WHEN t.typtype = 'c' THEN (SELECT array_agg(a.atttypid ORDER BY a.attnum) FROM pg_attribute AS a WHERE a.attrelid = t.typrelid AND a.attnum > 0 AND NOT a.attisdropped) ELSE NULL END,
    CASE WHEN t.typtype = 'c' THEN (SELECT array_agg(a.attname::text ORDER BY a.attnum) FROM pg_attribute AS a WHERE a.attrelid = t.typrelid AND a.attnum > 0 AND NOT a.attisdropped) ELSE NULL END, 0
  FROM pg_catalog.pg_type AS t JOIN pg_catalog.pg_namespace AS n ON n.oid = t.typnamespace LEFT JOIN pg_type AS e ON t.typelem = e.oid LEFT JOIN pg_range AS r ON t.oid = r.rngtypid WHERE t.oid = any ($1::oid[])
  UNION ALL SELECT t.oid, n.nspname, t.typname, t.typtype, NULL::oid, CASE WHEN t.typcategory = 'A' THEN t.typelem ELSE NULL END, t.typdelim, NULL::oid, NULL::oid[], NULL::text[], m.depth + 1
  FROM made_of AS m JOIN pg_catalog.pg_type AS t ON (t.oid = m.elemtype OR t.oid = m.range_subtype OR t.oid = any (m.attrtypoids)) JOIN pg_catalog.pg_namespace AS n ON n.oid = t.typnamespace)
SELECT DISTINCT *, basetype::regtype::text AS basetype_name, elemtype::regtype::text AS elemtype_name, range_subtype::regtype::text AS range_subtype_name FROM made_of ORDER BY depth DESC
;
-- name: a type by its schema and name
-- columns: ["oid", "elemtype", "kind"]
SELECT t.oid, t.typelem AS elemtype, t.typtype AS kind FROM pg_catalog.pg_type AS t INNER JOIN pg_catalog.pg_namespace AS ns ON (ns.oid = t.typnamespace) WHERE t.typname = $1 AND ns.nspname = $2
;
-- name: a type by its number, with the kind
-- columns: ["schema", "name", "oid", "kind"]
SELECT ns.nspname AS schema, t.typname AS name, t.oid, CASE WHEN t.typtype = 'c' THEN 'composite' WHEN t.typtype = 'd' THEN 'domain' WHEN t.typcategory = 'A' THEN 'array' WHEN t.typtype = 'b' THEN 'scalar' END AS kind
FROM pg_catalog.pg_type AS t INNER JOIN pg_catalog.pg_namespace AS ns ON ns.oid = t.typnamespace WHERE t.oid = $1::oid
;
-- name: without compiled queries while types are looked up
-- columns: ["cur", "new"]
SELECT current_setting('jit') AS cur, set_config('jit', 'off', false) AS new
;
-- name: whether the server is a standby
-- columns: ["pg_is_in_recovery"]
SELECT pg_catalog.pg_is_in_recovery()
;
-- name: reset before a connection goes back to its pool
-- columns: ["pg_advisory_unlock_all"]
SELECT pg_advisory_unlock_all()
;
-- name: RESET ALL
-- columns: []
RESET ALL
;
-- name: CLOSE ALL
-- columns: []
CLOSE ALL
;
