#!/usr/bin/env python3
"""Draws docs/shell.svg: runs a few statements in the shell and draws what it prints.

docs/picture.py SHELL, for example build/release/extension/shell/scaup
"""

import html
import pathlib
import re
import subprocess
import sys

TARGET = pathlib.Path(__file__).parent / "shell.svg"
STATEMENTS = [
    "CREATE TABLE rides AS SELECT g AS id, ('Ferry,Tram,Bus,Night bus'::VARCHAR) AS lines, g % 4 + 1 AS line,\n"
    "  (g * 7919::BIGINT) % 97 / 4.0 AS minutes FROM generate_series(1, 20000000) AS r(g);",
    ".timer on",
    "SELECT split_part(lines, ',', line) AS line, count(*) AS rides, round(avg(minutes), 2) AS mean, max(minutes) AS longest\n"
    "FROM rides WHERE minutes > 1 GROUP BY lines, line ORDER BY rides DESC;",
    "INSERT INTO events OBJECT {\"kind\": \"click\", \"at\": {\"x\": 3}}, {\"kind\": \"key\", \"code\": 65};",
    "SELECT kind, at.x, code FROM events;",
]
HIDDEN = ["CREATE COLLECTION events;"]
LINE_HEIGHT, CHARACTER, MARGIN = 18, 8.4, 16


def session(shell):
    """Lines of the session: (is typed, text)."""
    script = HIDDEN + STATEMENTS
    output = []
    so_far = []
    for statement in script:
        so_far.append(statement)
        printed = subprocess.run([shell], input="\n".join(so_far) + "\n", capture_output=True, text=True, check=True).stdout
        output.append(printed)
    lines = []
    previous = ""
    for statement, printed in zip(script, output):
        new = printed[len(common(previous, printed)):]
        previous = printed
        if statement in HIDDEN:
            continue
        for number, typed in enumerate(statement.split("\n")):
            lines.append((True, ("scaup> " if number == 0 else "   ...> ") + typed))
        lines += [(False, line) for line in new.strip("\n").split("\n") if line]
    return lines


def common(before, after):
    """What both begin with, up to a line's end; times differ from run to run."""
    strip = re.compile(r"\d+(\.\d+)? m?s")
    kept = []
    for a, b in zip(before.splitlines(keepends=True), after.splitlines(keepends=True)):
        if strip.sub("", a) != strip.sub("", b):
            break
        kept.append(b)
    return "".join(kept)


def draw(lines):
    width = MARGIN * 2 + CHARACTER * max(len(text) for _, text in lines)
    height = MARGIN * 2 + LINE_HEIGHT * len(lines)
    rows = [
        f'<text x="{MARGIN}" y="{MARGIN + LINE_HEIGHT * number + 13}" class="{"t" if typed else "o"}" xml:space="preserve">{html.escape(text)}</text>'
        for number, (typed, text) in enumerate(lines)
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height}" viewBox="0 0 {width:.0f} {height}">\n'
        "<style>text{font:14px ui-monospace,Menlo,Consolas,monospace}.t{fill:#9cdcfe}.o{fill:#d4d4d4}</style>\n"
        f'<rect width="100%" height="100%" rx="8" fill="#1e1e1e"/>\n' + "\n".join(rows) + "\n</svg>\n"
    )


if __name__ == "__main__":
    TARGET.write_text(draw(session(sys.argv[1])))
