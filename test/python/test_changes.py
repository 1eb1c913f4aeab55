"""insert(), update() and map() of relations, and relations of Parquet files."""

import pytest

import scaup


@pytest.fixture
def t(con):
    con.execute("CREATE TABLE t AS SELECT i AS a, 'text ' || i AS b FROM generate_series(1, 3) AS g(i)")
    return con.table("t")


def test_insert(con, t):
    t.insert(4, "it's")
    t.insert([5, None])
    assert con.execute("SELECT * FROM t WHERE a > 3 ORDER BY a").fetchall() == [(4, "it's"), (5, None)]
    with pytest.raises(scaup.ProgrammingError, match="without further steps"):
        t.filter("a = 1").insert(1, "a")
    with pytest.raises(scaup.ProgrammingError, match="without further steps"):
        con.sql("SELECT 1").insert(1)
    with pytest.raises(scaup.Error):
        t.insert("no number", "a")
    with pytest.raises(scaup.ProgrammingError):
        t.insert()


def test_update(con, t):
    t.update({"b": "it's"}, condition="a = 2 -- two")
    t.update({"a": 7, "b": None}, condition="a > 2")
    assert con.execute("SELECT * FROM t ORDER BY a").fetchall() == [(1, "text 1"), (2, "it's"), (7, None)]
    t.update({"a": 0})
    assert con.execute("SELECT DISTINCT a FROM t").fetchall() == [(0,)]
    with pytest.raises(scaup.ProgrammingError, match="without further steps"):
        t.limit(1).update({"a": 1})
    with pytest.raises(scaup.ProgrammingError, match="dict"):
        t.update({})


def test_map(con, t):
    pytest.importorskip("pandas")
    doubled = t.filter("a > 1").map(lambda frame: frame.assign(a=frame.a * 2))
    assert doubled.order("a").fetchall() == [(4, "text 2"), (6, "text 3")]
    typed = t.map(lambda frame: {"n": list(frame.a)}, schema={"n": "DECIMAL(5,1)"})
    assert typed.types == ["DECIMAL(5,1)"] and len(typed) == 3
    with pytest.raises(scaup.ProgrammingError, match="not those of its schema"):
        t.map(lambda frame: frame, schema={"a": "INT"})
    with pytest.raises(scaup.ProgrammingError, match="must return a data frame"):
        t.map(len)
    with pytest.raises(ZeroDivisionError):
        t.map(lambda frame: 1 / 0)


def test_parquet_files(con, t, tmp_path):
    t.to_parquet(tmp_path / "a.parquet")
    con.sql("SELECT 4 AS a, 1.5 AS c").to_parquet(tmp_path / "b.parquet")
    assert con.read_parquet(tmp_path / "a.parquet").fetchall() == t.fetchall()
    both = con.from_parquet([tmp_path / "a.parquet", str(tmp_path / "b.parquet")], union_by_name=True, filename=True)
    assert both.columns == ["a", "b", "c", "filename"] and len(both) == 4
    assert len(scaup.read_parquet(str(tmp_path / "a.parquet"))) == 3
    with pytest.raises(scaup.ProgrammingError, match="at least one path"):
        con.read_parquet([])


def test_checkpoint(tmp_path):
    with scaup.connect(tmp_path / "x.scaup") as con:
        con.execute("CREATE TABLE t AS SELECT 1")
        con.checkpoint()
        log = tmp_path / "x.scaup.wal"
        assert not log.exists() or log.stat().st_size < 100
