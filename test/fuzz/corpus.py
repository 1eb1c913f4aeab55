#!/usr/bin/env python3
"""Writes what statement_fuzzer begins with: every SQL text of test/sql as a file of its own, and a dictionary of words.

Usage: corpus.py FOLDER [DICTIONARY]    (default: FOLDER.dict)
"""

import collections
import hashlib
import pathlib
import re
import sys

TESTS = pathlib.Path(__file__).resolve().parents[1] / "sql"
OPERATORS = ["::", "||", "->", "->>", "#>", "#>>", "@>", "<@", "?|", "?&", "<>", "!=", "<=", ">=", "~~*", "!~*", "^@", "<<", ">>", ":=", "$1", "$$",
             "/*", "*/", "--", "E'", "U&'", "X'", "B'", "''", '\\"', "(", ")", "[", "]", "()", ".*", "1e309", "0x7f", "1_000",
             "9223372036854775808", "170141183460469231731687303715884105728", "OBJECT {}", 'OBJECT {\\"a\\": [1, {\\"b\\": null}]}', '\\"a.b\\"', "a[0].b", "= ANY a.b", "-1", "0.00000000000000000000000000000000000001"]
LONGEST_BYTES = 4096


def statements(text):
    """The SQL of the records of one test file; loop variables become 1."""
    for record in re.split(r"\n\s*\n", text):
        lines = [line for line in record.splitlines() if not line.startswith("#")]
        if not lines or not re.match(r"(statement|query)\b", lines[0]):
            continue
        end = lines.index("----") if "----" in lines else len(lines)
        sql = "\n".join(lines[1:end])
        yield re.sub(r"\$\{\w+\}", "1", sql)


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    dictionary = pathlib.Path(sys.argv[2] if len(sys.argv) == 3 else f"{folder}.dict")
    folder.mkdir(parents=True, exist_ok=True)
    words = collections.Counter()
    count = 0
    for path in sorted(TESTS.rglob("*.test")):
        for sql in statements(path.read_text(encoding="utf-8")):
            words.update(word.upper() for word in re.findall(r"[A-Za-z_]\w+", re.sub(r"'[^']*'", "", sql)))
            content = sql.encode()
            if len(content) <= LONGEST_BYTES:
                (folder / hashlib.sha1(content).hexdigest()).write_bytes(content)
                count += 1
    entries = [word for word, uses in words.most_common() if uses >= 4] + OPERATORS
    dictionary.write_text("".join(f'"{entry}"\n' for entry in entries), encoding="utf-8")
    print(f"{count} texts in {folder}, {len(entries)} words in {dictionary}")


if __name__ == "__main__":
    main()
