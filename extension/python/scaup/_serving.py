"""serve(): clients of PostgreSQL use a database that this process has open."""

from __future__ import annotations

import os

from . import _errors
from ._scaup import Connection, Server, _serve

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Sequence

DEFAULT_PORT = 5432


def serve(
    connection: Connection, listen: str | Sequence[str] | None = None, *, socket: str | os.PathLike[str] | None = None, port: int = DEFAULT_PORT,
    max_connections: int = 1000,
) -> Server:
    """Lets clients of PostgreSQL, such as psql and psycopg, use the database of a connection while the program runs, and returns at once.

    Args:
        connection: whose database is served. Clients have sessions of their own; what belongs to the connection, such as registered tables and
            functions of Python, they do not see. A database in memory can be served, too.
        listen: "host:port", or several; port 0 takes a free one. By default 127.0.0.1 with `port`, or nothing but the socket.
        socket: the folder of a Unix socket, for the own user only; it is named by `port`, as clients of PostgreSQL expect it.
        max_connections: how many clients there may be at once.

    Returns:
        The running server: `addresses`, `client_count`, `stop()`; it also stops at the end of a `with` block.

    Raises:
        ProgrammingError: an address that is not a loopback address: this server has neither passwords nor TLS, which `scaup serve` has.
        OperationalError: an address that cannot be listened at.

    A client may do what the process may, such as reading and writing files. Every user of the machine can connect to a loopback address.
    """
    if not 0 <= port <= 65535:
        raise _errors.usage(f"a port is a number from 0 to 65535, not {port}", "22023")
    addresses = [listen] if isinstance(listen, str) else list(listen) if listen is not None else []
    if not addresses and socket is None:
        addresses = [f"127.0.0.1:{port}"]
    return _serve(connection, addresses, "" if socket is None else os.fspath(socket), port, max_connections)
