"""Frames of pandas and arrays as tables: what is converted when, and that types and errors are those of the whole table."""

import datetime as dt
import decimal
import random

import pytest
import scaup
from scaup import _scaup

np = pytest.importorskip("numpy")
pa = pytest.importorskip("pyarrow")
pd = pytest.importorskip("pandas")

MANY = 300_000


@pytest.fixture
def conversions(monkeypatch):
    """(length, whether it has objects) of everything that becomes an array and is not empty."""
    seen = []
    make = pa.array

    def array(values, *arguments, **named):
        if len(values) > 0:
            seen.append((len(values), getattr(values, "dtype", object) == object))
        return make(values, *arguments, **named)

    monkeypatch.setattr(pa, "array", array)
    return seen


COLUMNS = {
    "id": np.arange(5), "x": np.arange(5) / 4, "d": np.arange(5).astype("M8[D]"),
    "s": np.array(["a", "b", None, "d", "e"], dtype=object), "n": np.array([1, 2.5, None, 3, 4], dtype=object),
}


def test_columns_are_converted_when_they_are_wanted(con, conversions):
    arrays, frame = COLUMNS, pd.DataFrame(COLUMNS)
    for name in ("arrays", "frame"):
        for sql, wanted in (("sum(id)", 1), ("sum(id), max(x)", 2), ("count(s)", 1), ("count(*)", 1), ("sum(n), min(d)", 1)):
            conversions.clear()
            con.execute(f"SELECT {sql} FROM {name}").fetchall()
            # The column of numbers among objects is converted for its type, and not again when it is wanted.
            assert len(conversions) == wanted + 1, (name, sql, conversions)
    conversions.clear()
    assert len(con.sql("SELECT * FROM arrays").columns) == 5
    assert all(is_of_objects for _, is_of_objects in conversions) and frame is not None


@pytest.mark.parametrize("make", [dict, pd.DataFrame])
@pytest.mark.parametrize(
    "values",
    [
        np.array([1, 2, 3], "i2"), np.array([1, 2, 3], "u8"), np.array([0.5, np.nan, 2], "f4"), np.array([True, False, True]),
        np.array(["2024-01-01", "NaT", "2024-01-03"], "M8[s]"), np.array(["2024-01-01", "NaT", "2024-01-03"], "M8[ns]"),
        np.array([1, 2, 3], "m8[ms]"), np.array(["a", None, "b"], object), np.array([1, None, 2.5], object), np.array([b"a", "b", None], object),
        np.array(["a", b"b", None], object), np.array([None, None, None], object), np.array([dt.date(2024, 1, 1), None, dt.date(2024, 1, 2)], object),
        np.array([decimal.Decimal("1.5"), None, decimal.Decimal("22.25")], object), pd.Series(["a", None, "b"]), pd.Series([1, None, 3], dtype="Int64"),
        pd.Series(["a", "b", "a"], dtype="category"), pd.Series([True, None, False], dtype="boolean"), pd.Series(["a", None, "b"], dtype="string[python]"),
        pd.Series([1, None, 2], dtype="int16[pyarrow]"), pd.Series(pd.to_datetime(["2024-01-01", None, "2024-01-03"], utc=True)),
        pd.Series(["a", float("nan"), "b"], dtype=object), [1, 2, None], ["a", "b", None], [[1], [], None], [{"a": 1}, None, {"a": 2}],
    ],
    ids=lambda values: str(getattr(values, "dtype", type(values[0]).__name__)),
)
def test_types_and_values_are_those_of_pyarrow(con, make, values):
    frame = make({"i": [1, 2, 3], "v": values})
    whole = pa.Table.from_pandas(frame, preserve_index=False) if make is pd.DataFrame else pa.table(frame)
    assert con.sql("SELECT * FROM frame").types == con.sql("SELECT * FROM whole").types
    for columns in ("*", "v", "i", "v, i", "count(*)", "count(v)"):
        ours = con.execute(f"SELECT {columns} FROM frame").fetchall()
        wanted = con.execute(f"SELECT {columns} FROM whole").fetchall()
        assert repr(ours) == repr(wanted), columns
    con.register("kept", frame)
    for _ in range(2):
        assert repr(con.execute("SELECT * FROM kept").fetchall()) == repr(con.execute("SELECT * FROM whole").fetchall())


@pytest.mark.parametrize("make", [dict, pd.DataFrame])
@pytest.mark.parametrize("first, last", [("a", 5), ("a", b"b"), ("a", 1.5), (1, "a"), (b"a", 7), (dt.date(2024, 1, 1), "a")])
@pytest.mark.parametrize("row", [1, 5000, MANY - 1])
def test_values_of_another_type_behind_the_first_ones(con, make, first, last, row):
    values = np.array([first] * MANY, dtype=object)
    values[row] = last
    frame = make({"i": np.arange(MANY), "v": values})
    if {type(first), type(last)} == {str, bytes} and row < 1000:
        assert con.execute("SELECT count(v), min(v) FROM frame").fetchall() == [(MANY, b"a")]
        return
    with pytest.raises(scaup.OperationalError) as raised:
        con.execute("SELECT count(v), max(v) FROM frame").fetchall()
    assert isinstance(raised.value.__cause__, (TypeError, pa.ArrowInvalid))
    with pytest.raises(scaup.OperationalError):
        con.execute("CREATE TABLE t AS SELECT * FROM frame")
    if isinstance(first, str) and row > 1:
        assert con.execute("SELECT sum(i) FROM frame").fetchall() == [(MANY * (MANY - 1) // 2,)]


def test_long_columns_of_texts(con):
    texts = [None if i % 7 == 0 and i > 3 else f"text {i}" for i in range(MANY)]
    texts[131_072:262_144] = [None] * 131_072  # one batch without a text
    wanted = (MANY, sum(text is not None for text in texts), sum(len(text) for text in texts if text is not None), MANY * (MANY - 1) // 2)
    lists = {"i": range(MANY), "s": texts}
    arrays = {"i": np.arange(MANY), "s": np.array(texts, dtype=object)}
    frame = pd.DataFrame(arrays, index=np.arange(MANY)[::-1], dtype=object).astype({"i": "i8"})
    for name in ("lists", "arrays", "frame"):
        assert con.execute(f"SELECT count(*), count(s), sum(length(s)), sum(i) FROM {name}").fetchall() == [wanted]
        assert con.execute(f"SELECT count(*) FROM {name} WHERE s = 'text ' || i").fetchall() == [(wanted[1],)]
    assert con.execute("SELECT count(*) FROM arrays a JOIN arrays b USING (s)").fetchall() == [(wanted[1],)]
    assert lists and arrays and frame is not None


def test_missing_values(con):
    floats = np.array([0.5, np.nan])
    arrays, frame = {"x": floats, "o": np.array([1.5, np.nan], object)}, pd.DataFrame({"x": floats, "o": pd.Series([1.5, np.nan], dtype=object)})
    assert con.execute("SELECT count(x), count(o) FROM frame").fetchall() == [(1, 1)]
    assert con.execute("SELECT count(x), count(o) FROM arrays").fetchall() == [(2, 2)] and arrays and frame is not None
    series = {"x": pd.Series(floats), "m": np.ma.array([1, 2], mask=[True, False])}
    assert con.execute("SELECT count(x), count(m) FROM series").fetchall() == [(1, 1)] and series


def test_names_of_columns(con):
    frame = pd.DataFrame([[1, "a", 0.5]], columns=[7, ("p", "q"), "x"], index=[9])
    assert con.execute("""SELECT "7", "('p', 'q')", x FROM frame""").fetchall() == [(1, "a", 0.5)]
    assert con.execute("SELECT x FROM frame").fetchall() == [(0.5,)]
    twice = pd.DataFrame([[1, 2]], columns=["a", "a"])
    with pytest.raises(scaup.OperationalError, match="[Dd]uplicate"):
        con.execute("SELECT * FROM twice")
    levels = pd.DataFrame([[1, 2]], columns=pd.MultiIndex.from_tuples([("a", "b"), ("a", "c")]))
    assert con.execute("SELECT * FROM levels").fetchall() == [(1, 2)] and frame is not None and twice is not None


def test_ragged_columns(con):
    ragged = {"x": np.arange(3), "s": ["a", "b"]}
    for sql in ("SELECT * FROM ragged", "SELECT sum(x) FROM ragged", "SELECT count(*) FROM ragged"):
        for run in (con.execute, con.sql):
            with pytest.raises(scaup.OperationalError, match="Column 1 named s expected length 3 but got length 2"):
                run(sql)
    with pytest.raises(scaup.OperationalError, match="expected length"):
        con.register("ragged", ragged)


def test_no_rows_and_no_columns(con):
    for empty in ({"i": np.array([], "i4"), "s": np.array([], object)}, pd.DataFrame({"i": np.array([], "i4"), "s": []})):
        assert con.execute("SELECT count(*), count(s), sum(i) FROM empty").fetchall() == [(0, 0, None)]
    rows = [{"i": 1, "s": "a"}, {"i": 2, "s": None}]
    assert con.execute("SELECT count(*), sum(i), max(s) FROM rows").fetchall() == [(2, 3, "a")] and rows


def test_changes_are_seen(con):
    """Between statements, after register() and after the relation was made; nothing of an earlier reading is given."""
    for arrays in ({"n": [1, 2], "s": ["a", "b"]}, pd.DataFrame({"n": pd.Series([1, 2], dtype=object), "s": pd.Series(["a", "b"], dtype=object)})):
        con.register("registered", arrays)
        relation = con.sql("SELECT sum(n), max(s) FROM arrays")
        assert relation.columns
        arrays["n"] = [10, 20]
        arrays["s"] = ["x", "y"]
        for _ in range(2):
            assert con.execute("SELECT sum(n), max(s) FROM registered").fetchall() == [(30, "y")]
            assert relation.execute().fetchall() == [(30, "y")]
            assert con.execute("SELECT sum(n), max(s) FROM arrays").fetchall() == [(30, "y")]
        arrays["n"] = ["p", "q"]
        with pytest.raises(scaup.DataError, match="another type"):
            con.execute("SELECT max(n) FROM registered")
        arrays["n"] = [0.5, 1]
        with pytest.raises(scaup.DataError, match="another type"):
            con.execute("SELECT max(n) FROM registered")
        assert con.execute("SELECT max(s) FROM registered").fetchall() == [("y",)]
        con.execute("DROP TABLE IF EXISTS sums; CREATE TABLE sums (n DOUBLE PRECISION)")
        con.executemany("INSERT INTO sums SELECT n + ? FROM arrays", [(100,), (200,)])
        assert con.execute("SELECT n FROM sums ORDER BY 1").fetchall() == [(100.5,), (101,), (200.5,), (201,)]
        assert relation.execute().fetchall() == [(1.5, "y")]
        arrays["s"] = np.array([1, 2], dtype=object)
        with pytest.raises(scaup.Error, match="type"):
            con.execute("SELECT max(s) FROM registered")
    rows = [{"n": 1}]
    con.register("registered", rows)
    relation = con.sql("SELECT sum(n) FROM rows")
    rows.append({"n": 5})
    for _ in range(2):
        assert con.execute("SELECT sum(n) FROM registered").fetchall() == [(6,)] and relation.execute().fetchall() == [(6,)]
        rows[0] = {"n": 1}
    rows[0]["n"] = 7
    assert con.execute("SELECT sum(n) FROM registered").fetchall() == [(12,)] and relation.execute().fetchall() == [(12,)]


@pytest.mark.parametrize("make", [list, tuple, lambda values: np.array(values, dtype=object), lambda values: np.array([value for value in values for _ in range(2)], dtype=object)[::2]])
def test_texts_become_arrays(make):
    rng = random.Random(5)
    alphabet = "abcäßé€日本😀\x7f"
    for count in (0, 1, 7, 100, 3000):
        values = [None if rng.random() < 0.1 else "".join(rng.choices(alphabet, k=rng.randrange(30))) for _ in range(count)]
        made = make(values)
        array = pa.array(_scaup._texts(made, False))
        array.validate(full=True)
        assert array.type == pa.string()
        assert array.to_pylist() == list(made)


def test_what_is_no_text_is_left_to_pyarrow():
    for values in (["a", 1], ["\ud800"], ["a", b"b"], [float("nan")], np.arange(3), np.array([["a"]], dtype=object), "abc", {"a"}, 5):
        assert _scaup._texts(values, False) is None
    assert pa.array(_scaup._texts(["a", float("nan")], True)).to_pylist() == ["a", None]
    held = _scaup._texts(["once", "twice"], False)
    assert pa.array(held).to_pylist() == pa.array(held).to_pylist() == ["once", "twice"]
