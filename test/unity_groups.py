"""Puts test sources into groups that compile as one file each: prints `path|group` lines for CMake, `path|alone` for a source by itself.

Two sources go into one group only if neither mentions a name that the other defines in its namespace scope, such as a fixture or a
helper: it would be defined twice, or hide what the other means. Test sources are not indented within their namespaces, so such
names are those that are defined at the start of a line.

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
# A macro reaches the sources behind.
MACRO = re.compile(r"^#define\s+(\w+)", re.M)
# These make sense in every file; a namespace that is only opened again is no definition.
COMMON = {"scaup", "namespace", "test", "std", "operator"}


class Source:
    def __init__(self, path):
        self.path = path
        with open(path, encoding="utf-8") as file:
            text = file.read()
        self.words = set(re.findall(r"\w+", text))
        self.names = {name for pattern in (TYPE, VARIABLE, FUNCTION, MACRO) for name in pattern.findall(text)} - COMMON

    def goes_with(self, other):
        return not self.names & other.words and not other.names & self.words


def main():
    size, sources = int(sys.argv[1]), [Source(path) for path in sorted(sys.argv[2:])]
    groups = []
    for source in sources:
        fits = [group for group in groups if len(group) < size and all(source.goes_with(other) for other in group)]
        if fits:
            fits[0].append(source)
        else:
            groups.append([source])
    for number, group in enumerate(groups):
        for source in group:
            print(f"{source.path}|group{number}" if len(group) > 1 else f"{source.path}|alone")


if __name__ == "__main__":
    main()
