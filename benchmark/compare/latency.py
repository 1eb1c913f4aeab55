#!/usr/bin/env python3
"""Statements of microseconds, from Python, in Scaup and DuckDB: SELECT 1, a row by its key, one row inserted. In memory, on one connection.

Each system runs in a process of its own and times itself; rounds alternate. A statement's time is the median of a round's executions; of rounds the median counts. Parameters
change with each execution. SQL texts stay the same, as a program that prepares its statements has them: both systems may keep what they know of a text."""

import argparse
import json
import pathlib
import random
import statistics
import sys
import time

from remote_process import RemoteProcess, told
from worker import OPENERS

ROWS = 1_000_000
SETUP = ["CREATE TABLE t (id INTEGER PRIMARY KEY, text VARCHAR, number DOUBLE)",
         f"INSERT INTO t SELECT i, 'value ' || i, CAST(i AS DOUBLE) / 2 FROM range({ROWS}) AS r(i)"]
INSERT = "INSERT INTO t VALUES (?, ?, ?)"


class Statements:
    """The cases on one connection; each call executes once and gives what came back."""

    def __init__(self, connection):
        self.connection = connection
        self.next_key = ROWS
        self.random = random.Random(1)

    def select_1(self):
        return self.connection.execute("SELECT 1").fetchall()

    def lookup(self):
        return self.connection.execute("SELECT * FROM t WHERE id = ?", [self.random.randrange(ROWS)]).fetchall()

    def insert(self):
        self.next_key += 1
        self.connection.execute(INSERT, [self.next_key, "abc", 1.5])

    def insert_in_transaction(self):
        self.connection.execute("BEGIN")
        self.insert()
        self.connection.execute("COMMIT")


CASES = {"SELECT 1": Statements.select_1, "row by its key": Statements.lookup, "insert": Statements.insert,
         "BEGIN, insert, COMMIT": Statements.insert_in_transaction}


def serve(pipe, name):
    connection, version = OPENERS[name](1, ":memory:")
    for statement in SETUP:
        connection.execute(statement)
    statements = Statements(connection)
    pipe.send(("ok", version))
    while (request := pipe.recv()) is not None:
        case, executions = request
        try:
            times, answers = [], []
            for _ in range(executions):
                begin = time.perf_counter_ns()
                answer = CASES[case](statements)
                times.append(time.perf_counter_ns() - begin)
                answers.append(answer)
            pipe.send(("ok", (statistics.median(times) / 1000, answers)))
        except Exception as error:  # pylint: disable=broad-exception-caught
            pipe.send(told(error))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--executions", type=int, default=500, help="of a statement in a round")
    parser.add_argument("--json", type=pathlib.Path)
    arguments = parser.parse_args()
    systems = {name: RemoteProcess(name, serve, (name,)) for name in ("scaup", "duckdb")}
    found = {}
    try:
        print(f"microseconds, median of {arguments.rounds} rounds of {arguments.executions}: " + ", ".join(process.version for process in systems.values()))
        for case in CASES:
            medians = {name: [] for name in systems}
            for _ in range(arguments.rounds):
                answers = {}
                for name, process in systems.items():
                    median, answers[name] = process.ask((case, arguments.executions))
                    medians[name].append(median)
                if answers["scaup"] != answers["duckdb"]:
                    sys.exit(f"{case}: the systems answer differently")
            found[case] = {name: statistics.median(times) for name, times in medians.items()}
            print(f"  {case:24}{found[case]['scaup']:9.1f}{found[case]['duckdb']:9.1f}  {found[case]['scaup'] / found[case]['duckdb']:.3f}")
    finally:
        for process in systems.values():
            process.close()
    if arguments.json:
        arguments.json.write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    main()
