"""Scaup, DuckDB, Polars and chDB over the same tables in memory, each in a process of its own, so that memory and threads do not mix.

A query's time is until its whole result is kept in the system's own form: in Scaup what execute returns, in DuckDB a materialized relation, in Polars a
DataFrame, in chDB a table of the engine Memory. `keep` instead of `run` makes a table of it in Scaup and DuckDB, too.
Answers are compared by a digest that is taken after the clock stopped."""

import dataclasses
import os
import pathlib
import tempfile
import time

from remote_process import RemoteProcess, told


@dataclasses.dataclass(frozen=True)
class Table:
    """Made by DuckDB from `rows`; kept as CSV for Scaup and as Parquet for the others. `columns` is a list of SQL column definitions.

    With `in_file` there is a Parquet file alone, which every query reads; its columns are those of `rows`."""

    name: str
    columns: str
    rows: str
    in_file: bool = False


@dataclasses.dataclass(frozen=True)
class Case:
    """One question: SQL for Scaup and, unless they have their own, DuckDB and chDB; for Polars a function of a dict of LazyFrames."""

    sql: str
    polars: object
    chdb: str = ""
    duckdb: str = ""


def generate(tables, folder):
    """Makes the files of tables that are not there yet."""
    import duckdb

    folder.mkdir(parents=True, exist_ok=True)
    missing = [table for table in tables if not (folder / f"{table.name}.parquet").exists()]
    if missing:
        connection = duckdb.connect(config={"threads": 1})
        connection.execute("SELECT setseed(0.5)")
    for table in missing:
        print(f"generating {table.name} in {folder}", flush=True)
        if table.in_file:
            connection.execute(f"COPY ({table.rows}) TO '{folder / table.name}.parquet' (FORMAT parquet)")
            continue
        connection.execute(f"CREATE TABLE {table.name} ({table.columns})")
        connection.execute(f"INSERT INTO {table.name} {table.rows}")
        connection.execute(f"COPY {table.name} TO '{folder / table.name}.csv' (HEADER false)")
        connection.execute(f"COPY {table.name} TO '{folder / table.name}.parquet' (FORMAT parquet)")
        connection.execute(f"DROP TABLE {table.name}")


DIGESTS = {"number": "sum(CAST({name} AS {double}))", "text": "sum(CAST(length({name}) AS {double}))", "date": "count({name})"}


def kind_of(type_name):
    """Of a column, by the name that a system has for its type."""
    words = {"varchar": "text", "character": "text", "string": "text", "date": "date", "timestamp": "date"}
    return next((kind for word, kind in words.items() if word in type_name.lower()), "number")


class SqlSystem:
    """What systems that read SQL share: the digest of an answer is asked for by SQL, over the query as a subquery."""

    double = "DOUBLE"

    def digest(self, case):
        """Rows, and for each column the sum of its values, of its strings' lengths, or how many dates it has."""
        sql = self.text(case)
        parts = [DIGESTS.get(kind, DIGESTS["number"]).format(name=name, double=self.double) for name, kind in self.columns(sql)]
        return self.rows(f"SELECT count(*), {', '.join(parts)} FROM ({sql}) AS answer")[0]

    def text(self, case):
        return case.sql

    def keep(self, case):
        """Makes a table of the answer, and says when the one before was gone."""
        self.connection.execute("DROP TABLE IF EXISTS ans")
        start = time.perf_counter(), time.process_time()
        self.connection.execute(f"CREATE TABLE ans AS {self.text(case)}")
        return start


class Scaup(SqlSystem):
    def __init__(self, threads):
        import scaup

        self.connection = scaup.connect(config={"threads": str(threads)})
        self.version = f"Scaup {scaup.__version__}"

    def load(self, table, folder):
        """From CSV, but lists from Parquet: systems write them in other ways as text."""
        if table.in_file:
            self.connection.execute(f"CREATE VIEW {table.name} AS SELECT * FROM '{folder / table.name}.parquet'")
            return
        self.connection.execute(f"CREATE TABLE {table.name} ({table.columns})")
        self.connection.execute(f"COPY {table.name} FROM '{folder / table.name}.parquet'" if "[]" in table.columns
                                else f"COPY {table.name} FROM '{folder / table.name}.csv' (HEADER false)")

    def run(self, case):
        self.kept = self.connection.execute(case.sql)

    def columns(self, sql):
        return [(name, kind_of(kind)) for name, kind, *_ in self.rows(f"DESCRIBE {sql}")]

    def rows(self, sql):
        return self.connection.execute(sql).fetchall()


class DuckDB(SqlSystem):
    def __init__(self, threads):
        import duckdb

        self.connection = duckdb.connect(config={"threads": threads, "default_null_order": "nulls_last_on_asc_first_on_desc"})
        self.version = f"DuckDB {duckdb.__version__}"

    def load(self, table, folder):
        kind = "VIEW" if table.in_file else "TABLE"
        self.connection.execute(f"CREATE {kind} {table.name} AS FROM '{folder / table.name}.parquet'")

    def text(self, case):
        return case.duckdb or case.sql

    def run(self, case):
        self.kept = self.connection.sql(self.text(case)).materialize()

    def columns(self, sql):
        return [(name, kind_of(kind)) for name, kind, *_ in self.rows(f"DESCRIBE {sql}")]

    def rows(self, sql):
        return self.connection.execute(sql).fetchall()


class Chdb(SqlSystem):
    double = "Nullable(DOUBLE)"

    def __init__(self, threads):
        import chdb
        from chdb.session import Session

        self.folder = tempfile.TemporaryDirectory()
        self.session = Session(self.folder.name)
        self.version = f"chDB {chdb.__version__}"
        self.execute(f"SET max_threads = {threads}")
        self.execute("SET join_use_nulls = 1")
        self.execute("CREATE DATABASE peers ENGINE = Atomic")
        self.execute("USE peers")

    def execute(self, sql, form="CSV"):
        return str(self.session.query(sql, form))

    def load(self, table, folder):
        kind = f"VIEW {table.name}" if table.in_file else f"TABLE {table.name} ENGINE = Memory"
        self.execute(f"CREATE {kind} AS SELECT * FROM file('{folder / table.name}.parquet') "
                     "SETTINGS schema_inference_make_columns_nullable = 0")

    def text(self, case):
        return case.chdb or case.sql

    def run(self, case):
        self.execute("DROP TABLE IF EXISTS kept")
        start = time.perf_counter(), time.process_time()
        self.execute(f"CREATE TABLE kept ENGINE = Memory AS {self.text(case)}")
        return start

    keep = run

    def columns(self, sql):
        lines = self.execute(f"DESCRIBE ({sql})", "TSV").splitlines()
        return [(f"`{fields[0]}`", kind_of(fields[1])) for fields in (line.split("\t") for line in lines)]

    def rows(self, sql):
        return [tuple(float(field) for field in line.split("\t")) for line in self.execute(sql, "TSV").splitlines()]


class Polars:
    def __init__(self, threads):
        os.environ["POLARS_MAX_THREADS"] = str(threads)
        import polars

        self.polars = polars
        self.tables = {}
        self.version = f"Polars {polars.__version__}"

    def load(self, table, folder):
        read = self.polars.scan_parquet if table.in_file else self.polars.read_parquet
        self.tables[table.name] = read(folder / f"{table.name}.parquet")

    def run(self, case):
        self.kept = case.polars({name: frame.lazy() for name, frame in self.tables.items()}).collect()

    keep = run

    def digest(self, case):
        self.run(case)
        return [self.kept.height, *map(self.sum_of, self.kept)]

    def sum_of(self, column):
        kind = kind_of(str(column.dtype))
        return column.count() if kind == "date" else (column.str.len_chars() if kind == "text" else column).cast(float).sum()


SYSTEMS = {"scaup": Scaup, "duckdb": DuckDB, "polars": Polars, "chdb": Chdb}


def timed(run, case):
    """Wall and processor seconds. A system that must clear away its last result first says when the clock starts."""
    start = time.perf_counter(), time.process_time()
    start = run(case) or start
    return time.perf_counter() - start[0], time.process_time() - start[1]


def serve(pipe, name, suite, threads, folder):
    """`suite` is the module that has TABLES and CASES: functions do not go through a pipe."""
    tables, cases = __import__(suite).TABLES, __import__(suite).CASES
    system = SYSTEMS[name](threads)
    pipe.send(("ok", system.version))
    while (request := pipe.recv()) is not None:
        action, what = request
        try:
            if action == "load":
                start = time.perf_counter()
                for table in tables:
                    system.load(table, pathlib.Path(folder))
                answer = time.perf_counter() - start
            elif action == "digest":
                answer = [float(value or 0) for value in system.digest(cases[what])]
            else:
                answer = timed(system.keep if action == "keep" else system.run, cases[what])
            pipe.send(("ok", answer))
        except BaseException as error:  # Polars panics with exceptions that are not Exception.
            pipe.send(told(error))


class Peer(RemoteProcess):
    """A system with the tables of a suite."""

    def __init__(self, name, suite, threads, folder):
        super().__init__(name, serve, (name, suite, threads, str(folder)))

    def __call__(self, action, what=""):
        """"load": seconds; "digest" of a case: list of numbers; "run" a case, or "keep" its answer as a table: wall and processor seconds."""
        return self.ask((action, what))
