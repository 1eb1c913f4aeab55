"""Formatting as clang-format would have it; the settings are in .clang-format."""

import os
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor

from source_tree import ROOT

BATCH = 40
FAULT = re.compile(r"^(.+?):(\d+):\d+: (?:error|warning): code should be clang-formatted", re.MULTILINE)


def check_batch(paths):
    result = subprocess.run(["clang-format", "--dry-run", *paths], cwd=ROOT, capture_output=True, text=True)
    faults = {}
    for path, line in FAULT.findall(result.stderr):
        faults.setdefault(path, int(line))
    if result.returncode != 0 and not faults:
        faults[paths[0]] = 0
    return faults


def check_format(files):
    """All C++ is formatted; `make format` does it."""
    paths = [file.path for file in files if file.is_cpp]
    batches = [paths[start:start + BATCH] for start in range(0, len(paths), BATCH)]
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for faults in pool.map(check_batch, batches):
            for path, line in faults.items():
                yield path, line, "is not formatted; run make format"


CHECKS = [check_format]
