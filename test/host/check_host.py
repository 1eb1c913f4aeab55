#!/usr/bin/env python3
"""Runs the host programs, each thing that a host does in a process and a folder of its own, and looks at what the
libraries show. Closes with `N passed, N failed`."""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

OWN = re.compile(r"_ZT[ISV]N5scaup|_ZNK?O?5scaup|scaup_[a-z]|AdbcDriver(Scaup)?Init$")
# By which drivers of ADBC are found. A program may link several drivers statically, which all have the first.
ADBC_OF_ALL = {"AdbcDriverInit"}
ADBC_OWN = {"AdbcDriverScaupInit", "scaup_adbc_init"}
C_FUNCTION = re.compile(r"^SCAUP_C_API [^;(]*?\b(scaup_\w+)\(", re.MULTILINE)
UNLIKE = {"_scaup": re.compile(r"(PyInit__scaup|AdbcDriverInit|AdbcDriverScaupInit|scaup_adbc_init)$")}
# What may be needed: what every Debian has, and those that have no static library that could be linked in.
NEEDED = re.compile(r"lib(stdc\+\+|m|gcc_s|c|z|bz2|re2|simdjson|pthread|snappy|zstd|lz4|brotlidec|brotlienc)\.so\.[\d.]+$|ld-linux")
counts = [0, 0]


def note(is_right, name, text=""):
    counts[0 if is_right else 1] += 1
    if not is_right:
        print(f"FAILED {name}\n{text}")


def run_in_folder(name, command):
    """Well if it ends with status 0 and prints nothing, on neither output."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300, check=False)
        except subprocess.TimeoutExpired as error:
            note(False, name, f"does not end: {error}")
            return
    output = done.stdout + done.stderr
    note(done.returncode == 0 and not output, name, f"status {done.returncode}\n{output}")


def lines_of(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()


def symbols_of(path, *options):
    return [line.split()[-1] for line in lines_of("nm", *options, "--defined-only", path) if len(line.split()) == 3]


def check_symbols(path, own, *options):
    shown = symbols_of(path, *options)
    strange = [symbol for symbol in shown if not own.match(symbol)]
    note(shown and not strange, f"symbols of {path}", f"{len(shown)} are shown, {len(strange)} of them not its own: {strange[:20]}")


def check_c_interface(path, header, *options):
    """A library shows the functions of the C interface's header, and no other in C."""
    declared = set(C_FUNCTION.findall(pathlib.Path(header).read_text(encoding="utf-8")))
    shown = {symbol for symbol in symbols_of(path, *options) if symbol.startswith("scaup_")} - ADBC_OWN
    note(declared and shown == declared, f"C interface of {path}", f"declared or shown, but not both: {sorted(declared ^ shown)}")


def check_adbc(path, wanted, *options):
    """A library shows just these entry points of the ADBC driver."""
    shown = {symbol for symbol in symbols_of(path, *options) if symbol in ADBC_OWN or symbol.startswith("Adbc")}
    note(shown == wanted, f"ADBC driver of {path}", f"wanted or shown, but not both: {sorted(wanted ^ shown)}")


def check_needed(path):
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", "\n".join(lines_of("readelf", "-d", path)))
    strange = [name for name in needed if not NEEDED.match(name)]
    note(not strange, f"libraries that {path} needs", str(strange))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--hosts", nargs="+", default=[])
    parser.add_argument("--loader")
    parser.add_argument("--plugins", nargs="*", default=[])
    parser.add_argument("--libraries", nargs="*", default=[])
    parser.add_argument("--archive")
    parser.add_argument("--header", help="of the C interface")
    parser.add_argument("--only", default=".*", help="runs whose name matches")
    arguments = parser.parse_args()
    for host in arguments.hosts:
        for name in lines_of(host):
            if re.fullmatch(arguments.only, name):
                run_in_folder(f"{host} {name}", [host, name])
    if re.fullmatch(arguments.only, "plugins"):
        for plugin in arguments.plugins:
            run_in_folder(f"{arguments.loader} {plugin}", [arguments.loader, plugin])
    if re.fullmatch(arguments.only, "symbols"):
        for library in arguments.libraries:
            own = next((pattern for part, pattern in UNLIKE.items() if f"/{part}." in library), OWN)
            check_symbols(library, own, "-D")
            check_needed(library)
            check_adbc(library, ADBC_OWN | ADBC_OF_ALL, "-D")
            if own is OWN:
                check_c_interface(library, arguments.header, "-D")
        check_symbols(arguments.archive, OWN, "-g")
        check_adbc(arguments.archive, ADBC_OWN, "-g")
        check_c_interface(arguments.archive, arguments.header, "-g")
    print(f"{counts[0]} passed, {counts[1]} failed")
    return 1 if counts[1] else 0


if __name__ == "__main__":
    sys.exit(main())
