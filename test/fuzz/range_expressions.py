#!/usr/bin/env python3
"""Compares random SQL expressions, comparisons, orders and aggregates of ranges and multiranges with a PostgreSQL of its own.

    PYTHONPATH=build/release/extension/python .venv/bin/python test/fuzz/range_expressions.py --expressions 10000 --seed 1

Errors are compared by their SQLSTATE. A difference is printed; the exit code is then 1.
"""

import argparse
import random
import sys

import numeric_expressions

# The type of the bounds, and bounds in ascending order, at the ends of the type, too. No number has zeros behind its last digit, which Scaup does not show.
BOUNDS = {
    "int4": ("int4", ["-2147483648", "-3", "0", "1", "2", "3", "5", "2147483647"]),
    "int8": ("int8", ["-9223372036854775808", "-3", "0", "1", "2", "9223372036854775807"]),
    "num": ("numeric", ["-Infinity", "-2", "-1.5", "0", "1", "1.25", "2", "10", "Infinity", "NaN"]),
    "date": ("date", ["-infinity", "1999-12-31", "2024-01-01", "2024-01-02", "2024-01-05", "infinity"]),
    "ts": ("timestamp", ["-infinity", "2024-01-01 00:00:00", "2024-01-02 10:00:00", "infinity"]),
    "tstz": ("timestamptz", ["2024-01-01 00:00:00+00", "2024-01-02 10:00:00+02", "infinity"]),
}
COMPARISONS = ["=", "<>", "<", "<=", ">", ">="]
TESTS = ["@>", "<@", "&&", "<<", ">>", "&<", "&>", "-|-"]
PARTS = ["lower", "upper", "isempty", "lower_inc", "upper_inc", "lower_inf", "upper_inf"]


def range_text(source, kind):
    if source.random() < 0.1:
        return "empty"
    bounds = BOUNDS[kind][1]
    chosen = [source.randrange(len(bounds)), source.randrange(len(bounds))]
    if source.random() < 0.9:
        chosen.sort()
    lower, upper = (f'"{bounds[i]}"' if source.random() < 0.85 else "" for i in chosen)
    return f"{source.choice('[(')}{lower},{upper}{source.choice('])')}"


def range_value(source, kind):
    return f"'{range_text(source, kind)}'::{kind}range"


def multirange_value(source, kind):
    ranges = ",".join(range_text(source, kind) for _ in range(source.choice([0, 1, 1, 2, 2, 3])))
    return f"'{{{ranges}}}'::{kind}multirange"


def set_value(source, kind):
    return source.choice([range_value, multirange_value])(source, kind)


def bound_value(source, kind):
    name, bounds = BOUNDS[kind]
    return f"'{source.choice(bounds)}'::{name}"


def rows_of(source, kind, make):
    return ", ".join(f"({make(source, kind)})" for _ in range(source.randint(1, 8)))


def expression(source):
    kind = source.choice(list(BOUNDS))
    one_kind = source.choice([range_value, multirange_value])
    constructor = f"{kind}range({', '.join(bound_value(source, kind) if source.random() < 0.85 else 'NULL' for _ in 'ab')}{source.choice(['', *(f', {b!r}' for b in ('[]', '[)', '(]', '()'))])})"
    return "SELECT " + source.choice([
        f"{set_value(source, kind)} {source.choice(TESTS)} {set_value(source, kind)}",
        f"{set_value(source, kind)} @> {bound_value(source, kind)}",
        f"{bound_value(source, kind)} <@ {set_value(source, kind)}",
        f"{one_kind(source, kind)} {source.choice(['+', '-', '*'])} {one_kind(source, kind)}",
        f"{one_kind(source, kind)} {source.choice(COMPARISONS)} {one_kind(source, kind)}",
        f"{source.choice(PARTS)}({set_value(source, kind)})",
        f"range_merge({range_value(source, kind)}, {range_value(source, kind)})",
        f"range_merge({multirange_value(source, kind)})",
        f"{kind}multirange({', '.join(range_value(source, kind) for _ in range(source.randint(1, 3)))})",
        f"{range_value(source, kind)}::{kind}multirange",
        set_value(source, kind),
        constructor,
        f"array_agg(r ORDER BY r) FROM (VALUES {rows_of(source, kind, one_kind)}) AS t(r)",
        f"count(DISTINCT r) FROM (VALUES {rows_of(source, kind, one_kind)}) AS t(r)",
        f"{source.choice(['range_agg', 'range_intersect_agg'])}(r) FROM (VALUES {rows_of(source, kind, one_kind)}) AS t(r)",
    ])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--expressions", type=int, default=10000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    source = random.Random(options.seed)
    queries = [expression(source) for _ in range(options.expressions)]
    answers = list(zip(queries, numeric_expressions.ours(queries), numeric_expressions.theirs(queries), strict=True))
    differences = [answer for answer in answers if answer[1] != answer[2]]
    for query, our, their in differences[:40]:
        print(f"{query}\n  Scaup      {our[:200]}\n  PostgreSQL {their[:200]}")
    print(f"{len(answers)} expressions, {len(differences)} differences, {sum(their.startswith('error') for _, _, their in answers)} errors in both")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
