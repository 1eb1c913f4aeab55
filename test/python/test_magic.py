"""The magic %scaup of IPython."""

import pytest
import scaup
from scaup import magic


@pytest.fixture
def default(con):
    before = scaup.default_connection()
    scaup.set_default_connection(con)
    yield con
    scaup.set_default_connection(before)


@pytest.mark.parametrize(
    "line, cell, name, rows",
    [
        ("SELECT 1", None, "", [(1,)]), ("out << SELECT 2", None, "out", [(2,)]), ("", "SELECT 3", "", [(3,)]),
        ("out <<", "SELECT 4;\n", "out", [(4,)]), ("other: SELECT x FROM t", None, "", [(5,)]), ("other: out <<", "SELECT x FROM t", "out", [(5,)]),
        ("other:", "SELECT x\nFROM t", "", [(5,)]), ("SELECT 1 << 3", None, "", [(8,)]), ("SELECT '6'::INTEGER", None, "", [(6,)]),
        ("SELECT 'a: b << c'", None, "", [("a: b << c",)]), ("", "CREATE TABLE u AS SELECT 7 AS x; SELECT x FROM u", "", [(7,)]),
    ],
)
def test_lines_and_cells(default, line, cell, name, rows):
    with scaup.connect() as other:
        other.execute("CREATE TABLE t AS SELECT 5 AS x")
        given, relation = magic.run(line, cell, {"other": other})
        assert given == name and relation.fetchall() == rows


def test_unknown_connection(default):
    with pytest.raises(scaup.ProgrammingError, match="nothing is no variable"):
        magic.run("nothing: SELECT 1", None, {})


def test_in_ipython(default, capsys):
    pytest.importorskip("IPython")
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell.instance()
    shell.run_line_magic("load_ext", "scaup")
    shown = shell.run_line_magic("scaup", "SELECT 1 AS x")
    assert shown.fetchall() == [(1,)]
    assert shell.run_cell_magic("scaup", "kept <<", "SELECT 2 AS x") is None
    assert shell.user_ns["kept"].fetchall() == [(2,)]
    shell.run_line_magic("scaup", "")
    assert "usage" in capsys.readouterr().out
