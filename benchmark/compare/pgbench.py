#!/usr/bin/env python3
"""PostgreSQL's pgbench against `scaup serve` and against PostgreSQL: statements per second over a Unix socket.

Both servers keep their commits (each is synced before the client is told). Runs alternate; the medians count, and the ratio is the median of those of
neighbouring runs. The time of a sync may change twentyfold from one second to the next where many share a disk, so it is printed beside, as is the
processor time that a server takes for a transaction, which says more there. The sum of all balances must be that of the changes at the end."""

import argparse
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

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
DONE = re.compile(r"number of transactions actually processed: (\d+)")
PROBES = 20  # Syncs whose median time counts.


def sync_micros(folder):
    """The microseconds of a sync of a page that a file has, now."""
    times = []
    with open(pathlib.Path(folder) / "probe", "wb+", buffering=0) as file:
        for number in range(PROBES + 1):
            file.seek(0)
            file.write(bytes([number]) * 4096)
            begin = time.perf_counter()
            os.fdatasync(file.fileno())
            times.append(time.perf_counter() - begin)
    return statistics.median(times[1:]) * 1e6  # The first one makes the length durable, too.


def processor_seconds(pid):
    """The processor time of a process and its children, those that have ended included."""
    own = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
    children = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    return sum(map(int, own[11:15])) / os.sysconf("SC_CLK_TCK") + sum(processor_seconds(child) for child in children)


SECONDS_TO_REAP = 0.2  # PostgreSQL's process of a connection ends after the program that has used it.


class Target:
    """A server that pgbench can reach."""

    def __init__(self, name, pid, host, port, user, database):
        self.name = name
        self.pid = pid
        self.micros = []  # Processor time of a transaction, of each run.
        self.where = ["-h", host, "-p", str(port), "-U", user]
        self.database = database

    def pgbench(self, *arguments):
        done = subprocess.run(["pgbench", *self.where, *arguments, self.database], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"{self.name}: {done.stderr}")
        return done.stdout

    def rate(self, case, clients, mode, seconds, files):
        arguments = [argument.format(**files) for argument in CASES[case]]
        begin = processor_seconds(self.pid)
        out = self.pgbench("-n", *arguments, "-c", str(clients), "-j", str(min(clients, 2)), "-T", str(seconds), "-M", mode)
        time.sleep(SECONDS_TO_REAP)
        self.micros.append((processor_seconds(self.pid) - begin) * 1e6 / int(DONE.search(out).group(1)))
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
        ) as server:
            if home is None:
                sys.exit("PostgreSQL is not installed")
            user = subprocess.run(["id", "-un"], capture_output=True, text=True, check=True).stdout.strip()
            postmaster = int((pathlib.Path(home) / "data" / "postmaster.pid").read_text(encoding="utf-8").split()[0])
            targets = [Target("Scaup", server.pid, folder, SCAUP_PORT, user, "bench"), Target("PostgreSQL", postmaster, home, 5432, "fuzz", "postgres")]
            for target in targets:
                target.pgbench("-i", "-q", "-s", str(arguments.scale))
            print(f"transactions per second, median of {arguments.rounds} runs of {arguments.seconds} s, scale {arguments.scale}, {processor()}: Scaup, PostgreSQL, ratio; processor time of each, us; a sync, us")
            for case in arguments.cases.split(","):
                for mode in arguments.modes.split(","):
                    for clients in map(int, arguments.clients.split(",")):
                        rates = {target.name: [] for target in targets}
                        syncs = []
                        for target in targets:
                            target.micros.clear()
                        for number in range(arguments.rounds):
                            for target in targets if number % 2 == 0 else reversed(targets):
                                rates[target.name].append(target.rate(case, clients, mode, arguments.seconds, {"select_1": select_1}))
                            syncs.append(sync_micros(files))
                        ours, theirs = (statistics.median(rates[target.name]) for target in targets)
                        ratio = statistics.median(a / b for a, b in zip(*(rates[target.name] for target in targets)))
                        micros = [statistics.median(target.micros) for target in targets]
                        found[f"{case}, {mode}, {clients} clients"] = {"scaup": ours, "postgresql": theirs, "ratio": ratio, "processor_us": micros, "sync_us": syncs}
                        print(f"  {case:14}{mode:10}{clients:4} clients {ours:10,.0f}{theirs:10,.0f}{ratio:8.2f}{micros[0]:8.0f}{micros[1]:6.0f}   {min(syncs):.0f} to {max(syncs):.0f}", flush=True)
            for target in targets:
                balances, changes = target.value("SELECT sum(abalance) FROM pgbench_accounts"), target.value("SELECT coalesce(sum(delta), 0) FROM pgbench_history")
                if float(balances) != float(changes):
                    sys.exit(f"{target.name}: the balances are {balances}, and the changes {changes}")
    if arguments.json:
        arguments.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
