"""Compares random forms of queries: WITH (also recursive), set operations, GROUPING SETS, correlated subqueries, LATERAL.

Usage: queries.py [--queries N] [--seed S] [--seconds T] [--psql 'psql -d db']
Scaup is compared with PostgreSQL where --psql is given, else with DuckDB, and with itself in other modes. Prints each
difference with the seed that makes it again; exits 1 if there was one.
"""

import argparse
import math
import random
import sys
import time

import scaup
from differential import MODES, duckdb, passes, run
from windows import run_psql

TABLES = {"t": "abc", "u": "abd", "v": "ade"}


class Queries:
    """Makes tables and queries from one random source. All columns are integers."""

    def __init__(self, rng):
        self.rng = rng
        self.names = 0

    def tables(self):
        rng = self.rng
        statements = []
        for name, columns in TABLES.items():
            statements.append(f"CREATE TABLE {name} ({', '.join(c + ' INTEGER' for c in columns)})")
            rows = rng.choice([0, 1, 5, 12, 12, 20])
            tuples = ["(" + ", ".join(rng.choice(["NULL", "0", "1", "2", "2", "3", "4", "5", "9"]) for _ in columns) + ")" for _ in range(rows)]
            if tuples:
                statements.append(f"INSERT INTO {name} VALUES {', '.join(tuples)}")
        return statements

    def name(self):
        self.names += 1
        return f"q{self.names}"

    def column(self, scope):
        """`scope`: pairs of alias and columns, innermost last."""
        alias, columns = self.rng.choice(scope)
        return f"{alias}.{self.rng.choice(columns)}"

    def value(self, scope, depth):
        rng = self.rng
        kind = rng.randrange(10)
        if kind < 5 or depth == 0:
            return self.column(scope) if rng.random() < 0.85 else str(rng.randrange(5))
        if kind == 5:
            return f"({self.column(scope)} + {self.column(scope)})"
        if kind == 6:
            return f"coalesce({self.column(scope)}, {rng.randrange(4)})"
        if kind == 7:
            return f"CASE WHEN {self.condition(scope, depth - 1)} THEN {self.column(scope)} ELSE 7 END"
        return self.scalar(scope, depth - 1)

    def aggregate(self, scope, depth=0):
        rng = self.rng
        x = self.value(scope, depth)
        call = rng.choice([f"sum({x})", "count(*)", f"count({x})", f"max({x})", f"min({x})", f"count(DISTINCT {x})", f"sum(DISTINCT {x})"])
        return call + (f" FILTER (WHERE {self.condition(scope, 0)})" if rng.random() < 0.15 else "")

    def scalar(self, scope, depth):
        """A subquery with one row at most."""
        rng = self.rng
        table, inner = self.source(scope, depth)
        all_columns = scope + inner
        where = f" WHERE {self.condition(all_columns, depth)}" if rng.random() < 0.8 else ""
        kind = rng.randrange(4)
        if kind == 0:
            x = self.value(all_columns, 0)
            return f"(SELECT {x} FROM {table}{where} ORDER BY {x} {rng.choice(['', 'DESC '])}NULLS LAST LIMIT 1{rng.choice(['', ' OFFSET 1'])})"
        having = f" HAVING count(*) > {rng.randrange(3)}" if kind == 1 else ""
        return f"(SELECT {self.aggregate(all_columns if rng.random() < 0.3 else inner)} FROM {table}{where}{having})"

    def condition(self, scope, depth):
        rng = self.rng
        op = rng.choice(["=", "=", "<>", "<", "<=", ">"])
        kind = rng.randrange(12)
        if kind < 4 or depth == 0:
            return f"{self.column(scope)} {op} {self.value(scope, 0)}"
        if kind == 4:
            return f"{self.column(scope)} IS {rng.choice(['', 'NOT '])}NULL"
        if kind == 5:
            return f"({self.condition(scope, depth - 1)} {rng.choice(['AND', 'OR'])} {self.condition(scope, depth - 1)})"
        if kind == 6:
            return f"NOT ({self.condition(scope, depth - 1)})"
        if kind == 7:
            return f"{self.value(scope, 0)} {op} {self.scalar(scope, depth - 1)}"
        table, inner = self.source(scope, depth - 1)
        where = f" WHERE {self.condition(scope + inner, depth - 1)}" if rng.random() < 0.8 else ""
        if kind == 8:
            return f"{rng.choice(['', 'NOT '])}EXISTS (SELECT 1 FROM {table}{where}{rng.choice(['', '', ' OFFSET 1'])})"
        item = self.column(inner)
        if rng.random() < 0.2:
            where += f" {rng.choice(['UNION', 'EXCEPT', 'INTERSECT', 'EXCEPT ALL'])} SELECT {self.column(scope)}"
        if kind == 9:
            return f"{self.column(scope)} {op} {rng.choice(['ANY', 'ALL'])} (SELECT {item} FROM {table}{where})"
        return f"{self.column(scope)} {rng.choice(['', 'NOT '])}IN (SELECT {item} FROM {table}{where})"

    def source(self, outer, depth, with_names=()):
        """A FROM clause and its columns."""
        rng = self.rng
        parts = []
        text = ""
        for i in range(rng.choice([1, 1, 2] if depth < 2 else [1, 2, 2, 3])):
            alias = self.name()
            lateral = ""
            is_last_of_with = with_names and rng.random() < 0.5
            if is_last_of_with:
                name, columns = rng.choice(with_names)
                item = f"{name} AS {alias}"
            elif depth > 0 and rng.random() < 0.35:
                can_see = parts if parts and rng.random() < 0.6 else []
                lateral = "LATERAL " if can_see else ""
                query, columns = self.select(outer + can_see, depth - 1, must_name=True)
                item = f"{lateral}({query}) AS {alias}"
            else:
                name = rng.choice(list(TABLES))
                columns = TABLES[name]
                item = f"{name} AS {alias}"
            entry = (alias, list(columns))
            if not text:
                text = item
            elif lateral:
                text += rng.choice([f" CROSS JOIN {item}", f" LEFT JOIN {item} ON {self.condition(parts + [entry], 0)}"])
            else:
                kind = rng.choice(["JOIN", "JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN"])
                condition = f"{self.column(parts)} = {self.column([entry])}"
                if kind != "FULL JOIN" and rng.random() < 0.3:
                    condition += f" AND {self.condition(parts + [entry], 0)}"
                text += f" {kind} {item} ON {condition}"
            parts.append(entry)
        return text, parts

    def grouping(self, columns):
        rng = self.rng
        kind = rng.randrange(5)
        inside = ", ".join(columns)
        if kind == 0:
            return f"ROLLUP ({inside})"
        if kind == 1:
            return f"CUBE ({inside})"
        if kind == 2:
            return f"GROUPING SETS (({inside}), ({columns[0]}), ())"
        if kind == 3:
            return f"{columns[0]}, ROLLUP ({inside})"
        return inside

    def select(self, outer, depth, must_name=False, with_names=()):
        """A query, and the names of its columns."""
        rng = self.rng
        table, inner = self.source(outer, depth, with_names)
        scope = outer + inner
        where = f" WHERE {self.condition(scope, depth)}" if rng.random() < 0.7 else ""
        kind = rng.randrange(6)
        if kind == 0:
            groups = list(dict.fromkeys(self.column(inner) for _ in range(rng.choice([1, 2]))))
            items = groups + [self.aggregate(scope), self.aggregate(inner)]
            is_plain = rng.random() < 0.4
            clause = ", ".join(groups) if is_plain else self.grouping(groups)
            if not is_plain and rng.random() < 0.5:
                items.append(f"grouping({', '.join(groups)})")
            having = f" HAVING count(*) > {rng.randrange(3)}" if rng.random() < 0.3 else ""
            names = [self.name() for _ in items]
            return f"SELECT {', '.join(f'{i} AS {n}' for i, n in zip(items, names))} FROM {table}{where} GROUP BY {clause}{having}", names
        items = [self.value(scope, depth) for _ in range(rng.choice([1, 2, 3]))]
        if kind == 1:
            items.append(f"{rng.choice(['count(*)', 'sum(' + self.column(inner) + ')', 'max(' + self.column(scope) + ')'])} OVER (PARTITION BY {self.column(inner)})")
        names = [self.name() for _ in items]
        listed = ", ".join(f"{i} AS {n}" for i, n in zip(items, names))
        if kind == 2:
            order = ", ".join(f"{i + 1} {rng.choice(['', 'DESC '])}NULLS {rng.choice(['FIRST', 'LAST'])}" for i in range(len(names)))
            limit = rng.choice([" LIMIT 3", " LIMIT 2 OFFSET 1", " OFFSET 2", " FETCH FIRST 2 ROWS WITH TIES" if not must_name and not duckdb_only else " LIMIT 1"])
            return f"SELECT {rng.choice(['', 'DISTINCT '])}{listed} FROM {table}{where} ORDER BY {order}{limit}", names
        if kind == 3:
            first = f"SELECT {rng.choice(['', 'DISTINCT '])}{listed} FROM {table}{where}"
            second_table, second = self.source(outer, 0, with_names)
            others = ", ".join(self.column(outer + second) for _ in names)
            operation = rng.choice(["UNION", "UNION ALL", "INTERSECT", "EXCEPT", "INTERSECT ALL", "EXCEPT ALL"])
            return f"{first} {operation} SELECT {others} FROM {second_table}", names
        return f"SELECT {rng.choice(['', '', 'DISTINCT '])}{listed} FROM {table}{where}", names

    def query(self):
        rng = self.rng
        depth = rng.choice([1, 2, 2, 3])
        if rng.random() < 0.5:
            return self.select([], depth)[0]
        parts, with_names = [], []
        is_recursive = rng.random() < 0.4
        for _ in range(rng.choice([1, 2])):
            name = self.name()
            if is_recursive and rng.random() < 0.7:
                seed_table, seed = self.source([], 0)
                columns = [self.name(), self.name()]
                edge = rng.choice(list(TABLES))
                step = f"SELECT e.{rng.choice(TABLES[edge])}, r.{columns[1]} + 1 FROM {name} AS r JOIN {edge} AS e ON e.a = r.{columns[0]} WHERE r.{columns[1]} < {rng.randrange(1, 5)}"
                text = f"SELECT {self.column(seed)}, 0 FROM {seed_table} UNION {step}"
                parts.append(f"{name}({', '.join(columns)}) AS ({text})")
            else:
                text, columns = self.select([], depth - 1, must_name=True, with_names=with_names)
                parts.append(f"{name} AS {rng.choice(['', '', 'MATERIALIZED ', 'NOT MATERIALIZED '])}({text})")
            with_names.append((name, columns))
        main = self.select([], depth, with_names=with_names)[0]
        return f"WITH {'RECURSIVE ' if is_recursive else ''}{', '.join(parts)} {main}"


duckdb_only = True


# What Scaup refuses and PostgreSQL does not; and constants in ORDER BY, which PostgreSQL takes for nothing below EXISTS.
NOT_COMPARED = ("aggregate of the outer query's columns", "ORDER BY position")


def main():
    global duckdb_only
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--queries", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=math.inf)
    parser.add_argument("--psql", default="")
    arguments = parser.parse_args()
    duckdb_only = not arguments.psql
    begin = time.monotonic()
    done = errors = differences = 0
    seed = arguments.seed
    while done < arguments.queries and time.monotonic() - begin < arguments.seconds:
        queries = Queries(random.Random(seed))
        setup = queries.tables()
        texts = [queries.query() for _ in range(25)]
        connections = [scaup.connect(config={k: passes() if v == "all" else v for k, v in mode.items()}) for mode in MODES]
        other = duckdb.connect() if duckdb and duckdb_only else None
        for connection in connections + ([other] if other else []):
            for statement in setup:
                connection.execute(statement)
        expected = run_psql(arguments.psql, setup, texts) if arguments.psql else [run(other, text) if other else None for text in texts]
        for text, wanted in zip(texts, expected):
            results = [(f"mode {mode}", run(connection, text)) for mode, connection in zip(MODES, connections)]
            done += 1
            first = results[0][1]
            errors += first[0] == "error"
            # psql gives no rows for a query that fails; DuckDB does not know all forms.
            is_refused = wanted is None or wanted[0] == "error" or (arguments.psql and not wanted[1] and first[0] == "error" and "more than one row" in first[1])
            for name, result in results[1:] + ([] if is_refused else [("PostgreSQL" if arguments.psql else "DuckDB", wanted)]):
                if result[0] == first[0] and (result[0] == "error" or result[1] == first[1]):
                    continue
                if "error" in (result[0], first[0]) and "more than one row" in str(result[1]) + str(first[1]):
                    continue  # Whether a row that fails is reached may depend on the plan.
                if "error" in (result[0], first[0]) and any(known in str(first[1]) for known in NOT_COMPARED):
                    continue
                differences += 1
                print(f"seed {seed}, {name}: {text}")
                if "error" in (result[0], first[0]):
                    print(f"  {first[1] if first[0] == 'error' else result[1]}")
                else:
                    print(f"  missing {[r for r in result[1] if r not in first[1]][:3]}, unexpected {[r for r in first[1] if r not in result[1]][:3]}, "
                          f"rows {len(result[1])} expected, {len(first[1])} given")
        seed += 1
    print(f"{done} queries, {errors} of them errors, {differences} differences, last seed {seed - 1}")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
