"""Relations as lazy frames of Polars."""

from __future__ import annotations

from ._output import reader_of
from ._scaup import NotSupportedError
from ._sql_text import quote_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterator, Optional

    from ._relation import Relation

_BATCH_ROWS = 131072


def _has_union(kind: Any) -> bool:
    import pyarrow  # type: ignore[import-untyped, import-not-found, unused-ignore]

    return pyarrow.types.is_union(kind) or any(_has_union(kind.field(i).type) for i in range(kind.num_fields))


def _polars_schema(schema: Any) -> Any:
    """The schema as Polars has it, which ends with a panic of its own for unions."""
    import polars

    for field in schema:
        if _has_union(field.type):
            raise NotSupportedError(f'Polars has no unions, which column "{field.name}" has: select their members, or cast them to VARCHAR')
    return polars.DataFrame(schema.empty_table()).schema


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
    return register_io_source(rows, schema=_polars_schema(pyarrow.schema(relation)))
