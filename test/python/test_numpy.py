"""NumPy arrays: without a copy where NumPy has the form."""

import datetime as dt
import gc
import random
import string

import numpy as np
import pytest
import scaup

ZERO_COPY = [
    ("(i % 2 = 0)", "bool"),
    ("(i % 100)::TINYINT", "int8"),
    ("i::SMALLINT", "int16"),
    ("i::INTEGER", "int32"),
    ("i::BIGINT", "int64"),
    ("(i % 256)::UTINYINT", "uint8"),
    ("(i % 60000)::USMALLINT", "uint16"),
    ("i::UINTEGER", "uint32"),
    ("i::UBIGINT", "uint64"),
    ("i::REAL", "float32"),
    ("i::DOUBLE PRECISION", "float64"),
    ("TIMESTAMP '2024-01-01 00:00:00' + i * INTERVAL '1 second'", "datetime64[us]"),
    ("TIME '00:00:00' + i * INTERVAL '1 second'", "timedelta64[us]"),
]


@pytest.mark.parametrize("expression, dtype", ZERO_COPY)
def test_no_copy(con, expression, dtype):
    result = con.sql(f"SELECT {expression} AS c FROM range(3000) AS r(i)")
    array = result.fetchnumpy()["c"]
    assert array.dtype == np.dtype(dtype)
    assert array.shape == (3000,)
    assert array.__array_interface__["data"][0] == result._column_pointer(0)
    assert not array.flags.owndata
    assert not array.flags.writeable


@pytest.mark.parametrize("expression, dtype", ZERO_COPY)
def test_masks_share_memory_too(con, expression, dtype):
    result = con.sql(f"SELECT CASE WHEN i % 3 = 0 THEN NULL ELSE {expression} END AS c FROM range(3000) AS r(i) ORDER BY i")
    array = result.fetchnumpy()["c"]
    assert isinstance(array, np.ma.MaskedArray)
    assert array.dtype == np.dtype(dtype)
    assert array.data.__array_interface__["data"][0] == result._column_pointer(0)
    assert array.mask.tolist() == [i % 3 == 0 for i in range(3000)]
    assert array.mask.dtype == bool and not array.mask.flags.owndata
    assert array.mask.__array_interface__["data"][0] == result._mask_pointer(0)
    assert not array.mask.flags.writeable


@pytest.mark.parametrize("threads", [1, 4])
@pytest.mark.parametrize("expression, dtype", ZERO_COPY)
def test_no_copy_of_a_table_that_threads_scan(expression, dtype, threads):
    con = scaup.connect(config={"threads": threads})
    con.execute(f"CREATE TABLE t AS SELECT i AS k, CASE WHEN i % 7 = 0 THEN NULL ELSE {expression} END AS c FROM range(300000) AS r(i)".replace(
        "i::SMALLINT", "(i % 30000)::SMALLINT"))
    result = con.sql("SELECT k, c FROM t")
    arrays = result.fetchnumpy()
    assert arrays["c"].data.__array_interface__["data"][0] == result._column_pointer(1)
    assert arrays["c"].mask.__array_interface__["data"][0] == result._mask_pointer(1)
    assert arrays["c"].dtype == np.dtype(dtype)
    # Whatever threads read the table, the rows come in its order.
    assert np.array_equal(arrays["k"], np.arange(300000))
    assert np.array_equal(arrays["c"].mask, np.arange(300000) % 7 == 0)
    kept, mask = arrays["c"], arrays["c"].mask.copy()
    values = kept.data.copy()
    con.close()
    del con, result, arrays
    gc.collect()
    with scaup.connect() as other:
        other.execute("CREATE TABLE u AS SELECT -1 AS x FROM range(300000) AS r(i)")
        assert np.array_equal(kept.mask, mask) and np.array_equal(kept.data, values)


def test_memory_survives_result_and_connection():
    con = scaup.connect()
    result = con.sql("SELECT i::BIGINT AS a, CASE WHEN i = 5 THEN NULL ELSE i::DOUBLE PRECISION END AS b FROM range(100000) AS r(i) ORDER BY i")
    arrays = result.fetchnumpy()
    con.close()
    del result, con
    gc.collect()
    # Memory that was given back would be written over by these.
    others = [scaup.connect().sql("SELECT -1::BIGINT AS x FROM range(100000) AS r(i)").fetchnumpy() for _ in range(5)]
    assert len(others) == 5
    assert np.array_equal(arrays["a"], np.arange(100000))
    assert arrays["b"].sum() == sum(range(100000)) - 5
    part = arrays["a"][10:20]
    del arrays
    gc.collect()
    assert part.tolist() == list(range(10, 20))


def test_two_looks_share_one_memory(con):
    con.execute("SELECT i FROM range(1000) AS r(i)")
    first, second = con.fetchnumpy()["i"], con.fetchnumpy()["i"]
    assert np.shares_memory(first, second)


def test_converted_types(con):
    arrays = con.execute(
        "SELECT DATE '2024-02-29' AS d, 1.25::DECIMAL(10,2) AS n, 7::HUGEINT AS h, 10000000000000000000000::HUGEINT AS g, 'é' AS s, "
        "'\\x01'::BYTEA AS b, INTERVAL '1 day' AS i"
    ).fetchnumpy()
    assert arrays["d"].dtype == np.dtype("datetime64[D]") and arrays["d"][0] == np.datetime64("2024-02-29")
    assert arrays["n"].dtype == np.float64 and arrays["n"][0] == 1.25
    assert arrays["h"].dtype == np.int64 and arrays["h"][0] == 7
    assert arrays["g"].dtype == object and arrays["g"][0] == 10**22
    assert arrays["s"].tolist() == ["é"] and arrays["b"].tolist() == [b"\x01"] and arrays["i"].tolist() == [dt.timedelta(1)]


@pytest.mark.parametrize("width", [4, 9, 18, 38])
def test_decimals_of_all_widths(con, width):
    array = con.execute(f"SELECT v::DECIMAL({width},2) AS v FROM (VALUES (0.07), (-12.34), (NULL)) AS t(v)").fetchnumpy()["v"]
    assert array.dtype == np.float64
    assert array[:2].tolist() == [0.07, -12.34] and array.mask.tolist() == [False, False, True]


def test_text_with_nulls(con):
    array = con.execute("SELECT CASE WHEN i = 1 THEN NULL ELSE 't' || i END AS s FROM range(3) AS r(i) ORDER BY i").fetchnumpy()["s"]
    assert array.dtype == object
    assert array.mask.tolist() == [False, True, False]
    assert array.tolist() == ["t0", None, "t2"]


def test_names_that_occur_twice(con):
    assert list(con.execute("SELECT 1 AS a, 2 AS a, 3 AS a, 4 AS a_1").fetchnumpy()) == ["a", "a_1", "a_2", "a_1_1"]


def test_no_rows(con):
    arrays = con.execute("SELECT 1 AS i, 'x' AS s, 1.5::DOUBLE PRECISION AS d WHERE false").fetchnumpy()
    assert [len(array) for array in arrays.values()] == [0, 0, 0]
    assert arrays["i"].dtype == np.int32


def test_data_frame(con):
    pandas = pytest.importorskip("pandas")
    frame = con.execute(
        "SELECT i::INTEGER AS i, 'n' || i AS name, CASE WHEN i = 1 THEN NULL ELSE i::DOUBLE PRECISION END AS x, DATE '2024-01-01' AS d "
        "FROM range(3) AS r(i) ORDER BY i"
    ).df()
    assert isinstance(frame, pandas.DataFrame)
    assert frame["i"].tolist() == [0, 1, 2] and frame["name"].tolist() == ["n0", "n1", "n2"]
    assert frame["x"].isna().tolist() == [False, True, False]
    frame.loc[0, "i"] = 9  # a frame may be written to
    assert frame["i"][0] == 9


def test_a_column_out_of_range(con):
    with pytest.raises(IndexError):
        con.sql("SELECT 1")._column_pointer(5)


def check_texts(con, texts):
    """Fetches the texts in an order by chance, so that each meets others at its place in the cache."""
    rows = random.Random(1).choices(texts, k=20 * 1024)
    con.execute("CREATE TABLE texts (i INTEGER, s VARCHAR)")
    con.executemany("INSERT INTO texts VALUES (?, ?)", {"i": np.arange(len(rows)), "s": rows})
    ordered = con.sql("SELECT s FROM texts ORDER BY i")
    assert ordered.fetchnumpy()["s"].tolist() == rows
    assert [row[0] for row in ordered.fetchall()] == rows


@pytest.mark.parametrize("length", range(1, 36))
def test_texts_that_differ_in_one_character(con, length):
    """Equal texts may be one object, different ones never, wherever they differ."""
    check_texts(con, ["a" * at + other + "a" * (length - at - 1) for at in range(length) for other in string.printable.strip() + "é"])


def test_texts_that_differ_in_length(con):
    check_texts(con, [character * length for character in string.printable.strip() for length in range(36)])


def test_equal_texts_share_an_object(con):
    texts = con.sql("SELECT 'text ' || i % 3 AS s FROM range(1000) AS r(i)").fetchnumpy()["s"]
    assert len(set(map(id, texts))) == 3
