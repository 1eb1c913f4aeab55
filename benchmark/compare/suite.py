"""Runs a suite of questions (a module with TABLES and CASES) in Scaup and its peers, and prints the ratio of Scaup's time to each of theirs."""

import argparse
import json
import math
import os
import pathlib
import statistics

from peers import SYSTEMS, Peer, generate
from remote_process import Refusal
from side_by_side import ROOT, processor

TOLERANCE = 1e-6  # Relative: sums of floating-point numbers in any order.


def parse_arguments(title, name):
    parser = argparse.ArgumentParser(description=f"{title}: Scaup beside DuckDB, Polars and chDB")
    parser.add_argument("--data", type=pathlib.Path, default=ROOT / "build" / "data" / name, help="folder of the tables' files, made if they are not there")
    parser.add_argument("--systems", default=",".join(SYSTEMS), help=f"from {', '.join(SYSTEMS)} (default all)")
    parser.add_argument("--cases", default="", help="only cases whose name has one of these words, separated by commas")
    parser.add_argument("--threads", type=int, default=1, help="of each system (default 1)")
    parser.add_argument("--rounds", type=int, default=5, help="runs of each case (default 5)")
    parser.add_argument("--kept", action="store_true", help="Scaup and DuckDB keep each answer as a table (CREATE TABLE ans AS ...), after the one before was dropped")
    parser.add_argument("--json", type=pathlib.Path, help="write all figures to this file")
    return parser.parse_args()


def alike(ours, theirs):
    return len(ours) == len(theirs) and all(abs(a - b) <= TOLERANCE * max(abs(a), abs(b)) for a, b in zip(ours, theirs))


def digests(peers, cases, name):
    """Peers that give the right answer, and what the others said or answered. Most systems decide what is right."""
    answers, errors = {}, {}
    for peer in peers:
        try:
            answers[peer] = peer("digest", name)
        except Refusal as error:
            errors[peer.name] = str(error).splitlines()[-1]
    for peer, answer in list(answers.items()):
        agreeing = sum(alike(answer, other) for other in answers.values())
        if 2 * agreeing <= len(answers) and len(answers) > 1:
            errors[peer.name] = f"WRONG: {answer}"
    return [peer for peer in answers if peer.name not in errors], errors


def measure(peers, cases, name, rounds, action):
    """With the action "run" or "keep": {"wall": {system: median milliseconds}, "cpu": the same, "errors": {system: text}}"""
    good, errors = digests(peers, cases, name)
    times = {peer.name: [] for peer in good}
    for number in range(rounds):
        for peer in good if number % 2 == 0 else reversed(good):
            times[peer.name].append(peer(action, name))
    medians = [{system: statistics.median(pair[which] * 1000 for pair in pairs) for system, pairs in times.items()} for which in (0, 1)]
    return {"wall": medians[0], "cpu": medians[1], "errors": errors}


def print_row(name, figures, systems):
    wall = figures["wall"]
    cells = [f"{wall[system]:>10.1f}" if system in wall else f"{'-':>10}" for system in systems]
    ratios = [f"{wall['scaup'] / wall[system]:>8.2f}" if system in wall and "scaup" in wall else f"{'-':>8}" for system in systems if system != "scaup"]
    print(f"  {name:<34}{''.join(cells)}{''.join(ratios)}", flush=True)
    for system, error in figures["errors"].items():
        print(f"    {system}: {error[:200]}", flush=True)


def mean(ratios):
    return math.exp(statistics.mean(math.log(ratio) for ratio in ratios)) if ratios else math.nan


def print_means(figures, systems):
    """Geometric means of Scaup's ratios: to each system, and to the best of all for each case; and the worst of the latter."""
    walls = {name: entry["wall"] for name, entry in figures.items() if "scaup" in entry["wall"]}
    for system in systems[1:]:
        ratios = {name: wall["scaup"] / wall[system] for name, wall in walls.items() if system in wall}
        print(f"  geometric mean to {system:<10} {mean(list(ratios.values())):.2f} of {len(ratios)}")
    best = {name: wall["scaup"] / min(value for system, value in wall.items() if system != "scaup") for name, wall in walls.items() if len(wall) > 1}
    if best:
        worst = max(best, key=best.get)
        print(f"  geometric mean to the best       {mean(list(best.values())):.2f}; worst {worst}: {best[worst]:.2f}")


def run(title, module, tables, cases):
    """Runs the suite as the command line says; the exit status."""
    arguments = parse_arguments(title, module)
    generate(tables, arguments.data)
    systems = [name for name in SYSTEMS if name in arguments.systems.split(",")]
    words = [word for word in arguments.cases.split(",") if word]
    chosen = [name for name in cases if not words or any(word in name for word in words)]
    print(f"{title}, {processor()}, {arguments.threads} of {os.cpu_count()} threads; milliseconds, median of {arguments.rounds} rounds"
          f"{', answers kept as tables' if arguments.kept else ''}")
    peers = [Peer(name, module, arguments.threads, arguments.data) for name in systems]
    for peer in peers:
        print(f"  {peer.version:<24} loaded in {peer('load'):.1f} s", flush=True)
    print(f"  {'':<34}{''.join(f'{name:>10}' for name in systems)}{''.join(f'{name:>8}' for name in systems if name != 'scaup')}")
    figures = {}
    for name in chosen:
        figures[name] = measure(peers, cases, name, arguments.rounds, "keep" if arguments.kept else "run")
        print_row(name, figures[name], systems)
    print_means(figures, systems)
    for peer in peers:
        peer.close()
    if arguments.json:
        arguments.json.write_text(json.dumps({"processor": processor(), "threads": arguments.threads, "cases": figures}, indent=1) + "\n", encoding="utf-8")
    return 1 if any("scaup" in entry["errors"] for entry in figures.values()) else 0
