"""The tests that SQLAlchemy's package has for dialects."""

from sqlalchemy.testing.suite import *  # noqa: F401,F403
