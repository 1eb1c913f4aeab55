"""Connection.append: dicts into collections and tables."""

import datetime as dt
import decimal
import threading
import uuid

import numpy as np
import pandas as pd
import pytest
import scaup


def test_documents_make_a_collection(con):
    documents = [{"a": 1, "b": {"x": "one", "tags": ["p", None]}}, {"a": 2.5}, {}]
    assert con.append("c", documents) is con
    assert con.rowcount == 3
    assert con.execute("SELECT c FROM c").fetchall() == [
        ('{"a":1,"b":{"x":"one","tags":["p",null]}}',),
        ('{"a":2.5}',),
        ("{}",),
    ]
    con.append("c", iter([{"a": 4}]))
    assert con.execute("SELECT count(*), max(a) FROM c").fetchone() == (4, 4.0)


@pytest.mark.parametrize(
    "value, text",
    [
        (None, "null"),
        (True, "true"),
        (-7, "-7"),
        (2**63, "9223372036854775808"),
        (-(10**50), "-1" + "0" * 50),
        (1.5, "1.5"),
        (2.0, "2.0"),
        (1e22, "1e+22"),
        (-0.0, "-0.0"),
        ("é \" \\ \n\x01", '"é \\" \\\\ \\n\\u0001"'),
        ([], "[]"),
        ((1, "x", [None]), '[1,"x",[null]]'),
        ({"": {"k.ey": 1}}, '{"":{"k.ey":1}}'),
        (decimal.Decimal("1.50"), "1.50"),
        (decimal.Decimal("1E+400"), "1E+400"),
        (dt.datetime(2024, 2, 29, 12, 30, 1, 5), '"2024-02-29T12:30:01.000005"'),
        (dt.datetime(2024, 2, 29, tzinfo=dt.timezone.utc), '"2024-02-29T00:00:00+00:00"'),
        (dt.date(2024, 2, 29), '"2024-02-29"'),
        (dt.time(12, 30), '"12:30:00"'),
        (uuid.UUID(int=255), '"00000000-0000-0000-0000-0000000000ff"'),
        (np.int64(5), "5"),
        (np.float64(0.5), "0.5"),
        (np.bool_(True), "true"),
        (np.array([1, 2]), "[1,2]"),
        (np.datetime64("2024-02-29"), '"2024-02-29"'),
        (pd.NaT, "null"),
        (pd.NA, "null"),
    ],
)
def test_values_in_documents(con, value, text):
    con.append("c", [{"v": value}])
    expected = text.replace("\\n", "\\u000a") if isinstance(value, str) else text
    assert con.execute("SELECT c FROM c").fetchone()[0] in ('{"v":%s}' % text, '{"v":%s}' % expected)


@pytest.mark.parametrize(
    "value, error, message",
    [
        (float("nan"), scaup.DataError, "JSON has no nan"),
        (decimal.Decimal("Infinity"), scaup.DataError, "JSON has no nan"),
        ("\ud800", scaup.DataError, "surrogates"),
        ({1: 2}, scaup.DataError, "must be str, not int"),
        (b"x", scaup.NotSupportedError, "a value of type bytes has no JSON"),
        (object(), scaup.NotSupportedError, "a value of type object has no JSON"),
    ],
)
def test_errors_name_the_document(con, value, error, message):
    with pytest.raises(error, match=message) as raised:
        con.append("c", [{"v": 1}, {"v": value}])
    assert str(raised.value).startswith("rows[1]: ")
    assert raised.value.sqlstate is not None
    with pytest.raises(scaup.ProgrammingError):  # The collection went with the rows.
        con.execute("SELECT * FROM c")


def test_what_the_database_refuses_is_named_too(con):
    with pytest.raises(scaup.DataError, match=r"^rows\[2\]: not a document") as raised:
        con.append("c", [{}, {}, {"v": "\0"}])
    assert raised.value.sqlstate == "22P02"
    deep = []
    for _ in range(2000):
        deep = [deep]
    with pytest.raises(scaup.DataError, match=r"^rows\[0\]: .*1000 deep"):
        con.append("c", [{"v": deep}])


@pytest.mark.parametrize("rows", [{"a": 1}, "text", 5, [1], [{"a": 1}, None], [[("a", 1)]]])
def test_rows_are_dicts(con, rows):
    with pytest.raises(scaup.ProgrammingError, match="dict"):
        con.append("c", rows)


def test_all_or_nothing(con):
    con.append("c", [{"a": 0}])

    def broken():
        for i in range(5000):
            yield {"a": i}
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError):
        con.append("c", broken())
    assert con.execute("SELECT count(*) FROM c").fetchone() == (1,)
    con.begin()
    con.append("c", [{"a": 1}])
    with pytest.raises(scaup.DataError):
        con.append("c", [{"a": 2}, {"a": float("inf")}])
    con.append("d", [{"a": 3}])
    assert con.execute("SELECT count(*) FROM c").fetchone() == (2,)  # The block goes on.
    con.rollback()
    assert con.execute("SELECT count(*) FROM c").fetchone() == (1,)
    with pytest.raises(scaup.ProgrammingError):
        con.execute("SELECT * FROM d")


def test_rows_of_a_table(con):
    con.execute("CREATE TABLE t (a INTEGER CHECK (a < 100), b VARCHAR DEFAULT 'none', c INTEGER[], d DOUBLE)")
    con.append("t", [{"a": 1, "b": "x", "c": [1, 2]}, {"a": 2, "d": 1.5}, {"b": None}, {}])
    assert con.rowcount == 4
    assert con.execute("SELECT * FROM t").fetchall() == [
        (1, "x", [1, 2], None),
        (2, "none", None, 1.5),
        (None, None, None, None),
        (None, "none", None, None),
    ]
    with pytest.raises(scaup.IntegrityError, match=r"^rows\[1\]: "):
        con.append("t", [{"a": 5}, {"a": 100}])
    with pytest.raises(scaup.ProgrammingError, match=r'^rows\[0\]: .*"nobody"'):
        con.append("t", [{"nobody": 5}])
    assert con.execute("SELECT count(*) FROM t").fetchone() == (4,)


def test_schemas_and_names(con):
    con.execute("CREATE SCHEMA s")
    con.append('odd "name"', [{"a": 1}], schema="s")
    assert con.execute('SELECT a FROM s."odd ""name"""').fetchone() == (1,)
    con.execute("CREATE VIEW v AS SELECT 1 AS a")
    with pytest.raises(scaup.Error):
        con.append("v", [{"a": 1}])


def test_many_documents(con, tmp_path):
    with scaup.connect(tmp_path / "x.scaup") as stored:
        stored.append("c", ({"id": i, "text": str(i) * 3} for i in range(20000)))
        assert stored.rowcount == 20000
    with scaup.connect(tmp_path / "x.scaup") as stored:
        assert stored.execute("SELECT sum(id), count(text) FROM c").fetchone() == (199990000, 20000)


def test_other_threads_run_meanwhile(con):
    others = [con.duplicate() for _ in range(3)]
    threads = [
        threading.Thread(target=lambda other=other: other.append("c", [{"a": i} for i in range(3000)])) for other in others
    ]
    con.execute("CREATE COLLECTION c")
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert con.execute("SELECT count(*), sum(a) FROM c").fetchone() == (9000, 3 * 4498500)


def test_a_transaction_of_many_statements_reserves_its_rows_once(con):
    con.execute("CREATE TABLE t (a BIGINT, b DOUBLE)")
    con.execute("SET memory_limit = '64MB'")
    con.begin()
    con.executemany("INSERT INTO t VALUES (?, ?)", [(i, i * 0.5) for i in range(20000)])
    con.commit()
    assert con.execute("SELECT count(*), sum(a) FROM t").fetchone() == (20000, 199990000)


class Emptying(dt.date):
    """A date that empties or fills a dict while it is converted."""

    def isoformat(self):
        self.change(self.target)
        return super().isoformat()


class EmptyingNumber(decimal.Decimal):
    def __str__(self):
        self.target.clear()
        return super().__str__()

    def as_tuple(self):
        self.target.clear()
        return super().as_tuple()


def fresh(i):
    return f"a text that nothing else refers to {i}"


@pytest.mark.parametrize("change", [dict.clear, lambda target: target.update({fresh(i): fresh(-i) for i in range(500)})])
def test_dicts_that_change_while_they_are_read(con, change):
    for inner in (False, True):
        target = {fresh(i): Emptying(2020, 1, 1 + i) for i in range(9)}
        for moment in target.values():
            moment.target, moment.change = target, change
        with pytest.raises(scaup.DataError, match="changed its size"):
            con.append("docs", [{"inner": target} if inner else target])


def test_dicts_that_keep_their_size_while_they_are_read(con):
    moment = Emptying(2020, 1, 1)
    document = {"a": moment, "b": fresh(1)}
    moment.target, moment.change = document, lambda target: target.update(a=fresh(2), b=fresh(3))
    del moment
    con.append("docs", [document])
    assert con.execute("SELECT a, b FROM docs").fetchall() == [("2020-01-01", fresh(3))]


def test_rows_and_structs_that_change_while_they_are_read(con):
    con.execute("CREATE TABLE numbers (a DECIMAL(9, 2), b VARCHAR)")
    for use in (lambda row: con.append("numbers", [row]), lambda row: con.execute("SELECT ?", [row])):
        number = EmptyingNumber("1.50")
        row = number.target = {"a": number, "b": fresh(1)}
        del number
        with pytest.raises(scaup.DataError, match="changed its size"):
            use(row)


@pytest.mark.parametrize("make_rows", [lambda rows: rows, pd.DataFrame], ids=["dicts", "frame"])
def test_values_fit_lengths_and_precisions(con, make_rows):
    con.execute("CREATE TABLE t (a VARCHAR(3), b CHAR(3), c TIMESTAMP(0))")
    con.append("t", make_rows([{"a": "abc", "b": "x", "c": dt.datetime(2024, 1, 1, 0, 0, 0, 600000)}]))
    con.append("t", make_rows([{"a": "äöü  ", "b": "xyz ", "c": dt.datetime(2024, 1, 1)}]))
    assert con.execute("SELECT * FROM t").fetchall() == [
        ("abc", "x  ", dt.datetime(2024, 1, 1, 0, 0, 1)),
        ("äöü", "xyz", dt.datetime(2024, 1, 1)),
    ]
    with pytest.raises(scaup.Error, match="value too long for type character varying\\(3\\)") as raised:
        con.append("t", make_rows([{"a": "abcd", "b": "x", "c": dt.datetime(2024, 1, 1)}]))
    assert raised.value.sqlstate == "22001"
