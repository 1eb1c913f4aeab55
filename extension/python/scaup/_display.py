"""Tables for people: results and relations as text in a box and as HTML."""

from __future__ import annotations

from . import _output

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Optional, Sequence

_MOST_ROWS = 10_000  # that a relation reads to be shown
_HTML_ROWS = 20
_NUMBERS = (
    "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "REAL", "DOUBLE", "DECIMAL",
)


class Preview:
    """Some rows to show: names, types, rows, and how many rows there are, None where nobody counted."""

    __slots__ = ("columns", "types", "rows", "row_count")

    def __init__(self, columns: list[str], types: list[str], rows: list[tuple[Any, ...]], row_count: Optional[int]) -> None:
        self.columns = columns
        self.types = types
        self.rows = rows
        self.row_count = row_count


def preview(relation: Any) -> Preview:
    """The first rows of a relation, by a query with a LIMIT; what it has fetched is left alone."""
    if relation._ran_at_once:
        return result_preview(relation._result)
    result = relation._run(relation.limit(_MOST_ROWS + 1).sql_query())
    rows = result.fetchall()
    if len(rows) <= _MOST_ROWS:
        return Preview(result.columns, result.types, rows, len(rows))
    count = None if relation._result is None else len(relation._result)
    return Preview(result.columns, result.types, rows[:_MOST_ROWS], count)


def result_preview(result: Any) -> Preview:
    """The first rows of a result, read from the text that it has for them, so that its fetching is left alone."""
    lines = object.__getattribute__(result, "_text")().split("\n")
    spans, begin = [], 0
    rule = next(index for index, line in enumerate(lines) if index > 1 and set(line) <= {"-", "+"})
    for dashes in lines[rule].split("+"):
        spans.append((begin + 1, begin + len(dashes) - 1))
        begin += len(dashes) + 1
    rows = [tuple(line[first:last].rstrip() for first, last in spans) for line in lines[rule + 1 : -1]]
    return Preview(result.columns, result.types, rows, len(result))


def _cell(value: Any, writer: Any, null_value: str, max_col_width: int) -> str:
    text = null_value if value is None else writer(value)
    text = "".join(c if c.isprintable() else " " for c in text[: max_col_width + 1])
    return text if len(text) <= max_col_width else text[: max_col_width - 1] + "…"


def _width(text: str) -> int:
    """Columns of a terminal: wide characters take two, marks that go with the one before none."""
    if text.isascii():
        return len(text)
    import unicodedata

    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def _pad(text: str, width: int, to_right: bool) -> str:
    space = " " * (width - _width(text))
    return space + text if to_right else text + space


def _ends(rows: Sequence[Any], max_rows: int, is_whole: bool) -> tuple[Sequence[Any], Sequence[Any]]:
    """The rows of the beginning and those of the end that are shown; the second is empty where all or no more are known."""
    if len(rows) <= max_rows and is_whole:
        return rows, []
    if not is_whole:
        return rows[:max_rows], []
    head = (max_rows + 1) // 2
    return rows[:head], rows[len(rows) - (max_rows - head) :]


def _count_text(shown: Preview, row_count: int) -> str:
    if shown.row_count is None:
        text = f"more than {len(shown.rows)} rows"
    else:
        text = "1 row" if shown.row_count == 1 else f"{shown.row_count} rows"
    return f"({text}, {row_count} shown)" if shown.row_count != row_count else f"({text})"


def _visible_columns(widths: Sequence[int], max_width: int) -> list[int]:
    """Positions of the columns that fit, -1 for those that are left out in the middle."""
    if sum(widths) + 3 * len(widths) + 1 <= max_width or len(widths) < 3:
        return list(range(len(widths)))
    left, right, used = [0], [len(widths) - 1], widths[0] + widths[-1] + 11
    low, high = 1, len(widths) - 2
    while low <= high:
        is_left = len(left) <= len(right)
        column = low if is_left else high
        if used + widths[column] + 3 > max_width:
            break
        used += widths[column] + 3
        (left if is_left else right).append(column)
        low, high = (low + 1, high) if is_left else (low, high - 1)
    return [*left, -1, *reversed(right)]


def text_table(
    shown: Preview, max_width: Optional[int] = None, max_rows: int = 20, max_col_width: int = 40, null_value: str = "NULL"
) -> str:
    """The table in a box, with names, types, head and tail, and the number of rows below it."""
    if max_width is None:
        import shutil

        max_width = shutil.get_terminal_size((120, 24)).columns
    head, tail = _ends(shown.rows, max_rows, shown.row_count is not None and shown.row_count == len(shown.rows))
    writers = [_output.sql_writer(name) for name in shown.types]
    lines = [[_cell(n, str, "", max_col_width) for n in shown.columns], [_cell(t, str, "", max_col_width) for t in shown.types]]
    for row in (*head, *tail):
        lines.append([_cell(value, writer, null_value, max_col_width) for value, writer in zip(row, writers)])
    widths = [max(_width(line[i]) for line in lines) for i in range(len(shown.columns))]
    to_right = [name.split("(")[0] in _NUMBERS for name in shown.types]
    visible = _visible_columns(widths, max_width)
    drawn = [1 if i < 0 else widths[i] for i in visible]

    def bar(left: str, middle: str, right: str) -> str:
        return left + middle.join("─" * (width + 2) for width in drawn) + right

    def row_text(line: Sequence[str]) -> str:
        cells = ["…" if i < 0 else _pad(line[i], widths[i], to_right[i]) for i in visible]
        return "│ " + " │ ".join(cells) + " │"

    text = [bar("┌", "┬", "┐"), row_text(lines[0]), row_text(lines[1]), bar("├", "┼", "┤")]
    text += [row_text(line) for line in lines[2 : 2 + len(head)]]
    if len(head) + len(tail) < len(shown.rows):
        text.append("│ " + " │ ".join(_pad("·", width, to_right[i] if i >= 0 else False) for i, width in zip(visible, drawn)) + " │")
    text += [row_text(line) for line in lines[2 + len(head) :]]
    text += [bar("└", "┴", "┘"), _count_text(shown, len(head) + len(tail))]
    if -1 in visible:
        text[-1] += f" ({len(shown.columns)} columns, {len(visible) - 1} shown)"
    return "\n".join(text)


def html_table(shown: Preview, max_rows: int = _HTML_ROWS, max_col_width: int = 200) -> str:
    """The same as an HTML table; everything that comes from the data is escaped."""
    import html

    head, tail = _ends(shown.rows, max_rows, shown.row_count is not None and shown.row_count == len(shown.rows))
    writers = [_output.sql_writer(name) for name in shown.types]

    def row_html(row: Sequence[Any]) -> str:
        cells = (
            "<td><i>NULL</i></td>" if value is None else f"<td>{html.escape(_cell(value, writer, '', max_col_width))}</td>"
            for value, writer in zip(row, writers)
        )
        return "<tr>" + "".join(cells) + "</tr>"

    titles = "".join(
        f"<th>{html.escape(name)}<br><small>{html.escape(type_name)}</small></th>" for name, type_name in zip(shown.columns, shown.types)
    )
    parts = [f"<table><thead><tr>{titles}</tr></thead><tbody>", *map(row_html, head)]
    if len(head) + len(tail) < len(shown.rows):
        parts.append(f'<tr><td colspan="{max(len(shown.columns), 1)}">…</td></tr>')
    parts += [*map(row_html, tail), "</tbody></table>", f"<small>{html.escape(_count_text(shown, len(head) + len(tail)))}</small>"]
    return "\n".join(parts)
