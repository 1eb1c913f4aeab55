"""Starts servers for the tests, and talks to them by real clients or by bare sockets."""

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))

from protocol import Server, Wire  # noqa: E402


@pytest.fixture
def serve():
    """serve(arguments...) -> Server; all are ended after the test."""
    started = []

    def start(*arguments, **more):
        started.append(Server(*arguments, **more))
        return started[-1]

    yield start
    for one in started:
        if one.process.poll() is None:
            assert one.stop() == 0


@pytest.fixture(scope="module")
def server():
    """One server in memory for the tests of a module."""
    one = Server()
    yield one
    assert one.process.poll() is None, "the server has crashed: " + one.process.stderr.read()
    assert one.stop() == 0


@pytest.fixture
def connection(server):
    with server.connect(autocommit=True) as one:
        yield one


@pytest.fixture
def wire(server):
    opened = []

    def start(begin=True):
        opened.append(Wire(server))
        if begin:
            opened[-1].startup()
        return opened[-1]

    yield start
    for one in opened:
        one.socket.close()
