"""The frame of the differential tester: rounds of random queries, comparing their answers, reporting differences, restarting after crashes.

A generator is a class with a title. `Generator(rng, engine_names)` makes from one random source `tables()`, a list of `Statement`s, and as many times
as wanted `query()`, a `Query`. Everything else is here and in engines.py and shrinking.py.
"""

import collections
import concurrent.futures
import contextlib
import faulthandler
import os
import random
import subprocess
import sys
import tempfile
import time
from typing import NamedTuple

ALL_ENGINES = frozenset(["duckdb", "postgresql"])
QUERIES_PER_ROUND = 40
MODES_PER_ROUND = 2
ASKED_AGAIN = 3
# Errors that depend on which rows an engine looks at first, or on memory: where one side fails so, nothing is compared.
RUNTIME_ERRORS = ("22", "21", "53", "54", "57")
# Errors that Scaup may give though another answers. DuckDB aggregates rows of the query around a lateral subquery within
# that, where the standard refuses it.
NOT_HERE = {"duckdb": ("0A000", "42803")}
SECONDS_WITHOUT_PROGRESS = 120


class Parameter(NamedTuple):
    """A literal that may also be sent as a parameter. Its number stands in the text between two zero characters."""

    value: object
    type: str
    literal: str


class Statement(NamedTuple):
    """Of the tables. Scaup always executes it; `engines` are the others that do."""

    text: str
    engines: frozenset = ALL_ENGINES


class Query(NamedTuple):
    text: str
    # Those whose meaning agrees with ours; Scaup is compared with itself in any case.
    engines: frozenset = ALL_ENGINES
    # Whether the order of rows is defined.
    is_ordered: bool = False
    parameters: tuple = ()


class Difference(NamedTuple):
    other: str
    mode: dict
    expected: object
    given: object


def compare(query, other, mode, expected, given, same_rows):
    """A Difference, or None where there is none or nothing to compare."""
    if given.streams:
        collected, streamed = given.streams
        difference = compare(query, "scaup", mode, collected, streamed, same_rows)
        if difference:
            return difference
    if given.is_error and (given.sqlstate.startswith("XX") or len(given.sqlstate) != 5 or not given.message):
        return Difference(other, mode, expected, given)
    if given.is_error and given.sqlstate.startswith("42") and given.position is None:
        return Difference(other + " (no position)", mode, expected, given)
    if expected.is_error or given.is_error:
        is_same = expected.is_error and given.is_error
        is_excused = any(answer.is_error and answer.sqlstate.startswith(RUNTIME_ERRORS) for answer in (expected, given))
        is_refused_there = expected.is_error and other != "scaup"
        is_refused_here = given.is_error and given.sqlstate in NOT_HERE.get(other, ("0A000",)) and other != "scaup"
        return None if is_same or is_excused or is_refused_there or is_refused_here else Difference(other, mode, expected, given)
    rows = (expected.rows, given.rows) if query.is_ordered else (sorted(expected.rows), sorted(given.rows))
    return None if same_rows(*rows) else Difference(other, mode, expected, given)


class Tally:
    """The counts of a run."""

    def __init__(self):
        self.queries = self.differences = 0
        self.compared = collections.Counter()
        self.errors = collections.Counter()
        self.refused = collections.Counter()
        self.unsteady = collections.Counter()
        self.overruled = collections.Counter()

    def note(self, query_answer):
        self.queries += 1
        if query_answer.is_error:
            message = query_answer.message if query_answer.sqlstate in ("0A000",) else ""
            self.errors[f"{query_answer.sqlstate} {message}".strip()] += 1


class Rounds:
    """Runs rounds of a generator against the oracles and Scaup's modes."""

    def __init__(self, scaup_engine, oracles, random_mode, same_rows, judge=contextlib.nullcontext, notes_path=None):
        self.scaup, self.oracles, self.judge = scaup_engine, oracles, judge
        self.random_mode, self.same_rows = random_mode, same_rows
        self.tally = Tally()
        self.threads = concurrent.futures.ThreadPoolExecutor(max(1, len(oracles)))
        self.notes = os.open(notes_path, os.O_WRONLY | os.O_CREAT) if notes_path else None

    def note(self, text):
        """Leaves word of what is done next for the process that watches this one."""
        if self.notes is not None:
            data = text.encode()
            os.pwrite(self.notes, data, 0)
            os.ftruncate(self.notes, len(data))

    def reset(self, setup):
        self.scaup.reset(setup)
        for oracle in self.oracles:
            oracle.reset(setup)

    def difference(self, query, mode, other):
        """Runs `query` alone, in `mode` against Scaup's usual one or an oracle; as in a round. For shrinking."""
        oracle = next((oracle for oracle in self.oracles if oracle.name == other.split(" ")[0]), None)
        if oracle is None:
            expected = self.scaup.run(query, {})
        else:
            expected = oracle.answers([query._replace(engines=ALL_ENGINES)])[0]
        return compare(query, oracle.name if oracle else "scaup", mode, expected, self.scaup.run(query, mode), self.same_rows)

    def run(self, generator_class, seed):
        """One round; yields (setup, query, difference), one for a query at most."""
        rng = random.Random(f"{generator_class.title} {seed}")
        generator = generator_class(rng, [oracle.name for oracle in self.oracles])
        setup = generator.tables()
        queries = [generator.query() for _ in range(QUERIES_PER_ROUND)]
        self.note(f"{generator_class.title} {seed}\nthe tables")

        def ask(oracle):
            oracle.reset(setup)
            return oracle.answers(queries)

        expected = [self.threads.submit(ask, oracle) for oracle in self.oracles]
        self.scaup.reset(setup)
        usual = self.answers(generator_class, seed, queries, {})
        expected = [future.result() for future in expected]
        modes = [self.random_mode(rng) for _ in range(MODES_PER_ROUND)]
        by_mode = [self.answers(generator_class, seed, queries, mode) for mode in modes]
        for index, query in enumerate(queries):
            first = usual[index]
            self.tally.note(first)
            found = []
            for oracle, answers in zip(self.oracles, expected):
                if answers[index] is None:
                    continue
                if not (answers[index].is_error or first.is_error):
                    self.tally.compared[oracle.name] += 1
                elif not first.is_error:
                    self.tally.refused[f"{answers[index].sqlstate} {answers[index].message}"[:80]] += 1
                difference = compare(query, oracle.name, {}, answers[index], first, self.same_rows)
                if difference and not self.is_unsteady(oracle, setup, query, first) and not self.is_overruled(oracle, setup, query, first):
                    found.append(difference)
            for mode, answers in zip(modes, by_mode):
                if not (first.is_error or answers[index].is_error):
                    self.tally.compared["itself"] += 1
                found.append(compare(query, "scaup", mode, first, answers[index], self.same_rows))
            found = [difference for difference in found if difference]
            if found:
                self.tally.differences += 1
                yield setup, query, found[0]

    def is_unsteady(self, oracle, setup, query, given):
        """Whether an oracle, asked again, gives Scaup's answer after all. DuckDB 2.0 does for about one query with windows in
        30,000: one run in 200 has NULL for a frame with EXCLUDE TIES. Such an oracle says nothing of the query."""
        for _ in range(ASKED_AGAIN):
            oracle.reset(setup)
            if compare(query, oracle.name, {}, oracle.answers([query])[0], given, self.same_rows) is None:
                self.tally.unsteady[oracle.name] += 1
                return True
        return False

    def is_overruled(self, oracle, setup, query, given):
        """Whether PostgreSQL, where it is installed, gives Scaup's answer against another oracle. DuckDB 2.0 is wrong in about one
        correlated query in 10,000, always in the same way."""
        if oracle.name == "postgresql" or "postgresql" not in query.engines or any(other.name == "postgresql" for other in self.oracles):
            return False
        with self.judge() as postgresql:
            if postgresql is None:
                return False
            postgresql.reset(setup)
            answer = postgresql.answers([query])[0]
        if answer.is_error or compare(query, "postgresql", {}, answer, given, self.same_rows):
            return False
        self.tally.overruled[oracle.name] += 1
        return True

    def answers(self, generator_class, seed, queries, mode):
        """Scaup's answers in one mode."""
        answers = []
        for index, query in enumerate(queries):
            self.note(f"{generator_class.title} {seed}\nquery {index} in mode {mode}:\n{query.text}")
            answers.append(self.scaup.run(query, mode))
        return answers


def describe(answer, other):
    if answer.is_error:
        where = f" at {answer.position}" if answer.position is not None else ""
        return f"error {answer.sqlstate} {answer.message}{where}"
    missing = list((collections.Counter(answer.rows) - collections.Counter(other.rows or [])).elements())
    return f"{len(answer.rows)} rows" + (f", among them only here {missing[:3]}" if missing else ", the same in another order")


def report(seed, generator_name, setup, query, difference, with_literals):
    print(f"--- {generator_name} {seed}: {difference.other} and scaup {difference.mode or '(usual mode)'} differ")
    for statement in setup:
        print(f"{statement.text};")
    print(f"{with_literals(query.text, query.parameters)};")
    print(f"  expected: {describe(difference.expected, difference.given)}\n  given:    {describe(difference.given, difference.expected)}", flush=True)


# --- Watching --------------------------------------------------------------------------------------------------------


def work(arguments, generators, make_oracles, notes_path):
    """The work of the watched process: rounds until queries or seconds are used up. Returns the exit status."""
    # On the main thread, the module would hand each query to another one, to look after signals.
    with concurrent.futures.ThreadPoolExecutor(1) as thread:
        return thread.submit(run_rounds, arguments, generators, make_oracles, notes_path).result()


def run_rounds(arguments, generators, make_oracles, notes_path):
    import local_postgresql
    from engines import Scaup, random_mode, same_rows, with_literals
    from shrinking import shrink

    faulthandler.enable()
    begin = time.monotonic()
    rounds = Rounds(Scaup(), make_oracles(arguments), random_mode, same_rows, local_postgresql.server, notes_path)
    seed = arguments.seed
    while rounds.tally.queries < arguments.queries and time.monotonic() - begin < arguments.seconds:
        for generator in generators:
            for setup, query, difference in rounds.run(generator, seed):
                report(seed, generator.title, setup, query, difference, with_literals)
                if rounds.tally.differences <= arguments.shrink:
                    small_setup, small_query, small = shrink(rounds, setup, query, difference)
                    print("... or shorter:")
                    report(seed, generator.title, small_setup, small_query, small, with_literals)
                    rounds.reset(setup)
        rounds.note(f"\nafter seed {seed}\n{seed} {rounds.tally.queries}")
        seed += 1
    tally = rounds.tally
    print(f"{tally.queries} queries, seeds {arguments.seed} to {seed - 1}, {time.monotonic() - begin:.0f} s; answers compared with "
          + ", ".join(f"{name}: {count}" for name, count in tally.compared.items()))
    for error, count in tally.errors.most_common(20):
        print(f"  {count} gave error {error}")
    for error, count in tally.refused.most_common(20 if arguments.verbose else 0):
        print(f"  {count} only others refused: {error}")
    for name, count in tally.unsteady.items():
        print(f"  {count} answers of {name} differed from its own to the same query")
    for name, count in tally.overruled.items():
        print(f"  {count} answers of {name} differed from PostgreSQL's, which gave Scaup's")
    print(f"{tally.queries - tally.differences} passed, {tally.differences} failed", flush=True)
    rounds.scaup.close()
    for oracle in rounds.oracles:
        oracle.close()
    return 1 if tally.differences else 0


def watch(command):
    """Runs `command` with a file for its notes; reports what it was doing if it crashes or hangs. Returns its exit status."""
    with tempfile.NamedTemporaryFile(prefix="scaup-fuzz-notes-") as notes:
        process = subprocess.Popen(command + ["--notes", notes.name])
        last, since = b"", time.monotonic()
        while True:
            try:
                status = process.wait(timeout=5)
                break
            except subprocess.TimeoutExpired:
                current = notes.file.seek(0) or notes.file.read()
                if current != last:
                    last, since = current, time.monotonic()
                elif time.monotonic() - since > SECONDS_WITHOUT_PROGRESS:
                    print(f"nothing happened for {SECONDS_WITHOUT_PROGRESS} s")
                    process.send_signal(6)  # faulthandler shows the stack.
                    status = process.wait()
                    break
        if status in (0, 1):
            return status
        notes.file.seek(0)
        print(f"--- ended with status {status} while doing: {notes.file.read().decode('utf-8', 'replace')}\n0 passed, 1 failed", flush=True)
        return 2


def own_command():
    return [sys.executable] + sys.argv
