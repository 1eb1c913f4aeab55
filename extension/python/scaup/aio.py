"""Connections for asyncio: statements run on a thread of the connection while the event loop goes on.

    con = await scaup.aio.connect("x.scaup")
    async for row in await con.execute("SELECT * FROM t"):
        ...

Statements of one connection run one after the other; those of several connections (`duplicate()`) run at the same time.
When a task that waits for a statement is cancelled, the statement is interrupted, and the connection can be used again."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import threading

from . import _scaup

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from types import TracebackType
    from typing import Any, AsyncIterator, Callable, Generator, Iterable, Mapping, Optional, TypeVar, Union

    from ._frames import Backend
    from ._sql_text import Parameters

    T = TypeVar("T")
    Row = tuple[Any, ...]

_INTERRUPT_SECONDS = 0.02
_BATCH_ROWS = 1024


class _Worker:
    """The thread that runs a connection's statements, and the interrupting of the one that runs."""

    def __init__(self) -> None:
        self._executor = concurrent.futures.ThreadPoolExecutor(1, "scaup")
        self._lock = threading.Lock()
        self._running: Optional[object] = None

    async def run(self, work: Callable[[], T], interrupt: Optional[Callable[[], None]] = None) -> T:
        """What `work` returns. `interrupt` ends it early when the waiting task is cancelled."""
        token = object()

        def run_marked() -> T:
            with self._lock:
                self._running = token
            try:
                return work()
            finally:
                with self._lock:
                    self._running = None

        future = self._executor.submit(run_marked)
        waiting = asyncio.wrap_future(future)
        try:
            return await asyncio.shield(waiting)
        except asyncio.CancelledError:
            if not future.cancel():
                await self._end(future, token, interrupt)
            if not waiting.cancelled():
                waiting.add_done_callback(lambda done: done.cancelled() or done.exception())
            raise

    async def _end(self, future: concurrent.futures.Future[Any], token: object, interrupt: Optional[Callable[[], None]]) -> None:
        """Waits until the work has ended, and interrupts it again and again: one that comes before the statement has begun is lost."""
        while not future.done():
            # Under the lock the work cannot end, so that the interrupt meets no later statement.
            with self._lock:
                if self._running is token and interrupt is not None:
                    interrupt()
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.sleep(_INTERRUPT_SECONDS)

    def stop(self) -> None:
        self._executor.shutdown(wait=False)


class _Connecting:
    """What connect() returns: to be awaited, or entered by `async with`."""

    def __init__(self, make: Callable[[], _scaup.Connection]) -> None:
        self._make = make
        self._connection: Optional[Connection] = None

    async def _open(self) -> Connection:
        worker = _Worker()
        try:
            return Connection(await worker.run(self._make), worker)
        except BaseException:
            worker.stop()
            raise

    def __await__(self) -> Generator[Any, Any, Connection]:
        return self._open().__await__()

    async def __aenter__(self) -> Connection:
        self._connection = await self._open()
        return self._connection

    async def __aexit__(self, *error: Any) -> None:
        if self._connection is not None:
            await self._connection.close()


def connect(
    database: Union[str, os.PathLike[str]] = ":memory:", read_only: bool = False, config: Optional[Mapping[str, Any]] = None
) -> _Connecting:
    """Opens a database as scaup.connect does, on a thread of its own: `await connect()`, or `async with connect() as con`."""
    return _Connecting(lambda: _scaup.connect(database, read_only, config))


class Cursor:
    """A statement's result, given by Connection.execute. Its rows belong to it alone, whatever the connection runs next."""

    def __init__(self, cursor: _scaup.Cursor, worker: _Worker) -> None:
        self._cursor = cursor
        self._worker = worker

    @property
    def description(self) -> Any:
        """The columns as DB-API's tuples; None for statements without rows."""
        return self._cursor.description

    @property
    def rowcount(self) -> int:
        """The number of rows, or of those that were changed."""
        return self._cursor.rowcount

    async def _run(self, work: Callable[[], T]) -> T:
        return await self._worker.run(work, self._cursor.interrupt)

    async def execute(self, sql: str, parameters: Parameters = None) -> Cursor:
        """Runs SQL with values for ? or $1, $2, ..., or for $name, :name or %(name)s. Gives the cursor itself."""
        await self._run(lambda: self._cursor.execute(sql, parameters))
        return self

    async def executemany(self, sql: str, parameters: Any) -> Cursor:
        """Runs a statement once for each of the lists of values. Gives the cursor itself."""
        await self._run(lambda: self._cursor.executemany(sql, parameters))
        return self

    async def fetchone(self) -> Optional[Row]:
        """The next row, or None behind the last."""
        return await self._run(self._cursor.fetchone)

    async def fetchmany(self, size: Optional[int] = None) -> list[Row]:
        """The next rows, at most `size`."""
        return await self._run(lambda: self._cursor.fetchmany(size))

    async def fetchall(self) -> list[Row]:
        """All rows that were not fetched yet."""
        return await self._run(self._cursor.fetchall)

    async def fetchnumpy(self) -> dict[str, Any]:
        """A dict of NumPy arrays, one for each column."""
        return await self._run(self._cursor.fetchnumpy)

    async def df(self, date_as_object: bool = False, dtype_backend: Optional[Backend] = None) -> Any:
        """A pandas data frame of all rows; Result.df() says which types it has."""
        return await self._run(lambda: self._cursor.df(date_as_object, dtype_backend))

    async def __aiter__(self) -> AsyncIterator[Row]:
        while rows := await self.fetchmany(_BATCH_ROWS):
            for row in rows:
                yield row


class Connection:
    """A session of a database for asyncio, made by connect() or duplicate(). Any task of any event loop may use it."""

    def __init__(self, connection: _scaup.Connection, worker: _Worker) -> None:
        self._connection = connection
        self._worker = worker

    async def _run(self, work: Callable[[], T]) -> T:
        return await self._worker.run(work, self._connection.interrupt)

    async def cursor(self) -> Cursor:
        """A cursor of its own, for several results at a time. Cursors share their connection's transaction."""
        return Cursor(await self._run(self._connection.cursor), self._worker)

    async def execute(self, sql: str, parameters: Parameters = None) -> Cursor:
        """Runs SQL and gives a cursor with its rows: `async for row in await con.execute(...)`."""
        return await (await self.cursor()).execute(sql, parameters)

    async def executemany(self, sql: str, parameters: Any) -> Cursor:
        """Runs a statement once for each of the lists of values, and gives a cursor with the number of changed rows."""
        return await (await self.cursor()).executemany(sql, parameters)

    async def sql(self, sql: str, params: Parameters = None) -> Optional[_scaup.Result]:
        """Runs SQL and gives its rows as a Result, which is in memory and needs no await; None for statements without rows."""
        run: Any = self._connection
        result: Optional[_scaup.Result] = await self._run(lambda: run._run_sql(sql, params))
        return result

    async def fetchall(self, sql: str, parameters: Parameters = None) -> list[Row]:
        """Runs SQL and gives all of its rows."""
        return await (await self.execute(sql, parameters)).fetchall()

    async def fetchone(self, sql: str, parameters: Parameters = None) -> Optional[Row]:
        """Runs SQL and gives its first row, or None."""
        return await (await self.execute(sql, parameters)).fetchone()

    async def append(self, table: str, rows: Any, schema: str = "main", *, by_name: bool = False) -> None:
        """Puts dicts, or a frame, into a collection or a table, as the append() of an ordinary connection does."""
        await self._run(lambda: self._connection.append(table, rows, schema, by_name=by_name))

    async def begin(self) -> None:
        """Begins a transaction."""
        await self._run(self._connection.begin)

    async def commit(self) -> None:
        """Commits the transaction, if there is one."""
        await self._run(self._connection.commit)

    async def rollback(self) -> None:
        """Rolls the transaction back."""
        await self._run(self._connection.rollback)

    @contextlib.asynccontextmanager
    async def transaction(self) -> AsyncIterator[Connection]:
        """`async with con.transaction():` commits what is done in it, or rolls it back where it ends by an exception or a cancellation.

        The transaction is the connection's: other tasks that use the same connection are in it, too."""
        await self.begin()
        try:
            yield self
        except BaseException:
            await asyncio.shield(self.rollback())
            raise
        await self.commit()

    async def duplicate(self) -> Connection:
        """Another session of the same database, with a thread and transactions of its own."""
        return Connection(await self._run(self._connection.duplicate), _Worker())

    def interrupt(self) -> None:
        """Ends the statement that runs now, if any, with OperationalError 57014."""
        self._connection.interrupt()

    async def close(self) -> None:
        """Closes the connection when the statements before it have ended. Further use raises InterfaceError."""
        with contextlib.suppress(RuntimeError):  # its thread has ended: it was closed before
            await self._worker.run(self._connection.close)
        self._worker.stop()

    async def __aenter__(self) -> Connection:
        return self

    async def __aexit__(
        self, kind: Optional[type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        await self.close()
