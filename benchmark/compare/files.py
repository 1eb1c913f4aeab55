#!/usr/bin/env python3
"""Reading files: Scaup beside DuckDB. Groups: `scans`, a Parquet file of which few rows or few keys are wanted; `csv`, TPC-H's lineitem; `json`, nested records.

Each system has a process of its own, in memory; answers are compared before anything is timed, rounds alternate, the median counts."""

import argparse
import json
import math
import os
import re
import statistics
import sys

from side_by_side import ROOT, compare, print_row, processor
from tpch import TPCH
from worker import Worker

SORTED_ROWS = int(os.environ.get("SCAUP_BENCHMARK_ROWS", "20000000"))
JSON_BYTES = int(os.environ.get("SCAUP_BENCHMARK_JSON_BYTES", "200000000"))


def make_sorted(path):
    """A file whose rows are sorted by a moment, as logs are, and some keys to join with. Row groups are large, pages small."""
    import pyarrow
    import pyarrow.compute
    import pyarrow.parquet

    batch = 1 << 20
    schema = pyarrow.schema([("id", pyarrow.int64()), ("at", pyarrow.timestamp("us")), ("code", pyarrow.int32()), ("amount", pyarrow.float64()), ("note", pyarrow.string())])
    options = {"compression": "zstd", "write_page_index": True, "data_page_size": 64 << 10}
    with pyarrow.parquet.ParquetWriter(path, schema, **options) as writer:
        for begin in range(0, SORTED_ROWS, batch):
            ids = pyarrow.array(range(begin, min(begin + batch, SORTED_ROWS)), pyarrow.int64())
            spread = pyarrow.compute.bit_wise_and(pyarrow.compute.multiply(ids, 2654435761), (1 << 31) - 1)
            moments = pyarrow.compute.add(pyarrow.compute.multiply(ids, 1_500_000), 1_500_000_000_000_000).cast(pyarrow.timestamp("us"))
            notes = pyarrow.compute.binary_join_element_wise("note", pyarrow.compute.cast(spread, pyarrow.string()), " ")
            writer.write_table(pyarrow.table([ids, moments, pyarrow.compute.bit_wise_and(spread, 1023).cast(pyarrow.int32()), pyarrow.compute.divide(spread.cast(pyarrow.float64()), 97.0), notes],
                                             schema=schema), row_group_size=batch)
    first = SORTED_ROWS * 2 // 3
    keys = pyarrow.table({"id": pyarrow.array(range(first, first + SORTED_ROWS // 10000, 3), pyarrow.int64()), "wanted": pyarrow.array([True] * len(range(0, SORTED_ROWS // 10000, 3)))})
    pyarrow.parquet.write_table(keys, path.with_name("keys.parquet"))


def scans(folder):
    """0.01 % of the rows by a range of moments; the rows that some keys have, in a table whose bounds are known when the join runs."""
    path = folder / "sorted.parquet"
    if not path.exists():
        make_sorted(path)
    first, share = SORTED_ROWS // 3, SORTED_ROWS // 10000
    moment = "TIMESTAMP '2017-07-14 02:40:00' + INTERVAL '{} milliseconds'".format
    wanted = f"t.at >= {moment(first * 1500)} AND t.at < {moment((first + share) * 1500)}"
    files = f"'{path}' AS t"
    return {
        "range of 0.01 %": f"SELECT count(*), sum(amount), min(note), max(note) FROM {files} WHERE {wanted}",
        "range of 0.01 %, all columns": f"SELECT * FROM {files} WHERE {wanted} ORDER BY id",
        "one row": f"SELECT * FROM {files} WHERE id = {first + 7}",
        "range and a code": f"SELECT count(*), sum(amount) FROM {files} WHERE {wanted} AND code < 100",
        "join with 0.003 % of the keys": f"SELECT count(*), sum(t.amount), max(t.note) FROM {files} JOIN '{path.with_name('keys.parquet')}' AS k USING (id) WHERE k.wanted",
    }


def csv(_folder):
    """All columns of lineitem, by two kinds of questions, and its import."""
    folder = ROOT / "build" / "data" / "tpch-sf1"
    TPCH.generate(folder, 1)
    names = re.findall(r"\bl_\w+", TPCH.schema()["lineitem"])
    listed = ", ".join(f"'{name}'" for name in names)
    read = f"read_csv('{TPCH.data_file(folder, 'lineitem')}', delim => '|', header => false, names => [{listed}])"
    counted = ", ".join(f"count({name})" for name in names)
    sums = "sum(l_quantity), sum(l_extendedprice), min(l_shipdate), max(l_comment)"
    return {"read_csv, all columns": f"SELECT {counted}, {sums} FROM {read}",
            "read_csv, three columns": f"SELECT l_returnflag, sum(l_quantity), max(l_shipdate) FROM {read} GROUP BY l_returnflag ORDER BY l_returnflag",
            "read_csv, grouped texts": f"SELECT l_shipmode, l_shipinstruct, count(*) FROM {read} GROUP BY 1, 2 ORDER BY 1, 2",
            "count(*)": f"SELECT count(*) FROM {read}"}


def make_records(path):
    """Events with nested objects and arrays, of which some members are missing."""
    import random

    random.seed(7)
    words = "furiously quick special packages requests sleep above the ironic deposits".split()
    with open(path, "w", encoding="utf-8") as file:
        while file.tell() < JSON_BYTES:
            for _ in range(1000):
                user = {"id": random.randrange(100_000), "name": f"{random.choice(words)} {random.choice(words)}", "verified": random.random() < 0.3}
                record = {"id": random.randrange(10**12), "kind": random.choice(("push", "fork", "watch", "issue")), "at": f"2024-{random.randint(1, 12):02d}-{random.randint(1, 28):02d} {random.randint(0, 23):02d}:30:{random.randint(0, 59):02d}",
                          "user": user, "repo": {"id": random.randrange(50_000), "name": f"{random.choice(words)}/{random.choice(words)}", "owner": {"login": random.choice(words), "score": round(random.random() * 100, 3)}},
                          "tags": random.sample(words, random.randrange(4)),
                          "items": [{"sku": random.randrange(1000), "price": round(random.random() * 50, 2), "text": " ".join(random.sample(words, 3))} for _ in range(random.randrange(4))]}
                if random.random() < 0.2:
                    record["note"] = " ".join(random.choices(words, k=12))
                file.write(json.dumps(record) + "\n")


def records(folder):
    """Records as columns, with detected types: flat ones, nested ones, and all."""
    path = folder / "records.jsonl"
    if not path.exists():
        make_records(path)
    read = f"read_json('{path}') AS t"
    field = "(t.{}).{}".format
    return {"flat columns": f"SELECT kind, count(*), min(id), max(\"at\"), count(note) FROM {read} GROUP BY kind ORDER BY kind",
            "nested columns": f"SELECT count(*), sum({field('user', 'id')}), sum(((t.repo).owner).score), count({field('repo', 'name')}) FROM {read}",
            "lists": f"SELECT sum(len(tags)), sum(len(items)) FROM {read}",
            "all columns": f'SELECT count(id), count(kind), count("at"), count("user"), count(repo), count(tags), count(items), count(note), max(items), max("user") FROM {read}'}


GROUPS = {"scans": scans, "csv": csv, "json": records}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("groups", nargs="*", metavar="GROUP", help=f"from {', '.join(GROUPS)} (default all)")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", help="write all figures to this file")
    arguments = parser.parse_args()
    if unknown := set(arguments.groups) - set(GROUPS):
        parser.error(f"no group {', '.join(sorted(unknown))}; there are {', '.join(GROUPS)}")
    folder = ROOT / "build" / "data" / "files"
    folder.mkdir(parents=True, exist_ok=True)
    figures, failed = {}, 0
    for group in arguments.groups or GROUPS:
        cases = GROUPS[group](folder)
        with Worker("scaup", arguments.threads) as ours, Worker("duckdb", arguments.threads) as theirs:
            print(f"\n{group}: {ours.version} and {theirs.version}, {arguments.threads} threads, {processor()}; median of {arguments.rounds} rounds")
            print(f"  {'':<28} {'Scaup':>10} {'DuckDB':>10} {'ratio':>8}")
            for name, sql in cases.items():
                figures[f"{group}: {name}"] = entry = compare([ours, theirs], "rows", sql, arguments.rounds)
                print_row(name, entry)
            good = [entry["scaup"] / entry["duckdb"] for key, entry in figures.items() if key.startswith(f"{group}:") and "error" not in entry]
            failed += len(cases) - len(good)
            if good:
                print(f"  geometric mean of {len(good)}: {math.exp(statistics.mean(map(math.log, good))):.2f}")
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump({"processor": processor(), "threads": arguments.threads, "cases": figures}, file, indent=1)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
