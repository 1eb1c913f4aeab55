"""Readers of relations: batches are computed while they are read."""

import gc
import os
import threading

import pytest
import scaup

pa = pytest.importorskip("pyarrow")

ENDLESS = "SELECT i FROM range(1000000000000) AS r(i)"  # nobody could hold its rows


def values(reader):
    return [value for batch in reader for value in batch.column(0).to_pylist()]


@pytest.mark.parametrize("name", ["fetch_record_batch", "to_arrow_reader", "fetch_arrow_reader", "arrow"])
def test_only_what_is_read_is_computed(con, name):
    reader = getattr(con.sql(ENDLESS), name)(1000)
    assert isinstance(reader, pa.RecordBatchReader) and reader.schema.names == ["i"]
    assert [reader.read_next_batch().num_rows for _ in range(3)] == [1000] * 3
    del reader
    gc.collect()
    assert con.execute("SELECT 1").fetchall() == [(1,)]


def test_all_batches(con):
    relation = con.sql("SELECT i, 't' || i AS s FROM range(10000) AS r(i) ORDER BY i")
    reader = relation.fetch_record_batch(3000)
    assert [batch.num_rows for batch in reader] == [3000, 3000, 3000, 1000]
    table = relation.arrow().read_all()  # the relation has kept nothing, and runs anew
    assert table["i"].to_pylist() == list(range(10000)) and table["s"][9999].as_py() == "t9999"
    assert con.sql("SELECT 1 AS x WHERE false").arrow().read_all().num_rows == 0
    assert len(relation.execute()) == 10000 and values(relation.fetch_record_batch()) == list(range(10000))
    assert len(relation.fetchall()) == 10000


def test_other_statements_do_not_end_it(con):
    con.execute("CREATE TABLE t AS SELECT i FROM range(50000) AS r(i)")
    one, two = (con.sql(f"SELECT i + {k} AS i FROM t ORDER BY i").fetch_record_batch(1000) for k in (0, 1))
    first, second = values([one.read_next_batch()]), values([two.read_next_batch()])
    con.execute("DELETE FROM t")
    assert con.execute("SELECT count(*) FROM t").fetchone() == (0,)
    second += values([two.read_next_batch()])
    assert first + values(one) == list(range(50000)) and second + values(two) == list(range(1, 50001))


def test_transactions_and_parameters(con):
    con.execute("CREATE TABLE t (i INTEGER)")
    con.begin()
    con.execute("INSERT INTO t VALUES (1), (2), (3)")
    reader = con.sql("SELECT i FROM t WHERE i >= :least ORDER BY i", {"least": 2}).arrow()
    con.rollback()
    assert values(reader) == [2, 3] and con.execute("SELECT count(*) FROM t").fetchone() == (0,)


def test_tables_of_python(con):
    numbers = pa.table({"x": list(range(5000))})
    reader = con.sql("SELECT x FROM numbers").fetch_record_batch(1000)
    numbers = None
    assert values(reader) == list(range(5000)) and numbers is None


def test_a_reader_as_a_table_of_its_connection(con):
    reader = con.sql("SELECT i FROM range(5000) AS r(i)").fetch_record_batch(1000)
    assert con.execute("SELECT sum(i) FROM reader").fetchone() == (sum(range(5000)),)
    reader = con.sql("SELECT i FROM range(5000) AS r(i)").fetch_record_batch(1000)
    assert sum(values(con.sql("SELECT i FROM reader WHERE i % 2 = 0").fetch_record_batch(100))) == sum(range(0, 5000, 2)) and reader is not None


def test_errors(con):
    reader = con.sql("SELECT 10 / (900000 - i) AS x FROM range(1000000) AS r(i)").fetch_record_batch(1000)
    assert reader.read_next_batch().num_rows == 1000
    with pytest.raises(OSError, match="division by zero"):
        values(reader)
    reader = con.sql("SELECT 10 / (900000 - i) AS x FROM range(1000000) AS r(i)").fetch_record_batch(1000)
    con.execute("SELECT 1")  # computes the rest, whose error is the reader's
    with pytest.raises(OSError, match="division by zero"):
        values(reader)
    with pytest.raises(scaup.ProgrammingError):
        con.sql("SELECT ? AS x", []).arrow()
    with pytest.raises(scaup.Error):
        con.sql("SELECT 1 AS x").arrow(0)


def test_the_file_is_open_until_the_end(tmp_path):
    con = scaup.connect(tmp_path / "x.scaup")
    con.execute("CREATE TABLE t AS SELECT i FROM range(100000) AS r(i)")
    reader = con.sql("SELECT i FROM t").fetch_record_batch(1000)
    con.close()
    assert sum(values(reader)) == sum(range(100000)) and os.listdir(tmp_path) == ["x.scaup"]
    con = scaup.connect(tmp_path / "x.scaup")
    reader = con.sql("SELECT i FROM t").fetch_record_batch(1000)
    reader.read_next_batch()
    con.close()
    del reader, con
    gc.collect()
    assert os.listdir(tmp_path) == ["x.scaup"]
    scaup.connect(tmp_path / "x.scaup", config={"threads": 1}).close()  # nobody else has it


def test_threads_with_readers_of_one_connection(con):
    con.execute("CREATE TABLE t AS SELECT i FROM range(20000) AS r(i)")
    wrong = []

    def work(number):
        for n in range(20):
            reader = con.sql("SELECT i + ? AS i FROM t ORDER BY i", [number]).fetch_record_batch(1000)
            if n % 3 == 0:
                reader.read_next_batch()
                continue
            try:
                if values(reader) != list(range(number, 20000 + number)):
                    wrong.append(n)
            except BaseException as error:  # pylint: disable=broad-except
                wrong.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    [thread.start() for thread in threads]
    [thread.join(120) for thread in threads]
    assert wrong == [] and not any(thread.is_alive() for thread in threads)


def rows_of(reader):
    return sum(batch.num_rows for batch in reader)


def test_results_larger_than_the_memory_limit():
    with scaup.connect(config={"threads": "2", "memory_limit": "20MB"}) as con:
        sql = "SELECT i, 'text ' || i AS s FROM range(2000000) AS r(i) WHERE i >= ?"
        assert con.execute(sql, [5]).fetchone() == (5, "text 5")
        assert len(con.execute(sql, [5]).fetchnumpy()["s"]) == 1_999_995
        con.execute(sql, [5])
        reader = con.fetch_record_batch(1000)
        assert reader.schema.names == ["i", "s"]
        first = reader.read_next_batch()
        assert first.num_rows <= 1000 and first.to_pylist()[0] == {"i": 5, "s": "text 5"}
        assert con.execute("SELECT 1").fetchone() == (1,)
        assert first.num_rows + rows_of(reader) == 1_999_995
        cursor = con.cursor()
        assert rows_of(cursor.execute(sql, [0]).arrow()) == 2_000_000
        con.begin()
        con.execute("CREATE TABLE t (i BIGINT)")
        con.execute("INSERT INTO t VALUES (7)")
        assert con.execute(sql, [0]).fetchmany(2) == [(0, "text 0"), (1, "text 1")]
        con.commit()
        assert con.execute("SELECT count(*) FROM t").fetchone() == (1,)
