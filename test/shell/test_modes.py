"""The output modes, each against its exact text."""

import csv
import io
import json

import pytest

ROWS = "SELECT * FROM (VALUES (1, 'one', 1.5::DOUBLE PRECISION, true), (2, NULL, -0.25::DOUBLE PRECISION, false)) AS v(id, name, x, ok)"
AWKWARD = "SELECT 'a\"b,c' AS q, 'x|y' AS p, E'l1\\nl2\\tt' AS n, '' AS e, NULL AS u"


def test_box(run):
    assert run("-box", "-c", "SELECT 1 AS id, 'Ann' AS name").stdout == (
        "╭─────────┬─────────╮\n"
        "│      id │ name    │\n"
        "│ INTEGER │ VARCHAR │\n"
        "├─────────┼─────────┤\n"
        "│       1 │ Ann     │\n"
        "╰─────────┴─────────╯\n"
        "1 row\n"
    )


def test_ascii_has_ascii_only(run):
    text = run("-ascii", "-c", ROWS).stdout
    assert text.isascii()
    assert "|       1 | one     |" in text


def test_table_has_no_frame(run):
    lines = run("-table", "-c", "SELECT 1 AS id, 'Ann' AS name").stdout.split("\n")
    assert lines[0] == "      id │ name".replace("│", "|")
    assert lines[2] == "---------+---------"
    assert lines[3] == "       1 | Ann"


def test_box_without_headers(run):
    text = run("-noheader", "-c", "SELECT 1 AS id").stdout
    assert "id" not in text and "INTEGER" not in text


def test_csv_round_trip(run):
    text = run("-csv", "-c", AWKWARD).stdout
    assert list(csv.reader(io.StringIO(text))) == [["q", "p", "n", "e", "u"], ['a"b,c', "x|y", "l1\nl2\tt", "", ""]]
    # An empty text is quoted, NULL is not.
    assert text.endswith('"",\n')


def test_tsv_escapes_as_copy_does(run):
    assert run("-tsv", "-noheader", "-c", AWKWARD).stdout == 'a"b,c\tx|y\tl1\\nl2\\tt\t\t\\N\n'


def test_json(run):
    assert json.loads(run("-json", "-c", ROWS).stdout) == [
        {"id": 1, "name": "one", "x": 1.5, "ok": True},
        {"id": 2, "name": None, "x": -0.25, "ok": False},
    ]
    assert run("-json", "-c", "SELECT 1 AS a WHERE false").stdout == "[]\n"


def test_json_of_awkward_values(run):
    document = json.loads(run("-json", "-c", "SELECT 'NaN'::DOUBLE PRECISION AS n, E'\\x01\"\\\\é' AS t, DATE '2024-02-29' AS d").stdout)
    assert document == [{"n": "NaN", "t": '\x01"\\é', "d": "2024-02-29"}]


def test_jsonl(run):
    lines = run("-jsonl", "-c", ROWS).stdout.splitlines()
    assert [json.loads(line)["id"] for line in lines] == [1, 2]


def test_line(run):
    assert run("-line", "-c", "SELECT 1 AS a, 'x' AS long_name UNION ALL SELECT 2, NULL ORDER BY 1").stdout == (
        "        a = 1\nlong_name = x\n\n        a = 2\nlong_name = NULL\n"
    )


def test_list(run):
    assert run("-list", "-c", "SELECT 1 AS a, 'x' AS b").stdout == "a|b\n1|x\n"


def test_markdown(run):
    assert run("-markdown", "-c", "SELECT 1 AS a, 'x|y' AS b").stdout == "| a | b |\n|---:|---|\n| 1 | x\\|y |\n"


def test_insert_can_be_run_again(run):
    text = run("-cmd", ".mode insert copy", "-c", ROWS).stdout
    assert text.startswith("INSERT INTO copy(id, name, x, ok) VALUES (1, 'one', 1.5, true);\n")
    script = "CREATE TABLE copy (id INTEGER, name VARCHAR, x DOUBLE PRECISION, ok BOOLEAN);" + text + "SELECT * FROM copy ORDER BY id;"
    assert run("-jsonl", stdin=script).stdout == run("-jsonl", "-c", ROWS).stdout


def test_mode_insert_keeps_the_members_of_unions(run):
    kind = "UNION(num INTEGER, str VARCHAR)"
    columns = f"u {kind}, l {kind}[], s STRUCT(a {kind}, b DATE), m MAP(VARCHAR, {kind})"
    fill = (
        f"CREATE TABLE copy ({columns}); INSERT INTO copy VALUES (1, [2::{kind}, '3'], ROW(4, '2020-01-01'), MAP {{'a': 5::{kind}}}), "
        f"('it''s', []::{kind}[], ROW('x', NULL), MAP {{'b': 'y'::{kind}}}), (NULL, NULL, NULL, NULL), (union_value(num := NULL::INTEGER), [NULL::{kind}], NULL, NULL);"
    )
    show = "SELECT to_json(c) AS row FROM copy c ORDER BY u;"
    text = run("-cmd", ".mode insert copy", "-c", fill + "SELECT * FROM copy;").stdout
    assert text.count("INSERT INTO") == 4
    assert run("-jsonl", stdin=f"CREATE TABLE copy ({columns});" + text + show).stdout == run("-jsonl", "-c", fill + show).stdout


def test_null_value_in_every_mode(run):
    for mode in ("-csv", "-tsv", "-list", "-box", "-ascii", "-markdown", "-line"):
        assert "(none)" in run(mode, "-nullvalue", "(none)", "-c", "SELECT NULL::INTEGER AS a").stdout


def test_mode_command(run):
    assert run(stdin=".mode csv\nSELECT 1 AS a;\n.headers off\nSELECT 2 AS a;\n").stdout == "a\n1\n2\n"
    bad = run(stdin=".mode nonsense\n")
    assert bad.returncode == 1 and "unknown mode nonsense" in bad.stderr


@pytest.mark.parametrize("mode", ["box", "ascii", "table", "csv", "tsv", "json", "jsonl", "line", "list", "markdown", "insert"])
def test_statements_without_rows_print_nothing(run, mode):
    done = run("-" + mode, "-c", "CREATE TABLE t (i INTEGER)")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
