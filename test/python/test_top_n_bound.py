"""Blocks that a scan below ORDER BY with LIMIT skips: test/sql/order/top_n_bound.test has the answers."""

import re

import pytest

import scaup


@pytest.fixture
def con(tmp_path):
    con = scaup.connect(tmp_path / "moments.scaup")
    con.execute("SET threads = 1")
    con.execute("CREATE TABLE moments AS SELECT i AS id, TIMESTAMP '2020-01-01' + i * INTERVAL '1 second' AS at, hash(i) AS code FROM range(1000000) r(i)")
    con.execute("CHECKPOINT")
    con.execute(f"COPY moments TO '{tmp_path}/moments.parquet' (ROW_GROUP_SIZE 50000)")
    con.execute(f"CREATE VIEW file AS FROM '{tmp_path}/moments.parquet'")
    return con


def counts(con, query):
    text = "\n".join(row[0] for row in con.execute("EXPLAIN ANALYZE " + query).fetchall())
    return [int(number) for number in re.search(r"(?:blocks|row groups): ([\d,]+) read, ([\d,]+) skipped", text).groups()]


@pytest.mark.parametrize("direction", ["ASC", "DESC NULLS LAST", "DESC"])
@pytest.mark.parametrize("table", ["moments", "file"])
def test_only_the_end_of_sorted_rows_is_read(con, table, direction):
    read, skipped = counts(con, f"SELECT * FROM {table} WHERE code % 3 = 0 ORDER BY at {direction} LIMIT 10")
    assert read <= 3 and skipped >= (900 if table == "moments" else 17)


def test_rows_in_chance_order_are_all_read(con):
    assert counts(con, "SELECT * FROM file ORDER BY code LIMIT 10") == [20, 0]


def test_the_build_side_of_a_join_is_read_whole(con):
    # The rows are found by the key of a table that has been read before there is a bound.
    assert con.execute("SELECT small.at FROM file JOIN (SELECT id, at FROM file WHERE id % 100000 = 0) AS small USING (id) ORDER BY small.at DESC LIMIT 1").fetchone()[0].day == 11
