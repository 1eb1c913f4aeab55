"""Several databases at once, from Python."""

import pytest

import scaup


def test_attached_databases_are_seen_by_all_cursors(tmp_path):
    other = tmp_path / "other.scaup"
    con = scaup.connect()
    con.execute(f"ATTACH '{other}' AS o")
    con.execute("CREATE TABLE o.t AS SELECT i, i * 2 AS twice FROM range(5) AS r(i)")
    con.execute("CREATE TABLE here AS SELECT 3 AS i")
    assert con.execute("SELECT twice FROM here JOIN o.t USING (i)").fetchall() == [(6,)]
    cursor = con.cursor()
    assert cursor.execute("SELECT count(*) FROM o.main.t").fetchone() == (5,)
    cursor.execute("USE o")
    assert cursor.execute("SELECT current_database(), sum(i) FROM t").fetchone() == ("o", 10)
    cursor.close()
    con.execute("USE memory")  # Cursors share the session of their connection.
    assert con.execute("SELECT current_database()").fetchone() == ("memory",)
    assert con.execute("SHOW DATABASES").fetchall() == [("memory",), ("o",)]
    con.execute("DETACH o")
    con.close()
    with scaup.connect(other) as again:
        assert again.execute("SELECT count(*) FROM t").fetchone() == (5,)


def test_a_transaction_changes_one_database():
    con = scaup.connect()
    con.execute("ATTACH ':memory:' AS o")
    con.execute("CREATE TABLE t (a INTEGER)")
    con.execute("CREATE TABLE o.t (a INTEGER)")
    con.execute("BEGIN")
    con.execute("INSERT INTO o.t VALUES (?)", [1])
    with pytest.raises(scaup.Error) as error:
        con.execute("INSERT INTO t VALUES (1)")
    assert error.value.sqlstate == "25000"
    con.execute("ROLLBACK")
    con.close()
