"""Compares random queries over random small tables: Scaup against DuckDB, and Scaup against itself in other modes.

Usage: differential.py [--queries N] [--seed S] [--seconds T]
Prints each difference with the seed that makes it again; exits 1 if there was one. DuckDB is left out for
constructs whose meaning differs by design; those are compared between Scaup's own modes only.
"""

import argparse
import datetime
import decimal
import math
import random
import sys
import time

import scaup

try:
    import duckdb
except ImportError:  # The comparison of Scaup with itself works alone.
    duckdb = None

# Settings that must not change any answer. Each gets a database of its own with the same tables.
MODES = [
    {"threads": "1"},
    {"threads": "4"},
    {"threads": "1", "force_vector_kind": "dictionary"},
    {"threads": "1", "kernel_level": "plain"},
    {"threads": "2", "disabled_optimizers": "all"},
]
COLUMNS = [("i", "INTEGER"), ("b", "BIGINT"), ("d", "DECIMAL(9,2)"), ("x", "DOUBLE"), ("s", "VARCHAR"), ("t", "DATE"), ("f", "BOOLEAN")]
NUMBERS = ["i", "b", "d", "x"]


def passes():
    """Names of all optimizer passes, for the mode that runs without any."""
    return ("expression_simplification,filter_pushdown,statistics_propagation,join_order,top_n,projection_pushdown,"
            "build_side,common_subexpressions,index_join,index_values,index_order")


class Generator:
    """Makes tables and queries from one random source."""

    def __init__(self, rng):
        self.rng = rng

    def value(self, column):
        rng = self.rng
        if rng.random() < 0.2:
            return "NULL"
        if column == "i":
            return str(rng.choice([0, 1, 2, 3, 5, -1, 7, 10]))
        if column == "b":
            return str(rng.choice([0, 1, 2, 100, -50, 3, 1000000]))
        if column == "d":
            return rng.choice(["0.00", "1.50", "-2.25", "10.00", "3.33", "99.99"])
        if column == "x":
            return rng.choice(["0.0", "1.5", "-2.5", "1000.125", "0.25"]) + "::DOUBLE"
        if column == "s":
            return "'" + rng.choice(["", "a", "b", "abc", "a longer string than inline", "a longer string than inlinf", "ZZ"]) + "'"
        if column == "t":
            return "DATE '" + rng.choice(["2020-01-01", "2020-02-29", "1999-12-31", "2024-06-15"]) + "'"
        return rng.choice(["TRUE", "FALSE"])

    def table_sql(self, name, rows):
        columns = ", ".join(f"{c} {t}" for c, t in COLUMNS)
        statements = [f"CREATE TABLE {name}({columns})"]
        tuples = ["(" + ", ".join(self.value(c) for c, _ in COLUMNS) + ")" for _ in range(rows)]
        if tuples:
            statements.append(f"INSERT INTO {name} VALUES " + ", ".join(tuples))
        return statements

    def index_sql(self, name):
        """Some indexes, for Scaup alone: what they find must be what scans find."""
        columns = [c for c, _ in COLUMNS]
        return [f"CREATE INDEX ON {name} ({', '.join(self.rng.sample(columns, self.rng.randrange(1, 4)))})" for _ in range(self.rng.randrange(4))]

    def change_sql(self, name):
        """Changes of some rows, so that indexes have entries that hold no longer."""
        rng = self.rng
        conditions = rng.sample(["i = 1", "i > 3", "b < 2", "s LIKE 'a%'", "d IS NULL", "x < 1", "t IS NOT NULL AND i = 2", "f"], 3)
        changed = rng.sample([c for c, _ in COLUMNS], 2)
        changes = [f"UPDATE {name} SET {column} = {self.value(column)} WHERE {condition}" for column, condition in zip(changed, conditions)]
        return changes + [f"DELETE FROM {name} WHERE {conditions[2]} AND i = {rng.randrange(4)}"]

    def number(self, tables, depth=2):
        rng = self.rng
        if depth == 0 or rng.random() < 0.4:
            if rng.random() < 0.25:
                return str(rng.choice([0, 1, 2, 10, -3]))
            return f"{rng.choice(tables)}.{rng.choice(NUMBERS)}"
        kind = rng.randrange(6)
        if kind == 0:
            return f"({self.number(tables, depth - 1)} + {self.number(tables, depth - 1)})"
        if kind == 1:
            return f"({self.number(tables, depth - 1)} - {self.number(tables, depth - 1)})"
        if kind == 2:
            return f"({rng.choice(tables)}.i * {rng.choice(tables)}.i)"
        if kind == 3:
            return f"CASE WHEN {self.predicate(tables, depth - 1)} THEN {rng.choice(tables)}.b ELSE {rng.choice(tables)}.i END"
        if kind == 4:
            return f"coalesce({rng.choice(tables)}.i, {rng.choice(tables)}.i, 42)"
        return f"abs({self.number(tables, depth - 1)})"

    def text(self, tables):
        rng = self.rng
        column = f"{rng.choice(tables)}.s"
        return rng.choice([column, f"upper({column})", f"({column} || 'x')", f"substring({column}, 1, 2)", "'abc'"])

    def predicate(self, tables, depth=2):
        rng = self.rng
        if depth > 0 and rng.random() < 0.4:
            kind = rng.randrange(3)
            if kind == 2:
                return f"NOT ({self.predicate(tables, depth - 1)})"
            word = " AND " if kind == 0 else " OR "
            return "(" + word.join(self.predicate(tables, depth - 1) for _ in range(rng.choice([2, 2, 3]))) + ")"
        op = rng.choice(["=", "<>", "<", "<=", ">", ">="])
        kind = rng.randrange(9)
        if kind <= 2:
            return f"{self.number(tables, 1)} {op} {self.number(tables, 1)}"
        if kind == 3:
            return f"{self.text(tables)} {op} {self.text(tables)}"
        if kind == 4:
            column = f"{rng.choice(tables)}.{rng.choice([c for c, _ in COLUMNS])}"
            return f"{column} IS {rng.choice(['', 'NOT '])}NULL"
        if kind == 5:
            return f"{rng.choice(tables)}.i {rng.choice(['', 'NOT '])}IN (1, 2, 5{rng.choice(['', ', NULL'])})"
        if kind == 6:
            return f"{rng.choice(tables)}.t {op} DATE '2020-01-15'"
        if kind == 7:
            return f"{rng.choice(tables)}.s {rng.choice(['', 'NOT '])}LIKE '{rng.choice(['a%', '%b%', '_', '%', 'abc', '%inlin_'])}'"
        return f"{self.number(tables, 1)} IS {rng.choice(['', 'NOT '])}DISTINCT FROM {self.number(tables, 1)}"

    def from_clause(self):
        """A FROM clause and the aliases whose columns may be used above it."""
        rng = self.rng
        names = ["t0", "t1", "t2"]
        first = rng.choice(names)
        clause, tables = f"{first} AS a0", ["a0"]
        for index in range(1, rng.choice([1, 1, 2, 2, 3])):
            alias = f"a{index}"
            join = rng.choice(["JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN", "JOIN", "LEFT JOIN"])
            key = rng.choice(["i", "b", "s", "t", "d"])
            condition = f"{rng.choice(tables)}.{key} = {alias}.{key}"
            if join != "FULL JOIN" and rng.random() < 0.4:
                condition += " AND " + self.predicate(tables + [alias], 1)
            clause += f" {join} {rng.choice(names)} AS {alias} ON {condition}"
            tables.append(alias)
        return clause, tables

    def where(self, tables):
        rng = self.rng
        parts = [self.predicate(tables) for _ in range(rng.choice([0, 1, 1, 2]))]
        if rng.random() < 0.2:
            inner = rng.choice(["t0", "t1", "t2"])
            column = rng.choice(["i", "b", "s", "t"])
            negation = rng.choice(["", "NOT "])
            if rng.random() < 0.5:
                parts.append(f"{rng.choice(tables)}.{column} {negation}IN (SELECT q.{column} FROM {inner} q WHERE {self.predicate(['q'], 1)})")
            else:
                parts.append(f"{negation}EXISTS (SELECT 1 FROM {inner} q WHERE q.{column} = {rng.choice(tables)}.{column} AND {self.predicate(['q'], 1)})")
        return (" WHERE " + " AND ".join(parts)) if parts else ""

    def aggregate(self, tables):
        rng = self.rng
        filtered = f" FILTER (WHERE {self.predicate(tables, 1)})" if rng.random() < 0.2 else ""
        column = f"{rng.choice(tables)}.{rng.choice([c for c, _ in COLUMNS])}"
        kind = rng.randrange(6)
        if kind == 0:
            return "count(*)" + filtered
        if kind == 1:
            return f"count({rng.choice(['', 'DISTINCT '])}{column})" + filtered
        if kind == 2:
            return f"sum({rng.choice(['', 'DISTINCT '])}{rng.choice(tables)}.{rng.choice(['i', 'b', 'd'])})" + filtered
        if kind == 3:
            return f"{rng.choice(['min', 'max'])}({column})" + filtered
        if kind == 4:
            return f"avg({rng.choice(tables)}.{rng.choice(NUMBERS)})" + filtered
        return f"sum({self.number(tables, 1)})" + filtered

    def query(self):
        """A query and whether its rows come in a defined order."""
        rng = self.rng
        clause, tables = self.from_clause()
        where = self.where(tables)
        kind = rng.randrange(5)
        if kind == 0:
            return f"SELECT {', '.join(self.aggregate(tables) for _ in range(rng.randrange(1, 4)))} FROM {clause}{where}"
        if kind <= 2:
            groups = rng.sample([f"{rng.choice(tables)}.{c}" for c, _ in COLUMNS], rng.randrange(1, 3))
            aggregates = [self.aggregate(tables) for _ in range(rng.randrange(1, 3))]
            having = f" HAVING count(*) > {rng.randrange(3)}" if rng.random() < 0.3 else ""
            return f"SELECT {', '.join(groups + aggregates)} FROM {clause}{where} GROUP BY {', '.join(groups)}{having}"
        distinct = "DISTINCT " if rng.random() < 0.3 else ""
        items = [rng.choice([self.number(tables), self.text(tables), f"{rng.choice(tables)}.t", f"{rng.choice(tables)}.{rng.choice(NUMBERS)}"])
                 for _ in range(rng.randrange(1, 4))]
        query = f"SELECT {distinct}{', '.join(items)} FROM {clause}{where}"
        if rng.random() < 0.3:
            order = ", ".join(f"{k + 1}{rng.choice(['', ' DESC'])} NULLS {rng.choice(['FIRST', 'LAST'])}" for k in range(len(items)))
            query += f" ORDER BY {order}"
            if rng.random() < 0.7:
                query += f" LIMIT {rng.randrange(1, 20)} OFFSET {rng.randrange(3)}"
        elif rng.random() < 0.2:
            clause2, tables2 = self.from_clause()
            query = f"{query} UNION {rng.choice(['', 'ALL '])}SELECT {', '.join('NULL' for _ in items)} FROM {clause2}{self.where(tables2)}"
        return query


def canonical(value):
    """A value in a form that two engines agree on."""
    if value is None:
        return "~"
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, (int, float, decimal.Decimal)):
        number = float(value)
        return "nan" if math.isnan(number) else f"{number:.9g}".replace("-0", "0") if number == 0 else f"{number:.9g}"
    if isinstance(value, (datetime.date, datetime.datetime)):
        return value.isoformat()[:19]
    return str(value)


def run(connection, query):
    """Rows as sorted text, or the error."""
    try:
        rows = connection.execute(query).fetchall()
    except Exception as error:  # Any error is a result to compare.
        return ("error", str(error))
    return ("rows", sorted(tuple(canonical(v) for v in row) for row in rows))


def same(a, b):
    # Engines differ in which rows they evaluate before an error (overflow); an error on one side proves nothing.
    return a[0] == "error" or b[0] == "error" or a[1] == b[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--queries", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=math.inf)
    arguments = parser.parse_args()
    begin = time.monotonic()
    done = differences = errors = 0
    seed = arguments.seed
    while done < arguments.queries and time.monotonic() - begin < arguments.seconds:
        generator = Generator(random.Random(seed))
        setup = []
        for name in ("t0", "t1", "t2"):
            setup += generator.table_sql(name, generator.rng.choice([0, 1, 7, 40, 90]))
            setup += generator.index_sql(name)
            setup += generator.change_sql(name)
        connections = []
        for mode in MODES:
            mode = {k: passes() if v == "all" else v for k, v in mode.items()}
            connections.append(scaup.connect(config=mode))
        other = duckdb.connect() if duckdb else None
        for connection in connections + ([other] if other else []):
            for statement in setup:
                if connection is other and statement.startswith("CREATE INDEX"):
                    continue
                connection.execute(statement)
        for _ in range(50):
            query = generator.query()
            results = [run(connection, query) for connection in connections]
            expected = run(other, query) if other else results[0]
            done += 1
            if results[0][0] == "error":
                errors += 1
                if expected[0] == "rows" and "out of range" not in results[0][1]:
                    print(f"seed {seed}: only Scaup fails: {query}\n  {results[0][1]}")
                    differences += 1
            for mode, result in zip(MODES, results):
                if result[0] != results[0][0] and "internal" in (result[1] + results[0][1] if "error" in (result[0], results[0][0]) and isinstance(result[1], str) and isinstance(results[0][1], str) else ""):
                    differences += 1
                    print(f"seed {seed}, mode {mode}: {query}\n  {result[1]}")
                if not same(result, expected):
                    differences += 1
                    print(f"seed {seed}, mode {mode}: {query}")
                    missing = [r for r in expected[1] if r not in result[1]][:3]
                    extra = [r for r in result[1] if r not in expected[1]][:3]
                    print(f"  {len(expected[1])} rows expected, {len(result[1])} given; missing {missing}, unexpected {extra}")
        seed += 1
    print(f"{done} queries, {errors} of them errors, {differences} differences, last seed {seed - 1}")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
