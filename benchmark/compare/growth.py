"""How time grows with how many there are of something: tables, columns, views, keys of documents, elements of lists.

    python benchmark/compare/growth.py [--most 10000] [--seconds 20] [kind ...]

Prints seconds for 10, 100, 1,000, ... and the exponent between two steps: 1 is in proportion, 2 with the square. A
kind ends where a step took longer than --seconds, or is refused. Times of less than some milliseconds say nothing of growth."""

import argparse
import math
import tempfile
import time

import scaup


def columns(count):
    return ", ".join(f"c{i} INTEGER" for i in range(count))


def make_columns(con, count):
    con.execute(f"CREATE TABLE t ({columns(count)})")
    con.execute("INSERT INTO t VALUES (" + ", ".join(["1"] * count) + ")")


def make_tables(con, count):
    con.execute("BEGIN")
    for i in range(count):
        con.execute(f"CREATE TABLE t{i} (a INTEGER, b VARCHAR)")
    con.execute("COMMIT")
    con.execute("CHECKPOINT")


def make_references(con, count):
    con.execute("BEGIN")
    for i in range(count):
        con.execute(f"CREATE TABLE t{i} (a INTEGER PRIMARY KEY, b INTEGER REFERENCES t{max(i - 1, 0)})")
    con.execute("COMMIT")


def make_keys(con, count):
    con.execute("CREATE COLLECTION c")
    con.append("c", [{f"k{i}": i for i in range(begin, min(begin + 1000, count))} for begin in range(0, count, 1000)])


def make_nothing(con, count):
    pass


def make_numbers(con, count):
    con.execute("CREATE TABLE t AS SELECT i FROM range(1000) AS r(i)")


def chain_of_views(con, count):
    con.execute("CREATE VIEW v0 AS SELECT 1 AS a")
    for i in range(1, count):
        con.execute(f"CREATE VIEW v{i} AS SELECT a FROM v{i - 1}")


def last_of_views(con, count):
    con.execute(f"SELECT * FROM v{count - 1}")


def statement(sql):
    return lambda con, count: con.execute(sql)


def one_insert_and_checkpoint(con, count):
    con.execute("INSERT INTO t0 VALUES (1, 'x')")
    con.execute("CHECKPOINT")


def in_list(con, count):
    con.execute("SELECT count(*) FROM t WHERE i IN (" + ", ".join(map(str, range(count))) + ")")


def values_list(con, count):
    con.execute("SELECT count(*) FROM (VALUES " + ", ".join(f"({i})" for i in range(count)) + ") AS v(i)")


def or_list(con, count):
    con.execute("SELECT count(*) FROM t WHERE " + " OR ".join(f"i = {i}" for i in range(count)))


# Name: what is made first, and what is timed.
KINDS = {
    "columns: SUMMARIZE": (make_columns, statement("SUMMARIZE t")),
    "columns: DESCRIBE": (make_columns, statement("DESCRIBE t")),
    "columns: SELECT *": (make_columns, statement("SELECT * FROM t")),
    "tables: information_schema.key_column_usage": (
        make_references,
        statement("SELECT count(*) FROM information_schema.key_column_usage"),
    ),
    "tables: information_schema.columns": (make_tables, statement("SELECT count(*) FROM information_schema.columns")),
    "tables: pg_class and pg_attribute": (
        make_tables,
        statement("SELECT count(*) FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid"),
    ),
    "tables: CREATE": (make_nothing, make_tables),
    "tables: INSERT and CHECKPOINT": (make_tables, one_insert_and_checkpoint),
    "tables: VACUUM": (make_tables, statement("VACUUM")),
    "views: CREATE, each over the last": (make_nothing, chain_of_views),
    "views: SELECT from the last": (chain_of_views, last_of_views),
    "keys: collection_info": (make_keys, statement("PRAGMA collection_info('c')")),
    "elements: IN": (make_numbers, in_list),
    "elements: OR": (make_numbers, or_list),
    "elements: VALUES": (make_nothing, values_list),
}


def seconds_of(make, run, count):
    with tempfile.TemporaryDirectory() as folder, scaup.connect(folder + "/x.scaup") as con:
        make(con, count)
        begin = time.perf_counter()
        run(con, count)
        return time.perf_counter() - begin


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most", type=int, default=10_000)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("kinds", nargs="*", help="parts of names; all without")
    options = parser.parse_args()
    for name, (make, run) in KINDS.items():
        if options.kinds and not any(kind in name for kind in options.kinds):
            continue
        cells, last, count = [], None, 10
        while count <= options.most:
            try:
                seconds = seconds_of(make, run, count)
            except scaup.NotSupportedError as error:
                cells.append(f"{count:,}: refused, {str(error).split(':')[0]}")
                break
            exponent = f" (^{math.log10(seconds / last):.1f})" if last else ""
            cells.append(f"{count:,}: {seconds:.3f}{exponent}")
            if seconds > options.seconds:
                break
            last, count = seconds, count * 10
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
