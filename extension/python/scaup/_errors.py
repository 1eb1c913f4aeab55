"""Errors that the Python part raises: the classes of DB-API with the attributes that errors of statements have."""

from __future__ import annotations

from ._scaup import Error, InterfaceError, NotSupportedError, ProgrammingError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    _E = TypeVar("_E", bound=Error)


def _make(error_type: type[_E], message: str, sqlstate: str, kind: str) -> _E:
    error = error_type(message)
    error.message, error.sqlstate, error.kind, error.position = message, sqlstate, kind, None
    return error


def usage(message: str, sqlstate: str) -> ProgrammingError:
    """A ProgrammingError: wrong names, arguments or parameters."""
    return _make(ProgrammingError, message, sqlstate, "usage")


def closed(message: str) -> InterfaceError:
    """An InterfaceError: there is nothing to work on."""
    return _make(InterfaceError, message, "08003", "usage")


def not_supported(message: str) -> NotSupportedError:
    """A NotSupportedError: Scaup does not do this."""
    return _make(NotSupportedError, message, "0A000", "not supported")


def forget_place(error: Error) -> None:
    """Lets an error of a statement be one about no text, where nobody gave the one that ran."""
    error.args, error.position = (error.message,), None


def place(error: Error, sql: str, position: int) -> None:
    """Lets an error of a statement be one about `sql` at this position, where the statement that ran was made from `sql`."""
    if error.position is None or error.message is None:
        return
    if not 0 <= position <= len(sql):
        position = len(sql)
    begin = sql.rfind("\n", 0, position) + 1
    end = sql.find("\n", position)
    line = sql[begin : len(sql) if end < 0 else end]
    text = error.message
    if len(line) <= 400:
        label = f"LINE {sql.count(chr(10), 0, begin) + 1}: "
        text += f"\n{label}{line}\n{' ' * (len(label) + position - begin)}^"
    error.args, error.position = (text,), position
