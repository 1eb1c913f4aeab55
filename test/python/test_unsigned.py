"""Unsigned integers in and out: NumPy, pandas, Polars, Arrow, Parquet, parameters, functions."""

import numpy as np
import pytest
import scaup

pa = pytest.importorskip("pyarrow")
pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pq = pytest.importorskip("pyarrow.parquet")

TYPES = [("UTINYINT", "uint8"), ("USMALLINT", "uint16"), ("UINTEGER", "uint32"), ("UBIGINT", "uint64")]
BOTH = pytest.mark.parametrize("sql, name", TYPES)


def values(name):
    """Both ends, the middle, where signed integers change their sign, and others."""
    greatest = int(np.iinfo(name).max)
    return [0, 1, greatest // 2, greatest // 2 + 1, greatest - 1, greatest, 7, 200]


def filled(con, sql, name, nulls=True):
    con.execute(f"CREATE OR REPLACE TABLE t (u {sql})")
    rows = [*values(name), None] if nulls else values(name)
    con.executemany("INSERT INTO t VALUES (?)", [(each,) for each in rows])
    return rows


@BOTH
def test_rows_and_numpy(con, sql, name):
    rows = filled(con, sql, name)
    assert [row[0] for row in con.execute("SELECT u FROM t").fetchall()] == rows
    array = con.execute("SELECT u FROM t").fetchnumpy()["u"]
    assert array.dtype == name and array.tolist() == rows
    array = con.execute("SELECT u FROM t WHERE u IS NOT NULL").fetchnumpy()["u"]
    assert array.dtype == name and array.tolist() == rows[:-1]
    assert con.execute("SELECT u FROM t").description[0][1] == sql and sql == scaup.NUMBER
    assert [row[0] for row in con.execute("SELECT u FROM t WHERE u = ?", [rows[5]]).fetchall()] == [rows[5]]
    with pytest.raises(scaup.DataError) as error:
        con.execute("INSERT INTO t VALUES (?)", [-1])
    assert error.value.sqlstate == "22003"


@BOTH
def test_pandas(con, sql, name):
    rows = filled(con, sql, name)
    assert con.execute("SELECT u FROM t WHERE u IS NOT NULL").df()["u"].dtype == name
    column = con.execute("SELECT u FROM t").df()["u"]
    assert str(column.dtype) == name.replace("ui", "UI") and column.tolist()[:-1] == rows[:-1] and column.isna().tolist()[-1]
    frame = pd.DataFrame({"u": pd.array(rows, dtype=column.dtype), "v": np.array([*rows[:-1], 3], name)})
    con.execute("CREATE OR REPLACE TABLE copy AS SELECT * FROM frame")
    assert con.execute("SELECT u, v, typeof(u), typeof(v) FROM copy").fetchall() == [
        (u, v, sql, sql) for u, v in zip(rows, [*rows[:-1], 3])
    ]


@BOTH
def test_polars(con, sql, name):
    rows = filled(con, sql, name)
    frame = con.execute("SELECT u FROM t").pl()
    assert frame["u"].dtype == getattr(pl, name.replace("ui", "UI")) and frame["u"].to_list() == rows
    assert con.execute("SELECT u, typeof(u) FROM frame").fetchall() == [(u, sql) for u in rows]


@BOTH
def test_arrow(con, sql, name):
    rows = filled(con, sql, name)
    given = con.execute("SELECT u, [u] AS l, {'f': u} AS s FROM t").fetch_arrow_table()
    kind = getattr(pa, name)()
    assert given.schema.field("u").type == kind and given["u"].to_pylist() == rows
    assert given.schema.field("l").type.value_type == kind and given["l"].to_pylist() == [[u] for u in rows]
    assert given["s"].to_pylist() == [{"f": u} for u in rows]
    assert con.execute("SELECT u, l[1], s.f, typeof(u), typeof(l) FROM given").fetchall() == [(u, u, u, sql, f"{sql}[]") for u in rows]
    half = con.execute("SELECT count(*) FROM given WHERE u > ?", [rows[2]]).fetchall()
    assert half == [(sum(u is not None and u > rows[2] for u in rows),)]


@BOTH
def test_arrow_shares_memory(con, sql, name):
    array = pa.array(np.arange(100, dtype=name))
    given = pa.table({"u": array})
    con.execute("CREATE OR REPLACE TABLE t AS SELECT u FROM given")
    assert con.execute("SELECT sum(u), typeof(min(u)) FROM t").fetchall() == [(4950, sql)]
    result = con.execute("SELECT u FROM t").fetchnumpy()["u"]
    assert not result.flags.owndata  # a view of the result


@BOTH
def test_parquet(con, sql, name, tmp_path):
    rows = filled(con, sql, name)
    con.execute(f"COPY t TO '{tmp_path}/ours.parquet' (FORMAT parquet)")
    read = pq.read_table(tmp_path / "ours.parquet")
    assert read.schema.field("u").type == getattr(pa, name)() and read["u"].to_pylist() == rows
    statistics = pq.ParquetFile(tmp_path / "ours.parquet").metadata.row_group(0).column(0).statistics
    assert (statistics.min, statistics.max) == (0, rows[5])
    for options in ({}, {"use_dictionary": False}, {"version": "1.0"}, {"data_page_version": "2.0"}):
        pq.write_table(pa.table({"u": pa.array(rows, getattr(pa, name)())}), tmp_path / "theirs.parquet", **options)
        expected = [(u, "BIGINT" if options.get("version") == "1.0" and name == "uint32" else sql) for u in rows]
        assert con.execute(f"SELECT u, typeof(u) FROM '{tmp_path}/theirs.parquet'").fetchall() == expected
        assert con.execute(f"SELECT count(*) FROM '{tmp_path}/theirs.parquet' WHERE u >= {rows[3]}").fetchall() == [
            (sum(u is not None and u >= rows[3] for u in rows),)
        ]


@BOTH
def test_functions(con, sql, name):
    rows = filled(con, sql, name, nulls=False)
    con.create_function("same", lambda u: u, [sql], sql)
    assert [row[0] for row in con.execute("SELECT same(u) FROM t").fetchall()] == rows
    con.create_function("arrays", lambda u: u[::-1][::-1], [sql], sql, type="numpy")
    assert [row[0] for row in con.execute("SELECT arrays(u) FROM t").fetchall()] == rows
    assert con.execute("SELECT typeof(?), list_contains(?, 200)", [np.array(rows, name), np.array(rows, name)]).fetchall() == [(f"{sql}[]", True)]


def test_differences_are_errors(con):
    for expression in ("0::UTINYINT - 1", "255::UTINYINT + 1", "-(1::UBIGINT)", "18446744073709551615::UBIGINT * 2"):
        with pytest.raises(scaup.DataError) as error:
            con.execute(f"SELECT {expression}").fetchall()
        assert error.value.sqlstate == "22003"
