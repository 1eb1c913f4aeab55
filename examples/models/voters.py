#!/usr/bin/env python3
"""Who votes for whom: models that are trained, kept, chosen and applied in the database.

The data are made up, in the shape of the voters of North Carolina and their 2,751 precincts: what each precinct voted is known,
not what each voter did. So voters get a label by chance from their precinct's votes; models learn from features of the voters;
what they predict is compared with the votes, precinct by precinct.

    python examples/models/voters.py [--voters 300000] [--picture voters.svg] [--database voters.scaup]"""

import argparse
import pathlib
import time

import scaup

PRECINCTS = 2751
FEATURES = "age, gender, ethnicity, urban, lean"
OTHER_COLUMNS = 88  # that nothing here reads; with the others 96


def make_data(con, voters):
    """Voters with 96 columns, and the votes of their precincts."""
    others = ", ".join(f"(hash(v * 100 + {n}) % 1000)::INTEGER AS c{n}" for n in range(OTHER_COLUMNS))
    con.execute("SELECT setseed(0.42)")
    con.execute(f"""
        CREATE TABLE places AS SELECT p::INTEGER AS precinct, random() AS urban, random() - 0.5 AS lean FROM range({PRECINCTS}) r(p)""")
    con.execute(f"""
        CREATE TABLE voters AS
        SELECT v AS id, precinct, (18 + 70 * random() * random())::DOUBLE AS age, (random() < 0.52)::INTEGER::DOUBLE AS gender,
               floor(5 * random() * random())::DOUBLE AS ethnicity, urban, lean, {others}
        FROM (SELECT v, (hash(v) % {PRECINCTS})::INTEGER AS precinct FROM range({voters}) r(v)) JOIN places USING (precinct)""")
    con.execute("""
        CREATE TABLE votes AS
        SELECT precinct, count(*) AS voters,
               avg(1 / (1 + exp(-(4 * lean + 2 * (urban - 0.5) + 0.4 * gender - 0.01 * (age - 50) + 0.3 * ethnicity - 0.3)))) AS democrat
        FROM voters GROUP BY precinct""")


def prepare(con):
    """Labels by chance from the votes of the precinct, and a third of the voters for tests."""
    con.execute(f"""
        CREATE TABLE labelled AS
        SELECT v.id, v.precinct, {FEATURES}, (random() < democrat)::INTEGER::DOUBLE AS label, hash(v.id + 7) % 3 = 0 AS is_test
        FROM voters v JOIN votes USING (precinct)""")


def train(con, most_rows):
    """A model for each of the kinds and sizes, by one statement: an aggregate trains one for each group."""
    con.execute(f"""
        INSERT INTO models (kind, size, rows, model)
        SELECT kind, size, count(*), train(kind, size, {FEATURES}, label)
        FROM (SELECT * FROM labelled WHERE NOT is_test ORDER BY hash(id + 1) LIMIT {most_rows}),
             (VALUES ('forest', 10), ('forest', 40), ('boosted', 50), ('logistic', 200)) k (kind, size)
        GROUP BY kind, size""")
    con.execute("SELECT load_model(id, model) FROM models").fetchall()


def test(con):
    """The scores, which are kept beside the models."""
    con.execute(f"""
        UPDATE models SET score = s.score FROM (
            SELECT m.id, avg(((probability(m.id, {FEATURES}) > 0.5) = (label = 1))::INTEGER) AS score
            FROM labelled, (SELECT id FROM models) m WHERE is_test GROUP BY m.id) s
        WHERE s.id = models.id""")


def compare(con):
    """Predicted and real shares of the precincts: by the best model, and by the surest of all models for each voter."""
    best = con.execute("SELECT id FROM models ORDER BY score DESC LIMIT 1").fetchone()[0]
    con.execute(f"""
        CREATE TABLE predicted AS
        SELECT precinct, avg(probability({best}, {FEATURES})) AS best FROM labelled WHERE is_test GROUP BY precinct""")
    con.execute(f"""
        CREATE TABLE ensemble AS
        SELECT precinct, avg(surest) AS surest FROM (
            SELECT v.id, any_value(precinct) AS precinct, arg_max(p, abs(p - 0.5)) AS surest
            FROM (SELECT labelled.*, probability(m.id, {FEATURES}) AS p FROM labelled, (SELECT id FROM models) m WHERE is_test) v
            GROUP BY v.id) GROUP BY precinct""")
    return con.execute("""
        SELECT corr(best, democrat), avg(abs(best - democrat)), corr(surest, democrat), avg(abs(surest - democrat))
        FROM votes JOIN predicted USING (precinct) JOIN ensemble USING (precinct)""").fetchone()


def draw(con, path):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    columns = con.execute("SELECT democrat, best FROM votes JOIN predicted USING (precinct)").fetchnumpy()
    names, scores = zip(*con.execute("SELECT kind || ' ' || size, score FROM models ORDER BY score").fetchall())
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 4), width_ratios=(3, 2))
    left.scatter(columns["democrat"], columns["best"], s=4, alpha=0.4, rasterized=True)
    left.plot((0, 1), (0, 1), color="gray", linewidth=0.8)
    left.set(xlabel="share of votes", ylabel="share that the best model predicts", title=f"{len(columns['best']):,} precincts", xlim=(0, 1), ylim=(0, 1))
    right.barh(names, scores)
    right.set(xlabel="voters of the test got right", title="models", xlim=(0.5, None))
    figure.tight_layout()
    figure.savefig(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--voters", type=int, default=300_000)
    parser.add_argument("--training", type=int, default=40_000, help="the most rows that a model learns from")
    parser.add_argument("--database", default=":memory:")
    parser.add_argument("--picture")
    given = parser.parse_args()
    with scaup.connect(given.database, config={"stored_functions": "on"}) as con:
        begin = time.perf_counter()

        def done(what):
            nonlocal begin
            print(f"{what:34} {time.perf_counter() - begin:6.2f} s", flush=True)
            begin = time.perf_counter()

        for statement in con.extract_statements((pathlib.Path(__file__).parent / "models.sql").read_text()):
            con.execute(statement.query)
        make_data(con, given.voters)
        done(f"make {given.voters:,} voters, 96 columns")
        prepare(con)
        done("join and label them")
        train(con, given.training)
        done("train four models, load them")
        test(con)
        done("test them")
        best, best_error, surest, surest_error = compare(con)
        done("predict precincts")
        print(con.sql("SELECT id, kind, size, rows, octet_length(model) AS bytes, round(score, 4) AS score FROM models ORDER BY score DESC"))
        print(f"precincts, best model:   correlation {best:.3f}, mean error {best_error:.3f}")
        print(f"precincts, surest model: correlation {surest:.3f}, mean error {surest_error:.3f}")
        if given.picture:
            draw(con, given.picture)


if __name__ == "__main__":
    main()
