#!/usr/bin/env python3
"""The classification of voters of Raasveldt's thesis (chapter 5), the whole pipeline: in the database, and in Python with the data in CSV files, NumPy files, pickled
frames, or on a PostgreSQL server.

The data are made up, in its shape: voters with 96 columns, 2,751 precincts with their votes. Each pipeline loads and joins what it needs (wrangling), trains a forest,
predicts the other voters, and compares with the votes precinct by precinct. All must find the same. The median of the rounds counts.

    voters.py [--voters 750000] [--training 40000] [--rounds 3] [--systems scaup,csv,numpy,pickle,postgresql]"""

import argparse
import io
import pathlib
import statistics
import sys
import tempfile
import time

import numpy
import pandas
from sklearn.ensemble import RandomForestClassifier

import scaup
from side_by_side import ROOT, processor

sys.path.insert(0, str(ROOT / "test" / "fuzz"))
import local_postgresql  # noqa: E402

PRECINCTS = 2751
FEATURES = ["age", "gender", "ethnicity", "urban", "lean"]
OTHERS = [f"c{number}" for number in range(87)]  # that nothing reads; with the others 96 columns
NEEDED = ["id", "precinct", "chance", "part", *FEATURES]


def make_data(con, voters):
    others = ", ".join(f"(hash(v * 100 + {number}) % 1000)::INTEGER AS {name}" for number, name in enumerate(OTHERS))
    con.execute("SELECT setseed(0.42)")
    con.execute(f"CREATE TABLE places AS SELECT p::INTEGER AS precinct, random() AS urban, random() - 0.5 AS lean FROM range({PRECINCTS}) r(p)")
    con.execute(f"""
        CREATE TABLE voters AS
        SELECT v::BIGINT AS id, precinct, random() AS chance, (hash(v + 7) % 3)::INTEGER AS part, (18 + 70 * random() * random())::DOUBLE AS age,
               (random() < 0.52)::INTEGER::DOUBLE AS gender, floor(5 * random() * random())::DOUBLE AS ethnicity, urban, lean, {others}
        FROM (SELECT v, (hash(v) % {PRECINCTS})::INTEGER AS precinct FROM range({voters}) r(v)) JOIN places USING (precinct) ORDER BY v""")
    con.execute("""
        CREATE TABLE votes AS
        SELECT precinct, avg(1 / (1 + exp(-(4 * lean + 2 * (urban - 0.5) + 0.4 * gender - 0.01 * (age - 50) + 0.3 * ethnicity - 0.3)))) AS democrat
        FROM voters GROUP BY precinct ORDER BY precinct""")
    assert len(con.execute("SELECT * FROM voters LIMIT 0").description) == 96


class Clock:
    """The seconds of the steps of one run."""

    def __init__(self):
        self.steps, self._begin = {}, time.perf_counter()

    def done(self, step):
        now = time.perf_counter()
        self.steps[step], self._begin = now - self._begin, now


# --- In the database


FUNCTIONS = """
CREATE OR REPLACE AGGREGATE train(age DOUBLE, gender DOUBLE, ethnicity DOUBLE, urban DOUBLE, lean DOUBLE, label DOUBLE)
RETURNS BLOB LANGUAGE PYTHON STRICT {
    import pickle
    from sklearn.ensemble import RandomForestClassifier
    forest = RandomForestClassifier(n_estimators=10, max_depth=10, random_state=1)
    return pickle.dumps(forest.fit(np.column_stack((age, gender, ethnicity, urban, lean)), label))
};
CREATE OR REPLACE FUNCTION predict(age DOUBLE, gender DOUBLE, ethnicity DOUBLE, urban DOUBLE, lean DOUBLE, model BLOB)
RETURNS DOUBLE LANGUAGE PYTHON MAP STRICT STABLE {
    import pickle
    forest = _fn.get(model)
    if forest is None:
        _fn.clear()
        forest = _fn[model] = pickle.loads(model)
    return forest.predict_proba(np.column_stack((age, gender, ethnicity, urban, lean)))[:, 1]
};
"""


def in_database(con, training):
    clock, columns = Clock(), ", ".join(FEATURES)
    con.execute(f"""
        CREATE OR REPLACE TABLE labelled AS
        SELECT v.id, v.precinct, {columns}, (chance < democrat)::INTEGER::DOUBLE AS label, part FROM voters v JOIN votes USING (precinct)""")
    clock.done("wrangle")
    con.execute(f"""
        CREATE OR REPLACE TABLE model AS SELECT train({columns}, label ORDER BY id) AS model
        FROM (SELECT * FROM labelled WHERE part <> 0 ORDER BY id LIMIT {training})""")
    clock.done("train")
    con.execute(f"""
        CREATE OR REPLACE TABLE predicted AS
        SELECT precinct, avg(predict({columns}, (SELECT model FROM model))) AS share FROM labelled WHERE part = 0 GROUP BY precinct""")
    found = con.execute("SELECT corr(share, democrat) FROM predicted JOIN votes USING (precinct)").fetchone()[0]
    clock.done("predict")
    return found, clock.steps


# --- In Python


def label(voters, votes):
    """Joins the votes and gives labels by chance, as the SQL above."""
    joined = voters.merge(votes, on="precinct", how="inner").sort_values("id", kind="stable")
    joined["label"] = (joined["chance"] < joined["democrat"]).astype(float)
    return joined


def classify(joined, votes, training, clock):
    train = joined[joined["part"] != 0].head(training)
    forest = RandomForestClassifier(n_estimators=10, max_depth=10, random_state=1).fit(train[FEATURES].to_numpy(), train["label"].to_numpy())
    clock.done("train")
    test = joined[joined["part"] == 0]
    shares = pandas.DataFrame({"precinct": test["precinct"], "share": forest.predict_proba(test[FEATURES].to_numpy())[:, 1]}).groupby("precinct")["share"].mean()
    both = votes.set_index("precinct").join(shares, how="inner")
    found = both["share"].corr(both["democrat"])
    clock.done("predict")
    return found, clock.steps


def from_csv(folder, training):
    clock = Clock()
    voters = pandas.read_csv(folder / "voters.csv", usecols=NEEDED)
    votes = pandas.read_csv(folder / "votes.csv")
    joined = label(voters, votes)
    clock.done("wrangle")
    return classify(joined, votes, training, clock)


def from_numpy(folder, training):
    clock = Clock()
    voters = pandas.DataFrame({name: numpy.load(folder / f"voters.{name}.npy") for name in NEEDED})
    votes = pandas.DataFrame({name: numpy.load(folder / f"votes.{name}.npy") for name in ("precinct", "democrat")})
    joined = label(voters, votes)
    clock.done("wrangle")
    return classify(joined, votes, training, clock)


def from_pickle(folder, training):
    clock = Clock()
    voters, votes = pandas.read_pickle(folder / "voters.pickle"), pandas.read_pickle(folder / "votes.pickle")
    joined = label(voters[NEEDED], votes)
    clock.done("wrangle")
    return classify(joined, votes, training, clock)


def copied(postgresql, sql):
    """The rows of a query on the server, by COPY: the fastest way of its drivers into a frame."""
    text = io.BytesIO()
    with postgresql.cursor() as cursor, cursor.copy(f"COPY ({sql}) TO STDOUT (FORMAT csv, HEADER)") as copy:
        for part in copy:
            text.write(part)
    text.seek(0)
    return pandas.read_csv(text)


def from_postgresql(postgresql, training):
    """The server joins and labels."""
    clock = Clock()
    joined = copied(postgresql, f"""
        SELECT v.id, v.precinct, {', '.join(FEATURES)}, (chance < democrat)::int::float8 AS label, part FROM voters v JOIN votes USING (precinct) ORDER BY v.id""")
    votes = copied(postgresql, "SELECT * FROM votes")
    clock.done("wrangle")
    return classify(joined, votes, training, clock)


# --- Files and the server


def export(con, folder, systems):
    for name in ("voters", "votes"):
        if {"csv", "postgresql"} & systems:
            con.execute(f"COPY {name} TO '{folder}/{name}.csv' (FORMAT csv, HEADER)")
        arrays = con.execute(f"SELECT * FROM {name} ORDER BY 1").fetchnumpy()
        if "numpy" in systems:
            for column, values in arrays.items():
                numpy.save(folder / f"{name}.{column}.npy", values)
        if "pickle" in systems:
            pandas.DataFrame(dict(arrays)).to_pickle(folder / f"{name}.pickle")


def fill_server(home, folder, con):
    import psycopg

    postgresql = psycopg.connect(host=home, user="fuzz", dbname="postgres", autocommit=True)
    for name in ("voters", "votes"):
        columns = [f"{column} {'float8' if kind == 'DOUBLE' else kind}" for column, kind in con.execute(
            "SELECT column_name, data_type FROM information_schema.columns WHERE table_name = $1 ORDER BY ordinal_position", [name]).fetchall()]
        postgresql.execute(f"CREATE TABLE {name} ({', '.join(columns)})".replace("double precision", "float8"))
        with postgresql.cursor() as cursor, cursor.copy(f"COPY {name} FROM STDIN (FORMAT csv, HEADER)") as copy, open(folder / f"{name}.csv", "rb") as file:
            while part := file.read(1 << 20):
                copy.write(part)
        postgresql.execute(f"VACUUM ANALYZE {name}")
    return postgresql


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--voters", type=int, default=750_000)
    parser.add_argument("--training", type=int, default=40_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--systems", default="scaup,csv,numpy,pickle,postgresql")
    given = parser.parse_args()
    systems = set(given.systems.split(","))
    with tempfile.TemporaryDirectory(prefix="scaup-voters-") as home, local_postgresql.running("listen_addresses=", "fsync=off") as server:
        folder = pathlib.Path(home)
        con = scaup.connect(folder / "voters.scaup", config={"stored_functions": "on", "threads": given.threads})
        make_data(con, given.voters)
        con.execute("CHECKPOINT")
        export(con, folder, systems)
        for statement in con.extract_statements(FUNCTIONS):
            con.execute(statement.query)
        runs = {"scaup": lambda: in_database(con, given.training), "csv": lambda: from_csv(folder, given.training), "numpy": lambda: from_numpy(folder, given.training),
                "pickle": lambda: from_pickle(folder, given.training)}
        if server is not None and "postgresql" in systems:
            postgresql = fill_server(server, folder, con)
            runs["postgresql"] = lambda: from_postgresql(postgresql, given.training)
        runs = {name: run for name, run in runs.items() if name in systems}
        measured = {name: [] for name in runs}
        answers = {}
        for round_number in range(given.rounds + 1):
            for name, run in runs.items():
                answers[name], steps = run()
                if round_number > 0:  # The first is for warming up.
                    measured[name].append(steps)
        assert max(answers.values()) - min(answers.values()) < 1e-6, answers
        print(f"{given.voters:,} voters, 96 columns, trained with {given.training:,}, {given.threads} threads, {processor()}; correlation {answers['scaup' if 'scaup' in answers else next(iter(answers))]:.4f}")
        print(f"{'seconds':12} {'wrangle':>9} {'train':>9} {'predict':>9} {'whole':>9}")
        for name, steps in measured.items():
            medians = [statistics.median(each[step] for each in steps) for step in ("wrangle", "train", "predict")]
            whole = statistics.median(sum(each.values()) for each in steps)
            print(f"{name:12} " + " ".join(f"{seconds:9.3f}" for seconds in (*medians, whole)))


if __name__ == "__main__":
    main()
