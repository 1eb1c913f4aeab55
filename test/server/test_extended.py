"""The extended query protocol: prepared statements, portals, pipelines, errors until Sync."""

import asyncio
import decimal
import struct

import asyncpg
import pg8000.native
import psycopg
import psycopg2
import psycopg2.extras
import pytest
from protocol import fields


def parse(one, name, sql, *oids):
    body = name.encode() + b"\0" + sql.encode() + b"\0" + struct.pack("!h", len(oids)) + b"".join(struct.pack("!I", o) for o in oids)
    return one.message(b"P", body)


def bind(one, portal, name, *values, result=0):
    body = portal.encode() + b"\0" + name.encode() + b"\0" + struct.pack("!hh", 0, len(values))
    for value in values:
        body += struct.pack("!i", -1) if value is None else struct.pack("!i", len(value)) + value
    return one.message(b"B", body + struct.pack("!hh", 1, result))


def execute(one, portal="", rows=0):
    return one.message(b"E", portal.encode() + b"\0" + struct.pack("!i", rows))


def test_messages_in_order(wire):
    one = wire()
    one.send(parse(one, "s", "SELECT $1::int + 1 AS x"), one.message(b"D", b"Ss\0"), bind(one, "p", "s", b"41"),
             one.message(b"D", b"Pp\0"), execute(one, "p"), one.message(b"C", b"Pp\0"), one.message(b"S"))
    answer = one.until(b"Z")
    assert "".join(kind.decode() for kind, _ in answer) == "1tT2TDC3Z"
    assert dict(answer)[b"t"] == struct.pack("!hI", 1, 23)
    assert dict(answer)[b"D"] == struct.pack("!hi", 1, 2) + b"42"


def test_statements_without_rows(wire):
    one = wire()
    one.send(parse(one, "", "CREATE TABLE e1 (a INTEGER)"), one.message(b"D", b"S\0"), bind(one, "", ""), execute(one), one.message(b"S"))
    assert one.kinds() == "1tn2CZ"
    one.send(parse(one, "", ""), bind(one, "", ""), execute(one), one.message(b"S"))
    assert one.kinds() == "12IZ"
    one.send(parse(one, "", "INSERT INTO e1 VALUES ($1) RETURNING a"), bind(one, "", "", b"7"), execute(one), one.message(b"S"))
    answer = one.until(b"Z")
    assert [body for kind, body in answer if kind == b"C"] == [b"INSERT 0 1\0"]
    assert "".join(kind.decode() for kind, _ in answer) == "12DCZ"


def test_errors_skip_until_sync(wire):
    one = wire()
    one.send(parse(one, "", "SELECT foo"), bind(one, "", ""), execute(one), one.message(b"H"))
    kind, body = one.read()
    assert kind == b"E" and fields(body)["C"] == "42703" and fields(body)["P"] == "8"
    one.send(one.message(b"Q", b"SELECT 1\0"), one.message(b"S"), one.message(b"Q", b"SELECT 1\0"))
    assert one.kinds() == "Z"
    assert one.kinds() == "TDCZ"
    codes = []
    for messages in ([parse(one, "", "SELECT 1; SELECT 2")], [bind(one, "", "missing")], [execute(one, "missing")],
                     [parse(one, "twice", "SELECT 1"), parse(one, "twice", "SELECT 1")],
                     [parse(one, "", "SELECT $1::int"), bind(one, "", "")],
                     [parse(one, "", "SELECT $1::int"), bind(one, "", "", b"x"), execute(one)]):
        one.send(*messages, one.message(b"S"))
        codes.append([fields(body)["C"] for kind, body in one.until(b"Z") if kind == b"E"])
    assert codes == [["42601"], ["26000"], ["34000"], ["42P05"], ["08P01"], ["22P02"]]


def test_row_limits_and_portals_side_by_side(wire):
    one = wire()
    one.send(one.message(b"Q", b"BEGIN\0"))
    one.until(b"Z")
    one.send(parse(one, "s", "SELECT i FROM range(7) t(i)"), bind(one, "a", "s"), bind(one, "b", "s"), execute(one, "a", 3),
             execute(one, "b", 2), execute(one, "a", 3), execute(one, "b"), execute(one, "a", 3), one.message(b"S"))
    assert one.kinds() == "122DDDsDDsDDDsDDDDDCDCZ"
    # A portal outlives other statements of its transaction, and not the transaction.
    one.send(bind(one, "c", "s"), execute(one, "c", 1), one.message(b"S"))
    assert one.kinds() == "2DsZ"
    one.send(one.message(b"Q", b"SELECT 1\0"))
    assert one.kinds() == "TDCZ"
    one.send(execute(one, "c", 6), execute(one, "c", 1), one.message(b"S"))
    assert one.kinds() == "DDDDDDsCZ"
    one.send(one.message(b"Q", b"COMMIT\0"))
    one.until(b"Z")
    one.send(execute(one, "c"), one.message(b"S"))
    assert one.kinds() == "EZ"


def test_what_stands_before_sync_is_one_transaction(server, connection, wire):
    connection.execute("CREATE TABLE pipe (a INTEGER)")
    one = wire()
    insert = [parse(one, "i", "INSERT INTO pipe VALUES ($1)"), bind(one, "", "i", b"1"), execute(one)]
    one.send(*insert, bind(one, "", "i", b"x"), execute(one), one.message(b"S"))
    assert one.kinds() == "12C2EZ"
    assert connection.execute("SELECT count(*) FROM pipe").fetchone() == (0,)
    one.send(bind(one, "", "i", b"1"), execute(one), bind(one, "", "i", b"2"), execute(one), one.message(b"S"))
    assert one.kinds() == "2C2CZ"
    assert connection.execute("SELECT count(*) FROM pipe").fetchone() == (2,)
    # VACUUM runs in no transaction.
    one.send(parse(one, "", "VACUUM"), bind(one, "", ""), execute(one), one.message(b"S"))
    assert one.kinds() == "12CZ"
    connection.execute("DROP TABLE pipe")


def test_pipeline_and_executemany(connection):
    connection.execute("CREATE TABLE many (a INTEGER, b TEXT)")
    with connection.cursor() as cursor:
        cursor.executemany("INSERT INTO many VALUES (%s, %s)", [(i, str(i)) for i in range(500)])
        assert cursor.rowcount == 500
    with connection.pipeline():
        results = [connection.execute("SELECT %s::int", [i]) for i in range(50)]
    assert [one.fetchone()[0] for one in results] == list(range(50))
    with pytest.raises(psycopg.errors.DivisionByZero):
        with connection.pipeline():
            connection.execute("INSERT INTO many VALUES (1, 'x')")
            connection.execute("SELECT 1 / 0")
    assert connection.execute("SELECT count(*), sum(a) FROM many").fetchone() == (500, 124750)
    connection.execute("DROP TABLE many")


def test_statements_that_come_again_are_prepared(connection):
    for i in range(20):
        assert connection.execute("SELECT %s::int * 2", [i], prepare=True).fetchone() == (2 * i,)
    connection.execute("DEALLOCATE ALL")
    assert connection.execute("SELECT 1").fetchone() == (1,)


def test_a_changed_result_is_refused(server, wire, connection):
    connection.execute("CREATE TABLE changing (a INTEGER)")
    one = wire()
    one.send(parse(one, "s", "SELECT * FROM changing"), one.message(b"D", b"Ss\0"), one.message(b"S"))
    one.until(b"Z")
    connection.execute("ALTER TABLE changing ADD COLUMN b TEXT")
    one.send(bind(one, "", "s"), execute(one), one.message(b"S"))
    assert [fields(body)["C"] for kind, body in one.until(b"Z") if kind == b"E"] == ["0A000"]
    connection.execute("DROP TABLE changing")


def test_psycopg2(server):
    one = psycopg2.connect(server.dsn())
    with one.cursor() as cursor:
        cursor.execute("CREATE TEMPORARY TABLE p2 (a INTEGER, b TEXT)")
        psycopg2.extras.execute_values(cursor, "INSERT INTO p2 VALUES %s", [(i, "x") for i in range(300)])
        cursor.execute("SELECT count(*), array[1, 2], 1.50, true FROM p2 WHERE b = %s", ("x",))
        assert cursor.fetchall() == [(300, [1, 2], decimal.Decimal("1.50"), True)]
    one.rollback()
    one.close()


def test_pg8000(server):
    one = pg8000.native.Connection("tester", host="127.0.0.1", port=server.port)
    assert one.run("SELECT :a::int + 1, :b::text", a=4, b="x") == [[5, "x"]]
    with pytest.raises(pg8000.native.DatabaseError):
        one.run("SELECT foo")
    assert one.run("SELECT 1") == [[1]]
    one.close()


def test_asyncpg(server):
    async def use():
        one = await asyncpg.connect(host="127.0.0.1", port=server.port, user="tester", database="test")
        assert await one.fetchval("SELECT $1::int + 1", 41) == 42
        async with one.transaction():
            total = 0
            async for row in one.cursor("SELECT i FROM range(1000) t(i)", prefetch=64):
                total += row["i"]
        assert total == 499500
        await one.execute("CREATE TEMPORARY TABLE ap (a INTEGER, b TEXT)")
        await one.executemany("INSERT INTO ap VALUES ($1, $2)", [(i, str(i)) for i in range(100)])
        assert await one.fetchval("SELECT sum(a) FROM ap") == 4950
        with pytest.raises(asyncpg.UndefinedColumnError):
            await one.fetch("SELECT foo")
        assert await one.fetchval("SELECT 1") == 1
        await one.close()

    asyncio.run(asyncio.wait_for(use(), 60))


def test_cursors_of_the_server_by_psycopg(server):
    with server.connect() as one:
        with one.cursor("step by step") as cursor:
            cursor.itersize = 300
            cursor.execute("SELECT i, 'v' || i AS name FROM range(1000) t(i) WHERE i >= %s", [10])
            assert [(column.name, column.type_code) for column in cursor.description] == [("i", 20), ("name", 25)]
            assert cursor.fetchone() == (10, "v10")
            assert cursor.fetchmany(2) == [(11, "v11"), (12, "v12")]
            assert sum(row[0] for row in cursor) == sum(range(13, 1000))
        with one.cursor("back", scrollable=True) as cursor:
            cursor.execute("SELECT i FROM range(10) t(i)")
            assert cursor.fetchall()[-1] == (9,)
            cursor.scroll(2, mode="absolute")
            assert cursor.fetchone() == (2,)
            cursor.scroll(-2)
            assert cursor.fetchone() == (1,)
        with one.cursor("held", withhold=True) as cursor:
            cursor.execute("SELECT i FROM range(3) t(i)")
            one.commit()
            assert cursor.fetchall() == [(0,), (1,), (2,)]
        one.commit()
        with pytest.raises(psycopg.errors.InvalidCursorName):
            one.execute('FETCH NEXT FROM "held"')


def test_cursors_of_the_server_by_psycopg2(server):
    one = psycopg2.connect(server.dsn())
    with one.cursor("named") as cursor:
        cursor.itersize = 7
        cursor.execute("SELECT i, i * 0.5 FROM range(%s) t(i)", (20,))
        assert cursor.fetchone() == (0, decimal.Decimal("0.0"))
        assert [column.name for column in cursor.description][0] == "i"
        assert [row[0] for row in cursor] == list(range(1, 20))
    one.rollback()
    one.close()


def test_statements_about_cursors_are_described(wire):
    one = wire()
    one.send(one.message(b"Q", b'BEGIN; DECLARE "A b" SCROLL CURSOR FOR SELECT 1 AS x, \'t\' AS y FROM range(3)\0'))
    codes = [body for kind, body in one.until(b"Z") if kind == b"C"]
    assert codes == [b"BEGIN\0", b"DECLARE CURSOR\0"]
    for messages in ([one.message(b"D", b"PA b\0")], [parse(one, "", 'FETCH 2 FROM "A b"'), one.message(b"D", b"S\0")]):
        one.send(*messages, one.message(b"S"))
        description = dict(one.until(b"Z"))[b"T"]
        assert description[:2] == struct.pack("!h", 2) and description[2:4] == b"x\0"
    one.send(bind(one, "", ""), execute(one), parse(one, "", 'MOVE 1 FROM "A b"'), one.message(b"D", b"S\0"), bind(one, "", ""),
             execute(one), one.message(b"C", b"PA b\0"), one.message(b"S"))
    answer = one.until(b"Z")
    assert "".join(kind.decode() for kind, _ in answer) == "2DDC1tn2C3Z"
    assert [body for kind, body in answer if kind == b"C"] == [b"FETCH 2\0", b"MOVE 1\0"]
    one.send(one.message(b"Q", b'FETCH 1 FROM "A b"\0'))
    assert [fields(body)["C"] for kind, body in one.until(b"Z") if kind == b"E"] == ["34000"]


def test_a_cursor_of_another_shape_is_described_anew(wire):
    one = wire()
    one.send(one.message(b"Q", b"BEGIN; DECLARE c CURSOR FOR SELECT 1 AS x\0"))
    one.until(b"Z")
    one.send(parse(one, "f", "FETCH c"), bind(one, "", "f"), execute(one), one.message(b"S"))
    assert one.kinds() == "12DCZ"
    one.send(one.message(b"Q", b"CLOSE c; DECLARE c CURSOR FOR SELECT 1 AS x, 2 AS y\0"))
    one.until(b"Z")
    one.send(bind(one, "", "f"), one.message(b"D", b"P\0"), execute(one), one.message(b"S"))
    answer = one.until(b"Z")
    assert "".join(kind.decode() for kind, _ in answer) == "2TDCZ"
    assert dict(answer)[b"D"][:2] == struct.pack("!h", 2)


def test_connections_go_back_to_pools_as_new(server):
    async def use():
        async with asyncpg.create_pool(host="127.0.0.1", port=server.port, user="tester", database="test", min_size=1, max_size=1) as pool:
            async with pool.acquire() as one:
                await one.execute("SET application_name = 'first'; CREATE TYPE pool_mood AS ENUM ('a', 'b')")
                assert await one.fetchval("SELECT ARRAY['a', 'b']::pool_mood[]") == ["a", "b"]
            async with pool.acquire() as one:
                assert await one.fetchval("SELECT current_setting('application_name')") == ""
                await one.execute("DROP TYPE pool_mood")

    asyncio.run(asyncio.wait_for(use(), 60))
    with server.connect(autocommit=True) as one:
        one.execute("CREATE TEMP TABLE of_session (a INTEGER)")
        for _ in range(8):
            one.execute("SELECT 1", prepare=True)
        one.execute("SET timezone = 'Asia/Tokyo'")
        one.execute("DISCARD ALL")
        assert one.info.parameter_status("TimeZone") == "UTC"
        with pytest.raises(psycopg.errors.UndefinedTable):
            one.execute("SELECT * FROM of_session")
