"""Directories that COPY writes: pyarrow, DuckDB and Polars read the partitions, under little memory too; no failure leaves files."""

import os

import pytest

import scaup

pa = pytest.importorskip("pyarrow", reason="pyarrow reads the files back")
ds = pytest.importorskip("pyarrow.dataset", reason="pyarrow reads the files back")
pq = pytest.importorskip("pyarrow.parquet", reason="pyarrow reads the files back")
duckdb = pytest.importorskip("duckdb", reason="DuckDB reads the files back")
pl = pytest.importorskip("polars", reason="Polars reads the files back")

ROWS = "SELECT i, i % 7 AS k, CASE WHEN i % 5 = 0 THEN NULL ELSE 'v ' || i % 3 || '/=%é' END AS s FROM generate_series(0, 9999) AS g(i)"


def files_of(path):
    return sorted(os.path.relpath(os.path.join(folder, name), path) for folder, _, names in os.walk(path) for name in names)


@pytest.mark.parametrize("format", ["parquet", "csv", "arrow", "json"])
def test_duckdb_reads_partitions_and_writes_the_same_folders(tmp_path, format):
    con, theirs = scaup.connect(), duckdb.connect()
    ours, other = tmp_path / "ours", tmp_path / "theirs"
    con.execute(f"COPY ({ROWS}) TO '{ours}' (FORMAT {format}, PARTITION_BY (k, s))")
    expected = sorted(con.execute(ROWS).fetchall(), key=str)
    if format == "arrow":
        table = ds.dataset(ours, format="ipc", partitioning=ds.partitioning(pa.schema([("k", pa.int64()), ("s", pa.string())]), flavor="hive")).to_table()
        assert sorted(zip(*(table[name].to_pylist() for name in ("i", "k", "s"))), key=str) == expected
        return
    theirs.execute(f"COPY ({ROWS}) TO '{other}' (FORMAT {format}, PARTITION_BY (k, s))")
    assert {os.path.dirname(each) for each in files_of(ours)} == {os.path.dirname(each) for each in files_of(other)}
    read = f"SELECT i, k, s FROM read_{format}('{{}}/**/*.{format}', hive_partitioning => true)"
    assert sorted(theirs.execute(read.format(ours)).fetchall(), key=str) == expected
    assert sorted(con.execute(read.format(other)).fetchall(), key=str) == expected
    if format == "parquet":
        assert len(pl.read_parquet(f"{ours}/**/*.parquet", hive_partitioning=True)) == 10000


def test_many_partitions_and_little_memory(tmp_path):
    con = scaup.connect(config={"memory_limit": "100MB", "threads": 2})
    con.execute(
        f"""COPY (SELECT i, i::BIGINT * 7919 % 1000 AS k, repeat(md5(i::VARCHAR), 20) AS s FROM generate_series(1, 100000) AS g(i))
        TO '{tmp_path}/p' (FORMAT parquet, PARTITION_BY (k))"""
    )
    names = files_of(tmp_path / "p")
    assert len(names) == 1000 and os.listdir(tmp_path) == ["p"]
    assert con.execute(f"SELECT count(*), sum(i), sum(length(s)) FROM '{tmp_path}/p/*/*.parquet'").fetchone() == (100000, 5000050000, 100000 * 640)
    for name in names[::200]:
        rows = pq.ParquetFile(tmp_path / "p" / name).read()["i"].to_pylist()
        assert rows == sorted(rows) and len(rows) == 100


def test_interruptions_and_errors_leave_nothing(tmp_path):
    con = scaup.connect()
    con.execute(f"COPY ({ROWS}) TO '{tmp_path}/p' (FORMAT csv, PARTITION_BY (k))")
    before = files_of(tmp_path)
    for option in ["OVERWRITE", "APPEND", "OVERWRITE_OR_IGNORE"]:
        with pytest.raises(scaup.Error, match="division by zero"):
            con.execute(f"COPY (SELECT 1 / (i - 9000) AS x, k FROM ({ROWS}) AS t) TO '{tmp_path}/p' (FORMAT csv, PARTITION_BY (k), {option})")
        assert files_of(tmp_path) == before
    con.execute("SET statement_timeout = '50ms'")
    with pytest.raises(scaup.Error):
        con.execute(f"COPY (SELECT i, i % 1000 AS k FROM generate_series(1, 100000000) AS g(i)) TO '{tmp_path}/q' (FORMAT parquet, PARTITION_BY (k))")
    assert files_of(tmp_path) == before


def test_the_own_file_is_not_overwritten(tmp_path):
    con = scaup.connect(tmp_path / "x.scaup")
    con.execute("CREATE TABLE t AS SELECT 1 AS a, 2 AS b")
    with pytest.raises(scaup.Error, match="own file"):
        con.execute(f"COPY t TO '{tmp_path}' (FORMAT csv, PARTITION_BY (a), OVERWRITE)")
    con.execute(f"COPY t TO '{tmp_path}' (FORMAT csv, PARTITION_BY (a), APPEND)")
    assert (tmp_path / "x.scaup").exists() and (tmp_path / "a=1").exists()


def test_links_are_removed_not_followed(tmp_path):
    con = scaup.connect()
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "file").write_text("x")
    (tmp_path / "p").mkdir()
    (tmp_path / "p" / "link").symlink_to(tmp_path / "kept")
    con.execute(f"COPY (SELECT 1 AS a, 2 AS b) TO '{tmp_path}/p' (FORMAT csv, PARTITION_BY (a), OVERWRITE)")
    assert files_of(tmp_path) == ["kept/file", "p/a=1/data_0.csv"]
