from os import PathLike
from typing import Any, Callable, Iterable, Iterator, Mapping, Optional, Sequence, TypeVar, Union, overload

import pandas as pd

from ._appender import Appender
from ._columns import Columns
from ._frames import Backend
from ._functions import Failing, Handling, Kind, Sort
from ._output import ResultOutput
from ._relation import Relation
from ._sql_text import Parameters as _Parameters
from ._statements import Statement

_CursorType = TypeVar("_CursorType", bound="Cursor")
_Function = TypeVar("_Function", bound=Callable[..., Any])
_Row = tuple[Any, ...]
_Path = Union[str, PathLike[str]]
_Description = list[tuple[str, str, None, None, Optional[int], Optional[int], None]]

class Warning(Exception): ...

class Error(Exception):
    message: Optional[str]
    sqlstate: Optional[str]
    kind: Optional[str]
    position: Optional[int]

class InterfaceError(Error): ...
class DatabaseError(Error): ...
class DataError(DatabaseError): ...
class OperationalError(DatabaseError): ...
class IntegrityError(DatabaseError): ...
class InternalError(DatabaseError): ...
class ProgrammingError(DatabaseError): ...
class NotSupportedError(DatabaseError): ...

class _Fetching:
    """The fetch methods of results and cursors. There is no such class when the program runs."""

    def fetchone(self) -> Optional[_Row]:
        """The next row, or None behind the last."""
    def fetchall(self) -> list[_Row]:
        """All rows that were not fetched yet."""
    def __next__(self) -> _Row: ...

    def fetchnumpy(self) -> Columns:
        """A dict of NumPy arrays by name, each made when it is first asked for. Names that occur again get _1, _2, ... appended."""
    def df(self, date_as_object: bool = False, dtype_backend: Optional[Backend] = None) -> pd.DataFrame:
        """A pandas data frame of all rows, which may be written to.

        `dtype_backend`: None: types of NumPy, but integers and BOOLEAN with NULLs are pandas' Int64, boolean and so on;
        "numpy_nullable": these types always, and Float64 and string; "pyarrow": types of Arrow. Enums are categories;
        TIMESTAMP WITH TIME ZONE has the session's time zone. `date_as_object`: DATE as datetime.date."""
    fetchdf = df
    fetch_df = df
    to_df = df
    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """A capsule of all rows as a stream of Arrow arrays."""
    def __arrow_c_schema__(self) -> Any:
        """A capsule of the type of such a stream."""
    def to_arrow_reader(self, batch_size: int = 131072) -> Any:
        """All rows as a pyarrow.RecordBatchReader, whose batches have at most batch_size rows."""
    arrow = to_arrow_reader
    fetch_record_batch = to_arrow_reader
    fetch_arrow_reader = to_arrow_reader
    def to_arrow_table(self, batch_size: int = 131072) -> Any:
        """All rows as a pyarrow.Table. Numbers, dates and times share the result's memory."""
    fetch_arrow_table = to_arrow_table
    def pl(self) -> Any:
        """All rows as a polars.DataFrame."""

class Result(_Fetching, ResultOutput):
    @property
    def columns(self) -> list[str]: ...
    @property
    def types(self) -> list[str]: ...
    @property
    def description(self) -> Optional[_Description]: ...
    @property
    def shape(self) -> tuple[int, int]: ...
    def show(
        self, max_width: Optional[int] = None, max_rows: int = 20, max_col_width: int = 40, null_value: str = "NULL"
    ) -> None: ...
    def _repr_html_(self) -> str: ...
    def fetchmany(self, size: int = 1) -> list[_Row]: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[_Row]: ...

class Cursor(_Fetching):
    arraysize: int
    @property
    def description(self) -> Optional[_Description]: ...
    @property
    def rowcount(self) -> int: ...
    def execute(self: _CursorType, sql: str, parameters: _Parameters = None) -> _CursorType:
        """Runs SQL. `parameters` has values for ? or $1, $2, ..., or is a mapping of those for $name, :name or %(name)s."""
    def executemany(self: _CursorType, sql: str, parameters: Any) -> _CursorType:
        """Prepares a statement and runs it once for each of the sequences, or each of the mappings, of values; or for each row of a
        data frame, an Arrow table or a dict of columns."""
    def append(
        self: _CursorType, table: str, rows: Any, schema: str = "main", *, by_name: bool = False
    ) -> _CursorType:
        """Puts each dict of `rows` into a collection as a document, or into a table, where keys are names of columns;
        or the columns of a frame, an Arrow table or a dict of columns, in their order or by their names.

        Where nothing has that name, a collection is made. All rows go in, or none; inside a transaction they belong
        to it. In documents None is null; int, float and Decimal keep their digits; date, time and datetime become
        strings in ISO 8601, UUID as well. In a table a column without a key gets its default. Errors name the row, as
        rows[3]."""
    def sql(
        self, query: str, alias: Union[str, _Parameters] = "", params: _Parameters = None, parameters: _Parameters = None
    ) -> Relation:
        """The relation of a query. Other statements run at once, and give None where they have no rows, in spite of the type
        here: with Optional, every query would have to be asked whether it is one."""
    query = sql
    from_query = sql
    def table(self, name: str, schema: Optional[str] = None) -> Relation: ...
    view = table
    def values(self, *rows: Any) -> Relation: ...
    def table_function(self, name: str, params: Optional[Sequence[Any]] = None, **options: Any) -> Relation: ...
    def read_csv(self, path: Union[_Path, Sequence[_Path]], **options: Any) -> Relation: ...
    from_csv_auto = read_csv
    def read_json(self, path: Union[_Path, Sequence[_Path]], **options: Any) -> Relation: ...
    def read_json_documents(self, path: Union[_Path, Sequence[_Path]]) -> Relation: ...
    def read_parquet(self, path: Union[_Path, Sequence[_Path]], **options: Any) -> Relation: ...
    from_parquet = read_parquet
    def appender(
        self, table: str, columns: Optional[Sequence[str]] = None, action: str = "insert", key: Union[None, str, Sequence[str]] = None,
        schema: str = "main",
    ) -> Appender: ...
    def extract_statements(self, query: str) -> list[Statement]: ...
    def get_table_names(self, query: str, qualified: bool = False) -> set[str]: ...
    def checkpoint(self) -> None: ...
    def fetchmany(self, size: Optional[int] = None) -> list[_Row]: ...
    def query_progress(self) -> float: ...
    def interrupt(self) -> None: ...
    def setinputsizes(self, sizes: Any) -> None: ...
    def setoutputsize(self, size: Any, column: Any = None) -> None: ...
    def close(self) -> None: ...
    def __enter__(self: _CursorType) -> _CursorType: ...
    def __exit__(self, *exception: Any) -> None: ...
    def __iter__(self: _CursorType) -> _CursorType: ...

class ArrowExport:
    """A result as a stream of Arrow arrays. Not for users."""
    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...
    def __arrow_c_schema__(self) -> Any: ...

class TextArray:
    """Texts as an array of Arrow. Not for users."""
    @property
    def null_count(self) -> int: ...
    def __len__(self) -> int: ...
    def __arrow_c_array__(self, requested_schema: Any = None) -> Any: ...

def _split(sql: str) -> list[str]: ...
def _table_names(sql: str) -> list[tuple[str, str]]: ...
def _texts(values: Any, nan_is_null: bool) -> Optional[TextArray]: ...
def _texts_of_strings(array: Any, mask: Any) -> Optional[TextArray]: ...

class HeldStream:
    """The stream of an object, opened before it is read. Not for users."""
    def __init__(self, data: Any) -> None: ...
    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...
    def __arrow_c_schema__(self) -> Any: ...

# The exceptions once more, for the class that has them under the same names.
_Warning = Warning
_Error = Error
_InterfaceError = InterfaceError
_DatabaseError = DatabaseError
_DataError = DataError
_OperationalError = OperationalError
_IntegrityError = IntegrityError
_InternalError = InternalError
_ProgrammingError = ProgrammingError
_NotSupportedError = NotSupportedError

class Connection(Cursor):
    Warning = _Warning
    Error = _Error
    InterfaceError = _InterfaceError
    DatabaseError = _DatabaseError
    DataError = _DataError
    OperationalError = _OperationalError
    IntegrityError = _IntegrityError
    InternalError = _InternalError
    ProgrammingError = _ProgrammingError
    NotSupportedError = _NotSupportedError
    python_enable_replacements: bool
    """Whether names of SQL that nothing has in the database may mean variables of Python."""
    enable_progress_bar: Optional[bool]
    """Whether queries that take longer than two seconds show how far they are. None: in notebooks and interactive terminals."""
    python_scan_all_frames: bool
    """Whether these may be variables of all functions that are running, not only of the one that runs the statement."""
    def cursor(self) -> Cursor: ...
    def duplicate(self) -> Connection:
        """Another session of the same database, with transactions of its own."""
    def register(self, name: str, data: Any) -> Connection:
        """Makes an object a table of this connection: a data frame, an Arrow table, a dict of arrays, or what has __arrow_c_stream__."""
    def unregister(self, name: str) -> Connection:
        """Forgets a table that was registered; nothing happens where none was."""
    def register_filesystem(self, filesystem: Any) -> Connection:
        """Lets statements of this connection read and write files of a file system of fsspec, by its protocols."""
    def unregister_filesystem(self, name: str) -> Connection:
        """Forgets the file system of a protocol."""
    def list_filesystems(self) -> list[str]:
        """The protocols for which file systems are registered."""
    def create_function(
        self, name: str, function: Callable[..., Any], parameters: Optional[Sequence[Any]] = None, return_type: Any = None, *,
        kind: Sort = "scalar", type: Kind = "numpy", null_handling: Handling = "default", exception_handling: Failing = "default", side_effects: bool = False,
        batch_rows: Optional[int] = None, streaming: bool = False, persist: bool = False,
    ) -> Connection:
        """Lets statements of this connection call a function of Python, which gets whole columns, up to 65,536 rows at once.

        `kind="aggregate"`: it gets whole groups, states of a class, or one group at a time, and gives a value for each group."""
    @overload
    def function(self, function: _Function, /, *, name: Optional[str] = None, **options: Any) -> _Function: ...
    @overload
    def function(self, function: None = None, /, *, name: Optional[str] = None, **options: Any) -> Callable[[_Function], _Function]:
        """A decorator for create_function(), with its arguments as options."""
    def remove_function(self, name: str) -> Connection:
        """Forgets the functions of this name that create_function() has made."""
    def from_df(self, data: Any) -> Relation:
        """The relation of an object that register() takes, registered under the relation's alias."""
    from_arrow = from_df
    def begin(self) -> None: ...
    def commit(self) -> None: ...
    def rollback(self) -> None: ...

class Server:
    """A server that scaup.serve() has started. It runs until stop(), the end of a `with` block, or of the object; it
    keeps the database open. Thread-safe."""
    @property
    def addresses(self) -> list[str]:
        """Where it listens: host:port, and the path of the Unix socket."""
    @property
    def client_count(self) -> int:
        """How many clients are connected."""
    def stop(self) -> None:
        """Takes no more clients, interrupts their statements, rolls their transactions back, and waits for the end of all.
        Does nothing if it has stopped already."""
    def __enter__(self) -> Server: ...
    def __exit__(self, *exception: Any) -> None: ...

def _database_handle(connection: Connection) -> str: ...
def _serve(connection: Connection, listen: list[str], socket_directory: str, socket_port: int, max_connections: int) -> Server: ...
def connect(
    database: Union[str, PathLike[str]] = ":memory:", read_only: bool = False, config: Optional[Mapping[str, Any]] = None
) -> Connection:
    """Opens a database: ":memory:", or a file, which is made if there is none.

    `config` has settings by name, such as {"threads": 4, "memory_limit": "2GB"}; `read_only` is short for
    {"access_mode": "read_only"}. A path that is open in this process already gives another connection to the same
    database, as Connection.duplicate() does; its settings must be the same, or not given: else OperationalError 55006
    names the one that differs. Of all processes, one at a time may write a file, or many may read it. When the last
    connection is closed, nothing but the file is left."""
def version() -> str: ...

def _query_within(sql: str, parameters: Any) -> Result: ...
