"""create_function(kind="aggregate"): aggregate functions of Python."""

import datetime
import threading
import traceback

import pytest

import scaup

np = pytest.importorskip("numpy", reason="functions get arrays")
pa = pytest.importorskip("pyarrow", reason="results of most types go through Arrow")


@pytest.fixture(params=[1, 2], ids=["one thread", "two threads"])
def con(request):
    with scaup.connect(config={"threads": request.param}) as connection:
        connection.execute("CREATE TABLE t AS SELECT i, i * 7919 % 1000 AS k, i % 17 + 0.25::DOUBLE AS v, i % 5 + 1::DOUBLE AS w FROM generate_series(1, 100000) AS g(i)")
        yield connection


def one(con, sql):
    return con.execute(sql).fetchall()


def wmean(v, w, group_offsets):
    return np.add.reduceat(v * w, group_offsets) / np.add.reduceat(w, group_offsets)


class MeanOfSums:
    state = [float, "DOUBLE"]

    def accumulate(self, v: float, w: float, group_offsets):
        return np.add.reduceat(v * w, group_offsets), np.add.reduceat(w, group_offsets)

    def merge(self, sums, weights, group_offsets):
        return np.add.reduceat(sums, group_offsets), np.add.reduceat(weights, group_offsets)

    def finish(self, sums, weights) -> float:
        return sums / weights


def by_group(v: float, w: float) -> float:
    return np.average(v, weights=w)


WANTED = "SELECT k, round(sum(v * w) / sum(w), 9) FROM t GROUP BY k ORDER BY k"


@pytest.mark.parametrize("form", [wmean, MeanOfSums, MeanOfSums(), by_group], ids=["groups", "class", "object", "group"])
def test_the_forms_agree(con, form):
    assert con.create_function("wmean", form, ["DOUBLE", "DOUBLE"], "DOUBLE", kind="aggregate") is con
    assert one(con, "SELECT k, round(wmean(v, w), 9) FROM t GROUP BY k ORDER BY k") == one(con, WANTED)
    assert one(con, "SELECT round(WMEAN(v, w), 6) FROM t") == one(con, "SELECT round(sum(v * w) / sum(w), 6) FROM t")
    assert one(con, "SELECT wmean(v, w), count(*) FROM t WHERE i < 0") == [(None, 0)]
    assert one(con, "SELECT wmean(v, w) FROM t WHERE i < 0 GROUP BY k") == []


def test_calls_describe_their_groups(con):
    calls = []

    def sizes(x: int, aggr_group, group_offsets, n_groups) -> int:
        assert not x.flags.writeable and not aggr_group.flags.writeable and not group_offsets.flags.writeable
        assert len(x) == len(aggr_group) and len(group_offsets) == n_groups
        assert (np.diff(aggr_group) >= 0).all() and aggr_group[0] == 0 and aggr_group[-1] == n_groups - 1
        counts = np.bincount(aggr_group, minlength=n_groups)
        assert (np.cumsum(counts)[:-1] == group_offsets[1:]).all()
        calls.append(len(x))
        return counts

    con.create_function("sizes", sizes, kind="aggregate", batch_rows=10_000)
    assert one(con, "SELECT sum(n), min(n), max(n) FROM (SELECT sizes(i) AS n FROM t GROUP BY k)") == [(100_000, 100, 100)]
    assert max(calls) <= 10_000 and sum(calls) == 100_000 and len(calls) < 100
    assert one(con, "SELECT sizes(i) FROM t") == [(100_000,)]


def test_types_come_from_annotations(con):
    con.create_function("mean_of_sums", MeanOfSums, kind="aggregate")
    con.create_function("mean_by_group", by_group, kind="aggregate")

    @con.function(kind="aggregate")
    def last_text(s: str, group_offsets, n_groups) -> str:
        return s[np.append(group_offsets[1:], len(s)) - 1]

    assert con.sql("SELECT mean_of_sums(1, 2) AS a, mean_by_group(1, 2) AS b, last_text('x') AS c").types == ["DOUBLE", "DOUBLE", "VARCHAR"]
    assert one(con, "SELECT last_text('row ' || i ORDER BY i) FROM t") == [("row 100000",)]
    with pytest.raises(scaup.ProgrammingError, match="no annotation"):
        con.create_function("f", lambda x: x, kind="aggregate")

    class WithoutTypes:
        def accumulate(self, x: int):
            return x

        def merge(self, s):
            return s

        def finish(self, s) -> int:
            return s

    with pytest.raises(scaup.ProgrammingError, match="types of the state are not known"):
        con.create_function("f", WithoutTypes, kind="aggregate")


def test_types_come_from_annotations_of_arrays(con):
    numpy_typing = pytest.importorskip("numpy.typing")

    def mean(x: "numpy_typing.NDArray[np.float32]", group_offsets: "numpy_typing.NDArray[np.int64]") -> "numpy_typing.NDArray[np.float64]":
        return np.add.reduceat(x.astype(np.float64), group_offsets)

    mean.__annotations__ = {"x": numpy_typing.NDArray[np.float32], "return": numpy_typing.NDArray[np.float64]}
    con.create_function("sum_of", mean, kind="aggregate")
    assert con.sql("SELECT sum_of(0.5) AS s").types == ["DOUBLE"]
    assert one(con, "SELECT sum_of(x) FROM (VALUES (0.5), (1.5)) AS t(x)") == [(2.0,)]


def test_states_of_tuples_that_annotations_describe(con):
    class Longest:
        def accumulate(self, s: str, aggr_group, n_groups) -> tuple[str, int]:
            longest = ["" for _ in range(n_groups)]
            counts = np.bincount(aggr_group, minlength=n_groups)
            for text, group in zip(s.tolist(), aggr_group.tolist()):
                longest[group] = max(longest[group], text, key=lambda each: (len(each), each))
            return longest, counts

        def merge(self, s, n, aggr_group, n_groups):
            longest, counts = self.accumulate(s, aggr_group, n_groups)
            return longest, np.bincount(aggr_group, weights=n, minlength=n_groups).astype(np.int64)

        def finish(self, s, n) -> str:
            return [f"{count} {text}" for text, count in zip(s.tolist(), n.tolist())]

    con.create_function("longest", Longest, kind="aggregate", batch_rows=50)
    wanted = {k: f"100 {max((str(i) for i in range(1, 100_001) if i * 7919 % 1000 == k), key=lambda each: (len(each), each))}" for k in (0, 17)}
    found = dict(one(con, "SELECT k, longest(i::VARCHAR) FROM t GROUP BY k"))
    assert {k: found[k] for k in wanted} == wanted
    assert one(con, "SELECT longest('text number ' || i) FROM t") == [("100000 text number 100000",)]


def test_clauses_of_calls(con):
    con.create_function("texts", lambda x: "".join(sorted(x) if len(x) < 0 else x), ["VARCHAR"], "VARCHAR", kind="aggregate", type="native")
    con.execute("CREATE TABLE s AS SELECT * FROM (VALUES (1, 'b', 2), (1, 'a', 1), (2, 'c', 4), (1, 'a', 3), (2, NULL, 5), (3, NULL, 6)) AS s(k, x, n)")
    cases = {
        "SELECT k, texts(x ORDER BY n DESC) FROM s GROUP BY k ORDER BY k": [(1, "aba"), (2, "c"), (3, None)],
        "SELECT k, texts(DISTINCT x) FROM s GROUP BY k ORDER BY k": [(1, "ab"), (2, "c"), (3, None)],
        "SELECT k, texts(x ORDER BY n) FILTER (WHERE n > 1) FROM s GROUP BY k ORDER BY k": [(1, "ba"), (2, "c"), (3, None)],
        "SELECT k, texts(x ORDER BY n) FROM s GROUP BY GROUPING SETS ((k), ()) ORDER BY k": [(1, "aba"), (2, "c"), (3, None), (None, "abac")],
        "SELECT n, texts(x) OVER (PARTITION BY k ORDER BY n) FROM s ORDER BY n": [(1, "a"), (2, "ab"), (3, "aba"), (4, "c"), (5, "c"), (6, None)],
        "SELECT n, texts(x) OVER (PARTITION BY k) FROM s WHERE k = 2 ORDER BY n": [(4, "c"), (5, "c")],
        "SELECT texts(x ORDER BY n), texts(x ORDER BY n), max(x), count(*) FROM s": [("abac", "abac", "c", 6)],
        "SELECT k FROM s GROUP BY k HAVING texts(x) = 'c'": [(2,)],
    }
    for query, wanted in cases.items():
        assert one(con, query) == wanted, query


def test_ordered_calls_get_many_groups(con):
    calls = []

    def first(x: int, group_offsets, n_groups) -> int:
        calls.append(n_groups)
        return x[group_offsets]

    con.create_function("first_of", first, kind="aggregate")
    assert one(con, "SELECT k, first_of(i ORDER BY i DESC) FROM t GROUP BY k ORDER BY k") == one(con, "SELECT k, max(i) FROM t GROUP BY k ORDER BY k")
    assert sum(calls) == 1000 and len(calls) < 100


@pytest.mark.parametrize("kind", ["numpy", "arrow", "pandas", "native"])
def test_types_of_calls(con, kind):
    if kind == "pandas":
        pytest.importorskip("pandas")
    seen = []

    def grouped(x, s, group_offsets, n_groups):
        seen.append(type(x).__module__.partition(".")[0])
        return [len(x)] * n_groups

    def single(x, s):
        return (x.to_pylist() if kind == "arrow" else list(x))[-1] + len(s)

    con.create_function("grouped", grouped, ["BIGINT", "VARCHAR"], "BIGINT", kind="aggregate", type=kind)
    con.create_function("single", single, ["BIGINT", "VARCHAR"], "BIGINT", kind="aggregate", type=kind)
    assert one(con, "SELECT k, grouped(i, 'x') FROM t WHERE k < 2 GROUP BY k HAVING count(*) > 0 ORDER BY k") == [(0, 200), (1, 200)] or con.execute("SHOW threads").fetchone() != ("1",)
    assert one(con, "SELECT k, single(i, 'x' ORDER BY i) FROM t WHERE k < 2 GROUP BY k ORDER BY k") == one(con, "SELECT k, max(i) + 100 FROM t WHERE k < 2 GROUP BY k ORDER BY k")
    assert set(seen) == {{"numpy": "numpy", "arrow": "pyarrow", "pandas": "pandas", "native": "builtins"}[kind]}


def test_nulls(con):
    con.create_function("n_rows", lambda x, n_groups, group_offsets: np.diff(np.append(group_offsets, len(x))), ["BIGINT"], "BIGINT", kind="aggregate")
    con.create_function("n_all", lambda x: len(x), ["BIGINT"], "BIGINT", kind="aggregate", null_handling="special")
    con.create_function("n_null", lambda x: np.ma.getmaskarray(x).sum(), ["BIGINT"], "BIGINT", kind="aggregate", null_handling="special")
    con.create_function("nothing", lambda x: None, ["BIGINT"], "BIGINT", kind="aggregate")
    query = "SELECT k % 2, {}(CASE WHEN k % 3 = 1 THEN k END) FROM t WHERE k < 6 GROUP BY 1 ORDER BY 1"
    assert one(con, query.format("n_rows")) == [(0, 100), (1, 100)]
    assert one(con, query.format("n_all")) == [(0, 300), (1, 300)]
    assert one(con, query.format("n_null")) == [(0, 200), (1, 200)]
    assert one(con, query.format("nothing")) == [(0, None), (1, None)]
    assert one(con, "SELECT n_rows(NULL), n_all(NULL) FROM t") == [(None, 100_000)]


def test_values_of_groups_become_those_of_sql(con):
    cases = [
        ("DATE", lambda x: x.max(), "DATE '2024-05-06'", datetime.date(2024, 5, 6)),
        ("TIMESTAMP", lambda x: x[0], "TIMESTAMP '2024-05-06 01:02:03'", datetime.datetime(2024, 5, 6, 1, 2, 3)),
        ("DOUBLE", lambda x: np.ma.masked, "1.5", None),
        ("DOUBLE[]", lambda x: np.array([1.0, 2.0]), "[0.5]", [1.0, 2.0]),
        ("BIGINT", lambda x: np.int8(7), "1", 7),
        ("BOOLEAN", lambda x: x.any(), "true", True),
        ("VARCHAR", lambda x: x[0] + "!", "'text'", "text!"),
    ]
    for number, (kind, function, value, wanted) in enumerate(cases):
        con.create_function(f"f{number}", function, [kind], kind, kind="aggregate")
        assert one(con, f"SELECT f{number}({value})") == [(wanted,)], kind


def test_results_are_checked(con):
    def fails(function, result, message, sqlstate):
        con.create_function("f", function, ["BIGINT"], result, kind="aggregate")
        with pytest.raises(scaup.Error, match=message) as caught:
            con.execute("SELECT f(i) FROM t")
        assert caught.value.sqlstate == sqlstate

    fails(lambda x, n_groups: x, "BIGINT", "was called for 1 rows and returned 100000 values", "22023")
    fails(lambda x: "text", "BIGINT", "returned VARCHAR, but it was created to return BIGINT", "42804")
    fails(lambda x: 2.5, "BIGINT", "number with a fraction", "22003")
    fails(lambda x: 1000, "TINYINT", "out of range", "22003")
    fails(lambda x, n_groups: np.zeros((2, 2)), "DOUBLE", "2 dimensions", "38000")


def test_errors_have_their_cause(con):
    def failing(x: int, n_groups) -> int:
        return n_groups // 0

    con.create_function("failing", failing, kind="aggregate")
    with pytest.raises(scaup.OperationalError, match=r"ZeroDivisionError: .* in failing\(\), line \d+: return n_groups // 0") as caught:
        con.execute("SELECT failing(i) FROM t GROUP BY k")
    assert caught.value.sqlstate == "38000" and isinstance(caught.value.__cause__, ZeroDivisionError)
    assert "return n_groups // 0" in "".join(traceback.format_exception(caught.value.__cause__))
    con.create_function("failing", failing, kind="aggregate", exception_handling="return_null")
    assert one(con, "SELECT DISTINCT failing(i) FROM t GROUP BY k") == [(None,)]
    con.create_function("failing", lambda x: 1 // (int(x[0]) % 2), ["BIGINT"], "BIGINT", kind="aggregate", exception_handling="return_null")
    assert one(con, "SELECT i, failing(i) FROM t WHERE i < 4 GROUP BY i ORDER BY i") == [(1, 1), (2, None), (3, 1)]

    class Broken(MeanOfSums):
        def accumulate(self, v, w, group_offsets):
            return v

    con.create_function("broken", Broken, ["DOUBLE", "DOUBLE"], "DOUBLE", kind="aggregate")
    with pytest.raises(scaup.OperationalError, match="must return a tuple of the 2 columns of the state, not ndarray"):
        con.execute("SELECT broken(v, w) FROM t")


def test_misuse_is_refused(con):
    cases = [
        ({"kind": "table?"}, "kind must be one of"),
        ({"side_effects": True}, "no side effects"),
        ({"parameters": ["BIGINT", ...]}, "fixed number of parameters"),
        ({"parameters": []}, "an argument and a body"),
        ({"name": "sum"}, "built-in function"),
        ({"function": int}, "methods accumulate, merge, finish"),
        ({"function": MeanOfSums, "exception_handling": "return_null"}, "leave exception_handling out"),
    ]
    for options, message in cases:
        given = {"name": "f", "function": lambda x: 1, "parameters": ["BIGINT"], "return_type": "BIGINT", "kind": "aggregate", **options}
        with pytest.raises(scaup.Error, match=message):
            con.create_function(**given)
    con.create_function("f", lambda x: 1, ["BIGINT"], "BIGINT", kind="aggregate")
    con.create_function("f", lambda x: x + 1, ["BIGINT"], "BIGINT")
    assert one(con, "SELECT f(5)") == [(6,)]
    con.remove_function("f")
    with pytest.raises(scaup.ProgrammingError):
        con.execute("SELECT f(5)")


def test_a_running_aggregate_is_interrupted(con):
    def slow(x: int) -> int:
        started.set()
        while True:
            sum(range(1000))

    started = threading.Event()
    con.create_function("slow", slow, kind="aggregate")
    interrupter = threading.Thread(target=lambda: (started.wait(), con.interrupt()))
    interrupter.start()
    with pytest.raises(scaup.Error) as caught:
        con.execute("SELECT slow(i) FROM t")
    interrupter.join()
    assert caught.value.sqlstate == "57014"
    assert one(con, "SELECT count(*) FROM t") == [(100_000,)]


@pytest.mark.parametrize("form", [wmean, MeanOfSums], ids=["groups", "class"])
def test_rows_spill(form):
    with scaup.connect(config={"threads": 2, "memory_limit": "40MB"}) as con:
        con.create_function("wmean", form, ["DOUBLE", "DOUBLE"], "DOUBLE", kind="aggregate")
        con.execute("CREATE VIEW t AS SELECT i * 7919::BIGINT % 50000 AS k, i % 17 + 0.25::DOUBLE AS v, i % 5 + 1::DOUBLE AS w FROM generate_series(1, 2000000) AS g(i)")
        wanted = "SELECT count(*), round(sum(m), 4) FROM (SELECT sum(v * w) / sum(w) AS m FROM t GROUP BY k)"
        assert one(con, "SELECT count(*), round(sum(m), 4) FROM (SELECT wmean(v, w) AS m FROM t GROUP BY k)") == one(con, wanted)
        if form is MeanOfSums:  # one group of 32 MB is never in memory as a whole
            assert one(con, "SELECT round(wmean(v, w), 6) FROM t") == one(con, "SELECT round(sum(v * w) / sum(w), 6) FROM t")
