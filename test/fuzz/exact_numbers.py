#!/usr/bin/env python3
"""Compares the arithmetic of exact numbers (src/type/number/numeric.hpp) with PostgreSQL's NUMERIC, on random edge values.

    test/fuzz/exact_numbers.py build/release/test/numeric_calculator --psql 'psql -d fuzz' --expressions 20000 --seed 1

A difference is printed with its expression; the exit code is then 1. The calculator also checks that the bytes of each pair of
numbers order as the numbers do, and read back. --write makes a table of the short ones with PostgreSQL's answers, for
test/unit/type/numeric_test.cpp.
"""

import argparse
import random
import shlex
import subprocess
import sys

BINARY = {"add": "a + b", "subtract": "a - b", "multiply": "a * b", "divide": "a / b", "div": "div(a, b)", "mod": "mod(a, b)",
          "gcd": "gcd(a, b)", "lcm": "lcm(a, b)", "log": "log(a, b)", "power": "power(a, b)", "compare": "(CASE WHEN a < b THEN -1 WHEN a > b THEN 1 ELSE 0 END)::numeric"}
UNARY = {"sqrt": "sqrt(a)", "exp": "exp(a)", "ln": "ln(a)"}
# Their numbers are mostly short: PostgreSQL takes seconds for the logarithms of long ones.
SERIES = ["exp", "ln", "log", "power"]
BY_SCALE = {"round": "round(a, b::int)", "trunc": "trunc(a, b::int)"}
SPECIAL = ["NaN", "Infinity", "-Infinity"]
EDGES = ["0", "0.00", "-0.0", "1", "1.0", "1.00", "-1", "10", "0.1", "9999", "10000", "999999999", "1000000000", "1000000001", "0.999999999",
         "0.0000000001", "99999999999999999999", "1e38", "-1e38", "1e131071", "-1e131071", "9e131071", "1e-16383", "-3e-16383", "1e-8000", "7e65000"]


def number(source):
    kind = source.random()
    if kind < 0.05:
        return source.choice(SPECIAL)
    if kind < 0.25:
        return source.choice(EDGES)
    before, after = (source.choice([0, 1, 2, 4, 8, 9, 10, 18, 19, 40, 100]) for _ in range(2))
    # Runs of nines and zeros carry and cancel.
    digits = source.choice(["0123456789", "09", "0", "9", "05", "0001"])
    text = "".join(source.choice(digits) for _ in range(before)) or "0"
    fraction = "".join(source.choice(digits) for _ in range(after))
    exponent = f"e{source.randint(-60, 60)}" if source.random() < 0.15 else ""
    return source.choice(["", "-"]) + text + ("." + fraction if fraction else "") + exponent


def short_number(source):
    kind = source.random()
    if kind < 0.05:
        return source.choice([*SPECIAL, "0", "1", "-1", "1.0", "2", "10"])
    if kind < 0.15:  # near one, where logarithms need more digits
        return source.choice(["1.", "0.9"]) + source.choice(["0", "00000", "000000000000", "99999"]) + str(source.randint(1, 999))
    before, after = source.choice([0, 1, 1, 2, 3, 5]), source.choice([0, 0, 1, 2, 6, 18])
    text = "".join(source.choice("0123456789") for _ in range(before)) or "0"
    fraction = "".join(source.choice("0123456789") for _ in range(after))
    exponent = f"e{source.randint(-20, 20)}" if source.random() < 0.1 else ""
    return source.choice(["", "", "-"]) + text + ("." + fraction if fraction else "") + exponent


def expressions(count, seed):
    source = random.Random(seed)
    for _ in range(count):
        operation = source.choice([*BINARY, *UNARY, *BY_SCALE])
        a, b = number(source), number(source)
        if operation in BY_SCALE:
            b = str(source.choice([0, 1, 2, 8, 9, 10, 18, 50, -1, -3, -9, -10, -40, source.randint(-30, 30)]))
        elif operation in BINARY and source.random() < 0.1:
            b = a
        elif operation in UNARY:
            b = "0"
        if operation in SERIES:
            a, b = short_number(source), short_number(source)
            if operation in UNARY:
                b = "0"
        yield operation, a, b


SETUP = """CREATE FUNCTION pg_temp.answer(e text, a numeric, b numeric) RETURNS text LANGUAGE plpgsql AS $$
DECLARE r numeric; BEGIN EXECUTE 'SELECT ' || e || ' FROM (SELECT $1 AS a, $2 AS b) t' INTO r USING a, b; RETURN r::text;
EXCEPTION WHEN OTHERS THEN RETURN 'error ' || SQLSTATE; END $$;"""


def write(path, answers):
    rows = [f'    {{"{operation}", "{a}", "{b}", "{their}"}},' for operation, a, b, their in answers if len(a + b + their) < 70]
    with open(path, "w") as header:
        header.write("// Answers of PostgreSQL 15 to arithmetic of NUMERIC. test/fuzz/exact_numbers.py --write makes this file.\n#pragma once\n\n"
                     "struct NumericAnswer {\n  const char *operation, *a, *b, *answer;\n};\n\n"
                     "// clang-format off\ninline constexpr NumericAnswer kNumericAnswers[] = {\n" + "\n".join(rows[:450]) + "\n};\n// clang-format on\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("calculator")
    parser.add_argument("--psql", default="psql")
    parser.add_argument("--expressions", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", help="a header to write")
    options = parser.parse_args()
    asked = list(expressions(options.expressions, options.seed))
    ours = subprocess.run([options.calculator], input="".join("\t".join(one) + "\n" for one in asked), text=True, stdout=subprocess.PIPE, check=True)
    formulas = {**BINARY, **UNARY, **BY_SCALE}
    queries = "".join(f"SELECT pg_temp.answer('{formulas[operation]}', '{a}', '{b}');\n" for operation, a, b in asked)
    theirs = subprocess.run([*shlex.split(options.psql), "-X", "-q", "-A", "-t"], input=SETUP + "\n" + queries, text=True, stdout=subprocess.PIPE, check=True)
    answers = list(zip(asked, ours.stdout.splitlines(), theirs.stdout.splitlines(), strict=True))
    differences = [one for one in answers if one[1] != one[2]]
    for (operation, a, b), our, their in differences[:20]:
        print(f"{operation}\t{a}\t{b}\n  Scaup      {our[:300]}\n  PostgreSQL {their[:300]}")
    print(f"{len(answers)} expressions, {len(differences)} differences, {sum(their.startswith('error') for _, _, their in answers)} errors in both")
    if options.write:
        write(options.write, [(*one, their) for one, _, their in answers])
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
