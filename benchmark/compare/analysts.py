#!/usr/bin/env python3
"""What analysts write beyond standard SQL, over ten million rows, in Scaup, DuckDB and Polars: ASOF joins, PIVOT, functions of lists, sums of wide decimals.

`SCAUP_BENCHMARK_ROWS` makes tables of another size (with a `--data` folder of its own)."""

import os
import sys

from peers import Case, Table
from suite import run

N = int(os.environ.get("SCAUP_BENCHMARK_ROWS", "10000000"))
PRIME = 7919  # A factor that N does not share: moments come once each, in no order.
MOMENT = f"TIMESTAMP '2020-01-01' + to_microseconds(range * {PRIME} % {N} * 10 + {{}})"
SYMBOL = "CAST(floor(random() * 1000) AS INTEGER)"

TABLES = [
    Table("trades", "moment TIMESTAMP, symbol INTEGER, amount BIGINT", f"SELECT {MOMENT.format(5)}, {SYMBOL}, range % 1000 FROM range({N})"),
    Table("quotes", "moment TIMESTAMP, symbol INTEGER, bid BIGINT", f"SELECT {MOMENT.format(0)}, {SYMBOL}, range % 777 FROM range({N})"),
    Table("sales", "shop INTEGER, month INTEGER, amount BIGINT, wide DECIMAL(38,6), exact DECIMAL(18,3)",
          f"SELECT CAST(floor(random() * 10000) AS INTEGER), 1 + CAST(floor(random() * 12) AS INTEGER), range % 1000, (range * 7919 % 1000003) / 1000, (range * 7919 % 1000003) / 1000 FROM range({N})"),
    Table("lists", "l INTEGER[]", f"SELECT [range % 1000, range % 77, range % 13] FROM range({N})"),
]


def polars():
    import polars as module

    return module


def col(name):
    return polars().col(name)


def asof(tables):
    """Both sides in the order of their moments first, as Polars asks for."""
    joined = tables["trades"].sort("moment").join_asof(tables["quotes"].sort("moment"), on="moment", by="symbol", strategy="backward")
    return joined.filter(col("bid").is_not_null()).select(n=polars().len(), total=(col("amount") * col("bid")).sum())


ASOF = "SELECT count(*) AS n, sum(amount * bid) AS total FROM trades ASOF JOIN quotes ON trades.symbol = quotes.symbol AND trades.moment >= quotes.moment"
ASOF_ALL = "SELECT count(*) AS n, sum(amount * bid) AS total FROM trades ASOF JOIN quotes ON trades.moment >= quotes.moment"
PIVOT = "SELECT * FROM (PIVOT (SELECT shop, month, amount FROM sales) ON month IN (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12) USING sum(amount) GROUP BY shop) AS p"

CASES = {
    "ASOF join by key": Case(ASOF, asof),
    "ASOF join without key": Case(ASOF_ALL, lambda tables: tables["trades"].sort("moment").join_asof(tables["quotes"].sort("moment"), on="moment", strategy="backward")
                                  .filter(col("bid").is_not_null()).select(n=polars().len(), total=(col("amount") * col("bid")).sum())),
    "PIVOT": Case(PIVOT, lambda tables: tables["sales"].group_by("shop").agg([col("amount").filter(col("month") == month).sum().alias(str(month)) for month in range(1, 13)])),
    "UNPIVOT": Case(f"SELECT count(*) AS n, sum(v) AS total FROM (UNPIVOT ({PIVOT}) ON COLUMNS(* EXCLUDE (shop)) INTO NAME m VALUE v) AS u",
                    lambda tables: tables["sales"].group_by("shop", "month").agg(v=col("amount").sum()).select(n=polars().len(), total=col("v").sum())),
    "list_transform": Case("SELECT sum(list_sum(list_transform(l, lambda x: x + 1))) AS total FROM lists",
                           lambda tables: tables["lists"].select(total=col("l").list.eval(polars().element() + 1).list.sum().cast(int).sum())),
    "list_filter": Case("SELECT sum(len(list_filter(l, lambda x: x % 2 = 0))) AS total FROM lists",
                        lambda tables: tables["lists"].select(total=col("l").list.eval(polars().element().filter(polars().element() % 2 == 0)).list.len().sum())),
    "sum of DECIMAL(38,6)": Case("SELECT sum(wide) AS total FROM sales", lambda tables: tables["sales"].select(total=col("wide").sum())),
    "sums of DECIMAL(38,6) by group": Case("SELECT shop, sum(wide) AS total FROM sales GROUP BY shop", lambda tables: tables["sales"].group_by("shop").agg(total=col("wide").sum())),
    "sum of DECIMAL(18,3)": Case("SELECT sum(exact) AS total FROM sales", lambda tables: tables["sales"].select(total=col("exact").sum())),
    "product of decimals": Case("SELECT sum(exact * exact) AS total FROM sales", lambda tables: tables["sales"].select(total=(col("exact") * col("exact")).sum())),
}

if __name__ == "__main__":
    sys.exit(run("SQL of analysts", "analysts", TABLES, CASES))
