"""Passwords by SCRAM-SHA-256, and TLS."""

import asyncio
import pathlib
import shutil
import subprocess

import asyncpg
import pg8000.native
import psycopg
import pytest
from protocol import find_shell


@pytest.fixture
def passwords(tmp_path):
    path = tmp_path / "passwords"
    path.write_text(
        "# user:password\nann:secret\nbob:with:colon\n"
        "cat:SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==$WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=:wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU=\n"
    )
    path.chmod(0o600)
    return path


@pytest.fixture
def client(monkeypatch):
    """scaup.client of the build that the shell is of."""
    folder = pathlib.Path(find_shell()).parents[1] / "python"
    if not list(folder.glob("scaup/_scaup*.so")):
        pytest.skip("the Python module was not built")
    monkeypatch.syspath_prepend(str(folder))
    from scaup import client

    return client


def test_passwords(serve, passwords):
    server = serve("--password-file", passwords, listen="0.0.0.0:0")
    for user, password in (("ann", "secret"), ("bob", "with:colon"), ("cat", "pencil")):
        with server.connect(user=user, password=password) as one:
            assert one.execute("SELECT 1").fetchone() == (1,)
    for user, password in (("ann", "Secret"), ("bob", "with"), ("nobody", "secret"), ("ann", "x" * 5000)):
        with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
            server.connect(user=user, password=password)
    with pytest.raises(psycopg.OperationalError):
        server.connect(user="ann")
    assert pg8000.native.Connection("ann", host="127.0.0.1", port=server.port, password="secret").run("SELECT 1") == [[1]]

    async def use():
        one = await asyncpg.connect(host="127.0.0.1", port=server.port, user="ann", password="secret", database="x")
        assert await one.fetchval("SELECT 1") == 1
        await one.close()

    asyncio.run(asyncio.wait_for(use(), 30))


def test_the_own_user_at_the_socket_needs_no_password(serve, passwords, tmp_path):
    serve("--password-file", passwords, "--socket", tmp_path / "s", "--port", "7777", listen=None)
    with psycopg.connect(f"host={tmp_path / 's'} port=7777 user=x dbname=x") as one:
        assert one.execute("SELECT 1").fetchone() == (1,)


@pytest.mark.parametrize("text, mode, message", [("ann:secret\n", 0o644, "others may read"), ("ann\n", 0o600, "line 1")])
def test_files_that_are_refused(serve, tmp_path, text, mode, message):
    path = tmp_path / "passwords"
    path.write_text(text)
    path.chmod(mode)
    with pytest.raises(RuntimeError, match=message):
        serve("--password-file", path)


def make_certificate(certificate, key):
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-days", "2", "-keyout", str(key), "-out", str(certificate)],
        check=True, capture_output=True,
    )


@pytest.mark.skipif(shutil.which("openssl") is None, reason="there is no openssl to make a certificate")
def test_tls(serve, passwords, tmp_path):
    certificate, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    make_certificate(certificate, key)
    server = serve("--password-file", passwords, "--tls-cert", certificate, "--tls-key", key)
    with server.connect(user="ann", password="secret", sslmode="verify-ca", sslrootcert=certificate) as one:
        assert one.pgconn.ssl_in_use
        assert one.execute("SELECT count(*) FROM range(100000) t(i)").fetchone() == (100000,)
        assert len(one.execute("SELECT i, 'text' FROM range(200000) t(i)").fetchall()) == 200000
        with one.cursor().copy("COPY (SELECT i FROM range(100000) t(i)) TO STDOUT") as copy:
            assert sum(len(bytes(part)) for part in copy) == 588890
    with server.connect(user="ann", password="secret", sslmode="disable") as one:
        assert not one.pgconn.ssl_in_use
    without = serve()
    with pytest.raises(psycopg.OperationalError, match="does not support SSL"):
        without.connect(sslmode="require")


def test_the_client_in_python_proves_passwords(serve, passwords, client):
    server = serve("--password-file", passwords)
    for user, password in (("ann", "secret"), ("bob", "with:colon"), ("cat", "pencil")):
        with client.connect(host="127.0.0.1", port=server.port, user=user, password=password) as one:
            assert one.execute("SELECT 1").fetchone() == (1,)
    for user, password in (("ann", "Secret"), ("nobody", "secret"), ("ann", None)):
        with pytest.raises(client.OperationalError):
            client.connect(host="127.0.0.1", port=server.port, user=user, password=password)


@pytest.mark.skipif(shutil.which("openssl") is None, reason="there is no openssl to make a certificate")
def test_the_client_in_python_encrypts(serve, passwords, tmp_path, client):
    certificate, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    make_certificate(certificate, key)
    server = serve("--password-file", passwords, "--tls-cert", certificate, "--tls-key", key)
    given = {"port": server.port, "user": "ann", "password": "secret", "sslrootcert": str(certificate)}
    for host, mode in (("127.0.0.1", "prefer"), ("127.0.0.1", "require"), ("127.0.0.1", "verify-ca"), ("localhost", "verify-full")):
        with client.connect(host=host, sslmode=mode, **given) as one:
            assert one.arrow("SELECT i FROM range(300000) t(i)").num_rows == 300000
    with pytest.raises(client.OperationalError, match="could not encrypt"):
        client.connect(host="127.0.0.1", sslmode="verify-full", **given)
