"""Databases in files: what is kept, who may open them, what is left when they are closed."""

import datetime
import decimal
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import tempfile

import kill_under_load
import pytest
import scaup


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "x.scaup")


def test_rows_are_there_again(path):
    row = (
        True, 1, 2**40, 2**100, 1.5, decimal.Decimal("-12.34"), "grüße", b"\x00\xff", datetime.date(2024, 2, 29),
        datetime.time(1, 2, 3, 4), datetime.datetime(2024, 2, 29, 1, 2, 3, 4), datetime.timedelta(days=3),
    )
    with scaup.connect(path) as con:
        con.execute("CREATE TABLE t (b BOOLEAN, i INTEGER, l BIGINT, h HUGEINT, f DOUBLE PRECISION, d DECIMAL(10,2), v VARCHAR, o BLOB, "
                    "da DATE, ti TIME, ts TIMESTAMP, iv INTERVAL)")
        con.execute(f"INSERT INTO t VALUES ({', '.join('?' * len(row))})", row)
        con.execute("INSERT INTO t (i) VALUES (NULL)")
    for _ in range(2):
        with scaup.connect(path) as con:
            assert con.execute("SELECT * FROM t").fetchall() == [row, (None,) * len(row)]
            assert con.execute("SELECT l FROM t").fetchnumpy()["l"].tolist() == [2**40, None]


def test_closing_leaves_one_file(tmp_path, path):
    with scaup.connect(path) as con:
        con.execute("CREATE TABLE t AS SELECT i FROM range(1000) AS r(i)")
        assert os.path.exists(path + ".wal")
    assert os.listdir(tmp_path) == ["x.scaup"]
    con = scaup.connect(path)
    con.execute("INSERT INTO t VALUES (1)")
    other = con.duplicate()
    con.close()
    assert other.execute("SELECT count(*) FROM t").fetchone() == (1001,)
    other.close()
    assert os.listdir(tmp_path) == ["x.scaup"]


def test_an_error_in_the_block_closes_too(tmp_path, path):
    with pytest.raises(ZeroDivisionError):
        with scaup.connect(path) as con:
            con.execute("CREATE TABLE t (i INTEGER)")
            con.execute("INSERT INTO t VALUES (1)")
            _ = 1 / 0
    assert os.listdir(tmp_path) == ["x.scaup"]
    with scaup.connect(path) as con:
        assert con.execute("SELECT * FROM t").fetchall() == [(1,)]


def test_pathlib(tmp_path):
    with scaup.connect(tmp_path / "p.scaup") as con:
        con.execute("CREATE TABLE t (i INTEGER)")
    assert os.listdir(tmp_path) == ["p.scaup"]
    with pytest.raises(TypeError):
        scaup.connect(42)


def test_a_result_does_not_keep_the_file(path):
    with scaup.connect(path) as con:
        con.execute("CREATE TABLE t AS SELECT i, 'text ' || i AS s FROM range(200000) AS r(i)")
    with scaup.connect(path) as con:
        result = con.sql("SELECT * FROM t").execute()
        array = con.sql("SELECT i FROM t").fetchnumpy()["i"]
    with scaup.connect(path) as con:
        con.execute("DROP TABLE t")
        con.execute("VACUUM")
    assert array.sum() == 19999900000
    assert result.fetchall()[-1] == (199999, "text 199999")


@pytest.mark.parametrize("arguments", [{"read_only": True}, {"config": {"access_mode": "read_only"}}])
def test_read_only(path, arguments):
    with pytest.raises(scaup.OperationalError) as caught:
        scaup.connect(path, **arguments)
    assert caught.value.sqlstate == "58P01" and not os.path.exists(path)
    with scaup.connect(path) as con:
        con.execute("CREATE TABLE t AS SELECT 1 AS i")
    before = pathlib.Path(path).read_bytes()
    with scaup.connect(path, **arguments) as con, scaup.connect(path, **arguments) as other:
        assert con.execute("SELECT i FROM t").fetchall() == other.execute("SELECT i FROM t").fetchall() == [(1,)]
        for sql in ("INSERT INTO t VALUES (2)", "CREATE TABLE u (i INTEGER)"):
            with pytest.raises(scaup.Error, match="read-only") as caught:
                con.execute(sql)
            assert caught.value.sqlstate == "25006"
    assert pathlib.Path(path).read_bytes() == before


def test_readers_in_several_processes(path):
    with scaup.connect(path) as con:
        con.execute("CREATE TABLE t AS SELECT i FROM range(1000) AS r(i)")
    script = "import sys, scaup; con = scaup.connect(sys.argv[1], read_only=True); print(con.execute('SELECT sum(i) FROM t').fetchone()[0], flush=True); sys.stdin.read()"
    readers = [subprocess.Popen([sys.executable, "-c", script, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    try:
        for reader in readers:
            assert reader.stdout.readline() == "499500\n"
        scaup.connect(path, read_only=True).close()
        with scaup.connect(path) as con:
            con.execute("INSERT INTO t VALUES (1)")
    finally:
        for reader in readers:
            reader.communicate("")
    scaup.connect(path).close()


def test_what_is_no_database(tmp_path):
    foreign = tmp_path / "notes.txt"
    foreign.write_text("These are notes.\n", encoding="ascii")
    with pytest.raises(scaup.OperationalError, match="is not a Scaup database") as caught:
        scaup.connect(foreign)
    assert caught.value.sqlstate == "XX001" and foreign.read_text(encoding="ascii") == "These are notes.\n"
    with pytest.raises(scaup.OperationalError, match="directory does not exist"):
        scaup.connect(tmp_path / "nowhere" / "x.scaup")
    with pytest.raises(scaup.OperationalError, match="Is a directory"):
        scaup.connect(tmp_path)


def test_export_and_import(tmp_path, path):
    with scaup.connect(path) as con:
        con.execute("CREATE TABLE t AS SELECT i, 'text ' || i AS s FROM range(1000) AS r(i)")
        con.execute(f"EXPORT DATABASE '{tmp_path}/out'")
    with scaup.connect(tmp_path / "y.scaup") as con:
        con.execute(f"IMPORT DATABASE '{tmp_path}/out'")
    with scaup.connect(tmp_path / "y.scaup", read_only=True) as con:
        assert con.execute("SELECT count(*), sum(i), max(s) FROM t").fetchall() == [(1000, 499500, "text 999")]


def test_killed_under_load(tmp_path):
    total, _, logs = kill_under_load.run(10, seed=int.from_bytes(os.urandom(4), "little"), directory=str(tmp_path))
    assert total > 0 and logs > 0


def test_an_empty_file_becomes_a_database(tmp_path):
    descriptor, path = tempfile.mkstemp(dir=tmp_path)
    os.close(descriptor)
    mode = os.stat(path).st_mode
    with pytest.raises(scaup.OperationalError) as caught:
        scaup.connect(path, read_only=True)
    assert caught.value.sqlstate == "XX001"
    with scaup.connect(path) as con:
        con.execute("CREATE TABLE t AS SELECT 42 AS i")
    with scaup.connect(path) as con:
        assert con.execute("SELECT i FROM t").fetchall() == [(42,)]
    assert os.stat(path).st_mode == mode


def test_an_empty_file_with_a_log_is_damaged(tmp_path):
    path = tmp_path / "x.scaup"
    con = scaup.connect(str(path))
    con.execute("CREATE TABLE t AS SELECT 42 AS i")
    shutil.copy(str(path) + ".wal", tmp_path / "y.scaup.wal")
    con.close()
    (tmp_path / "y.scaup").write_bytes(b"")
    with pytest.raises(scaup.OperationalError) as caught:
        scaup.connect(str(tmp_path / "y.scaup"))
    assert caught.value.sqlstate == "XX001"


def test_paths_with_nul_are_refused(tmp_path):
    with pytest.raises(scaup.ProgrammingError) as caught:
        scaup.connect(str(tmp_path / "a\0b"))
    assert caught.value.sqlstate == "22023"
    assert os.listdir(tmp_path) == []
    con = scaup.connect()
    for sql in ("COPY (SELECT 1) TO ?", "SELECT * FROM read_csv(?)", "EXPORT DATABASE ?"):
        with pytest.raises(scaup.Error):
            con.execute(sql, [str(tmp_path / "a\0b")])
    assert os.listdir(tmp_path) == []


def test_a_failed_export_leaves_no_directory(tmp_path):
    con = scaup.connect()
    con.execute("CREATE TABLE t AS SELECT i FROM generate_series(1, 10) AS g(i)")
    con.execute("CREATE VIEW v AS SELECT 10 / (i - 5) AS x FROM t")
    (tmp_path / "there").mkdir()
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, limit[1]))
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        for name in ("new", "there"):
            with pytest.raises(scaup.OperationalError):
                con.execute(f"EXPORT DATABASE '{tmp_path / name}'")
        with pytest.raises(scaup.OperationalError):
            scaup.connect(str(tmp_path / "z.scaup"))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
        signal.signal(signal.SIGXFSZ, before)
    assert os.listdir(tmp_path) == ["there"] and os.listdir(tmp_path / "there") == []
