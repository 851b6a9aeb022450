# SPDX-License-Identifier: Apache-2.0
"""Reads of a file, wherever its bytes are: in a worker's buffer, in blobs, or in contents that several files share."""

from __future__ import annotations

import errno
import time
from collections.abc import Callable
from concurrent.futures import Executor
from typing import Protocol

from packing_fs.errors import UnavailableError, about, not_found
from packing_fs.protocol import bdt_pb2, peer_pb2
from packing_fs.table import Table
from packing_fs.workers import MOST_READ_BYTES, Workers

_TRIES = 8
_PAUSE_SECONDS = 0.25
_State = bdt_pb2.Status.State


class _Source(Protocol):
    def read(self, offset: int, length: int) -> bytes:
        """Returns so many bytes, all of which are there."""


class FileReader:
    """The bytes of one version of a file, even if its path has another one by now. Thread-safe."""

    def __init__(
        self, path: str, located: bdt_pb2.LocateReply, table: Table, workers: Workers, threads: Callable[[], Executor]
    ) -> None:
        self.path = path
        self.status = located.status
        self.size = located.status.attributes.length
        self._threads = threads
        self._source: _Source = (
            _Mapped(path, located, table, workers)
            if located.status.state == _State.MAPPED
            else _Content(path, located, table, workers)
        )

    def read(self, offset: int, length: int) -> bytes:
        """Returns bytes of the file, fewer at its end."""
        end = min(self.size, offset + length)
        if offset >= end:
            return b""
        if end - offset <= MOST_READ_BYTES:
            return self._source.read(offset, end - offset)
        starts = range(offset, end, MOST_READ_BYTES)
        lengths = [min(MOST_READ_BYTES, end - start) for start in starts]
        return b"".join(self._threads().map(self._source.read, starts, lengths))


class _Content:
    """The bytes of a version that are at one place at a time. It asks for the place again when they have moved."""

    def __init__(self, path: str, located: bdt_pb2.LocateReply, table: Table, workers: Workers) -> None:
        self._path = path
        self._located = located
        self._version = located.status.version
        self._table = table
        self._workers = workers

    def read(self, offset: int, length: int) -> bytes:
        """Returns so many bytes, all of which are there."""
        parts = []
        while length > 0:
            part = self._some(offset, min(length, MOST_READ_BYTES))
            parts.append(part)
            offset += len(part)
            length -= len(part)
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def _some(self, offset: int, length: int) -> bytes:
        deadline = time.monotonic() + self._workers.retry.timeout
        tries = 0
        while tries < _TRIES:
            now = self._located
            try:
                found = self._at(now, offset, length)
            except UnavailableError as e:
                # The worker that buffers the file may restart, or has pushed it before its end.
                if time.monotonic() >= deadline:
                    raise UnavailableError(self._away(now, e)) from e
                time.sleep(_PAUSE_SECONDS)
            except OSError as e:
                raise about(self._path, e) from e
            else:
                if found:
                    return found
                tries += 1
            self._locate()
        raise OSError(errno.EIO, f"not found at its place in the table after {_TRIES} tries", self._path)

    def _locate(self) -> None:
        located = self._table.locate_version(self._version, self._path)
        if located is None:
            raise FileNotFoundError(errno.ENOENT, "the file was deleted or overwritten while it was open", self._path)
        self._located = located

    def _at(self, now: bdt_pb2.LocateReply, offset: int, length: int) -> bytes | None:
        request = peer_pb2.ReadRequest(
            mount=self._workers.mount_id,
            path=self._path,
            file_id=self._version.id,
            generation=self._version.generation,
            offset=offset,
            length=length,
        )
        if now.status.state == _State.BUFFERED:
            return self._workers.read_buffered(now.address, request)
        if now.status.state == _State.PACKED:
            return self._workers.read_stored(request)
        if now.status.state == _State.LOST:
            raise OSError(errno.EIO, f"the file is lost: worker {now.worker} came back without its buffer", self._path)
        raise OSError(errno.EIO, f"no bytes, but state {now.status.state}", self._path)

    def _away(self, now: bdt_pb2.LocateReply, why: UnavailableError) -> str:
        if now.status.state != _State.BUFFERED:
            return str(why)
        return (
            f"{self._path} is buffered at worker {now.worker}, in no blob yet, and the worker does not give it: {why}."
            " Start the worker again or repair the network to it; packing.worker.timeout waits longer"
        )


class _Mapped:
    """The bytes of a file that has ranges of contents, and zeros between them."""

    def __init__(self, path: str, located: bdt_pb2.LocateReply, table: Table, workers: Workers) -> None:
        self._pieces = sorted(located.pieces, key=lambda piece: piece.offset)
        self._contents = [_Content(path, content, table, workers) for content in located.contents]

    def read(self, offset: int, length: int) -> bytes:
        """Returns so many bytes."""
        end = offset + length
        parts = []
        for piece in self._pieces:
            if piece.offset + piece.length <= offset or piece.offset >= end:
                continue
            if piece.offset > offset:
                parts.append(bytes(piece.offset - offset))
                offset = piece.offset
            count = min(end, piece.offset + piece.length) - offset
            at = piece.content_offset + offset - piece.offset
            parts.append(self._contents[piece.content].read(at, count))
            offset += count
        parts.append(bytes(end - offset))
        return b"".join(parts)


def opened(path: str, table: Table, workers: Workers, threads: Callable[[], Executor]) -> FileReader:
    """Opens the file at a path."""
    located = table.locate(path)
    if located is None:
        # The answer about a directory has no place; the answer about nothing has nothing.
        status = table.stat(path)
        if status is None:
            raise not_found(path)
        raise IsADirectoryError(errno.EISDIR, "is a directory", path)
    if located.status.state == _State.DIRECTORY:
        raise IsADirectoryError(errno.EISDIR, "is a directory", path)
    return FileReader(path, located, table, workers, threads)
