#!/usr/bin/env python3
"""NoBench: documents in Scaup, in DuckDB (inferred columns, JSON text, VARIANT shredded and whole, text with columns beside it), SQLite and PostgreSQL
(text or jsonb, each with and without indexes).

Each system runs in a process of its own on a file of its own. Answers are compared before times count; systems take turns, round by round, each round
with other literals; the median counts. A system that is missing or refuses something is named and left out."""

import argparse
import json
import math
import os
import pathlib
import statistics
import sys
import tempfile

import generate
from engines import ENGINES, ROOT, Served, Refusal, processor
from queries import QUERIES, parameters

DUCKDB = [name for name in ENGINES if name.startswith("duckdb")]
CHANGES = ["update", "Q12"]
EVERY = [*QUERIES, "Q12", "update"]
REBUILT = ["Q5", "Q6", "Q7", "Q8", "Q9"]
# At most, and aimed at: MB for a million documents, milliseconds for finding and rebuilding documents, else ratios to DuckDB's best variant.
GOALS = {"load": (1.5, 1), "size": (200, 130), "rebuilt": (20, 5), "query": (1, 0.5), "Q11": (1, 0.3), "mean": (0.3, 0.1)}


class Run:
    """All systems, and what was found: figures[what][system] is a dict of lists of milliseconds `cpu` and `wall`, or of an `error`."""

    def __init__(self, systems, arguments, folder):
        self.systems = systems
        self.arguments = arguments
        self.folder = folder
        self.figures = {name: {} for name in ["load", *QUERIES, *CHANGES]}
        self.sizes = {}
        self.answers = {}  # By query: the number of rows and their checksum, equal in all systems.

    def ask(self, name, system, what, *parts):
        """What the system says, or None if it fails, now or before."""
        entry = self.figures[name].setdefault(system.name, {"cpu": [], "wall": []})
        if "error" in entry:
            return None
        try:
            return system(what, *parts)
        except Refusal as error:
            entry["error"] = str(error)
            return None

    def time(self, name, system, what, *parts):
        answer = self.ask(name, system, what, *parts)
        if answer is not None:
            entry = self.figures[name][system.name]
            entry["wall"].append(answer[0] * 1000)
            entry["cpu"].append(answer[1] * 1000)

    def compare(self, name, what, *parts):
        """All systems must give the same rows as the first that gives any: numbers of rows and checksums."""
        answers = {system.name: self.ask(name, system, what, *parts) for system in self.systems}
        given = {system: tuple(answer) for system, answer in answers.items() if answer is not None}
        first = next(iter(given), None)
        for system, answer in given.items():
            if answer != given[first]:
                self.figures[name][system]["error"] = f"WRONG: {answer[0]} rows, {answer[1]}; {first} has {given[first][0]}, {given[first][1]}"
        if first:
            self.answers[name] = given[first]
            print(f"  {name:<7} {given[first][0]:>10,} rows", flush=True)

    def in_turn(self, number):
        return self.systems if number % 2 == 0 else self.systems[::-1]

    def load(self, path):
        for system in list(self.systems):
            answer = self.ask("load", system, "load", str(path))
            if answer is None:
                print(f"  {system.name} is left out: {self.figures['load'].pop(system.name)['error'][:200]}", flush=True)
                self.systems.remove(system)
                system.close()
                continue
            (wall, cpu), size = answer
            self.figures["load"][system.name] = {"wall": [wall * 1000], "cpu": [cpu * 1000]}
            self.sizes[system.name] = size
            print(f"  {system.name:<20} {system.version:<18} loaded in {wall:.1f} s, CPU {cpu:.1f} s, {size / 1e6:.0f} MB", flush=True)

    def query(self):
        """Q1 to Q11: the first literals are for comparing, and warm the systems."""
        first = parameters(self.arguments.documents, self.arguments.seed, 0)
        for name in QUERIES:
            self.compare(name, "answer", name, first)
        for number in range(1, self.arguments.rounds + 1):
            literals = parameters(self.arguments.documents, self.arguments.seed, number)
            for name in QUERIES:
                for system in self.in_turn(number):
                    self.time(name, system, "query", name, literals)
            print(f"  round {number} of {self.arguments.rounds}", flush=True)
            self.write()

    def change(self):
        """The update and Q12, which leave the same documents in all systems."""
        count = self.arguments.documents
        for number in range(1, self.arguments.rounds + 1):
            literals = parameters(count, self.arguments.seed, number)
            for system in self.in_turn(number):
                self.time("update", system, "update", literals)
            self.compare("update", "updated", literals)
        size = max(1, count // 1000)
        for number in range(1, self.arguments.rounds + 1):
            path = self.folder / "more.jsonl"
            generate.write(path, size, f"{self.arguments.seed}{number}", count + (number - 1) * size)
            for system in self.in_turn(number):
                self.time("Q12", system, "insert", str(path))
        self.compare("Q12", "inserted", count, count + self.arguments.rounds * size - 1)

    def write(self, result=None):
        """All figures so far."""
        if not self.arguments.json:
            return
        by_system = {system.name: {"version": system.version, "bytes": self.sizes[system.name]} for system in self.systems}
        figures = {"processor": processor(), "documents": self.arguments.documents, "bytes": self.arguments.data.stat().st_size,
                   "threads": self.arguments.threads, "systems": by_system, "answers": self.answers, "milliseconds": self.figures, "summary": result}
        self.arguments.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")

    def median(self, name, system, kind="cpu"):
        """Milliseconds, or None if there are none."""
        entry = self.figures[name].get(system, {"error": "not run"})
        return None if "error" in entry or not entry[kind] else statistics.median(entry[kind])

    def mean_ratio(self, system, other, names):
        """The geometric mean of system's times to other's, and of how many."""
        pairs = [(self.median(name, system), self.median(name, other)) for name in names]
        ratios = [max(a, 1e-3) / max(b, 1e-3) for a, b in pairs if a is not None and b is not None]
        return (math.exp(statistics.mean(map(math.log, ratios))) if ratios else None), len(ratios)


def print_table(run, kind):
    names = [system.name for system in run.systems]
    print(f"\n{kind} milliseconds, medians of {run.arguments.rounds}\n| what | " + " | ".join(names) + " |\n|---|" + "---|" * len(names))
    for name in run.figures:
        medians = [run.median(name, system, kind) for system in names]
        print(f"| {name} | " + " | ".join("-" if value is None else f"{value:,.0f}" if value >= 100 else f"{value:.2f}" for value in medians) + " |")
    if kind == "cpu":
        print("| size, MB | " + " | ".join(f"{run.sizes[name] / 1e6:,.0f}" for name in names) + " |")
    for name, entries in run.figures.items():
        for system, entry in entries.items():
            if "error" in entry and kind == "cpu":
                print(f"{name} in {system}: {entry['error']}")


def best_of(run, name, among):
    found = {system: value for system in among if (value := run.median(name, system)) is not None}
    return min(found.items(), key=lambda pair: pair[1]) if found else (None, None)


def variants_of_duckdb(run, among, best):
    """The geometric mean of each variant's times to the best variant's, by name: how far one is from taking the best for each query."""
    means = {}
    for system in among:
        ratios = [max(value, 1e-3) / max(best[name][1], 1e-3) for name in EVERY if (value := run.median(name, system)) is not None]
        means[system] = math.exp(statistics.mean(map(math.log, ratios))) if ratios else math.inf
    print("\nGeometric means of DuckDB's variants, each to the best of them for each query: " + ", ".join(f"{name} {value:.2f}" for name, value in means.items()))
    return means


def row_of_goals(name, value, unit, against, goals):
    aims = " | ".join(f"{goal:g}{unit}" for goal in goals) if goals else " | "
    print(f"| {name} | " + ("-" if value is None else f"{value:.2f}{unit}") + f" | {against} | {aims} |")


def summarize(run):
    """DuckDB's best variant for each query and for all; what Scaup is beside them, and what it should be at most and at best."""
    among = [name for name in DUCKDB if name in run.sizes]
    if not among:
        return {}
    best = {name: best_of(run, name, among) for name in EVERY}
    means = variants_of_duckdb(run, among, best)
    single = min(means, key=means.get)
    result = {"best_variant": {name: pair[0] for name, pair in best.items()}, "variants": means, "best_single_variant": single}
    if "scaup" not in run.sizes:
        return result
    text_load = run.median("load", "duckdb-text")
    result["ratios"] = {"load": run.median("load", "scaup") / text_load if text_load else None}
    for name, (_, theirs) in best.items():
        ours = run.median(name, "scaup")
        result["ratios"][name] = None if ours is None or not theirs else ours / theirs
    result["geometric_mean"], count = run.mean_ratio("scaup", single, EVERY)
    print("\n| Scaup, CPU time | | against | at most | aim |\n|---|---|---|---|---|")
    for name, value in result["ratios"].items():
        if name in REBUILT:
            row_of_goals(name, run.median(name, "scaup"), " ms", "", GOALS["rebuilt"])
        else:
            row_of_goals(name, value, "x", "duckdb-text" if name == "load" else best[name][0], GOALS.get(name, None if name == "Q12" else GOALS["query"]))
    share = run.arguments.documents / 1e6
    row_of_goals("size", run.sizes["scaup"] / 1e6, " MB", f"{run.file_size / 1e6:.0f} MB of JSON", [goal * share for goal in GOALS["size"]])
    row_of_goals(f"geometric mean of {count}", result["geometric_mean"], "x", single, GOALS["mean"])
    return result


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--documents", type=int, default=1_000_000, help="how many (default 1000000)")
    parser.add_argument("--seed", type=int, default=1, help="of documents and literals (default 1)")
    parser.add_argument("--data", type=pathlib.Path, help="file of documents, made if it is not there (default build/data/nobench-<documents>.jsonl)")
    parser.add_argument("--folder", type=pathlib.Path, help="where databases are made and removed (default build)")
    parser.add_argument("--engines", default=",".join(ENGINES), help=f"from {', '.join(ENGINES)} (default all)")
    parser.add_argument("--rounds", type=int, default=5, help="runs of each query (default 5)")
    parser.add_argument("--threads", type=int, default=1, help="of each system (default 1)")
    parser.add_argument("--psql", default="psql -d nobench", help="how PostgreSQL is reached (default: psql -d nobench)")
    parser.add_argument("--json", type=pathlib.Path, help="write all figures to this file")
    arguments = parser.parse_args()
    arguments.data = arguments.data or ROOT / "build" / "data" / f"nobench-{arguments.documents}.jsonl"
    arguments.folder = arguments.folder or ROOT / "build"
    for name in arguments.engines.split(","):
        if name not in ENGINES:
            parser.error(f"unknown engine {name}: choose from {', '.join(ENGINES)}")
    return arguments


def open_all(arguments, folder):
    systems = []
    for name in arguments.engines.split(","):
        try:
            systems.append(Served(name, folder, arguments))
        except Refusal as error:
            print(f"  {name} is left out: {error}", flush=True)
    return systems


def main():
    arguments = parse_arguments()
    if not arguments.data.exists():
        arguments.data.parent.mkdir(parents=True, exist_ok=True)
        generate.write(arguments.data, arguments.documents, arguments.seed)
    arguments.folder.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=arguments.folder) as name:
        run = Run(open_all(arguments, name), arguments, pathlib.Path(name))
        run.file_size = arguments.data.stat().st_size
        print(f"NoBench, {processor()}, {os.cpu_count()} threads of which {arguments.threads} used; {arguments.documents:,} documents, "
              f"{run.file_size / 1e6:.0f} MB, {run.file_size / arguments.documents:.0f} bytes each", flush=True)
        run.load(arguments.data)
        run.query()
        run.change()
        for kind in ("cpu", "wall"):
            print_table(run, kind)
        run.write(summarize(run))
        for system in run.systems:
            system.close()
    return 1 if any("error" in entry for entries in run.figures.values() for entry in entries.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
