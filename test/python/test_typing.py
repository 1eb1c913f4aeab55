"""The type stubs, as mypy reads them."""

import os
import pathlib
import re
import subprocess
import sys

import pytest
import scaup

pytest.importorskip("mypy")

GUIDE = pathlib.Path(__file__).parents[2] / "docs" / "python.md"


def check(file, cache):
    """Runs mypy on a file, and asks that it finds nothing."""
    package = pathlib.Path(scaup.__file__).parent.parent
    command = [sys.executable, "-m", "mypy", "--strict", "--ignore-missing-imports", f"--cache-dir={cache}", str(file)]
    run = subprocess.run(command, env={**os.environ, "MYPYPATH": str(package)}, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr


def test_examples_are_typed(tmp_path):
    check(pathlib.Path(__file__).parent / "typed_examples.py", tmp_path)


@pytest.mark.skipif(not GUIDE.exists(), reason="the guide is not beside the tests")
def test_the_guide_is_typed(tmp_path):
    blocks = re.findall(r"^```python\n(.*?)^```$", GUIDE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert len(blocks) > 8
    file = tmp_path / "guide.py"
    file.write_text("".join(blocks), encoding="utf-8")
    check(file, tmp_path)


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
