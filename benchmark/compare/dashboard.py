#!/usr/bin/env python3
"""A dashboard over a table that others change: two threads move money between accounts by key, while one asks for sums over all of them.

No transfer may be seen by halves: every answer must have the same sum. Measured are the reader's queries per second with and without writers,
the transfers per second, and the process's memory over time. Systems run one after the other in processes of their own, in files."""

import argparse
import array
import json
import pathlib
import random
import statistics
import sys
import tempfile
import threading
import time

from remote_process import Refusal
from sessions import SYSTEMS, Conflict, NotSupported, names_of, open_all, percentiles, resident_mib, run_threads
from side_by_side import ROOT

BALANCE = 1000
REGIONS = 20
QUERIES = (
    "SELECT region, count(*), sum(balance) FROM accounts GROUP BY region",
    "SELECT branch, count(*), sum(balance) FROM accounts GROUP BY branch",
    "SELECT 0, count(*), sum(balance) FROM accounts",
)
UPDATE = "UPDATE accounts SET balance = balance + ? WHERE id = ?"
SAMPLE_SECONDS = 0.5


def prepare(system, accounts):
    session = system.session()
    columns = "region INTEGER, branch INTEGER, balance BIGINT, owner VARCHAR"
    try:
        session.execute(f"CREATE TABLE accounts (id INTEGER PRIMARY KEY, {columns})")
    except NotSupported:
        session.execute(f"CREATE TABLE accounts (id INTEGER, {columns})")
    numbers = f"range({accounts}) AS r(i)"
    if not system.can_copy:
        numbers = f"(WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < {accounts}) SELECT i FROM n) AS r"
    session.execute(f"INSERT INTO accounts SELECT i, i % {REGIONS}, i % 997, {BALANCE}, 'owner of account ' || i FROM {numbers}")
    session.execute("CHECKPOINT" if system.can_copy else "PRAGMA wal_checkpoint(TRUNCATE)")
    session.close()


class Writer:
    """Transfers between two accounts, in a transaction each, until told to stop: as fast as they go, or `pace` a second."""

    def __init__(self, system, accounts, seed, pace):
        self.session = system.session()
        self.accounts = accounts
        self.interval = 1 / pace if pace else 0
        self.random = random.Random(seed)
        self.transfers = 0
        self.conflicts = 0
        self.latencies = array.array("q")

    def transfer(self):
        amount = self.random.randint(1, 100)
        one, other = self.random.sample(range(self.accounts), 2)
        begin = time.perf_counter_ns()
        while True:
            try:
                self.session.execute("BEGIN")
                self.session.execute(UPDATE, (-amount, one))
                self.session.execute(UPDATE, (amount, other))
                self.session.execute("COMMIT")
                break
            except Conflict:
                self.conflicts += 1
                self.roll_back()
        self.latencies.append(time.perf_counter_ns() - begin)
        self.transfers += 1

    def roll_back(self):
        try:
            self.session.execute("ROLLBACK")
        except Exception:  # A COMMIT that failed has ended the transaction already; systems differ in what they say then.
            pass

    def run(self, stop):
        due = time.perf_counter()
        while not stop.is_set():
            self.transfer()
            due += self.interval
            if due > time.perf_counter():
                time.sleep(due - time.perf_counter())
        self.session.close()


class Reader:
    def __init__(self, system, accounts):
        self.session = system.session()
        self.wanted = (accounts, accounts * BALANCE)
        self.latencies = array.array("q")
        self.faults = []

    def run(self, seconds, stop):
        start = time.perf_counter()
        try:
            while time.perf_counter() - start < seconds and not self.faults:
                begin = time.perf_counter_ns()
                rows = self.session.execute(QUERIES[len(self.latencies) % len(QUERIES)])
                self.latencies.append(time.perf_counter_ns() - begin)
                found = (sum(row[1] for row in rows), int(sum(row[2] for row in rows)))
                if found != self.wanted:
                    self.faults.append(f"an answer has {found} instead of {self.wanted}")
        finally:
            stop.set()
            self.session.close()
        return len(self.latencies) / (time.perf_counter() - start)


def watch(system, stop):
    """Memory in MiB, twice a second."""
    samples = [resident_mib(system)]
    while not stop.wait(SAMPLE_SECONDS):
        samples.append(resident_mib(system))
    samples.append(resident_mib(system))
    return samples


def run_dashboard(system, accounts, writer_count, seconds, seed, pace):
    stop = threading.Event()
    reader = Reader(system, accounts)
    writers = [Writer(system, accounts, seed + number, pace) for number in range(writer_count)]

    def write(writer):
        try:
            writer.run(stop)
        finally:
            stop.set()

    start = time.perf_counter()
    bodies = [lambda: reader.run(seconds, stop), lambda: watch(system, stop), *(lambda one=one: write(one) for one in writers)]
    rate, samples, *_ = run_threads(bodies)
    elapsed = time.perf_counter() - start
    return {"queries": rate, "query": percentiles(reader.latencies), "transfers": sum(one.transfers for one in writers) / elapsed,
            "transfer": percentiles([value for one in writers for value in one.latencies]), "conflicts": sum(one.conflicts for one in writers),
            "memory": samples, "faults": reader.faults}


def describe(name, writers, result):
    memory = result["memory"]
    text = f"  {SYSTEMS[name]:<32} {writers} writers {result['queries']:>8,.1f} queries/s, {result['query']['p50'] / 1000:.1f} / {result['query']['p99'] / 1000:.1f} ms"
    if result["transfer"]:
        text += f"; {result['transfers']:,.0f} transfers/s, {result['transfer']['p50']:.0f} / {result['transfer']['p99']:.0f} µs, {result['conflicts']} tried again"
    text += f"; memory {memory[0]:.0f}, {max(memory):.0f} at most, {memory[-1]:.0f} MiB at the end"
    return text + (f"  WRONG: {result['faults'][0]}" if result["faults"] else "")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--accounts", type=int, default=1_000_000, help="rows of the table (default 1000000)")
    parser.add_argument("--seconds", type=float, default=10, help="length of each run (default 10)")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each kind and system (default 3)")
    parser.add_argument("--writers", type=int, default=2, help="threads that transfer (default 2)")
    parser.add_argument("--pace", type=float, default=0, help="transfers per second that each writer makes (default: as many as it can)")
    parser.add_argument("--threads", type=int, default=1, help="threads that a system may use for a query (default 1)")
    parser.add_argument("--systems", default="scaup-normal,duckdb,sqlite-normal", help=f"from {', '.join(SYSTEMS)}")
    parser.add_argument("--json", type=pathlib.Path, help="write all figures to this file")
    arguments = parser.parse_args()
    figures = {}
    (ROOT / "build").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=ROOT / "build") as folder:
        print(f"sums over {arguments.accounts:,} accounts, alone and beside {arguments.writers} writers; runs of {arguments.seconds:g} s", flush=True)
        served = open_all(names_of(arguments.systems), folder, arguments.threads)
        results = {}
        for one in served:
            one(prepare, arguments.accounts)
        for number in range(arguments.rounds):
            for one in served if number % 2 == 0 else reversed(served):
                for writers in (0, arguments.writers):
                    try:
                        result = one(run_dashboard, arguments.accounts, writers, arguments.seconds, 100 * number, arguments.pace)
                    except Refusal as error:
                        if number == 0:
                            print(f"  {SYSTEMS[one.name]:<32} {writers} writers: {error}", flush=True)
                        continue
                    results.setdefault((one.name, writers), []).append(result)
                    print(describe(one.name, writers, result), flush=True)
        for one in served:
            one.close()
        print("medians")
        for one in served:
            alone, beside = (statistics.median(result["queries"] for result in results.get((one.name, writers), [{"queries": 0}]))
                             for writers in (0, arguments.writers))
            share = f"{beside / alone:.0%}" if alone else "-"
            print(f"  {SYSTEMS[one.name]:<32} {alone:,.1f} queries/s alone, {beside:,.1f} beside writers: {share}", flush=True)
        figures = {f"{name}, {writers} writers": rounds for (name, writers), rounds in results.items()}
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    return 1 if any(result["faults"] for rounds in figures.values() for result in rounds) else 0


if __name__ == "__main__":
    sys.exit(main())
