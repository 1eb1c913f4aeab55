"""A client of `scaup serve` and of scaup.serve(): rows by DB-API 2.0, and whole columns as Arrow tables.

    with scaup.client.connect("postgresql://ann@db.example:5432/flights", password="...") as con:
        table = con.arrow("SELECT * FROM flights WHERE year = ?", [2024])   # columns come as columns
        con.ingest("copies", table)
        con.execute("SELECT count(*) FROM copies").fetchone()

Rows come in PostgreSQL's text form, tables in Arrow's streaming format (COPY ... (FORMAT arrow)), which takes far less time for many
rows. The client is written in Python alone; Arrow tables need pyarrow. Connections are used by one thread at a time, but for cancel()."""

from __future__ import annotations

import io

from . import _errors, _scaup, _sql_text
from ._wire import Wire, error_of, lost
from ._wire_values import reader_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterable, Iterator, Optional, Sequence

    import pyarrow

    from ._sql_text import Parameters
    from ._wire_values import Reader

    Row = tuple[Any, ...]

apilevel = "2.0"
threadsafety = 1  # threads may share the module
paramstyle = "qmark"

Error = _scaup.Error
InterfaceError = _scaup.InterfaceError
DatabaseError = _scaup.DatabaseError
DataError = _scaup.DataError
OperationalError = _scaup.OperationalError
IntegrityError = _scaup.IntegrityError
InternalError = _scaup.InternalError
ProgrammingError = _scaup.ProgrammingError
NotSupportedError = _scaup.NotSupportedError

DEFAULT_PORT = 5432
_SENT_AT_ONCE = 1 << 20
_STATEMENTS_AT_ONCE = 1000
_SSL_MODES = ("disable", "prefer", "require", "verify-ca", "verify-full")


def connect(
    dsn: str = "", *, host: Optional[str] = None, port: Optional[int] = None, user: Optional[str] = None, password: Optional[str] = None,
    database: Optional[str] = None, sslmode: Optional[str] = None, sslrootcert: Optional[str] = None, connect_timeout: Optional[float] = None,
    application_name: str = "scaup.client",
) -> Connection:
    """Connects to a server.

    Args:
        dsn: "postgresql://user:password@host:port/database", or "host=... port=... user=...". The arguments below count more.
        host: a name, an address, or the folder of a Unix socket, which begins with "/". By default localhost.
        port: by default 5432.
        user: by default the user of the system.
        sslmode: disable, prefer (encrypted if the server can; the default), require, verify-ca or verify-full; sslrootcert: a PEM file of
            authorities.
        connect_timeout: in seconds, also for the proof of the password.

    Raises:
        OperationalError: the server cannot be reached, or does not let the user in.
    """
    given: dict[str, Any] = _parts_of(dsn)
    chosen = {"host": host, "port": port, "user": user, "password": password, "database": database, "sslmode": sslmode, "sslrootcert": sslrootcert}
    given.update((name, value) for name, value in chosen.items() if value is not None)
    mode = given.get("sslmode", "prefer")
    if mode not in _SSL_MODES:
        raise _errors.usage(f"sslmode is one of {', '.join(_SSL_MODES)}, not {mode!r}", "22023")
    name = given.get("user") or _system_user()
    wire = Wire(given.get("host") or "localhost", int(given.get("port") or DEFAULT_PORT), mode, given.get("sslrootcert"), connect_timeout)
    try:
        parameters = {"user": name, "database": given.get("database") or name, "client_encoding": "UTF8", "application_name": application_name}
        wire.start(parameters, given.get("password"))
    except BaseException:
        wire.close()
        raise
    return Connection(wire)


def _system_user() -> str:
    import getpass

    return getpass.getuser()


def _parts_of(dsn: str) -> dict[str, Any]:
    import shlex
    import urllib.parse

    if "://" not in dsn:
        parts = dict(part.split("=", 1) for part in shlex.split(dsn))
        if "dbname" in parts:
            parts["database"] = parts.pop("dbname")
        return parts
    url = urllib.parse.urlsplit(dsn)
    found = {
        "host": url.hostname, "port": url.port, "user": url.username, "password": url.password, "database": url.path.lstrip("/"),
        **dict(urllib.parse.parse_qsl(url.query)),
    }
    return {name: urllib.parse.unquote(value) if isinstance(value, str) else value for name, value in found.items() if value}


def _with_values(sql: str, parameters: Parameters) -> str:
    """The text with values in the place of its parameters."""
    if parameters is None:
        return sql
    sql, values = _sql_text.parameters_of(sql, parameters)
    if _sql_text.has_numbered(sql):
        sql, ordered = _sql_text.to_question_marks(sql, values)
        values = tuple(ordered)
    rest = iter(values)
    parts, count = [], 0
    for _, begin, end in _sql_text.tokens(sql):
        part = sql[begin:end]
        if part == "?":
            count += 1
            value = next(rest, _MISSING)
            if value is _MISSING:
                raise _errors.usage(f"the statement has more than the {len(values)} parameters that were given", "42P02")
            part = f"({_sql_text.literal(value)})"
        parts.append(part)
    if count != len(values):
        raise _errors.usage(f"the statement has {count} parameters, but {len(values)} values were given", "42P02")
    return "".join(parts)


_MISSING = object()


class Cursor:
    """Rows of statements: PEP 249. They are all received when the statement has run."""

    arraysize = 1

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.description: Optional[list[tuple[str, int, None, None, None, None, None]]] = None
        self.rowcount = -1
        self._rows: Iterator[Row] = iter(())

    def execute(self, sql: str, parameters: Parameters = None) -> Cursor:
        """Runs statements; the rows are those of the last one."""
        self.description, self.rowcount, self._rows = self.connection._query(_with_values(sql, parameters))
        return self

    def executemany(self, sql: str, parameters: Iterable[Parameters]) -> Cursor:
        """Runs a statement once for each of the parameters, in one transaction."""
        texts = [_with_values(sql, each) for each in parameters]
        parts = [texts[begin : begin + _STATEMENTS_AT_ONCE] for begin in range(0, len(texts), _STATEMENTS_AT_ONCE)]
        self.description, self.rowcount, self._rows = None, 0, iter(())
        # The statements of one message are one transaction.
        has_block = len(parts) > 1 and not self.connection.in_transaction
        if has_block:
            self.connection.begin()
        count = 0
        try:
            for part in parts:
                count += max(self.connection._query(";\n".join(part), is_sum=True)[1], 0)
        except Error:
            if has_block:
                self.connection.rollback()
            raise
        if has_block:
            self.connection.commit()
        self.rowcount = count
        return self

    def fetchone(self) -> Optional[Row]:
        return next(self._rows, None)

    def fetchmany(self, size: Optional[int] = None) -> list[Row]:
        return [row for _, row in zip(range(self.arraysize if size is None else size), self._rows)]

    def fetchall(self) -> list[Row]:
        return list(self._rows)

    def __iter__(self) -> Iterator[Row]:
        return self._rows

    def setinputsizes(self, sizes: Sequence[Any]) -> None:
        """Does nothing, as PEP 249 allows."""

    def setoutputsize(self, size: int, column: Optional[int] = None) -> None:
        """Does nothing, as PEP 249 allows."""

    def close(self) -> None:
        self._rows = iter(())

    def __enter__(self) -> Cursor:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


class Connection:
    """A session of a server. Statements commit at once unless begin() has begun a transaction."""

    def __init__(self, wire: Wire) -> None:
        self._wire: Optional[Wire] = wire
        self._copying: Optional[_CopyOut] = None

    # --- Statements

    def cursor(self) -> Cursor:
        return Cursor(self)

    def execute(self, sql: str, parameters: Parameters = None) -> Cursor:
        """A cursor that has executed it."""
        return self.cursor().execute(sql, parameters)

    def executemany(self, sql: str, parameters: Iterable[Parameters]) -> Cursor:
        return self.cursor().executemany(sql, parameters)

    def begin(self) -> None:
        self._query("BEGIN")

    def commit(self) -> None:
        """Commits the transaction; does nothing where none is open."""
        if self.in_transaction:
            self._query("COMMIT")

    def rollback(self) -> None:
        """Rolls the transaction back; does nothing where none is open."""
        if self.in_transaction:
            self._query("ROLLBACK")

    @property
    def in_transaction(self) -> bool:
        return self._open_wire().status != "I"

    @property
    def parameters(self) -> dict[str, str]:
        """What the server tells of itself and of the session, such as server_version and TimeZone."""
        return dict(self._open_wire().parameters)

    # --- Columns

    def arrow(self, query: str, parameters: Parameters = None, *, compression: str = "auto") -> pyarrow.Table:
        """The rows of a query, or of a table, as an Arrow table. compression: auto (none on one machine, else lz4), none, lz4 or zstd."""
        with self.arrow_reader(query, parameters, compression=compression) as reader:
            return reader.read_all()

    def arrow_reader(self, query: str, parameters: Parameters = None, *, compression: str = "auto", chunk_bytes: int = 1 << 20) -> pyarrow.RecordBatchReader:
        """The same as a reader of record batches, of about `chunk_bytes` each, which come as they are read. Until the last has been read, or
        the reader is closed, the connection takes no other statement."""
        import pyarrow.ipc

        sql = _sql_text.without_end(_with_values(query, parameters))
        target = sql if sql.strip().replace("_", "").isalnum() else _sql_text.bracketed(sql)
        options = f"FORMAT arrow, COMPRESSION {_sql_text.quote_name(compression)}, CHUNK_BYTES {int(chunk_bytes)}"
        source = _CopyOut(self, f"COPY {target} TO STDOUT ({options})", sql)
        self._copying = source
        # The reader closes the source, which reads what is left.
        return pyarrow.RecordBatchReader.from_stream(pyarrow.ipc.open_stream(io.BufferedReader(source, _SENT_AT_ONCE)))

    def ingest(self, table: str, data: Any, *, schema: Optional[str] = None, compression: Optional[str] = None) -> int:
        """Appends rows to a table, whose columns are found by their names. `data` is an Arrow table or reader, a data frame of pandas, or
        what else has __arrow_c_stream__. Returns the number of rows; all of them are inserted, or none."""
        import pyarrow.ipc

        if not hasattr(data, "__arrow_c_stream__"):
            data = pyarrow.Table.from_pandas(data, preserve_index=False)
        reader = pyarrow.RecordBatchReader.from_stream(data)
        columns = ", ".join(_sql_text.quote_name(name) for name in reader.schema.names)
        sql = f"COPY {_sql_text.quote_table(table, schema)} ({columns}) FROM STDIN (FORMAT arrow)"
        wire = self._begin(sql)
        sink = _CopyIn(wire)
        kind, body = wire.read()
        if kind != b"G":
            raise self._failure(kind, body, sql)
        try:
            with pyarrow.ipc.new_stream(sink, reader.schema, options=pyarrow.ipc.IpcWriteOptions(compression=compression)) as writer:
                for batch in reader:
                    writer.write_batch(batch)
            sink.finish()
        except BaseException as error:
            if self._wire is not None and not isinstance(error, OperationalError):
                wire.send(b"f", b"the client has failed\0")
                for _ in wire.until_ready():
                    pass
            raise
        count, failure = 0, None
        for kind, body in wire.until_ready():
            if kind == b"E":
                failure = error_of(body, sql)
            elif kind == b"C":
                count = int(body[:-1].split()[-1])
        if failure is not None:
            raise failure
        return count

    # --- The rest

    def cancel(self) -> None:
        """Interrupts the statement that runs. From any thread."""
        self._open_wire().cancel()

    def close(self) -> None:
        """Ends the session; an open transaction is rolled back."""
        if self._wire is not None:
            self._wire.close()
            self._wire = None

    def __enter__(self) -> Connection:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _open_wire(self) -> Wire:
        if self._wire is None:
            raise _errors.closed("the connection is closed")
        return self._wire

    def _begin(self, sql: str) -> Wire:
        """Sends a text."""
        wire = self._open_wire()
        if self._copying is not None:
            raise _errors.usage("the batches of a reader come over this connection: read it to its end, or close it", "55006")
        if "\0" in sql:
            raise _errors.usage("a statement must not contain a zero byte", "22021")
        wire.send(b"Q", sql.encode() + b"\0")
        return wire

    def _failure(self, kind: bytes, body: bytes, sql: str) -> Error:
        """The error with which the server has answered, where something else was to come."""
        for _ in self._open_wire().until_ready():
            pass
        return error_of(body, sql) if kind == b"E" else lost("the server has given an answer that does not belong to the statement")

    def _query(self, sql: str, is_sum: bool = False) -> tuple[Any, int, Iterator[Row]]:
        """(description, number of rows, rows) of the last statement of a text; `is_sum`: the number is that of all statements."""
        import struct

        wire = self._begin(sql)
        result: tuple[Optional[list[Any]], list[Row]] = (None, [])
        # The answer to the statement at hand.
        description: Optional[list[Any]] = None
        readers: list[Reader] = []
        rows: list[Row] = []
        failure, count = None, -1
        try:
            for kind, body in wire.until_ready():
                if kind == b"T":
                    description, readers = _description_of(body)
                elif kind == b"D":
                    position = 2
                    row: list[Any] = []
                    for reader in readers:
                        (size,) = struct.unpack_from("!i", body, position)
                        position += 4
                        if size < 0:
                            row.append(None)
                        else:
                            row.append(reader(body[position : position + size].decode()))
                            position += size
                    rows.append(tuple(row))
                elif kind == b"C":
                    words = body[:-1].split()
                    changed = int(words[-1]) if words[-1].isdigit() else -1
                    count = max(count, 0) + max(changed, 0) if is_sum else changed
                    result, description, rows = (description, rows), None, []
                elif kind == b"E":
                    failure = error_of(body, sql)
                elif kind == b"G":
                    wire.send(b"f", b"COPY FROM STDIN needs ingest()\0")
        except Error:
            if wire is self._wire:
                self._wire = None
            raise
        if failure is not None:
            raise failure
        return result[0], count, iter(result[1])


def _description_of(body: bytes) -> tuple[list[Any], list[Reader]]:
    """(description, readers) of a RowDescription."""
    import struct

    (count,) = struct.unpack_from("!H", body)
    position = 2
    description: list[Any] = []
    readers: list[Reader] = []
    for _ in range(count):
        end = body.index(b"\0", position)
        name = body[position:end].decode()
        (oid,) = struct.unpack_from("!I", body, end + 7)
        position = end + 19
        description.append((name, oid, None, None, None, None, None))
        readers.append(reader_of(oid))
    return description, readers


class _CopyOut(io.RawIOBase):
    """The bytes of a COPY TO STDOUT, as a file to read."""

    def __init__(self, connection: Connection, copy: str, sql: str) -> None:
        self._connection: Optional[Connection] = connection
        self._rest = memoryview(b"")
        wire = connection._begin(copy)
        kind, body = wire.read()
        if kind != b"H":
            error = connection._failure(kind, body, copy)
            begin = copy.find(sql)
            if error.position is not None and error.message is not None:
                position = error.position - begin
                error.args = (error.message,)
                _errors.place(error, sql, position)
            raise error

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._rest and self._connection is not None:
            self._rest = memoryview(self._next())
        size = min(len(buffer), len(self._rest))
        buffer[:size] = self._rest[:size]
        self._rest = self._rest[size:]
        return size

    def _next(self) -> bytes:
        assert self._connection is not None
        connection, failure = self._connection, None
        wire = connection._open_wire()
        while True:
            kind, body = wire.read()
            if kind == b"d":
                return body
            if kind == b"E":
                failure = error_of(body)
            if kind == b"Z":
                self._connection = connection._copying = None
                if failure is not None:
                    raise failure
                return b""

    def close(self) -> None:
        if not self.closed and self._connection is not None:
            # The rest of the rows is not wanted.
            connection = self._connection
            if connection._wire is not None:
                connection.cancel()
                try:
                    while self._connection is not None:
                        self._next()
                except Error:
                    pass  # It says that the statement was interrupted.
            connection._copying = None
        super().close()


class _CopyIn(io.RawIOBase):
    """A file to write whose bytes are those of a COPY FROM STDIN."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._waiting = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._waiting += data
        if len(self._waiting) >= _SENT_AT_ONCE:
            self._send()
        return len(data)

    def _send(self) -> None:
        self._wire.send(b"d", bytes(self._waiting))
        self._waiting.clear()

    def finish(self) -> None:
        if self._waiting:
            self._send()
        self._wire.send(b"c", b"")


