-- name: psycopg: a type by its name
-- columns: ["name", "oid", "array_oid", "regtype", "delimiter"]
SELECT typname AS name, oid, typarray AS array_oid, oid::regtype::text AS regtype, typdelim AS delimiter FROM pg_type AS t WHERE t.oid = to_regtype($1) ORDER BY t.oid
;
-- name: psycopg: an enum with its labels
-- columns: ["name", "oid", "array_oid", "labels"]
SELECT name, oid, array_oid, array_agg(label) AS labels FROM (SELECT t.typname AS name, t.oid AS oid, t.typarray AS array_oid, e.enumlabel AS label FROM pg_type AS t LEFT JOIN pg_enum AS e ON e.enumtypid = t.oid
  WHERE t.oid = to_regtype($1) ORDER BY e.enumsortorder) AS x GROUP BY name, oid, array_oid
;
-- name: psycopg: a range with its parts
-- columns: ["name", "oid", "array_oid", "regtype", "subtype_oid"]
SELECT t.typname AS name, t.oid AS oid, t.typarray AS array_oid, t.oid::regtype::text AS regtype, r.rngsubtype AS subtype_oid FROM pg_type AS t JOIN pg_range AS r ON t.oid = r.rngtypid WHERE t.oid = to_regtype($1)
;
-- name: psycopg: a multirange with its parts
-- columns: ["name", "oid", "array_oid", "regtype", "range_oid", "subtype_oid"]
SELECT t.typname AS name, t.oid AS oid, t.typarray AS array_oid, t.oid::regtype::text AS regtype, r.rngtypid AS range_oid, r.rngsubtype AS subtype_oid FROM pg_type AS t JOIN pg_range AS r ON t.oid = r.rngmultitypid WHERE t.oid = to_regtype($1)
;
-- name: psycopg: a composite type with its fields
-- columns: ["name", "oid", "array_oid", "regtype", "field_names", "field_types"]
SELECT t.typname AS name, t.oid AS oid, t.typarray AS array_oid, t.oid::regtype::text AS regtype, coalesce(a.fnames, '{}') AS field_names, coalesce(a.ftypes, '{}') AS field_types FROM pg_type AS t
LEFT JOIN (SELECT attrelid, array_agg(attname) AS fnames, array_agg(atttypid) AS ftypes FROM (SELECT a.attrelid, a.attname, a.atttypid FROM pg_attribute AS a JOIN pg_type AS t ON t.typrelid = a.attrelid
    WHERE t.oid = to_regtype($1) AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum) AS x GROUP BY attrelid) AS a ON a.attrelid = t.typrelid WHERE t.oid = to_regtype($1)
;
-- name: psycopg: prepared transactions
-- columns: ["gid"]
SELECT gid FROM pg_prepared_xacts ORDER BY prepared
;
-- name: psycopg2: hstore, if there is one
-- columns: ["oid", "typarray"]
SELECT t.oid, typarray FROM pg_type AS t JOIN pg_namespace AS ns ON typnamespace = ns.oid WHERE typname = 'hstore'
;
-- name: psycopg2: a composite type with its fields
-- columns: ["oid", "typarray", "attname", "atttypid"]
SELECT t.oid, typarray, attname, atttypid FROM pg_type AS t JOIN pg_namespace AS ns ON typnamespace = ns.oid JOIN pg_attribute AS a ON attrelid = typrelid WHERE typname = 'pair' AND nspname = 'public' AND attnum > 0 AND NOT attisdropped ORDER BY attnum
;
-- name: psycopg2: a range with its parts
-- columns: ["rngtypid", "rngsubtype", "typarray"]
SELECT rngtypid, rngsubtype, (SELECT typarray FROM pg_type WHERE oid = rngtypid) FROM pg_range AS r JOIN pg_type AS t ON t.oid = rngtypid JOIN pg_namespace AS ns ON ns.oid = typnamespace WHERE typname = 'period' AND ns.nspname = 'public'
;
