"""COPY from and to clients, in all forms."""

import asyncio
import io
import shutil
import subprocess

import asyncpg
import psycopg
import psycopg2
import pytest

AWKWARD = ["plain", "tab\there", "line\nbreak", "return\rx", "back\\slash", 'quote"s', "comma, too", "", "\\N", "\\.", "hä", None, " spaces "]


def copy_out(connection, sql):
    with connection.cursor().copy(sql) as copy:
        return b"".join(bytes(part) for part in copy)


def copy_in(connection, sql, *parts):
    cursor = connection.cursor()
    with cursor.copy(sql) as copy:
        for part in parts:
            copy.write(part)
    return cursor.rowcount


@pytest.fixture
def table(connection):
    connection.execute("CREATE TABLE c (a INTEGER, b TEXT)")
    yield connection
    connection.execute("DROP TABLE c")


@pytest.mark.parametrize("options", ["", "(FORMAT csv)", "(FORMAT csv, FORCE_QUOTE *)", "(FORMAT csv, DELIMITER ';', QUOTE '''', HEADER)", "(FORMAT csv, ESCAPE '\\', NULL 'nil')",
                                     "(FORMAT binary)", "(DELIMITER '|', NULL 'x y')", "(FORMAT text, HEADER match)"])
def test_there_and_back(table, options):
    for i, text in enumerate(AWKWARD):
        table.execute("INSERT INTO c VALUES (%s, %s)", [i, text])
    data = copy_out(table, f"COPY c TO STDOUT {options}")
    for step in (1, 7, len(data)):
        table.execute("CREATE TABLE back (a INTEGER, b TEXT)")
        parts = [data[i : i + step] for i in range(0, len(data), step)]
        assert copy_in(table, f"COPY back FROM STDIN {options}", *parts) == len(AWKWARD)
        assert table.execute("SELECT b FROM back ORDER BY a").fetchall() == [(text,) for text in AWKWARD]
        table.execute("DROP TABLE back")


def test_text_is_postgresqls(table):
    table.execute("INSERT INTO c VALUES (1, E'a\\tb\\\\c'), (NULL, NULL)")
    assert copy_out(table, "COPY c TO STDOUT") == b"1\ta\\tb\\\\c\n\\N\t\\N\n"
    assert copy_out(table, "COPY c (b, a) TO STDOUT CSV HEADER") == b"b,a\na\tb\\c,1\n,\n"
    assert copy_out(table, "COPY (SELECT true, '\\x01'::bytea, 1.5::float8, ARRAY[1, 2]) TO STDOUT CSV") == b't,\\x01,1.5,"{1,2}"\n'
    assert copy_out(table, "COPY (SELECT 1) TO STDOUT BINARY") == b"PGCOPY\n\xff\r\n\0" + b"\0" * 8 + b"\0\1\0\0\0\4\0\0\0\1\xff\xff"


def test_escapes_of_text(table):
    assert copy_in(table, "COPY c FROM STDIN", b"1\t\\101\\x42\\tc\\q\\\n2\r\n3\t\\N\n\\.\nrest\tis not read\n") == 2
    assert table.execute("SELECT b FROM c ORDER BY a").fetchall() == [("AB\tcq\n2",), (None,)]


def test_columns_defaults_and_generated_ones(connection):
    connection.execute("CREATE TABLE d (a INTEGER, g INTEGER GENERATED ALWAYS AS (a * 2) STORED, s TEXT DEFAULT 'def', t VARCHAR(3))")
    assert copy_in(connection, "COPY d (a) FROM STDIN", b"1\n") == 1
    assert copy_in(connection, "COPY d FROM STDIN CSV", b"2,x,abc\n3,,\n") == 2
    assert connection.execute("SELECT * FROM d ORDER BY a").fetchall() == [(1, 2, "def", None), (2, 4, "x", "abc"), (3, 6, None, None)]
    with pytest.raises(psycopg.errors.StringDataRightTruncation):
        copy_in(connection, "COPY d FROM STDIN CSV", b"2,x,abcd\n")
    connection.execute("DROP TABLE d")


def test_types_as_binary_and_text(connection):
    row = ("true, 5::smallint, 7, 8::bigint, 1.25::real, -0.5::float8, 12.50::numeric(10, 2), 'x', '\\x00ff'::bytea, date '2024-02-29', "
           "time '01:02:03.5', timestamp '1999-12-31 23:59:59', timestamptz '2024-01-01 00:00:00+00', interval '1 mon 2 days', "
           "uuid 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', '{\"a\":1}'::json, ARRAY[1, NULL], ARRAY['a b']")
    connection.execute(f"CREATE TABLE types AS SELECT * FROM (VALUES ({row})) v")
    before = connection.execute("SELECT * FROM types").fetchall()
    for options in ("", "CSV", "BINARY"):
        data = copy_out(connection, f"COPY types TO STDOUT {options}")
        connection.execute("TRUNCATE types")
        assert copy_in(connection, f"COPY types FROM STDIN {options}", data) == 1
        assert connection.execute("SELECT * FROM types").fetchall() == before
    connection.execute("DROP TABLE types")


@pytest.mark.parametrize(
    "sql, data, sqlstate",
    [
        ("COPY c FROM STDIN", b"1\n", "22P04"),
        ("COPY c FROM STDIN", b"1\t2\t3\n", "22P04"),
        ("COPY c FROM STDIN", b"x\ty\n", "22P02"),
        ("COPY c FROM STDIN CSV", b'1,"open\n', "22P04"),
        ("COPY c FROM STDIN BINARY", b"PGCOPY\n\xff\r\n\1" + b"\0" * 10, "22P04"),
        ("COPY c FROM STDIN BINARY", b"PGCOPY\n\xff\r\n\0" + b"\0" * 8 + b"\0\5\xff\xff", "22P04"),
        ("COPY c FROM STDIN BINARY", b"PGCOPY\n\xff\r\n\0" + b"\0" * 7, "22P04"),
        ("COPY c FROM STDIN BINARY", b"PGCOPY\n\xff\r\n\0" + b"\0" * 8 + b"\0\2\0\0", "22P04"),
        ("COPY c FROM STDIN BINARY", b"", "22P04"),
        ("COPY c FROM STDIN BINARY", b"PGCOPY\n\xff\r\n\0" + b"\0" * 8 + b"\0\2\0\0\0\3abc\xff\xff\xff\xff\xff\xff", "22P03"),
        ("COPY c (a, nowhere) FROM STDIN", b"", "42703"),
        ("COPY nowhere FROM STDIN", b"", "42P01"),
        ("COPY c FROM STDIN (FORMAT xml)", b"", "22023"),
        ("COPY c FROM STDIN (QUOTE 'x')", b"", "0A000"),
    ],
)
def test_errors_change_nothing(table, sql, data, sqlstate):
    with pytest.raises(psycopg.Error) as caught:
        copy_in(table, sql, data)
    assert caught.value.sqlstate == sqlstate
    assert table.execute("SELECT count(*) FROM c").fetchone() == (0,)


def test_errors_of_queries_have_positions(connection):
    with pytest.raises(psycopg.errors.UndefinedColumn) as caught:
        copy_out(connection, "COPY (SELECT foo) TO STDOUT")
    assert caught.value.diag.statement_position == "14"


def test_a_client_that_fails(table):
    with pytest.raises(RuntimeError):
        with table.cursor().copy("COPY c FROM STDIN") as copy:
            copy.write(b"1\tx\n")
            raise RuntimeError("no more")
    assert table.execute("SELECT count(*) FROM c").fetchone() == (0,)


def test_copy_within_a_transaction(table):
    with table.transaction(force_rollback=True):
        assert copy_in(table, "COPY c FROM STDIN", b"1\tx\n") == 1
        assert table.execute("SELECT count(*) FROM c").fetchone() == (1,)
    assert table.execute("SELECT count(*) FROM c").fetchone() == (0,)


def test_many_rows(table):
    rows = b"".join(b"%d\trow %d\n" % (i, i) for i in range(300_000))
    parts = [rows[i : i + 50_000] for i in range(0, len(rows), 50_000)]
    assert copy_in(table, "COPY c FROM STDIN", *parts) == 300_000
    assert table.execute("SELECT count(*), sum(a), count(DISTINCT b) FROM c").fetchone() == (300_000, 44999850000, 300_000)
    assert copy_out(table, "COPY (SELECT * FROM c ORDER BY a) TO STDOUT") == rows


@pytest.mark.parametrize("options, count", [("", 2), ("(FORMAT binary)", 2), ("(FORMAT binary)", 0)])
def test_rows_of_psycopg(table, options, count):
    """psycopg takes a message for a row, and finds the head of binary data in the first one."""
    with table.cursor().copy(f"COPY (SELECT * FROM (VALUES (1, 'x'), (2, NULL)) AS v(a, b) LIMIT {count}) TO STDOUT {options}") as copy:
        copy.set_types(["int4", "text"])
        assert list(copy.rows()) == [(1, "x"), (2, None)][:count]


def test_binary_data_may_lack_the_mark_of_the_end(table):
    head = b"PGCOPY\n\xff\r\n\0" + b"\0" * 8
    assert copy_in(table, "COPY c FROM STDIN BINARY", head + b"\0\2" + b"\0\0\0\4\0\0\0\7" + b"\xff" * 4) == 1
    assert copy_in(table, "COPY c FROM STDIN BINARY", head) == 0
    assert table.execute("SELECT * FROM c").fetchall() == [(7, None)]


def test_psycopg2(server, table):
    one = psycopg2.connect(server.dsn())
    with one.cursor() as cursor:
        cursor.copy_from(io.StringIO("1\tx\n2\t\\N\n"), "c")
        out = io.StringIO()
        cursor.copy_expert("COPY c TO STDOUT CSV", out)
        assert out.getvalue() == "1,x\n2,\n"
    one.close()


def test_asyncpg(server, table):
    async def use():
        one = await asyncpg.connect(host="127.0.0.1", port=server.port, user="tester", database="test")
        out = io.BytesIO()
        assert await one.copy_to_table("c", source=io.BytesIO(b"1,x\n"), format="csv") == "COPY 1"
        assert await one.copy_from_query("SELECT * FROM c", output=out, format="csv") == "COPY 1"
        assert out.getvalue() == b"1,x\n"
        await one.close()

    asyncio.run(asyncio.wait_for(use(), 60))


@pytest.mark.skipif(shutil.which("psql") is None, reason="there is no psql")
def test_psql(server, table, tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text('1,"a, b"\n2,\n')
    script = f"\\copy c FROM '{path}' CSV\n\\copy (SELECT * FROM c ORDER BY a) TO STDOUT\n"
    done = subprocess.run(["psql", "-X", "-h", "127.0.0.1", "-p", str(server.port), "-U", "me", "db"], input=script, capture_output=True, text=True, timeout=60)
    assert done.stdout == "COPY 2\n1\ta, b\n2\t\\N\n", done.stderr
