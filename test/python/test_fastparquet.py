"""Parquet files of fastparquet, a reader and writer of its own in Python: each reads what the other writes."""

import datetime
import decimal
import random

import pytest

fastparquet = pytest.importorskip("fastparquet")
pd = pytest.importorskip("pandas")

CODECS = ["UNCOMPRESSED", "SNAPPY", "GZIP", "ZSTD", "BROTLI"]
COLUMNS = {
    "b": ("BOOLEAN", lambda r: r.random() < 0.5),
    "i16": ("SMALLINT", lambda r: r.randint(-32768, 32767)),
    "i32": ("INTEGER", lambda r: r.randint(-(2**31), 2**31 - 1)),
    "i64": ("BIGINT", lambda r: r.randint(-(2**63), 2**63 - 1)),
    "few": ("BIGINT", lambda r: r.choice([1, 2, 3])),
    "f": ("REAL", lambda r: r.randint(-1000, 1000) / 8),
    "d": ("DOUBLE", lambda r: r.random()),
    "t": ("VARCHAR", lambda r: "".join(r.choice("abcé€😀") for _ in range(r.randint(0, 20)))),
    "word": ("VARCHAR", lambda r: r.choice(["one", "two", "three"])),
    "o": ("BLOB", lambda r: r.randbytes(r.randint(0, 9))),
    "day": ("DATE", lambda r: datetime.date(1970, 1, 1) + datetime.timedelta(days=r.randint(0, 40000))),
    "ts": ("TIMESTAMP", lambda r: datetime.datetime(1990, 1, 1) + datetime.timedelta(microseconds=r.randint(0, 10**15))),
    "n": ("DECIMAL(9,2)", lambda r: decimal.Decimal(r.randint(-99999, 99999)).scaleb(-2)),
}


def rows_of(seed, count):
    randomness = random.Random(seed)
    return [tuple(None if randomness.random() < 0.1 else make(randomness) for _, make in COLUMNS.values()) for _ in range(count)]


def plain(value):
    """A value of pandas as Python has it; decimals, which fastparquet reads as floats, rounded."""
    if value is None or value is pd.NA or value is pd.NaT or value != value:
        return None
    if isinstance(value, pd.Timestamp):
        value = value.to_pydatetime()
        return value.date() if value.time() == datetime.time() else value
    if isinstance(value, (float, decimal.Decimal)):
        return round(float(value), 9)
    if isinstance(value, datetime.datetime) and value.time() == datetime.time():
        return value.date()
    return value.item() if hasattr(value, "item") else value


@pytest.mark.parametrize("codec", CODECS)
def test_fastparquet_reads_what_copy_writes(con, tmp_path, codec):
    rows = rows_of(codec, 3000)
    con.execute(f"CREATE TABLE t ({', '.join(f'{name} {kind}' for name, (kind, _) in COLUMNS.items())})")
    con.executemany(f"INSERT INTO t VALUES ({', '.join('?' * len(COLUMNS))})", rows)
    con.execute(f"COPY t TO '{tmp_path / 't.parquet'}' (COMPRESSION {codec.lower()}, ROW_GROUP_SIZE 1000)")
    frame = fastparquet.ParquetFile(str(tmp_path / "t.parquet")).to_pandas()
    assert list(frame.columns) == list(COLUMNS)
    for name, column in zip(COLUMNS, zip(*rows)):
        assert [plain(value) for value in frame[name].astype(object)] == [plain(value) for value in column], name


@pytest.mark.parametrize("codec", CODECS)
@pytest.mark.parametrize("nulls", [True, False])
def test_what_fastparquet_writes_is_read(con, tmp_path, codec, nulls):
    randomness = random.Random(codec)
    count = 3000
    frame = pd.DataFrame({
        "i": [randomness.randint(-(2**63), 2**63 - 1) for _ in range(count)],
        "d": [randomness.random() for _ in range(count)],
        "b": [randomness.random() < 0.5 for _ in range(count)],
        "t": pd.Series([None if nulls and randomness.random() < 0.2 else randomness.choice(["", "a", "äöü", "😀" * 9]) for _ in range(count)], dtype=object),
        "ts": pd.Series([datetime.datetime(1990, 1, 1) + datetime.timedelta(microseconds=randomness.randint(0, 10**15)) for _ in range(count)], dtype="datetime64[us]"),
    })
    path = tmp_path / "f.parquet"
    fastparquet.write(str(path), frame, compression=codec, row_group_offsets=1000, object_encoding="utf8")
    found = con.execute(f"SELECT i, d, b, t, ts FROM '{path}'").fetchall()
    assert [tuple(map(plain, row)) for row in found] == [tuple(map(plain, row)) for row in frame.astype(object).itertuples(index=False)]
    assert con.execute(f"SELECT count(*) FROM '{path}' WHERE t = 'a' AND d < 0.5").fetchone()[0] == sum((frame["t"] == "a") & (frame["d"] < 0.5))
