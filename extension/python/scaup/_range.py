"""A range as Python sees it: all values between two bounds."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_BRACKETS = ("[)", "(]", "[]", "()")


class Range:
    """What a range of SQL is: `lower` and `upper`, None where there is no bound, and `bounds`, brackets that say which of them belong to the
    range: "[)" is the lower one alone. Whole numbers and days always come as "[)". As a parameter it is passed as its text, which becomes a
    range of the type that the statement wants. A multirange is a list of ranges. Immutable, as its values are."""

    __slots__ = ("lower", "upper", "bounds", "empty")
    lower: Any
    upper: Any
    bounds: str
    empty: bool

    def __init__(self, lower: Any = None, upper: Any = None, bounds: str = "[)", empty: bool = False) -> None:
        if bounds not in _BRACKETS:
            raise ValueError(f"the bounds of a range are one of {', '.join(_BRACKETS)}, not {bounds!r}")
        if empty:
            lower = upper = None
        # No range has a bound that is not there.
        bounds = ("(" if lower is None else bounds[0]) + (")" if upper is None else bounds[1])
        for name, value in (("lower", lower), ("upper", upper), ("bounds", bounds), ("empty", empty)):
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a range does not change: make another one, with another {name}")

    def __contains__(self, value: Any) -> bool:
        if self.empty:
            return False
        if self.lower is not None and not (value >= self.lower if self.bounds[0] == "[" else value > self.lower):
            return False
        return self.upper is None or bool(value <= self.upper if self.bounds[1] == "]" else value < self.upper)

    def _parts(self) -> tuple[Any, Any, str, bool]:
        return self.lower, self.upper, self.bounds, self.empty

    def __eq__(self, other: object) -> bool:
        return self._parts() == other._parts() if isinstance(other, Range) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._parts())

    def __reduce__(self) -> tuple[type[Range], tuple[Any, Any, str, bool]]:
        return Range, self._parts()

    def __repr__(self) -> str:
        return "Range(empty=True)" if self.empty else f"Range({self.lower!r}, {self.upper!r}, {self.bounds!r})"

    def __str__(self) -> str:
        if self.empty:
            return "empty"
        return f"{self.bounds[0]}{_bound_text(self.lower)},{_bound_text(self.upper)}{self.bounds[1]}"


def _bound_text(bound: Any) -> str:
    if bound is None:
        return ""
    text = str(bound)
    if text and not any(c.isspace() or c in '()[],"\\' for c in text):
        return text
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
