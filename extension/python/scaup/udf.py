"""Stored functions of Python as files under version control: `python -m scaup.udf export | import | debug | test`.

    python -m scaup.udf export voters.scaup functions/        # a file for each function
    python -m scaup.udf debug voters.scaup functions/ "SELECT classify(age, party) FROM voters" --sample 1000
    python functions/classify.py                              # the same call again, in this process: under any debugger
    python -m scaup.udf test functions/                       # all calls that were captured, and what they gave
    python -m scaup.udf import voters.scaup functions/        # what has changed, in one transaction

`debug` runs the query with what the database has, keeps the arguments of the function's calls beside its file, and then steps
through the file's body with them. Nothing but `debug`, `test` and `run` runs a body; `import` reads files without running them."""

from __future__ import annotations

import pathlib
import sys

import scaup

from . import _function_files, _recorded_calls

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from typing import Any, Callable, Iterable, NoReturn, Optional, TypeVar, Union

    _T = TypeVar("_T")

_fn: dict[str, Any] = {}
_shared: dict[str, Any] = {}
"""Stand in files for the dicts that a function, and all functions together, keep as long as the connection."""


def stored(head: str) -> Callable[[_T], _T]:
    """A decorator that says how the database has a function: the statement that creates it, up to AS. It leaves the function as it is."""

    def leave(function: _T) -> _T:
        return function

    return leave


def export_functions(connection: scaup.Connection, folder: Union[str, os.PathLike[str]], names: Optional[list[str]] = None) -> list[pathlib.Path]:
    """Writes the stored functions of Python into files, and returns their paths. Functions of other schemas than main get folders of their own."""
    written: dict[pathlib.Path, str] = {}
    for function in _function_files.functions_of(connection, names):
        place = pathlib.Path(folder)
        if function.schema not in ("main", "public"):
            place /= function.schema
        name = function.name if function.name.isidentifier() else "".join(c if c.isalnum() else "_" for c in function.name)
        path, number = place / f"{name}.py", 1
        while path in written:  # overloads
            number += 1
            path = place / f"{name}_{number}.py"
        written[path] = function.text()
    for path, text in written.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
    return list(written)


def import_functions(
    connection: scaup.Connection, folder: Union[str, os.PathLike[str]], names: Optional[list[str]] = None, dry_run: bool = False
) -> dict[str, str]:
    """Stores the functions of files in the database: all of them, or none if one is refused. Returns "new", "changed" or "same" by name.

    With `dry_run` nothing is changed, but all is checked."""
    before = {function.head: function for function in _function_files.functions_of(connection)}
    done: dict[str, str] = {}
    connection.begin()
    try:
        for file in _files(folder, names):
            known = before.get(file.head)
            if known is not None and not known.is_aggregate and known.arguments != file.arguments:
                _refuse_names(file, known)
            is_same = known is not None and known.body == file.body and (known.comment or None) == (file.comment or None)
            done[file.name] = "same" if is_same else "new" if known is None else "changed"
            if is_same:
                continue
            connection.execute(file.statement())
            made = _made_by(connection, file)
            if not known:
                same_name = [each for each in before.values() if each.head.partition(" RETURNS ")[0] == made.head.partition(" RETURNS ")[0]]
                done[file.name] = "changed" if same_name else "new"
            if (made.comment or None) != (file.comment or None):
                _comment(connection, made, file.comment)
        if dry_run:
            connection.rollback()
        else:
            connection.commit()
    except BaseException:
        connection.rollback()
        raise
    return done


def run(path: Union[str, os.PathLike[str]], name: Optional[str] = None) -> list[Any]:
    """Calls the function in a file with the arguments that `debug` has captured, in this thread, and returns what the calls give."""
    (file,) = _one(_function_files.read_file(pathlib.Path(path).resolve()), name)
    calls = _recorded_calls.load(file)
    if not calls:
        raise SystemExit(f"there are no captured arguments for {file.name}: python -m scaup.udf debug DATABASE FOLDER \"SELECT {file.name}(...) FROM ...\"")
    caller = file.caller()
    return [call.run(caller) for call in calls]


def debug(
    connection: scaup.Connection, folder: Union[str, os.PathLike[str]], query: str, name: Optional[str] = None, sample: Optional[int] = None
) -> list[pathlib.Path]:
    """Captures the arguments that a query gives to functions, beside the functions' files, which are made where they are missing.

    `name` picks one function of those that the query calls; `sample` keeps so many rows, or whole groups of an aggregate, by chance.
    The query runs in a transaction that is rolled back. Returns the paths of the files whose functions were called."""
    called = _recorded_calls.capture(connection, query, name)
    if not called:
        raise SystemExit(f"the query calls no stored function of Python{' named ' + name if name else ''}")
    paths = []
    for (schema, function), calls in called.items():
        def is_called(file: _function_files.FileSource) -> bool:
            return (file.schema, file.stored_name) == (schema, function) and (bool(calls[0].step) or len(file.arguments) == len(calls[0].columns))

        files = list(filter(is_called, _files(folder, None) if any(pathlib.Path(folder).rglob("*.py")) else []))
        if not files:
            made = export_functions(connection, folder, [f"{schema}.{function}"])
            files = list(filter(is_called, (file for path in made for file in _function_files.read_file(path))))
        _recorded_calls.save(files[0], _recorded_calls.sampled(calls, sample))
        paths.append(files[0].path)
    return paths


def check(folder: Union[str, os.PathLike[str]], names: Optional[list[str]] = None) -> dict[str, Optional[str]]:
    """Runs the functions of files with their captured arguments. Returns None by name where they give what the database gave, else what is wrong."""
    return {file.name: _recorded_calls.difference(file) for file in _files(folder, names) if _recorded_calls.path_of(file).exists()}


# --- Files


def _files(folder: Union[str, os.PathLike[str]], names: Optional[list[str]]) -> Iterable[_function_files.FileSource]:
    place = pathlib.Path(folder)
    paths = [place] if place.is_file() else sorted(place.rglob("*.py"))
    if not paths:
        raise SystemExit(f"there are no files of functions in {place}")
    found = [file for path in paths for file in _function_files.read_file(path.resolve())]
    missing = set(names or ()) - {file.name for file in found}
    if missing:
        raise SystemExit(f"there is no function {', '.join(sorted(missing))} in {place}")
    return [file for file in found if not names or file.name in names]


def _one(files: list[_function_files.FileSource], name: Optional[str]) -> list[_function_files.FileSource]:
    found = [file for file in files if name is None or file.name == name]
    if len(found) != 1:
        raise SystemExit(f"name one of the functions {', '.join(file.name for file in files)}" if files else "there is no stored function in the file")
    return found


def _made_by(connection: scaup.Connection, file: _function_files.FileSource) -> _function_files.StoredSource:
    """The function that a file's statement has just made. Raises SyntaxError where its arguments have other names than the file's."""
    made = [each for each in _function_files.functions_of(connection) if each.source == file.body]
    if not made:
        raise scaup.ProgrammingError(f"{file.path}: the decorator does not create a function of Python")
    found = next((each for each in made if each.arguments == file.arguments), None)
    if not hasattr(file.node, "args"):
        return made[0]
    if found is None:
        _refuse_names(file, made[0])
    return found


def _refuse_names(file: _function_files.FileSource, made: _function_files.StoredSource) -> NoReturn:
    raise SyntaxError(f"{file.path}: the arguments are ({', '.join(file.arguments)}), but ({', '.join(made.arguments)}) in the decorator")


def _comment(connection: scaup.Connection, made: _function_files.StoredSource, comment: Optional[str]) -> None:
    types = connection.cursor().execute(
        "SELECT p.oid::regprocedure::text FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE n.nspname = ? AND p.proname = ? AND p.prosrc = ?",
        [made.schema, made.name, made.source],
    ).fetchone()
    text = "NULL" if comment is None else "'" + comment.replace("'", "''") + "'"
    kind = "AGGREGATE" if made.is_aggregate else "FUNCTION"
    if types:
        connection.execute(f"COMMENT ON {kind} {types[0]} IS {text}")


# --- The command


def main(arguments: Optional[list[str]] = None) -> int:
    """What `python -m scaup.udf` does. Returns the exit status."""
    import argparse

    parser = argparse.ArgumentParser(prog="python -m scaup.udf", description="Stored functions of Python as files.")
    commands = parser.add_subparsers(dest="command", required=True)
    for command, text in (("export", "write functions of a database into files"), ("import", "store the functions of files in a database")):
        one = commands.add_parser(command, help=text)
        one.add_argument("database", help="a file of Scaup")
        one.add_argument("folder", help="where the files are")
        one.add_argument("names", nargs="*", help="these functions alone")
        if command == "import":
            one.add_argument("--dry-run", action="store_true", help="say what would change, and check it")
    one = commands.add_parser("debug", help="step through a function with the arguments that a query gives it")
    one.add_argument("database", help="a file of Scaup, whose functions you trust")
    one.add_argument("folder", help="where the files are, or shall be")
    one.add_argument("query", help="a query that calls the function")
    one.add_argument("--function", help="this one of the functions that the query calls")
    one.add_argument("--sample", type=int, metavar="ROWS", help="keep so many rows, by chance")
    one.add_argument("--capture", action="store_true", help="keep the arguments, and do not step: for the debugger of an editor")
    one = commands.add_parser("test", help="run functions with captured arguments, and compare")
    one.add_argument("folder", help="where the files are")
    one.add_argument("names", nargs="*", help="these functions alone")
    given = parser.parse_args(arguments)
    try:
        return {"export": _export, "import": _import, "debug": _debug, "test": _test}[given.command](given)
    except (scaup.Error, SyntaxError, OSError) as error:
        print(f"scaup.udf: {error}", file=sys.stderr)
        return 1


def _export(given: Any) -> int:
    with scaup.connect(given.database, read_only=True) as connection:
        for path in export_functions(connection, given.folder, given.names):
            print(path)
    return 0


def _import(given: Any) -> int:
    with scaup.connect(given.database) as connection:
        done = import_functions(connection, given.folder, given.names, given.dry_run)
    for name, what in done.items():
        print(f"{name}: {what}")
    return 0


def _debug(given: Any) -> int:
    with scaup.connect(given.database, read_only=True, config={"stored_functions": "on"}) as connection:
        paths = debug(connection, given.folder, given.query, given.function, given.sample)
    for path in paths:
        print(f"{path}: arguments captured")
    if given.capture:
        return 0
    if len(paths) > 1:
        print("the query calls several functions: pick one by --function", file=sys.stderr)
        return 1
    (file,) = _one(_function_files.read_file(paths[0]), None)
    caller = _recorded_calls.stepping(file.caller())
    for call in _recorded_calls.load(file):
        print(f"{file.name}() with {call.row_count} rows gives {_recorded_calls.shortened(call.run(caller))}")
    return 0


def _test(given: Any) -> int:
    outcome = check(given.folder, given.names)
    for name, problem in outcome.items():
        print(f"{name}: {problem or 'as captured'}")
    failed = sum(problem is not None for problem in outcome.values())
    print(f"{len(outcome) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
