"""SQL as text: quoting of names and values, what kind of statement a text is, and numbering of its parameters."""

from __future__ import annotations

from . import _errors

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Iterator, Mapping, Optional, Sequence, Union

    Parameters = Union[None, Sequence[Any], Mapping[str, Any]]

_QUERY_WORDS = frozenset({"select", "with", "values", "from", "table"})
_CHANGE_WORDS = frozenset({"insert", "update", "delete", "merge"})
_tokens: Any = None

# Kinds of tokens that matter here; everything else is "other".
SPACE, TEXT, WORD, NUMBERED, NAMED, OTHER = "space", "text", "word", "numbered", "named", "other"
COLON, PYFORMAT = "colon", "pyformat"  # :name, which may also be the end of a slice, and %(name)s

# Behind these a colon in brackets begins a parameter, behind all other words it ends the lower bound of a slice.
_WORDS_BEFORE_VALUES = frozenset(
    "all and any between case distinct else escape from ilike in is like limit not offset on or select similar some then to when where".split()
)


def quote_name(name: str) -> str:
    """The name as an SQL identifier that means exactly this name, whatever is in it."""
    if not isinstance(name, str) or not name:
        raise _errors.usage(f"a name must be a str that is not empty, not {name!r}", "42602")
    if "\0" in name:
        raise _errors.usage("a name must not contain a zero byte", "42602")
    return '"' + name.replace('"', '""') + '"'


def quote_table(name: str, schema: Optional[str] = None) -> str:
    """The same of a table or view, with its schema if one is given."""
    return quote_name(name) if schema is None else f"{quote_name(schema)}.{quote_name(name)}"


def quote_text(text: str) -> str:
    """The text as an SQL string literal."""
    if "\0" in text:
        raise _errors.usage("a text must not contain a zero byte", "22021")
    return "'" + text.replace("'", "''") + "'"


def literal(value: Any) -> str:
    """The value as an SQL expression of the type that a parameter with this value has."""
    import datetime
    import decimal
    import os
    import uuid

    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, float):
        text = repr(float(value))
        return f"{text}::DOUBLE PRECISION" if text[-1].isdigit() else f"'{text}'::DOUBLE PRECISION"
    if isinstance(value, str):
        return quote_text(value)
    if isinstance(value, os.PathLike):
        return quote_text(os.fsdecode(value))
    if isinstance(value, (bytes, bytearray, memoryview)):
        return f"'\\x{bytes(value).hex()}'::BYTEA"
    if isinstance(value, decimal.Decimal):
        return format(value, "f") if value.is_finite() else literal(float(value))
    if isinstance(value, datetime.datetime):
        return f"{'TIMESTAMP' if value.tzinfo is None else 'TIMESTAMPTZ'} '{value.isoformat(' ')}'"
    if isinstance(value, datetime.date):
        return f"DATE '{value.isoformat()}'"
    if isinstance(value, datetime.time):
        return f"TIME '{value.isoformat()}'"
    if isinstance(value, datetime.timedelta):
        return f"INTERVAL '{value.days} days {value.seconds}.{value.microseconds:06} seconds'"
    if isinstance(value, uuid.UUID):
        return f"UUID '{value}'"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(literal(element) for element in value) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{quote_text(str(key))}: {literal(item)}" for key, item in value.items()) + "}"
    raise _errors.usage(f"a value of type {type(value).__name__} cannot be written as SQL", "42804")


def tokens(sql: str) -> Iterator[tuple[str, int, int]]:
    """(kind, begin, end) of each token. Strings, quoted names and comments are one token each."""
    global _tokens
    if _tokens is None:
        import re

        _tokens = re.compile(
            r"(?P<space>\s+|--[^\n]*)|(?P<nested>/\*)|(?P<text>[eE]'(?:[^'\\]|\\.|'')*'?|'(?:[^']|'')*'?|\"(?:[^\"]|\"\")*\"?)"
            r"|(?P<dollar>\$(?:[^\W\d]\w*)?\$)|(?P<numbered>\$\d+)|(?P<named>\$[^\W\d]\w*)"
            r"|(?P<pyformat>%\((?:[^\W\d]\w*)\)s(?!\w))|(?P<colon>:[^\W\d]\w*)|(?P<word>[^\W\d][\w$]*)|(?P<other>\d[\w.]*|::|%%|.)",
            re.DOTALL,
        )
    position = 0
    while position < len(sql):
        match = _tokens.match(sql, position)
        kind, end = match.lastgroup, match.end()
        if kind == "nested":
            kind, end = SPACE, _comment_end(sql, end)
        elif kind == "dollar":
            close = sql.find(match.group(), end)
            kind, end = TEXT, len(sql) if close < 0 else close + len(match.group())
        yield kind, position, end
        position = end


def _comment_end(sql: str, position: int) -> int:
    depth = 1
    while depth > 0:
        close = sql.find("*/", position)
        if close < 0:
            return len(sql)
        inner = sql.find("/*", position, close)
        depth += 1 if inner >= 0 else -1
        position = (inner if inner >= 0 else close) + 2
    return position


def is_query(sql: str) -> bool:
    """Whether the text is one statement that only reads and can be a part of others: SELECT, VALUES, FROM, TABLE, WITH.

    Several statements, and WITH around one that changes something, are none."""
    words = sql.lstrip(" \t\r\n(").split(None, 1)
    first = words[0].lower() if words else ""
    if first in ("select", "values") and ";" not in sql:
        return True
    first = ""
    ended = False
    for kind, begin, end in tokens(sql):
        if kind == SPACE or (not first and sql[begin:end] == "("):
            continue
        if sql[begin:end] == ";":
            ended = True
        elif ended:
            return False
        elif not first:
            first = sql[begin:end].lower()
            if first not in _QUERY_WORDS:
                return False
        elif kind == WORD and first == "with" and sql[begin:end].lower() in _CHANGE_WORDS:
            return False
    return first != ""


def without_end(sql: str) -> str:
    """The statement without the semicolon behind it and without what follows that."""
    sql = sql.strip()
    if ";" in sql:
        for kind, begin, end in tokens(sql):
            if kind == OTHER and sql[begin:end] == ";":
                return sql[:begin].rstrip()
    return sql


def in_line(text: str) -> str:
    """The text such that more may follow it: a comment to the end of the line is ended by a new line."""
    return text + "\n" if "--" in text else text


def bracketed(sql: str) -> str:
    """The query in parentheses."""
    return "(" + in_line(sql) + ")"


def split_list(text: str) -> list[str]:
    """The parts of a list of expressions: "a, f(b, c)" has two."""
    parts, depth, start = [], 0, 0
    for kind, begin, end in tokens(text):
        if kind == OTHER:
            character = text[begin:end]
            if character in "([{":
                depth += 1
            elif character in ")]}":
                depth -= 1
            elif character == "," and depth == 0:
                parts.append(text[start:begin].strip())
                start = end
    parts.append(text[start:].strip())
    return [part for part in parts if part]


def has_numbered(sql: str) -> bool:
    """Whether parameters are written $1 in it, and not ?."""
    return "$" in sql and any(kind == NUMBERED for kind, _, _ in tokens(sql))


def _replace(sql: str, wanted: str, write: Callable[[str], str]) -> str:
    return "".join(write(sql[begin:end]) if kind == wanted else sql[begin:end] for kind, begin, end in tokens(sql))


def shift_numbered(sql: str, offset: int) -> str:
    """The text with $1 as $(1 + offset), and so on."""
    if offset == 0 or "$" not in sql:
        return sql
    return _replace(sql, NUMBERED, lambda text: f"${int(text[1:]) + offset}")


def to_question_marks(sql: str, parameters: Sequence[Any]) -> tuple[str, list[Any]]:
    """The text with ? for each $1, $2 ..., and the values in the order in which they occur."""
    values: list[Any] = []

    def write(text: str) -> str:
        number = int(text[1:])
        if not 1 <= number <= len(parameters):
            raise _errors.usage(f"there is no value for parameter {text}: {len(parameters)} were given", "42P02")
        values.append(parameters[number - 1])
        return "?"

    return _replace(sql, NUMBERED, write), values


class _NamedText:
    """A statement whose parameters have names, and the same one with $1, $2, ... for them."""

    __slots__ = ("text", "names", "_moves")

    def __init__(self, sql: str) -> None:
        numbers: dict[str, int] = {}
        parts = list(_parts(sql))
        is_pyformat = any(kind == PYFORMAT for kind, _, _ in parts)
        written: list[str] = []
        self._moves: list[tuple[int, int]] = []  # (position in the text, position in sql) of what is written another way
        size = 0
        for kind, begin, end in parts:
            part = sql[begin:end]
            if kind in (NAMED, COLON, PYFORMAT):
                name = part[2:-2] if kind == PYFORMAT else part[1:]
                part = f"${numbers.setdefault(name, len(numbers) + 1)}"
            elif is_pyformat and "%%" in part:
                part = part.replace("%%", "%")
            if part != sql[begin:end]:
                self._moves += [(size, begin), (size + len(part), end)]
            size += len(part)
            written.append(part)
        self.text = "".join(written)
        self.names = tuple(numbers)

    def given_position(self, position: int) -> int:
        """The position in the statement as it was given of what is at this position of the text."""
        new, old = 0, 0
        for move in self._moves:
            if move[0] > position:
                break
            new, old = move
        return old + position - new


def _parts(sql: str) -> Iterator[tuple[str, int, int]]:
    """The tokens; those of kinds NAMED, COLON and PYFORMAT are parameters."""
    brackets: list[str] = []  # those that are open
    is_behind_value = False
    for kind, begin, end in tokens(sql):
        text = sql[begin:end]
        if kind == COLON and is_behind_value and brackets and brackets[-1] in "[{":
            kind = OTHER  # a[low:high], {'key':value}
        yield kind, begin, end
        if kind == SPACE:
            continue
        if text in ("(", "[", "{"):
            brackets.append(text)
        elif text in (")", "]", "}") and brackets:
            brackets.pop()
        if kind == WORD:
            is_behind_value = text.lower() not in _WORDS_BEFORE_VALUES
        else:
            is_behind_value = kind != OTHER or text in (")", "]", "}", "?") or text[0].isdigit()


_MOST_TEXTS = 256
_named_texts: dict[str, _NamedText] = {}


def _named_text(sql: str) -> _NamedText:
    """Kept for statements that come again: to find the names takes longer than a small query."""
    named = _named_texts.get(sql)
    if named is None:
        if len(_named_texts) >= _MOST_TEXTS:
            _named_texts.clear()
        named = _named_texts[sql] = _NamedText(sql)
    return named


def names_of(sql: str) -> tuple[str, ...]:
    """The names of the parameters, each once."""
    return _named_text(sql).names


def number_named(sql: str, parameters: Mapping[str, Any]) -> tuple[str, tuple[Any, ...]]:
    """The text with $1, $2 ... for names, and the values in that order. Each name needs a value, each value a name."""
    named = _named_text(sql)
    for name in named.names:
        if name not in parameters:
            raise _errors.usage(f"there is no value for the parameter {name!r}: the mapping has no such key", "42P02")
    if len(parameters) > len(named.names):
        superfluous = ", ".join(repr(name) for name in parameters if name not in named.names)
        raise _errors.usage(
            f"the statement has no parameter for {superfluous}; names are written $name, :name or %(name)s", "42P02"
        )
    return named.text, tuple([parameters[name] for name in named.names])


def restore(error: BaseException, sql: str) -> None:
    """Lets an error of the text that number_named() gave for `sql` be one about `sql` itself."""
    position = getattr(error, "position", None)
    if isinstance(error, _errors.Error) and position is not None:
        _errors.place(error, sql, _named_text(sql).given_position(position))


def about(sql: str, find: Callable[[str], Any]) -> Any:
    """What find() says of the text with numbers for the names of its parameters; its errors are about `sql` itself."""
    try:
        return find(_named_text(sql).text)
    except _errors.Error as error:
        restore(error, sql)
        raise


def split(sql: str, find: Callable[[str], list[str]]) -> list[str]:
    """The parts of the text that find() gives of the one with numbers for names, as they were written."""
    named = _named_text(sql)
    parts, end = [], 0
    for part in about(sql, find):
        begin = named.text.index(part, end)
        end = begin + len(part)
        parts.append(sql[named.given_position(begin) : named.given_position(end)].strip())
    return parts


class Whole:
    """What stands for the parameters of a statement where another text, without any, does the work of all its runs."""

    def __init__(self, text: str) -> None:
        self.text = text


def parameters_of(sql: str, parameters: Parameters) -> tuple[str, tuple[Any, ...]]:
    """(text, values) with values in a tuple of its own, so that the caller may go on to change what was passed."""
    if parameters is None:
        return sql, ()
    if isinstance(parameters, (list, tuple)):
        return sql, tuple(parameters)
    if isinstance(parameters, Whole):
        return parameters.text, ()
    if isinstance(parameters, dict) or _is_mapping(parameters):
        return number_named(sql, parameters)  # type: ignore[arg-type]
    if isinstance(parameters, (str, bytes)) or not hasattr(parameters, "__iter__"):
        raise _errors.usage(f"parameters must be a list, a tuple or a mapping, not {type(parameters).__name__}", "07001")
    return sql, tuple(parameters)


def _is_mapping(parameters: Any) -> bool:
    import collections.abc

    return isinstance(parameters, collections.abc.Mapping)


def option_text(name: str, value: Any) -> str:
    """The value of an option of a file format. Lists are written as the engine reads them: "a,b"."""
    if isinstance(value, dict):
        return quote_text(", ".join(f"{quote_name(str(name))} {type_name}" for name, type_name in value.items()))
    if isinstance(value, (list, tuple)):
        is_of_names = name.lower() in ("names", "force_quote")
        return quote_text(",".join(quote_name(element) if is_of_names else str(element) for element in value))
    return literal(value)
