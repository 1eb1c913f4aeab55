"""Stored functions of Python as files: how a file looks, and how it is read back without running it.

A function's body stands in a `def` with its arguments, an aggregate's with steps in a `class`; the decorator `stored` has the rest of
the statement that creates it. So the file can be edited, checked and debugged as any other, and keeps what the database needs."""

from __future__ import annotations

import ast
import io
import textwrap
import tokenize

from . import _errors, _stored
from ._functions import _NAMES_OF_GROUPS
from ._grouped import STEPS

TYPE_CHECKING = False
if TYPE_CHECKING:
    import pathlib
    from typing import Any, Iterator, Optional

    from ._scaup import Connection

_INDENT = "    "
_GIVEN = ("numpy", "np", "_fn", "_shared", "_conn")  # what bodies have without importing it
_HEAD = "import numpy\nimport numpy as np\n\nimport scaup.udf\nfrom scaup.udf import _fn, _shared\n"
_LISTING = """
    SELECT n.nspname, p.proname, p.prosrc, (p.proargnames::varchar[])[1:p.pronargs], p.prokind, pg_get_functiondef(p.oid), obj_description(p.oid, 'pg_proc')
    FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace JOIN pg_language l ON l.oid = p.prolang
    WHERE l.lanname = 'python' AND n.nspname <> 'pg_temp' ORDER BY n.nspname, p.proname, p.oid"""


class StoredSource:
    """A function as the database has it."""

    def __init__(self, schema: str, name: str, source: str, arguments: list[str], is_aggregate: bool, definition: str, comment: Optional[str]) -> None:
        self.schema, self.name, self.source, self.is_aggregate, self.comment = schema, name, source, is_aggregate, comment
        self.arguments = arguments
        quoted = " AS '" + source.replace("'", "''") + "'"
        if not definition.endswith(quoted):
            raise _errors.usage(f"the definition of {name} does not end with its body", "XX000")
        self.head = definition[: -len(quoted)]

    @property
    def body(self) -> str:
        """The body as files have it: without the indentation that its lines have in common."""
        return plain_body(self.source)

    def text(self) -> str:
        """The file of the function."""
        tree = _stored._parse(self.source, self.name)
        has_steps = self.is_aggregate and {node.name for node in tree if isinstance(node, ast.FunctionDef)} >= set(STEPS)
        name = self.name if self.name.isidentifier() else "stored_function"
        if has_steps:
            definition = f"class {name}:"
        else:
            used = {node.id for statement in tree for node in ast.walk(statement) if isinstance(node, ast.Name)}
            groups = sorted(used & _NAMES_OF_GROUPS - set(self.arguments)) if self.is_aggregate else []
            definition = f"def {name}({', '.join([*self.arguments, *groups])}):"
        quote = '"""' + self.comment.replace("\\", "\\\\").replace('"""', '\\"""') + '"""\n\n' if self.comment else ""
        return (
            f"{quote}{_HEAD}\n\n@scaup.udf.stored({_literal(self.head)})\n{definition}\n{_shifted(self.body, _INDENT)}\n\n"
            f'if __name__ == "__main__":\n{_INDENT}scaup.udf.run(__file__)\n'
        )


class FileSource:
    """A function as a file has it."""

    def __init__(self, path: pathlib.Path, text: str, tree: ast.Module, node: Any, head: str) -> None:
        self.path, self.head, self.node = path, head, node
        self.name: str = node.name
        self.schema, self.stored_name = _names_in(head, node.name)
        self.comment = ast.get_docstring(tree, clean=False)
        self.is_aggregate = "AGGREGATE" in head.upper().partition("(")[0].split()[:-1]
        begin, end, lines = _end_of_head(text, node), node.end_lineno, text.split("\n")
        if node.body[0].lineno <= begin:
            raise SyntaxError(f"{path}, line {node.lineno}: the body stands on lines of its own")
        while end < len(lines) and (not lines[end].strip() or (lines[end][:1].isspace() and lines[end].lstrip()[0] == "#")):
            end += 1  # comments at its end
        self.body = plain_body("\n".join(lines[begin:end]))
        parameters = [] if isinstance(node, ast.ClassDef) else [each.arg for each in node.args.args]
        self.arguments = [each for each in parameters if not (self.is_aggregate and each in _NAMES_OF_GROUPS)]
        self._check(tree)

    def statement(self) -> str:
        """What stores it in a database."""
        head = self.head
        if head.upper().startswith("CREATE ") and not head.upper().startswith("CREATE OR REPLACE"):
            head = "CREATE OR REPLACE" + head[len("CREATE") :]
        tag = "$python$"
        while tag in self.body:
            tag = tag[:-1] + "_$"
        return f"{head} AS {tag}{self.body}{tag}"

    def caller(self) -> Any:
        """What calls the body as it stands in the file, so that breakpoints in the file are met."""
        scope = _stored._scope("", self.name, {})
        if isinstance(self.node, ast.ClassDef):
            return _stored._compile_steps(self.name, list(self.node.body), str(self.path), scope)
        parameters = [each.arg for each in self.node.args.args]
        return _stored._function_of(self.name, parameters, list(self.node.body), str(self.path), scope)

    def _check(self, tree: ast.Module) -> None:
        """Refuses what the function would miss in the database."""
        outside = set()
        for statement in tree.body:
            if isinstance(statement, (ast.Import, ast.ImportFrom)):
                outside |= {(each.asname or each.name).partition(".")[0] for each in statement.names}
            elif isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
                outside.add(statement.name)
            else:
                outside |= {node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        names = [node for statement in self.node.body for node in ast.walk(statement) if isinstance(node, ast.Name)]
        own = {node.id for node in names if not isinstance(node.ctx, ast.Load)}
        for part in ast.walk(self.node):
            if isinstance(part, (ast.Import, ast.ImportFrom)):
                own |= {(each.asname or each.name).partition(".")[0] for each in part.names}
        for node in names:
            if node.id in outside and node.id not in own and node.id not in _GIVEN:
                raise SyntaxError(
                    f"{self.path}, line {node.lineno}: the body uses {node.id} from outside, which the database does not have; put it into the body"
                )


def functions_of(connection: Connection, names: Optional[list[str]] = None) -> Iterator[StoredSource]:
    """The stored functions of Python in a database: all, or those of these names, with or without their schemas."""
    missing = set(names or ())
    for schema, name, source, arguments, kind, definition, comment in connection.cursor().execute(_LISTING).fetchall():
        known = {name, f"{schema}.{name}"}
        if names and not known & set(names):
            continue
        missing -= known
        yield StoredSource(schema, name, source, list(arguments or ()), kind == "a", definition, comment)
    if missing:
        raise _errors.usage(f"there is no stored function of Python {', '.join(sorted(missing))}", "42883")


def read_file(path: pathlib.Path) -> list[FileSource]:
    """The functions in a file, none of which runs."""
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text, str(path))
    found = []
    for node in tree.body:
        if not isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            continue
        for decorator in node.decorator_list:
            called = decorator.func if isinstance(decorator, ast.Call) else None
            name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", None)
            if name != "stored" or not isinstance(decorator, ast.Call):
                continue
            try:
                head = ast.literal_eval(decorator.args[0])
            except (ValueError, IndexError):
                raise SyntaxError(f"{path}, line {node.lineno}: stored() takes the beginning of CREATE FUNCTION as a text") from None
            found.append(FileSource(path, text, tree, node, " ".join(head.split("\n"))))
    return found


def plain_body(source: str) -> str:
    """A body without what its lines are indented by, and with no empty lines around it."""
    first, separator, rest = source.partition("\n")
    candidates = [source]
    if first.strip() and rest.strip():
        # The first line stands behind a brace or quote, without the indentation of the others.
        begin = next(line for line in rest.split("\n") if line.strip())
        candidates.insert(0, begin[: len(begin) - len(begin.lstrip())] + first.lstrip() + separator + rest)
    for candidate in candidates:
        lines = candidate.split("\n")
        while not lines[0].strip() and len(lines) > 1:
            lines.pop(0)
        margin = lines[0][: len(lines[0]) - len(lines[0].lstrip())]
        try:
            plain = _shifted("\n".join(lines), "", margin) if margin else "\n".join(lines)
            ast.parse(plain)
        except (SyntaxError, tokenize.TokenError):
            continue
        return plain.rstrip() + "\n"
    raise SyntaxError("the body is indented in a way that a file cannot have")


def _names_in(head: str, otherwise: str) -> tuple[str, str]:
    """The schema and the name in the beginning of CREATE FUNCTION."""
    import re

    word = r'"(?:[^"]|"")+"|[^\W\d]\w*'
    found = re.match(rf"(?is)\s*CREATE\b.*?\b(?:FUNCTION|AGGREGATE)\s+(?:IF\s+NOT\s+EXISTS\s+)?(?:({word})\s*\.\s*)?({word})\s*\(", head)
    if found is None:
        return "main", otherwise
    names = [each[1:-1].replace('""', '"') if each[:1] == '"' else each.lower() for each in found.groups("main")]
    return "main" if names[0] == "public" else names[0], names[1]


def _end_of_head(text: str, node: Any) -> int:
    """The number of the line that ends the head of a definition, with its colon."""
    depth = 0
    lines = "\n".join(text.split("\n")[node.lineno - 1 :]) + "\n"
    for token in tokenize.generate_tokens(io.StringIO(lines).readline):
        if token.type == tokenize.OP:
            depth += (token.string in "([{") - (token.string in ")]}")
            if token.string == ":" and depth == 0:
                return int(node.lineno) + token.start[0] - 1
    raise SyntaxError(f"line {node.lineno}: the definition has no body")


def _shifted(text: str, indent: str, removed: str = "") -> str:
    """The lines with another indentation, but for those that begin within a string."""
    within: set[int] = set()
    wrapped = "if 1:\n" + textwrap.indent(text, " ") if not removed else "if 1:\n" + text
    for token in tokenize.generate_tokens(io.StringIO(wrapped + "\n").readline):
        if token.start[0] != token.end[0] and token.type not in (tokenize.NEWLINE, tokenize.NL, tokenize.INDENT, tokenize.DEDENT):
            within.update(range(token.start[0], token.end[0]))
    lines = []
    for number, line in enumerate(text.split("\n"), 1):
        if number in within or not line.strip():
            lines.append(line)
        else:
            lines.append(indent + line.removeprefix(removed))
    return "\n".join(lines)


def _literal(text: str) -> str:
    quoted = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{quoted}"'
