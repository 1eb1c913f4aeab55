"""Relations: how steps are put together, what they give, and where their parameters go."""

import decimal

import pytest
import scaup


@pytest.fixture
def t(con):
    con.execute("CREATE TABLE t AS SELECT i, 'n' || i AS s, i % 3 AS g FROM range(10) AS r(i)")
    return con.table("t")


def test_nothing_runs_before_rows_are_asked_for(con):
    con.execute("CREATE SEQUENCE s")
    relation = con.sql("SELECT nextval('s') AS n")
    assert relation.columns == ["n"] and relation.types == ["BIGINT"]
    step = relation.filter("n > 0").order("n")
    assert step.columns == ["n"]
    assert relation.fetchall() == [(1,)] and relation.fetchall() == []
    assert relation.execute().fetchall() == [(2,)]


def test_a_query_is_checked_at_once(con):
    sql = "SELECT 'äöü',\n  nowhere"
    with pytest.raises(scaup.ProgrammingError) as raised:
        con.sql(sql)
    assert raised.value.sqlstate == "42703" and raised.value.position == sql.index("nowhere")
    lines = str(raised.value).split("\n")
    assert lines[-2] == "LINE 2:   nowhere" and lines[-1].index("^") == lines[-2].index("nowhere")
    with pytest.raises(scaup.ProgrammingError, match="nowhere"):
        con.table("nowhere")


@pytest.mark.parametrize(
    "sql, rows",
    [
        ("SELECT 1", [(1,)]), ("select 1;", [(1,)]), ("SELECT 1 -- end", [(1,)]), ("/* a /* b */ c */ SELECT 1; -- end", [(1,)]),
        ("(SELECT 1)", [(1,)]), ("VALUES (1), (2)", [(1,), (2,)]), ("FROM t WHERE i = 1", [(1, "n1", 1)]), ("TABLE t LIMIT 0", []),
        ("WITH a AS (SELECT 1) SELECT * FROM a", [(1,)]), ("SELECT ';', $$;$$, \"i\" FROM t WHERE i = 0", [(";", ";", 0)]),
        ("FROM t SELECT i LIMIT 1", [(0,)]), ("WITH a AS (SELECT 'insert' AS x) SELECT x FROM a", [("insert",)]),
    ],
)
def test_queries_are_lazy(con, t, sql, rows):
    relation = con.sql(sql)
    assert relation._result is None
    assert relation.fetchall() == rows
    assert relation.limit(1).fetchall() == rows[:1]


@pytest.mark.parametrize(
    "sql, rows",
    [
        ("SHOW TABLES", [("t",)]), ("INSERT INTO t VALUES (10, 'x', 0) RETURNING i", [(10,)]), ("SELECT 1; SELECT 2", [(2,)]),
        ("WITH a AS (INSERT INTO t VALUES (11, 'x', 0) RETURNING i) SELECT * FROM a", [(11,)]), ("EXECUTE p", [(7,)]),
    ],
)
def test_other_statements_run_at_once(con, t, sql, rows):
    con.execute("PREPARE p AS SELECT 7")
    relation = con.sql(sql)
    assert len(relation) == 1 and repr(relation) and relation._repr_html_()
    assert relation.fetchall() == rows
    with pytest.raises(scaup.NotSupportedError, match="ran at once"):
        relation.limit(1)


def test_statements_without_rows_give_none(con):
    assert con.sql("CREATE TABLE u (i INTEGER)") is None
    assert con.sql("INSERT INTO u VALUES (?)", params=[3]) is None
    assert con.sql("SELECT i FROM u").fetchall() == [(3,)]


def test_filter_select_order_limit(t):
    step = t.filter("i > 3").filter("g = 0 OR g = 1").order("i DESC").select("i * 2 AS d", "s").limit(2)
    assert step.fetchall() == [(18, "n9"), (14, "n7")]
    assert t.fetchone() == (0, "n0", 0)  # the relation is as it was
    assert t.where("i < 2").project("i, s").fetchall() == [(0, "n0"), (1, "n1")]
    assert t.order("i").offset(8).fetchall() == [(8, "n8", 2), (9, "n9", 0)]
    assert t.order("i").limit(2, offset=3).limit(5).select("i").fetchall() == [(3,), (4,)]
    assert t.limit(3).filter("i > 1").select("i").fetchall() == [(2,)]
    assert t.limit(3).select("count(*)").fetchall() == [(3,)]
    assert t.select("-i AS i").order("i + 0").head(1).fetchall() == [(-9,)]


def test_comments_in_expressions(t):
    step = t.filter("i > 3 -- the later ones").filter("i < 6 /* but */ -- not all").select("i -- number", "s").order("i --").limit(5)
    assert step.fetchall() == [(4, "n4"), (5, "n5")]
    assert step.aggregate("sum(i) -- total").fetchall() == [(9,)]


def test_order_is_kept(con):
    con.execute("CREATE TABLE big AS SELECT i, (i * 7919) % 100003 AS k FROM range(100003) AS r(i)")
    ordered = con.table("big").order("k DESC")
    expected = list(range(100002, -1, -1))
    assert [k for (k,) in ordered.select("k").fetchall()] == expected
    assert [k for (k,) in ordered.filter("k % 2 = 0").with_columns(x="k + 1").drop("i", "x").rename(k="z").fetchall()] == expected[::2]
    assert [k for (k,) in ordered.limit(1000).offset(10).select("k").iter_rows(7)] == expected[10:1000]
    assert ordered.select("k").head(3).fetchall() == [(100002,), (100001,), (100000,)]


def test_aggregates(t):
    assert t.aggregate("sum(i) AS s, count(*)").fetchall() == [(45, 10)]
    assert t.aggregate(["g", "sum(i)"], "g").order("g").fetchall() == [(0, 18), (1, 12), (2, 15)]
    grouped = t.group_by("g, i % 2 AS odd").agg("sum(i) AS total")
    assert grouped.columns == ["g", "odd", "total"] and len(grouped) == 6
    assert t.sum("i").fetchone() == (45,) and t.avg("i").fetchone() == (4.5,) and t.mean("i").fetchone() == (4.5,)
    assert t.min("i", "g").order("g").fetchall() == [(0, 0), (1, 1), (2, 2)]
    assert t.count().fetchone() == (10,) and t.count("nullif(g, 0)").fetchone() == (6,)
    assert t.string_agg("s", "'", group=["g"]).filter("g = 1").fetchall() == [(1, "n1'n4'n7")]
    one = t.filter("i = 4")
    for name in ("max", "median", "mode", "first", "last", "any_value", "product"):
        assert getattr(one, name)("i").fetchone() == (4,), name
    assert t.stddev("i").fetchone()[0] == pytest.approx(3.0276503540974917) and t.var("i").fetchone()[0] == pytest.approx(55 / 6)
    assert t.quantile_cont("i", 0.5).fetchone() == (4.5,) and t.quantile_disc("i", 0.5).fetchone() == (4,)
    assert t.bool_and("i >= 0").fetchone() == (True,) and t.bool_or("i > 100").fetchone() == (False,)
    assert t.approx_count_distinct("i").fetchone() == (10,) and one.array_agg("i").fetchone() == ([4],)


def test_distinct_and_sample(t):
    assert sorted(t.select("g").distinct().fetchall()) == [(0,), (1,), (2,)]
    assert t.order("i DESC").distinct("g").order("g").select("i").fetchall() == [(9,), (7,), (8,)]
    assert len(t.sample(100)) == 10 and len(t.sample(0)) == 0
    with pytest.raises(scaup.ProgrammingError):
        t.sample(101)


def test_columns_by_name(con, t):
    assert t.with_columns(i="i + 1", k="i * 2").head(1).to_dicts() == [{"i": 1, "s": "n0", "g": 0, "k": 0}]
    assert t.drop("s", "g").columns == ["i"]
    assert t.rename({"i": 'a "strange" name', "s": "S"}).columns == ['a "strange" name', "S", "g"]
    lists = con.sql("SELECT [1, 2] AS l, 'x' AS k")
    assert lists.unnest("l").fetchall() == [(1, "x"), (2, "x")]
    for step in (lambda: t.drop("x"), lambda: t.rename(x="y"), lambda: t.unnest("x")):
        with pytest.raises(scaup.ProgrammingError, match='no column "x"; there are: i, s, g'):
            step()
    with pytest.raises(scaup.ProgrammingError, match="all of its columns"):
        t.drop("i", "s", "g")


@pytest.mark.parametrize("name", ["Select", 'a "b" c', "x.y", "日本", "it's", "a;b", "$1", "?", "--c", " "])
def test_any_name(con, name):
    con.sql("SELECT 1 AS a, 2 AS b").rename(a=name).to_table(name)
    relation = con.table(name)
    assert relation.columns == [name, "b"] and relation.fetchall() == [(1, 2)]
    assert relation.drop("b").columns == [name]
    assert relation.set_alias("x").join(con.table(name).set_alias("y"), [name]).columns == [name, "b", "b"]
    assert relation.set_alias(name).filter("b = 2").limit(1).fetchall() == [(1, 2)]
    con.values(3, 4).insert_into(name, columns=["b", name])
    assert sorted(con.table(name).fetchall()) == [(1, 2), (4, 3)]
    assert con.table(name).to_view(name + "v").columns == [name, "b"]
    assert con.sql("SELECT 5 AS x").query(name, "SELECT 6").fetchall() == [(6,)]


def test_joins(con, t):
    u = con.sql("SELECT * FROM (VALUES (1, 'one'), (2, 'two'), (20, 'twenty')) AS v(i, name)").set_alias("u")
    assert sorted(t.join(u, "i").select("i, name").fetchall()) == [(1, "one"), (2, "two")]
    assert sorted(t.join(u, ["i"]).select("t.s", "u.name").fetchall()) == [("n1", "one"), ("n2", "two")]
    assert sorted(t.join(u, "t.i = u.i + 1").filter("t.i > 2").select("t.i, u.i AS j").fetchall()) == [(3, 2)]
    assert len(t.join(u, "i", how="left")) == 10 and len(t.join(u, "i", "right")) == 3
    assert len(t.join(u, "i", "outer")) == 11 and len(t.join(u, "i", "full")) == 11
    assert t.join(u, "i", "semi").select("i").order("i").fetchall() == [(1,), (2,)]
    assert len(t.join(u, "t.i = u.i", "anti")) == 8
    assert len(t.cross(u)) == 30 and t.cross(u).columns == ["i", "s", "g", "i", "name"]
    three = t.join(u, "i").join(con.sql("SELECT 2 AS k").set_alias("w"), "t.i = w.k").select("t.i, u.name, w.k")
    assert three.fetchall() == [(2, "two", 2)]
    right = con.sql("SELECT 1 AS a").set_alias("l").join(t.join(u, "i"), "l.a = t.i").select("name")
    assert right.fetchall() == [("one",)]
    aliased = t.join(u, "i").select("i, name").set_alias("j").filter("j.i = 1")
    assert aliased.alias == "j" and aliased.fetchall() == [(1, "one")]


def test_joins_with_itself(t):
    assert t.join(t, "t.i = t_2.i + 1").select("t.i, t_2.i AS j").order("i").head(1).fetchall() == [(1, 0)]
    assert len(t.join(t, "i").join(t, "i")) == 10
    named = t.set_alias("a")
    with pytest.raises(scaup.ProgrammingError, match="set_alias"):
        named.join(named, "i")


def test_set_operations(con):
    a, b = con.values((1,), (1,), (2,)), con.values((2,), (3,))
    assert sorted(a.union(b).fetchall()) == [(1,), (2,), (3,)]
    assert sorted(a.union_all(b).fetchall()) == [(1,), (1,), (2,), (2,), (3,)]
    assert a.except_(b).fetchall() == [(1,)] and a.intersect(b).fetchall() == [(2,)]
    ordered = a.order("column1 DESC").limit(1).union_all(b.order("column1").limit(1))
    assert sorted(ordered.fetchall()) == [(2,), (2,)]


NUMBERED = ("SELECT $2::INTEGER AS k, $1 || '$1' AS a", ["x", 1])
MARKED = ("SELECT ?::INTEGER AS k, ? || '?' AS b", [1, "y"])
NAMED = ("SELECT $key::INTEGER AS k, $text || '$text' AS c, $key AS again", {"text": "z", "key": 1})


def test_parameters(con):
    for (sql, values), row in ((NUMBERED, (1, "x$1")), (MARKED, (1, "y?")), (NAMED, (1, "z$text", 1))):
        relation = con.sql(sql, params=values)
        assert relation.fetchall() == [row] and con.sql(sql, values).fetchall() == [row]
        assert relation.types[:2] == ["INTEGER", "VARCHAR"] and len(relation) == 1 and str(relation)
        assert relation.filter("k = 1").order("k").limit(1).fetchall() == [row]


@pytest.mark.parametrize("first", [NUMBERED, MARKED, NAMED])
@pytest.mark.parametrize("second", [NUMBERED, MARKED, NAMED])
def test_parameters_of_two_relations(con, first, second):
    one, two = con.sql(first[0], params=first[1]), con.sql(second[0], params=second[1])
    left, right = one.fetchall()[0], two.fetchall()[0]
    assert one.filter("k > 0").join(two.filter("k < 2"), "k").fetchall() == [left + right[1:]]
    assert one.cross(two).fetchall() == [left + right]
    assert one.select("k").union_all(two.select("k + 1")).order("1").fetchall() == [(1,), (2,)]
    assert one.join(two, "k", "semi").fetchall() == [left] and one.join(two, "k", "anti").fetchall() == []
    assert one.join(two.filter("k = 1"), "k").join(one.set_alias("third"), "k").fetchall() == [left + right[1:] + left[1:]]
    asked = one.query("rel", f"SELECT k AS own, x.* FROM rel JOIN ({second[0]}) AS x USING (k)", params=second[1])
    assert asked.fetchall() == [(1,) + right]


def test_parameters_in_every_form_of_text(con):
    relation = con.sql("SELECT E'\\'$1' AS a, $$ $1 $$ AS b, $q$ $2 $q$ AS \"$1\", /* $3 /* $4 */ */ $1 AS d -- $5", params=["v"])
    assert relation.cross(relation).fetchall() == [("'$1", " $1 ", " $2 ", "v") * 2]
    values = ["v"]
    relation = con.sql("SELECT ? AS x", params=values)
    values[0] = "changed"
    assert relation.fetchall() == [("v",)]


def test_bad_parameters(con):
    for params in ({"b": 1}, {"a": 1, "b": 2}):
        with pytest.raises(scaup.ProgrammingError, match=r"\$?[ab]"):
            con.sql("SELECT $a", params=params)
    with pytest.raises(scaup.ProgrammingError):
        con.sql("SELECT $1", params=[1, 2])
    with pytest.raises(scaup.ProgrammingError, match="list"):
        con.sql("SELECT $1", params="text")


def test_relations_of_different_connections(con, t):
    with scaup.connect() as other:
        with pytest.raises(scaup.ProgrammingError, match="different connections"):
            t.join(other.sql("SELECT 1 AS i"), "i")
    with pytest.raises(scaup.ProgrammingError, match="must be a Relation"):
        t.union("t")


def test_bad_arguments(t):
    for step in (
        lambda: t.filter(""), lambda: t.filter(1), lambda: t.select(), lambda: t.limit(-1), lambda: t.limit("1"), lambda: t.limit(True),
        lambda: t.join(t, "i", how="sideways"), lambda: t.join(t, []), lambda: t.group_by(), lambda: t.set_alias(""), lambda: t.order(None),
        lambda: t.iter_rows(0),
    ):
        with pytest.raises(scaup.ProgrammingError):
            step()


def test_values(con):
    assert con.values((1, "a"), (2, None)).fetchall() == [(1, "a"), (2, None)]
    assert con.values(1, decimal.Decimal("1.50"), b"\0").fetchall() == [(1, decimal.Decimal("1.50"), b"\0")]
    for rows in ((), ((1, 2), (3,)), ((),)):
        with pytest.raises(scaup.ProgrammingError):
            con.values(*rows)


def test_table_functions_and_schemas(con):
    assert con.table_function("range", [3]).fetchall() == [(0,), (1,), (2,)]
    con.execute("CREATE SCHEMA s")
    con.values(1, 2).to_table("t", schema="s")
    assert con.table("t", schema="s").filter("t.column1 = 1").fetchall() == [(1, 2)]
    con.execute("CREATE VIEW v AS SELECT 1 AS x")
    assert con.view("v").fetchall() == [(1,)]


def test_views_and_explain(con, t):
    view = t.filter("i > 7").to_view("v")
    assert view.columns == ["i", "s", "g"] and len(view) == 2
    t.filter("i > 8").create_view("v")
    assert len(view.execute()) == 1
    with pytest.raises(scaup.ProgrammingError):
        t.to_view("v", replace=False)
    assert "t" in t.explain() and "Total" in t.explain(analyze=True)
    assert t.explain(format="json").startswith("[")


def test_query_with_a_name(con, t):
    assert t.filter("i < 3").query("few", "SELECT sum(i) FROM few").fetchall() == [(3,)]
    assert t.query("x", "WITH y AS (SELECT i FROM x) SELECT max(i) FROM y;").fetchall() == [(9,)]
    con.execute("CREATE TABLE u (i BIGINT)")
    assert t.query("x", "INSERT INTO u SELECT i FROM x") is None
    assert len(con.table("u")) == 10


def test_length_and_truth(t):
    assert len(t) == 10 and t.shape == (10, 3) and bool(t) and not t.filter("false")
    assert t._result is None
    assert len(list(t)) == 10 and len(t) == 10


def test_a_cursor_has_relations_too(con, t):
    cursor = con.cursor()
    cursor.execute("SELECT 5")
    assert cursor.sql("SELECT i FROM t").filter("i = 1").fetchall() == [(1,)]
    assert cursor.fetchall() == [(5,)]


def test_relations_in_a_transaction(con, t):
    con.begin()
    con.execute("DELETE FROM t WHERE i > 4")
    assert len(con.table("t")) == 5
    con.rollback()
    assert len(t) == 10


def test_closed_connection(t):
    con = scaup.connect()
    relation = con.sql("SELECT 1 AS x")
    kept = con.sql("SELECT 1 AS x").execute()
    con.close()
    assert kept.fetchall() == [(1,)]
    with pytest.raises(scaup.InterfaceError):
        relation.fetchall()


def test_documents(con):
    con.append("c", [{"a": 1, "geo": {"country": "pl"}}, {"a": 2, "geo": {"country": "de"}}])
    relation = con.table("c").filter("geo.country = 'pl'")
    assert relation.to_dicts() == [{"a": 1, "geo.country": "pl"}]
    assert con.table("c").drop("a").columns == ["geo.country"]
