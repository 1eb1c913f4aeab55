"""Runs SQLAlchemy's own suite for dialects over Scaup.

    cd test/sqlalchemy
    python -m pytest -p no:cacheprovider --rootdir=. -c setup.cfg test_suite.py --dburi scaup:////tmp/suite.scaup

or over `scaup serve` with --dburi postgresql+psycopg://127.0.0.1:5432/memory. It takes some minutes, so CI does not run it."""

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))

from sqlalchemy.dialects import registry  # noqa: E402

for name in ("scaup", "scaup.scaup"):
    registry.register(name, "scaup.sqlalchemy", "Dialect")
pytest.register_assert_rewrite("sqlalchemy.testing.assertions")

from sqlalchemy.testing.plugin.pytestplugin import *  # noqa: E402,F401,F403
from sqlalchemy.testing.provision import (  # noqa: E402
    drop_all_schema_objects_post_tables, post_configure_engine, set_default_schema_on_connection, temp_table_keyword_args, upsert,
)
from sqlalchemy.dialects.postgresql import provision  # noqa: E402

for hook in (drop_all_schema_objects_post_tables, set_default_schema_on_connection, temp_table_keyword_args, upsert):
    hook.fns["scaup"] = hook.fns["postgresql"]


@post_configure_engine.for_db("scaup", "postgresql")
def make_schemas(url, engine, follower_ident):
    """Makes the schemas that the suite needs. PostgreSQL's hook of this name creates extensions, which Scaup has not."""
    with engine.begin() as connection:
        for name in ("test_schema", "test_schema_2"):
            connection.exec_driver_sql(f"CREATE SCHEMA IF NOT EXISTS {name}")
