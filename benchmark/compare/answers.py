"""Do two systems give the same rows? Numbers may differ in their last digits, and ties in order."""

from decimal import Decimal

RELATIVE_TOLERANCE = 1e-9
NUMBERS = (int, float, Decimal)


def same_value(a, b):
    if isinstance(a, NUMBERS) and isinstance(b, NUMBERS):
        if a == b:
            return True
        a, b = float(a), float(b)
        return abs(a - b) <= RELATIVE_TOLERANCE * max(abs(a), abs(b))
    return a == b


def same_rows(a, b):
    return len(a) == len(b) and all(len(x) == len(y) and all(map(same_value, x, y)) for x, y in zip(a, b))


def sort_key(row):
    """Rounded, so that last digits do not change the order; numbers of any kind alike."""
    return [(0, "") if value is None else (1, f"{float(value):.8g}") if isinstance(value, NUMBERS) else (2, str(value)) for value in row]


def difference(ours, theirs):
    """None if the answers agree, else where they do not."""
    if same_rows(ours, theirs):
        return None
    a, b = sorted(ours, key=sort_key), sorted(theirs, key=sort_key)
    if same_rows(a, b):
        return None
    if len(a) != len(b):
        return f"{len(a)} rows instead of {len(b)}"
    for x, y in zip(a, b):
        if not same_rows([x], [y]):
            return f"{x} instead of {y}"
    return "rows in another order"
