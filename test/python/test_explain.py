"""Plans as JSON documents."""

import json

import pytest
import scaup


@pytest.fixture
def connection(con):
    con.execute("CREATE TABLE facts (id INTEGER, name VARCHAR)")
    con.execute("""INSERT INTO facts SELECT i, 'it''s "' || i || '"\\' FROM range(100) AS r(i)""")
    return con


def plan_of(connection, statement):
    rows = connection.execute(statement).fetchall()
    assert len(rows) == 1
    document = json.loads(rows[0][0])
    assert len(document) == 1
    return document[0]


def nodes_of(plan):
    yield plan
    for child in plan.get("Plans", []):
        yield from nodes_of(child)


def test_a_plan_is_a_tree(connection):
    document = plan_of(connection, "EXPLAIN (FORMAT json) SELECT a.id FROM facts a JOIN facts b ON a.id = b.id")
    assert set(document) == {"Plan"}
    nodes = list(nodes_of(document["Plan"]))
    assert len([node for node in nodes if "Scan" in node["Node Type"]]) == 2
    assert all(node["Plan Rows"] >= 0 for node in nodes)
    assert not any("Actual Rows" in node for node in nodes)


def test_a_run_adds_rows_and_times(connection):
    document = plan_of(connection, "EXPLAIN (ANALYZE, FORMAT json) SELECT id FROM facts WHERE id < 10")
    assert document["Execution Time"] > 0
    assert document["Threads"] >= 1
    assert document["Plan"]["Actual Rows"] == 10
    assert document["Plan"]["Actual Time"] >= 0


def test_texts_are_escaped(connection):
    document = plan_of(connection, """EXPLAIN (FORMAT json) SELECT id FROM facts WHERE name = 'it''s "\\ \t\n\x01'""")
    details = [detail for node in nodes_of(document["Plan"]) for detail in node.get("Details", [])]
    assert any('"\\ \t\n\x01' in detail for detail in details)


def test_a_join_tells_the_scan_what_it_can_skip(connection):
    connection.execute("CREATE TABLE days AS SELECT i AS day FROM range(300) AS r(i)")
    connection.execute("CREATE TABLE sales AS SELECT i / 1000 AS day FROM range(300000) AS r(i)")
    document = plan_of(connection, """EXPLAIN (ANALYZE, FORMAT json)
        SELECT count(*) FROM sales JOIN days ON sales.day = days.day WHERE days.day IN (100, 101)""")
    scan = next(node for node in nodes_of(document["Plan"]) if "table: sales" in node.get("Details", []))
    assert scan["Actual Rows"] == 2000
    assert any("blocks: 3 read, 290 skipped" in detail for detail in scan["Details"])


def test_a_join_by_inequalities_tells_the_scan_what_it_can_skip(connection):
    connection.execute("CREATE TABLE spans AS SELECT 100::BIGINT + i AS low, 101::BIGINT + i AS high FROM range(2) AS r(i)")
    connection.execute("CREATE TABLE sales AS SELECT i / 1000 AS day FROM range(300000) AS r(i)")
    document = plan_of(connection, """EXPLAIN (ANALYZE, FORMAT json)
        SELECT count(*) FROM sales JOIN spans ON sales.day >= spans.low AND sales.day < spans.high""")
    assert any(node["Node Type"] == "RangeJoin" and node["Actual Rows"] == 2000 for node in nodes_of(document["Plan"]))
    scan = next(node for node in nodes_of(document["Plan"]) if "table: sales" in node.get("Details", []))
    assert any("blocks: 4 read, 289 skipped" in detail for detail in scan["Details"])


def test_scans_leave_out_keys_that_a_join_does_not_have(con):
    con.execute("CREATE TABLE dense AS SELECT i AS k FROM generate_series(0, 19999) AS r(i)")
    con.execute("CREATE TABLE sparse AS SELECT i * 4999 AS k FROM generate_series(0, 3) AS r(i)")
    plan = "\n".join(row[0] for row in con.execute("EXPLAIN ANALYZE SELECT count(*) FROM dense JOIN sparse ON dense.k = sparse.k").fetchall())
    assert "20,000 rows, 4 rows" in plan, plan


def test_groups_of_ordered_rows_are_complete_in_their_batches(con):
    con.execute("CREATE TABLE t AS SELECT i / 3 AS k, (i * 7919) % 300000 AS r FROM generate_series(0::bigint, 299999) AS s(i)")

    def plan(key):
        return "\n".join(row[0] for row in con.execute(f"EXPLAIN ANALYZE SELECT {key}, count(*) FROM t GROUP BY {key}").fetchall())

    assert "groups complete in each of" in plan("k")
    assert "groups complete" not in plan("r")
    assert "groups complete" not in plan("k % 5")
    con.execute("UPDATE t SET k = 5 WHERE r = 200000")  # Its versions are not in the zone maps.
    assert "groups complete" not in plan("k")


def test_a_run_tells_memory_and_spilling(con):
    con.execute("SET memory_limit = '16MiB'")
    for statement, operator in {"SELECT count(*) FROM (SELECT k, count(*) FROM r GROUP BY k) AS g": "HashAggregate",
                                "SELECT count(*) FROM r AS a JOIN r AS b ON a.k = b.k": "HashJoin",
                                "SELECT k FROM r ORDER BY k OFFSET 499999": "Sort",
                                "SELECT max(n) FROM (SELECT row_number() OVER (ORDER BY k) AS n FROM r) AS w": "Window"}.items():
        rows = "WITH r AS (SELECT (i * 7919) % 1000003 AS k, 'text ' || i AS s FROM range(500000) AS t(i)) "
        document = plan_of(con, f"EXPLAIN (ANALYZE, FORMAT json) {rows}{statement}")
        node = next(node for node in nodes_of(document["Plan"]) if node["Node Type"] == operator)
        assert 0 < node["Peak Bytes"] <= 16 << 20
        assert node["Granted Bytes"] < 16 << 20
        assert node["Spilled Bytes"] > 0
        assert any(detail.startswith("memory: at most ") and detail.endswith(" spilled") for detail in node["Details"])


def test_running_operators_are_listed(tmp_path):
    pa = pytest.importorskip("pyarrow")
    con, other = (scaup.connect(tmp_path / "memory.scaup") for _ in range(2))
    operators = "SELECT owner, tasks, granted_bytes, used_bytes FROM pragma_memory() WHERE transaction IS NOT NULL"
    listed = []

    def batches():
        for begin in range(0, 500000, 100000):
            yield pa.record_batch({"x": list(range(begin, begin + 100000))})
        listed.extend(other.execute(operators).fetchall())

    con.register("stream", pa.RecordBatchReader.from_batches(pa.schema({"x": pa.int64()}), batches()))
    assert con.execute("SELECT x FROM stream ORDER BY x DESC LIMIT 1 OFFSET 499999").fetchall() == [(0,)]
    assert any(owner == "Sort" and tasks > 0 and granted > used > 0 for owner, tasks, granted, used in listed)
    assert other.execute(operators).fetchall() == []
