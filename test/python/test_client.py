"""scaup.client: the client in Python, beside the server of scaup.serve()."""

import datetime
import decimal
import threading
import time
import uuid

import pytest
import scaup
from scaup import client

pa = pytest.importorskip("pyarrow")


@pytest.fixture(scope="module")
def server():
    with scaup.serve(scaup.connect(), "127.0.0.1:0") as one:
        yield one


def port_of(server):
    return int(server.addresses[0].rsplit(":", 1)[1])


@pytest.fixture
def con(server):
    with client.connect(host="127.0.0.1", port=port_of(server), user="tester", database="test") as one:
        yield one


def test_rows(con):
    cursor = con.execute("SELECT i, i * 0.5 AS h, 'v' || i AS v, CASE WHEN i > 1 THEN i END AS n FROM range(3) t(i)")
    assert [column[:2] for column in cursor.description] == [("i", 20), ("h", 1700), ("v", 25), ("n", 20)]
    assert cursor.rowcount == 3 and cursor.fetchone() == (0, decimal.Decimal("0.0"), "v0", None)
    assert cursor.fetchmany(1) == [(1, decimal.Decimal("0.5"), "v1", None)] and cursor.fetchall() == [(2, decimal.Decimal("1.0"), "v2", 2)]
    assert con.execute("SELECT 1; SELECT 2").fetchall() == [(2,)]
    assert con.execute("CREATE TABLE client_t (a INTEGER)").description is None
    assert con.execute("INSERT INTO client_t VALUES (1), (2)").rowcount == 2
    both = con.execute("SELECT 5; DELETE FROM client_t; SELECT 6; INSERT INTO client_t VALUES (1), (2)")
    assert (both.description, both.rowcount, both.fetchall()) == (None, 2, [])
    assert con.execute("SELECT 1 AS a WHERE false").description[0][0] == "a"
    assert con.execute("UPDATE client_t SET a = a + 1 RETURNING a").fetchall() == [(2,), (3,)]
    con.execute("DROP TABLE client_t")


def test_values_there_and_back(con):
    values = [
        True, 42, -(2**62), 1.5, decimal.Decimal("12.50"), "text with ' and \\ and é", b"\0\xff", datetime.date(2024, 2, 29), datetime.time(12, 30, 1, 5),
        datetime.datetime(2024, 2, 29, 12, 30, 1, 500000), datetime.datetime(2024, 2, 29, 12, tzinfo=datetime.timezone.utc), datetime.timedelta(3, 5, 7),
        uuid.UUID(int=5), [1, None, 3], ["a", 'b"c', "d,e", "NULL", None], [[1, 2], [3]], None,
    ]
    assert list(con.execute(f"SELECT {', '.join('?' * len(values))}", values).fetchone()) == values
    assert con.execute("SELECT $2, $1, $2", [1, "x"]).fetchone() == ("x", 1, "x")
    assert con.execute("SELECT $a || $b, '?'", {"a": "x", "b": "y"}).fetchone() == ("xy", "?")
    assert con.execute("SELECT -1 - ?", [-2]).fetchone() == (1,)
    with pytest.raises(client.ProgrammingError, match="2 parameters, but 3 values"):
        con.execute("SELECT ?, ?", [1, 2, 3])
    with pytest.raises(client.ProgrammingError, match="more than the 1 parameters"):
        con.execute("SELECT ?, ?", [1])


def test_errors(con):
    with pytest.raises(client.ProgrammingError) as caught:
        con.execute("SELECT é.x,\n foo")
    assert caught.value.sqlstate in ("42703", "42P01") and caught.value.position is not None and "^" in str(caught.value)
    with pytest.raises(client.DataError) as caught:
        con.execute("SELECT 1 / 0")
    assert caught.value.sqlstate == "22012"
    con.execute("CREATE TABLE client_e (a INTEGER PRIMARY KEY)")
    with pytest.raises(client.IntegrityError):
        con.executemany("INSERT INTO client_e VALUES (?)", [[1], [1]])
    assert con.execute("SELECT count(*) FROM client_e").fetchone() == (0,)
    con.execute("DROP TABLE client_e")


def test_transactions(con):
    con.execute("CREATE TABLE client_x (a INTEGER)")
    con.begin()
    con.execute("INSERT INTO client_x VALUES (1)")
    assert con.in_transaction
    con.rollback()
    con.rollback()
    assert con.executemany("INSERT INTO client_x VALUES (?)", [[i] for i in range(2500)]).rowcount == 2500
    assert con.execute("SELECT count(*), sum(a) FROM client_x").fetchone() == (2500, 3123750)
    with pytest.raises(client.DataError):
        con.executemany("INSERT INTO client_x VALUES (1 / ?)", [[i - 2000] for i in range(2500)])
    assert not con.in_transaction and con.execute("SELECT count(*) FROM client_x").fetchone() == (2500,)
    con.execute("DROP TABLE client_x")


def test_tables(con):
    table = con.arrow("SELECT i, 'v' || i AS v FROM range(?) t(i)", [100000])
    assert table.num_rows == 100000 and table.schema == pa.schema([("i", pa.int64()), ("v", pa.string())])
    con.execute("CREATE TABLE client_a (v TEXT, i BIGINT, extra INTEGER DEFAULT 5)")
    assert con.ingest("client_a", table) == 100000
    assert con.execute("SELECT count(*), sum(i), min(extra), count(*) FILTER (WHERE v = 'v' || i) FROM client_a").fetchone() == (100000, 4999950000, 5, 100000)
    assert con.arrow("client_a").num_rows == 100000
    assert con.ingest("client_a", pa.RecordBatchReader.from_batches(table.schema, table.slice(0, 10).to_batches()), compression="zstd") == 10
    with pytest.raises(client.ProgrammingError):
        con.ingest("client_a", pa.table({"nope": [1]}))
    with pytest.raises(client.DataError):
        con.ingest("client_a", pa.table({"i": ["x"]}))
    assert con.execute("SELECT count(*) FROM client_a").fetchone() == (100010,)
    with pytest.raises(client.ProgrammingError) as caught:
        con.arrow("SELECT foo FROM client_a")
    assert caught.value.position == 7
    con.execute("DROP TABLE client_a")


def test_readers(con):
    with con.arrow_reader("SELECT i FROM range(1000000) t(i)", chunk_bytes=100000) as reader:
        assert 10000 < reader.read_next_batch().num_rows < 20000
        with pytest.raises(client.ProgrammingError, match="read it to its end"):
            con.execute("SELECT 1")
        assert sum(batch.num_rows for batch in reader) > 900000
    assert con.execute("SELECT 1").fetchone() == (1,)
    with con.arrow_reader("SELECT i FROM range(100000000) t(i)") as reader:
        reader.read_next_batch()
    assert con.execute("SELECT 2").fetchone() == (2,)
    with pytest.raises(Exception, match="division by zero"), con.arrow_reader("SELECT 1 / (i - 500000) FROM range(1000000) t(i)", chunk_bytes=10000) as reader:
        reader.read_all()
    assert con.execute("SELECT 3").fetchone() == (3,)


def test_cancel(con):
    threading.Timer(0.2, con.cancel).start()
    begin = time.monotonic()
    with pytest.raises(client.OperationalError) as caught:
        con.execute("SELECT count(*) FROM range(100000000) a(x), range(100000) b(y) WHERE (x + y) % 7 = 8")
    assert caught.value.sqlstate == "57014" and time.monotonic() - begin < 10
    assert con.execute("SELECT 1").fetchone() == (1,)


def test_ways_to_connect(server, tmp_path):
    port = port_of(server)
    with scaup.serve(scaup.connect(), socket=tmp_path, port=7433):
        for dsn in (f"postgresql://ann@127.0.0.1:{port}/x", f"host=127.0.0.1 port={port} user=ann dbname=x", f"host={tmp_path} port=7433"):
            with client.connect(dsn, application_name="test") as con:
                assert con.execute("SELECT current_setting('application_name')").fetchone() == ("test",)
                assert con.parameters["server_encoding"] == "UTF8"
    with pytest.raises(client.OperationalError, match="could not connect"):
        client.connect(host="127.0.0.1", port=1, connect_timeout=5)
    with pytest.raises(client.OperationalError, match="does not encrypt"):
        client.connect(host="127.0.0.1", port=port, sslmode="require")
    with pytest.raises(client.ProgrammingError, match="sslmode"):
        client.connect(sslmode="maybe")
    with pytest.raises(client.InterfaceError):
        con.execute("SELECT 1")

