"""Opening, closing, sharing."""

import gc
import os

import pytest
import scaup


def test_two_databases_do_not_know_each_other():
    a, b = scaup.connect(), scaup.connect(":memory:")
    a.execute("CREATE TABLE t (i INTEGER)")
    with pytest.raises(scaup.ProgrammingError):
        b.execute("SELECT * FROM t")


def test_config():
    con = scaup.connect(config={"threads": 1, "memory_limit": "100MB"})
    assert con.execute("SELECT 1").fetchall() == [(1,)]
    with pytest.raises(scaup.Error, match="nonsense"):
        scaup.connect(config={"nonsense": "1"})


def test_what_cannot_be_opened(tmp_path):
    with pytest.raises(scaup.OperationalError):
        scaup.connect(str(tmp_path / "no folder" / "file.scaup"))
    with pytest.raises(scaup.NotSupportedError):
        scaup.connect(read_only=True)


def test_context_manager_closes():
    with scaup.connect() as con:
        con.execute("SELECT 1")
    with pytest.raises(scaup.InterfaceError, match="closed"):
        con.execute("SELECT 1")


def test_closing_the_connection_closes_its_cursors():
    con = scaup.connect()
    cursor = con.cursor()
    cursor.execute("SELECT 1")
    con.close()
    con.close()
    with pytest.raises(scaup.InterfaceError):
        cursor.execute("SELECT 1")
    with pytest.raises(scaup.InterfaceError):
        cursor.fetchall()
    with pytest.raises(scaup.InterfaceError):
        con.cursor()


def test_closing_a_cursor_leaves_the_connection(con):
    cursor = con.cursor()
    cursor.close()
    with pytest.raises(scaup.InterfaceError):
        cursor.execute("SELECT 1")
    assert con.execute("SELECT 1").fetchall() == [(1,)]


def test_results_outlive_their_connection():
    con = scaup.connect()
    result = con.sql("SELECT 1 AS a, 'text' AS b").execute()
    con.close()
    del con
    gc.collect()
    assert result.fetchall() == [(1, "text")]


def test_duplicate_sees_the_same_database(con):
    con.execute("CREATE TABLE t (i INTEGER)")
    con.execute("INSERT INTO t VALUES (1)")
    other = con.duplicate()
    assert other.execute("SELECT i FROM t").fetchall() == [(1,)]
    con.close()
    assert other.execute("SELECT i FROM t").fetchall() == [(1,)]


def resident_kilobytes():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") // 1024


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="needs /proc")
def test_a_thousand_databases_leak_nothing():
    def open_and_close():
        con = scaup.connect(config={"threads": "2"})
        con.execute("CREATE TABLE t (i INTEGER, s VARCHAR)")
        con.execute("INSERT INTO t VALUES (1, 'a'), (2, NULL)")
        con.execute("SELECT * FROM t").fetchnumpy()
        con.close()

    for _ in range(100):
        open_and_close()
    gc.collect()
    before, threads = resident_kilobytes(), len(os.listdir("/proc/self/task"))
    for _ in range(1000):
        open_and_close()
    gc.collect()
    assert resident_kilobytes() - before < 20000
    assert len(os.listdir("/proc/self/task")) <= threads
