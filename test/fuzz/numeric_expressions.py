#!/usr/bin/env python3
"""Compares random SQL expressions, casts, comparisons and aggregates of NUMERIC with a PostgreSQL of its own.

    PYTHONPATH=build/release/extension/python .venv/bin/python test/fuzz/numeric_expressions.py --expressions 10000 --seed 1

Scaup shows no zeros behind the last digit, so numbers are compared without them; and as PostgreSQL chooses the digits of quotients, roots and logarithms by
the zeros of its operands, too, its operands are trimmed. Errors are compared by their SQLSTATE. A difference is printed; the exit code is then 1.
"""

import argparse
import random
import re
import subprocess
import sys

import exact_numbers
import local_postgresql
import scaup

UNARY = ["-{a}", "+{a}", "abs({a})", "sign({a})", "round({a})", "trunc({a})", "ceil({a})", "floor({a})", "sqrt({s})", "exp({s})", "ln({s})", "log({s})",
         "min_scale({a})", "{a}::bigint", "{a}::integer", "{a}::smallint", "{a}::double precision::numeric", "{a}::numeric(20, 5)::numeric",
         "{a}::numeric(38, 10)::numeric", "{a}::text::numeric", "({i})::integer::numeric / 7", "({i})::bigint::numeric"]
BINARY = ["{a} + {b}", "{a} - {b}", "{a} * {b}", "{a} / {b}", "{a} % {b}", "mod({a}, {b})", "div({a}, {b})", "gcd({a}, {b})", "lcm({a}, {b})", "power({s}, {t})", "{s} ^ {t}",
          "log({s}, {t})", "round({a}, {n})", "trunc({a}, {n})", "({a} = {b})::integer", "({a} < {b})::integer", "({a} >= {b})::integer", "greatest({a}, {b})", "least({a}, {b})",
          "{a} + {i}", "{a} * {i}", "{a} / {i}", "width_bucket({s}, {t}, {u}, {n})", "({a} + {b}) * {s}", "({a} - {b}) / {t}"]
OPERAND = re.compile(r"(?=\('[^']*'::numeric\))")
AGGREGATES = ["sum(x)", "avg(x)", "min(x)", "max(x)", "count(DISTINCT x)", "variance(x)", "var_pop(x)", "stddev(x)", "stddev_pop(x)"]


def trimmed(text):
    """Without zeros behind the last digit of a fraction."""
    return text.rstrip("0").rstrip(".") if "." in text else text


def operand(source, short):
    while True:
        text = exact_numbers.short_number(source) if short else exact_numbers.number(source)
        # The far ends of the range take seconds, and exact_numbers.py has them.
        if len(text) < 60 and not ("e" in text and abs(int(text.split("e")[1])) > 60):
            return f"('{text}'::numeric)"


def expression(source):
    if source.random() < 0.15:
        values = ", ".join(f"({operand(source, source.random() < 0.5)})" for _ in range(source.randint(1, 8)))
        return f"SELECT {source.choice(AGGREGATES)} FROM (VALUES {values}) AS t(x)"
    given = {"a": operand(source, False), "b": operand(source, False), "s": operand(source, True), "t": operand(source, True), "u": operand(source, True), "i": str(source.randint(-10**source.randint(0, 9), 10**source.randint(0, 9))),
             "n": str(source.choice([0, 1, 2, 5, 9, 10, 20, -1, -5]))}
    given["i"] = f"({given['i']})"
    if source.random() < 0.1:
        given["b"] = given["a"]
    return "SELECT " + source.choice([*UNARY, *BINARY, *BINARY]).format(**given)


SETUP = """CREATE FUNCTION pg_temp.answer(q text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE r text; BEGIN EXECUTE 'SELECT ((' || q || '))::text' INTO r; RETURN coalesce(r, 'NULL');
EXCEPTION WHEN OTHERS THEN RETURN 'error ' || SQLSTATE; END $$;"""


def is_known(our, their):
    """NaN and infinities are no integers and no DECIMALs: PostgreSQL has another SQLSTATE for the first, and allows some of the second."""
    return our == "error 22003" and their in ("error 0A000", "NaN")


def theirs(queries):
    with local_postgresql.running("listen_addresses=", "fsync=off") as home:
        if home is None:
            sys.exit("PostgreSQL is not installed")
        script = SETUP + "\n" + "".join(f"SELECT pg_temp.answer($q${OPERAND.sub('trim_scale', query)}$q$);\n" for query in queries)
        command = [*local_postgresql.psql_of(home), "-X", "-q", "-A", "-t"]
        return subprocess.run(command, input=script, text=True, stdout=subprocess.PIPE, check=True).stdout.splitlines()


def ours(queries):
    answers = []
    with scaup.connect() as connection:
        for query in queries:
            try:
                value = connection.execute(f"SELECT (({query}))::VARCHAR").fetchone()[0]
                answers.append("NULL" if value is None else value)
            except scaup.Error as error:
                answers.append(f"error {error.sqlstate}")
    return answers


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--expressions", type=int, default=10000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    source = random.Random(options.seed)
    queries = [expression(source) for _ in range(options.expressions)]
    answers = list(zip(queries, ours(queries), theirs(queries), strict=True))
    differences = [(query, our, their) for query, our, their in answers if trimmed(our) != trimmed(their) and not is_known(our, their)]
    for query, our, their in differences[:40]:
        print(f"{query}\n  Scaup      {our[:200]}\n  PostgreSQL {their[:200]}")
    print(f"{len(answers)} expressions, {len(differences)} differences, {sum(their.startswith('error') for _, _, their in answers)} errors in both")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
