"""Mutexes: those of common/lock only, each with what it guards, and clang's thread-safety analysis of their use.

check_analysis, which runs clang on some hundred sources, is called with --locks only; sources that passed are remembered by
their content in build/tidy."""

import collections
import hashlib
import json
import os
import posixpath
import re
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor

from source_tree import ROOT, ratchet_lines

LOCK_FOLDER = "src/common/lock"
RATCHET = ROOT / "test" / "tidy" / "locks.txt"
STANDARD = re.compile(r"\bstd::(?:\w+_)?(?:mutex|lock_guard|unique_lock|shared_lock|scoped_lock|condition_variable(?:_any)?)\b")
DECLARATION = re.compile(r"^[ \t]*(?:mutable |static |inline )*(?:Shared)?Mutex (\w+);", re.MULTILINE)
GUARD = r"SCAUP_(?:\w*GUARDED_BY|REQUIRES_LOCK|REQUIRES_SHARED_LOCK)\((?:[\w.>-]*[.>])?{}\)"
HELD = re.compile(r"\b[Hh]eld\b")
# A source is worth analysing if it locks, or is in a class that has guarded members.
LOCKS = re.compile(r"\b(?:SCAUP_GUARDED_BY|SCAUP_REQUIRES\w*|\w*MutexLock|MutexUnlock|ReaderLock|WriterLock)\b")
GUARDED_NAME = re.compile(r"(\w+)(?:\[\w*\])?\s+SCAUP_GUARDED_BY\(|(\w+)\([^;{}]*?SCAUP_REQUIRES\w*\(")
TEMPLATE_CLASS = re.compile(r"^template <[^;{]*>\s*(?:class|struct) ", re.MULTILINE)
CLASS_NAME = re.compile(r"^\s*(?:class|struct) (?:SCAUP_\w+ )?(\w+)[^;{]*\{", re.MULTILINE)

CLANG = "clang++-16"
FLAGS = [
    "-fsyntax-only", "-std=c++20", "-Iinclude", "-Isrc", "-DNDEBUG", "-DFMT_SHARED", "-DSCAUP_HAVE_ZLIB", "-include",
    "src/common/precompiled.hpp", "-Wno-everything", "-Wthread-safety",
]
FAULT = re.compile(r"^([^\s:]+):(\d+):\d+: (?:warning|error|fatal error): (.+?)(?: \[-W[\w-]+\])?$", re.MULTILINE)
PASSED = ROOT / "build" / "tidy" / "locks.json"
# Without the lock: the analysis must say so, or it has gone blind.
UNGUARDED = """#include "common/lock/mutex.hpp"
struct Counter {
  void Add() { value++; }
  scaup::Mutex mutex;
  int value SCAUP_GUARDED_BY(mutex) = 0;
};
"""


def standard_uses(files):
    """{path: lines} of the standard library's mutexes and locks."""
    found = {}
    for file in files:
        if file.is_cpp and file.below("src") and not file.below(LOCK_FOLDER):
            lines = [line for line, _ in file.find(STANDARD)]
            if lines:
                found[file.path] = lines
    return found


def write_ratchet(files):
    text = ("# Uses of the standard library's mutexes and locks that may stay, by file; none may be added.\n"
            "# test/tidy/tidy.py --update writes this list anew.\n")
    for path, lines in sorted(standard_uses(files).items()):
        text += f"{len(lines)} {path}\n"
    RATCHET.write_text(text, encoding="utf-8")


def check_standard_mutexes(files):
    """Mutexes and locks are those of common/lock, which clang can check."""
    lines = ratchet_lines(RATCHET)
    allowed = {path: int(count) for count, path in (line.split(" ", 1) for line in lines)}
    found = standard_uses(files)
    for path, uses in sorted(found.items()):
        if len(uses) > allowed.get(path, 0):
            yield path, uses[-1], "use Mutex, MutexLock and the like (common/lock/mutex.hpp), or ConditionVariable"
    for path in sorted(allowed):
        if len(found.get(path, [])) < allowed[path]:
            yield "test/tidy/locks.txt", 1, f"{path} has fewer uses now: write the list anew"


def block_around(code, position):
    """The text between the braces around a position."""
    depth, begin = 0, position
    while begin > 0:
        begin -= 1
        depth += {"}": 1, "{": -1}.get(code[begin], 0)
        if depth < 0:
            break
    depth, end = 0, position
    while end < len(code) and depth >= 0:
        depth += {"{": 1, "}": -1}.get(code[end], 0)
        end += 1
    return code[begin:end]


def comment_at(lines, number):
    """The comments above line `number`, counted from 1, and in it and on from there."""
    above = number - 2
    while above >= 0 and lines[above].lstrip().startswith("//"):
        above -= 1
    below = number
    while below < len(lines) and lines[below].lstrip().startswith("//"):
        below += 1
    return "\n".join(lines[above + 1:below] if "//" in lines[number - 1] else lines[above + 1:number])


def check_guarded(files):
    """Every mutex is named by what it guards, or a comment says while what it is held."""
    for file in files:
        if not file.is_cpp or not file.below("src") or file.below(LOCK_FOLDER):
            continue
        for match in DECLARATION.finditer(file.code):
            line = file.code.count("\n", 0, match.start(1)) + 1
            if re.search(GUARD.format(re.escape(match.group(1))), block_around(file.code, match.start(1))):
                continue
            if not HELD.search(comment_at(file.text.split("\n"), line)):
                yield file.path, line, (f"nothing is SCAUP_GUARDED_BY({match.group(1)}): say what is, or in a comment "
                                        "while what the mutex is held")


class Includes:
    """Which of our headers a file includes, directly and through others."""

    def __init__(self, files):
        paths = {file.path for file in files if file.is_cpp}
        self.direct = {}
        for file in files:
            if not file.is_cpp:
                continue
            targets = (posixpath.join(folder, include.strip('<>"')) for _, include in file.includes
                       for folder in ("src", "include", posixpath.dirname(file.path)))
            self.direct[file.path] = {target for target in targets if target in paths}
        self.known = {}

    def of(self, path):
        if path not in self.known:
            seen, open_paths = {path}, [path]
            while open_paths:
                for target in self.direct[open_paths.pop()] - seen:
                    seen.add(target)
                    open_paths.append(target)
            self.known[path] = seen
        return self.known[path]


def sources_to_analyse(files, includes):
    """Sources that lock or touch what is guarded, and for each header with guarded members at least one that includes it."""
    by_path = {file.path: file for file in files}
    sources = [file for file in files if file.below("src") and file.path.endswith(".cpp")]
    headers = [file for file in files if file.below("src") and file.is_header and not file.below(LOCK_FOLDER)
               and LOCKS.search(file.code)]
    chosen = {file.path for file in sources if LOCKS.search(file.code)}
    includers = collections.defaultdict(list)
    for file in sources:
        for path in includes.of(file.path):
            includers[path].append(file)
    for header in headers:
        names = {name for pair in GUARDED_NAME.findall(header.code) for name in pair if name}
        # Private members can be touched in their class only; its name and theirs are then in the source.
        private = "|".join(sorted(name for name in names if name.endswith("_"))) or "(?!)"
        public = "|".join(sorted(name for name in names if not name.endswith("_"))) or "(?!)"
        classes = "|".join(CLASS_NAME.findall(header.code)) or "(?!)"
        touches = re.compile(rf"(?:\.|->)(?:{public}|{private})\b")
        defines = re.compile(rf"\b(?:{classes})::")
        uses = re.compile(rf"\b(?:{private}|{public})\b")
        for file in includers[header.path]:
            if touches.search(file.code) or (defines.search(file.code) and uses.search(file.code)):
                chosen.add(file.path)
        # A template's functions are analysed where they are called: by those who have such an object.
        if TEMPLATE_CLASS.search(header.code):
            for owner in (file for file in files if file.below("src") and re.search(rf"\b(?:{classes})<", file.code)):
                source = owner.path.rsplit(".", 1)[0] + ".cpp"
                users = [file.path for file in sources if owner.path in includes.direct[file.path]]
                chosen |= {source} if source in by_path else set(users)
        if includers[header.path] and not any(file.path in chosen for file in includers[header.path]):
            chosen.add(min(includers[header.path], key=lambda file: len(includes.of(file.path))).path)
    return [by_path[path] for path in sorted(chosen)]


def run_clang(clang, path):
    result = subprocess.run([clang, *FLAGS, path], cwd=ROOT, capture_output=True, text=True)
    faults = {(fault[0], int(fault[1]), fault[2]) for fault in FAULT.findall(result.stderr)}
    if result.returncode != 0 and not faults:
        faults.add((path, 1, f"clang failed: {result.stderr.strip()[-200:]}"))
    return faults


def check_analysis(files):
    """What is guarded is touched with its mutex held: clang's thread-safety analysis."""
    clang = shutil.which(CLANG)
    if clang is None:
        print(f"locks are not analysed: {CLANG} is missing")
        return
    version = subprocess.run([clang, "--version"], capture_output=True, text=True).stdout
    probe = subprocess.run([clang, *FLAGS, "-x", "c++", "-"], cwd=ROOT, input=UNGUARDED, capture_output=True, text=True)
    if "requires holding mutex" not in probe.stderr:
        yield LOCK_FOLDER + "/mutex.hpp", 1, "clang does not see an access without the mutex any more"
    includes = Includes(files)
    digests = {file.path: hashlib.sha256(file.text.encode()).hexdigest() for file in files if file.is_cpp}
    known = set(json.loads(PASSED.read_text(encoding="utf-8"))) if PASSED.exists() else set()
    keys, passed = {}, set()
    for file in sources_to_analyse(files, includes):
        parts = [version, *FLAGS, *(path + digests[path] for path in sorted(includes.of(file.path)))]
        parts.append(digests["src/common/precompiled.hpp"])
        keys[file.path] = hashlib.sha256("\n".join(parts).encode()).hexdigest()
    wanted = [path for path, key in keys.items() if key not in known]
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for path, faults in zip(wanted, pool.map(lambda path: run_clang(clang, path), wanted)):
            yield from faults
            if not faults:
                passed.add(keys[path])
    PASSED.parent.mkdir(parents=True, exist_ok=True)
    PASSED.write_text(json.dumps(sorted(passed | (known & set(keys.values())))), encoding="utf-8")


CHECKS = [check_standard_mutexes, check_guarded]
ANALYSES = [check_analysis]
