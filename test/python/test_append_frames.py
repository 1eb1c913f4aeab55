"""append() of tables of columns: frames, Arrow tables, dicts of columns, relations; into tables and collections."""

import datetime as dt
import decimal
import random

import pytest
import scaup

np = pytest.importorskip("numpy")
pa = pytest.importorskip("pyarrow")
pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")

BIG = 1577134800018164904  # not a double
COLUMNS = {"i": [1, None, BIG], "s": ["a", "b", None], "x": [1.5, 2.5, None]}
ROWS = [(1, "a", 1.5), (None, "b", 2.5), (BIG, None, None)]
TABLE = pa.table(COLUMNS)


class Stream:
    def __arrow_c_stream__(self, requested_schema=None):
        return TABLE.__arrow_c_stream__(requested_schema)


FORMS = {
    "pandas": lambda con: pd.DataFrame(COLUMNS).astype({"i": "object"}).assign(i=pd.array(COLUMNS["i"], dtype="Int64")),
    "Polars": lambda con: pl.DataFrame(COLUMNS),
    "lazy": lambda con: pl.LazyFrame(COLUMNS),
    "table": lambda con: TABLE,
    "batch": lambda con: TABLE.to_batches()[0],
    "reader": lambda con: TABLE.to_reader(),
    "dataset": lambda con: pytest.importorskip("pyarrow.dataset").dataset(TABLE),
    "stream": lambda con: Stream(),
    "lists": lambda con: COLUMNS,
    "arrays": lambda con: {"i": pd.array(COLUMNS["i"], dtype="Int64"), "s": np.array(COLUMNS["s"], dtype=object), "x": pa.array(COLUMNS["x"])},
    "relation": lambda con: con.values(*ROWS),
    "result": lambda con: con.sql("VALUES " + "(1, 'a', 1.5), (NULL, 'b', 2.5), (%d, NULL, NULL)" % BIG).execute(),
}


@pytest.fixture(name="table")
def fixture_table(con):
    con.execute("CREATE TABLE t (i BIGINT, s VARCHAR, x DOUBLE)")
    return lambda: con.execute("SELECT * FROM t").fetchall()


@pytest.mark.parametrize("form", FORMS)
def test_every_kind_of_table(con, table, form):
    data = FORMS[form](con)
    assert con.append("t", data) is con
    assert con.rowcount == 3
    assert table() == ROWS


@pytest.mark.parametrize("form", [form for form in FORMS if form not in ("relation", "result")])
def test_every_kind_by_name(con, form):
    con.execute("CREATE TABLE t (x DOUBLE, d INTEGER DEFAULT 7, s VARCHAR, i BIGINT)")
    con.append("t", FORMS[form](con), by_name=True)
    assert con.execute("SELECT i, s, x, d FROM t").fetchall() == [(*row, 7) for row in ROWS]


@pytest.mark.parametrize("form", [form for form in FORMS if form not in ("relation", "result")])
def test_rows_are_documents_of_a_collection(con, form):
    con.execute("CREATE COLLECTION c")
    con.append("c", FORMS[form](con))
    assert con.rowcount == 3
    assert con.execute("SELECT i, s, x FROM c").fetchall() == ROWS
    assert con.execute("SELECT c FROM c").fetchall()[1] == ('{"i":null,"s":"b","x":2.5}',)


def test_nested_columns_in_documents(con):
    con.execute("CREATE COLLECTION c")
    con.append("c", pa.table({"o": [{"a": 1, "b": [True, None]}, None], "l": [[{"k": "v"}], []]}))
    assert con.execute("SELECT c FROM c").fetchall() == [('{"o":{"a":1,"b":[true,null]},"l":[{"k":"v"}]}',), ('{"o":null,"l":[]}',)]
    con.append("c", [{"o": {"a": 1, "b": [True, None]}, "l": [{"k": "v"}]}])
    assert con.execute("SELECT count(DISTINCT c::VARCHAR) FROM c WHERE o.a = 1").fetchone() == (1,)


@pytest.fixture(name="strict")
def fixture_strict(con):
    con.execute("CREATE TABLE parents (k INTEGER PRIMARY KEY)")
    con.execute("INSERT INTO parents VALUES (1), (2)")
    con.execute(
        "CREATE TABLE t (id INTEGER GENERATED ALWAYS AS IDENTITY, n INTEGER NOT NULL CHECK (n > 0), twice INTEGER GENERATED ALWAYS AS (n * 2) STORED, "
        "u INTEGER UNIQUE, k INTEGER REFERENCES parents, d VARCHAR DEFAULT 'none')"
    )
    return lambda: con.execute("SELECT id, n, twice, u, k, d FROM t ORDER BY id").fetchall()


def test_columns_that_make_their_own_values(con, strict):
    con.append("t", pd.DataFrame({"a": [5, 6], "b": [1, 2], "c": [1, 2], "e": ["x", None]}))
    con.append("t", pl.DataFrame({"u": [3], "n": [7]}), by_name=True)
    assert strict() == [(1, 5, 10, 1, 1, "x"), (2, 6, 12, 2, 2, None), (3, 7, 14, 3, None, "none")]


@pytest.mark.parametrize("in_block", [False, True])
@pytest.mark.parametrize(
    "columns, error, sqlstate",
    [
        ({"n": [1, -1]}, scaup.IntegrityError, "23514"),
        ({"n": [1, None]}, scaup.IntegrityError, "23502"),
        ({"n": [1, 2], "u": [3, 3]}, scaup.IntegrityError, "23505"),
        ({"n": [1, 2], "k": [1, 3]}, scaup.IntegrityError, "23503"),
        ({"n": [1, 2**40]}, scaup.DataError, "22003"),
        ({"n": ["1", "one"]}, scaup.Error, None),
        ({"n": [1], "nobody": [1]}, scaup.ProgrammingError, "42703"),
    ],
)
def test_rows_that_are_refused_leave_nothing(con, strict, columns, error, sqlstate, in_block):
    if in_block:
        con.begin()
    with pytest.raises(error) as caught:
        con.append("t", columns, by_name=True)
    assert sqlstate in (None, caught.value.sqlstate)
    assert "own table" not in str(caught.value) and "INSERT" not in str(caught.value)
    if in_block:
        con.rollback()
    assert strict() == []


def test_wrong_shapes(con, table):
    for data in ({"i": [1]}, {"i": [1], "s": ["a"], "x": [1.0], "more": [1]}):
        with pytest.raises(scaup.ProgrammingError):
            con.append("t", data)
    with pytest.raises(scaup.Error):
        con.append("t", {"i": [1, 2], "s": ["a"], "x": [1.0, 2.0]})
    with pytest.raises(scaup.ProgrammingError) as caught:
        con.append("t", pa.Table.from_arrays([pa.array([1]), pa.array([2])], names=["i", "i"]), by_name=True)
    assert caught.value.sqlstate == "42701"
    with pytest.raises(scaup.ProgrammingError) as caught:
        con.append("nobody", pd.DataFrame(COLUMNS))
    assert caught.value.sqlstate == "42P01" and "CREATE TABLE" in str(caught.value)
    con.append("t", pd.DataFrame({"i": [], "s": [], "x": []}))
    assert con.rowcount == 0
    assert table() == []


def test_names(con):
    con.execute('CREATE SCHEMA "My Schema"; CREATE TABLE "My Schema"."T ""q""" ("A b" INTEGER, "a""c" INTEGER)')
    con.append('T "q"', pl.DataFrame({'a"c': [2], "A b": [1]}), "My Schema", by_name=True)
    con.append('T "q"', pl.DataFrame({"x": [3], "y": [4]}), schema="My Schema")
    assert con.execute('SELECT * FROM "My Schema"."T ""q"""').fetchall() == [(1, 2), (3, 4)]
    frame = pd.DataFrame({"i": [1]})
    con.execute("CREATE TABLE frame (i INTEGER)")
    con.append("frame", frame)
    assert con.execute("SELECT * FROM frame").fetchall() == [(1,)]


def test_a_reader_that_fails(con, table):
    class Broken(Exception):
        pass

    def batches():
        yield TABLE.to_batches()[0]
        raise Broken("in the middle")

    with pytest.raises(scaup.Error) as caught:
        con.append("t", pa.RecordBatchReader.from_batches(TABLE.schema, batches()))
    assert isinstance(caught.value.__cause__, Broken)
    assert table() == []


def test_within_a_transaction(con, table):
    con.begin()
    con.append("t", TABLE)
    con.append("t", pl.DataFrame(COLUMNS))
    assert len(table()) == 6
    con.rollback()
    assert table() == []
    cursor = con.cursor()
    assert cursor.append("t", TABLE) is cursor and cursor.rowcount == 3
    assert len(table()) == 3


def value_of(rng, kind):
    if rng.random() < 0.15:
        return None
    return {
        "int8": lambda: rng.randrange(-128, 128), "int64": lambda: rng.randrange(-(2**63), 2**63), "uint32": lambda: rng.randrange(2**32),
        "double": lambda: rng.choice([rng.random() * 10 ** rng.randrange(-300, 300), 0.0, -0.0, float("inf")]), "bool": lambda: rng.random() < 0.5,
        "string": lambda: "".join(rng.choices("aé日😀 '\"\\\n", k=rng.randrange(20))), "binary": lambda: rng.randbytes(rng.randrange(20)),
        "date32": lambda: dt.date.fromordinal(rng.randrange(1, 3_652_059)), "decimal": lambda: decimal.Decimal(rng.randrange(-(10**20), 10**20)).scaleb(-3),
        "timestamp": lambda: dt.datetime(1970, 1, 1) + dt.timedelta(microseconds=rng.randrange(-(10**16), 10**16)),
        "list": lambda: [value_of(rng, "int64") for _ in range(rng.randrange(4))],
        "struct": lambda: {"a": value_of(rng, "string"), "b": value_of(rng, "list")},
    }[kind]()


TYPES = {
    "int8": pa.int8(), "int64": pa.int64(), "uint32": pa.uint32(), "double": pa.float64(), "bool": pa.bool_(), "string": pa.string(), "binary": pa.binary(),
    "date32": pa.date32(), "decimal": pa.decimal128(23, 3), "timestamp": pa.timestamp("us"), "list": pa.list_(pa.int64()),
    "struct": pa.struct([("a", pa.string()), ("b", pa.list_(pa.int64()))]),
}


@pytest.mark.parametrize("seed", range(25))
def test_random_tables_come_back(con, seed):
    rng = random.Random(seed)
    kinds = rng.choices(list(TYPES), k=rng.randrange(1, 8))
    count = rng.choice([0, 1, 5, 1023, 1025, 4000])
    data = pa.table({f"c{n}": pa.array([value_of(rng, kind) for _ in range(count)], TYPES[kind]) for n, kind in enumerate(kinds)})
    con.register("sent", data)
    con.execute("CREATE TABLE t AS SELECT * FROM sent LIMIT 0")
    sent = data if rng.random() < 0.5 else pl.from_arrow(data)
    half = count // 2
    con.append("t", sent[:half] if count else sent)
    con.append("t", sent[half:], by_name=rng.random() < 0.5)
    assert con.execute("SELECT * FROM t").fetchall() == con.execute("SELECT * FROM sent").fetchall()
    assert con.sql("SELECT * FROM t").to_arrow_table().cast(data.schema).equals(data)
