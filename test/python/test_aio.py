"""Connections for asyncio: the event loop goes on, statements overlap, and a cancelled task interrupts its statement."""

import asyncio
import time

import pytest
import scaup
import scaup.aio

SLOW = "SELECT count(*) FROM range(3000000) AS a(i), range(3000000) AS b(j) WHERE i + j < 0"


def run(main):
    asyncio.run(asyncio.wait_for(main(), 60))


def test_statements():
    async def main():
        async with scaup.aio.connect() as con:
            await con.execute("CREATE TABLE t (i INTEGER, s VARCHAR)")
            assert (await con.executemany("INSERT INTO t VALUES (?, ?)", [(1, "a"), (2, "b")])).rowcount == 2
            await con.append("t", [{"i": 3}])
            cursor = await con.execute("SELECT i FROM t WHERE i > ? ORDER BY i", [1])
            other = await con.execute("SELECT 'other'")
            assert [row async for row in cursor] == [(2,), (3,)]
            assert await other.fetchone() == ("other",) and cursor.description[0][0] == "i"
            assert await con.fetchall("SELECT count(*) FROM t") == [(3,)] and await con.fetchone("SELECT 1 WHERE false") is None
            result = await con.sql("SELECT $1 AS x", [5])
            assert result.columns == ["x"] and result.fetchall() == [(5,)] and await con.sql("CREATE TABLE u (i INTEGER)") is None
            assert len([row async for row in await con.execute("SELECT i FROM range(5000) AS r(i)")]) == 5000
            arrays = await (await con.execute("SELECT i FROM t ORDER BY i")).fetchnumpy()
            assert arrays["i"].tolist() == [1, 2, 3]
            with pytest.raises(scaup.ProgrammingError):
                await con.execute("SELECT nowhere")
        with pytest.raises((scaup.InterfaceError, RuntimeError)):
            await con.execute("SELECT 1")
        await con.close()

    run(main)


def test_transactions():
    async def main():
        con = await scaup.aio.connect()
        await con.execute("CREATE TABLE t (i INTEGER)")
        async with con.transaction():
            await con.execute("INSERT INTO t VALUES (1)")
        with pytest.raises(ZeroDivisionError):
            async with con.transaction():
                await con.execute("INSERT INTO t VALUES (2)")
                1 / 0
        await con.begin()
        await con.execute("INSERT INTO t VALUES (3)")
        await con.rollback()
        await con.begin()
        await con.execute("INSERT INTO t VALUES (4)")
        await con.commit()
        assert await con.fetchall("SELECT i FROM t ORDER BY i") == [(1,), (4,)]
        await con.close()

    run(main)


def test_two_statements_overlap():
    async def main():
        first = await scaup.aio.connect()
        second = await first.duplicate()
        slow = asyncio.create_task(first.execute(SLOW))
        ticks = 0
        for _ in range(10):
            await asyncio.sleep(0.01)
            ticks += 1
            assert await second.fetchall("SELECT 1") == [(1,)]
        assert ticks == 10 and not slow.done()
        first.interrupt()
        with pytest.raises(scaup.OperationalError) as raised:
            await slow
        assert raised.value.sqlstate == "57014"
        await first.close()
        await second.close()

    run(main)


@pytest.mark.parametrize("delay", [0, 0.001, 0.3])
def test_cancelling_interrupts(delay):
    async def main():
        async with scaup.aio.connect() as con:
            task = asyncio.create_task(con.execute(SLOW))
            waiting = asyncio.create_task(con.fetchall("SELECT 'next'"))
            await asyncio.sleep(delay)
            task.cancel()
            began = time.monotonic()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert time.monotonic() - began < 1
            assert await waiting == [("next",)]
            assert await con.fetchall("SELECT 1") == [(1,)]

    run(main)


def test_cancelling_what_has_not_begun():
    async def main():
        async with scaup.aio.connect() as con:
            slow = asyncio.create_task(con.execute(SLOW))
            await asyncio.sleep(0.1)
            queued = asyncio.create_task(con.execute("CREATE TABLE t (i INTEGER)"))
            await asyncio.sleep(0.05)
            queued.cancel()
            with pytest.raises(asyncio.CancelledError):
                await queued
            assert not slow.done()
            con.interrupt()
            with pytest.raises(scaup.OperationalError):
                await slow
            assert await con.fetchall("SHOW TABLES") == []

    run(main)


def test_a_timeout_in_a_transaction_rolls_back():
    async def main():
        async with scaup.aio.connect() as con:
            await con.execute("CREATE TABLE t (i INTEGER)")

            async def work():
                async with con.transaction():
                    await con.execute("INSERT INTO t VALUES (1)")
                    await con.execute(SLOW)

            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(work(), 0.3)
            assert await con.fetchall("SELECT * FROM t") == []

    run(main)
