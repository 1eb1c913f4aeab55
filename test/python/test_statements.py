"""extract_statements() and get_table_names(): what is in a text of SQL, without running it."""

import pytest

import scaup


def test_statements_of_a_text(con):
    text = """-- a comment; with a semicolon
        CREATE TABLE t (a INT); INSERT INTO t VALUES (1), ($1);
        SELECT 'a;b', $x FROM t WHERE a = :y /* ; */;; WITH c AS (SELECT 1) DELETE FROM t USING c RETURNING a;
        CREATE FUNCTION f() RETURNS INT BEGIN ATOMIC SELECT 1; END; EXPLAIN SELECT ?;"""
    found = con.extract_statements(text)
    assert [(s.type, s.expected_result_type, set(s.named_parameters)) for s in found] == [
        ("CREATE", "NOTHING", set()),
        ("INSERT", "CHANGED_ROWS", {"1"}),
        ("SELECT", "QUERY_RESULT", {"x", "y"}),
        ("DELETE", "QUERY_RESULT", set()),
        ("CREATE", "NOTHING", set()),
        ("EXPLAIN", "QUERY_RESULT", {"1"}),
    ]
    assert found[1] == found[1].query == "INSERT INTO t VALUES (1), ($1)"
    assert found[4].endswith("END")
    assert con.extract_statements("  -- nothing\n ; ") == []


def test_statements_can_be_executed(con):
    for statement in con.extract_statements("CREATE TABLE t (a INT); INSERT INTO t VALUES (1); (SELECT a + 1 FROM t)"):
        con.execute(statement)
    assert con.fetchall() == [(2,)]


def test_what_is_no_sql_is_refused(con):
    for method in (con.extract_statements, con.get_table_names):
        with pytest.raises(scaup.ProgrammingError) as caught:
            method("SELECT 1; SELEKT 2")
        assert caught.value.sqlstate == "42601" and caught.value.position == 10


@pytest.mark.parametrize(
    "sql, names",
    [
        ("SELECT 1", set()),
        ("SELECT * FROM a, s.b JOIN \"C d\" USING (x)", {"a", "s.b", '"C d"'}),
        ("SELECT (SELECT max(x) FROM inner_one) FROM a WHERE y IN (SELECT y FROM b) ORDER BY (TABLE c)", {"inner_one", "a", "b", "c"}),
        ("WITH c AS (SELECT * FROM a) SELECT * FROM c, b", {"a", "b"}),
        ("WITH c AS (SELECT * FROM c) SELECT * FROM c", {"c"}),
        ("WITH RECURSIVE c AS (SELECT 1 UNION SELECT * FROM c, a) SELECT * FROM c", {"a"}),
        ("SELECT * FROM (WITH c AS (SELECT 1) SELECT * FROM c) AS q, c", {"c"}),
        ("WITH c AS (SELECT 1) SELECT * FROM main.c", {"main.c"}),
        ("INSERT INTO t SELECT * FROM u; UPDATE v SET a = 1 FROM w", {"t", "u", "v", "w"}),
        ("FROM a SELECT x", {"a"}),
        ("SELECT * FROM a UNION ALL BY NAME SELECT * FROM b", {"a", "b"}),
        ("SELECT * FROM generate_series(1, 2)", set()),
        ("PIVOT a ON x USING sum(y)", {"a"}),
        ("CREATE VIEW v AS SELECT * FROM a", {"v", "a"}),
    ],
)
def test_names_of_tables(con, sql, names):
    assert con.get_table_names(sql, qualified=True) == names
    assert con.get_table_names(sql) == {name.rpartition(".")[2].strip('"') for name in names}


def test_they_are_functions_of_the_module():
    assert scaup.extract_statements("SELECT 1")[0].type == "SELECT"
    assert scaup.get_table_names("SELECT * FROM a") == {"a"}
