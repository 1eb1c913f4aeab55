"""Fixtures of the tests of the Python module, which must be installed or on PYTHONPATH."""

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))  # Drivers that are programs as well: kill_under_load.

scaup = pytest.importorskip("scaup")


@pytest.fixture
def con():
    with scaup.connect() as connection:
        yield connection


@pytest.fixture
def one(con):
    """one(expression, parameters) -> the value of SELECT expression."""

    def ask(expression, parameters=None):
        return con.execute(f"SELECT {expression}", parameters).fetchone()[0]

    return ask
