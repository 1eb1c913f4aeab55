"""Functions of Python that are stored in the database."""

import traceback

import pytest

import scaup

np = pytest.importorskip("numpy", reason="functions get arrays")
pytest.importorskip("pyarrow", reason="results of most types go through Arrow")


@pytest.fixture
def con():
    with scaup.connect(config={"stored_functions": "on", "threads": 2}) as connection:
        yield connection


def one(con, sql):
    return con.execute(sql).fetchall()


LISTING_4_2 = """
CREATE FUNCTION pysqrt(i INTEGER)
RETURNS REAL
LANGUAGE PYTHON {
    return numpy.sqrt(i)
};

SELECT pysqrt(i * 2) FROM tbl;
"""


def test_listing_4_2_of_the_thesis(con):
    con.execute("CREATE TABLE tbl AS SELECT i::INTEGER AS i FROM generate_series(1, 5) AS g(i)")
    found = con.execute(LISTING_4_2).fetchall()
    assert found == [(float(np.float32(np.sqrt(2 * i))),) for i in range(1, 6)]


def test_listing_4_1_of_the_thesis(con):
    for language in ("PYTHON", "PYTHON_MAP"):
        con.execute(f"CREATE OR REPLACE FUNCTION fname_{language}(a INTEGER, b INTEGER) RETURNS INTEGER LANGUAGE {language} {{ return a - b }};")
        assert one(con, f"SELECT fname_{language}(5, 3)") == [(2,)]


ROWS = 300_000


@pytest.mark.parametrize("language, calls", [("PYTHON", "whole"), ("PYTHON MAP", "many")])
def test_calls_get_all_rows_or_batches(con, language, calls):
    con.execute(f"""CREATE FUNCTION lengths(x BIGINT, text VARCHAR) RETURNS BIGINT LANGUAGE {language} {{
        return np.full(len(x), len(x))
    }}""")
    con.execute(f"CREATE TABLE t AS SELECT i, 'text ' || i AS text FROM generate_series(1, {ROWS}) AS g(i)")
    found = con.execute("SELECT i, lengths(i, text) AS n FROM t WHERE i > 0").fetchnumpy()
    assert (found["i"] == np.arange(1, ROWS + 1)).all()
    if calls == "whole":
        assert (found["n"] == ROWS).all()
    else:
        assert found["n"].max() <= 65536 and found["n"].sum() > ROWS
    assert ("WholeCalls" if calls == "whole" else "BatchedCalls") in con.sql("SELECT lengths(i, text) FROM t").explain()


def test_whole_input_may_be_ranked(con):
    con.execute("CREATE FUNCTION place(x DOUBLE) RETURNS BIGINT LANGUAGE PYTHON { return numpy.argsort(numpy.argsort(x)) + 1 }")
    con.execute("CREATE TABLE t AS SELECT i, ((i * 7919) % 100003)::DOUBLE AS x FROM generate_series(1, 100000) AS g(i)")
    assert one(con, "SELECT count(*) FROM (SELECT place(x) AS p, rank() OVER (ORDER BY x) AS r FROM t) AS s WHERE p <> r") == [(0,)]
    assert one(con, "SELECT place(x) FROM t WHERE false") == []


def test_batch_rows_bounds_calls(con):
    con.execute("CREATE FUNCTION size(x BIGINT) RETURNS BIGINT LANGUAGE PYTHON MAP SET batch_rows = 3000 { return np.full(len(x), len(x)) }")
    largest = one(con, "SELECT max(size(i)) FROM generate_series(1, 100000) AS g(i)")[0][0]
    assert largest <= 3000 + 1024
    con.create_function("own_size", lambda x: np.full(len(x), len(x)), ["BIGINT"], "BIGINT", batch_rows=2000)
    assert one(con, "SELECT max(own_size(i)) FROM generate_series(1, 100000) AS g(i)")[0][0] <= 2000 + 1024


def test_nulls(con):
    con.execute("CREATE FUNCTION seen(x BIGINT) RETURNS BIGINT LANGUAGE PYTHON { return np.full(len(x), np.ma.count_masked(x)) }")
    con.execute("CREATE FUNCTION strict(x BIGINT) RETURNS BIGINT LANGUAGE PYTHON STRICT { return np.full(len(x), len(x)) }")
    con.execute("CREATE TABLE t AS SELECT CASE WHEN i % 3 > 0 THEN i END AS i FROM generate_series(1, 9) AS g(i)")
    assert one(con, "SELECT DISTINCT seen(i) FROM t") == [(3,)]
    assert sorted(one(con, "SELECT strict(i), i IS NULL FROM t"), key=str) == sorted([(6, False)] * 6 + [(None, True)] * 3, key=str)


def test_overloads_and_globals(con):
    con.execute("CREATE FUNCTION kind(x BIGINT) RETURNS VARCHAR LANGUAGE PYTHON MAP { return 'integer' }")
    con.execute("CREATE FUNCTION kind(x VARCHAR) RETURNS VARCHAR LANGUAGE PYTHON MAP { return 'text' }")
    con.execute("CREATE FUNCTION kind(x VARCHAR, y DOUBLE) RETURNS VARCHAR LANGUAGE PYTHON MAP { return 'two' }")
    assert one(con, "SELECT kind(1), kind('1'), kind('1', 2), kind(y => 1.5, x => 'z')") == [("integer", "text", "two", "two")]
    con.execute("""CREATE FUNCTION counted(x BIGINT) RETURNS BIGINT LANGUAGE PYTHON {
        assert np is numpy
        _fn["n"] = _fn.get("n", 0) + 1
        return _fn["n"]
    }""")
    assert [one(con, "SELECT counted(1)")[0][0] for _ in range(3)] == [1, 2, 3]
    other = con.duplicate()
    assert one(other, "SELECT counted(1)") == [(1,)]


def test_bodies_in_all_layouts(con):
    bodies = ["return x", " return x ", "\n  y = x\n  return y\n", "y = x\nreturn y", " y = x\n   return y", "\n\ty = x\n\treturn y", "if len(x):\n    return x\nreturn None"]
    for number, body in enumerate(bodies):
        con.execute(f"CREATE FUNCTION layout{number}(x BIGINT) RETURNS BIGINT LANGUAGE PYTHON {{{body}}}")
        con.execute(f"CREATE FUNCTION quoted{number}(x BIGINT) RETURNS BIGINT LANGUAGE PYTHON AS $$ {body}$$" if body[0] == " " else
                    f"CREATE FUNCTION quoted{number}(x BIGINT) RETURNS BIGINT LANGUAGE PYTHON AS $${body}$$")
        assert one(con, f"SELECT layout{number}(7), quoted{number}(8)") == [(7, 8)], body
    con.execute('CREATE FUNCTION long_text(x BIGINT) RETURNS VARCHAR LANGUAGE PYTHON {\n    s = """a\nb }"""\n    return s\n}')
    assert one(con, "SELECT long_text(1)") == [("a\nb }",)]


def test_errors_name_the_line(con):
    con.execute("CREATE FUNCTION bad(x BIGINT) RETURNS BIGINT LANGUAGE PYTHON {\n    y = 1\n    return y // 0\n}")
    with pytest.raises(scaup.OperationalError, match=r"ZeroDivisionError: .* in bad\(\), line 3: return y // 0") as caught:
        con.execute("SELECT bad(1)")
    assert caught.value.sqlstate == "38000"
    cause = caught.value.__cause__
    assert isinstance(cause, ZeroDivisionError)
    assert "return y // 0" in "".join(traceback.format_exception(cause)) and "<scaup function bad>" in "".join(traceback.format_exception(cause))
    for body, message in (("return (x", "line 1"), ("\n  return x\n return x", "unindent"), ("y = x", "no return"), ("\n  return x\n  retrun x y", "line 3")):
        with pytest.raises(scaup.ProgrammingError, match=message) as caught:
            con.execute("CREATE FUNCTION wrong(x BIGINT) RETURNS BIGINT LANGUAGE PYTHON AS '" + body + "'")
        assert caught.value.sqlstate == "42601" and isinstance(caught.value.__cause__, SyntaxError)
    with pytest.raises(scaup.ProgrammingError, match='"class" has no name of Python'):
        con.execute('CREATE FUNCTION wrong("class" BIGINT) RETURNS BIGINT LANGUAGE PYTHON { return 1 }')
    con.execute("CREATE FUNCTION shortened(x BIGINT) RETURNS BIGINT LANGUAGE PYTHON { return x[:1] }")
    with pytest.raises(scaup.Error, match="called for 3 rows and returned 1 values"):
        con.execute("SELECT shortened(i) FROM generate_series(1, 3) AS g(i)")
    assert one(con, "SELECT 1") == [(1,)]


def test_creating_runs_nothing(con, tmp_path):
    target = tmp_path / "ran"
    body = f"return x\nopen({str(target)!r}, \"w\")"
    con.execute(f"CREATE FUNCTION f(x BIGINT) RETURNS BIGINT LANGUAGE PYTHON AS $${body}$$")
    for escape in ("\n    return x\nopen", "  return x\n)\nopen", "return x\ndef g(y=open"):
        with pytest.raises(scaup.ProgrammingError):
            con.execute(f"CREATE FUNCTION g(x BIGINT) RETURNS BIGINT LANGUAGE PYTHON AS $${escape}({str(target)!r}, 'w')$$")
    con.execute(f"CREATE FUNCTION h(x BIGINT) RETURNS BIGINT LANGUAGE PYTHON AS $$\n  def g(y=open({str(target)!r}, 'w')): pass\n  return x\n$$")
    assert not target.exists()


def test_off_unless_the_program_trusts_the_file(tmp_path):
    path = tmp_path / "strange.scaup"
    with scaup.connect(path, config={"stored_functions": "on"}) as con:
        con.execute("CREATE FUNCTION f(x BIGINT) RETURNS BIGINT LANGUAGE PYTHON { return x + 1 }")
        con.execute("CREATE TABLE t (a BIGINT, b BIGINT DEFAULT f(41))")
        con.execute("CREATE VIEW v AS SELECT f(a) AS c FROM t")
        con.execute("INSERT INTO t (a) VALUES (1)")
        assert one(con, "SELECT b, c FROM t, v") == [(42, 2)]
    with scaup.connect(path) as con:
        assert one(con, "SELECT proname FROM pg_proc") == [("f",)]
        for sql in ("SELECT f(1)", "SELECT * FROM v", "INSERT INTO t (a) VALUES (2)", "EXPLAIN SELECT f(1)"):
            with pytest.raises(scaup.Error, match="stored_functions = 'on'") as caught:
                con.execute(sql)
            assert caught.value.sqlstate == "42501"
        with pytest.raises(scaup.Error):
            con.execute("SET stored_functions = 'on'")
        con.create_function("own", lambda x: x, ["BIGINT"], "BIGINT")
        assert one(con, "SELECT own(a) FROM t") == [(1,)]
    with scaup.connect(path, config={"stored_functions": "on"}) as con:
        assert one(con, "SELECT * FROM v") == [(2,)]


def test_transactions_and_replacement(con):
    con.execute("CREATE FUNCTION f(x BIGINT) RETURNS BIGINT LANGUAGE PYTHON { return x + 1 }")
    con.execute("BEGIN")
    con.execute("CREATE OR REPLACE FUNCTION f(x BIGINT) RETURNS BIGINT LANGUAGE PYTHON { return x + 2 }")
    assert one(con, "SELECT f(1)") == [(3,)]
    con.execute("ROLLBACK")
    assert one(con, "SELECT f(1)") == [(2,)]
    con.execute("DROP FUNCTION f")
    with pytest.raises(scaup.ProgrammingError) as caught:
        con.execute("SELECT f(1)")
    assert caught.value.sqlstate == "42883"


def test_case_and_nested_calls(con):
    con.execute("CREATE FUNCTION plus(x BIGINT) RETURNS BIGINT LANGUAGE PYTHON { return x + 1 }")
    con.execute("CREATE FUNCTION times(x BIGINT) RETURNS BIGINT LANGUAGE PYTHON MAP IMMUTABLE { return x * 2 }")
    assert one(con, "SELECT sum(plus(times(plus(i)))) FROM generate_series(1, 5000) AS g(i)") == [(sum((i + 1) * 2 + 1 for i in range(1, 5001)),)]
    assert one(con, "SELECT CASE WHEN i > 1 THEN plus(i) END FROM generate_series(1, 2) AS g(i)") == [(None,), (3,)]
    assert one(con, "SELECT i FROM generate_series(1, 5) AS g(i) WHERE plus(i) = 4 AND times(i) = 6") == [(3,)]
    assert one(con, "SELECT plus(i) AS g, count(*) FROM generate_series(1, 3) AS g(i) GROUP BY 1 ORDER BY 1") == [(2, 1), (3, 1), (4, 1)]
    assert one(con, "SELECT p FROM plus(4) AS p") == [(5,)]


# --- create_function(persist=True)


def test_persist_stores_the_source(tmp_path):
    path = tmp_path / "kept.scaup"
    settings = {"stored_functions": "on"}
    import math

    def hypotenuse(a: float, b: float) -> float:
        """The longest side."""
        scale = math.sqrt(4) / 2
        return np.hypot(a, b) * scale

    with scaup.connect(path, config=settings) as con:
        con.create_function("Hypotenuse", hypotenuse, persist=True)
        con.create_function("half", lambda x: x / 2, ["DOUBLE"], "DOUBLE", persist=True, null_handling="special", side_effects=True, batch_rows=5000)
        con.execute("CREATE VIEW v AS SELECT hypotenuse(3, 4) AS h, half(5) AS f")
    with scaup.connect(path, config=settings) as con:
        assert one(con, "SELECT * FROM v") == [(5.0, 2.5)]
        assert one(con, "SELECT proname, provolatile, proisstrict FROM pg_proc ORDER BY 1") == [("half", "v", False), ("hypotenuse", "i", True)]
        outside = 3
        with pytest.raises(scaup.ProgrammingError, match="uses outside from outside"):
            con.create_function("f", lambda x: x + outside, ["BIGINT"], "BIGINT", persist=True)
        with pytest.raises(scaup.ProgrammingError, match="source of the function is not known"):
            con.create_function("f", np.hypot, ["DOUBLE", "DOUBLE"], "DOUBLE", persist=True)
        with pytest.raises(scaup.ProgrammingError, match="type='numpy'"):
            con.create_function("f", lambda x: x, ["BIGINT"], "BIGINT", persist=True, type="native")


def test_decorator(con):
    @con.function
    def add_one(x: int) -> int:
        return x + 1

    @con.function(name="minus_one", parameters=["BIGINT"], return_type="BIGINT", persist=True)
    def other(x):
        return x - 1

    assert one(con, "SELECT add_one(1), minus_one(1)") == [(2, 0)]
    assert add_one(4) == 5 and other(4) == 3
    assert one(con, "SELECT proname FROM pg_proc") == [("minus_one",)]


# --- Aggregates

GROUPS = """CREATE AGGREGATE wmean(v DOUBLE, w DOUBLE) RETURNS DOUBLE LANGUAGE python STRICT {
    return np.add.reduceat(v * w, group_offsets) / np.add.reduceat(w, group_offsets)
}"""
BINCOUNT = """CREATE AGGREGATE wmean(v DOUBLE, w DOUBLE) RETURNS DOUBLE LANGUAGE python STRICT {
    sums = np.bincount(aggr_group, v * w, n_groups)
    return sums / np.bincount(aggr_group, w, n_groups)
}"""
ONE_GROUP = "CREATE AGGREGATE wmean(v DOUBLE, w DOUBLE) RETURNS DOUBLE LANGUAGE python STRICT AS $$ return np.average(v, weights=w) $$"
STATES = """CREATE AGGREGATE wmean(v DOUBLE, w DOUBLE) RETURNS DOUBLE LANGUAGE python STRICT SET batch_rows = 1000 {
    import functools
    state = ['DOUBLE', 'DOUBLE']

    def accumulate(v, w, group_offsets):
        return _sums((v * w, w), group_offsets)

    def merge(sums, weights, group_offsets):
        return _sums((sums, weights), group_offsets)

    def finish(sums, weights):
        assert functools.reduce(lambda a, b: a + b, [1, 2]) == 3
        return sums / weights

    def _sums(columns, group_offsets):
        return tuple(np.add.reduceat(column, group_offsets) for column in columns)
}"""


@pytest.mark.parametrize("create", [GROUPS, BINCOUNT, ONE_GROUP, STATES], ids=["offsets", "groups", "group", "states"])
def test_stored_aggregates(tmp_path, create):
    path = tmp_path / "stored.scaup"
    table = "CREATE TABLE t AS SELECT i % 100 AS k, i % 17 + 0.25::DOUBLE AS v, i % 5 + 1::DOUBLE AS w FROM generate_series(1, 50000) AS g(i)"
    with scaup.connect(path, config={"stored_functions": "on"}) as con:
        con.execute(table)
        con.execute(create)
        con.execute("CREATE VIEW means AS SELECT k, round(wmean(v, w), 9) AS m FROM t GROUP BY k")
    with scaup.connect(path, config={"stored_functions": "on"}) as con:
        assert one(con, "SELECT * FROM means ORDER BY k") == one(con, "SELECT k, round(sum(v * w) / sum(w), 9) FROM t GROUP BY k ORDER BY k")
        assert one(con, "SELECT wmean(NULL, 1)") == [(None,)]
    with scaup.connect(path) as con:
        with pytest.raises(scaup.Error) as caught:
            con.execute("SELECT * FROM means")
        assert caught.value.sqlstate == "42501"


def test_sources_of_aggregates_are_checked_and_not_run(con, tmp_path):
    mark = tmp_path / "mark"
    bodies = {
        "pass": "no return",
        "return (": "never closed|was never closed|unexpected",
        f"open({str(mark)!r}, 'w')\ndef accumulate(x): return x\ndef merge(x): return x\ndef finish(x): return x": "has functions, imports and state",
        "def accumulate(x): return x\ndef merge(x): return x\ndef finish(x): return x": "types of the state are missing",
        "state = [str(1)]\ndef accumulate(x): return x\ndef merge(x): return x\ndef finish(x): return x": "list of types",
        f"state = ['BIGINT']\ndef accumulate(x, y=open({str(mark)!r}, 'w')): return x\ndef merge(x): return x\ndef finish(x): return x": "no constants",
        "state = ['NOTHING']\ndef accumulate(x): return x\ndef merge(x): return x\ndef finish(x): return x": "nothing",
        "state = ['BIGINT']\ndef __init__(self): pass\ndef accumulate(x): return x\ndef merge(x): return x\ndef finish(x): return x": "no __init__",
    }
    for body, message in bodies.items():
        with pytest.raises(scaup.Error, match=message):
            con.execute(f"CREATE AGGREGATE f(x BIGINT) RETURNS BIGINT LANGUAGE python AS $python${body}$python$")
    con.execute(f"""CREATE AGGREGATE f(x BIGINT) RETURNS BIGINT LANGUAGE python {{
        open({str(mark)!r}, 'w')
        return 1
    }}""")
    assert not mark.exists()


def test_nulls_of_stored_aggregates(con):
    con.execute("CREATE AGGREGATE nulls(x BIGINT) RETURNS BIGINT LANGUAGE python AS 'return np.ma.getmaskarray(x).sum()'")
    assert one(con, "SELECT nulls(x) FROM (VALUES (1), (NULL), (3), (NULL)) AS t(x)") == [(2,)]


def test_aggregates_of_python_are_stored(con):
    import math

    @con.function(persist=True, kind="aggregate")
    def total_root(x: float, group_offsets, n_groups) -> float:
        return np.sqrt(np.add.reduceat(x, group_offsets)) + math.floor(0.5) * n_groups

    @con.function(persist=True, kind="aggregate", name="mean_of")
    class MeanOf:
        """A mean."""

        state = [float, int]

        def accumulate(self, x: float, group_offsets):
            return self.sums(x, group_offsets), self.sums(np.ones(len(x), np.int64), group_offsets)

        def merge(self, s, n, group_offsets):
            return self.sums(s, group_offsets), self.sums(n, group_offsets)

        def finish(self, s, n) -> float:
            return s / n

        def sums(self, x, group_offsets):
            return np.add.reduceat(x, group_offsets)

    query = "SELECT k, total_root(i), mean_of(i) FROM (SELECT i % 2 AS k, i FROM generate_series(1, 8) AS g(i)) GROUP BY k ORDER BY k"
    wanted = [(0, 20**0.5, 5.0), (1, 4.0, 4.0)]
    assert one(con, query) == wanted
    with con.duplicate() as other:
        assert one(other, query) == wanted
    assert one(con, "SELECT proname, prokind, proisstrict FROM pg_proc ORDER BY 1") == [("mean_of", "a", True), ("total_root", "a", True)]


def test_errors_of_stored_aggregates_show_their_lines(con):
    con.execute("""CREATE AGGREGATE f(x BIGINT) RETURNS BIGINT LANGUAGE python {
        y = x // 0
        return undefined_name
    }""")
    with pytest.raises(scaup.OperationalError, match=r"NameError: .* in f\(\), line 3: return undefined_name") as caught:
        con.execute("SELECT f(1)")
    assert caught.value.sqlstate == "38000"
    assert "return undefined_name" in "".join(traceback.format_exception(caught.value.__cause__))
