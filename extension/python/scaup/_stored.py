"""Functions of the database whose bodies are Python: CREATE FUNCTION ... LANGUAGE PYTHON, and create_function(persist=True)."""

from __future__ import annotations

import ast
import builtins
import keyword
import linecache

from . import _errors

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Sequence

    from ._functions import _Caller


def compile_body(schema: str, name: str, source: str, arguments: list[str], statics: dict[str, Any]) -> _Caller:
    """What the engine calls for a stored function. Runs nothing of the source. Raises SyntaxError."""
    from ._functions import _Caller

    for argument in arguments:
        if not argument.isidentifier() or keyword.iskeyword(argument):
            raise SyntaxError(f'the argument "{argument}" has no name of Python')
    filename = _register_source(name, source)
    body = _parse(source, filename)
    if not any(isinstance(node, (ast.Return, ast.Raise)) for statement in body for node in ast.walk(statement)):
        raise SyntaxError("the body has no return")
    python_name = name if name.isidentifier() and not keyword.iskeyword(name) else "stored_function"
    header = ast.parse(f"def {python_name}({', '.join(arguments)}): pass", filename)
    definition: Any = header.body[0]
    definition.body = body
    scope: dict[str, Any] = {"__name__": "__scaup_function__", "__builtins__": builtins, "_fn": statics.setdefault(f"{schema}.{name}", {})}
    try:
        import numpy

        scope["numpy"] = scope["np"] = numpy
    except ImportError:
        pass
    exec(compile(header, filename, "exec", dont_inherit=True), scope)  # the definition alone: it has no defaults that would run
    return _Caller(name, scope[python_name], "numpy", False)


def _register_source(name: str, source: str) -> str:
    """Lets tracebacks and debuggers show the source. Returns the name of the file that they show."""
    lines = [line + "\n" for line in source.split("\n")]
    filename, number = f"<scaup function {name}>", 1
    while filename in linecache.cache and linecache.getlines(filename) != lines:
        number += 1
        filename = f"<scaup function {name} #{number}>"
    linecache.cache[filename] = (len(source), None, lines, filename)
    return filename


def _parse(source: str, filename: str) -> list[ast.stmt]:
    """The statements of a body, with the line numbers of `source`. Its lines are indented alike, the first one perhaps less, behind a brace."""
    first, separator, rest = source.partition("\n")
    texts = ["if 1:\n" + source]
    if source.strip() and not source.lstrip("\n")[:1].isspace():
        texts.insert(0, "\n" + source)
    if first.strip():
        begin = next((line for line in rest.split("\n") if line.strip()), "")
        texts.append("if 1:\n" + (begin[: len(begin) - len(begin.lstrip())] or " ") + first.strip() + separator + rest)
        texts.append("\n" + first.strip() + separator + rest)
    failure = None
    for text in texts:
        try:
            body = ast.parse(text, filename).body
            if text.startswith("if 1:"):
                if len(body) != 1 or not isinstance(body[0], ast.If) or body[0].orelse:
                    raise IndentationError("unindent does not match any outer indentation level")
                body = body[0].body
            for statement in body:
                ast.increment_lineno(statement, -1)
            return body
        except SyntaxError as error:
            if failure is None or isinstance(failure, IndentationError):
                failure = error
    assert failure is not None
    place = f", line {failure.lineno - 1}" if failure.lineno is not None and failure.lineno > 1 else ""
    text = f": {failure.text.strip()}" if place and failure.text else ""
    raise SyntaxError(f"{failure.msg}{place}{text}") from None


# --- Storing


def statement_of(
    name: str, function: Callable[..., Any], types: Sequence[str], result: str, takes_nulls: bool, has_effects: bool, batch_rows: int | None
) -> str:
    """CREATE OR REPLACE FUNCTION for a function of Python."""
    names, body = _source_of(function)
    if len(names) != len(types):
        raise _errors.usage(f"the function has {len(names)} parameters, not {len(types)}", "42804")
    tag = "$python$"
    while tag in body:
        tag = tag[:-1] + "_$"
    arguments = ", ".join(f'"{each}" {kind}' for each, kind in zip(names, types))
    quoted = (name.lower() if name.isascii() else name).replace('"', '""')
    options = [
        "VOLATILE" if has_effects else "IMMUTABLE", "CALLED ON NULL INPUT" if takes_nulls else "STRICT",
        *([f"SET batch_rows = {batch_rows}"] if batch_rows else []),
    ]
    return f'CREATE OR REPLACE FUNCTION "{quoted}"({arguments}) RETURNS {result} LANGUAGE python_map {" ".join(options)} AS {tag}{body}{tag}'


def _source_of(function: Callable[..., Any]) -> tuple[list[str], str]:
    """The names of the parameters, and the body with what it imports from outside."""
    import inspect
    import textwrap

    try:
        source = textwrap.dedent(inspect.getsource(function))
        names = list(inspect.signature(function).parameters)
    except (OSError, TypeError, ValueError) as error:
        raise _errors.usage(f"the source of the function is not known ({error}): CREATE FUNCTION ... LANGUAGE PYTHON takes it as text", "42P13") from None
    if any(each.kind is not each.POSITIONAL_OR_KEYWORD for each in inspect.signature(function).parameters.values()):
        raise _errors.usage("a function that is stored has a fixed number of parameters, each with a name", "42P13")
    node = _definition_in(source, function)
    if isinstance(node, ast.Lambda):
        body = "return " + ast.unparse(node.body) + "\n"
    else:
        lines = source.split("\n")[node.body[0].lineno - 1 : node.end_lineno]
        if node.body[0].lineno == node.lineno:  # def f(x): return x
            lines = [source.split("\n")[node.lineno - 1][node.body[0].col_offset :], *lines[1:]]
        body = textwrap.dedent("\n".join(lines)) + "\n"
    return names, _imports_of(function) + body


def _definition_in(source: str, function: Callable[..., Any]) -> Any:
    try:
        tree = ast.parse(source)
    except SyntaxError:  # part of a longer statement, such as a lambda among arguments
        tree = ast.Module([], [])
    wanted = ast.Lambda if function.__name__ == "<lambda>" else ast.FunctionDef
    found = [node for node in ast.walk(tree) if isinstance(node, wanted) and getattr(node, "name", "<lambda>") == function.__name__]
    if len(found) != 1:
        raise _errors.usage("the source of the function is not clear: define it by def, on lines of its own", "42P13")
    return found[0]


def _imports_of(function: Callable[..., Any]) -> str:
    """Imports of the modules that a function uses. Raises ProgrammingError 42P13 if it uses other things from outside of itself."""
    import inspect
    import types

    outside = inspect.getclosurevars(function)
    imports = ""
    for name, value in sorted({**outside.globals, **outside.nonlocals}.items()):
        if not isinstance(value, types.ModuleType):
            raise _errors.usage(f"a function that is stored has all it needs within itself, but this one uses {name} from outside", "42P13")
        if not (value.__name__ == "numpy" and name in ("np", "numpy")):
            imports += f"import {value.__name__} as {name}\n"
    return imports
