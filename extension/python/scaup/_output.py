"""Rows as dicts, CSV, JSON and tensors: what results and relations have in common."""

from __future__ import annotations

from . import _errors

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from typing import Any, Callable, Iterable, Iterator, Mapping, Optional, Sequence, TextIO, Union

    Target = Union[None, str, os.PathLike[str], TextIO]

_BATCH_ROWS = 4096


class RowOutput:
    """Methods on top of fetchmany(), fetchnumpy(), columns and types. Those that read rows read the ones not fetched yet."""

    __slots__ = ()

    if TYPE_CHECKING:

        @property
        def columns(self) -> list[str]: ...
        @property
        def types(self) -> list[str]: ...
        def fetchmany(self, size: int = 1) -> list[tuple[Any, ...]]: ...
        def fetchnumpy(self) -> dict[str, Any]: ...

    def iter_rows(self, batch_size: int = _BATCH_ROWS) -> Iterator[tuple[Any, ...]]:
        """The rows that were not fetched yet, one after the other; so many at a time become Python objects."""
        if isinstance(batch_size, bool) or not isinstance(batch_size, int) or batch_size < 1:
            raise _errors.usage(f"batch_size must be an int of at least 1, not {batch_size!r}", "22023")
        return _rows_of(self, batch_size)

    def to_dicts(self) -> list[dict[str, Any]]:
        """A dict for each row that was not fetched yet. Names that occur again get _1, _2, ... appended, as in fetchnumpy()."""
        names = unique_names(self.columns)
        return [dict(zip(names, row)) for row in self.iter_rows()]

    def torch(self) -> dict[str, Any]:
        """A dict of PyTorch tensors, one for each column, which own their memory. NULLs in columns of floats become NaN.

        Raises NotSupportedError for columns of types that tensors cannot hold, and for NULLs in others than floats;
        ImportError where PyTorch is not installed."""
        try:
            import torch  # type: ignore[import-not-found, unused-ignore]
        except ImportError:
            raise ImportError("torch() needs PyTorch: pip install torch") from None
        return {name: torch.from_numpy(_plain_array(name, array)) for name, array in self.fetchnumpy().items()}


class ResultOutput(RowOutput):
    """The methods of RowOutput that write files; relations write them another way."""

    __slots__ = ()

    def to_csv(self, path_or_buffer: Target = None, *, header: bool = True, sep: str = ",", na_rep: str = "") -> Optional[str]:
        """Writes the rows that were not fetched yet as CSV: to a path, to an object with write(), or into the str that is returned."""
        return write_csv(self, path_or_buffer, header, sep, na_rep, {})

    def to_json(self, path_or_buffer: Target = None, *, array: bool = False) -> Optional[str]:
        """Writes the rows that were not fetched yet as JSON objects, one a line, or all in one array.

        They go to a path, to an object with write(), or, without either, into the str that is returned."""
        return write_json(self, path_or_buffer, array, {})


def unique_names(names: Sequence[str]) -> list[str]:
    """The names, those that occur again with _1, _2, ... appended."""
    used: set[str] = set()
    unique = []
    for name in names:
        candidate, number = name, 0
        while candidate in used:
            number += 1
            candidate = f"{name}_{number}"
        used.add(candidate)
        unique.append(candidate)
    return unique


def _rows_of(source: Any, batch_size: int) -> Iterator[tuple[Any, ...]]:
    while rows := source.fetchmany(batch_size):
        yield from rows


def _plain_array(name: str, array: Any) -> Any:
    import numpy

    if array.dtype.kind not in "biuf":
        raise _errors.not_supported(f'column "{name}" cannot be a tensor: cast it to a number, or leave it out')
    if not isinstance(array, numpy.ma.MaskedArray):
        return numpy.array(array)
    if array.mask.any() and array.dtype.kind != "f":
        raise _errors.not_supported(f'column "{name}" has NULLs, which only tensors of floats can hold, as NaN: use coalesce or a cast')
    return array.filled(numpy.nan) if array.dtype.kind == "f" else numpy.array(array.data)


class _Capsule:
    """What takers of the Arrow PyCapsule interface want, of a capsule that is there."""

    def __init__(self, capsule: Any) -> None:
        self._capsule = capsule

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self._capsule


def reader_of(capsule: Any) -> Any:
    """A pyarrow.RecordBatchReader of a stream."""
    import pyarrow  # type: ignore[import-untyped, import-not-found, unused-ignore]

    return pyarrow.RecordBatchReader.from_stream(_Capsule(capsule))


# --- Files


def is_path(target: Any) -> bool:
    """Whether a target is the name of a file."""
    return isinstance(target, str) or hasattr(target, "__fspath__")


def _write(target: Target, parts: Iterable[str], options: Mapping[str, Any]) -> Optional[str]:
    if options:
        raise _errors.usage(f"these options are for a path only: {', '.join(options)}", "22023")
    if target is None:
        return "".join(parts)
    if isinstance(target, str) or hasattr(target, "__fspath__"):
        with open(target, "w", encoding="utf-8", newline="") as file:
            file.writelines(parts)
    elif hasattr(target, "write"):
        for part in parts:
            target.write(part)
    else:
        raise _errors.usage(f"expected a path or an object with write(), not {type(target).__name__}", "42804")
    return None


def write_csv(source: Any, target: Target, header: bool, sep: str, na_rep: str, options: Mapping[str, Any]) -> Optional[str]:
    """Writes rows the way COPY does."""
    if not isinstance(sep, str) or len(sep) != 1 or sep in '"\r\n':
        raise _errors.usage(f"sep must be one character, and no quote or new line, not {sep!r}", "22023")
    special = (sep, '"', "\n", "\r")

    def field(text: str) -> str:
        if text == na_rep or any(character in text for character in special):
            return '"' + text.replace('"', '""') + '"'
        return text

    def lines() -> Iterator[str]:
        if header:
            yield sep.join(map(field, source.columns)) + "\n"
        writers = [sql_writer(type_name) for type_name in source.types]
        for row in _rows_of(source, _BATCH_ROWS):
            yield sep.join([na_rep if v is None else field(write(v)) for write, v in zip(writers, row)]) + "\n"

    return _write(target, lines(), options)


def write_json(source: Any, target: Target, array: bool, options: Mapping[str, Any]) -> Optional[str]:
    """Writes rows the way COPY does."""
    import json

    def lines() -> Iterator[str]:
        heads = [json.dumps(name, ensure_ascii=False) + ":" for name in unique_names(source.columns)]
        writers = [json_writer(type_name) for type_name in source.types]
        if array:
            yield "["
        before = "\n" if array else ""
        for row in _rows_of(source, _BATCH_ROWS):
            values = ",".join([head + ("null" if v is None else write(v)) for head, write, v in zip(heads, writers, row)])
            yield f"{before}{{{values}}}{'' if array else chr(10)}"
            before = ",\n" if array else ""
        if array:
            yield "\n]\n"

    return _write(target, lines(), options)


# --- Values as text


def _float_text(value: float) -> str:
    if value != value:
        return "NaN"
    if value in (float("inf"), float("-inf")):
        return "Infinity" if value > 0 else "-Infinity"
    text = repr(value)
    return text[:-2] if text.endswith(".0") else text


def _real_text(value: float) -> str:
    """The fewest digits that mean the same 32-bit float."""
    import struct

    if value != value or value in (float("inf"), float("-inf")):
        return _float_text(value)
    for digits in range(1, 10):
        text = f"{value:.{digits}g}"
        try:
            if struct.pack("f", float(text)) == struct.pack("f", value):
                return _float_text(float(text))
        except OverflowError:
            continue
    return _float_text(value)


def _time_text(value: Any) -> str:
    text = str(value.isoformat(" ")) if hasattr(value, "date") else str(value.isoformat())
    if "." in text:
        moment, dot, rest = text.partition(".")
        text = moment + (dot + rest[:6]).rstrip("0") + rest[6:]
    return text[:-3] if text.endswith("+00:00") else text


def _interval_text(value: Any) -> str:
    seconds, micros = value.seconds, value.microseconds
    clock = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}" + (f".{micros:06}".rstrip("0") if micros else "")
    days = f"{value.days} day{'' if value.days == 1 else 's'}" if value.days else ""
    return f"{days} {clock}" if days and (seconds or micros) else days or clock


def _nested_text(value: Any) -> str:
    """An element of a list, or a field of a struct, as PostgreSQL writes it."""
    if value is None:
        return "NULL"
    text = sql_text(value)
    plain = not isinstance(value, (str, bytes, dict)) or (text and text.upper() != "NULL" and not any(c in text for c in '{},()"\\ \t\n'))
    return text if plain else '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def sql_text(value: Any) -> str:
    """A value that is not None as SQL writes it in a text."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return _float_text(value)
    if isinstance(value, bytes):
        return "\\x" + value.hex()
    if isinstance(value, list):
        return "{" + ",".join(map(_nested_text, value)) + "}"
    if isinstance(value, dict):
        return "(" + ",".join("" if item is None else _nested_text(item) for item in value.values()) + ")"
    if hasattr(value, "isoformat"):
        return _time_text(value)
    if hasattr(value, "total_seconds"):
        return _interval_text(value)
    return str(value)


def sql_writer(type_name: str) -> Callable[[Any], str]:
    """The function that writes values of a type into CSV."""
    return _real_text if type_name == "REAL" else sql_text


def _json_text(value: Any) -> str:
    import decimal
    import json

    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, decimal.Decimal)):
        return str(value)
    if isinstance(value, float):
        text = _float_text(value)
        return text if text[-1].isdigit() else f'"{text}"'
    if isinstance(value, list):
        return "[" + ",".join(map(_json_text, value)) + "]"
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(str(key), ensure_ascii=False)}:{_json_text(item)}" for key, item in value.items()) + "}"
    if hasattr(value, "isoformat"):
        text = _time_text(value)
        if hasattr(value, "date"):
            text = text.replace(" ", "T", 1) + (":00" if value.tzinfo is not None and text.endswith("+00") else "")
        return f'"{text}"'
    return json.dumps(sql_text(value), ensure_ascii=False)


def json_writer(type_name: str) -> Callable[[Any], str]:
    """The function that writes values of a type into JSON."""
    if type_name in ("JSON", "JSONB"):
        return str
    if type_name == "REAL":
        return lambda value: _json_text(float(_real_text(value)))
    return _json_text
