#!/usr/bin/env python3
"""Kills a process that writes, again and again, and looks at what the database has then.

The process inserts rows from several sessions at once, and says so after every commit. Whatever the moment at which it
dies: all that it said was committed is there, every commit is there as a whole or not at all, nothing is there twice, and
PRAGMA integrity_check is content. `python3 test/python/kill_under_load.py --rounds 200`, with scaup on PYTHONPATH."""

import argparse
import os
import pathlib
import random
import select
import signal
import sys
import tempfile
import threading
import time

import scaup

WRITERS = 4
ROUNDS_OF_A_DATABASE = 10
MOST_SECONDS = 0.8
TABLES = ("CREATE TABLE t (commit_id BIGINT NOT NULL, part INTEGER NOT NULL, parts INTEGER NOT NULL, text VARCHAR)",)
CONFIG = {"threads": 2, "checkpoint_threshold": "100KiB"}


TEXT_IN_SQL = "repeat('commit {0} part ' || i || ' ', CAST(1 + ({0} + i) % 9 AS INTEGER))"


def text_of(commit_id, part):
    return f"commit {commit_id} part {part} " * (1 + (commit_id + part) % 9)


def write(session, commit_id, chance):
    """One commit, of a table or of 1 to 3000 rows; what fails has a negative number and must never be seen."""
    parts = chance.choice((1, 1, 2, 5, 60, 3000))
    if chance.random() < 0.1:
        session.execute(f"CREATE TABLE c{commit_id} AS SELECT {commit_id} AS commit_id")
    elif parts == 3000:
        session.execute(f"INSERT INTO t SELECT {commit_id}, i, {parts}, {TEXT_IN_SQL.format(commit_id)} FROM range({parts}) AS r(i)")
    else:
        places = ", ".join(["(?, ?, ?, ?)"] * parts)
        rows = [(commit_id, part, parts, text_of(commit_id, part)) for part in range(parts)]
        session.execute(f"INSERT INTO t VALUES {places}", [value for row in rows for value in row])
    if chance.random() < 0.1:
        try:
            session.execute("INSERT INTO t VALUES (?, 0, 1, 'x'), (NULL, 0, 1, 'x')", [-commit_id])
            os._exit(2)  # NOT NULL should have refused it.
        except scaup.IntegrityError:
            pass


def writer(session, pipe, first_id, chance):
    for commit_id in range(first_id, first_id + 1_000_000):
        write(session, commit_id, chance)
        os.write(pipe, b"%d\n" % commit_id)  # At once, and in one piece.
        if chance.random() < 0.02:
            session.execute(chance.choice(("CHECKPOINT", "CHECKPOINT", "VACUUM")))


def write_until_killed(path, pipe, first_id, seed):
    database = scaup.connect(path, config=CONFIG)
    os.write(pipe, b"0\n")
    threads = []
    for number in range(WRITERS):
        arguments = (database.duplicate(), pipe, first_id + number * 1_000_000, random.Random(seed + number))
        threads.append(threading.Thread(target=writer, args=arguments))
        threads[-1].start()
    for thread in threads:
        thread.join()


def run_and_kill(path, first_id, chance):
    """The numbers of the commits that a process said it had made before it was killed."""
    reading, writing = os.pipe()
    seed = chance.randrange(1 << 60)
    child = os.fork()
    if child == 0:
        os.close(reading)
        try:
            write_until_killed(path, writing, first_id, seed)
        finally:  # Only by an error: its message is on stderr, and the parent sees the status.
            sys.excepthook(*sys.exc_info())
            os._exit(1)
    os.close(writing)
    # Now and then it dies while it opens the database, else some time after that.
    begun = chance.random() < 0.1 or select.select([reading], [], [], 60)
    assert begun
    time.sleep(chance.random() ** 2 * MOST_SECONDS)
    os.kill(child, signal.SIGKILL)
    said = b""
    while part := os.read(reading, 1 << 16):
        said += part
    os.close(reading)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status), f"the writing process ended by itself, with status {status}"
    return {int(line) for line in said.split(b"\n")[:-1]} - {0}


def check(path, acknowledged, read_only):
    with scaup.connect(path, read_only=read_only) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        found = set()
        rows = database.execute("SELECT commit_id, part, parts, text FROM t").fetchall()
        parts_of = {}
        for commit_id, part, parts, text in rows:
            assert commit_id > 0, f"commit {commit_id} was rolled back"
            assert text == text_of(commit_id, part), f"commit {commit_id} has the text {text}"
            parts_of.setdefault((commit_id, parts), []).append(part)
        for (commit_id, parts), there in parts_of.items():
            assert sorted(there) == list(range(parts)), f"commit {commit_id} of {parts} rows has {sorted(there)}"
            assert commit_id not in found, f"commit {commit_id} is there twice"
            found.add(commit_id)
        for (name,) in database.execute("SELECT table_name FROM scaup_tables() WHERE table_name <> 't'").fetchall():
            assert database.execute(f"SELECT commit_id FROM {name}").fetchall() == [(int(name[1:]),)]
            found.add(int(name[1:]))
    assert not acknowledged - found, f"lost: {sorted(acknowledged - found)}"
    return found


def run(rounds, seed, directory):
    """(commits acknowledged, commits found that were not acknowledged, kills that left a log)"""
    chance = random.Random(seed)
    acknowledged, known, total, unsaid, logs = set(), set(), 0, 0, 0
    path = None
    for number in range(rounds):
        if number % ROUNDS_OF_A_DATABASE == 0:
            path = os.path.join(directory, f"database{number}.scaup")
            acknowledged, known = set(), set()
            with scaup.connect(path) as database:
                for sql in TABLES:
                    database.execute(sql)
        new = run_and_kill(path, 1 + number * WRITERS * 1_000_000, chance)
        logs += os.path.exists(path + ".wal")
        acknowledged |= new
        total += len(new)
        if chance.random() < 0.5:
            seen = check(path, acknowledged, read_only=True)
            assert seen == check(path, acknowledged, read_only=False), "who only reads sees something else"
        found = check(path, acknowledged, read_only=False)
        assert known <= found, "a commit that was found before is gone"
        unsaid += len(found - known - new)
        known = found
        assert sorted(os.listdir(directory)) == [os.path.basename(path)], os.listdir(directory)
        if (number + 1) % ROUNDS_OF_A_DATABASE == 0:
            os.remove(path)
    return total, unsaid, logs


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    arguments = parser.parse_args()
    begin = time.monotonic()
    print(f"seed {arguments.seed}", flush=True)
    with tempfile.TemporaryDirectory() as directory:
        total, unsaid, logs = run(arguments.rounds, arguments.seed, str(pathlib.Path(directory)))
    print(f"{arguments.rounds} kills, {logs} of them left a log; {total} commits acknowledged and found, {unsaid} found "
          f"that were not; {time.monotonic() - begin:.0f} s")


if __name__ == "__main__":
    main()
