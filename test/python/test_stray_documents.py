"""A document with values of other types changes no answer about the others, and makes no query fail."""

import random

import pytest

import scaup

NUMBERS = ["a", "o.n"]
STRINGS = ["s", "o.s"]

# Questions about a path: {p} is one of numbers, of strings, and so on.
USES = {
    "number": [
        "{p} + 1", "-{p}", "abs({p})", "{p} > 5", "{p} = 7", "{p} <> 7", "{p} IN (3, 5, 7)", "{p} BETWEEN 2 AND 8",
        "coalesce({p}, 0)", "nullif({p}, 5)", "greatest({p}, 6)", "CASE WHEN {p} > 3 THEN {p} ELSE 0 END",
        "{p}::text", "{p}::int", "{p}::double", "{p} IS NULL", "{p} IS DISTINCT FROM 5", "{p} = ANY (ARRAY[5, 9])",
        "{p} = ANY ('{{5,9}}'::int[])", "round({p})", "{p} || 'x'", "concat({p}, 'x')", "{p} % 3", "json_typeof({p})",
        "lag({p}) OVER (ORDER BY i) + 1", "lag({p}, 1, 0) OVER (ORDER BY i)", "sum({p}) OVER (ORDER BY i)",
        "(SELECT max(x.{p}) FROM c x WHERE x.i = c.i) > 5", "{p} IN (SELECT x.{p} FROM c x WHERE x.i < 4)",
        "5 IN (SELECT x.{p} FROM c x WHERE x.i < 4)", "EXISTS (SELECT 1 FROM c x WHERE x.{p} = c.{p} AND x.i < 4)",
        "{p} > 'x'", "NOT ({p} > 5)", "({p}, i) = (5, 1)",
    ],
    "string": [
        "upper({p})", "length({p})", "{p} || {p}", "{p} || '!'", "{p} = 'x'", "{p} > 'b'", "{p} LIKE 'x%'",
        "coalesce({p}, '')", "CASE WHEN {p} = 'x' THEN {p} ELSE 'z' END", "concat({p}, '-')", "{p}::text",
        "{p} IN ('x', 'yy')", "{p} IS DISTINCT FROM 'x'", "substr({p}, 1, 1)", "nullif({p}, 'x')", "{p} = 5",
        "lag({p}) OVER (ORDER BY i) || '!'", "{p} ~ '^x'", "'x' = ANY (ARRAY[{p}, 'q'])", "replace({p}, 'x', 'w')",
    ],
    "strings": [
        "{p}[0] || ''", "{p}[-1] = 'x'", "cardinality({p})", "'x' = ANY ({p})", "{p} @> ARRAY['x']", "{p}::text",
        "array_to_string({p}, ',')", "list_contains({p}, 'x')", "json_array_length({p})", "{p} IS NULL",
        "(SELECT count(*) FROM unnest({p}) u WHERE u = 'x')", "(SELECT count(*) FROM json_array_elements({p}))",
    ],
    "date": ["{p} < DATE '2020-06-01'", "{p} = '2020-01-05'", "{p} IS DISTINCT FROM DATE '2020-01-05'", "{p}::date::text"],
    "boolean": ["{p} IS TRUE", "NOT {p}", "{p} AND true", "CASE WHEN {p} THEN 1 ELSE 2 END", "coalesce({p}, false)"],
}
PATHS = {"number": NUMBERS, "string": STRINGS, "strings": ["tags"], "date": ["at"], "boolean": ["b"]}
STRAYS = [5, 1.25, "q", "7", True, None, [1], ["x", 2], [], {"k": 1}, {}, "2020-99-99"]

# Places of the use; each gives i first.
FORMS = [
    "SELECT i, {e} FROM c",
    "SELECT i, {e} FROM (SELECT i, {r} FROM c) c",
    "WITH q AS (SELECT i, {r} FROM c) SELECT i, {e} FROM q c",
    "WITH q AS MATERIALIZED (SELECT i, {r} FROM c) SELECT i, {e} FROM q c",
    "SELECT i, {e} FROM (SELECT DISTINCT i, {r} FROM c) c",
    "SELECT i, {e} FROM (SELECT i, {r} FROM c UNION ALL SELECT i, {r} FROM c WHERE false) c",
    "SELECT i, {e} FROM c GROUP BY i, {r}",
    "SELECT i, {e} FROM (SELECT i, min({r}) AS {r} FROM c GROUP BY i) c",
]


def make_documents(rng, count):
    for i in range(count):
        number = rng.choice([rng.randrange(10), rng.randrange(10), rng.randrange(20) / 2])
        yield {
            "i": i,
            "a": rng.randrange(10),
            "s": rng.choice(["x", "yy", "b", "xylo", ""]),
            "b": rng.random() < 0.5,
            "at": rng.choice(["2020-01-05", "2021-01-01", "2020-06-30"]),
            "tags": rng.sample(["x", "y", "z"], rng.randrange(4)),
            "o": {"n": number, "s": rng.choice(["x", "m"])},
        }


def make_strays(rng, first, count):
    for i in range(first, first + count):
        document = {"i": i}
        for key in rng.sample(["a", "s", "b", "at", "tags", "o"], 3):
            document[key] = rng.choice(STRAYS)
        if rng.random() < 0.3:
            document["o"] = {"n": rng.choice(STRAYS), "s": rng.choice(STRAYS)}
        yield document


def queries(rng):
    for kind, uses in USES.items():
        for use in uses:
            for path in PATHS[kind]:
                # A path within an object is passed on by the object.
                root = path.split(".")[0]
                for form in FORMS:
                    is_whole = "c x" in use or "OVER" in use
                    if is_whole and form != FORMS[0]:
                        continue
                    # A subquery reads a grouped path as what it was grouped by alone.
                    if "(SELECT" in use and "GROUP BY i, {r}" in form:
                        continue
                    yield form.format(e=use.format(p="c." + path if is_whole else path), r=root)


def normal(rows, limit):
    kept = []
    for row in rows:
        if row[0] >= limit:
            continue
        value = row[1]
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            value = float(value)
        kept.append((row[0], value))
    return sorted(kept, key=lambda row: row[0])


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_strays_change_nothing(seed):
    rng = random.Random(seed)
    con = scaup.connect()
    count = 12
    con.append("c", list(make_documents(rng, count)))
    asked = [sql for sql in queries(rng) if "x.c." not in sql]  # Subqueries have another alias.
    before = {sql: normal(con.execute(sql).fetchall(), count) for sql in asked}
    con.append("c", list(make_strays(rng, count, 10)))
    wrong = []
    for sql in asked:
        try:
            after = normal(con.execute(sql).fetchall(), count)
        except scaup.Error as error:
            wrong.append((sql, str(error)))
            continue
        if after != before[sql]:
            wrong.append((sql, before[sql], after))
    assert not wrong, "\n".join(map(str, wrong[:20])) + f"\n{len(wrong)} of {len(asked)}"


def test_executemany_reads_by_the_types_of_values(con):
    con.append("c", [{"i": 1, "v": 5}, {"i": 2, "v": "5"}, {"i": 3, "v": 5.0}, {"i": 4, "v": True}])
    con.executemany("DELETE FROM c WHERE v = ?", [[5]])
    assert con.execute("SELECT i FROM c ORDER BY i").fetchall() == [(2,), (4,)]
    con.executemany("UPDATE c SET hit = ? WHERE v = ?", [[1, True], ["x", "5"]])
    assert con.execute("SELECT c FROM c ORDER BY i").fetchall() == [
        ('{"i":2,"v":"5","hit":"x"}',), ('{"i":4,"v":true,"hit":1}',)]
    con.executemany("INSERT INTO c (i, v) VALUES (?, ?)", [[5, 1], [6, "1"], [7, None], [8, [1, 2]], [9, 2.5]])
    assert [row[0] for row in con.execute("SELECT c FROM c WHERE i > 4 ORDER BY i").fetchall()] == [
        '{"i":5,"v":1}', '{"i":6,"v":"1"}', '{"i":7}', '{"i":8,"v":[1,2]}', '{"i":9,"v":2.5}']
