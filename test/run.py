#!/usr/bin/env python3
"""Runs the tests of one build folder, adds up their checks, and closes with `N passed, N failed`.

Which tests there are, CTest knows. Every runner prints its own counts, which are read here; a test that prints none
counts as one check. A test that ends badly without naming a failed check counts as one failure."""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
DEFAULT_TIMEOUT = 1500

CATCH_PASSED = re.compile(r"^All tests passed \(\d+ assertions? in (\d+) test cases?\)", re.MULTILINE)
CATCH_COUNTS = re.compile(r"^test cases: +(\d+)((?: \| +\d+ (?:passed|failed as expected|failed))*)", re.MULTILINE)
OWN_COUNTS = re.compile(r"^(\d+) passed, (\d+) failed$", re.MULTILINE)
PYTEST_COUNTS = re.compile(r"^=* ?((?:\d+ (?:passed|failed|errors?|skipped|deselected|warnings?|xfailed|xpassed)(?:, )?)+) in [\d.]+s", re.MULTILINE)


def read_counts(output):
    """(passed, failed, skipped) as the output says, or None."""
    passed = failed = skipped = 0
    found = False
    for match in CATCH_PASSED.finditer(output):
        passed += int(match.group(1))
        found = True
    for match in CATCH_COUNTS.finditer(output):
        counts = {word: int(number) for number, word in re.findall(r"(\d+) (passed|failed as expected|failed)", match.group(2))}
        passed += counts.get("passed", 0) + counts.get("failed as expected", 0)
        failed += counts.get("failed", 0)
        found = True
    own = OWN_COUNTS.findall(output)
    if own:
        passed += int(own[-1][0])
        failed += int(own[-1][1])
        found = True
    for match in PYTEST_COUNTS.finditer(output):
        counts = {word.rstrip("s"): int(number) for number, word in re.findall(r"(\d+) (\w+)", match.group(1))}
        passed += counts.get("passed", 0)
        failed += counts.get("failed", 0) + counts.get("error", 0)
        skipped += counts.get("skipped", 0)
        found = True
    return (passed, failed, skipped) if found else None


def tests_of(build):
    """(name, command, folder, environment, timeout) of every test that CTest lists."""
    listing = subprocess.run(["ctest", "--test-dir", str(build), "--show-only=json-v1"], check=True, capture_output=True, text=True)
    for test in json.loads(listing.stdout)["tests"]:
        properties = {entry["name"]: entry["value"] for entry in test.get("properties", [])}
        environment = dict(entry.split("=", 1) for entry in properties.get("ENVIRONMENT", []))
        if "command" not in test:
            yield test["name"], None, str(build), environment, DEFAULT_TIMEOUT
            continue
        yield (test["name"], test["command"], properties.get("WORKING_DIRECTORY", str(build)), environment,
               float(properties.get("TIMEOUT", DEFAULT_TIMEOUT)))


def wheel_test(build):
    """Makes a wheel over the build folder and uses it as one who has nothing else."""
    return ("python_wheel", [sys.executable, "-B", str(ROOT / "test" / "python_wheel" / "check_wheel.py"), str(build)], str(ROOT), {}, DEFAULT_TIMEOUT)


def run_timed(test):
    """The test's name, what run() gives, and the seconds that it took."""
    start = time.monotonic()
    return test[0], *run(*test), time.monotonic() - start


def run(name, command, folder, environment, timeout):
    """(passed, failed, skipped, output)"""
    if command is None:
        return 0, 1, 0, "not built\n"
    with tempfile.TemporaryFile() as log:
        try:
            process = subprocess.Popen(command, cwd=folder, env={**os.environ, **environment}, stdin=subprocess.DEVNULL, stdout=log,
                                       stderr=subprocess.STDOUT, start_new_session=True)
        except OSError as error:
            return 0, 1, 0, f"cannot be started: {error}\n"
        try:
            status, ending = process.wait(timeout), ""
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            status, ending = process.wait(), f"\nstopped after {timeout:.0f} s\n"
        log.seek(0)
        output = log.read().decode("utf-8", "replace") + ending
    counts = read_counts(output)
    if status == 0:
        return (*(counts or (1, 0, 0)), output)
    passed, failed, skipped = counts or (0, 0, 0)
    return passed, max(failed, 1), skipped, f"{output}\nexit status {status}\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("build", type=pathlib.Path, help="the build folder")
    parser.add_argument("--only", metavar="REGEX", default=".*", help="tests whose whole name matches")
    parser.add_argument("--jobs", type=int, default=1, help="how many run at once (default 1)")
    parser.add_argument("--package", action="store_true", help="also make a Python wheel and check it")
    arguments = parser.parse_args()
    os.environ.setdefault("ASAN_OPTIONS", "detect_leaks=1:strict_string_checks=1")
    os.environ.setdefault("UBSAN_OPTIONS", "print_stacktrace=1:halt_on_error=1")
    os.environ.setdefault("TSAN_OPTIONS", "halt_on_error=1:second_deadlock_stack=1")

    build = arguments.build.resolve()
    tests = list(tests_of(build)) + ([wheel_test(build)] if arguments.package else [])
    tests = [test for test in tests if re.fullmatch(arguments.only, test[0])]
    total_passed = total_failed = total_skipped = 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as executor:
        for done in concurrent.futures.as_completed([executor.submit(run_timed, test) for test in tests]):
            name, passed, failed, skipped, output, seconds = done.result()
            total_passed, total_failed, total_skipped = total_passed + passed, total_failed + failed, total_skipped + skipped
            if failed:
                print(f"\n--- {name} " + "-" * 80 + "\n" + output[-20000:])
            skips = f", {skipped} skipped" if skipped else ""
            print(f"{'FAILED' if failed else 'ok':6} {name:28} {passed} passed, {failed} failed{skips} ({seconds:.1f} s)", flush=True)
    if not tests:
        print("no test matches")
        total_failed += 1
    if total_skipped:
        print(f"{total_skipped} skipped")
    print(f"{total_passed} passed, {total_failed} failed")
    return 1 if total_failed else 0


if __name__ == "__main__":
    sys.exit(main())
