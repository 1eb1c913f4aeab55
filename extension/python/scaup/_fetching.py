"""Rows of relations: everything that a Result gives, after the query was run once."""

from __future__ import annotations

from . import _display, _output

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from typing import Any, Iterator, Mapping, Optional, Sequence, Union

    import pandas as pd

    from ._columns import Columns
    from ._frames import Backend
    from ._scaup import Cursor, Result

    Row = tuple[Any, ...]


class Fetching(_output.RowOutput):
    """The fetch side of relations. Rows are read forward, as of a Result; columns, arrays and frames have all rows."""

    __slots__ = ()

    if TYPE_CHECKING:
        _connection: Cursor
        _result: Optional[Result]

        def _rows(self) -> Result: ...
        def _run(self, sql: str, is_description: bool = False) -> Result: ...
        def _stream(self, batch_size: int) -> Any: ...
        def sql_query(self) -> str: ...
        def _copy_to(self, path: Any, options: Mapping[str, Any]) -> None: ...

    def fetchone(self) -> Optional[Row]:
        """The next row, or None behind the last."""
        return self._rows().fetchone()

    def fetchmany(self, size: int = 1) -> list[Row]:
        """The next rows, at most `size`."""
        return self._rows().fetchmany(size)

    def fetchall(self) -> list[Row]:
        """All rows that were not fetched yet."""
        return self._rows().fetchall()

    def __iter__(self) -> Iterator[Row]:
        self._rows()
        return self

    def __next__(self) -> Row:
        return next(self._rows())

    def fetchnumpy(self) -> Columns:
        """A dict of NumPy arrays by name, each made when it is first asked for; those of numbers and times share the memory of the rows."""
        return self._rows().fetchnumpy()

    def df(self, date_as_object: bool = False, dtype_backend: Optional[Backend] = None) -> pd.DataFrame:
        """A pandas data frame of all rows, which may be written to; Result.df() says which types it has."""
        return self._rows().df(date_as_object, dtype_backend)

    fetchdf = fetch_df = to_df = df

    def _delegate(self, name: str, *arguments: Any, **options: Any) -> Any:
        return getattr(self._rows(), name)(*arguments, **options)

    def pl(self, *, lazy: bool = False) -> Any:
        """A Polars data frame of all rows; with `lazy` a lazy frame, which runs the query whenever it is collected, for the columns and
        the first rows that it needs."""
        if not lazy:
            return self._delegate("pl")
        from ._lazy_polars import lazy_frame

        return lazy_frame(self)  # type: ignore[arg-type]

    def to_arrow_table(self, *arguments: Any, **options: Any) -> Any:
        """A pyarrow.Table of all rows."""
        return self._delegate("to_arrow_table", *arguments, **options)

    fetch_arrow_table = to_arrow_table

    def to_arrow_reader(self, batch_size: int = 131072) -> Any:
        """All rows as a pyarrow.RecordBatchReader, whose batches have at most batch_size rows.

        Of a relation that was not run yet they are computed while they are read, and the relation keeps none. What is not read when
        the connection runs another statement is computed then, into memory. The reader keeps the database open until it has ended."""
        if self._result is not None:
            return self._result.to_arrow_reader(batch_size)
        return _output.reader_of(self._stream(batch_size))

    arrow = fetch_record_batch = fetch_arrow_reader = to_arrow_reader

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """The rows as a capsule of the Arrow C stream interface."""
        return self._delegate("__arrow_c_stream__", requested_schema)

    def __arrow_c_schema__(self) -> Any:
        """The columns as a capsule of the Arrow C schema interface. The query is not run for it."""
        result: Any = self._result
        if result is None:
            result = self._run(f"SELECT * FROM ({self.sql_query()}\n) AS q WHERE false", is_description=True)
        return result.__arrow_c_schema__()

    def _column_pointer(self, column: int) -> Any:
        return self._delegate("_column_pointer", column)

    def _mask_pointer(self, column: int) -> Any:
        return self._delegate("_mask_pointer", column)

    # --- Files

    def to_csv(
        self, path_or_buffer: _output.Target = None, *, header: bool = True, sep: str = ",", na_rep: str = "", **options: Any
    ) -> Optional[str]:
        """Writes all rows as CSV: to a path, to an object with write(), or, without either, into the str that is returned.

        A path is written by COPY on all threads, and `options` are further options of COPY, such as compression="gzip" or
        date_format="%d.%m.%Y". `na_rep` is what stands for NULL."""
        if not _output.is_path(path_or_buffer):
            return _output.write_csv(self._fresh_result(), path_or_buffer, header, sep, na_rep, options)
        self._copy_to(path_or_buffer, {"format": "csv", "header": header, "delimiter": sep, "nullstr": na_rep or None, **options})
        return None

    write_csv = to_csv

    def to_json(self, path_or_buffer: _output.Target = None, *, array: bool = False, **options: Any) -> Optional[str]:
        """Writes all rows as JSON objects, one a line, or all in one array: to a path, to an object with write(), or into a str.

        A path is written by COPY on all threads, and `options` are further options of COPY, such as compression="gzip"."""
        if not _output.is_path(path_or_buffer):
            return _output.write_json(self._fresh_result(), path_or_buffer, array, options)
        self._copy_to(path_or_buffer, {"format": "json", "array": array, **options})
        return None

    write_json = to_json

    def to_parquet(self, path: Any, **options: Any) -> None:
        """Writes all rows to a Parquet file by COPY on all threads. `options` are those of COPY, such as compression="zstd",
        compression_level=9 or row_group_size=1_000_000."""
        self._copy_to(path, {"format": "parquet", **options})

    write_parquet = to_parquet

    def _fresh_result(self) -> Result:
        """A result of all rows, whose fetching does not move this relation's."""
        relation: Any = self
        if relation._ran_at_once:
            return self._rows()
        return self._run(self.sql_query())

    # --- Display

    def show(
        self, max_width: Optional[int] = None, max_rows: int = 20, max_col_width: int = 40, null_value: str = "NULL"
    ) -> None:
        """Prints the rows as a table: of many, `max_rows` from the beginning and the end. Reads at most 10,000 rows.

        `max_width` is the width of a line (None: that of the terminal), beyond which columns in the middle are left out."""
        print(_display.text_table(_display.preview(self), max_width, max_rows, max_col_width, null_value))

    def __repr__(self) -> str:
        return _display.text_table(_display.preview(self))

    __str__ = __repr__

    def _repr_html_(self) -> str:
        return _display.html_table(_display.preview(self))
