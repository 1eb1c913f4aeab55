"""Databases larger than their memory_limit, whatever ends the process: nothing committed is ever out of reach."""

import os
import pathlib
import signal
import subprocess
import sys

import pytest

import scaup

ROW_BYTES = [100, 1_000, 10_000, 1_000_000]
TOTAL_BYTES = 40_000_000

# Writes until it has written enough, and says after each commit how many rows there are; then it waits to be killed.
WRITER = """
import sys, scaup
path, limit, way, row_bytes, total, folder = sys.argv[1:]
row_bytes, total = int(row_bytes), int(total)
con = scaup.connect(path, config={"memory_limit": limit})
con.execute("CREATE COLLECTION t" if way == "documents" else "CREATE TABLE t (i BIGINT, s VARCHAR)")
step = max(1, min(1000, 2_000_000 // row_bytes))
rows = 0
def text(i):
    return (f"{i * 2654435761 % 4294967296:08x}" * (row_bytes // 8 + 1))[:row_bytes]
while rows < total // row_bytes:
    numbers = range(rows, rows + step)
    if way == "insert":
        con.execute("BEGIN")
        for i in numbers:
            con.execute("INSERT INTO t VALUES ($1, $2)", [i, text(i)])
        con.execute("COMMIT")
    elif way == "append":
        con.append("t", [{"i": i, "s": text(i)} for i in numbers])
    elif way == "copy":
        with open(folder + "/rows.csv", "w") as file:
            for i in numbers:
                file.write(f"{i},{text(i)}\\n")
        con.execute(f"COPY t FROM '{folder}/rows.csv'")
    else:
        for i in numbers:
            con.execute("INSERT INTO t VALUES ($1::json)", ['{"i":%d,"s":"%s"}' % (i, text(i))])
    rows += step
    print(rows, flush=True)
sys.stdin.read()
"""


def write_and_kill(path, limit, way, row_bytes, folder):
    """How many rows were committed when the process died."""
    arguments = [sys.executable, "-c", WRITER, str(path), limit, way, str(row_bytes), str(TOTAL_BYTES), str(folder)]
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join([str(pathlib.Path(scaup.__file__).parent.parent),
                                                                os.environ.get("PYTHONPATH", "")]))
    writer = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env=environment, text=True)
    rows = 0
    for line in writer.stdout:
        rows = int(line)
        if rows >= TOTAL_BYTES // row_bytes:
            break
    if writer.poll() is None:
        writer.send_signal(signal.SIGKILL)
    _, errors = writer.communicate()
    assert rows >= TOTAL_BYTES // row_bytes, errors
    return rows


def check(con, rows, row_bytes):
    counted = con.execute("SELECT count(*), sum(length(s)), sum(i) FROM t").fetchone()
    assert counted == (rows, rows * row_bytes, rows * (rows - 1) // 2)


@pytest.mark.parametrize("way", ["insert", "copy", "append", "documents"])
@pytest.mark.parametrize(("limit", "row_bytes"), [*(("16MiB", row_bytes) for row_bytes in ROW_BYTES), ("64MiB", 10_000)])
def test_killed_writer(tmp_path, limit, row_bytes, way):
    if way in ("insert", "documents") and row_bytes == 100:
        pytest.skip("600,000 single statements say nothing new")
    path = tmp_path / "x.scaup"
    rows = write_and_kill(path, limit, way, row_bytes, tmp_path)
    config = {"memory_limit": limit}
    with scaup.connect(str(path), config=config) as con:
        check(con, rows, row_bytes)
        con.execute("CHECKPOINT")
        check(con, rows, row_bytes)
        if way != "documents":
            con.execute("UPDATE t SET i = i WHERE i % 10 = 0")
            con.execute("VACUUM")
        con.execute(f"EXPORT DATABASE '{tmp_path}/exported'")
    with scaup.connect(str(path), config=config) as con:
        check(con, rows, row_bytes)


def test_log_of_a_larger_limit(tmp_path):
    """A log that was written with more memory is replayed with little."""
    path = tmp_path / "x.scaup"
    script = """
import sys, scaup
con = scaup.connect(sys.argv[1], config={"memory_limit": "1GiB", "checkpoint_threshold": "1GiB"})
con.execute("CREATE TABLE t (i BIGINT PRIMARY KEY, s VARCHAR)")
for block in range(100):
    con.execute(f"INSERT INTO t SELECT {block} * 1000 + i, repeat(md5('{block}/' || i), 31) FROM range(1000) AS r(i)")
con.execute("UPDATE t SET s = s || '!' WHERE i % 3 = 0")
con.execute("DELETE FROM t WHERE i % 5 = 0")
print("done", flush=True)
sys.stdin.read()
"""
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(
        [str(pathlib.Path(scaup.__file__).parent.parent), os.environ.get("PYTHONPATH", "")]))
    writer = subprocess.Popen([sys.executable, "-c", script, str(path)], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, env=environment, text=True)
    assert writer.stdout.readline() == "done\n"
    writer.send_signal(signal.SIGKILL)
    writer.communicate()
    expected = (80_000, sum(992 + (i % 3 == 0) for i in range(100_000) if i % 5))
    for _ in range(2):
        with scaup.connect(str(path), config={"memory_limit": "32MiB"}) as con:
            assert con.execute("SELECT count(*), sum(length(s)) FROM t").fetchone() == expected
            assert con.execute("SELECT length(s) FROM t WHERE i = 99999").fetchone() == (993,)
            assert con.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
