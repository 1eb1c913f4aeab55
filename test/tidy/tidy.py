#!/usr/bin/env python3
"""Checks the house rules on the whole tree: layers, files, code, lengths. Prints what breaks them and `N passed, N failed`.

--format checks the formatting too, --locks lets clang analyse who holds which mutex; --update writes the lists of what may
stay anew: long files, functions and classes, the standard library's mutexes, and contracts without assertions."""

import sys

sys.dont_write_bytecode = True

import check_classes
import check_code
import check_contracts
import check_files
import check_format
import check_layers
import check_lengths
import check_locks
from source_tree import read_tree


def main():
    files = read_tree()
    if "--update" in sys.argv[1:]:
        check_lengths.write_ratchet(files)
        check_classes.write_ratchet(files)
        check_locks.write_ratchet(files)
        check_contracts.write_ratchet(files)
    modules = [check_layers, check_files, check_code, check_lengths, check_classes, check_locks, check_contracts]
    checks = [check for module in modules for check in module.CHECKS]
    # A check that its module does not list would never run.
    for module in modules:
        listed = module.CHECKS + getattr(module, "ANALYSES", [])
        missing = [name for name in vars(module) if name.startswith("check_") and vars(module)[name] not in listed]
        assert not missing, f"{module.__name__} does not list {missing}"
    if "--format" in sys.argv[1:]:
        checks += check_format.CHECKS
    if "--locks" in sys.argv[1:]:
        checks += check_locks.ANALYSES
    passed = failed = 0
    for check in checks:
        faults = sorted(set(check(files)))
        for path, line, message in faults:
            print(f"{path}:{line}: {message}")
        if faults:
            print(f"FAILED {check.__name__}: {check.__doc__}")
            failed += 1
        else:
            passed += 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
