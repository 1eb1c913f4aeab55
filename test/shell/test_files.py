"""Databases in files: on the command line, by .open, on a terminal."""

import os
import subprocess

TABLE = "CREATE TABLE t AS SELECT i, 'text ' || i AS s FROM range(1000) AS r(i);\n"
COUNT = "SELECT count(*) FROM t;\n"


def test_a_file_is_made_and_opened_again(run, tmp_path):
    made = run("x.scaup", stdin=TABLE)
    assert (made.returncode, made.stderr) == (0, "")
    assert os.listdir(tmp_path) == ["x.scaup"]
    again = run("-csv", "-noheader", "x.scaup", "-c", COUNT, "-c", ".tables")
    assert (again.returncode, again.stdout) == (0, "1000\nmain,t,1000\n")


def test_whatever_ends_the_shell_leaves_one_file(run, tmp_path):
    assert run("x.scaup", stdin=TABLE + ".exit 3\nSELECT 1;\n").returncode == 3
    assert run("-bail", "x.scaup", stdin="INSERT INTO t VALUES (1, 'x'); SELECT nothing; INSERT INTO t VALUES (2, 'x');\n").returncode == 1
    assert run("x.scaup", "-c", "CREATE TABLE u (i INTEGER)", "-c", ".quit").returncode == 0
    assert os.listdir(tmp_path) == ["x.scaup"]
    assert run("-csv", "-noheader", "x.scaup", stdin=COUNT).stdout == "1001\n"


def test_open_goes_on_with_a_file(run, tmp_path):
    script = TABLE + ".open y.scaup\n" + TABLE + "INSERT INTO t VALUES (1, 'x');\n.open x.scaup\n" + TABLE + ".open y.scaup\n" + COUNT + ".open\nSELECT * FROM t;\n"
    done = run("-csv", "-noheader", stdin=script)
    assert done.stdout == "1001\n" and "[42P01]" in done.stderr
    assert sorted(os.listdir(tmp_path)) == ["x.scaup", "y.scaup"]


def test_open_of_the_open_file(run):
    done = run("-csv", "-noheader", "x.scaup", stdin=TABLE + ".open x.scaup\n" + COUNT)
    assert (done.returncode, done.stdout, done.stderr) == (0, "1000\n", "")


def test_open_that_fails_keeps_what_is_open(run, tmp_path):
    (tmp_path / "notes").write_text("These are notes.\n", encoding="ascii")
    done = run("-csv", "-noheader", "x.scaup", stdin=TABLE + ".open notes\n.open nowhere/y.scaup\n.open .\n" + COUNT)
    assert (done.returncode, done.stdout) == (1, "1000\n")
    for part in ("is not a Scaup database", "its directory does not exist", "Is a directory"):
        assert part in done.stderr
    assert (tmp_path / "notes").read_text(encoding="ascii") == "These are notes.\n"
    assert sorted(os.listdir(tmp_path)) == ["notes", "x.scaup"]


def test_what_cannot_be_opened(run, tmp_path):
    (tmp_path / "notes").write_text("These are notes.\n", encoding="ascii")
    done = run("notes", "-c", "SELECT 1")
    assert done.returncode == 1 and done.stdout == "" and "[XX001]" in done.stderr


def test_readonly(run, tmp_path):
    missing = run("-readonly", "x.scaup", "-c", "SELECT 1")
    assert missing.returncode == 1 and "[58P01]" in missing.stderr and os.listdir(tmp_path) == []
    run("x.scaup", stdin=TABLE)
    before = (tmp_path / "x.scaup").read_bytes()
    done = run("-csv", "-noheader", "-readonly", "x.scaup", stdin=COUNT + "DROP TABLE t;\n" + COUNT)
    assert (done.returncode, done.stdout) == (1, "1000\n1000\n") and "[25006]" in done.stderr
    assert (tmp_path / "x.scaup").read_bytes() == before
    run("y.scaup", stdin=TABLE)
    script = ".open y.scaup\n" + COUNT + "DROP TABLE t;\n.open new.scaup\n" + COUNT
    opened = run("-csv", "-noheader", "-readonly", "x.scaup", stdin=script)
    assert opened.stdout == "1000\n1000\n" and "[25006]" in opened.stderr and "[58P01]" in opened.stderr
    assert sorted(os.listdir(tmp_path)) == ["x.scaup", "y.scaup"]


def test_a_second_shell_is_refused(run, shell_path, tmp_path):
    with subprocess.Popen([shell_path, "x.scaup"], cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as first:
        first.stdin.write(TABLE + COUNT)
        first.stdin.flush()
        while "1000" not in first.stdout.readline():
            pass
        second = run("x.scaup", "-c", "SELECT 1")
        assert second.returncode == 1 and "[55006]" in second.stderr
        first.communicate("")
    assert run("-csv", "-noheader", "x.scaup", "-c", COUNT).stdout == "1000\n"


def test_on_a_terminal(terminal, tmp_path):
    shell = terminal("x.scaup")
    shell.ask(TABLE.strip())
    assert "1000" in shell.ask(COUNT.strip())
    shell.ask(".open y.scaup")
    assert "42P01" in shell.ask(COUNT.strip())
    shell.ask(".open x.scaup")
    assert "1000" in shell.ask(COUNT.strip())
    assert shell.leave() == 0
    assert sorted(name for name in os.listdir(tmp_path) if name != "history") == ["x.scaup", "y.scaup"]


def test_export_and_import(run):
    assert run("x.scaup", stdin=TABLE + "EXPORT DATABASE 'out';\n").returncode == 0
    done = run("-csv", "-noheader", "y.scaup", stdin="IMPORT DATABASE 'out';\nSELECT sum(i), max(s) FROM t;\n")
    assert (done.returncode, done.stdout) == (0, "499500,text 999\n")
