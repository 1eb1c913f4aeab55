"""Line editing, history, prompts and Ctrl-C on a terminal."""

import time

import pexpect

SLOW = "SELECT count(*) FROM range(3000000) AS a(i), range(3000000) AS b(j) WHERE i + j < 0;"
CONTINUE = "   ...> "


def test_multi_line_statement(terminal):
    shell = terminal()
    assert shell.ask("SELECT 40", prompt=CONTINUE) == ""
    shell.ask("+ 2", prompt=CONTINUE)
    assert "42" in shell.ask("AS answer;")


def test_semicolon_in_quotes_continues(terminal):
    shell = terminal()
    shell.ask("SELECT 'a;", prompt=CONTINUE)
    shell.ask("b' AS", prompt=CONTINUE)
    assert "a;\\nb" in shell.ask("t;")


def test_several_statements_on_a_line(terminal):
    text = terminal().ask("SELECT 11 AS a; SELECT 22 AS b;")
    assert "11" in text and "22" in text


def test_arrow_up_brings_the_statement_back(terminal):
    shell = terminal()
    shell.ask("SELECT 123 AS a;")
    shell.child.send("\x1b[A")
    shell.child.expect_exact("SELECT 123 AS a;")
    shell.child.send("\r")
    shell.wait_prompt()
    assert "123" in shell.child.before


def test_history_survives_the_shell(terminal, tmp_path):
    shell = terminal()
    shell.ask("SELECT 456 AS remembered;")
    assert shell.leave() == 0
    assert "remembered" in (tmp_path / "history").read_text(encoding="utf-8")
    again = terminal()
    again.child.send("\x1b[A\x1b[A")  # above .exit
    again.child.expect_exact("SELECT 456 AS remembered;")


def test_multi_line_statement_is_one_history_entry(terminal):
    shell = terminal()
    shell.ask("SELECT 77", prompt=CONTINUE)
    shell.ask("AS seventy;")
    shell.child.send("\x1b[A")
    shell.child.expect_exact("SELECT 77 AS seventy;")


def test_utf8_input(terminal):
    assert "Grüße 日本" in terminal().ask("SELECT 'Grüße 日本' AS t;")


def test_ctrl_c_interrupts_a_query(terminal):
    shell = terminal()
    shell.child.sendline(SLOW)
    time.sleep(0.8)
    shell.child.sendintr()
    assert "Error [57014]" in shell.wait_prompt()
    assert "42" in shell.ask("SELECT 42 AS a;")


def test_ctrl_c_clears_the_line(terminal):
    shell = terminal()
    for _ in range(30):  # at any moment of reading the line
        shell.child.send("SELECT nonsense nonsense")
        shell.child.sendintr()
        shell.wait_prompt()
    assert "42" in shell.ask("SELECT 42 AS a;")


def test_ctrl_c_gives_up_a_multi_line_statement(terminal):
    shell = terminal()
    shell.ask("SELECT (1,", prompt=CONTINUE)
    shell.child.sendintr()
    shell.wait_prompt()
    assert "42" in shell.ask("SELECT 42 AS a;")


def test_resizing_draws_the_prompt_once(terminal):
    shell = terminal()
    time.sleep(0.2)
    shell.child.setwinsize(50, 60)
    shell.child.expect_exact("\r\x1b[J")
    shell.wait_prompt()
    text = shell.ask("SELECT 'a long text that needs some room' AS a, 'another long text that needs some room' AS b;")
    assert max(len(line) for line in text.split("\n") if line.startswith("│")) == 60


def test_ctrl_d_leaves(terminal):
    shell = terminal()
    shell.child.sendeof()
    shell.child.expect(pexpect.EOF)
    shell.child.close()
    assert shell.child.exitstatus == 0


def test_progress_bar_appears_and_goes(terminal):
    shell = terminal()
    shell.child.sendline(SLOW)
    shell.child.expect("\r\x1b\\[K(\\[[█·]+\\]| running)")
    shell.child.sendintr()
    shell.child.expect("57014")
    quiet = terminal("-no-progress")
    quiet.child.sendline(SLOW)
    time.sleep(2.6)
    quiet.child.sendintr()
    quiet.child.expect("57014")
    assert "\r\x1b[K" not in quiet.child.before


def test_terminal_is_restored(terminal):
    shell = terminal()
    assert shell.leave() == 0


def test_changes_are_told(terminal):
    shell = terminal()
    shell.ask("CREATE TABLE t (i INTEGER);")
    assert "changes: 3" in shell.ask("INSERT INTO t VALUES (1), (2), (3);")
    shell.ask(".changes off")
    assert "changes" not in shell.ask("INSERT INTO t VALUES (4);")
