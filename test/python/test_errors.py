"""Errors become DB-API's exceptions, with SQLSTATE and position."""

import pytest
import scaup


@pytest.mark.parametrize(
    "sql, exception, sqlstate",
    [
        ("SELEC 1", scaup.ProgrammingError, "42601"),
        ("SELECT nowhere", scaup.ProgrammingError, "42703"),
        ("SELECT * FROM nowhere", scaup.ProgrammingError, "42P01"),
        ("SELECT 'x'::INTEGER", scaup.DataError, "22P02"),
        ("SELECT 1 / 0", scaup.DataError, "22012"),
        ("SELECT 2147483647 + 1", scaup.DataError, "22003"),
        ("INSERT INTO t VALUES (NULL)", scaup.IntegrityError, "23502"),
        ("COPY t FROM '/no/such/file.csv'", scaup.OperationalError, "58P01"),
    ],
)
def test_kinds(con, sql, exception, sqlstate):
    con.execute("CREATE TABLE t (i INTEGER NOT NULL)")
    with pytest.raises(exception) as raised:
        con.execute(sql)
    assert raised.value.sqlstate == sqlstate
    assert raised.value.message


def test_position_counts_characters(con):
    sql = "SELECT 'äöü日本', nowhere"
    with pytest.raises(scaup.ProgrammingError) as raised:
        con.execute(sql)
    assert raised.value.position == sql.index("nowhere")


def test_text_shows_the_place(con):
    with pytest.raises(scaup.Error) as raised:
        con.execute("SELECT 1,\n  nowhere")
    lines = str(raised.value).split("\n")
    assert lines[-2] == "LINE 2:   nowhere"
    assert lines[-1].index("^") == lines[-2].index("nowhere")


def test_errors_of_the_module_have_the_attributes_too(con):
    with pytest.raises(scaup.InterfaceError) as raised:
        con.fetchall()
    assert raised.value.position is None and raised.value.sqlstate


def test_connection_works_on_after_an_error(con):
    for _ in range(100):
        with pytest.raises(scaup.Error):
            con.execute("SELECT nowhere")
    assert con.execute("SELECT 1").fetchall() == [(1,)]


def test_executemany_reports_the_bad_row(con):
    con.execute("CREATE TABLE t (i INTEGER NOT NULL)")
    with pytest.raises(scaup.IntegrityError):
        con.executemany("INSERT INTO t VALUES (?)", [(1,), (None,)])


def test_text_with_a_zero_byte(con):
    with pytest.raises(scaup.Error):
        con.execute("SELECT 1\0; SELECT")
