"""PostgreSQL's wire protocol 3 from the client's side: messages, encryption, authentication, errors."""

from __future__ import annotations

import socket
import struct

from . import _scaup
from ._errors import _make

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Iterator, Mapping, NoReturn, Optional

PROTOCOL = 3 << 16
_SSL_REQUEST, _CANCEL_REQUEST = 80877103, 80877102
_RECEIVED_AT_ONCE = 1 << 18

# By the class of the SQLSTATE, its first two letters.
_CLASSES: dict[str, tuple[type[_scaup.Error], str]] = {
    "08": (_scaup.OperationalError, "io"), "0A": (_scaup.NotSupportedError, "not supported"), "22": (_scaup.DataError, "conversion"),
    "23": (_scaup.IntegrityError, "constraint"), "25": (_scaup.OperationalError, "transaction"), "28": (_scaup.OperationalError, "io"),
    "40": (_scaup.OperationalError, "transaction"), "42": (_scaup.ProgrammingError, "binder"), "53": (_scaup.OperationalError, "out of memory"),
    "54": (_scaup.OperationalError, "out of memory"), "55": (_scaup.OperationalError, "usage"), "57": (_scaup.OperationalError, "interrupted"),
    "58": (_scaup.OperationalError, "io"), "XX": (_scaup.InternalError, "internal"),
}


def lost(message: str) -> _scaup.OperationalError:
    """An OperationalError: there is no connection to the server any more, or there never was one."""
    return _make(_scaup.OperationalError, message, "08006", "io")


def error_of(body: bytes, sql: Optional[str] = None) -> _scaup.Error:
    """The exception for an ErrorResponse to this text."""
    fields = {chr(part[0]): part[1:].decode() for part in body.split(b"\0") if part}
    sqlstate, message = fields.get("C", "XX000"), fields.get("M", "")
    error_type, kind = _CLASSES.get(sqlstate[:2], (_scaup.ProgrammingError, "usage"))
    error = _make(error_type, message, sqlstate, kind)
    if sql is not None and "P" in fields:
        from . import _errors

        error.position = 0
        _errors.place(error, sql, int(fields["P"]) - 1)
    return error


class Wire:
    """A connection to a server. Used by one thread at a time, but for cancel()."""

    def __init__(self, host: str, port: int, sslmode: str, sslrootcert: Optional[str], timeout: Optional[float]) -> None:
        self._address = (host, port)
        self._timeout = timeout
        self._socket: socket.socket = self._connect()
        self._received = bytearray()
        self._begin = 0
        self.parameters: dict[str, str] = {}
        self.status = "I"
        self._key = b""
        try:
            if sslmode != "disable" and not host.startswith("/"):
                self._encrypt(sslmode, sslrootcert)
        except BaseException:
            self._socket.close()
            raise

    def _connect(self) -> socket.socket:
        host, port = self._address
        try:
            if not host.startswith("/"):
                made = socket.create_connection((host, port), self._timeout)
                made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                return made
            made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            made.settimeout(self._timeout)
            made.connect(f"{host}/.s.PGSQL.{port}")
            return made
        except OSError as error:
            raise lost(f"could not connect to {host}:{port}: {error}") from error

    def _encrypt(self, sslmode: str, sslrootcert: Optional[str]) -> None:
        import ssl

        self._socket.sendall(struct.pack("!II", 8, _SSL_REQUEST))
        if self._socket.recv(1) != b"S":
            if sslmode != "prefer":
                raise lost(f"the server does not encrypt, but sslmode is {sslmode}")
            return
        context = ssl.create_default_context(cafile=sslrootcert)
        if sslmode != "verify-full":
            context.check_hostname = False
            if sslmode != "verify-ca":
                context.verify_mode = ssl.CERT_NONE
        try:
            self._socket = context.wrap_socket(self._socket, server_hostname=self._address[0])
        except ssl.SSLError as error:
            raise lost(f"could not encrypt the connection: {error}") from error

    def start(self, parameters: Mapping[str, str], password: Optional[str]) -> None:
        """Sends the startup message, proves who the user is, and waits until the server is ready."""
        body = b"".join(f"{name}\0{value}\0".encode() for name, value in parameters.items()) + b"\0"
        self._send_raw(struct.pack("!II", len(body) + 8, PROTOCOL) + body)
        scram = None
        while True:
            kind, message = self.read()
            if kind == b"R":
                (code,) = struct.unpack_from("!I", message)
                if code == 0:
                    continue
                if password is None:
                    raise lost("the server asks for a password, and none was given")
                if code == 3:
                    self.send(b"p", password.encode() + b"\0")
                elif code == 10:
                    if b"SCRAM-SHA-256" not in message[4:].split(b"\0"):
                        raise lost("the server asks for a proof of the password that is not known here")
                    scram = _Scram(password)
                    first = scram.first()
                    self.send(b"p", b"SCRAM-SHA-256\0" + struct.pack("!I", len(first)) + first)
                elif code == 11 and scram is not None:
                    self.send(b"p", scram.final(message[4:]))
                elif code == 12 and scram is not None:
                    scram.check(message[4:])
                else:
                    raise lost("the server asks for a proof of the password that is not known here")
            elif kind == b"K":
                self._key = message
            elif kind == b"Z":
                self._socket.settimeout(None)
                return
            elif kind == b"E":
                raise error_of(message)

    # --- Messages

    def send(self, kind: bytes, body: bytes) -> None:
        self._send_raw(kind + struct.pack("!I", len(body) + 4) + body)

    def _send_raw(self, data: bytes) -> None:
        try:
            self._socket.sendall(data)
        except OSError as error:
            self._fail(error)

    def read(self) -> tuple[bytes, bytes]:
        """The next message, (kind, body). Settings, notices and the transaction's status are noted on the way."""
        while True:
            self._fill(5)
            kind = bytes(self._received[self._begin : self._begin + 1])
            (size,) = struct.unpack_from("!I", self._received, self._begin + 1)
            self._fill(size + 1)
            body = bytes(memoryview(self._received)[self._begin + 5 : self._begin + size + 1])
            self._begin += size + 1
            if kind == b"S":
                name, value = body.split(b"\0")[:2]
                self.parameters[name.decode()] = value.decode()
            elif kind not in (b"N", b"A"):
                if kind == b"Z":
                    self.status = body.decode()
                return kind, body

    def _fill(self, size: int) -> None:
        """Receives until `size` bytes are there."""
        while len(self._received) - self._begin < size:
            if self._begin:
                del self._received[: self._begin]
                self._begin = 0
            try:
                part = self._socket.recv(max(_RECEIVED_AT_ONCE, size - len(self._received)))
            except OSError as error:
                self._fail(error)
            if not part:
                self._fail(None)
            self._received += part

    def _fail(self, error: Optional[OSError]) -> NoReturn:
        self._socket.close()
        raise lost(f"the connection to the server is lost: {error or 'the server has ended it'}") from error

    def until_ready(self) -> Iterator[tuple[bytes, bytes]]:
        """Messages up to ReadyForQuery. All must be read."""
        while True:
            kind, body = self.read()
            if kind == b"Z":
                return
            yield kind, body

    def cancel(self) -> None:
        """Asks the server, by a connection of its own, to end the statement that runs. From any thread."""
        with self._connect() as other:
            other.sendall(struct.pack("!II", 16, _CANCEL_REQUEST) + self._key)
            other.recv(1)

    def close(self) -> None:
        try:
            self._socket.sendall(b"X" + struct.pack("!I", 4))
        except OSError:
            pass  # It is lost already.
        self._socket.close()


class _Scram:
    """SCRAM-SHA-256 (RFC 5802, RFC 7677), without channel binding."""

    def __init__(self, password: str) -> None:
        import secrets
        import unicodedata

        self._password = unicodedata.normalize("NFKC", password).encode()
        self._nonce = secrets.token_urlsafe(18)
        self._signature = b""

    def first(self) -> bytes:
        return f"n,,n=,r={self._nonce}".encode()

    def final(self, challenge: bytes) -> bytes:
        import base64
        import hashlib
        import hmac

        fields = dict(part.split("=", 1) for part in challenge.decode().split(","))
        if not fields["r"].startswith(self._nonce):
            raise lost("the server's challenge is not an answer to this client")
        salted = hashlib.pbkdf2_hmac("sha256", self._password, base64.b64decode(fields["s"]), int(fields["i"]))
        key = hmac.digest(salted, b"Client Key", "sha256")
        bare = f"c=biws,r={fields['r']}"
        text = f"n=,r={self._nonce},{challenge.decode()},{bare}".encode()
        signature = hmac.digest(hashlib.sha256(key).digest(), text, "sha256")
        self._signature = hmac.digest(hmac.digest(salted, b"Server Key", "sha256"), text, "sha256")
        proof = bytes(left ^ right for left, right in zip(key, signature))
        return f"{bare},p={base64.b64encode(proof).decode()}".encode()

    def check(self, answer: bytes) -> None:
        import base64

        if answer != b"v=" + base64.b64encode(self._signature):
            raise lost("the server does not know the password either")
