#!/usr/bin/env python3
"""Compares templates of to_char, to_timestamp, to_date and to_number with PostgreSQL 15.

    PYTHONPATH=build/release/extension/python python3 test/fuzz/format_templates.py --cases 20000 --psql 'psql -d fuzz'
    ... --write test/sql/expression/format_templates.test --cases 700

Without --psql a server of its own is started. Every case is one call; answers must be the same, errors need the same SQLSTATE.
`--write` stores PostgreSQL's answers as a test instead.
"""

import argparse
import random
import shlex
import sys

import local_postgresql
import scaup
from engines import PostgreSQL, close
from frame import Query

DATE_KEYWORDS = (
    "A.D. A.M. AD AM B.C. BC CC DAY DDD DD DY Day Dy D FF1 FF2 FF3 FF4 FF5 FF6 FX HH24 HH12 HH IDDD ID IW IYYY IYY IY I J MI MM MONTH MON "
    "MS Month Mon OF P.M. PM Q RM SSSSS SSSS SS TZH TZM TZ US WW W Y,YYY YYYY YYY YY Y"
).split()
DATES = ["YYYY-MM-DD", "DD Mon YYYY", "FMDD FMMonth YYYY", "YYYYMMDD", "IYYY-IW-ID", "YYYY-DDD", "MM/DD/YY", "Y,YYY MON DDth", "J", "IYYY IDDD", "YYYY WW",
         "DD-RM-YYYY", "Day, DD Month YYYY", "CC YY MM", "YYYY BC MM DD", "YYYY MM W"]
TIMES = ["HH24:MI:SS", "HH12:MI:SS AM", "HH:MI a.m.", "SSSS", "SSSSS", "HH24MISS", "HH24:MI:SS.MS", "HH24:MI:SS.US", "SS.FF3", "HH24:MI TZH:TZM", "HH24:MI:SSTZH",
         "MI:SS.FF6"]
SEPARATORS = ["-", "/", ".", ":", ",", ";", " ", "  ", "_", "T", "x", '"o\'clock"', '"a 1"', "", "", "", "\\", "\\\"", "|", "5"]
NUMBER_KEYWORDS = "9 9 9 9 9 9 9 9 0 0 0 . D , G L MI PL SG PR S V EEEE FM B C RN TH th rn SP".split()
NUMBERS = ["999", "0999", "9,999.99", "FM9,999.99", "9G999D99", "S999.99", "999.99S", "999MI", "FM999MI", "MI999.9", "PL999", "SG999", "999PR", "FM999PR", "9.99EEEE",
           "999V99", "L999", "999th", "FM999TH", "RN", "FMRN", "rn", "9990.0", ".99", "0.99", "FM0.99", "FM9.99", "FM90.09", "99,99.0", "\"n \"999", "9 9 9", "S9,9"]
MOMENTS = ["2024-03-05 14:07:09.123456", "1999-12-31 23:59:59.999999", "2000-01-01 00:00:00", "0044-03-15 12:00:00 BC", "2023-01-01 01:02:03", "2021-01-03 12:34:56.5",
           "12345-06-07 08:09:10", "0001-01-01 00:00:00", "1582-10-15 11:00:00.000001", "2020-12-31 00:59:00", "0987-07-12 13:14:15.16", "2024-02-29 23:00:00"]
INTERVALS = ["1 year 2 mons 3 days 04:05:06.789", "-1 year -2 mons -3 days -04:05:06.789", "00:00:00", "1000 years", "-14 mons", "36:00:01", "-12:30:00", "400 days",
             "5 mons -7 days 100:00:00.000009", "-1234 years -5 mons", "12 hours", "3 years"]
ZONES = ["UTC", "America/New_York", "Asia/Kolkata", "Europe/Berlin"]


def literal(text):
    return "'" + text.replace("'", "''") + "'"


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def keyword(self, keywords):
        word = self.random.choice(keywords)
        kind = self.random.random()
        return word.lower() if kind < 0.25 else word.title() if kind < 0.28 else word

    def template(self, keywords, known, separators):
        """A known template, possibly changed a little, or a random one."""
        if self.random.random() < 0.4:
            return self.changed(self.random.choice(known)) if self.random.random() < 0.3 else self.random.choice(known)
        parts = []
        for _ in range(self.random.randint(1, 6)):
            prefix = self.random.choice(["", "", "", "", "FM", "fm", "TM"]) if keywords is DATE_KEYWORDS else ""
            suffix = self.random.choice(["", "", "", "", "", "TH", "th", "SP"]) if keywords is DATE_KEYWORDS else ""
            parts.append(prefix + self.keyword(keywords) + suffix + self.random.choice(separators))
        return "".join(parts)

    def changed(self, text):
        for _ in range(self.random.randint(1, 2)):
            at = self.random.randint(0, len(text))
            kind = self.random.random()
            if kind < 0.35:
                text = text[:at] + text[at + 1 :]
            elif kind < 0.7:
                text = text[:at] + self.random.choice([" ", "-", "/", "1", "0", "7", "x", "+", "  ", ","]) + text[at:]
            elif at < len(text):
                text = text[:at] + self.random.choice([" ", "-", ".", "9", "3", "a"]) + text[at + 1 :]
        return text

    def date_template(self):
        if self.random.random() < 0.35:
            return self.random.choice(DATES) + self.random.choice([" ", "T", "", "  ", "-"]) + self.random.choice(TIMES)
        return self.template(DATE_KEYWORDS, DATES + TIMES, SEPARATORS)

    def number(self):
        digits = self.random.randint(0, 6)
        value = self.random.choice(["0", "1", "5", "9.5", "0.001", str(self.random.randint(0, 10**digits)), str(self.random.randint(0, 10**digits) / 100),
                                    f"{self.random.uniform(0, 100):.4f}", f"{self.random.uniform(0, 1):.6f}", str(self.random.randint(0, 4000)), "99.995", "123456789012"])
        return self.random.choice(["", "", "-"]) + value

    def write_case(self):
        """A call of to_char."""
        if self.random.random() < 0.45:
            value = self.number()
            kind = self.random.choice(["numeric", "numeric", "integer", "bigint", "double precision", "real"])
            if kind in ("integer", "bigint"):
                value = value.split(".")[0]
                kind = "bigint" if len(value) > 9 else kind
            if kind in ("double precision", "real") and self.random.random() < 0.1:
                value = self.random.choice(["NaN", "Infinity", "-Infinity", "1e20", "1e-7"])
            # A decimal has the digits that its literal has, so that both systems see the same number.
            number = f"'{value}'::{kind}" if kind != "numeric" else f"{value}"
            if kind == "numeric" and "." not in value:
                number = f"{value}.0"
            return f"to_char({number}, {literal(self.template(NUMBER_KEYWORDS, NUMBERS, ['', '', '', '', '', ' ', 'x']))})"
        kind = self.random.choice(["timestamp", "timestamp", "timestamptz", "date", "time", "interval", "interval"])
        if kind == "interval":
            value = self.random.choice(INTERVALS)
        else:
            value = self.random.choice(MOMENTS)
            value = value.split(" ")[0] + (" BC" if "BC" in value else "") if kind == "date" else value.split(" ")[1] if kind == "time" else value
        return f"to_char({kind} '{value}', {literal(self.date_template())})"

    def read_case(self, written):
        """A call that reads; `written` is a template and what PostgreSQL wrote by it."""
        template, text = written
        if self.random.random() < 0.5:
            text = self.changed(text)
        if self.random.random() < 0.15:
            template = self.changed(template)
        if self.random.random() < 0.1:
            template = "FX" + template
        return template, text


def answers_of(oracle, texts):
    """PostgreSQL's answers to expressions: the SQLSTATE of an error, or the value."""
    queries = [Query(text) for text in texts]
    return [("error", a.sqlstate) if a.is_error else ("value", None if a.rows[0][0] == "~" else a.rows[0][0]) for a in oracle.answers(queries)]


def select(call):
    """Brackets show blanks, and keep texts that look like numbers as they are."""
    if call.startswith("to_char"):
        return f"SELECT '[' || {call} || ']'"
    return f"SELECT {call}" if call.startswith("to_number") else f"SELECT ({call})::text"


def make_cases(generator, oracle, count):
    """Pairs of a zone and a query with PostgreSQL's answer."""
    zone = generator.random.choice(ZONES)
    oracle.answers([Query(f"SET timezone = '{zone}'")])
    calls = [generator.write_case() for _ in range(count // 2)]
    written = []
    moments = [m for m in MOMENTS if "BC" not in m]
    for _ in range(count - len(calls)):
        if generator.random.random() < 0.3:
            template = generator.template(NUMBER_KEYWORDS, NUMBERS, ["", "", "", "", " ", "x"])
            written.append(("to_number", template, f"SELECT '[' || to_char({generator.number()}, {literal(template)}) || ']'"))
        else:
            template = generator.date_template()
            call = f"to_char(timestamptz '{generator.random.choice(moments)}', {literal(template)})"
            written.append((generator.random.choice(["to_timestamp", "to_timestamp", "to_date"]), template, f"SELECT '[' || {call} || ']'"))
    for (function, template, _), (kind, text) in zip(written, answers_of(oracle, [query for _, _, query in written])):
        text = text[1:-1] if kind == "value" and text else generator.random.choice(["", "1", "2024-03-05", "12"])
        template, text = generator.read_case((template, text))
        calls.append(f"{function}({literal(text)}, {literal(template)})")
    queries = [select(call) for call in calls]
    return zone, list(zip(queries, answers_of(oracle, queries)))


def scaup_answer(connection, query):
    try:
        value = connection.execute(query).fetchone()[0]
    except scaup.Error as error:
        return ("error", error.sqlstate)
    return ("value", None if value is None else str(value))


def is_same(theirs, ours):
    return theirs == ours or (theirs[0] == ours[0] == "value" and None not in (theirs[1], ours[1]) and close(theirs[1], ours[1]))


def compare(generator, oracle, arguments):
    differences = done = 0
    connection = scaup.connect()
    while done < arguments.cases:
        zone, cases = make_cases(generator, oracle, min(500, arguments.cases - done))
        connection.execute(f"SET timezone = '{zone}'")
        for query, theirs in cases:
            ours = scaup_answer(connection, query)
            if not is_same(theirs, ours):
                differences += 1
                if differences <= arguments.show:
                    print(f"{zone}: {query}\n  PostgreSQL {theirs}\n  Scaup      {ours}")
        done += len(cases)
    print(f"{done} cases, {differences} differences")
    return differences


def escaped(text):
    return "NULL" if text is None else text.replace("\t", "\\t").replace("\n", "\\n") or "(empty)"


def write(generator, oracle, arguments):
    lines = ["# Templates of to_char, to_timestamp, to_date and to_number: PostgreSQL 15's answers, by test/fuzz/format_templates.py.",
             "# Brackets show the blanks.", ""]
    done = 0
    while done < arguments.cases:
        zone, cases = make_cases(generator, oracle, min(100, arguments.cases - done))
        lines += ["statement ok", f"SET timezone = '{zone}'", ""]
        for query, (kind, value) in cases:
            if kind == "error":
                lines += [f"statement error {value}", query, ""]
            else:
                lines += ["query R" if "to_number" in query else "query T", query, "----", escaped(value), ""]
        done += len(cases)
    with open(arguments.write, "w", encoding="utf-8") as file:
        file.write("\n".join(lines))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--psql", help="the command that talks to PostgreSQL")
    parser.add_argument("--write", help="the test to write")
    parser.add_argument("--show", type=int, default=20, help="differences to print")
    arguments = parser.parse_args()

    def run(oracle):
        action = write if arguments.write else compare
        return action(Generator(arguments.seed), oracle, arguments)

    if arguments.psql:
        oracle = PostgreSQL(arguments.psql)
        oracle.reset([])
        return run(oracle)
    with local_postgresql.server() as oracle:
        if oracle is None:
            sys.exit("PostgreSQL's programs are not installed")
        return run(oracle)


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
