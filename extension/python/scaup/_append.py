"""append(): frames and other tables of Python into tables and collections, as one INSERT ... SELECT, which asks of the rows whatever the table does."""

from . import _errors, _inputs
from ._relation import Relation
from ._scaup import Cursor, HeldStream, ProgrammingError
from ._sql_text import quote_name, quote_table

_append_rows = Cursor.append


def append(self, table, rows, schema="main", *, by_name=False):
    """Puts rows into a table or a collection: all of them, or none; inside a transaction they belong to it. Returns the cursor, whose rowcount is how many.

    rows: an iterable of dicts, whose keys are names of columns; or a table of columns: a data frame of pandas or Polars, an Arrow table, batch, reader
    or dataset, a dict of arrays or lists, a relation or a result of Scaup, anything with __arrow_c_stream__. Its columns go to those of the table in
    their order, without those that make their own values (GENERATED ALWAYS), or with by_name=True to those of the same names, while the others get
    their defaults. In a collection each row is a document with a key for each column; None is null.

    Where nothing has that name, dicts make a collection. Columns do not, as they might as well be meant for a table: ProgrammingError 42P01.
    Raises what INSERT raises: IntegrityError for rows that break a constraint, DataError for values that do not fit their column."""
    found = None if isinstance(rows, (list, tuple)) else _inputs.opener_of(rows)
    if found is None:
        return _append_rows(self, table, rows, schema)
    if isinstance(rows, Relation):
        rows.execute()  # Now: the connection cannot run it while it inserts.
    target = quote_table(table, schema)
    columns = columns_of(self, target, table, schema)
    if columns is None:
        insert = f"INSERT INTO {target} SELECT r"
    elif by_name:
        names, found = _names_of(found)
        listed = ", ".join(quote_name(name) for name in names)
        insert = f"INSERT INTO {target} ({listed}) SELECT {listed}"
    else:
        insert = f"INSERT INTO {target} ({', '.join(quote_name(name) for name in columns)}) SELECT *"
    with _inputs.own_table(*found) as name:
        try:
            self.execute(f"{insert} FROM {quote_name(name)} AS r")
        except _errors.Error as error:
            _errors.forget_place(error)  # The text is ours.
            raise
    return self


def columns_of(cursor, target, table, schema):
    """The names of the columns that rows have values for; None of a collection."""
    try:
        described = cursor._run_sql(f"DESCRIBE {target}", None, {}, True)
    except ProgrammingError as error:
        if error.sqlstate != "42P01":
            raise
        raise _errors.usage(
            f'table "{table}" does not exist: make it with CREATE TABLE ... AS SELECT * FROM the frame, or a collection with CREATE COLLECTION', "42P01"
        ) from None
    if len(described.columns) != 4:
        return None
    own = cursor._run_sql(
        "SELECT column_name FROM information_schema.columns WHERE table_schema = ? AND table_name = ? "
        "AND (is_generated = 'ALWAYS' OR identity_generation = 'ALWAYS')",
        [schema, table], {}, False,
    )
    makes_own = {name for name, in own.fetchall()}
    return [row[0] for row in described.fetchall() if row[0] not in makes_own]


def _names_of(found):
    """The names of a table's columns, and what opens it afterwards."""
    import pyarrow

    open_table, is_once = found
    held = HeldStream(open_table(()))
    names = pyarrow.schema(held).names
    for name in names:
        if names.count(name) > 1:
            raise _errors.usage(f'column "{name}" is there more than once: append by position, or rename it', "42701")
    return names, ((lambda columns: held), True) if is_once else found


def attach():
    """Puts it into the place of the method for dicts."""
    Cursor.append = append
