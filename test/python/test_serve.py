"""scaup.serve(): clients of PostgreSQL beside a program of Python."""

import gc
import os
import signal
import stat
import subprocess
import sys
import threading

import pytest
import scaup

psycopg = pytest.importorskip("psycopg")


def client_of(server, **more):
    host, port = server.addresses[0].rsplit(":", 1)
    return psycopg.connect(host=host, port=port, user="tester", dbname="test", **more)


def test_clients_and_the_program_share_the_database():
    con = scaup.connect()
    con.execute("CREATE TABLE t AS SELECT i FROM range(10) r (i)")
    with scaup.serve(con, "127.0.0.1:0") as server:
        assert server.client_count == 0
        with client_of(server, autocommit=True) as client:
            assert client.execute("SELECT sum(i) FROM t").fetchone() == (45,)
            assert server.client_count == 1
            client.execute("INSERT INTO t VALUES (100)")
            con.execute("DELETE FROM t WHERE i = 0")
            assert con.execute("SELECT count(*), max(i) FROM t").fetchone() == (10, 100)
            assert client.execute("SELECT count(*) FROM t").fetchone() == (10,)
    assert server.client_count == 0
    with pytest.raises(psycopg.OperationalError):
        client_of(server)
    server.stop()
    assert con.execute("SELECT count(*) FROM t").fetchone() == (10,)


def test_the_server_keeps_the_database_open(tmp_path):
    con = scaup.connect(tmp_path / "kept.scaup")
    con.execute("CREATE TABLE t (a INTEGER)")
    server = scaup.serve(con, "127.0.0.1:0")
    con.close()
    with client_of(server) as client:
        client.execute("INSERT INTO t VALUES (1)")
    server.stop()
    assert not os.path.exists(tmp_path / "kept.scaup.wal")
    with scaup.connect(tmp_path / "kept.scaup") as again:
        assert again.execute("SELECT * FROM t").fetchall() == [(1,)]


def test_a_server_that_is_dropped_stops():
    con = scaup.connect()
    server = scaup.serve(con, ["127.0.0.1:0", "127.0.0.1:0"])
    addresses = server.addresses
    assert len(set(addresses)) == 2
    client = client_of(server, autocommit=True)
    del server
    gc.collect()
    with pytest.raises(psycopg.OperationalError):
        client.execute("SELECT 1")
    with scaup.serve(con, addresses[0]) as again:  # the port is free
        assert again.addresses == addresses[:1]


def test_the_socket_is_for_the_own_user(tmp_path):
    con = scaup.connect()
    with scaup.serve(con, socket=tmp_path, port=7432) as server:
        path = tmp_path / ".s.PGSQL.7432"
        assert server.addresses == [str(path)]
        assert stat.S_IMODE(path.stat().st_mode) == 0o700
        with psycopg.connect(host=str(tmp_path), port=7432, user="tester", dbname="test") as client:
            assert client.execute("SELECT 1").fetchone() == (1,)
    assert not path.exists()


def test_options_that_do_not_fit():
    con = scaup.connect()
    with pytest.raises(scaup.Error, match="loopback"):
        scaup.serve(con, "0.0.0.0:0")
    with pytest.raises(scaup.ProgrammingError, match="65535"):
        scaup.serve(con, port=70000)
    with scaup.serve(con, "127.0.0.1:0") as server, pytest.raises(scaup.OperationalError):
        scaup.serve(con, server.addresses[0])
    con.close()
    with pytest.raises(scaup.InterfaceError):
        scaup.serve(con)


def test_the_program_works_while_clients_do():
    con = scaup.connect()
    con.execute("CREATE TABLE t (who INTEGER, i INTEGER)")
    with scaup.serve(con, "127.0.0.1:0") as server:

        def work(who):
            with client_of(server, autocommit=True) as client:
                for i in range(50):
                    client.execute("INSERT INTO t VALUES (%s, %s)", [who, i])

        threads = [threading.Thread(target=work, args=[who]) for who in range(4)]
        for thread in threads:
            thread.start()
        for i in range(50):
            con.execute("INSERT INTO t VALUES (9, ?)", [i])
        for thread in threads:
            thread.join()
        assert con.execute("SELECT who, count(*) FROM t GROUP BY who ORDER BY who").fetchall() == [(0, 50), (1, 50), (2, 50), (3, 50), (9, 50)]


ENDING = """
import os, sys, scaup
con = scaup.connect()
server = scaup.serve(con, "127.0.0.1:0")
{}
print("end", flush=True)
"""


@pytest.mark.parametrize(
    "end", ["", "sys.exit(0)", "import atexit; atexit.register(lambda: server.stop())", "sys.kept = server", "pid = os.fork()\nif pid: os.waitpid(pid, 0)"]
)
def test_a_program_ends_with_its_server(end):
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", ENDING.format(end)], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


def test_signals_are_the_programs():
    code = ENDING.format("import time\ntry:\n    print('ready', flush=True)\n    time.sleep(30)\nexcept KeyboardInterrupt: pass")
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    process.send_signal(signal.SIGINT)
    assert process.stdout.read() == "end\n"
    assert process.wait(30) == 0
