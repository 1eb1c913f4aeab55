"""`scaup serve` as a process of its own."""

import contextlib
import pathlib
import subprocess
import sys
import time

from side_by_side import ROOT

SERVE = [ROOT / "build" / "release" / "extension" / "shell" / "scaup", "serve"]
SECONDS_TO_START = 30


@contextlib.contextmanager
def running(path, folder, port, *options):
    """Serves a database at the Unix socket .s.PGSQL.<port> in a folder, and with options as the program has them; the process."""
    socket = pathlib.Path(folder) / f".s.PGSQL.{port}"
    with subprocess.Popen([*SERVE, "--socket", folder, "--port", str(port), *options, path], stdout=subprocess.DEVNULL) as process:
        end = time.monotonic() + SECONDS_TO_START
        while not socket.exists():
            if process.poll() is not None or time.monotonic() > end:
                sys.exit("scaup serve does not start")
            time.sleep(0.05)
        try:
            yield process
        finally:
            process.terminate()
