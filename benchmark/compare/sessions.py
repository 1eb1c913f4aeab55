"""Scaup, DuckDB and SQLite behind one face, for comparisons with many small statements from many sessions.

Each system runs in a process of its own (`Served`), with a session for each thread. Statements have ? for parameters."""

import pathlib
import sqlite3
import sys
import threading

from remote_process import Refusal, RemoteProcess, told
from worker import memory_mib

SYSTEMS = {
    "scaup": "Scaup",
    "scaup-normal": "Scaup, synchronous=normal",
    "duckdb": "DuckDB",
    "sqlite": "SQLite, WAL, synchronous=FULL",
    "sqlite-normal": "SQLite, WAL, synchronous=NORMAL",
}


class Conflict(Exception):
    """The statement met another session's changes; its transaction is to be tried again."""


class NotSupported(Exception):
    """A system does not do this."""


class ScaupSession:
    def __init__(self, connection):
        self.connection = connection

    def execute(self, sql, parameters=()):
        import scaup

        try:
            cursor = self.connection.execute(sql, parameters) if parameters else self.connection.execute(sql)
            return cursor.fetchall() if cursor.description else []
        except scaup.Error as error:
            if error.sqlstate == "40001":
                raise Conflict(str(error)) from None
            if error.sqlstate == "0A000":
                raise NotSupported(error.message) from None
            raise

    def close(self):
        self.connection.close()


class ScaupSystem:
    can_copy = True

    def __init__(self, path, synchronous, threads):
        import scaup

        self.connection = scaup.connect(path, config={"threads": str(threads), "synchronous": synchronous})
        self.version = f"Scaup {scaup.__version__}"

    def session(self):
        return ScaupSession(self.connection.duplicate())

    def close(self):
        self.connection.close()


class DuckdbSession:
    def __init__(self, connection):
        self.connection = connection

    def execute(self, sql, parameters=()):
        import duckdb

        try:
            return self.connection.execute(sql, parameters).fetchall()
        except duckdb.TransactionException as error:
            raise Conflict(str(error)) from None
        except duckdb.ConstraintException as error:
            # An update of a key that another transaction has just updated is reported so, too.
            raise Conflict(str(error)) from None

    def close(self):
        self.connection.close()


class DuckdbSystem:
    can_copy = True

    def __init__(self, path, synchronous, threads):
        import duckdb

        self.connection = duckdb.connect(path, config={"threads": threads})
        self.version = f"DuckDB {duckdb.__version__}"

    def session(self):
        return DuckdbSession(self.connection.cursor())

    def close(self):
        self.connection.close()


class SqliteSession:
    def __init__(self, path, synchronous):
        self.connection = sqlite3.connect(path, isolation_level=None, timeout=60, check_same_thread=False)
        self.connection.execute("PRAGMA journal_mode = wal")
        self.connection.execute(f"PRAGMA synchronous = {synchronous}")
        self.connection.execute("PRAGMA cache_size = -262144")

    def execute(self, sql, parameters=()):
        # A transaction that writes says so at once: SQLite has one writer, and the others wait.
        if sql == "BEGIN":
            sql = "BEGIN IMMEDIATE"
        try:
            return self.connection.execute(sql, parameters).fetchall()
        except sqlite3.OperationalError as error:
            if "locked" in str(error) or "busy" in str(error):
                raise Conflict(str(error)) from None
            raise

    def close(self):
        self.connection.close()


class SqliteSystem:
    can_copy = False

    def __init__(self, path, synchronous, threads):
        self.path = path
        self.synchronous = synchronous
        self.version = f"SQLite {sqlite3.sqlite_version}"

    def session(self):
        return SqliteSession(self.path, self.synchronous)

    def close(self):
        pass


def open_system(name, path, threads):
    kind = {"scaup": ScaupSystem, "duckdb": DuckdbSystem, "sqlite": SqliteSystem}[name.split("-")[0]]
    return kind(path, "normal" if name.endswith("-normal") else "full", threads)


def serve(pipe, name, path, threads):
    sys.setswitchinterval(0.0005)  # So that a thread whose statement has ended does not wait long for the interpreter.
    try:
        system = open_system(name, path, threads)
        pipe.send(("ok", system.version))
    except Exception as error:
        pipe.send(told(error))
        return
    while (request := pipe.recv()) is not None:
        function, arguments = request
        try:
            pipe.send(("ok", function(system, *arguments)))
        except NotSupported as error:
            pipe.send(("error", f"not supported: {error}"))
        except Exception as error:
            pipe.send(told(error))
    system.close()


class Served(RemoteProcess):
    """A system in a process of its own. `served(function, ...)` calls function(system, ...) there; raises Refusal when it fails."""

    def __init__(self, name, path, threads=1):
        super().__init__(name, serve, (name, str(path), threads))

    def __call__(self, function, *arguments):
        return self.ask((function, arguments))


def open_all(names, folder, threads):
    """A Served for each name, with a file of its own; those that cannot be opened are named and left out."""
    served = []
    for name in names:
        try:
            served.append(Served(name, pathlib.Path(folder) / f"{name}.db", threads))
        except Refusal as error:
            print(f"  {SYSTEMS[name]} is left out: {error}", flush=True)
    return served


def run_threads(bodies):
    """Runs the functions, each in a thread, from one signal on; raises what the first failing one raises. Their results."""
    barrier = threading.Barrier(len(bodies))
    results = [None] * len(bodies)
    failures = []

    def run(number, body):
        try:
            barrier.wait()
            results[number] = body()
        except Exception as error:  # Raised again by the thread that waits.
            failures.append(error)

    threads = [threading.Thread(target=run, args=(number, body)) for number, body in enumerate(bodies)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]
    return results


def percentiles(nanoseconds):
    """Microseconds: median, 95th, 99th, 99.9th and greatest."""
    ordered = sorted(nanoseconds)
    if not ordered:
        return {}
    shares = {"p50": 0.5, "p95": 0.95, "p99": 0.99, "p99.9": 0.999, "max": 1}
    return {name: ordered[min(len(ordered) - 1, int(len(ordered) * share))] / 1000 for name, share in shares.items()}


def names_of(text):
    names = text.split(",")
    for name in names:
        if name not in SYSTEMS:
            raise SystemExit(f"unknown system {name}: choose from {', '.join(SYSTEMS)}")
    return names


def resident_mib(system):
    return memory_mib()[0]
