"""The demands of DB-API 2.0 (PEP 249)."""

import pytest
import scaup


def test_module_attributes():
    assert scaup.apilevel == "2.0"
    assert scaup.threadsafety in (0, 1, 2, 3)
    assert scaup.paramstyle == "qmark"
    assert scaup.__version__.count(".") == 2


def test_exception_hierarchy():
    assert issubclass(scaup.Warning, Exception)
    assert issubclass(scaup.InterfaceError, scaup.Error)
    for name in "DataError OperationalError IntegrityError InternalError ProgrammingError NotSupportedError".split():
        assert issubclass(getattr(scaup, name), scaup.DatabaseError)
        assert getattr(scaup.Connection, name) is getattr(scaup, name)


def test_description(con):
    cursor = con.cursor()
    assert cursor.description is None
    cursor.execute("SELECT 1 AS a, 'x' AS b, 1.25::DECIMAL(10,2) AS c, DATE '2024-01-01' AS d")
    assert [column[0] for column in cursor.description] == ["a", "b", "c", "d"]
    assert all(len(column) == 7 for column in cursor.description)
    codes = [column[1] for column in cursor.description]
    assert codes[0] == scaup.NUMBER and codes[1] == scaup.STRING and codes[2] == scaup.NUMBER and codes[3] == scaup.DATETIME
    assert codes[0] != scaup.STRING
    assert cursor.description[2][4:6] == (10, 2)
    cursor.execute("CREATE TABLE t (i INTEGER)")
    assert cursor.description is None


def test_rowcount(con):
    cursor = con.cursor()
    assert cursor.rowcount == -1
    cursor.execute("CREATE TABLE t (i INTEGER)")
    cursor.execute("INSERT INTO t VALUES (1), (2), (3)")
    assert cursor.rowcount == 3
    cursor.executemany("INSERT INTO t VALUES (?)", [(i,) for i in range(5000)])
    assert cursor.rowcount == 5000
    cursor.execute("SELECT * FROM t")
    assert cursor.rowcount == 5003


def test_fetch_methods(con):
    cursor = con.cursor().execute("SELECT i FROM range(10) AS r(i) ORDER BY i")
    assert cursor.fetchone() == (0,)
    assert cursor.fetchmany() == [(1,)]
    assert cursor.fetchmany(3) == [(2,), (3,), (4,)]
    cursor.arraysize = 2
    assert cursor.fetchmany() == [(5,), (6,)]
    assert cursor.fetchall() == [(7,), (8,), (9,)]
    assert cursor.fetchone() is None
    assert cursor.fetchmany(5) == [] and cursor.fetchall() == []


def test_iteration(con):
    assert [row[0] for row in con.execute("SELECT i FROM range(4) AS r(i) ORDER BY i")] == [0, 1, 2, 3]
    assert [row[0] for row in con.sql("SELECT i FROM range(4) AS r(i) ORDER BY i")] == [0, 1, 2, 3]


def test_fetch_without_result(con):
    with pytest.raises(scaup.Error):
        con.cursor().fetchone()
    con.execute("CREATE TABLE t (i INTEGER)")
    with pytest.raises(scaup.Error):
        con.fetchall()


def test_parameters(con):
    assert con.execute("SELECT ?, ?", [1, "x"]).fetchall() == [(1, "x")]
    assert con.execute("SELECT $2, $1", ("a", "b")).fetchall() == [("b", "a")]
    for wrong in ([], [1, 2]):
        with pytest.raises(scaup.ProgrammingError):
            con.execute("SELECT ?::INTEGER", wrong)
    with pytest.raises(scaup.ProgrammingError):
        con.execute("SELECT ?", "text")
    with pytest.raises(scaup.ProgrammingError):
        con.execute("SELECT ?", {"a": 1})
    with pytest.raises(scaup.NotSupportedError):
        con.execute("SELECT ?", [object()])


def test_failed_execute_drops_the_old_result(con):
    con.execute("SELECT 1")
    with pytest.raises(scaup.Error):
        con.execute("SELECT nowhere")
    with pytest.raises(scaup.InterfaceError):
        con.fetchall()
    assert con.rowcount == -1


def test_cursors_have_results_of_their_own(con):
    a, b = con.cursor(), con.cursor()
    a.execute("SELECT 1")
    b.execute("SELECT 2")
    assert (a.fetchall(), b.fetchall()) == ([(1,)], [(2,)])


def test_transactions(con):
    con.execute("CREATE TABLE t (i INTEGER)")
    con.begin()
    con.execute("INSERT INTO t VALUES (1)")
    assert con.execute("SELECT count(*) FROM t").fetchall() == [(1,)]
    con.rollback()
    assert con.execute("SELECT count(*) FROM t").fetchall() == [(0,)]
    con.begin()
    con.execute("INSERT INTO t VALUES (1)")
    con.commit()
    con.begin()
    with pytest.raises(scaup.Error):
        con.execute("SELECT * FROM nothing")
    with pytest.raises(scaup.OperationalError) as raised:
        con.execute("SELECT 1")
    assert raised.value.sqlstate == "25P02"
    con.rollback()
    assert con.execute("SELECT count(*) FROM t").fetchall() == [(1,)]


def test_every_statement_commits_by_itself(con):
    con.execute("CREATE TABLE t (i INTEGER)")
    con.cursor().execute("INSERT INTO t VALUES (1)")
    con.commit()  # DB-API: does nothing
    with pytest.raises(scaup.OperationalError) as raised:
        con.rollback()  # nothing is undone, and it says so
    assert raised.value.sqlstate == "25P01"
    assert con.execute("SELECT count(*) FROM t").fetchall() == [(1,)]


def test_parameters_have_the_types_of_their_values(con):
    con.execute("CREATE TABLE t AS SELECT i::INTEGER AS i FROM range(5) AS r(i)")
    assert con.execute("SELECT count(*) FROM t WHERE i = ?", [1.5]).fetchone() == (0,)
    assert con.execute("SELECT i FROM t WHERE i > ? ORDER BY i LIMIT ?", [2.5, 1]).fetchall() == [(3,)]
    assert con.execute("SELECT i FROM t WHERE i = ?", ["3"]).fetchall() == [(3,)]  # text becomes what is asked for
    assert con.execute("SELECT count(*) FROM t WHERE i = ?", [None]).fetchone() == (0,)
    assert con.execute("SELECT ? + 1, ?, ? IS NULL", [2, "a", None]).fetchone() == (3, "a", True)
    con.execute("INSERT INTO t VALUES (?)", [7])
    assert con.execute("SELECT max(i) FROM t").fetchone() == (7,)


def test_several_statements_give_the_last_result(con):
    assert con.execute("CREATE TABLE t (i INTEGER); INSERT INTO t VALUES (4); SELECT i FROM t").fetchall() == [(4,)]


def test_sql_gives_a_relation(con):
    relation = con.sql("SELECT 1 AS a, 'x' AS b")
    assert relation.columns == ["a", "b"]
    assert relation.types == ["INTEGER", "VARCHAR"]
    assert relation.shape == (1, 2) and len(relation) == 1
    text = repr(relation)
    assert "INTEGER" in text and "(1 row)" in text
    assert con.sql("CREATE TABLE t (i INTEGER)") is None
    assert "(100 rows, 20 shown)" in repr(con.sql("SELECT * FROM range(100) AS r(i)"))


def test_required_methods_that_do_nothing(con):
    cursor = con.cursor()
    cursor.setinputsizes([1])
    cursor.setoutputsize(1)
