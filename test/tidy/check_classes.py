"""Classes with many methods: a ratchet. Those in classes.txt may stay as large as they are; new ones are refused."""

import re

from source_tree import ROOT, ratchet_lines

RATCHET = ROOT / "test" / "tidy" / "classes.txt"
CLASS_METHODS = 25
METHOD = re.compile(r"^(?:virtual |static |explicit |constexpr |inline |friend |\[\[\w+\]\] )*[\w:<>,&*\s~]*?([~\w]+|operator\S+)\s*\(")
NO_METHOD = re.compile(r"^(?:if|for|while|switch|return|using|typedef|static_assert|friend|enum|case|REQUIRE|CHECK)\b|^[\w.]+\(.*\)[,;]?$|=\s*\w+\(")


def classes(files):
    """(name, number of methods, path, line) of each class that has its body at the outermost level of a header or source."""
    for file in files:
        lines = file.text.split("\n")
        i = 0
        while i < len(lines):
            found = re.match(r"^(?:template.*)?(?:class|struct) (?:SCAUP_\w+ )?([\w:]+)[^;]*\{$", lines[i])
            if not found:
                i += 1
                continue
            depth, methods, first = 0, 0, i + 1
            while i < len(lines):
                line = re.sub(r'"(?:\\.|[^"\\])*"|//.*|\bSCAUP_\w+\([^()]*\)', "", lines[i])
                if depth == 1 and METHOD.match(line.strip()) and not NO_METHOD.match(line.strip()):
                    methods += 1
                depth += line.count("{") - line.count("}")
                i += 1
                if depth == 0:
                    break
            yield found.group(1), methods, file.path, first


def large_classes(files):
    library = [file for file in files if file.is_cpp and file.below("src", "include")]
    return {name: (methods, path, line) for name, methods, path, line in classes(library) if methods > CLASS_METHODS}


def write_ratchet(files):
    text = (f"# Classes with more than {CLASS_METHODS} methods that may stay until somebody splits them; none may grow.\n"
            "# test/tidy/tidy.py --update writes this list anew.\n")
    for name, (methods, _, _) in sorted(large_classes(files).items()):
        text += f"{methods} {name}\n"
    RATCHET.write_text(text, encoding="utf-8")


def check_classes(files):
    """Classes have few methods."""
    lines = ratchet_lines(RATCHET)
    allowed = {name: int(methods) for methods, name in (line.split(" ", 1) for line in lines)}
    found = large_classes(files)
    for name, (methods, path, line) in sorted(found.items()):
        if methods > allowed.get(name, CLASS_METHODS):
            yield path, line, f"class {name} has {methods} methods, more than {allowed.get(name, CLASS_METHODS)}: split it"
    for name in sorted(set(allowed) - set(found)):
        yield "test/tidy/classes.txt", 1, f"{name} is small now: take it out"


CHECKS = [check_classes]
