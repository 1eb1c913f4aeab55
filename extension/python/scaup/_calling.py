"""calling_statement: queries of a function within the statement that calls it; _conn in functions of the database."""

from __future__ import annotations

import collections.abc

from . import _scaup

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterator


class Rows(collections.abc.Mapping):  # type: ignore[type-arg]
    """The rows of a query as a dict of arrays, one for each column. It has the methods of a result, too: fetchall(), df(), arrow(), ..."""

    __slots__ = ("_result", "_names")

    def __init__(self, result: Any) -> None:
        self._result = result
        self._names = {name: number for number, name in reversed(list(enumerate(result.columns)))}

    def __getitem__(self, name: str) -> Any:
        from ._functions import _array

        return _array(self._result, self._names[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._result.columns)

    def __len__(self) -> int:
        return len(self._result.columns)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._result, name)

    def __repr__(self) -> str:
        return repr(self._result)


class CallingStatement:
    """The statement that calls the function which this thread runs."""

    __slots__ = ()

    def execute(self, sql: str, parameters: Any = None) -> Rows:
        """Runs a query within the statement, in its transaction and snapshot, and returns its rows: a dict of arrays with the methods of a result.

        It sees the changes that the transaction has made, and what it reads counts as read by it. A function that is VOLATILE, or created with
        side_effects=True, may run INSERT, UPDATE, DELETE and MERGE, if the statement that calls it reads no tables. Nothing else can be run. Functions
        that the query calls may query again, 16 deep. Raises ProgrammingError 55000 outside of a function that a statement calls."""
        return Rows(_scaup._query_within(sql, parameters))


calling_statement = CallingStatement()
