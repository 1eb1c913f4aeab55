#!/usr/bin/env python3
"""How good are join orders and estimates? Chosen plans against the best possible ones, on generated data with skew.

For a star, a chain and a clique of tables, the rows that all joins of the chosen plan really give are compared with the least that any order
could give: true sizes of all connected sets of tables are counted with NumPy, and the best tree is searched among all of them. Planning is timed
for larger graphs, and estimates of filtered tables are compared with their true rows (q-error: how many times too high or too low)."""

import argparse
import functools
import itertools
import json
import pathlib
import statistics
import tempfile
import time

import numpy as np
import scaup


def skewed(random, domain, rows, skew):
    """Values 0 .. domain - 1, of which few are frequent."""
    weights = 1 / np.arange(1, domain + 1) ** skew
    return random.permutation(domain)[random.choice(domain, rows, p=weights / weights.sum())].astype(np.int64)


def create_table(connection, name, columns):
    connection.execute(f"CREATE TABLE {name} ({', '.join(f'{column} BIGINT' for column in columns)})")
    with tempfile.NamedTemporaryFile(suffix=".csv") as file:
        np.savetxt(file, np.column_stack(list(columns.values())), fmt="%d", delimiter=",")
        file.flush()
        connection.execute(f"COPY {name} FROM '{file.name}' (FORMAT csv)")


class Graph:
    """Tables with columns, equalities between columns, filters, and the true size of every connected set."""

    def __init__(self, name, tables, edges, filters):
        self.name = name
        self.tables = tables  # Name: {column: values}
        self.edges = edges  # ((table, column), (table, column))
        self.filters = filters  # Table: (column, bound); rows below it stay

    def sql(self):
        conditions = [f"{a}.{x} = {b}.{y}" for (a, x), (b, y) in self.edges]
        conditions += [f"{table}.{column} < {bound}" for table, (column, bound) in self.filters.items()]
        return f"SELECT count(*) FROM {', '.join(self.tables)} WHERE {' AND '.join(conditions)}"

    def create(self, connection):
        for name, columns in self.tables.items():
            create_table(connection, name, columns)

    def rows_of(self, table):
        columns = self.tables[table]
        if table not in self.filters:
            return columns
        column, bound = self.filters[table]
        kept = columns[column] < bound
        return {name: values[kept] for name, values in columns.items()}


class Star(Graph):
    def __init__(self, random, size, rows, skew):
        tables = {"fact": {}}
        edges, filters = [], {}
        for i in range(size - 1):
            keys = int(10 ** random.uniform(1, 4))
            tables["fact"][f"k{i}"] = skewed(random, keys, rows, skew * random.uniform(0, 1))
            tables[f"d{i}"] = {"id": np.arange(keys), "v": random.permutation(keys)}
            edges.append((("fact", f"k{i}"), (f"d{i}", "id")))
            if random.random() < 0.7:
                filters[f"d{i}"] = ("v", max(1, int(keys * random.uniform(0.02, 0.9))))
        super().__init__(f"star of {size}", tables, edges, filters)

    def sizes(self):
        names = list(self.tables)
        passing = []
        for i in range(len(names) - 1):
            kept = np.zeros(len(self.tables[f"d{i}"]["id"]), bool)
            kept[self.rows_of(f"d{i}")["id"]] = True
            passing.append(kept[self.tables["fact"][f"k{i}"]])
        found = {1 << i: len(next(iter(self.rows_of(name).values()))) for i, name in enumerate(names)}

        def visit(dimension, selected, members):
            found[members] = int(selected.sum())
            for following in range(dimension, len(passing)):
                visit(following + 1, selected & passing[following], members | 1 << following + 1)

        visit(0, np.ones(len(self.tables["fact"]["k0"]), bool), 1)
        return found


class Chain(Graph):
    """Each edge joins the key of one of its tables, so that results do not explode."""

    def __init__(self, random, size, rows, skew):
        counts = [int(rows * 10 ** random.uniform(-2.5, -0.5)) for _ in range(size)]
        tables = {f"c{i}": {"a": np.zeros(counts[i], np.int64), "b": np.zeros(counts[i], np.int64), "v": random.permutation(counts[i])} for i in range(size)}
        edges, filters, self.domains = [], {}, [1] * size
        for i in range(1, size):
            left, right = (f"c{i - 1}", "b"), (f"c{i}", "a")
            (key, key_column), (other, other_column) = (left, right) if random.random() < 0.5 else (right, left)
            self.domains[i - 1] = len(tables[key][key_column])
            tables[key][key_column] = random.permutation(self.domains[i - 1])
            tables[other][other_column] = skewed(random, self.domains[i - 1], len(tables[other][other_column]), skew * random.uniform(0, 1))
            edges.append((left, right))
        for i in range(size):
            if random.random() < 0.5:
                filters[f"c{i}"] = ("v", max(1, int(counts[i] * random.uniform(0.05, 0.9))))
        super().__init__(f"chain of {size}", tables, edges, filters)

    def sizes(self):
        found = {}
        names = list(self.tables)
        for first in range(len(names)):
            counts = None
            members = 0
            for i in range(first, len(names)):
                rows = self.rows_of(names[i])
                weights = np.ones(len(rows["a"])) if counts is None else counts[rows["a"]]
                counts = np.bincount(rows["b"], weights, minlength=self.domains[i])
                members |= 1 << i
                found[members] = float(counts.sum())
        return found


class Clique(Graph):
    def __init__(self, random, size, rows, skew):
        domain = 2000
        tables, filters = {}, {}
        for i in range(size):
            if i >= 3:  # Keys, of which some are missing.
                keys = random.permutation(domain)[:int(domain * random.uniform(0.6, 1))]
            else:
                keys = skewed(random, domain, int(domain * random.uniform(0.5, 4)), skew * random.uniform(0, 0.5))
            count = len(keys)
            tables[f"q{i}"] = {"k": keys, "v": random.permutation(count)}
            if random.random() < 0.4:
                filters[f"q{i}"] = ("v", max(1, int(count * random.uniform(0.1, 0.9))))
        edges = [((f"q{i}", "k"), (f"q{j}", "k")) for i, j in itertools.combinations(range(size), 2)]
        self.domain = domain
        super().__init__(f"clique of {size}", tables, edges, filters)

    def sizes(self):
        counts = [np.bincount(self.rows_of(name)["k"], minlength=self.domain).astype(float) for name in self.tables]
        products = {0: np.ones(self.domain)}
        for members in range(1, 1 << len(counts)):
            lowest = (members & -members).bit_length() - 1
            products[members] = products[members & (members - 1)] * counts[lowest]
        return {members: float(product.sum()) for members, product in products.items() if members}


def least_cost(sizes, all_members):
    """The least sum of the rows of all joins over all trees without cross products. Sizes has every connected set."""

    @functools.cache
    def best(members):
        if members & (members - 1) == 0:
            return 0
        lowest = members & -members
        rest = members ^ lowest
        least = float("inf")
        part = rest
        while True:
            part = (part - 1) & rest if part else -1
            if part < 0:
                break
            left, right = part | lowest, rest ^ part
            if left in sizes and right in sizes:
                least = min(least, best(left) + best(right))
        return least + sizes[members]

    return best(all_members)


def nodes_of(plan):
    yield plan
    for child in plan.get("Plans", []):
        yield from nodes_of(child)


def explain(connection, sql, analyze=True):
    options = "ANALYZE, FORMAT json" if analyze else "FORMAT json"
    return json.loads(connection.execute(f"EXPLAIN ({options}) {sql}").fetchone()[0])[0]["Plan"]


def true_cost(plan):
    return sum(node["Actual Rows"] for node in nodes_of(plan) if "Join" in node["Node Type"])


def compare_orders(kind, size, rows, skew, seeds, most_rows):
    ratios = []
    for seed in range(seeds):
        graph = kind(np.random.default_rng(seed), size, rows, skew)
        sizes = graph.sizes()
        everything = (1 << size) - 1
        if not 0 < sizes[everything] < most_rows:
            continue
        with scaup.connect() as connection:
            graph.create(connection)
            connection.execute("ANALYZE")
            chosen = true_cost(explain(connection, graph.sql()))
        ratios.append(max(chosen, 1) / max(least_cost(sizes, everything), 1))
    if ratios:
        print(f"  {graph.name:<14} {len(ratios):>3} graphs: median {statistics.median(ratios):.2f}, worst {max(ratios):.2f} times the least cost; "
              f"{sum(ratio > 2 for ratio in ratios)} above 2", flush=True)
    return ratios


def time_planning(kind, size, rounds):
    graph = kind(np.random.default_rng(1), size, 1000, 0.5)
    with scaup.connect() as connection:
        graph.create(connection)
        times = []
        for i in range(rounds):
            start = time.perf_counter()
            connection.execute(f"EXPLAIN {graph.sql()} AND {i} = {i}").fetchall()
            times.append(1000 * (time.perf_counter() - start))
    print(f"  {graph.name:<14} planned in {statistics.median(times):.1f} ms", flush=True)
    return times


def q_errors(rows, count):
    """Random filters over a table with uniform, skewed, correlated and text columns."""
    random = np.random.default_rng(3)
    columns = {"u": random.integers(0, 10000, rows), "s": skewed(random, 1000, rows, 1.1), "f": random.normal(0, 100, rows).astype(np.int64)}
    columns["c"] = columns["u"] // 10
    errors = {}
    with scaup.connect() as connection:
        create_table(connection, "numbers", columns)
        connection.execute("CREATE TABLE t AS SELECT *, 'w' || s * 7919 % 1000 AS w, CASE WHEN u % 50 < 3 THEN NULL ELSE f END AS n FROM numbers")
        connection.execute("ANALYZE")
        for i in range(count):
            u, s, f = random.integers(0, 10000), columns["s"][random.integers(rows)], int(random.normal(0, 100))
            width = int(10 ** random.uniform(0, 3.5))
            rare = random.integers(0, 1000)
            predicates = {
                "equality, uniform": f"u = {u}", "range, uniform": f"u BETWEEN {u} AND {u + width}", "equality, skewed": f"s = {s}",
                "range, normal": f"f > {f}", "two independent": f"u < {u} AND f > {f}", "two correlated": f"u < {u} AND c < {u // 10}",
                "equality, rare": f"s = {rare}", "correlated equalities": f"u = {u} AND c = {u // 10}", "LIKE prefix": f"w LIKE 'w{s // 100}%'",
                "LIKE within": f"w LIKE '%{rare % 100}%'", "IS NULL": "n IS NULL", "OR": f"s = {s} OR f > {f}", "expression": f"(u + f) % {i + 2} = 1",
                "IN list": f"s IN ({s}, {(s + 1) % 1000}, {(s + 7) % 1000})",
            }
            for name, predicate in predicates.items():
                plan = explain(connection, f"SELECT u FROM t WHERE {predicate}")
                estimated, true = max(plan["Plan Rows"], 1), max(plan["Actual Rows"], 1)
                errors.setdefault(name, []).append(max(estimated / true, true / estimated))
    for name, values in errors.items():
        low, middle, high = np.quantile(values, (0.5, 0.95, 1))
        print(f"  {name:<22} q-error: median {low:.2f}, 95 % {middle:.2f}, worst {high:.1f}", flush=True)
    return errors


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--size", type=int, default=12, help="tables of a graph (default 12)")
    parser.add_argument("--rows", type=int, default=100_000, help="rows of the largest table (default 100000)")
    parser.add_argument("--skew", type=float, default=1.0, help="exponent of the frequencies of values (default 1)")
    parser.add_argument("--seeds", type=int, default=10, help="graphs of each kind (default 10)")
    parser.add_argument("--json", type=pathlib.Path, help="write all figures to this file")
    arguments = parser.parse_args()
    figures = {}
    print("rows of all joins in the chosen plan, against the best of all plans")
    for kind in (Star, Chain, Clique):
        figures[kind.__name__] = compare_orders(kind, arguments.size, arguments.rows, arguments.skew, arguments.seeds, 50_000_000)
    print("planning")
    for kind, size in ((Star, 20), (Chain, 20), (Clique, 12), (Clique, 20)):
        figures[f"planning {kind.__name__} {size}"] = time_planning(kind, size, 20)
    print("estimates of filtered tables")
    figures["q-errors"] = q_errors(1_000_000, 40)
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=1, default=float) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
