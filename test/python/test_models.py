"""examples/models: training, keeping and applying models in the database."""

import os
import pathlib
import subprocess
import sys

import pytest

pytest.importorskip("sklearn")
pytest.importorskip("pyarrow")

EXAMPLE = pathlib.Path(__file__).parents[2] / "examples" / "models" / "voters.py"


@pytest.mark.skipif(not EXAMPLE.exists(), reason="the examples are not beside the tests")
def test_the_example(tmp_path):
    database, picture = tmp_path / "voters.scaup", tmp_path / "voters.png"
    command = [sys.executable, str(EXAMPLE), "--voters", "30000", "--training", "3000", "--database", str(database)]
    try:
        import matplotlib  # noqa: F401

        command += ["--picture", str(picture)]
    except ImportError:
        pass
    done = subprocess.run(command, env={**os.environ, "OMP_NUM_THREADS": "1"}, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    correlations = [float(line.split("correlation ")[1].split(",")[0]) for line in done.stdout.splitlines() if "correlation" in line]
    assert len(correlations) == 2 and min(correlations) > 0.9, done.stdout
    assert "--picture" not in command or picture.stat().st_size > 1000
