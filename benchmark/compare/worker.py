"""One database system in a process of its own, so that memory and threads of the systems do not mix."""

import time

from remote_process import RemoteProcess, told


def open_scaup(threads, path):
    import scaup

    return scaup.connect(path, config={"threads": str(threads)}), f"Scaup {scaup.__version__}"


def open_duckdb(threads, path):
    """Sorts NULLs as SQL systems after PostgreSQL do, so that LIMIT keeps the same rows."""
    import duckdb

    settings = {"threads": threads, "default_null_order": "nulls_last_on_asc_first_on_desc"}
    return duckdb.connect(path, config=settings), f"DuckDB {duckdb.__version__}"


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
    while (request := pipe.recv()) is not None:
        action, sql = request
        try:
            if action == "opening":
                answer = opening, None
            else:
                answer = memory_mib() if action == "memory" else ACTIONS[action](connection, sql)
            pipe.send(("ok", answer))
        except Exception as error:
            pipe.send(told(error))
    connection.close()


class Worker(RemoteProcess):
    """A system with its own database, in memory or in a file."""

    def __init__(self, system, threads, path=":memory:"):
        super().__init__(system, serve, (system, threads, str(path)))

    def __call__(self, action, sql=""):
        """Runs an action of ACTIONS; returns (seconds, result). "opening": how long that took; "memory": (resident, peak) in MiB."""
        return self.ask((action, sql))
