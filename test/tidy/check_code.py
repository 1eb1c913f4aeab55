"""What must not occur in code: heavy headers, calls that touch the host process, leftovers."""

import re

# They cost every file that includes the header; .cpp files may use them (but see LIBRARY_HEADERS).
HEAVY_HEADERS = re.compile(r"<(iostream|filesystem|thread|future|ranges|chrono|regex|fmt/.*|simdjson.*|re2/.*)>")
# Not even in .cpp files of the library: static initializers, slow compiles, exponential patterns.
LIBRARY_HEADERS = re.compile(r"<(iostream|regex)>")
# The library lives in somebody else's process.
BANNED_CALLS = re.compile(
    r"(?<![\w.>])(?:std::)?(exit|_exit|quick_exit|abort|signal|sigaction|setlocale|chdir|printf|fprintf|vprintf|puts|putchar|getenv|"
    r"setenv|putenv|system|srand|rand|terminate)\s*\(|\bstd::(cout|cerr|clog|regex)\b|\bfmt::print\b"
)
# What gives a descriptor. Those below 3 belong to the program even while it has them closed, and children made by fork
# must not keep ours: Descriptor sees to both.
OPENING_CALLS = re.compile(
    r"(?<![\w.>])(?:std::|::)?(open|openat|openat2|creat|opendir|fdopendir|fopen|freopen|tmpfile|mkstemp|mkostemp|dup|dup2|dup3|pipe|pipe2|"
    r"socket|socketpair|accept|accept4|eventfd|timerfd_create|memfd_create|shm_open|epoll_create1|inotify_init1)\s*\("
    r"|\bstd::(basic_)?[io]?f(ile)?(stream|buf)\b|\bstd::filesystem::(recursive_)?directory_iterator\b|\bF_DUPFD"
)
DESCRIPTOR_FILE = "src/common/descriptor.cpp"
# A list that cannot grow loses the object: it takes a smart pointer, which is made before.
LOSABLE_NEW = re.compile(r"\b(?:emplace|push)_back\(new\b")
# Assigning an empty list leaves a vector its memory, though its owner thinks that it is gone and accounts for it no more.
EMPTY_LIST = re.compile(r"^ *[a-z_][\w.\[\]>-]* = \{\};", re.MULTILINE)
# A doc comment is a sentence with a subject and a verb, or a noun phrase with its noun first.
RIDDLE = re.compile(r"\s*///? (?:Of|Who|What|Those|The same|Where)\b")
# Reads of tables are logged where TableReader hands out the rows. The other functions that may see rows without logging a read:
LOGGING_ROOMS = ("src/storage/table/", "src/transaction/")
UNLOGGED_READERS = {
    "src/execution/write/change_rows.cpp": "rows that the statement has read",
    "src/execution/write/foreign_key_notes.cpp": "rows that the statement has read",
    "src/execution/write/merge_operator.cpp": "rows that the statement has read",
    "src/execution/write/upsert_operator.cpp": "rows that an index has found, whose read is logged if they stay",
    "src/main/database/integrity_check.cpp": "the check of the database itself",
}
LEFTOVER = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X)\b")


def check_heavy_headers(files):
    """Headers of the library stay light."""
    for file in files:
        if not file.below("src", "include") or not file.is_header:
            continue
        for line, include in file.includes:
            if HEAVY_HEADERS.fullmatch(include):
                yield file.path, line, f"{include} is too heavy for a header; include it in the .cpp"


def check_library_headers(files):
    """No iostream and no std::regex in the library."""
    for file in files:
        if file.below("src", "include"):
            for line, include in file.includes:
                if LIBRARY_HEADERS.fullmatch(include):
                    yield file.path, line, f"{include} is not used in the library"


def check_banned_calls(files):
    """The library does not end, print, change or ask the process that it lives in."""
    for file in files:
        if file.is_cpp and file.below("src", "include"):
            for line, text in file.find(BANNED_CALLS):
                yield file.path, line, f"{text.strip('(')} touches the host process"


def check_opening_calls(files):
    """Descriptors are opened in one place."""
    for file in files:
        if file.is_cpp and file.below("src", "include") and file.path != DESCRIPTOR_FILE:
            for line, text in file.find(OPENING_CALLS):
                yield file.path, line, f"{text.strip('( ')} opens a descriptor; use Descriptor (common/descriptor.hpp)"


def check_losable_objects(files):
    """New objects have an owner before a list takes them."""
    for file in files:
        if file.is_cpp and file.below("src", "include", "extension"):
            for line, _ in file.find(LOSABLE_NEW):
                yield file.path, line, "a list that finds no memory loses the object; make_unique it before"


def check_empty_lists(files):
    """What is emptied is assigned an object of its type, or cleared."""
    for file in files:
        if file.is_cpp and not file.is_header and file.below("src"):
            for line, text in file.find(EMPTY_LIST):
                yield file.path, line, f"{text.strip()} leaves a vector its memory; assign an object of the type"


def check_comments(files):
    """Comments begin with their subject, not with Of, Who, What, Those, The same or Where."""
    for file in files:
        if not file.is_cpp or not file.below("src", "include"):
            continue
        lines = file.text.split("\n")
        for number, line in enumerate(lines):
            continues = number > 0 and lines[number - 1].lstrip().startswith("//")
            if not continues and RIDDLE.match(line):
                yield file.path, number + 1, "begin a comment with its subject: a noun, or a verb"


def check_logged_reads(files):
    """Tables are read through TableReader, which logs the read."""
    for file in files:
        if not file.is_cpp or not file.below("src") or file.path.startswith(LOGGING_ROOMS):
            continue
        for line, _ in file.find(re.compile(r"\bLogRead\(")):
            yield file.path, line, "reads are logged by TableReader (storage/table/table_reader.hpp)"
        if file.path not in UNLOGGED_READERS:
            for line, _ in file.find(re.compile(r"\bUnloggedView\(")):
                yield file.path, line, "read the table through TableReader, or say in check_code.py why no log is needed"


def check_leftovers(files):
    """Nothing is left for later."""
    for file in files:
        if file.is_cpp or file.path.endswith((".py", ".md", ".sh")):
            for line, text in file.find(LEFTOVER, file.text):
                yield file.path, line, f"{text} is left"


CHECKS = [
    check_heavy_headers, check_library_headers, check_banned_calls, check_opening_calls, check_comments, check_logged_reads,
    check_losable_objects, check_empty_lists, check_leftovers,
]
