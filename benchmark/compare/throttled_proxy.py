"""A network that is slower than loopback: a proxy, in a process of its own, that delays bytes and lets through only so many a second."""

import socket
import threading
import time

from remote_process import RemoteProcess

AT_ONCE = 64 * 1024


class Direction:
    """Copies one direction of a connection: a byte arrives `delay` seconds after the link has taken it, which takes 1/`rate` seconds a byte.

    The link takes no more than it can hold, two round trips' worth, so that whoever sends too fast has to wait, as in a network."""

    def __init__(self, source, target, rate, delay):
        self.source, self.target, self.rate, self.delay = source, target, rate, delay
        self.room = max(int(4 * rate * delay), 1 << 20)
        self.pieces = []  # (when it arrives, bytes)
        self.held = 0
        self.changed = threading.Condition()
        threading.Thread(target=self._receive, daemon=True).start()
        threading.Thread(target=self._send, daemon=True).start()

    def _receive(self):
        free_at = time.perf_counter()
        while True:
            try:
                data = self.source.recv(AT_ONCE)
            except OSError:
                data = b""
            free_at = max(free_at, time.perf_counter()) + len(data) / self.rate
            with self.changed:
                self.changed.wait_for(lambda: self.held < self.room)
                self.held += len(data)
                self.pieces.append((free_at + self.delay, data))
                self.changed.notify_all()
            if not data:
                return

    def _send(self):
        while True:
            with self.changed:
                self.changed.wait_for(lambda: self.pieces)
                arrival, data = self.pieces.pop(0)
            time.sleep(max(0.0, arrival - time.perf_counter()))
            try:
                if not data:
                    self.target.shutdown(socket.SHUT_WR)
                    return
                self.target.sendall(data)
            except OSError:
                data = b""
            with self.changed:
                self.held -= len(data)
                self.changed.notify_all()


def serve(pipe, target, bits_per_second, round_trip):
    """Answers with the port on which it listens, then with None to every request."""
    listener = socket.create_server(("127.0.0.1", 0))

    def accept():
        while True:
            client, _ = listener.accept()
            if isinstance(target, str):
                server = socket.socket(socket.AF_UNIX)
                server.connect(target)
            else:
                server = socket.create_connection(target)
            for one in (client, server):
                if one.family == socket.AF_INET:
                    one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for source, sink in ((client, server), (server, client)):
                Direction(source, sink, bits_per_second / 8, round_trip / 2)

    threading.Thread(target=accept, daemon=True).start()
    pipe.send(("ok", listener.getsockname()[1]))
    while pipe.recv() is not None:
        pipe.send(("ok", None))


class ThrottledProxy(RemoteProcess):
    """Listens at 127.0.0.1, `port`, for connections to target: a (host, port), or the path of a Unix socket."""

    def __init__(self, target, bits_per_second, round_trip):
        super().__init__("the proxy", serve, (target, bits_per_second, round_trip))
        self.port = self.version
