# SPDX-License-Identifier: Apache-2.0
"""The wiring of one client: connections, table, workers, threads."""

from __future__ import annotations

import threading
from concurrent.futures import Executor, ThreadPoolExecutor

from packing_fs import reads, writes
from packing_fs.address import Address
from packing_fs.channels import Channels
from packing_fs.master import Mount
from packing_fs.options import Options
from packing_fs.protocol import peer_pb2
from packing_fs.table import Owner, Table
from packing_fs.workers import Workers

_THREADS = 4


class Client:
    """A client of one mount. Thread-safe.

    owner: of what the client makes, where the servers do not identify it
    """

    def __init__(self, address: Address, options: Options, owner: Owner) -> None:
        self.options = options
        self.owner = owner
        self.channels = Channels(options)
        try:
            self.table = Table(Mount(address, self.channels, options))
        except BaseException:
            self.channels.close()
            raise
        self.workers = Workers(lambda: self.table.worker_name, self.table.workers, self.channels, options)
        self._lock = threading.Lock()
        self._pool: ThreadPoolExecutor | None = None
        self._batch_pool: ThreadPoolExecutor | None = None

    def threads(self) -> Executor:
        """Returns the threads for requests that one caller makes side by side."""
        with self._lock:
            if self._pool is None:
                self._pool = ThreadPoolExecutor(_THREADS, "packing-fs")
            return self._pool

    def batch_threads(self) -> Executor:
        """Returns the threads of batches, which wait for those that read one file in parts."""
        with self._lock:
            if self._batch_pool is None:
                self._batch_pool = ThreadPoolExecutor(_THREADS, "packing-fs-batch")
            return self._batch_pool

    def open(self, path: str) -> reads.FileReader:
        """Opens a file for reads."""
        return reads.opened(path, self.table, self.workers, self.threads)

    def creation(self, path: str, mode: int, overwrite: bool) -> peer_pb2.Creation:
        """Returns the terms of a new file. Its directory is made if it is missing."""
        return peer_pb2.Creation(
            path=path,
            owner=self.owner.user,
            group=self.owner.group,
            mode=mode,
            create_parents=True,
            overwrite=overwrite,
        )

    def put(self, creation: peer_pb2.Creation, data: bytes) -> None:
        """Stores a whole file."""
        if len(data) > self.options.spill_bytes:
            large = self.create(creation)
            try:
                large.write(data)
                large.finish()
            except BaseException:
                large.abort()
                raise
            return
        stored = writes.put_files(self.workers, [writes.NewFile(creation, bytes(data))])[0]
        if isinstance(stored, Exception):
            raise stored

    def create(self, creation: peer_pb2.Creation) -> writes.LargeFile:
        """Starts a file of any size."""
        return writes.LargeFile(self.workers, creation)

    def close(self) -> None:
        """Ends the connections."""
        with self._lock:
            for pool in (self._pool, self._batch_pool):
                if pool is not None:
                    pool.shutdown(wait=False, cancel_futures=True)
        self.channels.close()
