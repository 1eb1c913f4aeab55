#!/usr/bin/env python3
"""Makes a wheel over a build folder, installs it into an empty virtual environment and checks what a user would notice.

Without pip's index: that it installs. That it and the shell work without other packages, and with NumPy and pandas where the Python
that runs this has them. How large it is, what it needs of the system, and how long its import takes."""

import argparse
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "extension" / "python"))
import make_wheel

WHEEL_MEGABYTES = 10
INSTALLED_MEGABYTES = 25
IMPORT_RUNS = 10
# What a system with the wheel's glibc has; all else comes along.
SYSTEM_LIBRARIES = re.compile(r"(lib(c|m|dl|rt|pthread|stdc\+\+|gcc_s|z)\.so\.\d+|ld-linux-[\w-]+\.so\.\d+|linux-vdso\.so\.1)$")

WITHOUT_NUMPY = """
import sys
import scaup
with scaup.connect("wheel.scaup") as con:
    con.execute("CREATE TABLE t AS SELECT i, i % 3 AS k FROM generate_series(1, 3000) AS s(i)")
    assert con.execute("SELECT k, count(*) FROM t WHERE i > ? GROUP BY k ORDER BY k", [1500]).fetchall() == [(k, 500) for k in range(3)]
    con.append("events", [{"kind": "click", "at": {"x": 3}}])
    assert con.execute("SELECT kind, at.x FROM events").fetchall() == [("click", 3)]
    try:
        con.execute("SELECT missing FROM t")
    except scaup.ProgrammingError as error:
        assert error.sqlstate == "42703"
    else:
        raise AssertionError("no error")
assert "numpy" not in sys.modules, "NumPy was imported"
"""
WITH_NUMPY = """
import sys
sys.path.extend(sys.argv[1:])
import numpy, pandas, scaup
con = scaup.connect()
frame = pandas.DataFrame({"x": range(10)})
arrays = con.execute("SELECT x * 2 AS y FROM frame").fetchnumpy()
assert arrays["y"].sum() == 90 and isinstance(arrays["y"], numpy.ndarray)
assert con.execute("SELECT sum(x) AS total FROM frame").df()["total"].tolist() == [45]
"""
# User and system time; the clock would count what else the machine does.
IMPORT_TIME = """
import resource, subprocess, sys
def seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
def milliseconds(code):
    before = seconds()
    subprocess.run([sys.executable, "-c", code], check=True)
    return 1000 * (seconds() - before)
runs = [(milliseconds("pass"), milliseconds("import scaup")) for _ in range(int(sys.argv[1]))]
print(min(loaded for _, loaded in runs) - min(empty for empty, _ in runs))
"""


class Checks:
    """Counts what holds and says what does not."""

    def __init__(self):
        self.passed = self.failed = 0

    def expect(self, holds, message):
        self.passed += bool(holds)
        self.failed += not holds
        if not holds:
            print(f"FAILED: {message}")


def run(command, folder, text=None):
    """The status and the output of a command that sees nothing of our build and of other Python packages."""
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(folder), "LANG": "C.UTF-8"}
    done = subprocess.run([str(word) for word in command], cwd=folder, env=environment, input=text or "", stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    return done.returncode, done.stdout


def install(python, wheel, folder):
    """The virtual environment's Python and its folder of packages, which holds nothing but the wheel."""
    subprocess.run([python, "-m", "venv", "--clear", "--without-pip", folder], check=True)
    interpreter = folder / "bin" / "python"
    subprocess.run([sys.executable, "-m", "pip", "--python", interpreter, "install", "--quiet", "--no-index", "--no-deps", wheel], check=True,
                   env={**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1"})
    return interpreter, pathlib.Path(run([interpreter, "-c", "import sysconfig; print(sysconfig.get_path('platlib'))"], folder)[1].strip())


def check_size(checks, wheel, packages):
    size = wheel.stat().st_size / 1e6
    installed = sum(file.stat().st_size for file in packages.rglob("*") if file.is_file() and "__pycache__" not in file.parts) / 1e6
    print(f"{wheel.name}: {size:.1f} MB, installed {installed:.1f} MB")
    checks.expect("-manylinux_2_" in wheel.name, f"{wheel.name} is no wheel for other systems")
    checks.expect(size < WHEEL_MEGABYTES, f"the wheel has {size:.1f} MB, at most {WHEEL_MEGABYTES}")
    checks.expect(installed < INSTALLED_MEGABYTES, f"{installed:.1f} MB are installed, at most {INSTALLED_MEGABYTES}")


def check_libraries(checks, packages):
    """Every program and library finds what it needs: in the wheel, or in what every system of that age has."""
    binaries = [file for file in packages.rglob("*") if file.is_file() and file.read_bytes()[:4] == b"\x7fELF"]
    checks.expect(len(binaries) >= 3, f"a module, a shell and an engine are wanted, not {binaries}")
    for binary in binaries:
        status, listing = run(["ldd", binary], packages)
        foreign = []
        for line in listing.splitlines():
            name, _, path = line.split(" (")[0].strip().partition(" => ")
            if not SYSTEM_LIBRARIES.match(name.rsplit("/", 1)[-1]) and not path.startswith(str(packages)):
                foreign.append(line.strip())
        checks.expect(status == 0 and not foreign, f"{binary.name} needs of the system: {foreign}")


def check_python(checks, interpreter, folder):
    status, output = run([interpreter, "-c", WITHOUT_NUMPY], folder)
    checks.expect(status == 0, f"without NumPy:\n{output}")
    # The modules of another version's packages cannot be loaded.
    version = run([interpreter, "-c", "import sys; print(sys.version_info[:2] == %r)" % (sys.version_info[:2],)], folder)[1].strip()
    ours = [path for path in sys.path if path.endswith(("site-packages", "dist-packages"))]
    if version == "True" and subprocess.run([sys.executable, "-c", "import numpy, pandas"], capture_output=True).returncode == 0:
        status, output = run([interpreter, "-c", WITH_NUMPY, *ours], folder)
        checks.expect(status == 0, f"with NumPy and pandas:\n{output}")


def check_shell(checks, interpreter, folder):
    scaup = interpreter.parent / "scaup"
    for command in ([scaup], [interpreter, "-m", "scaup"]):
        status, output = run([*command, "-csv", "-c", "SELECT sum(i) AS total FROM t", "wheel.scaup"], folder)
        checks.expect((status, output) == (0, "total\n4501500\n"), f"{command} gave {status}: {output}")
    status, output = run([scaup, "-csv"], folder, "SELECT 40 + 2 AS answer;\n")
    checks.expect((status, output) == (0, "answer\n42\n"), f"the shell gave {status} for its input: {output}")
    status, output = run([scaup, "-c", "SELECT missing"], folder)
    checks.expect(status == 1, f"the shell gave {status} for an error: {output}")
    many = "SELECT * FROM generate_series(1, 1000000)"
    status, output = run(["bash", "-c", f"'{scaup}' -csv -c '{many}' | head -n 2; echo ${{PIPESTATUS[0]}}"], folder)
    checks.expect(output.splitlines()[-1:] == ["141"], f"the shell does not end with the reader of its output: {output}")


def check_import_time(checks, interpreter, folder):
    status, output = run([interpreter, "-c", IMPORT_TIME, IMPORT_RUNS], folder)
    checks.expect(status == 0, output)
    if status == 0:  # A busy machine must not fail the check.
        print(f"import scaup: {float(output):.1f} ms of processor time")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("build", help="the build folder, with libscaup.so and the shell")
    parser.add_argument("--python", action="append", help="the Python to check with (default: the one that runs this)")
    parser.add_argument("--into", help="the folder for the wheels (default: in the folder build)")
    arguments = parser.parse_args()
    checks = Checks()
    for number, python in enumerate(arguments.python or [sys.executable]):
        folder = make_wheel.WORK / f"check-{number}"
        wheel = make_wheel.make_wheel(arguments.build, python, arguments.into or make_wheel.WORK / "dist")
        interpreter, packages = install(python, wheel, folder)
        check_size(checks, wheel, packages)
        check_libraries(checks, packages)
        check_python(checks, interpreter, folder)
        check_shell(checks, interpreter, folder)
        check_import_time(checks, interpreter, folder)
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
