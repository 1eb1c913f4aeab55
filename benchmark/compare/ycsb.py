#!/usr/bin/env python3
"""YCSB A to E in Scaup, DuckDB and SQLite: point reads, updates, inserts and short scans by a string key, in files, from Python.

A: half reads, half updates. B: 95 % reads. C: reads. D: 95 % reads of the latest, 5 % inserts. E: 95 % scans of 1 to 100, 5 % inserts.
A read gets all ten fields, an update sets one. Keys are chosen by a scrambled Zipf distribution (0.99), in D from the newest down.
Systems take turns, round after round; the median round counts. Answers are checked on a sample, the numbers of rows at the end."""

import argparse
import csv
import hashlib
import json
import pathlib
import random
import statistics
import sys
import tempfile
import threading
import time

import numpy

from remote_process import Refusal
from sessions import SYSTEMS, Conflict, NotSupported, names_of, open_all, percentiles, resident_mib, run_threads
from side_by_side import ROOT

FIELDS = 10
FIELD_BYTES = 100
CHECK_EVERY = 64
MOST_TRIES = 10_000
KNOWN_KEYS = 50_000
REQUESTS = 100_000  # Keys drawn before the clock starts; a longer run begins again with them.
MIXES = {  # Shares of reads, updates, inserts, scans.
    "A": (0.5, 0.5, 0, 0),
    "B": (0.95, 0.05, 0, 0),
    "C": (1, 0, 0, 0),
    "D": (0.95, 0, 0.05, 0),
    "E": (0, 0, 0.05, 0.95),
}
COLUMNS = ", ".join(f"field{number} VARCHAR" for number in range(FIELDS))
READ = "SELECT * FROM usertable WHERE key = ?"
SCAN = "SELECT * FROM usertable WHERE key >= ? ORDER BY key LIMIT {}"
UPDATES = [f"UPDATE usertable SET field{number} = ? WHERE key = ?" for number in range(FIELDS)]
INSERT = f"INSERT INTO usertable VALUES ({', '.join('?' * (FIELDS + 1))})"


def hash_of(numbers):
    """FNV-1a of eight bytes each: scatters numbers over 64 bits."""
    numbers = numpy.asarray(numbers, dtype=numpy.uint64)
    hashes = numpy.full(numbers.shape, 0xCBF29CE484222325, dtype=numpy.uint64)
    with numpy.errstate(over="ignore"):
        for _ in range(8):
            hashes = (hashes ^ (numbers & numpy.uint64(0xFF))) * numpy.uint64(0x100000001B3)
            numbers = numbers >> numpy.uint64(8)
    return hashes


def keys_of(numbers):
    return [f"user{value:020d}" for value in hash_of(numbers).tolist()]


def field_of(key, number, version):
    """100 bytes that say whose they are, and cannot be compressed to nothing."""
    return f"{key}{number}{hashlib.shake_128(f'{key}{number}{version}'.encode()).hexdigest(38)}"[:FIELD_BYTES]


def is_good_row(row):
    return len(row) == FIELDS + 1 and all(len(value) == FIELD_BYTES and value.startswith(f"{row[0]}{number}") for number, value in enumerate(row[1:]))


def zipf_ranks(count, size, seed):
    """Ranks from 0, by Zipf's law with exponent 0.99."""
    weights = numpy.arange(1, count + 1, dtype=numpy.float64) ** -0.99
    cumulated = numpy.cumsum(weights)
    uniform = numpy.random.default_rng(seed).random(size) * cumulated[-1]
    return numpy.minimum(numpy.searchsorted(cumulated, uniform), count - 1)


def write_csv(path, records):
    """The table's rows. Each system gets the same."""
    with open(path, "w", encoding="ascii", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        for begin in range(0, records, 10_000):
            keys = keys_of(numpy.arange(begin, min(begin + 10_000, records)))
            writer.writerows([key, *(field_of(key, number, 0) for number in range(FIELDS))] for key in keys)


def load(system, path):
    """Creates and fills the table: (seconds, whether there is a primary key)."""
    session = system.session()
    has_key = True
    try:
        session.execute(f"CREATE TABLE usertable (key VARCHAR PRIMARY KEY, {COLUMNS})")
    except NotSupported:
        session.execute(f"CREATE TABLE usertable (key VARCHAR, {COLUMNS})")
        has_key = False
    start = time.perf_counter()
    if system.can_copy:
        session.execute(f"COPY usertable FROM '{path}' (HEADER false)")
        session.execute("CHECKPOINT")
    else:
        with open(path, encoding="ascii", newline="") as file:
            session.execute("BEGIN")
            session.connection.executemany(INSERT, csv.reader(file))
            session.execute("COMMIT")
            session.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    seconds = time.perf_counter() - start
    session.close()
    return seconds, has_key


class NewKeys:
    """Numbers of the records to insert, for all threads; the newest that is surely there."""

    def __init__(self, count):
        self.lock = threading.Lock()
        self.next = count
        self.newest = count - 1
        self.finished = set()
        # Made before the clock starts: the newest, which are read most, and those to come.
        known = numpy.arange(max(0, count - KNOWN_KEYS), count + KNOWN_KEYS)
        self.known = dict(zip(known.tolist(), keys_of(known)))

    def key_of(self, number):
        return self.known.get(number) or keys_of([number])[0]

    def take(self):
        with self.lock:
            self.next += 1
            return self.next - 1

    def finish(self, number):
        with self.lock:
            self.finished.add(number)
            while self.newest + 1 in self.finished:
                self.newest += 1
                self.finished.remove(self.newest)


class Client:
    """One thread's requests, drawn before the clock starts."""

    def __init__(self, system, workload, records, new_keys, seed):
        self.session = system.session()
        self.new_keys = new_keys
        self.random = random.Random(seed)
        self.reads, self.updates, self.inserts, self.scans = MIXES[workload]
        ranks = zipf_ranks(records, REQUESTS, seed)
        self.is_latest = workload == "D"
        self.ranks = ranks.tolist()
        self.keys = None if self.is_latest else keys_of(hash_of(ranks) % numpy.uint64(records))
        self.latencies = {"read": [], "update": [], "insert": [], "scan": []}
        self.conflicts = 0
        self.faults = []

    def key_at(self, number):
        if not self.is_latest:
            return self.keys[number % REQUESTS]
        newest = self.new_keys.newest
        return self.new_keys.key_of(max(0, newest - self.ranks[number % REQUESTS]))

    def try_until_done(self, sql, parameters):
        for _ in range(MOST_TRIES):
            try:
                return self.session.execute(sql, parameters)
            except Conflict as error:
                self.conflicts += 1
                last = error
        raise RuntimeError(f"{MOST_TRIES} conflicts in a row: {last}")

    def step(self, number):
        kind = self.random.random()
        key = self.key_at(number)
        if kind < self.reads:
            begin = time.perf_counter_ns()
            rows = self.session.execute(READ, (key,))
            self.latencies["read"].append(time.perf_counter_ns() - begin)
            if number % CHECK_EVERY == 0 and not (len(rows) == 1 and rows[0][0] == key and is_good_row(rows[0])):
                self.faults.append(f"read of {key}: {rows}")
        elif kind < self.reads + self.updates:
            field = self.random.randrange(FIELDS)
            value = field_of(key, field, self.random.random())
            begin = time.perf_counter_ns()
            self.try_until_done(UPDATES[field], (value, key))
            self.latencies["update"].append(time.perf_counter_ns() - begin)
        elif kind < self.reads + self.updates + self.inserts:
            new = self.new_keys.take()
            key = self.new_keys.key_of(new)
            row = (key, *(field_of(key, field, 0) for field in range(FIELDS)))
            begin = time.perf_counter_ns()
            self.try_until_done(INSERT, row)
            self.latencies["insert"].append(time.perf_counter_ns() - begin)
            self.new_keys.finish(new)
        else:
            sql = SCAN.format(self.random.randint(1, 100))
            begin = time.perf_counter_ns()
            rows = self.session.execute(sql, (key,))
            self.latencies["scan"].append(time.perf_counter_ns() - begin)
            if number % CHECK_EVERY == 0:
                found = [row[0] for row in rows]
                if not rows or found != sorted(found) or found[0] != key or not all(map(is_good_row, rows)):
                    self.faults.append(f"scan from {key}: {found}")

    def run(self, seconds):
        start = time.perf_counter()
        number = 0
        while time.perf_counter() - start < seconds and not self.faults:
            self.step(number)
            number += 1
        self.session.close()
        return number / (time.perf_counter() - start)


def run_workload(system, workload, records, count, threads, seconds, seed):
    """One round; `count` rows are there. Operations per second, latencies by kind, rows there now, faults, conflicts, memory."""
    new_keys = NewKeys(count)
    clients = [Client(system, workload, records, new_keys, seed + number) for number in range(threads)]
    rates = run_threads([lambda client=client: client.run(seconds) for client in clients])
    session = system.session()
    rows = session.execute("SELECT count(*) FROM usertable")[0][0]
    session.close()
    faults = [fault for client in clients for fault in client.faults]
    if rows != new_keys.next:
        faults.append(f"{rows} rows instead of {new_keys.next}")
    latencies = {kind: percentiles([one for client in clients for one in client.latencies[kind]]) for kind in clients[0].latencies}
    return {"rate": sum(rates), "latencies": {kind: value for kind, value in latencies.items() if value}, "rows": new_keys.next,
            "faults": faults, "conflicts": sum(client.conflicts for client in clients), "memory": resident_mib(system)}


def summary(rounds):
    """The median of rates and of each percentile."""
    kinds = rounds[0]["latencies"].keys()
    latencies = {kind: {name: statistics.median(one["latencies"][kind][name] for one in rounds if kind in one["latencies"])
                        for name in rounds[0]["latencies"][kind]} for kind in kinds}
    return {"rate": statistics.median(one["rate"] for one in rounds), "latencies": latencies, "conflicts": sum(one["conflicts"] for one in rounds),
            "memory": rounds[-1]["memory"]}


def compare(served, workload, threads, arguments, counts, figures):
    rounds = {one.name: [] for one in served}
    refused = {}
    for number in range(arguments.rounds):
        for one in served if number % 2 == 0 else reversed(served):
            if one.name in refused:
                continue
            try:
                result = one(run_workload, workload, arguments.records, counts[one.name], threads, arguments.seconds, 1000 * number + ord(workload))
            except Refusal as error:
                refused[one.name] = str(error)
                continue
            counts[one.name] = result["rows"]
            if result["faults"]:
                refused[one.name] = f"WRONG: {result['faults'][0]}"
            rounds[one.name].append(result)
    for one in served:
        entry = {"error": refused[one.name]} if one.name in refused else summary(rounds[one.name])
        figures[f"{workload}, {threads} threads, {one.name}"] = entry
        label = f"  {workload}  {threads:>2}  {SYSTEMS[one.name]:<32}"
        if "error" in entry:
            print(f"{label} {entry['error'][:100]}", flush=True)
            continue
        details = "; ".join(f"{kind} {values['p50']:.0f} / {values['p99']:.0f} / {values['p99.9']:.0f}" for kind, values in entry["latencies"].items())
        conflicts = f"; {entry['conflicts']} tried again" if entry["conflicts"] else ""
        print(f"{label} {entry['rate']:>9,.0f}  {details}{conflicts}; {entry['memory']:.0f} MiB", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--records", type=int, default=1_000_000, help="rows of the table (default 1000000), each about 1 KB")
    parser.add_argument("--seconds", type=float, default=10, help="length of each run (default 10)")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each workload and system (default 3)")
    parser.add_argument("--systems", default="scaup,scaup-normal,duckdb,sqlite,sqlite-normal", help=f"from {', '.join(SYSTEMS)}")
    parser.add_argument("--workloads", default="A,B,C,D,E", help="default A,B,C,D,E")
    parser.add_argument("--threads", default="1,4", help="numbers of client threads (default 1,4)")
    parser.add_argument("--json", type=pathlib.Path, help="write all figures to this file")
    arguments = parser.parse_args()
    figures = {}
    (ROOT / "build").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=ROOT / "build") as folder:
        path = pathlib.Path(folder) / "records.csv"
        write_csv(path, arguments.records)
        print(f"YCSB, {arguments.records:,} records of {FIELDS} x {FIELD_BYTES} bytes in files; runs of {arguments.seconds:g} s", flush=True)
        served = []
        for one in open_all(names_of(arguments.systems), folder, 1):
            try:
                seconds, has_key = one(load, str(path))
            except Refusal as error:
                print(f"  {SYSTEMS[one.name]} is left out: {error}", flush=True)
                one.close()
                continue
            served.append(one)
            note = "" if has_key else "; it has no PRIMARY KEY"
            print(f"  {SYSTEMS[one.name]} ({one.version}): loaded in {seconds:.1f} s{note}", flush=True)
        path.unlink()
        print(f"  {'':<38}{'ops/s':>11}  microseconds: median / 99 % / 99.9 %", flush=True)
        counts = {one.name: arguments.records for one in served}
        for workload in arguments.workloads.split(","):
            for threads in map(int, arguments.threads.split(",")):
                compare(served, workload, threads, arguments, counts, figures)
        for one in served:
            one.close()
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    return 1 if any("WRONG" in entry.get("error", "") for entry in figures.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
