#!/usr/bin/env python3
"""Statements that need many times their memory limit, each in a process of its own: each ends in its answer or in an
error for lack of memory (53200) or of room in a value (54000), and its process stays within 1.2 of the limit.

    PYTHONPATH=build/release/extension/python python test/memory/bombs.py [--only WORD] [--limit MIB] [--scale FACTOR]

Prints a line for each, with the most memory that its process had beyond what it has when it does nothing, and closes
with `N passed, N failed`. A run with --scale 1 takes some minutes; smaller factors shrink the inputs."""

import argparse
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

ENDINGS = ("answer", "53200", "54000")
FACTOR = 1.2
MOST_SECONDS = 300

CHILD = """
import json, sys, scaup
job = json.load(sys.stdin)
con = scaup.connect(job["database"], config={"memory_limit": job["limit"], "threads": "2"})
con.execute("SELECT 1").fetchall()
outcome = "answer"
try:
    for statement in job["statements"]:
        con.execute(statement)
        if con.description:
            con.fetchone()
except scaup.Error as error:
    outcome = error.sqlstate
# Not ru_maxrss, which begins with that of the process that forked this one.
with open("/proc/self/status") as status:
    most = int(next(line for line in status if line.startswith("VmHWM:")).split()[1]) * 1024
assert con.execute("SELECT 1").fetchone() == (1,)  # The database goes on.
print(json.dumps([outcome, most]))
"""


def bombs(n):
    """(name, is in a file, statements); n(rows) scales the number of rows."""
    rows = f"SELECT i, i % 1000 AS k, i::text || repeat('x', 40) AS s FROM range({n(8_000_000)}) AS r(i)"
    table = f"CREATE TABLE t AS {rows}"
    return [
        ("strings by repeat", False, [f"SELECT sum(length(repeat('x', 1000000 + i::int))) FROM range({n(5000)}) AS r(i)"]),
        ("one huge string", False, ["SELECT length(repeat('xy', 400000000))"]),
        ("array_agg", False, [f"SELECT cardinality(array_agg(i)) FROM range({n(60_000_000)}) AS r(i)"]),
        ("array_agg of groups", False, [f"SELECT max(cardinality(a)) FROM (SELECT array_agg(s) AS a FROM ({rows}) AS t GROUP BY i % 100000) AS u"]),
        ("series in a list", False, [f"SELECT count(*) FROM (SELECT unnest(array_agg(i)) FROM range({n(30_000_000)}) AS r(i)) AS t"]),
        ("cross product, sorted", False, [f"SELECT a.i * b.i AS p FROM range({n(5000)}) AS a(i), range(5000) AS b(i) ORDER BY p DESC, a.i OFFSET {n(5000) * 5000 - 1}"]),
        ("cross product, grouped", False, [f"SELECT count(*) FROM (SELECT a.i AS x, b.i AS y FROM range({n(4000)}) AS a(i), range(4000) AS b(i) GROUP BY 1, 2) AS t"]),
        ("recursion that grows", False, [f"WITH RECURSIVE r(n, s) AS (SELECT 1, 'x' UNION ALL SELECT n + 1, s || repeat('x', 1000) FROM r) SELECT sum(length(s)) FROM (SELECT s FROM r LIMIT {n(20000)}) AS t"]),
        ("recursion of many rows", False, [f"WITH RECURSIVE r(n) AS (SELECT i FROM range(1000000) AS g(i) UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM (SELECT n FROM r LIMIT {n(30_000_000)}) AS t"]),
        ("recursion of new rows", False, [f"WITH RECURSIVE r(n) AS (SELECT i FROM range(500000) AS g(i) UNION SELECT n + 500000 FROM r WHERE n < {n(6_000_000)}) SELECT count(*) FROM r"]),
        ("window by order", False, [f"SELECT sum(w) FROM (SELECT sum(length(s)) OVER (ORDER BY k, i ROWS 10 PRECEDING) AS w FROM ({rows}) AS t) AS u"]),
        ("window over all", False, [f"SELECT max(w) FROM (SELECT max(s) OVER (ORDER BY i ROWS BETWEEN 1000 PRECEDING AND 1000 FOLLOWING) AS w FROM ({rows}) AS t) AS u"]),
        ("median over frames", False, [f"SELECT sum(w) FROM (SELECT median(k) OVER (ORDER BY i ROWS 100 PRECEDING) AS w FROM range({n(2_000_000)}) AS r(i), LATERAL (SELECT i % 1000 AS k) AS l) AS u"]),
        ("documents", True, ["CREATE COLLECTION c", f"INSERT INTO c SELECT json_build_object('a', i, 'b', repeat('x', 100), 'c' || i % 300, i, 'd', json_build_array(i, i, i)) FROM range({n(1_500_000)}) AS r(i)", "SELECT sum(a::bigint), max(length(b::text)) FROM c"]),
        ("collected result", False, [rows]),
        ("string_agg", False, [f"SELECT length(string_agg(s, ',')) FROM ({rows}) AS t"]),
        ("json_agg", False, [f"SELECT length(json_agg(s)::text) FROM ({rows}) AS t"]),
        ("IN list", False, [f"SELECT count(*) FROM range(1000000) AS r(i) WHERE i::text IN ({', '.join(repr(str(i) + 'x' * 20) for i in range(n(200_000)))})"]),
        ("GROUP BY wide", False, [f"SELECT count(*) FROM (SELECT s, s || 'a' AS a, k, i, count(*) FROM ({rows}) AS t GROUP BY 1, 2, 3, 4) AS u"]),
        ("sort wide", False, [f"SELECT length(s) FROM (SELECT s, repeat(s, 5) AS l FROM ({rows}) AS t ORDER BY s DESC, l OFFSET {n(8_000_000) - 1}) AS u"]),
        ("median", False, [f"SELECT median(i), mode(s) FROM ({rows}) AS t"]),
        ("DISTINCT aggregates", False, [f"SELECT count(DISTINCT s), count(DISTINCT i), sum(DISTINCT i) FROM ({rows}) AS t"]),
        ("hash join", False, [f"SELECT count(*) FROM ({rows}) AS a JOIN ({rows}) AS b ON a.s = b.s"]),
        ("CREATE TABLE AS in memory", False, [table]),
        ("CREATE TABLE AS", True, [table]),
        ("INSERT with a key", True, ["CREATE TABLE t (i BIGINT PRIMARY KEY, k BIGINT, s TEXT UNIQUE)", f"INSERT INTO t {rows}"]),
        ("INSERT with one key value", True, ["CREATE TABLE t (i BIGINT, k BIGINT, s TEXT)", "CREATE INDEX ON t (k)", f"INSERT INTO t SELECT i, 1, s FROM ({rows}) AS r"]),
        ("UPDATE", True, [table, "UPDATE t SET k = k + 1"]),
        ("UPDATE of texts", True, [table, "UPDATE t SET s = s || 'y'"]),
        ("UPDATE by a join", True, [table, f"UPDATE t SET k = o.i FROM range({n(8_000_000)}) AS o(i) WHERE o.i = t.i"]),
        ("DELETE", True, [table, "DELETE FROM t WHERE i % 3 <> 0"]),
        ("DELETE of all", True, [table, "DELETE FROM t"]),
        ("COPY to CSV and back", True, [f"COPY ({rows}) TO '{{folder}}/t.csv'", "CREATE TABLE t (i BIGINT, k BIGINT, s TEXT)", "COPY t FROM '{folder}/t.csv'"]),
        ("COPY to Parquet and back", True, [f"COPY ({rows}) TO '{{folder}}/t.parquet'", "CREATE TABLE t AS SELECT * FROM read_parquet('{folder}/t.parquet')"]),
    ]


def limit_address_space():
    """Should all else fail: the machine is not ours alone."""
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))


def run(statements, in_file, limit):
    """Returns how it ended, the most bytes of the process, and the seconds that it took."""
    with tempfile.TemporaryDirectory() as folder:
        job = {
            "database": str(pathlib.Path(folder) / "bombs.scaup") if in_file else ":memory:",
            "limit": f"{limit}MiB",
            "statements": [statement.replace("{folder}", folder) for statement in statements],
        }
        begin = time.monotonic()
        try:
            child = subprocess.run([sys.executable, "-c", CHILD], input=json.dumps(job), capture_output=True, text=True,
                                   env=dict(os.environ), preexec_fn=limit_address_space, timeout=MOST_SECONDS)
        except subprocess.TimeoutExpired:
            return "no end", 0, MOST_SECONDS
        seconds = time.monotonic() - begin
        if child.returncode != 0:
            lines = child.stderr.strip().splitlines()
            return lines[-1] if lines else f"ended with {child.returncode}", 0, seconds
        outcome, most_bytes = json.loads(child.stdout)
        return outcome, most_bytes, seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", default="", help="only bombs with this word in their name")
    parser.add_argument("--limit", type=int, default=256, help="memory_limit in MiB")
    parser.add_argument("--scale", type=float, default=1, help="factor of all row counts")
    arguments = parser.parse_args()
    _, empty_bytes, _ = run([], False, arguments.limit)
    most_allowed = FACTOR * arguments.limit * 2**20
    print(f"memory_limit {arguments.limit} MiB; an empty process has {empty_bytes / 2**20:.0f} MiB")
    print(f"{'bomb':28} {'ends in':10} {'MiB above empty':>16} {'of the limit':>13} {'seconds':>8}")
    passed = failed = 0
    for name, in_file, statements in bombs(lambda count: max(1, int(count * arguments.scale))):
        if arguments.only not in name:
            continue
        outcome, most_bytes, seconds = run(statements, in_file, arguments.limit)
        above = max(0, most_bytes - empty_bytes)
        is_good = outcome in ENDINGS and above <= most_allowed
        passed, failed = passed + is_good, failed + (not is_good)
        print(f"{name:28} {outcome:10} {above / 2**20:16.0f} {above / 2**20 / arguments.limit:13.2f} {seconds:8.1f}"
              f"{'' if is_good else '  FAILED'}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
