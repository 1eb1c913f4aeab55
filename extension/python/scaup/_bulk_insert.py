"""executemany() of columns as one statement: a plain INSERT ... VALUES of parameters becomes INSERT ... SELECT.

Only where the values become the same in both ways: the types that arrays have and those of the table's columns are pairs that are
known to agree. Everything else, and what fails as one statement, runs row by row."""

import contextlib
import datetime
import sys

from . import _errors, _inputs, _sql_text
from ._scaup import Cursor, DataError, Error, IntegrityError, NotSupportedError, ProgrammingError

_LEAST_ROWS = 100  # for fewer it is not worth to ask for the table's types
_INTEGERS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT")
_NUMBERS = (*_INTEGERS, "HUGEINT", "REAL", "DOUBLE", "DOUBLE PRECISION", "DECIMAL")
_FLOATS = ("REAL", "DOUBLE", "DOUBLE PRECISION")
# For each type of Arrow those of SQL that a value gets in the same way as a parameter does.
_ASSIGNED = {
    "int8": _NUMBERS, "int16": _NUMBERS, "int32": _NUMBERS, "int64": _NUMBERS, "uint8": _NUMBERS, "uint16": _NUMBERS, "uint32": _NUMBERS,
    "uint64": _NUMBERS,
    "float": _FLOATS, "double": _FLOATS, "bool": ("BOOLEAN",), "date32[day]": ("DATE",),
    "string": ("VARCHAR",), "large_string": ("VARCHAR",), "string_view": ("VARCHAR",),
    "timestamp[s]": ("TIMESTAMP",), "timestamp[ms]": ("TIMESTAMP",), "timestamp[us]": ("TIMESTAMP",),
}
# A text is read as a literal is, which only a cast asks for.
_CAST = (*_INTEGERS, "REAL", "DOUBLE", "DOUBLE PRECISION", "DECIMAL", "DATE", "TIMESTAMP", "UUID")
_ELEMENTS = ({int}, {float}, {str}, {bool}, {datetime.date}, {datetime.datetime})  # of lists, with or without None
_run_rows = Cursor.executemany


class _Insert:
    """What a plain INSERT consists of."""

    def __init__(self, sql):
        found = [(kind, begin, end) for kind, begin, end in _sql_text.tokens(sql) if kind != _sql_text.SPACE]
        self._sql, self._found, self._next = sql, found, 0
        self.columns, self.parameters = [], []
        self.is_plain = self._read()

    def _text(self):
        if self._next == len(self._found):
            return ""
        _, begin, end = self._found[self._next]
        return self._sql[begin:end]

    def _take(self, word):
        if self._text().lower() != word:
            return False
        self._next += 1
        return True

    def _name(self):
        text = self._text()
        if not text or not (self._found[self._next][0] == _sql_text.WORD or text[0] == '"'):
            return None
        self._next += 1
        return text

    def _list(self, read):
        """What is in brackets; None where it is something else."""
        parts = []
        if not self._take("("):
            return None
        while True:
            part = read()
            if part is None:
                return None
            parts.append(part)
            if self._take(")"):
                return parts
            if not self._take(","):
                return None

    def _parameter(self):
        text = self._text()
        kind = self._found[self._next][0] if text else None
        if text != "?" and kind not in (_sql_text.NUMBERED, _sql_text.NAMED, _sql_text.COLON, _sql_text.PYFORMAT):
            return None
        self._next += 1
        return text

    def _read(self):
        if not (self._take("insert") and self._take("into")) or self._next == len(self._found):
            return False
        begin = self._found[self._next][1]
        if self._name() is None or (self._take(".") and self._name() is None):
            return False
        self.table_begin, table_end = begin, self._found[self._next - 1][2]
        self.table = self._sql[begin:table_end]
        if self._text() == "(":
            self.columns = self._list(self._name)
        if self.columns is None or not self._take("values"):
            return False
        self.head = self._sql[: self._found[self._next - 1][1]]
        self.parameters = self._list(self._parameter)
        self._take(";")
        if "%" in self.head:
            return False  # Where parameters are written %(name)s it is written twice in names.
        return self.parameters is not None and self._next == len(self._found)

    def places(self, names):
        """For each value the number of the column with these names that it comes from; None where they do not go together."""
        parameters = self.parameters
        if all(text == "?" for text in parameters):
            places = list(range(len(parameters)))
        elif all(text[0] == "$" and text[1:].isdigit() for text in parameters):
            places = [int(text[1:]) - 1 for text in parameters]
        elif any(text == "?" or text[1].isdigit() for text in parameters) or len(set(names)) < len(names):
            return None
        else:
            wanted = [text[2:-2] if text[0] == "%" else text[1:] for text in parameters]
            if not set(wanted) <= set(names):
                return None
            places = [names.index(name) for name in wanted]
        return places if set(places) == set(range(len(names))) else None


def executemany(self, sql, parameters):
    """Prepares a statement and runs it once for each of the sequences, or each of the mappings, of values.

    parameters may also be a data frame, an Arrow table or a dict of columns: each row has the values then."""
    statement = None
    if not isinstance(parameters, (list, tuple)) and isinstance(sql, str):
        statement = _statement_of(self, sql, parameters)
    if statement is None:
        return _run_rows(self, sql, parameters)
    try:
        with statement.parameters() as parameters_of_all:
            return _run_rows(self, sql, parameters_of_all)
    except (DataError, IntegrityError, NotSupportedError, ProgrammingError) as error:
        failure = error
    try:
        return _run_rows(self, sql, parameters)  # The rows before the one that fails stay, and the error is about it.
    except Error as error:
        if error.sqlstate != "25P02":
            raise
    # In a transaction, which has ended with the first failure.
    _errors.place(failure, sql, min(failure.position or 0, len(statement.head)))
    raise failure


def _statement_of(cursor, sql, data):
    columns = _inputs.columns_of(data)
    if not columns or not all(hasattr(column, "__len__") for _, column in columns):
        return None
    row_count = len(columns[0][1])
    if row_count < _LEAST_ROWS or any(len(column) != row_count for _, column in columns):
        return None
    insert = _Insert(sql)
    places = insert.places([str(name) for name, _ in columns]) if insert.is_plain else None
    arrays = None if places is None else _arrays_of([column for _, column in columns])
    types = None if arrays is None else _types_of(cursor, sql, insert)
    if types is None or len(types) < len(places):
        return None
    expressions = []
    for place, type_name in zip(places, types):
        name, array = f"c{place}", arrays[place]
        base = type_name.partition("(")[0]
        assigned = _ASSIGNED.get(str(array.type), ())
        if base in assigned:
            expressions.append(name)
        elif "VARCHAR" in assigned and base in _CAST:
            expressions.append(f"CAST({name} AS {type_name})")
        else:
            return None
    return _Statement(insert.head, expressions, arrays)


def _types_of(cursor, sql, insert):
    """The types of the columns that get values; None where the table is no table with fixed ones."""
    try:
        described = cursor._run_sql(f"DESCRIBE {insert.table}", None, {}, True)
    except Error as error:
        _errors.place(error, sql, (error.position or 0) - len("DESCRIBE ") + insert.table_begin)
        raise
    if len(described.columns) != 4:
        return None  # Of a collection.
    types = {row[0]: row[1] for row in described.fetchall()}
    if not insert.columns:
        return list(types.values())
    names = [text[1:-1].replace('""', '"') if text[0] == '"' else text.lower() for text in insert.columns]
    return [types[name] for name in names] if set(names) <= set(types) else None


class _Statement:
    """INSERT ... SELECT from arrays."""

    def __init__(self, head, expressions, arrays):
        self.head, self._expressions, self._arrays = head, expressions, arrays

    @contextlib.contextmanager
    def parameters(self):
        """What executemany takes for it, while its arrays are a table."""
        import pyarrow

        table = pyarrow.table({f"c{i}": array for i, array in enumerate(self._arrays)})
        with _inputs.own_table(lambda names: table.select(list(names)) if names else table) as name:
            yield [_sql_text.Whole(f"{self.head}SELECT {', '.join(self._expressions)} FROM {_sql_text.quote_name(name)}")]


def _arrays_of(columns):
    """The columns as arrays of pyarrow; None where values of one of them might be others as parameters."""
    try:
        import pyarrow
    except ImportError:
        return None
    arrays = []
    for column in columns:
        try:
            array = _array_of(pyarrow, column)
        except Exception:  # pylint: disable=broad-exception-caught  # Row by row it is said which value it is.
            return None
        if array is None or str(array.type) not in _ASSIGNED:
            return None
        arrays.append(array)
    return arrays


def _array_of(pyarrow, column):
    pandas, polars, numpy = (sys.modules.get(name) for name in ("pandas", "polars", "numpy"))
    if isinstance(column, (pyarrow.Array, pyarrow.ChunkedArray)):
        return column
    if polars is not None and isinstance(column, polars.Series):
        return column.to_arrow()
    if pandas is not None and isinstance(column, pandas.Series):
        dtype = column.dtype
        if dtype == object:
            return pyarrow.array(column, from_pandas=True) if set(map(type, column[column.notna()])) == {str} else None
        is_plain = dtype.kind in "biufM" if isinstance(dtype, numpy.dtype) else isinstance(dtype, pandas.StringDtype)
        return pyarrow.array(column, from_pandas=True) if is_plain else None
    if numpy is not None and type(column) is numpy.ndarray and column.ndim == 1:
        if column.dtype.kind in "biufMU":
            return pyarrow.array(column)
        if column.dtype.kind == "O":
            column = column.tolist()
    if isinstance(column, (list, tuple)):
        kinds = set(map(type, column)) - {type(None)}
        if kinds == {datetime.datetime} and any(value is not None and value.tzinfo is not None for value in column):
            return None  # Moments are no TIMESTAMP, and some may be none.
        return pyarrow.array(column) if kinds in _ELEMENTS else None
    return None


def attach():
    """Puts it into the place of the method that runs row by row."""
    Cursor.executemany = executemany
