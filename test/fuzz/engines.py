"""The engines that answer the queries of the differential tester: Scaup in any of its modes, DuckDB, and PostgreSQL through psql.

Each engine gets the same statements by `reset` and gives `Answer`s whose values are texts in one form for all.
"""

import datetime
import decimal
import math
import os
import re
import shlex
import subprocess
import tempfile
import threading
from typing import NamedTuple, Optional

import scaup

try:
    import duckdb
except ImportError:  # The comparison of Scaup with itself works alone.
    duckdb = None

PARAMETER = re.compile("\x00(\\d+)\x00")


class Answer(NamedTuple):
    """Rows in the order in which they came, or the error's SQLSTATE and message."""

    rows: Optional[list]
    sqlstate: str = ""
    message: str = ""
    position: Optional[int] = None
    # Of Scaup: the same collected and as a stream, where these were asked for and are not the same to the byte.
    streams: Optional[list] = None

    @property
    def is_error(self):
        return self.rows is None


# Larger answers take the tester's time rather than the engines'; they are not compared.
MOST_ROWS = 20000
TOO_MANY_ROWS = Answer(None, "54000", "too many rows to compare")


def with_literals(text, parameters):
    return PARAMETER.sub(lambda match: f"CAST({parameters[int(match[1])].literal} AS {parameters[int(match[1])].type})", text)


def with_parameters(text, parameters):
    """The text with $1, $2, ... and the values for them."""
    values = []

    def place(match):
        parameter = parameters[int(match[1])]
        values.append(parameter.value)
        return f"CAST(${len(values)} AS {parameter.type})"

    return PARAMETER.sub(place, text), values


# --- Values ----------------------------------------------------------------------------------------------------------

NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?|[+-]?(inf(inity)?|nan)", re.IGNORECASE)


def number_text(text):
    """Twelve digits of a number, all of an integer."""
    if text.lstrip("+-").isdigit():
        return str(int(text))
    value = float(text)
    if math.isnan(value) or math.isinf(value):
        return str(abs(value) if math.isnan(value) else value)
    if value == 0:
        return "0"
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else f"{value:.12g}"


def canonical_text(text):
    return number_text(text) if NUMBER.fullmatch(text) else text


def moment_text(value):
    text = value.strftime("%H:%M:%S") if isinstance(value, datetime.time) else value.strftime("%Y-%m-%d %H:%M:%S").zfill(19)
    return text + (f".{value.microsecond:06d}".rstrip("0") if value.microsecond else "")


def canonical(value):
    """A value of a Python driver as text: as psql prints it, but numbers in one form."""
    if value is None:
        return "~"
    if isinstance(value, bool):
        return "t" if value else "f"
    if isinstance(value, (int, float, decimal.Decimal)):
        return number_text(str(value))
    if isinstance(value, datetime.datetime):
        return moment_text(value.astimezone(datetime.timezone.utc) if value.tzinfo else value)
    if isinstance(value, datetime.time):
        return moment_text(value)
    if isinstance(value, datetime.date):
        return value.isoformat()
    return canonical_text(str(value))


def close(a, b):
    """Whether two texts are the same number but for rounding."""
    if a == b:
        return True
    if not (NUMBER.fullmatch(a) and NUMBER.fullmatch(b)):
        return False
    return math.isclose(float(a), float(b), rel_tol=1e-9, abs_tol=1e-12)


def same_rows(a, b):
    return len(a) == len(b) and (a == b or all(len(x) == len(y) and all(map(close, x, y)) for x, y in zip(a, b)))


# --- Engines ---------------------------------------------------------------------------------------------------------

PASSES = ("expression_simplification", "filter_pushdown", "statistics_propagation", "join_order", "top_n", "projection_pushdown", "build_side",
          "common_subexpressions", "cardinality_estimates", "index_order", "index_join",
          "text_index")
USUAL = {"threads": "1", "force_vector_kind": "none", "force_partitions": "none", "kernel_level": "best", "disabled_optimizers": "", "memory_limit": "1GB"}


def random_mode(rng):
    """Settings that must not change any answer, whether the database is in a file, whether literals go as parameters, rows of parts of streams."""
    mode = {}
    if rng.random() < 0.5:
        mode["threads"] = "4"
    if rng.random() < 0.5:
        mode["force_vector_kind"] = rng.choice(["flat", "dictionary", "constant"])
    if rng.random() < 0.3:
        mode["force_partitions"] = rng.choice(["memory", "spilled"])
    if rng.random() < 0.15:
        mode["kernel_level"] = "plain"
    if rng.random() < 0.15:
        mode["memory_limit"] = "3MB"
    kind = rng.random()
    if kind < 0.25:
        mode["disabled_optimizers"] = ",".join(PASSES)
    elif kind < 0.6:
        mode["disabled_optimizers"] = ",".join(rng.sample(PASSES, rng.choice([1, 1, 2, 5])))
    if rng.random() < 0.25:
        mode["file"] = True
    if rng.random() < 0.5:
        mode["parameters"] = True
    if "file" not in mode and rng.random() < 0.3:
        mode["documents"] = True
    if StreamTwin.PROGRAM and not ("file" in mode or "documents" in mode):
        mode["streamed"] = rng.choice([1, 7, 1024])
    return mode


# How columns stand in documents and are read again: some types as they are, some as their text in SQL, numbers and the rest as JSON writes them.
KEPT_IN_DOCUMENTS = re.compile("SMALLINT|INTEGER|BIGINT|BOOLEAN|VARCHAR|DATE|TIME|TIMESTAMP|UUID")
TEXT_IN_DOCUMENTS = re.compile(r"JSONB?|BLOB|.*\[\]")
ONLY_IN_TABLES = re.compile("STRUCT|ENUM")


def make_documents(connection, table):
    """Turns a table into a view of a collection: each row an object without its NULLs."""
    columns = [(f'"{row[1]}"', row[2]) for row in connection.execute(f"PRAGMA table_info('{table}')").fetchall()]
    if any(ONLY_IN_TABLES.search(type) for _, type in columns):
        return
    connection.execute(f"ALTER TABLE {table} RENAME TO {table}_rows")
    connection.execute(f"CREATE COLLECTION {table}_documents")
    members = [f"{name} => CAST({name} AS VARCHAR)" if TEXT_IN_DOCUMENTS.fullmatch(type) else name for name, type in columns]
    connection.execute(f"INSERT INTO {table}_documents SELECT object({', '.join(members)}) FROM {table}_rows")
    # A column of NULLs alone is a path that no document has.
    connection.execute("SET unknown_keys = 'null'")
    texts = [name if KEPT_IN_DOCUMENTS.fullmatch(type) else f"CAST({name} AS VARCHAR)" for name, type in columns]
    items = ", ".join(f"CAST({text} AS {type}) AS {name}" for text, (name, type) in zip(texts, columns))
    connection.execute(f"CREATE VIEW {table} AS SELECT {items} FROM {table}_documents")


class StreamTwin:
    """A process that executes queries both collected and as streams."""

    PROGRAM = os.environ.get("SCAUP_STREAM_TWIN", "")

    def __init__(self):
        self.process = subprocess.Popen([self.PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.is_filled = False

    def reset(self, setup):
        self.setup = setup
        self.is_filled = False

    def answers(self, query, mode):
        """None where both give the same, byte for byte; else the two Answers."""
        if not self.is_filled:
            self._ask("R", "")
            for statement in self.setup:
                self._ask("S", statement.text)
            self.current = {}
            self.is_filled = True
        for name, usual in USUAL.items():
            wanted = mode.get(name, usual)
            if self.current.get(name) != wanted:
                self._ask("S", f"SET {name} = '{wanted}'")
                self.current[name] = wanted
        self._ask("P", mode["streamed"])
        return self._ask("Q", with_literals(query.text, query.parameters))

    def _ask(self, letter, what):
        data = b"" if letter == "P" else what.encode()
        self.process.stdin.write(f"{letter}{what if letter == 'P' else len(data)}\n".encode() + data)
        self.process.stdin.flush()
        size = self.process.stdout.readline()
        if not size:
            raise RuntimeError(f"the process that streams ended with status {self.process.wait()} at: {what}")
        answer = self.process.stdout.read(int(size))
        if answer and letter != "Q":
            raise RuntimeError(f"what streams refuses {what}: {answer}")
        return [self._answer(part.decode()) for part in answer.split(b"\0")] if answer else None

    @staticmethod
    def _answer(text):
        if text[0] == "E":
            return Answer(None, text[1:6], text[7:])
        return Answer([tuple(map(canonical_text, row.split("\x1f")[:-1])) for row in text[1:].split("\x1e")[:-1]])

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class Scaup:
    """Databases with the same tables, in memory and in a file, and one with collections in their place; every query runs in a mode of its own."""

    name = "scaup"

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="scaup-fuzz-", dir="/dev/shm" if os.path.isdir("/dev/shm") else None)
        self.databases = {}
        self.twin = StreamTwin() if StreamTwin.PROGRAM else None

    def reset(self, setup):
        self.setup = setup
        self.databases = {}
        self._database("memory")
        if self.twin:
            self.twin.reset(setup)

    def _fill(self, connection):
        for statement in self.setup:
            connection.execute(statement.text)

    def _database(self, kind):
        if kind in self.databases:
            return self.databases[kind]
        if kind == "file":
            for name in os.listdir(self.folder.name):
                os.unlink(os.path.join(self.folder.name, name))
            connection = scaup.connect(os.path.join(self.folder.name, "database"), config={**USUAL, "synchronous": "off"})
        else:
            connection = scaup.connect(config=USUAL)
        self._fill(connection)
        if kind == "file":
            connection.execute("CHECKPOINT")
        if kind == "documents":
            for statement in self.setup:
                if match := re.match(r"CREATE TABLE (\w+)", statement.text):
                    make_documents(connection, match[1])
        self.databases[kind] = (connection, dict(USUAL))
        return self.databases[kind]

    def run(self, query, mode):
        connection, current = self._database("file" if mode.get("file") else "documents" if mode.get("documents") else "memory")
        for name, usual in USUAL.items():
            wanted = mode.get(name, usual)
            if current[name] != wanted:
                connection.execute(f"SET {name} = '{wanted}'")
                current[name] = wanted
        text, values = (with_parameters if mode.get("parameters") else lambda *both: (with_literals(*both), None))(query.text, query.parameters)
        try:
            rows = connection.execute(text, values).fetchmany(MOST_ROWS + 1)
            answer = TOO_MANY_ROWS if len(rows) > MOST_ROWS else Answer([tuple(map(canonical, row)) for row in rows])
        except scaup.Error as error:
            answer = Answer(None, error.sqlstate or "", error.message or str(error), error.position)
        return answer._replace(streams=self.twin.answers(query, mode)) if "streamed" in mode else answer

    def close(self):
        self.databases = {}
        self.folder.cleanup()
        if self.twin:
            self.twin.close()


class DuckDB:
    name = "duckdb"

    def __init__(self):
        self.connection = None

    def reset(self, setup):
        self.connection = duckdb.connect(config={"threads": 1})
        for statement in setup:
            if self.name in statement.engines:
                self.connection.execute(statement.text.replace("JSONB", "VARCHAR"))

    def answers(self, queries):
        return [self._run(with_literals(query.text, query.parameters)) if self.name in query.engines else None for query in queries]

    def _run(self, text):
        try:
            rows = self.connection.execute(text).fetchmany(MOST_ROWS + 1)
        except Exception as error:  # Which errors its driver raises is not our business.
            return Answer(None, "", str(error))
        if len(rows) > MOST_ROWS:
            return TOO_MANY_ROWS
        return Answer([tuple(map(canonical, row)) for row in rows])

    def close(self):
        self.connection = None


class PostgreSQL:
    """One psql for all queries; tables are temporary, so that nothing waits for a disk."""

    name = "postgresql"

    def __init__(self, command):
        self.command = shlex.split(command)
        self.process = subprocess.Popen(self.command + ["-X", "-q", "-A", "-t", "-F", "\x1f", "-R", "\x1e", "-P", "null=~"], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, encoding="utf-8", bufsize=1 << 16)
        self.tables = []
        self._ask(["SET statement_timeout = '10s'", "SET client_min_messages = error", "SET extra_float_digits = 1", "SET jit = off"])

    def reset(self, setup):
        drop = [f"DROP TABLE IF EXISTS {table} CASCADE" for table in self.tables]
        self.tables = [match[1] for statement in setup if (match := re.match(r"CREATE TABLE (\w+)", statement.text))]
        own = [re.sub(r"^CREATE TABLE", "CREATE TEMP TABLE", statement.text) for statement in setup if self.name in statement.engines]
        for answer in self._ask(drop + own):
            if answer.is_error:
                raise RuntimeError(f"PostgreSQL refuses the tables: {answer.message}")

    def answers(self, queries):
        asked = iter(self._ask([with_literals(query.text, query.parameters) for query in queries if self.name in query.engines]))
        return [next(asked) if self.name in query.engines else None for query in queries]

    def _ask(self, texts):
        def write():
            for text in texts:
                self.process.stdin.write(f"{text};\n\\echo '\x1e\x1d' :SQLSTATE :LAST_ERROR_MESSAGE '\x1d'\n")
            self.process.stdin.flush()

        writer = threading.Thread(target=write)  # psql writes while it reads: both pipes may be full.
        writer.start()
        results = [self._read() for _ in texts]
        writer.join()
        return results

    def _read(self):
        lines = []
        while not (lines and lines[-1].endswith("\x1d\n")):
            line = self.process.stdout.readline()
            if not line:
                raise RuntimeError("psql ended")
            lines.append(line)
        output, _, rest = "".join(lines).rpartition("\x1e\x1d")
        sqlstate, _, message = rest.rstrip("\x1d\n ").strip().partition(" ")
        if sqlstate != "00000":
            return Answer(None, sqlstate, message.strip())
        if not output:
            return Answer([])
        if output.count("\x1e") > MOST_ROWS:
            return TOO_MANY_ROWS
        # A line end follows the last row.
        return Answer([tuple(canonical_text(field) for field in row.split("\x1f")) for row in output.removesuffix("\n").split("\x1e")])

    def close(self):
        self.process.stdin.close()
        self.process.wait()
