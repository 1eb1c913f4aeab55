"""Contracts that nothing checks: a ratchet. Those in contracts.txt may stay; a new `REQUIRES:` has an assertion."""

import re

from source_tree import ROOT, ratchet_lines

RATCHET = ROOT / "test" / "tidy" / "contracts.txt"
CONTRACT = re.compile(r"//.*\bREQUIRES:")
ASSERTION = re.compile(r"\b(?:SCAUP_ASSERT|static_assert|SCAUP_CHECK|ThrowInternal|AssertHeld|AssertHeldShared)\(")
LOCK = re.compile(r"\bSCAUP_REQUIRES_(?:SHARED_)?LOCK\(")  # Clang's analysis is the check.
NAME = re.compile(r"^\s*(?:class|struct|using) (\w+)|(\(\*\w+\)|~?\b\w+|\boperator\S+?)\(")
ATTRIBUTE = re.compile(r"\bSCAUP_\w+\([^()]*\)")
FIRST_LINES = 5


def declaration(lines, i):
    """The text of a declaration from its first line to its ; or to its { and the first lines of the body."""
    text = ""
    for k in range(i, min(i + 12, len(lines))):
        text += lines[k] + "\n"
        if re.search(r";\s*$|\}\s*$", lines[k]):
            return text, "{" in text
        if re.search(r"\{\s*$", lines[k]):
            return text + "\n".join(lines[k + 1 : k + 1 + FIRST_LINES]), True
    return text, False


def is_checked(name, i, file, others):
    """Whether the function has an assertion: where it is declared, or where a file of its folder or below defines it."""
    text, has_body = declaration(file.code.split("\n"), i)
    if has_body or LOCK.search(text):
        return bool(ASSERTION.search(text) or LOCK.search(text))
    definition = re.compile(rf"^[^\s#/].*?(?<![\w.>]){re.escape(name)}\(|^{re.escape(name)}\(")
    bodies = []
    for other in others:
        lines = other.code.split("\n")
        found = [declaration(lines, k) for k, line in enumerate(lines) if definition.match(line)]
        bodies += [text for text, has_body in found if has_body]
    return any(ASSERTION.search(body) for body in bodies)


def unchecked_contracts(files):
    """(path, name of the function) -> line, for each contract without an assertion."""
    sources = [file for file in files if file.is_cpp and file.below("src")]
    found = {}
    for file in sources:
        base = file.path.removesuffix(".hpp") + ".cpp"
        folder = [other for other in sources if not other.is_header and other.below(file.path.rpartition("/")[0])]
        lines = file.text.split("\n")
        for i in [number for number, text in enumerate(lines) if CONTRACT.search(text)]:
            line = i
            while re.match(r"\s*(?://|template\b)", lines[i]):
                i += 1
            match = NAME.search(ATTRIBUTE.sub("", declaration(file.code.split("\n"), i)[0]))
            name = match[1] or match[2]
            if not any(is_checked(name, i, file, each) for each in ([other for other in folder if other.path == base], folder)):
                found.setdefault((file.path, name), line + 1)
    return found


def write_ratchet(files):
    text = "# Contracts (`REQUIRES:`) that no assertion checks; no more may come.\n# test/tidy/tidy.py --update writes this list anew.\n"
    text += "".join(f"{path} {name}\n" for path, name in sorted(unchecked_contracts(files)))
    RATCHET.write_text(text, encoding="utf-8")


def check_contracts(files):
    """Contracts are asserted."""
    lines = ratchet_lines(RATCHET)
    allowed = {tuple(line.split(" ", 1)) for line in lines}
    found = unchecked_contracts(files)
    for (path, name), line in sorted(found.items()):
        if (path, name) not in allowed:
            yield path, line, f"nothing checks what {name} requires: assert it in the first {FIRST_LINES} lines"
    for path, name in sorted(allowed - set(found)):
        yield "test/tidy/contracts.txt", 1, f"{path} {name} is checked now: take it out"


CHECKS = [check_contracts]
