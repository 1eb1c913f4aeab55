import datetime
from typing import Any, Callable, Iterable, Mapping, Optional, Sequence, TypeVar, Union, overload

from ._appender import Appender as Appender
from ._calling import CallingStatement as _CallingStatement
from ._columns import Columns as Columns
from ._connecting import (
    Paths as _Paths,
    default_connection as default_connection,
    set_default_connection as set_default_connection,
)
from ._functions import Failing as _Failing, Handling as _Handling, Kind as _Kind, Sort as _Sort
from ._relation import Relation as Relation
from ._serving import serve as serve
from ._sql_text import Parameters as _Parameters
from ._statements import Statement as Statement
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
    Server as Server,
    Warning as Warning,
    connect as connect,
)

_Function = TypeVar("_Function", bound=Callable[..., Any])

__version__: str
apilevel: str
threadsafety: int
paramstyle: str

Date = datetime.date
Time = datetime.time
Timestamp = datetime.datetime
Binary = bytes

DateFromTicks = datetime.date.fromtimestamp
def TimeFromTicks(ticks: float) -> datetime.time: ...
TimestampFromTicks = datetime.datetime.fromtimestamp

STRING: Any
BINARY: Any
NUMBER: Any
DATETIME: Any
ROWID: Any

calling_statement: _CallingStatement

# The same methods of the default connection.
def append(table: str, rows: Any, schema: str = "main", *, by_name: bool = False) -> Connection: ...
def appender(
    table: str, columns: Optional[Sequence[str]] = None, action: str = "insert", key: Union[None, str, Sequence[str]] = None,
    schema: str = "main",
) -> Appender: ...
def checkpoint() -> None: ...
def extract_statements(query: str) -> list[Statement]: ...
def get_table_names(query: str, qualified: bool = False) -> set[str]: ...
def create_function(
    name: str, function: Callable[..., Any], parameters: Optional[Sequence[Any]] = None, return_type: Any = None, *,
    kind: _Sort = "scalar", type: _Kind = "numpy", null_handling: _Handling = "default", exception_handling: _Failing = "default", side_effects: bool = False,
    batch_rows: Optional[int] = None, streaming: bool = False, persist: bool = False,
) -> Connection: ...
@overload
def function(function: _Function, /, *, name: Optional[str] = None, **options: Any) -> _Function: ...
@overload
def function(function: None = None, /, *, name: Optional[str] = None, **options: Any) -> Callable[[_Function], _Function]: ...
def remove_function(name: str) -> Connection: ...
def query_progress() -> float: ...
def begin() -> None: ...
def commit() -> None: ...
def rollback() -> None: ...
def execute(sql: str, parameters: _Parameters = None) -> Connection: ...
def executemany(sql: str, parameters: Any) -> Connection: ...
def sql(query: str, alias: Union[str, _Parameters] = "", params: _Parameters = None, parameters: _Parameters = None) -> Relation: ...
query = sql
from_query = sql
def table(name: str, schema: Optional[str] = None) -> Relation: ...
view = table
def values(*rows: Any) -> Relation: ...
def table_function(name: str, params: Optional[Sequence[Any]] = None, **options: Any) -> Relation: ...
def read_csv(path: _Paths, **options: Any) -> Relation: ...
from_csv_auto = read_csv
def read_parquet(path: _Paths, **options: Any) -> Relation: ...
from_parquet = read_parquet
def read_json(path: _Paths, **options: Any) -> Relation: ...
def read_json_documents(path: _Paths) -> Relation: ...
def from_arrow(data: Any) -> Relation: ...
def from_df(data: Any) -> Relation: ...
def register(name: str, data: Any) -> Connection: ...
def unregister(name: str) -> Connection: ...
def load_ipython_extension(ipython: Any) -> None: ...
