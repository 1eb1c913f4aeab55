"""The decisions by which values of expressions differ from PostgreSQL's, for expressions.py.

Each has a name, which is the title of an entry in test/sql/compatibility/, from which docs/from-postgresql.md is made, and
what its differences look like: patterns of the label, of the expression, of the kind of difference and of both answers.
"""

import pathlib
import re
from typing import NamedTuple


class Known(NamedTuple):
    name: str
    kind: str = ""
    label: str = ""
    text: str = ""
    theirs: str = ""
    ours: str = ""


DECIMAL = r"numeric"
MOMENTS = r"date|time|timestamp|timestamptz|interval|age|OVERLAPS|overlaps"
STATISTICS = r"^(avg|sum|regr_\w+|covar_\w+|corr|var\w*|stddev\w*)\((double precision|real|interval|bigint|numeric)"

KNOWN = [
    # Types
    Known("Decimals keep the digits of their type", kind="^digits$"),
    Known("Decimals keep the digits of their type", kind="^value$", label="json.*numeric"),
    Known("NUMERIC without digits shows no zeros behind the last digit", text=r"::numeric(?!\()", label=DECIMAL),
    Known("DECIMAL has no NaN and no infinities", theirs=r"NaN|Infinity", label=DECIMAL, ours=r"numeric|22003|22P02"),
    Known("DECIMAL has at most 38 digits", kind=r"error 22003 for value", ours="DECIMAL|38 digits|numeric field overflow|HUGEINT|numeric out of range"),
    Known("DECIMAL is computed in DOUBLE PRECISION by functions", kind=r"error 2\w+ for value|missing", label=r"(pow|power|exp|\^|ln|log|sqrt|stddev\w*|var\w*|avg|cbrt)\(?.*numeric|numeric \^"),
    Known("A list's text has no bounds and no dimensions", text=r"\{\{|\[\d+:\d+\]=|\]\[", kind="error|NULL"),
    Known("Lists have one zero and one NaN", text=r"[{,]-\.?0|'-\.?0", theirs="-0", kind="^value$"),
    Known("TIMESTAMP ends in 294246", text=r"29427\d", ours="22008"),
    Known("Dates and moments out of range are errors", text=r"5874897|4714-11-24|\d{5,}-\d\d|178000000|2147483647|9223372036854775807", label=MOMENTS, kind="for value|error 2200"),
    Known("JSONB is compared as text", text="jsonb", label=r"^(<|>|<=|>=|jsonb [<>=]+ \w+|\w+ [<>=]+ jsonb|BETWEEN.*|greatest.*|least.*)\W*", kind="^value$|^NULL"),
    Known("A number or string leads nowhere in JSONB", label=r"->>?\(jsonb, integer\)"),
    Known("There is no TIME WITH TIME ZONE", label=r"time AT TIME ZONE|timezone\((text|interval), time\)"),
    Known("TIME and INTERVAL do not mix", label=r"\btime\b.*[-+*/<>=].*|[-+*/<>=].*\btime\b", kind="missing|not 42883"),
    Known("NULLIF has the common type", label="^nullif", kind="^value$"),
    # Functions and operators
    Known("More operators, casts and functions of more types exist", kind=r"^value for error (42883|42846|42804|42725|42704|42P18|2202E|0A000|22004)$|^error (42883|42725), not (22\w+|0A000)$"),
    Known("A constant text takes the type beside it", kind=r"error 4\w+, not 22\w+|error 22\w+, not 4\w+|value for error 22", text=r"'.*'", label=r"coalesce|greatest|least|nullif|IN\(|CASE|=|<|>|text|character varying"),
    Known("Wrong constants are errors beside a NULL", kind=r"error \w+ for value|missing \((42601|0A000)\)", text="NULL", theirs=r"^(None|\{\}|true)"),
    Known("Wrong constants are errors beside a NULL", text="''", label="LIKE|~~", kind="error 22025 for value"),
    Known("Wrong constants are errors beside a NULL", label="json\w*_object_agg", text="FILTER", kind="error 22023 for value"),
    Known("Regular expressions are RE2's", kind="2201B"),
    Known("\\w, \\d, \\s and [[:alpha:]] mean ASCII", text=r"\\[ymMYAZwsdb]|\[\[:alpha|\(\?|[*+?]{2}|\\1", label=r"regexp|~|pattern|SIMILAR|substring\(text, text"),
    Known("Infinite times are no exception", text="infinity", kind="error (22023|22008) for value|missing .0A000"),
    Known("Intervals do not wrap", label="make_interval", kind="error 22008 for value"),
    Known("Aggregates do not overflow on the way", label=STATISTICS, kind="value for error 2200"),
    Known("Statistics of infinite and huge values differ", label=STATISTICS, kind="^value$|error 22003"),
    Known("Zones are at most 168 hours from UTC", label="AT TIME ZONE|timezone", kind="error 22023 for value"),
    Known("Dates, times and numbers are read by a stricter rule", label=r"(text|character varying)::|<>|=|<|>|AT TIME|timezone|date_trunc|ARRAY|make_timestamptz", kind=r"error (22007|22P02|22008|22023) for value|value for error 22007|error 220\w+, not 220"),
    Known("Dates, times and numbers are read by a stricter rule", text="0x1F", kind="22P02"),
    Known("LIKE is for texts", label=r"~~\(bytea", kind="missing"),
    Known("percentile_cont is for numbers and timestamps", label=r"percentile_cont\(interval"),
    Known("Sizes are whole numbers of bytes", label=r"^pg_size_pretty\(numeric"),
    Known("Edge cases of PostgreSQL 15 that are not followed", label=r"^(right|to_char\(interval|width_bucket|avg\(interval\)|max\(interval\)|min\(interval\)|pow|power|radians|date_part\(text, date\)|OVERLAPS\(date\)|to_number|to_timestamp\(double|percentile_\w+|\*\(real|date AT TIME ZONE|#>>|\^|.* \^ )", kind="value|digits"),
    Known("Edge cases of PostgreSQL 15 that are not followed", label=r"substring\(text, text, text", kind="error 22025"),
]


def titles():
    """The titles of the entries in the tests that the documents are made of."""
    folder = pathlib.Path(__file__).resolve().parent.parent / "sql" / "compatibility"
    return {match[1] for path in folder.glob("postgresql_*.test") for match in re.finditer(r"^# -- (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)}


def matches(known, case, theirs, ours, kind):
    return (re.search(known.kind, kind) and re.search(known.label, case.label) and re.search(known.text, case.text, re.DOTALL)
            and re.search(known.theirs, f"{theirs.value} {theirs.sqlstate} {theirs.message}") and re.search(known.ours, f"{ours.value} {ours.sqlstate} {ours.message}"))


def name_of(case, theirs, ours, kind):
    """The decision that a difference follows from; None if there is none."""
    return next((known.name for known in KNOWN if matches(known, case, theirs, ours, kind)), None)
