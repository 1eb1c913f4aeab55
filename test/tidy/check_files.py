"""How files are named, how they begin, and what must stand beside them."""

import collections
import re
import subprocess
import sys

from source_tree import ROOT

README_LINES = 20
FOLDER_FILES = 12
MOST_FOLDER_FILES = 40
VAGUE_NAME = re.compile(r"(^|_)(utils?|helpers?|common)\.(cpp|hpp)$")
# Where somebody's machine shows through.
MACHINE_PATH = re.compile(r"(?<![\w.~}])/(?:" + "|".join(["wor" + "k", "roo" + "t", "hom" + "e", "User" + "s"]) + r")/\w")


def check_first_line(files):
    """Every C++ and Python file begins with a sentence that says what it is for."""
    for file in files:
        first = file.text.split("\n", 1)[0]
        if file.is_cpp and not (first.startswith("// ") and " " in first[3:]):
            yield file.path, 1, "the first line must be a comment that says what the file is for"
        if file.path.endswith(".py") and file.text.strip():
            lines = [line for line in file.text.split("\n") if not line.startswith("#!")]
            if not lines[0].startswith(('"""', "# ")):
                yield file.path, 1, "the first line must be a docstring that says what the file is for"
        if file.path.endswith("CMakeLists.txt") and not first.startswith("# "):
            yield file.path, 1, "the first line must be a comment that says what the file is for"


def check_pragma_once(files):
    """Headers have #pragma once below their sentence."""
    for file in files:
        if file.is_header and "\n#pragma once\n" not in file.text:
            yield file.path, 1, "#pragma once is missing"


def check_own_header_first(files):
    """A .cpp with a header of the same name includes it before anything else, so that headers stand alone."""
    paths = {file.path for file in files}
    for file in files:
        if not file.path.endswith(".cpp") or not file.below("src", "extension"):
            continue
        header = file.path[:-4] + ".hpp"
        if header in paths and file.includes:
            line, first = file.includes[0]
            if not header.endswith("/" + first.strip('<>"')):
                yield file.path, line, f"include {header.rsplit('/', 1)[1]} first"


def check_names(files):
    """Files are snake_case and named after what they hold, not after being useful."""
    for file in files:
        if not file.is_cpp:
            continue
        name = file.path.rsplit("/", 1)[1]
        if VAGUE_NAME.search(name):
            yield file.path, 1, "name the file after what it holds, not utils, helpers or common"
        if not re.fullmatch(r"[a-z0-9_]+(\.kernel)?\.(cpp|hpp)", name):
            yield file.path, 1, "file names are snake_case"


def check_readmes(files):
    """Every room of src/ has a README, and every folder with more than 12 files; those have at most 20 lines."""
    paths = {file.path for file in files}
    sizes = collections.Counter(file.path.rsplit("/", 1)[0] for file in files if file.below("src") and file.is_cpp)
    rooms = {"/".join(folder.split("/")[:2]) for folder in sizes if folder != "src"}
    for folder in sorted(rooms | {folder for folder, size in sizes.items() if size > FOLDER_FILES}):
        if folder + "/README.md" not in paths:
            yield folder + "/README.md", 1, "the folder has no README"
    for folder, size in sorted(sizes.items()):
        if size > MOST_FOLDER_FILES:
            yield folder + "/README.md", 1, f"{size} sources in one folder, more than {MOST_FOLDER_FILES}: make wings"
    for file in files:
        if file.below("src") and file.path.endswith("README.md") and file.line_count > README_LINES:
            yield file.path, file.line_count, f"at most {README_LINES} lines"


def check_generated_documents(files):
    """docs/sql-dialect.md is what its generator makes of the sources."""
    result = subprocess.run([sys.executable, ROOT / "docs" / "dialect.py", "--check"], capture_output=True, text=True)
    if result.returncode != 0:
        yield "docs/sql-dialect.md", 1, result.stderr.strip()


def check_sql_tests(files):
    """Every .test file checks something."""
    for file in files:
        if file.path.endswith(".test") and not re.search(r"^(statement|query)\b", file.text, re.MULTILINE):
            yield file.path, 1, "no statement and no query in it"


def check_mirror(files):
    """Unit tests lie in folders named as those of src/."""
    for folder in sorted((ROOT / "test" / "unit").iterdir()):
        if folder.is_dir() and any(folder.rglob("*.cpp")) and not (ROOT / "src" / folder.name).is_dir():
            yield f"test/unit/{folder.name}", 1, "no such folder in src/"


def check_machine_paths(files):
    """No path of somebody's machine."""
    for file in files:
        for line, text in file.find(MACHINE_PATH, file.text):
            yield file.path, line, f"a path of one machine: {text}..."


CHECKS = [
    check_first_line, check_pragma_once, check_own_header_first, check_names, check_readmes, check_generated_documents,
    check_sql_tests, check_mirror, check_machine_paths,
]
