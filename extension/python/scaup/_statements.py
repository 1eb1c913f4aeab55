"""What statements a text has, and which tables they name."""

from __future__ import annotations

from . import _sql_text
from ._scaup import _split, _table_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ._scaup import Cursor

_QUERIES = ("select", "values", "from", "table", "show", "describe", "explain", "summarize", "fetch")
_CHANGES = ("insert", "update", "delete", "merge", "copy")


class Statement(str):
    """One statement of a text: the text itself without its semicolon, and what is known of it without a database. `execute()` takes it as any text."""

    __slots__ = ("type", "named_parameters", "expected_result_type")

    type: str  # its first word in capitals, such as SELECT or CREATE; behind WITH that of the statement that it belongs to
    named_parameters: frozenset[str]  # names, or numbers of $1, $2 and ?
    expected_result_type: str  # QUERY_RESULT, CHANGED_ROWS or NOTHING

    @property
    def query(self) -> str:
        """The text."""
        return str(self)


def extract_statements(self: Cursor, query: str) -> list[Statement]:
    """The statements of a text, which are not run: their grammar is checked, names are not. Raises ProgrammingError 42601 for what is no SQL."""
    return [_statement(text) for text in _sql_text.split(query, _split)]


def get_table_names(self: Cursor, query: str, qualified: bool = False) -> set[str]:
    """The names of the tables, views and collections in a text, which need not exist: as they are, or with `qualified` as SQL writes them,
    with their schemas where the text has these. Common table expressions are none. Raises ProgrammingError 42601 for what is no SQL."""
    if not qualified:
        return {name for _, name in _sql_text.about(query, _table_names)}
    names = _sql_text.about(query, _table_names)
    return {f"{_written(schema)}.{_written(name)}" if schema else _written(name) for schema, name in names}


def _written(name: str) -> str:
    is_plain = name.isidentifier() and name == name.lower() and name.isascii()
    return name if is_plain else _sql_text.quote_name(name)


def _statement(text: str) -> Statement:
    words: list[str] = []
    depth, marks = 0, 0
    for kind, begin, end in _sql_text.tokens(text):
        part = text[begin:end]
        if kind == _sql_text.WORD and (depth == 0 or not words):
            words.append(part.lower())
        elif kind == _sql_text.OTHER:
            depth += (part == "(") - (part == ")")
            marks += part == "?"
        if kind not in (_sql_text.SPACE, _sql_text.OTHER) and not words:
            words.append("")
    first = words[0] if words else ""
    if first == "with":
        first = next((word for word in words if word in ("select", "values", "from", "table", *_CHANGES)), "select")
    statement = Statement(text)
    statement.type = "SELECT" if first in ("values", "from", "table") else first.upper()
    statement.named_parameters = frozenset([*_sql_text.names_of(text), *_numbers(text), *map(str, range(1, marks + 1))])
    if first in _QUERIES or "returning" in words:
        statement.expected_result_type = "QUERY_RESULT"
    else:
        statement.expected_result_type = "CHANGED_ROWS" if first in _CHANGES else "NOTHING"
    return statement


def _numbers(text: str) -> list[str]:
    return [text[begin + 1 : end] for kind, begin, end in _sql_text.tokens(text) if kind == _sql_text.NUMBERED]
