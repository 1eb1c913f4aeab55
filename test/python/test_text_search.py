"""Random texts and queries: the same answers by scan, by text index and by a model, while rows change."""

import json
import random

import pytest
import scaup

WORDS = ["ant", "bee", "Bear", "beetle", "cat", "CATTLE", "dog", "Éclair", "éclat", "fox"]


def fold(text):
    return text.lower().split()


def random_text(generator):
    return " ".join(generator.choice(WORDS) for _ in range(generator.randint(0, 6)))


class Query:
    """A query's text, and whether a list of texts matches it."""

    def __init__(self, text, matches):
        self.text, self.matches = text, matches


def has_phrase(texts, phrase, is_prefix):
    def is_at(words, begin):
        window = words[begin : begin + len(phrase)]
        if len(window) < len(phrase) or window[:-1] != phrase[:-1]:
            return False
        return window[-1].startswith(phrase[-1]) if is_prefix else window[-1] == phrase[-1]

    return any(is_at(fold(text), begin) for text in texts for begin in range(len(fold(text))))


def random_query(generator, depth=0):
    kind = generator.choice(["word", "word", "prefix", "phrase", "and", "or", "not"] if depth < 3 else ["word", "prefix"])
    if kind in ("word", "prefix", "phrase"):
        phrase = [generator.choice(WORDS).lower() for _ in range(2 if kind == "phrase" else 1)]
        if kind == "prefix":
            phrase[0] = phrase[0][: generator.randint(1, 3)]
        text = {"word": phrase[0], "prefix": phrase[0] + "*", "phrase": '"' + " ".join(phrase) + '"'}[kind]
        return Query(text, lambda texts: has_phrase(texts, phrase, kind == "prefix"))
    left = random_query(generator, depth + 1)
    if kind == "not":
        return Query(f"-({left.text})", lambda texts: not left.matches(texts))
    right = random_query(generator, depth + 1)
    if kind == "and":
        return Query(f"({left.text}) ({right.text})", lambda texts: left.matches(texts) and right.matches(texts))
    return Query(f"({left.text}) OR ({right.text})", lambda texts: left.matches(texts) or right.matches(texts))


def ids(rows):
    return sorted(row[0] for row in rows.fetchall())


class Model:
    """Rows of a table and documents of a collection, as they should be."""

    def __init__(self, con, seed):
        self.con, self.generator = con, random.Random(seed)
        self.rows, self.next_id = {}, 0

    def insert(self):
        for _ in range(self.generator.randint(1, 40)):
            self.rows[self.next_id] = (random_text(self.generator), random_text(self.generator))
            title, tag = self.rows[self.next_id]
            self.con.execute("INSERT INTO t VALUES (?, ?)", [self.next_id, title])
            document = {"id": self.next_id, "title": title, "a": {"tags": [tag, "x"]}}
            self.con.execute("INSERT INTO c SELECT ?::json", [json.dumps(document)])
            self.next_id += 1

    def update(self):
        for key in self.generator.sample(sorted(self.rows), min(5, len(self.rows))):
            title = random_text(self.generator)
            self.rows[key] = (title, self.rows[key][1])
            self.con.execute("UPDATE t SET title = ? WHERE id = ?", [title, key])
            self.con.execute("UPDATE c SET title = ? WHERE id = ?", [title, key])

    def delete(self):
        for key in self.generator.sample(sorted(self.rows), min(5, len(self.rows))):
            del self.rows[key]
            self.con.execute("DELETE FROM t WHERE id = ?", [key])
            self.con.execute("DELETE FROM c WHERE id = ?", [key])

    def change(self):
        """Some changes, which may be taken back."""
        before = dict(self.rows)
        in_transaction = self.generator.random() < 0.7
        if in_transaction:
            self.con.execute("BEGIN")
        for _ in range(self.generator.randint(1, 4)):
            self.generator.choice([self.insert, self.update, self.delete])()
        if in_transaction:
            self.check(2)
            if self.generator.random() < 0.4:
                self.con.execute("ROLLBACK")
                self.rows = before
            else:
                self.con.execute("COMMIT")

    def check(self, count):
        for _ in range(count):
            query = random_query(self.generator)
            # Without any text, matches is false; an empty text is one.
            for scope, sql in (
                (lambda row: [row[0]], "SELECT id FROM t WHERE matches(title, ?)"),
                (lambda row: [row[0]], "SELECT id FROM c WHERE matches('title', ?)"),
                (lambda row: [row[1], "x"], "SELECT id FROM c WHERE matches('a', ?)"),
                (lambda row: [row[0], row[1], "x"], "SELECT id FROM c WHERE matches('*', ?)"),
            ):
                wanted = sorted(key for key, row in self.rows.items() if query.matches(scope(row)))
                assert ids(self.con.execute(sql, [query.text])) == wanted, (sql, query.text)


@pytest.mark.parametrize("seed", range(4))
def test_random_searches(tmp_path, seed):
    database = str(tmp_path / "text.db")
    with scaup.connect(database, config={"unknown_keys": "null"}) as con:
        con.execute("CREATE TABLE t (id INTEGER, title VARCHAR)")
        con.execute("CREATE COLLECTION c")
        model = Model(con, seed)
        model.insert()
        model.check(5)
        con.execute("CREATE INDEX ON t USING text (title)")
        con.execute("CREATE INDEX ON c USING text (title, a)")
        for step in range(8):
            model.change()
            model.check(8)
            if step == 2:
                con.execute("CREATE INDEX ON c USING text (*)")
            if step % 3 == 1:
                con.execute("CHECKPOINT")
        assert con.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    with scaup.connect(database, config={"unknown_keys": "null"}) as con:
        model.con = con
        model.check(10)
        model.change()
        model.check(10)
        assert con.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
