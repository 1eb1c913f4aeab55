#!/usr/bin/env python3
"""Runs CPython's own tests of its sqlite3 module over Scaup's SQLite interface, and compares with expected_failures.txt.

    run_cpython_tests.py build/release/extension/sqlite/libscaup_sqlite3.so [--python python3.12]

The tests are those of the Python that runs them, where its installation has them. Closes with `N passed, N failed`: a test
fails if it does not do what the list says, so one that is listed and passes fails, too."""

import argparse
import importlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

MODULES = ["dbapi", "factory", "transactions", "regression", "types", "userfunctions", "hooks", "dump", "backup"]
LIST = pathlib.Path(__file__).with_name("expected_failures.txt")


class Outcomes(unittest.TestResult):
    """Remembers how each test has ended. The worst of a test's parts counts."""

    def __init__(self):
        super().__init__()
        self.outcomes = {}

    def startTest(self, test):
        super().startTest(test)
        self.outcomes[test.id()] = "passed"

    def addError(self, test, err):
        self.outcomes[test.id()] = "failed"

    addFailure = addError

    def addSkip(self, test, reason):
        self.outcomes[test.id()] = "skipped"

    def addSubTest(self, test, subtest, err):
        if err is not None:
            self.outcomes[test.id()] = "failed"


def run_here():
    """Runs the tests in this process, and prints how they end. Returns the exit status."""
    import sqlite3

    connection = sqlite3.connect(":memory:")
    try:
        # A function of Scaup's that SQLite does not have.
        connection.execute("SELECT pg_typeof(1)")
    except sqlite3.OperationalError:
        print(json.dumps({"absent": "this Python's sqlite3 module does not take the library's functions"}))
        return 0
    connection.close()
    outcomes = Outcomes()
    for module in MODULES:
        for package, name in (("test.test_sqlite3", f"test_{module}"), ("sqlite3.test", module)):
            try:
                tests = importlib.import_module(f"{package}.{name}")
            except ImportError:
                continue
            unittest.defaultTestLoader.loadTestsFromModule(tests).run(outcomes)
            break
        else:
            print(json.dumps({"absent": f"this Python has no tests of its module sqlite3: {module}"}))
            return 0
    prefixes = ("test.test_sqlite3.test_", "sqlite3.test.")
    result = {}
    for name, outcome in outcomes.outcomes.items():
        for prefix in prefixes:
            name = name.removeprefix(prefix)
        result[name] = outcome
    print("\n" + json.dumps({"outcomes": result}))
    return 0


def expected_failures(version):
    """The names of the tests that are listed for a version such as (3, 11)."""
    names = set()
    for line in LIST.read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        name, _, reason = line.partition(" ")
        reason = reason.strip()
        if reason.startswith("["):
            first, _, last = reason[1 : reason.index("]")].partition("-")
            bounds = [tuple(map(int, bound.split("."))) if bound else None for bound in (first, last)]
            if (bounds[0] and version < bounds[0]) or (bounds[1] and version > bounds[1]):
                continue
        names.add(name)
    return names


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("library", type=pathlib.Path, nargs="?", help="libscaup_sqlite3.so")
    parser.add_argument("--python", default=sys.executable, help="the Python whose tests are run (default: this one)")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.here:
        return run_here()
    version = tuple(json.loads(subprocess.run([arguments.python, "-c", "import sys; print(list(sys.version_info[:2]))"], check=True, capture_output=True, text=True).stdout))
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "LD_PRELOAD": str(arguments.library.resolve())}
        # Isolated from the folder of this file and from the user's packages.
        done = subprocess.run([arguments.python, "-B", str(pathlib.Path(__file__).resolve()), "--here"], cwd=folder, env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        print(done.stdout + done.stderr)
        print(f"the tests ended with status {done.returncode}")
        return 1
    answer = json.loads(done.stdout.splitlines()[-1])
    if "absent" in answer:
        print(f"left out: {answer['absent']}")
        print("0 passed, 0 failed")
        return 0
    expected = expected_failures(version)
    outcomes = answer["outcomes"]
    wrong = 0
    for name, outcome in outcomes.items():
        if outcome == "failed" and name not in expected:
            print(f"fails: {name}")
            wrong += 1
        elif outcome == "passed" and name in expected:
            print(f"passes, though it is in {LIST.name}: {name}")
            wrong += 1
    for module in MODULES:
        of_module = [outcome for name, outcome in outcomes.items() if name.startswith(module + ".")]
        print(f"{module}: {of_module.count('passed')} of {len(of_module) - of_module.count('skipped')}")
    print(f"{len(outcomes) - wrong} passed, {wrong} failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
