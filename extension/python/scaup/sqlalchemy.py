"""SQLAlchemy's dialect `scaup://`: PostgreSQL's, over this module instead of a server.

    create_engine("scaup://")                                   # in memory
    create_engine("scaup:///flights.scaup?read_only=true&threads=4")

SQLAlchemy 2 loads it by the package's entry point. What differs from PostgreSQL's dialect is the driver: connections are those of
this module, which a transaction begins on with the first statement, and values have types of their own."""

from __future__ import annotations

import sys
import threading
from typing import Any, Optional

from sqlalchemy import exc, types
from sqlalchemy.dialects import postgresql
from sqlalchemy.dialects.postgresql.base import PGCompiler, PGDialect
from sqlalchemy.engine.url import URL
from sqlalchemy.util import asbool, update_copy

import scaup

_LEAST_ROWS_OF_COLUMNS = 100  # From so many rows on executemany looks at columns.
_NO_BLOCK = "25P01"
_CLOSED = "08003"


class _Cursor:
    """A cursor that begins the connection's transaction. Its other methods are those of the module's cursor."""

    def __init__(self, owner: _Connection) -> None:
        self._owner = owner
        self._cursor = cursor = owner.driver_connection.cursor()
        self.fetchone, self.fetchall, self.fetchmany, self.close = cursor.fetchone, cursor.fetchall, cursor.fetchmany, cursor.close

    def execute(self, sql: str, parameters: Any = None) -> _Cursor:
        self._owner.begin()
        self._cursor.execute(sql, parameters or None)
        return self

    def executemany(self, sql: str, parameters: Any) -> _Cursor:
        self._owner.begin()
        if len(parameters) >= _LEAST_ROWS_OF_COLUMNS and isinstance(parameters[0], tuple) and parameters[0]:
            # As columns, which a plain INSERT takes all at once.
            parameters = {str(place): list(column) for place, column in enumerate(zip(*parameters))}
        self._cursor.executemany(sql, parameters)
        return self

    def __iter__(self) -> Any:
        return iter(self.fetchone, None)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cursor, name)


class _Connection:
    """A connection as DB-API has it, where statements belong to a transaction until commit(), unless `autocommit`. Used by one thread at a time."""

    def __init__(self, driver_connection: scaup.Connection) -> None:
        self.driver_connection = driver_connection
        self.autocommit = False
        self._may_be_open = False
        # The frames around are SQLAlchemy's, whose variables no statement means.
        driver_connection.python_enable_replacements = False

    def begin(self) -> None:
        """Begins a transaction, unless there is one or none is wanted."""
        if not self._may_be_open:
            if not self.autocommit:
                self.driver_connection.begin()
            self._may_be_open = True

    def cursor(self) -> _Cursor:
        return _Cursor(self)

    def commit(self) -> None:
        self._end(self.driver_connection.commit)

    def rollback(self) -> None:
        self._end(self.driver_connection.rollback)

    def _end(self, end: Any) -> None:
        if not self._may_be_open:
            return
        try:
            end()
        except scaup.Error as error:
            if error.sqlstate != _NO_BLOCK:  # Statements without a transaction, or a COMMIT that was given as text.
                raise
        self._may_be_open = False

    def run(self, sql: str) -> Any:
        """Runs a statement beside transactions, and returns its first value."""
        cursor = self.driver_connection.cursor()
        cursor.execute(sql)
        row = cursor.fetchone() if cursor.description else None
        return row[0] if row else None

    def interrupt(self) -> None:
        self.driver_connection.interrupt()

    def close(self) -> None:
        self.driver_connection.close()


class _Compiler(PGCompiler):
    """Leaves the casts out of parameters that INSERT assigns to columns as they are, so that rows may go in as columns."""

    def bindparam_string(self, name: str, *arguments: Any, **options: Any) -> str:
        if self.isinsert and len(self.stack) == 1:
            options["bindparam_type"] = None
        return super().bindparam_string(name, *arguments, **options)


def _cast(base: type, **attributes: Any) -> type:
    """A type whose parameters are written with a cast, so that None has a type, too."""
    return type(f"_{base.__name__}", (base,), {"render_bind_cast": True, **attributes})


class _Numeric(types.Numeric):
    """A number that may come as a float from expressions of floats."""

    render_bind_cast = True

    def bind_processor(self, dialect: Any) -> Any:
        return None

    def result_processor(self, dialect: Any, coltype: Any) -> Any:
        if coltype in ("REAL", "DOUBLE", "DOUBLE PRECISION"):
            number: Any = types.Float
            return number(asdecimal=self.asdecimal).result_processor(dialect, coltype)
        return super().result_processor(dialect, coltype)


class Dialect(PGDialect):
    """Scaup for SQLAlchemy: see the module."""

    name = "scaup"
    driver = "scaup"
    default_paramstyle = "numeric_dollar"
    supports_statement_cache = True
    supports_native_decimal = True
    supports_sane_multi_rowcount = True
    statement_compiler = _Compiler
    max_identifier_length = 9999  # Names are not cut.
    colspecs = update_copy(
        PGDialect.colspecs,
        {
            **{
                each: _cast(each)
                for each in (types.String, types.Date, types.Time, types.DateTime, types.Integer, types.SmallInteger, types.BigInteger)
            },
            types.Numeric: _Numeric,
            types.Float: _cast(types.Float),
            types.ARRAY: _cast(postgresql.ARRAY),
            types.Enum: _cast(postgresql.ENUM),
            types.Interval: _cast(postgresql.INTERVAL),
            types.JSON: _cast(postgresql.JSON),
            types.JSON.JSONIntIndexType: _cast(types.JSON.JSONIntIndexType, __visit_name__="json_int_index"),
            types.JSON.JSONStrIndexType: _cast(types.JSON.JSONStrIndexType, __visit_name__="json_str_index"),
            postgresql.INTERVAL: _cast(postgresql.INTERVAL),
            postgresql.JSONB: _cast(postgresql.JSONB),
        },
    )

    def __init__(self, **options: Any) -> None:
        # Not the module's ?, which is an operator of JSONB, too.
        options["paramstyle"] = options.get("paramstyle") or self.default_paramstyle
        super().__init__(**options)
        self._lock = threading.Lock()
        self._memory: Optional[scaup.Connection] = None

    # --- Connections

    @classmethod
    def import_dbapi(cls) -> Any:
        return scaup

    def create_connect_args(self, url: URL) -> Any:
        if url.host or url.port or url.username or url.password:
            raise exc.ArgumentError(
                "scaup:// opens a file, which is named behind three slashes: scaup:///flights.scaup. "
                "For a server use postgresql+psycopg://host:port/name"
            )
        config = {key: value for key, value in url.query.items() if key != "read_only"}
        return [], {"database": url.database or ":memory:", "read_only": asbool(url.query.get("read_only", False)), "config": config}

    def connect(self, *arguments: Any, **options: Any) -> Any:
        if options.get("database") != ":memory:":
            return _Connection(scaup.connect(*arguments, **options))
        # All connections of an engine share one database in memory, which lives as long as the engine.
        with self._lock:
            if self._memory is None:
                self._memory = scaup.connect(*arguments, **options)
            return _Connection(self._memory.duplicate())

    def is_disconnect(self, e: Any, connection: Any, cursor: Any) -> bool:
        return isinstance(e, scaup.InterfaceError) and e.sqlstate == _CLOSED

    def do_ping(self, dbapi_connection: Any) -> bool:
        dbapi_connection.run("SELECT 1")
        return True

    def do_terminate(self, dbapi_connection: Any) -> None:
        dbapi_connection.interrupt()
        dbapi_connection.close()

    # --- Transactions

    def get_isolation_level_values(self, dbapi_conn: Any) -> Any:
        return "AUTOCOMMIT", *super().get_isolation_level_values(dbapi_conn)

    def set_isolation_level(self, dbapi_connection: Any, level: str) -> None:
        dbapi_connection.autocommit = level == "AUTOCOMMIT"
        if not dbapi_connection.autocommit:
            dbapi_connection.run(f"SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL {level}")

    def get_isolation_level(self, dbapi_connection: Any) -> Any:
        return str(dbapi_connection.run("SHOW transaction_isolation")).upper()

    def detect_autocommit_setting(self, dbapi_conn: Any) -> bool:
        return bool(dbapi_conn.autocommit)

    def set_readonly(self, connection: Any, value: bool) -> None:
        connection.run(f"SET SESSION CHARACTERISTICS AS TRANSACTION {'READ ONLY' if value else 'READ WRITE'}")

    def get_readonly(self, connection: Any) -> bool:
        return bool(connection.run("SHOW default_transaction_read_only") == "on")

    def set_deferrable(self, connection: Any, value: bool) -> None:
        """Does nothing: transactions that only read never fail nor wait, which is what DEFERRABLE is for."""

    def get_deferrable(self, connection: Any) -> bool:
        return False

    def do_recover_twophase(self, connection: Any) -> Any:
        return []

    # --- What the engine is

    def _get_server_version_info(self, connection: Any) -> tuple[int, ...]:
        return 15, 0  # The version of PostgreSQL whose dialect and catalogs there are.


dialect = Dialect


def _teach_alembic() -> None:
    """Lets Alembic treat the dialect as PostgreSQL's: it looks for a class with the dialect's name when it migrates."""
    if "alembic" in sys.modules:
        from alembic.ddl.postgresql import PostgresqlImpl  # type: ignore[import-not-found,unused-ignore]

        type("ScaupImpl", (PostgresqlImpl,), {"__dialect__": Dialect.name})


_teach_alembic()
