"""A PostgreSQL server of one's own for a moment, where its programs are installed: it judges between Scaup and another oracle."""

import contextlib
import glob
import os
import pwd
import shlex
import shutil
import subprocess
import tempfile
import time

USER = "nobody"  # PostgreSQL does not run as root.
SECONDS_TO_START = 30


def programs():
    """The folder with PostgreSQL's programs; None where they are not installed."""
    on_path = shutil.which("initdb")
    folders = ([os.path.dirname(on_path)] if on_path else []) + sorted(glob.glob("/usr/lib/postgresql/*/bin"), reverse=True)
    return next((folder for folder in folders if os.path.exists(f"{folder}/postgres")), None) if shutil.which("psql") else None


@contextlib.contextmanager
def running(*options):
    """The folder of the socket of a new, empty server, which ends with the context; None where PostgreSQL is not installed. Options are
    settings such as "fsync=off"; its superuser is `fuzz`."""
    folder = programs()
    if folder is None:
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="scaup-fuzz-pg-", ignore_cleanup_errors=True) as home:
        own = {}
        if os.getuid() == 0:
            user = pwd.getpwnam(USER)
            own = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
            os.chown(home, user.pw_uid, user.pw_gid)
        quiet = {"cwd": home, "stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        subprocess.run([f"{folder}/initdb", "-D", f"{home}/data", "-U", "fuzz", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "-N"],
                       check=True, **quiet, **own)
        settings = [word for option in options for word in ("-c", option)]
        process = subprocess.Popen([f"{folder}/postgres", "-D", f"{home}/data", "-k", home, *settings], **quiet, **own)
        try:
            wait_for(psql_of(home), process)
            yield home
        finally:
            process.send_signal(2)  # A fast shutdown: it does not wait for clients.
            process.wait()


def psql_of(home):
    return ["psql", "-h", home, "-U", "fuzz", "-d", "postgres"]


@contextlib.contextmanager
def server():
    """An oracle on a new, empty server, which ends with the context; None where PostgreSQL is not installed."""
    from engines import PostgreSQL  # Only here: other programs that start a server have engines of their own.

    with running("listen_addresses=", "fsync=off") as home:
        if home is None:
            yield None
            return
        oracle = PostgreSQL(shlex.join(psql_of(home)))
        try:
            yield oracle
        finally:
            oracle.close()


def wait_for(psql, running):
    """Waits until the server answers; its socket is there a moment before."""
    end = time.monotonic() + SECONDS_TO_START
    while subprocess.run(psql + ["-X", "-c", "SELECT 1"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode != 0:
        if running.poll() is not None or time.monotonic() > end:
            raise RuntimeError("PostgreSQL does not start")
        time.sleep(0.05)
