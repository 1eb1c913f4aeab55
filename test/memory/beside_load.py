#!/usr/bin/env python3
"""The tests of memory, again and again, while busy loops hold the processors: whether a statement ends in its answer
must not depend on what else the machine does.

    python test/memory/beside_load.py build/release [--runs N] [--seconds S] [--loops N] [--only REGEX]

A test is a file of test/sql that names memory_limit, or the cases of a unit test with one of TAGS. All processes are
pinned to the same two processors. The tests take turns, N times or until the time is over. Prints what each failure
printed, and closes with `N passed, N failed`."""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROCESSORS = sorted(os.sched_getaffinity(0))[:2]
MOST_SECONDS = 600

UNIT_TESTS = ("unit_common", "unit_storage", "unit_execution", "unit_main")
TAGS = "[buffer],[grants],[memory],[memory_limit],[spill],[temporary]"


def tests_of(build):
    """(name, command) of every test of memory that the build folder has."""
    runner = build / "test" / "runner" / "scaup_test_runner"
    for path in sorted((ROOT / "test" / "sql").rglob("*.test")):
        if "memory_limit" in path.read_text():
            yield str(path.relative_to(ROOT / "test" / "sql").with_suffix("")), [str(runner), "--timeout", str(MOST_SECONDS), str(path)]
    for name in UNIT_TESTS:
        if (build / "test" / name).exists():
            yield name, [str(build / "test" / name), TAGS]


def busy_loop():
    """Starts a process that computes nothing; returns it."""
    parent = os.getpid()
    # It asks for its parent so that it ends should that be killed.
    return subprocess.Popen([sys.executable, "-c", f"import os\nwhile os.getppid() == {parent}:\n    for _ in range(10_000_000): pass"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=1000, help="turns of each test at most (default 1000)")
    parser.add_argument("--seconds", type=float, default=600, help="no turn begins later (default 600)")
    parser.add_argument("--loops", type=int, default=8, help="busy processes beside them (default 8)")
    parser.add_argument("--only", metavar="REGEX", default=".*", help="tests whose whole name matches")
    arguments = parser.parse_args()
    tests = [test for test in tests_of(arguments.build.resolve()) if re.fullmatch(arguments.only, test[0])]
    os.sched_setaffinity(0, PROCESSORS)
    print(f"{len(tests)} tests beside {arguments.loops} busy loops on {len(PROCESSORS)} processors", flush=True)
    loops = [busy_loop() for _ in range(arguments.loops)]
    passed = failed = turns = 0
    end = time.monotonic() + arguments.seconds
    try:
        for turns in range(1, arguments.runs + 1):
            for name, command in tests:
                if time.monotonic() > end:
                    break
                try:
                    run = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=MOST_SECONDS)
                    outcome, output = run.returncode, run.stdout + run.stderr
                except subprocess.TimeoutExpired as error:
                    outcome, output = f"no end after {MOST_SECONDS} s", str(error.stdout or "")
                if outcome == 0:
                    passed += 1
                    continue
                failed += 1
                print(f"FAILED {name}, turn {turns}: {outcome}\n{output[-2000:]}", flush=True)
            if time.monotonic() > end:
                break
    finally:
        for process in loops:
            process.kill()
            process.wait()
    print(f"{turns} turns")
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
