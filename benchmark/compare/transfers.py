#!/usr/bin/env python3
"""A table of a server as a table of the program: Scaup's server and PostgreSQL over a Unix socket and over slower networks, and what is read in process.

TPC-H's lineitem comes as rows, as a pandas frame or as an Arrow table. Ways take turns, round by round; the median counts. Slower networks are a proxy
that delays bytes and lets through only so many a second. Each way's sum of l_orderkey and number of rows must be the same."""

import argparse
import contextlib
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import served_scaup
from side_by_side import ROOT, processor
from throttled_proxy import ThrottledProxy
from tpch import TPCH
from worker import OPENERS

sys.path.append(str(ROOT / "test" / "fuzz"))
import local_postgresql  # noqa: E402  pylint: disable=wrong-import-position

QUERY = "SELECT * FROM lineitem"
SCAUP_PORT = 54399
NETWORKS = {"Unix socket": None, "1 Gbit/s, 0.3 ms": (1e9, 0.0003), "100 Mbit/s, 25 ms": (1e8, 0.025)}


class Servers:
    """Where the two servers are: the folders of their sockets, or the ports of proxies."""

    def __init__(self, scaup, postgresql, user):
        self.scaup, self.postgresql, self.user = scaup, postgresql, user

    def postgresql_dsn(self):
        host, port = self.postgresql
        return f"host={host} port={port} user=fuzz dbname=postgres"

    def scaup_dsn(self):
        host, port = self.scaup
        return f"host={host} port={port} user={self.user} dbname=scaup"


def arrow_digest(table):
    import pyarrow.compute as compute

    return table.num_rows, compute.sum(table.column("l_orderkey")).as_py()


def frame_digest(frame):
    return len(frame), int(frame["l_orderkey"].sum())


def scaup_arrow(servers):
    import scaup.client

    host, port = servers.scaup
    with scaup.client.connect(host=host, port=port, user=servers.user, sslmode="disable") as connection:
        return connection.arrow(QUERY), arrow_digest


def scaup_pandas(servers):
    table, _ = scaup_arrow(servers)
    return table.to_pandas(), frame_digest


def psycopg_frame(dsn):
    import pandas
    import psycopg

    with psycopg.connect(dsn) as connection:
        cursor = connection.execute(QUERY)
        names = [column.name for column in cursor.description]
        return pandas.DataFrame.from_records(cursor.fetchall(), columns=names), frame_digest


def adbc_arrow(host, port, user, database):
    import adbc_driver_postgresql.dbapi

    with adbc_driver_postgresql.dbapi.connect(f"host={host} port={port} user={user} dbname={database} sslmode=disable") as connection, connection.cursor() as cursor:
        cursor.execute(QUERY)
        return cursor.fetch_arrow_table(), arrow_digest


def binary_copy(dsn):
    """Receives PostgreSQL's binary COPY and looks at nothing: no client can be faster."""
    import psycopg

    with psycopg.connect(dsn) as connection, connection.cursor().copy(f"COPY ({QUERY}) TO STDOUT (FORMAT binary)") as copy:
        count = sum(len(data) for data in copy)
    return count, lambda value: None


SERVER_WAYS = {
    "Scaup, scaup.client to Arrow": scaup_arrow,
    "Scaup, scaup.client to pandas": scaup_pandas,
    "Scaup, psycopg to pandas": lambda servers: psycopg_frame(servers.scaup_dsn()),
    "Scaup, ADBC for PostgreSQL to Arrow": lambda servers: adbc_arrow(*servers.scaup, servers.user, "scaup"),
    "PostgreSQL, psycopg to pandas": lambda servers: psycopg_frame(servers.postgresql_dsn()),
    "PostgreSQL, ADBC to Arrow": lambda servers: adbc_arrow(*servers.postgresql, "fuzz", "postgres"),
    "PostgreSQL, binary COPY, unread": lambda servers: binary_copy(servers.postgresql_dsn()),
}


def in_process_ways(connections):
    """Reading in the process of the database itself."""
    return {
        "Scaup in process to Arrow": lambda servers: (connections["scaup"].execute(QUERY).to_arrow_table(), arrow_digest),
        "DuckDB in process to Arrow": lambda servers: (connections["duckdb"].sql(QUERY).to_arrow_table(), arrow_digest),
        "DuckDB in process to pandas": lambda servers: (connections["duckdb"].sql(QUERY).df(), frame_digest),
    }


def measure(ways, servers, rounds):
    """Median seconds by way. Every way must give the same rows as the first."""
    times = {name: [] for name in ways}
    digests = {}
    for _ in range(rounds):
        for name, way in ways.items():
            start = time.perf_counter()
            result, digest = way(servers)
            times[name].append(time.perf_counter() - start)
            digests[name] = digest(result)
            del result
    wrong = {name: value for name, value in digests.items() if value is not None and value != next(iter(digests.values()))}
    if wrong:
        sys.exit(f"different rows: {digests}")
    return {name: statistics.median(values) for name, values in times.items()}


def load_postgresql(home, data):
    create = TPCH.schema()["lineitem"]
    copy = f"\\copy lineitem FROM '{data}' (FORMAT csv)"
    for command in (create, copy, "VACUUM ANALYZE lineitem"):
        subprocess.run([*local_postgresql.psql_of(home), "-X", "-q", "-v", "ON_ERROR_STOP=1", "-c", command], check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--scale", type=float, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--networks", default=",".join(str(number) for number in range(len(NETWORKS))), help="; ".join(f"{number}: {name}" for number, name in enumerate(NETWORKS)))
    parser.add_argument("--ways", default="", help="only ways whose name has one of these words, separated by commas")
    parser.add_argument("--json", type=pathlib.Path)
    arguments = parser.parse_args()
    data = ROOT / "build" / "data" / f"tpch-sf{arguments.scale:g}"
    TPCH.generate(data, arguments.scale)
    data = TPCH.data_file(data, "lineitem")
    words = [word for word in arguments.ways.split(",") if word]
    found = {}
    with tempfile.TemporaryDirectory() as folder, local_postgresql.running("shared_buffers=2GB", "listen_addresses=", "max_wal_size=8GB") as home:
        if home is None:
            sys.exit("PostgreSQL is not installed")
        connections = {}
        for system in ("scaup", "duckdb"):
            connections[system], version = OPENERS[system](arguments.threads, ":memory:")
            connections[system].execute(TPCH.schema()["lineitem"])
            connections[system].execute(f"COPY lineitem FROM '{data}' (DELIMITER '|', HEADER false)")
            print(version)
        rows = pathlib.Path(folder) / "lineitem.csv"  # The generator's files have a delimiter at the end of lines, which PostgreSQL refuses.
        connections["scaup"].execute(f"COPY lineitem TO '{rows}' (FORMAT csv, HEADER false)")
        load_postgresql(home, rows)
        rows.unlink()
        stored = pathlib.Path(folder) / "lineitem.scaup"
        with contextlib.closing(OPENERS["scaup"](arguments.threads, str(stored))[0]) as connection:
            connection.execute(TPCH.schema()["lineitem"])
            connection.execute(f"COPY lineitem FROM '{data}' (DELIMITER '|', HEADER false)")
        with served_scaup.running(stored, folder, SCAUP_PORT, "--listen", f"127.0.0.1:{SCAUP_PORT}"):
            user = subprocess.run(["id", "-un"], capture_output=True, text=True, check=True).stdout.strip()
            print(f"lineitem of TPC-H SF{arguments.scale:g}, {arguments.threads} threads, {processor()}; seconds, median of {arguments.rounds} rounds")
            for number, (network, speed) in enumerate(NETWORKS.items()):
                if str(number) not in arguments.networks.split(","):
                    continue
                with contextlib.ExitStack() as stack:
                    ways = dict(SERVER_WAYS)
                    if speed is None:
                        servers = Servers((folder, SCAUP_PORT), (home, 5432), user)
                        ways.update(in_process_ways(connections))
                    else:
                        targets = (("127.0.0.1", SCAUP_PORT), f"{home}/.s.PGSQL.5432")
                        ports = [stack.enter_context(ThrottledProxy(target, *speed)).port for target in targets]
                        servers = Servers(*(("127.0.0.1", port) for port in ports), user)
                    ways = {name: way for name, way in ways.items() if not words or any(word in name for word in words)}
                    found[network] = measure(ways, servers, arguments.rounds)
                print(f"  {network}")
                for name, seconds in found[network].items():
                    print(f"    {name:40}{seconds:9.2f}", flush=True)
    if arguments.json:
        arguments.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
