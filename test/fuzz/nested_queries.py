"""Random forms of queries over integers: correlated subqueries and LATERAL at any depth, WITH (also recursive), set operations, GROUPING SETS."""

from frame import ALL_ENGINES, Query, Statement

TABLES = {"t": "abc", "u": "abd", "v": "ade"}


class NestedQueries:
    title = "nested"

    def __init__(self, rng, engine_names):
        self.rng = rng
        self.names = 0
        self.engine_names = engine_names

    def tables(self):
        rng = self.rng
        statements = []
        for name, columns in TABLES.items():
            statements.append(Statement(f"CREATE TABLE {name} ({', '.join(c + ' INTEGER' for c in columns)})"))
            rows = rng.choice([0, 1, 5, 12, 12, 20])
            tuples = ["(" + ", ".join(rng.choice(["NULL", "0", "1", "2", "2", "3", "4", "5", "9"]) for _ in columns) + ")" for _ in range(rows)]
            if tuples:
                statements.append(Statement(f"INSERT INTO {name} VALUES {', '.join(tuples)}"))
        return statements

    def name(self):
        self.names += 1
        return f"q{self.names}"

    def column(self, scope):
        """`scope`: pairs of alias and columns, innermost last."""
        alias, columns = self.rng.choice(scope)
        return f"{alias}.{self.rng.choice(columns)}"

    def value(self, scope, depth):
        rng = self.rng
        kind = rng.randrange(10)
        if kind < 5 or depth == 0:
            return self.column(scope) if rng.random() < 0.85 else str(rng.randrange(5))
        if kind == 5:
            return f"({self.column(scope)} + {self.column(scope)})"
        if kind == 6:
            return f"coalesce({self.column(scope)}, {rng.randrange(4)})"
        if kind == 7:
            return f"CASE WHEN {self.condition(scope, depth - 1)} THEN {self.column(scope)} ELSE 7 END"
        return self.scalar(scope, depth - 1)

    def aggregate(self, scope, depth=0):
        rng = self.rng
        x = self.value(scope, depth)
        call = rng.choice([f"sum({x})", "count(*)", f"count({x})", f"max({x})", f"min({x})", f"count(DISTINCT {x})", f"sum(DISTINCT {x})"])
        return call + (f" FILTER (WHERE {self.condition(scope, 0)})" if rng.random() < 0.15 else "")

    def scalar(self, scope, depth):
        """A subquery with one row at most."""
        rng = self.rng
        table, inner = self.source(scope, depth)
        all_columns = scope + inner
        where = f" WHERE {self.condition(all_columns, depth)}" if rng.random() < 0.8 else ""
        kind = rng.randrange(4)
        if kind == 0:
            x = self.column(all_columns)  # A number would be a position.
            return f"(SELECT {x} FROM {table}{where} ORDER BY {x} {rng.choice(['', 'DESC '])}NULLS LAST LIMIT 1{rng.choice(['', ' OFFSET 1'])})"
        having = f" HAVING count(*) > {rng.randrange(3)}" if kind == 1 else ""
        return f"(SELECT {self.aggregate(self.aggregated(scope, inner) if rng.random() < 0.3 else inner)} FROM {table}{where}{having})"

    def aggregated(self, outer, inner):
        """Columns that an aggregate in a subquery may read. DuckDB does not leave those of outer columns to the outer query."""
        return inner if "duckdb" in self.engine_names else outer + inner

    def condition(self, scope, depth):
        rng = self.rng
        op = rng.choice(["=", "=", "<>", "<", "<=", ">"])
        kind = rng.randrange(12)
        if kind < 4 or depth == 0:
            return f"{self.column(scope)} {op} {self.value(scope, 0)}"
        if kind == 4:
            return f"{self.column(scope)} IS {rng.choice(['', 'NOT '])}NULL"
        if kind == 5:
            return f"({self.condition(scope, depth - 1)} {rng.choice(['AND', 'OR'])} {self.condition(scope, depth - 1)})"
        if kind == 6:
            return f"NOT ({self.condition(scope, depth - 1)})"
        if kind == 7:
            return f"{self.value(scope, 0)} {op} {self.scalar(scope, depth - 1)}"
        table, inner = self.source(scope, depth - 1)
        where = f" WHERE {self.condition(scope + inner, depth - 1)}" if rng.random() < 0.8 else ""
        if kind == 8:
            return f"{rng.choice(['', 'NOT '])}EXISTS (SELECT 1 FROM {table}{where}{rng.choice(['', '', ' OFFSET 1'])})"
        item = self.column(inner)
        if rng.random() < 0.2:
            where += f" {rng.choice(['UNION', 'EXCEPT', 'INTERSECT', 'EXCEPT ALL'])} SELECT {self.column(scope)}"
        if kind == 9:
            return f"{self.column(scope)} {op} {rng.choice(['ANY', 'ALL'])} (SELECT {item} FROM {table}{where})"
        return f"{self.column(scope)} {rng.choice(['', 'NOT '])}IN (SELECT {item} FROM {table}{where})"

    def source(self, outer, depth, with_names=()):
        """A FROM clause and its columns."""
        rng = self.rng
        parts = []
        text = ""
        for i in range(rng.choice([1, 1, 2] if depth < 2 else [1, 2, 2, 3])):
            alias = self.name()
            lateral = ""
            is_last_of_with = with_names and rng.random() < 0.5
            if is_last_of_with:
                name, columns = rng.choice(with_names)
                item = f"{name} AS {alias}"
            elif depth > 0 and rng.random() < 0.35:
                can_see = parts if parts and rng.random() < 0.6 else []
                lateral = "LATERAL " if can_see else ""
                query, columns = self.select(outer + can_see, depth - 1, must_name=True)
                item = f"{lateral}({query}) AS {alias}"
            else:
                name = rng.choice(list(TABLES))
                columns = TABLES[name]
                item = f"{name} AS {alias}"
            entry = (alias, list(columns))
            if not text:
                text = item
            elif lateral:
                text += rng.choice([f" CROSS JOIN {item}", f" LEFT JOIN {item} ON {self.condition(parts + [entry], 0)}"])
            else:
                kind = rng.choice(["JOIN", "JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN"])
                condition = f"{self.column(parts)} = {self.column([entry])}"
                if kind != "FULL JOIN" and rng.random() < 0.3:
                    condition += f" AND {self.condition(parts + [entry], 0)}"
                text += f" {kind} {item} ON {condition}"
            parts.append(entry)
        return text, parts

    def grouping(self, columns):
        rng = self.rng
        kind = rng.randrange(5)
        inside = ", ".join(columns)
        if kind == 0:
            return f"ROLLUP ({inside})"
        if kind == 1:
            return f"CUBE ({inside})"
        if kind == 2:
            return f"GROUPING SETS (({inside}), ({columns[0]}), ())"
        if kind == 3:
            return f"{columns[0]}, ROLLUP ({inside})"
        return inside

    def select(self, outer, depth, must_name=False, with_names=()):
        """A query, and the names of its columns."""
        rng = self.rng
        table, inner = self.source(outer, depth, with_names)
        scope = outer + inner
        where = f" WHERE {self.condition(scope, depth)}" if rng.random() < 0.7 else ""
        kind = rng.randrange(6)
        if kind == 0:
            groups = list(dict.fromkeys(self.column(inner) for _ in range(rng.choice([1, 2]))))
            items = groups + [self.aggregate(self.aggregated(outer, inner)), self.aggregate(inner)]
            is_plain = rng.random() < 0.4
            clause = ", ".join(groups) if is_plain else self.grouping(groups)
            if not is_plain and rng.random() < 0.5:
                items.append(f"grouping({', '.join(groups)})")
            having = f" HAVING count(*) > {rng.randrange(3)}" if rng.random() < 0.3 else ""
            names = [self.name() for _ in items]
            return f"SELECT {', '.join(f'{i} AS {n}' for i, n in zip(items, names))} FROM {table}{where} GROUP BY {clause}{having}", names
        items = [self.value(scope, depth) for _ in range(rng.choice([1, 2, 3]))]
        if kind == 1:
            items.append(f"{rng.choice(['count(*)', 'sum(' + self.column(inner) + ')', 'max(' + self.column(scope) + ')'])} OVER (PARTITION BY {self.column(inner)})")
        names = [self.name() for _ in items]
        listed = ", ".join(f"{i} AS {n}" for i, n in zip(items, names))
        if kind == 2:
            order = ", ".join(f"{i + 1} {rng.choice(['', 'DESC '])}NULLS {rng.choice(['FIRST', 'LAST'])}" for i in range(len(names)))
            limit = rng.choice([" LIMIT 3", " LIMIT 2 OFFSET 1", " OFFSET 2", " FETCH FIRST 2 ROWS WITH TIES" if not must_name and "duckdb" not in self.engine_names else " LIMIT 1"])
            return f"SELECT {rng.choice(['', 'DISTINCT '])}{listed} FROM {table}{where} ORDER BY {order}{limit}", names
        if kind == 3:
            first = f"SELECT {rng.choice(['', 'DISTINCT '])}{listed} FROM {table}{where}"
            second_table, second = self.source(outer, 0, with_names)
            others = ", ".join(self.column(outer + second) for _ in names)
            operation = rng.choice(["UNION", "UNION ALL", "INTERSECT", "EXCEPT", "INTERSECT ALL", "EXCEPT ALL"])
            return f"{first} {operation} SELECT {others} FROM {second_table}", names
        return f"SELECT {rng.choice(['', '', 'DISTINCT '])}{listed} FROM {table}{where}", names

    def query(self):
        text = self.text()
        # DuckDB loses rows of grouping sets that are correlated, and finds no row of a RIGHT JOIN within EXISTS whose
        # condition leaves out all of the left side.
        has_sets = any(word in text for word in ("ROLLUP", "CUBE", "GROUPING SETS"))
        has_right_join = "RIGHT JOIN" in text[text.find("EXISTS (") :] if "EXISTS (" in text else False
        return Query(text, frozenset(["postgresql"]) if has_sets or has_right_join else ALL_ENGINES)

    def text(self):
        rng = self.rng
        depth = rng.choice([1, 2, 2, 3])
        if rng.random() < 0.5:
            return self.select([], depth)[0]
        parts, with_names = [], []
        is_recursive = rng.random() < 0.4
        for _ in range(rng.choice([1, 2])):
            name = self.name()
            if is_recursive and rng.random() < 0.7:
                seed_table, seed = self.source([], 0)
                columns = [self.name(), self.name()]
                edge = rng.choice(list(TABLES))
                step = f"SELECT e.{rng.choice(TABLES[edge])}, r.{columns[1]} + 1 FROM {name} AS r JOIN {edge} AS e ON e.a = r.{columns[0]} WHERE r.{columns[1]} < {rng.randrange(1, 5)}"
                text = f"SELECT {self.column(seed)}, 0 FROM {seed_table} UNION {step}"
                parts.append(f"{name}({', '.join(columns)}) AS ({text})")
            else:
                text, columns = self.select([], depth - 1, must_name=True, with_names=with_names)
                parts.append(f"{name} AS {rng.choice(['', '', 'MATERIALIZED ', 'NOT MATERIALIZED '])}({text})")
            with_names.append((name, columns))
        main = self.select([], depth, with_names=with_names)[0]
        return f"WITH {'RECURSIVE ' if is_recursive else ''}{', '.join(parts)} {main}"
