"""Functions of Python that return rows: what they get as arguments, and what they may return."""

from __future__ import annotations

from . import _errors
from ._functions import Caller, _array, _result, _whole, imported_pandas, type_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Iterator, Optional, Sequence

    from ._functions import Kind

_FIRST_TUPLES, _MOST_TUPLES = 16, 2048  # rows that a generator makes one by one and that go on together: few at first, where few may be needed
_ANY_TABLE = "TABLE"


# --- Declaring


def argument_type(given: Any) -> tuple[bool, str]:
    """Whether a parameter is a table, and its type; of a table a struct of its columns, "" for any columns."""
    if isinstance(given, str) and given.strip().upper() == _ANY_TABLE:
        return True, ""
    if given is dict or _is_frame(given) or _origin(given) in (dict,):
        return True, ""
    columns = _columns_text(given)
    return (False, type_text(given)) if columns is None else (True, columns)


def result_columns(given: Any) -> str:
    """The columns of a table function's rows as a struct."""
    columns = _columns_text(given)
    if columns is None:
        raise _errors.usage(f"{given!r} has no columns: a table function returns {{'id': 'INTEGER', 'p': 'VARCHAR'}}, or 'TABLE (id INTEGER, p VARCHAR)'", "42804")
    return columns


def _origin(given: Any) -> Any:
    import typing

    return typing.get_origin(given)


def _is_frame(given: Any) -> bool:
    """Whether a class is one of those whose objects are tables of any columns."""
    return isinstance(given, type) and given.__module__.partition(".")[0] in ("pandas", "polars", "pyarrow") and given.__name__ in (
        "DataFrame", "LazyFrame", "Table", "RecordBatch", "RecordBatchReader"
    )


def _columns_text(given: Any) -> Optional[str]:
    """STRUCT(...) of the columns that a type of a table says; None for other types."""
    import collections.abc
    import typing

    if isinstance(given, str):
        text = given.strip()
        return "STRUCT" + text[5:].lstrip() if text[:5].upper() == "TABLE" and text[5:].lstrip().startswith("(") else None
    if isinstance(given, dict):
        columns = given
    elif _origin(given) in (list, collections.abc.Iterator, collections.abc.Iterable, collections.abc.Generator):
        inner = typing.get_args(given)[0]
        return _columns_text(inner) if not isinstance(inner, str) else None
    elif isinstance(given, type) and getattr(given, "__annotations__", None) and not _is_frame(given):
        columns = typing.get_type_hints(given)  # a TypedDict, NamedTuple or dataclass
    else:
        return None
    if not columns:
        return None
    return "STRUCT(" + ", ".join('"{}" {}'.format(str(name).replace('"', '""'), type_text(each)) for name, each in columns.items()) + ")"


# --- Calling


class TableCaller(Caller):
    """What the engine calls for a table function: start() begins a run."""

    __slots__ = ("names", "tables", "columns", "kind", "streams", "batch_rows")

    def __init__(
        self, name: str, function: Callable[..., Any], kind: Kind, names: Sequence[str], tables: Sequence[str] = (), columns: Sequence[str] = (),
        streams: bool = False, batch_rows: int = 0,
    ) -> None:
        super().__init__(name, function, False)
        self.names = list(names)
        self.kind = kind
        self.streams = streams
        self.batch_rows = batch_rows
        self.describe(list(tables), list(columns))

    def describe(self, tables: list[str], columns: list[str]) -> None:
        """Says which parameters are tables, and what the columns of the result are called."""
        self.tables = frozenset(tables)
        self.columns = columns

    def start(self, values: Any, given: Optional[list[str]], rows: Any) -> Run:
        return Run(self, self._steps(values, given, rows))

    def _steps(self, values: Any, given: Optional[list[str]], rows: Any) -> Iterator[Any]:
        row = values.fetchone() if self.names else ()
        arguments: list[Any] = []
        whole = None
        for name, value in zip(self.names, row):
            if name in self.tables:
                arguments.append(self._batches(rows) if self.streams else _table_in(self.kind, rows.all()))
            elif given is not None and not self.tables and name in given:
                if whole is None:
                    whole = rows.all()
                arguments.append(_column_in(self.kind, whole, given.index(name)))
            else:
                arguments.append(value)
        made = self._function(*arguments)
        yield from _parts_of(self, made)

    def _batches(self, rows: Any) -> Iterator[Any]:
        """The rows of a query as they come."""
        while True:
            batch = rows.next(self.batch_rows or 65536)
            if len(batch) == 0:
                return
            yield _table_in(self.kind, batch)


class Run:
    """One run of a function."""

    __slots__ = ("_caller", "_steps")

    def __init__(self, caller: TableCaller, steps: Iterator[Any]) -> None:
        self._caller = caller
        self._steps = steps

    def step(self) -> Any:
        """(row_count, results of the columns) of the next rows; None at the end."""
        return next(self._steps, None)


def _table_in(kind: Kind, rows: Any) -> Any:
    """A result as an argument."""
    if kind == "arrow":
        return rows.to_arrow_table()
    if kind == "pandas":
        return rows.df()
    if kind == "native":
        return rows.fetchall()
    return {name: _array(rows, number) for number, name in enumerate(rows.columns)}


def _column_in(kind: Kind, rows: Any, number: int) -> Any:
    if kind == "arrow":
        return _whole(rows.to_arrow_table().column(number))
    if kind == "pandas":
        return rows.df().iloc[:, number]
    if kind == "native":
        return rows._objects(number).tolist()
    return _array(rows, number)


# --- Returning


def _parts_of(caller: TableCaller, made: Any) -> Iterator[Any]:
    """What a function has returned, part by part."""
    if made is None:
        return
    if hasattr(made, "__next__") and not hasattr(made, "__arrow_c_stream__"):
        yield from _parts_of_generator(caller, made)
        return
    if hasattr(made, "__arrow_c_stream__") and not _is_pandas(made):
        import pyarrow

        reader = made if isinstance(made, pyarrow.RecordBatchReader) else pyarrow.RecordBatchReader.from_stream(made)
        for batch in reader:
            yield _part_of_columns(caller, dict(zip(batch.schema.names, batch.columns)), batch.num_rows)
        return
    yield _part_of(caller, made)


def _parts_of_generator(caller: TableCaller, made: Iterator[Any]) -> Iterator[Any]:
    """Tuples are rows, which go on together; anything else is a part."""
    rows: list[tuple[Any, ...]] = []
    wanted = _FIRST_TUPLES
    try:
        for item in made:
            if isinstance(item, tuple):
                rows.append(item)
                if len(rows) < wanted:
                    continue
                wanted = min(4 * wanted, _MOST_TUPLES)
            if rows:
                yield _part_of_rows(caller, rows)
                rows = []
            if not isinstance(item, tuple):
                yield from _parts_of(caller, item)
        if rows:
            yield _part_of_rows(caller, rows)
    finally:
        close = getattr(made, "close", None)
        if close is not None:
            close()


def _is_pandas(made: Any) -> bool:
    pandas = imported_pandas()
    return pandas is not None and isinstance(made, (pandas.DataFrame, pandas.Series))


def _part_of(caller: TableCaller, made: Any) -> Any:
    import sys

    numpy = sys.modules.get("numpy")
    if isinstance(made, dict):
        return _part_of_columns(caller, made, None)
    if _is_pandas(made) and hasattr(made, "columns"):
        return _part_of_columns(caller, {str(name): made.iloc[:, number] for number, name in enumerate(made.columns)}, len(made))
    if isinstance(made, list):
        return _part_of_rows(caller, made)
    if len(caller.columns) == 1 and (_is_pandas(made) or hasattr(made, "__arrow_c_array__") or (numpy is not None and isinstance(made, numpy.ndarray))):
        return _part_of_columns(caller, {caller.columns[0]: made}, len(made))
    raise TypeError(
        f"a table function returns a dict of columns, a list of rows, a data frame, an Arrow table, or a generator of them, not {type(made).__name__}"
    )


def _part_of_rows(caller: TableCaller, rows: Sequence[Any]) -> Any:
    """Rows that are tuples or lists in the order of the columns, or dicts."""
    columns = caller.columns
    if rows and isinstance(rows[0], dict):
        wanted = set(columns)
        for row in rows:
            if not isinstance(row, dict) or set(row) != wanted:
                raise ValueError(_misfit(caller, row if isinstance(row, dict) else ()))
        return _part_of_columns(caller, {name: [row[name] for row in rows] for name in columns}, len(rows))
    for row in rows:
        if not isinstance(row, (tuple, list)):
            raise TypeError(f"a row is a tuple or a dict, not {type(row).__name__}: {row!r}"[:200])
        if len(row) != len(columns):
            raise ValueError(f"a row has {len(row)} values, but the result has the columns {', '.join(columns)}: {row!r}"[:200])
    lists = [list(column) for column in zip(*rows)] if rows else [[] for _ in columns]
    return _part_of_columns(caller, dict(zip(columns, lists)), len(rows))


def _misfit(caller: TableCaller, names: Any) -> str:
    return f"the result has the columns {', '.join(map(str, names))}, but {', '.join(caller.columns)} are wanted"


def _part_of_columns(caller: TableCaller, made: dict[Any, Any], row_count: Optional[int]) -> Any:
    """(row_count, results) of columns by name. A single value is that of all rows."""
    by_name = {str(name): values for name, values in made.items()}
    if set(by_name) != set(caller.columns):
        folded = {name.lower(): values for name, values in by_name.items()}
        if set(folded) != set(caller.columns):
            raise ValueError(_misfit(caller, made))
        by_name = folded
    columns = [by_name[name] for name in caller.columns]
    if row_count is None:
        lengths = {name: len(values) for name, values in zip(caller.columns, columns) if _is_column(values)}
        if len(set(lengths.values())) > 1:
            raise ValueError("the columns of the result have several lengths: " + ", ".join(f"{name} {length}" for name, length in lengths.items()))
        row_count = next(iter(lengths.values()), 1)
    results = [_result(list(values) if isinstance(values, (tuple, range)) else values, row_count) for values in columns]
    return row_count, results


def _is_column(values: Any) -> bool:
    if isinstance(values, (str, bytes, bytearray, memoryview, dict)):
        return False
    return hasattr(values, "__len__") and getattr(values, "ndim", 1) != 0
