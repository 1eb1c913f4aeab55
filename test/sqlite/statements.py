#!/usr/bin/env python3
"""Executes statements of many kinds with Python's module sqlite3, and prints what each gives as a line of JSON.

test_sqlite.py runs this over SQLite and over Scaup, and compares line by line."""

import json
import sqlite3
import sys

# Each group begins with an empty database. A statement with parameters is a pair.
GROUPS = {
    "literals": """
        SELECT 1, -1, 2147483648, 9223372036854775807, -9223372036854775808, 0x1F, 1.5, 1e3, .5, 'it''s', x'00FF', NULL, TRUE, FALSE
        SELECT 9223372036854775808, 1e400
        SELECT 'a' AS "x y", 'b' AS [z], 'c' AS `w`
        SELECT 7/2, -7/2, 7%3, -7%3, 7.0/2, 1+1.5, 2147483647+1, 1<<40, 6&3, 6|1, ~5
        SELECT 1=1, 1<>1, 1!=2, 1==1, 2>1, 'a'<'b', NULL IS NULL, 1 IS 1, 1 IS NOT 2, NULL IS 1, NOT 1=1
        SELECT 'a'||'b', 'a'||1, 1||'b'
        SELECT 1 BETWEEN 0 AND 2, 1 IN (1,2), 3 NOT IN (1,2), CASE 1 WHEN 1 THEN 'x' ELSE 'y' END, CASE WHEN 1=2 THEN 1 END
        SELECT typeof(1), typeof(1.0), typeof('a'), typeof(x'00'), typeof(NULL), typeof(1+1), typeof('a'||'b')
        SELECT CAST('12abc' AS INTEGER), CAST(5.7 AS INTEGER), CAST(-5.7 AS INT), CAST(5 AS TEXT), CAST(1.0 AS TEXT), CAST('1.5x' AS REAL), CAST('abc' AS BLOB), CAST(x'6162' AS TEXT)
        SELECT 'abc' LIKE 'A%', 'a%c' LIKE 'a\\%c', 'a%c' LIKE 'a!%c' ESCAPE '!', 'abc' GLOB 'a*', 'abc' GLOB 'A*', 'abc' NOT LIKE 'b%', 'a.c' GLOB 'a.?', 'abc' GLOB '[a-c]bc'
        VALUES (1,'a'),(2,'b')
    """,
    "functions": """
        SELECT abs(-5), abs(-1.5), length('héllo'), length(x'0102'), length(12345), upper('abc'), lower('ABC'), trim('  a '), ltrim('xxa','x'), rtrim('a  ')
        SELECT substr('hello',2), substr('hello',2,3), substr('hello',-3), substr('hello',-3,2), substr('hello',0), substr('hello',0,3), substr('hello',10), substr('hello',4,-2), substring('hello',1,1)
        SELECT instr('hello','l'), instr('hello','z'), replace('aXbX','X','-'), hex('abc'), hex(x'0A'), quote('it''s'), quote(1.5), quote(x'01'), quote(NULL), quote(3)
        SELECT round(2.5), round(-2.5), round(1.25,1), round(3), round(2.567,2), max(1,3,2), min('b','a'), max(1,NULL), ifnull(NULL,1), coalesce(NULL,NULL,3), nullif(1,1), nullif(1,2), iif(1=1,'y','n')
        SELECT char(72,105), unicode('é'), zeroblob(3), length(randomblob(5)), typeof(random())
        SELECT date('2024-02-29'), date('2024-01-31','+1 month'), date('2024-03-15','start of month','-1 day'), datetime('2024-01-01 12:30:45'), time('12:34'), datetime('2024-01-01','+1 day','+2 hours')
        SELECT strftime('%Y-%m-%d %H:%M:%S', '2024-05-06 07:08:09'), strftime('%j %w %s', '2024-05-06'), julianday('2000-01-01 12:00:00'), date(0,'unixepoch'), datetime(1700000000,'unixepoch'), date('bad'), date('2024-05-06','weekday 0')
        SELECT count(*), count(a), sum(a), total(a), avg(a), min(a), max(a), group_concat(a), group_concat(a,'-') FROM (SELECT 1 AS a UNION ALL SELECT 2 UNION ALL SELECT NULL)
        SELECT sum(a), total(a), avg(a), max(a), group_concat(a) FROM (SELECT 1 AS a WHERE 0)
    """,
    "tables": """
        CREATE TABLE Person(Id INTEGER PRIMARY KEY, Name TEXT NOT NULL, Age INT, Score REAL DEFAULT 1.5, Note)
        INSERT INTO person(name, age) VALUES ('Ann', 30)
        INSERT INTO Person VALUES (NULL, 'Bob', '41', 2, 'n1'), (10, 'Cid', NULL, '3.5', 'n2')
        INSERT INTO Person(Name) VALUES ('Dan')
        SELECT * FROM Person ORDER BY Id
        SELECT rowid, ID, NAME, "Age", typeof(score), p.note FROM person AS p ORDER BY 1
        SELECT name AS who, count(*) FROM person GROUP BY name ORDER BY who DESC LIMIT 2 OFFSET 1
        SELECT name FROM person ORDER BY age, name
        SELECT name FROM person ORDER BY age DESC, name
        SELECT name FROM person LIMIT 1, 2
        SELECT count(*) FROM person WHERE age > 30 OR note IS NULL
        UPDATE person SET age = age + 1, score = 9 WHERE name LIKE 'b%'
        SELECT id, age, score FROM person WHERE name = 'Bob'
        DELETE FROM person WHERE id = 10
        INSERT INTO person(name) VALUES ('Eve') RETURNING id, name
        UPDATE person SET name = 'Eva' WHERE name = 'Eve' RETURNING *
        SELECT max(id) FROM person
        INSERT INTO person(id, name) VALUES (1, 'dup')
        INSERT INTO person(id, name) VALUES (99, NULL)
        SELECT nosuch FROM person
        SELECT * FROM nosuch
        SELECT nosuch(1)
        SELEC 1
        SELECT * FROM person WHERE
        INSERT INTO person(nosuch) VALUES (1)
        INSERT INTO person(name, age) VALUES ('x')
        CREATE TABLE person(a)
        DROP TABLE nosuch
        DROP TABLE IF EXISTS nosuch
        CREATE TABLE IF NOT EXISTS person(a)
        DROP TABLE person
        SELECT * FROM person
    """,
    "untyped": """
        CREATE TABLE t(a, b NUMERIC, c BLOB, d TIMESTAMP, e BOOLEAN, f DECIMAL(10,2))
        INSERT INTO t VALUES (1, 2, x'00', '2024-01-01', 1, 1.5)
        INSERT INTO t VALUES (2, 2.5, x'01', '2024-01-02', 0, 3)
        SELECT a, typeof(a), b, c, d, e, f FROM t ORDER BY a
        SELECT sum(a), sum(f) FROM t
        SELECT a FROM t WHERE a = 1
        SELECT a FROM t WHERE d > '2024-01-01'
        INSERT INTO t(a) VALUES ('text')
        INSERT INTO t(a) VALUES (x'FF'), (2.5), (NULL)
        SELECT a, typeof(a) FROM t ORDER BY a
        SELECT a FROM t WHERE a IS NOT NULL ORDER BY a DESC
        SELECT count(a), count(*), count(DISTINCT a), max(a), min(a) FROM t
        INSERT INTO t(b) VALUES ('7'), ('x'), (8.0)
        SELECT b, typeof(b) FROM t WHERE b IS NOT NULL ORDER BY b
        SELECT a, count(*) FROM t GROUP BY a ORDER BY a
        CREATE TABLE u(k, v)
        SELECT v FROM u WHERE k = 'x'
        SELECT v FROM u WHERE k = 5
        INSERT INTO u VALUES ('x', 1)
        SELECT v + 1 FROM u WHERE k = 'x'
        UPDATE u SET v = v + 10 WHERE k = 'x'
        SELECT * FROM u
    """,
    "conflicts": """
        CREATE TABLE t(id INTEGER PRIMARY KEY, u TEXT UNIQUE, n INT)
        INSERT INTO t(u, n) VALUES ('a', 1), ('b', 2)
        INSERT OR IGNORE INTO t(u, n) VALUES ('a', 9), ('c', 3)
        INSERT OR REPLACE INTO t(u, n) VALUES ('a', 10)
        REPLACE INTO t VALUES (2, 'a', 11), (7, 'z', 12)
        SELECT * FROM t ORDER BY id
        INSERT INTO t(u, n) VALUES ('z', 1) ON CONFLICT(u) DO UPDATE SET n = n + excluded.n
        INSERT INTO t(u, n) VALUES ('z', 1) ON CONFLICT DO NOTHING
        SELECT * FROM t ORDER BY id
        INSERT OR FAIL INTO t(u) VALUES ('z')
        INSERT OR ABORT INTO t(u) VALUES ('z')
        SELECT changes(), total_changes(), last_insert_rowid()
        CREATE TABLE a(id INTEGER PRIMARY KEY AUTOINCREMENT, x)
        INSERT INTO a(x) VALUES (1), (2)
        DELETE FROM a
        INSERT INTO a(x) VALUES (3)
        SELECT * FROM a
        SELECT * FROM sqlite_sequence
        CREATE TABLE w(k TEXT PRIMARY KEY, v) WITHOUT ROWID
        INSERT INTO w VALUES ('k', 1)
        REPLACE INTO w VALUES ('k', 2)
        SELECT * FROM w
        CREATE TABLE c(x INT CHECK (x > 0), y TEXT DEFAULT 'd')
        INSERT INTO c DEFAULT VALUES
        INSERT INTO c(x) SELECT 5 UNION ALL SELECT 6
        SELECT rowid, * FROM c
        INSERT INTO c(rowid, x) VALUES (100, 1)
        INSERT INTO c(x) VALUES (2)
        SELECT rowid, x FROM c ORDER BY rowid DESC
        INSERT INTO c SELECT x + 1, y FROM c WHERE x = 5
        SELECT count(*), max(rowid) FROM c
    """,
    "queries": """
        CREATE TABLE d(id INTEGER PRIMARY KEY, name TEXT)
        CREATE TABLE e(id INTEGER PRIMARY KEY, d INT REFERENCES d(id), pay INT)
        INSERT INTO d VALUES (1,'x'),(2,'y'),(3,'z')
        INSERT INTO e(d,pay) VALUES (1,10),(1,20),(2,30),(NULL,40)
        SELECT d.name, e.pay FROM d JOIN e ON e.d = d.id ORDER BY pay
        SELECT d.name, sum(pay) AS s FROM d LEFT JOIN e ON e.d = d.id GROUP BY d.name ORDER BY s, d.name
        SELECT * FROM d, e WHERE d.id = e.d ORDER BY e.id
        SELECT d.*, e.pay FROM d INNER JOIN e USING (id) ORDER BY pay
        SELECT name FROM d WHERE id IN (SELECT d FROM e) ORDER BY name
        SELECT name FROM d WHERE NOT EXISTS (SELECT * FROM e WHERE e.d = d.id)
        SELECT (SELECT max(pay) FROM e WHERE e.d = d.id) AS m FROM d ORDER BY d.id
        WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM c WHERE n < 5) SELECT sum(n), max(n) FROM c
        WITH q AS (SELECT pay FROM e) SELECT count(*) FROM q
        SELECT id FROM d UNION SELECT pay FROM e ORDER BY 1
        SELECT id FROM d INTERSECT SELECT d FROM e
        SELECT id FROM d EXCEPT SELECT d FROM e
        SELECT pay, rank() OVER (ORDER BY pay DESC) r, sum(pay) OVER (ORDER BY pay ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) FROM e ORDER BY pay
        SELECT DISTINCT d FROM e ORDER BY d
        SELECT * FROM (SELECT count(*), max(pay) FROM e)
        SELECT count(*) FILTER (WHERE pay > 15) FROM e
        SELECT pay FROM e ORDER BY pay LIMIT -1
        SELECT 1 WHERE 1
        SELECT 1 WHERE 0
        CREATE VIEW v AS SELECT name, pay FROM d JOIN e ON e.d = d.id
        SELECT * FROM v ORDER BY pay
        SELECT type, name, tbl_name FROM sqlite_master ORDER BY type, name
        SELECT sql FROM sqlite_master WHERE name = 'e'
        PRAGMA table_info(e)
        PRAGMA foreign_key_list(e)
        CREATE INDEX i ON e(pay)
        PRAGMA index_list(e)
        PRAGMA index_info(i)
        DROP VIEW v
        DROP INDEX i
        SELECT name FROM sqlite_master ORDER BY name
        SELECT name FROM d ORDER BY name COLLATE NOCASE DESC
    """,
    "schema changes": """
        CREATE TABLE t(a INTEGER, b TEXT)
        INSERT INTO t VALUES (1, 'x')
        ALTER TABLE t ADD COLUMN c INTEGER DEFAULT 5
        ALTER TABLE t RENAME COLUMN b TO bb
        SELECT * FROM t
        ALTER TABLE t RENAME TO t2
        SELECT sql FROM sqlite_master
        ALTER TABLE t2 DROP COLUMN c
        SELECT * FROM t2
        CREATE TABLE u AS SELECT a, bb FROM t2
        SELECT * FROM u
        PRAGMA user_version = 7
        PRAGMA user_version
        PRAGMA application_id
        PRAGMA foreign_keys = ON
        PRAGMA foreign_keys
        PRAGMA nosuchpragma
        CREATE TEMP TABLE tt(x)
        INSERT INTO tt VALUES (1)
        SELECT * FROM tt
        SELECT name FROM sqlite_temp_master
        SELECT * FROM temp.tt
        SELECT * FROM main.t2
        SELECT a FROM t2 WHERE bb = ?1 OR bb = ?1
    """,
    "affinities": """
        create table t(i integer, s text, r real, b blob, n numeric, x)
        insert into t values (1,'a',1.5,x'01',10,'q'),(2,'B',2,x'02',2.5,'w'),(3,null,null,null,null,null)
        select * from t where s = 1
        select * from t where i = '1'
        select * from t where i = '1.0'
        select * from t where n = '10'
        select * from t where x = 'q' and n > 5
        select i from t order by s, i
        select i from t order by s desc
        select max(s), min(n), sum(n), avg(i), total(r), count(x) from t
        select sum(i) / 2, sum(i) * 1.0, avg(n) from t
        select i / 2, i % 2, i / 2.0 from t
        select cast(n as integer), cast(r as text), cast(s as integer) from t
        select case s when 'a' then 1 else 0 end from t
        select i from t where s in ('a','B') and i in (select i from t where r > 1)
        select i from t where (i, s) = (1, 'a')
        select count(*) from t group by s having count(*) > 0 order by 1
        select distinct typeof(n) from t order by 1
        select * from t where b = x'01'
        select i from t where not (s = 'a')
        select i from t where s is not 'a'
        select i from t where x is null
        select i from t where x is not 'q'
        select group_concat(s, '; ') from (select s from t order by i)
        select upper(s), length(s), substr(s,1,1) = 'a', instr(s,'a') from t
        select "I", [s], `r` from "T" where "t"."i" = 1
        select t.i as a, a.i from t a join t on t.i = a.i where a.i = 2
        select a.* from t as a left join t b on a.i = b.i + 1 where b.i is null
        update t set n = n * 2 where n = 2.5
        select n, typeof(n) from t
        update t set x = i
        select x, typeof(x) from t
        update t set x = x || 's' where i = 1
        select x, typeof(x) from t order by i
        update t set i = i + 10 where i > 1
        select i from t order by i
        update t set s = i
        select s, typeof(s) from t order by i
        delete from t where i not in (1, 12)
        select count(*), changes() from t
        insert into t(i) values (1 + 1), (abs(-7))
        insert into t(r) values (1 / 3.0)
        insert into t(n) values (1 / 4.0), ('3' || '4')
        select n, typeof(n) from t where n is not null order by n
        insert into t(x) values (lower('ABC') || 1)
        insert into t select * from t
        select count(*), sum(i) from t
        select julianday('2020-01-02') - julianday('2020-01-01')
        select * from (values (1, 'a'), (2, 'b'))
        select column1 from (values (1), (2)) order by column1 desc
        select 1 as "Upper", 2 as lower order by "upper"
        select exists(select 1), not exists(select 1 where 0)
        select x from (select 1 as x union all select 2) where x > 1
        with a as (select 1 as v), b(w) as (select v + 1 from a) select v, w from a, b
        select i from t where i = 1 limit 1 offset 0
        select count(*) from t where i between 1 and 12 and s like '%1%'
        select max(1, 2.5), min('a', 1), max('b', 'a')
        select sum(x) from (select 1.5 as x union all select 2)
        select avg(x), sum(x) from (select 1 as x union all select 2)
        select count(distinct s) from t
        select substr('abc', -1), substr('abc', 2, 100), replace('aaa', 'a', 'bb'), trim('xxaxx', 'x')
        select abs(-9223372036854775807), abs('-3'), abs(null), round('2.55', 1)
        select hex(zeroblob(2)), quote(zeroblob(1)), length(zeroblob(3))
        create table k(a text primary key, b integer unique, check (b > 0))
        insert into k values ('x', 1), ('y', 2)
        insert into k values ('x', 3)
        insert into k values ('z', 2)
        insert or ignore into k values ('x', 9), ('w', 5)
        select rowid, * from k order by rowid
        update k set a = 'x' where a = 'y'
        create table child(id integer primary key, k text references k(a) on delete cascade)
        pragma foreign_keys=on
        insert into child(k) values ('x'), ('nope')
        insert into child(k) values ('x')
        delete from k where a = 'x'
        select count(*) from child
        create table defs(a int default 5, b text default 'it''s', c real default -1.5, d default null, e text default current_timestamp, f blob default x'00', g boolean default true, h numeric default 7)
        insert into defs(a) values (1)
        select a, b, c, d, length(e), f, g, h from defs
        pragma table_info(defs)
        create table gen(a int, b int generated always as (a * 2) stored)
        insert into gen(a) values (4)
        select * from gen
        insert into gen values (5)
        select b from gen order by b
        select name from pragma_table_info('gen')
        create unique index ui on gen(a)
        insert into gen(a) values (4)
        select name, type from sqlite_master where tbl_name = 'gen' order by name
        select sql from sqlite_schema where name = 'ui'
        create view vw(p, q) as select a, b + 1 from gen
        select * from vw order by p
        select p from vw where q > 9
        insert into vw values (1,2)
        select * from nosuch.t
        insert into t values (1)
        create table t2(a, a)
    """,
    "texts": """
        create table t(i integer, s text, r real, n numeric, x)
        insert into t values (1,'a',1.0,10,'q'),(2,'b',2.5,2.5,7),(3,null,null,null,null)
        select group_concat(r), group_concat(n, '/'), group_concat(i), group_concat(x), group_concat(distinct s) from t
        select 'a' || upper('b') || lower('C') || (select 'd') || null
        update t set x = x || 's' where i = 2
        update t set s = s || '!' || i
        select s, x from t order by i
        select * from t where s || 'x' = 'a!1x'
        select i from t where r = 1 and s like 'a' || '%'
        select i from t where s glob 'a' || '*'
        select round(2.55, 1), round(2.675, 2), round(-1.005, 2), round(1e10, 3), round(0.5), round(1.5), round(123.456, -1)
        select sum(length(s || 'x')) from t
        update t set x = r where i = 1
        select typeof(x), x from t order by i
        create view v as select s || '-' || i as k from t
        select k from v order by 1
        select i from t where 'a!1' = s
        select i from t where s = 'a!1' or i = '2' order by i
        select i from t where t.i = '2' and t.r <> '7'
        insert into t(x) values ('a' || 1), (1 || 1.0)
        select x from t order by rowid
    """,
    "transactions": """
        CREATE TABLE t(x INTEGER)
        BEGIN
        INSERT INTO t VALUES (1)
        SAVEPOINT s
        INSERT INTO t VALUES (2)
        ROLLBACK TO s
        INSERT INTO t VALUES (3)
        RELEASE s
        SELECT nosuch FROM t
        INSERT INTO t VALUES (4)
        COMMIT
        SELECT x FROM t
        COMMIT
        ROLLBACK
        BEGIN IMMEDIATE
        BEGIN
        DELETE FROM t
        ROLLBACK
        SELECT count(*) FROM t
        SAVEPOINT outer_one
        INSERT INTO t VALUES (5)
        RELEASE outer_one
        SELECT count(*) FROM t
        RELEASE nosuch
        END
    """,
}
GROUPS = {name: [line.strip() for line in text.splitlines() if line.strip()] for name, text in GROUPS.items()}
GROUPS["parameters"] = [
    "CREATE TABLE t(id INTEGER PRIMARY KEY, s TEXT, r REAL, b BLOB, n)",
    ("INSERT INTO t VALUES (?, ?, ?, ?, ?)", (None, "text", 1.5, b"\x00\x01", 7)),
    ("INSERT INTO t(s, r, b, n) VALUES (:s, :r, :b, :n)", {"s": "two", "r": 2, "b": None, "n": "mixed"}),
    ("INSERT INTO t(s, r) VALUES (?2, ?1)", (3, "three")),
    ("INSERT INTO t(s) VALUES (?)", (12,)),
    "SELECT * FROM t",
    ("SELECT id FROM t WHERE s = ?", ("two",)),
    ("SELECT id FROM t WHERE s = ?", (12,)),
    ("SELECT id FROM t WHERE id = ?", (2.5,)),
    ("SELECT id FROM t WHERE id = ?", (2.0,)),
    ("SELECT id FROM t WHERE id > @low AND id < $high ORDER BY id", {"low": 1, "high": 4}),
    ("SELECT ?, ?, ?, ?, ?", (1, 1.5, "a", b"b", None)),
    ("SELECT typeof(?), typeof(?), typeof(?), typeof(?), typeof(?)", (1, 1.5, "a", b"b", None)),
    ("SELECT ? + 1, ? || 'x', -?", (2**40, "a", 5)),
    ("SELECT id FROM t ORDER BY id LIMIT ? OFFSET ?", (2, 1)),
    ("SELECT id FROM t LIMIT ?", (-1,)),
    ("SELECT count(*) FROM t WHERE s LIKE ?", ("T%",)),
    ("SELECT id FROM t WHERE id IN (?, ?, ?)", (1, 3, 9)),
    ("UPDATE t SET n = ?, r = ? WHERE id = ?", (1.25, None, 1)),
    ("SELECT n, r FROM t WHERE id = ?", (1,)),
    ("SELECT coalesce(?, 'd'), ifnull(?, 0)", (None, 5)),
    ("SELECT max(?, 3), min(?, 'b')", (5, "a")),
    ("SELECT CASE WHEN ? > 1 THEN 'big' ELSE 'small' END", (2,)),
    ("SELECT id FROM t WHERE r BETWEEN ? AND ?", (1, 2.5)),
    ("DELETE FROM t WHERE id = ?", ("1",)),
    "SELECT count(*) FROM t",
    ("INSERT INTO t(id, s) VALUES (?, ?)", (5.0, "five")),
    "SELECT max(id) FROM t",
]


def plain(value):
    return {"bytes": value.hex()} if isinstance(value, bytes) else value


def execute(connection, statement):
    sql, parameters = (statement, ()) if isinstance(statement, str) else statement
    cursor = connection.cursor()
    try:
        rows = cursor.execute(sql, parameters).fetchall()
    except sqlite3.Error as error:
        return {"error": type(error).__name__, "message": str(error)}
    columns = [column[0] for column in cursor.description or ()]
    return {"columns": columns, "rows": [[plain(value) for value in row] for row in rows], "rowcount": cursor.rowcount, "lastrowid": cursor.lastrowid}


def main():
    for name, statements in GROUPS.items():
        connection = sqlite3.connect(":memory:", isolation_level=None)
        for statement in statements:
            print(json.dumps({"group": name, "statement": str(statement), **execute(connection, statement)}))
        connection.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
