"""How far a query is: query_progress() and the bar of long queries."""

import io
import sys
import threading
import time

import pytest

import scaup
from scaup import _progress

LONG = "SELECT count(*) FROM range(600000) a(x) JOIN range(600000) b(y) ON (x * y) % 1000003 = 7"


class Terminal(io.StringIO):
    def isatty(self):
        return True


def watched(monkeypatch):
    """A terminal as sys.stderr; not as a fixture, as pytest sets that of its own before the test runs."""
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    return terminal


def interrupt_after(connection, seconds):
    timer = threading.Timer(seconds, connection.interrupt)
    timer.start()
    return timer


def test_nothing_runs():
    with scaup.connect() as con:
        assert con.query_progress() == -1
        con.execute("SELECT 1")
        assert con.query_progress() == -1
    assert scaup.query_progress() == -1


def test_progress_of_another_thread():
    with scaup.connect(config={"threads": "1"}) as con:
        con.execute("CREATE TABLE t AS SELECT i FROM range(400000) r(i)")
        seen = []

        def look():
            while con.query_progress() < 1 and len(seen) < 2000:
                time.sleep(0.01)
                seen.append(con.query_progress())
            con.interrupt()

        thread = threading.Thread(target=look)
        thread.start()
        with pytest.raises(scaup.OperationalError):
            con.execute("SELECT count(*) FROM t JOIN range(60000) b(y) ON (i * y) % 1000003 = 7")
        thread.join()
        assert all(value == -1 or 0 <= value <= 100 for value in seen)
        assert seen[-1] >= 1


@pytest.mark.parametrize("setting, is_shown", [(True, True), (None, False), (False, False)])
def test_bar_in_a_terminal(monkeypatch, setting, is_shown):
    terminal = watched(monkeypatch)
    with scaup.connect(config={} if setting is None else {"enable_progress_bar": setting}) as con:
        assert con.enable_progress_bar is setting
        timer = interrupt_after(con, 2.6)
        with pytest.raises(scaup.OperationalError):
            con.execute(LONG)
        timer.join()
    shown = terminal.getvalue()
    assert bool(shown) == is_shown
    if is_shown:
        assert "[" in shown or "running" in shown
        assert shown.endswith("\r\033[K")


def test_bar_where_a_person_types(monkeypatch):
    terminal = watched(monkeypatch)
    assert _progress.bar(None) is None
    monkeypatch.setattr(sys, "ps1", ">>> ", raising=False)
    assert _progress.bar(None) is not None
    assert _progress.bar(False) is None
    assert terminal.getvalue() == ""


def test_bar_that_fails_does_not_harm(monkeypatch):
    failed = []

    def broken(_):
        failed.append(True)
        raise RuntimeError("no terminal")

    monkeypatch.setattr(_progress, "bar", broken)
    monkeypatch.setattr(sys, "unraisablehook", lambda _: None)
    with scaup.connect() as con:
        timer = interrupt_after(con, 2.6)
        with pytest.raises(scaup.OperationalError):
            con.execute(LONG)
        timer.join()
        assert failed == [True]
        assert con.execute("SELECT 1").fetchone() == (1,)


def test_lines():
    assert _progress.line(-1, 2.5) == "running 2.5 s"
    assert _progress.line(0.5, 3) == "[" + "█" * 20 + "·" * 20 + "]  50 %  3.0 s"
    assert _progress.line(1.2, 3).startswith("[" + "█" * 40 + "] 100 %")
