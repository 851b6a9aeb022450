# SPDX-License-Identifier: Apache-2.0
"""Writes of many small files to a worker of this process, which answers when the test wants it to."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import cast

import grpc
import pytest

from packing_fs import UnavailableError, writes
from packing_fs.channels import Channels
from packing_fs.options import Options
from packing_fs.protocol import peer_pb2
from packing_fs.retry import Retry
from packing_fs.workers import Workers

FILE_BYTES = 64 << 10
FILES = 320
MOST_UNANSWERED = 8


class SlowWorker:
    """A worker that answers a message only when no further one comes for a while."""

    def __init__(self, answers: int) -> None:
        self.most_unanswered = 0
        self.written: set[str] = set()
        self._answers = answers
        self._server = grpc.server(ThreadPoolExecutor(4))
        handler = grpc.stream_stream_rpc_method_handler(
            self._write, peer_pb2.WriteBatch.FromString, peer_pb2.WriteBatchReply.SerializeToString
        )
        service = peer_pb2.DESCRIPTOR.services_by_name["Peer"].full_name
        self._server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(service, {"Write": handler}),))
        self.address = f"127.0.0.1:{self._server.add_insecure_port('127.0.0.1:0')}"
        self._server.start()

    def _write(
        self, requests: Iterator[peer_pb2.WriteBatch], context: grpc.ServicerContext
    ) -> Iterator[peer_pb2.WriteBatchReply]:
        waiting: queue.Queue[peer_pb2.WriteBatch | None] = queue.Queue()

        def take() -> None:
            try:
                for request in requests:
                    waiting.put(request)
            except grpc.RpcError:
                pass
            waiting.put(None)

        threading.Thread(target=take, daemon=True).start()
        unanswered: list[peer_pb2.WriteBatch] = []
        more = True
        while more or unanswered:
            try:
                request = waiting.get(timeout=0.1) if more else None
                more = request is not None
                if request is not None:
                    unanswered.append(request)
                    self.most_unanswered = max(self.most_unanswered, len(unanswered))
                    continue
            except queue.Empty:
                pass
            if unanswered:
                if self._answers == 0:
                    context.abort(grpc.StatusCode.UNAVAILABLE, "it ends")
                self._answers -= 1
                batch = unanswered.pop(0)
                self.written.update(file.creation.path for file in batch.files)
                stored = [peer_pb2.WriteResult(answer=peer_pb2.WriteResult.STORED, file_id=1)] * len(batch.files)
                yield peer_pb2.WriteBatchReply(sequence=batch.sequence, results=stored)

    def close(self) -> None:
        self._server.stop(None)


@pytest.fixture
def slow() -> Iterator[Callable[[int], SlowWorker]]:
    made: list[SlowWorker] = []

    def make(answers: int) -> SlowWorker:
        made.append(SlowWorker(answers))
        return made[-1]

    yield make
    for each in made:
        each.close()


def to(worker: SlowWorker) -> Workers:
    """Returns the client's view of a mount that has this worker only."""
    return cast(
        Workers,
        SimpleNamespace(
            mount_id="m",
            channels=Channels(Options()),
            retry=Retry(0.0, "nothing helps"),
            find=lambda refused: worker.address,
            leave=lambda address: None,
        ),
    )


def some_files() -> list[writes.NewFile]:
    creation = peer_pb2.Creation
    return [writes.NewFile(creation(path=f"/f{i}", overwrite=True), bytes(FILE_BYTES)) for i in range(FILES)]


def test_a_busy_worker_has_few_messages_that_it_has_not_answered(slow: Callable[[int], SlowWorker]) -> None:
    worker = slow(FILES)
    assert [found for found in writes.put_files(to(worker), some_files()) if found != (1, 0)] == []
    assert len(worker.written) == FILES
    assert worker.most_unanswered <= MOST_UNANSWERED


def test_a_call_that_ends_leaves_no_thread_that_waits_for_answers(slow: Callable[[int], SlowWorker]) -> None:
    worker = slow(2)
    before = threading.active_count()
    found = writes.put_files(to(worker), some_files())
    assert sum(isinstance(each, UnavailableError) for each in found) == FILES - len(worker.written)
    assert 0 < len(worker.written) < FILES
    deadline = time.monotonic() + 60
    # Those that are left are the worker's.
    while threading.active_count() > before + 2 and time.monotonic() < deadline:
        time.sleep(0.1)
    assert threading.active_count() <= before + 2
