#!/usr/bin/env python3
"""TPC-H in Scaup and DuckDB: same data, same schema, same threads, side by side. Answers are checked before times count.

Each system runs in a process of its own, in memory. Queries run in turn, one round after another; the median counts."""

import argparse
import json
import math
import os
import pathlib
import platform
import statistics
import subprocess
import sys

from answers import difference
from remote_process import Refusal
from worker import Worker

HERE = pathlib.Path(__file__).resolve().parent
TPCH = HERE.parent / "tpch"
ROOT = HERE.parents[1]
TABLES = ("region", "nation", "supplier", "customer", "part", "partsupp", "orders", "lineitem")
DEFAULT_QUERIES = "1,3,5,6,10,12,14,19"
ARRAYS_SQL = "SELECT l_orderkey, l_partkey, l_suppkey FROM lineitem"


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--scale", type=float, default=1, help="scale factor of the data to generate (default 1)")
    parser.add_argument("--data", type=pathlib.Path, help="folder with *.tbl files (default build/data/tpch-sf<scale>)")
    parser.add_argument("--queries", default=DEFAULT_QUERIES, help=f"numbers, or all (default {DEFAULT_QUERIES})")
    parser.add_argument("--threads", default="1,2", help="numbers of threads to run with (default 1,2)")
    parser.add_argument("--rounds", type=int, default=5, help="runs of each query (default 5)")
    parser.add_argument("--json", type=pathlib.Path, help="write all figures to this file")
    arguments = parser.parse_args()
    arguments.data = arguments.data or ROOT / "build" / "data" / f"tpch-sf{arguments.scale:g}"
    arguments.threads = [int(number) for number in arguments.threads.split(",")]
    arguments.queries = list(range(1, 23)) if arguments.queries == "all" else [int(number) for number in arguments.queries.split(",")]
    return arguments


def generate(folder, scale):
    if (folder / "lineitem.tbl").exists():
        return
    print(f"generating TPC-H data at scale {scale:g} in {folder}", flush=True)
    folder.mkdir(parents=True, exist_ok=True)
    generator = pathlib.Path(sys.executable).parent / "tpcgen-cli"
    subprocess.run([generator, "tpch", "tbl", "--scale-factor", f"{scale:g}", "--output-dir", folder], check=True, stdout=subprocess.DEVNULL)


def statements(path):
    text = "\n".join(line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("--"))
    return [part.strip() for part in text.split(";") if part.strip()]


def load(worker, folder):
    """Creates and fills the tables; seconds by table."""
    for create in statements(TPCH / "schema.sql"):
        worker("statement", create)
    return {table: worker("statement", f"COPY {table} FROM '{folder / table}.tbl' (DELIMITER '|', HEADER false)")[0] for table in TABLES}


def interleave(workers, action, sql, rounds):
    """Median milliseconds by system."""
    times = {worker.name: [] for worker in workers}
    for number in range(rounds):
        for worker in workers if number % 2 == 0 else reversed(workers):
            times[worker.name].append(worker(action, sql)[0] * 1000)
    return {system: statistics.median(values) for system, values in times.items()}


def compare(workers, action, sql, rounds):
    """Medians by system with key "error" where an answer is wrong or missing."""
    results = {}
    for worker in workers:
        try:
            results[worker.name] = worker(action, sql)[1]
        except Refusal as error:
            return {"error": f"{worker.name}: {error}"}
    fault = difference(results["scaup"], results["duckdb"]) if action == "rows" else \
        None if results["scaup"] == results["duckdb"] else f"sums {results['scaup']} instead of {results['duckdb']}"
    if fault:
        return {"error": f"answers differ: {fault}"}
    return interleave(workers, action, sql, rounds)


def print_row(name, figures, unit="ms"):
    if "error" in figures:
        print(f"  {name:<28} {figures['error']}", flush=True)
    else:
        ratio = figures["scaup"] / figures["duckdb"]
        print(f"  {name:<28} {figures['scaup']:>10.1f} {figures['duckdb']:>10.1f} {ratio:>8.2f}  {unit}", flush=True)


def run_with(threads, arguments):
    """All figures with one number of threads."""
    figures = {"load": {}, "queries": {}}
    with Worker("scaup", threads) as ours, Worker("duckdb", threads) as theirs:
        workers = [ours, theirs]
        print(f"\n{ours.version} and {theirs.version}, {threads} thread{'s' if threads > 1 else ''}")
        print(f"  {'':<28} {'Scaup':>10} {'DuckDB':>10} {'ratio':>8}")
        seconds = {worker.name: load(worker, arguments.data) for worker in workers}
        for table in TABLES:
            figures["load"][table] = {system: seconds[system][table] * 1000 for system in seconds}
        print_row("load lineitem", figures["load"]["lineitem"])
        print_row("load all tables", {system: sum(seconds[system].values()) * 1000 for system in seconds})
        figures["memory_loaded"] = {worker.name: worker("memory")[0] for worker in workers}
        print_row("memory after load", figures["memory_loaded"], "MiB")
        for number in arguments.queries:
            sql = statements(TPCH / "queries" / f"q{number:02d}.sql")[0]
            figures["queries"][number] = compare(workers, "rows", sql, arguments.rounds)
            print_row(f"Q{number}", figures["queries"][number])
        good = [entry for entry in figures["queries"].values() if "error" not in entry]
        if good:
            mean = math.exp(statistics.mean(math.log(entry["scaup"] / entry["duckdb"]) for entry in good))
            figures["geometric_mean"] = mean
            print(f"  {f'geometric mean of {len(good)}':<28} {'':>10} {'':>10} {mean:>8.2f}")
        figures["arrays"] = compare(workers, "arrays", ARRAYS_SQL, arguments.rounds)
        print_row("fetchnumpy of 3 columns", figures["arrays"])
        figures["memory_peak"] = {worker.name: worker("memory")[1] for worker in workers}
        print_row("memory at most", figures["memory_peak"], "MiB")
    return figures


def print_speedups(figures, fewest, most):
    print(f"\n{most} threads beside {fewest}: times faster")
    print(f"  {'':<28} {'Scaup':>10} {'DuckDB':>10}")
    for number, entry in figures[fewest]["queries"].items():
        other = figures[most]["queries"][number]
        if "error" not in entry and "error" not in other:
            print(f"  {f'Q{number}':<28} {entry['scaup'] / other['scaup']:>10.2f} {entry['duckdb'] / other['duckdb']:>10.2f}")


def processor():
    try:
        lines = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.machine()


def main():
    arguments = parse_arguments()
    generate(arguments.data, arguments.scale)
    size = (arguments.data / "lineitem.tbl").stat().st_size / 1e6
    print(f"{processor()}, {os.cpu_count()} threads; lineitem.tbl has {size:.0f} MB; median of {arguments.rounds} rounds")
    figures = {threads: run_with(threads, arguments) for threads in arguments.threads}
    if len(arguments.threads) > 1:
        print_speedups(figures, min(arguments.threads), max(arguments.threads))
    if arguments.json:
        arguments.json.write_text(json.dumps({"processor": processor(), "threads": figures}, indent=1) + "\n", encoding="utf-8")
    failed = sum("error" in entry for run in figures.values() for entry in [*run["queries"].values(), run["arrays"]])
    if failed:
        print(f"\n{failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
