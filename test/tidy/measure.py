#!/usr/bin/env python3
"""Prints measures of the source tree as the table in CONTRIBUTING.md: sizes, comments, classes, folders, contracts."""

import collections
import posixpath
import re
import statistics

import check_classes
import check_layers
import check_lengths
from source_tree import read_tree

LONG_FUNCTION = 60
def code_lines(text):
    return [line.strip() for line in text.split("\n") if line.strip()]


def comment_share(files):
    lines = [line for file in files for line in code_lines(file.text)]
    return 100 * sum(line.startswith("//") for line in lines) / max(len(lines), 1)


def quantile(values, share):
    ordered = sorted(values)
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)] if ordered else 0


def own_headers(files):
    """Lines of the project's own headers that each source of src/ includes, directly or not."""
    by_path = {file.path: file for file in files}
    direct = {}
    for file in files:
        targets = []
        for _, include in file.includes:
            for folder in ("src", "include", posixpath.dirname(file.path)):
                path = posixpath.join(folder, include.strip('<>"'))
                if path in by_path:
                    targets.append(path)
                    break
        direct[file.path] = targets
    result = []
    for file in files:
        if not file.path.endswith(".cpp"):
            continue
        seen, todo = set(), list(direct[file.path])
        while todo:
            path = todo.pop()
            if path not in seen:
                seen.add(path)
                todo += direct[path]
        result.append(sum(by_path[path].text.count("\n") for path in seen))
    return result


def mutual_pairs(files):
    """Pairs of wings that include each other."""
    edges = set()
    for file in files:
        if check_layers.room_of(file.path) is None:
            continue
        own = posixpath.dirname(file.path)
        for _, include in file.includes:
            other = "src/" + posixpath.dirname(include.strip('<>"'))
            if include.startswith('"') and other != own and "/" in include:
                edges.add((own, other))
    return sum((b, a) in edges for a, b in edges) // 2


def main():
    files = [file for file in read_tree() if file.is_cpp and file.below("src", "include")]
    sources = [file for file in files if file.path.endswith(".cpp")]
    headers = [file for file in files if not file.path.endswith(".cpp")]
    lengths = [file.text.count("\n") for file in sources]
    functions = [length for file in files for _, _, length in check_lengths.functions(file)]
    folders = collections.Counter(posixpath.dirname(file.path) for file in files)
    large = [f"{name} {count}" for name, count, _, _ in sorted(check_classes.classes(files), key=lambda each: -each[1]) if count > check_classes.CLASS_METHODS]
    own = own_headers(files)
    wings = {room: [file for file in sources if file.below(f"src/{room}")] for room in ("storage", "transaction", "main")}
    requires = sum(file.text.count("REQUIRES:") for file in files)
    asserts = sum(len(re.findall(r"\bSCAUP_ASSERT\(|\bThrowInternal\(", file.text)) for file in files)
    rows = [
        ("sources in src: number; median, p95, longest", f"{len(sources)}; {statistics.median(lengths):.0f}, {quantile(lengths, .95)}, {max(lengths)} lines"),
        (
            f"functions: median, p95, longest; share over {LONG_FUNCTION}",
            f"{statistics.median(functions):.0f}, {quantile(functions, .95)}, {max(functions)} lines; "
            f"{100 * sum(length > LONG_FUNCTION for length in functions) / len(functions):.2f} %",
        ),
        ("own header lines per source: median, p95", f"{statistics.median(own):,.0f}, {quantile(own, .95):,}"),
        ("folders that include each other, pairs", str(mutual_pairs(files))),
        ("public headers", str(sum(file.below("include") for file in files))),
        ("comment lines: all, headers, sources", f"{comment_share(files):.1f}, {comment_share(headers):.1f}, {comment_share(sources):.1f} %"),
        ("comment lines of sources: storage, transaction, main", ", ".join(f"{comment_share(wings[room]):.1f}" for room in wings) + " %"),
        (f"classes with more than {check_classes.CLASS_METHODS} methods", f"{len(large)}: " + ", ".join(large)),
        ("largest folders", ", ".join(f"{name.removeprefix('src/')} {count}" for name, count in folders.most_common(4))),
        ("assertions and internal checks; REQUIRES", f"{asserts}; {requires}"),
    ]
    print("| measure | value |\n|---|---|")
    for name, value in rows:
        print(f"| {name} | {value} |")


if __name__ == "__main__":
    main()
