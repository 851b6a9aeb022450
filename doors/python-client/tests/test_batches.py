# SPDX-License-Identifier: Apache-2.0
"""Batches of small files."""

from __future__ import annotations

import random
import time
from typing import Any

import google_crc32c
import grpc
import pytest

from packing_fs import PackingFileSystem, batches, channels
from packing_fs.protocol import peer_pb2
from tests.daemons import Cluster, command
from tests.test_files import some_bytes


def test_a_batch_has_each_file_in_order(cluster: Cluster, fs: PackingFileSystem, folder: str) -> None:
    sizes = [0, 1, 100, 8192, 1 << 20, (1 << 20) + 1, 5 << 20]
    files = {
        f"{folder}/{number}": some_bytes(number, sizes[number % 7] if number < 7 else 8192) for number in range(900)
    }
    fs.pipe(files)
    names = list(files)
    random.Random(1).shuffle(names)
    for _ in range(2):
        assert list(fs.iter_batch(names)) == [(name, files[name]) for name in names]
        command("flush", f"{cluster.url}/")
    assert fs.cat(f"{folder}/1?") == {
        name: files[name] for name in sorted(files) if len(name) == len(folder) + 3 and name[len(folder) + 1] == "1"
    }


def test_files_in_the_buffers_of_several_workers_come_in_one_batch(cluster: Cluster, folder: str) -> None:
    files = {}
    for number, worker in enumerate(cluster.workers):
        # A client of its own, which writes to this worker.
        fs = PackingFileSystem(cluster.master.address, skip_instance_cache=True)
        fs.client.workers.answered(worker.address)
        mine = {f"{folder}/{number}-{file}": some_bytes(file, 1000 + number) for file in range(300)}
        fs.pipe(mine)
        files.update(mine)
    names = list(files)
    random.Random(2).shuffle(names)
    assert fs.get_batch(names) == {name: files[name] for name in names}


def test_missing_and_impossible_paths_have_their_errors(fs: PackingFileSystem, folder: str) -> None:
    fs.pipe_file(f"{folder}/f", b"x")
    asked = [f"{folder}/none", f"{folder}/f", folder, f"{folder}/f/below", "/a/../b", f"{folder}/f", "/.reserved/x"]
    found = list(fs.iter_batch(asked, on_error="return"))
    assert [path for path, _ in found] == asked
    kinds = [type(result) for _, result in found]
    assert kinds == [
        FileNotFoundError,
        bytes,
        IsADirectoryError,
        FileNotFoundError,
        ValueError,
        bytes,
        PermissionError,
    ]
    assert fs.get_batch(asked, on_error="omit") == {f"{folder}/f": b"x"}
    with pytest.raises(FileNotFoundError, match="none"):
        fs.get_batch(asked)
    with pytest.raises(ValueError, match="on_error"):
        fs.get_batch([], on_error="ignore")
    assert fs.get_batch([]) == {}


def test_a_batch_larger_than_a_request_is_several(fs: PackingFileSystem, folder: str) -> None:
    long = "x" * 250
    files = {f"{folder}/{long}/{long}/{number:04d}": b"%d" % number for number in range(3000)}
    fs.pipe(files)
    assert fs.get_batch([*files, f"{folder}/none"], on_error="omit") == files


def test_many_files_cost_few_requests(fs: PackingFileSystem, folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {f"{folder}/{number}": some_bytes(number, 8192) for number in range(2000)}
    fs.pipe(files)
    calls: list[str] = []
    unary = channels.Channels.unary

    def counted(*args: Any) -> Any:
        calls.append(args[2].path.rpartition("/")[2])
        return unary(*args)

    monkeypatch.setattr(channels.Channels, "unary", counted)
    assert fs.get_batch(list(files)) == files
    # One for the first paths, whose size the client does not know, and one for each further four megabytes.
    assert 4 <= calls.count("ReadBatch") <= 9 and set(calls) <= {"ReadBatch", "Workers"}


def test_a_worker_of_an_older_version_gives_one_file_after_the_other(
    fs: PackingFileSystem, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {f"{folder}/{number}": some_bytes(number, 100) for number in range(50)}
    fs.pipe(files)
    unknown: channels.Method[Any, Any] = channels.Method("/packing.worker.v1.Peer/NoSuchCall", peer_pb2.ReadBatchReply)
    monkeypatch.setattr(batches, "_READ_BATCH", unknown)
    assert fs.get_batch([*files, f"{folder}/none"], on_error="omit") == files


def test_damaged_bytes_are_read_again(fs: PackingFileSystem, folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {f"{folder}/{number}": some_bytes(number, 100) for number in range(5)}
    fs.pipe(files)
    call = batches._call

    def damaged(*args: object) -> peer_pb2.ReadBatchReply:
        reply = call(*args)  # type: ignore[arg-type]
        reply.data = b"!" + reply.data[1:]
        return reply

    monkeypatch.setattr(batches, "_call", damaged)
    assert fs.get_batch(list(files)) == files


def test_a_worker_that_joins_no_bytes_is_understood(
    fs: PackingFileSystem, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {f"{folder}/{number}": some_bytes(number, 100 * number) for number in range(5)}
    fs.pipe(files)
    call = batches._call
    spoiled: list[int] = []

    def older(*args: object) -> peer_pb2.ReadBatchReply:
        reply = call(*args)  # type: ignore[arg-type]
        # Each file has a message of its own then.
        others = iter(reply.files)
        apart = peer_pb2.ReadBatchReply()
        at = 0
        for length in reply.lengths:
            if length < 0:
                apart.files.append(next(others))
                continue
            data = reply.data[at : at + length]
            at += length
            wrong = len(apart.files) in spoiled
            apart.files.add(data=data, crc32c=google_crc32c.value(data) ^ wrong)
        return apart

    monkeypatch.setattr(batches, "_call", older)
    asked = [*files, f"{folder}/none"]
    for damaged in ([], [2]):
        spoiled[:] = damaged
        assert fs.get_batch(asked, on_error="omit") == files


def test_a_batch_fails_in_time_when_no_worker_answers(cluster: Cluster, folder: str) -> None:
    fs = PackingFileSystem(
        cluster.master.address, worker_timeout="1s", read_peer_timeout="1s", skip_instance_cache=True
    )
    fs.pipe_file(f"{folder}/f", b"x")
    closed = [grpc.insecure_channel("127.0.0.1:1")]
    fs.client.channels.to = lambda address: (  # type: ignore[method-assign]
        closed[0] if address != cluster.master.address else channels.Channels.to(fs.client.channels, address)
    )
    before = time.monotonic()
    found = fs.get_batch([f"{folder}/f"], on_error="return")
    assert isinstance(found[f"{folder}/f"], ConnectionError)
    assert time.monotonic() - before < 60
