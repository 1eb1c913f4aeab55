"""Tables of pyarrow, Polars, pandas and NumPy: results as such, and statements that read them by name."""

import datetime
import decimal
import math
import random
import threading
import uuid

import pytest

import scaup

pa = pytest.importorskip("pyarrow")
pl = pytest.importorskip("polars")
np = pytest.importorskip("numpy")
pd = pytest.importorskip("pandas")

ALL_TYPES = """
SELECT i, i % 2 = 0 AS b, i::smallint AS s, i * 1000000007 AS l, (i / 7.0)::real AS r, i / 7.0 AS d,
       (i * 1.25)::decimal(10, 2) AS dec, i::hugeint * 1000000000000 AS h, 'text ' || repeat('x', i::int % 20) AS t,
       decode(lpad(to_hex(i), 8, '0'), 'hex') AS bl, DATE '2020-01-01' + i::int AS da, TIME '01:02:03.5' AS ti,
       TIMESTAMP '2020-01-01 00:00:00.123456' + i * INTERVAL '1 second' AS ts, TIMESTAMPTZ '2020-06-01 12:00:00+00' AS tz,
       make_interval(0, i::int, 0, 3, 0, 0, 1.5) AS iv, 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid AS u,
       json_build_object('k', i)::json AS j, ARRAY[i, NULL] AS li, ROW(i, 'f' || i) AS st, NULL AS n
FROM range(3000) AS x(i)
"""


@pytest.fixture
def con():
    with scaup.connect() as connection:
        yield connection


def test_every_type_reaches_arrow(con):
    table = con.execute(ALL_TYPES).fetch_arrow_table()
    rows = con.execute(ALL_TYPES).fetchall()
    assert table.num_rows == len(rows) == 3000
    assert [str(field.type) for field in table.schema][:10] == [
        "int64", "bool", "int16", "int64", "float", "double", "decimal128(10, 2)", "decimal128(38, 0)", "string", "binary"]
    for name, index in [("i", 0), ("b", 1), ("s", 2), ("l", 3), ("d", 5), ("dec", 6), ("t", 8), ("bl", 9), ("da", 10), ("ti", 11),
                        ("ts", 12), ("li", 17)]:
        assert table[name].to_pylist() == [row[index] for row in rows], name
    assert [int(value) for value in table["h"].to_pylist()] == [row[7] for row in rows]
    assert table["tz"].type == pa.timestamp("us", "UTC")
    assert table["u"][5].as_py() == uuid.UUID("a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11")
    assert table["iv"][2].as_py().months == 2
    assert table["st"][1].as_py() == {"f1": 1, "f2": "f1"}
    assert table["n"].null_count == 3000
    assert getattr(table.schema.field("j").type, "extension_name", "arrow.json") == "arrow.json"


def test_batches_and_streams(con):
    reader = con.execute("SELECT i FROM range(10000) AS x(i)").fetch_record_batch(3000)
    assert [batch.num_rows for batch in reader] == [3000, 3000, 3000, 1000]
    result = con.execute("SELECT i FROM range(5) AS x(i)")
    assert pa.table(result).column(0).to_pylist() == [0, 1, 2, 3, 4]
    assert pl.DataFrame(result)["i"].to_list() == [0, 1, 2, 3, 4]
    assert result.pl()["i"].sum() == 10
    with pytest.raises(scaup.Error):
        con.execute("CREATE TABLE empty (i int)").fetch_arrow_table()


def test_arrays_outlive_their_result():
    con = scaup.connect()
    table = con.execute("SELECT i, 'a text that is long ' || i AS s FROM range(1000) AS x(i)").fetch_arrow_table()
    con.close()
    assert table["i"].to_pylist() == list(range(1000))
    assert table["s"][999].as_py() == "a text that is long 999"


def test_names_that_occur_twice(con):
    assert con.execute("SELECT 1 AS a, 2 AS a, 3 AS a_1").fetch_arrow_table().column_names == ["a", "a_1", "a_1_1"]


def test_enums_are_dictionaries(con):
    con.execute("CREATE TYPE mood AS ENUM ('sad', 'ok')")
    table = con.execute("SELECT v::mood AS m FROM (VALUES ('ok'), (NULL), ('sad')) AS x(v)").fetch_arrow_table()
    assert pa.types.is_dictionary(table["m"].type)
    assert table["m"].to_pylist() == ["ok", None, "sad"]


# --- Tables of the program


def test_frames_are_found_by_name(con):
    arrow_table = pa.table({"x": [1, 2, None], "s": ["a", "b", "a longer text than twelve"]})
    frame = pd.DataFrame({"x": [1, 2, 3], "s": ["a", None, "c"]})
    polars_frame = pl.DataFrame({"x": [1, 2, 3], "s": ["a", None, "c"]})
    lazy = polars_frame.lazy()
    arrays = {"x": np.arange(3), "y": np.array([0.5, 1.5, 2.5])}
    lists = {"x": [1, 2, 3], "s": ["p", "q", None]}
    rows = [{"x": 1, "s": "u"}, {"x": 2}]
    batch = arrow_table.to_batches()[0]
    vector = np.array([5, 6])
    assert con.execute("SELECT sum(x), max(s) FROM arrow_table").fetchall() == [(3, "b")]
    assert con.execute("SELECT count(s), sum(x) FROM frame").fetchall() == [(2, 6)]
    assert con.execute("SELECT count(s), sum(x) FROM polars_frame").fetchall() == [(2, 6)]
    assert con.execute("SELECT count(s), sum(x) FROM lazy").fetchall() == [(2, 6)]
    assert con.execute("SELECT sum(x), sum(y) FROM arrays").fetchall() == [(3, 4.5)]
    assert con.execute("SELECT max(s) FROM lists WHERE x < 3").fetchall() == [("q",)]
    assert con.execute("SELECT * FROM rows ORDER BY x").fetchall() == [(1, "u"), (2, None)]
    assert con.execute("SELECT count(*) FROM batch").fetchall() == [(3,)]
    assert con.execute("SELECT sum(column0) FROM vector").fetchall() == [(11,)]
    assert con.execute("SELECT f.s, a.s FROM frame f JOIN arrow_table a USING (x) ORDER BY 1").fetchall() == [("a", "a"), (None, "b")]
    del frame, polars_frame, lazy, arrays, lists, rows, batch, vector


def test_a_reader_is_read_once(con):
    reader = pa.table({"x": [1, 2]}).to_reader()
    assert con.execute("SELECT sum(x) FROM reader").fetchall() == [(3,)]
    twice = pa.table({"x": [1, 2]})
    assert con.execute("SELECT count(*) FROM twice a JOIN twice b ON a.x = b.x").fetchall() == [(2,)]
    assert reader is not None and twice is not None
    con.register("stream", pa.table({"x": [1, 2]}).to_reader())
    assert con.execute("SELECT sum(x) FROM stream").fetchall() == [(3,)]
    with pytest.raises(scaup.Error, match="read once"):
        con.execute("SELECT sum(x) FROM stream")


def test_tables_of_the_database_come_first(con):
    things = pa.table({"x": [1]})
    assert con.execute("SELECT x FROM things").fetchall() == [(1,)]
    con.execute("CREATE TABLE things AS SELECT 7 AS x")
    assert con.execute("SELECT x FROM things").fetchall() == [(7,)]
    with pytest.raises(scaup.ProgrammingError):
        con.execute("SELECT * FROM no_such_thing")
    no_table = 5
    with pytest.raises(scaup.ProgrammingError):
        con.execute("SELECT * FROM no_table")
    assert no_table and things


def test_registered_tables(con):
    con.register("Numbers", {"x": [1, 2, 3]})
    assert con.execute("SELECT sum(x) FROM numbers").fetchall() == [(6,)]
    con.execute("CREATE TABLE kept AS SELECT * FROM numbers")
    con.register("numbers", pl.DataFrame({"x": [10]}))
    assert con.execute("SELECT sum(x) FROM Numbers").fetchall() == [(10,)]
    with pytest.raises(scaup.Error, match="view"):
        con.execute("CREATE VIEW v AS SELECT * FROM numbers")
    con.unregister("NUMBERS")
    with pytest.raises(scaup.ProgrammingError):
        con.execute("SELECT sum(x) FROM numbers")
    with pytest.raises(scaup.NotSupportedError):
        con.register("five", 5)
    assert con.execute("SELECT sum(x) FROM kept").fetchall() == [(6,)]


def test_relations_read_frames(con):
    numbers = pl.DataFrame({"g": ["a", "b", "a"], "x": [1, 2, 3]})
    relation = con.sql("SELECT * FROM numbers").aggregate("g, sum(x) AS s", "g").order("g")
    assert relation.fetchall() == [("a", 4), ("b", 2)]
    assert relation.pl()["s"].to_list() == [4, 2]
    assert pa.table(relation)["g"].to_pylist() == ["a", "b"]
    assert con.from_df(pd.DataFrame({"x": [1, 2]})).filter("x > 1").fetchall() == [(2,)]
    assert numbers is not None


def test_other_threads_find_their_frames(con):
    answers = []

    def run():
        frame_of_thread = pa.table({"x": [4]})
        answers.append(con.cursor().execute("SELECT x FROM frame_of_thread").fetchall())
        assert frame_of_thread

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert answers == [[(4,)]]


def test_threads_of_one_connection_find_their_own_frames(con):
    wrong = []

    def run(number):
        frame = pa.table({"x": [number]})
        cursor = con.cursor()
        for _ in range(100):
            reader = frame.to_reader()
            if cursor.execute("SELECT x FROM frame").fetchall() != [(number,)]:
                wrong.append("frame")
            if cursor.execute("SELECT sum(x) FROM reader").fetchall() != [(number,)]:
                wrong.append("reader")
            del reader

    threads = [threading.Thread(target=run, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    main_frame = pd.DataFrame({"x": [1, 2]})
    while any(thread.is_alive() for thread in threads):
        assert con.execute("SELECT sum(x) FROM main_frame").fetchall() == [(3,)]
    assert not wrong and main_frame is not None


def test_objects_that_fail(con):
    class Broken:
        def __arrow_c_stream__(self, requested_schema=None):
            raise ValueError("no luck today")

    broken = Broken()
    with pytest.raises(scaup.Error, match="no luck today"):
        con.execute("SELECT * FROM broken")

    def batches():
        yield pa.record_batch({"x": [1]})
        raise ValueError("the middle of the stream")

    failing = pa.RecordBatchReader.from_batches(pa.schema([("x", pa.int64())]), batches())
    with pytest.raises(scaup.Error, match="the middle of the stream"):
        con.execute("CREATE TABLE half AS SELECT * FROM failing")
    with pytest.raises(scaup.ProgrammingError):
        con.execute("SELECT * FROM half")
    mixed = pd.DataFrame({"x": [1, "a", object()]})
    with pytest.raises(scaup.Error):
        con.execute("SELECT * FROM mixed")
    surrogate = pa.table({"x": pa.array([b"\xff"]).cast(pa.binary())})
    assert con.execute("SELECT length(x) FROM surrogate").fetchall() == [(1,)]
    assert broken and failing is not None and mixed is not None


# --- Random tables


def random_table(rng, rows):
    def column(values, kind):
        return pa.array([None if rng.random() < 0.2 else values() for _ in range(rows)], kind)

    words = ["", "a", "twelve bytes", "more than twelve bytes", "ünïcödé 🦆"]
    micros = lambda: datetime.datetime(2020, 1, 1) + datetime.timedelta(microseconds=rng.randrange(10**15))  # noqa: E731
    kinds = {
        "i8": (lambda: rng.randrange(-128, 128), pa.int8()),
        "u8": (lambda: rng.randrange(256), pa.uint8()),
        "u16": (lambda: rng.randrange(2**16), pa.uint16()),
        "i32": (lambda: rng.randrange(-(2**31), 2**31), pa.int32()),
        "u32": (lambda: rng.randrange(2**32), pa.uint32()),
        "i64": (lambda: rng.randrange(-(2**63), 2**63), pa.int64()),
        "f32": (lambda: float(np.float32(rng.random())), pa.float32()),
        "f64": (lambda: rng.choice([rng.random(), math.inf, -0.0]), pa.float64()),
        "bool": (lambda: rng.random() < 0.5, pa.bool_()),
        "text": (lambda: rng.choice(words), pa.string()),
        "large": (lambda: rng.choice(words), pa.large_string()),
        "view": (lambda: rng.choice(words), pa.string_view()),
        "blob": (lambda: rng.randbytes(rng.randrange(20)), pa.binary()),
        "fixed": (lambda: rng.randbytes(5), pa.binary(5)),
        "date": (lambda: datetime.date(1970, 1, 1) + datetime.timedelta(days=rng.randrange(-9999, 99999)), pa.date32()),
        "date64": (lambda: datetime.date(1970, 1, 1) + datetime.timedelta(days=rng.randrange(-9999, 99999)), pa.date64()),
        "time": (lambda: datetime.time(rng.randrange(24), 5, 6, rng.randrange(10**6)), pa.time64("us")),
        "stamp": (micros, pa.timestamp("us")),
        "dec": (lambda: decimal.Decimal(rng.randrange(-(10**8), 10**8)).scaleb(-3), pa.decimal128(12, 3)),
        "dec38": (lambda: decimal.Decimal(rng.randrange(10**30)), pa.decimal128(38, 0)),
        "list": (lambda: [rng.choice([None, rng.randrange(9)]) for _ in range(rng.randrange(4))], pa.list_(pa.int32())),
        "large_list": (lambda: [rng.choice(words) for _ in range(rng.randrange(4))], pa.large_list(pa.string())),
        "struct": (lambda: {"a": rng.choice([None, 1]), "b": [rng.choice(words)]}, pa.struct([("a", pa.int64()), ("b", pa.list_(pa.string()))])),
    }
    names = rng.sample(list(kinds), rng.randrange(1, 9))
    table = pa.table({name: column(*kinds[name]) for name in names})
    if rng.random() < 0.5:
        table = table.append_column("dict", pa.array([rng.choice(["p", "q", None]) for _ in range(rows)]).dictionary_encode())
    start = rng.randrange(rows // 2)
    return pa.concat_tables([table.slice(start), table.slice(0, start)]) if rng.random() < 0.5 else table.slice(start)


def plain(values):
    return [float(v) if isinstance(v, float) else int(v) if isinstance(v, decimal.Decimal) and v == v.to_integral_value() else v for v in values]


@pytest.mark.parametrize("seed", range(40))
def test_random_tables_come_back(con, seed):
    rng = random.Random(seed)
    table = random_table(rng, rng.choice([1, 3, 70, 1024, 5000]) + 2)
    direct = con.execute('SELECT * FROM "table"').fetch_arrow_table()
    con.execute('CREATE TABLE kept AS SELECT * FROM "table"')
    kept = con.execute("SELECT * FROM kept").fetch_arrow_table()
    viewed = pa.table(con.execute("SELECT * FROM kept").pl().to_arrow())
    for name in table.column_names:
        wanted = plain(table[name].to_pylist())
        assert plain(direct[name].to_pylist()) == wanted, name
        assert plain(kept[name].to_pylist()) == wanted, name
        assert plain(viewed[name].to_pylist()) == wanted, name
    assert direct.num_rows == table.num_rows
