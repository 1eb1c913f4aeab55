"""Relations as lazy frames of Polars."""

from __future__ import annotations

from ._sql_text import quote_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterator, Optional

    from ._relation import Relation

_BATCH_ROWS = 131072


def lazy_frame(relation: Relation) -> Any:
    """A polars.LazyFrame that runs the relation's query anew whenever it is collected: with the columns that the lazy frame needs, and a
    LIMIT where it needs the first rows only. Its filters are done by Polars, on each batch, so that the rows need not fit into memory."""
    import polars
    import pyarrow  # type: ignore[import-untyped, import-not-found, unused-ignore]
    from polars.io.plugins import register_io_source

    def rows(columns: Optional[list[str]], predicate: Any, row_count: Optional[int], batch_rows: Optional[int]) -> Iterator[Any]:
        wanted = relation if row_count is None else relation.limit(row_count)
        if columns:
            wanted = wanted.select(*map(quote_name, columns))
        for batch in wanted.to_arrow_reader(batch_rows or _BATCH_ROWS):
            frame = polars.DataFrame(batch)
            yield frame if predicate is None else frame.filter(predicate)

    # Now, so that an error of the query comes from where it was written.
    schema = polars.DataFrame(pyarrow.schema(relation).empty_table()).schema
    return register_io_source(rows, schema=schema)
