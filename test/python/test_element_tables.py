"""Element tables: after random changes they have what the documents' arrays have, in every transaction."""

import json
import random

import pytest
import scaup


def elements_of(documents):
    rows = []
    for number, document in documents.items():
        kids = document.get("kids")
        if not isinstance(kids, list):
            continue
        rows += [(number, place, kid) for place, kid in enumerate(kids) if isinstance(kid, dict)]
    return sorted(rows, key=lambda row: row[:2])


def compare(connection, model):
    by_table = connection.execute(
        "SELECT c.id, element_position(k), k FROM c JOIN c_kids k ON document_id(k) = document_id(c)"
    ).fetchall()
    rows = sorted(((a, b, json.loads(text)) for a, b, text in by_table), key=lambda row: row[:2])
    assert rows == elements_of(model)
    assert connection.execute("SELECT count(*) FROM c_kids").fetchone()[0] == len(rows)


def random_kids(rng):
    kind = rng.random()
    if kind < 0.1:
        return {"name": "no array"}
    if kind < 0.2:
        return rng.choice([None, [], 7, "text", [1, 2], ["a"]])
    elements = []
    for _ in range(rng.randrange(1, 5)):
        elements.append(
            rng.choice(
                [
                    {"name": f"n{rng.randrange(9)}", "age": rng.randrange(20)},
                    {"age": rng.choice(["old", 1.5, None])},
                    {},
                    rng.randrange(9),
                    None,
                    [{"name": "deeper"}],
                ]
            )
        )
    return elements


class Changes:
    """One transaction after the other, and what documents there are by id."""

    def __init__(self, connection, rng):
        self.connection = connection
        self.rng = rng
        self.documents = {}
        self.next_id = 0

    def insert(self):
        documents = []
        for _ in range(self.rng.choice([1, 2, 30, 1500])):
            document = {"id": self.next_id, "kids": random_kids(self.rng)}
            if self.rng.random() < 0.1:
                del document["kids"]
            self.documents[self.next_id] = document
            self.next_id += 1
            documents.append(document)
        if self.rng.random() < 0.5:
            self.connection.append("c", documents)
        else:
            texts = ", ".join("('" + json.dumps(document) + "')" for document in documents)
            self.connection.execute("INSERT INTO c VALUES " + texts)

    def some(self):
        divisor = self.rng.choice([2, 3, 10, 100])
        rest = self.rng.randrange(divisor)
        return f"id % {divisor} = {rest}", [i for i in self.documents if i % divisor == rest]

    def update(self):
        condition, chosen = self.some()
        if self.rng.random() < 0.3:
            self.connection.execute(f"UPDATE c SET other = {self.rng.randrange(9)} WHERE {condition}")
            return
        kids = random_kids(self.rng)
        self.connection.execute(f"UPDATE c SET kids = '{json.dumps(kids)}'::json WHERE {condition}")
        for number in chosen:
            self.documents[number] = {"id": number, "kids": kids}

    def delete(self):
        condition, chosen = self.some()
        self.connection.execute(f"DELETE FROM c WHERE {condition}")
        for number in chosen:
            del self.documents[number]

    def one(self):
        self.rng.choice([self.insert, self.insert, self.update, self.update, self.delete])()

    def transaction(self):
        before = dict(self.documents)
        self.connection.execute("BEGIN")
        for _ in range(self.rng.randrange(1, 5)):
            if self.rng.random() < 0.3:
                kept = dict(self.documents)
                self.connection.execute("SAVEPOINT s")
                self.one()
                self.one()
                if self.rng.random() < 0.5:
                    self.connection.execute("ROLLBACK TO s")
                    self.documents = kept
            else:
                self.one()
            if self.rng.random() < 0.5:
                compare(self.connection, self.documents)
        if self.rng.random() < 0.3:
            self.connection.execute("ROLLBACK")
            self.documents = before
        else:
            self.connection.execute("COMMIT")


@pytest.mark.parametrize("seed", range(6))
def test_random_changes(tmp_path, seed):
    rng = random.Random(seed)
    path = str(tmp_path / "elements.scaup") if seed % 2 else ":memory:"
    connection = scaup.connect(path, config={"unknown_keys": "null"})
    connection.execute("CREATE COLLECTION c")
    changes = Changes(connection, rng)
    changes.insert()
    changes.insert()
    connection.execute("CREATE ELEMENT TABLE c_kids ON c (kids)")
    compare(connection, changes.documents)
    for step in range(12):
        if rng.random() < 0.7:
            changes.transaction()
        else:
            changes.one()
        compare(connection, changes.documents)
        if seed % 2 and step % 3 == 2:
            statement = rng.choice([None, "CHECKPOINT", "VACUUM", "MATERIALIZE"])
            if statement:
                connection.execute(statement)
                compare(connection, changes.documents)
            connection.close()
            connection = scaup.connect(path, config={"unknown_keys": "null"})
            changes.connection = connection
            compare(connection, changes.documents)
    connection.close()
