"""create_function(): functions of Python that SQL can call, with whole columns at once."""

from __future__ import annotations

from . import _errors
from ._constants import arrow_values, explain_constants, numpy_values, pandas_values, placed, plain_values
from ._scaup import Connection, _texts, _texts_of_strings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Literal, Optional, Sequence

    Kind = Literal["numpy", "arrow", "pandas", "native"]
    Sort = Literal["scalar", "aggregate", "table"]
    Handling = Literal["default", "special"]
    Failing = Literal["default", "return_null"]

_KINDS = ("numpy", "arrow", "pandas", "native")
_SORTS = ("scalar", "aggregate", "table")
_NAMES_OF_GROUPS = frozenset(("aggr_group", "group_offsets", "n_groups"))  # arguments that describe the groups of an aggregate
_PLAIN = frozenset(("?", "b", "h", "i", "l", "q", "f", "d"))  # of NumPy's types, those whose arrays the engine reads as they are


def create_function(
    self: Connection, name: str, function: Callable[..., Any], parameters: Optional[Sequence[Any]] = None, return_type: Any = None, *,
    kind: Sort = "scalar", type: Kind = "numpy", null_handling: Handling = "default", exception_handling: Failing = "default", side_effects: bool = False,
    batch_rows: Optional[int] = None, streaming: bool = False, persist: bool = False,
) -> Connection:
    """Lets statements of this connection call a function of Python: create_function("f", f, ["BIGINT"], "DOUBLE"). Returns the connection.

    The function gets whole columns, up to 65,536 rows at once, and gives a value for each row. `type` is how they are passed: "numpy": read-only
    arrays, without a copy of numbers, dates and times; texts are arrays of StringDType (of objects before NumPy 2); "arrow": pyarrow arrays;
    "pandas": series; "native": one row at a time, as Python's own values. An argument that is a constant in a call (a literal, a parameter, a subquery
    that reads no column outside of it) comes as a single value instead; if all are, the first one is an array all the same.

    `parameters` and `return_type` are SQL types, or Python's (int, float, str, bool, bytes, date, datetime, time, timedelta, UUID, list[int]); without
    them the annotations of the function say the types, also those of arrays, NDArray[numpy.float64]. With a parameter ... after a type, calls may have any number of arguments of that type.
    `null_handling`: "default": a row with a NULL argument gives NULL, and the function does not see it; "special": it does, as a masked element, None or
    NA. `exception_handling`: "return_null": a call that raises gives NULL for its rows. `side_effects`: a call is made for each row that needs one; without
    it, calls with the same arguments may be made once. `batch_rows`: the most rows of a call. `persist`: the source is stored in the database, where it
    is a function as of CREATE FUNCTION ... LANGUAGE PYTHON MAP: it needs all it uses within itself, and stored_functions = 'on' to be called.

    `kind="aggregate"`: one value for each group. The function is of one of three forms. With a parameter aggr_group, group_offsets or n_groups, it gets many
    whole groups in one call, one after the other: group_offsets has the first row of each, aggr_group the number of each row's group, 0 to n_groups - 1; it
    returns n_groups values. A class has methods accumulate, merge and finish, which get such calls: accumulate returns a tuple of state columns, one value
    for each group, merge makes one state of several, finish makes results of states; `state` is a list of the columns' types. Any other function gets one
    group at a time and returns a value. A group without rows gives NULL without a call. `batch_rows`: the most rows of a call with several groups.

    `kind="table"`: rows, for FROM. A parameter may be a table: {"id": "INTEGER", "v": "DOUBLE"}, "TABLE (id INTEGER, v DOUBLE)", or dict or "TABLE" for any
    columns. SELECT * FROM f((SELECT ...), 3) gives it the rows of a query, as a dict of arrays, a pyarrow Table, a DataFrame or, native, a list of tuples.
    With f(TABLE t PARTITION BY k ORDER BY x) there is a call for each k. Rows may also be given for several plain parameters, a column for each.
    `return_type`: the columns, likewise. The function returns a dict of columns, where a single value is that of all rows, a list of tuples or dicts, a
    DataFrame, an Arrow table, anything with __arrow_c_stream__, None, or it is a generator of these, or of tuples, whose rows go on as they are made.
    `batch_rows`: a call gets at most so many rows, and several calls go on at once. `streaming`: the table is an iterator of such batches, as they come.

    A result of another type is converted if the values fit. Exceptions end the statement with OperationalError 38000, whose __cause__ they are. Calls may
    come from any thread, one at a time as far as Python allows. The function must not use this connection:
    scaup.calling_statement queries within the statement, and duplicate() gives another connection.
    A function with the same name and parameters is replaced. Raises ProgrammingError 42723 for the name of a built-in function."""
    if not callable(function) and not (kind == "aggregate" and hasattr(function, "accumulate")):
        raise _errors.usage(f"a function of Python is needed, not {function!r}", "42804")
    if type not in _KINDS:
        raise _errors.usage(f"type must be one of {', '.join(_KINDS)}, not {type!r}", "22023")
    if kind not in _SORTS:
        raise _errors.usage(f"kind must be one of {', '.join(_SORTS)}, not {kind!r}", "22023")
    if null_handling not in ("default", "special") or exception_handling not in ("default", "return_null"):
        raise _errors.usage("null_handling is 'default' or 'special', exception_handling 'default' or 'return_null'", "22023")
    if streaming and kind != "table":
        raise _errors.usage("streaming is for kind='table'", "22023")
    if parameters is None or return_type is None:
        annotated, annotated_result = _annotated(function, parameters is None, return_type is None, kind)
        parameters = annotated if parameters is None else parameters
        return_type = annotated_result if return_type is None else return_type
    types = list(parameters)
    is_variadic = len(types) > 1 and types[-1] is ...
    if is_variadic:
        types.pop()
    if batch_rows is not None and batch_rows < 1:
        raise _errors.usage(f"batch_rows is a number of rows, 1 or more, not {batch_rows!r}", "22023")
    if kind == "aggregate" and (is_variadic or side_effects):
        raise _errors.usage("an aggregate has a fixed number of parameters, and no side effects", "22023")
    if kind == "table":
        _create_table_function(self, name, function, types, return_type, type, batch_rows, streaming, persist, exception_handling)
        return self
    if persist:
        if type != "numpy" or is_variadic or exception_handling != "default":
            raise _errors.usage("a function that is stored has type='numpy', a fixed number of parameters, and exceptions that end the statement", "22023")
        from ._stored import statement_of

        texts = [type_text(each) for each in types]
        self.execute(statement_of(name, function, texts, type_text(return_type), null_handling == "special", side_effects, batch_rows, kind))
        return self
    connection: Any = self
    if kind == "aggregate":
        from ._grouped import caller_of

        grouped = caller_of(name, function, type, exception_handling == "return_null")
        grouped.arrow_type = _arrow_type_of_maps(self, type_text(return_type))
        connection._create_aggregate(
            name, grouped, [type_text(each) for each in types], type_text(return_type), null_handling == "special", batch_rows or 0, getattr(grouped, "state", [])
        )
        return self
    caller = ScalarCaller(name, function, type, exception_handling == "return_null")
    caller.arrow_type = _arrow_type_of_maps(self, type_text(return_type))
    connection._create_function(
        name, caller, [type_text(each) for each in types], is_variadic, type_text(return_type), null_handling == "special", side_effects,
        batch_rows or 0,
    )
    return self


def _create_table_function(
    connection: Any, name: str, function: Callable[..., Any], types: list[Any], return_type: Any, kind: Kind, batch_rows: Optional[int], streaming: bool,
    persist: bool, exception_handling: Failing,
) -> None:
    import inspect

    from ._table_functions import TableCaller, argument_type, result_columns

    if exception_handling != "default":
        raise _errors.usage("an exception of a table function ends the statement: exception_handling is for functions that return values", "22023")
    arguments = [argument_type(each) for each in types]
    result = result_columns(return_type)
    try:
        names = [each.name for each in inspect.signature(function).parameters.values() if each.kind is not each.VAR_KEYWORD][: len(types)]
    except (TypeError, ValueError):
        names = [f"argument{number + 1}" for number in range(len(types))]
    if len(names) != len(types):
        raise _errors.usage(f"the function has {len(names)} parameters, not {len(types)}", "42804")
    if sum(is_table for is_table, _ in arguments) > 1:
        raise _errors.usage("a function takes the rows of one query: it has one parameter that is a table", "22023")
    if streaming and not any(is_table for is_table, _ in arguments):
        raise _errors.usage("streaming needs a parameter that is a table", "22023")
    if persist:
        from ._stored import table_statement_of

        if kind != "numpy" or streaming:
            raise _errors.usage("a function that is stored has type='numpy', and gets tables as dicts of arrays", "22023")
        connection.execute(table_statement_of(name, function, arguments, result, batch_rows))
        return
    caller = TableCaller(name, function, kind, names, streams=streaming, batch_rows=batch_rows or 0)
    takes_batches = batch_rows is not None and not streaming
    connection._create_table_function(
        name, caller, names, [text for _, text in arguments], [is_table for is_table, _ in arguments], result, takes_batches, batch_rows or 0
    )


def function(self: Connection, function: Any = None, /, *, name: Optional[str] = None, **options: Any) -> Any:
    """A decorator for create_function(), with its arguments as options: @con.function, or @con.function(name="f", return_type="DOUBLE")."""

    def create(defined: Callable[..., Any]) -> Callable[..., Any]:
        create_function(self, name or defined.__name__, defined, **options)
        return defined

    return create if function is None else create(function)


def remove_function(self: Connection, name: str) -> Connection:
    """Forgets the functions of this name that create_function() has made. Raises ProgrammingError 42883 where there is none."""
    connection: Any = self
    if not connection._remove_function(name):
        raise _errors.usage(f'there is no function "{name}" of Python', "42883")
    return self


# --- Types


def type_text(given: Any) -> str:
    """A type of SQL or Python, as SQL writes it."""
    import datetime
    import decimal
    import uuid

    if isinstance(given, str):
        return given
    plain = {
        int: "BIGINT", float: "DOUBLE", str: "VARCHAR", bool: "BOOLEAN", bytes: "BLOB", decimal.Decimal: "DECIMAL(38,10)", datetime.date: "DATE",
        datetime.datetime: "TIMESTAMP", datetime.time: "TIME", datetime.timedelta: "INTERVAL", uuid.UUID: "UUID",
    }
    text = plain.get(given)
    if text is None:
        text = _optional_text(given) or _list_text(given) or _numpy_text(given)
    if text is None:
        raise _errors.usage(f"{given!r} is no type of a function: write it in SQL, as 'BIGINT' or 'DECIMAL(10,2)'", "42804")
    return text


def _optional_text(given: Any) -> Optional[str]:
    import types
    import typing

    unions = (typing.Union, getattr(types, "UnionType", typing.Union))
    parts = [each for each in typing.get_args(given) if each is not types.NoneType]
    return type_text(parts[0]) if typing.get_origin(given) in unions and len(parts) == 1 else None


def _list_text(given: Any) -> Optional[str]:
    import typing

    parts = typing.get_args(given)
    return type_text(parts[0]) + "[]" if typing.get_origin(given) is list and len(parts) == 1 else None


def _numpy_text(given: Any) -> Optional[str]:
    import sys
    import typing

    numpy = sys.modules.get("numpy")
    if numpy is not None and typing.get_origin(given) is numpy.ndarray:  # NDArray[numpy.float64]
        kinds = [each for part in typing.get_args(given) for each in typing.get_args(part) if typing.get_origin(part) is numpy.dtype]
        return _numpy_text(kinds[0]) if kinds else None
    if numpy is None or not (isinstance(given, numpy.dtype) or (isinstance(given, type) and issubclass(given, numpy.generic))):
        return None
    names = {
        "bool": "BOOLEAN", "int8": "TINYINT", "int16": "SMALLINT", "int32": "INTEGER", "int64": "BIGINT", "float32": "REAL", "float64": "DOUBLE",
        "uint8": "UTINYINT", "uint16": "USMALLINT", "uint32": "UINTEGER", "uint64": "UBIGINT", "str": "VARCHAR",
    }
    return names.get(numpy.dtype(given).name)


def _annotated(function: Any, needs_parameters: bool, needs_result: bool, kind: Sort) -> tuple[list[Any], Any]:
    """The types that the annotations of a function say, or those of the methods of an aggregate's class."""
    import inspect
    import typing

    if kind == "aggregate" and hasattr(function, "accumulate") and hasattr(function, "finish"):
        made = function() if isinstance(function, type) else function
        types = _annotated(made.accumulate, True, False, kind)[0] if needs_parameters else []
        return types, _annotated(made.finish, False, True, kind)[1] if needs_result else None
    try:
        hints = typing.get_type_hints(function)
        signature = inspect.signature(function)
    except (TypeError, ValueError, NameError) as error:
        raise _errors.usage(f"the types of the function are not known ({error}): pass parameters and return_type", "42804") from None
    types = []
    for parameter in signature.parameters.values() if needs_parameters else ():
        if parameter.kind is parameter.VAR_KEYWORD or parameter.kind is parameter.KEYWORD_ONLY:
            continue
        if kind == "aggregate" and parameter.name in _NAMES_OF_GROUPS:
            continue
        if parameter.name not in hints:
            raise _errors.usage(f"parameter {parameter.name} has no annotation: pass parameters, such as ['BIGINT']", "42804")
        types.append(hints[parameter.name])
        if parameter.kind is parameter.VAR_POSITIONAL:
            types.append(...)
    if needs_result and hints.get("return") in (None, type(None)):
        raise _errors.usage("the function's result has no annotation: pass return_type, such as 'DOUBLE'", "42804")
    return types, hints.get("return")


# --- Calls


class Interrupted(BaseException):
    """Raised in the body of a function whose statement was interrupted."""


def repeat(again: Callable[[], bool]) -> None:
    """Calls `again` every few milliseconds, in a thread of its own, as long as it returns True."""
    import _thread
    import time

    def run() -> None:
        while again():
            time.sleep(0.005)

    _thread.start_new_thread(run, ())


def _import_early() -> None:
    """Imports what calls need, so that no call finds a module that another thread has imported by halves."""
    for name in ("numpy", "pyarrow"):
        try:
            __import__(name)
        except ImportError:
            pass


class Caller:
    """What the engine calls: gives columns to a function, and takes its result."""

    __slots__ = ("_name", "_function", "_returns_null", "_hint", "arrow_type")

    def __init__(self, name: str, function: Callable[..., Any], returns_null: bool) -> None:
        _import_early()
        self._name = name
        self._function = function
        self._returns_null = returns_null
        self._hint = ""  # what may explain a TypeError
        self.arrow_type: Any = None  # the type of results that Python's values do not tell: a dict is a struct or a map

    def message(self, error: BaseException) -> str:
        """What the error of a statement says: the exception, and the line of the function that raised it."""
        import linecache

        text = "".join((type(error).__name__, ": " if str(error) else "", str(error)))
        place = None
        trace = error.__traceback__
        while trace is not None:
            if trace.tb_frame.f_globals.get("__name__", "").partition(".")[0] != "scaup":
                place = trace
            elif place is not None:
                break
            trace = trace.tb_next
        is_misfit = isinstance(error, (AttributeError, TypeError))
        constants = getattr(error, "_scaup_hint", "")
        if place is None:
            return f"{text} in {self._name}(){constants or (self._hint if is_misfit else '')}"
        source = linecache.getline(place.tb_frame.f_code.co_filename, place.tb_lineno).strip()
        hint = constants or (self._hint if is_misfit and "ndarray" in str(error) else "")
        return f"{text} in {self._name}(), line {place.tb_lineno}{': ' + source if source else ''}{hint}"


class ScalarCaller(Caller):
    """What the engine calls for a scalar function, with many rows."""

    __slots__ = ("_call",)

    def __init__(self, name: str, function: Callable[..., Any], kind: Kind, returns_null: bool) -> None:
        super().__init__(name, function, returns_null)
        self._call = {"numpy": self._numpy, "arrow": self._arrow, "pandas": self._pandas, "native": self._native}[kind]
        if kind == "numpy":
            self._hint = " (it gets arrays: with type='native' it gets one row at a time)"

    def __call__(self, arguments: Any, row_count: int, constants: Any = None) -> Any:
        """(array, mask or None) of an array that the engine reads as it is, or an object with __arrow_c_array__; None: all rows are NULL.

        `constants`: None, or the arguments that are constants as a result of one row, and for each argument whether it is one."""
        try:
            return self._call(arguments, row_count, constants)
        except Exception as error:
            if self._returns_null:
                return None
            if constants is not None:
                explain_constants(error, constants[1])
            raise

    def _numpy(self, arguments: Any, row_count: int, constants: Any) -> Any:
        columns = [_array(arguments, number) for number in range(len(arguments.columns))]
        return _result(self._function(*_with_constants(columns, constants, numpy_values)), row_count, self.arrow_type)

    def _arrow(self, arguments: Any, row_count: int, constants: Any) -> Any:
        columns = _arrow_columns(arguments) if arguments.columns else []
        made = self._function(*_with_constants(columns, constants, arrow_values))
        if hasattr(made, "combine_chunks") and hasattr(made, "chunks"):
            made = _whole(made)
        return made if hasattr(made, "__arrow_c_array__") else _result(made, row_count, self.arrow_type)

    def _pandas(self, arguments: Any, row_count: int, constants: Any) -> Any:
        frame = arguments.df() if arguments.columns else None
        columns = [] if frame is None else [frame.iloc[:, number] for number in range(frame.shape[1])]
        return _result(self._function(*_with_constants(columns, constants, pandas_values)), row_count, self.arrow_type)

    def _native(self, arguments: Any, row_count: int, constants: Any) -> Any:
        import itertools

        function = self._function
        rows = arguments.fetchall() if arguments.columns else [()] * row_count
        if constants is not None:
            rows = list(zip(*_with_constants(list(zip(*rows)), constants, lambda given: [itertools.repeat(value) for value in plain_values(given)])))
        if not self._returns_null:
            return _of_objects([function(*row) for row in rows], self.arrow_type)
        made = []
        for row in rows:
            try:
                made.append(function(*row))
            except Exception:
                made.append(None)
        return _of_objects(made, self.arrow_type)


def _with_constants(columns: list[Any], constants: Any, values_of: Callable[[Any], list[Any]]) -> list[Any]:
    """All arguments in their order."""
    return columns if constants is None else placed(columns, values_of(constants[0]), constants[1])


def _arrow_columns(arguments: Any) -> list[Any]:
    table = arguments._storage_table()
    if any(arguments._kind(number) == "uuid" for number in range(table.num_columns)):
        table = arguments.to_arrow_table()  # there UUIDs have a type of their own
    return [_whole(column) for column in table.columns]


def _whole(column: Any) -> Any:
    """A chunked array as one array."""
    if column.num_chunks == 1:
        return column.chunk(0)
    whole = column.combine_chunks()
    return whole.combine_chunks() if hasattr(whole, "chunks") else whole


def _array(arguments: Any, number: int) -> Any:
    if arguments._kind(number) != "text":
        return arguments._column_array(number)
    import numpy

    string_type = getattr(getattr(numpy, "dtypes", None), "StringDType", None)
    return arguments._column_array(number) if string_type is None else arguments._strings(number, string_type())


def imported_pandas() -> Any:
    """pandas, if the program has imported it: None also while another thread imports it."""
    import sys

    pandas = sys.modules.get("pandas")
    return pandas if all(hasattr(pandas, name) for name in ("DataFrame", "Series", "Index")) else None


def _result(made: Any, row_count: int, arrow_type: Any = None) -> Any:
    """The result of a function as what the engine takes. `arrow_type` is that of Python's own values; None: they tell it."""
    import sys

    numpy = sys.modules.get("numpy")
    if numpy is not None and type(made) is numpy.ndarray and made.ndim == 1:
        return _of_array(numpy, made, None, arrow_type)
    pandas = imported_pandas()
    if pandas is not None and isinstance(made, (pandas.Series, pandas.Index)):
        return _of_series(pandas, made, arrow_type)
    if hasattr(made, "__arrow_c_array__"):
        return made
    if hasattr(made, "__arrow_c_stream__"):
        import pyarrow

        return _whole(pyarrow.chunked_array(made))
    if isinstance(made, (list, tuple)):
        return _of_objects(list(made), arrow_type)
    if numpy is None or not isinstance(made, (numpy.ndarray, numpy.generic)):
        return _of_objects([made] * row_count, arrow_type)
    if made.ndim == 0:
        made = numpy.broadcast_to(made, (row_count,))
    mask = None
    if isinstance(made, numpy.ma.MaskedArray):
        mask = numpy.ascontiguousarray(numpy.ma.getmaskarray(made))
        made = made.data
    return _of_array(numpy, made, mask, arrow_type)


def _arrow_type_of_maps(connection: Connection, text: str) -> Any:
    """The Arrow type of a type of SQL that has maps; None if it has none."""
    if "MAP" not in text.upper():
        return None
    arrow_type = connection.cursor().execute(f"SELECT CAST(NULL AS {text})").fetch_arrow_table().schema.field(0).type
    return arrow_type if "map<" in str(arrow_type) else None


def _of_array(numpy: Any, array: Any, mask: Any, arrow_type: Any = None) -> Any:
    if array.ndim != 1:
        raise ValueError(f"the result has {array.ndim} dimensions: it must be one value for each row")
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    if array.dtype.char in _PLAIN:
        return numpy.ascontiguousarray(array), mask
    # A missing string that is itself a text is not NULL, as it is in what tolist() gives.
    if array.dtype.kind == "T" and not isinstance(getattr(array.dtype, "na_object", None), str):
        texts = _texts_of_strings(array, mask)
        if texts is not None:
            return None if texts.null_count == len(texts) else texts
    if array.dtype.kind in "OTUS":
        values = array.tolist()
        if mask is not None:
            values = [None if is_null else value for value, is_null in zip(values, mask.tolist())]
        return _of_objects(values, arrow_type)
    import pyarrow

    if array.dtype.kind == "f":
        array = array.astype(numpy.float32 if array.dtype.itemsize == 2 else numpy.float64)
        return numpy.ascontiguousarray(array), mask
    return pyarrow.array(array, mask=mask)


def _of_series(pandas: Any, series: Any, arrow_type: Any = None) -> Any:
    import pyarrow

    numpy = __import__("numpy")
    if isinstance(series.dtype, numpy.dtype) and series.dtype.char in _PLAIN:
        return _of_array(numpy, series.to_numpy(), None)
    array = pyarrow.array(series, arrow_type, from_pandas=True)
    return _whole(array) if hasattr(array, "chunks") else array


def _is_text_for_arrow(value: Any) -> bool:
    """Whether Arrow has no type of its own for a value, or none that keeps its offset from UTC."""
    import datetime
    import uuid

    return isinstance(value, uuid.UUID) or (isinstance(value, datetime.time) and value.tzinfo is not None)


def _of_objects(values: list[Any], arrow_type: Any = None) -> Any:
    """Python's own values as an Arrow array, of the type that they tell themselves if `arrow_type` is None."""
    if all(value is None for value in values):
        return None
    texts = _texts(values, False)
    if texts is not None:
        return texts
    import pyarrow

    values = [str(value) if _is_text_for_arrow(value) else value for value in values]
    try:
        return pyarrow.array(values, arrow_type)
    except OverflowError:  # integers of more than 64 bits
        import decimal

        return pyarrow.array([decimal.Decimal(value) if isinstance(value, int) else value for value in values])


def attach() -> None:
    """Gives connections the methods."""
    connection: Any = Connection
    connection.create_function, connection.remove_function, connection.function = create_function, remove_function, function
