"""Puts test sources into groups that compile as one file each: prints `path|group` lines for CMake, `path|alone` for a source by itself.

Two sources go into one group only if no name of their namespace scope occurs in both, such as a fixture or a helper. Test sources
are not indented within their namespaces, so such names are those that begin at the start of a line.

    test/unity_groups.py SIZE FILE...
"""

import re
import sys

# struct Fixture, class Model, enum class Kind, using Op = ..., namespace fs = ..., and template lines before them do not matter.
TYPE = re.compile(r"^(?:struct|class|enum class|enum|union|using|namespace)\s+(\w+)", re.M)
# A constant or a variable: constexpr size_t kRows = 3; const LogicalType kTypes[] = ...; std::atomic<int> calls{0};
VARIABLE = re.compile(r"^(?:[\w:<>,&*]+\s+)+[&*]*(\w+)(?:\[\w*\])?\s*(?:=|\{|;)", re.M)
# A function: the last word before the first parenthesis of a line that begins with a type.
FUNCTION = re.compile(r"^(?:[\w:<>,&*\[\]]+\s+)+[&*]*(\w+)\(", re.M)
# These make sense in every file; a namespace that is only opened again is no definition.
COMMON = {"scaup", "namespace", "test", "std", "operator"}


def names_of(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    names = set()
    for pattern in (TYPE, VARIABLE, FUNCTION):
        names.update(pattern.findall(text))
    # Macros reach the sources behind.
    names.update(re.findall(r"^#define\s+(\w+)", text, re.M))
    return names - COMMON


def main():
    size, paths = int(sys.argv[1]), sys.argv[2:]
    groups = []  # (paths, names)
    for path in sorted(paths):
        names = names_of(path)
        fitting = next((group for group in groups if len(group[0]) < size and not group[1] & names), None)
        if fitting is None:
            fitting = ([], set())
            groups.append(fitting)
        fitting[0].append(path)
        fitting[1].update(names)
    for number, (members, _) in enumerate(groups):
        for path in members:
            print(f"{path}|group{number}" if len(members) > 1 else f"{path}|alone")


if __name__ == "__main__":
    main()
