"""Window functions of relations: one method for each of them, which gives a relation with its values."""

from __future__ import annotations

from . import _errors, _sql_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ._relation import Relation


def _over(window_spec: str) -> str:
    if not isinstance(window_spec, str):
        raise _errors.usage(f"window_spec must be a str with SQL, not {window_spec!r}", "42601")
    text = window_spec.strip()
    first = next((text[begin:end] for kind, begin, end in _sql_text.tokens(text) if kind != _sql_text.SPACE), "")
    if first.lower() == "over":
        return _sql_text.in_line(text)
    return f"OVER {_sql_text.bracketed(text)}"


def _whole_number(value: int, name: str) -> int:
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise _errors.usage(f"{name} must be an int, not {value!r}", "22023")
    return value.__index__()


class Windows:
    """Shortcuts for one window function. Each gives a relation of a column with its values, behind those of `projected_columns`.

    `window_spec` is SQL: "PARTITION BY g ORDER BY x", or the same as "OVER (PARTITION BY g ORDER BY x)"; "" is all rows in no order.
    `projected_columns` is SQL, too: "*" for all columns, "" for none. Expressions are SQL. What is wrong in the SQL raises
    ProgrammingError when the relation is asked for its columns or rows. Threads may call the methods as they may call the other steps."""

    __slots__ = ()

    def _window(self, call: str, window_spec: str, projected_columns: str) -> Relation:
        relation: Any = self
        before = [projected_columns] if projected_columns else []
        made: Relation = relation.select(*before, f"{call} {_over(window_spec)}")
        return made

    def row_number(self, window_spec: str = "", projected_columns: str = "") -> Relation:
        """The number of the row in its partition, from 1."""
        return self._window("row_number()", window_spec, projected_columns)

    def rank(self, window_spec: str, projected_columns: str = "") -> Relation:
        """One more than the number of rows before the row's equals: 1, 1, 3."""
        return self._window("rank()", window_spec, projected_columns)

    def dense_rank(self, window_spec: str, projected_columns: str = "") -> Relation:
        """The same without gaps: 1, 1, 2."""
        return self._window("dense_rank()", window_spec, projected_columns)

    def percent_rank(self, window_spec: str, projected_columns: str = "") -> Relation:
        """The rank as a share, from 0 for the first row to 1."""
        return self._window("percent_rank()", window_spec, projected_columns)

    def cume_dist(self, window_spec: str, projected_columns: str = "") -> Relation:
        """The share of the rows that are before the row or equal to it."""
        return self._window("cume_dist()", window_spec, projected_columns)

    def ntile(self, window_spec: str, num_buckets: int, projected_columns: str = "") -> Relation:
        """The number of the row's bucket, where each partition is divided into so many of about the same size. DataError 22014 when run with less than 1."""
        return self._window(f"ntile({_whole_number(num_buckets, 'num_buckets')})", window_spec, projected_columns)

    n_tile = ntile

    def lag(
        self, expression: str, window_spec: str, offset: int = 1, default_value: str = "NULL", projected_columns: str = ""
    ) -> Relation:
        """The value in the row that is `offset` rows before, or `default_value`, which is SQL, where there is none."""
        return self._window(f"lag({expression}, {_whole_number(offset, 'offset')}, {default_value})", window_spec, projected_columns)

    def lead(
        self, expression: str, window_spec: str, offset: int = 1, default_value: str = "NULL", projected_columns: str = ""
    ) -> Relation:
        """The value in the row that is `offset` rows behind, or `default_value`, which is SQL, where there is none."""
        return self._window(f"lead({expression}, {_whole_number(offset, 'offset')}, {default_value})", window_spec, projected_columns)

    def first_value(self, expression: str, window_spec: str = "", projected_columns: str = "") -> Relation:
        """The value in the first row of the frame."""
        return self._window(f"first_value({expression})", window_spec, projected_columns)

    def last_value(self, expression: str, window_spec: str = "", projected_columns: str = "") -> Relation:
        """The value in the last row of the frame, which with ORDER BY ends at the row's equals unless the specification says more."""
        return self._window(f"last_value({expression})", window_spec, projected_columns)

    def nth_value(self, expression: str, window_spec: str, offset: int, projected_columns: str = "") -> Relation:
        """The value in row number `offset` of the frame, from 1; NULL where the frame has fewer."""
        return self._window(f"nth_value({expression}, {_whole_number(offset, 'offset')})", window_spec, projected_columns)
