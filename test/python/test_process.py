"""The module in processes that fork, and that end."""

import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap

import pytest

import scaup

GLOBAL = {}


def in_child(work, seconds=30):
    """The text that `work` gives in a child made by fork, which must end by itself."""
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(seconds)
        try:
            text = str(work())
        except BaseException as error:  # pylint: disable=broad-except
            text = f"{type(error).__name__} {getattr(error, 'sqlstate', None)}: {error}"
        os.write(write_end, text.encode())
        os._exit(0)
    os.close(write_end)
    with os.fdopen(read_end) as file:
        text = file.read()
    assert os.waitpid(child, 0)[1] == 0
    return text


def open_global(path):
    connection = scaup.connect(path)
    connection.execute("CREATE TABLE t AS SELECT i FROM generate_series(1, 1000) AS g(i)")
    connection.execute("SELECT count(*) FROM t").fetchall()
    cursor = connection.cursor()
    cursor.execute("SELECT i FROM t ORDER BY i LIMIT 2")
    GLOBAL.update(connection=connection, cursor=cursor, result=connection.sql("SELECT 42").execute())
    return connection


@pytest.mark.parametrize("path", [":memory:", "x.scaup"])
def test_children_are_refused(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    connection = open_global(path)
    for work in (
        lambda: connection.execute("SELECT 1"),
        lambda: connection.execute("SELECT count(*) FROM t"),  # ran before: no worker
        lambda: connection.execute("SELECT 'a text that never ran before'"),
        lambda: connection.execute("SELECT ?", [1]),
        lambda: connection.executemany("INSERT INTO t VALUES (?)", [[1], [2]]),
        lambda: connection.append("t", [{"i": 1}]),
        lambda: connection.sql("SELECT 1"),
        lambda: connection.cursor().execute("SELECT 1"),
        lambda: connection.duplicate(),
        lambda: connection.begin(),
        lambda: GLOBAL["cursor"].execute("SELECT 1"),
    ):
        assert in_child(work).startswith("ProgrammingError 55000: this database was opened before the process was forked")
    assert in_child(lambda: GLOBAL["cursor"].fetchall()) == "[(1,), (2,)]"
    assert in_child(lambda: GLOBAL["result"].fetchall()) == "[(42,)]"
    assert in_child(lambda: (connection.interrupt(), connection.close(), "closed")[-1]) == "closed"
    assert in_child(lambda: scaup.connect().execute("SELECT sum(i) FROM generate_series(1, 100000) AS g(i)").fetchall()) == "[(5000050000,)]"
    assert connection.execute("SELECT count(*) FROM t").fetchall() == [(1000,)]
    connection.close()


def query_global(number):
    try:
        return GLOBAL["connection"].execute(f"SELECT {number} + count(*) FROM t").fetchall()
    except scaup.ProgrammingError as error:
        return error.sqlstate


def test_pool_with_a_global_connection():
    open_global(":memory:")
    with multiprocessing.get_context("fork").Pool(3) as pool:
        assert pool.map_async(query_global, range(20)).get(60) == ["55000"] * 20
        pool.close()
        pool.join()


def run_script(script, folder):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.run([sys.executable, "-X", "faulthandler", "-c", textwrap.dedent(script)], cwd=folder, env=environment, capture_output=True,
                          text=True, timeout=120, check=False)


LONG = "SELECT count(*), sum(a.i * b.i) FROM generate_series(1::bigint, 100000) AS a(i), generate_series(1::bigint, 20000) AS b(i)"
SHORT = "SELECT i, i::text FROM generate_series(1, 2000) AS g(i)"


@pytest.mark.parametrize("work", [
    f"con.duplicate().execute({LONG!r})",
    f"con.execute({LONG!r})",
    f"[con.duplicate().execute({SHORT!r}).fetchall() for _ in range(100000)]",
    f"[con.execute({SHORT!r}).fetchnumpy() for _ in range(100000)]",
    "[scaup.connect().execute('SELECT 1').fetchall() for _ in range(100000)]",
    "[con.duplicate().append('c', [{'k': n} for n in range(1000)]) for _ in range(100000)]",
])
@pytest.mark.parametrize("threads", [1, 4])
def test_end_of_the_interpreter_while_daemons_work(work, threads, tmp_path):
    done = run_script(f"""
        import threading, time, scaup
        con = scaup.connect("x.scaup")
        con.execute("CREATE COLLECTION c")
        con.execute("SELECT 1").fetchnumpy()
        def work():
            {work}
        for _ in range({threads}):
            threading.Thread(target=work, daemon=True).start()
        time.sleep(0.3)
    """, tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_end_of_the_interpreter_with_what_is_alive(tmp_path):
    done = run_script(f"""
        import atexit, threading, time, scaup
        con = scaup.connect("x.scaup")
        con.execute("CREATE TABLE t (i INTEGER)")
        kept = con.execute("SELECT 1").fetchnumpy()
        cursor = con.cursor()
        @atexit.register
        def write():
            con.execute("INSERT INTO t VALUES (1)")
        threading.Thread(target=lambda: con.duplicate().execute({LONG!r}), daemon=True).start()
        time.sleep(0.2)
    """, tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    with scaup.connect(str(tmp_path / "x.scaup")) as connection:
        assert connection.execute("SELECT i FROM t").fetchall() == [(1,)]


def test_child_that_ends_as_usual_leaves_the_file_alone(tmp_path):
    done = run_script("""
        import os, sys, scaup
        con = scaup.connect("x.scaup")
        con.execute("CREATE TABLE t AS SELECT i FROM generate_series(1, 1000) AS g(i)")
        cursor = con.cursor().execute("SELECT 'a text that runs on the worker', count(*) FROM t")
        if os.fork() == 0:
            sys.exit(0)
        status = os.wait()[1]
        con.execute("INSERT INTO t VALUES (0)")
        assert os.path.exists("x.scaup.wal")
        os.kill(os.getpid(), 9 if status == 0 else 15)
    """, tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (-9, "", "")
    with scaup.connect(str(tmp_path / "x.scaup")) as connection:
        assert connection.execute("SELECT count(*) FROM t").fetchall() == [(1001,)]


def test_standard_descriptors_stay_closed(tmp_path):
    done = run_script("""
        import os
        os.close(0); os.close(1)
        import scaup
        con = scaup.connect("x.scaup")
        con.execute("CREATE TABLE t AS SELECT i FROM generate_series(1, 100) AS g(i)")
        for _ in range(5):
            con.execute("SELECT sum(i) FROM t").fetchall()
        for number in (0, 1):
            try:
                os.fstat(number)
                os.write(2, b"descriptor %d is open" % number)
            except OSError:
                pass
        os.kill(os.getpid(), 9)
    """, tmp_path)
    assert (done.returncode, done.stderr) == (-9, "")
    with scaup.connect(str(tmp_path / "x.scaup")) as connection:
        assert connection.execute("SELECT count(*) FROM t").fetchall() == [(100,)]
