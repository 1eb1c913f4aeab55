"""interrupt() is heard soon, whatever the statement is at."""

import threading
import time

import pytest

import scaup

# Long ones, each of a single call or statement, and what must be there before.
LONG_TEXT = "repeat('abcdefghi ', 6000000)"
STATEMENTS = {
    "levenshtein": "SELECT levenshtein(repeat('ab', 30000), repeat('ba', 30001))",
    "regexp_replace": f"SELECT length(regexp_replace({LONG_TEXT}, '[aeiou]', 'x', 'g'))",
    "regexp_count": f"SELECT regexp_count({LONG_TEXT}, '[a-c]+.')",
    "regexp_matches": f"SELECT cardinality(regexp_matches({LONG_TEXT}, '[a-c]+.', 'g'))",
    "regexp_split": f"SELECT cardinality(regexp_split_to_array({LONG_TEXT}, '[ae]'))",
    "replace": f"SELECT length(replace({LONG_TEXT}, 'e', 'xyz'))",
    "translate": f"SELECT length(translate({LONG_TEXT}, 'abcdefghijklm', 'mlkjihgfedcba'))",
    "list_sort": f"SELECT cardinality(list_sort(string_to_array({LONG_TEXT}, NULL)))",
    "like": f"SELECT {LONG_TEXT} LIKE '%a_b_c_x%'",
    "many percents": f"SELECT {LONG_TEXT} LIKE '%' || repeat('i_a%', 200000) || 'x'",
    "json": "SELECT ('[' || repeat('1,', 30000000) || '1]')::jsonb IS NULL",
    "recursive": "WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i < 100000000) SELECT count(*) FROM r",
    "series": "SELECT count(*) FROM range(100000) AS a(i), range(100000) AS b(j) WHERE i * j = 7",
    "create index": "CREATE INDEX ON t (s)",
    "alter": "ALTER TABLE t ALTER COLUMN i TYPE VARCHAR USING repeat(md5(i::text), 4)",
    "update": "UPDATE t SET s = md5(s)",
    "export": "EXPORT DATABASE '{folder}/exported'",
    "copy": "COPY (SELECT a.*, b.i AS j FROM t AS a, range(100) AS b(i)) TO '{folder}/rows.csv'",
    "vacuum": "VACUUM",
    "integrity": "PRAGMA integrity_check",
    "summarize": "SUMMARIZE wide",
    "folding": "SELECT " + " + ".join(f"length(repeat('x{i}', 1000000))" for i in range(400)),
}


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    folder = tmp_path_factory.mktemp("interrupt")
    with scaup.connect(str(folder / "x.scaup"), config={"memory_limit": "4GiB"}) as con:
        con.execute("CREATE TABLE t AS SELECT i, md5(i::text) AS s FROM range(2000000) AS r(i)")
        con.execute("CREATE TABLE wide (" + ", ".join(f"c{i} INTEGER" for i in range(5000)) + ")")
        con.execute("INSERT INTO wide (c0) VALUES (1)")
        yield con, folder


@pytest.mark.parametrize("name", STATEMENTS)
def test_interrupt(filled, name):
    con, folder = filled
    outcome = []

    def run():
        try:
            cursor = con.execute(STATEMENTS[name].replace("{folder}", str(folder)))
            if cursor.description:
                cursor.fetchall()
            outcome.append("ended")
        except scaup.Error as error:
            outcome.append(error.sqlstate)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join(0.3)
    begin = time.perf_counter()
    while thread.is_alive():
        con.interrupt()
        thread.join(0.01)
    seconds = time.perf_counter() - begin
    print(f"{name}: {outcome[0]} after {seconds * 1000:.0f} ms")
    assert outcome[0] in ("ended", "57014")
    # None of them would end by itself within this, if it did not hear; how soon it did is printed.
    assert seconds < 30
