"""Bodies of functions that do what they should not: what then happens to the statement, the connection and the process.

docs/python.md has the outcomes as a table. What may end the process runs in one of its own."""

import os
import subprocess
import sys
import textwrap
import threading
import time

import pytest

import scaup

np = pytest.importorskip("numpy", reason="functions get arrays")
pytest.importorskip("pyarrow", reason="results of most types go through Arrow")

LONGEST = 60  # seconds


def run(code, *arguments):
    """Runs code in a process of its own, with a connection `con` of two threads."""
    head = "import os, sys, threading, time, numpy as np, scaup\ncon = scaup.connect(sys.argv[1] if len(sys.argv) > 1 else ':memory:', config={'threads': 2})\n"
    return subprocess.run([sys.executable, "-c", head + textwrap.dedent(code), *map(str, arguments)], capture_output=True, text=True, timeout=LONGEST)


def ends_with(con, body, sqlstate, match=None, result="BIGINT", sql="SELECT f(i) FROM generate_series(1, 3000) AS g(i)", **options):
    con.create_function("f", body, ["BIGINT"], result, **options)
    with pytest.raises(scaup.Error, match=match) as caught:
        con.execute(sql).fetchall()
    assert caught.value.sqlstate == sqlstate, caught.value
    assert con.execute("SELECT 40 + 2").fetchone() == (42,)
    return caught.value


# --- Time


def test_endless_loops_end_when_they_are_interrupted(con):
    def endless(x):
        while True:
            pass

    for _ in range(3):
        timer = threading.Timer(0.1, con.interrupt)
        timer.start()
        ends_with(con, endless, "57014")
        timer.join()


@pytest.mark.parametrize("threads", [1, 2])
def test_endless_loops_end_when_the_time_of_the_statement_is_over(threads):
    def endless(x):
        while True:
            pass

    def rows():
        yield {"i": [1]}
        endless(None)

    with scaup.connect(config={"threads": threads}) as con:
        con.create_function("rows", rows, [], {"i": int}, kind="table")
        con.create_function("endless_mean", endless, ["BIGINT"], "DOUBLE", kind="aggregate")
        con.execute("SET statement_timeout = '100ms'")
        begin = time.monotonic()
        for _ in range(3):
            ends_with(con, endless, "57014", "statement_timeout")
        for sql in ("SELECT count(*) FROM rows()", "SELECT endless_mean(i) FROM generate_series(1, 10) AS g(i)"):
            with pytest.raises(scaup.OperationalError, match="statement_timeout"):
                con.execute(sql).fetchall()
        assert time.monotonic() - begin < 10
        # A time that suffices changes nothing, and one that is over is not raised again in what catches it.
        caught = []

        def cleans_up(x):
            try:
                endless(x)
            except BaseException as error:
                caught.append(type(error).__name__)
                time.sleep(0.1)
            return x

        ends_with(con, cleans_up, "57014", "statement_timeout", sql="SELECT f(1)")
        assert caught == ["Interrupted"]
        con.execute("SET statement_timeout = '1min'")
        con.create_function("f", lambda x: x, ["BIGINT"], "BIGINT")
        assert con.execute("SELECT sum(f(i)) FROM generate_series(1, 100000) AS g(i)").fetchone() == (5000050000,)


def test_a_body_that_catches_everything_is_interrupted_when_it_lets_go(con):
    caught = []

    def stubborn(x):
        while len(caught) < 3:
            try:
                while True:
                    time.sleep(0.001)
            except BaseException as error:
                caught.append(type(error).__name__)
        return x

    done = threading.Event()

    def repeat():
        while not done.wait(0.05):
            con.interrupt()

    thread = threading.Thread(target=repeat)
    thread.start()
    try:
        ends_with(con, stubborn, "57014")
    finally:
        done.set()
        thread.join()
    assert caught == ["Interrupted"] * 3


def test_endless_generators_end(con):
    def numbers():
        i = 0
        while True:
            i += 1
            yield {"i": np.arange(1000) + i}

    con.create_function("numbers", numbers, [], {"i": int}, kind="table")
    assert con.execute("SELECT count(*) FROM (SELECT * FROM numbers() LIMIT 5000) AS s").fetchone() == (5000,)
    timer = threading.Timer(0.2, con.interrupt)
    timer.start()
    with pytest.raises(scaup.OperationalError) as caught:
        con.execute("SELECT count(*) FROM numbers()").fetchall()
    timer.join()
    assert caught.value.sqlstate == "57014"


# --- Memory and results


def test_memory_that_the_system_refuses():
    done = run("""
        import resource
        def greedy(x):
            return [bytearray(1 << 28) for _ in range(100)]
        con.create_function("greedy", greedy, ["BIGINT"], "BIGINT")
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
        try:
            con.execute("SELECT greedy(i) FROM range(3) AS r(i)").fetchall()
        except scaup.Error as error:
            print(error.sqlstate, type(error.__cause__).__name__)
        print(con.execute("SELECT 40 + 2").fetchone())
    """)
    assert done.stdout.split("\n")[:2] == ["38000 MemoryError", "(42,)"], done.stderr


def test_results_are_bounded_by_the_memory_limit():
    done = run("""
        con.execute("SET memory_limit = '100MB'; SET max_temp_directory_size = '100MB'")
        con.create_function("much", lambda: ({"t": ["x" * 1000] * 1000} for _ in range(10**9)), [], {"t": str}, kind="table")
        try:
            con.execute("CREATE TABLE t AS SELECT * FROM much()")
        except scaup.Error as error:
            print(error.sqlstate)
        print(con.execute("SELECT 40 + 2").fetchone())
    """)
    assert done.stdout.split("\n")[1:2] == ["(42,)"] and done.stdout.startswith("53"), (done.stdout, done.stderr)


@pytest.mark.parametrize("body, sqlstate, match", [
    (lambda x: x[:-1], "22023", "returned 1023 values"),
    (lambda x: np.concatenate((x, x)), "22023", "returned 2048 values"),
    (lambda x: np.ones((len(x), 2)), "38000", "2 dimensions"),
    (lambda x: np.empty((0, 0)), "38000", "2 dimensions"),
    (lambda x: x + 0.5, "22003", None),
    (lambda x: x.astype(np.float64) * 1e300, "22003", None),
    (lambda x: x.astype(str), "42804", None),
    (lambda x: x.astype(complex), "38000", None),
    (lambda x: object(), "38000", None),
    (lambda x: [object()] * len(x), "38000", None),
    (lambda x: {"a": 1}, "42804", None),
    (lambda x: print, "38000", None),
    (lambda x: np.array([10**30] * len(x), object), "22003", None),
], ids=range(13))
def test_wrong_results(con, body, sqlstate, match):
    ends_with(con, body, sqlstate, match)


def test_texts_that_are_none(con):
    ends_with(con, lambda x: ["\ud800"] * len(x), "38000", result="VARCHAR")
    ends_with(con, lambda x: ["a\0b"] * len(x), "22021", result="VARCHAR")
    ends_with(con, lambda x: np.array(["a\0b"] * len(x), np.dtypes.StringDType()), "22021", result="VARCHAR")


def test_arguments_are_read_only(con):
    def change(x):
        x[0] = 7

    ends_with(con, change, "38000", "read-only")

    def unlock(x):
        x.flags.writeable = True

    ends_with(con, unlock, "38000", "WRITEABLE")


# --- Exceptions


def test_exceptions_that_are_odd(con):
    class Silent(Exception):
        def __str__(self):
            raise RuntimeError("no")

    def odd(x):
        raise Silent

    error = ends_with(con, odd, "38000", "Silent")
    assert isinstance(error.__cause__, Silent)

    # An exception that ends programs ends this one, unless it catches it.
    for leave in (SystemExit, KeyboardInterrupt):
        def ends(x):
            raise leave

        con.create_function("f", ends, ["BIGINT"], "BIGINT")
        with pytest.raises(leave):
            con.execute("SELECT f(i) FROM generate_series(1, 3000) AS g(i)")
        assert con.execute("SELECT 40 + 2").fetchone() == (42,)


def test_recursion(con):
    def deep(x):
        return deep(x)

    assert isinstance(ends_with(con, deep, "38000", "RecursionError").__cause__, RecursionError)
    con.create_function("again", lambda x: scaup.calling_statement.execute("SELECT again(1) AS a")["a"], ["BIGINT"], "BIGINT", side_effects=True)
    with pytest.raises(scaup.Error) as caught:
        con.execute("SELECT again(1)")
    assert "54001" in repr(caught.value) or "16 deep" in str(caught.value) or "deep" in str(caught.value)


# --- Threads and the interpreter


def test_threads_of_a_body(con):
    found = []

    def start(x):
        def ask():
            try:
                scaup.calling_statement.execute("SELECT 1")
            except scaup.Error as error:
                found.append(error.sqlstate)

        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return x

    con.create_function("start", start, ["BIGINT"], "BIGINT")
    assert con.execute("SELECT start(i) FROM generate_series(1, 2) AS g(i)").fetchall() == [(1,), (2,)]
    assert set(found) == {"55000"}


def test_a_thread_that_outlives_its_body():
    done = run("""
        def start(x):
            threading.Thread(target=lambda: (time.sleep(0.3), print("late", x.sum())), daemon=False).start()
            return x
        con.create_function("start", start, ["BIGINT"], "BIGINT")
        con.execute("SELECT start(i) FROM range(3) AS r(i)").fetchall()
        con.close()
        print("closed", flush=True)
    """)
    assert done.returncode == 0 and done.stdout == "closed\nlate 3\n", done


def test_a_body_that_keeps_the_interpreter_for_itself():
    done = run("""
        import ctypes
        def selfish(x):
            ctypes.PyDLL(None).usleep(300000)   # in C, with the interpreter's lock
            return x
        sys.setswitchinterval(10)
        con.create_function("selfish", selfish, ["BIGINT"], "BIGINT")
        con.execute("CREATE TABLE t AS SELECT i FROM range(300000) AS r(i)")
        print(con.execute("SELECT sum(selfish(i)) FROM t WHERE i < 100").fetchone())
    """)
    assert done.stdout == "(4950,)\n", done.stderr


def test_exit_in_the_middle_loses_only_what_was_not_committed(tmp_path):
    path = tmp_path / "kept.scaup"
    done = run("""
        con.execute("CREATE TABLE t AS SELECT i FROM range(10) AS r(i)")
        con.create_function("gone", lambda x: os._exit(7), ["BIGINT"], "BIGINT")
        con.execute("INSERT INTO t SELECT gone(i) FROM range(1000) AS r(i)")
    """, path)
    assert done.returncode == 7
    with scaup.connect(path) as con:
        assert con.execute("SELECT count(*), sum(i) FROM t").fetchone() == (10, 45)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_fork(tmp_path):
    code = """
        import warnings
        warnings.simplefilter("ignore")
        con.execute("SET threads = 1; CREATE TABLE t (i BIGINT)")
        def split(x):
            child = os.fork()
            if child == 0 and {leaves}:
                os._exit(0)
            if child != 0:
                os.waitpid(child, 0)
            return x
        # A statement that was short the last time runs on the main thread, to which a child can return.
        insert = "INSERT INTO t SELECT forked(i) FROM range(5) AS r(i)"
        con.create_function("forked", lambda x: x, ["BIGINT"], "BIGINT")
        for _ in range(3):
            con.execute(insert)
        con.create_function("forked", split, ["BIGINT"], "BIGINT")
        me = os.getpid()
        try:
            con.execute(insert)
        except scaup.Error as error:
            print("child" if os.getpid() != me else "parent", error.sqlstate, flush=True)
        if os.getpid() != me:
            os._exit(0)
        print(con.execute("SELECT count(*) FROM t").fetchone())
    """
    done = run(code.format(leaves=True), tmp_path / "a.scaup")
    assert done.stdout == "(20,)\n", done
    # A child that goes on does not write what its parent writes.
    done = run(code.format(leaves=False), tmp_path / "b.scaup")
    assert done.stdout == "child 55000\n(20,)\n", done
    for name in ("a.scaup", "b.scaup"):
        with scaup.connect(tmp_path / name) as con:
            assert con.execute("SELECT count(*) FROM t").fetchone() == (20,)


def test_signals():
    done = run("""
        import signal
        def press(x):
            os.kill(os.getpid(), signal.SIGINT)
            for _ in range(1000):
                time.sleep(0.005)
            return x
        con.create_function("press", press, ["BIGINT"], "BIGINT")
        begin = time.time()
        try:
            con.execute("SELECT sum(press(i)) FROM range(300000) AS r(i)").fetchall()
        except KeyboardInterrupt:
            print("interrupted", time.time() - begin < 4)
        def handle(x):
            signal.signal(signal.SIGUSR1, lambda *given: None)
            return x
        con.create_function("handle", handle, ["BIGINT"], "BIGINT")
        try:
            con.execute("SELECT sum(handle(i)) FROM range(3) AS r(i)").fetchall()
            print("set")
        except scaup.Error as error:
            print(type(error.__cause__).__name__)
        print(con.execute("SELECT 40 + 2").fetchone())
    """)
    lines = done.stdout.split("\n")
    assert lines[0] == "interrupted True" and lines[1] in ("set", "ValueError") and lines[2] == "(42,)", done


def test_a_body_that_closes_its_connection():
    done = run("""
        con.create_function("close", lambda x: con.close() or x, ["BIGINT"], "BIGINT")
        try:
            print(con.execute("SELECT close(i) FROM range(3) AS r(i)").fetchall())
        except scaup.Error as error:
            print("refused")
        print("alive")
    """)
    assert done.returncode == 0 and done.stdout.split("\n")[-2] == "alive", done


def test_a_body_that_replaces_itself(con):
    def second(x):
        return x * 2

    def first(x):
        with pytest.raises(scaup.Error):
            con.create_function("f", second, ["BIGINT"], "BIGINT")
        return x

    con.create_function("f", first, ["BIGINT"], "BIGINT")
    assert con.execute("SELECT f(3)").fetchone() == (3,)
