#!/usr/bin/env python3
"""Calls functions of Python from SQL: Scaup beside its own expressions, NumPy and pandas on arrays in memory, functions in C, and DuckDB's functions over Arrow.

Rounds alternate, the median counts, and the answers are compared. `--cases groups,percentile` chooses. With `--before FOLDER`, the folder of the Python module of
another build, queries that call no function run in both. C needs a compiler and the library of build/release (`--library`)."""

import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import duckdb
import numpy
import pandas
import pyarrow.compute
from duckdb.sqltypes import BIGINT, VARCHAR

import scaup
from side_by_side import ROOT, processor

GROUPS = (10, 10_000, 1_000_000)


def tables(rows, threads):
    ours = scaup.connect(config={"threads": threads})
    theirs = duckdb.connect(config={"threads": threads})
    for connection in (ours, theirs):
        connection.execute(f"""
            CREATE TABLE t AS SELECT i::BIGINT AS i, 'text ' || i AS s, 'city number ' || i % 100 AS city, (i % 1000)::DOUBLE AS v, (1 + i % 7)::DOUBLE AS w,
                   (i::BIGINT * 7919 % 10)::INTEGER AS g10, (i::BIGINT * 7919 % 10000)::INTEGER AS g10000, (i::BIGINT * 7919 % 1000000)::INTEGER AS g1000000
            FROM generate_series(1, {rows}) AS g(i)""")
    ours.create_function("plus_one", lambda x: x + 1, ["BIGINT"], "BIGINT")
    ours.create_function("plus", lambda x, n: x + n, ["BIGINT", "BIGINT"], "BIGINT")
    ours.create_function("modulo", lambda x: x % 100, ["BIGINT"], "BIGINT")
    ours.create_function("upper_numpy", numpy.strings.upper, ["VARCHAR"], "VARCHAR")
    ours.create_function("upper_arrow", pyarrow.compute.utf8_upper, ["VARCHAR"], "VARCHAR", type="arrow")
    ours.create_function("waves", waves, ["DOUBLE"], "DOUBLE")
    ours.create_function("wmean", wmean, ["DOUBLE", "DOUBLE"], "DOUBLE", kind="aggregate")
    ours.create_function("wmean_by_state", WeightedMean, ["DOUBLE", "DOUBLE"], "DOUBLE", kind="aggregate")
    ours.create_function("percentile", lambda x: numpy.percentile(x, 90), ["BIGINT"], "DOUBLE", kind="aggregate")
    ours.create_function("asked_once", lambda x: x + scaup.calling_statement.execute("SELECT i FROM one").fetchone()[0], ["BIGINT"], "BIGINT", side_effects=True)
    ours.create_function("asked", asked, ["BIGINT"], "BIGINT", side_effects=True)
    ours.create_function("plain", lambda x: x + 1, ["BIGINT"], "BIGINT", side_effects=True)
    ours.execute("CREATE TABLE one AS SELECT 1::BIGINT AS i")
    theirs.create_function("plus_one", lambda x: pyarrow.compute.add(x, 1), [BIGINT], BIGINT, type="arrow")
    theirs.create_function("upper_arrow", lambda x: pyarrow.compute.utf8_upper(x), [VARCHAR], VARCHAR, type="arrow")
    return ours, theirs


def waves(x):
    return numpy.sqrt(numpy.sin(x) ** 2 + numpy.cos(x) ** 2 + numpy.log1p(x))


def wmean(v, w, group_offsets):
    return numpy.add.reduceat(v * w, group_offsets) / numpy.add.reduceat(w, group_offsets)


def asked(n):
    """The sum of so many queries within the statement."""
    return sum(scaup.calling_statement.execute("SELECT i FROM one").fetchone()[0] for _ in range(int(n[0])))


class WeightedMean:
    state = [float, float]

    def accumulate(self, v, w, group_offsets):
        return numpy.add.reduceat(v * w, group_offsets), numpy.add.reduceat(w, group_offsets)

    def merge(self, sums, weights, group_offsets):
        return numpy.add.reduceat(sums, group_offsets), numpy.add.reduceat(weights, group_offsets)

    def finish(self, sums, weights):
        return sums / weights


def query(connection, sql):
    return lambda: round(float(connection.execute(sql).fetchall()[0][0]), 6)


class InC:
    """Functions in C in a process of their own, which answers each line with the milliseconds and the result of one run."""

    def __init__(self, library, rows, threads):
        self._folder = tempfile.TemporaryDirectory()
        program = pathlib.Path(self._folder.name) / "functions"
        source = pathlib.Path(__file__).with_name("functions_in_c.c")
        subprocess.run(["cc", "-O2", "-std=c11", f"-I{ROOT / 'include'}", str(source), "-o", str(program), f"-L{library}", "-lscaup", f"-Wl,-rpath,{library}"], check=True)
        self._process = subprocess.Popen([str(program), str(rows), str(threads)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def run(self, sql):
        def ask():
            self._process.stdin.write(sql + "\n")
            self._process.stdin.flush()
            return round(float(self._process.stdout.readline()), 6)

        return ask


def pandas_wmean(frame, key):
    products = pandas.DataFrame({"k": frame[key], "vw": frame["v"] * frame["w"], "w": frame["w"]})
    sums = products.groupby("k", sort=False).sum()
    return round(float((sums["vw"] / sums["w"]).sum()), 6)


def cases(arguments, ours, theirs, single):
    """By name: the run of ours, and those of others."""
    arrays = ours.execute("SELECT i, v, w, g10, g10000, g1000000 FROM t").fetchnumpy()
    numbers, frame = arrays["i"], pandas.DataFrame({name: arrays[name] for name in ("v", "w", "g10", "g10000", "g1000000")})
    made = {
        "plus_one": lambda: (query(ours, "SELECT sum(plus_one(i)) FROM t"), {
            "the expression": query(ours, "SELECT sum(i + 1) FROM t"),
            "DuckDB over Arrow": query(theirs, "SELECT sum(plus_one(i)) FROM t"),
        }),
        "constant": lambda: (query(ours, "SELECT sum(plus(i, 1)) FROM t"), {"without the constant": query(ours, "SELECT sum(plus_one(i)) FROM t")}),
        "upper_arrow": lambda: (query(ours, "SELECT sum(length(upper_arrow(s))) FROM t"), {
            "the expression": query(ours, "SELECT sum(length(upper(s))) FROM t"),
            "DuckDB over Arrow": query(theirs, "SELECT sum(length(upper_arrow(s))) FROM t"),
        }),
        "upper_numpy": lambda: (query(ours, "SELECT sum(length(upper_numpy(s))) FROM t"), {
            "DuckDB over Arrow": query(theirs, "SELECT sum(length(upper_arrow(s))) FROM t"),
        }),
        "dictionary": lambda: (query(ours, "SELECT sum(length(upper_numpy(city))) FROM t"), {
            "the expression": query(ours, "SELECT sum(length(upper(city))) FROM t"),
            "DuckDB over Arrow": query(theirs, "SELECT sum(length(upper_arrow(city))) FROM t"),
        }),
        "modulo": lambda: (query(ours, "SELECT sum(modulo(i)) FROM t"), {
            "the expression": query(ours, "SELECT sum(i % 100) FROM t"),
            "NumPy": lambda: float((numbers % 100).sum()),
            **({"C": arguments.c.run("SELECT sum(modulo(i))::DOUBLE FROM t")} if arguments.c else {}),
        }),
        "percentile": lambda: (query(ours, "SELECT percentile(i) FROM t"), {
            "NumPy": lambda: round(float(numpy.percentile(numbers, 90)), 6),
            **({"C": arguments.c.run("SELECT percentile(i) FROM t")} if arguments.c else {}),
        }),
        "two_threads": lambda: (query(ours, "SELECT sum(waves(v)) FROM t"), {"one thread": query(single, "SELECT sum(waves(v)) FROM t")}),
        "loopback_many": lambda: (query(ours, "SELECT asked(5000)"), {"from outside": lambda: sum(ours.execute("SELECT i FROM one").fetchone()[0] for _ in range(5000))}),
        "loopback_first": lambda: (repeated(ours, ["SELECT asked_once(1)"], 1000), {"from outside, and a call": repeated(ours, ["SELECT plain(1)", "SELECT i FROM one"], 1000)}),
    }
    for count in GROUPS:
        key = f"g{count}"
        made[f"groups_{count}"] = lambda key=key: (query(ours, f"SELECT sum(m) FROM (SELECT wmean_by_state(v, w) AS m FROM t GROUP BY {key}) AS s"), {
            "pandas": lambda: pandas_wmean(frame, key),
            "whole groups": query(ours, f"SELECT sum(m) FROM (SELECT wmean(v, w) AS m FROM t GROUP BY {key}) AS s"),
            "the expression": query(ours, f"SELECT sum(m) FROM (SELECT sum(v * w) / sum(w) AS m FROM t GROUP BY {key}) AS s"),
        })
    return made


def repeated(connection, statements, count):
    """Statements of one row each, which are run in turn."""

    def run():
        for _ in range(count):
            for sql in statements:
                assert connection.execute(sql).fetchone()[0] >= 1
        return count

    return run


WITHOUT_FUNCTIONS = {
    "sum": "SELECT sum(i * 2 + v) FROM t", "group": "SELECT sum(s) FROM (SELECT g10000, sum(v) AS s FROM t GROUP BY g10000) AS q",
    "texts": "SELECT sum(length(upper(city))) FROM t", "sort": "SELECT sum(i) FROM (SELECT i FROM t ORDER BY v, i LIMIT 1000) AS q", "one": "SELECT i FROM t WHERE i = 77",
}
# One of these takes less than the message that asks for it.
REPEATED = {"one": 1000}


def serve_without(rows, threads):
    """The other end of --before: answers names of queries with their results."""
    con = scaup.connect(config={"threads": threads})
    con.execute(f"""CREATE TABLE t AS SELECT i::BIGINT AS i, 'city number ' || i % 100 AS city, (i % 1000)::DOUBLE AS v, (i::BIGINT * 7919 % 10000)::INTEGER AS g10000
                    FROM generate_series(1, {rows}) AS g(i)""")
    for line in sys.stdin:
        name = line.strip()
        print(sum(float(con.execute(WITHOUT_FUNCTIONS[name]).fetchone()[0]) for _ in range(REPEATED.get(name, 1))), flush=True)


def without_functions(arguments):
    processes = {}
    for build, folder in (("", None), ("before", arguments.before)):
        environment = dict(os.environ) if folder is None else {**os.environ, "PYTHONPATH": folder}
        command = [sys.executable, __file__, "--serve", "--rows", str(arguments.rows), "--threads", str(arguments.threads)]
        processes[build] = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(build, name):
        def run():
            processes[build].stdin.write(name + "\n")
            processes[build].stdin.flush()
            return float(processes[build].stdout.readline())

        return run

    for name in WITHOUT_FUNCTIONS:
        compare(f"no function: {name}", ask("", name), {"before": ask("before", name)}, arguments.rounds)


def compare(name, run, others, rounds):
    runs = {"": run, **others}
    seconds = {each: [] for each in runs}
    answers = set()
    for round_number in range(rounds + 1):
        for each, body in runs.items():
            start = time.perf_counter()
            answers.add(body())
            if round_number > 0:  # The first is for warming up.
                seconds[each].append(time.perf_counter() - start)
    spread = max(answers) - min(answers)
    assert spread <= 1e-6 * max(1, abs(max(answers))), (name, answers)
    medians = {each: statistics.median(times) for each, times in seconds.items()}
    ratios = ", ".join(f"{medians[''] / medians[each]:.3f} of {each} ({medians[each] * 1000:.1f} ms)" for each in others)
    print(f"{name}: {medians[''] * 1000:.1f} ms, {ratios}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--cases")
    parser.add_argument("--before")
    parser.add_argument("--library", default=str(ROOT / "build" / "release"))
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.serve:
        return serve_without(arguments.rows, arguments.threads)
    ours, theirs = tables(arguments.rows, arguments.threads)
    single, _ = tables(arguments.rows, 1)
    has_library = any(pathlib.Path(arguments.library).glob("libscaup.so*"))
    arguments.c = InC(arguments.library, arguments.rows, arguments.threads) if has_library else None
    print(f"{arguments.rows} rows, {arguments.threads} threads, {processor()}")
    known = cases(arguments, ours, theirs, single)
    wanted = arguments.cases.split(",") if arguments.cases else known
    for name in wanted:
        names = [each for each in known if each == name or each.startswith(name + "_")]
        assert names, f"there is no case {name}: {', '.join(known)}"
        for each in names:
            run, others = known[each]()
            compare(each, run, others, arguments.rounds)
    if arguments.before:
        without_functions(arguments)


if __name__ == "__main__":
    main()
