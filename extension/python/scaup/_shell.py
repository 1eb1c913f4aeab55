"""Starts the shell that the package brings along: the command `scaup`, and `python -m scaup`."""

import os
import signal
import sys

_PROGRAM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "scaup")


def main() -> None:
    # The shell takes the place of this process. Python ignores these signals, and a program inherits that:
    # `scaup ... | head` would not end where it should.
    for name in ("SIGPIPE", "SIGXFSZ"):
        signal.signal(getattr(signal, name), signal.SIG_DFL)
    try:
        os.execv(_PROGRAM, ["scaup", *sys.argv[1:]])
    except FileNotFoundError:
        sys.exit(f"scaup: this build of the package has no shell ({_PROGRAM} is missing); a wheel has one")
