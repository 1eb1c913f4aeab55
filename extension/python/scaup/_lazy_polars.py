"""Relations as lazy frames of Polars."""

from __future__ import annotations

from ._output import reader_of
from ._sql_text import quote_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterator, Optional

    from ._relation import Relation

_BATCH_ROWS = 131072


def lazy_frame(relation: Relation) -> Any:
    """A polars.LazyFrame that runs the relation's query anew whenever it is collected, also where the relation has kept rows.

    The query selects the columns that the lazy frame needs, and has a LIMIT where it needs the first rows only. Polars applies its
    filters to each batch, so the rows need not fit into memory. NotSupportedError for rows of a statement that ran at once."""
    import polars
    import pyarrow  # type: ignore[import-untyped, import-not-found, unused-ignore]
    from polars.io.plugins import register_io_source

    def rows(columns: Optional[list[str]], predicate: Any, row_count: Optional[int], batch_rows: Optional[int]) -> Iterator[Any]:
        wanted = relation if row_count is None else relation.limit(row_count)
        if columns:
            wanted = wanted.select(*map(quote_name, columns))
        for batch in reader_of(wanted._stream(batch_rows or _BATCH_ROWS)):
            frame = polars.DataFrame(batch)
            yield frame if predicate is None else frame.filter(predicate)

    relation._check_composable()
    # The schema is asked for now, so that an error of the query is raised where the query was written.
    schema = polars.DataFrame(pyarrow.schema(relation).empty_table()).schema
    return register_io_source(rows, schema=schema)
