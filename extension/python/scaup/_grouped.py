"""Aggregate functions of Python: calls with whole groups, with states of a class, or with one group at a time."""

from __future__ import annotations

from . import _errors
from ._functions import _NAMES_OF_GROUPS, Caller, _array, _arrow_columns, _of_objects, _result, type_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Optional

    from ._functions import Kind

STEPS = ("accumulate", "merge", "finish")


class GroupCaller(Caller):
    """What the engine calls for an aggregate, with the rows of groups."""

    __slots__ = ("_kind", "_names")

    def __init__(self, name: str, function: Callable[..., Any], kind: Kind, returns_null: bool, names: Optional[frozenset[str]]) -> None:
        """`names`: of the arguments that describe the groups, which the function takes; none: it gets one group at a time."""
        super().__init__(name, function, returns_null)
        self._kind = kind
        self._names = names
        if kind == "numpy":
            self._hint = " (it gets arrays)"

    def __call__(self, arguments: Any, row_count: int, offsets: bytes) -> Any:
        """The results of the groups, as of Caller. `offsets` are 64-bit numbers, one more than there are groups."""
        columns = self._columns(arguments)
        try:
            if self._names is None:
                return self._group_by_group(columns, offsets)
            return _result(self._function(*columns, **_described(self._names, offsets, row_count, self._kind)), len(offsets) // 8 - 1, self.arrow_type)
        except Exception:
            if not self._returns_null:
                raise
            return None

    def _columns(self, arguments: Any) -> list[Any]:
        if self._kind == "numpy":
            return [_array(arguments, number) for number in range(len(arguments.columns))]
        if self._kind == "arrow":
            return _arrow_columns(arguments)
        if self._kind == "pandas":
            frame = arguments.df()
            return [frame.iloc[:, number] for number in range(frame.shape[1])]
        return [list(column) for column in zip(*arguments.fetchall())]

    def _group_by_group(self, columns: list[Any], offsets: bytes) -> Any:
        bounds = memoryview(offsets).cast("q").tolist()
        function, made = self._function, []
        for begin, end in zip(bounds, bounds[1:]):
            if self._kind == "pandas":
                group = [column.iloc[begin:end].reset_index(drop=True) for column in columns]
            elif self._kind == "arrow":
                group = [column.slice(begin, end - begin) for column in columns]
            else:
                group = [column[begin:end] for column in columns]
            try:
                made.append(_plain(function(*group)))
            except Exception:
                if not self._returns_null:
                    raise
                made.append(None)
        return _of_objects(made, self.arrow_type)


class StateCaller(GroupCaller):
    """What the engine calls for an aggregate with states."""

    __slots__ = ("state", "_steps")

    def __init__(self, name: str, made: Any, names: dict[str, frozenset[str]], state: list[str], kind: Kind = "numpy") -> None:
        super().__init__(name, made.finish, kind, False, names["finish"])
        self.state = state
        self._steps = {step: (getattr(made, step), names[step]) for step in STEPS}

    def step(self, step: str, arguments: Any, row_count: int, offsets: bytes) -> list[Any]:
        """The columns of the states of the groups, each as the result of a call."""
        function, names = self._steps[step]
        made = function(*self._columns(arguments), **_described(names, offsets, row_count, self._kind))
        columns = [made] if len(self.state) == 1 and not isinstance(made, (tuple, list)) else made
        if not isinstance(columns, (tuple, list)) or len(columns) != len(self.state):
            raise ValueError(f"{step} must return a tuple of the {len(self.state)} columns of the state, not {type(made).__name__}")
        return [_result(column, len(offsets) // 8 - 1) for column in columns]


def caller_of(name: str, function: Any, kind: Kind, returns_null: bool) -> GroupCaller:
    """Tells the three forms apart: a class or object with steps, a function that takes names of groups, or one of a single group."""
    if all(callable(getattr(function, step, None)) for step in STEPS):
        if returns_null:
            raise _errors.usage("the exceptions of an aggregate with states end the statement: leave exception_handling out", "22023")
        made = function() if isinstance(function, type) else function
        state = getattr(made, "state", None)
        if state is None:
            state = _annotated_state(made.accumulate)
        names = {step: names_of_groups(getattr(made, step)) for step in STEPS}
        return StateCaller(name, made, names, state_types(state), kind)
    if isinstance(function, type):
        raise _errors.usage(f"an aggregate that is a class has the methods {', '.join(STEPS)}", "42804")
    return GroupCaller(name, function, kind, returns_null, names_of_groups(function) or None)


def names_of_groups(function: Callable[..., Any]) -> frozenset[str]:
    """The parameters of a function that describe groups."""
    import inspect

    try:
        return frozenset(name for name in inspect.signature(function).parameters if name in _NAMES_OF_GROUPS)
    except (TypeError, ValueError):
        return frozenset()


def state_types(state: Any) -> list[str]:
    """The types of a state's columns in SQL, of a list or dict of types."""
    types = list(state.values()) if isinstance(state, dict) else [state] if isinstance(state, str) else list(state)
    if not types:
        raise _errors.usage("the state of an aggregate has a column at least: state = ['DOUBLE', 'BIGINT']", "42804")
    return [type_text(each) for each in types]


def _annotated_state(accumulate: Callable[..., Any]) -> Any:
    import typing

    try:
        annotation = typing.get_type_hints(accumulate).get("return")
    except (TypeError, NameError):
        annotation = None
    parts = typing.get_args(annotation) if typing.get_origin(annotation) is tuple else ()
    if not parts or ... in parts:
        raise _errors.usage("the types of the state are not known: give the class state = ['DOUBLE', 'BIGINT']", "42804")
    return list(parts)


def _described(names: frozenset[str], offsets: bytes, row_count: int, kind: Kind) -> dict[str, Any]:
    """The arguments that describe the groups."""
    described: dict[str, Any] = {}
    group_count = len(offsets) // 8 - 1
    if "n_groups" in names:
        described["n_groups"] = group_count
    if kind == "native":
        bounds = memoryview(offsets).cast("q").tolist()
        if "group_offsets" in names:
            described["group_offsets"] = bounds[:-1]
        if "aggr_group" in names:
            described["aggr_group"] = [group for group in range(group_count) for _ in range(bounds[group + 1] - bounds[group])]
        return described
    if names - {"n_groups"}:
        import numpy

        begins = numpy.frombuffer(offsets, numpy.int64)
        if "group_offsets" in names:
            described["group_offsets"] = begins[:-1]
        if "aggr_group" in names:
            groups = numpy.repeat(numpy.arange(group_count), numpy.diff(begins))
            groups.flags.writeable = False
            described["aggr_group"] = groups
    return described


def _plain(value: Any) -> Any:
    """One value as Python's own."""
    import sys

    if value is None or type(value).__module__ == "builtins":
        return value
    numpy, pandas, arrow = sys.modules.get("numpy"), sys.modules.get("pandas"), sys.modules.get("pyarrow")
    if pandas is not None and (value is pandas.NA or value is pandas.NaT):
        return None
    if numpy is not None and value is numpy.ma.masked:
        return None
    if numpy is not None and isinstance(value, (numpy.datetime64, numpy.timedelta64)):
        return value.astype("datetime64[us]" if isinstance(value, numpy.datetime64) else "timedelta64[us]").item()
    if numpy is not None and isinstance(value, (numpy.generic, numpy.ndarray)):
        if isinstance(value, numpy.ndarray) and value.ndim > 0:
            return value.tolist()
        return value.item()
    if arrow is not None and isinstance(value, arrow.Scalar):
        return value.as_py()
    return value
