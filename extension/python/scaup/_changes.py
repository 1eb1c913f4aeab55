"""Steps of relations that change a table, or let a function of Python make other rows."""

from __future__ import annotations

from . import _errors
from ._sql_text import in_line, literal, quote_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Mapping, Optional

    import pandas as pd

    from ._frames import Backend
    from ._relation import Relation
    from ._scaup import Cursor, Result


class Changes:
    """The changes of the table that a relation is, without any step: of `Connection.table()`."""

    __slots__ = ()

    if TYPE_CHECKING:
        _connection: Cursor
        _base: Optional[str]
        _where: tuple[str, ...]

        @property
        def _is_pure(self) -> bool: ...
        def _run(self, sql: str, is_description: bool = False) -> Result: ...
        def df(self, date_as_object: bool = False, dtype_backend: Optional[Backend] = None) -> pd.DataFrame: ...

    def _table_text(self, method: str) -> str:
        if not self._is_pure or self._base is None or self._base.startswith("("):
            raise _errors.usage(f"{method} changes a table: it is for relations of Connection.table() without further steps", "42809")
        return self._base

    def insert(self, *values: Any) -> None:
        """Inserts a row into the table: insert(1, "a") or insert([1, "a"]). append() and appender() are for many."""
        row = list(values[0]) if len(values) == 1 and isinstance(values[0], (list, tuple)) else list(values)
        target = self._table_text("insert")
        if not row:
            raise _errors.usage("insert needs the values of a row: insert(1, 'a')", "42601")
        run: Any = self._connection
        try:
            run._run_sql(f"INSERT INTO {target} VALUES ({', '.join('?' for _ in row)})", row, {}, False)
        except _errors.Error as error:
            _errors.forget_place(error)  # The text is ours.
            raise

    def update(self, set: Mapping[str, Any], *, condition: Optional[str] = None) -> None:
        """Changes rows of the table: update({"a": 1}, condition="b = 2"); all of them without a condition. Values are values of Python, not SQL."""
        target = self._table_text("update")
        if not hasattr(set, "items") or not set:
            raise _errors.usage('update needs a dict of the new values by column: update({"a": 1})', "42601")
        changes = ", ".join(f"{quote_name(name)} = {literal(value)}" for name, value in set.items())
        where = f" WHERE {in_line(condition)}" if condition else ""
        self._run(f"UPDATE {target} SET {changes}{where}")

    def map(self, function: Callable[[pd.DataFrame], Any], schema: Optional[Mapping[str, str]] = None) -> Relation:
        """The rows that a function of Python makes of this relation's: it gets a pandas data frame of all rows, and returns one, or another table
        that register() takes. It is called now, once. With `schema`, names and SQL types of the columns, the columns of what it returns must
        have these names, and values are cast to these types."""
        from . import _inputs

        made = function(self.df())
        if _inputs.opener_of(made) is None:
            raise _errors.usage(f"the function of map must return a data frame or another table, not {type(made).__name__}", "42804")
        found: Relation = _inputs.from_table(self._connection, made)
        if schema is None:
            return found
        if list(schema) != found.columns:
            raise _errors.usage(f"the function of map returned the columns {found.columns}, and not those of its schema, {list(schema)}", "42804")
        return found.select(*(f"CAST({quote_name(name)} AS {type_name}) AS {quote_name(name)}" for name, type_name in schema.items()))
