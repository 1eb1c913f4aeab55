"""Functions of Python that return rows: create_function(kind="table"), and functions of the database that do."""

import sys
import threading
import time
import traceback
import types
from typing import Iterator, NamedTuple

import pytest

import scaup

np = pytest.importorskip("numpy", reason="functions get arrays")
pa = pytest.importorskip("pyarrow", reason="results of most types go through Arrow")

ROWS = 200_000


@pytest.fixture(params=[1, 2], ids=["one thread", "two threads"])
def con(request):
    with scaup.connect(config={"stored_functions": "on", "threads": request.param}) as connection:
        yield connection


@pytest.fixture
def table(con):
    con.execute(f"CREATE TABLE t AS SELECT (i % 100)::INTEGER AS k, i, 'text ' || i AS text FROM generate_series(1, {ROWS}) AS g(i)")


def rows(con, sql, parameters=None):
    return con.execute(sql, parameters).fetchall()


# --- What functions return


def forms():
    pandas = pytest.importorskip("pandas")
    columns = {"a": [1, 2], "b": ["x", None]}
    table = pa.table({"b": ["x", None], "a": [1, 2]})
    return [
        columns, {"b": np.array(["x", None], object), "a": np.arange(1, 3)}, [(1, "x"), (2, None)], [[1, "x"], [2, None]],
        [{"a": 1, "b": "x"}, {"b": None, "a": 2}], pandas.DataFrame(columns), table, table.to_batches()[0],
        pa.RecordBatchReader.from_batches(table.schema, table.to_batches()), iter([{"a": 1, "b": "x"}, {"a": [2], "b": [None]}]),
        iter([(1, "x"), (2, None)]), iter([(1, "x"), [(2, None)]]), {"A": (1, 2), "B": ("x", None)},
    ]


def test_functions_return_rows_in_many_forms(con):
    for made in forms():
        con.create_function("f", lambda made=made: made, [], {"a": "BIGINT", "b": str}, kind="table")
        assert rows(con, "SELECT * FROM f()") == [(1, "x"), (2, None)], made


def test_a_single_value_is_that_of_all_rows(con):
    con.create_function("f", lambda n: {"i": np.arange(n), "n": n, "t": "x"}, ["INTEGER"], "TABLE (i BIGINT, n INTEGER, t VARCHAR)", kind="table")
    assert rows(con, "SELECT * FROM f(2)") == [(0, 2, "x"), (1, 2, "x")]
    con.create_function("g", lambda: {"a": 1, "b": b"bytes"}, [], {"a": int, "b": bytes}, kind="table")
    assert rows(con, "SELECT * FROM g()") == [(1, b"bytes")]


def test_no_rows(con):
    for made in (None, [], {"a": []}, iter([])):
        con.create_function("f", lambda made=made: made, [], {"a": int}, kind="table")
        assert rows(con, "SELECT * FROM f()") == []


@pytest.mark.parametrize(
    "made, message",
    [
        ({"a": [1]}, "the result has the columns a, but a, b are wanted"),
        ({"a": [1], "b": [1], "c": [1]}, "the result has the columns a, b, c, but a, b are wanted"),
        ({"a": [1], "b": [1, 2]}, "several lengths: a 1, b 2"),
        ([(1, 2, 3)], "a row has 3 values"),
        ([1], "a row is a tuple or a dict, not int"),
        (5, "not int"),
        ("text", "not str"),
    ],
)
def test_results_that_do_not_fit_are_errors(con, made, message):
    con.create_function("f", lambda: made, [], {"a": int, "b": int}, kind="table")
    with pytest.raises(scaup.OperationalError, match=message) as error:
        rows(con, "SELECT * FROM f()")
    assert error.value.sqlstate == "38000"


def test_values_that_do_not_fit_are_errors(con):
    con.create_function("f", lambda: {"a": [300]}, [], {"a": "TINYINT"}, kind="table")
    with pytest.raises(scaup.Error) as error:
        rows(con, "SELECT * FROM f()")
    assert error.value.sqlstate == "22003"
    con.create_function("f", lambda: {"a": ["x"]}, [], {"a": "INTEGER"}, kind="table")
    with pytest.raises(scaup.Error) as error:
        rows(con, "SELECT * FROM f()")
    assert error.value.sqlstate == "42804"


def test_generators_stream(con):
    made = []

    def numbers(n):
        try:
            for begin in range(0, n, 1000):
                made.append(begin)
                yield {"i": np.arange(begin, begin + 1000)}
        finally:
            made.append("closed")

    con.create_function("numbers", numbers, [int], {"i": int}, kind="table")
    assert rows(con, "SELECT count(*), sum(i) FROM numbers(100000)") == [(100_000, 4_999_950_000)]
    made.clear()
    assert rows(con, "SELECT i FROM numbers(100000000) LIMIT 3") == [(0,), (1,), (2,)]
    assert len(made) < 20 and made[-1] == "closed"


# --- What functions get


def test_rows_come_as_arrays_tables_frames_or_tuples(con, table):
    pytest.importorskip("pandas")
    seen = {}

    def note(kind):
        def f(rows, factor):
            seen[kind] = rows
            return {"n": [len(rows["i"]) * factor if kind != "native" else len(rows) * factor]}

        return f

    for kind in ("numpy", "arrow", "pandas", "native"):
        con.create_function("f", note(kind), [dict, "INTEGER"], {"n": int}, kind="table", type=kind)
        assert rows(con, "SELECT * FROM f((SELECT i, text FROM t WHERE i <= 1000), 3)") == [(3000,)], kind
    assert (np.sort(seen["numpy"]["i"]) == np.arange(1, 1001)).all() and seen["numpy"]["text"][0].startswith("text")
    assert seen["arrow"].schema.names == ["i", "text"]
    assert list(seen["pandas"].columns) == ["i", "text"]
    assert sorted(seen["native"])[0] == (1, "text 1")


def test_declared_columns_are_converted(con, table):
    con.create_function("f", lambda r: {"d": [r["x"].dtype.name], "n": [",".join(r)]}, [{"x": float, "y": str}], {"d": str, "n": str}, kind="table")
    assert rows(con, "SELECT * FROM f((SELECT i, text FROM t))") == [("float64", "x,y")]
    for wrong in ("(SELECT i FROM t)", "(SELECT text, i FROM t)", "(SELECT i, text, k FROM t)"):
        with pytest.raises(scaup.ProgrammingError, match=r'f\(r TABLE \(x double precision, y character varying\)\)|f\(r TABLE') as error:
            rows(con, f"SELECT * FROM f({wrong})")
        assert error.value.sqlstate == "42883"


def test_partitions(con, table):
    threads = set()

    def sums(r, scale):
        threads.add(threading.get_ident())
        assert len(set(r["k"].tolist())) == 1
        return [(int(r["k"][0]), len(r["i"]), int(r["i"].sum()) * scale)]

    con.create_function("sums", sums, ["TABLE", int], {"k": int, "n": int, "s": int}, kind="table")
    expected = con.execute("SELECT k, count(*), sum(i) * 2 FROM t GROUP BY k ORDER BY k").fetchall()
    assert rows(con, "SELECT * FROM sums(TABLE t PARTITION BY k, 2) ORDER BY k") == expected
    assert rows(con, "SELECT * FROM sums(TABLE(t) PARTITION BY k, 2) ORDER BY k") == expected
    assert rows(con, "SELECT * FROM sums((SELECT k, i FROM t) PARTITION BY (k) ORDER BY (i DESC), 2) ORDER BY k") == expected


def test_partitions_are_sorted(con, table):
    con.create_function("ends", lambda r: [(r["i"][0], r["i"][-1])], ["TABLE"], {"a": int, "b": int}, kind="table")
    assert rows(con, "SELECT * FROM ends((SELECT * FROM t) PARTITION BY k ORDER BY i) ORDER BY a LIMIT 2") == [(1, ROWS - 99), (2, ROWS - 98)]
    assert rows(con, "SELECT * FROM ends((SELECT * FROM t) PARTITION BY k ORDER BY i DESC) ORDER BY b LIMIT 1") == [(ROWS - 99, 1)]
    assert rows(con, "SELECT * FROM ends((SELECT * FROM t ORDER BY i DESC))") == [(ROWS, 1)]


def test_batches(con, table):
    calls = []

    def f(r):
        calls.append(len(r["i"]))
        return {"i": r["i"] * 2}

    con.create_function("f", f, ["TABLE"], {"i": int}, kind="table", batch_rows=5000)
    assert rows(con, "SELECT count(*), sum(i) FROM f(TABLE t)") == [(ROWS, ROWS * (ROWS + 1))]
    assert max(calls) <= 5000 and len(calls) >= ROWS // 5000


def test_streaming(con, table):
    sizes = []

    def f(batches):
        total = 0
        for batch in batches:
            sizes.append(len(batch["i"]))
            total += int(batch["i"].sum())
            yield (total,)

    con.create_function("f", f, ["TABLE"], {"total": int}, kind="table", streaming=True, batch_rows=20_000)
    assert rows(con, "SELECT max(total), count(*) FROM f(TABLE t)") == [(ROWS * (ROWS + 1) // 2, len(sizes))]
    assert max(sizes) == 20_000
    sizes.clear()
    con.execute("SELECT * FROM f((SELECT * FROM generate_series(1, 100000000) AS g(i))) LIMIT 1").fetchall()
    assert len(sizes) < 100


def test_a_reader_that_escapes_is_refused(con, table):
    kept = []

    def f(batches):
        kept.append(batches)
        return [(1,)]

    con.create_function("f", f, ["TABLE"], {"n": int}, kind="table", streaming=True)
    assert rows(con, "SELECT * FROM f(TABLE t)") == [(1,)]
    with pytest.raises(scaup.ProgrammingError, match="by the function alone"):
        next(kept[0])


def test_columns_for_several_parameters(con, table):
    def f(a: np.int64, b: np.int64, scale: int) -> {"x": int}:
        return {"x": (a + b) * scale}

    con.create_function("f", f, ["BIGINT", "BIGINT", int], {"x": int}, kind="table")
    assert rows(con, "SELECT sum(x) FROM f((SELECT i, i FROM t), 3)") == [(3 * ROWS * (ROWS + 1),)]
    assert rows(con, "SELECT x FROM f(1, 2, 3)") == [(9,)]


def test_map_and_reduce(con, table):
    con.create_function("minmap", lambda r: [(int(r["i"].min()),)], [{"i": int}], {"i": int}, kind="table", batch_rows=10_000)
    con.create_function("minseq", lambda r: [(int(r["i"].min()), len(r["i"]))], [{"i": int}], {"i": int, "n": int}, kind="table")
    found = rows(con, "SELECT * FROM minseq((SELECT * FROM minmap((SELECT i FROM t))))")
    assert found[0][0] == 1 and found[0][1] >= ROWS // 10_000
    assert rows(con, "SELECT i FROM minseq(TABLE (SELECT * FROM minmap(TABLE (SELECT i FROM t WHERE i > 7))))") == [(8,)]


class Word(NamedTuple):
    word: str
    size: int


def test_annotations_and_decorator(con):
    @con.function(kind="table")
    def words(words: str, shortest: int) -> Iterator[Word]:
        for word in words.split():
            if len(word) >= shortest:
                yield Word(word, len(word))

    assert rows(con, "SELECT * FROM words('to be or not to bee', 3)") == [("not", 3), ("bee", 3)]
    assert rows(con, "SELECT size FROM words(words => ?, shortest => ?)", ["a bb", 2]) == [(2,)]


def test_errors_have_causes(con):
    def f(n):
        yield (1,)
        raise KeyError("lost")

    con.create_function("f", f, [int], {"n": int}, kind="table")
    with pytest.raises(scaup.OperationalError, match="KeyError: 'lost' in f\\(\\), line") as error:
        rows(con, "SELECT * FROM f(1)")
    assert error.value.sqlstate == "38000"
    assert isinstance(error.value.__cause__, KeyError)
    assert any("raise KeyError" in line for line in traceback.format_exception(error.value.__cause__))


def test_errors_of_the_query_stay_as_they_are(con):
    con.create_function("f", lambda r: r, ["TABLE"], {"x": int}, kind="table")
    with pytest.raises(scaup.Error) as error:
        rows(con, "SELECT * FROM f((SELECT 1 / (i - 5) AS x FROM generate_series(1, 10) AS g(i)))")
    assert error.value.sqlstate == "22012"


def test_bad_definitions(con):
    for options in (
        {"return_type": {}}, {"return_type": "INTEGER"}, {"parameters": ["TABLE", "TABLE"], "return_type": {"a": int}},
        {"streaming": True, "return_type": {"a": int}, "parameters": []}, {"exception_handling": "return_null", "return_type": {"a": int}, "parameters": []},
    ):
        with pytest.raises(scaup.Error):
            con.create_function("f", lambda a, b: a, **{"parameters": [int, int], "kind": "table", **options})
    with pytest.raises(scaup.Error):
        con.create_function("f", lambda a: a, [int], int, streaming=True)


def test_interrupt(con):
    def endless():
        while True:
            yield {"a": [1]}

    con.create_function("endless", endless, [], {"a": int}, kind="table")
    timer = threading.Timer(0.3, con.interrupt)
    timer.start()
    with pytest.raises(scaup.OperationalError) as error:
        rows(con, "SELECT count(*) FROM endless()")
    assert error.value.sqlstate == "57014"

    def busy():
        while True:
            time.sleep(0.001)

    con.create_function("busy", busy, [], {"a": int}, kind="table")
    timer = threading.Timer(0.3, con.interrupt)
    timer.start()
    with pytest.raises(scaup.OperationalError) as error:
        rows(con, "SELECT count(*) FROM busy()")
    assert error.value.sqlstate == "57014"


def test_explain(con, table):
    con.create_function("f", lambda r, n: r, [{"i": int}, int], {"i": int}, kind="table")
    plan = "\n".join(row[0] for row in rows(con, "EXPLAIN ANALYZE SELECT * FROM f((SELECT i FROM t) PARTITION BY i % 3, 5)"))
    assert "function: f" in plan and "partition by:" in plan and "calls: 3" in plan, plan


# --- Functions of the database


CLASSIFY = """CREATE FUNCTION classify(t TABLE(id INTEGER, value DOUBLE), model VARCHAR) RETURNS TABLE(id INTEGER, p VARCHAR) LANGUAGE PYTHON {
    return {'id': t['id'], 'p': [f'{model} {value}' for value in t['value']]}
}"""


def test_stored_functions_return_rows(con):
    con.execute(CLASSIFY)
    assert rows(con, "SELECT * FROM classify((SELECT 1, 2.5), 'RFC')") == [(1, "RFC 2.5")]
    con.execute("CREATE TABLE v AS SELECT i::INTEGER AS id, i / 2.0 AS value FROM generate_series(1, 3) AS g(i)")
    assert rows(con, "SELECT count(*) FROM classify(TABLE v, model => 'RFC') WHERE p LIKE 'RFC%'") == [(3,)]
    con.execute("CREATE VIEW classified AS SELECT * FROM classify(TABLE v, 'RFC')")
    assert rows(con, "SELECT id FROM classified ORDER BY id") == [(1,), (2,), (3,)]
    with pytest.raises(scaup.Error):
        con.execute("DROP FUNCTION classify")
    con.execute("DROP VIEW classified")
    assert rows(con, "SELECT pg_get_function_arguments(oid) FROM pg_proc WHERE proname = 'classify'") == [
        ("t TABLE (id integer, value double precision), model character varying",)
    ] or "TABLE (id" in rows(con, "SELECT pg_get_function_arguments(oid) FROM pg_proc WHERE proname = 'classify'")[0][0]
    con.execute("DROP FUNCTION classify(TABLE (id INTEGER, value DOUBLE), VARCHAR)")
    with pytest.raises(scaup.ProgrammingError):
        con.execute("SELECT * FROM classify((SELECT 1, 2.5), 'RFC')")


def test_stored_functions_survive_reopening_and_export(tmp_path):
    trusting = {"stored_functions": "on"}
    with scaup.connect(tmp_path / "f.scaup", config=trusting) as con:
        con.execute(CLASSIFY)
        con.execute("CREATE FUNCTION n(n INTEGER DEFAULT 2) RETURNS TABLE(i BIGINT) LANGUAGE PYTHON { return {'i': range(n)} }")
        con.execute(f"EXPORT DATABASE '{tmp_path / 'export'}'")
    with scaup.connect(tmp_path / "f.scaup", config=trusting) as con:
        assert rows(con, "SELECT * FROM classify((SELECT 1, 2.5), 'RFC')") == [(1, "RFC 2.5")]
        assert rows(con, "SELECT count(*) FROM n()") == [(2,)]
    with scaup.connect(config=trusting) as con:
        con.execute(f"IMPORT DATABASE '{tmp_path / 'export'}'")
        assert rows(con, "SELECT * FROM classify((SELECT 1, 2.5), 'RFC')") == [(1, "RFC 2.5")]
        assert rows(con, "SELECT count(*) FROM n(5)") == [(5,)]
    with scaup.connect(tmp_path / "f.scaup") as con:
        with pytest.raises(scaup.Error) as error:
            rows(con, "SELECT * FROM n()")
        assert error.value.sqlstate == "42501"


def test_stored_generators_and_partitions(con, table):
    con.execute("""CREATE FUNCTION firsts(t TABLE(k INTEGER, i BIGINT), n INTEGER) RETURNS TABLE(k INTEGER, i BIGINT) LANGUAGE PYTHON AS $$
        for number in range(n):
            yield t['k'][number], t['i'][number]
    $$""")
    found = rows(con, "SELECT * FROM firsts((SELECT k, i FROM t) PARTITION BY k ORDER BY i DESC, 2) ORDER BY k, i DESC LIMIT 3")
    assert found == [(0, ROWS), (0, ROWS - 100), (1, ROWS - 99)]


def test_stored_map(con, table):
    con.execute("CREATE FUNCTION sizes(t TABLE(i BIGINT)) RETURNS TABLE(n BIGINT) LANGUAGE PYTHON MAP SET batch_rows = 1000 { return {'n': len(t['i'])} }")
    found = rows(con, "SELECT sum(n), max(n) FROM sizes((SELECT i FROM t))")
    assert found == [(ROWS, 1000)]


def test_persist(con):
    def repeat(t, times):
        import numpy

        return {"x": numpy.repeat(t["x"], times)}

    con.create_function("repeat_rows", repeat, [{"x": int}, int], {"x": int}, kind="table", persist=True)
    assert rows(con, "SELECT * FROM repeat_rows((SELECT 7), 2)") == [(7,), (7,)]
    assert rows(con, "SELECT routine_name FROM information_schema.routines") == [("repeat_rows",)]


LISTING_4_5 = """
CREATE FUNCTION classify(id INTEGER, value INTEGER)
RETURNS TABLE(id INTEGER, prediction STRING)
LANGUAGE PYTHON
{
    import pickle
    res = _conn.execute("SELECT * FROM classifier WHERE name='RFC';")
    classifier = pickle.loads(res['classifier'][0])
    return {'id': id, 'prediction': classifier.predict(value) }
};
"""

# The line break in the import is the printer's.
LISTING_5_1 = """
CREATE FUNCTION train(data INTEGER, classes INTEGER,
    n_estimators INTEGER)
RETURNS TABLE(classifier BLOB, estimators INTEGER)
LANGUAGE PYTHON
{
    import pickle
    from sklearn.ensemble import RandomForestClassifier

    clf = RandomForestClassifier(n_estimators)

    clf.fit(data, classes)

    return {'classifier': pickle.dumps(clf),
           'estimators': n_estimators }
};
"""


class RandomForestClassifier:
    """Learns the most frequent class of each value, in place of scikit-learn's."""

    def __init__(self, n_estimators):
        assert isinstance(n_estimators, int)
        self.classes = {}

    def fit(self, data, classes):
        assert len(data) == len(classes)
        self.classes = dict(zip(data.tolist(), classes.tolist()))

    def predict(self, data):
        return np.array([f"class {self.classes.get(value)}" for value in data.tolist()])


def test_listings_4_5_and_5_1_of_the_thesis(con, monkeypatch):
    module = types.ModuleType("sklearn.ensemble")
    module.RandomForestClassifier = RandomForestClassifier
    monkeypatch.setitem(sys.modules, "sklearn", types.ModuleType("sklearn"))
    monkeypatch.setitem(sys.modules, "sklearn.ensemble", module)
    con.execute(LISTING_5_1)
    con.execute(LISTING_4_5)
    con.execute("CREATE TABLE known AS SELECT i::INTEGER AS data, (i % 3)::INTEGER AS classes FROM generate_series(1, 9) AS g(i)")
    con.execute("CREATE TABLE classifier AS SELECT 'RFC' AS name, * FROM train((SELECT data, classes FROM known), 10)")
    assert rows(con, "SELECT name, estimators FROM classifier") == [("RFC", 10)]
    found = rows(con, "SELECT * FROM classify((SELECT data + 100, data FROM known)) ORDER BY id LIMIT 3")
    assert found == [(101, "class 1"), (102, "class 2"), (103, "class 0")]


def test_strict_functions_get_no_nulls(con):
    con.execute("CREATE TABLE pairs AS SELECT * FROM (VALUES (1, 10), (2, NULL), (NULL, 30), (4, 40)) AS v(a, b)")
    con.execute("""CREATE FUNCTION added(a INTEGER, b INTEGER, n INTEGER) RETURNS TABLE (s INTEGER) STRICT LANGUAGE PYTHON {
        return {'s': a + b + n}
    }""")
    assert rows(con, "SELECT * FROM added((SELECT a, b FROM pairs), 100) ORDER BY s") == [(111,), (144,)]
    assert rows(con, "SELECT * FROM added((SELECT a, b FROM pairs), NULL)") == []
    assert rows(con, "SELECT * FROM added(1, 2, 3)") == [(6,)]
    assert rows(con, "SELECT * FROM added(1, NULL, 3)") == []
    assert rows(con, "SELECT * FROM added(1, $1::INTEGER, 3)", [None]) == []
    # A table comes as it is.
    con.execute("""CREATE FUNCTION counted(t TABLE (a INTEGER, b INTEGER), n INTEGER) RETURNS TABLE (rows BIGINT, nulls BIGINT) STRICT LANGUAGE PYTHON {
        return {'rows': len(t['a']), 'nulls': int(np.ma.count_masked(t['a']) + np.ma.count_masked(t['b']))}
    }""")
    assert rows(con, "SELECT * FROM counted(TABLE pairs, 1)") == [(4, 2)]
    assert rows(con, "SELECT * FROM counted(TABLE pairs, NULL)") == []
    assert rows(con, "SELECT count(*) FROM counted(TABLE pairs PARTITION BY a, NULL)") == [(0,)]
    # Without STRICT the function sees them.
    con.execute("""CREATE FUNCTION seen(a INTEGER, n INTEGER) RETURNS TABLE (s VARCHAR) CALLED ON NULL INPUT LANGUAGE PYTHON {
        return {'s': str((a, n))}
    }""")
    assert rows(con, "SELECT * FROM seen(1, NULL)") == [("(1, None)",)]
