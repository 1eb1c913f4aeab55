"""Questions of clients to the catalogs: psql's commands that begin with \\d, and the look-up of types."""

import re
import shutil
import subprocess

import pytest

SCHEMA = """
CREATE TYPE mood AS ENUM ('sad', 'ok');
CREATE TABLE customer (id INTEGER PRIMARY KEY, name VARCHAR(40) NOT NULL UNIQUE, born DATE DEFAULT DATE '2000-01-01', feeling mood);
CREATE TABLE orders (id BIGINT PRIMARY KEY, customer_id INTEGER REFERENCES customer (id) ON DELETE CASCADE, total DECIMAL(12, 2) CHECK (total >= 0), tags TEXT[]);
CREATE INDEX orders_by_total ON orders (total, customer_id);
CREATE VIEW big_orders AS SELECT id, total FROM orders WHERE total > 100;
CREATE SEQUENCE counter START 5;
CREATE FUNCTION add_one(i INTEGER) RETURNS INTEGER LANGUAGE SQL AS 'SELECT i + 1';
COMMENT ON TABLE customer IS 'who buys';
"""

COMMANDS = r"""\d \d+ \dt \dt+ \di \di+ \ds \ds+ \dv \dv+ \dn \dn+ \df \df+ \dT \dT+ \du \du+ \dg \l \l+ \dp \z \dC \do \dx \dO \da \db \dc \dA
\dd \dL \dl \dy \dRp \dX \des \dew \det \dD \ddp \drds \dF \dFp \dFd \dFt \dAc \dAf""".split() + [
    r"\d customer", r"\d orders", r"\d+ orders", r"\d big_orders", r"\d+ big_orders", r"\d counter", r"\d orders_by_total", r"\df+ add_one", r"\sf add_one", r"\sv big_orders"]


@pytest.fixture(scope="module")
def psql(server):
    if shutil.which("psql") is None:
        pytest.skip("there is no psql")
    with server.connect(autocommit=True) as connection:
        connection.execute(SCHEMA)

    def run(command):
        done = subprocess.run(["psql", "-X", "-h", "127.0.0.1", "-p", str(server.port), "-U", "me", "db", "-c", command], capture_output=True, text=True)
        assert "ERROR" not in done.stderr, done.stderr
        return done.stdout

    return run


@pytest.mark.parametrize("command", COMMANDS)
def test_psql_commands(psql, command):
    psql(command)


def lines(text):
    return [re.sub(r"\s+", " ", line).strip() for line in text.splitlines()]


def test_psql_describes_tables(psql):
    text = lines(psql(r"\d orders"))
    assert 'Table "main.orders"' in text
    assert "id | bigint | | not null |" in text
    assert "total | numeric(12,2) | | |" in text
    assert "tags | text[] | | |" in text
    assert '"orders_pkey" PRIMARY KEY, btree (id)' in text
    assert '"orders_by_total" btree (total, customer_id)' in text
    assert '"orders_customer_id_fkey" FOREIGN KEY (customer_id) REFERENCES customer(id) ON DELETE CASCADE' in text
    text = lines(psql(r"\d customer"))
    assert 'TABLE "orders" CONSTRAINT "orders_customer_id_fkey" FOREIGN KEY (customer_id) REFERENCES customer(id) ON DELETE CASCADE' in text
    assert "customer_id | integer | yes | customer_id" in lines(psql(r"\d orders_by_total"))
    assert "main | customer | table | scaup" in " ".join(lines(psql(r"\dt")))


def test_psycopg_looks_types_up(psql, server):
    psycopg = pytest.importorskip("psycopg")
    with server.connect(autocommit=True) as connection:
        info = psycopg.types.enum.EnumInfo.fetch(connection, "mood")
        assert info is not None and list(info.labels) == ["sad", "ok"]
        assert psycopg.types.TypeInfo.fetch(connection, "text").oid == 25
        assert psycopg.types.TypeInfo.fetch(connection, "nope") is None
