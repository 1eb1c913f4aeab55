#!/usr/bin/env python3
"""Compares the values of random expressions over edge values with PostgreSQL 15, and with DuckDB where PostgreSQL lacks the function.

    PYTHONPATH=build/release/extension/python python3 test/fuzz/expressions.py --expressions 100000
    ... --oracle duckdb --expressions 20000
    ... --only 'date_trunc|AT TIME' --show 20

Every function, operator and cast that both have comes with edge values of its argument types, drawn from one seed. An answer is the text of the value, or
the SQLSTATE of the error. Differences are put together by function, types and kind. What `known_differences.py` names is counted and not printed.
"""

import argparse
import collections
import json
import math
import pathlib
import random
import re
import subprocess
import sys
import time

import known_differences
import local_postgresql
import scaup
from engines import NUMBER, canonical
from expression_values import FORMATS, INPUTS, NEAR_TEXTS, LIKES, PATTERNS, REGEXP_FLAGS, TRUNCATIONS, FIELDS, VALUES, ZONES

TIME_ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe"]
ALIASES = {"timestamp without time zone": "timestamp", "timestamp with time zone": "timestamptz", "time without time zone": "time", "name": None}
POLYMORPHIC = {"anyelement", "anyarray", "anynonarray", "anycompatible", "anycompatiblearray", "anycompatiblenonarray", '"any"'}
# Functions whose answers depend on the moment, the server or chance, or that wait.
EXCLUDED = set("random setseed now clock_timestamp statement_timestamp transaction_timestamp gen_random_uuid version pg_typeof current_setting currval nextval setval lastval "
               "current_schemas col_description obj_description has_database_privilege has_schema_privilege has_table_privilege pg_get_constraintdef pg_get_expr pg_get_indexdef "
               "pg_get_userbyid pg_get_viewdef pg_is_in_recovery pg_table_is_visible format_type pg_encoding_to_char current_database current_schema current_user session_user "
               "hash generate_series range timeofday".split())
COMPARISONS = ["=", "<>", "<", "<=", ">", ">="]
NUMERIC_TYPES = ["smallint", "integer", "bigint", "numeric", "real", "double precision"]
CASTABLE = [type for type in VALUES if type != "character varying"]
Answer = collections.namedtuple("Answer", "value sqlstate message", defaults=(None, "", ""))
Case = collections.namedtuple("Case", "text label")


def literal(text):
    return "'" + text.replace("'", "''") + "'"


class Signatures:
    """What both systems can be called with: rows of PostgreSQL's catalog whose names Scaup's registry has."""

    def __init__(self, ask):
        with scaup.connect() as connection:
            rows = connection.execute("SELECT DISTINCT function_type, function_name FROM scaup_functions()").fetchall()
        ours = collections.defaultdict(set)
        for kind, name in rows:
            ours[kind].add(name)
        self.functions, self.operators, self.sets, self.aggregates = [], [], [], []
        listed = ask("SELECT json_build_array(proname, prokind, proretset, provariadic <> 0, ARRAY(SELECT format_type(t, NULL) FROM unnest(proargtypes) WITH ORDINALITY u(t, i) ORDER BY i))"
                     " FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace AND prokind IN ('f', 'a') ORDER BY oid")
        for line in listed:
            name, kind, is_set, is_variadic, arguments = json.loads(line)
            arguments = self.known(arguments)
            if arguments is None or name in EXCLUDED or name not in ours["aggregate" if kind == "a" else "scalar"]:
                continue
            target = self.aggregates if kind == "a" else self.sets if is_set else self.functions
            target.append((name, arguments, is_variadic))
        for line in ask("SELECT json_build_array(oprname, CASE WHEN oprleft = 0 THEN NULL ELSE format_type(oprleft, NULL) END, format_type(oprright, NULL)) FROM pg_operator ORDER BY oid"):
            name, left, right = json.loads(line)
            arguments = self.known([left, right] if left else [right])
            if arguments and (name in ours["scalar"] or name in COMPARISONS or name in "+-*/%"):
                self.operators.append((name, arguments))

    @staticmethod
    def known(arguments):
        arguments = [ALIASES.get(type, type) for type in arguments]
        return arguments if all(type in VALUES or type in POLYMORPHIC for type in arguments) else None


class Generator:
    """Makes expressions; all of its choices come from one seed."""

    def __init__(self, seed, signatures):
        self.random = random.Random(seed)
        self.signatures = signatures
        self.forms = [(26, self.function), (18, self.operator), (14, self.cast_of_text), (9, self.cast), (9, self.special), (7, self.operator_of_any), (7, self.aggregate), (4, self.set_of_rows),
                      (4, self.nested), (2, self.list_form)]

    def choose(self, items):
        return self.random.choice(items)

    def value(self, type, name="", position=0):
        """A literal of a type; a third of the time a NULL or a value that is made at random."""
        if self.random.random() < 0.05:
            return f"NULL::{type}"
        near = NEAR_TEXTS.get((name, position))
        if near and type in ("text", "character varying") and self.random.random() < 0.85:
            return literal(self.choose(near))
        if name.startswith("regexp") and type == "text" and position > 1 and self.random.random() < 0.6:
            return literal(self.choose(REGEXP_FLAGS + ["<\\1>", "x", "\\&"]))
        if type in ("integer", "bigint", "smallint") and self.random.random() < 0.35:
            number = self.random.randint(-3, 9)
            return f"({number})" if number < 0 else str(number) if type == "integer" else f"{number}::{type}"
        if type == "numeric":
            text = self.choose(VALUES[type]) if self.random.random() < 0.8 else f"{self.random.uniform(-100, 100):.{self.random.randint(1, 6)}f}"
            return f"({text})" if text[0] == "-" else text
        if type == "double precision" and self.random.random() < 0.25:
            return f"'{self.random.uniform(-10, 10):.{self.random.randint(0, 8)}f}'::{type}"
        text = self.choose(VALUES[type])
        if type in ("text", "character varying"):
            return literal(text) if self.random.random() < 0.7 else f"{literal(text)}::text"
        return f"{literal(text)}::{type}"

    def arguments(self, name, types, is_variadic=False):
        element = self.choose(["integer", "text", "double precision", "date", "boolean"])
        elements = {"integer": "integer", "text": "text", "double precision": "double precision", "date": "date", "boolean": "boolean"}
        made = []
        for position, type in enumerate(types):
            if type in ("anyarray", "anycompatiblearray"):
                type = f"{elements[element]}[]"
            elif type in POLYMORPHIC:
                type = element if type != '"any"' else self.choose(list(VALUES))
            if is_variadic and position == len(types) - 1:
                kind = type.removesuffix("[]")
                made += [self.value(kind if types[position] != '"any"' else self.choose(list(VALUES)), name, position + i) for i in range(self.random.randint(0, 4))]
            else:
                made.append(self.value(type, name, position))
        return made

    def function(self):
        name, types, is_variadic = self.choose(self.signatures.functions)
        return Case(f"{name}({', '.join(self.arguments(name, types, is_variadic))})", f"{name}({', '.join(types)})")

    def operator(self):
        name, types = self.choose(self.signatures.operators)
        operands = self.arguments(name, types)
        return Case(f"{operands[0]} {name} {operands[1]}" if len(operands) == 2 else f"{name} {operands[0]}", f"{name}({', '.join(types)})")

    def operator_of_any(self):
        """An operator between any two types, also those that have none."""
        name = self.choose(COMPARISONS + ["+", "-", "*", "/", "%", "||", "^", "<<", "&", "@>"])
        pick = NUMERIC_TYPES if self.random.random() < 0.5 else list(VALUES)
        left, right = self.choose(pick), self.choose(pick)
        return Case(f"{self.value(left)} {name} {self.value(right)}", f"{left} {name} {right}")

    def target(self):
        type = self.choose(CASTABLE)
        if type == "numeric":
            return f"numeric({self.choose(['5,2', '10,0', '38,10', '18,3', '3,3', '38,0', '4'])})"
        if type in ("timestamp", "timestamptz", "time", "interval") and self.random.random() < 0.2:
            return f"{type}({self.random.randint(0, 6)})"
        if type == "text" and self.random.random() < 0.5:
            return self.choose(["varchar(3)", "char(3)", "varchar(1)", "varchar"])
        return type

    def cast_of_text(self):
        type = self.target()
        inputs = INPUTS if self.random.random() < 0.4 else VALUES.get(type.split("(")[0], INPUTS)
        text = self.choose(inputs)
        if self.random.random() < 0.2 and text:
            at = self.random.randint(0, len(text) - 1)
            text = text[:at] + self.choose(["", " ", "0", "-", "9", ".", ":", "a", "+"]) + text[at + self.random.randint(0, 1):]
        return Case(f"{literal(text)}::{type}" if self.random.random() < 0.7 else f"({literal(text)}::text)::{type}", f"text::{type}")

    def cast(self):
        source, type = self.choose(list(VALUES)), self.target()
        return Case(f"({self.value(source)})::{type}", f"{source}::{type}")

    def comparable(self):
        return self.choose([type for type in VALUES if type != "json"])

    def special(self):
        value, choose = self.value, self.choose
        moments = ["date", "time", "timestamp", "timestamptz", "interval"]

        def extract():
            type = choose(moments)
            return f"extract({choose([f for f in FIELDS if f.isalpha()])} FROM {value(type)})", f"extract({type})"

        def at_zone():
            type = choose(["timestamp", "timestamptz", "date", "time"])
            zone = literal(choose(ZONES)) if self.random.random() < 0.8 else value("interval")
            return f"{value(type)} AT TIME ZONE {zone}", f"{type} AT TIME ZONE"

        def same_type(form, label, count):
            type = self.comparable()
            return form.format(*[value(type) for _ in range(count)]), f"{label}({type})"

        def mixed(form, label, count):
            types = [choose(NUMERIC_TYPES + ["text", "date", "timestamp", "timestamptz"]) for _ in range(count)]
            return form.format(*map(value, types)), f"{label}({', '.join(types)})"

        def case_when():
            types = [choose(NUMERIC_TYPES + ["text"]) for _ in range(2)]
            return f"CASE WHEN {value('boolean')} THEN {value(types[0])} ELSE {value(types[1])} END", f"CASE({', '.join(types)})"

        def substring():
            form = choose(["FROM {0} FOR {1}", "FROM {0}", "FOR {1}"])
            return f"substring({value('text')} {form.format(value('integer'), value('integer'))})", "substring FROM"

        def substring_pattern():
            return f"substring({value('text')} FROM {literal(choose(PATTERNS))})", "substring pattern"

        def overlay():
            kind = choose(["text", "bytea"])
            return f"overlay({value(kind)} PLACING {value(kind)} FROM {value('integer')}{choose(['', ' FOR 2', ' FOR 0', ' FOR -1'])})", f"overlay({kind})"

        def trim():
            return f"trim({choose(['', 'LEADING', 'TRAILING', 'BOTH'])} {choose([literal('x'), literal('xy '), literal('')])} FROM {value('text')})", "trim"

        def like():
            escape = choose(["", "", " ESCAPE '#'", " ESCAPE ''", " ESCAPE 'ab'"])
            return f"{value('text')} {choose(['LIKE', 'ILIKE', 'NOT LIKE'])} {literal(choose(LIKES))}{escape}", "LIKE"

        def similar():
            return f"{value('text')} {choose(['SIMILAR TO', 'NOT SIMILAR TO'])} {literal(choose(['%', '_', 'a%', '(a|b)%', '[abc]+', '%(b|d)%', 'a{2}', '', '(', '|', 'a#%']))}", "SIMILAR TO"

        def any_of():
            list_type = choose([type for type in VALUES if type.endswith("[]")])
            return f"{value(list_type[:-2])} {choose(COMPARISONS)} {choose(['ANY', 'ALL'])} ({value(list_type)})", f"ANY({list_type})"

        def rows():
            types = [choose(["integer", "text", "date"]) for _ in range(2)]
            return f"({value(types[0])}, {value(types[1])}) {choose(COMPARISONS)} ({value(types[0])}, {value(types[1])})", "rows"

        def subscript():
            list_type = choose([type for type in VALUES if type.endswith("[]")])
            part = choose(["[{0}]", "[{0}:{1}]", "[:{1}]", "[{0}:]", "[{0}][{1}]"]).format(self.random.randint(-1, 4), self.random.randint(-1, 4))
            return f"({value(list_type)}){part}", f"subscript({list_type})"

        def logic():
            return f"{choose(['', 'NOT '])}{value('boolean')} {choose(['AND', 'OR', '=', 'IS DISTINCT FROM'])} {value('boolean')} IS {choose(['TRUE', 'NOT TRUE', 'UNKNOWN', 'NOT FALSE', 'NULL'])}", "logic"

        def position_of():
            kind = choose(["text", "text", "bytea"])
            return f"position({value(kind)} IN {value(kind)})", f"position({kind})"

        def overlaps():
            type = choose(["date", "timestamp", "timestamptz", "time"])
            return f"({value(type)}, {value(choose([type, 'interval']))}) OVERLAPS ({value(type)}, {value(type)})", f"OVERLAPS({type})"

        form = choose([
            extract, extract, at_zone, at_zone, lambda: same_type("{0} IS DISTINCT FROM {1}", "IS DISTINCT FROM", 2), lambda: same_type("{0} BETWEEN {1} AND {2}", "BETWEEN", 3),
            lambda: same_type("{0} BETWEEN SYMMETRIC {1} AND {2}", "BETWEEN SYMMETRIC", 3), lambda: same_type("{0} IN ({1}, {2})", "IN", 3), lambda: same_type("nullif({0}, {1})", "nullif", 2),
            lambda: mixed("coalesce({0}, {1})", "coalesce", 2), lambda: mixed("greatest({0}, {1}, {2})", "greatest", 3), lambda: mixed("least({0}, {1})", "least", 2),
            lambda: same_type("greatest({0}, {1})", "greatest", 2), lambda: mixed("{0} IN ({1}, {2})", "IN", 3), lambda: mixed("nullif({0}, {1})", "nullif", 2), case_when, substring, substring_pattern,
            overlay, trim, like, similar, any_of, rows, subscript, logic, position_of, overlaps])
        return Case(*form())

    def aggregate(self):
        name, types, _ = self.choose(self.signatures.aggregates)
        if len(types) > 2:
            return self.function()
        concrete = [self.choose(self.comparable_types()) if type in POLYMORPHIC else type for type in types]
        rows = ", ".join("(" + ", ".join(self.value(type) for type in concrete) + ")" for _ in range(self.random.randint(1, 4))) if types else "(1), (2)"
        names = ["x", "y"][: max(len(types), 1)]
        if name in ("percentile_cont", "percentile_disc", "mode", "rank", "dense_rank", "percent_rank", "cume_dist"):
            if len(types) == 2 and name.startswith("percentile"):
                fraction = self.choose(["0.5", "0", "1", "0.25", "1.5", "-0.1", "NULL"])
                rows = ", ".join(f"({self.value(concrete[1])})" for _ in range(self.random.randint(1, 4)))
                return Case(f"(SELECT {name}({fraction}) WITHIN GROUP (ORDER BY x) FROM (VALUES {rows}) v(x))", f"{name}({concrete[1]})")
            rows = ", ".join(f"({self.value(concrete[-1])})" for _ in range(self.random.randint(1, 4)))
            return Case(f"(SELECT mode() WITHIN GROUP (ORDER BY x) FROM (VALUES {rows}) v(x))", f"mode({concrete[-1]})")
        distinct = "DISTINCT " if len(types) == 1 and self.random.random() < 0.15 and concrete[0] != "json" else ""
        condition = self.choose(["", "", "", " FILTER (WHERE x IS NOT NULL)", " FILTER (WHERE false)"])
        call = f"{name}({distinct}{', '.join(names) if types else '*'})" if types else f"{name}(*)"
        return Case(f"(SELECT {call}{condition} FROM (VALUES {rows}) v({', '.join(names)}))", f"{name}({', '.join(concrete)})")

    def comparable_types(self):
        return [type for type in VALUES if type not in ("json", "jsonb", "character varying")]

    def set_of_rows(self):
        name, types, is_variadic = self.choose(self.signatures.sets)
        call = f"{name}({', '.join(self.arguments(name, types, is_variadic))})"
        return Case(f"ARRAY(SELECT r::text FROM {call} r)", f"{name}({', '.join(types)}) in FROM")

    def list_form(self):
        type = self.choose([type for type in VALUES if not type.endswith("[]")])
        return Case(f"ARRAY[{', '.join(self.value(type) for _ in range(self.random.randint(1, 4)))}]", f"ARRAY[{type}]")

    def nested(self):
        """A function of a call in the place of one of its arguments."""
        outer = self.choose([self.operator, self.function])()
        inner = self.choose([self.function, self.operator, self.cast])()
        cut = outer.text.rfind(",")
        if cut < 0 or "::" in outer.text[cut:] or "'" in outer.text[cut:]:
            return Case(f"({inner.text}) IS NULL", f"{inner.label} IS NULL")
        return Case(f"{outer.text[:cut]}, {inner.text})" if outer.text.endswith(")") else outer.text, f"{outer.label} of {inner.label}")

    def case(self):
        weights = [weight for weight, _ in self.forms]
        return self.random.choices([form for _, form in self.forms], weights)[0]()


# --- Who answers -----------------------------------------------------------------------------------------------------

EVALUATE = """CREATE OR REPLACE FUNCTION pg_temp.evaluate(expression text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE result text;
BEGIN
  EXECUTE 'SELECT (' || expression || E'\\n)::text' INTO result;
  RETURN json_build_array(result)::text;
EXCEPTION WHEN OTHERS THEN
  RETURN json_build_array(NULL, SQLSTATE, SQLERRM)::text;
END $$"""


class PostgreSQL:
    """Evaluates thousands of expressions in one statement: a function catches the errors of each."""

    def __init__(self, psql):
        self.command = psql + ["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1"]

    def ask(self, script):
        done = subprocess.run(self.command, input=script, capture_output=True, text=True, encoding="utf-8")
        if done.returncode != 0:
            raise RuntimeError(done.stderr[-2000:])
        return done.stdout.splitlines()

    def answers(self, zone, cases):
        rows = ",\n".join(f"({index}, {literal(case.text)})" for index, case in enumerate(cases))
        script = (f"SET timezone = '{zone}';\nSET lock_timeout = '1s'; SET statement_timeout = '300s'; SET extra_float_digits = 1;\n{EVALUATE};\n"
                  f"SELECT replace(pg_temp.evaluate(e), E'\\n', ' ') FROM (VALUES {rows}) v(i, e) ORDER BY i;\n")
        lines = self.ask(script)
        if len(lines) != len(cases):
            raise RuntimeError(f"{len(lines)} answers to {len(cases)} expressions")
        return [Answer(*json.loads(line)) for line in lines]


class Scaup:
    """One connection; each expression is a query."""

    def __init__(self, is_text=True):
        self.connection = scaup.connect(config={"threads": "1"})
        self.form = "SELECT ({})::text" if is_text else "SELECT {}"

    def answers(self, zone, cases):
        self.connection.execute(f"SET timezone = '{zone}'")
        return [self.answer(case.text) for case in cases]

    def answer(self, text):
        try:
            row = self.connection.execute(self.form.format(text)).fetchone()
            return Answer(row and row[0])
        except scaup.Error as error:
            return Answer(None, error.sqlstate or "?????", str(error))
        except ValueError as error:
            return Answer(f"not UTF-8, or a driver's error: {error}")


class DuckDB:
    """Evaluates calls of functions that PostgreSQL lacks. Only values count: both systems refuse in their own ways."""

    TYPES = {"BIGINT": "bigint", "INTEGER": "integer", "SMALLINT": "smallint", "DOUBLE": "double precision", "FLOAT": "real", "VARCHAR": "text", "DATE": "date", "TIME": "time",
             "TIMESTAMP": "timestamp", "TIMESTAMP WITH TIME ZONE": "timestamptz", "INTERVAL": "interval", "BOOLEAN": "boolean", "ANY": "anyelement", "T": "anyelement",
             "ANY[]": "anyarray", "T[]": "anyarray", "DOUBLE[]": "double precision[]", "FLOAT[]": "double precision[]", "VARCHAR[]": "text[]", "BOOLEAN[]": "boolean[]", "BIGINT[]": "integer[]"}
    LISTS = {"integer[]": ["[]", "[1]", "[1,2,3]", "[NULL]", "[3,NULL,1]", "[2,2,1]", "[-5,7]"], "text[]": ["[]", "['a']", "['a','b','c']", "[NULL]", "['b','a','b']", "['é','日本']"],
             "double precision[]": ["[1.5::DOUBLE,2.5]", "[-1.0::DOUBLE,0.25]", "[3.0::DOUBLE]", "[1.0::DOUBLE,2,3]"], "boolean[]": ["[true,false]", "[NULL,true]", "[true]"],
             "date[]": ["['2024-02-29'::DATE]", "['2024-02-29'::DATE,NULL]"]}

    def __init__(self):
        import duckdb

        self.duckdb = duckdb
        self.connection = duckdb.connect(config={"threads": 1})

    def signatures(self):
        """The calls that both have and PostgreSQL does not."""
        theirs = set((pathlib.Path(__file__).parent.parent.parent / "docs" / "functions" / "postgresql-15.txt").read_text().split())
        with scaup.connect() as connection:
            ours = {name for (name,) in connection.execute("SELECT function_name FROM scaup_functions() WHERE function_type IN ('scalar', 'aggregate')").fetchall()}
        found = Signatures.__new__(Signatures)
        found.functions, found.operators, found.sets, found.aggregates = [], [], [], []
        rows = self.connection.execute("SELECT function_name, function_type, parameter_types FROM duckdb_functions() WHERE function_type IN ('scalar', 'aggregate') ORDER BY ALL").fetchall()
        for name, kind, types in rows:
            known = [self.TYPES.get(type) for type in types]
            if name in ours and name not in theirs and name not in EXCLUDED and None not in known and name.isidentifier():
                (found.aggregates if kind == "aggregate" else found.functions).append((name, known, False))
        return found

    def answers(self, zone, cases):
        return [self.answer(case.text) for case in cases]

    def answer(self, text):
        try:
            row = self.connection.execute(f"SELECT {text}").fetchone()
            return Answer(canonical(row and row[0]))
        except (self.duckdb.Error, ValueError, OverflowError) as error:
            return Answer(None, "?????", str(error))


# --- Differences -----------------------------------------------------------------------------------------------------

def close(a, b):
    """Whether two numbers differ by rounding."""
    return math.isclose(float(a), float(b), rel_tol=1e-8, abs_tol=1e-12) or float(a) == float(b)


def parts_of(text):
    """The numbers of a text, and what stands between them."""
    return re.split(r"([+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?)", text)


def nearly_same(a, b):
    """Whether two texts differ only in how many digits their numbers have."""
    if NUMBER.fullmatch(a) and NUMBER.fullmatch(b):
        return close(a, b)
    left, right = parts_of(a), parts_of(b)
    if len(left) != len(right) or left[::2] != right[::2]:
        return False
    return all(x == y or ("." in x + y and close(x, y)) for x, y in zip(left[1::2], right[1::2]))


def difference(theirs, ours):
    """The kind of a difference; None if there is none."""
    if theirs.sqlstate and ours.sqlstate:
        return None if theirs.sqlstate[:2] == ours.sqlstate[:2] else f"error {theirs.sqlstate}, not {ours.sqlstate}"
    if theirs.sqlstate:
        return f"value for error {theirs.sqlstate}"
    if ours.sqlstate:
        return f"missing ({ours.sqlstate})" if ours.sqlstate in ("42883", "42704", "0A000", "42601", "42846") else f"error {ours.sqlstate} for value"
    if theirs.value == ours.value:
        return None
    if None in (theirs.value, ours.value):
        return "NULL or not"
    return "digits" if nearly_same(theirs.value, ours.value) else "value"


ORDER = ["value", "NULL or not", "error", "value for error", "missing", "digits"]


def report(found, show, examples):
    groups = collections.defaultdict(list)
    for case, zone, theirs, ours, kind in found:
        groups[kind if kind.startswith("error") and "not" in kind else f"{case.label}: {kind}"].append((case, zone, theirs, ours, kind))

    def weight(item):
        kind = item[1][0][4]
        place = next((i for i, start in enumerate(ORDER) if kind == start or (kind.startswith(start) and start in ("error", "missing", "value for error"))), 9)
        return (9 if "not" in kind and kind.startswith("error") else place, -len(item[1]))

    for label, members in sorted(groups.items(), key=weight)[:show]:
        print(f"{len(members):6} {label}")
        for case, zone, theirs, ours, _ in members[:examples]:
            print(f"         {zone}: {case.text}")
            print(f"           theirs {theirs.value!r} {theirs.sqlstate} {theirs.message[:90]}" if theirs.sqlstate else f"           theirs {theirs.value!r}")
            print(f"           ours   {ours.value!r} {ours.sqlstate} {ours.message[:110]}" if ours.sqlstate else f"           ours   {ours.value!r}")


def run_duckdb(arguments):
    """Prints the values that differ from DuckDB's."""
    oracle, us, groups = DuckDB(), Scaup(is_text=False), collections.defaultdict(list)
    VALUES.update(oracle.LISTS)
    generator = Generator(arguments.seed, oracle.signatures())
    generator.forms = [(4, generator.function), (1, generator.aggregate)]
    seen = set()
    while len(seen) < arguments.expressions:
        case = generator.case()
        case = case._replace(text=re.sub(r"'(\[.*?\])'::[a-z ]+\[\]", r"\1", case.text.replace("''", "'") if "'[" in case.text else case.text))
        if case.text in seen or (arguments.only and not re.search(arguments.only, case.label)):
            continue
        seen.add(case.text)
        theirs, ours = oracle.answer(case.text), us.answer(case.text)
        ours = ours if ours.sqlstate else Answer(canonical(ours.value))
        if not theirs.sqlstate and (ours.sqlstate or (theirs.value != ours.value and not nearly_same(theirs.value, ours.value))):
            groups[case.label].append((case, theirs, ours))
    for label, members in sorted(groups.items(), key=lambda item: -len(item[1]))[: arguments.show]:
        print(f"{len(members):6} {label}")
        for case, theirs, ours in members[: arguments.examples]:
            print(f"         {case.text}\n           theirs {theirs.value}\n           ours   {ours.value if not ours.sqlstate else ours.sqlstate + ' ' + ours.message[:100]}")
    print(f"{len(seen)} expressions, seed {arguments.seed}: {sum(map(len, groups.values()))} differences from DuckDB in {len(groups)} functions")
    return 0


def run(oracle, arguments):
    if unnamed := {known.name for known in known_differences.KNOWN} - known_differences.titles():
        sys.exit(f"no entry in test/sql/compatibility/ has the title {sorted(unnamed)[0]!r}")
    generator = Generator(arguments.seed, Signatures(oracle.ask))
    only = re.compile(arguments.only) if arguments.only else None
    us = Scaup()
    found, known, done, begin, seen = [], collections.Counter(), 0, time.monotonic(), set()
    while done < arguments.expressions:
        zone = generator.choose(TIME_ZONES)
        cases = []
        while len(cases) < min(5000, arguments.expressions - done):
            case = generator.case()
            if case.text not in seen and (only is None or only.search(case.label)):
                seen.add(case.text)
                cases.append(case)
        for case, theirs, ours in zip(cases, oracle.answers(zone, cases), us.answers(zone, cases)):
            kind = difference(theirs, ours)
            if kind is None:
                continue
            name = known_differences.name_of(case, theirs, ours, kind)
            if name:
                known[name] += 1
            else:
                found.append((case, zone, theirs, ours, kind))
        done += len(cases)
    report(found, arguments.show, arguments.examples)
    for name, count in known.most_common():
        print(f"{count:6} known: {name}")
    print(f"{done} expressions in {time.monotonic() - begin:.0f} s, seed {arguments.seed}: {len(found)} differences, {sum(known.values())} known ones of {len(known)} causes")
    return len(found)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--expressions", type=int, default=100000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", help="a regular expression: what labels must have")
    parser.add_argument("--show", type=int, default=40, help="groups of differences to print")
    parser.add_argument("--examples", type=int, default=2, help="examples of each")
    parser.add_argument("--oracle", choices=["postgresql", "duckdb"], default="postgresql", help="duckdb: the functions that PostgreSQL lacks; prints what differs")
    parser.add_argument("--psql", help="the command that talks to PostgreSQL; without it a server is started")
    arguments = parser.parse_args()
    if arguments.oracle == "duckdb":
        return run_duckdb(arguments)
    if arguments.psql:
        return run(PostgreSQL(arguments.psql.split()), arguments)
    with local_postgresql.server() as server:
        if server is None:
            sys.exit("PostgreSQL's programs are not installed")
        return run(PostgreSQL(server.command), arguments)


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
