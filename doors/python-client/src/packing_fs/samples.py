# SPDX-License-Identifier: Apache-2.0
"""The files of a training run, with the blobs that hold them."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from packing_fs import paths as names
from packing_fs.errors import not_found
from packing_fs.protocol import bdt_pb2
from packing_fs.table import Table

_State = bdt_pb2.Status.State


@dataclass(frozen=True)
class Samples:
    """Files in the order in which a directory, or the caller, has them.

    paths: of all files
    sizes: their bytes
    groups: for each blob the places of its files in ``paths``, in the order of their bytes; one for files in no blob
    """

    paths: list[str]
    sizes: array[int]
    groups: list[array[int]]

    def __len__(self) -> int:
        return len(self.paths)


@dataclass(frozen=True)
class _Place:
    """The first byte of a file. Files whose places the master does not tell are in the order of their creation."""

    blob: str
    offset: int


def _place(located: bdt_pb2.LocateReply) -> _Place:
    content = located
    if located.pieces:
        first = min(located.pieces, key=lambda piece: piece.offset)
        content = located.contents[first.content]
    if content.extents:
        extent = min(content.extents, key=lambda each: each.file_offset)
        return _Place(content.blobs[extent.blob], extent.blob_offset)
    return _Place("", located.status.version.id)


class _Collection:
    def __init__(self) -> None:
        self.paths: list[str] = []
        self.sizes = array("q")
        self._offsets = array("q")
        self._blobs: dict[str, array[int]] = {}

    def add(self, path: str, located: bdt_pb2.LocateReply) -> None:
        place = _place(located)
        self._blobs.setdefault(place.blob, array("q")).append(len(self.paths))
        self._offsets.append(place.offset)
        self.paths.append(path)
        self.sizes.append(located.status.attributes.length)

    def samples(self) -> Samples:
        # By name: two processes that ask at different times have one order.
        groups = [
            array("q", sorted(self._blobs[blob], key=lambda each: (self._offsets[each], self.paths[each])))
            for blob in sorted(self._blobs)
        ]
        return Samples(self.paths, self.sizes, groups)


def below(table: Table, directory: str) -> Samples:
    """Locates all files below a directory, in the order of their paths. A thousand cost one call to the master."""
    found = _Collection()
    for path, located in _walk(table, directory):
        found.add(path, located)
    return found.samples()


def _walk(table: Table, directory: str) -> Iterator[tuple[str, bdt_pb2.LocateReply]]:
    # No recursion: a mount has trees of a thousand levels.
    waiting = [directory]
    while waiting:
        parent = waiting.pop()
        entries = table.located(parent)
        if entries is None:
            raise not_found(parent)
        directories = []
        for located in entries:
            path = names.child(parent, located.status.path)
            if located.status.state == _State.DIRECTORY:
                directories.append(path)
            else:
                yield path, located
        waiting.extend(reversed(directories))


def of(table: Table, paths: Iterable[str]) -> Samples:
    """Locates files, in the order of the caller. A missing one is an error."""
    found = _Collection()
    asked = [names.checked(path) for path in paths]
    for path, entry in zip(asked, table.find(asked), strict=True):
        what = entry.WhichOneof("what")
        if what is None:
            raise not_found(path)
        if what == "denied":
            raise PermissionError(13, entry.denied, path)
        located = entry.file if what == "file" else bdt_pb2.LocateReply(status=entry.status)
        if located.status.state == _State.DIRECTORY:
            raise IsADirectoryError(21, "is a directory", path)
        found.add(path, located)
    return found.samples()
