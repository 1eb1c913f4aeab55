"""Values of Python out of the text form in which a server sends them."""

from __future__ import annotations

import datetime
import decimal
import uuid

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable

    Reader = Callable[[str], Any]


def _timestamp(text: str) -> datetime.datetime:
    return datetime.datetime.fromisoformat(_zone_in_full(_fraction_in_full(text)))


def _fraction_in_full(text: str) -> str:
    """Fractions with six digits, as Python before 3.11 wants them."""
    begin = text.find(".")
    if begin < 0:
        return text
    end = begin + 1
    while end < len(text) and text[end].isdigit():
        end += 1
    return text[:end] + "0" * (7 - (end - begin)) + text[end:]


def _zone_in_full(text: str) -> str:
    """Offsets with minutes, as Python before 3.11 wants them: +02 is +02:00."""
    return text + ":00" if len(text) > 3 and text[-3] in "+-" and ":" in text else text


def _time(text: str) -> datetime.time:
    return datetime.time.max if text.startswith("24:") else datetime.time.fromisoformat(_fraction_in_full(text))


def _interval(text: str) -> datetime.timedelta:
    """A month counts 30 days, as in the module."""
    days, seconds, micros = 0, 0, 0
    parts = text.split()
    while parts:
        part = parts.pop(0)
        if ":" in part:
            sign = -1 if part.startswith("-") else 1
            hours, minutes, rest = part.lstrip("+-").split(":")
            whole, _, fraction = rest.partition(".")
            seconds += sign * (int(hours) * 3600 + int(minutes) * 60 + int(whole))
            micros += sign * int(fraction.ljust(6, "0") or 0)
        else:
            unit = parts.pop(0)
            days += int(part) * (360 if unit.startswith("year") else 30 if unit.startswith("mon") else 1)
    return datetime.timedelta(days, seconds, micros)


_READERS: dict[int, Reader] = {
    16: lambda text: text == "t", 17: lambda text: bytes.fromhex(text[2:]), 20: int, 21: int, 23: int, 26: int, 700: float, 701: float,
    1700: decimal.Decimal, 1082: datetime.date.fromisoformat, 1083: _time, 1114: _timestamp, 1184: _timestamp, 1186: _interval, 2950: uuid.UUID,
}
_LISTS = {
    1000: 16, 1001: 17, 1016: 20, 1005: 21, 1007: 23, 1028: 26, 1021: 700, 1022: 701, 1231: 1700, 1182: 1082, 1183: 1083, 1115: 1114, 1185: 1184,
    1187: 1186, 2951: 2950, 1009: 25, 1015: 1043, 1014: 1042, 199: 114, 3807: 3802,
}


def reader_of(oid: int) -> Reader:
    """What makes a value out of the text of a type, given by its number."""
    if oid in _LISTS:
        element = _READERS.get(_LISTS[oid], str)
        return lambda text: _list(text, element)
    return _READERS.get(oid, str)


def _list(text: str, element: Reader) -> list[Any]:
    """The list that is written {1,2,{"a,b",NULL}}."""
    lists: list[list[Any]] = [[]]
    position = text.index("{")
    while position < len(text):
        sign = text[position]
        position += 1
        if sign == "{":
            lists.append([])
        elif sign == "}":
            done = lists.pop()
            lists[-1].append(done)
        elif sign == '"':
            part = ""
            while text[position] != '"':
                position += text[position] == "\\"
                part += text[position]
                position += 1
            position += 1
            lists[-1].append(element(part))
        elif sign != ",":
            end = position
            while text[end] not in ",}":
                end += 1
            part = text[position - 1 : end]
            lists[-1].append(None if part == "NULL" else element(part))
            position = end
    result: list[Any] = lists[0][0]
    return result
