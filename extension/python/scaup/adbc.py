"""The ADBC driver (Arrow Database Connectivity): columns in and out as Arrow, by the standard that pandas, Polars and others know.

    with scaup.adbc.connect("flights.scaup") as con, con.cursor() as cur:
        cur.adbc_ingest("events", table, mode="append")
        table = cur.execute("SELECT * FROM events WHERE kind = ?", ["click"]).fetch_arrow_table()

The module is the driver itself: driver_path() names it for other driver managers, and write_manifest() lets them find it as "scaup".
connect() needs the packages adbc-driver-manager and pyarrow."""

from __future__ import annotations

import os
import pathlib
import platform
import sys

from . import _errors, _scaup

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Mapping, Optional, Union

    import adbc_driver_manager.dbapi

ENTRYPOINT = "AdbcDriverScaupInit"


def connect(
    database: Union[str, os.PathLike[str], _scaup.Connection] = ":memory:", *, read_only: bool = False,
    config: Optional[Mapping[str, Any]] = None, autocommit: bool = False, conn_kwargs: Optional[Mapping[str, str]] = None,
) -> adbc_driver_manager.dbapi.Connection:
    """Connects by ADBC, with an own session.

    Args:
        database: the path of a file, which is made if there is none; ":memory:" for a new database in memory; or a connection of
            scaup.connect(), whose database is shared, also one in memory. So is that of a path that is open in this process.
        read_only: short for config={"access_mode": "read_only"}.
        config: settings by name, as for scaup.connect().
        autocommit: whether each statement is committed by itself. By default commit() does it, as DB-API wants.
        conn_kwargs: options of the connection by their names in ADBC, and settings of the session.

    Returns:
        A connection of DB-API 2.0 with the additions of ADBC: adbc_ingest, fetch_arrow_table, adbc_get_objects and others.

    Raises:
        ImportError: adbc-driver-manager or pyarrow is not installed.
        adbc_driver_manager.Error: the database cannot be opened; its errors, not those of scaup, are also those of statements.
        ProgrammingError: settings for a database that is open already.
    """
    try:
        import adbc_driver_manager.dbapi as dbapi
    except ImportError as error:
        raise ImportError("scaup.adbc.connect() needs other packages: pip install adbc-driver-manager pyarrow") from error
    options: dict[str, Union[str, pathlib.Path]] = {
        name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in (config or {}).items()
    }
    if read_only:
        options["access_mode"] = "read_only"
    if isinstance(database, _scaup.Connection):
        if options:
            raise _errors.usage("the database of a connection is open already: give its settings to scaup.connect()", "22023")
        options["scaup.handle"] = _scaup._database_handle(database)
    else:
        options["path"] = os.fspath(database)
    return dbapi.connect(
        driver_path(), entrypoint=ENTRYPOINT, db_kwargs=options, conn_kwargs=dict(conn_kwargs or {}), autocommit=autocommit
    )


def driver_path() -> str:
    """The shared library of the driver, for driver managers in this Python. Programs in other languages load libscaup.so instead, as
    this library needs a Python around it. Its entry point is AdbcDriverScaupInit, or AdbcDriverInit, which managers look for."""
    return os.path.abspath(_scaup.__file__)


def write_manifest(folder: Union[str, os.PathLike[str]], driver: Union[str, os.PathLike[str], None] = None) -> pathlib.Path:
    """Writes scaup.toml, by which driver managers find the driver under the name "scaup".

    Args:
        folder: where managers look: a folder of ADBC_DRIVER_PATH, etc/adbc/drivers of a virtual environment, ~/.config/adbc/drivers.
        driver: the path of libscaup.so, for programs in other languages; by default driver_path().

    Returns:
        The path of the file, which is replaced if it is there.
    """
    path = os.path.abspath(driver_path() if driver is None else os.fspath(driver))
    machine = {"x86_64": "amd64", "AMD64": "amd64", "aarch64": "arm64"}.get(platform.machine(), platform.machine())
    system = "macos" if sys.platform == "darwin" else sys.platform
    quoted = path.replace("\\", "\\\\").replace('"', '\\"')
    lines = [
        "manifest_version = 1",
        'name = "Scaup"',
        'publisher = "The Scaup authors"',
        f'version = "{_scaup.version()}"',
        "",
        "[ADBC]",
        'version = "1.1.0"',
        "",
        "[Driver]",
        f'entrypoint = "{ENTRYPOINT}"',
        "",
        "[Driver.shared]",
        f'{system}_{machine} = "{quoted}"',
    ]
    target = pathlib.Path(folder) / "scaup.toml"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return target
