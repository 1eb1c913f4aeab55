"""The standard input as a table: FROM '-', FROM '/dev/stdin', COPY FROM STDIN, named pipes."""

import gzip
import os
import subprocess
import threading

ROWS = "a,b\n1,x\n2,y\n"


def test_a_dash_is_the_standard_input(run):
    for name in ("'-'", "'/dev/stdin'", "read_csv('-')", "read_csv('/dev/stdin', header => true)"):
        done = run("-csv", "-c", f"SELECT * FROM {name} ORDER BY a DESC", stdin=ROWS)
        assert (done.stdout, done.stderr) == ("a,b\n2,y\n1,x\n", "")


def test_more_than_a_pipe_holds(run):
    rows = "".join(f"{i},{'text' * (i % 7)}\n" for i in range(200_000))
    done = run("-csv", "-noheader", "-c", "SELECT count(*), sum(i), max(length(t)) FROM read_csv('-', names => ['i', 't'])", stdin=rows)
    assert (done.stdout, done.stderr) == ("200000,19999900000,24\n", "")


def test_json_and_compressed_text(run, shell_path, tmp_path):
    done = run("-csv", "-c", "SELECT x.y FROM (SELECT (s).y FROM read_json('-') AS r(s)) x", stdin='{"s": {"y": 5}}\n{"s": {"y": 6}}')
    assert (done.stdout, done.stderr) == ("y\n5\n6\n", "")
    done = subprocess.run([shell_path, "-csv", "-c", "SELECT sum(a) FROM '-'"], input=gzip.compress(ROWS.encode()), capture_output=True, timeout=60, cwd=tmp_path, check=True)
    assert done.stdout.split() == [b"sum", b"3"]


def test_a_file_as_input_is_read_as_a_file(shell_path, tmp_path):
    (tmp_path / "a.csv").write_text(ROWS)
    with open(tmp_path / "a.csv", encoding="utf-8") as file:
        done = subprocess.run([shell_path, "-csv", "-noheader", "-c", "SELECT count(*) FROM '-' AS x, '-' AS y"], stdin=file, capture_output=True, timeout=60, check=True)
    assert done.stdout == b"4\n"


def test_a_pipe_comes_once(run):
    done = run("-c", "SELECT * FROM '-' AS x JOIN '-' AS y USING (a)", stdin=ROWS)
    assert done.returncode == 1 and "[58030]" in done.stderr and "a second time" in done.stderr


def test_whole_files_are_no_pipes(run):
    done = run("-c", "SELECT content FROM read_text('-')", stdin=ROWS)
    assert done.returncode == 1 and "[0A000]" in done.stderr and "is a pipe" in done.stderr


def test_looking_at_a_pipe_leaves_it(run):
    done = run("-csv", "-noheader", "-c", "DESCRIBE SELECT * FROM '-'", "-c", "SELECT sum(a) FROM '-'", stdin=ROWS)
    assert done.stdout.splitlines()[-1] == "3", done


def test_errors_name_the_line(run):
    rows = "a,b\n" + "1,x\n" * 100_000 + "z,y\n"
    done = run("-c", "SELECT sum(a) FROM read_csv('-', types => {a: 'INTEGER'})", stdin=rows)
    assert 'could not read "/dev/stdin", line 100002, column 1 ("a"): "z" is not a INTEGER' in done.stderr
    done = run("-c", "SELECT sum(a) FROM read_json('-')", stdin='{"a": 1}\n' * 60_000 + '{"a": "x"}\n')
    assert 'could not read "/dev/stdin", line 60001' in done.stderr


def test_copy_from_stdin(run):
    done = run("-csv", "-noheader", "-c", "CREATE TABLE t (a INTEGER, b VARCHAR)", "-c", "COPY t FROM STDIN (FORMAT csv, HEADER)", "-c", "SELECT count(*), sum(a) FROM t", stdin=ROWS)
    assert (done.stdout, done.stderr) == ("2,3\n", "")
    done = run("-csv", "-noheader", "-c", 'CREATE TABLE "T" (a INTEGER, b VARCHAR)', "-c", "COPY \"T\" (b, a) FROM STDIN (DELIMITER '|', NULL 'it''s')", "-c", 'SELECT * FROM "T"', stdin="x|1\nit's|2\n")
    assert (done.stdout, done.stderr) == ("1,x\n2,\n", "")


def test_statements_on_standard_input_leave_no_rows(run):
    done = run("-csv", stdin="CREATE TABLE t (a INTEGER);\nCOPY t FROM STDIN;\n")
    assert "[0A000]" in done.stderr


def test_named_pipes(run, tmp_path):
    os.mkfifo(tmp_path / "rows.csv")
    writer = threading.Thread(target=lambda: (tmp_path / "rows.csv").write_text(ROWS))
    writer.start()
    done = run("-csv", "-noheader", "-c", "SELECT sum(a) FROM 'rows.csv'")
    writer.join()
    assert (done.stdout, done.stderr) == ("3\n", "")


def test_a_query_that_has_enough_does_not_wait(shell_path, tmp_path):
    """The writer goes on for ever."""
    done = subprocess.run(f"yes 1,x | {shell_path} -csv -noheader -c \"SELECT column0 FROM '-' LIMIT 2\"", shell=True, capture_output=True, timeout=60, cwd=tmp_path, check=False)
    assert done.stdout == b"1\n1\n"
