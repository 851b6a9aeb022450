# SPDX-License-Identifier: Apache-2.0
"""Writes of files to workers: small ones share messages, a large one has a stream of its own."""

from __future__ import annotations

import contextlib
import errno
import queue
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import grpc

from packing_fs.channels import of_worker
from packing_fs.errors import LeavingError, UnavailableError, about
from packing_fs.options import MOST_SPILL_BYTES
from packing_fs.protocol import peer_pb2
from packing_fs.status import details_of, to_error
from packing_fs.workers import Workers

_WRITE = of_worker("Write", peer_pb2.WriteBatchReply)
_WRITE_LARGE = of_worker("WriteLarge", peer_pb2.WriteResult)

_FILES_PER_BATCH = 128
_BYTES_PER_BATCH = 1 << 20
# A worker that is busy ends calls with too many unanswered messages.
_BATCHES_UNANSWERED = 8
# The weight of a file beside its bytes.
_FILE_WEIGHT = 512
_PART_BYTES = 1 << 20
_PARTS_WAITING = 4
_LOOK_SECONDS = 0.2
# The most workers that may refuse a file since they leave.
_MOST_WORKERS = 10

Version: TypeAlias = tuple[int, int]
_Answer = peer_pb2.WriteResult.Answer

_ERRNO: dict[int, tuple[int, str]] = {
    _Answer.EXISTS: (errno.EEXIST, "the file exists"),
    _Answer.IS_A_DIRECTORY: (errno.EISDIR, "is a directory"),
    _Answer.NO_PARENT: (errno.ENOENT, "its directory does not exist"),
    _Answer.NOT_A_DIRECTORY: (errno.ENOTDIR, "a file is above it"),
    _Answer.DENIED: (errno.EACCES, ""),
    _Answer.NAMES_QUOTA: (errno.EDQUOT, ""),
    _Answer.BYTES_QUOTA: (errno.EDQUOT, ""),
    _Answer.FULL: (errno.ENOSPC, ""),
    _Answer.INVALID: (errno.EINVAL, ""),
}


@dataclass(frozen=True)
class NewFile:
    """A whole small file.

    overwrite: False refuses a path that has a file already
    """

    creation: peer_pb2.Creation
    data: bytes

    def __post_init__(self) -> None:
        if len(self.data) > MOST_SPILL_BYTES:
            raise ValueError(f"{self.creation.path}: {len(self.data)} bytes in one message, at most {MOST_SPILL_BYTES}")

    @property
    def weight(self) -> int:
        """The bytes that the file takes of a message."""
        return len(self.data) + len(self.creation.path) + _FILE_WEIGHT


def put_files(workers: Workers, files: Sequence[NewFile]) -> list[Version | Exception]:
    """Writes small files; returns the version of each, or why it was not stored.

    A file goes to another worker when one leaves. When one is lost, it is unknown whether that stored a file. The file
    is written again if it may replace what is there, and fails with UnavailableError otherwise.
    """
    results: dict[int, Version | Exception] = {}
    refused: set[str] = set()

    def once(left: float) -> None:
        waiting = [place for place in range(len(files)) if place not in results]
        while waiting:
            address = workers.find(refused)
            waiting = _send(workers, address, files, waiting, results)
            if waiting:
                workers.leave(address)
                if len(refused) < _MOST_WORKERS:
                    refused.add(address)
        retried = [place for place, found in results.items() if isinstance(found, UnavailableError)]
        retried = [place for place in retried if files[place].creation.overwrite]
        if retried:
            last = results[retried[0]]
            for place in retried:
                del results[place]
            refused.clear()
            raise UnavailableError(str(last))

    try:
        workers.retry.call(f"write {len(files)} files", once)
    except UnavailableError as e:
        for place in range(len(files)):
            results.setdefault(place, e)
    return [results[place] for place in range(len(files))]


def _send(
    workers: Workers, address: str, files: Sequence[NewFile], places: list[int], results: dict[int, Version | Exception]
) -> list[int]:
    """Sends some of the files to one worker; returns the places of those that it did not take since it leaves."""
    batches = dict(enumerate(_batches(files, places), start=1))
    numbered = list(batches.items())
    leave = threading.Semaphore(_BATCHES_UNANSWERED)
    ended = threading.Event()

    def messages() -> Iterator[peer_pb2.WriteBatch]:
        for number, batch in numbered:
            # gRPC's thread waits here, and has to learn that no further answer comes.
            while not leave.acquire(timeout=_LOOK_SECONDS):
                if ended.is_set():
                    return
            yield peer_pb2.WriteBatch(
                mount=workers.mount_id,
                sequence=number,
                files=[peer_pb2.SmallFile(creation=files[place].creation, data=files[place].data) for place in batch],
            )

    left: list[int] = []
    channel = workers.channels.to(address)
    try:
        for reply in workers.channels.converse(channel, _WRITE, messages()):
            leave.release()
            batch = batches.pop(reply.sequence, [])
            if len(reply.results) != len(batch):
                raise OSError(errno.EIO, f"worker at {address}: {len(reply.results)} answers for {len(batch)} files")
            for place, result in zip(batch, reply.results, strict=True):
                try:
                    results[place] = version_of(files[place].creation.path, address, result)
                except LeavingError:
                    left.append(place)
                except (OSError, ValueError) as e:
                    results[place] = e
        lost: Exception = UnavailableError(f"worker at {address}: it ended the call")
    except grpc.RpcError as e:
        lost = to_error(e, f"worker at {address}")
        if isinstance(lost, UnavailableError):
            workers.channels.renew(address, channel)
            workers.leave(address)
            lost = UnavailableError(f"whether the file was stored is unknown: {lost}")
    finally:
        ended.set()
    for batch in batches.values():
        for place in batch:
            results[place] = lost
    return left


def _batches(files: Sequence[NewFile], places: list[int]) -> Iterator[list[int]]:
    batch: list[int] = []
    weight = 0
    for place in places:
        more = files[place].weight
        if batch and (len(batch) == _FILES_PER_BATCH or weight + more > _BYTES_PER_BATCH):
            yield batch
            batch, weight = [], 0
        batch.append(place)
        weight += more
    yield batch


def version_of(path: str, address: str, result: peer_pb2.WriteResult) -> Version:
    """Returns the version of a stored file; raises what the worker refuses."""
    if result.answer == _Answer.STORED:
        return result.file_id, result.generation
    words = f"worker at {address}: {result.message}"
    if result.answer == _Answer.LEAVING:
        raise LeavingError(words)
    if result.answer == _Answer.UNAVAILABLE:
        raise UnavailableError(words)
    number, own = _ERRNO.get(result.answer, (errno.EIO, ""))
    raise OSError(number, own or result.message or words, path)


class LargeFile:
    """The upload of a file of any size, for one thread.

    A worker that leaves refuses the beginning, and another one takes it.
    """

    def __init__(self, workers: Workers, creation: peer_pb2.Creation) -> None:
        self._workers = workers
        self._creation = creation
        self._kept: list[bytes] | None = []
        self._kept_bytes = 0
        self._refused: set[str] = set()
        self._stream = self._open()

    def _open(self) -> _Stream:
        address = self._workers.find(self._refused)
        start = peer_pb2.LargeStart(mount=self._workers.mount_id, creation=self._creation)
        return _Stream(self._workers, address, start)

    def write(self, data: bytes) -> None:
        """Sends bytes; waits while the worker takes no more."""
        view = memoryview(data)
        for start in range(0, len(view), _PART_BYTES):
            self._write(bytes(view[start : start + _PART_BYTES]))

    def _write(self, part: bytes) -> None:
        if self._kept is not None:
            # More than can be under way to a worker that has not taken the beginning.
            self._kept.append(part)
            self._kept_bytes += len(part)
        try:
            self._stream.send(part)
        except LeavingError as e:
            self._elsewhere(e)
        if self._kept_bytes > 2 * _PARTS_WAITING * _PART_BYTES:
            self._kept = None

    def finish(self) -> Version:
        """Completes the file."""
        while True:
            try:
                return self._stream.finish()
            except LeavingError as e:
                self._elsewhere(e)

    def _elsewhere(self, why: LeavingError) -> None:
        while True:
            if self._kept is None or len(self._refused) == _MOST_WORKERS:
                raise UnavailableError(str(why)) from why
            self._workers.leave(self._stream.address)
            self._refused.add(self._stream.address)
            self._stream = self._open()
            try:
                for part in self._kept:
                    self._stream.send(part)
                return
            except LeavingError as e:
                why = e

    def abort(self) -> None:
        """Gives the file up; the worker keeps nothing of it."""
        self._stream.abort()


class _Stream:
    """The parts of one file on their way to one worker."""

    def __init__(self, workers: Workers, address: str, start: peer_pb2.LargeStart) -> None:
        self.address = address
        self._path = start.creation.path
        self._parts: queue.Queue[peer_pb2.LargePart | None] = queue.Queue(_PARTS_WAITING)
        self._parts.put(peer_pb2.LargePart(start=start))
        self._workers = workers
        self._channel = workers.channels.to(address)
        self._answer = workers.channels.upload(self._channel, _WRITE_LARGE, iter(self._parts.get, None))
        # The thread that takes parts waits for the next one, so it has to learn that none comes.
        self._answer.add_done_callback(lambda done: self._release())

    def send(self, part: bytes) -> None:
        """Sends bytes, unless the worker has refused the file."""
        self._put(peer_pb2.LargePart(data=part))

    def _put(self, part: peer_pb2.LargePart | None) -> None:
        while not self._answer.done():
            try:
                self._parts.put(part, timeout=_LOOK_SECONDS)
                return
            except queue.Full:
                # Only a dead worker ends the wait: one that is full takes parts again when it has pushed some.
                continue
        self._result()
        raise UnavailableError(f"worker at {self.address}: it ended the call")

    def finish(self) -> Version:
        """Completes the file."""
        if not self._answer.done():
            self._put(None)
        return self._result()

    def _result(self) -> Version:
        try:
            result = self._answer.result()
        except grpc.RpcError as e:
            failure = to_error(e, f"worker at {self.address}")
            if isinstance(failure, UnavailableError):
                self._workers.channels.renew(self.address, self._channel)
                self._workers.leave(self.address)
                words = f"worker at {self.address}: whether {self._path} was stored is unknown ({details_of(e)})"
                raise UnavailableError(words) from e
            raise about(self._path, failure) if isinstance(failure, OSError) else failure from e
        except grpc.FutureCancelledError as e:
            raise OSError(errno.ECANCELED, "the file was given up", self._path) from e
        return version_of(self._path, self.address, result)

    def abort(self) -> None:
        """Cancels the call before its end, so that the worker keeps nothing."""
        self._answer.cancel()  # type: ignore[no-untyped-call]

    def _release(self) -> None:
        # A full queue has parts that wake the thread, which finds the call ended.
        with contextlib.suppress(queue.Full):
            self._parts.put_nowait(None)
