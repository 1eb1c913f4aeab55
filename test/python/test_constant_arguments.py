"""Constants and repeated values as arguments of functions: single values, and each value once."""

import pickle
import sys
import types

import pytest

import scaup

np = pytest.importorskip("numpy", reason="functions get arrays")
pa = pytest.importorskip("pyarrow", reason="results of most types go through Arrow")

NUMBERS = "SELECT i::BIGINT AS i, i / 2::DOUBLE AS x, 'text ' || i AS s FROM generate_series(1, 3000) AS g(i)"


@pytest.fixture
def con():
    with scaup.connect(config={"stored_functions": "on", "threads": 2}) as connection:
        connection.execute(f"CREATE TABLE t AS {NUMBERS}")
        yield connection


class Kinds:
    """A function that notes the types of its arguments."""

    def __init__(self):
        self.seen = set()

    def __call__(self, *arguments):
        self.seen.add(tuple(type(each).__name__ for each in arguments))
        return arguments[0]

    def take(self):
        seen, self.seen = self.seen, set()
        assert len(seen) == 1, seen
        return seen.pop()


LISTING_5_2 = """
CREATE FUNCTION predict(data INTEGER, classifier BLOB)
RETURNS INTEGER
LANGUAGE PYTHON
{
    import pickle
    classifier = pickle.loads(classifier)
    return classifier.predict(data)
};
"""


class Classifier:
    """In the place of one of scikit-learn."""

    loaded = 0

    def __init__(self, factor):
        self.factor = factor
        self.ballast = bytes(200_000)

    def __setstate__(self, state):
        Classifier.loaded += 1
        self.__dict__.update(state)

    def predict(self, data):
        return np.asarray(data) * self.factor


def test_listing_5_2_of_the_thesis(con, monkeypatch):
    module = types.ModuleType("classifiers")
    module.Classifier = Classifier
    monkeypatch.setitem(sys.modules, "classifiers", module)
    monkeypatch.setattr(Classifier, "__module__", "classifiers")
    con.execute(LISTING_5_2)
    con.execute("CREATE TABLE models (name VARCHAR, classifier BLOB)")
    con.executemany("INSERT INTO models VALUES (?, ?)", [("RFC", pickle.dumps(Classifier(3))), ("other", pickle.dumps(Classifier(5)))])
    Classifier.loaded = 0
    by_subquery = "SELECT sum(predict(i::INTEGER, (SELECT classifier FROM models WHERE name = 'RFC'))) FROM t"
    assert con.execute(by_subquery).fetchone() == (3 * 3000 * 3001 // 2,)
    assert Classifier.loaded == 1
    by_parameter = con.execute("SELECT sum(predict(i::INTEGER, ?)) FROM t", [pickle.dumps(Classifier(7))]).fetchone()
    assert by_parameter == (7 * 3000 * 3001 // 2,)
    assert con.execute("SELECT predict(5, (SELECT classifier FROM models WHERE name = 'other'))").fetchone() == (25,)
    # It comes once for all rows, however large it is, and however many they are.
    con.execute(LISTING_5_2.replace("LANGUAGE PYTHON", "LANGUAGE PYTHON_MAP").replace("predict(data INTEGER", "predict_map(data INTEGER"))
    con.execute("CREATE TABLE many AS SELECT i::INTEGER AS i FROM range(200000) AS r(i)")
    Classifier.loaded = 0
    assert con.execute("SELECT sum(predict_map(i, (SELECT classifier FROM models WHERE name = 'RFC'))) FROM many").fetchone() == (3 * 199999 * 100000,)
    assert 1 <= Classifier.loaded < 20


@pytest.mark.parametrize("call, kinds", [
    ("f(i, 3)", ("ndarray", "int64")),
    ("f(i, 1 + 2)", ("ndarray", "int64")),
    ("f(3, i)", ("int64", "ndarray")),
    ("f(i, i)", ("ndarray", "ndarray")),
    ("f(i, i * 0 + 3)", ("ndarray", "ndarray")),
    ("f(3, 4)", ("ndarray", "int64")),
    ("f(i, (SELECT max(i) FROM t))", ("ndarray", "int64")),
    ("f(i, (SELECT max(i) FROM t) + 1)", ("ndarray", "int64")),
    ("f(i, (SELECT max(u.i) FROM t AS u WHERE u.i <= t.i))", ("ndarray", "ndarray")),
    ("f(i, extract(year FROM now())::BIGINT)", ("ndarray", "int64")),
    ("f(i, (10 * random())::BIGINT)", ("ndarray", "ndarray")),
    ("f(i, length('abc'))", ("ndarray", "int64")),
    ("inlined(i, 4)", ("ndarray", "int64")),
    ("inlined(i, i + 1)", ("ndarray", "ndarray")),
])
def test_the_expression_decides(con, call, kinds):
    f = Kinds()
    con.create_function("f", f, ["BIGINT", "BIGINT"], "BIGINT", side_effects=True)
    con.execute("CREATE MACRO inlined(a, b) AS f(a, b)")
    for where in ("i < 10", "i = 5", "i > 0"):
        con.execute(f"SELECT count({call}) FROM t WHERE {where}").fetchall()
        assert f.take() == kinds
    con.execute(f"SELECT CASE WHEN i % 2 = 0 THEN {call} END FROM t WHERE i < 100").fetchall()
    assert f.take() == kinds


def test_columns_of_one_value_are_arrays(con):
    f = Kinds()
    con.create_function("f", f, ["BIGINT", "BIGINT"], "BIGINT")
    con.execute("CREATE VIEW v AS SELECT i, 3 AS k FROM t")
    for query in ("SELECT f(i, k) FROM v", "SELECT f(i, k) FROM (SELECT i, 4 AS k FROM t) AS s", "SELECT f(i, i) FROM t WHERE i = 4"):
        con.execute(query).fetchall()
        assert f.take() == ("ndarray", "ndarray")
    con.execute("CREATE VIEW w AS SELECT f(i, 3) AS made FROM t")
    con.execute("SELECT * FROM w").fetchall()
    assert f.take() == ("ndarray", "int64")


def test_parameters_are_constants_each_time(con):
    f = Kinds()
    con.create_function("f", f, ["BIGINT", "BIGINT"], "BIGINT")
    for value in range(8):
        assert con.execute("SELECT sum(f(i, $1)) FROM t WHERE i < 4", [value]).fetchone() == (6,)
        assert f.take() == ("ndarray", "int64")
        assert con.execute("SELECT f($1, $2)", [value, 2]).fetchone() == (value,)
        assert f.take() == ("ndarray", "int64")


@pytest.mark.parametrize("sql, value", [
    ("7::SMALLINT", np.int16(7)), ("true", np.True_), ("1.5::REAL", np.float32(1.5)), ("'abc'", "abc"), ("'ab'::BLOB", b"ab"),
    ("DATE '2020-02-03'", np.datetime64("2020-02-03")), ("TIMESTAMP '2020-02-03 04:05:06'", np.datetime64("2020-02-03T04:05:06", "us")),
    ("1.25::DECIMAL(5,2)", np.float64(1.25)), ("[1, 2]", [1, 2]),
])
def test_values_of_types(con, sql, value):
    seen = []

    def f(i, constant):
        seen.append(constant)
        return i

    type_name = con.execute(f"SELECT typeof({sql})").fetchone()[0]
    con.create_function("f", f, ["BIGINT", type_name], "BIGINT")
    assert con.execute(f"SELECT sum(f(i, {sql})) FROM t WHERE i < 3").fetchone() == (3,)
    assert type(seen[0]) is type(value) and seen[0] == value


def test_null_constants(con):
    seen = []

    def f(i, constant):
        seen.append(constant)
        return i

    con.create_function("strict", f, ["BIGINT", "BIGINT"], "BIGINT")
    assert con.execute("SELECT count(*), count(strict(i, NULL)), count(strict(i, (SELECT i FROM t WHERE false))) FROM t").fetchone() == (3000, 0, 0)
    assert seen == []
    for kind in ("numpy", "pandas", "native"):
        con.create_function("special", f, ["BIGINT", "BIGINT"], "BIGINT", null_handling="special", type=kind)
        assert con.execute("SELECT sum(special(i, NULL)), sum(special(i, $1::BIGINT)) FROM t WHERE i < 3", [None]).fetchone() == (3, 3)
        assert seen and set(seen) == {None}
        seen.clear()
    con.create_function("special", lambda i, k: pa.array([i[0].as_py() if k.is_valid else -1] * len(i)), ["BIGINT", "BIGINT"], "BIGINT", null_handling="special", type="arrow")
    assert con.execute("SELECT sum(special(i, NULL)) FROM t WHERE i < 3").fetchone() == (-2,)


@pytest.mark.parametrize("kind, one, column", [("arrow", "Int16Scalar", "Int64Array"), ("pandas", "int16", "Series"), ("native", "int", "int")])
def test_other_kinds_of_arguments(con, kind, one, column):
    f = Kinds()
    con.create_function("f", f, ["SMALLINT", "BIGINT", "SMALLINT", "BIGINT"], "BIGINT", type=kind)
    con.create_function("g", lambda a, b, c, d: a + b + c + d, ["SMALLINT", "BIGINT", "SMALLINT", "BIGINT"], "BIGINT", type="native")
    found = con.execute("SELECT sum(g(1::SMALLINT, i, 2::SMALLINT, i * 2)) FROM t WHERE i <= 10").fetchone()
    assert found == (sum(3 + 3 * i for i in range(1, 11)),)
    try:
        con.execute("SELECT f(1::SMALLINT, i, 2::SMALLINT, i * 2) FROM t WHERE i <= 10").fetchall()
    except scaup.Error:
        pass  # f returns a scalar of Arrow
    assert f.seen.pop() == (one, column, one, column)


def test_two_calls_have_their_own_constants(con):
    con.create_function("scaled", lambda x, k: x * k, ["DOUBLE", "DOUBLE"], "DOUBLE")
    con.execute("CREATE FUNCTION shifted(x DOUBLE, k DOUBLE) RETURNS DOUBLE LANGUAGE PYTHON { return x + k }")
    found = con.execute("SELECT sum(scaled(x, 2)), sum(scaled(x, 3)), sum(shifted(x, 1)), sum(shifted(x, 2)), sum(shifted(scaled(x, 2), 5)) FROM t").fetchone()
    total = sum(i / 2 for i in range(1, 3001))
    assert found == (2 * total, 3 * total, total + 3000, total + 6000, 2 * total + 15000)
    assert con.execute("SELECT scaled(x, 2) = scaled(x, 3), shifted(2, x) = shifted(x, 2) FROM t WHERE i = 3").fetchone() == (False, True)


def test_errors_say_what_is_a_constant(con):
    con.create_function("plus_first", lambda x, k: x + k[0], ["BIGINT", "BIGINT"], "BIGINT")
    with pytest.raises(scaup.OperationalError, match=r"argument 2 is a constant in this call: one value, not a column"):
        con.execute("SELECT plus_first(i, 3) FROM t")
    assert con.execute("SELECT plus_first(i, i) FROM t WHERE i = 3").fetchone() == (6,)


def test_aggregates_get_arrays(con):
    con.create_function("wmean", lambda v, w: (v * w).sum() / w.sum(), ["DOUBLE", "DOUBLE"], "DOUBLE", kind="aggregate")
    con.create_function("percentile", lambda x, p: np.percentile(x, 100 * p[0]), ["DOUBLE", "DOUBLE"], "DOUBLE", kind="aggregate")
    assert con.execute("SELECT wmean(x, 1), percentile(x, 0.5), percentile(x, $1) FROM t", [0.25]).fetchone() == (750.25, 750.25, 375.375)


# --- Repeated values


@pytest.fixture(params=["memory", "file"])
def repeated(request, tmp_path):
    path = ":memory:" if request.param == "memory" else tmp_path / "repeated.scaup"
    with scaup.connect(path, config={"stored_functions": "on", "threads": 2}) as connection:
        connection.execute("""CREATE TABLE words AS SELECT i, CASE WHEN i % 11 = 10 THEN NULL ELSE 'word number ' || i % 11 END AS word FROM range(300000) AS r(i)""")
        connection.execute("CHECKPOINT")
        yield connection


def test_immutable_functions_get_each_value_once(repeated):
    seen = []

    def shout(words):
        seen.extend(words.tolist())
        return np.strings.upper(words)

    repeated.create_function("shout", shout, ["VARCHAR"], "VARCHAR")
    query = "SELECT count(*) FROM words WHERE shout(word) IS DISTINCT FROM upper(word)"
    assert repeated.execute(query).fetchone() == (0,)
    assert len(seen) < 6000 and set(seen) == {f"word number {i}" for i in range(10)}
    found = repeated.execute("SELECT shout(word) AS w, count(*) FROM words GROUP BY w ORDER BY w").fetchall()
    assert found == [(f"WORD NUMBER {i}", 300000 // 11 + (1 if i < 300000 % 11 else 0)) for i in range(10)] + [(None, 300000 // 11)]
    # Only values that some row has: the others may be errors.
    seen.clear()
    assert repeated.execute("SELECT DISTINCT shout(word) FROM words WHERE i % 11 IN (3, 10) ORDER BY 1").fetchall() == [("WORD NUMBER 3",), (None,)]
    assert set(seen) == {"word number 3"}
    # A function with effects gets all.
    seen.clear()
    repeated.create_function("shout", shout, ["VARCHAR"], "VARCHAR", side_effects=True)
    assert repeated.execute(query).fetchone() == (0,)
    assert len(seen) == 300000 - 300000 // 11


def test_repeated_values_with_constants_and_nulls(repeated):
    sizes = []

    def marked(words, mark):
        sizes.append(len(words))
        nulls = np.ma.getmaskarray(words) if isinstance(words, np.ma.MaskedArray) else np.zeros(len(words), bool)
        return [mark if is_null else f"{word}{mark}" for word, is_null in zip(np.ma.getdata(words).tolist(), nulls)]

    repeated.create_function("marked", marked, ["VARCHAR", "VARCHAR"], "VARCHAR", null_handling="special")
    assert repeated.execute("SELECT count(*) FROM words WHERE marked(word, '!') <> coalesce(word, '') || '!'").fetchone() == (0,)
    assert sum(sizes) < 6000
    repeated.create_function("marked", marked, ["VARCHAR", "VARCHAR"], "VARCHAR")
    assert repeated.execute("SELECT count(marked(word, NULL)), count(marked(word, '?')) FROM words").fetchone() == (0, 300000 - 300000 // 11)


def test_whole_calls_get_all_rows(repeated):
    repeated.execute("CREATE FUNCTION place(word VARCHAR) RETURNS BIGINT IMMUTABLE STRICT LANGUAGE PYTHON { return np.arange(len(word)) }")
    assert repeated.execute("SELECT count(DISTINCT place(word)) FROM words").fetchone() == (300000 - 300000 // 11,)


def test_errors_of_repeated_values(repeated):
    def picky(words):
        if "word number 5" in words.tolist():
            raise ValueError("no fives")
        return words

    repeated.create_function("picky", picky, ["VARCHAR"], "VARCHAR")
    assert repeated.execute("SELECT count(picky(word)) FROM words WHERE i % 11 < 5").fetchone() == (300000 // 11 * 5 + 5,)
    with pytest.raises(scaup.OperationalError, match="no fives"):
        repeated.execute("SELECT count(picky(word)) FROM words")
    repeated.create_function("picky", picky, ["VARCHAR"], "VARCHAR", exception_handling="return_null")
    assert repeated.execute("SELECT count(picky(word)) FROM words").fetchone() == (0,)
