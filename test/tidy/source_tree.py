"""Reads the files that the checks look at, once, and blanks out comments and literals."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
CODE_FOLDERS = ("include", "src", "extension", "test", "benchmark")
TEXT_SUFFIXES = {".cpp", ".hpp", ".py", ".pyi", ".md", ".txt", ".cmake", ".test", ".sql", ".sh", ".json", ".toml", ".in", ""}
SKIPPED_FOLDERS = {"build", ".git", ".venv", ".cache", "__pycache__", "dist", "data", ".pytest_cache"}

TOKEN = re.compile(
    r"""(?P<line>//[^\n]*)|(?P<block>/\*.*?\*/)|(?P<raw>R"(?P<tag>[^(\s\\]{0,16})\(.*?\)(?P=tag)")"""
    r"""|(?P<include>^[ \t]*\#[ \t]*include[^\n]*)|(?P<string>"(?:\\.|[^"\\\n])*")|(?P<char>(?<![0-9A-Za-z_])'(?:\\.|[^'\\\n])+')""",
    re.DOTALL | re.MULTILINE | re.VERBOSE,
)
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(<[^>]+>|"[^"]+")', re.MULTILINE)


def blank(match):
    text = match.group(0)
    if match.lastgroup == "include":
        return text
    filler = "\n" * text.count("\n")
    return '""' + filler if match.lastgroup in ("string", "raw", "tag", "char") else filler


class Source:
    """One file: its path below the root, its text, and for C++ its code without comments and literals."""

    def __init__(self, path):
        self.path = path.relative_to(ROOT).as_posix()
        self.text = path.read_text(encoding="utf-8", errors="replace")
        self.is_header = self.path.endswith(".hpp")
        self.is_cpp = self.is_header or self.path.endswith(".cpp")
        self.line_count = self.text.count("\n")
        self.code = TOKEN.sub(blank, self.text) if self.is_cpp else ""
        self.includes = (
            [(self.code.count("\n", 0, m.start(1)) + 1, m.group(1)) for m in INCLUDE.finditer(self.code)] if self.is_cpp else []
        )

    def below(self, *folders):
        return self.path.startswith(tuple(folder + "/" for folder in folders))

    def find(self, pattern, text=None):
        """Numbers and texts of the lines where the pattern occurs in the code, or in the text given."""
        text = self.code if text is None else text
        for match in re.finditer(pattern, text):
            yield text.count("\n", 0, match.start()) + 1, match.group(0)


def walk(folder):
    for path in sorted(folder.iterdir()):
        if path.is_dir():
            if path.name not in SKIPPED_FOLDERS:
                yield from walk(path)
        elif path.suffix in TEXT_SUFFIXES and path.is_file():
            yield path


def read_tree():
    """Every text file of the project, in order."""
    return [Source(path) for path in walk(ROOT)]


def ratchet_lines(path):
    """The lines of a list of what may stay, without its comments."""
    return [line for line in path.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
