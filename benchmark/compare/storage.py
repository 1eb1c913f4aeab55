#!/usr/bin/env python3
"""Databases in files, Scaup and DuckDB side by side: loading TPC-H, size, opening, scans from warm cache, skipping by zone maps.

Each system runs in a process of its own on a file of its own. Answers are checked before times count; runs take turns, the median counts."""

import argparse
import json
import pathlib
import statistics
import sys
import tempfile

from side_by_side import ROOT, compare, print_row
from tpch import TPCH
from worker import Worker

SCANS = {f"sum of {column}": f"SELECT sum({column}) FROM lineitem"
         for column in ("l_orderkey", "l_partkey", "l_suppkey", "l_linenumber", "l_quantity", "l_extendedprice")}
SCANS["LIKE over l_comment"] = "SELECT count(*) FROM lineitem WHERE l_comment LIKE '%special%'"
SCANS["l_shipmode = 'AIR'"] = "SELECT count(*) FROM lineitem WHERE l_shipmode = 'AIR'"

CLUSTERED_ROWS = 50_000_000
CLUSTERED = {
    "0.01% of 50M rows": "SELECT count(*), sum(v) FROM clustered WHERE id BETWEEN 25000000 AND 25004999",
    "all 50M rows": "SELECT count(*), sum(v) FROM clustered",
}


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--scale", type=float, default=1, help="scale factor of the data to generate (default 1)")
    parser.add_argument("--data", type=pathlib.Path, help="folder with *.tbl files (default build/data/tpch-sf<scale>)")
    parser.add_argument("--threads", type=int, default=1, help="number of threads (default 1)")
    parser.add_argument("--rounds", type=int, default=7, help="runs of each query (default 7)")
    parser.add_argument("--loads", type=int, default=3, help="times that each system loads the data (default 3)")
    parser.add_argument("--queries", action="store_true", help="all queries of TPC-H, too")
    parser.add_argument("--json", type=pathlib.Path, help="write all figures to this file")
    arguments = parser.parse_args()
    arguments.data = arguments.data or ROOT / "build" / "data" / f"tpch-sf{arguments.scale:g}"
    return arguments


def load_both(arguments, paths, figures):
    """Loads one system after the other, each time into a new file; the median counts."""
    seconds = {system: [] for system in paths}
    for _ in range(arguments.loads):
        for system, path in paths.items():
            path.unlink(missing_ok=True)
            with Worker(system, arguments.threads, path) as worker:
                times = TPCH.load(worker, arguments.data)
                seconds[system].append(sum(times.values()) + worker("statement", "CHECKPOINT")[0])
    figures["load and checkpoint"] = {system: statistics.median(values) * 1000 for system, values in seconds.items()}
    print_row("load and checkpoint", figures["load and checkpoint"])
    figures["size of the file"] = {system: path.stat().st_size / 1e6 for system, path in paths.items()}
    print_row("size of the file", figures["size of the file"], "MB")


def open_both(arguments, paths, figures):
    """Opening in a new process, and the first answer."""
    opening = {system: [] for system in paths}
    first = {system: [] for system in paths}
    for _ in range(arguments.rounds):
        for system, path in paths.items():
            with Worker(system, arguments.threads, path) as worker:
                opening[system].append(worker("opening")[0])
                first[system].append(worker("rows", "SELECT count(*) FROM lineitem")[0])
    for name, values in (("opening", opening), ("first count(*)", first)):
        figures[name] = {system: statistics.median(times) * 1000 for system, times in values.items()}
        print_row(name, figures[name])


def compare_all(arguments, workers, queries, figures):
    for name, sql in queries.items():
        figures[name] = compare(workers, "rows", sql, arguments.rounds)
        print_row(name, figures[name])


def main():
    arguments = parse_arguments()
    TPCH.generate(arguments.data, arguments.scale)
    figures = {}
    with tempfile.TemporaryDirectory(dir=ROOT / "build") as folder:
        paths = {system: pathlib.Path(folder) / f"{system}.db" for system in ("scaup", "duckdb")}
        print(f"TPC-H SF{arguments.scale:g} in files, {arguments.threads} thread{'s' if arguments.threads > 1 else ''}")
        print(f"  {'':<28} {'Scaup':>10} {'DuckDB':>10} {'ratio':>8}")
        load_both(arguments, paths, figures)
        open_both(arguments, paths, figures)
        with Worker("scaup", arguments.threads, paths["scaup"]) as ours, Worker("duckdb", arguments.threads, paths["duckdb"]) as theirs:
            workers = [ours, theirs]
            compare_all(arguments, workers, SCANS, figures)
            if arguments.queries:
                numbered = TPCH.queries(range(1, TPCH.query_count + 1))
                compare_all(arguments, workers, numbered, figures)
            for worker in workers:
                worker("statement", f"CREATE TABLE clustered AS SELECT i AS id, i * 7919 % 1000003 AS v FROM range({CLUSTERED_ROWS}) AS r(i)")
                worker("statement", "CHECKPOINT")
            compare_all(arguments, workers, CLUSTERED, figures)
            few, all_rows = (figures[name] for name in CLUSTERED)
            print("\n" + ", ".join(f"{system}: {all_rows[system] / few[system]:.0f} times faster" for system in paths) + " with zone maps")
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    return 1 if any("error" in entry for entry in figures.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
