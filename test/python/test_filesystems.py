"""File systems of fsspec: register_filesystem()."""

import datetime
import threading
import uuid

import pytest

import scaup

fsspec = pytest.importorskip("fsspec")
pytest.importorskip("fsspec.implementations.memory")


@pytest.fixture(name="memory")
def make_memory(con):
    """A file system in memory that no other test has, registered as "memory"."""

    class Memory(fsspec.implementations.memory.MemoryFileSystem):
        store = {}
        pseudo_dirs = [""]

    memory = Memory(skip_instance_cache=True)
    con.register_filesystem(memory)
    return memory


@pytest.mark.parametrize("ending", ["csv", "csv.gz", "json", "parquet", "arrow"])
def test_round_trips(con, memory, ending):
    con.execute("CREATE TABLE t AS SELECT i, 'text ' || i % 7 AS s FROM generate_series(1, 20000) AS g(i)")
    con.execute(f"COPY t TO 'memory://bucket/t.{ending}'")
    assert memory.ls("/bucket", detail=False) == [f"/bucket/t.{ending}"]
    asked = f"SELECT count(*), sum(i), min(s), max(s) FROM 'memory://bucket/t.{ending}'"
    assert con.execute(asked).fetchone() == (20000, 200010000, "text 0", "text 6")
    assert con.cursor().execute(asked).fetchone()[0] == 20000


def test_patterns_and_whole_files(con, memory):
    for name in ("a/1.csv", "a/2.csv", "a/y=5/3.csv", "top.csv"):
        memory.pipe(f"/{name}", b"x\n1\n")
    assert con.execute("SELECT sum(x) FROM 'memory://a/*.csv'").fetchone() == (2,)
    assert con.execute("SELECT file FROM glob('memory://**/*.csv')").fetchall() == [(f"memory://{name}",) for name in ("a/1.csv", "a/2.csv", "a/y=5/3.csv", "top.csv")]
    assert con.execute("SELECT file FROM glob('memory://*.csv')").fetchall() == [("memory://top.csv",)]
    assert con.execute("SELECT file FROM glob('memory://nowhere/*')").fetchall() == []
    assert con.execute("SELECT x, y FROM read_csv('memory://a/*/*.csv')").fetchall() == [(1, 5)]
    assert con.execute("SELECT filename, content, size FROM read_blob('memory://a/1.csv')").fetchall() == [("memory://a/1.csv", b"x\n1\n", 4)]
    assert con.read_csv("memory://top.csv").fetchall() == [(1,)]


def test_files_of_the_system(con, tmp_path):
    con.register_filesystem(fsspec.filesystem("local"))
    assert con.list_filesystems() == ["file", "local"]
    con.execute(f"COPY (SELECT 7 AS x) TO 'local://{tmp_path}/x.parquet'")
    assert [path.name for path in tmp_path.iterdir()] == ["x.parquet"]
    assert con.execute(f"SELECT x, last_modified > now() - INTERVAL '1 hour' FROM 'local://{tmp_path}/x.parquet', read_blob('file://{tmp_path}/x.parquet')").fetchall() == [(7, True)]
    with pytest.raises(scaup.Error) as failure:
        con.execute(f"SELECT * FROM 'local://{tmp_path}/y.parquet'")
    assert failure.value.sqlstate == "58P01"
    assert isinstance(failure.value.__cause__, FileNotFoundError)


def test_names(con, memory):
    assert con.list_filesystems() == ["memory"]
    memory.pipe("/x.csv", b"x\n1\n")
    with con.duplicate() as other, pytest.raises(scaup.Error, match="no file system is registered for \"memory://\""):
        other.execute("SELECT * FROM 'memory://x.csv'")
    assert con.unregister_filesystem("memory") is con
    assert con.list_filesystems() == []
    with pytest.raises(scaup.Error, match="no file system is registered"):
        con.execute("SELECT * FROM 'memory://x.csv'")
    with pytest.raises(scaup.ProgrammingError) as failure:
        con.unregister_filesystem("memory")
    assert failure.value.sqlstate == "42704"
    for bad in (None, object(), fsspec.AbstractFileSystem()):
        with pytest.raises(scaup.ProgrammingError, match="is no file system"):
            con.register_filesystem(bad)


def test_failures(con, memory):
    memory.pipe("/x.csv", b"x\n1\n")

    def cat_file(path, start=None, end=None, **options):
        raise OSError("the line is dead")

    memory.cat_file = cat_file
    with pytest.raises(scaup.Error, match="file system Memory: OSError: the line is dead") as failure:
        con.execute("SELECT * FROM 'memory://x.csv'")
    assert isinstance(failure.value.__cause__, OSError)
    con.execute("COPY (SELECT 1) TO 'memory://y.csv'")
    before = memory.find("/")
    with pytest.raises(scaup.Error, match="zero"):
        con.execute("COPY (SELECT 1 / (5000 - i) FROM generate_series(1, 9999) AS g(i)) TO 'memory://y.csv'")
    assert memory.find("/") == before  # neither another file, nor less of the old one
    with pytest.raises(scaup.NotSupportedError):
        con.execute("COPY (SELECT 1 AS a, 2 AS b) TO 'memory://d' (FORMAT csv, PARTITION_BY (a))")


def test_files_without_a_size(con, memory):
    memory.pipe("/x.csv", b"x\n1\n2\n")
    info = memory.info
    memory.info = lambda path, **options: info(path, **options) | {"size": None}
    assert con.execute("SELECT sum(x) FROM 'memory://x.csv'").fetchone() == (3,)


def test_versions(con, memory):
    name = str(uuid.uuid4())
    memory.pipe(f"/{name}.csv", b"x\n1\n")
    memory.info = lambda path, **options: {"name": path, "type": "file", "size": 4, "etag": str(uuid.uuid4()), "LastModified": datetime.datetime(2020, 1, 1, tzinfo=datetime.timezone.utc)}
    assert con.execute(f"SELECT x FROM 'memory://{name}.csv'").fetchone() == (1,)  # opened once
    assert con.execute(f"SELECT epoch(last_modified) FROM read_text('memory://{name}.csv')").fetchone() == (1577836800,)


def test_an_interrupt_ends_a_read(con, memory):
    begun, ended = threading.Event(), threading.Event()
    memory.pipe("/x.csv", b"x\n1\n")

    def cat_file(path, start=None, end=None, **options):
        begun.set()
        while not ended.wait(0.01):
            pass
        return b"x\n1\n"[start:end]

    memory.cat_file = cat_file
    stop = threading.Thread(target=lambda: begun.wait() and con.interrupt())
    stop.start()
    try:
        with pytest.raises(scaup.Error) as failure:
            con.execute("SELECT * FROM 'memory://x.csv'").fetchall()
        assert failure.value.sqlstate == "57014"
    finally:
        ended.set()
        stop.join()
