"""Variables of Python as tables: which ones a statement sees, when it takes them, and what happens when they fail."""

import threading

import pytest
import scaup

pa, pd, pl = (pytest.importorskip(name) for name in ("pyarrow", "pandas", "polars"))


def table(*values):
    return pa.table({"x": list(values)})


# --- Settings


def test_they_can_be_switched_off(con):
    numbers = table(1, 2)
    assert con.python_enable_replacements is True and con.execute("SELECT sum(x) FROM numbers").fetchone() == (3,)
    con.python_enable_replacements = False
    for run in (con.execute, con.sql, con.cursor().execute, con.duplicate().execute):
        with pytest.raises(scaup.ProgrammingError, match="numbers"):
            run("SELECT sum(x) FROM numbers")
    con.register("numbers", numbers)  # this is no replacement
    assert con.execute("SELECT sum(x) FROM numbers").fetchone() == (3,)
    con.unregister("numbers")
    con.python_enable_replacements = True
    assert con.sql("SELECT sum(x) FROM numbers").fetchone() == (3,)


@pytest.mark.parametrize("value, is_on", [(False, False), ("false", False), ("off", False), (0, False), (True, True), ("on", True)])
def test_the_setting_at_connect(value, is_on):
    numbers = table(1, 2)
    with scaup.connect(config={"python_enable_replacements": value, "threads": 1}) as con:
        assert con.python_enable_replacements is is_on and con.duplicate().python_enable_replacements is is_on
        if is_on:
            assert con.execute("SELECT sum(x) FROM numbers").fetchone() == (3,)
        else:
            with pytest.raises(scaup.ProgrammingError):
                con.execute("SELECT sum(x) FROM numbers")
    with pytest.raises(scaup.ProgrammingError, match="python_enable_replacements"):
        scaup.connect(config={"python_enable_replacements": "perhaps"})


def test_variables_of_all_frames(con):
    numbers = table(1, 2)

    def ask():
        return con.execute("SELECT sum(x) FROM numbers").fetchone()

    with pytest.raises(scaup.ProgrammingError):
        ask()
    con.python_scan_all_frames = True
    assert ask() == (3,) and con.duplicate().python_scan_all_frames
    with scaup.connect(config={"python_scan_all_frames": True}) as con:
        assert ask() == (3,)
    assert numbers is not None


# --- When they are taken


def test_a_relation_keeps_the_object(con):
    frame = table(1, 2)
    relation = con.sql("SELECT x FROM frame")
    named = con.table("frame")
    steps = relation.filter("x > 0").order("x")
    frame = table(10)
    assert relation.fetchall() == [(1,), (2,)] and named.fetchall() == [(1,), (2,)]
    assert steps.fetchall() == [(1,), (2,)] and len(steps) == 2 and str(steps) and steps.execute().fetchall() == [(1,), (2,)]
    del frame
    assert relation.aggregate("sum(x)").fetchall() == [(3,)] and relation.execute().fetchall() == [(1,), (2,)]
    relation.to_table("kept")
    assert con.table("kept").to_dicts() == [{"x": 1}, {"x": 2}]


def test_relations_are_taken_to_other_functions(con):
    def make():
        local = pd.DataFrame({"x": [1, 2]})
        return con.sql("SELECT x FROM local").filter("x > 1")

    relation = make()
    assert relation.fetchall() == [(2,)] and pl.DataFrame(relation)["x"].to_list() == [2]
    local = table(7)
    assert relation.fetchall() == [] and relation.execute().fetchall() == [(2,)] and local is not None


def test_two_relations_with_one_name_for_two_objects(con):
    frame = table(1, 2)
    one = con.sql("SELECT x, :a AS a FROM frame", {"a": 1})
    frame = table(2, 3)
    two = con.sql("SELECT x, ? AS b FROM frame", [2])
    assert one.union_all(two).order("x, a").fetchall() == [(1, 1), (2, 1), (2, 2), (3, 2)]
    assert one.join(two, "x").fetchall() == [(2, 1, 2)] and two.join(one, "x").fetchall() == [(2, 2, 1)]
    assert one.set_alias("l").join(two.set_alias("r"), "l.x = r.x").select("l.x, r.b").fetchall() == [(2, 2)]
    assert one.join(two, "x", "anti").select("x").fetchall() == [(1,)]
    con.from_df(table(77))  # which is registered under a name that is made, too
    assert one.intersect(one).order("x").fetchall() == [(1, 1), (2, 1)] and frame is not None


def test_a_step_finds_what_it_names(con):
    frame, other = table(1, 2), table(2)
    relation = con.sql("SELECT x FROM frame").filter("x IN (SELECT x FROM other)")
    assert relation.columns == ["x"]
    frame = other = None
    assert relation.fetchall() == [(2,)] and frame is other is None


def test_streams_of_relations(con):
    reader = table(1, 2).to_reader()
    relation = con.sql("SELECT x FROM reader")
    assert relation.columns == ["x"] and relation.types == ["BIGINT"]
    reader = None
    assert relation.fetchall() == [(1,), (2,)]
    with pytest.raises(scaup.Error, match="read once"):
        relation.execute()

    class Again:
        def __arrow_c_stream__(self, requested_schema=None):
            return table(5).__arrow_c_stream__()

    again = Again()
    relation = con.sql("SELECT x FROM again")
    assert [relation.execute().fetchall() for _ in range(3)] == [[(5,)]] * 3 and again is not None and reader is None


def test_relations_and_results_are_tables(con):
    run = con.sql("SELECT 1 AS x UNION ALL SELECT 2").execute()
    assert con.sql("SELECT sum(x) FROM run").fetchone() == (3,)
    result = run._rows()
    assert con.execute("SELECT a.x FROM result a JOIN run b USING (x) ORDER BY 1").fetchall() == [(1,), (2,)]
    with scaup.connect() as other:
        of_other = other.sql("SELECT 7 AS x")
        assert con.execute("SELECT x FROM of_other").fetchall() == [(7,)]


# --- Failures


def reader_of(batches):
    return pa.RecordBatchReader.from_batches(pa.schema([("x", pa.int64())]), batches)


class Unlucky(Exception):
    pass


def test_the_exception_of_a_generator_is_the_cause(con):
    error = Unlucky("the middle of the stream")

    def batches():
        yield pa.record_batch({"x": [1]})
        raise error

    for run in (con.execute, con.sql, con.cursor().execute):
        failing = reader_of(batches())
        with pytest.raises(scaup.OperationalError, match="Unlucky: the middle of the stream") as raised:
            run("SELECT sum(x) FROM failing").fetchall()
        assert raised.value.__cause__ is error and failing is not None
    con.register("failing", reader_of(batches()))
    with pytest.raises(scaup.OperationalError) as raised:
        con.execute("CREATE TABLE t AS SELECT * FROM failing")
    assert raised.value.__cause__ is error
    with pytest.raises(scaup.ProgrammingError) as raised:
        con.execute("SELECT * FROM t")
    assert raised.value.__cause__ is None


def test_the_exception_of_opening_is_the_cause(con):
    error = ValueError("no luck today")

    class Broken:
        def __arrow_c_stream__(self, requested_schema=None):
            raise error

    broken = Broken()
    for run in (con.execute, con.sql):
        with pytest.raises(scaup.OperationalError, match="ValueError: no luck today") as raised:
            run("SELECT * FROM broken")
        assert raised.value.__cause__ is error and "Traceback" not in str(raised.value) and "At:" not in str(raised.value)
    mixed = pd.DataFrame({"x": [1, "a", object()]})
    with pytest.raises(scaup.OperationalError) as raised:
        con.execute("SELECT * FROM mixed")
    assert isinstance(raised.value.__cause__, pa.ArrowInvalid) and broken and mixed is not None


@pytest.mark.parametrize("thread", [False, True])
def test_what_ends_the_program_is_raised_itself(con, thread):
    error = KeyboardInterrupt("enough")
    raised = []

    def batches():
        yield pa.record_batch({"x": [1]})
        raise error

    def ask():
        reader = reader_of(batches())
        try:
            con.execute("SELECT sum(x) FROM reader")
        except BaseException as caught:  # pylint: disable=broad-except
            raised.append(caught)
        assert reader is not None

    for _ in range(2):
        if thread:
            worker = threading.Thread(target=ask)
            worker.start()
            worker.join()
        else:
            ask()
    assert [caught is error for caught in raised] == [True, True] and con.execute("SELECT 1").fetchone() == (1,)


def test_an_early_end_reads_no_further(con):
    read = []

    def batches():
        for i in range(1000):
            read.append(i)
            yield pa.record_batch({"x": [i] * 2000})

    endless = reader_of(batches())
    assert con.execute("SELECT x FROM endless LIMIT 1").fetchall() == [(0,)] and len(read) < 1000 and endless is not None
    more = reader_of(pa.record_batch({"x": [i]}) for i in [0, 1] * 1000)
    assert con.execute("SELECT count(*), sum(x) FROM more").fetchone() == (2000, 1000) and more is not None


# --- Sources that run statements


@pytest.mark.parametrize("thread", [False, True])
def test_a_source_cannot_run_a_statement_on_its_connection(con, thread):
    def ask():
        class Nested:
            def __arrow_c_stream__(self, requested_schema=None):
                return con.cursor().execute("SELECT 1 AS x").__arrow_c_stream__()

        def batches():
            con.execute("SELECT 1")
            yield pa.record_batch({"x": [1]})

        nested, generated, relation = Nested(), reader_of(batches()), con.sql("SELECT 1 AS x")
        for name in ("nested", "generated", "relation"):
            with pytest.raises(scaup.OperationalError, match="duplicate") as raised:
                con.execute(f"SELECT * FROM {name}")
            assert isinstance(raised.value.__cause__, scaup.OperationalError) and raised.value.__cause__.sqlstate == "55006"
        assert con.execute("SELECT 5").fetchone() == (5,) and nested and generated and relation is not None
        done.append(True)

    done = []
    if thread:
        worker = threading.Thread(target=ask)
        worker.start()
        worker.join(20)
    else:
        ask()
    assert done == [True]


def test_a_source_may_use_another_session(con):
    other = con.duplicate()

    def batches():
        yield pa.record_batch({"x": [other.execute("SELECT 1").fetchone()[0]]})

    generated = reader_of(batches())
    assert con.execute("SELECT x FROM generated").fetchall() == [(1,)] and generated is not None
