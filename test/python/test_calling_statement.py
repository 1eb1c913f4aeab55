"""Queries of functions within the statement that calls them: _conn and scaup.calling_statement."""

import threading

import pytest

import scaup

np = pytest.importorskip("numpy", reason="functions get arrays")
pytest.importorskip("pyarrow", reason="results of most types go through Arrow")

query = scaup.calling_statement.execute


@pytest.fixture(params=[1, 4], ids=["one thread", "four threads"])
def con(request):
    with scaup.connect(config={"stored_functions": "on", "threads": request.param}) as connection:
        connection.execute("CREATE TABLE t AS SELECT i, i % 10 AS k FROM generate_series(1, 200000) AS g(i)")
        yield connection


def one(con, sql):
    return con.execute(sql).fetchone()[0]


def test_a_function_queries(con):
    con.execute("CREATE FUNCTION rank_of(x BIGINT) RETURNS BIGINT STABLE LANGUAGE PYTHON { return _conn.execute('SELECT count(*) AS n FROM t WHERE i < $1', [int(x[0])])['n'][0] }")
    assert one(con, "SELECT rank_of(100)") == 99


def test_rows_are_a_dict_of_arrays_and_a_result(con):
    seen = []

    def look(x):
        found = query("SELECT i, k, 'x' || i AS text FROM t WHERE i <= 3 ORDER BY i")
        seen.append((list(found), found["i"].tolist(), found["text"].tolist(), found.fetchall(), {**found}.keys()))
        with pytest.raises(KeyError):
            found["j"]
        return x

    con.create_function("look", look, [int], int, side_effects=True)
    con.execute("SELECT look(1)")
    names, numbers, texts, tuples, keys = seen[0]
    assert names == ["i", "k", "text"] and numbers == [1, 2, 3] and texts == ["x1", "x2", "x3"]
    assert tuples == [(1, 1, "x1"), (2, 2, "x2"), (3, 3, "x3")] and set(keys) == {"i", "k", "text"}


def test_from_all_threads(con):
    threads = set()

    def f(x):
        threads.add(threading.get_ident())
        return x + int(query("SELECT count(*) AS n FROM t WHERE k = 3")["n"][0])

    con.create_function("f", f, [int], int, batch_rows=5000)
    assert one(con, "SELECT sum(f(i)) FROM t") == 200000 * 200001 // 2 + 200000 * 20000


def test_own_changes_are_seen(con):
    con.create_function("rows_of_t", lambda x: x * 0 + query("SELECT count(*) AS n FROM t")["n"][0], [int], int, side_effects=True)
    con.begin()
    con.execute("DELETE FROM t WHERE k = 0")
    assert one(con, "SELECT rows_of_t(1)") == 180000
    con.rollback()
    assert one(con, "SELECT rows_of_t(1)") == 200000


def test_the_snapshot_is_the_statements(con):
    other = con.duplicate()
    counts = []

    def f(x):
        if not counts:
            other.execute("INSERT INTO t SELECT i, 0 FROM generate_series(1, 5) AS g(i)")
        counts.append(int(query("SELECT count(*) AS n FROM t")["n"][0]))
        return x

    con.create_function("f", f, [int], int, side_effects=True)
    con.execute("SELECT f(i) FROM generate_series(1, 2) AS g(i)").fetchall()
    assert set(counts) == {200000}
    assert one(con, "SELECT count(*) FROM t") == 200005


def test_reads_are_validated(con):
    con.execute("CREATE TABLE log (n BIGINT)")
    con.create_function("n", lambda x: x * 0 + query("SELECT count(*) AS n FROM t WHERE k = 5")["n"][0], [int], int, side_effects=True)
    other = con.duplicate()
    con.begin()
    con.execute("INSERT INTO log SELECT n(1)")
    other.execute("INSERT INTO t VALUES (0, 5)")
    with pytest.raises(scaup.OperationalError) as error:
        con.commit()
    assert error.value.sqlstate == "40001"


@pytest.mark.parametrize("sql, state", [
    ("COMMIT", "0A000"), ("BEGIN", "0A000"), ("ROLLBACK", "0A000"), ("CREATE TABLE u (a INT)", "0A000"), ("SET threads = 1", "0A000"),
    ("COPY t TO '/tmp/never.csv'", "0A000"), ("SELECT * FROM nothing", "42P01"), ("SELECT 1; SELECT 2", "42601"), ("SELEC", "42601"),
    ("SELECT * FROM t FOR UPDATE", "0A000"), ("INSERT INTO t VALUES (1, 1)", "25006"),
])
def test_what_is_refused(con, sql, state):
    found = []

    def f(x):
        with pytest.raises(scaup.Error) as error:
            query(sql)
        found.append(error.value.sqlstate)
        return x

    con.create_function("f", f, [int], int)
    con.execute("SELECT f(1)")
    assert found == [state]


def test_uncaught_errors_end_the_statement_with_their_cause(con):
    con.create_function("f", lambda x: query("SELECT 1 / 0"), [int], int)
    with pytest.raises(scaup.OperationalError) as error:
        con.execute("SELECT f(1)")
    assert error.value.sqlstate == "38000" and error.value.__cause__.sqlstate == "22012"


def test_volatile_functions_change_rows(con):
    con.execute("CREATE TABLE log (n BIGINT PRIMARY KEY)")

    def note(x):
        for value in x.tolist():
            query("INSERT INTO log VALUES ($1)", [value])
        return x

    con.create_function("note", note, [int], int, side_effects=True)
    assert one(con, "SELECT note(3)") == 3
    assert one(con, "SELECT count(*) FROM log") == 1
    with pytest.raises(scaup.OperationalError):
        con.execute("SELECT note(i) FROM generate_series(5, 3, -1) AS g(i)")
    assert con.execute("SELECT n FROM log").fetchall() == [(3,)]
    with pytest.raises(scaup.OperationalError, match="reads tables"):
        con.execute("SELECT note(i) FROM t LIMIT 1")


def test_a_failed_change_is_undone_alone(con):
    con.execute("CREATE TABLE log (n BIGINT PRIMARY KEY)")

    def note(x):
        query("INSERT INTO log VALUES (1)")
        with pytest.raises(scaup.IntegrityError):
            query("INSERT INTO log SELECT 10 - i FROM generate_series(1, 9) AS g(i)")
        return x

    con.create_function("note", note, [int], int, side_effects=True)
    con.execute("SELECT note(1)")
    assert con.execute("SELECT n FROM log").fetchall() == [(1,)]


def test_depth_is_limited(con):
    depths = []

    def deep(x):
        depths.append(int(x[0]))
        return x * 0 + query("SELECT deep($1) AS d", [int(x[0]) + 1])["d"][0]

    con.create_function("deep", deep, [int], int, side_effects=True)
    with pytest.raises(scaup.OperationalError, match="16 deep"):
        con.execute("SELECT deep(0)")
    assert len(depths) == 17
    assert one(con, "SELECT count(*) FROM t") == 200000


def test_functions_query_functions(con):
    con.create_function("inner_one", lambda x: x + query("SELECT 1 AS a")["a"][0], [int], int, batch_rows=1000)
    con.create_function("outer_one", lambda x: x + int(query("SELECT sum(inner_one(i)) AS s FROM t")["s"][0]), [int], int, side_effects=True)
    assert one(con, "SELECT outer_one(0)") == 200000 * 200001 // 2 + 200000


def test_table_functions_and_aggregates_query(con):
    con.create_function("rows_like", lambda k: query("SELECT i FROM t WHERE k = $1", [k]).arrow() if hasattr(query, "arrow") else {"i": query("SELECT i FROM t WHERE k = $1", [k])["i"]},
                        [int], {"i": int}, kind="table")
    assert one(con, "SELECT count(*) FROM rows_like(4)") == 20000
    con.create_function("agg", lambda x: int(query("SELECT max(i) AS m FROM t")["m"][0]) + len(x), [int], int, kind="aggregate")
    assert one(con, "SELECT agg(i) FROM t WHERE i <= 7") == 200007


def test_outside_of_functions(con):
    with pytest.raises(scaup.ProgrammingError) as error:
        query("SELECT 1")
    assert error.value.sqlstate == "55000"


def test_interrupt_ends_a_query_of_a_function(con):
    con.create_function("slow", lambda x: query("SELECT count(*) AS n FROM t AS a, t AS b, t AS c WHERE a.i + b.i = c.i * 7")["n"][0] + x, [int], int)
    timer = threading.Timer(0.3, con.interrupt)
    timer.start()
    with pytest.raises(scaup.OperationalError) as error:
        con.execute("SELECT slow(1)")
    assert error.value.sqlstate == "57014"
