#!/usr/bin/env python3
"""PostgreSQL's pgbench against `scaup serve` and against PostgreSQL: statements per second over a Unix socket.

Both servers keep their commits (each is synced before the client is told). Runs alternate; the median counts. The sum of all balances must be that of
the changes at the end."""

import argparse
import json
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

import served_scaup
from side_by_side import ROOT, processor

sys.path.append(str(ROOT / "test" / "fuzz"))
import local_postgresql  # noqa: E402  pylint: disable=wrong-import-position

SCAUP_PORT = 54398
SELECT_1 = "SELECT 1;\n"
CASES = {
    "SELECT 1": ["-f", "{select_1}"],
    "select-only": ["-S"],
    "simple-update": ["-N", "--max-tries=100"],
}
FAILED = re.compile(r"number of failed transactions: (\d+)")
RATE = re.compile(r"tps = ([\d.]+)")


class Target:
    """A server that pgbench can reach."""

    def __init__(self, name, host, port, user, database):
        self.name = name
        self.where = ["-h", host, "-p", str(port), "-U", user]
        self.database = database

    def pgbench(self, *arguments):
        done = subprocess.run(["pgbench", *self.where, *arguments, self.database], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"{self.name}: {done.stderr}")
        return done.stdout

    def rate(self, case, clients, mode, seconds, files):
        arguments = [argument.format(**files) for argument in CASES[case]]
        out = self.pgbench("-n", *arguments, "-c", str(clients), "-j", str(min(clients, 2)), "-T", str(seconds), "-M", mode)
        if int(FAILED.search(out).group(1)) != 0:
            print(f"    {self.name}: {FAILED.search(out).group(1)} failed")
        return float(RATE.search(out).group(1))

    def value(self, sql):
        return subprocess.run(["psql", *self.where, "-d", self.database, "-XAtc", sql], capture_output=True, text=True, check=True).stdout.strip()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--scale", type=int, default=10, help="of pgbench: 100,000 accounts each (default 10)")
    parser.add_argument("--clients", default="1,8,16,32")
    parser.add_argument("--modes", default="simple,prepared", help="from simple, extended, prepared")
    parser.add_argument("--cases", default=",".join(CASES), help=", ".join(CASES))
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=pathlib.Path)
    arguments = parser.parse_args()
    if shutil.which("pgbench") is None:
        sys.exit("pgbench is not installed")
    found = {}
    (ROOT / "build").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=ROOT / "build") as files, tempfile.TemporaryDirectory() as folder:
        select_1 = pathlib.Path(files) / "select_1.sql"
        select_1.write_text(SELECT_1, encoding="ascii")
        with local_postgresql.running("listen_addresses=", "shared_buffers=1GB", "max_wal_size=4GB") as home, served_scaup.running(
            pathlib.Path(files) / "bench.scaup", folder, SCAUP_PORT
        ):
            if home is None:
                sys.exit("PostgreSQL is not installed")
            user = subprocess.run(["id", "-un"], capture_output=True, text=True, check=True).stdout.strip()
            targets = [Target("Scaup", folder, SCAUP_PORT, user, "bench"), Target("PostgreSQL", home, 5432, "fuzz", "postgres")]
            for target in targets:
                target.pgbench("-i", "-q", "-s", str(arguments.scale))
            print(f"transactions per second, median of {arguments.rounds} runs of {arguments.seconds} s, scale {arguments.scale}, {processor()}: Scaup, PostgreSQL, ratio")
            for case in arguments.cases.split(","):
                for mode in arguments.modes.split(","):
                    for clients in map(int, arguments.clients.split(",")):
                        rates = {target.name: [] for target in targets}
                        for number in range(arguments.rounds):
                            for target in targets if number % 2 == 0 else reversed(targets):
                                rates[target.name].append(target.rate(case, clients, mode, arguments.seconds, {"select_1": select_1}))
                        ours, theirs = (statistics.median(rates[target.name]) for target in targets)
                        found[f"{case}, {mode}, {clients} clients"] = {"scaup": ours, "postgresql": theirs}
                        print(f"  {case:14}{mode:10}{clients:4} clients {ours:10,.0f}{theirs:10,.0f}{ours / theirs:8.2f}", flush=True)
            for target in targets:
                balances, changes = target.value("SELECT sum(abalance) FROM pgbench_accounts"), target.value("SELECT coalesce(sum(delta), 0) FROM pgbench_history")
                if float(balances) != float(changes):
                    sys.exit(f"{target.name}: the balances are {balances}, and the changes {changes}")
    if arguments.json:
        arguments.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
