"""Statements that clients send: all bind, run, and have the names of columns that PostgreSQL gives them."""

import pytest

from client_statements import columns_of, schema, statements


@pytest.fixture(scope="module")
def clients(server):
    with server.connect(autocommit=True) as connection:
        connection.execute(schema())
    return server


@pytest.mark.parametrize("statement", statements(), ids=lambda one: one.id)
def test_statement(clients, statement):
    with clients.connect(autocommit=True) as connection:
        assert columns_of(connection, statement.text) == statement.columns
