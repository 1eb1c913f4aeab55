"""The cases of frames.py: results into NumPy, pandas, Arrow and Polars, their tables into a database, and executemany.

A case is prepared, then run on the clock, then asked for its answer, which has to be the same in both systems."""

import dataclasses
import functools

from tpch import TPCH

NUMBERS = ["l_orderkey", "l_partkey", "l_suppkey", "l_linenumber", "l_quantity", "l_extendedprice", "l_discount", "l_tax"]
ALL = [*NUMBERS, "l_returnflag", "l_linestatus", "l_shipdate", "l_commitdate", "l_receiptdate", "l_shipinstruct", "l_shipmode", "l_comment"]
TEXT_COUNT = 100_000  # different strings in the column s of the tables
FORMS = ("pandas", "Arrow", "NumPy", "Polars")
FETCH = {"pandas": lambda relation: relation.df(), "Arrow": lambda relation: relation.to_arrow_table(), "NumPy": lambda relation: relation.fetchnumpy(),
         "Polars": lambda relation: relation.pl()}
BY_STRING = "SELECT count(*), max(n), sum(total) FROM (SELECT s, count(*) AS n, sum(x) AS total FROM frame GROUP BY s) AS g"
SUMS = "count(*), sum(id), sum(x), sum(length(s))"


@dataclasses.dataclass(frozen=True)
class Case:
    """Three functions of a Workplace. `answer` takes what `run` gave, too, and returns rows."""

    run: object
    answer: object
    prepare: object


class Workplace:
    """A system's connection, and the tables that the cases read, each made when it is first asked for."""

    def __init__(self, system, connection, folder, row_count, pair_count):
        self.system = system
        self.connection = connection
        self.folder = folder
        self.row_count = row_count
        self.pair_count = pair_count

    @functools.cached_property
    def lineitem(self):
        """Loads the table."""
        self.connection.execute(TPCH.schema()["lineitem"])
        self.connection.execute(f"COPY lineitem FROM '{TPCH.data_file(self.folder, 'lineitem')}' (DELIMITER '|', HEADER false)")

    @functools.cached_property
    def frames(self):
        """The same rows in each form: integers, doubles, strings and days."""
        import numpy
        import pandas
        import polars
        import pyarrow

        generator = numpy.random.default_rng(1)
        count = self.row_count
        texts = numpy.array([f"customer number {number}" for number in range(TEXT_COUNT)], dtype=object)
        columns = {"id": numpy.arange(count), "k": generator.integers(0, 1000, count, dtype=numpy.int32), "x": generator.random(count),
                   "s": texts[generator.integers(0, TEXT_COUNT, count)], "d": generator.integers(8000, 12000, count).astype("datetime64[D]")}
        table = pyarrow.table(columns)
        microseconds = columns["d"].astype("datetime64[us]")  # DuckDB reads no days of NumPy.
        return {"pandas": pandas.DataFrame(columns), "Arrow": table, "NumPy": columns | {"d": microseconds}, "Polars": polars.from_arrow(table)}

    @functools.cached_property
    def pair_columns(self):
        import numpy

        numbers = numpy.arange(self.pair_count)
        return {"id": numbers, "x": numbers / 4, "s": numpy.array([f"text {number}" for number in numbers.tolist()], dtype=object)}

    @functools.cached_property
    def pairs(self):
        return list(zip(*(column.tolist() for column in self.pair_columns.values())))

    def over_frame(self, form, sql):
        """Runs a statement that reads the variable `frame`."""
        frame = self.frames[form]  # noqa: F841
        return self.connection.execute(sql)

    def insert_columns(self):
        """DuckDB, whose executemany takes rows only, is asked for INSERT ... SELECT instead."""
        frame = self.pair_columns
        if self.system == "scaup":
            self.connection.executemany("INSERT INTO pairs VALUES (:id, :x, :s)", frame)
        else:
            self.connection.execute("INSERT INTO pairs SELECT id, x, s FROM frame")

    def rows(self, sql):
        return self.connection.execute(sql).fetchall()


def total(column):
    """The sum of a column's numbers, of its strings' lengths or of its days since 1970."""
    import pyarrow
    import pyarrow.compute

    if not isinstance(column, pyarrow.ChunkedArray):
        column = column.to_arrow() if hasattr(column, "to_arrow") else pyarrow.array(column)
    if pyarrow.types.is_temporal(column.type):
        column = column.cast(pyarrow.date32()).cast(pyarrow.int32())
    elif not (pyarrow.types.is_decimal(column.type) or pyarrow.types.is_primitive(column.type)):
        column = pyarrow.compute.utf8_length(column)
    return float(pyarrow.compute.sum(column.cast(pyarrow.float64())).as_py())


def fetched(form, selected, touched):
    """Columns of lineitem in some form. The last value of each touched column is read, so that it must be there."""

    def run(place):
        result = FETCH[form](place.connection.sql(f"SELECT {', '.join(selected)} FROM lineitem"))
        columns = [result[name] for name in touched]
        for column in columns:
            column.iloc[-1] if form == "pandas" else column[-1]  # pylint: disable=expression-not-assigned
        return result, columns

    return Case(run, lambda place, kept: [tuple(total(column) for column in kept[1])], lambda place: place.lineitem)


def created(form):
    """A table of all columns of a frame."""
    return Case(lambda place: place.over_frame(form, "CREATE TABLE t AS SELECT * FROM frame"),
                lambda place, kept: place.rows(f"SELECT {SUMS}, sum(k), CAST(min(d) AS DATE), CAST(max(d) AS DATE) FROM t"),
                lambda place: (place.frames, place.connection.execute("DROP TABLE IF EXISTS t")))


def asked(form, sql):
    return Case(lambda place: place.over_frame(form, sql).fetchall(), lambda place, kept: kept, lambda place: place.frames)


def inserted(run):
    def prepare(place):
        place.connection.execute("DROP TABLE IF EXISTS pairs")
        place.connection.execute("CREATE TABLE pairs (id BIGINT, x DOUBLE, s VARCHAR)")
        return place.pairs

    return Case(run, lambda place, kept: place.rows(f"SELECT {SUMS} FROM pairs"), prepare)


CASES = {
    "lineitem to NumPy, all columns": fetched("NumPy", ALL, ALL),
    "lineitem to NumPy, numbers touched": fetched("NumPy", ALL, NUMBERS),
    "lineitem to pandas, all columns": fetched("pandas", ALL, ALL),
    "lineitem to pandas, numbers": fetched("pandas", NUMBERS, NUMBERS),
    "lineitem to Arrow, all columns": fetched("Arrow", ALL, ALL),
    "lineitem to Arrow, numbers": fetched("Arrow", NUMBERS, NUMBERS),
    "lineitem to Polars, all columns": fetched("Polars", ALL, ALL),
    **{f"table from {form}": created(form) for form in FORMS},
    **{f"sum over {form}": asked(form, "SELECT sum(id), sum(x) FROM frame") for form in FORMS},
    **{f"group {form} by integer": asked(form, "SELECT k, count(*), sum(x) FROM frame GROUP BY k") for form in FORMS},
    **{f"group {form} by string": asked(form, BY_STRING) for form in FORMS},
    "executemany, list of tuples": inserted(lambda place: place.connection.executemany("INSERT INTO pairs VALUES (?, ?, ?)", place.pairs)),
    "executemany, dict of columns": inserted(Workplace.insert_columns),
}
