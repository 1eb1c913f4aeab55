"""SQLAlchemy over the module (scaup://), and over the server by PostgreSQL's dialect: the same tests run both ways."""

import datetime
import decimal
import enum
import gc
import threading
import uuid
import warnings

import pytest

import scaup

sa = pytest.importorskip("sqlalchemy", minversion="2.0")
from sqlalchemy import orm  # noqa: E402
from sqlalchemy.dialects import postgresql, registry  # noqa: E402

registry.register("scaup", "scaup.sqlalchemy", "Dialect")  # An installed wheel has an entry point.


@pytest.fixture(params=["module", "server"])
def engine(request):
    if request.param == "module":
        made = sa.create_engine("scaup://")
        yield made
        made.dispose()
        return
    pytest.importorskip("psycopg")
    with scaup.connect() as con, scaup.serve(con, "127.0.0.1:0") as server:
        made = sa.create_engine(f"postgresql+psycopg://me@{server.addresses[0]}/memory")
        yield made
        made.dispose()


class Base(orm.DeclarativeBase):
    pass


class Mood(enum.Enum):
    glad = 1
    sad = 2


class Person(Base):
    __tablename__ = "person"
    id: orm.Mapped[int] = orm.mapped_column(primary_key=True)
    name: orm.Mapped[str] = orm.mapped_column(sa.String(50), unique=True)
    mood: orm.Mapped[Mood] = orm.mapped_column(sa.Enum(Mood, name="mood"), default=Mood.glad)
    letters: orm.Mapped[list["Letter"]] = orm.relationship(back_populates="person", cascade="all, delete-orphan")


class Letter(Base):
    __tablename__ = "letter"
    id: orm.Mapped[int] = orm.mapped_column(sa.Identity(start=100), primary_key=True)
    person_id: orm.Mapped[int] = orm.mapped_column(sa.ForeignKey("person.id", ondelete="CASCADE"))
    text: orm.Mapped[str] = orm.mapped_column(sa.Text)
    person: orm.Mapped[Person] = orm.relationship(back_populates="letters")


def test_orm(engine):
    Base.metadata.create_all(engine)
    Base.metadata.create_all(engine)  # finds what is there
    with orm.Session(engine) as session:
        session.add_all([Person(name="Ada", letters=[Letter(text="one"), Letter(text="two")]), Person(name="Bob", mood=Mood.sad)])
        session.commit()
    with orm.Session(engine) as session:
        ada = session.scalars(sa.select(Person).where(Person.name == "Ada")).one()
        assert ada.id == 1 and sorted(letter.id for letter in ada.letters) == [100, 101]
        assert session.scalars(sa.select(Person.name).where(Person.mood == Mood.sad)).all() == ["Bob"]
        counts = sa.select(Person.name, sa.func.count(Letter.id)).outerjoin(Letter).group_by(Person.name).order_by(Person.name)
        assert session.execute(counts).all() == [("Ada", 2), ("Bob", 0)]
        ada.letters.pop()
        ada.name = "Eve"
        session.flush()
        assert session.scalar(sa.select(sa.func.count()).select_from(Letter)) == 1
        session.rollback()
        assert ada.name == "Ada" and len(ada.letters) == 2
        session.delete(ada)
        session.commit()
        assert session.scalar(sa.select(sa.func.count()).select_from(Letter)) == 0
        found = session.scalars(sa.insert(Person).returning(Person.id), [{"name": f"p{i}"} for i in range(2500)]).all()
        assert len(set(found)) == 2500
        session.commit()
    Base.metadata.drop_all(engine)
    assert sa.inspect(engine).get_table_names() == []


VALUES = {
    "small": (sa.SmallInteger, 7), "whole": (sa.Integer, -8), "big": (sa.BigInteger, 2**40), "real": (sa.REAL, 0.5), "double": (sa.Double, 0.1),
    "amount": (sa.Numeric(12, 3), decimal.Decimal("12.345")), "yes": (sa.Boolean, True), "text": (sa.Text, "ü%:x"), "short": (sa.String(9), "x"),
    "raw": (sa.LargeBinary, b"\0\1"), "day": (sa.Date, datetime.date(2024, 2, 29)), "noon": (sa.Time, datetime.time(12, 30, 1)),
    "moment": (sa.DateTime, datetime.datetime(2024, 2, 29, 12, 30, 1, 5)), "span": (sa.Interval, datetime.timedelta(days=3, seconds=5)),
    "zoned": (sa.DateTime(timezone=True), datetime.datetime(2024, 2, 29, 12, tzinfo=datetime.timezone.utc)),
    "key": (sa.Uuid, uuid.UUID(int=5)), "doc": (sa.JSON, {"a": [1, None, "x"]}), "docb": (postgresql.JSONB, [1, {"b": 2}]),
    "list": (sa.ARRAY(sa.Integer), [1, 2, 3]), "texts": (postgresql.ARRAY(sa.Text), ["a", "b'c"]), "label": (sa.Enum("red", "green", name="color"), "green"),
}


def test_types(engine):
    metadata = sa.MetaData()
    table = sa.Table("every_type", metadata, sa.Column("id", sa.Integer, primary_key=True), *(sa.Column(name, made) for name, (made, _) in VALUES.items()))
    metadata.create_all(engine)
    given = {name: value for name, (_, value) in VALUES.items()}
    with engine.begin() as con:
        con.execute(table.insert(), {"id": 1, **given})
        con.execute(table.insert(), {"id": 2, **dict.fromkeys(given)})
        con.execute(table.insert(), [{"id": 3 + i, **given} for i in range(300)])
    with engine.connect() as con:
        assert con.execute(table.select().where(table.c.id == 1)).one()._mapping == {"id": 1, **given}
        assert con.execute(table.select().where(table.c.id == 302)).one()._mapping == {"id": 302, **given}
        nulls = con.execute(table.select().where(table.c.id == 2)).one()._mapping
        assert {value for name, value in nulls.items() if name != "id"} == {None}
        for name, value in given.items():
            if name not in ("doc", "docb", "real"):
                assert con.scalar(sa.select(sa.func.count()).where(table.c[name] == value)) == 301, name
    reflected = sa.Table("every_type", sa.MetaData(), autoload_with=engine)
    texts = {column.name: column.type.compile(engine.dialect) for column in reflected.columns}
    assert texts["amount"] == "NUMERIC(12, 3)" and texts["list"] == "INTEGER[]" and texts["short"] == "VARCHAR(9)" and texts["docb"] == "JSONB"
    assert reflected.c.label.type.enums == ["red", "green"] and reflected.c.zoned.type.timezone and not reflected.c.moment.type.timezone
    with engine.connect() as con:
        assert con.execute(reflected.select().where(reflected.c.id == 1)).one()._mapping == {"id": 1, **given}


def test_documents_and_arrays_are_asked_into(engine):
    metadata = sa.MetaData()
    table = sa.Table("t", metadata, sa.Column("doc", postgresql.JSONB), sa.Column("tags", postgresql.ARRAY(sa.Text)))
    metadata.create_all(engine)
    with engine.begin() as con:
        con.execute(table.insert(), [{"doc": {"a": {"b": 5}, "l": [1, "x"]}, "tags": ["u", "v"]}, {"doc": {"a": None}, "tags": []}])
        assert con.scalars(sa.select(table.c.doc["a"]["b"].as_integer()).where("u" == sa.any_(table.c.tags))).all() == [5]
        assert con.scalars(sa.select(table.c.doc[("l", 1)].as_string()).where(table.c.doc.has_key("l"))).all() == ["x"]
        assert con.scalars(sa.select(table.c.tags[1]).where(table.c.tags.contains(["v"]))).all() == ["u"]
        assert con.scalar(sa.select(sa.func.count()).where(table.c.doc.contains({"a": {"b": 5}}))) == 1


def test_reflection(engine):
    with engine.begin() as con:
        for statement in (
            "CREATE SCHEMA other",
            "CREATE TABLE a (x INTEGER, y VARCHAR(5) NOT NULL DEFAULT 'z', n NUMERIC(8,2), PRIMARY KEY (x), CONSTRAINT positive CHECK (n > 0), CONSTRAINT one UNIQUE (y, n))",
            "CREATE TABLE other.b (id INTEGER GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, ax INTEGER, CONSTRAINT to_a FOREIGN KEY (ax) REFERENCES a (x) ON DELETE CASCADE)",
            "CREATE INDEX by_n ON a (n, y)", "CREATE VIEW v AS SELECT x, y FROM a", "CREATE SEQUENCE s", "CREATE TYPE mood AS ENUM ('glad', 'sad')",
            "COMMENT ON TABLE a IS 'the table'", "COMMENT ON COLUMN a.x IS 'the key'", "CREATE TABLE g (a INTEGER, twice INTEGER GENERATED ALWAYS AS (a * 2) STORED)",
        ):
            con.exec_driver_sql(statement)
    inspector = sa.inspect(engine)
    assert inspector.default_schema_name == "main"
    assert {"main", "other"} <= set(inspector.get_schema_names())
    assert sorted(inspector.get_table_names()) == ["a", "g"] and inspector.get_table_names("other") == ["b"] and inspector.get_view_names() == ["v"]
    assert inspector.get_sequence_names() == ["s"] and inspector.has_sequence("s") and inspector.has_table("v") and not inspector.has_table("b")
    columns = {column["name"]: column for column in inspector.get_columns("a")}
    assert not columns["y"]["nullable"] and columns["y"]["default"].startswith("'z'") and columns["x"]["comment"] == "the key"
    assert inspector.get_pk_constraint("a")["constrained_columns"] == ["x"] and inspector.get_table_comment("a") == {"text": "the table"}
    assert [(each["name"], each["column_names"]) for each in inspector.get_unique_constraints("a")] == [("one", ["y", "n"])]
    (check,) = inspector.get_check_constraints("a")
    assert check["name"] == "positive" and "n > 0" in check["sqltext"]
    assert {(each["name"], tuple(each["column_names"]), each["unique"]) for each in inspector.get_indexes("a")} >= {("by_n", ("n", "y"), False)}
    (key,) = inspector.get_foreign_keys("b", schema="other")
    assert (key["name"], key["referred_table"], key["constrained_columns"], key["options"]) == ("to_a", "a", ["ax"], {"ondelete": "CASCADE"})
    assert "select" in inspector.get_view_definition("v").lower()
    (identity,) = [column for column in inspector.get_columns("b", schema="other") if column["name"] == "id"]
    assert identity["identity"]["start"] == 1 and not identity["identity"]["always"]
    (twice,) = [column for column in inspector.get_columns("g") if column["name"] == "twice"]
    assert twice["computed"]["persisted"] and "a * 2" in twice["computed"]["sqltext"]
    assert inspector.get_enums() == [{"name": "mood", "schema": "main", "visible": True, "labels": ["glad", "sad"]}] or inspector.get_enums()[0]["labels"] == ["glad", "sad"]
    metadata = sa.MetaData()
    metadata.reflect(engine, schema="other")
    assert set(metadata.tables) == {"other.b", "a"} or set(metadata.tables) == {"other.b", "main.a"}


def test_collations(engine):
    metadata = sa.MetaData()
    people = sa.Table(
        "people",
        metadata,
        sa.Column("name", sa.String(collation="nocase"), primary_key=True),
        sa.Column("code", sa.Text(collation="C")),
        sa.Column("note", sa.Text),
    )
    with engine.begin() as connection:
        metadata.create_all(connection)
        connection.execute(people.insert(), [{"name": "Anna", "code": "x", "note": "y"}])
        assert connection.execute(sa.select(people.c.code).where(people.c.name == "ANNA")).scalars().all() == ["x"]
        columns = sa.inspect(connection).get_columns("people")
        assert [(column["name"], column["type"].collation) for column in columns] == [("name", "nocase"), ("code", "C"), ("note", None)]
    with pytest.raises(sa.exc.IntegrityError), engine.begin() as connection:
        connection.execute(people.insert(), [{"name": "ANNA"}])


def test_on_conflict_and_returning(engine):
    metadata = sa.MetaData()
    table = sa.Table("stock", metadata, sa.Column("item", sa.String, primary_key=True), sa.Column("n", sa.Integer))
    metadata.create_all(engine)
    with engine.begin() as con:
        assert con.execute(table.insert().returning(table.c.n), {"item": "nail", "n": 3}).scalar() == 3
        upsert = postgresql.insert(table).values(item="nail", n=4)
        upsert = upsert.on_conflict_do_update(index_elements=["item"], set_={"n": table.c.n + upsert.excluded.n}).returning(table.c.n)
        assert con.scalar(upsert) == 7
        nothing = postgresql.insert(table).values(item="nail", n=0).on_conflict_do_nothing()
        assert con.execute(nothing, execution_options={"preserve_rowcount": True}).rowcount == 0
        assert con.execute(table.update().where(table.c.item == "nail").values(n=1)).rowcount == 1
        assert con.execute(table.delete().returning(table.c.item)).all() == [("nail",)]
    with engine.connect() as con:
        con.execute(table.insert(), {"item": "a", "n": 1})
        with pytest.raises(sa.exc.IntegrityError) as caught:
            con.execute(table.insert(), {"item": "a", "n": 2})
        assert caught.value.orig.sqlstate == "23505"


def test_transactions_and_savepoints(engine):
    metadata = sa.MetaData()
    table = sa.Table("t", metadata, sa.Column("i", sa.Integer))
    metadata.create_all(engine)

    def count(con):
        return con.scalar(sa.select(sa.func.count()).select_from(table))

    with engine.connect() as one, engine.connect() as two:
        one.execute(table.insert(), [{"i": 1}, {"i": 2}])
        assert (count(one), count(two)) == (2, 0)
        two.rollback()
        savepoint = one.begin_nested()
        one.execute(table.insert(), {"i": 3})
        savepoint.rollback()
        assert count(one) == 2
        with one.begin_nested():
            one.execute(table.insert(), {"i": 4})
        one.commit()
        assert (count(one), count(two)) == (3, 3)
        one.rollback()
        one.execute(table.delete())
        one.rollback()
        assert count(one) == 3


def test_isolation_levels(engine):
    with engine.connect() as con:
        assert con.get_isolation_level() == "SERIALIZABLE"
    for level in ("SERIALIZABLE", "REPEATABLE READ"):
        with engine.connect().execution_options(isolation_level=level) as con:
            assert con.exec_driver_sql("SHOW transaction_isolation").scalar().upper() == level
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as con:
        con.exec_driver_sql("CREATE TABLE t (i INTEGER)")
        con.exec_driver_sql("INSERT INTO t VALUES (1)")
        con.rollback()
        con.exec_driver_sql("VACUUM")  # which no transaction block may have
    with engine.connect() as con:
        assert con.exec_driver_sql("SELECT count(*) FROM t").scalar() == 1
    with engine.connect().execution_options(postgresql_readonly=True) as con, pytest.raises(sa.exc.DBAPIError) as caught:
        con.exec_driver_sql("INSERT INTO t VALUES (2)")
    assert caught.value.orig.sqlstate == "25006"


def test_concurrent_changes_fail_with_the_sqlstate_to_retry(engine):
    with engine.begin() as con:
        con.exec_driver_sql("CREATE TABLE t AS SELECT 1 AS i")
    with engine.connect() as one, engine.connect() as two:
        one.exec_driver_sql("UPDATE t SET i = 2")
        with pytest.raises(sa.exc.OperationalError) as caught:
            two.exec_driver_sql("UPDATE t SET i = 3")
        assert caught.value.orig.sqlstate == "40001"


def test_pandas(engine):
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({
        "i": range(5000), "x": [i / 4 for i in range(5000)], "s": [f"text {i}" for i in range(5000)],
        "at": pd.date_range("2024-01-01", periods=5000, freq="h"), "ok": [i % 2 == 0 for i in range(5000)],
    })
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        frame.to_sql("frame", engine, index=False)
        frame.to_sql("frame", engine, index=False, if_exists="append", method="multi", chunksize=500)
        frame.to_sql("frame", engine, index=False, if_exists="replace")
        back = pd.read_sql("SELECT * FROM frame ORDER BY i", engine)
        assert len(pd.read_sql_table("frame", engine)) == 5000
        part = pd.read_sql(sa.text("SELECT i FROM frame WHERE i < :n"), engine, params={"n": 10})
        chunks = list(pd.read_sql("SELECT i FROM frame", engine, chunksize=1000))
    assert len(part) == 10 and sum(map(len, chunks)) == 5000
    pd.testing.assert_frame_equal(back, frame, check_dtype=False)


def test_errors_are_those_of_sqlalchemy(engine):
    with engine.connect() as con:
        with pytest.raises(sa.exc.ProgrammingError) as caught:
            con.exec_driver_sql("SELECT * FROM nowhere")
        assert caught.value.orig.sqlstate == "42P01" and not caught.value.connection_invalidated


# --- The module alone


def test_a_file_and_options_of_the_url(tmp_path):
    path = tmp_path / "a b.scaup"
    engine = sa.create_engine(sa.URL.create("scaup", database=str(path), query={"threads": "1", "memory_limit": "300MB"}))
    with engine.begin() as con:
        con.exec_driver_sql("CREATE TABLE t AS SELECT 5 AS i")
        assert con.exec_driver_sql("SHOW threads").scalar() == "1"
    engine.dispose()  # closes the file
    assert [each.name for each in tmp_path.iterdir()] == ["a b.scaup"]
    reading = sa.create_engine(f"scaup:///{path}?read_only=true")
    with reading.connect() as con:
        assert con.exec_driver_sql("SELECT i FROM t").scalar() == 5
        with pytest.raises(sa.exc.DBAPIError):
            con.exec_driver_sql("INSERT INTO t VALUES (6)")
            con.commit()
    reading.dispose()
    with pytest.raises(sa.exc.ArgumentError, match="three slashes"):
        sa.create_engine("scaup://host/name").connect()


def test_connections_of_an_engine_share_its_database_in_memory():
    engine, other = sa.create_engine("scaup://"), sa.create_engine("scaup:///:memory:")
    with engine.begin() as con:
        con.exec_driver_sql("CREATE TABLE t AS SELECT 1 AS i")
    seen = []

    def read():
        with engine.connect() as con:
            seen.append(con.exec_driver_sql("SELECT i FROM t").scalar())

    threads = [threading.Thread(target=read) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == [1] * 8 and not sa.inspect(other).has_table("t")
    engine.dispose()
    read()
    assert seen[-1] == 1


def test_a_connection_that_was_closed_is_replaced():
    engine = sa.create_engine("scaup://", pool_pre_ping=True)
    with engine.connect() as con:
        con.connection.dbapi_connection.driver_connection.close()
        with pytest.raises(sa.exc.DBAPIError) as caught:
            con.exec_driver_sql("SELECT 1")
        assert caught.value.connection_invalidated
    with engine.connect() as con:
        con.connection.dbapi_connection.driver_connection.close()
        con.invalidate()
    with engine.connect() as con:
        assert con.exec_driver_sql("SELECT 1").scalar() == 1


def test_raw_connections_have_transactions():
    engine = sa.create_engine("scaup://")
    raw = engine.raw_connection()
    cursor = raw.cursor()
    cursor.execute("CREATE TABLE t (i INTEGER)")
    cursor.executemany("INSERT INTO t VALUES (?)", [(1,), (2,)])
    raw.rollback()
    raw.close()
    assert not sa.inspect(engine).has_table("t")


def test_variables_of_python_are_no_tables_of_sqlalchemy():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"a": [1]})
    engine = sa.create_engine("scaup://")
    with engine.connect() as con, pytest.raises(sa.exc.ProgrammingError):
        con.exec_driver_sql("SELECT * FROM frame")
    assert len(frame) == 1


def test_engines_let_go_of_their_files(tmp_path):
    path = tmp_path / "x.scaup"
    engine = sa.create_engine(f"scaup:///{path}")
    with engine.begin() as con:
        con.exec_driver_sql("CREATE TABLE t AS SELECT 1 AS i")
    engine.dispose()
    del engine, con
    gc.collect()
    with scaup.connect(path, config={"threads": 1}) as con:
        assert con.execute("SELECT i FROM t").fetchone() == (1,)
