"""Threads, interrupt() and Ctrl-C."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest
import scaup

SLOW = "SELECT count(*) FROM range(3000000) AS a(i), range(3000000) AS b(j) WHERE i + j < 0"


@pytest.fixture(autouse=True)
def ctrl_c_counts():
    """Programs that a shell starts in the background ignore Ctrl-C, and so would their children."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_interrupt_from_another_thread(con):
    timer = threading.Timer(0.5, con.interrupt)
    timer.start()
    with pytest.raises(scaup.OperationalError) as raised:
        con.execute(SLOW)
    assert raised.value.sqlstate == "57014"
    assert con.execute("SELECT 1").fetchall() == [(1,)]


def test_ctrl_c_raises_keyboard_interrupt(con):
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        con.execute(SLOW)
    assert con.execute("SELECT 1").fetchall() == [(1,)]


def test_ctrl_c_ends_a_program():
    code = f"import scaup, sys\ncon = scaup.connect()\nprint('go', flush=True)\ncon.execute({SLOW!r})"
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "go\n"
    time.sleep(0.5)
    child.send_signal(signal.SIGINT)
    _, errors = child.communicate(timeout=120)
    assert "KeyboardInterrupt" in errors
    assert child.returncode != 0


def test_other_threads_run_while_a_query_runs(con):
    ticks = []

    def tick():
        while not done.is_set():
            ticks.append(1)
            time.sleep(0.01)

    done = threading.Event()
    thread = threading.Thread(target=tick)
    thread.start()
    threading.Timer(0.5, con.interrupt).start()
    with pytest.raises(scaup.OperationalError):
        con.execute(SLOW)
    done.set()
    thread.join()
    assert len(ticks) > 10


def test_threads_on_one_connection(con):
    con.execute("CREATE TABLE t (i INTEGER)")
    failures = []

    def work(number):
        try:
            cursor = con.cursor()
            for i in range(50):
                cursor.execute("INSERT INTO t VALUES (?)", [number * 100 + i])
                assert cursor.execute("SELECT ?", [number]).fetchall() == [(number,)]
        except Exception as error:  # noqa: BLE001
            failures.append(error)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert con.execute("SELECT count(*) FROM t").fetchall() == [(400,)]


def test_threads_with_databases_of_their_own():
    failures = []

    def work():
        try:
            for _ in range(10):
                with scaup.connect() as con:
                    assert con.execute("SELECT sum(i) FROM range(1000) AS r(i)").fetchone()[0] == 499500
        except Exception as error:  # noqa: BLE001
            failures.append(error)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_query_in_a_signal_handler(con):
    answers = []
    old = signal.signal(signal.SIGUSR1, lambda *_: answers.append(con.duplicate().execute("SELECT 7").fetchone()))
    try:
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGUSR1)).start()
        threading.Timer(0.8, con.interrupt).start()
        with pytest.raises(scaup.OperationalError):
            con.execute(SLOW)
    finally:
        signal.signal(signal.SIGUSR1, old)
    assert answers == [(7,)]


def test_closing_while_a_query_runs(con):
    other = con.duplicate()
    raised = []

    def run():
        try:
            other.execute(SLOW)
        except scaup.Error as error:
            raised.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    time.sleep(0.3)
    other.interrupt()
    other.close()
    thread.join(10)
    assert not thread.is_alive() and len(raised) == 1


SHORT_OR_SLOW = "SELECT count(*) FROM range({0}) AS a(i), range({0}) AS b(j) WHERE i + j < 0"


def make_short(con):
    """Lets SHORT_OR_SLOW be known as a short statement, which the main thread then runs itself."""
    for _ in range(5):
        con.execute(SHORT_OR_SLOW.format(1))


def test_ctrl_c_interrupts_a_statement_that_used_to_be_short(con):
    for _ in range(3):
        make_short(con)
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        with pytest.raises(KeyboardInterrupt):
            con.execute(SHORT_OR_SLOW.format(3000000))
        # Only that one.
        for i in range(200):
            assert con.execute("SELECT ?", [i]).fetchall() == [(i,)]


def test_handlers_run_in_a_long_statement_of_a_new_text(con):
    seen = []
    previous = signal.signal(signal.SIGUSR1, lambda *_: (seen.append(time.monotonic()), con.interrupt()))
    try:
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGUSR1)).start()
        with pytest.raises(scaup.OperationalError):
            con.execute(SLOW)
        assert len(seen) == 1
    finally:
        signal.signal(signal.SIGUSR1, previous)


def test_a_handler_of_sigint_keeps_running(con):
    """One that does not raise: the statement goes on, and the handler may use the connection."""
    seen = []
    previous = signal.signal(signal.SIGINT, lambda *_: seen.append(con.duplicate().execute("SELECT 7").fetchone()[0]))
    try:
        make_short(con)
        threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
        threading.Timer(0.6, con.interrupt).start()
        with pytest.raises(scaup.OperationalError):
            con.execute(SHORT_OR_SLOW.format(3000000))
        assert seen == [7]
    finally:
        signal.signal(signal.SIGINT, previous)


def test_short_statements_leave_the_wakeup_descriptor_of_others_alone(con):
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    signal.set_wakeup_fd(writer)
    try:
        time.sleep(0.02)
        make_short(con)
        previous = signal.signal(signal.SIGUSR1, lambda *_: None)
        os.kill(os.getpid(), signal.SIGUSR1)
        make_short(con)
        signal.signal(signal.SIGUSR1, previous)
        assert os.read(reader, 10) == bytes([signal.SIGUSR1])
    finally:
        assert signal.set_wakeup_fd(-1) == writer
        os.close(reader)
        os.close(writer)


def test_a_child_of_fork_has_its_own_signals(con):
    make_short(con)
    child = os.fork()
    if child == 0:
        code = 1
        try:
            own = scaup.connect()
            # In the child the parent's worker is gone, so a thread tells the statement from a short one.
            thread = threading.Thread(target=lambda: own.execute("SELECT 1"))
            thread.start()
            thread.join()
            try:
                os.kill(os.getpid(), signal.SIGINT)
                time.sleep(5)
            except KeyboardInterrupt:
                code = 0
        finally:
            os._exit(code)
    for i in range(200):
        assert con.execute("SELECT ?", [i]).fetchall() == [(i,)]
    assert os.waitpid(child, 0)[1] == 0
