"""Long files and functions: a ratchet. Those in ratchet.txt may stay as long as they are; new ones are refused."""

import re

from source_tree import ROOT

RATCHET = ROOT / "test" / "tidy" / "ratchet.txt"
FILE_FAILS = 900
FILE_LINES = 600
FUNCTION_LINES = 100

CONTAINER = re.compile(r"\b(namespace|class|struct|union|enum|extern)\b")
NAME = re.compile(r"([~\w:<>]*operator\s*[^\s(]*|[~\w:]+)\s*\(")


def functions(file):
    """(name, first line, lines) of every function body, by counting braces."""
    code = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", lambda m: "\n" * m.group(0).count("\n"), file.code, flags=re.MULTILINE)
    stack = []  # (is_container, name, line of the signature)
    last_end = 0
    previous = ("", 0)
    line, seen = 1, 0
    for match in re.finditer(r"[{};]", code):
        position = match.start()
        before = code[last_end:position]
        last_end = position + 1
        line += code.count("\n", seen, position)
        seen = position
        if match.group(0) == "{":
            head = before.strip()
            outside = all(entry[0] for entry in stack)
            name = NAME.search(head)
            start = line - before.lstrip().count("\n")
            if outside and CONTAINER.search(head.split("(")[0]) and "=" not in head.split("(")[0]:
                stack.append((True, "", start))
            elif outside and name:
                stack.append((False, name.group(1), start))
            elif outside and (head == "" or head.startswith(",")) and previous[0]:
                stack.append((False, *previous))  # A constructor's body, after members initialized with braces.
            else:
                stack.append((False, "", start))
        elif match.group(0) == "}" and stack:
            is_container, name, start = stack.pop()
            if not is_container and name and all(entry[0] for entry in stack):
                yield name, start, line - start + 1
                previous = (name, start)
        elif all(entry[0] for entry in stack):
            previous = ("", 0)


def longest(files):
    """{key: (lines, path, line)} of everything over the limits."""
    found = {}
    for file in files:
        if not file.is_cpp:
            continue
        if file.line_count > FILE_LINES:
            found[file.path] = (file.line_count, file.path, 1)
        for name, line, lines in functions(file):
            key = f"{file.path} {name}"
            if lines > FUNCTION_LINES and lines > found.get(key, (0,))[0]:
                found[key] = (lines, file.path, line)
    return found


def read_ratchet():
    allowed = {}
    for line in RATCHET.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            lines, key = line.split(" ", 1)
            allowed[key] = int(lines)
    return allowed


def write_ratchet(files):
    text = (f"# Files over {FILE_LINES} lines and functions over {FUNCTION_LINES} that may stay until somebody splits them; none may grow.\n"
            "# test/tidy/tidy.py --update writes this list anew.\n")
    for key, (lines, _, _) in sorted(longest(files).items()):
        text += f"{lines} {key}\n"
    RATCHET.write_text(text, encoding="utf-8")


def check_lengths(files):
    """Files and functions stay short."""
    allowed = read_ratchet()
    found = longest(files)
    for key, (lines, path, line) in sorted(found.items()):
        what = "function " + key.split(" ", 1)[1] if " " in key else "file"
        if lines > FILE_FAILS:
            yield path, line, f"{what} has {lines} lines; {FILE_FAILS} is the end"
        elif lines > allowed.get(key, 0):
            limit = allowed.get(key) or (FUNCTION_LINES if " " in key else FILE_LINES)
            yield path, line, f"{what} has {lines} lines, more than {limit}: split it"
    for key in sorted(set(allowed) - set(found)):
        yield "test/tidy/ratchet.txt", 1, f"{key} is short now: take it out"


CHECKS = [check_lengths]
