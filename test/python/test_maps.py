"""Maps in and out: dicts, parameters, NumPy, pandas, Polars, Arrow, Parquet, functions, files, servers."""

import datetime as dt
import decimal

import numpy as np
import pytest
import scaup

duckdb = pytest.importorskip("duckdb")
pa = pytest.importorskip("pyarrow")
pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pq = pytest.importorskip("pyarrow.parquet")

MAP = pa.map_(pa.string(), pa.int32())


@pytest.mark.parametrize(
    "sql, value",
    [
        ("MAP {'a': 1, 'b': NULL}", {"a": 1, "b": None}),
        ("MAP {}", {}),
        ("NULL::MAP(VARCHAR, INTEGER)", None),
        ("MAP {1: [1, 2], 2: []::INTEGER[]}", {1: [1, 2], 2: []}),
        ("MAP {DATE '2020-01-02': 1.5}", {dt.date(2020, 1, 2): decimal.Decimal("1.5")}),
        ("MAP {'a': MAP {'b': {'c': true}}}", {"a": {"b": {"c": True}}}),
        ("[MAP {'a': 1}, NULL]", [{"a": 1}, None]),
        ("{'m': MAP {'x': 'y'}}", {"m": {"x": "y"}}),
        ("MAP {[1]: 'a', [2]: 'b'}", {"key": [[1], [2]], "value": ["a", "b"]}),
        ("MAP {{'x': 1}: 2}", {"key": [{"x": 1}], "value": [2]}),
    ],
)
def test_maps_are_dicts_as_in_duckdb(sql, value):
    con = scaup.connect()
    assert con.execute(f"SELECT {sql}").fetchone() == (value,)
    assert duckdb.execute(f"SELECT {sql}").fetchone() == (value,)


def test_numpy_pandas_and_polars():
    con = scaup.connect()
    query = "SELECT CASE WHEN i <> 1 THEN MAP {'k' || i: i} END AS m FROM range(3) r(i)"
    rows = [{"k0": 0}, None, {"k2": 2}]
    column = con.execute(query).fetchnumpy()["m"]
    assert column.dtype == np.dtype(object) and column.tolist() == rows
    assert con.execute(query).df()["m"].tolist() == rows
    assert con.execute(query).pl()["m"].to_list() == rows


def test_arrow_there_and_back():
    con = scaup.connect()
    held = con.execute("SELECT MAP {'a': 1, 'b': NULL} AS m UNION ALL SELECT MAP {} UNION ALL SELECT NULL").fetch_arrow_table()
    assert held.schema.field("m").type == MAP
    held.validate(full=True)
    assert held["m"].to_pylist() == [[("a", 1), ("b", None)], [], None]
    assert con.execute("SELECT m, typeof(m), m['a'] FROM held").fetchall() == [
        ({"a": 1, "b": None}, "MAP(VARCHAR, INTEGER)", 1),
        ({}, "MAP(VARCHAR, INTEGER)", None),
        (None, "MAP(VARCHAR, INTEGER)", None),
    ]


def test_arrow_of_other_layouts():
    con = scaup.connect()
    inner = pa.map_(pa.int64(), pa.struct([("x", pa.list_(pa.string()))]))
    rows = [[(1, {"x": ["a", None]}), (2, None)], None, [], [(3, {"x": None})]]
    chunks = pa.table({"m": pa.chunked_array([pa.array(rows, inner), pa.array(rows, inner).slice(1)])})
    result = con.execute("SELECT * FROM chunks").fetch_arrow_table()
    assert result["m"].to_pylist() == rows + rows[1:]
    sorted_keys = pa.table({"m": pa.array([[("a", 1)]], pa.map_(pa.string(), pa.int32(), keys_sorted=True))})
    assert con.execute("SELECT * FROM sorted_keys").fetchall() == [({"a": 1},)]
    twice = pa.table({"m": pa.array([[("a", 1), ("a", 2)]], MAP)})
    with pytest.raises(scaup.DataError, match="comes twice") as error:
        con.execute("SELECT * FROM twice").fetchall()
    assert error.value.sqlstate == "22023" and twice.num_rows == 1


def test_dicts_become_maps_where_maps_are_wanted():
    con = scaup.connect()
    con.execute("CREATE TABLE t (m MAP(VARCHAR, INTEGER), n MAP(INTEGER, VARCHAR))")
    con.execute("INSERT INTO t VALUES (?, ?)", [{"a": 1, "b": 2}, {1: "x"}])
    con.executemany("INSERT INTO t VALUES (?, ?)", [({}, {}), (None, None)])
    assert con.execute("SELECT * FROM t").fetchall() == [({"a": 1, "b": 2}, {1: "x"}), ({}, {}), (None, None)]
    assert con.execute("SELECT (CAST(? AS MAP(VARCHAR, INTEGER)))['b']", [{"b": 5}]).fetchone() == (5,)
    with pytest.raises(scaup.Error):
        con.execute("INSERT INTO t (n) VALUES (?)", [{"x": "no number"}])


@pytest.mark.parametrize("kind", ["native", "numpy", "pandas", "arrow"])
def test_functions_take_and_return_maps(kind):
    con = scaup.connect()
    swap = lambda m: None if m is None else {v: k for k, v in dict(m).items()}
    many = {
        "native": swap,
        "numpy": lambda maps: [swap(m) for m in maps.tolist()],
        "pandas": lambda maps: maps.map(swap),
        "arrow": lambda maps: pa.array([swap(m) for m in maps.to_pylist()], pa.map_(pa.int32(), pa.string())),
    }[kind]
    con.create_function("swap", many, ["MAP(VARCHAR, INTEGER)"], "MAP(INTEGER, VARCHAR)", type=kind, null_handling="special")
    con.execute("CREATE TABLE t (m MAP(VARCHAR, INTEGER))")
    con.execute("INSERT INTO t VALUES (MAP {'a': 1, 'b': 2}), (MAP {'c': 3}), (NULL), (MAP {})")
    assert con.execute("SELECT swap(m) FROM t").fetchall() == [({1: "a", 2: "b"},), ({3: "c"},), (None,), ({},)]


def test_aggregates_return_maps():
    con = scaup.connect()
    con.create_function("tally", lambda words: {word: words.count(word) for word in words}, ["VARCHAR"], "MAP(VARCHAR, BIGINT)", type="native", kind="aggregate")
    query = "SELECT g, tally(w ORDER BY w) FROM (VALUES (1, 'a'), (1, 'a'), (2, 'b'), (2, 'c')) t(g, w) GROUP BY g ORDER BY g"
    assert con.execute(query).fetchall() == [(1, {"a": 2}), (2, {"b": 1, "c": 1})]


def test_structs_are_no_maps():
    con = scaup.connect()
    made = pa.array([{"a": 1, "b": None}], pa.struct([("a", pa.int32()), ("b", pa.int32())]))
    con.create_function("f", lambda x: made, ["INTEGER"], "MAP(VARCHAR, INTEGER)", type="arrow")
    with pytest.raises(scaup.Error, match="created to return MAP"):
        con.execute("SELECT f(i) FROM (VALUES (1)) t(i)")


def test_parquet_with_pyarrow_and_duckdb(tmp_path):
    con = scaup.connect()
    path = tmp_path / "m.parquet"
    con.execute(
        f"COPY (SELECT i, CASE WHEN i % 5 <> 0 THEN MAP {{'k' || i % 3: i, 'x': NULL}} END AS m, MAP {{i: MAP {{'a': [i, NULL]}}}} AS n, "
        f"MAP {{{{'s': i}}: i}} AS s FROM range(3000) r(i)) TO '{path}'"
    )
    table = pq.read_table(path)
    assert table.schema.field("m").type.key_type == pa.string() and table.schema.field("m").type.item_type == pa.int64()
    assert table["m"].to_pylist() == [None if i % 5 == 0 else [(f"k{i % 3}", i), ("x", None)] for i in range(3000)]
    assert table["n"].to_pylist()[7] == [(7, [("a", [7, None])])]
    query = f"SELECT typeof(m), typeof(n), sum(m['k1']), count(m), max(n[7]['a'][1]), max(cardinality(s)) FROM '{path}' GROUP BY ALL"
    ours, theirs = con.execute(query).fetchone(), duckdb.execute(query).fetchone()
    assert ours == theirs
    duckdb.execute(f"COPY (SELECT MAP {{i: 'v' || i}} AS m, [MAP {{}}, NULL, MAP {{'a': i}}] AS l FROM range(2000) r(i)) TO '{path}'")
    assert con.execute(f"SELECT typeof(m), typeof(l) FROM '{path}' LIMIT 1").fetchone() == ("MAP(BIGINT, VARCHAR)", "MAP(VARCHAR, BIGINT)[]")
    assert con.execute(f"SELECT * FROM '{path}'").fetchall() == duckdb.execute(f"SELECT * FROM '{path}'").fetchall()


def test_maps_survive_a_restart(tmp_path):
    path = str(tmp_path / "m.scaup")
    with scaup.connect(path) as con:
        con.execute("CREATE TABLE t (m MAP(VARCHAR, MAP(INTEGER, DATE)[]))")
        con.execute("INSERT INTO t VALUES (MAP {'a': [MAP {1: DATE '2020-01-02'}]})")
    for _ in range(2):
        with scaup.connect(path) as con:
            assert con.execute("SELECT * FROM t").fetchall()[0] == ({"a": [{1: dt.date(2020, 1, 2)}]},)
            assert con.execute("SELECT * FROM t").description[0][1] == "MAP(VARCHAR, MAP(INTEGER, DATE)[])"
            con.execute("INSERT INTO t VALUES (MAP {})")


def test_clients_of_postgresql_get_texts():
    psycopg = pytest.importorskip("psycopg")
    con = scaup.connect()
    con.execute("CREATE TABLE t AS SELECT MAP {'a b': 1} AS m, [MAP {1: 2}] AS l")
    with scaup.serve(con, "127.0.0.1:0") as server:
        host, port = server.addresses[0].rsplit(":", 1)
        for binary in (False, True):
            with psycopg.connect(host=host, port=port, user="tester", dbname="test", autocommit=True) as client:
                cursor = client.cursor(binary=binary)
                assert cursor.execute("SELECT m, l FROM t").fetchone() == ('{"a b"=1}', ["{1=2}"])
                assert cursor.execute("SELECT m['a b'] FROM t").fetchone() == (1,)


@pytest.mark.parametrize("seed", range(3))
def test_random_maps_have_duckdbs_answers(seed):
    chance = np.random.default_rng(seed)
    keys = ["a", "b", "c", "d"]
    rows = []
    for _ in range(200):
        some = chance.permutation(keys)[: chance.integers(0, 5)]
        rows.append(None if chance.random() < 0.1 else [(str(key), None if chance.random() < 0.2 else int(chance.integers(5))) for key in some])
    table = pa.table({"i": range(200), "m": pa.array(rows, MAP), "k": pa.array([str(chance.choice(keys)) for _ in range(200)])})
    for query in [
        "SELECT i, m[k], map_extract(m, k), map_keys(m), map_values(m), map_entries(m), cardinality(m)::BIGINT, map_contains(m, k) FROM t",
        "SELECT i, map_contains_value(m, 3), map_contains_entry(m, k, 1), map_concat(m, MAP {'a': 7}), m = MAP {'a': 1}, m < MAP {'b': 2} FROM t",
        "SELECT m, count(*) FROM t GROUP BY m",
        "SELECT histogram(k), histogram(m['a']) FROM t",
        "SELECT count(DISTINCT m), min(m), max(m) FROM t",
        "SELECT a.i, b.i FROM t a JOIN t b ON a.m = b.m",
        "SELECT i, to_json(m)::VARCHAR FROM t",
    ]:
        duck, con = duckdb.connect(), scaup.connect()
        duck.register("t", table)
        con.register("t", table)
        ours, theirs = (sorted(map(repr, each.execute(query).fetchall())) for each in (con, duck))
        assert ours == theirs, query
