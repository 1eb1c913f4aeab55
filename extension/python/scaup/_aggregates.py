"""Aggregates of relations: one method for each of those that are asked for most, and group_by().agg()."""

from __future__ import annotations

from . import _sql_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Sequence, Union

    from ._relation import Relation

    Names = Union[str, Sequence[str]]


def as_list(expressions: Names) -> Sequence[str]:
    """A list of expressions, also where one text was given."""
    return [expressions] if isinstance(expressions, str) else expressions


class Grouped:
    """What Relation.group_by gives: groups that wait for their aggregates."""

    __slots__ = ("_relation", "_keys")

    def __init__(self, relation: Relation, keys: list[str]) -> None:
        self._relation = relation
        self._keys = keys

    def agg(self, *expressions: str) -> Relation:
        """A row for each group: the expressions of group_by, then these aggregates."""
        numbers = [str(number) for number in range(1, len(self._keys) + 1)]
        return self._relation.aggregate([*self._keys, *expressions], numbers)


class Aggregates:
    """Shortcuts for one aggregate. Each takes an SQL expression, mostly the name of a column, and optionally groups.

    With `group` the relation has the groups' columns first. The query is run when the relation's rows are asked for."""

    __slots__ = ()

    def _shortcut(self, call: str, group: Names) -> Relation:
        relation: Any = self
        keys = [key for text in as_list(group) if text for key in _sql_text.split_list(text)]
        made: Relation = relation.group_by(*keys).agg(call) if keys else relation.aggregate(call)
        return made

    def count(self, expression: str = "*", group: Names = "") -> Relation:
        """The number of rows, or of those in which the expression is not NULL."""
        return self._shortcut(f"count({expression})", group)

    def sum(self, expression: str, group: Names = "") -> Relation:
        """The sum of the values."""
        return self._shortcut(f"sum({expression})", group)

    def avg(self, expression: str, group: Names = "") -> Relation:
        """The mean of the values."""
        return self._shortcut(f"avg({expression})", group)

    mean = avg

    def min(self, expression: str, group: Names = "") -> Relation:
        """The least value."""
        return self._shortcut(f"min({expression})", group)

    def max(self, expression: str, group: Names = "") -> Relation:
        """The greatest value."""
        return self._shortcut(f"max({expression})", group)

    def median(self, expression: str, group: Names = "") -> Relation:
        """The value in the middle, or the mean of the two there."""
        return self._shortcut(f"median({expression})", group)

    def mode(self, expression: str, group: Names = "") -> Relation:
        """The value that occurs most."""
        return self._shortcut(f"mode({expression})", group)

    def stddev(self, expression: str, group: Names = "") -> Relation:
        """The standard deviation of a sample."""
        return self._shortcut(f"stddev({expression})", group)

    def var(self, expression: str, group: Names = "") -> Relation:
        """The variance of a sample."""
        return self._shortcut(f"var_samp({expression})", group)

    def quantile_cont(self, expression: str, q: float, group: Names = "") -> Relation:
        """The value below which the share `q` of the values lies, interpolated between two of them."""
        return self._shortcut(f"quantile_cont({expression}, {float(q)!r})", group)

    def quantile_disc(self, expression: str, q: float, group: Names = "") -> Relation:
        """The same as one of the values."""
        return self._shortcut(f"quantile_disc({expression}, {float(q)!r})", group)

    def string_agg(self, expression: str, separator: str = ",", group: Names = "") -> Relation:
        """The texts behind one another, with the separator between them."""
        return self._shortcut(f"string_agg({expression}, {_sql_text.quote_text(separator)})", group)

    def array_agg(self, expression: str, group: Names = "") -> Relation:
        """All values in a list."""
        return self._shortcut(f"array_agg({expression})", group)

    def first(self, expression: str, group: Names = "") -> Relation:
        """The value of the first row."""
        return self._shortcut(f"first({expression})", group)

    def last(self, expression: str, group: Names = "") -> Relation:
        """The value of the last row."""
        return self._shortcut(f"last({expression})", group)

    def any_value(self, expression: str, group: Names = "") -> Relation:
        """Some value that is not NULL."""
        return self._shortcut(f"any_value({expression})", group)

    def product(self, expression: str, group: Names = "") -> Relation:
        """The product of the values."""
        return self._shortcut(f"product({expression})", group)

    def bool_and(self, expression: str, group: Names = "") -> Relation:
        """Whether all values are true."""
        return self._shortcut(f"bool_and({expression})", group)

    def bool_or(self, expression: str, group: Names = "") -> Relation:
        """Whether any value is true."""
        return self._shortcut(f"bool_or({expression})", group)

    def approx_count_distinct(self, expression: str, group: Names = "") -> Relation:
        """About how many different values there are."""
        return self._shortcut(f"approx_count_distinct({expression})", group)
