#!/usr/bin/env python3
"""Kills a process that works on a collection, again and again, and compares the collection with a model.

The process loads, updates, deletes, queries, and moves documents between columns and reservoir, one statement after the
other, and says so after every one. Whatever the moment at which it dies: the collection is what the statements that it
spoke of have made of it, or these and the next one. `python3 test/python/documents_under_load.py --seconds 600`, with
scaup on PYTHONPATH."""

import argparse
import collections
import copy
import json
import os
import pathlib
import random
import signal
import sys
import tempfile
import time

import scaup

MOST_SECONDS = 2.0
STATEMENTS_OF_A_DATABASE = 400
CONFIG = {"threads": 2, "checkpoint_threshold": "300KiB"}
MOST_DOCUMENTS = 12000


def make_value(chance):
    return chance.choice((
        lambda: chance.randrange(100),
        lambda: chance.randrange(10**12),
        lambda: chance.choice((0.5, -1.25, 1e300, 2**70)),
        lambda: f"text {chance.randrange(40)}",
        lambda: "long " * chance.randrange(1, 30),
        lambda: chance.random() < 0.5,
        lambda: None,
        lambda: [chance.choice(("red", "green", "blue")) for _ in range(chance.randrange(4))],
        lambda: [chance.randrange(9), "mixed"],
        lambda: {"x": chance.randrange(5), "y": [1, 2]},
    ))()


def make_document(chance, number):
    document = {"id": number, "name": f"name {number % 83}"}
    if chance.random() < 0.8:
        document["n"] = chance.randrange(1000) if chance.random() < 0.95 else make_value(chance)
    if chance.random() < 0.5:
        document["o"] = {"x": chance.randrange(50), "s": f"s{number % 7}"}
    if chance.random() < 0.3:
        document[f"sparse_{chance.randrange(300)}"] = make_value(chance)
    return document


def put(document, keys, value):
    """As UPDATE does: objects on the way are made; what is no object gives way to one."""
    for key in keys[:-1]:
        if not isinstance(document.get(key), dict):
            document[key] = {}
        document = document[key]
    document[keys[-1]] = value


def take(document, keys):
    for key in keys[:-1]:
        document = document.get(key)
        if not isinstance(document, dict):
            return
    document.pop(keys[-1], None)


class Model:
    """The contents of the collection after so many statements; the same seed makes the same ones."""

    def __init__(self, seed):
        self.chance = random.Random(seed)
        self.documents = {}
        self.next_id = 0
        self.count = 0

    def next_statement(self):
        """Returns what to execute: SQL texts, and whether to compare afterwards. Changes the model accordingly."""
        chance = self.chance
        self.count += 1
        kind = chance.random()
        if kind < 0.4 and len(self.documents) < MOST_DOCUMENTS:
            made = [make_document(chance, self.next_id + i) for i in range(chance.choice((1, 3, 100, 1500, 4000)))]
            self.next_id += len(made)
            self.documents.update((document["id"], document) for document in made)
            values = ", ".join("('" + json.dumps(document).replace("'", "''") + "')" for document in made)
            return f"INSERT INTO c VALUES {values}"
        modulus = chance.choice((2, 7, 50, 1000))
        rest = chance.randrange(modulus)
        hit = [document for number, document in self.documents.items() if number % modulus == rest]
        if kind < 0.65:
            keys = chance.choice((["name"], ["o", "x"], ["fresh"], [f"sparse_{chance.randrange(300)}"], ["deep", "er", "est"]))
            value = chance.choice((chance.randrange(1000), f"changed {chance.randrange(9)}", None))
            for document in hit:
                take(document, keys) if value is None else put(document, keys, value)
            text = "NULL" if value is None else json.dumps(value).replace('"', "'")
            return f"""UPDATE c SET "{'.'.join(keys)}" = {text} WHERE id % {modulus} = {rest}"""
        if kind < 0.75:
            for document in hit:
                del self.documents[document["id"]]
            return f"DELETE FROM c WHERE id % {modulus} = {rest}"
        if kind < 0.95:
            density, cardinality = chance.choice((("0", 1), ("1", 100000), ("0.5", 1), ("0.1", 60)))
            return f"SET document_density = {density}; SET document_cardinality = {cardinality}; MATERIALIZE c"
        return "CHECKPOINT"


def compare(connection, model):
    """Returns what differs, or None."""
    found = {}
    for number, text in connection.execute("SELECT id, c::varchar FROM c").fetchall():
        found[number] = json.loads(text)
    if found != model.documents:
        different = [number for number in found.keys() | model.documents.keys() if found.get(number) != model.documents.get(number)]
        return f"{len(different)} documents, such as {[(found.get(n), model.documents.get(n)) for n in sorted(different)[:3]]}"
    names = collections.Counter(document.get("name") for document in model.documents.values() if isinstance(document.get("name"), str))
    if dict(connection.execute("SELECT name::varchar, count(*) FROM c WHERE name LIKE '%' GROUP BY 1").fetchall()) != dict(names):
        return "names"
    large = sum(1 for document in model.documents.values() if isinstance(document.get("n"), (int, float)) and not isinstance(document["n"], bool) and document["n"] > 500)
    if connection.execute("SELECT count(*) FROM c WHERE n > 500").fetchone()[0] != large:
        return "large numbers"
    return None


def work(path, seed, done, pipe):
    """Goes on after `done` statements."""
    model = Model(seed)
    for _ in range(done):
        model.next_statement()
    connection = scaup.connect(path, config=CONFIG)
    while True:
        statement = model.next_statement()
        connection.execute(statement)
        os.write(pipe, b"%d\n" % model.count)
        if model.count % 7 == 0:
            difference = compare(connection, model)
            if difference:
                os.write(2, f"statement {model.count}, seed {seed}: {difference}\n".encode())
                os._exit(3)


def run(seconds, seed, directory):
    """Returns how many statements were done, and how often the process was killed. Raises AssertionError."""
    chance = random.Random(seed)
    until = time.monotonic() + seconds
    statements = kills = databases = 0
    while time.monotonic() < until:
        path = os.path.join(directory, f"documents_{databases}.scaup")
        database_seed = seed * 1000 + databases
        databases += 1
        connection = scaup.connect(path, config=CONFIG)
        connection.execute("CREATE COLLECTION c")
        connection.execute('INSERT INTO c VALUES (\'{"id":0,"name":"","n":0,"o":{"x":0}}\')')
        connection.execute("DELETE FROM c")
        connection.close()
        done = 0
        most_seconds = MOST_SECONDS
        while done < STATEMENTS_OF_A_DATABASE and time.monotonic() < until:
            reader, writer = os.pipe()
            child = os.fork()
            if child == 0:
                os.close(reader)
                try:
                    work(path, database_seed, done, writer)
                except BaseException as error:  # noqa: BLE001
                    os.write(2, f"seed {database_seed}: {error!r}\n".encode())
                os._exit(4)
            os.close(writer)
            time.sleep(chance.uniform(0.05, most_seconds))
            os.kill(child, signal.SIGKILL)
            _, status = os.waitpid(child, 0)
            assert os.WIFSIGNALED(status), f"the process ended by itself, seed {database_seed}"
            with os.fdopen(reader, "rb") as said:
                lines = said.read().split()
            kills += 1
            committed = int(lines[-1]) if lines else done
            model = Model(database_seed)
            for _ in range(committed):
                model.next_statement()
            connection = scaup.connect(path, config=CONFIG)
            difference = compare(connection, model)
            if difference:
                following = copy.deepcopy(model)
                following.next_statement()
                assert compare(connection, following) is None, f"after {committed} statements, seed {database_seed}: {difference}"
                committed += 1
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            connection.close()
            # On a slow machine a statement may take longer: then the next process gets more time for it.
            most_seconds = MOST_SECONDS if committed > done else 2 * most_seconds
            statements += committed - done
            done = committed
        pathlib.Path(path).unlink()
    return statements, kills


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        statements, kills = run(arguments.seconds, arguments.seed, directory)
    print(f"{statements} statements, {kills} kills")


if __name__ == "__main__":
    sys.exit(main())
