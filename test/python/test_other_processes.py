"""Readers in other processes while one writes: what they see, and what happens when some of them are killed."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time

import pytest
import scaup

# A process that has the database open: it executes the lines that it gets, and answers each with a line.
PROCESS = """
import json, sys, scaup
con = scaup.connect(sys.argv[1], read_only=sys.argv[2] == "read", config=json.loads(sys.argv[3]))
for line in sys.stdin:
    try:
        con.execute(json.loads(line))
        rows = con.fetchall() if con.description else []
        print(json.dumps(["ok", rows], default=str), flush=True)
    except scaup.Error as error:
        print(json.dumps([error.sqlstate, str(error)]), flush=True)
"""


class Process:
    def __init__(self, path, mode, **config):
        command = [sys.executable, "-c", PROCESS, path, mode, json.dumps({"threads": 2, **config})]
        self.popen = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def send(self, sql):
        self.popen.stdin.write(json.dumps(sql) + "\n")
        self.popen.stdin.flush()

    def receive(self):
        state, rows = json.loads(self.popen.stdout.readline())
        if state != "ok":
            raise AssertionError(f"{state}: {rows}")
        return rows

    def execute(self, *statements):
        for sql in statements:
            self.send(sql)
            rows = self.receive()
        return rows

    def value(self, sql):
        return self.execute(sql)[0][0]

    def error(self, sql):
        self.send(sql)
        return json.loads(self.popen.stdout.readline())

    def kill(self):
        self.popen.send_signal(signal.SIGKILL)
        self.popen.communicate()

    def close(self):
        if self.popen.poll() is None:
            self.popen.communicate("")


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "x.scaup")


@pytest.fixture
def start(path):
    with contextlib.ExitStack() as stack:
        def start(mode="read", **config):
            process = Process(path, mode, **config)
            stack.callback(process.close)
            return process
        yield start


def test_a_reader_sees_each_commit(start):
    writer = start("write")
    writer.execute("CREATE TABLE t (i BIGINT PRIMARY KEY, s VARCHAR)", "INSERT INTO t VALUES (1, 'one')")
    readers = [start(), start()]
    for reader in readers:
        assert reader.execute("SELECT * FROM t") == [[1, "one"]]
    writer.execute("INSERT INTO t VALUES (2, 'two')", "UPDATE t SET s = 'eins' WHERE i = 1", "CREATE TABLE u AS SELECT 5 AS five")
    for reader in readers:
        assert reader.execute("SELECT * FROM t WHERE i = 1") == [[1, "eins"]]
        assert reader.value("SELECT five FROM u") == 5
    # Uncommitted changes are not seen, nor are those that are rolled back.
    writer.execute("BEGIN", "INSERT INTO t VALUES (3, 'three')")
    assert readers[0].value("SELECT count(*) FROM t") == 2
    writer.execute("ROLLBACK")
    assert readers[0].value("SELECT count(*) FROM t") == 2
    # A transaction of the reader has one state, whatever happens.
    readers[0].execute("BEGIN", "SELECT 1")
    writer.execute("INSERT INTO t VALUES (3, 'drei')", "CHECKPOINT", "DELETE FROM t WHERE i = 2", "DROP TABLE u", "CHECKPOINT")
    assert readers[0].execute("SELECT count(*), max(i) FROM t") == [[2, 2]]
    assert readers[0].value("SELECT five FROM u") == 5
    assert readers[1].execute("SELECT i, s FROM t ORDER BY i") == [[1, "eins"], [3, "drei"]]
    readers[0].execute("COMMIT")
    assert readers[0].execute("SELECT i, s FROM t ORDER BY i") == [[1, "eins"], [3, "drei"]]
    assert readers[0].error("SELECT * FROM u")[0] == "42P01"
    # Rows of large inserts are in the file before they are committed.
    writer.execute("INSERT INTO t SELECT i, 'row ' || i FROM range(1000, 201000) AS r(i)")
    assert readers[0].execute("SELECT count(*), max(s) FROM t") == [[200002, "row 99999"]]
    assert readers[1].value("PRAGMA integrity_check") == "ok"
    # Closing the writer changes nothing for readers, and the next writer is followed too.
    writer.close()
    assert readers[0].value("SELECT count(*) FROM t") == 200002
    writer = start("write")
    writer.execute("DELETE FROM t WHERE i >= 1000")
    assert [reader.value("SELECT count(*) FROM t") for reader in readers] == [2, 2]


def test_commits_that_do_not_wait_for_the_disk_are_seen(start):
    writer = start("write")
    writer.execute("CREATE TABLE t (i BIGINT)", "SET synchronous = 'off'")
    reader = start()
    for i in range(50):
        writer.execute(f"INSERT INTO t VALUES ({i})")
        assert reader.value("SELECT count(*) FROM t") == i + 1
        if i % 20 == 7:
            writer.execute("SET synchronous = 'full'" if i == 7 else "CHECKPOINT", "SELECT 1")


def test_documents_and_views_are_followed(start):
    writer = start("write")
    writer.execute("""INSERT INTO c OBJECT {"a": 1, "b": {"c": "x"}}""", "CREATE VIEW v AS SELECT a, \"b.c\" FROM c")
    reader = start()
    assert reader.execute("SELECT * FROM v") == [[1, "x"]]
    for i in range(30):
        writer.execute(f"""INSERT INTO c OBJECT {{"a": {i}, "key{i}": {{"k": {i}}}}}""")
        if i % 10 == 9:
            writer.execute("CHECKPOINT")
        assert reader.value(f"SELECT \"key{i}.k\" FROM c WHERE \"key{i}.k\" IS NOT NULL") == i
        assert reader.value("SELECT count(*) FROM v") == i + 2


def test_readers_change_nothing(start):
    writer = start("write")
    writer.execute("CREATE TABLE t AS SELECT 1 AS i", "CREATE SEQUENCE s", "CREATE VIEW v AS SELECT * FROM t")
    reader = start()
    for sql in ("INSERT INTO t VALUES (2)", "UPDATE t SET i = 2", "DELETE FROM t", "CREATE TABLE u (i INTEGER)", "DROP TABLE t CASCADE", "DROP VIEW v",
                "CREATE INDEX x ON t (i)", "COMMENT ON TABLE t IS 'x'", "SELECT nextval('s')", "CREATE SCHEMA a", "CREATE FUNCTION f() RETURNS INTEGER RETURN 1"):
        state, message = reader.error(sql)
        assert state == "25006" and "read-only" in message, sql
        # Not even in a transaction that is rolled back: it would be in the way of what the writer commits.
        reader.execute("BEGIN")
        assert reader.error(sql)[0] == "25006", sql
        writer.execute("UPDATE t SET i = i + 1", "CREATE OR REPLACE VIEW v AS SELECT i + 1 AS i FROM t")
        reader.execute("ROLLBACK")
    assert reader.value("SELECT i FROM t") == 12
    # Temporary tables and variables of the session stay as they are.
    reader.execute("CREATE TEMPORARY TABLE mine AS SELECT * FROM t")
    writer.execute("CHECKPOINT", "DROP VIEW v", "DROP TABLE t", "CHECKPOINT")
    assert reader.value("SELECT i FROM mine") == 12
    assert reader.error("SELECT * FROM t")[0] == "42P01"


def test_there_is_one_writer(path, start):
    writer = start("write")
    writer.execute("CREATE TABLE t AS SELECT 1 AS i")
    reader = start()
    assert reader.value("SELECT i FROM t") == 1
    with pytest.raises(scaup.OperationalError, match="open elsewhere for writing.*read_only") as caught:
        scaup.connect(path)
    assert caught.value.sqlstate == "55006"
    writer.kill()
    # A killed writer holds nothing, and readers are in nobody's way.
    with scaup.connect(path) as con:
        con.execute("INSERT INTO t VALUES (2)")
        assert reader.value("SELECT sum(i) FROM t") == 3
    assert reader.value("SELECT sum(i) FROM t") == 3


def test_what_readers_need_is_kept_until_they_let_go(path, start):
    rows = 300_000
    writer = start("write", checkpoint_threshold="1GB")
    fill = f"CREATE TABLE t AS SELECT i, hash(i + {{0}}) AS a, hash(i * 7 + {{0}}) AS b FROM range({rows}) AS r(i)"
    writer.execute(fill.format(0), "CHECKPOINT")
    alone = os.path.getsize(path)
    reader = start(memory_limit="64MB")
    reader.execute("BEGIN")
    expected = reader.execute("SELECT sum(a % 1000), count(*) FROM t")  # Only this column is read yet.
    other_column = writer.execute("SELECT sum(b % 1000) FROM t")
    for turn in range(1, 6):
        writer.execute("DROP TABLE t", fill.format(turn), "CHECKPOINT", "VACUUM")
    # The blocks of one checkpoint are kept, and those of the ones in between are not.
    assert os.path.getsize(path) < 4 * alone
    assert reader.execute("SELECT sum(a % 1000), count(*) FROM t") == expected
    # Another writer does not know what this reader needs, and keeps everything.
    writer.kill()
    writer = start("write", checkpoint_threshold="1GB")
    for turn in range(6, 9):
        writer.execute("DROP TABLE t", fill.format(turn), "CHECKPOINT", "VACUUM")
    assert reader.execute("SELECT sum(b % 1000) FROM t") == other_column
    assert reader.execute("SELECT sum(a % 1000), count(*) FROM t") == expected
    reader.kill()
    writer.execute("CHECKPOINT", "VACUUM")
    assert os.path.getsize(path) < 1.3 * alone
    # A reader that goes on to newer checkpoints lets go as well.
    reader = start()
    for turn in range(9, 15):
        writer.execute("DROP TABLE t", fill.format(turn), "CHECKPOINT")
        reader.execute("SELECT sum(a % 1000) FROM t")
    writer.execute("CHECKPOINT", "VACUUM")
    for _ in range(3):  # Its plans of the older checkpoint go first.
        reader.execute("SELECT sum(a % 1000) FROM t")
    writer.execute("VACUUM", "VACUUM")
    assert os.path.getsize(path) < 2.5 * alone
    assert writer.value("PRAGMA integrity_check") == "ok"


def test_readers_and_writers_are_killed_under_load(path, start):
    """Transfers between accounts: whoever looks sees the same sum, and as many transfers as the journal has."""
    accounts = 2000
    writer = start("write", checkpoint_threshold="300KB")
    writer.execute(f"CREATE TABLE account AS SELECT i, 1000 AS money, repeat('x', 50) AS pad FROM range({accounts}) AS r(i)",
                   "CREATE TABLE journal (n BIGINT PRIMARY KEY)", "CHECKPOINT")
    readers = [start(), start(), start()]
    seen = [0] * len(readers)
    done = 0
    end = time.monotonic() + float(os.environ.get("SCAUP_KILL_SECONDS", "6"))
    turn = 0
    while time.monotonic() < end:
        turn += 1
        for reader in readers:
            reader.send("SELECT (SELECT sum(money) FROM account), count(*), coalesce(max(n), 0), coalesce(sum(n), 0) FROM journal")
        before = done
        is_killed = turn % 7 == 0
        for number in range(4):
            sql = (f"BEGIN; UPDATE account SET money = money - 1 WHERE i % 10 = {done % 10}; "
                   f"UPDATE account SET money = money + 1 WHERE i % 10 = {(done + 1) % 10}; INSERT INTO journal VALUES ({done + 1}); COMMIT")
            if is_killed and number == 3:
                writer.send(sql)  # In the middle of it, perhaps.
                break
            writer.execute(sql)
            done += 1
            if turn % 5 == 0:
                writer.execute("CHECKPOINT")
        if is_killed:
            time.sleep(0.002 * (turn % 5))
            writer.kill()
            writer = start("write", checkpoint_threshold="300KB")
            found = writer.value("SELECT coalesce(max(n), 0) FROM journal")
            assert found in (done, done + 1)
            done = found
        for place, reader in enumerate(readers):
            money, count, most, total = reader.receive()[0]
            assert money == accounts * 1000
            assert count == most and total == most * (most + 1) // 2
            assert max(before, seen[place]) <= most <= done
            seen[place] = most
        if turn % 4 == 0:
            place = turn // 4 % len(readers)
            readers[place].kill()
            readers[place] = start()
    assert turn > 5
    for reader in readers:
        assert reader.value("SELECT count(*) FROM journal") == done
        reader.close()
    assert writer.value("PRAGMA integrity_check") == "ok"
    writer.execute("VACUUM")
    writer.close()
    assert not os.path.exists(path + ".wal")
    with scaup.connect(path) as con:
        assert con.execute("SELECT count(*) FROM journal").fetchone()[0] == done


def test_a_file_that_cannot_be_written_is_read(path, start):
    writer = start("write")
    writer.execute("CREATE TABLE t AS SELECT 1 AS i")
    reader = start()
    assert reader.value("SELECT i FROM t") == 1
    # Readers leave no file behind, and open none for writing.
    assert sorted(os.listdir(os.path.dirname(path))) == ["x.scaup", "x.scaup.wal"]
    held = [os.readlink(f"/proc/{reader.popen.pid}/fd/{number}") for number in os.listdir(f"/proc/{reader.popen.pid}/fd")]
    flags = [open(f"/proc/{reader.popen.pid}/fdinfo/{number}").read() for number in os.listdir(f"/proc/{reader.popen.pid}/fd")
             if os.readlink(f"/proc/{reader.popen.pid}/fd/{number}").startswith(path)]
    assert path in held and all(int(text.split("flags:")[1].split()[0], 8) & 3 == os.O_RDONLY for text in flags)
