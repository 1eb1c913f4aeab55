"""The dot commands."""

import re

TABLES = "CREATE TABLE ducks (id INTEGER NOT NULL, name VARCHAR DEFAULT 'Ann'); CREATE TABLE geese (id BIGINT); INSERT INTO ducks VALUES (1, 'Bo');\n"


def test_help_lists_every_command(run):
    text = run(stdin=".help\n").stdout
    for name in "changes echo exit functions headers help maxrows mode nullvalue open output quit read schema settings tables timer width".split():
        assert f".{name}" in text


def test_unknown_command(run):
    done = run(stdin=".nonsense\n")
    assert done.returncode == 1
    assert "there is no command .nonsense" in done.stderr


def test_wrong_number_of_arguments_shows_usage(run):
    assert "usage: .read FILE" in run(stdin=".read\n").stderr


def test_tables(run):
    assert run("-csv", "-noheader", stdin=TABLES + ".tables\n").stdout == "main,ducks,1\nmain,geese,0\n"
    assert run("-csv", "-noheader", stdin=TABLES + ".tables g%\n").stdout == "main,geese,0\n"


def test_schema_can_be_run_again(run):
    text = run(stdin=TABLES + ".schema\n").stdout
    assert "CREATE TABLE ducks (\n  id INTEGER NOT NULL,\n  name VARCHAR DEFAULT " in text
    assert run(stdin=text + ".schema\n").stdout == text
    assert "geese" not in run(stdin=TABLES + ".schema ducks\n").stdout
    missing = run(stdin=".schema nowhere\n")
    assert missing.returncode == 1 and "there is no table nowhere" in missing.stderr


def test_schema_quotes_names(run):
    text = run(stdin='CREATE TABLE "Order" ("select" INTEGER, "two words" INTEGER);\n.schema\n').stdout
    assert 'CREATE TABLE "Order" (\n  "select" INTEGER,\n  "two words" INTEGER\n);' in text


def test_read(run, tmp_path):
    (tmp_path / "inner.sql").write_text("SELECT 5 AS five;\n", encoding="utf-8")
    (tmp_path / "outer.sql").write_text(".read inner.sql\nSELECT 6 AS six;\n", encoding="utf-8")
    assert run("-csv", stdin=".read outer.sql\n").stdout == "five\n5\nsix\n6\n"
    missing = run(stdin=".read missing.sql\n")
    assert missing.returncode == 1 and "cannot open missing.sql" in missing.stderr


def test_read_of_itself_ends(run, tmp_path):
    (tmp_path / "loop.sql").write_text(".read loop.sql\n", encoding="utf-8")
    assert run(stdin=".read loop.sql\n").returncode == 1


def test_output_file(run, tmp_path):
    done = run("-csv", stdin=".output result.csv\nSELECT 1 AS a;\n.output\nSELECT 2 AS b;\n")
    assert done.stdout == "b\n2\n"
    assert (tmp_path / "result.csv").read_text(encoding="utf-8") == "a\n1\n"
    bad = run(stdin=".output no/such/folder/x\n")
    assert bad.returncode == 1 and "cannot open" in bad.stderr


def test_timer(run):
    text = run("-csv", stdin=".timer on\nSELECT 1 AS a;\n").stdout
    assert re.search(r"^Time: \d+\.\d ms \(user \d+\.\d ms, sys \d+\.\d ms\)$", text, re.MULTILINE)


def test_open_starts_anew(run):
    done = run("-csv", stdin=TABLES + ".open\nSELECT * FROM ducks;\n")
    assert done.returncode == 1 and "42P01" in done.stderr
    kept = run("-csv", "-noheader", stdin=TABLES + ".open no/such/file.scaup\nSELECT id FROM ducks;\n")
    assert kept.stdout == "1\n"


def test_settings_databases_and_functions(run):
    assert "threads" in run("-csv", stdin=".settings\n").stdout
    databases = run("-csv", stdin="ATTACH ':memory:' AS o;\n.databases\n").stdout
    assert databases.split() == ["database_name", "memory", "o"]
    assert "upper" in run("-csv", stdin=".functions upp%\n").stdout


def test_switches_want_on_or_off(run):
    assert "say on or off" in run(stdin=".timer maybe\n").stderr


def test_commands_may_be_shortened(run):
    assert run("-csv", stdin=".head off\nSELECT 1 AS a;\n").stdout == "1\n"
