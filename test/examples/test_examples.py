"""Builds and runs the examples in C, Go, Rust and Java against an installed Scaup, as their users do."""

import os
import pathlib
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
WANTED = """Amsterdam: 667 sales, 1333333.00
Berlin: 666 sales, 1331667.00
Kyoto: 667 sales, 1334000.00
error 42703 at byte 7
"""


def run(*command, **options):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False, timeout=600, **options)
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


def require(*programs):
    for program in programs:
        if shutil.which(program) is None:
            pytest.skip(f"there is no {program}")


@pytest.fixture(scope="module", name="prefix")
def install(tmp_path_factory):
    prefix = tmp_path_factory.mktemp("prefix")
    run("cmake", "--install", os.environ["SCAUP_BUILD"], "--prefix", prefix)
    return prefix


@pytest.fixture(name="environment")
def set_environment(prefix):
    """What finds the installed library, when it is linked and when it is loaded."""
    [config] = prefix.rglob("scaup.pc")
    return {**os.environ, "PKG_CONFIG_PATH": str(config.parent), "LD_LIBRARY_PATH": str(config.parents[1])}


def test_c_by_find_package(prefix, tmp_path):
    require("cc")
    run("cmake", "-S", EXAMPLES / "c", "-B", tmp_path, f"-DCMAKE_PREFIX_PATH={prefix}")
    run("cmake", "--build", tmp_path)
    assert run(tmp_path / "sales") == WANTED
    assert run(tmp_path / "sales_static") == WANTED


def test_c_by_pkg_config(environment, tmp_path):
    require("cc", "pkg-config")
    options = run("pkg-config", "--cflags", "--libs", "scaup", env=environment).split()
    program = tmp_path / "sales"
    run("cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic", EXAMPLES / "c" / "sales.c", *options, "-o", program)
    assert run(program, env=environment) == WANTED


def test_guide(environment, tmp_path):
    """The program in the guide."""
    require("cc", "pkg-config")
    text = (ROOT / "docs" / "c-api.md").read_text(encoding="utf-8")
    source, program = tmp_path / "guide.c", tmp_path / "guide"
    source.write_text(text.split("```c\n")[1].split("```")[0], encoding="utf-8")
    (tmp_path / "sales.csv").write_text("city,amount\nKyoto,1\nA long name of a city,2\nKyoto,3\n", encoding="utf-8")
    options = run("pkg-config", "--cflags", "--libs", "scaup", env=environment).split()
    run("cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic", source, *options, "-o", program)
    assert sorted(run(program, cwd=tmp_path, env=environment).splitlines()) == ["A long name of a city 1", "Kyoto 2"]


def test_go(environment, tmp_path):
    require("go", "cc", "pkg-config")
    work = tmp_path / "go"
    shutil.copytree(EXAMPLES / "go", work)
    settings = {**environment, "CGO_ENABLED": "1", "GOFLAGS": "-mod=mod", "GOPROXY": "off", "GOTOOLCHAIN": "local"}
    run("go", "build", "-o", tmp_path / "sales", ".", cwd=work, env=settings)
    assert run(tmp_path / "sales", env=environment) == WANTED


def test_rust(environment, tmp_path):
    require("cargo", "pkg-config")
    settings = {**environment, "CARGO_TARGET_DIR": str(tmp_path / "target")}
    work = tmp_path / "rust"
    shutil.copytree(EXAMPLES / "rust", work)
    run("cargo", "build", "--quiet", "--offline", cwd=work, env=settings)
    # It finds the library by its run path.
    assert run(tmp_path / "target" / "debug" / "sales") == WANTED


def find_jna():
    """$SCAUP_JNA, that of Debian's libjna-java, or one that Maven has fetched (mvn dependency:get -Dartifact=net.java.dev.jna:jna:5.17.0)."""
    named = os.environ.get("SCAUP_JNA")
    if named:
        return named
    found = sorted((pathlib.Path.home() / ".m2/repository/net/java/dev/jna/jna").glob("*/jna-*.jar")) + sorted(pathlib.Path("/usr/share/java").glob("jna.jar"))
    return str(found[-1]) if found else None


def test_java(environment):
    require("java")
    jna = find_jna()
    if jna is None:
        pytest.skip("there is no JNA")
    assert run("java", "-Xshare:auto", "-cp", jna, EXAMPLES / "java" / "Sales.java", env=environment) == WANTED
