"""The type stubs, as mypy reads them."""

import os
import pathlib
import subprocess
import sys

import pytest
import scaup

pytest.importorskip("mypy")


def test_examples_are_typed(tmp_path):
    package = pathlib.Path(scaup.__file__).parent.parent
    examples = pathlib.Path(__file__).parent / "typed_examples.py"
    command = [sys.executable, "-m", "mypy", "--strict", "--ignore-missing-imports", f"--cache-dir={tmp_path}", str(examples)]
    run = subprocess.run(command, env={**os.environ, "MYPYPATH": str(package)}, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr


def test_stubs_are_what_is_there(tmp_path):
    package = pathlib.Path(scaup.__file__).parent.parent
    settings = tmp_path / "mypy.ini"
    settings.write_text("[mypy]\nignore_missing_imports = True\ndisable_error_code = import-untyped,import-not-found\n")
    allowed = pathlib.Path(__file__).parent / "stub_allowlist.txt"
    command = [sys.executable, "-m", "mypy.stubtest", "scaup", "--concise", "--allowlist", str(allowed), "--ignore-unused-allowlist"]
    run = subprocess.run(
        [*command, "--mypy-config-file", str(settings)],
        env={**os.environ, "MYPYPATH": str(package), "PYTHONPATH": str(package)}, cwd=tmp_path, capture_output=True, text=True,
    )
    assert run.returncode == 0, run.stdout + run.stderr
