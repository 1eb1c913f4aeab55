"""Statements in the shape of those that clients of PostgreSQL send, and the columns that PostgreSQL gives them.

`statements/*.sql` hold them, one per `-- name:`, each followed by `-- columns:`, a JSON list of names, which `python test/server/client_statements.py`
asks of a PostgreSQL server of its own and writes. Parameters are $1, as in messages of the protocol."""

import json
import pathlib
import sys
from dataclasses import dataclass

import psycopg
from psycopg import pq

FOLDER = pathlib.Path(__file__).parent / "statements"
COLUMNS = "-- columns: "


@dataclass
class Statement:
    file: pathlib.Path
    name: str
    text: str
    columns: list  # None where nobody has asked PostgreSQL yet.

    @property
    def id(self):
        return f"{self.file.stem}: {self.name}"


def schema():
    return (FOLDER / "schema.sql").read_text(encoding="utf-8")


def read(path):
    """The statements of a file, in its order."""
    found = []
    for part in path.read_text(encoding="utf-8").split("-- name: ")[1:]:
        name, _, text = part.partition("\n")
        columns = None
        if text.startswith(COLUMNS):
            line, _, text = text.partition("\n")
            columns = json.loads(line[len(COLUMNS):])
        found.append(Statement(path, name, text.rstrip().removesuffix(";").rstrip(), columns))
    return found


def statements():
    return [one for path in sorted(FOLDER.glob("*.sql")) if path.name != "schema.sql" for one in read(path)]


def write(path, found):
    parts = [f"-- name: {one.name}\n{COLUMNS}{json.dumps(one.columns, ensure_ascii=False)}\n{one.text}\n;\n" for one in found]
    path.write_text("".join(parts), encoding="utf-8")


def checked(result):
    """The result; an error of the server is raised."""
    if result.status not in (pq.ExecStatus.COMMAND_OK, pq.ExecStatus.TUPLES_OK):
        raise psycopg.DatabaseError(result.error_message.decode())
    return result


def columns_of(connection, text):
    """Prepares, describes and runs a statement, with NULL for each parameter, as drivers do, and undoes it. The names of its columns."""
    link = connection.pgconn
    checked(link.exec_(b"BEGIN"))
    try:
        checked(link.prepare(b"asked", text.encode()))
        described = checked(link.describe_prepared(b"asked"))
        names = [described.fname(i).decode() for i in range(described.nfields)]
        if not described.nparams or text.startswith(("SELECT", "WITH")):
            result = checked(link.exec_prepared(b"asked", [None] * described.nparams))
            assert [result.fname(i).decode() for i in range(result.nfields)] == names
        return names
    finally:
        checked(link.exec_(b"ROLLBACK"))
        link.exec_(b"DEALLOCATE asked")


def main():
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "fuzz"))
    from local_postgresql import running

    with running("listen_addresses=", "fsync=off") as home:
        if home is None:
            sys.exit("PostgreSQL is not installed")
        with psycopg.connect(host=home, user="fuzz", dbname="postgres", autocommit=True) as connection:
            connection.execute(schema())
            for path in sorted({one.file for one in statements()}):
                found = read(path)
                for one in found:
                    try:
                        one.columns = columns_of(connection, one.text)
                    except psycopg.Error as error:
                        sys.exit(f"{one.id}: {error}")
                write(path, found)


if __name__ == "__main__":
    main()
