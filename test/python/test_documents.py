"""Collections answer alike however their documents are kept: as records, in the reservoir, in columns, or half moved."""

import itertools
import json
import random
import threading
import time

import pytest

import documents_under_load
import scaup

KEYS = ["key", "name", "n", "tags", "o", "a.b", "", "late"]


def value(rng, depth=0):
    kind = rng.randrange(12 if depth < 3 else 8)
    if kind == 0:
        return None
    if kind == 1:
        return rng.random() < 0.5
    if kind in (2, 3):
        return rng.randrange(-50, 50)
    if kind == 4:
        return rng.choice([1.5, -0.25, 1e300, 2**63, -(2**70), 10**30, 0.1])
    if kind in (5, 6, 7):
        return rng.choice(["", "one", "two", "zwei \u00fc", "x" * 40, "3", "a\"b\\c\n"])
    if kind == 8:
        return [rng.randrange(5) for _ in range(rng.randrange(4))]
    if kind == 9:
        return [rng.choice(["one", "two", "three"]) for _ in range(rng.randrange(4))]
    if kind == 10:
        return [value(rng, depth + 1) for _ in range(rng.randrange(3))]
    return {rng.choice(KEYS): value(rng, depth + 1) for _ in range(rng.randrange(4))}


def document(rng, number):
    """Most have some keys of one type; each has others of any type; some occur once, some only at the end."""
    made = {"id": number}
    if rng.random() < 0.9:
        made["name"] = f"name {number % 97}"
    if rng.random() < 0.8:
        made["n"] = rng.randrange(1000) if rng.random() < 0.9 else value(rng)
    if rng.random() < 0.5:
        made["tags"] = [rng.choice(["red", "green", "blue"]) for _ in range(rng.randrange(4))]
    if rng.random() < 0.4:
        made["o"] = {"x": rng.randrange(10), "y": {"z": rng.choice(["u", "v"])}} if rng.random() < 0.8 else value(rng)
    for _ in range(rng.randrange(3)):
        made[rng.choice(KEYS)] = value(rng)
    if rng.random() < 0.2:
        made[f"sparse_{rng.randrange(200)}"] = value(rng)
    items = list(made.items())
    if rng.random() < 0.3:
        rng.shuffle(items)
    text = json.dumps(dict(items), ensure_ascii=False, separators=(",", ":"))
    if rng.random() < 0.05:  # A key twice.
        text = text[:-1] + ',"name":"again"}'
    return text


QUERIES = [
    "SELECT id, c::varchar FROM c ORDER BY id",
    "SELECT count(*), count(name), count(n), count(tags), count(o) FROM c",
    "SELECT id, name FROM c WHERE name = 'name 7' ORDER BY id",
    "SELECT id, n FROM c WHERE n BETWEEN 100 AND 130 ORDER BY id",
    "SELECT id, n FROM c WHERE n = 'one' ORDER BY id",
    "SELECT n::varchar, count(*) FROM c GROUP BY 1 ORDER BY 1",
    "SELECT id FROM c WHERE 'red' = ANY(tags) ORDER BY id",
    "SELECT id, tags, tags[0] FROM c WHERE tags IS NOT NULL ORDER BY id",
    "SELECT id, o, \"o.x\", \"o.y.z\", \"o.y\" FROM c ORDER BY id",
    "SELECT id, \"o.x\" FROM c WHERE \"o.x\" > 5 AND name IS NOT NULL ORDER BY id",
    "SELECT l.id, r.id FROM c l JOIN c r ON l.n = r.id WHERE l.id < 300 ORDER BY 1, 2",
    "SELECT id, sparse_7, sparse_8 FROM c WHERE sparse_7 IS NOT NULL OR sparse_8 IS NOT NULL ORDER BY id",
    "SELECT id, n IS NULL, name IS NULL FROM c WHERE n IS NULL ORDER BY id LIMIT 50",
    "SELECT id, c::varchar FROM c WHERE \"late\" IS NOT NULL ORDER BY id",
    "SELECT c::varchar FROM c WHERE 'blue' = ANY(tags) AND length(name::varchar) > 6 ORDER BY id",
    "SELECT l::varchar, r.n::varchar FROM c l JOIN c r ON l.name = r.name WHERE r.id BETWEEN 40 AND 43 ORDER BY l.id, r.id",
    "SELECT l.id, r::varchar FROM c l JOIN c r ON l.id = r.n WHERE l.id < 30 AND r.id % 2 = 0 ORDER BY l.id, r.id",
    "SELECT path, type, count FROM pragma_collection_info('c') ORDER BY 1, 2",
]
CHANGES = [
    "UPDATE c SET name = 'changed', \"o.new\" = id WHERE id % 37 = 3 AND (o IS NULL OR \"o.x\" IS NOT NULL)",
    "UPDATE c SET n = n + 1 WHERE n < 20",
    "UPDATE c SET sparse_7 = NULL WHERE id % 5 = 0",
    "DELETE FROM c WHERE id % 41 = 7",
    "UPDATE c SET tags = NULL, n = 'text' WHERE id BETWEEN 2000 AND 2100",
]
SETTINGS = {  # By state.
    "columns": ("0", "1"),
    "reservoir": ("1", "100000"),
    "by density": ("0.6", "1"),
    "by cardinality": ("0.1", "200"),
}


def answers(con):
    return [con.execute(query).fetchall() for query in QUERIES]


def set_policy(con, state):
    density, cardinality = SETTINGS[state]
    con.execute(f"SET document_density = '{density}'")
    con.execute(f"SET document_cardinality = {cardinality}")


def load(con, texts):
    con.execute("CREATE COLLECTION c")
    con.execute("SET document_materializer = 'off'")
    for begin in range(0, len(texts), 1000):
        con.execute("INSERT INTO c VALUES " + ", ".join("('" + text.replace("'", "''") + "')" for text in texts[begin : begin + 1000]))


@pytest.mark.parametrize("seed", range(4))
def test_same_answers_in_all_states(tmp_path, seed):
    rng = random.Random(seed)
    texts = [document(rng, number) for number in range(3000 + rng.randrange(2000))]
    memory = scaup.connect()
    load(memory, texts)
    filed = scaup.connect(str(tmp_path / "c.scaup"))
    load(filed, texts)
    assert [row[1] for row in memory.execute(QUERIES[0]).fetchall()] == texts
    for step, (change, state) in enumerate(itertools.zip_longest([None, *CHANGES], SETTINGS)):
        if change is not None:
            assert memory.execute(change).rowcount == filed.execute(change).rowcount
        expected = answers(memory)
        assert answers(filed) == expected, (seed, step)
        set_policy(filed, state or "columns")
        filed.execute("MATERIALIZE c")
        assert answers(filed) == expected, (seed, step, state)
    filed.close()
    filed = scaup.connect(str(tmp_path / "c.scaup"))
    assert answers(filed) == expected
    assert filed.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def places(con):
    return dict(con.execute("SELECT path || ' ' || type, place FROM pragma_collection_info('c')").fetchall())


def test_places_follow_the_settings(tmp_path):
    con = scaup.connect(str(tmp_path / "c.scaup"))
    load(con, [json.dumps({"id": i, "few": i % 3, **({"rare": i} if i % 20 == 0 else {})}) for i in range(3000)])
    assert set(places(con).values()) == {"reservoir"}  # Records, in memory.
    con.execute("MATERIALIZE c")
    assert places(con) == {"id BIGINT": "physical", "few BIGINT": "physical", "rare BIGINT": "reservoir"}
    con.execute("SET document_density = 0.01")
    con.execute("MATERIALIZE")
    assert places(con)["rare BIGINT"] == "physical"
    con.execute("SET document_cardinality = 4")
    con.execute("MATERIALIZE c")
    assert places(con) == {"id BIGINT": "physical", "few BIGINT": "reservoir", "rare BIGINT": "physical"}
    con.execute("UPDATE c SET id = id + 1 WHERE id = 5")
    assert places(con)["id BIGINT"] == "dirty"  # The changed document is a record beside its row group.


def test_materializing_what_is_no_collection(tmp_path):
    con = scaup.connect(str(tmp_path / "c.scaup"))
    con.execute("CREATE TABLE t (a INTEGER)")
    with pytest.raises(scaup.Error, match="not a collection"):
        con.execute("MATERIALIZE t")
    con.execute("BEGIN")
    with pytest.raises(scaup.Error):
        con.execute("MATERIALIZE")


def test_queries_and_changes_while_row_groups_move(tmp_path):
    """A sum that all changes keep is the same in every query, while documents are moved to and fro."""
    path = str(tmp_path / "c.scaup")
    con = scaup.connect(path)
    count = 40000
    load(con, [json.dumps({"id": i, "v": 10, "s": f"text {i % 50}"}) for i in range(count)])
    con.execute("MATERIALIZE c")
    stop = threading.Event()
    failures = []

    def run(body):
        try:
            own = con.duplicate()
            while not stop.is_set():
                body(own)
        except Exception as error:  # noqa: BLE001
            failures.append(error)
            stop.set()

    def read(own):
        found = own.execute("SELECT count(*), sum(v), count(s) FROM c").fetchall()
        assert found == [(count, 10 * count, count)], found

    def change(own):
        a, b = random.sample(range(count), 2)
        try:
            own.execute(f"UPDATE c SET v = v + CASE WHEN id = {a} THEN 1 ELSE -1 END WHERE id IN ({a}, {b})")
        except scaup.Error as error:
            assert error.sqlstate == "40001", error

    def move(own):
        set_policy(own, random.choice(list(SETTINGS)))
        own.execute("MATERIALIZE c")

    threads = [threading.Thread(target=run, args=(body,)) for body in (read, change, move)]
    for thread in threads:
        thread.start()
    time.sleep(4)
    stop.set()
    for thread in threads:
        thread.join()
    assert not failures, failures
    con.close()
    assert scaup.connect(path).execute("SELECT count(*), sum(v) FROM c").fetchall() == [(count, 10 * count)]


def test_killed_processes_lose_nothing(tmp_path):
    statements, kills = documents_under_load.run(8, seed=11, directory=str(tmp_path))
    assert statements > 0 and kills > 0


def test_idle_time_is_used(tmp_path):
    con = scaup.connect(str(tmp_path / "c.scaup"))
    con.execute("SET document_materializer = 'off'")
    load(con, [json.dumps({"id": i}) for i in range(40000)])
    con.execute("CHECKPOINT")
    assert places(con) == {"id BIGINT": "physical"}
    con.execute("SET document_materializer = 'on'")
    con.execute("SET document_cardinality = 100000")
    for _ in range(200):
        con.execute("INSERT INTO c VALUES ('{}')")  # Commits look whether there is something to do.
        time.sleep(0.15)
        if places(con)["id BIGINT"] == "reservoir":
            break
    assert places(con)["id BIGINT"] == "reservoir"
    assert con.execute("SELECT sum(id) FROM c").fetchall() == [(40000 * 39999 // 2,)]
