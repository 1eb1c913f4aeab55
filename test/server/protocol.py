"""A server in a process of its own, and the protocol by hand."""

import os
import pathlib
import signal
import socket
import struct
import subprocess

import psycopg
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def find_shell():
    """$SCAUP_SHELL, or the newest build in the usual places."""
    named = os.environ.get("SCAUP_SHELL")
    if named:
        return named
    for preset in ("release", "debug", "asan"):
        path = ROOT / "build" / preset / "extension" / "shell" / "scaup"
        if path.exists():
            return str(path)
    pytest.skip("no shell was built; set SCAUP_SHELL")


class Server:
    """A `scaup serve` process at a free port of 127.0.0.1."""

    def __init__(self, *arguments, listen="127.0.0.1:0"):
        listening = ["--listen", listen] if listen else []
        self.process = subprocess.Popen(
            [find_shell(), "serve", *listening, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.addresses = []
        expected = bool(listening) + ("--socket" in arguments)
        for _ in range(expected):
            line = self.process.stdout.readline()
            if not line:
                raise RuntimeError(self.process.stderr.read())
            self.addresses.append(line.split()[-1])
        self.port = int(self.addresses[0].rsplit(":", 1)[1]) if listen else None

    def dsn(self, **more):
        parts = {"host": "127.0.0.1", "port": self.port, "user": "tester", "dbname": "test", **more}
        return " ".join("{}='{}'".format(key, str(value).replace("\\", "\\\\").replace("'", "\\'")) for key, value in parts.items())

    def connect(self, **more):
        options = {key: more.pop(key) for key in ("autocommit", "cursor_factory") if key in more}
        return psycopg.connect(self.dsn(**more), connect_timeout=20, **options)

    def socket(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=20)

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=60)


class Wire:
    """The protocol by hand."""

    def __init__(self, server):
        self.socket = server.socket()
        self.rest = b""

    def startup(self, **parameters):
        pairs = {"user": "tester", "database": "test", **parameters}
        body = struct.pack("!i", 196608) + b"".join(k.encode() + b"\0" + v.encode() + b"\0" for k, v in pairs.items()) + b"\0"
        self.socket.sendall(struct.pack("!i", len(body) + 4) + body)
        return self.until(b"Z")

    @staticmethod
    def message(kind, body=b""):
        return kind + struct.pack("!i", len(body) + 4) + body

    def send(self, *messages):
        self.socket.sendall(b"".join(messages))

    def exactly(self, size):
        while len(self.rest) < size:
            more = self.socket.recv(65536)
            if not more:
                raise EOFError(self.rest)
            self.rest += more
        taken, self.rest = self.rest[:size], self.rest[size:]
        return taken

    def read(self):
        kind = self.exactly(1)
        return kind, self.exactly(struct.unpack("!i", self.exactly(4))[0] - 4)

    def until(self, kind):
        """The messages up to one of this kind."""
        found = []
        while not found or found[-1][0] != kind:
            found.append(self.read())
        return found

    def kinds(self, kind=b"Z"):
        return b"".join(one for one, _ in self.until(kind)).decode()

    def closed(self):
        """Whether the server closes the connection, whatever it says before."""
        try:
            while self.socket.recv(65536):
                pass
        except ConnectionError:
            pass
        return True


def fields(body):
    """The fields of an ErrorResponse."""
    return {part[:1].decode(): part[1:].decode() for part in body.split(b"\0") if part}
