"""Random databases through EXPORT and IMPORT DATABASE: the copy must list, hold and export the same as the original.

    PYTHONPATH=build/release/extension/python python3 test/fuzz/exported_databases.py --databases 1000 --seed 1

A failure prints its seed, the statements that made the database, and what differs.
"""

import argparse
import filecmp
import json
import os
import random
import shutil
import sys
import tempfile
import time

import scaup

TYPES = [
    "BOOLEAN", "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "REAL", "DOUBLE", "DECIMAL(9,3)", "DECIMAL(38,10)", "VARCHAR", "BLOB", "DATE",
    "TIME", "TIMESTAMP", "TIMESTAMPTZ", "INTERVAL", "UUID", "JSON", "JSONB", "INTEGER[]", "VARCHAR[]", "VARCHAR[][]", "DOUBLE[]",
    "STRUCT(a INTEGER, b VARCHAR)", 'STRUCT("odd "" name" VARCHAR[], x STRUCT(y DATE))[]', "NUMRANGE", "TSTZRANGE", "DATEMULTIRANGE", "INT4RANGE[]",
]
WORDS = ["", "x", "NULL", "null", " ", "two words", "it's", 'say "hi"', "a,b", "tab\there", "line\nend", "cr\r", "\\", "\\N", "ä€😀", "x" * 70, "{}", "[1]", "1e3", "-0", "\ufeff"]
LISTINGS = [
    "SELECT schema_name FROM information_schema.schemata",
    "SELECT schema_name, table_name, row_count, comment FROM scaup_tables()",
    # Of collections they depend on documents that are gone.
    "SELECT table_schema, table_name, column_name, ordinal_position, column_default, is_nullable, data_type FROM information_schema.columns WHERE table_schema || '.' || table_name NOT IN ({collections})",
    "SELECT table_schema, table_name, constraint_name, constraint_type FROM information_schema.table_constraints",
    "SELECT * FROM information_schema.sequences",
    "SELECT schemaname, tablename, indexname, indexdef FROM pg_catalog.pg_indexes",
    "SELECT description FROM pg_catalog.pg_description",
]


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def text(value):
    return "'" + value.replace("'", "''") + "'"


class Maker:
    """Statements that make a database. Those that fail change nothing, and are no matter."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.tables = {}  # name in SQL -> columns [(name, type)]
        self.collections = []
        self.enums = []
        self.schemas = ["main"]
        self.number = 0

    def name(self, kind):
        self.number += 1
        form = self.rng.randrange(8)
        if form == 0:
            return f"{kind} {self.number}"
        if form == 1:
            return f'{kind}"{self.number}.ä'
        if form == 2:
            return f"{kind}_{'long' * 20}_{self.number}"
        if form == 3:
            return f"{kind.upper()}{self.number}"
        return f"{kind}{self.number}"

    def type(self):
        if self.enums and self.rng.random() < 0.1:
            return self.rng.choice(self.enums)
        return self.rng.choice(TYPES)

    def json(self, depth=0):
        rng = self.rng
        kind = rng.randrange(10 if depth < 3 else 6)
        if kind == 0:
            return None
        if kind == 1:
            return rng.random() < 0.5
        if kind == 2:
            return rng.choice([0, 1, -1, 2**53 + 1, 2**63, -(2**80), 0.5, 1e300, -1.25])
        if kind < 6:
            return rng.choice(WORDS)
        if kind < 8:
            return [self.json(depth + 1) for _ in range(rng.randrange(3))]
        return {self.key(): self.json(depth + 1) for _ in range(rng.randrange(4))}

    def key(self):
        return self.rng.choice(["a", "b", "c", "id", "n", "late", "o", "a.b", "", "Ä", "user", "x" * 70, "tags", "\\"])

    def literal(self, type):
        rng = self.rng
        if rng.random() < 0.15:
            return "NULL"
        if type.endswith("[]"):
            return f"ARRAY[{', '.join(self.literal(type[:-2]) for _ in range(rng.randrange(3)))}]::{type}"
        if type.startswith("STRUCT(a"):
            return f"ROW({self.literal('INTEGER')}, {self.literal('VARCHAR')})::{type}"
        if type.startswith("STRUCT"):
            return f"ROW({self.literal('VARCHAR[]')}, ROW({self.literal('DATE')}))::{type}"
        if type in self.enums:
            return f"{rng.choice([text('a'), text('it' + chr(39) + 's'), text('')])}::{type}"
        numbers = {"TINYINT": 7, "SMALLINT": 15, "INTEGER": 31, "BIGINT": 63, "HUGEINT": 127}
        if type in numbers:
            return f"'{rng.choice([0, 1, -1, 2 ** numbers[type] - 1, -(2 ** numbers[type]), rng.randrange(-100, 100)])}'::{type}"
        values = {
            "BOOLEAN": ["true", "false"],
            "REAL": ["0", "-0.0", "NaN", "Infinity", "1.5", "3.4e38", "1e-45"],
            "DOUBLE": ["0", "-0.0", "NaN", "-Infinity", "0.1", "1.7976931348623157e308", "5e-324"],
            "DECIMAL(9,3)": ["0", "-1.5", "999999.999"],
            "DECIMAL(38,10)": ["0", "-1.5", "9999999999999999999999999999.9999999999"],
            "BLOB": ["", "\\x00ff", "abc", "\\\\"],
            "DATE": ["2024-02-29", "0001-01-01", "infinity", "-infinity", "0044-03-15 BC", "5874897-12-31"],
            "TIME": ["00:00:00", "23:59:59.999999", "24:00:00"],
            "TIMESTAMP": ["2024-02-29 12:34:56.789", "-infinity", "0001-01-01 00:00:00 BC", "294246-12-31 23:59:59"],
            "TIMESTAMPTZ": ["2024-02-29 12:34:56.789+01", "infinity", "1900-01-01 00:00:00+00"],
            "INTERVAL": ["1 year 2 mons -3 days 04:05:06.789", "0", "-178000000 years", "1 day -00:00:01"],
            "UUID": ["a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"],
            "INT4RANGE": ["empty", "[1,5)", "(,)", "[-2147483648,2147483647)"],
            "NUMRANGE": ["empty", "(1.5,2.25]", "[NaN,]", "(,)"],
            "TSTZRANGE": ["empty", "[2024-02-29 12:34:56.789+01,infinity]", "(,1900-01-01 00:00:00+00)"],
            "DATEMULTIRANGE": ["{}", "{[2024-02-29,2024-03-01),[2024-05-01,)}", "{(,)}"],
        }
        if type in ("JSON", "JSONB"):
            return f"{text(json.dumps(self.json(), ensure_ascii=rng.random() < 0.5))}::{type}"
        if type == "VARCHAR":
            return text(rng.choice(WORDS))
        return f"{text(rng.choice(values[type]))}::{type}"

    def new_table(self):
        rng = self.rng
        table = f"{quoted(rng.choice(self.schemas))}.{quoted(self.name('t'))}"
        columns = [(self.name("c"), self.type()) for _ in range(rng.randrange(1, 6))]
        parts = []
        for name, type in columns:
            part = f"{quoted(name)} {type}"
            if rng.random() < 0.1:
                part += " NOT NULL"
            if rng.random() < 0.15:
                part += f" DEFAULT {self.literal(type)}"
            parts.append(part)
        names = [quoted(name) for name, _ in columns]
        if rng.random() < 0.2:
            parts.append(f"{quoted(self.name('i'))} INTEGER GENERATED {rng.choice(['ALWAYS', 'BY DEFAULT'])} AS IDENTITY")
        if rng.random() < 0.2:
            parts.append(f"{quoted(self.name('g'))} VARCHAR GENERATED ALWAYS AS ({names[0]}::varchar || 'x') STORED")
        if rng.random() < 0.2:
            parts.append(f"CONSTRAINT {quoted(self.name('check'))} CHECK ({names[0]} IS NULL OR {names[0]}::varchar <> 'nothing')")
        if rng.random() < 0.2:
            parts.append(f"{rng.choice(['UNIQUE', 'PRIMARY KEY'])} ({rng.choice(names)})")
        self.tables[table] = columns
        yield f"CREATE TABLE {table} ({', '.join(parts)})"
        for _ in range(rng.randrange(4)):
            yield from self.insert(table)

    def insert(self, table):
        columns = self.tables[table]
        rows = [", ".join(self.literal(type) for _, type in columns) for _ in range(self.rng.randrange(1, 5))]
        yield f"INSERT INTO {table} ({', '.join(quoted(name) for name, _ in columns)}) VALUES {', '.join(f'({row})' for row in rows)}"

    def documents(self, collection):
        made = [{self.key(): self.json(1) for _ in range(self.rng.randrange(5))} for _ in range(self.rng.randrange(1, 6))]
        yield f"INSERT INTO {collection} OBJECT {', '.join(json.dumps(each, ensure_ascii=False) for each in made)}"

    def relation(self):
        return self.rng.choice(list(self.tables) + self.collections or ["(SELECT 1 AS a)"])

    def new_view(self):
        rng = self.rng
        view = f"{quoted(rng.choice(self.schemas))}.{quoted(self.name('v'))}"
        one, other = self.relation(), self.relation()
        query = rng.choice(
            [
                f"SELECT * FROM {one}",
                f"SELECT * FROM {one} x WHERE true",
                f"SELECT x.*, 1 AS one FROM {one} AS x",
                f"SELECT count(*) AS n FROM {one}, {other} y",
                f"SELECT q.* FROM (SELECT * FROM {one}) q",
                f"SELECT x AS whole FROM {one} x",
                f"SELECT * FROM {one} x NATURAL JOIN {other} y",
                f"SELECT * FROM {one} UNION ALL SELECT * FROM {one}",
                f"WITH w AS (SELECT * FROM {one}) SELECT * FROM w",
                f"FROM {one}",
                f"TABLE {one}",
                f"SELECT a, max(b) AS most FROM {one} x GROUP BY a",
                f"SELECT a, b, id FROM {one} x",
                f"SELECT min(a) AS least, max(id) AS most, count(n) AS n FROM {one} x",
                f"SELECT x.a, y.b FROM {one} x LEFT JOIN {other} y ON x.a = y.a",
            ]
        )
        self.tables[view] = []
        yield f"CREATE VIEW {view} AS {query}"

    def step(self):
        rng = self.rng
        kind = rng.randrange(24)
        if kind < 4:
            yield from self.new_table()
        elif kind < 6:
            self.collections.append(f"{quoted(rng.choice(self.schemas))}.{quoted(self.name('d'))}")
            yield f"CREATE COLLECTION {self.collections[-1]}"
            for _ in range(rng.randrange(4)):
                yield from self.documents(self.collections[-1])
        elif kind < 10:
            yield from self.new_view()
        elif kind == 10:
            yield f"CREATE SEQUENCE {quoted(rng.choice(self.schemas))}.{quoted(self.name('s'))} START {rng.randrange(1, 9)} INCREMENT {rng.choice([1, 2, -1])} MINVALUE -100 MAXVALUE 100"
        elif kind == 11:
            self.enums.append(quoted(self.name("e")))
            yield f"CREATE TYPE {self.enums[-1]} AS ENUM ('a', 'it''s', '')"
        elif kind == 12:
            self.schemas.append(self.name("schema"))
            yield f"CREATE SCHEMA {quoted(self.schemas[-1])}"
        elif kind == 13 and self.tables:
            table = rng.choice(list(self.tables))
            self.tables[table] = self.tables[table] + [(self.name("n"), self.type())]
            name, type = self.tables[table][-1]
            yield f"ALTER TABLE {table} ADD COLUMN {quoted(name)} {type}"
        elif kind == 14 and self.tables:
            table = rng.choice([t for t in self.tables if self.tables[t]] or [None])
            if table:
                name, _ = rng.choice(self.tables[table])
                yield f"ALTER TABLE {table} DROP COLUMN {quoted(name)}"
        elif kind == 15 and self.tables:
            table = rng.choice([t for t in self.tables if self.tables[t]] or [None])
            if table:
                name, _ = rng.choice(self.tables[table])
                yield f"ALTER TABLE {table} RENAME COLUMN {quoted(name)} TO {quoted(self.name('r'))}"
        elif kind == 16 and self.tables:
            table = rng.choice([t for t in self.tables if self.tables[t]] or [None])
            if table:
                name, _ = rng.choice(self.tables[table])
                yield f"CREATE INDEX {quoted(self.name('x'))} ON {table} ({quoted(name)})"
        elif kind == 17 and self.collections:
            yield f"CREATE INDEX {quoted(self.name('x'))} ON {rng.choice(self.collections)} USING text ({rng.choice(['*', 'a', quoted('x' * 70)])})"
        elif kind == 18 and self.collections:
            yield f"CREATE ELEMENT TABLE {quoted(self.name('k'))} ON {rng.choice(self.collections)} ({rng.choice(['tags', 'o', 'late'])})"
        elif kind == 19 and self.tables:
            yield f"COMMENT ON {rng.choice(['TABLE', 'VIEW'])} {rng.choice(list(self.tables))} IS {text(rng.choice(WORDS))}"
        elif kind == 20 and self.collections:
            yield f"DELETE FROM {rng.choice(self.collections)} WHERE {rng.choice(['true', 'a IS NULL', 'b IS NOT NULL'])}"
        elif kind == 21 and self.collections:
            yield from self.documents(rng.choice(self.collections))
        elif kind == 22:
            yield f"SET unknown_keys = '{rng.choice(['null', 'error'])}'"
        elif self.tables:
            table = rng.choice([t for t in self.tables if self.tables[t]] or [None])
            if table:
                yield from self.insert(table)


def answer(connection, sql, in_order):
    try:
        rows = [repr(row) for row in connection.execute(sql).fetchall()]
    except scaup.Error as error:
        return ["error " + str(getattr(error, "sqlstate", ""))]
    return rows if in_order else sorted(rows)


def is_collection(connection, schema, name):
    return not answer(connection, f"SELECT * FROM pragma_collection_info({text(quoted(schema) + '.' + quoted(name))})", True)[:1] == ["error 42809"]


def differences(before, directory):
    before.execute("SET unknown_keys = 'error'")
    before.execute(f"EXPORT DATABASE '{directory}/one'")
    after = scaup.connect(":memory:", config={"threads": 1})
    after.execute(f"IMPORT DATABASE '{directory}/one'")
    found = []
    relations = before.execute("SELECT schema_name, table_name, row_count FROM scaup_tables()").fetchall()
    collections = [f"{schema}.{name}" for schema, name, count in relations if count is not None and is_collection(before, schema, name)]
    for sql in LISTINGS:
        sql = sql.replace("{collections}", ", ".join(map(text, collections + [""])))
        old, new = answer(before, sql, False), answer(after, sql, False)
        if old != new:
            found.append(f"{sql}: {set(old) - set(new)} became {set(new) - set(old)}")
    for schema, name, count in relations:
        relation = f"{quoted(schema)}.{quoted(name)}"
        for sql in [f"SELECT {quoted(name)} FROM {relation}"] + ([f"SELECT * FROM {relation}"] if count is None else []):
            old, new = answer(before, sql, count is not None), answer(after, sql, count is not None)
            if old != new:
                found.append(f"{sql}: {old} became {new}")
    after.execute(f"EXPORT DATABASE '{directory}/two'")
    names = sorted(os.listdir(f"{directory}/one"))
    if names != sorted(os.listdir(f"{directory}/two")):
        found.append("exported again, it has other files")
    else:
        for name in filecmp.cmpfiles(f"{directory}/one", f"{directory}/two", names, shallow=False)[1]:
            found.append(f"{name} is exported again with other content")
    after.close()
    return found


def check(seed):
    """Makes the database of a seed; returns its statements and what differs."""
    maker = Maker(seed)
    connection = scaup.connect(":memory:", config={"threads": 1})
    done = []
    for _ in range(maker.rng.randrange(5, 40)):
        for sql in maker.step():
            try:
                connection.execute(sql)
                done.append(sql)
            except scaup.Error as error:
                if str(getattr(error, "sqlstate", "")).startswith("XX"):
                    return done + [sql], [f"internal error: {error}"]
    directory = tempfile.mkdtemp(prefix="scaup_export_")
    try:
        return done, differences(connection, directory)
    except scaup.Error as error:
        return done, [f"error {getattr(error, 'sqlstate', '')}: {error}"]
    finally:
        connection.close()
        shutil.rmtree(directory)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--databases", type=int, default=1000)
    parser.add_argument("--seed", default="1", help="a number, or fresh")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="ends after that time")
    arguments = parser.parse_args()
    first = random.SystemRandom().randrange(2**32) if arguments.seed == "fresh" else int(arguments.seed)
    end = time.monotonic() + arguments.seconds
    failed = done = 0
    for seed in range(first, first + arguments.databases):
        if time.monotonic() > end:
            break
        done += 1
        statements, found = check(seed)
        if not found:
            continue
        failed += 1
        print(f"--- seed {seed}")
        print("".join(f"{sql};\n" for sql in statements))
        print("\n".join(found))
        if failed == 5:
            break
    print(f"{done} databases, {failed} failed, from seed {first}")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
