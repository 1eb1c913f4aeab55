"""executemany() of columns: one statement has to do what a run for each row does, values, errors and counts alike."""

import datetime as dt
import decimal
import random

import pytest
import scaup
from scaup import _bulk_insert

np, pa, pd, pl = (pytest.importorskip(name) for name in ("numpy", "pyarrow", "pandas", "polars"))

COUNT = 150
TYPES = [
    "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "UBIGINT", "REAL", "DOUBLE PRECISION", "DECIMAL(9,2)", "DECIMAL(4,0)", "DECIMAL(38,10)", "BOOLEAN",
    "VARCHAR", "VARCHAR(4)", "CHAR(6)", "DATE", "TIME", "TIMESTAMP", "TIMESTAMPTZ", "INTERVAL", "UUID", "JSON", "BYTEA", "INTEGER[]", "VARCHAR[]",
]


@pytest.fixture
def whole_statements(monkeypatch):
    """How many statements ran as one."""
    made = []
    enter = _bulk_insert._Statement.parameters
    monkeypatch.setattr(_bulk_insert._Statement, "parameters", lambda self: made.append(self) or enter(self))
    return made


def kinds(rng):
    """Functions that give values, those of each kind of one type."""
    moment = dt.datetime(2024, 1, 1)
    return {
        "small": lambda: rng.randrange(-9, 100), "int": lambda: rng.randrange(-(2**31), 2**31), "long": lambda: rng.randrange(-(2**63), 2**63),
        "float": lambda: rng.choice([rng.random() * 100, rng.randrange(-50, 50) / 2, 1e300, float("inf"), -0.0]), "half": lambda: rng.randrange(-50, 50) / 2,
        "bool": lambda: rng.random() < 0.5, "text": lambda: rng.choice(["", "a", "ünïcödé 🦆", "a text that is long", "four", "it's", "NULL"]),
        "digits": lambda: rng.choice(["1", " 2 ", "-3", "4.5", "5.5", "-0.125", "1e2", "0012", "9.995"]), "integers": lambda: str(rng.randrange(100)),
        "date text": lambda: rng.choice(["2024-02-29", "1999-12-31", "0001-01-01", " 2024-01-05"]),
        "moment text": lambda: rng.choice(["2024-02-29 01:02:03", "1999-12-31T23:59:59.999999", "2024-05-05"]),
        "word": lambda: rng.choice(["true", "f", "yes", "1", "12:34:56", "1 day", "{}", "\\x01", "{1,2}", "[1]"]),
        "uuid": lambda: str(rng.choice(["a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", "A0EEBC999C0B4EF8BB6D6BB9BD380A12"])),
        "date": lambda: dt.date(2024, 1, 1) + dt.timedelta(days=rng.randrange(-99999, 99999)),
        "moment": lambda: moment + dt.timedelta(microseconds=rng.randrange(-(10**15), 10**15)),
        "decimal": lambda: decimal.Decimal(rng.randrange(-(10**6), 10**6)).scaleb(-3), "bytes": lambda: rng.randbytes(3),
    }


def columns_of(rng, values):
    """The values as a column of some package, or of none."""
    forms = [lambda: list(values), lambda: tuple(values), lambda: np.array(values, dtype=object), lambda: pa.array(values), lambda: pl.Series("v", values, strict=False)]
    forms += [lambda: pd.Series(values), lambda: pd.Series(values, dtype=object)]
    if None not in values:
        forms += [lambda: np.array(values), lambda: pa.chunked_array([values[:5], values[5:]])]
    if all(isinstance(value, (int, type(None))) for value in values):
        forms += [lambda kind=kind: np.array(values, kind) for kind in ("i1", "u1", "i2", "u2", "i4", "u4", "u8") if None not in values]
        forms += [lambda: pd.Series(values, dtype="Int64"), lambda: pl.Series("v", values, dtype=pl.Int64)]
    if all(isinstance(value, float) for value in values):
        forms += [lambda: np.array(values, "f4"), lambda: pd.Series(values, dtype="float32")]
    if all(isinstance(value, dt.datetime) for value in values):
        forms += [lambda unit=unit: np.array(values, f"M8[{unit}]") for unit in ("ns", "us", "ms", "s", "D")]
    return rng.choice(forms)()


def outcome(con, run, sql, data):
    try:
        run(con, sql, data)
        raised = None
    except scaup.Error as error:
        raised = type(error), error.sqlstate, str(error)
    rowcount = con.rowcount if raised is None else None
    return raised, rowcount, repr(con.execute("SELECT * FROM t ORDER BY n, v").fetchall())


@pytest.mark.parametrize("seed", range(400))
def test_both_ways_do_the_same(con, seed):
    rng = random.Random(seed)
    type_name = TYPES[seed % len(TYPES)]
    kind, make = rng.choice(list(kinds(rng).items()))
    missing = rng.choice([0, 0.2])
    values = [None if rng.random() < missing else make() for _ in range(COUNT)]
    try:
        data = {"n": np.arange(COUNT), "v": columns_of(rng, values)}
    except (OverflowError, TypeError, ValueError, pa.ArrowException):
        return
    sql = rng.choice(["INSERT INTO t VALUES (?, ?)", "insert into t (v, N) values ($2, $1);", "INSERT INTO main.t VALUES (:n, %(v)s)"])
    found = []
    for run in (lambda con, *rest: con.executemany(*rest), _bulk_insert._run_rows):
        con.execute(f"DROP TABLE IF EXISTS t; CREATE TABLE t (n INTEGER, v {type_name})")
        found.append(outcome(con, run, sql, data))
    assert found[0] == found[1], (kind, type_name, data["v"])


@pytest.mark.parametrize(
    "values, types",
    [
        (np.arange(COUNT), "BIGINT DECIMAL(9,2) REAL"), (np.arange(COUNT) / 4, "DOUBLE REAL"), (["2024-01-01"] * COUNT, "DATE VARCHAR TIMESTAMP"),
        (np.array(["text"] * COUNT, object), "VARCHAR"), (pd.Series(["1"] * COUNT), "INTEGER DECIMAL(5,1)"), (pl.Series([True] * COUNT), "BOOLEAN"),
        (np.arange(COUNT).astype("M8[D]"), "DATE"), ([dt.date(2024, 2, 29), None] * (COUNT // 2), "DATE"),
        ([dt.datetime(2024, 2, 29, 1, 2, 3, 4), None] * (COUNT // 2), "TIMESTAMP"), (pa.array([1, None] * (COUNT // 2)), "INTEGER"),
    ],
)
def test_what_runs_as_one_statement(con, whole_statements, values, types):
    for type_name in types.split():
        con.execute(f"DROP TABLE IF EXISTS t; CREATE TABLE t (a INTEGER DEFAULT 7, b {type_name})")
        for sql in ("INSERT INTO t (b) VALUES (?)", 'INSERT INTO t ("b") VALUES ($1) -- all\n ;', "INSERT /* x */ INTO \"t\" (b) VALUES (:v)"):
            whole_statements.clear()
            assert con.executemany(sql, {"v": values}).rowcount == COUNT and len(whole_statements) == 1
            cursor = con.cursor()
            assert cursor.executemany(sql, {"v": values}).rowcount == COUNT and len(whole_statements) == 2
        assert con.execute("SELECT count(*), count(a), min(a) FROM t").fetchone() == (6 * COUNT, 6 * COUNT, 7)
    assert not scaup._inputs._own_tables


@pytest.mark.parametrize(
    "sql",
    [
        "INSERT INTO t VALUES (?, ?) RETURNING n", "INSERT INTO t VALUES (?, ?) ON CONFLICT DO NOTHING", "INSERT INTO t VALUES (?, ? || 'x')",
        "INSERT INTO t SELECT ?, ?", "INSERT INTO t VALUES ($1, $2), ($2, $1)", "INSERT INTO t (n, v) VALUES (?, ?::VARCHAR)",
        "WITH w AS (SELECT 1) INSERT INTO t VALUES (?, ?)", "UPDATE t SET n = ? WHERE v = ?",
    ],
)
def test_other_statements_run_for_each_row(con, whole_statements, sql):
    con.execute("CREATE TABLE t (n VARCHAR, v VARCHAR UNIQUE)")
    data = {"n": [str(i) for i in range(COUNT)], "v": [f"v{i}" for i in range(COUNT)]}
    con.executemany(sql, data)
    assert not whole_statements


def test_collections_and_few_rows_and_odd_columns(con, whole_statements):
    con.execute("CREATE COLLECTION c; CREATE TABLE t (i INTEGER, s VARCHAR)")
    con.executemany("INSERT INTO c (i, v) VALUES (?, ?)", {"i": list(range(COUNT)), "v": np.arange(COUNT)})
    con.executemany("INSERT INTO t VALUES (?, ?)", {"i": [1], "s": ["a"]})
    con.executemany("INSERT INTO t VALUES (?, ?)", {"i": [1] * COUNT, "s": ["a", 5] * (COUNT // 2)})
    con.executemany("INSERT INTO t VALUES (?, ?)", {"i": [1] * COUNT, "s": [None] * COUNT})
    con.execute("CREATE TABLE moments (i INTEGER, m TIMESTAMP)")
    aware = dt.datetime(2024, 1, 1, tzinfo=dt.timezone.utc)
    con.executemany("INSERT INTO moments VALUES (?, ?)", {"i": [1] * COUNT, "m": [aware, aware.replace(tzinfo=None)] * (COUNT // 2)})
    assert not whole_statements and con.execute("SELECT count(*), count(s) FROM t").fetchone() == (2 * COUNT + 1, COUNT + 1)
    assert con.execute("SELECT count(*) FROM c").fetchone() == (COUNT,)


@pytest.mark.parametrize("by_rows", [False, True])
def test_a_row_that_fails(con, by_rows):
    run = _bulk_insert._run_rows if by_rows else type(con).executemany
    sql = "INSERT INTO t\n VALUES (:i, :d)"
    data = {"i": list(range(COUNT)), "d": ["2024-01-01"] * 100 + ["soon"] + ["2024-01-01"] * (COUNT - 101)}
    con.execute("CREATE TABLE t (i INTEGER PRIMARY KEY, d DATE)")
    with pytest.raises(scaup.DataError, match="soon"):
        run(con, sql, data)
    assert con.execute("SELECT count(*) FROM t").fetchone() == (100,)  # each row is a transaction
    con.execute("DELETE FROM t")
    data = {"i": [*range(100), 5, *range(200, 249)], "d": ["2024-01-01"] * COUNT}
    with pytest.raises(scaup.IntegrityError):
        run(con, sql, data)
    assert con.execute("SELECT count(*) FROM t").fetchone() == (100,)
    con.execute("DELETE FROM t")
    con.begin()
    with pytest.raises(scaup.IntegrityError) as raised:
        run(con, sql, data)
    assert "LINE" not in str(raised.value) or "SELECT" not in str(raised.value)
    con.rollback()
    assert con.execute("SELECT count(*) FROM t").fetchone() == (0,)
    con.begin()
    assert run(con, sql, {"i": list(range(COUNT)), "d": ["2024-01-01"] * COUNT}).rowcount == COUNT
    con.rollback()
    assert con.execute("SELECT count(*) FROM t").fetchone() == (0,) and not scaup._inputs._own_tables


@pytest.mark.parametrize("by_rows", [False, True])
def test_wrong_statements(con, by_rows):
    run = _bulk_insert._run_rows if by_rows else type(con).executemany
    con.execute("CREATE TABLE t (i INTEGER, s VARCHAR)")
    data = {"i": list(range(COUNT)), "s": ["a"] * COUNT}
    for sql, place, words in (
        ("INSERT INTO nowhere VALUES (?, ?)", "nowhere", "nowhere"), ("INSERT INTO t (i, x) VALUES (?, ?)", "x)", "x"),
        ("INSERT INTO t VALUES (?)", None, None), ("INSERT INTO t VALUES (?, ?, ?)", None, None), ("INSERT INTO t VALUES (:i, :q)", None, "'q'"),
        ("INSERT INTO t (i) VALUES (:i)", None, "'s'"),
    ):
        for start in (lambda: None, con.begin):
            start()
            with pytest.raises(scaup.ProgrammingError, match=words) as raised:
                run(con, sql, data)
            assert place is None or raised.value.position == sql.index(place), (sql, str(raised.value))
        con.rollback()
