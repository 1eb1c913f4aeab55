"""Arguments of functions that are constants in a call: single values among the columns."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def placed(columns: list[Any], values: list[Any], is_constant: list[bool]) -> list[Any]:
    """All arguments in their order."""
    parts = iter(columns), iter(values)
    return [next(parts[is_one]) for is_one in is_constant]


def numpy_values(given: Any) -> list[Any]:
    """A result of one row as the elements of arrays, with their types; NULL is None."""
    from ._functions import _array

    return [None if value is None else _array(given, number)[0] for number, value in enumerate(plain_values(given))]


def arrow_values(given: Any) -> list[Any]:
    """A result of one row as scalars of pyarrow."""
    from ._functions import _arrow_columns

    return [column[0] for column in _arrow_columns(given)]


def pandas_values(given: Any) -> list[Any]:
    """A result of one row as the elements of series; NULL is None."""
    frame = given.df()
    return [None if value is None else frame.iloc[:, number].iloc[0] for number, value in enumerate(plain_values(given))]


def plain_values(given: Any) -> list[Any]:
    """A result of one row as Python's own values."""
    return [given._objects(number)[0] for number in range(len(given.columns))]


def explain_constants(error: BaseException, is_constant: list[bool]) -> None:
    """Lets the message of an error say which arguments are single values, if that may be the reason."""
    reasons = ("has no len()", "subscriptable", "not iterable", "has no attribute", "invalid index to scalar")
    if not isinstance(error, (AttributeError, IndexError, TypeError)) or not any(reason in str(error) for reason in reasons):
        return
    numbers = [str(number) for number, is_one in enumerate(is_constant, 1) if is_one]
    which = f"argument {numbers[0]} is a constant" if len(numbers) == 1 else f"arguments {', '.join(numbers)} are constants"
    try:
        setattr(error, "_scaup_hint", f" ({which} in this call: one value, not a column)")
    except AttributeError:
        pass
