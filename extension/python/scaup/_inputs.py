"""Objects of Python as tables: what each kind of them gives as Arrow arrays, and by which name it is found."""

import contextlib
import functools
import itertools
import operator
import sys

from . import _converted, _errors, _sql_text
from ._converted import NoRows
from ._relation import Relation
from ._scaup import Connection, HeldStream, Result


def _module(name):
    """A package that the program has imported; None where it has not: then no object is of its types."""
    return sys.modules.get(name)


def _select(table, columns):
    return table.select(list(columns)) if columns else table


class _Filtered:
    """What opens a table that can leave out rows early: read(columns, filters), with (column, test, value) of each filter.

    A statement tests its filters itself. So where the table's package cannot compare such values, all rows are read."""

    takes_filters = True

    def __init__(self, read):
        self._read = read

    def __call__(self, columns, filters=()):
        if filters:
            try:
                return self._read(columns, filters)
            except Exception:  # pylint: disable=broad-exception-caught  # If it is not about the filters, it comes again.
                pass
        return self._read(columns, ())


_TESTS = {"=": operator.eq, "<>": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}


def _condition(filters, field, are_null, are_not_null):
    """All filters as one expression of a package, whose columns are field(name)."""
    tests = _TESTS | {"is null": lambda column, _: are_null(column), "is not null": lambda column, _: are_not_null(column)}
    return functools.reduce(operator.and_, (tests[test](field(column), value) for column, test, value in filters))


def _of_polars(frame):
    polars = _module("polars")
    if isinstance(frame, polars.Series):
        frame = frame.to_frame()
    if not isinstance(frame, polars.LazyFrame):
        return lambda columns: _select(frame, columns)

    def read(columns, filters):
        rows = frame.filter(_condition(filters, polars.col, lambda c: c.is_null(), lambda c: c.is_not_null())) if filters else frame
        return _select(rows, columns).collect()

    return _Filtered(read)


def _of_dataset(data):
    from pyarrow import compute

    def read(columns, filters):
        condition = _condition(filters, compute.field, lambda c: c.is_null(), lambda c: c.is_valid()) if filters else None
        return data.scanner(columns=list(columns) or None, filter=condition).to_reader()

    return _Filtered(read)


def _of_pyarrow(data):
    pyarrow = _module("pyarrow")
    if isinstance(data, pyarrow.RecordBatch):
        data = pyarrow.Table.from_batches([data])
    if isinstance(data, pyarrow.Table):
        return lambda columns: _select(data, columns)
    dataset = _module("pyarrow.dataset")
    if dataset is not None and isinstance(data, dataset.Dataset):
        return _of_dataset(data)
    return None


def _of_pandas(frame):
    return _converted.Columns(lambda: _converted.columns_of_frame(frame))


def _of_arrays(arrays):
    """A dict of columns: arrays of NumPy, lists, or other sequences of one length."""
    return _converted.Columns(lambda: [(name, lambda values=values: values, False) for name, values in _by_text(arrays).items()])


def _by_text(arrays):
    return {str(name): values for name, values in arrays.items()}


def opener_of(data):
    """(open, once) of an object that is a table, or None. open(columns) gives an object with __arrow_c_stream__ that has
    these columns at least, all where there are none; once: it can be called a single time."""
    pandas, polars, pyarrow, numpy = (_module(name) for name in ("pandas", "polars", "pyarrow", "numpy"))
    if pandas is not None and isinstance(data, pandas.DataFrame):
        return _of_pandas(data), False
    if pandas is not None and isinstance(data, pandas.Series):
        return _of_pandas(data.to_frame(data.name if data.name is not None else "column0")), False
    if polars is not None and isinstance(data, (polars.DataFrame, polars.LazyFrame, polars.Series)):
        return _of_polars(data), False
    if pyarrow is not None:
        known = _of_pyarrow(data)
        if known is not None:
            return known, False
    if numpy is not None and isinstance(data, numpy.ndarray):
        columns = [data] if data.ndim == 1 else list(data)
        return _of_arrays({f"column{i}": column for i, column in enumerate(columns)}), False
    if isinstance(data, dict) and data and all(hasattr(values, "__len__") for values in data.values()):
        return _of_arrays(data), False
    if isinstance(data, list) and data and all(isinstance(row, dict) for row in data):
        return _converted.Rows(data), False
    if isinstance(data, (Relation, Result)):
        return (lambda columns: data), False
    if hasattr(data, "__arrow_c_stream__") and not isinstance(data, type):
        return _Stream(data), True
    return None


class _Stream:
    """What opens an object whose stream can perhaps be read once. To tell the type of its rows, the stream is opened and held."""

    def __init__(self, data):
        self._data = data
        self._held = None
        self._is_read = False

    def __call__(self, columns):
        held, self._held = self._held, None
        pyarrow = _module("pyarrow")
        if self._is_read and pyarrow is not None and isinstance(self._data, pyarrow.RecordBatchReader):
            # It would have no rows, as if there had never been any.
            raise _errors.usage("a reader can be read once, and this relation has read it", "55000")
        self._is_read = True
        return self._data if held is None else held

    def described(self, columns):
        if self._held is None:
            self._held = HeldStream(self._data)
        return NoRows(self._held)


def _names_of(frame, all_frames):
    """The variables that a name may mean: those of the caller, not of this package; with `all_frames` then those of its callers."""
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "scaup":
        frame = frame.f_back
    while frame is not None:
        yield frame.f_locals
        yield frame.f_globals
        frame = frame.f_back if all_frames else None


_own_tables: dict = {}  # (open, once) of the tables of statements of this package, by names that are like no other
_own_numbers = itertools.count(1)


@contextlib.contextmanager
def own_table(open_table, is_once=False):
    """A name by which statements of this package find a table, while it is entered."""
    name = f"own table {next(_own_numbers)}"
    _own_tables[name] = (open_table, is_once)
    try:
        yield name
    finally:
        del _own_tables[name]


def find_table(name, frame, all_frames, known, is_description):
    """opener_of() the object that a name of SQL means to whoever runs the statement; None where there is none.

    `known` are the tables of a relation, which mean the same whenever it runs; one that is found is put there. None: it is a
    statement by itself. `is_description`: rows are not asked for."""
    if name in _own_tables:
        return _own_tables[name]
    found = None if known is None else known.get(name)
    if found is None:
        found = _find_variable(name, frame, all_frames)
        if found is not None and known is not None:
            known[name] = found
    if found is not None and is_description and hasattr(found[0], "described"):
        return found[0].described, False
    return found


def _find_variable(name, frame, all_frames):
    """The case of names does not count, as SQL folds it; a name that is right to the letter comes first."""
    for names in _names_of(frame, all_frames):
        matches = [key for key in names if key.lower() == name.lower()]
        for key in sorted(matches, key=lambda key: key != name):
            found = opener_of(names[key])
            if found is not None:
                return found
    return None


def register(self, name, data):
    """Makes an object a table of this connection, under a name: a pandas, Polars or Arrow table, a dict of arrays or
    lists, a list of dicts, or anything with __arrow_c_stream__. The object is read when statements read the table,
    so that later changes of it are seen; one that can be read once is read by the first statement. Tables of the
    database come first where they have the same name. Returns the connection."""
    found = opener_of(data)
    if found is None:
        raise _errors.not_supported(
            f"an object of type {type(data).__name__} is no table: pass a data frame, an Arrow table, a dict of arrays, "
            "or an object with __arrow_c_stream__"
        )
    if hasattr(found[0], "keeps"):
        found[0].keeps = False  # The types are learnt now, the rows read by later statements.
    self._register(name, found[0], found[1])
    return self


def unregister(self, name):
    """Forgets a table that was registered; nothing happens where none was. Returns the connection."""
    self._unregister(name)
    return self


_numbers = itertools.count(1)


def from_table(self, data):
    """The relation of an object that register() takes: from_df(frame), from_arrow(table). It is registered under the
    relation's alias, until unregister() or the connection's end."""
    name = f"object_{next(_numbers)}"
    register(self, name, data)
    return self.sql(f"SELECT * FROM {name}", name)


def _values_of(column):
    """The values of a column as what parameters may be; missing ones of pandas are None."""
    pandas, polars, pyarrow, numpy = (_module(name) for name in ("pandas", "polars", "pyarrow", "numpy"))
    if pandas is not None and isinstance(column, (pandas.Series, pandas.Index)):
        return [None if is_missing else value for value, is_missing in zip(column.tolist(), column.isna())]
    if polars is not None and isinstance(column, polars.Series):
        return column.to_list()
    if pyarrow is not None and isinstance(column, (pyarrow.Array, pyarrow.ChunkedArray)):
        return column.to_pylist()
    if numpy is not None and isinstance(column, numpy.ndarray) and column.dtype.kind not in "mM":
        return column.tolist()  # of nanoseconds it would make integers
    return list(column)


def columns_of(data):
    """(name, column) of each column; None where the object is no table of columns."""
    pandas, polars, pyarrow = (_module(name) for name in ("pandas", "polars", "pyarrow"))
    if isinstance(data, dict):
        return list(data.items())
    if pandas is not None and isinstance(data, pandas.DataFrame):
        return [(name, data.iloc[:, number]) for number, name in enumerate(data.columns)]
    if polars is not None and isinstance(data, polars.DataFrame):
        return [(column.name, column) for column in data.get_columns()]
    if pyarrow is not None and isinstance(data, (pyarrow.Table, pyarrow.RecordBatch)):
        return list(zip(data.schema.names, data.columns))
    return None


def parameter_rows(data, sql):
    """What executemany() is given, as an iterable of rows. Of a frame, a table or a dict of columns they are tuples in the order of
    the columns, or dicts where the statement has names for parameters."""
    columns = columns_of(data)
    if columns is None:
        return data
    values = [_values_of(column) for _, column in columns]
    if len({len(column) for column in values}) > 1:
        raise _errors.usage("the columns of parameters must have one length", "07001")
    rows = zip(*values)
    names = _sql_text.names_of(sql)
    if not names:
        return rows
    wanted = [str(name) for name, _ in columns]
    return (dict(zip(wanted, row)) for row in rows)


def attach():
    """Gives the classes of the extension the methods that are written here."""
    for name, method in {
        "register": register, "unregister": unregister, "from_df": from_table, "from_arrow": from_table,
    }.items():
        setattr(Connection, name, method)
