-- name: connect: version
-- columns: ["version"]
SELECT pg_catalog.version()
;
-- name: connect: schema
-- columns: ["current_schema"]
SELECT current_schema()
;
-- name: connect: isolation level
-- columns: ["transaction_isolation"]
SHOW TRANSACTION ISOLATION LEVEL
;
-- name: connect: strings
-- columns: ["standard_conforming_strings"]
SHOW standard_conforming_strings
;
-- name: connect: texts of all kinds
-- columns: ["anon_1", "anon_2"]
SELECT CAST('test plain returns' AS VARCHAR(60)) AS anon_1, CAST('test unicode returns' AS VARCHAR(60)) AS anon_2
;
-- name: connect: whether transactions only read
-- columns: ["transaction_read_only"]
SHOW transaction_read_only
;
-- name: names of schemas
-- columns: ["nspname"]
SELECT nspname FROM pg_catalog.pg_namespace WHERE nspname NOT LIKE 'pg_%' ORDER BY nspname
;
-- name: whether there is a schema
-- columns: ["nspname"]
SELECT nspname FROM pg_catalog.pg_namespace WHERE nspname = $1
;
-- name: whether there is a table
-- columns: ["relname"]
SELECT pg_catalog.pg_class.relname FROM pg_catalog.pg_class JOIN pg_catalog.pg_namespace ON pg_catalog.pg_namespace.oid = pg_catalog.pg_class.relnamespace
WHERE pg_catalog.pg_class.relname = $1 AND pg_catalog.pg_class.relkind = ANY (ARRAY[$2, $3, $4, $5, $6]) AND pg_catalog.pg_table_is_visible(pg_catalog.pg_class.oid) AND pg_catalog.pg_namespace.nspname <> $7
;
-- name: whether there is a sequence
-- columns: ["relname"]
SELECT pg_catalog.pg_class.relname FROM pg_catalog.pg_class JOIN pg_catalog.pg_namespace ON pg_catalog.pg_namespace.oid = pg_catalog.pg_class.relnamespace
WHERE pg_catalog.pg_class.relkind = 'S' AND pg_catalog.pg_class.relname = $1 AND pg_catalog.pg_namespace.nspname = $2
;
-- name: whether there is a type
-- columns: ["exists"]
SELECT EXISTS (SELECT * FROM pg_catalog.pg_type AS t JOIN pg_catalog.pg_namespace AS n ON t.typnamespace = n.oid WHERE t.typname = $1 AND n.nspname = $2)
;
-- name: the number of a relation
-- columns: ["oid"]
SELECT pg_catalog.pg_class.oid FROM pg_catalog.pg_class JOIN pg_catalog.pg_namespace ON pg_catalog.pg_namespace.oid = pg_catalog.pg_class.relnamespace
WHERE pg_catalog.pg_table_is_visible(pg_catalog.pg_class.oid) AND pg_catalog.pg_class.relname = $1 AND pg_catalog.pg_class.relkind = ANY (ARRAY['r', 'p', 'f', 'v', 'm'])
;
-- name: names of tables
-- columns: ["relname"]
SELECT pg_catalog.pg_class.relname FROM pg_catalog.pg_class JOIN pg_catalog.pg_namespace ON pg_catalog.pg_namespace.oid = pg_catalog.pg_class.relnamespace
WHERE pg_catalog.pg_class.relkind = ANY (ARRAY['r', 'p']) AND pg_catalog.pg_class.relpersistence <> 't' AND pg_catalog.pg_namespace.nspname = $1
;
-- name: names of temporary tables
-- columns: ["relname"]
SELECT pg_catalog.pg_class.relname FROM pg_catalog.pg_class JOIN pg_catalog.pg_namespace ON pg_catalog.pg_namespace.oid = pg_catalog.pg_class.relnamespace
WHERE pg_catalog.pg_class.relkind = ANY (ARRAY['r', 'p']) AND pg_catalog.pg_class.relpersistence = 't' AND pg_catalog.pg_table_is_visible(pg_catalog.pg_class.oid) AND pg_catalog.pg_namespace.nspname <> 'pg_catalog'
;
-- name: names of views
-- columns: ["relname"]
SELECT pg_catalog.pg_class.relname FROM pg_catalog.pg_class JOIN pg_catalog.pg_namespace ON pg_catalog.pg_namespace.oid = pg_catalog.pg_class.relnamespace WHERE pg_catalog.pg_class.relkind = ANY (ARRAY['v']) AND pg_catalog.pg_namespace.nspname = 'public'
;
-- name: names of materialized views
-- columns: ["relname"]
SELECT pg_catalog.pg_class.relname FROM pg_catalog.pg_class JOIN pg_catalog.pg_namespace ON pg_catalog.pg_namespace.oid = pg_catalog.pg_class.relnamespace WHERE pg_catalog.pg_class.relkind = ANY (ARRAY['m']) AND pg_catalog.pg_namespace.nspname = 'public'
;
-- name: names of sequences
-- columns: ["relname"]
SELECT pg_catalog.pg_class.relname FROM pg_catalog.pg_class JOIN pg_catalog.pg_namespace ON pg_catalog.pg_namespace.oid = pg_catalog.pg_class.relnamespace WHERE pg_catalog.pg_class.relkind = 'S' AND pg_catalog.pg_namespace.nspname = 'public'
;
-- name: the query of a view
-- columns: ["pg_get_viewdef_1"]
SELECT pg_catalog.pg_get_viewdef(pg_catalog.pg_class.oid) AS pg_get_viewdef_1 FROM pg_catalog.pg_class JOIN pg_catalog.pg_namespace ON pg_catalog.pg_namespace.oid = pg_catalog.pg_class.relnamespace
WHERE pg_catalog.pg_class.relname = $1 AND pg_catalog.pg_class.relkind = ANY (ARRAY['v', 'm']) AND pg_catalog.pg_namespace.nspname = $2
;
-- name: columns of tables
-- columns: ["name", "format_type", "default", "not_null", "table_name", "comment", "generated", "identity_options", "collation"]
SELECT pg_catalog.pg_attribute.attname AS name, pg_catalog.format_type(pg_catalog.pg_attribute.atttypid, pg_catalog.pg_attribute.atttypmod) AS format_type,
  (SELECT pg_catalog.pg_get_expr(pg_catalog.pg_attrdef.adbin, pg_catalog.pg_attrdef.adrelid) AS pg_get_expr_1 FROM pg_catalog.pg_attrdef WHERE pg_catalog.pg_attrdef.adrelid = pg_catalog.pg_attribute.attrelid
    AND pg_catalog.pg_attrdef.adnum = pg_catalog.pg_attribute.attnum AND pg_catalog.pg_attribute.atthasdef) AS "default", pg_catalog.pg_attribute.attnotnull AS not_null, pg_catalog.pg_class.relname AS table_name,
  pg_catalog.pg_description.description AS comment, pg_catalog.pg_attribute.attgenerated AS generated,
  (SELECT json_build_object('always', pg_catalog.pg_attribute.attidentity = 'a', 'start', pg_catalog.pg_sequence.seqstart, 'increment', pg_catalog.pg_sequence.seqincrement, 'minvalue', pg_catalog.pg_sequence.seqmin,
      'maxvalue', pg_catalog.pg_sequence.seqmax, 'cache', pg_catalog.pg_sequence.seqcache, 'cycle', pg_catalog.pg_sequence.seqcycle) AS json_build_object_1 FROM pg_catalog.pg_sequence
    WHERE pg_catalog.pg_attribute.attidentity <> '' AND pg_catalog.pg_sequence.seqrelid = CAST(CAST(pg_catalog.pg_get_serial_sequence(CAST(CAST(pg_catalog.pg_attribute.attrelid AS REGCLASS) AS TEXT), pg_catalog.pg_attribute.attname) AS REGCLASS) AS OID)) AS identity_options,
  (SELECT c.collname FROM pg_catalog.pg_collation AS c WHERE c.oid = pg_catalog.pg_attribute.attcollation AND c.collname <> 'default') AS collation
FROM pg_catalog.pg_class LEFT OUTER JOIN pg_catalog.pg_attribute ON pg_catalog.pg_class.oid = pg_catalog.pg_attribute.attrelid AND pg_catalog.pg_attribute.attnum > 0 AND NOT pg_catalog.pg_attribute.attisdropped
LEFT OUTER JOIN pg_catalog.pg_description ON pg_catalog.pg_description.objoid = pg_catalog.pg_attribute.attrelid AND pg_catalog.pg_description.objsubid = pg_catalog.pg_attribute.attnum AND pg_catalog.pg_description.classoid = CAST('pg_catalog.pg_class' AS REGCLASS)
JOIN pg_catalog.pg_namespace ON pg_catalog.pg_namespace.oid = pg_catalog.pg_class.relnamespace
WHERE pg_catalog.pg_class.relkind = ANY (ARRAY['r', 'p', 'f', 'v', 'm']) AND pg_catalog.pg_table_is_visible(pg_catalog.pg_class.oid) AND pg_catalog.pg_namespace.nspname <> 'pg_catalog' AND pg_catalog.pg_class.relname IN ('customer', 'orders')
ORDER BY pg_catalog.pg_class.relname, pg_catalog.pg_attribute.attnum
;
-- name: enums
-- columns: ["name", "visible", "schema", "labels"]
SELECT pg_catalog.pg_type.typname AS name, pg_catalog.pg_type_is_visible(pg_catalog.pg_type.oid) AS visible, pg_catalog.pg_namespace.nspname AS schema, lbl_agg.labels AS labels
FROM pg_catalog.pg_type JOIN pg_catalog.pg_namespace ON pg_catalog.pg_namespace.oid = pg_catalog.pg_type.typnamespace LEFT OUTER JOIN (SELECT pg_catalog.pg_enum.enumtypid AS enumtypid,
    array_agg(CAST(pg_catalog.pg_enum.enumlabel AS TEXT) ORDER BY pg_catalog.pg_enum.enumsortorder) AS labels FROM pg_catalog.pg_enum GROUP BY pg_catalog.pg_enum.enumtypid) AS lbl_agg ON pg_catalog.pg_type.oid = lbl_agg.enumtypid
WHERE pg_catalog.pg_type.typtype = 'e' ORDER BY pg_catalog.pg_namespace.nspname, pg_catalog.pg_type.typname
;
-- name: domains
-- columns: ["name", "attype", "nullable", "default", "visible", "schema", "condefs", "connames", "collname"]
SELECT pg_catalog.pg_type.typname AS name, pg_catalog.format_type(pg_catalog.pg_type.typbasetype, pg_catalog.pg_type.typtypmod) AS attype, NOT pg_catalog.pg_type.typnotnull AS nullable, pg_catalog.pg_type.typdefault AS "default",
  pg_catalog.pg_type_is_visible(pg_catalog.pg_type.oid) AS visible, pg_catalog.pg_namespace.nspname AS schema, domain_constraints.condefs, domain_constraints.connames, pg_catalog.pg_collation.collname
FROM pg_catalog.pg_type JOIN pg_catalog.pg_namespace ON pg_catalog.pg_namespace.oid = pg_catalog.pg_type.typnamespace LEFT OUTER JOIN pg_catalog.pg_collation ON pg_catalog.pg_type.typcollation = pg_catalog.pg_collation.oid
LEFT OUTER JOIN (SELECT pg_catalog.pg_constraint.contypid AS contypid, array_agg(pg_catalog.pg_get_constraintdef(pg_catalog.pg_constraint.oid, true)) AS condefs, array_agg(CAST(pg_catalog.pg_constraint.conname AS TEXT)) AS connames
  FROM pg_catalog.pg_constraint WHERE pg_catalog.pg_constraint.contypid <> 0 GROUP BY pg_catalog.pg_constraint.contypid) AS domain_constraints ON pg_catalog.pg_type.oid = domain_constraints.contypid
WHERE pg_catalog.pg_type.typtype = 'd' ORDER BY pg_catalog.pg_namespace.nspname, pg_catalog.pg_type.typname
;
-- name: primary keys
-- columns: ["conrelid", "cols", "conname", "description", "extra"]
SELECT attr.conrelid, array_agg(CAST(attr.attname AS TEXT) ORDER BY attr.ord) AS cols, attr.conname, min(attr.description) AS description, NULL AS extra
FROM (SELECT con.conrelid AS conrelid, con.conname AS conname, con.conindid AS conindid, con.description AS description, con.ord AS ord, pg_catalog.pg_attribute.attname AS attname
  FROM pg_catalog.pg_attribute JOIN (SELECT pg_catalog.pg_constraint.conrelid, pg_catalog.pg_constraint.conname, pg_catalog.pg_constraint.conindid, unnest(pg_catalog.pg_constraint.conkey) AS attnum,
      generate_subscripts(pg_catalog.pg_constraint.conkey, 1) AS ord, pg_catalog.pg_description.description FROM pg_catalog.pg_constraint LEFT OUTER JOIN pg_catalog.pg_description ON pg_catalog.pg_description.objoid = pg_catalog.pg_constraint.oid
      WHERE pg_catalog.pg_constraint.contype = 'p' AND pg_catalog.pg_constraint.conrelid IN (CAST('customer' AS REGCLASS), CAST('shop.item' AS REGCLASS))) AS con ON pg_catalog.pg_attribute.attnum = con.attnum AND pg_catalog.pg_attribute.attrelid = con.conrelid) AS attr
GROUP BY attr.conrelid, attr.conname ORDER BY attr.conrelid, attr.conname
;
-- name: unique constraints
-- columns: ["conrelid", "cols", "conname", "description", "indnullsnotdistinct"]
SELECT attr.conrelid, array_agg(CAST(attr.attname AS TEXT) ORDER BY attr.ord) AS cols, attr.conname, min(attr.description) AS description, bool_and(pg_catalog.pg_index.indnullsnotdistinct) AS indnullsnotdistinct
FROM (SELECT con.*, a.attname FROM pg_catalog.pg_attribute AS a JOIN (SELECT c.conrelid, c.conname, c.conindid, unnest(c.conkey) AS attnum, generate_subscripts(c.conkey, 1) AS ord, d.description FROM pg_catalog.pg_constraint AS c
    LEFT OUTER JOIN pg_catalog.pg_description AS d ON d.objoid = c.oid WHERE c.contype = 'u') AS con ON a.attnum = con.attnum AND a.attrelid = con.conrelid) AS attr JOIN pg_catalog.pg_index ON attr.conindid = pg_catalog.pg_index.indexrelid
GROUP BY attr.conrelid, attr.conname ORDER BY attr.conrelid, attr.conname
;
-- name: foreign keys
-- columns: ["relname", "conname", "anon_1", "nspname", "description"]
SELECT pg_catalog.pg_class.relname, pg_catalog.pg_constraint.conname, CASE WHEN pg_catalog.pg_constraint.oid IS NOT NULL THEN pg_catalog.pg_get_constraintdef(pg_catalog.pg_constraint.oid, true) END AS anon_1, nsp_ref.nspname, pg_catalog.pg_description.description
FROM pg_catalog.pg_class LEFT OUTER JOIN pg_catalog.pg_constraint ON pg_catalog.pg_class.oid = pg_catalog.pg_constraint.conrelid AND pg_catalog.pg_constraint.contype = 'f' LEFT OUTER JOIN pg_catalog.pg_class AS cls_ref ON cls_ref.oid = pg_catalog.pg_constraint.confrelid
LEFT OUTER JOIN pg_catalog.pg_namespace AS nsp_ref ON cls_ref.relnamespace = nsp_ref.oid LEFT OUTER JOIN pg_catalog.pg_description ON pg_catalog.pg_description.objoid = pg_catalog.pg_constraint.oid
JOIN pg_catalog.pg_namespace ON pg_catalog.pg_namespace.oid = pg_catalog.pg_class.relnamespace WHERE pg_catalog.pg_class.relkind = ANY (ARRAY['r', 'p']) AND pg_catalog.pg_class.relname IN ('orders') ORDER BY 1, 2
;
-- name: indexes
-- columns: ["indrelid", "relname", "indisunique", "has_constraint", "indoption", "reloptions", "amname", "filter_definition", "indnkeyatts", "indnullsnotdistinct", "elements", "elements_is_expr", "elements_opclass"]
SELECT pg_catalog.pg_index.indrelid, pg_catalog.pg_class.relname, pg_catalog.pg_index.indisunique, pg_catalog.pg_constraint.conrelid IS NOT NULL AS has_constraint, pg_catalog.pg_index.indoption, pg_catalog.pg_class.reloptions, pg_catalog.pg_am.amname,
  CASE WHEN pg_catalog.pg_index.indpred IS NOT NULL THEN pg_catalog.pg_get_expr(pg_catalog.pg_index.indpred, pg_catalog.pg_index.indrelid) END AS filter_definition, pg_catalog.pg_index.indnkeyatts, pg_catalog.pg_index.indnullsnotdistinct, idx_cols.elements, idx_cols.elements_is_expr, idx_cols.elements_opclass
FROM pg_catalog.pg_index JOIN pg_catalog.pg_class ON pg_catalog.pg_index.indexrelid = pg_catalog.pg_class.oid JOIN pg_catalog.pg_am ON pg_catalog.pg_class.relam = pg_catalog.pg_am.oid LEFT OUTER JOIN (SELECT idx_attr.indexrelid, min(idx_attr.indrelid) AS min_1,
    array_agg(idx_attr.element ORDER BY idx_attr.ord) AS elements, array_agg(idx_attr.is_expr ORDER BY idx_attr.ord) AS elements_is_expr, array_agg(pg_catalog.pg_opclass.opcname ORDER BY idx_attr.ord) AS elements_opclass
    FROM (SELECT idx.indexrelid, idx.indrelid, idx.ord, CASE WHEN idx.attnum = 0 THEN pg_catalog.pg_get_indexdef(idx.indexrelid, idx.ord + 1, true) ELSE CAST(pg_catalog.pg_attribute.attname AS TEXT) END AS element, idx.attnum = 0 AS is_expr,
        (SELECT i2.indclass FROM pg_catalog.pg_index AS i2 WHERE i2.indexrelid = idx.indexrelid)[idx.ord] AS opclass FROM (SELECT pg_catalog.pg_index.indexrelid, pg_catalog.pg_index.indrelid, unnest(pg_catalog.pg_index.indkey) AS attnum,
            generate_subscripts(pg_catalog.pg_index.indkey, 1) AS ord FROM pg_catalog.pg_index WHERE NOT pg_catalog.pg_index.indisprimary) AS idx LEFT OUTER JOIN pg_catalog.pg_attribute ON pg_catalog.pg_attribute.attnum = idx.attnum
          AND pg_catalog.pg_attribute.attrelid = idx.indrelid) AS idx_attr LEFT OUTER JOIN pg_catalog.pg_opclass ON idx_attr.opclass = pg_catalog.pg_opclass.oid GROUP BY idx_attr.indexrelid) AS idx_cols ON pg_catalog.pg_index.indexrelid = idx_cols.indexrelid
LEFT OUTER JOIN pg_catalog.pg_constraint ON pg_catalog.pg_index.indrelid = pg_catalog.pg_constraint.conrelid AND pg_catalog.pg_index.indexrelid = pg_catalog.pg_constraint.conindid AND pg_catalog.pg_constraint.contype = ANY (ARRAY['p', 'u', 'x'])
WHERE NOT pg_catalog.pg_index.indisprimary ORDER BY pg_catalog.pg_index.indrelid, pg_catalog.pg_class.relname
;
-- name: check constraints
-- columns: ["relname", "conname", "anon_1", "description"]
SELECT pg_catalog.pg_class.relname, pg_catalog.pg_constraint.conname, CASE WHEN pg_catalog.pg_constraint.oid IS NOT NULL THEN pg_catalog.pg_get_constraintdef(pg_catalog.pg_constraint.oid, true) END AS anon_1, pg_catalog.pg_description.description
FROM pg_catalog.pg_class LEFT OUTER JOIN pg_catalog.pg_constraint ON pg_catalog.pg_class.oid = pg_catalog.pg_constraint.conrelid AND pg_catalog.pg_constraint.contype = 'c' LEFT OUTER JOIN pg_catalog.pg_description ON pg_catalog.pg_description.objoid = pg_catalog.pg_constraint.oid
WHERE pg_catalog.pg_class.relkind = ANY (ARRAY['r', 'p']) ORDER BY 1, 2
;
-- name: comments of tables
-- columns: ["relname", "description"]
SELECT pg_catalog.pg_class.relname, pg_catalog.pg_description.description FROM pg_catalog.pg_class LEFT OUTER JOIN pg_catalog.pg_description ON pg_catalog.pg_class.oid = pg_catalog.pg_description.objoid AND pg_catalog.pg_description.objsubid = 0
  AND pg_catalog.pg_description.classoid = CAST('pg_catalog.pg_class' AS REGCLASS) WHERE pg_catalog.pg_class.relkind = ANY (ARRAY['r', 'p', 'f', 'v', 'm']) AND pg_catalog.pg_table_is_visible(pg_catalog.pg_class.oid)
;
-- name: options of tables
-- columns: ["oid", "relname", "reloptions", "amname", "spcname"]
SELECT pg_catalog.pg_class.oid, pg_catalog.pg_class.relname, pg_catalog.pg_class.reloptions, pg_catalog.pg_am.amname, pg_catalog.pg_tablespace.spcname FROM pg_catalog.pg_class LEFT OUTER JOIN pg_catalog.pg_am ON pg_catalog.pg_class.relam = pg_catalog.pg_am.oid
LEFT OUTER JOIN pg_catalog.pg_tablespace ON pg_catalog.pg_class.reltablespace = pg_catalog.pg_tablespace.oid WHERE pg_catalog.pg_class.relkind = ANY (ARRAY['r', 'p'])
;
-- name: the next value of a sequence
-- columns: ["nextval"]
SELECT nextval('counter')
;
-- name: an insert that returns its key
-- columns: ["id"]
INSERT INTO customer (name) VALUES ($1) RETURNING customer.id
;
-- name: inserts of many rows in their order
-- columns: ["id", "id__1"]
INSERT INTO customer (name, born) SELECT p0::VARCHAR, p1::DATE FROM (VALUES ($1, $2, 0), ($3, $4, 1)) AS imp_sen(p0, p1, sen_counter) ORDER BY sen_counter RETURNING customer.id, customer.id AS id__1
;
-- name: savepoints
-- columns: []
SAVEPOINT sa_savepoint_1
;
