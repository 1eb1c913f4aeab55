"""Several connections to one path: they share a database."""

import os
import subprocess
import sys
import threading

import pytest
import scaup


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "x.scaup")


def test_connections_share_the_database(tmp_path, path):
    one = scaup.connect(path)
    two = scaup.connect(path)
    one.execute("CREATE TABLE t (i INTEGER)")
    one.begin()
    one.execute("INSERT INTO t VALUES (1)")
    assert two.execute("SELECT count(*) FROM t").fetchone() == (0,)  # a transaction of its own
    one.commit()
    assert two.execute("SELECT count(*) FROM t").fetchone() == (1,)
    one.close()
    two.execute("INSERT INTO t VALUES (2)")
    assert os.path.exists(path + ".wal")
    two.close()
    assert os.listdir(tmp_path) == ["x.scaup"]  # closed with the last one
    with scaup.connect(path) as con:
        assert con.execute("SELECT sum(i) FROM t").fetchone() == (3,)


def test_all_names_of_a_file(tmp_path, path, monkeypatch):
    first = scaup.connect(path)
    first.execute("CREATE TABLE t (i INTEGER)")
    monkeypatch.chdir(tmp_path)
    os.symlink(path, tmp_path / "link.scaup")
    os.mkdir(tmp_path / "folder")
    for name in ("x.scaup", "./x.scaup", "folder/../x.scaup", "link.scaup", tmp_path / "x.scaup"):
        with scaup.connect(name) as con:
            assert con.execute("SELECT count(*) FROM t").fetchone() == (0,)
    first.close()
    with scaup.connect("link.scaup") as con, scaup.connect(path) as other:
        con.execute("INSERT INTO t VALUES (1)")
        assert other.execute("SELECT count(*) FROM t").fetchone() == (1,)


def test_another_file_of_the_same_name(tmp_path, path):
    scaup.connect(path).close()
    first = scaup.connect(path)
    os.rename(path, tmp_path / "moved.scaup")
    with scaup.connect(tmp_path / "moved.scaup") as con:
        con.execute("CREATE TABLE t (i INTEGER)")
    assert first.execute("SELECT count(*) FROM t").fetchone() == (0,)
    first.close()


def test_databases_in_memory_are_not_shared():
    for name in (":memory:", ""):
        with scaup.connect(name) as one, scaup.connect(name) as two:
            one.execute("CREATE TABLE t (i INTEGER)")
            with pytest.raises(scaup.ProgrammingError):
                two.execute("SELECT * FROM t")


def test_settings_must_agree(path):
    first = scaup.connect(path, config={"threads": 2, "memory_limit": "1GB"})
    for config in (None, {}, {"threads": 2}, {"threads": "2", "memory_limit": "1gb"}, {"python_enable_replacements": False}):
        scaup.connect(path, config=config).close()
    for arguments, words in (
        ({"read_only": True}, "access_mode is read_write, not read_only"),
        ({"config": {"access_mode": "read_only"}}, "access_mode is read_write, not read_only"),
        ({"config": {"threads": 1}}, "threads is 2, not 1"),
        ({"config": {"temp_directory": "x"}}, "temp_directory is the default, not x"),
    ):
        with pytest.raises(scaup.OperationalError, match="is open in this process with another configuration: " + words) as raised:
            scaup.connect(path, **arguments)
        assert raised.value.sqlstate == "55006"
    first.close()
    scaup.connect(path, config={"threads": 1}).close()
    with scaup.connect(path, read_only=True) as one, scaup.connect(path, read_only=True) as two:
        assert one.execute("SELECT 1").fetchone() == two.execute("SELECT 1").fetchone()
        with pytest.raises(scaup.OperationalError, match="access_mode is read_only, not read_write"):
            scaup.connect(path)


def test_a_failed_connect_leaves_nothing(path):
    for _ in range(2):
        with pytest.raises(scaup.ProgrammingError):
            scaup.connect(path, config={"nonsense": 1})
        with pytest.raises(scaup.OperationalError):
            scaup.connect(path, read_only=True)  # there is no such file
    scaup.connect(path).close()


@pytest.mark.parametrize("closes", [True, False])
def test_threads_that_open_and_close(path, closes):
    """Those that come while the file is opened or closed wait for that."""
    scaup.connect(path).execute("CREATE TABLE t (i INTEGER)").close()
    failures = []
    barrier = threading.Barrier(4)

    def work(number):
        barrier.wait()
        try:
            for n in range(30):
                con = scaup.connect(path)
                con.execute("INSERT INTO t VALUES (?)", [number * 1000 + n])
                if closes:
                    con.close()
        except BaseException as error:  # pylint: disable=broad-except
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert failures == []
    with scaup.connect(path) as con:
        assert con.execute("SELECT count(*), count(DISTINCT i) FROM t").fetchone() == (120, 120)


def test_another_process_is_refused(path):
    script = "import sys, scaup\ntry: scaup.connect(sys.argv[1])\nexcept scaup.OperationalError as error: print(error.sqlstate)"
    with scaup.connect(path):
        run = subprocess.run([sys.executable, "-c", script, path], capture_output=True, text=True)
    assert run.stdout == "55006\n", run.stderr


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_child_made_by_fork_knows_nothing_of_it(path):
    con = scaup.connect(path)
    con.execute("CREATE TABLE t (i INTEGER)")

    def in_child():
        read_end, write_end = os.pipe()
        if (child := os.fork()) == 0:
            try:
                with scaup.connect(path) as own, scaup.connect(path) as second:
                    text = str((own.execute("SELECT count(*) FROM t").fetchone(), second.execute("SELECT 1").fetchone()))
            except BaseException as error:  # pylint: disable=broad-except
                text = str(getattr(error, "sqlstate", error))
            con.close()
            os.write(write_end, text.encode())
            os._exit(0)
        os.close(write_end)
        with os.fdopen(read_end) as file:
            text = file.read()
        os.waitpid(child, 0)
        return text

    assert in_child() == "55006"  # the parent has it
    con.close()
    assert in_child() == "((0,), (1,))"
