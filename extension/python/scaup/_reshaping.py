"""Steps of relations that are written by the names, types or values of columns: union_by_name, pivot, unpivot, select_types."""

from __future__ import annotations

from . import _errors, _sql_text
from ._aggregates import as_list
from ._sql_text import quote_name, quote_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Optional, Sequence

    from ._aggregates import Names
    from ._relation import Relation


def _check_unique(names: Sequence[str]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise _errors.usage(f'column "{name}" would be there more than once', "42701")


def _is_call(text: str) -> bool:
    """Whether the text is one call of a function: FILTER behind anything more would be about a part of it."""
    found = [(kind, text[begin:end]) for kind, begin, end in _sql_text.tokens(text) if kind != _sql_text.SPACE]
    if len(found) < 3 or found[0][0] != _sql_text.WORD or found[1][1] != "(":
        return False
    depth = 0
    for number, (_, part) in enumerate(found):
        depth += (part == "(") - (part == ")")
        if depth == 0 and number > 0:
            return number == len(found) - 1
    return False


def _text_of(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


class Reshaping:
    """Steps that look at the columns, and some at the values, of a relation when they are made. sql_query() shows what they write."""

    __slots__ = ()

    def union_by_name(self, other: Relation) -> Relation:
        """The rows of both, each once, with the columns of both: those of one name are one, and NULL where a relation has none."""
        return self._by_name(other, "UNION")

    def union_all_by_name(self, other: Relation) -> Relation:
        """The same with all rows, also where they are equal."""
        return self._by_name(other, "UNION ALL")

    def _by_name(self, other: Relation, word: str) -> Relation:
        relation: Any = self
        relation._check_other(other)
        types = [dict(zip(one.columns, one.types)) for one in (relation, other)]
        for one in (relation, other):
            _check_unique(one.columns)
        all_types = {**types[1], **types[0]}
        all_names = [*types[0], *(name for name in types[1] if name not in types[0])]
        first, second = (
            # NULL has a type, as a subquery would make a text of it.
            one.select(*(quote_name(c) if c in own else f"CAST(NULL AS {all_types[c]}) AS {quote_name(c)}" for c in all_names))
            for one, own in zip((relation, other), types)
        )
        made: Relation = first._set_operation(word, second)
        return made

    def pivot(self, on: str, using: str, values: Optional[Sequence[Any]] = None, group: Names = "") -> Relation:
        """A row for each group, in which each value of the column `on` has a column with its name: pivot("year", "sum(amount)", group="city").

        `using` is one call of an aggregate, in SQL. `values`: those that become columns, in their order; None among them is NULL, whose
        column is "NULL". Without it a query, run at once, finds those that are there now, in order and without NULL. `group` is SQL, as in the
        shortcuts of aggregates; without it there is one row. ProgrammingError 42601 where `using` is more than a call or nothing would
        become a column, 42701 where two columns would have one name."""
        relation: Any = self
        relation._check_names([on])
        if not isinstance(using, str) or not _is_call(using):
            raise _errors.usage(f"using must be one call of an aggregate, such as 'sum(x)', not {using!r}", "42601")
        column = quote_name(on)
        if values is None:
            ordered = relation.select(f"{column} AS v").filter("v IS NOT NULL").distinct().order("v")
            values = [row[0] for row in ordered.select("CAST(v AS VARCHAR)").fetchall()]
        keys = [key for text in as_list(group) if text for key in _sql_text.split_list(text)]
        if not values and not keys:
            raise _errors.usage("a pivot needs a value or a group: it would have no columns", "42601")
        type_name = relation.types[relation.columns.index(on)]
        names, calls = [], []
        for value in values:
            names.append("NULL" if value is None else _text_of(value))
            test = f"{column} IS NULL" if value is None else f"{column} = CAST({quote_text(_text_of(value))} AS {type_name})"
            calls.append(f"{using} FILTER (WHERE {test}) AS {quote_name(names[-1])}")
        made: Relation = relation.group_by(*keys).agg(*calls) if keys else relation.aggregate(calls)
        _check_unique(names)
        return made

    def unpivot(self, columns: Names, name: str = "name", value: str = "value", include_nulls: bool = False) -> Relation:
        """A row for each of these columns in each row: the other columns, the column's name and its value.

        `columns` are names as they are; their types must have one in common. Rows whose value is NULL are left out unless
        `include_nulls`. ProgrammingError 42703 where there is no such column, 42701 where two columns would have one name."""
        relation: Any = self
        chosen = list(as_list(columns))
        if not chosen:
            raise _errors.usage("unpivot needs a column", "42601")
        relation._check_names(chosen)
        kept = [column for column in relation.columns if column not in chosen]
        _check_unique([*kept, name, value])
        lists = [", ".join(map(write, chosen)) for write in (quote_text, quote_name)]
        made: Relation = relation.select(
            *map(quote_name, kept), f"unnest(ARRAY[{lists[0]}]) AS {quote_name(name)}", f"unnest(ARRAY[{lists[1]}]) AS {quote_name(value)}"
        )
        return made if include_nulls else made.filter(f"{quote_name(value)} IS NOT NULL")

    def select_types(self, types: Names) -> Relation:
        """The columns of these types, as `types` gives them: select_types(["BIGINT", "DECIMAL"]). DECIMAL means those of all widths.

        ProgrammingError 42703 where there is none."""
        relation: Any = self
        wanted = {type_name.upper() for type_name in as_list(types)}
        found = [
            quote_name(name) for name, own in zip(relation.columns, relation.types) if own in wanted or own.partition("(")[0] in wanted
        ]
        if not found:
            raise _errors.usage(f"there is no column of type {' or '.join(sorted(wanted))}", "42703")
        made: Relation = relation.select(*found)
        return made
