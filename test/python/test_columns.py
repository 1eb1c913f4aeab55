"""The dict of fetchnumpy(): arrays are made when they are first asked for."""

import copy
import gc
import pickle
import threading
import weakref

import numpy as np
import pytest
import scaup

SQL = "SELECT i, 't' || i AS s, i * 1.5::DECIMAL(10,1) AS d, i AS i FROM range(3) AS r(i) ORDER BY i"
NAMES = ["i", "s", "d", "i_1"]


def stored(columns):
    """The names of the columns that are made."""
    return [name for name in NAMES if name in columns and name not in columns._numbers]


@pytest.fixture
def columns(con):
    return con.execute(SQL).fetchnumpy()


def test_every_way_to_get_it(con):
    for source in (con.execute(SQL), con.cursor().execute(SQL), con.sql(SQL), con.sql(SQL).execute()._rows()):
        columns = source.fetchnumpy()
        assert type(columns) is scaup.Columns and isinstance(columns, dict) and columns.__doc__
        assert stored(columns) == [] and columns["s"].tolist() == ["t0", "t1", "t2"] and stored(columns) == ["s"]


def test_names_touch_nothing(columns):
    assert list(columns) == NAMES == list(columns.keys()) and len(columns) == 4 and "s" in columns and "x" not in columns
    assert list(reversed(columns)) == NAMES[::-1] and columns
    assert stored(columns) == []


def test_a_touched_column_is_made_once(columns):
    assert columns["i"] is columns["i"] is columns.get("i") and columns.get("x") is None and columns.get("x", 5) == 5
    assert stored(columns) == ["i"]
    with pytest.raises(KeyError):
        columns["x"]


def test_iteration_makes_one_after_the_other(columns):
    seen = []
    for name, array in columns.items():
        seen.append(name)
        assert stored(columns) == seen and isinstance(array, np.ndarray)
    assert all(isinstance(array, np.ndarray) for array in columns.values()) and len(columns.items()) == 4


@pytest.mark.parametrize(
    "take",
    [dict, lambda c: dict(**c), lambda c: {**c}, lambda c: (lambda **k: k)(**c), lambda c: {} | c, lambda c: c | {}, lambda c: dict(c.items())],
)
def test_plain_dicts_of_it(columns, take):
    plain = take(columns)
    assert type(plain) is dict and list(plain) == NAMES
    assert [array.tolist() for array in plain.values()] == [[0, 1, 2], ["t0", "t1", "t2"], [0.0, 1.5, 3.0], [0, 1, 2]]
    target = {"x": 1}
    target.update(columns)
    assert target["s"] is columns["s"]
    target |= columns
    assert target["d"] is columns["d"]


def test_it_can_be_changed(columns):
    columns["i"] = 1
    columns["new"] = 2
    del columns["d"]
    assert stored(columns) == ["i"] and columns["i"] == 1 and list(columns) == ["i", "s", "i_1", "new"]
    assert columns.pop("s").tolist() == ["t0", "t1", "t2"] and columns.pop("s", 7) == 7
    with pytest.raises(KeyError):
        columns.pop("s")
    assert columns.setdefault("i_1", 0).tolist() == [0, 1, 2] and columns.setdefault("z", 4) == 4
    columns.update({"i": 5}, new=6)
    columns |= {"y": 3}
    assert columns == {"i": 5, "i_1": columns["i_1"], "new": 6, "z": 4, "y": 3} and type(columns) is scaup.Columns
    assert columns.popitem() == ("y", 3)
    columns.clear()
    assert columns == {} and not columns


def test_popitem_of_a_column(columns):
    name, array = columns.popitem()
    assert name == "i_1" and array.tolist() == [0, 1, 2]


def test_equality(columns):
    again = columns.copy()
    assert stored(again) == [] and type(again) is scaup.Columns
    arrays = dict(columns)
    assert columns == arrays and arrays == columns and not columns != arrays and columns != {} and columns != 5 and columns != {"i": 1}
    assert columns == copy.copy(columns) == dict(columns)
    assert again["s"].tolist() == columns["s"].tolist()
    with pytest.raises(TypeError):
        hash(columns)


@pytest.mark.parametrize("take", [lambda c: pickle.loads(pickle.dumps(c)), copy.deepcopy, copy.copy, lambda c: c.copy()])
def test_copies(columns, take):
    columns["s"]
    other = take(columns)
    assert type(other) is scaup.Columns and list(other) == NAMES and other["d"].tolist() == [0.0, 1.5, 3.0]
    del other["i"]
    assert "i" in columns and columns["i"].tolist() == [0, 1, 2]


def test_repr_has_all(columns):
    assert repr(columns) == repr(dict(columns)) and "t2" in repr(columns)


def test_other_packages_take_it(con):
    pandas, polars, pyarrow = (pytest.importorskip(name) for name in ("pandas", "polars", "pyarrow"))
    rows = [(0, "t0"), (1, "t1"), (2, "t2")]
    take = lambda: con.execute("SELECT i, 't' || i AS s FROM range(3) AS r(i) ORDER BY i").fetchnumpy()  # noqa: E731
    assert list(pandas.DataFrame(take()).itertuples(index=False, name=None)) == rows
    assert polars.DataFrame(take()).rows() == rows
    assert pyarrow.table(take()).to_pydict() == {"i": [0, 1, 2], "s": ["t0", "t1", "t2"]}
    table = take()
    assert con.sql("SELECT * FROM table_").fetchall() == rows if (table_ := table) else False
    assert table_ is table


def test_it_lets_the_result_go(con):
    result = con.sql(SQL).execute()._rows()
    columns = result.fetchnumpy()
    inner = weakref.ref(columns._result) if hasattr(columns._result, "__weakref__") else None
    con.close()
    del result
    gc.collect()
    assert columns["s"].tolist() == ["t0", "t1", "t2"]
    dict(columns)
    assert columns._result is None and (inner is None or inner() is None)


def test_threads_get_the_same_arrays(con):
    columns = con.execute("SELECT 't' || i AS s, i::DECIMAL(18,3) AS d FROM range(100000) AS r(i)").fetchnumpy()
    got = []
    barrier = threading.Barrier(4)

    def read():
        barrier.wait()
        got.append((columns["d"], columns["s"]))

    threads = [threading.Thread(target=read) for _ in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert len(got) == 4 and all(d is columns["d"] and s is columns["s"] for d, s in got)
