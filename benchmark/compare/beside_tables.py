#!/usr/bin/env python3
"""Statements that group, join, sort and window tables in memory that take nearly all of the memory limit: how many fail for lack of memory.

The limit is so much above what the tables take. Each statement runs `--rounds` times in a process of its own per number of threads; answers are compared with those of a
large limit. A statement that fails must say so at once: the longest time from its begin to its error is printed, too."""

import argparse
import multiprocessing
import time

SETUP = [
    "CREATE TABLE l AS SELECT i AS id, (i * 7919) % 150001 AS x, 'some text of row ' || (i * 31 % 200000) AS s FROM range(400000) AS r(i)",
    "CREATE TABLE r AS SELECT i AS id, i * 2 AS lo, i * 2 + 1 AS hi, 'name of row number ' || i AS name FROM range(400000) AS r(i)",
]
STATEMENTS = {
    "group by integer": "SELECT count(*), sum(c * x) FROM (SELECT x, count(*) AS c FROM l GROUP BY x) q",
    "group by text": "SELECT count(*), max(s) FROM (SELECT s, count(*) AS c FROM l GROUP BY s) q",
    "distinct rows": "SELECT count(*) FROM (SELECT DISTINCT s, x FROM l) q",
    "distinct values": "SELECT count(DISTINCT s), count(DISTINCT x) FROM l",
    "median": "SELECT count(*), sum(m) FROM (SELECT x % 50000 AS g, median(id) AS m FROM l GROUP BY 1) q",
    "list": "SELECT count(*), sum(len(n)) FROM (SELECT x % 50000 AS g, array_agg(id) AS n FROM l GROUP BY 1) q",
    "join": "SELECT count(*), max(name) FROM l JOIN r ON l.x = r.id",
    "join of text": "SELECT count(*), max(name) FROM l JOIN (SELECT 'some text of row ' || id AS t, name FROM r) q ON l.s = q.t",
    "left join": "SELECT count(*), count(name), max(name) FROM l LEFT JOIN r ON l.x = r.lo",
    "semi join": "SELECT count(*) FROM l WHERE x IN (SELECT lo FROM r)",
    "range join": "SELECT count(*), max(name) FROM l JOIN r ON lo <= x AND x < hi",
    "numbered": "SELECT count(*), sum(n * id % 1000003) FROM (SELECT id, row_number() OVER (ORDER BY s, x, id) AS n FROM l) q",
    "sort": "SELECT s, id, x FROM (SELECT s, id, x FROM l ORDER BY s DESC, x, id LIMIT 1000000) q LIMIT 5 OFFSET 390000",
    "top": "SELECT max(s), count(*) FROM (SELECT s FROM l ORDER BY s LIMIT 50000) q",
    "window of parts": "SELECT max(n) FROM (SELECT sum(x) OVER (PARTITION BY x % 1000 ORDER BY id) AS n FROM l) q",
    "window of all": "SELECT max(n) FROM (SELECT sum(x) OVER (ORDER BY id ROWS BETWEEN 10 PRECEDING AND 10 FOLLOWING) AS n FROM l) q",
    "rows read twice": "WITH c AS MATERIALIZED (SELECT x, s FROM l) SELECT count(*), max(a.s) FROM c a JOIN c b ON a.x = b.x",
    "union": "SELECT count(*) FROM (SELECT s FROM l UNION SELECT name FROM r) q",
}


def run(threads, mebibytes, rounds, found):
    import scaup

    connection = scaup.connect(config={"threads": str(threads), "memory_limit": "4GiB"})
    for statement in SETUP:
        connection.execute(statement)
    used = connection.execute("SELECT memory_usage FROM pragma_database_size()").fetchone()[0]
    answers = {name: connection.execute(sql).fetchall() for name, sql in STATEMENTS.items()}
    failures, longest = {}, 0.0
    seconds = {name: 0.0 for name in STATEMENTS}
    for above in mebibytes:
        connection.execute(f"SET memory_limit = '{(used >> 20) + 1 + above}MiB'")
        for _ in range(rounds):
            for name, sql in STATEMENTS.items():
                begin = time.perf_counter()
                try:
                    if connection.execute(sql).fetchall() != answers[name]:
                        failures.setdefault((above, name), []).append("WRONG ANSWER")
                except scaup.Error as error:
                    longest = max(longest, time.perf_counter() - begin)
                    failures.setdefault((above, name), []).append(str(error).splitlines()[0])
                seconds[name] += time.perf_counter() - begin
    found.put((used, failures, longest, seconds))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2, 3, 5, 8])
    parser.add_argument("--above", type=int, nargs="+", default=[16, 8, 6, 4, 3, 2], help="mebibytes that the limit is above the tables")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--verbose", action="store_true", help="name what failed")
    arguments = parser.parse_args()
    print("| threads | " + " | ".join(f"{above} MiB" for above in arguments.above) + " | seconds |")
    for threads in arguments.threads:
        found = multiprocessing.get_context("spawn").Queue()
        process = multiprocessing.get_context("spawn").Process(target=run, args=(threads, arguments.above, arguments.rounds, found))
        process.start()
        used, failures, longest, seconds = found.get()
        process.join()
        counts = [len([name for name in STATEMENTS if (above, name) in failures]) for above in arguments.above]
        print(f"| {threads} | " + " | ".join(map(str, counts)) + f" | {sum(seconds.values()):.1f} |", flush=True)
        if arguments.verbose:
            for (above, name), errors in failures.items():
                print(f"    {above} MiB, {name}: {len(errors)} of {arguments.rounds}: {errors[0]}")
            print(f"    tables take {used >> 20} MiB, the longest error {longest:.2f} s")


if __name__ == "__main__":
    main()
