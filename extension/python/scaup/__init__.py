"""Scaup, an embeddable analytical column store: DB-API 2.0, relations, data frames and Arrow."""

import datetime as _datetime

from ._scaup import (
    Connection,
    Cursor,
    DatabaseError,
    DataError,
    Error,
    IntegrityError,
    InterfaceError,
    InternalError,
    NotSupportedError,
    OperationalError,
    ProgrammingError,
    Result,
    Server,
    Warning,
    connect,
    version,
)
from . import _append, _bulk_insert, _connecting, _filesystems, _functions, _inputs
from ._appender import Appender
from ._calling import calling_statement
from ._columns import Columns
from ._connecting import default_connection, set_default_connection
from ._range import Range
from ._relation import Relation
from ._serving import serve
from ._statements import Statement

__version__ = version()
apilevel = "2.0"
threadsafety = 2  # threads may share the module and connections, not cursors
paramstyle = "qmark"

# DB-API wants the exceptions on connections, too.
for _exception in (
    Warning, Error, InterfaceError, DatabaseError, DataError, OperationalError, IntegrityError, InternalError,
    ProgrammingError, NotSupportedError,
):
    setattr(Connection, _exception.__name__, _exception)

_connecting.attach()
_inputs.attach()
_bulk_insert.attach()
_append.attach()
_functions.attach()
_filesystems.attach()
globals().update(_connecting.MODULE_FUNCTIONS)  # sql(), execute(), table() ... of the default connection

Date = _datetime.date
Time = _datetime.time
Timestamp = _datetime.datetime
DateFromTicks = _datetime.date.fromtimestamp
TimestampFromTicks = _datetime.datetime.fromtimestamp
Binary = bytes


def TimeFromTicks(ticks):
    return _datetime.datetime.fromtimestamp(ticks).time()


class _TypeGroup(frozenset):
    """Equal to each type code in it: `cursor.description[0][1] == scaup.NUMBER`."""

    def __eq__(self, other):
        return other in self if isinstance(other, str) else frozenset.__eq__(self, other)

    def __ne__(self, other):
        return not self == other

    __hash__ = frozenset.__hash__


STRING = _TypeGroup({"VARCHAR"})
BINARY = _TypeGroup({"BLOB"})
NUMBER = _TypeGroup(
    {
        "BOOLEAN", "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT",
        "REAL", "DOUBLE", "DOUBLE PRECISION", "DECIMAL",
    }
)
DATETIME = _TypeGroup({"DATE", "TIME", "TIMESTAMP", "INTERVAL"})
ROWID = _TypeGroup()

__all__ = [
    "Appender", "BINARY", "Binary", "Columns", "Connection", "Cursor", "DATETIME", "DataError", "DatabaseError", "Date", "DateFromTicks", "Error",
    "IntegrityError", "InterfaceError", "InternalError", "NUMBER", "NotSupportedError", "OperationalError", "ProgrammingError",
    "ROWID", "Range", "Relation", "Result", "STRING", "Server", "Statement", "Time", "TimeFromTicks", "Timestamp", "TimestampFromTicks", "Warning", "apilevel", "connect",
    "default_connection", "paramstyle", "serve", "set_default_connection", "threadsafety", *_connecting.FUNCTIONS,
]


def load_ipython_extension(ipython):
    """What `%load_ext scaup` calls: adds the magic %scaup."""
    from . import magic

    magic.load_ipython_extension(ipython)
