"""Texts that differ in literals share a plan: each must mean what it means by itself, which a comment makes the session plan anew."""

import random

import pytest

import scaup

TABLE = """CREATE TABLE {} (id INTEGER PRIMARY KEY, small SMALLINT, tiny TINYINT, big BIGINT, huge HUGEINT, d DECIMAL(8, 2), x DOUBLE, r REAL, s VARCHAR, few VARCHAR(4),
 padded CHAR(4), day DATE, at TIMESTAMP, zoned TIMESTAMPTZ, flag BOOLEAN, u UUID, j JSON, b BLOB, span INTERVAL, list INTEGER[])"""
COLUMNS = "id small tiny big huge d x r s few padded day at zoned flag u j b span list".split()
NUMBERS = ["0", "1", "2", "3", "5", "-1", "- 3", "127", "128", "300", "-129", "32767", "32768", "40000", "2147483647", "2147483648", "-2147483648", "-2147483649", "3000000000",
           "9223372036854775807", "999999999999999999", "1.5", "1e3", "007"]
TEXTS = ["'a'", "'b'", "'it''s'", "''", "'a  '", "'1'", "'2.5'", "'2024-02-29'", "'2024-13-01'", "'today'", "'epoch'", "'2024-02-29 10:11:12'", "'2024-02-29 10:11:12+02'",
         "'true'", "'00112233-4455-6677-8899-aabbccddeeff'", "'{1,2}'", "'[1]'", "'1 day'", "'\\x00ff'", "'a longer text'", "'ä'", "NULL"]
OPERATORS = ["=", "<>", "<", ">=", ">", "<="]
FORMS = [
    "SELECT id, s FROM {t} WHERE {c} {o} {l} ORDER BY id",
    "SELECT id FROM {t} WHERE {l} {o} {c} AND id {o2} {n} ORDER BY id",
    "SELECT count(*) FROM {t} WHERE {c} = {l} OR {c2} {o} {l2}",
    "UPDATE {t} SET {c} = {l} WHERE id = {n}",
    "UPDATE {t} SET {c} = {c} + {n}, s = {l} WHERE id {o} {n2}",
    "UPDATE {t} SET {c} = {n} - {c} WHERE id = {n2}",
    "INSERT INTO {t} (id, {c}, {c2}) VALUES ({n}, {l}, {l2})",
    "INSERT INTO {t} (id, {c}) VALUES ({n}, {l}), ({n2}, {l2})",
    "DELETE FROM {t} WHERE {c} = {l} AND id > {n}",
    "SELECT * FROM {t} WHERE {c} = {l}",
]


def outcome(connection, sql):
    try:
        rows = connection.execute(sql)
        return repr(rows.fetchall()) if rows.description else rows.rowcount
    except scaup.Error as error:
        return (error.sqlstate, getattr(error, "position", None), str(error).split("\n", maxsplit=1)[0])


@pytest.mark.parametrize("seed", range(6))
def test_texts_mean_what_they_mean_by_themselves(seed):
    choose = random.Random(seed)
    with scaup.connect() as shared, scaup.connect() as alone:
        for connection in (shared, alone):
            connection.execute(TABLE.format("t"))
            connection.execute(
                "INSERT INTO t SELECT i, i, i, i, i, i, i, i, 'text ' || i, 'f', 'p', DATE '2024-02-25' + i::int, TIMESTAMP '2024-02-25 10:11:12' + to_days(i::int), "
                "TIMESTAMPTZ '2024-02-25 10:11:12+00' + to_days(i::int), i % 2 = 0, '00112233-4455-6677-8899-aabbccddeeff', '1', 'b', INTERVAL '1 day', [i] FROM range(8) r (i)"
            )
        # Few forms at a time, so that each comes again with other literals.
        for _ in range(40):
            form, c, c2, o, o2 = choose.choice(FORMS), choose.choice(COLUMNS[1:]), choose.choice(COLUMNS[1:]), choose.choice(OPERATORS), choose.choice(OPERATORS)
            if c == c2 and "INSERT" in form:
                continue
            kinds = [choose.choice([NUMBERS, TEXTS]) for _ in range(2)]
            for _ in range(12):
                literals = {"l": choose.choice(kinds[0]), "l2": choose.choice(kinds[1]), "n": choose.choice(NUMBERS[:12]), "n2": choose.choice(NUMBERS[:12])}
                sql = form.format(t="t", c=c, c2=c2, o=o, o2=o2, **literals)
                first, second = outcome(shared, sql), outcome(alone, sql + " /* alone */")
                assert first == second, sql
        assert outcome(shared, "SELECT * FROM t ORDER BY id") == outcome(alone, "SELECT * FROM t ORDER BY id")
