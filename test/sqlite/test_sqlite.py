"""Python's module sqlite3 over Scaup's SQLite interface: the same answers as over SQLite, and what differs."""

import json
import os
import pathlib
import subprocess
import sys
import textwrap

import pytest

LIBRARY = os.environ["SCAUP_SQLITE_LIBRARY"]
HERE = pathlib.Path(__file__).resolve().parent


def run(arguments, library, folder):
    environment = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    if library:
        environment["LD_PRELOAD"] = library
    done = subprocess.run([sys.executable, "-B", *arguments], cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def over_scaup(code, folder):
    """The output of a program over Scaup."""
    return run(["-c", "import sqlite3\n" + textwrap.dedent(code)], LIBRARY, folder)


def over_both(code, folder):
    """The output of a program, which must be the same over SQLite."""
    (folder / "sqlite").mkdir()
    (folder / "scaup").mkdir()
    program = "import sqlite3\n" + textwrap.dedent(code)
    expected = run(["-c", program], None, folder / "sqlite")
    assert run(["-c", program], LIBRARY, folder / "scaup") == expected
    return expected


@pytest.fixture(scope="module", autouse=True)
def takes_functions_of_library():
    try:
        run(["-c", "import sqlite3; sqlite3.connect(':memory:').execute('SELECT pg_typeof(1)')"], LIBRARY, HERE)
    except AssertionError:
        pytest.skip("this Python's sqlite3 module does not take the library's functions")


def test_statements(tmp_path):
    expected = run([str(HERE / "statements.py")], None, tmp_path).splitlines()
    answers = run([str(HERE / "statements.py")], LIBRARY, tmp_path).splitlines()
    assert len(expected) > 200
    assert [json.loads(line) for line in answers] == [json.loads(line) for line in expected]


def test_file_is_kept_and_opened_again(tmp_path):
    over_both(
        """
        for round in range(3):
            con = sqlite3.connect("a.db")
            con.execute("CREATE TABLE IF NOT EXISTS t(id INTEGER PRIMARY KEY, x, d TIMESTAMP)")
            with con:
                con.executemany("INSERT INTO t(x, d) VALUES (?, ?)", [(round, "2024-01-01"), ("text", None)])
            print(con.execute("SELECT *, typeof(x) FROM t ORDER BY id").fetchall())
            print(con.execute("SELECT name, sql FROM sqlite_master").fetchall())
            con.execute("PRAGMA user_version = %d" % (round + 5))
            print(con.execute("PRAGMA user_version").fetchone())
            con.close()
        """,
        tmp_path,
    )


def test_connections_to_one_file(tmp_path):
    over_both(
        """
        one = sqlite3.connect("a.db", timeout=0, isolation_level=None)
        two = sqlite3.connect("a.db", timeout=0, isolation_level=None)
        one.execute("PRAGMA journal_mode = wal")
        one.execute("CREATE TABLE t(x INTEGER)")
        one.execute("BEGIN IMMEDIATE")
        one.execute("INSERT INTO t VALUES (1)")
        print(two.execute("SELECT count(*) FROM t").fetchone())
        try:
            two.execute("INSERT INTO t VALUES (2)")
        except sqlite3.OperationalError as error:
            print(error, error.sqlite_errorname)
        one.execute("COMMIT")
        two.execute("INSERT INTO t VALUES (2)")
        print(one.execute("SELECT x FROM t ORDER BY x").fetchall())
        two.execute("DROP TABLE t")
        try:
            one.execute("SELECT * FROM t")
        except sqlite3.OperationalError as error:
            print(error)
        """,
        tmp_path,
    )


def test_writer_waits_for_the_other(tmp_path):
    over_both(
        """
        import threading
        one = sqlite3.connect("a.db", isolation_level=None, check_same_thread=False)
        one.execute("CREATE TABLE t(x INTEGER)")
        one.execute("BEGIN IMMEDIATE")
        def write():
            two = sqlite3.connect("a.db", timeout=60)
            with two:
                two.execute("INSERT INTO t VALUES (1)")
            two.close()
        thread = threading.Thread(target=write)
        thread.start()
        one.execute("INSERT INTO t VALUES (0)")
        one.execute("COMMIT")
        thread.join()
        print(one.execute("SELECT x FROM t ORDER BY rowid").fetchall())
        """,
        tmp_path,
    )


def test_functions_aggregates_and_windows(tmp_path):
    over_both(
        """
        con = sqlite3.connect(":memory:")
        con.execute("CREATE TABLE t(g TEXT, x INTEGER)")
        con.executemany("INSERT INTO t VALUES (?, ?)", [("a", 1), ("a", 2), ("b", 3), ("b", None)])
        con.create_function("double", 1, lambda x: None if x is None else 2 * x)
        con.create_function("name", -1, lambda *all: ",".join(type(one).__name__ for one in all))
        class Collect:
            def __init__(self): self.all = []
            def step(self, *values): self.all.append(values)
            def finalize(self): return repr(sorted(self.all, key=repr))
        con.create_aggregate("collect", -1, Collect)
        class Total:
            def __init__(self): self.total = 0
            def step(self, value): self.total += value or 0
            def inverse(self, value): self.total -= value or 0
            def value(self): return self.total
            def finalize(self): return self.total
        con.create_window_function("total2", 1, Total)
        for sql in ("SELECT double(x), double(double(x)) FROM t",
                    "SELECT x FROM t WHERE double(x) > 3",
                    "SELECT double(x) + 1, sum(double(x)) OVER () FROM t",
                    "SELECT sum(double(x)) FROM t",
                    "SELECT x FROM t ORDER BY double(x) DESC",
                    "SELECT name(), name(1, 'a', 1.5, x'00', NULL)",
                    "SELECT g, collect(x, g) FROM t GROUP BY g ORDER BY g",
                    "SELECT collect(x) FROM t WHERE x > 100",
                    "SELECT x, total2(x) OVER (ORDER BY x ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM t ORDER BY x",
                    "SELECT g FROM t GROUP BY g HAVING double(max(x)) > 4",
                    "SELECT d FROM (SELECT double(x) AS d FROM t) ORDER BY 1"):
            print(con.execute(sql).fetchall())
        def fail(): raise ValueError
        con.create_function("fail", 0, fail)
        try:
            con.execute("SELECT fail()").fetchall()
        except sqlite3.OperationalError as error:
            print(error)
        con.create_function("double", 1, None)
        try:
            con.execute("SELECT double(1)")
        except sqlite3.OperationalError as error:
            print(error)
        con.create_function("regexp", 2, lambda pattern, text: pattern in (text or ""))
        print(con.execute("SELECT DISTINCT g FROM t WHERE g REGEXP 'a'").fetchall())
        """,
        tmp_path,
    )


def test_dump_backup_and_blobs(tmp_path):
    over_both(
        """
        con = sqlite3.connect(":memory:")
        con.executescript('''
            CREATE TABLE "T 1"(id INTEGER PRIMARY KEY, name TEXT, data BLOB, n);
            INSERT INTO "T 1" VALUES (1, 'it''s', x'00ff', 1.5), (2, NULL, NULL, 'x');
            CREATE TABLE u(a);
            INSERT INTO u VALUES (1);
            CREATE INDEX i ON u(a);
            CREATE VIEW v AS SELECT a FROM u;
        ''')
        dump = list(con.iterdump())
        print("\\n".join(dump))
        other = sqlite3.connect(":memory:")
        other.executescript("".join(dump))
        print(other.execute('SELECT * FROM "T 1"').fetchall(), other.execute("SELECT * FROM v").fetchall())
        copy = sqlite3.connect(":memory:")
        con.backup(copy)
        print(copy.execute('SELECT * FROM "T 1"').fetchall(), copy.execute("SELECT * FROM v").fetchall())
        copy.execute("INSERT INTO u VALUES (2)")
        print(copy.execute("SELECT rowid, a FROM u").fetchall())
        with con.blobopen("T 1", "data", 1) as blob:
            blob.write(b"ab")
        print(con.execute('SELECT data FROM "T 1" WHERE id = 1').fetchone())
        third = sqlite3.connect(":memory:")
        third.deserialize(con.serialize())
        print(third.execute('SELECT count(*) FROM "T 1"').fetchone())
        """,
        tmp_path,
    )


def test_rows_of_a_query_outlive_other_statements(tmp_path):
    over_both(
        """
        con = sqlite3.connect(":memory:")
        con.execute("CREATE TABLE t(x INTEGER)")
        con.executemany("INSERT INTO t VALUES (?)", [(i,) for i in range(5000)])
        con.commit()
        total = 0
        for (x,) in con.execute("SELECT x FROM t ORDER BY x LIMIT 100"):
            con.execute("UPDATE t SET x = x + 1 WHERE x = ?", (10000 + x,))
            total += x
        con.rollback()
        print(total)
        """,
        tmp_path,
    )


def test_decltypes_and_rows(tmp_path):
    over_both(
        """
        import datetime, warnings
        warnings.simplefilter("ignore")
        con = sqlite3.connect(":memory:", detect_types=sqlite3.PARSE_DECLTYPES | sqlite3.PARSE_COLNAMES)
        con.row_factory = sqlite3.Row
        con.execute("CREATE TABLE t(d DATE, ts TIMESTAMP, b BLOB)")
        con.execute("INSERT INTO t VALUES (?, ?, ?)", (datetime.date(2024, 1, 2), datetime.datetime(2024, 1, 2, 3, 4, 5), b"x"))
        row = con.execute("SELECT * FROM t").fetchone()
        print(row.keys(), tuple(row))
        row = con.execute('SELECT d AS "x [timestamp]", b FROM t WHERE d > ?', (datetime.date(2024, 1, 1),)).description
        print(row)
        """,
        tmp_path,
    )


@pytest.mark.parametrize(
    "statement, message",
    [
        ("INSERT INTO t(i) VALUES ('abc')", "datatype mismatch"),
        ("INSERT INTO t(i) VALUES (2.5)", "datatype mismatch"),
        ("INSERT INTO t(s) VALUES (x'00')", "datatype mismatch"),
        ("UPDATE t SET i = s", "datatype mismatch"),
        ("CREATE TRIGGER x AFTER INSERT ON t BEGIN SELECT 1; END", "triggers are not supported"),
        ("CREATE VIRTUAL TABLE x USING fts5(a)", "no such module: fts5"),
        ("ATTACH 'x' AS y", "ATTACH and DETACH are not supported"),
        ("SELECT json_extract('{}', '$')", "no such function: json_extract"),
        ("SELECT s FROM t WHERE s = 'a' COLLATE NOCASE", "COLLATE NOCASE is supported only"),
        ("CREATE TABLE x(a TEXT COLLATE NOCASE)", "is not supported"),
        ("PRAGMA case_sensitive_like = 1", "is not supported"),
        ("SELECT i FROM t GROUP BY s", "must appear in the GROUP BY clause"),
        ("SELECT 1/0", "division by zero"),
    ],
)
def test_what_differs_is_refused(statement, message, tmp_path):
    answer = over_scaup(
        f"""
        con = sqlite3.connect(":memory:")
        con.execute("CREATE TABLE t(i INTEGER, s TEXT)")
        con.execute("INSERT INTO t VALUES (1, 'a')")
        try:
            print(con.execute({statement!r}).fetchall())
        except sqlite3.Error as error:
            print("error:", error)
        print(con.execute("SELECT * FROM t").fetchall())
        """,
        tmp_path,
    )
    assert answer.startswith("error: ") and message in answer
    assert answer.endswith("[(1, 'a')]\n")


def test_columns_are_the_engines(tmp_path):
    """Types by affinity, so that other programs read the tables as their own."""
    answer = over_scaup(
        """
        con = sqlite3.connect("a.db")
        con.execute("CREATE TABLE t(id INTEGER PRIMARY KEY, s VARCHAR(10), r FLOAT, b BLOB, n NUMERIC, u, d DATETIME)")
        con.execute("INSERT INTO t VALUES (1, 'a', 1, x'00', 5, 'late', '2024-01-01')")
        con.commit()
        print(con.execute("SELECT pg_typeof(id), pg_typeof(s), pg_typeof(r), pg_typeof(b), pg_typeof(n), pg_typeof(u), pg_typeof(d) FROM t").fetchone())
        """,
        tmp_path,
    )
    assert answer == "('bigint', 'text', 'double precision', 'bytea', 'bigint', 'text', 'text')\n"


def test_misuse_of_handles(tmp_path):
    assert "closed" in over_scaup(
        """
        con = sqlite3.connect("a.db")
        cursor = con.execute("SELECT 1")
        con.close()
        try:
            cursor.fetchone()
        except sqlite3.ProgrammingError as error:
            print(error)
        for _ in range(50):
            con = sqlite3.connect(":memory:")
            con.execute("SELECT 1")
            del con
        """,
        tmp_path,
    )
