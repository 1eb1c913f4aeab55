"""The systems that NoBench runs in, each behind the same face (`Engine`), in a process of its own (`Served`)."""

import hashlib
import json
import os
import pathlib
import shlex
import sqlite3
import subprocess
import sys
import threading
import time

import queries

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "compare"))
from remote_process import Refusal, RemoteProcess, told  # noqa: E402
from side_by_side import ROOT, processor  # noqa: E402

__all__ = ["ENGINES", "ROOT", "Refusal", "Served", "processor"]


def without_nulls(value):
    """No object of NoBench has a null: a system that fills all columns gives some for keys that an object does not have."""
    if isinstance(value, dict):
        return {key: without_nulls(one) for key, one in value.items() if one is not None}
    return value


def canonical(value):
    """A value as text: the same for all systems, documents with their keys sorted."""
    if isinstance(value, str) and value.startswith("{"):
        value = json.loads(value)
    if isinstance(value, dict):
        return json.dumps(without_nulls(value), sort_keys=True)
    return "~" if value is None else str(value)


def summary(rows):
    """The number of rows and a checksum that does not depend on their order."""
    total = count = 0
    for row in rows:
        count += 1
        total += int.from_bytes(hashlib.blake2b("\x1f".join(map(canonical, row)).encode(), digest_size=8).digest(), "little")
    return count, f"{total % 2**64:016x}"


class Engine:
    """A system with a table or collection nobench. What is timed gives (seconds, seconds of CPU time)."""

    dialect = None

    def timed(self, function, *arguments):
        cpu, start = self.cpu_seconds(), time.perf_counter()
        function(*arguments)
        seconds = time.perf_counter() - start
        return seconds, self.cpu_seconds() - cpu

    def cpu_seconds(self):
        """Of all threads that work for this engine."""
        return time.process_time()

    def load(self, path):
        """Fills the empty database from a file of JSON lines, until all is where it stays."""
        raise NotImplementedError

    def insert(self, path):
        """Adds the documents of a small file (Q12)."""
        raise NotImplementedError

    def execute(self, sql):
        raise NotImplementedError

    def keep_result(self, sql):
        """Runs a query whose whole result the system keeps: as a temporary table, as in Argo's paper."""
        self.execute(f"CREATE TEMP TABLE result AS {sql}")

    def forget_result(self):
        self.execute("DROP TABLE result")

    def rows(self, sql):
        raise NotImplementedError

    def size(self):
        """Bytes on disk."""
        return sum(file.stat().st_size for file in self.path.parent.glob(f"{self.path.name}*"))

    def close(self):
        self.connection.close()

    # What a process of its own is asked for.
    def ask_load(self, path):
        return self.timed(self.load, path), self.size()

    def ask_insert(self, path):
        return self.timed(self.insert, path)

    def ask_query(self, name, parameters):
        times = self.timed(self.keep_result, self.dialect.query(name, parameters))
        self.forget_result()
        return times

    def ask_update(self, parameters):
        return self.timed(self.execute, self.dialect.update(parameters))

    def ask_answer(self, name, parameters):
        return summary(self.rows(self.dialect.query(name, parameters)))

    def ask_updated(self, parameters):
        return summary(self.rows(self.dialect.documents_where(self.dialect.is_text(parameters["update"][0], queries.DUMMY))))

    def ask_inserted(self, begin, end):
        return summary(self.rows(self.dialect.documents_where(self.dialect.number_is_between("num", begin, end))))


class Scaup(Engine):
    dialect = queries.Scaup()

    def __init__(self, path, options):
        import scaup

        self.path = path
        self.connection = scaup.connect(str(path), config={"threads": str(options.threads)})
        self.version = f"Scaup {scaup.__version__}"

    def load(self, path):
        self.execute(f"COPY nobench FROM '{path}' (FORMAT json)")
        self.execute("CHECKPOINT")

    def insert(self, path):
        self.execute(f"COPY nobench FROM '{path}' (FORMAT json)")

    def execute(self, sql):
        return self.connection.execute(sql)

    def keep_result(self, sql):
        """A result of Scaup is whole, in memory, when execute() returns; it has no temporary tables."""
        self.result = self.execute(sql)

    def forget_result(self):
        self.result = None

    def rows(self, sql):
        return self.execute(sql).fetchall()


class Duckdb(Engine):
    settings = {}

    def __init__(self, path, options):
        import duckdb

        self.path = path
        self.connection = duckdb.connect(str(path), config={"threads": options.threads, **self.settings})
        self.version = f"DuckDB {duckdb.__version__}"

    def load(self, path):
        self.execute(f"CREATE TABLE nobench AS {self.source(path)}")
        self.execute("CHECKPOINT")

    def insert(self, path):
        self.execute(f"INSERT INTO nobench BY NAME {self.source(path)}")

    def execute(self, sql):
        self.connection.execute(sql).fetchall()  # An unfetched statement is an unfinished one.

    def rows(self, sql):
        return self.connection.execute(sql).fetchall()


def documents_of(path):
    return f"read_json_objects('{path}', format = 'newline_delimited')"


class DuckdbInferred(Duckdb):
    dialect = queries.DuckdbInferred()

    def source(self, path):
        options = "format = 'newline_delimited', sample_size = -1, map_inference_threshold = -1, field_appearance_threshold = 0"
        return f"SELECT * FROM read_json_auto('{path}', {options})"


class DuckdbText(Duckdb):
    dialect = queries.DuckdbText()

    def source(self, path):
        return f"SELECT json AS document FROM {documents_of(path)}"


class DuckdbVariant(Duckdb):
    dialect = queries.DuckdbVariant()

    def source(self, path):
        return f"SELECT json::VARIANT AS document FROM {documents_of(path)}"


class DuckdbVariantWhole(DuckdbVariant):
    """Without taking values apart by key at checkpoints, which DuckDB does with groups of 30,000 rows and more."""

    settings = {"variant_minimum_shredding_size": -1}


class DuckdbHybrid(Duckdb):
    dialect = queries.DuckdbHybrid()

    def source(self, path):
        columns = ", ".join(f"{expression} AS {name}" for name, _, expression in self.dialect.COLUMNS.values())
        return f"SELECT {columns}, json AS document FROM {documents_of(path)}"


class Sqlite(Engine):
    dialect = queries.Sqlite()
    indexes = ()

    def __init__(self, path, options):
        self.path = path
        self.connection = sqlite3.connect(path, isolation_level=None)
        self.version = f"SQLite {sqlite3.sqlite_version}"
        for pragma in ("journal_mode = WAL", "cache_size = -1048576", "temp_store = MEMORY"):
            self.execute(f"PRAGMA {pragma}")

    def load(self, path):
        self.execute("CREATE TABLE nobench (document TEXT)")
        self.insert(path)
        for number, expression in enumerate(self.indexes):
            self.execute(f"CREATE INDEX nobench_{number} ON nobench ({expression})")
        self.execute("ANALYZE")
        self.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def insert(self, path):
        with open(path, encoding="utf-8") as file:
            self.execute("BEGIN")
            self.connection.executemany("INSERT INTO nobench VALUES (?)", ((line.rstrip("\n"),) for line in file))
            self.execute("COMMIT")

    def execute(self, sql):
        return self.connection.execute(sql)

    def rows(self, sql):
        return self.execute(sql).fetchall()


class SqliteIndexed(Sqlite):
    indexes = queries.Sqlite.INDEXES


class Postgresql(Engine):
    """By psql, which must be able to connect; a schema of its own in that database. CPU time is that of the server's process."""

    dialect = queries.Postgresql()
    indexes = ()
    MARK = "\x1e\x1d"
    COPY = "COPY nobench FROM STDIN (FORMAT csv, QUOTE E'\\x01', DELIMITER E'\\x02')"  # Lines as they are.

    def __init__(self, path, options):
        format_options = ["-X", "-q", "-A", "-t", "-F", "\x1f", "-R", "\x1e", "-P", "null=~"]
        self.process = subprocess.Popen(shlex.split(options.psql) + format_options, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                        text=True, encoding="utf-8", bufsize=1 << 16, cwd="/")
        self.version = "PostgreSQL " + self.rows("SHOW server_version")[0][0].split()[0]
        self.server_process = int(self.rows("SELECT pg_backend_pid()")[0][0])
        schema = path.stem.replace("-", "_")
        for statement in ("SET client_min_messages = error", "SET jit = off", f"SET max_parallel_workers_per_gather = {options.threads - 1}",
                          f"SET max_parallel_maintenance_workers = {options.threads - 1}", "SET work_mem = '256MB'", "SET temp_buffers = '256MB'",
                          "SET maintenance_work_mem = '1GB'", f"DROP SCHEMA IF EXISTS {schema} CASCADE", f"CREATE SCHEMA {schema}",
                          f"SET search_path = {schema}"):
            self.execute(statement)

    def cpu_seconds(self):
        return int(pathlib.Path(f"/proc/{self.server_process}/schedstat").read_text(encoding="ascii").split()[0]) / 1e9

    def load(self, path):
        self.execute("CREATE TABLE nobench (document jsonb)")
        self.insert(path)
        for expression in self.indexes:
            self.execute(f"CREATE INDEX ON nobench {expression}")
        self.execute("VACUUM ANALYZE nobench")
        self.execute("CHECKPOINT")

    def insert(self, path):
        def lines():
            with open(path, encoding="utf-8") as file:
                yield f"{self.COPY};\n"
                while part := file.read(1 << 20):
                    yield part
                yield "\\.\n"

        self._ask(lines())

    def execute(self, sql):
        self._ask([f"{sql};\n"])

    def rows(self, sql):
        output = self._ask([f"{sql};\n"])
        return [row.split("\x1f") for row in output.removesuffix("\n").split("\x1e")] if output else []

    def _ask(self, parts):
        def write():
            for part in parts:
                self.process.stdin.write(part)
            self.process.stdin.write(f"\\echo '{self.MARK}' :SQLSTATE :LAST_ERROR_MESSAGE '\x1d'\n")
            self.process.stdin.flush()

        writer = threading.Thread(target=write)  # psql writes while it reads: both pipes may be full.
        writer.start()
        lines = []
        while not (lines and lines[-1].endswith("\x1d\n")):
            line = self.process.stdout.readline()
            if not line:
                raise RuntimeError("psql ended")
            lines.append(line)
        writer.join()
        output, _, rest = "".join(lines).rpartition(self.MARK)
        state, _, message = rest.rstrip("\x1d\n ").strip().partition(" ")
        if state != "00000":
            raise RuntimeError(f"{state}: {message}")
        return output

    def size(self):
        return int(self.rows("SELECT pg_total_relation_size('nobench')")[0][0])

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class PostgresqlIndexed(Postgresql):
    dialect = queries.PostgresqlIndexed()
    indexes = queries.PostgresqlIndexed.INDEXES


ENGINES = {
    "scaup": Scaup,
    "duckdb-inferred": DuckdbInferred,
    "duckdb-text": DuckdbText,
    "duckdb-variant": DuckdbVariant,
    "duckdb-variant-whole": DuckdbVariantWhole,
    "duckdb-hybrid": DuckdbHybrid,
    "sqlite": Sqlite,
    "sqlite-indexed": SqliteIndexed,
    "postgresql": Postgresql,
    "postgresql-indexed": PostgresqlIndexed,
}


def serve(pipe, name, folder, options):
    try:
        engine = ENGINES[name](pathlib.Path(folder) / f"{name}.db", options)
        pipe.send(("ok", engine.version))
    except Exception as error:
        pipe.send(told(error))
        return
    while (request := pipe.recv()) is not None:
        what, arguments = request
        try:
            pipe.send(("ok", getattr(engine, f"ask_{what}")(*arguments)))
        except Exception as error:
            pipe.send(told(error))
    engine.close()


class Served(RemoteProcess):
    """`served("query", ...)` calls ask_query(...) of the engine there; raises Refusal when it fails."""

    def __init__(self, name, folder, options):
        super().__init__(name, serve, (name, os.fspath(folder), options))

    def __call__(self, what, *arguments):
        return self.ask((what, arguments))
