"""Values for statements: by position and by name, and what types they may have."""

import collections
import datetime as dt
import decimal
import types
import uuid
import zoneinfo

import numpy as np
import pytest
import scaup

D = decimal.Decimal


@pytest.fixture
def ways(con):
    """Each way to run a query with parameters: way(sql, parameters) -> rows."""
    return [
        lambda sql, values: con.execute(sql, values).fetchall(),
        lambda sql, values: con.cursor().execute(sql, values).fetchall(),
        lambda sql, values: con.sql(sql, params=values).fetchall(),
        lambda sql, values: con.sql(sql, values).limit(9).fetchall(),
        lambda sql, values: con.cursor().sql(sql, parameters=values).fetchall(),
    ]


@pytest.mark.parametrize(
    "sql, row",
    [
        ("SELECT $a, $b, $a", (1, "x", 1)),
        ("SELECT :a, :b, :a", (1, "x", 1)),
        ("SELECT %(a)s, %(b)s, %(a)s", (1, "x", 1)),
        ("SELECT $b, :a, %(b)s", ("x", 1, "x")),
        ("SELECT :a::BIGINT, CAST(:b AS VARCHAR)", (1, "x")),
        ("SELECT :a/*:c*/, -- :d %(e)s $f\n ':g' || :b || $$:h %(i)s$$", (1, ":gx:h %(i)s")),
        ("SELECT E'\\':c', :a AS \":d\", :b", ("':c", 1, "x")),
        ("SELECT (ARRAY[5, 6, 7])[1:2], (ARRAY[5, 6, 7])[:a], [:a, 2], :b", ([5, 6], 5, [1, 2], "x")),
        ("SELECT s[k:n], s[k :n], s[CASE WHEN :a = 1 THEN 1 END:2], :b FROM (VALUES (ARRAY[5, 6, 7], 2, 3)) AS v(s, k, n)",
         ([6, 7], [6, 7], [5, 6], "x")),
        ("SELECT 7 %% 4, 'a%%b', '5%', 7 % %(a)s, %(b)s", (3, "a%b", "5%", 0, "x")),
    ],
)
def test_names(ways, sql, row):
    for way in ways:
        assert way(sql, {"a": 1, "b": "x"}) == [row]


def test_percent_signs_without_pyformat(con):
    assert con.execute("SELECT '%%', 7 % :a", {"a": 4}).fetchall() == [("%%", 3)]
    assert con.execute("SELECT '%%(a)s'").fetchall() == [("%%(a)s",)]
    assert con.execute("SELECT '%(a)s', ?", [1]).fetchall() == [("%(a)s", 1)]


def test_any_mapping_will_do(ways):
    frozen = types.MappingProxyType({"a": 1})
    for mapping in (collections.OrderedDict(a=1), frozen, collections.ChainMap({}, {"a": 1})):
        for way in ways:
            assert way("SELECT :a", mapping) == [(1,)]


def test_any_sequence_will_do(ways):
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    for values in ([1], (1,), np.array([1]), pandas.Series([1]), polars.Series([1]), range(1, 2), iter([1]), {1}):
        for way in ways[:2] if not isinstance(values, (list, tuple)) else ways:
            values = iter([1]) if hasattr(values, "__next__") else values
            assert way("SELECT ?", values) == [(1,)]


@pytest.mark.parametrize("sql", ["SELECT $a", "SELECT :a", "SELECT %(a)s"])
def test_missing_and_superfluous_names(ways, sql):
    for way in ways:
        for values, words in (({}, "no value.*'a'"), ({"A": 1}, "no value.*'a'"), ({"a": 1, "b": 2, "c": 3}, "no parameter for 'b', 'c'")):
            with pytest.raises(scaup.ProgrammingError, match=words) as raised:
                way(sql, values)
            assert raised.value.sqlstate == "42P02"


def test_names_for_question_marks_are_refused(con, ways):
    for way in ways:
        for sql in ("SELECT ?", "SELECT $1"):
            with pytest.raises(scaup.ProgrammingError, match="no parameter for 'a'"):
                way(sql, {"a": 1})
            with pytest.raises(scaup.ProgrammingError):
                way(sql, {})
        with pytest.raises(scaup.ProgrammingError, match="list"):
            way("SELECT ?", 5)
    with pytest.raises(scaup.ProgrammingError, match="list"):
        con.execute("SELECT ?", "text")


def test_errors_are_about_the_text_as_it_was_given(con):
    sql = "SELECT :a_long_name,\n  %(b)s, 5 %% 2, nowhere FROM range(3)"
    values = {"a_long_name": 1, "b": 2}
    for run in (con.execute, con.sql, con.cursor().execute, lambda sql, values: con.executemany(sql, [values])):
        with pytest.raises(scaup.ProgrammingError) as raised:
            run(sql, values)
        assert raised.value.position == sql.index("nowhere")
        line, caret = str(raised.value).split("\n")[-2:]
        assert line == "LINE 2:   %(b)s, 5 %% 2, nowhere FROM range(3)"
        assert caret == " " * line.index("nowhere") + "^"


def test_executemany_by_name(con):
    con.execute("CREATE TABLE t (i INTEGER, s VARCHAR)")
    con.executemany("INSERT INTO t VALUES (:i, %(s)s)", ({"s": f"s{i}", "i": i} for i in range(2500)))
    assert con.rowcount == 2500
    assert con.execute("SELECT count(*), sum(i), max(s) FROM t").fetchone() == (2500, sum(range(2500)), "s999")
    with pytest.raises(scaup.ProgrammingError, match="no value.*'s'"):
        con.executemany("INSERT INTO t VALUES (:i, :s)", [{"i": 1, "s": "a"}, {"i": 2}])
    with pytest.raises(scaup.ProgrammingError, match="all be sequences"):
        con.executemany("INSERT INTO t VALUES (:i, :s)", [{"i": 1, "s": "a"}, [1, "a"]])


def test_executemany_by_columns(con):
    pd, pl, pa = (pytest.importorskip(name) for name in ("pandas", "polars", "pyarrow"))
    moments = ["2024-01-01T00:00:00.000001", None]
    rows = [(1, "a", 0.5, dt.datetime(2024, 1, 1, 0, 0, 0, 1)), (2, None, None, None)]
    columns = {"i": [1, 2], "s": ["a", None], "x": [0.5, None], "t": [rows[0][3], None]}
    frame = pd.DataFrame({"i": [1, 2], "s": ["a", None], "x": [0.5, float("nan")], "t": pd.to_datetime(moments)})
    arrays = {"i": np.array([1, 2]), "s": pd.Series(["a", None]), "x": np.ma.array([0.5, 0], mask=[False, True]), "t": np.array(moments, "M8[ns]")}
    for data in (columns, frame, arrays, pl.DataFrame(columns), pa.table(columns), pa.table(columns).to_batches()[0]):
        for sql in ("INSERT INTO t VALUES (?, ?, ?, ?)", "INSERT INTO t VALUES ($1, $2, $3, $4)", "INSERT INTO t VALUES (:i, %(s)s, $x, :t)"):
            con.execute("DROP TABLE IF EXISTS t; CREATE TABLE t (i INTEGER, s VARCHAR, x DOUBLE PRECISION, t TIMESTAMP)")
            assert con.executemany(sql, data).rowcount == 2
            assert con.execute("SELECT * FROM t ORDER BY i").fetchall() == rows
    with pytest.raises(scaup.ProgrammingError, match="one length"):
        con.executemany("INSERT INTO t (i, s) VALUES (?, ?)", {"i": [1, 2], "s": ["a"]})
    with pytest.raises(scaup.ProgrammingError, match="no value.*'t'"):
        con.executemany("INSERT INTO t (t) VALUES (:t)", {"i": [1, 2]})
    assert con.executemany("INSERT INTO t (i) VALUES (?)", {"i": []}).rowcount == 0


def test_names_in_statements_that_change(con):
    con.execute("CREATE TABLE t (i INTEGER)")
    assert con.sql("INSERT INTO t VALUES (:a), ($b)", {"a": 1, "b": 2}) is None
    assert con.execute("DELETE FROM t WHERE i = %(a)s", {"a": 1}).rowcount == 1
    assert con.execute("UPDATE t SET i = :i RETURNING i", {"i": 9}).fetchall() == [(9,)]


def test_relations_of_all_kinds_of_names(con):
    one = con.sql("SELECT :k AS k, ':k' AS a", {"k": 1})
    two = con.sql("SELECT %(k)s AS k, 7 %% 4 AS b", {"k": 1})
    assert one.join(two, "k").fetchall() == [(1, ":k", 3)]
    assert one.query("r", "SELECT a FROM r WHERE k = :x", {"x": 1}).fetchall() == [(":k",)]


def test_many_texts_are_not_kept_for_ever(con):
    from scaup import _sql_text

    for i in range(2000):
        assert con.execute(f"SELECT :a + {i}", {"a": 1}).fetchone() == (i + 1,)
    assert len(_sql_text._named_texts) <= _sql_text._MOST_TEXTS


# --- Values


@pytest.mark.parametrize(
    "value, type_name, text",
    [
        (np.int8(-3), "INTEGER", "-3"), (np.int16(3), "INTEGER", "3"), (np.uint8(255), "INTEGER", "255"), (np.uint16(65535), "INTEGER", "65535"),
        (np.int64(-(2**63)), "BIGINT", str(-(2**63))), (np.uint64(2**64 - 1), "HUGEINT", str(2**64 - 1)),
        (np.float16(0.5), "DOUBLE", "0.5"), (np.float32(0.25), "DOUBLE", "0.25"), (np.longdouble(0.5), "DOUBLE", "0.5"),
        (np.bool_(False), "BOOLEAN", "false"), (np.str_("x"), "VARCHAR", "x"), (np.bytes_(b"x"), "BLOB", "\\x78"),
        (np.datetime64("12024-02-29"), "DATE", "12024-02-29"), (np.datetime64("2024-02"), "DATE", "2024-02-01"),
        (np.datetime64("12024-02-29T01:02:03.5"), "TIMESTAMP", "12024-02-29 01:02:03.5"),
        (np.datetime64("2024-02-29T01:02:03.123456789"), "TIMESTAMP", "2024-02-29 01:02:03.123456"),
        (np.timedelta64(14, "M"), "INTERVAL", "1 year 2 mons"), (np.timedelta64(1, "Y"), "INTERVAL", "1 year"),
        (np.timedelta64(3, "D"), "INTERVAL", "3 days"), (np.timedelta64(1_500_000_000, "ns"), "INTERVAL", "00:00:01.5"),
        (np.timedelta64("NaT"), "INTERVAL", "NULL"), (np.array(5), "INTEGER", "5"),
        (D("-12.50"), "DECIMAL(4,2)", "-12.50"), (uuid.UUID(int=5), "UUID", str(uuid.UUID(int=5))),
        (dt.datetime(2024, 7, 1, 1, tzinfo=dt.timezone(dt.timedelta(hours=2))), "TIMESTAMP WITH TIME ZONE", "2024-06-30 23:00:00+00"),
        (dt.time(1, 2, 3), "TIME", "01:02:03"),
        (dt.time(1, 2, 3, tzinfo=dt.timezone(-dt.timedelta(hours=4, minutes=30))), "TIME WITH TIME ZONE", "01:02:03-04:30"),
    ],
)
def test_types(value, type_name, text):
    assert scaup._scaup._parameter(value) == (type_name, text)


def test_times_without_an_offset_are_refused(one):
    too_far = dt.timezone(dt.timedelta(hours=20))
    for value in (dt.time(1, tzinfo=zoneinfo.ZoneInfo("Europe/Berlin")), dt.time(1, tzinfo=too_far), np.timedelta64(5)):
        with pytest.raises(scaup.NotSupportedError):
            one("?", [value])


def test_pandas_values(one):
    pd = pytest.importorskip("pandas")
    moment = pd.Timestamp("2024-07-01 01:00:00.123456", tz="Europe/Berlin")
    assert one("?", [moment]) == moment.to_pydatetime()
    assert one("?", [pd.Timestamp("2024-07-01 01:00:00.123456789")]) == dt.datetime(2024, 7, 1, 1, 0, 0, 123456)
    assert one("?", [pd.Timedelta("3 days 01:02:03.000004")]) == dt.timedelta(days=3, hours=1, minutes=2, seconds=3, microseconds=4)
    assert one("?", [pd.Timedelta("-1ns")]) in (dt.timedelta(0), dt.timedelta(microseconds=-1))
    assert one("?", [pd.NaT]) is None and one("?", [pd.NA]) is None


@pytest.mark.parametrize(
    "values, type_name, text",
    [
        ([1, 2**40], "BIGINT[]", "{1,1099511627776}"), ([1, 2.5], "DOUBLE[]", "{1,2.5}"),
        ([D("1.5"), D("10.25"), 3], "DECIMAL(12,2)[]", "{1.50,10.25,3.00}"), ([D("0.5"), 0.25], "DOUBLE[]", "{0.5,0.25}"),
        ([[1], [2**40], None, []], "BIGINT[][]", "{{1},{1099511627776},NULL,{}}"),
        ([{"a": 1}, {"a": 2.5}], "STRUCT(a DOUBLE)[]", '{(1),(2.5)}'),
        ([dt.date(2024, 1, 1), dt.datetime(2024, 1, 2, 3)], "TIMESTAMP[]", '{"2024-01-01 00:00:00","2024-01-02 03:00:00"}'),
        ((), "VARCHAR[]", "{}"), ([None], "VARCHAR[]", "{NULL}"), (range(3), "INTEGER[]", "{0,1,2}"), ({5}, "INTEGER[]", "{5}"),
        (np.array([1, 2], "i1"), "TINYINT[]", "{1,2}"), (np.array([1, 2]), "BIGINT[]", "{1,2}"), (np.array([], "i8"), "BIGINT[]", "{}"),
        (np.array([2**64 - 1], "u8"), "UBIGINT[]", "{18446744073709551615}"), (np.array([0.5], "f4"), "REAL[]", "{0.5}"),
        (np.array([0.5, np.nan]), "DOUBLE[]", "{0.5,NaN}"), (np.array([True]), "BOOLEAN[]", "{t}"),
        (np.array(["a", "bc"]), "VARCHAR[]", "{a,bc}"), (np.array(["a", None], object), "VARCHAR[]", "{a,NULL}"),
        (np.array([[1, 2], [3, 4]]), "BIGINT[][]", "{{1,2},{3,4}}"), (np.arange(6)[::2], "BIGINT[]", "{0,2,4}"),
        (np.array(["2024-01-01", "NaT"], "M8[D]"), "DATE[]", "{2024-01-01,NULL}"),
        (np.array(["2024-01-01T01:02:03"], "M8[ns]"), "TIMESTAMP[]", '{"2024-01-01 01:02:03"}'),
        (np.array([60, "NaT"], "m8[s]"), "INTERVAL[]", "{00:01:00,NULL}"),
        (np.ma.MaskedArray([1, 2], mask=[False, True]), "BIGINT[]", "{1,NULL}"),
    ],
)
def test_lists(values, type_name, text):
    assert scaup._scaup._parameter(values) == (type_name, text)


def test_series_are_lists():
    pd, pl, pa = (pytest.importorskip(name) for name in ("pandas", "polars", "pyarrow"))
    kind = scaup._scaup._parameter
    assert kind(pd.Series([1, 2])) == ("BIGINT[]", "{1,2}")
    assert kind(pd.Series([1.5, None])) == ("DOUBLE[]", "{1.5,NULL}")
    assert kind(pd.Series([1, None], dtype="Int64")) == ("BIGINT[]", "{1,NULL}")
    assert kind(pd.Series([], dtype="UInt8")) == ("UTINYINT[]", "{}")
    assert kind(pd.Series(["a", None])) == ("VARCHAR[]", "{a,NULL}")
    assert kind(pd.Series(["a", "b", "a"], dtype="category")) == ("VARCHAR[]", "{a,b,a}")
    assert kind(pd.Series(["2024-01-01", None], dtype="M8[ns]")) == ("TIMESTAMP[]", '{"2024-01-01 00:00:00",NULL}')
    assert kind(pd.Series(["2024-01-01"]).astype("datetime64[us, UTC]"))[0] == "TIMESTAMP WITH TIME ZONE[]"
    assert kind(pd.Index([3, 4])) == ("BIGINT[]", "{3,4}") and kind(pd.array([1, None])) == ("BIGINT[]", "{1,NULL}")
    assert kind(pl.Series([1, None], dtype=pl.Int16)) == ("SMALLINT[]", "{1,NULL}")
    assert kind(pl.Series(["a"])) == ("VARCHAR[]", "{a}") and kind(pl.Series([[1], [2]])) == ("INTEGER[][]", "{{1},{2}}")
    assert kind(pa.array([1, None])) == ("BIGINT[]", "{1,NULL}") and kind(pa.chunked_array([["a"], ["b"]])) == ("VARCHAR[]", "{a,b}")


@pytest.mark.parametrize("values", [[1, "a"], [1, [1]], [1, []], [[], 1], [{"a": 1}, {"b": 1}], [dt.date(2024, 1, 1), 5], np.array([1, "a"], object)])
def test_lists_without_a_common_type(con, values):
    with pytest.raises(scaup.NotSupportedError, match="one type"):
        con.execute("SELECT ?", [values])


def test_lists_find_rows(con):
    pd, pl = pytest.importorskip("pandas"), pytest.importorskip("polars")
    con.execute("CREATE TABLE t AS SELECT i, 'n' || i AS s FROM range(1000) AS r(i)")
    for ids in ([3, 5], (3, 5), {3, 5}, np.array([3, 5]), np.array([3, 5], "u1"), pd.Series([3, 5]), pl.Series([3, 5])):
        assert con.sql("SELECT s FROM t WHERE i = ANY($ids) ORDER BY i", {"ids": ids}).fetchall() == [("n3",), ("n5",)]
        assert con.execute("SELECT count(*) FROM t WHERE i = ANY(?)", [ids]).fetchone() == (2,)
    for names in (["n3"], np.array(["n3"]), pd.Series(["n3"])):
        assert con.execute("SELECT i FROM t WHERE s = ANY(:names)", {"names": names}).fetchall() == [(3,)]
    for nothing in ([], np.array([], "i8"), pd.Series([], dtype="Int64")):
        assert con.execute("SELECT count(*) FROM t WHERE i = ANY(?)", [nothing]).fetchone() == (0,)
    large = np.arange(10_000) * 3
    assert con.execute("SELECT count(*) FROM t WHERE i = ANY(?)", [large]).fetchone() == (334,)


def test_parameters_import_nothing():
    import subprocess
    import sys

    program = (
        "import sys, uuid, scaup\n"
        "con = scaup.connect()\n"
        "con.execute('SELECT :a, :b, :c', {'a': 1, 'b': uuid.UUID(int=1), 'c': [1.5]}).fetchall()\n"
        "try: con.execute('SELECT ?', [object()])\n"
        "except scaup.NotSupportedError: pass\n"
        "print(sorted({'numpy', 'pandas', 'polars', 'pyarrow'} & set(sys.modules)))\n"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"
