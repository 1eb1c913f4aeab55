"""NoBench's generator makes what the paper says, and its queries mean the same in all dialects that need no server."""

import argparse
import collections
import json
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "benchmark" / "nobench"))

import generate  # noqa: E402
from engines import ENGINES  # noqa: E402
from queries import QUERIES, parameters  # noqa: E402

COUNT = 5000
HERE = ["duckdb-inferred", "duckdb-text", "duckdb-variant", "duckdb-variant-whole", "duckdb-hybrid", "sqlite", "sqlite-indexed"]


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("nobench") / "documents.jsonl"
    generate.write(path, COUNT, 1)
    return path


@pytest.fixture(scope="module")
def documents(path):
    return [json.loads(line) for line in path.read_text(encoding="ascii").splitlines()]


def test_same_seed_same_bytes(path, tmp_path):
    generate.write(tmp_path / "again", COUNT, 1)
    generate.write(tmp_path / "other", COUNT, 2)
    assert (tmp_path / "again").read_bytes() == path.read_bytes()
    assert (tmp_path / "other").read_bytes() != path.read_bytes()


def test_strings_of_numbers():
    assert generate.text_of(8) == "GBRDCMBQGA======"  # A value in Sinew's paper.
    assert len(set(generate.vocabulary())) == generate.VOCABULARY


def test_unique_values(documents):
    assert sorted(one["num"] for one in documents) == list(range(COUNT))
    for key in ("str1", "str2"):
        assert len({one[key] for one in documents}) == COUNT
    assert all(one["thousandth"] == one["num"] % 1000 for one in documents)


def test_nested_values_are_those_of_other_objects(documents):
    for nested, key in (("str", "str1"), ("num", "num")):
        assert sorted(one["nested_obj"][nested] for one in documents) == sorted(one[key] for one in documents)
        assert not any(one["nested_obj"][nested] == one[key] for one in documents)


def test_dynamic_types(documents):
    assert all(one["dyn1"] in (one["num"], one["str1"]) for one in documents)
    assert 0.93 < sum(one["dyn1"] == one["num"] for one in documents) / COUNT < 0.97
    assert 0.45 < sum(one["bool"] for one in documents) / COUNT < 0.55
    kinds = collections.Counter(type(one["dyn2"]) for one in documents)
    assert set(kinds) == {str, int, bool} and all(0.3 < share / COUNT < 0.37 for share in kinds.values())
    assert all(one["dyn2"] == {str: one["str1"], int: one["num"], bool: one["bool"]}[type(one["dyn2"])] for one in documents)


def test_sparse_keys_come_in_clusters(documents):
    clusters = collections.Counter()
    for one in documents:
        keys = [key for key in one if key.startswith("sparse_")]
        first = int(keys[0][7:])
        assert keys == [f"sparse_{first + number:03d}" for number in range(10)] and first % 10 == 0
        assert {one[key] for key in keys} <= set(generate.SPARSE_VALUES)
        clusters[first] += 1
    assert len(clusters) == 100 and max(clusters.values()) < 100


def test_words_follow_zipf(documents):
    lengths = collections.Counter(len(one["nested_arr"]) for one in documents)
    assert sorted(lengths) == list(range(8)) and all(0.1 < share / COUNT < 0.15 for share in lengths.values())
    words = collections.Counter(word for one in documents for word in one["nested_arr"])
    first, second, tenth = (words[generate.vocabulary()[rank - 1]] for rank in (1, 2, 10))
    assert 1.6 < first / second < 2.5 and 7 < first / tenth < 14


def test_a_later_load_has_new_values(documents, tmp_path):
    generate.write(tmp_path / "more", 50, 3, COUNT)
    more = [json.loads(line) for line in (tmp_path / "more").read_text(encoding="ascii").splitlines()]
    assert sorted(one["num"] for one in more) == list(range(COUNT, COUNT + 50))
    assert not {one["str1"] for one in more} & {one["str1"] for one in documents}


def test_dialects_agree(path, tmp_path):
    pytest.importorskip("duckdb")
    count = 1000  # All sparse keys occur, so that DuckDB infers columns for them.
    few = tmp_path / "few.jsonl"
    few.write_text("".join(path.read_text(encoding="ascii").splitlines(keepends=True)[:count]), encoding="ascii")
    literals = parameters(COUNT, 1, 1)
    engines = [ENGINES[name](tmp_path / f"{name}.db", argparse.Namespace(threads=1)) for name in HERE]
    answers = []
    for engine in engines:
        engine.load(str(few))
        found = [engine.ask_answer(name, literals) for name in QUERIES]
        engine.ask_update(literals)
        answers.append([*found, engine.ask_updated(literals)])
        engine.close()
    assert answers == [answers[0]] * len(answers)
    assert answers[0][0][0] == count and answers[0][9][0] > 0
