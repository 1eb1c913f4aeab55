"""One database system in a process of its own, so that memory and threads of the systems do not mix."""

import multiprocessing
import time
import traceback


def open_scaup(threads, path):
    import scaup

    return scaup.connect(path, config={"threads": str(threads)}), f"Scaup {scaup.__version__}"


def open_duckdb(threads, path):
    import duckdb

    return duckdb.connect(path, config={"threads": threads}), f"DuckDB {duckdb.__version__}"


OPENERS = {"scaup": open_scaup, "duckdb": open_duckdb}


def memory_mib():
    """Resident memory of this process: now, and at most."""
    fields = dict(line.split(":", 1) for line in open("/proc/self/status", encoding="ascii") if line.startswith(("VmRSS", "VmHWM")))
    return tuple(int(fields[name].split()[0]) / 1024 for name in ("VmRSS", "VmHWM"))


def rows_of(connection, sql):
    start = time.perf_counter()
    rows = connection.execute(sql).fetchall()
    return time.perf_counter() - start, rows


def arrays_of(connection, sql):
    """The time to get the result as NumPy arrays, and the sum of each (taken after the clock stopped)."""
    start = time.perf_counter()
    arrays = connection.execute(sql).fetchnumpy()
    seconds = time.perf_counter() - start
    return seconds, [int(array.sum()) for array in arrays.values()]


def statement(connection, sql):
    start = time.perf_counter()
    connection.execute(sql)
    return time.perf_counter() - start, None


ACTIONS = {"rows": rows_of, "arrays": arrays_of, "statement": statement}


def serve(pipe, system, threads, path):
    start = time.perf_counter()
    connection, version = OPENERS[system](threads, path)
    opening = time.perf_counter() - start
    pipe.send(("ok", version))
    while True:
        action, sql = pipe.recv()
        if action == "end":
            connection.close()
            return
        if action == "opening":
            pipe.send(("ok", (opening, None)))
            continue
        try:
            pipe.send(("ok", memory_mib() if action == "memory" else ACTIONS[action](connection, sql)))
        except Exception as error:  # Any failure of a system is a result of the comparison.
            pipe.send(("error", "".join(traceback.format_exception_only(error)).strip()))


class Refusal(Exception):
    """What a system said when it refused a statement, or that its process died."""


class Worker:
    """A system with its own database, in memory or in a file. Close it, or use it in a with statement."""

    def __init__(self, system, threads, path=":memory:"):
        context = multiprocessing.get_context("spawn")
        self.system = system
        self.pipe, other_end = context.Pipe()
        self.process = context.Process(target=serve, args=(other_end, system, threads, str(path)), daemon=True)
        self.process.start()
        other_end.close()
        self.version = self._answer()

    def _answer(self):
        try:
            status, value = self.pipe.recv()
        except EOFError:
            self.process.join()
            raise Refusal(f"the process of {self.system} ended with status {self.process.exitcode}") from None
        if status == "error":
            raise Refusal(value)
        return value

    def __call__(self, action, sql=""):
        """Runs an action of ACTIONS; returns (seconds, result). "opening": how long that took; "memory": (resident, peak) in MiB."""
        self.pipe.send((action, sql))
        return self._answer()

    def close(self):
        if self.process.is_alive():
            self.pipe.send(("end", ""))
            self.process.join(60)
            self.process.kill()

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()
