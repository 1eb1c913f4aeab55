"""Tables whose columns become arrays of pyarrow when a statement wants them: frames of pandas, arrays of NumPy, lists.

A statement opens a table twice: without names to learn its types, then with the names of the columns that it reads. Types come
from dtypes where these tell them; a column of objects that begins with texts is taken for one of texts, which is checked when it
is read; any other column of objects or list has to be converted for its type, and what came of that is kept for the statement."""

import sys

from ._scaup import _texts

TYPE_CHECKING = False
if TYPE_CHECKING:
    import pyarrow

_SAMPLE_ROWS = 1024
_BATCH_ROWS = 131_072  # of texts, so that some are converted while others are read
_PLAIN_KINDS = "biufMmUS"  # of NumPy's dtypes whose name says which type of Arrow they become


class NoRows:
    """What is read like a reader of pyarrow, and has a type alone."""

    def __init__(self, typed):
        self.schema = typed

    def read_next_batch(self):
        raise StopIteration


class _Batches(NoRows):
    """The same with rows, which are converted while they are read: make() gives an iterator over them."""

    def __init__(self, typed, make):
        super().__init__(typed)
        self._make = make
        self._batches = None

    def read_next_batch(self):
        if self._batches is None:
            self._batches = self._make()
        return next(self._batches)


class Columns:
    """What opens a table of columns. `list_columns` gives a list of (name, function that gives the values, whether these are of
    a frame of pandas, where NaN is no value).

    A relation holds it and opens it again in each statement; `keeps` is false where the opening for the types is not followed
    at once by the one for the rows."""

    def __init__(self, list_columns):
        self._list_columns = list_columns
        self._kept = {}  # by name: the arrays that were made to learn their types
        self._texts = frozenset()  # names of the columns that were taken for texts
        self.keeps = True

    def __call__(self, names):
        if not names:
            return self._describe(self.keeps)
        columns = self._list_columns()
        if len({name for name, _, _ in columns}) == len(columns):  # else they are told apart by their places
            wanted = set(names)
            columns = [column for column in columns if column[0] in wanted]
        schema, batches = self._read(columns)
        return _Batches(schema, lambda: batches)

    def described(self, _names):
        """The types, where rows are not asked for."""
        return self._describe(False)

    def _describe(self, keeps):
        import pyarrow

        columns = [(name, values(), of_pandas) for name, values, of_pandas in self._list_columns()]
        _check_lengths([(name, values) for name, values, _ in columns])
        fields, kept, texts = [], {}, set()
        for name, values, of_pandas in columns:
            known = _type_of_dtype(values, of_pandas)
            if known is None and _begins_with_texts(values, of_pandas):
                known = pyarrow.string()
                texts.add(name)
            if known is None:
                array = _converted(name, values, of_pandas)
                known = array.type
                kept[name] = array
            fields.append((name, known))
        self._kept, self._texts = (kept if keeps else {}), frozenset(texts)
        schema = pyarrow.schema(fields)
        return _Batches(schema, lambda: self._read(self._list_columns())[1])

    def _read(self, columns):
        """The types of these columns, and an iterator over batches of their rows."""
        import pyarrow

        kept, self._kept = self._kept, {}
        names, arrays, texts = [], [], {}
        for name, values, of_pandas in columns:
            names.append(name)
            array = kept.get(name)
            if array is None:
                array = values()
                if name in self._texts and _is_of_objects(array):
                    texts[len(arrays)] = of_pandas
                else:
                    array = _converted(name, array, of_pandas)
            arrays.append(array)
        _check_lengths(list(zip(names, arrays)))
        schema = pyarrow.schema([(name, pyarrow.string() if i in texts else arrays[i].type) for i, name in enumerate(names)])
        return schema, _batches_of(schema, arrays, texts)


class Rows:
    """What opens a list of dicts, all of which are read to learn the types."""

    def __init__(self, rows):
        self._rows = rows
        self._kept = None
        self.keeps = True

    def __call__(self, names):
        table, self._kept = self._kept, None
        if table is None or not names:
            table = self._converted()
        if not names:
            self._kept = table if self.keeps else None
            return table
        return table.select(list(names))

    def described(self, _names):
        """The types, where rows are not asked for."""
        self._kept = None
        return NoRows(self._converted().schema)

    def _converted(self):
        import pyarrow

        return pyarrow.Table.from_pylist(self._rows)


def columns_of_frame(frame):
    """The columns of a frame of pandas, under the names that pyarrow gives them."""
    names = list(frame.columns)
    if not frame.columns.is_unique or not all(type(name) is str for name in names):
        import pyarrow

        names = pyarrow.Table.from_pandas(frame.iloc[:0], preserve_index=False).column_names
    return [(name, lambda number=number: frame.iloc[:, number], True) for number, name in enumerate(names)]


def _check_lengths(columns):
    """As pyarrow says it of a table whose columns are arrays."""
    for number, (name, values) in enumerate(columns):
        if len(values) != len(columns[0][1]):
            import pyarrow

            raise pyarrow.ArrowInvalid(
                f"Column {number} named {name} expected length {len(columns[0][1])} but got length {len(values)}"
            )


def _type_of_dtype(values, of_pandas):
    """The type of the array that the values become, where it does not depend on them."""
    import pyarrow

    if isinstance(values, (pyarrow.Array, pyarrow.ChunkedArray)):
        return values.type
    numpy, pandas = sys.modules.get("numpy"), sys.modules.get("pandas")
    if numpy is not None and isinstance(values, numpy.ndarray):
        return pyarrow.array(values[:0]).type if values.dtype.kind in _PLAIN_KINDS else None
    if pandas is None or not isinstance(values, pandas.Series):
        return None
    dtype = values.dtype
    is_known = dtype.kind in _PLAIN_KINDS if isinstance(dtype, numpy.dtype) else _tells_type(pandas, dtype)
    return pyarrow.array(values.iloc[:0], from_pandas=True if of_pandas else None).type if is_known else None


def _tells_type(pandas, dtype):
    # The dtypes of numbers and booleans with pandas.NA have no public base class in common.
    if isinstance(dtype, (pandas.CategoricalDtype, pandas.DatetimeTZDtype, pandas.StringDtype, pandas.ArrowDtype)):
        return True
    return isinstance(dtype, tuple(getattr(pandas, f"{name}Dtype") for name in _NULLABLE))


_NULLABLE = ("Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64", "Float32", "Float64", "Boolean")


def _is_of_objects(values):
    return isinstance(values, (list, tuple)) or getattr(values, "dtype", None) == object


def _begins_with_texts(values, of_pandas):
    """Whether there are only texts among the first values. Behind them bytes alone would give another type, without an error."""
    numpy, pandas = sys.modules.get("numpy"), sys.modules.get("pandas")
    if isinstance(values, (list, tuple)):
        sample = values[:_SAMPLE_ROWS]
    elif numpy is not None and isinstance(values, numpy.ndarray) and values.ndim == 1 and values.dtype.kind == "O":
        if isinstance(values, numpy.ma.MaskedArray):
            return False
        sample = values[:_SAMPLE_ROWS].tolist()
    elif of_pandas and isinstance(values, pandas.Series) and values.dtype == object:
        sample = values.iloc[:_SAMPLE_ROWS].dropna().tolist()
    else:
        return False
    kinds = set(map(type, sample))
    return str in kinds and kinds <= {str, type(None)}


def _converted(name, values, of_pandas):
    import pyarrow

    if isinstance(values, (pyarrow.Array, pyarrow.ChunkedArray)):
        return values
    if not of_pandas:
        return pyarrow.array(values)
    numbers = _without_nan(values)
    if numbers is not None:
        return pyarrow.array(numbers)
    try:
        return pyarrow.array(values, from_pandas=True)
    except (pyarrow.ArrowInvalid, pyarrow.ArrowNotImplementedError, pyarrow.ArrowTypeError) as error:
        error.args += (f"Conversion failed for column {name} with type {values.dtype}",)
        raise


def _without_nan(values):
    """The array of floating-point numbers that a series has, where all are values: it is taken as it is, while pyarrow, looking for NaN, copies."""
    numpy = sys.modules["numpy"]
    if not isinstance(values.dtype, numpy.dtype) or values.dtype.kind != "f" or values.dtype.itemsize < 4:
        return None
    numbers = values.to_numpy()
    return None if numpy.isnan(numbers).any() else numbers


def _batches_of(schema: "pyarrow.Schema", arrays, texts):
    """The rows in batches. `texts`: whether it is of a frame of pandas, for each number of an array that is still objects."""
    import pyarrow

    if not texts:
        yield from pyarrow.Table.from_arrays(arrays, schema=schema).to_batches()
        return
    row_count = len(arrays[0])
    for begin in range(0, row_count, _BATCH_ROWS):
        end = min(begin + _BATCH_ROWS, row_count)
        parts = [
            _texts_of(schema.names[i], values, begin, end, texts[i]) if i in texts else values.slice(begin, end - begin)
            for i, values in enumerate(arrays)
        ]
        yield from pyarrow.Table.from_arrays(parts, schema=schema).to_batches()


def _texts_of(name, values, begin, end, of_pandas):
    import pyarrow

    part = values.iloc[begin:end] if hasattr(values, "iloc") else values[begin:end]
    texts = _texts(part.to_numpy() if of_pandas else part, of_pandas)
    if texts is not None:
        return pyarrow.array(texts)
    array = _converted(name, part, of_pandas)
    if pyarrow.types.is_null(array.type):
        return pyarrow.nulls(end - begin, pyarrow.string())
    if array.type != pyarrow.string():
        raise TypeError(f'column "{name}" has values of type {array.type}, while the first ones were texts when the statement was prepared')
    return array
