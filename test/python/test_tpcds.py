"""The 99 queries of TPC-DS on a little data: every one runs, with DuckDB's answer."""

import pathlib
import sys

import pytest

COMPARE = pathlib.Path(__file__).resolve().parents[2] / "benchmark" / "compare"
sys.path.insert(0, str(COMPARE))

duckdb = pytest.importorskip("duckdb")
from side_by_side import fault_of  # noqa: E402
from tpcds import TPCDS  # noqa: E402
from worker import ACTIONS, open_duckdb, open_scaup  # noqa: E402

import scaup  # noqa: E402

SCALE = 0.05
# With so little data a query may divide by a sum of nothing: an error as in PostgreSQL, NULL in DuckDB.
DIVIDES_BY_ZERO = {"Q90"}
QUERIES = TPCDS.queries(range(1, TPCDS.query_count + 1))


class LocalWorker:
    """A system in this process, with the face of worker.Worker."""

    def __init__(self, connection):
        self.connection = connection

    def __call__(self, action, sql):
        return ACTIONS[action](self.connection, sql)


@pytest.fixture(scope="module")
def workers(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tpcds")
    TPCDS.generate(folder, SCALE)
    systems = [LocalWorker(opener(1, ":memory:")[0]) for opener in (open_scaup, open_duckdb)]
    for system in systems:
        TPCDS.load(system, folder)
    yield systems
    for system in systems:
        system.connection.close()


@pytest.mark.parametrize("name", QUERIES)
def test_answers(workers, name):
    if name in DIVIDES_BY_ZERO:
        with pytest.raises(scaup.Error, match="division by zero"):
            workers[0]("rows", QUERIES[name])
    else:
        assert fault_of(workers, "rows", QUERIES[name]) is None
