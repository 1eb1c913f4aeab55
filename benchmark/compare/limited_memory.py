#!/usr/bin/env python3
"""Grouping, joining and sorting more than the memory limit holds, in Scaup and DuckDB: databases in files, temporary files beside them.

`SCAUP_BENCHMARK_ROWS` (50,000,000) is how many rows are grouped and sorted; the join takes three fifths of them on each side. `at once` are pairs of them in two sessions
of one database: its time is that of the slower one. Each system runs in a process of its own; rounds alternate, the median counts, answers are compared. The largest resident size of each process is printed, too: it counts what a limit does not, the program itself."""

import argparse
import json
import os
import pathlib
import resource
import statistics
import sys
import tempfile
import threading
import time

from remote_process import Refusal, RemoteProcess, told

ROWS = int(os.environ.get("SCAUP_BENCHMARK_ROWS", "50000000"))
PRIME = 1_000_000_007  # Keys are all different, and far from each other's neighbours.
KEY = f"(CAST({{}} AS BIGINT) * 7919) % {PRIME}"
SETUP = [f"CREATE TABLE t AS SELECT {KEY.format('i')} AS k, CAST(i % 1000 AS INTEGER) AS v FROM range({ROWS}) AS r(i)",
         f"CREATE TABLE a AS SELECT {KEY.format('i')} AS k, CAST(i % 1000 AS INTEGER) AS v FROM range({ROWS * 3 // 5}) AS r(i)",
         f"CREATE TABLE b AS SELECT {KEY.format(f'({ROWS * 3 // 5} - i)')} AS k, CAST(i % 777 AS INTEGER) AS w FROM range({ROWS * 3 // 5}) AS r(i)",
         "CHECKPOINT"]
CASES = {
    "group by": "SELECT count(*), sum(n), sum(s), max(k) FROM (SELECT k, count(*) AS n, sum(v) AS s FROM t GROUP BY k) AS g",
    "join": "SELECT count(*), sum(v), sum(w) FROM a JOIN b ON a.k = b.k",
    "sort": f"SELECT k, v FROM t ORDER BY k OFFSET {ROWS - 10}",
}
TOGETHER = {"two groupings at once": ("group by", "group by"), "a join and a sort at once": ("join", "sort")}


def connect(name, path, threads, limit):
    if name == "scaup":
        import scaup

        return scaup.connect(path, config={"threads": str(threads), "memory_limit": limit}), f"Scaup {scaup.__version__}"
    import duckdb

    return duckdb.connect(path, config={"threads": threads, "memory_limit": limit}), f"DuckDB {duckdb.__version__}"


def ask(connection, sql):
    """Seconds, and the rows as integers."""
    begin = time.perf_counter()
    result = connection.execute(sql)
    rows = result.fetchall() if sql.startswith("SELECT") else []
    return time.perf_counter() - begin, [tuple(map(int, row)) for row in rows]


def ask_together(connection, statements):
    """Runs statements at once, each in a session of its own: the seconds of the slowest, and the rows of all."""
    answers, errors = [None] * len(statements), []

    def run(number):
        try:
            answers[number] = ask(connection.cursor(), statements[number])
        except Exception as error:  # pylint: disable=broad-exception-caught
            errors.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(len(statements))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    return max(seconds for seconds, _ in answers), [row for _, rows in answers for row in rows]


def serve(pipe, name, path, threads, limit):
    connection, version = connect(name, path, threads, limit)
    pipe.send(("ok", version))
    while (statements := pipe.recv()) is not None:
        try:
            seconds, rows = ask(connection, statements[0]) if len(statements) == 1 else ask_together(connection, statements)
            pipe.send(("ok", (seconds, rows, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)))
        except Exception as error:  # pylint: disable=broad-exception-caught
            pipe.send(told(error))


def measure(systems, chosen, rounds):
    """Seconds by case and system, or what the system said. `chosen` has each case's statements."""
    found = {}
    for case, statements in chosen.items():
        answers, times = {}, {name: [] for name in systems}
        for _ in range(rounds):
            for name, process in systems.items():
                try:
                    seconds, rows, resident = process.ask(statements)
                    times[name].append(seconds)
                    answers[name] = rows
                except Refusal as refusal:
                    found[case, name] = {"error": str(refusal)}
                    continue
                found[case, name] = {"seconds": statistics.median(times[name]), "resident_mb": resident}
        if len(answers) == 2 and answers["scaup"] != answers["duckdb"]:
            sys.exit(f"{case}: Scaup answers {answers['scaup']}, DuckDB {answers['duckdb']}")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memory-limit", default="1GB")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=pathlib.Path)
    arguments = parser.parse_args()
    chosen = {case: [sql] for case, sql in CASES.items()} | {case: [CASES[part] for part in parts] for case, parts in TOGETHER.items()}
    with tempfile.TemporaryDirectory() as folder:
        systems = {}
        for name in ("scaup", "duckdb"):
            path = os.path.join(folder, name)
            systems[name] = RemoteProcess(name, serve, (name, path, arguments.threads, arguments.memory_limit))
            for statement in SETUP:
                systems[name].ask([statement])
        try:
            found = measure(systems, chosen, arguments.rounds)
        finally:
            for process in systems.values():
                process.close()
    print(f"{ROWS} rows, memory_limit {arguments.memory_limit}, {arguments.threads} threads, median of {arguments.rounds} rounds")
    for case in chosen:
        scaup, duckdb = found[case, "scaup"], found[case, "duckdb"]
        ratio = f"{scaup['seconds'] / duckdb['seconds']:.2f}" if "seconds" in scaup and "seconds" in duckdb else ""
        print(f"  {case:26}" + "".join(f"{entry['seconds']:8.2f} s {entry['resident_mb']:6} MB" if "seconds" in entry else f"  {entry['error'][:60]}"
                                       for entry in (scaup, duckdb)) + f"  {ratio}")
    if arguments.json:
        arguments.json.write_text(json.dumps({f"{case} {name}": entry for (case, name), entry in found.items()}), encoding="utf-8")


if __name__ == "__main__":
    main()
