# SPDX-License-Identifier: Apache-2.0
"""The workers of a mount, which take its files and read them for this client."""

from __future__ import annotations

import errno
import threading
from collections.abc import Callable, Iterable

import google_crc32c
import grpc
from google.protobuf.message import Message

from packing_fs.channels import Channels, Method, of_worker
from packing_fs.errors import DamagedError, MountNotOpenError, UnavailableError, UnknownCallError
from packing_fs.options import Options
from packing_fs.protocol import bdt_pb2, peer_pb2
from packing_fs.retry import Retry
from packing_fs.status import to_error

MOST_READ_BYTES = 4 << 20
"""The most bytes of one read."""

# A version that no worker buffers: a request for it asks for a sign of life.
_NO_FILE = (1 << 63) - 1
_PROBE_SECONDS = 5.0
_DAMAGED_TRIES = 3

_READ = of_worker("Read", peer_pb2.ReadChunk)
_READ_STORED = of_worker("ReadStored", peer_pb2.ReadChunk)


class Workers:
    """The search for a worker that answers, and reads at it. It stays with one worker until that does not answer.

    Thread-safe.

    live: returns the workers that count as alive, by the master
    """

    def __init__(
        self,
        mount_id: Callable[[], str],
        live: Callable[[], list[bdt_pb2.Worker]],
        channels: Channels,
        options: Options,
    ) -> None:
        self.channels = channels
        self._mount_id = mount_id
        self._live = live
        self._options = options
        self._current: str | None = None
        self._lock = threading.Lock()
        self.retry = Retry(
            options.worker_timeout,
            "Start a worker with this mount (packing worker), or check that it reaches the BDT master and is"
            " reachable from here; packing.worker.timeout says how long a restart is waited for.",
        )

    @property
    def mount_id(self) -> str:
        """The mount's name at workers."""
        return self._mount_id()

    def candidates(self) -> Iterable[str]:
        """Yields the addresses of workers, the one of the last call first, and leaving ones only if all leave."""
        with self._lock:
            first = self._current
        if first is not None:
            yield first
        live = self._live()
        staying = [worker for worker in live if not worker.leaving] or live
        for address in sorted(worker.address for worker in staying):
            if address != first:
                yield address

    def answered(self, address: str) -> None:
        """Notes that a worker answers."""
        with self._lock:
            self._current = address

    def leave(self, address: str) -> None:
        """Notes that a worker does not answer, or takes no files."""
        with self._lock:
            if self._current == address:
                self._current = None

    def find(self, without: set[str]) -> str:
        """Returns the address of a worker that takes files.

        without: workers that have refused
        """
        return self.retry.call("find a worker", lambda left: self._find(without, min(left, _PROBE_SECONDS)))

    def _find(self, without: set[str], seconds: float) -> str:
        problems: list[str] = []
        with self._lock:
            current = self._current
        if current is not None and current not in without:
            return current
        for address in self.candidates():
            if address in without:
                problems.append(f"the worker at {address} has refused")
                continue
            problem = self._problem(address, max(1.0, seconds))
            if problem is None:
                self.answered(address)
                return address
            problems.append(problem)
        raise UnavailableError("; ".join(problems) or "the BDT master lists no live worker")

    def _problem(self, address: str, seconds: float) -> str | None:
        question = peer_pb2.ReadRequest(mount=self.mount_id, file_id=_NO_FILE, generation=_NO_FILE, length=1)
        try:
            self._chunks(address, _READ, question, seconds)
        except (UnavailableError, PermissionError) as e:
            return str(e)
        except (OSError, ValueError):
            # It answers, if only that it does not know the version.
            return None
        return None

    def read_buffered(self, address: str, request: peer_pb2.ReadRequest) -> bytes | None:
        """Reads bytes from the buffer of a worker; None: it no longer has them."""
        return self._sound(address, _READ, request)

    def read_stored(self, request: peer_pb2.ReadRequest) -> bytes | None:
        """Reads bytes in blobs by any worker; None: no worker finds them in a blob."""
        return self.retry.call(request.path, lambda left: self._anywhere(request))

    def _anywhere(self, request: peer_pb2.ReadRequest) -> bytes | None:
        problems: list[str] = []
        answers = 0
        for address in self.candidates():
            try:
                found = self._sound(address, _READ_STORED, request)
            except (UnavailableError, UnknownCallError) as e:
                self.leave(address)
                problems.append(str(e))
                continue
            if found is not None:
                self.answered(address)
                return found
            answers += 1
        if answers > 0:
            return None
        raise UnavailableError("; ".join(problems) or "the BDT master lists no live worker")

    def _sound(
        self, address: str, method: Method[Message, peer_pb2.ReadChunk], request: peer_pb2.ReadRequest
    ) -> bytes | None:
        for tries in range(_DAMAGED_TRIES):
            try:
                return self._chunks(address, method, request, self._options.read_timeout)
            except DamagedError:
                if tries == _DAMAGED_TRIES - 1:
                    raise
        return None

    def _chunks(
        self, address: str, method: Method[Message, peer_pb2.ReadChunk], request: peer_pb2.ReadRequest, seconds: float
    ) -> bytes | None:
        channel = self.channels.to(address)
        try:
            parts = [checked(chunk, address) for chunk in self.channels.stream(channel, method, request, seconds)]
        except grpc.RpcError as e:
            failure = to_error(e, f"worker at {address}")
            if isinstance(failure, MountNotOpenError):
                return None
            if isinstance(failure, UnavailableError):
                self.channels.renew(address, channel)
            raise failure from e
        return parts[0] if len(parts) == 1 else b"".join(parts) or None


def checked(chunk: peer_pb2.ReadChunk, address: str) -> bytes:
    """Returns the bytes of a chunk, if they are as the worker sent them."""
    data = chunk.data
    if chunk.HasField("crc32c") and google_crc32c.value(data) != chunk.crc32c:
        raise DamagedError(errno.EIO, f"worker at {address}: {len(data)} bytes were damaged on the way")
    return data
