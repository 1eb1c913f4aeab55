#!/usr/bin/env python3
"""Writes TPC-H's lineitem from a table in memory to Parquet files: Scaup beside DuckDB, seconds and sizes.

Rounds alternate and the median counts. DuckDB then compares the rows of the two files of each codec by the sum of their hashes."""

import argparse
import pathlib
import statistics
import sys
import tempfile
import time

from side_by_side import ROOT, processor
from tpch import TPCH
from worker import OPENERS

SYSTEMS = ("scaup", "duckdb")
WRITERS = {"snappy": "", "zstd": "", "snappy, version 2": ", PARQUET_VERSION v2", "zstd, version 2": ", PARQUET_VERSION v2"}


def rows_hash(connection, path):
    return connection.execute(f"SELECT count(*), sum(hash(t)::HUGEINT) FROM '{path}' AS t").fetchall()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--scale", type=float, default=1)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    folder = ROOT / "build" / "data" / f"tpch-sf{arguments.scale:g}"
    TPCH.generate(folder, arguments.scale)
    connections = {}
    for system in SYSTEMS:
        connections[system], version = OPENERS[system](arguments.threads, ":memory:")
        print(system, version)
        connections[system].execute(TPCH.schema()["lineitem"])
        connections[system].execute(f"COPY lineitem FROM '{TPCH.data_file(folder, 'lineitem')}' (DELIMITER '|', HEADER false)")
    print(f"{arguments.threads} threads, {processor()}")
    with tempfile.TemporaryDirectory() as place:
        for writer, options in WRITERS.items():
            codec = writer.split(",")[0]
            seconds = {system: [] for system in SYSTEMS}
            files = {system: pathlib.Path(place) / f"{system}.parquet" for system in SYSTEMS}
            for _ in range(arguments.rounds):
                for system in SYSTEMS:
                    start = time.perf_counter()
                    connections[system].execute(f"COPY lineitem TO '{files[system]}' (FORMAT parquet, COMPRESSION {codec}{options})")
                    seconds[system].append(time.perf_counter() - start)
            ours, theirs = (statistics.median(seconds[system]) for system in SYSTEMS)
            sizes = [files[system].stat().st_size for system in SYSTEMS]
            print(f"{writer}: {ours:.2f} s, {theirs:.2f} s, ratio {ours / theirs:.2f}; {sizes[0]:,} bytes, {sizes[1]:,} bytes, ratio {sizes[0] / sizes[1]:.3f}")
            if len({str(rows_hash(connections["duckdb"], files[system])) for system in SYSTEMS}) != 1:
                sys.exit(f"{writer}: the files have different rows")


if __name__ == "__main__":
    main()
