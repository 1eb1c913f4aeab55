#!/usr/bin/env python3
"""Operators alone over ten million rows, in Scaup, DuckDB, Polars and chDB. `SCAUP_BENCHMARK_ROWS` makes tables of another size (with a `--data` folder of its own)."""

import dataclasses
import os
import sys

from peers import Case, Table
from suite import run

N = int(os.environ.get("SCAUP_BENCHMARK_ROWS", "10000000"))
M = N // 10
WORDS = "['furiously', 'quick', 'special', 'packages', 'requests', 'sleep', 'above', 'the', 'ironic', 'deposits', 'among', 'final', 'accounts', 'haggle', 'zebra', 'bold']"


def random(limit, kind="INTEGER"):
    return f"CAST(floor(random() * {limit}) AS {kind})"


def word():
    return f"({WORDS})[1 + {random(16)}]"


COLUMNS = {  # Of table t: type and how it is made.
    "id": ("BIGINT", "range"),
    "u": ("INTEGER", random(1000000)),
    "k10": ("INTEGER", random(10)),
    "k10k": ("INTEGER", random(10000)),
    "k1m": ("INTEGER", random(M)),
    "k10m": ("INTEGER", random(N)),
    "sparse1m": ("BIGINT", f"hash({random(M)}) % 4611686018427387904"),
    "sparse10m": ("BIGINT", f"hash({random(N)}) % 4611686018427387904"),
    "s10": ("VARCHAR", f"'group ' || {random(10)}"),
    "s10k": ("VARCHAR", f"'customer-' || {random(10000)}"),
    "s1m": ("VARCHAR", f"'customer#' || lpad(CAST({random(M)} AS VARCHAR), 9, '0')"),
    "s10m": ("VARCHAR", f"'customer#' || lpad(CAST({random(N)} AS VARCHAR), 9, '0')"),
    "a": ("BIGINT", random(1000, "BIGINT")),
    "b": ("BIGINT", random(100, "BIGINT")),
    "x": ("DOUBLE", "round(random() * 100, 6)"),
    "y": ("DOUBLE", "random()"),
    "d": ("DATE", f"DATE '1992-01-01' + {random(2500)}"),
    "ts": ("TIMESTAMP", f"TIMESTAMP '2020-01-01' + to_seconds({random(100000000)})"),
    "words": ("VARCHAR", " || ' ' || ".join([word()] * 5)),
}


def keys(name, limit, key):
    """A table of all keys once, in random order, with a value each."""
    return Table(name, f"k {'BIGINT' if 'hash' in key else 'INTEGER'}, v INTEGER",
                 f"SELECT {key}, CAST(range % 1000 AS INTEGER) FROM (SELECT range FROM range({limit}) ORDER BY hash(range))")


SPARSE = "hash(CAST(range AS INTEGER)) % 4611686018427387904"
TABLES = [
    Table("t", ", ".join(f"{name} {kind}" for name, (kind, _) in COLUMNS.items()),
          f"SELECT {', '.join(made for _, made in COLUMNS.values())} FROM range({N})"),
    keys("dense1m", M, "range"),
    keys("dense10m", N, "range"),
    keys("sparse1m", M, SPARSE),
    keys("sparse10m", N, SPARSE),
    Table("spans", "lo INTEGER, hi INTEGER, v INTEGER",
          f"SELECT lo, lo + 1 + {random(20)}, CAST(range % 1000 AS INTEGER) FROM (SELECT range, {random(1000000)} AS lo FROM range({N // 100}))"),
]


def polars():
    import polars as module

    return module


def col(name):
    return polars().col(name)


def total(condition):
    """Sum and count of the rows of t that a Polars condition lets through."""
    return lambda tables: tables["t"].filter(condition()).select(n=polars().len(), total=col("a").sum())


def filtered(percent):
    limit = int(percent * 10000)
    return Case(f"SELECT count(*) AS n, sum(a) AS total FROM t WHERE u < {limit}", total(lambda: col("u") < limit))


def within(key, values):
    """Rows of which a column has one of some values."""
    constants = ", ".join(f"'{value}'" if isinstance(value, str) else str(value) for value in values)
    return Case(f"SELECT count(*) AS n, sum(a) AS total FROM t WHERE {key} IN ({constants})", total(lambda: col(key).is_in(values)))


def grouped(key):
    return Case(f"SELECT {key}, count(*) AS n, sum(a) AS total FROM t GROUP BY {key}",
                lambda tables: tables["t"].group_by(key).agg(polars().len().alias("n"), col("a").sum().alias("total")))


def distinct(key):
    return Case(f"SELECT count(DISTINCT {key}) AS n FROM t", lambda tables: tables["t"].select(n=col(key).n_unique()))


def joined(key, table):
    return Case(f"SELECT count(*) AS n, sum(t.a + {table}.v) AS total FROM t JOIN {table} ON t.{key} = {table}.k",
                lambda tables: tables["t"].select(key, "a").join(tables[table], left_on=key, right_on="k")
                .select(n=polars().len(), total=(col("a") + col("v")).sum()))


def ordered(*keys):
    names = list(keys) + ["id"]
    return Case(f"SELECT {', '.join(names)} FROM t ORDER BY {', '.join(keys)}", lambda tables: tables["t"].select(names).sort(keys))


def top(*keys):
    names = list(keys) + ["id"]
    return Case(f"SELECT {', '.join(names)} FROM t ORDER BY {', '.join(keys)}, id LIMIT 100",
                lambda tables: tables["t"].select(names).sort([*keys, "id"]).head(100))


def summed(sql, expression, chdb=""):
    """The sum of an expression over all of t."""
    return Case(f"SELECT sum({sql}) AS total FROM t", lambda tables: tables["t"].select(total=expression().sum()),
                f"SELECT sum({chdb}) AS total FROM t" if chdb else "")


def matched(sql, condition):
    return Case(f"SELECT count(*) AS n FROM t WHERE {sql}", lambda tables: tables["t"].filter(condition()).select(n=polars().len()))


def windowed(sql, make):
    return Case(f"SELECT id, {sql} AS w FROM t", lambda tables: make(tables["t"]))


def case_expression():
    module = polars()
    return (module.when(col("k10") < 3).then(col("a")).when(col("k10") < 6).then(col("b")).when(col("u") < 500000).then(-col("a")).otherwise(0))


CASES = {
    "scan": Case("SELECT sum(a) AS a, sum(x) AS x, max(u) AS u FROM t", lambda tables: tables["t"].select(col("a").sum(), col("x").sum(), col("u").max())),
    "filter 0.1%": filtered(0.1),
    "filter 1%": filtered(1),
    "filter 10%": filtered(10),
    "filter 50%": filtered(50),
    "filter 90%": filtered(90),
    "filter by four conditions": Case("SELECT count(*) AS n, sum(a) AS total FROM t WHERE u < 500000 AND b < 50 AND x < 50 AND k10 <> 3",
                                      total(lambda: (col("u") < 500000) & (col("b") < 50) & (col("x") < 50) & (col("k10") != 3))),
    "count of all rows": Case("SELECT count(*) AS n FROM t", lambda tables: tables["t"].select(n=polars().len())),
    "IN of 1000 integers": within("u", [number * 997 for number in range(1000)]),
    "IN of 1000 neighbours": within("u", list(range(5000, 6000))),
    "IN of 100 texts": within("s10k", [f"customer-{number * 97}" for number in range(100)]),
    "arithmetic of integers": summed("a * b + u - k10", lambda: col("a") * col("b") + col("u") - col("k10")),
    "arithmetic of doubles": summed("x * (1 - y) * (1 + y)", lambda: col("x") * (1 - col("y")) * (1 + col("y"))),
    "CASE": summed("CASE WHEN k10 < 3 THEN a WHEN k10 < 6 THEN b WHEN u < 500000 THEN -a ELSE 0 END", case_expression),
    "group by 10 integers": grouped("k10"),
    "group by 10k integers": grouped("k10k"),
    "group by 1M integers": grouped("k1m"),
    "group by 10M integers": grouped("k10m"),
    "group by 10M sparse integers": grouped("sparse10m"),
    "group by 10 strings": grouped("s10"),
    "group by 10k strings": grouped("s10k"),
    "group by 1M strings": grouped("s1m"),
    "group by 10M strings": grouped("s10m"),
    "count distinct 1M integers": distinct("k1m"),
    "count distinct 10M integers": distinct("k10m"),
    "count distinct 1M strings": distinct("s1m"),
    "join 10M x 1M dense": joined("k1m", "dense1m"),
    "join 10M x 1M sparse": joined("sparse1m", "sparse1m"),
    "join 10M x 10M dense": joined("k10m", "dense10m"),
    "join 10M x 10M sparse": joined("sparse10m", "sparse10m"),
    "semi join": Case("SELECT count(*) AS n, sum(a) AS total FROM t WHERE k1m IN (SELECT k FROM dense1m WHERE v < 300)",
                      lambda tables: tables["t"].join(tables["dense1m"].filter(col("v") < 300), left_on="k1m", right_on="k", how="semi")
                      .select(n=polars().len(), total=col("a").sum())),
    "points in intervals": Case("SELECT count(*) AS n, sum(a) AS total FROM t JOIN spans ON u >= lo AND u < hi",
                                lambda tables: tables["t"].select("u", "a").join_where(tables["spans"], col("u") >= col("lo"), col("u") < col("hi"))
                                .select(n=polars().len(), total=col("a").sum())),
    "intervals without a point": Case("SELECT count(*) AS n FROM spans WHERE NOT EXISTS (SELECT 1 FROM t WHERE k10 = 3 AND u >= lo AND u < hi)",
                                      lambda tables: tables["spans"].with_row_index("i").join_where(tables["t"].filter(col("k10") == 3).select("u"), col("u") >= col("lo"), col("u") < col("hi"))
                                      .select(n=N // 100 - col("i").n_unique().cast(int))),
    "intervals that overlap": Case("SELECT count(*) AS n, sum(b.v) AS total FROM spans a JOIN spans b ON a.lo < b.hi AND b.lo < a.hi",
                                   lambda tables: tables["spans"].join_where(tables["spans"], col("lo") < col("hi_right"), col("lo_right") < col("hi"))
                                   .select(n=polars().len(), total=col("v_right").sum())),
    "pairs in order": Case("SELECT count(*) AS n, sum(b.v) AS total FROM spans a JOIN spans b ON a.lo < b.lo WHERE a.v < 200 AND b.v < 200",
                           lambda tables: tables["spans"].filter(col("v") < 200).join_where(tables["spans"].filter(col("v") < 200), col("lo") < col("lo_right"))
                           .select(n=polars().len(), total=col("v_right").sum())),
    "sort by integer": ordered("u"),
    "sort by string": ordered("s1m"),
    "sort by three keys": ordered("k10", "d", "x"),
    "top 100 by one key": top("u"),
    "top 100 by three keys": top("k10", "d", "x"),
    "row_number": windowed("row_number() OVER (PARTITION BY k10k ORDER BY x, id)",
                           lambda table: table.select("id", w=polars().struct("x", "id").rank("ordinal").over("k10k"))),
    "running sum": windowed("sum(a) OVER (ORDER BY id)", lambda table: table.select("id", w=col("a").cum_sum())),
    "running sum by group": windowed("sum(a) OVER (PARTITION BY k10k ORDER BY id)", lambda table: table.select("id", w=col("a").cum_sum().over("k10k"))),
    "moving average": windowed("avg(x) OVER (ORDER BY id ROWS BETWEEN 9 PRECEDING AND CURRENT ROW)",
                               lambda table: table.select("id", w=col("x").rolling_mean(10, min_samples=1))),
    "moving median": windowed("median(x) OVER (ORDER BY id ROWS BETWEEN 99 PRECEDING AND CURRENT ROW)",
                              lambda table: table.select("id", w=col("x").rolling_median(100, min_samples=1))),
    "ASOF join": Case("SELECT count(*) AS n, sum(e.v) AS total FROM t ASOF JOIN sparse1m e ON t.sparse10m >= e.k",
                      lambda tables: tables["t"].select("sparse10m").sort("sparse10m").join_asof(tables["sparse1m"].sort("k"), left_on="sparse10m", right_on="k")
                      .filter(col("v").is_not_null()).select(n=polars().len(), total=col("v").sum()),
                      "SELECT count(*) AS n, sum(e.v) AS total FROM (SELECT 1 AS one, sparse10m FROM t) AS l ASOF JOIN (SELECT 1 AS one, k, v FROM sparse1m) AS e ON l.one = e.one AND l.sparse10m >= e.k"),
    "LIKE one word": matched("words LIKE '%zebra%'", lambda: col("words").str.contains("zebra", literal=True)),
    "LIKE two words": matched("words LIKE '%special%requests%'", lambda: col("words").str.contains("special.*requests")),
    "LIKE a prefix": matched("words LIKE 'special%'", lambda: col("words").str.starts_with("special")),
    "regular expression": matched("words ~ '(ironic|bold) [a-z]+s '", lambda: col("words").str.contains("(ironic|bold) [a-z]+s ")),
    "upper": summed("length(upper(words))", lambda: col("words").str.to_uppercase().str.len_chars()),
    "substring": Case("SELECT max(substring(words, 5, 6)) AS text FROM t", lambda tables: tables["t"].select(text=col("words").str.slice(4, 6).max())),
    "concatenation": Case("SELECT max(s10 || s10k) AS text FROM t", lambda tables: tables["t"].select(text=(col("s10") + col("s10k")).max())),
    "extract year and month": summed("extract(year FROM d) * 12 + extract(month FROM d)",
                                     lambda: col("d").dt.year().cast(int) * 12 + col("d").dt.month().cast(int)),
    "group by date_trunc": Case("SELECT date_trunc('month', ts) AS m, count(*) AS n FROM t GROUP BY 1",
                                lambda tables: tables["t"].group_by(col("ts").dt.truncate("1mo").alias("m")).agg(n=polars().len()),
                                "SELECT toStartOfMonth(ts) AS m, count(*) AS n FROM t GROUP BY 1"),
    "cast integer to text": summed("length(CAST(u AS VARCHAR))", lambda: col("u").cast(polars().String).str.len_chars()),
    "cast double to text": summed("length(CAST(x AS VARCHAR))", lambda: col("x").cast(polars().String).str.len_chars()),
    "cast text to integer": summed("CAST(substring(s1m, 10) AS INTEGER)", lambda: col("s1m").str.slice(9).cast(polars().Int32)),
    "median": Case("SELECT median(x) AS m FROM t", lambda tables: tables["t"].select(m=col("x").median())),
    "median of 10k groups": Case("SELECT k10k, median(x) AS m FROM t GROUP BY k10k", lambda tables: tables["t"].group_by("k10k").agg(m=col("x").median()),
                                 "SELECT k10k, quantileExactInclusive(0.5)(x) AS m FROM t GROUP BY k10k"),
}

# Where their SQL is another one.
CHDB = {
    "regular expression": "SELECT count(*) AS n FROM t WHERE match(words, '(ironic|bold) [a-z]+s ')",
    "count distinct 1M integers": "SELECT uniqExact(k1m) AS n FROM t",
    "count distinct 10M integers": "SELECT uniqExact(k10m) AS n FROM t",
    "count distinct 1M strings": "SELECT uniqExact(s1m) AS n FROM t",
    "median": "SELECT quantileExactInclusive(0.5)(x) AS m FROM t",
}
DUCKDB = {"regular expression": "SELECT count(*) AS n FROM t WHERE regexp_matches(words, '(ironic|bold) [a-z]+s ')"}
CASES = {name: dataclasses.replace(case, chdb=CHDB.get(name, case.chdb), duckdb=DUCKDB.get(name, "")) for name, case in CASES.items()}

if __name__ == "__main__":
    sys.exit(run("Operators", "operators", TABLES, CASES))
