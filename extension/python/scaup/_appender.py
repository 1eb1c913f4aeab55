"""appender(): rows that are collected and then written many at a time."""

from __future__ import annotations

from . import _errors
from ._sql_text import quote_name, quote_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    import types
    from typing import Any, Iterable, Optional, Sequence, Union

    from ._scaup import Cursor

_FLUSH_ROWS = 131_072
_ACTIONS = ("insert", "upsert", "update", "delete")


class Appender:
    """Collects rows for a table, made by `Connection.appender`; a context manager, at whose end they are written.

    Rows are written by flush(), by close(), and when 131,072 are collected: all of them or none, and in the transaction that is open. Without
    one each flush commits. Rows that could not be written stay collected until clear(). Used by one thread at a time."""

    def __init__(self, connection: Cursor, sql: str, width: int) -> None:
        self._connection = connection
        self._sql = sql
        self._width = width
        self._rows: list[Sequence[Any]] = []
        self._is_open = True

    def append_row(self, *values: Any) -> None:
        """Collects a row: a value for each column of the appender, or one sequence of them."""
        if len(values) == 1 and self._width != 1 and isinstance(values[0], (list, tuple)):
            values = tuple(values[0])
        self._add(values)

    def append_rows(self, rows: Iterable[Sequence[Any]]) -> None:
        """Collects rows, each a sequence of values. Whole frames go faster by Connection.append()."""
        for row in rows:
            self._add(tuple(row))

    def _add(self, values: tuple[Any, ...]) -> None:
        if not self._is_open:
            raise _errors.usage("the appender is closed", "55000")
        if len(values) != self._width:
            raise _errors.usage(f"the appender has {self._width} columns, and the row {len(values)} values", "42601")
        self._rows.append(values)
        if len(self._rows) >= _FLUSH_ROWS:
            self.flush()

    def __len__(self) -> int:
        """The number of rows that are collected and not written yet."""
        return len(self._rows)

    def flush(self) -> None:
        """Writes the collected rows. Raises what the statement raises: IntegrityError for rows that break a constraint, DataError for values
        that do not fit their column."""
        if not self._rows:
            return
        end, undo = self._begin()
        cursor: Any = self._connection
        try:
            (cursor.cursor() if hasattr(cursor, "cursor") else cursor).executemany(self._sql, self._rows)
            self._run(end)
        except BaseException:
            self._run(undo)
            raise
        self._rows = []

    def _begin(self) -> tuple[str, str]:
        """Begins what a failure undoes as a whole; gives the statements that end and undo it."""
        try:
            self._run('SAVEPOINT "scaup appender"')
        except _errors.Error as error:
            if error.sqlstate != "25P01":
                raise
            self._run("BEGIN")
            return "COMMIT", "ROLLBACK"
        return 'RELEASE SAVEPOINT "scaup appender"', 'ROLLBACK TO SAVEPOINT "scaup appender"'

    def _run(self, sql: str) -> None:
        run: Any = self._connection
        run._run_sql(sql, None, {}, False)

    def clear(self) -> None:
        """Forgets the collected rows."""
        self._rows = []

    def close(self) -> None:
        """Writes the collected rows; the appender takes no more then."""
        self.flush()
        self._is_open = False

    def __enter__(self) -> Appender:
        return self

    def __exit__(self, kind: Optional[type[BaseException]], error: Optional[BaseException], trace: Optional[types.TracebackType]) -> None:
        if kind is not None:
            self.clear()
        self.close()


def appender(
    self: Cursor, table: str, columns: Optional[Sequence[str]] = None, action: str = "insert", key: Union[None, str, Sequence[str]] = None,
    schema: str = "main",
) -> Appender:
    """An Appender of rows for a table: with appender("t") as rows: rows.append_row(1, "a").

    `columns`: those that rows have values for, in this order; all, without those that make their own values, if not given. `action`: what a row
    does: "insert"; "upsert", which changes the row with the same key where there is one; "update" of the rows with this key; "delete" of
    them, whose rows have values of the key alone. `key`: the columns that say which row is meant; for "insert" there is none. Raises
    ProgrammingError where there is no such table or column, or where upsert's key is not unique."""
    if action not in _ACTIONS:
        raise _errors.usage(f"action must be one of {', '.join(_ACTIONS)}, not {action!r}", "22023")
    keys = [key] if isinstance(key, str) else list(key or ())
    if bool(keys) == (action == "insert"):
        needed = "an insert has no key" if keys else f"{action} needs the key: the columns that say which row is meant"
        raise _errors.usage(needed, "42601")
    target = quote_table(table, schema)
    names = list(columns) if columns is not None else keys if action == "delete" else _columns_of(self, target, table, schema)
    others = [name for name in names if name not in keys]
    missing = [name for name in keys if name not in names]
    if missing or (action == "delete" and others) or (action == "update" and not others):
        raise _errors.usage(f"these columns do not go with {action} by the key {', '.join(keys)}: {', '.join(names)}", "42601")
    sql = _statement(target, names, others, keys, action)
    run: Any = self
    try:
        run._run_sql(f"PREPARE \"scaup appender\" AS {sql}", None, {}, False)
        run._run_sql('DEALLOCATE "scaup appender"', None, {}, False)
    except _errors.Error as error:
        _errors.forget_place(error)  # The text is ours.
        raise
    return Appender(self, sql, len(names))


def _columns_of(cursor: Cursor, target: str, table: str, schema: str) -> list[str]:
    from ._append import columns_of

    names: Optional[list[str]] = columns_of(cursor, target, table, schema)
    if names is None:
        raise _errors.usage(f'"{table}" is a collection: append() puts documents into it', "42809")
    return names


def _statement(target: str, names: Sequence[str], others: Sequence[str], keys: Sequence[str], action: str) -> str:
    places = {name: f"${number}" for number, name in enumerate(names, 1)}
    is_meant = " AND ".join(f"{quote_name(name)} = {places[name]}" for name in keys)
    if action == "delete":
        return f"DELETE FROM {target} WHERE {is_meant}"
    if action == "update":
        return f"UPDATE {target} SET {', '.join(f'{quote_name(name)} = {places[name]}' for name in others)} WHERE {is_meant}"
    insert = f"INSERT INTO {target} ({', '.join(map(quote_name, names))}) VALUES ({', '.join(places[name] for name in names)})"
    if action == "insert":
        return insert
    changes = ", ".join(f"{quote_name(name)} = excluded.{quote_name(name)}" for name in others)
    return f"{insert} ON CONFLICT ({', '.join(map(quote_name, keys))}) DO {f'UPDATE SET {changes}' if others else 'NOTHING'}"
