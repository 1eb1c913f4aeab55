"""Messages that no good client sends: the server ends the connection or answers, and goes on serving others."""

import random
import struct

import pytest


@pytest.mark.parametrize(
    "head",
    [
        b"",
        b"\0\0\0\0",
        b"\0\0\0\3",
        b"\x7f\xff\xff\xff\0\3\0\0",
        b"\0\0\x27\x11\0\3\0\0",
        b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        struct.pack("!ii", 8, 196608),
        struct.pack("!ii", 9, 196608) + b"x",
        struct.pack("!ii", 8, 131072),
        struct.pack("!ii", 13, 196608) + b"user\0",
        struct.pack("!ii", 8, 80877103) * 5,
    ],
)
def test_malformed_beginnings(wire, head):
    import socket

    one = wire(begin=False)
    one.socket.sendall(head)
    one.socket.shutdown(socket.SHUT_WR)
    assert one.closed()


@pytest.mark.parametrize(
    "message",
    [
        b"Q\0\0\0\0",
        b"Q\xff\xff\xff\xff",
        b"Q\0\0\0\4",
        b"Q\0\0\0\6ab",
        b"Q\0\0\0\x08a\0b\0",
        b"?\0\0\0\4",
        b"B\0\0\0\4",
        b"P\0\0\0\x08a\0b\0",
        b"P\0\0\0\x0aa\0b\0\xff\xff",
        b"D\0\0\0\6X\0",
        b"C\0\0\0\6X\0",
        b"E\0\0\0\5\0",
        b"F\0\0\0\4",
    ],
)
def test_malformed_messages_end_the_connection(wire, message):
    one = wire()
    one.socket.sendall(message)
    kind, body = one.read()
    assert kind == b"E" and b"SFATAL\0" in body and b"C08P01\0" in body
    assert one.closed()


def test_a_length_alone_takes_no_memory(wire, server):
    held = []
    for _ in range(50):
        one = wire()
        one.socket.sendall(b"Q" + struct.pack("!i", 900_000_000))
        held.append(one)
    with open(f"/proc/{server.process.pid}/statm", encoding="ascii") as file:
        resident = int(file.read().split()[1]) * 4096
    assert resident < 1_000_000_000


def test_random_messages(server, wire):
    chance = random.Random(20261128)
    for _ in range(300):
        one = wire(begin=chance.random() < 0.9)
        parts = []
        for _ in range(chance.randrange(1, 8)):
            kind = bytes([chance.choice(b"QPBDECHSXdcfp" + bytes([chance.randrange(256)]))])
            body = bytes(chance.choice([0, 0, 1, 65, 255, chance.randrange(256)]) for _ in range(chance.randrange(40)))
            if kind == b"Q" and chance.random() < 0.7:
                body = chance.choice([b"SELECT 1\0", b"BEGIN\0", b"COPY t FROM STDIN\0", b"SELECT 1;;SELECT\0", b"ROLLBACK;COMMIT\0"])
            length = len(body) + 4 if chance.random() < 0.9 else chance.randrange(-2, 100)
            parts.append(kind + struct.pack("!i", length) + body)
        try:
            one.socket.sendall(b"".join(parts))
            one.socket.settimeout(0.05)
            one.socket.recv(65536)
        except (ConnectionError, TimeoutError):
            pass
        one.socket.close()
    with server.connect() as again:
        assert again.execute("SELECT 42").fetchone() == (42,)


def test_damaged_conversations(server, wire):
    """A good conversation with some bytes changed."""
    chance = random.Random(7)
    one = wire(begin=False)
    good = b"".join(
        [
            one.message(b"P", b"s\0SELECT $1::int, $2::text, $3\0" + struct.pack("!hIII", 3, 23, 25, 1007)),
            one.message(b"D", b"Ss\0"),
            one.message(b"B", b"p\0s\0" + struct.pack("!hhhhh", 3, 1, 0, 1, 3) + struct.pack("!ii", 4, 7) + struct.pack("!i", 1) + b"x"
                        + struct.pack("!i", 24) + struct.pack("!iiIii", 1, 0, 23, 1, 1) + struct.pack("!i", -1) + struct.pack("!hh", 1, 1)),
            one.message(b"E", b"p\0\0\0\0\1"),
            one.message(b"E", b"p\0\0\0\0\0"),
            one.message(b"S"),
        ]
    )
    for _ in range(400):
        damaged = bytearray(good)
        for _ in range(chance.randrange(1, 4)):
            damaged[chance.randrange(len(damaged))] = chance.choice([0, 1, 127, 128, 255, chance.randrange(256)])
        other = wire()
        try:
            other.socket.sendall(bytes(damaged))
            other.socket.settimeout(0.03)
            other.socket.recv(65536)
        except (ConnectionError, TimeoutError):
            pass
        other.socket.close()
    with server.connect() as again:
        assert again.execute("SELECT 42").fetchone() == (42,)
