"""Random tables with a column of every type, their values, and the functions that random expressions are made of.

A type is a short name here ("int", "str", ...). What another engine means differently, or does not know, names in its row
the engines that agree with us; without a name both do.
"""

import datetime
import decimal
import uuid

from frame import ALL_ENGINES, Parameter, Statement

SQL_TYPES = {"int": "INTEGER", "big": "BIGINT", "dec": "DECIMAL(9,2)", "dbl": "DOUBLE PRECISION", "str": "VARCHAR", "date": "DATE", "ts": "TIMESTAMP",
             "tz": "TIMESTAMPTZ", "bool": "BOOLEAN", "uuid": "UUID", "json": "JSONB", "interval": "INTERVAL"}
COLUMNS = {"id": "int", "i": "int", "b": "big", "d": "dec", "x": "dbl", "s": "str", "t": "date", "c": "ts", "z": "tz", "f": "bool", "u": "uuid", "j": "json"}
NUMBERS = ("int", "big", "dec", "dbl")
POSTGRESQL = frozenset(["postgresql"])
# Types of which another engine knows nothing, or not without what may not be installed.
TYPE_ENGINES = {"tz": POSTGRESQL, "json": POSTGRESQL, "interval": POSTGRESQL}
# Equal values of these may look different, or have an order of their own: they are no keys.
NOT_KEYS = ("json", "interval", "approximate")

UTC = datetime.timezone.utc
VALUES = {
    "int": [0, 1, 2, 3, 5, -1, 7, 10, 2, 1],
    "big": [0, 1, 2, 100, -50, 3, 1000000, 4294967296],
    "dec": [decimal.Decimal(text) for text in ("0.00", "1.50", "-2.25", "10.00", "3.33", "99.99", "2.00")],
    "dbl": [0.0, 1.5, -2.5, 1000.125, 0.25, 2.0],
    "str": ["", "a", "b", "abc", "a b", "a longer string than inline", "a longer string than inlinf", "ZZ", "été", "%_\\", "it's", "B a"],
    "date": [datetime.date(2020, 1, 1), datetime.date(2020, 2, 29), datetime.date(1999, 12, 31), datetime.date(2024, 6, 15)],
    "ts": [datetime.datetime(2020, 1, 1), datetime.datetime(2020, 2, 29, 12, 30, 15), datetime.datetime(1999, 12, 31, 23, 59, 59, 999999),
           datetime.datetime(2024, 6, 15, 0, 0, 0, 500000)],
    "tz": [datetime.datetime(2020, 1, 1, tzinfo=UTC), datetime.datetime(2020, 3, 29, 1, 0, tzinfo=UTC), datetime.datetime(2020, 10, 25, 0, 30, tzinfo=UTC),
           datetime.datetime(1999, 12, 31, 23, 59, 59, tzinfo=UTC)],
    "bool": [True, False],
    "uuid": [uuid.UUID("a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"), uuid.UUID(int=0), uuid.UUID(int=1), uuid.UUID(int=2**128 - 1)],
    "json": ['{"a": 1}', '{"a": 2, "b": "x"}', '{"b": null}', "[1, 2]", "[]", '"a"', "3", "null", '{"a": 1, "c": [1, {"d": "e"}]}'],
    "interval": ["1 day", "1 mon", "02:00:00", "-3 days", "1 year 2 mons", "30 days"],
}


def literal(type_name, value):
    if value is None:
        return "NULL"
    if type_name in ("int", "big", "dec"):
        return str(value) if value >= 0 else f"({value})"
    if type_name == "dbl":
        return f"CAST({value!r} AS DOUBLE PRECISION)"
    if type_name == "bool":
        return "TRUE" if value else "FALSE"
    text = (value.isoformat(sep=" ") if isinstance(value, datetime.datetime) else str(value)).replace("'", "''")
    return f"'{text}'" if type_name == "str" else f"{SQL_TYPES[type_name]} '{text}'"


def random_value(rng, type_name):
    return None if rng.random() < 0.22 else rng.choice(VALUES[type_name])


def parameter(type_name, value):
    return Parameter(value, SQL_TYPES[type_name], literal(type_name, value))


def table(rng, name, row_count):
    """The statements that make one table, with indexes and changed rows."""
    statements = [Statement(f"CREATE TABLE {name} ({', '.join(f'{column} {SQL_TYPES[kind]}' for column, kind in COLUMNS.items())})")]
    rows = ["(" + ", ".join([str(row)] + [literal(kind, random_value(rng, kind)) for column, kind in COLUMNS.items() if column != "id"]) + ")"
            for row in range(row_count)]
    if rows:
        statements.append(Statement(f"INSERT INTO {name} VALUES {', '.join(rows)}"))
    keys = [column for column, kind in COLUMNS.items() if kind not in NOT_KEYS]
    # An index finds what a scan finds: for Scaup alone.
    for _ in range(rng.randrange(3)):
        statements.append(Statement(f"CREATE INDEX ON {name} ({', '.join(rng.sample(keys, rng.randrange(1, 4)))})", frozenset()))
    if rng.random() < 0.5:
        column, condition = rng.choice(list(COLUMNS)[1:]), rng.choice(["i = 1", "i > 3", "b < 2", "s LIKE 'a%'", "d IS NULL", "x < 1", "f"])
        statements.append(Statement(f"UPDATE {name} SET {column} = {literal(COLUMNS[column], random_value(rng, COLUMNS[column]))} WHERE {condition}"))
        statements.append(Statement(f"DELETE FROM {name} WHERE i = {rng.randrange(4)} AND {rng.choice(['b < 2', 'f', 's IS NULL', 'd > 1'])}"))
    return statements


# Result, form, types of arguments. An argument "=..." is one of the texts between the bars; "column TYPE" a column of a table.
_BOTH = [
    ("int", "length({})", "str"), ("int", "strpos({}, {})", "str", "str"), ("int", "abs({})", "int"), ("int", "({} + {})", "int", "int"),
    ("int", "({} - {})", "int", "int"), ("int", "({} * {})", "int", "=2|3|-1"), ("int", "mod({}, {})", "int", "=2|3|5"), ("int", "(- {})", "int"),
    ("int", "({} & {})", "int", "int"), ("int", "({} | {})", "int", "int"), ("int", "({} - {})", "date", "date"),
    ("int", "CAST(extract(year FROM {}) AS INTEGER)", "date"), ("int", "CAST(extract(month FROM {}) AS INTEGER)", "ts"),
    ("int", "CAST(extract(doy FROM {}) AS INTEGER)", "date"), ("int", "CAST({} AS INTEGER)", "bool"), ("int", "ascii({})", "str"),
    ("big", "CAST({} AS BIGINT)", "int"), ("big", "({} + {})", "big", "int"), ("big", "({} - {})", "int", "big"), ("big", "({} * {})", "big", "=2|10|-3"),
    ("big", "abs({})", "big"), ("big", "mod({}, {})", "big", "=7|100"),
    ("dec", "({} + {})", "dec", "dec"), ("dec", "({} - {})", "dec", "int"), ("dec", "({} * {})", "dec", "=2|0.5|-1"), ("dec", "abs({})", "dec"),
    ("dec", "round({}, 1)", "dec"), ("dec", "floor({})", "dec"), ("dec", "ceil({})", "dec"), ("dec", "CAST({} AS DECIMAL(12,2))", "int"),
    ("dec", "(- {})", "dec"), ("dec", "round({})", "dec"),
    ("dbl", "({} + {})", "dbl", "dbl"), ("dbl", "({} - {})", "dbl", "int"), ("dbl", "({} * {})", "dbl", "=2|0.5|-4"), ("dbl", "CAST({} AS DOUBLE PRECISION)", "int"),
    ("dbl", "abs({})", "dbl"), ("dbl", "floor({})", "dbl"), ("dbl", "ceil({})", "dbl"), ("dbl", "({} / CAST(4 AS DOUBLE PRECISION))", "dbl"),
    ("dbl", "sqrt(abs({}))", "dbl"),
    ("str", "upper({})", "str"), ("str", "lower({})", "str"), ("str", "({} || {})", "str", "str"), ("str", "substring({}, {}, {})", "str", "=1|2|3", "=0|1|2|20"),
    ("str", "left({}, {})", "str", "=-2|0|1|3"), ("str", "right({}, {})", "str", "=-2|0|1|3"), ("str", "rpad({}, {}, 'xy')", "str", "=0|3|14"),
    ("str", "lpad({}, {}, 'xy')", "str", "=0|3|14"), ("str", "trim({})", "str"), ("str", "ltrim({}, 'ab')", "str"), ("str", "rtrim({}, 'bc')", "str"),
    ("str", "replace({}, {}, {})", "str", "='a'|'in'|'b '", "str"), ("str", "reverse({})", "str"), ("str", "repeat({}, {})", "str", "=0|1|3"),
    ("str", "split_part({}, ' ', {})", "str", "=1|2|3"), ("str", "concat({}, {}, {})", "str", "str", "int"), ("str", "concat_ws('-', {}, {})", "str", "str"),
    ("str", "md5({})", "str"), ("str", "translate({}, 'ab', 'xy')", "str"), ("str", "CAST({} AS VARCHAR)", "int"), ("str", "CAST({} AS VARCHAR)", "date"),
    ("str", "CAST({} AS VARCHAR)", "column dec"), ("str", "CAST({} AS VARCHAR)", "bool"), ("str", "CAST({} AS VARCHAR)", "uuid"),
    ("str", "chr({})", "=65|97|120"), ("str", "CASE WHEN {} THEN {} WHEN {} THEN {} END", "bool", "str", "bool", "str"),
    ("date", "({} + {})", "date", "=1|30|-400"), ("date", "({} - {})", "date", "=1|60"), ("date", "CAST({} AS DATE)", "ts"), ("date", "make_date({}, {}, {})", "=2019|2024", "=1|2|12", "=1|28"),
    ("ts", "({} + INTERVAL '1 month')", "ts"), ("ts", "({} - INTERVAL '36 hours')", "ts"), ("ts", "CAST({} AS TIMESTAMP)", "date"), ("ts", "date_trunc('month', {})", "ts"),
    ("ts", "date_trunc('hour', {})", "ts"), ("ts", "({} + INTERVAL '1 year 1 day')", "date"),
    ("bool", "starts_with({}, {})", "str", "str"), ("bool", "({} IS TRUE)", "bool"), ("bool", "({} IS NOT FALSE)", "bool"), ("bool", "({} IS NOT TRUE)", "bool"),
    ("bool", "({} LIKE {})", "str", "='a%'|'%b%'|'_'|'%'|'abc'|'%inlin_'|'a%c'|''"), ("bool", "({} NOT LIKE {})", "str", "='a%'|'%b%'|'_%'"),
    ("bool", "({} ILIKE {})", "str", "='A%'|'%B%'|'z_'"), ("bool", "CAST({} AS BOOLEAN)", "int"),
]
_POSTGRESQL = [
    ("int", "position({} IN {})", "str", "str"), ("int", "octet_length({})", "str"), ("int", "({} / {})", "int", "=1|2|-3"), ("int", "({} # {})", "int", "int"),
    ("int", "({} / nullif({}, 0))", "int", "int"), ("int", "({} % {})", "int", "=2|-3"), ("int", "CAST({} AS INTEGER)", "dec"), ("int", "CAST({} AS INTEGER)", "dbl"),
    ("int", "({} << {})", "int", "=0|1|4"), ("int", "({} >> {})", "int", "=0|1|4"), ("int", "CAST(({} ->> 'a') AS INTEGER)", "json"), ("int", "(~ {})", "int"),
    ("int", "CASE WHEN jsonb_typeof({}) = 'array' THEN 1 ELSE 0 END", "json"), ("int", "CAST(extract(epoch FROM {}) AS INTEGER)", "tz"),
    ("int", "CAST(extract(hour FROM {}) AS INTEGER)", "tz"), ("int", "CAST(extract(day FROM {}) AS INTEGER)", "interval"), ("int", "gcd({}, {})", "int", "int"),
    ("int", "CAST(extract(isodow FROM {}) AS INTEGER)", "date"), ("int", "CAST(extract(week FROM {}) AS INTEGER)", "date"), ("int", "CAST(extract(quarter FROM {}) AS INTEGER)", "ts"),
    ("big", "({} / {})", "big", "=3|-7"), ("big", "CAST(div({}, 3) AS BIGINT)", "big"), ("dec", "trunc({}, 1)", "dec"), ("dec", "({} % {})", "dec", "=2|1.5"), ("dec", "CAST({} AS DECIMAL(8,1))", "dec"),
    ("dec", "sign({})", "dec"), ("dec", "round({}, -1)", "dec"), ("dbl", "round({})", "dbl"), ("dbl", "trunc({})", "dbl"), ("dbl", "sign({})", "dbl"), ("dbl", "power({}, 2)", "dbl"),
    ("dbl", "({} / nullif({}, 0))", "dbl", "dbl"),
    ("str", "substring({} FROM {} FOR {})", "str", "=-2|0|2", "=0|3|5"), ("str", "btrim({}, 'ab')", "str"), ("str", "initcap({})", "str"),
    ("str", "overlay({} PLACING 'XY' FROM {} FOR {})", "str", "=1|2|3", "=0|1|2"), ("str", "to_hex({})", "int"), ("str", "CAST({} AS VARCHAR)", "ts"), ("str", "CAST({} AS VARCHAR)", "tz"),
    ("str", "CAST({} AS VARCHAR)", "interval"), ("str", "CAST({} AS VARCHAR)", "json"), ("str", "CAST({} AS VARCHAR)", "column dbl"), ("str", "({} ->> {})", "json", "='a'|'b'|'c'|1"),
    ("str", "({} #>> '{{c,1,d}}')", "json"), ("str", "jsonb_typeof({})", "json"), ("str", "to_char({}, {})", "ts", "='YYYY-MM-DD'|'HH24:MI:SS'|'Day'|'DDD IW'|'Mon DD, YYYY HH12 AM'|'Q'"),
    ("str", "to_char({}, {})", "int", "='999'|'S0009'|'FM99'"), ("str", "regexp_replace({}, {}, {})", "str", "='[ab]+'|'^.'|'(.)b'", "='<\\&>'|''"), ("str", "quote_literal({})", "str"),
    ("str", "regexp_replace({}, 'a', 'X', 'g')", "str"), ("str", "encode(sha256(CAST({} AS BYTEA)), 'hex')", "='a'|'xyz'"),
    ("ts", "({} AT TIME ZONE {})", "tz", "='UTC'|'Europe/Berlin'|'America/New_York'"), ("ts", "({} + {})", "ts", "interval"), ("ts", "date_trunc('week', {})", "ts"),
    ("ts", "({} - {})", "ts", "interval"), ("ts", "CAST({} AS TIMESTAMP)", "tz"), ("ts", "make_timestamp({}, 2, 3, 4, 5, 6.5)", "=2019|2020"),
    ("tz", "({} AT TIME ZONE {})", "ts", "='UTC'|'Europe/Berlin'|'Asia/Tokyo'"), ("tz", "({} + INTERVAL '1 day')", "tz"), ("tz", "date_trunc('day', {})", "tz"), ("tz", "CAST({} AS TIMESTAMPTZ)", "ts"),
    ("tz", "({} + {})", "tz", "interval"),
    ("date", "CAST({} AS DATE)", "tz"), ("interval", "({} - {})", "ts", "ts"), ("interval", "({} - {})", "tz", "tz"), ("interval", "({} + {})", "interval", "interval"),
    ("interval", "({} * {})", "interval", "=2|-1|0.5"), ("interval", "age({}, {})", "ts", "ts"), ("interval", "(- {})", "interval"), ("interval", "justify_days({})", "interval"),
    ("bool", "({} ~ {})", "str", "='^a'|'[bc]$'|'a.*i'|'^$'|'b|Z+'"), ("bool", "({} !~* {})", "str", "='A'|'z+'"), ("bool", "({} SIMILAR TO {})", "str", "='(a|b)%'|'_{1,3}'"),
    ("bool", "({} @> {})", "json", "json"), ("bool", "({} <@ {})", "json", "json"), ("bool", "jsonb_exists({}, 'a')", "json"), ("bool", "({} IS UNKNOWN)", "bool"),
    ("bool", "({} LIKE {} ESCAPE '#')", "str", "='a#%'|'%#_%'|'#a_%'"), ("bool", "(({}, {}) OVERLAPS ({}, {}))", "date", "date", "date", "date"),
    ("json", "({} -> {})", "json", "='a'|'c'|1"), ("json", "CASE WHEN jsonb_typeof({0}) = 'array' THEN {0} -> {1} END", "column json", "=0|-1|5"), ("json", "jsonb_build_object('k', {}, 'l', {})", "int", "str"), ("json", "to_jsonb({})", "int"), ("json", "to_jsonb({})", "column str"),
    ("json", "jsonb_build_array({}, {})", "bool", "json"), ("json", "({} #> '{{c,0}}')", "json"), ("json", "({} || {})", "json", "='[7]'::jsonb|'{\"a\": 9}'::jsonb"),
]
FUNCTIONS = {}
for _rows, _engines in ((_BOTH, ALL_ENGINES), (_POSTGRESQL, POSTGRESQL)):
    for _result, _form, *_arguments in _rows:
        FUNCTIONS.setdefault(_result, []).append((_form, _arguments, _engines))

# Result, form with {} for the argument and {d} for DISTINCT, the argument's types.
AGGREGATES = [
    ("big", "count(*)", None, ALL_ENGINES), ("big", "count({d}{})", ("int", "str", "date", "dec", "bool", "uuid", "tz"), ALL_ENGINES),
    ("big", "sum({d}{})", ("int",), ALL_ENGINES), ("dec", "sum({d}{})", ("dec", "big"), ALL_ENGINES), ("dbl", "sum({})", ("dbl",), ALL_ENGINES),
    ("same", "min({})", ("int", "big", "dec", "dbl", "str", "date", "ts", "tz"), ALL_ENGINES), ("same", "max({})", ("int", "big", "dec", "dbl", "str", "date", "ts", "tz"), ALL_ENGINES),
    ("approximate", "avg({d}{})", ("int", "big", "dec", "dbl"), ALL_ENGINES), ("bool", "bool_and({})", ("bool",), ALL_ENGINES), ("bool", "bool_or({})", ("bool",), ALL_ENGINES),
    ("str", "string_agg({0}, ',' ORDER BY {0})", ("str",), ALL_ENGINES), ("str", "string_agg(DISTINCT {0}, ',' ORDER BY {0})", ("str",), POSTGRESQL),
    ("approximate", "stddev_samp({})", ("int", "dec"), POSTGRESQL), ("approximate", "var_pop({})", ("int", "dec"), POSTGRESQL),
    ("int", "bit_or({})", ("int",), ALL_ENGINES), ("int", "bit_and({})", ("int",), ALL_ENGINES), ("bool", "every({})", ("bool",), POSTGRESQL),
    ("same", "percentile_disc({p}) WITHIN GROUP (ORDER BY {})", ("int", "date", "dec", "str"), ALL_ENGINES),
    ("same", "percentile_disc({p}) WITHIN GROUP (ORDER BY {} DESC)", ("int", "date", "dbl"), POSTGRESQL),
    ("approximate", "percentile_cont({p}) WITHIN GROUP (ORDER BY {})", ("dbl", "int"), ALL_ENGINES), ("same", "mode() WITHIN GROUP (ORDER BY {})", ("int", "str", "date", "uuid"), POSTGRESQL),
    ("json", "jsonb_agg({0} ORDER BY {0})", ("int", "column str", "bool"), POSTGRESQL), ("approximate", "corr({0}, {0})", ("int",), POSTGRESQL),
]
