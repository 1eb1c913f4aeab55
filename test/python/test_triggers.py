"""Triggers fire whichever way rows come from Python."""

import pytest

import scaup


@pytest.fixture
def audited(con):
    con.execute("CREATE TABLE t (id INT PRIMARY KEY, a VARCHAR)")
    con.execute("CREATE TABLE log (op VARCHAR, id INT, a VARCHAR)")
    con.execute("CREATE FUNCTION note() RETURNS trigger LANGUAGE SQL AS $$ INSERT INTO log VALUES (TG_OP, coalesce(NEW.id, OLD.id), NEW.a) $$")
    con.execute("CREATE FUNCTION clean() RETURNS trigger LANGUAGE SQL AS $$ SELECT NEW.* REPLACE (lower(NEW.a) AS a) $$")
    con.execute("CREATE TRIGGER note AFTER INSERT OR UPDATE OR DELETE ON t FOR EACH ROW EXECUTE FUNCTION note()")
    con.execute("CREATE TRIGGER clean BEFORE INSERT OR UPDATE ON t FOR EACH ROW EXECUTE FUNCTION clean()")


def log(con):
    return con.execute("SELECT op, id, a FROM log ORDER BY id, op").fetchall()


def test_parameters(con, audited):
    for i in range(3):
        assert con.execute("INSERT INTO t VALUES (?, ?)", [i, f"X{i}"]).rowcount == 1
    con.executemany("INSERT INTO t VALUES (?, ?)", [(10, "Y"), (11, "Z")])
    con.execute("UPDATE t SET a = ? WHERE id = ?", ["NEW", 2])
    assert con.execute("DELETE FROM t WHERE id < ?", [2]).rowcount == 2
    assert log(con) == [
        ("DELETE", 0, None), ("INSERT", 0, "x0"), ("DELETE", 1, None), ("INSERT", 1, "x1"), ("INSERT", 2, "x2"), ("UPDATE", 2, "new"),
        ("INSERT", 10, "y"), ("INSERT", 11, "z"),
    ]  # fmt: skip


def test_appender(con, audited):
    with con.appender("t") as appender:
        appender.append_rows([(i, "A") for i in range(2000)])
    assert con.execute("SELECT count(*), count(DISTINCT id), min(a), max(a) FROM log").fetchone() == (2000, 2000, "a", "a")
    assert con.execute("SELECT count(*) FROM t WHERE a = 'a'").fetchone() == (2000,)


def test_functions_of_the_program(con, audited):
    con.create_function("shout", lambda a: a.upper() + "!", ["VARCHAR"], "VARCHAR", type="native")
    con.execute("CREATE FUNCTION shouted() RETURNS trigger LANGUAGE SQL AS $$ INSERT INTO log VALUES (shout(NEW.a), NEW.id, NULL) $$")
    con.execute("CREATE TRIGGER shouted AFTER INSERT ON t FOR EACH ROW EXECUTE FUNCTION shouted()")
    con.execute("INSERT INTO t VALUES (1, 'x')")
    con.execute("INSERT INTO t SELECT i, 'y' FROM generate_series(100, 119) AS s(i)")
    assert con.execute("SELECT op, count(*) FROM log WHERE op LIKE '%!' GROUP BY op ORDER BY op").fetchall() == [("X!", 1), ("Y!", 20)]


def test_an_error_undoes_all(con, audited):
    con.execute("CREATE FUNCTION fail() RETURNS trigger LANGUAGE SQL AS $$ SELECT error('never ' || NEW.a) WHERE NEW.id = 5 $$")
    con.execute("CREATE TRIGGER failed AFTER INSERT ON t FOR EACH ROW EXECUTE FUNCTION fail()")
    with pytest.raises(scaup.Error, match='in trigger "failed" of table "t": never z'):
        con.executemany("INSERT INTO t VALUES (?, ?)", [(4, "Y"), (5, "Z")])
    assert con.execute("SELECT count(*) FROM t WHERE id = 5").fetchone() == (0,)
