"""SQL in IPython and notebooks: `%load_ext scaup`, then `%scaup SELECT ...` or a cell that begins with `%%scaup`."""

from __future__ import annotations

import re

from . import _connecting, _errors
from ._scaup import Cursor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Optional

    from ._relation import Relation

_HEAD = re.compile(r"\s*(?:([^\W\d]\w*)\s*:(?!:)\s*)?(?:([^\W\d]\w*)\s*<<\s*)?(.*)", re.DOTALL)


def run(line: str, cell: Optional[str], variables: Any) -> tuple[str, Optional[Relation]]:
    """(name, relation) of a line or a cell of the magic; the name is empty where there is no `name <<`.

    Before the statement may stand the variable of a connection, with a colon, and the name of a variable for the relation:
    `%scaup con: name << SELECT ...`; of a cell they stand in its first line."""
    match = _HEAD.match(line)
    before, name, sql = match.group(1), match.group(2) or "", match.group(3)  # type: ignore[union-attr]
    if cell is not None:
        sql += "\n" + cell
    connection: Any = _connecting.default_connection()
    if before:
        connection = variables.get(before)
        if not isinstance(connection, Cursor):
            message = f"{before} is no variable with a connection: write %scaup con: SELECT ..., where con = scaup.connect()"
            raise _errors.usage(message, "42704")
    return name, connection.sql(sql.strip())


def load_ipython_extension(ipython: Any) -> None:
    """Adds the magic to IPython; %load_ext calls this."""

    def scaup(line: str, cell: Optional[str] = None) -> Optional[Relation]:
        """Runs SQL on the default connection, or on that of a variable: %scaup [con:] [name <<] SELECT ...

        Rows are shown, or, with `name <<`, put into a variable as a relation. A cell holds one or more statements after %%scaup."""
        if not line.strip() and not (cell or "").strip():
            print("usage: %scaup [connection:] [name <<] SELECT ...")
            return None
        name, relation = run(line, cell, ipython.user_ns)
        if not name:
            return relation
        ipython.user_ns[name] = relation
        return None

    ipython.register_magic_function(scaup, "line_cell", "scaup")
