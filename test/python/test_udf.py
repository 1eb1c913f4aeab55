"""Stored functions as files: python -m scaup.udf export, import, debug and test."""

import pathlib
import subprocess
import sys

import pytest

import scaup
import scaup.udf

np = pytest.importorskip("numpy", reason="functions get arrays")
pytest.importorskip("pyarrow", reason="results of most types go through Arrow")

FUNCTIONS = [
    """CREATE FUNCTION pysqrt(i INTEGER) RETURNS DOUBLE LANGUAGE PYTHON {
    return numpy.sqrt(i)
}""",
    """CREATE FUNCTION greet(name VARCHAR, times BIGINT DEFAULT 2) RETURNS VARCHAR LANGUAGE PYTHON MAP IMMUTABLE STRICT AS $$
        text = '''Dear
  %s'''
        if True:
            return [text % each for each in name]   # it's \\n "quoted"
    $$""",
    "CREATE FUNCTION one_line(x DOUBLE) RETURNS DOUBLE LANGUAGE PYTHON { return x + 1 }",
    """CREATE AGGREGATE wmean(v DOUBLE, w DOUBLE) RETURNS DOUBLE LANGUAGE PYTHON {
    sums = np.add.reduceat(v * w, group_offsets)
    return sums / np.add.reduceat(w, group_offsets)
}""",
    """CREATE AGGREGATE total(x DOUBLE) RETURNS DOUBLE LANGUAGE PYTHON {
    state = ['DOUBLE']

    def accumulate(x, group_offsets):
        return np.add.reduceat(x, group_offsets)

    def merge(s, group_offsets):
        return np.add.reduceat(s, group_offsets)

    def finish(s):
        return s
}""",
    "CREATE AGGREGATE spread(x DOUBLE) RETURNS DOUBLE LANGUAGE PYTHON { return x.max() - x.min() }",
]
QUERY = "SELECT pysqrt(i), greet('n' || i, 3), one_line(i) FROM t"


def trusted(path, **more):
    return scaup.connect(path, config={"stored_functions": "on", "threads": 2}, **more)


@pytest.fixture
def path(tmp_path):
    made = tmp_path / "x.scaup"
    with trusted(made) as con:
        con.execute("CREATE TABLE t AS SELECT i::INTEGER AS i, i % 3 AS g FROM range(1, 1001) r(i)")
        for function in FUNCTIONS:
            con.execute(function)
        con.execute("COMMENT ON FUNCTION pysqrt(INTEGER) IS 'The root.\nOf a number.'")
        con.execute("CREATE SCHEMA other")
        con.execute("CREATE FUNCTION other.pysqrt(i INTEGER) RETURNS DOUBLE LANGUAGE PYTHON { return -numpy.sqrt(i) }")
    return made


def run(*arguments, **more):
    return subprocess.run(
        [sys.executable, "-m", "scaup.udf", *map(str, arguments)], capture_output=True, text=True, timeout=60, **more,
    )


def test_files_are_python_and_come_back_as_they_are(path, tmp_path):
    folder = tmp_path / "functions"
    with trusted(path) as con:
        before = con.execute("SELECT pronamespace, proname, prosrc FROM pg_proc ORDER BY 1, 2").fetchall()
        files = scaup.udf.export_functions(con, folder)
        assert sorted(file.relative_to(folder).as_posix() for file in files) == [
            "greet.py", "one_line.py", "other/pysqrt.py", "pysqrt.py", "spread.py", "total.py", "wmean.py",
        ]
        text = (folder / "pysqrt.py").read_text()
        assert text.startswith('"""The root.\nOf a number."""') and "def pysqrt(i):\n    return numpy.sqrt(i)\n" in text
        for file in files:
            compile(file.read_text(), str(file), "exec")
        assert set(scaup.udf.import_functions(con, folder).values()) == {"same"}
        assert con.execute("SELECT pronamespace, proname, prosrc FROM pg_proc ORDER BY 1, 2").fetchall() == before
    with scaup.connect(config={"stored_functions": "on"}) as con:  # into another database
        con.execute("CREATE SCHEMA other")
        con.execute("CREATE TABLE t AS SELECT i::INTEGER AS i, i % 3 AS g FROM range(1, 1001) r(i)")
        assert set(scaup.udf.import_functions(con, folder).values()) == {"new"}
        assert con.execute("SELECT pysqrt(16), other.pysqrt(16), one_line(1)").fetchone() == (4.0, -4.0, 2.0)
        assert con.execute("SELECT greet('you')").fetchone() == ("Dear\n  you",)
        found = con.execute("SELECT wmean(i, 1), total(i), spread(i) FROM t").fetchone()
        assert found == (500.5, 500500.0, 999.0)
        assert con.execute("SELECT obj_description('pysqrt(integer)'::regprocedure, 'pg_proc')").fetchone() == ("The root.\nOf a number.",)


def test_changes_are_stored_all_or_none(path, tmp_path):
    folder = tmp_path / "functions"
    with trusted(path) as con:
        scaup.udf.export_functions(con, folder, ["pysqrt", "one_line"])
        file = folder / "one_line.py"
        file.write_text(file.read_text().replace("x + 1", "x + 10"))
        assert scaup.udf.import_functions(con, folder, dry_run=True)["one_line"] == "changed"
        assert con.execute("SELECT one_line(1)").fetchone() == (2.0,)
        assert scaup.udf.import_functions(con, folder)["one_line"] == "changed"
        assert con.execute("SELECT one_line(1)").fetchone() == (11.0,)
        file.write_text(file.read_text().replace("x + 10", "x + 100"))
        broken = folder / "pysqrt.py"
        broken.write_text(broken.read_text().replace("(i INTEGER)", "(i NOTYPE)").replace('\\"i\\" INTEGER', '\\"i\\" NOTYPE'))
        with pytest.raises(scaup.Error):
            scaup.udf.import_functions(con, folder)
        assert con.execute("SELECT one_line(1)").fetchone() == (11.0,)


@pytest.mark.parametrize("change, message", [
    (lambda text: "import math\n" + text.replace("x + 1", "math.floor(x)"), "uses math from outside"),
    (lambda text: text.replace("def one_line(x)", "def one_line(y)"), "arguments"),
    (lambda text: text.replace("x + 1", "x +"), "invalid syntax"),
])
def test_what_the_database_would_miss_is_refused(path, tmp_path, change, message):
    with trusted(path) as con:
        (file,) = scaup.udf.export_functions(con, tmp_path / "f", ["one_line"])
        file.write_text(change(file.read_text()))
        with pytest.raises(SyntaxError, match=message):
            scaup.udf.import_functions(con, tmp_path / "f")


def test_calls_are_captured_and_made_again(path, tmp_path):
    folder = tmp_path / "functions"
    with trusted(path) as con:
        paths = scaup.udf.debug(con, folder, QUERY)
        assert {each.name for each in paths} == {"pysqrt.py", "greet.py", "one_line.py"}
        (made,) = scaup.udf.run(folder / "pysqrt.py")
        assert np.allclose(made, np.sqrt(np.arange(1, 1001)))
        scaup.udf.debug(con, folder, "SELECT g, wmean(i, 1), total(i), spread(i) FROM t GROUP BY g")
        assert set(scaup.udf.check(folder).values()) == {None}
    file = folder / "pysqrt.py"
    file.write_text(file.read_text().replace("numpy.sqrt(i)", "numpy.sqrt(i) + 1"))
    problems = scaup.udf.check(folder)
    assert "gives" in problems["pysqrt"] and problems["wmean"] is None


def test_a_sample_of_rows_and_of_groups(path, tmp_path):
    with trusted(path) as con:
        scaup.udf.debug(con, tmp_path, "SELECT one_line(i) FROM t", sample=10)
        assert sum(map(len, scaup.udf.run(tmp_path / "one_line.py"))) == 10
        scaup.udf.debug(con, tmp_path, "SELECT i % 100, wmean(i, 1) FROM t GROUP BY 1", sample=50)
        assert sum(map(len, scaup.udf.run(tmp_path / "wmean.py"))) <= 50


def test_the_query_changes_nothing_and_other_functions_run_as_before(path, tmp_path):
    with trusted(path) as con:
        scaup.udf.debug(con, tmp_path, "UPDATE t SET i = one_line(i)", name="one_line")
        assert con.execute("SELECT sum(i) FROM t").fetchone() == (500500,)
        with pytest.raises(SystemExit, match="calls no stored function"):
            scaup.udf.debug(con, tmp_path, "SELECT 1")


def test_the_command(path, tmp_path):
    folder = tmp_path / "functions"
    done = run("export", path, folder)
    assert done.returncode == 0 and len(done.stdout.splitlines()) == 7, done.stderr
    done = run("debug", path, folder, "SELECT one_line(i) FROM t", "--sample", "5", input="p len(x), x.sum() > 0\nc\n")
    assert done.returncode == 0 and "return x + 1" in done.stdout and "(5, " in done.stdout, done.stdout + done.stderr
    done = run("debug", path, folder, "SELECT pysqrt(i::INTEGER) FROM t", "--capture", "--function", "main.pysqrt")
    assert done.returncode == 0, done.stderr
    assert subprocess.run([sys.executable, str(folder / "pysqrt.py")], capture_output=True, check=True).returncode == 0
    done = run("test", folder)
    assert done.returncode == 0 and "2 passed, 0 failed" in done.stdout
    file = folder / "one_line.py"
    file.write_text(file.read_text().replace("x + 1", "x + 2"))
    done = run("import", path, folder, "--dry-run")
    assert "one_line: changed" in done.stdout and "pysqrt: same" in done.stdout
    done = run("test", folder)
    assert done.returncode == 1 and "one_line: call 1" in done.stdout
    done = run("import", path, folder)
    assert done.returncode == 0, done.stderr
    with trusted(path) as con:
        assert con.execute("SELECT one_line(1)").fetchone() == (3.0,)
    done = run("export", path, folder, "no_such")
    assert done.returncode == 1 and "no stored function of Python no_such" in done.stderr


def test_bodies_of_many_shapes_come_back(tmp_path):
    bodies = [
        "return x", "\n\n  return x\n\n", "if True:\n    return x\nelse:\n    return '2'", "y = x\n        return y",
        "\n        s = '''a\n   b\n c'''\n        return [str(len(s))] * len(x)\n    ", "# why\n    return x  # {\n", "\treturn x",
        "\n    text = f'''{1}\n  {2}'''\n    return text\n", "return np.strings.add(x,\n  'y')",
    ]
    with scaup.connect(config={"stored_functions": "on"}) as con:
        for number, body in enumerate(bodies):
            con.execute(f"CREATE FUNCTION f{number}(x VARCHAR) RETURNS VARCHAR LANGUAGE PYTHON AS $q${body}$q$")
        before = [con.execute(f"SELECT f{number}('5')").fetchone() if number != 7 else None for number in range(len(bodies))]
        scaup.udf.export_functions(con, tmp_path)
    with scaup.connect(config={"stored_functions": "on"}) as con:
        scaup.udf.import_functions(con, tmp_path)
        assert [con.execute(f"SELECT f{number}('5')").fetchone() if number != 7 else None for number in range(len(bodies))] == before
        scaup.udf.export_functions(con, tmp_path / "again")
    for number in range(len(bodies)):
        assert (tmp_path / f"f{number}.py").read_text() == (tmp_path / "again" / f"f{number}.py").read_text()
    assert pathlib.Path(tmp_path / "f0.py").exists()
