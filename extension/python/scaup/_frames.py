"""Results as data frames of pandas: which type each column gets."""

from __future__ import annotations

from . import _errors
from ._output import unique_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal, Optional

    from ._scaup import Result

    Backend = Literal["numpy_nullable", "pyarrow"]

_BACKENDS = (None, "numpy_nullable", "pyarrow")


def data_frame(result: Result, date_as_object: bool = False, dtype_backend: Optional[Backend] = None) -> Any:
    """The data frame of all rows. Its types depend on those of SQL, and, but for integers and BOOLEAN, not on the rows."""
    if dtype_backend not in _BACKENDS:
        raise _errors.usage(f"dtype_backend must be None, 'numpy_nullable' or 'pyarrow', not {dtype_backend!r}", "22023")
    import pandas

    make = _ArrowColumns if dtype_backend == "pyarrow" else _Columns
    columns = make(pandas, result, dtype_backend is not None, date_as_object)
    made = {name: columns.column(number) for number, name in enumerate(unique_names(result.columns))}
    # A copy, since who gets a frame may write to it.
    return pandas.DataFrame(made, index=pandas.RangeIndex(len(result)), copy=True)


class _Columns:
    """The columns of a result over NumPy's types, with types of pandas where those have no NULL."""

    def __init__(self, pandas: Any, result: Any, is_nullable: bool, date_as_object: bool) -> None:
        self._pandas = pandas
        self._result = result
        self._is_nullable = is_nullable
        self._date_as_object = date_as_object
        self._table: Any = None

    def column(self, number: int) -> Any:
        """The column as an array of NumPy or pandas."""
        kind = self._result._kind(number)
        if kind == "enum":
            codes, labels = self._result._codes(number)
            return self._pandas.Categorical.from_codes(_filled(codes, -1), categories=labels, ordered=True)
        if kind == "text":
            return self._texts(number)
        if kind == "date" and self._date_as_object:
            return self._result._objects(number)
        return self._plain(number, kind)

    def _plain(self, number: int, kind: str) -> Any:
        import numpy

        array = self._result._spans(number) if kind == "interval" else self._result._column_array(number)
        if kind == "moment":
            zone = self._result._time_zone() or "UTC"
            moments = self._pandas.Series(_filled(array, numpy.datetime64("NaT")))
            return moments.dt.tz_localize("UTC").dt.tz_convert(zone).array
        if array.dtype.kind in "iub" and (_has_mask(array) or self._is_nullable):
            arrays = self._pandas.arrays
            make = arrays.BooleanArray if array.dtype.kind == "b" else arrays.IntegerArray
            return make(_data(array), _mask(array))
        if array.dtype.kind == "f":
            if self._is_nullable and array.dtype.itemsize > 2:
                return self._pandas.arrays.FloatingArray(_data(array), _mask(array))
            return _filled(array, numpy.nan)
        return _filled(array, numpy.array("NaT", array.dtype)) if array.dtype.kind in "mM" else _data(array)

    def _texts(self, number: int) -> Any:
        dtype = self._pandas.StringDtype() if self._is_nullable else self._pandas.Series([""]).dtype
        if dtype == object:  # before pandas 3
            return self._result._objects(number)
        if dtype.storage == "pyarrow":  # without objects of Python
            return dtype.__from_arrow__(self._arrow_column(number))
        return self._pandas.array(self._result._objects(number), dtype=dtype)

    def _arrow_column(self, number: int) -> Any:
        """The column as Arrow has it, where JSON is text."""
        if self._table is None:
            self._table = self._result._storage_table()
        return self._table.column(number)


class _ArrowColumns(_Columns):
    """The columns of a result over Arrow's types."""

    def column(self, number: int) -> Any:
        if self._result._kind(number) in ("enum", "uuid"):
            return super().column(number)
        column = self._arrow_column(number)
        return self._pandas.ArrowDtype(column.type).__from_arrow__(column)


def _has_mask(array: Any) -> bool:
    return hasattr(array, "filled")


def _data(array: Any) -> Any:
    return array.data if _has_mask(array) else array


def _mask(array: Any) -> Any:
    import numpy

    return array.mask if _has_mask(array) else numpy.zeros(len(array), bool)


def _filled(array: Any, value: Any) -> Any:
    return array.filled(value) if _has_mask(array) else array
