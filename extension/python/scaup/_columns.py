"""The dict of arrays that fetchnumpy() gives."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ItemsView, Iterator, Optional, ValuesView

    import numpy as np

    from ._scaup import Result

    Array = np.ndarray[Any, Any]
    _Base = dict[str, Array]
else:
    _Base = dict

_NOT_MADE: Any = object()


class Columns(_Base):
    """A dict of NumPy arrays by the names of columns, in which an array is made when it is first asked for.

    Columns of text, dates or decimals that nobody looks at cost nothing. Otherwise it is as any other dict: what is put in
    or deleted is its own. It keeps the result's memory until all of its arrays are made. `dict(columns)` has all arrays, and so have
    copies that pickle makes; `copy()` makes none. Threads may read it at the same time."""

    __slots__ = ("_result", "_numbers")

    def __init__(self, result: Optional[Result] = None, names: tuple[str, ...] = ()) -> None:
        super().__init__((name, _NOT_MADE) for name in names)
        self._result = result
        self._numbers = {name: number for number, name in enumerate(names)}  # of those that are not made

    def __getitem__(self, name: str) -> Array:
        array = super().__getitem__(name)
        return self._make(name) if array is _NOT_MADE else array

    def _make(self, name: str) -> Array:
        result, number = self._result, self._numbers.get(name)
        if result is not None and number is not None:
            made: Array = result._column_array(number)  # type: ignore[attr-defined]
            # Another thread may have been faster: then both get the same array.
            if super().get(name) is _NOT_MADE:
                super().__setitem__(name, made)
                self._forget(name)
        return super().__getitem__(name)

    def _forget(self, name: str) -> None:
        self._numbers.pop(name, None)
        if not self._numbers:
            self._result = None

    def _make_all(self) -> None:
        for name in list(self._numbers):
            self[name]

    def __setitem__(self, name: str, array: Array) -> None:
        super().__setitem__(name, array)
        self._forget(name)

    def __delitem__(self, name: str) -> None:
        super().__delitem__(name)
        self._forget(name)

    # Without this, dict(columns) and **columns would take what is stored, made or not.
    def __iter__(self) -> Iterator[str]:
        return super().__iter__()

    def get(self, name: str, default: Any = None) -> Any:
        """The array of this name, or `default`."""
        return self[name] if name in self else default

    def items(self) -> Any:
        """(name, array) of all columns. Each array is made when the iteration comes to it."""
        import collections.abc

        view: ItemsView[str, Array] = collections.abc.ItemsView(self)
        return view

    def values(self) -> Any:
        """All arrays. Each is made when the iteration comes to it."""
        import collections.abc

        view: ValuesView[Array] = collections.abc.ValuesView(self)
        return view

    def pop(self, name: str, *default: Any) -> Any:
        """Takes the array of this name out of the dict."""
        if name in self:
            self[name]
        return super().pop(name, *default)

    def popitem(self) -> tuple[str, Array]:
        """Takes the last (name, array) out of the dict."""
        self._make_all()
        return super().popitem()

    def setdefault(self, name: str, default: Any = None) -> Any:
        """The array of this name; where there is none, `default` is put in."""
        if name not in self:
            self[name] = default
        return self[name]

    def update(self, *others: Any, **more: Any) -> None:
        """Puts in what another dict or iterable has."""
        for name, array in dict(*others, **more).items():
            self[name] = array

    def clear(self) -> None:
        """Takes everything out of the dict."""
        super().clear()
        self._result, self._numbers = None, {}

    def copy(self) -> Columns:
        """A dict of its own with the same arrays; those that are not made here are not made there."""
        other = Columns()
        for name in self:
            dict.__setitem__(other, name, super().__getitem__(name))
        other._result, other._numbers = self._result, dict(self._numbers)
        return other

    __copy__ = copy

    def __or__(self, other: Any) -> Any:
        return dict(self) | dict(other) if isinstance(other, dict) else NotImplemented

    def __ror__(self, other: Any) -> Any:
        return dict(other) | dict(self) if isinstance(other, dict) else NotImplemented

    def __ior__(self, other: Any) -> Columns:  # type: ignore[override, misc]
        self.update(other)
        return self

    def __eq__(self, other: object) -> bool:
        return dict(self) == dict(other) if isinstance(other, dict) else NotImplemented

    def __ne__(self, other: object) -> bool:
        return dict(self) != dict(other) if isinstance(other, dict) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(dict(self))

    def __reduce_ex__(self, protocol: Any) -> Any:
        return _restored, (dict(self),)


def _restored(arrays: dict[str, Array]) -> Columns:
    columns = Columns()
    columns.update(arrays)
    return columns
