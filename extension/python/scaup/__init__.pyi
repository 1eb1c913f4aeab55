import datetime
from typing import Any

from ._scaup import (
    Connection as Connection,
    Cursor as Cursor,
    DatabaseError as DatabaseError,
    DataError as DataError,
    Error as Error,
    IntegrityError as IntegrityError,
    InterfaceError as InterfaceError,
    InternalError as InternalError,
    NotSupportedError as NotSupportedError,
    OperationalError as OperationalError,
    ProgrammingError as ProgrammingError,
    Result as Result,
    Warning as Warning,
    connect as connect,
)

__version__: str
apilevel: str
threadsafety: int
paramstyle: str

Date = datetime.date
Time = datetime.time
Timestamp = datetime.datetime
Binary = bytes

def DateFromTicks(ticks: float) -> datetime.date: ...
def TimeFromTicks(ticks: float) -> datetime.time: ...
def TimestampFromTicks(ticks: float) -> datetime.datetime: ...

STRING: Any
BINARY: Any
NUMBER: Any
DATETIME: Any
ROWID: Any
