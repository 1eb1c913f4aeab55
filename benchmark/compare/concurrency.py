#!/usr/bin/env python3
"""Queries beside each other in one database, in Scaup and DuckDB: how long short ones take while long ones run, and how two long ones share the threads.

Each system runs in a process of its own, in memory, with a thread for each connection; rounds alternate. Ratios: of a short query's median and of its 95th percentile beside
long queries to those alone, and of two long queries at once, from the first's begin to the last's end, to one after the other; of the two, how much later the second ends."""

import argparse
import pathlib
import json
import statistics
import sys
import threading
import time

from remote_process import RemoteProcess, told
from worker import OPENERS

ROWS = 5_000_000
SETUP = [f"CREATE TABLE t AS SELECT i AS id, CAST(i * 7919 % {ROWS} AS INTEGER) AS k, CAST(i % 1000 AS INTEGER) AS g, CAST(i AS DOUBLE) / 3 AS x FROM range({ROWS}) AS r(i)",
         "CREATE TABLE small AS SELECT * FROM t WHERE id < 100000"]
SHORT = "SELECT g, count(*), sum(x) FROM small GROUP BY g ORDER BY g LIMIT 3"
LONG = "SELECT count(*), sum(n), max(s) FROM (SELECT k, count(*) AS n, sum(x) AS s FROM t GROUP BY k) AS y"
EXECUTIONS = 100


class Sessions:
    """Connections of one database, each used by one thread."""

    def __init__(self, connection):
        duplicate = connection.duplicate if hasattr(connection, "duplicate") else connection.cursor
        self.connections = [duplicate() for _ in range(3)]

    def run(self, session, sql):
        begin = time.perf_counter()
        answer = self.connections[session].execute(sql).fetchall()
        return time.perf_counter() - begin, answer

    def short(self, executions):
        times = sorted(self.run(0, SHORT)[0] for _ in range(executions))
        return statistics.median(times), times[int(len(times) * 0.95)]

    def short_beside(self, long_count):
        """While so many long queries run, one after another each."""
        is_over = threading.Event()

        def repeat(session):
            while not is_over.is_set():
                self.run(session, LONG)

        threads = [threading.Thread(target=repeat, args=(session,)) for session in range(1, 1 + long_count)]
        for thread in threads:
            thread.start()
        time.sleep(0.1)
        try:
            return self.short(EXECUTIONS)
        finally:
            is_over.set()
            for thread in threads:
                thread.join()

    def long_at_once(self):
        ends = []

        def run(session):
            self.run(session, LONG)
            ends.append(time.perf_counter())

        begin = time.perf_counter()
        threads = [threading.Thread(target=run, args=(session,)) for session in (1, 2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return ends[0] - begin, ends[1] - begin

    def measure(self):
        median, late = self.short(EXECUTIONS)
        figures = {"alone ms": median * 1000}
        for long_count in (1, 2):
            beside = self.short_beside(long_count)
            figures[f"median beside {long_count}"] = beside[0] / median
            figures[f"95 % beside {long_count}"] = beside[1] / late
        single = sum(self.run(1, LONG)[0] for _ in range(2))
        first, second = self.long_at_once()
        figures["two long at once"] = second / single
        figures["second after first"] = second / first
        return figures


def serve(pipe, name, threads):
    connection, version = OPENERS[name](threads, ":memory:")
    for statement in SETUP:
        connection.execute(statement)
    sessions = Sessions(connection)
    pipe.send(("ok", version))
    while (what := pipe.recv()) is not None:
        try:
            pipe.send(("ok", sessions.measure() if what == "measure" else [sessions.run(0, sql)[1] for sql in (SHORT, LONG)]))
        except Exception as error:  # pylint: disable=broad-exception-caught
            pipe.send(told(error))


def alike(ours, theirs):
    return all(abs(a - b) <= 1e-9 * abs(b) for rows in zip(ours, theirs) for row in zip(*rows) for a, b in zip(*row))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=pathlib.Path)
    arguments = parser.parse_args()
    systems = {name: RemoteProcess(name, serve, (name, arguments.threads)) for name in ("scaup", "duckdb")}
    try:
        print(f"{arguments.threads} threads, median of {arguments.rounds} rounds: " + ", ".join(process.version for process in systems.values()))
        if not alike(*(process.ask("answers") for process in systems.values())):
            sys.exit("the systems answer differently")
        rounds = {name: [] for name in systems}
        for _ in range(arguments.rounds):
            for name, process in systems.items():
                rounds[name].append(process.ask("measure"))
        found = {name: {what: statistics.median(figures[what] for figures in measured) for what in measured[0]} for name, measured in rounds.items()}
        for what in found["scaup"]:
            print(f"  {what:24}{found['scaup'][what]:9.2f}{found['duckdb'][what]:9.2f}")
    finally:
        for process in systems.values():
            process.close()
    if arguments.json:
        arguments.json.write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    main()
