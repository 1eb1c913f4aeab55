"""Random window functions with all kinds of frames."""

from frame import Query, Statement

COLUMNS = [("id", "INTEGER"), ("p", "INTEGER"), ("o", "INTEGER"), ("b", "BIGINT"), ("d", "DECIMAL(9,2)"), ("s", "VARCHAR"),
           ("t", "DATE"), ("c", "TIMESTAMP")]
FRAME_FUNCTIONS = ["sum({b})", "count({any})", "count(*)", "min({any})", "max({any})", "avg({b})", "sum({d})", "first_value({any})",
                   "last_value({any})", "nth_value({any}, {n})"]
OTHER_FUNCTIONS = ["row_number()", "rank()", "dense_rank()", "percent_rank()", "cume_dist()", "ntile({n})", "lag({any})", "lead({any})",
                   "lag({b}, {n})", "lead({b}, {n}, 7)", "lag({s}, {n}, 'none')"]
OFFSETS = {"o": ["0", "1", "2", "10"], "b": ["0", "3", "50", "1000000"], "d": ["0", "1", "2.25", "10.5"],
           "t": ["INTERVAL '1 day'", "INTERVAL '1 month'", "INTERVAL '400 days'"], "c": ["INTERVAL '1 hour'", "INTERVAL '1 day'", "INTERVAL '2 months'"]}


class Windows:
    title = "windows"

    def __init__(self, rng, engine_names):
        self.rng = rng
        self.domain = rng.choice([2, 5, 40])

    def value(self, column, row):
        rng = self.rng
        if column == "id":
            return str(row)
        if rng.random() < 0.15:
            return "NULL"
        if column == "p":
            return str(rng.randrange(1, 5))
        if column == "o":
            return str(rng.randrange(-2, self.domain))
        if column == "b":
            return str(rng.choice([0, 1, -7, 100, 1000000, rng.randrange(200)]))
        if column == "d":
            return rng.choice(["0.00", "1.50", "-2.25", "10.00", "3.33", "99.99"])
        if column == "s":
            return "'" + rng.choice(["", "a", "abc", "a longer string than inline", "a longer string than inlinf"]) + "'"
        if column == "t":
            return "DATE '" + rng.choice(["2020-01-01", "2020-01-31", "2020-02-29", "2020-03-31", "1999-12-31"]) + "'"
        return "TIMESTAMP '" + rng.choice(["2020-01-01 00:00:00", "2020-01-01 00:59:59", "2020-01-02 00:00:00", "2020-02-29 12:00:00"]) + "'"

    def tables(self):
        rows = self.rng.choice([0, 1, 8, 30, 30, 120, 400])
        statements = [Statement("CREATE TABLE w (" + ", ".join(f"{c} {t}" for c, t in COLUMNS) + ")")]
        if rows:
            tuples = ["(" + ", ".join(self.value(c, row) for c, _ in COLUMNS) + ")" for row in range(rows)]
            statements.append(Statement("INSERT INTO w VALUES " + ", ".join(tuples)))
        return statements

    def bound(self, offset, kinds):
        kind = self.rng.choice(kinds)
        return f"{self.rng.choice(offset)} {kind}" if kind in ("PRECEDING", "FOLLOWING") else kind

    def frame(self, unit, offset):
        order = ["UNBOUNDED PRECEDING", "PRECEDING", "CURRENT ROW", "FOLLOWING", "UNBOUNDED FOLLOWING"]
        usable = order if offset else [k for k in order if k not in ("PRECEDING", "FOLLOWING")]
        start = self.rng.choice(usable[:-1])
        ends = [k for k in usable[1:] if order.index(k) >= order.index(start)]
        exclude = self.rng.choice(["", "", "", " EXCLUDE CURRENT ROW", " EXCLUDE GROUP", " EXCLUDE TIES", " EXCLUDE NO OTHERS"])
        return f"{unit} BETWEEN {self.bound(offset, [start])} AND {self.bound(offset, ends)}{exclude}"

    def window(self, needs_frame):
        rng = self.rng
        direction = lambda: rng.choice(["", " DESC"]) + rng.choice([" NULLS FIRST", " NULLS LAST"])
        partition = rng.choice(["", "PARTITION BY p ", "PARTITION BY s, p ", "PARTITION BY p % 2, o IS NULL ", "PARTITION BY t "])
        keys = rng.sample(["o", "b", "d", "s", "t", "c"], rng.randrange(0, 3))
        unit = rng.choice(["ROWS", "RANGE", "GROUPS"]) if needs_frame else "ROWS"
        if unit == "ROWS":
            keys.append("id")  # Frames of rows need to know which comes first.
            frame = self.frame(unit, ["0", "1", "2", "5", "33", "1000"])
        elif unit == "GROUPS":
            keys = keys or ["o"]
            frame = self.frame(unit, ["0", "1", "2", "7"])
        elif rng.random() < 0.7:
            keys = [rng.choice(list(OFFSETS))]
            frame = self.frame(unit, OFFSETS[keys[0]])
        else:
            frame = self.frame(unit, [])
        if not needs_frame or rng.random() < 0.1:
            frame = ""
        order = "ORDER BY " + ", ".join(key + direction() for key in keys) + " " if keys else ""
        return "(" + (partition + order + frame).strip() + ")", keys

    def call(self):
        rng = self.rng
        needs_frame = rng.random() < 0.75
        window, keys = self.window(needs_frame)
        function = rng.choice(FRAME_FUNCTIONS if needs_frame else OTHER_FUNCTIONS)
        if "_value" in function and "id" not in keys:  # Of peers, either may come first.
            function = function.replace("{any}", keys[0] if len(keys) == 1 else "7")
        filtered = " FILTER (WHERE o > 0)" if function[:3] in ("sum", "cou", "min", "max", "avg") and rng.random() < 0.2 else ""
        function = function.format(b="b", d="d", s="s", n=rng.choice([1, 2, 3, 10]), any=rng.choice(["o", "b", "d", "s", "t", "id"]))
        return f"{function}{filtered} OVER {window}"

    def query(self):
        return Query(self.text())

    def text(self):
        rng = self.rng
        kind = rng.randrange(5)
        if kind == 0:
            return f"SELECT * FROM (SELECT id, p, {self.call()} AS x, {self.call()} AS y FROM w) q WHERE p {rng.choice(['= 2', '> 1', 'IS NULL'])}"
        if kind == 1:
            return f"SELECT p, count(*), sum(count(*)) OVER (ORDER BY p {rng.choice(['', 'DESC '])}NULLS FIRST) FROM w GROUP BY p"
        where = rng.choice(["", "", " WHERE o > 0", " WHERE s IS NOT NULL"])
        return f"SELECT id, {', '.join(self.call() for _ in range(rng.randrange(1, 4)))} FROM w{where}"
