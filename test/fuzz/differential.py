#!/usr/bin/env python3
"""Compares the answers to random queries over random small tables: Scaup's, PostgreSQL's or DuckDB's, and Scaup's own in other modes.

A mode is any of: passes of the optimizer off, four threads, forced vector kinds, plain kernels, little memory, tables in a file, collections
in the place of tables, literals as parameters. Prints each difference with the seed that makes it again, its tables and its query, both also made small; exits 1 if there was
one, 2 after a crash. The same seed makes the same queries if the engines are the same.
"""

import argparse
import math
import sys
import time

import frame
from large_queries import LargeQueries
from nested_queries import NestedQueries
from typed_queries import TypedQueries
from windows import Windows

GENERATORS = {generator.title: generator for generator in (TypedQueries, NestedQueries, Windows, LargeQueries)}


def make_oracles(arguments):
    from engines import DuckDB, PostgreSQL, duckdb

    oracles = [PostgreSQL(arguments.psql)] if arguments.psql else []
    if duckdb and (arguments.duckdb or not arguments.psql):
        oracles.append(DuckDB())
    return oracles


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--queries", type=float, default=math.inf, help="end after about so many")
    parser.add_argument("--seconds", type=float, default=math.inf, help="end after about so many")
    parser.add_argument("--seed", default="1", help="the first seed, or 'fresh' for one that nobody had yet")
    parser.add_argument("--generators", default=",".join(GENERATORS), help=f"some of {', '.join(GENERATORS)}")
    parser.add_argument("--psql", default="", metavar="COMMAND", help="compare with PostgreSQL: 'psql -d DATABASE'; collation and ctype C.UTF-8")
    parser.add_argument("--duckdb", action="store_true", help="compare with DuckDB, too; without --psql it is asked anyway")
    parser.add_argument("--shrink", type=int, default=3, help="make the first so many differences small")
    parser.add_argument("--verbose", action="store_true", help="also list what others refused")
    parser.add_argument("--notes", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if math.isinf(arguments.queries) and math.isinf(arguments.seconds):
        arguments.queries = 2000
    if not arguments.notes:
        seed = str(int(time.time())) if arguments.seed == "fresh" else arguments.seed
        return frame.watch(frame.own_command() + ["--seed", seed])
    arguments.seed = int(arguments.seed)
    return frame.work(arguments, [GENERATORS[name] for name in arguments.generators.split(",")], make_oracles, arguments.notes)


if __name__ == "__main__":
    sys.exit(main())
