#!/usr/bin/env python3
"""Tables of Python and Scaup, beside DuckDB: results into NumPy, pandas, Arrow and Polars, tables of these in SQL, executemany, and results that are larger than memory_limit.

Each system has a process of its own; answers are compared before anything is timed; rounds alternate and the median counts. The last two cases stream rows as record batches from
a database in a file, and from range(). They run in a new process each round and report by how much its resident memory grew at most."""

import argparse
import gc
import json
import os
import pathlib
import statistics
import sys
import tempfile
import time
import warnings

from answers import difference
from frame_cases import CASES, Workplace
from remote_process import Refusal, RemoteProcess, told
from side_by_side import ROOT, processor
from suite import mean
from tpch import TPCH
from worker import OPENERS, memory_mib

SYSTEMS = ("scaup", "duckdb")
MADE = "SELECT i, CAST(i AS DOUBLE) / 4 AS x, CAST(i % 1000 AS INTEGER) AS k FROM range({}) AS r(i)"
STREAMS = {"stream from a file": "SELECT * FROM t", "stream from range()": MADE}
BATCH_ROWS = 100_000
ALLOWED = 1.2  # times memory_limit, by which the resident memory of a stream's process may grow


def serve(pipe, system, threads, folder, row_count, pair_count):
    """Runs cases by name: ("answer", name) gives rows, ("run", name) seconds."""
    warnings.simplefilter("ignore")  # DuckDB's about old names of its methods.
    os.environ["POLARS_MAX_THREADS"] = str(threads)
    import pyarrow

    pyarrow.set_cpu_count(threads)
    connection, version = OPENERS[system](threads, ":memory:")
    place = Workplace(system, connection, pathlib.Path(folder), row_count, pair_count)
    pipe.send(("ok", version))
    while (request := pipe.recv()) is not None:
        action, name = request
        case = CASES[name]
        try:
            case.prepare(place)
            gc.collect()
            start = time.perf_counter()
            result = case.run(place)
            seconds = time.perf_counter() - start
            answer = case.answer(place, result) if action == "answer" else seconds
            del result
            pipe.send(("ok", answer))
        except BaseException as error:  # Polars panics with exceptions that are not Exception.
            pipe.send(told(error))


def serve_stream(pipe, system, threads, path, memory_limit):
    """Answers a query with the seconds that its batches took, their rows and sums, and by how many MiB the resident memory grew meanwhile."""
    warnings.simplefilter("ignore")
    import pyarrow.compute
    import pyarrow.dataset  # pylint: disable=unused-import

    connection, version = OPENERS[system](threads, path)
    connection.execute(f"SET memory_limit = '{memory_limit}'")
    pipe.send(("ok", version))
    while (sql := pipe.recv()) is not None:
        try:
            pathlib.Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # Resets the peak.
            before = memory_mib()[0]
            rows, sums = 0, [0, 0, 0]
            start = time.perf_counter()
            for batch in connection.sql(sql).fetch_record_batch(BATCH_ROWS):
                rows += batch.num_rows
                sums = [sum_ + pyarrow.compute.sum(column).as_py() for sum_, column in zip(sums, batch.columns)]
            pipe.send(("ok", (time.perf_counter() - start, (rows, *sums), memory_mib()[1] - before)))
        except Exception as error:  # pylint: disable=broad-exception-caught
            pipe.send(told(error))
    connection.close()


def in_turn(systems, number):
    return systems if number % 2 == 0 else list(reversed(systems))


def measure(workers, name, rounds):
    """Median milliseconds by system, or "error"."""
    try:
        answers = [worker.ask(("answer", name)) for worker in workers]
        if fault := difference(*answers):
            return {"error": f"answers differ: {fault}"}
        times = {worker.name: [] for worker in workers}
        for number in range(rounds):
            for worker in in_turn(workers, number):
                times[worker.name].append(worker.ask(("run", name)) * 1000)
    except Refusal as refusal:
        return {"error": str(refusal)}
    return {system: statistics.median(values) for system, values in times.items()}


def measure_stream(name, arguments, folder):
    """Median milliseconds by system, and in "growth" the most MiB by which a process grew; or "error"."""
    times, growth, answers = {system: [] for system in SYSTEMS}, dict.fromkeys(SYSTEMS, 0), {}
    sql = STREAMS[name].format(arguments.stream_rows)
    try:
        for number in range(arguments.rounds):
            for system in in_turn(SYSTEMS, number):
                path = pathlib.Path(folder) / system if "file" in name else ":memory:"
                if path != ":memory:" and not path.exists():
                    with RemoteProcess(system, serve_maker, (system, arguments.threads, str(path), arguments.stream_rows)):
                        pass
                with RemoteProcess(system, serve_stream, (system, arguments.threads, str(path), arguments.memory_limit)) as process:
                    seconds, answers[system], grown = process.ask(sql)
                times[system].append(seconds * 1000)
                growth[system] = max(growth[system], grown)
    except Refusal as refusal:
        return {"error": f"{system}: {refusal}"}
    if fault := difference(*([answers[system]] for system in SYSTEMS)):
        return {"error": f"answers differ: {fault}"}
    return {system: statistics.median(values) for system, values in times.items()} | {"growth": growth}


def serve_maker(pipe, system, threads, path, row_count):
    """Makes the database of a stream, in a process that ends then."""
    try:
        connection, version = OPENERS[system](threads, path)
        connection.execute(f"CREATE TABLE t AS {MADE.format(row_count)}")
        connection.execute("CHECKPOINT")
        connection.close()
        pipe.send(("ok", version))
        pipe.recv()
    except Exception as error:  # pylint: disable=broad-exception-caught
        pipe.send(told(error))


def mebibytes(text):
    number, unit = text[:-2], text[-2:].upper()
    return float(number) * {"MB": 1e6, "GB": 1e9}[unit] / 2**20


def print_row(name, figures, allowed):
    if "error" in figures:
        print(f"  {name:<36} {figures['error']}", flush=True)
        return
    growth = "".join(f", {system} grew by {size:.0f} MiB" for system, size in figures.get("growth", {}).items())
    if growth:
        growth += f" ({'within' if figures['growth']['scaup'] <= allowed else 'ABOVE'} {allowed:.0f})"
    print(f"  {name:<36}{figures['scaup']:>10.1f}{figures['duckdb']:>10.1f}{figures['scaup'] / figures['duckdb']:>9.2f}{growth}", flush=True)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", default="", help="only cases whose name has one of these words, separated by commas")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2, help="of each system (default 2)")
    parser.add_argument("--scale", type=float, default=1, help="of TPC-H's lineitem (default 1)")
    parser.add_argument("--data", type=pathlib.Path, help="folder with TPC-H's files (default build/data/tpch-sf<scale>, made if they are not there)")
    parser.add_argument("--rows", type=int, default=2_000_000, help="of the tables of Python (default 2,000,000)")
    parser.add_argument("--pairs", type=int, default=100_000, help="rows for executemany (default 100,000)")
    parser.add_argument("--stream-rows", type=int, default=60_000_000)
    parser.add_argument("--memory-limit", default="200MB", help="of the streams (default 200MB)")
    parser.add_argument("--small", action="store_true", help="a run of seconds that only shows that everything works")
    parser.add_argument("--json", type=pathlib.Path, help="write all figures to this file")
    arguments = parser.parse_args()
    if arguments.small:
        arguments.scale, arguments.rows, arguments.pairs, arguments.stream_rows, arguments.rounds = 0.01, 20_000, 200, 1_000_000, 1
    arguments.data = arguments.data or ROOT / "build" / "data" / f"tpch-sf{arguments.scale:g}"
    words = [word for word in arguments.cases.split(",") if word]
    arguments.chosen = [name for name in [*CASES, *STREAMS] if not words or any(word in name for word in words)]
    return arguments


def main():
    arguments = parse_arguments()
    TPCH.generate(arguments.data, arguments.scale)
    found = {}
    options = (arguments.threads, str(arguments.data), arguments.rows, arguments.pairs)
    with RemoteProcess("scaup", serve, ("scaup", *options)) as ours, RemoteProcess("duckdb", serve, ("duckdb", *options)) as theirs:
        print(f"{ours.version} and {theirs.version}, {processor()}, {arguments.threads} of {os.cpu_count()} threads; milliseconds, median of {arguments.rounds} rounds")
        print(f"  {'':<36}{'Scaup':>10}{'DuckDB':>10}{'ratio':>9}")
        for name in arguments.chosen:
            if name in CASES:
                found[name] = measure([ours, theirs], name, arguments.rounds)
                print_row(name, found[name], 0)
    with tempfile.TemporaryDirectory() as folder:
        for name in arguments.chosen:
            if name in STREAMS:
                found[name] = measure_stream(name, arguments, folder)
                print_row(name, found[name], ALLOWED * mebibytes(arguments.memory_limit))
    ratios = {name: entry["scaup"] / entry["duckdb"] for name, entry in found.items() if "error" not in entry}
    if ratios:
        worst = max(ratios, key=ratios.get)
        print(f"  geometric mean of {len(ratios)}: {mean(list(ratios.values())):.2f}; worst {worst}: {ratios[worst]:.2f}")
    if arguments.json:
        arguments.json.write_text(json.dumps({"processor": processor(), "threads": arguments.threads, "cases": found}, indent=1) + "\n", encoding="utf-8")
    return 1 if len(ratios) < len(found) else 0


if __name__ == "__main__":
    sys.exit(main())
