"""Results larger than memory_limit: columns lie in mapped temporary files, and are used like all others."""

import os
import pathlib
import subprocess
import sys

import pytest

import scaup

LIMIT = "16MiB"
# The most that a process may take above the limit: the interpreter with NumPy, and the engine itself.
SLACK_BYTES = 150 << 20

QUERIES = {
    "placed": "SELECT i, i::double / 2 AS d, 'text of row ' || i AS s FROM t",
    "joined": "SELECT i, CASE WHEN i % 3 <> 0 THEN i END AS n, 'text of row ' || i AS s FROM t WHERE i % 2 = 0",
    "sorted": "SELECT i, repeat(md5(i::varchar), 3) AS s FROM t ORDER BY i DESC",
}

CHILD = """
import sys, scaup
con = scaup.connect(config={"memory_limit": sys.argv[1], "threads": "2", "temp_directory": sys.argv[2]})
con.execute("CREATE VIEW t AS SELECT i FROM range(2000000) AS r(i)")
result = con.execute(sys.stdin.read())
print(result.rowcount)
# Not ru_maxrss, which begins with that of the process that forked this one.
with open("/proc/self/status") as status:
    print(int(next(line for line in status if line.startswith("VmHWM:")).split()[1]) * 1024)
# The result outlives its database.
columns = result.fetchnumpy()
con.close()
print(sum(len(column) for column in columns.values()))
"""


@pytest.fixture
def environment():
    return dict(os.environ, PYTHONPATH=os.pathsep.join([str(pathlib.Path(scaup.__file__).parent.parent),
                                                        os.environ.get("PYTHONPATH", "")]))


@pytest.mark.parametrize("name", QUERIES)
def test_rows(name, tmp_path):
    """All rows are those of a connection with more memory."""
    answers = []
    for limit in (LIMIT, "2GiB"):
        with scaup.connect(config={"memory_limit": limit, "temp_directory": str(tmp_path)}) as con:
            con.execute("CREATE VIEW t AS SELECT i FROM range(400000) AS r(i)")
            answers.append(con.execute(QUERIES[name]).fetchall())
    assert len(answers[0]) in (200000, 400000)
    assert answers[0] == answers[1]
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("name", QUERIES)
def test_resident_memory(name, tmp_path, environment):
    child = subprocess.run([sys.executable, "-c", CHILD, LIMIT, str(tmp_path)], input=QUERIES[name],
                           capture_output=True, env=environment, text=True)
    assert child.returncode == 0, child.stderr
    rows, most_bytes, values = map(int, child.stdout.split())
    assert rows in (1000000, 2000000)
    assert values == rows * (2 if name == "sorted" else 3)
    assert most_bytes < SLACK_BYTES


def test_full_temporary_storage(tmp_path):
    """The limit of temporary storage ends the statement, and gives back what it took."""
    with scaup.connect(config={"memory_limit": LIMIT, "temp_directory": str(tmp_path),
                               "max_temp_directory_size": "20MiB"}) as con:
        for _ in range(3):
            with pytest.raises(scaup.OperationalError) as caught:
                con.execute("SELECT i, 'text of row ' || i FROM range(4000000) AS r(i)").fetchnumpy()
            assert caught.value.sqlstate == "53400"
        assert con.execute("SELECT i FROM range(1000000) AS r(i)").fetchnumpy()["i"].sum() == 499999500000
