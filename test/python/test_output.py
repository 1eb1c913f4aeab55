"""Rows as tables for people, dicts, CSV, JSON and tensors: of results and of relations."""

import datetime as dt
import decimal
import io
import sys
import types

import numpy as np
import pytest
import scaup

TYPES = (
    "SELECT 1 AS i, true AS b, NULL AS n, 1.50::DECIMAL(4,2) AS d, '\\x01ff'::BYTEA AS y, DATE '2024-02-29' AS dt, "
    "TIMESTAMP '2024-02-29 01:02:03.5' AS ts, TIMESTAMPTZ '2024-02-29 01:02:03+00' AS tz, TIME '01:02:03' AS tm, "
    "INTERVAL '2 days 03:04:05' AS iv, [1, 2, NULL] AS l, {'a': 1, 'b': 'x'} AS s, '{\"k\":[1]}'::JSON AS j, "
    "UUID '00000000-0000-0000-0000-000000000001' AS u, 'a\"b,cä' AS t, '' AS e, 1e300::DOUBLE PRECISION AS f, 1.0::DOUBLE PRECISION AS f2, "
    "'inf'::DOUBLE PRECISION AS f3, 'nan'::REAL AS f4, 0.1::REAL AS f5, 1e-7::DOUBLE PRECISION AS f7, ['x', 'y,z'] AS l2, 10::HUGEINT AS h"
)


@pytest.mark.parametrize("format", ["csv", "json"])
def test_python_writes_what_copy_writes(con, tmp_path, format):
    relation = con.sql(TYPES)
    write = getattr(relation, f"to_{format}")
    assert write(tmp_path / "copy") is None
    copied = (tmp_path / "copy").read_text(encoding="utf-8")
    assert write() == copied
    result = con._run_sql(TYPES)
    getattr(result, f"to_{format}")(str(tmp_path / "result"))
    assert (tmp_path / "result").read_text(encoding="utf-8") == copied
    buffer = io.StringIO()
    write(buffer)
    assert buffer.getvalue() == copied


def test_csv_options(con, tmp_path):
    relation = con.sql("SELECT 1 AS a, NULL AS b, 'x;y' AS c, 'NA' AS d")
    expected = '1;NA;"x;y";"NA"\n'
    assert relation.to_csv(header=False, sep=";", na_rep="NA") == expected
    path = tmp_path / "it's.csv"
    relation.to_csv(path, header=False, sep=";", na_rep="NA")
    assert path.read_text() == expected
    back = con.read_csv(path, header=False, sep=";", nullstr="NA", quote='"', names=["a", "b,b", "c", "d"])
    assert back.columns == ["a", "b,b", "c", "d"] and back.fetchall() == [(1, None, "x;y", "NA")]
    relation.write_csv(tmp_path / "x.csv.gz", compression="gzip")
    assert (tmp_path / "x.csv.gz").read_bytes()[:2] == b"\x1f\x8b"
    with pytest.raises(scaup.ProgrammingError, match="for a path only"):
        relation.to_csv(compression="gzip")
    with pytest.raises(scaup.ProgrammingError, match="write()"):
        relation.to_csv(5)
    with pytest.raises(scaup.ProgrammingError, match="one character"):
        relation.to_csv(sep="ab")


def test_read_csv(con, tmp_path):
    for name, rows in (("a1.csv", "1,x"), ("a2.csv", "2,y")):
        (tmp_path / name).write_text(f"id,name\n{rows}\n")
    paths = [tmp_path / "a2.csv", str(tmp_path / "a1.csv")]
    assert con.read_csv(paths).fetchall() == [(2, "y"), (1, "x")]
    assert con.read_csv(tmp_path / "a*.csv").filter("id = 2").fetchall() == [(2, "y")]
    read = con.read_csv(paths[0], columns={"k": "DOUBLE PRECISION", "the name": "VARCHAR"}, header=True)
    assert read.columns == ["k", "the name"] and read.types == ["DOUBLE", "VARCHAR"]
    assert con.read_csv(paths[0], types=["SMALLINT", "VARCHAR"]).types == ["SMALLINT", "VARCHAR"]
    assert con.read_csv(paths[0], null_strings=["y", "z"]).fetchall() == [(2, None)]
    for bad in (lambda: con.read_csv([]), lambda: con.read_csv(paths[0], no_such_option=1)):
        with pytest.raises(scaup.ProgrammingError):
            bad()
    with pytest.raises(scaup.OperationalError):
        con.read_csv(tmp_path / "none.csv")


def test_json(con, tmp_path):
    relation = con.sql("SELECT i, 'é\"' AS s FROM range(2) AS r(i) ORDER BY i")
    lines = '{"i":0,"s":"é\\""}\n{"i":1,"s":"é\\""}\n'
    assert relation.to_json() == lines
    relation.write_json(tmp_path / "x.json", array=True)
    assert con.read_json_documents(tmp_path / "x.json").fetchall() == [(line,) for line in lines.split("\n")[:-1]]
    import json

    assert json.loads(relation.to_json(array=True)) == [{"i": 0, "s": 'é"'}, {"i": 1, "s": 'é"'}]
    assert json.loads(relation.limit(0).to_json(array=True)) == []


def test_dicts_and_rows(con):
    assert con.sql("SELECT 1 AS a, 2 AS a, 3 AS b").to_dicts() == [{"a": 1, "a_1": 2, "b": 3}]
    result = con._run_sql("SELECT i FROM range(10000) AS r(i)")
    assert result.fetchone() == (0,)
    rows = result.iter_rows(batch_size=3)
    assert next(rows) == (1,) and result.fetchone() == (4,)
    assert sum(1 for _ in rows) == 9997 and result.to_dicts() == []


def test_table_in_a_box(con):
    text = str(con.sql("SELECT i AS number, CASE WHEN i = 1 THEN NULL ELSE 'text ' || i END AS \"日本\" FROM range(3) AS r(i) ORDER BY i"))
    assert text.split("\n") == [
        "┌────────┬─────────┐",
        "│ number │ 日本    │",
        "│ BIGINT │ VARCHAR │",
        "├────────┼─────────┤",
        "│      0 │ text 0  │",
        "│      1 │ NULL    │",
        "│      2 │ text 2  │",
        "└────────┴─────────┘",
        "(3 rows)",
    ]


def test_head_and_tail(con, capsys):
    con.sql("SELECT i FROM range(100) AS r(i) ORDER BY i").show(max_rows=5, null_value="-")
    lines = capsys.readouterr().out.split("\n")
    assert [line.strip("│ ") for line in lines[4:-3]] == ["0", "1", "2", "·", "98", "99"]
    assert lines[-2] == "(100 rows, 5 shown)"
    assert "(more than 10000 rows, 20 shown)" in repr(con.sql("SELECT i FROM range(3000000000) AS r(i)"))
    assert "(0 rows)" in repr(con.sql("SELECT 1 AS a WHERE false"))


def test_wide_and_long(con, capsys):
    con.sql("SELECT " + ", ".join(f"'{'v' * 100}' AS c{i}" for i in range(30))).show(max_width=80, max_col_width=10)
    lines = capsys.readouterr().out.rstrip("\n").split("\n")
    assert max(map(len, lines)) <= 80 and "vvvvvvvvv…" in lines[4] and " … " in lines[4]
    assert lines[1].startswith("│ c0 ") and "c29" in lines[1] and "30 columns" in lines[-1]
    con.sql("SELECT E'a\\nb\\t\\x1b[31m' AS x").show()
    assert "a b  [31m" in capsys.readouterr().out


def test_html_is_escaped(con):
    sql = "SELECT i AS \"<b>\", '<script>&' AS s, NULL AS n FROM range(100) AS r(i) ORDER BY i"
    for shown in (con.sql(sql), con._run_sql(sql)):
        html = shown._repr_html_()
        assert "<script>" not in html and "&lt;script&gt;&amp;" in html and "&lt;b&gt;" in html and "VARCHAR" in html
        assert "100 rows, 20 shown" in html and "NULL" in html
    assert "<td>99</td>" in con.sql(sql)._repr_html_() and "<td>50</td>" not in con.sql(sql)._repr_html_()


def test_showing_does_not_fetch(con, capsys):
    result = con._run_sql("SELECT i, 'a | b' AS s FROM range(50) AS r(i) ORDER BY i")
    assert result.fetchone() == (0, "a | b")
    result.show(max_rows=2)
    assert "│ a | b   │" in capsys.readouterr().out
    assert result.fetchone() == (1, "a | b")
    relation = con.sql("SELECT i FROM range(50) AS r(i) ORDER BY i")
    assert relation.fetchone() == (0,) and repr(relation) and relation.fetchone() == (1,)


def test_torch(con, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    relation = con.sql("SELECT i::INTEGER AS i, CASE WHEN i = 1 THEN NULL ELSE i::DOUBLE PRECISION END AS x FROM range(3) AS r(i) ORDER BY i")
    with pytest.raises(ImportError, match="pip install torch"):
        relation.torch()
    monkeypatch.setitem(sys.modules, "torch", types.SimpleNamespace(from_numpy=lambda array: array))
    tensors = relation.torch()
    assert tensors["i"].tolist() == [0, 1, 2] and tensors["i"].flags.writeable and tensors["i"].dtype == np.int32
    assert np.isnan(tensors["x"][1]) and tensors["x"][2] == 2.0
    for sql, what in (("SELECT 'x' AS name", "name"), ("SELECT NULL::INTEGER AS gap", "NULLs"), ("SELECT DATE '2024-01-01' AS day", "day")):
        with pytest.raises(scaup.NotSupportedError, match=what):
            con.sql(sql).torch()


def test_literals(con):
    from scaup import _sql_text

    for value in (
        None, True, 5, -7, 10**20, 0.5, 1e300, float("inf"), decimal.Decimal("-1.50"), "it's \\ ü", b"\0'", dt.date(2024, 2, 29),
        dt.datetime(2024, 2, 29, 1, 2, 3, 4), dt.datetime(2024, 2, 29, tzinfo=dt.timezone.utc), dt.time(1, 2, 3),
        dt.timedelta(days=-2, seconds=3, microseconds=4), [1, 2], [[1], [2, 3]], {"a": 1, "b c": "x"},
    ):
        assert con.sql(f"SELECT {_sql_text.literal(value)} AS x").fetchall() == [(value,)]


def test_module_functions(tmp_path):
    first = scaup.default_connection()
    assert scaup.default_connection() is first
    with scaup.connect() as con:
        scaup.set_default_connection(con)
        try:
            scaup.execute("CREATE TABLE module_table AS SELECT 1 AS x")
            assert scaup.sql("SELECT * FROM module_table").fetchall() == con.table("module_table").fetchall() == [(1,)]
            assert scaup.table("module_table").filter("x = 1").fetchall() == scaup.values(1).fetchall() == [(1,)]
            (tmp_path / "x.csv").write_text("a\n1\n")
            assert scaup.read_csv(tmp_path / "x.csv").fetchall() == [(1,)]
        finally:
            scaup.set_default_connection(first)
    with pytest.raises(scaup.ProgrammingError):
        scaup.set_default_connection("x")
    assert scaup.query("SELECT 2").fetchone() == (2,)


def test_import_is_light():
    import pathlib
    import subprocess

    heavy = ("numpy", "pandas", "polars", "pyarrow", "asyncio", "IPython", "json", "typing", "dataclasses", "scaup.aio", "scaup.magic")
    package = pathlib.Path(scaup.__file__).parent.parent
    code = f"import sys; sys.path.insert(0, {str(package)!r}); import scaup; print([name for name in {heavy} if name in sys.modules])"
    assert subprocess.run([sys.executable, "-S", "-E", "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
