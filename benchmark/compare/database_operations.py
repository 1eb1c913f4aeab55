#!/usr/bin/env python3
"""The group-by and join suites of the public db-benchmark, ten million rows, in Scaup, DuckDB, Polars and chDB. Strings are plain strings everywhere."""

import os
import sys

from peers import Case, Table
from suite import run

N = int(os.environ.get("SCAUP_BENCHMARK_ROWS", "10000000"))
K = 100


def random(first, last):
    return f"CAST({first} + floor(random() * {last - first + 1}) AS INTEGER)"


def text(number, digits=0):
    return f"'id' || lpad(CAST({number} AS VARCHAR), {digits}, '0')" if digits else f"'id' || {number}"


GROUPS = Table("g", "id1 VARCHAR, id2 VARCHAR, id3 VARCHAR, id4 INTEGER, id5 INTEGER, id6 INTEGER, v1 INTEGER, v2 INTEGER, v3 DOUBLE",
               f"SELECT {text(random(1, K), 3)}, {text(random(1, K), 3)}, {text(random(1, N // K), 10)}, {random(1, K)}, {random(1, K)}, "
               f"{random(1, N // K)}, {random(1, 5)}, {random(1, 15)}, round(random() * 100, 6) FROM range({N})")


def keys(limit, side):
    """Numbers that a side has: nine of ten are shared by both sides; the left has the rest up to limit, the right others above it."""
    own = f"range + {limit // 10}" if side == "right" else "range"
    return f"SELECT CAST(1 + CASE WHEN range < {limit - limit // 10} THEN range + {limit // 10} ELSE {own} - {limit - limit // 10 if side == 'left' else 0} END AS INTEGER) AS k"


def drawn(limit):
    """A random key of the left side of a table of that size."""
    return random(1, limit)


SMALL, MEDIUM, BIG = max(N // 1000000, 1) if N >= 1000000 else 1, N // 1000, N
TABLES = [
    GROUPS,
    Table("x", "id1 INTEGER, id2 INTEGER, id3 INTEGER, id4 VARCHAR, id5 VARCHAR, id6 VARCHAR, v1 DOUBLE",
          f"SELECT i1, i2, i3, 'id' || i1, 'id' || i2, 'id' || i3, round(random() * 100, 6) FROM (SELECT {drawn(SMALL)} AS i1, {drawn(MEDIUM)} AS i2, {drawn(BIG)} AS i3 "
          f"FROM range({N}))"),
    Table("small", "id1 INTEGER, id4 VARCHAR, v2 DOUBLE",
          f"SELECT k, 'id' || k, round(random() * 100, 6) FROM ({keys(SMALL, 'right')} FROM range({SMALL})) ORDER BY random()"),
    Table("medium", "id1 INTEGER, id2 INTEGER, id4 VARCHAR, id5 VARCHAR, v2 DOUBLE",
          f"SELECT i1, k, 'id' || i1, 'id' || k, round(random() * 100, 6) FROM (SELECT {drawn(SMALL)} AS i1, k FROM ({keys(MEDIUM, 'right')} FROM range({MEDIUM}))) "
          "ORDER BY random()"),
    Table("big", "id1 INTEGER, id2 INTEGER, id3 INTEGER, id4 VARCHAR, id5 VARCHAR, id6 VARCHAR, v2 DOUBLE",
          f"SELECT i1, i2, k, 'id' || i1, 'id' || i2, 'id' || k, round(random() * 100, 6) FROM (SELECT {drawn(SMALL)} AS i1, {drawn(MEDIUM)} AS i2, k "
          f"FROM ({keys(BIG, 'right')} FROM range({BIG}))) ORDER BY random()"),
]


def col(name):
    import polars

    return polars.col(name)


def grouped(names, select, **aggregates):
    keys_of = names.split(", ")
    return Case(f"SELECT {names}, {select} FROM g GROUP BY {names}",
                lambda tables: tables["g"].group_by(keys_of).agg(**{name: make() for name, make in aggregates.items()}))


def correlation():
    import polars

    return polars.corr("v1", "v2") ** 2


def rows():
    import polars

    return polars.len().cast(polars.Int64)


def joined(table, key, columns, how="inner"):
    """All columns of x, and some of the other table's by new names."""
    others = ", ".join(f"{table}.{name} AS {table}_{name}" for name in columns)
    left = "x.id1, x.id2, x.id3, x.id4, x.id5, x.id6, x.v1"
    kind = "LEFT JOIN" if how == "left" else "JOIN"
    sql = f"SELECT {left}, {others}, {table}.v2 FROM x {kind} {table} ON x.{key} = {table}.{key}"
    return Case(sql, lambda tables: tables["x"].join(tables[table].select(key, *(col(name).alias(f"{table}_{name}") for name in columns), "v2"), on=key, how=how))


CASES = {
    "group by q1": grouped("id1", "sum(v1) AS v1", v1=lambda: col("v1").sum()),
    "group by q2": grouped("id1, id2", "sum(v1) AS v1", v1=lambda: col("v1").sum()),
    "group by q3": grouped("id3", "sum(v1) AS v1, avg(v3) AS v3", v1=lambda: col("v1").sum(), v3=lambda: col("v3").mean()),
    "group by q4": grouped("id4", "avg(v1) AS v1, avg(v2) AS v2, avg(v3) AS v3", v1=lambda: col("v1").mean(), v2=lambda: col("v2").mean(),
                           v3=lambda: col("v3").mean()),
    "group by q5": grouped("id6", "sum(v1) AS v1, sum(v2) AS v2, sum(v3) AS v3", v1=lambda: col("v1").sum(), v2=lambda: col("v2").sum(),
                           v3=lambda: col("v3").sum()),
    "group by q6": Case("SELECT id4, id5, median(v3) AS m, stddev_samp(v3) AS s FROM g GROUP BY id4, id5",
                        lambda tables: tables["g"].group_by("id4", "id5").agg(m=col("v3").median(), s=col("v3").std()),
                        "SELECT id4, id5, quantileExactInclusive(0.5)(v3) AS m, stddevSampStable(v3) AS s FROM g GROUP BY id4, id5"),
    "group by q7": grouped("id3", "max(v1) - min(v2) AS r", r=lambda: col("v1").max() - col("v2").min()),
    "group by q8": Case("SELECT id6, v3 FROM (SELECT id6, v3, row_number() OVER (PARTITION BY id6 ORDER BY v3 DESC) AS n FROM g) AS r WHERE n <= 2",
                        lambda tables: tables["g"].group_by("id6").agg(col("v3").top_k(2)).explode("v3"),
                        "SELECT id6, v3 FROM g ORDER BY v3 DESC LIMIT 2 BY id6"),
    "group by q9": Case("SELECT id2, id4, power(corr(v1, v2), 2) AS r2 FROM g GROUP BY id2, id4",
                        lambda tables: tables["g"].group_by("id2", "id4").agg(r2=correlation()),
                        "SELECT id2, id4, pow(corrStable(v1, v2), 2) AS r2 FROM g GROUP BY id2, id4"),
    "group by q10": grouped("id1, id2, id3, id4, id5, id6", "sum(v3) AS v3, count(*) AS n", v3=lambda: col("v3").sum(), n=rows),
    "join q1": joined("small", "id1", ["id4"]),
    "join q2": joined("medium", "id2", ["id1", "id4", "id5"]),
    "join q3": joined("medium", "id2", ["id1", "id4", "id5"], "left"),
    "join q4": joined("medium", "id5", ["id1", "id2", "id4"]),
    "join q5": joined("big", "id3", ["id1", "id2", "id4", "id5", "id6"]),
}

if __name__ == "__main__":
    sys.exit(run("db-benchmark", "database_operations", TABLES, CASES))
