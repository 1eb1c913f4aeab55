#!/usr/bin/env python3
"""Calls functions of Python from SQL: Scaup beside its own expressions, NumPy on arrays in memory, and DuckDB's functions over Arrow.

Rounds alternate, the median counts, and the answers are compared."""

import argparse
import statistics
import time

import duckdb
import numpy
import pyarrow.compute
from duckdb.sqltypes import BIGINT, VARCHAR

import scaup
from side_by_side import processor


def tables(rows, threads):
    ours = scaup.connect(config={"threads": threads})
    theirs = duckdb.connect(config={"threads": threads})
    for connection in (ours, theirs):
        connection.execute(f"CREATE TABLE t AS SELECT i::BIGINT AS i, 'text ' || i AS s FROM generate_series(1, {rows}) AS g(i)")
    ours.create_function("plus_one", lambda x: x + 1, ["BIGINT"], "BIGINT")
    ours.create_function("modulo", lambda x: x % 100, ["BIGINT"], "BIGINT")
    ours.create_function("upper_numpy", numpy.strings.upper, ["VARCHAR"], "VARCHAR")
    ours.create_function("upper_arrow", pyarrow.compute.utf8_upper, ["VARCHAR"], "VARCHAR", type="arrow")
    theirs.create_function("plus_one", lambda x: pyarrow.compute.add(x, 1), [BIGINT], BIGINT, type="arrow")
    theirs.create_function("upper_arrow", lambda x: pyarrow.compute.utf8_upper(x), [VARCHAR], VARCHAR, type="arrow")
    return ours, theirs


def query(connection, sql):
    return lambda: int(connection.execute(sql).fetchall()[0][0])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    ours, theirs = tables(arguments.rows, arguments.threads)
    single, _ = tables(arguments.rows, 1)
    numbers = ours.execute("SELECT i FROM t").fetchnumpy()["i"]
    plus_one = query(ours, "SELECT sum(plus_one(i)) FROM t")
    cases = {
        "x + 1": (plus_one, {
            "the expression": query(ours, "SELECT sum(i + 1) FROM t"),
            "DuckDB over Arrow": query(theirs, "SELECT sum(plus_one(i)) FROM t"),
            "one thread": query(single, "SELECT sum(plus_one(i)) FROM t"),
        }),
        "x % 100": (query(ours, "SELECT sum(modulo(i)) FROM t"), {
            "the expression": query(ours, "SELECT sum(i % 100) FROM t"),
            "NumPy": lambda: int((numbers % 100).sum()),
        }),
        "upper(s), Arrow": (query(ours, "SELECT sum(length(upper_arrow(s))) FROM t"), {
            "the expression": query(ours, "SELECT sum(length(upper(s))) FROM t"),
            "DuckDB over Arrow": query(theirs, "SELECT sum(length(upper_arrow(s))) FROM t"),
        }),
        "upper(s), NumPy": (query(ours, "SELECT sum(length(upper_numpy(s))) FROM t"), {
            "DuckDB over Arrow": query(theirs, "SELECT sum(length(upper_arrow(s))) FROM t"),
        }),
    }
    print(f"{arguments.rows} rows, {arguments.threads} threads, {processor()}")
    for name, (run, others) in cases.items():
        runs = {"": run, **others}
        seconds = {each: [] for each in runs}
        answers = set()
        for _ in range(arguments.rounds):
            for each, body in runs.items():
                start = time.perf_counter()
                answers.add(body())
                seconds[each].append(time.perf_counter() - start)
        assert len(answers) == 1, (name, answers)
        medians = {each: statistics.median(times) for each, times in seconds.items()}
        ratios = ", ".join(f"{medians[''] / medians[each]:.3f} of {each}" for each in others)
        print(f"{name}: {medians[''] * 1000:.1f} ms, {ratios}", flush=True)


if __name__ == "__main__":
    main()
