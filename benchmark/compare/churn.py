#!/usr/bin/env python3
"""Clients of `scaup serve` that come and go, many of them one after the other and many at once, some killed in the middle of a transaction.

Prints, while they run, what the server holds: resident memory, descriptors, threads. At the end the commits that clients were told of must be those that are found, nobody's
transaction may be left, and memory must not have grown. A million connections take some minutes:

    churn.py --connections 1000000                  # one statement or two each, eight clients at a time
    churn.py --connections 200000 --at-once 1000    # a thousand clients at once
"""

import argparse
import dataclasses
import multiprocessing
import os
import pathlib
import random
import socket
import struct
import subprocess
import sys
import tempfile
import time

import served_scaup
from side_by_side import ROOT

PORT = 54397
COUNTERS = 4096  # rows, of which each slot of each worker changes its own
STARTUP = b"user\0churn\0database\0churn\0\0"
STARTUP = struct.pack(">ii", len(STARTUP) + 8, 196608) + STARTUP
LINGER_0 = struct.pack("ii", 1, 0)


class Refused(Exception):
    """An ErrorResponse, by its SQLSTATE."""


class Client:
    """One connection, as few bytes and calls as the protocol allows."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.connect(path)
        self.socket.sendall(STARTUP)
        self.answer()

    def answer(self):
        """Reads up to ReadyForQuery; raises the error if there was one."""
        data = b""
        while True:
            # ReadyForQuery has six bytes, and nothing comes behind it.
            if len(data) >= 6 and data[-6:-1] == b"Z\0\0\0\5":
                break
            more = self.socket.recv(65536)
            if not more:
                raise ConnectionError("the server has closed the connection")
            data += more
        at = 0
        while at < len(data):
            size = int.from_bytes(data[at + 1 : at + 5], "big")
            if data[at : at + 1] == b"E":
                fields = data[at + 5 : at + 1 + size].split(b"\0")
                raise Refused(next(field[1:].decode() for field in fields if field[:1] == b"C"))
            at += 1 + size
        return data

    def send(self, sql):
        text = sql.encode() + b"\0"
        self.socket.sendall(b"Q" + struct.pack(">i", len(text) + 4) + text)

    def query(self, sql):
        self.send(sql)
        return self.answer()

    def leave(self):
        self.socket.sendall(b"X\0\0\0\4")
        self.socket.close()

    def vanish(self, how):
        """Goes without a word: closed, reset, or in the middle of a message."""
        if how == 1:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, LINGER_0)
        elif how == 2:
            self.socket.sendall(b"Q\0\0\1\0SELECT")
        self.socket.close()


@dataclasses.dataclass
class Counts:
    """What one worker has done."""

    connections: int = 0
    statements: int = 0
    commits: int = 0  # of which the server has told
    killed: int = 0
    conflicts: int = 0
    perhaps: int = 0  # commits on the way when the client went


def step(client, row, counts, choose):
    """Some statements of one client. Returns whether it has gone without a word."""
    kind = choose.random()
    change = f"UPDATE counters SET n = n + 1 WHERE id = {row}"
    try:
        if kind < 0.6:
            client.query(f"SELECT n FROM counters WHERE id = {choose.randrange(COUNTERS)}")
            counts.statements += 1
        elif kind < 0.7:
            client.query("SELECT count(*), sum(n) FROM counters")
            counts.statements += 1
        elif kind < 0.8:
            client.query(change)
            counts.statements += 1
            counts.commits += 1
        elif kind < 0.85:
            client.query("BEGIN")
            client.query(change)
            client.query("COMMIT")
            counts.statements += 3
            counts.commits += 1
        elif kind < 0.9:
            try:
                client.query("SELECT 1 / 0")
            except Refused:
                counts.statements += 1
        elif kind < 0.99:
            client.query("BEGIN")
            client.query(change)
            counts.statements += 2
            counts.killed += 1
            client.vanish(choose.randrange(3))
            return True
        else:
            client.send(change)
            counts.perhaps += 1
            counts.killed += 1
            client.vanish(0)
            return True
    except Refused as refused:
        # The transaction of a client that has vanished holds its row until the server has seen that.
        if str(refused) not in ("40001", "55P03"):
            raise
        counts.conflicts += 1
        if kind >= 0.8:
            client.query("ROLLBACK")
    return False


def work(path, number, connections, slots, life, seed, totals):
    choose = random.Random(seed * 1000 + number)
    counts = Counts()
    clients = [None] * slots
    begin = number * slots
    while True:
        slot = choose.randrange(slots)
        if clients[slot] is None:
            if counts.connections == connections:
                if all(client is None for client in clients):
                    break
                continue
            clients[slot] = Client(path)
            counts.connections += 1
        gone = step(clients[slot], begin + slot, counts, choose)
        if not gone and choose.random() * life < 1:
            clients[slot].leave()
            gone = True
        if gone:
            clients[slot] = None
        if counts.statements % 64 == 0:
            share(totals, number, counts)
    share(totals, number, counts)


def share(totals, number, counts):
    values = dataclasses.astuple(counts)
    totals[number * len(values) : (number + 1) * len(values)] = values


def sum_of(totals, workers):
    width = len(dataclasses.fields(Counts))
    return Counts(*(sum(totals[i + worker * width] for worker in range(workers)) for i in range(width)))


def held(process):
    """Resident megabytes, descriptors and threads of a process."""
    status = dict(line.split(":", 1) for line in pathlib.Path(f"/proc/{process}/status").read_text(encoding="ascii").splitlines() if ":" in line)
    return int(status["VmRSS"].split()[0]) / 1024, len(os.listdir(f"/proc/{process}/fd")), int(status["Threads"])


def value(client, sql):
    """The only value of a result."""
    data, at = client.query(sql), 0
    while data[at : at + 1] != b"D":
        at += 1 + int.from_bytes(data[at + 1 : at + 5], "big")
    size = int.from_bytes(data[at + 7 : at + 11], "big")
    return int(data[at + 11 : at + 11 + size])


def run(path, process, arguments):
    """Runs the workers and prints what is held while they run. Returns what they have done and whether memory has stayed."""
    workers = arguments.workers
    slots = max(1, arguments.at_once // workers)
    if slots * workers > COUNTERS:
        sys.exit(f"at most {COUNTERS} clients at once")
    totals = multiprocessing.Array("q", workers * len(dataclasses.fields(Counts)), lock=False)
    processes = [
        multiprocessing.Process(target=work, args=(path, number, arguments.connections // workers, slots, arguments.life, arguments.seed, totals))
        for number in range(workers)
    ]
    for worker in processes:
        worker.start()
    begin, settled = time.monotonic(), None
    print(f"{'seconds':>8}{'connections':>13}{'statements':>12}{'commits':>10}{'killed':>9}{'MB':>9}{'files':>7}{'threads':>9}", flush=True)
    while any(worker.is_alive() for worker in processes):
        time.sleep(arguments.every)
        counts = sum_of(totals, workers)
        memory, files, threads = held(process.pid)
        print(
            f"{time.monotonic() - begin:8.0f}{counts.connections:13,}{counts.statements:12,}{counts.commits:10,}{counts.killed:9,}{memory:9.1f}{files:7}{threads:9}",
            flush=True,
        )
        # Pools and caches have filled by then.
        if settled is None and counts.connections >= arguments.connections / 4:
            settled = memory
    for worker in processes:
        worker.join()
        if worker.exitcode != 0:
            sys.exit("a client has failed")
    return sum_of(totals, workers), settled


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--connections", type=int, default=100_000)
    parser.add_argument("--at-once", type=int, default=8, help="clients at a time (default 8)")
    parser.add_argument("--life", type=float, default=2, help="of a client, in groups of statements (default 2)")
    parser.add_argument("--workers", type=int, default=4, help="processes of clients")
    parser.add_argument("--every", type=float, default=5, help="seconds between two lines")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    (ROOT / "build").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=ROOT / "build") as files, tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/.s.PGSQL.{PORT}"
        with served_scaup.running(pathlib.Path(files) / "churn.scaup", folder, PORT, "--max-connections", "5000") as process:
            admin = Client(path)
            admin.query("CREATE TABLE counters (id INTEGER PRIMARY KEY, n BIGINT)")
            admin.query(f"INSERT INTO counters SELECT i, 0 FROM range({COUNTERS}) r (i)")
            counts, settled = run(path, process, arguments)
            # The server needs a moment to end the sessions of the last clients.
            time.sleep(1)
            memory, descriptors, threads = held(process.pid)
            found = value(admin, "SELECT sum(n) FROM counters")
            admin.query("UPDATE counters SET n = n")
            admin.leave()
            process.terminate()
            process.wait(60)
        left = subprocess.run([served_scaup.SERVE[0], pathlib.Path(files) / "churn.scaup", "-c", "SELECT sum(n) AS found FROM counters", "-csv"], capture_output=True, text=True, check=False)
    told = counts.commits
    print(f"commits: clients were told of {told:,}, and {counts.perhaps:,} were on the way; {found:,} are found; conflicts {counts.conflicts:,}")
    print(f"left behind: {memory:.1f} MB, {descriptors} descriptors, {threads} threads; in the file {' '.join(left.stdout.split())}")
    if not told <= found <= told + counts.perhaps:
        sys.exit("commits were lost or invented")
    if str(found) not in left.stdout.split():
        sys.exit("the file has other commits than the server had")
    if settled is not None and memory > 1.25 * settled + 16:
        sys.exit(f"memory has grown from {settled:.1f} MB")


if __name__ == "__main__":
    main()
