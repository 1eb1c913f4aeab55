"""Connections, simple queries, transactions, errors, cancel, the end."""

import os
import shutil
import subprocess
import threading
import time

import psycopg
import pytest
from protocol import Server, fields


def error_of(connection, sql):
    with pytest.raises(psycopg.Error) as caught:
        connection.execute(sql)
    return caught.value


def test_parameters_of_the_session(server):
    with server.connect(options="-c timezone=Europe/Berlin") as one:
        status = one.pgconn.parameter_status
        assert status(b"server_version").startswith(b"15.")
        assert status(b"server_encoding") == status(b"client_encoding") == b"UTF8"
        assert status(b"integer_datetimes") == status(b"standard_conforming_strings") == b"on"
        assert status(b"DateStyle") == b"ISO, MDY"
        assert status(b"TimeZone") == b"Europe/Berlin"
        assert one.execute("SELECT '2024-07-01 12:00:00+00'::timestamptz::text").fetchone() == ("2024-07-01 14:00:00+02",)


def test_a_changed_time_zone_is_told(connection):
    connection.execute("SET timezone = 'Asia/Tokyo'")
    assert connection.info.parameter_status("TimeZone") == "Asia/Tokyo"


def test_the_number_of_a_session(server):
    with server.connect() as one, server.connect() as other:
        numbers = [each.execute("SELECT pg_backend_pid()").fetchone()[0] for each in (one, other)]
        assert numbers == [one.info.backend_pid, other.info.backend_pid]
        assert numbers[0] != numbers[1]
        assert one.execute("SELECT pid, state FROM pg_stat_activity").fetchall() == [(numbers[0], "active")]


def test_a_prepared_show_follows_set(connection):
    for name in ("one", "two", "three"):
        connection.execute(f"SET application_name = '{name}'")
        assert connection.execute("SHOW application_name", prepare=True).fetchone() == (name,)


def test_the_search_path_of_a_start(server):
    with server.connect(autocommit=True) as one:
        for schema in ("path_one", "path_two"):
            one.execute(f"CREATE SCHEMA {schema}")
            one.execute(f"CREATE TABLE {schema}.found AS SELECT '{schema}' AS said")
        with server.connect(options="-csearch_path=path_two,path_one", autocommit=True) as other:
            assert other.execute("SELECT said, current_schema() FROM found").fetchone() == ("path_two", "path_two")
            # A prepared statement and one by its text follow the path.
            for path in ("path_one", "path_two, path_one", "path_one"):
                other.execute(f"SET search_path = {path}")
                assert other.execute("SELECT said FROM found", prepare=True).fetchone() == (path.split(",")[0],)
                assert other.execute("SELECT said FROM found WHERE said <> %s", ("",)).fetchone() == (path.split(",")[0],)
            other.execute("DROP TABLE found")
        assert one.execute("SELECT table_schema FROM information_schema.tables WHERE table_name = 'found'").fetchall() == [("path_two",)]
        for schema in ("path_one", "path_two"):
            one.execute(f"DROP SCHEMA {schema} CASCADE")
    with pytest.raises(psycopg.OperationalError, match="search_path"):
        server.connect(options="-csearch_path=a,,b")


def test_unknown_encoding_is_refused(server):
    with pytest.raises(psycopg.OperationalError, match="UTF8"):
        server.connect(client_encoding="latin1")


def test_answers_to_several_statements(wire):
    one = wire()
    one.send(one.message(b"Q", b"SELECT 1; CREATE TABLE s1 (a INTEGER); INSERT INTO s1 VALUES (1), (2); SELECT a FROM s1\0"))
    answer = one.until(b"Z")
    assert "".join(kind.decode() for kind, _ in answer) == "TDCCCTDDCZ"
    assert [body for kind, body in answer if kind == b"C"] == [b"SELECT 1\0", b"CREATE TABLE\0", b"INSERT 0 2\0", b"SELECT 2\0"]
    one.send(one.message(b"Q", b" ; -- nothing\0"))
    assert one.kinds() == "IZ"


def test_rows_without_columns(wire):
    one = wire()
    one.send(one.message(b"Q", b"CREATE TABLE rows2 (a INTEGER); INSERT INTO rows2 VALUES (1), (2); SELECT FROM rows2\0"))
    answer = one.until(b"Z")
    assert "".join(kind.decode() for kind, _ in answer) == "CCTDDCZ"
    assert [body for kind, body in answer if kind in b"TD"] == [b"\0\0"] * 3
    assert [body for kind, body in answer if kind == b"C"][-1] == b"SELECT 2\0"
    one.send(
        one.message(b"P", b"\0SELECT FROM rows2\0\0\0"), one.message(b"D", b"S\0"), one.message(b"B", b"\0" * 8), one.message(b"D", b"P\0"), one.message(b"E", b"\0" * 5), one.message(b"S")
    )
    answer = one.until(b"Z")
    assert "".join(kind.decode() for kind, _ in answer) == "1tT2TDDCZ"


def test_texts_with_other_literals(server):
    """Texts that differ in literals share a plan; kinds of answers, values and errors are those of each."""
    with server.connect(autocommit=True, cursor_factory=psycopg.ClientCursor) as one:
        one.execute("CREATE TABLE shaped (id INTEGER PRIMARY KEY, n SMALLINT, name TEXT, at TIMESTAMP)")
        for i in range(6):
            assert one.execute("INSERT INTO shaped VALUES (%s, %s, %s, CURRENT_TIMESTAMP)", [i, -i, f"it's {i}"]).rowcount == 1
            assert one.execute("SELECT name, n FROM shaped WHERE id = %s", [i]).fetchall() == [(f"it's {i}", -i)]
            assert one.execute("SELECT id FROM shaped WHERE name = %s", [f"it's {i}"]).fetchall() == [(i,)]
            assert one.execute("UPDATE shaped SET n = n + %s WHERE id = %s", [10 * i, i]).statusmessage == "UPDATE 1"
            assert one.execute("SELECT n FROM shaped WHERE id = %s;", [i]).fetchone() == (9 * i,)
            assert one.execute("SELECT id FROM shaped WHERE n = %s", [100000 * i]).fetchall() == ([(0,)] if i == 0 else [])
            with pytest.raises(psycopg.errors.NumericValueOutOfRange):
                one.execute("UPDATE shaped SET n = n + %s WHERE id = %s", [40000 + i, i])
            with pytest.raises(psycopg.errors.UniqueViolation):
                one.execute("INSERT INTO shaped (id, name) VALUES (%s, %s)", [i, "x"])
        assert one.execute("SELECT count(DISTINCT at) FROM shaped").fetchone() == (6,)
        for i in range(3):
            text = f"UPDATE shaped SET name = '{'x' * i}', n = n + nothing WHERE id = {i}"
            error = error_of(one, text)
            assert (error.sqlstate, int(error.diag.statement_position)) == ("42703", text.index("nothing") + 1)
        assert one.execute("DELETE FROM shaped WHERE id = 1").rowcount == 1
        assert one.execute("DELETE FROM shaped WHERE id = 2").rowcount == 1
        assert one.execute("DELETE FROM shaped WHERE id = 2").rowcount == 0


def test_prepared_show(server):
    with server.connect() as one:
        for level in ("serializable", "repeatable read"):
            one.execute(f"SET TRANSACTION ISOLATION LEVEL {level}")
            assert one.execute("SHOW transaction_isolation", prepare=True).fetchone() == (level,)
            one.commit()


def test_texts_that_come_again(server):
    """The server knows a text that has come before; what the text means may have changed meanwhile."""
    with server.connect(autocommit=True, cursor_factory=psycopg.ClientCursor) as one:
        for table in ("(a INT)", "(a INT, b TEXT)"):
            one.execute(f"CREATE TABLE again {table}")
            for _ in range(3):
                assert one.execute(" SELECT * FROM again ; ").fetchall() == []
                assert len(one.execute(" SELECT * FROM again ; ").description) == table.count(",") + 1
            one.execute("DROP TABLE again")
            with pytest.raises(psycopg.errors.UndefinedTable) as caught:
                one.execute(" SELECT * FROM again ; ")
            assert caught.value.diag.statement_position == "16"
        for _ in range(3):
            one.execute("BEGIN")
            with pytest.raises(psycopg.errors.DivisionByZero):
                one.execute("SELECT 1 / 0")
            with pytest.raises(psycopg.errors.InFailedSqlTransaction):
                one.execute("SELECT 1")
            one.execute("COMMIT")
            assert one.execute("SELECT 1").fetchone() == (1,)


def test_a_text_is_one_transaction(connection):
    connection.execute("CREATE TABLE tx (a INTEGER)")
    assert error_of(connection, "INSERT INTO tx VALUES (1); SELECT 1 / 0").sqlstate == "22012"
    assert connection.execute("SELECT count(*) FROM tx").fetchone() == (0,)
    assert error_of(connection, "INSERT INTO tx VALUES (1); COMMIT; INSERT INTO tx VALUES (2); SELECT 1 / 0")
    assert connection.execute("SELECT a FROM tx").fetchall() == [(1,)]
    error_of(connection, "INSERT INTO tx VALUES (3); BEGIN; INSERT INTO tx VALUES (4); SELECT 1 / 0")
    assert connection.info.transaction_status == psycopg.pq.TransactionStatus.INERROR
    connection.execute("ROLLBACK")
    assert connection.execute("SELECT a FROM tx").fetchall() == [(1,)]
    connection.execute("DROP TABLE tx")


def test_states_of_transactions(wire):
    one = wire()

    def ask(sql):
        one.send(one.message(b"Q", sql.encode() + b"\0"))
        answer = one.until(b"Z")
        tags = [body[:-1].decode() for kind, body in answer if kind == b"C"]
        codes = [fields(body)["C"] for kind, body in answer if kind in b"EN"]
        return tags, codes, answer[-1][1].decode()

    assert ask("BEGIN") == (["BEGIN"], [], "T")
    assert ask("BEGIN") == (["BEGIN"], ["25001"], "T")
    assert ask("SELECT wrong") == ([], ["42703"], "E")
    assert ask("SELECT 1") == ([], ["25P02"], "E")
    assert ask("BEGIN") == ([], ["25P02"], "E")
    assert ask("COMMIT") == (["ROLLBACK"], [], "I")
    assert ask("COMMIT") == (["COMMIT"], ["25P01"], "I")
    assert ask("ROLLBACK") == (["ROLLBACK"], ["25P01"], "I")
    # A text that is no SQL, and an error that only the server knows, fail the block as well.
    assert ask("BEGIN; SELECT 1")[2] == "T"
    assert ask("no sql at all") == ([], ["42601"], "E")
    assert ask("ROLLBACK") == (["ROLLBACK"], [], "I")
    assert ask("BEGIN")[2] == "T"
    one.send(one.message(b"D", b"Sunknown\0"), one.message(b"S"))
    answer = one.until(b"Z")
    assert fields(answer[0][1])["C"] == "26000" and answer[-1][1] == b"E"
    assert ask("ROLLBACK")[2] == "I"
    assert ask("BEGIN; SAVEPOINT a; SELECT 1 / 0")[2] == "E"
    assert ask("ROLLBACK TO a") == (["ROLLBACK"], [], "T")
    assert ask("RELEASE a; COMMIT") == (["RELEASE", "COMMIT"], [], "I")


def test_errors_have_positions_and_fields(wire):
    one = wire()
    one.send(one.message(b"Q", "SELECT 'ä'; SELECT 'ö', foo".encode() + b"\0"))
    error = [fields(body) for kind, body in one.until(b"Z") if kind == b"E"][0]
    assert error["S"] == error["V"] == "ERROR"
    assert error["C"] == "42703" and error["P"] == "25"


def test_cancel(server):
    with server.connect(autocommit=True) as one:
        failed = []

        def run():
            failed.append(error_of(one, "SELECT count(*) FROM range(100000000000) a(i) WHERE i % 7 = 3"))

        thread = threading.Thread(target=run)
        thread.start()
        time.sleep(0.3)
        one.cancel_safe()
        thread.join(timeout=60)
        assert failed[0].sqlstate == "57014"
        assert one.execute("SELECT 1").fetchone() == (1,)


def test_a_wrong_key_cancels_nothing(server, wire):
    import struct

    one = wire(begin=False)
    one.socket.sendall(struct.pack("!iiii", 16, 80877102, 1, 12345))
    assert one.closed()


def test_clients_killed_in_a_transaction_leave_nothing(server, wire):
    with server.connect(autocommit=True) as watcher:
        watcher.execute("CREATE TABLE killed (a INTEGER)")
        for _ in range(20):
            one = wire()
            one.send(one.message(b"Q", b"BEGIN; INSERT INTO killed VALUES (1)\0"))
            one.until(b"Z")
            one.send(one.message(b"Q", b"SELECT i FROM range(100000000) t(i)\0"))
            one.socket.close()
        watcher.execute("INSERT INTO killed VALUES (2)")
        assert watcher.execute("SELECT a FROM killed").fetchall() == [(2,)]
        # The server sees that a client has gone when it sends the next rows; DROP waits for no transaction.
        for _ in range(200):
            try:
                watcher.execute("DROP TABLE killed")
                break
            except psycopg.errors.SerializationFailure:
                time.sleep(0.1)
        else:
            pytest.fail("transactions of killed clients stay open")


def test_two_hundred_clients(server):
    clients = [server.connect(autocommit=True) for _ in range(200)]
    assert [one.execute("SELECT %s::int", [i]).fetchone()[0] for i, one in enumerate(clients)] == list(range(200))
    for one in clients:
        one.close()


def test_a_limit_of_clients(serve):
    server = serve("--max-connections", "2")
    first, second = server.connect(), server.connect()
    with pytest.raises(psycopg.OperationalError, match="too many clients"):
        server.connect()
    first.close()
    for _ in range(100):
        try:
            server.connect().close()
            break
        except psycopg.OperationalError:
            time.sleep(0.05)
    else:
        pytest.fail("the place was not given back")
    second.close()


def test_the_end_keeps_what_was_committed(serve, tmp_path):
    path = tmp_path / "kept.scaup"
    server = serve(path)
    one = server.connect(autocommit=True)
    one.execute("CREATE TABLE kept AS SELECT 1 AS a")
    one.execute("BEGIN")
    one.execute("INSERT INTO kept VALUES (2)")
    assert server.stop() == 0
    assert error_of(one, "SELECT 1")
    again = serve(path, "--readonly")
    with again.connect(autocommit=True) as two:
        assert two.execute("SELECT a FROM kept").fetchall() == [(1,)]
        assert error_of(two, "INSERT INTO kept VALUES (3)").sqlstate == "25006"


def test_the_end_stops_statements(serve):
    server = serve()
    one = server.connect(autocommit=True)
    failed = []
    thread = threading.Thread(target=lambda: failed.append(error_of(one, "SELECT count(*) FROM range(100000000000) a(i) WHERE i % 7 = 3")))
    thread.start()
    time.sleep(0.3)
    begin = time.monotonic()
    assert server.stop() == 0
    assert time.monotonic() - begin < 10
    thread.join(timeout=20)
    assert failed


def test_the_socket_is_for_its_user_only(serve, tmp_path):
    folder = tmp_path / "s"
    server = serve("--socket", folder, "--port", "7777", listen=None)
    path = folder / ".s.PGSQL.7777"
    assert path.stat().st_mode & 0o777 == 0o700
    with psycopg.connect(f"host={folder} port=7777 user=any dbname=any") as one:
        assert one.execute("SELECT 1").fetchone() == (1,)
    assert server.stop() == 0
    assert not path.exists()


def test_other_machines_need_a_password():
    with pytest.raises(RuntimeError, match="password"):
        Server(listen="0.0.0.0:0")


@pytest.mark.skipif(shutil.which("psql") is None, reason="there is no psql")
def test_psql(server):
    def psql(*arguments, **more):
        environment = {**os.environ, "PGCONNECT_TIMEOUT": "20"}
        return subprocess.run(["psql", "-X", "-h", "127.0.0.1", "-p", str(server.port), "-U", "me", "db", *arguments],
                              capture_output=True, text=True, timeout=60, env=environment, **more)

    assert psql("-At", "-c", "SELECT 1, true, NULL, 'x'").stdout == "1|t||x\n"
    assert psql("-At", input="SELECT 1;\nSELECT 2 \\; SELECT 3;\n").stdout == "1\n2\n3\n"
    failed = psql("-c", "SELECT foo")
    assert failed.returncode == 1 and "LINE 1: SELECT foo" in failed.stderr


def test_changed_settings_are_told(server, connection):
    status = connection.info.parameter_status
    connection.execute("SET application_name = 'report'")
    assert status("application_name") == "report"
    connection.execute("SET default_transaction_read_only = on")
    assert status("default_transaction_read_only") == "on"
    connection.execute("RESET default_transaction_read_only")
    connection.execute("RESET ALL")
    assert status("application_name") == "" and status("default_transaction_read_only") == "off"
    # In a block at once, and back with its end.
    with server.connect() as other:
        other.execute("SET LOCAL timezone = 'Asia/Tokyo'")
        assert other.info.parameter_status("TimeZone") == "Asia/Tokyo"
        assert other.execute("SELECT '2024-07-01 12:00:00+00'::timestamptz").fetchone()[0].utcoffset().seconds == 9 * 3600
        other.rollback()
        assert other.info.parameter_status("TimeZone") == "UTC"


def test_parameters_of_the_start_are_settings(server):
    with server.connect(application_name="starter", options="-c statement_timeout=5s -c extra_float_digits=2") as one:
        assert one.info.parameter_status("application_name") == "starter"
        row = one.execute("SELECT current_setting('application_name'), current_setting('statement_timeout'), current_setting('extra_float_digits')")
        assert row.fetchone() == ("starter", "5s", "2")


def test_modes_of_transactions(server):
    with server.connect() as one:
        one.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        one.read_only = True
        assert one.execute("SHOW transaction_isolation").fetchone() == ("repeatable read",)
        assert one.execute("SHOW transaction_read_only").fetchone() == ("on",)
    with server.connect(options="-c default_transaction_isolation=repeatable\\ read") as one:
        assert one.execute("SHOW TRANSACTION ISOLATION LEVEL").fetchone() == ("repeatable read",)


def test_a_statement_that_takes_too_long(server):
    with server.connect(autocommit=True) as one:
        one.execute("SET statement_timeout = '50ms'")
        with pytest.raises(psycopg.errors.QueryCanceled):
            one.execute("SELECT count(*) FROM range(100000000) a(x), range(100000) b(y) WHERE (x + y) % 7 = 8")
        assert one.execute("SELECT 1").fetchone() == (1,)
