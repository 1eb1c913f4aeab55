"""register_filesystem(): file systems of fsspec, whose files SQL reads and writes by their paths."""

from __future__ import annotations

import contextlib
import datetime
import threading
import uuid

from . import _errors
from ._scaup import Connection

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Optional

_VERSION_KEYS = ("ETag", "etag", "md5", "content_md5", "generation", "mtime", "LastModified", "last_modified", "updated", "created")
_MODIFIED_KEYS = ("mtime", "LastModified", "last_modified", "updated")


class FileCaller:
    """What the engine calls of a file system, by paths as they are in SQL."""

    def __init__(self, files: Any) -> None:
        self._files = files
        # Asynchronous ones are made for calls of many threads; others may share one position among those who read a file.
        self._reading: Any = contextlib.nullcontext() if getattr(files, "async_impl", False) else threading.Lock()

    def message(self, error: BaseException) -> str:
        """The text of the statement's error for an exception of the file system."""
        return f"file system {type(self._files).__name__}: {type(error).__name__}: {error}"

    def open(self, path: str) -> _OpenFile:
        """A file to read."""
        return _OpenFile(self._files, path, self._reading)

    def exists(self, path: str) -> bool:
        """Whether there is a file."""
        return bool(self._files.isfile(path))

    def list(self, folder: str) -> list[tuple[str, bool]]:
        """The names in a folder, and whether they are folders."""
        try:
            found = self._files.ls(folder, detail=True)
        except (FileNotFoundError, NotADirectoryError):
            return []
        own = str(self._files._strip_protocol(folder)).rstrip("/")
        entries = ((str(entry["name"]).rstrip("/"), entry["type"] == "directory") for entry in found)
        return [(name.rsplit("/", 1)[-1], is_folder) for name, is_folder in entries if name.strip("/") != own.strip("/")]

    def create(self, path: str) -> _NewFile:
        """A file to write."""
        return _NewFile(self._files, path)


class _OpenFile:
    """A file as it was when it was opened: size, version, time of the last change in microseconds or None."""

    def __init__(self, files: Any, path: str, reading: Any) -> None:
        info = files.info(path)
        if info.get("type") == "directory":
            raise IsADirectoryError(path)
        self._files, self._path, self._reading = files, path, reading
        # Some servers do not tell the size before they have sent everything.
        self._whole: Optional[bytes] = files.cat_file(path) if info.get("size") is None else None
        self.size = int(info["size"] if self._whole is None else len(self._whole))
        self.version = " ".join(str(info[key]) for key in _VERSION_KEYS if info.get(key) is not None)
        self.modified = next((micros for micros in (_micros(info.get(key)) for key in _MODIFIED_KEYS) if micros is not None), None)

    def read(self, begin: int, end: int) -> bytes:
        """Bytes of the file. Threads call this at the same time, so nothing here has a position."""
        if self._whole is not None:
            return self._whole[begin:end]
        with self._reading:
            return bytes(self._files.cat_file(self._path, start=begin, end=end))


def _micros(time: Any) -> Optional[int]:
    if isinstance(time, datetime.datetime):
        time = time.timestamp()
    return int(time * 1_000_000) if isinstance(time, (int, float)) else None


class _NewFile:
    """A file that appears when it is finished."""

    def __init__(self, files: Any, path: str) -> None:
        self._files, self._path = files, path
        # Stores of objects, which are asynchronous, complete an object when they are told to; they have no names that change.
        # Elsewhere a file gets its name at the end.
        self._commits = bool(getattr(files, "async_impl", False))
        self._name = path if self._commits else f"{path}.tmp-{uuid.uuid4()}"
        self._file = files.open(self._name, "wb", **({"autocommit": False} if self._commits else {}))

    def write(self, data: bytes) -> None:
        """Appends bytes."""
        self._file.write(data)

    def finish(self) -> None:
        """Lets the file appear."""
        self._file.close()
        if self._commits:
            self._file.commit()
        else:
            self._files.mv(self._name, self._path)

    def abandon(self) -> None:
        """Leaves nothing."""
        self._file.close()
        if self._commits:
            self._file.discard()
        elif self._files.exists(self._name):
            self._files.rm(self._name)


def _protocols(filesystem: Any) -> tuple[str, ...]:
    names = getattr(filesystem, "protocol", None)
    names = (names,) if isinstance(names, str) else tuple(names or ())
    missing = [method for method in ("info", "cat_file", "ls", "open", "_strip_protocol") if not callable(getattr(filesystem, method, None))]
    if missing or not names or names == ("abstract",):
        raise _errors.usage(
            f"an object of type {type(filesystem).__name__} is no file system: pass one of fsspec, such as fsspec.filesystem('memory')", "22023"
        )
    return names


def register_filesystem(self: Any, filesystem: Any) -> Any:
    """Lets statements of this connection read and write files of a file system of fsspec, by paths that begin with one of
    its protocols: 'memory://x.parquet'. Threads of the database call it. Returns the connection."""
    caller = FileCaller(filesystem)
    for name in _protocols(filesystem):
        self._register_files(name, caller)
    return self


def unregister_filesystem(self: Any, name: str) -> Any:
    """Forgets the file system of a protocol. Raises ProgrammingError 42704 where there is none. Returns the connection."""
    if name not in self._file_protocols():
        raise _errors.usage(f'no file system is registered for "{name}"', "42704")
    self._register_files(name, None)
    return self


def list_filesystems(self: Any) -> list[str]:
    """The protocols for which file systems are registered."""
    return list(self._file_protocols())


def attach() -> None:
    """Gives connections the methods."""
    connection: Any = Connection
    for method in (register_filesystem, unregister_filesystem, list_filesystems):
        setattr(connection, method.__name__, method)
