"""A standard workload in Scaup and DuckDB: same data, same schema, same threads, side by side. Answers are checked before times count.

Each system runs in a process of its own, in memory. Queries run in turn, one round after another; the median counts."""

import argparse
import dataclasses
import json
import math
import os
import pathlib
import platform
import re
import statistics
import subprocess
import sys

from answers import difference
from remote_process import Refusal
from worker import Worker

ROOT = pathlib.Path(__file__).resolve().parents[2]
FINAL_LIMIT = re.compile(r"\blimit \d+$", re.IGNORECASE)


@dataclasses.dataclass(frozen=True)
class Workload:
    """Tables and queries in benchmark/<name>, and how tpcgen-cli makes their data."""

    name: str
    title: str
    generator: tuple  # arguments of tpcgen-cli
    suffix: str  # of the files that it writes, one for each table
    largest_table: str
    query_count: int
    default_queries: str
    arrays_sql: str

    @property
    def folder(self):
        return ROOT / "benchmark" / self.name

    def schema(self):
        """CREATE TABLE by name of the table."""
        return {create.split()[2]: create for create in statements(self.folder / "schema.sql")}

    def queries(self, numbers):
        """SQL by name: Q1, or Q14a and Q14b where a query has two variants."""
        found = {}
        for number in numbers:
            variants = statements(self.folder / "queries" / f"q{number:02d}.sql")
            for letter, sql in zip("ab" if len(variants) > 1 else [""], variants):
                found[f"Q{number}{letter}"] = sql
        return found

    def data_file(self, folder, table):
        return folder / f"{table}.{self.suffix}"

    def generate(self, folder, scale):
        """Makes the data files unless they are there."""
        if self.data_file(folder, self.largest_table).exists():
            return
        print(f"generating {self.title} data at scale {scale:g} in {folder}", flush=True)
        folder.mkdir(parents=True, exist_ok=True)
        program = pathlib.Path(sys.executable).parent / "tpcgen-cli"
        command = [program, *self.generator, "--scale-factor", f"{scale:g}", "--output-dir", folder]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

    def load(self, worker, folder):
        """Creates and fills the tables; seconds by table."""
        seconds = {}
        for table, create in self.schema().items():
            worker("statement", create)
            copy = f"COPY {table} FROM '{self.data_file(folder, table)}' (DELIMITER '|', HEADER false)"
            seconds[table] = worker("statement", copy)[0]
        return seconds


def statements(path):
    text = "\n".join(line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("--"))
    return [part.strip() for part in text.split(";") if part.strip()]


def parse_arguments(workload):
    parser = argparse.ArgumentParser(description=f"{workload.title} beside DuckDB")
    parser.add_argument("--scale", type=float, default=1, help="scale factor of the data to generate (default 1)")
    parser.add_argument("--data", type=pathlib.Path,
                        help=f"folder with *.{workload.suffix} files (default build/data/{workload.name}-sf<scale>)")
    parser.add_argument("--queries", default=workload.default_queries, help=f"numbers, or all (default {workload.default_queries})")
    parser.add_argument("--threads", default="1,2", help="numbers of threads to run with (default 1,2)")
    parser.add_argument("--rounds", type=int, default=5, help="runs of each query (default 5)")
    parser.add_argument("--json", type=pathlib.Path, help="write all figures to this file")
    arguments = parser.parse_args()
    arguments.data = arguments.data or ROOT / "build" / "data" / f"{workload.name}-sf{arguments.scale:g}"
    arguments.threads = [int(number) for number in arguments.threads.split(",")]
    every = range(1, workload.query_count + 1)
    arguments.queries = list(every) if arguments.queries == "all" else [int(number) for number in arguments.queries.split(",")]
    return arguments


def interleave(workers, action, sql, rounds):
    """Median milliseconds by system."""
    times = {worker.name: [] for worker in workers}
    for number in range(rounds):
        for worker in workers if number % 2 == 0 else reversed(workers):
            times[worker.name].append(worker(action, sql)[0] * 1000)
    return {system: statistics.median(values) for system, values in times.items()}


def fault_of(workers, action, sql):
    """None if the systems give the same answer. Where LIMIT cuts rows that ORDER BY leaves tied, all rows are compared."""
    ours, theirs = (worker(action, sql)[1] for worker in workers)
    if action == "arrays":
        return None if ours == theirs else f"sums {ours} instead of {theirs}"
    fault = difference(ours, theirs)
    unlimited = FINAL_LIMIT.sub("", sql)
    if fault is None or unlimited == sql or len(ours) != len(theirs):
        return fault
    return difference(*(worker(action, unlimited)[1] for worker in workers))


def compare(workers, action, sql, rounds):
    """Medians by system, or key "error" where an answer is wrong or missing."""
    try:
        fault = fault_of(workers, action, sql)
    except Refusal as error:
        return {"error": str(error)}
    return {"error": f"answers differ: {fault}"} if fault else interleave(workers, action, sql, rounds)


def print_row(name, figures, unit="ms"):
    if "error" in figures:
        print(f"  {name:<28} {figures['error']}", flush=True)
    else:
        ratio = figures["scaup"] / figures["duckdb"]
        print(f"  {name:<28} {figures['scaup']:>10.1f} {figures['duckdb']:>10.1f} {ratio:>8.2f}  {unit}", flush=True)


def run_with(workload, threads, arguments):
    """All figures with one number of threads."""
    figures = {"load": {}, "queries": {}}
    with Worker("scaup", threads) as ours, Worker("duckdb", threads) as theirs:
        workers = [ours, theirs]
        print(f"\n{ours.version} and {theirs.version}, {threads} thread{'s' if threads > 1 else ''}")
        print(f"  {'':<28} {'Scaup':>10} {'DuckDB':>10} {'ratio':>8}")
        seconds = {worker.name: workload.load(worker, arguments.data) for worker in workers}
        for table in seconds["scaup"]:
            figures["load"][table] = {system: seconds[system][table] * 1000 for system in seconds}
        print_row(f"load {workload.largest_table}", figures["load"][workload.largest_table])
        print_row("load all tables", {system: sum(seconds[system].values()) * 1000 for system in seconds})
        figures["memory_loaded"] = {worker.name: worker("memory")[0] for worker in workers}
        print_row("memory after load", figures["memory_loaded"], "MiB")
        for name, sql in workload.queries(arguments.queries).items():
            figures["queries"][name] = compare(workers, "rows", sql, arguments.rounds)
            print_row(name, figures["queries"][name])
        good = [entry for entry in figures["queries"].values() if "error" not in entry]
        if good:
            mean = math.exp(statistics.mean(math.log(entry["scaup"] / entry["duckdb"]) for entry in good))
            figures["geometric_mean"] = mean
            print(f"  {f'geometric mean of {len(good)}':<28} {'':>10} {'':>10} {mean:>8.2f}")
        figures["arrays"] = compare(workers, "arrays", workload.arrays_sql, arguments.rounds)
        print_row("fetchnumpy of 3 columns", figures["arrays"])
        figures["memory_peak"] = {worker.name: worker("memory")[1] for worker in workers}
        print_row("memory at most", figures["memory_peak"], "MiB")
    return figures


def print_speedups(figures, fewest, most):
    print(f"\n{most} threads beside {fewest}: times faster")
    print(f"  {'':<28} {'Scaup':>10} {'DuckDB':>10}")
    for name, entry in figures[fewest]["queries"].items():
        other = figures[most]["queries"][name]
        if "error" not in entry and "error" not in other:
            print(f"  {name:<28} {entry['scaup'] / other['scaup']:>10.2f} {entry['duckdb'] / other['duckdb']:>10.2f}")


def processor():
    try:
        lines = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.machine()


def run(workload):
    """Runs a workload as the command line says; the exit status."""
    arguments = parse_arguments(workload)
    workload.generate(arguments.data, arguments.scale)
    file = workload.data_file(arguments.data, workload.largest_table)
    print(f"{processor()}, {os.cpu_count()} threads; {file.name} has {file.stat().st_size / 1e6:.0f} MB; "
          f"median of {arguments.rounds} rounds")
    figures = {threads: run_with(workload, threads, arguments) for threads in arguments.threads}
    if len(arguments.threads) > 1:
        print_speedups(figures, min(arguments.threads), max(arguments.threads))
    if arguments.json:
        arguments.json.write_text(json.dumps({"processor": processor(), "threads": figures}, indent=1) + "\n", encoding="utf-8")
    failed = sum("error" in entry for of_threads in figures.values() for entry in [*of_threads["queries"].values(), of_threads["arrays"]])
    if failed:
        print(f"\n{failed} failed")
    return 1 if failed else 0
