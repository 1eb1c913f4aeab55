"""Calls of stored functions that are kept in files: their arguments as arrays, and what they gave."""

from __future__ import annotations

import copy
import pickle

from . import _stored
from ._constants import numpy_values, placed
from ._functions import _array
from ._grouped import StateCaller, _described

TYPE_CHECKING = False
if TYPE_CHECKING:
    import pathlib
    from typing import Any, Optional

    from ._function_files import FileSource
    from ._scaup import Connection


class Call:
    """One call: the columns, the number of rows, and of aggregates the bounds of the groups and the step."""

    def __init__(self, columns: list[Any], row_count: int, bounds: Optional[list[int]] = None, step: Optional[str] = None) -> None:
        self.columns, self.row_count, self.bounds, self.step = columns, row_count, bounds, step
        self.result: Any = None

    def run(self, caller: Any) -> Any:
        """Calls a function, or the step of a StateCaller, in this thread."""
        if isinstance(caller, StateCaller):
            function, names = caller._steps[self.step or "finish"]
            return function(*self.columns, **self._groups(names))
        if self.bounds is None:
            return caller(*self.columns)
        names = self._names_of(caller)
        if names:
            return caller(*self.columns, **self._groups(names))
        return [caller(*(column[begin:end] for column in self.columns)) for begin, end in zip(self.bounds, self.bounds[1:])]

    def _names_of(self, function: Any) -> Any:
        from ._grouped import names_of_groups

        return names_of_groups(function)

    def _groups(self, names: Any) -> dict[str, Any]:
        import array

        return _described(names, array.array("q", self.bounds or [0, self.row_count]).tobytes(), self.row_count, "numpy")

    def part(self, wanted: Any) -> Call:
        """The call with some of its rows, or of its groups, by their numbers in ascending order."""
        import numpy

        if self.bounds is None:
            return Call([_part(column, wanted) for column in self.columns], len(wanted))
        rows = [numpy.arange(self.bounds[group], self.bounds[group + 1]) for group in wanted]
        bounds = [0, *numpy.cumsum([len(each) for each in rows]).tolist()]
        places = numpy.concatenate(rows) if rows else numpy.array([], numpy.int64)
        return Call([column[places] for column in self.columns], len(places), bounds, self.step)


def _part(column: Any, wanted: Any) -> Any:
    """Some rows of an argument, or a constant as it is."""
    import numpy

    return column[wanted] if isinstance(column, numpy.ndarray) else column


class _Recorder:
    """In the place of what the engine calls: keeps the arguments of each call, and then makes it."""

    def __init__(self, caller: Any, calls: list[Call]) -> None:
        self._caller, self._calls = caller, calls

    def __call__(self, arguments: Any, row_count: int, described: Any) -> Any:
        """`described` are the bounds of groups, or the constants of a function of rows."""
        if isinstance(described, bytes):
            self._keep(arguments, row_count, described)
        else:
            self._keep(arguments, row_count, constants=described)
        return self._caller(arguments, row_count, described)

    def step(self, step: str, arguments: Any, row_count: int, offsets: bytes) -> Any:
        self._keep(arguments, row_count, offsets, step=step)
        return self._caller.step(step, arguments, row_count, offsets)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._caller, name)

    def _keep(self, arguments: Any, row_count: int, offsets: Optional[bytes] = None, step: Optional[str] = None, constants: Any = None) -> None:
        columns = [copy.copy(_array(arguments, number)) for number in range(len(arguments.columns))]
        if constants is not None:
            columns = placed(columns, numpy_values(constants[0]), constants[1])
        bounds = None if offsets is None else memoryview(offsets).cast("q").tolist()
        self._calls.append(Call(columns, row_count, bounds, step))


def capture(connection: Connection, query: str, name: Optional[str]) -> dict[tuple[str, str], list[Call]]:
    """Runs a query in a transaction that is rolled back, and returns the calls of stored functions by their schemas and names."""
    called: dict[tuple[str, str], list[Call]] = {}
    compilers: Any = {each: getattr(_stored, each) for each in ("compile_body", "compile_aggregate")}

    def recording(compile: Any) -> Any:
        def made(schema: str, function: str, *rest: Any) -> Any:
            caller = compile(schema, function, *rest)
            return caller if name not in (None, function, f"{schema}.{function}") else _Recorder(caller, called.setdefault((schema, function), []))

        return made

    # A session of its own, which has compiled no function yet.
    with connection.duplicate() as session:
        for each, compile in compilers.items():
            setattr(_stored, each, recording(compile))
        try:
            session.begin()
            cursor = session.cursor().execute(query)
            if cursor.description:
                cursor.fetchall()
            session.rollback()
        finally:
            for each, compile in compilers.items():
                setattr(_stored, each, compile)
    return {function: calls for function, calls in called.items() if calls}


def sampled(calls: list[Call], sample: Optional[int]) -> list[Call]:
    """The calls with so many rows in all, picked by chance in their order; of aggregates whole groups."""
    total = sum(call.row_count for call in calls)
    if sample is None or total <= sample:
        return calls
    if any(call.step for call in calls):
        calls = [call for call in calls if call.step == "accumulate"]  # The other steps have few rows, and depend on these.
    import numpy

    chance = numpy.random.default_rng()
    kept = []
    for call in calls:
        count = call.row_count if call.bounds is None else len(call.bounds) - 1
        wanted = min(count, max(1, round(count * sample / total)))
        kept.append(call.part(numpy.sort(chance.choice(count, wanted, replace=False))))
    return kept


def path_of(file: FileSource) -> pathlib.Path:
    """The file with the captured calls of a function."""
    return file.path.with_name(f"{file.path.stem}.{file.name}.calls" if file.path.stem != file.name else f"{file.name}.calls")


def save(file: FileSource, calls: list[Call]) -> None:
    """Keeps calls, with what the function in the file gives for them now. A call that fails keeps its error."""
    caller = file.caller()
    for call in calls:
        call.result = _outcome(call, caller)
    path_of(file).write_bytes(pickle.dumps([vars(call) for call in calls]))


def load(file: FileSource) -> list[Call]:
    """The calls that save() has kept; none where there are none. They are pickled: load what you have captured yourself."""
    path = path_of(file)
    if not path.exists():
        return []
    calls = []
    for kept in pickle.loads(path.read_bytes()):
        calls.append(Call(kept["columns"], kept["row_count"], kept["bounds"], kept["step"]))
        calls[-1].result = kept["result"]
    return calls


def stepping(caller: Any) -> Any:
    """The same caller, whose body the debugger steps through from its first line."""
    import functools
    import pdb

    def step(function: Any) -> Any:
        return functools.wraps(function)(lambda *columns, **groups: pdb.Pdb(nosigint=True).runcall(function, *columns, **groups))

    if not isinstance(caller, StateCaller):
        return step(caller)
    caller._steps = {name: (step(function), names) for name, (function, names) in caller._steps.items()}
    return caller


def difference(file: FileSource) -> Optional[str]:
    """What a function gives otherwise than when its calls were captured; None if nothing."""
    caller = file.caller()
    for number, call in enumerate(load(file), 1):
        outcome = _outcome(call, caller)
        if not _is_same(outcome, call.result):
            return f"call {number} with {call.row_count} rows gives {shortened(outcome)}, and gave {shortened(call.result)}"
    return None


def shortened(value: Any) -> str:
    text = " ".join(repr(value).split())
    return text if len(text) <= 200 else text[:200] + "..."


def _outcome(call: Call, caller: Any) -> Any:
    try:
        return call.run(caller)
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def _is_same(one: Any, other: Any) -> bool:
    import numpy

    if type(one) is not type(other):
        return False
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(map(_is_same, one, other))
    if isinstance(one, numpy.ma.MaskedArray):
        masks = numpy.ma.getmaskarray(one), numpy.ma.getmaskarray(other)
        return numpy.array_equal(*masks) and _is_same(one.compressed(), other.compressed())
    if isinstance(one, numpy.ndarray):
        if one.dtype.kind in "fc" and other.dtype.kind in "fc":
            return one.shape == other.shape and bool(numpy.allclose(one, other, rtol=1e-9, atol=0, equal_nan=True))
        return bool(numpy.array_equal(one, other))
    if hasattr(one, "equals"):  # of pandas and pyarrow
        return bool(one.equals(other))
    return bool(one == other or (one != one and other != other))
