"""The typed queries again, over a table of some blocks: threads share the work, and little memory is too little."""

from frame import Statement
from typed_queries import TypedQueries
from typed_tables import COLUMNS, NOT_KEYS, table

ROWS_FIRST, TIMES = 24, 120
# How each of the copied rows differs from the first ones; k counts the copies.
COPIED = {"id": f"id + {ROWS_FIRST} * k", "i": "i + k % 40", "b": "b * (k % 7)", "d": "d + k % 5", "x": "x + k", "s": "CASE WHEN k % 4 = 0 THEN s ELSE s || CAST(k AS VARCHAR) END",
          "t": "t + k % 50", "f": "CASE WHEN k % 3 = 0 THEN NOT f ELSE f END"}


class LargeQueries(TypedQueries):
    title = "large"

    def tables(self):
        rng = self.rng
        statements = table(rng, "t0", ROWS_FIRST)
        values = ", ".join(COPIED.get(column, column) for column in COLUMNS)
        statements.insert(2, Statement(f"INSERT INTO t0 SELECT {values} FROM t0, (SELECT CAST(n AS INTEGER) AS k FROM generate_series(1, {TIMES}) AS g(n)) AS copies"))
        return statements + [statement for name in ("t1", "t2") for statement in table(rng, name, rng.choice([1, 3, 6]))]

    def source(self, outer, depth):
        """At the top the large table, alone or joined by a key; inside subqueries the small ones."""
        if outer:
            return super().source(outer, min(depth, 1))
        rng = self.rng
        first, second = self.new_name("a"), self.new_name("a")
        kind = rng.randrange(4)
        if kind <= 1:
            return f"t0 AS {first}", [(first, COLUMNS)]
        join = rng.choice(["JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN"])
        if kind == 2:
            name, condition = "t0", rng.choice([f"{first}.id = {second}.id", f"{first}.id = {second}.i", f"{first}.s = {second}.s AND {first}.id = {second}.id"])
        else:
            key = rng.choice([column for column, type_name in COLUMNS.items() if type_name not in NOT_KEYS])
            name, condition = rng.choice(["t1", "t2"]), f"{first}.{key} = {second}.{key}"
        return f"t0 AS {first} {join} {name} AS {second} ON {condition}", [(first, COLUMNS), (second, COLUMNS)]

    def item(self, outer, before, depth):
        text, columns, is_lateral = super().item(outer, before, depth)
        return ("t1" if text == "t0" else text), columns, is_lateral

    def with_query(self):
        """Over small tables: what stands here may be joined with itself."""
        text, is_recursive = super().with_query()
        return text.replace(" t0 AS ", " t1 AS "), is_recursive
