# SPDX-License-Identifier: Apache-2.0
"""Reads of many small files by few requests: a worker answers with as many files as fit into some megabytes."""

from __future__ import annotations

import errno
import os
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from itertools import accumulate
from typing import TypeAlias

import google_crc32c
import grpc

from packing_fs import paths as names
from packing_fs.channels import of_worker
from packing_fs.client import Client
from packing_fs.errors import DamagedError, UnavailableError, UnknownCallError, not_found
from packing_fs.protocol import peer_pb2
from packing_fs.status import to_error

Found: TypeAlias = "bytes | Exception"

_READ_BATCH = of_worker("ReadBatch", peer_pb2.ReadBatchReply)
_MOST_PATHS = 1_000
# What a worker puts into one answer, and a little less, so that a request that is made to measure has one answer.
_MOST_BYTES = 4 << 20
_FILL = 0.95
_MOST_CHARACTERS = 256 << 10
# The paths of the first request, which shows how large the files are.
_FIRST_PATHS = 128
# The requests under way ahead of the caller.
_AHEAD = 4
# A call takes as long as its bytes need: this is for a worker that is gone.
_SECONDS = 60.0
_Answer = peer_pb2.BatchedFile.Answer


def read(client: Client, paths: Sequence[str]) -> Iterator[tuple[str, Found]]:
    """Yields path and bytes of each file in the order of the paths, or why it cannot be read."""
    waiting: deque[tuple[Sequence[str], Future[list[Found]]]] = deque()
    at = 0
    size = _FIRST_PATHS
    first = True
    while at < len(paths) or waiting:
        # The first answer shows how many files fit into one.
        while at < len(paths) and len(waiting) < (1 if first else _AHEAD):
            part = paths[at : at + size]
            at += len(part)
            waiting.append((part, client.batch_threads().submit(_read_all, client, part)))
        part, future = waiting.popleft()
        found = future.result()
        if first:
            first = False
            size = _fitting(found)
        yield from zip(part, found, strict=True)


def _fitting(found: Sequence[Found]) -> int:
    """Returns how many files of this size fit into one answer."""
    lengths = [len(each) for each in found if not isinstance(each, Exception)]
    if not lengths:
        return _MOST_PATHS
    mean = max(1.0, sum(lengths) / len(lengths))
    return max(1, min(_MOST_PATHS, int(_MOST_BYTES * _FILL / mean)))


def read_together(client: Client, paths: Sequence[str]) -> list[Found]:
    """Returns bytes or error of neighbours in a blob. The caller reads those behind them next."""
    return _read_all(client, paths, True)


def _read_all(client: Client, paths: Sequence[str], reads_on: bool = False) -> list[Found]:
    """Returns bytes or error for each path."""
    results: list[Found | None] = [None] * len(paths)
    asked = []
    for place, path in enumerate(paths):
        try:
            names.checked(path)
            asked.append(place)
        except (OSError, ValueError) as e:
            results[place] = e
    alone, elsewhere = _ask(client, paths, asked, results, None, reads_on)
    for address, places in elsewhere.items():
        # A worker that has pushed the files by now reads them from their blob.
        again, further = _ask(client, paths, places, results, address)
        alone += again
        for left in further.values():
            alone += left
    for place in alone:
        results[place] = _one(client, paths[place])
    return [OSError(errno.EIO, os.strerror(errno.EIO)) if found is None else found for found in results]


def _one(client: Client, path: str) -> Found:
    try:
        reader = client.open(path)
        return reader.read(0, reader.size)
    except (OSError, ValueError) as e:
        return e


def _ask(
    client: Client,
    paths: Sequence[str],
    places: list[int],
    results: list[Found | None],
    address: str | None,
    reads_on: bool = False,
) -> tuple[list[int], dict[str, list[int]]]:
    """Asks a worker for files, until it has answered for all.

    Returns the places of files that are to be read one by one, and of those that other workers buffer.
    """
    alone: list[int] = []
    elsewhere: dict[str, list[int]] = {}
    done = 0
    while done < len(places):
        some = _fitting_paths(paths, places[done:])
        try:
            reply = _call(client, [paths[place] for place in some], address, reads_on)
        except (UnknownCallError, UnavailableError, ValueError):
            # An older worker, or none that answers: the read of one file says what is wrong, and waits for a worker.
            return alone + places[done:], elsewhere
        count = len(reply.lengths) or len(reply.files)
        if not 0 < count <= len(some):
            return alone + places[done:], elsewhere
        others = some
        if reply.lengths:
            others, whole, found = _taken_apart(some, reply)
            if not found:
                alone += whole
            for place, each in zip(whole, found, strict=False):
                results[place] = each
        for place, file in zip(others, reply.files, strict=False):
            if file.answer == _Answer.BUFFERED and file.message:
                elsewhere.setdefault(file.message, []).append(place)
            elif file.answer in (_Answer.APART, _Answer.BUFFERED) or _damaged(file):
                alone.append(place)
            else:
                results[place] = _found(paths[place], file)
        done += count
    return alone, elsewhere


def _taken_apart(places: list[int], reply: peer_pb2.ReadBatchReply) -> tuple[list[int], list[int], list[bytes]]:
    """Takes the bytes of a reply with lengths apart.

    Returns the places of files with an answer of their own, those of whole files, and the bytes of these: none, if
    they were damaged.
    """
    lengths = list(reply.lengths)
    others: list[int] = []
    whole = places[: len(lengths)]
    # Most answers have files only, which costs no step in Python for each of them.
    if min(lengths) < 0:
        others = [place for place, length in zip(whole, lengths, strict=True) if length < 0]
        whole = [place for place, length in zip(whole, lengths, strict=True) if length >= 0]
        lengths = [length for length in lengths if length >= 0]
    data = reply.data
    ends = list(accumulate(lengths, initial=0))
    if ends[-1] != len(data) or google_crc32c.value(data) != reply.crc32c:
        return others, whole, []
    return others, whole, [data[start:end] for start, end in zip(ends, ends[1:], strict=False)]


def _fitting_paths(paths: Sequence[str], places: list[int]) -> list[int]:
    if len(places) == len(paths) <= _MOST_PATHS and sum(map(len, paths)) <= _MOST_CHARACTERS:
        return places
    characters = 0
    for count, place in enumerate(places[:_MOST_PATHS]):
        characters += len(paths[place])
        if count > 0 and characters > _MOST_CHARACTERS:
            return places[:count]
    return places[:_MOST_PATHS]


def _damaged(file: peer_pb2.BatchedFile) -> bool:
    return file.answer == _Answer.WHOLE and google_crc32c.value(file.data) != file.crc32c


def _found(path: str, file: peer_pb2.BatchedFile) -> Found:
    if file.answer == _Answer.WHOLE:
        return file.data
    if file.answer == _Answer.ABSENT:
        return not_found(path)
    if file.answer == _Answer.IS_A_DIRECTORY:
        return IsADirectoryError(errno.EISDIR, "is a directory", path)
    if file.answer == _Answer.DENIED:
        return PermissionError(errno.EACCES, file.message, path)
    return DamagedError(errno.EIO, f"a worker answered {file.answer}", path)


def _call(client: Client, paths: list[str], address: str | None, reads_on: bool = False) -> peer_pb2.ReadBatchReply:
    workers = client.workers
    request = peer_pb2.ReadBatchRequest(mount=workers.mount_id, paths=paths, reads_on=reads_on, joined=True)

    def at(worker: str) -> peer_pb2.ReadBatchReply:
        channel = workers.channels.to(worker)
        try:
            return workers.channels.unary(channel, _READ_BATCH, request, _SECONDS)
        except grpc.RpcError as e:
            failure = to_error(e, f"worker at {worker}")
            if isinstance(failure, UnavailableError):
                workers.channels.renew(worker, channel)
                workers.leave(worker)
            raise failure from e

    if address is not None:
        return at(address)
    problem: Exception = UnavailableError("the BDT master lists no live worker")
    for worker in workers.candidates():
        try:
            reply = at(worker)
        except (UnavailableError, UnknownCallError) as e:
            problem = e
        else:
            workers.answered(worker)
            return reply
    raise problem
