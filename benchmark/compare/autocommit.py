#!/usr/bin/env python3
"""Inserts of one row that commit by themselves, each synced to disk before it returns: Scaup, DuckDB and SQLite, with few and many connections.

What the disk itself can do, a file that is written and synced 100 bytes at a time, is measured beside them. Systems take turns; the median round
counts. The rows are counted and summed at the end."""

import argparse
import json
import os
import pathlib
import statistics
import sys
import tempfile
import time

from remote_process import Refusal
from sessions import SYSTEMS, Conflict, names_of, open_all, percentiles, run_threads
from side_by_side import ROOT

INSERT = "INSERT INTO entries VALUES (?, ?, ?)"
TEXT = "what happened, in some sixty characters, as a line of a log has"
MOST_ROWS = 1_000_000_000  # Of one connection, so that ids differ.


def prepare(system):
    session = system.session()
    session.execute("CREATE TABLE entries (id BIGINT, amount BIGINT, text VARCHAR)")
    session.close()


class Inserter:
    def __init__(self, system, number, first):
        self.session = system.session()
        self.next = number * MOST_ROWS + first
        self.count = 0
        self.conflicts = 0
        self.latencies = []

    def run(self, seconds):
        start = time.perf_counter()
        while time.perf_counter() - start < seconds:
            begin = time.perf_counter_ns()
            try:
                self.session.execute(INSERT, (self.next, self.next % 1000, TEXT))
            except Conflict:
                self.conflicts += 1
                continue
            self.latencies.append(time.perf_counter_ns() - begin)
            self.next += 1
            self.count += 1
        self.session.close()
        return self.count / (time.perf_counter() - start)


def insert_rows(system, connections, seconds, first):
    """Rows per second, latencies, rows inserted, conflicts, and what is wrong with the table."""
    session = system.session()
    before = session.execute("SELECT count(*), coalesce(sum(id % 1000), 0) FROM entries")[0]
    inserters = [Inserter(system, number, first) for number in range(connections)]
    rates = run_threads([lambda one=one: one.run(seconds) for one in inserters])
    after = session.execute("SELECT count(*), coalesce(sum(amount), 0) FROM entries")[0]
    session.close()
    count = sum(one.count for one in inserters)
    amount = sum(number % 1000 for one in inserters for number in range(one.next - one.count, one.next))
    wanted = (before[0] + count, before[1] + amount)
    fault = None if (after[0], int(after[1])) == (wanted[0], int(wanted[1])) else f"{after} instead of {wanted}"
    return {"rate": sum(rates), "latencies": percentiles([value for one in inserters for value in one.latencies]), "rows": count,
            "conflicts": sum(one.conflicts for one in inserters), "fault": fault}


def syncs_per_second(folder, seconds):
    path = pathlib.Path(folder) / "plain"
    with open(path, "wb", buffering=0) as file:
        start = time.perf_counter()
        count = 0
        while time.perf_counter() - start < seconds:
            file.write(b"x" * 100)
            os.fdatasync(file.fileno())
            count += 1
        rate = count / (time.perf_counter() - start)
    path.unlink()
    return rate


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=float, default=5, help="length of each run (default 5)")
    parser.add_argument("--rounds", type=int, default=3, help="runs for each number of connections and system (default 3)")
    parser.add_argument("--connections", default="1,8", help="numbers of connections, each with a thread (default 1,8)")
    parser.add_argument("--systems", default="scaup,duckdb,sqlite", help=f"from {', '.join(SYSTEMS)}")
    parser.add_argument("--json", type=pathlib.Path, help="write all figures to this file")
    arguments = parser.parse_args()
    figures = {}
    (ROOT / "build").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=ROOT / "build") as folder:
        served = open_all(names_of(arguments.systems), folder, 1)
        for one in served:
            one(prepare)
        print("inserts of one row, each committed and synced")
        first = 0
        for connections in map(int, arguments.connections.split(",")):
            rounds = {one.name: [] for one in served}
            disk = []
            for number in range(arguments.rounds):
                disk.append(syncs_per_second(folder, min(1, arguments.seconds)))
                for one in served if number % 2 == 0 else reversed(served):
                    try:
                        rounds[one.name].append(one(insert_rows, connections, arguments.seconds, first))
                    except Refusal as error:
                        rounds[one.name].append({"fault": str(error), "rate": 0, "latencies": percentiles([0]), "conflicts": 0})
                first += MOST_ROWS // 1000
            print(f"  {connections} connection{'s' if connections > 1 else ''}; the disk alone: {statistics.median(disk):,.0f} syncs/s", flush=True)
            for one in served:
                results = rounds[one.name]
                rate = statistics.median(result["rate"] for result in results)
                latencies = {name: statistics.median(result["latencies"][name] for result in results) for name in results[0]["latencies"]}
                faults = [result["fault"] for result in results if result["fault"]]
                figures[f"{connections} connections, {one.name}"] = {"rate": rate, "latencies": latencies, "faults": faults, "disk": statistics.median(disk),
                                                                     "conflicts": sum(result["conflicts"] for result in results)}
                notes = f"  {latencies['p50']:.0f} / {latencies['p99']:.0f} / {latencies['p99.9']:.0f} µs" + (f"  WRONG: {faults[0]}" if faults else "")
                print(f"    {SYSTEMS[one.name]:<34} {rate:>9,.0f} rows/s{notes}", flush=True)
        for one in served:
            one.close()
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    return 1 if any(entry["faults"] for entry in figures.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
