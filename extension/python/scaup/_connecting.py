"""Methods of connections and cursors that give relations, and the connection that the module's functions use."""

from __future__ import annotations

import _thread

from . import _appender, _display, _errors, _output, _sql_text, _statements
from ._relation import Held, Relation, describe, query_relation, run_statement, table_relation
from ._scaup import Connection, Cursor, Result, connect

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from typing import Any, Mapping, Optional, Sequence, Union

    from ._sql_text import Parameters

    Paths = Union[str, os.PathLike[str], Sequence[Union[str, os.PathLike[str]]]]

_lock = _thread.allocate_lock()
_default: Optional[Connection] = None


def _sql(self: Cursor, query: str, alias: str = "", params: Parameters = None, parameters: Parameters = None) -> Optional[Relation]:
    """The relation of a query, which is checked now and run when its rows are asked for; other statements run at once.

    `params` (or `parameters`) has the values for ? or $1, $2, ... in a list, or those for $name, :name or %(name)s in a dict. `alias` is the name of
    the relation in further steps. A statement that is no query gives None, or a relation of its rows (SHOW, EXPLAIN, RETURNING).
    The cursor's own result stays as it is."""
    if not isinstance(query, str):
        raise _errors.usage(f"the query must be a str, not {type(query).__name__}", "42601")
    if not isinstance(alias, str):  # sql(query, parameters)
        alias, params = "", alias
    text, values = _sql_text.parameters_of(query, params if parameters is None else parameters)
    try:
        if not _sql_text.is_query(text):
            return run_statement(self, text, Held(values))
        relation = query_relation(self, _sql_text.without_end(text), Held(values), alias)
        relation._described = describe(relation)
    except _errors.Error as error:
        if text is not query:
            _sql_text.restore(error, query)
        raise
    return relation


def _table(self: Cursor, name: str, schema: Optional[str] = None) -> Relation:
    """The relation of a table, view or collection of exactly this name. Raises ProgrammingError if there is none."""
    relation = table_relation(self, name, schema)
    relation._described = describe(relation)
    return relation


def _values(self: Cursor, *rows: Any) -> Relation:
    """The relation of these rows: values((1, "a"), (2, "b")), or of one row: values(1, "a"). Columns are column1, column2, ..."""
    lists = [row if isinstance(row, (list, tuple)) else None for row in rows]
    table: list[Sequence[Any]] = [row for row in lists if row is not None] if all(row is not None for row in lists) else [rows]
    if not rows or not all(table) or len({len(row) for row in table}) != 1:
        raise _errors.usage("values needs rows of one length, such as values((1, 'a'), (2, 'b'))", "42601")
    width = len(table[0])
    texts = ("(" + ", ".join(f"${n * width + i + 1}" for i in range(width)) + ")" for n in range(len(table)))
    return query_relation(self, "VALUES " + ", ".join(texts), Held(tuple(value for row in table for value in row)))


def _table_function(self: Cursor, name: str, params: Optional[Sequence[Any]] = None, **options: Any) -> Relation:
    """The relation of a table function's rows: table_function("range", [10]). Options are named arguments."""
    arguments = [_sql_text.literal(value) for value in params or ()]
    arguments += [f"{_sql_text.quote_name(option)} => {_sql_text.literal(value)}" for option, value in options.items()]
    return _checked(self, f"SELECT * FROM {_sql_text.quote_name(name)}({', '.join(arguments)})")


def _read_csv(self: Cursor, path: Paths, **options: Any) -> Relation:
    """The relation of CSV files: a path, a pattern such as "data/*.csv", or a list of them.

    Delimiter, header and types are found out unless options say them: header=True, sep=";", nullstr="NA", skip=1,
    names=["a", "b"], types=["BIGINT", "VARCHAR"] or columns={"a": "BIGINT", "b": "VARCHAR"}, all_varchar=True, ..."""
    return _read(self, "read_csv", path, options)


def _read_json_documents(self: Cursor, path: Paths) -> Relation:
    """The relation of JSON files: a column `document` with each value in them. Paths are as for read_csv."""
    return _read(self, "read_json_documents", path, {})


def _read_json(self: Cursor, path: Paths, **options: Any) -> Relation:
    """The relation of JSON files whose objects' members are columns. Paths are as for read_csv.

    Types are found out unless columns={"a": "BIGINT", "b": "VARCHAR[]"} says them; maximum_depth=1, records=False, filename=True, ..."""
    return _read(self, "read_json", path, options)


def _read_parquet(self: Cursor, path: Paths, **options: Any) -> Relation:
    """The relation of Parquet files. Paths are as for read_csv; options are those of SQL's read_parquet, such as
    union_by_name=True, filename=True, hive_partitioning=True or file_row_number=True."""
    return _read(self, "read_parquet", path, options)


def _checkpoint(self: Cursor) -> None:
    """Writes what the log has into the database file. Raises OperationalError where a transaction is open."""
    run: Any = self
    run._run_sql("CHECKPOINT", None, {}, False)


def _read(connection: Cursor, function: str, path: Paths, options: Mapping[str, Any]) -> Relation:
    paths = _paths_of(function, path)
    given = _sql_text.literal(paths[0] if len(paths) == 1 else paths)
    return _checked(connection, f"SELECT * FROM {function}({given}{_options_text(options)})")


def _paths_of(function: str, path: Paths) -> list[Union[str, os.PathLike[str]]]:
    if isinstance(path, str) or hasattr(path, "__fspath__"):
        return [path]
    paths = list(path)
    if not paths:
        raise _errors.usage(f"{function} needs at least one path", "22023")
    return paths


def _options_text(options: Mapping[str, Any]) -> str:
    return "".join(f", {_sql_text.quote_name(name)} => {_sql_text.option_text(name, value)}" for name, value in options.items())


def _checked(connection: Cursor, sql: str) -> Relation:
    relation = query_relation(connection, sql, Held())
    relation._described = describe(relation)
    return relation


def _show_result(
    self: Result, max_width: Optional[int] = None, max_rows: int = 20, max_col_width: int = 40, null_value: str = "NULL"
) -> None:
    """Prints the first rows as a table. What was fetched, and what is fetched next, does not matter."""
    print(_display.text_table(_display.result_preview(self), max_width, max_rows, max_col_width, null_value))


def _result_html(self: Result) -> str:
    """The first rows as an HTML table, for notebooks."""
    return _display.html_table(_display.result_preview(self))


def attach() -> None:
    """Gives the classes of the extension the methods that are written in Python."""
    cursor: Any = Cursor
    cursor._run_sql = cursor.sql
    methods = {
        "sql": _sql, "query": _sql, "from_query": _sql, "table": _table, "view": _table, "values": _values,
        "table_function": _table_function, "read_csv": _read_csv, "from_csv_auto": _read_csv,
        "read_json": _read_json, "read_json_documents": _read_json_documents, "read_parquet": _read_parquet, "from_parquet": _read_parquet,
        "checkpoint": _checkpoint, "appender": _appender.appender, "extract_statements": _statements.extract_statements,
        "get_table_names": _statements.get_table_names,
    }
    for name, method in methods.items():
        setattr(cursor, name, method)
    result: Any = Result
    result._text = result.__repr__
    result.show, result._repr_html_ = _show_result, _result_html
    for owner in (_output.RowOutput, _output.ResultOutput):
        for name in ("iter_rows", "to_dicts", "torch", "to_csv", "to_json"):
            if name in vars(owner):
                setattr(result, name, vars(owner)[name])


# --- The default connection


def default_connection() -> Connection:
    """The connection that the module's functions use: one in memory, made at the first call, unless another was set. Thread-safe."""
    global _default
    with _lock:
        if _default is None:
            _default = connect()
        return _default


def set_default_connection(connection: Connection) -> None:
    """Lets the module's functions use this connection from now on. The one before is not closed."""
    global _default
    if not isinstance(connection, Connection):
        raise _errors.usage(f"the default connection must be a Connection, not {type(connection).__name__}", "42804")
    with _lock:
        _default = connection


def _of_default(name: str) -> Any:
    def function(*arguments: Any, **options: Any) -> Any:
        return getattr(default_connection(), name)(*arguments, **options)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"The default connection's {name}()."
    return function


FUNCTIONS = (
    "append", "appender", "begin", "checkpoint", "commit", "create_function", "execute", "executemany", "extract_statements", "from_arrow", "from_csv_auto",
    "from_df", "from_parquet", "from_query", "function", "get_table_names", "list_filesystems", "query", "query_progress", "read_csv", "read_json", "read_json_documents", "read_parquet",
    "register", "register_filesystem", "remove_function", "rollback", "sql", "table", "table_function", "unregister", "unregister_filesystem", "values", "view",
)
MODULE_FUNCTIONS = {name: _of_default(name) for name in FUNCTIONS}
