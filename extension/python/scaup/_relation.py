"""Relations: queries that are put together step by step, and run when their rows are asked for."""

from __future__ import annotations

import itertools

from . import _errors, _fetching, _sql_text
from ._aggregates import Aggregates, Grouped, as_list
from ._changes import Changes
from ._reshaping import Reshaping
from ._scaup import Cursor, Error, Result
from ._sql_text import bracketed, in_line, quote_name
from ._windows import Windows

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from typing import Any, Callable, Mapping, Optional, Sequence, Union

    from ._sql_text import Parameters

    Names = Union[str, Sequence[str]]
    Tables = dict[str, tuple[Callable[..., Any], bool]]

_JOINS = {
    "inner": "JOIN", "left": "LEFT JOIN", "right": "RIGHT JOIN", "full": "FULL JOIN", "outer": "FULL JOIN", "semi": "", "anti": "",
}
_TEXTS = ("_query", "_base", "_from", "_columns_sql", "_group", "_order", "_limit")


class Held:
    """What a query needs besides its text: the values of its parameters, and the tables of Python that names in it mean.

    The tables are found when the query is checked or runs for the first time (_inputs.find_table), and are the same from then on."""

    __slots__ = ("parameters", "tables")

    def __init__(self, parameters: tuple[Any, ...] = (), tables: Optional[Tables] = None) -> None:
        self.parameters = parameters
        self.tables: Tables = {} if tables is None else tables


_numbers = itertools.count(1)


class Relation(Aggregates, Windows, Reshaping, Changes, _fetching.Fetching):
    """A query on a connection, made by `Connection.sql`, `table`, `values`, `read_csv` or from other relations.

    Every step gives a new relation and leaves the old one as it was; nothing is read before rows are asked for.
    The first fetch runs the query and keeps its rows with the relation; `execute()` runs it anew. Steps see the
    tables as they are when they run. Steps may be made in any thread; rows are fetched by one thread at a time.
    Arguments called names are names of columns as `columns` gives them, whatever characters are in them; all others
    are SQL. Order is kept by filter, select, limit, offset, with_columns, drop, rename and unnest, and by fetching."""

    __slots__ = (
        "_connection", "_query", "_base", "_from", "_alias", "_aliases", "_is_named", "_where", "_columns_sql", "_group", "_order",
        "_limit", "_is_distinct", "_held", "_result", "_described",
    )

    def __init__(self, connection: Cursor) -> None:
        self._connection = connection
        self._query: Optional[str] = None  # the whole text, where the relation is a text as it was given
        self._base: Optional[str] = None  # one table or query in brackets, without its alias; None: joins
        self._from: Optional[str] = None  # the joins
        self._alias = "q"
        self._aliases: tuple[str, ...] = ()  # what expressions in this relation may call its inputs
        self._is_named = False
        self._where: tuple[str, ...] = ()
        self._columns_sql: Optional[str] = None
        self._group: Optional[str] = None
        self._order: Optional[str] = None
        self._limit: Optional[str] = None
        self._is_distinct = False
        self._held = Held()
        self._result: Optional[Result] = None
        self._described: Optional[list[tuple[str, str]]] = None

    # --- Text

    def sql_query(self) -> str:
        """The SQL text of the relation; its parameters, if any, stand in it as they were written."""
        if self._query is not None:
            return self._query
        self._check_composable()
        lines = [f"SELECT {'DISTINCT ' if self._is_distinct else ''}{in_line(self._columns_sql or '*')}", f"FROM {self._from_text()}"]
        if len(self._where) == 1:
            lines.append(f"WHERE {in_line(self._where[0])}")
        elif self._where:
            lines.append("WHERE " + " AND ".join(bracketed(condition) for condition in self._where))
        if self._group is not None:
            lines.append(f"GROUP BY {in_line(self._group)}")
        if self._order is not None:
            lines.append(f"ORDER BY {in_line(self._order)}")
        if self._limit is not None:
            lines.append(self._limit)
        return " ".join(line.rstrip(" ") for line in lines)

    def _from_text(self) -> str:
        return self._from if self._base is None else f"{self._base} AS {quote_name(self._alias)}"  # type: ignore[return-value]

    @property
    def _ran_at_once(self) -> bool:
        """Whether it has only rows, and no text that would give them again."""
        return self._query is None and self._base is None and self._from is None

    def _check_composable(self) -> None:
        if self._ran_at_once:
            raise _errors.not_supported(
                "these rows are of a statement that ran at once and cannot be a part of a query: fetch them, or put them into a table"
            )

    @property
    def _is_pure(self) -> bool:
        """Whether it is only a FROM clause, to which everything can be added."""
        return self._is_plain and self._order is None and not self._where

    @property
    def _is_plain(self) -> bool:
        """Whether its rows are those of the FROM clause with all columns, maybe filtered and ordered."""
        return self._columns_sql is None and self._group is None and self._limit is None and not self._is_distinct

    def _copy(self) -> Relation:
        self._check_composable()
        copy = Relation(self._connection)
        for name in Relation.__slots__:
            if name not in ("_result", "_described"):
                setattr(copy, name, getattr(self, name))
        copy._query = None
        copy._held = Held(self._held.parameters, dict(self._held.tables))
        return copy

    def _wrapped(self) -> Relation:
        """The same rows as a subquery, to which everything can be added."""
        base = bracketed(self.sql_query())
        alias = self._alias if self._base is not None or self._is_named else "q"
        return _leaf(self._connection, base, alias, Held(self._held.parameters, dict(self._held.tables)), self._is_named)

    def _block(self, is_mergeable: bool) -> Relation:
        return self._copy() if is_mergeable else self._wrapped()

    # --- Steps

    def filter(self, condition: str) -> Relation:
        """The rows for which the condition is true."""
        block = self._block(self._is_plain)
        block._where += (_fragment(condition, "a condition"),)
        return block

    where = filter

    def select(self, *expressions: str) -> Relation:
        """The expressions, computed for each row: select("a", "b + 1 AS c") or select("a, b + 1 AS c")."""
        block = self._block(self._is_plain and self._order is None)
        block._columns_sql = _list_text(expressions, "select")
        return block

    project = select

    def aggregate(self, expressions: Names, group_expr: Names = "") -> Relation:
        """Aggregates over all rows, or over the groups that `group_expr` makes: aggregate("g, sum(x) AS s", "g")."""
        block = self._block(self._is_plain and self._order is None)
        block._columns_sql = _list_text(as_list(expressions), "aggregate")
        groups = [_fragment(group, "a group") for group in as_list(group_expr) if group]
        block._group = ", ".join(map(in_line, groups)) or None
        return block

    def group_by(self, *expressions: str) -> Grouped:
        """Groups, to be followed by agg(): group_by("g", "x % 2 AS odd").agg("sum(x) AS s") has columns g, odd and s."""
        keys = [key for expression in expressions for key in _sql_text.split_list(expression)]
        if not keys:
            raise _errors.usage("group_by needs an expression: group_by('g')", "42601")
        return Grouped(self, keys)

    def order(self, *expressions: str) -> Relation:
        """The rows in this order: order("a DESC, b") or order("a DESC", "b")."""
        block = self._block(self._is_plain and self._order is None)
        block._order = _list_text(expressions, "order")
        return block

    sort = order

    def limit(self, n: int, offset: int = 0) -> Relation:
        """At most `n` rows, without the first `offset` ones."""
        block = self._block(self._limit is None)
        block._limit = f"LIMIT {_count(n, 'n')}" + (f" OFFSET {_count(offset, 'offset')}" if offset else "")
        return block

    def head(self, n: int = 5) -> Relation:
        """The first `n` rows."""
        return self.limit(n)

    def offset(self, n: int) -> Relation:
        """All rows but the first `n`."""
        block = self._block(self._limit is None)
        block._limit = f"OFFSET {_count(n, 'n')}"
        return block

    def distinct(self, on: Names = ()) -> Relation:
        """Each row once; with `on`, the first row, in the relation's order, for each value of these expressions."""
        block = self._block(self._is_plain and self._order is None)
        if on:
            block._columns_sql = f"DISTINCT ON ({_list_text(as_list(on), 'distinct')}) *"
        else:
            block._is_distinct = True
        return block

    def sample(self, percent: float) -> Relation:
        """About so many percent of the rows, each chosen by chance, and others each time the query runs."""
        if isinstance(percent, bool) or not isinstance(percent, (int, float)) or not 0 <= percent <= 100:
            raise _errors.usage(f"percent must be a number from 0 to 100, not {percent!r}", "22023")
        return self._wrapped().filter(f"random() < {percent / 100!r}")

    def unnest(self, name: str) -> Relation:
        """A row for each element of the list in this column, beside the row's other columns."""
        return self._select_each(lambda column: f"unnest({quote_name(column)}) AS {quote_name(column)}" if column == name else None, [name])

    def with_columns(self, expressions: Optional[Mapping[str, str]] = None, /, **more: str) -> Relation:
        """All columns and further ones, by name: with_columns(c="a + b"). One of a name that is there takes its place."""
        added = {**(expressions or {}), **more}
        texts = {name: f"{in_line(_fragment(text, 'an expression'))} AS {quote_name(name)}" for name, text in added.items()}
        kept = [texts.pop(name) if name in texts else quote_name(name) for name in self.columns]
        return self.select(*kept, *texts.values())

    def drop(self, *names: str) -> Relation:
        """All columns but these."""
        self._check_names(names)
        kept = [quote_name(name) for name in self.columns if name not in names]
        if not kept:
            raise _errors.usage("a relation cannot lose all of its columns", "42601")
        return self.select(*kept)

    def rename(self, names: Optional[Mapping[str, str]] = None, /, **more: str) -> Relation:
        """The same columns, some with new names: rename({"old": "new"}) or rename(old="new")."""
        changed = {**(names or {}), **more}
        return self._select_each(lambda c: f"{quote_name(c)} AS {quote_name(changed[c])}" if c in changed else None, list(changed))

    def _select_each(self, write: Callable[[str], Optional[str]], names: Sequence[str]) -> Relation:
        self._check_names(names)
        return self.select(*(write(name) or quote_name(name) for name in self.columns))

    def _check_names(self, names: Sequence[str]) -> None:
        columns = self.columns
        for name in names:
            if name not in columns:
                raise _errors.usage(f'there is no column "{name}"; there are: {", ".join(columns)}', "42703")

    def set_alias(self, alias: str) -> Relation:
        """The same rows under a name that expressions may use: set_alias("a").filter("a.x > 1")."""
        copy = self._copy() if self._is_pure and self._base is not None else self._wrapped()
        quote_name(alias)
        copy._alias, copy._aliases, copy._is_named = alias, (alias,), True
        return copy

    @property
    def alias(self) -> str:
        """The name that expressions may use for this relation: the table's, the one of set_alias, or else q."""
        return self._alias

    # --- Two relations

    def _check_other(self, other: Relation) -> None:
        if not isinstance(other, Relation):
            raise _errors.usage(f"the other relation must be a Relation, not {type(other).__name__}", "42804")

    def _combine(self, other: Relation) -> tuple[Relation, Relation, Held]:
        """Both such that the text of the first before that of the second needs what is the third."""
        self._check_other(other)
        if other._connection is not self._connection:
            raise _errors.usage("the relations are of different connections: make both from the same connection object", "55000")
        self._check_composable()
        other._check_composable()
        left, right = self, other._with_other_tables_than(self)
        if left._held.parameters and right._held.parameters:
            left_numbered, right_numbered = (_sql_text.has_numbered(relation.sql_query()) for relation in (left, right))
            if left_numbered and right_numbered:
                right = right._mapped(lambda text: _sql_text.shift_numbered(text, len(left._held.parameters)))
            elif left_numbered:
                left = left._with_question_marks()
            elif right_numbered:
                right = right._with_question_marks()
        both = Held(left._held.parameters + right._held.parameters, {**left._held.tables, **right._held.tables})
        return left, right, both

    def _with_other_tables_than(self, other: Relation) -> Relation:
        """The same rows with a text in which no name means another table of Python than in the other relation's."""
        tables = self._held.tables
        changed = {name: f"held table {next(_numbers)}" for name in tables if other._held.tables.get(name, tables[name]) is not tables[name]}
        if not changed:
            return self
        views = ", ".join(f"{quote_name(name)} AS (SELECT * FROM {quote_name(new)})" for name, new in changed.items())
        text = f'WITH {views} SELECT * FROM {bracketed(self.sql_query())} AS "q"'
        held = Held(self._held.parameters, {changed.get(name, name): table for name, table in tables.items()})
        return _leaf(self._connection, bracketed(text), self._alias, held, self._is_named)

    def _mapped(self, change: Callable[[str], str]) -> Relation:
        copy = self._copy()
        copy._query = self._query
        for name in _TEXTS:
            text = getattr(copy, name)
            setattr(copy, name, None if text is None else change(text))
        copy._where = tuple(map(change, copy._where))
        return copy

    def _with_question_marks(self) -> Relation:
        text, values = _sql_text.to_question_marks(self.sql_query(), self._held.parameters)
        return _leaf(self._connection, bracketed(text), self._alias, Held(tuple(values), self._held.tables), self._is_named)

    def _set_operation(self, word: str, other: Relation) -> Relation:
        left, right, held = self._combine(other)
        text = f"{bracketed(left.sql_query())} {word} {bracketed(right.sql_query())}"
        return query_relation(self._connection, text, held)

    def union(self, other: Relation) -> Relation:
        """The rows of both, each once (SQL's UNION; union_all keeps those that are equal)."""
        return self._set_operation("UNION", other)

    def union_all(self, other: Relation) -> Relation:
        """The rows of both."""
        return self._set_operation("UNION ALL", other)

    def except_(self, other: Relation) -> Relation:
        """The rows that the other relation does not have, each once."""
        return self._set_operation("EXCEPT", other)

    def intersect(self, other: Relation) -> Relation:
        """The rows that both have, each once."""
        return self._set_operation("INTERSECT", other)

    def join(self, other: Relation, condition: Names, how: str = "inner") -> Relation:
        """Pairs of rows. `condition` is SQL, such as "a.id = b.id", or the names of columns that both have and that must be equal.

        A list, or a str that is one plain name, is names of columns. `how` is inner, left, right, full (or outer), semi (rows of this
        relation that have a partner) or anti (those without one). In the condition, and in the steps behind the join, the relations are
        called by their aliases; where both have the same one, the other's becomes q_2, t_2 and so on, unless set_alias gave it."""
        kind = how.lower() if isinstance(how, str) else ""
        if kind not in _JOINS:
            raise _errors.usage(f"how must be one of {', '.join(_JOINS)}, not {how!r}", "42601")
        names = [condition] if isinstance(condition, str) and condition.isidentifier() else condition
        if not names:
            raise _errors.usage("a join needs a condition, or names of columns; cross() is the join without", "42601")
        left, right, held = self._inputs(other)
        if kind in ("semi", "anti"):
            on = names if isinstance(names, str) else " AND ".join(
                f"{quote_name(left._aliases[0])}.{quote_name(n)} = {quote_name(right._aliases[0])}.{quote_name(n)}" for n in names
            )
            block = left._copy()
            block._where += (f"{'NOT ' if kind == 'anti' else ''}EXISTS (SELECT 1 FROM {right._from_text()} WHERE {in_line(on)})",)
            block._held = held
            return block
        on = f"ON {bracketed(names)}" if isinstance(names, str) else f"USING ({', '.join(map(quote_name, names))})"
        return self._joined(left, right, f"{_JOINS[kind]} {right._operand()} {on}", held)

    def cross(self, other: Relation) -> Relation:
        """Each row with each row of the other relation."""
        left, right, held = self._inputs(other)
        return self._joined(left, right, f"CROSS JOIN {right._operand()}", held)

    def _operand(self) -> str:
        return f"({self._from_text()})" if self._base is None else self._from_text()

    def _joined(self, left: Relation, right: Relation, text: str, held: Held) -> Relation:
        joined = Relation(self._connection)
        joined._from = f"{left._from_text()} {text}"
        joined._aliases = left._aliases + right._aliases
        joined._held = held
        return joined

    def _inputs(self, other: Relation) -> tuple[Relation, Relation, Held]:
        """Both as FROM clauses whose aliases differ."""
        left, right, held = self._combine(other)
        left, right = (r if r._is_pure else r._wrapped() for r in (left, right))
        taken = set(left._aliases)
        if taken & set(right._aliases) and right._base is None:
            right = right._wrapped()
        if right._alias in taken and right._base is not None:
            if right._is_named:
                raise _errors.usage(f'both relations are called "{right._alias}": give one another name with set_alias()', "42712")
            right = right._copy()
            number = 2
            while f"{right._alias}_{number}" in taken:
                number += 1
            right._alias = f"{right._alias}_{number}"
            right._aliases = (right._alias,)
        return left, right, held

    def query(self, name: str, sql: str, params: Parameters = None) -> Optional[Relation]:
        """Another statement that reads this relation as a table called `name`; what `sql()` gives for it."""
        text, values = _sql_text.parameters_of(sql, params)
        second = query_relation(self._connection, _sql_text.without_end(text), Held(values))
        first, second, held = self._combine(second)
        head = f"WITH {quote_name(name)} AS {bracketed(first.sql_query())} "
        if _sql_text.is_query(text):
            return query_relation(self._connection, f"{head}SELECT * FROM {bracketed(second.sql_query())} AS \"q\"", held)
        return run_statement(self._connection, head + second.sql_query(), held)

    # --- What it is

    def _describe(self) -> list[tuple[str, str]]:
        if self._described is None:
            if self._result is not None:
                self._described = list(zip(self._result.columns, self._result.types))
            else:
                self._described = describe(self)
        return self._described

    @property
    def columns(self) -> list[str]:
        """The names of the columns. The query is not run for them."""
        return [name for name, _ in self._describe()]

    @property
    def types(self) -> list[str]:
        """The types of the columns, as SQL writes them. The query is not run for them."""
        return [type_name for _, type_name in self._describe()]

    dtypes = types

    @property
    def description(self) -> list[tuple[str, str, None, None, Optional[int], Optional[int], None]]:
        """The columns as DB-API's tuples of seven. The query is not run for them."""
        described: list[tuple[str, str, None, None, Optional[int], Optional[int], None]] = []
        for name, type_name in self._describe():
            width: Optional[int] = None
            scale: Optional[int] = None
            if type_name.startswith("DECIMAL(") and type_name.endswith(")"):
                width, scale = (int(part) for part in type_name[8:-1].split(","))
                type_name = "DECIMAL"
            described.append((name, type_name, None, None, width, scale, None))
        return described

    def __len__(self) -> int:
        """The number of rows: of the kept rows, or else counted by a query."""
        if self._result is None:
            counting = f"SELECT count(*) FROM {bracketed(self.sql_query())} AS \"q\""
            return int(self._run(counting).fetchall()[0][0])
        return len(self._result)

    def __bool__(self) -> bool:
        """Whether there is a row; reads no more than one."""
        return len(self._result) > 0 if self._result is not None else len(self.limit(1)) > 0

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns); the rows are counted as by len()."""
        return len(self), len(self.columns)

    def explain(self, analyze: bool = False, format: Optional[str] = None) -> str:
        """The plan of the query; with `analyze` it is run, and the plan has rows and times. `format` is text or json."""
        options = [f"ANALYZE {'true' if analyze else 'false'}", f"FORMAT {quote_name(format or 'text')}"]
        rows = self._run(f"EXPLAIN ({', '.join(options)}) {self.sql_query()}", is_description=not analyze).fetchall()
        return "\n".join(row[0] for row in rows)

    # --- Execution

    def execute(self) -> Relation:
        """Runs the query now, again if it ran before, and keeps its rows; fetching begins with the first. Gives the relation itself."""
        self._result = self._run(self.sql_query())
        return self

    materialize = execute

    def _run(self, sql: str, is_description: bool = False) -> Result:
        """The result of a text that this relation's is a part of."""
        return _run(self._connection, sql, self._held, is_description)

    def _rows(self) -> Result:
        if self._result is None:
            self.execute()
        return self._result  # type: ignore[return-value]

    def _stream(self, batch_size: int) -> Any:
        """A capsule of a stream of rows that are computed while it is read."""
        run: Any = self._connection
        return run._stream(self.sql_query(), self._held.parameters or None, self._held.tables, batch_size)

    # --- Into tables, views and files

    def to_table(self, name: str, schema: Optional[str] = None) -> None:
        """Makes a table of the rows."""
        self._run(f"CREATE TABLE {_sql_text.quote_table(name, schema)} AS {self.sql_query()}")

    create = to_table

    def to_view(self, name: str, replace: bool = True, schema: Optional[str] = None) -> Relation:
        """Makes a view of the query, in the place of one that is there unless `replace` is false. A view has no parameters."""
        head = "CREATE OR REPLACE VIEW" if replace else "CREATE VIEW"
        self._run(f"{head} {_sql_text.quote_table(name, schema)} AS {self.sql_query()}")
        return table_relation(self._connection, name, schema)

    create_view = to_view

    def insert_into(self, name: str, schema: Optional[str] = None, columns: Sequence[str] = ()) -> None:
        """Inserts the rows into a table: into all of its columns in their order, or into those that `columns` names."""
        listed = f" ({', '.join(map(quote_name, columns))})" if columns else ""
        self._run(f"INSERT INTO {_sql_text.quote_table(name, schema)}{listed} {self.sql_query()}")

    def _copy_to(self, path: Union[str, os.PathLike[str]], options: Mapping[str, Any]) -> None:
        written = ", ".join(f"{quote_name(name)} {_sql_text.option_text(name, value)}" for name, value in options.items() if value is not None)
        target = _sql_text.literal(path)
        self._run(f"COPY {bracketed(self.sql_query())} TO {target} ({written})")


def _fragment(text: str, what: str) -> str:
    if not isinstance(text, str) or not text.strip():
        raise _errors.usage(f"{what} must be a str with SQL, not {text!r}", "42601")
    return text.strip()


def _list_text(expressions: Sequence[str], method: str) -> str:
    if not expressions:
        raise _errors.usage(f"{method} needs an expression", "42601")
    return ", ".join(in_line(_fragment(expression, f"an expression of {method}")) for expression in expressions)


def _count(value: int, name: str) -> int:
    if isinstance(value, bool) or not hasattr(value, "__index__") or value.__index__() < 0:
        raise _errors.usage(f"{name} must be an int that is not negative, not {value!r}", "22023")
    return value.__index__()


def _run(connection: Cursor, sql: str, held: Held, is_description: bool = False) -> Result:
    run: Any = connection
    result: Result = run._run_sql(sql, held.parameters or None, held.tables, is_description)
    return result


def _leaf(connection: Cursor, base: str, alias: str, held: Held, is_named: bool = False) -> Relation:
    relation = Relation(connection)
    relation._base, relation._alias, relation._aliases, relation._is_named = base, alias, (alias,), is_named
    relation._held = held
    return relation


def query_relation(connection: Cursor, sql: str, held: Held, alias: str = "") -> Relation:
    """The relation of a query's text, which is not looked at."""
    relation = _leaf(connection, bracketed(sql), alias or "q", held, bool(alias))
    relation._query = sql
    return relation


def table_relation(connection: Cursor, name: str, schema: Optional[str] = None) -> Relation:
    """The relation of a table or view, which is not looked for."""
    return _leaf(connection, _sql_text.quote_table(name, schema), name, Held())


def describe(relation: Relation) -> list[tuple[str, str]]:
    """(name, type) of each column of a relation, which is checked and not run. Errors are about its own text."""
    sql = relation.sql_query()
    try:
        return [(row[0], row[1]) for row in relation._run(f"DESCRIBE {bracketed(sql)}", is_description=True).fetchall()]
    except Error as error:
        _errors.place(error, sql, (error.position or 0) - len("DESCRIBE ("))
        raise


def run_statement(connection: Cursor, sql: str, held: Held) -> Optional[Relation]:
    """Runs what is no query. Its rows, if it gives any, become a relation that further steps cannot use."""
    result = _run(connection, sql, held)
    if result is None:
        return None
    relation = Relation(connection)
    relation._result = result
    return relation
