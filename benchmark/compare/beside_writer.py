#!/usr/bin/env python3
"""Readers in other processes while one writes: how fast each is beside the others, to how fast it is alone.

Each process has one thread. A reader runs queries of one kind for a while; the writer commits small transactions, waiting for the disk or not. Kinds take turns, round by round,
alone and beside others; the median counts. `both alone` runs each beside another process of its kind on a database of its own: what the machine's memory, disk and caches
cost two processes that have nothing to do with each other."""

import argparse
import contextlib
import json
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

from side_by_side import processor

READER = """
import random, sys, time, scaup
path, kind, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3])
con = scaup.connect(path, read_only=True, config={"threads": 1})
rows = con.execute("SELECT count(*) FROM fact").fetchone()[0]
chance = random.Random(1)
ask = {
    "scan": lambda: con.execute("SELECT k % 100, count(*), sum(v), avg(w) FROM fact GROUP BY 1").fetchall(),
    "point": lambda: con.execute("SELECT v, w FROM fact WHERE k = ?", [chance.randrange(rows)]).fetchall(),
    "fresh": lambda: con.execute("SELECT count(*), sum(n) FROM small").fetchall(),
}[kind]
ask()
print("ready", flush=True)
sys.stdin.readline()
count, begin = 0, time.perf_counter()
while time.perf_counter() - begin < seconds:
    ask()
    count += 1
print(count / (time.perf_counter() - begin), flush=True)
"""
WRITER = """
import random, sys, time, scaup
path, mode, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3])
con = scaup.connect(path, config={"threads": 1, "synchronous": mode})
chance = random.Random(2)
print("ready", flush=True)
sys.stdin.readline()
count, begin = 0, time.perf_counter()
while time.perf_counter() - begin < seconds:
    con.execute("UPDATE small SET n = n + 1 WHERE k = ?", [chance.randrange(10000)])
    con.execute("INSERT INTO journal VALUES (?, 'a line of text')", [count])
    count += 2
print(count / (time.perf_counter() - begin), flush=True)
"""


def make(path, rows):
    code = f"""
import scaup
con = scaup.connect({str(path)!r})
con.execute("CREATE TABLE fact (k BIGINT PRIMARY KEY, v BIGINT, w DOUBLE PRECISION)")
con.execute("INSERT INTO fact SELECT i, hash(i) % 1000, i * 0.5 FROM range({rows}) AS r(i)")
con.execute("CREATE TABLE small (k BIGINT PRIMARY KEY, n BIGINT)")
con.execute("INSERT INTO small SELECT i, 0 FROM range(10000) AS r(i)")
con.execute("CREATE TABLE journal (i BIGINT, s VARCHAR)")
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def run(*processes):
    """Runs (code, path, kind, seconds) at the same time; the rate of each."""
    with contextlib.ExitStack() as stack:
        started = []
        for code, *arguments in processes:
            command = [sys.executable, "-c", code, *map(str, arguments)]
            process = stack.enter_context(subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True))
            if process.stdout.readline() != "ready\n":
                sys.exit("a process did not begin")
            started.append(process)
        for process in started:
            process.stdin.write("\n")
            process.stdin.flush()
        return [float(process.stdout.readline()) for process in started]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--rows", type=int, default=3_000_000)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--kinds", default="scan,point,fresh")
    parser.add_argument("--modes", default="full,off")
    parser.add_argument("--json", type=pathlib.Path)
    arguments = parser.parse_args()
    found = {}

    def note(key, rate):
        found.setdefault(key, []).append(rate)

    with tempfile.TemporaryDirectory() as folder:
        made, path, other = (pathlib.Path(folder) / name for name in ("made.scaup", "x.scaup", "y.scaup"))
        make(made, arguments.rows)
        for _ in range(arguments.rounds):
            for mode in arguments.modes.split(","):
                for kind in arguments.kinds.split(","):
                    shutil.copyfile(made, path)
                    shutil.copyfile(made, other)
                    reader, writer = (READER, path, kind, arguments.seconds), (WRITER, path, mode, arguments.seconds)
                    note(("reader alone", mode, kind), run(reader)[0])
                    note(("writer alone", mode, kind), run(writer)[0])
                    both = run(reader, (WRITER, other, mode, arguments.seconds))
                    note(("reader, both alone", mode, kind), both[0])
                    note(("writer, both alone", mode, kind), both[1])
                    both = run(reader, writer)
                    note(("reader beside", mode, kind), both[0])
                    note(("writer beside", mode, kind), both[1])
    medians = {key: statistics.median(rates) for key, rates in found.items()}
    print(f"{arguments.rows} rows, {processor()}; per second, medians of {arguments.rounds} rounds of {arguments.seconds:g} s")
    print(f"{'commits':8}{'queries':8}{'who':8}{'alone':>11}{'both alone':>12}{'beside':>11}{'to alone':>10}{'to both':>10}")
    for mode in arguments.modes.split(","):
        for kind in arguments.kinds.split(","):
            for who in ("reader", "writer"):
                alone, both, beside = (medians[(f"{who}{state}", mode, kind)] for state in (" alone", ", both alone", " beside"))
                print(f"{mode:8}{kind:8}{who:8}{alone:11.1f}{both:12.1f}{beside:11.1f}{beside / alone:10.2f}{beside / both:10.2f}")
    if arguments.json:
        arguments.json.write_text(json.dumps({" ".join(key): value for key, value in medians.items()}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
