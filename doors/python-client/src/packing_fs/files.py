# SPDX-License-Identifier: Apache-2.0
"""Open files. A file that is written appears, complete, when it is closed."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

from fsspec.spec import AbstractBufferedFile

from packing_fs import paths
from packing_fs.reads import FileReader
from packing_fs.vectors import CloneRange, Delete, Operation, Precondition, Rename, SameVersion
from packing_fs.writes import LargeFile

if TYPE_CHECKING:
    from packing_fs.filesystem import PackingFileSystem


class PackingReadFile(AbstractBufferedFile):
    """An open file for reads: the version that was there when it was opened."""

    def __init__(self, fs: PackingFileSystem, path: str, reader: FileReader, **kwargs: Any) -> None:
        self._reader = reader
        self._details = fs.entry(path, reader.status)
        super().__init__(fs, path, "rb", size=reader.size, **kwargs)

    def _fetch_range(self, start: int, end: int) -> bytes:
        return self._reader.read(start, end - start)


class PackingWriteFile(AbstractBufferedFile):
    """An open file for writes: ``wb``, ``xb``, or ``ab`` with bytes for the end of what is there.

    With an error in its ``with`` block nothing appears. Without autocommit the bytes wait in a scratch file.
    """

    closed: bool

    def __init__(
        self, fs: PackingFileSystem, path: str, mode: str, permissions: int, autocommit: bool, **kwargs: Any
    ) -> None:
        super().__init__(fs, path, mode, block_size=fs.spill_bytes, autocommit=autocommit, **kwargs)
        self._permissions = permissions
        # The file to which bytes are appended, when it is there.
        self._before = fs.info(path) if mode == "ab" and fs.exists(path) else None
        if self._before is not None:
            self.loc = self._before["size"]
        self._large: LargeFile | None = None
        self._length = 0
        direct = autocommit and self._before is None
        self._written_to = path if direct else f"{paths.SCRATCH}/{uuid.uuid4()}"
        self._stored = False

    def _upload_chunk(self, final: bool = False) -> bool:
        client = self.fs.client
        data = self.buffer.getvalue()
        overwrite = self._written_to != self.path or self.mode == "wb"
        creation = client.creation(self._written_to, self._permissions, overwrite)
        self._length += len(data)
        if final and self._large is None:
            client.put(creation, data)
        else:
            if self._large is None:
                self._large = client.create(creation)
            self._large.write(data)
            if final:
                self._large.finish()
        if final:
            self._stored = True
            if self.autocommit and self._written_to != self.path:
                self.commit()
        return True

    def operations(self) -> list[Operation]:
        """Returns the operations that bring the bytes from the scratch file to the file's path."""
        if self._before is None:
            return [Rename(self._written_to, self.path, overwrite=self.mode != "xb")]
        if self._length == 0:
            return [Delete(self._written_to)]
        end = self._before["size"]
        return [CloneRange(self._written_to, 0, self._length, self.path, end), Delete(self._written_to)]

    def preconditions(self) -> list[Precondition]:
        """Returns the conditions under which the operations are right: nobody else has changed the file meanwhile."""
        return [] if self._before is None else [SameVersion(self.path, self._before["version"])]

    def commit(self) -> None:
        """Lets the file appear at its path."""
        if self._stored and self._written_to != self.path:
            self.fs.makedirs(paths.parent(self.path), exist_ok=True)
            self.fs.change(self.operations(), self.preconditions())
            self._stored = False

    def discard(self) -> None:
        """Gives the bytes up. Of a scratch file that cannot be deleted now, the master deletes it after a day."""
        if self._large is not None:
            self._large.abort()
        if self._stored and self._written_to != self.path:
            self._stored = False
            self.fs.client.table.delete(self._written_to, False)

    def __exit__(self, *args: Any) -> None:
        if args[0] is not None and not self.closed:
            # Half of a file is no file.
            self.closed = True
            self.discard()
        else:
            self.close()

    def __del__(self) -> None:
        # A file that nobody closed was not completed.
        if not self.closed:
            self.closed = True
            if getattr(self, "_large", None) is not None:
                self.discard()
