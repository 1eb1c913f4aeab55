"""Clients that come and go: a short run of the program that runs for long by hand."""

import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("options", [[], ["--at-once", "60", "--life", "10"]], ids=["a few at a time", "many at once"])
def test_nothing_is_lost_or_left_behind(options):
    if not (ROOT / "build" / "release" / "extension" / "shell" / "scaup").exists():
        pytest.skip("the program runs the shell of the release build")
    done = subprocess.run(
        [sys.executable, ROOT / "benchmark" / "compare" / "churn.py", "--connections", "400", "--workers", "2", "--every", "0.5", *options],
        capture_output=True, text=True, timeout=300, check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
