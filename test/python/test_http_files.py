"""Files over HTTP: parts and wholes, failures of servers, the setting that allows them."""

import http.server
import socketserver
import ssl
import subprocess
import threading
import time

import pytest

import scaup


class Files(http.server.BaseHTTPRequestHandler):
    """Serves the bytes of server.files, as the other attributes of the server say."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):  # pylint: disable=arguments-differ
        pass

    def do_GET(self):
        server = self.server
        with server.lock:
            server.requests.append((self.path, self.headers.get("Range")))
            server.connections.add(self.client_address)
        if self.path.startswith("/to/"):
            return self.answer(302, b"elsewhere", {"Location": self.path.removeprefix("/to")})
        if self.path == "/loop":
            return self.answer(302, b"", {"Location": "/loop"})
        if self.path.startswith("/status/"):
            return self.answer(int(self.path.removeprefix("/status/").split(".")[0]), b"no luck")
        name = self.path.split("?")[0]
        if name not in server.files:
            return self.answer(404, b"there is nothing")
        data = server.files[name]
        headers = {"Last-Modified": "Wed, 01 Jan 2020 00:00:00 GMT"}
        if server.etag is not None:
            headers["ETag"] = server.etag(len(server.requests))
        asked = self.headers.get("Range")
        if not server.has_ranges or asked is None:
            return self.answer(200, data, headers)
        begin, end = (int(text) for text in asked.removeprefix("bytes=").split("-"))
        if begin >= len(data):
            return self.answer(416, b"", {"Content-Range": f"bytes */{len(data)}"} | headers)
        part = data[begin : end + 1]
        return self.answer(206, part, {"Content-Range": f"bytes {begin}-{begin + len(part) - 1}/{len(data)}"} | headers)

    def answer(self, status, body, headers=None):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        if self.server.truncates:
            body = body[: len(body) // 2]
            self.close_connection = True
        for begin in range(0, len(body), 1 << 16):
            if self.server.stops.is_set():
                self.close_connection = True
                return
            self.wfile.write(body[begin : begin + (1 << 16)])
            if self.server.is_slow and begin >= len(body) // 3:
                self.server.is_waiting.set()
                self.server.stops.wait(30)
                self.close_connection = True
                return


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Files)
        self.lock = threading.Lock()
        self.files, self.requests, self.connections = {}, [], set()
        self.has_ranges, self.truncates, self.is_slow, self.etag = True, False, False, None
        self.stops, self.is_waiting = threading.Event(), threading.Event()
        self.scheme = "http"

    def url(self, name):
        return f"{self.scheme}://localhost:{self.server_address[1]}{name}"

    def handle_error(self, request, client_address):
        pass


@pytest.fixture(name="server")
def make_server(monkeypatch):
    for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    server = Server()
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.stops.set()
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture(name="http")
def make_http(con):
    con.execute("SET http_files = on")
    try:
        con.execute("SELECT * FROM read_text('http://localhost:1/x')")
    except scaup.NotSupportedError as error:
        pytest.skip(str(error))
    except scaup.Error as error:
        assert error.sqlstate == "08001"
    return con


@pytest.fixture(name="table")
def make_table(con, server, tmp_path):
    """The files of a table of 300,000 rows, of which Parquet's has some MB."""
    con.execute("CREATE TABLE t AS SELECT i, hash(i) AS h, i % 10 AS small FROM generate_series(1, 300000) AS g(i)")
    for name in ("t.parquet", "t.csv", "t.csv.gz", "t.json", "t.arrow"):
        con.execute(f"COPY t TO '{tmp_path / name}'")
        server.files["/" + name] = (tmp_path / name).read_bytes()
    return con.execute("SELECT count(*), sum(i), sum(h % 100), sum(small) FROM t").fetchone()


def sums(con, url):
    return con.execute(f"SELECT count(*), sum(i), sum(h % 100), sum(small) FROM '{url}'").fetchone()


def failure(con, url):
    with pytest.raises(scaup.Error) as caught:
        con.execute(f"SELECT * FROM '{url}'").fetchall()
    return caught.value.sqlstate, str(caught.value)


@pytest.mark.parametrize("has_ranges", [True, False])
def test_formats(http, server, table, has_ranges):
    server.has_ranges = has_ranges
    for name in server.files:
        assert sums(http, server.url(name)) == table, name
        assert sums(http, server.url("/to" + name)) == table, name
        assert sums(http, server.url(name + "?key=1/2")) == table, name


def test_parquet_takes_few_requests(http, server, table):
    size = len(server.files["/t.parquet"])
    assert size > 2_000_000
    assert sums(http, server.url("/t.parquet")) == table
    assert len(server.requests) <= 6
    assert len(server.connections) <= 3
    server.requests.clear()
    http.execute("SET http_timeout = '5s'")
    assert http.execute(f"SELECT count(*) FROM '{server.url('/t.parquet')}'").fetchone() == (300000,)
    assert len(server.requests) <= 6
    server.connections.clear()
    for _ in range(5):
        http.execute(f"SELECT count(*) FROM '{server.url('/t.parquet')}'")
    assert len(server.connections) <= 1  # it is kept from one statement to the next


def test_small_and_empty_files(http, server):
    server.files |= {"/x.csv": b"x\n5\n", "/empty.txt": b""}
    for has_ranges in (True, False):
        server.has_ranges = has_ranges
        assert http.execute(f"SELECT x FROM '{server.url('/x.csv')}'").fetchall() == [(5,)]
        asked = f"SELECT content, size, epoch(last_modified) FROM read_text('{server.url('/empty.txt')}')"
        assert http.execute(asked).fetchall() == [("", 0, 1577836800)]
    assert http.execute(f"SELECT x, filename FROM read_csv(['{server.url('/x.csv')}'], filename => true)").fetchall() == [(5, server.url("/x.csv"))]
    assert http.execute(f"SELECT count(*) FROM glob('{server.url('/x.csv')}')").fetchone() == (1,)
    assert http.execute(f"SELECT count(*) FROM glob('{server.url('/y.csv')}')").fetchone() == (0,)
    state, text = failure(http, server.url("/*.csv"))
    assert state == "0A000" and "cannot be listed" in text


def test_statuses(http, server):
    assert failure(http, server.url("/none.csv"))[0] == "58P01"
    for status, state in ((404, "58P01"), (410, "58P01"), (401, "42501"), (403, "42501"), (500, "58030"), (503, "58030"), (429, "58030")):
        url = server.url(f"/status/{status}.csv")
        found, text = failure(http, url)
        assert found == state
        assert f'could not read "{url}": the server answers {status}' in text
    with pytest.raises(scaup.Error, match="redirects"):
        http.execute(f"SELECT * FROM read_text('{server.url('/loop')}')").fetchall()
    assert failure(http, "http://localhost:1/x.csv")[0] == "08001"
    assert failure(http, "http://no.such.host.invalid/x.csv")[0] == "08001"


@pytest.mark.parametrize("has_ranges", [True, False])
def test_cut_off_answers(http, server, table, has_ranges):
    server.has_ranges, server.truncates = has_ranges, True
    state, text = failure(http, server.url("/t.csv"))
    assert state == "58030" and "cut off" in text
    server.truncates = False
    assert sums(http, server.url("/t.csv")) == table


def test_a_file_that_changes(http, server, table):
    server.etag = lambda number: f'"{number}"'
    state, text = failure(http, server.url("/t.csv"))
    assert state == "58030" and "has changed while the statement was reading it" in text
    server.etag = lambda number: '"same"'
    assert sums(http, server.url("/t.csv")) == table


def test_interrupts_and_timeouts_end_transfers(http, server, table):
    server.is_slow = True

    def stop():
        server.is_waiting.wait(20)
        http.interrupt()

    thread = threading.Thread(target=stop)
    thread.start()
    begin = time.monotonic()
    assert failure(http, server.url("/t.csv"))[0] == "57014"
    assert time.monotonic() - begin < 10
    thread.join()
    http.execute("SET http_timeout = '1s'")
    begin = time.monotonic()
    state, text = failure(http, server.url("/t.csv"))
    assert state == "58030" and "http_timeout allows, 1s" in text
    assert time.monotonic() - begin < 5
    http.execute("SET http_timeout = '30s'")
    http.execute("SET statement_timeout = '500ms'")
    assert failure(http, server.url("/t.csv"))[0] == "57014"


def test_the_setting(con, server):
    server.files["/x.csv"] = b"x\n5\n"
    state, text = failure(con, server.url("/x.csv"))
    assert state == "55000" and "SET http_files = on" in text
    assert not server.requests
    con.execute("SET http_files = on")
    assert con.execute("SHOW http_files").fetchone() == ("on",)


def test_nothing_is_written(http, server):
    with pytest.raises(scaup.NotSupportedError, match="only for reading"):
        http.execute(f"COPY (SELECT 1) TO '{server.url('/y.csv')}'")


def test_certificates(http, server, tmp_path):
    made = subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=localhost",
         "-addext", "subjectAltName=DNS:localhost", "-keyout", str(tmp_path / "key.pem"), "-out", str(tmp_path / "cert.pem")],
        capture_output=True, check=False,
    ) if _has_openssl() else None
    if made is None or made.returncode != 0:
        pytest.skip("there is no openssl to make a certificate")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "cert.pem", tmp_path / "key.pem")
    server.socket = context.wrap_socket(server.socket, server_side=True)
    server.scheme = "https"
    server.files["/x.csv"] = b"x\n5\n"
    state, text = failure(http, server.url("/x.csv"))
    assert state == "58030" and "certificate" in text
    http.execute(f"SET http_ca_file = '{tmp_path / 'cert.pem'}'")
    assert http.execute(f"SELECT x FROM '{server.url('/x.csv')}'").fetchall() == [(5,)]


def _has_openssl():
    try:
        return subprocess.run(["openssl", "version"], capture_output=True, check=False).returncode == 0
    except OSError:
        return False
