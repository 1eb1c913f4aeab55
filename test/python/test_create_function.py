"""create_function(): functions of Python in SQL."""

import datetime
import decimal
import subprocess
import sys
import threading
import time
import traceback
import uuid

import pytest

import scaup

np = pytest.importorskip("numpy", reason="functions get arrays")
pa = pytest.importorskip("pyarrow", reason="results of most types go through Arrow")


def one(con, sql):
    return con.execute(sql).fetchall()


def test_columns_are_arrays(con):
    seen = []

    def add(a, b):
        seen.append((type(a), a.dtype, len(a)))
        assert not a.flags.writeable
        return a + b

    assert con.create_function("add_up", add, ["BIGINT", "DOUBLE"], "DOUBLE") is con
    assert one(con, "SELECT sum(ADD_UP(i, 0.5)) FROM generate_series(1, 100000) AS g(i)") == [(5000050000 + 50000.0,)]
    assert all(kind is np.ndarray and dtype == np.int64 for kind, dtype, _ in seen)
    assert sum(length for _, _, length in seen) == 100000 and max(length for _, _, length in seen) > 10000


def test_types_come_from_annotations(con):
    def double(x: int) -> float:
        return x * 2.0

    def joined(*words: str) -> str:
        return np.strings.add(words[0], words[-1])

    con.create_function("double_it", double)
    con.create_function("joined", joined)
    assert con.sql("SELECT double_it(4::SMALLINT) AS d, joined('a', 'b', 'c') AS j").types == ["DOUBLE", "VARCHAR"]
    assert one(con, "SELECT double_it(4), joined('a', 'b', 'c'), joined('x')") == [(8.0, "ac", "xx")]
    for function, message in ((lambda x: x, "parameter x has no annotation"), (len, "not known|no annotation")):
        with pytest.raises(scaup.ProgrammingError, match=message):
            con.create_function("f", function)


VALUES = {
    "BOOLEAN": [True, False],
    "TINYINT": [-128, 127],
    "UTINYINT": [0, 255],
    "USMALLINT": [0, 65535],
    "UINTEGER": [0, 2**32 - 1],
    "UBIGINT": [0, 2**64 - 1],
    "SMALLINT": [-32768, 32767],
    "INTEGER": [-(2**31), 2**31 - 1],
    "BIGINT": [-(2**63), 2**63 - 1],
    "HUGEINT": [-(10**30), 10**30],
    "REAL": [0.5, -1.25],
    "DOUBLE": [0.1, float("inf")],
    "DECIMAL(10,2)": [decimal.Decimal("-12345678.90"), decimal.Decimal("0.01")],
    "VARCHAR": ["", "äöü 😀 a text that is long"],
    "BLOB": [b"", b"\0\xff" * 20],
    "DATE": [datetime.date(1, 1, 1), datetime.date(2024, 2, 29)],
    "TIME": [datetime.time(0, 0), datetime.time(23, 59, 59, 999999)],
    "TIMESTAMP": [datetime.datetime(1900, 1, 1), datetime.datetime(2024, 2, 29, 12, 30, 0, 5)],
    "TIMESTAMPTZ": [datetime.datetime(2024, 2, 29, 12, 30, tzinfo=datetime.timezone.utc)],
    "INTERVAL": [datetime.timedelta(days=3, seconds=5, microseconds=7)],
    "UUID": [uuid.UUID(int=0), uuid.UUID(int=2**128 - 1)],
    "BIGINT[]": [[], [1, None, 3]],
    "VARCHAR[]": [["a", "a text that is long"]],
    "STRUCT(a BIGINT, b VARCHAR)": [{"a": 1, "b": "x"}],
    "JSON": ['{"a": 1}'],
}


@pytest.mark.parametrize("type_name", VALUES)
@pytest.mark.parametrize("kind", ["numpy", "arrow", "native", "pandas"])
def test_every_type_both_ways(con, kind, type_name):
    if kind == "pandas":
        pytest.importorskip("pandas")
    if type_name == "HUGEINT" and kind != "native" or type_name.startswith("DECIMAL") and kind in ("numpy", "pandas"):
        pytest.skip("these columns are floats, or have no type in Arrow")
    con.create_function("same", lambda x: x, [type_name], type_name, type=kind)
    con.execute(f"CREATE TABLE t (n INT, v {type_name})")
    values = VALUES[type_name]
    con.executemany("INSERT INTO t VALUES (?, ?)", [(n, value) for n, value in enumerate(values * 3)])
    con.execute("INSERT INTO t VALUES (99, NULL)")
    assert one(con, "SELECT same(v) FROM t ORDER BY n") == one(con, "SELECT v FROM t ORDER BY n")
    assert one(con, "SELECT count(*) FROM t WHERE same(v) IS DISTINCT FROM v") == [(0,)]


def test_null_arguments(con):
    con.execute("CREATE TABLE t AS SELECT i, nullif(i % 3, 0) AS a, nullif('t' || i % 2, 't0') AS s FROM generate_series(1, 3000) AS g(i)")
    con.create_function("plus", lambda a, i: a + i, ["BIGINT", "BIGINT"], "BIGINT")
    assert one(con, "SELECT count(*) FROM t WHERE plus(a, i) IS DISTINCT FROM a + i") == [(0,)]
    assert one(con, "SELECT plus(NULL, i) FROM t LIMIT 1") == [(None,)]

    def special(a, s):
        assert a is None or isinstance(a, np.ma.MaskedArray)
        return np.where(np.ma.getmaskarray(a), -1, a.data)

    con.create_function("special", special, ["BIGINT", "VARCHAR"], "BIGINT", null_handling="special")
    assert one(con, "SELECT count(*) FROM t WHERE special(a, s) <> coalesce(a, -1)") == [(0,)]
    con.create_function("none_is", lambda a: "none" if a is None else None, ["BIGINT"], "VARCHAR", type="native", null_handling="special")
    assert one(con, "SELECT none_is(a) FROM t ORDER BY i LIMIT 3") == [(None,), (None,), ("none",)]
    con.create_function("masked", lambda a: np.ma.masked_equal(a, 2), ["BIGINT"], "BIGINT")
    assert one(con, "SELECT masked(a) FROM t ORDER BY i LIMIT 3") == [(1,), (None,), (None,)]


TEXTS = ["", "a", "fifteen bytes..", "sixteen bytes...", "x" * 255, "y" * 256, "z" * 70_000, "Ä", "日本語" * 30, "🦆"]


def test_texts_are_strings_of_numpy(con):
    """Short strings lie in NumPy's array, longer ones apart from it, in two ways."""
    con.execute("CREATE TABLE texts (i BIGINT, s VARCHAR)")
    con.executemany("INSERT INTO texts VALUES (?, ?)", list(enumerate([*TEXTS, None])))
    seen = []

    def swapped(s):
        assert s.dtype.kind == "T"
        seen.extend(np.ma.getdata(s).tolist())
        return np.strings.swapcase(s) if not np.ma.isMaskedArray(s) else np.ma.MaskedArray(np.strings.swapcase(s.data), s.mask)

    con.create_function("swapped", swapped, ["VARCHAR"], "VARCHAR", side_effects=True)
    con.create_function("swapped_too", swapped, ["VARCHAR"], "VARCHAR", null_handling="special", side_effects=True)
    wanted = [(text.swapcase(),) for text in TEXTS] + [(None,)]
    assert one(con, "SELECT swapped(s) FROM texts ORDER BY i") == wanted and seen == TEXTS
    seen.clear()
    assert one(con, "SELECT swapped_too(s) FROM texts ORDER BY i") == wanted and seen == [*TEXTS, ""]
    many = "SELECT count(*), sum(length(swapped(s || i))) FROM (SELECT texts.s, g.i FROM texts, generate_series(1, 20000) AS g(i) WHERE length(texts.s) < 300) AS x"
    assert one(con, many) == one(con, many.replace("swapped(s || i)", "s || i"))


def test_strings_of_numpy_are_results(con):
    con.execute("CREATE TABLE numbers AS SELECT i FROM generate_series(0, 9) AS g(i)")
    plain, words = np.dtypes.StringDType(), [f"word {i} " * i for i in range(10)]

    def check(make, wanted, type_name="VARCHAR"):
        con.create_function("made", make, ["BIGINT"], type_name)
        assert [row[0] for row in one(con, "SELECT made(i) FROM numbers ORDER BY i")] == wanted

    check(lambda i: np.array(words, plain)[::-1], words[::-1])
    check(lambda i: np.array(words * 2, plain)[::2], (words * 2)[::2])
    check(lambda i: np.ma.MaskedArray(np.array(words, plain), i % 2 == 0), [None if i % 2 == 0 else words[i] for i in range(10)])
    for missing in (None, float("nan")):
        some = [missing if i % 3 == 0 else words[i] for i in range(10)]
        check(lambda i: np.array(some, np.dtypes.StringDType(na_object=missing)), [None if i % 3 == 0 else words[i] for i in range(10)])
        check(lambda i: np.full(10, missing, np.dtypes.StringDType(na_object=missing)), [None] * 10, "BIGINT")
    check(lambda i: np.array(["gone", *words[1:]], np.dtypes.StringDType(na_object="gone")), ["gone", *words[1:]])
    check(lambda i: np.array([f"{n:032x}" for n in range(10)], plain), [uuid.UUID(int=n) for n in range(10)], "UUID")
    check(lambda i: np.array("one for all", plain), ["one for all"] * 10)
    con.create_function("made", lambda i: np.array(words, plain), ["BIGINT"], "BIGINT")
    with pytest.raises(scaup.ProgrammingError, match="returned VARCHAR, but it was created to return BIGINT"):
        one(con, "SELECT made(i) FROM numbers")


def test_results_of_other_types(con):
    def returns(value, type_name):
        con.create_function("f", lambda x: value, ["BIGINT"], type_name)
        return con.execute("SELECT f(i) FROM generate_series(1, 2) AS g(i)").fetchall()

    assert returns(3.0, "INTEGER") == [(3,), (3,)]
    assert returns(np.array([1, 2], np.uint8), "BIGINT") == [(1,), (2,)]
    assert returns(np.array([1, 2], ">i4"), "DOUBLE") == [(1.0,), (2.0,)]
    assert returns([1, None], "DECIMAL(5,1)") == [(decimal.Decimal("1.0"),), (None,)]
    assert returns([None, None], "DATE") == [(None,), (None,)]
    assert returns(np.array(["2024-01-02", "NaT"], "M8[D]"), "DATE") == [(datetime.date(2024, 1, 2),), (None,)]
    for value, type_name, sqlstate in [
        (2.5, "INTEGER", "22003"),
        (300, "TINYINT", "22003"),
        (float("nan"), "BIGINT", "22003"),
        ("1", "INTEGER", "42804"),
        (1, "VARCHAR", "42804"),
        ([1], "BIGINT", "22023"),
        (np.zeros((2, 2)), "DOUBLE", "38000"),
        ([1, "a"], "BIGINT", "38000"),
        (object(), "BIGINT", "38000"),
    ]:
        with pytest.raises(scaup.Error) as caught:
            returns(value, type_name)
        assert caught.value.sqlstate == sqlstate, (value, type_name, str(caught.value))
        if sqlstate != "38000" and sqlstate != "22003":
            assert "function f " in str(caught.value)


def test_errors_have_their_cause(con):
    def divide(x):
        return [1 // each for each in x.tolist()]

    con.create_function("divide", divide, ["BIGINT"], "BIGINT")
    with pytest.raises(scaup.OperationalError) as caught:
        con.execute("SELECT divide(i - 5) FROM generate_series(1, 10) AS g(i)")
    assert caught.value.sqlstate == "38000"
    assert "ZeroDivisionError" in str(caught.value) and "divide()" in str(caught.value) and "return [1 // each" in str(caught.value)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    assert "return [1 // each" in "".join(traceback.format_exception(caught.value.__cause__))
    con.create_function("upper_case", lambda s: s.upper(), ["VARCHAR"], "VARCHAR")
    with pytest.raises(scaup.OperationalError, match="type='native'"):
        con.execute("SELECT upper_case('a')")
    con.create_function("divide", divide, ["BIGINT"], "BIGINT", exception_handling="return_null")
    assert one(con, "SELECT divide(i) FROM generate_series(0, 0) AS g(i)") == [(None,)]
    con.create_function("inverse", lambda x: 1 // x, ["BIGINT"], "BIGINT", type="native", exception_handling="return_null")
    assert one(con, "SELECT inverse(i) FROM generate_series(0, 1) AS g(i)") == [(None,), (1,)]
    assert one(con, "SELECT 1") == [(1,)]


def test_only_rows_that_need_it(con):
    seen = []

    def note(x):
        seen.extend(x.tolist())
        return x

    con.create_function("note", note, ["BIGINT"], "BIGINT", side_effects=True)
    con.execute("CREATE TABLE t AS SELECT i FROM generate_series(1, 10) AS g(i)")
    assert one(con, "SELECT sum(CASE WHEN i > 8 THEN note(i) ELSE 0 END) FROM t") == [(19,)]
    assert sorted(seen) == [9, 10]
    seen.clear()
    assert one(con, "SELECT i FROM t WHERE note(i) > 0 AND i < 3 ORDER BY i") == [(1,), (2,)]
    assert sorted(seen) == [1, 2]
    seen.clear()
    assert one(con, "SELECT coalesce(nullif(i, 1), note(i)) FROM t WHERE i <= 2 ORDER BY 1") == [(1,), (2,)]
    assert seen == [1]
    seen.clear()
    assert one(con, "SELECT count(*) FROM t WHERE i > 9 AND (note(i) = 10 OR note(-i) = 10)") == [(1,)]
    assert seen == [10]
    seen.clear()
    one(con, "SELECT note(1), note(1) FROM t")
    assert len(seen) == 20
    seen.clear()
    one(con, "SELECT note(i) FROM generate_series(1, 1000000) AS g(i) LIMIT 1")
    assert len(seen) < 300000


def test_calls_in_calls_and_clauses(con):
    con.create_function("inc", lambda x: x + 1, ["BIGINT"], "BIGINT")
    con.create_function("half", lambda x: x / 2, ["DOUBLE"], "DOUBLE")
    con.execute("CREATE MACRO inc_of_sql(x) AS x + 1; CREATE MACRO half_of_sql(x) AS x / 2.0::DOUBLE")
    con.execute("CREATE TABLE t AS SELECT i, i % 7 AS g FROM generate_series(1, 5000) AS s(i)")
    for sql in [
        "SELECT {inc}({inc}({half}({inc}(i) * 2)::BIGINT)) AS x FROM t ORDER BY 1",
        "SELECT {inc}(g) AS x, sum({inc}(i)), max({inc}(i)) FILTER (WHERE {inc}(g) > 3) FROM t GROUP BY {inc}(g) HAVING sum({inc}(i)) > 0 ORDER BY {inc}(g)",
        "SELECT a.i FROM t a JOIN t b ON {inc}(a.i) = b.i WHERE {inc}(b.g) = 1 ORDER BY 1",
        "SELECT a.i FROM t a LEFT JOIN t b ON a.i = {inc}(b.i) AND {inc}(b.i) > 100 ORDER BY 1, b.i",
        "SELECT i, sum({inc}(i)) OVER (PARTITION BY {inc}(g) ORDER BY {inc}(i)) FROM t ORDER BY {inc}(i)",
        "SELECT (SELECT max({inc}(b.i)) FROM t b WHERE b.g = {inc}(a.g)) FROM t a ORDER BY a.i LIMIT 100",
        "SELECT DISTINCT {inc}(g) FROM t ORDER BY 1 DESC LIMIT 3",
        "SELECT list_transform([1, 2, g], x -> {inc}(x)) FROM t ORDER BY i LIMIT 9",
        "SELECT i FROM t WHERE EXISTS (SELECT 1 FROM t b WHERE {inc}(b.i) = t.g) ORDER BY i",
        "WITH RECURSIVE r(n) AS (SELECT 1::BIGINT UNION ALL SELECT {inc}(n) FROM r WHERE {inc}(n) < 50) SELECT sum(n), count(*) FROM r",
        "SELECT i, {inc}(i) FROM t WHERE i < 10 UNION SELECT {inc}(i), i FROM t WHERE i < 10 ORDER BY 1, 2",
    ]:
        expected = one(con, sql.format(inc="inc_of_sql", half="half_of_sql"))
        assert one(con, sql.format(inc="inc", half="half")) == expected, sql
    con.execute("UPDATE t SET g = inc(g) WHERE inc(i) <= 10")
    con.execute("INSERT INTO t SELECT inc(i), inc(g) FROM t WHERE i = 5000")
    con.execute("DELETE FROM t WHERE inc(i) = 100")
    assert one(con, "SELECT count(*), max(i), sum(g) FROM t") == [(5000, 5001, sum(i % 7 for i in range(1, 5001)) + 9 - 99 % 7 + 5000 % 7 + 1)]


def test_explain_shows_the_calls(con):
    con.create_function("f", lambda x: x, ["BIGINT"], "BIGINT")
    con.execute("CREATE TABLE t AS SELECT i FROM generate_series(1, 10) AS g(i)")
    plan = con.sql("SELECT sum(f(i)) FROM t WHERE f(i) > 2 AND i < 9").explain()
    assert plan.count("BatchedCalls") == 2 and "calls: f(" in plan
    assert "BatchedCalls" not in con.sql("SELECT CASE WHEN i > 1 THEN f(i) END FROM t").explain()


def test_order_is_kept(con):
    con.create_function("same", lambda x: x, ["BIGINT"], "BIGINT")
    con.execute("CREATE TABLE t AS SELECT i FROM generate_series(1, 500000) AS g(i)")
    con.execute("SET threads = 2")
    assert con.execute("SELECT same(i) AS i FROM t").fetchnumpy()["i"].tolist() == list(range(1, 500001))
    rows = [row for batch in con.sql("SELECT same(i) AS i FROM t WHERE same(i) % 2 = 0").fetch_record_batch() for row in batch.column(0).to_pylist()]
    assert rows == list(range(2, 500001, 2))


def test_arguments_may_be_kept(con):
    kept = []
    con.create_function("keep", lambda x: kept.append(x) or x, ["BIGINT"], "BIGINT")
    con.execute("SELECT sum(keep(i)) FROM generate_series(1, 200000) AS g(i)")
    con.close()
    assert sum(int(x.sum()) for x in kept) == 200000 * 200001 // 2


def test_replacing_removing_overloads(con):
    con.create_function("f", lambda x: x + 1, ["BIGINT"], "BIGINT")
    con.create_function("F", lambda x: x, ["VARCHAR"], "VARCHAR")
    con.execute("PREPARE p AS SELECT f(1), f('a')")
    assert one(con, "EXECUTE p") == [(2, "a")]
    con.create_function("f", lambda x: x + 2, ["BIGINT"], "BIGINT")
    assert one(con, "EXECUTE p") == [(3, "a")]
    assert one(con, "SELECT f(1)") == [(3,)]
    con.remove_function("f")
    for sql in ("EXECUTE p", "SELECT f(1)"):
        with pytest.raises(scaup.ProgrammingError, match="function f"):
            con.execute(sql)
    with pytest.raises(scaup.ProgrammingError, match="no function"):
        con.remove_function("f")
    with pytest.raises(scaup.ProgrammingError) as caught:
        con.create_function("abs", lambda x: x, ["BIGINT"], "BIGINT")
    assert caught.value.sqlstate == "42723"
    for arguments in [("g", 1, ["BIGINT"], "BIGINT"), ("g", len, ["NO SUCH"], "BIGINT"), ("g", len, [object], "BIGINT"), ("", len, ["BIGINT"], "BIGINT")]:
        with pytest.raises(scaup.ProgrammingError):
            con.create_function(*arguments)
    with pytest.raises(scaup.ProgrammingError, match="type must be one of"):
        con.create_function("g", len, ["BIGINT"], "BIGINT", type="rows")


def test_it_belongs_to_its_connection(con):
    con.create_function("f", lambda x: x, ["BIGINT"], "BIGINT")
    con.cursor().execute("SELECT f(1)")
    with pytest.raises(scaup.ProgrammingError):
        con.duplicate().execute("SELECT f(1)")


def test_the_catalog_does_not_depend_on_it(con):
    con.create_function("f", lambda x: x, ["BIGINT"], "BIGINT")
    for sql in ["CREATE TABLE t (a BIGINT DEFAULT f(1))", "CREATE TABLE t (a BIGINT CHECK (f(a) > 0))", "CREATE TABLE t (a BIGINT, b BIGINT GENERATED ALWAYS AS (f(a)) STORED)"]:
        with pytest.raises(scaup.NotSupportedError, match="of the program"):
            con.execute(sql)
    con.execute("CREATE VIEW v AS SELECT f(2) AS x")  # a temporary one
    assert one(con, "SELECT * FROM v") == [(2,)]
    with pytest.raises(scaup.Error):
        con.execute("CREATE VIEW main.w AS SELECT f(2) AS x")
    con.execute("CREATE MACRO m(x) AS f(x) + 1")
    assert one(con, "SELECT m(2)") == [(3,)]


def test_the_connection_cannot_be_used_within(con):
    con.create_function("f", lambda x: con.execute("SELECT 1").fetchall()[0], ["BIGINT"], "BIGINT")
    with pytest.raises(scaup.OperationalError) as caught:
        con.execute("SELECT f(i) FROM generate_series(1, 10) AS g(i)")
    assert caught.value.__cause__.sqlstate == "55006"
    other = con.duplicate()
    con.create_function("f", lambda x: x + other.execute("SELECT 1").fetchone()[0], ["BIGINT"], "BIGINT")
    assert one(con, "SELECT f(1)") == [(2,)]


def test_interrupts_end_the_body(con):
    def endless(x):
        while True:
            time.sleep(0.001)

    con.create_function("endless", endless, ["BIGINT"], "BIGINT")
    timer = threading.Timer(0.3, con.interrupt)
    timer.start()
    with pytest.raises(scaup.OperationalError) as caught:
        con.execute("SELECT endless(i) FROM generate_series(1, 10) AS g(i)")
    assert caught.value.sqlstate == "57014"
    timer.join()
    assert one(con, "SELECT 1") == [(1,)]


def test_threads(con):
    con.execute("SET threads = 4")
    con.create_function("f", lambda x: x * 2, ["BIGINT"], "BIGINT")
    con.execute("CREATE TABLE t AS SELECT i FROM generate_series(1, 300000) AS g(i)")
    assert one(con, "SELECT sum(f(i)) FROM t") == [(300000 * 300001,)]
    results = []

    def run():
        mine = con.duplicate()
        mine.create_function("f", lambda x: x * 3, ["BIGINT"], "BIGINT")
        results.append(one(mine, "SELECT sum(f(i)) FROM t"))

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [[(300000 * 300001 * 3 // 2,)]] * 4


IMPORTS_INTERRUPTED = """
import pathlib, random, sys, tempfile, threading, time
import scaup

folder = pathlib.Path(tempfile.mkdtemp())
package = folder / "slow_package"
package.mkdir()
(package / "__init__.py").write_text("".join(f"from . import part{i}\\n" for i in range(60)) + "done = True\\n")
for i in range(60):
    (package / f"part{i}.py").write_text("import time\\ntime.sleep(0.001)\\nvalue = sum(range(2000))\\n")
sys.path.insert(0, str(folder))
con = scaup.connect(config={"threads": 2})

def importing(x):
    import slow_package
    assert slow_package.done
    while True:
        time.sleep(0.001)

con.create_function("importing", importing, ["BIGINT"], "BIGINT")
for _ in range(15):
    for name in [name for name in sys.modules if name.startswith("slow_package")]:
        del sys.modules[name]
    timer = threading.Timer(random.uniform(0.02, 0.15), con.interrupt)
    timer.start()
    try:
        con.execute("SELECT importing(i) FROM range(10) r(i)")
        raise SystemExit("not interrupted")
    except scaup.OperationalError as error:
        assert error.sqlstate == "57014", error
    timer.join()
    found = []
    # Another thread can import the module: nobody holds its lock.
    thread = threading.Thread(target=lambda: found.append(__import__("slow_package").done), daemon=True)
    thread.start()
    thread.join(20)
    assert found == [True]
print("imported")
"""


def test_interrupts_wait_for_imports():
    done = subprocess.run([sys.executable, "-c", IMPORTS_INTERRUPTED], capture_output=True, text=True, timeout=120)
    assert done.stdout.strip() == "imported", done.stderr
