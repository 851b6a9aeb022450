# SPDX-License-Identifier: Apache-2.0
"""Masters and workers of this repository as child processes, on free ports of the loopback address."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = Path(os.environ.get("PACKING_PROGRAM", ROOT / "bin" / "packing"))
_START_SECONDS = 180.0

java_options = "-XX:TieredStopAtLevel=1"
"""Of each daemon. A test is done before the second compiler pays; benchmarks take it away."""


class Daemon:
    """A process that prints a line with its address when it serves."""

    def __init__(self, arguments: Sequence[str], log: Path, says: str) -> None:
        self._arguments = [str(PROGRAM), *arguments]
        self._log = log
        self._says = says
        self._process: subprocess.Popen[bytes] | None = None
        self.address = ""

    def start(self) -> None:
        """Starts the process, and waits until it serves."""
        environment = dict(os.environ, PACKING_JAVA_OPTS=java_options)
        before = self._log.stat().st_size if self._log.exists() else 0
        with self._log.open("ab") as output:
            self._process = subprocess.Popen(
                self._arguments,
                stdout=output,
                stderr=subprocess.STDOUT,
                env=environment,
                cwd=self._log.parent,
                start_new_session=True,
            )
        deadline = time.monotonic() + _START_SECONDS
        while True:
            text = self._log.read_bytes()[before:].decode(errors="replace")
            lines = [line for line in text.splitlines() if line.startswith(self._says)]
            if lines:
                self.address = lines[0].rpartition(" at ")[2].strip()
                return
            if self._process.poll() is not None or time.monotonic() > deadline:
                self.kill()
                raise AssertionError(f"{' '.join(self._arguments)} does not serve: {text[-2000:]}")
            time.sleep(0.05)

    def signal(self, number: signal.Signals) -> None:
        """Sends a signal to the process."""
        if self._process is not None:
            os.killpg(self._process.pid, number)

    def kill(self) -> None:
        """Ends the process without a warning."""
        if self._process is not None:
            # A launcher that still builds has children.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._process = None


def command(*arguments: str) -> str:
    """Runs a command to its end, and returns what it prints."""
    done = subprocess.run(
        [str(PROGRAM), *arguments, "--timeout", "60s"],
        capture_output=True,
        text=True,
        timeout=_START_SECONDS,
        check=False,
    )
    assert done.returncode == 0, f"{' '.join(arguments)}: {done.stdout}{done.stderr}"
    return done.stdout


class Cluster:
    """A master and workers over a store in a folder.

    options: of each process, and of the command line
    store: the location of another store
    """

    def __init__(
        self,
        folder: Path,
        master_options: Sequence[str] = (),
        worker_options: Sequence[str] = (),
        store: str | None = None,
    ) -> None:
        self.folder = folder
        self.store = folder / "store"
        self.store.mkdir(parents=True)
        self._location = store or f"file://{self.store}"
        self._master_options = list(master_options)
        self._worker_options = list(worker_options)
        self.workers: list[Daemon] = []
        self.master = self._master("127.0.0.1:0")
        self.master.start()
        # A restart has the port of the first start, as clients know it.
        first, self.master = self.master, self._master(self.master.address)
        self.master._process = first._process
        self.master.address = first.address

    def _master(self, bind: str) -> Daemon:
        arguments = ["bdt-master", "--data-dir", str(self.folder / "bdt"), "--bind", bind]
        arguments += ["--store", self._location, *self._master_options]
        return Daemon(arguments, self.folder / "master.log", "BDT master at ")

    @property
    def url(self) -> str:
        """The URL of the mount's root, without a slash at its end."""
        return f"packing://{self.master.address}"

    def make_mount(self) -> None:
        """Makes the mount."""
        command("mounts", "create", f"{self.url}/", "--store", self._location, *self._worker_options)

    def add_worker(self, *options: str) -> Daemon:
        """Starts another worker."""
        number = len(self.workers) + 1
        worker = Daemon(
            [
                "worker",
                f"{self.url}/",
                *("--id", f"w{number}", "--port", "0", "--buffer-dir", str(self.folder / f"buffer-{number}")),
                *self._worker_options,
                *options,
            ],
            self.folder / f"worker-{number}.log",
            f"worker w{number} of ",
        )
        worker.start()
        self.workers.append(worker)
        return worker

    def close(self) -> None:
        """Ends all processes."""
        for daemon in [*self.workers, self.master]:
            daemon.kill()
