"""Objects of Python as tables: what each kind of them gives as Arrow arrays, and by which name it is found."""

import itertools
import sys

from ._scaup import Connection, NotSupportedError


def _module(name):
    """A package that the program has imported; None where it has not: then no object is of its types."""
    return sys.modules.get(name)


def _select(table, columns):
    return table.select(list(columns)) if columns else table


def _pyarrow_table(make):
    """Frames whose package knows no Arrow become a table of pyarrow each time they are read."""
    import pyarrow

    return lambda columns: _select(make(pyarrow), columns)


def _of_pandas(frame):
    def opened(columns):
        import pyarrow

        part = frame[list(columns)] if columns and frame.columns.is_unique else frame
        return pyarrow.Table.from_pandas(part, preserve_index=False)

    return opened


def _of_polars(frame):
    polars = _module("polars")
    if isinstance(frame, polars.Series):
        frame = frame.to_frame()
    if isinstance(frame, polars.LazyFrame):
        return lambda columns: _select(frame, columns).collect()
    return lambda columns: _select(frame, columns)


def _of_pyarrow(data):
    pyarrow = _module("pyarrow")
    if isinstance(data, pyarrow.RecordBatch):
        data = pyarrow.Table.from_batches([data])
    if isinstance(data, pyarrow.Table):
        return lambda columns: _select(data, columns)
    dataset = _module("pyarrow.dataset")
    if dataset is not None and isinstance(data, dataset.Dataset):
        return lambda columns: data.scanner(columns=list(columns) or None).to_reader()
    return None


def _of_arrays(arrays):
    """A dict of columns: arrays of NumPy, lists, or other sequences of one length."""
    return _pyarrow_table(lambda pyarrow: pyarrow.table({str(name): values for name, values in arrays.items()}))


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
        return _pyarrow_table(lambda pyarrow: pyarrow.Table.from_pylist(data)), False
    if hasattr(data, "__arrow_c_stream__") and not isinstance(data, type):
        return (lambda columns: data), True
    return None


def _frames(frame):
    """The frames from which a name may be seen: the caller's, not those of this package."""
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "scaup":
        frame = frame.f_back
    if frame is not None:
        yield frame.f_locals
        yield frame.f_globals


def find_table(name, frame):
    """opener_of() the object that a name of SQL means to whoever runs the statement; None where there is none. The case
    of names does not count, as SQL folds it; a name that is right to the letter comes first."""
    for names in _frames(frame):
        matches = [key for key in names if key.lower() == name.lower()]
        for key in sorted(matches, key=lambda key: key != name):
            found = opener_of(names[key])
            if found is not None:
                return found
    return None


def register(connection, name, data):
    """Makes an object a table of this connection, under a name: a pandas, Polars or Arrow table, a dict of arrays or
    lists, a list of dicts, or anything with __arrow_c_stream__. The object is read when statements read the table,
    so that later changes of it are seen; one that can be read once is read by the first statement. Tables of the
    database come first where they have the same name. Returns the connection."""
    found = opener_of(data)
    if found is None:
        raise NotSupportedError(
            f"an object of type {type(data).__name__} is no table: pass a data frame, an Arrow table, a dict of arrays, "
            "or an object with __arrow_c_stream__"
        )
    connection._register(name, found[0], found[1])
    return connection


def unregister(connection, name):
    """Forgets a table that was registered; nothing happens where none was. Returns the connection."""
    connection._unregister(name)
    return connection


_numbers = itertools.count(1)


def from_table(connection, data):
    """The relation of an object that register() takes: from_df(frame), from_arrow(table). It is registered under the
    relation's alias, until unregister() or the connection's end."""
    name = f"object_{next(_numbers)}"
    register(connection, name, data)
    return connection.sql(f"SELECT * FROM {name}", name)


def attach():
    """Gives the classes of the extension the methods that are written here."""
    for name, method in {
        "register": register, "unregister": unregister, "from_df": from_table, "from_arrow": from_table,
    }.items():
        setattr(Connection, name, method)
