#!/usr/bin/env python3
"""Questions of web analytics over one Parquet file of 100 columns, in the manner of ClickBench, in Scaup, DuckDB, Polars and chDB. Every query reads the file.
`SCAUP_BENCHMARK_ROWS` makes a file of another length (with a `--data` folder of its own)."""

import os
import sys

from peers import Case, Table
from suite import run

N = int(os.environ.get("SCAUP_BENCHMARK_ROWS", "5000000"))
WORDS = "['buy', 'cheap', 'photo', 'map', 'weather', 'moscow', 'film', 'game', 'online', 'book', 'car', 'news', 'google', 'recipe', 'hotel', 'music']"


def skewed(limit, kind="INTEGER"):
    """Small numbers are frequent."""
    return f"CAST(floor(pow(random(), 4) * {limit}) AS {kind})"


def even(limit, kind="INTEGER"):
    return f"CAST(floor(random() * {limit}) AS {kind})"


def word():
    return f"({WORDS})[1 + {skewed(16)}]"


MAIN = {
    "watch_id": "hash(range) % 9223372036854775807",
    "event_time": f"TIMESTAMP '2013-07-01' + to_seconds(CAST(range * 2592000.0 / {N} AS BIGINT) + {even(7200)})",
    "event_date": f"DATE '2013-07-01' + CAST(range * 30.0 / {N} AS INTEGER)",
    "counter_id": skewed(6000),
    "user_id": f"hash({skewed(N // 6)}) % 9223372036854775807",
    "region_id": skewed(9000),
    "adv_engine_id": f"CASE WHEN random() < 0.006 THEN 1 + {skewed(18)} ELSE 0 END",
    "resolution_width": f"({[1366, 1920, 1024, 1280, 1600, 0]})[1 + {skewed(6)}]",
    "is_refresh": "CAST(random() < 0.1 AS INTEGER)",
    "search_engine_id": f"CASE WHEN random() < 0.13 THEN 1 + {skewed(90)} ELSE 0 END",
    "search_phrase": f"CASE WHEN random() < 0.13 THEN {word()} || ' ' || {word()} || ' ' || {skewed(5000)} ELSE '' END",
    "url": f"'http://' || {word()} || '.ru/' || {word()} || '/' || {word()} || '/?id=' || {skewed(N // 10)}",
    "title": f"{word()} || ' - ' || {word()} || ' ' || {word()} || ', ' || {word()} || ' ' || {skewed(100000)}",
    "referer": f"CASE WHEN random() < 0.6 THEN 'http://' || {word()} || '.com/' || {skewed(N // 20)} ELSE '' END",
}
KINDS = [lambda i: even(2), lambda i: f"CASE WHEN random() < 0.02 THEN {even(1000)} ELSE 0 END", lambda i: skewed(10 * i), lambda i: skewed(100),
         lambda i: f"CASE WHEN random() < 0.05 THEN {word()} ELSE '' END", lambda i: f"DATE '2013-01-01' + {skewed(200)}"]
FILL = {f"c{i:02d}": KINDS[i % len(KINDS)](i) for i in range(len(MAIN), 100)}
COLUMNS = MAIN | FILL
SUMMED = [name for name in FILL if int(name[1:]) % len(KINDS) < 4][:40]
TABLES = [Table("hits", "", f"SELECT {', '.join(f'{made} AS {name}' for name, made in COLUMNS.items())} FROM range({N})", in_file=True)]


def pl():
    import polars

    return polars


def top(group, *keys, limit=10):
    return group.sort(["n", *keys], descending=[True] + [False] * len(keys)).limit(limit)


CASES = {
    "count where flag": Case("SELECT count(*) AS n FROM hits WHERE adv_engine_id <> 0", lambda t: t["hits"].filter(pl().col("adv_engine_id") != 0).select(n=pl().len())),
    "sum, count, avg": Case("SELECT sum(adv_engine_id) AS a, count(*) AS n, avg(resolution_width) AS w FROM hits",
                            lambda t: t["hits"].select(a=pl().col("adv_engine_id").sum(), n=pl().len(), w=pl().col("resolution_width").mean())),
    "count distinct users": Case("SELECT count(DISTINCT user_id) AS n FROM hits", lambda t: t["hits"].select(n=pl().col("user_id").n_unique())),
    "regions": Case("SELECT region_id, sum(adv_engine_id) AS a, count(*) AS n, avg(resolution_width) AS w FROM hits GROUP BY region_id ORDER BY n DESC, region_id LIMIT 10",
                    lambda t: top(t["hits"].group_by("region_id").agg(a=pl().col("adv_engine_id").sum(), n=pl().len(), w=pl().col("resolution_width").mean()), "region_id")),
    "phrases": Case("SELECT search_phrase, count(*) AS n FROM hits WHERE search_phrase <> '' GROUP BY search_phrase ORDER BY n DESC, search_phrase LIMIT 10",
                    lambda t: top(t["hits"].filter(pl().col("search_phrase") != "").group_by("search_phrase").agg(n=pl().len()), "search_phrase")),
    "users and phrases": Case("SELECT user_id, search_phrase, count(*) AS n FROM hits GROUP BY user_id, search_phrase ORDER BY n DESC, user_id, search_phrase LIMIT 10",
                              lambda t: top(t["hits"].group_by("user_id", "search_phrase").agg(n=pl().len()), "user_id", "search_phrase")),
    "LIKE": Case("SELECT count(*) AS n FROM hits WHERE url LIKE '%google%'",
                 lambda t: t["hits"].filter(pl().col("url").str.contains("google", literal=True)).select(n=pl().len())),
    "all columns of ten rows": Case("SELECT * FROM hits WHERE url LIKE '%google%' ORDER BY event_time, watch_id LIMIT 10",
                                    lambda t: t["hits"].filter(pl().col("url").str.contains("google", literal=True)).sort("event_time", "watch_id").limit(10)),
    "pages of a site": Case("SELECT url, count(*) AS n FROM hits WHERE counter_id = 62 AND event_date >= DATE '2013-07-05' AND event_date <= DATE '2013-07-20' AND is_refresh = 0 "
                            "GROUP BY url ORDER BY n DESC, url LIMIT 10",
                            lambda t: top(t["hits"].filter((pl().col("counter_id") == 62) & pl().col("event_date").is_between(pl().date(2013, 7, 5), pl().date(2013, 7, 20))
                                                           & (pl().col("is_refresh") == 0)).group_by("url").agg(n=pl().len()), "url")),
    "sums of forty columns": Case(f"SELECT {', '.join(f'sum({name}) AS {name}' for name in SUMMED)} FROM hits", lambda t: t["hits"].select(pl().col(SUMMED).sum())),
}

if __name__ == "__main__":
    sys.exit(run("A file of 100 columns", "wide_file", TABLES, CASES))
