"""Functions whose results are many times as long as their arguments: they end within memory_limit, with an error."""

import os
import pathlib
import resource
import subprocess
import sys

import pytest

import scaup

LIMIT_BYTES = 256 << 20
# The most that a process may take above the limit: itself, and what a string that doubles has for a moment.
SLACK_BYTES = 450 << 20

OUT_OF_MEMORY = "53200"
TOO_LONG = "54000"

X = "repeat('x', 100000)"
LARGE = "repeat('x', 60000000)"

# The expression, and the codes that it may end with.
BOMBS = [
    (f"length(replace({X}, 'x', repeat('y', 100000)))", OUT_OF_MEMORY + TOO_LONG),
    (f"length(regexp_replace({X}, 'x', repeat('y', 100000), 'g'))", OUT_OF_MEMORY + TOO_LONG),
    (f"length(regexp_replace({LARGE}, 'x+', '\\&\\&\\&\\&\\&\\&\\&\\&\\&'))", OUT_OF_MEMORY + TOO_LONG),
    (f"length(translate({LARGE}, 'x', '😀'))", OUT_OF_MEMORY + TOO_LONG),
    ("length(repeat('x', 2000000000))", TOO_LONG),
    ("length(repeat(repeat('x', 1000000), 500))", OUT_OF_MEMORY),
    ("length(lpad('x', 900000000))", OUT_OF_MEMORY),
    ("length(rpad('x', 2000000000, 'ab'))", TOO_LONG),
    ("length(format('%900000000s', 'x'))", OUT_OF_MEMORY),
    ("length(format(repeat('%1$s', 1000), " + LARGE + "))", OUT_OF_MEMORY + TOO_LONG),
    ("length(concat(" + ", ".join(["a"] * 200) + ")) FROM (SELECT " + LARGE + " AS a) AS t",
     OUT_OF_MEMORY + TOO_LONG),
    ("length(concat_ws(" + ", ".join(["a"] * 200) + ")) FROM (SELECT " + LARGE + " AS a) AS t",
     OUT_OF_MEMORY + TOO_LONG),
    ("length(" + " || ".join(["a"] * 50) + ") FROM (SELECT " + LARGE + " AS a) AS t", OUT_OF_MEMORY + TOO_LONG),
    ("length(list_value(" + ", ".join(["a"] * 100) + ")) FROM (SELECT " + LARGE + " AS a) AS t",
     OUT_OF_MEMORY + TOO_LONG),
    ("ROW(" + ", ".join(["a"] * 100) + ") IS NULL FROM (SELECT " + LARGE + " AS a) AS t",
     OUT_OF_MEMORY + TOO_LONG),
    ("length(json_build_array(" + ", ".join(["a"] * 100) + ")::text) FROM (SELECT " + LARGE + " AS a) AS t",
     OUT_OF_MEMORY + TOO_LONG),
    ("length(json_build_object(" + ", ".join(f"'k{i}', a" for i in range(100)) + ")::text) FROM (SELECT " + LARGE +
     " AS a) AS t", OUT_OF_MEMORY + TOO_LONG),
    (f"length(array_to_string(string_to_array({X}, NULL), repeat('y', 100000)))", OUT_OF_MEMORY + TOO_LONG),
    (f"cardinality(string_to_array({LARGE}, NULL))", OUT_OF_MEMORY + TOO_LONG),
    (f"cardinality(regexp_split_to_array({LARGE}, ''))", OUT_OF_MEMORY + TOO_LONG),
    (f"cardinality(regexp_matches({LARGE}, 'x', 'g'))", OUT_OF_MEMORY + TOO_LONG),
    ("sum(length(s)) FROM (SELECT string_agg(a, repeat('y', 1000000)) AS s FROM (SELECT i::text AS a FROM "
     "range(2000) AS r(i)) AS t) AS u", OUT_OF_MEMORY + TOO_LONG),
    ("length(string_agg(a, ',')) FROM (SELECT repeat('x', (1000000 + i % 2)::int) AS a FROM range(2000) AS r(i)) AS t",
     OUT_OF_MEMORY + TOO_LONG),
    ("cardinality(array_agg(a)) FROM (SELECT repeat('x', (1000000 + i % 2)::int) AS a FROM range(2000) AS r(i)) AS t",
     OUT_OF_MEMORY + TOO_LONG),
    ("length(json_agg(a)::text) FROM (SELECT repeat('x', (1000000 + i % 2)::int) AS a FROM range(2000) AS r(i)) AS t",
     OUT_OF_MEMORY + TOO_LONG),
    ("sum(n) FROM (SELECT count(*) AS n FROM (SELECT generate_series(1, 200000000 + i) FROM range(3) AS r(i)) AS t) AS u",
     OUT_OF_MEMORY + TOO_LONG),
    # A thousand values of a megabyte in one vector.
    ("sum(length(reverse(a))) FROM (SELECT repeat('x', (1000000 + i % 2)::int) AS a FROM range(1024) AS r(i)) AS t",
     OUT_OF_MEMORY),
    ("max(upper(a) || 'x') FROM (SELECT repeat('xé', (500000 + i % 2)::int) AS a FROM range(1024) AS r(i)) AS t",
     OUT_OF_MEMORY),
    (f"length(quote_literal(repeat('''', 120000000)))", OUT_OF_MEMORY),
    (f"length(to_json(repeat(chr(1), 60000000))::text)", OUT_OF_MEMORY),
    (f"length(normalize(repeat('ﷺ', 20000000), NFKD))", OUT_OF_MEMORY),
    ("length((SELECT list_value(" + LARGE + ", " + LARGE + "))::text)", OUT_OF_MEMORY),
]

CHILD = """
import sys, scaup
con = scaup.connect(config={"memory_limit": "256MiB", "threads": "2"})
con.execute("SELECT 1").fetchall()
try:
    con.execute(sys.stdin.read()).fetchall()
    print("fits")
except scaup.Error as error:
    print(error.sqlstate)
# Not ru_maxrss, which begins with that of the process that forked this one.
with open("/proc/self/status") as status:
    print(int(next(line for line in status if line.startswith("VmHWM:")).split()[1]) * 1024)
# The database goes on.
assert con.execute("SELECT 1").fetchone() == (1,)
"""


def limit_address_space():
    """Should all else fail: the machine is not ours alone."""
    resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))


@pytest.mark.parametrize("expression, codes", BOMBS, ids=[bomb[0][:60] for bomb in BOMBS])
def test_bomb(expression, codes):
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(
        [str(pathlib.Path(scaup.__file__).parent.parent), os.environ.get("PYTHONPATH", "")]))
    child = subprocess.run([sys.executable, "-c", CHILD], input="SELECT " + expression, capture_output=True,
                           env=environment, text=True, preexec_fn=limit_address_space)
    assert child.returncode == 0, child.stderr
    outcome, most_bytes = child.stdout.split()
    assert outcome in codes, outcome
    assert int(most_bytes) < LIMIT_BYTES + SLACK_BYTES
