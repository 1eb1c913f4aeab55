"""Tables that fit the terminal."""

import pytest

WIDE = (
    "SELECT i AS id, 'a text of some length that does not fit' AS first, 'another one that is rather long as well' AS second, "
    "'日本語のテキストは幅が広い' AS wide, i * 1000000000000 AS big FROM range(3) AS r(i)"
)


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_table_fits_the_terminal(terminal, display_width, columns):
    shell = terminal(columns=columns)
    lines = shell.ask(WIDE + ";").split("\n")
    table = [line for line in lines if line[:1] in "╭│├╰" and line]
    assert len(table) == 8
    widths = {display_width(line) for line in table}
    assert len(widths) == 1
    assert widths.pop() <= columns
    # Values that have room are shown whole, others are cut.
    assert ("…" in "".join(table)) == (columns < 200)


def test_columns_variable_counts(run, display_width):
    text = run("-c", WIDE, COLUMNS="60").stdout
    assert max(display_width(line) for line in text.splitlines()) <= 60


def test_nothing_is_cut_when_output_is_no_terminal(run):
    text = run("-c", WIDE).stdout
    assert "…" not in text
    assert "another one that is rather long as well" in text


def test_width_command(run, display_width):
    text = run(stdin=".width 50\n" + WIDE + ";\n").stdout
    assert max(display_width(line) for line in text.splitlines()) <= 50


def test_narrow_columns_stay_whole_beside_a_wide_one(run):
    text = run("-c", "SELECT 'short' AS a, '" + "x" * 300 + "' AS b, 12345 AS c", COLUMNS="60").stdout
    assert "short" in text and "12345" in text and "xxx…" in text


def test_too_many_columns_leave_out_the_middle(run, display_width):
    many = "SELECT " + ", ".join(f"{i} AS column_{i}" for i in range(60))
    text = run("-c", many, COLUMNS="80").stdout
    assert max(display_width(line) for line in text.splitlines()) <= 80
    assert "60 columns (" in text
    # Columns are left out before names are cut.
    assert "│ column_0 │" in text and "│ column_59 │" in text


def test_wide_and_combining_characters_align(run, display_width):
    text = run("-c", "SELECT * FROM (VALUES ('日本'), ('e\u0301a'), ('plain')) AS v(t)").stdout
    assert len({display_width(line) for line in text.splitlines() if line[0] in "╭│├╰"}) == 1


def test_control_characters_are_escaped(run):
    text = run("-c", "SELECT E'a\\x1b[31mb\\nc\\td' AS t").stdout
    assert "\x1b" not in text
    assert "a\\x1B[31mb\\nc\\td" in text


def test_interactive_tables_leave_out_rows_in_the_middle(terminal):
    shell = terminal()
    text = shell.ask("SELECT i FROM range(1000) AS r(i) ORDER BY i;")
    numbers = [int(line.strip("│ ")) for line in text.split("\n") if line.strip("│ ").isdigit()]
    assert numbers == list(range(20)) + list(range(980, 1000))
    assert "1000 rows (40 shown)" in text
    assert "⋮" in text
    shell.ask(".maxrows 4")
    text = shell.ask("SELECT i FROM range(1000) AS r(i) ORDER BY i;")
    assert "1000 rows (4 shown)" in text
    shell.ask(".maxrows 0")
    assert "(0 shown)" not in shell.ask("SELECT i FROM range(60) AS r(i) ORDER BY i;")


def test_batch_tables_show_all_rows(run):
    text = run("-c", "SELECT i FROM range(100) AS r(i)").stdout
    assert "⋮" not in text and "100 rows\n" in text


def test_no_rows(run):
    text = run("-c", "SELECT 1 AS a WHERE false").stdout
    assert "│" in text and "0 rows\n" in text
