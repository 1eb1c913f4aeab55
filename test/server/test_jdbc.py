"""PostgreSQL's JDBC driver: a Java program calls what its metadata, types, batches, COPY and cursors are made of.

The driver is $SCAUP_PGJDBC, that of Debian's libpostgresql-jdbc-java, or one that Maven has fetched (mvn dependency:get -Dartifact=org.postgresql:postgresql:42.7.7)."""

import os
import pathlib
import shutil
import subprocess

import pytest

HERE = pathlib.Path(__file__).parent / "jdbc"


def find_driver():
    named = os.environ.get("SCAUP_PGJDBC")
    if named:
        return named
    found = sorted((pathlib.Path.home() / ".m2/repository/org/postgresql/postgresql").glob("*/postgresql-*.jar")) + sorted(pathlib.Path("/usr/share/java").glob("postgresql*.jar"))
    return str(found[-1]) if found else None


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    driver = find_driver()
    if driver is None or shutil.which("javac") is None:
        pytest.skip("there is no javac, or no JDBC driver")
    classes = tmp_path_factory.mktemp("classes")
    subprocess.run(["javac", "-cp", driver, "-d", classes, HERE / "Driver.java"], check=True, timeout=300)
    return ["java", "-Xshare:auto", "-XX:TieredStopAtLevel=1", "-cp", f"{classes}:{driver}", "Driver"]


@pytest.mark.parametrize("options", [[], ["prepareThreshold=1", "binaryTransfer=true"]], ids=["usual", "binary"])
def test_driver(program, serve, options):
    server = serve()
    done = subprocess.run([*program, f"jdbc:postgresql://127.0.0.1:{server.port}/memory", "me", *options], capture_output=True, text=True, timeout=300, check=True)
    expected = (HERE / "expected.txt").read_text(encoding="utf-8")
    assert done.stdout == expected
