"""Unions in and out: values of members, parameters, NumPy, pandas, Arrow's unions, Parquet, servers."""

import datetime as dt
import decimal
import random

import pytest
import scaup

duckdb = pytest.importorskip("duckdb")
pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

NUMTEXT = "UNION(num INTEGER, str VARCHAR)"


@pytest.mark.parametrize(
    "sql, value",
    [
        ("union_value(a := 1)", 1),
        (f"'x'::{NUMTEXT}", "x"),
        (f"NULL::{NUMTEXT}", None),
        ("union_value(a := NULL::INTEGER)", None),
        ("union_value(a := DATE '2020-01-02')", dt.date(2020, 1, 2)),
        ("union_value(a := 1.5)", decimal.Decimal("1.5")),
        ("union_value(a := {'b': [1, NULL]})", {"b": [1, None]}),
        (f"[1::{NUMTEXT}, 'x', NULL]", [1, "x", None]),
        ("{'u': union_value(a := true)}", {"u": True}),
        ("MAP {'k': union_value(a := 2)}", {"k": 2}),
        ("union_value(a := union_value(b := 'c'))", "c"),
    ],
)
def test_unions_are_their_values_as_in_duckdb(sql, value):
    con = scaup.connect()
    assert con.execute(f"SELECT {sql}").fetchone() == (value,)
    assert duckdb.sql(f"SELECT {sql}").fetchall() == [(value,)]


def test_numpy_and_pandas():
    con = scaup.connect()
    query = f"SELECT u FROM (VALUES (1::{NUMTEXT}), ('x'), (NULL)) t(u)"
    assert con.execute(query).fetchnumpy()["u"].tolist() == [1, "x", None]
    assert con.execute(query).df()["u"].tolist() == [1, "x", None]


def test_polars_has_no_unions():
    pl = pytest.importorskip("polars")
    con = scaup.connect()
    query = f"SELECT 1::{NUMTEXT} AS u, [1::{NUMTEXT}] AS l"
    for read in (lambda: con.execute(query).pl(), lambda: con.sql(query).pl(lazy=True)):
        with pytest.raises(scaup.NotSupportedError, match="Polars has no unions"):
            read()
    assert con.execute(f"SELECT u.num, union_tag(u) AS tag, u::VARCHAR AS text FROM ({query}) q").pl().rows() == [(1, "num", "1")]
    assert con.sql(f"SELECT u.num FROM ({query}) q").pl(lazy=True).collect().rows() == [(1,)]
    assert pl.__version__


def test_parameters_become_members():
    con = scaup.connect()
    con.execute(f"CREATE TABLE t (u {NUMTEXT})")
    con.execute("INSERT INTO t VALUES (?), (?), (?)", [1, "x", None])
    con.executemany("INSERT INTO t VALUES (?)", [[2], ["y"]])
    assert con.execute("SELECT u, union_tag(u) FROM t ORDER BY u").fetchall() == [
        (1, "num"),
        (2, "num"),
        ("x", "str"),
        ("y", "str"),
        (None, None),
    ]
    assert con.execute("SELECT union_tag(u) FROM t WHERE u = ?", ["y"]).fetchall() == [("str",)]
    with pytest.raises(scaup.Error, match="union_value"):
        con.execute("INSERT INTO t VALUES (?)", [dt.date(2020, 1, 1)])


def test_arrow_there_and_back():
    con = scaup.connect()
    query = f"SELECT u FROM (VALUES (1::{NUMTEXT}), ('x'), (NULL), (union_value(num := NULL::INTEGER)), (2)) t(u)"
    held = con.execute(query).fetch_arrow_table()
    kind = held.schema.field("u").type
    assert (kind.mode, [kind.field(i).name for i in range(2)]) == ("sparse", ["num", "str"])
    held.validate(full=True)
    assert held["u"].to_pylist() == [1, "x", None, None, 2]
    rows = [(1, "num"), ("x", "str"), (None, None), (None, None), (2, "num")]
    assert con.execute("SELECT u, union_tag(u) FROM held").fetchall() == rows
    assert duckdb.sql("SELECT u, union_tag(u) FROM held").fetchall() == rows
    assert con.execute("SELECT typeof(u) FROM held LIMIT 1").fetchone() == (NUMTEXT,)
    theirs = duckdb.sql(query).to_arrow_table()
    assert theirs["u"].to_pylist() == held["u"].to_pylist()
    assert con.execute("SELECT u, union_tag(u) FROM theirs").fetchall() == rows


def test_arrow_of_other_layouts():
    con = scaup.connect()
    ids = pa.array([5, 7, 5, 7], pa.int8())
    places = pa.array([0, 0, 1, 1], pa.int32())
    members = [pa.array([1, None]), pa.array([["x"], ["y", None]])]
    dense = pa.UnionArray.from_dense(ids, places, members, ["a", "b"], [5, 7])
    given = pa.table({"u": pa.chunked_array([dense, dense.slice(1, 2)]), "l": [1, 2, 3, 4, 5, 6]})
    rows = [(1, "a"), (["x"], "b"), (None, None), (["y", None], "b"), (["x"], "b"), (None, None)]
    assert con.execute("SELECT u, union_tag(u) FROM given").fetchall() == rows
    assert con.execute("SELECT typeof(u) FROM given LIMIT 1").fetchone() == ("UNION(a BIGINT, b VARCHAR[])",)
    sparse = pa.UnionArray.from_sparse(pa.array([1, 0, 1], pa.int8()), [pa.array([1, 2, 3]), pa.array(["x", "y", "z"])])
    nested = pa.table({"s": pa.StructArray.from_arrays([sparse, pa.array([1, 2, 3])], ["u", "i"]).slice(1)})
    assert con.execute("SELECT s.u, union_tag(s.u), s.i FROM nested").fetchall() == [(2, "0", 2), ("z", "1", 3)]
    bad = pa.UnionArray.from_buffers(kind := sparse.type, 1, [None, pa.py_buffer(b"\x09")], children=[sparse.field(0), sparse.field(1)])
    broken = pa.table({"u": bad})
    with pytest.raises(scaup.Error, match="number of no member"):
        con.execute("SELECT * FROM broken").fetchall()
    assert kind.num_fields == 2 and broken.num_rows == 1


def test_arrow_files(tmp_path):
    con = scaup.connect()
    path = tmp_path / "u.arrow"
    con.execute(f"COPY (SELECT u FROM (VALUES (1::{NUMTEXT}), ('x'), (NULL)) t(u)) TO '{path}' (FORMAT arrow)")
    assert pa.ipc.open_file(path).read_all()["u"].to_pylist() == [1, "x", None]
    places = pa.array([0, 0, 1], pa.int32())
    dense = pa.UnionArray.from_dense(pa.array([0, 1, 0], pa.int8()), places, [pa.array([1, 2]), pa.array(["x"])], ["a", "b"])
    table = pa.table({"u": dense, "n": [1, 2, 3]})
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table)
    assert con.execute(f"SELECT u, union_tag(u), n FROM '{path}'").fetchall() == [(1, "a", 1), ("x", "b", 2), (2, "a", 3)]
    assert con.execute(f"SELECT n FROM '{path}'").fetchall() == [(1,), (2,), (3,)]


def test_parquet_is_that_of_duckdb(tmp_path):
    con = scaup.connect()
    ours, theirs = tmp_path / "ours.parquet", tmp_path / "theirs.parquet"
    query = f"SELECT u FROM (VALUES (1::{NUMTEXT}), ('x'), (NULL), (union_value(num := NULL::INTEGER))) t(u)"
    con.execute(f"COPY ({query}) TO '{ours}'")
    duckdb.sql(f"COPY ({query}) TO '{theirs}'")
    assert pq.read_table(ours).to_pydict() == pq.read_table(theirs).to_pydict()
    rows = [(1, "num"), ("x", "str"), (None, None), (None, "num")]
    for path in (ours, theirs):
        con.execute(f"CREATE OR REPLACE TABLE t (u {NUMTEXT})")
        con.execute(f"COPY t FROM '{path}'")
        assert con.execute("SELECT u, union_tag(u) FROM t").fetchall() == rows


def test_functions_take_and_give_unions():
    con = scaup.connect()
    con.create_function("same", lambda x: x, [NUMTEXT], "VARCHAR")
    assert con.execute(f"SELECT same('x'::{NUMTEXT})").fetchone() == ("x",)


def test_unions_survive_a_restart(tmp_path):
    path = str(tmp_path / "u.scaup")
    with scaup.connect(path) as con:
        con.execute(f"CREATE TABLE t (u {NUMTEXT}, l {NUMTEXT}[])")
        con.execute(f"INSERT INTO t VALUES (1, ['x'::{NUMTEXT}, 2])")
    for number in range(2):
        with scaup.connect(path) as con:
            assert con.execute("SELECT * FROM t LIMIT 1").fetchone() == (1, ["x", 2])
            assert con.execute("SELECT * FROM t").description[0][1] == NUMTEXT
            con.execute("INSERT INTO t VALUES (?, NULL)", [f"round {number}"])


def test_clients_of_postgresql_get_texts():
    psycopg = pytest.importorskip("psycopg")
    con = scaup.connect()
    con.execute(f"CREATE TABLE t (u {NUMTEXT}, l {NUMTEXT}[])")
    con.execute("INSERT INTO t VALUES (1, ['x y']), ('z', NULL)")
    with scaup.serve(con, "127.0.0.1:0") as server:
        host, port = server.addresses[0].rsplit(":", 1)
        for binary in (False, True):
            with psycopg.connect(host=host, port=port, user="tester", dbname="test", autocommit=True) as client:
                cursor = client.cursor(binary=binary)
                assert cursor.execute("SELECT u, l, u.num FROM t ORDER BY u").fetchall() == [("1", ["x y"], 1), ("z", None, None)]
                assert cursor.execute("SELECT union_tag(u) FROM t WHERE u = %s", ("z",)).fetchone() == ("str",)


@pytest.mark.parametrize("seed", range(3))
def test_random_unions_have_duckdbs_answers(seed):
    rng = random.Random(seed)
    members = {"i": "INTEGER", "d": "DATE", "s": "VARCHAR", "l": "INTEGER[]", "b": "BOOLEAN", "r": "STRUCT(x INTEGER, y VARCHAR)"}
    names = rng.sample(list(members), len(members))
    kind = f"UNION({', '.join(f'{name} {members[name]}' for name in names)})"
    wide = f"UNION({', '.join(f'{name} {members[name]}' for name in rng.sample(names, len(names)))}, more TIMESTAMP)"

    def member(name):
        if rng.random() < 0.1:
            return f"NULL::{members[name]}"
        number, text = rng.randrange(-5, 6), rng.choice("abc")
        values = {"i": f"{number}", "d": f"DATE '2024-01-01' + {number + 6}", "s": f"'{text}'", "l": f"[{number}, {abs(number)}]"}
        values |= {"b": rng.choice(["true", "false"]), "r": f"{{'x': {number}, 'y': '{text}'}}"}
        return f"({values[name]})::{members[name]}"

    def row():
        name = rng.choice(names)
        return "NULL" if rng.random() < 0.1 else f"union_value({name} := {member(name)})"

    rows = ", ".join(f"({i}, {row()})" for i in range(300))
    ours, theirs = scaup.connect(), duckdb.connect()
    for con in (ours, theirs):
        con.execute(f"CREATE TABLE t (id INTEGER, u {kind})")
        con.execute(f"INSERT INTO t VALUES {rows}")
    for query in (
        "SELECT id, u, union_tag(u)::VARCHAR FROM t ORDER BY id",
        f"SELECT id, {', '.join(f'u.{name}' for name in names)} FROM t ORDER BY id",
        "SELECT id FROM t ORDER BY u NULLS LAST, id",
        "SELECT u, count(*), min(id) FROM t GROUP BY u ORDER BY u NULLS LAST",
        "SELECT count(DISTINCT u), min(u), max(u) FROM t",
        f"SELECT id, u::{wide}, union_tag(u::{wide})::VARCHAR FROM t ORDER BY id",
        f"SELECT id FROM t ORDER BY u::{wide} NULLS LAST, id",
        "SELECT id, to_json(u)::VARCHAR FROM t ORDER BY id",
        f"SELECT id, to_json(u)::JSON::{kind} FROM t ORDER BY id",
        "SELECT union_tag(u)::VARCHAR AS tag, list(u ORDER BY id) FROM t GROUP BY tag ORDER BY tag NULLS LAST",
        "SELECT a.id, b.id FROM t a JOIN t b ON a.u = b.u AND to_json(a.u)::VARCHAR NOT LIKE '%null%' AND a.id < b.id ORDER BY 1, 2",
    ):
        assert ours.execute(query).fetchall() == theirs.sql(query).fetchall(), query
