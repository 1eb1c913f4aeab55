"""The shell as a program in a script: -c, -f, standard input, exit status."""

import json
import signal
import subprocess
import time

import pytest


def test_c_prints_the_result(run):
    done = run("-csv", "-c", "SELECT 1 AS a, 'x' AS b")
    assert (done.returncode, done.stdout, done.stderr) == (0, "a,b\n1,x\n", "")


def test_c_may_be_repeated_and_shares_the_session(run):
    done = run("-csv", "-noheader", "-c", "CREATE TABLE t (i INTEGER)", "-c", "INSERT INTO t VALUES (7)", "-c", "SELECT i FROM t")
    assert (done.returncode, done.stdout) == (0, "7\n")


def test_stdin_script_of_several_lines(run):
    script = "CREATE TABLE t (i INTEGER);\n-- a comment; with a semicolon\nINSERT INTO t\nVALUES (1), (2);\nSELECT sum(i) AS s\nFROM t"
    done = run("-csv", stdin=script)
    assert (done.returncode, done.stdout) == (0, "s\n3\n")


def test_statements_end_at_semicolons_outside_quotes_only(run):
    script = "SELECT 'a;b' AS x; SELECT 'it''s;' AS y; SELECT /* ; /* ; */ ; */ 1 AS z; SELECT $$d;$$ AS d, $t$;$$;$t$ AS e, E'\\';' AS f;"
    done = run("-csv", "-noheader", stdin=script)
    assert done.stderr == ""
    assert done.stdout == "a;b\nit's;\n1\nd;,;$$;,';\n"


def test_bodies_of_functions_end_no_statement(run):
    script = """CREATE FUNCTION f(a int) RETURNS int BEGIN ATOMIC
    SELECT CASE WHEN a > 0 THEN 1 ELSE 0 END; END; SELECT f(5) AS begin; SELECT 'atomic' AS x;"""
    done = run("-csv", "-noheader", stdin=script)
    assert (done.stdout, done.stderr) == ("1\natomic\n", "")


def test_bodies_in_braces_end_no_statement(run):
    script = """CREATE FUNCTION f(a int) RETURNS int LANGUAGE PYTHON {
    # it's; }
    d = {"}": ';', 'x': \"\"\" } ";
    \"\"\"}; return a
    }; SELECT proname FROM pg_proc; CREATE FUNCTION g(a int) RETURNS STRUCT(a int) LANGUAGE SQL RETURN {'a': a}; SELECT 2;"""
    done = run("-csv", "-noheader", stdin=script)
    assert (done.stdout, done.stderr) == ("f\n2\n", "")


def test_json_of_insert_object_ends_no_statement(run):
    script = """INSERT INTO c OBJECT {"a": "\\";", "b": ["it's", {"x": "}"}]},
    {"a": "--"};
    SELECT c FROM c;
    SELECT 'object', 1 AS a;"""
    done = run("-csv", "-noheader", stdin=script)
    assert done.stderr == ""
    assert [json.loads(line.strip('"').replace('""', '"')) for line in done.stdout.splitlines()[:2]] == [
        {"a": '";', "b": ["it's", {"x": "}"}]},
        {"a": "--"},
    ]
    assert done.stdout.splitlines()[2] == "object,1"


def test_comments_alone_are_no_statement(run):
    done = run("-csv", stdin="-- nothing\n;;\n/* here */;\n")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_file_option(run, tmp_path):
    (tmp_path / "script.sql").write_text("SELECT 1 AS a;\n", encoding="utf-8")
    assert run("-csv", "-f", "script.sql").stdout == "a\n1\n"
    missing = run("-f", "missing.sql")
    assert missing.returncode == 1
    assert "cannot open missing.sql" in missing.stderr


def test_exit_status_tells_of_a_failed_statement(run):
    done = run("-csv", "-noheader", stdin="SELECT nowhere;\nSELECT 2;\n")
    assert done.returncode == 1
    assert done.stdout == "2\n"
    assert "Error [42703]" in done.stderr


def test_bail_stops_at_the_first_error(run):
    done = run("-csv", "-bail", stdin="SELECT nowhere;\nSELECT 2;\n")
    assert (done.returncode, done.stdout) == (1, "")
    done = run("-csv", "-bail", "-c", "SELECT nowhere", "-c", "SELECT 2")
    assert (done.returncode, done.stdout) == (1, "")


def test_exit_command_gives_the_status(run):
    done = run("-csv", stdin=".exit 7\nSELECT 1;\n")
    assert (done.returncode, done.stdout) == (7, "")


def test_usage_errors(run):
    assert run("-nonsense").returncode == 2
    assert "unknown option -nonsense" in run("-nonsense").stderr
    assert run("-c").returncode == 2


def test_help_and_version(run):
    assert "Usage: scaup" in run("-help").stdout
    assert run("--version").stdout.startswith("scaup 0.")


def test_unknown_database_is_a_clean_error(run):
    done = run("no/such/file.scaup", "-c", "SELECT 1")
    assert done.returncode == 1
    assert done.stderr.startswith("Error")


def test_cmd_runs_before_stdin(run):
    done = run("-cmd", ".mode json", stdin="SELECT 1 AS a;\n")
    assert json.loads(done.stdout) == [{"a": 1}]


def test_echo_prints_statements(run):
    assert run("-csv", "-echo", "-c", "SELECT 1 AS a").stdout == "SELECT 1 AS a;\na\n1\n"


def test_windows_line_ends_and_byte_order_mark(run):
    assert run("-csv", stdin="\ufeffSELECT 1 AS a;\r\n").stdout == "a\n1\n"


def test_many_rows_come_out_complete(run):
    done = run("-csv", "-noheader", "-c", "SELECT i FROM range(100000) AS r(i)")
    assert done.returncode == 0
    lines = done.stdout.split()
    assert len(lines) == 100000
    assert sorted(map(int, lines)) == list(range(100000))


@pytest.mark.parametrize("mode", ["-box", "-csv", "-json", "-line"])
def test_a_reader_that_leaves_early_is_no_error(shell_path, mode):
    rows = 100000 if mode == "-box" else 100000000
    command = f'"{shell_path}" {mode} -c "SELECT i FROM range({rows}) AS r(i)" | head -1; exit ${{PIPESTATUS[0]}}'
    done = subprocess.run(["bash", "-c", command], capture_output=True, encoding="utf-8", timeout=300)
    assert done.returncode == 141  # SIGPIPE, as of any filter
    assert len(done.stdout.splitlines()) == 1 and done.stderr == ""


def test_a_full_disk_is_told(shell_path):
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run([shell_path, "-c", "SELECT 1"], stdout=full, stderr=subprocess.PIPE, encoding="utf-8", timeout=300)
    assert done.returncode == 1 and "could not be written" in done.stderr


def test_ctrl_c_ends_a_batch(shell_path):
    child = subprocess.Popen(
        [shell_path, "-c", "SELECT sum(a.i * b.j) FROM range(200000) AS a(i), range(200000) AS b(j)", "-c", "SELECT 2"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", start_new_session=True,
    )
    time.sleep(0.5)
    child.send_signal(signal.SIGINT)
    output, errors = child.communicate(timeout=120)
    assert child.returncode == 130
    assert output == "" and "57014" in errors


def test_rows_that_come_in_parts_end_once(run):
    statements = {
        "SELECT unnest(ARRAY[1, 2]) AS n": [1, 2],
        "SELECT generate_series(1, 3) AS n LIMIT 10": [1, 2, 3],
        "SELECT n FROM (SELECT unnest(ARRAY[1, 2]) AS n UNION ALL SELECT 3) u": [1, 2, 3],
        "SELECT n FROM generate_series(1, 20000) g(n)": range(1, 20001),
    }
    for statement, numbers in statements.items():
        done = run("-csv", "-noheader", "-c", statement)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout == "".join(f"{number}\n" for number in numbers)


def test_what_is_changed_stays_changed_where_rows_come_in_parts(run):
    done = run("-csv", "-noheader", stdin="CREATE TABLE t AS SELECT x FROM range(0, 50000) r(x);\n"
               "WITH gone AS (DELETE FROM t WHERE x < 49999 RETURNING x) SELECT 1 / (count(*) - 49999) FROM gone;\n"
               "WITH gone AS (DELETE FROM t WHERE x < 49999 RETURNING x) SELECT count(*) FROM gone;\nSELECT * FROM t;\n")
    assert "division by zero" in done.stderr
    assert done.stdout == "49999\n49999\n"
