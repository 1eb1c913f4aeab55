"""Runs the shell for the tests: as a batch program, and on a pseudo-terminal."""

import os
import pathlib
import re
import subprocess
import unicodedata

import pexpect
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROMPT = "scaup> "


def find_shell():
    """$SCAUP_SHELL, or the newest build in the usual places."""
    named = os.environ.get("SCAUP_SHELL")
    if named:
        return named
    for preset in ("release", "debug", "asan"):
        path = ROOT / "build" / preset / "extension" / "shell" / "scaup"
        if path.exists():
            return str(path)
    pytest.skip("no shell was built; set SCAUP_SHELL")


@pytest.fixture
def shell_path():
    return find_shell()


def environment(tmp_path, **more):
    kept = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "NO_COLOR", "SCAUP_HISTORY")}
    kept.update(LANG="C.UTF-8", LC_ALL="C.UTF-8", TERM="xterm", SCAUP_HISTORY=str(tmp_path / "history"), **more)
    return kept


def plain(text):
    """Terminal output without escape sequences and carriage returns."""
    return re.sub(r"\x1b(\[[0-9;?]*[a-zA-Z]|[=>])", "", text).replace("\r", "")


@pytest.fixture
def display_width():
    """display_width(text) -> the columns that a terminal needs for it."""

    def measure(text):
        width = 0
        for character in text:
            if unicodedata.combining(character):
                continue
            width += 2 if unicodedata.east_asian_width(character) in "WF" else 1
        return width

    return measure


@pytest.fixture
def run(tmp_path):
    """run(arguments..., stdin="", env...) -> CompletedProcess of a shell that is not on a terminal."""

    def start(*arguments, stdin="", **more):
        return subprocess.run(
            [find_shell(), *arguments],
            input=stdin,
            capture_output=True,
            encoding="utf-8",
            timeout=300,
            env=environment(tmp_path, **more),
            cwd=tmp_path,
        )

    return start


class Terminal:
    """An interactive shell; send lines and read what appears until the next prompt."""

    def __init__(self, tmp_path, arguments=(), columns=80, **more):
        self.child = pexpect.spawn(
            find_shell(),
            list(arguments),
            dimensions=(50, columns),
            encoding="utf-8",
            timeout=120,
            env=environment(tmp_path, **more),
            cwd=str(tmp_path),
        )
        self.child.delaybeforesend = 0.02
        self.wait_prompt()

    def wait_prompt(self, prompt=PROMPT):
        self.child.expect_exact(prompt)
        return plain(self.child.before)

    def ask(self, line, prompt=PROMPT):
        """Sends a line; what was printed up to the next prompt, the echo of the line left out."""
        self.child.sendline(line)
        self.child.expect("\r\n")
        return self.wait_prompt(prompt)

    def leave(self):
        self.child.sendline(".exit")
        self.child.expect(pexpect.EOF)
        self.child.close()
        return self.child.exitstatus


@pytest.fixture
def terminal(tmp_path):
    """terminal(arguments..., columns=80, env...) -> Terminal; all are ended after the test."""
    opened = []

    def start(*arguments, columns=80, **more):
        opened.append(Terminal(tmp_path, arguments, columns, **more))
        return opened[-1]

    yield start
    for one in opened:
        one.child.close(force=True)
