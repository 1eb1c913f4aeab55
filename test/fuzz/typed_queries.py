"""Random typed queries: joins, subqueries at any depth, grouping, set operations, WITH, windows, over columns of every type.

What a scope is: a list of (alias, {column: type}), the query's own tables last.
"""

import re

from frame import ALL_ENGINES, Query
from typed_tables import AGGREGATES, COLUMNS, FUNCTIONS, NOT_KEYS, NUMBERS, POSTGRESQL, SQL_TYPES, TYPE_ENGINES, VALUES, literal, parameter, random_value, table

COMPARISONS = ["=", "=", "<>", "<", "<=", ">", ">="]
KEY_TYPES = ["int", "int", "big", "dec", "dbl", "str", "str", "date", "ts", "tz", "bool", "uuid"]
ITEM_TYPES = KEY_TYPES + ["json", "interval"]
TABLES = ["t0", "t1", "t2"]


def alternatives(text):
    """The parts between bars that are in no quotes."""
    return re.split(r"\|(?=(?:[^']*'[^']*')*[^']*$)", text)


class TypedQueries:
    title = "typed"

    def __init__(self, rng, engine_names):
        self.rng = rng
        # For DuckDB alone, queries without what it means differently are made more often.
        self.is_plain = engine_names == ["duckdb"]
        self.engines = ALL_ENGINES
        self.parameters = []
        self.may_use_parameters = True
        self.names = 0
        self.with_queries = []

    def tables(self):
        return [statement for name in TABLES for statement in table(self.rng, name, self.rng.choice([0, 1, 2, 3, 5, 8, 12, 16]))]

    def query(self):
        rng = self.rng
        self.engines, self.parameters, self.with_queries, self.names = ALL_ENGINES, [], [], 0
        heads = []
        if rng.random() < 0.25:
            heads = [self.with_query() for _ in range(rng.choice([1, 1, 2]))]
        text, is_ordered = self.top(rng.choice([1, 1, 2, 2, 3]))
        word = "RECURSIVE " if any(is_recursive for _, is_recursive in heads) else ""
        head = f"WITH {word}{', '.join(part for part, _ in heads)} " if heads else ""
        return Query(head + text, self.engines, is_ordered, tuple(self.parameters))

    # --- Bits --------------------------------------------------------------------------------------------------------

    def only(self, engines):
        self.engines &= engines

    def chance(self, probability):
        return self.rng.random() < probability

    def new_name(self, letter):
        self.names += 1
        return f"{letter}{self.names}"

    def type_of(self, types):
        """One of the types; if only DuckDB compares, mostly one that it has."""
        chosen = self.rng.choice(types)
        if self.is_plain and chosen in TYPE_ENGINES and self.chance(0.9):
            chosen = "int"
        return chosen

    def literal(self, type_name):
        value = random_value(self.rng, type_name) if self.chance(0.3) else self.rng.choice(VALUES[type_name])
        self.only(TYPE_ENGINES.get(type_name, ALL_ENGINES))
        if self.may_use_parameters and type_name != "interval" and self.chance(0.3):
            self.parameters.append(parameter(type_name, value))
            return f"\x00{len(self.parameters) - 1}\x00"
        return f"CAST(NULL AS {SQL_TYPES[type_name]})" if value is None else literal(type_name, value)

    def column(self, scope, type_name):
        """A column of the type, the innermost tables' more often; None if there is none."""
        found = [f"{alias}.{name}" for alias, columns in scope for name, kind in columns.items() if kind == type_name]
        if not found:
            return None
        self.only(TYPE_ENGINES.get(type_name, ALL_ENGINES))
        return found[-1 - min(int(self.rng.expovariate(0.25)), len(found) - 1)] if self.chance(0.5) else self.rng.choice(found)

    # --- Expressions -------------------------------------------------------------------------------------------------

    def expression(self, scope, type_name, depth):
        rng = self.rng
        if type_name == "approximate":
            type_name = "dbl"
        if depth <= 0 or self.chance(0.4):
            column = self.column(scope, type_name) if self.chance(0.85) else None
            return column or self.literal(type_name)
        kind = rng.randrange(12)
        if kind == 0:
            return f"coalesce({self.expression(scope, type_name, depth - 1)}, {self.expression(scope, type_name, depth - 1)})"
        if kind == 1:
            other = f" ELSE {self.expression(scope, type_name, depth - 1)}" if self.chance(0.8) else ""
            return f"CASE WHEN {self.predicate(scope, depth - 1)} THEN {self.expression(scope, type_name, depth - 1)}{other} END"
        if kind == 2 and type_name not in NOT_KEYS:
            first, second = self.expression(scope, type_name, depth - 1), self.expression(scope, type_name, 0)
            return f"nullif({first}, {second})"
        if kind == 3 and type_name in ("int", "big", "dec", "str", "date", "ts"):
            return f"{rng.choice(['greatest', 'least'])}({', '.join(self.expression(scope, type_name, depth - 1) for _ in range(rng.choice([2, 3])))})"
        if kind == 4 and type_name not in NOT_KEYS:
            subject = self.type_of(KEY_TYPES)
            arms = " ".join(f"WHEN {self.expression(scope, subject, 0)} THEN {self.expression(scope, type_name, depth - 1)}" for _ in range(rng.choice([1, 2])))
            return f"CASE {self.expression(scope, subject, depth - 1)} {arms} ELSE {self.expression(scope, type_name, 0)} END"
        if kind == 5 and depth > 1:
            return self.scalar_subquery(scope, type_name, depth - 1)
        if type_name == "bool" and kind < 10:
            return f"({self.predicate(scope, depth - 1)})"
        return self.call(scope, type_name, depth) or self.literal(type_name)

    def call(self, scope, type_name, depth):
        functions = FUNCTIONS.get(type_name, [])
        if self.is_plain and self.chance(0.95):
            functions = [function for function in functions if "duckdb" in function[2] and not any(kind in TYPE_ENGINES for kind in function[1])]
        if not functions:
            return None
        form, kinds, engines = self.rng.choice(functions)
        self.only(engines)
        arguments = []
        for kind in kinds:
            if kind.startswith("="):
                arguments.append(self.rng.choice(alternatives(kind[1:])))
            elif kind.startswith("column "):
                # Of a table: how a number was computed shows in its text.
                tables = [(alias, columns) for alias, columns in scope if columns is COLUMNS]
                arguments.append(self.column(tables, kind[7:]) or literal(kind[7:], VALUES[kind[7:]][1]))
            else:
                arguments.append(self.expression(scope, kind, depth - 1))
        return form.format(*arguments)

    def scalar_subquery(self, scope, type_name, depth):
        """A subquery of at most one row."""
        source, inner = self.source(scope, depth - 1)
        everything = scope + inner
        where = f" WHERE {self.predicate(everything, depth)}" if self.chance(0.8) else ""
        if self.chance(0.35) and type_name not in NOT_KEYS:
            item = self.expression(everything, type_name, depth - 1)
            return f"(SELECT {item} FROM {source}{where} ORDER BY 1 {self.rng.choice(['', 'DESC '])}NULLS LAST LIMIT 1{self.rng.choice(['', '', ' OFFSET 1'])})"
        having = f" HAVING count(*) > {self.rng.randrange(3)}" if self.chance(0.2) else ""
        return f"(SELECT {self.aggregate(everything if self.chance(0.05) else inner, everything, type_name)} FROM {source}{where}{having})"

    def aggregate(self, scope, filter_scope, wanted=None):
        """An aggregate of a given type, or (text, type) of any."""
        rng = self.rng
        choices = [row for row in AGGREGATES if not (self.is_plain and "duckdb" not in row[3] and self.chance(0.9))]
        if wanted:
            choices = [row for row in choices if row[0] == wanted or (row[0] == "same" and wanted in row[2])]
            if not choices:
                return f"CASE WHEN count(*) > 1 THEN {self.literal(wanted)} END"
        result, form, kinds, engines = rng.choice(choices)
        self.only(engines)
        argument = ""
        if kinds:
            kind = wanted if result == "same" and wanted else self.type_of(kinds)
            is_column = kind.startswith("column ")
            kind = kind.removeprefix("column ")
            saved, self.may_use_parameters = self.may_use_parameters, False  # The argument may be repeated.
            argument = (self.column(scope, kind) or literal(kind, VALUES[kind][1])) if is_column else self.expression(scope, kind, 1)
            if "ORDER BY" in form and "." not in argument:
                argument = self.column(scope, kind) or f"CAST({argument} AS {SQL_TYPES[kind]})"
            self.may_use_parameters = saved
            result = kind if result == "same" else result
        text = form.format(argument, d=rng.choice(["", "", "DISTINCT "]), p=rng.choice(["0", "0.25", "0.5", "1"]))
        if self.chance(0.15):
            text += f" FILTER (WHERE {self.predicate(filter_scope, 1)})"
        return text if wanted else (text, result)

    def window(self, scope):
        """(text, type) of a window function whose result does not depend on the order of peers."""
        rng = self.rng
        key = lambda: self.expression(scope, self.type_of(KEY_TYPES), 1)
        partition = f"PARTITION BY {', '.join(key() for _ in range(rng.choice([1, 1, 2])))} " if self.chance(0.6) else ""
        order = f"ORDER BY {key()} {rng.choice(['', 'DESC '])}NULLS {rng.choice(['FIRST', 'LAST'])}" if self.chance(0.7) else ""
        frame = rng.choice(["", "", " RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW", " GROUPS BETWEEN 1 PRECEDING AND 1 FOLLOWING",
                            " RANGE BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING EXCLUDE GROUP"]) if order else ""
        if self.chance(0.4) and order:
            function, result = rng.choice([("rank()", "big"), ("dense_rank()", "big"), ("percent_rank()", "approximate"), ("cume_dist()", "approximate")])
            frame = ""
        else:
            function, result = self.aggregate(scope, scope)
            while "ORDER BY" in function or "DISTINCT" in function:
                function, result = self.aggregate(scope, scope)
        return f"{function} OVER ({partition}{order}{frame})", result

    # --- Predicates --------------------------------------------------------------------------------------------------

    def predicate(self, scope, depth):
        rng = self.rng
        if depth > 0 and self.chance(0.35):
            kind = rng.randrange(4)
            if kind == 3:
                return f"NOT ({self.predicate(scope, depth - 1)})"
            return "(" + rng.choice([" AND ", " OR "]).join(self.predicate(scope, depth - 1) for _ in range(rng.choice([2, 2, 3]))) + ")"
        if depth > 0 and self.chance(0.25):
            return self.subquery_predicate(scope, depth - 1)
        kind = rng.randrange(12)
        type_name = self.type_of(KEY_TYPES)
        value = lambda: self.expression(scope, type_name, min(depth, 1))
        if kind == 0:
            return f"{self.expression(scope, self.type_of(ITEM_TYPES), 1)} IS {rng.choice(['', 'NOT '])}NULL"
        if kind == 1:
            return f"{value()} IS {rng.choice(['', 'NOT '])}DISTINCT FROM {value()}"
        if kind == 2:
            symmetric = ""
            if self.chance(0.3):
                symmetric = "SYMMETRIC "
                self.only(POSTGRESQL)
            return f"{value()} {rng.choice(['', 'NOT '])}BETWEEN {symmetric}{value()} AND {value()}"
        if kind == 3:
            return f"{value()} {rng.choice(['', 'NOT '])}IN ({', '.join(self.expression(scope, type_name, 0) for _ in range(rng.choice([1, 2, 4])))})"
        if kind == 4:
            return self.row_comparison(scope)
        if kind == 5:
            return self.expression(scope, "bool", 1)
        if kind <= 7:
            return self.call(scope, "bool", 1) or "TRUE"
        if type_name in NUMBERS and self.chance(0.4):
            return f"{value()} {rng.choice(COMPARISONS)} {self.expression(scope, rng.choice(NUMBERS), 1)}"
        return f"{value()} {rng.choice(COMPARISONS)} {value()}"

    def row_comparison(self, scope):
        rng = self.rng
        types = [self.type_of(KEY_TYPES) for _ in range(rng.choice([2, 2, 3]))]
        row = lambda: "(" + ", ".join(self.expression(scope, type_name, 0) for type_name in types) + ")"
        kind = rng.randrange(4)
        if kind == 0:
            self.only(POSTGRESQL)  # DuckDB compares NULLs in rows as if they were values.
            return f"{row()} {rng.choice(COMPARISONS)} {row()}"
        if kind == 1:
            self.only(POSTGRESQL)
            return f"{row()} {rng.choice(['', 'NOT '])}IN ({row()}, {row()})"
        if kind == 2:
            self.only(POSTGRESQL)
            return f"{row()} IS {rng.choice(['', 'NOT '])}NULL"
        return f"{row()} IS {rng.choice(['', 'NOT '])}DISTINCT FROM {row()}"

    def subquery_predicate(self, scope, depth):
        rng = self.rng
        source, inner = self.source(scope, depth - 1)
        everything = scope + inner
        where = f" WHERE {self.predicate(everything, depth)}" if self.chance(0.85) else ""
        kind = rng.randrange(5)
        if kind <= 1:
            tail = rng.choice(["", "", "", " OFFSET 1"])
            return f"{rng.choice(['', 'NOT '])}EXISTS (SELECT {rng.choice(['1', '*'])} FROM {source}{where}{tail})"
        if kind == 2:
            types = [self.type_of(KEY_TYPES), self.type_of(KEY_TYPES)]
            left, right = (", ".join(self.expression(part, type_name, 0) for type_name in types) for part in (scope or inner, inner))
            self.only(POSTGRESQL)
            return f"({left}) {rng.choice(['', 'NOT '])}IN (SELECT {right} FROM {source}{where})"
        type_name = self.type_of(KEY_TYPES)
        left, item = self.expression(scope, type_name, 1), self.expression(inner if self.chance(0.8) else everything, type_name, 0)
        if self.chance(0.15):
            where += f" {rng.choice(['UNION', 'EXCEPT', 'INTERSECT', 'EXCEPT ALL', 'UNION ALL'])} SELECT {self.expression(scope, type_name, 0)}"
        if kind == 3:
            return f"{left} {rng.choice(COMPARISONS)} {rng.choice(['ANY', 'ALL'])} (SELECT {item} FROM {source}{where})"
        return f"{left} {rng.choice(['', 'NOT '])}IN (SELECT {item} FROM {source}{where})"

    # --- FROM --------------------------------------------------------------------------------------------------------

    def item(self, outer, before, depth):
        """One thing in FROM: (text, columns, whether it needs what stands before it)."""
        rng = self.rng
        kind = rng.random()
        if depth > 0 and kind < 0.25:
            sees = before if before and self.chance(0.5) else []
            text, columns = self.select(outer + sees, depth - 1)
            return f"{'LATERAL ' if sees else ''}({text})", columns, bool(sees)
        if self.with_queries and kind < 0.5:
            name, columns = rng.choice(self.with_queries)
            return name, columns, False
        if kind > 0.95:
            types = [self.type_of(KEY_TYPES) for _ in range(2)]
            names = ["v1", "v2"]
            rows = [", ".join(f"CAST({literal(kind, random_value(rng, kind))} AS {SQL_TYPES[kind]})" for kind in types) for _ in range(rng.choice([1, 2, 4]))]
            for type_name in types:
                self.only(TYPE_ENGINES.get(type_name, ALL_ENGINES))
            return "(VALUES " + ", ".join(f"({row})" for row in rows) + ")", dict(zip(names, types)), False
        return rng.choice(TABLES), COLUMNS, False

    def source(self, outer, depth):
        """A FROM clause and the scope that it adds."""
        rng = self.rng
        count = rng.choice([1, 1, 2] if depth < 1 else [1, 1, 2, 2, 3])
        text, scope = "", []
        for index in range(count):
            item, columns, is_lateral = self.item(outer, scope, depth)
            alias = self.new_name("a")
            item += f" AS {alias}" + (f"({', '.join(columns)})" if item.startswith("(VALUES") else "")
            entry = (alias, columns)
            if not scope:
                text = item
            elif is_lateral:
                text += rng.choice([f" CROSS JOIN {item}", f" LEFT JOIN {item} ON TRUE", f" JOIN {item} ON {self.predicate(scope + [entry], 0)}",
                                    f" LEFT JOIN {item} ON {self.predicate(scope + [entry], 0)}"])
            elif index == count - 1 and self.chance(0.05):
                text += f", {item}"
            else:
                text += self.join(outer, scope, item, entry)
            scope.append(entry)
        return text, scope

    def join(self, outer, scope, item, entry):
        rng = self.rng
        kind = rng.choice(["JOIN", "JOIN", "LEFT JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN", "CROSS JOIN"])
        if kind == "CROSS JOIN":
            return f" CROSS JOIN {item}"
        both = scope + [entry]
        conditions = []
        if self.chance(0.8):
            shared = [type_name for type_name in set(entry[1].values()) if type_name not in NOT_KEYS and any(type_name in columns.values() for _, columns in scope)]
            for type_name in rng.sample(sorted(shared), min(len(shared), rng.choice([1, 1, 2]))):
                operator = "=" if self.chance(0.9) else rng.choice(["IS NOT DISTINCT FROM", "<", ">="])
                conditions.append(f"{self.column(scope, type_name)} {operator} {self.column([entry], type_name)}")
        if not conditions or self.chance(0.3):
            conditions.append(self.predicate((outer if self.chance(0.2) else []) + both, rng.choice([0, 0, 1])))
        return f" {kind} {item} ON {' AND '.join(conditions)}"

    # --- SELECT ------------------------------------------------------------------------------------------------------

    def select(self, outer, depth, types=None):
        """A query as it stands in parentheses, and its columns."""
        rng = self.rng
        if types is None:
            types = [self.type_of(ITEM_TYPES) for _ in range(rng.choice([1, 2, 2, 3]))]
        are_keys = not any(type_name in NOT_KEYS for type_name in types)
        kind = rng.randrange(8)
        if kind == 0 and are_keys and depth > 0:
            names = [self.new_name("c") for _ in types]
            first, _ = self.core(outer, depth - 1, types, names)
            second, _ = self.core(outer, depth - 1, types, [None] * len(types))
            operation = rng.choice(["UNION", "UNION ALL", "INTERSECT", "EXCEPT", "INTERSECT ALL", "EXCEPT ALL"])
            return f"({first}) {operation} ({second})", dict(zip(names, types))
        names = [self.new_name("c") for _ in types]
        if kind == 1:
            text, types = self.grouped(outer, depth, names)
            return text, dict(zip(names, types))
        text, _ = self.core(outer, depth, types, names)
        if kind == 2 and are_keys:
            text += self.order(len(types)) + self.limit(len(types))
        elif kind == 3 and are_keys:
            text = text.replace("SELECT ", "SELECT DISTINCT ", 1)
        return text, dict(zip(names, types))

    def core(self, outer, depth, types, names):
        """SELECT items of the given types FROM ... WHERE ...; and its scope."""
        source, inner = self.source(outer, depth)
        scope = outer + inner
        items = []
        for type_name, name in zip(types, names):
            items.append(self.expression(scope, type_name, depth) + (f" AS {name}" if name else ""))
        where = f" WHERE {self.predicate(scope, depth)}" if self.chance(0.65) else ""
        return f"SELECT {', '.join(items)} FROM {source}{where}", scope

    def grouped(self, outer, depth, names):
        """A query with GROUP BY and as many columns as names, and their types; the last one is an aggregate."""
        rng = self.rng
        source, inner = self.source(outer, depth)
        where = f" WHERE {self.predicate(outer + inner, depth)}" if self.chance(0.5) else ""
        count = rng.choice([0, 1, 1, 2, 3])
        groups, group_types, group_scope = [], [], []
        saved, self.may_use_parameters = self.may_use_parameters, False
        for _ in range(count):
            type_name = self.type_of(KEY_TYPES)
            column = self.column(inner, type_name)
            if column and column not in groups:
                alias, name = column.split(".")
                groups.append(column)
                group_scope.append((alias, {name: type_name}))
                group_types.append(type_name)
        if self.chance(0.2):
            type_name = self.type_of(KEY_TYPES)
            column = self.column(inner, type_name)
            text = column and self.call([entry for entry in inner if entry[0] == column.split(".")[0]], type_name, 1)
            if text and re.search(r"\ba\d+\.", text) and text not in groups:
                groups.append(text)
                group_types.append(type_name)
        self.may_use_parameters = saved
        items, types = [], []
        for index, name in enumerate(names):
            kind = rng.random()
            if groups and kind < 0.5 and index < len(names) - 1:
                chosen = rng.randrange(len(groups))
                text, type_name = groups[chosen], group_types[chosen]
            elif group_scope and kind < 0.6 and index < len(names) - 1:
                type_name = self.type_of(KEY_TYPES)
                text = self.expression(outer + group_scope, type_name, 1)
            else:
                text, type_name = self.aggregate(outer + inner if self.chance(0.1) else inner, outer + inner)
            items.append(f"{text} AS {name}")
            types.append(type_name)
        clause, marks = self.group_clause(groups)
        if marks and outer:
            self.only(POSTGRESQL)  # DuckDB loses rows of grouping sets that are correlated.
        if marks and self.chance(0.6):
            types[-1] = "int"
            items[-1] = f"grouping({', '.join(marks)}) AS {names[-1]}"
        having = ""
        if self.chance(0.3):
            having = " HAVING " + rng.choice([f"count(*) > {rng.randrange(3)}", f"{self.aggregate(inner, outer + inner, 'int')} IS NOT NULL",
                                              self.predicate(outer + group_scope, 1) if outer + group_scope else "TRUE"])
        return f"SELECT {', '.join(items)} FROM {source}{where}{clause}{having}", types

    def group_clause(self, groups):
        """GROUP BY, and what grouping() may be asked for."""
        if not groups:
            return "", []
        rng = self.rng
        inside = ", ".join(groups)
        kind = rng.randrange(10)
        if kind == 0:
            return f" GROUP BY ROLLUP ({inside})", groups
        if kind == 1:
            return f" GROUP BY CUBE ({inside})", groups
        if kind == 2:
            sets = ", ".join(f"({', '.join(rng.sample(groups, rng.randrange(len(groups) + 1)))})" for _ in range(rng.choice([1, 2, 3])))
            return f" GROUP BY GROUPING SETS (({inside}), {sets})", groups
        if kind == 3:
            return f" GROUP BY {groups[0]}, ROLLUP ({inside})", groups
        return f" GROUP BY {inside}", []

    # --- Order and top level -----------------------------------------------------------------------------------------

    def order(self, count, positions=None):
        rng = self.rng
        keys = []
        for position in positions or range(1, count + 1):
            nulls = rng.choice([" NULLS FIRST", " NULLS LAST", ""])
            if not nulls:
                self.only(POSTGRESQL)
            keys.append(f"{position}{rng.choice(['', ' DESC'])}{nulls}")
        return " ORDER BY " + ", ".join(keys)

    def limit(self, count):
        rng = self.rng
        if self.chance(0.3):
            return ""
        return f" LIMIT {rng.choice([0, 1, 2, 5, 20])}" + (f" OFFSET {rng.randrange(4)}" if self.chance(0.4) else "")

    def shown(self, text, type_name):
        """An item of the result: what drivers show in ways of their own goes as text."""
        return f"CAST({text} AS VARCHAR)" if type_name in ("tz", "interval") else text

    def top(self, depth):
        """The whole query but for WITH, and whether its rows are ordered."""
        rng = self.rng
        kind = rng.randrange(9)
        if kind == 0:
            return self.set_operations(depth)
        if kind <= 2:
            text, columns = self.select([], depth)
            alias = self.new_name("q")
            items = ", ".join(self.shown(f"{alias}.{name}", type_name) for name, type_name in columns.items())
            return f"SELECT {items} FROM ({text}) AS {alias}", False
        names = [self.new_name("c") for _ in range(rng.choice([1, 2, 3, 4]))]
        if kind <= 4:
            text, types = self.grouped([], depth, names)
            alias = self.new_name("q")
            items = ", ".join(self.shown(f"{alias}.{name}", type_name) for name, type_name in zip(names, types))
            return f"SELECT {items} FROM ({text}) AS {alias}", False
        types = [self.type_of(ITEM_TYPES) for _ in names]
        source, scope = self.source([], depth)
        items = [self.shown(self.expression(scope, type_name, depth), type_name) for type_name in types]
        where = f" WHERE {self.predicate(scope, depth)}" if self.chance(0.65) else ""
        if kind == 5:
            calls = [self.window(scope) for _ in range(rng.choice([1, 1, 2]))]
            return f"SELECT {', '.join(items + [self.shown(*call) for call in calls])} FROM {source}{where}", False
        if "json" in types:
            return f"SELECT {', '.join(items)} FROM {source}{where}", False
        if kind == 6:
            return self.distinct_on(scope, items, source, where)
        distinct = "DISTINCT " if self.chance(0.3) else ""
        text = f"SELECT {distinct}{', '.join(items)} FROM {source}{where}"
        if self.chance(0.3) and not distinct:
            positions = rng.sample(range(1, len(items) + 1), rng.randrange(1, len(items) + 1))
            self.only(POSTGRESQL)
            return f"{text}{self.order(len(items), positions)} FETCH FIRST {rng.choice([1, 2, 5])} ROWS WITH TIES", False
        if self.chance(0.6):
            return text + self.order(len(items)) + self.limit(len(items)), True
        return text, False

    def distinct_on(self, scope, items, source, where):
        rng = self.rng
        count = rng.randrange(1, len(items) + 1)
        keys = list(range(1, count + 1))
        rest = list(range(count + 1, len(items) + 1))
        order = self.order(len(items), keys + rest)
        # Expressions must be the same in both places; positions are not allowed in ON, so the items come from below.
        alias = self.new_name("q")
        names = [f"k{index}" for index in range(1, len(items) + 1)]
        inner = ", ".join(f"{item} AS {name}" for item, name in zip(items, names))
        on = ", ".join(f"{alias}.k{index}" for index in keys)
        return f"SELECT DISTINCT ON ({on}) {', '.join(f'{alias}.{name}' for name in names)} FROM (SELECT {inner} FROM {source}{where}) AS {alias}{order}", True

    def set_operations(self, depth):
        rng = self.rng
        types = [self.type_of(KEY_TYPES) for _ in range(rng.choice([1, 2, 3]))]

        def part(level):
            if level > 0 and self.chance(0.4):
                return f"({combine(level - 1)})"
            own = [rng.choice(NUMBERS[:3]) if type_name in NUMBERS[:3] else type_name for type_name in types]
            source, scope = self.source([], depth - 1)
            where = f" WHERE {self.predicate(scope, depth - 1)}" if self.chance(0.5) else ""
            return f"SELECT {', '.join(self.shown(self.expression(scope, type_name, 1), type_name) for type_name in own)} FROM {source}{where}"

        def combine(level):
            text = part(level)
            for _ in range(rng.choice([1, 1, 2])):
                text = f"{text} {rng.choice(['UNION', 'UNION ALL', 'INTERSECT', 'EXCEPT', 'INTERSECT ALL', 'EXCEPT ALL'])} {part(level)}"
            return text

        text = combine(1)
        if self.chance(0.4):
            return text + self.order(len(types)) + self.limit(len(types)), True
        return text, False

    # --- WITH --------------------------------------------------------------------------------------------------------

    def with_query(self):
        """(text, whether it is recursive); later ones and the query itself can use it."""
        rng = self.rng
        name = self.new_name("w")
        if self.chance(0.4):
            return self.recursive_query(name), True
        text, columns = self.select([], rng.choice([0, 1, 1]))
        word = rng.choice(["", "", "MATERIALIZED ", "NOT MATERIALIZED "])
        self.with_queries.append((name, columns))
        return f"{name} AS {word}({text})", False

    def recursive_query(self, name):
        """Counts up; at each step joined with a table, or with values computed from the step before."""
        rng = self.rng
        value_type = self.type_of(["int", "str", "dec", "date"])
        sql_type = SQL_TYPES[value_type]
        source, scope = self.source([], 0)
        columns = {"n": "int", "v": value_type}
        cast = lambda text: f"CAST({text} AS {sql_type})"
        start = f"SELECT 0, {cast(self.expression(scope, value_type, 1))} FROM {source} WHERE {self.predicate(scope, 0)}"
        own = [("r", columns)]
        if self.chance(0.5):
            join, step_scope, steps = f"{name} AS r", own, rng.choice([1, 3, 6])
        else:
            key = rng.choice([column for column, kind in COLUMNS.items() if kind == value_type])
            join = f"{name} AS r {rng.choice(['JOIN', 'JOIN', 'LEFT JOIN'])} {rng.choice(TABLES)} AS e ON e.{key} = r.v"
            step_scope, steps = own + [("e", COLUMNS)], rng.choice([1, 2])
        union = rng.choice(["UNION", "UNION ALL"])
        condition = f" AND {self.predicate(step_scope, 0)}" if self.chance(0.4) else ""
        step = f"SELECT r.n + 1, {cast(self.expression(step_scope, value_type, 1))} FROM {join} WHERE r.n < {steps}{condition}"
        self.with_queries.append((name, columns))
        return f"{name}(n, v) AS ({start} {union} {step})"
