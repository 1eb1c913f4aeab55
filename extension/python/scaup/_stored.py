"""Functions of the database whose bodies are Python: CREATE FUNCTION ... LANGUAGE PYTHON, and create_function(persist=True)."""

from __future__ import annotations

import __future__
import ast
import builtins
import keyword
import linecache

from . import _errors
from ._calling import calling_statement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Sequence

    from ._functions import ScalarCaller, Sort
    from ._grouped import GroupCaller
    from ._table_functions import TableCaller


def compile_body(schema: str, name: str, source: str, arguments: list[str], statics: dict[str, Any]) -> ScalarCaller:
    """What the engine calls for a stored function. Runs nothing of the source. Raises SyntaxError."""
    from ._functions import ScalarCaller

    filename = _register_source(name, source)
    body = _parse(source, filename)
    function = _function_of(name, arguments, body, filename, _scope(schema, name, statics))
    return ScalarCaller(name, function, "numpy", False)


def compile_aggregate(schema: str, name: str, source: str, arguments: list[str], statics: dict[str, Any]) -> GroupCaller:
    """What the engine calls for a stored aggregate, likewise. A body that defines accumulate, merge and finish has states."""
    from ._functions import _NAMES_OF_GROUPS
    from ._grouped import STEPS, GroupCaller

    filename = _register_source(name, source)
    body = _parse(source, filename)
    scope = _scope(schema, name, statics)
    if {node.name for node in body if isinstance(node, ast.FunctionDef)} >= set(STEPS):
        return _compile_steps(name, body, filename, scope)
    used = {node.id for statement in body for node in ast.walk(statement) if isinstance(node, ast.Name)}
    names = sorted(used & _NAMES_OF_GROUPS - set(arguments))
    function = _function_of(name, [*arguments, *names], body, filename, scope)
    return GroupCaller(name, function, "numpy", False, frozenset(names) or None)


def compile_table(schema: str, name: str, source: str, arguments: list[str], statics: dict[str, Any]) -> TableCaller:
    """What the engine calls for a stored function that returns rows, likewise. Its columns are described later."""
    from ._table_functions import TableCaller

    filename = _register_source(name, source)
    body = _parse(source, filename)
    function = _function_of(name, arguments, body, filename, _scope(schema, name, statics))
    return TableCaller(name, function, "numpy", arguments)


def _compile_steps(name: str, body: list[ast.stmt], filename: str, scope: dict[str, Any]) -> GroupCaller:
    """The caller of a body that consists of functions and the types of a state. Imports among them run within each function."""
    from ._grouped import STEPS, StateCaller, names_of_groups, state_types

    state: Any = None
    imports: list[ast.stmt] = []
    functions: list[ast.FunctionDef] = []
    for statement in body:
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            imports.append(statement)
        elif isinstance(statement, ast.FunctionDef):
            _check_plain(statement)
            functions.append(statement)
        elif isinstance(statement, ast.Assign) and [getattr(each, "id", "") for each in statement.targets] == ["state"]:
            try:
                state = ast.literal_eval(statement.value)
            except ValueError:
                raise SyntaxError("state is a list of types, such as state = ['DOUBLE', 'BIGINT']") from None
        elif not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)):
            raise SyntaxError(f"line {statement.lineno}: the body has functions, imports and state = [...] alone")
    if not isinstance(state, (list, tuple, dict, str)) or not all(isinstance(each, str) for each in (state.values() if isinstance(state, dict) else state)):
        raise SyntaxError("the types of the state are missing: write state = ['DOUBLE', 'BIGINT']")
    for function in functions:
        function.body[0:0] = imports
    flags = __future__.annotations.compiler_flag  # annotations are not evaluated
    exec(compile(ast.Module(list[ast.stmt](functions), []), filename, "exec", flags=flags, dont_inherit=True), scope)
    made = {function.name: scope[function.name] for function in functions}
    if any(function.args.args and function.args.args[0].arg == "self" for function in functions if function.name in STEPS):
        methods: Any = type(name, (), made)()
    else:
        methods = type(name, (), {key: staticmethod(value) for key, value in made.items()})()
    return StateCaller(name, methods, {step: names_of_groups(getattr(methods, step)) for step in STEPS}, state_types(state))


def _check_plain(function: ast.FunctionDef) -> None:
    """Refuses definitions that would run code, because a definition is made before the function may run."""
    defaults = [each for each in (*function.args.defaults, *function.args.kw_defaults) if each is not None]
    if function.decorator_list or not all(isinstance(each, ast.Constant) for each in defaults):
        raise SyntaxError(f"line {function.lineno}: {function.name} has decorators, or defaults that are no constants")
    if function.name == "__init__":
        raise SyntaxError(f"line {function.lineno}: an aggregate has no __init__; its state is in the columns of accumulate")


def _scope(schema: str, name: str, statics: dict[str, Any]) -> dict[str, Any]:
    """The global variables of a function."""
    scope: dict[str, Any] = {"__name__": "__scaup_function__", "__builtins__": builtins, "_fn": statics.setdefault(f"{schema}.{name}", {}), "_conn": calling_statement}
    scope["_shared"] = statics.setdefault("", {})  # no function has this name
    try:
        import numpy

        scope["numpy"] = scope["np"] = numpy
    except ImportError:
        pass
    return scope


def _function_of(name: str, arguments: list[str], body: list[ast.stmt], filename: str, scope: dict[str, Any]) -> Any:
    """The function with this body."""
    for argument in arguments:
        if not argument.isidentifier() or keyword.iskeyword(argument):
            raise SyntaxError(f'the argument "{argument}" has no name of Python')
    if not any(isinstance(node, (ast.Return, ast.Raise, ast.Yield, ast.YieldFrom)) for statement in body for node in ast.walk(statement)):
        raise SyntaxError("the body has no return")
    python_name = name if name.isidentifier() and not keyword.iskeyword(name) else "stored_function"
    header = ast.parse(f"def {python_name}({', '.join(arguments)}): pass", filename)
    definition: Any = header.body[0]
    definition.body = body
    exec(compile(header, filename, "exec", dont_inherit=True), scope)  # the definition alone: it has no defaults that would run
    return scope[python_name]


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
    name: str, function: Any, types: Sequence[str], result: str, takes_nulls: bool, has_effects: bool, batch_rows: int | None, kind: Sort = "scalar"
) -> str:
    """CREATE OR REPLACE FUNCTION or AGGREGATE for a function of Python, or for the class of an aggregate."""
    if kind == "aggregate":
        from ._grouped import caller_of, names_of_groups

        state = getattr(caller_of(name, function, "numpy", False), "state", None)
        if state is not None:
            names, body = _source_of_class(function if isinstance(function, type) else type(function), state)
        else:
            names, body = _source_of(function)
            names = [each for each in names if each not in names_of_groups(function)]
    else:
        names, body = _source_of(function)
    if len(names) != len(types):
        raise _errors.usage(f"the function has {len(names)} parameters, not {len(types)}", "42804")
    tag = "$python$"
    while tag in body:
        tag = tag[:-1] + "_$"
    arguments = ", ".join(f'"{each}" {kind}' for each, kind in zip(names, types))
    quoted = (name.lower() if name.isascii() else name).replace('"', '""')
    options = [
        *(["VOLATILE" if has_effects else "IMMUTABLE"] if kind == "scalar" else []), "CALLED ON NULL INPUT" if takes_nulls else "STRICT",
        *([f"SET batch_rows = {batch_rows}"] if batch_rows else []),
    ]
    what, language = ("AGGREGATE", "python") if kind == "aggregate" else ("FUNCTION", "python_map")
    return f'CREATE OR REPLACE {what} "{quoted}"({arguments}) RETURNS {result} LANGUAGE {language} {" ".join(options)} AS {tag}{body}{tag}'


def table_statement_of(name: str, function: Any, arguments: Sequence[tuple[bool, str]], result: str, batch_rows: int | None) -> str:
    """CREATE OR REPLACE FUNCTION for a function of Python that returns rows. Tables are structs of their columns here."""
    names, body = _source_of(function)
    if len(names) != len(arguments):
        raise _errors.usage(f"the function has {len(names)} parameters, not {len(arguments)}", "42804")
    if any(is_table and not text for is_table, text in arguments):
        raise _errors.usage("the table that a stored function gets has columns: {'id': 'INTEGER'}, or 'TABLE (id INTEGER)'", "42804")
    tag = "$python$"
    while tag in body:
        tag = tag[:-1] + "_$"
    texts = ", ".join(f'"{each}" {"TABLE " + text[6:] if is_table else text}' for each, (is_table, text) in zip(names, arguments))
    quoted = (name.lower() if name.isascii() else name).replace('"', '""')
    language, options = ("python_map", f" SET batch_rows = {batch_rows}") if batch_rows else ("python", "")
    return f'CREATE OR REPLACE FUNCTION "{quoted}"({texts}) RETURNS TABLE {result[6:]} LANGUAGE {language}{options} AS {tag}{body}{tag}'


def _source_of_class(made: type, state: list[str]) -> tuple[list[str], str]:
    """The names of the arguments, and the methods of an aggregate's class, with the types of its state."""
    import inspect
    import textwrap

    from ._grouped import names_of_groups

    try:
        source = textwrap.dedent(inspect.getsource(made))
        definition = next(node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ClassDef))
    except (OSError, TypeError, SyntaxError, StopIteration) as error:
        raise _errors.usage(f"the source of the class is not known ({error}): CREATE AGGREGATE ... LANGUAGE PYTHON takes it as text", "42P13") from None
    body, imports = f"state = {state!r}\n", set()
    for node in definition.body:
        if isinstance(node, ast.FunctionDef):
            segment = "\n".join(source.split("\n")[node.lineno - 1 : node.end_lineno])
            imports.update(_imports_of(getattr(made, node.name)).splitlines())
            body += textwrap.dedent(segment) + "\n"
    accumulate = getattr(made, "accumulate")
    names = [each for each in inspect.signature(accumulate).parameters if each not in names_of_groups(accumulate)]
    return names[1:] if names[:1] == ["self"] else names, "".join(line + "\n" for line in sorted(imports)) + body


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
